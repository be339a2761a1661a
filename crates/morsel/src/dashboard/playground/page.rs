//! The page, and what its form does without scripts.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use meal::{MAX_CHARS, MAX_MESSAGES};
use serde::Deserialize;
use serde_json::json;
use store::Mode;

use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::request::EstimateRequest;
use crate::api::estimate::rows::EstimateAnswer;
use crate::api::estimate::sync;
use crate::app::App;
use crate::dashboard::assets::{Asset, DOCS_STYLE, MEAL_STYLE, PLAYGROUND_SCRIPT, PLAYGROUND_STYLE, SAMPLES_SCRIPT};
use crate::dashboard::form::Form;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::meal::code::CodeView;
use crate::dashboard::meal::meal_view::{Actions, MealView};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::guard::count_request;
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
    styles: [Asset; 3],
    scripts: [Asset; 2],
    meals: [&'static str; 4],
    extras: [Extra; 9],
    /// The conversation so far, if the page is used without scripts.
    messages: Vec<String>,
    draft: String,
    problem: Option<String>,
    result: Option<(MealView, CodeView)>,
}

impl PlaygroundPage {
    fn new(user: &SignedIn, draft: String) -> Self {
        Self {
            layout: user.layout(Section::Playground),
            styles: [DOCS_STYLE, MEAL_STYLE, PLAYGROUND_STYLE],
            scripts: [SAMPLES_SCRIPT, PLAYGROUND_SCRIPT],
            meals: MEALS,
            extras: Extra::ALL,
            messages: Vec::new(),
            draft,
            problem: None,
            result: None,
        }
    }

    /// Returns a link that fills in a meal.
    fn link(meal: &str) -> String {
        let meal: String = form_urlencoded::byte_serialize(meal.as_bytes()).collect();
        format!("/playground?text={meal}")
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct PlaygroundQuery {
    /// The meal to start with.
    text: String,
}

/// Shows the page.
pub(crate) async fn show(user: SignedIn, PageQuery(query): PageQuery<PlaygroundQuery>) -> Result<Response, ApiError> {
    let draft = query.text.chars().take(MAX_CHARS).collect();
    page(StatusCode::OK, &PlaygroundPage::new(&user, draft))
}

/// Handles the form if there are no scripts: shows the page again, with the result.
pub(crate) async fn answer(
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
        count_request(&app, &user.account, Mode::Test).await.err().map(|error| error.message)
    };
    if shown.problem.is_some() {
        shown.draft = text;
    } else {
        shown.result = Some(estimate(&app, &user, &headers, messages.clone()).await?);
    }
    shown.messages = messages;
    let status = if shown.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page(status, &shown)
}

async fn estimate(
    app: &App,
    user: &SignedIn,
    headers: &HeaderMap,
    texts: Vec<String>,
) -> Result<(MealView, CodeView), ApiError> {
    let said = |text: &String| json!({"role": "user", "content": text});
    let sent = json!({"messages": texts.iter().map(said).collect::<Vec<_>>()});
    let speaker = speaker::speaker_of(None, headers, app.engine.snapshot().engine.translator())?;
    let include = Include::of(Extra::ALL);
    let request = Arc::new(EstimateRequest::from_texts(app, &user.account.id, texts, speaker, include).await?);
    let estimated = sync::estimated(app, &request).await?;
    let meal = MealView::new(&request.answer(&estimated.parts), request.snapshot.engine.translator(), Actions::Links);
    let plain = EstimateAnswer::from_parts(&estimated.parts, Include::default());
    Ok((meal, CodeView::of_answer(&plain).with_request(&user.base.0, &sent)))
}
