//! What a message says: a text, or texts, images, foods and corrections in order.

use std::fmt;

use meal::{CorrectionPart, FoodPart, MAX_CHARS, MAX_FOOD_PARTS, MAX_QUANTITY, PartRefusal};
use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::api::json::{self, Object};
use crate::error::ApiError;

/// Images of one request.
pub const MAX_IMAGES: usize = 5;
/// The most characters of an id.
const MAX_ID_CHARS: usize = 200;

/// What a message says.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum Content {
    /// A text.
    Text(String),
    /// Texts, images, foods and corrections, in order. Texts and images next to each other are read together.
    Parts(Vec<ContentPart>),
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContentVisitor;

        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an array of content parts")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Content, E> {
                Ok(Content::Text(text))
            }

            /// Stops where the message alone has more than a request may have.
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
                let (mut parts, mut size) = (Vec::new(), ContentSize::default());
                while let Some(Object(part)) = seq.next_element::<Object<ContentPart>>()? {
                    size.add(&part);
                    size.check().map_err(A::Error::custom)?;
                    parts.push(part);
                }
                Ok(Content::Parts(parts))
            }
        }

        deserializer.deserialize_any(ContentVisitor)
    }
}

/// A text, an image, a food or a correction in a message.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ContentPart {
    /// Which of the other fields is present.
    #[serde(rename = "type")]
    kind: PartType,
    /// Present when `type` is `text`.
    text: Option<String>,
    /// Present when `type` is `image_url`.
    #[serde(default, deserialize_with = "image_url")]
    image_url: Option<ImageUrl>,
    /// Present when `type` is `food`: the id of a food or of one of your recipes. With `correction`: what the item really is.
    #[schema(max_length = 200)]
    food_id: Option<String>,
    /// How many units of a food, 1 if absent. With `correction`: the new number, or 0 to remove the item.
    #[schema(minimum = 0, maximum = 100_000)]
    quantity: Option<f64>,
    /// A measure such as `g`, `ml`, `cup`, `slice` or `large`, or a portion of the food. If absent, the usual serving of a
    /// food, or the unit that the corrected item has.
    #[schema(max_length = 100)]
    unit: Option<String>,
    /// Present when `type` is `correction`: which item of the conversation so far, counted from 1.
    #[schema(minimum = 1)]
    #[serde(default, deserialize_with = "json::whole_number")]
    item: Option<usize>,
}

/// The type of a content part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartType {
    /// A text.
    Text,
    /// An image.
    ImageUrl,
    /// A food by its id.
    Food,
    /// Another food or amount for an item.
    Correction,
}

impl<'de> Deserialize<'de> for PartType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let types = [
            ("text", Self::Text),
            ("image_url", Self::ImageUrl),
            ("food", Self::Food),
            ("correction", Self::Correction),
        ];
        json::named(deserializer, types)
    }
}

/// Where an image is.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ImageUrl {
    /// A URL returned by the upload endpoint, or a data URL.
    url: String,
}

/// Reads an [`ImageUrl`] or `null`. A bare string, the usual mistake, lacks the `url`.
fn image_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ImageUrl>, D::Error> {
    struct ImageUrlVisitor;

    impl<'de> Visitor<'de> for ImageUrlVisitor {
        type Value = Option<ImageUrl>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with a “url”")
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
            Err(E::missing_field("url"))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            ImageUrl::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }

    deserializer.deserialize_any(ImageUrlVisitor)
}

/// How much a request has of what is limited.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContentSize {
    characters: usize,
    images: usize,
    food_parts: usize,
}

impl ContentSize {
    fn add(&mut self, part: &ContentPart) {
        self.characters += part.text.as_ref().map_or(0, |text| text.chars().count());
        self.images += usize::from(part.image_url.is_some());
        self.food_parts += usize::from(matches!(part.kind, PartType::Food | PartType::Correction));
    }

    /// Returns what is wrong, as the end of a sentence.
    pub fn check(self) -> Result<(), String> {
        if self.characters > MAX_CHARS {
            return Err(format!("may have at most {MAX_CHARS} characters of text"));
        }
        if self.images > MAX_IMAGES {
            return Err(format!("may have at most {MAX_IMAGES} images"));
        }
        if self.food_parts > MAX_FOOD_PARTS {
            return Err(format!("may have at most {MAX_FOOD_PARTS} foods and corrections"));
        }
        Ok(())
    }
}

/// A message of the user.
#[derive(Debug, Default, PartialEq)]
pub struct UserMessage {
    /// Where its content is in the body, for errors.
    pub path: String,
    /// What it says, in order.
    pub parts: Vec<UserPart>,
}

