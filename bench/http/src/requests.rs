//! The requests: the same one again and again, or a different one each time.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// A meal of three foods.
const MEAL: &str = "two scrambled eggs, a slice of toast with butter and a banana";

/// A search for foods, up to the query.
pub const FOODS: &str = "/v1/foods?q=";
/// The same search in the dialect of Open Food Facts, with the fields that a diary app asks for.
pub const PRODUCTS: &str = "/cgi/search.pl?json=1&page_size=20&fields=product_name,product_name_en,brands,code,serving_size,\
    serving_quantity,serving_quantity_unit,nutriments&lc=en&search_terms=";
/// The same search in the dialect of FoodData Central.
pub const FDC_FOODS: &str = "/fdc/v1/foods/search?pageSize=20&query=";

/// A tool as a diary app sends it to a language model.
const TOOL: &str = r#"{"type":"function","function":{"name":"log_meal_items","description":"Record the food items found.","parameters":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"query":{"type":"string"},"quantity":{"type":"number"},"unit":{"type":"string","enum":["g","kg","lb","ml","l","oz","fl.oz","serving"]},"calories":{"type":"number"}},"required":["query"],"additionalProperties":false}}},"required":["items"],"additionalProperties":false}}}"#;

/// Capitalizations of each search. Searches of three to five letters have fewer, and repeat.
const CAPITALS: u64 = 64;

/// Coprime to every number of texts that is not its multiple: steps of this size visit each text once.
const STEP: u64 = 1_000_003;

/// A source of requests.
pub struct Requests {
    kind: Kind,
    /// Requests so far, over all rounds, so that different requests stay different.
    count: Cell<u64>,
}

/// What a different request asks of the engine.
pub enum Work {
    Search(String),
    Meal(String),
}

