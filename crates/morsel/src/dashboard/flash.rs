//! Flash messages: after a form is handled, the browser is redirected to a page that shows what happened, once. The
//! message travels in the URL as a code (`?flash=key-revoked`), so that a link can only show the messages below.

use axum::response::{IntoResponse, Redirect, Response};

const MESSAGES: &[(&str, &str)] = &[
    ("account-changed", "Account updated."),
    ("account-deleted", "The account and all its data were deleted."),
    (
        "key-already-created",
        "This key was already created and is in the list. Keys are shown only once; rotate it if you lost it.",
    ),
    ("key-permissions-saved", "Permissions saved. They apply from the next request on."),
    ("key-renamed", "Label saved."),
    ("key-revoked", "Key revoked. It no longer works."),
    ("log-bodies-off", "Bodies are no longer kept, and those in the log were deleted."),
    ("log-bodies-on", "The log keeps bodies from now on."),
    ("log-cleared", "The log is empty."),
    ("password-set", "Password saved. You are signed out everywhere else."),
    ("plan-changed", "Plan saved."),
    ("recipe-changed", "Recipe saved."),
    ("recipe-created", "Recipe created. Estimates use it from now on."),
    ("recipe-deleted", "Recipe deleted."),
    ("second-factor-off", "Two-factor authentication is off."),
    ("session-ended", "That browser is signed out."),
    ("sessions-ended", "You are signed out everywhere else."),
    ("sign-in-again", "This took too long. Sign in again."),
    ("signed-in", "You are signed in."),
    ("signed-out", "You are signed out."),
    ("signed-up", "Welcome! Your account is ready. Create a key to get started."),
];

/// Returns the message of a code, or `None` if the code is unknown.
pub(super) fn message(code: &str) -> Option<&'static str> {
    MESSAGES.iter().find(|(known, _)| *known == code).map(|(_, message)| *message)
}

/// Redirects to a page that shows the message of a code.
pub(super) fn redirect(path: &str, code: &'static str) -> Response {
    debug_assert!(message(code).is_some(), "{code} has no message");
    Redirect::to(&format!("{path}?flash={code}")).into_response()
}
