//! Accounts: who owns keys and recipes, and on which plan.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::db::{Db, Row, Tx, whole_micros};
use crate::{AccountId, Email, Error, Rng, Store};

/// A person or an organisation with keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The id, `acc_…`.
    pub id: AccountId,
    /// The address that names the account; no two accounts share one.
    pub email: Email,
    /// The hash of the password, if one was set.
    pub password_hash: Option<String>,
    /// What the account may use.
    pub plan: Plan,
    /// Whether the account may manage the others.
    pub is_owner: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when nobody gets in with it, neither by key nor by session.
    pub disabled_at: Option<Timestamp>,
}

/// What an account may use; the limits behind the names are configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Plan {
    /// `free`
    Free,
    /// `starter`
    Starter,
    /// `pro`
    Pro,
    /// `scale`
    Scale,
}

/// Why an account was not made.
#[derive(Debug, thiserror::Error)]
pub enum CreateAccountError {
    /// There is one with this address.
    #[error("there is already an account with this email address")]
    EmailTaken,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// What became of an account that was to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is gone.
    Removed,
    /// There was none.
    NotFound,
    /// It stays: without it nobody could manage the others.
    LastOwner,
}

/// The accounts of a store.
#[derive(Debug, Clone, Copy)]
pub struct Accounts<'a> {
    db: &'a Db,
}

impl Store {
    /// The accounts.
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts { db: &self.db }
    }
}

impl Accounts<'_> {
    /// Makes an account.
    pub async fn create(
        self,
        email: &Email,
        password_hash: Option<&str>,
        plan: Plan,
        is_owner: bool,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<Account, CreateAccountError> {
        let account = new_account(email, password_hash, plan, is_owner, now, rng);
        let mut tx = self.db.begin().await?;
        if !insert(&mut tx, &account).await? {
            tx.rollback().await?;
            return Err(CreateAccountError::EmailTaken);
        }
        tx.commit_change(&account.id).await?;
        Ok(account)
    }

    /// The account with this address; made on the free plan if there is none.
    pub async fn find_or_create(self, email: &Email, now: Timestamp, rng: &mut Rng) -> Result<Account, Error> {
        loop {
            if let Some(account) = self.by_email(email).await? {
                return Ok(account);
            }
            match self.create(email, None, Plan::Free, false, now, rng).await {
                Ok(account) => return Ok(account),
                // Somebody else was faster: theirs is found in the next round.
                Err(CreateAccountError::EmailTaken) => {}
                Err(CreateAccountError::Store(error)) => return Err(error),
            }
        }
    }

    /// Makes the first account, an owner, unless any account exists. Of several servers that start together on an empty
    /// database, exactly one gets `Some`.
    pub async fn create_first_owner(
        self,
        email: &Email,
        now: Timestamp,
        rng: &mut Rng,
    ) -> Result<Option<Account>, Error> {
        // Every start but the first ends here, without waiting for a writer.
        if self.count().await? > 0 {
            return Ok(None);
        }
        let account = new_account(email, None, Plan::Free, true, now, rng);
        let mut tx = self.db.begin().await?;
        // First, not last as elsewhere: the number's row is the lock that puts the servers in line.
        tx.number_change(&account.id).await?;
        let row = tx.fetch_one("SELECT COUNT(*) AS n FROM accounts", vec![]).await?;
        let is_first = row.map_or(Ok(0), |row| row.int("n"))? == 0;
        if is_first && insert(&mut tx, &account).await? {
            tx.commit().await?;
            return Ok(Some(account));
        }
        tx.rollback().await?;
        Ok(None)
    }

    /// The account with this id.
    pub async fn by_id(self, id: &AccountId) -> Result<Option<Account>, Error> {
        let sql =
            "SELECT id, email, password_hash, plan, is_owner, created_at, disabled_at FROM accounts WHERE id = $1";
        self.db.read_one(sql, vec![id.as_str().into()]).await?.map(|row| account(&row, "id", "created_at")).transpose()
    }

    /// The account with this address.
    pub async fn by_email(self, email: &Email) -> Result<Option<Account>, Error> {
        let sql =
            "SELECT id, email, password_hash, plan, is_owner, created_at, disabled_at FROM accounts WHERE email = $1";
        let row = self.db.read_one(sql, vec![email.as_str().into()]).await?;
        row.map(|row| account(&row, "id", "created_at")).transpose()
    }

    /// All accounts, the oldest first.
    pub async fn list(self) -> Result<Vec<Account>, Error> {
        let sql = "SELECT id, email, password_hash, plan, is_owner, created_at, disabled_at FROM accounts ORDER BY created_at, id";
        self.db.read(sql, vec![]).await?.iter().map(|row| account(row, "id", "created_at")).collect()
    }

    /// How many accounts there are.
    pub async fn count(self) -> Result<u64, Error> {
        let row = self.db.read_one("SELECT COUNT(*) AS n FROM accounts", vec![]).await?;
        row.map_or(Ok(0), |row| row.unsigned("n"))
    }

    /// Puts an account on a plan; the account as it is afterwards.
    pub async fn set_plan(self, id: &AccountId, plan: Plan) -> Result<Option<Account>, Error> {
        let sql = "UPDATE accounts SET plan = $2 WHERE id = $1
                   RETURNING id, email, password_hash, plan, is_owner, created_at, disabled_at";
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), plan.name().into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        tx.commit_change(id).await?;
        account(&row, "id", "created_at").map(Some)
    }

    /// Sets the hash of the password; `false` if there is no such account.
    pub async fn set_password(self, id: &AccountId, hash: &str) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        let sql = "UPDATE accounts SET password_hash = $2 WHERE id = $1";
        if tx.execute(sql, vec![id.as_str().into(), hash.into()]).await? == 0 {
            tx.rollback().await?;
            return Ok(false);
        }
        tx.commit_change(id).await?;
        Ok(true)
    }

    /// Lets nobody in with this account from now on, or again; the account as it is afterwards. An owner's account stays
    /// as it is: `None`, as for one that does not exist.
    pub async fn set_disabled(self, id: &AccountId, since: Option<Timestamp>) -> Result<Option<Account>, Error> {
        let sql = "UPDATE accounts SET disabled_at = $2 WHERE id = $1 AND is_owner = 0
                   RETURNING id, email, password_hash, plan, is_owner, created_at, disabled_at";
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), since.into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        tx.commit_change(id).await?;
        account(&row, "id", "created_at").map(Some)
    }

    /// Makes an account an owner's, or no longer; the account as it is afterwards. The last owner stays one, and a disabled
    /// account becomes none: `None`, as for one that does not exist.
    pub async fn set_owner(self, id: &AccountId, is_owner: bool) -> Result<Option<Account>, Error> {
        let sql = "UPDATE accounts SET is_owner = $2 WHERE id = $1 AND disabled_at IS NULL
                       AND ($2 = 1 OR (SELECT COUNT(*) FROM accounts WHERE is_owner = 1 AND id <> $1) > 0)
                   RETURNING id, email, password_hash, plan, is_owner, created_at, disabled_at";
        let mut tx = self.db.begin().await?;
        // First, not last as elsewhere: of two owners who step down at once, one must see that it is the last.
        tx.number_change(id).await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), is_owner.into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        tx.commit().await?;
        account(&row, "id", "created_at").map(Some)
    }

    /// Removes an account with its keys, recipes, usage, sessions and kept answers, unless it is the only owner's. Its
    /// images are gone for everybody at once; their files and rows are removed with the next expired ones.
    pub async fn delete(self, id: &AccountId) -> Result<Removal, Error> {
        let mut tx = self.db.begin().await?;
        // First, not last as elsewhere: of two owners who remove each other at once, one must see that it is the last.
        tx.number_change(id).await?;
        let sql = "DELETE FROM accounts WHERE id = $1
                   AND (is_owner = 0 OR (SELECT COUNT(*) FROM accounts WHERE is_owner = 1) > 1)";
        if tx.execute(sql, vec![id.as_str().into()]).await? == 0 {
            tx.rollback().await?;
            let is_there = self.by_id(id).await?.is_some();
            return Ok(if is_there { Removal::LastOwner } else { Removal::NotFound });
        }
        tx.execute("UPDATE images SET expires_at = 0 WHERE account_id = $1", vec![id.as_str().into()]).await?;
        tx.commit().await?;
        Ok(Removal::Removed)
    }
}

