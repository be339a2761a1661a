//! Portions that people usually eat, from the list of common foods. They stand in where the tables have no row that fits,
//! and guard against rows that are far from what anyone eats.

use foods::Food;
use foods::common::CommonPortion;
use foods::text::singular;

use super::table::PortionTable;
use super::weight::{Weight, WeightSource};
use crate::lexicon::{MeasureTrait, TableTrait, alike, measure_is, table_traits, table_words};
use crate::read::segment::{Quantity, SegmentWord};

/// A row of the tables that is lighter or heavier than the usual portion by more than this factor is not what is meant.
const MAX_RATIO: f64 = 2.2;
/// The same where the text has the everyday name that the portion was written down for.
const MAX_RATIO_OF_NAMED: f64 = 1.8;
/// What a tiny, a small and a large portion weigh relative to the usual one, where the list has none of them.
const TINY: f64 = 0.4;
const SMALL: f64 = 0.7;
const LARGE: f64 = 1.4;
/// What a child's portion weighs relative to the usual one, and a double one.
const OF_CHILD: f64 = 0.55;
const DOUBLE: f64 = 2.0;
/// So many servings, or so many grams of them, are not eaten at once.
const MANY: f64 = 4.0;
const MAX_GRAMS: f64 = 1_500.0;
/// What a slice of bread weighs.
pub(super) const GRAMS_OF_SLICE: f64 = 30.0;
/// However heavy a bagel is, it has two sides.
const MAX_SLICES: f64 = 2.0;
/// Begins the text of a portion that was added to another food.
pub(super) const ADDITION: &str = "usual addition";
/// A piece, whatever it is called.
pub(super) const PIECE: &str = "piece";
/// Behind a measure in a name.
const MEASURE_OF: &str = " of ";
/// A piece that was cut.
const SLICE: &str = "slice";
/// One of a food that comes in several sizes.
const MEDIUM: &str = "medium";

/// All of a food that is eaten in parts, the parts that the list may weigh, and how exactly a share must be one of them.
const WHOLE: &str = "whole";
const PARTS: [(&str, f64); 3] = [("half", 0.5), ("quarter", 0.25), ("third", 1.0 / 3.0)];
const SAME_SHARE: f64 = 0.01;
/// A row of the tables that is no further from the whole is the whole.
const SAME_WHOLE: f64 = 1.2;
/// A row of the tables that is no further from what one weighs is one.
const SAME_ONE: f64 = 1.3;
/// How many small pieces a pack holds, what a small piece weighs at most, and how many of them a serving is at most: of what is
/// eaten by the handful a packet is one serving.
const PIECES_OF_PACK: f64 = 12.0;
const MAX_SMALL_PIECE: f64 = 40.0;
const PIECES_OF_SERVING: f64 = 4.0;

/// How many a plural is, and what one of them weighs at most: a larger one is a meal.
pub(super) const SEVERAL: f64 = 2.0;
pub(super) const MAX_OF_SEVERAL: f64 = 160.0;

/// What a piece weighs at most that is eaten by the handful, how many of these a few are, and how much of a handful or in grams
/// at most.
const HANDFUL: &str = "handful";
const MAX_TINY_PIECE: f64 = 10.0;
const FEW_TINY: f64 = 8.0;
const FEW_OF_HANDFUL: f64 = 0.75;
const MAX_FEW: f64 = 25.0;

/// What is put on or into other food, the least of it that is no garnish, and how many kilocalories 100 g of a vegetable have at
/// most.
const TOPPING: &str = "topping";
const MIN_VEGETABLE: f64 = 20.0;
const MAX_CALORIES_OF_VEGETABLE: f64 = 90.0;
/// Measures of what is put beside other food, or onto a plate.
const SIDE: &str = "side";
const SCOOP: &str = "scoop";
/// A usual portion, whatever it is called, and the least that a portion weighs.
const SERVING: &str = "serving";
const MIN_SERVING: f64 = 10.0;

/// Checks whether a measure is the part of a food that a share of one is: a half is "half".
pub(super) fn is_part(measure: &str, share: f64) -> bool {
    PARTS.iter().any(|(part, of_whole)| *part == measure && (of_whole - share).abs() < SAME_SHARE)
}

