//! The command line. Data goes to stdout, everything else to stderr. Exit codes: 0, 1 (failed), 2 (usage).

mod account;
mod backup;
mod catalog;
mod estimate;
mod eval;
mod foods;
mod healthcheck;
mod import;
mod key;
mod mcp;
mod migrate;
mod restore;
mod serve;

mod publish;
mod recipe_file;
mod storage;
mod table;

mod args;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use args::UsageError;

/// Nutrition API and food database: meals in words or photos become calories, protein, carbs and fat.
#[derive(Debug, Parser)]
#[command(name = "morsel", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service
    Serve(Box<serve::ServeArgs>),
    /// Create, list and revoke API keys
    Key(key::KeyArgs),
    /// Create and list accounts, change plans, print sign-in links
    Account(account::AccountArgs),
    /// Copy the SQLite database and the photos to a file, even while a server is running
    Backup(backup::BackupArgs),
    /// Put a backup in place of the database, while no server is running
    Restore(restore::RestoreArgs),
    /// Move a SQLite database, and photos, to PostgreSQL and a bucket, for several servers
    Migrate(migrate::MigrateArgs),
    /// Check that a running server handles requests: exit code 0, or 1 and the reason on stderr
    Healthcheck(healthcheck::HealthcheckArgs),
    /// Estimate a meal: foods, calories, protein, carbs and fat
    Estimate(estimate::EstimateArgs),
    /// Offer the tools of the API to an assistant on this machine, over stdin and stdout (Model Context Protocol)
    Mcp(mcp::McpArgs),
    /// Search the food catalog by name
    Foods(foods::FoodsArgs),
    /// Import foods from USDA FoodData Central or Open Food Facts
    Import(import::ImportArgs),
    /// Show the sources of the catalog, publish imported foods, or rebuild the embedded ones
    Catalog(catalog::CatalogArgs),
    /// Measure the accuracy of estimates on meals with known totals, or on photos
    Eval(eval::EvalArgs),
}

/// Runs the command on the command line.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(command) => command.run(),
        Command::Key(command) => command.run(),
        Command::Account(command) => command.run(),
        Command::Backup(command) => command.run(),
        Command::Restore(command) => command.run(),
        Command::Migrate(command) => command.run(),
        Command::Healthcheck(command) => command.run(),
        Command::Estimate(command) => command.run(),
        Command::Mcp(command) => command.run(),
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
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

/// Checks whether the reader of our output is gone, as in `morsel … | head`. That is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
