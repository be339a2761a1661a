//! What kind of food a word means as a head: the categories of the foods whose head it is. Spring water is water, whatever
//! else has a spring in its name, because no food with the head "water" is an infant formula.

use std::collections::{HashMap, HashSet};

use foods::catalog::{FoodName, Layer};
use foods::index::Zone;

use super::name_stats::{head_before_additions, head_of};

/// The kinds of all names and heads.
#[derive(Debug, Default)]
pub(crate) struct HeadKinds {
    /// The category of each name, as a number.
    of_names: Vec<u16>,
    /// The heads, each with a category of the foods whose head it is.
    of_heads: HashSet<(u32, u16)>,
    /// The words that are the head of some name.
    heads: HashSet<u32>,
}

impl HeadKinds {
    /// Collects the categories of the names of an index.
    pub fn new(layer: &Layer, names: &[FoodName]) -> Self {
        let mut numbers: HashMap<&str, u16> = HashMap::new();
        let mut kinds = Self::default();
        // The names of a food follow each other.
        let mut latest: Option<(u32, Option<u32>)> = None;
        for name in names {
            let category = layer.category_of(name.food).unwrap_or("");
            let next = numbers.len() as u16;
            let number = *numbers.entry(category).or_insert(next);
            kinds.of_names.push(number);
            let own_head = match latest {
                Some((food, head)) if food == name.food => head,
                _ => head_before_additions(layer, name.food),
            };
            latest = Some((name.food, own_head));
            let is_said = |head: &u32| name.words.iter().any(|word| word.word == *head && word.zone == Zone::Main);
            let head = own_head.filter(is_said).or_else(|| head_of(name));
            if let Some(head) = head.filter(|_| !category.is_empty()) {
                kinds.of_heads.insert((head, number));
                kinds.heads.insert(head);
            }
        }
        kinds
    }

    /// Checks whether a word is the head of some name.
    pub fn is_head(&self, word: u32) -> bool {
        self.heads.contains(&word)
    }

    /// Checks whether the food of a name is of a kind that a word means as a head.
    pub fn fits(&self, name: u32, head: u32) -> bool {
        self.of_heads.contains(&(head, self.of_names[name as usize]))
    }
}
