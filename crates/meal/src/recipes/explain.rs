//! Why a text means a recipe, or why it does not: for a person who wonders.
//!
//! It asks the same search that estimates use and then reconstructs the reasons, so that the search itself carries nothing
//! along that only this needs.

use super::book::{RecipeBook, RecipeMatch};
use super::normal::{NameWords, folded, normal_form};
use super::recipe::Recipe;
use super::scale::RecipeServing;
use super::slots::{NameSlots, Slot};
use super::spelling::tolerance;
use crate::lexicon::Lexicon;
use crate::read::text::{Text, Uses};
use crate::read::token::{self, Token};

pub use super::scale::Counting;

/// Two words are taken for one that was misspelled up to this many slips.
const MOST_SLIPS: usize = 3;

/// The most words of a text that are looked at, and the most that are compared with misspelled words of names. People ask about
/// short texts, and an account can have fifty thousand names.
const MAX_TEXT_WORDS: usize = 200;
const MAX_COMPARED: usize = 16;

/// What a text has to do with a book of recipes.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The recipes in it.
    pub matches: Vec<ExplainedMatch>,
    /// Where there are none: the recipe that came closest.
    pub nearest: Option<NearMiss>,
}

/// A recipe that a text means.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedMatch {
    /// Which recipe of the book.
    pub recipe: usize,
    /// The words that named it.
    pub text: String,
    /// The name or alias that they are.
    pub name: String,
    /// Whether that is an alias.
    pub is_alias: bool,
    /// Letters that are wrong.
    pub slips: usize,
    /// The amount in the text.
    pub quantity: f64,
    /// Its unit.
    pub unit: String,
    /// What the amount comes to.
    pub servings: f64,
    /// How.
    pub counting: Counting,
}

/// A recipe that a text does not mean, although one might think so.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    /// Which recipe of the book.
    pub recipe: usize,
    /// The name or alias that came closest.
    pub name: String,
    /// Why it is not meant.
    pub because: Miss,
}

/// Why a name that is nearly there does not match.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// Words of the name are missing.
    Part(Vec<String>),
    /// Other words beside the name make it another food.
    Company(Vec<String>),
    /// Its words are all there, but not as one run.
    Scattered,
    /// More letters are wrong than a name of this length may have.
    Spelling {
        /// Letters that are wrong.
        slips: usize,
        /// Letters that may be.
        allowed: usize,
    },
}

impl Explanation {
    /// Explains which recipes of a book a text means and why; if it means none, which one came closest and what was in the
    /// way.
    pub fn new(book: &RecipeBook, text: &str, lexicon: &Lexicon) -> Self {
        let tokens = token::tokens(text);
        let found = book.find(&tokens, lexicon);
        let matches: Vec<ExplainedMatch> = found
            .into_iter()
            .filter_map(|found| {
                let recipe = book.get(found.recipe)?;
                let (name, is_alias, slips) = name_of(recipe, &found.text);
                let has_amount = tokens[found.tokens.clone()].len() > found.text.split(' ').count();
                let serving = RecipeServing::new(recipe, &found.text, lexicon);
                let counting =
                    if has_amount { serving.counting(&found.unit, found.quantity) } else { Counting::Unsaid };
                let RecipeMatch { recipe, text, quantity, unit, servings, .. } = found;
                Some(ExplainedMatch { recipe, text, name, is_alias, slips, quantity, unit, servings, counting })
            })
            .collect();
        let nearest = if matches.is_empty() { nearest(book, &tokens, lexicon) } else { None };
        Self { matches, nearest }
    }
}

/// Returns the recipe that comes closest to a text.
fn nearest(book: &RecipeBook, tokens: &[Token], lexicon: &Lexicon) -> Option<NearMiss> {
    let uses = Uses::new(tokens, lexicon);
    let phrases = NameSlots::new(Text::new(tokens, &uses, lexicon));
    // A word that says nothing elsewhere ("this morning") may still be one of a name ("Morning Shake").
    let mut words: Vec<TextWord> = Vec::new();
    for (token, slot) in tokens.iter().zip(&phrases.slots) {
        if let Token::Word(word) = token {
            words.push(TextWord { word: folded(word), is_content: *slot == Slot::Content });
        }
    }
    words.truncate(MAX_TEXT_WORDS);
    let (recipe, name) = closest_name(book, &words)?;
    Some(NearMiss { recipe, because: miss(&name, &words), name })
}

