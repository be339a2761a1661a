//! Estimates a meal in words: `cargo run --release -p meal --example estimate -- "two eggs and a slice of toast"`.

use meal::{Engine, Part, RecipeBook};

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "two eggs and a slice of toast with butter".to_owned());
    // Preparing a catalog takes a moment; the engine is then shared by all threads.
    let engine = Engine::from_static(embedded::CATALOG)?;
    for part in meal::estimate(&engine, &[text.as_str().into()], &RecipeBook::default()) {
        match part {
            Part::Food(item) => println!(
                "{} {} {}: {:.0} g, {} kcal (between {} and {}), {}",
                item.quantity,
                item.unit,
                item.food.name,
                item.weight.grams,
                item.macros.calories,
                item.range.low.calories,
                item.range.high.calories,
                item.tier.name(),
            ),
            Part::Unresolved(words) => println!("not found: {words}"),
            Part::Recipe(_) => unreachable!("there are no recipes"),
        }
    }
    Ok(())
}
