//! What the request log says about a time: requests by minute or hour, errors by code, the slowest requests.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use store::usage::{RouteSum, status_class};
use store::{Account, Key, LogLine, LoggedRequest, Mode, RequestBrief, latency};

use super::chart::TimeSlot;
use super::filter::{Recent, UsageFilter};
use super::key_figures::KeyFigures;
use super::request_counts::RequestCounts;
use crate::app::App;
use crate::dashboard::log::row::LogRow;
use crate::dashboard::log::scan::{self, NEWEST};
use crate::error::ApiError;
use crate::request_log::DASHBOARD;

/// Rows of each list.
const MAX_ROWS: usize = 10;

/// The figures of a time.
#[derive(Debug, Default)]
pub(super) struct LogFigures {
    /// Errors by code, the most frequent first.
    pub codes: Vec<(String, u64)>,
    /// The slowest requests.
    pub slowest: Vec<LogRow>,
    /// Whether the log has all requests of this time.
    pub is_complete: bool,
    pub slots: Vec<TimeSlot>,
    pub routes: Vec<RouteSum>,
    pub keys: Vec<KeyFigures>,
}

/// Sums in the making.
struct Summing<'a> {
    keys: HashMap<&'a str, &'a Key>,
    filter: &'a UsageFilter,
    recent: Option<Recent>,
    start: Timestamp,
    counts: Vec<RequestCounts>,
    by_key: HashMap<String, KeyFigures>,
    /// Requests by route, then by status and latency.
    routes: HashMap<String, HashMap<(&'static str, u8), u64>>,
    codes: HashMap<String, u64>,
    /// The slowest first.
    slowest: Vec<LoggedRequest>,
}

impl LogFigures {
    /// Reads the log: of an hour or a day by slots, else only errors and the slowest since a time.
    pub async fn read(
        app: &App,
        account: &Account,
        keys: &[Key],
        filter: &UsageFilter,
        recent: Option<Recent>,
        since: Timestamp,
    ) -> Result<Self, ApiError> {
        let now = app.now();
        let start = recent.map_or(since, |recent| recent.start(now));
        let slots = recent.map_or(0, Recent::slots);
        let mut summing = Summing {
            keys: keys.iter().map(|key| (key.id.as_str(), key)).collect(),
            filter,
            recent,
            start,
            counts: vec![RequestCounts::default(); slots],
            by_key: HashMap::new(),
            routes: HashMap::new(),
            codes: HashMap::new(),
            slowest: Vec::new(),
        };
        let is_complete = scan::visit(app, account, NEWEST, (start, Timestamp::MAX), |line| {
            summing.add(line)?;
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        Ok(summing.finish(keys, is_complete))
    }
}

impl Summing<'_> {
    fn add(&mut self, line: LogLine<'_>) -> Result<(), store::Error> {
        let request = line.brief;
        let key = self.keys.get(request.key).copied();
        let mode = key.map_or(Mode::Live, |key| key.mode);
        let is_wanted = self.filter.key.as_ref().is_none_or(|key| key.as_str() == request.key)
            && self.filter.mode.is_none_or(|wanted| wanted == mode);
        // What is with no key is in no statistics.
        if !is_wanted || request.key == DASHBOARD {
            return Ok(());
        }
        if let Some(code) = request.code {
            *value_of(&mut self.codes, code, u64::default) += 1;
        }
        // Requests with a key that no longer works are refused before they are counted.
        if let Some(recent) = self.recent.filter(|_| request.status != 401) {
            self.count(request, recent, mode);
        }
        if self.slowest.len() < MAX_ROWS || self.slowest.last().is_some_and(|slow| slow.micros < request.micros) {
            let at = self.slowest.partition_point(|slow| slow.micros >= request.micros);
            self.slowest.insert(at, line.request()?);
            self.slowest.truncate(MAX_ROWS);
        }
        Ok(())
    }

    fn count(&mut self, request: RequestBrief<'_>, recent: Recent, mode: Mode) {
        let status = status_class(request.status);
        let slot = recent.slot_of(self.start, request.at);
        if let Some(counts) = self.counts.get_mut(slot) {
            counts.add(status, 1);
        }
        let bucket = latency::bucket_of(Duration::from_micros(request.micros));
        let routes = value_of(&mut self.routes, request.route.unwrap_or("other"), HashMap::new);
        *routes.entry((status, bucket)).or_default() += 1;
        let key = value_of(&mut self.by_key, request.key, || KeyFigures::new(request.key, mode, recent.slots()));
        key.counts.add(status, 1);
        if let Some(count) = key.line.get_mut(slot) {
            *count += 1;
        }
    }

    fn finish(self, keys: &[Key], is_complete: bool) -> LogFigures {
        let mut codes: Vec<_> = self.codes.into_iter().collect();
        codes.sort_unstable_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
        codes.truncate(MAX_ROWS);
        let route = |(route, sums): (String, HashMap<(&'static str, u8), u64>)| {
            sums.into_iter().map(move |((status, latency_bucket), requests)| RouteSum {
                route: route.clone(),
                status: status.to_owned(),
                latency_bucket,
                requests,
            })
        };
        let (start, filter) = (self.start, self.filter);
        let slot = |(recent, n, counts): (Recent, usize, RequestCounts)| time_slot(recent, start, n, counts, filter);
        let slots = self
            .recent
            .map(|recent| self.counts.into_iter().enumerate().map(|(n, counts)| slot((recent, n, counts))).collect());
        LogFigures {
            codes,
            slowest: self.slowest.iter().map(|request| LogRow::new(request, keys)).collect(),
            is_complete,
            slots: slots.unwrap_or_default(),
            routes: self.routes.into_iter().flat_map(route).collect(),
            keys: self.by_key.into_values().collect(),
        }
    }
}

/// Returns the value of a name, which is copied only if it is new.
fn value_of<'a, T>(map: &'a mut HashMap<String, T>, name: &str, new: impl FnOnce() -> T) -> &'a mut T {
    if !map.contains_key(name) {
        map.insert(name.to_owned(), new());
    }
    map.get_mut(name).expect("it is there by now")
}

/// Describes a slot, with a link to its requests in the log.
fn time_slot(recent: Recent, start: Timestamp, n: usize, counts: RequestCounts, filter: &UsageFilter) -> TimeSlot {
    let length = SignedDuration::from_secs(recent.slot_seconds());
    let from = start.saturating_add(length * i32::try_from(n).unwrap_or(0)).unwrap_or(start);
    let to = from.saturating_add(length).unwrap_or(from);
    let zoned = from.to_zoned(TimeZone::UTC);
    TimeSlot {
        name: zoned.strftime("%H:%M").to_string(),
        full_name: zoned.strftime("%-d %B, %H:%M UTC").to_string(),
        counts,
        href: Some(filter.log_url(from, to)),
    }
}