impl Plan {
    /// All plans, the smallest first.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Pro, Self::Scale];

    /// The name: `free`, `starter`, `pro` or `scale`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
            Self::Scale => "scale",
        }
    }
}

impl FromStr for Plan {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let plan = Self::ALL.into_iter().find(|plan| plan.name() == name);
        plan.ok_or_else(|| format!("there is no plan {name:?}; the plans are free, starter, pro and scale"))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The account in a row that has its columns, with these names for id and creation time (joins rename the two).
pub(crate) fn account(row: &Row, id: &str, created_at: &str) -> Result<Account, Error> {
    Ok(Account {
        id: row.account_id(id)?,
        email: row.parsed("email", Email::parse)?,
        password_hash: row.opt_text("password_hash")?,
        plan: row.parsed("plan", |name| name.parse().ok())?,
        is_owner: row.int("is_owner")? != 0,
        created_at: row.time(created_at)?,
        disabled_at: row.opt_time("disabled_at")?,
    })
}

/// Puts everybody in line who adds to this account or changes its recipes, until the transaction ends. An update that changes nothing
/// is a row lock in the words of both databases.
pub(crate) async fn lock_account(tx: &mut Tx, account: &AccountId) -> Result<(), Error> {
    let sql = "UPDATE accounts SET plan = plan WHERE id = $1";
    match tx.execute(sql, vec![account.as_str().into()]).await? {
        0 => Err(Error::AccountGone),
        _ => Ok(()),
    }
}

fn new_account(
    email: &Email,
    password_hash: Option<&str>,
    plan: Plan,
    is_owner: bool,
    now: Timestamp,
    rng: &mut Rng,
) -> Account {
    Account {
        id: AccountId::generate(rng),
        email: email.clone(),
        password_hash: password_hash.map(str::to_owned),
        plan,
        is_owner,
        created_at: whole_micros(now),
        disabled_at: None,
    }
}

/// `false` if the address is taken.
async fn insert(tx: &mut Tx, account: &Account) -> Result<bool, Error> {
    let sql = "INSERT INTO accounts (id, email, password_hash, plan, is_owner, created_at)
               VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING";
    let values = vec![
        account.id.as_str().into(),
        account.email.as_str().into(),
        account.password_hash.as_deref().into(),
        account.plan.name().into(),
        account.is_owner.into(),
        account.created_at.into(),
    ];
    Ok(tx.execute(sql, values).await? == 1)
}
