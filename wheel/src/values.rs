//! Values of Python as values of hyper-parameters.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use spaces::Choice;

/// What went wrong, with all its reasons.
pub fn told(error: anyhow::Error) -> PyErr {
    PyValueError::new_err(format!("{error:#}"))
}

pub fn choice(value: &Bound<'_, PyAny>) -> PyResult<Choice> {
    if value.is_none() {
        return Ok(Choice::Nothing);
    }
    // A truth is an integer to Python, so it is asked for first.
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Choice::Flag(flag.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Choice::Int(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Choice::Float(value.extract()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Choice::Text(text.to_cow()?.into_owned()));
    }
    if let Ok(items) = value.cast::<PyTuple>() {
        return items.iter().map(|item| choice(&item)).collect::<PyResult<_>>().map(Choice::Several);
    }
    if let Ok(items) = value.cast::<PyList>() {
        return items.iter().map(|item| choice(&item)).collect::<PyResult<_>>().map(Choice::Several);
    }
    // Numbers of NumPy and the like say which Python number they are.
    match value.call_method0("item") {
        Ok(plain) if !plain.is(value) => choice(&plain),
        _ => {
            let kind = value.get_type().name()?;
            Err(PyTypeError::new_err(format!("a value of type `{kind}` is no value of a hyper-parameter")))
        }
    }
}

/// The values of a vector, by name.
pub fn vector(params: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Choice)>> {
    params.iter().map(|(name, value)| Ok((name.extract()?, choice(&value)?))).collect()
}
