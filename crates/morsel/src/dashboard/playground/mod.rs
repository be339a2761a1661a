//! The playground: signed-in users try out a meal, in words or as photos.
//!
//! The script of the page calls endpoints of the dashboard, which share the API's code and accept the session instead
//! of a key. So cookies never work on the API, and no page contains a key. Without scripts the page is a plain form.
//!
//! Requests count toward the rate limit of the account's test keys, so that they never affect live traffic. They are not
//! counted in the usage statistics.

pub(super) mod page;
pub(super) mod live;