/// Returns the recipe with the name that shares most words with a text, and that name. Every word of a name is compared with
/// the text once, however many names have it.
fn closest_name(book: &RecipeBook, words: &[TextWord]) -> Option<(usize, String)> {
    let vocabulary = &book.names.vocabulary;
    let mut shares = vec![0.0; vocabulary.len()];
    for number in words.iter().filter_map(|typed| vocabulary.number(&typed.word)) {
        shares[number as usize] = 1.0;
    }
    let compared = compared_words(words);
    for (number, share) in (0..).zip(&mut shares).filter(|(_, share)| **share == 0.0) {
        let known = vocabulary.word(number);
        let letters = known.chars().count();
        let is_near =
            |typed: &&str| typed.chars().count().abs_diff(letters) <= MOST_SLIPS && shares_letters(typed, known);
        if compared.iter().filter(|typed| is_near(typed)).any(|typed| is_slip(distance(typed, known), letters)) {
            *share = 0.7;
        }
    }
    let mut best: (f64, Option<usize>) = (0.0, None);
    for index in 0..book.names.len() {
        let run = book.names.run(index);
        let closeness = run.iter().map(|&word| shares[word as usize]).sum::<f64>() / run.len().max(1) as f64;
        if closeness > best.0 {
            best = (closeness, Some(index));
        }
    }
    let index = best.1?;
    let recipe = book.names.get(index)?.recipe as usize;
    let run: Vec<&str> = book.names.run(index).iter().map(|&word| vocabulary.word(word)).collect();
    let known = book.get(recipe)?;
    let mut names = std::iter::once(&known.name).chain(&known.aliases);
    let name = names.find(|name| normal_form(name) == run.join(" ")).unwrap_or(&known.name);
    Some((recipe, name.clone()))
}

/// Returns the words that may be misspelled words of a name.
fn compared_words(words: &[TextWord]) -> Vec<&str> {
    words.iter().filter(|typed| typed.is_content).map(|typed| typed.word.as_str()).take(MAX_COMPARED).collect()
}

/// Checks whether so few letters of a word differ that it may be the same.
fn is_slip(edits: usize, letters: usize) -> bool {
    edits <= MOST_SLIPS && 3 * edits <= letters
}

/// Checks whether two words have nearly the same letters, which is cheaper than to compare their order.
fn shares_letters(one: &str, other: &str) -> bool {
    let bits = |word: &str| word.chars().fold(0u32, |bits, letter| bits | 1u32.rotate_left(letter as u32));
    (bits(one) ^ bits(other)).count_ones() as usize <= 2 * MOST_SLIPS
}

/// The name or alias of a recipe that some words are, whether it is an alias, and how many letters are wrong.
fn name_of(recipe: &Recipe, text: &str) -> (String, bool, usize) {
    let typed = normal_form(text);
    let slips = |name: &str| distance(&normal_form(name), &typed);
    let mut best = (recipe.name.clone(), false, slips(&recipe.name));
    for alias in &recipe.aliases {
        let slips = slips(alias);
        if slips < best.2 {
            best = (alias.clone(), true, slips);
        }
    }
    best
}

/// A word of a text.
struct TextWord {
    word: String,
    /// Whether it speaks of food, rather than of when and how it was eaten.
    is_content: bool,
}

