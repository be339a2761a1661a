//! What programs that speak Open Food Facts' dialect send, and the fields that they read.

use std::collections::HashSet;

use foods::catalog::live::Update;
use foods::{Food, Nutrient, Nutrients, Origin, Serving};
use morsel::api::compat::food_codes;
use morsel::config::Settings;
use serde_json::{Value, json};
use store::{Mode, NewKey, Rng, Scopes};

use crate::harness::{Reply, Service};
use crate::visitor::Visitor;
use test_support::{Database, on_both, on_sqlite};

/// The fields that SparkyFitness asks for.
const SPARKY_FIELDS: &str = "product_name,product_name_en,brands,code,serving_size,serving_quantity,\
    serving_quantity_unit,product_quantity_unit,nutriments,allergens_tags,traces_tags,image_front_url,image_url";

fn products(answer: &Value) -> &Vec<Value> {
    answer["products"].as_array().expect("products")
}

fn codes(answer: &Value) -> Vec<&str> {
    products(answer).iter().map(|product| product["code"].as_str().expect("a code")).collect()
}

/// Imports products with these barcodes, and a food without one.
fn import(service: &Service, database: &Database, gtins: &[u64]) {
    let mut nutrients = Nutrients::default();
    for (nutrient, value) in
        [(Nutrient::Calories, 480.0), (Nutrient::Protein, 6.0), (Nutrient::Carbs, 66.0), (Nutrient::Fat, 20.0)]
    {
        nutrients.set(nutrient, value);
    }
    let mut update = Update::begin(database.folder.path()).expect("an import");
    for gtin in gtins {
        let mut food = Food::new(format!("gtin_{gtin:014}"), Origin::OpenFoodFacts, "Zwirbelkeks", nutrients);
        food.gtin = Some(*gtin);
        food.brand = Some("Grunau".to_owned());
        food.serving = Serving { description: "2 cookies".to_owned(), grams: 28.0 };
        update.add(&food).expect("added");
    }
    update.add(&Food::new("off_zwirbelbrot", Origin::OpenFoodFacts, "Zwirbelbrot", nutrients)).expect("added");
    update.finish(Vec::new()).expect("imported");
    assert!(service.app.engine.refresh().expect("loaded"));
}

#[tokio::test]
async fn a_search_of_sparkyfitness_gets_what_it_reads() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let path = format!(
            "/cgi/search.pl?search_terms=banana&search_simple=1&action=process&json=1&page_size=20&page=1\
             &fields={SPARKY_FIELDS}&lc=en"
        );
        let answer = service.get(&path).send().await.ok();
        for number in ["count", "page", "page_size", "page_count", "skip"] {
            assert!(answer[number].is_u64(), "{number}: {answer}");
        }
        assert_eq!((&answer["page"], &answer["page_size"], &answer["skip"]), (&json!(1), &json!(20), &json!(0)));
        assert_eq!(products(&answer).len(), 20);
        let first = &products(&answer)[0];
        assert_eq!((&first["product_name"], &first["product_name_en"]), (&json!("Banana, raw"), &json!("Banana, raw")));
        assert_eq!(first["brands"], "", "a plain food comes before products of brands");
        assert_eq!((&first["serving_size"], &first["serving_quantity"]), (&json!("1 banana (126 g)"), &json!(126.0)));
        assert_eq!(first["serving_quantity_unit"], "g");
        let wanted: HashSet<&str> = SPARKY_FIELDS.split(',').collect();
        for product in products(&answer) {
            let fields = product.as_object().expect("an object");
            assert!(fields.keys().all(|field| wanted.contains(field.as_str())), "{product}");
            assert!(fields.values().all(|value| !value.is_null()), "{product}");
            for text in ["code", "product_name", "product_name_en", "brands", "serving_size"] {
                assert!(product[text].is_string(), "{text}: {product}");
            }
            let nutriments = product["nutriments"].as_object().expect("nutriments");
            for nutrient in ["energy-kcal", "energy-kj", "energy", "proteins", "carbohydrates", "fat"] {
                for basis in ["100g", "serving"] {
                    assert!(nutriments[&format!("{nutrient}_{basis}")].is_number(), "{nutrient}: {product}");
                }
                assert!(nutriments[&format!("{nutrient}_unit")].is_string(), "{nutrient}: {product}");
            }
        }
        let nutriments = &first["nutriments"];
        let ours = service.get("/v1/foods?q=banana&limit=1").send().await.ok()["foods"][0].clone();
        let kcal = nutriments["energy-kcal_serving"].as_f64().expect("a number");
        assert!((kcal - ours["calories"].as_f64().expect("a number")).abs() < 1.0, "{nutriments} {ours}");
        let potassium = nutriments["potassium_100g"].as_f64().expect("a number");
        assert!((0.2..0.6).contains(&potassium), "in grams: {potassium}");
        assert_eq!(nutriments["potassium_unit"], "mg");
        assert_eq!(service.get(&path).send().await.ok(), answer, "remembered");
    })
    .await;
}

