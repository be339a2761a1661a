//! `morsel estimate` and `morsel eval`, run as a person or a script runs them, on the embedded catalog.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morsel"));
    // Estimates need no data directory, so a missing one is not an error.
    command.args(arguments).env("MORSEL_DATA_DIR", "no-such-folder");
    command
}

fn morsel(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn answer(arguments: &[&str]) -> Value {
    let output = morsel(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn items(answer: &Value) -> &[Value] {
    answer["items"].as_array().expect("an array")
}

/// Feeds lines to `--jsonl`; returns the answers and the exit code.
fn lines(input: &str, arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let mut child = command(&[&["estimate", "--jsonl"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()).expect("takes everything"));
    let output = child.wait_with_output().expect("ends");
    feeder.join().expect("fed");
    let answers = text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON a line")).collect();
    (answers, output.status.code())
}

const FIELDS: [&str; 7] = ["name", "quantity", "unit", "calories", "protein", "carbs", "fat"];
const MACROS: [&str; 4] = ["calories", "protein", "carbs", "fat"];

#[test]
fn a_person_gets_a_table_with_totals() {
    let output = morsel(&["estimate", "two bananas and 100 g white rice"]);
    assert!(output.status.success());
    let table = text(&output.stdout);
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 5, "{table}");
    assert!(["Food", "Amount", "kcal", "Carbs"].iter().all(|column| rows[0].contains(column)), "{table}");
    assert!(rows[2].starts_with("Banana") && rows[3].contains("100 g"), "{table}");
    assert!(rows[3].contains("measured") && rows[4].starts_with("Total"), "{table}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn json_has_exactly_the_fields_of_the_contract() {
    let answer = answer(&["estimate", "two bananas, 100 g white rice and a cup of milk", "--json"]);
    assert_eq!(keys(&answer), BTreeSet::from(["items", "totals"]));
    assert_eq!(keys(&answer["totals"]), BTreeSet::from(MACROS));
    assert_eq!(items(&answer).len(), 3);
    for item in items(&answer) {
        assert_eq!(keys(item), BTreeSet::from(FIELDS));
        assert_eq!(item["calories"].as_f64().map(f64::fract), Some(0.0), "calories are whole");
    }
    let first = &items(&answer)[0];
    assert!(first["name"].as_str().is_some_and(|name| name.starts_with("Banana")));
    assert_eq!(first["quantity"], 2.0);
    assert!((150.0..300.0).contains(&first["calories"].as_f64().expect("a number")));
}

#[test]
fn totals_are_the_sums_of_the_shown_items() {
    let meal = "two eggs, three slices of whole wheat toast, a third of a cup of oats, 37 g almonds and an apple";
    let answer = answer(&["estimate", meal, "--json"]);
    assert!(items(&answer).len() >= 4);
    for name in MACROS {
        let sum: f64 = items(&answer).iter().map(|item| item[name].as_f64().expect("a number")).sum();
        let total = answer["totals"][name].as_f64().expect("a number");
        assert!((sum - total).abs() < 1e-6, "{name}: {sum} {total}");
        assert!((total * 10.0 - (total * 10.0).round()).abs() < 1e-6, "one decimal at most: {total}");
    }
}

#[test]
fn include_adds_exactly_what_was_asked_for() {
    let meal = "two bananas and 100 g white rice";
    for name in ["source", "grams", "range", "tier", "alternatives", "nutrients"] {
        let answer = answer(&["estimate", meal, "--json", "--include", name]);
        assert_eq!(keys(&answer), BTreeSet::from(["items", "totals"]), "{name}");
        for item in items(&answer) {
            assert_eq!(keys(item), FIELDS.into_iter().chain([name]).collect(), "{name}");
        }
    }
    let with_unresolved = answer(&["estimate", meal, "--json", "--include", "unresolved,recipe"]);
    assert_eq!(keys(&with_unresolved), BTreeSet::from(["items", "totals", "unresolved"]));
    assert!(with_unresolved["unresolved"].is_array());
    assert_eq!(keys(&items(&with_unresolved)[0]), BTreeSet::from(FIELDS));
}

#[test]
fn recipes_of_a_file_come_before_the_catalog() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("recipes.json");
    let recipe = json!({"id": "rcp_1", "name": "Mac and Cheese", "calories": 401.4, "protein": 20.25, "carbs": 35,
        "fat": 18, "serving_description": "1 bowl", "aliases": ["the usual"]});
    fs::write(&path, json!({"recipes": [recipe]}).to_string()).expect("written");
    let path = path.to_str().expect("a path");
    let meal = "two bowls of mac and cheese and a banana";
    let answer = answer(&["estimate", meal, "--json", "--include", "recipe,tier,grams", "--recipes", path]);
    let [dish, banana] = items(&answer) else { panic!("two items: {answer}") };
    assert_eq!(dish["name"], "Mac and Cheese");
    assert_eq!((&dish["quantity"], &dish["unit"]), (&json!(2.0), &json!("bowl")));
    assert_eq!((&dish["calories"], &dish["protein"]), (&json!(803.0), &json!(40.5)));
    assert_eq!(dish["tier"], "recipe");
    assert_eq!(dish["recipe"], json!({"id": "rcp_1", "matched": "mac and cheese", "servings": 2.0}));
    assert!(dish.get("grams").is_none() && banana.get("recipe").is_none());
    let sum = dish["calories"].as_f64().expect("a number") + banana["calories"].as_f64().expect("a number");
    assert_eq!(answer["totals"]["calories"], json!(sum));
    let table = text(&morsel(&["estimate", meal, "--recipes", path]).stdout);
    assert!(table.lines().nth(2).is_some_and(|row| row.starts_with("Mac and Cheese  2 bowls")), "{table}");
    let (answers, code) = lines("\"the usual\"\n", &["--recipes", path]);
    assert_eq!((items(&answers[0])[0]["name"].as_str(), code), (Some("Mac and Cheese"), Some(0)));
    let missing = morsel(&["estimate", meal, "--recipes", "no-such-file.json"]);
    assert!(!missing.status.success() && text(&missing.stderr).contains("no-such-file.json"));
}

#[test]
fn what_is_included_fits_the_item() {
    let answer = answer(&[
        "estimate",
        "100 g white rice",
        "--json",
        "--include",
        "tier, source,grams,range,alternatives,nutrients",
    ]);
    let item = &items(&answer)[0];
    assert_eq!(item["tier"], "measured");
    assert_eq!(item["grams"], json!({"grams": 100.0, "how": "mass"}));
    assert_eq!(keys(&item["source"]), BTreeSet::from(["food_id", "name", "origin", "source"]));
    assert_eq!(item["source"]["source"], "usda");
    assert_eq!(keys(&item["range"]), BTreeSet::from(MACROS));
    for name in MACROS {
        let [low, shown, high] = [&item["range"][name]["low"], &item[name], &item["range"][name]["high"]];
        assert!(low.as_f64() <= shown.as_f64() && shown.as_f64() <= high.as_f64(), "{name}: {low} {shown} {high}");
    }
    let calories = item["nutrients"]["calories"].as_f64().expect("known");
    assert!((calories - item["calories"].as_f64().expect("a number")).abs() <= 0.5);
    assert!(item["nutrients"].as_object().is_some_and(|known| known.len() > 4 && known.values().all(Value::is_number)));
    for other in item["alternatives"].as_array().expect("an array") {
        assert_eq!(keys(other), BTreeSet::from(["calories", "food_id", "name"]));
        assert_ne!(other["food_id"], item["source"]["food_id"]);
    }
}

#[test]
fn misuse_ends_with_exit_code_2_and_help() {
    let output = morsel(&["estimate", "an apple", "--json", "--include", "grams,color"]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("color") && error.contains("source, grams, range, tier, alternatives"), "{error}");
    for arguments in [
        &["estimate"][..],
        &["estimate", "an apple", "--jsonl"],
        &["estimate", "--json", "--jsonl"],
        &["estimate", "--jsno"],
        &["estimate", "an apple", "--jsno"],
        &["estimate", "an apple", "--include", "grams"],
        &["estimate", &"apple ".repeat(2_000)],
    ] {
        let output = morsel(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn text_without_food_is_not_an_error() {
    for nonsense in ["", "   ", "!!! ???", "🙂🙂", "\u{301}\n\t"] {
        let output = morsel(&["estimate", nonsense]);
        assert_eq!(output.status.code(), Some(0), "{nonsense:?}");
        assert!(output.stdout.is_empty() && text(&output.stderr).contains("No food found"), "{nonsense:?}");
        let answer = answer(&["estimate", nonsense, "--json"]);
        assert_eq!(answer, json!({"items": [], "totals": {"calories": 0.0, "protein": 0.0, "carbs": 0.0, "fat": 0.0}}));
    }
    for odd in ["asdkjh qwlekj zzxxq", "-5 bananas", "- 2 eggs\n- toast", "1e999 bananas", "0 apples", "😀 banana 😀"]
    {
        assert_eq!(morsel(&["estimate", odd]).status.code(), Some(0), "{odd:?}");
    }
}

#[test]
fn lines_are_answered_in_order_and_bad_ones_at_their_place() {
    let mut input = String::new();
    for number in 0..2_000 {
        match number % 10 {
            3 => writeln!(input, "{}", json!(format!("{} g white rice", number + 1))),
            5 if number % 50 == 5 => writeln!(input, "{{\"text\": 12}}"),
            7 if number % 100 == 7 => writeln!(input, "no JSON at all"),
            _ => writeln!(input, "{}", json!({"text": format!("{} g white rice", number + 1), "other": null})),
        }
        .expect("text takes text");
    }
    let (answers, code) = lines(&input, &["--include", "grams"]);
    assert_eq!((answers.len(), code), (2_000, Some(1)));
    for (answer, number) in answers.iter().zip(0..) {
        if number % 50 == 5 || number % 100 == 7 {
            assert_eq!(keys(answer), BTreeSet::from(["code", "error"]), "{number}");
            assert_eq!(answer["code"], "invalid_line");
        } else {
            assert_eq!(items(answer)[0]["grams"]["grams"], f64::from(number + 1), "{number}");
        }
    }
}

#[test]
fn lines_and_single_texts_get_the_same_answer() {
    let meal = "two bananas and a cup of milk";
    let (answers, code) = lines(&format!("{}\n{}", json!(meal), json!({"text": meal})), &[]);
    let alone = answer(&["estimate", meal, "--json"]);
    assert_eq!((answers, code), (vec![alone.clone(), alone], Some(0)));
    assert_eq!(lines("", &[]), (Vec::new(), Some(0)));
}

#[test]
fn each_malformed_line_says_what_is_wrong() {
    let long = "x".repeat(8_001);
    let input = format!("{}\n\n[1]\n{{}}\n{}\n\"{}\"\n", json!(long), json!("a banana"), "y".repeat(2 << 20));
    let (answers, code) = lines(&input, &[]);
    let errors: Vec<&str> = answers.iter().map(|answer| answer["error"].as_str().unwrap_or("")).collect();
    assert_eq!((answers.len(), code), (6, Some(1)));
    for (error, part) in
        errors.iter().zip(["8001 characters", "not JSON", "string or an object", "no “text”", "", "bytes"])
    {
        assert!(error.contains(part) && error.is_empty() == part.is_empty(), "{error:?} {part:?}");
    }
    assert_eq!(lines(&format!("{}\n", json!("é".repeat(8_000))), &[]).1, Some(0), "counted in characters");
}

#[test]
fn a_caller_can_wait_for_each_line() {
    let mut child = command(&["estimate", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
    for _ in 0..3 {
        writeln!(stdin, "\"a banana\"").expect("takes a line");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("answers");
        assert!(line.contains("Banana"), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("ends").success());
}

/// Writes meals whose numbers are those of the estimates, moved by what each row says.
fn write_gold(path: &Path) {
    let rows = [
        // set, country, text, carbs off, calories factor, gold items
        ("v1-own", None, "two bananas", 0.0, 1.0, None),
        ("v1-own", None, "100 g white rice", 7.0, 1.1, None),
        ("v1-else", None, "200 g white rice", 10.0, 1.5, Some(json!([{"food": "Nothing like it", "energy": 9.0}]))),
        ("v2", Some("USA"), "300 g white rice", -8.0, 1.0, Some(json!([]))),
        ("v2", Some("KEN"), "400 g white rice", 20.0, 1.0, Some(json!([{"food": "A"}, {"food": "B"}]))),
        ("v2", Some("LKA"), "50 g white rice", 9.0, 1.0, Some(json!([{"food": "WATER", "energy": 0}, {"name": "@"}]))),
    ];
    let mut out = String::new();
    for (set, country, meal, off, factor, gold_items) in rows {
        let estimate = answer(&["estimate", meal, "--json", "--include", "source"]);
        let total = |name: &str| estimate["totals"][name].as_f64().expect("a number");
        let mut row = json!({
            "set": set, "text": meal, "carbs": total("carbs") + off, "calories": total("calories") * factor,
            "protein": total("protein") + 1.0, "fat": total("fat") + 2.0,
        });
        if let Some(country) = country {
            row["country"] = country.into();
        }
        if let Some(gold_items) = gold_items {
            let name = items(&estimate)[0]["source"]["name"].as_str().expect("a name").to_uppercase();
            row["items"] = serde_json::from_str(&gold_items.to_string().replace('@', &name)).expect("JSON");
        }
        writeln!(out, "{row}").expect("text takes text");
    }
    fs::write(path, out + "\n").expect("writes");
}

#[test]
fn eval_scores_meals_correctly() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("gold.jsonl");
    write_gold(&file);
    let report = answer(&["eval", file.to_str().expect("a path"), "--json"]);
    assert_eq!(report["meals"], 6);
    let sets = report["sets"].as_array().expect("an array");
    let names: Vec<&str> = sets.iter().map(|set| set["set"].as_str().expect("a name")).collect();
    assert_eq!(names, ["v1-own", "v1-else", "v2", "v1 (all)", "v2 USA", "v2 other countries"]);
    let near = |value: &Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-6;
    for (name, meals, accuracy, carbs, calories_near) in [
        ("v1-own", 2, 1.0, 3.5, 1.0),
        ("v1-else", 1, 0.0, 10.0, 0.0),
        ("v2", 3, 0.0, 37.0 / 3.0, 1.0),
        ("v1 (all)", 3, 2.0 / 3.0, 17.0 / 3.0, 2.0 / 3.0),
        ("v2 USA", 1, 0.0, 8.0, 1.0),
        ("v2 other countries", 2, 0.0, 14.5, 1.0),
    ] {
        let set = sets.iter().find(|set| set["set"] == name).expect("is there");
        assert_eq!(set["meals"], meals, "{name}");
        assert!(near(&set["accuracy"], accuracy) && near(&set["mean_error"]["carbs"], carbs), "{set}");
        assert!(near(&set["mean_error"]["protein"], 1.0) && near(&set["mean_error"]["fat"], 2.0), "{set}");
        assert!(near(&set["calories_within_20_percent"], calories_near), "{set}");
    }
    assert!(near(&sets[0]["calories_in_range"], 0.5) || near(&sets[0]["calories_in_range"], 1.0), "{}", sets[0]);
    assert_eq!(sets[1]["errors"]["food"], 1);
    let v2 = &sets[2]["errors"];
    assert_eq!(
        (&v2["too_many_items"], &v2["too_few_items"], &v2["portion"]),
        (&json!(1), &json!(1), &json!(1)),
        "{v2}"
    );
    assert!(report["speed"]["median_us"].as_f64() <= report["speed"]["p99_us"].as_f64());
    assert!(report["speed"]["meals_per_second"].as_f64() > Some(0.0));
}

#[test]
fn eval_prints_tables_and_writes_a_self_contained_page() {
    let folder = tempfile::tempdir().expect("folder");
    let (file, page) = (folder.path().join("gold.jsonl"), folder.path().join("page.html"));
    write_gold(&file);
    let output = morsel(&["eval", file.to_str().expect("a path"), "--html", page.to_str().expect("a path")]);
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(printed.contains("Acc@7.5") && printed.contains("v1 (all)") && printed.contains("66.7 %"), "{printed}");
    assert!(printed.contains("Too few items") && printed.contains("meals/s on one core"), "{printed}");
    let html = fs::read_to_string(&page).expect("is written");
    assert_eq!(html.matches("<svg").count(), 4);
    assert!(html.contains("prefers-color-scheme: dark") && html.contains("v2 other countries"));
    for outside in ["http://", "https://", "src=", "@import", "<script", "<link", "NaN"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn errors_in_a_gold_file_name_the_line() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("gold.jsonl");
    let good = r#"{"set": "own", "text": "a banana", "calories": 100, "protein": 1, "carbs": 25, "fat": 0}"#;
    for (content, part) in [
        (format!("{good}\n\n{}\n", good.replace("\"carbs\": 25, ", "")), "line 3, column 75: missing field `carbs`"),
        (format!("{good}\nnot JSON\n"), "line 2"),
        (format!("{}\n", good.replace("25", "\"many\"")), "line 1"),
        ("\n\n".to_owned(), "no meals"),
    ] {
        fs::write(&file, content).expect("writes");
        let output = morsel(&["eval", file.to_str().expect("a path")]);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty() && text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
    assert_eq!(morsel(&["eval", "no-such-file.jsonl"]).status.code(), Some(1));
}

#[test]
fn photos_are_compared_with_the_food_that_their_folder_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path").to_owned();
    let empty = morsel(&["eval", "--photos", &path]);
    assert!(!empty.status.success() && text(&empty.stderr).contains("has no subfolders"), "{}", text(&empty.stderr));
    let pies = folder.path().join("apple_pie");
    fs::create_dir(&pies).expect("made");
    image::RgbImage::from_pixel(300, 200, image::Rgb([120, 120, 120])).save(pies.join("grey.png")).expect("written");
    fs::write(pies.join("notes.txt"), "not a photo").expect("written");
    let output = morsel(&["eval", "--photos", &path, "--json"]);
    assert!(
        text(&output.stderr).contains("skipped") && text(&output.stderr).contains("notes.txt"),
        "{}",
        text(&output.stderr)
    );
    let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let row = &rows[0];
    assert_eq!(
        (&row["food"], &row["photos"], &row["nothing_found"]),
        (&json!("apple pie"), &json!(1), &json!(1)),
        "{rows}"
    );
    assert!(row["calories"].as_f64().is_some_and(|calories| calories > 200.0), "a usual portion: {rows}");
    assert_eq!(row["median_error"], 1.0, "nothing found counts as an error of 100 %");
    assert_eq!(rows[1]["food"], "all");
}
