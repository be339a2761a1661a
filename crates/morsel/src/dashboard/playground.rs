//! The playground: signed-in users try out a meal, in words or as a photo.
//!
//! The script of the page calls two endpoints of the dashboard, which share the API's code and accept the session instead
//! of a key. So cookies never work on the API, and no page contains a key. Without scripts the page is a plain form.
//!
//! Requests count toward the rate limit of the account's test keys, so that they never affect live traffic. They are not
//! counted in the usage statistics.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use meal::{Language, MAX_CHARS, MAX_MESSAGES};
use serde::{Deserialize, Serialize};
use store::Mode;
use vision::photo::{MAX_BYTES, Photo};

use super::assets::{Asset, DOCS_STYLE, PLAYGROUND_SCRIPT, PLAYGROUND_STYLE};
use super::form::Form;
use super::layout::{Layout, Section, page};
use super::query::PageQuery;
use super::visitor::SignedIn;
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::rows::{EstimateAnswer, ItemRow};
use crate::api::estimate::stream;
use crate::api::estimate::sync;
use crate::api::images::{data_url, stored};
use crate::app::App;
use crate::error::ApiError;
use crate::guard::count_request;
use crate::request::RequestId;
use crate::request_body::{self, RequestBody};
use crate::speaker;

/// Example meals.
const MEALS: [&str; 4] = [
    "two scrambled eggs, a slice of toast with butter and a large latte",
    "chicken burrito bowl with guacamole",
    "150 g salmon, 1 cup of rice and half an avocado",
    "a big mac, medium fries and a diet coke",
];

#[derive(Template)]
#[template(path = "playground/playground.html")]
struct PlaygroundPage {
    layout: Layout,
    style: Asset,
    code_style: Asset,
    script: Asset,
    base: String,
    meals: [&'static str; 4],
    /// The conversation so far, if the page is used without scripts.
    messages: Vec<String>,
    draft: String,
    problem: Option<String>,
    answer: Option<EstimateAnswer>,
    /// The language that the messages were understood in, if it is not English.
    understood: Option<&'static str>,
}

impl PlaygroundPage {
    fn new(user: &SignedIn, draft: String) -> Self {
        Self {
            layout: user.layout(Section::Playground),
            style: PLAYGROUND_STYLE,
            code_style: DOCS_STYLE,
            script: PLAYGROUND_SCRIPT,
            base: user.base.0.clone(),
            meals: MEALS,
            messages: Vec::new(),
            draft,
            problem: None,
            answer: None,
            understood: None,
        }
    }

    /// Returns a link that fills in a meal.
    fn link(meal: &str) -> String {
        let meal: String = form_urlencoded::byte_serialize(meal.as_bytes()).collect();
        format!("/playground?text={meal}")
    }

    /// Returns the name, label and explanation of an item's tier.
    fn tier(item: &ItemRow) -> Option<(&'static str, &'static str, &'static str)> {
        let (label, tip) = match item.tier? {
            "recipe" => ("your recipe", "The values of your own recipe."),
            "measured" => ("measured", "The food and its weight were given."),
            "derived" => ("known portion", "The weight follows from a known portion of the food."),
            _ => ("typical portion", "The amount or the food is a guess."),
        };
        Some((item.tier?, label, tip))
    }

    /// Returns the weight of an item, and where it comes from unless the tier says so.
    fn weight(item: &ItemRow) -> Option<String> {
        let grams = item.grams.as_ref()?;
        let source = match grams.how {
            "mass" => ", as stated",
            "density" => ", from its density",
            _ => "",
        };
        Some(format!("{} g{source}", grams.grams))
    }

