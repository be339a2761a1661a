//! Settings as the operator writes them: on the command line, in the environment or in a file.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::secret::{self, Secret};

/// Every setting of `morsel serve`, each of them optional.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "MORSEL_LISTEN")]
    pub listen: Option<SocketAddr>,
    /// Data directory: the SQLite database, photos and imported foods [default: ./morsel-data]
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of SQLite: postgres://user:password@host/name
    #[arg(long, value_name = "URL", env = "MORSEL_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Redis or Valkey, for limits that hold over several servers: redis://user:password@host:6379/0
    #[arg(long, value_name = "URL", env = "MORSEL_REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<String>,
    /// Bucket for photos and published catalogs, for several servers: s3://bucket?endpoint=https://host&region=name
    #[arg(long, value_name = "URL", env = "MORSEL_IMAGES_URL", hide_env_values = true)]
    pub images_url: Option<String>,
    /// Seconds for which keys that were used before keep working while PostgreSQL cannot be reached; 0 for none [default: 60]
    #[arg(long, value_name = "SECONDS", env = "MORSEL_DATABASE_GRACE_SECONDS")]
    pub database_grace_seconds: Option<u32>,
    /// Public URL of the service when it is behind a proxy
    #[arg(long, value_name = "URL", env = "MORSEL_BASE_URL")]
    pub base_url: Option<String>,
    /// Path below which the service is on its host, such as /morsel. Proxies pass it on [default: that of the public URL]
    #[arg(long, value_name = "PATH", env = "MORSEL_BASE_PATH")]
    pub base_path: Option<String>,
    /// Proxies whose X-Forwarded-For, -Proto and -Host headers are trusted: comma-separated addresses or networks
    #[arg(long, value_name = "NETWORKS", env = "MORSEL_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Option<Vec<String>>,
    /// Origins that may call the API from a browser, comma-separated, or * for all [default: none]
    #[arg(long, value_name = "ORIGINS", env = "MORSEL_CORS_ORIGINS", value_delimiter = ',')]
    pub cors_origins: Option<Vec<String>>,
    /// Requests per minute by plan [default: free=60,starter=300,pro=1200,scale=12000]
    #[arg(long, value_name = "LIMITS", env = "MORSEL_PLAN_LIMITS", value_delimiter = ',')]
    pub plan_limits: Option<Vec<String>>,
    /// Hours to keep uploaded photos [default: 24]
    #[arg(long, value_name = "HOURS", env = "MORSEL_KEEP_IMAGES_HOURS")]
    pub keep_images_hours: Option<u32>,
    /// OpenAI-compatible vision model to ask before the built-in recognition, such as http://127.0.0.1:11434/v1.
    /// Set its API key in `MORSEL_VISION_KEY`
    #[arg(long, value_name = "URL", env = "MORSEL_VISION_URL")]
    pub vision_url: Option<String>,
    /// Name of the vision model
    #[arg(long, value_name = "NAME", env = "MORSEL_VISION_MODEL")]
    pub vision_model: Option<String>,
    /// API key of the vision model. Not a flag, because other users can see the command line; the environment variable is
    /// read by [`Settings::add_secrets_from_env`].
    #[arg(skip)]
    pub vision_key: Option<Secret>,
    /// Seconds the vision model may take per photo, retries included [default: 20]
    #[arg(long, value_name = "SECONDS", env = "MORSEL_VISION_TIMEOUT")]
    pub vision_timeout: Option<u32>,
    /// Calls to the vision model per day; after that, photos are recognized by Morsel alone [default: 1000]
    #[arg(long, value_name = "CALLS", env = "MORSEL_VISION_CALLS_A_DAY")]
    pub vision_calls_a_day: Option<u32>,
    /// Recognize foods learned from research-only images [default: on]
    #[arg(long, value_name = "SWITCH", env = "MORSEL_VISION_RESEARCH")]
    pub vision_research: Option<Switch>,
    /// Addresses and networks that may read /metrics [default: 127.0.0.0/8,::1]
    #[arg(long, value_name = "NETWORKS", env = "MORSEL_METRICS_FROM", value_delimiter = ',')]
    pub metrics_from: Option<Vec<String>>,
    /// Addresses and networks that may read foods as Open Food Facts has them, without a key [default: none]
    #[arg(long, value_name = "NETWORKS", env = "MORSEL_KEYLESS_FROM", value_delimiter = ',')]
    pub keyless_from: Option<Vec<String>>,
    /// Whether anyone can create an account in the dashboard [default: open if only this machine can reach the service]
    #[arg(long, value_name = "WHO", env = "MORSEL_SIGNUP")]
    pub signup: Option<Signup>,
    /// URL of an OpenID Connect provider to sign in to the dashboard with. Set the client's secret in
    /// `MORSEL_OIDC_CLIENT_SECRET`
    #[arg(long, value_name = "URL", env = "MORSEL_OIDC_ISSUER")]
    pub oidc_issuer: Option<String>,
    /// Id of this service at the provider
    #[arg(long, value_name = "ID", env = "MORSEL_OIDC_CLIENT_ID")]
    pub oidc_client_id: Option<String>,
    /// Secret of this service at the provider. Not a flag, as [`Settings::vision_key`].
    #[arg(skip)]
    pub oidc_client_secret: Option<Secret>,
    /// Name of the provider on the sign-in page [default: single sign-on]
    #[arg(long, value_name = "NAME", env = "MORSEL_OIDC_NAME")]
    pub oidc_name: Option<String>,
    /// Email addresses and domains that may sign in with the provider, comma-separated [default: all]
    #[arg(long, value_name = "LIST", env = "MORSEL_OIDC_ALLOWED", value_delimiter = ',')]
    pub oidc_allowed: Option<Vec<String>>,
    /// Create accounts for people who sign in with the provider for the first time [default: off]
    #[arg(long, value_name = "SWITCH", env = "MORSEL_OIDC_CREATE_ACCOUNTS")]
    pub oidc_create_accounts: Option<Switch>,
    /// Keep a log of each account's last requests, which the account sees in the dashboard [default: on]
    #[arg(long, value_name = "SWITCH", env = "MORSEL_REQUEST_LOG")]
    pub request_log: Option<Switch>,
    /// Seconds to accept requests after SIGTERM, while /readyz reports that the server is stopping [default: 5, or 0 if it
    /// listens on loopback]
    #[arg(long, value_name = "SECONDS", env = "MORSEL_DRAIN_SECONDS")]
    pub drain_seconds: Option<u32>,
    /// Format of the log on stderr [default: human]
    #[arg(long, value_name = "FORMAT", env = "MORSEL_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Lowest level to log [default: info]
    #[arg(long, value_name = "LEVEL", env = "MORSEL_LOG_LEVEL")]
    pub log_level: Option<LogLevel>,
}

