//! What is known about a request before anything reads it: its id, where it comes from, and the URL under which its
//! sender knows the service.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};

use crate::config::{Config, Networks, split_url};

/// The other end of the connection, put into every request by the server.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The id of a request.
#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

/// The address of the client that sent a request.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Returns the address of the connection or, behind trusted proxies, the last one in `X-Forwarded-For` that is not
    /// itself such a proxy: anybody could have written the entries further left.
    pub fn of(request: &Request, trusted: &Networks) -> Self {
        let peer = peer(request.extensions());
        if !trusted.contain(peer) {
            return Self(peer);
        }
        let lists = request.headers().get_all("x-forwarded-for");
        let entries: Vec<&str> =
            lists.iter().filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(',')).collect();
        let mut nearest = peer;
        for entry in entries.iter().rev() {
            let Some(address) = parse(entry.trim()) else { break };
            nearest = address;
            if !trusted.contain(address) {
                break;
            }
        }
        Self(nearest)
    }
}

/// Reports whether the sender takes HTML: then it is a browser that opens a page.
pub fn accepts_html(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.any(|accepted| accepted.contains("text/html"))
}

/// Returns the address of the other end of the connection.
pub fn peer(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<Peer>();
    peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip().to_canonical())
}

/// Parses an address with or without a port.
fn parse(text: &str) -> Option<IpAddr> {
    let plain = text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
    plain.or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip())).map(|address| address.to_canonical())
}

/// The URL under which the sender knows the service, base path included, without a slash at the end: the configured one,
/// else what the request says.
#[derive(Clone, Debug)]
pub struct BaseUrl(pub String);

impl BaseUrl {
    /// Returns the URL for a request.
    pub fn of(request: &Request, config: &Config) -> Self {
        Self::read(request.headers(), request.extensions(), config)
    }

    /// Returns the URL for a request without its body.
    pub fn of_parts(parts: &Parts, config: &Config) -> Self {
        Self::read(&parts.headers, &parts.extensions, config)
    }

    /// Reports whether senders use https.
    pub fn is_secure(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Returns the base path: empty, or such as `/morsel`.
    pub fn path(&self) -> &str {
        split_url(&self.0).1
    }

    /// Returns the path that cookies of the service are for.
    pub fn cookie_path(&self) -> &str {
        if self.path().is_empty() { "/" } else { self.path() }
    }

    /// Returns the URL without the base path.
    pub fn origin(&self) -> &str {
        split_url(&self.0).0
    }

    fn read(headers: &HeaderMap, extensions: &Extensions, config: &Config) -> Self {
        if let Some(url) = &config.base_url {
            return Self(url.clone());
        }
        let forwarded = config.trusted_proxies.contain(peer(extensions)).then_some(headers);
        let scheme =
            forwarded.and_then(|headers| text(headers, "x-forwarded-proto")).filter(|scheme| *scheme == "https");
        let host = forwarded.and_then(|headers| text(headers, "x-forwarded-host"));
        let host = host.or_else(|| text(headers, header::HOST.as_str()));
        let listen = config.listen.to_string();
        Self(format!("{}://{}{}", scheme.unwrap_or("http"), host.unwrap_or(&listen), config.base_path))
    }
}

/// What an error page needs to know of the request.
#[derive(Debug)]
pub struct PageRequest {
    /// Its id.
    pub id: Arc<str>,
    /// Its cookies, which have the theme.
    pub cookies: HeaderMap,
    /// The URL under which the browser knows the service.
    pub base: BaseUrl,
}

impl PageRequest {
    /// Returns what an error page needs to know of a request with this id.
    pub fn of(request: &Request, id: &RequestId, config: &Config) -> Self {
        let cookies = request.headers().get_all(header::COOKIE).iter();
        Self {
            id: Arc::clone(&id.0),
            cookies: cookies.map(|value| (header::COOKIE, value.clone())).collect(),
            base: BaseUrl::of(request, config),
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let value = headers.get(name)?.to_str().ok()?.split(',').next()?.trim();
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    (!value.is_empty() && value.bytes().all(is_host)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn client(trusted: &str, forwarded: &[&str]) -> String {
        let settings = Settings { trusted_proxies: Some(vec![trusted.to_owned()]), ..Settings::default() };
        let config = Config::new(&settings).expect("a network");
        let mut request = Request::new(axum::body::Body::empty());
        request.extensions_mut().insert(Peer(SocketAddr::from(([10, 0, 0, 1], 5))));
        for list in forwarded {
            request.headers_mut().append("x-forwarded-for", list.parse().expect("a header"));
        }
        ClientAddress::of(&request, &config.trusted_proxies).0.to_string()
    }

    #[test]
    fn a_base_url_is_an_origin_and_a_path() {
        for (url, origin, path) in [
            ("https://food.test", "https://food.test", ""),
            ("https://food.test:1/a/b", "https://food.test:1", "/a/b"),
            ("http://[::1]:8080/a", "http://[::1]:8080", "/a"),
        ] {
            let base = BaseUrl(url.to_owned());
            assert_eq!((base.origin(), base.path()), (origin, path));
        }
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(client("192.168.0.0/16", &["1.2.3.4"]), "10.0.0.1");
        assert_eq!(client("10.0.0.0/8", &["1.2.3.4"]), "1.2.3.4");
        assert_eq!(
            client("10.0.0.0/8", &["6.6.6.6, 1.2.3.4, 10.0.0.7"]),
            "1.2.3.4",
            "anybody can write what is left of it"
        );
        assert_eq!(client("10.0.0.0/8", &["6.6.6.6", "2001:db8::1"]), "2001:db8::1");
        assert_eq!(client("10.0.0.0/8", &["1.2.3.4:5678"]), "1.2.3.4");
        assert_eq!(client("10.0.0.0/8", &["nonsense"]), "10.0.0.1");
        assert_eq!(client("10.0.0.0/8", &[]), "10.0.0.1");
    }
}
