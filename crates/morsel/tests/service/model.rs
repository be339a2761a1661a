//! A vision model of the owner's choice: asked over real HTTP, and failing in every way it can.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use morsel::config::{Config, Secret, Settings};
use morsel::environment::Environment;
use serde_json::{Value, json};
use store::Mode;
use tokio::net::TcpListener;

use crate::harness::{Reply, Service};
use crate::images::png;
use test_support::{Database, on_sqlite};

/// How a model behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Manner {
    Right,
    Late,
    Failing,
    FailingOnce,
    Limited,
    NotJson,
    Words,
    Refusing,
    Endless,
    Empty,
    Elsewhere,
    HangsUp,
}

pub struct Fake {
    manner: Manner,
    calls: AtomicU32,
    asked: std::sync::Mutex<Option<(HeaderMap, Value)>>,
}

async fn answer(State(fake): State<Arc<Fake>>, headers: HeaderMap, body: String) -> Response {
    let call = fake.calls.fetch_add(1, Ordering::SeqCst) + 1;
    let body = serde_json::from_str(&body).expect("JSON");
    *fake.asked.lock().expect("not poisoned") = Some((headers, body));
    let content = |content: &str| {
        json!({"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": content}}]})
            .to_string()
    };
    let foods = json!({"foods": [
        {"name": "scrambled eggs", "amount": 100, "unit": "g", "confidence": 0.9},
        {"name": "toast", "amount": 2, "unit": "slices", "confidence": 0.8},
    ]});
    match fake.manner {
        Manner::FailingOnce if call == 1 => StatusCode::BAD_GATEWAY.into_response(),
        Manner::Right | Manner::FailingOnce => content(&foods.to_string()).into_response(),
        Manner::Late => {
            std::future::pending::<()>().await;
            content(&foods.to_string()).into_response()
        }
        Manner::Failing => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Manner::Limited => (StatusCode::TOO_MANY_REQUESTS, "slow down").into_response(),
        Manner::NotJson => "<html>gateway</html>".into_response(),
        Manner::Words => content("I see some eggs, about 180 kcal.").into_response(),
        Manner::Refusing => json!({"choices": [{"message": {"content": null, "refusal": "I cannot look at this."}}]})
            .to_string()
            .into_response(),
        Manner::Endless => Body::from(vec![b' '; 2_000_000]).into_response(),
        Manner::Empty => content(r#"{"foods": []}"#).into_response(),
        Manner::Elsewhere => (StatusCode::FOUND, [("location", "http://127.0.0.1:1/")]).into_response(),
        Manner::HangsUp => {
            let broken = futures_util::stream::iter([Ok("{\"choices\""), Err(std::io::Error::other("gone"))]);
            Body::from_stream(broken).into_response()
        }
    }
}

pub async fn start(manner: Manner) -> (SocketAddr, Arc<Fake>) {
    let fake = Arc::new(Fake { manner, calls: AtomicU32::new(0), asked: std::sync::Mutex::new(None) });
    let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(Arc::clone(&fake));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, fake)
}

pub fn settings(address: SocketAddr) -> Settings {
    Settings {
        vision_url: Some(format!("http://{address}/v1")),
        vision_model: Some("eyes".to_owned()),
        vision_key: Some(Secret::new("sk-very-secret".to_owned())),
        vision_timeout: Some(600),
        ..Settings::default()
    }
}

/// A service that asks the model at this address, and asks again without a pause.
async fn service_with(database: &Database, settings: Settings) -> Service {
    Service::changed(database, settings, |_, environment| environment.timeouts.model_retry = Duration::ZERO).await
}

async fn ask(service: &Service, key: &str) -> Reply {
    let content = json!([{"type": "image_url", "image_url": {"url": png(200, 150)}}]);
    let body = json!({"messages": [{"role": "user", "content": content}], "include": ["source", "unresolved"]});
    service.post("/v1/estimate/sync", body).key(key).send().await
}

#[tokio::test]
async fn a_model_names_foods_and_the_catalog_gives_the_numbers() {
    on_sqlite(async |database| {
        let (address, fake) = start(Manner::Right).await;
        let service = Service::with(database, settings(address)).await;
        let answer = ask(&service, &service.key).await.ok();
        let typed = service.estimate("100 g scrambled eggs, 2 slices toast").await;
        assert_eq!(answer["totals"], typed["totals"], "{answer}");
        let photo = &answer["items"][0]["source"]["photo"];
        assert_eq!((&photo["by"], &photo["image"], &photo["confidence"]), (&json!("model"), &json!(1), &json!(0.9)));
        let (headers, body) = fake.asked.lock().expect("not poisoned").take().expect("asked");
        assert_eq!(headers["authorization"], "Bearer sk-very-secret");
        assert_eq!(body["model"], "eyes");
        let url = body["messages"][1]["content"][0]["image_url"]["url"].as_str().expect("a photo");
        assert!(url.starts_with("data:image/jpeg;base64,"));
        assert_eq!(body["response_format"]["type"], "json_schema");
        // The same photo again is cached.
        ask(&service, &service.key).await.ok();
        assert_eq!(fake.calls.load(Ordering::SeqCst), 1);
    })
    .await;
}

