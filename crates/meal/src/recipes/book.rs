//! The recipes of a caller, and where a text names them.

use std::borrow::Cow;
use std::ops::Range;

use super::matching::RecipeNames;
use super::normal;
use super::recipe::Recipe;
use super::scale::{RecipeServing, SpokenAmount};
use super::search::{Candidate, Search};
use super::slots::{self, NameSlots, Slot};
use crate::lexicon::{Lexicon, Role, Roles};
use crate::read::text::{Text, Uses};
use crate::read::token::Token;

/// A caller's recipes, prepared once so that every text is matched in microseconds.
#[derive(Debug, Default)]
pub struct RecipeBook {
    pub(super) recipes: Vec<Recipe>,
    pub(super) names: RecipeNames,
}

/// A recipe in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeMatch {
    /// Which recipe of the book.
    pub recipe: usize,
    /// The tokens that it uses up: amount, unit, name, and what was left out ("without cheese").
    pub tokens: Range<usize>,
    /// The words that named it, as tokens have them.
    pub text: String,
    /// How many servings.
    pub servings: f64,
    /// The amount to show.
    pub quantity: f64,
    /// The unit of that amount.
    pub unit: String,
}

/// A chosen name with the amount in front of it.
struct AmountInFront {
    recipe: usize,
    text: String,
    serving: RecipeServing,
    spoken: Option<SpokenAmount>,
    from: usize,
}

impl RecipeBook {
    /// Prepares recipes for matching.
    pub fn new(recipes: Vec<Recipe>) -> Self {
        Self { names: RecipeNames::new(&recipes), recipes }
    }

    /// Whether there is nothing to match.
    pub fn is_empty(&self) -> bool {
        self.recipes.is_empty()
    }

    /// A recipe by its position.
    pub fn get(&self, index: usize) -> Option<&Recipe> {
        self.recipes.get(index)
    }

    /// The position of the recipe with an id.
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.recipes.iter().position(|recipe| recipe.id == id)
    }

    /// An amount of a recipe: of a unit that its serving can be counted in, else of servings. `None` if the description of
    /// the serving does not have the unit.
    pub(crate) fn measured(
        &self,
        recipe: usize,
        value: f64,
        unit: Option<&str>,
        lexicon: &Lexicon,
    ) -> Option<RecipeMatch> {
        let text = self.recipes.get(recipe)?.name.clone();
        let serving = RecipeServing::new(&self.recipes[recipe], &text, lexicon);
        let (servings, quantity, unit) = serving.measured(value, unit, lexicon)?;
        Some(RecipeMatch { recipe, tokens: 0..0, text, servings, quantity, unit })
    }

    /// Finds the recipes in a text, in its order; they never overlap.
    pub(crate) fn find(&self, tokens: &[Token], lexicon: &Lexicon) -> Vec<RecipeMatch> {
        if self.names.len() == 0 || tokens.is_empty() {
            return Vec::new();
        }
        let uses = Uses::new(tokens, lexicon);
        let text = Text::new(tokens, &uses, lexicon);
        let phrases = NameSlots::new(text);
        let search = Search { recipes: &self.recipes, names: &self.names, text, phrases: &phrases };
        let chosen = search.run();
        self.matches(&chosen, text, &phrases)
    }

    /// Reads the amounts around the chosen names.
    fn matches(&self, chosen: &[Candidate], text: Text<'_>, phrases: &NameSlots) -> Vec<RecipeMatch> {
        let tokens = text.tokens;
        let mut free = 0;
        let mut fronts: Vec<AmountInFront> = Vec::new();
        for candidate in chosen {
            let Range { start, end } = candidate.tokens;
            let Some(name) = self.names.get(candidate.name) else { continue };
            let Some(recipe) = self.recipes.get(name.recipe as usize) else { continue };
            let matched = matched_text(&tokens[start..end]);
            let serving = RecipeServing::new(recipe, &matched, text.lexicon);
            let begin = phrases.begins[start].unwrap_or(start).max(free).min(start);
            let (spoken, from) = serving.in_front(text, begin, start);
            fronts.push(AmountInFront {
                recipe: name.recipe as usize,
                text: matched,
                serving,
                spoken,
                from: from.max(begin),
            });
            free = end;
        }
        let mut limit = tokens.len();
        let mut out: Vec<RecipeMatch> = Vec::new();
        for (candidate, AmountInFront { recipe, text: matched, serving, mut spoken, from }) in
            chosen.iter().zip(fronts).rev()
        {
            let mut end = closed(tokens, &candidate.tokens, limit);
            for _ in 0..3 {
                if let Some((behind, after)) = serving.behind(text, phrases, end, limit) {
                    spoken = Some(serving.better(spoken, behind));
                    end = after;
                } else if let Some(after) = left_out(text, phrases, end, limit) {
                    end = after;
                } else {
                    break;
                }
            }
            let (servings, quantity, unit) = serving.scale(spoken.as_ref());
            out.push(RecipeMatch { recipe, tokens: from..end, text: matched, servings, quantity, unit });
            limit = from;
        }
        out.reverse();
        out
    }
}

/// The end of a name, with the bracket that it opens.
fn closed(tokens: &[Token], name: &Range<usize>, limit: usize) -> usize {
    let count = |mark: &Token| tokens[name.clone()].iter().filter(|token| *token == mark).count();
    let is_open = count(&Token::Open) > count(&Token::Close);
    name.end + usize::from(is_open && name.end < limit && tokens.get(name.end) == Some(&Token::Close))
}

/// The end of what was left out behind a name: "without cheese", ", no onions", "(no cheese)". The recipe's numbers stay
/// what they are, but what was left out must not be taken for something eaten.
fn left_out(text: Text<'_>, phrases: &NameSlots, end: usize, limit: usize) -> Option<usize> {
    let text = text.part(0..limit.min(text.len()));
    let tokens = text.tokens;
    let mut at = end;
    let is_open = tokens.get(at) == Some(&Token::Open);
    if tokens.get(at).is_some_and(|token| matches!(token, Token::Comma | Token::Open)) {
        at += 1;
    }
    if text.any(at, const { Roles::of(&[Role::But, Role::And, Role::Hedge]) }) {
        at += 1;
    }
    at += slots::negation_at(text, at)?;
    let mut has_content = false;
    while at < tokens.len() {
        match phrases.slots[at] {
            Slot::Joint if !text.has(at, Role::Or) => break,
            Slot::Preposition | Slot::Amount | Slot::Negation if has_content => break,
            Slot::Content => has_content = true,
            _ => {}
        }
        at += 1;
    }
    if is_open && tokens.get(at) == Some(&Token::Close) {
        at += 1;
    }
    Some(at)
}

fn matched_text(tokens: &[Token]) -> String {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(Cow::Borrowed(word.as_str())),
        Token::Number(value, _) => Some(Cow::Owned(normal::number_text(*value))),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}
