//! Whether neighbors that a name has together are foods of their own: "eggs and cheese" are two, whatever sandwich has both.

use super::common_names::CommonEntry;
use super::name_stats;
use super::phrase::{Link, MatchedWords};
use super::span::{SpanPart, SpanReader};
use crate::lexicon::{Role, Roles, TableTrait, roles_in_any_language, table_words};
use crate::read::segment::{Joint, ListOpening, SegmentWord};

/// The measures of foods that are put on others.
const TOPPINGS: [&str; 3] = ["topping", "drizzle", SPREAD];
/// The measure of what is spread on bread.
const SPREAD: &str = "spread";
/// The measure of what is poured into a drink.
const SPLASH: &str = "splash";
/// The measures of drinks.
const DRINKS: [&str; 3] = ["glass", "mug", "pint"];

impl SpanReader<'_> {
    /// Checks whether each part of a span is an everyday name, and the food is something that was not said: "eggs and cheese" are
    /// two foods, whatever sandwich has both; "whiskey and cola" is one.
    pub(super) fn are_foods_of_their_own(&self, span: &[SpanPart<'_>], words: &[SegmentWord], link: &Link) -> bool {
        // "cereal with milk, banana": behind "with", a comma begins another food, unless the first was counted.
        let is_added = span[0].segment.joint == Joint::With && span[0].segment.quantity.is_empty();
        let is_list = self.is_list || is_added;
        let is_listed = is_list && span[1..].iter().all(|part| part.segment.quantity.is_empty());
        let joins = |joint: Joint| matches!(joint, Joint::With | Joint::And) || joint == Joint::Comma && is_listed;
        let is_joined = span[1..].iter().all(|part| joins(part.segment.joint));
        if span.len() == 1 || !is_joined || !span.iter().all(|part| self.is_everyday(part)) {
            return false;
        }
        if is_listed && span[1..].iter().any(|part| part.segment.joint == Joint::Comma) {
            return !self.is_kind_of_first(span);
        }
        let is_and = span[span.len() - 1].segment.joint == Joint::And;
        // "ham and cheese sandwich": the last word is for both.
        let is_for_both = span[span.len() - 1].required.len() > 1;
        // Behind "with", both are parts of what is before: an "omelette with ham and cheese" is no sandwich.
        let is_behind_dish = matches!(span[0].segment.joint, Joint::With | Joint::Preposition);
        if is_behind_dish && is_and && !is_for_both && self.is_other_dish(words, link) {
            return true;
        }
        if link.common.is_some() {
            // The tables may have a food of that name.
            let is_everyday = self.linker.common.number_of(link.name).is_some();
            let head = if is_everyday { self.linker.common.head_of(link.name) } else { self.plain_head(link) };
            return head.is_some() && if is_and { !is_for_both } else { self.is_put_on(span, link) };
        }
        // "pancakes with syrup" are no pancake syrup.
        let is_added = span[1..].iter().all(|part| part.segment.joint == Joint::With);
        let has = |part: &SpanPart<'_>, head: u32| {
            part.required.iter().any(|(word, _)| self.linker.number(self.layer, word) == Some(head))
        };
        let is_of_added =
            |head: u32| !has(&span[0], head) && has(&span[span.len() - 1], head) && self.ends_with(link, head);
        if is_added && self.plain_head(link).is_some_and(is_of_added) {
            return true;
        }
        let has_all = (0..words.len()).all(|at| words[at].optional || self.is_in_food(words, link, at));
        // "strawberries and milk" is no strawberry milk.
        let is_flavored = is_and && !is_for_both && self.plain_head(link).is_some();
        !has_all || self.is_made_of_them(words, link) || is_flavored || is_and && self.is_of_last(span, link)
    }

    /// Checks whether the second part alone means what it means before the first, as the tables name foods: "cheese, cheddar".
    pub(super) fn is_kind_of_first(&self, span: &[SpanPart<'_>]) -> bool {
        let [first, second] = span else { return false };
        let meanings = self.meaning(&[second, first]).zip(self.meaning(&[second]));
        meanings.is_some_and(|(whole, alone)| std::ptr::eq(whole, alone))
    }

    /// Checks whether the last part was put on the first: "yogurt with honey" is not honey-flavored. A food that is filled with
    /// something, or that is said to have it, is one.
    fn is_put_on(&self, span: &[SpanPart<'_>], link: &Link) -> bool {
        const INSIDE: Roles = Roles::of(&[Role::Made, Role::Filled]);
        let is_inside = |word: &SegmentWord| roles_in_any_language(&word.word).any(INSIDE);
        // A sandwich with peanut butter has it inside.
        let is_made =
            |part: &SpanPart<'_>| part.required.iter().any(|(word, _)| roles_in_any_language(word).has(Role::Mixture));
        let before = &span[span.len() - 2].segment.words;
        let last = &span[span.len() - 1];
        last.segment.opens_list == Some(ListOpening::With)
            && !before.last().is_some_and(is_inside)
            && (self.plain_head(link).is_some() && self.is_topping(last)
                || self.has_measure(last, &DRINKS) && !self.has_measure(&span[0], &DRINKS)
                || self.has_measure(last, &[SPREAD]) && !is_made(&span[0]))
    }

    /// Checks whether what a part means comes in one of some measures: a "cake with coffee" is no coffee cake, because one drinks it.
    fn has_measure(&self, part: &SpanPart<'_>, measures: &[&str]) -> bool {
        self.meaning(&[part])
            .is_some_and(|entry| entry.portions.iter().any(|portion| measures.contains(&portion.measure)))
    }

    /// Checks whether a part is something that is usually put on others.
    pub(super) fn is_topping(&self, part: &SpanPart<'_>) -> bool {
        self.has_measure(part, &TOPPINGS)
    }

    /// Checks whether a part is an everyday name of something that is put on or into others.
    pub(super) fn is_put_on_others(&self, part: &SpanPart<'_>) -> bool {
        self.is_everyday(part) && (self.is_topping(part) || self.has_measure(part, &[SPLASH]))
    }

    /// Checks whether a food is the last part with something of the first in it: "wine and cheese" is not cheese with wine.
    fn is_of_last(&self, span: &[SpanPart<'_>], link: &Link) -> bool {
        let Some((name, _)) = self.layer.names_of(link.food) else { return false };
        let main = foods::text::words(name.split(',').next().unwrap_or(name));
        let is_main = |part: &SpanPart<'_>| part.required.iter().any(|(word, _)| main.iter().any(|main| main == word));
        let says_and =
            foods::text::raw_words(name, usize::MAX).iter().any(|word| roles_in_any_language(word).has(Role::And));
        !says_and && is_main(&span[span.len() - 1]) && !is_main(&span[0])
    }

    /// Checks whether a word ends the first name of a food, and is not what that says to be with it: "shepherd's pie with beef".
    fn ends_with(&self, link: &Link, head: u32) -> bool {
        let name = self.layer.names_of(link.food).map_or("", |(name, _)| name);
        let main = foods::text::raw_words(name.split(',').next().unwrap_or(name), usize::MAX);
        let says_with = main.iter().any(|word| roles_in_any_language(word).has(Role::With));
        let is_head = |word: &String| self.linker.number(self.layer, &foods::text::singular(word)) == Some(head);
        !says_with && main.last().is_some_and(is_head)
    }

    /// Returns the word of a name that says what the food is, unless the name says what was added.
    fn plain_head(&self, link: &Link) -> Option<u32> {
        let (name, _) = self.layer.names_of(link.food)?;
        let indexed = self.linker.names.get(link.name as usize)?;
        indexed.head.filter(|_| !name_stats::has_addition(name))
    }

    /// Checks whether the name of a link has a word of a phrase, also if others were looked up instead, and does not exclude it:
    /// walnuts "excluding honey roasted" have no honey.
    fn is_in_food(&self, words: &[SegmentWord], link: &Link, at: usize) -> bool {
        let is_lacking = |number: u32| {
            let is_rewritten = link.matched == MatchedWords::Rewritten && !link.is_outside_index();
            is_rewritten && !self.linker.words_of_name(link.name).contains(&number)
                || self.linker.is_denied_in_own_name(link.food, number)
        };
        link.has(at) && !self.linker.number(self.layer, &words[at].word).is_some_and(is_lacking)
    }

    /// Checks whether the food of a link is something that is made of what was said: a sandwich, a casserole, a bagel with it.
    fn is_made_of_them(&self, words: &[SegmentWord], link: &Link) -> bool {
        const MADE: Roles = Roles::of(&[Role::Mixture, Role::Stewed]);
        let Some((name, _)) = self.layer.names_of(link.food) else { return false };
        let is_unsaid = |word: &String| !words.iter().any(|said| said.word == *word);
        let is_bread = |word: &String| table_words(TableTrait::Bread).any(|bread| bread == word);
        let is_made = |word: &String| roles_in_any_language(word).any(MADE) || is_bread(word);
        foods::text::words(name).iter().any(|word| is_made(word) && is_unsaid(word))
    }

    /// Checks whether a food is a dish that was not said, or only stands in for one.
    fn is_other_dish(&self, words: &[SegmentWord], link: &Link) -> bool {
        let entry = link.common.and_then(|number| self.linker.common.get(number));
        entry.is_some_and(|entry| entry.is_stand_in) || self.is_made_of_them(words, link)
    }

    /// Checks whether the words of a segment are an everyday name.
    pub fn is_everyday(&self, part: &SpanPart<'_>) -> bool {
        self.meaning(&[part]).is_some()
    }

    /// Returns the common food that the words of parts are an everyday name of.
    fn meaning(&self, parts: &[&SpanPart<'_>]) -> Option<&CommonEntry> {
        let words = parts.iter().flat_map(|part| &part.required);
        let words: Option<Vec<u32>> = words.map(|(word, _)| self.linker.number(self.layer, word)).collect();
        self.linker.common.meaning(&words?)
    }

    /// Checks whether an everyday name says that the food is what was only added: "oats with milk" is not oat milk.
    pub(super) fn is_what_was_added(&self, span: &[SpanPart<'_>], link: &Link) -> bool {
        let is_added = span[1..].iter().any(|part| part.segment.joint == Joint::With);
        let Some(head) = self.linker.common.head_of(link.name).filter(|_| is_added) else { return false };
        !span[0].required.iter().any(|(word, _)| self.linker.number(self.layer, word) == Some(head))
    }
}
