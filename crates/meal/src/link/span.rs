//! Reading neighboring segments as one food: what that is worth, and which food it is.

use std::borrow::Cow;

use foods::catalog::Layer;

use super::cache::LinkCache;
use super::linker::Linker;
use super::mention::Mention;
use super::phrase::{Link, Phrase};
use super::weights::{JoinCosts, MAX_JOINED};
use crate::budget::Budget;
use crate::lexicon::{Measure, Role, roles_in_any_language};
use crate::read::dish_words;
use crate::read::named_foods::NamedFood;
use crate::read::segment::{Joint, Quantity, Segment, SegmentWord, required};

/// The most foods that are kept for a mention.
const MAX_LINKS: usize = 12;
/// The most that are looked at while it is open whether several segments are one food.
const MAX_LINKS_OF_JOINED: usize = 3;

/// The steps of weighing a food: reading it and others from the catalog, and their portions.
pub(crate) const STEPS_OF_WEIGHING: usize = 15_000;
/// The steps of looking up a word, of reading a span, and of each of its words.
const STEPS_OF_WORD: usize = 1_000;
const STEPS_OF_SPAN: usize = 500;
const STEPS_OF_WORD_IN_SPAN: usize = 50;

/// Reads spans of segments as foods.
pub(crate) struct SpanReader<'a> {
    pub layer: &'a Layer,
    pub linker: &'a Linker,
    pub costs: &'a JoinCosts,
    /// What a food without an amount costs in this sentence.
    pub bare_cost: f32,
    /// This sentence is nothing but a list of everyday names: "bread, cheese, ham" is no sandwich.
    pub is_list: bool,
    pub cache: &'a mut LinkCache,
    pub budget: &'a Budget,
}

/// A segment with its words looked up.
pub(crate) struct SpanPart<'a> {
    pub segment: &'a Segment,
    /// It can be a food of its own.
    names_food: bool,
    /// The required words with their idf.
    pub required: Vec<(&'a str, f32)>,
    /// How many of the required words are in names.
    known: usize,
    /// One of those in names can be a head.
    has_known_head: bool,
}

/// A way to read a span.
#[derive(Debug)]
pub(crate) struct SpanReading {
    /// What it is worth.
    pub value: f32,
    /// The food, unless the span is left out.
    pub mention: Option<MentionDraft>,
}

impl SpanReading {
    /// The span cannot be one food.
    const IMPOSSIBLE: Self = Self { value: f32::NEG_INFINITY, mention: None };

    /// The span is left out.
    fn without_food(value: f32) -> Self {
        Self { value, mention: None }
    }
}

/// A mention whose links are not all known yet.
#[derive(Debug)]
pub(crate) struct MentionDraft {
    pub mention: Mention,
    /// How many of its words are from the first segment.
    first: usize,
}

