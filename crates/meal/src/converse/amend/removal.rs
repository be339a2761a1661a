//! What was not eaten: a part of the list, or something inside a dish.

use super::change::names_all_heads;
use super::description::FoodDescription;
use super::meal::Meal;
use super::new_amount::remove_word;
use super::target::{is_head, names};
use crate::converse::part::PartOrigin;
use crate::lexicon::{Role, Roles};
use crate::link::phrase::Link;
use crate::read::segment::{SegmentWord, required};
use crate::read::token::Token;

impl Meal<'_> {
    /// Removes each of several things from the list or from a dish.
    pub(super) fn remove_all(&mut self, subject: &[Token], what: &[Token], is_part: bool) {
        let lexicon = self.engine.lexicon();
        let roles = |token: &Token| token.word().map_or(Roles::NONE, |word| lexicon.roles(word));
        let is_joint =
            |token: &Token| *token == Token::Comma || roles(token).any(const { Roles::of(&[Role::And, Role::Or]) });
        for tokens in what.split(is_joint) {
            if self.engine.is_spent() {
                break;
            }
            let denied = self.describe(tokens);
            if !denied.names_food() {
                let names_it = tokens.iter().any(|token| roles(token).has(Role::Pronoun));
                if is_part
                    && names_it
                    && let Some(place) = self.base_of_focus()
                {
                    self.take(place);
                }
                continue;
            }
            let dish = if subject.is_empty() { None } else { self.subject(subject) };
            let own = if dish.is_none() { self.entry_of_its_own(&denied) } else { None };
            if let Some(place) = own {
                self.take(place);
            } else if let Some(place) = dish.or_else(|| self.dish_with(&denied)) {
                self.deny(place, &denied);
            }
        }
    }

    /// Returns the entry that is the food itself, and not a dish with it.
    fn entry_of_its_own(&self, denied: &FoodDescription) -> Option<usize> {
        let head = denied.head_word()?;
        let place = self.find(denied)?;
        let entry = &self.entries[place];
        // "remove the rice" of "chicken and rice" leaves the chicken.
        let is_whole = names_all_heads(entry, denied);
        let is_named = names(entry).iter().any(|name| name == head);
        (is_whole && (is_head(entry, head) || !is_named)).then_some(place)
    }

    /// Returns the dish that something was left out of: the latest with it in its name, else what was mentioned last.
    fn dish_with(&self, denied: &FoodDescription) -> Option<usize> {
        let head = denied.head_word()?;
        self.engine.read_names(self.entries.len());
        let has = |name: &String| name == head || without(name, head).is_some();
        self.entries.iter().rposition(|entry| names(entry).iter().any(has)).or_else(|| self.base_of_focus())
    }

    /// Links the words of a dish again with something denied.
    fn deny(&mut self, place: usize, denied: &FoodDescription) {
        let Some(mut mention) = self.mention(place) else { return };
        for denied in denied.required() {
            if let Some(at) = mention.words.iter().position(|word| word.word == denied && !word.negated) {
                if required(&mention.words).count() > 1 {
                    remove_word(&mut mention, at);
                }
            } else if let Some((at, rest)) =
                mention.words.iter().enumerate().find_map(|(at, word)| Some((at, without(&word.word, denied)?)))
            {
                mention.words[at].word = rest;
            }
            mention.words.push(SegmentWord { word: denied.to_owned(), optional: true, negated: true });
        }
        let links = self.engine.links(&mention.words, mention.heads.clone());
        let keeps = |link: &Link| mention.heads.iter().all(|&head| link.has(head));
        if links.first().is_some_and(keeps) {
            mention.links = links;
            mention.named = None;
            self.put(place, PartOrigin::Words(Box::new(mention)));
        }
    }
}

/// Returns what is left of a compound without its first part: "burger" of "cheeseburger".
fn without(compound: &str, part: &str) -> Option<String> {
    let rest = compound.strip_prefix(part)?;
    (part.len() >= 3 && rest.len() >= 4).then(|| rest.to_owned())
}
