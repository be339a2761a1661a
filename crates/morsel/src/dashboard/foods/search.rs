//! Food search.

use std::sync::Arc;

use ::foods::Source;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::AccountId;

use crate::api::foods::rows::FoodRow;
use crate::app::App;
use crate::dashboard::assets::{Asset, FOODS_SCRIPT};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

const MAX_RESULTS: usize = 30;
const MAX_QUERY: usize = 200;

#[derive(Template)]
#[template(path = "foods/search.html")]
struct FoodsPage {
    layout: Layout,
    script: Asset,
    query: String,
    source: &'static str,
    outcome: SearchOutcome,
}

/// The result of a search.
enum SearchOutcome {
    /// There was no query.
    NoQuery,
    TooShort,
    /// No product has this barcode.
    UnknownBarcode,
    Found(Vec<FoodRow>),
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
    PageQuery(asked): PageQuery<FoodsQuery>,
) -> Result<Response, ApiError> {
    let query: String = asked.q.trim().chars().take(MAX_QUERY).collect();
    let source = asked.source.parse().ok();
    let outcome = find(&app, &user.account.id, &query, source).await?;
    let shown = FoodsPage {
        layout: user.layout(Section::Foods),
        script: FOODS_SCRIPT,
        query,
        source: source.map_or("", Source::name),
        outcome,
    };
    page(StatusCode::OK, &shown)
}

async fn find(app: &App, account: &AccountId, query: &str, source: Option<Source>) -> Result<SearchOutcome, ApiError> {
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
        return Ok(
            product.map_or(SearchOutcome::UnknownBarcode, |food| SearchOutcome::Found(vec![FoodRow::from(&food)]))
        );
    }
    let query = query.to_owned();
    let search = move || snapshot.searcher.search(&snapshot.catalog, &query, MAX_RESULTS, source);
    let found = app.texts.run(account, search).await?;
    Ok(SearchOutcome::Found(found.iter().map(FoodRow::from).collect()))
}