/// A piece of a message of the user.
#[derive(Debug, PartialEq)]
pub enum UserPart {
    /// A text.
    Text(String),
    /// An image.
    Image(ImageReference),
    /// A food by its id.
    Food(FoodPart),
    /// A change of an item.
    Correction(CorrectionPart),
}

/// An image in a message.
#[derive(Debug, PartialEq, Eq)]
pub struct ImageReference {
    /// A URL returned by the upload endpoint, or a data URL.
    pub url: String,
    /// Its path in the body, for errors.
    pub param: String,
}

impl UserMessage {
    /// Returns whether it has an image.
    pub fn has_images(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, UserPart::Image(_)))
    }

    /// Returns whether it has words.
    pub fn has_words(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, UserPart::Text(text) if !text.trim().is_empty()))
    }
}

impl Content {
    /// Checks the parts; `path` is where the content is in the body.
    pub fn read(self, path: String, size: &mut ContentSize) -> Result<UserMessage, ApiError> {
        let parts = match self {
            Content::Text(text) => {
                size.characters += text.chars().count();
                return Ok(UserMessage { path, parts: vec![UserPart::Text(text)] });
            }
            Content::Parts(parts) => parts,
        };
        let read = parts.into_iter().enumerate().map(|(index, part)| {
            size.add(&part);
            part.read(&format!("{path}[{index}]"))
        });
        let parts = read.collect::<Result<_, _>>()?;
        Ok(UserMessage { path, parts })
    }
}

impl ContentPart {
    /// Checks what can be checked without the catalog; `path` is where the part is in the body.
    fn read(self, path: &str) -> Result<UserPart, ApiError> {
        let missing = |field: &str| bad(format!("{path}.{field}"), "is missing");
        let ContentPart { quantity, unit, food_id, .. } = self;
        match self.kind {
            PartType::Text => self.text.map(UserPart::Text).ok_or_else(|| missing("text")),
            PartType::ImageUrl => {
                let ImageUrl { url } = self.image_url.ok_or_else(|| missing("image_url.url"))?;
                Ok(UserPart::Image(ImageReference { url, param: format!("{path}.image_url.url") }))
            }
            PartType::Food => {
                let food_id = food_id.ok_or_else(|| missing("food_id"))?;
                check_id(&food_id, path)?;
                let food = FoodPart { food_id, quantity, unit };
                food.check().map_err(|reason| refused(path, reason))?;
                Ok(UserPart::Food(food))
            }
            PartType::Correction => {
                let item = self.item.ok_or_else(|| missing("item"))?;
                if item == 0 {
                    return Err(bad(format!("{path}.item"), "must be at least 1"));
                }
                food_id.as_deref().map_or(Ok(()), |id| check_id(id, path))?;
                let correction = CorrectionPart { item, food_id, quantity, unit };
                correction.check().map_err(|reason| refused(path, reason))?;
                Ok(UserPart::Correction(correction))
            }
        }
    }
}

fn check_id(id: &str, path: &str) -> Result<(), ApiError> {
    let length = id.chars().count();
    if (1..=MAX_ID_CHARS).contains(&length) {
        return Ok(());
    }
    Err(bad(format!("{path}.food_id"), &format!("must have 1 to {MAX_ID_CHARS} characters")))
}

/// Returns the error for a field, of which `problem` is the end of a sentence.
fn bad(param: String, problem: &str) -> ApiError {
    let message = format!("“{param}” {problem}.");
    ApiError::bad_field(param, message)
}

/// Returns the error for a food or a correction that cannot be read; `path` is where it is in the body.
pub fn refused(path: &str, reason: PartRefusal) -> ApiError {
    match reason {
        PartRefusal::UnknownFood => {
            let message = "This food was not found. Use the id of a food from the search, or of one of your recipes.";
            ApiError::bad_request("food_not_found", message).of(format!("{path}.food_id"))
        }
        PartRefusal::UnknownItem { items } => {
            let there = if items == 1 { "is 1 item".to_owned() } else { format!("are {items} items") };
            let message = format!("This item was not found: there {there} so far, counted from 1.");
            ApiError::bad_request("item_not_found", message).of(format!("{path}.item"))
        }
        PartRefusal::BadQuantity => {
            let problem =
                format!("must be greater than 0 and at most {MAX_QUANTITY}; 0 removes the item of a correction");
            bad(format!("{path}.quantity"), &problem)
        }
        PartRefusal::UnknownUnit => {
            let problem = "is not a measure of this food. Use one such as “g”, “ml”, “cup” or “slice”, or omit it";
            bad(format!("{path}.unit"), problem)
        }
        PartRefusal::NoChange => bad(path.to_owned(), "must have a “food_id”, a “quantity” or a “unit”"),
    }
}
