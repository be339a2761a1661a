//! Which neighbouring segments are one food.
//!
//! "Mac and cheese" is a dish and "eggs and toast" are two; only the catalog knows. Every way to join neighbouring
//! segments is scored by the foods that the joined words link to, and the best way wins. A number or a unit always
//! begins a food of its own.

use foods::catalog::Layer;

use super::cache::Scratch;
use super::context;
use super::linker::Linker;
use super::mention::Mention;
use super::span::{Draft, Part, Reader};
use super::weights::{Costs, MAX_JOINED};
use crate::lexicon::Measure;
use crate::read::segment::{Joint, Quantity, Segment};

/// Joins segments into mentions.
pub fn compose(
    layer: &Layer,
    linker: &Linker,
    costs: &Costs,
    segments: Vec<Segment>,
    scratch: &mut Scratch,
) -> Vec<Mention> {
    let mut segments = without_idle(attach_amounts(segments));
    for segment in &mut segments {
        linker.drop_adjectives(layer, &mut segment.words);
        linker.rejoin(layer, &mut segment.words);
    }
    let mut reader = Reader { layer, linker, costs, unsaid: 0.0, scratch };
    let mut mentions = Vec::new();
    let mut start = 0;
    while start < segments.len() {
        let len = 1 + segments[start + 1..].iter().take_while(|segment| !segment.starts).count();
        for sentence in segments[start..start + len].chunks(MAX_SENTENCE) {
            reader.unsaid = unsaid_cost(costs, sentence);
            best_split(&mut reader, sentence, &mut mentions);
        }
        start += len;
    }
    context::apply(linker, costs, &segments, &mut mentions);
    drop_restated(&mut mentions);
    mentions
}

/// Leaves out a food that is the one right before it, said again in other words ("a Jammers pouch of fruit drink") or with
/// its number ("a yeast doughnut, enjoying my 1 doughnut").
fn drop_restated(mentions: &mut Vec<Mention>) {
    let food = |mention: &Mention| mention.links.first().map(|link| link.food);
    mentions.dedup_by(|mention, before| {
        let is_bare = mention.quantity.amount.is_none() && mention.joint != Joint::Start;
        is_bare && food(mention).is_some() && food(mention) == food(before) || is_count_of(mention, before)
    });
}

/// Whether a mention only says once more that there was one of the food before it.
fn is_count_of(mention: &Mention, before: &Mention) -> bool {
    let telling = |mention: &'_ Mention| -> Vec<String> {
        mention.words.iter().filter(|word| !word.optional).map(|word| word.word.clone()).collect()
    };
    let one = |quantity: &Quantity| quantity.amount.is_some_and(|amount| (amount.value - 1.0).abs() < 1e-6);
    let is_one = mention.quantity.amount.is_some_and(|amount| amount.said)
        && one(&mention.quantity)
        && mention.quantity.unit.is_none()
        && one(&before.quantity)
        && !before.quantity.is_said();
    let is_apart = matches!(mention.joint, Joint::Start | Joint::And);
    if !is_one || is_apart {
        return false;
    }
    let (said, known) = (telling(mention), telling(before));
    said.len() < known.len() && !said.is_empty() && said.iter().all(|word| known.contains(word))
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
            let opens = !matches!(segment.joint, Joint::Comma | Joint::Bracket)
                && rest.peek().is_some_and(|next| next.joint == Joint::Comma && !next.quantity.is_said());
            if !has_words && segment.quantity.is_said() && last_has_words && !segment.starts && !opens {
                let exact = matches!(segment.quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
                    || segment.quantity.container.is_some();
                let apart = matches!(segment.joint, Joint::Comma | Joint::Bracket);
                // "a serving of juice from a small carton": the carton says more.
                let is_vague = matches!(last.quantity.unit.as_deref(), Some("serving" | "portion" | "helping"))
                    && segment.quantity.unit.is_some();
                if exact || is_vague || !last.quantity.is_said() && (apart || last.quantity.amount.is_none()) {
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
            // "a small, juicy apple": so does a size.
            let waits = last.quantity.is_said() || segment.joint == Joint::Comma && !last.quantity.sizes.is_empty();
            if !last_has_words && waits && has_words && segment.quantity.amount.is_none() && !segment.starts {
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

/// Leaves out what names no food and stands between foods: "for dinner", "at noon".
fn without_idle(segments: Vec<Segment>) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut opens = false;
    for mut segment in segments {
        let is_idle = segment.joint == Joint::Aside
            && !segment.quantity.is_said()
            && segment.words.iter().all(|word| word.optional && !word.negated);
        if is_idle {
            opens |= segment.starts;
            continue;
        }
        if std::mem::take(&mut opens) {
            segment.starts = true;
            if segment.joint == Joint::Comma {
                segment.joint = Joint::Start;
            }
        }
        out.push(segment);
    }
    out
}

/// One way to read the segments up to a point.
#[derive(Debug)]
struct Way {
    value: f32,
    from: usize,
    draft: Option<Draft>,
}

/// Finds the best way to cut a sentence into foods.
fn best_split(reader: &mut Reader<'_>, segments: &[Segment], out: &mut Vec<Mention>) {
    let parts: Vec<Part<'_>> = segments.iter().map(|segment| reader.part(segment)).collect();
    let mut ways: Vec<Way> = vec![Way { value: 0.0, from: 0, draft: None }];
    for end in 1..=parts.len() {
        let mut best: Option<Way> = None;
        for from in (end.saturating_sub(MAX_JOINED)..end).rev() {
            let span = &parts[from..end];
            if span.len() > 1 && !can_join(span) {
                break;
            }
            let (value, draft) = reader.read_span(span, &segments[..from]);
            let value = ways[from].value + value;
            if best.as_ref().is_none_or(|best| value > best.value) {
                best = Some(Way { value, from, draft });
            }
        }
        ways.extend(best);
    }
    let mut at = parts.len();
    let mut found = Vec::new();
    while at > 0 {
        found.extend(ways[at].draft.take());
        at = ways[at].from;
    }
    out.extend(found.into_iter().rev().map(|draft| reader.finish(draft)));
}

/// Whether the segments of a span may belong to its first.
fn can_join(span: &[Part<'_>]) -> bool {
    // "between two slices of bread" tells what a sandwich is made of, "made with two eggs" what an omelet is.
    let carries = |before: &Segment, segment: &Segment| match segment.joint {
        Joint::Preposition => matches!(segment.quantity.unit.as_deref(), Some("slice" | "piece")),
        Joint::With => before.words.last().is_some_and(|word| word.word == "made") && !before.quantity.is_said(),
        _ => false,
    };
    span.windows(2).all(|two| {
        let segment = two[1].segment;
        let is_free = !segment.quantity.is_said() || segment.quantity.trailing || carries(two[0].segment, segment);
        is_free && segment.joint != Joint::Amount
    })
}
