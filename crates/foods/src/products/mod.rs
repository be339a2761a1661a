//! Products of makers and restaurant chains that the food tables do not have, with the values that their makers publish.
//!
//! The list beside this file is text. A line that begins with `=` is a maker: name; what people call it; `chain` if it is a
//! restaurant or a café. The lines below it are its products:
//!
//! ```text
//! = McDonald's; mcdonalds, maccas; chain
//! Big Mac!; 219; 590 25 46 34
//! French fries, fries; 111; 320 4 43 15; small 71, large 154
//! ```
//!
//! A product has names, the grams of one serving (`355ml` for a drink), calories, protein, carbs and fat of it, and the grams of
//! other measures and sizes. A name with `!` says which product is meant without its maker; beside one with `*` other words
//! may stand, such as flavors. Without the maker these must be flavors, which a line that begins with `~` lists.

use std::sync::LazyLock;

use crate::common::{self, CommonPortion};
use crate::food::{Food, Origin, Portion, Serving};
use crate::import::check;
use crate::nutrients::{Nutrient, Nutrients};
use crate::text;

/// Grams in a fluid ounce of a drink.
const FLUID_OUNCE: f32 = 29.57;
/// Measures of pieces, which are counted: "an Oreo".
const PIECES: &[&str] = &[
    "piece",
    "cookie",
    "cracker",
    "chip",
    "crisp",
    "biscuit",
    "wafer",
    "nugget",
    "wing",
    "tender",
    "strip",
    "kiss",
    "truffle",
    "ball",
    "waffle",
    "tart",
    "pretzel",
    "peanut",
    "almond",
    "cashew",
    "nut",
    "taco",
    "link",
    "patty",
    "pancake",
    "meatball",
    "bite",
    "breadstick",
    "crumpet",
    "taquito",
    "cake",
    "pastry",
];
/// Categories of the products.
const OF_MAKER: &str = "Products of makers";
const DRINK: &str = "Drinks of makers";
const OF_CHAIN: &str = "Restaurant items";

/// A maker or a restaurant chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Maker {
    /// The name that people read.
    pub name: &'static str,
    /// What people call it, in lower case.
    pub aliases: Vec<&'static str>,
    /// It is a restaurant or a café, so that what is named beside one of its products is often from there too.
    pub is_chain: bool,
    /// What it sells.
    pub products: Vec<MakerProduct>,
}

/// Begins a list of flavors that no drink has.
const OF_FOODS: &str = "of foods:";

/// A product of a maker.
#[derive(Clone, Debug, PartialEq)]
pub struct MakerProduct {
    /// What people call it, the name that they read first.
    pub names: Vec<ProductName>,
    /// The grams of one serving.
    pub grams: f32,
    /// Calories, protein, carbs and fat of one serving.
    pub values: [f32; 4],
    /// Other measures and sizes.
    pub measures: Vec<CommonPortion>,
    /// It is measured in fluid ounces.
    pub is_drink: bool,
}

/// A name of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductName {
    /// As people type it.
    pub text: &'static str,
    /// It says which product is meant without the maker.
    pub is_enough: bool,
    /// Other words may stand beside it.
    pub may_have_flavor: bool,
}

/// Returns all makers, in the order of the list.
pub fn all() -> &'static [Maker] {
    static ALL: LazyLock<Vec<Maker>> = LazyLock::new(|| read(include_str!("products.txt")));
    &ALL
}

/// A flavor of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flavor {
    /// As people type it.
    pub text: &'static str,
    /// Foods have it, and no drink does.
    pub is_of_foods: bool,
}

/// Returns the flavors.
pub fn flavors() -> impl Iterator<Item = Flavor> {
    let lists = include_str!("products.txt").lines().filter_map(|line| line.strip_prefix('~')).map(str::trim_start);
    lists.flat_map(|list| {
        let of_foods = list.strip_prefix(OF_FOODS);
        items(of_foods.unwrap_or(list)).map(move |text| Flavor { text, is_of_foods: of_foods.is_some() })
    })
}

/// Reads the list. What is no maker and no product is left out.
fn read(list: &'static str) -> Vec<Maker> {
    let mut makers: Vec<Maker> = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with(['#', '~'])) {
        if let Some(maker) = line.strip_prefix('=') {
            makers.extend(maker_of(maker));
        } else if let (Some(maker), Some(product)) = (makers.last_mut(), product_of(line)) {
            maker.products.push(product);
        }
    }
    makers
}

fn maker_of(line: &'static str) -> Option<Maker> {
    let mut columns = line.split(';').map(str::trim);
    let name = columns.next().filter(|name| !name.is_empty())?;
    let aliases = items(columns.next().unwrap_or_default()).collect();
    Some(Maker { name, aliases, is_chain: columns.next() == Some("chain"), products: Vec::new() })
}

fn product_of(line: &'static str) -> Option<MakerProduct> {
    let mut columns = line.split(';').map(str::trim);
    let names: Vec<ProductName> = items(columns.next()?).map(name_of).collect();
    let serving = columns.next()?;
    let grams = serving.strip_suffix("ml").unwrap_or(serving).parse().ok().filter(|grams| check::is_weight(*grams))?;
    let values: Vec<f32> = columns.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let measures = common::portions_of(columns.next().unwrap_or_default()).collect();
    let is_drink = serving.ends_with("ml");
    (!names.is_empty()).then_some(MakerProduct { names, grams, values: values.try_into().ok()?, measures, is_drink })
}

fn items(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(',').map(str::trim).filter(|item| !item.is_empty())
}

fn name_of(name: &'static str) -> ProductName {
    let text = name.trim_end_matches(['!', '*']);
    let marks = &name[text.len()..];
    ProductName { text, is_enough: marks.contains('!'), may_have_flavor: marks.contains('*') }
}

