//! Turns the committed pack into the catalog that is linked into the program.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use foods::catalog::{Manifest, Writer};
use foods::pack;

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    println!("cargo::rerun-if-changed={}", data.join("foods.pack").display());
    println!("cargo::rerun-if-changed={}", data.join("manifest.json").display());
    let manifest: Manifest = serde_json::from_slice(&fs::read(data.join("manifest.json"))?)?;
    let out = PathBuf::from(env::var("OUT_DIR")?).join("catalog.morsel");
    let mut writer = Writer::create(&out)?;
    for food in pack::read(&fs::read(data.join("foods.pack"))?)? {
        writer.add(&food?)?;
    }
    writer.finish(&manifest)?;
    Ok(())
}
