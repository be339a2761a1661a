//! The rules that every crate is held to. They are explained in docs/ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use conventions::graph::{CrateGraph, ModulePath};

/// Most lines of a function, from its signature to its closing brace.
const MAX_FUNCTION_LINES: usize = 60;

/// Functions that may be longer: crate, function, why.
const LONG_FUNCTIONS: &[(&str, &str, &str)] = &[];

/// Types whose methods are in several files: crate, type, why.
const SPREAD_TYPES: &[(&str, &str, &str)] =
    &[("store", "Store", "a file for each table holds the table's statements and the methods that run them")];

static CRATES: LazyLock<BTreeMap<String, CrateGraph>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let roots = fs::read_dir(folder).expect("the folder of the crates").map(|entry| entry.expect("a crate").path());
    let graphs: BTreeMap<String, CrateGraph> = roots
        .filter(|path| path.join("src/lib.rs").exists())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, CrateGraph::read(&path.join("src/lib.rs")).expect("readable source"))
        })
        .collect();
    assert!(graphs.len() >= 6, "only {} crates were found", graphs.len());
    graphs
});

fn name_of(module: &ModulePath) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("::") }
}

/// Fails with a line for each violation.
fn expect_none(rule: &str, violations: &[String]) {
    assert!(violations.is_empty(), "{rule}:\n  {}\n({} in all)", violations.join("\n  "), violations.len());
}

#[test]
fn no_files_import_each_other_in_a_ring() {
    let rings = |(name, graph): (&String, &CrateGraph)| -> Vec<String> {
        let describe = |ring: &Vec<&ModulePath>| {
            let is_inside = |(from, to): &&(ModulePath, ModulePath)| ring.contains(&from) && ring.contains(&to);
            let edges = graph.imports.iter().filter(is_inside);
            let edges: Vec<String> = edges.map(|(from, to)| format!("{} -> {}", name_of(from), name_of(to))).collect();
            format!("{name}: {} files: {}", ring.len(), edges.join(", "))
        };
        graph.rings().iter().map(describe).collect()
    };
    expect_none("Files import each other in a ring", &CRATES.iter().flat_map(rings).collect::<Vec<_>>());
}

#[test]
fn the_module_list_of_a_crate_is_a_stack() {
    let mut violations = Vec::new();
    for (name, graph) in &*CRATES {
        for (from, to) in graph.upward_imports() {
            violations.push(format!(
                "{name}: {} imports from {}, which lib.rs lists above it",
                name_of(from),
                name_of(to)
            ));
        }
    }
    expect_none("Imports point up the module list of lib.rs", &violations);
}

#[test]
fn a_name_stands_for_one_type_in_a_crate() {
    let mut violations = Vec::new();
    for (name, graph) in &*CRATES {
        let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (module, file) in &graph.files {
            for declared in &file.types {
                places.entry(declared).or_default().push(name_of(module));
            }
        }
        for (declared, modules) in places.into_iter().filter(|(_, modules)| modules.len() > 1) {
            violations.push(format!("{name}: {declared} in {}", modules.join(", ")));
        }
    }
    expect_none("Several public types have one name", &violations);
}

#[test]
fn the_methods_of_a_type_are_in_one_folder() {
    let mut violations = Vec::new();
    for (name, graph) in &*CRATES {
        let mut places: BTreeMap<&str, BTreeSet<&ModulePath>> = BTreeMap::new();
        for (module, file) in &graph.files {
            for implemented in file.implemented.iter().filter(|implemented| !file.private_types.contains(implemented)) {
                places.entry(implemented).or_default().insert(module);
            }
        }
        for (implemented, modules) in places {
            let is_excused = SPREAD_TYPES.iter().any(|excuse| (excuse.0, excuse.1) == (name.as_str(), implemented));
            let folders: BTreeSet<&[String]> = modules.iter().map(|module| folder_of(graph, module)).collect();
            let is_one_folder = modules.len() == 1 || folders.len() == 1 && !folders.contains(&[][..]);
            if !is_excused && !is_one_folder {
                let modules: Vec<String> = modules.into_iter().map(name_of).collect();
                violations.push(format!("{name}: {implemented} in {}", modules.join(", ")));
            }
        }
    }
    expect_none("Inherent methods of one type are in several folders", &violations);
}

/// Returns the module whose folder a file is in: itself for a `mod.rs`.
fn folder_of<'a>(graph: &CrateGraph, module: &'a ModulePath) -> &'a [String] {
    let is_folder = graph.files[module].path.ends_with("mod.rs");
    if is_folder { module } else { module.split_last().map_or(&[][..], |(_, parent)| parent) }
}

#[test]
fn functions_fit_on_a_screen() {
    let mut violations = Vec::new();
    for (name, graph) in &*CRATES {
        for file in graph.files.values() {
            for (function, lines) in file.functions.iter().filter(|(_, lines)| *lines > MAX_FUNCTION_LINES) {
                if !LONG_FUNCTIONS.iter().any(|excuse| (excuse.0, excuse.1) == (name.as_str(), function.as_str())) {
                    violations.push(format!("{}: {function} has {lines} lines", file.path.display()));
                }
            }
        }
    }
    expect_none("Functions are longer than a screen", &violations);
}

/// A crate in a folder of its own, from pairs of file and text.
fn sample(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let root = folder.path().join("lib.rs");
    (folder, root)
}

fn imports_of(files: &[(&str, &str)]) -> Vec<String> {
    let (_folder, root) = sample(files);
    let graph = CrateGraph::read(&root).expect("readable source");
    graph.imports.iter().map(|(from, to)| format!("{} -> {}", name_of(from), name_of(to))).collect()
}

#[test]
fn imports_are_found_in_every_form() {
    let imports = imports_of(&[
        ("lib.rs", "mod a; mod b; mod c; mod d; pub use c::Deep;"),
        ("a.rs", "use crate::b::{self, Thing}; fn f() { println!(\"{}\", crate::d::NUMBER); }"),
        ("b.rs", "pub struct Thing; fn f() -> crate::Deep { todo() }"),
        ("c/mod.rs", "mod inner; pub use inner::Deep;"),
        ("c/inner.rs", "pub struct Deep; fn f() { super::super::d::f() }"),
        ("d.rs", "pub const NUMBER: u8 = 1; pub fn f() {} #[cfg(test)] mod tests { use crate::a; }"),
    ]);
    assert_eq!(imports, ["a -> b", "a -> d", "b -> c::inner", "c::inner -> d"]);
}

#[test]
fn a_ring_is_found_through_a_reexport_and_through_a_parent() {
    let (_folder, root) = sample(&[
        ("lib.rs", "mod high; mod low; pub use high::High;"),
        ("high/mod.rs", "mod child; use child::f; pub struct High;"),
        ("high/child.rs", "use super::High; pub fn f() {}"),
        ("low.rs", "use crate::High;"),
    ]);
    let graph = CrateGraph::read(&root).expect("readable source");
    let rings: Vec<Vec<String>> =
        graph.rings().iter().map(|ring| ring.iter().map(|module| name_of(module)).collect()).collect();
    assert_eq!(rings, [["high", "high::child"]]);
    let upward: Vec<String> = graph.upward_imports().iter().map(|(from, _)| name_of(from)).collect();
    assert_eq!(upward, ["low"]);
}
