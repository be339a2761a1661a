//! Measures Morsel under more load than it can serve, and with accounts that take more than their share.

#[expect(dead_code, reason = "shared with the HTTP benchmark, which uses all of it")]
#[path = "../../http/src/connection.rs"]
mod connection;
mod fairness;
mod levels;
mod load;
mod plot;
mod report;
#[expect(dead_code, reason = "shared with the HTTP benchmark, which uses all of it")]
#[path = "../../http/src/requests.rs"]
mod requests;
#[path = "../../http/src/server.rs"]
mod server;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use tokio::task::LocalSet;

use crate::report::Results;
use crate::requests::Texts;
use crate::server::{Server, make_key};

const USAGE: &str = "usage: overload-bench --morsel PROGRAM --photos FOLDER [--seconds N] [--out FOLDER]";
/// Accounts that send the load together.
const ACCOUNTS: usize = 20;

/// The command line.
struct Arguments {
    morsel: PathBuf,
    photos: PathBuf,
    /// How long each measurement takes.
    time: Duration,
    out: PathBuf,
}

/// A running service and the keys of its accounts.
pub struct Stage {
    pub server: Server,
    /// The accounts that behave.
    pub keys: Vec<String>,
    /// The account that does not.
    pub abuser: String,
    pub texts: Texts,
    pub time: Duration,
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let results = LocalSet::new().block_on(&runtime, measure(&arguments))?;
    results.write(&arguments.out)
}

async fn measure(arguments: &Arguments) -> Result<Results> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let mut server = Server::morsel(&arguments.morsel, &data)?;
    server.wait_for("/readyz", Instant::now()).await?;
    let key = |name: &str| make_key(&arguments.morsel, &data, &format!("{name}@example.com"));
    let keys: Result<Vec<String>> = (0..ACCOUNTS).map(|number| key(&format!("account{number}"))).collect();
    let (keys, abuser) = (keys?, key("abuser")?);
    let gold = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/meal/gold/everyday.jsonl"));
    let stage = Stage { server, keys, abuser, texts: Texts::read(&gold)?, time: arguments.time };
    let photo = std::fs::read(arguments.photos.join("plain.jpg"))
        .or_else(|_| first_photo(&arguments.photos))
        .context("no photo to send")?;
    let capacity = levels::capacity(&stage).await?;
    eprintln!("capacity: {capacity:.0} texts per second");
    let levels = levels::run(&stage, capacity).await?;
    let recovery = levels::recovery(&stage, capacity).await?;
    let texts = fairness::texts(&stage, capacity).await?;
    let photos = fairness::photos(&stage, &photo).await?;
    let readers = fairness::slow_readers(&stage, capacity).await?;
    Ok(Results {
        cores: cores(),
        seconds: arguments.time.as_secs_f64(),
        capacity,
        levels,
        recovery,
        texts,
        photos,
        readers,
    })
}

fn first_photo(folder: &std::path::Path) -> std::io::Result<Vec<u8>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    std::fs::read(files.first().ok_or(std::io::ErrorKind::NotFound)?)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn arguments() -> Result<Arguments> {
    let (mut morsel, mut photos, mut seconds, mut out) = (None, None, 8.0, PathBuf::from("results"));
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().context(USAGE)?;
        match name.as_str() {
            "--morsel" => morsel = Some(PathBuf::from(value)),
            "--photos" => photos = Some(PathBuf::from(value)),
            "--seconds" => seconds = value.parse().context(USAGE)?,
            "--out" => out = PathBuf::from(value),
            _ => bail!(USAGE),
        }
    }
    let (morsel, photos) = (morsel.context(USAGE)?, photos.context(USAGE)?);
    Ok(Arguments { morsel, photos, time: Duration::from_secs_f64(seconds), out })
}
