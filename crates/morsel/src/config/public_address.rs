//! Where clients find the service: its public URL, and the path below which it is on its host.

use super::url;

/// The longest base path.
const MAX_LENGTH: usize = 200;

/// Returns the public URL, if one is given, and the base path, which is also a part of that URL. Either may give the base
/// path. An error does not repeat the URL, since it may hold a password.
pub fn parse(base_url: Option<&str>, base_path: Option<&str>) -> Result<(Option<String>, String), String> {
    let given_path = base_path.map(parse_path).transpose()?;
    let Some(base_url) = base_url else { return Ok((None, given_path.unwrap_or_default())) };
    let wrong = || "base_url must look like https://food.example.com, without a password in it".to_owned();
    let url = url::parse_http(base_url).ok_or_else(wrong)?;
    let (origin, path) = url::split_url(url);
    if path.is_empty() {
        let path = given_path.unwrap_or_default();
        return Ok((Some(format!("{origin}{path}")), path));
    }
    let path = parse_path(path).map_err(|_| "the path of base_url must look like /morsel".to_owned())?;
    if given_path.is_some_and(|given| given != path) {
        return Err("base_path and the path of base_url must be the same; one of them is enough".to_owned());
    }
    Ok((Some(url.to_owned()), path))
}

/// Checks a base path and returns it without a trailing slash.
fn parse_path(text: &str) -> Result<String, String> {
    let path = text.trim().trim_end_matches('/');
    let is_segment = |segment: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        !segment.is_empty() && segment != "." && segment != ".." && segment.bytes().all(is_plain)
    };
    let is_valid = path.is_empty() || path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_segment));
    if is_valid && path.len() <= MAX_LENGTH {
        return Ok(path.to_owned());
    }
    Err("base_path must look like /morsel: letters, digits, “-”, “.”, “_” and “~”".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_setting_gives_the_base_path() {
        let ok = |url: Option<&str>, path: &str| Ok((url.map(str::to_owned), path.to_owned()));
        assert_eq!(parse(None, None), ok(None, ""));
        assert_eq!(parse(None, Some("/morsel/")), ok(None, "/morsel"));
        assert_eq!(parse(None, Some("/")), ok(None, ""));
        assert_eq!(parse(Some("https://x.test/"), None), ok(Some("https://x.test"), ""));
        let both = ok(Some("https://x.test/apps/food"), "/apps/food");
        assert_eq!(parse(Some("https://x.test/apps/food/"), None), both);
        assert_eq!(parse(Some("https://x.test"), Some("/apps/food")), both);
        assert_eq!(parse(Some("https://x.test/apps/food"), Some("/apps/food")), both);
    }

    #[test]
    fn wrong_paths_are_refused() {
        for path in ["morsel", "//x", "/a//b", "/a/../b", "/a b", "/a?b", "/a#b", "/{id}", "/ä", "/\"x", "https://x/"]
        {
            let error = parse(None, Some(path)).expect_err(path);
            assert!(error.starts_with("base_path must look like /morsel"), "{error}");
        }
        let error = parse(Some("https://x.test/a"), Some("/b")).expect_err("two paths");
        assert!(error.contains("must be the same"), "{error}");
        let error = parse(Some("https://x.test/hunter2 b"), None).expect_err("a space");
        assert!(!error.contains("hunter2"), "{error}");
    }
}
