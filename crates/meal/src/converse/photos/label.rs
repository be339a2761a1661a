//! Makes a food of the numbers of a label.

use foods::{Food, Nutrient, Nutrients, Origin, Portion, Serving};
use nutrition::sighting::{Label, NutritionFacts, Per};

/// A food made from a label.
pub(super) struct LabelFood {
    pub food: Food,
    /// Whether the label says what a serving weighs.
    pub has_mass: bool,
    /// Whether one of the four numbers could not be read and was derived from the others.
    pub is_derived: bool,
}

/// The name of the food unless the user names it.
const NAME: &str = "Food with this label";

/// Returns the food that a label describes, or `None` if more than one of the four numbers is missing.
pub(super) fn food_of(label: &Label) -> Option<LabelFood> {
    let (facts, is_derived) = label.facts.completed()?;
    let serving = label.serving.as_ref();
    let (grams, milliliters) = serving.map_or((None, None), |serving| (serving.grams, serving.milliliters));
    // A milliliter counts as a gram: the numbers for 100 ml refer to a volume, and so do the amounts that people report.
    let (serving_grams, has_mass) = match (grams.or(milliliters), label.per) {
        (Some(grams), _) if (0.1..=5_000.0).contains(&grams) => (grams, true),
        (_, Per::Serving) => (100.0, false),
        (_, Per::HundredGrams | Per::HundredMilliliters) => (100.0, true),
    };
    let basis = if label.per == Per::Serving { serving_grams } else { 100.0 };
    let mut nutrients = Nutrients::default();
    for (nutrient, value) in nutrients_of(&facts) {
        if let Some(value) = value {
            nutrients.set(nutrient, (value * 100.0 / basis) as f32);
        }
    }
    let printed = serving.map(|serving| serving.text.trim()).filter(|text| !text.is_empty());
    let description = match (printed, label.per) {
        (Some(text), _) => text.to_owned(),
        (None, Per::HundredMilliliters) if milliliters.is_none() => "100 ml".to_owned(),
        (None, Per::HundredGrams) if grams.is_none() => "100 g".to_owned(),
        (None, _) => "1 serving".to_owned(),
    };
    let food = Food {
        portions: vec![Portion::new(description.clone(), serving_grams as f32)],
        density: Some(1.0),
        serving: Serving { description, grams: serving_grams as f32 },
        ..Food::new("label", Origin::Label, NAME, nutrients)
    };
    Some(LabelFood { food, has_mass, is_derived })
}

fn nutrients_of(facts: &NutritionFacts) -> [(Nutrient, Option<f64>); 8] {
    [
        (Nutrient::Calories, facts.macros.calories),
        (Nutrient::Protein, facts.macros.protein),
        (Nutrient::Carbs, facts.macros.carbs),
        (Nutrient::Fat, facts.macros.fat),
        (Nutrient::Fiber, facts.fiber),
        (Nutrient::Sugars, facts.sugars),
        (Nutrient::SaturatedFat, facts.saturated_fat),
        (Nutrient::Sodium, facts.sodium),
    ]
}
