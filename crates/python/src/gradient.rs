//! Whether gradients are computed: for a tensor, and at all. What is not known stays open, and nothing is told of it.

use crate::heap::Heap;
use crate::value::{BuiltIn, Value};
use semantics::dtype::{Class, DType};

/// Whether a tensor needs gradients.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Gradient {
    #[default]
    Open,
    No,
    /// It was computed from one that does.
    Derived,
    /// It is what gradients are computed for.
    Leaf,
}

impl Gradient {
    pub fn needed(self) -> Option<bool> {
        match self {
            Gradient::Open => None,
            Gradient::No => Some(false),
            Gradient::Derived | Gradient::Leaf => Some(true),
        }
    }
    /// What is known of a tensor that is one or the other.
    pub fn either(self, other: Gradient) -> Gradient {
        if self == other { self } else { Gradient::Open }
    }
    /// Of what is computed from several tensors while gradients are followed, or not, or nobody knows.
    pub fn of_all(inputs: impl IntoIterator<Item = Gradient>, mode: Option<bool>) -> Gradient {
        if mode == Some(false) {
            return Gradient::No;
        }
        let mut result = Gradient::No;
        for input in inputs {
            match input.needed() {
                Some(true) if mode == Some(true) => return Gradient::Derived,
                Some(false) => {}
                _ => result = Gradient::Open,
            }
        }
        result
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
