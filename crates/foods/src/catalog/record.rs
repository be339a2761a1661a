//! A food as bytes. Strings that many foods share are numbers into a table; names in other languages are in a section of their
//! own.

use crate::codec::{Cursor, put_decimal, put_str, put_varint};
use crate::food::{Food, FoodSummary, Origin, Portion, Serving};
use crate::id::{self, Compact};
use crate::nutrients::{Nutrient, Nutrients};

const HAS_DESCRIPTION: u8 = 1;
const HAS_BRAND: u8 = 2;
const HAS_GTIN: u8 = 4;
const HAS_CATEGORY: u8 = 8;
const TEXT_ID: u8 = 16;
/// The barcode is part of the id.
const GTIN_IN_ID: u8 = 32;
const HAS_DENSITY: u8 = 64;

/// Room is made for at most so many portions or synonyms before they are read: damaged bytes may claim any number.
const MOST_EXPECTED: usize = 64;

/// Encodes a food; `intern` returns the number of a shared string.
pub(crate) fn encode(food: &Food, out: &mut Vec<u8>, mut intern: impl FnMut(&str) -> u32) {
    let compact = id::compact(&food.id);
    let gtin_in_id = food.gtin.is_some_and(|gtin| food.id == id::from_gtin(gtin));
    let mut flags = 0;
    let mut flag = |bit: u8, on: bool| flags |= if on { bit } else { 0 };
    flag(HAS_DESCRIPTION, food.description.is_some());
    flag(HAS_BRAND, food.brand.is_some());
    flag(HAS_GTIN, food.gtin.is_some() && !gtin_in_id);
    flag(GTIN_IN_ID, gtin_in_id);
    flag(HAS_CATEGORY, food.category.is_some());
    flag(HAS_DENSITY, food.density.is_some());
    flag(TEXT_ID, matches!(compact, Compact::Text(_)));
    out.push(food.origin.code());
    out.push(flags);
    match compact {
        Compact::Number(kind, number) => {
            out.push(kind);
            put_varint(out, number);
        }
        Compact::Text(text) => put_str(out, text),
    }
    put_str(out, &food.name);
    if let Some(description) = &food.description {
        put_str(out, description);
    }
    if let Some(brand) = &food.brand {
        put_varint(out, u64::from(intern(brand)));
    }
    if let Some(gtin) = food.gtin.filter(|_| !gtin_in_id) {
        put_varint(out, gtin);
    }
    if let Some(category) = &food.category {
        put_varint(out, u64::from(intern(category)));
    }
    put_varint(out, u64::from(intern(&food.serving.description)));
    put_decimal(out, food.serving.grams);
    put_varint(out, food.nutrients.known_mask());
    for (_, value) in food.nutrients.iter() {
        put_decimal(out, value);
    }
    put_varint(out, food.portions.len() as u64);
    for portion in &food.portions {
        put_varint(out, u64::from(intern(&portion.text)));
        put_decimal(out, portion.grams);
    }
    put_varint(out, food.synonyms.len() as u64);
    for synonym in &food.synonyms {
        put_str(out, synonym);
    }
    put_varint(out, u64::from(food.occurrences));
    if let Some(density) = food.density {
        put_decimal(out, density);
    }
}

/// Returns the id in a record, without decoding the rest.
pub(crate) fn id(bytes: &[u8]) -> Option<String> {
    let mut cursor = Cursor(bytes);
    cursor.byte()?;
    let flags = cursor.byte()?;
    id::expand(&compact_id(&mut cursor, flags)?)
}

/// Reads an id.
fn compact_id<'a>(cursor: &mut Cursor<'a>, flags: u8) -> Option<Compact<'a>> {
    let is_text = flags & TEXT_ID != 0;
    Some(if is_text { Compact::Text(cursor.str()?) } else { Compact::Number(cursor.byte()?, cursor.varint()?) })
}

/// Returns the name in a record and the publisher's own where it differs, without decoding the rest.
pub(crate) fn names(bytes: &[u8]) -> Option<(&str, Option<&str>)> {
    let mut cursor = Cursor(bytes);
    cursor.byte()?;
    let flags = cursor.byte()?;
    compact_id(&mut cursor, flags)?;
    let name = cursor.str()?;
    Some((name, if flags & HAS_DESCRIPTION != 0 { cursor.str() } else { None }))
}

/// Returns the number of a record's category in the string table, without decoding the rest.
pub(crate) fn category(bytes: &[u8]) -> Option<u32> {
    let mut cursor = Cursor(bytes);
    cursor.byte()?;
    let flags = cursor.byte()?;
    let has = |bit: u8| flags & bit != 0;
    compact_id(&mut cursor, flags)?;
    cursor.str()?;
    if has(HAS_DESCRIPTION) {
        cursor.str()?;
    }
    for present in [has(HAS_BRAND), has(HAS_GTIN)] {
        if present {
            cursor.varint()?;
        }
    }
    if has(HAS_CATEGORY) { u32::try_from(cursor.varint()?).ok() } else { None }
}

