//! The home page: an overview of the account, or a welcome page for users who are not signed in.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::civil::Date;
use store::Account;

use super::filters;
use super::keys::row::{KeyRow, key_rows};
use super::layout::{Layout, Section, page};
use super::usage::chart::Chart;
use super::usage::filter::UsageFilter;
use super::usage::request_counts::{RequestCounts, by_day};
use super::visitor::Visitor;
use crate::app::App;
use crate::config::Signup;
use crate::error::ApiError;

/// Keys shown here; the keys page has the rest.
const MAX_KEYS_SHOWN: usize = 4;

#[derive(Template)]
#[template(path = "home/overview.html")]
struct OverviewPage {
    layout: Layout,
    plan: &'static str,
    limit: u32,
    base: String,
    has_password: bool,
    today: RequestCounts,
    week: RequestCounts,
    chart: Chart,
    keys: Vec<KeyRow>,
    /// The number of active keys, including those not shown.
    active_keys: usize,
    recipes: usize,
}

#[derive(Template)]
#[template(path = "home/welcome.html")]
struct WelcomePage {
    layout: Layout,
    base: String,
    may_sign_up: bool,
}

pub(super) async fn show(State(app): State<Arc<App>>, user: Visitor) -> Result<Response, ApiError> {
    let layout = user.layout(Section::Home);
    let base = user.base.0;
    if let Some((_, account)) = user.signed_in {
        return page(StatusCode::OK, &overview(&app, layout, base, &account).await?);
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    page(StatusCode::OK, &WelcomePage { layout, base, may_sign_up: app.config.signup == Signup::Open })
}

async fn overview(app: &App, layout: Layout, base: String, account: &Account) -> Result<OverviewPage, ApiError> {
    let now = app.now();
    let filter = UsageFilter { days: 7, key: None, mode: None };
    let span = filter.span(&account.id, now);
    let days: Vec<(Date, RequestCounts)> = by_day(&span, &app.store.usage().by_day(&span).await?);
    let mut keys: Vec<_> = key_rows(app, &account.id, now).await?.into_iter().filter(KeyRow::is_active).collect();
    let active_keys = keys.len();
    keys.truncate(MAX_KEYS_SHOWN);
    Ok(OverviewPage {
        layout,
        plan: account.plan.name(),
        limit: app.config.limits.of(account.plan),
        base,
        has_password: account.password_hash.is_some(),
        today: days.last().map(|(_, counts)| *counts).unwrap_or_default(),
        week: days.iter().fold(RequestCounts::default(), |sum, (_, counts)| sum.plus(counts)),
        chart: Chart::new(&days),
        keys,
        active_keys,
        recipes: app.store.recipes().list(&account.id).await?.len(),
    })
}
