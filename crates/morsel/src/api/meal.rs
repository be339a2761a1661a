//! From a request to the parts of a meal: what the two estimate endpoints have in common.

use std::sync::Arc;

use axum::http::HeaderName;
use axum::http::request::Parts;
use meal::{Message, Part, Sighting};
use store::{AccountId, Mode};

use super::estimate::EstimateAnswer;
use super::images;
use super::include::{Include, UnknownInclude};
use super::messages::{ImagePart, Messages, UserMessage, sentence};
use super::query::Query;
use crate::answers::EstimateKey;
use crate::app::App;
use crate::body::Received;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::guard::address::BaseUrl;
use crate::kitchen::Menu;
use crate::mirror::Book;
use crate::sight::{Looked, Mark};

/// The header that tells which engine answered.
pub const X_ENGINE_VERSION: HeaderName = HeaderName::from_static("x-engine-version");

/// A checked request with everything that its estimate depends on.
#[derive(Debug)]
pub struct Order {
    /// What the answer shows beyond the contract's fields.
    pub include: Include,
    /// The user's messages.
    pub said: Vec<Message>,
    /// Photos that show nothing known, where nothing was said about them.
    pub unseen: Vec<String>,
    /// The catalog and the engine.
    pub menu: Arc<Menu>,
    /// The caller's recipes.
    pub book: Arc<Book>,
    /// What identifies the answer, where it would be the same again.
    pub key: Option<EstimateKey>,
}

/// Who orders.
#[derive(Debug)]
pub struct Guest<'a> {
    /// The account.
    pub account: &'a AccountId,
    /// Whether it is meant.
    pub mode: Mode,
    /// The account's recipes.
    pub book: Arc<Book>,
}

impl<'a> Guest<'a> {
    /// The caller of the API.
    pub async fn of(app: &App, caller: &'a Caller) -> Result<Self, ApiError> {
        let account = caller.account();
        Ok(Self { account, mode: caller.known.key.mode, book: app.mirror.book_of_caller(account).await? })
    }
}

impl Order {
    /// Checks a request, and looks at its photos.
    pub async fn take(app: &App, guest: Guest<'_>, head: &Parts, received: Received) -> Result<Self, ApiError> {
        let Guest { account, mode, book } = guest;
        let in_address = Query::of(&head.uri).get("include").unwrap_or_default();
        let in_address: Include =
            in_address.parse().map_err(|unknown: UnknownInclude| ApiError::bad_field("include", sentence(&unknown)))?;
        let Messages { messages, include } = if received.is_large() {
            app.looking.run(move || Messages::new(received.object()?)).await??
        } else {
            Messages::new(received.object()?)?
        };
        let menu = app.kitchen.menu();
        let Photographed { said, marks, unseen, is_lasting } =
            if messages.iter().any(|message| !message.images.is_empty()) {
                let base = BaseUrl::of_parts(head, &app.config);
                // On the heap: few requests have photos, and what waits for them is large.
                Box::pin(Photographed::look(app, account, mode, &base, &menu, messages)).await?
            } else {
                Photographed::without(messages)
            };
        let key = is_lasting.then(|| EstimateKey {
            account: account.clone(),
            edition: book.edition,
            version: menu.version.clone(),
            messages: said.iter().map(|said| said.text.clone()).collect(),
            photos: marks,
        });
        Ok(Self { include: include.and(in_address), said, unseen, menu, book, key })
    }

    /// An order of checked texts.
    pub async fn of_texts(
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
        let said = texts.into_iter().map(|text| Message { text, photos: Vec::new() }).collect();
        Ok(Self { include, said, unseen: Vec::new(), menu, book, key: Some(key) })
    }

