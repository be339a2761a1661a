//! What an account has done for the first time, for the list of first steps.

use jiff::Timestamp;

use crate::db::{Db, whole_micros};
use crate::error::Error;
use crate::id::AccountId;
use crate::store::Store;

/// Something that an account does once. What can be seen in other tables, such as keys, is not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Milestone {
    /// The first estimate of a photo.
    PhotoTried,
    /// The list of first steps was hidden.
    StepsHidden,
}

impl Milestone {
    /// Returns the name in the database.
    const fn name(self) -> &'static str {
        match self {
            Self::PhotoTried => "photo_tried",
            Self::StepsHidden => "steps_hidden",
        }
    }
}

/// The milestones of a store.
#[derive(Debug, Clone, Copy)]
pub struct Milestones<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the milestones.
    pub fn milestones(&self) -> Milestones<'_> {
        Milestones { db: &self.db }
    }
}

impl Milestones<'_> {
    /// Notes that an account has reached a milestone. Only the first time is a write.
    pub async fn reach(self, account: &AccountId, milestone: Milestone, now: Timestamp) -> Result<(), Error> {
        if self.is_reached(account, milestone).await? {
            return Ok(());
        }
        let sql = "INSERT INTO milestones (account_id, name, reached_at)
                   SELECT id, $2, $3 FROM accounts WHERE id = $1
                   ON CONFLICT (account_id, name) DO NOTHING";
        let values = vec![account.as_str().into(), milestone.name().into(), whole_micros(now).into()];
        self.db.write(sql, values).await.map(drop)
    }

    /// Reports whether an account has reached a milestone.
    pub async fn is_reached(self, account: &AccountId, milestone: Milestone) -> Result<bool, Error> {
        let sql = "SELECT name FROM milestones WHERE account_id = $1 AND name = $2";
        let row = self.db.read_one(sql, vec![account.as_str().into(), milestone.name().into()]).await?;
        Ok(row.is_some())
    }
}
