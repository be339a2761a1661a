//! `morsel account`: who may use the service, and how much.

use std::io::Write as _;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::{Plan, Rng, Store};

use super::key::email;
use super::table::{Align, Table};
use super::with_store;
use crate::config::Place;

/// Arguments of `morsel account`.
#[derive(Debug, Args)]
pub(super) struct Account {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make an account and print its id
    Create {
        /// Email address
        #[arg(long)]
        email: String,
        /// free, starter, pro or scale
        #[arg(long, default_value = "free")]
        plan: Plan,
        #[command(flatten)]
        place: Place,
    },
    /// Put an account on a plan
    SetPlan {
        /// Email address
        #[arg(long)]
        email: String,
        /// free, starter, pro or scale
        #[arg(long)]
        plan: Plan,
        #[command(flatten)]
        place: Place,
    },
    /// Print a link that signs in to the dashboard; it works once, within an hour
    SignIn {
        /// Email address
        #[arg(long)]
        email: String,
        /// Address of the service
        #[arg(long, value_name = "URL", env = "MORSEL_BASE_URL", default_value = "http://127.0.0.1:8080")]
        base_url: String,
        #[command(flatten)]
        place: Place,
    },
    /// Show all accounts
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
}

impl Account {
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Create { email: address, plan, place } => {
                let address = email(&address)?;
                let made = with_store(&place, async |store: &Store| {
                    let (now, accounts) = (Timestamp::now(), store.accounts());
                    Ok(accounts.create(&address, None, plan, false, now, &mut Rng::system()).await?)
                })?;
                writeln!(std::io::stdout(), "{}", made.id)?;
                Ok(())
            }
            Command::SetPlan { email: address, plan, place } => {
                let address = email(&address)?;
                with_store(&place, async |store: &Store| {
                    let account = store.accounts().by_email(&address).await?;
                    let account = account.with_context(|| format!("there is no account {address}"))?;
                    Ok(store.accounts().set_plan(&account.id, plan).await?)
                })?;
                eprintln!("{address} is on the plan {plan} now.");
                Ok(())
            }
            Command::SignIn { email: address, base_url, place } => {
                let address = email(&address)?;
                let link = with_store(&place, async |store: &Store| {
                    let account = store.accounts().by_email(&address).await?;
                    let account = account.with_context(|| format!("there is no account {address}"))?;
                    let now = Timestamp::now();
                    let until = now.checked_add(SignedDuration::from_hours(1))?;
                    Ok(store.sessions().create_link(&account.id, until, now, &mut Rng::system()).await?)
                })?;
                writeln!(std::io::stdout(), "{}/sign-in/{link}", base_url.trim_end_matches('/'))?;
                Ok(())
            }
            Command::List { json, place } => list(json, &place),
        }
    }
}

fn list(json: bool, place: &Place) -> Result<()> {
    let accounts = with_store(place, async |store: &Store| Ok(store.accounts().list().await?))?;
    let mut out = std::io::stdout().lock();
    if json {
        let rows: Vec<_> = accounts
            .iter()
            .map(|account| {
                json!({
                    "id": account.id.as_str(),
                    "email": account.email.as_str(),
                    "plan": account.plan.name(),
                    "is_owner": account.is_owner,
                    "created_at": format!("{:.0}", account.created_at),
                })
            })
            .collect();
        serde_json::to_writer_pretty(&mut out, &rows)?;
        writeln!(out)?;
        return Ok(());
    }
    let mut table = Table::new(&["Id", "Email", "Plan", "Since", ""].map(|name| (name, Align::Left)));
    for account in accounts {
        let owner = if account.is_owner { "owner" } else { "" };
        let since = format!("{:.0}", account.created_at);
        let plan = account.plan.to_string();
        table.row(vec![account.id.to_string(), account.email.to_string(), plan, since, owner.to_owned()]);
    }
    write!(out, "{table}")?;
    Ok(())
}
