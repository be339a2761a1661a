//! What a later message asks for, clause by clause: "make it two eggs, no cheese, and add a banana" asks for three
//! things. The grammar knows the words around foods and amounts, never single foods.

use crate::lexicon::{Lexicon, fraction_word, number_word};
use crate::read::amount::{self, word};
use crate::read::token::Token;

/// What a clause asks for. The tokens still have their amounts and fillers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request<'t> {
    /// The message before was a mistake.
    Undo,
    /// Everything was a mistake.
    Clear,
    /// Something was not eaten. Whoever says "remove" speaks of a part of the list, whoever says "no" perhaps of
    /// something inside a dish.
    Remove { subject: &'t [Token], what: &'t [Token], is_part: bool },
    /// So many times as much of something.
    Scale { subject: &'t [Token], factor: f64 },
    /// So many more of what was spoken of.
    More(f64),
    /// What something was or how much of it there was.
    Set { subject: &'t [Token], to: &'t [Token] },
    /// The same where nothing separates the two: "make the coffee black".
    SetFirst(&'t [Token]),
    /// One thing in the place of another.
    Replace { old: &'t [Token], new: &'t [Token] },
    /// Something that came with a food of the list.
    Attach { subject: &'t [Token], what: &'t [Token] },
    /// Something new.
    Add(&'t [Token]),
    /// Foods or amounts with a word that announces a correction.
    Correct(&'t [Token]),
    /// Foods or amounts, and nothing that says what to do with them.
    Bare(&'t [Token]),
}

/// Words that open a clause and say nothing.
const LEADS: &[&str] = &[
    "oh", "ok", "okay", "sorry", "wait", "um", "uh", "hmm", "well", "so", "but", "then", "yes", "yeah", "yep", "nope",
    "please", "hey", "hi", "hello", "really", "ah", "thanks", "can", "could", "you", "should", "let", "lets", "us",
];
/// Words that announce a correction.
const CORRECTIONS: &[&str] = &["actually", "meant", "mean", "correction", "oops", "whoops", "only", "rather"];
/// Words that announce something new.
const ADDITIONS: &[&str] = &["add", "plus", "also", "include", "and", "forgot", "additionally", "too", "another"];
/// Words that take something off the list.
const REMOVALS: &[&str] =
    &["remove", "delete", "drop", "forget", "scratch", "cancel", "undo", "ignore", "exclude", "omit", "ditch"];
/// Those that take back a whole message when they name nothing.
const UNDOING: &[&str] = &["forget", "scratch", "cancel", "undo", "ignore"];
/// Words that deny an ingredient.
const DENIALS: &[&str] = &["no", "without", "minus", "hold", "skip", "sans", "except"];
/// Words that say that something did not happen.
const NOT_DONE: &[&str] = &["didnt", "dont", "havent", "hadnt", "never", "skipped"];
/// Words that say that something was something else.
const NOT: &[&str] = &["not", "wasnt", "werent", "isnt"];
/// Words that put one thing in the place of another.
const EXCHANGES: &[&str] = &["change", "switch", "swap", "replace", "substitute", "set", "update"];
/// Words between what is said to be and what it is said of.
const COPULAS: &[&str] = &["was", "were", "is", "are", "be", "weighed", "weighs"];
/// Subject and verb in one word.
const CONTRACTED: &[&str] = &["its", "thats", "theyre", "theres"];
/// Words that stand for a food.
const PRONOUNS: &[&str] = &["it", "that", "this", "they", "them", "those", "these", "there", "one", "ones"];
/// Words that stand for people.
const PEOPLE: &[&str] = &["i", "we", "he", "she", "you", "ive", "id"];
/// Verbs of eating, and what may come with them.
const EATING: &[&str] =
    &["had", "have", "has", "ate", "eat", "drank", "drink", "got", "get", "finished", "used", "did"];
/// Words before a noun.
const ARTICLES: &[&str] = &["the", "my", "that", "this", "those", "these"];

fn is_in(list: &[&str], word: Option<&str>) -> bool {
    word.is_some_and(|word| list.contains(&word))
}

/// Splits a message into clauses: at the ends of sentences, and where a comma or "and" is followed by a new request.
/// What is beyond `limit` clauses stays with the last.
pub(super) fn clauses(tokens: &[Token], limit: usize) -> Vec<&[Token]> {
    let mut out = Vec::new();
    let mut start = 0;
    for at in 0..tokens.len() {
        if out.len() + 1 >= limit {
            break;
        }
        let is_joint = tokens[at] == Token::Comma || is_in(&["and", "but"], word(tokens, at));
        // "it wasn't white, it was rye" is one thing said in two halves.
        let is_half = || (start..at).any(|at| is_in(NOT, word(tokens, at))) && is_statement(tokens, at + 1);
        if tokens[at] == Token::Stop
            || is_joint && at > start && (opens(tokens, at + 1) && !is_half() || is_undoing(&tokens[start..at]))
        {
            out.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    out.push(&tokens[start..]);
    out.retain(|clause| clause.iter().any(|token| matches!(token, Token::Word(_) | Token::Number(..))));
    out
}

/// Whether a clause only takes back what was said before: "cache that, …".
fn is_undoing(clause: &[Token]) -> bool {
    let (at, ..) = lead(clause);
    matches!(verb(&clause[at..]), Some(Request::Undo | Request::Clear))
}

/// Whether it is said here what something was.
fn is_statement(tokens: &[Token], at: usize) -> bool {
    is_in(CONTRACTED, word(tokens, at))
        || is_in(PRONOUNS, word(tokens, at)) && is_in(COPULAS, word(tokens, at + 1))
        || is_in(PEOPLE, word(tokens, at)) && is_in(EATING, word(tokens, at + 1))
}

/// Whether a new request begins here.
fn opens(tokens: &[Token], from: usize) -> bool {
    let mut at = from;
    while at < from + 3
        && (tokens.get(at) == Some(&Token::Comma)
            || is_in(LEADS, word(tokens, at))
            || is_in(&["and", "actually"], word(tokens, at)))
    {
        at += 1;
    }
    let (first, second) = (word(tokens, at), word(tokens, at + 1));
    let is_verb = is_in(REMOVALS, first) || is_in(DENIALS, first) || is_in(EXCHANGES, first) || is_in(NOT_DONE, first);
    if is_verb || is_in(&["add", "plus", "also", "make", "double", "triple", "halve", "its", "thats", "theyre"], first)
    {
        return true;
    }
    if is_in(PRONOUNS, first) || is_in(PEOPLE, first) {
        return is_in(COPULAS, second)
            || is_in(EATING, second)
            || is_in(NOT_DONE, second)
            || is_in(&["only", "also", "actually"], second);
    }
    is_in(ARTICLES, first)
        && (at + 2..at + 5).any(|place| is_in(COPULAS, word(tokens, place)) || word(tokens, place) == Some("had"))
}

/// What a clause asks for.
pub(super) fn request<'t>(clause: &'t [Token], lexicon: &Lexicon) -> Request<'t> {
    let (at, mut corrects, mut adds) = lead(clause);
    let rest = &clause[at..];
    if let Some(request) = verb(rest).or_else(|| exchange(rest)).or_else(|| sentence(rest, lexicon)) {
        return request;
    }
    // "I only had", "there was also": what to do is said among the words that say nothing of food.
    for token in rest.iter().map_while(|token| match token {
        Token::Word(word) if lexicon.is_filler(word) || is_in(ADDITIONS, Some(word)) || is_in(EATING, Some(word)) => {
            Some(word)
        }
        _ => None,
    }) {
        corrects |= is_in(CORRECTIONS, Some(token));
        adds |= is_in(ADDITIONS, Some(token));
    }
    adds |= is_in(&["too", "also", "well"], rest.iter().rev().find_map(|token| word(std::slice::from_ref(token), 0)));
    if let Some(request) = share(rest) {
        return request;
    }
    if adds {
        return Request::Add(rest);
    }
    if corrects { Request::Correct(rest) } else { Request::Bare(rest) }
}

/// Steps over the words that open a clause; tells whether they announce a correction or something new.
fn lead(clause: &[Token]) -> (usize, bool, bool) {
    let (mut at, mut corrects, mut adds) = (0, false, false);
    loop {
        let here = word(clause, at);
        // "no, it was two": not an ingredient.
        let is_answer = here == Some("no")
            && match clause.get(at + 1) {
                Some(Token::Word(next)) => {
                    is_in(PRONOUNS, Some(next))
                        || is_in(PEOPLE, Some(next))
                        || next == "the"
                        || is_in(CONTRACTED, Some(next))
                }
                _ => true,
            };
        let is_meaning = is_in(&["i", "we"], here) && is_in(&["mean", "meant", "actually"], word(clause, at + 1));
        if is_in(&["actually", "meant", "mean", "correction", "oops", "whoops", "sorry"], here) {
            corrects = true;
        } else if is_in(&["and", "plus", "also"], here) && at + 1 < clause.len() {
            adds = true;
        } else if !(clause.get(at) == Some(&Token::Comma) || is_in(LEADS, here) || is_answer || is_meaning) {
            return (at, corrects, adds);
        }
        at += 1;
    }
}

/// Requests that begin with their verb.
fn verb(rest: &[Token]) -> Option<Request<'_>> {
    let first = word(rest, 0)?;
    let behind = &rest[1..];
    let next = word(rest, 1);
    let names_nothing = behind.iter().all(|token| match token {
        Token::Word(word) => {
            is_in(PRONOUNS, Some(word))
                || is_in(
                    &[
                        "about",
                        "all",
                        "of",
                        "last",
                        "message",
                        "everything",
                        "whole",
                        "thing",
                        "the",
                        "please",
                        "never",
                        "mind",
                    ],
                    Some(word),
                )
        }
        Token::Number(..) => false,
        _ => true,
    });
    let is_all = is_in(&["everything", "all"], next);
    if first == "start" && is_in(&["over", "again"], next) || is_in(&["clear", "reset"], Some(first)) && names_nothing {
        return Some(Request::Clear);
    }
    if is_in(REMOVALS, Some(first)) {
        return Some(match names_nothing {
            true if is_all => Request::Clear,
            true if is_in(UNDOING, Some(first)) => Request::Undo,
            _ => Request::Remove { subject: &[], what: behind, is_part: true },
        });
    }
    if is_in(DENIALS, Some(first)) {
        return Some(Request::Remove { subject: &[], what: behind, is_part: false });
    }
    // "take out the onions", "leave the cheese off".
    let is_particle = |token: &Token| matches!(token, Token::Word(word) if is_in(&["out", "off", "away"], Some(word)));
    if is_in(&["take", "leave", "left"], Some(first)) && behind.iter().any(is_particle) {
        return Some(Request::Remove { subject: &[], what: behind, is_part: true });
    }
    if first == "get" && next == Some("rid") {
        return Some(Request::Remove { subject: &[], what: &behind[1..], is_part: true });
    }
    if let Some(factor) = multiplier(first)
        && (next.is_none() || is_in(ARTICLES, next) || is_in(PRONOUNS, next) || is_all)
    {
        return Some(Request::Scale { subject: behind, factor });
    }
    if is_in(&["add", "plus", "also", "include"], Some(first)) {
        return Some(Request::Add(behind));
    }
    if first == "make" {
        return Some(if is_in(PRONOUNS, next) { set(&[], &rest[2..]) } else { Request::SetFirst(behind) });
    }
    None
}

/// How many times as much a word asks for.
fn multiplier(word: &str) -> Option<f64> {
    Some(match word {
        "double" | "twice" => 2.0,
        "triple" => 3.0,
        "quadruple" => 4.0,
        "halve" => 0.5,
        _ => return None,
    })
}

/// One thing in the place of another: "Y instead of Z", "Y, not Z", "not Z but Y", "swap Z for Y".
fn exchange(rest: &[Token]) -> Option<Request<'_>> {
    let find = |words: &[&str]| (0..rest.len()).find(|&at| is_in(words, word(rest, at)));
    if is_in(EXCHANGES, word(rest, 0)) {
        let to = find(&["to", "with", "for", "by", "into"])?;
        let old = &rest[1..to];
        let is_pronoun = old.iter().all(|token| matches!(token, Token::Word(word) if is_in(PRONOUNS, Some(word))));
        return Some(if is_pronoun {
            set(&[], &rest[to + 1..])
        } else {
            Request::Replace { old, new: &rest[to + 1..] }
        });
    }
    let instead = find(&["instead"]).or_else(|| find(&["rather"]).filter(|&at| word(rest, at + 1) == Some("than")));
    if let Some(at) = instead {
        let behind = at + 1 + usize::from(is_in(&["of", "than"], word(rest, at + 1)));
        if at == 0 {
            let end = (behind..rest.len()).find(|&at| {
                rest[at] == Token::Comma || is_in(PEOPLE, word(rest, at)) || is_in(&["it"], word(rest, at))
            });
            let end = end?;
            return Some(Request::Replace { old: &rest[behind..end], new: &rest[end..] });
        }
        return Some(Request::Replace { old: &rest[behind..], new: &rest[..at] });
    }
    let not = find(NOT)?;
    let behind = &rest[not + 1..];
    let is_done = not > 0 && is_in(&["did", "do", "have", "had"], word(rest, not - 1));
    if is_done {
        return Some(Request::Remove { subject: &[], what: behind, is_part: true });
    }
    let is_opening = rest[..not]
        .iter()
        .all(|token| matches!(token, Token::Word(word) if is_in(PRONOUNS, Some(word)) || is_in(COPULAS, Some(word))));
    if is_opening {
        let end = (0..behind.len()).find(|&at| behind[at] == Token::Comma || is_in(&["but"], word(behind, at)));
        return Some(match end {
            Some(end) => Request::Replace { old: &behind[..end], new: &behind[end + 1..] },
            None => Request::Remove { subject: &[], what: behind, is_part: false },
        });
    }
    let subject = copula(rest).filter(|(_, at)| *at <= not);
    Some(match subject {
        // "the bread was not white", "the bread was whole wheat, not white".
        Some((subject, at)) if at == not => Request::Remove { subject, what: behind, is_part: false },
        Some((subject, at)) => set(subject, &rest[at..not]),
        // "2 eggs, not 3".
        None if amount::read(behind, 0).is_some_and(|(_, end)| end >= behind.len()) => Request::Correct(&rest[..not]),
        None => Request::Replace { old: behind, new: &rest[..not] },
    })
}

/// The subject of a sentence that says what something was, and where what it was begins.
fn copula(rest: &[Token]) -> Option<(&[Token], usize)> {
    if is_in(CONTRACTED, word(rest, 0)) {
        return Some((&[], 1));
    }
    let at = (0..rest.len().min(7))
        .take_while(|&at| matches!(rest[at], Token::Word(_)))
        .find(|&at| is_in(COPULAS, word(rest, at)))?;
    let is_person = is_in(PEOPLE, word(rest, 0));
    let is_negated = (0..at).any(|at| is_in(DENIALS, word(rest, at)));
    (at > 0 && !is_person && !is_negated).then_some((&rest[..at], at + 1))
}

/// Requests that are sentences: "the milk was skim", "I didn't have the toast", "the burger had no bun".
fn sentence<'t>(rest: &'t [Token], lexicon: &Lexicon) -> Option<Request<'t>> {
    let idle = rest.iter().take_while(|token| matches!(token, Token::Word(word) if lexicon.is_filler(word) || is_in(EATING, Some(word)) || is_in(&["with", "came"], Some(word)))).count();
    if let Some(at) = (0..=idle.min(rest.len())).find(|&at| is_in(NOT_DONE, word(rest, at))) {
        return Some(Request::Remove { subject: &[], what: &rest[at + 1..], is_part: true });
    }
    if let Some(at) = (1..=idle).find(|&at| is_in(DENIALS, word(rest, at))) {
        return Some(Request::Remove { subject: &[], what: &rest[at + 1..], is_part: false });
    }
    if let Some((subject, at)) = copula(rest) {
        let to = &rest[at..];
        if is_in(DENIALS, word(to, 0)) {
            return Some(Request::Remove { subject: named(subject), what: &to[1..], is_part: false });
        }
        return Some(set(subject, to));
    }
    let had = (1..rest.len().min(6)).find(|&at| is_in(&["had", "has", "came"], word(rest, at)))?;
    if is_in(PEOPLE, word(rest, 0)) || !(is_in(PRONOUNS, word(rest, 0)) || is_in(ARTICLES, word(rest, 0))) {
        return None;
    }
    let subject = named(&rest[..had]);
    let to = &rest[had + 1..];
    let denied = is_in(DENIALS, word(to, 0));
    let what = if denied || word(to, 0) == Some("with") { &to[1..] } else { to };
    Some(if denied { Request::Remove { subject, what, is_part: false } } else { Request::Attach { subject, what } })
}

