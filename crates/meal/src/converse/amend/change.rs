//! Changing what a part came from: its words or its amount.

use std::rc::Rc;

use super::description::FoodDescription;
use super::meal::Meal;
use super::new_amount::{MAX_AMOUNT, set_amount};
use super::rewording::{Correction, Keep, LinkedRewording, Rewording};
use super::target::{is_head, names};
use crate::converse::part::{Entry, Part, PartOrigin, RecipeItem, part_of};
use crate::lexicon::{Role, Roles};
use crate::link::mention::Mention;
use crate::read::amount::Amount;
use crate::read::segment::Joint;
use crate::read::token::{self, Token};

/// The most tokens that name the entry in "make the coffee black".
const MAX_NAME_TOKENS: usize = 5;

impl Meal<'_> {
    /// Returns the words that an entry came from, unless it is a recipe.
    pub(super) fn mention(&self, place: usize) -> Option<Mention> {
        match &self.entries[place].origin {
            PartOrigin::Words(mention) => Some(mention.as_ref().clone()),
            PartOrigin::Recipe(_) => None,
        }
    }

    /// Returns the entry that is meant. If it is one of several foods in one entry ("chicken and rice"), the entry is split.
    pub(super) fn single(&mut self, target: &FoodDescription) -> Option<usize> {
        let place = self.find(target)?;
        let Some(mention) = self.mention(place).filter(|mention| !mention.quantity.is_explicit()) else {
            return Some(place);
        };
        let is_one = target.head_word().is_some_and(|head| is_head(&self.entries[place], head));
        if mention.heads.len() < 2 || !is_one || names_all_heads(&self.entries[place], target) {
            return Some(place);
        }
        let pieces = self.split_at_heads(&mention);
        self.entries.splice(place..=place, pieces);
        self.find(target)
    }

    /// Splits a mention behind each of its heads.
    fn split_at_heads(&self, mention: &Mention) -> Vec<Rc<Entry>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for (number, &head) in mention.heads.iter().enumerate() {
            let end = if number + 1 == mention.heads.len() { mention.words.len() } else { head + 1 };
            let words = mention.words[start.min(end)..end].to_vec();
            let heads = vec![head - start.min(head)];
            let links = self.engine.links(&words, heads.clone());
            let joint = if number == 0 { mention.joint } else { Joint::And };
            let piece = Mention { joint, heads, links, ..Mention::of_words(words) };
            let part = part_of(&self.engine, &piece, None);
            pieces.push(Rc::new(Entry { origin: PartOrigin::Words(Box::new(piece)), part }));
            start = end;
        }
        pieces
    }

    /// Returns the entry that a subject names; a subject without a name is what was mentioned last.
    pub(super) fn subject(&mut self, subject: &[Token]) -> Option<usize> {
        let target = self.describe(subject);
        if target.names_food() { self.single(&target) } else { self.base_of_focus() }
    }

    /// Multiplies the amount of an entry.
    pub(super) fn scale(&mut self, place: usize, factor: f64) -> bool {
        match &self.entries[place].origin {
            PartOrigin::Words(mention) => {
                let mut mention = mention.clone();
                // What there is of it, and not one: half of the fries.
                let all = Amount { is_share: true, ..Amount::implied_one() };
                let amount = mention.quantity.amount.unwrap_or(all);
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

    /// Adds to the count of an entry.
    pub(super) fn more(&mut self, place: usize, count: f64) -> bool {
        let known = match (&self.entries[place].origin, &self.entries[place].part) {
            (PartOrigin::Words(mention), _) => mention.count(),
            (PartOrigin::Recipe(_), Part::Recipe(item)) => item.quantity,
            (PartOrigin::Recipe(_), _) => 1.0,
        };
        if known > 0.0 { self.scale(place, (known + count) / known) } else { true }
    }

    fn put_recipe(&mut self, place: usize, index: usize, part: Part) {
        self.entries[place] = Rc::new(Entry { origin: PartOrigin::Recipe(index), part });
        self.focus = Some(place);
    }

    /// Corrects what something was or how much of it there was: "it was …", "make it …", "the toast was …".
    pub(super) fn set(&mut self, subject: &[Token], to: &[Token]) -> bool {
        let (new, target) = (self.describe(to), self.describe(subject));
        let place = if target.names_food() { self.single(&target) } else { self.meant_by_pronoun(&new) };
        if let Some(place) = place {
            self.amend_all(place, to);
            return true;
        }
        if !target.names_food() || !new.names_food() {
            return false;
        }
        // "the milk was skim" of a coffee that is one item: it is a coffee with skim milk, or skim milk was added to it.
        let Some(place) = self.base_of_focus() else { return false };
        let mut inner = new.clone();
        inner.words.extend(target.words.iter().filter(|word| !new.has(&word.word)).cloned());
        self.reword(place, &inner, &FoodDescription::default(), Keep::Food)
            || self.attach(place, &[to, subject].concat())
    }

    /// Returns what a pronoun means in a correction: the entry that the new words name, else what was mentioned last.
    fn meant_by_pronoun(&mut self, new: &FoodDescription) -> Option<usize> {
        let named = new.head_word().and_then(|_| self.single(new));
        named.or_else(|| self.base_of_focus())
    }

    /// Corrects "make the coffee black", where nothing separates the food from what it was: the longest run of words that
    /// names an entry is the food.
    pub(super) fn set_first(&mut self, tokens: &[Token]) -> bool {
        for end in (1..tokens.len().min(MAX_NAME_TOKENS + 1)).rev() {
            let (target, rest) = (self.describe(&tokens[..end]), &tokens[end..]);
            if self.is_name_of_entry(&target)
                && let Some(place) = self.single(&target)
            {
                let new = self.describe(rest);
                self.amend(place, &new, &FoodDescription::default(), rest);
                return true;
            }
        }
        self.correct(tokens)
    }

    /// Checks whether all words of a description are names of the entry that it finds.
    fn is_name_of_entry(&self, target: &FoodDescription) -> bool {
        if !target.names_food() || target.quantity.is_explicit() {
            return false;
        }
        self.find(target).is_some_and(|place| {
            let known = names(&self.entries[place]);
            target.required().all(|word| known.iter().any(|name| name == word))
        })
    }

    /// Puts one thing in the place of another.
    pub(super) fn replace(&mut self, old: &[Token], new: &[Token]) -> bool {
        let (denied, described) = (self.describe(old), self.describe(new));
        if described.is_empty() {
            return true;
        }
        let named = denied.head_word().and_then(|_| self.single(&denied));
        let Some(place) = named.or_else(|| self.meant_by_pronoun(&described)) else { return false };
        self.amend(place, &described, &denied, new);
        true
    }

    /// Corrects what the words name, else what was mentioned last.
    pub(super) fn correct(&mut self, tokens: &[Token]) -> bool {
        let new = self.describe(tokens);
        if new.is_empty() {
            return true;
        }
        let Some(place) = self.meant_by_pronoun(&new) else { return false };
        self.amend_all(place, tokens);
        true
    }

    /// Amends an entry with the first of several foods, and other entries by their names; the rest is new.
    fn amend_all(&mut self, place: usize, tokens: &[Token]) {
        let mentions = self.engine.mentions(tokens);
        if mentions.len() < 2 || matches!(self.entries[place].origin, PartOrigin::Recipe(_)) {
            let new = self.describe(tokens);
            self.amend(place, &new, &FoodDescription::default(), tokens);
            return;
        }
        let mut free = Some(place);
        for mention in mentions {
            let new = FoodDescription { words: mention.words.clone(), quantity: mention.quantity.clone() };
            if let Some(found) = self.single(&new).or(free) {
                free = free.filter(|place| *place != found);
                self.amend(found, &new, &FoodDescription::default(), &[]);
            } else {
                let at = self.focus.map_or(self.entries.len(), |focus| (focus + 1).min(self.entries.len()));
                let part = Part::Unresolved(String::new());
                self.entries.insert(at, Rc::new(Entry { origin: PartOrigin::Words(Box::new(mention)), part }));
                self.renew(at);
                self.focus = Some(at);
            }
        }
    }

    /// Reads a clause that does not say what to do: an amount or a property belongs to what was mentioned last, and foods
    /// are new, which is reported by `false`.
    pub(super) fn bare(&mut self, tokens: &[Token]) -> bool {
        let new = self.describe(tokens);
        let Some(place) = self.base_of_focus() else { return false };
        if !new.names_food() {
            if new.says_how_much() && self.is_only_amount(tokens) {
                self.amend(place, &new, &FoodDescription::default(), tokens);
            }
            return true;
        }
        let is_property = new.quantity.amount.is_none() && self.is_property(&new, tokens);
        is_property && self.reword(place, &new, &FoodDescription::default(), Keep::Food)
    }

    /// Checks whether tokens say an amount and nothing else, politely or not.
    fn is_only_amount(&self, tokens: &[Token]) -> bool {
        tokens.iter().filter_map(Token::word).all(|word| {
            let roles = self.engine.lexicon().roles(word);
            !roles.has(Role::Filler) || roles.any(const { Roles::of(&[Role::Hedge, Role::Polite]) })
        })
    }

    /// Checks whether words say how a food is: "unsweetened", "sugar free".
    fn is_property(&self, new: &FoodDescription, tokens: &[Token]) -> bool {
        let last = tokens.last().and_then(Token::word);
        let is_free = last.is_some_and(|word| self.engine.lexicon().roles(word).has(Role::Free));
        is_free || new.required().all(|word| !self.engine.is_food(word))
    }

    /// Gives an entry a new amount and new words, without those that were denied.
    fn amend(&mut self, place: usize, new: &FoodDescription, denied: &FoodDescription, tokens: &[Token]) {
        if let PartOrigin::Recipe(index) = self.entries[place].origin {
            self.amend_recipe(place, index, new, tokens);
            return;
        }
        if new.says_how_much()
            && let Some(mut mention) = self.mention(place)
        {
            set_amount(&mut mention, new);
            self.put(place, PartOrigin::Words(Box::new(mention)));
        }
        self.reword(place, new, denied, Keep::Nothing);
        self.focus = Some(place);
    }

    /// Gives a recipe a new amount, read as if it stood before the name of the recipe.
    fn amend_recipe(&mut self, place: usize, index: usize, new: &FoodDescription, tokens: &[Token]) {
        let Some(recipe) = self.recipes.get(index) else { return };
        if !new.quantity.is_explicit() {
            return;
        }
        let lexicon = self.engine.lexicon();
        let mut named = tokens.to_vec();
        if !new.names_food() {
            named.push(Token::Word(lexicon.word_with(Role::Of).to_owned()));
            named.extend(token::tokens(&recipe.name));
        }
        if let Some(found) = self.recipes.find(&named, lexicon).into_iter().next() {
            let part = Part::Recipe(RecipeItem::new(recipe, found));
            self.put_recipe(place, index, part);
        }
    }

    /// Gives a food with a label another name; its numbers stay those of the label.
    fn rename(&mut self, place: usize, mention: Mention, new: &FoodDescription) {
        let name: Vec<&str> = new.required().collect();
        if let Some(seen) = mention.seen.as_ref().filter(|_| !name.is_empty()) {
            let seen = Some(seen.renamed(&name.join(" ")).into());
            let mention = Mention { words: new.words.clone(), seen, ..mention };
            self.put(place, PartOrigin::Words(Box::new(mention)));
        }
    }

    /// Puts new words together with those of an entry. Returns `false` if no food is known by them.
    fn reword(&mut self, place: usize, new: &FoodDescription, denied: &FoodDescription, keep: Keep) -> bool {
        let Some(mention) = self.mention(place) else { return false };
        if mention.seen.as_ref().is_some_and(|seen| seen.is_label()) {
            self.rename(place, mention, new);
            return true;
        }
        let correction = Correction { mention: &mention, new, denied, keep };
        if !correction.is_change() {
            return true;
        }
        let best = correction.best(&self.engine);
        let is_without_additions = new.required().any(|word| self.engine.lexicon().roles(word).has(Role::Alone));
        if is_without_additions {
            self.remove_additions(place);
        }
        let Some(LinkedRewording { rewording: Rewording { words, heads }, links, .. }) = best else {
            return is_without_additions;
        };
        // The words say what it is, so that what it looked like no longer counts.
        let mention = Mention { words, heads, links, named: None, seen: None, ..mention };
        self.put(place, PartOrigin::Words(Box::new(mention)));
        true
    }

    /// Removes what was added to a food: a black coffee has no milk.
    fn remove_additions(&mut self, place: usize) {
        while place + 1 < self.entries.len() && self.is_dependent(place + 1) {
            self.entries.remove(place + 1);
        }
    }
}

/// Checks whether words name everything that an entry is, and not one of several foods.
pub(super) fn names_all_heads(entry: &Entry, target: &FoodDescription) -> bool {
    let PartOrigin::Words(mention) = &entry.origin else { return true };
    let is_named = |head: &usize| mention.words.get(*head).is_some_and(|word| target.has(&word.word));
    mention.heads.len() < 2 || mention.heads.iter().all(is_named)
}
