//! A food as a product of Open Food Facts.

use foods::{Food, FoodTable, Serving};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::fields::{ProductField, ProductFields, languages_in};
use super::nutriments::Nutriments;
use crate::api::compat::food_codes;
use crate::api::compat::parameters::Parameters;
use crate::live_engine::EngineSnapshot;
use crate::speaker::ENGLISH;

/// Names in more languages than this are not sent.
const MAX_LANGUAGES: usize = 8;

/// How products are sent: which fields, with names in which languages.
#[derive(Debug)]
pub(super) struct ProductForm {
    fields: ProductFields,
    /// The language of the main name, if the request says it.
    language: Option<String>,
    /// The languages other than English in which there are further names.
    languages: Vec<String>,
    /// Where the pages of foods are.
    base_url: String,
    /// Whether the brands are a list: the newer search has one, the rest a text.
    has_list_of_brands: bool,
}

impl ProductForm {
    /// Reads what a request asks for.
    pub fn read(parameters: &Parameters, base_url: String, has_list_of_brands: bool) -> Self {
        let fields: Vec<&str> = parameters.list("fields").collect();
        let fields = fields.join(",");
        let said = ["lc", "lang", "langs"].iter().flat_map(|name| parameters.list(name));
        let said: Vec<String> = said.filter_map(code_of).take(MAX_LANGUAGES).collect();
        let language = said.first().cloned();
        let mut languages = Vec::new();
        for code in said.into_iter().chain(languages_in(&fields).filter_map(code_of)) {
            if code != ENGLISH && !languages.contains(&code) && languages.len() < MAX_LANGUAGES {
                languages.push(code);
            }
        }
        Self { fields: ProductFields::read(Some(&fields)), language, languages, base_url, has_list_of_brands }
    }

    /// Returns the languages other than English that the request mentions.
    pub fn languages(&self) -> &[String] {
        &self.languages
    }
}

/// Returns the code of the language in a tag: "pt" of "pt-BR"; `None` if it cannot be one.
fn code_of(tag: &str) -> Option<String> {
    let code = tag.split(['-', '_']).next().unwrap_or_default();
    let is_code = (2..=3).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| code.to_ascii_lowercase())
}

/// A food, with its code and its names.
#[derive(Debug)]
pub(super) struct Product<'a> {
    food: &'a Food,
    pub code: String,
    name: String,
    language: &'a str,
    local_names: Vec<(&'a str, String)>,
    form: &'a ProductForm,
}