#[tokio::test]
async fn pages_of_a_search_follow_each_other() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let page =
            async |query: &str| service.get(&format!("/cgi/search.pl?search_terms=milk&{query}")).send().await.ok();
        let mut seen = HashSet::new();
        for number in 1..=5 {
            let answer = page(&format!("page={number}&page_size=24")).await;
            assert_eq!(answer["count"], 100, "at most a hundred are found");
            assert_eq!(products(&answer).len(), if number == 5 { 4 } else { 24 });
            assert_eq!(answer["page_count"], products(&answer).len(), "products on this page");
            assert_eq!(answer["skip"], (number - 1) * 24);
            assert!(codes(&answer).into_iter().all(|code| seen.insert(code.to_owned())), "no product twice");
        }
        assert_eq!(codes(&page("page_size=100").await).len(), 100);
        for (query, number, size, shown) in [
            ("page=6", 6, 24, 0),
            ("page=99999999999999999999&page_size=99999999999", 1_000_000, 100, 0),
            ("page=-3&page_size=abc", 1, 24, 24),
            ("page=0&page_size=0", 1, 24, 24),
        ] {
            let answer = page(query).await;
            assert_eq!((&answer["page"], &answer["page_size"]), (&json!(number), &json!(size)), "{query}");
            assert_eq!((products(&answer).len(), &answer["count"]), (shown, &json!(100)), "{query}");
        }
        for nothing in ["", "search_terms=", "search_terms=%20", "search_terms=qqzzxxyy"] {
            let answer = service.get(&format!("/cgi/search.pl?{nothing}")).send().await.ok();
            assert_eq!((&answer["count"], &answer["products"]), (&json!(0), &json!([])), "{nothing}");
        }
    })
    .await;
}

#[tokio::test]
async fn plain_foods_come_before_brands() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for query in ["banana", "apple", "egg", "white+bread", "milk", "rice"] {
            let answer = service.get(&format!("/cgi/search.pl?search_terms={query}&page_size=5")).send().await.ok();
            assert!(products(&answer).iter().all(|product| product["brands"] == ""), "{query}: {answer}");
        }
    })
    .await;
}

#[tokio::test]
async fn every_version_has_its_own_form_of_a_product() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let found = service.get("/cgi/search.pl?search_terms=banana&page_size=1").send().await.ok();
        let product = products(&found)[0].clone();
        let code = product["code"].as_str().expect("a code");
        assert!(code.starts_with('2') && code.len() == 13, "{code}");
        for version in ["v0", "v1", "v2"] {
            for path in [format!("/api/{version}/product/{code}"), format!("/api/{version}/product/{code}.json")] {
                let answer = service.get(&path).send().await.ok();
                assert_eq!(
                    (&answer["status"], &answer["status_verbose"]),
                    (&json!(1), &json!("product found")),
                    "{path}"
                );
                assert_eq!((&answer["code"], &answer["product"]), (&json!(code), &product), "{path}");
            }
        }
        let answer = service.get(&format!("/api/v3/product/{code}?fields=code,product_name")).send().await.ok();
        assert_eq!((&answer["status"], &answer["result"]["id"]), (&json!("success"), &json!("product_found")));
        assert_eq!((&answer["errors"], &answer["warnings"]), (&json!([]), &json!([])));
        assert_eq!(answer["product"], json!({"code": code, "product_name": "Banana, raw"}));
    })
    .await;
}

