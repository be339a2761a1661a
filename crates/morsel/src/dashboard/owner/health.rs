//! The state of the service: how busy it is, what it takes, what is wrong.

use std::sync::Arc;
use std::time::{Duration, Instant};

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::figures::Figures;

use super::system;
use crate::app::App;
use crate::config::Signup;
use crate::dashboard::assets::{Asset, LIVE_SCRIPT, LOG_STYLE};
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::log::row::latency;
use crate::dashboard::usage::chart::{Chart, TimeSlot};
use crate::dashboard::usage::request_counts::RequestCounts;
use crate::dashboard::visitor::Owner;
use crate::error::ApiError;
use crate::metrics::MetricsTotals;
use crate::work_queue::WorkQueue;

/// Accounts in the list of the largest.
const MAX_ACCOUNTS: u64 = 5;
/// A disk with a smaller share of free space is a problem.
const MIN_FREE_SHARE: f64 = 0.05;
/// Free bytes of the disk of which nobody needs to be warned.
const ENOUGH_FREE: u64 = 5_000_000_000;
/// A larger share of server errors in the last minute is a problem.
const MAX_ERROR_SHARE: f64 = 0.01;

#[derive(Template)]
#[template(path = "owner/health.html")]
struct HealthPage {
    layout: Layout,
    style: Asset,
    script: Asset,
    /// What is wrong, each in a sentence.
    problems: Vec<String>,
    per_second: String,
    p50: String,
    p95: String,
    errors: RequestCounts,
    chart: Chart,
    memory: Option<u64>,
    /// Free bytes and all bytes of the disk of the data directory.
    disk: Option<(u64, u64)>,
    /// How long a write to the database took.
    write: Option<String>,
    streams: usize,
    body_bytes: u64,
    log_waiting: usize,
    log_dropped: u64,
    largest: Vec<(String, String, &'static str, u64)>,
    version: &'static str,
    engine: String,
    uptime: String,
    figures: Figures,
    queues: [QueueRow; 3],
    is_open: bool,
    foods: usize,
    layers: Vec<CatalogLayerRow>,
}

struct QueueRow {
    name: &'static str,
    /// Jobs that run or wait.
    jobs: usize,
    /// Jobs that were refused since the start.
    refused: u64,
}

struct CatalogLayerRow {
    name: &'static str,
    foods: u32,
    sources: Vec<CatalogSourceRow>,
}

struct CatalogSourceRow {
    name: String,
    publisher: String,
    foods: u64,
}

pub(crate) async fn show(State(app): State<Arc<App>>, Owner(user): Owner) -> Result<Response, ApiError> {
    let now = app.now();
    let snapshot = app.engine.snapshot();
    let figures = app.store.figures().await?;
    let traffic = app.traffic.now(&app.metrics, now);
    let disk = system::disk(&app.config.storage.data_dir());
    let (written, write) = write(&app, now).await;
    let busiest = app.store.directory().busiest(now.to_zoned(TimeZone::UTC).date(), MAX_ACCOUNTS).await?;
    let layer = |(n, layer): (usize, &foods::catalog::Layer)| CatalogLayerRow {
        name: if n == 0 { "Built in" } else { "Imported" },
        foods: layer.len(),
        sources: layer.manifest().sources.iter().map(CatalogSourceRow::from).collect(),
    };
    let health = HealthPage {
        layout: user.layout(Section::Owner),
        style: LOG_STYLE,
        script: LIVE_SCRIPT,
        problems: problems(&app, &traffic.totals, disk, written.err()),
        per_second: format!("{:.1}", traffic.per_second()),
        p50: percentile(&traffic.totals, 0.5),
        p95: percentile(&traffic.totals, 0.95),
        errors: counts(&traffic.totals),
        chart: chart(&app, now),
        memory: system::memory(),
        disk,
        write,
        streams: app.streams.held(),
        body_bytes: app.memory.held() as u64,
        log_waiting: app.request_log.waiting(),
        log_dropped: app.request_log.dropped(),
        largest: busiest
            .into_iter()
            .map(|(account, count)| (account.id.to_string(), account.email.to_string(), account.plan.name(), count))
            .collect(),
        version: env!("CARGO_PKG_VERSION"),
        engine: snapshot.version.to_string(),
        uptime: duration(app.started.elapsed()),
        figures,
        queues: [
            QueueRow::new("Estimates", &app.texts),
            QueueRow::new("Photo analyses", &app.photos),
            QueueRow::new("Bulk work", &app.bulk),
        ],
        is_open: app.config.signup == Signup::Open,
        foods: snapshot.catalog.len(),
        layers: snapshot.catalog.layers().iter().enumerate().map(layer).collect(),
    };
    page(StatusCode::OK, &health)
}

impl QueueRow {
    fn new(name: &'static str, queue: &WorkQueue) -> Self {
        Self { name, jobs: queue.jobs(), refused: queue.refused().map(|(_, count)| count).sum() }
    }
}

/// Writes to the database, and measures how long that takes.
async fn write(app: &App, now: Timestamp) -> (Result<(), store::Error>, Option<String>) {
    let started = Instant::now();
    let written = app.store.check(now).await;
    let took = written.is_ok().then(|| latency(started.elapsed()));
    (written, took)
}

/// Returns whether a disk needs room: both a small share of it and few bytes are free, because a twentieth of a large disk is
/// plenty for the data.
fn is_almost_full((free, size): (u64, u64)) -> bool {
    free < ENOUGH_FREE && (free as f64) < size as f64 * MIN_FREE_SHARE
}

/// Returns what is wrong.
fn problems(
    app: &App,
    totals: &MetricsTotals,
    disk: Option<(u64, u64)>,
    database: Option<store::Error>,
) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(error) = database {
        problems.push(format!("The database cannot be written: {error}."));
    }
    if disk.is_some_and(is_almost_full) {
        problems.push("The disk of the data directory is almost full.".to_owned());
    }
    let [.., errors, refused] = totals.classes;
    if errors as f64 > totals.requests() as f64 * MAX_ERROR_SHARE {
        problems.push(format!("{errors} requests failed in the last minute. The log of the server says why."));
    }
    if refused > 0 {
        problems.push(format!("{refused} requests were refused in the last minute, because there was too much to do."));
    }
    if app.request_log.dropped() > 0 {
        problems.push("Requests are missing in the request log, because they could not be written in time.".to_owned());
    }
    if let Some(problem) = app.engine.problem() {
        problems.push(format!("The imported foods cannot be read. {problem}"));
    }
    problems
}

