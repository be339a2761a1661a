//! Changing what a part came from: other words, another amount.

use std::rc::Rc;

use super::description::FoodDescription;
use super::meal::Meal;
use super::rewording::{Keep, LinkedRewording, Rewordings, is_kind};
use super::target::{is_head, names};
use crate::converse::part::{Entry, Part, PartOrigin, RecipeItem, part_of};
use crate::lexicon::{Measure, Role, Roles};
use crate::link::mention::Mention;
use crate::read::amount::Amount;
use crate::read::segment::{Joint, Quantity, SegmentWord};
use crate::read::token::{self, Token};

/// Nobody eats more of anything, however often it is doubled.
const MAX_AMOUNT: f64 = 100_000.0;
/// A number below this counts portions of a mass: "make it two" of 100 g, but "make it 200".
const MAX_COUNT_OF_MASSES: f64 = 10.0;

impl Meal<'_> {
    pub(super) fn said(&self, tokens: &[Token]) -> FoodDescription {
        FoodDescription::read(tokens, self.engine.lexicon())
    }

    pub(super) fn mention(&self, place: usize) -> Option<Mention> {
        match &self.entries[place].origin {
            PartOrigin::Words(mention) => Some(mention.as_ref().clone()),
            PartOrigin::Recipe(_) => None,
        }
    }

    /// The entry that is meant. Of several foods that are one entry ("chicken and rice") it is made one of its own.
    pub(super) fn single(&mut self, said: &FoodDescription) -> Option<usize> {
        let place = self.find(said)?;
        let Some(mention) = self.mention(place).filter(|mention| !mention.quantity.is_explicit()) else {
            return Some(place);
        };
        let is_one = said.head_word().is_some_and(|head| is_head(&self.entries[place], head));
        if mention.heads.len() < 2 || !is_one || names_all_heads(&self.entries[place], said) {
            return Some(place);
        }
        let mut pieces = Vec::new();
        let mut start = 0;
        for (number, &head) in mention.heads.iter().enumerate() {
            let end = if number + 1 == mention.heads.len() { mention.words.len() } else { head + 1 };
            let words = mention.words[start.min(end)..end].to_vec();
            let heads = vec![head - start.min(head)];
            let links = self.engine.links(&words, heads.clone());
            let joint = if number == 0 { mention.joint } else { Joint::And };
            let piece = Mention { joint, quantity: Quantity::default(), words, heads, links, seen: None };
            let part = part_of(self.engine, &piece, None);
            pieces.push(Rc::new(Entry { origin: PartOrigin::Words(Box::new(piece)), part }));
            start = end;
        }
        self.entries.splice(place..=place, pieces);
        self.find(said)
    }

    /// The entry that a subject speaks of; none said means what was spoken of last.
    pub(super) fn subject(&mut self, subject: &[Token]) -> Option<usize> {
        let said = FoodDescription::read(subject, self.engine.lexicon());
        if said.required().next().is_none() {
            return self.base_of_focus();
        }
        self.single(&said)
    }

    /// So many times as much.
    pub(super) fn scale(&mut self, place: usize, factor: f64) -> bool {
        match &self.entries[place].origin {
            PartOrigin::Words(mention) => {
                let mut mention = mention.clone();
                let one = Amount { value: 1.0, explicit: false, range: None };
                let amount = mention.quantity.amount.unwrap_or(one);
                let times = |value: f64| (value * factor).min(MAX_AMOUNT);
                let range = amount.range.map(|(low, high)| (times(low), times(high)));
                mention.quantity.amount = Some(Amount { value: times(amount.value), range, ..amount });
                self.put(place, PartOrigin::Words(mention));
            }
            PartOrigin::Recipe(index) => {
                if let (Some(recipe), Part::Recipe(item)) = (self.recipes.get(*index), &self.entries[place].part) {
                    let factor = factor.min(MAX_AMOUNT / item.servings.max(1.0));
                    let part = Part::Recipe(item.scaled(recipe, factor));
                    self.put_recipe(place, *index, part);
                }
            }
        }
        true
    }

    /// So many more.
    pub(super) fn more(&mut self, place: usize, count: f64) -> bool {
        let known = match &self.entries[place] {
            entry if matches!(entry.origin, PartOrigin::Recipe(_)) => match &entry.part {
                Part::Recipe(item) => item.quantity,
                _ => 1.0,
            },
            entry => match &entry.origin {
                PartOrigin::Words(mention) => mention.quantity.amount.map_or(1.0, |amount| amount.value),
                PartOrigin::Recipe(_) => 1.0,
            },
        };
        if known > 0.0 { self.scale(place, (known + count) / known) } else { true }
    }

    fn put_recipe(&mut self, place: usize, index: usize, part: Part) {
        self.entries[place] = Rc::new(Entry { origin: PartOrigin::Recipe(index), part });
        self.focus = Some(place);
    }

    /// "it was …", "make it …", "the toast was …".
    pub(super) fn set(&mut self, subject: &[Token], to: &[Token]) -> bool {
        let said = self.said(to);
        let named = self.said(subject);
        let is_named = named.required().next().is_some();
        let place = if is_named { self.single(&named) } else { self.spoken_of(&said) };
        if let Some(place) = place {
            self.amend_all(place, to);
            return true;
        }
        if !is_named {
            return false;
        }
        // "the milk was skim" of a coffee that is one item: it is a coffee with skim milk, or skim milk was added to it.
        let Some(place) = self.base_of_focus().filter(|_| said.required().next().is_some()) else { return false };
        let mut inner = said.clone();
        inner.words.extend(named.words.iter().filter(|word| !said.has(&word.word)).cloned());
        self.alter(place, &inner, &FoodDescription::default(), Keep::Food)
            || self.attach(place, &[to, subject].concat())
    }

    /// What a pronoun means where it is said what it was: the entry that this names, else what was spoken of last.
    fn spoken_of(&mut self, said: &FoodDescription) -> Option<usize> {
        let named = said.head_word().and_then(|_| self.single(said));
        named.or_else(|| self.base_of_focus())
    }

    /// "make the coffee black": the longest run of words that names an entry is what is changed.
    pub(super) fn set_first(&mut self, tokens: &[Token]) -> bool {
        let longest = tokens.len().min(6);
        for end in (1..longest).rev() {
            let named = self.said(&tokens[..end]);
            let is_named = named.required().next().is_some() && !named.quantity.is_explicit();
            let place = if is_named { self.find(&named) } else { None };
            let names_all = |place: usize| {
                let known = names(&self.entries[place]);
                named.required().all(|word| known.iter().any(|name| name == word))
            };
            if place.is_some_and(names_all)
                && let Some(place) = self.single(&named)
            {
                let to = self.said(&tokens[end..]);
                self.amend(place, &to, &FoodDescription::default(), &tokens[end..]);
                return true;
            }
        }
        self.correct(tokens)
    }

    /// One thing in the place of another.
    pub(super) fn replace(&mut self, old: &[Token], new: &[Token]) -> bool {
        let (gone, said) = (self.said(old), self.said(new));
        if said.words.is_empty() && !said.says_how_much() {
            return true;
        }
        let place = gone.head_word().and_then(|_| self.single(&gone)).or_else(|| self.spoken_of(&said));
        match place {
            Some(place) => {
                self.amend(place, &said, &gone, new);
                true
            }
            None => false,
        }
    }

    /// Foods or amounts that correct what is there: by name, else what was spoken of last.
    pub(super) fn correct(&mut self, tokens: &[Token]) -> bool {
        let said = self.said(tokens);
        if said.words.is_empty() && !said.says_how_much() {
            return true;
        }
        let Some(place) = self.spoken_of(&said) else { return false };
        self.amend_all(place, tokens);
        true
    }

    /// Amends an entry with the first of the foods that were said, and others by their names; what is left is new.
    fn amend_all(&mut self, place: usize, tokens: &[Token]) {
        let mentions = self.engine.mentions(tokens);
        if mentions.len() < 2 || matches!(self.entries[place].origin, PartOrigin::Recipe(_)) {
            let said = self.said(tokens);
            self.amend(place, &said, &FoodDescription::default(), tokens);
            return;
        }
        let mut free = Some(place);
        for mention in mentions {
            let said = FoodDescription { words: mention.words.clone(), quantity: mention.quantity.clone() };
            if let Some(found) = self.single(&said).or(free) {
                free = free.filter(|place| *place != found);
                self.amend(found, &said, &FoodDescription::default(), &[]);
            } else {
                let at = self.focus.map_or(self.entries.len(), |focus| (focus + 1).min(self.entries.len()));
                let part = Part::Unresolved(String::new());
                self.entries.insert(at, Rc::new(Entry { origin: PartOrigin::Words(Box::new(mention)), part }));
                self.renew(at);
                self.focus = Some(at);
            }
        }
    }

    /// A clause that says nothing of what to do: an amount or a property is of what was spoken of last, foods are new.
    pub(super) fn bare(&mut self, tokens: &[Token]) -> bool {
        let said = self.said(tokens);
        let Some(place) = self.base_of_focus() else { return false };
        let lexicon = self.engine.lexicon();
        if said.required().next().is_none() {
            let is_amount = |token: &Token| {
                let roles = token.word().map_or(Roles::NONE, |word| lexicon.roles(word));
                !roles.has(Role::Filler) || roles.any(const { Roles::of(&[Role::Hedge, Role::Polite]) })
            };
            if said.says_how_much() && tokens.iter().all(is_amount) {
                self.amend(place, &said, &FoodDescription::default(), tokens);
            }
            return true;
        }
        let last = tokens.last().and_then(Token::word);
        let is_free = last.is_some_and(|word| lexicon.roles(word).has(Role::Free));
        let is_property = is_free || said.required().all(|word| !self.engine.is_food(word));
        if said.quantity.amount.is_none() && is_property {
            return self.alter(place, &said, &FoodDescription::default(), Keep::Food);
        }
        false
    }

    /// Gives an entry the amount and the words that were said, without those that were denied.
    fn amend(&mut self, place: usize, said: &FoodDescription, gone: &FoodDescription, tokens: &[Token]) {
        if let PartOrigin::Recipe(index) = self.entries[place].origin {
            self.amend_recipe(place, index, said, tokens);
            return;
        }
        if said.says_how_much()
            && let Some(mut mention) = self.mention(place)
        {
            measure(&mut mention, said);
            self.put(place, PartOrigin::Words(Box::new(mention)));
        }
        self.alter(place, said, gone, Keep::Nothing);
        self.focus = Some(place);
    }

    /// Another amount of a recipe, read as if it stood before the recipe's name.
    fn amend_recipe(&mut self, place: usize, index: usize, said: &FoodDescription, tokens: &[Token]) {
        let Some(recipe) = self.recipes.get(index) else { return };
        if !said.quantity.is_explicit() {
            return;
        }
        let lexicon = self.engine.lexicon();
        let mut named = tokens.to_vec();
        if said.required().next().is_none() {
            named.push(Token::Word(lexicon.word_with(Role::Of).to_owned()));
            named.extend(token::tokens(&recipe.name));
        }
        if let Some(found) = self.recipes.find(&named, lexicon).into_iter().next() {
            let part = Part::Recipe(RecipeItem::new(recipe, found));
            self.put_recipe(place, index, part);
        }
    }

    /// Gives a food by its label another name.
    fn rename(&mut self, place: usize, mention: Mention, said: &FoodDescription) -> bool {
        let name: Vec<&str> = said.required().collect();
        if let Some(seen) = mention.seen.as_ref().filter(|_| !name.is_empty()) {
            let seen = Some(seen.renamed(&name.join(" ")).into());
            let mention = Mention { words: said.words.clone(), seen, ..mention };
            self.put(place, PartOrigin::Words(Box::new(mention)));
        }
        true
    }

    /// Gives an entry other words: those said with those it has, in the way that fits a food best. `false` where no
    /// food is known by them.
    fn alter(&mut self, place: usize, said: &FoodDescription, gone: &FoodDescription, keep: Keep) -> bool {
        let Some(mention) = self.mention(place) else { return false };
        if mention.seen.as_ref().is_some_and(|seen| seen.is_label()) {
            // Words about a label name the food; its numbers stay those of the label.
            return self.rename(place, mention, said);
        }
        let is_new = |word: &&SegmentWord| {
            !mention.words.iter().any(|known| known.word == word.word && known.negated == word.negated)
        };
        let telling_new = said.words.iter().filter(|word| !word.optional).filter(is_new).count();
        let is_gone = |word: &SegmentWord| gone.has(&word.word) && !said.has(&word.word);
        if telling_new == 0
            && !said.words.iter().filter(is_new).any(|word| is_kind(&word.word))
            && !mention.words.iter().any(is_gone)
        {
            return true;
        }
        let wordings = Rewordings { mention: &mention, said, gone, keep };
        let chosen = wordings
            .all()
            .into_iter()
            .filter_map(|wording| wording.read(self.engine, said, &mention, keep))
            .reduce(|best, other| if other.worth() > best.worth() { other } else { best });
        let is_alone = said.required().any(|word| self.engine.lexicon().roles(word).has(Role::Alone));
        if is_alone {
            while place + 1 < self.entries.len() && self.is_dependent(place + 1) {
                self.entries.remove(place + 1);
            }
        }
        match chosen {
            Some(LinkedRewording { words, heads, links, .. }) => {
                // What it is has been said now, so it is no longer what it looked like.
                let mention = Mention { words, heads, links, seen: None, ..mention };
                self.put(place, PartOrigin::Words(Box::new(mention)));
                true
            }
            None => is_alone,
        }
    }
}

