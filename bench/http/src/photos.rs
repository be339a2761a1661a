//! Measures the latency of texts while clients send photos as fast as the server responds.

use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use tokio::task::{JoinSet, LocalSet};

use crate::connection::Connection;
use crate::load::Target;
use crate::measure::{Run, fixed_rate, median};
use crate::report::Machine;
use crate::requests::{self, Requests, Texts};
use crate::server::{self, Server};

/// Texts per second: far below what the server can do.
const RATE: f64 = 200.0;
/// Clients that send photos: half of them send labels, half plain photos.
const CLIENTS: usize = 4;
/// The target for the p99 of texts while photos are analyzed.
const P99_MS: f64 = 5.0;

/// The results.
#[derive(Serialize)]
pub struct Beside {
    machine: Machine,
    rounds: usize,
    seconds: f64,
    rate: f64,
    clients: usize,
    alone: Vec<Run>,
    together: Vec<Run>,
    labels: Looked,
    plain: Looked,
}

/// Photos of one kind that were analyzed while texts were measured.
#[derive(Default, Serialize)]
struct Looked {
    answered: u64,
    failed: u64,
    median_ms: f64,
}

impl Looked {
    /// Adds a photo and returns its times.
    fn count(&mut self, sent: Sent) -> Vec<f64> {
        self.answered += sent.times_ms.len() as u64;
        self.failed += sent.failed;
        sent.times_ms
    }
}

/// Measures texts alone and while photos are analyzed, in turns.
pub async fn run(morsel: &Path, texts: &Texts, photos: &Path, rounds: usize, time: Duration) -> Result<Beside> {
    let labels = Arc::new(read(photos, "label-")?);
    let plain = Arc::new(read(photos, "plain-")?);
    let folder = tempfile::tempdir()?;
    let data_dir = folder.path().join("data");
    let mut server = Server::morsel(morsel, &data_dir)?;
    server.wait_for("/readyz", Instant::now()).await?;
    let key = server::make_key(morsel, &data_dir, "bench@example.com")?;
    let requests = Rc::new(Requests::meals(&key, "/v1/estimate/sync", texts));
    let target = Target { name: "estimate, different", address: server.address, requests };
    let mut found = Beside {
        machine: Machine::here(),
        rounds,
        seconds: time.as_secs_f64(),
        rate: RATE,
        clients: CLIENTS,
        alone: Vec::new(),
        together: Vec::new(),
        labels: Looked::default(),
        plain: Looked::default(),
    };
    let (mut label_times, mut plain_times) = (Vec::new(), Vec::new());
    let numbers = Arc::new(AtomicU64::new(0));
    for round in 1..=rounds {
        eprintln!("Round {round} of {rounds}: texts alone, then with photos …");
        found.alone.push(fixed_rate(&target, &server, RATE, time).await?);
        let sender = |files: &Arc<Vec<Vec<u8>>>| Sender {
            address: server.address,
            key: key.clone(),
            files: Arc::clone(files),
            numbers: Arc::clone(&numbers),
        };
        let senders = Senders::start(sender(&labels), sender(&plain));
        // The networks are loaded with the first photo.
        tokio::time::sleep(time / 4).await;
        found.together.push(fixed_rate(&target, &server, RATE, time).await?);
        let [labels_sent, plain_sent] = senders.stop()?;
        label_times.extend(found.labels.count(labels_sent));
        plain_times.extend(found.plain.count(plain_sent));
    }
    found.labels.median_ms = median(label_times);
    found.plain.median_ms = median(plain_times);
    server.stop()?;
    Ok(found)
}

