//! Accounts: who owns keys and recipes, and on which plan.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::changes::{commit_change, number_change};
use crate::db::{Db, Row, Tx, whole_micros};
use crate::email::Email;
use crate::error::Error;
use crate::id::AccountId;
use crate::names::{self, UnknownName};
use crate::random::Rng;
use crate::store::Store;

/// A person or an organization with keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The id, `acc_…`.
    pub id: AccountId,
    /// The address that identifies the account; no two accounts share one.
    pub email: Email,
    /// The hash of the password, if one was set.
    pub password_hash: Option<String>,
    /// The limits that apply.
    pub plan: Plan,
    /// Whether the account may manage the others.
    pub is_owner: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// Since when its keys and sessions are rejected.
    pub disabled_at: Option<Timestamp>,
    /// Whether its request log keeps the bodies of requests and responses.
    pub keeps_bodies: bool,
}

/// An account to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The address that identifies the account.
    pub email: Email,
    /// The hash of the password, if there is one.
    pub password_hash: Option<String>,
    /// The limits that apply.
    pub plan: Plan,
    /// Whether the account may manage the others.
    pub is_owner: bool,
}

/// The limits of an account; the numbers behind the names are configuration.
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

/// Why an account was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateAccountError {
    /// Another account has this address.
    #[error("an account with this email address already exists")]
    EmailTaken,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// The outcome of deleting an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// The account was deleted.
    Removed,
    /// There was no such account.
    NotFound,
    /// The account was kept, since it is the last that can manage the others.
    LastOwner,
}

/// The accounts of a store.
#[derive(Debug, Clone, Copy)]
pub struct Accounts<'a> {
    db: &'a Db,
}

/// The columns of an account, as [`account`] reads them.
macro_rules! columns {
    () => {
        "id, email, password_hash, plan, is_owner, created_at, disabled_at, keeps_bodies"
    };
}

impl Store {
    /// Returns the accounts.
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts { db: &self.db }
    }
}

impl NewAccount {
    /// Describes an account on the free plan, without a password, that is not an owner.
    pub fn new(email: Email) -> Self {
        Self { email, password_hash: None, plan: Plan::Free, is_owner: false }
    }
}

