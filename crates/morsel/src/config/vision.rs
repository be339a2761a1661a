//! How photos are analyzed: by the built-in recognition, and before that by an external model, if one is configured.

use std::time::Duration;

use super::secret::Secret;
use super::settings::{Settings, Switch};
use super::url;

/// How photos are analyzed.
#[derive(Clone, Debug, Default)]
pub struct VisionConfig {
    /// Settings of the built-in recognition.
    pub recognition: ::vision::Settings,
    /// The external model that is asked first.
    pub model: Option<ModelConfig>,
}

/// An external vision model.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// URL of its chat completions endpoint.
    pub url: String,
    /// Name of the model.
    pub name: String,
    /// API key of the service.
    pub key: Option<Secret>,
    /// Time limit per photo, retries included.
    pub timeout: Duration,
    /// Calls per day.
    pub calls_a_day: u32,
}

impl VisionConfig {
    /// Checks the vision settings and fills in defaults.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let research = settings.vision_research.unwrap_or_default() == Switch::On;
        let model = match (&settings.vision_url, &settings.vision_model) {
            (None, None) => None,
            (Some(_), None) => return Err("vision_url needs vision_model, the name of the model".to_owned()),
            (None, Some(_)) => return Err("vision_model needs vision_url, the URL of its service".to_owned()),
            (Some(url), Some(name)) => Some(ModelConfig {
                url: format!("{}/chat/completions", service_url(url)?),
                name: name.clone(),
                key: settings.vision_key.clone(),
                timeout: Duration::from_secs(u64::from(settings.vision_timeout.unwrap_or(20).clamp(1, 600))),
                calls_a_day: settings.vision_calls_a_day.unwrap_or(1_000),
            }),
        };
        Ok(Self { recognition: ::vision::Settings { research }, model })
    }
}

/// Returns the URL of a service without `/chat/completions`. The error does not repeat the URL, which may hold a key.
fn service_url(text: &str) -> Result<&str, String> {
    let url = text.trim().trim_end_matches('/');
    let url = url.strip_suffix("/chat/completions").unwrap_or(url);
    let wrong = || "vision_url must look like http://127.0.0.1:11434/v1, without a key in it".to_owned();
    url::parse_http(url).ok_or_else(wrong)
}
