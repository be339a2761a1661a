//! Which web pages may call the API from a browser.

/// The origins that may call the API from a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cors {
    /// None.
    Off,
    /// All.
    Any,
    /// Only these.
    Origins(Vec<String>),
}

impl Cors {
    /// Reads a list of origins such as `https://app.example.com`; `*` stands for all.
    pub(super) fn parse(list: &[String]) -> Result<Self, String> {
        let trimmed = list.iter().map(|origin| origin.trim().trim_end_matches('/'));
        let origins: Vec<String> = trimmed.filter(|origin| !origin.is_empty()).map(str::to_owned).collect();
        if origins.iter().any(|origin| origin == "*") {
            return Ok(Self::Any);
        }
        for origin in &origins {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            if !host.is_some_and(|host| !host.is_empty() && !host.contains('/') && host.is_ascii()) {
                return Err(format!("CORS origin “{origin}” must look like https://app.example.com"));
            }
        }
        Ok(if origins.is_empty() { Self::Off } else { Self::Origins(origins) })
    }
}
