//! The pages of whoever runs the service.

use std::time::Duration;

use store::{Account, Email, NewAccount, Plan, Rng};

use crate::harness::Service;
use crate::visitor::Visitor;
use test_support::{on_both, on_sqlite};

async fn an_owner(service: &Service) -> Account {
    let email = Email::parse("owner@example.com").expect("an address");
    let accounts = service.app.store.accounts();
    accounts
        .create(
            NewAccount { plan: Plan::Scale, is_owner: true, ..NewAccount::new(email) },
            service.app.now(),
            &mut Rng::system(),
        )
        .await
        .expect("an account")
}

#[tokio::test]
async fn they_are_for_owners_alone() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let mut guest = Visitor::signed_in(&service, &service.account).await;
        assert!(!guest.page("/").await.contains("href=\"/owner\""));
        let of = |path: &str| format!("/owner/accounts/{}{path}", owner.id);
        for path in ["/owner".to_owned(), "/owner/accounts".to_owned(), of("")] {
            let reply = guest.open(&path).await;
            assert_eq!((reply.status, reply.header("content-type")), (403, Some("text/html; charset=utf-8")), "{path}");
            assert!(!reply.text().contains("owner@example.com"), "{path}");
        }
        let forms = [
            ("/owner/accounts".to_owned(), ("email", "new@example.com")),
            (of("/plan"), ("plan", "free")),
            (of("/disabled"), ("disabled", "yes")),
            (of("/owner"), ("owner", "no")),
            (of("/link"), ("x", "")),
            (of("/delete"), ("confirm", "owner@example.com")),
        ];
        for (path, field) in forms {
            assert_eq!(guest.send(&path, &[field]).await.status, 403, "{path}");
        }
        let same = service.app.store.accounts().by_id(&owner.id).await.expect("read").expect("there");
        assert_eq!(same, owner);
        assert_eq!(service.app.store.accounts().count().await.expect("read"), 2);
    })
    .await;
}

#[tokio::test]
async fn health_plans_and_catalog_are_shown() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let visitor = Visitor::signed_in(&service, &owner).await;
        assert!(visitor.page("/").await.contains("href=\"/owner\""));
        let page = visitor.page("/owner").await;
        let menu = service.app.engine.snapshot();
        let database = if page.contains("SQLite") { "SQLite" } else { "PostgreSQL" };
        let parts =
            [database, &menu.version, "Requests a second", "Queues", "a write takes", "FNDDS", "Built in", ">open<"];
        for part in parts {
            assert!(page.contains(part), "{part}: {page}");
        }
        // The machine that runs this may have a full disk, which the page then tells.
        assert_ne!(page.contains("healthy"), page.contains("almost full"), "{page}");
        assert!(page.contains(&format!("{},{:03}", menu.catalog.len() / 1_000, menu.catalog.len() % 1_000)));
    })
    .await;
}

#[tokio::test]
async fn accounts_are_found_made_and_changed() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let mut visitor = Visitor::signed_in(&service, &owner).await;
        service.advance(Duration::from_secs(1));
        for n in 0..55 {
            let email = Email::parse(&format!("guest{n}@example.net")).expect("an address");
            let made = service.app.store.accounts().find_or_create(&email, service.app.now(), &mut Rng::system()).await;
            made.expect("an account");
        }
        let first = visitor.page("/owner/accounts").await;
        assert!(first.contains("Page 1 of 2") && first.contains("page=2"), "{first}");
        assert!(visitor.page("/owner/accounts?page=2").await.contains("cook@example.com"));
        assert!(visitor.page("/owner/accounts?page=99").await.contains("No accounts found"));
        let found = visitor.page("/owner/accounts?q=COOK").await;
        assert!(found.contains("cook@example.com") && !found.contains("guest1@"));
        let odd = visitor.page("/owner/accounts?q=%3Cscript%3E%00&page=x").await;
        assert!(odd.contains("No accounts found") && !odd.contains("<script>\0"), "{odd}");
        for (email, status) in [("nonsense", 422), ("cook@example.com", 422)] {
            assert_eq!(visitor.send("/owner/accounts", &[("email", email)]).await.status, status);
        }
        let made = visitor.send("/owner/accounts", &[("email", "new@example.com"), ("plan", "pro")]).await.text();
        let link = made.split("http://food.test").nth(1).expect("a link").split('<').next().expect("a path").to_owned();
        let mut guest = Visitor::new(&service);
        assert_eq!(guest.send(&link, &[]).await.status, 303);
        assert!(guest.page("/account").await.contains("pro · 1,200"));
    })
    .await;
}

