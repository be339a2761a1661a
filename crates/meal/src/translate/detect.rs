//! Which language a text is in: the one that explains most of it.

use super::bound::Bound;
use super::entry::Kind;
use super::language::Language;
use super::piece::{English, Piece, is_universal};
use super::reading;
use super::spoken::Spoken;
use super::table_rows::{FOREIGN_FOOD, FUNCTION_WORD, LAST_LATIN};
use crate::lexicon::{Lexicon, Role, Roles};
use crate::read::token::Token;

/// The most tokens that are looked at.
const MAX_TOKENS: usize = 120;
/// The most languages that a text is read in to compare them.
const MAX_TRIED: usize = 4;
/// English is more likely than any other language.
const ENGLISH_PRIOR: f32 = 0.5;
/// A language that the person understands is more likely than others.
const UNDERSTOOD_PRIOR: f32 = 0.6;
/// What a word is worth that is spelled nearly like an English one.
const MISSPELLED: f32 = 0.3;
/// What a word is worth that English has only in borrowed names, and other languages as a function word or as a food: "con",
/// "pollo".
const BORROWED: f32 = 0.3;
const BORROWED_FOOD: f32 = 0.6;
/// What an unknown word costs.
const UNKNOWN: f32 = -0.5;
/// What a word is worth that has letters by which a language is known, and what one costs with letters that it does not have.
const OWN_LETTER: f32 = 0.3;
const STRANGE_LETTER: f32 = 0.6;
/// What it costs that a text has none of the letters of an alphabet.
const NO_OWN_LETTER: f32 = 0.1;
/// What a food is worth by the name that answers in the language show: other languages list it as one of many.
const SHOWN_NAME: f32 = 0.2;
/// What it is worth that a text is a name of the list and nothing else but its amount: "queso cheddar, 200 g".
const WHOLE_NAME: f32 = 0.6;
/// What a joint or an article is worth beside its weight: foods have the same names in many languages, and joints have not.
const JOINT: f32 = 0.2;
/// What it costs that a text begins with "and": "en cappuccino" is one, in Swedish, and nothing is before it.
const BEGUN_WITH_AND: f32 = 0.3;
/// How much likelier a language must be than one that comes before it, by its words or in the alphabet.
const MARGIN: f32 = 0.1;
/// What a bit costs by which pairs of letters are rarer in a language than in another, on average, and the most that it costs.
const RARE_PAIRS: f32 = 0.5;
const MAX_RARE_PAIRS: f32 = 0.6;
const MIN_PAIRS: usize = 12;
/// A language that explains less of a text is not the one it is in.
const MIN_SHARE: f32 = 0.4;

/// Shorter words that measure in English are others elsewhere: "pan".
const MIN_LETTERS_OF_MEASURE: usize = 4;

/// The languages that have each word, as bits in the order of their codes, which the build script has listed.
static WORDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/words.fst"));
/// The languages that have each letter outside of the Latin alphabet, likewise.
static LETTERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/letters.fst"));
/// How rare each pair of letters is in the words of each language in Latin letters, likewise, in sixteenths of a bit.
static PAIRS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pairs.bin"));
/// Signs that are read as a word.
const SIGNS: [char; 2] = ['&', '+'];
const WORD_OF_SIGNS: &str = "and";
/// What a word speaks for English at least that is in an English name of several.
const IN_NAME: f32 = 1.0;
/// The most words of a name that is looked for in a text.
const MAX_WORDS_OF_NAME: usize = 3;

/// The words and letters by which languages are told apart.
#[derive(Debug)]
pub(super) struct Detector {
    by_word: fst::Map<&'static [u8]>,
    by_letter: fst::Map<&'static [u8]>,
}

impl Detector {
    /// Opens the lists.
    pub fn new() -> Self {
        let open = |list| fst::Map::new(list).expect("the build script has written it");
        Self { by_word: open(WORDS), by_letter: open(LETTERS) }
    }

