//! `morsel mcp`: the tools of the API for an assistant that starts this program and talks to it over stdin and stdout, one
//! JSON-RPC message a line.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result};
use axum::http::Request;
use bytes::Bytes;
use clap::Args;
use foods::catalog::{Catalog, Layer};
use store::{Account, Mode, Scope, Scopes, Store};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{AbortHandle, JoinSet};

use super::args::{UsageError, parse_email};
use crate::api::mcp::backend::{McpBackend, McpClient, ServiceBackend};
use crate::api::mcp::message::RpcRequest;
use crate::api::mcp::protocol::{self, RpcAnswer};
use crate::app::{App, MAX_BODY};
use crate::config::{Config, LogFormat, LogLevel, Settings};
use crate::dialect::error_form::{RpcId, json_rpc};
use crate::error::ApiError;
use crate::live_engine::EngineSnapshot;
use crate::log;

/// Requests that are answered at a time.
const MAX_RUNNING: usize = 16;

/// Arguments of `morsel mcp`.
#[derive(Debug, Args)]
pub(super) struct McpArgs {
    /// Data directory with recipes and imported foods; without it, the built-in foods alone
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR")]
    data_dir: Option<PathBuf>,
    /// PostgreSQL database with the recipes, if they are not in the data directory
    #[arg(long, value_name = "URL", env = "MORSEL_DATABASE_URL", hide_env_values = true, requires = "data_dir")]
    database_url: Option<String>,
    /// Account whose recipes are used; needed only if there are several
    #[arg(long, value_name = "EMAIL", requires = "data_dir")]
    account: Option<String>,
}

impl McpArgs {
    pub fn run(self) -> Result<()> {
        let _log = log::start(LogFormat::Human, LogLevel::Warn);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let client = Arc::new(self.client().await?);
            let (lines, received) = channel(MAX_RUNNING);
            // Not joined: it may wait for input that never comes.
            thread::spawn(move || read_lines(&mut BufReader::new(io::stdin()), &lines));
            serve(&client, received).await?;
            if let McpBackend::Service(service) = &client.backend {
                service.app.store.close().await;
            }
            Ok(())
        })
    }

    /// Opens what the tools ask.
    async fn client(self) -> Result<McpClient> {
        let Some(data_dir) = self.data_dir else {
            let catalog = Catalog::new(Layer::from_static(embedded::CATALOG)?, None);
            return Ok(McpClient::of_engine(EngineSnapshot::new(Arc::new(catalog))));
        };
        if !data_dir.is_dir() {
            return Err(UsageError(format!("there is no data directory {}", data_dir.display())).into());
        }
        let settings =
            Settings { data_dir: Some(data_dir.clone()), database_url: self.database_url, ..Settings::default() };
        let app = Arc::new(App::open(Config::new(&settings).map_err(UsageError)?).await?);
        let Some(account) = account(&app.store, self.account.as_deref()).await? else {
            eprintln!("morsel: {} has no account, so there are no recipes", data_dir.display());
            let snapshot = EngineSnapshot::new(Arc::clone(&app.engine.snapshot().catalog));
            app.store.close().await;
            return Ok(McpClient::of_engine(snapshot));
        };
        let scopes: Scopes = Scope::ALL.into_iter().filter(|scope| *scope != Scope::Upload).collect();
        // There is no request of HTTP; an empty one has no language and no address of its own.
        let (head, ()) = Request::new(()).into_parts();
        let service = ServiceBackend { app, account: account.id, mode: Mode::Live, head };
        Ok(McpClient { scopes, backend: McpBackend::Service(Box::new(service)) })
    }
}

/// Returns the account with this address, or the only one.
async fn account(store: &Store, email: Option<&str>) -> Result<Option<Account>> {
    if let Some(email) = email {
        let found = store.accounts().by_email(&parse_email(email)?).await?;
        return found.with_context(|| format!("no account {email}")).map(Some);
    }
    let mut accounts = store.accounts().list().await?;
    if accounts.len() > 1 {
        return Err(UsageError("there are several accounts; choose one with --account".to_owned()).into());
    }
    Ok(accounts.pop())
}

