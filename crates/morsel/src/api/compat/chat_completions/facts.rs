//! What is known about an estimated meal, for schemas and for texts.

use foods::{Food, Nutrient};
use meal::{Item, Part, Tier};

use super::property::{Basis, Fact, NameUnit, Property};
use crate::api::amount::amount;
use crate::api::estimate::include::Include;
use crate::api::estimate::rows::ItemRow;

/// Grams of salt in a gram of sodium.
const SALT_PER_SODIUM: f64 = 2.5;
const KILOJOULES_PER_KILOCALORIE: f64 = 4.184;
/// The most foods that the name of a meal lists.
const MAX_NAMES: usize = 4;
/// The name of a meal without a food.
const NO_FOOD: &str = "No food detected";

/// A food of a meal.
#[derive(Debug)]
pub struct ItemFacts<'a> {
    /// What our own API shows.
    pub row: ItemRow,
    /// The food, unless the item is a recipe of the caller.
    item: Option<&'a Item>,
    /// How much more of it there is than was estimated.
    factor: f64,
}

/// A meal.
#[derive(Debug)]
pub struct MealFacts<'a> {
    /// Its foods.
    pub items: Vec<ItemFacts<'a>>,
    /// What the user said, in small letters.
    pub said: String,
}

/// What a schema, or a part of it, is about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// The whole meal.
    Meal(&'a MealFacts<'a>),
    /// One of its foods.
    Item(&'a ItemFacts<'a>),
}

impl<'a> MealFacts<'a> {
    /// Collects what is known about the parts of a meal; `weight` is what all of it weighs, if the user said so.
    pub fn new(parts: &'a [Part], said: &str, weight: Option<f64>) -> Self {
        let mut items: Vec<ItemFacts<'a>> = parts.iter().filter_map(|part| ItemFacts::new(part, 1.0)).collect();
        let estimated = Self::sum(&items, grams_of);
        if let Some((weight, estimated)) = weight.zip(estimated).filter(|(_, estimated)| *estimated > 0.0) {
            items = parts.iter().filter_map(|part| ItemFacts::new(part, weight / estimated)).collect();
        }
        Self { items, said: said.to_lowercase() }
    }

    /// Adds up what is known of the items; `None` if nothing is.
    fn sum(items: &[ItemFacts<'_>], value: impl Fn(&ItemFacts<'_>) -> Option<f64>) -> Option<f64> {
        if items.is_empty() {
            return Some(0.0);
        }
        items.iter().filter_map(value).reduce(|sum, value| sum + value)
    }

    /// Returns the only item.
    fn only(&self) -> Option<&ItemFacts<'a>> {
        match self.items.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    fn name(&self) -> String {
        match self.items.as_slice() {
            [] => NO_FOOD.to_owned(),
            [only] => only.row.name.clone(),
            items => {
                let names: Vec<String> = items.iter().take(MAX_NAMES).map(ItemFacts::short_name).collect();
                let more = if items.len() > MAX_NAMES { ", …" } else { "" };
                names.join(", ") + more
            }
        }
    }
}

impl<'a> ItemFacts<'a> {
    fn new(part: &'a Part, factor: f64) -> Option<Self> {
        let mut row = ItemRow::from_part(part, Include::default())?;
        row.quantity *= factor;
        row.macros = row.macros.times(factor).shown();
        let item = match part {
            Part::Food(item) => Some(&**item),
            Part::Recipe(_) | Part::Unresolved(_) => None,
        };
        Some(Self { row, item, factor })
    }

    /// Returns the weight, if it is known.
    pub fn grams(&self) -> Option<f64> {
        let item = self.item.filter(|item| item.seen.as_ref().is_none_or(|seen| seen.knows_mass()))?;
        Some(item.weight.grams * self.factor)
    }

    /// Returns the grams of a milliliter, if they are known.
    pub fn density(&self) -> Option<f64> {
        self.item.and_then(|item| item.food.density).filter(|density| *density > 0.0).map(f64::from)
    }

    /// Returns the amount in words: "2 slices".
    pub fn amount(&self) -> String {
        amount((self.row.quantity * 100.0).round() / 100.0, &self.row.unit)
    }

    /// Returns the name in the words that a search needs: "Milk" for "Milk, whole".
    fn short_name(&self) -> String {
        let name = match self.item {
            Some(Item { local_name: None, food, .. }) => &food.name,
            _ => &self.row.name,
        };
        let short = name.split([',', '(']).next().unwrap_or(name).trim();
        let brand = self.food().and_then(|food| food.brand.as_deref()).filter(|brand| !short.contains(brand));
        brand.map_or_else(|| short.to_owned(), |brand| format!("{brand} {short}"))
    }

    fn food(&self) -> Option<&'a Food> {
        self.item.map(|item| &item.food)
    }

    fn nutrient(&self, nutrient: Nutrient) -> Option<f64> {
        Some(match nutrient {
            Nutrient::Calories => self.row.macros.calories,
            Nutrient::Protein => self.row.macros.protein,
            Nutrient::Carbs => self.row.macros.carbs,
            Nutrient::Fat => self.row.macros.fat,
            other => {
                let item = self.item?;
                f64::from(item.food.nutrients.get(other)?) * item.weight.grams * self.factor / 100.0
            }
        })
    }

    /// Returns how sure the item is, from 0 to 1.
    fn certainty(&self) -> f64 {
        match self.item {
            Some(Item { seen: Some(seen), .. }) => f64::from(seen.confidence),
            Some(Item { tier: Tier::Derived, .. }) => 0.7,
            Some(Item { tier: Tier::Estimated, .. }) => 0.4,
            _ => 0.9,
        }
    }
}

