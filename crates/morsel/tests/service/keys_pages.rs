//! The keys page: every way to make a key, and what becomes of it.

use std::time::Duration;

use jiff::SignedDuration;
use store::{Mode, NewKey, Rng, Scopes};

use crate::harness::Service;
use crate::visitor::{Visitor, hidden, shown_key};
use test_support::{on_both, on_sqlite};

#[tokio::test]
async fn a_new_key_works_is_shown_once_and_made_once() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let id = hidden(&cook.page("/keys/new").await, "id");
        let fields = [("id", id.as_str()), ("label", "phone app"), ("mode", "live"), ("preset", "all")];
        let reply = cook.send("/keys/new", &fields).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let page = reply.text();
        let key = shown_key(&page);
        assert!(page.contains("curl http://food.test/v1/estimate/sync"), "{page}");
        assert_eq!(service.get("/v1/foods?q=egg").key(&key).send().await.status, 200);
        let again = cook.send("/keys/new", &fields).await;
        assert_eq!((again.status, again.header("location")), (303, Some("/keys?flash=key-already-created")));
        let list = cook.page("/keys").await;
        assert!(list.contains("phone app") && list.contains(&key[key.len() - 4..]) && !list.contains(&key), "{list}");
        assert!(!cook.page(&format!("/keys/{id}")).await.contains(&key));
        assert_eq!(service.app.store.keys().list(&service.account.id).await.expect("read").len(), 2);
    })
    .await;
}

/// What is sent; mode, scopes and days of the key that it makes.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, Option<i64>);

#[tokio::test]
async fn presets_boxes_modes_and_ends() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let next_week = service.app.now().to_zoned(jiff::tz::TimeZone::UTC).date() + jiff::Span::new().days(5);
        let next_week = next_week.to_string();
        let cases: [Case<'_>; 7] = [
            (&[], "live", "estimate,upload,foods:read,recipes:read,recipes:write", None),
            (
                &[("mode", "test"), ("expires", "7")],
                "test",
                "estimate,upload,foods:read,recipes:read,recipes:write",
                Some(7),
            ),
            (&[("preset", "estimate"), ("expires", "30")], "live", "estimate,upload", Some(30)),
            (&[("preset", "read"), ("expires", "90")], "live", "foods:read,recipes:read", Some(90)),
            (
                &[("preset", "custom"), ("scopes", "upload"), ("scopes", "recipes:write"), ("expires", "365")],
                "live",
                "upload,recipes:write",
                Some(365),
            ),
            (
                &[("preset", "read"), ("scopes", "upload"), ("expires", "never")],
                "live",
                "foods:read,recipes:read",
                None,
            ),
            (
                &[("expires", "date"), ("date", &next_week)],
                "live",
                "estimate,upload,foods:read,recipes:read,recipes:write",
                Some(6),
            ),
        ];
        for (fields, mode, scopes, days) in cases {
            let reply = cook.send("/keys/new", fields).await;
            assert_eq!(reply.status, 200, "{fields:?}: {}", reply.text());
            let text = shown_key(&reply.text());
            let hash = store::KeyText::parse(&text).expect("a key").hash();
            let (key, _) = service.app.store.keys().by_hash(&hash).await.expect("read").expect("there");
            assert_eq!(
                (key.mode.name(), key.scopes.to_string().as_str(), key.label),
                (mode, scopes, None),
                "{fields:?}"
            );
            let lasts = key.expires_at.map(|end| (end.duration_since(service.app.now()).as_hours() + 23) / 24);
            assert_eq!(lasts, days, "{fields:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_makes_no_key_is_told_beside_the_field() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let long = "x".repeat(101);
        let refused: [(&[(&str, &str)], &str); 8] = [
            (&[("label", &long)], "label-error"),
            (&[("label", "two\nlines")], "label-error"),
            (&[("preset", "custom")], "scopes-error"),
            (&[("preset", "custom"), ("scopes", "everything")], "scopes-error"),
            (&[("expires", "8")], "expires-error"),
            (&[("expires", "date"), ("date", "2020-01-01")], "expires-error"),
            (&[("expires", "date"), ("date", "2026-02-30")], "expires-error"),
            (&[("expires", "date"), ("date", "9999-12-31")], "expires-error"),
        ];
        for (fields, error) in refused {
            let reply = cook.send("/keys/new", fields).await;
            assert_eq!(reply.status, 422, "{fields:?}");
            assert!(reply.text().contains(&format!("id=\"{error}\"")), "{fields:?}: {}", reply.text());
        }
        let kept = cook.send("/keys/new", &[("label", "keep me"), ("mode", "test"), ("preset", "custom")]).await.text();
        assert!(kept.contains("value=\"keep me\"") && kept.contains("value=\"test\" checked"), "{kept}");
        assert_eq!(service.app.store.keys().list(&service.account.id).await.expect("read").len(), 1);
    })
    .await;
}

