//! The documentation tells the truth: every request in the guide and in the reference is sent, and answers what stands
//! there; every route and every error code is in it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use morsel::dashboard::docs::examples::EXAMPLES;
use morsel::error_codes::ERROR_CODES;
use morsel::routes::ROUTES;
use serde_json::{Value, json};

use crate::harness::{Reply, Service};
use test_support::on_sqlite;

const GUIDE: &str = include_str!("../../../../docs/API.md");
/// The samples of the SDKs, which their tests run.
const PYTHON: &str = include_str!("../../../../sdk/python/samples.py");
const SCRIPT: &str = include_str!("../../../../sdk/typescript/samples.js");
const BASE: &str = "http://127.0.0.1:8080";

const PRODUCT: &str = "code\tproduct_name\tbrands\tserving_size\tenergy-kcal_100g\tproteins_100g\tcarbohydrates_100g\tfat_100g\n\
    4006381333931\tOat biscuits\tGrunau\t1 biscuit (12,5 g)\t478\t6.1\t66\t20\n";

/// A block of code in the guide.
struct Block<'a> {
    language: &'a str,
    code: &'a str,
}

fn blocks(document: &'static str) -> Vec<Block<'static>> {
    let mut rest = document;
    let mut blocks = Vec::new();
    while let Some((_, after)) = rest.split_once("\n```") {
        let (language, code) = after.split_once('\n').expect("a line");
        let (code, after) = code.split_once("\n```\n").expect("every block ends");
        blocks.push(Block { language, code });
        rest = after;
    }
    blocks
}

/// The words of a command, as a shell reads them. Variables are replaced in double quotes.
fn words(command: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let (mut words, mut word, mut is_word) = (Vec::new(), String::new(), false);
    let mut characters = command.chars().peekable();
    let mut quote = None;
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => (quote, is_word) = (Some(character), true),
            (Some(open), close) if open == close => quote = None,
            (None | Some('"'), '\\') => match characters.next() {
                Some('\n') | None => {}
                Some(escaped) => word.push(escaped),
            },
            (None | Some('"'), '$') => {
                let rest: String = characters.clone().collect();
                let known = variables.iter().find(|(name, _)| rest.starts_with(name));
                let (name, value) = known.unwrap_or_else(|| panic!("an unknown variable: ${rest}"));
                word.push_str(value);
                characters.by_ref().take(name.len()).for_each(drop);
            }
            (None, space) if space.is_whitespace() => {
                if is_word || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            (_, other) => word.push(other),
        }
    }
    if is_word || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Sends what a curl command would.
async fn curl(service: &Service, command: &str, variables: &[(&str, &str)]) -> Reply {
    let mut words = words(command, variables).into_iter();
    assert_eq!(words.next().as_deref(), Some("curl"), "{command}");
    let (mut address, mut method, mut body, mut headers) = (None, None, None, Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "-H" => headers.push(words.next().expect("a header")),
            "-d" => body = words.next(),
            "-X" => method = words.next(),
            "-N" => {}
            _ => address = Some(word),
        }
    }
    let address = address.expect("an address");
    let path = address.strip_prefix(BASE).unwrap_or_else(|| panic!("{address}"));
    let method = method.unwrap_or_else(|| if body.is_some() { "POST" } else { "GET" }.to_owned());
    let mut call = service.call(&method, path).no_key();
    for header in &headers {
        let (name, value) = header.split_once(": ").expect("a name and a value");
        call = if name == "Authorization" { call.authorization(value) } else { call.header(name, value) };
    }
    call.body(body.unwrap_or_default()).send().await
}

/// Whether an answer is what the text says; “…” stands for anything.
fn same(said: &Value, is: &Value) -> bool {
    match (said, is) {
        (Value::String(said), Value::String(is)) => match said.split_once('…') {
            Some((before, after)) => is.starts_with(before) && is.ends_with(after),
            None => said == is,
        },
        (Value::Array(said), Value::Array(is)) => {
            said.len() == is.len() && said.iter().zip(is).all(|(said, is)| same(said, is))
        }
        (Value::Object(said), Value::Object(is)) => {
            said.len() == is.len() && said.iter().all(|(key, said)| is.get(key).is_some_and(|is| same(said, is)))
        }
        (Value::Number(said), Value::Number(is)) => said.as_f64() == is.as_f64(),
        _ => said == is,
    }
}

/// Imports a product with a barcode: none that ships has one.
pub fn import_product(data_dir: &Path) {
    let products = data_dir.join("products.csv");
    std::fs::write(&products, PRODUCT).expect("written");
    let import = Command::new(env!("CARGO_BIN_EXE_morsel"))
        .args(["import", "off"])
        .arg(&products)
        .env("MORSEL_DATA_DIR", data_dir)
        .output();
    assert!(import.expect("it runs").status.success());
}