#[tokio::test]
async fn a_product_that_is_not_there_is_told_in_the_form_of_the_version() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let reply = async |path: &str| service.get(path).send().await;
        for (version, status) in [("v0", 200), ("v1", 404), ("v2", 404)] {
            let none = reply(&format!("/api/{version}/product/4000000000006.json")).await;
            assert_eq!(none.status, status, "{version}");
            let body = json!({"code": "4000000000006", "status": 0, "status_verbose": "product not found"});
            assert_eq!(none.json(), body, "{version}");
            for code in ["abc", "12a", "1234567890123456789012345", "-1", "%00", "%F0%9F%8D%8C"] {
                let invalid = reply(&format!("/api/{version}/product/{code}")).await;
                assert_eq!(invalid.status, 200, "{version} {code}");
                assert_eq!(invalid.json()["status_verbose"], "no code or invalid code", "{version} {code}");
            }
            let zeros = reply(&format!("/api/{version}/product/000000000000000000000000")).await;
            assert_eq!((zeros.status, &zeros.json()["status"]), (status, &json!(0)), "{version}");
        }
        for (code, status, result) in [("4000000000006", 404, "product_not_found"), ("abc", 400, "invalid_code")] {
            let none = reply(&format!("/api/v3/product/{code}")).await;
            assert_eq!(none.status, status);
            let none = none.json();
            assert_eq!((&none["status"], &none["result"]["id"]), (&json!("failure"), &json!(result)));
            assert_eq!(
                (&none["errors"][0]["field"]["id"], &none["errors"][0]["impact"]["id"]),
                (&json!("code"), &json!("failure"))
            );
        }
        // A code of ours with a wrong check digit, and one that no food has.
        for code in ["2000000000001", "2999999999999"] {
            assert_eq!(reply(&format!("/api/v2/product/{code}")).await.status, 404, "{code}");
        }
        for path in ["/api/v9/product/1", "/api/x/product/1", "/api/v2/nothing", "/cgi/nothing.pl"] {
            let reply = reply(path).await;
            assert_eq!((reply.status, &reply.json()["status"]), (404, &json!(0)), "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_barcode_is_found_in_every_spelling() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        // UPC-A, of which UPC-E 04252614 is the short form; EAN-13; EAN-8; GTIN-14.
        import(&service, database, &[42_100_005_264, 4_006_381_333_931, 73_513_537, 10_012_345_678_902]);
        for (spellings, code) in [
            (
                &["042100005264", "0042100005264", "00042100005264", "42100005264", "04252614", "0425261", "425261"][..],
                "0042100005264",
            ),
            (&["4006381333931", "04006381333931"], "4006381333931"),
            (&["73513537", "0000073513537", "00000073513537"], "73513537"),
            (&["10012345678902"], "10012345678902"),
        ] {
            for spelling in spellings {
                let answer = service.get(&format!("/api/v2/product/{spelling}.json")).send().await.ok();
                assert_eq!((&answer["code"], &answer["product"]["code"]), (&json!(code), &json!(code)), "{spelling}");
                assert_eq!(answer["product"]["serving_size"], "2 cookies (28 g)");
                assert_eq!((&answer["product"]["brands"], &answer["product"]["brands_tags"]), (&json!("Grunau"), &json!(["grunau"])));
            }
            let found = service.get(&format!("/cgi/search.pl?search_terms={}", spellings[0])).send().await.ok();
            assert_eq!(codes(&found), [code], "a search for a code");
        }
        let both = service.get("/api/v2/search?code=73513537,4006381333931,4000000000006&fields=code").send().await.ok();
        assert_eq!((&both["count"], codes(&both)), (&json!(2), vec!["73513537", "4006381333931"]));
        let bread = service.get("/cgi/search.pl?search_terms=zwirbelbrot").send().await.ok();
        let code = codes(&bread)[0];
        assert!(code.starts_with('2') && code.len() == 13, "{code}");
        let bread = service.get(&format!("/api/v0/product/{code}.json")).send().await.ok();
        assert_eq!(bread["product"]["product_name"], "Zwirbelbrot");
    })
    .await;
}

