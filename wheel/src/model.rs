//! A model on a space, compiled.

use crate::Space;
use crate::values::{told, vector};
use crate::verdict::{Verdict, state};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use spaces::{Settings, Sweep, Tally};
use std::collections::HashMap;
use std::path::PathBuf;

/// A model on a space: the verdict on every vector, compiled once.
#[pyclass(frozen, module = "tensorvet", name = "_Model")]
pub struct Model {
    sweep: Sweep,
}

/// The states that a column of verdicts counts.
const STATES: [&str; 5] = ["valid", "improper", "invalid", "unknown", "outside"];

/// Vectors side by side: for each hyper-parameter the places of its values, the states, and what is said of each
/// (0: nothing), with the texts that these count.
type Columns<'py> = (Vec<Bound<'py, PyBytes>>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<String>);

#[pymethods]
impl Model {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the arguments of Python's constructor, by name")]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        space: &Space,
        inputs: Vec<String>,
        arguments: Vec<String>,
        init: Vec<(String, String)>,
        sizes: Vec<(String, i64, i64)>,
        packages: Vec<PathBuf>,
        stubs: Vec<PathBuf>,
        improper: bool,
    ) -> PyResult<Model> {
        let settings = Settings { arguments, init, sizes, packages, stubs, improper, ..Settings::default() };
        let space = space.inner.clone();
        // Python's other threads may run in the meantime.
        let compiled = py.detach(move || {
            let model = spaces::Model::open(&path, settings)?.meant_by(&space)?.with_inputs(&inputs)?;
            Sweep::compile(&model, &space)
        });
        Ok(Model { sweep: compiled.map_err(told)? })
    }
    /// The verdict on a vector; what is not named has its first value.
    fn is_valid(&self, params: &Bound<'_, PyDict>) -> PyResult<Verdict> {
        let places = self.sweep.space.vector(&vector(params)?).map_err(told)?;
        Ok(Verdict::of(self.sweep.judge(&places)))
    }
    /// What makes a vector fail, where, and which of its values clash; `None` if nothing does.
    fn why(&self, params: &Bound<'_, PyDict>) -> PyResult<Option<String>> {
        let places = self.sweep.space.vector(&vector(params)?).map_err(told)?;
        let Some(why) = Verdict::of(self.sweep.judge(&places)).why() else { return Ok(None) };
        let clash = self.sweep.clash(&places).unwrap_or_default();
        let value = |&number: &usize| {
            let parameter = &self.sweep.space.parameters[number];
            format!("{}={}", parameter.name, parameter.values[places[number]])
        };
        let clash: Vec<String> = clash.iter().map(value).collect();
        let clash = if clash.is_empty() { String::new() } else { format!(" (clash: {})", clash.join(", ")) };
        Ok(Some(format!("{why}{clash}")))
    }
    /// How many vectors come to which end, and what they break.
    fn census<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let census = py.detach(|| self.sweep.census());
        let counts = PyDict::new(py);
        counts.set_item("total", census.total())?;
        counts.set_item("valid", census.valid)?;
        counts.set_item("invalid", census.invalid())?;
        counts.set_item("unknown", census.unknown)?;
        counts.set_item("improper", census.improper())?;
        counts.set_item("causes", self.tallies(py, &census.invalid)?)?;
        counts.set_item("improper_causes", self.tallies(py, &census.improper)?)?;
        Ok(counts)
    }
    /// How many vectors the plain product of all values has.
    #[getter]
    fn size(&self) -> u128 {
        self.sweep.len()
    }
    /// The numbers of the first vector of a share of all, and of the one behind its last.
    fn shard(&self, number: u64, of: u64) -> PyResult<(u128, u128)> {
        if number >= of {
            return Err(PyIndexError::new_err(format!("there is no share {number} of {of}")));
        }
        let range = self.sweep.shard(number, of);
        Ok((range.start, range.end))
    }
    /// The vectors from one number to another that the space has, in columns.
    fn columns<'py>(&self, py: Python<'py>, start: u128, stop: u128) -> PyResult<Columns<'py>> {
        let (places, states, whys, texts) = py.detach(|| self.judged(start, stop));
        let bytes = |column: &Vec<u8>| PyBytes::new(py, column);
        Ok((places.iter().map(bytes).collect(), bytes(&states), bytes(&whys), texts))
    }
    #[getter]
    fn states(&self) -> Vec<&'static str> {
        STATES.to_vec()
    }
}

impl Model {
    fn judged(&self, start: u128, stop: u128) -> (Vec<Vec<u8>>, Vec<u8>, Vec<u8>, Vec<String>) {
        let mut columns = vec![Vec::new(); self.sweep.space.parameters.len()];
        let (mut states, mut whys) = (Vec::new(), Vec::new());
        let mut texts = vec![String::new()];
        let mut known: HashMap<String, u32> = HashMap::from([(String::new(), 0)]);
        self.sweep.each(start..stop, &mut |places, judged| {
            let said = state(&judged);
            if said == "outside" {
                return true;
            }
            let text = Verdict::of(judged).why().unwrap_or_default();
            let why = *known.entry(text).or_insert_with_key(|text| {
                texts.push(text.clone());
                texts.len() as u32 - 1
            });
            for (column, &place) in columns.iter_mut().zip(places) {
                column.extend((place as u32).to_le_bytes());
            }
            states.push(STATES.iter().position(|state| *state == said).unwrap_or(0) as u8);
            whys.extend(why.to_le_bytes());
            true
        });
        (columns, states, whys, texts)
    }
    fn tallies<'py>(&self, py: Python<'py>, tallies: &[Tally]) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        for Tally { cause, count, example } in tallies {
            let entry = PyDict::new(py);
            entry.set_item("count", *count)?;
            entry.set_item("operator", &cause.operator)?;
            entry.set_item("requirement", &cause.label)?;
            entry.set_item("category", &cause.category)?;
            entry.set_item("place", &cause.place)?;
            entry.set_item("condition", &cause.condition)?;
            let parameters = self.sweep.space.parameters.iter().zip(example);
            let vector: serde_json::Map<String, serde_json::Value> = parameters
                .map(|(parameter, &place)| (parameter.name.clone(), parameter.values[place].json()))
                .collect();
            entry.set_item("example", serde_json::Value::Object(vector).to_string())?;
            all.append(entry)?;
        }
        Ok(all)
    }
}
