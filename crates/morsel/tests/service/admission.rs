//! No account takes from others what they need: processors, memory, streams, pages.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::{self, FuturesUnordered};
use futures_util::{FutureExt as _, StreamExt as _};
use http_body_util::BodyExt as _;
use morsel::work_queue::{QueuePlace, WorkQueue, processors};
use serde_json::{Value, json};
use store::{AccountId, NewRecipe, Plan, Rng};
use tokio::task::yield_now;

use crate::harness::{Reply, Service};
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

fn meal(text: &str) -> Value {
    json!({"messages": [{"role": "user", "content": text}]})
}

/// Takes all places but one, so that jobs run one after the other, and then that one too.
fn occupy(queue: &WorkQueue, account: &AccountId, running: usize) -> (Vec<QueuePlace>, QueuePlace) {
    let place = || queue.enter(account).expect("idle");
    ((1..running).map(|_| place()).collect(), place())
}

async fn until_jobs(queue: &WorkQueue, count: usize) {
    while queue.jobs() < count {
        yield_now().await;
    }
}

/// Sends requests of a greedy account and then of another one while nothing can run, and returns whose were answered in
/// which order.
async fn order_of_answers(
    service: &Service,
    queue: &WorkQueue,
    running: usize,
    (greedy, others): (usize, usize),
    send: impl AsyncFn(&str, usize) -> Reply,
) -> Vec<&'static str> {
    let (_account, stranger) = service.stranger().await;
    let (kept, last) = occupy(queue, &service.account.id, running);
    let order = Mutex::new(Vec::new());
    // Turns follow the time that jobs took, which a busy machine decides; only the first turn of an account is certain.
    let answered = async |name: &'static str, key: &str, n: usize| {
        assert_eq!(send(key, n).await.status, 200);
        order.lock().expect("no panic").push(name);
    };
    let all_wait = async {
        until_jobs(queue, running + greedy + others).await;
        drop(last);
    };
    let one = async |n: usize| {
        if n < greedy {
            return answered("greedy", &service.key, n).await;
        }
        until_jobs(queue, running + greedy).await;
        answered("other", &stranger, 100 + n).await;
    };
    // All together and in the order in which they are ready: on a busy machine many are, before any of them is looked at.
    let all: FuturesUnordered<_> = (0..greedy + others).map(one).collect();
    tokio::join!(all.for_each(async |()| {}), all_wait);
    drop(kept);
    order.into_inner().expect("no panic")
}

#[tokio::test]
async fn accounts_take_turns_however_many_texts_one_has_sent() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let estimate = async |key: &str, n: usize| {
            service.post("/v1/estimate/sync", meal(&format!("{n} eggs"))).key(key).send().await
        };
        let order = order_of_answers(&service, &service.app.texts, processors(), (30, 1), estimate).await;
        let other = order.iter().position(|name| *name == "other").expect("answered");
        assert!(other < 10, "a text, after at most one of the thirty before it: {order:?}");
    })
    .await;
}

#[tokio::test]
async fn accounts_take_turns_with_photos() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let upload = async |key: &str, n: usize| {
            let image = crate::images::png(64 + n as u32, 64);
            service.post("/v1/upload/base64", json!({"image": image})).key(key).send().await
        };
        let running = (processors() - 1).clamp(1, 4);
        let order = order_of_answers(&service, &service.app.photos, running, (8, 1), upload).await;
        let other = order.iter().position(|name| *name == "other").expect("answered");
        assert!(other < 7, "a photo, after at most one of the eight before it: {order:?}");
    })
    .await;
}

#[tokio::test]
async fn equal_estimates_at_once_are_computed_once() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (kept, last) = occupy(&service.app.texts, &service.account.id, processors());
        let begun = service.app.texts.begun();
        let asked = (0..20).map(|_| service.post("/v1/estimate/sync", meal("two eggs and a latte")).send());
        let release = async {
            until_jobs(&service.app.texts, processors() + 1).await;
            for _ in 0..100 {
                yield_now().await;
            }
            drop((kept, last));
        };
        let (replies, ()) = tokio::join!(futures_util::future::join_all(asked), release);
        let first = replies[0].ok();
        assert!(replies.iter().all(|reply| reply.ok() == first));
        assert_eq!(service.app.texts.begun() - begun, 1);
    })
    .await;
}

