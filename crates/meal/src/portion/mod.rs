//! From an amount to grams: by the row of the food's own portions that fits, else by its density, else by its usual
//! serving.

use std::borrow::Cow;

use foods::text::{singular, words};
use foods::{Food, Origin, Unit};

mod inches;
mod rows;

pub(crate) mod usual;

pub(crate) mod table;
mod weight;

pub use weight::{Weight, WeightSource};

use rows::{best_row, overlap};
use table::{PortionRow, PortionTable};
use usual::{ADDITION, GRAMS_OF_SLICE, MAX_OF_SEVERAL, PIECE, SEVERAL, UsualPortions};

use crate::lexicon::{
    Measure, MeasureTrait, Role, Roles, TableTrait, measure_is, roles_in_any_language, table_traits, table_words,
};
use crate::read::named_foods::stands_for_food;
use crate::read::segment::{Quantity, SegmentWord, required};

/// Milliliters in a fluid ounce.
const FLUID_OUNCE: f64 = Unit::FluidOunce.milliliters().expect("a fluid ounce is a volume");
/// Grams in an ounce.
const OUNCE: f64 = Unit::Ounce.grams().expect("an ounce is a mass");
/// Fluid ounces, as tables of portions write them.
const FL_OZ: &str = "fl oz";
/// How well a food fits a measure that any food may come in.
const ANY: f32 = 0.5;
/// The measure of what can be poured.
const CUP: &str = "cup";
/// What a piece weighs at most of which a single one is seldom eaten, how many of them are less than a serving, and how many servings
/// are counted without a word for them.
const GRAMS_OF_TINY_PIECE: f64 = 6.0;
const MANY_PIECES: f64 = 8.0;
const MAX_SERVINGS: f64 = 3.0;
/// Words that begin the rows with which tables say what is usually added to another food.
const GUIDELINE: &str = "guideline";

/// Weighs an amount of a food; `typed` are the words of the mention.
pub(crate) fn weigh(
    table: &PortionTable<'_>,
    usual: UsualPortions<'_>,
    quantity: &Quantity,
    typed: &[SegmentWord],
) -> Weight {
    let weight = by_table(table, quantity, typed);
    if weight.source == WeightSource::Usual && counts_parts(table, usual, quantity) {
        let uncounted = Quantity::default();
        return usual.check(by_table(table, &uncounted, typed), &uncounted, typed);
    }
    let weight = usual.check(weight, quantity, typed);
    if let Some(servings) = of_serving(table, usual, quantity, typed, &weight) {
        return servings;
    }
    let inches = quantity.inches.filter(|_| quantity.unit.is_none());
    let count = quantity.amount.map_or(1.0, |amount| amount.value);
    inches.and_then(|inches| inches::weigh(table, inches, &weight, count)).unwrap_or(weight)
}

/// Returns servings, if what was weighed is so little of small pieces that nobody would name it: half of the fries are not half a
/// fry, and "1 fries" is no single one.
fn of_serving(
    table: &PortionTable<'_>,
    usual: UsualPortions<'_>,
    quantity: &Quantity,
    typed: &[SegmentWord],
    weight: &Weight,
) -> Option<Weight> {
    let is_counted = quantity.unit.is_none() && quantity.sizes.is_empty();
    let amount = quantity.amount.filter(|amount| (amount.explicit || amount.is_share) && is_counted)?;
    let uncounted = Quantity { is_plural: quantity.is_plural, ..Quantity::default() };
    let serving = usual.check(by_table(table, &uncounted, typed), &uncounted, typed);
    let piece = weight.grams / amount.value;
    let is_of_piece = if amount.is_share {
        serving.grams > piece * SEVERAL
    } else {
        let is_tiny = piece <= GRAMS_OF_TINY_PIECE && serving.grams > piece * MANY_PIECES;
        // Of a name in another language nobody knows whether it is in the plural.
        let is_local = usual.local > 0;
        is_tiny && amount.value <= MAX_SERVINGS && !is_local && !names_pieces(quantity, amount.value, typed, weight)
    };
    is_of_piece.then_some(Weight { grams: serving.grams * amount.value, source: WeightSource::Usual })
}

