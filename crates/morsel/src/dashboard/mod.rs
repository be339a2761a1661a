//! The pages that a person sees. A session in a cookie says who is signed in; API keys do not work here, and cookies do
//! not work on the API.
//!
//! A folder for everything that a person does here: [`docs`], `sign_in`, `keys`, `usage`, `log`, `playground`, `foods`,
//! `recipes`, `account`, and `owner` for the person who runs the service. Templates are in folders of the same names.
//! What all pages share:
//!
//! - `visitor` extracts who sent the request: `Visitor` for anybody, `SignedIn`, `Owner`.
//!   `session` reads and writes the cookie.
//! - `confirm` extracts users who proved recently who they are, for dangerous steps; `proof` checks passwords and codes.
//! - `page_headers` wraps every page: it rejects forms from other sites and adds security headers. `error_page` is shown
//!   in place of an error's JSON.
//! - `layout` is what differs from page to page in `page.html`; `flash` has the messages shown after a redirect.
//! - `form` reads a form, `field` shows one with what was typed and what is wrong with it.
//! - `theme` is light, dark or automatic; `choose_theme` is its switch.
//! - `palette` finds everything for the command palette of every page.
//! - `security_event` is a row of the audit trail. `assets` are the style sheets, scripts, fonts and icons.

mod palette;
mod home;
mod welcome;
mod owner;
mod account;
mod recipes;
mod foods;
mod playground;
mod meal;
mod usage;
mod log;
mod keys;
mod sign_in;
pub mod docs;
mod confirm;
mod proof;
mod choose_theme;
mod robots;
mod visitor;
mod security_event;
mod error_page;
mod layout;
mod page_headers;
mod theme;
mod session;
mod field;
mod form;
mod query;
mod flash;
mod human_time;
mod filters;
mod assets;

use std::sync::Arc;

use axum::routing::{any, get, post};
use axum::{Extension, Router, middleware};
use serde_json::Value;

pub(crate) use error_page::write_error_page;

use crate::app::App;

/// Returns the routes of all pages. `api` has the handlers of the API, for requests that are tried in the documentation.
pub fn routes(app: &Arc<App>, document: &Value, api: Router) -> Router<Arc<App>> {
    Router::new()
        .route("/", get(home::show))
        .route("/demo", get(welcome::lead_to_page).post(welcome::demo))
        .route("/start/steps", get(home::steps::show))
        .route("/start/hide", post(home::steps::hide))
        .route("/start/key", post(home::steps::create_key))
        .merge(sign_in_routes())
        .merge(key_routes())
        .merge(log_routes())
        .merge(food_routes())
        .merge(account_routes())
        .merge(owner_routes())
        .merge(docs_routes(document, api))
        .route("/theme", post(choose_theme::choose))
        .route("/robots.txt", get(robots::show))
        .route("/assets/{hash}/{name}", get(assets::show))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), page_headers::wrap_page))
}

fn sign_in_routes() -> Router<Arc<App>> {
    use sign_in::{first_run, sign_up, with_code, with_link, with_password, with_provider};
    Router::new()
        .route("/first-run", get(first_run::show_form).post(first_run::make_owner))
        .route("/sign-up", get(sign_up::show_form).post(sign_up::sign_up))
        .route("/sign-in", get(with_password::show_form).post(with_password::sign_in))
        .route("/sign-in/code", post(with_code::sign_in))
        .route("/sign-in/oidc", get(with_provider::start))
        .route("/sign-in/oidc/return", get(with_provider::finish))
        .route("/sign-in/{token}", get(with_link::show_form).post(with_link::use_link))
        .route("/sign-out", post(with_password::sign_out))
        .route("/confirm", get(confirm::show_form).post(confirm::confirm))
}

