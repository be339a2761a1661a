//! The Python module `morsel`: estimates of meals and search of foods, inside the Python process.
//!
//! Answers are made by the same code as those of the program (crate `answers`) and travel to Python as JSON, so that both are
//! equal to the last digit. The engine never changes once it is prepared, and threads estimate without holding Python's lock.

mod column;
mod parallel;

use std::borrow::Cow;
use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::thread;

use answers::food::{DEFAULT_LIMIT, MAX_FOODS, MAX_QUERY, MIN_QUERY};
use answers::include::Extra;
use answers::{EngineSnapshot, EstimateAnswer, FoodDetail, Include, language};
use foods::catalog::Catalog;
use foods::{Food, Source};
use meal::{MAX_CHARS, Macros, RecipeBook, Speaker};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::Serialize;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The foods, opened when the module is imported.
static CATALOG: LazyLock<Arc<Catalog>> =
    LazyLock::new(|| Arc::new(Catalog::from_static(embedded::CATALOG).expect("the build wrote the catalog")));

/// The engine, prepared when it is first needed.
static SNAPSHOT: LazyLock<EngineSnapshot> = LazyLock::new(|| EngineSnapshot::new(Arc::clone(&CATALOG)));

/// How many texts each thread estimates before the results become Python objects and an interrupt is noticed.
const TEXTS_OF_THREAD: usize = 4_096;

#[pymodule]
mod morsel {
    use super::{Bound, CATALOG, MAX_CHARS, PyModule, PyModuleMethods, PyResult};

    #[pymodule_export]
    use super::{barcode, estimate, estimate_columns, estimate_many, food, search};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__doc__", "Meals in words become foods with calories, protein, carbs and fat.")?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("engine_version", answers::snapshot::engine_version(&CATALOG))?;
        module.add("MAX_CHARS", MAX_CHARS)
    }
}

/// Estimates one meal; returns the body of POST /v1/estimate/sync as a dict.
///
/// language: the code of the language of the text; detected by default.
/// include: extras by name, as a list or comma-separated: source, grams, range, tier, alternatives, nutrients, unresolved,
/// language.
#[pyfunction]
#[pyo3(signature = (text, language=None, include=None))]
fn estimate<'py>(
    text: &Bound<'py, PyString>,
    language: Option<Cow<'_, str>>,
    include: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let estimator = Estimator::new(py, language.as_deref(), include)?;
    let text = column::checked(text, || "text".to_owned())?;
    let answer = py.detach(|| estimator.json(&text));
    Loader::new(py)?.load(&answer)
}

/// Estimates many meals on all cores; returns a list of dicts in the same order, with None for None and NaN.
///
/// texts: a list, or a column of a data frame: anything that can be iterated over.
/// threads: how many threads; by default as many as there are cores.
#[pyfunction]
#[pyo3(signature = (texts, language=None, include=None, threads=None))]
fn estimate_many<'py>(
    texts: &Bound<'py, PyAny>,
    language: Option<Cow<'_, str>>,
    include: Option<&Bound<'py, PyAny>>,
    threads: Option<i64>,
) -> PyResult<Bound<'py, PyList>> {
    let py = texts.py();
    let estimator = Estimator::new(py, language.as_deref(), include)?;
    let (texts, threads) = (column::texts(texts)?, thread_count(threads)?);
    let (loader, list) = (Loader::new(py)?, PyList::empty(py));
    for texts in texts.chunks(TEXTS_OF_THREAD * threads) {
        for answer in py.detach(|| parallel::map(texts, threads, |text| estimator.json(text))) {
            list.append(answer.map(|answer| loader.load(&answer)).transpose()?)?;
        }
        py.check_signals()?;
    }
    Ok(list)
}

/// Estimates many meals on all cores; returns the totals as columns, for a data frame: a dict of lists.
///
/// The columns are calories, protein, carbs and fat, items (how many foods were found), and unresolved (words that look like
/// food but were not found, as a list). All are None where the text is None or NaN.
#[pyfunction]
#[pyo3(signature = (texts, language=None, threads=None))]
fn estimate_columns<'py>(
    texts: &Bound<'py, PyAny>,
    language: Option<Cow<'_, str>>,
    threads: Option<i64>,
) -> PyResult<Bound<'py, PyDict>> {
    let py = texts.py();
    let speaker = speaker(py, language.as_deref())?;
    let estimator = Estimator { speaker, include: Include::of([Extra::Unresolved]) };
    let (texts, threads) = (column::texts(texts)?, thread_count(threads)?);
    let names = ["calories", "protein", "carbs", "fat", "items", "unresolved"];
    let columns = names.map(|_| PyList::empty(py));
    for texts in texts.chunks(TEXTS_OF_THREAD * threads) {
        for answer in py.detach(|| parallel::map(texts, threads, |text| estimator.answer(text))) {
            let Some(EstimateAnswer { items, totals, unresolved, .. }) = answer else {
                columns.iter().try_for_each(|column| column.append(py.None()))?;
                continue;
            };
            let Macros { calories, protein, carbs, fat } = totals;
            for (column, value) in columns.iter().zip([calories, protein, carbs, fat]) {
                column.append(value)?;
            }
            columns[4].append(items.len())?;
            columns[5].append(unresolved.unwrap_or_default())?;
        }
        py.check_signals()?;
    }
    let frame = PyDict::new(py);
    names.iter().zip(columns).try_for_each(|(name, column)| frame.set_item(name, column))?;
    Ok(frame)
}

