//! The files that answers depend on, and one hash over all of them.
//!
//! The build script and the test that checks the list share this file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

/// Files and folders of the workspace whose contents can change an answer: the code of the engine with its word lists
/// and tuned numbers, the networks, the foods, and what turns the engine's results into a response.
pub const SOURCES: &[&str] = &[
    "crates/answers/src",
    "crates/embedded/build.rs",
    "crates/embedded/src",
    "crates/foods/src",
    "crates/meal/build.rs",
    "crates/meal/lexicon",
    "crates/meal/src",
    "crates/morsel/src/api/estimate",
    "crates/morsel/src/photo_reader",
    "crates/nutrition/src",
    "crates/vision/models",
    "crates/vision/src",
    "data/dishes.txt",
    "data/foods.pack",
    "data/manifest.json",
    "data/tables.json",
    "data/tables.pack",
];

/// Returns every file of the sources, by its path in the workspace, in a fixed order.
pub fn files(workspace: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(workspace, Path::new(source), &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn collect(workspace: &Path, path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let explain = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if !fs::metadata(workspace.join(path)).map_err(explain)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(workspace.join(path)).map_err(explain)? {
        collect(workspace, &path.join(entry?.file_name()), files)?;
    }
    Ok(())
}

/// Hashes the names and contents of the sources.
pub fn hash(workspace: &Path) -> io::Result<String> {
    let mut all = Sha256::new();
    for file in files(workspace)? {
        let name = file.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        // Hashes of fixed length, so that no two lists of files look the same.
        all.update(Sha256::digest(name.as_bytes()));
        all.update(Sha256::digest(fs::read(workspace.join(&file))?));
    }
    let mut text = String::new();
    for byte in all.finalize() {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
