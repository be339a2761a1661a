//! What the names on labels say: in English, German, French, Spanish, Italian and Dutch.
//!
//! The recognition knows English letters only, so accents are lost or become other letters, and spaces get lost too. Words
//! are therefore looked for within the letters of a name, with a letter or two wrong where they are long enough.

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Energy,
    Fat,
    Saturated,
    Carbs,
    Sugars,
    Fiber,
    Protein,
    Sodium,
    Salt,
    /// Something on labels that is not asked for; its amount must not be taken for another's.
    Other,
}

/// Words and what they say, in the order in which they are looked for: "saturated fat" is not fat, and "added sugars" are
/// not the sugars.
const WORDS: [(Name, &[&str]); 11] = [
    (
        Name::Other,
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
        Name::Saturated,
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
    (Name::Sugars, &["sugars", "sugar", "zucker", "sucres", "azucares", "azucar", "zuccheri", "suikers"]),
    (
        Name::Fiber,
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
        Name::Carbs,
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
        Name::Protein,
        &["protein", "eiweiss", "eiweis", "eiwei", "proteines", "proteinas", "proteine", "eiwitten", "eiwit"],
    ),
    (Name::Sodium, &["sodium", "natrium"]),
    (
        Name::Energy,
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
    (Name::Salt, &["salt", "salz", "sel", "sal", "sale", "zout"]),
    (Name::Other, &["trans", "iron", "folate", "biotin", "zinc"]),
    (
        Name::Fat,
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

/// What makes the opposite of saturated. To the letter: with a letter or two wrong it is saturated itself.
const UNSATURATED: [&str; 4] = ["unsat", "insat", "ungesat", "onverz"];

/// What a name says, if it is one of those on labels. Words in lower case.
pub(super) fn name(words: &[&str]) -> Option<Name> {
    let joined = words.concat();
    if joined.len() < 3 || joined.len() > 60 {
        return None;
    }
    if UNSATURATED.iter().any(|opposite| joined.contains(opposite)) {
        return Some(Name::Other);
    }
    WORDS.iter().find(|(_, known)| known.iter().any(|word| contains(words, &joined, word))).map(|(name, _)| *name)
}

/// Whether one of some words is this one, give or take a letter where it is long enough.
pub(super) fn says(words: &[&str], word: &str) -> bool {
    contains(words, &words.concat(), word)
}

fn contains(words: &[&str], joined: &str, word: &str) -> bool {
    match word.len() {
        // Short ones are parts of many others.
        0..=4 => words.contains(&word),
        5..=6 => joined.contains(word) || words.iter().any(|other| other.len() >= 4 && distance(other, word) <= 1),
        7..=9 => is_within(joined, word, 1) || words.iter().any(|other| other.len() >= 6 && distance(other, word) <= 2),
        _ => is_within(joined, word, 2),
    }
}

/// How many letters must be changed, added or left out to make one of the other.
fn distance(one: &str, other: &str) -> usize {
    least_edits(one, other, false)
}

/// Whether the word is somewhere in the text, with so many edits at most.
fn is_within(text: &str, word: &str, edits: usize) -> bool {
    text.contains(word) || least_edits(word, text, true) <= edits
}

/// Edits from one to the other, or to its most similar part.
fn least_edits(one: &str, other: &str, part: bool) -> usize {
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
        let cases: [(&[&str], Option<Name>); 32] = [
            (&["total", "fat"], Some(Name::Fat)),
            (&["totalfat"], Some(Name::Fat)),
            (&["saturated", "fat"], Some(Name::Saturated)),
            (&["saturatedfat"], Some(Name::Saturated)),
            (&["of", "which", "saturates"], Some(Name::Saturated)),
            (&["trans", "fat"], Some(Name::Other)),
            (&["polyunsaturated", "fat"], Some(Name::Other)),
            (&["calories"], Some(Name::Energy)),
            (&["calones"], Some(Name::Energy)),
            (&["calories", "from", "fat"], Some(Name::Other)),
            (&["total", "carbohydrate"], Some(Name::Carbs)),
            (&["totalcarbohydrale"], Some(Name::Carbs)),
            (&["total", "carb"], Some(Name::Carbs)),
            (&["dietary", "fiber"], Some(Name::Fiber)),
            (&["total", "sugars"], Some(Name::Sugars)),
            (&["added", "sugars"], Some(Name::Other)),
            (&["protein"], Some(Name::Protein)),
            (&["fett"], Some(Name::Fat)),
            (&["davon", "gesattigte", "fettsauren"], Some(Name::Saturated)),
            (&["kohlenhydrate"], Some(Name::Carbs)),
            (&["eiweib"], Some(Name::Protein)),
            (&["matieres", "grasses"], Some(Name::Fat)),
            (&["dont", "acides", "gras", "satures"], Some(Name::Saturated)),
            (&["glucides"], Some(Name::Carbs)),
            (&["hidratos", "de", "carbono"], Some(Name::Carbs)),
            (&["valor", "energetico"], Some(Name::Energy)),
            (&["di", "cui", "acidi", "grassi", "saturi"], Some(Name::Saturated)),
            (&["waarvan", "verzadigde", "vetzuren"], Some(Name::Saturated)),
            (&["koolhydraten"], Some(Name::Carbs)),
            (&["zout"], Some(Name::Salt)),
            (&["serving", "size"], None),
            (&["ingredients", "oats"], None),
        ];
        for (words, expected) in cases {
            assert_eq!(name(words), expected, "{words:?}");
        }
    }
}