fn key_routes() -> Router<Arc<App>> {
    use keys::{key_page, list, new_key};
    Router::new()
        .route("/keys", get(list::show))
        .route("/keys/new", get(new_key::show_form).post(new_key::create))
        .route("/keys/{id}", get(key_page::show))
        .route("/keys/{id}/label", post(key_page::rename))
        .route("/keys/{id}/rotate", post(key_page::rotate))
        .route("/keys/{id}/revoke", get(key_page::confirm_revoke).post(key_page::revoke))
        .route("/keys/{id}/permissions", post(key_page::restrict))
        .route("/usage", get(usage::page::show))
        .route("/usage.csv", get(usage::csv::show))
}

fn log_routes() -> Router<Arc<App>> {
    use log::{list, live, request_page, settings};
    Router::new()
        .route("/log", get(list::show))
        .route("/log/events", get(live::events))
        .route("/log/bodies", post(settings::set_bodies))
        .route("/log/clear", post(settings::clear))
        .route("/log/{id}", get(request_page::show))
}

fn food_routes() -> Router<Arc<App>> {
    use recipes::{edit, list};
    Router::new()
        .route("/playground", get(playground::page::show).post(playground::page::answer))
        .route("/playground/estimate", post(playground::live::estimate))
        .route("/playground/photo", post(playground::live::photo))
        .route("/foods", get(foods::search::show))
        .route("/foods/{id}", get(foods::food_page::show))
        .route("/recipes", get(list::show).post(edit::create))
        .route("/recipes/new", get(edit::show_form))
        .route("/recipes/{id}", get(edit::show_recipe).post(edit::update))
        .route("/recipes/{id}/delete", post(edit::delete))
}

fn account_routes() -> Router<Arc<App>> {
    use account::{delete, export, page, second_factor};
    Router::new()
        .route("/account", get(page::show))
        .route("/account/password", post(page::set_password))
        .route("/account/sessions/{id}/end", post(page::end_session))
        .route("/account/sessions/end-others", post(page::end_other_sessions))
        .route("/account/second-factor", get(second_factor::show).post(second_factor::turn_on))
        .route("/account/second-factor/codes", post(second_factor::replace_codes))
        .route("/account/second-factor/off", post(second_factor::turn_off))
        .route("/account/export", get(export::show))
        .route("/account/delete", get(delete::show_form).post(delete::delete))
}

fn owner_routes() -> Router<Arc<App>> {
    use owner::{account, accounts, audit, health, plans};
    Router::new()
        .route("/owner", get(health::show))
        .route("/owner/audit", get(audit::show))
        .route("/owner/plans", get(plans::show))
        .route("/owner/plans/{plan}", post(plans::save))
        .route("/owner/accounts", get(accounts::show).post(accounts::create))
        .route("/owner/accounts/{id}", get(account::show))
        .route("/owner/accounts/{id}/plan", post(account::set_plan))
        .route("/owner/accounts/{id}/disabled", post(account::set_disabled))
        .route("/owner/accounts/{id}/owner", post(account::set_owner))
        .route("/owner/accounts/{id}/link", post(account::make_link))
        .route("/owner/accounts/{id}/second-factor", post(account::reset_second_factor))
        .route("/owner/accounts/{id}/delete", post(account::delete))
}

fn docs_routes(document: &Value, api: Router) -> Router<Arc<App>> {
    use docs::accuracy::{self, Accuracy};
    use docs::pages::{self, Docs};
    use docs::try_it::{self, ApiHandlers};
    Router::new()
        .route("/docs", get(pages::show_guide))
        .route("/docs/reference", get(pages::show_reference))
        .route("/docs/reference/{id}", get(pages::show_endpoint).post(pages::try_endpoint))
        .route("/docs/errors", get(pages::show_errors))
        .route("/docs/errors/{code}", get(pages::show_error))
        .route("/docs/search", get(pages::show_search))
        .route("/docs/try/{*path}", any(try_it::pass_on))
        .route("/palette", get(palette::find))
        .route("/docs.md", get(pages::markdown))
        .route("/llms.txt", get(pages::for_language_models))
        .route("/docs/accuracy", get(accuracy::show))
        .layer(Extension(Arc::new(Accuracy::default())))
        .layer(Extension(Arc::new(Docs::new(document))))
        .layer(Extension(ApiHandlers(api)))
}