/// Checks whether a count is one of the pieces that were weighed: "1 raisin" and "2 raisins", but not "1 raisins" and "2 popcorn". Of
/// a product several are pieces: "3 Skittles".
fn names_pieces(quantity: &Quantity, count: f64, typed: &[SegmentWord], weight: &Weight) -> bool {
    let WeightSource::Portion(row) = &weight.source else { return true };
    let is_in_row = || words(row).iter().any(|word| typed.iter().any(|other| other.word == singular(word)));
    let is_product = || typed.iter().any(|word| stands_for_food(&word.word));
    if quantity.is_plural || is_product() { count > 1.0 } else { is_in_row() }
}

/// Checks whether pieces behind a dish are what is in it, since it does not come in them: "bacon sandwich (3 rashers)".
fn counts_parts(table: &PortionTable<'_>, usual: UsualPortions<'_>, quantity: &Quantity) -> bool {
    const DISHES: Roles = Roles::of(&[Role::Mixture, Role::Stewed]);
    let Some(unit) = quantity.unit.as_deref().filter(|_| quantity.trailing) else { return false };
    let holds = [MeasureTrait::Container, MeasureTrait::Vessel, MeasureTrait::Plain, MeasureTrait::Serving];
    let is_part = !holds.iter().any(|what| measure_is(unit, *what)) && usual.of(unit).is_none();
    is_part && words(&table.food.name).iter().any(|word| roles_in_any_language(word).any(DISHES))
}

/// Weighs an amount of a food by the portions of the tables.
fn by_table(table: &PortionTable<'_>, quantity: &Quantity, typed: &[SegmentWord]) -> Weight {
    let count = quantity.amount.map_or(1.0, |amount| amount.value);
    if quantity.unit.as_deref() == Some("oz") && table.is_drink() {
        // Ounces of a drink are fluid ounces.
        return by_fluid_ounces(table, count, typed);
    }
    if let Some(Measure::Mass(grams)) = quantity.measure {
        return Weight { grams: grams * count, source: WeightSource::Mass };
    }
    let is_volume = matches!(quantity.measure, Some(Measure::Volume(_)));
    if let Some(row) = named_row(table, typed).filter(|_| !is_volume) {
        return by_row(row, count);
    }
    if let Some(container) = &quantity.container {
        return contained(table, quantity, container, count);
    }
    if let (Some(Measure::Volume(milliliters)), Some(unit)) = (&quantity.measure, &quantity.unit) {
        // "a medium cup of ice cream" where the tables have one.
        if let Some(row) = sized_cup(table, quantity, typed) {
            return by_row(&row, count);
        }
        return by_volume(table, unit, *milliliters, count, typed);
    }
    let usual = |count: f64| Weight { grams: f64::from(table.food.serving.grams) * count, source: WeightSource::Usual };
    if let (Some(unit), Some(Measure::Household(volume))) = (&quantity.unit, &quantity.measure) {
        let is_vague = measure_is(unit, MeasureTrait::Vague);
        // "A small serving" may be what the tables call "1 small single serving bag".
        if (!is_vague || !quantity.sizes.is_empty())
            && let Some(row) = best_row(table, Some(unit), &sizes_of(table, quantity), typed)
        {
            return by_row(&row, count);
        }
        if let Some(milliliters) = volume
            && !measure_is(unit, MeasureTrait::Varies)
        {
            return by_volume(table, unit, *milliliters, count, typed);
        }
        return sized(table, quantity, typed).map_or_else(|| usual(count), |row| by_row(&row, count));
    }
    let row = sized(table, quantity, typed)
        .or_else(|| counted(table, quantity, typed).cloned())
        .or_else(|| single(table, quantity).cloned());
    let pieces = if are_pieces_of_dish(table, quantity) { SEVERAL } else { count };
    row.map_or_else(|| usual(pieces), |row| by_row(&row, count))
}

