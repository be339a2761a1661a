//! What stands in where no plain food explains the words: a product that is called just that, else the plain food that
//! the last word names ("zorblax stew" is a stew), else that of its ending ("smashburger").
//!
//! Half of all words stand in the name of some product, so a product must be covered by what was said: its brand or its
//! whole name.

use foods::{Food, Origin, text};

use crate::engine::Engine;
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::portion;
use crate::portion::table::Table;
use crate::read::segment::{Joint, Quantity, SegmentWord};
use crate::read::token::Token;

/// Most foods that are compared by the measure that was said.
const MAX_CHOICES: usize = 8;

/// A food that shares less than this with the words is a guess at its category.
pub(crate) const GUESS_COVERED: f32 = 0.55;
/// A word ends with another that at least so many plain foods have in their names: "smashburger".
const MIN_NAMES_OF_ENDING: usize = 20;
/// Products that are looked at.
const PRODUCTS: usize = 8;
/// A product is a kind of what was said only when its name is short and the word is long: "Quality You Can See" is not.
const MAX_WORDS_OF_GUESS: usize = 3;
const MIN_LETTERS_OF_GUESS: usize = 5;
/// Words of a text that is read as one name when nothing else was found in it.
const MAX_NAME_WORDS: usize = 5;

/// A food for a mention.
pub(crate) struct Choice {
    /// The food.
    pub food: Food,
    /// The link that led to it, where one did.
    pub link: Option<Link>,
    /// Only its category is known.
    pub is_guess: bool,
    /// Foods that were read and not chosen, by their numbers.
    pub others: Vec<(u32, Food)>,
}

/// The food that a mention means. Nothing where no word of it tells of any food.
pub(crate) fn resolve(engine: &Engine, mention: &Mention) -> Option<Choice> {
    if let Some(food) = mention.seen.as_ref().and_then(|seen| seen.food.clone()) {
        return Some(Choice { food, link: None, is_guess: false, others: Vec::new() });
    }
    let plain = choose(engine, mention);
    // Words that no plain food has may be those of a product or of an imported food.
    if telling_words(mention).any(|word| is_foreign(engine, word))
        && (plain.is_some() || is_counted(mention))
        && let Some(choice) = product(engine, mention, plain.is_none())
    {
        return Some(choice);
    }
    let Some(Choice { link: Some(link), food, others, .. }) = plain else {
        return if is_counted(mention) { ending(engine, mention) } else { None };
    };
    let bit = |at: usize| 1u64.checked_shl(at as u32).unwrap_or(0);
    let is_unknown =
        |(at, word): (usize, &SegmentWord)| !word.optional && link.matched & bit(at) == 0 && !engine.is_plain(word);
    let is_guess = link.covered < GUESS_COVERED || mention.words.iter().enumerate().any(is_unknown);
    let is_head_of = |head: &usize| {
        let is_called = |head: &SegmentWord| text::words(&food.name).contains(&head.word);
        link.matched & bit(*head) != 0 || is_guess && mention.words.get(*head).is_some_and(is_called)
    };
    // The name of a dish says what it is wherever it stands.
    let is_dish = food.origin == Origin::Dish;
    let has_head = is_dish || mention.heads.is_empty() || mention.heads.iter().any(is_head_of);
    if is_guess && !has_head {
        // What it is was not understood, only something beside it: "grandma's borschtovka soup" is no cookie.
        let head = head(engine, mention);
        if head.is_some() || !is_counted(mention) {
            return head;
        }
    }
    Some(Choice { food, link: Some(link), is_guess, others })
}

/// A product with all the words, in a text that has nothing else: its brand or its whole name was said.
pub(crate) fn sole(engine: &Engine, mention: &Mention) -> Option<Choice> {
    product(engine, mention, true).or_else(|| ending(engine, mention))
}

/// A short text as one name.
pub(crate) fn whole(engine: &Engine, tokens: &[Token]) -> Option<Mention> {
    let named = tokens.iter().filter(|token| matches!(token, Token::Word(_) | Token::Number(..))).count();
    if named > MAX_NAME_WORDS {
        return None;
    }
    let mut words: Vec<SegmentWord> = Vec::new();
    let mut quantity = Quantity::default();
    for segment in engine.segments(tokens) {
        if segment.negated {
            return None;
        }
        words.extend(segment.words);
        if !quantity.is_said() {
            quantity = segment.quantity;
        }
    }
    words.dedup_by(|one, other| one.word == other.word);
    let is_named = words.iter().any(|word| !word.optional);
    is_named.then_some(Mention {
        joint: Joint::Start,
        quantity,
        words,
        heads: Vec::new(),
        links: Vec::new(),
        seen: None,
    })
}

/// Whether only products or imported foods have a word.
fn is_foreign(engine: &Engine, word: &SegmentWord) -> bool {
    !engine.is_plain(word) && engine.catalog().layers().iter().any(|layer| layer.word(&word.word).is_some())
}

