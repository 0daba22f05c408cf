//! Whether gradients are computed: for a tensor, and at all. What is not known stays open, and nothing is told of it.

use crate::heap::Heap;
use crate::interpreter::Autocast;
use crate::tape::Trace;
use crate::value::{BuiltIn, Value};
use semantics::dtype::{Class, DType};
use smallvec::SmallVec;

/// Whether a tensor needs gradients.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Gradient {
    #[default]
    Open,
    No,
    /// It was computed from one that does.
    Derived(Trace),
    /// It is what gradients are computed for.
    Leaf(Trace),
}

impl Gradient {
    pub fn needed(self) -> Option<bool> {
        match self {
            Gradient::Open => None,
            Gradient::No => Some(false),
            Gradient::Derived(_) | Gradient::Leaf(_) => Some(true),
        }
    }
    /// What is known of a tensor that is one or the other.
    pub fn either(self, other: Gradient) -> Gradient {
        match (self, other) {
            (Gradient::Derived(one), Gradient::Derived(two)) => Gradient::Derived(one.either(two)),
            (Gradient::Leaf(one), Gradient::Leaf(two)) => Gradient::Leaf(one.either(two)),
            (one, two) if one == two => one,
            _ => Gradient::Open,
        }
    }
    /// What it was computed from, if it needs gradients.
    pub fn trace(self) -> Option<Trace> {
        match self {
            Gradient::Derived(trace) | Gradient::Leaf(trace) => Some(trace),
            Gradient::Open | Gradient::No => None,
        }
    }
    /// Of a tensor for which the backward pass keeps others.
    pub fn saving(self) -> Gradient {
        match self {
            Gradient::Derived(trace) => Gradient::Derived(Trace::of(&[trace], true, false)),
            other => other,
        }
    }
    /// Of what is computed from several tensors while gradients are followed, or not, or nobody knows.
    pub fn of_all(inputs: impl IntoIterator<Item = Gradient>, mode: Option<bool>) -> Gradient {
        if mode == Some(false) {
            return Gradient::No;
        }
        let (mut traces, mut is_open) = (SmallVec::<[Trace; 4]>::new(), false);
        for input in inputs {
            match input {
                Gradient::Derived(trace) | Gradient::Leaf(trace) => traces.push(trace),
                Gradient::Open => is_open = true,
                Gradient::No => {}
            }
        }
        match (traces.is_empty(), mode) {
            (false, Some(true)) => Gradient::Derived(Trace::of(&traces, false, is_open)),
            (true, _) if !is_open => Gradient::No,
            _ => Gradient::Open,
        }
    }
    /// Of a tensor that is made like another, which may not be all that it is computed from.
    pub fn hinted(self) -> Gradient {
        if self == Gradient::No { Gradient::Open } else { self }
    }
    /// Only floating-point and complex numbers have gradients.
    pub fn of_type(self, dtype: DType) -> Gradient {
        match dtype {
            DType::Known(kind) if !matches!(kind.class(), Class::Float | Class::Complex) => Gradient::No,
            _ => self,
        }
    }
}

impl Heap {
    /// What holds for every call.
    pub fn modes(&self) -> (Option<bool>, Option<Autocast>) {
        (self.follows_gradients, self.autocast)
    }
    /// Of a new tensor that was made like others.
    pub fn gradient_like(&self, others: impl IntoIterator<Item = Gradient>) -> Gradient {
        Gradient::of_all(others.into_iter().map(Gradient::hinted), self.follows_gradients)
    }
    /// Of a new tensor that was computed from others, and from nothing else.
    pub fn gradient_from(&self, inputs: impl IntoIterator<Item = Gradient>) -> Gradient {
        Gradient::of_all(inputs, self.follows_gradients)
    }
}

/// Known or not, as a value of Python.
pub fn truth(known: Option<bool>) -> Value {
    match known {
        Some(known) => Value::bool(known),
        None => Value::unknown_of(BuiltIn::Bool, "whether gradients are needed"),
    }
}