impl Settings {
    /// Reads a TOML file. Its keys are the flags with underscores; unknown keys are rejected.
    pub fn from_file(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Self::from_toml(&text).map_err(|error| format!("{}, {error}", path.display()))
    }

    /// Reads TOML. An error gives the line and the reason but never shows a value, which may be a password.
    fn from_toml(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let message = error.message();
            let reason = match message.split_once(", expected ") {
                Some((found, expected)) if !found.starts_with("unknown field") => format!("expected {expected}"),
                _ => message.to_owned(),
            };
            format!("line {}: {reason}", before.matches('\n').count() + 1)
        })
    }

    /// Reads the secrets that have an environment variable but no flag, and those in files that variables name.
    pub fn add_secrets_from_env(mut self) -> Result<Self, String> {
        self.vision_key = secret::from_env("MORSEL_VISION_KEY")?.or(self.vision_key);
        self.oidc_client_secret = secret::from_env("MORSEL_OIDC_CLIENT_SECRET")?.or(self.oidc_client_secret);
        self.database_url = secret::or_from_file("MORSEL_DATABASE_URL", self.database_url)?;
        self.redis_url = secret::or_from_file("MORSEL_REDIS_URL", self.redis_url)?;
        self.images_url = secret::or_from_file("MORSEL_IMAGES_URL", self.images_url)?;
        Ok(self)
    }

    /// Returns these settings, completed by `other` where they are absent. Every field is named, so that a new one that is
    /// forgotten here does not compile.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            listen: self.listen.or(other.listen),
            data_dir: self.data_dir.or(other.data_dir),
            database_url: self.database_url.or(other.database_url),
            redis_url: self.redis_url.or(other.redis_url),
            images_url: self.images_url.or(other.images_url),
            database_grace_seconds: self.database_grace_seconds.or(other.database_grace_seconds),
            base_url: self.base_url.or(other.base_url),
            base_path: self.base_path.or(other.base_path),
            trusted_proxies: self.trusted_proxies.or(other.trusted_proxies),
            cors_origins: self.cors_origins.or(other.cors_origins),
            plan_limits: self.plan_limits.or(other.plan_limits),
            keep_images_hours: self.keep_images_hours.or(other.keep_images_hours),
            vision_url: self.vision_url.or(other.vision_url),
            vision_model: self.vision_model.or(other.vision_model),
            vision_key: self.vision_key.or(other.vision_key),
            vision_timeout: self.vision_timeout.or(other.vision_timeout),
            vision_calls_a_day: self.vision_calls_a_day.or(other.vision_calls_a_day),
            vision_research: self.vision_research.or(other.vision_research),
            metrics_from: self.metrics_from.or(other.metrics_from),
            keyless_from: self.keyless_from.or(other.keyless_from),
            signup: self.signup.or(other.signup),
            oidc_issuer: self.oidc_issuer.or(other.oidc_issuer),
            oidc_client_id: self.oidc_client_id.or(other.oidc_client_id),
            oidc_client_secret: self.oidc_client_secret.or(other.oidc_client_secret),
            oidc_name: self.oidc_name.or(other.oidc_name),
            oidc_allowed: self.oidc_allowed.or(other.oidc_allowed),
            oidc_create_accounts: self.oidc_create_accounts.or(other.oidc_create_accounts),
            request_log: self.request_log.or(other.request_log),
            drain_seconds: self.drain_seconds.or(other.drain_seconds),
            log_format: self.log_format.or(other.log_format),
            log_level: self.log_level.or(other.log_level),
        }
    }
}

