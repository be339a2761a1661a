//! Messages with photos, and what their words say about them: "half of this", "it was oat milk", "40 g of this granola,
//! with milk". Words count more than what is seen.

use std::ops::Range;
use std::rc::Rc;

use nutrition::sighting::PhotoSightings;

use super::clause::{self, Request};
use super::description::FoodDescription;
use super::meal::Meal;
use super::requests::MAX_REQUESTS;
use crate::converse::part::{Entry, Part, PartOrigin};
use crate::converse::parts::TextParts;
use crate::converse::photos::sightings::{entries_of, is_same};
use crate::converse::photos::views::views;
use crate::lexicon::{Role, Roles, roles_in_any_language};
use crate::link::mention::Mention;
use crate::read::segment::required;
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
    /// Reads a message with photos.
    pub(crate) fn read_photos(&mut self, photos: &[(usize, &PhotoSightings)], tokens: &[Token]) {
        let first = self.entries.len();
        let engine = self.engine.clone();
        for (number, sighting) in views(photos, tokens, |gtin| engine.catalog().by_gtin(gtin).is_some()) {
            for entry in entries_of(&self.engine, number, sighting, self.recipes) {
                // A photo of a food from an earlier message does not show another one.
                if !self.entries[..first].iter().any(|known| is_same(known, &entry)) {
                    self.push(entry);
                }
            }
        }
        if self.entries.len() == first {
            // Nothing was seen, so that the words count alone.
            if !tokens.is_empty() {
                self.read_text(tokens.to_vec());
            }
            return;
        }
        self.is_undone = false;
        let left = MAX_REQUESTS.saturating_sub(self.requests).max(1);
        let lexicon = self.engine.lexicon();
        let uses = Uses::new(tokens, lexicon);
        for clause in clause::clauses(Text::new(tokens, &uses, lexicon), left) {
            self.requests += 1;
            self.read_beside_photos(clause, first);
        }
    }

    /// Reads a clause about what was seen, which are the entries from `first` on.
    fn read_beside_photos(&mut self, clause: Text<'_>, first: usize) {
        let seen = first.min(self.entries.len())..self.entries.len();
        if seen.is_empty() {
            self.add_foods(clause.tokens);
            return;
        }
        let request = clause::request(clause);
        match request {
            Request::Scale { subject: [], factor } => self.scale_all(seen, factor),
            Request::Set { subject: [], to } if self.counts_all(to, &seen) => {
                let count = self.describe(to).quantity.amount.map_or(1.0, |amount| amount.value);
                self.scale_all(seen, count);
            }
            Request::Set { subject: [], to } => {
                if self.names_known_food(to) || !self.describe(to).names_food() {
                    self.set(&[], to);
                }
            }
            // What follows a share of what is seen is something else: "half of this, a coke".
            Request::Bare(tokens) if clause.tokens.first().is_some_and(|token| self.joins(token)) => {
                self.add_foods(tokens);
            }
            Request::Bare(tokens) | Request::Correct(tokens) => self.read_description(tokens, first),
            Request::Scale { subject, factor } => {
                // "half of this granola with a cup of milk" is not half of the milk.
                let end = subject.iter().position(|token| self.joins(token)).unwrap_or(subject.len());
                self.share(&subject[..end], factor, first);
                self.add_foods(&subject[end..]);
            }
            request => {
                if !self.answer(&request) {
                    self.read_description(clause.tokens, first);
                }
            }
        }
    }

    /// Checks whether another food follows.
    fn joins(&self, token: &Token) -> bool {
        if *token == Token::Comma {
            return true;
        }
        let roles = token.word().map(|word| self.engine.lexicon().roles(word));
        roles.is_some_and(|roles| roles.any(const { Roles::of(&[Role::And, Role::With]) }))
    }

    /// Takes a share of one of the things that were seen, by its name or by another one.
    fn share(&mut self, subject: &[Token], factor: f64, first: usize) {
        if let Some(place) = self.subject(subject) {
            self.scale(place, factor);
            return;
        }
        let is_food = self.names_known_food(subject);
        let mut parts = TextParts::new(self.engine.clone(), self.recipes, subject.to_vec());
        let named = parts.next_entry().filter(|_| is_food);
        match named.map(|entry| self.claim(vec![entry], first)).as_deref() {
            Some([place, ..]) => {
                self.scale(*place, factor);
            }
            _ => self.scale_all(first.min(self.entries.len())..self.entries.len(), factor),
        }
    }

    /// Checks whether pieces of several things are counted at once: "two of these".
    fn counts_all(&self, to: &[Token], seen: &Range<usize>) -> bool {
        let new = self.describe(to);
        seen.len() > 1 && !new.names_food() && new.quantity.unit.is_none() && new.quantity.is_explicit()
    }

    fn scale_all(&mut self, places: Range<usize>, factor: f64) {
        for place in places {
            self.scale(place, factor);
        }
    }

    /// Checks whether words name a food that is known.
    fn names_known_food(&self, tokens: &[Token]) -> bool {
        self.foods_in(tokens).next().is_some()
    }

    /// Returns the foods in tokens that are known.
    fn foods_in(&self, tokens: &[Token]) -> impl Iterator<Item = Entry> {
        let mut parts = TextParts::new(self.engine.clone(), self.recipes, tokens.to_vec());
        let entries = std::iter::from_fn(move || parts.next_entry());
        entries.filter(|entry| !matches!(entry.part, Part::Unresolved(_)) && !is_generic(entry))
    }

    /// Reads foods and amounts beside photos. They are what was seen, by another name or in another amount, or something
    /// else that was eaten with it.
    fn read_description(&mut self, tokens: &[Token], first: usize) {
        let lexicon = self.engine.lexicon();
        let uses = Uses::new(tokens, lexicon);
        let pointer = Pointer::find(Text::new(tokens, &uses, lexicon));
        // "two of these and a glass of milk": the amount is that of what was seen, and what follows is something else.
        let rest = match &pointer {
            Some(pointer) if !pointer.has_noun => {
                if let Some(amount) = &pointer.amount {
                    self.set_amount_of_seen(&tokens[amount.clone()], first);
                }
                &tokens[pointer.end..]
            }
            _ => tokens,
        };
        let foods: Vec<Entry> = self.foods_in(rest).collect();
        let is_something_else = pointer.as_ref().is_some_and(|pointer| !pointer.has_noun)
            || rest.first().is_some_and(|token| self.joins(token));
        match (foods.is_empty(), &pointer) {
            (true, None) => self.set_amount_of_seen(tokens, first),
            (true, Some(_)) => {}
            (false, _) if is_something_else => foods.into_iter().for_each(|entry| self.push(entry)),
            (false, Some(_)) => {
                self.claim(foods, first);
            }
            (false, None) => {
                let claimed = self.claim(foods, first);
                self.remove_unlisted(first, &claimed);
            }
        }
    }

    /// Removes dishes that were seen and not listed: someone who lists what was eaten lists all of it. Packages stay.
    fn remove_unlisted(&mut self, first: usize, claimed: &[usize]) {
        let mut place = 0;
        self.entries.retain(|entry| {
            place += 1;
            place <= first || claimed.contains(&(place - 1)) || !is_dish(entry)
        });
        self.focus = self.entries.len().checked_sub(1);
    }

    /// Gives an amount without a food to what was seen.
    fn set_amount_of_seen(&mut self, tokens: &[Token], first: usize) {
        let new = self.describe(tokens);
        if new.names_food() || !new.quantity.is_explicit() {
            return;
        }
        let seen = first.min(self.entries.len())..self.entries.len();
        if self.counts_all(tokens, &seen) {
            let count = new.quantity.amount.map_or(1.0, |amount| amount.value);
            self.scale_all(seen, count);
        } else {
            self.focus = self.entries.len().checked_sub(1);
            self.correct(tokens);
        }
    }

    /// Puts foods in the place of what was seen of them, and adds those that were not seen. Returns the positions of all
    /// of them.
    fn claim(&mut self, foods: Vec<Entry>, first: usize) -> Vec<usize> {
        let mut claimed = Vec::new();
        for food in foods {
            let free = |place: &usize| !claimed.contains(place);
            let last = self.entries.len();
            let by_name = self.place_of(&food).filter(|place| *place >= first && free(place));
            let package = (first..last).filter(free).find(|&place| !is_dish(&self.entries[place]));
            let dish = (first..last).filter(free).find(|&place| is_dish(&self.entries[place]));
            let is_first = claimed.is_empty();
            if let Some(place) = by_name.or(package.or(dish).filter(|_| is_first)) {
                self.name_seen(place, food);
                claimed.push(place);
            } else {
                claimed.push(self.entries.len());
                self.push(food);
            }
        }
        claimed
    }

    /// Returns the position of the entry that the words of a food name.
    fn place_of(&self, food: &Entry) -> Option<usize> {
        match &food.origin {
            PartOrigin::Words(mention) => {
                self.find(&FoodDescription { words: mention.words.clone(), quantity: mention.quantity.clone() })
            }
            PartOrigin::Recipe(_) => self.entries.iter().position(|known| is_same(known, food)),
        }
    }

    /// Gives what was seen the name and the amount of a food. A package stays what it is.
    fn name_seen(&mut self, place: usize, food: Entry) {
        let known = self.mention(place);
        let package = known.filter(|mention| mention.seen.as_ref().is_some_and(|seen| seen.is_fixed()));
        match (package, food.origin) {
            (Some(package), PartOrigin::Words(new)) => {
                let label = package.seen.as_ref().filter(|seen| seen.is_label());
                let named = label.map(|seen| seen.renamed(&new.required_text()).into());
                let words = if named.is_some() { new.words.clone() } else { package.words.clone() };
                let seen = named.or_else(|| package.seen.clone());
                let mention = Mention { quantity: new.quantity.clone(), words, seen, ..package };
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

/// Words that point at what is seen: "this", "two of these".
#[derive(Debug, PartialEq)]
struct Pointer {
    /// Where the words behind it begin.
    end: usize,
    /// A noun follows: "this granola".
    has_noun: bool,
    /// The amount before it: the "two" of "two of these".
    amount: Option<Range<usize>>,
}

impl Pointer {
    fn find(text: Text<'_>) -> Option<Self> {
        let at = text.position(Role::Pointer)?;
        let is_noun = |at: usize| text.is_word(at) && !text.any(at, NOT_NOUNS);
        let has_noun = text.has(at, Role::Demonstrative) && is_noun(at + 1);
        let is_mark = |at: usize| matches!(text.tokens[at], Token::Comma | Token::Stop | Token::Colon);
        let amount = (at > 0 && text.has(at - 1, Role::Of)).then(|| {
            let start = (0..at).rev().take_while(|&at| !is_mark(at)).last();
            start.unwrap_or(0)..at - 1
        });
        let generic = (at + 1..text.len()).take_while(|&at| text.has(at, Role::Generic)).count();
        Some(Self { end: at + 1 + generic, has_noun, amount })
    }
}

/// Checks whether an entry is only what something looks like.
fn is_dish(entry: &Entry) -> bool {
    match &entry.origin {
        PartOrigin::Words(mention) => mention.seen.as_ref().is_none_or(|seen| !seen.is_fixed()),
        PartOrigin::Recipe(_) => true,
    }
}

/// Checks whether the words of an entry only stand for anything that was eaten.
fn is_generic(entry: &Entry) -> bool {
    let PartOrigin::Words(mention) = &entry.origin else { return false };
    required(&mention.words).all(|word| roles_in_any_language(&word.word).has(Role::Generic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::token::tokens;

    #[test]
    fn pointers_may_have_a_noun_and_an_amount() {
        let lexicon = Lexicon::default();
        for (text, expected) in [
            ("a banana", None),
            ("this", Some((1, false, None))),
            ("two of these", Some((3, false, Some(0..1)))),
            ("I ate two of these and milk", Some((5, false, Some(0..3)))),
            ("a coffee, half of this", Some((6, false, Some(3..4)))),
            ("this granola", Some((1, true, None))),
            ("40 g of this granola", Some((4, true, Some(0..2)))),
            ("this meal with milk", Some((2, false, None))),
            ("this and a banana", Some((1, false, None))),
        ] {
            let tokens = tokens(text);
            let uses = Uses::new(&tokens, &lexicon);
            let found = Pointer::find(Text::new(&tokens, &uses, &lexicon));
            let found = found.map(|pointer| (pointer.end, pointer.has_noun, pointer.amount));
            assert_eq!(found, expected, "{text}");
        }
    }
}
