//! Submitted forms, and errors of their fields.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};

use crate::app::App;
use crate::error::ApiError;
use crate::request_body::RequestBody;

/// More than any form of ours: fifty aliases of 200 characters take 40 kB.
const MAX_BYTES: usize = 256 * 1024;
/// More than any form of ours has.
const MAX_FIELDS: usize = 500;

/// The submitted values, by field name.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
}

/// The errors of a form: a message for each invalid field.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<(&'static str, String)>);

impl Form {
    /// Adds a value, as if it had been submitted: for forms that show existing values.
    pub fn set(&mut self, name: &str, value: String) {
        self.fields.push((name.to_owned(), value));
    }

    /// Returns a value without surrounding spaces; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// Returns a value exactly as submitted: for passwords and text of several lines.
    pub fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// Returns all values of a field that may occur several times, such as checkboxes.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Whether a checkbox was checked or a button with this name and value was used.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|given| given == value)
    }

    /// Returns all names and values, in the order in which they were submitted.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns a single line of limited length, or `None` if it is empty.
    pub fn line(&self, name: &'static str, max_length: usize, problems: &mut Problems) -> Option<String> {
        let text = self.text(name);
        if text.chars().count() > max_length {
            problems.add(name, format!("Use at most {max_length} characters."));
        } else if text.chars().any(char::is_control) {
            problems.add(name, "Use a single line of plain text.");
        }
        (!text.is_empty()).then(|| text.to_owned())
    }
}

impl Problems {
    pub fn add(&mut self, field: &'static str, message: impl Into<String>) {
        self.0.push((field, message.into()));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the error of a field.
    pub fn of(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(at, _)| *at == field).map(|(_, message)| message.as_str())
    }

    /// Whether this is the first field with an error, where the cursor goes.
    pub fn is_first(&self, field: &str) -> bool {
        self.0.first().is_some_and(|(first, _)| *first == field)
    }
}

impl FromRequest<Arc<App>> for Form {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if kind.is_some_and(|kind| !kind.starts_with("application/x-www-form-urlencoded")) {
            let message = "Send the form as application/x-www-form-urlencoded.";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_a_form", message));
        }
        let received = RequestBody::read(app, None, request.into_body(), MAX_BYTES).await?;
        let fields: Vec<(String, String)> =
            form_urlencoded::parse(&received.bytes).take(MAX_FIELDS + 1).map(owned).collect();
        if fields.len() > MAX_FIELDS {
            return Err(ApiError::bad_request("invalid_form", "The form has too many fields."));
        }
        // PostgreSQL cannot store it.
        if fields.iter().any(|(_, value)| value.contains('\0')) {
            return Err(ApiError::bad_request(
                "invalid_form",
                "The form contains a NUL character, which cannot be stored.",
            ));
        }
        Ok(Self { fields })
    }
}

fn owned((name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)) -> (String, String) {
    (name.into_owned(), value.into_owned())
}
