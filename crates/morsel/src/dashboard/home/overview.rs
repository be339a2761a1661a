//! The overview of an account.

use askama::Template;
use jiff::civil::Date;
use store::{Account, KeyId};

use super::first_steps::{FirstSteps, are_hidden};
use crate::app::App;
use crate::dashboard::assets::{Asset, DOCS_SCRIPT, DOCS_STYLE, LIVE_SCRIPT, START_SCRIPT, START_STYLE};
use crate::dashboard::docs::first_request::first_request;
use crate::dashboard::filters;
use crate::dashboard::keys::row::{KeyRow, key_rows};
use crate::dashboard::layout::Layout;
use crate::dashboard::usage::chart::Chart;
use crate::dashboard::usage::filter::UsageFilter;
use crate::dashboard::usage::request_counts::{RequestCounts, by_day};
use crate::dashboard::usage::this_minute::ThisMinute;
use crate::error::ApiError;

/// Keys shown here; the keys page has the rest.
const MAX_KEYS_SHOWN: usize = 4;

#[derive(Template)]
#[template(path = "home/overview.html")]
pub(super) struct OverviewPage {
    layout: Layout,
    plan: &'static str,
    minute: ThisMinute,
    has_password: bool,
    today: RequestCounts,
    week: RequestCounts,
    chart: Chart,
    keys: Vec<KeyRow>,
    /// The number of active keys, including those not shown.
    active_keys: usize,
    recipes: usize,
    /// The list of first steps, unless all are done or it is hidden.
    steps: Option<FirstSteps>,
    /// The key that was just created.
    new_key: Option<String>,
    /// The id of the key that the form creates.
    next_key: String,
    /// The first request in every language, as HTML.
    samples: String,
    code_style: Asset,
    code_script: Asset,
    steps_style: Asset,
    steps_script: Asset,
    live_script: Asset,
}

/// Returns the page, with the key that was just created.
pub(super) async fn overview(
    app: &App,
    layout: Layout,
    base: &str,
    account: &Account,
    new_key: Option<String>,
) -> Result<OverviewPage, ApiError> {
    let now = app.now();
    let filter = UsageFilter { days: 7, key: None, mode: None };
    let span = filter.span(&account.id, now);
    let days: Vec<(Date, RequestCounts)> = by_day(&span, &app.store.usage().by_day(&span).await?);
    let steps = FirstSteps::of(app, &account.id).await?;
    let is_shown = !steps.are_done() && !are_hidden(app, &account.id).await? || new_key.is_some();
    let mut keys: Vec<_> = key_rows(app, &account.id, now).await?.into_iter().filter(KeyRow::is_active).collect();
    let active_keys = keys.len();
    keys.truncate(MAX_KEYS_SHOWN);
    Ok(OverviewPage {
        layout,
        plan: account.plan.name(),
        minute: ThisMinute::of(app, account, now).await,
        has_password: account.password_hash.is_some(),
        today: days.last().map(|(_, counts)| *counts).unwrap_or_default(),
        week: days.iter().fold(RequestCounts::default(), |sum, (_, counts)| sum.plus(counts)),
        chart: Chart::new(&days),
        keys,
        active_keys,
        recipes: app.account_cache.recipes(&account.id).await?.rows.len(),
        steps: is_shown.then_some(steps),
        samples: first_request(base, new_key.as_deref()),
        new_key,
        next_key: KeyId::generate(&mut app.rng()).to_string(),
        code_style: DOCS_STYLE,
        code_script: DOCS_SCRIPT,
        steps_style: START_STYLE,
        steps_script: START_SCRIPT,
        live_script: LIVE_SCRIPT,
    })
}
