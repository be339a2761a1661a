//! Which neighboring segments are one food.
//!
//! "Mac and cheese" is a dish, and "eggs and toast" are two foods; only the catalog knows. Every way to join neighboring
//! segments is scored by the foods that the joined words link to, and the best way wins. A number or a unit always
//! begins a new food.

use foods::catalog::Layer;
use foods::text::words;

use super::amounts::attach_amounts;
use super::behind_dishes;
use super::cache::LinkCache;
use super::context::prefer_place;
use super::counted_dishes::count_by_ingredients;
use super::linker::Linker;
use super::mention::Mention;
use super::span::{MentionDraft, SpanPart, SpanReader};
use super::titles::{drop_parts_of_stews, drop_titles, drop_what_it_is_made_of};
use super::weights::{JoinCosts, MAX_JOINED};
use crate::budget::Budget;
use crate::lexicon::{Measure, MeasureTrait, Role, Roles, measure_is, roles_in_any_language};
use crate::read::dish_words;
use crate::read::segment::{Joint, Quantity, Segment, required};

/// Longer sentences are cut, so that 4,000 commas do not take a minute.
const MAX_SENTENCE: usize = 40;
/// The most words of several segments that are read as one food.
const MAX_SPAN_WORDS: usize = 64;
/// Fewer names are not a list.
const MIN_LISTED: usize = 2;

/// What words do that only describe the food before them: "coffee: black".
const DESCRIPTIONS: Roles = Roles::of(&[Role::State, Role::Alone, Role::Kind]);

/// Joins segments into mentions.
pub(crate) fn compose(
    layer: &Layer,
    linker: &Linker,
    costs: &JoinCosts,
    segments: Vec<Segment>,
    cache: &mut LinkCache,
    budget: &Budget,
) -> Vec<Mention> {
    let segments = without_asides(attach_amounts(segments));
    let mut segments = behind_dishes::set_apart(layer, linker, segments);
    let in_full = |word: &str| layer.food(dish_words::of_word(word)?).map(|dish| dish.name);
    let names_food = |segment: &Segment| {
        let mut nouns = required(&segment.words).filter(|word| !roles_in_any_language(&word.word).any(DESCRIPTIONS));
        nouns.any(|word| linker.names_with(layer, &word.word) > 0 && linker.is_food(layer, &word.word, cache))
    };
    drop_titles(&mut segments, names_food, in_full);
    let is_dish_in = |name: &&str, measure: &str| {
        let dish = dish_words::of_word(name).and_then(|dish| layer.food(dish));
        dish.is_some_and(|dish| {
            dish.portions.iter().any(|portion| words(&portion.text).iter().any(|word| word == measure))
        })
    };
    count_by_ingredients(&mut segments, |names, measure| {
        linker.is_measured_by(layer, names, measure) || names.iter().any(|name| is_dish_in(name, measure))
    });
    drop_parts_of_stews(&mut segments, in_full);
    drop_what_it_is_made_of(&mut segments);
    for segment in &mut segments {
        linker.drop_adjectives(layer, &mut segment.words);
        linker.rejoin(layer, &mut segment.words);
    }
    let mut reader = SpanReader { layer, linker, costs, bare_cost: 0.0, is_list: false, cache, budget };
    let mut mentions = Vec::new();
    let mut start = 0;
    while start < segments.len() {
        let len = 1 + segments[start + 1..].iter().take_while(|segment| !segment.starts).count();
        for sentence in segments[start..start + len].chunks(MAX_SENTENCE) {
            reader.bare_cost = bare_cost(costs, sentence);
            best_split(&mut reader, sentence, &mut mentions);
        }
        start += len;
    }
    prefer_place(linker, costs, &segments, &mut mentions);
    drop_bracketed_names(&mut mentions);
    drop_restated(&mut mentions);
    mentions
}