impl Subject<'_> {
    /// Returns the value of a fact that is a text.
    pub fn text(self, fact: Fact) -> Option<String> {
        let food = |value: fn(&Food) -> Option<String>| self.item().and_then(ItemFacts::food).and_then(value);
        match fact {
            Fact::Name => Some(match self {
                Self::Meal(meal) => meal.name(),
                Self::Item(item) => item.row.name.clone(),
            }),
            Fact::ShortName => Some(self.item().map_or_else(|| self.text(Fact::Name), |item| Some(item.short_name()))?),
            Fact::Brand => food(|food| food.brand.clone()),
            Fact::Category => food(|food| food.category.clone()),
            Fact::Barcode => food(|food| food.gtin.map(|gtin| format!("{gtin:013}"))),
            Fact::FoodId => food(|food| Some(food.id.clone())),
            Fact::Source => food(|food| Some(food.origin.name().to_owned())),
            Fact::Portion | Fact::PortionWord => match self.item() {
                Some(item) => Some(item.amount()),
                None => (!self.is_empty()).then(|| "1 serving".to_owned()),
            },
            _ => None,
        }
    }

    /// Returns the value of a property that is a number.
    pub fn number(self, property: Property) -> Option<f64> {
        let value = match property.fact {
            Fact::Nutrient(nutrient) => self.sum(|item| item.nutrient(nutrient)),
            Fact::Salt => self.sum(|item| item.nutrient(Nutrient::Sodium)).map(|sodium| sodium * SALT_PER_SODIUM / 1e3),
            Fact::NetCarbs => self.sum(net_carbs_of),
            Fact::Grams | Fact::Portion | Fact::PortionWord => self.grams(),
            Fact::Milliliters => {
                let item = self.item()?;
                return Some(item.grams()? / item.density()?);
            }
            Fact::Servings => return Some(1.0),
            Fact::ItemCount => return self.sum(|_| Some(1.0)),
            Fact::Confidence => return Some(self.certainty()),
            _ => return None,
        }?;
        let value = convert(value, property)?;
        match property.basis {
            Basis::Whole => Some(value),
            Basis::Hundred => self.grams().filter(|grams| *grams > 0.0).map(|grams| value * 100.0 / grams),
            Basis::Unit => {
                let units = self.item().map_or(1.0, |item| item.row.quantity);
                (units > 0.0).then(|| value / units)
            }
        }
    }

    /// Returns the food that the subject is: the item itself, or the only one of a meal.
    pub fn item(&self) -> Option<&ItemFacts<'_>> {
        match self {
            Self::Meal(meal) => meal.only(),
            Self::Item(item) => Some(item),
        }
    }

    /// Returns whether there is no food.
    pub fn is_empty(self) -> bool {
        matches!(self, Self::Meal(meal) if meal.items.is_empty())
    }

    fn grams(self) -> Option<f64> {
        self.sum(grams_of)
    }

    fn certainty(self) -> f64 {
        match self {
            Self::Item(item) => item.certainty(),
            Self::Meal(meal) => meal.items.iter().map(ItemFacts::certainty).reduce(f64::min).unwrap_or(0.0),
        }
    }

    fn sum(self, value: impl Fn(&ItemFacts<'_>) -> Option<f64>) -> Option<f64> {
        match self {
            Self::Meal(meal) => MealFacts::sum(&meal.items, value),
            Self::Item(item) => value(item),
        }
    }
}

fn grams_of(item: &ItemFacts<'_>) -> Option<f64> {
    item.grams()
}

/// Returns the carbs without fiber.
fn net_carbs_of(item: &ItemFacts<'_>) -> Option<f64> {
    let without_fiber = || Some((item.row.macros.carbs - item.nutrient(Nutrient::Fiber)?).max(0.0));
    item.nutrient(Nutrient::AvailableCarbs).or_else(without_fiber)
}

/// Converts a value into the unit that the name of a property ends with.
fn convert(value: f64, Property { fact, unit, .. }: Property) -> Option<f64> {
    let size = |unit: &str| match unit {
        "mg" => 1e-3,
        "mcg" => 1e-6,
        "kg" => 1e3,
        "oz" => 28.349_523_125,
        "lb" => 453.592_37,
        _ => 1.0,
    };
    let own = match fact {
        Fact::Nutrient(nutrient) if nutrient.name().ends_with("_mg") => "mg",
        Fact::Nutrient(nutrient) if nutrient.name().ends_with("_mcg") => "mcg",
        _ => "g",
    };
    Some(match unit {
        None | Some(NameUnit::Kilocalories) => value,
        Some(NameUnit::Kilojoules) => value * KILOJOULES_PER_KILOCALORIE,
        Some(NameUnit::Mass(unit)) => value * size(own) / size(unit),
        Some(NameUnit::Milliliters) => return None,
    })
}
