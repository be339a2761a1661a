//! What runs without a request: writing counts, loading imported foods, removing what has expired.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;

/// How often usage and the audit trail are written: the most that a killed program loses.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
/// How often the number of refused requests is logged, if there are any: each one would be too much when there are many.
const REPORT_REFUSALS_EVERY: Duration = Duration::from_secs(10);
/// How often the folder of imported foods is checked.
const REFRESH_FOODS_EVERY: Duration = Duration::from_secs(2);
/// How often expired photos are removed.
const REMOVE_IMAGES_EVERY: Duration = Duration::from_mins(1);
/// How often expired sessions, idempotent responses, old usage, old events and stray files are removed.
const PRUNE_EVERY: Duration = Duration::from_mins(10);
/// Days for which usage is kept: a year, and a month to compare it with.
const KEEP_USAGE_DAYS: i64 = 400;
/// The age from which on the file of a photo without a row is removed.
const STRAY_AFTER: SignedDuration = SignedDuration::from_mins(10);
/// Photos removed at a time.
const IMAGES_PER_BATCH: u32 = 100;

/// Starts all tasks; dropping the set stops them.
pub fn start(app: &Arc<App>) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(every(FLUSH_EVERY, Arc::clone(app), async |app: &App| {
        if let Err(error) = app.usage.flush(&app.store).await {
            tracing::warn!(%error, "writing usage failed; will retry");
        }
        if let Err(error) = app.trail.flush(&app.store).await {
            tracing::warn!(%error, "writing the audit trail failed; will retry");
        }
    }));
    let reported = AtomicU64::new(0);
    tasks.spawn(every(REPORT_REFUSALS_EVERY, Arc::clone(app), async move |app: &App| {
        let refused = app.metrics.refused();
        let new = refused - reported.swap(refused, Ordering::Relaxed);
        if new > 0 {
            tracing::warn!(refused = new, "refused requests: the server or an account has too much to do");
        }
    }));
    tasks.spawn(every(REFRESH_FOODS_EVERY, Arc::clone(app), async |app: &App| {
        let engine = Arc::clone(&app.engine);
        match tokio::task::spawn_blocking(move || engine.refresh()).await {
            Ok(Ok(true)) => tracing::info!(foods = app.engine.snapshot().catalog.len(), "loaded imported foods"),
            Ok(Ok(false)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "cannot load imported foods; the foods stay as they are"),
            Err(error) => tracing::error!(%error, "checking for imported foods failed"),
        }
    }));
    tasks.spawn(every(REMOVE_IMAGES_EVERY, Arc::clone(app), async |app: &App| {
        if let Err(error) = remove_images(app).await {
            tracing::warn!(%error, "removing expired photos failed; will retry");
        }
    }));
    tasks.spawn(every(PRUNE_EVERY, Arc::clone(app), async |app: &App| {
        let now = app.now();
        let responses = app.store.idempotency().prune(now).await;
        let sessions = app.store.sessions().prune(now).await;
        let usage = prune_usage(app, now).await;
        let audit = app.store.audit().prune(now).await;
        let strays = remove_stray_images(app).await;
        for error in [responses.err(), sessions.err(), usage.err(), audit.err(), strays.err()].into_iter().flatten() {
            tracing::warn!(%error, "pruning failed; will retry");
        }
        if let Err(error) = app.store.return_space().await {
            tracing::warn!(%error, "shrinking the database file failed; will retry");
        }
    }));
    tasks
}

/// Removes expired photos: each file first, so that no file is left without a row.
pub async fn remove_images(app: &App) -> Result<(), store::Error> {
    loop {
        let expired = app.store.images().expired(app.now(), IMAGES_PER_BATCH).await?;
        for image in &expired {
            app.images.delete(&image.id).await?;
            app.store.images().delete(&image.account_id, &image.id).await?;
        }
        if expired.len() < IMAGES_PER_BATCH as usize {
            return Ok(());
        }
    }
}

/// Removes files of photos whose row is gone: deleted on another server, or never written because a server was killed.
pub async fn remove_stray_images(app: &App) -> Result<u64, store::Error> {
    let older_than = app.now().saturating_sub(STRAY_AFTER).unwrap_or(Timestamp::MIN);
    app.store.images().remove_strays(&app.images, older_than).await
}

/// Removes usage that is too old to be shown; returns the number of rows.
pub async fn prune_usage(app: &App, now: Timestamp) -> Result<u64, store::Error> {
    let oldest = now.to_zoned(TimeZone::UTC).date().saturating_sub(KEEP_USAGE_DAYS.days());
    app.store.usage().prune(oldest).await
}

async fn every(period: Duration, app: Arc<App>, task: impl AsyncFn(&App)) {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        task(&app).await;
    }
}
