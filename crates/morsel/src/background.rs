//! What happens without being asked for.

use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;

/// How often counted requests are written; the most that a killed program loses.
const WRITE_USAGE: Duration = Duration::from_secs(1);
/// How often the folder of imported foods is looked at.
const LOOK_FOR_FOODS: Duration = Duration::from_secs(2);
/// How often expired photos are removed.
const REMOVE_IMAGES: Duration = Duration::from_mins(1);
/// How often old answers and sessions are forgotten.
const PRUNE: Duration = Duration::from_mins(10);
/// Days for which usage is kept: a year, and a month to compare it with.
const KEEP_USAGE_DAYS: i64 = 400;
/// Photos removed at a time.
const IMAGES_AT_ONCE: u32 = 100;

/// Starts everything; dropping what it returns stops everything.
pub fn start(app: &Arc<App>) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(every(WRITE_USAGE, Arc::clone(app), async |app: &App| {
        if let Err(error) = app.usage.flush(&app.store).await {
            tracing::warn!(%error, "usage could not be written; it is kept for the next time");
        }
    }));
    tasks.spawn(every(LOOK_FOR_FOODS, Arc::clone(app), async |app: &App| {
        let kitchen = Arc::clone(&app.kitchen);
        match tokio::task::spawn_blocking(move || kitchen.refresh()).await {
            Ok(Ok(true)) => tracing::info!(foods = app.kitchen.menu().catalog.len(), "newly imported foods are in use"),
            Ok(Ok(false)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "newly imported foods cannot be used"),
            Err(error) => tracing::error!(%error, "looking for imported foods failed"),
        }
    }));
    tasks.spawn(every(REMOVE_IMAGES, Arc::clone(app), async |app: &App| {
        if let Err(error) = remove_images(app).await {
            tracing::warn!(%error, "expired photos could not be removed; the next round tries again");
        }
    }));
    tasks.spawn(every(PRUNE, Arc::clone(app), async |app: &App| {
        let now = Timestamp::now();
        let answers = app.store.idempotency().prune(now).await;
        let sessions = app.store.sessions().prune(now).await;
        let usage = forget_usage(app, now).await;
        for error in [answers.err(), sessions.err(), usage.err()].into_iter().flatten() {
            tracing::warn!(%error, "what is out of date could not be removed; the next round tries again");
        }
    }));
    tasks
}

/// Removes photos that have expired: the file first, so that none is left without a row.
pub async fn remove_images(app: &App) -> Result<(), store::Error> {
    loop {
        let expired = app.store.images().expired(Timestamp::now(), IMAGES_AT_ONCE).await?;
        for image in &expired {
            app.images.delete(&image.id).await?;
            app.store.images().delete(&image.account_id, &image.id).await?;
        }
        if expired.len() < IMAGES_AT_ONCE as usize {
            return Ok(());
        }
    }
}

/// Forgets usage that nobody looks at any more; how many rows.
pub async fn forget_usage(app: &App, now: Timestamp) -> Result<u64, store::Error> {
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