/// Checks whether a measure is part of a food.
pub(super) fn names_part(measure: &str) -> bool {
    PARTS.iter().any(|(part, _)| *part == measure)
}

/// The usual portions of a food, none if it is not a common one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UsualPortions<'a> {
    pub portions: &'a [CommonPortion],
    /// How many of them are those of the country where the text's language is spoken, which no table knows.
    pub local: usize,
    /// The id of the food.
    pub food_id: Option<&'static str>,
    /// The first everyday name of the food.
    pub name: Option<&'static str>,
    /// The everyday name that the text has, if it has one and nothing else: they were written down for it.
    pub called: Option<&'static str>,
    /// The food is only the closest one that the catalog has.
    pub is_stand_in: bool,
}

impl UsualPortions<'_> {
    /// Returns what an amount weighs: `by_table`, unless the list knows better.
    pub fn check(&self, by_table: Weight, quantity: &Quantity, typed: &[SegmentWord]) -> Weight {
        let count = quantity.amount.map_or(1.0, |amount| amount.value);
        if self.portions.is_empty() && by_table.source == WeightSource::Usual {
            return Weight { grams: by_table.grams * scale_of_unsized(quantity), ..by_table };
        }
        if self.portions.is_empty() || count <= 0.0 || quantity.container.is_some() {
            return in_size(by_table, quantity);
        }
        let is_exact = || quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, MeasureTrait::Fine));
        let known = match &by_table.source {
            WeightSource::Mass => None,
            _ if self.of_name(quantity).is_some() => self.of_name(quantity),
            WeightSource::Portion(_) if self.of_sure_size(quantity, by_table.grams / count).is_some() => {
                self.of_sure_size(quantity, by_table.grams / count)
            }
            // A spoon of rice is heaped where the list of a language says so.
            _ if self.local > 0 && self.of_country(quantity, typed).is_some() => self.of_country(quantity, typed),
            WeightSource::Density if is_exact() => None,
            _ if self.of_few(quantity, typed).is_some() => self.of_few(quantity, typed),
            _ if self.has_whole(quantity, &by_table) => self.of_whole(quantity),
            WeightSource::Density => self.of_quantity(quantity),
            // A row that has the size is the one that is meant.
            WeightSource::Portion(row) if quantity.sizes.iter().any(|size| row.contains(size.as_str())) => None,
            WeightSource::Portion(row) => self
                .of_sure(quantity)
                .or_else(|| self.of_sure_one(row, by_table.grams / count, quantity, typed))
                .or_else(|| self.of_size(quantity))
                .or_else(|| self.of_one(quantity, typed).filter(|_| is_only_size(row)))
                .or_else(|| self.several(quantity, typed).filter(|_| self.called.is_some() && quantity.is_empty()))
                .or_else(|| self.instead_of_row(row, by_table.grams / count, quantity, typed)),
            WeightSource::Usual => self
                .of_quantity(quantity)
                .or_else(|| self.of_pack(quantity, typed))
                .or_else(|| self.of_single(quantity))
                .or_else(|| self.of_serving(quantity))
                .or_else(|| self.of_count(quantity, typed)),
        };
        match known {
            Some(UsualPortion { grams, measure: Some(measure) }) => {
                Weight { grams: grams * count, source: WeightSource::Portion(format!("1 {measure}")) }
            }
            Some(UsualPortion { grams, measure: None }) => Weight { grams: grams * count, source: WeightSource::Usual },
            None => in_size(by_table, quantity),
        }
    }

    /// Returns the portion of an amount where the text's language is spoken.
    fn of_country(&self, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let is_part = quantity.amount.is_some_and(|amount| amount.value < 1.0);
        if let Some(whole) = self.of_whole(quantity).filter(|_| is_part) {
            return Some(whole);
        }
        let local = Self { portions: &self.portions[..self.local.min(self.portions.len())], local: 0, ..*self };
        let is_counted = quantity.amount.is_some_and(|amount| amount.value > 1.0);
        if quantity.unit.is_some() || !quantity.sizes.is_empty() {
            local.of_quantity(quantity)
        } else if is_counted {
            local.named(PIECE).or_else(|| typed.iter().rev().find_map(|word| local.named(&word.word)))
        } else {
            self.of_single(quantity).or_else(|| local.first())
        }
    }

    /// Returns what is usually added of the food to another one: milk to a drink, butter to bread, nuts to yogurt.
    pub fn added_to(&self, food: &Food, base: &PortionTable<'_>, base_grams: f64) -> Option<Weight> {
        // Fruit is added whole.
        if self.of("medium").is_some() {
            return None;
        }
        // Beans on toast are a dish, and no slices of bread.
        let is_bread = table_words(TableTrait::Bread).any(|name| base.is_named(name)) && !base.is_on_something();
        let measures: &[&str] = match (base.is_drink(), is_bread) {
            (true, _) => &["splash", "dash", TOPPING],
            (false, true) => &["spread", TOPPING, "drizzle"],
            (false, false) => &[TOPPING, "drizzle", "spread"],
        };
        let (measure, grams) = measures.iter().find_map(|measure| Some((*measure, self.of(measure)?)))?;
        // Beside a steak is more spinach than on a sandwich.
        let is_vegetable = grams >= MIN_VEGETABLE && food.macros(100.0).calories <= MAX_CALORIES_OF_VEGETABLE;
        let side = self.of(SIDE).filter(|_| is_vegetable && measure == TOPPING && base.is_main(base_grams));
        let (measure, grams) = side.map_or((measure, grams), |side| (SIDE, side));
        let slices = if is_bread { (base_grams / GRAMS_OF_SLICE).clamp(1.0, MAX_SLICES) } else { 1.0 };
        Some(Weight { grams: grams * slices, source: WeightSource::Portion(format!("{ADDITION} ({measure})")) })
    }

    /// Returns the portion of a measure or a size.
    pub fn of(&self, measure: &str) -> Option<f64> {
        let find = |name: &str| self.portions.iter().find(|portion| portion.measure == name);
        let named = find(measure).or_else(|| find(&singular(measure)));
        let found = named.or_else(|| alike(measure).iter().find_map(|name| find(name)));
        found.map(|portion| f64::from(portion.grams))
    }

    /// Returns the portion that holds whatever the tables have: of a measure in the size that was said, or one that the list
    /// marks as sure.
    fn of_sure(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let unit = quantity.unit.as_deref()?;
        let sized = quantity.sizes.iter().find_map(|size| self.named(&format!("{size} {unit}")));
        let is_sure = |portion: &&CommonPortion| portion.is_sure && portion.measure == unit;
        let sure = || self.portions.iter().find(is_sure).and_then(|portion| self.named(portion.measure));
        sized.or_else(|| sure().map(|portion| portion.times(scale_of(quantity))))
    }

    /// Returns what one weighs by its name, if the list marks that as sure and a row counts something else: "an omelette" is not one
    /// egg of it, unless that was said.
    fn of_sure_one(
        &self,
        row: &str,
        row_grams: f64,
        quantity: &Quantity,
        typed: &[SegmentWord],
    ) -> Option<UsualPortion> {
        let unit = foods::unit::measure(row).unit;
        let is_said = typed.iter().any(|word| word.word == unit);
        if quantity.amount.is_none() || quantity.unit.is_some() || !quantity.sizes.is_empty() || is_said {
            return None;
        }
        let last = typed.iter().rfind(|word| !word.optional)?;
        let sure = self.portions.iter().find(|one| one.is_sure && one.measure == last.word)?;
        self.named(sure.measure).filter(|one| is_far(one.grams, row_grams, SAME_ONE))
    }

    /// Returns the portion of a size without a measure, if the list marks it as sure: the cups of a chain have sizes of their own.
    /// A piece of a "pizza with a medium crust" is no medium pizza.
    fn of_sure_size(&self, quantity: &Quantity, of_table: f64) -> Option<UsualPortion> {
        let is_sure = |size: &&String| self.portions.iter().any(|one| one.is_sure && one.measure == size.as_str());
        let size = quantity.sizes.iter().find(is_sure).filter(|_| quantity.unit.is_none())?;
        self.named(size).filter(|portion| !is_far(portion.grams, of_table, MAX_RATIO))
    }

    /// Returns the portion of a size without a measure: "1 small banana" is a small one, although the tables count bananas of one
    /// size.
    fn of_size(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let mut sizes = quantity.sizes.iter().filter(|_| quantity.unit.is_none() && self.called.is_some());
        sizes.find_map(|size| self.named(size))
    }

    /// Returns what one weighs of a food of which several are eaten: "a strawberry". Of a cake a piece is cut.
    fn of_single(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let is_one = quantity.amount.is_some_and(|amount| (amount.value - 1.0).abs() < SAME_SHARE && !amount.is_vague);
        let is_counted = is_one && quantity.unit.is_none() && quantity.sizes.is_empty();
        let are_several = self.portions.first().is_some_and(|first| first.measure == SERVING);
        let piece = self.of(PIECE).filter(|_| is_counted && are_several)?;
        let is = |one: &CommonPortion| (f64::from(one.grams) - piece).abs() < SAME_SHARE;
        let is_part =
            self.portions.iter().any(|one| one.measure == WHOLE && !is(one) || one.measure == SLICE && is(one));
        let serving = self.first().map_or(0.0, |first| first.grams);
        (!is_part && serving > piece * SEVERAL).then(|| UsualPortion { grams: piece, measure: Some(PIECE.to_owned()) })
    }

    /// Checks whether the list itself says what an amount weighs, so that the food need not be one with a row for it.
    pub fn measures(&self, quantity: &Quantity, typed: &[SegmentWord]) -> bool {
        let is_listed = |unit: &String| self.of(unit).is_some();
        let is_sized = || quantity.sizes.iter().any(is_listed);
        match &quantity.unit {
            Some(unit) => {
                self.called.is_some() && (is_listed(unit) || measure_is(unit, MeasureTrait::Vague) && is_sized())
            }
            None => self.of_whole(quantity).is_some() || self.of_one(quantity, typed).is_some(),
        }
    }

    /// Returns the whole that a fraction is of, by the weight of the whole or of that part of it: "half a lasagna" is half of
    /// what comes out of the oven, not half a slice. "A whole lasagna" is all of it.
    fn of_whole(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let amount = quantity.amount.filter(|_| quantity.unit.is_none())?;
        let all_of = |grams: f64| UsualPortion { grams, measure: Some(WHOLE.to_owned()) };
        let whole = self.of(WHOLE).map(all_of);
        match quantity.sizes.as_slice() {
            [size] if size == WHOLE => whole,
            [] if amount.value < 1.0 && self.called.is_some() => {
                let is_meant = |(_, share): &&(&str, f64)| (amount.value - share).abs() < SAME_SHARE;
                let part = PARTS.iter().find(is_meant);
                let by_part = part.and_then(|(name, share)| Some(self.of(name)? / share));
                by_part.map(all_of).or(whole)
            }
            _ => None,
        }
    }

    /// Checks whether the list knows the whole better than a row of the tables. A row that counts it ("1 fruit", "1 medium
    /// pizza") is not far from it; one that is counts something smaller ("1 individual pie"), and one that only gives a size is
    /// not the one that is usual.
    fn has_whole(&self, quantity: &Quantity, by_table: &Weight) -> bool {
        let Some(whole) = self.of_whole(quantity) else { return false };
        let WeightSource::Portion(row) = &by_table.source else { return true };
        let grams = by_table.grams / quantity.amount.map_or(1.0, |amount| amount.value);
        is_far(grams, whole.grams, if is_only_size(row) { SAME_WHOLE } else { MAX_RATIO_OF_NAMED })
    }

    /// Returns what one of the food weighs, if that is what was counted: two burritos and half a burrito are as heavy each as
    /// "a burrito".
    fn of_one(&self, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let is_counted = quantity.amount.is_some_and(|amount| amount.explicit);
        if self.called.is_none() || !is_counted || quantity.unit.is_some() || !quantity.sizes.is_empty() {
            return None;
        }
        let listed = |name: &str| self.portions.iter().any(|portion| portion.measure == name);
        let named = typed.iter().rev().map(|word| word.word.as_str()).find(|name| listed(name));
        // A piece may be one of many that a food is cut into, unless that is what is eaten without an amount.
        let is_usual = |grams: f64| self.first().is_some_and(|first| (first.grams - grams).abs() < 0.01);
        let usual = || [PIECE, MEDIUM].into_iter().find(|name| listed(name) && self.of(name).is_some_and(is_usual));
        named.or_else(usual).and_then(|name| self.named(name))
    }

    /// Returns the serving of several pieces: "oreos" are more than one, and "tacos" at least two.
    fn several(&self, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let one = self.first()?.grams;
        let serving = self.of(SERVING).filter(|serving| one < *serving);
        let two = (quantity.are_several() && one < MAX_OF_SEVERAL && self.is_counted(typed)).then_some(one * SEVERAL);
        let grams = serving.into_iter().chain(two).reduce(f64::max)?;
        Some(UsualPortion { grams, measure: None })
    }

    /// Checks whether one of the food is what is eaten without an amount.
    fn is_counted(&self, typed: &[SegmentWord]) -> bool {
        let measure = self.portions.first().and_then(|first| first.measure.rsplit(' ').next());
        measure.is_some_and(|measure| measure == PIECE || typed.iter().any(|word| word.word == measure))
    }

    /// Returns what one of a few weighs. Of what is eaten by the handful nobody counts three: "a few chips" are about eight.
    fn of_few(&self, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let amount = quantity.amount.filter(|amount| amount.is_vague && quantity.unit.is_none())?;
        let named = typed.iter().rev().find_map(|word| self.of(&word.word));
        let piece = named.or_else(|| self.of(PIECE)).filter(|grams| *grams < MAX_TINY_PIECE)?;
        let handful = self.of(HANDFUL).map_or(MAX_FEW, |grams| grams * FEW_OF_HANDFUL);
        let few = (piece * FEW_TINY).min(handful).max(piece * amount.value);
        Some(UsualPortion { grams: few / amount.value, measure: None })
    }

    /// Returns the portion to take instead of a row of the tables that is far from what anyone eats.
    fn instead_of_row(
        &self,
        row: &str,
        row_grams: f64,
        quantity: &Quantity,
        typed: &[SegmentWord],
    ) -> Option<UsualPortion> {
        let ratio = if self.called.is_some() { MAX_RATIO_OF_NAMED } else { MAX_RATIO };
        let is_far = |portion: &UsualPortion| is_far(row_grams, portion.grams, ratio);
        let named = self.of_quantity(quantity).or_else(|| self.of_row(row));
        named.filter(is_far).or_else(|| self.of_many(row_grams, quantity, typed))
    }

    /// Returns the portion of the measure and the sizes of an amount.
    fn of_quantity(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let unit = quantity.unit.as_deref().filter(|unit| !measure_is(unit, MeasureTrait::Vague));
        let sizes = || quantity.sizes.iter();
        match unit {
            Some(unit) => {
                let with_size = sizes().find_map(|size| self.named(&format!("{size} {unit}")));
                with_size.or_else(|| Some(self.named(unit)?.times(scale_of(quantity))))
            }
            None if quantity.sizes.is_empty() => None,
            None => {
                // "20 mini pretzels" are not 20 servings.
                let is_counted = quantity.amount.is_some_and(|amount| amount.value > 1.0);
                let one = || self.named(PIECE).filter(|_| is_counted).or_else(|| self.first());
                sizes().find_map(|size| self.named(size)).or_else(|| Some(one()?.times(scale_of(quantity))))
            }
        }
    }

    /// Returns the portion of a row of the tables that counts in one of the measures.
    fn of_row(&self, row: &str) -> Option<UsualPortion> {
        let unit = foods::unit::measure(row).unit;
        self.named(unit.rsplit(' ').next()?)
    }

    /// Returns what a piece weighs if so many were counted that whole servings of them cannot be meant.
    fn of_many(&self, row_grams: f64, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let count = quantity.amount.map_or(1.0, |amount| amount.value);
        let are_many = count >= MANY && quantity.unit.is_none() && count * row_grams > MAX_GRAMS;
        self.of_count(quantity, typed).filter(|piece| are_many && piece.grams * MAX_RATIO < row_grams)
    }

    /// Returns what one weighs of what was called by a measure: a "bowl of chips" is no chip.
    fn of_name(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let is_counted = quantity.unit.is_none() && quantity.sizes.is_empty();
        let (measure, _) = self.called.filter(|_| is_counted)?.split_once(MEASURE_OF)?;
        self.named(measure)
    }

    /// Returns what a serving weighs of what is eaten by several: "a serving of almonds" is no single one.
    fn of_serving(&self, quantity: &Quantity) -> Option<UsualPortion> {
        let is_served = quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, MeasureTrait::Vague));
        let piece = self.first().filter(|_| is_served)?.grams;
        self.of(SERVING).filter(|grams| piece <= *grams).map(|grams| UsualPortion { grams, measure: None })
    }

    /// Returns what one of something weighs that was counted, or not even that.
    fn of_count(&self, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let is_counted = quantity.amount.is_some_and(|amount| amount.value > 1.0) && quantity.unit.is_none();
        // No one eats a single pistachio.
        let is_eaten = |portion: &UsualPortion| is_counted || portion.grams >= MIN_SERVING;
        let named = typed.iter().rev().find_map(|word| self.named(&word.word)).filter(is_eaten);
        let is_bare = quantity.amount.is_none() && quantity.unit.is_none();
        let holds_several = quantity.unit.as_deref().is_some_and(holds_several);
        let other = || match (is_counted, is_bare || holds_several) {
            (true, _) => self.named(PIECE),
            // "pancakes" are more than one, and so is "a stack of pancakes".
            (false, true) => self.several(quantity, typed),
            (false, false) => None,
        };
        // A plate of watermelon is no whole one.
        let is_dished = quantity.unit.as_deref().is_some_and(is_dish);
        let serving = self.of(SERVING).filter(|_| is_dished).map(|grams| UsualPortion { grams, measure: None });
        let named = named.filter(|_| !is_bare && !holds_several);
        serving.or(named).or_else(other).or_else(|| self.first())
    }

    /// Returns what a pack of small pieces weighs that the list has no pack of: "a packet of digestives" is not one of them.
    fn of_pack(&self, quantity: &Quantity, typed: &[SegmentWord]) -> Option<UsualPortion> {
        let unit = quantity.unit.as_deref().filter(|unit| measure_is(unit, MeasureTrait::Pack))?;
        let named = typed.iter().rev().filter(|word| word.word != unit).find_map(|word| self.of(&word.word));
        let piece = self.of(PIECE).or(named).filter(|grams| *grams < MAX_SMALL_PIECE)?;
        let is_counted = self.first().is_some_and(|first| first.grams <= piece * PIECES_OF_SERVING);
        let grams = piece * PIECES_OF_PACK * scale_of(quantity);
        is_counted.then(|| UsualPortion { grams, measure: Some(unit.to_owned()) })
    }

    fn named(&self, measure: &str) -> Option<UsualPortion> {
        self.of(measure).map(|grams| UsualPortion { grams, measure: Some(measure.to_owned()) })
    }

    /// Returns the portion that is meant without an amount.
    fn first(&self) -> Option<UsualPortion> {
        self.portions.first().map(|portion| UsualPortion { grams: f64::from(portion.grams), measure: None })
    }
}

