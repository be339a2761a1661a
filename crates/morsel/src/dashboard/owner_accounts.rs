//! All accounts, for whoever runs the service: found, and made.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use store::directory::Entry;
use store::{Account, CreateAccountError, Email, Plan, Rng};

use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::visitor::{Owner, SignedIn};
use super::when::When;
use super::{filters, page};
use crate::app::App;
use crate::error::ApiError;

const ON_A_PAGE: u64 = 50;
/// How long a sign-in link works.
const LINK_HOURS: i64 = 24;

#[derive(Template)]
#[template(path = "owner_accounts.html")]
struct AccountsPage {
    layout: Layout,
    text: String,
    search: Field,
    accounts: Vec<AccountLine>,
    total: u64,
    page: u64,
    pages: u64,
    email: Field,
    plans: [&'static str; 4],
    plan: String,
}

struct AccountLine {
    id: String,
    email: String,
    plan: &'static str,
    keys: u64,
    requests_today: u64,
    created: When,
    is_owner: bool,
    is_disabled: bool,
}

/// A link, shown this once.
#[derive(Template)]
#[template(path = "owner_link.html")]
struct LinkShown {
    layout: Layout,
    id: String,
    email: String,
    link: String,
    hours: i64,
    is_new: bool,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Owner(me): Owner,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    accounts_page(&app, &me, query.as_deref().unwrap_or_default(), StatusCode::OK, email_field(), "free").await
}

/// Makes an account and a link to sign in to it.
pub(super) async fn create(State(app): State<Arc<App>>, Owner(me): Owner, form: Form) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let email = Email::parse(form.text("email"));
    let plan: Plan = form.text("plan").parse().unwrap_or(Plan::Free);
    if email.is_none() {
        problems.add("email", "Write an address such as you@example.com.");
    }
    if let Some(email) = email {
        match app.store.accounts().create(&email, None, plan, false, Timestamp::now(), &mut Rng::system()).await {
            Ok(account) => return link_shown(&app, &me, &account, true).await,
            Err(CreateAccountError::EmailTaken) => problems.add("email", "This address has an account already."),
            Err(CreateAccountError::Store(error)) => return Err(error.into()),
        }
    }
    let email = email_field().again(&form, &problems);
    accounts_page(&app, &me, "", StatusCode::UNPROCESSABLE_ENTITY, email, plan.name()).await
}

/// Makes a link that signs in to an account, and shows it.
pub(super) async fn link_shown(
    app: &App,
    me: &SignedIn,
    account: &Account,
    is_new: bool,
) -> Result<Response, ApiError> {
    let now = Timestamp::now();
    let until = now.saturating_add(SignedDuration::from_hours(LINK_HOURS)).unwrap_or(Timestamp::MAX);
    let token = app.store.sessions().create_link(&account.id, until, now, &mut Rng::system()).await?;
    let shown = LinkShown {
        layout: me.layout(Section::Owner),
        id: account.id.to_string(),
        email: account.email.to_string(),
        link: format!("{}/sign-in/{token}", me.base.0),
        hours: LINK_HOURS,
        is_new,
    };
    page(StatusCode::OK, &shown)
}

async fn accounts_page(
    app: &App,
    me: &SignedIn,
    query: &str,
    status: StatusCode,
    email: Field,
    plan: &str,
) -> Result<Response, ApiError> {
    let get = |name: &str| form_urlencoded::parse(query.as_bytes()).find(|(given, _)| given == name);
    let text: String =
        get("q").map_or(String::new(), |(_, text)| text.trim().chars().filter(|c| *c != '\0').take(254).collect());
    let wanted = get("page").and_then(|(_, page)| page.parse().ok()).unwrap_or(1_u64).clamp(1, 1_000_000);
    let now = Timestamp::now();
    let today = now.to_zoned(TimeZone::UTC).date();
    let list = app.store.directory().list(&text, (wanted - 1) * ON_A_PAGE, ON_A_PAGE, today, now).await?;
    let accounts_page = AccountsPage {
        layout: me.layout(Section::Owner),
        search: Field::new(Kind::Search, "q", "Find by e-mail").longest(254).value(text.clone()),
        text,
        accounts: list.entries.into_iter().map(|entry| line(&entry, now)).collect(),
        total: list.total,
        page: wanted,
        pages: list.total.div_ceil(ON_A_PAGE).max(1),
        email,
        plans: Plan::ALL.map(Plan::name),
        plan: plan.to_owned(),
    };
    page(status, &accounts_page)
}

impl AccountsPage {
    /// The address of another page of the list.
    fn address(&self, page: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.text.is_empty() {
            query.append_pair("q", &self.text);
        }
        format!("/owner/accounts?{}", query.append_pair("page", &page.to_string()).finish())
    }
}

fn line(entry: &Entry, now: Timestamp) -> AccountLine {
    let account = &entry.account;
    AccountLine {
        id: account.id.to_string(),
        email: account.email.to_string(),
        plan: account.plan.name(),
        keys: entry.keys,
        requests_today: entry.requests_today,
        created: When::from(account.created_at, now),
        is_owner: account.is_owner,
        is_disabled: account.disabled_at.is_some(),
    }
}

fn email_field() -> Field {
    Field::new(Kind::Email, "email", "E-mail address").autocomplete("off").longest(254).required()
}