#[tokio::test]
async fn recipes_are_prepared_once_for_all_who_wait_for_them() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let aliases: Vec<String> = (0..50).map(|n| format!("grandmother's famous number {n} casserole")).collect();
        for n in 0..3 {
            service.recipe(json!({"name": format!("Casserole {n}"), "calories": 300, "aliases": aliases})).await;
        }
        let edition = async || service.app.account_cache.recipes(&service.account.id).await.expect("read").edition;
        let before = edition().await;
        service.recipe(json!({"name": "Power Bowl", "calories": 512})).await;
        let texts: Vec<String> = (0..16).map(|n| format!("{n} apples and a power bowl")).collect();
        for answer in futures_util::future::join_all(texts.iter().map(|text| service.estimate(text))).await {
            let items = answer["items"].as_array().expect("items").clone();
            assert!(items.iter().any(|item| item["name"] == "Power Bowl" && item["calories"] == 512.0), "{items:?}");
        }
        assert_eq!(edition().await - before, 1, "each preparation takes a number");
    })
    .await;
}

#[tokio::test]
async fn the_names_of_all_recipes_are_limited_together() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let aliases: Vec<String> = (0..50).map(|n| format!("{n:02}{}", "x".repeat(195))).collect();
        let full = || NewRecipe {
            name: "Pie".to_owned(),
            macros: nutrition::Macros::default(),
            serving_description: None,
            aliases: aliases.clone(),
            ingredients: None,
        };
        let recipes = service.app.store.recipes();
        let mut last = None;
        for _ in 0..99 {
            let (now, rng) = (service.app.now(), &mut Rng::system());
            let made = recipes.create(&service.account.id, full(), 1_000, now, rng, None).await;
            last = Some(made.expect("saved"));
        }
        let last = format!("/v1/recipes/{}", last.expect("made").id);
        let post = async |body: Value| service.post("/v1/recipes", body).send().await;
        let refused = post(json!({"name": "Pie", "aliases": aliases})).await;
        assert_eq!(refused.error(400), "recipe_limit");
        assert!(refused.text().contains("1000000 characters together"), "{}", refused.text());
        assert_eq!(post(json!({"name": "Small"})).await.status, 201, "there is room for a small one");
        let put = async |body: Value| service.call("PUT", &last).body(body.to_string()).send().await;
        assert_eq!(put(json!({"aliases": []})).await.status, 200, "shorter is always allowed");
        assert_eq!(post(json!({"name": "Pie", "aliases": aliases})).await.status, 201);
        assert_eq!(put(json!({"aliases": aliases})).await.error(400), "recipe_limit");
    })
    .await;
}

#[tokio::test]
async fn a_body_in_single_bytes_takes_no_more_memory_than_in_one_piece() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, stranger) = service.stranger().await;
        // 64 KiB at once, then single bytes, then silence.
        let sent = Arc::new(Mutex::new(0));
        let pieces = || {
            let sent = Arc::clone(&sent);
            let piece = move |n: usize| {
                *sent.lock().expect("no panic") += 1;
                Ok::<_, std::io::Error>(Bytes::from(vec![b' '; if n == 0 { 64 * 1024 } else { 1 }]))
            };
            Body::from_stream(stream::iter(0..10_001).map(piece).chain(stream::pending()))
        };
        let mut slow: Vec<_> =
            (0..4).map(|_| Box::pin(service.post("/v1/upload/base64", "").send_pieces(pieces()))).collect();
        while *sent.lock().expect("no panic") < 4 * 10_001 {
            for upload in &mut slow {
                assert!(upload.now_or_never().is_none());
            }
            yield_now().await;
        }
        assert_eq!(service.app.memory.held(), 4 * 10_000);
        let image = json!({"image": crate::images::png(64, 64)});
        assert_eq!(service.post("/v1/upload/base64", image).key(&stranger).send().await.status, 200);
        drop(slow);
        assert_eq!(service.app.memory.held(), 0);
    })
    .await;
}