/// A portion of the list.
struct UsualPortion {
    grams: f64,
    /// The measure that was asked for, if one was.
    measure: Option<String>,
}

impl UsualPortion {
    fn times(self, factor: f64) -> Self {
        Self { grams: self.grams * factor, ..self }
    }
}

/// Checks whether one weight is more than a factor away from another.
fn is_far(one: f64, other: f64, factor: f64) -> bool {
    one.max(other) > one.min(other) * factor
}

/// Scales the weight of a bowl to the size that was said, which its row does not have. Bags and cartons come in sizes of their own.
fn in_size(by_table: Weight, quantity: &Quantity) -> Weight {
    let WeightSource::Portion(row) = &by_table.source else { return by_table };
    let is_sized = |word: &str| table_traits(word).has(TableTrait::Size);
    let is_of_size = row.to_lowercase().split([' ', '/', '(', ')', ',']).any(is_sized);
    let is = |what: MeasureTrait| quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, what));
    let is_dished = is(MeasureTrait::Varies) && !is(MeasureTrait::Container);
    let factor = if is_dished && !is_of_size { scale_of(quantity) } else { 1.0 };
    Weight { grams: by_table.grams * factor, ..by_table }
}

/// Returns the factor of the sizes of an amount.
fn scale_of(quantity: &Quantity) -> f64 {
    if let Some(factor) = scale_of_portion(quantity) {
        return factor;
    }
    let is = |what: TableTrait| quantity.sizes.iter().any(|size| table_traits(size).has(what));
    match (is(TableTrait::Lightest), is(TableTrait::Heaviest)) {
        (true, false) if is(TableTrait::Tiny) => TINY,
        (true, false) => SMALL,
        (false, true) => LARGE,
        _ => 1.0,
    }
}

