//! The body of a request for a chat completion.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::schema::SchemaNode;
use crate::api::json;

/// Most messages of a request.
const MAX_CHAT_MESSAGES: usize = 1_000;
/// Most tools of a request.
const MAX_TOOLS: usize = 128;

/// A request for a chat completion. Fields that are not listed are ignored.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChatBody {
    /// The conversation. The meal is what the user says last, and before that until a tool was called.
    #[serde(deserialize_with = "json::objects::<_, _, MAX_CHAT_MESSAGES>")]
    #[schema(min_items = 1, max_items = 1000)]
    pub messages: Vec<ChatTurn>,
    /// Any name; the response repeats it.
    #[serde(default)]
    pub model: Option<String>,
    /// Functions that may be called with the foods of the meal.
    #[serde(default, deserialize_with = "tools")]
    #[schema(required = false)]
    pub tools: Vec<ChatTool>,
    /// `none`, `auto` (the default), `required`, or the function to call.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub tool_choice: Option<ToolChoice>,
    /// Whether a function about one food may be called for each. By default it may.
    #[serde(default)]
    pub parallel_tool_calls: Option<bool>,
    /// The older form of `tools`.
    #[serde(default, deserialize_with = "functions")]
    #[schema(required = false)]
    pub functions: Vec<ChatFunction>,
    /// The older form of `tool_choice`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub function_call: Option<ToolChoice>,
    /// Text, JSON, or JSON by a schema.
    #[serde(default)]
    pub response_format: Option<ResponseFormat>,
    /// Whether to send the response in pieces.
    #[serde(default)]
    pub stream: Option<bool>,
    /// What a stream has besides the response.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// The number of choices, 1 to 8; all are the same.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 8)]
    pub n: Option<u32>,
}

/// A message of a conversation.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChatTurn {
    /// Who says it.
    pub role: ChatRole,
    /// What it says: a text, or texts and images.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub content: Option<ChatContent>,
    /// The calls of an assistant.
    #[serde(default, deserialize_with = "is_present")]
    #[schema(value_type = Option<Vec<Object>>, required = false)]
    pub tool_calls: bool,
    /// The older form of `tool_calls`.
    #[serde(default, deserialize_with = "is_present")]
    #[schema(value_type = Option<Object>, required = false)]
    pub function_call: bool,
}

/// Who says something in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChatRole {
    /// The program that asks.
    System,
    /// The same, under its newer name.
    Developer,
    /// The person who eats.
    User,
    /// The program that answers.
    Assistant,
    /// The result of a call.
    Tool,
    /// The same, under its older name.
    Function,
}

impl<'de> Deserialize<'de> for ChatRole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let roles = [
            ("system", Self::System),
            ("developer", Self::Developer),
            ("user", Self::User),
            ("assistant", Self::Assistant),
            ("tool", Self::Tool),
            ("function", Self::Function),
        ];
        json::named(deserializer, roles)
    }
}

/// What a message says.
#[derive(Debug)]
pub enum ChatContent {
    /// A text.
    Text(String),
    /// Texts and images, in order.
    Parts(Vec<ChatPart>),
}

/// A text, an image or something else in a message.
#[derive(Debug, Deserialize)]
pub struct ChatPart {
    /// `text`, `image_url`, or something that is not understood.
    #[serde(rename = "type")]
    pub kind: String,
    /// Present if it is a text.
    #[serde(default)]
    pub text: Option<String>,
    /// Present if it is an image.
    #[serde(default)]
    pub image_url: Option<ChatImage>,
}

/// An image: a URL, alone or in an object.
#[derive(Debug)]
pub struct ChatImage(pub String);

/// A function that a model may call.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChatTool {
    /// The function.
    pub function: Option<ChatFunction>,
}

/// The name of a function and what it takes.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChatFunction {
    /// Its name.
    #[schema(max_length = 64)]
    pub name: String,
    /// A JSON Schema of its arguments.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<SchemaNode>,
}