fn photo() -> String {
    let photo = image::RgbImage::from_pixel(64, 48, image::Rgb([200, 120, 40]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    photo.write_to(&mut bytes, image::ImageFormat::Jpeg).expect("encoded");
    base64::engine::general_purpose::STANDARD.encode(bytes.into_inner())
}

#[tokio::test]
async fn every_request_of_the_guide_answers_what_the_guide_says() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let image = photo();
        let (mut requests, mut compared, mut wrong) = (0, 0, String::new());
        let mut last: Option<Reply> = None;
        for block in blocks(GUIDE) {
            match block.language {
                "sh" => {
                    let mut url = String::new();
                    let code = block.code.replace("$(base64 -w0 dinner.jpg)", &image);
                    let mut rest = code.as_str();
                    if let Some(first) = code.strip_prefix("URL=$(") {
                        let (first, after) = first.split_once(" | sed ").expect("the address is cut out");
                        url = curl(&service, first, &[("KEY", &service.key)]).await.ok()["url"]
                            .as_str()
                            .expect("a URL")
                            .to_owned();
                        requests += 1;
                        rest = after.split_once('\n').expect("another line").1;
                    }
                    let reply = curl(&service, rest, &[("KEY", &service.key), ("URL", &url)]).await;
                    assert!((200..300).contains(&reply.status), "{}: {}", block.code, reply.text());
                    requests += 1;
                    last = Some(reply);
                }
                "json" => {
                    let said: Value =
                        serde_json::from_str(block.code).unwrap_or_else(|error| panic!("{error}: {}", block.code));
                    // An error is shown without the request that provokes it.
                    if said.get("error").is_some() {
                        continue;
                    }
                    let is = last.take().expect("a request before it").json();
                    compared += 1;
                    if !same(&said, &is) {
                        let _ = writeln!(wrong, "The guide says\n{}\nand the answer is\n{is}\n", block.code);
                    }
                }
                "python" | "js" => {}
                other => panic!("a block of {other:?}"),
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
        assert!(requests >= 9 && compared >= 6, "{requests} {compared}");
    })
    .await;
}

#[test]
fn every_program_of_the_documents_is_a_sample_that_the_tests_of_the_sdks_run() {
    let documents = [
        GUIDE,
        include_str!("../../../../README.md"),
        include_str!("../../../../sdk/python/README.md"),
        include_str!("../../../../sdk/typescript/README.md"),
    ];
    for (language, samples, comment) in [("python", PYTHON, "\n# ["), ("js", SCRIPT, "\n// [")] {
        let section = |text: &'static str| text.split_once("]\n").expect("a name");
        let sections: Vec<_> = samples.split(comment).skip(1).map(section).collect();
        let setup = sections[0].1.trim();
        let shown = documents.iter().flat_map(|document| blocks(document)).filter(|block| block.language == language);
        let mut programs = 0;
        for Block { code, .. } in shown {
            let own = code.strip_prefix(setup).unwrap_or(code).trim();
            assert!(sections.iter().any(|(_, sample)| sample.trim() == own), "not a sample of the SDK:\n{code}");
            programs += 1;
        }
        assert!(programs >= 6, "{language}: {programs}");
        for (name, _) in sections.iter().filter(|(name, _)| name.contains('/')) {
            assert!(ROUTES.iter().any(|route| route.name == *name), "{name} is not a route");
        }
    }
}

#[tokio::test]
async fn every_example_of_the_reference_answers_what_it_says() {
    on_sqlite(async |database| {
        import_product(database.folder.path());
        let service = Service::on(database).await;
        let image = format!("data:image/jpeg;base64,{}", photo());
        let shown: BTreeSet<&str> = EXAMPLES.iter().map(|example| example.route).collect();
        assert_eq!(shown, ROUTES.iter().map(|route| route.name).collect(), "one for every route");
        let mut wrong = String::new();
        for example in EXAMPLES {
            let method = example.route.split(' ').next().expect("a method");
            let path = example.path.split('?').next().expect("a path");
            let mut address = example.path.to_owned();
            if path.starts_with("/v1/images/") {
                let uploaded = service.post("/v1/upload/base64", json!({"image": image})).send().await.ok();
                let url = uploaded["url"].as_str().expect("a URL");
                address = url[url.find("/v1/").expect("a path")..].to_owned();
            } else if path.starts_with("/v1/recipes") && method != "POST" {
                let saved = service
                    .recipe(json!({"name": "Mom's Lasagna", "calories": 620, "protein": 34, "carbs": 48,
                    "fat": 31, "serving_description": "1 slice (350 g)", "aliases": ["the family lasagna"]}));
                let id = saved.await;
                if path != "/v1/recipes" {
                    address = format!("/v1/recipes/{id}");
                }
            }
            let body = example.body.unwrap_or_default().replace("data:image/jpeg;base64,…", &image);
            let reply = service.call(method, &address).body(body).send().await;
            assert!((200..300).contains(&reply.status), "{}: {}", example.route, reply.text());
            let is_same = match reply.header("content-type") {
                Some("application/json") => {
                    let answer = example.response.replace(BASE, "http://food.test");
                    let said =
                        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{}: {error}", example.route));
                    same(&said, &reply.json())
                }
                Some("text/event-stream") => same_events(example.response, &reply.text()),
                Some("image/jpeg") => example.response.contains("JPEG"),
                other => panic!("{}: {other:?}", example.route),
            };
            if !is_same {
                let _ = writeln!(
                    wrong,
                    "{} says\n{}\nand the answer is\n{}\n",
                    example.route,
                    example.response,
                    reply.text()
                );
            }
            // The list is of one recipe, whatever examples come before.
            for recipe in service.get("/v1/recipes").send().await.ok()["recipes"].as_array().expect("a list") {
                let path = format!("/v1/recipes/{}", recipe["id"].as_str().expect("an id"));
                service.call("DELETE", &path).send().await.ok();
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    })
    .await;
}

fn same_events(said: &str, is: &str) -> bool {
    let (said, is): (Vec<&str>, Vec<&str>) = (said.trim().lines().collect(), is.trim().lines().collect());
    let same_line = |(said, is): (&&str, &&str)| match (said.strip_prefix("data: "), is.strip_prefix("data: ")) {
        (Some(said), Some(is)) => {
            let parse = |text| serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            same(&parse(said), &parse(is))
        }
        _ => said == is,
    };
    said.len() == is.len() && said.iter().zip(&is).all(same_line)
}

#[tokio::test]
async fn every_route_is_in_the_guide_and_in_the_reference() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let page = async |path: &str| {
            let reply = service.get(path).no_key().send().await;
            assert_eq!(reply.status, 200, "{path}");
            reply.text()
        };
        let reference = page("/docs/reference").await;
        for route in &ROUTES {
            let scope = route.scope.map_or_else(|| "any key".to_owned(), |scope| format!("`{}`", scope.name()));
            let row = GUIDE.lines().find(|line| line.starts_with(&format!("| `{}` |", route.name)));
            let row = row.unwrap_or_else(|| panic!("{} is not in the guide's table", route.name));
            assert!(row.ends_with(&format!("| {scope} |")), "{row}");
            let id = format!(
                "id=\"{}\"",
                route.name.to_lowercase().replace(['/', ' ', '{', '}'], "-").replace("--", "-").trim_end_matches('-')
            );
            assert!(reference.contains(&id), "{id} is not in the reference");
            assert!(reference.contains(&format!("<code>{}</code>", route.path)), "{}", route.path);
            let own = page(&format!("/docs/reference/{}", id[4..].trim_end_matches('"'))).await;
            assert!(own.contains(&format!("<code>{}</code>", route.path)) && own.contains("data-language=\"Kotlin\""));
            assert!(own.len() < 60_000, "{id} has {} bytes before compression", own.len());
        }
        let guide = page("/docs").await;
        assert!(
            guide.contains(" http://food.test/v1/estimate/sync") && !guide.contains(BASE),
            "samples have our address"
        );
        assert!(page("/docs.md").await.contains("http://food.test/v1/estimate/sync"));
        assert!(page("/llms.txt").await.starts_with("# Morsel\n\n> "));
        for (name, page) in [("guide", guide), ("reference", reference)] {
            assert!(page.len() < 300_000, "the {name} has {} bytes before compression", page.len());
        }
    })
    .await;
}

