//! What runs without a request: reading the tables of languages, writing counts, loading imported foods, removing what has expired.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;
use crate::traffic::SAMPLE_EVERY;

/// How often usage, the request log and the audit trail are written: the most that a killed program loses.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
/// How often the other servers hear of this one, and how soon limits are exact again after Redis was gone.
const HEARTBEAT_EVERY: Duration = Duration::from_millis(500);
/// How often the number of refused requests is logged, if there are any: each one would be too much when there are many.
const REPORT_REFUSALS_EVERY: Duration = Duration::from_secs(10);
/// How often the limits of plans are read, which another server may have changed.
const REFRESH_LIMITS_EVERY: Duration = Duration::from_secs(5);
/// How often the folder of imported foods is checked.
const REFRESH_FOODS_EVERY: Duration = Duration::from_secs(2);
/// How often the bucket is asked for published foods.
const FETCH_FOODS_EVERY: Duration = Duration::from_secs(5);
/// How often expired photos are removed.
const REMOVE_IMAGES_EVERY: Duration = Duration::from_mins(1);
/// How often expired sessions, idempotent responses, old usage, old events, old requests and stray files are removed.
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
    let engine = app.engine.snapshot();
    tasks.spawn_blocking(move || engine.engine.prepare_languages());
    tasks.spawn(every(FLUSH_EVERY, Arc::clone(app), async |app: &App| {
        if let Err(error) = app.usage.flush(&app.store).await {
            tracing::warn!(%error, "writing usage failed; will retry");
        }
        if let Err(error) = app.trail.flush(&app.store).await {
            tracing::warn!(%error, "writing the audit trail failed; will retry");
        }
    }));
    let was_shared = AtomicBool::new(app.counters.state().is_shared);
    tasks.spawn(every(HEARTBEAT_EVERY, Arc::clone(app), async move |app: &App| {
        let state = app.counters.heartbeat(app.now()).await;
        match (was_shared.swap(state.is_shared, Ordering::Relaxed), state.is_shared) {
            (true, false) => {
                let servers = state.servers;
                tracing::warn!(servers, "Redis does not answer; this server grants its share of every limit by itself");
            }
            (false, true) => tracing::info!(servers = state.servers, "limits are shared by all servers again"),
            _ => {}
        }
    }));
    tasks.spawn(every(SAMPLE_EVERY, Arc::clone(app), async |app: &App| app.traffic.sample(&app.metrics, app.now())));
    tasks.spawn(write_request_log(Arc::clone(app)));
    tasks.spawn(every(REFRESH_LIMITS_EVERY, Arc::clone(app), async |app: &App| {
        if let Err(error) = app.limits.refresh(&app.store).await {
            tracing::warn!(%error, "reading the limits of plans failed; they stay as they are");
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
    if app.published.is_some() {
        tasks.spawn(every(FETCH_FOODS_EVERY, Arc::clone(app), fetch_foods));
    }
    tasks.spawn(every(REMOVE_IMAGES_EVERY, Arc::clone(app), async |app: &App| {
        if let Err(error) = remove_images(app).await {
            tracing::warn!(%error, "removing expired photos failed; will retry");
        }
    }));
    tasks.spawn(every(PRUNE_EVERY, Arc::clone(app), prune));
    tasks
}

/// Deletes what is older than it may get, and returns the space of it.
async fn prune(app: &App) {
    let now = app.now();
    let responses = app.store.idempotency().prune(now).await;
    let sessions = app.store.sessions().prune(now).await;
    let usage = prune_usage(app, now).await;
    let audit = app.store.audit().prune(now).await;
    let log = app.request_log.prune(&app.store, &app.limits, now).await;
    let strays = remove_stray_images(app).await;
    for error in
        [responses.err(), sessions.err(), usage.err(), audit.err(), log.err(), strays.err()].into_iter().flatten()
    {
        tracing::warn!(%error, "pruning failed; will retry");
    }
    if let Err(error) = app.store.return_space().await {
        tracing::warn!(%error, "shrinking the database file failed; will retry");
    }
}

/// Downloads published foods; the next refresh loads them.
pub async fn fetch_foods(app: &App) {
    let Some(published) = &app.published else { return };
    match published.fetch().await {
        Ok(true) => tracing::info!("downloaded published foods"),
        Ok(false) => {}
        Err(error) => {
            let error = format!("{error:#}");
            tracing::warn!(error, "cannot use the published foods; the foods stay as they are");
            app.engine.set_problem(Some(error));
        }
    }
}

/// Writes the request log every second, or sooner if there is much to write.
async fn write_request_log(app: Arc<App>) {
    loop {
        let _ = tokio::time::timeout(FLUSH_EVERY, app.request_log.many()).await;
        if let Err(error) = app.request_log.flush(&app.store, &app.limits, app.now()).await {
            tracing::warn!(%error, "writing the request log failed; will retry");
            tokio::time::sleep(FLUSH_EVERY).await;
        }
    }
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