/// Returns the factor of the sizes of an amount of a food that has no portions of a size: "a small power bowl", "a mini kit kat".
fn scale_of_unsized(quantity: &Quantity) -> f64 {
    if quantity.unit.as_deref().is_none_or(is_dish) {
        scale_of(quantity)
    } else {
        scale_of_portion(quantity).unwrap_or(1.0)
    }
}

/// Returns the factor of what a size says of whole portions: a child's, a double one. "A double cheeseburger" is another food,
/// and a cup is a cup whoever drinks it.
fn scale_of_portion(quantity: &Quantity) -> Option<f64> {
    let is = |what: TableTrait| quantity.sizes.iter().any(|size| table_traits(size).has(what));
    let is_vague = quantity.unit.as_deref().map(|unit| measure_is(unit, MeasureTrait::Vague));
    match is_vague {
        Some(true) if is(TableTrait::Twice) => Some(DOUBLE),
        None | Some(true) if is(TableTrait::Child) => Some(OF_CHILD),
        _ => None,
    }
}

/// Checks whether a measure that no table knows for a food holds more than one piece of it: a stack, a basket, a box.
fn holds_several(unit: &str) -> bool {
    let is = |what: MeasureTrait| measure_is(unit, what);
    is(MeasureTrait::Several) || is(MeasureTrait::Container) || is(MeasureTrait::Pack)
}

