//! `morsel key`: API keys, even while a server is running.

use std::io::Write as _;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use store::{Account, AuditKind, Key, Mode, NewKey, Rng, Scopes, Store, end_of_day};

use super::args::{UsageError, parse_email};
use super::storage::{account, record, with_store};
use super::table::{Align, Table};
use crate::config::StorageArgs;

/// Arguments of `morsel key`.
#[derive(Debug, Args)]
pub(super) struct KeyArgs {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Create a key and print only the key; creates the account if needed
    Create(CreateKeyArgs),
    /// List the keys of one account or of all
    List(ListKeysArgs),
    /// Revoke a key, at once and for good
    Revoke(RevokeKeyArgs),
}

#[derive(Debug, Args)]
struct CreateKeyArgs {
    /// Email address of the account
    #[arg(long)]
    email: String,
    /// Create a test key, which has its own rate limit and usage statistics
    #[arg(long)]
    test: bool,
    /// Label to tell keys apart
    #[arg(long)]
    label: Option<String>,
    /// Comma-separated scopes: estimate, upload, foods:read, recipes:read, recipes:write [default: all]
    #[arg(long, value_delimiter = ',')]
    scopes: Option<Vec<String>>,
    /// Expiry: after a number of days (30d) or at the end of a day, in UTC (2027-01-31) [default: never]
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
    #[command(flatten)]
    storage: StorageArgs,
}

#[derive(Debug, Args)]
struct ListKeysArgs {
    /// Only keys of this account
    #[arg(long)]
    email: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    storage: StorageArgs,
}

#[derive(Debug, Args)]
struct RevokeKeyArgs {
    /// The key, its id, or its last four characters if they are unique
    key: String,
    #[command(flatten)]
    storage: StorageArgs,
}

impl KeyArgs {
    pub fn run(self) -> Result<()> {
        match self.command {
            KeyCommand::Create(create) => create.run(),
            KeyCommand::List(list) => list.run(),
            KeyCommand::Revoke(revoke) => revoke.run(),
        }
    }
}

impl CreateKeyArgs {
    fn run(self) -> Result<()> {
        let now = Timestamp::now();
        let email = parse_email(&self.email)?;
        let scopes = match &self.scopes {
            None => Scopes::all(),
            Some(names) => Scopes::from_names(names.iter().map(|name| name.trim())).map_err(UsageError)?,
        };
        if scopes.is_empty() {
            return Err(UsageError("a key needs at least one scope".to_owned()).into());
        }
        if self.label.as_ref().is_some_and(|label| label.chars().count() > 100) {
            return Err(UsageError("a label can have at most 100 characters".to_owned()).into());
        }
        let expires_at = self.expires.as_deref().map(|when| expiry(when, now)).transpose().map_err(UsageError)?;
        let mode = if self.test { Mode::Test } else { Mode::Live };
        let new = NewKey { mode, label: self.label, scopes, expires_at };
        let key = with_store(&self.storage, async |store: &Store| {
            let account = store.accounts().find_or_create(&email, now, &mut Rng::system()).await?;
            let (key, text) = store.keys().create(&account.id, new.clone(), now, &mut Rng::system()).await?;
            record(store, AuditKind::KeyCreated, &account.id, key.id.as_str()).await?;
            Ok(text)
        })?;
        writeln!(std::io::stdout(), "{}", key.as_str())?;
        Ok(())
    }
}

/// A key in the output of `--json`.
#[derive(Serialize)]
struct KeyRow {
    id: String,
    account: String,
    mode: &'static str,
    label: Option<String>,
    scopes: Vec<&'static str>,
    prefix: String,
    last_four: String,
    state: &'static str,
    created_at: String,
    expires_at: Option<String>,
    revoked_at: Option<String>,
    last_used_at: Option<String>,
    last_used_from: Option<String>,
}

