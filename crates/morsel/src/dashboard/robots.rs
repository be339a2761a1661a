//! `/robots.txt`: search engines may index what visitors see, which is the home page and the documentation.

use axum::http::header;
use axum::response::IntoResponse;

const RULES: &str = "User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /assets/\nAllow: /llms.txt\nDisallow: /\n";

pub(super) async fn show() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")], RULES)
}
