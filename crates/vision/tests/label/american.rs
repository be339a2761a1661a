use nutrition::Macros;
use nutrition::sighting::{LabelServing, NutritionFacts, Per};
use vision::label;

use super::layout::{four, page, plain, turned};

const NEW: &[&[(u32, &str)]] = &[
    &[(0, "Nutrition Facts")],
    &[(0, "8 servings per container")],
    &[(0, "Serving size"), (30, "2/3 cup (55g)")],
    &[(0, "Amount per serving")],
    &[(0, "Calories"), (38, "230")],
    &[(30, "% Daily Value*")],
    &[(0, "Total Fat 8g"), (40, "10%")],
    &[(2, "Saturated Fat 1g"), (40, "5%")],
    &[(2, "Trans Fat 0g")],
    &[(0, "Cholesterol 0mg"), (40, "0%")],
    &[(0, "Sodium 160mg"), (40, "7%")],
    &[(0, "Total Carbohydrate 37g"), (40, "13%")],
    &[(2, "Dietary Fiber 4g"), (40, "14%")],
    &[(2, "Total Sugars 12g")],
    &[(4, "Includes 10g Added Sugars"), (40, "20%")],
    &[(0, "Protein 3g")],
    &[(0, "Vitamin D 2mcg"), (40, "10%")],
    &[(0, "Calcium 260mg"), (40, "20%")],
    &[(0, "* The % Daily Value (DV) tells you how much a nutrient in")],
    &[(0, "a serving of food contributes to a daily diet. 2,000 calories")],
];

#[test]
fn the_american_label_since_2016() {
    let (label, confidence) = label::parse(&page(NEW)).unwrap();
    assert_eq!(label.per, Per::Serving);
    assert_eq!(label.serving, Some(LabelServing { text: "2/3 cup".into(), grams: Some(55.0), milliliters: None }));
    let facts = NutritionFacts {
        macros: Macros { calories: Some(230.0), protein: Some(3.0), carbs: Some(37.0), fat: Some(8.0) },
        fiber: Some(4.0),
        sugars: Some(12.0),
        saturated_fat: Some(1.0),
        sodium: Some(160.0),
    };
    assert_eq!(label.facts, facts);
    assert!(confidence > 0.9, "{confidence}");
}

#[test]
fn a_rotated_page_reads_the_same() {
    let level = label::parse(&page(NEW)).unwrap();
    for degrees in [-170.0, -90.0, -15.0, 8.0, 90.0, 180.0] {
        assert_eq!(label::parse(&turned(NEW, degrees)).unwrap(), level, "{degrees}");
    }
}

#[test]
fn the_american_label_before_2016_with_its_footnote() {
    let (label, _) = plain(&[
        "Nutrition Facts",
        "Serving Size 1 cup (228g)",
        "Servings Per Container About 2",
        "Amount Per Serving",
        "Calories 250 Calories from Fat 110",
        "% Daily Value*",
        "Total Fat 12g 18%",
        "Saturated Fat 3g 15%",
        "Trans Fat 3g",
        "Cholesterol 30mg 10%",
        "Sodium 470mg 20%",
        "Total Carbohydrate 31g 10%",
        "Dietary Fiber 0g 0%",
        "Sugars 5g",
        "Protein 5g",
        "Vitamin A 4% Vitamin C 2%",
        "Calories: 2,000 2,500",
        "Total Fat Less than 65g 80g",
        "Total Carbohydrate 300g 375g",
    ])
    .unwrap();
    assert_eq!(four(&label.facts), [Some(250.0), Some(5.0), Some(31.0), Some(12.0)]);
    assert_eq!(label.facts.sodium, Some(470.0));
    assert_eq!(label.serving.unwrap().grams, Some(228.0));
}

#[test]
fn of_two_columns_the_one_per_serving_is_used() {
    let (label, _) = label::parse(&page(&[
        &[(0, "Nutrition Facts")],
        &[(0, "2 servings per container")],
        &[(0, "Serving size"), (30, "1 cup (255g)")],
        &[(20, "Per serving"), (34, "Per container")],
        &[(0, "Calories"), (24, "220"), (38, "440")],
        &[(24, "% DV*"), (38, "% DV*")],
        &[(0, "Total Fat"), (20, "5g"), (26, "6%"), (36, "10g"), (42, "13%")],
        &[(2, "Saturated Fat"), (20, "2g"), (26, "10%"), (36, "4g"), (42, "20%")],
        &[(0, "Total Carb."), (20, "35g"), (26, "13%"), (36, "70g"), (42, "25%")],
        &[(0, "Protein"), (20, "9g"), (36, "18g")],
    ]))
    .unwrap();
    assert_eq!(four(&label.facts), [Some(220.0), Some(9.0), Some(35.0), Some(5.0)]);
}