impl Beside {
    /// Returns the number of failed requests of any kind.
    pub fn failures(&self) -> u64 {
        let texts: u64 = self.alone.iter().chain(&self.together).map(|run| run.failed).sum();
        texts + self.labels.failed + self.plain.failed
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("photos.json"), serde_json::to_string_pretty(self)? + "\n")?;
        Ok(fs::write(folder.join("photos.md"), self.table())?)
    }

    /// Formats the results as Markdown.
    pub fn table(&self) -> String {
        let mut text = String::from("# Texts while photos are analyzed: results\n\n");
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{} {} rounds of {} s; {} texts per second, all different; {} clients send photos as fast as the server responds.\n",
            self.machine, self.rounds, self.seconds, self.rate, self.clients
        );
        text.push_str("| texts | p50 | p99 | slowed by the machine | p99 of the others | target | other load |\n|---|---:|---:|---:|---:|---:|---:|\n");
        let middle = |runs: &[Run], of: fn(&Run) -> f64| median(runs.iter().map(of).collect());
        let mut figures = Vec::new();
        for (name, runs) in [("alone", &self.alone), ("beside photos", &self.together)] {
            let (p50, p99) = (middle(runs, |run| run.p50_ms), middle(runs, |run| run.p99_ms));
            let (slowed, at_pace) = (middle(runs, |run| run.slowed) * 100.0, middle(runs, |run| run.p99_ms_at_pace));
            let target = format!("≤ {P99_MS:.0} ms {}", if at_pace <= P99_MS { "✓" } else { "✗" });
            let others = middle(runs, |run| run.others) * 100.0;
            let _ = writeln!(
                text,
                "| {name} | {p50:.2} ms | {p99:.2} ms | {slowed:.0} % | {at_pace:.2} ms | {target} | {others:.0} % |"
            );
            figures.push((p50, at_pace));
        }
        if let [alone, beside] = figures[..] {
            let _ = writeln!(text, "| ratio | {:.2} | | | {:.2} | | |", beside.0 / alone.0, beside.1 / alone.1);
        }
        let _ = writeln!(
            text,
            "\nMeanwhile {} photos of labels were analyzed, in {:.0} ms in the median including the queue, and {} without text, in {:.0} ms.",
            self.labels.answered, self.labels.median_ms, self.plain.answered, self.plain.median_ms
        );
        let _ = writeln!(text, "\nFailed requests: {}.", self.failures());
        text
    }
}

/// Returns the files whose names begin like this.
fn read(folder: &Path, beginning: &str) -> Result<Vec<Vec<u8>>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_wanted = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(beginning));
    let files: Vec<Vec<u8>> = paths.iter().filter(|path| is_wanted(path)).map(fs::read).collect::<Result<_, _>>()?;
    ensure!(!files.is_empty(), "{} has no photo {beginning}…", folder.display());
    Ok(files)
}

/// The photos to send.
struct Sender {
    address: SocketAddr,
    key: String,
    files: Arc<Vec<Vec<u8>>>,
    /// Photos sent by all clients, so that none is sent twice: the server would have it in its cache.
    numbers: Arc<AtomicU64>,
}

/// The results for photos of one kind.
#[derive(Default)]
struct Sent {
    times_ms: Vec<f64>,
    failed: u64,
}

/// Clients on a thread of their own, so that long bodies do not delay the texts that are measured.
struct Senders {
    over: Arc<AtomicBool>,
    thread: thread::JoinHandle<Result<[Sent; 2]>>,
}

impl Senders {
    fn start(labels: Sender, plain: Sender) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let senders = [Rc::new(labels), Rc::new(plain)];
            let local = LocalSet::new();
            let mut clients = JoinSet::new();
            for client in 0..CLIENTS {
                let kind = client % senders.len();
                let (sender, over) = (Rc::clone(&senders[kind]), Arc::clone(&seen));
                clients.spawn_local_on(async move { (kind, sender.send(&over).await) }, &local);
            }
            let mut all = [Sent::default(), Sent::default()];
            local.block_on(&runtime, async {
                while let Some(Ok((kind, sent))) = clients.join_next().await {
                    all[kind].times_ms.extend(sent.times_ms);
                    all[kind].failed += sent.failed;
                }
            });
            Ok(all)
        });
        Self { over, thread }
    }

    /// Waits for the remaining responses.
    fn stop(self) -> Result<[Sent; 2]> {
        self.over.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow::anyhow!("the clients that send photos panicked"))?
    }
}

impl Sender {
    async fn send(&self, over: &AtomicBool) -> Sent {
        let mut sent = Sent::default();
        let Ok(mut connection) = Connection::open(self.address).await else {
            return Sent { failed: 1, ..sent };
        };
        while !over.load(Ordering::Relaxed) {
            let number = self.numbers.fetch_add(1, Ordering::Relaxed);
            let file = &self.files[number as usize % self.files.len()];
            let request = requests::photo(&self.key, file, number);
            let start = Instant::now();
            match connection.exchange(&request).await {
                Ok(200) => sent.times_ms.push(start.elapsed().as_secs_f64() * 1e3),
                Ok(_) => sent.failed += 1,
                Err(_) => return Sent { failed: sent.failed + 1, ..sent },
            }
        }
        sent
    }
}
