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

use super::Usage;
use crate::app::App;
use crate::config::{Config, Secret, Settings};
use crate::{background, log, server};

/// The address of the account that a first start makes.
const OWNER: &str = "owner@localhost";
/// How long the sign-in link of a first start works.
const SIGN_IN_WITHIN: Duration = Duration::from_hours(24);

/// Arguments of `morsel serve`.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// TOML file with any of the settings below, as `listen = "0.0.0.0:8080"`
    #[arg(long, value_name = "FILE", env = "MORSEL_CONFIG")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

impl Serve {
    pub fn run(self) -> Result<()> {
        let file = self.config.as_deref().map(Settings::from_file).transpose().map_err(Usage)?;
        let mut settings = self.settings;
        settings.vision_key = std::env::var("MORSEL_VISION_KEY").ok().filter(|key| !key.is_empty()).map(Secret::new);
        let settings = settings.or(file.unwrap_or_default());
        let config = Config::new(&settings).map_err(Usage)?;
        let _log = log::start(settings.log_format.unwrap_or_default(), settings.log_level.unwrap_or_default());
        // More than the usual 1,024 connections; where that is not allowed, fewer have to do.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(config))
    }
}

async fn serve(config: Config) -> Result<()> {
    // The port first: whoever starts the program twice by mistake is told so, and nothing else has happened.
    let listener = listen(config.listen).await?;
    let address = listener.local_addr()?;
    let config = Config { listen: address, ..config };
    let app = Arc::new(App::open(config).await?);
    let base = app.config.base_url.clone().unwrap_or_else(|| format!("http://{address}"));
    welcome(&app, &base).await?;
    let tasks = background::start(&app);
    let stop = stop_signal()?;
    eprintln!("morsel: ready at {base}");
    server::serve(listener, Arc::clone(&app), stop).await;
    drop(tasks);
    app.usage.flush(&app.store).await.context("the last usage counts could not be written")?;
    app.store.close().await;
    eprintln!("morsel: stopped");
    Ok(())
}

async fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {} is in use; stop the other program or choose another with --listen {}:PORT",
            address.port(),
            address.ip()
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("port {} needs special rights; choose one above 1023 with --listen", address.port())
        }
        _ => anyhow!("cannot listen on {address}: {error}; choose another address with --listen"),
    })
}

/// Done when the system or a person asks the program to stop.
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

/// On a first start, the owner's account and key, shown this once, on stdout, since the log is no place for secrets; on
/// any other, where to find things.
async fn welcome(app: &App, base: &str) -> Result<()> {
    let now = app.now();
    let owner = Email::parse(OWNER).context("the owner's address is one")?;
    let created = app.store.accounts().create_first_owner(&owner, now, &mut app.rng()).await?;
    let Some(account) = created else {
        eprintln!("morsel: data in {}; make keys with `morsel key create`", app.config.place.data_dir().display());
        return Ok(());
    };
    // Whoever runs the service is not to be limited by a plan for guests.
    app.store.accounts().set_plan(&account.id, Plan::Scale).await?;
    let new = NewKey { mode: Mode::Live, label: Some("first key".to_owned()), scopes: Scopes::all(), expires_at: None };
    let (_, key) = app.store.keys().create(&account.id, new, now, &mut app.rng()).await?;
    let until = now.checked_add(SIGN_IN_WITHIN)?;
    let link = app.store.sessions().create_link(&account.id, until, now, &mut app.rng()).await?;
    introduce(base, &account, &key, &link)
}

fn introduce(base: &str, account: &Account, key: &KeyText, link: &str) -> Result<()> {
    let key = key.as_str();
    let mut out = stdout().lock();
    writeln!(out, "Welcome to Morsel. This is shown once:\n")?;
    writeln!(out, "  Dashboard  {base}/")?;
    writeln!(out, "  Owner      {}", account.email)?;
    writeln!(out, "  Sign in    {base}/sign-in/{link}   (works once, within a day)")?;
    writeln!(out, "  API key    {key}\n")?;
    writeln!(out, "Try it:\n")?;
    writeln!(out, "  curl {base}/v1/estimate/sync -H 'Authorization: Bearer {key}' \\")?;
    writeln!(out, "    -d '{{\"messages\":[{{\"role\":\"user\",\"content\":\"two eggs and a slice of toast\"}}]}}'\n")?;
    Ok(out.flush()?)
}