#[tokio::test]
async fn pages_have_a_window_of_their_own() {
    on_both(async |database| {
        let service = Service::on(database).await;
        service.app.store.accounts().set_plan(&service.account.id, Plan::Free).await.expect("on a plan");
        let user = Visitor::signed_in(&service, &service.account).await;
        for n in 0..120 {
            assert_eq!(user.open("/foods").await.status, 200, "{n}");
        }
        let refused = user.open("/foods?q=egg").await;
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some("30")));
        let page = refused.text();
        assert!(page.contains("<html") && page.contains("Too many requests"), "{page}");
        assert!(page.contains("You opened more than 120 pages in a minute. Try again in 30 s."), "{page}");
        assert_eq!(service.get("/v1/recipes").send().await.header("x-ratelimit-remaining"), Some("59"));
        let (other, _) = service.stranger().await;
        assert_eq!(Visitor::signed_in(&service, &other).await.open("/foods").await.status, 200);
        service.advance(Duration::from_secs(30));
        assert_eq!(user.open("/foods?q=egg").await.status, 200, "in the next minute");
    })
    .await;
}

#[tokio::test]
async fn pages_and_exports_wait_in_the_line_of_their_account() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let user = Visitor::signed_in(&service, &service.account).await;
        let fill = |queue: &WorkQueue| std::iter::from_fn(|| queue.enter(&service.account.id).ok()).collect::<Vec<_>>();
        let (texts, bulk) = (fill(&service.app.texts), fill(&service.app.bulk));
        for path in ["/foods?q=egg", "/account/export", "/usage.csv"] {
            let refused = user.open(path).await;
            assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{path}");
            assert!(refused.text().contains("Temporarily unavailable"), "{}", refused.text());
        }
        drop((texts, bulk));
        for path in ["/foods?q=egg", "/account/export", "/usage.csv"] {
            assert_eq!(user.open(path).await.status, 200, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_nobody_reads_is_kept_once_and_not_for_ever() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "egg\n".repeat(500)}]});
        // The second time it is cached, so that all of the stream is there at once.
        service.post("/v1/estimate/sync", &body).send().await;
        let sync = service.post("/v1/estimate/sync", &body).send().await;
        let response = service.post("/v1/estimate", &body).begin().await;
        let mut events = response.into_body();
        let mut next = async || {
            let frame = events.frame().await?.expect("no error");
            Some(String::from_utf8(frame.into_data().expect("data").to_vec()).expect("text"))
        };
        assert!(next().await.expect("it begins").starts_with("event: start\n"));
        assert!(next().await.expect("an item").starts_with("event: item\n"));
        let held = service.app.memory.held();
        assert!((500..=sync.body.len()).contains(&held), "{held} of {} bytes", sync.body.len());
        service.advance(Duration::from_secs(119));
        assert!(next().await.expect("an item").starts_with("event: item\n"));
        service.advance(Duration::from_secs(1));
        let last = next().await.expect("an end");
        assert!(last.starts_with("event: error\n") && last.contains("\"too_slow\""), "{last}");
        assert_eq!(next().await, None);
        drop(events);
        assert_eq!((service.app.memory.held(), service.app.streams.held()), (0, 0));
    })
    .await;
}

#[tokio::test]
async fn an_account_has_so_many_streams_at_once() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, stranger) = service.stranger().await;
        let others = service.app.streams.reserve(&service.account.id, 2_047).expect("none is open");
        let open = service.post("/v1/estimate", meal("an egg")).begin().await;
        assert_eq!(open.status(), 200);
        let refused = service.post("/v1/estimate", meal("an egg")).send().await;
        assert_eq!(refused.error(429), "too_many_streams");
        assert_eq!(service.post("/v1/estimate", meal("an egg")).key(&stranger).send().await.status, 200);
        drop(open);
        assert_eq!(service.post("/v1/estimate", meal("an egg")).send().await.status, 200);
        drop(others);
    })
    .await;
}