#[test]
fn a_g_that_was_read_as_a_nine_is_corrected() {
    // By the percentage, by the energy, and by both.
    let (label, _) = plain(&[
        "Nutrition Facts",
        "Serving size 1 bar (40g)",
        "Calories 190",
        "% Daily Value",
        "Total Fat 89 10%",
        "Total Carbohydrate 239 8%",
        "Dietary Fiber 2g",
        "Protein 79",
    ])
    .unwrap();
    assert_eq!(four(&label.facts), [Some(190.0), Some(7.0), Some(23.0), Some(8.0)]);
}

#[test]
fn letters_that_look_like_digits_are_read_as_digits() {
    let (label, _) =
        plain(&["Calories l10", "Total Fat Og 0%", "Sodium 1Omg", "Total Carbohydrate 26g", "Sugars lg", "Protein ig"])
            .unwrap();
    assert_eq!(four(&label.facts), [Some(110.0), Some(1.0), Some(26.0), Some(0.0)]);
    assert_eq!((label.facts.sodium, label.facts.sugars), (Some(10.0), Some(1.0)));
}

#[test]
fn lost_spaces_do_not_matter() {
    let (label, _) = plain(&[
        "Calories230",
        "TotalFat8g10%",
        "SaturatedFat1g5%",
        "TotalCarbohydrate37g13%",
        "DietaryFiber4g",
        "Protein3g",
    ])
    .unwrap();
    assert_eq!(four(&label.facts), [Some(230.0), Some(3.0), Some(37.0), Some(8.0)]);
    assert_eq!((label.facts.saturated_fat, label.facts.fiber), (Some(1.0), Some(4.0)));
}

#[test]
fn less_than_a_gram_is_half_a_gram() {
    let (label, _) =
        plain(&["Calories 25", "Total Fat 0g", "Total Carbohydrate 5g", "Dietary Fiber <1g", "Protein < 1 g"]).unwrap();
    assert_eq!(four(&label.facts), [Some(25.0), Some(0.5), Some(5.0), Some(0.0)]);
    assert_eq!(label.facts.fiber, Some(0.5));
}

#[test]
fn numbers_that_do_not_agree_lower_the_confidence() {
    let sure = plain(&["Calories 230", "Total Fat 8g", "Total Carbohydrate 37g", "Protein 3g"]).unwrap();
    let doubtful = plain(&["Calories 680", "Total Fat 8g", "Total Carbohydrate 37g", "Protein 3g"]).unwrap();
    assert_eq!(four(&doubtful.0.facts), [Some(680.0), Some(3.0), Some(37.0), Some(8.0)]);
    assert!(doubtful.1 < 0.5 && sure.1 > 0.9, "{} {}", doubtful.1, sure.1);
}

#[test]
fn drinks_are_served_in_milliliters() {
    let (label, _) =
        plain(&["Serving size 1 can (355 mL)", "Calories 140", "Total Fat 0g", "Total Carbohydrate 39g", "Protein 0g"])
            .unwrap();
    assert_eq!(label.serving, Some(LabelServing { text: "1 can".into(), grams: None, milliliters: Some(355.0) }));
}

#[test]
fn canadian_labels_have_two_languages() {
    let (label, _) = plain(&[
        "Nutrition Facts",
        "Valeur nutritive",
        "Per 1 tbsp (14 g)",
        "pour 1 c. a soupe (14 g)",
        "Calories/Calories 50",
        "Fat/Lipides 0.3 g 1%",
        "Saturated/satures 0.1 g",
        "+Trans/trans O g",
        "Sodium/Sodium 65 mg 3%",
        "Carbohydrate/Glucides 13 g 4%",
        "Fibre/Fibres 0g 0%",
        "Sugars/Sucres 12 g",
        "Protein/Proteines 0.4 g",
    ])
    .unwrap();
    assert_eq!(four(&label.facts), [Some(50.0), Some(0.4), Some(13.0), Some(0.3)]);
    assert_eq!(
        (label.facts.saturated_fat, label.facts.sugars, label.facts.sodium),
        (Some(0.1), Some(12.0), Some(65.0))
    );
    assert_eq!(label.serving, Some(LabelServing { text: "1 tbsp".into(), grams: Some(14.0), milliliters: None }));
}
