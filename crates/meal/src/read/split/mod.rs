//! Splitting text into segments: runs of words between commas, "and", "with" and the like, each with the amount that
//! was said for it. Which neighbouring segments are one food is decided later, when the foods are known.

mod asides;
mod corrections;
mod denial;
mod lists;
mod quantity;
mod shares;
mod stated;
mod times;

mod measure;

mod cues;

mod splitter;

use super::amount;
use super::segment::{Joint, ListOpening, Segment};
use super::text::{Text, Uses};
use super::token::Token;
use crate::lexicon::{Lexicon, Role, Roles};
use splitter::Splitter;

/// Splits tokens into segments.
pub fn segments(tokens: &[Token], lexicon: &Lexicon) -> Vec<Segment> {
    segments_of(Text::new(tokens, &Uses::new(tokens, lexicon), lexicon))
}

/// Splits a text into segments.
pub fn segments_of(text: Text<'_>) -> Vec<Segment> {
    let (tokens, lexicon) = (text.tokens, text.lexicon);
    let (names_follow, current) = (quantity::names_follow(text), Segment::new(Joint::Start));
    let mut splitter = Splitter {
        text,
        lexicon,
        names_follow,
        at: 0,
        before_sentence: 0,
        joint_at: 0,
        out: Vec::new(),
        current,
        is_plural: false,
    };
    while splitter.at < tokens.len() {
        splitter.step();
    }
    splitter.close(Joint::Start);
    let terse = is_terse(text);
    for segment in &mut splitter.out {
        segment.terse = terse;
    }
    lists::weigh_bare_numbers(&mut splitter.out);
    splitter.out
}

/// Checks whether a text lists foods and tells no story: hardly a word of it says nothing about food.
fn is_terse(text: Text<'_>) -> bool {
    // Times of day stand before lists too ("8am coffee and toast"), and so does how much there is ("a few crackers").
    const SAY_SOMETHING: Roles = Roles::of(&[Role::Optional, Role::Clock, Role::Amount, Role::Some]);
    let words = || (0..text.len()).filter(|&at| text.is_word(at));
    let says_nothing =
        |at: &usize| text.has(*at, Role::Filler) && !text.any(*at, SAY_SOMETHING) && text.unit(*at).is_none();
    words().filter(says_nothing).count() * 8 <= words().count()
}

/// Words that say how a food is.
const QUALITIES: Roles = Roles::of(&[Role::State, Role::Kind, Role::Optional, Role::Filler]);