#[tokio::test]
async fn a_photo_is_read_again_for_another_account() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, stranger) = service.stranger().await;
        let image = json!({"type": "image_url", "image_url": {"url": crate::images::png(64, 64)}});
        let body = json!({"messages": [{"role": "user", "content": [image]}]});
        let jobs = async |key: &str| {
            let begun = service.app.photos.begun();
            assert_eq!(service.post("/v1/estimate/sync", &body).key(key).send().await.status, 200);
            service.app.photos.begun() - begun
        };
        // Decoding the data URL is a job of its own.
        assert_eq!((jobs(&service.key).await, jobs(&service.key).await), (2, 1), "the second time from memory");
        assert_eq!((jobs(&stranger).await, jobs(&stranger).await), (2, 1), "which others cannot notice");
    })
    .await;
}

#[tokio::test]
async fn the_list_of_recipes_is_compressed_once() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for n in 0..20 {
            service.recipe(json!({"name": format!("Casserole {n}"), "aliases": ["hotpot", "stew"]})).await;
        }
        let plain = service.get("/v1/recipes").send().await;
        assert_eq!(plain.header("content-encoding"), None);
        let get = async || service.get("/v1/recipes").header("accept-encoding", "gzip").send().await;
        let compressed = get().await;
        assert_eq!((compressed.status, compressed.header("content-encoding")), (200, Some("gzip")));
        assert_eq!(compressed.header("content-type"), Some("application/json"));
        let mut unpacked = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&compressed.body[..]), &mut unpacked)
            .expect("gzip");
        assert_eq!(unpacked, plain.body);
        let recipes = service.app.account_cache.recipes(&service.account.id).await.expect("read");
        assert_eq!(recipes.listed_compressed.get().map(|kept| kept.to_vec()), Some(compressed.body), "as it was sent");
        service.recipe(json!({"name": "Pie"})).await;
        assert!(get().await.body.len() > 20);
        let plain = service.get("/v1/recipes").send().await.ok();
        assert_eq!(plain["recipes"].as_array().map(Vec::len), Some(21));
    })
    .await;
}

#[tokio::test]
async fn a_large_response_counts_as_memory_until_it_is_read() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (_, stranger) = service.stranger().await;
        let path = "/v1/estimate/sync?include=source,alternatives,nutrients,range,grams";
        let body = json!({"messages": [{"role": "user", "content": "egg\n".repeat(1_000)}]});
        let whole = service.post(path, &body).send().await;
        assert!(whole.body.len() > 64 * 1024 && service.app.memory.held() == 0);
        let mut unread = Vec::new();
        let refused = loop {
            let response = service.post(path, &body).begin().await;
            if response.status() != 200 {
                break response;
            }
            unread.push(response);
            assert_eq!(service.app.memory.held(), unread.len() * whole.body.len());
        };
        assert_eq!((refused.status().as_u16(), unread.len()), (503, (68 << 20) / whole.body.len()));
        assert_eq!(service.post(path, &body).key(&stranger).send().await.status, 200);
        let read = unread.pop().expect("one").into_body().collect().await.expect("whole").to_bytes();
        assert_eq!(read, whole.body, "in pieces, and still the same");
        assert_eq!(service.post(path, &body).send().await.status, 200, "there is room again");
        drop(unread);
        assert_eq!(service.app.memory.held(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_large_page_counts_as_memory_of_its_account_until_it_is_read() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for number in 0..200 {
            let body = json!({"name": format!("Soup {number}"), "aliases": (0..20).map(|alias| format!("soup {number} as alias {alias}")).collect::<Vec<_>>()});
            assert_eq!(service.post("/v1/recipes", &body).send().await.status, 201);
        }
        let cook = Visitor::signed_in(&service, &service.account).await;
        let page = cook.call("GET", "/recipes").begin().await;
        assert_eq!(page.status(), 200);
        let held = service.app.memory.held();
        assert!(held > 64 * 1024, "{held}");
        let read = page.into_body().collect().await.expect("whole").to_bytes();
        assert_eq!((read.len(), service.app.memory.held()), (held, 0));
        assert_eq!(cook.call("GET", "/keys").begin().await.status(), 200);
        assert_eq!(service.app.memory.held(), 0, "small pages are not counted");
    })
    .await;
}
