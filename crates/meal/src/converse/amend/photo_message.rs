//! Photos in a conversation, and what is said with them: "half of this", "it was oat milk", "40 g of this granola, with
//! milk". Words rule over what is seen.

use std::ops::Range;
use std::rc::Rc;

use nutrition::sighting::PhotoSightings;

use super::clause::{self, Request};
use super::description::FoodDescription;
use super::meal::Meal;
use super::requests::MAX_REQUESTS;
use crate::converse::part::{Entry, Part, PartOrigin};
use crate::converse::parts::TextParts;
use crate::converse::photos::sightings::{is_same, sighted};
use crate::converse::photos::views::views;
use crate::lexicon::{Role, Roles, roles_in_any_language};
use crate::link::mention::Mention;
use crate::read::text::{Text, Uses};
use crate::read::token::Token;

/// Words behind a pointer that are not what it points at.
const NOT_NOUNS: Roles = Roles::of(&[
    Role::Pointer,
    Role::Generic,
    Role::And,
    Role::With,
    Role::Or,
    Role::But,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Copula,
    Role::Indefinite,
    Role::Definite,
    Role::Possessive,
    Role::All,
    Role::Person,
    Role::Today,
]);

impl Meal<'_> {
    /// Takes in a message with photos.
    pub(crate) fn read_photos(&mut self, photos: &[(usize, &PhotoSightings)], tokens: &[Token]) {
        let before = self.entries.clone();
        let first = self.entries.len();
        let engine = self.engine;
        for (number, sighting) in views(photos, tokens, |gtin| engine.catalog().by_gtin(gtin).is_some()) {
            for entry in sighted(self.engine, number, sighting, self.recipes) {
                // What was said before is not eaten again because there is a photo of it.
                if !self.entries[..first].iter().any(|known| is_same(known, &entry)) {
                    self.push(entry);
                }
            }
        }
        if self.entries.len() == first {
            // Nothing was seen, so the words stand alone.
            if !tokens.is_empty() {
                self.read_text(tokens.to_vec());
            }
            return;
        }
        self.history.push(before);
        let left = MAX_REQUESTS.saturating_sub(self.requests).max(1);
        let lexicon = self.engine.lexicon();
        let uses = Uses::new(tokens, lexicon);
        for clause in clause::clauses(Text::new(tokens, &uses, lexicon), left) {
            self.requests += 1;
            self.told(clause, first);
        }
    }

    /// Does what a clause beside photos says of what was seen, which begins at `first`.
    fn told(&mut self, clause: Text<'_>, first: usize) {
        let seen = first.min(self.entries.len())..self.entries.len();
        if seen.is_empty() {
            self.add_foods(clause.tokens);
            return;
        }
        let request = clause::request(clause);
        match request {
            Request::Scale { subject: [], factor } => self.scale_all(seen, factor),
            Request::Set { subject: [], to } if self.counts_all(to, &seen) => {
                let count = self.said(to).quantity.amount.map_or(1.0, |amount| amount.value);
                self.scale_all(seen, count);
            }
            Request::Set { subject: [], to } => {
                if self.names_food(to) || self.said(to).required().next().is_none() {
                    self.set(&[], to);
                }
            }
            Request::Bare(tokens) | Request::Correct(tokens) => self.described(tokens, first),
            Request::Scale { subject, factor } => {
                // "half of this granola with a cup of milk" is not half of the milk.
                let is_joint = |token: &Token| *token == Token::Comma || self.joins(token);
                let end = subject.iter().position(is_joint).unwrap_or(subject.len());
                self.share(&subject[..end], factor, first);
                if end < subject.len() {
                    self.described(&subject[end..], first);
                }
            }
            request => {
                if !self.answer(&request) {
                    self.described(clause.tokens, first);
                }
            }
        }
    }

    /// Checks whether a word joins another food.
    fn joins(&self, token: &Token) -> bool {
        let roles = token.word().map(|word| self.engine.lexicon().roles(word));
        roles.is_some_and(|roles| roles.any(const { Roles::of(&[Role::And, Role::With]) }))
    }

    /// A share of one of the things that were seen, by its name or by another.
    fn share(&mut self, subject: &[Token], factor: f64, first: usize) {
        if let Some(place) = self.subject(subject) {
            self.scale(place, factor);
            return;
        }
        let is_food = self.names_food(subject);
        let mut parts = TextParts::new(self.engine, self.recipes, subject.to_vec());
        let named = parts.next_entry().filter(|_| is_food);
        match named.map(|entry| self.claim(vec![entry], first)).as_deref() {
            Some([place, ..]) => {
                self.scale(*place, factor);
            }
            _ => self.scale_all(first.min(self.entries.len())..self.entries.len(), factor),
        }
    }

    /// Whether pieces of several things are counted at once: "two of these".
    fn counts_all(&self, to: &[Token], seen: &Range<usize>) -> bool {
        let said = self.said(to);
        seen.len() > 1
            && said.required().next().is_none()
            && said.quantity.unit.is_none()
            && said.quantity.is_explicit()
    }

    fn scale_all(&mut self, places: Range<usize>, factor: f64) {
        for place in places {
            self.scale(place, factor);
        }
    }

    /// Whether words name a food that is known.
    fn names_food(&self, tokens: &[Token]) -> bool {
        let mut parts = TextParts::new(self.engine, self.recipes, tokens.to_vec());
        while let Some(entry) = parts.next_entry() {
            if !matches!(entry.part, Part::Unresolved(_)) && !is_generic(&entry) {
                return true;
            }
        }
        false
    }

    /// Foods and amounts that are said beside photos. They are what was seen, by another name or in another amount, or
    /// something else that was eaten with it.
    fn described(&mut self, tokens: &[Token], first: usize) {
        let lexicon = self.engine.lexicon();
        let uses = Uses::new(tokens, lexicon);
        let pointer = Pointer::find(Text::new(tokens, &uses, lexicon));
        let rest = match &pointer {
            Some(pointer) if !pointer.has_noun => {
                if let Some(amount) = &pointer.amount {
                    self.apply(&tokens[amount.clone()], first);
                }
                &tokens[pointer.end..]
            }
            _ => tokens,
        };
        let mut parts = TextParts::new(self.engine, self.recipes, rest.to_vec());
        let mut foods = Vec::new();
        while let Some(entry) = parts.next_entry() {
            if !matches!(entry.part, Part::Unresolved(_)) && !is_generic(&entry) {
                foods.push(entry);
            }
        }
        let is_added = pointer.as_ref().is_some_and(|pointer| !pointer.has_noun)
            || rest.first().is_some_and(|token| self.joins(token));
        if foods.is_empty() {
            if pointer.is_none() {
                self.apply(tokens, first);
            }
            return;
        }
        if is_added {
            for entry in foods {
                self.push(entry);
            }
            return;
        }
        let claimed = self.claim(foods, first);
        if pointer.is_none() {
            // Somebody who lists what was eaten has listed all of it; what a package says stands.
            let is_kept = |place: usize, entry: &Entry| place < first || claimed.contains(&place) || !is_dish(entry);
            let mut place = 0;
            self.entries.retain(|entry| {
                place += 1;
                is_kept(place - 1, entry)
            });
            self.focus = self.entries.len().checked_sub(1);
        }
    }

    /// Gives an amount alone to what was seen.
    fn apply(&mut self, tokens: &[Token], first: usize) {
        let said = self.said(tokens);
        if said.required().next().is_some() || !said.quantity.is_explicit() {
            return;
        }
        let seen = first.min(self.entries.len())..self.entries.len();
        if self.counts_all(tokens, &seen) {
            let count = said.quantity.amount.map_or(1.0, |amount| amount.value);
            self.scale_all(seen, count);
        } else {
            self.focus = self.entries.len().checked_sub(1);
            self.correct(tokens);
        }
    }

    /// Puts foods that were said in the place of what was seen of them; those that were not seen are added. The places
    /// that are said now.
    fn claim(&mut self, foods: Vec<Entry>, first: usize) -> Vec<usize> {
        let mut claimed = Vec::new();
        for food in foods {
            let free = |place: &usize| !claimed.contains(place);
            let last = self.entries.len();
            let by_name = self.called(&food).filter(|place| *place >= first && free(place));
            let package = (first..last).filter(free).find(|&place| !is_dish(&self.entries[place]));
            let dish = (first..last).filter(free).find(|&place| is_dish(&self.entries[place]));
            let is_first = claimed.is_empty();
            if let Some(place) = by_name.or(package.or(dish).filter(|_| is_first)) {
                self.name(place, food);
                claimed.push(place);
            } else {
                claimed.push(self.entries.len());
                self.push(food);
            }
        }
        claimed
    }

    /// The entry that a food's words call.
    fn called(&self, food: &Entry) -> Option<usize> {
        match &food.origin {
            PartOrigin::Words(mention) => {
                self.find(&FoodDescription { words: mention.words.clone(), quantity: mention.quantity.clone() })
            }
            PartOrigin::Recipe(_) => self.entries.iter().position(|known| is_same(known, food)),
        }
    }

    /// Gives what was seen the name and the amount that were said. A package stays what it is.
    fn name(&mut self, place: usize, food: Entry) {
        let known = self.mention(place);
        let package = known.filter(|mention| mention.seen.as_ref().is_some_and(|seen| seen.is_fixed()));
        match (package, food.origin) {
            (Some(package), PartOrigin::Words(said)) => {
                let label = package.seen.as_ref().filter(|seen| seen.is_label());
                let named = label.map(|seen| seen.renamed(&said.required_text()).into());
                let words = if named.is_some() { said.words.clone() } else { package.words.clone() };
                let seen = named.or_else(|| package.seen.clone());
                let mention = Mention { quantity: said.quantity.clone(), words, seen, ..package };
                self.put(place, PartOrigin::Words(Box::new(mention)));
            }
            (_, origin) => {
                self.entries[place] = Rc::new(Entry { origin, part: food.part });
                self.renew(place);
                self.focus = Some(place);
            }
        }
    }
}

