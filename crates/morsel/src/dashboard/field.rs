//! A form field as it is rendered: label, hint, value and error.

use askama::Template;
use askama::filters::HtmlSafe;

use super::form::{Form, Problems};

/// An input field. Its template escapes its content, so other templates do not need to.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "field.html")]
pub(super) struct Field {
    name: &'static str,
    label: &'static str,
    kind: FieldKind,
    hint: Option<String>,
    autocomplete: Option<&'static str>,
    placeholder: Option<&'static str>,
    max_length: Option<usize>,
    is_required: bool,
    value: String,
    error: Option<String>,
    has_focus: bool,
}

/// The type of an input field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FieldKind {
    #[default]
    Text,
    Email,
    Password,
    Number,
    Date,
    Search,
    /// Several lines.
    Lines,
}

impl FieldKind {
    fn name(self) -> &'static str {
        match self {
            Self::Text | Self::Lines => "text",
            Self::Email => "email",
            Self::Password => "password",
            Self::Number => "number",
            Self::Date => "date",
            Self::Search => "search",
        }
    }
}

impl HtmlSafe for Field {}

impl Field {
    pub fn new(kind: FieldKind, name: &'static str, label: &'static str) -> Self {
        Self { name, label, kind, ..Self::default() }
    }

    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    #[must_use]
    pub fn autocomplete(self, what: &'static str) -> Self {
        Self { autocomplete: Some(what), ..self }
    }

    #[must_use]
    pub fn placeholder(self, example: &'static str) -> Self {
        Self { placeholder: Some(example), ..self }
    }

    #[must_use]
    pub fn max_length(self, characters: usize) -> Self {
        Self { max_length: Some(characters), ..self }
    }

    #[must_use]
    pub fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Puts the cursor into the field when the page opens.
    #[must_use]
    pub fn focused(self) -> Self {
        Self { has_focus: true, ..self }
    }

    #[must_use]
    pub fn value(self, value: impl Into<String>) -> Self {
        Self { value: value.into(), ..self }
    }

    /// Fills in what was submitted, unless it is a password, and the field's error. The cursor goes to the first field
    /// with an error.
    #[must_use]
    pub fn resubmitted(self, form: &Form, problems: &Problems) -> Self {
        let value = if self.kind == FieldKind::Password { String::new() } else { form.raw(self.name).to_owned() };
        self.value(value).with_error(problems)
    }

    #[must_use]
    fn with_error(self, problems: &Problems) -> Self {
        let has_focus = if problems.is_empty() { self.has_focus } else { problems.is_first(self.name) };
        Self { error: problems.of(self.name).map(str::to_owned), has_focus, ..self }
    }

    fn is_lines(&self) -> bool {
        self.kind == FieldKind::Lines
    }

    /// Whether the field is marked as optional.
    fn shows_optional(&self) -> bool {
        !self.is_required && !matches!(self.kind, FieldKind::Search | FieldKind::Date)
    }

    /// Returns the ids of the elements that describe the field.
    fn described_by(&self) -> String {
        let hint = self.hint.as_ref().map(|_| format!("{}-hint", self.name));
        let error = self.error.as_ref().map(|_| format!("{}-error", self.name));
        [error, hint].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
