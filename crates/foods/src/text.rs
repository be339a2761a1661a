//! Words as the catalog compares them.
//!
//! Names and queries go through the same folding, so that case, accents, punctuation and plurals never decide
//! whether a food is found: "Crème Fraîche" and "creme fraiche", "M&M's" and "mms", "Berries" and "berry" are equal.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::plural;

/// The most characters of a word; the rest is dropped.
pub const MAX_WORD_CHARS: usize = 32;

/// Shorter words are not looked for in words that were run together.
const MIN_PART_LETTERS: usize = 3;

/// Words that never decide which food is meant.
const STOP_WORDS: &[&str] = &["a", "an", "and", "as", "at", "for", "from", "in", "of", "on", "or", "the", "to", "with"];

/// Splits text into folded words: lowercase, no accents, no apostrophes, plurals made singular, stop words dropped. A
/// percentage is one word ("2%"), and so is each half of a ratio that adds up to a hundred ("80/20" gives "80%" and "20%",
/// as ground beef is labeled).
pub fn words(text: &str) -> Vec<String> {
    raw_words(text, usize::MAX).into_iter().filter(|word| !is_stop_word(word)).map(|word| singular(&word)).collect()
}

/// Splits text into folded words without touching plurals or stop words; at most `limit` of them.
pub fn raw_words(text: &str, limit: usize) -> Vec<String> {
    if text.is_ascii() {
        // Nearly every name: nothing to decompose.
        let is_plain = !text.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'\'' | b'`'));
        return if is_plain {
            plain_words(text, limit)
        } else {
            split_words(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())), limit)
        };
    }
    if text.chars().all(|c| c < LATIN_END) {
        // Languages with Latin letters: no mark stands alone, so that each letter is folded by itself.
        return split_words(text.chars().flat_map(|c| LATIN.of(c)), limit);
    }
    split_words(folded_chars(text), limit)
}

/// Splits text of ASCII characters without digits and apostrophes, where every other character that is no letter separates.
fn plain_words(text: &str, limit: usize) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    words.take(limit).map(|word| word[..word.len().min(MAX_WORD_CHARS)].to_ascii_lowercase()).collect()
}

/// The first character after the Latin letters, where the marks begin.
const LATIN_END: char = '\u{300}';

/// What each of those letters is folded to.
static LATIN: LazyLock<LatinLetters> = LazyLock::new(LatinLetters::new);

struct LatinLetters {
    folded: String,
    /// Where the characters of each letter end in it.
    ends: Vec<u16>,
}

impl LatinLetters {
    fn new() -> Self {
        let (mut folded, mut ends) = (String::new(), Vec::new());
        for letter in '\0'..LATIN_END {
            folded.extend(folded_chars(letter.encode_utf8(&mut [0; 4])));
            ends.push(folded.len() as u16);
        }
        Self { folded, ends }
    }

    fn of(&self, letter: char) -> impl Iterator<Item = char> + '_ {
        let at = letter as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        self.folded[usize::from(start)..usize::from(self.ends[at])].chars()
    }
}

/// Folds a text without splitting it: lowercase, no accents.
pub fn folded(text: &str) -> String {
    folded_chars(text).collect()
}

fn folded_chars(text: &str) -> impl Iterator<Item = char> + '_ {
    text.nfkd().filter(|&c| !is_combining_mark(c) || is_letter(c)).flat_map(char::to_lowercase).flat_map(base_letters)
}

/// Checks whether a mark is as good as a letter, which nobody leaves out: the vowels of India's and Thailand's scripts, the
/// voicing of Japanese syllables.
fn is_letter(mark: char) -> bool {
    matches!(mark as u32, 0x0900..=0x0dff | 0x0e30..=0x0e4e | 0x3099..=0x309a)
}

