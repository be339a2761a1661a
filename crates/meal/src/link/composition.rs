//! What composed dishes are made of, as their descriptions tell it.

use foods::catalog::Layer;
use foods::dishes::PLUS;
use foods::text::words;
use foods::{Food, Origin};

/// A food that a dish is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RecipePart {
    /// The words of the main part of its name.
    pub main_name: Vec<String>,
    /// Its whole name, if it is known which food it is.
    pub food: Option<String>,
    /// Its share of the weight of the dish; 0 if unknown.
    pub share: f64,
}

impl RecipePart {
    /// A part of which only a word is known.
    pub fn of_word(word: &str) -> Self {
        Self { main_name: vec![word.to_owned()], food: None, share: 0.0 }
    }

    /// Checks whether a word is the head of its name.
    pub fn is_called(&self, word: &str) -> bool {
        self.main_name.last().is_some_and(|head| head == word)
    }

    /// Checks whether it is the food with this name, or that its publisher calls so.
    pub fn is_food(&self, (name, published): (&str, Option<&str>)) -> bool {
        self.food.as_deref().is_some_and(|food| food == name || Some(food) == published)
    }
}

/// Returns the foods that a dish is composed of; none if it is no composed dish.
pub(crate) fn composed_of(dish: &Food) -> Vec<RecipePart> {
    let description = dish.description.as_deref().filter(|_| dish.origin == Origin::Dish);
    description.map(described).unwrap_or_default()
}

/// Returns the same for a food of a layer, without decoding it.
pub(crate) fn composition_of(layer: &Layer, food: u32) -> Vec<RecipePart> {
    let names = layer.names_of(food).filter(|_| layer.origin_of(food) == Some(Origin::Dish));
    names.and_then(|(_, description)| description).map(described).unwrap_or_default()
}

/// Reads the description of a composed dish.
fn described(description: &str) -> Vec<RecipePart> {
    let parts = description.split(PLUS).filter_map(|part| part.split_once(" g "));
    let parts: Vec<(f64, &str)> = parts.filter_map(|(grams, food)| Some((grams.parse().ok()?, food))).collect();
    let whole = parts.iter().map(|(grams, _)| grams).sum::<f64>().max(f64::MIN_POSITIVE);
    let part = |&(grams, food): &(f64, &str)| RecipePart {
        main_name: main_name(food),
        food: Some(food.to_owned()),
        share: grams / whole,
    };
    parts.iter().map(part).collect()
}

/// Returns the words of the main part of a name.
pub(crate) fn main_name(name: &str) -> Vec<String> {
    words(name.split([',', '(']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use foods::Nutrients;

    use super::*;

    #[test]
    fn parts_are_foods_with_their_share_of_the_dish() {
        let mut dish = Food::new("dish_x", Origin::Dish, "X", Nutrients::default());
        dish.description = Some("37.5 g Egg, poached + 12.5 g Tomato sauce (canned)".to_owned());
        let part = |main_name: &[&str], food: &str, share| RecipePart {
            main_name: main_name.iter().map(ToString::to_string).collect(),
            food: Some(food.to_owned()),
            share,
        };
        let parts = [part(&["egg"], "Egg, poached", 0.75), part(&["tomato", "sauce"], "Tomato sauce (canned)", 0.25)];
        assert_eq!(composed_of(&dish), parts);
        dish.origin = Origin::Fndds2021;
        assert_eq!(composed_of(&dish), [], "its description is another name");
    }
}
