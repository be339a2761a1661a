//! A meal that is being talked about: its parts, what each came from, and which was mentioned last.

use std::rc::Rc;

use super::description::FoodDescription;
use super::target::Target;
use crate::converse::part::{Entry, Part, PartOrigin, part_of};
use crate::converse::parts::TextParts;
use crate::lexicon::Role;
use crate::link::mention::Mention;
use crate::portion;
use crate::read::segment::Joint;
use crate::read::token::Token;
use crate::recipes::book::RecipeBook;
use crate::run::EngineRun;
use crate::weigh::item::Item;
use crate::weigh::weigh_item::{goes_into, is_added};

/// The most words in a clause that may say where something was added to.
const MAX_DESTINATIONS: usize = 4;

/// A meal that is being talked about.
pub(crate) struct Meal<'a> {
    pub(super) engine: EngineRun<'a>,
    pub(super) recipes: &'a RecipeBook,
    pub(super) entries: Vec<Rc<Entry>>,
    /// The entries before each message, to undo it; the last are those before the message that is being read.
    pub(super) history: Vec<Vec<Rc<Entry>>>,
    /// The message that is being read has only undone others so far.
    pub(super) is_undone: bool,
    /// What was mentioned last; "it" means this.
    pub(super) focus: Option<usize>,
    pub(super) requests: usize,
}

impl<'a> Meal<'a> {
    pub(crate) fn new(engine: EngineRun<'a>, recipes: &'a RecipeBook) -> Self {
        let (entries, history) = (Vec::new(), Vec::new());
        Self { engine, recipes, entries, history, is_undone: false, focus: None, requests: 0 }
    }

    /// Returns the tokens of a text, in English.
    pub(crate) fn tokens(&self, text: &str) -> Vec<Token> {
        self.engine.tokens(text, self.recipes)
    }

    /// Remembers the entries before a message.
    pub(crate) fn begin_message(&mut self) {
        self.history.push(self.entries.clone());
        self.is_undone = false;
    }

    /// Ends a message. One that only undoes another one leaves nothing that could be undone.
    pub(crate) fn end_message(&mut self) {
        if self.is_undone {
            self.history.pop();
        }
    }

    /// Undoes the message before.
    pub(super) fn undo(&mut self) {
        self.history.pop();
        self.entries = self.history.pop().unwrap_or_default();
        self.focus = self.entries.len().checked_sub(1);
        self.history.push(self.entries.clone());
        self.is_undone = true;
    }

    /// Checks whether nothing was said yet.
    pub(super) fn is_beginning(&self) -> bool {
        self.history.len() <= 1 && self.entries.is_empty()
    }

    /// Returns the parts, without what they came from.
    pub(crate) fn into_parts(self) -> Vec<Part> {
        let part = |entry: Rc<Entry>| Rc::try_unwrap(entry).map_or_else(|shared| shared.part.clone(), |own| own.part);
        self.entries.into_iter().map(part).collect()
    }

    /// Adds the parts of a text.
    pub(super) fn add(&mut self, tokens: Vec<Token>) {
        let mut parts = TextParts::new(self.engine.clone(), self.recipes, tokens);
        while let Some(entry) = parts.next_entry() {
            self.push(entry);
        }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(Rc::new(entry));
        self.focus = Some(self.entries.len() - 1);
    }

    /// Adds the foods of a clause. A later message may be small talk, so that unknown words count only with an amount.
    pub(super) fn add_foods(&mut self, tokens: &[Token]) {
        let mut parts = TextParts::new(self.engine.clone(), self.recipes, tokens.to_vec());
        while let Some(entry) = parts.next_entry() {
            let is_measured = match &entry.origin {
                PartOrigin::Words(mention) => mention.quantity.is_explicit() && !mention.quantity.trailing,
                PartOrigin::Recipe(_) => false,
            };
            if is_measured || !matches!(entry.part, Part::Unresolved(_)) {
                self.push(entry);
            }
        }
    }

    /// Adds foods. "add milk to the coffee" says where they went, which is not another food.
    pub(super) fn add_to(&mut self, tokens: &[Token]) {
        let is_destination =
            |token: &Token| token.word().is_some_and(|word| self.engine.lexicon().roles(word).has(Role::Destination));
        let base = (1..tokens.len())
            .filter(|&at| is_destination(&tokens[at]))
            .take(MAX_DESTINATIONS)
            .find_map(|at| Some((at, self.find(&self.describe(&tokens[at + 1..]))?)));
        if let Some((at, base)) = base {
            self.attach(base, &tokens[..at]);
        } else {
            let place = self.entries.len();
            self.add(tokens.to_vec());
            self.join(place);
        }
    }

