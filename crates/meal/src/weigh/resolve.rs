//! The food that a mention means.
//!
//! That is the best of its links, or one nearly as good that comes in the measure of the text. If no plain food explains
//! the words, it is a product with exactly that name, else the plain food that the head names ("zorblax stew" is a stew),
//! else that of the end of the last word ("smashburger").
//!
//! Half of all words are in the name of some product, so a product counts only if the words cover its brand or its whole
//! name.

use foods::{Food, FoodTable, Origin, text};

use crate::engine::Engine;
use crate::lexicon::{Role, roles_in_any_language};
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::portion;
use crate::portion::table::PortionTable;
use crate::read::named_foods::stands_for_food;
use crate::read::segment::{Quantity, SegmentWord, required};
use crate::read::split;
use crate::read::token::Token;
use crate::run::EngineRun;
use crate::translate::foreign_words;

/// The most foods that are compared by the measure.
const MAX_COMPARED: usize = 8;
/// A food that covers a smaller share of the words is only a guess at its category.
const MIN_COVERED: f32 = 0.55;
/// The end of a word counts as a word if at least this many names have it.
const MIN_NAMES_OF_SUFFIX: usize = 20;
/// The most products that are looked at.
const MAX_PRODUCTS: usize = 8;
/// A product is a kind of what was named only if its name is short and its head long: "Quality You Can See" is not.
const MAX_WORDS_OF_KIND: usize = 3;
const MIN_LETTERS_OF_KIND: usize = 5;
/// A food whose calories differ by more than this factor from those of the everyday food of a name is another food. Below the least
/// calories all are alike.
const MAX_RATIO_OF_CALORIES: f64 = 1.5;
const MIN_CALORIES: f64 = 20.0;
/// The most words of a text that is read as one name if nothing else was found in it, and of a name with unknown words beside it.
const MAX_NAME_WORDS: usize = 5;

/// The food of a mention.
pub(crate) struct Choice {
    pub food: Food,
    /// The link that led to it, if one did.
    pub link: Option<Link>,
    /// Only its category is known.
    pub is_guess: bool,
    /// Foods that were read and not chosen, by their numbers.
    pub others: Vec<(u32, Food)>,
}

impl Choice {
    /// A food that no link led to.
    fn of_food(food: Food, is_guess: bool) -> Self {
        Self { food, link: None, is_guess, others: Vec::new() }
    }
}

/// Returns the food that a mention means, or `None` if no word of it says so.
pub(crate) fn resolve(engine: &EngineRun<'_>, mention: &Mention) -> Option<Choice> {
    resolve_whole(engine, mention).or_else(|| resolve_named_part(engine, mention))
}

/// Returns the food of the everyday name that a mention begins or ends with, if nobody knows the other words: "lasagna wow".
fn resolve_named_part(engine: &EngineRun<'_>, mention: &Mention) -> Option<Choice> {
    let words = &mention.words;
    let is_name = |part: &[SegmentWord]| match part {
        [word] if stands_for_food(&word.word) => true,
        _ => {
            let name: Vec<&str> = part.iter().map(|word| word.word.as_str()).collect();
            engine.everyday_id(&name.join(" ")).is_some()
        }
    };
    // A word of a language that nobody knows may be the food.
    let is_foreign = |word: &SegmentWord| foreign_words::unmarked(&word.word) != word.word;
    if words.len() > MAX_NAME_WORDS || words.iter().any(is_foreign) {
        return None;
    }
    let are_unknown = |rest: &[SegmentWord]| rest.iter().all(|word| word.optional || !engine.is_plain(word));
    let fronts = (1..words.len()).rev().map(|cut| words.split_at(cut));
    let backs = (1..words.len()).map(|cut| words.split_at(cut)).map(|(rest, name)| (name, rest));
    let (name, _) = fronts.chain(backs).find(|(name, rest)| is_name(name) && are_unknown(rest))?;
    let link = engine.links(name, vec![name.len() - 1]).into_iter().next()?;
    let food = engine.layer().food(link.food)?;
    Some(Choice { food, link: Some(link), is_guess: true, others: Vec::new() })
}

