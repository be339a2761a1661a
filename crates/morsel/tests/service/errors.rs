//! What bad requests get: the right status, the contract's form, nothing else.

use morsel::observe::{Observer, observe};
use serde_json::json;
use store::{NewAccount, Rng};

use crate::access::ENDPOINTS;
use crate::harness::Service;
use crate::visitor::Visitor;
use test_support::{email, on_sqlite};

#[tokio::test]
async fn unknown_addresses_and_methods_are_told_in_the_same_form() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for path in ["/v1", "/v1/", "/v1/estimates", "/v1/recipes/a/b", "/v3/foods", "/favicon.png"] {
            assert_eq!(service.get(path).send().await.error(404), "not_found", "{path}");
        }
        assert!(service.get("/v1/nowhere").send().await.header("x-ratelimit-limit").is_some());
        for (method, path, allow) in [
            ("GET", "/v1/estimate", "POST"),
            ("PUT", "/v1/foods", "GET, HEAD"),
            ("PATCH", "/v1/recipes", "GET, POST, HEAD"),
            ("POST", "/v1/recipes/rcp_x", "GET, PUT, DELETE, HEAD"),
            ("DELETE", "/healthz", "GET, HEAD"),
        ] {
            let reply = service.call(method, path).send().await;
            assert_eq!(reply.error(405), "method_not_allowed", "{method} {path}");
            assert_eq!(reply.header("allow"), Some(allow), "{method} {path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_path_that_is_not_utf_8_is_not_found_on_every_route() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for (method, path, _) in ENDPOINTS.into_iter().filter(|(_, path, _)| path.contains('{')) {
            let path = path.replace("{id}", "%ff").replace("{gtin}", "%c3%28");
            assert_eq!(service.call(method, &path).send().await.error(404), "not_found", "{method} {path}");
        }
        let owner = NewAccount { is_owner: true, ..NewAccount::new(email("owner@example.com")) };
        let owner = service.app.store.accounts().create(owner, service.app.now(), &mut Rng::system()).await;
        let mut owner = Visitor::signed_in(&service, &owner.expect("an account")).await;
        for path in [
            "/keys/%ff",
            "/keys/%ff/revoke",
            "/foods/%ff",
            "/recipes/%ff",
            "/assets/%ff/style.css",
            "/assets/0/%ff",
            "/owner/accounts/%ff",
        ] {
            let reply = owner.open(path).await;
            assert_eq!((reply.status, reply.header("content-type")), (404, Some("text/html; charset=utf-8")), "{path}");
            assert!(reply.text().contains("<h1>Not found</h1>"), "{path}: {}", reply.text());
        }
        for path in [
            "/keys/%ff/label",
            "/keys/%ff/rotate",
            "/keys/%ff/revoke",
            "/recipes/%ff",
            "/recipes/%ff/delete",
            "/account/sessions/%ff/end",
            "/owner/accounts/%ff/plan",
            "/sign-in/%ff",
        ] {
            let reply = owner.send(path, &[]).await;
            assert_eq!((reply.status, reply.header("content-type")), (404, Some("text/html; charset=utf-8")), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn error_pages_have_the_chosen_theme() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let open = async |cookie: &str| {
            let call = service.get("/nowhere").no_key().header("accept", "text/html").header("cookie", cookie);
            let reply = call.send().await;
            assert_eq!(reply.status, 404);
            reply.text()
        };
        assert!(open("a=b; morsel_theme=dark").await.contains("data-theme=\"dark\""));
        assert!(!open("morsel_theme=pink").await.contains("data-theme"));
    })
    .await;
}

#[tokio::test]
async fn the_caller_s_request_id_is_kept_when_it_is_sane() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let sent = async |id: &str| {
            let reply = service.get("/healthz").header("x-request-id", id).send().await;
            reply.header("x-request-id").expect("always there").to_owned()
        };
        assert_eq!(sent("my-id_1.2").await, "my-id_1.2");
        let longest = "x".repeat(128);
        assert_eq!(sent(&longest).await, longest);
        for insane in ["", "a b", "<script>", &"x".repeat(129)] {
            assert!(sent(insane).await.starts_with("req_"), "{insane}");
        }
    })
    .await;
}

