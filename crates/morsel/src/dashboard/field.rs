//! A field of a form as it is shown: label, hint, what was typed, and what is wrong with it.

use askama::Template;
use askama::filters::HtmlSafe;

use super::form::{Form, Problems};

/// A field to type into. It escapes what it shows, so that templates show it as it is.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "field.html")]
pub(super) struct Field {
    name: &'static str,
    label: &'static str,
    kind: Kind,
    hint: Option<String>,
    autocomplete: Option<&'static str>,
    placeholder: Option<&'static str>,
    longest: Option<usize>,
    is_required: bool,
    value: String,
    error: Option<String>,
    has_focus: bool,
}

/// What is typed into a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
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

impl Kind {
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
    pub fn new(kind: Kind, name: &'static str, label: &'static str) -> Self {
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
    pub fn longest(self, characters: usize) -> Self {
        Self { longest: Some(characters), ..self }
    }

    #[must_use]
    pub fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The cursor is here when the page opens.
    #[must_use]
    pub fn focused(self) -> Self {
        Self { has_focus: true, ..self }
    }

    #[must_use]
    pub fn value(self, value: impl Into<String>) -> Self {
        Self { value: value.into(), ..self }
    }

    /// The field again, with what was typed (unless it is a password) and what is wrong with it; the cursor goes to the
    /// first field at fault.
    #[must_use]
    pub fn again(self, form: &Form, problems: &Problems) -> Self {
        let value = if self.kind == Kind::Password { String::new() } else { form.raw(self.name).to_owned() };
        self.value(value).with(problems)
    }

    /// The field with what is wrong with it.
    #[must_use]
    pub fn with(self, problems: &Problems) -> Self {
        let has_focus = if problems.is_empty() { self.has_focus } else { problems.is_first(self.name) };
        Self { error: problems.of(self.name).map(str::to_owned), has_focus, ..self }
    }

    fn is_lines(&self) -> bool {
        self.kind == Kind::Lines
    }

    /// Whether it is worth saying that nothing need be typed.
    fn shows_optional(&self) -> bool {
        !self.is_required && !matches!(self.kind, Kind::Search | Kind::Date)
    }

    /// The ids of what describes the field.
    fn described_by(&self) -> String {
        let hint = self.hint.as_ref().map(|_| format!("{}-hint", self.name));
        let error = self.error.as_ref().map(|_| format!("{}-error", self.name));
        [error, hint].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
