//! The audit trail: what happened to accounts and keys, and who tried to get in.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::audit::AUDIT_DAYS;
use store::{AuditFilter, AuditKind};

use crate::app::App;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::security_event::{EventRow, label};
use crate::dashboard::visitor::Owner;
use crate::error::ApiError;

const PAGE_SIZE: u64 = 50;
/// The longest text to search for.
const MAX_TEXT: usize = 254;

#[derive(Template)]
#[template(path = "owner/audit.html")]
struct AuditTrailPage {
    layout: Layout,
    filter: AuditFilter,
    kinds: Vec<(&'static str, &'static str)>,
    account: Field,
    address: Field,
    events: Vec<EventRow>,
    total: u64,
    page: u64,
    pages: u64,
    days: i64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct AuditQuery {
    /// The name of a kind of event.
    event: String,
    /// An account's id or a part of its email address.
    account: String,
    /// A part of an IP address.
    address: String,
    /// `owners` for what owners did.
    by: String,
    page: String,
}

/// Shows the events that the filter matches; an unknown kind of event matches all.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Owner(user): Owner,
    PageQuery(query): PageQuery<AuditQuery>,
) -> Result<Response, ApiError> {
    // Include the latest events.
    app.trail.flush(&app.store).await?;
    let filter = AuditFilter {
        kind: query.event.parse().ok(),
        account: text(&query.account),
        address: text(&query.address).to_lowercase(),
        by_owners: query.by == "owners",
    };
    let wanted = query.page.parse().unwrap_or(1_u64).clamp(1, 1_000_000);
    let found = app.store.audit().list(&filter, (wanted - 1) * PAGE_SIZE, PAGE_SIZE).await?;
    let field = |name, label| Field::new(FieldKind::Search, name, label).max_length(MAX_TEXT);
    let mut kinds: Vec<_> = AuditKind::ALL.into_iter().map(|kind| (kind.name(), label(kind))).collect();
    kinds.sort_by_key(|(_, label)| *label);
    let audit_page = AuditTrailPage {
        layout: user.layout(Section::Owner),
        kinds,
        account: field("account", "Account").value(filter.account.clone()),
        address: field("address", "IP address").value(filter.address.clone()),
        filter,
        events: found.entries.into_iter().map(EventRow::from).collect(),
        total: found.total,
        page: wanted,
        pages: found.total.div_ceil(PAGE_SIZE).max(1),
        days: AUDIT_DAYS,
    };
    page(StatusCode::OK, &audit_page)
}

impl AuditTrailPage {
    fn is_kind(&self, name: &str) -> bool {
        self.filter.kind.is_some_and(|kind| kind.name() == name)
    }

    fn is_filtered(&self) -> bool {
        self.filter.kind.is_some()
            || self.filter.by_owners
            || !self.filter.account.is_empty()
            || !self.filter.address.is_empty()
    }

    /// Returns the URL of another page of the list.
    fn page_url(&self, page: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let kind = self.filter.kind.map_or("", AuditKind::name);
        let by = if self.filter.by_owners { "owners" } else { "" };
        for (name, value) in
            [("event", kind), ("by", by), ("account", &*self.filter.account), ("address", &*self.filter.address)]
        {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        format!("/owner/audit?{}", query.append_pair("page", &page.to_string()).finish())
    }
}

fn text(input: &str) -> String {
    input.trim().chars().filter(|c| *c != '\0').take(MAX_TEXT).collect()
}
