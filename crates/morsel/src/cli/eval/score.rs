//! What the numbers of `morsel eval` are, and how they come about.

use std::time::Duration;

use meal::{Estimate, Item, Values};
use serde::{Deserialize, Serialize};

use crate::api::estimate::rows::Totals;

/// Carbs this many grams off or more are wrong: the bound that people who dose insulin by carbs work with.
pub(super) const CARBS_BOUND: f64 = 7.5;
/// Calories may be off by this share …
const CALORIES_SHARE: f64 = 0.2;
/// … of at least this much, so that a coffee is not held to single kilocalories.
const CALORIES_FLOOR: f64 = 50.0;

/// A meal whose numbers are known.
#[derive(Debug, Deserialize)]
pub(super) struct Gold {
    pub set: String,
    pub text: String,
    calories: f64,
    protein: f64,
    carbs: f64,
    fat: f64,
    country: Option<String>,
    items: Option<Vec<GoldItem>>,
}

/// A food of such a meal.
#[derive(Debug, Deserialize)]
struct GoldItem {
    #[serde(alias = "name")]
    food: String,
    #[serde(alias = "calories")]
    energy: Option<f64>,
}

/// What went wrong with a meal, in the order in which it is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    TooFew,
    TooMany,
    Food,
    Portion,
    Unknown,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::TooFew, Kind::TooMany, Kind::Food, Kind::Portion, Kind::Unknown];

    pub const fn title(self) -> &'static str {
        match self {
            Kind::TooFew => "Too few items",
            Kind::TooMany => "Too many items",
            Kind::Food => "Food",
            Kind::Portion => "Portion",
            Kind::Unknown => "Items not known",
        }
    }
}

/// A meal with its estimate.
#[derive(Debug)]
pub(super) struct Scored<'a> {
    pub gold: &'a Gold,
    pub said: Values,
    low: Values,
    high: Values,
    /// What went wrong, where the carbs are off.
    kind: Option<Kind>,
    took: Duration,
}

/// A number of a meal: what is known, what was said, and the range that was given with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub gold: f64,
    pub said: f64,
    pub low: f64,
    pub high: f64,
}

impl Number {
    /// Whether the truth lies in the range, were the range so many times as wide.
    pub fn is_inside(self, times: f64) -> bool {
        let Number { gold, said, low, high } = self;
        // Moved from the ends, so that they stay exactly what they are at the range's own width.
        let (low, high) = (low + (low - said) * (times - 1.0), high + (high - said) * (times - 1.0));
        (low..=high).contains(&gold)
    }
}

impl<'a> Scored<'a> {
    pub fn new(gold: &'a Gold, estimate: &Estimate, took: Duration) -> Self {
        let said = estimate.totals();
        let low = Values::sum(estimate.items.iter().map(|item| &item.range.low));
        let high = Values::sum(estimate.items.iter().map(|item| &item.range.high));
        let is_off = (gold.carbs - said.carbs).abs() >= CARBS_BOUND;
        let kind = is_off.then(|| kind(gold, &estimate.items));
        Self { gold, said, low, high, kind, took }
    }

    pub fn carbs(&self) -> Number {
        Number { gold: self.gold.carbs, said: self.said.carbs, low: self.low.carbs, high: self.high.carbs }
    }

    pub fn calories(&self) -> Number {
        Number { gold: self.gold.calories, said: self.said.calories, low: self.low.calories, high: self.high.calories }
    }

    /// The rows of the report that a meal counts in: its set, and the wider groups.
    fn is_in(&self, group: &Group) -> bool {
        match group {
            Group::Set(name) => self.gold.set == *name,
            Group::AllV1 => self.gold.set.starts_with("v1"),
            Group::Usa => self.gold.set == "v2" && self.gold.country.as_deref() == Some("USA"),
            Group::Elsewhere => self.gold.set == "v2" && self.gold.country.as_deref().is_some_and(|name| name != "USA"),
        }
    }
}

/// Compares the foods. Those without energy are left out on both sides: water and black coffee change nothing, and
/// whether somebody lists them is a matter of taste.
fn kind(gold: &Gold, items: &[Item]) -> Kind {
    let Some(known) = &gold.items else { return Kind::Unknown };
    let known: Vec<&GoldItem> = known.iter().filter(|item| item.energy.is_none_or(|energy| energy > 0.0)).collect();
    let mut said: Vec<&Item> = items.iter().filter(|item| item.values.calories > 0.0).collect();
    match said.len().cmp(&known.len()) {
        std::cmp::Ordering::Less => return Kind::TooFew,
        std::cmp::Ordering::Greater => return Kind::TooMany,
        std::cmp::Ordering::Equal => {}
    }
    for item in known {
        let name = item.food.to_lowercase();
        let is_it = |other: &&Item| {
            let names = [Some(&other.food.name), other.food.description.as_ref()];
            names.into_iter().flatten().any(|other| other.to_lowercase() == name)
        };
        match said.iter().position(is_it) {
            Some(at) => said.swap_remove(at),
            None => return Kind::Food,
        };
    }
    Kind::Portion
}

