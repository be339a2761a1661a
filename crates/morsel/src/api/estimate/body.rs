//! The body of an estimate: as a caller sends it, then checked.

use std::fmt;

use meal::{MAX_CHARS, MAX_MESSAGES};
use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::include::{Extra, Include};
use crate::api::json::{self, Object};
use crate::error::ApiError;

/// Images of one request.
pub const MAX_IMAGES: usize = 5;

/// A request for an estimate.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EstimateBody {
    /// 1 to 50 messages with at most 8,000 characters and 5 images in all; later ones amend the earlier.
    #[serde(deserialize_with = "json::objects::<_, _, MAX_MESSAGES>")]
    #[schema(min_items = 1, max_items = 50)]
    messages: Vec<ChatMessage>,
    /// What to show beyond the usual fields.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Extra>>, required = false)]
    include: Include,
}

/// A message, in the common chat format.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChatMessage {
    /// Only what the user says is estimated.
    role: Role,
    /// What was eaten: a text, or an array of texts and images.
    content: Content,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person who eats.
    User,
    /// The program that answers.
    Assistant,
    /// The program that asks.
    System,
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let roles = [("user", Self::User), ("assistant", Self::Assistant), ("system", Self::System)];
        json::named(deserializer, roles)
    }
}

/// What a message says.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum Content {
    /// A text.
    Text(String),
    /// Texts and images.
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
                let (mut parts, mut size) = (Vec::new(), Size::default());
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

/// A text or an image in a message.
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
}

/// The type of a content part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartType {
    /// A text.
    Text,
    /// An image.
    ImageUrl,
}

impl<'de> Deserialize<'de> for PartType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::named(deserializer, [("text", Self::Text), ("image_url", Self::ImageUrl)])
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
struct Size {
    characters: usize,
    images: usize,
}

impl Size {
    fn add(&mut self, part: &ContentPart) {
        self.characters += part.text.as_ref().map_or(0, |text| text.chars().count());
        self.images += usize::from(part.image_url.is_some());
    }

    /// Returns what is wrong, as the end of a sentence.
    fn check(self) -> Result<(), String> {
        if self.characters > MAX_CHARS {
            return Err(format!("may have at most {MAX_CHARS} characters of text"));
        }
        if self.images > MAX_IMAGES {
            return Err(format!("may have at most {MAX_IMAGES} images"));
        }
        Ok(())
    }
}

/// The checked body of an estimate.
#[derive(Debug, Default)]
pub struct CheckedBody {
    /// What the user says, in order.
    pub messages: Vec<UserMessage>,
    /// What the response shows beyond the contract's fields.
    pub include: Include,
}

/// A message of the user.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UserMessage {
    /// Its texts, a line each.
    pub text: String,
    /// Its images.
    pub images: Vec<ImageReference>,
}

/// An image in a message.
#[derive(Debug, PartialEq, Eq)]
pub struct ImageReference {
    /// A URL returned by the upload endpoint, or a data URL.
    pub url: String,
    /// Its path in the body, for errors.
    pub param: String,
}

impl EstimateBody {
    /// Checks what holds for all messages together, and keeps those of the user.
    pub fn check(self) -> Result<CheckedBody, ApiError> {
        let of_messages = |problem: String| ApiError::bad_field("messages", format!("“messages” {problem}."));
        if self.messages.is_empty() {
            return Err(of_messages("must have at least one entry".to_owned()));
        }
        let mut checked = CheckedBody { include: self.include, ..CheckedBody::default() };
        let mut size = Size::default();
        let mut has_user = false;
        for (index, ChatMessage { role, content }) in self.messages.into_iter().enumerate() {
            let message = content.read(&format!("messages[{index}].content"), &mut size)?;
            size.check().map_err(of_messages)?;
            if role == Role::User {
                has_user = true;
                checked.messages.push(message);
            }
        }
        if !has_user {
            return Err(of_messages("must have at least one message with the role “user”".to_owned()));
        }
        Ok(checked)
    }
}

