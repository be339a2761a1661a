//! `estimate_meal`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use meal::MAX_CHARS;
use serde::Deserialize;
use vision::photo::MediaType;

use super::answer::ToolAnswer;
use crate::api::estimate::body::CheckedBody;
use crate::api::estimate::content::{ImageReference, UserMessage, UserPart};
use crate::api::estimate::include::{Extra, Include};
use crate::api::mcp::backend::McpBackend;
use crate::api::mcp::summary;
use crate::error::ApiError;

/// As many characters of base64 show the type of an image.
const HEAD_CHARS: usize = 16;

/// Arguments of `estimate_meal`.
#[derive(Debug, Deserialize)]
pub(super) struct EstimateArguments {
    text: Option<String>,
    image_base64: Option<String>,
    image_url: Option<String>,
    #[serde(default)]
    include: Include,
    language: Option<String>,
}

/// Estimates a meal. Words that were not recognized are always said in the text.
pub(super) async fn estimate_meal(backend: &McpBackend, arguments: EstimateArguments) -> Result<ToolAnswer, ApiError> {
    let requested = arguments.include;
    let mut meal = arguments.into_meal()?;
    meal.include = requested.and(Include::of([Extra::Unresolved]));
    let mut answer = backend.estimate(meal).await?;
    let unresolved = answer.unresolved.take().unwrap_or_default();
    let text = summary::of_meal(&answer, &unresolved);
    answer.unresolved = requested.has(Extra::Unresolved).then_some(unresolved);
    ToolAnswer::new(text, &answer)
}

impl EstimateArguments {
    fn into_meal(self) -> Result<CheckedBody, ApiError> {
        let text = self.text.filter(|text| !text.trim().is_empty());
        if text.as_ref().is_some_and(|text| text.chars().count() > MAX_CHARS) {
            return Err(ApiError::bad_field("text", format!("“text” may have at most {MAX_CHARS} characters.")));
        }
        let given = |image: &String| !image.trim().is_empty();
        let encoded = self.image_base64.filter(given).map(data_url).transpose()?;
        let image = |url: String, param: &str| UserPart::Image(ImageReference { url, param: param.to_owned() });
        let parts: Vec<UserPart> = [
            encoded.map(|url| image(url, "image_base64")),
            self.image_url.filter(given).map(|url| image(url, "image_url")),
            text.map(UserPart::Text),
        ]
        .into_iter()
        .flatten()
        .collect();
        if parts.is_empty() {
            let message = "Describe the meal in “text”, or send a photo in “image_base64” or “image_url”.";
            return Err(ApiError::bad_field("text", message));
        }
        let message = UserMessage { path: "text".to_owned(), parts };
        Ok(CheckedBody { messages: vec![message], include: self.include, language: self.language })
    }
}

/// Returns a photo in base64 as a data URL, which it may be already.
fn data_url(image: String) -> Result<String, ApiError> {
    if image.starts_with("data:") {
        return Ok(image);
    }
    let head = image.get(..HEAD_CHARS).and_then(|head| STANDARD.decode(head).ok());
    let media_type = head.as_deref().and_then(MediaType::of_bytes).ok_or_else(|| {
        let message = "The image must be JPEG, PNG or WebP in base64.";
        ApiError::bad_request("invalid_image", message).of("image_base64")
    })?;
    Ok(format!("data:{};base64,{image}", media_type.name()))
}
