//! The page that shows a new key, once.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use store::{KeyText, Mode, Scope};

use crate::dashboard::human_time::HumanTime;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

#[derive(Template)]
#[template(path = "keys/key_shown.html")]
struct KeyShownPage {
    layout: Layout,
    key: String,
    label: String,
    base: String,
    is_live: bool,
    may_estimate: bool,
    may_search: bool,
    expires: Option<HumanTime>,
    /// How long the old key of a rotation still works.
    old_ends: Option<HumanTime>,
}

/// Shows a new key. This is the only response that contains it.
pub(crate) fn show_key(
    user: &SignedIn,
    key: &store::Key,
    text: &KeyText,
    old_ends: Option<Timestamp>,
) -> Result<Response, ApiError> {
    let shown = KeyShownPage {
        layout: user.layout(Section::Keys),
        key: text.as_str().to_owned(),
        label: key.label.clone().unwrap_or_default(),
        base: user.base.0.clone(),
        is_live: key.mode == Mode::Live,
        may_estimate: key.scopes.contains(Scope::Estimate),
        may_search: key.scopes.contains(Scope::FoodsRead),
        expires: key.expires_at.map(HumanTime::exactly),
        old_ends: old_ends.map(HumanTime::exactly),
    };
    page(StatusCode::OK, &shown)
}