/// A subject without the words that stand for any food.
fn named(subject: &[Token]) -> &[Token] {
    let is_pronoun = |token: &Token| matches!(token, Token::Word(word) if is_in(PRONOUNS, Some(word)) || is_in(ARTICLES, Some(word)));
    if subject.iter().all(is_pronoun) { &[] } else { subject }
}

/// What something was, or which share of it.
fn set<'t>(subject: &'t [Token], to: &'t [Token]) -> Request<'t> {
    let subject = named(subject);
    let idle = to.iter().take_while(|token| matches!(token, Token::Word(word) if is_in(&["only", "just", "actually", "more", "like", "about", "really", "supposed", "to", "be"], Some(word)))).count();
    let to = &to[idle..];
    match share(to) {
        Some(Request::Scale { factor, subject: inner }) => {
            Request::Scale { subject: if inner.is_empty() { subject } else { inner }, factor }
        }
        Some(request) => request,
        None => match bare_share(to) {
            Some(factor) => Request::Scale { subject, factor },
            None => Request::Set { subject, to },
        },
    }
}

/// A share and nothing else: "half", "a third", "twice as much".
fn bare_share(to: &[Token]) -> Option<f64> {
    let first = word(to, 0)?;
    let at = usize::from(matches!(first, "a" | "one"));
    let factor = word(to, at).and_then(fraction_word).or_else(|| multiplier(first).filter(|_| at == 0))?;
    let is_over = to[at + 1..].iter().all(|token| matches!(token, Token::Word(word) if is_in(&["as", "much", "many", "that", "of", "it", "them", "size"], Some(word))));
    is_over.then_some(factor)
}

