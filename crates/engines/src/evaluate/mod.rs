//! Reading formulas as numbers: the reference evaluation.
//!
//! Values are computed in `f64` (integers and bools exactly). In [`Mode::Bounded`] every element comes with a
//! bound on what computing in its element type may change; bounds are local, so a comparison evaluates each
//! node on the observed inputs of that node.
//!
//! A formula is compiled to a program over lanes ([`compile`], [`run`]); what that leaves in doubt, the
//! careful reader ([`walk`]) decides one element at a time. Both get the scalar functions from one place:
//! [`near`] for floats with errors, `semantics::number` and `semantics::integer` for the rest.

mod accuracy;
mod bilinear;
mod bounded;
mod coalesce;
mod compare;
mod compile;
mod compile_index;
mod complex;
mod error;
mod exact;
mod frames;
pub mod interval;
mod lanes;
#[cfg(test)]
mod laws;
mod near;
pub mod number;
mod offset;
mod opaque;
pub mod plain;
mod program;
mod propagate;
mod reading;
mod run;
mod run_cases;
mod run_complex;
mod run_fold;
mod run_index;
mod run_load;
mod run_number;
mod sums;
mod walk;

pub use compare::{Comparison, Worst, compare};
pub use error::EvaluateError;
pub use reading::{Bound, Reading};

use bounded::Estimate;
use compile::{Stop, Surroundings, compile};
use lanes::Lanes;
use number::Number;
use plain::Scalar;
use program::Program;
use reading::{Draft, Source};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dim::{AtomId, Dim, SymbolId};
use semantics::dtype::Kind;
use semantics::shape::{PieceView, Slot};
use semantics::tensor::{Content, Formula, Opaque, Tensor};
use std::rc::Rc;
use walk::{Halt, Tensors, Walker};

/// Tensors with more elements than this are not evaluated.
pub const MOST_ELEMENTS: usize = 1 << 28;

/// Scalar operations that are spent on one tensor at most: some minutes.
const MOST_WORK: f64 = (1u64 << 37) as f64;

/// What to compute besides the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Nothing.
    Plain,
    /// Bounds on what rounding may change, rigorous whatever the order of summation.
    Bounded,
    /// The same, but long sums are bounded by what is likely (see `sums.rs`): a hundred times sharper for
    /// large matrix products and convolutions. This is the mode for comparing with frameworks.
    Likely,
}

/// Evaluates tensors of the current arena, each once.
pub struct Evaluator {
    mode: Mode,
    readings: FxHashMap<Tensor, Rc<Reading>>,
    given: FxHashMap<Tensor, Rc<Reading>>,
    /// Values of symbols that arrays have shown.
    symbols: FxHashMap<AtomId, i64>,
    /// What algorithms computed, by the address of the algorithm, which is kept alive here.
    computed: FxHashMap<*const Opaque, (Rc<Opaque>, Vec<Rc<Reading>>)>,
    lanes: Lanes,
}

/// A tensor that waits for others.
struct Task {
    tensor: Tensor,
    program: Option<Program>,
    /// Whether those above it on the list are there for its sake.
    waits: bool,
}

/// What one attempt at a tensor came to.
enum Attempt {
    Done(Rc<Reading>),
    /// These must be evaluated first; what was compiled is kept.
    Waits(Vec<Tensor>, Option<Program>),
}

impl Evaluator {
    pub fn new(mode: Mode) -> Self {
        Evaluator {
            mode,
            readings: FxHashMap::default(),
            given: FxHashMap::default(),
            symbols: FxHashMap::default(),
            computed: FxHashMap::default(),
            lanes: Lanes::default(),
        }
    }

    /// Supplies the elements of a tensor that only the run will tell, or replaces what is known of another:
    /// whatever depends on it is evaluated on this array, which counts as exact.
    pub fn give(&mut self, tensor: Tensor, array: Array) {
        self.give_reading(tensor, Rc::new(Reading { array, bound: Bound::Exact }));
    }

    /// As [`Self::give`], for what was evaluated before: its bound is carried on, and nothing is copied.
    pub fn give_reading(&mut self, tensor: Tensor, reading: Rc<Reading>) {
        // What does not fit is reported when the tensor is evaluated.
        self.learn(tensor, &reading.array.shape);
        self.given.insert(tensor, reading);
        self.readings.remove(&tensor);
    }

