//! The columns of a pack: one buffer for each property of a food, because similar values compress best together.

use std::collections::HashMap;

use super::values;
use crate::codec::{Cursor, put_decimal, put_str, put_varint};
use crate::food::{Food, LocalName, Origin, Portion, Serving};
use crate::id::{self, Compact};
use crate::nutrients::{self, Nutrient, Nutrients};

/// The columns before those of the nutrients.
#[derive(Clone, Copy)]
#[repr(usize)]
enum Column {
    Origin,
    IdKind,
    IdNumber,
    Name,
    Description,
    Strings,
    Brand,
    Gtin,
    Category,
    Synonyms,
    ServingText,
    ServingGrams,
    PortionCount,
    PortionText,
    PortionGrams,
    Occurrences,
    Known,
    LocalNames,
}

const PLAIN: usize = Column::LocalNames as usize + 1;
/// The number of columns.
pub(super) const COUNT: usize = PLAIN + nutrients::COUNT;
/// The columns that the first format lacks, ascending: foods of USDA's tables have nothing in them.
pub(super) const NOT_IN_FIRST: [usize; 2] = [Column::LocalNames as usize, PLAIN + Nutrient::AvailableCarbs as usize];

/// Kinds of id beyond the numbered ones: text, and one that follows from the words of brand and name, with or without a
/// number after it.
const ID_TEXT: u8 = 253;
const ID_OF_WORDS: u8 = 254;
const ID_OF_WORDS_NUMBERED: u8 = 255;

/// Servings that need no words of their own: the first portion with its weight, and the weight alone. Above them,
/// numbers of strings.
const SERVING_IS_PORTION: u64 = 0;
const SERVING_IS_WEIGHT: u64 = 1;
const SERVING_STRINGS: u64 = 2;

/// Columns being written.
pub(super) struct ColumnWriter {
    buffers: Vec<Vec<u8>>,
    strings: HashMap<String, u64>,
    is_first_format: bool,
}

impl Default for ColumnWriter {
    fn default() -> Self {
        Self { buffers: vec![Vec::new(); COUNT], strings: HashMap::new(), is_first_format: true }
    }
}

impl ColumnWriter {
    pub fn buffers(&self) -> &[Vec<u8>] {
        &self.buffers
    }

    /// Returns whether the first format can hold the foods.
    pub fn is_first_format(&self) -> bool {
        self.is_first_format
    }

    pub fn push(&mut self, food: &Food) {
        self.at(Column::Origin).push(food.origin.code());
        self.push_id(food);
        put_str(self.at(Column::Name), &food.name);
        put_str(self.at(Column::Description), food.description.as_deref().unwrap_or(""));
        self.push_string(Column::Brand, food.brand.as_deref().unwrap_or(""));
        put_varint(self.at(Column::Gtin), food.gtin.unwrap_or(0));
        self.push_string(Column::Category, food.category.as_deref().unwrap_or(""));
        put_varint(self.at(Column::Synonyms), food.synonyms.len() as u64);
        for synonym in &food.synonyms {
            put_str(self.at(Column::Synonyms), synonym);
        }
        self.push_serving(food);
        put_varint(self.at(Column::PortionCount), food.portions.len() as u64);
        for portion in &food.portions {
            self.push_string(Column::PortionText, &portion.text);
            put_decimal(self.at(Column::PortionGrams), portion.grams);
        }
        put_varint(self.at(Column::Occurrences), u64::from(food.occurrences));
        self.push_local_names(food);
        put_varint(self.at(Column::Known), food.nutrients.known_mask());
        for (nutrient, value) in food.nutrients.iter() {
            put_varint(
                &mut self.buffers[PLAIN + nutrient as usize],
                values::encode(nutrient, value, food.serving.grams),
            );
        }
    }