/// Returns the sizes of an amount, or that of a whole which is so many inches wide: "a slice of a 16 inch pizza".
fn sizes_of<'q>(table: &PortionTable<'_>, quantity: &'q Quantity) -> Cow<'q, [String]> {
    let is_size = |word: &str| table_traits(word).has(TableTrait::PlainSize);
    match quantity.inches.and_then(|inches| inches::size_word(table, inches, is_size)) {
        Some(size) if quantity.sizes.is_empty() => Cow::Owned(vec![size.to_owned()]),
        _ => Cow::Borrowed(&quantity.sizes),
    }
}

/// Checks whether a dish is named in the plural that is served by the piece: "fish tacos" are at least two.
fn are_pieces_of_dish(table: &PortionTable<'_>, quantity: &Quantity) -> bool {
    let serving = table.food.serving.grams;
    let is_one = |row: &PortionRow<'_>| row.unit() == PIECE && (row.grams - serving).abs() < 1.0;
    let is_small = f64::from(serving) < MAX_OF_SEVERAL;
    table.food.origin == Origin::Dish && quantity.are_several() && is_small && table.eaten().any(is_one)
}

/// Weighs what was added to another food without an amount, by the guideline amounts of the tables: milk in coffee, butter
/// on toast, dressing on a salad. Returns `None` if the tables have no guideline.
pub(crate) fn added_to(food: &Food, base: &PortionTable<'_>, base_grams: f64) -> Option<Weight> {
    let is = |what: TableTrait| table_words(what).any(|name| base.is_named(name));
    let row_of = |unit: &str| base.eaten().find(|row| row.unit() == unit);
    let units = |unit: &str| row_of(unit).map(|row| base_grams / f64::from(row.grams).max(0.1));
    let (about, times) = if let Some(fl_oz) = units(FL_OZ) {
        ("fl oz of beverage", fl_oz)
    } else if is(TableTrait::Bread) {
        let slices = base.eaten().filter(|row| matches!(row.unit(), "slice" | "medium or regular slice"));
        // Tables also weigh slices without their crust.
        let far = |row: &&PortionRow<'_>| (f64::from(row.grams) - GRAMS_OF_SLICE).abs();
        let slice = slices.min_by(|one, other| far(one).total_cmp(&far(other)));
        let slices = slice.map_or(1.0, |row| base_grams / f64::from(row.grams).max(0.1)).clamp(0.5, 8.0);
        ("slice of bread", if slices > 1.0 { slices.round() } else { slices })
    } else if is(TableTrait::Cereal) {
        ("cereal", units("cup").unwrap_or(1.0).clamp(0.25, 4.0))
    } else if is(TableTrait::Sandwich) {
        ("on regular sandwich", 1.0)
    } else if is(TableTrait::Salad) {
        ("salad", units("cup").unwrap_or(1.0).clamp(0.5, 4.0))
    } else {
        return None;
    };
    let row = food.portions.iter().find(|row| {
        let text = row.text.to_lowercase();
        text.starts_with(GUIDELINE) && text.contains(about) && row.grams > 0.0
    })?;
    Some(Weight { grams: f64::from(row.grams) * times, source: WeightSource::Portion(row.text.clone()) })
}

/// Checks whether a weight is that of an addition to another food.
pub(crate) fn is_addition(weight: &Weight) -> bool {
    let WeightSource::Portion(row) = &weight.source else { return false };
    row.starts_with(ADDITION) || row.to_lowercase().starts_with(GUIDELINE)
}

/// Checks whether an amount says something about which food is meant: few foods come in slices.
pub(crate) fn distinguishes_foods(quantity: &Quantity) -> bool {
    matches!(quantity.measure, Some(Measure::Household(_) | Measure::Volume(_)))
        || !quantity.sizes.is_empty()
        || quantity.container.is_some()
        || quantity.measure.is_none() && quantity.amount.is_some_and(|amount| amount.explicit && !amount.is_share)
}