/// A line of the input, or `None` if it is too long.
type InputLine = Option<Bytes>;

/// Passes on lines until the input ends or nobody reads them.
fn read_lines(input: &mut impl BufRead, lines: &Sender<InputLine>) {
    while let Ok(Some(line)) = read_line(input) {
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// Returns the next line, or `None` at the end of the input. The rest of a line that is too long is skipped.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_BODY as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() <= MAX_BODY {
        return Ok(Some(Some(line.into())));
    }
    while !line.ends_with(b"\n") {
        line.clear();
        if input.by_ref().take(MAX_BODY as u64).read_until(b'\n', &mut line)? == 0 {
            break;
        }
    }
    Ok(Some(None))
}

/// Requests that are being answered.
#[derive(Default)]
struct Running {
    /// Each returns the id of its request.
    tasks: JoinSet<io::Result<String>>,
    handles: HashMap<String, AbortHandle>,
}

impl Running {
    /// Waits for one that finishes.
    async fn finish_one(&mut self) -> Result<()> {
        // One that was canceled has no result.
        if let Some(Ok(answered)) = self.tasks.join_next().await {
            self.handles.remove(&answered?);
        }
        Ok(())
    }
}

/// Answers lines until they end.
async fn serve(client: &Arc<McpClient>, mut lines: Receiver<InputLine>) -> Result<()> {
    let mut running = Running::default();
    while let Some(line) = lines.recv().await {
        let Some(line) = line else {
            write_line(&json_rpc(&ApiError::too_large("The message is too long."), None, None))?;
            continue;
        };
        if line.trim_ascii().is_empty() {
            continue;
        }
        match RpcRequest::read(&line) {
            Ok(Some(RpcRequest { id: None, method, params })) if method == "notifications/cancelled" => {
                let handle = params.cancelled.and_then(|id| running.handles.remove(&id));
                handle.inspect(AbortHandle::abort);
            }
            Ok(Some(request)) => {
                let Some(id) = request.id.clone() else { continue };
                while running.tasks.len() >= MAX_RUNNING {
                    running.finish_one().await?;
                }
                let handle = running.tasks.spawn(answer(Arc::clone(client), id.clone(), request));
                running.handles.insert(id, handle);
            }
            Ok(None) => {}
            Err((id, error)) => write_line(&error.body(id.as_deref()))?,
        }
    }
    while !running.tasks.is_empty() {
        running.finish_one().await?;
    }
    Ok(())
}

/// Answers a request and returns its id.
async fn answer(client: Arc<McpClient>, id: String, request: RpcRequest) -> io::Result<String> {
    let body = match protocol::answer(&client, &id, request, None).await {
        RpcAnswer::Message(_, body) => body,
        RpcAnswer::Failure(error) => {
            if let Some(cause) = &error.cause {
                tracing::error!(code = error.code, cause, "request failed");
            }
            json_rpc(&error, Some(&RpcId(id.clone())), None)
        }
    };
    write_line(&body)?;
    Ok(id)
}

fn write_line(message: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(message)?;
    out.write_all(b"\n")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_to_their_end_and_those_that_are_too_long_are_skipped() {
        let long = vec![b'x'; 2 * MAX_BODY + 5];
        let input = [b"one\n\n".as_slice(), &long, b"\nlast"].concat();
        let mut input = BufReader::new(input.as_slice());
        let mut next = || read_line(&mut input).expect("memory can be read");
        assert_eq!(next(), Some(Some(Bytes::from_static(b"one\n"))));
        assert_eq!(next(), Some(Some(Bytes::from_static(b"\n"))));
        assert_eq!(next(), Some(None));
        assert_eq!(next(), Some(Some(Bytes::from_static(b"last"))));
        assert_eq!(next(), None);
    }
}
