//! How photos are looked at: by the program itself, and before that, where the owner wants it, by a model elsewhere.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;

use super::Settings;

/// How photos are looked at.
#[derive(Clone, Debug, Default)]
pub struct VisionConfig {
    /// By the program itself.
    pub eyes: ::vision::Settings,
    /// And before, by a model elsewhere.
    pub model: Option<ModelConfig>,
}

/// A model that looks at photos.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// The whole address that questions are sent to.
    pub url: String,
    /// Its name.
    pub name: String,
    /// The key of the service.
    pub key: Option<Secret>,
    /// How long it may take.
    pub timeout: Duration,
    /// How often it is asked.
    pub calls_a_day: u32,
}

impl VisionConfig {
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let research = settings.vision_research.unwrap_or_default() == Switch::On;
        let model = match (&settings.vision_url, &settings.vision_model) {
            (None, None) => None,
            (Some(_), None) => return Err("vision_url needs vision_model, the name of the model".to_owned()),
            (None, Some(_)) => return Err("vision_model needs vision_url, the address of its service".to_owned()),
            (Some(url), Some(name)) => Some(ModelConfig {
                url: format!("{}/chat/completions", service_url(url)?),
                name: name.clone(),
                key: settings.vision_key.clone(),
                timeout: Duration::from_secs(u64::from(settings.vision_timeout.unwrap_or(20).clamp(1, 600))),
                calls_a_day: settings.vision_calls_a_day.unwrap_or(1_000),
            }),
        };
        Ok(Self { eyes: ::vision::Settings { research }, model })
    }
}

/// The address of a service without what comes behind its version.
fn service_url(text: &str) -> Result<&str, String> {
    let url = text.trim().trim_end_matches('/');
    let url = url.strip_suffix("/chat/completions").unwrap_or(url);
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    match rest {
        Some(host) if !host.is_empty() && !host.contains(['?', '#', ' ', '@']) => Ok(url),
        // What was written may hold a key, so it is not repeated.
        _ => Err("vision_url must look like http://127.0.0.1:11434/v1, without a key in it".to_owned()),
    }
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// On.
    #[default]
    On,
    /// Off.
    Off,
}

/// A text that nobody is shown, not even in a debug message.
#[derive(Clone, Deserialize, PartialEq, Eq)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, for the one place where it is used.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
