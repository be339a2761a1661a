//! The command line. Data goes to stdout, everything else to stderr. Exit codes: 0, 1 (failed), 2 (usage).

mod account;
mod backup;
mod catalog;
mod estimate;
mod eval;
mod foods;
mod import;
mod key;
mod recipes;
mod serve;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use store::{Location, Store};

use crate::config::Place;

/// Turns what a person ate into calories, protein, carbs and fat.
#[derive(Debug, Parser)]
#[command(name = "morsel", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service
    Serve(Box<serve::Serve>),
    /// Make, show and revoke API keys
    Key(key::Key),
    /// Make and show accounts, and put them on plans
    Account(account::Account),
    /// Copy the database to a file while it is in use
    Backup(backup::Backup),
    /// Turn a meal in words into foods with calories, protein, carbs and fat
    Estimate(estimate::Estimate),
    /// Search the food catalog by name
    Foods(foods::Foods),
    /// Add foods from a publisher's bulk file to the catalog of a data directory
    Import(import::Import),
    /// Look at the catalog, or rebuild the one that ships with the program
    Catalog(catalog::Catalog),
    /// Measure how close the estimates come to meals whose numbers are known
    Eval(eval::Eval),
}

/// Where the program keeps its data.
#[derive(Debug, Args)]
struct DataDir {
    /// Folder for everything that must not be lost
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR", default_value = "./morsel-data")]
    data_dir: PathBuf,
}

/// A request that makes no sense as it was typed; ends with exit code 2.
#[derive(Debug)]
struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Runs the command that was typed.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(command) => command.run(),
        Command::Key(command) => command.run(),
        Command::Account(command) => command.run(),
        Command::Backup(command) => command.run(),
        Command::Estimate(command) => command.run(),
        Command::Foods(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Catalog(command) => command.run(),
        Command::Eval(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("morsel: {error:#}");
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

/// Does something with the store of a place, beside whatever server runs on it.
fn with_store<T>(place: &Place, work: impl AsyncFnOnce(&Store) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let location = place.location().map_err(Usage)?;
    if let Location::Sqlite(_) = location {
        let folder = place.data_dir();
        std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open(&location).await?;
        let result = work(&store).await;
        store.close().await;
        result
    })
}

/// Whoever reads our output has had enough (`morsel … | head`): no reason to complain.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
