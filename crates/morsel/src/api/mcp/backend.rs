//! What the tools ask: the service with its queues, caches and recipes, or the engine of this program alone.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use meal::{Message, MessagePart, Part, RecipeBook, Speaker};
use store::{AccountId, Mode, Scope, Scopes};
use vision::PhotoAnalyzer;
use vision::photo::Photo;

use crate::api::estimate::body::CheckedBody;
use crate::api::estimate::content::{ImageReference, UserPart};
use crate::api::estimate::request::{EstimateRequest, Requester};
use crate::api::estimate::rows::{self, EstimateAnswer};
use crate::api::estimate::sync;
use crate::api::images::data_url;
use crate::app::App;
use crate::error::ApiError;
use crate::live_engine::EngineSnapshot;
use crate::request_body::UNMETERED_BYTES;
use crate::speaker;

/// A user of the tools.
#[derive(Debug)]
pub struct McpClient {
    /// What it may do; tools that need more are hidden.
    pub scopes: Scopes,
    /// What answers.
    pub backend: McpBackend,
}

/// What answers.
#[derive(Debug)]
pub enum McpBackend {
    /// The service, on behalf of an account.
    Service(Box<ServiceBackend>),
    /// The engine alone.
    Embedded(EmbeddedBackend),
}

/// The service, on behalf of an account.
#[derive(Debug)]
pub struct ServiceBackend {
    /// The service.
    pub app: Arc<App>,
    /// The account.
    pub account: AccountId,
    /// Live or test.
    pub mode: Mode,
    /// The head of the request.
    pub head: Parts,
}

/// The engine alone: no accounts, no recipes.
#[derive(Clone, Debug)]
pub struct EmbeddedBackend {
    /// The foods and the estimator.
    pub snapshot: Arc<EngineSnapshot>,
    /// Recognizes what photos show.
    pub analyzer: Arc<PhotoAnalyzer>,
}

impl McpClient {
    /// Returns a client of the engine alone, which may do whatever needs no account.
    pub fn of_engine(snapshot: EngineSnapshot) -> Self {
        let backend = EmbeddedBackend { snapshot: Arc::new(snapshot), analyzer: Arc::default() };
        let scopes = [Scope::Estimate, Scope::FoodsRead].into_iter().collect();
        Self { scopes, backend: McpBackend::Embedded(backend) }
    }

    /// Checks that the client has a scope.
    pub fn check(&self, scope: Scope) -> Result<(), ApiError> {
        if self.scopes.contains(scope) {
            return Ok(());
        }
        let message = format!("This API key has no access to this resource: it lacks the scope “{}”.", scope.name());
        Err(ApiError::forbidden("insufficient_scope", message))
    }
}

impl McpBackend {
    /// Returns the foods and the estimator.
    pub fn snapshot(&self) -> Arc<EngineSnapshot> {
        match self {
            Self::Service(service) => service.app.engine.snapshot(),
            Self::Embedded(embedded) => Arc::clone(&embedded.snapshot),
        }
    }

    /// Returns the service, for what needs an account.
    pub fn service(&self) -> Result<&ServiceBackend, ApiError> {
        match self {
            Self::Service(service) => Ok(service),
            Self::Embedded(_) => {
                Err(ApiError::not_found("There are no recipes without an account: start `morsel mcp` with --data-dir."))
            }
        }
    }

    /// Returns what is known of the client's language.
    pub fn speaker(&self, said: Option<&str>) -> Result<Speaker, ApiError> {
        let none = HeaderMap::new();
        let headers = match self {
            Self::Service(service) => &service.head.headers,
            Self::Embedded(_) => &none,
        };
        speaker::speaker_of(said, headers, self.snapshot().engine.translator())
    }

    /// Runs a job that takes processor time.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        match self {
            Self::Service(service) => service.app.texts.run(&service.account, job).await,
            Self::Embedded(_) => tokio::task::spawn_blocking(job).await.map_err(ApiError::internal),
        }
    }

    /// Runs a job that reads so many bytes: a large one off the async threads, with the photos.
    pub async fn read<T, E>(&self, bytes: usize, job: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<ApiError> + Send + 'static,
    {
        if bytes <= UNMETERED_BYTES {
            return job();
        }
        match self {
            Self::Service(service) => service.app.photos.try_run(&service.account, job).await,
            Self::Embedded(_) => tokio::task::spawn_blocking(job).await.map_err(ApiError::internal)?,
        }
    }

    /// Estimates a meal.
    pub async fn estimate(&self, meal: CheckedBody) -> Result<EstimateAnswer, ApiError> {
        match self {
            Self::Service(service) => service.estimate(meal).await,
            Self::Embedded(embedded) => {
                let speaker = self.speaker(meal.language.as_deref())?;
                let embedded = embedded.clone();
                self.run(move || embedded.estimate(meal, &speaker)).await?
            }
        }
    }
}

impl ServiceBackend {
    async fn estimate(&self, meal: CheckedBody) -> Result<EstimateAnswer, ApiError> {
        let recipes = self.app.account_cache.recipes(&self.account).await?;
        let requester = Requester { account: &self.account, mode: self.mode, recipes };
        let request = EstimateRequest::from_checked(&self.app, requester, &self.head, meal).await?;
        sync::answer(&self.app, &Arc::new(request)).await
    }
}

impl EmbeddedBackend {
    fn estimate(&self, meal: CheckedBody, speaker: &Speaker) -> Result<EstimateAnswer, ApiError> {
        let include = meal.include;
        let mut messages = Vec::new();
        for message in meal.messages {
            let parts = message.parts.into_iter().map(|part| match part {
                UserPart::Text(text) => Ok(MessagePart::Text(text)),
                UserPart::Image(image) => self.look_at(image),
                UserPart::Food(food) => Ok(MessagePart::Food(food)),
                UserPart::Correction(correction) => Ok(MessagePart::Correction(correction)),
            });
            messages.push(Message { parts: parts.collect::<Result<_, _>>()? });
        }
        let engine = &self.snapshot.engine;
        let book = RecipeBook::default();
        let parts: Vec<Part> = meal::estimate_for(engine, &messages, &book, speaker).collect();
        let mut answer = EstimateAnswer::from_parts(&parts, include);
        answer.language = rows::language_of(engine, &messages, speaker, include);
        Ok(answer)
    }

    fn look_at(&self, image: ImageReference) -> Result<MessagePart, ApiError> {
        let bytes = data_url::bytes(&image.url);
        let photo = bytes.and_then(|bytes| Photo::read(&bytes).map_err(|refusal| data_url::refused(&refusal)));
        let photo = photo.map_err(|error| error.of(image.param))?;
        Ok(MessagePart::Photo(self.analyzer.analyze(&photo, |gtin| self.snapshot.has_barcode(gtin))))
    }
}