/// Over all foods that ship: every one has a barcode and a number of its own, by which it is found again.
#[test]
fn every_food_has_numbers_of_its_own() {
    let layer = foods::catalog::Layer::from_static(embedded::CATALOG).expect("the catalog");
    let catalog = foods::catalog::Catalog::new(layer, None);
    let (mut barcodes, mut ids) = (HashSet::new(), HashSet::new());
    for food in catalog.layers()[0].foods() {
        let barcode = food_codes::barcode_of(&catalog, &food).expect("a barcode");
        let found = food_codes::by_barcode(&catalog, &barcode).expect("the food");
        assert_eq!(found.id, food.id, "{barcode}");
        let is_ours = barcode.len() == 13 && barcode.starts_with('2');
        assert!(is_ours == food.gtin.is_none() && barcodes.insert(barcode), "{}", food.id);
        let id = food_codes::fdc_id_of(&catalog, &food).expect("an id");
        let found = food_codes::by_fdc_id(&catalog, id).expect("the food");
        assert_eq!(found.id, food.id, "{id}");
        assert!(id < 1 << 31 && ids.insert(id), "{}", food.id);
        assert!(food.nutrients.get(Nutrient::Calories).is_some(), "{}", food.id);
    }
    assert!(barcodes.len() > 280_000);
}

#[tokio::test]
async fn names_are_in_the_language_that_the_program_says() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let first =
            async |query: &str| products(&service.get(&format!("/cgi/search.pl?{query}")).send().await.ok())[0].clone();
        let german = first("search_terms=banane&lc=de").await;
        assert_eq!((&german["product_name"], &german["product_name_de"]), (&json!("Banane"), &json!("Banane")));
        assert_eq!((&german["product_name_en"], &german["lang"]), (&json!("Banana, raw"), &json!("de")));
        let english = first("search_terms=banana&lc=de&fields=product_name,product_name_de,product_name_en").await;
        assert_eq!(english["product_name"], "Banane", "the program is set to German, its user types English");
        let spanish = first("search_terms=pl%C3%A1tano").await;
        assert_eq!(spanish["lang"], "es", "in the language of the query if the program says none");
        let english = first("search_terms=banane&lc=en").await;
        assert_eq!(
            (&english["product_name"], &english["product_name_en"]),
            (&json!("Banana, raw"), &json!("Banana, raw"))
        );
        for unknown in ["lc=xx", "lc=%22", "lc=klingon", "lc=", "lang=zz&langs=,,"] {
            let product = first(&format!("search_terms=banana&{unknown}")).await;
            assert_eq!(product["product_name"], "Banana, raw", "{unknown}");
            assert!(product.as_object().expect("an object").keys().all(|key| !key.contains('"')), "{product}");
        }
        let code = german["code"].as_str().expect("a code");
        let product = service.get(&format!("/api/v2/product/{code}?lc=fr&fields=product_name,lang")).send().await.ok();
        assert_eq!(product["product"], json!({"code": code, "product_name": "Banane", "lang": "fr", "lc": "fr"}));
    })
    .await;
}

#[tokio::test]
async fn the_newer_search_has_hits() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let path = "/search?q=greek+yogurt&page=2&page_size=30&fields=code,product_name,brands&langs=en";
        let answer = service.get(path).send().await.ok();
        assert_eq!((&answer["page"], &answer["page_size"]), (&json!(2), &json!(30)));
        assert_eq!((&answer["count"], &answer["page_count"]), (&json!(100), &json!(4)), "pages in all");
        let hits = answer["hits"].as_array().expect("hits");
        assert_eq!(hits.len(), 30);
        assert!(hits.iter().all(|hit| hit["brands"].is_array() && hit["code"].is_string()), "{answer}");
        let body =
            json!({"q": "greek yogurt", "page": 2, "page_size": 30, "fields": ["code", "product_name", "brands"]});
        assert_eq!(service.post("/search", body).send().await.ok(), answer);
        for wrong in ["", "[]", "{"] {
            let reply = service.post("/search", wrong).send().await;
            assert_eq!((reply.status, &reply.json()["status"]), (400, &json!(0)), "{wrong}");
        }
    })
    .await;
}