/// Returns the food that all words of a mention mean.
fn resolve_whole(engine: &EngineRun<'_>, mention: &Mention) -> Option<Choice> {
    if let Some(food) = &mention.named {
        return Some(Choice::of_food(food.as_ref().clone(), false));
    }
    if let Some(food) = mention.seen.as_ref().and_then(|seen| seen.food.clone()) {
        return Some(Choice::of_food(food, false));
    }
    let plain = best_link(engine, mention);
    // Words that no plain food has may be those of a product or of an imported food.
    let is_common = |link: &Link| engine.is_common(link) && !has_unknown_word(engine, mention, link);
    let is_named = |link: Link| is_common(&link) || link.is_outside_index();
    if !plain.as_ref().and_then(|choice| choice.link).is_some_and(is_named)
        && required(&mention.words).any(|word| is_only_in_products(engine, word))
        && (plain.is_some() || mention.is_counted())
        && let Some(choice) = product(engine, mention, plain.is_none())
    {
        return Some(choice);
    }
    let Some(Choice { link: Some(link), food, others, .. }) = plain else {
        return if mention.is_counted() { food_of_suffix(engine, mention) } else { None };
    };
    let is_guess = link.covered < MIN_COVERED || has_unknown_word(engine, mention, &link);
    if is_guess && !has_head(mention, &link, &food) {
        // The head was not understood, only a word beside it: "grandma's borschtovka soup" is not a cookie.
        let head = food_of_heads(engine, mention);
        if head.is_some() || !mention.is_counted() {
            return head;
        }
    }
    Some(Choice { food, link: Some(link), is_guess, others })
}

/// Checks whether a required word is in no name at all.
fn has_unknown_word(engine: &Engine, mention: &Mention, link: &Link) -> bool {
    let is_unknown = |(at, word): (usize, &SegmentWord)| !word.optional && !link.has(at) && !engine.is_plain(word);
    mention.words.iter().enumerate().any(is_unknown)
}

/// Checks whether a guessed food has a head of the mention in its name. The name of a dish is its head as a whole.
fn has_head(mention: &Mention, link: &Link, food: &Food) -> bool {
    let is_in_name = |head: &SegmentWord| text::words(&food.name).contains(&head.word);
    let is_head = |head: &usize| link.has(*head) || mention.words.get(*head).is_some_and(is_in_name);
    food.origin == Origin::Dish || mention.heads.is_empty() || mention.heads.iter().any(is_head)
}

/// Returns the product that a text names and nothing else, by its brand or its whole name.
pub(crate) fn product_named_by_text(engine: &EngineRun<'_>, mention: &Mention) -> Option<Choice> {
    product(engine, mention, true).or_else(|| food_of_suffix(engine, mention))
}

/// Reads a short text as one name. Returns `None` if it is long, denies something, or has no required word.
pub(crate) fn text_as_mention(engine: &Engine, tokens: &[Token]) -> Option<Mention> {
    let named = tokens.iter().filter(|token| matches!(token, Token::Word(_) | Token::Number(..))).count();
    if named > MAX_NAME_WORDS {
        return None;
    }
    let mut words: Vec<SegmentWord> = Vec::new();
    let mut quantity = Quantity::default();
    for segment in split::segments(tokens, engine.lexicon()) {
        if segment.negated {
            return None;
        }
        words.extend(segment.words);
        if !quantity.is_explicit() {
            quantity = segment.quantity;
        }
    }
    words.dedup_by(|one, other| one.word == other.word);
    let is_name = required(&words).next().is_some();
    is_name.then(|| Mention { quantity, ..Mention::of_words(words) })
}

/// Checks whether only products or imported foods have a word.
fn is_only_in_products(engine: &Engine, word: &SegmentWord) -> bool {
    !engine.is_in_tables(word) && engine.catalog().layers().iter().any(|layer| layer.word(&word.word).is_some())
}

/// Returns the product or imported food that has all the words and whose brand or name has no others. If there is no plain
/// food, a product that is a kind of what was named will do as a guess.
fn product(engine: &EngineRun<'_>, mention: &Mention, may_guess: bool) -> Option<Choice> {
    let all: Vec<&str> = mention.words.iter().map(|word| word.word.as_str()).collect();
    let required = mention.required_words();
    let is_known = engine.catalog().layers().iter().any(|layer| required.iter().all(|word| layer.word(word).is_some()));
    if required.is_empty() || !is_known {
        return None;
    }
    // "Ready salted" is no chocolate of the same maker.
    let is_kind = |word: &&SegmentWord| !word.negated && roles_in_any_language(&word.word).has(Role::Kind);
    let kinds: Vec<&str> = mention.words.iter().filter(is_kind).map(|word| word.word.as_str()).collect();
    let are_covered = |words: &[String]| !words.is_empty() && words.iter().all(|word| all.contains(&word.as_str()));
    let mut guess = None;
    for food in engine.search(&format!("{} ", mention.required_text()), MAX_PRODUCTS) {
        if food.origin.table().is_some_and(|table| table != FoodTable::Imported) {
            // Those that English texts mean are candidates of the links.
            continue;
        }
        if food.origin == Origin::Maker {
            // Those are found by their makers.
            continue;
        }
        let brand = food.brand.as_deref().map(text::words).unwrap_or_default();
        let name = text::words(&food.name);
        let main = text::words(food.name.split(',').next().unwrap_or_default());
        let is_said = |word: &&str| brand.iter().chain(&name).any(|known| known == word);
        if !required.iter().all(is_said) {
            continue;
        }
        if are_covered(&brand) && kinds.iter().all(is_said) || are_covered(&main) {
            return Some(Choice::of_food(food, false));
        }
        if may_guess && guess.is_none() && is_kind_of(&main, &required) {
            guess = Some(Choice::of_food(food, true));
        }
    }
    guess
}

