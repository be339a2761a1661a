//! A food while its rows are collected.

use super::lookup::Lookups;
use super::spill::{RecordFields, RecordKind};
use crate::food::{Food, Origin, Portion, Serving};
use crate::import::ranked::Ranked;
use crate::import::{check, serving};
use crate::name;
use crate::nutrients::Nutrient;

/// The most portions and names of a food, so that damage cannot make it thousands; real foods have a dozen.
const MAX_PARTS: usize = 250;

/// The kinds of rows in `food.csv` that are foods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum DataType {
    Foundation = 0,
    Legacy = 1,
    Survey = 2,
    Branded = 3,
}

impl DataType {
    /// Parses the kind; `None` for samples, acquisitions and the like.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "foundation_food" => Some(Self::Foundation),
            "sr_legacy_food" => Some(Self::Legacy),
            "survey_fndds_food" => Some(Self::Survey),
            "branded_food" => Some(Self::Branded),
            _ => None,
        }
    }

    fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Foundation,
            1 => Self::Legacy,
            2 => Self::Survey,
            _ => Self::Branded,
        }
    }
}

/// The fields of a label other than its values.
#[derive(Debug)]
struct Label {
    owner: String,
    brand: String,
    gtin: Option<u64>,
    amount: f32,
    unit: String,
    household: String,
    category: String,
}

/// What is known from the rows of one id so far.
#[derive(Debug)]
pub(super) struct Draft {
    pub data_type: DataType,
    description: String,
    category: String,
    nutrients: Ranked,
    portions: Vec<(f32, Portion)>,
    common_names: Vec<String>,
    code: Option<String>,
    label: Option<Box<Label>>,
}

impl Draft {
    /// Creates a draft from a row of `food.csv`.
    pub fn new(mut fields: RecordFields<'_>) -> Self {
        Self {
            data_type: DataType::from_byte(fields.byte()),
            description: fields.text().to_owned(),
            category: fields.text().to_owned(),
            nutrients: Ranked::default(),
            portions: Vec::new(),
            common_names: Vec::new(),
            code: None,
            label: None,
        }
    }

    /// Adds a row of another table.
    pub fn add(&mut self, kind: RecordKind, mut fields: RecordFields<'_>) {
        match kind {
            RecordKind::Food => *self = Self::new(fields),
            RecordKind::Nutrient => {
                if let Some(&nutrient) = Nutrient::ALL.get(usize::from(fields.byte())) {
                    self.nutrients.add(nutrient, fields.byte(), fields.number());
                }
            }
            RecordKind::Portion => {
                let (sequence, grams) = (fields.number(), fields.number());
                if self.portions.len() < MAX_PARTS {
                    self.portions.push((sequence, Portion::new(fields.text().to_owned(), grams)));
                }
            }
            RecordKind::CommonName => {
                if self.common_names.len() < MAX_PARTS {
                    self.common_names.push(fields.text().to_owned());
                }
            }
            RecordKind::Code => {
                self.code = Some(fields.text().to_owned());
                let category = fields.text();
                if !category.is_empty() {
                    category.clone_into(&mut self.category);
                }
            }
            RecordKind::Label => self.label = Some(Box::new(read_label(fields))),
        }
    }

    /// Returns whether the table of its kind lists it.
    pub fn is_listed(&self) -> bool {
        self.code.is_some()
    }

    /// Converts the draft to a food.
    pub fn into_food(mut self, id: u32, lookups: &Lookups) -> Food {
        match self.label.take() {
            Some(label) if self.data_type == DataType::Branded => self.into_product(id, *label),
            _ => self.into_generic(id, lookups),
        }
    }

    /// Converts a food that USDA describes itself (or a product without a row for its label).
    fn into_generic(mut self, id: u32, lookups: &Lookups) -> Food {
        self.portions.sort_by(|(first, _), (second, _)| first.total_cmp(second));
        let portions: Vec<Portion> = self.portions.into_iter().map(|(_, portion)| portion).collect();
        let code = self.code.as_deref().and_then(|code| code.parse::<u32>().ok());
        let otherwise = || format!("fdc_{id}");
        let (origin, food_id) = match self.data_type {
            DataType::Foundation => (Origin::Foundation, otherwise()),
            DataType::Legacy => {
                (Origin::StandardReference, code.map_or_else(otherwise, |number| format!("sr_{number:05}")))
            }
            DataType::Survey => (Origin::FnddsOther, code.map_or_else(otherwise, |code| format!("fndds_{code}"))),
            DataType::Branded => (Origin::FdcBranded, otherwise()),
        };
        let synonyms =
            self.common_names.iter().flat_map(|names| name::common_names(names, &self.description)).collect();
        let name = match self.data_type {
            DataType::Branded => name::product(&self.description, None),
            _ => name::usda(&self.description),
        };
        let food = Food {
            description: Some(self.description),
            category: lookups.category(self.data_type == DataType::Survey, &self.category),
            synonyms,
            serving: serving::choose(&portions),
            ..Food::new(food_id, origin, name, self.nutrients.values())
        };
        food.with_portions(portions)
    }

    /// Converts a product with the fields of its label.
    fn into_product(self, id: u32, label: Label) -> Food {
        let brand = name::brand(&label.owner, &label.brand);
        let labeled = serving::LabelUnit::from_word(&label.unit)
            .and_then(|unit| serving::labeled(&label.household, label.amount, unit));
        let serving = labeled.clone().unwrap_or_else(Serving::hundred_grams);
        let portions: Vec<Portion> =
            labeled.and_then(|serving| serving::portion_of(&label.household, &serving)).into_iter().collect();
        let id = check::product_id(label.gtin, || format!("fdc_{id}"));
        let name = name::product(&self.description, brand.as_deref());
        let food = Food {
            description: Some(self.description),
            brand,
            gtin: label.gtin,
            category: Some(label.category).filter(|category| !category.is_empty()),
            serving,
            ..Food::new(id, Origin::FdcBranded, name, self.nutrients.values())
        };
        food.with_portions(portions)
    }
}

/// Reads the fields of a label, in the order in which they were written.
fn read_label(mut fields: RecordFields<'_>) -> Label {
    Label {
        owner: fields.text().to_owned(),
        brand: fields.text().to_owned(),
        gtin: check::gtin(fields.text()),
        amount: check::number(fields.text()).unwrap_or(0.0),
        unit: fields.text().to_owned(),
        household: fields.text().to_owned(),
        category: fields.text().to_owned(),
    }
}
