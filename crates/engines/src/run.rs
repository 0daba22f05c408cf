//! The reference run of a program: every node evaluated on known arrays, in an arena of its own.
//!
//! Bounds are carried from node to node and soon say little. A node can be evaluated on inputs that a framework
//! was observed to compute: its bound is then local, and the first node that disagrees is the one to blame.

mod collected;
mod regions;
mod slices;
mod uses;
mod values;

pub use values::Values;

use crate::badness::badness;
use crate::evaluate::{Bound, EvaluateError, Evaluator, Libraries, Mode, Reading};
use crate::validity::words;
use program::arguments;
use program::ir::{Action, Constant, Invocation, Node, Program, ValueId};
use program::path::{Entry, Judged};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::call::{Call, Requirement, Stop};
use semantics::dtype::Class;
use semantics::operator::{Category, Framework};
use semantics::tensor::Tensor;
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;

pub struct Runner<'p> {
    pub program: &'p Program,
    pub mode: Mode,
    pub values: Values,
    /// Stored tensors of all graphs, read when a node asks for them.
    constants: FxHashMap<ValueId, &'p Constant>,
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
    /// A requirement is broken: what must hold, what is there instead, how far from valid that is, and whether it is
    /// the only one.
    Violated { category: Category, label: String, instead: String, badness: Option<i64>, alone: bool },
    /// Not defined here, or not decidable.
    Unknown(String),
    /// Drawn at random.
    Random,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node `{}` ({}): {}", self.node, self.spelled, self.why)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Violated { label, instead, .. } => write!(f, "{label}, but {instead}"),
            Why::Unknown(reason) => f.write_str(reason),
            Why::Random => f.write_str("its output is random, and no value was given for it"),
        }
    }
}

impl std::error::Error for RunError {}

/// What a node came to: one reading per output that has a name.
pub type Readings = Vec<Option<Rc<Reading>>>;

pub type Outcome = Result<Readings, RunError>;

