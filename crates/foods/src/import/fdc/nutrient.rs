//! Which rows of `food_nutrient.csv` are imported, and which of several is best.
//!
//! FoodData Central measures some things in more than one way under different ids: energy by specific or general
//! factors, fiber by an old or a new method. The lowest rank wins.

use crate::nutrients::Nutrient;

/// What rows with an id mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    /// The nutrient.
    pub nutrient: Nutrient,
    /// 0 is the best way to measure it.
    pub rank: u8,
    /// The factor from the unit of the id to the unit of the nutrient.
    pub scale: f32,
}

/// Id, old number (0 if it has none that is whole), nutrient, rank.
const SOURCES: &[(u32, u32, Nutrient, u8)] = &[
    (1008, 208, Nutrient::Calories, 0),
    (2048, 958, Nutrient::Calories, 1),
    (2047, 957, Nutrient::Calories, 2),
    (KILOJOULES, 268, Nutrient::Calories, 3),
    (1003, 203, Nutrient::Protein, 0),
    (1005, 205, Nutrient::Carbs, 0),
    (1050, 0, Nutrient::Carbs, 1),
    (1004, 204, Nutrient::Fat, 0),
    (1085, 298, Nutrient::Fat, 1),
    (1079, 291, Nutrient::Fiber, 0),
    (2033, 293, Nutrient::Fiber, 1),
    (2000, 269, Nutrient::Sugars, 0),
    (1063, 0, Nutrient::Sugars, 1),
    (1235, 539, Nutrient::AddedSugars, 0),
    (1258, 606, Nutrient::SaturatedFat, 0),
    (1257, 605, Nutrient::TransFat, 0),
    (1292, 645, Nutrient::MonounsaturatedFat, 0),
    (1293, 646, Nutrient::PolyunsaturatedFat, 0),
    (1253, 601, Nutrient::Cholesterol, 0),
    (1093, 307, Nutrient::Sodium, 0),
    (1092, 306, Nutrient::Potassium, 0),
    (1087, 301, Nutrient::Calcium, 0),
    (1089, 303, Nutrient::Iron, 0),
    (1090, 304, Nutrient::Magnesium, 0),
    (1091, 305, Nutrient::Phosphorus, 0),
    (1095, 309, Nutrient::Zinc, 0),
    (1103, 317, Nutrient::Selenium, 0),
    (1106, 320, Nutrient::VitaminA, 0),
    (1162, 401, Nutrient::VitaminC, 0),
    (1114, 328, Nutrient::VitaminD, 0),
    (VITAMIN_D_UNITS, 324, Nutrient::VitaminD, 1),
    (1109, 323, Nutrient::VitaminE, 0),
    (1185, 430, Nutrient::VitaminK, 0),
    (1175, 415, Nutrient::VitaminB6, 0),
    (1178, 418, Nutrient::VitaminB12, 0),
    (1177, 417, Nutrient::Folate, 0),
    (1190, 435, Nutrient::Folate, 1),
    (1180, 421, Nutrient::Choline, 0),
    (1057, 262, Nutrient::Caffeine, 0),
    (1018, 221, Nutrient::Alcohol, 0),
    (1051, 255, Nutrient::Water, 0),
];

const KILOJOULES: u32 = 1062;
const VITAMIN_D_UNITS: u32 = 1110;
/// Ids and old numbers are below this.
const IDS: usize = 4096;

/// The meaning of ids, and of numbers in the old tables.
pub(super) struct Slots {
    by_id: Vec<Option<Slot>>,
}

impl Slots {
    /// Creates the table of imported ids, and of their numbers in the old tables.
    pub fn new() -> Self {
        let mut by_id = vec![None; IDS];
        for &(id, old_number, nutrient, rank) in SOURCES {
            let scale = match id {
                KILOJOULES => 1.0 / 4.184,
                VITAMIN_D_UNITS => 0.025,
                _ => 1.0,
            };
            let slot = Slot { nutrient, rank, scale };
            by_id[id as usize] = Some(slot);
            if old_number != 0 {
                by_id[old_number as usize] = Some(slot);
            }
        }
        Self { by_id }
    }

    /// Learns from `nutrient.csv` that an id also goes by a number.
    pub fn learn(&mut self, id: &str, number: &str) {
        let slot = self.get(id);
        let place = number.parse().ok().and_then(|number: usize| self.by_id.get_mut(number));
        if let (Some(slot), Some(place)) = (slot, place) {
            place.get_or_insert(slot);
        }
    }

    /// Returns what rows with this id mean, if they are imported.
    pub fn get(&self, id: &str) -> Option<Slot> {
        let id: usize = id.parse().ok()?;
        self.by_id.get(id).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_numbers_mean_the_same() {
        let mut slots = Slots::new();
        assert_eq!(slots.get("1008"), slots.get("208"));
        assert_eq!(slots.get("1062").map(|slot| slot.rank), Some(3));
        assert_eq!(slots.get("999999999"), None);
        slots.learn("1005", "3000");
        assert_eq!(slots.get("3000"), slots.get("1005"));
    }
}
