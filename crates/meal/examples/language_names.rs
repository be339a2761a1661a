//! Compares the names of foods in the national tables: the name in another language and the English name of the same row, each
//! with 100 g, should lead to foods with about the same energy.
//!
//! Prints, for each language, how many pairs of plain names there are and for how many the energy is within 15 %.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::sync::Arc;

use foods::Food;
use foods::catalog::{Catalog, Layer};
use meal::{Engine, Estimate, Message, RecipeBook, Speaker};

/// Names with more words describe a food rather than name it.
const MAX_WORDS: usize = 3;
/// Energies this close are the same food.
const TOLERANCE: f64 = 0.15;
/// Below this many kilocalories, differences are noise.
const FLOOR: f64 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalog = Arc::new(Catalog::new(Layer::from_static(embedded::CATALOG)?, None));
    let engine = Engine::new(Arc::clone(&catalog));
    let layer = &catalog.layers()[0];
    println!("language   pairs  within 15 %");
    for language in engine.translator().languages() {
        let (mut pairs, mut same) = (0, 0);
        let foods =
            (0..layer.len()).filter_map(|number| layer.food(number)).filter(|food| !food.local_names.is_empty());
        for food in foods {
            let Some(local) = food.local_names.iter().find(|local| local.language == language.code()) else { continue };
            if !is_plain(&local.name) || !is_plain(&food.name) || local.name == food.name {
                continue;
            }
            pairs += 1;
            let energies = (energy(&engine, &local.name, language.code()), energy(&engine, &food.name, "en"));
            same += usize::from(matches!(energies, (Some(one), Some(other)) if is_same(one, other)));
        }
        if pairs > 0 {
            println!("{:9} {pairs:6}  {:9.1} %", language.code(), 100.0 * f64::from(same as u32) / f64::from(pairs));
        }
    }
    Ok(())
}

/// Checks whether a name is only a name.
fn is_plain(name: &str) -> bool {
    name.split_whitespace().count() <= MAX_WORDS && !name.contains(['(', '%', '/']) && !name.contains(char::is_numeric)
}

/// Returns the kilocalories of 100 g, if the name is one food.
fn energy(engine: &Engine, name: &str, language: &str) -> Option<f64> {
    let message = Message::from(format!("100 g {name}").as_str());
    let speaker = Speaker { language: Some(language.to_owned()), ..Speaker::default() };
    let meal: Estimate = meal::estimate_for(engine, &[message], &RecipeBook::default(), &speaker).collect();
    let [item] = meal.items.as_slice() else { return None };
    Some(calories(&item.food))
}

fn calories(food: &Food) -> f64 {
    food.macros(100.0).calories
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= TOLERANCE * one.max(other).max(FLOOR)
}