    /// Returns the shares of the calories: name, start and width, in percent.
    fn shares(&self) -> [(&'static str, f64, f64); 3] {
        let totals = self.answer.as_ref().map(|answer| answer.totals).unwrap_or_default();
        let parts = [totals.protein * 4.0, totals.carbs * 4.0, totals.fat * 9.0];
        let all: f64 = parts.iter().sum();
        let share = |part: f64| if all > 0.0 { part / all * 100.0 } else { 0.0 };
        let [protein, carbs, fat] = parts.map(share);
        [("protein", 0.0, protein), ("carbs", protein, carbs), ("fat", protein + carbs, fat)]
    }

    /// Returns the likely range of calories.
    fn range(item: &ItemRow) -> Option<String> {
        let range = item.range?;
        Some(format!("{} to {} kcal", range.calories.low, range.calories.high))
    }
}

/// The URL of an uploaded photo, for the script of the page.
#[derive(Serialize)]
struct UploadedPhoto {
    url: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct PlaygroundQuery {
    /// The meal to start with.
    text: String,
}

/// Shows the page.
pub(super) async fn show(user: SignedIn, PageQuery(query): PageQuery<PlaygroundQuery>) -> Result<Response, ApiError> {
    let draft = query.text.chars().take(MAX_CHARS).collect();
    page(StatusCode::OK, &PlaygroundPage::new(&user, draft))
}

/// Handles the form if there are no scripts: shows the page again, with the result.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    user: SignedIn,
    headers: HeaderMap,
    form: Form,
) -> Result<Response, ApiError> {
    let mut messages: Vec<String> = form.all("messages").map(str::to_owned).collect();
    let text = form.text("text").to_owned();
    let mut shown = PlaygroundPage::new(&user, String::new());
    if !text.is_empty() {
        messages.push(text.clone());
    }
    let characters: usize = messages.iter().map(|text| text.chars().count()).sum();
    shown.problem = if messages.is_empty() {
        Some("Describe what you ate.".to_owned())
    } else if characters > MAX_CHARS || messages.len() > MAX_MESSAGES {
        messages.pop();
        Some(format!("Use at most {MAX_CHARS} characters in {MAX_MESSAGES} messages."))
    } else {
        count_request(&app, &user.account, Mode::Test).err().map(|error| error.message)
    };
    if shown.problem.is_some() {
        shown.draft = text;
    } else {
        let include = Include::of(Extra::ALL);
        let speaker = speaker::speaker_of(None, &headers, app.engine.snapshot().engine.translator())?;
        let request = EstimateRequest::from_texts(&app, &user.account.id, messages.clone(), speaker, include).await?;
        let answer = sync::answer(&app, &Arc::new(request)).await?;
        let snapshot = app.engine.snapshot();
        let language = answer.language.and_then(|code| snapshot.engine.translator().language(code));
        shown.understood = language.map(Language::english_name);
        shown.answer = Some(answer);
    }
    shown.messages = messages;
    let status = if shown.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page(status, &shown)
}

/// Streams an estimate as the API does.
pub(super) async fn estimate(
    State(app): State<Arc<App>>,
    Extension(request_id): Extension<RequestId>,
    user: SignedIn,
    request: Request,
) -> Result<Response, ApiError> {
    count_request(&app, &user.account, Mode::Test)?;
    let account = &user.account.id;
    app.texts.check(account)?;
    let (head, unread) = request.into_parts();
    let received = RequestBody::read(&app, Some(account), unread, request_body::MAX_WITH_PHOTOS).await?;
    let requester = Requester { account, mode: Mode::Test, recipes: app.account_cache.recipes(account).await? };
    let request = EstimateRequest::read(&app, requester, &head, received).await?;
    stream::respond(&app, request, request_id)
}

/// Stores a photo.
pub(super) async fn photo(State(app): State<Arc<App>>, user: SignedIn, body: Body) -> Result<Response, ApiError> {
    count_request(&app, &user.account, Mode::Test)?;
    let account = &user.account.id;
    app.photos.check(account)?;
    let received = RequestBody::read(&app, Some(account), body, MAX_BYTES).await?;
    let prepare = move || {
        let photo = Photo::read(&received.bytes).map_err(|refusal| data_url::refused(&refusal))?;
        Ok::<_, ApiError>(((photo.width(), photo.height()), photo.encode()))
    };
    let (size, jpeg) = app.photos.try_run(account, prepare).await?;
    let image = stored::keep(&app, account, size, &jpeg).await?;
    Ok(Json(UploadedPhoto { url: format!("{}/v1/images/{}", user.base.0, image.id) }).into_response())
}
