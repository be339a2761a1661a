//! What one server does, the others know at once.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use serde_json::Value;
use test_support::{Database, on_postgres, run_sql};

use crate::cluster::{Cluster, EGG, PATIENT, UPLOAD, photo_of, send, url_of};
use crate::server::{printed, stderr};

#[tokio::test]
async fn three_servers_behave_as_one() {
    on_postgres(async |database| {
        let mut cluster = Cluster::start(3, url_of(database), PATIENT);
        a_limit_holds_exactly(&cluster);
        a_revoked_key_fails_everywhere(&cluster);
        a_recipe_counts_everywhere(&cluster);
        an_idempotency_key_replays_everywhere(&cluster);
        a_photo_is_everywhere(&cluster, database).await;
        wrong_keys_are_counted_together(&cluster);
        sign_ins_hold_everywhere(&cluster);
        usage_and_the_log_add_up(&cluster);
        all_stop_cleanly(&mut cluster);
    })
    .await;
}

fn a_limit_holds_exactly(cluster: &Cluster) {
    let key = cluster.account("limited@example.com", "starter");
    let passed = |answered: &AtomicU32| {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..24 {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        if n >= 2_000 {
                            break;
                        }
                        let status = cluster.call(n % 3, "GET", "/v1/foods/nothing", &key, "").status;
                        assert!([404, 429].contains(&status), "{status}");
                        answered.fetch_add(u32::from(status == 404), Ordering::Relaxed);
                    }
                });
            }
        });
    };
    let reset =
        |n| cluster.call(n, "GET", "/v1/foods/nothing", &key, "").header("x-ratelimit-reset").map(str::to_owned);
    // Unless a minute ends in the middle of it, which is likely on a slow machine: then another account begins.
    let before = reset(0);
    let answered = AtomicU32::new(0);
    passed(&answered);
    let windows = if before == reset(1) { 1 } else { 2 };
    let total = answered.into_inner() + 1;
    assert!(total == 300 || (windows == 2 && total <= 600), "{total} in {windows} windows");
    if windows == 1 {
        assert_eq!(total, 300);
    }
}

fn a_revoked_key_fails_everywhere(cluster: &Cluster) {
    let key = cluster.account("revoked@example.com", "pro");
    for n in 0..3 {
        assert_eq!(cluster.call(n, "GET", "/v1/foods?q=egg", &key, "").status, 200);
    }
    printed(&cluster.morsel(&["key", "revoke", &key[key.len() - 4..]]));
    for n in 0..3 {
        let reply = cluster.call(n, "GET", "/v1/foods?q=egg", &key, "");
        assert!(reply.status == 401 && reply.body.contains("revoked_key"), "{}", reply.body);
    }
}

fn a_recipe_counts_everywhere(cluster: &Cluster) {
    let text = r#"{"messages": [{"role": "user", "content": "one plonkedoodle"}]}"#;
    for n in 0..3 {
        assert_eq!(cluster.call(n, "POST", "/v1/estimate/sync", &cluster.key, text).status, 200);
    }
    let recipe = r#"{"name": "Plonkedoodle", "calories": 321}"#;
    assert_eq!(cluster.call(0, "POST", "/v1/recipes", &cluster.key, recipe).status, 201);
    for n in 0..3 {
        let estimate = cluster.call(n, "POST", "/v1/estimate/sync", &cluster.key, text).json();
        assert_eq!(estimate["items"][0]["calories"].as_f64().map(f64::round), Some(321.0), "{estimate}");
    }
}

