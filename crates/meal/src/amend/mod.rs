//! Several messages about one meal: later ones amend the earlier.
//!
//! Every part of the meal keeps what it came from (`Entry`): the words and the amount of a food, or the recipe. A
//! later message is split into clauses and each is understood as a request (`clause`). It finds the part it speaks of
//! (`target`), changes the words or the amount that the part came from, and the part is made anew (`change`,
//! `wording`, `removal`). So an amended part is what the same words would have given at once.

mod change;
mod clause;
mod photos;
mod removal;
mod target;
mod wording;

use std::rc::Rc;

use crate::compose::Mention;
use crate::estimate::{Engine, Item};
use crate::parts::{Entry, MAX_CHARS, Origin, Part, Parts};
use crate::portion;
use crate::recipe::RecipeBook;
use crate::segment::Joint;
use crate::token::{self, Token};
use change::Said;
use clause::Request;
pub use photos::Message;
use target::Sought;

/// Messages beyond these are not read.
pub const MAX_MESSAGES: usize = 50;
/// Requests of a conversation beyond these are read as food and nothing else, so that no text takes long.
const MAX_REQUESTS: usize = 100;

/// The parts of a conversation, one after the other.
#[derive(Debug)]
pub(crate) enum Conversation<'a> {
    /// One message: its parts, each as soon as it is known.
    Single(Box<Parts<'a>>),
    /// Several: nothing is certain before the last is read.
    Amended(std::vec::IntoIter<Part>),
}

impl Iterator for Conversation<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        match self {
            Conversation::Single(parts) => parts.next(),
            Conversation::Amended(parts) => parts.next(),
        }
    }
}

impl Engine {
    /// What several messages of a person come to: the later ones amend the earlier or add to them. A single message is
    /// read part by part, as [`Engine::parts`] does.
    pub fn conversation<'a>(
        &'a self,
        messages: &'a [&'a str],
        recipes: &'a RecipeBook,
    ) -> impl Iterator<Item = Part> + 'a {
        let mut left = MAX_CHARS;
        let texts: Vec<String> = messages
            .iter()
            .take(MAX_MESSAGES)
            .map(|message| {
                let text: String = message.chars().take(left).collect();
                left -= text.chars().count();
                text
            })
            .filter(|text| !text.trim().is_empty())
            .collect();
        if let [only] = texts.as_slice() {
            return Conversation::Single(Box::new(self.parts(only, recipes)));
        }
        let mut meal = Meal::new(self, recipes);
        for text in &texts {
            meal.hear(token::tokens(text));
        }
        Conversation::Amended(meal.parts().into_iter())
    }
}

/// A meal that is being talked about.
struct Meal<'a> {
    engine: &'a Engine,
    recipes: &'a RecipeBook,
    entries: Vec<Rc<Entry>>,
    /// The entries before each message, for whoever takes one back.
    history: Vec<Vec<Rc<Entry>>>,
    /// What was spoken of last; "it" means this.
    focus: Option<usize>,
    requests: usize,
}

impl<'a> Meal<'a> {
    fn new(engine: &'a Engine, recipes: &'a RecipeBook) -> Self {
        Self { engine, recipes, entries: Vec::new(), history: Vec::new(), focus: None, requests: 0 }
    }

    fn parts(self) -> Vec<Part> {
        let part = |entry: Rc<Entry>| Rc::try_unwrap(entry).map_or_else(|shared| shared.part.clone(), |own| own.part);
        self.entries.into_iter().map(part).collect()
    }

    /// Reads a message.
    fn hear(&mut self, tokens: Vec<Token>) {
        if self.history.is_empty() {
            self.history.push(Vec::new());
            self.add(tokens);
            return;
        }
        let mut before = self.entries.clone();
        let mut is_undone = false;
        let left = MAX_REQUESTS.saturating_sub(self.requests).max(1);
        for clause in clause::clauses(&tokens, left) {
            self.requests += 1;
            if self.requests > MAX_REQUESTS {
                self.add(clause.to_vec());
                continue;
            }
            let request = clause::request(clause, self.engine.lexicon());
            if request == Request::Undo {
                self.entries = self.history.pop().unwrap_or_default();
                self.focus = self.entries.len().checked_sub(1);
                before.clone_from(&self.entries);
                is_undone = true;
                continue;
            }
            is_undone = false;
            if !self.answer(&request) {
                self.add_foods(clause);
            }
        }
        // A message that only takes another back leaves nothing that could be taken back.
        if !is_undone {
            self.history.push(before);
        }
    }

    /// Does what a request asks for; `false` where it speaks of nothing that is there.
    fn answer(&mut self, request: &Request<'_>) -> bool {
        match *request {
            Request::Undo => true,
            Request::Clear => {
                self.entries.clear();
                self.focus = None;
                true
            }
            Request::Remove { subject, what, is_part } => {
                self.remove_all(subject, what, is_part);
                true
            }
            Request::Scale { subject, factor } => match self.subject(subject) {
                Some(place) => self.scale(place, factor),
                None => subject.is_empty(),
            },
            Request::More(count) => match self.base_of_focus() {
                Some(place) => self.more(place, count),
                None => true,
            },
            Request::Set { subject, to } => self.set(subject, to),
            Request::SetFirst(tokens) => self.set_first(tokens),
            Request::Replace { old, new } => self.replace(old, new),
            Request::Attach { subject, what } => match self.subject(subject) {
                Some(place) => self.attach(place, what),
                None => false,
            },
            Request::Add(tokens) => {
                self.add_to(tokens);
                true
            }
            Request::Correct(tokens) => self.correct(tokens),
            Request::Bare(tokens) => self.bare(tokens),
        }
    }

