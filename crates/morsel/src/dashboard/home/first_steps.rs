//! What a new account does first: a key, a request, a photo, a recipe. Each step is done as soon as it has happened, wherever
//! that was.

use serde::Serialize;
use store::{AccountId, Milestone};

use crate::app::App;
use crate::error::ApiError;

/// Which steps are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a step of its own")]
pub(crate) struct FirstSteps {
    /// There is a key.
    pub key: bool,
    /// A key was used.
    pub request: bool,
    /// A photo was estimated.
    pub photo: bool,
    /// There is a recipe.
    pub recipe: bool,
}

impl FirstSteps {
    /// Returns what an account has done.
    pub async fn of(app: &App, account: &AccountId) -> Result<Self, ApiError> {
        let keys = app.store.keys().list(account).await?;
        Ok(Self {
            key: !keys.is_empty(),
            request: keys.iter().any(|key| key.last_used_at.is_some()),
            photo: app.store.milestones().is_reached(account, Milestone::PhotoTried).await?,
            recipe: !app.account_cache.recipes(account).await?.rows.is_empty(),
        })
    }

    /// Whether all steps are done.
    pub fn are_done(self) -> bool {
        self.count() == 4
    }

    /// Returns how many steps are done.
    pub fn count(self) -> usize {
        [self.key, self.request, self.photo, self.recipe].into_iter().filter(|done| *done).count()
    }
}

/// Reports whether the user has hidden the list.
pub(super) async fn are_hidden(app: &App, account: &AccountId) -> Result<bool, ApiError> {
    Ok(app.store.milestones().is_reached(account, Milestone::StepsHidden).await?)
}
