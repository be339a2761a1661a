//! What the log must never store, taken out of what it keeps: photos, data URLs, keys and passwords.

use serde_json::Value;

/// What stands in place of a secret.
const REDACTED: &str = "[redacted]";
/// Fields and parameters that hold secrets.
const SECRET_NAMES: [&str; 10] = [
    "api_key",
    "apikey",
    "api-key",
    "app_key",
    "x-app-key",
    "x-api-key",
    "authorization",
    "password",
    "secret",
    "token",
];
/// The beginnings of our keys.
const KEY_BEGINNINGS: [&str; 2] = ["svc_live_", "svc_test_"];
/// A text of so many characters without a space is an encoded file.
const MAX_WORD: usize = 512;

/// Returns a body of JSON without secrets and files, or `None` if it is not JSON: nobody knows what is in it then.
pub(super) fn json(body: &[u8]) -> Option<String> {
    let mut value: Value = serde_json::from_slice(body).ok()?;
    clean(&mut value);
    Some(key_texts(&value.to_string()))
}

/// Returns the body of a response without secrets and files.
pub(super) fn response(body: &[u8]) -> Option<String> {
    json(body).or_else(|| std::str::from_utf8(body).ok().filter(|text| !text.contains('\0')).map(key_texts))
}

/// Returns a query string without secrets.
pub(super) fn query(query: &str) -> String {
    let mut kept = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if is_secret(&name) {
            kept.append_pair(&name, REDACTED);
        } else {
            kept.append_pair(&name, &shortened(&value).unwrap_or_else(|| value.into_owned()));
        }
    }
    key_texts(&kept.finish())
}

/// Returns a text without keys of ours.
pub(super) fn key_texts(text: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = KEY_BEGINNINGS.iter().filter_map(|beginning| rest.find(beginning)).min() {
        let end = at + KEY_BEGINNINGS[0].len();
        kept.push_str(&rest[..end]);
        kept.push('…');
        rest = rest[end..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    }
    kept.push_str(rest);
    kept
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(short) = shortened(text) {
                *text = short;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(clean),
        Value::Object(fields) => {
            for (name, value) in fields {
                if is_secret(name) {
                    *value = REDACTED.into();
                } else {
                    clean(value);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns what to store instead of a file.
fn shortened(text: &str) -> Option<String> {
    let beginning = text.trim_start().get(..5).unwrap_or_default();
    if beginning.eq_ignore_ascii_case("data:") {
        return Some(format!("[data URL of {} bytes, not kept]", text.len()));
    }
    let is_file = text.split_whitespace().any(|word| word.len() > MAX_WORD && word.is_ascii());
    is_file.then(|| format!("[{} bytes, not kept]", text.len()))
}

fn is_secret(name: &str) -> bool {
    SECRET_NAMES.iter().any(|secret| name.eq_ignore_ascii_case(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_and_secrets_are_taken_out() {
        let body = serde_json::json!({
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "two eggs, key svc_live_0123456789abcdefABCDEF."},
                {"type": "image_url", "image_url": {"url": "DATA:image/png;base64,iVBORw0KGgo="}},
            ]}],
            "photo": "A".repeat(600),
            "Password": "hunter2",
            "quantity": 2,
        });
        let kept = json(body.to_string().as_bytes()).expect("JSON");
        for secret in ["iVBOR", "AAAA", "hunter2", "0123456789abcdef"] {
            assert!(!kept.contains(secret), "{secret}: {kept}");
        }
        assert!(kept.contains("two eggs") && kept.contains("svc_live_….") && kept.contains("\"quantity\":2"), "{kept}");
        assert_eq!(json(b"\xff\xd8\xff"), None);
        assert_eq!(json(b"user_id=ada&password=hunter2"), None);
    }

    #[test]
    fn queries_keep_what_was_searched_for_and_no_key() {
        let kept = query("q=two+eggs&api_key=svc_live_abc123&image=data:image/png;base64,AAAA");
        assert!(kept.starts_with("q=two+eggs&api_key=%5Bredacted%5D&image="), "{kept}");
        assert!(!kept.contains("abc123") && !kept.contains("AAAA"), "{kept}");
        assert_eq!(key_texts("/off/svc_test_abc/x svc_live_"), "/off/svc_test_…/x svc_live_…");
    }
}