impl<'p> Runner<'p> {
    pub fn new(program: &'p Program, mode: Mode) -> Runner<'p> {
        Runner { program, mode, values: Values::default(), constants: uses::constants(&program.graph) }
    }
    /// Supplies a value, which counts as exact.
    pub fn give(&mut self, value: ValueId, array: Array) {
        self.values.insert(value, Rc::new(exact(array)));
    }

    /// Runs the whole program from the values given. `after` sees each node's readings as soon as they are
    /// there; what no later node and no output of the program needs is dropped.
    pub fn run(&mut self, after: &mut dyn FnMut(&Node, &Readings)) -> Result<(), RunError> {
        let last_uses = uses::last_uses(&self.program.graph);
        for (node, finished) in self.program.graph.nodes.iter().zip(last_uses) {
            let readings = self.node(node)?;
            after(node, &readings);
            self.store(node, readings);
            finished.iter().for_each(|value| self.values.remove(*value));
        }
        Ok(())
    }

    /// Evaluates every node on what was `observed`, as far as it was: where a value was not, on our own.
    /// Observed arrays count as exact, so bounds are local. `after` sees what each node came to; a node that
    /// cannot be evaluated ends the run only for those that need its outputs. It stops when `after` says so.
    pub fn run_observed(
        &mut self,
        observed: &mut dyn FnMut(ValueId) -> Option<Array>,
        after: &mut dyn FnMut(&Node, &Outcome) -> ControlFlow<()>,
    ) {
        let graph = &self.program.graph;
        let last_uses = uses::last_uses(graph);
        for &input in &graph.inputs {
            if let Some(array) = observed(input) {
                self.give(input, array);
            }
        }
        for (node, finished) in graph.nodes.iter().zip(last_uses) {
            let outcome = self.node(node);
            if after(node, &outcome).is_break() {
                return;
            }
            if let Ok(readings) = outcome {
                self.store(node, readings);
            }
            for &output in node.outputs.iter().flatten() {
                if let Some(array) = observed(output) {
                    self.give(output, array);
                }
            }
            finished.iter().for_each(|value| self.values.remove(*value));
        }
    }

    /// A value that was given, computed or stored in the file.
    pub fn value(&mut self, value: ValueId) -> Result<Rc<Reading>, Why> {
        if let Some(reading) = self.values.get(value) {
            return Ok(reading.clone());
        }
        let name = self.program.name(value);
        let Some(constant) = self.constants.get(&value) else {
            return Err(Why::Unknown(format!("`{name}` has no value")));
        };
        let array = (constant.load)();
        let array = array.ok_or_else(|| Why::Unknown(format!("the elements of `{name}` cannot be read")))?;
        let reading = Rc::new(exact(array));
        self.values.insert(value, reading.clone());
        Ok(reading)
    }

    fn store(&mut self, node: &Node, readings: Readings) {
        for (output, reading) in node.outputs.iter().zip(readings) {
            if let (Some(value), Some(reading)) = (output, reading) {
                self.values.insert(*value, reading);
            }
        }
    }

    /// Evaluates one node on the values there are.
    pub fn node(&mut self, node: &'p Node) -> Outcome {
        let error =
            |why| RunError { node: node.place.node.clone(), spelled: node.place.spelled.to_string(), why };
        if let Some(fault) = node.faults.first() {
            let (label, instead) = (fault.label.clone(), fault.detail.clone());
            let (category, alone) = (fault.category, node.faults.len() == 1);
            return Err(error(Why::Violated { category, label, instead, badness: None, alone }));
        }
        match &node.action {
            Action::Call(invocation) => self.call(invocation, node).map_err(error),
            Action::Constant(constant) => match (constant.load)() {
                Some(array) => Ok(vec![Some(Rc::new(exact(array)))]),
                None => Err(error(Why::Unknown("its elements cannot be read".into()))),
            },
            Action::Unknown { reason, .. } => Err(error(Why::Unknown(reason.clone()))),
            Action::If(_) | Action::Loop(_) | Action::Scan(_) => self.region_node(node),
        }
    }

    fn call(&mut self, invocation: &Invocation, node: &Node) -> Result<Readings, Why> {
        let (mode, held, program) = (self.mode, self.values.held(), self.program);
        call(invocation, node, mode, held, &mut |value| Ok((self.value(value)?, program.name(value))))
    }
}

/// Evaluates a call on values that `value` gives, with their names, where others hold so many bytes already.
pub(crate) fn call<'n>(
    invocation: &Invocation,
    node: &Node,
    mode: Mode,
    held: usize,
    value: &mut dyn FnMut(ValueId) -> Result<(Rc<Reading>, &'n str), Why>,
) -> Result<Readings, Why> {
    semantics::arena::scope(|| {
        // What ONNX has no name for, ONNX Runtime does not compute.
        let libraries = match invocation.operator.spelled_by(Framework::Onnx).next() {
            Some(_) => Libraries::Any,
            None => Libraries::OfKeras,
        };
        let mut evaluator = Evaluator::new(mode).computed_by(libraries).beside(held);
        let mut missing = None;
        let mut made: FxHashMap<ValueId, Tensor> = FxHashMap::default();
        let mut call = arguments::call(invocation, node.outputs.len(), &mut |id| {
            *made.entry(id).or_insert_with(|| match value(id) {
                Ok((reading, name)) => known_tensor(reading, name, &mut evaluator),
                Err(why) => {
                    missing.get_or_insert(why);
                    Tensor::constant(Array::floats(semantics::dtype::Kind::F32, &[0], Vec::new()))
                }
            })
        });
        if let Some(why) = missing {
            return Err(why);
        }
        let outcome = call.run(invocation.define);
        let mut broken = call
            .requirements
            .iter()
            .filter(|requirement| requirement.prop.known() == Some(false) && requirement.category.binds());
        if let Some(requirement) = broken.next() {
            let alone = broken.all(|other| other.label == requirement.label);
            let entry = Entry::of(&call, &node.place);
            let instead = words::reason(&entry, &Judged::broken(*requirement));
            let Requirement { category, label, prop } = *requirement;
            let badness = badness(category, label, prop);
            return Err(Why::Violated { category, label: label.to_string(), instead, badness, alone });
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
                EvaluateError::Random => Why::Random,
                EvaluateError::NoFormula(_) => {
                    Why::Unknown(no_formula(&call, &outputs).unwrap_or_else(|| error.to_string()))
                }
                error => Why::Unknown(error.to_string()),
            })?;
            readings.push(Some(reading));
        }
        Ok(readings)
    })
}

/// Why a definition leaves elements open: it says so itself, or they are of a type that is only carried.
fn no_formula(call: &Call, outputs: &[Tensor]) -> Option<String> {
    let carried = |tensor: &Tensor| tensor.dtype().known().filter(|kind| kind.class() == Class::Opaque);
    let carried = outputs.iter().chain(call.tensors.iter().flatten()).find_map(carried);
    let of_type = carried.map(|kind| format!("elements of type {kind} are carried but not computed with"));
    call.lost.last().cloned().or(of_type)
}

pub(crate) fn exact(array: Array) -> Reading {
    Reading::new(array, Bound::Exact)
}

/// A tensor whose elements are known, both to the definition and to the evaluator.
pub(crate) fn known_tensor(reading: Rc<Reading>, name: &str, evaluator: &mut Evaluator) -> Tensor {
    let stored = reading.clone();
    let array = &reading.array;
    let shape = semantics::shape::Shape::new(array.shape.iter().map(|&size| size.into()));
    let content = semantics::tensor::Content::Stored(Rc::new(move || Some(stored.array.clone())));
    let tensor = Tensor::new(array.kind, shape, content).named(name);
    evaluator.give_reading(tensor, reading);
    tensor
}
