//! How often passwords were tried of late: by account, so that nobody guesses one from many addresses, and by address, so
//! that nobody tries one password on many accounts.
//!
//! A try is counted before the password is compared, so that tries at the same moment count as well; a right one is taken
//! back. Accounts that do not exist are counted like those that do. Sign-in links are not counted: whoever is locked out
//! by somebody else's tries gets in with one.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use jiff::Timestamp;
use store::Email;
use store::limits::counted_as;

use crate::error::ApiError;

/// Tries are counted for this long from the first one on.
const WINDOW_SECONDS: i64 = 300;
/// Wrong passwords of an account in that time.
const OF_ACCOUNT: u32 = 10;
/// Wrong passwords from an address in that time.
const FROM_ADDRESS: u32 = 30;
/// Accounts made, or tried to, from an address in that time.
const SIGN_UPS: u32 = 10;
/// Counted at most; what is beyond that is refused, rather than memory being given away.
const MOST_COUNTED: usize = 100_000;

/// What was tried of late.
#[derive(Debug, Default)]
pub struct Tries {
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    /// Since when, in unix seconds, and how many.
    tries: HashMap<Who, (i64, u32)>,
    /// HumanTime what is over was last forgotten.
    swept: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Who {
    Account(String),
    Address(IpAddr),
    SignUp(IpAddr),
}

impl Tries {
    /// Counts a password for an account, or refuses it.
    pub(super) fn password(&self, email: &str, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        self.take(&[(account(email), OF_ACCOUNT), (Who::Address(counted_as(from)), FROM_ADDRESS)], now)
    }

    /// The password was right: the tries before it were its owner's.
    pub(super) fn was_right(&self, email: &Email, from: IpAddr) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.tries.remove(&account(email.as_str()));
        if let Some((_, count)) = counted.tries.get_mut(&Who::Address(counted_as(from))) {
            *count = count.saturating_sub(1);
        }
    }

    /// Counts an account that is to be made, or refuses it.
    pub(super) fn sign_up(&self, from: IpAddr, now: Timestamp) -> Result<(), ApiError> {
        self.take(&[(Who::SignUp(counted_as(from)), SIGN_UPS)], now)
    }

    fn take(&self, whos: &[(Who, u32)], now: Timestamp) -> Result<(), ApiError> {
        let now = now.as_second();
        let is_over = |since: i64| !(0..WINDOW_SECONDS).contains(&(now - since));
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if is_over(counted.swept) {
            counted.tries.retain(|_, (since, _)| !is_over(*since));
            counted.swept = now;
        }
        let is_full = counted.tries.len() + whos.len() > MOST_COUNTED;
        for (who, most) in whos {
            match counted.tries.get(who) {
                Some((since, _)) if is_over(*since) => {}
                Some((since, count)) if count >= most => return Err(too_many(since + WINDOW_SECONDS - now)),
                None if is_full => return Err(too_many(WINDOW_SECONDS)),
                _ => {}
            }
        }
        for (who, _) in whos {
            let tries = counted.tries.entry(who.clone()).or_insert((now, 0));
            *tries = if is_over(tries.0) { (now, 1) } else { (tries.0, tries.1 + 1) };
        }
        Ok(())
    }
}

/// An address in whatever form it was typed; its length is bounded by that of an address.
fn account(email: &str) -> Who {
    Who::Account(email.trim().to_lowercase().chars().take(254).collect())
}

fn too_many(seconds: i64) -> ApiError {
    let seconds = u32::try_from(seconds).unwrap_or(1).max(1);
    let minutes = seconds.div_ceil(60);
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    let message = format!("There were too many tries. Wait {minutes} {unit} and try again.");
    ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_tries", message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_100 + second).expect("a time")
    }

    #[test]
    fn an_account_and_an_address_have_so_many_tries() {
        let tries = Tries::default();
        let from = |n: u8| IpAddr::from([192, 0, 2, n]);
        for n in 0..10 {
            tries.password("Ada@example.org", from(n), at(0)).expect("allowed");
        }
        let refused = tries.password("ada@example.org ", from(99), at(1)).expect_err("from anywhere");
        assert_eq!(refused.status, 429);
        assert!(refused.message.contains("minutes"), "{}", refused.message);
        tries.password("eve@example.org", from(99), at(1)).expect("another account");
        for n in 0..29 {
            tries.password(&format!("{n}@example.org"), from(99), at(1)).expect("allowed");
        }
        tries.password("x@example.org", from(99), at(1)).expect_err("one address, many accounts");
        tries.password("ada@example.org", from(1), at(300)).expect("later");
    }

    #[test]
    fn a_right_password_clears_the_account() {
        let tries = Tries::default();
        let (email, from) = (Email::parse("ada@example.org").expect("an address"), IpAddr::from([192, 0, 2, 1]));
        for _ in 0..5 {
            for _ in 0..9 {
                tries.password(email.as_str(), from, at(0)).expect("allowed");
                tries.was_right(&email, from);
            }
        }
        for _ in 0..10 {
            tries.sign_up(from, at(0)).expect("allowed");
        }
        tries.sign_up(from, at(0)).expect_err("too many accounts");
    }
}
