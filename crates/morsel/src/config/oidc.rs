//! Signing in to the dashboard through a provider that speaks OpenID Connect.

use store::Email;

use super::secret::Secret;
use super::settings::{Settings, Switch};
use super::url;

/// What the sign-in button says by default.
const DEFAULT_NAME: &str = "single sign-on";
const MAX_NAME: usize = 40;

/// The provider that people sign in with.
#[derive(Clone, Debug)]
pub struct OidcConfig {
    /// URL of the provider, without a trailing slash.
    pub issuer: String,
    /// What the provider calls this service.
    pub client_id: String,
    /// The password of this service at the provider, if it has one.
    pub client_secret: Option<Secret>,
    /// What people call the provider.
    pub name: String,
    /// Addresses (`ada@example.com`) and domains (`example.com`) that may sign in, in lower case; empty for all.
    allowed: Vec<String>,
    /// Whether people without an account get one.
    pub creates_accounts: bool,
}

impl OidcConfig {
    /// Checks the settings of the provider, if there is one.
    pub(super) fn new(settings: &Settings) -> Result<Option<Self>, String> {
        let (issuer, client_id) = match (&settings.oidc_issuer, &settings.oidc_client_id) {
            (None, None) => return Ok(None),
            (Some(_), None) => return Err("oidc_issuer needs oidc_client_id".to_owned()),
            (None, Some(_)) => return Err("oidc_client_id needs oidc_issuer, the URL of the provider".to_owned()),
            (Some(issuer), Some(client_id)) => (issuer, client_id),
        };
        let wrong = || "oidc_issuer must look like https://login.example.com".to_owned();
        let issuer = url::parse_http(issuer).ok_or_else(wrong)?;
        if !is_secure(issuer) {
            return Err("oidc_issuer must use https, unless it is on this machine".to_owned());
        }
        let name = settings.oidc_name.as_deref().map_or(DEFAULT_NAME, str::trim);
        if name.is_empty() || name.chars().count() > MAX_NAME {
            return Err(format!("oidc_name must have 1 to {MAX_NAME} characters"));
        }
        Ok(Some(Self {
            issuer: issuer.to_owned(),
            client_id: client_id.clone(),
            client_secret: settings.oidc_client_secret.clone(),
            name: name.to_owned(),
            allowed: settings.oidc_allowed.as_deref().map_or(Ok(Vec::new()), parse_allowed)?,
            creates_accounts: settings.oidc_create_accounts == Some(Switch::On),
        }))
    }

    /// Reports whether somebody with this address may sign in.
    pub fn allows(&self, email: &Email) -> bool {
        let address = email.as_str().to_ascii_lowercase();
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        self.allowed.is_empty() || self.allowed.iter().any(|allowed| *allowed == address || allowed == domain)
    }
}

/// Reports whether nobody on the way can read what is sent to a URL.
pub fn is_secure(url: &str) -> bool {
    url.starts_with("https://") || url::is_loopback_url(url)
}

fn parse_allowed(list: &[String]) -> Result<Vec<String>, String> {
    let entries = list.iter().map(|entry| entry.trim().to_ascii_lowercase()).filter(|entry| !entry.is_empty());
    let entry = |entry: String| match entry.trim_start_matches('@').rsplit_once('@') {
        Some(_) if Email::parse(&entry).is_some() => Ok(entry),
        None if entry.contains('.') && !entry.contains(char::is_whitespace) => {
            Ok(entry.trim_start_matches('@').to_owned())
        }
        _ => Err(format!("oidc_allowed: “{entry}” is neither an email address nor a domain such as example.com")),
    };
    entries.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(issuer: &str, allowed: &[&str]) -> Settings {
        Settings {
            oidc_issuer: Some(issuer.to_owned()),
            oidc_client_id: Some("morsel".to_owned()),
            oidc_allowed: Some(allowed.iter().map(|entry| (*entry).to_owned()).collect()),
            ..Settings::default()
        }
    }

    #[test]
    fn only_listed_addresses_and_domains_may_sign_in() {
        let config = |allowed: &[&str]| {
            OidcConfig::new(&settings("https://login.test/", allowed)).expect("valid").expect("a provider")
        };
        let allows = |config: &OidcConfig, email: &str| config.allows(&Email::parse(email).expect("an address"));
        let listed = config(&["Example.com", "@second.test", "ada@other.test"]);
        for email in ["a@example.com", "B@EXAMPLE.COM", "x@second.test", "Ada@Other.test"] {
            assert!(allows(&listed, email), "{email}");
        }
        for email in ["b@other.test", "a@notexample.com", "a@example.com.evil.test", "a@sub.example.com"] {
            assert!(!allows(&listed, email), "{email}");
        }
        assert!(allows(&config(&[]), "anybody@anywhere.test"));
    }

    #[test]
    fn wrong_settings_are_named() {
        let error = |settings: Settings| OidcConfig::new(&settings).expect_err("wrong");
        assert!(error(settings("http://login.test", &[])).contains("https"));
        assert!(error(settings("login.test", &[])).contains("oidc_issuer must look like"));
        assert!(error(settings("https://x.test", &["nobody"])).contains("“nobody”"));
        assert!(error(Settings { oidc_client_id: None, ..settings("https://x.test", &[]) }).contains("oidc_client_id"));
        assert!(error(Settings { oidc_issuer: None, ..settings("https://x.test", &[]) }).contains("oidc_issuer"));
        let local = OidcConfig::new(&settings("http://127.0.0.1:9000", &[])).expect("valid").expect("a provider");
        assert!(!local.creates_accounts && local.name == "single sign-on", "{local:?}");
    }
}
