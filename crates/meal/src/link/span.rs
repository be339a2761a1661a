//! Reading neighbouring segments as one food: what that is worth, and which food it is.

use foods::catalog::Layer;

use super::cache::Scratch;
use super::linker::Linker;
use super::mention::Mention;
use super::phrase::{Link, Phrase};
use super::weights::{Costs, MAX_JOINED};
use crate::read::segment::{Joint, Quantity, Segment, SegmentWord};

/// Most foods that are kept for a mention.
const MAX_LINKS: usize = 12;
/// Most that are looked at while it is open whether several segments are one.
const FEW_LINKS: usize = 3;

/// Everything that reading a span needs.
pub(crate) struct Reader<'a> {
    pub layer: &'a Layer,
    pub linker: &'a Linker,
    pub costs: &'a Costs,
    /// What a food without an amount costs here.
    pub unsaid: f32,
    pub scratch: &'a mut Scratch,
}

/// A segment with what is asked of it again and again.
#[allow(clippy::struct_excessive_bools, reason = "four separate questions, each asked again and again")]
pub(crate) struct Part<'a> {
    pub segment: &'a Segment,
    /// It can be a food of its own.
    names_food: bool,
    /// How much its telling words tell.
    tells: Vec<(&'a str, f32)>,
    /// How many of them are in names.
    known: usize,
    /// One of those in names says what a food is.
    has_food: bool,
}

/// A mention whose foods are not all known yet.
#[derive(Debug)]
pub(crate) struct Draft {
    mention: Mention,
    first: usize,
}

