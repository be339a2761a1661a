//! The audit trail: what people do on the pages and with keys is recorded, and who did it from where.

use std::time::Duration;

use store::{Account, AuditEvent, AuditFilter, AuditKind, Email, NewAccount, Rng};

use crate::harness::Service;
use crate::visitor::{Visitor, hidden};
use test_support::{on_both, on_sqlite};

const PASSWORD: &str = "correct horse battery";

async fn an_owner(service: &Service) -> Account {
    let email = Email::parse("owner@example.com").expect("an address");
    let new = NewAccount { is_owner: true, ..NewAccount::new(email) };
    service.app.store.accounts().create(new, service.app.now(), &mut Rng::system()).await.expect("an account")
}

/// The events that were recorded since the last call, the oldest first.
async fn recorded(service: &Service) -> Vec<AuditEvent> {
    service.app.trail.flush(&service.app.store).await.expect("written");
    let list = service.app.store.audit().list(&AuditFilter::default(), 0, 1_000).await.expect("read");
    let now = service.app.now();
    service.advance(Duration::from_secs(1));
    list.entries.into_iter().rev().map(|entry| entry.event).filter(|event| event.at == now).collect()
}

fn kinds(events: &[AuditEvent]) -> Vec<AuditKind> {
    events.iter().map(|event| event.kind).collect()
}

#[tokio::test]
async fn signing_in_and_failing_to_are_recorded_with_account_and_address() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let mut visitor = Visitor { from: [192, 0, 2, 7], ..Visitor::new(&service) };
        let form = [("email", "ada@example.com"), ("password", PASSWORD)];
        assert_eq!(visitor.send("/sign-up", &form).await.status, 303);
        let events = recorded(&service).await;
        assert_eq!(kinds(&events), [AuditKind::SignedUp]);
        let ada = events[0].account.clone().expect("an account");
        assert_eq!(events[0].address.as_deref(), Some("192.0.2.7"));
        let wrong = [("email", "ada@example.com"), ("password", "wrong horse battery")];
        let nobody = [("email", "hunter2@example.com"), ("password", PASSWORD)];
        let mut visitor = Visitor { from: [192, 0, 2, 8], ..Visitor::new(&service) };
        assert_eq!(visitor.send("/sign-in", &wrong).await.status, 401);
        assert_eq!(visitor.send("/sign-in", &nobody).await.status, 401);
        assert_eq!(visitor.send("/sign-in/no-such-link", &[]).await.status, 403);
        assert_eq!(visitor.send("/sign-in", &form).await.status, 303);
        let events = recorded(&service).await;
        let expected = [AuditKind::WrongPassword, AuditKind::WrongPassword, AuditKind::WrongLink, AuditKind::SignedIn];
        assert_eq!(kinds(&events), expected);
        let accounts: Vec<_> = events.iter().map(|event| event.account.clone()).collect();
        assert_eq!(accounts, [Some(ada.clone()), None, None, Some(ada)]);
        assert!(events.iter().all(|event| event.address.as_deref() == Some("192.0.2.8")));
        assert!(!format!("{events:?}").contains("hunter2"), "nothing that was typed is stored");
    })
    .await;
}

#[tokio::test]
async fn keys_passwords_exports_and_deletion_are_recorded() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut visitor = Visitor::signed_in(&service, &service.account).await;
        recorded(&service).await;
        let page = visitor.page("/keys/new").await;
        let id = hidden(&page, "id");
        assert_eq!(visitor.send("/keys/new", &[("id", &id)]).await.status, 200);
        let new_id = hidden(&visitor.page(&format!("/keys/{id}")).await, "new_id");
        let rotate = [("grace", "hour"), ("new_id", new_id.as_str())];
        assert_eq!(visitor.send(&format!("/keys/{id}/rotate"), &rotate).await.status, 200);
        assert_eq!(visitor.send(&format!("/keys/{new_id}/revoke"), &[]).await.status, 303);
        assert_eq!(visitor.open("/account/export").await.status, 200);
        assert_eq!(visitor.send("/account/password", &[("new", PASSWORD)]).await.status, 303);
        let delete = [("email", "cook@example.com"), ("password", PASSWORD)];
        assert_eq!(visitor.send("/account/delete", &delete).await.status, 303);
        let events = recorded(&service).await;
        let expected = [
            AuditKind::KeyCreated,
            AuditKind::KeyRotated,
            AuditKind::KeyRevoked,
            AuditKind::DataExported,
            AuditKind::PasswordChanged,
            AuditKind::AccountDeleted,
        ];
        assert_eq!(kinds(&events), expected);
        assert!(events.iter().all(|event| event.account.as_ref() == Some(&service.account.id)));
        assert_eq!(events[0].detail.as_deref(), Some(id.as_str()));
        assert_eq!(events[1].detail, Some(format!("{id} replaced by {new_id}")));
    })
    .await;
}