#[tokio::test]
async fn bodies_are_json_whatever_their_label_says() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let body = json!({"messages": [{"role": "user", "content": "an egg"}]});
        for label in ["application/x-www-form-urlencoded", "text/plain", "nonsense"] {
            let reply = service.post("/v1/estimate/sync", &body).header("content-type", label).send().await;
            assert_eq!(reply.ok()["items"].as_array().map(Vec::len), Some(1));
        }
        for (body, code) in [
            ("", "invalid_json"),
            ("   ", "invalid_json"),
            ("{", "invalid_json"),
            ("[]", "invalid_json"),
            ("\"egg\"", "invalid_json"),
            ("{\"messages\": [}", "invalid_json"),
            ("\u{feff}{}", "invalid_json"),
            ("{}", "invalid_request"),
        ] {
            assert_eq!(service.post("/v1/estimate/sync", body).send().await.error(400), code, "{body}");
            assert_eq!(service.post("/v1/estimate", body).send().await.error(400), code, "{body}");
            assert_eq!(service.post("/v1/recipes", body).send().await.error(400), code, "{body}");
            assert_eq!(service.post("/v1/upload/base64", body).send().await.error(400), code, "{body}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(service.post("/v1/estimate/sync", deep).send().await.error(400), "invalid_json");
        let not_text = service.call("POST", "/v1/estimate/sync").body(vec![b'"', 0xff, 0xfe, b'"']).send().await;
        assert_eq!(not_text.error(400), "invalid_json");
    })
    .await;
}

