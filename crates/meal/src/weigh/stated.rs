//! Numbers of the eater: who has read the label knows better than any table.

use nutrition::Macros;

use super::item::Item;
use crate::portion::WeightSource;
use crate::read::segment::Quantity;

/// Kilocalories in a gram.
const PER_GRAM: Macros = Macros { calories: 0.0, protein: 4.0, carbs: 4.0, fat: 9.0 };

/// Puts the numbers that the eater states in place of those of the table.
///
/// Calories say how much of the food it was, unless its mass is stated too. A nutrient changes the calories by what it
/// differs from the table, unless they are stated too.
pub(crate) fn with_stated_numbers(quantity: &Quantity, mut item: Item) -> Item {
    if !quantity.is_stated() {
        return item;
    }
    let count = quantity.amount.filter(|_| quantity.stated.each).map_or(1.0, |amount| amount.value);
    let stated = quantity.stated.numbers.map(|number| number.map(|number| number * count));
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