#[tokio::test]
async fn what_an_owner_does_is_recorded_with_the_owner() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let mut visitor = Visitor::signed_in(&service, &owner).await;
        recorded(&service).await;
        let of = |path: &str| format!("/owner/accounts/{}/{path}", service.account.id);
        for (path, field) in [
            ("plan", ("plan", "pro")),
            ("disabled", ("disabled", "yes")),
            ("disabled", ("disabled", "no")),
            ("owner", ("owner", "yes")),
            ("owner", ("owner", "no")),
            ("delete", ("confirm", "cook@example.com")),
        ] {
            assert_eq!(visitor.send(&of(path), &[field]).await.status, 303, "{path}");
        }
        let events = recorded(&service).await;
        let expected = [
            AuditKind::PlanChanged,
            AuditKind::AccountDisabled,
            AuditKind::AccountEnabled,
            AuditKind::OwnerAdded,
            AuditKind::OwnerRemoved,
            AuditKind::AccountDeleted,
        ];
        assert_eq!(kinds(&events), expected);
        for event in &events {
            assert_eq!((event.account.as_ref(), event.actor.as_ref()), (Some(&service.account.id), Some(&owner.id)));
        }
        assert_eq!(events[0].detail.as_deref(), Some("scale to pro"));
        assert_eq!(visitor.send("/owner/accounts", &[("email", "new@example.com")]).await.status, 200);
        assert_eq!(kinds(&recorded(&service).await), [AuditKind::AccountCreated, AuditKind::LinkCreated]);
    })
    .await;
}

#[tokio::test]
async fn wrong_keys_are_recorded_once_a_minute_and_address() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let (key, text) = service.key(store::Mode::Live, &["estimate"]).await;
        let now = service.app.now();
        service.app.store.keys().revoke(&service.account.id, &key.id, now).await.expect("revoked");
        let send = async |key: &str, from: [u8; 4]| service.get("/v1/recipes").key(key).from(from).send().await.status;
        for _ in 0..5 {
            assert_eq!(send(&text, [192, 0, 2, 1]).await, 401);
            assert_eq!(send("svc_live_nonsense", [192, 0, 2, 2]).await, 401);
        }
        assert_eq!(service.get("/v1/recipes").no_key().from([192, 0, 2, 3]).send().await.status, 401);
        let events = recorded(&service).await;
        let seen: Vec<_> =
            events.iter().map(|event| (event.kind, event.account.clone(), event.detail.as_deref())).collect();
        let account = Some(service.account.id.clone());
        assert_eq!(
            seen,
            [(AuditKind::WrongKey, account, Some("revoked_key")), (AuditKind::WrongKey, None, Some("invalid_key"))],
            "a missing key is not a wrong one"
        );
        service.advance(Duration::from_mins(1));
        assert_eq!(send(&text, [192, 0, 2, 1]).await, 401);
        assert_eq!(recorded(&service).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn owners_see_the_trail_and_filter_it_and_others_see_their_own_events() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let owner = an_owner(&service).await;
        let mut visitor = Visitor::signed_in(&service, &owner).await;
        let cook = Visitor { from: [192, 0, 2, 9], ..Visitor::signed_in(&service, &service.account).await };
        assert_eq!(cook.open("/owner/audit").await.status, 403);
        let plan = format!("/owner/accounts/{}/plan", service.account.id);
        visitor.send(&plan, &[("plan", "pro")]).await;
        let page = visitor.page("/owner/audit").await;
        for part in ["3 events", "Signed in", "with a link", "scale to pro, by owner@example.com", "127.0.0.1"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let filtered = visitor.page("/owner/audit?event=plan_changed&account=COOK&address=127.0").await;
        assert!(filtered.contains("1 event found") && filtered.contains("Show all"), "{filtered}");
        assert!(filtered.contains("value=\"plan_changed\" selected"), "{filtered}");
        let id = format!("/owner/audit?account={}", service.account.id);
        assert!(visitor.page(&id).await.contains("2 events found"));
        for nothing in ["?address=10.9", "?event=data_exported", "?account=%25", "?account=%00zz&page=0", "?page=9"] {
            let page = visitor.page(&format!("/owner/audit{nothing}")).await;
            assert!(page.contains("No events found"), "{nothing}: {page}");
        }
        assert!(visitor.page("/owner/audit?event=nonsense&page=nonsense").await.contains("3 events"));
        let own = cook.page("/account").await;
        assert!(own.contains("with a link") && own.contains("scale to pro, by an owner of the service"), "{own}");
        assert!(!own.contains("owner@example.com"), "whoever did it stays unnamed");
        let own = visitor.page("/account").await;
        assert!(own.contains("with a link") && !own.contains("scale to pro"), "only of the account itself");
        let events = vec![AuditEvent::new(AuditKind::WrongLink, service.app.now()).from([10, 1, 2, 3].into()); 120];
        service.app.store.audit().append(&events).await.expect("written");
        let second = visitor.page("/owner/audit?event=wrong_link&page=2").await;
        assert!(second.contains("Page 2 of 3") && second.contains("event=wrong_link&#38;page=3"), "{second}");
        // A deleted account keeps its events, under its id.
        visitor.send(&plan.replace("/plan", "/delete"), &[("confirm", "cook@example.com")]).await;
        let left = visitor.page(&id).await;
        assert!(left.contains("3 events") && left.contains(">deleted<") && !left.contains("cook@example.com<"));
    })
    .await;
}

#[tokio::test]
async fn events_that_cannot_be_written_are_kept() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let lock = test_support::hold_write_lock(database).await;
        service.app.trail.record(AuditEvent::new(AuditKind::SignedIn, service.app.now()).of(&service.account.id));
        assert!(service.app.trail.flush(&service.app.store).await.expect_err("locked").is_unavailable());
        service.app.trail.record(AuditEvent::new(AuditKind::KeyCreated, service.app.now()).of(&service.account.id));
        drop(lock);
        while service.app.trail.flush(&service.app.store).await.is_err() {}
        assert_eq!(kinds(&recorded(&service).await), [AuditKind::SignedIn, AuditKind::KeyCreated]);
    })
    .await;
}
