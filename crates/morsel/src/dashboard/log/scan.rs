//! Reading the log of an account, newest first, as far as its plan reaches.

use std::ops::ControlFlow;

use jiff::Timestamp;
use store::{Account, LogLine, LogStart};

use crate::app::App;
use crate::error::ApiError;

/// Blocks read at a time: few at first, since a page may need no more, and never so many that parsing them holds up an async
/// thread.
const FIRST_BLOCKS: u64 = 2;
const MAX_BLOCKS: u64 = 32;

/// The newest request.
pub(crate) const NEWEST: LogStart = LogStart { before: i64::MAX, skipped: 0, total: 0 };

/// Visits the requests between two times from a start on, newest first, until told to stop. Returns whether the log reaches
/// back to the first moment: `false` if older requests may have been forgotten.
pub(crate) async fn visit(
    app: &App,
    account: &Account,
    start: LogStart,
    (from, to): (Timestamp, Timestamp),
    mut visit: impl FnMut(LogLine<'_>) -> Result<ControlFlow<()>, store::Error>,
) -> Result<bool, ApiError> {
    let bounds = app.limits.of(account.plan).log_bounds(app.now());
    let (is_kept, from) = (from >= bounds.oldest, from.max(bounds.oldest));
    let mut left = bounds.requests.saturating_sub(start.skipped);
    let (mut before, mut limit) = (start.before, FIRST_BLOCKS);
    loop {
        let blocks = app.store.request_log().blocks(&account.id, before, from, to, limit).await?;
        let is_last = (blocks.len() as u64) < limit;
        limit = (limit * 2).min(MAX_BLOCKS);
        for block in blocks {
            before = block.seq;
            for line in block.newest_first() {
                if left == 0 {
                    return Ok(false);
                }
                left -= 1;
                let line = line?;
                if (from..=to).contains(&line.brief.at) && visit(line)?.is_break() {
                    return Ok(is_kept);
                }
            }
        }
        if is_last {
            return Ok(is_kept);
        }
    }
}
