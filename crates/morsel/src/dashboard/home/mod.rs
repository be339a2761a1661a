//! The home page: an overview of the account, or a welcome page for users who are not signed in.

pub(super) mod steps;
mod overview;
mod first_steps;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};

use self::overview::overview;
use super::layout::{Section, page};
use super::visitor::Visitor;
use super::welcome;
use crate::app::App;
use crate::error::ApiError;

pub(super) async fn show(State(app): State<Arc<App>>, user: Visitor, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some((_, account)) = &user.signed_in {
        let layout = user.layout(Section::Home);
        return page(StatusCode::OK, &overview(&app, layout, &user.base.0, account, None).await?);
    }
    if app.store.accounts().count().await? == 0 {
        return Ok(Redirect::to("/first-run").into_response());
    }
    welcome::show(&app, &user, &headers).await
}
