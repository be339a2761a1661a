//! Starts, watches and stops the servers.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::connection::Connection;

/// Far above the load, so that requests are counted and none is rejected.
const PLAN_LIMITS: &str = "scale=100000000";

/// A running server, stopped when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// Starts the bare server.
    pub fn hello(program: &Path) -> Result<Self> {
        let address = free_address()?;
        let child = Command::new(program).arg(address.to_string()).spawn();
        Ok(Self { child: child.with_context(|| format!("could not start {}", program.display()))?, address })
    }

    /// Starts Morsel with its default settings except for the port, the folder and the limit. Its log goes to a file.
    pub fn morsel(program: &Path, data_dir: &Path) -> Result<Self> {
        let address = free_address()?;
        fs::create_dir_all(data_dir)?;
        let log = File::options().create(true).append(true).open(data_dir.with_extension("log"))?;
        let child = Command::new(program)
            .args(["serve", "--listen", &address.to_string(), "--data-dir"])
            .arg(data_dir)
            .env("MORSEL_PLAN_LIMITS", PLAN_LIMITS)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        Ok(Self { child: child.with_context(|| format!("could not start {}", program.display()))?, address })
    }

    /// Waits for the first 200 from this path and returns the time since `since`.
    pub async fn wait_for(&mut self, path: &str, since: Instant) -> Result<Duration> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        while since.elapsed() < Duration::from_secs(20) {
            if let Ok(mut connection) = Connection::open(self.address).await
                && let Ok(200) = connection.exchange(request.as_bytes()).await
            {
                return Ok(since.elapsed());
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended before it was ready: {status}");
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        bail!("the server was not ready within 20 seconds")
    }

    /// Returns the CPU time of its threads.
    pub fn time_on_cores(&self) -> Duration {
        time_on_cores(&format!("/proc/{}/stat", self.child.id()))
    }

    /// Returns the resident memory in bytes.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1_024
    }

    /// Stops it as an operator would, and waits for its end.
    pub fn stop(mut self) -> Result<()> {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM)?;
        }
        let asked = Instant::now();
        while asked.elapsed() < Duration::from_secs(15) {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        bail!("the server did not stop within 15 seconds")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // This fails if it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates an account on the largest plan and returns a key of it.
pub fn make_key(program: &Path, data_dir: &Path, email: &str) -> Result<String> {
    let key = morsel(program, data_dir, &["key", "create", "--email", email])?;
    morsel(program, data_dir, &["account", "set-plan", "--email", email, "--plan", "scale"])?;
    Ok(key.trim().to_owned())
}

fn morsel(program: &Path, data_dir: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).args(arguments).arg("--data-dir").arg(data_dir).output()?;
    ensure!(output.status.success(), "morsel {arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Returns user and system time from the statistics of a process.
pub fn time_on_cores(path: &str) -> Duration {
    let line = fs::read_to_string(path).unwrap_or_default();
    // The name in brackets may contain spaces; the fields after it do not.
    let fields: Vec<&str> = line.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    // Linux counts in hundredths of a second here, whatever the kernel's tick rate is.
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}
