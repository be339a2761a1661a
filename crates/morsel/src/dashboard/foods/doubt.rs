//! Labels that cannot be right. Makers type them into databases, and nobody checks: a cola without calories, a bottle with
//! the values of its syrup.

use ::foods::{Food, Nutrient, Origin};

/// Kilocalories in 100 g by which a label may be off: rounding, and what is neither protein, carbs nor fat.
const TOLERANCE: f64 = 60.0;
/// The most grams of carbs in 100 g of something to drink; syrups have more.
const MAX_DRINK_CARBS: f64 = 30.0;
/// A serving of a drink has at least as many grams; one of a syrup has less.
const MIN_DRINK_GRAMS: f32 = 200.0;

/// Returns why the values of a product are doubtful.
pub(super) fn doubt(food: &Food) -> Option<&'static str> {
    if !matches!(food.origin, Origin::FdcBranded | Origin::OpenFoodFacts) {
        return None;
    }
    let value = |nutrient| food.nutrients.get(nutrient).map_or(0.0, f64::from);
    let [calories, protein, carbs, fat, fiber] =
        [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat, Nutrient::Fiber].map(value);
    let explained = protein * 4.0 + carbs * 4.0 + fat * 9.0;
    if calories + explained == 0.0 {
        return Some("All values are 0. The label may be missing.");
    }
    if is_drink(food) && carbs > MAX_DRINK_CARBS {
        return Some("This is more sugar than a drink can have.");
    }
    if calories > explained * 1.2 + TOLERANCE && !has_alcohol(food) {
        return Some("These are more calories than its protein, carbs and fat have.");
    }
    // Fiber and sweeteners have fewer calories than other carbs.
    let least = (explained - (fiber * 4.0)) / 2.0 - TOLERANCE;
    (calories < least).then_some("These are fewer calories than its protein, carbs and fat have.")
}

/// Reports whether a serving is a glass or a bottle.
fn is_drink(food: &Food) -> bool {
    let text = food.serving.description.to_lowercase();
    food.serving.grams >= MIN_DRINK_GRAMS && ["fl oz", "ml", "bottle", "can ("].iter().any(|word| text.contains(word))
}

/// Reports whether a product may have alcohol, which is none of the values.
fn has_alcohol(food: &Food) -> bool {
    let category = food.category.as_deref().unwrap_or_default().to_lowercase();
    ["alcohol", "beer", "wine", "liquor", "spirit"].iter().any(|word| category.contains(word))
}

#[cfg(test)]
mod tests {
    use ::foods::{Nutrients, Serving};

    use super::*;

    fn product(values: [f32; 4], serving: &str, grams: f32) -> Food {
        let mut nutrients = Nutrients::default();
        for (nutrient, value) in
            [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat].iter().zip(values)
        {
            nutrients.set(*nutrient, value);
        }
        let mut food = Food::new("off_1", Origin::OpenFoodFacts, "Cola", nutrients);
        food.serving = Serving { description: serving.to_owned(), grams };
        food
    }

    #[test]
    fn labels_that_cannot_be_right_are_doubted_and_no_others() {
        let is_doubted = |values, serving, grams| doubt(&product(values, serving, grams)).is_some();
        assert!(is_doubted([0.0, 0.0, 0.0, 0.0], "1 can (360 g)", 360.0), "no values");
        assert!(is_doubted([280.0, 0.0, 77.0, 0.0], "12 fl oz (360 ml)", 360.0), "a bottle of syrup");
        assert!(is_doubted([500.0, 1.0, 10.0, 1.0], "1 bar", 40.0), "too many calories");
        assert!(is_doubted([10.0, 10.0, 60.0, 10.0], "1 bar", 40.0), "too few");
        assert!(!is_doubted([42.0, 0.0, 10.6, 0.0], "12 fl oz (360 ml)", 360.0), "cola");
        assert!(!is_doubted([280.0, 0.0, 70.0, 0.0], "1 tbsp (15 ml)", 20.0), "syrup");
        assert!(!is_doubted([240.0, 0.0, 92.0, 0.0], "1 piece", 3.0), "candy with sweeteners");
        assert!(!is_doubted([884.0, 0.0, 0.0, 100.0], "1 tbsp", 14.0), "oil");
        let mut wine = product([83.0, 0.1, 2.6, 0.0], "5 fl oz (148 ml)", 148.0);
        wine.category = Some("Alcohol".to_owned());
        assert_eq!(doubt(&wine), None);
        let own = Food { origin: Origin::Fndds2021, ..product([0.0; 4], "1 cup", 240.0) };
        assert_eq!(doubt(&own), None, "water");
    }
}