impl<'a> Product<'a> {
    /// Prepares a food. Unless the request says a language, its name is in that of the query: `queried` has both.
    pub fn new(
        snapshot: &EngineSnapshot,
        food: &'a Food,
        form: &'a ProductForm,
        queried: Option<(&'a str, String)>,
    ) -> Option<Self> {
        let code = food_codes::barcode_of(&snapshot.catalog, food)?;
        let local = |language: &'a String| Some((language.as_str(), snapshot.name_in(food, language)?));
        let local_names: Vec<_> = form.languages.iter().filter_map(local).collect();
        let said = |language: &str| local_names.iter().find(|(code, _)| *code == language).cloned();
        let shown = form.language.as_deref().map_or(queried, said);
        let (language, name) = shown.unwrap_or_else(|| (ENGLISH, food.name.clone()));
        Some(Self { food, code, name, language, local_names, form })
    }
}

impl Serialize for Product<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { food, form, .. } = self;
        let wants = |field| form.fields.contain(field);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code)?;
        if wants(ProductField::Id) {
            map.serialize_entry("_id", &self.code)?;
            map.serialize_entry("id", &self.code)?;
        }
        if wants(ProductField::Name) {
            map.serialize_entry("product_name", &self.name)?;
        }
        if wants(ProductField::EnglishName) {
            map.serialize_entry("product_name_en", &food.name)?;
        }
        if wants(ProductField::LocalNames) {
            for (language, name) in &self.local_names {
                map.serialize_entry(&format!("product_name_{language}"), name)?;
            }
        }
        if wants(ProductField::Language) {
            map.serialize_entry("lang", self.language)?;
            map.serialize_entry("lc", self.language)?;
        }
        self.serialize_brand(&mut map)?;
        if wants(ProductField::ServingSize) {
            map.serialize_entry("serving_size", &serving_size(&food.serving))?;
        }
        if wants(ProductField::ServingQuantity) {
            map.serialize_entry("serving_quantity", &in_tenths(food.serving.grams))?;
        }
        if wants(ProductField::ServingUnit) {
            map.serialize_entry("serving_quantity_unit", "g")?;
        }
        if wants(ProductField::Basis) {
            map.serialize_entry("nutrition_data_per", "100g")?;
        }
        if let Some(category) = food.category.as_deref() {
            if wants(ProductField::Categories) {
                map.serialize_entry("categories", category)?;
            }
            if wants(ProductField::CategoryTags) {
                map.serialize_entry("categories_tags", &[format!("en:{}", tag(category))])?;
            }
        }
        if wants(ProductField::Sources) {
            let source = food.origin.table().map_or(food.origin.name(), FoodTable::attribution);
            map.serialize_entry("data_sources", source)?;
        }
        if wants(ProductField::Url) {
            map.serialize_entry("url", &[&form.base_url, "/foods/", &food.id].concat())?;
        }
        if wants(ProductField::Nutriments) {
            map.serialize_entry("nutriments", &Nutriments(food))?;
        }
        map.end()
    }
}

impl Product<'_> {
    fn serialize_brand<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let brand = self.food.brand.as_deref();
        if self.form.fields.contain(ProductField::Brands) {
            if self.form.has_list_of_brands {
                map.serialize_entry("brands", brand.as_slice())?;
            } else {
                map.serialize_entry("brands", brand.unwrap_or_default())?;
            }
        }
        if self.form.fields.contain(ProductField::BrandTags) {
            map.serialize_entry("brands_tags", &brand.map(tag).as_slice())?;
        }
        Ok(())
    }
}

/// Returns a serving with its weight, as programs parse it: "2 cookies (28 g)", "100 g".
fn serving_size(serving: &Serving) -> String {
    let Serving { description, grams } = serving;
    let grams = in_tenths(*grams);
    let is_weight = |text: &str| text.strip_suffix(" g").is_some_and(|number| number.parse::<f64>().is_ok());
    if is_weight(description) || description.ends_with(" g)") {
        return description.clone();
    }
    // The weight has its own brackets, and only those are read.
    let words = description.split(" (").next().unwrap_or_default();
    format!("{words} ({grams} g)")
}

fn in_tenths(grams: f32) -> f64 {
    (f64::from(grams) * 10.0).round() / 10.0
}

/// Returns words as a tag: "baked-products".
fn tag(words: &str) -> String {
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servings_say_their_weight() {
        for (description, grams, expected) in [
            ("2 cookies", 28.0, "2 cookies (28 g)"),
            ("1 biscuit (12.5 g)", 12.5, "1 biscuit (12.5 g)"),
            ("100 g", 100.0, "100 g"),
            ("1 cup, diced", 140.04, "1 cup, diced (140 g)"),
            ("1 bottle (16 fl oz)", 480.0, "1 bottle (480 g)"),
        ] {
            let serving = Serving { description: description.to_owned(), grams };
            assert_eq!(serving_size(&serving), expected);
        }
    }

    #[test]
    fn only_codes_of_languages_are_taken() {
        assert_eq!(code_of("pt-BR").as_deref(), Some("pt"));
        assert_eq!(code_of("DE").as_deref(), Some("de"));
        for wrong in ["", "german", "1", "d\"", "-"] {
            assert_eq!(code_of(wrong), None, "{wrong}");
        }
        assert_eq!(tag("Baked Products, other"), "baked-products-other");
    }
}
