//! All accounts: searching and creating them.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use store::directory::DirectoryEntry;
use store::{AuditEvent, AuditKind, CreateAccountError, Email, NewAccount, Plan};

use super::link_shown::show_link;
use crate::app::App;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::filters;
use crate::dashboard::form::Problems;
use crate::dashboard::human_time::HumanTime;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::{Owner, SignedIn};
use crate::error::ApiError;

const PAGE_SIZE: u64 = 50;

#[derive(Template)]
#[template(path = "owner/accounts.html")]
struct AccountsPage {
    layout: Layout,
    text: String,
    search: Field,
    accounts: Vec<AccountRow>,
    total: u64,
    page: u64,
    pages: u64,
    email: Field,
    plans: [&'static str; 4],
    plan: String,
}

struct AccountRow {
    id: String,
    email: String,
    plan: &'static str,
    keys: u64,
    requests_today: u64,
    created: HumanTime,
    is_owner: bool,
    is_disabled: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct AccountsQuery {
    /// A part of the email address.
    q: String,
    page: String,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Owner(user): Owner,
    PageQuery(query): PageQuery<AccountsQuery>,
) -> Result<Response, ApiError> {
    accounts_page(&app, &user, &query, StatusCode::OK, email_field(), "free").await
}

/// Creates an account and a sign-in link for it.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    ConfirmedForm(Owner(user), form): ConfirmedForm<Owner>,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let email = Email::parse(form.text("email"));
    let plan: Plan = form.text("plan").parse().unwrap_or(Plan::Free);
    if email.is_none() {
        problems.add("email", "Enter an email address like you@example.com.");
    }
    if let Some(email) = email {
        match app
            .store
            .accounts()
            .create(NewAccount { plan, ..NewAccount::new(email) }, app.now(), &mut app.rng())
            .await
        {
            Ok(account) => {
                let event = AuditEvent::new(AuditKind::AccountCreated, app.now()).of(&account.id);
                app.trail.record(event.by(&user.account.id).from(user.from));
                return show_link(&app, &user, &account, true).await;
            }
            Err(CreateAccountError::EmailTaken) => problems.add("email", "This address already has an account."),
            Err(CreateAccountError::Store(error)) => return Err(error.into()),
        }
    }
    let email = email_field().resubmitted(&form, &problems);
    accounts_page(&app, &user, &AccountsQuery::default(), StatusCode::UNPROCESSABLE_ENTITY, email, plan.name()).await
}

async fn accounts_page(
    app: &App,
    user: &SignedIn,
    query: &AccountsQuery,
    status: StatusCode,
    email: Field,
    plan: &str,
) -> Result<Response, ApiError> {
    let text: String = query.q.trim().chars().filter(|c| *c != '\0').take(254).collect();
    let wanted = query.page.parse().unwrap_or(1_u64).clamp(1, 1_000_000);
    let now = app.now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let list = app.store.directory().list(&text, (wanted - 1) * PAGE_SIZE, PAGE_SIZE, today, now).await?;
    let accounts_page = AccountsPage {
        layout: user.layout(Section::Owner),
        search: Field::new(FieldKind::Search, "q", "Search by email").max_length(254).value(text.clone()),
        text,
        accounts: list.entries.into_iter().map(|entry| row(&entry, now)).collect(),
        total: list.total,
        page: wanted,
        pages: list.total.div_ceil(PAGE_SIZE).max(1),
        email,
        plans: Plan::ALL.map(Plan::name),
        plan: plan.to_owned(),
    };
    page(status, &accounts_page)
}

impl AccountsPage {
    /// Returns the URL of another page of the list.
    fn page_url(&self, page: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.text.is_empty() {
            query.append_pair("q", &self.text);
        }
        format!("/owner/accounts?{}", query.append_pair("page", &page.to_string()).finish())
    }
}

fn row(entry: &DirectoryEntry, now: Timestamp) -> AccountRow {
    let account = &entry.account;
    AccountRow {
        id: account.id.to_string(),
        email: account.email.to_string(),
        plan: account.plan.name(),
        keys: entry.keys,
        requests_today: entry.requests_today,
        created: HumanTime::relative(account.created_at, now),
        is_owner: account.is_owner,
        is_disabled: account.disabled_at.is_some(),
    }
}

fn email_field() -> Field {
    Field::new(FieldKind::Email, "email", "Email address").autocomplete("off").max_length(254).required()
}
