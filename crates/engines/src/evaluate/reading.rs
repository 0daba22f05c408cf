//! What evaluating a tensor gives: its elements, and how far a computed result may be from them.

use super::bounded::Estimate;
use super::error::EvaluateError;
use super::plain::Scalar;
use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};
use semantics::integer;
use std::rc::Rc;

/// A tensor's elements with their error bounds.
#[derive(Clone, Debug)]
pub struct Reading {
    pub array: Array,
    pub bound: Bound,
    /// What comes of it where intermediate results have the range of their own type, if that matters
    /// (`accumulators.rs`): as right as the elements themselves.
    pub narrow: Option<Rc<Reading>>,
}

impl Reading {
    pub fn new(array: Array, bound: Bound) -> Reading {
        Reading { array, bound, narrow: None }
    }
    /// The memory that its elements and bounds take.
    pub fn bytes(&self) -> usize {
        let bound = match &self.bound {
            Bound::Exact => 0,
            Bound::Float(errors) | Bound::Complex(errors) => size_of_val(&errors[..]),
            Bound::Int(ranges) => size_of_val(&ranges[..]),
            Bound::Bool(flags) => size_of_val(&flags[..]),
        };
        let narrow = self.narrow.as_ref().map_or(0, |narrow| narrow.bytes());
        self.array.len() * element_bytes(self.array.kind) + bound + narrow
    }
}

/// The memory that one element takes here, whatever its type takes elsewhere.
pub(super) fn element_bytes(kind: Kind) -> usize {
    match kind.class() {
        Class::Bool => size_of::<bool>(),
        Class::Int => size_of::<i64>(),
        Class::Float => size_of::<f64>(),
        Class::Complex => size_of::<[f64; 2]>(),
        Class::Opaque => 0,
    }
}

/// How far a result computed in the element type may be from the reference, element by element.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    Exact,
    /// Absolute errors of floats; infinity where nothing is known.
    Float(Vec<f64>),
    /// The smallest and the largest admissible integer.
    Int(Vec<(i128, i128)>),
    /// Bools that rounding may flip.
    Bool(Vec<bool>),
    /// Absolute errors of complex numbers.
    Complex(Vec<f64>),
}

impl Bound {
    /// Whether an integer or bool element may be another.
    pub(super) fn is_undecided(&self, at: usize) -> bool {
        match self {
            Bound::Int(ranges) => ranges.get(at).is_some_and(|(low, high)| low != high),
            Bound::Bool(flags) => flags.get(at).copied().unwrap_or(false),
            Bound::Exact | Bound::Float(_) | Bound::Complex(_) => false,
        }
    }
}

/// A tensor that a program reads.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub array: &'a Array,
    pub bound: &'a Bound,
}

/// A reading being put together.
pub(super) struct Draft {
    pub kind: Kind,
    pub data: Data,
    pub bound: Bound,
}

impl Draft {
    pub fn new(kind: Kind, length: usize) -> Draft {
        Draft { kind, data: Data::zeros(kind, length), bound: Bound::Exact }
    }
    pub fn set_errors(&mut self, errors: Option<Vec<f64>>) {
        if let Some(errors) = errors {
            self.bound = if matches!(self.data, Data::Complex(_)) {
                Bound::Complex(errors)
            } else {
                Bound::Float(errors)
            };
        }
    }
    pub fn put_plain(&mut self, at: usize, value: Scalar) {
        match (&mut self.data, value) {
            (Data::Float(values), Scalar::Float(value)) => values[at] = value,
            (Data::Int(values), Scalar::Int(value)) => values[at] = value,
            (Data::Bool(values), Scalar::Bool(value)) => values[at] = value,
            (Data::Complex(values), Scalar::Complex(value)) => values[at] = value,
            // Formulas have the type of their tensor: checked before.
            _ => {}
        }
    }
    pub fn put(&mut self, at: usize, value: Estimate) {
        let (length, kind) = (self.data.len(), self.kind);
        match value {
            Estimate::Float(near) => {
                self.put_plain(at, Scalar::Float(near.value));
                if let (Bound::Exact, true) = (&self.bound, near.error != 0.0) {
                    self.bound = Bound::Float(vec![0.0; length]);
                }
                if let Bound::Float(errors) = &mut self.bound {
                    errors[at] = near.error;
                }
            }
            Estimate::Int { value, low, high } => {
                self.put_plain(at, Scalar::Int(value));
                if let (Bound::Exact, true, Data::Int(values)) = (&self.bound, low != high, &self.data) {
                    // Elements that are filled in later bring their own range.
                    self.bound = Bound::Int(
                        values
                            .iter()
                            .map(|&value| (integer::widen(kind, value), integer::widen(kind, value)))
                            .collect(),
                    );
                }
                if let Bound::Int(ranges) = &mut self.bound {
                    ranges[at] = (low, high);
                }
            }
            Estimate::Bool { value, undecided } => {
                self.put_plain(at, Scalar::Bool(value));
                if let (Bound::Exact, true) = (&self.bound, undecided) {
                    self.bound = Bound::Bool(vec![false; length]);
                }
                if let Bound::Bool(flags) = &mut self.bound {
                    flags[at] = undecided;
                }
            }
            Estimate::Complex(disc) => {
                self.put_plain(at, Scalar::Complex(disc.value));
                if let (Bound::Exact, true) = (&self.bound, disc.error != 0.0) {
                    self.bound = Bound::Complex(vec![0.0; length]);
                }
                if let Bound::Complex(errors) = &mut self.bound {
                    errors[at] = disc.error;
                }
            }
        }
    }
    pub fn finish(self, shape: Vec<usize>) -> Result<Reading, EvaluateError> {
        if shape.iter().product::<usize>() != self.data.len() {
            return Err(EvaluateError::Mismatch(format!(
                "{} elements for the shape {shape:?}",
                self.data.len()
            )));
        }
        Ok(Reading::new(Array { kind: self.kind, shape, data: self.data }, self.bound))
    }
}
