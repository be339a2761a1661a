//! Which neighbouring segments are one food.
//!
//! "Mac and cheese" is a dish and "eggs and toast" are two; only the catalog knows. Every way to join neighbouring
//! segments is scored by the foods that the joined words link to, and the best way wins. A number or a unit always
//! begins a food of its own.

use foods::catalog::Layer;

use crate::lexicon::Measure;
use crate::link::{Link, Linker, Phrase, Scratch};
use crate::segment::{Joint, Quantity, Segment, SegmentWord};

/// What the ways to join segments cost. Chosen on the development meals as a whole, by coordinate search.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// A food of its own, so that one dish is preferred to two foods where both explain the words.
    pub item: f32,
    /// A food without an amount among foods with amounts.
    pub unsaid_item: f32,
    /// The same where the amounts are exact masses.
    pub unsaid_among_masses: f32,
    /// Joining over "and", a comma, "with", a preposition.
    pub over: [f32; 4],
    /// Joining two foods over a comma, beyond what the comma costs.
    pub comma_foods: f32,
    /// Joining foods of which the first was counted, beyond what "and" costs.
    pub and_counted: f32,
    /// Joining a segment that begins with "a".
    pub article: f32,
    /// Leaving a word out, by how much it tells.
    pub left_out: f32,
    /// Leaving out what can be a food and begins with "a".
    pub dropped: f32,
    /// Leaving out what can be a food and begins with nothing.
    pub dropped_bare: f32,
    /// Joining a food that the joined name does not mention.
    pub lost: f32,
    /// What it is worth that a food comes in the measure that was said, and how far behind it may be.
    pub measure: f32,
    /// See `measure`.
    pub measure_margin: f32,
    /// A food of which less than this share of the words is known is not believed unless an amount was said.
    pub min_covered: f32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            item: 0.9,
            unsaid_item: 0.24,
            unsaid_among_masses: 0.88,
            over: [0.2, 0.27, 0.0, 0.0],
            comma_foods: 0.21,
            and_counted: 0.5,
            article: 0.1,
            left_out: 0.5,
            dropped: 0.4,
            dropped_bare: 0.35,
            lost: 0.8,
            measure: 0.4,
            measure_margin: 0.4,
            min_covered: 0.3,
        }
    }
}

/// Most segments that one food is made of.
const MAX_JOINED: usize = 4;
/// Words that are one food, with the amount that was said for it.
#[derive(Clone, Debug)]
pub struct Mention {
    /// How it is joined to the food before it.
    pub joint: Joint,
    /// How much.
    pub quantity: Quantity,
    /// The words.
    pub words: Vec<SegmentWord>,
    /// The foods it may be, best first; empty when nothing fits.
    pub links: Vec<Link>,
}

/// Joins segments into mentions.
pub fn compose(
    layer: &Layer,
    linker: &Linker,
    costs: &Costs,
    segments: Vec<Segment>,
    scratch: &mut Scratch,
) -> Vec<Mention> {
    let mut segments = attach_amounts(segments);
    for segment in &mut segments {
        linker.rejoin(layer, &mut segment.words);
    }
    let mut reader = Reader { layer, linker, costs, unsaid: 0.0, scratch };
    let mut out = Vec::new();
    let mut start = 0;
    while start < segments.len() {
        let len = 1 + segments[start + 1..].iter().take_while(|segment| !segment.starts).count();
        for sentence in segments[start..start + len].chunks(MAX_SENTENCE) {
            reader.unsaid = unsaid_cost(costs, sentence);
            reader.best_split(sentence, &mut out);
        }
        start += len;
    }
    out
}

/// Longer sentences are cut: 4,000 commas must not take a minute.
const MAX_SENTENCE: usize = 40;

/// What a food without an amount costs in a sentence: more where others have theirs.
fn unsaid_cost(costs: &Costs, sentence: &[Segment]) -> f32 {
    if sentence.iter().any(|segment| matches!(segment.quantity.measure, Some(Measure::Mass(_)))) {
        costs.unsaid_among_masses
    } else if sentence.iter().any(|segment| segment.quantity.is_said()) {
        costs.unsaid_item
    } else {
        0.0
    }
}