    /// Drops the elements of a tensor, to save memory; they are computed again if asked for.
    pub fn forget(&mut self, tensor: Tensor) {
        self.readings.remove(&tensor);
    }

    /// Supplies the value of a symbol.
    pub fn bind(&mut self, size: Dim, value: i64) {
        if let Some(atom) = size.as_atom() {
            self.symbols.insert(atom, value);
        }
    }

    /// The elements of a tensor, with bounds in [`Mode::Bounded`].
    pub fn evaluate(&mut self, tensor: Tensor) -> Result<Rc<Reading>, EvaluateError> {
        // Tensors wait on a list of their own rather than on the stack: a model is a thousand layers deep.
        let mut open = vec![Task { tensor, program: None, waits: false }];
        while let Some(mut task) = open.pop() {
            if self.readings.contains_key(&task.tensor) {
                continue;
            }
            match self.attempt(task.tensor, task.program.take())? {
                Attempt::Done(reading) => {
                    self.readings.insert(task.tensor, reading);
                }
                Attempt::Waits(needed, program) => {
                    let tensor = task.tensor;
                    let waiting =
                        |needed: &Tensor| open.iter().any(|task| task.waits && task.tensor == *needed);
                    if needed.contains(&tensor) || needed.iter().any(waiting) {
                        return Err(EvaluateError::Undefined(format!("{tensor}, which depends on itself,")));
                    }
                    open.push(Task { tensor, program, waits: true });
                    let task = |tensor| Task { tensor, program: None, waits: false };
                    open.extend(needed.into_iter().map(task));
                }
            }
        }
        self.readings.get(&tensor).cloned().ok_or_else(|| EvaluateError::Unknown(tensor.to_string()))
    }

    fn attempt(&mut self, tensor: Tensor, program: Option<Program>) -> Result<Attempt, EvaluateError> {
        if let Some(reading) = self.given.get(&tensor) {
            let reading = reading.clone();
            return self.fitting(tensor, reading);
        }
        match tensor.content() {
            Content::Given => match (tensor.dtype().known(), self.sizes(tensor)) {
                // Without elements there is nothing to give.
                (Some(kind), Some(sizes)) if sizes.contains(&0) => {
                    self.exactly(tensor, Array::zeros(kind, &sizes))
                }
                _ => Err(EvaluateError::NotGiven(tensor.name().to_string())),
            },
            Content::Stored(load) => match load() {
                Some(array) => self.exactly(tensor, array),
                None => Err(EvaluateError::NotGiven(tensor.name().to_string())),
            },
            Content::Dims(dims) => {
                let kind = kind(tensor)?;
                let values = dims.iter().map(|&dim| self.number(dim).map(|value| Scalar::int(kind, value)));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                let sizes = self.known_sizes(tensor)?;
                let mut draft = Draft::new(kind, values.len());
                values.into_iter().enumerate().for_each(|(at, value)| draft.put_plain(at, value));
                self.exactly(tensor, draft.finish(sizes)?.array)
            }
            Content::Random(_) => Err(EvaluateError::Random),
            Content::Composed(composition, output) => self.composed(tensor, composition.output(output)),
            Content::Opaque(opaque, output) => self.opaque(tensor, &opaque, output),
            Content::Formula { kernel, .. } => {
                if let Some(kernel) = kernel.filter(|kernel| self.worth_its_kernel(tensor, kernel)) {
                    return self.bilinear(tensor, &kernel);
                }
                let formula = tensor
                    .formula()
                    .ok_or_else(|| EvaluateError::Unknown(format!("the rank of {tensor}")))?;
                self.formula(tensor, &formula, program)
            }
        }
    }

    /// The last of the tensors that a composition is made of.
    fn composed(&mut self, tensor: Tensor, last: Tensor) -> Result<Attempt, EvaluateError> {
        let Some(reading) = self.readings.get(&last).cloned() else {
            return Ok(Attempt::Waits(vec![last], None));
        };
        if !self.learn(tensor, &reading.array.shape) {
            let shape = &reading.array.shape;
            return Err(EvaluateError::Mismatch(format!(
                "{tensor} is composed as {}{shape:?}",
                reading.array.kind
            )));
        }
        Ok(Attempt::Done(reading))
    }

    /// An array that stands for a tensor as it is.
    fn exactly(&mut self, tensor: Tensor, array: Array) -> Result<Attempt, EvaluateError> {
        self.fitting(tensor, Rc::new(Reading { array, bound: Bound::Exact }))
    }

