//! `morsel import`, run as a person runs it: what it adds, what it reports, what a failure leaves behind.

mod program;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use program::morsel;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const PRODUCTS: &str = "code\tproduct_name\tbrands\tserving_size\tenergy-kcal_100g\tproteins_100g\tcarbohydrates_100g\tfat_100g\n\
    4006381333931\tZwirbelkeks\tGrunau\t1 biscuit (12,5 g)\t478\t6.1\t66\t20\n\
    4006381333948\tBroken\tGrunau\t\tNaN\t-6\t66\t20\n\
    4006381333955\tWobblenut drink\tGrunau\t200 ml\t45\t1.0\t6\t1.5\n";

/// A data directory into which the products above were imported, and the file that holds them now.
fn imported() -> (tempfile::TempDir, PathBuf) {
    let data = tempfile::tempdir().expect("folder");
    let file = data.path().join("products.csv");
    fs::write(&file, PRODUCTS).expect("writes");
    assert!(morsel(data.path(), &["import", "off", file.to_str().expect("a path")]).status.success());
    let catalog = data.path().join("catalog/imported.morsel");
    (data, catalog)
}

#[test]
fn imported_products_are_found_and_stay_after_a_second_import() {
    let data = tempfile::tempdir().expect("folder");
    let file = data.path().join("products.csv");
    fs::write(&file, PRODUCTS).expect("writes");
    let output = morsel(data.path(), &["import", "off", file.to_str().expect("a path")]);
    let error = text(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert!(output.stdout.is_empty(), "data on stdout, everything else on stderr");
    assert!(error.contains("2 foods read") && error.contains("not a number"), "{error}");

    let found = text(&morsel(data.path(), &["foods", "grunau zwirbelkeks", "--json"]).stdout);
    assert!(found.contains("gtin_04006381333931") && found.contains("\"calories\": 60.0"), "{found}");

    let more = data.path().join("more.csv");
    fs::write(&more, PRODUCTS.replace("Wobblenut", "Wabblenut").replace("478", "480")).expect("writes");
    assert!(morsel(data.path(), &["import", "off", more.to_str().expect("a path")]).status.success());
    assert!(text(&morsel(data.path(), &["foods", "wabblenut", "--json"]).stdout).contains("Wabblenut drink"));
    let info = text(&morsel(data.path(), &["catalog", "info"]).stdout);
    assert!(info.contains("products.csv") && info.contains("more.csv") && info.contains("imported"), "{info}");
}

#[test]
fn a_failed_import_says_why_and_leaves_the_catalog_alone() {
    let (data, catalog) = imported();
    let before = fs::read(&catalog).expect("reads");

    let zip = data.path().join("cut.zip");
    fs::write(&zip, b"PK\x03\x04 and then nothing").expect("writes");
    let wrong = data.path().join("wrong.csv");
    fs::write(&wrong, "a,b,c\n1,2,3\n").expect("writes");
    let empty = data.path().join("empty.csv");
    fs::write(&empty, "").expect("writes");
    let missing = data.path().join("missing.zip");
    for (kind, path) in [("fdc", &zip), ("fdc", &wrong), ("off", &wrong), ("off", &empty), ("fdc", &missing)] {
        let path = path.to_str().expect("a path");
        let output = morsel(data.path(), &["import", kind, path]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{path}: {error}");
        assert!(error.contains("morsel:") && !error.contains("panicked"), "{path}: {error}");
        assert!(error.matches("os error").count() <= 1, "the cause is reported once: {error}");
        assert_eq!(fs::read(&catalog).expect("reads"), before, "{path}");
    }
    assert_eq!(morsel(data.path(), &["import", "off"]).status.code(), Some(2), "no path is a usage error");
}

#[test]
fn a_mistyped_path_leaves_no_trace() {
    let data = tempfile::tempdir().expect("folder");
    let output = morsel(&data.path().join("new"), &["import", "fdc", "no-such-file.zip"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot read no-such-file.zip"), "{}", text(&output.stderr));
    assert!(!data.path().join("new").exists());
}

#[test]
fn a_killed_import_leaves_the_old_catalog_and_the_next_one_works() {
    let (data, catalog) = imported();
    let before = fs::read(&catalog).expect("reads");

    let heading = PRODUCTS.lines().next().expect("a heading").to_owned();
    let row = |number: u64| format!("{}\tBar {number}\tAcme\t30 g\t300\t5\t20\t10", 5_000_000_000_000 + number);
    let rows: Vec<String> = std::iter::once(heading).chain((0..150_000).map(row)).collect();
    let large = data.path().join("large.csv");
    fs::write(&large, rows.join("\n")).expect("writes");
    for after in [20, 150, 400] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_morsel"))
            .args(["import", "off", large.to_str().expect("a path")])
            .env("MORSEL_DATA_DIR", data.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(std::time::Duration::from_millis(after));
        let was_running = child.try_wait().expect("asks").is_none();
        child.kill().expect("kills");
        child.wait().expect("ends");
        assert!(was_running, "the import must still be running after {after} ms");
        assert_eq!(fs::read(&catalog).expect("reads"), before, "killed after {after} ms");
    }
    assert!(text(&morsel(data.path(), &["foods", "zwirbelkeks"]).stdout).contains("Zwirbelkeks"));
    let again = data.path().join("products.csv");
    assert!(morsel(data.path(), &["import", "off", again.to_str().expect("a path")]).status.success());
    let left = fs::read_dir(data.path().join("catalog")).expect("lists").flatten().map(|file| file.file_name());
    assert!(left.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "temporary files are removed");
}

#[test]
fn a_damaged_catalog_is_reported_and_left_alone() {
    let (data, catalog) = imported();
    let mut bytes = fs::read(&catalog).expect("reads");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&catalog, &bytes).expect("writes");
    let output = morsel(data.path(), &["foods", "milk"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("imported.morsel is damaged") && error.contains("morsel import"), "{error}");
    assert_eq!(fs::read(&catalog).expect("reads"), bytes);
}

const CANTEEN: &str = "id\tgroup\tkcal\tprotein\tcarbs\tcarbs_kind\tfat\tfiber\tnames\tportions\n\
    1\tSoups\t62\t3.1\t7.5\tavailable\t2\t1.5\ten=Zorblax soup;canteen soup|de=Zorblaxsuppe\ten=1 bowl=300\n\
    2\tSoups\t\t3.1\t7.5\tavailable\t2\t1.5\ten=Zorblax stew\t\n";

#[test]
fn a_table_of_ones_own_is_found_and_estimated() {
    let data = tempfile::tempdir().expect("folder");
    let file = data.path().join("Our Canteen.tsv");
    fs::write(&file, CANTEEN).expect("writes");
    let output = morsel(data.path(), &["import", "table", file.to_str().expect("a path")]);
    let error = text(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert!(error.contains("1 foods read") && error.contains("no calories, protein, carbs or fat"), "{error}");

    let found = text(&morsel(data.path(), &["foods", "zorblax", "--source", "table", "--json"]).stdout);
    assert!(found.contains("our-canteen_1") && found.contains("\"source\": \"table\""), "{found}");
    let meal =
        text(&morsel(data.path(), &["estimate", "a bowl of zorblax soup", "--json", "--include", "source"]).stdout);
    assert!(meal.contains("our-canteen_1") && meal.contains("\"carbs\": 27.0"), "{meal}");

    let second = data.path().join("sr.tsv");
    fs::write(&second, CANTEEN).expect("writes");
    let path = second.to_str().expect("a path");
    let error = text(&morsel(data.path(), &["import", "table", path]).stderr);
    assert!(error.contains("--name"), "{error}");
    assert!(morsel(data.path(), &["import", "table", path, "--name", "second"]).status.success());
    assert!(text(&morsel(data.path(), &["foods", "zorblax", "--json"]).stdout).contains("second_1"));
}
