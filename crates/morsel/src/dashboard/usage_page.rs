//! How much the account is used: by day, route, key and mode, against the plan's limit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use store::usage::{DaySum, KeySum, RouteSum, Span};
use store::{AccountId, Key, KeyId, Mode, latency};

use super::chart::Chart;
use super::layout::{Layout, Section};
use super::tally::Tally;
use super::visitor::SignedIn;
use super::{filters, page};
use crate::app::App;
use crate::error::ApiError;

/// The times that can be looked at.
const DAYS: [i64; 3] = [7, 30, 90];

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    layout: Layout,
    choice: Choice,
    keys: Vec<KeyOption>,
    all: Tally,
    p50: String,
    p95: String,
    plan: &'static str,
    limit: u32,
    /// Live and test requests of this minute.
    this_minute: [(&'static str, u32); 2],
    chart: Chart,
    days: Vec<(Date, Tally)>,
    routes: Vec<RouteLine>,
    by_key: Vec<(String, &'static str, Tally)>,
    by_mode: Vec<(&'static str, Tally)>,
}

struct KeyOption {
    id: String,
    name: String,
}

struct RouteLine {
    route: String,
    tally: Tally,
    p50: String,
    p95: String,
}

/// What a person wants to see.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub days: i64,
    pub key: Option<KeyId>,
    pub mode: Option<Mode>,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    me: SignedIn,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let now = Timestamp::now();
    let choice = Choice::read(query.as_deref().unwrap_or_default())?;
    let keys = app.store.keys().list(&me.account.id).await?;
    choice.check(&keys)?;
    let span = choice.span(&me.account.id, now);
    let usage = app.store.usage();
    let (days, routes) = (usage.by_day(&span).await?, usage.by_route(&span).await?);
    let by_key = usage.by_key(&span).await?;
    let days = by_day(&span, &days);
    let used = |mode| app.windows.used(&me.account.id, mode, now);
    let latencies: Vec<_> = routes.iter().map(|sum| (sum.latency_bucket, sum.requests)).collect();
    let usage_page = UsagePage {
        layout: me.layout(Section::Usage),
        keys: keys.iter().map(|key| KeyOption { id: key.id.to_string(), name: name(key) }).collect(),
        all: days.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(tally)),
        p50: milliseconds(latency::percentile(&latencies, 0.5)),
        p95: milliseconds(latency::percentile(&latencies, 0.95)),
        plan: me.account.plan.name(),
        limit: app.config.limits.of(me.account.plan),
        this_minute: [("live", used(Mode::Live)), ("test", used(Mode::Test))],
        chart: Chart::new(&days),
        days,
        routes: by_route(routes),
        by_mode: by_mode(&by_key),
        by_key: tally_keys(&by_key, &keys),
        choice,
    };
    page(StatusCode::OK, &usage_page)
}

impl Choice {
    pub fn read(query: &str) -> Result<Self, ApiError> {
        let get = |name: &str| {
            let value = form_urlencoded::parse(query.as_bytes()).find(|(given, _)| given == name);
            value.map(|(_, value)| value.into_owned()).filter(|value| !value.is_empty())
        };
        let days = get("days").and_then(|days| days.parse().ok()).filter(|days| DAYS.contains(days));
        let key = get("key").map(|key| KeyId::parse(&key).ok_or_else(no_such_key)).transpose()?;
        let mode = get("mode").and_then(|name| [Mode::Live, Mode::Test].into_iter().find(|mode| mode.name() == name));
        Ok(Self { days: days.unwrap_or(30), key, mode })
    }

    /// Refuses a key that is none of the account's.
    pub fn check(&self, keys: &[Key]) -> Result<(), ApiError> {
        match &self.key {
            Some(id) if !keys.iter().any(|key| key.id == *id) => Err(no_such_key()),
            _ => Ok(()),
        }
    }

    pub fn span<'a>(&'a self, account: &'a AccountId, now: Timestamp) -> Span<'a> {
        let to = now.to_zoned(TimeZone::UTC).date();
        Span { account, from: to.saturating_sub((self.days - 1).days()), to, key: self.key.as_ref(), mode: self.mode }
    }

    fn is_key(&self, id: &str) -> bool {
        self.key.as_ref().is_some_and(|key| key.as_str() == id)
    }

    fn is_mode(&self, name: &str) -> bool {
        self.mode.is_some_and(|mode| mode.name() == name)
    }

    /// The same choice as an address.
    fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(format!("days={}", self.days));
        if let Some(key) = &self.key {
            query.append_pair("key", key.as_str());
        }
        if let Some(mode) = self.mode {
            query.append_pair("mode", mode.name());
        }
        query.finish()
    }
}

