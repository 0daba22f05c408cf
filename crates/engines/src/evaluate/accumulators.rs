//! The range of intermediate results in half precision.
//!
//! Most frameworks compute them in `f32` and round at the end, some in `f16` itself. Both are right, and they differ
//! where a sum or a square leaves the range of `f16` on its way to a result inside it: of `f32` the result is finite,
//! of `f16` it is what infinity makes of it. Evaluation takes the wider range and notes whether that mattered; if it
//! did, it evaluates again in the narrow one, whose result is admitted beside the first.

use super::near::Format;
use super::reading::{Bound, Reading};
use semantics::array::Data;
use semantics::dtype::Kind;
use std::cell::Cell;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Accumulators {
    /// `f32` for half precision.
    Wide,
    /// The element type itself.
    Own,
}

thread_local! {
    static IN_USE: Cell<Accumulators> = const { Cell::new(Accumulators::Wide) };
    static LEFT: Cell<bool> = const { Cell::new(false) };
}

/// Evaluates with these accumulators; also tells whether a result left the range of its own type.
pub(super) fn with<T>(accumulators: Accumulators, evaluate: impl FnOnce() -> T) -> (T, bool) {
    let before = (IN_USE.replace(accumulators), LEFT.replace(false));
    let result = evaluate();
    IN_USE.set(before.0);
    (result, LEFT.replace(before.1))
}

/// The type whose range intermediate results of a type have.
pub(super) fn range_of(kind: Kind) -> Kind {
    if kind == Kind::F16 && IN_USE.get() == Accumulators::Wide { Kind::F32 } else { kind }
}

/// Notes that a result left the range of its own type.
pub(super) fn note() {
    LEFT.set(true);
}

/// A result as it is stored: in its element type, whatever it was computed in.
pub(super) fn stored(reading: Rc<Reading>) -> Rc<Reading> {
    let (Kind::F16, Data::Float(values)) = (reading.array.kind, &reading.array.data) else { return reading };
    let format = Format::of(Kind::F16);
    let errors =
        if let Bound::Float(errors) = &reading.bound { errors.clone() } else { vec![0.0; values.len()] };
    let near = values.iter().zip(&errors);
    if near.clone().all(|(value, error)| !value.is_finite() || value.abs() + error < format.own_limit) {
        return reading;
    }
    let (values, errors) = near.map(|(&value, &error)| format.stored(value, error)).unzip();
    let mut array = reading.array.clone();
    array.data = Data::Float(values);
    Rc::new(Reading::new(array, Bound::Float(errors)))
}
