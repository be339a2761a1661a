//! A model of the owner's choice: any service that answers chat completions with pictures.
//!
//! It is a guest: it has a time limit for everything together, a number of calls a day, and whatever it does wrong, the
//! eyes in the program answer instead.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use reqwest::{Client, Response, StatusCode};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout_at};

use super::chat::{self, Food};
use crate::config::ModelConfig;

/// Calls that run at once; whoever comes then is answered by the eyes in the program.
const AT_ONCE: usize = 8;
/// How often one photo is sent, in all.
const TRIES: u32 = 3;
/// The pause before the second try; it doubles.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest answer that is read.
const LONGEST_ANSWER: usize = 256 * 1024;
const SECONDS_A_DAY: i64 = 86_400;

/// Why a model did not help.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Trouble {
    /// Nobody answers at its address.
    #[error("the model could not be reached")]
    Unreachable,
    /// It took too long.
    #[error("the model did not answer in time")]
    Late,
    /// It answered with an error.
    #[error("the model answered with status {0}")]
    Status(u16),
    /// It did not answer in the form that it was asked for.
    #[error("the model's answer could not be read")]
    Nonsense,
    /// It did not want to.
    #[error("the model refused to answer")]
    Refused,
    /// The calls of the day are used up.
    #[error("the model's calls for today are used up")]
    Spent,
    /// Too many calls run already.
    #[error("the model is busy")]
    Busy,
}

/// A model elsewhere.
#[derive(Debug)]
pub struct Model {
    client: Client,
    config: ModelConfig,
    running: Semaphore,
    spent: Mutex<Spent>,
}

/// Calls of a day.
#[derive(Debug, Default)]
struct Spent {
    day: i64,
    calls: u32,
}

impl Model {
    /// Prepares to call a model; nothing is sent yet.
    pub fn new(config: &ModelConfig) -> anyhow::Result<Self> {
        // Whoever was first has installed the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            // A redirect could lead a photo to where its owner never sent it.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .context("the client for --vision-url could not be made")?;
        let running = Semaphore::new(AT_ONCE);
        Ok(Self { client, config: config.clone(), running, spent: Mutex::default() })
    }

    /// The foods in a JPEG.
    pub async fn ask(&self, jpeg: &[u8]) -> Result<Vec<Food>, Trouble> {
        let _running = self.running.try_acquire().map_err(|_| Trouble::Busy)?;
        let body = chat::question(&self.config.name, jpeg).to_string();
        let until = Instant::now() + self.config.timeout;
        let mut pause = PAUSE;
        for attempt in 1.. {
            self.spend(Timestamp::now())?;
            let outcome = timeout_at(until, self.send(body.clone())).await.unwrap_or(Err(Trouble::Late));
            let may_help = matches!(outcome, Err(Trouble::Unreachable | Trouble::Status(429 | 500..=599)));
            if !may_help || attempt == TRIES || Instant::now() + pause >= until {
                if let Err(trouble) = outcome {
                    tracing::warn!(%trouble, attempt, "the model of --vision-url did not help");
                }
                return outcome;
            }
            sleep(pause).await;
            pause *= 2;
        }
        Err(Trouble::Unreachable)
    }

    async fn send(&self, body: String) -> Result<Vec<Food>, Trouble> {
        let mut request = self.client.post(&self.config.url).header("content-type", "application/json").body(body);
        if let Some(key) = &self.config.key {
            request = request.bearer_auth(key.reveal());
        }
        let response = request.send().await.map_err(|_| Trouble::Unreachable)?;
        if response.status() != StatusCode::OK {
            return Err(Trouble::Status(response.status().as_u16()));
        }
        chat::foods(&read(response).await?)
    }

    /// Counts a call, where one is left today.
    fn spend(&self, now: Timestamp) -> Result<(), Trouble> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now.as_second().div_euclid(SECONDS_A_DAY);
        if spent.day != day {
            *spent = Spent { day, calls: 0 };
        }
        if spent.calls >= self.config.calls_a_day {
            return Err(Trouble::Spent);
        }
        spent.calls += 1;
        Ok(())
    }
}

/// The body of an answer, as long as it is not too long.
async fn read(mut response: Response) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| Trouble::Unreachable)? {
        if body.len() + piece.len() > LONGEST_ANSWER {
            return Err(Trouble::Nonsense);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}