impl Maker {
    /// Returns the id of a product in the catalog.
    pub fn id_of(&self, product: &MakerProduct) -> String {
        let words = |name: &str| text::raw_words(name, usize::MAX).join("_").replace('%', "");
        let name = product.names.first().map(|name| name.text).unwrap_or_default();
        format!("maker_{}_{}", words(self.name), words(name))
    }

    /// Returns a product as a food of the catalog; `None` if its values are impossible.
    pub fn food(&self, product: &MakerProduct) -> Option<Food> {
        let mut nutrients = Nutrients::default();
        let macros = [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat];
        for (nutrient, value) in macros.into_iter().zip(product.values) {
            nutrients.set(nutrient, value * 100.0 / product.grams);
        }
        let mut portions: Vec<Portion> = Vec::new();
        portions.extend(product.measures.iter().map(|one| Portion::new(format!("1 {}", one.measure), one.grams)));
        portions.extend(product.is_drink.then(|| Portion::new("1 fl oz".to_owned(), FLUID_OUNCE)));
        let (name, others) = product.names.split_first()?;
        let head = text::words(name.text).pop().unwrap_or_default();
        portions.extend(product.piece().map(|grams| Portion::new(format!("1 {head}"), grams)));
        let category = match (self.is_chain, product.is_drink) {
            (_, true) => DRINK,
            (true, false) => OF_CHAIN,
            (false, false) => OF_MAKER,
        };
        let food = Food {
            brand: Some(self.name.to_owned()),
            category: Some(category.to_owned()),
            synonyms: others.iter().map(|name| name.text.to_owned()).collect(),
            serving: Serving { description: "1 serving".to_owned(), grams: product.grams },
            ..Food::new(self.id_of(product), Origin::Maker, name.text, nutrients)
        };
        let mut food = food.with_portions(portions);
        check::food(&mut food).ok()?;
        Some(food)
    }
}

impl MakerProduct {
    /// Returns what a piece weighs, if a serving has several.
    pub fn piece(&self) -> Option<f32> {
        let is_piece = |one: &&CommonPortion| PIECES.contains(&one.measure) && one.grams < self.grams;
        self.measures.iter().find(is_piece).map(|one| one.grams)
    }
}

/// Returns the products of all makers as foods of the catalog.
pub fn foods() -> impl Iterator<Item = Food> {
    all().iter().flat_map(|maker| maker.products.iter().filter_map(|product| maker.food(product)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Calories of a gram of protein, carbs and fat.
    const OF_A_GRAM: [f32; 3] = [4.0, 4.0, 9.0];

    #[test]
    fn every_row_is_read() {
        let list = include_str!("products.txt");
        let rows = list.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '=', '~']));
        let unread: Vec<&str> = rows.filter(|row| product_of(row).is_none()).collect();
        assert_eq!(unread, [""; 0]);
        assert_eq!(list.lines().filter(|line| line.starts_with('=')).count(), all().len());
        let mut ids = HashSet::new();
        let mut aliases = HashSet::new();
        for maker in all() {
            for alias in &maker.aliases {
                assert!(aliases.insert(*alias), "{alias} is two makers");
            }
            for product in &maker.products {
                let food = maker.food(product);
                assert!(food.is_some_and(|food| ids.insert(food.id)), "{} {:?}", maker.name, product.names);
            }
        }
    }

    #[test]
    fn a_name_without_its_maker_means_one_product() {
        let mut names = HashSet::new();
        for product in all().iter().flat_map(|maker| &maker.products) {
            let enough = product.names.iter().filter(|name| name.is_enough);
            let own: HashSet<Vec<String>> = enough.map(|name| text::raw_words(name.text, usize::MAX)).collect();
            for name in own {
                assert!(names.insert(name.clone()), "{name:?} is two products");
            }
        }
    }

    #[test]
    fn calories_follow_from_protein_carbs_and_fat() {
        let mut odd = Vec::new();
        for (maker, product) in all().iter().flat_map(|maker| maker.products.iter().map(move |one| (maker, one))) {
            let [calories, macros @ ..] = product.values;
            let sum: f32 = macros.iter().zip(OF_A_GRAM).map(|(grams, of_one)| grams * of_one).sum();
            // Fiber and sugar alcohols have fewer calories than other carbs, and alcohol is no carb.
            let is_alcohol = product.is_drink && calories > sum;
            let has_fiber = calories < sum && sum - macros[1] * 3.0 <= calories;
            if (calories - sum).abs() > 12.0_f32.max(calories * 0.2) && !is_alcohol && !has_fiber {
                odd.push(format!("{} {}: {calories}, {sum}", maker.name, product.names[0].text));
            }
        }
        assert!(odd.is_empty(), "{}", odd.join("\n"));
    }

    #[test]
    fn a_product_is_a_food_per_hundred_grams() {
        let makers = read("= McDonald's; mcdonalds, maccas; chain\nFrench fries, fries*!; 50; 160 2 20 8; large 100");
        let fries = &makers[0].products[0];
        let food = makers[0].food(fries).expect("a food");
        assert_eq!((food.id.as_str(), food.name.as_str()), ("maker_mcdonalds_french_fries", "French fries"));
        assert_eq!((food.brand.as_deref(), food.serving.grams), (Some("McDonald's"), 50.0));
        assert_eq!(food.nutrients.get(Nutrient::Calories), Some(320.0));
        assert_eq!(food.portions, [Portion::new("1 large".to_owned(), 100.0)]);
        assert_eq!(fries.names[1], ProductName { text: "fries", is_enough: true, may_have_flavor: true });
    }
}
