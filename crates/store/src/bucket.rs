//! A bucket: objects that any server can write and read, in S3 or a service that is compatible with it.

use std::fmt;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use jiff::Timestamp;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt as _, RetryConfig, WriteMultipart};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use crate::error::Error;

/// How long a small object may take, retries included: a request waits for it.
const SMALL_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a large file may take.
const LARGE_TIMEOUT: Duration = Duration::from_mins(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_RETRIES: usize = 2;
/// Pieces in which large files travel; S3 takes none below 5 MiB.
const PIECE: usize = 8 << 20;
/// Pieces of a file on their way at a time.
const PIECES_AT_ONCE: usize = 4;

/// A bucket. Clones are cheap and share the connections. `Debug` does not show credentials.
#[derive(Clone)]
pub struct Bucket {
    s3: Arc<AmazonS3>,
    name: String,
}

impl Bucket {
    /// Parses `s3://bucket?endpoint=URL&region=NAME`. Credentials come from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or
    /// from the machine. The error is a message for the user.
    pub fn parse(url: &str) -> Result<Self, String> {
        const FORM: &str = "it should look like s3://bucket?endpoint=https://host&region=name";
        let rest = url.trim().strip_prefix("s3://").ok_or_else(|| format!("the images URL is not valid; {FORM}"))?;
        let (name, query) = rest.split_once('?').unwrap_or((rest, ""));
        let name = name.trim_end_matches('/');
        if name.is_empty() || name.contains(['/', '@', ':']) {
            return Err(format!("the images URL does not name a bucket; {FORM}"));
        }
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::from_env().with_bucket_name(name);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            builder = match (key, percent_decoded(value)) {
                (_, None) => return Err(format!("{key} of the images URL is not valid; {FORM}")),
                // Services other than Amazon's have the bucket in the path.
                ("endpoint", Some(value)) => builder
                    .with_allow_http(value.starts_with("http://"))
                    .with_endpoint(value)
                    .with_virtual_hosted_style_request(false),
                ("region", Some(value)) => builder.with_region(value),
                (unknown, _) => return Err(format!("the images URL has an unknown parameter {unknown}; {FORM}")),
            };
        }
        let backoff =
            BackoffConfig { init_backoff: Duration::from_millis(50), max_backoff: CONNECT_TIMEOUT, base: 2.0 };
        let retry = RetryConfig { backoff, max_retries: MAX_RETRIES, retry_timeout: SMALL_TIMEOUT };
        let client = ClientOptions::new().with_connect_timeout(CONNECT_TIMEOUT).with_timeout(LARGE_TIMEOUT);
        let client = client.with_allow_http(true);
        let s3 = builder.with_retry(retry).with_client_options(client).with_disable_bulk_delete(true).build();
        let s3 = s3.map_err(|error| format!("the images URL cannot be used: {error}"))?;
        Ok(Self { s3: Arc::new(s3), name: name.to_owned() })
    }

    /// Stores a small object; when this returns, every server can read it.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), Error> {
        let (path, what) = (Path::from(key), "cannot write to the bucket");
        in_time(what, SMALL_TIMEOUT, self.s3.put(&path, bytes.into())).await.map(drop)
    }

    /// Returns a small object, if it exists.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, Error> {
        let (path, what) = (Path::from(key), "cannot read from the bucket");
        let read = async { self.s3.get(&path).await?.bytes().await };
        unless_missing(in_time(what, SMALL_TIMEOUT, read).await)
    }

    /// Deletes an object. It is not an error if it does not exist.
    pub async fn delete(&self, key: &str) -> Result<(), Error> {
        let (path, what) = (Path::from(key), "cannot delete from the bucket");
        unless_missing(in_time(what, SMALL_TIMEOUT, self.s3.delete(&path)).await).map(drop)
    }

    /// Returns the keys in a folder from `from` up to `to` (not included) that are older than a moment.
    pub(crate) async fn older_than(
        &self,
        folder: &str,
        (from, to): (&str, &str),
        moment: Timestamp,
    ) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let (folder, from) = (Path::from(folder), Path::from(from));
        let mut list = self.s3.list_with_offset(Some(&folder), &from);
        while let Some(object) = in_time("cannot list the bucket", SMALL_TIMEOUT, next(&mut list)).await? {
            if object.location.as_ref() >= to {
                break;
            }
            if object.last_modified.timestamp() < moment.as_second() {
                found.push(object.location.to_string());
            }
        }
        Ok(found)
    }

    /// Returns all keys in a folder.
    pub async fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let mut list = self.s3.list(Some(&Path::from(folder)));
        while let Some(object) = in_time("cannot list the bucket", SMALL_TIMEOUT, next(&mut list)).await? {
            found.push(object.location.to_string());
        }
        Ok(found)
    }

    /// Stores a file, piece by piece.
    pub async fn upload(&self, key: &str, from: &FilePath) -> Result<(), Error> {
        let cannot = |cause| Error::file(format!("cannot read {}", from.display()), cause);
        let mut file = tokio::fs::File::open(from).await.map_err(cannot)?;
        let what = "cannot write to the bucket";
        let path = Path::from(key);
        let upload = in_time(what, SMALL_TIMEOUT, self.s3.put_multipart(&path)).await?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PIECE);
        let mut buffer = vec![0; 1 << 20];
        loop {
            let length = file.read(&mut buffer).await.map_err(cannot)?;
            if length == 0 {
                break;
            }
            in_time(what, LARGE_TIMEOUT, writer.wait_for_capacity(PIECES_AT_ONCE)).await?;
            writer.write(&buffer[..length]);
        }
        in_time(what, LARGE_TIMEOUT, writer.finish()).await.map(drop)
    }

    /// Writes an object to a file, piece by piece; returns `false` if it does not exist.
    pub async fn download(&self, key: &str, to: &FilePath) -> Result<bool, Error> {
        let what = "cannot read from the bucket";
        let found = in_time(what, SMALL_TIMEOUT, self.s3.get(&Path::from(key))).await;
        let Some(found) = unless_missing(found)? else { return Ok(false) };
        let cannot = |cause| Error::file(format!("cannot write {}", to.display()), cause);
        let mut file = tokio::fs::File::create(to).await.map_err(cannot)?;
        let mut pieces = found.into_stream();
        while let Some(piece) = in_time(what, LARGE_TIMEOUT, next(&mut pieces)).await? {
            file.write_all(&piece).await.map_err(cannot)?;
        }
        file.sync_all().await.map_err(cannot)?;
        Ok(true)
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({})", self.name)
    }
}

async fn next<T>(
    stream: &mut (impl futures_util::Stream<Item = object_store::Result<T>> + Unpin),
) -> object_store::Result<Option<T>> {
    stream.next().await.transpose()
}

async fn in_time<T>(
    what: &'static str,
    limit: Duration,
    result: impl Future<Output = object_store::Result<T>>,
) -> Result<T, Error> {
    match timeout(limit, result).await {
        Ok(result) => result.map_err(|cause| Error::Bucket { what, cause: Arc::new(cause) }),
        Err(_) => Err(Error::BucketTimedOut),
    }
}

fn unless_missing<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::Bucket { cause, .. }) if matches!(*cause, object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Decodes `%3A` and the like; `None` if it is not valid.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
