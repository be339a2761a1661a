//! The body of an estimate: as a caller sends it, then checked.

use meal::MAX_MESSAGES;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::content::{Content, ContentSize, UserMessage, UserPart};
use super::include::{Extra, Include};
use crate::api::json;
use crate::error::ApiError;

/// A request for an estimate.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EstimateBody {
    /// 1 to 50 messages with at most 8,000 characters, 5 images and 100 foods and corrections in all; later ones amend the
    /// earlier.
    #[serde(deserialize_with = "json::objects::<_, _, MAX_MESSAGES>")]
    #[schema(min_items = 1, max_items = 50)]
    messages: Vec<ChatMessage>,
    /// What to show beyond the usual fields.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Extra>>, required = false)]
    include: Include,
    /// The language of the texts: `en`, `es`, `de` and others, also with a region (`pt-BR`). By default it is detected.
    #[serde(default)]
    #[schema(max_length = 35)]
    language: Option<String>,
}

/// A message, in the common chat format.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChatMessage {
    /// Only what the user says is estimated.
    role: Role,
    /// What was eaten: a text, or an array of texts, images, foods and corrections.
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

/// The checked body of an estimate.
#[derive(Debug, Default)]
pub struct CheckedBody {
    /// What the user says, in order.
    pub messages: Vec<UserMessage>,
    /// What the response shows beyond the contract's fields.
    pub include: Include,
    /// The language of the texts, as it was said.
    pub language: Option<String>,
}

impl CheckedBody {
    /// A body that is one text, whose length was checked.
    pub fn from_text(text: String) -> Self {
        let message = UserMessage { path: "messages[0].content".to_owned(), parts: vec![UserPart::Text(text)] };
        Self { messages: vec![message], ..Self::default() }
    }

    /// Returns how many images it has.
    pub fn image_count(&self) -> usize {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        parts.filter(|part| matches!(part, UserPart::Image(_))).count()
    }
}

impl EstimateBody {
    /// A body with one message of the user.
    pub fn of_text(text: String) -> Self {
        Self::of_messages(vec![ChatMessage { role: Role::User, content: Content::Text(text) }])
    }

    /// A body with these messages and no wishes.
    pub fn of_messages(messages: Vec<ChatMessage>) -> Self {
        Self { messages, include: Include::default(), language: None }
    }

    /// Checks what holds for all messages together, and keeps those of the user.
    pub fn check(self) -> Result<CheckedBody, ApiError> {
        let of_messages = |problem: String| ApiError::bad_field("messages", format!("“messages” {problem}."));
        if self.messages.is_empty() {
            return Err(of_messages("must have at least one entry".to_owned()));
        }
        let mut checked = CheckedBody { include: self.include, language: self.language, ..CheckedBody::default() };
        let mut size = ContentSize::default();
        let mut has_user = false;
        for (index, ChatMessage { role, content }) in self.messages.into_iter().enumerate() {
            let message = content.read(format!("messages[{index}].content"), &mut size)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::estimate::content::ImageReference;
    use meal::{CorrectionPart, FoodPart};
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
        let image = |url: &str, param: &str| {
            UserPart::Image(ImageReference { url: url.to_owned(), param: format!("{param}.image_url.url") })
        };
        let text = |text: &str| UserPart::Text(text.to_owned());
        assert_eq!(read.messages[0].parts, [text("two eggs")]);
        let first = image("https://x/v1/images/1", "messages[3].content[0]");
        assert_eq!(read.messages[1].parts, [first, text("and this")]);
        assert_eq!(read.messages[2].parts, [image("u", "messages[4].content[0]")]);
        assert!(read.include.has(Extra::Tier));
    }

    #[test]
    fn foods_and_corrections_keep_their_places() {
        let read = read(&json!({"messages": [{"role": "user", "content": [
            {"type": "food", "food_id": "sr_09040", "quantity": 1.5, "unit": "cup", "brand": "ignored"},
            {"type": "text", "text": "eggs"},
            {"type": "correction", "item": 2, "quantity": 0},
            {"type": "food", "food_id": "rec_1", "quantity": null, "unit": null},
        ]}]}))
        .expect("all right");
        let food = |id: &str, quantity: Option<f64>, unit: Option<&str>| {
            UserPart::Food(FoodPart { food_id: id.to_owned(), quantity, unit: unit.map(str::to_owned) })
        };
        let correction = CorrectionPart { item: 2, quantity: Some(0.0), ..CorrectionPart::default() };
        assert_eq!(
            read.messages[0].parts,
            [
                food("sr_09040", Some(1.5), Some("cup")),
                UserPart::Text("eggs".to_owned()),
                UserPart::Correction(correction),
                food("rec_1", None, None),
            ]
        );
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
        for (field, part_of) in [
            ("food_id", json!({"type": "food"})),
            ("food_id", json!({"type": "food", "food_id": 5})),
            ("food_id", json!({"type": "food", "food_id": ""})),
            ("food_id", json!({"type": "food", "food_id": "x".repeat(201)})),
            ("quantity", json!({"type": "food", "food_id": "a", "quantity": "2"})),
            ("quantity", json!({"type": "food", "food_id": "a", "quantity": 0})),
            ("quantity", json!({"type": "food", "food_id": "a", "quantity": 100_001})),
            ("unit", json!({"type": "food", "food_id": "a", "unit": 5})),
            ("unit", json!({"type": "food", "food_id": "a", "unit": " "})),
            ("unit", json!({"type": "food", "food_id": "a", "unit": "g".repeat(101)})),
            ("item", json!({"type": "correction", "quantity": 1})),
            ("item", json!({"type": "correction", "item": 0, "quantity": 1})),
            ("item", json!({"type": "correction", "item": 1.5, "quantity": 1})),
            ("item", json!({"type": "correction", "item": -1, "quantity": 1})),
            ("item", json!({"type": "correction", "item": "1", "quantity": 1})),
            ("quantity", json!({"type": "correction", "item": 1, "quantity": -1})),
            ("food_id", json!({"type": "correction", "item": 1, "food_id": true})),
        ] {
            assert_eq!(part(part_of.clone()), format!("messages[0].content[0].{field}"), "{part_of}");
        }
        assert_eq!(part(json!({"type": "correction", "item": 1})), "messages[0].content[0]");
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
        let food = json!({"type": "food", "food_id": "a"});
        let foods = |count: usize| json!({"role": "user", "content": vec![food.clone(); count]});
        assert!(read(&json!({"messages": [foods(100)]})).is_ok());
        assert_eq!(param(&json!({"messages": [foods(101)]})), "messages[0].content");
        assert_eq!(param(&json!({"messages": [foods(60), foods(41)]})), "messages");
    }
}