/// Returns what is in the way between the words of a text and a name.
fn miss(name: &str, words: &[TextWord]) -> Miss {
    let mut read = NameWords::default();
    read.read(name);
    let letters = read.letters;
    let of_name: Vec<String> = read.iter().map(folded).collect();
    let compared = compared_words(words);
    let (mut missing, mut slips) = (Vec::new(), 0);
    for word in &of_name {
        if words.iter().any(|typed| typed.word == *word) {
            continue;
        }
        match compared.iter().map(|typed| distance(typed, word)).min() {
            Some(edits) if is_slip(edits, word.chars().count()) => slips += edits,
            _ => missing.push(word.clone()),
        }
    }
    let is_other = |typed: &&TextWord| typed.is_content && !of_name.contains(&typed.word);
    let others: Vec<String> = words.iter().filter(is_other).map(|typed| typed.word.clone()).collect();
    let allowed = tolerance(letters);
    if !missing.is_empty() {
        Miss::Part(missing)
    } else if slips > allowed {
        Miss::Spelling { slips, allowed }
    } else if !others.is_empty() {
        Miss::Company(others)
    } else {
        Miss::Scattered
    }
}

/// How many letters two words differ in; two that changed places count once.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, known) in other.iter().enumerate() {
            let mut cost =
                (above[column] + usize::from(letter != known)).min(above[column + 1] + 1).min(line[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *known {
                cost = cost.min(before[column - 1] + 1);
            }
            line.push(cost);
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explain(text: &str) -> Explanation {
        let recipe = |name: &str, aliases: &[&str], serving: &str| Recipe {
            name: name.to_owned(),
            aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            serving_description: (!serving.is_empty()).then(|| serving.to_owned()),
            ..Recipe::default()
        };
        let book = RecipeBook::new(vec![
            recipe("Mom's Lasagna", &["family lasagna"], "1 slice (350 g)"),
            recipe("Morning Shake", &[], ""),
        ]);
        Explanation::new(&book, text, &Lexicon::default())
    }

    fn only(text: &str) -> ExplainedMatch {
        let mut explanation = explain(text);
        assert_eq!((explanation.matches.len(), &explanation.nearest), (1, &None), "{text}");
        explanation.matches.remove(0)
    }

    #[test]
    fn a_match_says_by_which_name_and_how_it_was_counted() {
        let plain = only("moms lasagnas");
        assert_eq!((plain.name.as_str(), plain.is_alias, plain.slips), ("Mom's Lasagna", false, 0));
        assert_eq!(plain.counting, Counting::Unsaid);
        let alias = only("two slices of the famly lasagna");
        assert_eq!((alias.name.as_str(), alias.is_alias, alias.slips), ("family lasagna", true, 1));
        assert_eq!(alias.counting, Counting::SameUnit { count: 1.0, unit: "slice".to_owned() });
        let weighed = only("175 g of mom's lasagna");
        assert_eq!(weighed.counting, Counting::SameUnit { count: 350.0, unit: "g".to_owned() });
        let in_ounces = only("6 oz of mom's lasagna");
        assert_eq!(in_ounces.counting, Counting::Converted { count: 350.0, unit: "g".to_owned() });
        assert!((weighed.servings - 0.5).abs() < 1e-9);
        assert_eq!(only("two morning shakes").counting, Counting::Servings);
        assert_eq!(only("2 bowls of morning shake").counting, Counting::OtherUnit);
        assert_eq!(only("200 g morning shake").counting, Counting::NoWeight);
    }

    #[test]
    fn a_miss_says_what_is_in_the_way() {
        let near = |text: &str| explain(text).nearest.map(|near| near.because);
        assert!(matches!(near("lasagna"), Some(Miss::Part(words)) if words.len() == 1));
        assert!(matches!(near("moms lasagna soup"), Some(Miss::Company(words)) if words == ["soup"]));
        assert_eq!(near("mrnign shkae"), Some(Miss::Spelling { slips: 3, allowed: 2 }));
        assert_eq!(near("shake, morning"), Some(Miss::Scattered));
        assert_eq!(near("a banana"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn distances_count_slips() {
        for (one, other, slips) in
            [("", "", 0), ("a", "", 1), ("shake", "sahke", 1), ("shake", "shakes", 1), ("ab", "cd", 2)]
        {
            assert_eq!(distance(one, other), slips, "{one} {other}");
        }
    }
}