fn no_such_key() -> ApiError {
    ApiError::not_found("There is no such key in your account.")
}

/// What a key is called in statistics.
pub(super) fn name(key: &Key) -> String {
    let shown = format!("{}…{}", key.prefix, key.last_four);
    key.label.as_ref().map_or(shown.clone(), |label| format!("{label} ({shown})"))
}

/// "0.15 ms", "20 ms", "1.5 s".
pub(super) fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        0.0 => "–".to_owned(),
        ..1.0 => format!("{ms:.2} ms"),
        ..1_000.0 => format!("{ms} ms"),
        _ => format!("{} s", ms / 1e3),
    }
}

/// Every day of the time, also those without requests.
pub(super) fn by_day(span: &Span<'_>, sums: &[DaySum]) -> Vec<(Date, Tally)> {
    let mut days: BTreeMap<Date, Tally> = BTreeMap::new();
    let mut day = span.from;
    while day <= span.to {
        days.insert(day, Tally::default());
        day = day.saturating_add(1.day());
    }
    for sum in sums {
        days.entry(sum.day).or_default().add(&sum.status, sum.requests);
    }
    days.into_iter().collect()
}

/// The busiest route first.
fn by_route(sums: Vec<RouteSum>) -> Vec<RouteLine> {
    let mut routes: BTreeMap<String, (Tally, Vec<(u8, u64)>)> = BTreeMap::new();
    for sum in sums {
        let (tally, latencies) = routes.entry(sum.route).or_default();
        tally.add(&sum.status, sum.requests);
        latencies.push((sum.latency_bucket, sum.requests));
    }
    let line = |(route, (tally, latencies)): (String, (Tally, Vec<(u8, u64)>))| RouteLine {
        route,
        tally,
        p50: milliseconds(latency::percentile(&latencies, 0.5)),
        p95: milliseconds(latency::percentile(&latencies, 0.95)),
    };
    let mut lines: Vec<_> = routes.into_iter().map(line).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.tally.total()));
    lines
}

fn tally_keys(sums: &[KeySum], keys: &[Key]) -> Vec<(String, &'static str, Tally)> {
    let mut tallies: BTreeMap<(&KeyId, Mode), Tally> = BTreeMap::new();
    for sum in sums {
        tallies.entry((&sum.key, sum.mode)).or_default().add(&sum.status, sum.requests);
    }
    let name_of = |id: &KeyId| keys.iter().find(|key| key.id == *id).map_or_else(|| id.to_string(), name);
    let mut lines: Vec<_> = tallies.into_iter().map(|((id, mode), tally)| (name_of(id), mode.name(), tally)).collect();
    lines.sort_by_key(|(_, _, tally)| std::cmp::Reverse(tally.total()));
    lines
}

fn by_mode(sums: &[KeySum]) -> Vec<(&'static str, Tally)> {
    let tally = |mode: Mode| {
        let mut tally = Tally::default();
        sums.iter().filter(|sum| sum.mode == mode).for_each(|sum| tally.add(&sum.status, sum.requests));
        (mode.name(), tally)
    };
    [Mode::Live, Mode::Test].map(tally).into()
}
