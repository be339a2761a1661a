//! What a word or phrase of another language stands for.

use crate::lexicon::{Lexicon, Role, Roles};

/// Words that join foods, deny them or say what they are for.
const JOINTS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::Or,
    Role::But,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Preposition,
    Role::When,
    Role::Denial,
    Role::NotDone,
    Role::Not,
    Role::Eating,
    Role::Add,
    Role::Removal,
    Role::Exchange,
    Role::Instead,
    Role::Shared,
    Role::Correction,
    Role::Make,
    Role::Alias,
    Role::Meal,
]);
/// Words that count.
const COUNTS: Roles = Roles::of(&[
    Role::Number,
    Role::Fraction,
    Role::Group,
    Role::Multiplier,
    Role::Indefinite,
    Role::Definite,
    Role::Possessive,
    Role::Demonstrative,
    Role::Some,
    Role::Another,
    Role::Amount,
]);

/// What a word or phrase is in the sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A food.
    Food,
    /// Something that says which or how: "fried".
    Modifier,
    /// A number.
    Number(f64),
    /// A number that multiplies the one before: "hundred".
    Scale(f64),
    /// An article, a fraction, another word that counts.
    Count,
    /// A unit or a container.
    Unit,
    /// A word that joins, denies or tells.
    Joint,
    /// A comma, the end of a sentence.
    Break,
    /// It says nothing.
    Nothing,
}

impl Kind {
    /// Checks whether it belongs to the name of a food.
    pub fn is_of_name(self) -> bool {
        matches!(self, Kind::Food | Kind::Modifier)
    }

    /// Checks whether it says how much.
    pub fn is_amount(self) -> bool {
        matches!(self, Kind::Number(_) | Kind::Scale(_) | Kind::Count | Kind::Unit)
    }
}

/// A word or phrase of another language.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they do not depend on each other")]
pub(super) struct TableEntry {
    /// The English words.
    pub english: &'static str,
    pub kind: Kind,
    /// It stands behind the food, where English has it before.
    pub is_after: bool,
    /// It joins two foods, the head first: "sopa de tomate".
    pub is_genitive: bool,
    /// It is only the front of compounds: the "erdbeer" of "Erdbeerjoghurt".
    pub is_front: bool,
    /// A time of day may follow: "kl 9.15".
    pub announces_time: bool,
    /// The number of the food in the list, if it is one.
    pub food: Option<u32>,
}

impl TableEntry {
    /// A food with its English name.
    pub const fn food(english: &'static str) -> Self {
        Self {
            english,
            kind: Kind::Food,
            is_after: false,
            is_genitive: false,
            is_front: false,
            announces_time: false,
            food: None,
        }
    }

    /// Reads the columns of a word behind its spelling.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with them.
    pub fn parse(english: &'static str, flags: &str, lexicon: &Lexicon) -> Result<Self, String> {
        let mut entry = Self { kind: kind_of(english, lexicon), ..Self::food(english) };
        for flag in flags.split_whitespace() {
            match flag {
                "after" => entry.is_after = true,
                "genitive" => entry.is_genitive = true,
                "part" => entry.is_front = true,
                "clock" => entry.announces_time = true,
                _ => return Err(format!("unknown flag {flag:?}; the flags are: after, genitive, part, clock")),
            }
        }
        // "senza zucchero": already as in English.
        entry.is_after &= entry.kind != Kind::Joint || is_one(english, lexicon);
        if english.is_empty() {
            return Err("expected English words; write \"-\" for a word that says nothing".to_owned());
        }
        Ok(entry)
    }
}

/// Checks whether words are a single one, or a phrase that the lexicon has: "instead of".
fn is_one(english: &str, lexicon: &Lexicon) -> bool {
    let words: Vec<&str> = english.split(' ').collect();
    lexicon.find(words[0], |at| words.get(at).copied()).width >= words.len()
}

/// Returns what English words are in a sentence.
pub(super) fn kind_of(english: &str, lexicon: &Lexicon) -> Kind {
    if english == "-" {
        return Kind::Nothing;
    }
    if let Some(scale) = english.strip_prefix('x').and_then(|number| number.parse().ok()) {
        return Kind::Scale(scale);
    }
    if let Ok(number) = english.parse() {
        return Kind::Number(number);
    }
    let words: Vec<&str> = english.split(' ').collect();
    let (first, last) = (words[0], words[words.len() - 1]);
    let found = lexicon.find(first, |at| words.get(at).copied());
    let does = |roles: Roles| lexicon.roles(first).any(roles) || found.width > 1 && found.roles.any(roles);
    if lexicon.unit(last).is_some() && (words.len() == 1 || does(COUNTS) || lexicon.is_size(first)) {
        Kind::Unit
    } else if does(COUNTS) {
        Kind::Count
    } else if does(JOINTS) {
        Kind::Joint
    } else {
        Kind::Modifier
    }
}
