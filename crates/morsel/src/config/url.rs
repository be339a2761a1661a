//! Checks of HTTP URLs.

use std::net::IpAddr;

/// Returns an `http` or `https` URL without trailing slashes, or `None` if it has no host, or has credentials, a query or
/// a fragment.
pub(super) fn parse_http(text: &str) -> Option<&str> {
    let url = text.trim().trim_end_matches('/');
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    (!rest.is_empty() && !rest.contains(['?', '#', ' ', '@'])).then_some(url)
}

/// Splits a URL into its origin and its path, which is empty or starts with a slash.
pub fn split_url(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |at| at + "://".len());
    url.split_at(url[host..].find('/').map_or(url.len(), |at| host + at))
}

/// Checks whether a URL names the machine that it is used on: `localhost` or a loopback address.
pub fn is_loopback_url(url: &str) -> bool {
    let name = host_name(url);
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Returns the host in a URL, without port and brackets; empty if there is none.
pub(super) fn host_name(url: &str) -> &str {
    host_name_of_authority(url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default()))
}

/// Returns the host in the authority of a URL, or in a header `Host`, without port and brackets.
pub(super) fn host_name_of_authority(authority: &str) -> &str {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    };
    name.trim_start_matches('[').trim_end_matches(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_urls_have_a_host_and_no_credentials() {
        assert_eq!(parse_http(" https://food.example.com/ "), Some("https://food.example.com"));
        assert_eq!(parse_http("http://127.0.0.1:11434/v1"), Some("http://127.0.0.1:11434/v1"));
        for wrong in
            ["", "food", "https://", "ftp://x", "https://user:secret@x", "https://x?a=b", "https://x#y", "https://x y"]
        {
            assert_eq!(parse_http(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn loopback_urls_are_recognized() {
        for local in [
            "http://localhost",
            "http://localhost:8080/",
            "http://127.0.0.1:8080",
            "http://[::1]:8080",
            "http://LOCALHOST",
        ] {
            assert!(is_loopback_url(local), "{local}");
        }
        for other in ["https://food.example.com", "http://10.0.0.1:8080", "http://localhost.evil.test", "http://", ""] {
            assert!(!is_loopback_url(other), "{other}");
        }
    }
}
