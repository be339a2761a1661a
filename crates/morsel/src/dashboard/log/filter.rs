//! Which requests of the log a page is about.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use store::usage::status_class;
use store::{KeyId, RequestBrief};

use crate::request_log::DASHBOARD;
use crate::routes;

/// The outcomes to choose from: name and label.
pub(crate) const OUTCOMES: [(&str, &str); 5] = [
    ("2xx", "Successful"),
    ("errors", "All errors"),
    ("4xx", "Client errors"),
    ("429", "Rate limited"),
    ("5xx", "Server errors"),
];

/// The periods to choose from: name, label and hours.
pub(crate) const PERIODS: [(&str, &str, i64); 3] =
    [("1h", "Last hour", 1), ("24h", "Last 24 hours", 24), ("7d", "Last 7 days", 7 * 24)];

/// The longest code of an error to look for.
const MAX_CODE: usize = 60;
/// The longest id of a request to look for, as long as those that clients may choose.
const MAX_ID: usize = 128;

/// The query string of the log.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LogParams {
    /// The id of a request.
    id: String,
    status: String,
    route: String,
    key: String,
    code: String,
    since: String,
    from: String,
    to: String,
    page: String,
}

/// The filter of the log. What is unknown or malformed matches everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogFilter {
    pub outcome: Option<&'static str>,
    pub route: Option<&'static str>,
    /// The id of a key, or what the log has in place of it.
    pub key: Option<String>,
    pub code: String,
    pub period: Option<&'static str>,
    /// The first moment.
    pub from: Option<Timestamp>,
    /// The moment after the last.
    pub to: Option<Timestamp>,
    pub page: u64,
}

impl LogParams {
    /// Returns the id of the request that is looked for, without what was copied along with it.
    pub fn id(&self) -> Option<String> {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let id: String = self.id.chars().filter(is_plain).take(MAX_ID).collect();
        (!id.is_empty()).then_some(id)
    }

    /// Reads the filter.
    pub fn filter(&self) -> LogFilter {
        let time = |text: &str| text.trim().parse::<Timestamp>().ok();
        LogFilter {
            outcome: OUTCOMES.iter().map(|(name, _)| *name).find(|name| *name == self.status),
            route: routes::all().map(|route| route.name).find(|name| *name == self.route),
            key: Some(self.key.trim())
                .filter(|key| *key == DASHBOARD || KeyId::parse(key).is_some())
                .map(str::to_owned),
            code: self.code.trim().chars().filter(char::is_ascii_graphic).take(MAX_CODE).collect(),
            period: PERIODS.iter().map(|(name, _, _)| *name).find(|name| *name == self.since),
            from: time(&self.from),
            to: time(&self.to),
            page: self.page.parse().unwrap_or(1).clamp(1, 1_000_000),
        }
    }
}

impl LogFilter {
    /// Reports whether the filter leaves anything out.
    pub fn is_filtered(&self) -> bool {
        self.outcome.is_some()
            || self.route.is_some()
            || self.key.is_some()
            || !self.code.is_empty()
            || self.has_times()
    }

    /// Reports whether the filter is about a time.
    pub fn has_times(&self) -> bool {
        self.period.is_some() || self.from.is_some() || self.to.is_some()
    }

    /// Returns the first moment and the last that the filter matches.
    pub fn times(&self, now: Timestamp) -> (Timestamp, Timestamp) {
        let hours = PERIODS.iter().find(|(name, _, _)| Some(*name) == self.period).map(|(_, _, hours)| *hours);
        let since = hours.and_then(|hours| now.saturating_sub(SignedDuration::from_hours(hours)).ok());
        let from = self.from.into_iter().chain(since).max().unwrap_or(Timestamp::MIN);
        let to = self.to.and_then(|to| to.checked_sub(SignedDuration::from_micros(1)).ok()).unwrap_or(Timestamp::MAX);
        (from, to)
    }

    /// Reports whether a request matches, apart from its time.
    pub fn matches(&self, request: RequestBrief<'_>) -> bool {
        let class = status_class(request.status);
        let is_outcome = |wanted| match wanted {
            "errors" => request.status >= 400,
            "2xx" => matches!(class, "2xx" | "3xx"),
            wanted => class == wanted,
        };
        self.outcome.is_none_or(is_outcome)
            && self.route.is_none_or(|route| request.route == Some(route))
            && self.key.as_ref().is_none_or(|key| request.key == key)
            && (self.code.is_empty() || request.code == Some(self.code.as_str()))
    }

    pub fn is_outcome(&self, name: &str) -> bool {
        self.outcome == Some(name)
    }

    pub fn is_route(&self, name: &str) -> bool {
        self.route == Some(name)
    }

    pub fn is_key(&self, id: &str) -> bool {
        self.key.as_deref() == Some(id)
    }

    pub fn is_period(&self, name: &str) -> bool {
        self.period == Some(name)
    }

    /// Returns the URL of a page of the log with this filter.
    pub fn url(&self, page: u64) -> String {
        format!("/log?{}", self.query(page))
    }

    /// Returns the filter as a query string.
    pub fn query(&self, page: u64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let times = [self.from, self.to].map(|time| time.map(|time| time.to_string()));
        let parts = [
            ("status", self.outcome),
            ("route", self.route),
            ("key", self.key.as_deref()),
            ("code", Some(self.code.as_str())),
            ("since", self.period),
            ("from", times[0].as_deref()),
            ("to", times[1].as_deref()),
        ];
        for (name, value) in parts {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                query.append_pair(name, value);
            }
        }
        if page > 1 {
            query.append_pair("page", &page.to_string());
        }
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(query: &str) -> LogParams {
        let pairs: std::collections::HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let text = |name: &str| pairs.get(name).cloned().unwrap_or_default();
        LogParams {
            id: text("id"),
            status: text("status"),
            route: text("route"),
            key: text("key"),
            code: text("code"),
            since: text("since"),
            from: text("from"),
            to: text("to"),
            page: text("page"),
        }
    }

    #[test]
    fn a_filter_survives_its_own_url_and_nonsense_is_ignored() {
        let query = "status=errors&route=POST+%2Fv1%2Festimate&key=key_0123456789012345678901&code=invalid_request&\
                     since=1h&from=2026-11-17T00%3A00%3A00Z&to=2026-11-17T01%3A00%3A00Z&page=3";
        let filter = params(query).filter();
        assert!(filter.is_filtered() && filter.has_times());
        assert_eq!(filter.query(3), query);
        let nonsense = params("status=9xx&route=GET+/nowhere&key=mine&since=ever&from=noon&page=-1").filter();
        assert!(!nonsense.is_filtered());
        assert_eq!((nonsense.page, nonsense.query(1)), (1, String::new()));
        assert_eq!(params("id=+“req_1a-b.C” ").id().as_deref(), Some("req_1a-b.C"));
        assert_eq!(params("id=++").id(), None);
        assert_eq!(params("key=dashboard").filter().query(1), "key=dashboard");
    }

    #[test]
    fn times_are_the_narrowest_that_were_given() {
        let now: Timestamp = "2026-11-17T12:00:00Z".parse().expect("a time");
        let times = |query: &str| params(query).filter().times(now);
        assert_eq!(times(""), (Timestamp::MIN, Timestamp::MAX));
        assert_eq!(times("since=1h").0.to_string(), "2026-11-17T11:00:00Z");
        assert_eq!(times("since=1h&from=2026-11-17T11:30:00Z").0.to_string(), "2026-11-17T11:30:00Z");
        assert_eq!(times("to=2026-11-17T11:30:00Z").1.to_string(), "2026-11-17T11:29:59.999999Z");
    }
}