impl Accounts<'_> {
    /// Creates an account.
    pub async fn create(self, new: NewAccount, now: Timestamp, rng: &mut Rng) -> Result<Account, CreateAccountError> {
        let account = new_account(new, now, rng);
        let mut tx = self.db.begin().await?;
        if !insert(&mut tx, &account).await? {
            tx.rollback().await?;
            return Err(CreateAccountError::EmailTaken);
        }
        commit_change(tx, &account.id).await?;
        Ok(account)
    }

    /// Returns the account with this address, creating one on the free plan if there is none.
    pub async fn find_or_create(self, email: &Email, now: Timestamp, rng: &mut Rng) -> Result<Account, Error> {
        loop {
            if let Some(account) = self.by_email(email).await? {
                return Ok(account);
            }
            match self.create(NewAccount::new(email.clone()), now, rng).await {
                Ok(account) => return Ok(account),
                // Somebody else was faster: the next round finds their account.
                Err(CreateAccountError::EmailTaken) => {}
                Err(CreateAccountError::Store(error)) => return Err(error),
            }
        }
    }

    /// Creates the first account, an owner, unless any account exists. Of several servers that start together on an empty
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
        let account = new_account(NewAccount { is_owner: true, ..NewAccount::new(email.clone()) }, now, rng);
        let mut tx = self.db.begin().await?;
        // First, not last as elsewhere: the counter's row is the lock that serializes the servers.
        number_change(&mut tx, &account.id).await?;
        let row = tx.fetch_one("SELECT COUNT(*) AS n FROM accounts", vec![]).await?;
        let is_first = row.map_or(Ok(0), |row| row.int("n"))? == 0;
        if is_first && insert(&mut tx, &account).await? {
            tx.commit().await?;
            return Ok(Some(account));
        }
        tx.rollback().await?;
        Ok(None)
    }

    /// Returns the account with this id.
    pub async fn by_id(self, id: &AccountId) -> Result<Option<Account>, Error> {
        let sql = concat!("SELECT ", columns!(), " FROM accounts WHERE id = $1");
        self.db.read_one(sql, vec![id.as_str().into()]).await?.as_ref().map(account).transpose()
    }

    /// Returns the account with this address.
    pub async fn by_email(self, email: &Email) -> Result<Option<Account>, Error> {
        let sql = concat!("SELECT ", columns!(), " FROM accounts WHERE email = $1");
        self.db.read_one(sql, vec![email.as_str().into()]).await?.as_ref().map(account).transpose()
    }

    /// Returns all accounts, the oldest first.
    pub async fn list(self) -> Result<Vec<Account>, Error> {
        let sql = concat!("SELECT ", columns!(), " FROM accounts ORDER BY created_at, id");
        self.db.read(sql, vec![]).await?.iter().map(account).collect()
    }

    /// Counts the accounts.
    pub async fn count(self) -> Result<u64, Error> {
        let row = self.db.read_one("SELECT COUNT(*) AS n FROM accounts", vec![]).await?;
        row.map_or(Ok(0), |row| row.unsigned("n"))
    }

    /// Changes the plan; returns the account as it is afterwards.
    pub async fn set_plan(self, id: &AccountId, plan: Plan) -> Result<Option<Account>, Error> {
        let sql = concat!("UPDATE accounts SET plan = $2 WHERE id = $1 RETURNING ", columns!());
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), plan.name().into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        commit_change(tx, id).await?;
        account(&row).map(Some)
    }

    /// Sets the hash of the password; returns `false` if there is no such account.
    pub async fn set_password(self, id: &AccountId, hash: &str) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        let sql = "UPDATE accounts SET password_hash = $2 WHERE id = $1";
        if tx.execute(sql, vec![id.as_str().into(), hash.into()]).await? == 0 {
            tx.rollback().await?;
            return Ok(false);
        }
        commit_change(tx, id).await?;
        Ok(true)
    }

    /// Disables an account from a time on, or enables it again; returns it as it is afterwards. Owners cannot be disabled:
    /// `None`, as for an account that does not exist.
    pub async fn set_disabled(self, id: &AccountId, since: Option<Timestamp>) -> Result<Option<Account>, Error> {
        let sql = concat!("UPDATE accounts SET disabled_at = $2 WHERE id = $1 AND is_owner = 0 RETURNING ", columns!());
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), since.into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        commit_change(tx, id).await?;
        account(&row).map(Some)
    }

    /// Turns on or off that the request log keeps bodies; returns the account as it is afterwards.
    pub async fn set_keeps_bodies(self, id: &AccountId, keeps_bodies: bool) -> Result<Option<Account>, Error> {
        let sql = concat!("UPDATE accounts SET keeps_bodies = $2 WHERE id = $1 RETURNING ", columns!());
        let mut tx = self.db.begin().await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), keeps_bodies.into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        commit_change(tx, id).await?;
        account(&row).map(Some)
    }

    /// Makes an account an owner, or no longer one; returns it as it is afterwards. The last owner stays one, and a
    /// disabled account cannot become one: `None`, as for an account that does not exist.
    pub async fn set_owner(self, id: &AccountId, is_owner: bool) -> Result<Option<Account>, Error> {
        let sql = concat!(
            "UPDATE accounts SET is_owner = $2 WHERE id = $1 AND disabled_at IS NULL
                 AND ($2 = 1 OR (SELECT COUNT(*) FROM accounts WHERE is_owner = 1 AND id <> $1) > 0)
             RETURNING ",
            columns!()
        );
        let mut tx = self.db.begin().await?;
        // First, not last as elsewhere: of two owners who step down at once, one must see that it is the last.
        number_change(&mut tx, id).await?;
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), is_owner.into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        tx.commit().await?;
        account(&row).map(Some)
    }

    /// Deletes an account with its keys, recipes, usage, request log, sessions and stored responses, unless it is the only owner. Its
    /// images are inaccessible at once; their files and rows are removed with the next expired ones.
    pub async fn delete(self, id: &AccountId) -> Result<Removal, Error> {
        let mut tx = self.db.begin().await?;
        // First, not last as elsewhere: of two owners who delete each other at once, one must see that it is the last.
        number_change(&mut tx, id).await?;
        let sql = "DELETE FROM accounts WHERE id = $1
                   AND (is_owner = 0 OR (SELECT COUNT(*) FROM accounts WHERE is_owner = 1) > 1)";
        if tx.execute(sql, vec![id.as_str().into()]).await? == 0 {
            tx.rollback().await?;
            let exists = self.by_id(id).await?.is_some();
            return Ok(if exists { Removal::LastOwner } else { Removal::NotFound });
        }
        tx.execute("UPDATE images SET expires_at = 0 WHERE account_id = $1", vec![id.as_str().into()]).await?;
        tx.commit().await?;
        Ok(Removal::Removed)
    }
}

impl Plan {
    /// All plans, the smallest first.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Pro, Self::Scale];

    /// Returns the name: `free`, `starter`, `pro` or `scale`.
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
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        names::parse("plan", name, &Self::ALL, Self::name)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the account in a row of the table.
pub(crate) fn account(row: &Row) -> Result<Account, Error> {
    account_in(row, "id", "created_at")
}

/// Reads the account in a row of a join, in which its id and time of creation go by other names.
pub(crate) fn joined_account(row: &Row) -> Result<Account, Error> {
    account_in(row, "account_id", "account_created_at")
}

fn account_in(row: &Row, id: &str, created_at: &str) -> Result<Account, Error> {
    Ok(Account {
        id: row.account_id(id)?,
        email: row.parsed("email", Email::parse)?,
        password_hash: row.opt_text("password_hash")?,
        plan: row.parsed("plan", |name| name.parse().ok())?,
        is_owner: row.int("is_owner")? != 0,
        created_at: row.time(created_at)?,
        disabled_at: row.opt_time("disabled_at")?,
        keeps_bodies: row.int("keeps_bodies")? != 0,
    })
}

/// Locks an account against others who add to it or change its recipes, until the transaction ends. An update that changes
/// nothing is how both databases spell a row lock.
pub(crate) async fn lock_account(tx: &mut Tx, account: &AccountId) -> Result<(), Error> {
    let sql = "UPDATE accounts SET plan = plan WHERE id = $1";
    match tx.execute(sql, vec![account.as_str().into()]).await? {
        0 => Err(Error::AccountGone),
        _ => Ok(()),
    }
}

fn new_account(new: NewAccount, now: Timestamp, rng: &mut Rng) -> Account {
    Account {
        id: AccountId::generate(rng),
        email: new.email,
        password_hash: new.password_hash,
        plan: new.plan,
        is_owner: new.is_owner,
        created_at: whole_micros(now),
        disabled_at: None,
        keeps_bodies: false,
    }
}

/// Inserts an account; returns `false` if its address is taken.
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
