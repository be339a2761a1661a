//! One and many: the singular and the plural of English words.

/// Plurals in "ies", "ches" or "is" of which only the "s" goes.
const ONLY_S: &[&str] = &[
    "bhajis",
    "biscottis",
    "brioches",
    "broccolis",
    "brownies",
    "calamaris",
    "calories",
    "cannolis",
    "ceviches",
    "chapatis",
    "chapattis",
    "cookies",
    "cuties",
    "daiquiris",
    "goodies",
    "hoagies",
    "makis",
    "martinis",
    "nigiris",
    "onigiris",
    "paninis",
    "pierogis",
    "pies",
    "quiches",
    "raviolis",
    "salamis",
    "smoothies",
    "souvlakis",
    "spaghettis",
    "sushis",
    "tortellinis",
    "veggies",
    "weenies",
    "zucchinis",
];

/// Plurals that follow no rule, and their singulars.
const IRREGULAR: &[(&str, &str)] = &[
    ("fungi", "fungus"),
    ("geese", "goose"),
    ("halves", "half"),
    ("knives", "knife"),
    ("leaves", "leaf"),
    ("loaves", "loaf"),
    ("octopi", "octopus"),
];

/// Returns the singular of a lower-case word, or `None` if the word is not a plural.
///
/// A stemmer would go further than the names of foods allow: Porter turns "berries" into "berri" and "university" into
/// "univers".
pub fn singular(word: &str) -> Option<String> {
    if let Some((_, single)) = IRREGULAR.iter().find(|(plural, _)| *plural == word) {
        return Some((*single).to_owned());
    }
    if word.len() < 4 || !word.ends_with('s') {
        return None;
    }
    let cut = |letters: usize| Some(word[..word.len() - letters].to_owned());
    if ONLY_S.contains(&word) {
        return cut(1);
    }
    if ["ss", "us", "is", "'s"].iter().any(|end| word.ends_with(end)) {
        return None;
    }
    if word.ends_with("ies") && word.len() > 4 {
        return cut(3).map(|stem| stem + "y");
    }
    if ["sses", "shes", "ches", "xes", "oes", "zzes"].iter().any(|end| word.ends_with(end)) {
        return cut(2);
    }
    cut(1)
}

/// Returns the plural of a lower-case noun, or of the last word of several: "medium slices".
pub fn plural(noun: &str) -> String {
    let (before, last) = noun.rsplit_once(' ').map_or(("", noun), |(_, last)| (&noun[..noun.len() - last.len()], last));
    if let Some((plural, _)) = IRREGULAR.iter().find(|(_, single)| *single == last) {
        return format!("{before}{plural}");
    }
    let is_vowel = |letter: char| "aeiou".contains(letter);
    match last.strip_suffix('y') {
        Some(stem) if stem.ends_with(|letter: char| !is_vowel(letter)) => format!("{before}{stem}ies"),
        _ if ["s", "ch", "sh", "x", "zz"].iter().any(|end| last.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        for (one, many) in [
            ("berry", "berries"),
            ("box", "boxes"),
            ("cup", "cups"),
            ("glass", "glasses"),
            ("half", "halves"),
            ("leaf", "leaves"),
            ("loaf", "loaves"),
            ("patty", "patties"),
            ("sandwich", "sandwiches"),
            ("slice", "slices"),
            ("tray", "trays"),
        ] {
            assert_eq!(singular(many).as_deref(), Some(one));
            assert_eq!(plural(one), many);
            assert_eq!(singular(one), None, "{one}");
        }
        for (many, one) in [("tomatoes", "tomato"), ("cookies", "cookie"), ("pies", "pie"), ("chapatis", "chapati")] {
            assert_eq!(singular(many).as_deref(), Some(one));
        }
        assert_eq!(plural("medium slice"), "medium slices");
    }

    #[test]
    fn words_that_only_look_plural_stay() {
        for word in ["hummus", "swiss", "asparagus", "couscous", "bass", "gas", "this", "various", "hershey's"] {
            assert_eq!(singular(word), None, "{word}");
        }
    }
}
