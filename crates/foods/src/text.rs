//! Words as the catalog compares them.
//!
//! Names and queries go through the same folding, so that case, accents, punctuation and plurals never decide
//! whether a food is found: "Crème Fraîche" and "creme fraiche", "M&M's" and "mms", "Berries" and "berry" are equal.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest word that is kept whole; the rest of a longer one is dropped.
const MAX_WORD_CHARS: usize = 32;

/// Words that never decide which food is meant.
const STOP_WORDS: &[&str] = &["a", "an", "and", "as", "at", "for", "from", "in", "of", "on", "or", "the", "to", "with"];

/// Splits text into folded words: lower case, no accents, apostrophes closed up, plurals made singular, stop words
/// dropped. A percentage is one word ("2%"), and so is each half of a ratio that adds up to a hundred ("80/20" gives
/// "80%" and "20%", as ground beef is labelled).
pub fn words(text: &str) -> Vec<String> {
    raw_words(text, usize::MAX).into_iter().filter(|word| !is_stop_word(word)).map(|word| singular(&word)).collect()
}

/// Splits text into folded words without touching plurals or stop words; at most `limit` of them.
pub fn raw_words(text: &str, limit: usize) -> Vec<String> {
    if text.is_ascii() {
        // Nearly every name: nothing to decompose.
        return split_words(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())), limit);
    }
    split_words(text.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase), limit)
}

/// Splits folded characters into words; at most `limit` of them.
fn split_words(text: impl Iterator<Item = char>, limit: usize) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = 0;
    for c in text {
        match c {
            // Apostrophes and registered marks vanish: "Wendy's" is "wendys".
            '\'' | '’' | '‘' | '`' | '´' | '®' | '™' => {}
            '.' | ',' if word.ends_with(|c: char| c.is_ascii_digit()) => {
                // Kept for now, dropped in `finish` unless a digit follows: "3.25%".
                word.push('.');
            }
            '%' if word.ends_with(|c: char| c.is_ascii_digit()) => {
                word.push('%');
                finish(&mut word, &mut words);
                chars = 0;
            }
            '/' if word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty() => word.push('/'),
            c if c.is_alphanumeric() => {
                if word.ends_with(['.', '/']) && !c.is_ascii_digit() {
                    finish(&mut word, &mut words);
                    chars = 0;
                }
                chars += 1;
                if chars <= MAX_WORD_CHARS {
                    word.push(c);
                }
            }
            _ => {
                finish(&mut word, &mut words);
                chars = 0;
            }
        }
        if words.len() >= limit {
            words.truncate(limit);
            return words;
        }
    }
    finish(&mut word, &mut words);
    words.truncate(limit);
    words
}

/// Ends a word: trailing separators go, ratios become percentages.
fn finish(word: &mut String, words: &mut Vec<String>) {
    while word.ends_with(['.', '/']) {
        word.pop();
    }
    if word.is_empty() {
        return;
    }
    match word.split_once('/') {
        None => words.push(word.clone()),
        Some((left, right)) => match (left.parse::<u32>(), right.parse::<u32>()) {
            (Ok(lean), Ok(fat)) if lean.checked_add(fat) == Some(100) => {
                words.push(format!("{left}%"));
                words.push(format!("{right}%"));
            }
            _ => words.extend(word.split('/').filter(|part| !part.is_empty()).map(str::to_owned)),
        },
    }
    word.clear();
}

/// Whether a character only changes the letter before it, as a combining accent does.
pub fn is_mark(c: char) -> bool {
    is_combining_mark(c)
}

/// Whether a folded word is one that never decides which food is meant.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// The singular of a folded English word. What matters is that both forms of a word come out the same.
///
/// A stemmer would go further than names of foods allow: Porter turns "berries" into "berri" and "university" into
/// "univers".
pub fn singular(word: &str) -> String {
    singular_of(word).unwrap_or_else(|| word.to_owned())
}

/// The singular where it differs from the word.
fn singular_of(word: &str) -> Option<String> {
    // Singulars that end in "ie" or "che": only the "s" goes.
    const ONLY_S: &[&str] = &[
        "brioches",
        "brownies",
        "calories",
        "ceviches",
        "cookies",
        "cuties",
        "goodies",
        "hoagies",
        "pies",
        "quiches",
        "smoothies",
        "veggies",
        "weenies",
    ];
    const IRREGULAR: &[(&str, &str)] = &[
        ("loaves", "loaf"),
        ("halves", "half"),
        ("leaves", "leaf"),
        ("knives", "knife"),
        ("geese", "goose"),
        ("fillets", "filet"),
        ("fillet", "filet"),
        ("fungi", "fungus"),
        ("octopi", "octopus"),
    ];
    if let Some((_, single)) = IRREGULAR.iter().find(|(plural, _)| *plural == word) {
        return Some((*single).to_owned());
    }
    if word.len() < 4 || !word.ends_with('s') || !word.is_ascii() {
        return None;
    }
    let cut = |n: usize| Some(word[..word.len() - n].to_owned());
    if ONLY_S.contains(&word) {
        return cut(1);
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        words(text).join(" ")
    }

    #[test]
    fn spelling_variants_are_equal() {
        for (one, other) in [
            ("Crème Fraîche", "creme fraiche"),
            ("JALAPEÑOS", "jalapeno"),
            ("M&M’s", "m&m's"),
            ("blueberries", "blueberry"),
            ("Tomatoes", "tomato"),
            ("potato chips", "Potato Chip"),
            ("sandwiches", "sandwich"),
            ("cookies & cream", "cookie cream"),
            ("cheeses", "cheese"),
            ("low-fat", "low fat"),
            ("mac and cheese", "mac & cheese"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} / {other}");
        }
    }

    #[test]
    fn words_that_only_look_plural_stay() {
        for word in ["hummus", "swiss", "asparagus", "couscous", "bass", "gas"] {
            assert_eq!(singular(word), word);
        }
    }

    #[test]
    fn numbers_keep_their_meaning() {
        assert_eq!(folded("2% milk"), "2% milk");
        assert_eq!(folded("milk, 3.25% milkfat"), "milk 3.25% milkfat");
        assert_eq!(folded("80/20 beef"), "80% 20% beef");
        assert_eq!(folded("1/2 cup"), "1 2 cup");
        assert_eq!(folded("7up, 12 oz."), "7up 12 oz");
        assert_eq!(folded("100. grand"), "100 grand");
    }

    #[test]
    fn garbage_is_harmless() {
        assert_eq!(folded("🍕🍔 \u{0} \u{301}"), "");
        assert_eq!(raw_words(&"x".repeat(10_000), 16), ["x".repeat(MAX_WORD_CHARS)]);
        assert_eq!(raw_words(&"a/".repeat(5_000), 16).len(), 16);
        assert_eq!(raw_words(&"9/".repeat(5_000), 16).len(), 16);
    }
}
