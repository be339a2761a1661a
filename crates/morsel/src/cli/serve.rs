//! `morsel serve`: the service.

use std::io::{ErrorKind, Write as _, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use store::{Account, Email, KeyText, Mode, NewKey, Plan, Scopes};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::args::UsageError;
use crate::app::App;
use crate::config::{Config, Settings};
use crate::{background, log, server};

/// Email address of the account that the first start creates.
const OWNER_EMAIL: &str = "owner@localhost";
/// How long the sign-in link of the first start is valid.
const LINK_LIFETIME: Duration = Duration::from_hours(24);

/// Arguments of `morsel serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// TOML file with any of these settings, such as listen = "0.0.0.0:8080"; flags and variables override it
    #[arg(long, value_name = "FILE", env = "MORSEL_CONFIG")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

impl ServeArgs {
    pub fn run(self) -> Result<()> {
        let file = self.config.as_deref().map(Settings::from_file).transpose().map_err(UsageError)?;
        let settings = self.settings.add_secrets_from_env().map_err(UsageError)?.or(file.unwrap_or_default());
        let config = Config::new(&settings).map_err(UsageError)?;
        let _log = log::start(settings.log_format.unwrap_or_default(), settings.log_level.unwrap_or_default());
        // Allows more than the usual 1,024 connections; if the system refuses, the service runs with fewer.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(config))
    }
}

async fn serve(config: Config) -> Result<()> {
    // The port comes first: a second server started by mistake stops here, before it touches anything.
    let listener = listen(config.listen).await?;
    let address = listener.local_addr()?;
    let config = Config { listen: address, ..config };
    let app = Arc::new(App::open(config).await?);
    app.store.idempotency().release_at_start().await?;
    let base = app.config.base_url.clone().unwrap_or_else(|| format!("http://{address}{}", app.config.base_path));
    welcome(&app, &base).await?;
    let tasks = background::start(&app);
    let stop = stop_signal()?;
    eprintln!("morsel: ready at {base}");
    server::serve(listener, Arc::clone(&app), stop).await;
    drop(tasks);
    app.counters.leave().await;
    write_the_rest(&app).await;
    app.store.close().await;
    eprintln!("morsel: stopped");
    Ok(())
}

/// Writes what is still in memory. A database that cannot be written is no reason not to stop.
async fn write_the_rest(app: &App) {
    if let Err(error) = app.usage.flush(&app.store).await {
        tracing::warn!(%error, "the usage counts that were not yet written are lost");
    }
    if let Err(error) = app.request_log.flush(&app.store, &app.limits, app.now()).await {
        tracing::warn!(%error, "the requests that were not yet written to the request log are lost");
    }
    if let Err(error) = app.trail.flush(&app.store).await {
        tracing::warn!(%error, "the audit events that were not yet written are only in the log");
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {} is already in use; stop the other program or choose another port with --listen {}:PORT",
            address.port(),
            address.ip()
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("no permission to use port {}; choose one above 1023 with --listen", address.port())
        }
        _ => anyhow!("cannot listen on {address}: {error}; choose another address with --listen"),
    })
}

/// Returns a future that completes on SIGTERM or SIGINT.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Creates the owner's account on the first start and prints its key and sign-in link once, to stdout, because secrets do
/// not belong in the log. On later starts, says where the data is and how to get in.
async fn welcome(app: &App, base: &str) -> Result<()> {
    let now = app.now();
    let owner = Email::parse(OWNER_EMAIL).context("the owner's address is valid")?;
    let created = app.store.accounts().create_first_owner(&owner, now, &mut app.rng()).await?;
    let Some(account) = created else {
        eprintln!("morsel: data in {}", app.config.storage.data_dir().display());
        print_how_to_get_in();
        return Ok(());
    };
    // The owner should not run into the limit of the free plan.
    app.store.accounts().set_plan(&account.id, Plan::Scale).await?;
    let new = NewKey { mode: Mode::Live, label: Some("first key".to_owned()), scopes: Scopes::all(), expires_at: None };
    let (_, key) = app.store.keys().create(&account.id, new, now, &mut app.rng()).await?;
    let until = now.checked_add(LINK_LIFETIME)?;
    let link = app.store.sessions().create_link(&account.id, until, now, &mut app.rng()).await?;
    // In one piece, so that a reader that has seen enough gets all of it or nothing.
    if let Err(error) = stdout().write_all(welcome_text(base, &account, &key, &link).as_bytes()) {
        eprintln!("morsel: could not print the first key and sign-in link: {error}");
        print_how_to_get_in();
    }
    Ok(())
}

fn print_how_to_get_in() {
    eprintln!("morsel: new sign-in link: `morsel account sign-in --email …`; new key: `morsel key create --email …`");
}

fn welcome_text(base: &str, account: &Account, key: &KeyText, link: &str) -> String {
    let (email, key) = (&account.email, key.as_str());
    format!(
        "Welcome to Morsel. This is shown only once:\n\n  \
         Dashboard  {base}/\n  \
         Owner      {email}\n  \
         Sign in    {base}/sign-in/{link}   (works once, for 24 hours)\n  \
         API key    {key}\n\n\
         Try it:\n\n  \
         curl {base}/v1/estimate/sync -H 'Authorization: Bearer {key}' \\\n    \
         -d '{{\"messages\":[{{\"role\":\"user\",\"content\":\"two eggs and a slice of toast\"}}]}}'\n\n"
    )
}