    /// Returns the language that a text is in.
    pub fn detect<'l>(
        &self,
        languages: &'l [Language],
        written: &str,
        text: &[Token],
        understands: &[String],
        english: &impl English,
    ) -> Spoken<'l> {
        let text = &text[..text.len().min(MAX_TOKENS)];
        let without_signs = without_signs(written, text);
        let text = without_signs.as_deref().unwrap_or(text);
        let words: Vec<&str> =
            text.iter().filter_map(Token::word).filter(|word| !is_universal(word, english.lexicon())).collect();
        let names = || [&words[..], without_measure(&words, english), without_asides(&words, english)];
        if understands.is_empty() && names().into_iter().any(|name| english.names_food(name)) {
            return Spoken::English;
        }
        let mut scores: Vec<f32> = words.iter().map(|word| self.score_in_english(word, english)).collect();
        raise_in_names(&mut scores, &words, english);
        let english_score: f32 = scores.into_iter().sum();
        let to_exceed = english_score + ENGLISH_PRIOR;
        let found = self.explaining(languages, text, &words, understands, english, to_exceed);
        match likeliest(&found, written, &words) {
            Some(language) if !self.is_product(text, english) => Spoken::Other(language),
            _ if is_unknown(&words, english) && !english.names_product(text) => Spoken::Unknown,
            _ => Spoken::English,
        }
    }

    /// Checks whether a text is the name of a product, and words beside it that no other language claims: "lion bar", but not
    /// "red bull y café".
    fn is_product(&self, text: &[Token], english: &impl English) -> bool {
        let is_foreign =
            |word: &str| self.by_word.get(word).is_some() && self.score_in_english(word, english) <= BORROWED_FOOD;
        english.product_in(text).is_some_and(|product| {
            let mut others = text.iter().enumerate().filter(|(at, _)| !product.contains(at));
            !others.any(|(_, token)| token.word().is_some_and(is_foreign))
        })
    }

    /// Returns how much a word speaks for English.
    fn score_in_english(&self, word: &str, english: &impl English) -> f32 {
        let bits = self.by_word.get(word).unwrap_or(0);
        let does = |role: Role| english.lexicon().roles(word).has(role);
        let is_half = bits & FUNCTION_WORD != 0 && does(Role::Multiplier) && !does(Role::Number);
        let is_english = || english.lexicon().is_listed(word) || english.lexicon().spelling(word).is_some();
        let is_food_elsewhere = || {
            let is_thing = does(Role::Venue) || english.lexicon().is_known_by_ending(word);
            bits & FOREIGN_FOOD != 0 && is_thing && !english.names_food(&[word])
        };
        let is_foreign_food = || bits & FOREIGN_FOOD != 0 && !is_english() && !english.names_food(&[word]);
        match english.certainty(word) {
            // "halve" is a request in English and an amount in Dutch, "kyckling" has an ending of adjectives, and a café serves one.
            _ if is_half || is_food_elsewhere() => BORROWED,
            score if score > BORROWED && bits & FUNCTION_WORD != 0 && !english.lexicon().is_listed(word) => BORROWED,
            score if score > BORROWED_FOOD && score <= 1.0 && is_foreign_food() => BORROWED_FOOD,
            score if score > 0.0 => score,
            _ if english.may_be_misspelled(word) => MISSPELLED,
            _ => UNKNOWN,
        }
    }

    /// Returns the languages but English that explain more of a text than a score.
    fn explaining<'l>(
        &self,
        languages: &'l [Language],
        text: &[Token],
        words: &[&str],
        understands: &[String],
        english: &impl English,
        to_exceed: f32,
    ) -> Vec<Explaining<'l>> {
        let prior = |language: &Language| {
            let place = understands.iter().position(|code| code == language.code());
            place.map_or(0.0, |place| UNDERSTOOD_PRIOR / (place + 1) as f32)
        };
        let mut tried = self.candidates(languages, words);
        tried.truncate(MAX_TRIED.max(if words.len() <= 2 { tried.len() } else { 0 }));
        let bound = Bound::of(text, english);
        let mut found = Vec::new();
        for (_, at, language) in tried {
            if !bound.can_exceed(to_exceed - prior(language) - WHOLE_NAME, language) {
                continue;
            }
            let pieces = reading::pieces_of(text, language, None, english);
            let score: f32 = pieces.iter().map(|piece| piece.weight).sum::<f32>() + prior(language);
            // English would not call it so, or it would have been found before.
            let is_whole_name = is_name_of_several_words(&pieces, words.len(), english.lexicon());
            let score = if is_whole_name { score + WHOLE_NAME } else { score };
            if share_of(&pieces) >= MIN_SHARE && score > to_exceed {
                let begins_with_and = pieces.first().is_some_and(|first| {
                    let mut words = first.tokens.iter().filter_map(Token::word);
                    words.any(|word| english.lexicon().roles(word).has(Role::And))
                });
                let begun = if begins_with_and { BEGUN_WITH_AND } else { 0.0 };
                let tells = |piece: &&Piece| {
                    piece.weight >= 1.0 && matches!(piece.kind, Kind::Joint | Kind::Count | Kind::Number(_))
                };
                let joints = pieces.iter().filter(tells).count() as f32;
                let shown = pieces.iter().filter(|piece| piece.is_shown).count() as f32;
                found.push(Explaining {
                    likelihood: score + SHOWN_NAME * shown + JOINT * joints - begun,
                    at,
                    language,
                });
            }
        }
        found
    }

    fn bits_of_letter(&self, letter: char) -> u32 {
        self.by_letter.get(letter.encode_utf8(&mut [0; 4])).unwrap_or(0) as u32
    }

    /// Returns the languages that a text may be in, those with most of its words first.
    fn candidates<'l>(&self, languages: &'l [Language], words: &[&str]) -> Vec<(usize, usize, &'l Language)> {
        let mut counts = vec![0usize; languages.len()];
        for word in words {
            // "2el": a number and a unit.
            let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let mut bits = self.by_word.get(unit).unwrap_or(0) as u32;
            for letter in word.chars().filter(|letter| *letter > LAST_LATIN).take(4) {
                bits |= self.bits_of_letter(letter);
            }
            for (at, count) in counts.iter_mut().enumerate() {
                *count += (bits >> at & 1) as usize;
            }
        }
        // A single compound word is in no table as it is.
        let is_any = counts.iter().any(|count| *count > 0);
        let all = counts.into_iter().zip(languages).enumerate().map(|(at, (count, language))| (count, at, language));
        let mut found: Vec<(usize, usize, &'l Language)> =
            all.filter(|(count, _, language)| *count > 0 || !is_any && !language.settings().links.is_empty()).collect();
        found.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
        found
    }
}

