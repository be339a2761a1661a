//! The switch between light and dark: a form without scripts, and a request of the script with them.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::form::Form;
use super::theme::Theme;
use super::visitor::{Visitor, local_path};
use crate::error::ApiError;
use crate::request::accepts_html;

/// Remembers the theme and leads back to the page that the form was on.
pub(super) async fn choose(user: Visitor, headers: HeaderMap, form: Form) -> Result<Response, ApiError> {
    let theme = Theme::from_name(form.text("theme"));
    let theme = theme.ok_or_else(|| ApiError::bad_field("theme", "Choose “auto”, “light” or “dark”."))?;
    let cookie = [(header::SET_COOKIE, theme.cookie(&user.base)?)];
    if !accepts_html(&headers) {
        return Ok((StatusCode::NO_CONTENT, cookie).into_response());
    }
    Ok((cookie, Redirect::to(&page_before(&headers, user.base.path()))).into_response())
}

/// Returns the path of the page that the request comes from, without the base path.
fn page_before(headers: &HeaderMap, base_path: &str) -> String {
    let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok());
    let page = referer.and_then(|referer| referer.parse::<Uri>().ok());
    let path = page.as_ref().and_then(Uri::path_and_query).map_or("/", |path| path.as_str());
    let path = path.strip_prefix(base_path).unwrap_or(path);
    local_path(path).unwrap_or("/").to_owned()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_form_leads_back_to_its_page() {
        let before = |referer: &'static str, base_path: &str| {
            page_before(&HeaderMap::from_iter([(header::REFERER, HeaderValue::from_static(referer))]), base_path)
        };
        assert_eq!(before("http://localhost:8080/foods?q=egg", ""), "/foods?q=egg");
        assert_eq!(before("https://example.com/morsel/keys", "/morsel"), "/keys");
        assert_eq!(before("https://example.com/morsel", "/morsel"), "/");
        assert_eq!(before("https://example.com//evil.test/", ""), "/");
        assert_eq!(page_before(&HeaderMap::new(), ""), "/");
    }
}