/// Meals that are counted together.
enum Group {
    Set(String),
    AllV1,
    Usa,
    Elsewhere,
}

impl Group {
    fn name(&self) -> &str {
        match self {
            Group::Set(name) => name,
            Group::AllV1 => "v1 (all)",
            Group::Usa => "v2 USA",
            Group::Elsewhere => "v2 other countries",
        }
    }
}

/// Everything that is measured.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub meals: usize,
    /// The sets in the order of the file, then the wider groups.
    pub sets: Vec<Summary>,
    pub speed: Speed,
}

/// How close the estimates of a set come.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    pub set: String,
    pub meals: usize,
    /// The share of meals whose carbs are less than 7.5 g off.
    pub accuracy: f64,
    /// How far off the numbers are on average.
    pub mean_error: Totals,
    pub calories_within_20_percent: f64,
    pub carbs_in_range: f64,
    pub calories_in_range: f64,
    pub errors: Errors,
}

/// How many meals went wrong in which way.
#[derive(Debug, Default, Serialize)]
pub(super) struct Errors {
    too_few_items: usize,
    too_many_items: usize,
    food: usize,
    portion: usize,
    items_not_known: usize,
}

impl Errors {
    fn count(&mut self, kind: Kind) {
        *match kind {
            Kind::TooFew => &mut self.too_few_items,
            Kind::TooMany => &mut self.too_many_items,
            Kind::Food => &mut self.food,
            Kind::Portion => &mut self.portion,
            Kind::Unknown => &mut self.items_not_known,
        } += 1;
    }

    pub fn of(&self, kind: Kind) -> usize {
        match kind {
            Kind::TooFew => self.too_few_items,
            Kind::TooMany => self.too_many_items,
            Kind::Food => self.food,
            Kind::Portion => self.portion,
            Kind::Unknown => self.items_not_known,
        }
    }

    pub fn all(&self) -> usize {
        Kind::ALL.into_iter().map(|kind| self.of(kind)).sum()
    }
}

/// How long a meal takes.
#[derive(Debug, Serialize)]
pub(super) struct Speed {
    pub median_us: f64,
    pub p99_us: f64,
    pub meals_per_second: f64,
}

impl Report {
    pub fn new(meals: &[Scored<'_>]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for meal in meals {
            if !groups.iter().any(|group| meal.is_in(group)) {
                groups.push(Group::Set(meal.gold.set.clone()));
            }
        }
        groups.extend([Group::AllV1, Group::Usa, Group::Elsewhere]);
        let sets = groups.iter().filter_map(|group| {
            let inside: Vec<&Scored<'_>> = meals.iter().filter(|meal| meal.is_in(group)).collect();
            (!inside.is_empty()).then(|| Summary::new(group.name(), &inside))
        });
        Self { meals: meals.len(), sets: sets.collect(), speed: Speed::new(meals) }
    }
}

impl Summary {
    fn new(name: &str, meals: &[&Scored<'_>]) -> Self {
        let count = meals.len() as f64;
        let share =
            |holds: &dyn Fn(&Scored<'_>) -> bool| meals.iter().filter(|meal| holds(meal)).count() as f64 / count;
        let mean = |error: &dyn Fn(&Scored<'_>) -> f64| meals.iter().map(|meal| error(meal).abs()).sum::<f64>() / count;
        let mut errors = Errors::default();
        meals.iter().filter_map(|meal| meal.kind).for_each(|kind| errors.count(kind));
        Self {
            set: name.to_owned(),
            meals: meals.len(),
            accuracy: share(&|meal| (meal.gold.carbs - meal.said.carbs).abs() < CARBS_BOUND),
            mean_error: Totals {
                calories: mean(&|meal| meal.gold.calories - meal.said.calories),
                protein: mean(&|meal| meal.gold.protein - meal.said.protein),
                carbs: mean(&|meal| meal.gold.carbs - meal.said.carbs),
                fat: mean(&|meal| meal.gold.fat - meal.said.fat),
            },
            calories_within_20_percent: share(&|meal| {
                let error = (meal.gold.calories - meal.said.calories).abs();
                error <= CALORIES_SHARE * meal.gold.calories.max(CALORIES_FLOOR)
            }),
            carbs_in_range: share(&|meal| meal.carbs().is_inside(1.0)),
            calories_in_range: share(&|meal| meal.calories().is_inside(1.0)),
            errors,
        }
    }
}

impl Speed {
    fn new(meals: &[Scored<'_>]) -> Self {
        let mut took: Vec<Duration> = meals.iter().map(|meal| meal.took).collect();
        took.sort_unstable();
        let at = |share: f64| {
            let rank = (share * took.len() as f64).ceil() as usize;
            took.get(rank.saturating_sub(1)).map_or(0.0, |took| took.as_secs_f64() * 1e6)
        };
        let all: f64 = took.iter().sum::<Duration>().as_secs_f64();
        Self { median_us: at(0.5), p99_us: at(0.99), meals_per_second: meals.len() as f64 / all.max(1e-9) }
    }
}