/// Formats the latency that a share of the requests did not exceed; a dash without requests.
fn percentile(totals: &MetricsTotals, p: f64) -> String {
    if totals.requests() == 0 { "–".to_owned() } else { latency(totals.percentile(p)) }
}

fn counts(totals: &MetricsTotals) -> RequestCounts {
    let [ok, other, client, limited, server, refused] = totals.classes;
    RequestCounts { ok: ok + other, client, limited, server: server + refused }
}

/// Draws the last hour by the minute.
fn chart(app: &App, now: Timestamp) -> Chart {
    let slot = |(at, totals): &(Timestamp, MetricsTotals)| {
        let zoned = at.to_zoned(TimeZone::UTC);
        TimeSlot {
            name: zoned.strftime("%H:%M").to_string(),
            full_name: zoned.strftime("%H:%M UTC").to_string(),
            counts: counts(totals),
            href: None,
        }
    };
    let slots: Vec<TimeSlot> = app.traffic.by_minute(&app.metrics, now).iter().map(slot).collect();
    Chart::of("Requests by minute", "minute", &slots)
}

impl HealthPage {
    /// Returns how full the disk is, in percent.
    fn disk_used(&self) -> u64 {
        self.disk.map_or(0, |(free, size)| 100 - (free * 100).checked_div(size).unwrap_or(100))
    }
}

impl From<&foods::catalog::ManifestSource> for CatalogSourceRow {
    fn from(source: &foods::catalog::ManifestSource) -> Self {
        Self { name: source.name.clone(), publisher: source.publisher.clone(), foods: source.foods }
    }
}

/// Formats a duration: "3 d 4 h", "12 min".
fn duration(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    match minutes {
        0 => format!("{} s", time.as_secs()),
        1..60 => format!("{minutes} min"),
        60..1_440 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", minutes / 1_440, minutes % 1_440 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let times = [5, 90, 3_700, 100_000].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(times, ["5 s", "1 min", "1 h 1 min", "1 d 3 h"]);
    }

    #[test]
    fn disks_with_little_room_are_almost_full() {
        let gigabytes = |free: u64, size: u64| (free * 1_000_000_000, size * 1_000_000_000);
        let disks = [gigabytes(13, 270), gigabytes(4, 270), gigabytes(4, 20), gigabytes(0, 20)];
        assert_eq!(disks.map(is_almost_full), [false, true, false, true]);
    }
}
