//! Explains which recipe a text matches and why.

use meal::{Counting, ExplainedMatch, Explanation, Miss, RecipeBook};

/// The explanation for a text.
#[derive(Debug)]
pub(super) struct MatchExplanation {
    pub matches: Vec<MatchedRecipe>,
    /// The closest recipe, if none matches.
    pub nearest: Option<NearestRecipe>,
}

/// A recipe that the text matches.
#[derive(Debug)]
pub(super) struct MatchedRecipe {
    pub id: String,
    pub name: String,
    /// The words that match.
    pub why: String,
    /// How the amount was converted to servings.
    pub amount: String,
    pub servings: String,
    pub calories: String,
}

/// A recipe that the text almost matches.
#[derive(Debug)]
pub(super) struct NearestRecipe {
    pub id: String,
    pub name: String,
    pub why: String,
}

impl MatchExplanation {
    /// Puts an explanation into words.
    pub fn new(explanation: &Explanation, book: &RecipeBook) -> Self {
        let matched = |found: &ExplainedMatch| {
            let recipe = book.get(found.recipe)?;
            Some(MatchedRecipe {
                id: recipe.id.clone(),
                name: recipe.name.clone(),
                why: why(found),
                amount: amount(found),
                servings: number(found.servings),
                calories: format!("{:.0}", recipe.macros.calories * found.servings),
            })
        };
        let nearest = explanation.nearest.as_ref().and_then(|near| {
            let recipe = book.get(near.recipe)?;
            let why = why_not(&near.name, &near.because);
            Some(NearestRecipe { id: recipe.id.clone(), name: recipe.name.clone(), why })
        });
        Self { matches: explanation.matches.iter().filter_map(matched).collect(), nearest }
    }
}

fn why(found: &ExplainedMatch) -> String {
    let kind = if found.is_alias { "alias" } else { "name" };
    let spelled = match found.slips {
        0 => String::new(),
        1 => " One letter differs, which is allowed in a name of this length.".to_owned(),
        slips => format!(" {slips} letters differ, which is allowed in a name of this length."),
    };
    format!("“{}” matches the {kind} “{}”.{spelled}", found.text, found.name)
}

fn amount(found: &ExplainedMatch) -> String {
    let quantity = number(found.quantity);
    let unit = units(found.quantity, &found.unit);
    match &found.counting {
        Counting::Unsaid => "No amount is given, so it counts as one serving.".to_owned(),
        Counting::Servings => format!("The amount, {quantity}, counts servings."),
        Counting::SameUnit { count, unit: known } | Counting::Converted { count, unit: known } => {
            let known = units(*count, known);
            format!("A serving is {} {known}, so {quantity} {unit} {}.", number(*count), in_servings(found))
        }
        Counting::OtherUnit => {
            format!("The serving size does not mention “{}”, so each one counts as one serving.", found.unit)
        }
        Counting::NoWeight => {
            format!("The serving size has no weight to compare {quantity} {unit} with, so it counts as one serving.")
        }
    }
}

fn why_not(name: &str, because: &Miss) -> String {
    match because {
        Miss::Part(missing) => {
            format!(
                "The whole name must be present. Missing from “{name}”: {}. An alias would help.",
                missing.join(", ")
            )
        }
        Miss::Company(words) => {
            format!("The text contains “{name}”, but “{}” next to it makes it a different food.", words.join(" "))
        }
        Miss::Scattered => format!("The text contains the words of “{name}”, but not together and in this order."),
        Miss::Spelling { slips, allowed } => {
            format!("“{name}” differs in {slips} letters; a name of this length may differ in {allowed}.")
        }
    }
}

/// Returns the amount in servings, with its verb.
fn in_servings(found: &ExplainedMatch) -> String {
    let is = if (found.quantity - 1.0).abs() < 1e-9 { "is" } else { "are" };
    let what = if (found.servings - 1.0).abs() < 1e-9 { "serving" } else { "servings" };
    format!("{is} {} {what}", number(found.servings))
}

/// Returns the unit in the plural if needed; abbreviations have none.
fn units(count: f64, unit: &str) -> String {
    let is_word = unit.len() > 3 && !unit.ends_with('s') && unit != "tbsp";
    if is_word && (count - 1.0).abs() > 1e-9 { format!("{unit}s") } else { unit.to_owned() }
}

/// Formats a number with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
