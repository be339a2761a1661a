//! Servers that are killed and stopped while clients write, and a count of what was acknowledged against what is there.

use std::collections::{HashMap, HashSet};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use test_support::on_postgres;

use crate::cluster::{Cluster, Reply, send, url_of};

/// Recipes that an account may have.
const MAX_RECIPES: usize = 1_000;
/// What a client does between two recipes, so that a fast machine does not fill all accounts.
const PAUSE: Duration = Duration::from_millis(20);

/// Clients behind a balancer: each writes recipes, and repeats a request that was not answered, elsewhere and with the same key.
pub struct Clients {
    /// Where servers are, and whether the balancer sends requests there.
    pub upstreams: Vec<Mutex<String>>,
    pub is_ready: Vec<AtomicBool>,
    /// The keys of accounts that are filled one after the other.
    keys: Vec<String>,
    stop: AtomicBool,
    next: AtomicUsize,
    turn: AtomicUsize,
    /// Requests that got no whole answer from a server that is not expected to fail.
    pub failed: Mutex<Vec<String>>,
    pub may_fail: Vec<AtomicBool>,
    /// The names of recipes that were acknowledged.
    pub acknowledged: Mutex<HashSet<String>>,
    /// The names of recipes that were sent.
    sent: Mutex<HashSet<String>>,
}

impl Clients {
    /// Creates clients that write to so many accounts.
    pub fn new(cluster: &Cluster, accounts: usize) -> Self {
        let flags = |value| cluster.servers.iter().map(|_| AtomicBool::new(value)).collect();
        Self {
            upstreams: cluster.servers.iter().map(|server| Mutex::new(server.address.clone())).collect(),
            is_ready: flags(true),
            keys: (0..accounts).map(|n| cluster.account(&format!("writer-{n}@example.com"), "scale")).collect(),
            stop: AtomicBool::new(false),
            next: AtomicUsize::new(0),
            turn: AtomicUsize::new(0),
            failed: Mutex::default(),
            may_fail: flags(false),
            acknowledged: Mutex::default(),
            sent: Mutex::default(),
        }
    }

    /// Runs clients while the test does something to the servers.
    pub fn run<T>(&self, clients: usize, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            for _ in 0..clients {
                scope.spawn(|| {
                    while !self.stop.load(Ordering::Relaxed) {
                        self.write_one();
                    }
                });
            }
            scope.spawn(|| self.balance());
            let result = work();
            self.stop.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Waits until clients have written so many more recipes.
    pub fn wait_for(&self, more: usize) {
        let count = || self.acknowledged.lock().expect("no panic").len();
        let enough = count() + more;
        let begun = std::time::Instant::now();
        while count() < enough {
            assert!(begun.elapsed() < Duration::from_mins(2), "nothing is written any more");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asks every server whether it is ready, as a balancer does.
    fn balance(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            for (upstream, is_ready) in self.upstreams.iter().zip(&self.is_ready) {
                let address = upstream.lock().expect("no panic").clone();
                let ready = send(&address, "GET", "/readyz", &[], "").is_ok_and(|reply| reply.status == 200);
                is_ready.store(ready, Ordering::Relaxed);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn write_one(&self) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("r{number}");
        self.sent.lock().expect("no panic").insert(name.clone());
        let key = &self.keys[number / MAX_RECIPES % self.keys.len()];
        let authorization = format!("Bearer {key}");
        let headers = [("Authorization", authorization.as_str()), ("Idempotency-Key", name.as_str())];
        let body = format!(r#"{{"name": "{name}", "calories": 1}}"#);
        // Until it is acknowledged, or the test ends.
        while !self.stop.load(Ordering::Relaxed) {
            let n = self.turn.fetch_add(1, Ordering::Relaxed) % self.upstreams.len();
            if !self.is_ready[n].load(Ordering::Relaxed) {
                std::thread::yield_now();
                continue;
            }
            let address = self.upstreams[n].lock().expect("no panic").clone();
            match send(&address, "POST", "/v1/recipes", &headers, &body) {
                Ok(Reply { status: 201, .. }) => {
                    self.acknowledged.lock().expect("no panic").insert(name);
                    std::thread::sleep(PAUSE);
                    return;
                }
                // Still running on another server, overloaded, or without a database: try again.
                Ok(Reply { status: 409 | 429 | 503, .. }) => std::thread::sleep(Duration::from_millis(20)),
                Ok(reply) => panic!("{} {}", reply.status, reply.body),
                Err(error) => {
                    if !self.may_fail[n].load(Ordering::Relaxed) {
                        self.failed.lock().expect("no panic").push(format!("server {n}: {error}"));
                    }
                }
            }
        }
    }

    /// Compares what was acknowledged with what is stored: nothing is lost, nothing is there twice.
    pub fn check(&self, cluster: &Cluster) -> usize {
        let mut stored: HashMap<String, u32> = HashMap::new();
        for key in &self.keys {
            let list = cluster.call(0, "GET", "/v1/recipes", key, "").json();
            for recipe in list["recipes"].as_array().expect("a list") {
                *stored.entry(recipe["name"].as_str().expect("a name").to_owned()).or_default() += 1;
            }
        }
        let (acknowledged, sent) = (self.acknowledged.lock().expect("no panic"), self.sent.lock().expect("no panic"));
        let missing: Vec<_> = acknowledged.iter().filter(|name| !stored.contains_key(name.as_str())).collect();
        assert!(missing.is_empty(), "acknowledged and lost: {missing:?}");
        let doubled: Vec<_> = stored.iter().filter(|(name, count)| **count > 1 && sent.contains(*name)).collect();
        assert!(doubled.is_empty(), "there twice: {doubled:?}");
        acknowledged.len()
    }
}

pub fn signal(cluster: &Cluster, n: usize, signal: &str) {
    let pid = cluster.servers[n].process.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().expect("kill runs").success());
}

#[tokio::test]
async fn servers_are_killed_and_stopped_under_load() {
    on_postgres(async |database| {
        let mut cluster = Cluster::start(3, url_of(database), Duration::from_secs(30));
        let clients = Clients::new(&cluster, 4);
        clients.run(6, || {
            clients.wait_for(30);
            clients.may_fail[1].store(true, Ordering::Relaxed);
            signal(&cluster, 1, "-KILL");
            cluster.servers[1].process.wait().expect("it ends");
            clients.wait_for(30);
            // One that is asked to stop fails no request: the balancer sees that it is not ready, and it drains.
            signal(&cluster, 2, "-TERM");
            assert!(cluster.servers[2].process.wait().expect("it ends").success());
            clients.wait_for(30);
            cluster.servers[1] = cluster.server(1);
            cluster.upstreams_changed(&clients, 1);
            clients.wait_for(30);
        });
        assert_eq!(*clients.failed.lock().expect("no panic"), Vec::<String>::new(), "failed requests");
        assert!(clients.check(&cluster) >= 120);
    })
    .await;
}

impl Cluster {
    /// Tells the balancer of a server that was started again.
    pub fn upstreams_changed(&self, clients: &Clients, n: usize) {
        self.address(n).clone_into(&mut clients.upstreams[n].lock().expect("no panic"));
        clients.may_fail[n].store(false, Ordering::Relaxed);
    }
}