/// Words that point at what is seen.
struct Pointer {
    /// Where the words behind it begin.
    end: usize,
    /// A noun follows: "this granola".
    has_noun: bool,
    /// Where the amount stands that was said of it: "two of these".
    amount: Option<Range<usize>>,
}

impl Pointer {
    fn find(text: Text<'_>) -> Option<Self> {
        let at = text.position(Role::Pointer)?;
        let is_noun = |at: usize| text.is_word(at) && !text.any(at, NOT_NOUNS);
        let has_noun = text.has(at, Role::Demonstrative) && is_noun(at + 1);
        let is_mark = |at: usize| matches!(text.tokens[at], Token::Comma | Token::Stop);
        let amount = (at > 0 && text.has(at - 1, Role::Of)).then(|| {
            let start = (0..at).rev().take_while(|&at| !is_mark(at)).last();
            start.unwrap_or(0)..at - 1
        });
        let generic = (at + 1..text.len()).take_while(|&at| text.has(at, Role::Generic)).count();
        Some(Self { end: at + 1 + generic, has_noun, amount })
    }
}

/// Whether an entry is only what something looks like.
fn is_dish(entry: &Entry) -> bool {
    match &entry.origin {
        PartOrigin::Words(mention) => mention.seen.as_ref().is_none_or(|seen| !seen.is_fixed()),
        PartOrigin::Recipe(_) => true,
    }
}

/// Checks whether the words of an entry only stand for anything that was eaten.
fn is_generic(entry: &Entry) -> bool {
    let PartOrigin::Words(mention) = &entry.origin else { return false };
    let mut required = mention.words.iter().filter(|word| !word.optional);
    required.all(|word| roles_in_any_language(&word.word).has(Role::Generic))
}
