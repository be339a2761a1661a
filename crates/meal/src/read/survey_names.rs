//! Names of the survey's foods that have names of dishes in them: "ramen bowl with chicken" is a food of its own, and no ramen with
//! chicken beside it.

use foldhash::HashMap;
use foods::Origin;
use foods::catalog::Layer;
use foods::text::singular;

use super::token::{Token, tokens};

/// Shorter names have no dish and something else in them.
const MIN_WORDS: usize = 3;
/// Longer names are typed by nobody.
const MAX_WORDS: usize = 8;

/// Names by their first word, the longest first; all words in the singular.
#[derive(Debug, Default)]
pub struct SurveyNames(HashMap<String, Vec<Vec<String>>>);

impl SurveyNames {
    /// Lists the names of the survey's foods, which begin a layer.
    pub fn of(layer: &Layer) -> Self {
        let is_survey = |number: &u32| layer.origin_of(*number).is_some_and(Origin::is_survey);
        let numbers = (0..layer.len()).take_while(is_survey);
        Self::new(numbers.filter_map(|number| Some(layer.names_of(number)?.0)))
    }

    fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut by_first: HashMap<String, Vec<Vec<String>>> = HashMap::default();
        for name in names {
            let Some(words) = words_of(name).filter(|words| (MIN_WORDS..=MAX_WORDS).contains(&words.len())) else {
                continue;
            };
            by_first.entry(words[0].clone()).or_default().push(words);
        }
        for names in by_first.values_mut() {
            names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        }
        Self(by_first)
    }

    /// Returns how many tokens the longest name has that a text, with words in the singular, begins with.
    pub fn length_at(&self, text: &[Token]) -> Option<usize> {
        let names = self.0.get(text.first()?.word()?)?;
        let names = &names[names.partition_point(|name| name.len() > text.len())..];
        let is_here = |name: &&Vec<String>| name.iter().zip(text).all(|(word, token)| token.word() == Some(word));
        names.iter().find(is_here).map(Vec::len)
    }
}

/// Returns the words of a name, in the singular; `None` if it has brackets or numbers.
fn words_of(name: &str) -> Option<Vec<String>> {
    let tokens = tokens(name);
    let tokens = tokens.iter().filter(|token| **token != Token::Comma);
    tokens.map(|token| token.word().map(singular)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_counts() {
        let names =
            SurveyNames::new(["Ramen bowl, with chicken", "Ramen bowl", "Tuna salad (canned) with egg"].into_iter());
        for (text, expected) in [
            ("ramen bowl with chicken and rice", Some(4)),
            ("ramen bowl with egg", None),
            ("tuna salad canned with egg", None),
        ] {
            assert_eq!(names.length_at(&tokens(text)), expected, "{text}");
        }
    }
}
