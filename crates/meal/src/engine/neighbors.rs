//! What foods mean beside others: chips beside a steak are fried potatoes, and the oat milk of a latte is in the place of its milk.

use foods::text::{singular, words};
use foods::{Food, Origin};

use super::Engine;
use crate::lexicon::{DishPart, Measure, MeasureTrait, TableTrait, measure, measure_is, table_traits};
use crate::link::candidates;
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::read::amount::Amount;
use crate::read::named_foods::stands_for_food;
use crate::read::segment::{Joint, Quantity, SegmentWord, required};

/// The part of a sandwich for which any bread is another.
const BREAD: &str = "bread";
/// The part of a drink that may be called like something to cook with.
const MILK: &str = "milk";
/// A unit of mass that is one of volume for drinks.
const OUNCE: &str = "oz";
/// A measure of what is added to drinks, one of hot drinks, and the most calories of 100 g of those without milk and sugar.
const SPLASH: &str = "splash";
const MUG: &str = "mug";
const MAX_OF_BLACK_DRINK: f64 = 5.0;
/// The unit of what is exchanged.
const GRAM: &str = "g";

impl Engine {
    /// Reads the foods of a text again by what is beside them.
    pub(super) fn read_beside_others(&self, mut mentions: Vec<Mention>) -> Vec<Mention> {
        let starts = (0..mentions.len()).filter(|&at| at == 0 || mentions[at].joint == Joint::Start);
        let starts: Vec<usize> = starts.chain([mentions.len()]).collect();
        for sentence in starts.windows(2) {
            self.read_sentence(&mut mentions[sentence[0]..sentence[1]]);
        }
        mentions
    }

    /// Gives words the meaning that they have beside the other foods of a sentence: chips beside a steak are no crisps. What is
    /// from a bag, and what has a name of its own, keeps its meaning.
    fn read_sentence(&self, sentence: &mut [Mention]) {
        for at in 0..sentence.len() {
            let Some(name) = self.name_beside(sentence, at).and_then(|name| self.everyday_names.meaning(name)) else {
                continue;
            };
            sentence[at].links = vec![Link { common: name.common, ..Link::of_name(name.food) }];
        }
    }

