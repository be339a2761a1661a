//! Searches for products: by words, or by a list of codes.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use foods::Food;
use meal::Speaker;
use serde::Serialize;
use utoipa::ToSchema;

use super::product::{Product, ProductForm};
use crate::api::compat::food_codes;
use crate::api::compat::page_number::PageNumber;
use crate::api::compat::parameters::Parameters;
use crate::api::compat::searched::searched;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::live_engine::EngineSnapshot;
use crate::path::Path;
use crate::request::BaseUrl;
use crate::request_body::{RequestBody, UNMETERED_BYTES};
use crate::speaker::ENGLISH;

/// Products on a page, unless the request says how many, and at most.
const USUAL_SIZE: usize = 24;
const MAX_SIZE: usize = 100;
/// The part of a query that is read.
const MAX_QUERY_CHARS: usize = 200;
/// Letters that a code may start with: a word that is a number is one.
const MIN_CODE_DIGITS: usize = 8;

/// Search products, as the older search of Open Food Facts does
#[utoipa::path(get, path = "/cgi/search.pl", operation_id = "search_products", tag = "open food facts", params(
    ("search_terms" = String, Query, description = "The words to search for; without any, nothing is found"),
    ("page" = Option<u32>, Query, description = "The page, by default 1"),
    ("page_size" = Option<u32>, Query, description = "Products on a page: 1 to 100, by default 24"),
    ("fields" = Option<String>, Query, description = "The fields of products to send, separated by commas; by default all"),
    ("lc" = Option<String>, Query, description = "The language of names"),
), responses((status = 200, description = "The products, best first, at most 100 over all pages", body = ProductsPage<'static>)))]
pub async fn classic(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let parameters = Parameters::of_query(request.uri());
    let text = parameters.get("search_terms").unwrap_or_default();
    respond(&app, &caller, SearchedProducts::new(&app, &request, &parameters, text, false)).await
}

/// Search products, as version 2 of Open Food Facts' API does
///
/// Tags of brands and categories are searched for like words.
#[utoipa::path(get, path = "/api/{version}/search", operation_id = "search_products_by_tags", tag = "open food facts", params(
    ("version" = String, Path, description = "The version of the API, such as v2"),
    ("search_terms" = Option<String>, Query, description = "The words to search for"),
    ("code" = Option<String>, Query, description = "Codes of products, separated by commas"),
    ("brands_tags" = Option<String>, Query, description = "Brands, separated by commas"),
    ("categories_tags" = Option<String>, Query, description = "Categories, separated by commas"),
    ("page" = Option<u32>, Query, description = "The page, by default 1"),
    ("page_size" = Option<u32>, Query, description = "Products on a page: 1 to 100, by default 24"),
    ("fields" = Option<String>, Query, description = "The fields of products to send, separated by commas; by default all"),
    ("lc" = Option<String>, Query, description = "The language of names"),
), responses((status = 200, description = "The products, best first, at most 100 over all pages", body = ProductsPage<'static>)))]
pub async fn by_tags(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(_version): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let parameters = Parameters::of_query(request.uri());
    let codes: Vec<&str> = parameters.list("code").collect();
    let text = match parameters.get("search_terms").filter(|terms| !terms.trim().is_empty()) {
        _ if !codes.is_empty() => codes.join(" "),
        Some(terms) => terms.to_owned(),
        None => words_of_tags(&parameters),
    };
    respond(&app, &caller, SearchedProducts::new(&app, &request, &parameters, &text, false)).await
}

/// Search products, as the newer search of Open Food Facts does
#[utoipa::path(get, path = "/search", operation_id = "search_hits", tag = "open food facts", params(
    ("q" = String, Query, description = "The words to search for; without any, nothing is found"),
    ("page" = Option<u32>, Query, description = "The page, by default 1"),
    ("page_size" = Option<u32>, Query, description = "Products on a page: 1 to 100, by default 24"),
    ("fields" = Option<String>, Query, description = "The fields of products to send, separated by commas; by default all"),
    ("langs" = Option<String>, Query, description = "Languages of names, separated by commas"),
), responses((status = 200, description = "The products, best first, at most 100 over all pages", body = HitsPage<'static>)))]
pub async fn hits(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let parameters = Parameters::of_query(request.uri());
    let text = parameters.get("q").unwrap_or_default();
    respond(&app, &caller, SearchedProducts::new(&app, &request, &parameters, text, true)).await
}

/// Search products with the parameters in the body
#[utoipa::path(post, path = "/search", operation_id = "post_search_hits", tag = "open food facts", request_body = Object,
    responses((status = 200, description = "The products, best first, at most 100 over all pages", body = HitsPage<'static>)))]
pub async fn posted_hits(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let (head, body) = request.into_parts();
    let body = RequestBody::read(&app, Some(&caller.account.id), body, UNMETERED_BYTES).await?;
    let parameters = Parameters::of_json(&body.bytes)?;
    let text = parameters.get("q").unwrap_or_default();
    let request = Request::from_parts(head, axum::body::Body::empty());
    respond(&app, &caller, SearchedProducts::new(&app, &request, &parameters, text, true)).await
}

/// A page of products.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProductsPage<'a> {
    /// How many products were found.
    count: usize,
    /// The page.
    page: usize,
    /// How many products are on this page.
    page_count: usize,
    /// How many products are on a full page.
    page_size: usize,
    /// How many products are on the pages before.
    skip: usize,
    /// The products.
    #[schema(value_type = Vec<Object>)]
    products: Vec<Product<'a>>,
}

/// A page of products, as the newer search has it.
#[derive(Debug, Serialize, ToSchema)]
pub struct HitsPage<'a> {
    /// The products.
    #[schema(value_type = Vec<Object>)]
    hits: Vec<Product<'a>>,
    /// The page.
    page: usize,
    /// How many products are on a full page.
    page_size: usize,
    /// How many pages there are.
    page_count: usize,
    /// How many products were found.
    count: usize,
    /// Always true.
    is_count_exact: bool,
    /// Always false.
    timed_out: bool,
}

/// A search, whatever parameters said it.
struct SearchedProducts {
    text: String,
    page: PageNumber,
    form: ProductForm,
    is_newer: bool,
    identity: String,
}

impl SearchedProducts {
    fn new(app: &App, request: &Request, parameters: &Parameters, text: &str, is_newer: bool) -> Self {
        let BaseUrl(base_url) = BaseUrl::of(request, &app.config);
        let page = PageNumber::read(parameters.get("page"), parameters.get("page_size"), USUAL_SIZE, MAX_SIZE);
        let identity = [request.uri().path(), " ", &base_url, " ", &parameters.identity("")].concat();
        let text = text.trim().chars().take(MAX_QUERY_CHARS).collect();
        Self { text, page, form: ProductForm::read(parameters, base_url, is_newer), is_newer, identity }
    }

    /// Returns the codes, if the text is nothing but codes.
    fn codes(&self) -> Option<Vec<&str>> {
        let is_code = |word: &&str| word.len() >= MIN_CODE_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit());
        let words: Vec<&str> = self.text.split_whitespace().collect();
        (!words.is_empty() && words.iter().all(is_code)).then_some(words)
    }

    /// Writes the answer.
    fn answer(&self, snapshot: &EngineSnapshot) -> serde_json::Result<Vec<u8>> {
        if let Some(codes) = self.codes() {
            let foods: Vec<Food> =
                codes.iter().filter_map(|code| food_codes::by_barcode(&snapshot.catalog, code)).collect();
            let range = self.page.range();
            let shown = &foods[range.start.min(foods.len())..range.end.min(foods.len())];
            return self
                .write(shown.iter().filter_map(|food| Product::new(snapshot, food, &self.form, None)), foods.len());
        }
        // A program sends the language that it is set to, whatever its user types.
        let speaker = Speaker { language: None, understands: self.form.languages().to_vec() };
        let found = snapshot.search_page(&self.text, &speaker, None, self.page.range());
        let language = found.language().map(meal::Language::code);
        let product = |food| {
            let queried = language.map(|language| (language, found.name_of(food)));
            Product::new(snapshot, food, &self.form, queried)
        };
        self.write(found.foods().iter().filter_map(product), found.total)
    }

    fn write<'a>(&self, products: impl Iterator<Item = Product<'a>>, count: usize) -> serde_json::Result<Vec<u8>> {
        let PageNumber { number: page, size: page_size } = self.page;
        let products: Vec<Product<'_>> = products.collect();
        if self.is_newer {
            let page_count = self.page.pages(count);
            let (is_count_exact, timed_out) = (true, false);
            return serde_json::to_vec(&HitsPage {
                hits: products,
                page,
                page_size,
                page_count,
                count,
                is_count_exact,
                timed_out,
            });
        }
        let (page_count, skip) = (products.len(), self.page.start());
        serde_json::to_vec(&ProductsPage { count, page, page_count, page_size, skip, products })
    }
}

async fn respond(app: &App, caller: &Caller, search: SearchedProducts) -> Result<Response, ApiError> {
    let identity = search.identity.clone();
    searched(app, caller, identity, move |snapshot| search.answer(snapshot)).await
}

/// Returns tags of brands and categories as words: "lindt" and "dark chocolate" of `en:dark-chocolate`.
fn words_of_tags(parameters: &Parameters) -> String {
    let tags = ["brands_tags", "categories_tags"].into_iter().flat_map(|name| parameters.starting_with(name));
    let words = tags.flat_map(|tags| tags.split([',', '|'])).map(|tag| {
        let (language, words) = tag.split_once(':').unwrap_or((ENGLISH, tag));
        if language.len() == ENGLISH.len() { words.replace('-', " ") } else { tag.replace('-', " ") }
    });
    words.collect::<Vec<_>>().join(" ")
}