impl Reader<'_> {
    /// Looks a segment's words up.
    pub fn part<'b>(&mut self, segment: &'b Segment) -> Part<'b> {
        let (layer, linker) = (self.layer, self.linker);
        let scratch = &mut *self.scratch;
        let telling = || segment.words.iter().filter(|word| !word.optional);
        // "a slush drink": behind an article the last word counts although it need not be said.
        let counts = |word: &SegmentWord| !word.optional || segment.quantity.amount.is_some() && !word.negated;
        let names_food = segment.joint != Joint::Aside
            && telling().next().is_some()
            && segment.words.iter().any(|word| counts(word) && linker.is_food(layer, &word.word, scratch));
        let tells = telling().map(|word| (word.word.as_str(), linker.tells(layer, &word.word, scratch))).collect();
        let known: Vec<&SegmentWord> = telling().filter(|word| linker.resolves(layer, word, scratch)).collect();
        Part {
            segment,
            names_food,
            tells,
            known: known.len(),
            has_food: known.iter().any(|word| linker.is_food(layer, &word.word, scratch)),
        }
    }

    /// All foods that a mention may be.
    pub fn finish(&mut self, draft: Draft) -> Mention {
        let Draft { mut mention, first } = draft;
        // Those of one segment are complete.
        if !mention.links.is_empty() && first < mention.words.len() {
            let phrase = Phrase { words: &mention.words, heads: mention.heads.clone(), first };
            mention.links = self.linker.top(self.layer, &phrase, self.scratch, MAX_LINKS);
        }
        mention
    }

    /// What it is worth to read a span of segments as one food, and that food.
    pub fn read_span(&mut self, span: &[Part<'_>], before: &[Segment]) -> (f32, Option<Draft>) {
        let first = span[0].segment;
        let said = first.quantity.is_said();
        let words = distinct_words(span);
        if first.negated || !said && words.iter().all(|word| word.optional) || words.is_empty() {
            return (0.0, None);
        }
        let told = told(span);
        let may_stand = first.joint != Joint::Aside || first.quantity.amount.is_some();
        if span.iter().all(|part| part.known == 0) {
            // Nothing here is in any name: a made-up word, or one that is no food at all.
            let value = if span.len() == 1 { -self.costs.left_out * told } else { f32::NEG_INFINITY };
            return (value, (may_stand && told > 0.0).then(|| draft(span, words, Vec::new())));
        }
        let can_stand = said || may_stand && (span.iter().any(|part| part.names_food) || first.joint == Joint::Aside);
        let left_out = self.left_out(span, can_stand, told);
        if span.len() > 1 && !self.may_be_one(span, &words) {
            return (f32::NEG_INFINITY, None);
        }
        let phrase = Phrase { words: &words, heads: heads(span, &words), first: first.words.len() };
        let limit = if span.len() == 1 { MAX_LINKS } else { FEW_LINKS };
        let links = self.linker.top(self.layer, &phrase, self.scratch, limit);
        let Some(link) = links.first().copied() else {
            return (left_out, (said && told > 0.0).then(|| draft(span, words, links)));
        };
        if (link.covered < self.costs.min_covered || !can_stand && !is_product(span, &words, &link)) && !said {
            return (left_out, None);
        }
        if !said && span.iter().any(|part| part.known < part.tells.len()) && !span.iter().any(|part| part.has_food) {
            // "grilled vexundrip" is no grilled shrimp.
            return (left_out, Some(draft(span, words, Vec::new())));
        }
        let Some(value) = self.value(span, before, &words, &link) else { return (f32::NEG_INFINITY, None) };
        if value < left_out && !said {
            return (left_out, None);
        }
        (value, Some(draft(span, words, links)))
    }

    /// What it costs to leave a segment out. What is left out is left out segment by segment.
    fn left_out(&self, span: &[Part<'_>], can_stand: bool, told: f32) -> f32 {
        let [part] = span else { return f32::NEG_INFINITY };
        let first = part.segment;
        let is_article = first.quantity.amount.is_some() || first.joint == Joint::Start;
        let dropped = match (can_stand, first.terse, is_article) {
            (false, ..) => 0.0,
            (true, true, _) => self.costs.dropped_terse,
            (true, false, true) => self.costs.dropped,
            (true, false, false) => self.costs.dropped_bare,
        };
        -self.costs.left_out * told - dropped
    }

    /// Whether some name has a word of the first and a word of the last segment. Where the last could be a food and none
    /// has both, it is better left out than joined.
    fn may_be_one(&mut self, span: &[Part<'_>], words: &[SegmentWord]) -> bool {
        let (one, other) = (&span[0], &span[span.len() - 1]);
        !other.names_food
            || one.tells.is_empty()
            || self.linker.share_name(self.layer, one.segment, other.segment, self.scratch)
            || self.linker.is_rewritten(words)
    }

    /// What a food is worth for a span; nothing if it is none of the first segment's.
    fn value(&mut self, span: &[Part<'_>], before: &[Segment], words: &[SegmentWord], link: &Link) -> Option<f32> {
        let costs = self.costs;
        let first = span[0].segment;
        let is_matched = |word: &SegmentWord| {
            let place = words.iter().position(|known| known.word == word.word).unwrap_or(63);
            link.matched & 1u64.checked_shl(place as u32).unwrap_or(0) != 0
        };
        let is_mentioned = |part: &Part<'_>| part.segment.words.iter().filter(|word| !word.optional).any(is_matched);
        if span.len() > 1 && !is_mentioned(&span[0]) && !span[0].tells.is_empty() {
            // "sourdough with butter" is not butter.
            return None;
        }
        // A food that the joined name does not mention is lost.
        let lost = span[1..].iter().filter(|part| part.names_food && !is_mentioned(part)).count() as f32;
        let lost = lost * if first.terse { costs.lost_terse } else { costs.lost };
        let articles = span[1..].iter().filter(|part| part.segment.quantity.amount.is_some()).count() as f32;
        let is_free = first.quantity.is_said() || first.joint == Joint::Start || first.quantity.amount.is_some();
        let unsaid = if is_free { 0.0 } else { self.unsaid };
        let Reader { linker, layer, ref mut scratch, .. } = *self;
        let repeated: f32 = repeated(before, first, words).map(|word| linker.tells(layer, &word.word, scratch)).sum();
        let joined = self.joints(span) + articles * costs.article + lost + repeated * costs.repeated;
        let item = if first.terse { costs.item_terse } else { costs.item };
        Some(link.score - item - unsaid - joined)
    }

    /// What it costs to join segments.
    fn joints(&self, span: &[Part<'_>]) -> f32 {
        let costs = self.costs;
        let first = &span[0].segment.quantity;
        let is_counted =
            first.amount.is_some_and(|amount| amount.said) && first.measure.is_none() && span[0].names_food;
        let mut sum = 0.0;
        let mut in_list = false;
        for part in &span[1..] {
            let joint = part.segment.joint;
            in_list |= joint == Joint::With;
            // "filled with egg, cheese and sausage": one list behind one "with".
            let is_listed = in_list && part.segment.quantity.amount.is_none();
            let is_pair = part.names_food && span[0].names_food;
            sum += match joint {
                // "and served without sauce": nothing that could be another food.
                Joint::And | Joint::Comma if part.tells.is_empty() => 0.0,
                Joint::And | Joint::Comma if is_listed => costs.listed,
                // "two eggs and toast" are counted apart.
                Joint::And if is_counted && part.names_food => costs.over[0] + costs.and_counted,
                Joint::And => costs.over[0],
                Joint::Comma | Joint::Bracket if is_pair => costs.over[1] + costs.comma_foods,
                Joint::Comma | Joint::Bracket => costs.over[1],
                Joint::With => costs.over[2],
                Joint::Preposition | Joint::Aside => costs.over[3],
                Joint::Start | Joint::Amount => 10.0,
            };
        }
        sum
    }
}

/// Whether words behind an article are all in one name although none of them says what a food is: "a Capri Sun".
fn is_product(span: &[Part<'_>], words: &[SegmentWord], link: &Link) -> bool {
    let is_named = |at: usize| words[at].optional || link.matched & 1u64.checked_shl(at as u32).unwrap_or(0) != 0;
    let is_nutrient = |word: &SegmentWord| matches!(word.word.as_str(), "vitamin" | "calcium" | "fiber" | "sodium");
    span.len() == 1
        && span[0].segment.quantity.amount.is_some()
        && span[0].tells.len() > 1
        && !words.iter().any(is_nutrient)
        && (0..words.len()).all(is_named)
}

/// The words of a span, each once.
fn distinct_words(span: &[Part<'_>]) -> Vec<SegmentWord> {
    let mut words: Vec<SegmentWord> = Vec::new();
    for word in span.iter().flat_map(|part| &part.segment.words) {
        match words.iter_mut().find(|known| known.word == word.word) {
            Some(known) => known.optional &= word.optional,
            None => words.push(word.clone()),
        }
    }
    words
}

/// How much the telling words of a span tell, each once.
fn told(span: &[Part<'_>]) -> f32 {
    let mut seen: Vec<&str> = Vec::new();
    let mut sum = 0.0;
    for (word, tells) in span.iter().flat_map(|part| &part.tells) {
        if !seen.contains(word) {
            seen.push(word);
            sum += tells;
        }
    }
    sum
}

/// A mention of a span, with the amount that was said for any of it.
fn draft(span: &[Part<'_>], words: Vec<SegmentWord>, links: Vec<Link>) -> Draft {
    let first = span[0].segment;
    let mut quantity = first.quantity.clone();
    for segment in span[1..].iter().map(|part| part.segment).filter(|_| !links.is_empty()) {
        let is_own = segment.joint == Joint::Preposition && !segment.quantity.trailing;
        if segment.quantity.is_said() && !quantity.is_said() && !is_own {
            quantity = Quantity { sizes: quantity.sizes, ..segment.quantity.clone() };
        }
        // "pizza with a medium crust": the crust is medium, not the pizza.
        if !matches!(segment.joint, Joint::With | Joint::Preposition) {
            quantity.sizes.extend(segment.quantity.sizes.iter().cloned());
        }
    }
    let heads = heads(span, &words);
    Draft {
        mention: Mention { joint: first.joint, quantity, words, heads, links, seen: None },
        first: first.words.len(),
    }
}

/// The words that a food without an amount says again: in "peanut butter and jelly sandwich with regular peanut butter"
/// the last two tell how the sandwich is. One word may well be in two foods.
fn repeated<'a>(
    before: &'a [Segment],
    first: &Segment,
    words: &'a [SegmentWord],
) -> impl Iterator<Item = &'a SegmentWord> {
    let is_free = first.quantity.amount.is_none() && first.joint != Joint::Start;
    let since = before.iter().rposition(|segment| segment.quantity.amount.is_some() || segment.starts).unwrap_or(0);
    let before = &before[since.max(before.len().saturating_sub(MAX_JOINED))..];
    let is_known = |word: &&SegmentWord| {
        let same = |known: &SegmentWord| !known.optional && known.word == word.word;
        !word.optional && before.iter().any(|segment| segment.words.iter().any(same))
    };
    let known: Vec<&SegmentWord> = words.iter().filter(is_known).collect();
    let counts = is_free && known.len() > 1;
    known.into_iter().filter(move |_| counts)
}

/// Where the words stand that may say what the food is: the last of each segment up to the first "with" or "on".
fn heads(span: &[Part<'_>], words: &[SegmentWord]) -> Vec<usize> {
    let is_additional =
        |segment: &&Segment| matches!(segment.joint, Joint::With | Joint::Preposition | Joint::Aside | Joint::Bracket);
    let rest = span[1..].iter().map(|part| part.segment).take_while(|segment| !is_additional(segment));
    let last = |segment: &'_ Segment| -> Option<String> {
        segment.words.iter().rfind(|word| !word.optional).or(segment.words.last()).map(|word| word.word.clone())
    };
    let heads: Vec<String> = std::iter::once(span[0].segment).chain(rest).filter_map(last).collect();
    (0..words.len()).filter(|&at| heads.contains(&words[at].word)).collect()
}