#[tokio::test]
async fn hostile_bodies_are_refused_by_name() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let user = |content: &str| format!(r#"{{"messages": [{{"role": "user", "content": {content}}}]}}"#);
        let deep = "[".repeat(50_000) + &"]".repeat(50_000);
        let many = |entry: &str, count: usize| format!("[{}]", vec![entry; count].join(","));
        let egg = r#"{"role": "user", "content": "an egg"}"#;
        let image = r#"{"type": "image_url", "image_url": {"url": "https://example.com/a.jpg"}}"#;
        let part = |part: &str| user(&format!("[{part}]"));
        for (body, param) in [
            (user(&deep), "messages[0].content[0]"),
            (format!(r#"{{"messages": {deep}}}"#), "messages[0]"),
            (format!(r#"{{"messages": {}}}"#, many(egg, 51)), "messages"),
            (format!(r#"{{"messages": {}}}"#, many(egg, 20_000)), "messages"),
            (user(&many(image, 6)), "messages[0].content"),
            (user(&many(image, 10_000)), "messages[0].content"),
            (user(&many(r#"{"type": "text", "text": "egg"}"#, 10_000)), "messages[0].content"),
            (format!(r#"{{"messages": [{egg}], "messages": [{egg}]}}"#), "messages"),
            (r#"{"messages": [{"role": "user", "role": "user", "content": "egg"}]}"#.to_owned(), "messages[0].role"),
            (part(r#"{"type": "text", "text": "egg", "text": "toast"}"#), "messages[0].content[0].text"),
            (user("null"), "messages[0].content"),
            (user("{}"), "messages[0].content"),
            (part("null"), "messages[0].content[0]"),
            (part(r#"["text", "egg"]"#), "messages[0].content[0]"),
            (part(r#"{"type": null, "text": "egg"}"#), "messages[0].content[0].type"),
            (part(r#"{"type": "text", "text": null}"#), "messages[0].content[0].text"),
            (part(r#"{"type": "image_url", "image_url": null}"#), "messages[0].content[0].image_url.url"),
            (r#"{"messages": null}"#.to_owned(), "messages"),
            (r#"{"messages": {"0": "egg"}}"#.to_owned(), "messages"),
            (r#"{"messages": [["user", "egg"]]}"#.to_owned(), "messages[0]"),
            (r#"{"messages": [{"role": true, "content": "egg"}]}"#.to_owned(), "messages[0].role"),
            (format!(r#"{{"messages": [{egg}], "include": "tier"}}"#), "include"),
            (format!(r#"{{"messages": [{egg}], "include": {}}}"#, many("null", 10_000)), "include[0]"),
        ] {
            for path in ["/v1/estimate/sync", "/v1/estimate"] {
                let reply = service.post(path, &body).send().await;
                assert_eq!(reply.error(400), "invalid_request", "{}", &body[..body.len().min(100)]);
                assert_eq!(reply.bad(400), param, "{}", &body[..body.len().min(100)]);
                let sentence = reply.json()["error"].as_str().expect("a sentence").to_owned();
                assert!(sentence.starts_with(&format!("“{param}” ")) && sentence.len() < 200, "{sentence}");
            }
        }
        let ignored =
            format!(r#"{{"messages": [{egg}], "include": null, "metadata": {deep}, "user": "x", "user": "y"}}"#);
        assert_eq!(service.post("/v1/estimate/sync", ignored).send().await.status, 200, "unknown fields are ignored");
        for (body, param) in [
            (format!(r#"{{"name": "x", "aliases": {}}}"#, many("\"y\"", 51)), "aliases"),
            (format!(r#"{{"name": "x", "aliases": {deep}}}"#), "aliases[0]"),
            (r#"{"name": "x", "name": "y"}"#.to_owned(), "name"),
            (r#"{"name": null}"#.to_owned(), "name"),
            (r#"{"name": "x", "calories": {"value": 5}}"#.to_owned(), "calories"),
        ] {
            assert_eq!(
                service.post("/v1/recipes", &body).send().await.bad(400),
                param,
                "{}",
                &body[..60.min(body.len())]
            );
        }
        let twice = r#"{"image": "data:", "image": "data:"}"#;
        assert_eq!(service.post("/v1/upload/base64", twice).send().await.bad(400), "image");
    })
    .await;
}

#[tokio::test]
async fn sizes_are_limited() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let large = format!("{{\"name\": \"{}\"}}", "x".repeat(600 * 1024));
        assert_eq!(service.post("/v1/recipes", large).send().await.error(413), "too_large");
        let text = json!({"messages": [{"role": "user", "content": "egg ".repeat(3_000)}]});
        assert_eq!(service.post("/v1/estimate/sync", text).send().await.bad(400), "messages");
    })
    .await;
}

#[tokio::test]
async fn secrets_are_in_no_error() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let wrong = service.key.replace("svc_live_", "svc_test_");
        let reply = service.get("/v1/foods?q=egg").key(&wrong).send().await;
        assert!(!reply.text().contains(&wrong[9..]), "{}", reply.text());
    })
    .await;
}

#[tokio::test]
async fn every_answer_can_be_traced_and_is_not_cached() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for path in ["/healthz", "/readyz", "/openapi.json", "/v1/recipes", "/v1/nowhere"] {
            let reply = service.get(path).send().await;
            assert!(reply.header("x-request-id").is_some(), "{path}");
            assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
            assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_panic_is_an_answer_with_a_request_id() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let observer = Observer { app: service.app.clone(), write_error_page: |_, _, _| {} };
        let broken = axum::Router::new()
            .route("/broken", axum::routing::get(async || -> &'static str { panic!("a bug with a secret in it") }))
            .layer(axum::middleware::from_fn_with_state(observer, observe));
        let service = Service { router: broken, ..service };
        let reply = service.get("/broken").send().await;
        assert_eq!(reply.error(500), "internal_error");
        assert!(!reply.text().contains("secret"), "{}", reply.text());
    })
    .await;
}

#[tokio::test]
async fn web_pages_may_call_only_where_they_are_allowed_to() {
    on_sqlite(async |database| {
        let closed = Service::on(database).await;
        let reply = closed.get("/v1/foods?q=egg").header("origin", "https://app.example.com").send().await;
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, None));
    })
    .await;
    on_sqlite(async |database| {
        let origins = Some(vec!["https://app.example.com".to_owned()]);
        let settings = morsel::config::Settings { cors_origins: origins, ..Default::default() };
        let open = Service::with(database, settings).await;
        let preflight = open
            .call("OPTIONS", "/v1/estimate")
            .no_key()
            .header("origin", "https://app.example.com")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type")
            .send()
            .await;
        assert_eq!(preflight.status, 200);
        assert_eq!(preflight.header("access-control-allow-origin"), Some("https://app.example.com"));
        assert!(preflight.header("access-control-allow-methods").is_some_and(|methods| methods.contains("PUT")));
        let other = open.get("/v1/foods?q=egg").header("origin", "https://evil.example.com").send().await;
        assert_eq!(other.header("access-control-allow-origin"), None);
        let exposed = open.get("/v1/foods?q=egg").header("origin", "https://app.example.com").send().await;
        assert!(exposed.header("access-control-expose-headers").is_some_and(|names| names.contains("retry-after")));
    })
    .await;
}

#[tokio::test]
async fn large_answers_are_compressed_for_those_who_can_read_it() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let plain = service.get("/v1/foods?q=milk").send().await;
        let packed = service.get("/v1/foods?q=milk").header("accept-encoding", "gzip").send().await;
        assert_eq!((plain.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
        assert!(packed.body.len() < plain.body.len() / 2, "{} {}", packed.body.len(), plain.body.len());
        let small = service.get("/v1/recipes").header("accept-encoding", "gzip").send().await;
        assert_eq!(small.header("content-encoding"), None);
        let body = json!({"messages": [{"role": "user", "content": "an egg"}]});
        let stream = service.post("/v1/estimate", body).header("accept-encoding", "gzip").send().await;
        assert_eq!(stream.header("content-encoding"), None, "events must not wait for a compressor");
    })
    .await;
}