/// Returns how well the portions of a food fit an amount, from 0 to 1: a row for the unit, and one for each of the sizes.
pub(crate) fn fit(table: &PortionTable<'_>, quantity: &Quantity, typed: &[SegmentWord]) -> f32 {
    if let (Some(Measure::Volume(_)), Some(unit)) = (&quantity.measure, &quantity.unit) {
        // No one eats a cup of cereal bars.
        let has_row = table.eaten().any(|row| row.unit() == unit);
        return if has_row { 1.0 } else { 0.0 };
    }
    let unit = quantity.unit.as_deref().filter(|_| matches!(quantity.measure, Some(Measure::Household(_))));
    if unit.is_none() && quantity.sizes.is_empty() && quantity.container.is_none() {
        // Pieces were counted: does the food come in pieces?
        return if counted(table, quantity, typed).or_else(|| single(table, quantity)).is_some() { 1.0 } else { 0.0 };
    }
    let Some(row) = best_row(table, unit, &quantity.sizes, typed) else { return 0.0 };
    let sizes = quantity.sizes.iter().filter(|size| row.words().contains(&singular(size))).count();
    let exact = unit.is_some_and(|unit| row.words().iter().any(|word| word == unit));
    let in_all = 1 + quantity.sizes.len();
    (if exact { 1.0 } else { 0.5 } + sizes as f32) / in_all as f32
}

/// Returns how well a food comes in the unit of an amount, from 0 to 1: anything may be weighed, and nobody eats bottles of chips.
pub(crate) fn comes_in(table: &PortionTable<'_>, usual: UsualPortions<'_>, quantity: &Quantity) -> f32 {
    let Some(unit) = quantity.unit.as_deref() else { return 0.0 };
    let is_listed = || usual.of(unit).is_some() || table.eaten().any(|row| row.unit() == unit);
    let is = |what: MeasureTrait| measure_is(unit, what);
    match quantity.measure {
        Some(Measure::Mass(_)) if unit == "oz" && table.is_drink() => 1.0,
        Some(Measure::Mass(_)) => ANY,
        Some(Measure::Volume(_)) if table.is_drink() || is_listed() => 1.0,
        // What is measured in cups may be liquid.
        Some(Measure::Volume(_)) if table.eaten().any(|row| row.unit() == CUP) => ANY / 2.0,
        Some(Measure::Household(_)) if is_listed() || is(MeasureTrait::Vessel) && table.is_drink() => 1.0,
        Some(Measure::Household(_)) if is(MeasureTrait::Serving) || is(MeasureTrait::Varies) => ANY,
        _ => 0.0,
    }
}

