//! A vision model of the owner's choice: any service that answers chat completions with images.
//!
//! It is not relied upon: it has one time limit for all attempts together and a number of calls per day, and whatever goes
//! wrong, the program's own recognition answers instead.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use reqwest::{Client, Response, StatusCode};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout_at};

use super::chat::{self, ModelFood};
use super::model_error::ModelError;
use crate::config::ModelConfig;

/// Calls that run at once; beyond that, photos are left to the program's own recognition.
const MAX_CALLS: usize = 8;
/// How often one photo is sent, in all.
const MAX_ATTEMPTS: u32 = 3;
/// The longest response that is read.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;
const SECONDS_PER_DAY: i64 = 86_400;

/// A model elsewhere.
#[derive(Debug)]
pub struct VisionModel {
    client: Client,
    config: ModelConfig,
    /// The pause before the second attempt; it doubles.
    retry_pause: Duration,
    running: Semaphore,
    calls: Mutex<CallsToday>,
}

/// The calls of a day.
#[derive(Debug, Default)]
struct CallsToday {
    day: i64,
    count: u32,
}

impl VisionModel {
    /// Creates a client; nothing is sent yet.
    pub fn new(config: &ModelConfig, retry_pause: Duration) -> anyhow::Result<Self> {
        // If one is installed already, it is the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            // A redirect could send a photo to where its owner never meant it to go.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .context("cannot create the HTTP client for --vision-url")?;
        let running = Semaphore::new(MAX_CALLS);
        Ok(Self { client, config: config.clone(), retry_pause, running, calls: Mutex::default() })
    }

    /// Asks for the foods in a JPEG.
    pub async fn ask(&self, jpeg: &[u8], now: Timestamp) -> Result<Vec<ModelFood>, ModelError> {
        let _running = self.running.try_acquire().map_err(|_| ModelError::Busy)?;
        let body = chat::request_body(&self.config.name, jpeg).to_string();
        let until = Instant::now() + self.config.timeout;
        let mut pause = self.retry_pause;
        for attempt in 1.. {
            self.count_call(now)?;
            let outcome = timeout_at(until, self.send(body.clone())).await.unwrap_or(Err(ModelError::TimedOut));
            let may_retry = matches!(outcome, Err(ModelError::Unreachable | ModelError::Status(429 | 500..=599)));
            if !may_retry || attempt == MAX_ATTEMPTS || Instant::now() + pause >= until {
                if let Err(error) = outcome {
                    tracing::warn!(%error, attempt, "the model at --vision-url did not help");
                }
                return outcome;
            }
            sleep(pause).await;
            pause *= 2;
        }
        Err(ModelError::Unreachable)
    }

    async fn send(&self, body: String) -> Result<Vec<ModelFood>, ModelError> {
        let mut request = self.client.post(&self.config.url).header("content-type", "application/json").body(body);
        if let Some(key) = &self.config.key {
            request = request.bearer_auth(key.reveal());
        }
        let response = request.send().await.map_err(|_| ModelError::Unreachable)?;
        if response.status() != StatusCode::OK {
            return Err(ModelError::Status(response.status().as_u16()));
        }
        chat::foods(&read(response).await?)
    }

    /// Counts a call, if one is left today.
    fn count_call(&self, now: Timestamp) -> Result<(), ModelError> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now.as_second().div_euclid(SECONDS_PER_DAY);
        if calls.day != day {
            *calls = CallsToday { day, count: 0 };
        }
        if calls.count >= self.config.calls_a_day {
            return Err(ModelError::QuotaExceeded);
        }
        calls.count += 1;
        Ok(())
    }
}

/// Reads the body of a response, up to a limit.
async fn read(mut response: Response) -> Result<Vec<u8>, ModelError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| ModelError::Unreachable)? {
        if body.len() + piece.len() > MAX_RESPONSE_BYTES {
            return Err(ModelError::Unreadable);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}
