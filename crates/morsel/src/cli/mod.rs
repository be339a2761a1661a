//! The command line. Data goes to stdout, everything else to stderr. Exit codes: 0, 1 (failed), 2 (usage).

mod catalog;
mod estimate;
mod eval;
mod foods;
mod import;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Turns what a person ate into calories, protein, carbs and fat.
#[derive(Debug, Parser)]
#[command(name = "morsel", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
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

/// Whoever reads our output has had enough (`morsel … | head`): no reason to complain.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
