//! A food made of the numbers of a printed table.

use foods::{Food, Nutrient, Nutrients, Origin, Portion, Serving};

/// The numbers of a label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// What they are printed for.
    pub per: Per,
    /// The printed serving, in words.
    pub serving: Option<String>,
    /// Its mass.
    pub grams: Option<f64>,
    /// Its volume.
    pub millilitres: Option<f64>,
    /// The numbers.
    pub facts: Facts,
}

/// What the numbers of a label are printed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// One serving.
    #[default]
    Serving,
    /// 100 grams.
    HundredGrams,
    /// 100 millilitres.
    HundredMillilitres,
}

/// What is printed; `None` where it is not, or could not be read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    /// Kilocalories.
    pub calories: Option<f64>,
    /// Grams.
    pub protein: Option<f64>,
    /// Grams.
    pub carbs: Option<f64>,
    /// Grams.
    pub fat: Option<f64>,
    /// Grams.
    pub fiber: Option<f64>,
    /// Grams.
    pub sugars: Option<f64>,
    /// Grams.
    pub saturated_fat: Option<f64>,
    /// Milligrams.
    pub sodium: Option<f64>,
}

/// A food made of a label.
pub(super) struct Made {
    pub food: Food,
    /// Whether the label tells what a serving weighs.
    pub has_mass: bool,
    /// One of the four numbers could not be read and follows from the others.
    pub is_derived: bool,
}

/// The food's name until somebody gives it another.
const NAME: &str = "Food with this label";

impl Label {
    /// The food that the label describes. `None` where more than one of the four numbers is missing.
    pub(super) fn food(&self) -> Option<Made> {
        let (facts, is_derived) = self.facts.completed()?;
        // A millilitre is taken for a gram: what a label for 100 ml says is said of a volume, and stays with it.
        let (grams, has_mass) = match (self.grams.or(self.millilitres), self.per) {
            (Some(grams), _) if (0.1..=5_000.0).contains(&grams) => (grams, true),
            (_, Per::Serving) => (100.0, false),
            (_, Per::HundredGrams | Per::HundredMillilitres) => (100.0, true),
        };
        let basis = if self.per == Per::Serving { grams } else { 100.0 };
        let mut nutrients = Nutrients::default();
        for (nutrient, value) in facts.values() {
            if let Some(value) = value {
                nutrients.set(nutrient, (value * 100.0 / basis) as f32);
            }
        }
        let printed = self.serving.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let description = match (printed, self.per) {
            (Some(text), _) => text.to_owned(),
            (None, Per::HundredMillilitres) if self.millilitres.is_none() => "100 ml".to_owned(),
            (None, Per::HundredGrams) if self.grams.is_none() => "100 g".to_owned(),
            (None, _) => "1 serving".to_owned(),
        };
        let food = Food {
            portions: vec![Portion::new(description.clone(), grams as f32)],
            density: Some(1.0),
            serving: Serving { description, grams: grams as f32 },
            ..Food::new("label", Origin::Label, NAME, nutrients)
        };
        Some(Made { food, has_mass, is_derived })
    }
}

impl Facts {
    fn values(self) -> [(Nutrient, Option<f64>); 8] {
        [
            (Nutrient::Calories, self.calories),
            (Nutrient::Protein, self.protein),
            (Nutrient::Carbs, self.carbs),
            (Nutrient::Fat, self.fat),
            (Nutrient::Fiber, self.fiber),
            (Nutrient::Sugars, self.sugars),
            (Nutrient::SaturatedFat, self.saturated_fat),
            (Nutrient::Sodium, self.sodium),
        ]
    }

    /// The facts with all four numbers, one of which may follow from the others: protein and carbohydrates have 4 kcal a
    /// gram, fat has 9.
    fn completed(self) -> Option<(Self, bool)> {
        let Self { calories, protein, carbs, fat, .. } = self;
        let rest = |energy: f64, known: f64, per_gram: f64| ((energy - known) / per_gram).max(0.0);
        Some(match (calories, protein, carbs, fat) {
            (Some(_), Some(_), Some(_), Some(_)) => (self, false),
            (None, Some(p), Some(c), Some(f)) => (Self { calories: Some(4.0 * p + 4.0 * c + 9.0 * f), ..self }, true),
            (Some(e), None, Some(c), Some(f)) => {
                (Self { protein: Some(rest(e, 4.0 * c + 9.0 * f, 4.0)), ..self }, true)
            }
            (Some(e), Some(p), None, Some(f)) => (Self { carbs: Some(rest(e, 4.0 * p + 9.0 * f, 4.0)), ..self }, true),
            (Some(e), Some(p), Some(c), None) => (Self { fat: Some(rest(e, 4.0 * p + 4.0 * c, 9.0)), ..self }, true),
            _ => return None,
        })
    }
}
