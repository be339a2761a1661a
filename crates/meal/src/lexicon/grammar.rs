//! The table of what words do in sentences: `grammar.tsv` of each language.

use std::collections::HashMap;
use std::fmt;

use super::role::{Role, Roles};

/// Shorter words have no ending that would say what they do: "ally" is not an adverb.
const MIN_LETTERS_WITH_ENDING: usize = 6;

/// What the words of a language do in sentences.
#[derive(Debug, Default)]
pub struct Grammar {
    /// The words of the table and the first words of its phrases.
    words: foldhash::HashMap<&'static str, Entry>,
    /// What the endings of words tell.
    endings: Vec<(&'static str, Roles)>,
}

/// A word of the table.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    roles: Roles,
    values: Vec<(Role, f64)>,
    /// The phrases that it begins, the longest first.
    phrases: Vec<GrammarPhrase>,
}

/// A row of the table.
#[derive(Debug, Default)]
struct Row {
    roles: Roles,
    values: Vec<(Role, f64)>,
}

/// A phrase that does something which its words do not do alone: "other than" denies.
#[derive(Clone, Debug, PartialEq)]
pub struct GrammarPhrase {
    /// The words.
    pub words: Vec<&'static str>,
    /// What it does.
    pub roles: Roles,
    /// The words that it is read as, if not its own.
    pub read_as: Option<&'static str>,
}

/// What a word does, or the phrase that it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WordUse {
    /// What it does.
    pub roles: Roles,
    /// How many words it has.
    pub width: usize,
    /// The words that it is read as, if not its own.
    pub read_as: Option<&'static str>,
}

/// A mistake in a table.
#[derive(Debug, PartialEq)]
pub struct GrammarError {
    line: usize,
    problem: String,
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grammar.tsv, line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for GrammarError {}

impl Grammar {
    /// Reads a table. Each row is a word, a phrase or an ending ("-ly"), a tab and its roles; a phrase may have a third
    /// column with the words that it is read as.
    ///
    /// # Errors
    ///
    /// Returns the first row that cannot be read, has an unknown role, or repeats a word.
    pub fn parse(table: &'static str) -> Result<Self, GrammarError> {
        let mut grammar = Self::default();
        let mut seen: HashMap<&'static str, usize> = HashMap::new();
        let rows = table.lines().zip(1..).filter(|(row, _)| !row.is_empty() && !row.starts_with('#'));
        for (row, line) in rows {
            let fail = |problem: String| GrammarError { line, problem };
            let mut columns = row.split('\t');
            let (Some(word), Some(roles)) = (columns.next(), columns.next()) else {
                return Err(fail(format!("expected a word, a tab and its roles in {row:?}")));
            };
            let (read_as, rest) = (columns.next(), columns.next());
            if word.is_empty() || word.trim() != word || rest.is_some() {
                return Err(fail(format!("expected a word, a tab, its roles and at most one more column in {row:?}")));
            }
            if let Some(first) = seen.insert(word, line) {
                return Err(fail(format!("{word:?} is already on line {first}; write all its roles there")));
            }
            let row = Row::parse(roles).map_err(fail)?;
            grammar.add(word, row, read_as).map_err(fail)?;
        }
        grammar.apply_endings();
        Ok(grammar)
    }

    fn add(&mut self, word: &'static str, row: Row, read_as: Option<&'static str>) -> Result<(), String> {
        let words: Vec<&'static str> = word.split(' ').collect();
        if let [first, _, ..] = words[..] {
            let phrases = &mut self.words.entry(first).or_default().phrases;
            let place = phrases.partition_point(|other| other.words.len() >= words.len());
            phrases.insert(place, GrammarPhrase { roles: row.roles, read_as, words });
        } else if read_as.is_some() {
            return Err(format!("only a phrase can be read as other words, and {word:?} is a single one"));
        } else if let Some(ending) = word.strip_prefix('-') {
            self.endings.push((ending, row.roles));
        } else {
            let entry = self.words.entry(word).or_default();
            (entry.roles, entry.values) = (row.roles, row.values);
        }
        Ok(())
    }

