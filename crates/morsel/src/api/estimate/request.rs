//! A checked request with everything that its estimate depends on: what the two estimate endpoints share.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::http::request::Parts;
use meal::{Message, MessagePart, Part, RefusedPart, Speaker};
use store::{AccountId, Mode};

use super::body::{CheckedBody, EstimateBody};
use super::content::{UserMessage, refused};
use super::include::{Include, UnknownInclude};
use super::photos::Analyzed;
use super::rows::{self, AnswerEnd, EstimateAnswer};
use crate::account_cache::Recipes;
use crate::api::json;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::live_engine::EngineSnapshot;
use crate::query::Query;
use crate::request::BaseUrl;
use crate::request_body::RequestBody;
use crate::response_cache::{EstimateKey, Estimated, PartKey};
use crate::speaker;

/// A request for an estimate, checked and ready to run.
#[derive(Debug)]
pub struct EstimateRequest {
    /// The account that it is made for.
    pub account: AccountId,
    /// What the response shows beyond the contract's fields.
    pub include: Include,
    /// The user's messages.
    pub messages: Vec<Message>,
    /// Where the content of each is in the body, for errors.
    paths: Vec<String>,
    /// Images that show nothing known, in messages without words.
    pub unresolved: Vec<String>,
    /// The catalog and the engine.
    pub snapshot: Arc<EngineSnapshot>,
    /// The account's recipes.
    pub recipes: Arc<Recipes>,
    /// The language that the caller speaks.
    pub speaker: Speaker,
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
    pub recipes: Arc<Recipes>,
}

impl<'a> Requester<'a> {
    /// The caller of the API.
    pub async fn of(app: &App, caller: &'a Caller) -> Result<Self, ApiError> {
        let account = &caller.account.id;
        Ok(Self { account, mode: caller.key.mode, recipes: app.account_cache.recipes_of_caller(account).await? })
    }
}

impl EstimateRequest {
    /// Reads and checks a request, and analyzes its images.
    pub async fn read(
        app: &App,
        requester: Requester<'_>,
        head: &Parts,
        received: RequestBody,
    ) -> Result<Self, ApiError> {
        let account = requester.account;
        let in_query = include_in_query(head)?;
        let (is_large, bytes) = (received.is_large(), received.bytes.clone());
        // Held until the photos are read: until then they are in memory.
        let _memory = received.into_memory();
        let check = move || json::read::<EstimateBody>(&bytes)?.check();
        let checked = if is_large { app.photos.try_run(account, check).await } else { check() };
        let mut checked = checked?;
        checked.include = checked.include.and(in_query);
        Self::from_checked(app, requester, head, checked).await
    }

    /// Makes a request of a checked body, and analyzes its images.
    pub async fn from_checked(
        app: &App,
        requester: Requester<'_>,
        head: &Parts,
        checked: CheckedBody,
    ) -> Result<Self, ApiError> {
        let Requester { account, mode, recipes } = requester;
        let CheckedBody { messages, include, language } = checked;
        let snapshot = app.engine.snapshot();
        let speaker = speaker::speaker_of(language.as_deref(), &head.headers, snapshot.engine.translator())?;
        let paths = messages.iter().map(|message| message.path.clone()).collect();
        let analyzed = if messages.iter().any(UserMessage::has_images) {
            let base = BaseUrl::of_parts(head, &app.config);
            // On the heap: few requests have images, and this future is large.
            Box::pin(Analyzed::analyze(app, (account, mode), &base, &snapshot, messages)).await?
        } else {
            Analyzed::without_photos(messages)
        };
        let Analyzed { messages, keys, unresolved, is_repeatable } = analyzed;
        let key = is_repeatable.then(|| EstimateKey {
            account: account.clone(),
            edition: recipes.edition,
            version: snapshot.version.clone(),
            messages: keys,
            speaker: speaker.clone(),
        });
        let request =
            Self { account: account.clone(), include, messages, paths, unresolved, snapshot, recipes, speaker, key };
        if request.has_food_parts() {
            request.check_food_parts(app).await?;
        }
        Ok(request)
    }