/// A product or an imported food that has all the words and whose brand or name has no others. Where no plain food
/// is at hand, one that is a kind of what was said will do as a guess.
fn product(engine: &Engine, mention: &Mention, may_guess: bool) -> Option<Choice> {
    let said: Vec<&str> = mention.words.iter().map(|word| word.word.as_str()).collect();
    let told: Vec<&str> = telling_words(mention).map(|word| word.word.as_str()).collect();
    let is_known = engine.catalog().layers().iter().any(|layer| told.iter().all(|word| layer.word(word).is_some()));
    if told.is_empty() || !is_known {
        return None;
    }
    let is_said = |words: &[String]| !words.is_empty() && words.iter().all(|word| said.contains(&word.as_str()));
    let mut guess = None;
    for food in engine.search(&format!("{} ", mention.telling()), PRODUCTS) {
        let brand = food.brand.as_deref().map(text::words).unwrap_or_default();
        let name = text::words(&food.name);
        let main = text::words(food.name.split(',').next().unwrap_or_default());
        let has = |word: &&str| brand.iter().chain(&name).any(|known| known == word);
        if !told.iter().all(has) {
            continue;
        }
        if is_said(&brand) || is_said(&main) {
            return Some(Choice { food, link: None, is_guess: false, others: Vec::new() });
        }
        let is_kind_of_it = main.len() <= MAX_WORDS_OF_GUESS
            && main.last().is_some_and(|head| head.len() >= MIN_LETTERS_OF_GUESS && told.contains(&head.as_str()));
        if may_guess && guess.is_none() && is_kind_of_it {
            guess = Some(Choice { food, link: None, is_guess: true, others: Vec::new() });
        }
    }
    guess
}

/// The plain food that the heads of a phrase name.
fn head(engine: &Engine, mention: &Mention) -> Option<Choice> {
    let is_head = |at: usize| mention.heads.contains(&at);
    let words: Vec<SegmentWord> =
        (0..mention.words.len()).filter(|&at| is_head(at)).map(|at| mention.words[at].clone()).collect();
    category_of(engine, &words)
}

/// The plain food that a longer word ends with.
fn ending(engine: &Engine, mention: &Mention) -> Option<Choice> {
    let word = telling_words(mention).last()?;
    let letters = &word.word;
    if !letters.is_ascii() || letters.len() < 7 {
        return None;
    }
    let is_ending =
        |cut: &usize| engine.is_food(&letters[*cut..]) && engine.plain_names(&letters[*cut..]) >= MIN_NAMES_OF_ENDING;
    let cut = (3..=letters.len() - 4).find(is_ending)?;
    category_of(engine, &[SegmentWord { word: letters[cut..].to_owned(), ..word.clone() }])
}

fn category_of(engine: &Engine, words: &[SegmentWord]) -> Option<Choice> {
    let heads = (0..words.len()).collect();
    let link = engine.links(words, heads).into_iter().next()?;
    let food = engine.plain_food(link.food)?;
    Some(Choice { food, link: Some(link), is_guess: true, others: Vec::new() })
}

/// The food that is meant: the best link, or one nearly as good that comes in the measure that was said.
pub(crate) fn choose(engine: &Engine, mention: &Mention) -> Option<Choice> {
    let best = mention.links.first()?;
    let read = |link: &Link| engine.layer().food(link.food).map(|food| (*link, food));
    if !portion::tells_food(&mention.quantity) {
        return read(best).map(|(link, food)| Choice { food, link: Some(link), is_guess: false, others: Vec::new() });
    }
    let near = mention
        .links
        .iter()
        .take(MAX_CHOICES)
        .take_while(|link| link.score > best.score - engine.costs().measure_margin);
    let mut near: Vec<(Link, Food)> = near.filter_map(read).collect();
    let at = if near.len() > 1 { best_by_measure(engine, mention, &near) } else { 0 };
    if at >= near.len() {
        return None;
    }
    let (link, food) = near.swap_remove(at);
    let others = near.into_iter().map(|(link, food)| (link.food, food)).collect();
    Some(Choice { food, link: Some(link), is_guess: false, others })
}

/// Which of several foods is meant, by the measure that was said.
fn best_by_measure(engine: &Engine, mention: &Mention, near: &[(Link, Food)]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    engine.with_scratch(|scratch| {
        for (at, (link, food)) in near.iter().enumerate() {
            let table = Table::new(food, &mut scratch.rows);
            let fit = portion::fit(&table, &mention.quantity, &mention.words);
            let worth = link.score + engine.costs().measure * fit;
            if worth > best.1 {
                best = (at, worth);
            }
        }
    });
    best.0
}

fn telling_words(mention: &Mention) -> impl Iterator<Item = &SegmentWord> {
    mention.words.iter().filter(|word| !word.optional)
}

/// Whether it was said how many or how much, be it only "a": then it is something to eat.
fn is_counted(mention: &Mention) -> bool {
    mention.quantity.amount.is_some() || mention.quantity.unit.is_some()
}