/// Returns the row of a product that the text names: "1 Snapple bottle", "1 Kool-Aid Jammers pouch".
fn named_row<'t, 'a>(table: &'t PortionTable<'a>, typed: &[SegmentWord]) -> Option<&'t PortionRow<'a>> {
    let is_typed = |word: &String| typed.iter().any(|other| other.word == *word);
    let mut best: Option<(usize, &PortionRow<'_>)> = None;
    // A product is called by its maker first: "Dove milk chocolate bar" is not just any milk chocolate.
    let is_called = |row: &&PortionRow<'_>| row.proper().first().is_some_and(is_typed);
    for row in table.eaten().filter(is_called) {
        let matched = row.proper().iter().filter(|word| is_typed(word)).count();
        let is_new = row.proper().iter().any(|word| is_typed(word) && !table.is_named(word));
        let is_other_size = row.words().iter().any(|word| table_traits(word).has(TableTrait::Size) && !is_typed(word));
        if is_new && !is_other_size && matched * 2 > row.proper().len() && best.is_none_or(|(most, _)| matched > most) {
            best = Some((matched, row));
        }
    }
    best.map(|(_, row)| row)
}

fn by_row(row: &PortionRow<'_>, count: f64) -> Weight {
    let amount = f64::from(row.amount()).max(0.01);
    // A "6 inch sub" is one sub, but nobody eats six of them: "6 inches of a sub".
    let amount = if row.unit().starts_with("inch") && count < amount { 1.0 } else { amount };
    // "half a sandwich" is one half.
    let count = if usual::is_part(row.unit(), count) { 1.0 } else { count };
    Weight { grams: f64::from(row.grams) * count / amount, source: WeightSource::Portion(row.text.to_owned()) }
}

/// Weighs cans, bottles or packets of a known size.
fn contained(table: &PortionTable<'_>, quantity: &Quantity, container: &Measure, count: f64) -> Weight {
    match container {
        Measure::Mass(grams) if quantity.container_in_ounces && table.is_drink() => {
            by_fluid_ounces(table, count * grams / OUNCE, &[])
        }
        Measure::Mass(grams) => Weight { grams: grams * count, source: WeightSource::Mass },
        Measure::Volume(milliliters) => {
            let fl_oz = milliliters / FLUID_OUNCE;
            let size = format!("({} {FL_OZ}", trimmed(fl_oz));
            let unit = quantity.unit.as_deref();
            let row =
                table.all().find(|row| row.text.contains(&size) && unit.is_some_and(|unit| row.text.contains(unit)));
            match row {
                Some(row) => by_row(row, count),
                None => by_fluid_ounces(table, count * fl_oz, &[]),
            }
        }
        Measure::Household(_) => {
            Weight { grams: f64::from(table.food.serving.grams) * count, source: WeightSource::Usual }
        }
    }
}

/// Writes a number with at most one decimal.
fn trimmed(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

fn by_fluid_ounces(table: &PortionTable<'_>, count: f64, typed: &[SegmentWord]) -> Weight {
    by_volume(table, FL_OZ, FLUID_OUNCE, count, typed)
}

/// Weighs a volume by the row of its unit, else by the density.
fn by_volume(table: &PortionTable<'_>, unit: &str, milliliters: f64, count: f64, typed: &[SegmentWord]) -> Weight {
    let rows = table.eaten().filter(|row| row.unit() == unit);
    let fits = |row: &&PortionRow<'_>| overlap(row, typed);
    if let Some(row) =
        rows.min_by(|one, other| fits(other).total_cmp(&fits(one)).then(one.text.len().cmp(&other.text.len())))
    {
        return by_row(row, count);
    }
    let density = f64::from(table.food.density.unwrap_or(1.0));
    Weight { grams: milliliters * count * density, source: WeightSource::Density }
}

/// Returns the row of a cup that comes in several sizes.
fn sized_cup<'a>(table: &PortionTable<'a>, quantity: &Quantity, typed: &[SegmentWord]) -> Option<PortionRow<'a>> {
    let is_size = |size: &String| table_traits(size).has(TableTrait::PlainSize);
    let size = quantity.sizes.iter().find(|size| is_size(size)).filter(|_| quantity.unit.as_deref() == Some("cup"))?;
    best_row(table, Some("cup"), &quantity.sizes, typed).filter(|row| row.words().contains(size))
}

/// Returns the row that the sizes name: "a large latte", "a small bag".
fn sized<'a>(table: &PortionTable<'a>, quantity: &Quantity, typed: &[SegmentWord]) -> Option<PortionRow<'a>> {
    if quantity.sizes.is_empty() {
        return None;
    }
    best_row(table, None, &quantity.sizes, typed)
}

