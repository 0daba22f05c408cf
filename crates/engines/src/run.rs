//! The reference run of a program: every node evaluated on known arrays, in an arena of its own.
//!
//! A node can be evaluated alone, on inputs that a framework was observed to compute: its bound is then local,
//! and the first node that disagrees is the one to blame.

mod regions;

use crate::evaluate::{Evaluator, Mode, Reading};
use program::arguments;
use program::ir::{Action, Graph, Invocation, Node, Program, ValueId};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::call::Stop;
use semantics::tensor::Tensor;
use std::fmt;
use std::rc::Rc;

/// Values known so far, by number.
pub type Values = FxHashMap<ValueId, Rc<Array>>;

pub struct Runner<'p> {
    pub program: &'p Program,
    pub mode: Mode,
    pub values: Values,
}

/// Why a node has no value.
#[derive(Clone, Debug)]
pub struct RunError {
    /// The node, and its operator as the file spells it.
    pub node: String,
    pub spelled: String,
    pub why: Why,
}

#[derive(Clone, Debug)]
pub enum Why {
    /// A requirement is broken: the label and the statement.
    Violated { label: String, statement: String },
    /// Not defined here, or not decidable.
    Unknown(String),
    /// Drawn at random.
    Random,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node `{}` ({}): ", self.node, self.spelled)?;
        match &self.why {
            Why::Violated { label, statement } => write!(f, "{label}, but {statement} does not hold"),
            Why::Unknown(reason) => f.write_str(reason),
            Why::Random => f.write_str("its output is random, and no value was given for it"),
        }
    }
}

impl std::error::Error for RunError {}

impl<'p> Runner<'p> {
    pub fn new(program: &'p Program, mode: Mode) -> Runner<'p> {
        Runner { program, mode, values: Values::default() }
    }
    pub fn give(&mut self, value: ValueId, array: Rc<Array>) {
        self.values.insert(value, array);
    }

    /// Runs the whole program from the values given. `after` sees each node's readings before they are stored.
    pub fn run(&mut self, after: &mut dyn FnMut(&Node, &[Option<Reading>])) -> Result<(), RunError> {
        let graph = &self.program.graph;
        self.constants(graph)?;
        for node in &graph.nodes {
            let readings = self.node(node)?;
            after(node, &readings);
            self.store(node, readings);
        }
        Ok(())
    }

    /// Loads the constants of a graph.
    pub fn constants(&mut self, graph: &'p Graph) -> Result<(), RunError> {
        for (value, constant) in &graph.constants {
            if self.values.contains_key(value) {
                continue;
            }
            let name = self.program.name(*value);
            let array = (constant.load)().ok_or_else(|| RunError {
                node: name.to_string(),
                spelled: "initializer".into(),
                why: Why::Unknown("its elements cannot be read".into()),
            })?;
            self.values.insert(*value, Rc::new(array));
        }
        Ok(())
    }

    pub fn store(&mut self, node: &Node, readings: Vec<Option<Reading>>) {
        for (output, reading) in node.outputs.iter().zip(readings) {
            if let (Some(value), Some(reading)) = (output, reading) {
                self.values.insert(*value, Rc::new(reading.array));
            }
        }
    }

    /// Evaluates one node on the values there are.
    pub fn node(&mut self, node: &'p Node) -> Result<Vec<Option<Reading>>, RunError> {
        let error =
            |why| RunError { node: node.place.node.clone(), spelled: node.place.spelled.clone(), why };
        if let Some(fault) = node.faults.first() {
            return Err(error(Why::Violated { label: fault.label.clone(), statement: fault.detail.clone() }));
        }
        match &node.action {
            Action::Call(invocation) => self.call(invocation, node).map_err(error),
            Action::Constant(constant) => match (constant.load)() {
                Some(array) => Ok(vec![Some(exact(array))]),
                None => Err(error(Why::Unknown("its elements cannot be read".into()))),
            },
            Action::Unknown { reason, .. } => Err(error(Why::Unknown(reason.clone()))),
            Action::If { .. } | Action::Loop(_) | Action::Scan(_) => self.region_node(node),
        }
    }

    fn call(&self, invocation: &Invocation, node: &Node) -> Result<Vec<Option<Reading>>, Why> {
        semantics::arena::scope(|| {
            let mut evaluator = Evaluator::new(self.mode);
            let mut missing = None;
            let mut made: FxHashMap<ValueId, Tensor> = FxHashMap::default();
            let mut call = arguments::call(invocation, node.outputs.len(), &mut |value| {
                *made.entry(value).or_insert_with(|| match self.values.get(&value) {
                    Some(array) => known_tensor(array, self.program.name(value), &mut evaluator),
                    None => {
                        missing = Some(self.program.name(value).to_string());
                        Tensor::constant(Array::floats(semantics::dtype::Kind::F32, &[0], Vec::new()))
                    }
                })
            });
            if let Some(name) = missing {
                return Err(Why::Unknown(format!("`{name}` has no value")));
            }
            let outcome = call.run(invocation.define);
            let broken = call.requirements.iter().find(|requirement| {
                requirement.prop.known() == Some(false)
                    && requirement.category != semantics::operator::Category::ImproperValue
            });
            if let Some(requirement) = broken {
                let (label, statement) = (requirement.label.to_string(), requirement.prop.to_string());
                return Err(Why::Violated { label, statement });
            }
            let outputs = outcome.map_err(|stop| match stop {
                Stop::Violated => Why::Unknown("the definition stopped without a reason".into()),
                Stop::Unknown(reason) => Why::Unknown(reason),
            })?;
            let mut readings = Vec::with_capacity(node.outputs.len());
            for (wanted, &tensor) in node.outputs.iter().zip(&outputs) {
                if wanted.is_none() {
                    readings.push(None);
                    continue;
                }
                let reading = evaluator.evaluate(tensor).map_err(|error| match error {
                    crate::evaluate::EvaluateError::Random => Why::Random,
                    error => Why::Unknown(error.to_string()),
                })?;
                readings.push(Some((*reading).clone()));
            }
            Ok(readings)
        })
    }
}

fn exact(array: Array) -> Reading {
    Reading { array, bound: crate::evaluate::Bound::Exact }
}

/// A tensor whose elements are known, both to the definition and to the evaluator.
fn known_tensor(array: &Rc<Array>, name: &str, evaluator: &mut Evaluator) -> Tensor {
    let stored = array.clone();
    let shape = semantics::shape::Shape::new(array.shape.iter().map(|&size| size.into()));
    let content = semantics::tensor::Content::Stored(Rc::new(move || Some((*stored).clone())));
    let tensor = Tensor::new(array.kind, shape, content).named(name);
    evaluator.give(tensor, (**array).clone());
    tensor
}