/// A language that explains a text.
struct Explaining<'l> {
    /// How likely that makes the language, before the letters are looked at.
    likelihood: f32,
    /// Its place in the order of codes.
    at: usize,
    language: &'l Language,
}

/// Returns the likeliest of the languages that explain a text. Of two that explain about the same,
/// the letters tell.
fn likeliest<'l>(found: &[Explaining<'l>], written: &str, words: &[&str]) -> Option<&'l Language> {
    if let [only] = found {
        return Some(only.language);
    }
    let rarity: Vec<f32> = found.iter().map(|explaining| rarity_of_pairs(words, explaining.at)).collect();
    let least = rarity.iter().copied().fold(f32::INFINITY, f32::min);
    let likelihood = |explaining: &Explaining<'l>, rarity: f32| {
        let rare = (RARE_PAIRS * (rarity - least)).min(MAX_RARE_PAIRS);
        explaining.likelihood + score_of_letters(written, explaining.language) - rare
    };
    let likely = found.iter().zip(rarity).map(|(explaining, rarity)| (likelihood(explaining, rarity), explaining));
    let best = likely.fold(None, |best: Option<(f32, &Explaining<'l>)>, next| match best {
        Some(best) if best.0 + MARGIN >= next.0 => Some(best),
        _ => Some(next),
    });
    best.map(|(_, explaining)| explaining.language)
}

