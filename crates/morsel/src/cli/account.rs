//! `morsel account`: accounts, their plans, and links to sign in.

use std::io::Write as _;

use anyhow::Result;
use clap::{Args, Subcommand};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::{AuditKind, NewAccount, Plan, Rng, Store};

use super::args::{UsageError, parse_email};
use super::storage::{account, record, with_store};
use super::table::{Align, Table};
use crate::config::{StorageArgs, parse_public_address};

/// Arguments of `morsel account`.
#[derive(Debug, Args)]
pub(super) struct AccountArgs {
    #[command(subcommand)]
    command: AccountCommand,
}

#[derive(Debug, Subcommand)]
enum AccountCommand {
    /// Create an account and print its id
    Create(CreateArgs),
    /// Change the plan of an account
    SetPlan(SetPlanArgs),
    /// Print a link that signs in to the dashboard; it works once, within an hour
    SignIn(SignInArgs),
    /// Turn two-factor authentication off, for somebody who lost their device and their recovery codes
    ResetSecondFactor(ResetSecondFactorArgs),
    /// List all accounts
    List(ListArgs),
}

#[derive(Debug, Args)]
struct CreateArgs {
    /// Email address
    #[arg(long)]
    email: String,
    /// Plan: free, starter, pro or scale
    #[arg(long, default_value = "free")]
    plan: Plan,
    #[command(flatten)]
    storage: StorageArgs,
}

#[derive(Debug, Args)]
struct SetPlanArgs {
    /// Email address
    #[arg(long)]
    email: String,
    /// Plan: free, starter, pro or scale
    #[arg(long)]
    plan: Plan,
    #[command(flatten)]
    storage: StorageArgs,
}

#[derive(Debug, Args)]
struct SignInArgs {
    /// Email address
    #[arg(long)]
    email: String,
    /// Public URL of the service
    #[arg(long, value_name = "URL", env = "MORSEL_BASE_URL", default_value = "http://127.0.0.1:8080")]
    base_url: String,
    /// Path below which the service is on its host
    #[arg(long, value_name = "PATH", env = "MORSEL_BASE_PATH")]
    base_path: Option<String>,
    #[command(flatten)]
    storage: StorageArgs,
}

#[derive(Debug, Args)]
struct ResetSecondFactorArgs {
    /// Email address
    #[arg(long)]
    email: String,
    #[command(flatten)]
    storage: StorageArgs,
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    storage: StorageArgs,
}

impl AccountArgs {
    pub fn run(self) -> Result<()> {
        match self.command {
            AccountCommand::Create(args) => create(&args),
            AccountCommand::SetPlan(args) => set_plan(&args),
            AccountCommand::SignIn(args) => sign_in(&args),
            AccountCommand::ResetSecondFactor(args) => reset_second_factor(&args),
            AccountCommand::List(args) => list(&args),
        }
    }
}

fn create(args: &CreateArgs) -> Result<()> {
    let email = parse_email(&args.email)?;
    let created = with_store(&args.storage, async |store: &Store| {
        let new = NewAccount { plan: args.plan, ..NewAccount::new(email) };
        let created = store.accounts().create(new, Timestamp::now(), &mut Rng::system()).await?;
        record(store, AuditKind::AccountCreated, &created.id, "").await?;
        Ok(created)
    })?;
    writeln!(std::io::stdout(), "{}", created.id)?;
    Ok(())
}

fn set_plan(args: &SetPlanArgs) -> Result<()> {
    let email = parse_email(&args.email)?;
    with_store(&args.storage, async |store: &Store| {
        let account = account(store, &email).await?;
        store.accounts().set_plan(&account.id, args.plan).await?;
        record(store, AuditKind::PlanChanged, &account.id, &format!("{} to {}", account.plan, args.plan)).await
    })?;
    eprintln!("{email} is now on the {} plan.", args.plan);
    Ok(())
}

fn sign_in(args: &SignInArgs) -> Result<()> {
    let email = parse_email(&args.email)?;
    let address = parse_public_address(Some(&args.base_url), args.base_path.as_deref()).map_err(UsageError)?;
    let base_url = address.0.unwrap_or_default();
    let link = with_store(&args.storage, async |store: &Store| {
        let account = account(store, &email).await?;
        let now = Timestamp::now();
        let until = now.checked_add(SignedDuration::from_hours(1))?;
        let link = store.sessions().create_link(&account.id, until, now, &mut Rng::system()).await?;
        record(store, AuditKind::LinkCreated, &account.id, "").await?;
        Ok(link)
    })?;
    writeln!(std::io::stdout(), "{base_url}/sign-in/{link}")?;
    Ok(())
}

fn reset_second_factor(args: &ResetSecondFactorArgs) -> Result<()> {
    let email = parse_email(&args.email)?;
    let was_on = with_store(&args.storage, async |store: &Store| {
        let account = account(store, &email).await?;
        let was_on = store.second_factors().turn_off(&account.id).await?;
        if was_on {
            record(store, AuditKind::SecondFactorOff, &account.id, "").await?;
        }
        Ok(was_on)
    })?;
    let state = if was_on { "is now" } else { "was already" };
    eprintln!("Two-factor authentication of {email} {state} off.");
    Ok(())
}

fn list(args: &ListArgs) -> Result<()> {
    let accounts = with_store(&args.storage, async |store: &Store| Ok(store.accounts().list().await?))?;
    let mut out = std::io::stdout().lock();
    if args.json {
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
    let mut table = Table::new(&["Id", "Email", "Plan", "Created", ""].map(|name| (name, Align::Left)));
    for account in accounts {
        let owner = if account.is_owner { "owner" } else { "" };
        let created = format!("{:.0}", account.created_at);
        let plan = account.plan.to_string();
        table.row(vec![account.id.to_string(), account.email.to_string(), plan, created, owner.to_owned()]);
    }
    write!(out, "{table}")?;
    Ok(())
}