#[tokio::test]
async fn plans_and_access_change_on_the_very_next_request() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let mut visitor = Visitor::signed_in(&service, &owner).await;
        let guest = Visitor::signed_in(&service, &service.account).await;
        let of = |path: &str| format!("/owner/accounts/{}{path}", service.account.id);
        assert!(visitor.page(&of("")).await.contains("cook@example.com"));
        let ask = async || service.get("/v1/foods?q=egg").send().await;
        assert_eq!(ask().await.header("x-ratelimit-limit"), Some("12000"));
        assert_eq!(visitor.send(&of("/plan"), &[("plan", "starter")]).await.status, 303);
        assert_eq!(ask().await.header("x-ratelimit-limit"), Some("300"));
        assert_eq!(visitor.send(&of("/plan"), &[("plan", "gold")]).await.status, 400);
        visitor.send(&of("/disabled"), &[("disabled", "yes")]).await;
        assert_eq!(ask().await.error(403), "account_disabled");
        assert!(!guest.is_in().await);
        let link = visitor.send(&of("/link"), &[]).await.text();
        let link = link.split("http://food.test").nth(1).expect("a link").split('<').next().expect("a path").to_owned();
        assert_eq!(Visitor::new(&service).send(&link, &[]).await.status, 403, "no way around it");
        assert_eq!(visitor.send(&of("/owner"), &[("owner", "yes")]).await.status, 409);
        visitor.send(&of("/disabled"), &[("disabled", "no")]).await;
        assert_eq!(ask().await.status, 200);
        assert!(guest.is_in().await);
        let own = format!("/owner/accounts/{}", owner.id);
        assert_eq!(visitor.send(&format!("{own}/disabled"), &[("disabled", "yes")]).await.status, 409);
        assert_eq!(visitor.send(&format!("{own}/owner"), &[("owner", "no")]).await.status, 409, "the last one");
        assert_eq!(visitor.send(&format!("{own}/delete"), &[("confirm", "owner@example.com")]).await.status, 422);
        assert_eq!(visitor.send(&of("/owner"), &[("owner", "yes")]).await.status, 303);
        assert_eq!(guest.open("/owner").await.status, 200);
        assert_eq!(visitor.send(&of("/delete"), &[("confirm", "wrong@example.com")]).await.status, 422);
        let gone = visitor.send(&of("/delete"), &[("confirm", "cook@example.com")]).await;
        assert_eq!(gone.header("location"), Some("/owner/accounts?flash=account-deleted"));
        assert_eq!(ask().await.error(401), "invalid_key");
        assert!(!guest.is_in().await);
        assert_eq!(visitor.open(&of("")).await.status, 404);
        assert_eq!(visitor.open("/owner/accounts/nonsense").await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn damaged_imported_foods_do_not_keep_the_service_from_starting() {
    on_sqlite(async |database| {
        let catalog = database.folder.path().join("catalog");
        std::fs::create_dir(&catalog).expect("a folder");
        std::fs::write(catalog.join("imported.morsel"), "half a catalog").expect("written");
        let service = Service::on(database).await;
        assert_eq!(service.estimate("an egg").await["items"].as_array().map(Vec::len), Some(1));
        let owner = an_owner(&service).await;
        let visitor = Visitor::signed_in(&service, &owner).await;
        let page = visitor.page("/owner").await;
        assert!(page.contains("The imported foods cannot be read") && page.contains("is damaged"), "{page}");
        assert!(matches!(service.app.engine.refresh(), Ok(false)), "the same file is not read again");
        std::fs::write(catalog.join("imported.morsel"), "another half of a catalog").expect("written");
        service.app.engine.refresh().expect_err("still damaged");
        assert!(visitor.page("/owner").await.contains("The imported foods cannot be read"));
        std::fs::remove_file(catalog.join("imported.morsel")).expect("removed");
        assert!(matches!(service.app.engine.refresh(), Ok(true)));
        assert!(!visitor.page("/owner").await.contains("cannot be read"));
    })
    .await;
}

#[tokio::test]
async fn health_shows_traffic_errors_and_the_largest_accounts() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let visitor = Visitor::signed_in(&service, &owner).await;
        service.app.traffic.sample(&service.app.metrics, service.app.now());
        for _ in 0..30 {
            service.get("/v1/foods?q=egg").send().await;
        }
        service.get("/v1/foods").send().await;
        service.advance(Duration::from_secs(10));
        service.app.usage.flush(&service.app.store).await.expect("written");
        let page = visitor.page("/owner").await;
        for part in [
            "<span class=\"figure\">3.1</span>",
            "31 in the last minute",
            "client errors 1",
            "cook@example.com",
            ">31</td>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.contains("Memory") && page.contains("free of"), "{page}");
    })
    .await;
}

