//! What a later message asks for, clause by clause: "make it two eggs, no cheese, and add a banana" asks for three
//! things. The grammar knows the words around foods and amounts, never single foods.

use std::ops::Range;

use crate::lexicon::{Role, Roles};
use crate::read::amount;
use crate::read::text::Text;
use crate::read::token::Token;

/// What a clause asks for. The tokens still have their amounts and fillers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request<'t> {
    /// The message before was a mistake.
    Undo,
    /// Everything was a mistake.
    Clear,
    /// Something was not eaten. "remove" speaks of a part of the list (`is_part`), "no" perhaps of something
    /// inside a dish.
    Remove { subject: &'t [Token], what: &'t [Token], is_part: bool },
    /// A multiple of something.
    Scale { subject: &'t [Token], factor: f64 },
    /// More of what was spoken of.
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

/// The most tokens of a clause that only takes back what was said before.
const MAX_UNDOING: usize = 16;

/// Words that begin a request.
const VERBS: Roles = Roles::of(&[
    Role::Removal,
    Role::Denial,
    Role::NotDone,
    Role::Exchange,
    Role::Add,
    Role::Make,
    Role::Multiplier,
    Role::Contraction,
]);
/// Verbs and adverbs behind the subject of a request.
const PREDICATES: Roles =
    Roles::of(&[Role::Copula, Role::Eating, Role::NotDone, Role::Only, Role::Also, Role::Correction]);
/// Words before a noun that is known.
const DEFINITE: Roles = Roles::of(&[Role::Definite, Role::Possessive, Role::Demonstrative]);
/// Words that stand for a food that is known, or begin one.
const KNOWN: Roles = DEFINITE.or(Roles::of(&[Role::Pronoun]));
const PRONOUNS: Roles = Roles::of(&[Role::Pronoun]);

/// The most tokens of a clause that may be nothing but a share.
const MAX_SHARE_TOKENS: usize = 8;

/// Splits a message into clauses: at the ends of sentences, where a comma or "and" is followed by a new request, and where
/// one follows a share of what is known ("half of this, and a coke"); there it stays with the clause that it begins. What is beyond `limit` clauses stays with the last.
pub(super) fn clauses(text: Text<'_>, limit: usize) -> Vec<Text<'_>> {
    let mut out = Vec::new();
    let mut start = 0;
    for at in 0..text.len() {
        if out.len() + 1 >= limit {
            break;
        }
        let is_joint = text.tokens[at] == Token::Comma || text.any(at, const { Roles::of(&[Role::And, Role::But]) });
        // "it wasn't white, it was rye" is one thing said in two halves.
        let is_undoing = |clause: Range<usize>| clause.len() <= MAX_UNDOING && is_undoing(text.part(clause));
        let is_half = || text.part(start..at).position(Role::Not).is_some() && is_statement(text, at + 1);
        if matches!(text.tokens[at], Token::Stop | Token::Colon)
            || is_joint && at > start && (opens(text, at + 1) && !is_half() || is_undoing(start..at))
        {
            out.push(text.part(start..at));
            start = at + 1;
        } else if (is_joint || text.has(at, Role::With)) && at > start && is_share(text.part(start..at), at, text) {
            out.push(text.part(start..at));
            start = at;
        }
    }
    out.push(text.from(start));
    out.retain(|clause| clause.tokens.iter().any(|token| matches!(token, Token::Word(_) | Token::Number(..))));
    out
}

/// Checks whether a clause only takes back what was said before: "scratch that, …".
fn is_undoing(clause: Text<'_>) -> bool {
    let Lead { end, .. } = Lead::read(clause);
    matches!(verb(clause.from(end)), Some(Request::Undo | Request::Clear))
}

/// Checks whether a clause is a share of what is known and nothing else: "half of it". What follows at `end` is then
/// something else, unless it is more of the amount: "half and half", "one and a half".
fn is_share(clause: Text<'_>, end: usize, text: Text<'_>) -> bool {
    if clause.len() > MAX_SHARE_TOKENS || text.value(end + 1, Role::Fraction).is_some() {
        return false;
    }
    match request(clause) {
        Request::Scale { subject, .. } => clause.from(clause.len() - subject.len()).all(KNOWN),
        _ => false,
    }
}

/// Checks whether a sentence that says what something was begins here.
fn is_statement(text: Text<'_>, at: usize) -> bool {
    text.has(at, Role::Contraction)
        || text.has(at, Role::Pronoun) && text.has(at + 1, Role::Copula)
        || text.has(at, Role::Person) && text.has(at + 1, Role::Eating)
}

/// Checks whether what follows is denied here; "instead of" exchanges it.
fn denies(text: Text<'_>, at: usize) -> bool {
    text.has(at, Role::Denial) && !text.has(at, Role::Instead)
}

/// Checks whether a new request begins here.
fn opens(text: Text<'_>, from: usize) -> bool {
    let mut at = from;
    while at < from + 3
        && (text.tokens.get(at) == Some(&Token::Comma)
            || text.any(at, const { Roles::of(&[Role::Opener, Role::And, Role::Correction]) })
                && !text.has(at, Role::Add))
    {
        at += 1;
    }
    if text.any(at, VERBS) && !text.has(at, Role::Instead) {
        return true;
    }
    if text.any(at, const { Roles::of(&[Role::Pronoun, Role::Person]) }) {
        return text.any(at + 1, PREDICATES);
    }
    let is_verb = |at: usize| text.any(at, const { Roles::of(&[Role::Copula, Role::Has]) });
    text.any(at, DEFINITE) && (at + 2..at + 5).any(is_verb)
}

/// Returns what a clause asks for.
pub(super) fn request(clause: Text<'_>) -> Request<'_> {
    let Lead { end, mut corrects, mut adds } = Lead::read(clause);
    let rest = clause.from(end);
    if let Some(request) = verb(rest).or_else(|| exchange(rest)).or_else(|| sentence(rest)) {
        return request;
    }
    // "I only had", "there was also": what to do is said among the words that say nothing of food.
    let says_nothing = |at: &usize| rest.any(*at, const { Roles::of(&[Role::Filler, Role::Addition, Role::Eating]) });
    for at in (0..rest.len()).take_while(says_nothing) {
        corrects |= rest.any(at, const { Roles::of(&[Role::Correction, Role::Only]) });
        adds |= rest.has(at, Role::Addition);
    }
    adds |= (0..rest.len()).rev().find(|&at| rest.is_word(at)).is_some_and(|last| rest.has(last, Role::Too));
    if let Some(request) = share(rest) {
        return request;
    }
    match (adds, corrects) {
        (true, _) => Request::Add(rest.tokens),
        (false, true) => Request::Correct(rest.tokens),
        (false, false) => Request::Bare(rest.tokens),
    }
}

/// The words that open a clause: where they end, and whether they announce a correction or something new.
struct Lead {
    end: usize,
    corrects: bool,
    adds: bool,
}

impl Lead {
    fn read(clause: Text<'_>) -> Self {
        let mut lead = Self { end: 0, corrects: false, adds: false };
        while lead.end < clause.len() {
            let roles = clause.roles(lead.end);
            let is_comma = clause.tokens[lead.end] == Token::Comma;
            if roles.has(Role::Correction) {
                lead.corrects = true;
            } else if is_comma || roles.has(Role::Opener) || is_answer(clause, lead.end) || is_meaning(clause, lead.end)
            {
                // It says nothing.
            } else if roles.any(const { Roles::of(&[Role::And, Role::Also]) }) && lead.end + 1 < clause.len() {
                lead.adds = true;
            } else {
                break;
            }
            lead.end += 1;
        }
        lead
    }
}

/// Checks for a "no" that answers and denies no ingredient: "no, it was two".
fn is_answer(clause: Text<'_>, at: usize) -> bool {
    let begins = const { Roles::of(&[Role::Pronoun, Role::Person, Role::Definite, Role::Contraction]) };
    clause.has(at, Role::Answer) && (!clause.is_word(at + 1) || clause.any(at + 1, begins))
}

/// Checks for "I mean".
fn is_meaning(clause: Text<'_>, at: usize) -> bool {
    clause.has(at, Role::Person) && clause.has(at + 1, Role::Correction)
}

/// Reads requests that begin with their verb.
fn verb(rest: Text<'_>) -> Option<Request<'_>> {
    rest.word(0)?;
    let behind = rest.from(rest.width(0));
    removal(rest, behind).or_else(|| {
        if let Some(factor) = rest.value(0, Role::Multiplier)
            && (!behind.is_word(0) || behind.any(0, const { KNOWN.or(Roles::of(&[Role::All])) }))
        {
            return Some(Request::Scale { subject: behind.tokens, factor });
        }
        if rest.has(0, Role::Add) {
            return Some(Request::Add(behind.tokens));
        }
        let is_pronoun = behind.has(0, Role::Pronoun);
        rest.has(0, Role::Make)
            .then(|| if is_pronoun { set(rest.part(0..0), behind.from(1)) } else { Request::SetFirst(behind.tokens) })
    })
}

/// Reads requests to take something off the list: "remove the toast", "no cheese", "take out the onions", "scratch that".
fn removal<'t>(rest: Text<'t>, behind: Text<'t>) -> Option<Request<'t>> {
    let what = behind.tokens;
    let names_nothing = || {
        let is_idle = |at: usize| behind.any(at, const { Roles::of(&[Role::Pronoun, Role::NamesNothing]) });
        (0..behind.len()).all(|at| match behind.tokens[at] {
            Token::Word(_) => is_idle(at),
            Token::Number(..) => false,
            _ => true,
        })
    };
    if rest.has(0, Role::Clear) && (rest.width(0) > 1 || names_nothing()) {
        return Some(Request::Clear);
    }
    if rest.has(0, Role::Removal) {
        return Some(match names_nothing() {
            true if behind.has(0, Role::All) => Request::Clear,
            true if rest.has(0, Role::Undo) => Request::Undo,
            _ => Request::Remove { subject: &[], what, is_part: true },
        });
    }
    if denies(rest, 0) {
        return Some(Request::Remove { subject: &[], what, is_part: false });
    }
    // "take out the onions", "leave the cheese off".
    let is_taken = rest.has(0, Role::Take) && behind.position(Role::Away).is_some();
    is_taken.then_some(Request::Remove { subject: &[], what, is_part: true })
}

/// Reads one thing in the place of another: "Y instead of Z", "Y, not Z", "not Z but Y", "swap Z for Y".
fn exchange(rest: Text<'_>) -> Option<Request<'_>> {
    if rest.has(0, Role::Exchange) {
        let to = rest.position(Role::ExchangedFor)?;
        let (old, new) = (rest.part(1.min(to)..to), rest.from(to + 1));
        let is_pronoun = old.all(PRONOUNS);
        return Some(if is_pronoun {
            set(rest.part(0..0), new)
        } else {
            Request::Replace { old: old.tokens, new: new.tokens }
        });
    }
    if let Some(at) = rest.position(Role::Instead) {
        let behind = at + rest.width(at);
        if at > 0 {
            return Some(Request::Replace { old: &rest.tokens[behind..], new: &rest.tokens[..at] });
        }
        let ends =
            |at: &usize| rest.tokens[*at] == Token::Comma || rest.has(*at, Role::Person) || is_statement(rest, *at);
        let end = (behind..rest.len()).find(ends)?;
        return Some(Request::Replace { old: &rest.tokens[behind..end], new: &rest.tokens[end..] });
    }
    rest.position(Role::Not).map(|not| negated(rest, not))
}

/// Reads what is said to be something else: "not white, rye", "the bread was rye, not white", "2 eggs, not 3".
fn negated(rest: Text<'_>, not: usize) -> Request<'_> {
    let (before, behind) = (rest.part(0..not), rest.from(not + 1));
    let removed = |subject, is_part| Request::Remove { subject, what: behind.tokens, is_part };
    if not > 0 && rest.has(not - 1, Role::Auxiliary) {
        return removed(&[], true);
    }
    if before.all(const { Roles::of(&[Role::Pronoun, Role::Copula]) }) {
        let ends = |at: &usize| behind.tokens[*at] == Token::Comma || behind.has(*at, Role::But);
        return match (0..behind.len()).find(ends) {
            Some(end) => Request::Replace { old: &behind.tokens[..end], new: &behind.tokens[end + 1..] },
            None => removed(&[], false),
        };
    }
    match copula(rest).filter(|(_, at)| *at <= not) {
        // "the bread was not white", "the bread was whole wheat, not white".
        Some((subject, at)) if at == not => removed(subject.tokens, false),
        Some((subject, at)) => set(subject, rest.part(at..not)),
        // "2 eggs, not 3".
        None if amount::read(behind, 0).is_some_and(|(_, end)| end >= behind.len()) => Request::Correct(before.tokens),
        None => Request::Replace { old: behind.tokens, new: before.tokens },
    }
}

/// Returns the subject of a sentence that says what something was, and where what it was begins.
fn copula(rest: Text<'_>) -> Option<(Text<'_>, usize)> {
    if rest.has(0, Role::Contraction) {
        return Some((rest.part(0..0), 1));
    }
    let words = (0..rest.len().min(7)).take_while(|&at| rest.is_word(at));
    let at = words.into_iter().find(|&at| rest.has(at, Role::Copula))?;
    let is_negated = (0..at).any(|at| denies(rest, at));
    (at > 0 && !rest.has(0, Role::Person) && !is_negated).then_some((rest.part(0..at), at + 1))
}

/// Reads requests that are sentences: "the milk was skim", "I didn't have the toast", "the burger had no bun".
fn sentence<'t>(rest: Text<'t>) -> Option<Request<'t>> {
    let mut idle = 0;
    while rest.any(idle, const { Roles::of(&[Role::Filler, Role::Eating, Role::Has, Role::With]) }) {
        idle += rest.width(idle);
    }
    let removed = |subject: Text<'t>, at: usize, is_part: bool| Request::Remove {
        subject: named(subject).tokens,
        what: rest.from(at + rest.width(at)).tokens,
        is_part,
    };
    let nothing = rest.part(0..0);
    if let Some(at) = (0..=idle).find(|&at| rest.has(at, Role::NotDone)) {
        return Some(removed(nothing, at, true));
    }
    if let Some(at) = (1..=idle).find(|&at| denies(rest, at)) {
        return Some(removed(nothing, at, false));
    }
    if let Some((subject, at)) = copula(rest) {
        return Some(if denies(rest, at) { removed(subject, at, false) } else { set(subject, rest.from(at)) });
    }
    let had = (1..rest.len().min(6)).find(|&at| rest.has(at, Role::Has))?;
    if rest.has(0, Role::Person) || !rest.any(0, KNOWN) {
        return None;
    }
    let subject = rest.part(0..had);
    if denies(rest, had + 1) {
        return Some(removed(subject, had + 1, false));
    }
    let what = rest.from(had + 1 + usize::from(rest.has(had + 1, Role::With))).tokens;
    Some(Request::Attach { subject: named(subject).tokens, what })
}

/// Drops a subject that names no food: "it", "the one".
fn named(subject: Text<'_>) -> Text<'_> {
    if subject.all(KNOWN) { subject.part(0..0) } else { subject }
}

/// Reads what something was, or which share of it.
fn set<'t>(subject: Text<'t>, to: Text<'t>) -> Request<'t> {
    let subject = named(subject).tokens;
    let to = to.from((0..to.len()).take_while(|&at| to.has(at, Role::Hedge)).count());
    match share(to) {
        Some(Request::Scale { factor, subject: inner }) => {
            Request::Scale { subject: if inner.is_empty() { subject } else { inner }, factor }
        }
        Some(request) => request,
        None => match bare_share(to) {
            Some(factor) => Request::Scale { subject, factor },
            None => Request::Set { subject, to: to.tokens },
        },
    }
}

/// Returns how many tokens an article before a fraction takes: "a third", "one third".
fn article_at(text: Text<'_>, at: usize) -> usize {
    usize::from(text.has(at, Role::Indefinite) || text.value(at, Role::Number) == Some(1.0))
}

/// Reads a share and nothing else: "half", "a third", "twice as much".
fn bare_share(to: Text<'_>) -> Option<f64> {
    let at = article_at(to, 0);
    let factor = to.value(at, Role::Fraction).or_else(|| to.value(0, Role::Multiplier).filter(|_| at == 0))?;
    let rest = to.from(at + 1);
    rest.all(const { Roles::of(&[Role::Extent, Role::Pronoun, Role::Of]) }).then_some(factor)
}

/// Reads a share of something: "half of the pizza", "half the rice", "two of them", "one more".
fn share(rest: Text<'_>) -> Option<Request<'_>> {
    let begins = const { Roles::of(&[Role::Number, Role::Fraction, Role::Indefinite, Role::Another]) };
    let is_number = |at: usize| matches!(rest.tokens[at], Token::Number(..));
    let at = (0..rest.len().min(6)).find(|&at| is_number(at) || rest.any(at, begins))?;
    // The article belongs to "a third of", not to "a banana".
    let article = article_at(rest, at);
    if let Some(factor) = rest.value(at + article, Role::Fraction) {
        let behind = at + article + 1;
        let behind = behind + usize::from(rest.has(behind, Role::Of));
        if rest.any(behind, KNOWN) {
            return Some(Request::Scale { subject: named(rest.from(behind)).tokens, factor });
        }
        return (behind >= rest.len() && at > 0).then_some(Request::Scale { subject: &[], factor });
    }
    if rest.has(at, Role::Another) && rest.value(at + 1, Role::Number) == Some(1.0) {
        return (at + 2 >= rest.len()).then_some(Request::More(1.0));
    }
    let (amount, behind) = amount::read(rest, at)?;
    if rest.has(behind, Role::More) && behind + 1 >= rest.len() {
        return Some(Request::More(amount.value));
    }
    let is_of_them = rest.has(behind, Role::Of) && rest.has(behind + 1, Role::Pronoun) && behind + 2 >= rest.len();
    is_of_them.then_some(Request::Set { subject: &[], to: &rest.tokens[at..behind] })
}
