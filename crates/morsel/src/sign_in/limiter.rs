//! Limits on signing in: by account, so that nobody guesses a password from many addresses, and by address, so that nobody
//! tries one password on many accounts. Codes of the second factor have few digits, so far fewer of them may be wrong.
//!
//! An attempt is counted before the password is verified, so that simultaneous attempts count as well; a successful one is
//! taken back. Accounts that do not exist are counted like those that do. Sign-in links are not counted: a person locked
//! out by somebody else's attempts gets in with one.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use store::limits::{WindowCounter, client_of};
use store::{AccountId, Email};

use crate::error::ApiError;

/// Attempts are counted for this long, from the first one on.
const WINDOW_SECONDS: i64 = 300;
/// Wrong passwords for an account in a window.
const MAX_PER_ACCOUNT: u32 = 10;
/// Wrong passwords from an address in a window.
const MAX_PER_ADDRESS: u32 = 30;
/// Accounts created from an address in a window, attempts included.
const MAX_SIGN_UPS: u32 = 10;
/// Wrong codes are counted for a day, from the first one on.
const CODE_WINDOW_SECONDS: i64 = 24 * 3_600;
/// Wrong codes for an account in that time: the chance of a lucky guess is one in 16,000.
const MAX_CODES: u32 = 20;
/// Counters at most; beyond that, attempts are refused rather than memory being given away.
const MAX_COUNTERS: usize = 100_000;
/// Characters of an e-mail address that count: those of the longest valid one.
const MAX_EMAIL_CHARS: usize = 254;

/// Counts recent attempts.
#[derive(Debug)]
pub struct SignInLimiter {
    attempts: Mutex<WindowCounter<Subject>>,
    codes: Mutex<WindowCounter<AccountId>>,
}

/// What attempts are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Account(String),
    Address(IpAddr),
    SignUp(IpAddr),
}

impl SignInLimiter {
    /// Counts an attempt to sign in with a password, or refuses it.
    pub(crate) fn attempt(&self, email: &str, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        let subjects = [(account(email), MAX_PER_ACCOUNT), (Subject::Address(client_of(from)), MAX_PER_ADDRESS)];
        self.take(&subjects, now)
    }

    /// Takes back attempts after the right password: those before it were its owner's.
    pub(crate) fn succeeded(&self, email: &Email, from: IpAddr, now: Timestamp) {
        let mut attempts = self.lock();
        attempts.remove(&account(email.as_str()));
        let address = Subject::Address(client_of(from));
        if attempts.get(&address, now).is_some()
            && let Some((_, count)) = attempts.entry(&address, now.as_second(), now)
        {
            *count = count.saturating_sub(1);
        }
    }

    /// Counts an attempt to create an account, or refuses it.
    pub(crate) fn sign_up(&self, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        self.take(&[(Subject::SignUp(client_of(from)), MAX_SIGN_UPS)], now)
    }

    /// Counts an attempt to enter a code of the second factor, or refuses it.
    pub(crate) fn code(&self, account: &AccountId, now: Timestamp) -> Result<(), ApiError> {
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = codes.entry(account, now.as_second(), now);
        let (since, count) = entry.ok_or_else(|| too_many(CODE_WINDOW_SECONDS))?;
        if *count >= MAX_CODES {
            return Err(too_many(since + CODE_WINDOW_SECONDS - now.as_second()));
        }
        *count += 1;
        Ok(())
    }

    /// Takes back attempts after the right code.
    pub(crate) fn code_succeeded(&self, account: &AccountId) {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
    }

    fn take(&self, subjects: &[(Subject, u32)], now: Timestamp) -> Result<(), ApiError> {
        let mut attempts = self.lock();
        for (subject, max) in subjects {
            if let Some((since, count)) = attempts.get(subject, now)
                && count >= max
            {
                return Err(too_many(since + WINDOW_SECONDS - now.as_second()));
            }
        }
        for (subject, _) in subjects {
            let (_, count) = attempts.entry(subject, now.as_second(), now).ok_or_else(|| too_many(WINDOW_SECONDS))?;
            *count += 1;
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, WindowCounter<Subject>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for SignInLimiter {
    fn default() -> Self {
        Self {
            attempts: Mutex::new(WindowCounter::new(WINDOW_SECONDS, MAX_COUNTERS)),
            codes: Mutex::new(WindowCounter::new(CODE_WINDOW_SECONDS, MAX_COUNTERS)),
        }
    }
}

/// Returns the account of an e-mail address, however it was typed.
fn account(email: &str) -> Subject {
    Subject::Account(email.trim().to_lowercase().chars().take(MAX_EMAIL_CHARS).collect())
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

    #[test]
    fn attempts_are_limited_by_account_and_by_address() {
        let limiter = SignInLimiter::default();
        let from = |n: u8| IpAddr::from([192, 0, 2, n]);
        for n in 0..10 {
            limiter.attempt("Ada@example.org", from(n), at(0)).expect("allowed");
        }
        let refused = limiter.attempt("ada@example.org ", from(99), at(1)).expect_err("from anywhere");
        assert_eq!(refused.status, 429);
        assert!(refused.message.contains("minutes"), "{}", refused.message);
        limiter.attempt("eve@example.org", from(99), at(1)).expect("another account");
        for n in 0..29 {
            limiter.attempt(&format!("{n}@example.org"), from(99), at(1)).expect("allowed");
        }
        limiter.attempt("x@example.org", from(99), at(1)).expect_err("one address, many accounts");
        limiter.attempt("ada@example.org", from(1), at(300)).expect("later");
    }

    #[test]
    fn few_codes_may_be_wrong() {
        let limiter = SignInLimiter::default();
        let (ada, eve) = (AccountId::generate(&mut Rng::seeded(1)), AccountId::generate(&mut Rng::seeded(2)));
        for n in 0..20 {
            limiter.code(&ada, at(600 * n)).expect("allowed");
        }
        let refused = limiter.code(&ada, at(13_000)).expect_err("too many");
        assert_eq!((refused.status.as_u16(), refused.retry_after), (429, Some(73_400)));
        assert!(refused.message.contains("21 hours"), "{}", refused.message);
        limiter.code(&eve, at(13_000)).expect("another account");
        limiter.code(&ada, at(86_400)).expect("the next day");
        limiter.code_succeeded(&ada);
        for _ in 0..20 {
            limiter.code(&ada, at(86_400)).expect("allowed again");
        }
    }

    #[test]
    fn a_right_password_clears_the_account() {
        let limiter = SignInLimiter::default();
        let (email, from) = (Email::parse("ada@example.org").expect("an address"), IpAddr::from([192, 0, 2, 1]));
        for _ in 0..5 {
            for _ in 0..9 {
                limiter.attempt(email.as_str(), from, at(0)).expect("allowed");
                limiter.succeeded(&email, from, at(0));
            }
        }
        for _ in 0..10 {
            limiter.sign_up(from, at(0)).expect("allowed");
        }
        limiter.sign_up(from, at(0)).expect_err("too many accounts");
    }
}