/// Checks whether a measure is what food is served in or with, however much of it: a plate, a side.
fn is_dish(unit: &str) -> bool {
    let is = |what: MeasureTrait| measure_is(unit, what);
    is(MeasureTrait::Plain) && !is(MeasureTrait::Serving) && !is(MeasureTrait::Piece) || unit == SIDE || unit == SCOOP
}

/// Checks whether a row of the tables only gives a size: "1 medium", "1 small/regular".
fn is_only_size(row: &str) -> bool {
    let unit = foods::unit::measure(row).unit;
    let is_size = |word: &str| {
        let traits = table_traits(word);
        traits.has(TableTrait::PlainSize) || traits.has(TableTrait::Neutral)
    };
    !unit.is_empty() && unit.split([' ', '/']).all(is_size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::split::segments;
    use crate::read::token::tokens;

    const PORTIONS: &[CommonPortion] = &[
        CommonPortion { measure: "samosa", is_sure: false, grams: 75.0 },
        CommonPortion { measure: "serving", is_sure: false, grams: 150.0 },
        CommonPortion { measure: "piece", is_sure: false, grams: 70.0 },
        CommonPortion { measure: "large", is_sure: false, grams: 100.0 },
        CommonPortion { measure: "plate", is_sure: false, grams: 300.0 },
    ];

    /// What the list makes of an amount that the tables weigh so.
    fn checked(text: &str, source: WeightSource, grams: f64) -> f64 {
        let segment = segments(&tokens(text), &Lexicon::default()).remove(0);
        let usual = UsualPortions { portions: PORTIONS, called: Some("egg"), ..UsualPortions::default() };
        usual.check(Weight { grams, source }, &segment.quantity, &segment.words).grams
    }

    #[test]
    fn the_list_fills_what_the_tables_lack() {
        for (text, expected) in [
            ("samosas", 150.0),
            ("a samosa", 75.0),
            ("2 samosas", 150.0),
            ("a large samosa", 100.0),
            ("a small samosa", 75.0 * SMALL),
            ("a plate of samosas", 300.0),
        ] {
            let grams = checked(text, WeightSource::Usual, 500.0);
            assert!((grams - expected).abs() < 0.01, "{text}: {grams}");
        }
    }

    #[test]
    fn the_list_corrects_rows_that_no_one_eats() {
        let plate = || WeightSource::Portion("1 plate".to_owned());
        for (text, source, grams, expected) in [
            ("a plate of samosas", plate(), 280.0, 280.0),
            ("a plate of samosas", plate(), 20.0, 300.0),
            ("20 g samosas", WeightSource::Mass, 20.0, 20.0),
        ] {
            let checked = checked(text, source, grams);
            assert!((checked - expected).abs() < 0.01, "{grams} g for {text}: {checked}");
        }
    }
}
