//! Which recipe a text would match and why, in sentences.

use meal::{Counting, Explanation, Match, Miss, RecipeBook};

/// The answer to “which recipe would this text match?”.
#[derive(Debug)]
pub(super) struct Verdict {
    pub matches: Vec<Matched>,
    /// The recipe that came closest where none matches.
    pub nearest: Option<Near>,
}

/// A recipe that the text means.
#[derive(Debug)]
pub(super) struct Matched {
    pub id: String,
    pub name: String,
    /// By which words.
    pub why: String,
    /// How the amount became servings.
    pub amount: String,
    pub servings: String,
    pub calories: String,
}

/// A recipe that the text nearly means.
#[derive(Debug)]
pub(super) struct Near {
    pub id: String,
    pub name: String,
    pub why: String,
}

impl Verdict {
    /// Puts an explanation into words.
    pub fn new(explanation: &Explanation, book: &RecipeBook) -> Self {
        let matched = |found: &Match| {
            let recipe = book.get(found.recipe)?;
            Some(Matched {
                id: recipe.id.clone(),
                name: recipe.name.clone(),
                why: why(found),
                amount: amount(found),
                servings: number(found.servings),
                calories: format!("{:.0}", recipe.calories * found.servings),
            })
        };
        let nearest = explanation.nearest.as_ref().and_then(|near| {
            let recipe = book.get(near.recipe)?;
            let why = why_not(&near.name, &near.because);
            Some(Near { id: recipe.id.clone(), name: recipe.name.clone(), why })
        });
        Self { matches: explanation.matches.iter().filter_map(matched).collect(), nearest }
    }
}

fn why(found: &Match) -> String {
    let kind = if found.is_alias { "alias" } else { "name" };
    let spelled = match found.slips {
        0 => String::new(),
        1 => " One letter is different, which a name of this length may have.".to_owned(),
        slips => format!(" {slips} letters are different, which a name of this length may have."),
    };
    format!("“{}” is its {kind} “{}”.{spelled}", found.text, found.name)
}

fn amount(found: &Match) -> String {
    let quantity = number(found.quantity);
    let unit = units(found.quantity, &found.unit);
    match &found.counting {
        Counting::Unsaid => "No amount was said, so it is one serving.".to_owned(),
        Counting::Servings => format!("{quantity} was said, which counts servings."),
        Counting::SameUnit { count, unit: known } => {
            let known = units(*count, known);
            format!("A serving is {} {known}, so {quantity} {unit} {}.", number(*count), are(found))
        }
        Counting::Converted { count, unit: known } => {
            let known = units(*count, known);
            format!("A serving is {} {known}; {quantity} {unit} {}.", number(*count), are(found))
        }
        Counting::OtherUnit => {
            format!("The serving's description does not have “{}”, so each counts as one serving.", found.unit)
        }
        Counting::NoWeight => {
            format!("The serving's description has no weight to compare {quantity} {unit} with, so it is one serving.")
        }
    }
}

fn why_not(name: &str, because: &Miss) -> String {
    match because {
        Miss::Part(missing) => {
            format!("The whole name must be there; missing of “{name}”: {}. An alias would help.", missing.join(", "))
        }
        Miss::Company(words) => {
            format!("“{name}” is there, but “{}” beside it makes it another food.", words.join(" "))
        }
        Miss::Scattered => format!("The words of “{name}” are there, but not together in this order."),
        Miss::Spelling { slips, allowed } => {
            format!("“{name}” is {slips} letters away; a name of this length may have {allowed} wrong.")
        }
    }
}

/// What the amount is in servings.
fn are(found: &Match) -> String {
    let is = if (found.quantity - 1.0).abs() < 1e-9 { "is" } else { "are" };
    let what = if (found.servings - 1.0).abs() < 1e-9 { "serving" } else { "servings" };
    format!("{is} {} {what}", number(found.servings))
}

/// A unit as one says it of so many; abbreviations stay as they are.
fn units(count: f64, unit: &str) -> String {
    let is_word = unit.len() > 3 && !unit.ends_with('s') && unit != "tbsp";
    if is_word && (count - 1.0).abs() > 1e-9 { format!("{unit}s") } else { unit.to_owned() }
}

/// A number with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
