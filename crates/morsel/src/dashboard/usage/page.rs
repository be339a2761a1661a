//! The usage page: requests by day, hour or minute, by endpoint, key and mode; errors, the slowest requests, and the rate
//! limit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use store::usage::{RouteSum, UsageQuery};
use store::{Key, Mode, latency};

use super::chart::{Chart, TimeSlot};
use super::filter::{DAYS, Recent, UsageFilter, UsageParams};
use super::key_figures::KeyFigures;
use super::log_figures::LogFigures;
use super::request_counts::{RequestCounts, by_day};
use super::sparkline::Sparkline;
use super::this_minute::ThisMinute;
use crate::app::App;
use crate::dashboard::assets::{Asset, LIVE_SCRIPT, LOG_STYLE};
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::log::row::LogRow;
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "usage/usage.html")]
struct UsagePage {
    layout: Layout,
    style: Asset,
    script: Asset,
    filter: UsageFilter,
    recent: Option<Recent>,
    /// What a bar of the chart stands for.
    unit: &'static str,
    keys: Vec<KeyOption>,
    total: RequestCounts,
    p50: String,
    p95: String,
    plan: &'static str,
    minute: ThisMinute,
    chart: Chart,
    slots: Vec<TimeSlot>,
    endpoints: Vec<EndpointRow>,
    by_key: Vec<KeyUsage>,
    by_mode: Vec<(&'static str, RequestCounts)>,
    codes: Vec<(String, u64)>,
    slowest: Vec<LogRow>,
    /// Whether the log has all requests of the period.
    is_complete: bool,
    has_log: bool,
}

struct KeyOption {
    id: String,
    name: String,
}

struct EndpointRow {
    route: String,
    counts: RequestCounts,
    p50: String,
    p95: String,
}

struct KeyUsage {
    id: String,
    name: String,
    mode: &'static str,
    counts: RequestCounts,
    line: Sparkline,
}

/// What the tables are made of, whether counted by day or read from the log.
struct Figures {
    slots: Vec<TimeSlot>,
    routes: Vec<RouteSum>,
    keys: Vec<KeyFigures>,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    PageQuery(query): PageQuery<UsageParams>,
) -> Result<Response, ApiError> {
    let (now, account) = (app.now(), &user.account);
    let (filter, recent) = (UsageFilter::read(&query)?, query.recent());
    let keys = app.store.keys().list(&account.id).await?;
    filter.check(&keys)?;
    let span = filter.span(&account.id, now);
    if recent.is_some() {
        // Include the latest requests: a minute is short.
        app.request_log.flush(&app.store, &app.limits, now).await?;
    }
    let mut log = LogFigures::read(&app, account, &keys, &filter, recent, start_of(span.from)).await?;
    let figures = match recent {
        Some(_) => Figures {
            slots: std::mem::take(&mut log.slots),
            routes: std::mem::take(&mut log.routes),
            keys: std::mem::take(&mut log.keys),
        },
        None => Figures::by_day(&app, &filter, &span).await?,
    };
    let latencies = latencies(&figures.routes);
    let (title, unit) = match recent {
        Some(Recent::Hour) => ("Requests by minute", "minute"),
        Some(Recent::Day) => ("Requests by hour", "hour"),
        None => ("Requests by day", "day"),
    };
    let usage_page = UsagePage {
        layout: user.layout(Section::Usage),
        style: LOG_STYLE,
        script: LIVE_SCRIPT,
        recent,
        unit,
        total: figures.slots.iter().fold(RequestCounts::default(), |sum, slot| sum.plus(&slot.counts)),
        p50: milliseconds(latency::percentile(&latencies, 0.5)),
        p95: milliseconds(latency::percentile(&latencies, 0.95)),
        plan: account.plan.name(),
        minute: ThisMinute::of(&app, account, now).await,
        chart: Chart::of(title, unit, &figures.slots),
        by_mode: by_mode(&figures.keys),
        by_key: count_by_key(&figures.keys, &keys),
        slots: figures.slots,
        endpoints: by_endpoint(figures.routes),
        keys: keys.iter().map(|key| KeyOption { id: key.id.to_string(), name: name(key) }).collect(),
        codes: log.codes,
        slowest: log.slowest,
        is_complete: log.is_complete,
        has_log: app.request_log.is_on(),
        filter,
    };
    page(StatusCode::OK, &usage_page)
}

impl Figures {
    /// Reads the counts of days.
    async fn by_day(app: &App, filter: &UsageFilter, span: &UsageQuery<'_>) -> Result<Self, ApiError> {
        let usage = app.store.usage();
        let (sums, routes) = tokio::try_join!(usage.by_day(span), usage.by_route(span))?;
        let days = by_day(span, &sums);
        let slot = |(day, counts): &(Date, RequestCounts)| {
            let (from, to) = (start_of(*day), start_of(day.saturating_add(1.day())));
            TimeSlot { href: Some(filter.log_url(from, to)), ..TimeSlot::day(*day, *counts) }
        };
        Ok(Self { slots: days.iter().map(slot).collect(), routes, keys: KeyFigures::by_day(&days, &sums) })
    }
}

impl UsagePage {
    /// Returns the URL of the log with requests of a key, or with a code.
    fn log_url(name: &str, value: &str) -> String {
        let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
        format!("/log?{name}={value}")
    }

