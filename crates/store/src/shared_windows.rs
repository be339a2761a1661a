//! Windows in Redis (or Valkey), for all servers together.
//!
//! A request waits for Redis only as long as it usually answers. After one failure nobody asks it any more
//! until the next heartbeat has reached it again; so a slow Redis slows at most the requests that were waiting for it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, FromRedisValue, Pipeline, RedisError, Script, ScriptInvocation};
use tokio::time::timeout;

use crate::base62;
use crate::counted::{CounterKind, Take, Taken};
use crate::random::Rng;

/// How long a request waits, unless the URL has another `timeout_ms`.
const TIMEOUT: Duration = Duration::from_millis(50);
/// How much longer the heartbeat may wait for a new connection.
const CONNECT_FACTOR: u32 = 10;
/// A server is gone if it was not heard of for so many seconds.
const SERVER_SECONDS: u32 = 5;
/// Windows that are merged by one round trip.
const MERGED_AT_ONCE: usize = 500;

/// Counts events of all subjects, or of none if one is at its limit: `Counters::take` in one step. A window is a hash of
/// when it began and how many events it has.
const TAKE: &str = r"
local now, granted = tonumber(ARGV[1]), tonumber(ARGV[2])
local windows = {}
for i, key in ipairs(KEYS) do
    local start, seconds, limit = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2])
    local stored = redis.call('HMGET', key, 'start', 'n')
    local since, used = tonumber(stored[1] or ''), tonumber(stored[2] or '')
    if not since or now - since >= seconds or now - since < -seconds then
        since, used = start, 0
    end
    granted = math.min(granted, limit - used)
    if granted <= 0 then
        return {0, used, since, i}
    end
    windows[i] = {since, used, seconds}
end
for i, key in ipairs(KEYS) do
    redis.call('HSET', key, 'start', windows[i][1], 'n', windows[i][2] + granted)
    redis.call('EXPIRE', key, 2 * windows[i][3])
end
return {granted, windows[1][2] + granted, windows[1][1], 0}
";

const GIVE_BACK: &str = r"
local used = tonumber(redis.call('HGET', KEYS[1], 'n') or '')
if used and used > 0 then
    redis.call('HSET', KEYS[1], 'n', used - 1)
end
return 1
";

/// Adds what a server granted by itself. What it had seen before is restored if Redis has forgotten it.
const MERGE: &str = r"
local start, seconds, seen, own = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local stored = redis.call('HMGET', KEYS[1], 'start', 'n')
local since, used = tonumber(stored[1] or ''), tonumber(stored[2] or '')
if since and since > start then
    return 0
end
if not since or since < start then
    used = 0
end
redis.call('HSET', KEYS[1], 'start', start, 'n', math.max(used, seen) + own)
redis.call('EXPIRE', KEYS[1], 2 * seconds)
return 1
";

/// Notes that a server is there; returns how many are, by the clock of Redis.
const ANNOUNCE: &str = r"
local now = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
redis.call('EXPIRE', KEYS[1], 60)
return redis.call('ZCARD', KEYS[1])
";

const SERVERS: &str = "morsel:servers";

/// Why a URL is not one of Redis. It does not show the URL, which may have a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the Redis URL is not valid: {0}; it should look like redis://host:6379 or rediss://user:password@host:6379/0")]
pub struct RedisUrlError(String);

/// The windows of all servers.
#[derive(Debug)]
pub(crate) struct SharedWindows {
    client: Client,
    timeout: Duration,
    /// Names this server among the others.
    id: String,
    link: RwLock<Link>,
    servers: AtomicU32,
    failures: AtomicU64,
    scripts: Scripts,
}

struct Scripts {
    take: Script,
    give_back: Script,
    merge: Script,
    announce: Script,
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scripts")
    }
}

/// The connection, and whether requests may use it.
#[derive(Default)]
struct Link {
    connection: Option<MultiplexedConnection>,
    is_open: bool,
    /// Counts connections: a late failure of an old one says nothing about the new one.
    number: u64,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("is_open", &self.is_open).field("number", &self.number).finish_non_exhaustive()
    }
}

/// What a server counted in a window by itself.
#[derive(Debug)]
pub(crate) struct LocalWindow {
    pub of: String,
    pub start: i64,
    /// What Redis had counted when it was last asked.
    pub seen: u32,
    /// What was granted without it.
    pub own: u32,
}

