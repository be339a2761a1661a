//! PostgreSQL: full-text search with prefixes, ranked; if that finds too little, trigram similarity.
//!
//! It runs a cluster of its own in a temporary folder, which listens only on a socket in that folder.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use postgres::{Client, NoTls, Statement};

use super::{Engine, RESULTS, split};
use crate::docs::{Doc, Foods};
use crate::memory;

/// The port is part of the name of the socket; nothing listens on the network.
const PORT: u16 = 54_329;
/// The user of the server if the benchmark runs as root, which PostgreSQL does not allow.
const SERVER_USER: &str = "postgres";
/// Settings for a dedicated machine with data that can be rebuilt.
const SETTINGS: &str = "
listen_addresses = ''
shared_buffers = 512MB
effective_cache_size = 2GB
work_mem = 64MB
maintenance_work_mem = 512MB
random_page_cost = 1.1
jit = off
max_parallel_workers_per_gather = 0
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
";
/// A word with one wrong letter shares about half of its trigrams with the right one; the default of 0.6 misses most.
const PREPARE: &str = "SET pg_trgm.word_similarity_threshold = 0.5";
/// The 2 divides by the length of the text, so that short names come first.
const BY_WORDS: &str = "
SELECT number FROM foods, to_tsquery('english', $1) query
WHERE words @@ query ORDER BY ts_rank(words, query, 2) DESC, number LIMIT $2";
const BY_SIMILARITY: &str = "
SELECT number FROM foods WHERE $1 <% text
ORDER BY word_similarity($1, text) DESC, similarity($1, text) DESC, number LIMIT $2";

pub fn build(foods: &Foods, folder: &Path) -> Result<()> {
    let server = Server::create(folder)?;
    let mut client = server.connect()?;
    client
        .batch_execute("CREATE EXTENSION pg_trgm; CREATE TABLE load (number int, name text, rest text, text text)")?;
    let mut copy = client.copy_in("COPY load FROM STDIN")?;
    for (at, food) in foods.layer()?.foods().enumerate() {
        let doc = Doc::new(food);
        let rest: Vec<&str> = [&*doc.brand].into_iter().chain(doc.synonyms.iter().map(String::as_str)).collect();
        writeln!(copy, "{at}\t{}\t{}\t{}", plain(&doc.name), plain(&rest.join(" ")), plain(&doc.all_text()))?;
    }
    copy.finish()?;
    client.batch_execute(
        "CREATE TABLE foods AS SELECT number, text,
             setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', rest), 'B') AS words
         FROM load;
         DROP TABLE load;
         CREATE INDEX ON foods USING gin (words);
         CREATE INDEX ON foods USING gin (text gin_trgm_ops);",
    )?;
    client.batch_execute("VACUUM ANALYZE foods")?;
    Ok(())
}

/// Removes the separators of fields and rows from a field of a table that is copied in.
fn plain(text: &str) -> String {
    text.replace(['\t', '\n', '\r', '\\', '\0'], " ")
}

pub struct Postgres {
    client: Client,
    by_words: Statement,
    by_similarity: Statement,
    /// Last, so that it stops after the client is closed.
    server: Server,
}

impl Postgres {
    pub fn open(folder: &Path) -> Result<Self> {
        let server = Server::start(folder)?;
        let mut client = server.connect()?;
        client.batch_execute(PREPARE)?;
        Ok(Self { by_words: client.prepare(BY_WORDS)?, by_similarity: client.prepare(BY_SIMILARITY)?, client, server })
    }
}

impl Engine for Postgres {
    fn search(&mut self, query: &str) -> Result<Vec<u32>> {
        let words = split(query);
        if words.is_empty() {
            return Ok(Vec::new());
        }
        // The last word may be incomplete.
        let expression = words.join(" & ") + ":*";
        let limit = RESULTS as i64;
        let rows = self.client.query(&self.by_words, &[&expression, &limit])?;
        let mut numbers: Vec<i32> = rows.iter().map(|row| row.get(0)).collect();
        if numbers.len() < RESULTS {
            let rows = self.client.query(&self.by_similarity, &[&words.join(" "), &limit])?;
            for number in rows.iter().map(|row| row.get(0)) {
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
            numbers.truncate(RESULTS);
        }
        Ok(numbers.into_iter().map(|number| number as u32).collect())
    }

    fn server_memory(&self) -> u64 {
        self.server.pid().map_or(0, memory::of_family)
    }
}

/// A running cluster, stopped when dropped.
struct Server {
    folder: PathBuf,
}

impl Server {
    /// Creates an empty cluster and starts it.
    fn create(folder: &Path) -> Result<Self> {
        if as_root()? {
            let owned = Command::new("chown").arg(SERVER_USER).arg(folder).status()?;
            ensure!(owned.success(), "could not give the folder to the user {SERVER_USER}");
        }
        let data = folder.join("data");
        run(program("initdb")?
            .args(["--auth=trust", "--username=bench", "--encoding=UTF8", "--locale=C.UTF-8", "-D"])
            .arg(&data))?;
        let config = data.join("postgresql.conf");
        let old = fs::read_to_string(&config)?;
        let sockets = format!("unix_socket_directories = '{}'\nport = {PORT}\n", folder.display());
        fs::write(&config, old + SETTINGS + &sockets)?;
        Self::start(folder)
    }

    fn start(folder: &Path) -> Result<Self> {
        let server = Self { folder: folder.to_owned() };
        run(program("pg_ctl")?
            .args(["start", "--wait", "--silent", "-D"])
            .arg(folder.join("data"))
            .arg("-l")
            .arg(folder.join("log")))?;
        Ok(server)
    }

    fn connect(&self) -> Result<Client> {
        let mut config = postgres::Config::new();
        config.host_path(&self.folder).port(PORT).user("bench").dbname("postgres");
        config.connect(NoTls).context("could not connect to PostgreSQL")
    }

    /// Returns the process that started all others of the cluster.
    fn pid(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join("data/postmaster.pid")).ok()?.lines().next()?.trim().parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // `pg_ctl` signals the process whose number is in the cluster's own file.
        let stop = program("pg_ctl").and_then(|mut command| {
            run(command.args(["stop", "--wait", "--silent", "--mode=fast", "-D"]).arg(self.folder.join("data")))
        });
        if let Err(error) = stop {
            eprintln!("could not stop PostgreSQL: {error:#}");
        }
    }
}

/// Returns a command for one of the server's programs, run as a user that it accepts.
fn program(name: &str) -> Result<Command> {
    let folder = std::env::var("PG_BIN").context("PG_BIN must name the folder of initdb and pg_ctl; `run` sets it")?;
    let path = Path::new(&folder).join(name);
    let mut command = if as_root()? {
        let mut command = Command::new("runuser");
        command.args(["-u", SERVER_USER, "--"]).arg(path);
        command
    } else {
        Command::new(path)
    };
    // A working folder that the other user can access.
    command.current_dir(std::env::temp_dir());
    Ok(command)
}

fn as_root() -> Result<bool> {
    let output = Command::new("id").arg("-u").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim() == "0")
}

/// Runs a command and reports its output if it fails. The output goes to a file: a pipe would stay open in the server
/// that it leaves behind.
fn run(command: &mut Command) -> Result<()> {
    let log = std::env::temp_dir().join(format!("search-bench-{}.log", std::process::id()));
    let out = fs::File::create(&log)?;
    let status = command.stdin(std::process::Stdio::null()).stdout(out.try_clone()?).stderr(out).status()?;
    let text = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log);
    if !status.success() {
        bail!("{command:?} failed: {}", text.trim());
    }
    Ok(())
}