    fn is_recent(&self, name: &str) -> bool {
        self.recent.is_some_and(|recent| recent.name() == name)
    }

    /// Returns the period in words.
    fn period(&self) -> String {
        self.recent.map_or_else(
            || format!("in {} days", self.filter.days),
            |recent| format!("in the {}", recent.label().to_lowercase()),
        )
    }
}

/// Returns when a day begins.
fn start_of(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).map_or(Timestamp::MIN, |day| day.timestamp())
}

/// Returns the name of a key in the statistics.
fn name(key: &Key) -> String {
    let shown = format!("{}…{}", key.prefix, key.last_four);
    key.label.as_ref().map_or(shown.clone(), |label| format!("{label} ({shown})"))
}

/// Returns the latencies of requests that were worked on: a refusal takes no time and would make the service look fast.
fn latencies(routes: &[RouteSum]) -> Vec<(u8, u64)> {
    routes.iter().filter(|sum| sum.status != "429").map(|sum| (sum.latency_bucket, sum.requests)).collect()
}

/// Formats a latency: "0.15 ms", "20 ms", "1.5 s".
fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        0.0 => "–".to_owned(),
        ..1.0 => format!("{ms:.2} ms"),
        ..1_000.0 => format!("{ms} ms"),
        _ => format!("{} s", ms / 1e3),
    }
}

/// Returns the endpoints, busiest first.
fn by_endpoint(sums: Vec<RouteSum>) -> Vec<EndpointRow> {
    let mut routes: BTreeMap<String, Vec<RouteSum>> = BTreeMap::new();
    for sum in sums {
        routes.entry(sum.route.clone()).or_default().push(sum);
    }
    let line = |(route, sums): (String, Vec<RouteSum>)| {
        let mut counts = RequestCounts::default();
        for sum in &sums {
            counts.add(&sum.status, sum.requests);
        }
        let [p50, p95] = [0.5, 0.95].map(|p| milliseconds(latency::percentile(&latencies(&sums), p)));
        EndpointRow { route, counts, p50, p95 }
    };
    let mut lines: Vec<_> = routes.into_iter().map(line).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.counts.total()));
    lines
}

fn count_by_key(figures: &[KeyFigures], keys: &[Key]) -> Vec<KeyUsage> {
    let name_of = |id: &str| keys.iter().find(|key| key.id.as_str() == id).map_or_else(|| id.to_owned(), name);
    let line = |key: &KeyFigures| KeyUsage {
        id: key.id.clone(),
        name: name_of(&key.id),
        mode: key.mode.name(),
        counts: key.counts,
        line: Sparkline::new(&key.line),
    };
    let mut lines: Vec<_> = figures.iter().map(line).collect();
    lines.sort_by(|a, b| (b.counts.total(), &a.id).cmp(&(a.counts.total(), &b.id)));
    lines
}

fn by_mode(keys: &[KeyFigures]) -> Vec<(&'static str, RequestCounts)> {
    let counts = |mode: Mode| {
        let of_mode = keys.iter().filter(|key| key.mode == mode);
        (mode.name(), of_mode.fold(RequestCounts::default(), |sum, key| sum.plus(&key.counts)))
    };
    [Mode::Live, Mode::Test].map(counts).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_do_not_make_the_service_look_fast() {
        let sum = |status: &str, latency_bucket, requests| RouteSum {
            route: "POST /v1/estimate".to_owned(),
            status: status.to_owned(),
            latency_bucket,
            requests,
        };
        let sums = vec![sum("2xx", 20, 10), sum("429", 0, 1_000), sum("4xx", 20, 1)];
        let rows = by_endpoint(sums);
        assert_eq!((rows[0].p50.as_str(), rows[0].counts.total()), ("100 ms", 1_011));
    }
}
