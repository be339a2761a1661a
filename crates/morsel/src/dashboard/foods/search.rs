//! Food search.

use std::sync::Arc;

use ::foods::{Food, FoodTable, Source};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use meal::{Language, Speaker};
use serde::Deserialize;
use store::AccountId;

use super::{doubt, portion};
use crate::api::foods::rows::FoodRow;
use crate::app::App;
use crate::dashboard::assets::{Asset, FOODS_SCRIPT};
use crate::dashboard::filters;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::speaker;

const MAX_RESULTS: usize = 30;
const MAX_QUERY: usize = 200;

#[derive(Template)]
#[template(path = "foods/search.html")]
struct FoodsPage {
    layout: Layout,
    script: Asset,
    query: String,
    source: &'static str,
    tables: &'static [FoodTable],
    outcome: SearchOutcome,
}

/// The result of a search.
enum SearchOutcome {
    /// There was no query.
    NoQuery,
    TooShort,
    /// No product has this barcode.
    UnknownBarcode,
    Found {
        foods: Vec<FoodLine>,
        /// The language of the query, if it is not English.
        language: Option<&'static str>,
    },
}

/// A food of the list.
struct FoodLine {
    row: FoodRow,
    /// One serving with its weight.
    serving: String,
    /// Why its values are doubtful.
    doubt: Option<&'static str>,
}

impl From<&Food> for FoodLine {
    fn from(food: &Food) -> Self {
        let row = FoodRow::from(food);
        let serving = portion::label(&row.serving_description, &row.serving_grams.to_string());
        Self { row, serving, doubt: doubt::doubt(food) }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct FoodsQuery {
    /// A name or a barcode.
    q: String,
    source: String,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    headers: HeaderMap,
    PageQuery(asked): PageQuery<FoodsQuery>,
) -> Result<Response, ApiError> {
    let query: String = asked.q.trim().chars().take(MAX_QUERY).collect();
    let source = asked.source.parse().ok();
    let speaker = speaker::speaker_of(None, &headers, app.engine.snapshot().engine.translator())?;
    let outcome = find(&app, &user.account.id, speaker, &query, source).await?;
    let shown = FoodsPage {
        layout: user.layout(Section::Foods),
        script: FOODS_SCRIPT,
        query,
        source: source.map_or("", Source::name),
        tables: FoodTable::ALL,
        outcome,
    };
    page(StatusCode::OK, &shown)
}

async fn find(
    app: &App,
    account: &AccountId,
    speaker: Speaker,
    query: &str,
    source: Option<Source>,
) -> Result<SearchOutcome, ApiError> {
    if query.is_empty() {
        return Ok(SearchOutcome::NoQuery);
    }
    if query.chars().count() < 2 {
        return Ok(SearchOutcome::TooShort);
    }
    let snapshot = app.engine.snapshot();
    let digits: String = query.chars().filter(|character| *character != ' ').collect();
    if (8..=14).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let product = digits.parse().ok().and_then(|gtin| snapshot.catalog.by_gtin(gtin));
        return Ok(product.map_or(SearchOutcome::UnknownBarcode, |food| SearchOutcome::Found {
            foods: vec![FoodLine::from(&food)],
            language: None,
        }));
    }
    let query = query.to_owned();
    let search = move || {
        let found = snapshot.search(&query, &speaker, MAX_RESULTS, source);
        let line = |food: &Food| {
            let line = FoodLine::from(food);
            FoodLine { row: FoodRow { name: found.name_of(food), ..line.row }, ..line }
        };
        let language = found.language().map(Language::english_name);
        SearchOutcome::Found { foods: found.foods().iter().map(line).collect(), language }
    };
    app.texts.run(account, search).await
}