impl SharedWindows {
    pub(crate) fn new(url: &str, rng: &mut Rng) -> Result<Self, RedisUrlError> {
        if url.starts_with("rediss:") {
            // Fails if there is one already, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let timeout = timeout_in(url)?;
        let client = Client::open(url.trim()).map_err(|error| RedisUrlError(error.category().to_owned()))?;
        let script = Script::new;
        let scripts = Scripts {
            take: script(TAKE),
            give_back: script(GIVE_BACK),
            merge: script(MERGE),
            announce: script(ANNOUNCE),
        };
        Ok(Self {
            client,
            timeout,
            id: base62::random(16, rng),
            link: RwLock::default(),
            servers: AtomicU32::new(1),
            failures: AtomicU64::new(0),
            scripts,
        })
    }

    /// Returns the number of servers that were seen last.
    pub(crate) fn servers(&self) -> u32 {
        self.servers.load(Ordering::Relaxed).max(1)
    }

    /// Returns whether requests are counted in Redis.
    pub(crate) fn is_connected(&self) -> bool {
        self.link.read().unwrap_or_else(PoisonError::into_inner).is_open
    }

    /// Connects and learns how many servers there are. Requests do not use the connection before [`SharedWindows::open`].
    pub(crate) async fn connect(&self) -> bool {
        let config = AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
        let connecting = self.client.get_multiplexed_async_connection_with_config(&config);
        let Ok(Ok(connection)) = timeout(self.timeout * CONNECT_FACTOR, connecting).await else { return false };
        {
            let mut link = self.link.write().unwrap_or_else(PoisonError::into_inner);
            *link = Link { connection: Some(connection), is_open: false, number: link.number + 1 };
        }
        self.announce().await
    }

    /// Lets requests use the connection.
    pub(crate) fn open(&self) {
        let mut link = self.link.write().unwrap_or_else(PoisonError::into_inner);
        link.is_open = link.connection.is_some();
    }

    /// Notes that this server is there; returns whether Redis answered.
    pub(crate) async fn announce(&self) -> bool {
        let mut invocation = self.scripts.announce.key(SERVERS);
        invocation.arg(&self.id).arg(SERVER_SECONDS);
        match self.run_if(true, &invocation).await {
            Some(servers) => {
                self.servers.store(servers, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    pub(crate) async fn leave(&self) {
        let mut pipeline = redis::pipe();
        pipeline.zrem(SERVERS, &self.id);
        let _: Option<()> = self.pipeline(&pipeline).await;
    }

    /// Counts events; returns the outcome and how many are counted now. `None` if Redis does not answer.
    pub(crate) async fn take(&self, takes: &[Take<'_>], n: u32, now: Timestamp) -> Option<(Taken, u32)> {
        let mut invocation = self.scripts.take.prepare_invoke();
        invocation.arg(now.as_second()).arg(n);
        for take in takes {
            invocation.key(key(take.kind, take.of));
            invocation.arg(take.kind.start(now)).arg(take.kind.seconds()).arg(take.limit);
        }
        let (granted, used, start, refused): (u32, u32, i64, usize) = self.run_if(false, &invocation).await?;
        let refused = refused.checked_sub(1);
        let limit = takes.get(refused.unwrap_or(0)).map_or(0, |take| take.limit);
        Some((Taken { granted, remaining: limit.saturating_sub(used), start, refused }, used))
    }

    pub(crate) async fn used(&self, kind: CounterKind, of: &str, now: Timestamp) -> Option<u32> {
        // A count of nothing reads the window as the rule has it, and leaves it as it is.
        let take = Take { kind, of, limit: 0 };
        Some(self.take(&[take], 1, now).await?.1)
    }

    pub(crate) async fn give_back(&self, kind: CounterKind, of: &str) -> Option<()> {
        let _: i64 = self.run_if(false, &self.scripts.give_back.key(key(kind, of))).await?;
        Some(())
    }

    pub(crate) async fn reset(&self, kind: CounterKind, of: &str) -> Option<()> {
        let mut pipeline = redis::pipe();
        pipeline.del(key(kind, of)).ignore();
        self.pipeline(&pipeline).await
    }

    /// Adds what was counted without Redis; returns whether it answered.
    pub(crate) async fn merge(&self, kind: CounterKind, windows: &[LocalWindow]) -> bool {
        for batch in windows.chunks(MERGED_AT_ONCE) {
            let mut pipeline = redis::pipe();
            pipeline.load_script(&self.scripts.merge).ignore();
            for window in batch {
                let mut invocation = self.scripts.merge.key(key(kind, &window.of));
                invocation.arg(window.start).arg(kind.seconds()).arg(window.seen).arg(window.own);
                pipeline.invoke_script(&invocation).ignore();
            }
            if self.pipeline::<()>(&pipeline).await.is_none() {
                return false;
            }
        }
        true
    }

    /// Runs a script, on a connection that requests may use or, with `any`, on one that they may not use yet.
    async fn run_if<T: FromRedisValue>(&self, any: bool, invocation: &ScriptInvocation<'_>) -> Option<T> {
        let (mut connection, number) = self.connection(any)?;
        let result = timeout(self.timeout, invocation.invoke_async(&mut connection)).await;
        self.unless_failed(number, result.ok())
    }

    async fn pipeline<T: FromRedisValue>(&self, pipeline: &Pipeline) -> Option<T> {
        let (mut connection, number) = self.connection(true)?;
        let result = timeout(self.timeout * CONNECT_FACTOR, pipeline.query_async(&mut connection)).await;
        self.unless_failed(number, result.ok())
    }

    fn connection(&self, any: bool) -> Option<(MultiplexedConnection, u64)> {
        let link = self.link.read().unwrap_or_else(PoisonError::into_inner);
        if !any && !link.is_open {
            return None;
        }
        Some((link.connection.clone()?, link.number))
    }

    /// Gives the connection up after a failure, unless there is a newer one.
    fn unless_failed<T>(&self, number: u64, result: Option<Result<T, RedisError>>) -> Option<T> {
        if let Some(Ok(value)) = result {
            return Some(value);
        }
        self.failures.fetch_add(1, Ordering::Relaxed);
        let mut link = self.link.write().unwrap_or_else(PoisonError::into_inner);
        if link.number == number {
            *link = Link { connection: None, is_open: false, number };
        }
        None
    }
}

fn key(kind: CounterKind, of: &str) -> String {
    ["morsel:", kind.name(), ":", of].concat()
}

/// Returns how long a request may wait, by the parameter `timeout_ms` of the URL.
fn timeout_in(url: &str) -> Result<Duration, RedisUrlError> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let value = query.split('&').find_map(|pair| pair.strip_prefix("timeout_ms="));
    match value.map(str::parse::<u64>) {
        None => Ok(TIMEOUT),
        Some(Ok(milliseconds @ 1..=60_000)) => Ok(Duration::from_millis(milliseconds)),
        Some(_) => Err(RedisUrlError("timeout_ms must be a number of milliseconds from 1 to 60000".to_owned())),
    }
}