#[tokio::test]
async fn labels_are_text_and_never_markup() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let label = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
        service.advance(Duration::from_secs(1));
        let made = cook.send("/keys/new", &[("label", label)]).await.text();
        let key = service.app.store.keys().list(&service.account.id).await.expect("read").remove(0);
        assert_eq!(key.label.as_deref(), Some(label));
        let path = format!("/keys/{}", key.id);
        let pages = [
            made,
            cook.page("/").await,
            cook.page("/keys").await,
            cook.page(&path).await,
            cook.page(&format!("{path}/revoke")).await,
            cook.page("/usage").await,
        ];
        for page in pages {
            assert!(page.contains("alert(1)") && !page.contains("<script>alert") && !page.contains("<img"), "{page}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_is_renamed_replaced_and_revoked() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let (key, old) = service.key(Mode::Live, &["foods:read"]).await;
        let path = format!("/keys/{}", key.id);
        let renamed = cook.send(&format!("{path}/label"), &[("label", "kitchen scale")]).await;
        assert_eq!(renamed.header("location"), Some(format!("{path}?flash=key-renamed").as_str()));
        let long = cook.send(&format!("{path}/label"), &[("label", &"x".repeat(101))]).await;
        assert_eq!(long.status, 422);
        let page = cook.page(&path).await;
        assert!(page.contains("kitchen scale"));
        let new_id = hidden(&page, "new_id");
        assert_eq!(cook.send(&format!("{path}/rotate"), &[("grace", "year")]).await.status, 400);
        let fields = [("new_id", new_id.as_str()), ("grace", "hour")];
        let rotated = cook.send(&format!("{path}/rotate"), &fields).await;
        let new = shown_key(&rotated.text());
        assert!(rotated.text().contains("kitchen scale") && rotated.text().contains("Old key stops working"));
        for works in [&old, &new] {
            assert_eq!(service.get("/v1/foods?q=egg").key(works).send().await.status, 200);
        }
        let again = cook.send(&format!("{path}/rotate"), &fields).await;
        assert_eq!(again.header("location"), Some("/keys?flash=key-already-created"));
        assert!(cook.page("/keys").await.contains("rotated"));
        assert!(cook.page(&format!("{path}/revoke")).await.contains("Revoke kitchen scale?"));
        assert_eq!(service.get("/v1/foods?q=egg").key(&old).send().await.status, 200, "asking revokes nothing");
        let revoked = cook.send(&format!("{path}/revoke"), &[]).await;
        assert_eq!(revoked.header("location"), Some("/keys?flash=key-revoked"));
        assert_eq!(service.get("/v1/foods?q=egg").key(&old).send().await.error(401), "revoked_key");
        assert_eq!(service.get("/v1/foods?q=egg").key(&new).send().await.status, 200);
        let roll = cook.send(&format!("{path}/rotate"), &[("grace", "now")]).await;
        assert_eq!(roll.status, 409, "what has ended is not brought back");
    })
    .await;
}