/// Gives an amount that stands alone ("banana, 120 g", "(30 g)") to the food before it, or after it where there is none.
fn attach_amounts(segments: Vec<Segment>) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut rest = segments.into_iter().peekable();
    while let Some(mut segment) = rest.next() {
        let has_words = segment.words.iter().any(|word| !word.optional);
        let last = if has_words { out.last_mut() } else { out.iter_mut().rev().find(|segment| !segment.negated) };
        if let Some(last) = last {
            let last_has_words = last.words.iter().any(|word| !word.optional);
            // "and a cup of cool, fresh water": the amount of what follows.
            let opens = matches!(segment.joint, Joint::And | Joint::With)
                && rest.peek().is_some_and(|next| next.joint == Joint::Comma && !next.quantity.is_said());
            if !has_words && segment.quantity.is_said() && last_has_words && !segment.starts && !opens {
                let exact = matches!(segment.quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)));
                let apart = matches!(segment.joint, Joint::Comma | Joint::Bracket);
                if exact || !last.quantity.is_said() && (apart || last.quantity.amount.is_none()) {
                    let sizes = std::mem::take(&mut last.quantity.sizes);
                    let count = last.quantity.amount.map_or(1.0, |amount| amount.value);
                    let each = segment.quantity.each;
                    last.quantity = Quantity { trailing: true, ..segment.quantity };
                    if let Some(amount) = last.quantity.amount.as_mut().filter(|_| each) {
                        amount.value *= count;
                    }
                    last.quantity.sizes.extend(sizes);
                }
                last.words.extend(segment.words);
                continue;
            }
            if !last_has_words && last.quantity.is_said() && has_words && !segment.quantity.is_said() && !segment.starts
            {
                segment.quantity = std::mem::take(&mut last.quantity);
                segment.joint = last.joint;
                let words = std::mem::take(&mut last.words);
                segment.words.splice(0..0, words);
                out.pop();
            }
        }
        out.push(segment);
    }
    out
}

/// One way to read the segments up to a point.
#[derive(Clone, Debug)]
struct Way {
    value: f32,
    from: usize,
    mention: Option<Mention>,
}

/// Everything that reading a span needs.
struct Reader<'a> {
    layer: &'a Layer,
    linker: &'a Linker,
    costs: &'a Costs,
    /// What a food without an amount costs here.
    unsaid: f32,
    scratch: &'a mut Scratch,
}

