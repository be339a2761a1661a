use std::net::IpAddr;

use store::{AuditEvent, AuditFilter, AuditKind};
use test_support::{after, an_account, noon, on_both};

fn from(n: u8) -> IpAddr {
    IpAddr::from([192, 0, 2, n])
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_found_by_kind_account_and_address() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        let grace = an_account(&store, "grace@example.org").await.id;
        let events = [
            AuditEvent::new(AuditKind::SignedIn, noon()).of(&ada).from(from(1)),
            AuditEvent::new(AuditKind::WrongKey, after(1)).from(from(2)).detail("revoked_key"),
            AuditEvent::new(AuditKind::PlanChanged, after(2)).of(&grace).by(&ada).from(from(1)).detail("free to pro"),
        ];
        store.audit().append(&events).await.expect("written");
        let list = async |filter: AuditFilter| store.audit().list(&filter, 0, 10).await.expect("read");
        let all = list(AuditFilter::default()).await;
        assert_eq!(all.total, 3);
        let listed: Vec<AuditEvent> = all.entries.iter().rev().map(|entry| entry.event.clone()).collect();
        assert_eq!(listed, events, "the newest first");
        let newest = &all.entries[0];
        assert_eq!(newest.email.as_deref(), Some("grace@example.org"));
        assert_eq!(newest.actor_email.as_deref(), Some("ada@example.org"));
        let by_kind = list(AuditFilter { kind: Some(AuditKind::WrongKey), ..AuditFilter::default() }).await;
        assert_eq!((by_kind.total, by_kind.entries[0].event.detail.as_deref()), (1, Some("revoked_key")));
        for text in ["grace", " GRACE@ ", grace.as_str()] {
            let found = list(AuditFilter { account: text.to_owned(), ..AuditFilter::default() }).await;
            assert_eq!((found.total, &found.entries[0].event.kind), (1, &AuditKind::PlanChanged), "{text}");
        }
        let of_address = list(AuditFilter { address: "192.0.2.1".to_owned(), ..AuditFilter::default() }).await;
        assert_eq!(of_address.total, 2);
        assert_eq!(list(AuditFilter { address: "%".to_owned(), ..AuditFilter::default() }).await.total, 0);
        let second = store.audit().list(&AuditFilter::default(), 1, 1).await.expect("read");
        assert_eq!((second.total, &second.entries[0].event), (3, &events[1]));
        // An event outlives its account.
        store.accounts().delete(&grace).await.expect("deleted");
        let left = store.audit().of_account(&grace, 10).await.expect("read");
        assert_eq!((left.len(), left[0].email.as_deref()), (1, None));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trail_is_bounded_in_age_and_in_number_and_nobody_pushes_others_out() {
    on_both(async |database| {
        let store = database.open().await;
        let ada = an_account(&store, "ada@example.org").await.id;
        let eve = an_account(&store, "eve@example.org").await.id;
        let day = 86_400;
        let old = AuditEvent::new(AuditKind::SignedIn, noon()).of(&ada).detail("old");
        let kept = AuditEvent::new(AuditKind::SignedIn, after(2 * day)).of(&ada).detail("kept");
        store.audit().append(&[old, kept.clone()]).await.expect("written");
        let guess = AuditEvent::new(AuditKind::WrongPassword, after(3 * day)).of(&ada);
        store.audit().append(&vec![guess; 2_100]).await.expect("written");
        let made = AuditEvent::new(AuditKind::KeyCreated, after(3 * day)).of(&eve);
        store.audit().append(&vec![made; 2_100]).await.expect("written");
        let removed = store.audit().prune(after(366 * day)).await.expect("pruned");
        assert_eq!(removed, 1 + 100 + 100);
        let of_ada = store.audit().of_account(&ada, 5_000).await.expect("read");
        assert_eq!(of_ada.len(), 2_001);
        assert_eq!(of_ada.last().expect("one").event, kept, "guesses do not push it out");
        assert_eq!(store.audit().of_account(&eve, 5_000).await.expect("read").len(), 2_000);
        assert_eq!(store.audit().prune(after(366 * day)).await.expect("pruned"), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_can_be_stored_and_read() {
    on_both(async |database| {
        let store = database.open().await;
        let events = AuditKind::ALL.map(|kind| AuditEvent::new(kind, noon()));
        store.audit().append(&events).await.expect("written");
        let read = store.audit().list(&AuditFilter::default(), 0, 100).await.expect("read");
        assert_eq!(read.entries.len(), AuditKind::ALL.len());
        for (entry, kind) in read.entries.iter().rev().zip(AuditKind::ALL) {
            assert_eq!((entry.event.kind, kind.name().parse()), (kind, Ok(kind)));
        }
    })
    .await;
}
