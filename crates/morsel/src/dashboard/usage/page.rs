//! The usage page: requests by day, endpoint, key and mode, and the rate limit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use store::usage::{KeySum, RouteSum};
use store::{Key, KeyId, Mode, latency};

use super::chart::Chart;
use super::filter::{DAYS, UsageFilter, UsageParams};
use super::request_counts::{RequestCounts, by_day};
use crate::app::App;
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "usage/usage.html")]
struct UsagePage {
    layout: Layout,
    filter: UsageFilter,
    keys: Vec<KeyOption>,
    total: RequestCounts,
    p50: String,
    p95: String,
    plan: &'static str,
    limit: u32,
    /// Requests in the current minute by mode.
    this_minute: [(&'static str, u32); 2],
    chart: Chart,
    days: Vec<(Date, RequestCounts)>,
    endpoints: Vec<EndpointRow>,
    by_key: Vec<(String, &'static str, RequestCounts)>,
    by_mode: Vec<(&'static str, RequestCounts)>,
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

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    PageQuery(query): PageQuery<UsageParams>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let filter = UsageFilter::read(&query)?;
    let keys = app.store.keys().list(&user.account.id).await?;
    filter.check(&keys)?;
    let span = filter.span(&user.account.id, now);
    let usage = app.store.usage();
    let (days, routes) = (usage.by_day(&span).await?, usage.by_route(&span).await?);
    let by_key = usage.by_key(&span).await?;
    let days = by_day(&span, &days);
    let taken = |mode| app.windows.used(&user.account.id, mode, now);
    let latencies: Vec<_> = routes.iter().map(|sum| (sum.latency_bucket, sum.requests)).collect();
    let usage_page = UsagePage {
        layout: user.layout(Section::Usage),
        keys: keys.iter().map(|key| KeyOption { id: key.id.to_string(), name: name(key) }).collect(),
        total: days.iter().fold(RequestCounts::default(), |sum, (_, counts)| sum.plus(counts)),
        p50: milliseconds(latency::percentile(&latencies, 0.5)),
        p95: milliseconds(latency::percentile(&latencies, 0.95)),
        plan: user.account.plan.name(),
        limit: app.config.limits.of(user.account.plan),
        this_minute: [("live", taken(Mode::Live)), ("test", taken(Mode::Test))],
        chart: Chart::new(&days),
        days,
        endpoints: by_endpoint(routes),
        by_mode: by_mode(&by_key),
        by_key: count_by_key(&by_key, &keys),
        filter,
    };
    page(StatusCode::OK, &usage_page)
}

/// Returns the name of a key in the statistics.
fn name(key: &Key) -> String {
    let shown = format!("{}…{}", key.prefix, key.last_four);
    key.label.as_ref().map_or(shown.clone(), |label| format!("{label} ({shown})"))
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
    let mut routes: BTreeMap<String, (RequestCounts, Vec<(u8, u64)>)> = BTreeMap::new();
    for sum in sums {
        let (counts, latencies) = routes.entry(sum.route).or_default();
        counts.add(&sum.status, sum.requests);
        latencies.push((sum.latency_bucket, sum.requests));
    }
    let line = |(route, (counts, latencies)): (String, (RequestCounts, Vec<(u8, u64)>))| EndpointRow {
        route,
        counts,
        p50: milliseconds(latency::percentile(&latencies, 0.5)),
        p95: milliseconds(latency::percentile(&latencies, 0.95)),
    };
    let mut lines: Vec<_> = routes.into_iter().map(line).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.counts.total()));
    lines
}

fn count_by_key(sums: &[KeySum], keys: &[Key]) -> Vec<(String, &'static str, RequestCounts)> {
    let mut by_key: BTreeMap<(&KeyId, Mode), RequestCounts> = BTreeMap::new();
    for sum in sums {
        by_key.entry((&sum.key, sum.mode)).or_default().add(&sum.status, sum.requests);
    }
    let name_of = |id: &KeyId| keys.iter().find(|key| key.id == *id).map_or_else(|| id.to_string(), name);
    let mut lines: Vec<_> = by_key.into_iter().map(|((id, mode), counts)| (name_of(id), mode.name(), counts)).collect();
    lines.sort_by_key(|(_, _, counts)| std::cmp::Reverse(counts.total()));
    lines
}

fn by_mode(sums: &[KeySum]) -> Vec<(&'static str, RequestCounts)> {
    let counts = |mode: Mode| {
        let mut counts = RequestCounts::default();
        sums.iter().filter(|sum| sum.mode == mode).for_each(|sum| counts.add(&sum.status, sum.requests));
        (mode.name(), counts)
    };
    [Mode::Live, Mode::Test].map(counts).into()
}
