//! Passwords: which are good enough, and how they are stored.

use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use store::Email;

use super::common_passwords;
use crate::error::ApiError;
use crate::work_queue::{QueueLimits, WorkQueue};

/// Fewest characters of a password.
pub(crate) const MIN_LENGTH: usize = 10;
/// Most characters of a password.
pub(crate) const MAX_LENGTH: usize = 200;

/// 19 MiB and two passes, as OWASP recommends for argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// Passwords hashed at once, and waiting: together they never take more than 40 MB.
const MAX_RUNNING: usize = 2;
const MAX_WAITING: usize = 32;
/// How long somebody waits at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// The hash that a password is compared with if the account has none, so that the response takes as long: random bytes,
/// the hash of no password.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdA$7Qm0m9cJx1Yq3bWmXo5rJq6b8aVf0zJtW2p4gC1sT9k";

/// Hashes and verifies passwords, off the async threads.
#[derive(Debug)]
pub struct Passwords {
    queue: WorkQueue<()>,
}

impl Default for Passwords {
    fn default() -> Self {
        let limits = QueueLimits { running: MAX_RUNNING, waiting_per_account: MAX_WAITING, patience: PATIENCE };
        Self { queue: WorkQueue::new(limits) }
    }
}

impl Passwords {
    /// Returns the text to store for a password.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, ApiError> {
        let password = password.to_owned();
        let hashed = self.queue.run(&(), move || {
            let hash = hasher()?.hash_password(password.as_bytes()).map_err(|error| error.to_string())?;
            Ok::<_, String>(hash.to_string())
        });
        hashed.await?.map_err(ApiError::internal)
    }

    /// Reports whether a password matches a stored hash; takes as long if there is none.
    pub(crate) async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool, ApiError> {
        let has_password = hash.is_some();
        let (password, hash) = (password.to_owned(), hash.unwrap_or(DUMMY_HASH).to_owned());
        let compared = self.queue.run(&(), move || {
            let hash = PasswordHash::new(&hash).map_err(|error| error.to_string())?;
            Ok::<_, String>(hasher()?.verify_password(password.as_bytes(), &hash).is_ok())
        });
        Ok(compared.await?.map_err(ApiError::internal)? && has_password)
    }
}

fn hasher() -> Result<Argon2<'static>, String> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).map_err(|error| error.to_string())?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Returns what is wrong with a new password, if anything.
pub(crate) fn problem(password: &str, email: &Email) -> Option<String> {
    let length = password.chars().count();
    if length < MIN_LENGTH {
        return Some(format!("Use at least {MIN_LENGTH} characters. Several words are easy to remember."));
    }
    if length > MAX_LENGTH {
        return Some(format!("Use at most {MAX_LENGTH} characters."));
    }
    let plain = password.to_lowercase();
    let user = email.as_str().split('@').next().unwrap_or_default();
    if plain == email.as_str() || plain.trim_matches(is_padding) == user {
        return Some("Do not use your e-mail address as the password.".to_owned());
    }
    let core = plain.trim_matches(is_padding);
    let letters: std::collections::BTreeSet<char> = plain.chars().collect();
    let is_common = || core == "morsel" || [&*plain, core].into_iter().any(common_passwords::contain);
    if core.is_empty() || letters.len() < 4 || is_common() {
        let message = "This is one of the passwords that are guessed first, because many people use it or one like it. \
                       Use something less common, such as several words.";
        return Some(message.to_owned());
    }
    None
}

/// Reports whether a character is one that people add to make a word long enough.
fn is_padding(c: char) -> bool {
    c.is_ascii_digit() || c.is_ascii_punctuation()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_that_are_guessed_first_are_refused() {
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
            "Sunshine2024!",
            "!!iloveyou!!!!",
            "IloveYou1234",
            "morsel12345",
            "manchesterunited",
        ] {
            assert!(problem(bad, &email).is_some(), "{bad}");
        }
        assert!(problem(&"ab1c".repeat(51), &email).is_some());
        for good in ["three green apples", "Xk2!plorgh8", "пароль длинный", "correct horse battery"] {
            assert_eq!(problem(good, &email), None, "{good}");
        }
    }

    #[tokio::test]
    async fn a_password_matches_only_its_own_hash() {
        let passwords = Passwords::default();
        let hash = passwords.hash("three green apples").await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, passwords.hash("three green apples").await.expect("hashed"), "salted");
        assert!(passwords.verify("three green apples", Some(&hash)).await.expect("compared"));
        assert!(!passwords.verify("three green apple", Some(&hash)).await.expect("compared"));
        assert!(!passwords.verify("three green apples", None).await.expect("compared"));
        assert!(passwords.verify("x", Some("nonsense")).await.is_err());
    }
}