    /// Joins a new entry to the one before it, so that "add milk" to a coffee is not a glass of milk.
    fn join(&mut self, place: usize) {
        let Some(PartOrigin::Words(mention)) = self.entries.get(place).map(|entry| &entry.origin) else { return };
        if mention.joint == Joint::Start && self.item_before(place).is_some() {
            let origin = PartOrigin::Words(Box::new(Mention { joint: Joint::And, ..mention.as_ref().clone() }));
            let focus = self.focus;
            self.put(place, origin);
            self.focus = focus;
        }
    }

    /// Adds what came with a food, right behind it.
    pub(super) fn attach(&mut self, base: usize, tokens: &[Token]) -> bool {
        let with = Token::Word(self.engine.lexicon().word_with(Role::With).to_owned());
        let with: Vec<Token> = std::iter::once(with).chain(tokens.iter().cloned()).collect();
        let mut parts = TextParts::new(self.engine.clone(), self.recipes, with);
        let mut place = base;
        while let Some(mut entry) = parts.next_entry() {
            if let PartOrigin::Words(mention) = &mut entry.origin {
                mention.joint = Joint::With;
            }
            place += 1;
            self.entries.insert(place, Rc::new(entry));
            self.renew(place);
        }
        self.focus = Some(base);
        true
    }

    /// Reads tokens as one food.
    pub(super) fn describe(&self, tokens: &[Token]) -> FoodDescription {
        FoodDescription::read(tokens, self.engine.lexicon())
    }

    /// Returns the entry that a description means.
    pub(super) fn find(&self, target: &FoodDescription) -> Option<usize> {
        self.engine.read_names(self.entries.len());
        if self.engine.is_spent() { None } else { Target::new(&self.engine, target).among(&self.entries) }
    }

    /// Returns what "it" means: of a coffee with milk, the coffee.
    pub(super) fn base_of_focus(&self) -> Option<usize> {
        let mut place = self.focus.filter(|place| *place < self.entries.len()).or(self.entries.len().checked_sub(1))?;
        while place > 0 && self.is_dependent(place) {
            place -= 1;
        }
        Some(place)
    }

    /// Returns the food before, past what was added to it: milk and sugar are both added to the coffee.
    pub(super) fn item_before(&self, place: usize) -> Option<&Item> {
        let foods = self.entries.get(..place)?.iter().rev().map_while(|entry| match (&entry.part, &entry.origin) {
            (Part::Food(item), PartOrigin::Words(mention)) => Some((item.as_ref(), mention)),
            _ => None,
        });
        let mut bases = foods.filter(|(item, _)| !portion::is_addition(&item.weight));
        let (item, mention) = bases.next()?;
        let base = bases.next().map(|(base, _)| base);
        Some(base.filter(|base| goes_into(&self.engine, mention, item, base)).unwrap_or(item))
    }

    /// Checks whether the amount of an entry follows from the food before it, as that of milk in coffee.
    pub(super) fn is_dependent(&self, place: usize) -> bool {
        self.engine.weigh_again();
        match &self.entries[place].origin {
            _ if self.engine.is_spent() => false,
            PartOrigin::Words(mention) => is_added(&self.engine, mention, self.item_before(place)),
            PartOrigin::Recipe(_) => false,
        }
    }

    /// Estimates a part again from what it came from, and the parts whose amount depends on it.
    pub(super) fn renew(&mut self, from: usize) {
        for place in from..self.entries.len() {
            if place > from && !self.is_dependent(place) {
                break;
            }
            self.engine.weigh_again();
            if let PartOrigin::Words(mention) = &self.entries[place].origin {
                let part = part_of(&self.engine, mention, self.item_before(place));
                let origin = PartOrigin::Words(mention.clone());
                self.entries[place] = Rc::new(Entry { origin, part });
            }
        }
    }

    /// Replaces what an entry came from.
    pub(super) fn put(&mut self, place: usize, origin: PartOrigin) {
        let part = self.entries[place].part.clone();
        self.entries[place] = Rc::new(Entry { origin, part });
        self.renew(place);
        self.focus = Some(place);
    }

    /// Removes an entry, and what was only added to it.
    pub(super) fn take(&mut self, place: usize) {
        let mut end = place + 1;
        while end < self.entries.len() && self.is_dependent(end) {
            end += 1;
        }
        self.entries.drain(place..end);
        self.focus = self.entries.len().checked_sub(1);
    }
}
