//! Gives the program a hash of everything that its answers depend on, for `X-Engine-Version`.

#![expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

mod engine;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo::rerun-if-changed=build");
    for source in engine::SOURCES {
        println!("cargo::rerun-if-changed={}", workspace.join(source).display());
    }
    println!("cargo::rustc-env=MORSEL_ENGINE_HASH={}", engine::hash(&workspace)?);
    Ok(())
}
