//! What is counted in windows of time, and by which rule.

use jiff::Timestamp;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CounterKind {
    /// Requests of an account with live keys.
    LiveRequests,
    /// Requests of an account with test keys.
    TestRequests,
    /// Pages of the dashboard that an account opens.
    Pages,
    /// Invalid keys from an address.
    WrongKeys,
    /// Wrong passwords for an account.
    Passwords,
    /// Wrong passwords from an address.
    PasswordsFrom,
    /// Accounts created from an address.
    SignUps,
    /// Wrong codes of an account's second factor.
    Codes,
    /// Meals that visitors try from an address.
    DemoMeals,
}

/// The windows of a kind.
pub(crate) struct Rule {
    /// Distinguishes the kinds in Redis.
    pub name: &'static str,
    /// The length of a window.
    pub seconds: i64,
    /// Whether windows begin at multiples of their length, and not with the first event.
    pub is_aligned: bool,
    /// Keys in memory at most.
    pub max_keys: usize,
    /// Whether events beyond that many keys are granted.
    pub is_granted_when_full: bool,
}

pub(crate) const KINDS: [CounterKind; 9] = [
    CounterKind::LiveRequests,
    CounterKind::TestRequests,
    CounterKind::Pages,
    CounterKind::WrongKeys,
    CounterKind::Passwords,
    CounterKind::PasswordsFrom,
    CounterKind::SignUps,
    CounterKind::Codes,
    CounterKind::DemoMeals,
];

impl CounterKind {
    pub(crate) const fn rule(self) -> Rule {
        const MINUTE: i64 = 60;
        const FIVE_MINUTES: i64 = 300;
        const DAY: i64 = 24 * 3_600;
        let (name, seconds, is_aligned) = match self {
            Self::LiveRequests => ("live", MINUTE, true),
            Self::TestRequests => ("test", MINUTE, true),
            Self::Pages => ("pages", MINUTE, true),
            Self::WrongKeys => ("wrong-keys", MINUTE, true),
            Self::Passwords => ("passwords", FIVE_MINUTES, false),
            Self::PasswordsFrom => ("passwords-from", FIVE_MINUTES, false),
            Self::SignUps => ("sign-ups", FIVE_MINUTES, false),
            Self::Codes => ("codes", DAY, false),
            Self::DemoMeals => ("demo", MINUTE, false),
        };
        let (max_keys, is_granted_when_full) = match self {
            // Accounts that exist.
            Self::LiveRequests | Self::TestRequests | Self::Pages => (usize::MAX, true),
            // A flood of addresses; it cannot be held off by their number.
            Self::WrongKeys => (100_000, true),
            // Attempts are refused rather than memory being given away.
            Self::Passwords | Self::PasswordsFrom | Self::SignUps | Self::Codes | Self::DemoMeals => (100_000, false),
        };
        Rule { name, seconds, is_aligned, max_keys, is_granted_when_full }
    }

    /// Returns the length of a window in seconds.
    pub const fn seconds(self) -> i64 {
        self.rule().seconds
    }

    /// Returns the name in Redis.
    pub(crate) const fn name(self) -> &'static str {
        self.rule().name
    }

    /// Returns when a window begins whose first event is now, in unix seconds.
    pub(crate) fn start(self, now: Timestamp) -> i64 {
        let (now, rule) = (now.as_second(), self.rule());
        if rule.is_aligned { now.div_euclid(rule.seconds) * rule.seconds } else { now }
    }
}

/// An event to count.
#[derive(Debug, Clone, Copy)]
pub struct Take<'a> {
    /// What it is.
    pub kind: CounterKind,
    /// Whose it is: an account, an address.
    pub of: &'a str,
    /// How many are granted in a window.
    pub limit: u32,
}

/// The outcome of counting events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// How many were granted, and counted.
    pub granted: u32,
    /// How many are left in the window.
    pub remaining: u32,
    /// When the window began, in unix seconds.
    pub start: i64,
    /// Which of the events was refused, if one was.
    pub refused: Option<usize>,
}
