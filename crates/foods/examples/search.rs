//! Builds a small catalog, then searches it: `cargo run -p foods --example search -- yoghurt`.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::error::Error;

use foods::catalog::{Catalog, Layer, Manifest, Writer};
use foods::search::Searcher;
use foods::{Food, Nutrient, Nutrients, Origin, Portion, Serving};

/// Id, name, the weight of a cup, and calories, protein, carbs and fat per 100 g.
const FOODS: &[(&str, &str, f32, [f32; 4])] = &[
    ("fndds_1", "Yogurt, plain", 245.0, [63.0, 5.3, 7.0, 1.6]),
    ("fndds_2", "Greek yogurt, plain", 230.0, [97.0, 9.0, 4.0, 5.0]),
    ("fndds_3", "Zucchini, cooked", 180.0, [15.0, 1.1, 2.7, 0.4]),
    ("fndds_4", "White rice, cooked", 158.0, [129.0, 2.7, 28.0, 0.3]),
    ("fndds_5", "Rice flour", 158.0, [366.0, 6.0, 80.0, 1.4]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("catalog.morsel");
    let mut writer = Writer::create(&path)?;
    for &(id, name, cup, macros) in FOODS {
        let mut nutrients = Nutrients::default();
        for (&nutrient, value) in Nutrient::ALL.iter().zip(macros) {
            nutrients.set(nutrient, value);
        }
        let food = Food {
            serving: Serving { description: "1 cup".to_owned(), grams: cup },
            ..Food::new(id, Origin::Fndds2021, name, nutrients)
        };
        writer.add(&food.with_portions(vec![Portion::new("1 cup".to_owned(), cup)]))?;
    }
    writer.finish(&Manifest::default())?;

    // The program itself has the catalog of the crate `embedded` as its lower layer; see `foods::catalog::live::Live`.
    let catalog = Catalog::new(Layer::open(&path)?, None);
    let searcher = Searcher::default();
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let queries =
        if typed.is_empty() { ["yoghurt", "courgettes", "whit ric"].map(str::to_owned).to_vec() } else { typed };
    for query in queries {
        println!("{query}:");
        for food in searcher.search(&catalog, &query, 3, None) {
            let macros = food.macros(f64::from(food.serving.grams)).shown();
            println!("  {}, {}: {} kcal", food.name, food.serving.description, macros.calories);
        }
    }
    Ok(())
}
