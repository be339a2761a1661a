//! What a caller says: the body of an estimate, checked.

use serde_json::{Map, Value};

use super::include::Include;
use crate::error::ApiError;

/// Messages of one request.
pub const MAX_MESSAGES: usize = 50;
/// Images of one request.
pub const MAX_IMAGES: usize = 5;
const ROLES: [&str; 3] = ["user", "assistant", "system"];

/// A checked request for an estimate.
#[derive(Debug, Default)]
pub struct Messages {
    /// What the user says, in order; the later messages amend the earlier.
    pub messages: Vec<UserMessage>,
    /// What the answer shows beyond the contract's fields.
    pub include: Include,
}

/// A message of the user.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UserMessage {
    /// Its words.
    pub text: String,
    /// Its pictures.
    pub images: Vec<ImagePart>,
}

/// A picture in a message.
#[derive(Debug, PartialEq, Eq)]
pub struct ImagePart {
    /// An address of an uploaded picture, or the picture itself as a data URL.
    pub url: String,
    /// Where it stands in the request, for messages about it.
    pub param: String,
}

impl Messages {
    /// Checks a body.
    pub fn new(mut body: Map<String, Value>) -> Result<Self, ApiError> {
        let include = include(body.remove("include"))?;
        let list = match body.remove("messages") {
            Some(Value::Array(list)) => list,
            Some(_) => return Err(ApiError::bad_field("messages", "“messages” must be an array.")),
            None => return Err(ApiError::bad_field("messages", "“messages” is missing.")),
        };
        if list.is_empty() || list.len() > MAX_MESSAGES {
            let message = format!("“messages” must hold 1 to {MAX_MESSAGES} messages; it holds {}.", list.len());
            return Err(ApiError::bad_field("messages", message));
        }
        let mut reader = Reader { messages: Self { include, ..Self::default() }, ..Reader::default() };
        for (index, message) in list.into_iter().enumerate() {
            reader.message(index, message)?;
        }
        reader.finish()
    }
}

fn include(value: Option<Value>) -> Result<Include, ApiError> {
    let wrong = || ApiError::bad_field("include", "“include” must be an array of names.");
    let names = match value {
        None | Some(Value::Null) => return Ok(Include::default()),
        Some(Value::Array(names)) => names,
        Some(_) => return Err(wrong()),
    };
    let names: Vec<&str> = names.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(wrong)?;
    Include::from_names(names).map_err(|unknown| ApiError::bad_field("include", sentence(&unknown)))
}