impl Content {
    /// Joins the texts and collects the images; `path` is where the content is in the body.
    fn read(self, path: &str, size: &mut Size) -> Result<UserMessage, ApiError> {
        let parts = match self {
            Content::Text(text) => {
                size.characters += text.chars().count();
                return Ok(UserMessage { text, images: Vec::new() });
            }
            Content::Parts(parts) => parts,
        };
        let (mut texts, mut images) = (Vec::new(), Vec::new());
        for (index, part) in parts.into_iter().enumerate() {
            size.add(&part);
            let missing = |field: &str| {
                let param = format!("{path}[{index}].{field}");
                let message = format!("“{param}” is missing.");
                ApiError::bad_field(param, message)
            };
            match part.kind {
                PartType::Text => texts.push(part.text.ok_or_else(|| missing("text"))?),
                PartType::ImageUrl => {
                    let ImageUrl { url } = part.image_url.ok_or_else(|| missing("image_url.url"))?;
                    images.push(ImageReference { url, param: format!("{path}[{index}].image_url.url") });
                }
            }
        }
        Ok(UserMessage { text: texts.join("\n"), images })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(body: &Value) -> Result<CheckedBody, ApiError> {
        json::read::<EstimateBody>(body.to_string().as_bytes())?.check()
    }

    fn param(body: &Value) -> String {
        read(body).expect_err("refused").param.expect("a field is at fault")
    }

    #[test]
    fn strings_and_parts_are_read_in_order() {
        let read = read(&json!({"messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "two eggs", "name": "ignored"},
            {"role": "assistant", "content": "noted"},
            {"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "https://x/v1/images/1"}, "text": null},
                {"type": "text", "text": "and this", "image_url": null},
            ]},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u", "detail": "high"}}]},
        ], "include": ["tier"]}))
        .expect("all right");
        let texts: Vec<&str> = read.messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, ["two eggs", "and this", ""]);
        assert_eq!(read.messages[1].images[0].param, "messages[3].content[0].image_url.url");
        assert_eq!(read.messages.iter().map(|message| message.images.len()).collect::<Vec<_>>(), [0, 1, 1]);
        assert!(read.include.has(Extra::Tier));
    }

    #[test]
    fn the_field_at_fault_is_named() {
        let message = |message: Value| param(&json!({"messages": [message]}));
        assert_eq!(param(&json!({})), "messages");
        assert_eq!(param(&json!({"messages": "eggs"})), "messages");
        assert_eq!(param(&json!({"messages": null})), "messages");
        assert_eq!(param(&json!({"messages": []})), "messages");
        assert_eq!(message(json!("eggs")), "messages[0]");
        assert_eq!(message(json!(["user", "eggs"])), "messages[0]");
        assert_eq!(message(json!({"content": "eggs"})), "messages[0].role");
        assert_eq!(message(json!({"role": "cook", "content": "eggs"})), "messages[0].role");
        assert_eq!(message(json!({"role": 1, "content": "eggs"})), "messages[0].role");
        assert_eq!(message(json!({"role": "user"})), "messages[0].content");
        assert_eq!(message(json!({"role": "user", "content": 5})), "messages[0].content");
        assert_eq!(message(json!({"role": "user", "content": null})), "messages[0].content");
        assert_eq!(message(json!({"role": "assistant", "content": "eggs"})), "messages");
        let part = |part: Value| message(json!({"role": "user", "content": [part]}));
        assert_eq!(part(json!("eggs")), "messages[0].content[0]");
        assert_eq!(part(json!({"type": "audio"})), "messages[0].content[0].type");
        assert_eq!(part(json!({"type": "text"})), "messages[0].content[0].text");
        assert_eq!(part(json!({"type": "text", "text": 5})), "messages[0].content[0].text");
        assert_eq!(part(json!({"type": "image_url"})), "messages[0].content[0].image_url.url");
        assert_eq!(part(json!({"type": "image_url", "image_url": "u"})), "messages[0].content[0].image_url.url");
        assert_eq!(part(json!({"type": "image_url", "image_url": {"url": 5}})), "messages[0].content[0].image_url.url");
        let include =
            |include: Value| param(&json!({"messages": [{"role": "user", "content": "a"}], "include": include}));
        assert_eq!(include(json!(["x"])), "include");
        assert_eq!(include(json!("tier")), "include");
        assert_eq!(include(json!(["tier", 5])), "include[1]");
    }

    #[test]
    fn sizes_are_limited() {
        let user = |text: &str| json!({"role": "user", "content": text});
        assert!(read(&json!({"messages": [user(&"é".repeat(8_000))]})).is_ok());
        assert_eq!(param(&json!({"messages": [user(&"é".repeat(8_001))]})), "messages");
        assert_eq!(param(&json!({"messages": [user(&"a".repeat(4_000)), user(&"a".repeat(4_001))]})), "messages");
        assert!(read(&json!({"messages": vec![user("egg"); 50]})).is_ok());
        assert_eq!(param(&json!({"messages": vec![user("egg"); 51]})), "messages");
        let image = json!({"type": "image_url", "image_url": {"url": "u"}});
        let images = |count: usize| json!({"role": "user", "content": vec![image.clone(); count]});
        assert!(read(&json!({"messages": [images(5)]})).is_ok());
        assert_eq!(param(&json!({"messages": [images(6)]})), "messages[0].content");
        assert_eq!(param(&json!({"messages": [images(3), images(3)]})), "messages");
    }
}