/// Removes a food in brackets that is another name of the one before it: "spanish tortilla (potato omelette)". Of several in
/// brackets each may be a food.
fn drop_bracketed_names(mentions: &mut Vec<Mention>) {
    let mut at = 1;
    while at < mentions.len() {
        let is_name = mentions[at].joint == Joint::Bracket && mentions[at].quantity.is_empty();
        let is_alone =
            mentions.get(at + 1).is_none_or(|next| matches!(next.joint, Joint::Start | Joint::With | Joint::Amount));
        if is_name && is_alone {
            mentions.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Removes a food that repeats the one right before it in other words ("a Jammers pouch of fruit drink") or with its count
/// ("a yeast doughnut, enjoying my 1 doughnut").
fn drop_restated(mentions: &mut Vec<Mention>) {
    let food = |mention: &Mention| mention.links.first().map(|link| link.food);
    mentions.dedup_by(|mention, before| {
        let is_bare = mention.quantity.amount.is_none() && mention.joint != Joint::Start;
        is_bare && food(mention).is_some() && food(mention) == food(before) || is_count_of(mention, before)
    });
}

/// Checks whether a mention only repeats that there was one of the food before it.
fn is_count_of(mention: &Mention, before: &Mention) -> bool {
    let is_one = |quantity: &Quantity| quantity.amount.is_some_and(|amount| (amount.value - 1.0).abs() < 1e-6);
    let counts_one = mention.quantity.amount.is_some_and(|amount| amount.explicit)
        && is_one(&mention.quantity)
        && mention.quantity.unit.is_none()
        && is_one(&before.quantity)
        && !before.quantity.is_explicit();
    if !counts_one || matches!(mention.joint, Joint::Start | Joint::And) {
        return false;
    }
    let (words, known) = (mention.required_words(), before.required_words());
    !words.is_empty() && words.len() < known.len() && words.iter().all(|word| known.contains(word))
}

/// Returns what a food without an amount costs in a sentence: more if others have theirs.
fn bare_cost(costs: &JoinCosts, sentence: &[Segment]) -> f32 {
    if sentence.iter().any(|segment| matches!(segment.quantity.measure, Some(Measure::Mass(_)))) {
        costs.bare_among_masses
    } else if sentence.iter().any(|segment| segment.quantity.is_explicit()) {
        costs.bare_item
    } else {
        0.0
    }
}

/// Removes segments between foods that name none: "for dinner", "at noon".
fn without_asides(segments: Vec<Segment>) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut starts = false;
    for mut segment in segments {
        let is_aside = segment.joint == Joint::Aside
            && !segment.quantity.is_explicit()
            && segment.words.iter().all(|word| word.optional && !word.negated);
        if is_aside {
            starts |= segment.starts;
            continue;
        }
        if std::mem::take(&mut starts) {
            segment.starts = true;
            if segment.joint == Joint::Comma {
                segment.joint = Joint::Start;
            }
        }
        out.push(segment);
    }
    out
}

/// The best way to split a sentence up to some segment.
#[derive(Debug)]
struct Split {
    value: f32,
    /// Where its last span begins.
    from: usize,
    /// The food of its last span.
    mention: Option<MentionDraft>,
}

/// Finds the best way to split a sentence into foods, by dynamic programming over where the last food begins.
fn best_split(reader: &mut SpanReader<'_>, segments: &[Segment], out: &mut Vec<Mention>) {
    let parts: Vec<SpanPart<'_>> = segments.iter().map(|segment| reader.part(segment)).collect();
    reader.is_list = is_list(reader, &parts);
    let mut splits: Vec<Split> = vec![Split { value: 0.0, from: 0, mention: None }];
    for end in 1..=parts.len() {
        let mut best: Option<Split> = None;
        for from in (end.saturating_sub(MAX_JOINED)..end).rev() {
            let span = &parts[from..end];
            let is_too_long = || reader.budget.is_spent() || count_words(span) > MAX_SPAN_WORDS;
            if span.len() > 1 && (!can_join(span) || is_too_long()) {
                break;
            }
            let reading = reader.read(span, &segments[..from]);
            let value = splits[from].value + reading.value;
            if best.as_ref().is_none_or(|best| value > best.value) {
                best = Some(Split { value, from, mention: reading.mention });
            }
        }
        splits.extend(best);
    }
    let mut at = parts.len();
    let mut found = Vec::new();
    let mut denied: Vec<String> = Vec::new();
    while at > 0 {
        let split = &mut splits[at];
        at = split.from;
        if let Some(mut draft) = split.mention.take() {
            draft.mention.without = std::mem::take(&mut denied);
            found.push(draft);
        } else if segments[at].negated {
            denied.extend(segments[at].words.iter().map(|word| word.word.clone()));
        }
    }
    out.extend(found.into_iter().rev().map(|draft| reader.finish(draft)));
}

/// Checks whether a sentence is a list of everyday names with commas or "and" between them.
fn is_list(reader: &SpanReader<'_>, parts: &[SpanPart<'_>]) -> bool {
    let joins = |part: &SpanPart<'_>| matches!(part.segment.joint, Joint::Comma | Joint::And);
    parts.len() >= MIN_LISTED && parts[1..].iter().all(joins) && parts.iter().all(|part| reader.is_everyday(part))
}

fn count_words(span: &[SpanPart<'_>]) -> usize {
    span.iter().map(|part| part.segment.words.len()).sum()
}

/// Checks whether the segments of a span may belong to its first: none has an amount of its own.
fn can_join(span: &[SpanPart<'_>]) -> bool {
    let mut has_trailing_amount = span[0].segment.quantity.trailing;
    span.windows(2).all(|two| {
        let (before, segment) = (two[0].segment, two[1].segment);
        // "rice and beans, 200 g" is one amount of both, "rice 100 g and beans 100 g" are two.
        let is_amount_of_both = segment.quantity.trailing && !has_trailing_amount;
        has_trailing_amount |= segment.quantity.trailing;
        let is_free = !segment.quantity.is_explicit() || is_amount_of_both || measures_ingredient(before, segment);
        is_free && segment.joint != Joint::Amount
    })
}

/// Checks whether the amount of a segment is that of an ingredient: "between two slices of bread" says what a sandwich is
/// made of, "made with two eggs" what an omelet is.
fn measures_ingredient(before: &Segment, segment: &Segment) -> bool {
    match segment.joint {
        Joint::Preposition => {
            segment.quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, MeasureTrait::Slice))
        }
        Joint::With => {
            before.words.last().is_some_and(|word| roles_in_any_language(&word.word).has(Role::Made))
                && !before.quantity.is_explicit()
        }
        _ => false,
    }
}
