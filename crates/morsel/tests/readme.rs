//! Runs the commands in the README and compares their output.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The file that the README imports.
const PRODUCTS: &str = "code\tproduct_name\tbrands\tserving_size\tenergy-kcal_100g\tproteins_100g\tcarbohydrates_100g\tfat_100g\n\
    4006381333931\tZwirbelkeks\tGrunau\t1 biscuit (12,5 g)\t478\t6.1\t66\t20\n\
    4006381333948\tBroken\tGrunau\t\tNaN\t-6\t66\t20\n\
    4006381333955\tWobblenut drink\tGrunau\t200 ml\t45\t1.0\t6\t1.5\n";

/// A command of the README and the output shown for it.
struct Sample {
    command: String,
    output: String,
}

#[test]
fn every_command_in_the_readme_prints_what_the_readme_shows() {
    let samples = samples(include_str!("../../../README.md"));
    assert!(samples.len() >= 6, "the README has lost its samples");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("products.csv"), PRODUCTS).expect("writes");
    for Sample { command, output } in samples {
        assert_eq!(run(folder.path(), &command), output, "{command}");
    }
}

/// Returns every `$ morsel …` in the console blocks of the README.
fn samples(readme: &str) -> Vec<Sample> {
    let consoles = readme.split("```console\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let commands = consoles.flat_map(|console| console.split("$ ").skip(1));
    let sample = |text: &str| {
        let (command, output) = text.split_once('\n')?;
        let command = command.strip_prefix("morsel ")?.to_owned();
        Some(Sample { command, output: output.trim_end().to_owned() })
    };
    commands.filter_map(sample).collect()
}

/// Runs `morsel` in a shell and returns stdout and stderr together.
fn run(folder: &Path, arguments: &str) -> String {
    let program = env!("CARGO_BIN_EXE_morsel");
    let line = format!("'{program}' {arguments} 2>&1");
    let output = Command::new("sh").arg("-c").arg(line).current_dir(folder).output().expect("a shell");
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}
