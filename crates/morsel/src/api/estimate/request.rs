//! A checked request with everything that its estimate depends on: what the two estimate endpoints share.

use std::sync::Arc;

use axum::http::HeaderName;
use axum::http::request::Parts;
use meal::{Message, Part};
use store::{AccountId, Mode};

use super::include::{Include, UnknownInclude};
use super::messages::{Messages, sentence};
use super::photos::Analyzed;
use super::rows::EstimateAnswer;
use crate::answers::EstimateKey;
use crate::api::query::Query;
use crate::app::App;
use crate::body::Received;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::guard::address::BaseUrl;
use crate::kitchen::Menu;
use crate::mirror::Book;

/// The header with the version of the engine that answered.
pub const X_ENGINE_VERSION: HeaderName = HeaderName::from_static("x-engine-version");

/// A request for an estimate, checked and ready to run.
#[derive(Debug)]
pub struct EstimateRequest {
    /// What the response shows beyond the contract's fields.
    pub include: Include,
    /// The user's messages.
    pub messages: Vec<Message>,
    /// Images that show nothing known, in messages without words.
    pub unresolved: Vec<String>,
    /// The catalog and the engine.
    pub menu: Arc<Menu>,
    /// The account's recipes.
    pub book: Arc<Book>,
    /// What identifies the estimate in the cache; `None` if the same request may get another answer.
    pub key: Option<EstimateKey>,
}

/// The account that a request is made for.
#[derive(Debug)]
pub struct Requester<'a> {
    /// The account.
    pub account: &'a AccountId,
    /// Live or test.
    pub mode: Mode,
    /// The account's recipes.
    pub book: Arc<Book>,
}

impl<'a> Requester<'a> {
    /// The caller of the API.
    pub async fn of(app: &App, caller: &'a Caller) -> Result<Self, ApiError> {
        let account = caller.account();
        Ok(Self { account, mode: caller.known.key.mode, book: app.mirror.book_of_caller(account).await? })
    }
}

impl EstimateRequest {
    /// Reads and checks a request, and analyzes its images.
    pub async fn read(app: &App, requester: Requester<'_>, head: &Parts, received: Received) -> Result<Self, ApiError> {
        let Requester { account, mode, book } = requester;
        let in_query = include_in_query(head)?;
        let Messages { messages, include } = if received.is_large() {
            app.looking.run(move || Messages::new(received.object()?)).await??
        } else {
            Messages::new(received.object()?)?
        };
        let menu = app.kitchen.menu();
        let analyzed = if messages.iter().any(|message| !message.images.is_empty()) {
            let base = BaseUrl::of_parts(head, &app.config);
            // On the heap: few requests have images, and this future is large.
            Box::pin(Analyzed::analyze(app, (account, mode), &base, &menu, messages)).await?
        } else {
            Analyzed::without_photos(messages)
        };
        let Analyzed { messages, marks, unresolved, is_repeatable } = analyzed;
        let key = is_repeatable.then(|| EstimateKey {
            account: account.clone(),
            edition: book.edition,
            version: menu.version.clone(),
            messages: messages.iter().map(|message| message.text.clone()).collect(),
            photos: marks,
        });
        Ok(Self { include: include.and(in_query), messages, unresolved, menu, book, key })
    }

    /// Makes a request of texts that were checked before.
    pub async fn from_texts(
        app: &App,
        account: &AccountId,
        texts: Vec<String>,
        include: Include,
    ) -> Result<Self, ApiError> {
        let book = app.mirror.book(account).await?;
        let menu = app.kitchen.menu();
        let key = EstimateKey {
            account: account.clone(),
            edition: book.edition,
            version: menu.version.clone(),
            messages: texts.clone(),
            photos: Vec::new(),
        };
        let messages = texts.into_iter().map(|text| Message { text, photos: Vec::new() }).collect();
        Ok(Self { include, messages, unresolved: Vec::new(), menu, book, key: Some(key) })
    }

    /// Runs the engine and calls `on_part` with each part of the meal as soon as it is known. Returns all parts, or
    /// `None` once `on_part` returns `false`. Takes time: not for async threads.
    pub fn run(&self, mut on_part: impl FnMut(&Part) -> bool) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for part in meal::estimate(&self.menu.engine, &self.messages, &self.book.recipes) {
            if !on_part(&part) {
                return None;
            }
            parts.push(part);
        }
        Some(parts)
    }

    /// Returns the response that shows these parts, and the images that show nothing known.
    pub fn answer(&self, parts: &[Part]) -> EstimateAnswer {
        let mut answer = EstimateAnswer::from_parts(parts, self.include);
        if let Some(unresolved) = &mut answer.unresolved {
            unresolved.extend_from_slice(&self.unresolved);
        }
        answer
    }

    /// Returns whether a message has an image.
    pub fn has_photos(&self) -> bool {
        self.messages.iter().any(|message| !message.photos.is_empty())
    }
}

fn include_in_query(head: &Parts) -> Result<Include, ApiError> {
    let names = Query::of(&head.uri).get("include").unwrap_or_default();
    names.parse().map_err(|unknown: UnknownInclude| ApiError::bad_field("include", sentence(&unknown)))
}
