//! Databases for tests: an empty SQLite file in a folder of its own, an empty database on a PostgreSQL server; and servers that
//! tests may stop, cut and slow: Redis, S3, PostgreSQL.
//!
//! The server is the one in `MORSEL_TEST_POSTGRES_URL`; without it, `scripts/with-postgres` starts one that runs as long as
//! this process. Without PostgreSQL the tests fail; they are never skipped.

mod proxy;
mod services;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::{SignedDuration, Timestamp};
use nutrition::Macros;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use store::{Account, Email, Location, NewAccount, NewRecipe, NewSession, Rng, Store};
use tempfile::TempDir;

pub use proxy::Proxy;
use services::Running;
pub use services::{Postgres, Redis, TestBucket};

/// An empty database.
#[derive(Debug)]
pub struct Database {
    /// Its location.
    pub location: Location,
    /// A folder for files that a test needs; removed at the end.
    pub folder: TempDir,
}

/// Runs the test on both databases, one after the other.
pub async fn on_both(test: impl AsyncFn(&Database)) {
    on_sqlite(&test).await;
    on_postgres(&test).await;
}

/// Runs the test on an empty SQLite file.
pub async fn on_sqlite(test: impl AsyncFn(&Database)) {
    let folder = TempDir::new().expect("a folder");
    let location = Location::Sqlite(folder.path().join("morsel.db"));
    eprintln!("on {location}");
    test(&Database { location, folder }).await;
}

/// Runs the test on an empty PostgreSQL database.
pub async fn on_postgres(test: impl AsyncFn(&Database)) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let admin_url = postgres_url();
    let mut admin = PgConnection::connect(admin_url).await.expect("the test server answers");
    let create = format!("CREATE DATABASE {name}");
    sqlx::query(AssertSqlSafe(create)).execute(&mut admin).await.expect("a database");
    let url = PgConnectOptions::from_str(admin_url).expect("a URL").database(&name).to_url_lossy();
    let location = Location::Postgres(url.to_string());
    eprintln!("on {location}");
    test(&Database { location, folder: TempDir::new().expect("a folder") }).await;
    let drop = format!("DROP DATABASE {name} WITH (FORCE)");
    sqlx::query(AssertSqlSafe(drop)).execute(&mut admin).await.expect("dropped");
}

/// Returns the socket that the test server listens on.
pub fn postgres_socket() -> PathBuf {
    let (_, folder) = postgres_url().split_once("host=").expect("a server on a socket");
    PathBuf::from(folder).join(".s.PGSQL.5432")
}

/// Returns the admin URL of the test server.
fn postgres_url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    static SERVER: OnceLock<Running> = OnceLock::new();
    URL.get_or_init(|| match std::env::var("MORSEL_TEST_POSTGRES_URL") {
        Ok(url) => url,
        Err(_) => SERVER.get_or_init(|| Running::start("with-postgres", "$MORSEL_TEST_POSTGRES_URL")).line.clone(),
    })
}

impl Database {
    /// Opens a store on it.
    pub async fn open(&self) -> Store {
        Store::open(&self.location).await.expect("the database opens")
    }
}

/// Returns a fixed moment, so that times in assertions can be written down.
pub fn noon() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().expect("a timestamp")
}

/// Returns the moment so many seconds after [`noon`].
pub fn after(seconds: i64) -> Timestamp {
    noon() + SignedDuration::from_secs(seconds)
}

/// Parses an address.
pub fn email(text: &str) -> Email {
    Email::parse(text).expect("an address")
}

/// A session from an unknown browser, until so many seconds after noon.
pub fn a_session(seconds: i64) -> NewSession<'static> {
    NewSession { expires_at: after(seconds), user_agent: None, address: None, is_by_link: false }
}

/// Creates an account on the free plan.
pub async fn an_account(store: &Store, address: &str) -> Account {
    let created = store.accounts().create(NewAccount::new(email(address)), noon(), &mut Rng::system()).await;
    created.expect("an account")
}

/// Describes a recipe with text that is easily mangled.
pub fn a_recipe(name: &str) -> NewRecipe {
    NewRecipe {
        name: name.to_owned(),
        macros: Macros { calories: 350.0, protein: 12.5, carbs: 40.25, fat: 0.1 },
        serving_description: Some("1 slice".to_owned()),
        aliases: vec!["the usual".to_owned(), "Omas „Küche“ \"quoted\"".to_owned()],
        ingredients: None,
    }
}

/// Starts this test program again for one ignored test, which finds the database with [`child_store`]: a separate process
/// that can be killed, or that writes while another one reads.
pub fn start_child(test: &str, database: &Database) -> Child {
    let url = match &database.location {
        Location::Sqlite(path) => format!("sqlite:{}", path.display()),
        Location::Postgres(url) => url.clone(),
    };
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", test, "--ignored", "--nocapture"]).env(CHILD_URL, url);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the test program starts")
}

/// Opens the store of a child process; `None` if the test was not started by [`start_child`].
pub async fn child_store() -> Option<Store> {
    let location = Location::parse(&std::env::var(CHILD_URL).ok()?).expect("a location");
    Some(Store::open(&location).await.expect("opens"))
}

const CHILD_URL: &str = "MORSEL_TEST_CHILD_URL";

/// Locks a SQLite database against writers, as another process may, until the connection is dropped.
pub async fn hold_write_lock(database: &Database) -> SqliteConnection {
    let Location::Sqlite(path) = &database.location else { panic!("only SQLite has one lock for all writers") };
    let mut connection = SqliteConnectOptions::new().filename(path).connect().await.expect("opens");
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut connection).await.expect("locked");
    connection
}

/// Runs statements without the store, as a newer or a broken program might.
pub async fn run_sql(database: &Database, sql: &str) {
    match &database.location {
        Location::Sqlite(path) => {
            let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
            let mut connection = options.connect().await.expect("opens");
            sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("runs");
            connection.close().await.expect("closes");
        }
        Location::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("connects");
            sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("runs");
        }
    }
}
