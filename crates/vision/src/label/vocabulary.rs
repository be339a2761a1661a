//! The names of nutrients on labels in English, German, French, Spanish, Italian and Dutch.
//!
//! The text recognition knows only English letters, so accents are lost or become other letters, and spaces get lost
//! too. Words are therefore searched for within the letters of a name, and long words may have a letter or two wrong.

/// The nutrient that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NutrientName {
    Energy,
    Fat,
    Saturated,
    Carbs,
    Sugars,
    Fiber,
    Protein,
    Sodium,
    Salt,
    /// Something else that labels list, so that its amount is not assigned to another nutrient.
    Other,
}

/// Words and their meanings, in the order in which they are searched for: "saturated fat" is not fat, and "added
/// sugars" are not the sugars.
const WORDS: [(NutrientName, &[&str]); 11] = [
    (
        NutrientName::Other,
        &[
            "mehrfach",
            "einfach",
            "polyols",
            "sugaralcohol",
            "added",
            "includes",
            "cholesterol",
            "potassium",
            "calcium",
            "vitamin",
            "omega",
            "thiamin",
            "riboflavin",
            "niacin",
            "phosphorus",
            "magnesium",
            "caloriesfrom",
            "dailyvalue",
            "percent",
            "starch",
            "starke",
            "amidon",
            "almidon",
            "amido",
            "zetmeel",
            "erythritol",
            "polyalcohol",
        ],
    ),
    (
        NutrientName::Saturated,
        &[
            "saturated",
            "saturates",
            "saturate",
            "satfat",
            "gesattigte",
            "satures",
            "saturadas",
            "saturados",
            "saturi",
            "verzadigd",
        ],
    ),
    (NutrientName::Sugars, &["sugars", "sugar", "zucker", "sucres", "azucares", "azucar", "zuccheri", "suikers"]),
    (
        NutrientName::Fiber,
        &[
            "fiber",
            "fibre",
            "fibres",
            "ballaststoffe",
            "alimentaires",
            "fibra",
            "alimentaria",
            "alimentare",
            "vezels",
            "voedingsvezel",
        ],
    ),
    (
        NutrientName::Carbs,
        &[
            "carbohydrate",
            "totalcarb",
            "carbs",
            "kohlenhydrate",
            "glucides",
            "hidratosdecarbono",
            "hidratos",
            "carboidrati",
            "koolhydraten",
            "carb",
        ],
    ),
    (
        NutrientName::Protein,
        &["protein", "eiweiss", "eiweis", "eiwei", "proteines", "proteinas", "proteine", "eiwitten", "eiwit"],
    ),
    (NutrientName::Sodium, &["sodium", "natrium"]),
    (
        NutrientName::Energy,
        &[
            "calories",
            "energy",
            "energie",
            "brennwert",
            "energia",
            "valorenergetico",
            "energetico",
            "energiewaarde",
            "energetique",
            "calorie",
            "kalorien",
        ],
    ),
    (NutrientName::Salt, &["salt", "salz", "sel", "sal", "sale", "zout"]),
    (NutrientName::Other, &["trans", "iron", "folate", "biotin", "zinc"]),
    (
        NutrientName::Fat,
        &[
            "totalfat",
            "matieresgrasses",
            "grasses",
            "lipides",
            "grasas",
            "grassi",
            "vetten",
            "fett",
            "fat",
            "fats",
            "vet",
        ],
    ),
];

/// Marks of unsaturated fats. These must match exactly: with a letter or two wrong, "unsaturated" is "saturated".
const UNSATURATED: [&str; 4] = ["unsat", "insat", "ungesat", "onverz"];

/// Returns the nutrient that a name means. The words are in lower case.
pub(super) fn nutrient_name(words: &[&str]) -> Option<NutrientName> {
    let joined = words.concat();
    if joined.len() < 3 || joined.len() > 60 {
        return None;
    }
    if UNSATURATED.iter().any(|opposite| joined.contains(opposite)) {
        return Some(NutrientName::Other);
    }
    WORDS.iter().find(|(_, known)| known.iter().any(|word| contains(words, &joined, word))).map(|(name, _)| *name)
}

