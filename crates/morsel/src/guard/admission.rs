//! Refusing work that could not be done soon, before the body of its request is read: that makes a refusal cheap, and what is
//! cheap to refuse leaves the processors to those who are served.

use axum::body::HttpBody as _;
use axum::extract::Request;

use super::caller::Caller;
use crate::app::App;
use crate::error::ApiError;
use crate::request_body::UNMETERED_BYTES;
use crate::routes::{Route, Work};

/// Refuses a request for work if the account's share of the queue is taken, or if the queue is too long.
pub(super) fn check(
    app: &App,
    caller: &Caller,
    route: Option<&'static Route>,
    request: &Request,
) -> Result<(), ApiError> {
    let account = &caller.account.id;
    match route.and_then(|route| route.work) {
        Some(Work::Estimate) => {
            app.texts.check(account)?;
            // Nobody writes so much text; it must have photos.
            let is_large = request.body().size_hint().lower() > UNMETERED_BYTES as u64;
            if is_large { app.photos.check(account) } else { Ok(()) }
        }
        Some(Work::Photo) => app.photos.check(account),
        None => Ok(()),
    }
}
