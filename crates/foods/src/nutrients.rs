//! What a food contains, per 100 g.
//!
//! A value that the source does not give is absent, never zero: "unknown" and "none" lead to different answers.
//!
//! Carbs are total carbohydrate, fiber included, as USDA counts them. Many tables publish available carbohydrate instead,
//! without fiber: such a food has both, [`Nutrient::AvailableCarbs`] as published and [`Nutrient::Carbs`] as its sum with fiber.

use serde::Serialize;
use serde::ser::SerializeMap;

/// Declares the nutrients: variant and name in JSON (with its unit).
macro_rules! nutrients {
    ($($variant:ident $name:literal),+ $(,)?) => {
        /// A nutrient in the catalog. The discriminant is part of the file format: append only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names are the documentation")]
        pub enum Nutrient { $($variant),+ }

        impl Nutrient {
            /// Every nutrient, in the order of the file format.
            pub const ALL: &'static [Nutrient] = &[$(Nutrient::$variant),+];

            /// Returns the name in responses; the suffix is the unit unless it is gram or kilocalorie.
            pub const fn name(self) -> &'static str {
                match self { $(Nutrient::$variant => $name),+ }
            }
        }
    };
}

nutrients! {
    Calories "calories",
    Protein "protein",
    Carbs "carbs",
    Fat "fat",
    Fiber "fiber",
    Sugars "sugars",
    SaturatedFat "saturated_fat",
    Sodium "sodium_mg",
    Cholesterol "cholesterol_mg",
    Calcium "calcium_mg",
    Iron "iron_mg",
    Potassium "potassium_mg",
    AddedSugars "added_sugars",
    TransFat "trans_fat",
    MonounsaturatedFat "monounsaturated_fat",
    PolyunsaturatedFat "polyunsaturated_fat",
    Magnesium "magnesium_mg",
    Phosphorus "phosphorus_mg",
    Zinc "zinc_mg",
    Selenium "selenium_mcg",
    VitaminA "vitamin_a_mcg",
    VitaminC "vitamin_c_mg",
    VitaminD "vitamin_d_mcg",
    VitaminE "vitamin_e_mg",
    VitaminK "vitamin_k_mcg",
    VitaminB6 "vitamin_b6_mg",
    VitaminB12 "vitamin_b12_mcg",
    Folate "folate_mcg",
    Choline "choline_mg",
    Caffeine "caffeine_mg",
    Alcohol "alcohol",
    Water "water",
    AvailableCarbs "available_carbs",
}

impl Nutrient {
    /// Those that a search result shows, which are the first in the order of the file format.
    pub const SHOWN: &'static [Nutrient] = Self::ALL.split_at(5).0;
}

/// The number of nutrients.
pub const COUNT: usize = Nutrient::ALL.len();

/// The nutrients of 100 g of a food, each present or unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nutrients {
    known: u64,
    values: [f32; COUNT],
}

impl Default for Nutrients {
    fn default() -> Self {
        Self { known: 0, values: [0.0; COUNT] }
    }
}

impl Nutrients {
    /// Returns the value, if the source gives one.
    pub fn get(&self, nutrient: Nutrient) -> Option<f32> {
        let index = nutrient as usize;
        (self.known & (1 << index) != 0).then(|| self.values[index])
    }

    /// Returns how much of a nutrient so many grams have.
    pub fn in_grams(&self, nutrient: Nutrient, grams: f32) -> Option<f32> {
        self.get(nutrient).map(|value| value * grams / 100.0)
    }

    /// Sets a value. Importers validate it first.
    pub fn set(&mut self, nutrient: Nutrient, value: f32) {
        self.known |= 1 << nutrient as usize;
        self.values[nutrient as usize] = value;
    }

    /// Removes a value.
    pub fn clear(&mut self, nutrient: Nutrient) {
        self.known &= !(1 << nutrient as usize);
        self.values[nutrient as usize] = 0.0;
    }

    /// Returns the values of those that a search result shows.
    #[must_use]
    pub fn shown(&self) -> Self {
        let mut shown = Self::default();
        for &nutrient in Nutrient::SHOWN {
            if let Some(value) = self.get(nutrient) {
                shown.set(nutrient, value);
            }
        }
        shown
    }

    /// Iterates over the known nutrients, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (Nutrient, f32)> + '_ {
        Nutrient::ALL.iter().filter_map(|&nutrient| self.get(nutrient).map(|value| (nutrient, value)))
    }

    /// Returns one bit per nutrient: whether it is known.
    pub fn known_mask(&self) -> u64 {
        self.known
    }

    /// Returns whether calories, protein, carbs and fat are known.
    pub fn has_macros(&self) -> bool {
        self.known & 0b1111 == 0b1111
    }
}

impl Serialize for Nutrients {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.known.count_ones() as usize))?;
        for (nutrient, value) in self.iter() {
            map.serialize_entry(nutrient.name(), &round3(value))?;
        }
        map.end()
    }
}

/// Rounds to three decimals, as the sources give them, without the noise of binary fractions.
fn round3(value: f32) -> f64 {
    (f64::from(value) * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_is_not_zero() {
        let mut nutrients = Nutrients::default();
        assert_eq!(nutrients.get(Nutrient::Fiber), None);
        nutrients.set(Nutrient::Fiber, 0.0);
        assert_eq!(nutrients.get(Nutrient::Fiber), Some(0.0));
        nutrients.clear(Nutrient::Fiber);
        assert_eq!(nutrients.get(Nutrient::Fiber), None);
    }

    #[test]
    fn json_shows_what_is_known() {
        let mut nutrients = Nutrients::default();
        nutrients.set(Nutrient::Calories, 52.0);
        nutrients.set(Nutrient::Fat, 2.14);
        assert_eq!(serde_json::to_string(&nutrients).expect("serializes"), r#"{"calories":52.0,"fat":2.14}"#);
    }
}
