//! The parts of `page.html` that differ from page to page: the section, the user, the flash message.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use store::Account;

use super::assets::{Asset, ICON, SCRIPT, STYLE};
use crate::error::ApiError;

/// The part of the service that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Home,
    Playground,
    Foods,
    Recipes,
    Keys,
    Usage,
    Docs,
    Account,
    Owner,
    SignIn,
    SignUp,
    /// Not in the menu.
    None,
}

/// An entry of the menu.
pub(super) struct MenuLink {
    pub href: &'static str,
    pub label: &'static str,
    pub is_here: bool,
}

/// The data of `page.html`. The template of every page has one as its field `layout`.
pub(super) struct Layout {
    pub section: Section,
    /// The email address of the user, if signed in.
    pub email: Option<String>,
    pub is_owner: bool,
    /// The flash message.
    pub flash: Option<&'static str>,
    pub style: Asset,
    pub script: Asset,
    pub icon: Asset,
}

impl Layout {
    /// Creates the layout for a user who may be signed in.
    pub fn new(section: Section, account: Option<&Account>, flash: Option<&'static str>) -> Self {
        Self {
            section,
            email: account.map(|account| account.email.to_string()),
            is_owner: account.is_some_and(|account| account.is_owner),
            flash,
            style: STYLE,
            script: SCRIPT,
            icon: ICON,
        }
    }

    /// Creates the layout of a page that is the same for everyone.
    pub fn plain(section: Section) -> Self {
        Self::new(section, None, None)
    }

    /// Returns the menu.
    pub fn links(&self) -> Vec<MenuLink> {
        let link = |section, href, label| MenuLink { href, label, is_here: self.section == section };
        if self.email.is_none() {
            return vec![
                link(Section::Docs, "/docs", "Docs"),
                link(Section::SignIn, "/sign-in", "Sign in"),
                link(Section::SignUp, "/sign-up", "Sign up"),
            ];
        }
        let mut links = vec![
            link(Section::Home, "/", "Overview"),
            link(Section::Playground, "/playground", "Playground"),
            link(Section::Foods, "/foods", "Foods"),
            link(Section::Recipes, "/recipes", "Recipes"),
            link(Section::Keys, "/keys", "Keys"),
            link(Section::Usage, "/usage", "Usage"),
            link(Section::Docs, "/docs", "Docs"),
            link(Section::Account, "/account", "Account"),
        ];
        if self.is_owner {
            links.push(link(Section::Owner, "/owner", "Owner"));
        }
        links
    }
}

/// Renders a page.
pub(super) fn page(status: StatusCode, template: &impl Template) -> Result<Response, ApiError> {
    let html = template.render().map_err(ApiError::internal)?;
    Ok((status, Html(html)).into_response())
}