/// Checks whether a product with this main name is a kind of what the words name.
fn is_kind_of(main: &[String], words: &[&str]) -> bool {
    let is_named = |head: &String| head.len() >= MIN_LETTERS_OF_KIND && words.contains(&head.as_str());
    main.len() <= MAX_WORDS_OF_KIND && main.last().is_some_and(is_named)
}

/// Returns the plain food that the heads of a mention name.
fn food_of_heads(engine: &EngineRun<'_>, mention: &Mention) -> Option<Choice> {
    let is_head = |at: &usize| mention.heads.contains(at);
    let words: Vec<SegmentWord> =
        (0..mention.words.len()).filter(is_head).map(|at| mention.words[at].clone()).collect();
    guessed_food(engine, &words)
}

/// Returns the plain food that the last word of a mention ends with: "smashburger" is a burger.
fn food_of_suffix(engine: &EngineRun<'_>, mention: &Mention) -> Option<Choice> {
    let word = required(&mention.words).next_back()?;
    let letters = &word.word;
    if !letters.is_ascii() || letters.len() < 7 {
        return None;
    }
    let is_food = |suffix: &str| engine.is_food(suffix) && engine.names_with(suffix) >= MIN_NAMES_OF_SUFFIX;
    let cut = (3..=letters.len() - 4).find(|&cut| is_food(&letters[cut..]))?;
    guessed_food(engine, &[SegmentWord { word: letters[cut..].to_owned(), ..word.clone() }])
}

fn guessed_food(engine: &EngineRun<'_>, words: &[SegmentWord]) -> Option<Choice> {
    let heads = (0..words.len()).collect();
    let link = engine.links(words, heads).into_iter().next()?;
    let food = engine.layer().food(link.food)?;
    Some(Choice { link: Some(link), ..Choice::of_food(food, true) })
}

/// Returns the food of the best link, or one nearly as good that comes in the measure of the mention.
pub(crate) fn best_link(engine: &Engine, mention: &Mention) -> Option<Choice> {
    let best = mention.links.first()?;
    let read = |link: &Link| engine.layer().food(link.food).map(|food| (*link, food));
    // An everyday name was written down with its food and its measures.
    let is_measured = engine.usual_portions(best).measures(&mention.quantity, &mention.words);
    if is_measured || !portion::distinguishes_foods(&mention.quantity) {
        return read(best).map(|(link, food)| Choice { link: Some(link), ..Choice::of_food(food, false) });
    }
    let near = mention
        .links
        .iter()
        .take(MAX_COMPARED)
        .take_while(|link| link.score > best.score - engine.costs().measure_margin);
    let mut near: Vec<(Link, Food)> = near.filter_map(read).collect();
    // Ten chickpeas are no bean chips, although those are counted.
    if (engine.is_common(best) || engine.are_name_of(&mention.words, best))
        && let Some(named) = near.first().map(|(_, food)| food.macros(100.0).calories)
    {
        near.retain(|(_, food)| {
            let other = food.macros(100.0).calories;
            other.max(named) <= other.min(named).max(MIN_CALORIES) * MAX_RATIO_OF_CALORIES
        });
    }
    let at = if near.len() > 1 { best_by_measure(engine, mention, &near) } else { 0 };
    if at >= near.len() {
        return None;
    }
    let (link, food) = near.swap_remove(at);
    let others = near.into_iter().map(|(link, food)| (link.food, food)).collect();
    Some(Choice { food, link: Some(link), is_guess: false, others })
}

/// Returns which of several foods is meant, by the measure of the mention.
fn best_by_measure(engine: &Engine, mention: &Mention, near: &[(Link, Food)]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    engine.with_cache(|cache| {
        for (at, (link, food)) in near.iter().enumerate() {
            let table = PortionTable::new(food, &mut cache.rows);
            let fit = portion::fit(&table, &mention.quantity, &mention.words);
            let worth = link.score + engine.costs().measure * fit;
            if worth > best.1 {
                best = (at, worth);
            }
        }
    });
    best.0
}