/// Returns how much the letters of a text speak for a language.
fn score_of_letters(written: &str, language: &Language) -> f32 {
    let own = language.settings().letters;
    if own.is_empty() {
        return 0.0;
    }
    let is_alphabet = own.chars().all(|letter| letter > LAST_LATIN);
    let words = written.split(|letter: char| !letter.is_alphabetic()).take(MAX_TOKENS);
    let mut score = 0.0;
    let mut has_own = false;
    for word in words {
        let mut letters = word.chars().flat_map(char::to_lowercase).filter(|letter| !letter.is_ascii()).peekable();
        if letters.peek().is_none() {
            continue;
        }
        if is_alphabet {
            has_own |= letters.any(|letter| own.contains(letter));
        } else {
            score += if letters.all(|letter| own.contains(letter)) { OWN_LETTER } else { -STRANGE_LETTER };
        }
    }
    if is_alphabet && !has_own { score - NO_OWN_LETTER } else { score }
}

/// The letters of the table of pairs: the ends of words, and those from a to z.
const PAIR_LETTERS: usize = 27;

/// Returns how rare the pairs of letters in words are in a language, in bits, on average.
fn rarity_of_pairs(words: &[&str], language: usize) -> f32 {
    let table = &PAIRS[language * PAIR_LETTERS * PAIR_LETTERS..][..PAIR_LETTERS * PAIR_LETTERS];
    let place = |letter: u8| if letter.is_ascii_lowercase() { usize::from(letter - b'a') + 1 } else { 0 };
    let (mut bits, mut pairs) = (0.0, 0);
    for word in words.iter().filter(|word| word.is_ascii()) {
        let letters = std::iter::once(0).chain(word.bytes().map(place)).chain([0]);
        for (one, next) in letters.clone().zip(letters.skip(1)) {
            bits += f32::from(table[one * PAIR_LETTERS + next]) / 16.0;
            pairs += 1;
        }
    }
    // A few pairs tell little.
    if pairs > 0 { bits / pairs.max(MIN_PAIRS) as f32 } else { 0.0 }
}

/// Returns the words behind those that measure in English, or before them: "bowl of nilagang baka", where a bowl is a dish in
/// other languages.
fn without_measure<'w, 't>(words: &'w [&'t str], english: &impl English) -> &'w [&'t str] {
    let lexicon = english.lexicon();
    let measures = |word: &str| word.len() >= MIN_LETTERS_OF_MEASURE && lexicon.unit(word).is_some();
    let words = match words {
        [article, rest @ ..] if lexicon.roles(article).has(Role::Indefinite) => rest,
        _ => words,
    };
    match words {
        [first, of, rest @ ..] if measures(first) && lexicon.roles(of).has(Role::Of) => rest,
        [first, rest @ ..] if measures(first) => rest,
        // "california roll, 8 pieces".
        [rest @ .., last] if measures(last) => rest,
        _ => words,
    }
}

/// Returns a text with commas for the words that stand for "+" and "&", which are of no language, if it has such signs.
fn without_signs(written: &str, text: &[Token]) -> Option<Vec<Token>> {
    let is_sign = |token: &Token| token.word() == Some(WORD_OF_SIGNS);
    let signs = written.matches(SIGNS).count();
    let words = text.iter().filter(|token| is_sign(token)).count();
    let without = |token: &Token| if is_sign(token) { Token::Comma } else { token.clone() };
    (words > 0 && signs >= words).then(|| text.iter().map(without).collect())
}

