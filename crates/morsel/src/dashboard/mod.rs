//! The pages that a person sees. What a person may do is told by a session in a cookie; API keys do not work here, and
//! cookies do not work on the API.
//!
//! A page is one file here and its template of the same name. What all pages share:
//!
//! - `frame` stands around every page: forms of other sites are refused, every answer gets the headers that protect it.
//!   `error_page` is what a person sees instead of an error's JSON.
//! - `visitor` says who asks: `Visitor` anybody, `SignedIn` somebody with an account, `Owner` whoever runs the service.
//!   `session` has the cookie.
//! - `layout` is the part of `page.html` that differs from page to page, `done` the sentence after something was done.
//! - `form` reads a form, `field` shows one with what was typed and what is wrong with it.
//! - `assets` are the style and the scripts.
//!
//! [`docs`] is for everybody, signed in or not.

mod account;
mod assets;
mod browser;
mod chart;
mod delete_account;
pub mod docs;
mod done;
mod error_page;
mod export;
mod field;
mod filters;
mod first_run;
mod foods;
mod form;
mod frame;
mod home;
mod key;
mod keys;
mod layout;
mod new_key;
mod owner_account;
mod owner_accounts;
mod owner_health;
mod password;
mod playground;
mod recipes;
mod session;
mod sign_in;
mod sign_in_link;
mod sign_up;
mod tally;
mod tries;
mod usage_csv;
mod usage_page;
mod visitor;
mod when;

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use utoipa::openapi::OpenApi;

pub(crate) use error_page::{error_page, wants_page};
pub use password::Passwords;
pub use tries::Tries;

use crate::app::App;
use crate::error::ApiError;

/// The addresses of the pages.
pub fn routes(app: &Arc<App>, document: &OpenApi) -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home::show))
        .route("/first-run", get(first_run::ask).post(first_run::make_owner))
        .route("/sign-up", get(sign_up::ask).post(sign_up::sign_up))
        .route("/sign-in", get(sign_in::ask).post(sign_in::sign_in))
        .route("/sign-in/{token}", get(sign_in_link::ask).post(sign_in_link::use_link))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/keys", get(keys::show))
        .route("/keys/new", get(new_key::ask).post(new_key::create))
        .route("/keys/{id}", get(key::show))
        .route("/keys/{id}/label", post(key::rename))
        .route("/keys/{id}/roll", post(key::roll))
        .route("/keys/{id}/revoke", get(key::ask_to_revoke).post(key::revoke))
        .route("/usage", get(usage_page::show))
        .route("/usage.csv", get(usage_csv::show))
        .route("/account", get(account::show))
        .route("/account/password", post(account::set_password))
        .route("/account/sessions/{id}/end", post(account::end_session))
        .route("/account/sessions/end-others", post(account::end_other_sessions))
        .route("/account/export", get(export::show))
        .route("/account/delete", get(delete_account::ask).post(delete_account::delete))
        .route("/owner", get(owner_health::show))
        .route("/owner/accounts", get(owner_accounts::show).post(owner_accounts::create))
        .route("/owner/accounts/{id}", get(owner_account::show))
        .route("/owner/accounts/{id}/plan", post(owner_account::set_plan))
        .route("/owner/accounts/{id}/disabled", post(owner_account::set_disabled))
        .route("/owner/accounts/{id}/owner", post(owner_account::set_owner))
        .route("/owner/accounts/{id}/link", post(owner_account::make_link))
        .route("/owner/accounts/{id}/delete", post(owner_account::delete))
        .route("/assets/{hash}/{name}", get(assets::show))
        .merge(playground::routes())
        .merge(foods::routes())
        .merge(recipes::routes())
        .merge(docs::routes(document))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), frame::frame))
}

/// A page.
fn page(status: StatusCode, template: &impl Template) -> Result<Response, ApiError> {
    let html = template.render().map_err(ApiError::internal)?;
    Ok((status, Html(html)).into_response())
}
