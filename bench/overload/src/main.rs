//! Measures Morsel under more load than it can serve, and with accounts that take more than their share.

#[expect(dead_code, reason = "shared with the HTTP benchmark, which uses all of it")]
#[path = "../../http/src/connection.rs"]
mod connection;
mod cores;
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

use crate::cores::Cores;
use crate::report::Results;
use crate::requests::Texts;
use crate::server::{Server, make_key};

const USAGE: &str = "usage: overload-bench --morsel PROGRAM --photos FOLDER [--seconds N] [--only PART] [--out FOLDER]
PART is levels, texts, photos or readers";
/// Accounts that send the load together.
const ACCOUNTS: usize = 20;
/// Accounts of the clients that hardly read.
const READERS: usize = 5;

/// The command line.
struct Arguments {
    morsel: PathBuf,
    photos: PathBuf,
    /// How long each measurement takes.
    time: Duration,
    /// The only part to measure; all if absent.
    only: Option<String>,
    out: PathBuf,
}

/// A running service and the keys of its accounts.
pub struct Stage {
    pub server: Server,
    /// The accounts that behave.
    pub keys: Vec<String>,
    /// The account that does not.
    pub abuser: String,
    /// The accounts of clients that hardly read.
    pub readers: Vec<String>,
    pub texts: Texts,
    pub time: Duration,
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let cores = Cores::split()?;
    cores.use_servers()?;
    let results = LocalSet::new().block_on(&runtime, measure(&arguments, &cores))?;
    results.write(&arguments.out)
}

async fn measure(arguments: &Arguments, cores: &Cores) -> Result<Results> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let mut server = Server::morsel(&arguments.morsel, &data)?;
    server.wait_for("/readyz", Instant::now()).await?;
    let key = |name: &str| make_key(&arguments.morsel, &data, &format!("{name}@example.com"));
    let keys: Result<Vec<String>> = (0..ACCOUNTS).map(|number| key(&format!("account{number}"))).collect();
    let readers: Result<Vec<String>> = (0..READERS).map(|number| key(&format!("reader{number}"))).collect();
    let (keys, abuser, readers) = (keys?, key("abuser")?, readers?);
    cores.use_loads()?;
    let gold = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/meal/gold/everyday.jsonl"));
    let stage = Stage { server, keys, abuser, readers, texts: Texts::read(&gold)?, time: arguments.time };
    let photo = std::fs::read(arguments.photos.join("plain.jpg"))
        .or_else(|_| first_photo(&arguments.photos))
        .context("no photo to send")?;
    let capacity = levels::capacity(&stage).await?;
    eprintln!("capacity: {capacity:.0} texts per second");
    let wants = |part: &str| arguments.only.as_ref().is_none_or(|only| only == part);
    let mut results = Results {
        server_cores: cores.of_server,
        load_has_own_core: cores.are_apart,
        seconds: arguments.time.as_secs_f64(),
        capacity,
        levels: Vec::new(),
        recovery: None,
        texts: None,
        photos: None,
        readers: None,
    };
    if wants("levels") {
        results.levels = levels::run(&stage, capacity).await?;
        results.recovery = Some(levels::recovery(&stage, capacity).await?);
    }
    if wants("texts") {
        results.texts = Some(fairness::texts(&stage, capacity).await?);
    }
    if wants("photos") {
        results.photos = Some(fairness::photos(&stage, &photo).await?);
    }
    if wants("readers") {
        results.readers = Some(fairness::slow_readers(&stage, capacity).await?);
    }
    Ok(results)
}

fn first_photo(folder: &std::path::Path) -> std::io::Result<Vec<u8>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    std::fs::read(files.first().ok_or(std::io::ErrorKind::NotFound)?)
}

fn arguments() -> Result<Arguments> {
    let (mut morsel, mut photos, mut seconds, mut only, mut out) = (None, None, 8.0, None, PathBuf::from("results"));
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().context(USAGE)?;
        match name.as_str() {
            "--morsel" => morsel = Some(PathBuf::from(value)),
            "--photos" => photos = Some(PathBuf::from(value)),
            "--seconds" => seconds = value.parse().context(USAGE)?,
            "--only" => only = Some(value),
            "--out" => out = PathBuf::from(value),
            _ => bail!(USAGE),
        }
    }
    let (morsel, photos) = (morsel.context(USAGE)?, photos.context(USAGE)?);
    Ok(Arguments { morsel, photos, time: Duration::from_secs_f64(seconds), only, out })
}
