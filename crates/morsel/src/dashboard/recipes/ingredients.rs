//! The ingredients of a recipe, as its form submits them.

use crate::api::recipes::ingredients::{Ingredient, IngredientList, MAX_AMOUNT, MAX_INGREDIENTS, RecipeBasis};
use crate::dashboard::form::Form;

/// Reads what was submitted: `food`, `food_name`, `amount` and `unit` for each ingredient, `servings` and `basis`.
pub(super) fn submitted(form: &Form) -> IngredientList {
    let amounts = form.all("amount").zip(form.all("unit"));
    let rows = form.all("food").zip(form.all("food_name")).zip(amounts);
    let list = rows.take(MAX_INGREDIENTS).map(|((food_id, name), (amount, unit))| Ingredient {
        food_id: food_id.to_owned(),
        name: name.chars().take(200).collect(),
        quantity: number(amount).unwrap_or(0.0),
        unit: unit.to_owned(),
    });
    let basis = if form.text("basis") == "100g" { RecipeBasis::HundredGrams } else { RecipeBasis::Serving };
    let servings = number(form.text("servings")).filter(|servings| *servings > 0.0).unwrap_or(1.0);
    IngredientList { basis, servings, list: list.collect() }
}

/// Reads a number that may have a decimal comma.
fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok().filter(|number| (0.0..=MAX_AMOUNT).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_and_stored() {
        let mut form = Form::default();
        for (name, value) in [
            ("food", "fndds_1"),
            ("food_name", "Rice"),
            ("amount", "1,5"),
            ("unit", "1 cup"),
            ("food", "sr_2"),
            ("food_name", "Oil"),
            ("amount", "lots"),
            ("unit", "g"),
            ("servings", "0"),
            ("basis", "100g"),
        ] {
            form.set(name, value.to_owned());
        }
        let read = submitted(&form);
        let quantities: Vec<f64> = read.list.iter().map(|ingredient| ingredient.quantity).collect();
        assert_eq!(
            (quantities.as_slice(), read.servings, read.basis),
            (&[1.5, 0.0][..], 1.0, RecipeBasis::HundredGrams)
        );
        let text = read.to_json().expect("not empty");
        assert!(
            text.starts_with(r#"{"basis":"100g","servings":1.0,"list":[{"food_id":"fndds_1","name":"Rice""#),
            "{text}"
        );
        assert_eq!(IngredientList::from_json(&text), Some(read));
        assert_eq!(IngredientList::from_json("[]"), None);
        assert_eq!(IngredientList::default().to_json(), None);
    }
}
