//! What the service can be told: by flags, by `MORSEL_…` variables, by a TOML file, in this order of precedence.
//!
//! [`Settings`] is what was written down, every part of it optional; [`Config`] is what it means, with defaults in
//! place and everything checked.

mod vision;

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use ipnet::IpNet;
use serde::Deserialize;
use store::Plan;

pub use vision::{ModelConfig, Secret, Switch, VisionConfig};

/// Where accounts, keys and recipes are kept.
#[derive(Args, Clone, Debug, Default)]
pub struct Place {
    /// Folder for everything that must not be lost [default: ./morsel-data]
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database instead of SQLite in the data directory: postgres://user:password@host/name
    #[arg(long, value_name = "URL", env = "MORSEL_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
}

impl Place {
    /// The data directory.
    pub fn data_dir(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| PathBuf::from("./morsel-data"))
    }

    /// The database.
    pub fn location(&self) -> Result<store::Location, String> {
        match &self.database_url {
            Some(url) => store::Location::parse(url),
            None => Ok(store::Location::Sqlite(self.data_dir().join("morsel.db"))),
        }
    }
}

/// What was written down.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "MORSEL_LISTEN")]
    pub listen: Option<SocketAddr>,
    /// Folder for everything that must not be lost [default: ./morsel-data]
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database instead of SQLite in the data directory: postgres://user:password@host/name
    #[arg(long, value_name = "URL", env = "MORSEL_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Address under which callers reach the service, as https://… when it stands behind a proxy
    #[arg(long, value_name = "URL", env = "MORSEL_BASE_URL")]
    pub base_url: Option<String>,
    /// Proxies whose X-Forwarded-For, -Proto and -Host are believed, as a comma list of addresses or networks
    #[arg(long, value_name = "NETWORKS", env = "MORSEL_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Option<Vec<String>>,
    /// Web pages that may call the API from a browser, as a comma list of origins, or * for all
    #[arg(long, value_name = "ORIGINS", env = "MORSEL_CORS_ORIGINS", value_delimiter = ',')]
    pub cors_origins: Option<Vec<String>>,
    /// Requests a minute by plan, where they differ from free=60,starter=300,pro=1200,scale=12000
    #[arg(long, value_name = "LIMITS", env = "MORSEL_PLAN_LIMITS", value_delimiter = ',')]
    pub plan_limits: Option<Vec<String>>,
    /// Hours for which an uploaded photo is kept [default: 24]
    #[arg(long, value_name = "HOURS", env = "MORSEL_KEEP_IMAGES_HOURS")]
    pub keep_images_hours: Option<u32>,
    /// A model that looks at photos before the program's own eyes do: the address of an OpenAI-compatible service, such
    /// as http://127.0.0.1:11434/v1; its key, where it needs one, is taken from `MORSEL_VISION_KEY`
    #[arg(long, value_name = "URL", env = "MORSEL_VISION_URL")]
    pub vision_url: Option<String>,
    /// The name of that model
    #[arg(long, value_name = "NAME", env = "MORSEL_VISION_MODEL")]
    pub vision_model: Option<String>,
    /// The key of that service; from the environment or the file, never from the command line, where others can see it
    #[arg(skip)]
    pub vision_key: Option<Secret>,
    /// Seconds that the model may take for a photo, with everything [default: 20]
    #[arg(long, value_name = "SECONDS", env = "MORSEL_VISION_TIMEOUT")]
    pub vision_timeout: Option<u32>,
    /// Calls of the model a day; beyond them the program's own eyes look [default: 1000]
    #[arg(long, value_name = "CALLS", env = "MORSEL_VISION_CALLS_A_DAY")]
    pub vision_calls_a_day: Option<u32>,
    /// Whether foods in photos are recognised that were learned from pictures published for research only [default: on]
    #[arg(long, value_name = "SWITCH", env = "MORSEL_VISION_RESEARCH")]
    pub vision_research: Option<Switch>,
    /// Addresses and networks that may read /metrics [default: 127.0.0.0/8,::1]
    #[arg(long, value_name = "NETWORKS", env = "MORSEL_METRICS_FROM", value_delimiter = ',')]
    pub metrics_from: Option<Vec<String>>,
    /// Whether anybody may make an account in the dashboard [default: open on loopback, closed beyond it]
    #[arg(long, value_name = "WHO", env = "MORSEL_SIGNUP")]
    pub signup: Option<Signup>,
    /// Form of the log on stderr [default: human]
    #[arg(long, value_name = "FORMAT", env = "MORSEL_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,
    /// What is logged: error, warn, info or debug [default: info]
    #[arg(long, value_name = "LEVEL", env = "MORSEL_LOG_LEVEL")]
    pub log_level: Option<LogLevel>,
}