#[tokio::test]
async fn tags_are_searched_for_like_words() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let path =
            "/api/v2/search?brands_tags=chobani&categories_tags_en=en:greek-yogurts&fields=code,product_name,brands";
        let answer = service.get(path).send().await.ok();
        assert!(products(&answer).iter().any(|product| product["brands"] == "Chobani"), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn a_key_becomes_a_cookie() {
    on_both(async |database| {
        let service = Service::on(database).await;
        let sign_in = async |key: &str| -> Reply {
            let form = format!("user_id=anybody&password={key}&.submit=Sign-in");
            let call = service.post("/cgi/session.pl", form).no_key();
            call.header("content-type", "application/x-www-form-urlencoded").send().await
        };
        let reply = sign_in(&service.key).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let cookie = reply.header("set-cookie").expect("a cookie");
        assert_eq!(cookie, format!("session={}; HttpOnly; Path=/; SameSite=Lax", service.key));
        let session = cookie.split(';').next().expect("a value");
        let search = "/cgi/search.pl?search_terms=egg";
        assert_eq!(service.get(search).no_key().header("cookie", session).send().await.status, 200);
        assert_eq!(
            service.get("/v1/foods?q=egg").no_key().header("cookie", session).send().await.error(401),
            "missing_key"
        );
        for wrong in ["", "nonsense", "svc_live_x"] {
            let reply = sign_in(wrong).await;
            assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{wrong}");
            assert!(reply.text().contains("Incorrect user name or password"), "{}", reply.text());
        }
        for _ in 0..27 {
            sign_in("nonsense").await;
        }
        assert_eq!(sign_in("nonsense").await.status, 429, "guesses are counted as everywhere");
        assert_eq!(sign_in(&service.key).await.status, 200, "a valid key is never refused for it");
        let large = service.post("/cgi/session.pl", "x".repeat(10_000)).no_key().send().await;
        assert_eq!(large.status, 413);
    })
    .await;
}

#[tokio::test]
async fn keys_work_in_paths_and_headers_and_need_the_permission() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let path = format!("/off/{}/cgi/search.pl?search_terms=egg", service.key);
        assert_eq!(service.get(&path).no_key().send().await.status, 200);
        let path = format!("/off/{}/api/v2/product/4000000000006.json", service.key);
        assert_eq!(service.get(&path).no_key().send().await.status, 404);
        assert_eq!(service.get("/cgi/search.pl?search_terms=egg").send().await.status, 200);
        let none = service.get("/cgi/search.pl?search_terms=egg").no_key().send().await;
        assert_eq!((none.status, &none.json()["errors"][0]["message"]["id"]), (401, &json!("missing_key")));
        assert_eq!(service.get("/off/svc_live_x/search?q=egg").no_key().send().await.status, 401);
        let (_, other) = service.key(Mode::Live, &["estimate"]).await;
        for path in ["/cgi/search.pl?search_terms=egg", "/api/v2/product/1", "/api/v2/search", "/search?q=egg"] {
            let refused = service.get(path).key(&other).send().await;
            assert_eq!(
                (refused.status, &refused.json()["errors"][0]["message"]["id"]),
                (403, &json!("insufficient_scope"))
            );
        }
    })
    .await;
}

/// A service that lets some networks read without a key, with an owner.
async fn keyless(database: &Database, networks: &str) -> Service {
    let settings = Settings {
        keyless_from: Some(vec![networks.to_owned()]),
        trusted_proxies: Some(vec!["10.0.0.1".to_owned()]),
        ..Settings::default()
    };
    let service = Service::with(database, settings).await;
    service.app.store.accounts().set_owner(&service.account.id, true).await.expect("written").expect("there");
    service
}