    /// Adds to the words of the table what their endings tell. A name only looks like a word with that ending.
    fn apply_endings(&mut self) {
        let endings = std::mem::take(&mut self.endings);
        for (word, entry) in &mut self.words {
            if !entry.roles.has(Role::Name) {
                entry.roles = entry.roles.or(roles_by_ending(word, &endings));
            }
        }
        self.endings = endings;
    }

    /// Returns what a folded word does; nothing for a word that is in no list.
    pub fn roles(&self, word: &str) -> Roles {
        match self.words.get(word) {
            Some(entry) => entry.roles,
            None => roles_by_ending(word, &self.endings),
        }
    }

    /// Checks whether the table has a word, and not only its ending.
    pub fn has(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// Checks whether a word begins a phrase of the table.
    pub fn begins_phrase(&self, word: &str) -> bool {
        self.words.get(word).is_some_and(|entry| !entry.phrases.is_empty())
    }

    /// Returns the value that a word has in a role: "two" is 2 as a number.
    pub fn value(&self, word: &str, role: Role) -> Option<f64> {
        let values = &self.words.get(word)?.values;
        values.iter().find(|(known, _)| *known == role).map(|(_, value)| *value)
    }

    /// Returns what a word does, or the longest phrase that it begins; `next` gives the words behind it, the first as 1. A
    /// fixed pair ("salt and vinegar") is not a phrase that does something.
    pub fn find<'w>(&self, word: &str, next: impl Fn(usize) -> Option<&'w str>) -> WordUse {
        let Some(entry) = self.words.get(word) else {
            return WordUse { roles: roles_by_ending(word, &self.endings), width: 1, read_as: None };
        };
        let phrase = entry.phrases.iter().find(|phrase| phrase.does_something() && phrase.follows(&next));
        phrase.map_or_else(
            || WordUse { roles: entry.roles, width: 1, read_as: None },
            |phrase| WordUse { roles: phrase.roles, width: phrase.words.len(), read_as: phrase.read_as },
        )
    }

    /// Checks whether a word begins a fixed pair: one food although "and" joins its words.
    pub fn is_pair<'w>(&self, word: &str, next: impl Fn(usize) -> Option<&'w str>) -> bool {
        let phrases = self.words.get(word).map_or(&[][..], |entry| &entry.phrases);
        phrases.iter().any(|phrase| phrase.roles.has(Role::Pair) && phrase.follows(&next))
    }

    /// Returns all words with a role.
    pub fn words_with(&self, role: Role) -> impl Iterator<Item = &'static str> + '_ {
        self.words.iter().filter(move |(_, entry)| entry.roles.has(role)).map(|(word, _)| *word)
    }

    /// Returns all phrases with a role.
    pub fn phrases_with(&self, role: Role) -> impl Iterator<Item = &GrammarPhrase> + '_ {
        self.words.values().flat_map(|entry| &entry.phrases).filter(move |phrase| phrase.roles.has(role))
    }
}

impl GrammarPhrase {
    fn follows<'w>(&self, next: &impl Fn(usize) -> Option<&'w str>) -> bool {
        (1..self.words.len()).all(|at| next(at) == Some(self.words[at]))
    }

    fn does_something(&self) -> bool {
        self.roles != const { Roles::of(&[Role::Pair]) }
    }
}

impl Row {
    fn parse(roles: &str) -> Result<Self, String> {
        let mut row = Self::default();
        for text in roles.split(' ') {
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            let role = Role::from_name(name).ok_or_else(|| {
                let known: Vec<&str> = Role::names().collect();
                format!("unknown role {name:?}; the roles are: {}", known.join(", "))
            })?;
            if row.roles.has(role) {
                return Err(format!("the role {name:?} is there twice"));
            }
            row.roles = row.roles.or(Roles::of(&[role]));
            match value.map(number) {
                Some(Some(value)) if role.has_value() => row.values.push((role, value)),
                None if !role.has_value() => {}
                None => return Err(format!("the role {name:?} needs a value, as in \"{name}=2\"")),
                Some(None) => return Err(format!("the value of {text:?} is not a number")),
                Some(_) => return Err(format!("the role {name:?} has no value")),
            }
        }
        Ok(row)
    }
}

