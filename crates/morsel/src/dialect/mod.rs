//! Dialects: the protocols of other services that this one answers in besides its own.
//!
//! Programs that were written for another service can be pointed at this one if it listens at the same paths, takes the key
//! where they send it ([`credentials`]) and reports errors in a form that they read ([`error_form`]). The path says which
//! dialect a request is in. Keys, limits, statistics and logs are the same in all of them; the handlers are in
//! [`api`](crate::api).

pub mod credentials;
pub mod error_form;

/// The protocol of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Our own API.
    Morsel,
    /// Chat completions, as language models offer them.
    ChatCompletions,
    /// The Model Context Protocol.
    Mcp,
    /// Open Food Facts, read only.
    OpenFoodFacts,
    /// CalorieNinjas.
    CalorieNinjas,
    /// API Ninjas, the successor of CalorieNinjas.
    ApiNinjas,
    /// Nutritionix, version 2.
    Nutritionix,
    /// USDA FoodData Central, read only.
    FoodDataCentral,
}

/// Where programs that speak Open Food Facts' dialect exchange a key for a cookie.
pub const OPEN_FOOD_FACTS_SIGN_IN: &str = "/cgi/session.pl";

/// Where each dialect listens: the path itself and everything below it.
const PLACES: [(&str, Dialect); 11] = [
    ("/v1/chat", Dialect::ChatCompletions),
    ("/v1/models", Dialect::ChatCompletions),
    ("/v1", Dialect::Morsel),
    ("/mcp", Dialect::Mcp),
    ("/v2", Dialect::Nutritionix),
    ("/fdc", Dialect::FoodDataCentral),
    ("/api", Dialect::OpenFoodFacts),
    ("/cgi", Dialect::OpenFoodFacts),
    ("/search", Dialect::OpenFoodFacts),
    ("/compat/calorieninjas", Dialect::CalorieNinjas),
    ("/compat/apininjas", Dialect::ApiNinjas),
];

impl Dialect {
    /// Returns the dialect of a path; `None` for pages and everything else that needs no key.
    pub fn of(path: &str) -> Option<Self> {
        if path == OPEN_FOOD_FACTS_SIGN_IN {
            return None;
        }
        let is_below =
            |place: &str| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        PLACES.iter().find(|(place, _)| is_below(place)).map(|(_, dialect)| *dialect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_says_the_dialect() {
        for (path, dialect) in [
            ("/v1", Some(Dialect::Morsel)),
            ("/v1/foods", Some(Dialect::Morsel)),
            ("/v1/modelsx", Some(Dialect::Morsel)),
            ("/v1/models", Some(Dialect::ChatCompletions)),
            ("/v1/chat/completions", Some(Dialect::ChatCompletions)),
            ("/v2/search/instant", Some(Dialect::Nutritionix)),
            ("/cgi/search.pl", Some(Dialect::OpenFoodFacts)),
            ("/search", Some(Dialect::OpenFoodFacts)),
            ("/searching", None),
            ("/", None),
            ("/foods", None),
            ("/docs", None),
        ] {
            assert_eq!(Dialect::of(path), dialect, "{path}");
        }
    }
}