    /// Adds what tokens come to.
    fn add(&mut self, tokens: Vec<Token>) {
        let mut parts = Parts::of_tokens(self.engine, self.recipes, tokens);
        while let Some(entry) = parts.next_entry() {
            self.push(entry);
        }
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push(Rc::new(entry));
        self.focus = Some(self.entries.len() - 1);
    }

    /// Adds the foods of a clause. A later message may be small talk, so unknown words count only with an amount.
    fn add_foods(&mut self, tokens: &[Token]) {
        let mut parts = Parts::of_tokens(self.engine, self.recipes, tokens.to_vec());
        while let Some(entry) = parts.next_entry() {
            let is_said = matches!(&entry.origin, Origin::Words(mention) if mention.quantity.is_said() && !mention.quantity.trailing);
            if is_said || !matches!(entry.part, Part::Unresolved(_)) {
                self.push(entry);
            }
        }
    }

    /// Adds foods; "add milk to the coffee" says where they went, which is no further food.
    fn add_to(&mut self, tokens: &[Token]) {
        let is_place = |at: usize| {
            matches!(&tokens[at], Token::Word(word) if matches!(word.as_str(), "to" | "on" | "in"))
                && self.find(&Said::read(&tokens[at + 1..], self.engine.lexicon())).is_some()
        };
        let place = (1..tokens.len()).find(|&at| is_place(at));
        let Some(at) = place else {
            let place = self.entries.len();
            self.add(tokens.to_vec());
            self.join(place);
            return;
        };
        let said = Said::read(&tokens[at + 1..], self.engine.lexicon());
        if let Some(base) = self.find(&said) {
            self.attach(base, &tokens[..at]);
        }
    }

    /// Joins a new entry to the one before it, so that "add milk" to a coffee is no glass of milk.
    fn join(&mut self, place: usize) {
        let Some(Origin::Words(mention)) = self.entries.get(place).map(|entry| &entry.origin) else { return };
        if mention.joint == Joint::Start && self.item_before(place).is_some() {
            let origin = Origin::Words(Box::new(Mention { joint: Joint::And, ..mention.as_ref().clone() }));
            let focus = self.focus;
            self.put(place, origin);
            self.focus = focus;
        }
    }

    /// Adds what came with a food, right behind it.
    fn attach(&mut self, base: usize, tokens: &[Token]) -> bool {
        let with: Vec<Token> = std::iter::once(Token::Word("with".to_owned())).chain(tokens.iter().cloned()).collect();
        let mut parts = Parts::of_tokens(self.engine, self.recipes, with);
        let mut place = base;
        while let Some(mut entry) = parts.next_entry() {
            if let Origin::Words(mention) = &mut entry.origin {
                mention.joint = Joint::With;
            }
            place += 1;
            self.entries.insert(place, Rc::new(entry));
            self.renew(place);
        }
        self.focus = Some(base);
        true
    }

    /// The entry that a subject speaks of; none said means what was spoken of last.
    fn subject(&mut self, subject: &[Token]) -> Option<usize> {
        let said = Said::read(subject, self.engine.lexicon());
        if said.telling().next().is_none() {
            return self.base_of_focus();
        }
        self.single(&said)
    }

    fn find(&self, said: &Said) -> Option<usize> {
        Sought::new(self.engine, said).among(&self.entries)
    }

    /// What "it" means: of a coffee with milk, the coffee.
    fn base_of_focus(&self) -> Option<usize> {
        let mut place = self.focus.filter(|place| *place < self.entries.len()).or(self.entries.len().checked_sub(1))?;
        while place > 0 && self.is_dependent(place) {
            place -= 1;
        }
        Some(place)
    }

    /// The food before, past what was itself added to it: milk and sugar are both added to the coffee.
    fn item_before(&self, place: usize) -> Option<&Item> {
        for entry in self.entries.get(..place)?.iter().rev() {
            match &entry.part {
                Part::Food(item) if portion::is_addition(&item.weight) => {}
                Part::Food(item) => return Some(item),
                _ => return None,
            }
        }
        None
    }

    /// Whether the amount of an entry follows from the food before it, as that of milk in coffee.
    fn is_dependent(&self, place: usize) -> bool {
        match &self.entries[place].origin {
            Origin::Words(mention) => self.engine.is_added(mention, self.item_before(place)),
            Origin::Recipe(_) => false,
        }
    }

    /// Makes a part anew from what it came from, and the parts whose amount depends on it.
    fn renew(&mut self, from: usize) {
        for place in from..self.entries.len() {
            if place > from && !self.is_dependent(place) {
                break;
            }
            if let Origin::Words(mention) = &self.entries[place].origin {
                let part = self.engine.part(mention, self.item_before(place));
                let origin = Origin::Words(mention.clone());
                self.entries[place] = Rc::new(Entry { origin, part });
            }
        }
    }

    /// Replaces what an entry came from.
    fn put(&mut self, place: usize, origin: Origin) {
        let part = self.entries[place].part.clone();
        self.entries[place] = Rc::new(Entry { origin, part });
        self.renew(place);
        self.focus = Some(place);
    }

    /// Takes an entry off the list, and what was only added to it.
    fn take(&mut self, place: usize) {
        let mut end = place + 1;
        while end < self.entries.len() && self.is_dependent(end) {
            end += 1;
        }
        self.entries.drain(place..end);
        self.focus = self.entries.len().checked_sub(1);
    }
}
