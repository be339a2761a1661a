//! What an account decides about its log: whether bodies are kept, and that it be emptied.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use store::{AuditEvent, AuditKind};

use crate::app::App;
use crate::dashboard::confirm::ConfirmedForm;
use crate::dashboard::flash;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// Turns on or off that bodies are kept. Those that were kept are deleted when it is turned off.
pub(crate) async fn set_bodies(
    State(app): State<Arc<App>>,
    ConfirmedForm(user, form): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    let keeps = form.has("bodies", "yes");
    app.store.accounts().set_keeps_bodies(&user.account.id, keeps).await?;
    if !keeps {
        // What is on its way was sent before.
        app.request_log.flush(&app.store, &app.limits, app.now()).await?;
        app.store.request_log().clear_bodies(&user.account.id).await?;
    }
    record(&app, &user, if keeps { "bodies kept" } else { "bodies not kept" });
    Ok(flash::redirect("/log", if keeps { "log-bodies-on" } else { "log-bodies-off" }))
}

/// Empties the log.
pub(crate) async fn clear(
    State(app): State<Arc<App>>,
    ConfirmedForm(user, _): ConfirmedForm<SignedIn>,
) -> Result<Response, ApiError> {
    app.request_log.flush(&app.store, &app.limits, app.now()).await?;
    app.store.request_log().clear(&user.account.id).await?;
    record(&app, &user, "emptied");
    Ok(flash::redirect("/log", "log-cleared"))
}

fn record(app: &App, user: &SignedIn, detail: &str) {
    let event = AuditEvent::new(AuditKind::RequestLogChanged, app.now()).of(&user.account.id).from(user.from);
    app.trail.record(event.detail(detail));
}
