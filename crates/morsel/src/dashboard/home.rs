//! The first page: what the service is, for those who are not signed in; the account at a glance, for those who are.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use store::Account;

use super::chart::Chart;
use super::keys::{KeyLine, lines};
use super::layout::{Layout, Section};
use super::tally::Tally;
use super::usage_page::{Choice, by_day};
use super::visitor::Visitor;
use super::{filters, page};
use crate::app::App;
use crate::config::Signup;
use crate::error::ApiError;

/// Keys shown here; the rest is on their own page.
const FEW_KEYS: usize = 4;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    layout: Layout,
    plan: &'static str,
    limit: u32,
    base: String,
    has_password: bool,
    today: Tally,
    week: Tally,
    chart: Chart,
    keys: Vec<KeyLine>,
    /// Keys that work, all of them.
    working: usize,
    recipes: usize,
}

#[derive(Template)]
#[template(path = "welcome.html")]
struct Welcome {
    layout: Layout,
    base: String,
    may_sign_up: bool,
}

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, ApiError> {
    let layout = visitor.layout(Section::Home);
    let base = visitor.base.0;
    if let Some((_, account)) = visitor.signed_in {
        return page(StatusCode::OK, &home(&app, layout, base, &account).await?);
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    page(StatusCode::OK, &Welcome { layout, base, may_sign_up: app.config.signup == Signup::Open })
}

async fn home(app: &App, layout: Layout, base: String, account: &Account) -> Result<Home, ApiError> {
    let now = Timestamp::now();
    let choice = Choice { days: 7, key: None, mode: None };
    let span = choice.span(&account.id, now);
    let days: Vec<(Date, Tally)> = by_day(&span, &app.store.usage().by_day(&span).await?);
    let mut keys: Vec<_> = lines(app, &account.id, now).await?.into_iter().filter(KeyLine::works).collect();
    let working = keys.len();
    keys.truncate(FEW_KEYS);
    Ok(Home {
        layout,
        plan: account.plan.name(),
        limit: app.config.limits.of(account.plan),
        base,
        has_password: account.password_hash.is_some(),
        today: days.last().map(|(_, tally)| *tally).unwrap_or_default(),
        week: days.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(tally)),
        chart: Chart::new(&days),
        keys,
        working,
        recipes: app.store.recipes().list(&account.id).await?.len(),
    })
}
