//! What goes away, and what goes on meanwhile.

use std::time::{Duration, Instant};

use test_support::{Postgres, Proxy, on_postgres, postgres_socket};

use crate::cluster::{Cluster, EGG, UPLOAD, metrics, photo_of, send, through, url_of};

/// What servers wait for Redis by default.
const DEFAULT: Duration = Duration::from_millis(50);
/// How long an answer that takes less than a second may take on a machine that does much else.
const BUSY: Duration = Duration::from_secs(15);

/// How long servers wait for Redis where only its absence may look like one: longer than a busy machine lets it wait, and short
/// enough for a connection that is cut without a word.
const LONG: Duration = Duration::from_secs(2);

/// Reports how many requests of a key pass until the limit, and the ends of the minutes that they were counted in.
fn passing(cluster: &Cluster, n: usize, key: &str) -> (u32, Vec<String>) {
    let (mut passed, mut minutes) = (0, Vec::new());
    loop {
        let reply = cluster.call(n, "GET", "/v1/foods/nothing", key, "");
        minutes.push(reply.header("x-ratelimit-reset").expect("a limit").to_owned());
        minutes.dedup();
        if reply.status == 429 {
            return (passed, minutes);
        }
        assert_eq!(reply.status, 404, "{}", reply.body);
        passed += 1;
        assert!(passed < 1_000, "no limit");
    }
}

fn is_exact(cluster: &Cluster, n: usize) -> bool {
    metrics(cluster.address(n)).lines().any(|line| line == "morsel_limits_exact 1")
}

#[tokio::test]
async fn without_redis_limits_are_shared_fairly_and_without_the_bucket_only_photos_fail() {
    on_postgres(async |database| {
        let cluster = Cluster::start(3, url_of(database), LONG);
        let key = cluster.account("free@example.com", "free");
        cluster.redis.cut();
        Cluster::wait("all notice", || (0..3).all(|n| !is_exact(&cluster, n)));
        let shares: Vec<_> = (0..3).map(|n| passing(&cluster, n, &key)).collect();
        // If a minute ended meanwhile, a share was given twice.
        let minute = &shares[0].1;
        let is_one_minute = minute.len() == 1 && shares.iter().all(|(_, other)| other == minute);
        assert!(shares.iter().all(|(share, _)| *share >= 20 && (*share == 20 || !is_one_minute)), "{shares:?}");
        assert!(metrics(cluster.address(0)).contains("morsel_limits_local_total 2"), "{}", metrics(cluster.address(0)));
        cluster.redis.restore();
        Cluster::wait("limits are exact again", || (0..3).all(|n| is_exact(&cluster, n)));
        let (more, later) = passing(&cluster, 0, &key);
        assert!(more == 0 || !is_one_minute || later != *minute, "{more} more in the same minute");
        the_bucket_goes_away(&cluster);
    })
    .await;
}