    fn push_local_names(&mut self, food: &Food) {
        let has_available_carbs = food.nutrients.get(Nutrient::AvailableCarbs).is_some();
        self.is_first_format &= food.local_names.is_empty() && !has_available_carbs;
        put_varint(self.at(Column::LocalNames), food.local_names.len() as u64);
        for local in &food.local_names {
            self.push_string(Column::LocalNames, &local.language);
            put_str(self.at(Column::LocalNames), &local.name);
        }
    }

    fn at(&mut self, column: Column) -> &mut Vec<u8> {
        &mut self.buffers[column as usize]
    }

    fn push_id(&mut self, food: &Food) {
        let words_id = id_of_words(food.brand.as_deref(), &food.name);
        let number_behind = food.id.strip_prefix(&words_id).and_then(|rest| rest.strip_prefix('_')?.parse().ok());
        if food.id == words_id {
            self.at(Column::IdKind).push(ID_OF_WORDS);
        } else if let Some(number) = number_behind.filter(|&number| id::numbered(&words_id, number) == food.id) {
            self.at(Column::IdKind).push(ID_OF_WORDS_NUMBERED);
            put_varint(self.at(Column::IdNumber), number);
        } else {
            match id::compact(&food.id) {
                Compact::Number(kind, number) => {
                    self.at(Column::IdKind).push(kind);
                    put_varint(self.at(Column::IdNumber), number);
                }
                Compact::Text(text) => {
                    self.at(Column::IdKind).push(ID_TEXT);
                    put_str(self.at(Column::IdNumber), text);
                }
            }
        }
    }

    fn push_serving(&mut self, food: &Food) {
        let serving = &food.serving;
        if food.portions.first().is_some_and(|portion| serving_of(portion) == *serving) {
            put_varint(self.at(Column::ServingText), SERVING_IS_PORTION);
            return;
        }
        if serving.description == weight(serving.grams) {
            put_varint(self.at(Column::ServingText), SERVING_IS_WEIGHT);
        } else {
            let number = self.string_number(&serving.description);
            put_varint(self.at(Column::ServingText), SERVING_STRINGS + number);
        }
        put_decimal(self.at(Column::ServingGrams), serving.grams);
    }

    fn push_string(&mut self, column: Column, text: &str) {
        let number = self.string_number(text);
        put_varint(self.at(column), number);
    }

    /// Returns the number of a string; recurring strings are written only once.
    fn string_number(&mut self, text: &str) -> u64 {
        let next = self.strings.len() as u64;
        let number = *self.strings.entry(text.to_owned()).or_insert(next);
        if number == next {
            put_str(self.at(Column::Strings), text);
        }
        number
    }
}

/// Returns the serving of a label's portion: "2 tbsp (30 g)".
fn serving_of(portion: &Portion) -> Serving {
    Serving { description: format!("{} ({})", portion.text, weight(portion.grams)), grams: portion.grams }
}

fn weight(grams: f32) -> String {
    format!("{grams} g")
}

fn id_of_words(brand: Option<&str>, name: &str) -> String {
    id::from_words(&format!("{} {name}", brand.unwrap_or("")))
}

/// Columns being read.
pub(super) struct ColumnReader {
    buffers: Vec<Vec<u8>>,
    positions: Vec<usize>,
    strings: Vec<String>,
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of the cursor is not generic over its lifetime, as a closure is"
)]
impl ColumnReader {
    pub fn new(buffers: Vec<Vec<u8>>) -> Self {
        let mut strings = Vec::new();
        let mut cursor = Cursor(&buffers[Column::Strings as usize]);
        while let Some(text) = cursor.str() {
            strings.push(text.to_owned());
        }
        Self { positions: vec![0; buffers.len()], buffers, strings }
    }

