//! Databases that earlier releases wrote open with everything in them.
//!
//! `stored/schema-N.db.gz` and `stored/schema-N.sql` were written by the last release with schema N: a gzipped SQLite file
//! and a dump of a PostgreSQL database. When the schema changes, add a pair of the new version; none is ever removed:
//!
//! ```sh
//! cargo test -p store --test store stored::write -- --ignored
//! ```

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::civil::date;
use nutrition::Macros;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Row as _};
use store::{
    AccountId, AuditEvent, AuditKind, Begin, Email, ImageId, KeyId, KeyState, KeyText, Location, Mode, Plan, RecipeId,
    Rng, SCHEMA_VERSION, Store, TotpSecret,
};
use test_support::{Database, after, noon, on_postgres, on_sqlite, run_sql};

/// The schemas that were released.
const RELEASED: &[i64] = &[2, 4];

const ADA: &str = "acc_5FTzwFP7TWfqlukzdcMgND";
const GRACE: &str = "acc_CrBhKUWzeGKhzZd2BajO6G";
const LIVE: &str = "svc_live_Fy6qerRShiXbVFGe5BhgjuZntq8g5H0DO8Qm";
const LIVE_ID: &str = "key_IJg3tJvi2Xl7kuvlIA5prf";
const TEST: &str = "svc_test_ddKgVJRZbLwPGU8LCErWq1KmbkO3o93UpoDQ";
const PIE: &str = "rcp_YElzi7z4w2f8fEpZbCtYUk";
const IMAGE: &str = "img_i0FSAKHjh2EgIQQa43BRwp";
const LINK: &str = "vuEnpZdeLoWJ3rBJTGSQDt1wis1U7ELURk650KBGRhk";
const SESSION: &str = "edR9A7nau6EmtZGjwSOLTxLhDEEua3GNUPDZhhkuS6h";

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/stored").join(name)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sqlite_file_of_an_earlier_release_opens() {
    for schema in RELEASED {
        on_sqlite(async |database| {
            let Location::Sqlite(path) = &database.location else { unreachable!("on SQLite") };
            unpack(*schema, path);
            everything_is_there(database, *schema).await;
            // Files of the first release could not shrink.
            let mut connection = SqliteConnectOptions::new().filename(path).connect().await.expect("opens");
            let row = sqlx::query("PRAGMA auto_vacuum").fetch_one(&mut connection).await.expect("read");
            assert_eq!(row.get::<i64, _>(0), 2, "incremental");
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_database_of_an_earlier_release_opens() {
    for schema in RELEASED {
        on_postgres(async |database| {
            let dump = std::fs::read_to_string(stored(&format!("schema-{schema}.sql"))).expect("a stored database");
            run_sql(database, &dump).await;
            everything_is_there(database, *schema).await;
        })
        .await;
    }
}

#[test]
fn the_current_schema_is_stored_once_it_is_released() {
    assert!(RELEASED.last().is_some_and(|latest| *latest <= SCHEMA_VERSION), "{RELEASED:?}");
}

/// Unpacks a stored SQLite file.
fn unpack(schema: i64, path: &Path) {
    let packed = File::open(stored(&format!("schema-{schema}.db.gz"))).expect("a stored database");
    let mut file = File::create(path).expect("created");
    std::io::copy(&mut GzDecoder::new(packed), &mut file).expect("unpacked");
}

/// The secret of a second factor.
fn secret() -> TotpSecret {
    TotpSecret::from_bytes(&[7; 20]).expect("20 bytes")
}

/// Adds what earlier schemas did not have.
async fn add_news(store: &Store) {
    let ada = AccountId::parse(ADA).expect("an id");
    store.second_factors().turn_on(&ada, &secret(), 100, after(20), &mut Rng::system()).await.expect("written");
    let event = AuditEvent::new(AuditKind::SignedIn, after(21)).of(&ada).detail("password");
    store.audit().append(&[event]).await.expect("written");
}

/// Writes a pair of the current schema, from the latest that is stored.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes the databases that the other tests read"]
async fn write() {
    let from = RELEASED.iter().rev().find(|schema| **schema < SCHEMA_VERSION).expect("an earlier one");
    on_sqlite(async |database| {
        let Location::Sqlite(path) = &database.location else { unreachable!("on SQLite") };
        unpack(*from, path);
        let store = database.open().await;
        add_news(&store).await;
        store.close().await;
        let packed = File::create(stored(&format!("schema-{SCHEMA_VERSION}.db.gz"))).expect("created");
        let mut packed = GzEncoder::new(packed, Compression::best());
        std::io::copy(&mut File::open(path).expect("there"), &mut packed).expect("packed");
        packed.finish().expect("written");
    })
    .await;
    on_postgres(async |database| {
        let dump = std::fs::read_to_string(stored(&format!("schema-{from}.sql"))).expect("a stored database");
        run_sql(database, &dump).await;
        let store = database.open().await;
        add_news(&store).await;
        store.close().await;
        let Location::Postgres(url) = &database.location else { unreachable!("on PostgreSQL") };
        // Without the options that only our driver knows.
        let url = url.split('?').next().unwrap_or_default();
        let out = Command::new("pg_dump").args(["--no-owner", "--no-privileges", "--inserts", url]).output();
        let out = out.expect("pg_dump is installed");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        // Commands of psql are not SQL.
        let dump = String::from_utf8(out.stdout).expect("a text");
        let lines: Vec<&str> = dump.lines().filter(|line| !line.starts_with('\\')).collect();
        std::fs::write(stored(&format!("schema-{SCHEMA_VERSION}.sql")), lines.join("\n") + "\n").expect("written");
    })
    .await;
}

async fn everything_is_there(database: &Database, schema: i64) {
    let store = database.open().await;
    let ada = AccountId::parse(ADA).expect("an id");
    let (factor, events) = (store.second_factors().of(&ada).await, store.audit().of_account(&ada, 10).await);
    let (factor, events) = (factor.expect("read"), events.expect("read"));
    if schema < 4 {
        assert!(factor.is_none() && events.is_empty());
    } else {
        assert_eq!(factor.map(|factor| (factor.secret, factor.codes_left)), Some((secret(), 10)));
        assert_eq!(events.iter().map(|entry| entry.event.kind).collect::<Vec<_>>(), [AuditKind::SignedIn]);
    }
    accounts_and_keys(&store, &ada).await;
    recipes_and_usage(&store, &ada).await;
    images_and_sessions(&store, &ada).await;
    // What is written now is numbered after what was written then.
    assert_eq!(store.latest_change().await.expect("read"), 7);
    store.accounts().set_plan(&ada, Plan::Scale).await.expect("written").expect("there");
    assert_eq!(store.latest_change().await.expect("read"), 8);
    store.close().await;
}

async fn accounts_and_keys(store: &Store, ada: &AccountId) {
    let account = store.accounts().by_id(ada).await.expect("read").expect("there");
    assert_eq!((account.email.as_str(), account.plan, account.is_owner), ("ada@example.org", Plan::Pro, true));
    assert!(account.password_hash.is_some_and(|hash| hash.starts_with("$argon2id$")));
    assert_eq!((account.created_at, account.disabled_at), (noon(), None));
    let grace = Email::parse("grace@example.org").expect("an address");
    let grace = store.accounts().by_email(&grace).await.expect("read").expect("there");
    assert_eq!((grace.id.as_str(), grace.disabled_at), (GRACE, Some(after(2))));

    let text = KeyText::parse(LIVE).expect("the checksum is still right");
    let (key, owner) = store.keys().by_hash(&text.hash()).await.expect("read").expect("there");
    assert_eq!((key.id.as_str(), owner.id.as_str(), key.label.as_deref()), (LIVE_ID, ADA, Some("kitchen")));
    assert_eq!((key.mode, key.scopes.names()), (Mode::Live, vec!["estimate", "foods:read"]));
    assert_eq!((key.last_used_at, key.last_used_from.as_deref()), (Some(after(6)), Some("192.0.2.7")));
    assert_eq!((key.state(after(10)), key.state(after(86_400))), (KeyState::Active, KeyState::Expired));
    let text = KeyText::parse(TEST).expect("a key");
    let (key, _) = store.keys().by_hash(&text.hash()).await.expect("read").expect("there");
    assert_eq!((key.mode, key.revoked_at), (Mode::Test, Some(after(5))));
}

async fn recipes_and_usage(store: &Store, ada: &AccountId) {
    let id = RecipeId::parse(PIE).expect("an id");
    let (owner, pie) = store.recipes().by_id(&id).await.expect("read").expect("there");
    assert_eq!((owner.as_str(), pie.name.as_str()), (ADA, "Omas „Küche“"));
    assert_eq!(pie.macros, Macros { calories: 350.0, protein: 12.5, carbs: 40.25, fat: 0.1 });
    assert_eq!(pie.serving_description.as_deref(), Some("1 slice (120 g)"));
    assert_eq!(pie.aliases, ["the usual", "pie \"quoted\""]);
    let replayed = store.idempotency().begin(ada, "order-1", &[7; 32], after(20)).await.expect("read");
    let Begin::Replay(response) = replayed else { panic!("{replayed:?}") };
    assert_eq!((response.status, response.body), (201, format!("{{\"id\":\"{PIE}\"}}").into_bytes()));

    let counts = store.usage().daily(ada, date(2026, 11, 14), date(2026, 11, 15)).await.expect("read");
    let counts: Vec<_> = counts.iter().map(|count| (count.status.as_str(), count.requests)).collect();
    assert_eq!(counts, [("2xx", 40), ("429", 2)]);
    let today = store.usage().today_by_key(ada, date(2026, 11, 15)).await.expect("read");
    assert_eq!(today, [(KeyId::parse(LIVE_ID).expect("an id"), 2)]);
}

async fn images_and_sessions(store: &Store, ada: &AccountId) {
    let id = ImageId::parse(IMAGE).expect("an id");
    let image = store.images().by_id(&id).await.expect("read").expect("there");
    assert_eq!((image.width, image.height, image.bytes), (1024, 768, 123_456));
    let (session, account) = store.sessions().by_token(SESSION, after(12)).await.expect("read").expect("there");
    assert_eq!((account.id.as_str(), session.user_agent.as_deref()), (ADA, Some("Browser 1.0")));
    assert_eq!(store.sessions().use_link(LINK, after(12)).await.expect("used").as_ref(), Some(ada));
}