/// A share of something: "half of the pizza", "half the rice", "two of them", "one more".
fn share(rest: &[Token]) -> Option<Request<'_>> {
    let at = (0..rest.len().min(6)).find(|&at| {
        let is_number = matches!(rest[at], Token::Number(..))
            || word(rest, at).is_some_and(|word| number_word(word).is_some() || fraction_word(word).is_some());
        is_number || is_in(&["a", "another"], word(rest, at))
    })?;
    // The article belongs to "a third of", not to "a banana".
    let article = usize::from(is_in(&["a", "one"], word(rest, at)));
    if let Some(factor) = word(rest, at + article).and_then(fraction_word) {
        let mut behind = at + article + 1;
        let has_of = word(rest, behind) == Some("of");
        behind += usize::from(has_of);
        if is_in(ARTICLES, word(rest, behind)) || is_in(PRONOUNS, word(rest, behind)) {
            return Some(Request::Scale { subject: named(&rest[behind..]), factor });
        }
        if behind >= rest.len() && at > 0 {
            return Some(Request::Scale { subject: &[], factor });
        }
        return None;
    }
    let (amount, behind) = match word(rest, at) {
        Some("another") if word(rest, at + 1) == Some("one") => {
            return (at + 2 >= rest.len()).then_some(Request::More(1.0));
        }
        _ => amount::read(rest, at)?,
    };
    if word(rest, behind) == Some("more") && behind + 1 >= rest.len() {
        return Some(Request::More(amount.value));
    }
    let is_of_them =
        word(rest, behind) == Some("of") && is_in(PRONOUNS, word(rest, behind + 1)) && behind + 2 >= rest.len();
    is_of_them.then_some(Request::Set { subject: &[], to: &rest[at..behind] })
}
