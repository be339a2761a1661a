//! Chat completions, as language models offer them: a program that asks a model to read a meal gets an estimate instead, in
//! the form that it asked for.
//!
//! [`prompt`] finds the meal in the messages, by `labels.tsv` if it is in a prompt, and an example of the answer ([`shape`]).
//! [`answer`] chooses between a call, JSON and text. A schema ([`schema`]) is filled ([`fill`], [`scalar`], [`units`]) with what
//! is known about the meal ([`facts`]) by the names of its properties ([`property`], `properties.tsv`). [`completion`] writes
//! the response, whole or in pieces.

pub mod models;
pub mod completion;
pub mod answer;
pub mod prompt;
pub mod shape;
pub mod fill;
pub mod scalar;
pub mod units;
pub mod facts;
pub mod text;
pub mod body;
pub mod schema;
pub mod filled;
pub mod property;

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use meal::Part;

use self::answer::{ChatAnswer, Wanted};
use self::body::ChatBody;
use self::completion::{ChatCompletion, CompletionContent, CompletionHead, CompletionUsage};
use self::facts::MealFacts;
use self::models::MODEL;
use self::prompt::ChatPrompt;
use crate::api::estimate::body::CheckedBody;
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::sync;
use crate::api::json;
use crate::api::response::{X_ENGINE_VERSION, engine_version, json_response};
use crate::app::App;
use crate::dialect::Dialect;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::request::RequestId;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};
use crate::response_cache::RawRequestKey;
use crate::speaker;

/// Most choices of a request.
const MAX_CHOICES: u32 = 8;
/// Longest name of a model that is repeated.
const MAX_MODEL: usize = 200;

const STREAM_HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
];

/// Complete a chat about a meal
///
/// The last messages of the user are read as a meal, in words or photos. A function is called, or a JSON Schema is filled, by the
/// names of the properties; without either the answer is text. Messages that are not about food get a short sentence.
#[utoipa::path(post, path = "/v1/chat/completions", operation_id = "complete_chat", tag = "chat completions", request_body = ChatBody, responses(
    (status = 200, description = "The completion; with `stream`, its pieces as Server-Sent Events", body = ChatCompletion<'_>),
    (status = 400, description = "The body is invalid, or an image was not found"),
))]
pub async fn complete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Extension(RequestId(request_id)): Extension<RequestId>,
    request: Request,
) -> Result<Response, ApiError> {
    let (head, unread) = request.into_parts();
    let received = RequestBody::read(&app, Some(&caller.account.id), unread, MAX_WITH_PHOTOS).await?;
    let requester = Requester::of(&app, &caller).await?;
    let snapshot = app.engine.snapshot();
    let completion = CompletionHead { id: format!("chatcmpl-{request_id}"), created: app.now().as_second() };
    let request_key = (!received.is_large()).then(|| RawRequestKey {
        account: requester.account.clone(),
        edition: requester.recipes.edition,
        version: Arc::clone(&snapshot.version),
        dialect: Dialect::ChatCompletions,
        query: None,
        body: received.bytes.clone(),
        understands: speaker::understood(&head.headers, snapshot.engine.translator()),
    });
    if let Some(rest) = request_key.as_ref().and_then(|key| app.responses.body(key)) {
        return Ok(respond(json_response(completion::whole(&completion, &rest)), &snapshot.version));
    }
    let (is_large, bytes) = (received.is_large(), received.bytes.clone());
    // Held until the photos are read: until then they are in memory.
    let memory = received.into_memory();
    let check = move || ChatRequest::read(&bytes);
    let mut chat = if is_large { app.photos.try_run(requester.account, check).await? } else { check()? };
    let meal = CheckedBody { messages: std::mem::take(&mut chat.prompt.messages), ..CheckedBody::default() };
    let request = Arc::new(EstimateRequest::from_checked(&app, requester, &head, meal).await?);
    drop(memory);
    let estimated = sync::estimated(&app, &request).await?;
    let version = &request.snapshot.version;
    let answer = chat.answer(&estimated.parts)?;
    let content = chat.content(&answer, version);
    if chat.is_stream {
        let stream = completion::pieces(&completion, &content, chat.has_usage)?;
        return Ok(respond((STREAM_HEADERS, stream).into_response(), version));
    }
    let rest = completion::rest(&content)?;
    // The catalog may have been replaced in between.
    if let Some(key) = request_key.filter(|key| !request.has_photos() && key.version == *version) {
        app.responses.remember_body(key, rest.clone());
    }
    Ok(respond(json_response(completion::whole(&completion, &rest)), version))
}

fn respond(mut response: Response, version: &str) -> Response {
    response.headers_mut().insert(X_ENGINE_VERSION, engine_version(version));
    response
}

/// A checked request.
struct ChatRequest {
    wanted: Wanted,
    prompt: ChatPrompt,
    model: String,
    choices: u32,
    is_stream: bool,
    has_usage: bool,
}

impl ChatRequest {
    /// Answers with the parts of a meal.
    fn answer(&self, parts: &[Part]) -> Result<ChatAnswer, ApiError> {
        let facts = MealFacts::new(parts, &self.prompt.said, self.prompt.weight);
        self.wanted.answer(&self.prompt, &facts)
    }

    fn content<'a>(&'a self, answer: &'a ChatAnswer, version: &'a str) -> CompletionContent<'a> {
        let usage = CompletionUsage::new(self.prompt.characters, answer, self.choices);
        CompletionContent { model: &self.model, fingerprint: version, answer, choices: self.choices, usage }
    }

    fn read(bytes: &[u8]) -> Result<Self, ApiError> {
        let mut body = json::read::<ChatBody>(bytes)?;
        let choices = body.n.unwrap_or(1);
        if !(1..=MAX_CHOICES).contains(&choices) {
            return Err(ApiError::bad_field("n", format!("“n” must be a number from 1 to {MAX_CHOICES}.")));
        }
        let model = body.model.take().filter(|model| !model.is_empty()).unwrap_or_else(|| MODEL.to_owned());
        if model.chars().count() > MAX_MODEL {
            return Err(ApiError::bad_field("model", format!("“model” may have at most {MAX_MODEL} characters.")));
        }
        Ok(Self {
            wanted: Wanted::new(&mut body)?,
            model,
            choices,
            is_stream: body.stream.unwrap_or_default(),
            has_usage: body.stream_options.and_then(|options| options.include_usage).unwrap_or_default(),
            prompt: ChatPrompt::read(body.messages)?,
        })
    }
}
