//! The files of a crate and their imports.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::source::SourceFile;

/// A re-export that leads to itself is given up after this many steps.
const MAX_REEXPORTS: usize = 16;

/// The place of a module in its crate: the names on the way from the root, which has none.
pub type ModulePath = Vec<String>;

/// All files of a crate, by their modules, and which of them import from which.
#[derive(Debug)]
pub struct CrateGraph {
    /// The files.
    pub files: BTreeMap<ModulePath, SourceFile>,
    /// Importing module and imported module. Re-exports are not imports: they only give a name another place.
    pub imports: BTreeSet<(ModulePath, ModulePath)>,
}

impl CrateGraph {
    /// Reads a crate, given its `lib.rs`.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        read_module(root, Vec::new(), &mut files)?;
        let mut graph = Self { files, imports: BTreeSet::new() };
        for (module, file) in &graph.files {
            for reference in &file.references {
                let Some(target) = graph.resolve(module, reference, 0) else { continue };
                if target != *module {
                    graph.imports.insert((module.clone(), target));
                }
            }
        }
        Ok(graph)
    }

    /// Returns the groups of files that import each other in a ring.
    pub fn rings(&self) -> Vec<Vec<&ModulePath>> {
        let reachable: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> =
            self.files.keys().map(|module| (module, self.reachable(module))).collect();
        let mut rings: Vec<Vec<&ModulePath>> = Vec::new();
        for module in self.files.keys() {
            if rings.iter().any(|ring| ring.contains(&module)) || !reachable[module].contains(module) {
                continue;
            }
            rings.push(reachable[module].iter().copied().filter(|other| reachable[other].contains(module)).collect());
        }
        rings
    }

    /// Returns the imports that point up the module list of `lib.rs`.
    pub fn upward_imports(&self) -> Vec<(&ModulePath, &ModulePath)> {
        let floors = self.files.get(&Vec::new()).map(|root| root.modules.as_slice()).unwrap_or_default();
        let floor = |module: &ModulePath| floors.iter().position(|floor| Some(floor) == module.first());
        let points_up = |from: &ModulePath, to: &ModulePath| matches!((floor(from), floor(to)), (Some(from), Some(to)) if to < from);
        self.imports.iter().filter(|(from, to)| points_up(from, to)).map(|(from, to)| (from, to)).collect()
    }

    fn reachable<'a>(&'a self, from: &ModulePath) -> BTreeSet<&'a ModulePath> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for (_, to) in self.imports.iter().filter(|(importing, _)| importing == module) {
                if found.insert(to) {
                    open.push(to);
                }
            }
        }
        found
    }

    /// Returns the module that declares what a path in `module` names, or `None` if that is not in this crate.
    fn resolve(&self, module: &ModulePath, path: &[String], reexports: usize) -> Option<ModulePath> {
        let (mut place, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (module.clone(), &path[1..]),
            "super" => (parent(module)?, &path[1..]),
            first if self.has_child(module, first) => (module.clone(), path),
            _ => return None,
        };
        while let Some((first, after)) = rest.split_first() {
            if first == "super" {
                place = parent(&place)?;
            } else if self.has_child(&place, first) {
                place.push(first.clone());
            } else {
                break;
            }
            rest = after;
        }
        let Some(name) = rest.first() else { return Some(place) };
        let file = self.files.get(&place)?;
        let is_reexported = |shown: &String| shown == name;
        let original = file.reexports.iter().find(|(shown, _)| is_reexported(shown)).map(|(_, original)| original);
        match original {
            Some(original) if reexports < MAX_REEXPORTS => {
                self.resolve(&place, original, reexports + 1).or(Some(place))
            }
            _ => Some(place),
        }
    }

    fn has_child(&self, module: &ModulePath, name: &str) -> bool {
        self.files.get(module).is_some_and(|file| file.modules.iter().any(|child| child == name))
    }
}

fn parent(module: &ModulePath) -> Option<ModulePath> {
    module.split_last().map(|(_, parent)| parent.to_vec())
}

fn read_module(path: &Path, module: ModulePath, files: &mut BTreeMap<ModulePath, SourceFile>) -> io::Result<()> {
    let file = SourceFile::read(path)?;
    let is_folder = module.is_empty() || path.ends_with("mod.rs");
    let folder = if is_folder { path.with_file_name("") } else { path.with_extension("") };
    for child in &file.modules {
        let flat = folder.join(child).with_extension("rs");
        let path = if flat.exists() { flat } else { folder.join(child).join("mod.rs") };
        read_module(&path, [&module[..], std::slice::from_ref(child)].concat(), files)?;
    }
    files.insert(module, file);
    Ok(())
}