fn an_idempotency_key_replays_everywhere(cluster: &Cluster) {
    let authorization = format!("Bearer {}", cluster.key);
    let headers = [("Authorization", authorization.as_str()), ("Idempotency-Key", "once")];
    let save =
        |n: usize| send(cluster.address(n), "POST", "/v1/recipes", &headers, r#"{"name": "Once"}"#).expect("answered");
    let first = save(0);
    assert_eq!(first.status, 201, "{}", first.body);
    for n in 1..3 {
        assert_eq!((save(n).status, save(n).body), (201, first.body.clone()));
    }
    let list = cluster.call(1, "GET", "/v1/recipes", &cluster.key, "").body;
    assert_eq!(list.matches("\"Once\"").count(), 1, "{list}");
}

async fn a_photo_is_everywhere(cluster: &Cluster, database: &Database) {
    let key = &cluster.key;
    let photo = photo_of(&cluster.call(0, "POST", "/v1/upload/base64", key, UPLOAD));
    let id = photo.rsplit('/').next().expect("an id").to_owned();
    let object = format!("images/{}/{id}", &id[4..6]);
    assert!(cluster.bucket.has(&object));
    for n in 0..3 {
        assert_eq!(cluster.call(n, "GET", &photo, key, "").status, 200);
    }
    let message = format!(
        r#"{{"messages": [{{"role": "user", "content": [{{"type": "image_url", "image_url": {{"url": "http://{}{photo}"}}}}, {{"type": "text", "text": "an egg"}}]}}]}}"#,
        cluster.address(1)
    );
    let used = cluster.call(1, "POST", "/v1/estimate/sync", key, &message);
    assert_eq!(used.status, 200, "{}", used.body);
    assert_eq!(cluster.call(2, "DELETE", &photo, key, "").status, 200);
    assert_eq!(cluster.call(0, "GET", &photo, key, "").status, 404);
    assert!(!cluster.bucket.has(&object));
    // One that has expired is removed by a server that starts, whoever stored it.
    let expiring = photo_of(&cluster.call(1, "POST", "/v1/upload/base64", key, UPLOAD));
    let id = expiring.rsplit('/').next().expect("an id");
    run_sql(database, "UPDATE images SET expires_at = 1").await;
    assert_eq!(cluster.call(2, "GET", &expiring, key, "").status, 404);
    let _fourth = cluster.server(3);
    Cluster::wait("the expired photo is removed", || !cluster.bucket.has(&format!("images/{}/{id}", &id[4..6])));
}

fn wrong_keys_are_counted_together(cluster: &Cluster) {
    let refused = (0..40).filter(|n| cluster.call(n % 3, "GET", "/v1/foods?q=egg", "svc_live_wrong", "").status == 429);
    // Thirty are let through, with the three of the revoked key; more only if a minute ended meanwhile.
    assert!(refused.count() <= 13);
    let codes: Vec<u16> =
        (0..3).map(|n| cluster.call(n, "GET", "/v1/foods?q=egg", "svc_live_wrong", "").status).collect();
    assert!(codes == [429; 3] || codes.contains(&401), "{codes:?}");
    assert_eq!(cluster.call(0, "GET", "/v1/foods?q=egg", &cluster.key, "").status, 200, "a valid key is not affected");
}

/// What a browser sends with every request.
const BROWSER: [(&str, &str); 2] = [("Sec-Fetch-Site", "same-origin"), ("Accept", "text/html")];

/// Signs in on the first server; returns the path of the link, which works once, and the cookie.
fn sign_in(cluster: &Cluster, email: &str) -> (String, String) {
    let link = printed(&cluster.morsel(&["account", "sign-in", "--email", email]));
    let path = link[link.find("/sign-in/").expect("a link")..].trim().to_owned();
    let signed_in = send(cluster.address(0), "POST", &path, &BROWSER, "").expect("answered");
    assert_eq!(signed_in.status, 303, "{}", signed_in.body);
    let cookie = signed_in.header("set-cookie").and_then(|cookie| cookie.split(';').next());
    (path, cookie.expect("a cookie").to_owned())
}

fn sign_ins_hold_everywhere(cluster: &Cluster) {
    let browser = BROWSER;
    let (path, cookie) = sign_in(cluster, "owner@localhost");
    let headers = [browser[0], browser[1], ("Cookie", cookie.as_str())];
    for n in 0..3 {
        assert_eq!(
            send(cluster.address(n), "GET", "/account", &headers, "").expect("answered").status,
            200,
            "server {n}"
        );
        assert_eq!(
            send(cluster.address(n), "POST", &path, &browser, "").expect("answered").status / 100,
            4,
            "the link is spent"
        );
    }
    let form = "email=limited%40example.com&password=not+the+right+one";
    let headers = [browser[0], browser[1], ("Content-Type", "application/x-www-form-urlencoded")];
    let attempt = |n: usize| send(cluster.address(n), "POST", "/sign-in", &headers, form).expect("answered").status;
    let attempts: Vec<u16> = (0..13).map(|n| attempt(n % 3)).collect();
    assert_eq!(attempts, [[401; 10].as_slice(), &[429; 3]].concat(), "ten over all servers");
    assert_eq!(
        send(cluster.address(1), "POST", "/sign-out", &[headers[0], ("Cookie", &cookie)], "").expect("answered").status,
        303
    );
    let gone = send(cluster.address(2), "GET", "/account", &[browser[1], ("Cookie", &cookie)], "").expect("answered");
    assert_ne!(gone.status, 200, "signed out everywhere");
}

fn usage_and_the_log_add_up(cluster: &Cluster) {
    let email = "counted@example.com";
    let key = cluster.account(email, "pro");
    let request = |n: usize| {
        let reply = cluster.call(n % 3, "POST", "/v1/estimate/sync", &key, EGG);
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.header("x-request-id").expect("an id").to_owned()
    };
    let ids: Vec<String> = (0..30).map(request).collect();
    let (_, cookie) = sign_in(cluster, email);
    let headers = [BROWSER[0], BROWSER[1], ("Cookie", cookie.as_str())];
    for n in 0..3 {
        let page = |path: &str| send(cluster.address(n), "GET", path, &headers, "").expect("answered");
        Cluster::wait("a server shows the usage of all", || {
            page("/usage").body.contains(r#"<span class="figure">30</span>"#)
        });
        Cluster::wait("a server shows the requests of all", || {
            let log = page("/log").body;
            ids.iter().all(|id| log.contains(&format!("/log/{id}")))
        });
        assert!(ids.iter().all(|id| page(&format!("/log/{id}")).status == 200));
    }
}

fn all_stop_cleanly(cluster: &mut Cluster) {
    for server in &mut cluster.servers {
        assert!(server.stop(), "it stops cleanly");
    }
    let listed = cluster.morsel(&["key", "list", "--email", "counted@example.com", "--json"]);
    let keys: Value =
        serde_json::from_str(&printed(&listed)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&listed)));
    assert!(keys[0]["last_used_at"].is_string(), "{keys}");
}
