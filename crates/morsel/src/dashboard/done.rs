//! After a form was handled, the browser is sent to a page that says so. What was done travels in the address as a code
//! (`?done=key-revoked`); only the sentences below can ever be shown.

use axum::response::{IntoResponse, Redirect, Response};

const SENTENCES: &[(&str, &str)] = &[
    ("account-changed", "The account was changed."),
    ("account-deleted", "The account and everything it held are gone."),
    (
        "key-made-before",
        "That key was made before and is in the list. A key is shown only once; roll it if you lost it.",
    ),
    ("key-renamed", "The label was changed."),
    ("key-revoked", "The key was revoked. It does not work any more."),
    ("password-set", "The password is set. You are signed out everywhere else."),
    ("recipe-changed", "The recipe is changed."),
    ("recipe-created", "The recipe is saved. Estimates use it from now on."),
    ("recipe-deleted", "The recipe is deleted."),
    ("session-ended", "That browser is signed out."),
    ("sessions-ended", "You are signed out everywhere else."),
    ("signed-in", "You are signed in."),
    ("signed-out", "You are signed out."),
    ("signed-up", "Welcome. Your account is ready; make a key to start."),
];

/// The sentence of a code.
pub(super) fn sentence(code: &str) -> Option<&'static str> {
    SENTENCES.iter().find(|(known, _)| *known == code).map(|(_, sentence)| *sentence)
}

/// Sends the browser on to a page, with the sentence of a code.
pub(super) fn done(path: &str, code: &'static str) -> Response {
    debug_assert!(sentence(code).is_some(), "{code} has no sentence");
    Redirect::to(&format!("{path}?done={code}")).into_response()
}
