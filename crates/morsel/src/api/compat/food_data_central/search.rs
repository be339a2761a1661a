//! Searches for foods.

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use foods::catalog::Catalog;
use foods::search::MAX_RESULTS;
use foods::{Food, Origin};
use meal::Speaker;
use serde::Serialize;
use utoipa::ToSchema;

use super::data_type::{DataType, origins_of};
use super::rows::SearchRow;
use crate::api::compat::food_codes;
use crate::api::compat::page_number::PageNumber;
use crate::api::compat::parameters::Parameters;
use crate::api::compat::searched::searched;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::live_engine::EngineSnapshot;
use crate::request_body::{RequestBody, UNMETERED_BYTES};

/// Foods on a page, unless the request says how many, and at most.
const USUAL_SIZE: usize = 50;
const MAX_SIZE: usize = 200;
/// The part of a query that is read.
const MAX_QUERY_CHARS: usize = 200;
/// A query of so many digits is a barcode.
const MIN_BARCODE_DIGITS: usize = 8;

/// Search foods, as FoodData Central does
#[utoipa::path(get, path = "/fdc/v1/foods/search", operation_id = "search_fdc_foods", tag = "fooddata central", params(
    ("query" = String, Query, description = "The words to search for, or a barcode; without any, nothing is found"),
    ("dataType" = Option<String>, Query, description = "Data types, separated by commas: Branded, Foundation, SR Legacy, Survey (FNDDS)"),
    ("pageSize" = Option<u32>, Query, description = "Foods on a page: 1 to 200, by default 50"),
    ("pageNumber" = Option<u32>, Query, description = "The page, by default 1"),
    ("sortBy" = Option<String>, Query, description = "dataType.keyword, lowercaseDescription.keyword or fdcId; by default the best food comes first"),
    ("sortOrder" = Option<String>, Query, description = "asc or desc"),
    ("brandOwner" = Option<String>, Query, description = "Only foods of this brand"),
    ("requireAllWords" = Option<bool>, Query, description = "Only foods with all words of the query in their name or brand"),
), responses((status = 200, description = "The foods, at most 100 over all pages", body = SearchAnswer<'static>)))]
pub async fn get(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    respond(&app, &caller, &Parameters::of_query(request.uri())).await
}

/// Search foods with the parameters in the body
#[utoipa::path(post, path = "/fdc/v1/foods/search", operation_id = "post_search_fdc_foods", tag = "fooddata central", request_body = Object,
    responses((status = 200, description = "The foods, at most 100 over all pages", body = SearchAnswer<'static>)))]
pub async fn post(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let body = RequestBody::read(&app, Some(&caller.account.id), request.into_body(), UNMETERED_BYTES).await?;
    respond(&app, &caller, &Parameters::of_json(&body.bytes)?).await
}

async fn respond(app: &App, caller: &Caller, parameters: &Parameters) -> Result<Response, ApiError> {
    let criteria = SearchCriteria::read(parameters)?;
    let identity = ["fdc ", &parameters.identity("api_key")].concat();
    searched(app, caller, identity, move |snapshot| criteria.answer(snapshot)).await
}

/// The foods that a search found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer<'a> {
    /// How many foods were found.
    total_hits: usize,
    /// The page.
    current_page: usize,
    /// How many pages there are.
    total_pages: usize,
    /// What was searched for.
    food_search_criteria: EchoedCriteria<'a>,
    /// The foods.
    #[schema(value_type = Vec<Object>)]
    foods: Vec<SearchRow<'a>>,
}

/// What was searched for, as understood.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EchoedCriteria<'a> {
    /// The query.
    query: &'a str,
    /// The query, under its older name.
    general_search_input: &'a str,
    /// The data types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_type: Vec<&'static str>,
    /// The page.
    page_number: usize,
    /// How many foods are on a full page.
    page_size: usize,
    /// The same.
    number_of_results_per_page: usize,
    /// Whether all words are required.
    require_all_words: bool,
}

/// A checked search.
struct SearchCriteria {
    query: String,
    types: Option<Vec<DataType>>,
    page: PageNumber,
    order: Option<SortedBy>,
    is_descending: bool,
    brand: Option<String>,
    all_words: bool,
}

/// What foods are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SortedBy {
    DataType,
    Description,
    Id,
}

impl SearchCriteria {
    fn read(parameters: &Parameters) -> Result<Self, ApiError> {
        let text = |name: &str| parameters.get(name).map(str::trim).filter(|text| !text.is_empty());
        let query = text("query").or_else(|| text("generalSearchInput")).unwrap_or_default();
        let order = match text("sortBy") {
            Some("dataType.keyword" | "dataType") => Some(SortedBy::DataType),
            Some("lowercaseDescription.keyword" | "description") => Some(SortedBy::Description),
            Some("fdcId") => Some(SortedBy::Id),
            // Foods have no dates here.
            Some("publishedDate") | None => None,
            Some(_) => {
                let message =
                    "“sortBy” must be dataType.keyword, lowercaseDescription.keyword, fdcId or publishedDate.";
                return Err(ApiError::bad_field("sortBy", message));
            }
        };
        Ok(Self {
            query: query.chars().take(MAX_QUERY_CHARS).collect(),
            types: data_types(parameters)?,
            page: PageNumber::read(text("pageNumber"), text("pageSize"), USUAL_SIZE, MAX_SIZE),
            order,
            is_descending: text("sortOrder") == Some("desc"),
            brand: text("brandOwner").map(|brand| brand.to_lowercase().chars().take(MAX_QUERY_CHARS).collect()),
            all_words: text("requireAllWords") == Some("true"),
        })
    }

    /// Writes the answer.
    fn answer(&self, snapshot: &EngineSnapshot) -> serde_json::Result<Vec<u8>> {
        let (foods, total) = self.foods(snapshot);
        let PageNumber { number, size } = self.page;
        let types = self.types.as_deref().unwrap_or_default();
        let criteria = EchoedCriteria {
            query: &self.query,
            general_search_input: &self.query,
            data_type: types.iter().map(|data_type| data_type.name()).collect(),
            page_number: number,
            page_size: size,
            number_of_results_per_page: size,
            require_all_words: self.all_words,
        };
        serde_json::to_vec(&SearchAnswer {
            total_hits: total,
            current_page: number,
            total_pages: self.page.pages(total),
            food_search_criteria: criteria,
            foods: foods.iter().filter_map(|food| SearchRow::new(&snapshot.catalog, food)).collect(),
        })
    }

    /// Returns the foods on the page, and how many there are in all.
    fn foods(&self, snapshot: &EngineSnapshot) -> (Vec<Food>, usize) {
        let digits = self.query.len() >= MIN_BARCODE_DIGITS && self.query.bytes().all(|byte| byte.is_ascii_digit());
        let types = if self.brand.is_some() { Some(&[DataType::Branded][..]) } else { self.types.as_deref() };
        let origins: Option<Vec<Origin>> = types.map(origins_of);
        let is_selective = self.order.is_some() || self.brand.is_some() || self.all_words;
        if !digits && !is_selective {
            return self.search(snapshot, origins.as_deref(), self.page.range());
        }
        let mut foods = if digits {
            food_codes::by_barcode(&snapshot.catalog, &self.query).into_iter().collect()
        } else {
            self.search(snapshot, origins.as_deref(), 0..MAX_RESULTS).0
        };
        foods.retain(|food| self.accepts(food));
        self.sort(&snapshot.catalog, &mut foods);
        let total = foods.len();
        let range = self.page.range();
        foods.truncate(range.end);
        foods.drain(..range.start.min(foods.len()));
        (foods, total)
    }

    fn search(
        &self,
        snapshot: &EngineSnapshot,
        origins: Option<&[Origin]>,
        range: std::ops::Range<usize>,
    ) -> (Vec<Food>, usize) {
        // The brand is searched for as well: there may be more foods of others than a search finds.
        let with_brand = self.brand.as_ref().map(|brand| format!("{} {brand}", self.query));
        let query = with_brand.as_deref().unwrap_or(&self.query);
        let found = snapshot.search_page(query, &Speaker::default(), origins, range);
        (found.foods(), found.total)
    }

    fn accepts(&self, food: &Food) -> bool {
        let contains =
            |text: &Option<String>, word: &str| text.as_ref().is_some_and(|text| text.to_lowercase().contains(word));
        let has_type = self.types.as_ref().is_none_or(|types| types.contains(&DataType::of(food.origin)));
        let has_brand = self.brand.as_ref().is_none_or(|brand| contains(&food.brand, brand));
        let has_word = |word: &str| {
            // "apples" is in "Apple".
            let word = word.to_lowercase();
            let word = word.strip_suffix('s').filter(|singular| singular.len() > 2).unwrap_or(&word);
            food.name.to_lowercase().contains(word)
                || contains(&food.brand, word)
                || contains(&food.description, word)
                || food.synonyms.iter().any(|synonym| synonym.to_lowercase().contains(word))
        };
        has_type && has_brand && (!self.all_words || self.query.split_whitespace().all(has_word))
    }

    fn sort(&self, catalog: &Catalog, foods: &mut [Food]) {
        let Some(order) = self.order else { return };
        let compare = |one: &Food, other: &Food| -> Ordering {
            match order {
                SortedBy::DataType => DataType::of(one.origin).cmp(&DataType::of(other.origin)),
                SortedBy::Description => one.name.to_lowercase().cmp(&other.name.to_lowercase()),
                SortedBy::Id => food_codes::fdc_id_of(catalog, one).cmp(&food_codes::fdc_id_of(catalog, other)),
            }
        };
        if self.is_descending {
            foods.sort_by(|one, other| compare(other, one));
        } else {
            foods.sort_by(compare);
        }
    }
}

/// Reads the data types that foods must have; `None` if they may have any. A type that has no foods here finds none.
pub(super) fn data_types(parameters: &Parameters) -> Result<Option<Vec<DataType>>, ApiError> {
    let mut types = Vec::new();
    let mut is_limited = false;
    for name in parameters.list("dataType") {
        is_limited = true;
        match DataType::parse(name) {
            Some(data_type) if !types.contains(&data_type) => types.push(data_type),
            Some(_) => {}
            None if name == "Experimental" => {}
            None => {
                let message = "“dataType” must be Branded, Foundation, SR Legacy or Survey (FNDDS).";
                return Err(ApiError::bad_field("dataType", message));
            }
        }
    }
    Ok(is_limited.then_some(types))
}
