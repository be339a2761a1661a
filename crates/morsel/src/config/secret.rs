//! Secrets: never shown, and read from a file as well as from the environment, where other programs can see them.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde::Deserialize;

/// The longest secret.
const MAX_BYTES: u64 = 16 * 1024;

/// A text that is never shown, not even in debug output.
#[derive(Clone, Deserialize, PartialEq, Eq)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text, for the one place where it is used.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Returns a secret that has an environment variable and no flag: from the variable, or from the file that is named in the
/// variable with `_FILE` at its end.
pub(super) fn from_env(variable: &str) -> Result<Option<Secret>, String> {
    Ok(or_from_file(variable, std::env::var(variable).ok())?.map(Secret::new))
}

/// Returns a secret that was given, or the content of the file that is named in the variable with `_FILE` at its end. Empty
/// variables count as absent, as container files set them.
pub(super) fn or_from_file(variable: &str, given: Option<String>) -> Result<Option<String>, String> {
    let name = format!("{variable}_FILE");
    let file = std::env::var_os(&name);
    choose(variable, given, &name, file)
}

fn choose(
    variable: &str,
    given: Option<String>,
    file_variable: &str,
    file: Option<OsString>,
) -> Result<Option<String>, String> {
    let given = given.filter(|given| !given.is_empty());
    let Some(file) = file.filter(|file| !file.is_empty()) else { return Ok(given) };
    if given.is_some() {
        return Err(format!("both {variable} and {file_variable} are set; remove one of them"));
    }
    let path = Path::new(&file);
    match read(path) {
        Ok(text) if text.is_empty() => Err(format!("{file_variable}: {} is empty", path.display())),
        Ok(text) => Ok(Some(text)),
        Err(error) => Err(format!("{file_variable}: cannot read {}: {error}", path.display())),
    }
}

/// Returns the content of a file without the line break at its end. No error contains any of it.
fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_from_the_variable_or_from_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).expect("written");
            Some(path.into_os_string())
        };
        let choose = |given: Option<&str>, file| choose("SECRET", given.map(str::to_owned), "SECRET_FILE", file);
        let good = file("good", b"hunter2\r\n");
        assert_eq!(choose(None, good.clone()), Ok(Some("hunter2".to_owned())));
        assert_eq!(choose(None, file("inner", b" two\nlines \n")), Ok(Some(" two\nlines ".to_owned())));
        assert_eq!(choose(Some("given"), None), Ok(Some("given".to_owned())));
        assert_eq!(choose(Some("given"), Some(OsString::new())), Ok(Some("given".to_owned())), "an empty variable");
        assert_eq!(choose(None, None), Ok(None));
        assert_eq!(choose(Some(""), None), Ok(None));
        assert_eq!(choose(Some(""), good.clone()), Ok(Some("hunter2".to_owned())));
        for (given, file, part) in [
            (Some("given"), good, "both SECRET and SECRET_FILE are set"),
            (None, Some("/nowhere/secret".into()), "cannot read /nowhere/secret"),
            (None, file("empty", b"\n"), "is empty"),
            (None, file("binary", b"hunter2\xff"), "it is not UTF-8"),
            (None, file("large", "h".repeat(20_000).as_bytes()), "more than 16384 bytes"),
        ] {
            let error = choose(given, file).expect_err(part);
            assert!(error.contains(part), "{error}");
            assert!(!error.contains("hunter2") && !error.contains("given") && !error.contains("hhhh"), "{error}");
        }
    }
}