/// An error as a sentence.
pub(super) fn sentence(error: &impl ToString) -> String {
    let mut text = error.to_string();
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

/// Messages as they are read.
#[derive(Default)]
struct Reader {
    messages: Messages,
    characters: usize,
    images: usize,
    has_user: bool,
}

impl Reader {
    fn message(&mut self, index: usize, message: Value) -> Result<(), ApiError> {
        let at = format!("messages[{index}]");
        let Value::Object(mut message) = message else {
            return Err(ApiError::bad_field(at, "A message must be an object with “role” and “content”."));
        };
        let role = match message.get("role") {
            Some(Value::String(role)) => role.as_str(),
            Some(_) => return Err(ApiError::bad_field(format!("{at}.role"), "“role” must be a string.")),
            None => return Err(ApiError::bad_field(format!("{at}.role"), "“role” is missing.")),
        };
        if !ROLES.contains(&role) {
            let message = "“role” must be “user”, “assistant” or “system”.";
            return Err(ApiError::bad_field(format!("{at}.role"), message));
        }
        let is_user = role == "user";
        self.has_user |= is_user;
        let at = format!("{at}.content");
        match message.remove("content") {
            Some(Value::String(text)) => {
                self.count(&text)?;
                if is_user {
                    self.messages.messages.push(UserMessage { text, images: Vec::new() });
                }
                Ok(())
            }
            Some(Value::Array(parts)) => self.parts(&at, parts, is_user),
            Some(_) => Err(ApiError::bad_field(at, "“content” must be a string or an array of content parts.")),
            None => Err(ApiError::bad_field(at, "“content” is missing.")),
        }
    }

    fn parts(&mut self, at: &str, parts: Vec<Value>, is_user: bool) -> Result<(), ApiError> {
        let mut texts = Vec::new();
        let mut images = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            let at = format!("{at}[{index}]");
            let Value::Object(mut part) = part else {
                return Err(ApiError::bad_field(at, "A content part must be an object with a “type”."));
            };
            match part.get("type").and_then(Value::as_str) {
                Some("text") => match part.remove("text") {
                    Some(Value::String(text)) => {
                        self.count(&text)?;
                        texts.push(text);
                    }
                    _ => return Err(ApiError::bad_field(format!("{at}.text"), "“text” must be a string.")),
                },
                Some("image_url") => {
                    let url = match part.remove("image_url") {
                        Some(Value::Object(mut image)) => image.remove("url"),
                        _ => None,
                    };
                    let param = format!("{at}.image_url.url");
                    let Some(Value::String(url)) = url else {
                        return Err(ApiError::bad_field(param, "“image_url” must be an object with a string “url”."));
                    };
                    if is_user {
                        self.images += 1;
                        images.push(ImagePart { url, param });
                    }
                }
                _ => {
                    let message = "“type” of a content part must be “text” or “image_url”.";
                    return Err(ApiError::bad_field(format!("{at}.type"), message));
                }
            }
        }
        if self.images > MAX_IMAGES {
            return Err(ApiError::bad_field("messages", format!("At most {MAX_IMAGES} images are allowed.")));
        }
        if is_user {
            self.messages.messages.push(UserMessage { text: texts.join("\n"), images });
        }
        Ok(())
    }

    fn count(&mut self, text: &str) -> Result<(), ApiError> {
        self.characters += text.chars().count();
        let most = meal::MAX_CHARS;
        if self.characters > most {
            return Err(ApiError::bad_field(
                "messages",
                format!("The messages hold more than {most} characters of text."),
            ));
        }
        Ok(())
    }

    fn finish(self) -> Result<Messages, ApiError> {
        if !self.has_user {
            return Err(ApiError::bad_field("messages", "At least one message must have the role “user”."));
        }
        Ok(self.messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<Messages, ApiError> {
        let Value::Object(body) = body else { panic!("an object") };
        Messages::new(body)
    }

    fn param(body: Value) -> String {
        read(body).expect_err("refused").param.expect("a field is at fault")
    }

    #[test]
    fn strings_and_parts_are_read_in_order() {
        let read = read(json!({"messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "two eggs", "name": "ignored"},
            {"role": "assistant", "content": "noted"},
            {"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "https://x/v1/images/1"}},
                {"type": "text", "text": "and this"},
            ]},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]},
        ], "include": ["tier"]}))
        .expect("all right");
        let texts: Vec<&str> = read.messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, ["two eggs", "and this", ""]);
        assert_eq!(read.messages[1].images[0].param, "messages[3].content[0].image_url.url");
        assert_eq!(read.messages.iter().map(|message| message.images.len()).collect::<Vec<_>>(), [0, 1, 1]);
    }

    #[test]
    fn the_field_at_fault_is_named() {
        let message = |message: Value| param(json!({"messages": [message]}));
        assert_eq!(param(json!({})), "messages");
        assert_eq!(param(json!({"messages": "eggs"})), "messages");
        assert_eq!(param(json!({"messages": []})), "messages");
        assert_eq!(message(json!("eggs")), "messages[0]");
        assert_eq!(message(json!({"content": "eggs"})), "messages[0].role");
        assert_eq!(message(json!({"role": "cook", "content": "eggs"})), "messages[0].role");
        assert_eq!(message(json!({"role": "user"})), "messages[0].content");
        assert_eq!(message(json!({"role": "user", "content": 5})), "messages[0].content");
        assert_eq!(message(json!({"role": "assistant", "content": "eggs"})), "messages");
        let part = |part: Value| message(json!({"role": "user", "content": [part]}));
        assert_eq!(part(json!("eggs")), "messages[0].content[0]");
        assert_eq!(part(json!({"type": "audio"})), "messages[0].content[0].type");
        assert_eq!(part(json!({"type": "text"})), "messages[0].content[0].text");
        assert_eq!(part(json!({"type": "image_url", "image_url": "u"})), "messages[0].content[0].image_url.url");
        assert_eq!(param(json!({"messages": [{"role": "user", "content": "a"}], "include": ["x"]})), "include");
    }

    #[test]
    fn sizes_are_limited() {
        let user = |text: &str| json!({"role": "user", "content": text});
        assert!(read(json!({"messages": [user(&"é".repeat(8_000))]})).is_ok());
        assert!(read(json!({"messages": [user(&"é".repeat(8_001))]})).is_err());
        assert!(read(json!({"messages": [user(&"a".repeat(4_000)), user(&"a".repeat(4_001))]})).is_err());
        assert!(read(json!({"messages": vec![user("egg"); 50]})).is_ok());
        assert!(read(json!({"messages": vec![user("egg"); 51]})).is_err());
        let image = json!({"type": "image_url", "image_url": {"url": "u"}});
        assert!(read(json!({"messages": [{"role": "user", "content": vec![image.clone(); 5]}]})).is_ok());
        assert!(read(json!({"messages": [{"role": "user", "content": vec![image; 6]}]})).is_err());
    }
}