/// Raises what words speak for English that are in an everyday name of several: the "max" of "pepsi max" is English.
fn raise_in_names(scores: &mut [f32], words: &[&str], english: &impl English) {
    let mut at = 0;
    while at < words.len() {
        let most = (words.len() - at).min(MAX_WORDS_OF_NAME);
        let is_open = scores[at..at + most].iter().any(|score| *score < IN_NAME);
        let is_name = |width: &usize| english.named(&words[at..at + width]).is_some();
        let name = (2..=most).rev().filter(|_| is_open).find(is_name);
        for score in &mut scores[at..at + name.unwrap_or(0)] {
            *score = score.max(IN_NAME);
        }
        at += name.unwrap_or(1);
    }
}

/// Returns the words without those around them that say nothing of a food in English: "the moscow mule", where "the" is tea in
/// other languages.
fn without_asides<'w, 't>(words: &'w [&'t str], english: &impl English) -> &'w [&'t str] {
    const BEFORE: Roles = Roles::of(&[
        Role::Definite,
        Role::Indefinite,
        Role::Possessive,
        Role::Some,
        Role::Filler,
        Role::Meal,
        Role::Eating,
    ]);
    const BEHIND: Roles = Roles::of(&[Role::Filler, Role::Meal, Role::Aside, Role::Today]);
    let has = |word: &&str, roles: Roles| english.lexicon().roles(word).any(roles);
    let first = words.iter().position(|word| !has(word, BEFORE)).unwrap_or(0);
    let last = words.iter().rposition(|word| !has(word, BEHIND)).map_or(words.len(), |last| last + 1);
    words.get(first..last).unwrap_or(words)
}

/// Returns the share of a text that a language explains.
fn share_of(pieces: &[Piece]) -> f32 {
    let known: f32 = pieces.iter().map(|piece| piece.weight.max(0.0)).sum();
    let unknown = pieces.iter().filter(|piece| piece.weight < 0.0).count();
    if known > 0.0 { known / (known + unknown as f32) } else { 0.0 }
}

/// Checks whether all of a text with so many words but its amount is one name of a food, and more than one word.
fn is_name_of_several_words(pieces: &[Piece], words: usize, lexicon: &Lexicon) -> bool {
    let (amounts, others): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(|piece| piece.kind.is_amount());
    let is_word = |piece: &&&Piece| {
        piece.tokens.iter().any(|token| token.word().is_some_and(|word| !is_universal(word, lexicon)))
    };
    let mut named = others.iter().filter(|piece| piece.kind != Kind::Break);
    let is_food = named.next().is_some_and(|only| only.food.is_some()) && named.next().is_none();
    is_food && words > 1 + amounts.iter().filter(is_word).count()
}

/// Checks whether a text is in a language that is not known: few of its words are English, and most of the others are no
/// misspelled English either.
fn is_unknown(words: &[&str], english: &impl English) -> bool {
    let unknown: Vec<&&str> = words.iter().filter(|word| !english.knows(word)).collect();
    let share = 1.0 - unknown.len() as f32 / words.len().max(1) as f32;
    unknown.len() >= 2
        && share < MIN_SHARE
        && unknown.iter().filter(|word| english.may_be_misspelled(word)).count() * 2 < unknown.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate::settings;
    use std::sync::Arc;

    #[test]
    fn the_lists_have_the_words_of_every_language() {
        let lexicon = Arc::new(Lexicon::default());
        let detector = Detector::new();
        for (at, tables) in settings::ALL.iter().enumerate() {
            let language = Language::new(tables, Arc::clone(&lexicon));
            for word in language.words().words() {
                let bits = match word.chars().find(|letter| *letter > LAST_LATIN) {
                    Some(letter) => detector.bits_of_letter(letter),
                    None if language.settings().is_unspaced => continue,
                    None => detector.by_word.get(word).unwrap_or(0) as u32,
                };
                assert!(bits >> at & 1 == 1, "{word} of {}", language.code());
            }
        }
    }
}
