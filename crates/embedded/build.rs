//! Turns the committed packs into the catalog that is linked into the program.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use foods::catalog::{Manifest, ManifestFile, ManifestSource, Writer};
use foods::{dishes, pack, products};

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    for name in ["foods.pack", "manifest.json", "tables.pack", "tables.json", "dishes.txt"] {
        println!("cargo::rerun-if-changed={}", data.join(name).display());
    }
    let mut manifest: Manifest = serde_json::from_slice(&fs::read(data.join("manifest.json"))?)?;
    let tables: Manifest = serde_json::from_slice(&fs::read(data.join("tables.json"))?)?;
    manifest.sources.extend(tables.sources);
    let out = PathBuf::from(env::var("OUT_DIR")?).join("catalog.morsel");
    let mut writer = Writer::create(&out)?;
    let list = data.join("dishes.txt");
    let dishes = dishes::read(&fs::read_to_string(&list)?)?;
    let wanted: HashSet<&str> = dishes.iter().flat_map(|dish| &dish.parts).map(|part| part.id.as_str()).collect();
    let mut parts = HashMap::new();
    for food in pack::read(&fs::read(data.join("foods.pack"))?)? {
        let food = food?;
        writer.add(&food)?;
        if wanted.contains(food.id.as_str()) {
            parts.insert(food.id.clone(), food);
        }
    }
    for food in pack::read(&fs::read(data.join("tables.pack"))?)? {
        writer.add(&food?)?;
    }
    let mut products_of_makers = 0;
    for product in products::foods() {
        if writer.add(&product)? {
            return Err(format!("two foods have the id {}", product.id).into());
        }
        products_of_makers += 1;
    }
    for dish in &dishes {
        let food = dish.food(&parts)?;
        if writer.add(&food)? {
            return Err(format!("two foods have the id {}", food.id).into());
        }
    }
    manifest.sources.push(ManifestSource {
        name: "Dishes made of the foods above".to_owned(),
        publisher: "Morsel".to_owned(),
        foods: dishes.len() as u64,
        files: ManifestFile::describe(&list)?,
    });
    manifest.sources.push(ManifestSource {
        name: "Products of makers and restaurant chains".to_owned(),
        publisher: "Morsel".to_owned(),
        foods: products_of_makers,
        files: ManifestFile::describe(&data.join("../crates/foods/src/products/products.txt"))?,
    });
    writer.finish(&manifest)?;
    Ok(())
}
