//! Everything that a request may need, in one place.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context as _;
use store::limits::{Failures, Windows};
use store::{ImageFiles, Store};
use tokio::sync::Semaphore;

use crate::answers::Answers;
use crate::config::Config;
use crate::dashboard::{Passwords, Tries};
use crate::kitchen::Kitchen;
use crate::metrics::Metrics;
use crate::mirror::Mirror;
use crate::sight::Sight;
use crate::usage::Usage;
use crate::work::{Work, processors};

/// The service's parts. Handlers get it as [`axum::extract::State`].
#[derive(Debug)]
pub struct App {
    /// What it was told.
    pub config: Config,
    /// What must not be lost.
    pub store: Store,
    /// Keys and recipes in memory.
    pub mirror: Mirror,
    /// Foods and the engine.
    pub kitchen: Arc<Kitchen>,
    /// Answers that were given before.
    pub answers: Answers,
    /// Requests by account in this minute.
    pub windows: Windows,
    /// Keys that failed, by address.
    pub failures: Failures,
    /// Requests by key, not yet written.
    pub usage: Usage,
    /// The files of photos.
    pub images: ImageFiles,
    /// What photos show.
    pub sight: Sight,
    /// Where texts are estimated and foods are searched.
    pub thinking: Work,
    /// Where photos are decoded and looked at: a photo takes a thousand times the time of a text and must not stand in its way.
    pub looking: Work,
    /// Where passwords are hashed and compared.
    pub passwords: Passwords,
    /// Passwords that were tried of late.
    pub tries: Tries,
    /// When the program started.
    pub started: Instant,
    /// Memory for large request bodies, in KiB.
    pub body_memory: Arc<Semaphore>,
    /// Set when the program was asked to stop.
    pub stopping: AtomicBool,
    /// What `/metrics` tells.
    pub metrics: Metrics,
}

/// Texts that wait for a processor; the last of them waits about a fifth of a second on two.
const THINKING_QUEUE: usize = 2_048;
/// Photos decoded at once: the largest takes half a gigabyte.
const MOST_PHOTOS: usize = 4;
/// Memory that all request bodies beyond their first piece may take together.
const BODY_MEMORY_KIB: usize = 256 * 1024;

impl App {
    /// Opens everything. Fails with a sentence that says what to do.
    pub async fn open(config: Config) -> anyhow::Result<Self> {
        let data_dir = config.place.data_dir();
        std::fs::create_dir_all(&data_dir).with_context(|| {
            format!("the data directory {} cannot be made; choose another with --data-dir", data_dir.display())
        })?;
        let location = config.place.location().map_err(anyhow::Error::msg)?;
        let kitchen = {
            let data_dir = data_dir.clone();
            tokio::task::spawn_blocking(move || Kitchen::open(&data_dir))
        };
        let store = Store::open(&location).await?;
        let kitchen = Arc::new(kitchen.await??);
        let images = ImageFiles::Disk(data_dir.join("images"));
        Ok(Self {
            mirror: Mirror::new(store.clone()),
            store,
            kitchen,
            answers: Answers::default(),
            windows: Windows::default(),
            failures: Failures::default(),
            usage: Usage::default(),
            images,
            sight: Sight::new(&config.vision)?,
            thinking: Work::new(THINKING_QUEUE),
            looking: Work::aside((processors() - 1).clamp(1, MOST_PHOTOS), 8),
            passwords: Passwords::default(),
            tries: Tries::default(),
            started: Instant::now(),
            body_memory: Arc::new(Semaphore::new(BODY_MEMORY_KIB)),
            stopping: AtomicBool::new(false),
            metrics: Metrics::default(),
            config,
        })
    }

    /// Whether an address may read the metrics.
    pub fn may_read_metrics(&self, address: IpAddr) -> bool {
        self.config.metrics_from.contain(address)
    }
}