/// Searches foods by name; returns the foods of GET /v1/foods as a list of dicts, the most likely first.
///
/// limit: at most so many, 1 to 100.
/// language: the code of the language of the query; detected by default.
/// source: only foods of this source: usda, branded, dish, or the short name of another food table.
#[pyfunction]
#[pyo3(signature = (text, limit=DEFAULT_LIMIT as i64, language=None, source=None))]
fn search<'py>(
    text: &Bound<'py, PyString>,
    limit: i64,
    language: Option<Cow<'_, str>>,
    source: Option<Cow<'_, str>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let query = text.to_string_lossy();
    let query = query.trim();
    if !(MIN_QUERY..=MAX_QUERY).contains(&query.chars().count()) {
        return Err(invalid(format!("“text” must have {MIN_QUERY} to {MAX_QUERY} characters.")));
    }
    let limit = usize::try_from(limit).unwrap_or(0).min(MAX_FOODS);
    if limit == 0 {
        return Err(invalid("“limit” must be at least 1."));
    }
    let known = || Source::all().map(Source::name).collect::<Vec<_>>().join(", ");
    let source = source.map(|name| name.parse().map_err(|_| invalid(format!("“source” must be one of {}.", known()))));
    let (source, speaker) = (source.transpose()?, speaker(py, language.as_deref())?);
    let rows = py.detach(|| SNAPSHOT.search(query, &speaker, limit, source).rows());
    Loader::new(py)?.load(&json(&rows))
}

/// Returns the food with an id as in GET /v1/foods/{id}, with all its portions and nutrients, or None.
#[pyfunction]
#[pyo3(signature = (id, /))]
fn food(py: Python<'_>, id: Cow<'_, str>) -> PyResult<Option<Py<PyAny>>> {
    detail(py, CATALOG.by_id(&id))
}

/// Returns the product with a barcode (EAN-8, UPC-A, EAN-13 or GTIN-14, as a string of digits), or None.
#[pyfunction]
#[pyo3(signature = (gtin, /))]
fn barcode(py: Python<'_>, gtin: Cow<'_, str>) -> PyResult<Option<Py<PyAny>>> {
    if !(6..=14).contains(&gtin.len()) || !gtin.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid("“gtin” must be 6 to 14 digits."));
    }
    detail(py, gtin.parse().ok().and_then(|gtin| CATALOG.by_gtin(gtin)))
}

/// How texts are estimated.
struct Estimator {
    speaker: Speaker,
    include: Include,
}

impl Estimator {
    fn new(py: Python<'_>, language: Option<&str>, include: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let include = include.map(included).transpose()?.unwrap_or_default();
        Ok(Self { speaker: speaker(py, language)?, include })
    }

    fn answer(&self, text: &str) -> EstimateAnswer {
        let (messages, recipes) = ([text.into()], RecipeBook::default());
        EstimateAnswer::of_messages(&SNAPSHOT.engine, &messages, &recipes, &self.speaker, self.include)
    }

    fn json(&self, text: &str) -> String {
        json(&self.answer(text))
    }
}

/// Turns JSON into Python objects.
struct Loader<'py>(Bound<'py, PyAny>);

impl<'py> Loader<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self(py.import("json")?.getattr("loads")?))
    }

    fn load(&self, json: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.call1((json,))
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("all keys are strings")
}

fn detail(py: Python<'_>, food: Option<Food>) -> PyResult<Option<Py<PyAny>>> {
    let load = |food| Ok(Loader::new(py)?.load(&json(&FoodDetail::from(&food)))?.unbind());
    food.map(load).transpose()
}

/// Returns a person of whose language something may be known. Prepares the engine, which knows the languages.
fn speaker(py: Python<'_>, tag: Option<&str>) -> PyResult<Speaker> {
    let translator = py.detach(|| SNAPSHOT.engine.translator());
    let code = tag.map(|tag| language::code_of(tag, translator)).transpose();
    Ok(Speaker { language: code.map_err(|unknown| invalid(unknown.to_string()))?, understands: Vec::new() })
}

/// Reads the names of extras: a string with commas, or any number of strings.
fn included(names: &Bound<'_, PyAny>) -> PyResult<Include> {
    let list = match names.cast::<PyString>() {
        Ok(list) => list.to_string_lossy().into_owned(),
        Err(_) => names.try_iter()?.map(|name| name?.extract::<String>()).collect::<PyResult<Vec<_>>>()?.join(","),
    };
    list.parse().map_err(|unknown| invalid(format!("“include” has an {unknown}.")))
}

fn thread_count(threads: Option<i64>) -> PyResult<usize> {
    match threads {
        None => Ok(thread::available_parallelism().map_or(1, NonZero::get)),
        Some(threads @ 1..) => Ok(usize::try_from(threads).unwrap_or(usize::MAX).min(parallel::MAX_THREADS)),
        Some(_) => Err(invalid("“threads” must be at least 1.")),
    }
}

fn invalid(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
