//! The Python face of search spaces: thin classes over [`spaces`], which does the work.

mod model;
mod values;
mod verdict;

use pyo3::prelude::*;

/// A space: hyper-parameters, and what each may be.
#[pyclass(frozen, module = "tensorvet", name = "_Space")]
pub struct Space {
    pub inner: spaces::Space,
}

#[pymethods]
impl Space {
    /// Reads a space file: TOML, JSON, or a Python source with a static search space.
    #[staticmethod]
    fn read(path: std::path::PathBuf) -> PyResult<Space> {
        Ok(Space { inner: spaces::Space::read(&path).map_err(values::told)? })
    }
    /// A space as the text of a JSON object.
    #[staticmethod]
    fn parse(json: &str) -> PyResult<Space> {
        Ok(Space { inner: spaces::Space::from_json(json).map_err(values::told)? })
    }
    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.parameters.iter().map(|parameter| parameter.name.clone()).collect()
    }
    /// The values of each hyper-parameter, as JSON.
    fn domains(&self) -> String {
        let values = |parameter: &spaces::Parameter| {
            parameter.values.iter().map(spaces::Choice::json).collect::<serde_json::Value>()
        };
        self.inner.parameters.iter().map(values).collect::<serde_json::Value>().to_string()
    }
    /// The ends of each range of real numbers, by name, as JSON; of such a range the values are only some.
    fn ranges(&self) -> String {
        let ends = |parameter: &spaces::Parameter| {
            parameter.reals.map(|(low, high)| (parameter.name.clone(), serde_json::json!([low, high])))
        };
        let ranges: serde_json::Map<_, _> = self.inner.parameters.iter().filter_map(ends).collect();
        serde_json::Value::Object(ranges).to_string()
    }
    /// How many vectors the plain product of all values has.
    #[getter]
    fn size(&self) -> u128 {
        self.inner.len()
    }
}

#[pymodule]
fn _tensorvet(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Space>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<verdict::Verdict>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