/// Which tool is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolChoice {
    /// None.
    None,
    /// One that is about food, if there is food.
    Auto,
    /// One of them.
    Required,
    /// This one.
    Named(String),
}

/// The form of a response without calls.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ResponseFormat {
    /// Which form.
    #[serde(rename = "type")]
    pub kind: FormatKind,
    /// Present if the form is `json_schema`.
    #[serde(default)]
    pub json_schema: Option<NamedSchema>,
}

/// The forms of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormatKind {
    /// Text.
    Text,
    /// JSON, as the example in the prompt has it, or our own.
    JsonObject,
    /// JSON by a schema.
    JsonSchema,
}

impl<'de> Deserialize<'de> for FormatKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kinds = [("text", Self::Text), ("json_object", Self::JsonObject), ("json_schema", Self::JsonSchema)];
        json::named(deserializer, kinds)
    }
}

/// A schema with a name.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NamedSchema {
    /// A JSON Schema.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub schema: Option<SchemaNode>,
}

/// What a stream has besides the response.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct StreamOptions {
    /// Whether a last piece has the usage.
    #[serde(default)]
    pub include_usage: Option<bool>,
}

impl<'de> Deserialize<'de> for ChatContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContentVisitor;

        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = ChatContent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an array of content parts")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ChatContent, E> {
                Ok(ChatContent::Text(text.to_owned()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<ChatContent, E> {
                Ok(ChatContent::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ChatContent, A::Error> {
                let mut parts = Vec::new();
                while let Some(json::Object(part)) = seq.next_element()? {
                    parts.push(part);
                }
                Ok(ChatContent::Parts(parts))
            }
        }

        deserializer.deserialize_any(ContentVisitor)
    }
}

impl<'de> Deserialize<'de> for ChatImage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct InObject {
            url: String,
        }

        struct ImageVisitor;

        impl<'de> Visitor<'de> for ImageVisitor {
            type Value = ChatImage;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a “url”")
            }

            fn visit_str<E: Error>(self, url: &str) -> Result<ChatImage, E> {
                Ok(ChatImage(url.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ChatImage, A::Error> {
                let InObject { url } = InObject::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ChatImage(url))
            }
        }

        deserializer.deserialize_any(ImageVisitor)
    }
}

impl<'de> Deserialize<'de> for ToolChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Named {
            name: String,
        }

        #[derive(Deserialize)]
        struct InObject {
            function: Option<Named>,
            name: Option<String>,
        }

        struct ChoiceVisitor;

        impl<'de> Visitor<'de> for ChoiceVisitor {
            type Value = ToolChoice;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("“none”, “auto”, “required” or an object with the name of a function")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ToolChoice, E> {
                Ok(match text {
                    "none" => ToolChoice::None,
                    "auto" => ToolChoice::Auto,
                    // Some servers call it so.
                    "required" | "any" => ToolChoice::Required,
                    _ => return Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ToolChoice, A::Error> {
                let InObject { function, name } = InObject::deserialize(MapAccessDeserializer::new(map))?;
                let name = function.map(|function| function.name).or(name);
                Ok(name.map_or(ToolChoice::Auto, ToolChoice::Named))
            }
        }

        deserializer.deserialize_any(ChoiceVisitor)
    }
}

fn tools<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ChatTool>, D::Error> {
    Ok(Option::<json::Bounded<ChatTool, MAX_TOOLS>>::deserialize(deserializer)?.map(|list| list.0).unwrap_or_default())
}

fn functions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ChatFunction>, D::Error> {
    let list = Option::<json::Bounded<ChatFunction, MAX_TOOLS>>::deserialize(deserializer)?;
    Ok(list.map(|list| list.0).unwrap_or_default())
}

/// Reads whether a value is there, and not `null`.
fn is_present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::<IgnoredAny>::deserialize(deserializer)?.is_some())
}