#[test]
fn every_error_code_is_in_the_guide() {
    let mut codes = BTreeSet::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut codes);
    assert!(codes.len() > 25, "{codes:?}");
    let errors = GUIDE.split_once("## Errors").expect("a section").1;
    for code in &codes {
        assert!(errors.contains(&format!("`{code}`")), "{code} is not in the guide");
    }
    let explained: BTreeSet<String> = ERROR_CODES.iter().map(|error| error.code.to_owned()).collect();
    assert_eq!(explained, codes, "every code has a page, and no other");
    let rows = errors.lines().filter(|line| line.starts_with("| 4") || line.starts_with("| 5"));
    for code in rows.flat_map(|row| row.split('|').nth(2).unwrap_or_default().split(',')) {
        let code = code.trim().trim_matches('`');
        assert!(codes.contains(code), "the guide tells of {code}, which nothing sends");
    }
}

/// The codes that the API's source gives to errors.
fn collect(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        // The pages have errors of their own, and so have signing in and the command line.
        if ["dashboard", "sign_in", "cli"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, codes);
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source");
        for call in ["bad_request(", "forbidden(", "unauthorized(", "too_many(", "Self::new(", "ApiError::new("] {
            for (at, _) in source.match_indices(call) {
                let arguments: String = source[at + call.len()..].chars().take(120).collect();
                let arguments = arguments.split(");").next().unwrap_or_default();
                let Some(code) = arguments.split('"').nth(1) else { continue };
                if code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
                    codes.insert(code.to_owned());
                }
            }
        }
    }
}
