//! Embeds the engine in another program: a food log that people correct as they go.
//! `cargo run --release -p meal --example embed` reads a message a line, and an empty line begins a new meal.

use std::io::{self, BufRead};

use meal::{Engine, Estimate, Message, RecipeBook};

/// A meal that is being talked about.
#[derive(Default)]
struct Log {
    messages: Vec<Message>,
}

impl Log {
    /// Adds a message and returns the meal as it is understood now. Later messages amend the earlier ones, so that all of
    /// them are read again.
    fn add(&mut self, engine: &Engine, text: &str) -> Estimate {
        self.messages.push(text.into());
        meal::estimate(engine, &self.messages, &RecipeBook::default()).collect()
    }
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::from_static(embedded::CATALOG)?;
    let mut log = Log::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            log = Log::default();
            continue;
        }
        let meal = log.add(&engine, &line);
        let totals = meal.totals();
        for item in &meal.items {
            println!("  {:<40} {:>6.0} g {:>6} kcal", item.food.name, item.weight.grams, item.macros.calories);
        }
        println!(
            "  {} kcal, {} g protein, {} g carbs, {} g fat",
            totals.calories, totals.protein, totals.carbs, totals.fat
        );
        for words in &meal.unresolved {
            println!("  not found: {words}");
        }
    }
    Ok(())
}