/// Returns what the ending of a word tells.
fn roles_by_ending(word: &str, endings: &[(&'static str, Roles)]) -> Roles {
    if word.len() < MIN_LETTERS_WITH_ENDING {
        return Roles::NONE;
    }
    let ending = endings.iter().find(|(ending, _)| word.ends_with(ending));
    ending.map_or(Roles::NONE, |(_, roles)| *roles)
}

/// Reads "2", "0.5" or "1/3".
fn number(text: &str) -> Option<f64> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let value = above.parse::<f64>().ok()? / below.parse::<f64>().ok()?;
    (value.is_finite() && value > 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(table: &'static str) -> String {
        Grammar::parse(table).expect_err(table).to_string()
    }

    #[test]
    fn words_phrases_and_endings() {
        let table = "# Comment.\n\nno\tdenial\nother than\tdenial\nother than that\tfiller\tother\n-ly\tfiller\nphilly\tname\nfamily\tsize\n";
        let grammar = Grammar::parse(table).expect("a table");
        assert!(grammar.roles("no").has(Role::Denial));
        assert_eq!(grammar.roles("noodles"), Roles::NONE);
        assert!(grammar.roles("lightly").has(Role::Filler) && !grammar.roles("philly").has(Role::Filler));
        assert!(grammar.roles("family").has(Role::Filler) && grammar.roles("family").has(Role::Size));
        assert_eq!(grammar.roles("jelly"), Roles::NONE);
        let find = |words: &'static [&'static str]| grammar.find(words[0], |at| words.get(at).copied());
        assert_eq!((find(&["other", "than", "ham"]).width, find(&["other", "than", "that"]).width), (2, 3));
        assert_eq!(find(&["other", "than", "that"]).read_as, Some("other"));
        assert_eq!(find(&["other"]), WordUse { roles: Roles::NONE, width: 1, read_as: None });
        assert!(find(&["no", "than"]).roles.has(Role::Denial));
        assert_eq!(grammar.words_with(Role::Denial).collect::<Vec<_>>(), ["no"]);
        assert_eq!(grammar.phrases_with(Role::Denial).count(), 1);
    }

    #[test]
    fn fixed_pairs_keep_what_their_words_do() {
        let grammar = Grammar::parse("sweet\toptional\nsweet and sour\tpair\n").expect("a table");
        let next = |at: usize| ["sweet", "and", "sour"].get(at).copied();
        assert!(grammar.is_pair("sweet", next) && !grammar.is_pair("sour", next));
        assert!(grammar.find("sweet", next).roles.has(Role::Optional));
    }

    #[test]
    fn values_of_roles() {
        let grammar = Grammar::parse("twice\tnumber=2 multiplier=2\nthird\tfraction=1/3 filler\n").expect("a table");
        assert_eq!(grammar.value("twice", Role::Multiplier), Some(2.0));
        assert_eq!(grammar.value("third", Role::Fraction), Some(1.0 / 3.0));
        assert_eq!(grammar.value("third", Role::Number), None);
        assert_eq!(grammar.value("ham", Role::Number), None);
    }

    #[test]
    fn mistakes_are_refused_with_the_line_and_the_reason() {
        assert!(
            refused("no\tdenial\nham\tmeat\n")
                .starts_with("grammar.tsv, line 2: unknown role \"meat\"; the roles are: and,")
        );
        assert_eq!(
            refused("no\tdenial\n# Comment.\nno\tfiller\n"),
            "grammar.tsv, line 3: \"no\" is already on line 1; write all its roles there"
        );
        assert!(refused("other than\tdenial\nother than\tdenial\n").contains("already on line 1"));
        assert!(refused("no denial\n").contains("expected a word, a tab and its roles"));
        assert!(refused("no\t\n").contains("unknown role \"\""));
        assert!(refused("no \tdenial\n").contains("expected a word"));
        assert!(refused("no\tdenial denial\n").contains("there twice"));
        assert!(refused("two\tnumber\n").contains("needs a value, as in \"number=2\""));
        assert!(refused("two\tnumber=ten\n").contains("not a number"));
        assert!(refused("two\tnumber=1/0\n").contains("not a number"));
        assert!(refused("no\tdenial=2\n").contains("has no value"));
        assert!(refused("no\tdenial\tnot\n").contains("only a phrase"));
    }
}
