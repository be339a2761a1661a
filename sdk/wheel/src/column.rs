//! Texts from Python: a list, or a column of a data frame of any library.

use meal::MAX_CHARS;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyString};

/// Reads the texts of a column. Missing values are `None`: Python's None, NaN, and the NA of pandas.
pub fn texts(column: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
    if column.is_instance_of::<PyString>() || column.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err("“texts” must be a list or a column; for one text use morsel.estimate."));
    }
    if column.hasattr("columns")? {
        return Err(PyTypeError::new_err("“texts” must be one column, not a table: frame[\"name\"]."));
    }
    // Arrays of pyarrow iterate over objects of their own.
    let values = if column.hasattr("to_pylist")? { column.call_method0("to_pylist")? } else { column.clone() };
    values.try_iter()?.enumerate().map(|(index, value)| text_of(&value?, index)).collect()
}

/// Returns a text, unless it is too long. What is not Unicode in it is replaced.
pub fn checked(text: &Bound<'_, PyString>, name: impl FnOnce() -> String) -> PyResult<String> {
    let text = text.to_string_lossy().into_owned();
    // A character has one to four bytes.
    if text.len() > MAX_CHARS {
        let characters = text.chars().count();
        if characters > MAX_CHARS {
            let message = format!("“{}” has {characters} characters; the limit is {MAX_CHARS}.", name());
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(text)
}

fn text_of(value: &Bound<'_, PyAny>, index: usize) -> PyResult<Option<String>> {
    if let Ok(text) = value.cast::<PyString>() {
        return checked(text, || format!("texts[{index}]")).map(Some);
    }
    let kind = value.get_type().name()?;
    let is_nan = || value.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
    if value.is_none() || is_nan() || kind == "NAType" {
        return Ok(None);
    }
    Err(PyTypeError::new_err(format!("“texts[{index}]” must be a string or None, not {kind}.")))
}