/// Returns the letters that people type for one that has no accent to take away: "ss" for "ß".
fn base_letters(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' => ('s', Some('s')),
        'œ' => ('o', Some('e')),
        'æ' => ('a', Some('e')),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' => ('d', None),
        'ı' => ('i', None),
        _ => (c, None),
    };
    std::iter::once(first).chain(second)
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
                // Dropped in `finish` unless a digit follows: "3.25%".
                word.push('.');
            }
            '%' if word.ends_with(|c: char| c.is_ascii_digit()) => {
                word.push('%');
                finish(&mut word, &mut words);
                chars = 0;
            }
            '/' if word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty() => word.push('/'),
            c if c.is_alphanumeric() || is_letter(c) => {
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

/// Ends a word: drops trailing separators and turns ratios into percentages.
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

/// Returns whether a character only modifies the letter before it, as a combining accent does.
pub fn is_mark(c: char) -> bool {
    is_combining_mark(c)
}

/// Returns whether a folded word is one that never decides which food is meant.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Returns the singular of a folded English word. What matters is that both forms of a word come out the same.
pub fn singular(word: &str) -> String {
    match word {
        // Both spellings are in the tables.
        "fillet" | "fillets" => "filet".to_owned(),
        _ if word.is_ascii() => plural::singular(word).unwrap_or_else(|| word.to_owned()),
        _ => word.to_owned(),
    }
}

/// Splits a word that was run together ("peanutbutter") where the rarer of the two parts is most frequent; `None` if that
/// part is rarer than `min`. The second part is made singular. `count` says how many names have a word.
pub fn split_compound(word: &str, count: impl Fn(&str) -> usize, min: usize) -> Option<(String, String)> {
    if word.len() < 2 * MIN_PART_LETTERS || !word.is_ascii() {
        return None;
    }
    let parts = |cut: usize| (&word[..cut], singular(&word[cut..]));
    let rarer = |cut: usize| {
        let (first, second) = parts(cut);
        count(first).min(count(&second))
    };
    let cuts = MIN_PART_LETTERS..=word.len() - MIN_PART_LETTERS;
    let (names, cut) = cuts.map(|cut| (rarer(cut), cut)).max()?;
    let (first, second) = parts(cut);
    (names >= min).then(|| (first.to_owned(), second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        words(text).join(" ")
    }

    #[test]
    fn letters_fold_alike_alone_and_beside_any_other_script() {
        for letter in ('\0'..LATIN_END).filter(|letter| letter.is_alphanumeric()) {
            let text = format!("a{letter}b {letter}");
            let beside = raw_words(&format!("{text} 飯"), usize::MAX);
            assert_eq!(raw_words(&text, usize::MAX), beside[..beside.len() - 1], "{letter}");
        }
    }

    #[test]
    fn marks_separate_alike_in_plain_names_and_in_others() {
        for mark in ('\0'..='\x7f').filter(|mark| !mark.is_alphanumeric()) {
            for text in [format!("Apple{mark}Pie"), format!("{mark}a{mark}{mark} b{mark}")] {
                let beside = raw_words(&format!("{text} 飯"), usize::MAX);
                assert_eq!(raw_words(&text, usize::MAX), beside[..beside.len() - 1], "{text:?}");
            }
        }
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
    fn compounds_split_where_both_parts_are_frequent() {
        let count = |word: &str| match word {
            "peanut" => 40,
            "butter" => 90,
            "pea" => 30,
            "nutbutter" => 1,
            _ => 0,
        };
        let split = |word: &str| split_compound(word, count, 5);
        assert_eq!(split("peanutbutters"), Some(("peanut".to_owned(), "butter".to_owned())));
        assert_eq!(split("peanut"), None);
        assert_eq!(split("pea"), None);
        assert_eq!(split("crèmebrûlée"), None);
    }

    #[test]
    fn garbage_is_harmless() {
        assert_eq!(folded("🍕🍔 \u{0} \u{301}"), "");
        assert_eq!(raw_words(&"x".repeat(10_000), 16), ["x".repeat(MAX_WORD_CHARS)]);
        assert_eq!(raw_words(&"x ".repeat(10_000), 16).len(), 16);
        assert_eq!(raw_words(&"a/".repeat(5_000), 16).len(), 16);
        assert_eq!(raw_words(&"9/".repeat(5_000), 16).len(), 16);
    }
}