    /// Returns the everyday name of what a mention means beside the others of its sentence.
    fn name_beside(&self, sentence: &[Mention], at: usize) -> Option<&'static str> {
        let word = bare_word(&sentence[at])?;
        let mut rows = self.lexicon.beside().iter().filter(|row| singular(row.word) == word).peekable();
        rows.peek()?;
        let others = sentence.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<Vec<String>> = others.map(|(_, other)| self.words_about(other)).collect();
        rows.find(|row| others.iter().any(|words| row.is_beside(words))).map(|row| row.name)
    }

    /// Returns the words of a mention, and of the name, the category and the ingredients of its food.
    fn words_about(&self, mention: &Mention) -> Vec<String> {
        let said = mention.words.iter().map(|word| word.word.clone());
        let Some(food) = mention.links.first().and_then(|link| self.layer().food(link.food)) else {
            return said.collect();
        };
        let of_dish = food.description.as_deref().filter(|_| food.origin == Origin::Dish);
        let texts = [Some(food.name.as_str()), food.category.as_deref(), of_dish];
        said.chain(texts.into_iter().flatten().flat_map(words)).collect()
    }

    /// Checks whether a food is what a dish is mostly made of.
    pub(super) fn is_base(&self, dish: &Mention, food: &Mention) -> bool {
        let [dish, food] = [dish, food].map(|mention| self.name_of(mention));
        self.lexicon.bases().iter().any(|base| base.is_of(&dish) && base.is_base(&food))
    }

    /// Returns the words of what a mention is called, in full if a word stands for them.
    fn name_of(&self, mention: &Mention) -> Vec<String> {
        let said = mention.required_words();
        let link = mention.links.first().filter(|_| said.iter().any(|word| stands_for_food(word)));
        let called = link.and_then(|link| self.usual_portions(link).called.map(words));
        let named = || Some(words(&self.layer().food(link?.food)?.name));
        called.or_else(named).unwrap_or_else(|| said.into_iter().map(str::to_owned).collect())
    }

    /// Puts what is named behind a dish in the place of its own part of that kind. Where both have about the same values, it is
    /// only described: the bread of a sandwich.
    pub(super) fn exchange_parts(&self, mentions: Vec<Mention>) -> Vec<Mention> {
        let mut kept: Vec<Mention> = Vec::with_capacity(mentions.len());
        for mut mention in mentions {
            self.name_bread(&mut mention);
            if let Some(dish) = kept.last_mut() {
                self.give_volume_to_drink(dish, &mut mention);
                if mention.joint == Joint::Comma && self.is_stirred_into(dish, &mention) {
                    mention.joint = Joint::With;
                }
            }
            let exchanged = kept.last().and_then(|dish| self.exchanged_part(dish, &mention));
            if let Some((dish, Exchange { part, link, grams, is_alike })) = kept.last_mut().zip(exchanged) {
                if is_alike {
                    continue;
                }
                mention.links[0] = link;
                dish.without.push(part.name.to_owned());
                mention.quantity = mass(grams);
            }
            kept.push(mention);
        }
        kept
    }

    /// Names a bread that is called by its kind alone: "ham on white".
    fn name_bread(&self, mention: &mut Mention) {
        let kind = bare_word(mention).filter(|_| mention.joint == Joint::Preposition);
        let kind = kind.filter(|kind| !stands_for_food(kind) && self.everyday_names.meaning(kind).is_none());
        let bread = kind.and_then(|kind| self.everyday_names.meaning(&format!("{kind} {BREAD}")));
        if let Some(bread) = bread {
            mention.heads = vec![mention.words.len()];
            mention.words.push(SegmentWord::required(BREAD.to_owned()));
            mention.links = vec![Link { common: bread.common, ..Link::of_name(bread.food) }];
        }
    }

    /// Checks whether a food without an amount is one that people add a splash of to a coffee or tea, and that is before it:
    /// "coffee, oat milk".
    fn is_stirred_into(&self, drink: &Mention, mention: &Mention) -> bool {
        let has = |mention: &Mention, measure: &str| {
            let link = mention.links.first().filter(|_| mention.named.is_none());
            link.is_some_and(|link| self.usual_portions(link).of(measure).is_some())
        };
        let is_black = |food: Food| food.macros(100.0).calories <= MAX_OF_BLACK_DRINK;
        let food = drink.links.first().and_then(|link| self.layer().food(link.food));
        mention.quantity.is_empty() && has(mention, SPLASH) && has(drink, MUG) && food.is_some_and(is_black)
    }

    /// Gives a drink the volume or the size that stands behind what it is made with: "latte with oat milk, 16 oz".
    fn give_volume_to_drink(&self, drink: &mut Mention, mention: &mut Mention) {
        let quantity = &mention.quantity;
        let is_volume = matches!(quantity.measure, Some(Measure::Volume(_))) || quantity.unit.as_deref() == Some(OUNCE);
        let is_size = !quantity.is_explicit() && quantity.has_size() && !drink.quantity.has_size();
        if !(is_volume && quantity.trailing || is_size) || drink.quantity.is_explicit() {
            return;
        }
        let quantity = std::mem::take(&mut mention.quantity);
        if self.exchanged_part(drink, mention).is_none() {
            mention.quantity = quantity;
        } else if is_volume {
            drink.quantity = Quantity { sizes: std::mem::take(&mut drink.quantity.sizes), ..quantity };
        } else {
            drink.quantity.sizes.extend(quantity.sizes);
        }
    }

    /// Returns the part of a dish that a mention behind it is another kind of.
    fn exchanged_part(&self, dish: &Mention, mention: &Mention) -> Option<Exchange<'_>> {
        let joins = matches!(mention.joint, Joint::With | Joint::Preposition | Joint::Comma);
        let quantity = &mention.quantity;
        let has_amount = quantity.is_explicit() || quantity.container.is_some() || quantity.has_size();
        if !joins || has_amount || dish.named.is_some() || mention.named.is_some() {
            return None;
        }
        let food = |mention: &Mention| self.layer().food(mention.links.first()?.food);
        let (whole, other) = (food(dish)?, food(mention)?);
        let (name, typed) = (words(&whole.name), required(&mention.words).next_back()?);
        let is_own = |part: &&DishPart| part.is_of(&name) && is_kind_of(part, typed, &other);
        let part = self.lexicon.parts().iter().find(is_own)?;
        let own = self.everyday_id(part.food).and_then(|id| self.layer().find_id(id))?;
        let link = self.drunk(part, mention).or(mention.links.first().copied())?;
        let is_alike = candidates::is_alike(self.layer(), own, link.food);
        let (_, weight) = self.weighed(dish)?;
        Some(Exchange { part, link, grams: weight.grams * part.share, is_alike })
    }

    /// Returns the milk of a drink if another one is called so by itself: coconut milk is from a can, but not in a latte.
    fn drunk(&self, part: &DishPart, mention: &Mention) -> Option<Link> {
        let name = self.usual_portions(mention.links.first()?).name.filter(|_| part.name == MILK)?;
        let named = self.everyday_names.meaning(&format!("{name} drink"))?;
        Some(Link { common: named.common, ..Link::of_name(named.food) })
    }
}

/// A part of a dish in whose place another food is.
struct Exchange<'p> {
    part: &'p DishPart,
    /// The food in its place.
    link: Link,
    /// What it weighs.
    grams: f64,
    /// The other food has about the same values.
    is_alike: bool,
}

/// Returns the only word of a mention that says what it is, unless it is from a bag or was weighed.
fn bare_word(mention: &Mention) -> Option<&str> {
    let quantity = &mention.quantity;
    let is_bag = quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, MeasureTrait::Container));
    let is_weight = matches!(quantity.measure, Some(Measure::Mass(_))) || quantity.container.is_some();
    match mention.words.as_slice() {
        [only] if !only.optional && !is_bag && !is_weight && mention.named.is_none() => Some(only.word.as_str()),
        _ => None,
    }
}

/// Checks whether a food is another kind of a part.
fn is_kind_of(part: &DishPart, typed: &SegmentWord, food: &Food) -> bool {
    let main = words(food.name.split([',', '(']).next().unwrap_or_default());
    let is_bread = |word: &String| table_traits(word).has(TableTrait::Bread);
    // "Soymilk" is milk.
    let is_named = |word: &String| word.ends_with(part.name);
    typed.word == part.name || main.iter().any(is_named) || part.name == BREAD && main.iter().any(is_bread)
}

/// An amount in grams.
fn mass(grams: f64) -> Quantity {
    Quantity {
        amount: Some(Amount::explicit(grams)),
        unit: Some(GRAM.to_owned()),
        measure: measure(GRAM).cloned(),
        ..Quantity::default()
    }
}
