//! `X-Engine-Version`: another one whenever an answer can be another one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../../answers/build/engine.rs"]
mod engine;

/// What the crates of the engine have beside their code, and no answer depends on.
const BESIDE: [&str; 9] =
    ["Cargo.toml", "README.md", "benches", "build", "examples", "gold", "proptest-regressions", "tests", "training"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates of the workspace that these are made of, with themselves.
fn with_dependencies(crates: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left: Vec<String> = crates.iter().map(|name| (*name).to_owned()).collect();
    while let Some(name) = left.pop() {
        let manifest = fs::read_to_string(workspace().join("crates").join(&name).join("Cargo.toml")).expect("a crate");
        let manifest: toml::Table = manifest.parse().expect("a manifest");
        for table in ["dependencies", "build-dependencies"] {
            let dependencies = manifest.get(table).and_then(toml::Value::as_table).into_iter().flatten();
            let own = dependencies.map(|(name, _)| name).filter(|name| workspace().join("crates").join(name).is_dir());
            left.extend(own.filter(|name| !found.contains(*name)).cloned());
        }
        found.insert(name);
    }
    found
}

fn files_under(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(workspace().join(folder)).expect("a folder") {
        let path = folder.join(entry.expect("an entry").file_name());
        if workspace().join(&path).is_dir() {
            files_under(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[test]
fn it_covers_every_file_of_the_engine() {
    let covered: BTreeSet<PathBuf> = engine::files(&workspace()).expect("every source exists").into_iter().collect();
    let crates = with_dependencies(&["answers", "foods", "meal", "vision", "embedded"]);
    assert!(crates.len() >= 5, "{crates:?}");
    for name in crates {
        let folder = Path::new("crates").join(&name);
        let mut files = Vec::new();
        files_under(&folder, &mut files);
        for file in files {
            let first = file.strip_prefix(&folder).expect("inside").components().next().expect("a name");
            let is_beside = BESIDE.iter().any(|beside| first.as_os_str() == *beside);
            assert!(
                is_beside || covered.contains(&file),
                "{}: can it change an answer? Name it in crates/answers/build/engine.rs, or above.",
                file.display()
            );
        }
    }
}

#[test]
fn it_changes_with_every_file_and_with_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for source in engine::SOURCES {
        let path = root.join(source);
        let is_file = path.extension().is_some();
        let file = if is_file { path } else { path.join("deeper/file.rs") };
        fs::create_dir_all(file.parent().expect("a parent")).expect("made");
        fs::write(file, source).expect("written");
    }
    let hash = || engine::hash(root).expect("every source exists");
    let first = hash();
    assert_eq!(first.len(), 64);
    fs::write(root.join("README.md"), "no answer depends on this").expect("written");
    fs::create_dir_all(root.join("crates/meal/tests")).expect("made");
    fs::write(root.join("crates/meal/tests/laws.rs"), "nor on this").expect("written");
    assert_eq!(hash(), first);
    for file in engine::files(root).expect("every source exists") {
        let before = fs::read(root.join(&file)).expect("read");
        fs::write(root.join(&file), [before.as_slice(), b" "].concat()).expect("written");
        assert_ne!(hash(), first, "{}", file.display());
        fs::write(root.join(&file), before).expect("written");
        let renamed = root.join(&file).with_file_name("other.rs");
        if root.join(&file).ends_with("deeper/file.rs") {
            fs::rename(root.join(&file), &renamed).expect("renamed");
            assert_ne!(hash(), first, "{} renamed", file.display());
            fs::rename(&renamed, root.join(&file)).expect("renamed back");
        }
    }
    assert_eq!(hash(), first);
}

#[test]
fn the_program_has_the_hash_of_what_it_was_built_from() {
    assert_eq!(answers::snapshot::ENGINE_HASH, engine::hash(&workspace()).expect("every source exists"));
}
