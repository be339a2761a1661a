//! What differs from page to page in `page.html`: where one is, who is signed in, what was just done.

use store::Account;

use super::assets::{Asset, ICON, SCRIPT, STYLE};

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
    /// None that the menu has.
    None,
}

/// A line of the menu.
pub(super) struct Link {
    pub href: &'static str,
    pub label: &'static str,
    pub is_here: bool,
}

/// Every page's template has one as its field `layout`.
pub(super) struct Layout {
    pub section: Section,
    /// Who is signed in.
    pub email: Option<String>,
    pub is_owner: bool,
    /// What was just done.
    pub done: Option<&'static str>,
    pub style: Asset,
    pub script: Asset,
    pub icon: Asset,
}

impl Layout {
    /// For whoever is signed in, if anybody is.
    pub fn new(section: Section, account: Option<&Account>, done: Option<&'static str>) -> Self {
        Self {
            section,
            email: account.map(|account| account.email.to_string()),
            is_owner: account.is_some_and(|account| account.is_owner),
            done,
            style: STYLE,
            script: SCRIPT,
            icon: ICON,
        }
    }

    /// For a page that is the same for everybody.
    pub fn plain(section: Section) -> Self {
        Self::new(section, None, None)
    }

    /// The menu.
    pub fn links(&self) -> Vec<Link> {
        let link = |section, href, label| Link { href, label, is_here: self.section == section };
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
