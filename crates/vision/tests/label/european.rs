use nutrition::Macros;
use nutrition::sighting::{NutritionFacts, Per};
use vision::label;

use super::layout::{four, page, plain};

#[test]
fn per_hundred_grams() {
    let (label, confidence) = plain(&[
        "Nutrition information",
        "Typical values per 100 g",
        "Energy 1046 kJ / 250 kcal",
        "Fat 12.5 g",
        "of which saturates 3.1 g",
        "Carbohydrate 28 g",
        "of which sugars 4.2 g",
        "Fibre 3.0 g",
        "Protein 6.0 g",
        "Salt 1.2 g",
    ])
    .unwrap();
    assert_eq!(label.per, Per::HundredGrams);
    let facts = NutritionFacts {
        macros: Macros { calories: Some(250.0), protein: Some(6.0), carbs: Some(28.0), fat: Some(12.5) },
        fiber: Some(3.0),
        sugars: Some(4.2),
        saturated_fat: Some(3.1),
        sodium: Some(480.0),
    };
    assert_eq!(label.facts, facts);
    assert!(confidence > 0.9);
    assert_eq!(label.serving, None);
}

#[test]
fn of_two_columns_the_one_per_hundred_grams_is_used() {
    let first = page(&[
        &[(20, "per 100 g"), (34, "per serving")],
        &[(34, "(30 g)")],
        &[(0, "Energy"), (20, "1569 kJ"), (34, "471 kJ")],
        &[(20, "373 kcal"), (34, "112 kcal")],
        &[(0, "Fat"), (20, "6.5 g"), (34, "2.0 g")],
        &[(0, "Carbohydrate"), (20, "60 g"), (34, "18 g")],
        &[(0, "Protein"), (20, "13 g"), (34, "3.9 g")],
    ]);
    let second = page(&[
        &[(20, "per serving"), (34, "per 100 g")],
        &[(20, "(30 g)")],
        &[(0, "Energy"), (20, "471 kJ"), (34, "1569 kJ")],
        &[(20, "112 kcal"), (34, "373 kcal")],
        &[(0, "Fat"), (20, "2.0 g"), (34, "6.5 g")],
        &[(0, "Carbohydrate"), (20, "18 g"), (34, "60 g")],
        &[(0, "Protein"), (20, "3.9 g"), (34, "13 g")],
    ]);
    for page in [first, second] {
        let (label, _) = label::parse(&page).unwrap();
        assert_eq!(label.per, Per::HundredGrams);
        assert_eq!(four(&label.facts), [Some(373.0), Some(13.0), Some(60.0), Some(6.5)]);
        assert_eq!(label.serving.unwrap().grams, Some(30.0));
    }
}

#[test]
fn decimal_commas_and_other_languages() {
    let tables: [&[&str]; 5] = [
        &[
            "Nahrwerte pro 100 g",
            "Energie 1540 kJ / 368 kcal",
            "Fett 12,5 g",
            "davon gesattigte Fettsauren 1,5 g",
            "Kohlenhydrate 50,2 g",
            "davon Zucker 7,5 g",
            "Ballaststoffe 8,0 g",
            "EiweiB 9,8 g",
            "Salz 0,03 g",
        ],
        &[
            "Valeurs nutritionnelles pour 100 g",
            "Energie 1540 kJ / 368 kcal",
            "Matieres grasses 12,5 g",
            "dont acides gras satures 1,5 g",
            "Glucides 50,2 g",
            "dont sucres 7,5 g",
            "Fibres alimentaires 8,0 g",
            "Proteines 9,8 g",
            "Sel 0,03 g",
        ],
        &[
            "Informacion nutricional por 100 g",
            "Valor energetico 1540 kJ / 368 kcal",
            "Grasas 12,5 g",
            "de las cuales saturadas 1,5 g",
            "Hidratos de carbono 50,2 g",
            "de los cuales azucares 7,5 g",
            "Fibra alimentaria 8,0 g",
            "Proteinas 9,8 g",
            "Sal 0,03 g",
        ],
        &[
            "Valori nutrizionali per 100 g",
            "Energia 1540 kJ / 368 kcal",
            "Grassi 12,5 g",
            "di cui acidi grassi saturi 1,5 g",
            "Carboidrati 50,2 g",
            "di cui zuccheri 7,5 g",
            "Fibre 8,0 g",
            "Proteine 9,8 g",
            "Sale 0,03 g",
        ],
        &[
            "Voedingswaarde per 100 g",
            "Energie 1540 kJ / 368 kcal",
            "Vetten 12,5 g",
            "waarvan verzadigde vetzuren 1,5 g",
            "Koolhydraten 50,2 g",
            "waarvan suikers 7,5 g",
            "Vezels 8,0 g",
            "Eiwitten 9,8 g",
            "Zout 0,03 g",
        ],
    ];
    let facts = NutritionFacts {
        macros: Macros { calories: Some(368.0), protein: Some(9.8), carbs: Some(50.2), fat: Some(12.5) },
        fiber: Some(8.0),
        sugars: Some(7.5),
        saturated_fat: Some(1.5),
        sodium: Some(12.0),
    };
    for rows in tables {
        let (label, _) = plain(rows).unwrap();
        assert_eq!((label.per, label.facts), (Per::HundredGrams, facts), "{rows:?}");
    }
}

