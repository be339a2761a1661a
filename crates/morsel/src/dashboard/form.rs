//! Reading a form, and saying what is wrong with it beside the field.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};

use crate::app::App;
use crate::body::Received;
use crate::error::ApiError;

/// Larger than anything that is typed into our pages; fifty aliases of 200 characters are 40 kB as they are sent.
const LARGEST: usize = 256 * 1024;
/// No page of ours has as many fields.
const MOST_FIELDS: usize = 500;

/// What was typed, by the names of the fields.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
}

/// What is wrong with a form: a sentence for each field at fault.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<(&'static str, String)>);

impl Form {
    /// A form as if this had been typed: for one that shows what is there already.
    pub fn set(&mut self, name: &str, value: String) {
        self.fields.push((name.to_owned(), value));
    }

    /// What was typed, without spaces around it; empty where nothing was.
    pub fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// What was typed to the letter: for passwords and texts of several lines.
    pub fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// All values of a field that may be there several times, as boxes to tick are.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Whether a box was ticked or a button of this name and value was used.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|given| given == value)
    }

    /// A line of at most so many characters, or `None` where nothing was typed.
    pub fn line(&self, name: &'static str, longest: usize, problems: &mut Problems) -> Option<String> {
        let text = self.text(name);
        if text.chars().count() > longest {
            problems.add(name, format!("At most {longest} characters fit here."));
        } else if text.chars().any(char::is_control) {
            problems.add(name, "Only a single line of plain text fits here.");
        }
        (!text.is_empty()).then(|| text.to_owned())
    }
}

impl Problems {
    pub fn add(&mut self, field: &'static str, sentence: impl Into<String>) {
        self.0.push((field, sentence.into()));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is wrong with a field.
    pub fn of(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(at, _)| *at == field).map(|(_, sentence)| sentence.as_str())
    }

    /// Whether this is the first field at fault, where the cursor goes.
    pub fn is_first(&self, field: &str) -> bool {
        self.0.first().is_some_and(|(first, _)| *first == field)
    }
}

impl FromRequest<Arc<App>> for Form {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if kind.is_some_and(|kind| !kind.starts_with("application/x-www-form-urlencoded")) {
            let message = "This address takes forms as browsers send them by default.";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_a_form", message));
        }
        let received = Received::read(app, request.into_body(), LARGEST).await?;
        let fields: Vec<(String, String)> =
            form_urlencoded::parse(&received.bytes).take(MOST_FIELDS + 1).map(owned).collect();
        if fields.len() > MOST_FIELDS {
            return Err(ApiError::bad_request("invalid_form", "The form has more fields than any page of ours."));
        }
        // Databases do not take it.
        if fields.iter().any(|(_, value)| value.contains('\0')) {
            return Err(ApiError::bad_request("invalid_form", "The form holds a character that cannot be stored."));
        }
        Ok(Self { fields })
    }
}

fn owned((name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)) -> (String, String) {
    (name.into_owned(), value.into_owned())
}