    /// Reads the next food; `None` if the columns end or are invalid.
    pub fn next(&mut self) -> Option<Food> {
        let origin = Origin::from_code(self.read(Column::Origin, |cursor| cursor.byte())?)?;
        let id_kind = self.read(Column::IdKind, |cursor| cursor.byte())?;
        let id_number = match id_kind {
            ID_OF_WORDS | ID_TEXT => 0,
            _ => self.number(Column::IdNumber)?,
        };
        let id_text = if id_kind == ID_TEXT { self.text(Column::IdNumber)? } else { String::new() };
        let name = self.text(Column::Name)?;
        let description = non_empty(self.text(Column::Description)?);
        let brand = non_empty(self.string(Column::Brand)?);
        let gtin = Some(self.number(Column::Gtin)?).filter(|&gtin| gtin != 0);
        let category = non_empty(self.string(Column::Category)?);
        let synonyms =
            (0..self.number(Column::Synonyms)?).map(|_| self.text(Column::Synonyms)).collect::<Option<_>>()?;
        let mut portions = Vec::new();
        for _ in 0..self.number(Column::PortionCount)? {
            let text = self.string(Column::PortionText)?;
            portions.push(Portion::new(text, self.decimal(Column::PortionGrams)?));
        }
        let serving = self.serving(&portions)?;
        let local_names = (0..self.number(Column::LocalNames)?).map(|_| self.local_name()).collect::<Option<_>>()?;
        let occurrences = u32::try_from(self.number(Column::Occurrences)?).ok()?;
        let nutrients = self.nutrients(serving.grams)?;
        let id = match id_kind {
            ID_OF_WORDS => id_of_words(brand.as_deref(), &name),
            ID_OF_WORDS_NUMBERED => id::numbered(&id_of_words(brand.as_deref(), &name), id_number),
            ID_TEXT => id_text,
            kind => id::expand(&Compact::Number(kind, id_number))?,
        };
        let food = Food {
            description,
            brand,
            gtin,
            category,
            synonyms,
            local_names,
            serving,
            occurrences,
            ..Food::new(id, origin, name, nutrients)
        };
        Some(food.with_portions(portions))
    }

    fn local_name(&mut self) -> Option<LocalName> {
        Some(LocalName { language: self.string(Column::LocalNames)?, name: self.text(Column::LocalNames)? })
    }

    fn serving(&mut self, portions: &[Portion]) -> Option<Serving> {
        let code = self.number(Column::ServingText)?;
        if code == SERVING_IS_PORTION {
            return portions.first().map(serving_of);
        }
        let grams = self.decimal(Column::ServingGrams)?;
        let description = if code == SERVING_IS_WEIGHT {
            weight(grams)
        } else {
            self.strings.get(usize::try_from(code - SERVING_STRINGS).ok()?)?.clone()
        };
        Some(Serving { description, grams })
    }

    fn nutrients(&mut self, serving_grams: f32) -> Option<Nutrients> {
        let known = self.number(Column::Known)?;
        let mut nutrients = Nutrients::default();
        for (index, &nutrient) in Nutrient::ALL.iter().enumerate() {
            if known & (1 << index) != 0 {
                let code = self.read_at(PLAIN + index, |cursor| cursor.varint())?;
                nutrients.set(nutrient, values::decode(nutrient, code, serving_grams));
            }
        }
        Some(nutrients)
    }

    fn number(&mut self, column: Column) -> Option<u64> {
        self.read(column, |cursor| cursor.varint())
    }

    fn decimal(&mut self, column: Column) -> Option<f32> {
        self.read(column, |cursor| cursor.decimal())
    }

    fn text(&mut self, column: Column) -> Option<String> {
        self.read(column, |cursor| cursor.str().map(str::to_owned))
    }

    fn string(&mut self, column: Column) -> Option<String> {
        let number = usize::try_from(self.number(column)?).ok()?;
        self.strings.get(number).cloned()
    }

    fn read<T>(&mut self, column: Column, take: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Option<T> {
        self.read_at(column as usize, take)
    }

    fn read_at<T>(&mut self, column: usize, take: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Option<T> {
        let mut cursor = Cursor(self.buffers[column].get(self.positions[column]..)?);
        let before = cursor.0.len();
        let value = take(&mut cursor)?;
        self.positions[column] += before - cursor.0.len();
        Some(value)
    }
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
