//! `/playground`: a meal in words or as a photo, tried out by a person who is signed in.
//!
//! The script of the page speaks to two addresses of the dashboard's own, which share the API's code and take the session
//! instead of a key: so a cookie never works on the API, and no key is ever in a page. Without script the page is a form
//! that is answered with the result.
//!
//! What is tried here takes from the window of the account's test keys, so that it can never slow down what is live, and
//! is in no statistics.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use serde::Serialize;
use store::{Account, Mode};
use vision::photo::{MAX_BYTES, Photo};

use super::assets::{Asset, DOCS_STYLE, PLAYGROUND_SCRIPT, PLAYGROUND_STYLE};
use super::form::Form;
use super::layout::{Layout, Section};
use super::page;
use super::visitor::SignedIn;
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::messages::MAX_MESSAGES;
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::rows::{EstimateAnswer, ItemRow};
use crate::api::estimate::{stream, sync};
use crate::api::images::{data_url, stored};
use crate::api::query::Query;
use crate::app::App;
use crate::body::{self, Received};
use crate::error::ApiError;

/// Meals to begin with.
const MEALS: [&str; 4] = [
    "two scrambled eggs, a slice of toast with butter and a large latte",
    "chicken burrito bowl with guacamole",
    "150 g salmon, 1 cup of rice and half an avocado",
    "a big mac, medium fries and a diet coke",
];

#[derive(Template)]
#[template(path = "playground.html")]
struct Playground {
    layout: Layout,
    style: Asset,
    code_style: Asset,
    script: Asset,
    base: String,
    meals: [&'static str; 4],
    /// What was said so far, where the page is used without script.
    said: Vec<String>,
    typed: String,
    problem: Option<String>,
    answer: Option<EstimateAnswer>,
}

impl Playground {
    fn new(visitor: &SignedIn, typed: String) -> Self {
        Self {
            layout: visitor.layout(Section::Playground),
            style: PLAYGROUND_STYLE,
            code_style: DOCS_STYLE,
            script: PLAYGROUND_SCRIPT,
            base: visitor.base.0.clone(),
            meals: MEALS,
            said: Vec::new(),
            typed,
            problem: None,
            answer: None,
        }
    }

    /// A link that fills in a meal.
    fn link(meal: &str) -> String {
        let meal: String = form_urlencoded::byte_serialize(meal.as_bytes()).collect();
        format!("/playground?text={meal}")
    }

    /// What an item weighs and how that is known.
    fn weight(item: &ItemRow) -> Option<String> {
        let grams = item.grams.as_ref()?;
        let how = match grams.how {
            "mass" => "as said",
            "portion" => "by a known portion",
            "density" => "by its density",
            _ => "a usual amount",
        };
        Some(format!("{} g, {how}", grams.grams))
    }

    /// Which share of the calories comes from what: its name, where it begins and how wide it is, in percent.
    fn shares(&self) -> [(&'static str, f64, f64); 3] {
        let totals = self.answer.as_ref().map(|answer| answer.totals).unwrap_or_default();
        let parts = [totals.protein * 4.0, totals.carbs * 4.0, totals.fat * 9.0];
        let all: f64 = parts.iter().sum();
        let share = |part: f64| if all > 0.0 { part / all * 100.0 } else { 0.0 };
        let [protein, carbs, fat] = parts.map(share);
        [("protein", 0.0, protein), ("carbs", protein, carbs), ("fat", protein + carbs, fat)]
    }

    /// Between which calories the truth probably lies.
    fn range(item: &ItemRow) -> Option<String> {
        let range = item.range?;
        Some(format!("{} to {} kcal", range.calories.low, range.calories.high))
    }
}

/// Where a photo is, for the script of the page.
#[derive(Serialize)]
struct Kept {
    url: String,
}

/// The addresses of the playground.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/playground", get(show).post(answer))
        .route("/playground/estimate", post(estimate))
        .route("/playground/photo", post(photo))
}

async fn show(visitor: SignedIn, uri: Uri) -> Result<Response, ApiError> {
    let typed = Query::of(&uri).get("text").unwrap_or_default().chars().take(meal::MAX_CHARS).collect();
    page(StatusCode::OK, &Playground::new(&visitor, typed))
}

/// The form, where there is no script: the page again, with the result.
async fn answer(State(app): State<Arc<App>>, visitor: SignedIn, form: Form) -> Result<Response, ApiError> {
    let mut said: Vec<String> = form.all("said").map(str::to_owned).collect();
    let text = form.text("text").to_owned();
    let mut shown = Playground::new(&visitor, String::new());
    if !text.is_empty() {
        said.push(text.clone());
    }
    let characters: usize = said.iter().map(|text| text.chars().count()).sum();
    shown.problem = if said.is_empty() {
        Some("Say what was eaten.".to_owned())
    } else if characters > meal::MAX_CHARS || said.len() > MAX_MESSAGES {
        said.pop();
        Some(format!("At most {} characters in {MAX_MESSAGES} messages fit.", meal::MAX_CHARS))
    } else {
        count(&app, &visitor.account).err().map(|error| error.message)
    };
    if shown.problem.is_some() {
        shown.typed = text;
    } else {
        let include = Include::from_names(Extra::ALL.map(Extra::name)).unwrap_or_default();
        let request = EstimateRequest::from_texts(&app, &visitor.account.id, said.clone(), include).await?;
        shown.answer = Some(sync::answer(&app, &Arc::new(request)).await?);
    }
    shown.said = said;
    let status = if shown.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page(status, &shown)
}

/// A meal as a stream of events, as the API answers it.
async fn estimate(State(app): State<Arc<App>>, visitor: SignedIn, request: Request) -> Result<Response, ApiError> {
    count(&app, &visitor.account)?;
    let account = &visitor.account.id;
    let requester = Requester { account, mode: Mode::Test, book: app.mirror.book(account).await? };
    let (head, unread) = request.into_parts();
    let received = Received::read(&app, unread, body::LARGE).await?;
    let request = EstimateRequest::read(&app, requester, &head, received).await?;
    stream::answer(&app, request).await
}

/// A photo, as its bytes.
async fn photo(State(app): State<Arc<App>>, visitor: SignedIn, body: Body) -> Result<Response, ApiError> {
    count(&app, &visitor.account)?;
    let received = Received::read(&app, body, MAX_BYTES).await?;
    let prepare = move || {
        let photo = Photo::read(&received.bytes).map_err(|refusal| data_url::refused(&refusal))?;
        Ok::<_, ApiError>(((photo.width(), photo.height()), photo.encode()))
    };
    let (size, jpeg) = app.looking.run(prepare).await??;
    let image = stored::keep(&app, &visitor.account.id, size, &jpeg).await?;
    Ok(Json(Kept { url: format!("{}/v1/images/{}", visitor.base.0, image.id) }).into_response())
}

/// Counts a request with those of the account's test keys.
fn count(app: &App, account: &Account) -> Result<(), ApiError> {
    let now = Timestamp::now();
    let taken = app.windows.take(&account.id, Mode::Test, app.config.limits.of(account.plan), now);
    if taken.allowed {
        return Ok(());
    }
    let seconds = u32::try_from(taken.reset - now.as_second()).unwrap_or(0).max(1);
    let message = format!("That were more than {} requests in a minute. Try again in {seconds} s.", taken.limit);
    let error = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit_exceeded", message);
    Err(ApiError { retry_after: Some(seconds), ..error })
}