    /// A reading that stands for a tensor, if its type and shape are those of the tensor.
    fn fitting(&mut self, tensor: Tensor, reading: Rc<Reading>) -> Result<Attempt, EvaluateError> {
        let array = &reading.array;
        let fits = tensor.dtype().known().is_none_or(|kind| kind == array.kind)
            && array.shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size))
                == Some(array.len());
        if !fits || !self.learn(tensor, &array.shape) {
            let name = tensor.name();
            return Err(EvaluateError::Mismatch(format!(
                "`{name}` is {tensor}, not {}{:?}",
                array.kind, array.shape
            )));
        }
        Ok(Attempt::Done(reading))
    }

    /// Takes note of the symbols that the sizes of an array tell. `false` if it contradicts the shape.
    fn learn(&mut self, tensor: Tensor, sizes: &[usize]) -> bool {
        let shape = tensor.shape();
        let Some(dims) = shape.sizes() else {
            if let [PieceView::Stretch { variable, front: 0, back: 0 }] = shape.pieces()[..] {
                self.bind(variable.rank(), sizes.len() as i64);
                for (k, &size) in sizes.iter().enumerate() {
                    self.bind(variable.size(Slot::Front(k as u32)), size as i64);
                    self.bind(variable.size(Slot::Back((sizes.len() - 1 - k) as u32)), size as i64);
                }
                self.bind(shape.count(), sizes.iter().product::<usize>() as i64);
            }
            return true;
        };
        dims.len() == sizes.len()
            && dims.iter().zip(sizes).all(|(&dim, &size)| match self.number(dim) {
                Ok(known) => known == size as i64,
                Err(_) => {
                    self.bind(dim, size as i64);
                    true
                }
            })
    }

    fn number(&self, dim: Dim) -> Result<i64, EvaluateError> {
        if let Some(number) = dim.known() {
            return Ok(number);
        }
        dim.evaluate(&mut |atom| self.atom(atom)).ok_or_else(|| EvaluateError::Unknown(dim.to_string()))
    }

    fn known_sizes(&self, tensor: Tensor) -> Result<Vec<usize>, EvaluateError> {
        let unknown = || EvaluateError::Unknown(format!("the shape of {tensor}"));
        let sizes = self.sizes(tensor).ok_or_else(unknown)?;
        let count = sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        if count.is_none_or(|count| count > MOST_ELEMENTS) {
            return Err(EvaluateError::TooMuch(format!("{tensor} has too many elements to evaluate")));
        }
        Ok(sizes)
    }

    fn formula(
        &mut self,
        tensor: Tensor,
        formula: &Formula,
        program: Option<Program>,
    ) -> Result<Attempt, EvaluateError> {
        let (kind, sizes) = (kind(tensor)?, self.known_sizes(tensor));
        if let Err(EvaluateError::Unknown(_)) = sizes {
            // Evaluating what it reads may tell the sizes.
            let missing = self.missing(formula);
            if !missing.is_empty() {
                return Ok(Attempt::Waits(missing, None));
            }
        }
        let sizes = sizes?;
        if formula.element.kind() != kind {
            return Err(EvaluateError::Mismatch(format!(
                "a formula of {} for {tensor}",
                formula.element.kind()
            )));
        }
        let program = match program {
            Some(program) => Ok(program),
            None => compile(formula, &sizes, self),
        };
        let program = match program {
            Ok(program) => program,
            Err(Stop::Needs(other)) => return Ok(Attempt::Waits(vec![other], None)),
            Err(Stop::Irregular) => match self.missing(formula) {
                missing if missing.is_empty() => return self.one_by_one(formula, kind, sizes),
                missing => return Ok(Attempt::Waits(missing, None)),
            },
        };
        let missing: Vec<Tensor> = program
            .tensors
            .iter()
            .map(|(tensor, _)| *tensor)
            .filter(|tensor| !self.readings.contains_key(tensor))
            .collect();
        if !missing.is_empty() {
            return Ok(Attempt::Waits(missing, Some(program)));
        }
        let length: usize = sizes.iter().product();
        if program.work(length as f64) > MOST_WORK {
            return Err(EvaluateError::TooMuch(format!("{tensor} takes too long to evaluate")));
        }
        let readings: Vec<Rc<Reading>> =
            program.tensors.iter().map(|(tensor, _)| self.readings[tensor].clone()).collect();
        if program.tensors.iter().zip(&readings).any(|((_, sizes), reading)| *sizes != reading.array.shape) {
            // Compiled before the shapes were known as well as now.
            return Ok(Attempt::Waits(Vec::new(), None));
        }
        let sources: Vec<Source<'_>> =
            readings.iter().map(|reading| Source { array: &reading.array, bound: &reading.bound }).collect();
        let mut lanes = std::mem::take(&mut self.lanes);
        let output = run::run(&program, &sources, &mut lanes, self.mode, (kind, length));
        self.lanes = lanes;
        let mut draft = Draft { kind, data: output.data, bound: Bound::Exact };
        draft.set_errors(output.errors);
        match self.carefully(formula, &sizes, output.doubtful.into_iter(), &mut draft) {
            Ok(()) => Ok(Attempt::Done(Rc::new(draft.finish(sizes)?))),
            Err(Halt::Needs(other)) => Ok(Attempt::Waits(vec![other], Some(program))),
            Err(halt) => Err(self.failure(halt, tensor)),
        }
    }

    /// The tensors that a formula reads and that are not evaluated yet.
    fn missing(&self, formula: &Formula) -> Vec<Tensor> {
        let mut tensors = coalesce::tensors(formula.element);
        tensors.retain(|tensor| !self.readings.contains_key(tensor));
        tensors.sort_unstable();
        tensors
    }

    /// A formula that was not compiled.
    fn one_by_one(
        &mut self,
        formula: &Formula,
        kind: Kind,
        sizes: Vec<usize>,
    ) -> Result<Attempt, EvaluateError> {
        let length = sizes.iter().product();
        let mut draft = Draft::new(kind, length);
        match self.carefully(formula, &sizes, 0..length, &mut draft) {
            Ok(()) => Ok(Attempt::Done(Rc::new(draft.finish(sizes)?))),
            Err(Halt::Needs(other)) => Ok(Attempt::Waits(vec![other], None)),
            Err(Halt::Vague) => Err(EvaluateError::Undefined(formula.element.to_string())),
            Err(Halt::Error(error)) => Err(error),
        }
    }

    fn failure(&self, halt: Halt, tensor: Tensor) -> EvaluateError {
        match halt {
            Halt::Error(error) => error,
            Halt::Vague | Halt::Needs(_) => EvaluateError::Undefined(tensor.to_string()),
        }
    }

    /// Reads elements one at a time into a draft.
    fn carefully(
        &self,
        formula: &Formula,
        sizes: &[usize],
        positions: impl Iterator<Item = usize>,
        draft: &mut Draft,
    ) -> Result<(), Halt> {
        let variables: Vec<Option<SymbolId>> =
            formula.index.iter().map(|&dim| compile::symbol(dim)).collect();
        let place = |at: usize| {
            let (mut rest, mut index) = (at, Vec::with_capacity(sizes.len()));
            for (variable, &size) in variables.iter().zip(sizes).rev() {
                index.extend(variable.map(|variable| (variable, (rest % size) as i64)));
                rest /= size;
            }
            index
        };
        match self.mode {
            Mode::Plain => {
                let mut walker = Walker::<Scalar>::new(self);
                for at in positions {
                    draft.put_plain(at, walker.read(formula.element, &place(at))?);
                }
            }
            Mode::Bounded | Mode::Likely => {
                let mut walker = Walker::<Estimate>::new(self);
                for at in positions {
                    draft.put(at, walker.read(formula.element, &place(at))?);
                }
            }
        }
        Ok(())
    }
}

/// The element type of a tensor.
fn kind(tensor: Tensor) -> Result<Kind, EvaluateError> {
    tensor.dtype().known().ok_or_else(|| EvaluateError::Unknown(format!("the element type of {tensor}")))
}

impl Surroundings for Evaluator {
    fn sizes(&self, tensor: Tensor) -> Option<Vec<usize>> {
        if let Some(reading) = self.readings.get(&tensor) {
            return Some(reading.array.shape.clone());
        }
        let sizes = tensor.shape().sizes()?;
        sizes.iter().map(|&size| self.number(size).ok().and_then(|size| usize::try_from(size).ok())).collect()
    }
    fn atom(&self, atom: AtomId) -> Option<i64> {
        self.symbols.get(&atom).copied()
    }
}

impl Tensors for Evaluator {
    fn reading(&self, tensor: Tensor) -> Option<Rc<Reading>> {
        self.readings.get(&tensor).cloned()
    }
}
