//! What a word can do in a sentence.

/// Something that a word can do in a sentence. `lexicon/README.md` explains each with examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table of roles in lexicon/README.md explains them")]
pub enum Role {
    // Joints and prepositions.
    And,
    With,
    Or,
    But,
    On,
    In,
    Aside,
    Of,
    Preposition,
    When,
    Topped,
    Filled,
    ExchangedFor,
    Destination,
    // Denials.
    Denial,
    NotDone,
    Not,
    Intended,
    Exception,
    Auxiliary,
    Eaten,
    Added,
    Method,
    Free,
    // Determiners and pronouns.
    Indefinite,
    Definite,
    Possessive,
    Demonstrative,
    Some,
    Another,
    Leading,
    Pronoun,
    Person,
    Eater,
    Contraction,
    Pointer,
    All,
    // Verbs.
    Copula,
    Eating,
    Has,
    Make,
    Add,
    Also,
    Too,
    Addition,
    Removal,
    Undo,
    Clear,
    Take,
    Away,
    Exchange,
    Instead,
    Substituted,
    Shared,
    Ways,
    Serves,
    Left,
    // Talk.
    Opener,
    Answer,
    Correction,
    Only,
    More,
    Hedge,
    Polite,
    Extent,
    NamesNothing,
    SameView,
    DifferentView,
    Today,
    // Amounts.
    Number,
    Fraction,
    Group,
    Scale,
    Multiplier,
    Length,
    Amount,
    Predeterminer,
    Pounder,
    Each,
    Every,
    Times,
    Range,
    Size,
    Intensifier,
    Numbered,
    Blend,
    OtherUnit,
    Energy,
    Protein,
    Carbs,
    Fat,
    Clock,
    Old,
    // Nouns and adjectives.
    Meal,
    Compound,
    BreadRoll,
    Category,
    Venue,
    Alias,
    Pair,
    Generic,
    Kind,
    Alone,
    Nutrient,
    Made,
    Mixture,
    Stewed,
    Simmered,
    State,
    Cut,
    Pet,
    Attributive,
    Flavor,
    Tasting,
    Adjective,
    Name,
    Filler,
    Optional,
    Provenance,
    Unusual,
    // Spelling.
    Abbreviation,
    Glued,
}

