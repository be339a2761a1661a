//! The nutrients of FoodData Central: each has an id, an older number, a name and a unit.

use foods::{Food, Nutrient};

/// A nutrient as FoodData Central names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FdcNutrient {
    nutrient: Nutrient,
    /// The id.
    pub id: u32,
    /// The number of the older tables.
    pub number: &'static str,
    /// The name.
    pub name: &'static str,
    /// The unit as a symbol: "kcal".
    pub unit: &'static str,
    /// The unit in searches and abridged foods: "KCAL".
    pub unit_name: &'static str,
}

const fn row(nutrient: Nutrient, id: u32, number: &'static str, name: &'static str, unit: &'static str) -> FdcNutrient {
    let unit_name = match unit.as_bytes() {
        b"kcal" => "KCAL",
        b"g" => "G",
        b"mg" => "MG",
        _ => "UG",
    };
    FdcNutrient { nutrient, id, number, name, unit, unit_name }
}

const ALL: [FdcNutrient; 32] = [
    row(Nutrient::Calories, 1008, "208", "Energy", "kcal"),
    row(Nutrient::Protein, 1003, "203", "Protein", "g"),
    row(Nutrient::Fat, 1004, "204", "Total lipid (fat)", "g"),
    row(Nutrient::Carbs, 1005, "205", "Carbohydrate, by difference", "g"),
    row(Nutrient::Fiber, 1079, "291", "Fiber, total dietary", "g"),
    row(Nutrient::Sugars, 2000, "269", "Total Sugars", "g"),
    row(Nutrient::AddedSugars, 1235, "539", "Sugars, added", "g"),
    row(Nutrient::SaturatedFat, 1258, "606", "Fatty acids, total saturated", "g"),
    row(Nutrient::MonounsaturatedFat, 1292, "645", "Fatty acids, total monounsaturated", "g"),
    row(Nutrient::PolyunsaturatedFat, 1293, "646", "Fatty acids, total polyunsaturated", "g"),
    row(Nutrient::TransFat, 1257, "605", "Fatty acids, total trans", "g"),
    row(Nutrient::Cholesterol, 1253, "601", "Cholesterol", "mg"),
    row(Nutrient::Sodium, 1093, "307", "Sodium, Na", "mg"),
    row(Nutrient::Potassium, 1092, "306", "Potassium, K", "mg"),
    row(Nutrient::Calcium, 1087, "301", "Calcium, Ca", "mg"),
    row(Nutrient::Iron, 1089, "303", "Iron, Fe", "mg"),
    row(Nutrient::Magnesium, 1090, "304", "Magnesium, Mg", "mg"),
    row(Nutrient::Phosphorus, 1091, "305", "Phosphorus, P", "mg"),
    row(Nutrient::Zinc, 1095, "309", "Zinc, Zn", "mg"),
    row(Nutrient::Selenium, 1103, "317", "Selenium, Se", "µg"),
    row(Nutrient::VitaminA, 1106, "320", "Vitamin A, RAE", "µg"),
    row(Nutrient::VitaminC, 1162, "401", "Vitamin C, total ascorbic acid", "mg"),
    row(Nutrient::VitaminD, 1114, "328", "Vitamin D (D2 + D3)", "µg"),
    row(Nutrient::VitaminE, 1109, "323", "Vitamin E (alpha-tocopherol)", "mg"),
    row(Nutrient::VitaminK, 1185, "430", "Vitamin K (phylloquinone)", "µg"),
    row(Nutrient::VitaminB6, 1175, "415", "Vitamin B-6", "mg"),
    row(Nutrient::VitaminB12, 1178, "418", "Vitamin B-12", "µg"),
    row(Nutrient::Folate, 1177, "417", "Folate, total", "µg"),
    row(Nutrient::Choline, 1180, "421", "Choline, total", "mg"),
    row(Nutrient::Caffeine, 1057, "262", "Caffeine", "mg"),
    row(Nutrient::Alcohol, 1018, "221", "Alcohol, ethyl", "g"),
    row(Nutrient::Water, 1051, "255", "Water", "g"),
];

/// The nutrients that a request wants; empty for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WantedNutrients(Vec<u32>);

impl WantedNutrients {
    /// The most nutrients of a request.
    const MAX: usize = 25;

    /// Reads numbers or ids; what is neither is ignored.
    pub fn read<'a>(numbers: impl Iterator<Item = &'a str>) -> Self {
        Self(numbers.filter_map(|number| number.parse().ok()).take(Self::MAX).collect())
    }

    fn contain(&self, row: &FdcNutrient) -> bool {
        self.0.is_empty() || self.0.iter().any(|wanted| *wanted == row.id || row.number.parse() == Ok(*wanted))
    }
}

/// Iterates over the nutrients of 100 g of a food that its source says, with their amounts.
pub(super) fn amounts(food: &Food, wanted: &WantedNutrients) -> impl Iterator<Item = (&'static FdcNutrient, f64)> {
    let rows = ALL.iter().filter(|row| wanted.contain(row));
    rows.filter_map(|row| Some((row, rounded(food.nutrients.get(row.nutrient)?))))
}

/// Rounds to three decimals, as the sources give them, without the noise of binary fractions.
fn rounded(amount: f32) -> f64 {
    (f64::from(amount) * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nutrients_are_wanted_by_number_or_by_id() {
        let wanted = |list: &[&str]| {
            let wanted = WantedNutrients::read(list.iter().copied());
            ALL.iter().filter(|row| wanted.contain(row)).map(|row| row.id).collect::<Vec<_>>()
        };
        assert_eq!(wanted(&["203", "1008", "x"]), [1008, 1003]);
        assert_eq!(wanted(&[]).len(), ALL.len());
        assert_eq!(wanted(&["x"]).len(), ALL.len());
        assert_eq!(wanted(&["9999"]).len(), 0);
    }
}
