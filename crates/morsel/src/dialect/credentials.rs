//! Where a request carries its API key.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::Dialect;
use crate::error::ApiError;
use crate::query::Query;

/// Where keys are in paths, for programs in which only an address can be set, and the start of the path that is meant
/// without them. It must be one of the dialect.
const KEYS_IN_PATHS: [(&str, &str, Dialect); 2] =
    [("/off/", "", Dialect::OpenFoodFacts), ("/mcp/", "/mcp", Dialect::Mcp)];

/// A key that was the part of a path.
#[derive(Clone)]
struct PathKey(Arc<str>);

/// Takes the key out of the path of a request: `/off/svc_live_…/cgi/search.pl` becomes `/cgi/search.pl`.
pub fn take_key_from_path(mut request: Request) -> Request {
    let path = request.uri().path();
    let found =
        KEYS_IN_PATHS.iter().find_map(|(place, start, dialect)| Some((path.strip_prefix(place)?, start, dialect)));
    let Some((rest, start, dialect)) = found else { return request };
    let (key, rest) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let uri = format!("{start}{rest}{query}").parse::<Uri>().ok();
    let Some(uri) = uri.filter(|uri| Dialect::of(uri.path()) == Some(*dialect)) else { return request };
    let key = PathKey(key.into());
    *request.uri_mut() = uri;
    request.extensions_mut().insert(key);
    request
}

impl Dialect {
    /// Returns the key of a request, wherever programs that speak this dialect put it. `Authorization: Bearer` works in all
    /// of them.
    pub fn key_of(self, request: &Request) -> Option<Cow<'_, str>> {
        let headers = request.headers();
        if let Some(PathKey(key)) = request.extensions().get::<PathKey>() {
            return Some(Cow::Borrowed(key));
        }
        let own = match self {
            Self::Morsel | Self::ChatCompletions => None,
            Self::Mcp | Self::CalorieNinjas | Self::ApiNinjas => header_text(headers, "x-api-key").map(Cow::Borrowed),
            Self::Nutritionix => header_text(headers, "x-app-key").map(Cow::Borrowed),
            Self::FoodDataCentral => {
                let in_query = Query::of(request.uri()).get("api_key").filter(|key| !key.is_empty());
                let in_header = || header_text(headers, "x-api-key").map(Cow::Borrowed);
                in_query.map(Cow::Owned).or_else(in_header).or_else(|| basic_user(headers).map(Cow::Owned))
            }
            Self::OpenFoodFacts => cookie(headers, "session").map(Cow::Borrowed),
        };
        own.or_else(|| bearer(headers).map(Cow::Borrowed))
    }

    /// Returns the error for a request without a key.
    pub fn missing_key(self) -> ApiError {
        let place = match self {
            Self::Morsel | Self::ChatCompletions => "Send it in the header “Authorization: Bearer svc_live_…”.",
            Self::Mcp => {
                "Send it in the header “Authorization: Bearer svc_live_…” or “X-Api-Key”, or use the address /mcp/svc_live_…."
            }
            Self::CalorieNinjas | Self::ApiNinjas => "Send it in the header “X-Api-Key”.",
            Self::Nutritionix => "Send it in the header “x-app-key”.",
            Self::FoodDataCentral => "Send it in the parameter “api_key” or in the header “X-Api-Key”.",
            Self::OpenFoodFacts => {
                "Sign in at /cgi/session.pl with the key as the password, or use the address /off/svc_live_…/."
            }
        };
        ApiError::new(StatusCode::UNAUTHORIZED, "missing_key", format!("An API key is required. {place}"))
    }
}

/// Returns the text after `Bearer`.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = header_text(headers, header::AUTHORIZATION.as_str())?.split_once(' ')?;
    let key = key.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
}

/// Returns the user name of HTTP's basic authentication.
fn basic_user(headers: &HeaderMap) -> Option<String> {
    let (scheme, credentials) = header_text(headers, header::AUTHORIZATION.as_str())?.split_once(' ')?;
    let decoded = BASE64_STANDARD.decode(credentials.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let decoded = String::from_utf8(decoded).ok()?;
    decoded.split(':').next().filter(|user| !user.is_empty()).map(str::to_owned)
}

fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim).filter(|text| !text.is_empty())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).expect("a request")
    }

    #[test]
    fn every_dialect_has_its_own_place_for_the_key() {
        for (dialect, path, header) in [
            (Dialect::Morsel, "/v1/foods", ("authorization", "bearer  KEY ")),
            (Dialect::Mcp, "/mcp", ("x-api-key", "KEY")),
            (Dialect::CalorieNinjas, "/", ("x-api-key", "KEY")),
            (Dialect::Nutritionix, "/", ("x-app-key", "KEY")),
            (Dialect::Nutritionix, "/", ("authorization", "Bearer KEY")),
            (Dialect::FoodDataCentral, "/fdc/v1/foods/search?api_key=KEY", ("accept", "*/*")),
            (Dialect::FoodDataCentral, "/fdc/v1/foods/search?api_key=", ("x-api-key", "KEY")),
            (Dialect::FoodDataCentral, "/fdc/v1/foods/search", ("authorization", "Basic S0VZOg==")),
            (Dialect::OpenFoodFacts, "/search", ("cookie", "a=b; session=KEY")),
        ] {
            assert_eq!(dialect.key_of(&request(path, &[header])).as_deref(), Some("KEY"), "{dialect:?} {header:?}");
        }
        let without = [
            request("/v1/foods?api_key=KEY", &[("x-api-key", "KEY"), ("cookie", "session=KEY")]),
            request("/v1/foods", &[("authorization", "Basic KEY")]),
            request("/v1/foods", &[("authorization", "Bearer ")]),
        ];
        for request in without {
            assert_eq!(Dialect::Morsel.key_of(&request), None);
        }
    }

    #[test]
    fn a_key_in_the_path_is_taken_out() {
        let taken = take_key_from_path(request("/off/KEY/cgi/search.pl?search_terms=a", &[("cookie", "session=x")]));
        assert_eq!(taken.uri(), "/cgi/search.pl?search_terms=a");
        assert_eq!(Dialect::OpenFoodFacts.key_of(&taken).as_deref(), Some("KEY"));
        assert_eq!(take_key_from_path(request("/mcp/KEY", &[])).uri(), "/mcp");
        assert_eq!(take_key_from_path(request("/mcp", &[])).uri(), "/mcp");
        assert_eq!(take_key_from_path(request("/off", &[])).uri(), "/off");
        for other in ["/off/KEY", "/off/KEY/", "/off/KEY/v1/foods", "/off/KEY/account"] {
            assert_eq!(take_key_from_path(request(other, &[])).uri(), other);
        }
    }
}
