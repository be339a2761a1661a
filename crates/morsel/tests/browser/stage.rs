//! A service on a real socket, and the browser that shows it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::SignedDuration;
use morsel::app::App;
use morsel::config::{Config, Settings};
use morsel::server;
use store::{Account, Location, NewAccount, NewSession, Plan, Rng};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::harness::Service;
use crate::page::Page;
use test_support::{Database, email};

/// What a test works with. All tests share it; each has an account of its own.
pub struct Stage {
    pub page: Page,
    pub service: Service,
    address: SocketAddr,
    accounts: AtomicU32,
    database: Database,
}

impl Stage {
    pub async fn set() -> Self {
        let folder = TempDir::new().expect("a folder");
        let database = Database { location: Location::Sqlite(folder.path().join("morsel.db")), folder };
        let service = Service::on(&database).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(server::serve(listener, Arc::clone(&service.app), std::future::pending::<()>()));
        Self { page: Page::start().await, service, address, accounts: AtomicU32::new(0), database }
    }

    /// Returns the URL of a path.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Opens a path.
    pub async fn open(&self, path: &str) {
        self.page.open(&self.at(path)).await;
    }

    /// Creates an owner account.
    pub async fn owner(&self) -> Account {
        self.new_account(true).await
    }

    /// Creates an account.
    pub async fn account(&self) -> Account {
        self.new_account(false).await
    }

    async fn new_account(&self, is_owner: bool) -> Account {
        let address = format!("person{}@example.com", self.accounts.fetch_add(1, Ordering::Relaxed));
        let accounts = self.service.app.store.accounts();
        let account = accounts
            .create(
                NewAccount { plan: Plan::Starter, is_owner, ..NewAccount::new(email(&address)) },
                self.service.app.now(),
                &mut Rng::system(),
            )
            .await;
        account.expect("an account")
    }

    /// Signs an account in without the form, which has a test of its own.
    pub async fn sign_in(&self, account: &Account) {
        let now = self.service.app.now();
        let expires_at = now + SignedDuration::from_hours(1);
        let new = NewSession { expires_at, user_agent: None, address: None, is_by_link: false };
        let sessions = self.service.app.store.sessions();
        let token = sessions.create(&account.id, new, now, &mut Rng::system()).await.expect("a session");
        self.page.set_cookie(&self.at("/"), "morsel_session", &token).await;
    }

    /// Starts another service without accounts, below a path, and returns its URL. It has another host name, because
    /// cookies ignore the port.
    pub async fn empty_service(&self, base_path: &str) -> String {
        let folder = self.database.folder.path().join("empty").join(base_path.trim_start_matches('/'));
        // A test opens pages faster than any person.
        let plan_limits = Some(vec!["pages=100000".to_owned()]);
        let (data_dir, below) = (Some(folder), Some(base_path.to_owned()));
        let settings = Settings { data_dir, plan_limits, base_path: below, ..Settings::default() };
        let app = App::open(Config::new(&settings).expect("settings")).await.expect("opens");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(server::serve(listener, Arc::new(app), std::future::pending::<()>()));
        format!("http://localhost:{port}{base_path}")
    }

    /// Creates an account and signs it in.
    pub async fn person(&self) -> Account {
        let account = self.account().await;
        self.sign_in(&account).await;
        account
    }
}