enum Kind {
    Same(Vec<u8>),
    Searches { key: String, path: &'static str, queries: Vec<String> },
    Meals { key: String, path: &'static str, phrases: Vec<String> },
}

impl Requests {
    /// Requests the only page of the bare server.
    pub fn hello() -> Self {
        Self::new(Kind::Same(get("/", "")))
    }

    /// Requests the list of recipes.
    pub fn recipes(key: &str) -> Self {
        Self::new(Kind::Same(get("/v1/recipes", key)))
    }

    /// Requests one search at a path, which the query completes.
    pub fn one_search(key: &str, path: &str) -> Self {
        Self::new(Kind::Same(get(&format!("{path}greek+yogurt"), key)))
    }

    /// Requests searches as people type them: whole names, half-typed names, names with a missing letter. Each has
    /// other capitals, so that it is a different text and the same work.
    pub fn searches(key: &str, path: &'static str, texts: &Texts) -> Self {
        Self::new(Kind::Searches { key: key.to_owned(), path, queries: texts.queries.clone() })
    }

    /// Requests an estimate of one meal.
    pub fn one_meal(key: &str, path: &str) -> Self {
        Self::new(Kind::Same(estimate(path, key, MEAL)))
    }

    /// Requests estimates of meals of three foods, all different.
    pub fn meals(key: &str, path: &'static str, texts: &Texts) -> Self {
        Self::new(Kind::Meals { key: key.to_owned(), path, phrases: texts.phrases.clone() })
    }

    /// Returns the same source at a distant position, so that its texts differ from those of another source.
    #[must_use]
    pub fn later(self) -> Self {
        self.from(1 << 32)
    }

    /// Returns the same source at this position.
    #[must_use]
    pub fn from(self, position: u64) -> Self {
        self.count.set(position);
        self
    }

    fn new(kind: Kind) -> Self {
        Self { kind, count: Cell::new(0) }
    }

    /// Returns the number of different requests.
    pub fn variety(&self) -> u64 {
        match &self.kind {
            Kind::Same(_) => 1,
            Kind::Searches { queries, .. } => queries.len() as u64 * CAPITALS,
            Kind::Meals { phrases, .. } => (phrases.len() as u64).pow(3),
        }
    }

    /// Writes the next request over the last one.
    pub fn next(&self, request: &mut Vec<u8>) {
        match (&self.kind, self.next_work()) {
            (Kind::Searches { key, path, .. }, Some(Work::Search(query))) => {
                *request = get(&format!("{path}{}", query.replace(' ', "+")), key);
            }
            (Kind::Meals { key, path, .. }, Some(Work::Meal(meal))) => *request = estimate(path, key, &meal),
            (Kind::Same(same), _) if request.is_empty() => request.extend_from_slice(same),
            _ => {}
        }
    }

    /// Returns what the next request asks for; `None` if it is always the same.
    pub fn next_work(&self) -> Option<Work> {
        let number = self.count.get();
        self.count.set(number + 1);
        let number = number * STEP % self.variety();
        match &self.kind {
            Kind::Same(_) => None,
            Kind::Searches { queries, .. } => {
                let many = queries.len() as u64;
                Some(Work::Search(capitalised(&queries[(number % many) as usize], number / many)))
            }
            Kind::Meals { phrases, .. } => {
                let of = |number: u64| &phrases[(number % phrases.len() as u64) as usize];
                let many = phrases.len() as u64;
                Some(Work::Meal(format!("{}, {} and {}", of(number), of(number / many), of(number / many / many))))
            }
        }
    }
}

/// Returns a request that estimates a photo. The number is appended to the file, where decoders ignore it, so that the
/// server has not seen the photo before.
pub fn photo(key: &str, file: &[u8], number: u64) -> Vec<u8> {
    let file = STANDARD.encode([file, &number.to_le_bytes()].concat());
    let image = format!(r#"{{"type":"image_url","image_url":{{"url":"data:image/jpeg;base64,{file}"}}}}"#);
    post("/v1/estimate/sync", key, &format!(r#"{{"messages":[{{"role":"user","content":[{image}]}}]}}"#))
}

fn get(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n").into_bytes()
}

fn estimate(path: &str, key: &str, meal: &str) -> Vec<u8> {
    let body = match path {
        "/mcp" => format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"estimate_meal","arguments":{{"text":"{meal}"}}}}}}"#
        ),
        "/v1/chat/completions" => {
            format!(
                r#"{{"model":"morsel","messages":[{{"role":"user","content":"{meal}"}}],"tools":[{TOOL}],"tool_choice":"required"}}"#
            )
        }
        "/v2/natural/nutrients" => format!(r#"{{"query":"{meal}"}}"#),
        _ => format!(r#"{{"messages":[{{"role":"user","content":"{meal}"}}]}}"#),
    };
    post(path, key, &body)
}

pub fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Words for different requests, from the meals that the estimator is evaluated on.
pub struct Texts {
    queries: Vec<String>,
    phrases: Vec<String>,
}

#[derive(Deserialize)]
struct Meal {
    text: String,
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    food: String,
}

impl Texts {
    /// Reads the gold file, one meal per line.
    pub fn read(path: &Path) -> Result<Self> {
        let gold = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let meals: Vec<Meal> = gold
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()
            .with_context(|| format!("{} is not a list of meals", path.display()))?;
        let phrases: BTreeSet<String> = meals
            .iter()
            .filter(|meal| meal.items.len() == 1 && meal.text.len() <= 40)
            .map(|meal| meal.text.to_lowercase())
            .filter(|text| is_plain(text) && !text.split(' ').any(|word| word == "and"))
            .collect();
        let names = meals.iter().flat_map(|meal| &meal.items).map(|item| item.food.to_lowercase());
        let queries: BTreeSet<String> = names.filter(|name| is_plain(name)).flat_map(|name| typed(&name)).collect();
        ensure!(phrases.len() >= 100 && queries.len() >= 1_000, "{} has too few meals", path.display());
        Ok(Self { queries: queries.into_iter().collect(), phrases: phrases.into_iter().collect() })
    }
}

/// Checks whether a text needs no escaping in a URL or in JSON.
fn is_plain(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ' ')
}

/// Capitalizes the letters whose bits are set in `pattern`.
fn capitalised(text: &str, pattern: u64) -> String {
    let letters = text.chars().enumerate();
    letters.map(|(at, letter)| if pattern >> at & 1 == 1 { letter.to_ascii_uppercase() } else { letter }).collect()
}

/// Returns what people type for a name: every prefix of at least three letters, and every way to miss one letter.
fn typed(name: &str) -> Vec<String> {
    let beginnings = (3..=name.len()).map(|length| name[..length].trim_end().to_owned());
    let misses = (1..name.len()).map(|at| format!("{}{}", &name[..at], &name[at + 1..]));
    beginnings.chain(misses.filter(|text| text.len() >= 4)).collect()
}
