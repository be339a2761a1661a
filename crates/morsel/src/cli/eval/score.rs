//! Scores of `morsel eval`: how an estimate compares with the known totals of a meal.

use std::time::Duration;

use meal::{Estimate, Item};
use nutrition::Macros;
use serde::{Deserialize, Serialize};

/// Carbs that are off by this many grams count as wrong: the tolerance of people who dose insulin by carbs.
pub(super) const CARBS_BOUND: f64 = 7.5;
/// Tolerance for calories, as a share of the true value …
const CALORIES_SHARE: f64 = 0.2;
/// … or of this value if that is larger, so that a black coffee has some tolerance too.
const CALORIES_FLOOR: f64 = 50.0;

/// A meal with known totals.
#[derive(Debug, Deserialize)]
pub(super) struct GoldMeal {
    pub set: String,
    pub text: String,
    calories: f64,
    protein: f64,
    carbs: f64,
    fat: f64,
    country: Option<String>,
    items: Option<Vec<GoldItem>>,
}

/// A food of a meal with known totals.
#[derive(Debug, Deserialize)]
struct GoldItem {
    #[serde(alias = "name")]
    food: String,
    #[serde(alias = "calories")]
    energy: Option<f64>,
}

/// Why the carbs of a meal are wrong, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissKind {
    TooFew,
    TooMany,
    Food,
    Portion,
    Unknown,
}

impl MissKind {
    pub const ALL: [Self; 5] = [Self::TooFew, Self::TooMany, Self::Food, Self::Portion, Self::Unknown];

    pub const fn title(self) -> &'static str {
        match self {
            Self::TooFew => "Too few items",
            Self::TooMany => "Too many items",
            Self::Food => "Food",
            Self::Portion => "Portion",
            Self::Unknown => "Items not known",
        }
    }
}

/// A meal with its estimate.
#[derive(Debug)]
pub(super) struct ScoredMeal<'a> {
    pub gold: &'a GoldMeal,
    pub estimated: Macros,
    low: Macros,
    high: Macros,
    /// Why the carbs are wrong; `None` if they are right.
    miss: Option<MissKind>,
    took: Duration,
}

/// A number of a meal: the true value, the estimate and its range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub gold: f64,
    pub estimated: f64,
    pub low: f64,
    pub high: f64,
}

impl Comparison {
    /// Checks whether the true value is inside the range, made `times` as wide.
    pub fn is_inside(self, times: f64) -> bool {
        let Self { gold, estimated, low, high } = self;
        // Computed from the ends, so that `times` = 1 leaves them exactly as they are.
        let (low, high) = (low + (low - estimated) * (times - 1.0), high + (high - estimated) * (times - 1.0));
        (low..=high).contains(&gold)
    }
}

impl<'a> ScoredMeal<'a> {
    pub fn new(gold: &'a GoldMeal, estimate: &Estimate, took: Duration) -> Self {
        let estimated = estimate.totals();
        let low = estimate.items.iter().map(|item| &item.range.low).sum::<Macros>().shown();
        let high = estimate.items.iter().map(|item| &item.range.high).sum::<Macros>().shown();
        let is_wrong = (gold.carbs - estimated.carbs).abs() >= CARBS_BOUND;
        let miss = is_wrong.then(|| miss_kind(gold, &estimate.items));
        Self { gold, estimated, low, high, miss, took }
    }

    pub fn carbs(&self) -> Comparison {
        let (gold, estimated) = (self.gold.carbs, self.estimated.carbs);
        Comparison { gold, estimated, low: self.low.carbs, high: self.high.carbs }
    }

    pub fn calories(&self) -> Comparison {
        let (gold, estimated) = (self.gold.calories, self.estimated.calories);
        Comparison { gold, estimated, low: self.low.calories, high: self.high.calories }
    }

    /// Checks whether the meal counts in a row of the report: its set or a wider group.
    fn is_in(&self, group: &Group) -> bool {
        match group {
            Group::Set(name) => self.gold.set == *name,
            Group::AllV1 => self.gold.set.starts_with("v1"),
            Group::Usa => self.gold.set == "v2" && self.gold.country.as_deref() == Some("USA"),
            Group::Elsewhere => self.gold.set == "v2" && self.gold.country.as_deref().is_some_and(|name| name != "USA"),
        }
    }
}

/// Compares the foods. Foods without calories, such as water and black coffee, are ignored on both sides, because gold
/// data lists them only sometimes.
fn miss_kind(gold: &GoldMeal, items: &[Item]) -> MissKind {
    let Some(known) = &gold.items else { return MissKind::Unknown };
    let known: Vec<&GoldItem> = known.iter().filter(|item| item.energy.is_none_or(|energy| energy > 0.0)).collect();
    let mut estimated: Vec<&Item> = items.iter().filter(|item| item.macros.calories > 0.0).collect();
    match estimated.len().cmp(&known.len()) {
        std::cmp::Ordering::Less => return MissKind::TooFew,
        std::cmp::Ordering::Greater => return MissKind::TooMany,
        std::cmp::Ordering::Equal => {}
    }
    for item in known {
        let name = item.food.to_lowercase();
        let is_it = |other: &&Item| {
            let names = [Some(&other.food.name), other.food.description.as_ref()];
            names.into_iter().flatten().any(|other| other.to_lowercase() == name)
        };
        match estimated.iter().position(is_it) {
            Some(at) => estimated.swap_remove(at),
            None => return MissKind::Food,
        };
    }
    MissKind::Portion
}