/// Whether anybody may make an account.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Signup {
    /// Whoever opens the dashboard.
    Open,
    /// Only whoever runs the service makes accounts.
    Closed,
}

/// How the log reads.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// A line for people.
    #[default]
    Human,
    /// An object a line, for programs.
    Json,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// What failed.
    Error,
    /// And what may need attention.
    Warn,
    /// And every request.
    #[default]
    Info,
    /// And what happens inside.
    Debug,
}

impl Settings {
    /// Reads a TOML file whose keys are the flags with underscores.
    pub fn from_file(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        // The parser's message names the line and the key, but also shows the line, which may hold a password.
        toml::from_str(&text).map_err(|error| format!("{}: {}", path.display(), error.message()))
    }

    /// These settings where they say something, `other` elsewhere.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            listen: self.listen.or(other.listen),
            data_dir: self.data_dir.or(other.data_dir),
            database_url: self.database_url.or(other.database_url),
            base_url: self.base_url.or(other.base_url),
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
            signup: self.signup.or(other.signup),
            log_format: self.log_format.or(other.log_format),
            log_level: self.log_level.or(other.log_level),
        }
    }
}

/// What the settings mean.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where things are kept.
    pub place: Place,
    /// The address that callers use, without a slash at the end; else it follows from each request.
    pub base_url: Option<String>,
    /// Whose forwarding headers are believed.
    pub trusted_proxies: Networks,
    /// Which pages may call the API from a browser.
    pub cors: Cors,
    /// Requests a minute.
    pub limits: PlanLimits,
    /// How long a photo is kept.
    pub keep_images: Duration,
    /// How photos are looked at.
    pub vision: VisionConfig,
    /// Who may read the metrics.
    pub metrics_from: Networks,
    /// Whether anybody may make an account.
    pub signup: Signup,
}

impl Config {
    /// Checks settings and fills in defaults; an error is a sentence about the setting at fault.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let loopback = || Ok(Networks(vec![network("127.0.0.0/8")?, network("::1")?]));
        let listen = settings.listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080)));
        let place = Place { data_dir: settings.data_dir.clone(), database_url: settings.database_url.clone() };
        Ok(Self {
            listen,
            place,
            base_url: settings.base_url.as_deref().map(base_url).transpose()?,
            trusted_proxies: settings.trusted_proxies.as_deref().map_or(Ok(Networks::default()), Networks::parse)?,
            cors: settings.cors_origins.as_deref().map_or(Ok(Cors::Off), Cors::parse)?,
            limits: PlanLimits::parse(settings.plan_limits.as_deref().unwrap_or_default())?,
            keep_images: match settings.keep_images_hours.unwrap_or(24) {
                0 => return Err("keep_images_hours must be at least 1".to_owned()),
                hours => Duration::from_secs(u64::from(hours) * 3_600),
            },
            vision: VisionConfig::new(settings)?,
            metrics_from: settings.metrics_from.as_deref().map_or_else(loopback, Networks::parse)?,
            // A service that others can reach should not give accounts to strangers unless it was told to.
            signup: settings.signup.unwrap_or(if is_for_this_machine(settings, listen) {
                Signup::Open
            } else {
                Signup::Closed
            }),
        })
    }
}

/// Whether only programs on this machine reach the service, as far as the settings tell.
fn is_for_this_machine(settings: &Settings, listen: SocketAddr) -> bool {
    listen.ip().to_canonical().is_loopback()
        && settings.base_url.as_deref().is_none_or(is_loopback_url)
        && settings.trusted_proxies.as_ref().is_none_or(Vec::is_empty)
}

/// Whether an address names the machine that it is used on: `localhost`, or an address that leads nowhere else.
pub fn is_loopback_url(url: &str) -> bool {
    let host = url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn base_url(text: &str) -> Result<String, String> {
    let url = text.trim().trim_end_matches('/');
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    match rest {
        Some(host) if !host.is_empty() && !host.contains(['?', '#', ' ', '@']) => Ok(url.to_owned()),
        _ => Err(format!("base_url “{text}” must look like https://food.example.com")),
    }
}

/// A set of addresses.
#[derive(Clone, Debug, Default)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    fn parse(list: &[String]) -> Result<Self, String> {
        let texts = list.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        texts.map(network).collect::<Result<_, _>>().map(Self)
    }

    /// Whether an address is one of them.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

fn network(text: &str) -> Result<IpNet, String> {
    let single = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse()
        .or_else(|_| single())
        .map_err(|_| format!("“{text}” is not an address or a network such as 10.0.0.0/8"))
}

/// Which web pages may call the API from a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cors {
    /// None.
    Off,
    /// Every one.
    Any,
    /// Those of these origins.
    Origins(Vec<String>),
}

