//! `morsel key`: API keys, also while a server runs.

use std::io::Write as _;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use store::{Account, Email, Key as StoredKey, KeyState, Mode, NewKey, Rng, Scopes, Store};

use super::table::{Align, Table};
use super::{Usage, with_store};
use crate::config::Place;

/// Arguments of `morsel key`.
#[derive(Debug, Args)]
pub(super) struct Key {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a key and print it alone; the account is made if there is none
    Create(Create),
    /// Show the keys of an account, or of all
    List(List),
    /// End a key, at once and for good
    Revoke(Revoke),
}

#[derive(Debug, Args)]
struct Create {
    /// Email address of the account
    #[arg(long)]
    email: String,
    /// A test key, with limits and statistics of its own
    #[arg(long)]
    test: bool,
    /// A note to tell keys apart by
    #[arg(long)]
    label: Option<String>,
    /// What it may do, as a comma list: estimate, upload, foods:read, recipes:read, recipes:write [default: all]
    #[arg(long, value_delimiter = ',')]
    scopes: Option<Vec<String>>,
    /// When it ends: after some days (30d) or at the end of a day (2027-01-31) [default: never]
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
struct List {
    /// Only of this account
    #[arg(long)]
    email: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
struct Revoke {
    /// The key, its id, or its last four characters where no other key has the same
    key: String,
    #[command(flatten)]
    place: Place,
}

impl Key {
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Create(create) => create.run(),
            Command::List(list) => list.run(),
            Command::Revoke(revoke) => revoke.run(),
        }
    }
}

impl Create {
    fn run(self) -> Result<()> {
        let now = Timestamp::now();
        let email = email(&self.email)?;
        let scopes = match &self.scopes {
            None => Scopes::all(),
            Some(names) => Scopes::from_names(names.iter().map(|name| name.trim())).map_err(Usage)?,
        };
        if scopes.is_empty() {
            return Err(Usage("a key needs at least one scope".to_owned()).into());
        }
        if self.label.as_ref().is_some_and(|label| label.chars().count() > 100) {
            return Err(Usage("a label may have at most 100 characters".to_owned()).into());
        }
        let expires_at = self.expires.as_deref().map(|when| expiry(when, now)).transpose().map_err(Usage)?;
        let mode = if self.test { Mode::Test } else { Mode::Live };
        let new = NewKey { mode, label: self.label, scopes, expires_at };
        let key = with_store(&self.place, async |store: &Store| {
            let account = store.accounts().find_or_create(&email, now, &mut Rng::system()).await?;
            Ok(store.keys().create(&account.id, new.clone(), now, &mut Rng::system()).await?.1)
        })?;
        writeln!(std::io::stdout(), "{}", key.as_str())?;
        Ok(())
    }
}

/// A key as `--json` shows it.
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
    fn new(account: &Account, key: StoredKey, now: Timestamp) -> Self {
        let time = |time: Timestamp| format!("{time:.0}");
        Self {
            state: match key.state(now) {
                KeyState::Active => "active",
                KeyState::Revoked => "revoked",
                KeyState::Expired => "expired",
            },
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

impl List {
    fn run(self) -> Result<()> {
        let email = self.email.as_deref().map(email).transpose()?;
        let now = Timestamp::now();
        let rows = with_store(&self.place, async |store: &Store| {
            let accounts = match &email {
                Some(email) => {
                    let account = store.accounts().by_email(email).await?;
                    vec![account.with_context(|| format!("there is no account {email}"))?]
                }
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

impl Revoke {
    fn run(self) -> Result<()> {
        let revoked = with_store(&self.place, async |store: &Store| {
            let found = store.keys().find(&self.key).await?;
            match found.as_slice() {
                [] => bail!("there is no such key; `morsel key list` shows those that exist"),
                [key] => Ok(store.keys().revoke(&key.account_id, &key.id, Timestamp::now()).await?),
                several => bail!("{} keys match; name one by its id", several.len()),
            }
        })?;
        if let Some(key) = revoked {
            eprintln!("Revoked {} ({}…{}).", key.id, key.prefix, key.last_four);
        }
        Ok(())
    }
}

pub(super) fn email(text: &str) -> Result<Email> {
    let wrong = || Usage(format!("“{text}” is not an email address"));
    Ok(Email::parse(text).ok_or_else(wrong)?)
}

/// "30d" from now, or the end of a day.
fn expiry(when: &str, now: Timestamp) -> Result<Timestamp, String> {
    let wrong = || format!("“{when}” is neither a number of days (30d) nor a date (2027-01-31)");
    let at = if let Some(days) = when.strip_suffix('d') {
        let days: i64 = days.parse().ok().filter(|days| (1..=36_500).contains(days)).ok_or_else(wrong)?;
        now.checked_add(SignedDuration::from_hours(24 * days)).map_err(|_| wrong())?
    } else {
        let date: Date = when.parse().map_err(|_| wrong())?;
        let next = date.tomorrow().map_err(|_| wrong())?;
        next.to_zoned(TimeZone::UTC).map_err(|_| wrong())?.timestamp()
    };
    if at <= now {
        return Err(format!("{when} has passed"));
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_end_after_days_or_with_a_day() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().expect("a time");
        assert_eq!(expiry("30d", now).map(|at| at.to_string()), Ok("2026-12-15T12:00:00Z".to_owned()));
        assert_eq!(expiry("2026-11-15", now).map(|at| at.to_string()), Ok("2026-11-16T00:00:00Z".to_owned()));
        for wrong in ["", "d", "0d", "-1d", "soon", "2026-02-30", "2026-11-14", "99999999d"] {
            assert!(expiry(wrong, now).is_err(), "{wrong}");
        }
    }
}