/// Returns the row that counts pieces: "1 cookie" for "2 cookies".
fn counted<'t, 'a>(
    table: &'t PortionTable<'a>,
    quantity: &Quantity,
    typed: &[SegmentWord],
) -> Option<&'t PortionRow<'a>> {
    quantity.amount?;
    if table.is_drink() {
        // "a soft drink" is the usual one, not the one in the middle.
        return None;
    }
    let main = words(table.food.name.split([',', '(']).next().unwrap_or(""));
    let counts = |row: &&PortionRow<'_>| {
        let unit = row.unit();
        let mut lasts = row.units().filter_map(|unit| unit.rsplit(' ').next());
        // "15 Pringles" are chips.
        let is_meant = lasts
            .any(|last| typed.iter().any(|word| word.word == last) || main.last().is_some_and(|head| head == last));
        let is_typed = |word: &str| typed.iter().any(|other| other.word == word);
        let is_sized = || unit.split(' ').any(|word| table_traits(word).has(TableTrait::Size) && !is_typed(word));
        !unit.is_empty() && is_meant && !is_sized() && foods::Unit::parse(unit).is_none()
    };
    let mut rows: Vec<&PortionRow<'_>> = table.eaten().filter(counts).collect();
    // "chicken tenders" are tenders before they are chicken.
    let last = |row: &PortionRow<'_>| row.unit().rsplit(' ').next().map(str::to_owned);
    let mut names = required(typed).rev().map(|word| Some(word.word.clone()));
    if let (Some(head), Some(before)) = (names.next(), names.next())
        && rows.iter().any(|row| last(row) == head)
    {
        rows.retain(|row| last(row) != before || !row.unit().contains(' '));
    }
    // A chicken tender is no "popcorn chicken".
    let is_typed = |word: &str| typed.iter().any(|other| other.word == word);
    let is_other_kind = |row: &&PortionRow<'_>| {
        let mut words = row.unit().rsplit(' ');
        let names_material = words.next().is_some_and(|last| main.iter().rev().skip(1).any(|word| word == last));
        names_material && words.any(|word| !is_typed(word) && !table_traits(word).has(TableTrait::Neutral))
    };
    if !rows.iter().all(is_other_kind) {
        rows.retain(|row| !is_other_kind(row));
    }
    let usual = table.food.serving.grams;
    // The piece of usual weight, if there is one; else the plainest.
    rows.iter()
        .find(|row| (row.grams - usual).abs() < 0.01)
        .or_else(|| rows.iter().min_by_key(|row| row.text.len()))
        .copied()
}

/// Checks whether a composed dish is measured by the piece before anything else, so that "a gyoza" is one, and "gyoza" a plate.
fn is_eaten_by_piece(table: &PortionTable<'_>) -> bool {
    let first = table.eaten().next().filter(|_| table.food.origin == Origin::Dish);
    first.is_some_and(|row| table_words(TableTrait::Single).any(|piece| row.unit() == piece))
}

/// Returns the row of one piece, if pieces were counted: "1 fruit", "1 nut", "1 medium".
fn single<'t, 'a>(table: &'t PortionTable<'a>, quantity: &Quantity) -> Option<&'t PortionRow<'a>> {
    // "a whole avocado" is one of them.
    let is_whole = quantity.sizes.iter().any(|size| size == "whole");
    let amount = quantity.amount.filter(|amount| amount.explicit || is_whole || is_eaten_by_piece(table))?;
    if table.is_drink() {
        return None;
    }
    let unit_is = |row: &&PortionRow<'_>, piece: &str| {
        let unit = row.unit();
        unit == piece
            || unit.split(' ').next_back() == Some(piece) && unit.split(' ').count() == 2 && unit.starts_with("baby")
    };
    // Three or more are rather pieces that a food is cut into than whole servings of it.
    let cut = table_words(TableTrait::Cut).filter(|_| amount.value >= 3.0);
    // One salad of ours is neither half of one nor a large one.
    let is_other = |piece: &str| usual::names_part(piece) || table_traits(piece).has(TableTrait::Size);
    let is_own = table.food.origin == Origin::Dish;
    let mut pieces = table_words(TableTrait::Single).chain(cut).filter(|piece| !(is_own && is_other(piece)));
    pieces.find_map(|piece| table.eaten().find(|row| unit_is(row, piece)))
}
