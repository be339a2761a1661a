//! Search in the documentation: every heading of the guide, every endpoint, every error code and every page of the dashboard.

use super::guide::Guide;
use super::reference::EndpointGroup;
use crate::error_codes::ERROR_CODES;

/// The longest query that is read.
pub(crate) const MAX_QUERY: usize = 200;
/// Words of a query that are looked for.
const MAX_WORDS: usize = 8;
/// How much of a text is shown around what was found.
const SNIPPET: usize = 150;

/// The kind of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    Page,
    Endpoint,
    ErrorCode,
    Guide,
}

impl PlaceKind {
    /// Returns what people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Endpoint => "Endpoint",
            Self::ErrorCode => "Error",
            Self::Guide => "Guide",
        }
    }
}

/// A place that can be found.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub kind: PlaceKind,
    pub title: String,
    pub url: String,
    /// What is there, in words.
    text: String,
    /// Title and text in lower case.
    lower: (String, String),
    /// Whether only signed-in users can open it.
    is_private: bool,
}

impl Place {
    fn new(kind: PlaceKind, title: String, url: String, text: String) -> Self {
        let lower = (title.to_lowercase(), text.to_lowercase());
        Self { kind, title, url, text, lower, is_private: false }
    }

    /// Returns a piece of the text with the first of some words that is in it.
    pub fn snippet(&self, query: &str) -> String {
        let found = words(query).filter_map(|word| self.lower.1.find(&word)).min().unwrap_or(0);
        // Lower case may have another length; the start is only about right.
        let start = self.text.char_indices().map(|(at, _)| at).take_while(|at| *at + 40 <= found).last().unwrap_or(0);
        let start = if start == 0 { 0 } else { self.text[start..].find(' ').map_or(start, |space| start + space + 1) };
        let rest = &self.text[start..];
        let end = rest.char_indices().nth(SNIPPET).map_or(rest.len(), |(at, _)| at);
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        format!("{}{}{}", dots(start > 0), rest[..end].trim(), dots(end < rest.len()))
    }

    /// Returns how well the place fits: `None` if a word of the query is not in it.
    fn score(&self, query: &[String]) -> Option<u32> {
        let (title, text) = &self.lower;
        let mut score = 0;
        for word in query {
            score += match () {
                () if words(title).any(|known| known == *word) => 12,
                () if words(title).any(|known| known.starts_with(word.as_str())) => 8,
                () if title.contains(word.as_str()) => 5,
                () if words(text).any(|known| known == *word) => 2,
                () if text.contains(word.as_str()) => 1,
                () => return None,
            };
        }
        // A title that is all of the query comes first; among equals, what people look for most.
        let is_whole = words(title).count() == query.len();
        let kind = match self.kind {
            PlaceKind::Page => 2,
            PlaceKind::Endpoint | PlaceKind::ErrorCode => 1,
            PlaceKind::Guide => 0,
        };
        Some(score * 4 + u32::from(is_whole) * 8 + kind)
    }
}

/// Everything that can be found.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    places: Vec<Place>,
}

/// The pages of the dashboard: title, URL, what people do there, whether they must be signed in.
const PAGES: &[(&str, &str, &str, bool)] = &[
    ("Overview", "/", "home dashboard start", true),
    ("Playground", "/playground", "try a meal or a photo", true),
    ("Foods", "/foods", "search the food database, barcodes", true),
    ("Recipes", "/recipes", "your own dishes and what matches them", true),
    ("New recipe", "/recipes/new", "create a recipe from ingredients", true),
    ("Keys", "/keys", "API keys: rotate, revoke, permissions", true),
    ("New key", "/keys/new", "create an API key", true),
    ("Usage", "/usage", "requests, errors, latency, CSV", true),
    ("Account", "/account", "password, sessions, export, delete, two-factor authentication", true),
    ("Guide", "/docs", "documentation of the API", false),
    ("Reference", "/docs/reference", "every endpoint and field", false),
    ("Error codes", "/docs/errors", "what each error means and how to fix it", false),
];

