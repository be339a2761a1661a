//! Everything that can go wrong, in a random order, under load; `scripts/soak` runs it.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use test_support::{Proxy, on_postgres, postgres_socket};

use crate::cluster::{Cluster, through};
use crate::load::{Clients, signal};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Numbers that look random and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[tokio::test]
#[ignore = "takes as long as MORSEL_SOAK_SECONDS says; scripts/soak runs it"]
async fn soak() {
    let (seconds, seed) = (number("MORSEL_SOAK_SECONDS", 600), number("MORSEL_SOAK_SEED", 1));
    on_postgres(async |database| {
        let postgres = Proxy::to_socket(postgres_socket());
        let mut cluster = Cluster::start(3, &through(postgres.address(), database), Duration::from_millis(50));
        // Four clients save less than a hundred recipes a second.
        let accounts = 2 + usize::try_from(seconds).expect("small") / 10;
        let clients = Clients::new(&cluster, accounts);
        let (begun, mut dice, mut faults) = (Instant::now(), Dice(seed), [0; 8]);
        clients.run(4, || {
            while begun.elapsed() < Duration::from_secs(seconds) {
                let (fault, n) = (dice.roll(8), usize::try_from(dice.roll(3)).expect("small"));
                let pause = Duration::from_millis(200 + dice.roll(2_000));
                faults[usize::try_from(fault).expect("small")] += 1;
                match fault {
                    0 => restart(&mut cluster, &clients, n, "-KILL"),
                    1 => restart(&mut cluster, &clients, n, "-TERM"),
                    2 => postgres.cut(),
                    3 => postgres.slow(Duration::from_millis(dice.roll(300))),
                    4 => postgres.reset(),
                    5 => cluster.redis.cut(),
                    6 => cluster.redis.slow(Duration::from_millis(dice.roll(200))),
                    _ => cluster.images.cut(),
                }
                std::thread::sleep(pause);
                for proxy in [&postgres, &cluster.redis, &cluster.images] {
                    proxy.restore();
                }
                // A whole service in between: what was broken must heal.
                clients.wait_for(5);
            }
        });
        let failed = clients.failed.lock().expect("no panic").len();
        let acknowledged = clients.check(&cluster);
        eprintln!("seed {seed}, {seconds} s: kill, stop, PostgreSQL cut, slow, reset, Redis cut, slow, bucket cut: {faults:?}");
        eprintln!("{acknowledged} acknowledged writes, all of them there once; {failed} requests failed on servers that were stopped");
        assert!(acknowledged > 0 && failed == 0, "{failed}");
    })
    .await;
}

fn restart(cluster: &mut Cluster, clients: &Clients, n: usize, how: &str) {
    // A server that is stopped without warning may break off requests; one that is asked to stop may not.
    clients.may_fail[n].store(how == "-KILL", Ordering::Relaxed);
    signal(cluster, n, how);
    cluster.servers[n].process.wait().expect("it ends");
    cluster.servers[n] = cluster.server(n);
    cluster.upstreams_changed(clients, n);
}
