//! Configuration of the service: flags, then `MORSEL_…` environment variables, then a TOML file, then defaults.
//!
//! [`Settings`] holds what the operator wrote, every field optional. [`Config`] holds what it means: defaults filled in,
//! every value checked.

mod cors;
mod networks;
mod oidc;
mod plan_limits;
mod public_address;
mod vision;

mod settings;
mod storage;
mod secret;
mod url;

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::Duration;

use store::Bucket;

pub use cors::Cors;
pub use networks::Networks;
pub use oidc::{OidcConfig, is_secure};
pub use plan_limits::PlanLimits;
pub use public_address::parse as parse_public_address;
pub use secret::Secret;
pub use settings::{LogFormat, LogLevel, Settings, Signup, Switch};
pub use storage::{BucketArgs, StorageArgs};
pub use url::{is_loopback_url, split_url};
pub use vision::{ModelConfig, VisionConfig};

/// The checked configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// Data directory and database.
    pub storage: StorageArgs,
    /// Redis, if limits are shared with other servers.
    pub redis_url: Option<Secret>,
    /// The bucket for photos and published catalogs; `None` for a folder of this server.
    pub bucket: Option<Bucket>,
    /// How long keys that are known keep working while PostgreSQL cannot be reached.
    pub database_grace: Duration,
    /// Public URL of the service with its base path, without a trailing slash. `None`: taken from each request.
    pub base_url: Option<String>,
    /// Path below which the service is on its host, such as `/morsel`; empty if it has the host to itself.
    pub base_path: String,
    /// Proxies whose forwarding headers are trusted.
    pub trusted_proxies: Networks,
    /// Origins that may call the API from a browser.
    pub cors: Cors,
    /// Requests per minute by plan.
    pub limits: PlanLimits,
    /// How long an uploaded photo is kept.
    pub keep_images: Duration,
    /// How photos are analyzed.
    pub vision: VisionConfig,
    /// Networks that may read `/metrics`.
    pub metrics_from: Networks,
    /// Networks that may read foods in Open Food Facts' dialect without a key.
    pub keyless_from: Networks,
    /// Whether anyone can create an account in the dashboard.
    pub signup: Signup,
    /// The provider that people sign in with to the dashboard, if there is one.
    pub oidc: Option<OidcConfig>,
    /// Whether accounts have a log of their requests.
    pub request_log: bool,
    /// How long requests are accepted after the program was asked to stop.
    pub drain: Duration,
}

/// How long a balancer may take to notice that a server is stopping.
const DEFAULT_DRAIN_SECONDS: u32 = 5;
/// Beyond this, whoever asked the program to stop has lost patience.
const MAX_DRAIN_SECONDS: u32 = 600;
/// Long enough for a database to fail over.
const DEFAULT_GRACE_SECONDS: u32 = 60;
/// A key that was revoked elsewhere meanwhile works for this long at most.
const MAX_GRACE_SECONDS: u32 = 3_600;

impl Config {
    /// The address that a server listens on unless it is told otherwise.
    pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 8080));

    /// Checks settings and fills in defaults. An error is one sentence that names the setting.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let listen = settings.listen.unwrap_or(Self::DEFAULT_LISTEN);
        if settings.oidc_issuer.is_some() && settings.signup == Some(Signup::Open) {
            // Somebody could sign up with the address of another person, who would then be signed in to that account.
            return Err(
                "signup must be closed with oidc_issuer, since addresses are not verified at sign-up".to_owned()
            );
        }
        let storage = StorageArgs { data_dir: settings.data_dir.clone(), database_url: settings.database_url.clone() };
        let (base_url, base_path) = public_address::parse(settings.base_url.as_deref(), settings.base_path.as_deref())?;
        Ok(Self {
            listen,
            storage,
            bucket: settings.images_url.as_deref().filter(|url| !url.is_empty()).map(Bucket::parse).transpose()?,
            redis_url: settings.redis_url.clone().map(Secret::new),
            database_grace: match settings.database_grace_seconds.unwrap_or(DEFAULT_GRACE_SECONDS) {
                seconds @ ..=MAX_GRACE_SECONDS => Duration::from_secs(u64::from(seconds)),
                _ => return Err(format!("database_grace_seconds must be at most {MAX_GRACE_SECONDS}")),
            },
            base_url,
            base_path,
            trusted_proxies: settings.trusted_proxies.as_deref().map_or(Ok(Networks::default()), Networks::parse)?,
            cors: settings.cors_origins.as_deref().map_or(Ok(Cors::Off), Cors::parse)?,
            limits: PlanLimits::parse(settings.plan_limits.as_deref().unwrap_or_default())?,
            keep_images: match settings.keep_images_hours.unwrap_or(24) {
                0 => return Err("keep_images_hours must be at least 1".to_owned()),
                hours => Duration::from_secs(u64::from(hours) * 3_600),
            },
            vision: VisionConfig::new(settings)?,
            metrics_from: settings.metrics_from.as_deref().map_or_else(|| Ok(Networks::loopback()), Networks::parse)?,
            keyless_from: settings.keyless_from.as_deref().map_or(Ok(Networks::default()), Networks::parse)?,
            signup: settings.signup.unwrap_or_else(|| default_signup(settings, listen)),
            oidc: OidcConfig::new(settings)?,
            request_log: settings.request_log.unwrap_or_default() == Switch::On,
            drain: match settings.drain_seconds {
                // No balancer sends requests to a loopback address of another machine.
                None if listen.ip().to_canonical().is_loopback() => Duration::ZERO,
                None => Duration::from_secs(u64::from(DEFAULT_DRAIN_SECONDS)),
                Some(seconds @ ..=MAX_DRAIN_SECONDS) => Duration::from_secs(u64::from(seconds)),
                Some(_) => return Err(format!("drain_seconds must be at most {MAX_DRAIN_SECONDS}")),
            },
        })
    }

    /// Reports whether a `Host` is the one of the public URL, with any port.
    pub fn is_public_host(&self, host: &str) -> bool {
        self.base_url.as_deref().is_some_and(|url| {
            let (ours, theirs) = (url::host_name(url), url::host_name_of_authority(host));
            !theirs.is_empty() && ours.eq_ignore_ascii_case(theirs)
        })
    }
}