#[tokio::test]
async fn test_keys_never_leave_the_house() {
    on_sqlite(async |database| {
        let (address, fake) = start(Manner::Right).await;
        let service = Service::with(database, settings(address)).await;
        let (_, test_key) = service.key(Mode::Test, &["estimate"]).await;
        ask(&service, &test_key).await.ok();
        assert_eq!(fake.calls.load(Ordering::SeqCst), 0);
        // And a live key does not get what a test key got.
        ask(&service, &service.key).await.ok();
        assert_eq!(fake.calls.load(Ordering::SeqCst), 1);
    })
    .await;
}

#[tokio::test]
async fn whatever_a_model_does_wrong_the_program_answers_itself() {
    let cases = [
        (Manner::Failing, "status 500", 3),
        (Manner::Limited, "status 429", 3),
        (Manner::NotJson, "could not be read", 1),
        (Manner::Words, "could not be read", 1),
        (Manner::Refusing, "refused", 1),
        (Manner::Endless, "could not be read", 1),
        (Manner::Elsewhere, "status 302", 1),
        (Manner::HangsUp, "could not be reached", 3),
    ];
    for (manner, why, calls) in cases {
        on_sqlite(async |database| {
            let (address, fake) = start(manner).await;
            let service = service_with(database, settings(address)).await;
            let answer = ask(&service, &service.key).await.ok();
            assert!(answer.to_string().contains(why), "{manner:?}: {answer}");
            assert_eq!(fake.calls.load(Ordering::SeqCst), calls, "{manner:?}");
            // It is asked again for the next request: its failure is not cached.
            ask(&service, &service.key).await.ok();
            assert!(fake.calls.load(Ordering::SeqCst) > calls, "{manner:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn a_model_that_never_answers_is_given_up() {
    on_sqlite(async |database| {
        let (address, _) = start(Manner::Late).await;
        let short = |config: &mut Config, _: &mut Environment| {
            config.vision.model.as_mut().expect("a model").timeout = Duration::from_millis(100);
        };
        let service = Service::changed(database, settings(address), short).await;
        let answer = ask(&service, &service.key).await.ok();
        assert!(answer.to_string().contains("in time"), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn a_model_that_cannot_be_reached_is_reported_too() {
    on_sqlite(async |database| {
        let service = service_with(database, settings(SocketAddr::from(([127, 0, 0, 1], 1)))).await;
        let answer = ask(&service, &service.key).await.ok();
        assert!(answer.to_string().contains("could not be reached"), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn one_failure_is_forgiven() {
    on_sqlite(async |database| {
        let (address, fake) = start(Manner::FailingOnce).await;
        let service = service_with(database, settings(address)).await;
        let answer = ask(&service, &service.key).await.ok();
        assert_eq!(answer["items"].as_array().map(Vec::len), Some(2), "{answer}");
        assert_eq!(fake.calls.load(Ordering::SeqCst), 2);
    })
    .await;
}

#[tokio::test]
async fn a_photo_without_food_is_an_empty_answer() {
    on_sqlite(async |database| {
        let (address, _) = start(Manner::Empty).await;
        let service = Service::with(database, settings(address)).await;
        let answer = ask(&service, &service.key).await.ok();
        assert_eq!((&answer["items"], &answer["unresolved"]), (&json!([]), &json!(["image 1"])));
    })
    .await;
}

#[tokio::test]
async fn the_calls_of_a_day_are_counted() {
    on_sqlite(async |database| {
        let (address, fake) = start(Manner::Refusing).await;
        let settings = Settings { vision_calls_a_day: Some(2), ..settings(address) };
        let service = Service::with(database, settings).await;
        for _ in 0..2 {
            ask(&service, &service.key).await.ok();
        }
        let answer = ask(&service, &service.key).await.ok();
        assert!(answer.to_string().contains("used up"), "{answer}");
        assert_eq!(fake.calls.load(Ordering::SeqCst), 2);
        service.advance(Duration::from_hours(24));
        let answer = ask(&service, &service.key).await.ok();
        assert!(answer.to_string().contains("refused"), "{answer}");
        assert_eq!(fake.calls.load(Ordering::SeqCst), 3, "the next day has calls of its own");
    })
    .await;
}

#[test]
fn half_a_model_is_refused_and_its_key_is_never_shown() {
    let wrong = |settings: Settings| morsel::config::Config::new(&settings).expect_err("refused");
    let url = Some("http://127.0.0.1:1/v1".to_owned());
    assert!(wrong(Settings { vision_url: url.clone(), ..Settings::default() }).contains("vision_model"));
    let model = Some("eyes".to_owned());
    assert!(wrong(Settings { vision_model: model.clone(), ..Settings::default() }).contains("vision_url"));
    let leaky =
        Settings { vision_url: Some("http://user:sk-1@host".to_owned()), vision_model: model, ..Settings::default() };
    let told = wrong(leaky);
    assert!(told.contains("vision_url") && !told.contains("sk-1"), "{told}");
    let settings = Settings { vision_key: Some(Secret::new("sk-very-secret".to_owned())), ..Settings::default() };
    assert!(!format!("{settings:?}").contains("sk-very-secret"));
}