impl Cors {
    fn parse(list: &[String]) -> Result<Self, String> {
        let origins: Vec<String> = list
            .iter()
            .map(|origin| origin.trim().trim_end_matches('/').to_owned())
            .filter(|o| !o.is_empty())
            .collect();
        if origins.iter().any(|origin| origin == "*") {
            return Ok(Self::Any);
        }
        for origin in &origins {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            if !host.is_some_and(|host| !host.is_empty() && !host.contains('/') && host.is_ascii()) {
                return Err(format!("cors origin “{origin}” must look like https://app.example.com"));
            }
        }
        Ok(if origins.is_empty() { Self::Off } else { Self::Origins(origins) })
    }
}

/// Requests a minute by plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanLimits([u32; 4]);

impl PlanLimits {
    fn parse(list: &[String]) -> Result<Self, String> {
        let mut limits = Self([60, 300, 1_200, 12_000]);
        for entry in list.iter().map(|entry| entry.trim()).filter(|entry| !entry.is_empty()) {
            let wrong = || format!("plan limit “{entry}” must look like pro=1200, with free, starter, pro or scale");
            let (name, limit) = entry.split_once('=').ok_or_else(wrong)?;
            let place = Plan::ALL.iter().position(|plan| plan.name() == name.trim()).ok_or_else(wrong)?;
            limits.0[place] = limit.trim().parse().ok().filter(|limit| *limit > 0).ok_or_else(wrong)?;
        }
        Ok(limits)
    }

    /// The limit of a plan.
    pub fn of(&self, plan: Plan) -> u32 {
        self.0[Plan::ALL.iter().position(|known| *known == plan).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn nothing_written_down_is_a_complete_configuration() {
        let config = Config::new(&Settings::default()).expect("defaults are right");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.limits.of(Plan::Scale), 12_000);
        assert_eq!(config.cors, Cors::Off);
        assert!(config.metrics_from.contain(IpAddr::from([127, 0, 0, 1])));
        assert!(!config.trusted_proxies.contain(IpAddr::from([127, 0, 0, 1])));
    }

    #[test]
    fn flags_win_over_the_file_and_unknown_keys_are_told() {
        let file: Settings = toml::from_str("listen = \"127.0.0.1:1\"\nkeep_images_hours = 2").expect("known keys");
        let flags = Settings { keep_images_hours: Some(3), ..Settings::default() };
        let both = flags.or(file);
        assert_eq!((both.listen.map(|a| a.port()), both.keep_images_hours), (Some(1), Some(3)));
        let error = toml::from_str::<Settings>("lisen = \"127.0.0.1:1\"").expect_err("no such key");
        assert!(error.message().contains("lisen"), "{error}");
    }

    #[test]
    fn strangers_make_accounts_only_where_nobody_else_can_reach() {
        let signup = |settings: Settings| Config::new(&settings).expect("right").signup;
        assert_eq!(signup(Settings::default()), Signup::Open);
        let listen = Some("0.0.0.0:8080".parse().expect("an address"));
        assert_eq!(signup(Settings { listen, ..Settings::default() }), Signup::Closed);
        let behind_a_proxy = Settings { base_url: Some("https://food.test".into()), ..Settings::default() };
        assert_eq!(signup(behind_a_proxy), Signup::Closed);
        for local in ["http://localhost:8080", "http://127.0.0.1:9000", "http://[::1]:1", "http://localhost"] {
            let settings = Settings { base_url: Some(local.into()), ..Settings::default() };
            assert_eq!(signup(settings), Signup::Open, "{local}");
        }
        assert_eq!(signup(Settings { listen, signup: Some(Signup::Open), ..Settings::default() }), Signup::Open);
        let file: Settings = toml::from_str("signup = \"closed\"").expect("a known key");
        assert_eq!(signup(file), Signup::Closed);
    }

    #[test]
    fn the_machine_knows_its_own_names() {
        for own in ["http://localhost", "http://localhost:8080/", "http://127.0.0.1:8080", "http://[::1]:8080"] {
            assert!(is_loopback_url(own), "{own}");
        }
        for other in ["https://food.example.com", "http://10.0.0.1:8080", "http://localhost.evil.test", "http://", ""] {
            assert!(!is_loopback_url(other), "{other}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_told_in_a_sentence() {
        let wrong = |settings: Settings| Config::new(&settings).expect_err("refused");
        let limits = wrong(Settings { plan_limits: Some(texts(&["pro=many"])), ..Settings::default() });
        assert!(limits.contains("pro=many"), "{limits}");
        assert!(wrong(Settings { base_url: Some("food".into()), ..Settings::default() }).contains("https://"));
        let proxies = Settings { trusted_proxies: Some(texts(&["10.0.0.0/99"])), ..Settings::default() };
        assert!(wrong(proxies).contains("10.0.0.0/99"));
        assert!(wrong(Settings { cors_origins: Some(texts(&["app"])), ..Settings::default() }).contains("app"));
    }
}
