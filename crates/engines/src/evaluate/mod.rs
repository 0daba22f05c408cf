//! Reading formulas as numbers: the reference evaluation.
//!
//! Values are computed in `f64` (integers and bools exactly). In [`Mode::Bounded`] every element comes with a
//! bound on what computing in its element type may change; bounds are local, so a comparison evaluates each
//! node on the observed inputs of that node.
//!
//! A formula is compiled to a program over lanes ([`compile`], [`run`]); what that leaves in doubt, the
//! careful reader ([`walk`]) decides one element at a time. Both get the scalar functions from one place:
//! [`near`] for floats with errors, `semantics::number` and `semantics::integer` for the rest.

mod accumulators;
mod accuracy;
mod begun;
mod bilinear;
mod bounded;
mod coalesce;
mod compare;
mod compile;
mod compile_index;
mod complex;
mod error;
mod exact;
mod formula;
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

pub use accuracy::Libraries;
pub use compare::{Comparison, Worst, compare};
pub use error::EvaluateError;
pub use reading::{Bound, Reading};

use accumulators::Accumulators;
use compile::Surroundings;
use lanes::Lanes;
use number::Number;
use plain::Scalar;
use program::Program;
use reading::Draft;
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dim::{AtomId, Dim};
use semantics::dtype::Kind;
use semantics::shape::{PieceView, Slot};
use semantics::tensor::{Content, Opaque, Tensor};
use std::rc::Rc;
use walk::Tensors;

/// Tensors with more elements than this are not evaluated.
pub const MOST_ELEMENTS: usize = 1 << 28;

/// More bytes than this are not held at once, by all values of a run together.
pub const MOST_HELD: usize = 2 << 30;

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
    accumulators: Accumulators,
    /// Whether an intermediate result left the range of its element type.
    left_range: bool,
    libraries: Libraries,
    /// The memory that readings take, in bytes: those of others that live as long, and our own.
    held: usize,
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
            accumulators: Accumulators::Wide,
            left_range: false,
            libraries: Libraries::Any,
            held: 0,
        }
    }
    /// The same, as these libraries compute.
    pub fn computed_by(self, libraries: Libraries) -> Self {
        Evaluator { libraries, ..self }
    }
    /// The same, where others already hold so many bytes.
    pub fn beside(self, held: usize) -> Self {
        Evaluator { held, ..self }
    }

    /// Supplies the elements of a tensor that only the run will tell, or replaces what is known of another:
    /// whatever depends on it is evaluated on this array, which counts as exact.
    pub fn give(&mut self, tensor: Tensor, array: Array) {
        self.give_reading(tensor, Rc::new(Reading::new(array, Bound::Exact)));
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
        let libraries = self.libraries;
        let (reading, left) =
            accumulators::with(self.accumulators, || accuracy::with(libraries, || self.evaluated(tensor)));
        self.left_range |= left;
        let reading = reading?;
        if self.mode == Mode::Plain || self.accumulators == Accumulators::Own {
            return Ok(reading);
        }
        let reading = accumulators::stored(reading);
        if !self.left_range && self.given.values().all(|given| given.narrow.is_none()) {
            return Ok(reading);
        }
        let given = self
            .given
            .iter()
            .map(|(tensor, given)| (*tensor, given.narrow.as_ref().unwrap_or(given).clone()));
        let mut own = Evaluator {
            accumulators: Accumulators::Own,
            given: given.collect(),
            symbols: self.symbols.clone(),
            ..Evaluator::new(self.mode).computed_by(self.libraries).beside(self.held)
        };
        let alike = |other: &Rc<Reading>| other.array.shape == reading.array.shape;
        let narrow = own.evaluate(tensor).ok().filter(alike);
        Ok(Rc::new(Reading { narrow, ..(*reading).clone() }))
    }

    fn evaluated(&mut self, tensor: Tensor) -> Result<Rc<Reading>, EvaluateError> {
        // Tensors wait on a list of their own rather than on the stack: a model is a thousand layers deep.
        let mut open = vec![Task { tensor, program: None, waits: false }];
        while let Some(mut task) = open.pop() {
            if self.readings.contains_key(&task.tensor) {
                continue;
            }
            match self.attempt(task.tensor, task.program.take())? {
                Attempt::Done(reading) => {
                    // A reading that others have too is counted where it was made.
                    if Rc::strong_count(&reading) == 1 {
                        self.held += reading.bytes();
                    }
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
                _ if tensor.name().is_empty() => Err(EvaluateError::NoFormula(tensor.to_string())),
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
        self.fitting(tensor, Rc::new(Reading::new(array, Bound::Exact)))
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
        let kind = tensor.dtype().known();
        let bound = if self.mode == Mode::Plain { 0 } else { size_of::<f64>() };
        let bytes = count.unwrap_or(0) * (kind.map_or(0, reading::element_bytes) + bound);
        room(tensor, bytes, self.held)?;
        Ok(sizes)
    }
}

/// Whether so many bytes more can be held.
pub(crate) fn room(what: impl std::fmt::Display, bytes: usize, held: usize) -> Result<(), EvaluateError> {
    if held.saturating_add(bytes) <= MOST_HELD {
        return Ok(());
    }
    let gigabytes = |bytes: usize| bytes as f64 / f64::from(1u32 << 30);
    Err(EvaluateError::TooMuch(format!(
        "{what} takes {:.1} GB here, and {:.1} GB are held already: more than {:.0} GB in all are not held",
        gigabytes(bytes),
        gigabytes(held),
        gigabytes(MOST_HELD)
    )))
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
