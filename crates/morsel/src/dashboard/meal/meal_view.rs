//! An estimate in words, numbers and shapes: what the template draws.

use answers::estimate::{AlternativeRow, EstimateAnswer, ItemRow, PhotoRow, RegionRow, SourceRow};
use askama::Template;
use askama::filters::HtmlSafe;
use meal::Translator;
use nutrition::Macros;

use super::pictogram::pictogram;
use crate::api::amount::unit_of;
use crate::dashboard::assets::{Asset, PICTOGRAMS};
use crate::dashboard::filters::group;

/// Alternatives of an item that are shown.
const MAX_ALTERNATIVES: usize = 4;
/// A dish seen with at least this confidence is not a guess.
const MIN_SURE: f64 = 0.8;
/// A share of the calories that comes from neither protein, carbs nor fat is shown if it is larger: alcohol.
const MIN_OTHER: f64 = 0.08;
/// The longest name in the hint.
const MAX_HINT: usize = 24;

/// What the page of a meal lets its user do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actions {
    /// Visitors look at it.
    None,
    /// Without scripts: open the foods.
    Links,
    /// With scripts: also correct the items.
    Corrections,
}

/// A meal. Its template escapes all text, so other templates do not need to.
#[derive(Debug, Template)]
#[template(path = "meal/meal.html")]
pub struct MealView {
    actions: Actions,
    pictograms: Asset,
    calories: String,
    /// Name, grams and share of the calories in percent.
    macros: [MacroView; 3],
    ring: Vec<Piece>,
    items: Vec<ItemView>,
    /// Words that were not found.
    unresolved: Vec<String>,
    /// Photos that show nothing known, counted from 1.
    empty_photos: Vec<String>,
    /// Questions about dishes that are not clear.
    questions: Vec<String>,
    /// The language of the texts, if it is not English.
    understood: Option<&'static str>,
    /// Numbers for a new recipe: a name, and the values with the names of the form's fields.
    recipe: (String, [(&'static str, f64); 4]),
}

#[derive(Debug)]
struct MacroView {
    name: &'static str,
    grams: String,
    percent: String,
}

/// A part of a bar or of the ring, in percent of its length.
#[derive(Debug)]
struct Piece {
    class: &'static str,
    from: f64,
    length: f64,
}

#[derive(Debug)]
struct ItemView {
    number: usize,
    name: String,
    picture: &'static str,
    calories: String,
    quantity: f64,
    unit: String,
    protein: String,
    carbs: String,
    fat: String,
    bar: Vec<Piece>,
    range: Option<RangeView>,
    is_sure: bool,
    tier: Option<(&'static str, &'static str, &'static str)>,
    weight: Option<String>,
    source: Option<LinkView>,
    recipe: Option<LinkView>,
    seen: Option<SeenView>,
    alternatives: Vec<AlternativeView>,
}

/// The likely range of calories, and where its ends are in percent of the bar's scale.
#[derive(Debug)]
struct RangeView {
    low: String,
    high: String,
    from: f64,
    to: f64,
}

#[derive(Debug)]
struct LinkView {
    href: String,
    label: String,
}

/// The photo that an item was seen in.
#[derive(Debug)]
struct SeenView {
    image: usize,
    how: String,
    /// Left, top, width and height in shares of the photo, if they are known.
    region: Option<String>,
}

#[derive(Debug)]
struct AlternativeView {
    food_id: String,
    name: String,
    calories: String,
}

impl HtmlSafe for MealView {}

impl MealView {
    /// Draws an answer that has all extras.
    pub fn new(answer: &EstimateAnswer, translator: &Translator, actions: Actions) -> Self {
        let high = |item: &ItemRow| item.range.map_or(0.0, |range| range.calories.high).max(item.macros.calories);
        let scale = answer.items.iter().map(high).fold(1.0, f64::max);
        let items = answer.items.iter().enumerate();
        let unresolved = answer.unresolved.iter().flatten();
        let (photos, unresolved): (Vec<String>, _) =
            unresolved.cloned().partition(|words: &String| words.starts_with("image "));
        let (questions, empty_photos) = photos.into_iter().partition(|words: &String| words.ends_with('?'));
        let Macros { calories, protein, carbs, fat } = answer.totals;
        let name = answer.items.iter().map(|item| short_name(&item.name)).collect::<Vec<_>>().join(", ");
        Self {
            actions,
            pictograms: PICTOGRAMS,
            calories: whole(calories),
            macros: macro_views(answer.totals),
            ring: pieces(answer.totals, 100.0),
            items: items.map(|(index, item)| ItemView::new(index + 1, item, scale)).collect(),
            unresolved,
            empty_photos,
            questions,
            understood: answer.language.and_then(|code| Some(translator.language(code)?.english_name())),
            recipe: (name, [("calories", calories), ("protein", protein), ("carbs", carbs), ("fat", fat)]),
        }
    }

    /// Returns what changed, for screen readers.
    fn summary(&self) -> String {
        let foods = if self.items.len() == 1 { "food" } else { "foods" };
        format!("{} {foods}, {} kilocalories", self.items.len(), self.calories)
    }

    /// Returns an example of what may be said next.
    fn hint(&self) -> String {
        let last = self.items.last().map(|item| short_name(&item.name).to_lowercase());
        let last = last.filter(|name| name.chars().count() <= MAX_HINT);
        last.map_or_else(|| "and a glass of water".to_owned(), |name| format!("no {name}, or: I only ate half of it"))
    }
}

impl ItemView {
    fn new(number: usize, item: &ItemRow, scale: f64) -> Self {
        let Macros { calories, protein, carbs, fat } = item.macros;
        let photo = item.source.as_ref().and_then(|source| source.photo.as_ref());
        let percent = |calories: f64| calories / scale * 100.0;
        let known = pictogram(&item.name);
        let named_by_publisher = || item.source.as_ref().map_or("plate", |source| pictogram(&source.name));
        Self {
            number,
            name: item.name.clone(),
            picture: if known == "plate" { named_by_publisher() } else { known },
            calories: whole(calories),
            quantity: item.quantity,
            unit: unit_of(item.quantity, &item.unit),
            protein: grams(protein),
            carbs: grams(carbs),
            fat: grams(fat),
            bar: pieces(item.macros, percent(calories)),
            range: item.range.map(|range| RangeView {
                low: whole(range.calories.low),
                high: whole(range.calories.high),
                from: percent(range.calories.low),
                to: percent(range.calories.high),
            }),
            is_sure: item.tier != Some("estimated")
                && photo.is_none_or(|photo| photo.by != "dish" && photo.by != "model" || photo.confidence >= MIN_SURE),
            tier: item.tier.map(tier),
            weight: weight(item),
            source: item.source.as_ref().and_then(source),
            recipe: item.recipe.as_ref().map(|recipe| LinkView {
                href: format!("/recipes/{}", recipe.id),
                label: format!("{} {}", recipe.servings, unit_of(recipe.servings, "serving")),
            }),
            seen: photo.map(|photo| SeenView {
                image: photo.image,
                how: seen(photo),
                region: photo.region.map(region),
            }),
            alternatives: alternatives(item),
        }
    }
}

/// Returns the parts of a bar of this length: by the calories of protein, carbs and fat, and what remains of alcohol.
fn pieces(macros: Macros, length: f64) -> Vec<Piece> {
    let parts = [("protein", macros.protein * 4.0), ("carbs", macros.carbs * 4.0), ("fat", macros.fat * 9.0)];
    let sum: f64 = parts.iter().map(|(_, calories)| calories).sum();
    let all = if macros.calories - sum > macros.calories * MIN_OTHER { macros.calories } else { sum };
    let mut from = 0.0;
    let mut pieces = Vec::new();
    for (class, calories) in parts.into_iter().chain([("other", all - sum)]) {
        let part = if all > 0.0 { calories / all * length } else { 0.0 };
        if part > 0.05 {
            pieces.push(Piece { class, from, length: part });
        }
        from += part;
    }
    pieces
}

fn macro_views(totals: Macros) -> [MacroView; 3] {
    let pieces = pieces(totals, 100.0);
    [("protein", totals.protein), ("carbs", totals.carbs), ("fat", totals.fat)].map(|(name, amount)| {
        let percent = pieces.iter().find(|piece| piece.class == name).map_or(0.0, |piece| piece.length);
        MacroView { name, grams: grams(amount), percent: format!("{percent:.0}") }
    })
}

/// Returns the name, label and explanation of a tier.
fn tier(name: &'static str) -> (&'static str, &'static str, &'static str) {
    match name {
        "recipe" => (name, "your recipe", "The values of your own recipe."),
        "measured" => (name, "measured", "The food and its weight were given."),
        "derived" => (name, "known portion", "The weight follows from a known portion of the food."),
        _ => (name, "typical portion", "The amount or the food is a guess."),
    }
}

/// Returns the weight of an item, and where it comes from unless the tier says so.
fn weight(item: &ItemRow) -> Option<String> {
    let weight = item.grams.as_ref()?;
    let source = match weight.how {
        "mass" => ", as stated",
        "density" => ", from its density",
        _ => "",
    };
    (item.unit != "g").then(|| format!("{} g{source}", grams(weight.grams)))
}

/// Returns the link to the food that the numbers come from; a label in a photo has no page.
fn source(source: &SourceRow) -> Option<LinkView> {
    let label = match source.origin {
        "label" => return None,
        "dish" => "composed dish",
        _ if source.source == "usda" => "USDA",
        _ if source.source == "branded" => "product label",
        _ => source.source,
    };
    Some(LinkView { href: format!("/foods/{}", source.food_id), label: label.to_owned() })
}

fn seen(photo: &PhotoRow) -> String {
    match photo.by {
        "barcode" => "barcode in the photo".to_owned(),
        "label" => "label in the photo".to_owned(),
        _ => format!("seen in the photo, {:.0} % sure", photo.confidence * 100.0),
    }
}

/// Writes a region for the script that places the pins.
fn region(RegionRow { left, top, width, height }: RegionRow) -> String {
    format!("{left} {top} {width} {height}")
}

/// Returns other foods that may be meant, each name once.
fn alternatives(item: &ItemRow) -> Vec<AlternativeView> {
    let mut shown: Vec<AlternativeView> = Vec::new();
    for AlternativeRow { food_id, name, calories } in item.alternatives.iter().flatten() {
        if *name != item.name && shown.iter().all(|other| other.name != *name) && shown.len() < MAX_ALTERNATIVES {
            shown.push(AlternativeView { food_id: food_id.clone(), name: name.clone(), calories: whole(*calories) });
        }
    }
    shown
}

/// Returns the part of a name before the first comma or bracket.
fn short_name(name: &str) -> &str {
    name.split([',', '(']).next().unwrap_or(name).trim()
}

fn whole(calories: f64) -> String {
    group(&format!("{calories:.0}"))
}

/// Formats grams with at most one decimal, and thousands separators.
fn grams(amount: f64) -> String {
    let text = format!("{amount:.1}");
    let (whole, decimal) = text.split_once('.').unwrap_or((&text, "0"));
    if decimal == "0" { group(whole) } else { format!("{}.{decimal}", group(whole)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_calories() {
        let burger = Macros { calories: 540.0, protein: 25.0, carbs: 45.0, fat: 28.0 };
        let bar = pieces(burger, 60.0);
        assert_eq!(bar.iter().map(|piece| piece.class).collect::<Vec<_>>(), ["protein", "carbs", "fat"]);
        let end = bar.last().map_or(0.0, |piece| piece.from + piece.length);
        assert!((end - 60.0).abs() < 1e-9, "{bar:?}");
        let wine = Macros { calories: 125.0, protein: 0.1, carbs: 3.8, fat: 0.0 };
        assert_eq!(pieces(wine, 100.0).last().map(|piece| piece.class), Some("other"), "alcohol");
        assert!(pieces(Macros::default(), 100.0).is_empty(), "water");
    }

    #[test]
    fn numbers_read_naturally() {
        assert_eq!([whole(1083.4), whole(0.0)], ["1,083", "0"]);
        assert_eq!([grams(12.0), grams(0.25), grams(1234.56)], ["12", "0.2", "1,234.6"]);
        assert_eq!(short_name("Greek Yogurt, Vanilla (Chobani)"), "Greek Yogurt");
    }
}
