//! From a request to the parts of a meal: what the two estimate endpoints have in common.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::HeaderValue;
use meal::parts::Part;

use super::estimate::{EstimateAnswer, Include};
use super::images;
use super::messages::{ImagePart, Messages, sentence};
use super::query::Query;
use crate::answers::EstimateKey;
use crate::app::App;
use crate::body::{self, Received};
use crate::error::ApiError;
use crate::guard::Caller;
use crate::guard::address::BaseUrl;
use crate::kitchen::Menu;
use crate::mirror::Book;

/// A checked request with everything that its estimate depends on.
#[derive(Debug)]
pub struct Order {
    /// What the answer shows beyond the contract's fields.
    pub include: Include,
    /// The user's messages.
    pub texts: Vec<String>,
    /// Photos that nothing was said about.
    pub unseen: Vec<String>,
    /// The catalog and the engine.
    pub menu: Arc<Menu>,
    /// The caller's recipes.
    pub book: Arc<Book>,
    /// What identifies the answer.
    pub key: EstimateKey,
}

impl Order {
    /// Reads and checks a request.
    pub async fn take(app: &App, caller: &Caller, request: Request) -> Result<Self, ApiError> {
        let base = BaseUrl::of(&request, &app.config);
        let in_address = Query::of(request.uri()).get("include").unwrap_or_default();
        let in_address: Include = in_address
            .parse()
            .map_err(|unknown: super::estimate::UnknownInclude| ApiError::bad_field("include", sentence(&unknown)))?;
        let received = Received::read(app, request.into_body(), body::LARGE).await?;
        let Messages { texts, images, include } = if received.is_large() {
            app.looking.run(move || Messages::new(received.object()?)).await??
        } else {
            Messages::new(received.object()?)?
        };
        let mut unseen = Vec::new();
        for (index, image) in images.into_iter().enumerate() {
            if !image.has_words {
                unseen.push(format!("image {}", index + 1));
            }
            check(app, caller, &base, image).await?;
        }
        let book = app.mirror.book(caller.account()).await?;
        let menu = app.kitchen.menu();
        let key = EstimateKey {
            account: caller.account().clone(),
            edition: book.edition,
            version: menu.version.clone(),
            messages: texts.clone(),
        };
        Ok(Self { include: include.and(in_address), texts, unseen, menu, book, key })
    }

    /// The parts of the meal, one after the other. Takes time: not for async threads.
    pub fn cook(&self, mut serve: impl FnMut(&Part) -> bool) -> Option<Vec<Part>> {
        let texts: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        let mut parts = Vec::new();
        for part in self.menu.engine.conversation(&texts, &self.book.recipes) {
            if !serve(&part) {
                return None;
            }
            parts.push(part);
        }
        Some(parts)
    }

    /// The answer that is made of these parts, and of photos that could not be looked into.
    pub fn answer(&self, parts: &[Part]) -> EstimateAnswer {
        let mut answer = EstimateAnswer::from_parts(parts, self.include);
        if let Some(unresolved) = &mut answer.unresolved {
            unresolved.extend_from_slice(&self.unseen);
        }
        answer
    }

    /// The header that tells which engine answered.
    pub fn engine_version(&self) -> HeaderValue {
        HeaderValue::from_str(&self.menu.version).unwrap_or(HeaderValue::from_static("unknown"))
    }
}

/// Whether a photo is one that the caller may use: an own one that is still there, or one in the request itself.
async fn check(app: &App, caller: &Caller, base: &BaseUrl, image: ImagePart) -> Result<(), ApiError> {
    let ImagePart { url, param, .. } = image;
    if url.starts_with("data:") {
        let read = app.looking.run(move || images::from_data_url(&url).map(drop)).await?;
        return read.map_err(|error| error.of(param));
    }
    let id = url.strip_prefix(&base.0).and_then(|path| path.strip_prefix("/v1/images/"));
    let Some(id) = id else {
        let message = "An image must be a URL that the upload answered, or a data URL. No other address is fetched.";
        return Err(ApiError::bad_request("invalid_image_url", message).of(param));
    };
    if images::own(app, caller, id).await.map_err(|error| error.of(param.clone()))?.is_none() {
        let message = "There is no image at this URL, or no longer. Upload it again.";
        return Err(ApiError::bad_request("image_not_found", message).of(param));
    }
    Ok(())
}
