//! Products of makers and restaurant chains that a text names.
//!
//! A maker is often a word of something else ("subway", "quest"), and a product is called by words that other foods have too
//! ("chicken bowl"). Only together they say which product is meant: "a chicken bowl from Chipotle", "20 (Planters) cashews".
//! A few products have names that nothing else has. What is found is replaced by a word that stands for the product.

use std::ops::Range;

use super::maker_index::Anchor;
pub(crate) use super::maker_index::{MakerNames, NamedProduct};
use super::maker_reading::Reading;
use super::token::Token;
use crate::lexicon::Lexicon;

impl MakerNames {
    /// Finds the products that a text names. `is_other_name` checks whether tokens are the name of another food, of which
    /// the maker is only a word, or which a product is called like; `says_food`, whether a word says which food is meant.
    pub fn find(
        &self,
        text: &[Token],
        lexicon: &Lexicon,
        is_other_name: impl Fn(Range<usize>, bool) -> bool,
        says_food: impl Fn(&str) -> bool,
    ) -> Vec<NamedProduct> {
        let reading = Reading { all: self, text, lexicon, says_food: &says_food };
        let mut found: Vec<NamedProduct> = Vec::new();
        let mut chains: Vec<usize> = Vec::new();
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let is_other = |anchor: &Anchor| is_other_name(anchor.range.clone(), anchor.name.is_some());
            let Some(anchor) = self.anchor(text, at).filter(|anchor| !is_other(anchor)) else {
                at += 1;
                continue;
            };
            let end = found.last().map_or(0, |last| last.range.end);
            let product = match anchor.name {
                Some(name) => reading.product_alone(&anchor, name, end).or_else(|| {
                    let maker = self.maker_at(text, at)?;
                    reading.product_of_maker(&maker, end).filter(|product| product.food.is_some())
                }),
                None => reading.product_of_maker(&anchor, end).or_else(|| reading.flavored_brand(&anchor, end)),
            };
            if self.makers[anchor.maker].is_chain && (product.is_some() || anchor.name.is_none()) {
                chains.push(anchor.maker);
            }
            if product.is_none() {
                places.push(anchor.range.clone());
            }
            at = product.as_ref().map_or(anchor.range.end, |product| product.range.end.max(anchor.range.end));
            found.extend(product);
        }
        chains.dedup();
        if let [maker] = chains[..] {
            reading.add_from_same_place(maker, &places, &mut found);
        }
        found
    }

    /// Checks whether words are a maker, alone or with an amount before it and words behind it that are no food of its own.
    pub fn are_maker(&self, text: &[Token], lexicon: &Lexicon) -> bool {
        let reading = Reading { all: self, text, lexicon, says_food: &|_| false };
        let start = reading.end_of_amount();
        let end = self.maker_at(text, start).map(|maker| maker.range.end);
        end.is_some_and(|end| reading.right(end, None).last().map_or(end, |last| last.at + 1) == text.len())
    }
}

#[cfg(test)]
mod tests {
    use foods::products;

    use super::*;
    use crate::read::token::tokens;

    /// The names of the products that a text names, with what is said of their amount.
    fn found(text: &str) -> Vec<String> {
        let ids: Vec<String> = products::foods().map(|food| food.id).collect();
        let number_of = |id: &str| ids.iter().position(|known| known == id).map(|at| at as u32);
        let names = MakerNames::new(products::all(), number_of);
        let typed = tokens(text);
        let lexicon = Lexicon::default();
        let shown = |product: NamedProduct| {
            let amount = product.amount.iter().filter_map(Token::word).map(|word| format!("{word} "));
            let id = product.food.map_or("-", |food| &ids[food as usize]);
            amount.collect::<String>() + id.trim_start_matches("maker_")
        };
        names.find(&typed, &lexicon, |_, _| false, |word| word != "yum").into_iter().map(shown).collect()
    }

    #[test]
    fn a_maker_and_a_product_say_which_one_is_meant() {
        assert_eq!(found("20 (Planters) cashews"), ["planters_cashews"]);
        assert_eq!(found("footlong subway turkey"), ["subway_turkey_breast_sub"]);
        assert_eq!(found("subway 12 inch turkey sub"), ["footlong subway_turkey_breast_sub"]);
        assert_eq!(found("a chicken burrito bowl from Chipotle"), ["chipotle_chicken_burrito_bowl"]);
        assert_eq!(found("starbucks grande caramel macchiato"), ["grande starbucks_caramel_macchiato"]);
        assert_eq!(found("quest protein bar cookie dough"), ["quest_cookie_dough_protein_bar"]);
    }

    #[test]
    fn a_maker_with_a_flavor_is_its_usual_product() {
        assert_eq!(found("siggi's vanilla"), ["siggis_skyr"]);
        assert_eq!(found("Oikos strawberry"), ["oikos_oikos_greek_yogurt"]);
        assert_eq!(found("starbucks vanilla"), [""; 0]);
    }

    #[test]
    fn what_is_beside_a_product_of_a_chain_is_from_there_too() {
        assert_eq!(found("a big mac, medium fries and a bread roll"), ["mcdonalds_big_mac", "mcdonalds_french_fries"]);
    }

    #[test]
    fn a_word_that_is_also_a_maker_is_no_product() {
        for text in ["on the subway", "a quest for eggs", "two chilis", "chicken bowl"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("3 (Chili's) zebra rolls"), ["-"]);
    }
}