impl Splitter<'_> {
    fn step(&mut self) {
        match &self.text.tokens[self.at] {
            Token::Comma if self.is_meal_alone() => {
                // "breakfast, egg": the comma is a colon.
                self.forget_the_meal();
                self.joint(Joint::Start, 1);
            }
            Token::Comma | Token::Close => self.joint(Joint::Comma, 1),
            Token::Stop => self.joint(Joint::Start, 1),
            Token::Colon => self.take_colon(),
            Token::Open => {
                self.joint(Joint::Bracket, 1);
                self.current.opens_list = Some(ListOpening::Made);
            }
            Token::Number(..) if self.take_time() => {}
            Token::Number(value, _) if self.is_stated_energy(self.at) => self.state_energy(*value),
            Token::Number(value, _) if self.counts_no_food(self.at) => {
                // "a 90-calorie bar": not ninety of anything.
                self.push(&format!("{value}"), true);
                self.at += if self.text.has(self.at + 2, Role::Old) { 3 } else { 2 };
            }
            // "3 Musketeers", "type 405": not three of anything.
            Token::Number(value, false) if self.is_number_name(self.at, *value) || self.is_number_of_before() => {
                self.push(&format!("{value}"), true);
                self.at += 1;
            }
            Token::Number(..) => self.quantity(),
            Token::Word(word) => self.word(word),
        }
    }

    /// Reads a word by what it does here; the first of these that it can do counts.
    fn word(&mut self, word: &str) {
        let roles = self.text.roles(self.at);
        self.leave_denial(roles);
        self.leave_time(roles);
        self.begin_side();
        self.note_what_was_eaten(roles);
        let _ = self.take_chain()
            || self.take_correction(roles)
            || self.take_time_or_place(roles)
            || self.take_joint(roles)
            || self.take_denial(roles)
            || self.take_alias(roles)
            || self.take_share(roles)
            || self.take_marker(roles)
            || self.take_bare_measure()
            || self.take_number(word)
            || self.take_name(word, roles)
            || self.take_size(word, roles)
            || self.take_venue(roles)
            || self.take_optional(word, roles)
            || self.take_filler(roles)
            || self.take_content(word);
    }

    /// Reads a word that joins what follows to what is before.
    fn take_joint(&mut self, roles: Roles) -> bool {
        let opens_list = self.list_opening(roles);
        let joint = if roles.has(Role::And) {
            Joint::And
        } else if roles.has(Role::With) {
            Joint::With
        } else if roles.any(const { Roles::of(&[Role::On, Role::In]) }) {
            Joint::Preposition
        } else if roles.has(Role::Aside) {
            Joint::Aside
        } else if self.ends_denial(roles) {
            // What follows is a new statement, not part of what was denied.
            Joint::Start
        } else {
            return false;
        };
        self.joint(joint, self.text.width(self.at));
        if opens_list.is_some() {
            self.current.opens_list = opens_list;
        }
        true
    }

    /// Reads a word that says how an amount is meant, or stands between an amount and a food.
    fn take_marker(&mut self, roles: Roles) -> bool {
        let is_factor = || matches!(self.text.tokens.get(self.at + 1), Some(Token::Number(..)));
        if roles.has(Role::Every) && self.is_measure_of(self.at + 1) {
            // "every bite of it" is not an amount.
            self.at += 3;
        } else if roles.has(Role::Each) {
            self.current.quantity.each = true;
            self.at += 1;
        } else if roles.has(Role::Of) && self.lists_ingredients(self.at + 1) {
            // "an omelet of 3 eggs".
            self.joint(Joint::With, 1);
            self.current.opens_list = Some(ListOpening::Made);
        } else if roles.any(const { Roles::of(&[Role::Of, Role::Definite]) }) || roles.has(Role::Times) && is_factor() {
            self.at += 1;
        } else {
            return false;
        }
        true
    }

    /// Reads a word that counts, or a number that belongs to a name.
    fn take_number(&mut self, word: &str) -> bool {
        if self.is_number_of_a_name(word) {
            self.take(true);
            return true;
        }
        if self.take_time() {
            return true;
        }
        let begins = amount::begins(self.text, self.at);
        if begins {
            self.quantity();
        }
        begins
    }

    /// Reads words that name a food although they look like something else.
    fn take_name(&mut self, word: &str, roles: Roles) -> bool {
        if roles.has(Role::Name) {
            self.take(false);
            return true;
        }
        let next = self.text.word(self.at + 1).filter(|next| self.lexicon.is_name(word, next));
        if let Some(next) = next {
            self.push(word, false);
            self.push(next, false);
            self.at += 2;
        }
        next.is_some()
    }

    /// Reads a word that says how large the food is.
    fn take_size(&mut self, word: &str, roles: Roles) -> bool {
        // "an extra-large cheese pizza" has no extra cheese.
        if roles.has(Role::Intensifier) && self.text.has(self.at + 1, Role::Size) {
            self.current.quantity.sizes.push(word.to_owned());
            self.at += 1;
            return true;
        }
        // "extra lean ham" is not large.
        if roles.has(Role::Intensifier) && self.text.any(self.at + 1, QUALITIES) {
            self.take(true);
            return true;
        }
        let is_size = self.is_size_here(roles);
        if is_size {
            if self.current.quantity.unit.is_none() {
                let size = self.text.read_as(self.at).unwrap_or(word);
                self.current.quantity.sizes.push(size.to_owned());
            }
            self.take(true);
        }
        is_size
    }

    /// Reads a word that may or may not belong to the name of a food.
    fn take_optional(&mut self, word: &str, roles: Roles) -> bool {
        // "a tender chicken breast" is not a chicken tender.
        if roles.has(Role::Attributive) && self.is_before_noun(self.at) {
            self.at += 1;
            return true;
        }
        let is_optional = roles.has(Role::Optional)
            || self.ends_name(word)
            || self.is_verb_of_cooking(roles)
            || self.is_flavor_of_next(roles);
        if is_optional {
            self.take(true);
        }
        is_optional
    }

    /// Reads a word that says nothing about food.
    fn take_filler(&mut self, roles: Roles) -> bool {
        let is_filler = roles.has(Role::Filler) || self.is_pet(roles);
        if is_filler {
            self.forget_the_meal();
            self.at += self.text.width(self.at);
        }
        is_filler
    }

    /// Reads a word that says which food it is, or into what it was cut.
    fn take_content(&mut self, word: &str) -> bool {
        let is_piece = self.is_piece_of_it(word);
        let before = self.current.words.len();
        self.push(word, is_piece);
        if self.current.quantity.trailing && self.text.has(self.at, Role::State) {
            // "pasta 80 g uncooked" is uncooked pasta; the last word of a name is its head.
            let added = self.current.words.len() - before;
            self.current.words.rotate_right(added);
        }
        self.at += 1;
        true
    }
}