#[tokio::test]
async fn listed_networks_read_without_a_key() {
    on_both(async |database| {
        let service = keyless(database, "192.168.1.0/24").await;
        let keys = async || service.app.store.keys().list(&service.account.id).await.expect("read");
        let search = || service.get("/cgi/search.pl?search_terms=egg").no_key();
        assert_eq!(search().from([192, 168, 2, 1]).send().await.status, 401);
        assert_eq!(keys().await.len(), 1, "no key is made before it is needed");
        let reply = search().from([192, 168, 1, 7]).send().await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_eq!(reply.header("x-ratelimit-remaining"), Some("11999"), "counted for the owner");
        assert_eq!(search().from([192, 168, 1, 8]).send().await.header("x-ratelimit-remaining"), Some("11998"));
        let made = keys().await.into_iter().find(|key| key.label.as_deref() == Some("keyless reads")).expect("a key");
        assert_eq!((keys().await.len(), made.scopes.to_string().as_str()), (2, "foods:read"));
        let page = Visitor::signed_in(&service, &service.account).await.page("/keys").await;
        assert!(page.contains("keyless reads"), "{page}");
        service.app.usage.flush(&service.app.store).await.expect("written");
        let used = service.app.store.keys().by_id(&service.account.id, &made.id).await.expect("read").expect("there");
        assert_eq!(used.last_used_from.as_deref(), Some("192.168.1.8"));
        // Only what this dialect offers, and a wrong key is not made good by the network.
        for path in ["/v1/foods?q=egg", "/fdc/v1/foods/search?query=egg", "/v2/search/instant?query=egg"] {
            assert!(
                matches!(service.get(path).no_key().from([192, 168, 1, 7]).send().await.status, 401 | 403),
                "{path}"
            );
        }
        assert_eq!(
            service.get("/cgi/search.pl?search_terms=egg").key("svc_live_x").from([192, 168, 1, 7]).send().await.status,
            401
        );
        service.app.store.keys().revoke(&service.account.id, &made.id, service.app.now()).await.expect("revoked");
        assert_eq!(search().from([192, 168, 1, 7]).send().await.status, 401, "revoking the key ends it");
        assert_eq!(keys().await.len(), 2, "and no other key is made");
        let scopes = Scopes::from_names(["foods:read"]).expect("a scope");
        let new = NewKey { label: Some("keyless reads".to_owned()), scopes, ..NewKey::live() };
        let now = service.app.now() + jiff::SignedDuration::from_secs(1);
        service.app.store.keys().create(&service.account.id, new, now, &mut Rng::system()).await.expect("a key");
        assert_eq!(
            search().from([192, 168, 1, 7]).send().await.status,
            200,
            "another key of this name allows it again"
        );
    })
    .await;
}

#[tokio::test]
async fn behind_a_proxy_the_address_of_the_client_decides() {
    on_sqlite(async |database| {
        let service = keyless(database, "192.168.1.0/24").await;
        let search = || service.get("/search?q=egg").no_key();
        let forwarded = async |proxy: [u8; 4], client: &str| {
            search().from(proxy).header("x-forwarded-for", client).send().await.status
        };
        assert_eq!(forwarded([10, 0, 0, 1], "192.168.1.7").await, 200);
        assert_eq!(forwarded([10, 0, 0, 1], "203.0.113.5").await, 401);
        assert_eq!(
            forwarded([10, 0, 0, 1], "192.168.1.7, 203.0.113.5").await,
            401,
            "anybody can write what is left of it"
        );
        assert_eq!(forwarded([203, 0, 113, 5], "192.168.1.7").await, 401, "not a proxy that is trusted");
        assert_eq!(forwarded([192, 168, 1, 7], "203.0.113.5").await, 200);
    })
    .await;
}

#[tokio::test]
async fn without_the_setting_nobody_reads_without_a_key() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        service.app.store.accounts().set_owner(&service.account.id, true).await.expect("written").expect("there");
        for from in [[127, 0, 0, 1], [192, 168, 1, 7]] {
            let reply = service.get("/cgi/search.pl?search_terms=egg").no_key().from(from).send().await;
            assert_eq!(reply.status, 401);
        }
    })
    .await;
}

#[tokio::test]
async fn odd_requests_are_answered_in_the_same_form() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let long = "a".repeat(3_000);
        for query in [
            "search_terms=%FF%FE&fields=%00,,,&lc=%F0",
            "search_terms=egg&fields=nothing",
            "search_terms=egg&tagtype_0=countries&tag_contains_0=contains&tag_0=germany&sort_by=unique_scans_n&page=1",
            "search_terms[]=egg&json=false&action=display",
            &format!("search_terms={long}"),
            "search_terms=1234567890123456789012345678901234567890",
            "&&&===",
        ] {
            let reply = service.get(&format!("/cgi/search.pl?{query}")).send().await;
            assert!(reply.ok()["products"].is_array(), "{query}");
        }
        let egg = service.get("/cgi/search.pl?search_terms=egg&fields=nothing&page_size=1").send().await.ok();
        assert_eq!(products(&egg)[0].as_object().map(serde_json::Map::len), Some(1), "the code alone: {egg}");
        for path in ["/cgi/search.pl", "/api/v2/search", "/search"] {
            let refused = service.call("DELETE", path).send().await;
            assert_eq!((refused.status, &refused.json()["status"]), (405, &json!(0)), "{path}");
        }
    })
    .await;
}
