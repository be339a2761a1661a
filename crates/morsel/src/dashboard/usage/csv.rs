//! Usage statistics as CSV (RFC 4180).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use store::{Key, RequestCount, latency};

use super::filter::{UsageFilter, UsageParams};
use super::request_counts::RequestCounts;
use crate::app::App;
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

const HEADER: &str =
    "day,key,label,mode,route,requests,answered,client_errors,rate_limited,server_errors,p50_ms,p95_ms";

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    PageQuery(query): PageQuery<UsageParams>,
) -> Result<Response, ApiError> {
    let filter = UsageFilter::read(&query)?;
    let keys = app.store.keys().list(&user.account.id).await?;
    filter.check(&keys)?;
    let span = filter.span(&user.account.id, app.now());
    let _permit = app.bulk.permit(&user.account.id).await?;
    let counts = app.store.usage().daily(&user.account.id, span.from, span.to).await?;
    let wanted = |count: &RequestCount| {
        filter.key.as_ref().is_none_or(|key| count.key == *key) && filter.mode.is_none_or(|mode| count.mode == mode)
    };
    let table = table(counts.into_iter().filter(wanted), &keys);
    let name = format!("attachment; filename=\"morsel-usage-{}-{}.csv\"", span.from, span.to);
    let mut response = table.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(ApiError::internal)?);
    Ok(response)
}

fn table(counts: impl Iterator<Item = RequestCount>, keys: &[Key]) -> String {
    let mut rows: BTreeMap<_, (RequestCounts, Vec<(u8, u64)>)> = BTreeMap::new();
    for count in counts {
        let (counts, latencies) = rows.entry((count.day, count.key, count.mode, count.route)).or_default();
        counts.add(&count.status, count.requests);
        latencies.push((count.latency_bucket, count.requests));
    }
    let mut table = format!("{HEADER}\r\n");
    for ((day, id, mode, route), (counts, latencies)) in rows {
        let key = keys.iter().find(|key| key.id == id);
        let shown = key.map_or_else(|| id.to_string(), |key| format!("{}…{}", key.prefix, key.last_four));
        let label = key.and_then(|key| key.label.as_deref()).unwrap_or_default();
        let [p50, p95] = [0.5, 0.95].map(|p| latency::percentile(&latencies, p).as_secs_f64() * 1e3);
        let RequestCounts { ok, client, limited, server } = counts;
        let (shown, label, route, total) = (cell(&shown), cell(label), cell(&route), counts.total());
        // Writing to a string does not fail.
        let _ = write!(
            table,
            "{day},{shown},{label},{mode},{route},{total},{ok},{client},{limited},{server},{p50},{p95}\r\n"
        );
    }
    table
}

/// Escapes a cell. Text that a spreadsheet would read as a formula is marked as text.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\r', '\n', ';']) || text.starts_with(' ') {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_escaped_and_never_formulas() {
        assert_eq!(cell("phone"), "phone");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
        for text in ["+1", "-1", "@x", "\tx"] {
            assert!(cell(text).contains('\''), "{text:?}");
        }
    }
}