/// What a record has before its nutrients. Shared strings are numbers, and the publisher's own name is not yet decoded.
struct Head<'a> {
    flags: u8,
    origin: Origin,
    id: Compact<'a>,
    name: &'a str,
    description: Option<&'a [u8]>,
    brand: Option<u64>,
    gtin: Option<u64>,
    category: Option<u64>,
    serving_description: u64,
    serving_grams: f32,
    known: u64,
}

impl<'a> Head<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let origin = Origin::from_code(cursor.byte()?)?;
        let flags = cursor.byte()?;
        let has = |bit: u8| flags & bit != 0;
        let id = compact_id(cursor, flags)?;
        let name = cursor.str()?;
        let description = if has(HAS_DESCRIPTION) {
            let len = cursor.len()?;
            Some(cursor.bytes(len)?)
        } else {
            None
        };
        let brand = if has(HAS_BRAND) { Some(cursor.varint()?) } else { None };
        let gtin = match &id {
            Compact::Number(_, number) if has(GTIN_IN_ID) => Some(*number),
            _ if has(HAS_GTIN) => Some(cursor.varint()?),
            _ => None,
        };
        let category = if has(HAS_CATEGORY) { Some(cursor.varint()?) } else { None };
        let serving_description = cursor.varint()?;
        let serving_grams = cursor.decimal()?;
        let known = cursor.varint()?;
        Some(Self {
            flags,
            origin,
            id,
            name,
            description,
            brand,
            gtin,
            category,
            serving_description,
            serving_grams,
            known,
        })
    }
}

/// Reads the known ones of some nutrients: the first in the order of the file format, or all.
fn nutrients(cursor: &mut Cursor<'_>, known: u64, wanted: &[Nutrient]) -> Option<Nutrients> {
    let mut nutrients = Nutrients::default();
    for &nutrient in wanted.iter().filter(|nutrient| known & (1 << **nutrient as usize) != 0) {
        nutrients.set(nutrient, cursor.decimal()?);
    }
    Some(nutrients)
}

/// Decodes what a search result shows of a food. `None` if the bytes are invalid.
pub(crate) fn summary<'a>(bytes: &'a [u8], string: impl Fn(u64) -> Option<&'a str>) -> Option<FoodSummary<'a>> {
    let mut cursor = Cursor(bytes);
    let head = Head::read(&mut cursor)?;
    let brand = match head.brand {
        Some(number) => Some(string(number)?),
        None => None,
    };
    Some(FoodSummary {
        id: id::expand(&head.id)?,
        origin: head.origin,
        name: head.name,
        brand,
        serving_description: string(head.serving_description)?,
        serving_grams: head.serving_grams,
        nutrients: nutrients(&mut cursor, head.known, Nutrient::SHOWN)?,
    })
}

/// Decodes a food; `string` returns a shared string by its number. `None` if the bytes are invalid.
pub(crate) fn decode<'a>(bytes: &'a [u8], string: impl Fn(u64) -> Option<&'a str>) -> Option<Food> {
    let mut cursor = Cursor(bytes);
    let head = Head::read(&mut cursor)?;
    let nutrients = nutrients(&mut cursor, head.known, Nutrient::ALL)?;
    let shared = |number: u64| string(number).map(str::to_owned);
    let description = match head.description {
        Some(bytes) => Some(std::str::from_utf8(bytes).ok()?.to_owned()),
        None => None,
    };
    let brand = match head.brand {
        Some(number) => Some(shared(number)?),
        None => None,
    };
    let category = match head.category {
        Some(number) => Some(shared(number)?),
        None => None,
    };
    let count = cursor.len()?;
    let mut portions = Vec::with_capacity(count.min(MOST_EXPECTED));
    for _ in 0..count {
        let text = string(cursor.varint()?)?.to_owned();
        portions.push(Portion::new(text, cursor.decimal()?));
    }
    let count = cursor.len()?;
    let mut synonyms = Vec::with_capacity(count.min(MOST_EXPECTED));
    for _ in 0..count {
        synonyms.push(cursor.str()?.to_owned());
    }
    let occurrences = u32::try_from(cursor.varint()?).ok()?;
    let density = if head.flags & HAS_DENSITY != 0 { Some(cursor.decimal()?) } else { None };
    Some(Food {
        id: id::expand(&head.id)?,
        origin: head.origin,
        name: head.name.to_owned(),
        description,
        brand,
        gtin: head.gtin,
        category,
        synonyms,
        local_names: Vec::new(),
        nutrients,
        portions,
        density,
        serving: Serving { description: shared(head.serving_description)?, grams: head.serving_grams },
        occurrences,
    })
}