#[test]
fn per_hundred_milliliters() {
    let (label, _) = plain(&[
        "per 100ml",
        "Energy 180kJ/42kcal",
        "Fat 0g",
        "Carbohydrate 10.6g",
        "of which sugars 10.6g",
        "Protein 0g",
        "Salt 0g",
    ])
    .unwrap();
    assert_eq!(label.per, Per::HundredMilliliters);
    assert_eq!(four(&label.facts), [Some(42.0), Some(0.0), Some(10.6), Some(0.0)]);
}

#[test]
fn kilojoules_alone_are_converted() {
    let (label, _) =
        plain(&["per 100 g", "Energy 1046 kJ", "Fat 12.5 g", "Carbohydrate 28 g", "Protein 6.0 g"]).unwrap();
    assert_eq!(label.facts.macros.calories, Some(250.0));
    let (label, _) = plain(&[
        "per 100 g",
        "Energy (kJ) 1046",
        "Energy (kcal) 250",
        "Fat (g) 12.5",
        "Carbohydrate (g) 28",
        "Protein (g) 6.0",
    ])
    .unwrap();
    assert_eq!(four(&label.facts), [Some(250.0), Some(6.0), Some(28.0), Some(12.5)]);
}

#[test]
fn thousands_may_have_a_separator() {
    let (label, _) =
        plain(&["per 100 g", "Energy 2,240 kJ / 535 kcal", "Fat 31 g", "Carbohydrate 56 g", "Protein 7.0 g"]).unwrap();
    assert_eq!(label.facts.macros.calories, Some(535.0));
}

/// Names are at the left edge, numbers at the right one, and the angle of the page is known only roughly.
#[test]
fn a_wide_table_is_assembled_even_if_the_angle_is_a_degree_off() {
    let rows: &[&[(u32, &str)]] = &[
        &[(50, "per 100g")],
        &[(0, "Energy"), (50, "2147kJ")],
        &[(50, "512kcal")],
        &[(0, "Fat"), (52, "24g")],
        &[(2, "of which saturates"), (52, "1.5g")],
        &[(0, "Carbohydrate"), (52, "51g")],
        &[(2, "of which sugars"), (52, "2.2g")],
        &[(0, "Fibre"), (52, "2.2g")],
        &[(0, "Protein"), (52, "22g")],
        &[(0, "Salt"), (52, "2.1g")],
    ];
    for degrees in [-1.0_f32, -0.5, 0.5, 1.0] {
        let mut page = page(rows);
        page.angle += degrees.to_radians();
        for line in &mut page.lines {
            line.place.angle = page.angle;
        }
        let (label, _) = label::parse(&page).unwrap();
        assert_eq!(four(&label.facts), [Some(512.0), Some(22.0), Some(51.0), Some(24.0)], "{degrees}");
        assert_eq!(label.facts.sodium, Some(840.0), "{degrees}");
    }
}

/// If only a few names are long, their boxes say little about perspective: a box may be half a degree off.
#[test]
fn few_long_lines_do_not_bend_the_page() {
    let mut page = page(&[
        &[(0, "Nahrwerte")],
        &[(32, "pro 100g"), (48, "(25g)")],
        &[(0, "Energie"), (34, "369kcal"), (48, "92kcal")],
        &[(0, "Fett"), (37, "13g"), (48, "3,3g")],
        &[(2, "davon gesattigte"), (37, "6,7g"), (48, "1,7g")],
        &[(0, "Kohlenhydrate"), (37, "43g"), (48, "10,8g")],
        &[(2, "davon Zucker"), (37, "29g"), (48, "7,3g")],
        &[(0, "Ballaststoffe"), (37, "0,1g"), (48, "0,1g")],
        &[(0, "EiweiB"), (37, "20g"), (48, "5g")],
        &[(0, "Salz"), (37, "2,1g"), (48, "0,5g")],
    ]);
    for (text, degrees) in [("davon gesattigte", -0.5_f32), ("davon Zucker", 0.3), ("Ballaststoffe", 0.4)] {
        let line = page.lines.iter_mut().find(|line| line.text == text).unwrap();
        line.place.angle += degrees.to_radians();
    }
    let (label, _) = label::parse(&page).unwrap();
    assert_eq!(four(&label.facts), [Some(369.0), Some(20.0), Some(43.0), Some(13.0)]);
    assert_eq!(label.facts.sodium, Some(840.0));
}

/// Both 4.78 and 4.7 g of fat fit the energy; the other amounts have units.
#[test]
fn a_number_without_a_unit_has_one_if_the_others_do() {
    let (label, _) = plain(&[
        "Voedingswaarde per 100ml",
        "Energie 280kJ / 67kcal",
        "Vetten 4,78",
        "waarvan verzadigde vetzuren 0,8g",
        "Koolhydraten 2,5g",
        "waarvan suikers 1,28",
        "Vezels 0,1g",
        "Eiwitten 3,6g",
        "Zout 0,5g",
    ])
    .unwrap();
    assert_eq!(four(&label.facts), [Some(67.0), Some(3.6), Some(2.5), Some(4.7)]);
    assert_eq!(label.facts.sugars, Some(1.2));
}
