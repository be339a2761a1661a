//! The list of an account's last requests.

use std::ops::ControlFlow;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{Account, LoggedRequest};

use super::filter::{LogFilter, LogParams, OUTCOMES, PERIODS};
use super::row::{DASHBOARD_NAME, LogRow, key_name};
use super::scan::{self, NEWEST};
use crate::app::App;
use crate::dashboard::assets::{Asset, LIVE_SCRIPT, LOG_STYLE};
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::request_log::DASHBOARD;
use crate::routes;

const PAGE_SIZE: u64 = 50;

#[derive(Template)]
#[template(path = "log/log.html")]
struct LogPage {
    layout: Layout,
    style: Asset,
    script: Asset,
    is_on: bool,
    keeps_bodies: bool,
    max_requests: u32,
    max_days: u32,
    filter: LogFilter,
    /// The times of the filter in words, if it has any but a period.
    times: Option<String>,
    keys: Vec<(String, String)>,
    routes: Vec<&'static str>,
    rows: Vec<LogRow>,
    total: u64,
    pages: u64,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    PageQuery(query): PageQuery<LogParams>,
) -> Result<Response, ApiError> {
    if let Some(id) = query.id() {
        return Ok(Redirect::to(&format!("/log/{id}")).into_response());
    }
    let (filter, now) = (query.filter(), app.now());
    // Include the latest requests.
    app.request_log.flush(&app.store, &app.limits, now).await?;
    let limits = app.limits.of(user.account.plan);
    let found = Found::read(&app, &user.account, &filter, now).await?;
    let keys = app.store.keys().list(&user.account.id).await?;
    let log_page = LogPage {
        layout: user.layout(Section::Log),
        style: LOG_STYLE,
        script: LIVE_SCRIPT,
        is_on: app.request_log.is_on(),
        keeps_bodies: user.account.keeps_bodies,
        max_requests: limits.log_requests,
        max_days: limits.log_days,
        times: times(&filter),
        rows: found.shown.iter().map(|request| LogRow::new(request, &keys)).collect(),
        keys: keys
            .iter()
            .map(|key| (key.id.to_string(), key_name(key)))
            .chain([(DASHBOARD.to_owned(), DASHBOARD_NAME.to_owned())])
            .collect(),
        routes: routes::all().map(|route| route.name).collect(),
        total: found.total,
        pages: found.total.div_ceil(PAGE_SIZE).max(1),
        filter,
    };
    page(StatusCode::OK, &log_page)
}

/// The requests of a page.
struct Found {
    shown: Vec<LoggedRequest>,
    /// Requests on all pages.
    total: u64,
}

impl Found {
    /// Reads a page. Only its requests are decoded; without a filter, the others are not even read.
    async fn read(app: &App, account: &Account, filter: &LogFilter, now: Timestamp) -> Result<Self, ApiError> {
        let is_filtered = filter.is_filtered();
        let skipped = (filter.page - 1) * PAGE_SIZE;
        let start = if is_filtered { NEWEST } else { app.store.request_log().skip(&account.id, skipped).await? };
        let (mut shown, mut total) = (Vec::new(), start.skipped);
        scan::visit(app, account, start, filter.times(now), |line| {
            if filter.matches(line.brief) {
                if (skipped..skipped + PAGE_SIZE).contains(&total) {
                    shown.push(line.request()?);
                }
                total += 1;
            }
            let is_enough = !is_filtered && total >= skipped + PAGE_SIZE;
            Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .await?;
        if !is_filtered {
            total = start.total.min(u64::from(app.limits.of(account.plan).log_requests));
        }
        Ok(Self { shown, total })
    }
}

/// Describes the times of a filter.
fn times(filter: &LogFilter) -> Option<String> {
    let text = |time: Timestamp| time.to_zoned(TimeZone::UTC).strftime("%-d %b %Y, %H:%M").to_string();
    match (filter.from, filter.to) {
        (Some(from), Some(to)) => Some(format!("From {} to {} UTC", text(from), text(to))),
        (Some(from), None) => Some(format!("Since {} UTC", text(from))),
        (None, Some(to)) => Some(format!("Until {} UTC", text(to))),
        (None, None) => None,
    }
}

impl LogPage {
    /// Returns the URL of the list without the times that a chart led to.
    fn url_without_times(&self) -> String {
        LogFilter { from: None, to: None, ..self.filter.clone() }.url(1)
    }

    /// Returns the URL of the events that say when the list has changed; only the first page changes.
    fn live_url(&self) -> Option<String> {
        let is_live = self.is_on && self.filter.page == 1 && self.filter.to.is_none();
        is_live.then(|| format!("/log/events?{}", self.filter.query(1)))
    }
}
