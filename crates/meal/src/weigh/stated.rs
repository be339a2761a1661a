//! Numbers of the eater: who has read the label knows better than any table.

use nutrition::Macros;

use super::item::Item;
use crate::lexicon::Measure;
use crate::portion::WeightSource;
use crate::read::segment::Quantity;

/// What a size of so many calories ends with, and the most of them that one pack has.
const CALORIE: &str = "calorie";
const MAX_OF_PACK: f64 = 2_000.0;
/// A soda of no calories is no smaller for it.
const MIN_OF_PACK: f64 = 10.0;
/// Kilocalories in a gram.
const PER_GRAM: Macros = Macros { calories: 0.0, protein: 4.0, carbs: 4.0, fat: 9.0 };

/// Puts the numbers that the eater states in place of those of the table.
///
/// Calories say how much of the food it was, unless its mass is stated too. A nutrient changes the calories by what it
/// differs from the table, unless they are stated too.
pub(crate) fn with_stated_numbers(quantity: &Quantity, mut item: Item) -> Item {
    let of_pack = calories_of_pack(quantity, &item);
    if !quantity.is_stated() && of_pack.is_none() {
        return item;
    }
    // "chicken breast 6 oz 280 cal" has 280 in all.
    let is_measured = matches!(quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)));
    let is_of_each = quantity.stated.each || of_pack.is_some() && !is_measured;
    let count = quantity.amount.filter(|_| is_of_each).map_or(1.0, |amount| amount.value);
    let mut stated = quantity.stated.numbers.map(|number| number.map(|number| number * count));
    stated.calories = stated.calories.or(of_pack.map(|calories| calories * count));
    if let Some(calories) = stated.calories
        && item.weight.source != WeightSource::Mass
        && item.macros.calories > 0.0
    {
        let factor = calories / item.macros.calories;
        item.weight.grams *= factor;
        item.macros = item.macros.times(factor);
        item.range.low = item.range.low.times(factor);
        item.range.high = item.range.high.times(factor);
    }
    let more = stated.zip_with(item.macros, |stated, known| stated.map_or(0.0, |stated| stated - known));
    let more = more.zip_with(PER_GRAM, |grams, calories| grams * calories);
    let is_energy_known = stated.calories.is_some();
    let shift = if is_energy_known { 0.0 } else { more.protein + more.carbs + more.fat };
    let shifted = |numbers: Macros| Macros { calories: (numbers.calories + shift).max(0.0), ..numbers };
    let with_stated = |numbers: Macros| stated.unwrap_or(shifted(numbers)).shown();
    item.macros = with_stated(item.macros);
    item.range.low = with_stated(item.range.low);
    item.range.high = with_stated(item.range.high);
    item
}

/// Returns the calories that a size says one has, unless the portion is called so itself: "a 90 calorie yogurt".
fn calories_of_pack(quantity: &Quantity, item: &Item) -> Option<f64> {
    let number = quantity.sizes.windows(2).find(|two| two[1] == CALORIE).map(|two| two[0].as_str())?;
    let is_called_so = matches!(&item.weight.source, WeightSource::Portion(row) if row.contains(number));
    let calories = number.parse::<f64>().ok().filter(|calories| (MIN_OF_PACK..=MAX_OF_PACK).contains(calories));
    calories.filter(|_| !is_called_so)
}