/// Whether visitors of the dashboard can create accounts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Signup {
    /// Anyone who can open the dashboard.
    Open,
    /// Only owners create accounts.
    Closed,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
}

/// The lowest level that is logged.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Failures.
    Error,
    /// Also what may need attention.
    Warn,
    /// Also every request.
    #[default]
    Info,
    /// Also internal events.
    Debug,
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// On.
    #[default]
    On,
    /// Off.
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with every key; a new setting must be added here.
    const EVERY_KEY: &str = r#"
        listen = "127.0.0.1:1"
        data_dir = "file"
        database_url = "file"
        redis_url = "file"
        images_url = "file"
        database_grace_seconds = 1
        base_url = "file"
        base_path = "file"
        trusted_proxies = ["file"]
        cors_origins = ["file"]
        plan_limits = ["file"]
        keep_images_hours = 1
        vision_url = "file"
        vision_model = "file"
        vision_key = "file"
        vision_timeout = 1
        vision_calls_a_day = 1
        vision_research = "on"
        metrics_from = ["file"]
        keyless_from = ["file"]
        signup = "open"
        oidc_issuer = "file"
        oidc_client_id = "file"
        oidc_client_secret = "file"
        oidc_name = "file"
        oidc_allowed = ["file"]
        oidc_create_accounts = "on"
        request_log = "on"
        drain_seconds = 1
        log_format = "human"
        log_level = "error"
    "#;

    #[test]
    fn every_setting_can_be_in_the_file_and_be_overridden() {
        let file = Settings::from_toml(EVERY_KEY).expect("known keys");
        let alone = format!("{:?}", Settings::default().or(file.clone()));
        assert_eq!(alone, format!("{file:?}"));
        assert!(!alone.contains("None"), "every key is set: {alone}");
        let flags = EVERY_KEY.replace("file", "flag").replace('1', "2").replace("\"on\"", "\"off\"");
        let flags = flags.replace("open", "closed").replace("human", "json").replace("error", "debug");
        let flags = Settings::from_toml(&flags.replace("227.0.0.2:2", "127.0.0.2:2")).expect("known keys");
        let both = flags.clone().or(file);
        assert_eq!(format!("{both:?}"), format!("{flags:?}"));
        assert_eq!(both.vision_key.as_ref().map(Secret::reveal), Some("flag"));
    }

    #[test]
    fn mistakes_in_the_file_are_named_by_line_without_showing_values() {
        for (text, expected) in [
            ("listen = \"127.0.0.1:1\"\nlisen = \"hunter2\"", "line 2: unknown field `lisen`"),
            ("keep_images_hours = \"hunter2\"", "line 1: expected u32"),
            ("\nvision_key = 4711", "line 2: expected a string"),
            ("signup = \"hunter2\"", "line 1: expected `open` or `closed`"),
            ("database_url = \"hunter2\nlisten = 1", "line 1: "),
        ] {
            let error = Settings::from_toml(text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
            assert!(!error.contains("hunter2") && !error.contains("4711"), "{error}");
        }
    }
}