impl Reader<'_> {
    fn best_split(&mut self, segments: &[Segment], out: &mut Vec<Mention>) {
        let mut ways: Vec<Way> = vec![Way { value: 0.0, from: 0, mention: None }];
        for end in 1..=segments.len() {
            let mut best: Option<Way> = None;
            for from in (end.saturating_sub(MAX_JOINED)..end).rev() {
                let span = &segments[from..end];
                if span.len() > 1 && !can_join(&segments[end - span.len() + 1..end]) {
                    break;
                }
                let (value, mention) = self.read_span(span);
                let value = ways[from].value + value;
                if best.as_ref().is_none_or(|best| value > best.value) {
                    best = Some(Way { value, from, mention });
                }
            }
            if let Some(best) = best {
                ways.push(best);
            }
        }
        let mut at = segments.len();
        let mut found = Vec::new();
        while at > 0 {
            found.extend(ways[at].mention.take());
            at = ways[at].from;
        }
        found.reverse();
        out.extend(found);
    }

    /// What it is worth to read a span of segments as one food, and that food.
    fn read_span(&mut self, span: &[Segment]) -> (f32, Option<Mention>) {
        let Reader { layer, linker, costs, .. } = *self;
        let first = &span[0];
        let mut words: Vec<SegmentWord> = Vec::new();
        for word in span.iter().flat_map(|segment| &segment.words) {
            match words.iter_mut().find(|known| known.word == word.word) {
                Some(known) => known.optional &= word.optional,
                None => words.push(word.clone()),
            }
        }
        let telling = |word: &&SegmentWord| !word.optional;
        let told: f32 = words.iter().filter(telling).map(|word| linker.tells(layer, &word.word)).sum();
        if first.negated {
            return (0.0, None);
        }
        let known = words.iter().filter(telling).any(|word| linker.resolves(layer, word, self.scratch));
        let said = first.quantity.is_said();
        let may_stand = first.joint != Joint::Aside || first.quantity.amount.is_some();
        let names_food = |segment: &Segment| {
            segment.joint != Joint::Aside
                && segment.words.iter().any(|word| !word.optional && linker.is_food(layer, &word.word))
        };
        let can_stand =
            said || may_stand && (names_food(first) || span[1..].iter().any(names_food) || first.joint == Joint::Aside);
        if words.is_empty() || !words.iter().any(|word| !word.optional) && !said {
            return (0.0, None);
        }
        if !known {
            // Nothing here is in any name: a made-up word, or one that is no food at all.
            let mention = may_stand && told > 0.0;
            let mention = mention.then(|| Mention {
                joint: first.joint,
                quantity: first.quantity.clone(),
                words,
                links: Vec::new(),
            });
            let value = if span.len() == 1 { -costs.left_out * told } else { f32::NEG_INFINITY };
            return (value, mention);
        }
        let noun = can_stand && span.len() == 1;
        let article = first.quantity.amount.is_some() || first.joint == Joint::Start;
        let dropped = if noun { if article { costs.dropped } else { costs.dropped_bare } } else { 0.0 };
        // What is left out is left out segment by segment.
        let left_out = if span.len() == 1 { -costs.left_out * told - dropped } else { f32::NEG_INFINITY };
        let phrase = Phrase { words: &words, heads: heads(span, &words), is_joined: span.len() > 1 };
        let links = linker.top(layer, &phrase, self.scratch, 6);
        let Some(link) = links.first().copied() else {
            let mention = said && told > 0.0;
            let mention =
                mention.then(|| Mention { joint: first.joint, quantity: first.quantity.clone(), words, links });
            return (left_out, mention);
        };
        if (link.covered < costs.min_covered || !can_stand) && !said {
            return (left_out, None);
        }
        let counted = first.quantity.amount.is_some_and(|amount| amount.said)
            && first.quantity.measure.is_none()
            && names_food(first);
        let joints: f32 = span[1..]
            .iter()
            .map(|segment| match segment.joint {
                // "two eggs and toast" are counted apart.
                Joint::And if counted && names_food(segment) => costs.over[0] + costs.and_counted,
                Joint::And => costs.over[0],
                Joint::Comma | Joint::Bracket if names_food(segment) && names_food(first) => {
                    costs.over[1] + costs.comma_foods
                }
                Joint::Comma | Joint::Bracket => costs.over[1],
                Joint::With => costs.over[2],
                Joint::Preposition | Joint::Aside => costs.over[3],
                Joint::Start | Joint::Amount => 10.0,
            })
            .sum();
        let articles: f32 =
            span[1..].iter().filter(|segment| segment.quantity.amount.is_some()).count() as f32 * costs.article;
        let is_matched = |word: &SegmentWord| {
            let place = words.iter().position(|known| known.word == word.word).unwrap_or(63);
            link.matched & 1u64.checked_shl(place as u32).unwrap_or(0) != 0
        };
        let is_mentioned = |segment: &Segment| segment.words.iter().filter(|word| !word.optional).any(is_matched);
        if span.len() > 1 && !is_mentioned(first) && first.words.iter().any(|word| !word.optional) {
            // "sourdough with butter" is not butter.
            return (f32::NEG_INFINITY, None);
        }
        // A food that the joined name does not mention is lost.
        let is_lost = |segment: &&Segment| names_food(segment) && !is_mentioned(segment);
        let lost = span[1..].iter().filter(is_lost).count() as f32 * costs.lost;
        let opens = first.joint == Joint::Start;
        let unsaid = if said || opens || first.quantity.amount.is_some() { 0.0 } else { self.unsaid };
        let value = link.score - costs.item - unsaid - joints - articles - lost;
        if value < left_out && !said {
            return (left_out, None);
        }
        let mut quantity = first.quantity.clone();
        for segment in &span[1..] {
            if segment.quantity.is_said() && !quantity.is_said() {
                quantity = Quantity { sizes: quantity.sizes, ..segment.quantity.clone() };
            }
            quantity.sizes.extend(segment.quantity.sizes.iter().cloned());
        }
        (value, Some(Mention { joint: first.joint, quantity, words, links }))
    }
}

/// Whether segments may belong to the one before them.
fn can_join(others: &[Segment]) -> bool {
    // "for breakfast" belongs to no food.
    let is_idle = |segment: &Segment| segment.joint == Joint::Aside && segment.words.iter().all(|word| word.optional);
    let is_free = |segment: &Segment| !segment.quantity.is_said() || segment.quantity.trailing;
    others.iter().all(|segment| is_free(segment) && segment.joint != Joint::Amount && !is_idle(segment))
}

/// Where the words stand that may say what the food is: the last of each segment up to the first "with" or "on".
fn heads(span: &[Segment], words: &[SegmentWord]) -> Vec<usize> {
    let is_additional =
        |segment: &&Segment| matches!(segment.joint, Joint::With | Joint::Preposition | Joint::Aside | Joint::Bracket);
    let rest = span[1..].iter().take_while(|segment| !is_additional(segment));
    let last = |segment: &Segment| {
        segment.words.iter().rfind(|word| !word.optional).or(segment.words.last()).map(|word| word.word.clone())
    };
    let heads: Vec<String> = std::iter::once(&span[0]).chain(rest).filter_map(last).collect();
    (0..words.len()).filter(|&at| heads.contains(&words[at].word)).collect()
}
