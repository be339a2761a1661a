//! The parts of `page.html` that differ from page to page: the section, the user, the flash message.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use store::Account;

use super::assets::{Asset, HEADING_FONT, ICON, ICONS, PALETTE_SCRIPT, PALETTE_STYLE, SCRIPT, STYLE, TEXT_FONT};
use super::theme::Theme;
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
    Log,
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
    /// The id of its icon in `icons.svg`.
    pub icon: &'static str,
    pub is_here: bool,
}

impl MenuLink {
    /// Returns whether it is what visitors should do first.
    pub fn is_primary(&self) -> bool {
        self.href == "/sign-up"
    }
}

/// The data of `page.html`. The template of every page has one as its field `layout`.
pub(super) struct Layout {
    pub section: Section,
    /// The email address of the user, if signed in.
    pub email: Option<String>,
    pub is_owner: bool,
    /// The flash message.
    pub flash: Option<&'static str>,
    pub theme: Theme,
    pub style: Asset,
    pub script: Asset,
    pub icon: Asset,
    pub icons: Asset,
    pub fonts: [Asset; 2],
    pub palette_script: Asset,
    pub palette_style: Asset,
}

impl Layout {
    /// Creates the layout for a user who may be signed in.
    pub fn new(section: Section, account: Option<&Account>, flash: Option<&'static str>, theme: Theme) -> Self {
        Self {
            section,
            email: account.map(|account| account.email.to_string()),
            is_owner: account.is_some_and(|account| account.is_owner),
            flash,
            theme,
            style: STYLE,
            script: SCRIPT,
            icon: ICON,
            icons: ICONS,
            fonts: [TEXT_FONT, HEADING_FONT],
            palette_script: PALETTE_SCRIPT,
            palette_style: PALETTE_STYLE,
        }
    }

    /// Returns the choices of the theme switch.
    #[expect(clippy::unused_self, reason = "called by a template")]
    pub fn themes(&self) -> &'static [Theme] {
        &Theme::ALL
    }

    /// Returns the menu.
    pub fn links(&self) -> Vec<MenuLink> {
        let link = |section, href, label, icon| MenuLink { href, label, icon, is_here: self.section == section };
        if self.email.is_none() {
            return vec![
                link(Section::Docs, "/docs", "Docs", "docs"),
                link(Section::SignIn, "/sign-in", "Sign in", "account"),
                link(Section::SignUp, "/sign-up", "Sign up", "plus"),
            ];
        }
        let mut links = vec![
            link(Section::Home, "/", "Overview", "overview"),
            link(Section::Playground, "/playground", "Playground", "playground"),
            link(Section::Foods, "/foods", "Foods", "foods"),
            link(Section::Recipes, "/recipes", "Recipes", "recipes"),
            link(Section::Keys, "/keys", "Keys", "keys"),
            link(Section::Usage, "/usage", "Usage", "usage"),
            link(Section::Log, "/log", "Log", "log"),
            link(Section::Docs, "/docs", "Docs", "docs"),
            link(Section::Account, "/account", "Account", "account"),
        ];
        if self.is_owner {
            links.push(link(Section::Owner, "/owner", "Owner", "owner"));
        }
        links
    }
}

/// Renders a page.
pub(super) fn page(status: StatusCode, template: &impl Template) -> Result<Response, ApiError> {
    let html = template.render().map_err(ApiError::internal)?;
    Ok((status, Html(html)).into_response())
}