    /// The parts of the meal, one after the other. Takes time: not for async threads.
    pub fn cook(&self, mut serve: impl FnMut(&Part) -> bool) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for part in meal::estimate(&self.menu.engine, &self.said, &self.book.recipes) {
            if !serve(&part) {
                return None;
            }
            parts.push(part);
        }
        Some(parts)
    }

    /// The answer that is made of these parts, and of photos that show nothing known.
    pub fn answer(&self, parts: &[Part]) -> EstimateAnswer {
        let mut answer = EstimateAnswer::from_parts(parts, self.include);
        if let Some(unresolved) = &mut answer.unresolved {
            unresolved.extend_from_slice(&self.unseen);
        }
        answer
    }

    /// Whether it came with photos.
    pub fn has_photos(&self) -> bool {
        self.said.iter().any(|said| !said.photos.is_empty())
    }
}

/// Messages whose photos were looked at.
struct Photographed {
    said: Vec<Message>,
    marks: Vec<(usize, Mark)>,
    unseen: Vec<String>,
    is_lasting: bool,
}

impl Photographed {
    /// Messages that have none.
    fn without(messages: Vec<UserMessage>) -> Self {
        let said = messages.into_iter().map(|message| Message { text: message.text, photos: Vec::new() }).collect();
        Self { said, marks: Vec::new(), unseen: Vec::new(), is_lasting: true }
    }

    async fn look(
        app: &App,
        account: &AccountId,
        mode: Mode,
        base: &BaseUrl,
        menu: &Arc<Menu>,
        messages: Vec<UserMessage>,
    ) -> Result<Self, ApiError> {
        let mut all = Self { said: Vec::with_capacity(messages.len()), ..Self::without(Vec::new()) };
        for (place, message) in messages.into_iter().enumerate() {
            let mut photos = Vec::with_capacity(message.images.len());
            for image in message.images {
                let bytes =
                    bytes_of(app, account, base, &image).await.map_err(|error| error.of(image.param.clone()))?;
                // What is tried out with a test key goes nowhere else.
                let looked = app.sight.look(&app.looking, menu, bytes, mode == Mode::Live).await?;
                let looked = looked.map_err(|refusal| images::refused(&refusal).of(image.param))?;
                all.marks.push((place, looked.mark));
                all.is_lasting &= looked.trouble.is_none();
                if message.text.trim().is_empty() {
                    all.unseen.extend(unknown(&looked, all.marks.len(), menu));
                }
                photos.push(looked.sightings.as_ref().clone());
            }
            all.said.push(Message { text: message.text, photos });
        }
        Ok(all)
    }
}

/// The bytes of a photo that the account may use: an own one that is still there, or one in the request itself.
async fn bytes_of(app: &App, account: &AccountId, base: &BaseUrl, image: &ImagePart) -> Result<Vec<u8>, ApiError> {
    let url = &image.url;
    if url.starts_with("data:") {
        let url = url.clone();
        return app.looking.run(move || images::data_of(&url)).await?;
    }
    let id = url.strip_prefix(&base.0).and_then(|path| path.strip_prefix("/v1/images/"));
    let Some(id) = id else {
        let message = "An image must be a URL that the upload answered, or a data URL. No other address is fetched.";
        return Err(ApiError::bad_request("invalid_image_url", message));
    };
    let image = images::own(app, account, id).await?;
    let bytes = match &image {
        Some(image) => app.images.get(&image.id).await?,
        None => None,
    };
    bytes.ok_or_else(|| {
        let message = "There is no image at this URL, or no longer. Upload it again.";
        ApiError::bad_request("image_not_found", message)
    })
}

/// What is said of a photo in which nothing known was seen.
fn unknown(looked: &Looked, number: usize, menu: &Menu) -> Option<String> {
    let is_known = |sighting: &Sighting| match sighting {
        Sighting::Barcode(gtin) => menu.catalog.by_gtin(*gtin).is_some(),
        _ => true,
    };
    if looked.sightings.iter().any(is_known) {
        return None;
    }
    let mut codes = looked.sightings.iter().filter_map(|sighting| match sighting {
        Sighting::Barcode(gtin) => Some(format!("image {number}: barcode {gtin:013}")),
        _ => None,
    });
    let why = looked.trouble.as_ref().map(|trouble| format!("image {number}: {trouble}"));
    codes.next_back().or(why).or_else(|| Some(format!("image {number}")))
}
