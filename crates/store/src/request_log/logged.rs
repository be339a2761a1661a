//! A request as the log keeps it.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A request that was answered. Stored as a line of JSON with short names: a log has many of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedRequest {
    /// When the response began.
    #[serde(rename = "t", with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub at: Timestamp,
    /// The id, as in the header X-Request-Id. Clients may choose it, so that it need not be unique.
    #[serde(rename = "i")]
    pub id: String,
    /// The id of the key.
    #[serde(rename = "k")]
    pub key: String,
    /// The HTTP method.
    #[serde(rename = "m")]
    pub method: String,
    /// The route, such as `POST /v1/estimate`; `None` if the URL is none of the API's.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The path, if it is not that of the route.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The status of the response.
    #[serde(rename = "s")]
    pub status: u16,
    /// Microseconds until the response began.
    #[serde(rename = "u")]
    pub micros: u64,
    /// The address of the client.
    #[serde(rename = "a")]
    pub address: String,
    /// The code of the error.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The field or parameter at fault.
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
}

/// What filters and statistics need of every request. Reading it from a block copies nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct RequestBrief<'a> {
    /// When the response began.
    #[serde(rename = "t", with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub at: Timestamp,
    /// The id of the key.
    #[serde(rename = "k")]
    pub key: &'a str,
    /// The route, as in [`LoggedRequest`].
    #[serde(rename = "r", borrow, default)]
    pub route: Option<&'a str>,
    /// The status of the response.
    #[serde(rename = "s")]
    pub status: u16,
    /// Microseconds until the response began.
    #[serde(rename = "u")]
    pub micros: u64,
    /// The code of the error.
    #[serde(rename = "c", borrow, default)]
    pub code: Option<&'a str>,
}

/// A request of a block.
#[derive(Debug, Clone, Copy)]
pub struct LogLine<'a> {
    /// What most readers need.
    pub brief: RequestBrief<'a>,
    text: &'a str,
}

/// What was sent and returned, as far as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBodies {
    /// The query string.
    #[serde(rename = "q", default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The body of the request.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The body of the response.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
}

/// The bodies of a request in the log.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BodiesLine {
    #[serde(rename = "i")]
    pub id: String,
    #[serde(flatten)]
    pub bodies: KeptBodies,
}

impl LoggedRequest {
    /// Returns the latency.
    pub fn took(&self) -> Duration {
        Duration::from_micros(self.micros)
    }

    /// Returns what filters need.
    pub fn brief(&self) -> RequestBrief<'_> {
        RequestBrief {
            at: self.at,
            key: &self.key,
            route: self.route.as_deref(),
            status: self.status,
            micros: self.micros,
            code: self.code.as_deref(),
        }
    }

    /// Returns the path of the request.
    pub fn shown_path(&self) -> &str {
        let of_route = || self.route.as_deref().and_then(|route| route.split_once(' ')).map(|(_, path)| path);
        self.path.as_deref().or_else(of_route).unwrap_or("/")
    }
}

impl<'a> LogLine<'a> {
    /// Reads what filters need.
    pub(super) fn read(text: &'a str) -> Result<Self, Error> {
        Ok(Self { brief: line(text)?, text })
    }

    /// Reads the whole request.
    pub fn request(self) -> Result<LoggedRequest, Error> {
        line(self.text)
    }
}

/// Reads lines of JSON.
pub(super) fn lines<T: for<'a> Deserialize<'a>>(content: &str) -> Result<Vec<T>, Error> {
    content.lines().map(line).collect()
}

fn line<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Corrupt(format!("a line of the log: {error}")))
}

/// Adds a line of JSON; returns its length.
pub(super) fn add_line(content: &mut String, value: &impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(value).map_err(|error| Error::Corrupt(error.to_string()))?;
    content.push_str(&line);
    content.push('\n');
    Ok(())
}
