//! Later messages: doing what each of their clauses asks for.

use super::clause::{self, Request};
use super::meal::Meal;
use crate::read::text::{Text, Uses};
use crate::read::token::Token;

/// The most requests of a conversation; further ones are read as food, so that no text takes long.
pub(super) const MAX_REQUESTS: usize = 100;

impl Meal<'_> {
    /// Reads words without photos. The first ones only add foods.
    pub(crate) fn read_text(&mut self, tokens: Vec<Token>) {
        if self.is_beginning() {
            self.add(tokens);
            return;
        }
        let left = MAX_REQUESTS.saturating_sub(self.requests).max(1);
        let lexicon = self.engine.lexicon();
        let uses = Uses::new(&tokens, lexicon);
        for clause in clause::clauses(Text::new(&tokens, &uses, lexicon), left) {
            self.requests += 1;
            if self.requests > MAX_REQUESTS || self.engine.is_spent() {
                self.add(clause.tokens.to_vec());
                continue;
            }
            let request = clause::request(clause);
            if request == Request::Undo {
                self.undo();
                continue;
            }
            self.is_undone = false;
            if !self.answer(&request) {
                self.add_foods(clause.tokens);
            }
        }
        self.engine.read_text(&uses);
    }

    /// Does what a request asks for. Returns `false` if it is about nothing that is there.
    pub(super) fn answer(&mut self, request: &Request<'_>) -> bool {
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
}