/// Every role by the name that it has in the data files.
const NAMES: &[(&str, Role)] = &[
    ("and", Role::And),
    ("with", Role::With),
    ("or", Role::Or),
    ("but", Role::But),
    ("on", Role::On),
    ("in", Role::In),
    ("aside", Role::Aside),
    ("of", Role::Of),
    ("preposition", Role::Preposition),
    ("when", Role::When),
    ("topped", Role::Topped),
    ("filled", Role::Filled),
    ("exchanged-for", Role::ExchangedFor),
    ("destination", Role::Destination),
    ("denial", Role::Denial),
    ("not-done", Role::NotDone),
    ("not", Role::Not),
    ("intended", Role::Intended),
    ("exception", Role::Exception),
    ("auxiliary", Role::Auxiliary),
    ("eaten", Role::Eaten),
    ("added", Role::Added),
    ("method", Role::Method),
    ("free", Role::Free),
    ("indefinite", Role::Indefinite),
    ("definite", Role::Definite),
    ("possessive", Role::Possessive),
    ("demonstrative", Role::Demonstrative),
    ("some", Role::Some),
    ("another", Role::Another),
    ("leading", Role::Leading),
    ("pronoun", Role::Pronoun),
    ("person", Role::Person),
    ("eater", Role::Eater),
    ("contraction", Role::Contraction),
    ("pointer", Role::Pointer),
    ("all", Role::All),
    ("copula", Role::Copula),
    ("eating", Role::Eating),
    ("has", Role::Has),
    ("make", Role::Make),
    ("add", Role::Add),
    ("also", Role::Also),
    ("too", Role::Too),
    ("addition", Role::Addition),
    ("removal", Role::Removal),
    ("undo", Role::Undo),
    ("clear", Role::Clear),
    ("take", Role::Take),
    ("away", Role::Away),
    ("exchange", Role::Exchange),
    ("instead", Role::Instead),
    ("substituted", Role::Substituted),
    ("shared", Role::Shared),
    ("ways", Role::Ways),
    ("serves", Role::Serves),
    ("left", Role::Left),
    ("opener", Role::Opener),
    ("answer", Role::Answer),
    ("correction", Role::Correction),
    ("only", Role::Only),
    ("more", Role::More),
    ("hedge", Role::Hedge),
    ("polite", Role::Polite),
    ("extent", Role::Extent),
    ("names-nothing", Role::NamesNothing),
    ("same-view", Role::SameView),
    ("different-view", Role::DifferentView),
    ("today", Role::Today),
    ("number", Role::Number),
    ("fraction", Role::Fraction),
    ("group", Role::Group),
    ("scale", Role::Scale),
    ("multiplier", Role::Multiplier),
    ("length", Role::Length),
    ("amount", Role::Amount),
    ("predeterminer", Role::Predeterminer),
    ("pounder", Role::Pounder),
    ("each", Role::Each),
    ("every", Role::Every),
    ("times", Role::Times),
    ("range", Role::Range),
    ("size", Role::Size),
    ("intensifier", Role::Intensifier),
    ("numbered", Role::Numbered),
    ("blend", Role::Blend),
    ("other-unit", Role::OtherUnit),
    ("energy", Role::Energy),
    ("protein", Role::Protein),
    ("carbs", Role::Carbs),
    ("fat", Role::Fat),
    ("clock", Role::Clock),
    ("old", Role::Old),
    ("meal", Role::Meal),
    ("compound", Role::Compound),
    ("bread-roll", Role::BreadRoll),
    ("category", Role::Category),
    ("venue", Role::Venue),
    ("alias", Role::Alias),
    ("pair", Role::Pair),
    ("generic", Role::Generic),
    ("kind", Role::Kind),
    ("alone", Role::Alone),
    ("nutrient", Role::Nutrient),
    ("made", Role::Made),
    ("mixture", Role::Mixture),
    ("stewed", Role::Stewed),
    ("simmered", Role::Simmered),
    ("state", Role::State),
    ("cut", Role::Cut),
    ("pet", Role::Pet),
    ("attributive", Role::Attributive),
    ("flavor", Role::Flavor),
    ("tasting", Role::Tasting),
    ("adjective", Role::Adjective),
    ("name", Role::Name),
    ("filler", Role::Filler),
    ("optional", Role::Optional),
    ("provenance", Role::Provenance),
    ("unusual", Role::Unusual),
    ("abbreviation", Role::Abbreviation),
    ("glued", Role::Glued),
];

impl Role {
    /// Returns the role with this name in the data files.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role)
    }

    /// Returns the names of all roles.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Checks whether words with this role have a value: "two" is the number 2.
    pub const fn has_value(self) -> bool {
        matches!(self, Role::Number | Role::Fraction | Role::Group | Role::Scale | Role::Multiplier | Role::Length)
    }
}

/// A set of roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(u128);

impl Roles {
    /// The roles of a word that is in no list, as the names of foods are.
    pub const NONE: Self = Self(0);

    /// Returns the set of these roles.
    pub const fn of(roles: &[Role]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < roles.len() {
            bits |= 1 << roles[at] as u32;
            at += 1;
        }
        Self(bits)
    }

    /// Returns the roles of both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Checks for a role.
    pub const fn has(self, role: Role) -> bool {
        self.0 & (1 << role as u32) != 0
    }

    /// Checks for any of several roles.
    pub const fn any(self, roles: Self) -> bool {
        self.0 & roles.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_roles() {
        let roles = Roles::of(&[Role::And, Role::Glued]);
        assert!(roles.has(Role::And) && roles.has(Role::Glued) && !roles.has(Role::With));
        assert!(roles.any(Roles::of(&[Role::With, Role::And])) && !roles.any(Roles::of(&[Role::With])));
        assert!(!Roles::NONE.any(roles));
        assert!(Roles::NONE.or(roles) == roles);
    }

    #[test]
    fn every_role_has_its_own_name() {
        for (at, (name, role)) in NAMES.iter().enumerate() {
            assert_eq!(*role as usize, at, "{name} is not at its place in the list of names");
            assert_eq!(Role::from_name(name), Some(*role));
        }
        assert_eq!(NAMES.len(), Role::Glued as usize + 1);
        assert!(NAMES.len() <= 128);
    }
}