/// Whether everything that an entry is was named, not one of several foods.
pub(super) fn names_all_heads(entry: &Entry, said: &FoodDescription) -> bool {
    let PartOrigin::Words(mention) = &entry.origin else { return true };
    let is_said = |head: &usize| mention.words.get(*head).is_some_and(|word| said.has(&word.word));
    mention.heads.len() < 2 || mention.heads.iter().all(is_said)
}

pub(super) fn remove_word(mention: &mut Mention, at: usize) {
    mention.words.remove(at);
    mention.heads.retain(|head| *head != at);
    for head in &mut mention.heads {
        *head -= usize::from(*head > at);
    }
}

/// Gives a mention another amount.
fn measure(mention: &mut Mention, said: &FoodDescription) {
    let old = &mention.quantity;
    let new = &said.quantity;
    let is_mass = matches!(old.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
        && matches!(old.unit.as_deref(), Some("g" | "ml" | "mg"));
    let quantity = match new.amount {
        _ if new.unit.is_some() || new.container.is_some() || new.inches.is_some() => new.clone(),
        Some(amount) if amount.explicit => {
            let count = old.amount.map_or(1.0, |amount| amount.value);
            let is_count = is_mass && amount.value < MAX_COUNT_OF_MASSES;
            let value = if is_count { amount.value * count } else { amount.value };
            let sizes = if new.sizes.is_empty() { old.sizes.clone() } else { new.sizes.clone() };
            Quantity { amount: Some(Amount { value: value.min(MAX_AMOUNT), ..amount }), sizes, ..old.clone() }
        }
        _ => Quantity { sizes: new.sizes.clone(), amount: old.amount.or(new.amount), ..old.clone() },
    };
    // The words of the old measure go with it: "a large slice" is no longer large.
    let is_old =
        |word: &SegmentWord| word.optional && (old.sizes.contains(&word.word) || old.unit.as_ref() == Some(&word.word));
    let is_kept = |word: &String| quantity.sizes.contains(word) || quantity.unit.as_ref() == Some(word);
    let gone: Vec<usize> = (0..mention.words.len())
        .rev()
        .filter(|&at| is_old(&mention.words[at]) && !is_kept(&mention.words[at].word))
        .collect();
    mention.quantity = quantity;
    for at in gone {
        remove_word(mention, at);
    }
    for word in said.words.iter().filter(|word| word.optional) {
        let is_measure = said.quantity.sizes.contains(&word.word) || said.quantity.unit.as_ref() == Some(&word.word);
        if is_measure && !mention.words.iter().any(|known| known.word == word.word) {
            mention.words.push(word.clone());
        }
    }
}
