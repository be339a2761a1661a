//! Everything that a request may need, in one place.

use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use jiff::Timestamp;
use store::limits::{FailedKeys, RateLimits};
use store::{Counters, ImageFiles, Rng, Store};
use tokio::sync::watch;

use crate::account_cache::AccountCache;
use crate::budget::Budget;
use crate::config::Config;
use crate::demo::DemoLimiter;
use crate::environment::Environment;
use crate::live_engine::LiveEngine;
use crate::live_limits::LiveLimits;
use crate::metrics::Metrics;
use crate::oidc::SignInProvider;
use crate::photo_reader::PhotoReader;
use crate::published_catalog::PublishedCatalog;
use crate::readiness::Readiness;
use crate::refusal_pause::RefusalPause;
use crate::request_log::RequestLog;
use crate::response_cache::ResponseCache;
use crate::sign_in::{Passwords, SignInLimiter};
use crate::traffic::Traffic;
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
    /// Imported foods that servers share, if there is a bucket.
    pub published: Option<PublishedCatalog>,
    /// Responses given before.
    pub responses: ResponseCache,
    /// Counts of events, of this server or of all.
    pub counters: Arc<Counters>,
    /// Requests and pages by account in this minute.
    pub windows: RateLimits,
    /// The hash of the key for requests without one, once there was such a request.
    pub keyless_key: RwLock<Option<[u8; 32]>>,
    /// Failed keys by address.
    pub failures: FailedKeys,
    /// What the plans allow.
    pub limits: LiveLimits,
    /// Requests for the logs of their accounts that are not yet written.
    pub request_log: RequestLog,
    /// Requests by key that are not yet written.
    pub usage: Usage,
    /// Events of the audit trail that are not yet written.
    pub trail: Trail,
    /// Whether the database can be written.
    pub readiness: Readiness,
    /// Keeps clients that are refused from taking the time of those that are served.
    pub refusal_pause: RefusalPause,
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
    /// Counts the meals that visitors try.
    pub demo: DemoLimiter,
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
    /// The counts of the last hour.
    pub traffic: Traffic,
}

/// How long the start waits for published foods.
const MAX_CATALOG_WAIT: Duration = Duration::from_mins(2);
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
        let published = config.bucket.clone().map(|bucket| PublishedCatalog::new(bucket, &data_dir));
        if let Some(published) = &published {
            fetch_catalog(published).await;
        }
        let engine = {
            let data_dir = data_dir.clone();
            tokio::task::spawn_blocking(move || LiveEngine::open(&data_dir))
        };
        let store = Store::open(&location).await?;
        let limits = LiveLimits::new(config.limits);
        limits.refresh(&store).await?;
        let engine = Arc::new(engine.await??);
        let images =
            config.bucket.clone().map_or_else(|| ImageFiles::Disk(data_dir.join("images")), ImageFiles::Bucket);
        let counters = counters(&config, &environment).await?;
        let [texts, photos, bulk] = queues(&environment);
        Ok(Self {
            account_cache: AccountCache::new(store.clone(), texts.clone(), bulk.clone(), config.database_grace),
            store,
            engine,
            published,
            responses: ResponseCache::default(),
            windows: RateLimits::new(Arc::clone(&counters)),
            keyless_key: RwLock::default(),
            failures: FailedKeys::new(Arc::clone(&counters)),
            limits,
            request_log: RequestLog::new(config.request_log),
            usage: Usage::default(),
            trail: Trail::default(),
            readiness: Readiness::default(),
            refusal_pause: RefusalPause::default(),
            images,
            photo_reader: PhotoReader::new(&config.vision, environment.timeouts.model_retry)?,
            texts,
            photos,
            bulk,
            passwords: Passwords::default(),
            sign_in_provider: config.oidc.as_ref().map(SignInProvider::new).transpose()?,
            sign_in_limiter: SignInLimiter::new(Arc::clone(&counters)),
            demo: DemoLimiter::new(Arc::clone(&counters), &mut Rng::system()),
            counters,
            started: Instant::now(),
            memory: Budget::new(MEMORY, ACCOUNT_MEMORY),
            streams: Budget::new(MAX_STREAMS, MAX_ACCOUNT_STREAMS),
            stopping: AtomicBool::new(false),
            cut_off: watch::Sender::new(false),
            metrics: Metrics::default(),
            traffic: Traffic::default(),
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

/// Downloads the published foods before the first request. A bucket that does not answer is no reason not to start.
async fn fetch_catalog(published: &PublishedCatalog) {
    match tokio::time::timeout(MAX_CATALOG_WAIT, published.fetch()).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(error = format!("{error:#}"), "cannot load the published foods; will retry"),
        Err(_) => tracing::warn!("the published foods take long to load; starting with those that are here"),
    }
}

/// Returns the queues of texts, photos and bulk work.
fn queues(environment: &Environment) -> [WorkQueue; 3] {
    let timeouts = environment.timeouts;
    let queue = |running, waiting_per_account, patience| QueueLimits { running, waiting_per_account, patience };
    let at_once = (processors() - 1).clamp(1, MAX_PHOTOS);
    [
        WorkQueue::new(queue(processors(), MAX_WAITING_TEXTS, timeouts.text_queue)),
        WorkQueue::low_priority(queue(at_once, MAX_WAITING_PHOTOS, timeouts.photo_queue)),
        WorkQueue::low_priority(queue(1, MAX_WAITING_BULK, timeouts.bulk_queue)),
    ]
}

/// Opens the counters. Redis that does not answer is no reason not to start: limits are then a share of this server's own.
async fn counters(config: &Config, environment: &Environment) -> anyhow::Result<Arc<Counters>> {
    let Some(url) = &config.redis_url else { return Ok(Arc::new(Counters::local())) };
    let counters = Counters::shared(url.reveal(), &mut environment.randomness.rng())?;
    if !counters.heartbeat(environment.clock.now()).await.is_shared {
        tracing::warn!("Redis does not answer; limits hold for this server alone until it does");
    }
    Ok(Arc::new(counters))
}