#[tokio::test]
async fn ends_are_warned_of_a_week_before() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let cook = Visitor::signed_in(&service, &service.account).await;
        let now = service.app.now();
        let created = now - SignedDuration::from_hours(60 * 24);
        for (label, hours) in [("soon", 6 * 24), ("later", 8 * 24), ("over", -1)] {
            let expires_at = Some(now + SignedDuration::from_hours(hours));
            let new = NewKey { mode: Mode::Live, label: Some(label.into()), scopes: Scopes::all(), expires_at };
            service
                .app
                .store
                .keys()
                .create(&service.account.id, new, created, &mut Rng::system())
                .await
                .expect("a key");
        }
        let page = cook.page("/keys").await;
        assert!(page.contains("<strong>soon</strong> expires"), "{page}");
        assert!(!page.contains("<strong>later</strong>") && !page.contains("<strong>over</strong>"));
        assert!(page.contains("1 inactive") && page.contains("expired"));
    })
    .await;
}

#[tokio::test]
async fn there_is_an_end_to_the_number_of_keys() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        for _ in 1..100 {
            service.key(Mode::Live, &["foods:read"]).await;
        }
        let refused = cook.send("/keys/new", &[("label", "one more")]).await;
        assert_eq!(refused.status, 409);
        assert!(refused.text().contains("Revoke one first") && refused.text().contains("value=\"one more\""));
    })
    .await;
}

#[tokio::test]
async fn a_key_is_limited_to_permissions_and_addresses() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut cook = Visitor::signed_in(&service, &service.account).await;
        let (key, text) = service.key(Mode::Live, &["estimate", "foods:read"]).await;
        let path = format!("/keys/{}", key.id);
        let page = cook.page(&path).await;
        assert!(page.contains("value=\"estimate\" checked") && !page.contains("value=\"upload\" checked"), "{page}");
        let form = format!("{path}/permissions");
        let ask = async |from: [u8; 4]| service.get("/v1/foods?q=egg").key(&text).from(from).send().await;
        assert_eq!(ask([203, 0, 113, 7]).await.status, 200);
        let saved = cook.send(&form, &[("scopes", "foods:read"), ("networks", "10.0.0.0/8\r\n 192.0.2.1, ::1")]).await;
        assert_eq!(
            (saved.status, saved.header("location")),
            (303, Some(format!("{path}?flash=key-permissions-saved").as_str()))
        );
        assert_eq!(ask([203, 0, 113, 7]).await.error(403), "address_not_allowed");
        assert_eq!((ask([10, 9, 8, 7]).await.status, ask([192, 0, 2, 1]).await.status), (200, 200));
        let meal = service.post("/v1/estimate/sync", "{}").key(&text).from([10, 0, 0, 1]).send().await;
        assert_eq!(meal.error(403), "insufficient_scope");
        assert!(cook.page(&path).await.contains("10.0.0.0/8, 192.0.2.1, ::1"));

        let wrong = cook.send(&form, &[("networks", "the office")]).await;
        assert_eq!(wrong.status, 422);
        let wrong = wrong.text();
        for part in ["Choose at least one permission.", "is not an IP address or a network", ">the office"] {
            assert!(wrong.contains(part), "{part}: {wrong}");
        }
        assert_eq!(ask([10, 9, 8, 7]).await.status, 200, "nothing was saved");
        let (stranger, _) = service.stranger().await;
        let mut eve = Visitor::signed_in(&service, &stranger).await;
        assert_eq!(eve.send(&form, &[("scopes", "estimate")]).await.status, 404);
        assert_eq!(cook.send(&form, &[("scopes", "foods:read"), ("networks", " ")]).await.status, 303);
        assert_eq!(ask([203, 0, 113, 7]).await.status, 200);
        assert!(cook.page("/account").await.contains("Key permissions changed"));
    })
    .await;
}
