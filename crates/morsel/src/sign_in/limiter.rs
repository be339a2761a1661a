//! Limits on signing in: by account, so that nobody guesses a password from many addresses, and by address, so that nobody
//! tries one password on many accounts. Codes of the second factor have few digits, so far fewer of them may be wrong.
//!
//! An attempt is counted before the password is verified, so that simultaneous attempts count as well; a successful one is
//! taken back. Accounts that do not exist are counted like those that do. Sign-in links are not counted: a person locked
//! out by somebody else's attempts gets in with one.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use store::counted::{CounterKind, Take, Taken};
use store::limits::client_of;
use store::{AccountId, Counters, Email};

use crate::error::ApiError;

/// Wrong passwords for an account in a window.
const MAX_PER_ACCOUNT: u32 = 10;
/// Wrong passwords from an address in a window.
const MAX_PER_ADDRESS: u32 = 30;
/// Accounts created from an address in a window, attempts included.
const MAX_SIGN_UPS: u32 = 10;
/// Wrong codes for an account in a day: the chance of a lucky guess is one in 16,000.
const MAX_CODES: u32 = 20;
/// Characters of an e-mail address that count: those of the longest valid one.
const MAX_EMAIL_CHARS: usize = 254;

/// Counts recent attempts.
#[derive(Debug)]
pub struct SignInLimiter {
    counters: Arc<Counters>,
}

impl SignInLimiter {
    /// Creates limits that count with these counters.
    pub fn new(counters: Arc<Counters>) -> Self {
        Self { counters }
    }

    /// Counts an attempt to sign in with a password, or refuses it.
    pub(crate) async fn attempt(&self, email: &str, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        let (account, address) = (account(email), address(from));
        let by_account = Take { kind: CounterKind::Passwords, of: &account, limit: MAX_PER_ACCOUNT };
        let by_address = Take { kind: CounterKind::PasswordsFrom, of: &address, limit: MAX_PER_ADDRESS };
        self.take(&[by_account, by_address], now).await
    }

    /// Takes back attempts after the right password: those before it were its owner's.
    pub(crate) async fn succeeded(&self, email: &Email, from: IpAddr, now: Timestamp) {
        self.counters.reset(CounterKind::Passwords, &account(email.as_str())).await;
        self.counters.give_back(CounterKind::PasswordsFrom, &address(from), now).await;
    }

    /// Counts an attempt to create an account, or refuses it.
    pub(crate) async fn sign_up(&self, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        self.take(&[Take { kind: CounterKind::SignUps, of: &address(from), limit: MAX_SIGN_UPS }], now).await
    }

    /// Counts an attempt to enter a code of the second factor, or refuses it.
    pub(crate) async fn code(&self, account: &AccountId, now: Timestamp) -> Result<(), ApiError> {
        self.take(&[Take { kind: CounterKind::Codes, of: account.as_str(), limit: MAX_CODES }], now).await
    }

    /// Takes back attempts after the right code.
    pub(crate) async fn code_succeeded(&self, account: &AccountId) {
        self.counters.reset(CounterKind::Codes, account.as_str()).await;
    }

    async fn take(&self, takes: &[Take<'_>], now: Timestamp) -> Result<(), ApiError> {
        let Taken { start, refused, .. } = self.counters.take(takes, 1, now).await;
        match refused.and_then(|index| takes.get(index)) {
            Some(take) => Err(too_many(start + take.kind.seconds() - now.as_second())),
            None => Ok(()),
        }
    }
}

/// Returns the account of an e-mail address, however it was typed.
fn account(email: &str) -> String {
    email.trim().to_lowercase().chars().take(MAX_EMAIL_CHARS).collect()
}

fn address(from: IpAddr) -> String {
    client_of(from).to_string()
}

fn too_many(seconds: i64) -> ApiError {
    let seconds = u32::try_from(seconds).unwrap_or(1).max(1);
    let (count, unit) =
        if seconds > 7_200 { (seconds.div_ceil(3_600), "hour") } else { (seconds.div_ceil(60), "minute") };
    let plural = if count == 1 { "" } else { "s" };
    ApiError::too_many("too_many_tries", format!("Too many attempts. Try again in {count} {unit}{plural}."), seconds)
}

#[cfg(test)]
mod tests {
    use store::Rng;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_100 + second).expect("a time")
    }

    #[tokio::test]
    async fn attempts_are_limited_by_account_and_by_address() {
        let limiter = SignInLimiter::new(Arc::new(Counters::local()));
        let from = |n: u8| IpAddr::from([192, 0, 2, n]);
        for n in 0..10 {
            limiter.attempt("Ada@example.org", from(n), at(0)).await.expect("allowed");
        }
        let refused = limiter.attempt("ada@example.org ", from(99), at(1)).await.expect_err("from anywhere");
        assert_eq!(refused.status, 429);
        assert!(refused.message.contains("minutes"), "{}", refused.message);
        limiter.attempt("eve@example.org", from(99), at(1)).await.expect("another account");
        for n in 0..29 {
            limiter.attempt(&format!("{n}@example.org"), from(99), at(1)).await.expect("allowed");
        }
        limiter.attempt("x@example.org", from(99), at(1)).await.expect_err("one address, many accounts");
        limiter.attempt("ada@example.org", from(1), at(300)).await.expect("later");
    }

    #[tokio::test]
    async fn few_codes_may_be_wrong() {
        let limiter = SignInLimiter::new(Arc::new(Counters::local()));
        let (ada, eve) = (AccountId::generate(&mut Rng::seeded(1)), AccountId::generate(&mut Rng::seeded(2)));
        for n in 0..20 {
            limiter.code(&ada, at(600 * n)).await.expect("allowed");
        }
        let refused = limiter.code(&ada, at(13_000)).await.expect_err("too many");
        assert_eq!((refused.status.as_u16(), refused.retry_after), (429, Some(73_400)));
        assert!(refused.message.contains("21 hours"), "{}", refused.message);
        limiter.code(&eve, at(13_000)).await.expect("another account");
        limiter.code(&ada, at(86_400)).await.expect("the next day");
        limiter.code_succeeded(&ada).await;
        for _ in 0..20 {
            limiter.code(&ada, at(86_400)).await.expect("allowed again");
        }
    }

    #[tokio::test]
    async fn a_right_password_clears_the_account() {
        let limiter = SignInLimiter::new(Arc::new(Counters::local()));
        let (email, from) = (Email::parse("ada@example.org").expect("an address"), IpAddr::from([192, 0, 2, 1]));
        for _ in 0..5 {
            for _ in 0..9 {
                limiter.attempt(email.as_str(), from, at(0)).await.expect("allowed");
                limiter.succeeded(&email, from, at(0)).await;
            }
        }
        for _ in 0..10 {
            limiter.sign_up(from, at(0)).await.expect("allowed");
        }
        limiter.sign_up(from, at(0)).await.expect_err("too many accounts");
    }
}
