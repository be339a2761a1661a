//! What was not eaten: a part of the list, or something inside a dish.

use super::change::{names_all_heads, remove_word};
use super::description::FoodDescription;
use super::meal::Meal;
use super::target::{is_head, names};
use crate::converse::part::PartOrigin;
use crate::lexicon::{Role, Roles};
use crate::link::phrase::Link;
use crate::read::segment::SegmentWord;
use crate::read::token::Token;

impl Meal<'_> {
    /// Takes each of several things off the list or out of a dish.
    pub(super) fn remove_all(&mut self, subject: &[Token], what: &[Token], is_part: bool) {
        let lexicon = self.engine.lexicon();
        let roles = |token: &Token| token.word().map_or(Roles::NONE, |word| lexicon.roles(word));
        let is_joint =
            |token: &Token| *token == Token::Comma || roles(token).any(const { Roles::of(&[Role::And, Role::Or]) });
        for tokens in what.split(is_joint) {
            let said = self.said(tokens);
            if said.required().next().is_none() {
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
            let own = if dish.is_none() { self.own(&said) } else { None };
            if let Some(place) = own {
                self.take(place);
            } else if let Some(place) = dish.or_else(|| self.dish_of(&said)) {
                self.deny(place, &said);
            }
        }
    }

    /// The entry that is the thing itself, not a dish with it.
    fn own(&self, said: &FoodDescription) -> Option<usize> {
        let head = said.head_word()?;
        let place = self.find(said)?;
        let entry = &self.entries[place];
        // "remove the rice" of "chicken and rice" leaves the chicken.
        let is_whole = names_all_heads(entry, said);
        let is_named = names(entry).iter().any(|name| name == head);
        (is_whole && (is_head(entry, head) || !is_named)).then_some(place)
    }

    /// The dish that something was left out of: the latest that has it in its name, else what was spoken of last.
    fn dish_of(&self, said: &FoodDescription) -> Option<usize> {
        let head = said.head_word()?;
        let has = |name: &String| name == head || without(name, head).is_some();
        self.entries.iter().rposition(|entry| names(entry).iter().any(has)).or_else(|| self.base_of_focus())
    }

    /// Reads a dish's words again with something denied.
    fn deny(&mut self, place: usize, said: &FoodDescription) {
        let Some(mut mention) = self.mention(place) else { return };
        for denied in said.required() {
            if let Some(at) = mention.words.iter().position(|word| word.word == denied && !word.negated) {
                if mention.words.iter().filter(|word| !word.optional).count() > 1 {
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
            self.put(place, PartOrigin::Words(Box::new(mention)));
        }
    }
}

/// What is left of a closed compound: "burger" of "cheeseburger".
fn without(compound: &str, part: &str) -> Option<String> {
    let rest = compound.strip_prefix(part)?;
    (part.len() >= 3 && rest.len() >= 4).then(|| rest.to_owned())
}
