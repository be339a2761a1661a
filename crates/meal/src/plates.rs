//! Dishes that no table has are said in foods that the tables have: "avocado toast" is toast with avocado. The list is a
//! data file. A caller's own recipe of that name has been found before.

use std::collections::HashMap;

use foods::text::singular;

use crate::token::{Token, tokens};

/// The words of a dish, each in the singular, and what is on the plate.
type Plate = (Vec<String>, Vec<Token>);

/// The dishes of the list, by their first word.
#[derive(Debug)]
pub struct Plates(HashMap<String, Vec<Plate>>);

impl Default for Plates {
    fn default() -> Self {
        let mut all: HashMap<String, Vec<Plate>> = HashMap::new();
        let lines = include_str!("../lexicon/plates.tsv").lines().filter(|line| !line.starts_with('#'));
        for (dish, plate) in lines.filter_map(|line| line.split_once('\t')) {
            let words: Vec<String> = dish.split_whitespace().map(singular).collect();
            let first = dish.split_whitespace().next().unwrap_or_default();
            for said in [first.to_owned(), singular(first)] {
                let plates = all.entry(said).or_default();
                // The longest first, so that "full english breakfast" is not "full english" and a breakfast.
                let place = plates.partition_point(|(other, _)| other.len() >= words.len());
                if !plates.iter().any(|(other, _)| *other == words) {
                    plates.insert(place, (words.clone(), tokens(plate)));
                }
            }
        }
        Self(all)
    }
}

impl Plates {
    /// The text with its dishes said in foods; nothing where it has none.
    pub fn spell_out(&self, text: &[Token]) -> Option<Vec<Token>> {
        let mut out: Option<Vec<Token>> = None;
        let mut at = 0;
        while at < text.len() {
            if let Some((dish, plate)) = self.at(&text[at..]) {
                out.get_or_insert_with(|| text[..at].to_vec()).extend_from_slice(plate);
                at += dish.len();
            } else {
                if let Some(out) = &mut out {
                    out.push(text[at].clone());
                }
                at += 1;
            }
        }
        out
    }

    /// The dish that a text begins with.
    fn at(&self, text: &[Token]) -> Option<&Plate> {
        let Token::Word(first) = text.first()? else { return None };
        let is_said = |(dish, _): &&Plate| {
            let said = text.iter().map(|token| match token {
                Token::Word(word) => Some(word),
                _ => None,
            });
            dish.len() <= text.len()
                && dish.iter().zip(said).all(|(word, said)| said.is_some_and(|said| singular(said) == *word))
        };
        let next_is_name = |(dish, _): &&Plate| match text.get(dish.len()) {
            Some(Token::Word(next)) => NAMES.contains(&singular(next).as_str()),
            _ => false,
        };
        self.0.get(first)?.iter().find(|plate| is_said(plate) && !next_is_name(plate))
    }
}

/// What a dish before it is only a kind of: "ham and eggs sandwich".
const NAMES: &[&str] = &[
    "sandwich",
    "burger",
    "roll",
    "wrap",
    "pizza",
    "salad",
    "soup",
    "pie",
    "casserole",
    "omelet",
    "omelette",
    "bagel",
    "biscuit",
    "muffin",
    "burrito",
    "pasta",
    "mix",
    "snack",
    "bar",
    "dinner",
    "meal",
    "bite",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Option<Vec<Token>> {
        Plates::default().spell_out(&tokens(text))
    }

    #[test]
    fn a_dish_becomes_its_foods_wherever_it_stands() {
        assert_eq!(spelled("two avocado toasts, please"), Some(tokens("two toast with avocado, please")));
        assert_eq!(spelled("Fish & chips"), Some(tokens("fried fish and french fries")));
        assert_eq!(spelled("a full English breakfast"), spelled("a full English"));
        assert_eq!(
            spelled("beer, crackers with cheese and fish and chips"),
            Some(tokens("beer, crackers, cheese and fried fish and french fries"))
        );
    }

    #[test]
    fn what_is_no_dish_of_the_list_stays() {
        for text in ["", "fish", "fish and", "toast with avocado", "ham and eggs sandwich", "cheese, crackers"] {
            assert_eq!(spelled(text), None, "{text}");
        }
    }
}
