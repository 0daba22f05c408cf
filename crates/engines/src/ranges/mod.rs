//! Reading formulas as intervals over boxes of indices.
//!
//! The conditions on indices inside a formula (`index < size of the first input` in concat) and the parts of
//! what it reads say where a box must be cut; so does a summation with its own index. Where a condition is
//! about several indices at once, or there are too many boxes, both sides are joined. Sizes may be unknown:
//! the ends of boxes are expressions.
//!
//! An interval holds the results of exact arithmetic and of arithmetic rounded in the element type (sums of
//! short floats being accumulated in float32 at least).

mod fold;
mod hazard;
mod partition;
mod read;
mod round;
mod spans;

pub use hazard::{Fault, Hazard};
pub use partition::{Part, Partition, Span, between, shown};

use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use read::{Reader, Stop};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomView, Dim, SymbolId};
use semantics::dtype::Class;
use semantics::tensor::{Content, Tensor};
use std::rc::Rc;

/// More boxes than this are joined.
const MOST_PARTS: usize = 32;

/// Ranges of the tensors of the current arena, each read once.
#[derive(Default)]
pub struct Ranges {
    partitions: FxHashMap<Tensor, Rc<Partition>>,
    hazards: Vec<Hazard>,
}

impl Ranges {
    pub fn new() -> Ranges {
        Ranges::default()
    }
    /// States that every element of a tensor lies between two numbers.
    pub fn give(&mut self, tensor: Tensor, low: f64, high: f64) {
        let interval = tensor.dtype().known().and_then(|kind| between(kind, low, high));
        self.give_partition(tensor, Partition::whole(tensor, interval));
    }
    /// States what is known of a tensor, box by box.
    pub fn give_partition(&mut self, tensor: Tensor, partition: Partition) {
        self.partitions.insert(tensor, Rc::new(partition));
    }
    /// Functions on the way to what was read so far that may be given arguments they do not bear.
    pub fn hazards(&self) -> &[Hazard] {
        &self.hazards
    }
    /// The ranges of a tensor's elements.
    pub fn read(&mut self, tensor: Tensor) -> Rc<Partition> {
        // Tensors wait on a list of their own rather than on the stack: a model is a thousand layers deep.
        let mut open = vec![tensor];
        while let Some(&next) = open.last() {
            if self.partitions.contains_key(&next) {
                open.pop();
                continue;
            }
            match self.attempt(next) {
                Ok(mut partition) => {
                    if let Some((low, high)) = next.declared_range() {
                        partition.meet(low, high);
                    }
                    self.partitions.insert(next, Rc::new(partition));
                }
                // A tensor that depends on itself has no range to be told.
                Err(needed) if open.contains(&needed) => {
                    let anything = Partition::whole(needed, anything(needed));
                    self.partitions.insert(needed, Rc::new(anything));
                }
                Err(needed) => open.push(needed),
            }
        }
        self.partitions.get(&tensor).cloned().unwrap_or_else(|| Rc::new(Partition::whole(tensor, None)))
    }

    /// The ranges of a tensor, or another that must be read before.
    fn attempt(&mut self, tensor: Tensor) -> Result<Partition, Tensor> {
        let whole = |interval| Ok(Partition::whole(tensor, interval));
        match tensor.content() {
            Content::Given | Content::Opaque(..) => whole(anything(tensor)),
            Content::Stored(load) => match load() {
                Some(array) => Ok(Partition::of_array(&array)),
                None => whole(anything(tensor)),
            },
            Content::Random(random) => {
                whole(tensor.dtype().known().and_then(|kind| between(kind, random.low, random.high)))
            }
            Content::Dims(dims) => {
                let kind = tensor.kind();
                let intervals = dims.iter().map(|dim| read::number_of(kind, dim.bounds()));
                let hull = intervals.reduce(|hull, next| hull?.hull(&next?)).flatten();
                whole(hull.or(anything(tensor)))
            }
            Content::Composed(composition, output) => {
                let last = composition.output(output);
                self.partitions.get(&last).map(|partition| (**partition).clone()).ok_or(last)
            }
            Content::Formula { .. } => match (tensor.dtype().known(), tensor.formula()) {
                (Some(kind), Some(formula)) if !matches!(kind.class(), Class::Complex | Class::Opaque) => {
                    self.formula(tensor, &formula)
                }
                _ => whole(anything(tensor)),
            },
        }
    }

    fn formula(&mut self, tensor: Tensor, formula: &semantics::tensor::Formula) -> Result<Partition, Tensor> {
        let sizes = tensor.shape().sizes().unwrap_or_default();
        let variables: Vec<Option<SymbolId>> = formula.index.iter().map(|&dim| symbol(dim)).collect();
        let mut open: Vec<Vec<Span>> = vec![sizes.into_iter().map(Span::of).collect()];
        let mut parts = Vec::new();
        let mut hazards = Vec::new();
        while let Some(region) = open.pop() {
            if region.iter().any(|span| span.count().1 == 0) {
                // Nothing is in it, and nothing needs to be said of it, but that the tensor is covered.
                parts.push(Part { region, interval: None });
                continue;
            }
            let full = parts.len() + open.len() + 1 >= MOST_PARTS;
            let mut reader = Reader::new(&self.partitions, tensor, if full { &[] } else { &variables });
            for (variable, span) in variables.iter().zip(&region) {
                if let Some(variable) = variable {
                    reader.bind(*variable, *span);
                }
            }
            match reader.element(formula.element) {
                Ok(interval) => {
                    hazards.append(&mut reader.hazards);
                    parts.push(Part { region, interval: Some(interval) });
                }
                Err(Stop::Needs(needed)) => return Err(needed),
                Err(Stop::Cut(cut)) => {
                    let axis = variables.iter().position(|variable| *variable == Some(cut.variable));
                    let Some(axis) = axis else {
                        parts.push(Part { region, interval: anything(tensor) });
                        continue;
                    };
                    let (mut below, mut above) = (region.clone(), region);
                    below[axis].high = cut.at;
                    above[axis].low = cut.at;
                    open.push(above);
                    open.push(below);
                }
            }
        }
        if parts.iter().any(|part| part.interval.is_some()) {
            parts.retain(|part| part.interval.is_some() || part.region.iter().all(|span| span.count().1 > 0));
        }
        for hazard in hazards {
            self.note(hazard);
        }
        Ok(Partition { parts })
    }

    /// One hazard for each function of a tensor, whatever the box.
    fn note(&mut self, hazard: Hazard) {
        let same = self.hazards.iter_mut().find(|other| {
            other.tensor == hazard.tensor && other.function == hazard.function && other.fault == hazard.fault
        });
        match same {
            Some(other) => {
                other.argument = other.argument.hull(&hazard.argument).unwrap_or(other.argument);
            }
            None => self.hazards.push(hazard),
        }
    }
}

fn anything(tensor: Tensor) -> Option<Interval> {
    tensor.dtype().known().and_then(Interval::anything)
}

/// The symbol, if the expression is nothing but one.
fn symbol(dim: Dim) -> Option<SymbolId> {
    match dim.as_atom()?.view() {
        AtomView::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}