impl SpanReader<'_> {
    /// Looks up the words of a segment.
    pub fn part<'b>(&mut self, segment: &'b Segment) -> SpanPart<'b> {
        self.budget.take(segment.words.len() * STEPS_OF_WORD);
        if self.budget.is_spent() {
            let required = required(&segment.words).map(|word| (word.word.as_str(), 1.0)).collect();
            return SpanPart { segment, names_food: true, required, known: 0, has_known_head: false };
        }
        let (layer, linker) = (self.layer, self.linker);
        let cache = &mut *self.cache;
        // "a slush drink": behind an article an optional word can be the food.
        let counts = |word: &SegmentWord| !word.optional || segment.quantity.amount.is_some() && !word.negated;
        let names_food = segment.joint != Joint::Aside
            && required(&segment.words).next().is_some()
            && segment.words.iter().any(|word| counts(word) && linker.is_food(layer, &word.word, cache));
        let with_idf = required(&segment.words)
            .map(|word| (word.word.as_str(), linker.idf_of(layer, &word.word, cache)))
            .collect();
        let known: Vec<&SegmentWord> =
            required(&segment.words).filter(|word| linker.resolves(layer, word, cache)).collect();
        let mut part = SpanPart {
            segment,
            names_food,
            required: with_idf,
            known: known.len(),
            has_known_head: known.iter().any(|word| linker.is_food(layer, &word.word, cache)),
        };
        // In a list of foods an everyday name is one, whatever word it ends with: "chicken with veggies".
        part.names_food |= segment.terse && segment.joint != Joint::Aside && self.is_everyday(&part);
        part
    }

    /// Looks up all foods that a mention may be. That it will be weighed is counted here, so that no food is found that cannot be.
    pub fn finish(&mut self, draft: MentionDraft) -> Mention {
        let MentionDraft { mut mention, first } = draft;
        self.budget.take(if mention.links.is_empty() { 0 } else { STEPS_OF_WEIGHING });
        // Those of one segment are complete.
        if !mention.links.is_empty() && first < mention.words.len() {
            let said = self.without_unknown_words(&mention.words);
            let phrase = Phrase { words: &said, heads: mention.heads.clone(), first };
            mention.links = self.linker.best(self.layer, &phrase, self.cache, self.budget, MAX_LINKS);
            // A sloppy joe on a bun is none with "no bun".
            let joined = self.numbers_of_parts(&mention.words[first..]);
            let denies = |link: &Link| joined.iter().any(|part| self.linker.is_denied_in_own_name(link.food, *part));
            if let Some(at) = mention.links.iter().position(|link| !denies(link)) {
                mention.links[..=at].rotate_right(1);
            }
        }
        mention
    }

    /// Returns the numbers of the words that say what is in a food; of "sugar free" there are none.
    fn numbers_of_parts(&self, words: &[SegmentWord]) -> Vec<u32> {
        let is_free = words.iter().any(|word| roles_in_any_language(&word.word).has(Role::Free));
        let parts = required(words).filter(|_| !is_free);
        parts.filter_map(|word| self.linker.number(self.layer, &word.word)).collect()
    }

    /// Reads a span of segments as one food, or leaves it out.
    pub fn read(&mut self, span: &[SpanPart<'_>], before: &[Segment]) -> SpanReading {
        let first = span[0].segment;
        let is_explicit = first.quantity.is_explicit();
        let words = distinct_words(span);
        // "skipped breakfast, then a sandwich": what is counted behind a denial is not denied.
        if first.negated && span[1..].iter().any(|part| part.segment.quantity.amount.is_some()) {
            return SpanReading::IMPOSSIBLE;
        }
        if first.negated {
            return SpanReading::without_food(self.cost_of_denying(span));
        }
        if words.is_empty() || !is_explicit && words.iter().all(|word| word.optional) {
            return SpanReading::without_food(0.0);
        }
        let idf = total_idf(span);
        self.budget.take(STEPS_OF_SPAN + words.len() * STEPS_OF_WORD_IN_SPAN);
        if self.budget.is_spent() || span.iter().all(|part| part.known == 0) && named_food(span).is_none() {
            return self.read_unknown(span, words, idf);
        }
        if let Some(named) = named_food(span) {
            let links = vec![Link { common: named.common, ..Link::of_name(named.food) }];
            return SpanReading { value: 0.0, mention: Some(draft(span, words, links)) };
        }
        let can_be_food = can_be_food(span);
        let left_out = self.cost_of_leaving_out(span, can_be_food, idf);
        let has_product = first.terse && first.words.iter().any(|word| NamedFood::of_word(&word.word).is_some());
        let is_named = (has_product || has_dish(first)) && span[1..].iter().any(|part| part.names_food);
        if span.len() > 1 && (is_named || !self.may_be_one(span, &words)) {
            return SpanReading::IMPOSSIBLE;
        }
        let said = self.without_unknown_words(&words);
        let phrase = Phrase { words: &said, heads: heads(span, &words), first: first.words.len() };
        let limit = if span.len() == 1 { MAX_LINKS } else { MAX_LINKS_OF_JOINED };
        let links = self.linker.best(self.layer, &phrase, self.cache, self.budget, limit);
        let Some(link) = links.first().copied() else {
            let mention = (is_explicit && idf > 0.0).then(|| draft(span, words, links));
            return SpanReading { value: left_out, mention };
        };
        if self.are_foods_of_their_own(span, &words, &link)
            || link.common.is_some() && self.is_what_was_added(span, &link)
        {
            return SpanReading::IMPOSSIBLE;
        }
        let is_believed = link.covered >= self.costs.min_covered && (can_be_food || is_product(span, &words, &link));
        if !is_explicit && !is_believed {
            return SpanReading::without_food(left_out);
        }
        if !is_explicit && has_unknown_food(span) {
            return SpanReading { value: left_out, mention: Some(draft(span, words, Vec::new())) };
        }
        let Some(value) = self.value(span, before, &words, &link) else { return SpanReading::IMPOSSIBLE };
        if value < left_out && !is_explicit {
            return SpanReading::without_food(left_out);
        }
        SpanReading { value, mention: Some(draft(span, words, links)) }
    }

    /// Makes words optional that no name has, if the last word is a food: a "zizzi pizza" is a pizza, and no other one than that.
    fn without_unknown_words<'w>(&mut self, words: &'w [SegmentWord]) -> Cow<'w, [SegmentWord]> {
        let Some((last, rest)) = words.split_last() else { return Cow::Borrowed(words) };
        let (layer, linker) = (self.layer, self.linker);
        let cache = &mut *self.cache;
        let mut is_unknown = |word: &SegmentWord| !word.optional && !linker.resolves(layer, word, cache);
        if last.optional || is_unknown(last) || !rest.iter().any(&mut is_unknown) {
            return Cow::Borrowed(words);
        }
        let said = words.iter().map(|word| SegmentWord { optional: word.optional || is_unknown(word), ..word.clone() });
        Cow::Owned(said.collect())
    }

    /// Reads a span none of whose words is in any name: made-up words, or words that are not about food.
    fn read_unknown(&self, span: &[SpanPart<'_>], words: Vec<SegmentWord>, idf: f32) -> SpanReading {
        let value = if span.len() == 1 { -self.costs.left_out * idf } else { f32::NEG_INFINITY };
        let is_mentioned = may_be_mentioned(span[0].segment) && idf > 0.0;
        SpanReading { value, mention: is_mentioned.then(|| draft(span, words, Vec::new())) }
    }

    /// Returns the value of leaving a segment out. Several segments are left out one by one.
    fn cost_of_leaving_out(&self, span: &[SpanPart<'_>], can_be_food: bool, idf: f32) -> f32 {
        let [part] = span else { return f32::NEG_INFINITY };
        let first = part.segment;
        let has_article = first.quantity.amount.is_some() || first.joint == Joint::Start;
        let dropped = match (can_be_food, first.terse, has_article) {
            (false, ..) => 0.0,
            (true, true, _) => self.costs.dropped_terse,
            // Nobody says what is on a food for nothing.
            (true, ..) if first.joint == Joint::With && self.is_put_on_others(part) => self.costs.dropped_terse,
            (true, false, true) => self.costs.dropped,
            (true, false, false) => self.costs.dropped_bare,
        };
        -self.costs.left_out * idf - dropped
    }

    /// Returns the value of denying several segments with the first: "no lettuce, tomato" denies both, "no butter, a banana" and
    /// "instead of pasta with bolognese" only one.
    fn cost_of_denying(&self, span: &[SpanPart<'_>]) -> f32 {
        let is_own = |part: &SpanPart<'_>| match part.segment.joint {
            Joint::Comma => !self.is_topping(part),
            joint => joint == Joint::With,
        };
        let cost = |part: &SpanPart<'_>| {
            let part = std::slice::from_ref(part);
            self.cost_of_leaving_out(part, true, total_idf(part))
        };
        span[1..].iter().filter(|part| part.names_food && is_own(part)).map(cost).sum()
    }

    /// Checks whether some name has a word of the first and a word of the last segment. If the last could be a food and no
    /// name has both, it is better left out than joined.
    fn may_be_one(&mut self, span: &[SpanPart<'_>], words: &[SegmentWord]) -> bool {
        let (first, last) = (&span[0], &span[span.len() - 1]);
        // "chips 1 oz and salsa", "oats 50 g, milk": an amount behind a food ends it.
        let is_other = match last.segment.joint {
            Joint::And => last.names_food,
            Joint::Comma => self.is_everyday(last),
            _ => false,
        };
        if span.len() == 2 && first.segment.quantity.trailing && is_other {
            return false;
        }
        // "3 meatballs and spaghetti": what was counted in the plural is by itself.
        let quantity = &first.segment.quantity;
        let counts =
            quantity.is_plural && quantity.unit.is_none() && quantity.amount.is_some_and(|amount| amount.value >= 2.0);
        let second = &span[1];
        if counts && second.segment.joint == Joint::And && self.is_everyday(first) && self.is_everyday(second) {
            return false;
        }
        // "a handful of almonds and a granola bar": both were counted, each in its own way.
        let is_counted = last.segment.quantity.amount.is_some() && self.is_everyday(last);
        if first.segment.quantity.unit.is_some() && last.segment.joint == Joint::And && is_counted {
            return false;
        }
        // "4 oz steak, salad with oil": what was weighed ends at the comma.
        let is_weighed = matches!(first.segment.quantity.measure, Some(Measure::Mass(_))) && first.segment.terse;
        if is_weighed && first.names_food && span[1].segment.joint == Joint::Comma && self.is_everyday(&span[1]) {
            return false;
        }
        !last.names_food
            || first.required.is_empty()
            || self.linker.share_a_name(self.layer, first.segment, last.segment, self.cache)
            || self.linker.is_rewritten(words)
    }

    /// Returns what a food is worth for a span, or `None` if it has no word of the first segment.
    fn value(&mut self, span: &[SpanPart<'_>], before: &[Segment], words: &[SegmentWord], link: &Link) -> Option<f32> {
        let costs = self.costs;
        let first = span[0].segment;
        let is_mentioned = |part: &SpanPart<'_>| required(&part.segment.words).any(|word| has_word(link, words, word));
        if span.len() > 1 && !span[0].required.is_empty() && !is_mentioned(&span[0]) {
            // "sourdough with butter" is not butter.
            return None;
        }
        // A food that the joined name does not mention is lost.
        let lost = span[1..].iter().filter(|part| part.names_food && !is_mentioned(part)).count() as f32;
        let lost = lost * if first.terse { costs.lost_terse } else { costs.lost };
        let articles = span[1..].iter().filter(|part| part.segment.quantity.amount.is_some()).count() as f32;
        let has_place = first.quantity.is_explicit() || first.joint == Joint::Start || first.quantity.amount.is_some();
        let bare = if has_place { 0.0 } else { self.bare_cost };
        let repeated: f32 = repeated_words(before, first, words)
            .iter()
            .map(|word| self.linker.idf_of(self.layer, &word.word, self.cache))
            .sum();
        let joined = self.cost_of_joints(span) + articles * costs.article + lost + repeated * costs.repeated;
        let item = if first.terse { costs.item_terse } else { costs.item };
        Some(link.score - item - bare - joined)
    }

    /// Returns what it costs to join the segments of a span.
    fn cost_of_joints(&self, span: &[SpanPart<'_>]) -> f32 {
        let costs = self.costs;
        let first = &span[0].segment.quantity;
        let is_counted =
            first.amount.is_some_and(|amount| amount.explicit) && first.measure.is_none() && span[0].names_food;
        let mut sum = 0.0;
        let mut in_list = false;
        for part in &span[1..] {
            let joint = part.segment.joint;
            // "filled with egg, cheese and sausage": one list behind one "with". What was left out ends it: "no butter, a banana".
            in_list = !part.segment.negated && (in_list || joint == Joint::With);
            let is_listed = in_list && part.segment.quantity.amount.is_none();
            let is_pair = part.names_food && span[0].names_food;
            sum += match joint {
                // "and served without sauce": nothing that could be another food.
                Joint::And | Joint::Comma if part.required.is_empty() => 0.0,
                Joint::And | Joint::Comma if is_listed => costs.listed,
                // "two eggs and toast" are counted separately.
                Joint::And if is_counted && part.names_food => costs.over.and + costs.and_counted,
                Joint::And => costs.over.and,
                Joint::Comma if is_pair && self.is_kind_of_first(span) => 0.0,
                Joint::Comma | Joint::Bracket if is_pair => costs.over.comma + costs.comma_foods,
                Joint::Comma | Joint::Bracket => costs.over.comma,
                Joint::With => costs.over.with,
                Joint::Preposition | Joint::Aside => costs.over.preposition,
                Joint::Start | Joint::Amount => 10.0,
            };
        }
        sum
    }
}

/// Checks whether a segment names a dish by its whole name, so that no other food is part of it.
fn has_dish(segment: &Segment) -> bool {
    segment.words.iter().any(|word| dish_words::of_word(&word.word).is_some())
}

/// Checks whether a segment may be mentioned at all: behind "for" or "at" only with an amount.
fn may_be_mentioned(first: &Segment) -> bool {
    first.joint != Joint::Aside || first.quantity.amount.is_some()
}

/// Checks whether a span can be a food of its own.
fn can_be_food(span: &[SpanPart<'_>]) -> bool {
    let first = span[0].segment;
    let names_food = span.iter().any(|part| part.names_food) || first.joint == Joint::Aside;
    first.quantity.is_explicit() || may_be_mentioned(first) && names_food
}

/// Checks whether what the food is may be the word that is not known: "grilled vexundrip" is not grilled shrimp.
fn has_unknown_food(span: &[SpanPart<'_>]) -> bool {
    span.iter().any(|part| part.known < part.required.len()) && !span.iter().any(|part| part.has_known_head)
}

/// Checks whether the name of a link has a word of the phrase.
fn has_word(link: &Link, words: &[SegmentWord], word: &SegmentWord) -> bool {
    words.iter().position(|known| known.word == word.word).is_some_and(|at| link.has(at))
}

/// Checks whether words behind an article are all in one name although none of them can be a head: "a Capri Sun".
fn is_product(span: &[SpanPart<'_>], words: &[SegmentWord], link: &Link) -> bool {
    let is_named = |at: usize| words[at].optional || link.has(at);
    let is_nutrient = |word: &SegmentWord| roles_in_any_language(&word.word).has(Role::Nutrient);
    span.len() == 1
        && span[0].segment.quantity.amount.is_some()
        && span[0].required.len() > 1
        && !words.iter().any(is_nutrient)
        && (0..words.len()).all(is_named)
}

/// Returns the words of a span, each once.
fn distinct_words(span: &[SpanPart<'_>]) -> Vec<SegmentWord> {
    let mut words: Vec<SegmentWord> = Vec::new();
    for word in span.iter().flat_map(|part| &part.segment.words) {
        match words.iter_mut().find(|known| known.word == word.word) {
            Some(known) => known.optional &= word.optional,
            None => words.push(word.clone()),
        }
    }
    words
}

/// Returns the sum of the idf of the required words of a span, each once.
fn total_idf(span: &[SpanPart<'_>]) -> f32 {
    let mut seen: Vec<&str> = Vec::new();
    let mut sum = 0.0;
    for (word, idf) in span.iter().flat_map(|part| &part.required) {
        if !seen.contains(word) {
            seen.push(word);
            sum += idf;
        }
    }
    sum
}

/// Drafts the mention of a span, with the amount of any of its segments.
fn draft(span: &[SpanPart<'_>], words: Vec<SegmentWord>, links: Vec<Link>) -> MentionDraft {
    let first = span[0].segment;
    let mut quantity = if links.is_empty() { first.quantity.clone() } else { quantity_of(span) };
    if let Some(share) = first.share_of_meal {
        quantity.multiply(share);
    }
    let heads = heads(span, &words);
    MentionDraft {
        mention: Mention {
            joint: first.joint,
            quantity,
            words,
            heads,
            links,
            without: Vec::new(),
            told_apart: Vec::new(),
            named: None,
            seen: None,
        },
        first: first.words.len(),
    }
}

/// Returns the amount of a span that is one food.
fn quantity_of(span: &[SpanPart<'_>]) -> Quantity {
    let mut quantity = span[0].segment.quantity.clone();
    for segment in span[1..].iter().map(|part| part.segment) {
        // "on two slices of bread": the amount of an ingredient.
        let is_own = segment.joint == Joint::Preposition && !segment.quantity.trailing;
        if segment.quantity.is_explicit() && !quantity.is_explicit() && !is_own {
            quantity = Quantity { sizes: quantity.sizes, ..segment.quantity.clone() };
        }
        // "pizza with a medium crust": the crust is medium, not the pizza.
        if !matches!(segment.joint, Joint::With | Joint::Preposition) {
            quantity.sizes.extend(segment.quantity.sizes.iter().cloned());
        }
    }
    quantity
}

/// Returns the words that a food without an amount repeats: in "peanut butter and jelly sandwich with regular peanut butter"
/// the last two describe the sandwich. A single word may well be in two foods.
fn repeated_words<'a>(before: &[Segment], first: &Segment, words: &'a [SegmentWord]) -> Vec<&'a SegmentWord> {
    let is_bare = first.quantity.amount.is_none() && first.joint != Joint::Start;
    let since = before.iter().rposition(|segment| segment.quantity.amount.is_some() || segment.starts).unwrap_or(0);
    let before = &before[since.max(before.len().saturating_sub(MAX_JOINED))..];
    let is_known = |word: &&SegmentWord| {
        before.iter().any(|segment| required(&segment.words).any(|known| known.word == word.word))
    };
    let known: Vec<&SegmentWord> = required(words).filter(is_known).collect();
    if is_bare && known.len() > 1 { known } else { Vec::new() }
}

/// Returns the positions of the possible heads: the last word of each segment up to the first "with" or "on".
fn heads(span: &[SpanPart<'_>], words: &[SegmentWord]) -> Vec<usize> {
    let is_additional =
        |segment: &&Segment| matches!(segment.joint, Joint::With | Joint::Preposition | Joint::Aside | Joint::Bracket);
    let rest = span[1..].iter().map(|part| part.segment).take_while(|segment| !is_additional(segment));
    let last = |segment: &'_ Segment| -> Option<String> {
        required(&segment.words).next_back().or(segment.words.last()).map(|word| word.word.clone())
    };
    let heads: Vec<String> = std::iter::once(span[0].segment).chain(rest).filter_map(last).collect();
    (0..words.len()).filter(|&at| heads.contains(&words[at].word)).collect()
}

/// Returns the food that a segment names exactly.
fn named_food(span: &[SpanPart<'_>]) -> Option<NamedFood> {
    let [part] = span else { return None };
    part.segment.words.iter().find_map(|word| NamedFood::of_word(&word.word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::link::phrase::MatchedWords;
    use crate::link::phrase::word_bit;
    use crate::read::split::segments;
    use crate::read::token::tokens;

    fn split(text: &str) -> Vec<Segment> {
        segments(&tokens(text), &Lexicon::default())
    }

    /// All segments as one span, every required word known.
    fn span(segments: &[Segment]) -> Vec<SpanPart<'_>> {
        fn part(segment: &Segment) -> SpanPart<'_> {
            let required: Vec<(&str, f32)> = required(&segment.words).map(|word| (word.word.as_str(), 0.5)).collect();
            SpanPart { segment, names_food: true, known: required.len(), required, has_known_head: true }
        }
        segments.iter().map(part).collect()
    }

    #[test]
    fn heads_are_the_last_words_before_with() {
        for (text, expected) in [
            ("grilled chicken breast", vec!["breast"]),
            ("mac and cheese", vec!["mac", "cheese"]),
            ("turkey sandwich with mayo", vec!["sandwich"]),
            ("eggs on toast", vec!["egg"]),
        ] {
            let segments = split(text);
            let span = span(&segments);
            let words = distinct_words(&span);
            let heads: Vec<&str> = heads(&span, &words).into_iter().map(|at| words[at].word.as_str()).collect();
            assert_eq!(heads, expected, "{text}");
        }
    }

    #[test]
    fn the_amount_of_a_span_is_the_first_that_is_its_own() {
        for (text, count, sizes) in [
            ("two eggs and toast", Some(2.0), vec![]),
            ("sandwich on two slices of bread", None, vec![]),
            ("pizza with a medium crust", None, vec![]),
            ("a small pizza", Some(1.0), vec!["small"]),
        ] {
            let segments = split(text);
            let quantity = quantity_of(&span(&segments));
            assert_eq!(quantity.amount.map(|amount| amount.value), count, "{text}");
            assert_eq!(quantity.sizes, sizes, "{text}");
        }
    }

    #[test]
    fn two_words_that_were_there_before_are_repeated() {
        for (text, expected) in [
            ("peanut butter and jelly sandwich with regular peanut butter", 2),
            ("peanut butter toast with butter", 0),
            ("peanut butter toast, a spoon of peanut butter", 0),
        ] {
            let segments = split(text);
            let (last, before) = segments.split_last().expect("has segments");
            assert_eq!(repeated_words(before, last, &last.words).len(), expected, "{text}");
        }
    }

    #[test]
    fn products_are_named_by_all_their_words() {
        let segments = split("a capri sun");
        let span = span(&segments);
        let words = distinct_words(&span);
        let link =
            |bits| Link { food: 0, score: 1.0, covered: 1.0, matched: MatchedWords::Bits(bits), name: 0, common: None };
        assert!(is_product(&span, &words, &link(word_bit(0) | word_bit(1))));
        assert!(!is_product(&span, &words, &link(word_bit(0))), "a word is missing");
        let bare = split("capri sun");
        assert!(!is_product(&super::tests::span(&bare), &words, &link(3)), "no article");
    }

    #[test]
    fn an_unknown_word_beside_known_adjectives_may_be_the_food() {
        let segments = split("grilled vexundrip");
        let mut span = span(&segments);
        assert!(!has_unknown_food(&span));
        (span[0].known, span[0].has_known_head) = (span[0].required.len() - 1, false);
        assert!(has_unknown_food(&span));
    }
}
