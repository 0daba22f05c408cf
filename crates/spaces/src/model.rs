//! Models under a choice of their hyper-parameters: Python programs and model files.

use crate::choice::Choice;
use crate::graph::GraphModel;
use crate::python::PythonModel;
use crate::space::{Parameter, Space};
use anyhow::Result;
use engines::sweep::{Course, Domain};
use engines::validity::GivenInput;
use python::asked::Assumed;
use semantics::operator::Backend;
use solver::Limits;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is always said of a model.
#[derive(Clone, Default)]
pub struct Settings {
    /// What a Python program is called with.
    pub arguments: Vec<String>,
    /// Tensors that a model, a class or a function is called with.
    pub inputs: Vec<GivenInput>,
    /// Named sizes of them that are fixed or bounded.
    pub sizes: Vec<(String, i64, i64)>,
    /// Arguments of a class or function, as Python spells them.
    pub init: Vec<(String, String)>,
    /// What is taken for known of a program.
    pub assume: Vec<Assumed>,
    /// Versions of libraries that are meant, where it is not the newest one that is known.
    pub versions: Vec<(String, String)>,
    /// Folders with models of in-house libraries, and with installed packages.
    pub stubs: Vec<PathBuf>,
    pub packages: Vec<PathBuf>,
    /// Who computes the layers of a Keras model.
    pub backend: Backend,
    /// What works and is hardly meant is invalid, too.
    pub improper: bool,
}

pub enum Model {
    Python(PythonModel),
    Graph(GraphModel),
}

/// What a hyper-parameter is in one analysis.
#[derive(Clone, Debug)]
pub enum Bound {
    Fixed(Choice),
    /// Anything between these.
    Between(i64, i64),
    /// The model is told nothing of it: it is what the model says itself.
    Absent,
}

/// What a question may cost while courses are read: what stays open is no loss, since every vector is judged by numbers.
pub fn limits() -> Limits {
    Limits { facts: 16, cases: 4, steps: 40, evaluations: 2_000, smt: Duration::ZERO }
}

impl Model {
    /// Opens a Python program (`train.py`), a class or function in one (`model.py::Net`), or a model file.
    pub fn open(spelled: &Path, settings: Settings) -> Result<Model> {
        match PythonModel::named(spelled, &settings) {
            Some(model) => Ok(Model::Python(model)),
            None => GraphModel::open(spelled, settings).map(Model::Graph),
        }
    }
    /// The model with the inputs that a space describes, by the rules that it names.
    pub fn meant_by(mut self, space: &Space) -> Result<Model> {
        if let Some(framework) = &space.framework {
            match &mut self {
                Model::Python(model) => model.rules_of(framework)?,
                Model::Graph(model) => model.rules_of(framework)?,
            }
        }
        self.with_inputs(&space.inputs)
    }
    /// The model with other inputs.
    pub fn with_inputs(mut self, described: &[String]) -> Result<Model> {
        let settings = match &mut self {
            Model::Python(model) => &mut model.settings,
            Model::Graph(model) => &mut model.settings,
        };
        for text in described {
            let given = GivenInput::parse(text).map_err(|why| anyhow::anyhow!("input {why}"))?;
            settings.inputs.retain(|held| held.name != given.name);
            settings.inputs.push(given);
        }
        Ok(self)
    }
    /// What the model says itself of a hyper-parameter; of a program, as far as analyses so far have shown it.
    pub fn default_of(&self, parameter: &Parameter) -> Option<Choice> {
        match self {
            Model::Python(model) => model.default_of(parameter),
            Model::Graph(model) => model.default_of(parameter),
        }
    }
    /// Whether any analysis has met a hyper-parameter.
    pub fn uses(&self, name: &str) -> bool {
        match self {
            Model::Python(model) => model.uses(name),
            Model::Graph(model) => model.uses(name),
        }
    }
    /// Hyper-parameters that the model fails before it comes to them, for every vector.
    pub fn unmet(&self) -> Result<Vec<String>> {
        match self {
            Model::Python(model) => model.unmet(),
            Model::Graph(_) => Ok(Vec::new()),
        }
    }
    /// Whether no symbol can stand for a hyper-parameter though it is a number: the number of axes of an input, a rate, an
    /// element type.
    pub fn is_structural(&self, name: &str) -> bool {
        if matches!(self, Model::Graph(model) if !model.takes_symbols(name)) {
            return true;
        }
        let settings = match self {
            Model::Python(model) => &model.settings,
            Model::Graph(model) => &model.settings,
        };
        let owner = name.strip_suffix(".rank");
        owner.is_some_and(|owner| {
            let is_declared = matches!(self, Model::Graph(model) if model.has_input(owner));
            is_declared || settings.inputs.iter().any(|input| input.name == owner)
        })
    }
    /// The courses of all paths, with each hyper-parameter fixed or open.
    pub fn courses(
        &self,
        parameters: &[Parameter],
        bounds: &[Bound],
        domains: &[Domain],
    ) -> Result<Vec<Course>> {
        match self {
            Model::Python(model) => model.courses(parameters, bounds, domains),
            Model::Graph(model) => model.courses(parameters, bounds, domains),
        }
    }
}
