//! Passwords: which are good enough, and how they are kept.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use store::Email;

use crate::error::ApiError;
use crate::work::Work;

/// Fewest characters of a password.
pub(super) const SHORTEST: usize = 10;
/// Most characters of a password.
pub(super) const LONGEST: usize = 200;

/// 19 MiB and two passes, as OWASP recommends for argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// Passwords hashed at once, and waiting: together they never take more than 40 MB.
const AT_ONCE: usize = 2;
const WAITING: usize = 32;

/// What a password is compared with where there is none, so that the answer takes as long: random bytes, the hash of no
/// password.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdA$7Qm0m9cJx1Yq3bWmXo5rJq6b8aVf0zJtW2p4gC1sT9k";

/// The tails of these are tried too: "password12" and the like.
const COMMON: [&str; 28] = [
    "password",
    "passwort",
    "motdepasse",
    "qwerty",
    "qwertyuiop",
    "qwertz",
    "azerty",
    "asdfghjkl",
    "letmein",
    "welcome",
    "iloveyou",
    "admin",
    "administrator",
    "changeme",
    "trustno1",
    "football",
    "baseball",
    "superman",
    "princess",
    "sunshine",
    "dragon",
    "monkey",
    "starwars",
    "whatever",
    "computer",
    "internet",
    "morsel",
    "p@ssword",
];

/// Where passwords are hashed and compared.
#[derive(Debug)]
pub struct Passwords {
    work: Work,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { work: Work::with(AT_ONCE, WAITING) }
    }
}

impl Passwords {
    /// The text to keep of a password.
    pub(super) async fn hash(&self, password: &str) -> Result<String, ApiError> {
        let password = password.to_owned();
        let hashed = self.work.run(move || {
            let hash = hasher()?.hash_password(password.as_bytes()).map_err(|error| error.to_string())?;
            Ok::<_, String>(hash.to_string())
        });
        hashed.await?.map_err(ApiError::internal)
    }

    /// Whether a password is the one that was kept; takes as long where none was.
    pub(super) async fn is_right(&self, password: &str, kept: Option<&str>) -> Result<bool, ApiError> {
        let has_password = kept.is_some();
        let (password, kept) = (password.to_owned(), kept.unwrap_or(NOBODYS).to_owned());
        let compared = self.work.run(move || {
            let hash = PasswordHash::new(&kept).map_err(|error| error.to_string())?;
            Ok::<_, String>(hasher()?.verify_password(password.as_bytes(), &hash).is_ok())
        });
        Ok(compared.await?.map_err(ApiError::internal)? && has_password)
    }
}

fn hasher() -> Result<Argon2<'static>, String> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).map_err(|error| error.to_string())?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// What is wrong with a new password, if anything.
pub(super) fn fault(password: &str, email: &Email) -> Option<String> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Some(format!("Use at least {SHORTEST} characters. Several words are easy to remember."));
    }
    if length > LONGEST {
        return Some(format!("Use at most {LONGEST} characters."));
    }
    let plain = password.to_lowercase();
    let user = email.as_str().split('@').next().unwrap_or_default();
    if plain == email.as_str() || plain.trim_matches(is_padding) == user {
        return Some("Do not use your e-mail address as the password.".to_owned());
    }
    let core = plain.trim_matches(is_padding);
    let letters: std::collections::BTreeSet<char> = plain.chars().collect();
    if core.is_empty() || COMMON.contains(&core) || letters.len() < 4 {
        return Some("This password is one of the first that are guessed. Use something less common.".to_owned());
    }
    None
}

/// What people put around a word to make it long enough.
fn is_padding(c: char) -> bool {
    c.is_ascii_digit() || c.is_ascii_punctuation()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guessed_first_is_refused() {
        let email = Email::parse("ada.lovelace@example.org").expect("an address");
        for bad in [
            "short",
            "password12",
            "Password123!",
            "1234567890",
            "aaaaaaaaaaaa",
            "ada.lovelace@example.org",
            "qwertyuiop",
            "Ada.Lovelace1",
        ] {
            assert!(fault(bad, &email).is_some(), "{bad}");
        }
        assert!(fault(&"ab1c".repeat(51), &email).is_some());
        for good in ["three green apples", "Xk2!plorgh8", "пароль длинный", "correct horse battery"] {
            assert_eq!(fault(good, &email), None, "{good}");
        }
    }

    #[tokio::test]
    async fn a_password_is_right_only_for_its_own_hash() {
        let passwords = Passwords::default();
        let hash = passwords.hash("three green apples").await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, passwords.hash("three green apples").await.expect("hashed"), "salted");
        assert!(passwords.is_right("three green apples", Some(&hash)).await.expect("compared"));
        assert!(!passwords.is_right("three green apple", Some(&hash)).await.expect("compared"));
        assert!(!passwords.is_right("three green apples", None).await.expect("compared"));
        assert!(passwords.is_right("x", Some("nonsense")).await.is_err());
    }
}