/// Returns `Open` if only programs on this machine can reach the service, as far as the settings show. A service that
/// strangers can reach must not hand out accounts unless the operator asks for it.
fn default_signup(settings: &Settings, listen: SocketAddr) -> Signup {
    let is_local = listen.ip().to_canonical().is_loopback()
        && settings.base_url.as_deref().is_none_or(is_loopback_url)
        && settings.trusted_proxies.as_ref().is_none_or(Vec::is_empty)
        && settings.oidc_issuer.is_none();
    if is_local { Signup::Open } else { Signup::Closed }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use store::Plan;

    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn empty_settings_give_a_complete_configuration() {
        let config = Config::new(&Settings::default()).expect("defaults are valid");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.limits.of(Plan::Scale), 12_000);
        assert_eq!(config.cors, Cors::Off);
        assert!(config.metrics_from.contain(IpAddr::from([127, 0, 0, 1])));
        assert!(!config.trusted_proxies.contain(IpAddr::from([127, 0, 0, 1])));
    }

    #[test]
    fn signup_is_open_by_default_only_on_loopback() {
        let signup = |settings: Settings| Config::new(&settings).expect("valid").signup;
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
        assert_eq!(signup(Settings { signup: Some(Signup::Closed), ..Settings::default() }), Signup::Closed);
    }

    #[test]
    fn nobody_signs_up_by_password_where_a_provider_says_whose_address_is_whose() {
        let settings = |signup| Settings {
            oidc_issuer: Some("https://login.test".into()),
            oidc_client_id: Some("morsel".into()),
            signup,
            ..Settings::default()
        };
        assert_eq!(Config::new(&settings(None)).expect("valid").signup, Signup::Closed);
        let error = Config::new(&settings(Some(Signup::Open))).expect_err("both");
        assert!(error.contains("signup must be closed"), "{error}");
    }

    #[test]
    fn a_server_that_balancers_can_reach_drains_by_default() {
        let drain = |settings: Settings| Config::new(&settings).map(|config| config.drain.as_secs());
        let listen = Some("0.0.0.0:8080".parse().expect("an address"));
        assert_eq!(drain(Settings::default()), Ok(0));
        assert_eq!(drain(Settings { listen, ..Settings::default() }), Ok(5));
        assert_eq!(drain(Settings { listen, drain_seconds: Some(0), ..Settings::default() }), Ok(0));
        assert_eq!(drain(Settings { drain_seconds: Some(30), ..Settings::default() }), Ok(30));
        let error = drain(Settings { drain_seconds: Some(601), ..Settings::default() }).expect_err("too long");
        assert!(error.contains("drain_seconds"), "{error}");
    }

    #[test]
    fn invalid_values_are_named_in_the_error() {
        let error = |settings: Settings| Config::new(&settings).expect_err("invalid");
        let limits = error(Settings { plan_limits: Some(texts(&["pro=many"])), ..Settings::default() });
        assert!(limits.contains("pro=many"), "{limits}");
        assert!(error(Settings { base_url: Some("food".into()), ..Settings::default() }).contains("https://"));
        let proxies = Settings { trusted_proxies: Some(texts(&["10.0.0.0/99"])), ..Settings::default() };
        assert!(error(proxies).contains("10.0.0.0/99"));
        assert!(error(Settings { cors_origins: Some(texts(&["app"])), ..Settings::default() }).contains("app"));
    }
}