#[tokio::test]
async fn owners_change_the_limits_of_plans() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let mut visitor = Visitor::signed_in(&service, &owner).await;
        let page = visitor.page("/owner/plans").await;
        assert!(
            page.contains("value=\"12000\"") && page.contains("value=\"10000\"") && !page.contains(">changed<"),
            "{page}"
        );
        let fields = [("requests_per_minute", "2"), ("log_requests", "7"), ("log_days", "3")];
        assert_eq!(visitor.send("/owner/plans/scale", &fields).await.status, 303);
        let first = service.get("/v1/foods?q=egg").send().await;
        assert_eq!((first.status, first.header("x-ratelimit-limit")), (200, Some("2")));
        service.get("/v1/foods?q=egg").send().await;
        assert_eq!(service.get("/v1/foods?q=egg").send().await.error(429), "rate_limit_exceeded");
        let cook = Visitor::signed_in(&service, &service.account).await;
        assert!(cook.page("/log").await.contains("Your last 7 requests of the last 3 days"));
        assert!(cook.page("/usage").await.contains("allows 2 requests per minute"));
        // Another server sees it with its next look.
        let folder = tempfile::tempdir().expect("a folder");
        let beside = service.beside(database, folder.path()).await;
        assert_eq!(beside.app.limits.of(Plan::Scale).requests_per_minute, 2);

        for wrong in ["0", "-1", "many", "1000001", ""] {
            let fields = [("requests_per_minute", wrong), ("log_requests", "7"), ("log_days", "3")];
            let reply = visitor.send("/owner/plans/scale", &fields).await;
            assert_eq!(reply.status, 422, "{wrong}");
            assert!(reply.text().contains("Enter a whole number from 1 to 1000000."), "{}", reply.text());
        }
        assert_eq!(visitor.send("/owner/plans/gold", &fields).await.status, 404);
        assert_eq!(visitor.send("/owner/plans/scale", &[("reset", "yes")]).await.status, 303);
        assert_eq!(service.app.limits.of(Plan::Scale).requests_per_minute, 12_000);
        let by_owners = visitor.page("/owner/audit?by=owners").await;
        assert!(
            by_owners.contains("Plan limits changed") && !by_owners.contains("<td data-name=\"Event\">Signed in"),
            "{by_owners}"
        );
        assert!(visitor.page("/owner/audit").await.contains("<td data-name=\"Event\">Signed in"));
        let trail = visitor.page("/owner/audit?event=plan_limits_changed").await;
        for part in
            ["Plan limits changed", "scale: 2 per minute, log 7 requests, 3 days", "scale: reset", "owner@example.com"]
        {
            assert!(trail.contains(part), "{part}: {trail}");
        }
    })
    .await;
}
