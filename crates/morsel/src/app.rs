//! Everything that a request may need, in one place.

use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, RwLock};
use std::time::Instant;

use anyhow::Context as _;
use jiff::Timestamp;
use store::limits::{FailedKeys, RateLimits};
use store::{ImageFiles, Rng, Store};
use tokio::sync::watch;

use crate::account_cache::AccountCache;
use crate::budget::Budget;
use crate::config::Config;
use crate::environment::Environment;
use crate::live_engine::LiveEngine;
use crate::metrics::Metrics;
use crate::oidc::SignInProvider;
use crate::photo_reader::PhotoReader;
use crate::readiness::Readiness;
use crate::response_cache::ResponseCache;
use crate::sign_in::{Passwords, SignInLimiter};
use crate::trail::Trail;
use crate::usage::Usage;
use crate::work_queue::{QueueLimits, WorkQueue, processors};

/// The parts of the service. Handlers get it as [`axum::extract::State`].
#[derive(Debug)]
pub struct App {
    /// The settings.
    pub config: Config,
    /// The clock, randomness and timeouts.
    pub environment: Environment,
    /// Accounts, keys, recipes and everything else that must not be lost.
    pub store: Store,
    /// Keys and recipes in memory.
    pub account_cache: AccountCache,
    /// The foods and the estimator.
    pub engine: Arc<LiveEngine>,
    /// Responses given before.
    pub responses: ResponseCache,
    /// Requests and pages by account in this minute.
    pub windows: RateLimits,
    /// The hash of the key for requests without one, once there was such a request.
    pub keyless_key: RwLock<Option<[u8; 32]>>,
    /// Failed keys by address.
    pub failures: FailedKeys,
    /// Requests by key that are not yet written.
    pub usage: Usage,
    /// Events of the audit trail that are not yet written.
    pub trail: Trail,
    /// Whether the database can be written.
    pub readiness: Readiness,
    /// The files of photos.
    pub images: ImageFiles,
    /// Finds out what photos show.
    pub photo_reader: PhotoReader,
    /// Runs estimates of texts and searches.
    pub texts: WorkQueue,
    /// Decodes and reads photos: a photo takes a thousand times as long as a text and must not hold texts up.
    pub photos: WorkQueue,
    /// Works on all that an account has stored: large recipe books, lists of them, exports.
    pub bulk: WorkQueue,
    /// Hashes and verifies passwords.
    pub passwords: Passwords,
    /// The provider that people sign in with, if there is one.
    pub sign_in_provider: Option<SignInProvider>,
    /// Counts password attempts and new accounts.
    pub sign_in_limiter: SignInLimiter,
    /// When the program started.
    pub started: Instant,
    /// Bytes that clients have sent and that are still needed, and bytes of streams that clients have not read.
    pub memory: Budget,
    /// Streams that have not ended.
    pub streams: Budget,
    /// Set when the program has been asked to stop.
    pub stopping: AtomicBool,
    /// Set when requests that did not finish in time are cut off.
    cut_off: watch::Sender<bool>,
    /// The counts for `/metrics`.
    pub metrics: Metrics,
}

/// Texts of an account that wait: no more than are served within the time that they may wait.
const MAX_WAITING_TEXTS: usize = 1_024;
/// Photos decoded at once: the largest takes half a gigabyte.
const MAX_PHOTOS: usize = 4;
/// Photos of an account that wait.
const MAX_WAITING_PHOTOS: usize = 8;
/// Bulk jobs of an account that wait.
const MAX_WAITING_BULK: usize = 4;
/// Largest body of a request with photos: five of ten megabytes each, a third larger as base64, and the text.
pub const MAX_BODY: usize = 68 * 1024 * 1024;
/// What clients send and do not read may take this much memory: an account a quarter, which is one body of the largest size.
const ACCOUNT_MEMORY: usize = MAX_BODY;
const MEMORY: usize = 4 * ACCOUNT_MEMORY;
/// Streams at once, of all accounts and of one.
const MAX_STREAMS: usize = 8_192;
const MAX_ACCOUNT_STREAMS: usize = 2_048;

impl App {
    /// Opens everything. An error says what to do.
    pub async fn open(config: Config) -> anyhow::Result<Self> {
        Self::open_in(config, Environment::default()).await
    }

    /// Opens everything in an environment of the caller's.
    pub async fn open_in(config: Config, environment: Environment) -> anyhow::Result<Self> {
        let data_dir = config.storage.data_dir();
        std::fs::create_dir_all(&data_dir).with_context(|| {
            format!("cannot create the data directory {}; choose another with --data-dir", data_dir.display())
        })?;
        let location = config.storage.location().map_err(anyhow::Error::msg)?;
        let engine = {
            let data_dir = data_dir.clone();
            tokio::task::spawn_blocking(move || LiveEngine::open(&data_dir))
        };
        let store = Store::open(&location).await?;
        let engine = Arc::new(engine.await??);
        let images = ImageFiles::Disk(data_dir.join("images"));
        let timeouts = environment.timeouts;
        let limits = |running, waiting_per_account, patience| QueueLimits { running, waiting_per_account, patience };
        let texts = WorkQueue::new(limits(processors(), MAX_WAITING_TEXTS, timeouts.text_queue));
        let at_once = (processors() - 1).clamp(1, MAX_PHOTOS);
        let photos = WorkQueue::low_priority(limits(at_once, MAX_WAITING_PHOTOS, timeouts.photo_queue));
        let bulk = WorkQueue::low_priority(limits(1, MAX_WAITING_BULK, timeouts.bulk_queue));
        Ok(Self {
            account_cache: AccountCache::new(store.clone(), texts.clone(), bulk.clone()),
            store,
            engine,
            responses: ResponseCache::default(),
            windows: RateLimits::default(),
            keyless_key: RwLock::default(),
            failures: FailedKeys::default(),
            usage: Usage::default(),
            trail: Trail::default(),
            readiness: Readiness::default(),
            images,
            photo_reader: PhotoReader::new(&config.vision, environment.timeouts.model_retry)?,
            texts,
            photos,
            bulk,
            passwords: Passwords::default(),
            sign_in_provider: config.oidc.as_ref().map(SignInProvider::new).transpose()?,
            sign_in_limiter: SignInLimiter::default(),
            started: Instant::now(),
            memory: Budget::new(MEMORY, ACCOUNT_MEMORY),
            streams: Budget::new(MAX_STREAMS, MAX_ACCOUNT_STREAMS),
            stopping: AtomicBool::new(false),
            cut_off: watch::Sender::new(false),
            metrics: Metrics::default(),
            environment,
            config,
        })
    }

    /// Returns the time.
    pub fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }

    /// Returns a random generator for ids, keys and tokens.
    pub fn rng(&self) -> Rng {
        self.environment.randomness.rng()
    }

    /// Cuts off the requests that are still running.
    pub fn cut_off_requests(&self) {
        self.cut_off.send_replace(true);
    }

    /// Waits until running requests are cut off.
    pub async fn cut_off(&self) {
        // The sender is in `self`, so that waiting cannot fail.
        let _ = self.cut_off.subscribe().wait_for(|is_cut_off| *is_cut_off).await;
    }

    /// Reports whether an address may read the metrics.
    pub fn may_read_metrics(&self, address: IpAddr) -> bool {
        self.config.metrics_from.contain(address)
    }
}