impl SearchIndex {
    /// Collects everything from the rendered documentation.
    pub(super) fn new(guide: &Guide, groups: &[EndpointGroup]) -> Self {
        let pages = PAGES.iter().map(|&(title, url, text, is_private)| Place {
            is_private,
            ..Place::new(PlaceKind::Page, title.to_owned(), url.to_owned(), text.to_owned())
        });
        let endpoints = groups.iter().flat_map(|group| &group.endpoints).map(|endpoint| {
            let fields = endpoint.body.iter().map(|field| field.name.as_str());
            let parameters = endpoint.parameters.iter().map(|parameter| parameter.name.as_str());
            let names: Vec<&str> = parameters.chain(fields).collect();
            let text = format!("{} {} {} {}", endpoint.method, endpoint.path, endpoint.description, names.join(" "));
            let url = format!("/docs/reference/{}", endpoint.id);
            Place::new(PlaceKind::Endpoint, endpoint.summary.clone(), url, text)
        });
        let errors = ERROR_CODES.iter().map(|error| {
            let text = format!("{}. {}", error.title, error.cause.replace('`', ""));
            let title = format!("{} {}", error.status, error.code);
            Place::new(PlaceKind::ErrorCode, title, format!("/docs/errors/{}", error.code), text)
        });
        let guide = guide.contents.iter().map(|heading| {
            let text = heading.about.split_whitespace().collect::<Vec<_>>().join(" ");
            Place::new(PlaceKind::Guide, heading.text.clone(), format!("/docs#{}", heading.id), text)
        });
        Self { places: pages.chain(endpoints).chain(errors).chain(guide).collect() }
    }

    /// Returns the places that have every word of a query, the best first.
    pub fn find(&self, query: &str, limit: usize, is_signed_in: bool) -> Vec<&Place> {
        let query: Vec<String> = words(query).take(MAX_WORDS).collect();
        if query.is_empty() {
            return Vec::new();
        }
        let open = self.places.iter().filter(|place| is_signed_in || !place.is_private);
        let mut found: Vec<(u32, &Place)> =
            open.filter_map(|place| place.score(&query).map(|score| (score, place))).collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().take(limit).map(|(_, place)| place).collect()
    }

    /// Returns the pages of the dashboard.
    pub fn pages(&self, is_signed_in: bool) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.kind == PlaceKind::Page && (is_signed_in || !place.is_private))
    }
}

/// Returns the words of a text in lower case and in the singular, as far as an ending tells.
fn words(text: &str) -> impl Iterator<Item = String> {
    let pieces = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    pieces.map(|word| {
        let word = word.to_lowercase();
        match word.strip_suffix('s') {
            Some(stem) if stem.len() > 3 && !stem.ends_with('s') => stem.to_owned(),
            _ => word,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> SearchIndex {
        let guide =
            Guide::new("# T\n\n## Limits\n\nRequests are counted in windows.\n\n## Keys\n\nA key has scopes.\n");
        SearchIndex::new(&guide, &[])
    }

    #[test]
    fn the_best_place_comes_first() {
        let index = index();
        let first = |query: &str| index.find(query, 5, true).first().map(|place| place.url.clone());
        for (query, url) in [
            ("limits", "/docs#limits"),
            ("rate_limit_exceeded", "/docs/errors/rate_limit_exceeded"),
            ("429", "/docs/errors/rate_limit_exceeded"),
            ("revoked", "/docs/errors/revoked_key"),
            ("windows", "/docs#limits"),
            ("new key", "/keys/new"),
            ("usag", "/usage"),
        ] {
            assert_eq!(first(query).as_deref(), Some(url), "{query}");
        }
        assert_eq!(first("flumbergast key"), None);
        assert_eq!(first("  "), None);
    }

    #[test]
    fn visitors_find_no_pages_of_accounts() {
        assert!(index().find("usage", 5, false).iter().all(|place| place.url != "/usage"));
        assert!(index().pages(false).all(|place| place.url.starts_with("/docs")));
    }

    #[test]
    fn a_snippet_shows_what_was_found() {
        let index = index();
        let place = index.find("windows", 1, false)[0];
        assert_eq!(place.snippet("windows"), "Requests are counted in windows.");
        let long = Place::new(
            place.kind,
            place.title.clone(),
            place.url.clone(),
            format!("{}needle {}", "ä hay ".repeat(40), "hay ".repeat(80)),
        );
        let snippet = long.snippet("needle");
        assert!(snippet.starts_with('…') && snippet.ends_with('…') && snippet.contains("needle"), "{snippet}");
    }
}