/// Checks whether a name contains a word, which may have a letter or two wrong if it is long.
pub(super) fn contains_word(words: &[&str], word: &str) -> bool {
    contains(words, &words.concat(), word)
}

fn contains(words: &[&str], joined: &str, word: &str) -> bool {
    match word.len() {
        // Short words are parts of many others.
        0..=4 => words.contains(&word),
        5..=6 => joined.contains(word) || words.iter().any(|other| other.len() >= 4 && distance(other, word) <= 1),
        7..=9 => is_within(joined, word, 1) || words.iter().any(|other| other.len() >= 6 && distance(other, word) <= 2),
        _ => is_within(joined, word, 2),
    }
}

/// Returns the edit distance.
fn distance(one: &str, other: &str) -> usize {
    min_edits(one, other, false)
}

/// Checks whether a text contains a word with at most `edits` edits.
fn is_within(text: &str, word: &str, edits: usize) -> bool {
    text.contains(word) || min_edits(word, text, true) <= edits
}

/// Returns the edits from one to the other, or to its most similar part.
fn min_edits(one: &str, other: &str, part: bool) -> usize {
    let other = other.as_bytes();
    let mut row: Vec<usize> = if part { vec![0; other.len() + 1] } else { (0..=other.len()).collect() };
    for (at, letter) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (place, against) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *against);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(row[place] + 1).min(diagonal + 1);
        }
    }
    if part { row.into_iter().min().unwrap_or(usize::MAX) } else { row[other.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_six_languages_and_with_errors() {
        let cases: [(&[&str], Option<NutrientName>); 32] = [
            (&["total", "fat"], Some(NutrientName::Fat)),
            (&["totalfat"], Some(NutrientName::Fat)),
            (&["saturated", "fat"], Some(NutrientName::Saturated)),
            (&["saturatedfat"], Some(NutrientName::Saturated)),
            (&["of", "which", "saturates"], Some(NutrientName::Saturated)),
            (&["trans", "fat"], Some(NutrientName::Other)),
            (&["polyunsaturated", "fat"], Some(NutrientName::Other)),
            (&["calories"], Some(NutrientName::Energy)),
            (&["calones"], Some(NutrientName::Energy)),
            (&["calories", "from", "fat"], Some(NutrientName::Other)),
            (&["total", "carbohydrate"], Some(NutrientName::Carbs)),
            (&["totalcarbohydrale"], Some(NutrientName::Carbs)),
            (&["total", "carb"], Some(NutrientName::Carbs)),
            (&["dietary", "fiber"], Some(NutrientName::Fiber)),
            (&["total", "sugars"], Some(NutrientName::Sugars)),
            (&["added", "sugars"], Some(NutrientName::Other)),
            (&["protein"], Some(NutrientName::Protein)),
            (&["fett"], Some(NutrientName::Fat)),
            (&["davon", "gesattigte", "fettsauren"], Some(NutrientName::Saturated)),
            (&["kohlenhydrate"], Some(NutrientName::Carbs)),
            (&["eiweib"], Some(NutrientName::Protein)),
            (&["matieres", "grasses"], Some(NutrientName::Fat)),
            (&["dont", "acides", "gras", "satures"], Some(NutrientName::Saturated)),
            (&["glucides"], Some(NutrientName::Carbs)),
            (&["hidratos", "de", "carbono"], Some(NutrientName::Carbs)),
            (&["valor", "energetico"], Some(NutrientName::Energy)),
            (&["di", "cui", "acidi", "grassi", "saturi"], Some(NutrientName::Saturated)),
            (&["waarvan", "verzadigde", "vetzuren"], Some(NutrientName::Saturated)),
            (&["koolhydraten"], Some(NutrientName::Carbs)),
            (&["zout"], Some(NutrientName::Salt)),
            (&["serving", "size"], None),
            (&["ingredients", "oats"], None),
        ];
        for (words, expected) in cases {
            assert_eq!(nutrient_name(words), expected, "{words:?}");
        }
    }
}
