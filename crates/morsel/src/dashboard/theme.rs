//! Light, dark, or as the browser prefers. A cookie remembers what the user chose, signed in or not.

use axum::http::{HeaderMap, HeaderValue};

use super::session;
use crate::error::ApiError;
use crate::request::BaseUrl;

/// The name of the cookie.
const COOKIE: &str = "morsel_theme";
const YEAR: i64 = 365 * 24 * 3_600;

/// The colors of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Theme {
    /// As the browser prefers.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// Every theme, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// Returns the name in the cookie, in forms and in style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Returns the label of its button.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Auto => "Automatic colors",
            Self::Light => "Light colors",
            Self::Dark => "Dark colors",
        }
    }

    /// Returns the theme that a browser's cookie asks for.
    pub fn of(headers: &HeaderMap, base: &BaseUrl) -> Self {
        let named = session::read(headers, base, COOKIE);
        named.and_then(|name| Self::from_name(&name)).unwrap_or_default()
    }

    /// Returns the header that makes a browser remember this theme.
    pub fn cookie(self, base: &BaseUrl) -> Result<HeaderValue, ApiError> {
        let seconds = if self == Self::Auto { 0 } else { YEAR };
        session::write(base, COOKIE, self.name(), seconds)
    }

    /// Returns the theme of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }
}