/// A group of meals in the report.
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

/// The results of an evaluation.
#[derive(Debug, Serialize)]
pub(super) struct EvalReport {
    pub meals: usize,
    /// The sets in the order of the file, then the wider groups.
    pub sets: Vec<SetSummary>,
    pub speed: Speed,
}

/// The accuracy on one set.
#[derive(Debug, Serialize)]
pub(super) struct SetSummary {
    pub set: String,
    pub meals: usize,
    /// Share of meals whose carbs are within 7.5 g.
    pub accuracy: f64,
    /// Mean absolute errors.
    pub mean_error: Macros,
    pub calories_within_20_percent: f64,
    pub carbs_in_range: f64,
    pub calories_in_range: f64,
    pub errors: MissCounts,
}

/// The number of wrong meals by cause.
#[derive(Debug, Default, Serialize)]
pub(super) struct MissCounts {
    too_few_items: usize,
    too_many_items: usize,
    food: usize,
    portion: usize,
    items_not_known: usize,
}

impl MissCounts {
    fn count(&mut self, kind: MissKind) {
        *match kind {
            MissKind::TooFew => &mut self.too_few_items,
            MissKind::TooMany => &mut self.too_many_items,
            MissKind::Food => &mut self.food,
            MissKind::Portion => &mut self.portion,
            MissKind::Unknown => &mut self.items_not_known,
        } += 1;
    }

    pub fn of(&self, kind: MissKind) -> usize {
        match kind {
            MissKind::TooFew => self.too_few_items,
            MissKind::TooMany => self.too_many_items,
            MissKind::Food => self.food,
            MissKind::Portion => self.portion,
            MissKind::Unknown => self.items_not_known,
        }
    }

    pub fn all(&self) -> usize {
        MissKind::ALL.into_iter().map(|kind| self.of(kind)).sum()
    }
}

/// The time per meal.
#[derive(Debug, Serialize)]
pub(super) struct Speed {
    pub median_us: f64,
    pub p99_us: f64,
    pub meals_per_second: f64,
}

impl EvalReport {
    pub fn new(meals: &[ScoredMeal<'_>]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for meal in meals {
            if !groups.iter().any(|group| meal.is_in(group)) {
                groups.push(Group::Set(meal.gold.set.clone()));
            }
        }
        groups.extend([Group::AllV1, Group::Usa, Group::Elsewhere]);
        let sets = groups.iter().filter_map(|group| {
            let inside: Vec<&ScoredMeal<'_>> = meals.iter().filter(|meal| meal.is_in(group)).collect();
            (!inside.is_empty()).then(|| SetSummary::new(group.name(), &inside))
        });
        Self { meals: meals.len(), sets: sets.collect(), speed: Speed::new(meals) }
    }
}

impl SetSummary {
    fn new(name: &str, meals: &[&ScoredMeal<'_>]) -> Self {
        let count = meals.len() as f64;
        let share =
            |holds: &dyn Fn(&ScoredMeal<'_>) -> bool| meals.iter().filter(|meal| holds(meal)).count() as f64 / count;
        let mean =
            |error: &dyn Fn(&ScoredMeal<'_>) -> f64| meals.iter().map(|meal| error(meal).abs()).sum::<f64>() / count;
        let mut errors = MissCounts::default();
        meals.iter().filter_map(|meal| meal.miss).for_each(|kind| errors.count(kind));
        Self {
            set: name.to_owned(),
            meals: meals.len(),
            accuracy: share(&|meal| (meal.gold.carbs - meal.estimated.carbs).abs() < CARBS_BOUND),
            mean_error: Macros {
                calories: mean(&|meal| meal.gold.calories - meal.estimated.calories),
                protein: mean(&|meal| meal.gold.protein - meal.estimated.protein),
                carbs: mean(&|meal| meal.gold.carbs - meal.estimated.carbs),
                fat: mean(&|meal| meal.gold.fat - meal.estimated.fat),
            },
            calories_within_20_percent: share(&|meal| {
                let error = (meal.gold.calories - meal.estimated.calories).abs();
                error <= CALORIES_SHARE * meal.gold.calories.max(CALORIES_FLOOR)
            }),
            carbs_in_range: share(&|meal| meal.carbs().is_inside(1.0)),
            calories_in_range: share(&|meal| meal.calories().is_inside(1.0)),
            errors,
        }
    }
}

impl Speed {
    fn new(meals: &[ScoredMeal<'_>]) -> Self {
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
