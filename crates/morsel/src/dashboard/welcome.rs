//! The home page of visitors, with a demo that needs no account.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::json;

use super::assets::{
    Asset, DEMO_SCRIPT, DOCS_STYLE, LABEL_PHOTO, MEAL_STYLE, PICTOGRAMS, SAMPLES_SCRIPT, WELCOME_STYLE,
};
use super::filters;
use super::form::Form;
use super::layout::{Layout, Section, page};
use super::meal::code::CodeView;
use super::meal::meal_view::{Actions, MealView};
use super::visitor::Visitor;
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::request::EstimateRequest;
use crate::api::estimate::rows::EstimateAnswer;
use crate::api::estimate::sync;
use crate::app::App;
use crate::config::Signup;
use crate::error::ApiError;
use crate::request::accepts_html;
use crate::speaker;

/// Example meals; the first is answered when the page opens.
const MEALS: [&str; 3] = [
    "two scrambled eggs, a slice of toast with butter and a large latte",
    "150 g salmon, 1 cup of rice and half an avocado",
    "un café con leche y dos tostadas con tomate",
];
/// The longest text that the demo reads.
const MAX_DEMO_CHARS: usize = 500;

#[derive(Template)]
#[template(path = "home/welcome.html")]
struct WelcomePage {
    layout: Layout,
    styles: [Asset; 3],
    scripts: [Asset; 2],
    base: String,
    may_sign_up: bool,
    foods: usize,
    photo: Asset,
    pictograms: Asset,
    meals: [&'static str; 3],
    text: String,
    problem: Option<String>,
    result: Option<(MealView, CodeView)>,
}

/// Shows the page, with the answer to the first example.
pub(super) async fn show(app: &App, user: &Visitor, headers: &HeaderMap) -> Result<Response, ApiError> {
    let first = MEALS[0];
    // Everybody gets the same answer, which is cached. Under load the page does without it.
    let answered = estimate(app, headers, first).await.ok();
    let shown =
        WelcomePage::new(app, user, first.to_owned(), None, answered.map(|answer| views(app, user, first, &answer)));
    page(StatusCode::OK, &shown)
}

/// Leads to the page, for somebody who opens the URL of the form.
pub(super) async fn lead_to_page() -> Redirect {
    Redirect::to("/")
}

/// Answers the demo: browsers with the page, programs with JSON.
pub(super) async fn demo(
    State(app): State<Arc<App>>,
    user: Visitor,
    headers: HeaderMap,
    form: Form,
) -> Result<Response, ApiError> {
    let example = form.text("example");
    let text = if example.is_empty() { form.text("text") } else { example }.to_owned();
    let answered = try_demo(&app, &user, &headers, &text).await;
    if !accepts_html(&headers) {
        return Ok(Json(answered?).into_response());
    }
    let shown = match answered {
        Ok(answer) => {
            let result = views(&app, &user, &text, &answer);
            WelcomePage::new(&app, &user, text, None, Some(result))
        }
        Err(error) if error.status.is_client_error() => {
            let shown = WelcomePage::new(&app, &user, text, Some(error.message), None);
            return page(error.status, &shown);
        }
        Err(error) => return Err(error),
    };
    page(StatusCode::OK, &shown)
}

async fn try_demo(app: &App, user: &Visitor, headers: &HeaderMap, text: &str) -> Result<EstimateAnswer, ApiError> {
    if text.is_empty() {
        return Err(ApiError::bad_field("text", "Describe what you ate."));
    }
    if text.chars().count() > MAX_DEMO_CHARS {
        return Err(ApiError::bad_field("text", format!("The demo reads up to {MAX_DEMO_CHARS} characters.")));
    }
    app.demo.take(user.from, app.now()).await?;
    estimate(app, headers, text).await
}

async fn estimate(app: &App, headers: &HeaderMap, text: &str) -> Result<EstimateAnswer, ApiError> {
    let speaker = speaker::speaker_of(None, headers, app.engine.snapshot().engine.translator())?;
    let include = Include::of(Extra::ALL.into_iter().filter(|extra| *extra != Extra::Nutrients));
    let texts = vec![text.to_owned()];
    let request = EstimateRequest::from_texts(app, &app.demo.visitors, texts, speaker, include).await?;
    sync::answer(app, &Arc::new(request)).await
}

fn views(app: &App, user: &Visitor, text: &str, answer: &EstimateAnswer) -> (MealView, CodeView) {
    let snapshot = app.engine.snapshot();
    let meal = MealView::new(answer, snapshot.engine.translator(), Actions::None);
    let sent = json!({"messages": [{"role": "user", "content": text}]});
    (meal, CodeView::of_answer(&plain(answer)).with_request(&user.base.0, &sent))
}

/// Returns the answer with the fields of the contract alone.
fn plain(answer: &EstimateAnswer) -> EstimateAnswer {
    let mut plain = EstimateAnswer { unresolved: None, language: None, ..answer.clone() };
    for item in &mut plain.items {
        (item.source, item.grams, item.range, item.tier, item.alternatives) = (None, None, None, None, None);
    }
    plain
}

impl WelcomePage {
    fn new(
        app: &App,
        user: &Visitor,
        text: String,
        problem: Option<String>,
        result: Option<(MealView, CodeView)>,
    ) -> Self {
        Self {
            layout: user.layout(Section::Home),
            styles: [DOCS_STYLE, MEAL_STYLE, WELCOME_STYLE],
            scripts: [SAMPLES_SCRIPT, DEMO_SCRIPT],
            base: user.base.0.clone(),
            may_sign_up: app.config.signup == Signup::Open,
            foods: app.engine.snapshot().catalog.len() / 1_000 * 1_000,
            photo: LABEL_PHOTO,
            pictograms: PICTOGRAMS,
            meals: MEALS,
            text,
            problem,
            result,
        }
    }
}