    /// Makes a request of texts that were checked before.
    pub async fn from_texts(
        app: &App,
        account: &AccountId,
        texts: Vec<String>,
        speaker: Speaker,
        include: Include,
    ) -> Result<Self, ApiError> {
        let recipes = app.account_cache.recipes(account).await?;
        let snapshot = app.engine.snapshot();
        let key = EstimateKey {
            account: account.clone(),
            edition: recipes.edition,
            version: snapshot.version.clone(),
            messages: texts.iter().map(|text| vec![PartKey::of_text(text)]).collect(),
            speaker: speaker.clone(),
        };
        let messages = texts.into_iter().map(Message::from).collect();
        let (account, paths, unresolved) = (account.clone(), Vec::new(), Vec::new());
        Ok(Self { account, include, messages, paths, unresolved, snapshot, recipes, speaker, key: Some(key) })
    }

    /// Checks foods and corrections, most of which only the whole estimate can: whether an item is there depends on all that
    /// was said before. So a stream does not start before it is known, and the estimate is cached for what follows.
    async fn check_food_parts(&self, app: &App) -> Result<(), ApiError> {
        if self.key.as_ref().is_some_and(|key| app.responses.estimate(key).is_some()) {
            return Ok(());
        }
        let (messages, snapshot, recipes) = (self.messages.clone(), self.snapshot.clone(), self.recipes.clone());
        let speaker = self.speaker.clone();
        let work = move || {
            let parts = meal::try_estimate(&snapshot.engine, &messages, &recipes.book, &speaker)?;
            Ok::<_, RefusedPart>(parts.collect::<Vec<Part>>())
        };
        let parts = app.texts.run(&self.account, work).await?.map_err(|RefusedPart { message, part, reason }| {
            let path = self.paths.get(message).map_or("messages", String::as_str);
            refused(&format!("{path}[{part}]"), reason)
        })?;
        app.responses.remember(self.key.as_ref(), &Arc::new(Estimated::new(parts)));
        Ok(())
    }

    /// Returns whether a message names a food by its id or corrects an item.
    fn has_food_parts(&self) -> bool {
        let is_food_part = |part: &MessagePart| matches!(part, MessagePart::Food(_) | MessagePart::Correction(_));
        self.messages.iter().flat_map(|message| &message.parts).any(is_food_part)
    }

    /// Runs the engine and calls `on_part` with each part of the meal as soon as it is known. Returns all parts, unless
    /// `on_part` breaks. Takes time: not for async threads.
    pub fn run(&self, mut on_part: impl FnMut(&Part) -> ControlFlow<()>) -> ControlFlow<(), Vec<Part>> {
        let mut parts = Vec::new();
        for part in meal::estimate_for(&self.snapshot.engine, &self.messages, &self.recipes.book, &self.speaker) {
            on_part(&part)?;
            parts.push(part);
        }
        ControlFlow::Continue(parts)
    }

    /// Returns the response that shows these parts, and the images that show nothing known.
    pub fn answer(&self, parts: &[Part]) -> EstimateAnswer {
        let mut answer = EstimateAnswer::from_parts(parts, self.include);
        self.add_images(&mut answer.unresolved);
        answer.language = self.language();
        answer
    }

    /// Returns what follows the items of that response.
    pub fn answer_end(&self, parts: &[Part]) -> AnswerEnd {
        let mut end = AnswerEnd::from_parts(parts, self.include);
        self.add_images(&mut end.unresolved);
        end.language = self.language();
        end
    }

    /// Returns the language of the texts, if it was requested.
    fn language(&self) -> Option<&'static str> {
        rows::language_of(&self.snapshot.engine, &self.messages, &self.speaker, self.include)
    }

    fn add_images(&self, unresolved: &mut Option<Vec<String>>) {
        if let Some(unresolved) = unresolved {
            unresolved.extend_from_slice(&self.unresolved);
        }
    }

    /// Returns whether a message has an image.
    pub fn has_photos(&self) -> bool {
        self.messages.iter().flat_map(|message| &message.parts).any(|part| matches!(part, MessagePart::Photo(_)))
    }
}

/// Returns what the query string asks to show.
pub fn include_in_query(head: &Parts) -> Result<Include, ApiError> {
    let names = Query::of(&head.uri).get("include").unwrap_or_default();
    names
        .parse()
        .map_err(|unknown: UnknownInclude| ApiError::bad_field("include", format!("“include” has an {unknown}.")))
}