fn the_bucket_goes_away(cluster: &Cluster) {
    let key = &cluster.key;
    let photo = photo_of(&cluster.call(0, "POST", "/v1/upload/base64", key, UPLOAD));
    cluster.images.cut();
    cluster.call(1, "POST", "/v1/upload/base64", key, UPLOAD).is_unavailable();
    cluster.call(2, "GET", &photo, key, "").is_unavailable();
    cluster.call(2, "DELETE", &photo, key, "").is_unavailable();
    assert_eq!(cluster.call(1, "POST", "/v1/estimate/sync", key, EGG).status, 200);
    assert_eq!(cluster.call(2, "POST", "/v1/recipes", key, r#"{"name": "Soup"}"#).status, 201);
    assert_eq!(cluster.call(0, "GET", "/readyz", "", "").status, 200, "the rest works");
    cluster.images.restore();
    Cluster::wait("photos are back", || cluster.call(2, "GET", &photo, key, "").status == 200);
    assert_eq!(cluster.call(1, "POST", "/v1/upload/base64", key, UPLOAD).status, 200);
    assert_eq!(cluster.call(1, "DELETE", &photo, key, "").status, 200, "a deletion that failed can be repeated");
}

/// Checks what a server does without its database.
fn is_bridged(cluster: &Cluster, unknown_key: &str) {
    let key = &cluster.key;
    for n in 0..cluster.servers.len() {
        assert_eq!(cluster.call(n, "POST", "/v1/estimate/sync", key, EGG).status, 200, "a known key, server {n}");
        assert_eq!(cluster.call(n, "GET", "/v1/foods?q=rye+bread", key, "").status, 200);
        cluster.call(n, "POST", "/v1/recipes", key, r#"{"name": "Lost"}"#).is_unavailable();
        cluster.call(n, "GET", "/v1/foods?q=egg", unknown_key, "").is_unavailable();
        // An answer is used for a moment.
        Cluster::wait("it is not ready", || {
            let begun = Instant::now();
            let ready = cluster.call(n, "GET", "/readyz", "", "");
            assert!(begun.elapsed() < BUSY, "{} after {:?}", ready.status, begun.elapsed());
            ready.status == 503
        });
        assert!(metrics(cluster.address(n)).contains("morsel_database_up 0"));
    }
}

#[test]
fn postgres_is_stopped_and_started() {
    let mut postgres = Postgres::start();
    let cluster = Cluster::start(2, postgres.url(), DEFAULT);
    let unknown = cluster.account("unknown@example.com", "pro");
    let key = &cluster.key;
    assert_eq!(cluster.call(0, "POST", "/v1/recipes", key, r#"{"name": "Kept"}"#).status, 201);
    for n in 0..2 {
        assert_eq!(cluster.call(n, "POST", "/v1/estimate/sync", key, EGG).status, 200);
    }
    for _ in 0..2 {
        postgres.stop();
        is_bridged(&cluster, &unknown);
        postgres.start_again();
        for n in 0..2 {
            Cluster::wait("writes work", || {
                cluster.call(n, "POST", "/v1/recipes", key, r#"{"name": "Again"}"#).status == 201
            });
            assert_eq!(cluster.call(n, "GET", "/v1/foods?q=egg", &unknown, "").status, 200);
            Cluster::wait("it is ready", || cluster.call(n, "GET", "/readyz", "", "").status == 200);
        }
        // Known again to be revocable.
        for n in 0..2 {
            assert_eq!(cluster.call(n, "POST", "/v1/estimate/sync", key, EGG).status, 200);
        }
        // The other key is unknown again once its account changes.
        cluster.morsel(&["account", "set-plan", "--email", "unknown@example.com", "--plan", "starter"]);
        for n in 0..2 {
            assert_eq!(cluster.call(n, "GET", "/v1/foods?q=egg", key, "").status, 200, "server {n} learns of it");
        }
    }
    let list = cluster.call(1, "GET", "/v1/recipes", key, "").body;
    assert_eq!((list.matches("Kept").count(), list.matches("Lost").count()), (1, 0), "{list}");
    assert_eq!(list.matches("Again").count(), 4, "{list}");
}

#[tokio::test]
async fn a_slow_or_broken_connection_to_postgres_is_bounded() {
    on_postgres(async |database| {
        let proxy = Proxy::to_socket(postgres_socket());
        let cluster = Cluster::start(1, &through(proxy.address(), database), DEFAULT);
        let key = &cluster.key;
        let estimate = || cluster.call(0, "POST", "/v1/estimate/sync", key, EGG).status;
        assert_eq!(estimate(), 200);
        for _ in 0..5 {
            proxy.reset();
            assert_eq!(estimate(), 200, "connections are made again");
        }
        proxy.slow(2 * BUSY);
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..40 {
                scope.spawn(|| assert_eq!(estimate(), 200));
            }
            scope.spawn(|| {
                let begun = Instant::now();
                assert_eq!(cluster.call(0, "GET", "/readyz", "", "").status, 503);
                assert!(begun.elapsed() < BUSY, "{:?}", begun.elapsed());
            });
        });
        // None of them waited for the database itself.
        assert!(begun.elapsed() < 2 * BUSY, "{:?}", begun.elapsed());
        cluster.call(0, "POST", "/v1/recipes", key, r#"{"name": "Slow"}"#).is_unavailable();
        proxy.restore();
        proxy.reset();
        Cluster::wait("writes work", || {
            cluster.call(0, "POST", "/v1/recipes", key, r#"{"name": "Fast"}"#).status == 201
        });
        assert!(send(cluster.address(0), "GET", "/healthz", &[], "").is_ok());
    })
    .await;
}