impl KeyRow {
    fn new(account: &Account, key: Key, now: Timestamp) -> Self {
        let time = |time: Timestamp| format!("{time:.0}");
        Self {
            state: key.state(now).name(),
            id: key.id.to_string(),
            account: account.email.to_string(),
            mode: key.mode.name(),
            label: key.label,
            scopes: key.scopes.names(),
            prefix: key.prefix,
            last_four: key.last_four,
            created_at: time(key.created_at),
            expires_at: key.expires_at.map(time),
            revoked_at: key.revoked_at.map(time),
            last_used_at: key.last_used_at.map(time),
            last_used_from: key.last_used_from,
        }
    }
}

impl ListKeysArgs {
    fn run(self) -> Result<()> {
        let email = self.email.as_deref().map(parse_email).transpose()?;
        let now = Timestamp::now();
        let rows = with_store(&self.storage, async |store: &Store| {
            let accounts = match &email {
                Some(email) => vec![account(store, email).await?],
                None => store.accounts().list().await?,
            };
            let mut rows = Vec::new();
            for account in accounts {
                let keys = store.keys().list(&account.id).await?;
                rows.extend(keys.into_iter().map(|key| KeyRow::new(&account, key, now)));
            }
            Ok(rows)
        })?;
        let mut out = std::io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &rows)?;
            writeln!(out)?;
            return Ok(());
        }
        let columns = ["Id", "Account", "Mode", "Key", "Label", "State", "Last used"].map(|name| (name, Align::Left));
        let mut table = Table::new(&columns);
        for row in rows {
            let shown = format!("{}…{}", row.prefix, row.last_four);
            let label = row.label.unwrap_or_default();
            let used = row.last_used_at.unwrap_or_else(|| "never".to_owned());
            table.row(vec![row.id, row.account, row.mode.to_owned(), shown, label, row.state.to_owned(), used]);
        }
        write!(out, "{table}")?;
        Ok(())
    }
}

impl RevokeKeyArgs {
    fn run(self) -> Result<()> {
        let revoked = with_store(&self.storage, async |store: &Store| {
            let found = store.keys().find(&self.key).await?;
            match found.as_slice() {
                [] => bail!("no such key; see `morsel key list`"),
                [key] => {
                    let revoked = store.keys().revoke(&key.account_id, &key.id, Timestamp::now()).await?;
                    record(store, AuditKind::KeyRevoked, &key.account_id, key.id.as_str()).await?;
                    Ok(revoked)
                }
                several => bail!("{} keys match; use the id of the key", several.len()),
            }
        })?;
        if let Some(key) = revoked {
            eprintln!("Revoked {} ({}…{}).", key.id, key.prefix, key.last_four);
        }
        Ok(())
    }
}

/// Returns the time 30 days from now for "30d", or the end of the day for "2027-01-31".
fn expiry(when: &str, now: Timestamp) -> Result<Timestamp, String> {
    let wrong = || format!("“{when}” is neither a number of days (30d) nor a date (2027-01-31)");
    let at = if let Some(days) = when.strip_suffix('d') {
        let days: i64 = days.parse().ok().filter(|days| (1..=36_500).contains(days)).ok_or_else(wrong)?;
        now.checked_add(SignedDuration::from_hours(24 * days)).map_err(|_| wrong())?
    } else {
        let date: Date = when.parse().map_err(|_| wrong())?;
        end_of_day(date).ok_or_else(wrong)?
    };
    if at <= now {
        return Err(format!("{when} is in the past"));
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiry_is_a_number_of_days_or_the_end_of_a_day() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().expect("a time");
        assert_eq!(expiry("30d", now).map(|at| at.to_string()), Ok("2026-12-15T12:00:00Z".to_owned()));
        assert_eq!(expiry("2026-11-15", now).map(|at| at.to_string()), Ok("2026-11-16T00:00:00Z".to_owned()));
        for wrong in ["", "d", "0d", "-1d", "soon", "2026-02-30", "2026-11-14", "99999999d"] {
            assert!(expiry(wrong, now).is_err(), "{wrong}");
        }
    }
}
