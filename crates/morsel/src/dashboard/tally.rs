//! Requests by how they were answered, as the pages show them.

/// Numbers of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub ok: u64,
    pub client: u64,
    pub limited: u64,
    pub server: u64,
}

impl Tally {
    /// Adds requests of a class, as the store names it.
    pub fn add(&mut self, status: &str, requests: u64) {
        let place = match status {
            "429" => &mut self.limited,
            "4xx" => &mut self.client,
            "5xx" => &mut self.server,
            _ => &mut self.ok,
        };
        *place += requests;
    }

    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            ok: self.ok + other.ok,
            client: self.client + other.client,
            limited: self.limited + other.limited,
            server: self.server + other.server,
        }
    }

    pub fn total(&self) -> u64 {
        self.ok + self.client + self.limited + self.server
    }

    /// Requests that failed, apart from those over the limit.
    pub fn errors(&self) -> u64 {
        self.client + self.server
    }

    /// What share of all failed, in words.
    pub fn errors_share(&self) -> String {
        self.share(self.errors())
    }

    /// What share of all was over the limit, in words.
    pub fn limited_share(&self) -> String {
        self.share(self.limited)
    }

    fn share(&self, requests: u64) -> String {
        let share = if self.total() == 0 { 0.0 } else { requests as f64 * 100.0 / self.total() as f64 };
        match requests {
            0 => "none".to_owned(),
            _ if share < 0.1 => "under 0.1 %".to_owned(),
            _ => format!("{share:.1} %"),
        }
    }
}
