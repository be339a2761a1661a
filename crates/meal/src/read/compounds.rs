//! Which words names of foods join: "orange juice" has both, and no name has "bagel juice".

use foldhash::{HashMap, HashSet};

use crate::lexicon::{Role, Roles, roles_in_any_language};

/// A food that is before so many words in names is what dishes are made of: "pork banh mi" is one dish, "bagel dosa" are two.
const MANY_HEADS: usize = 40;
/// Names with these words say more than what a food is made of: "tuna in water" is no tuna water.
const JOINTS: Roles = Roles::of(&[Role::And, Role::With, Role::In, Role::On, Role::Of, Role::Or]);

/// The words of names, each with the last word behind it.
#[derive(Debug, Default)]
pub(super) struct Compounds {
    pairs: HashSet<(String, String)>,
    /// Before how many last words each word is.
    heads: HashMap<String, usize>,
}

impl Compounds {
    /// Reads names, their words in the singular.
    pub fn of<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut all = Self::default();
        for (rest, head) in names.filter_map(|name| name.rsplit_once(' ')) {
            if rest.split(' ').any(|word| roles_in_any_language(word).any(JOINTS)) {
                continue;
            }
            for word in rest.split(' ') {
                if all.pairs.insert((word.to_owned(), head.to_owned())) {
                    *all.heads.entry(word.to_owned()).or_default() += 1;
                }
            }
        }
        all
    }

    /// Checks whether some name ends with a head and has a word before it.
    pub fn has(&self, word: &str, head: &str) -> bool {
        self.pairs.contains(&(word.to_owned(), head.to_owned()))
    }

    /// Checks whether a word is before many others.
    pub fn is_in_many(&self, word: &str) -> bool {
        self.heads.get(word).is_some_and(|heads| *heads >= MANY_HEADS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_with_the_heads_of_names() {
        let names = ["orange juice", "fresh orange juice", "tuna in water", "salad"].map(str::to_owned);
        let compounds = Compounds::of(names.iter());
        assert!(compounds.has("orange", "juice") && compounds.has("fresh", "juice"));
        assert!(!compounds.has("bagel", "juice") && !compounds.has("tuna", "water"));
        assert!(!compounds.is_in_many("orange"));
        let many: Vec<String> = (0..MANY_HEADS).map(|head| format!("pork food{head}")).collect();
        assert!(Compounds::of(many.iter()).is_in_many("pork"));
    }
}
