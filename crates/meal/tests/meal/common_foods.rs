//! The list of common foods and the catalog agree.

use super::CATALOG;

/// By what factor, and by how many calories besides, the calories of a food may differ from those that were expected of it.
const SAME: f32 = 1.25;
const SLACK: f32 = 12.0;

#[test]
fn every_common_food_is_in_the_catalog_with_the_calories_expected() {
    let mut wrong = Vec::new();
    for common in foods::common::all() {
        let name = common.names[0];
        match CATALOG.by_id(common.id) {
            None => wrong.push(format!("{name}: no food has the id {}", common.id)),
            Some(_) if common.is_stand_in => {}
            Some(food) => {
                let calories = food.macros(100.0).calories as f32;
                let (low, high) = (calories.min(common.calories), calories.max(common.calories));
                if high > low * SAME + SLACK {
                    wrong.push(format!("{name}: {} has {calories} kcal per 100 g, not {}", common.id, common.calories));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}
