//! What can go wrong in a scalar function, whatever operator it is part of.

use super::partition::shown;
use crate::evaluate::interval::Interval;
use semantics::dtype::Kind;
use semantics::element::Element;
use semantics::scalar::{Binary, Unary};
use semantics::tensor::Tensor;
use std::fmt;

/// A scalar function that may be given an argument that it does not bear.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// The tensor whose formula applies the function.
    pub tensor: Tensor,
    pub function: &'static str,
    pub fault: Fault,
    /// The range of the argument at fault: the divisor of a division, the base of a power.
    pub argument: Interval,
    /// The application of the function, and the argument at fault: itself, where it is the result that is too large.
    pub element: Element,
    pub blamed: Element,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The result is not a number.
    OutsideDomain,
    /// The result is infinite, from a finite argument.
    Pole,
    /// The result is beyond the largest number of the element type.
    Overflow,
    /// A float becomes an integer that the type cannot hold.
    DoesNotFit,
}

/// Whether relations between arguments may show that nothing happens. Sums and products that exceed 1e38 do so by the
/// size of what goes into them.
pub(super) fn may_be_related(hazard: &Hazard) -> bool {
    let is_wide = hazard.element.kind().bits().is_none_or(|bits| bits >= 32);
    !(is_wide && hazard.fault == Fault::Overflow && matches!(hazard.function, "+" | "-" | "*" | "sum"))
}

/// The fault that a function of one float may commit, if its arguments are sane.
pub(super) fn of_unary(function: Unary, kind: Kind, argument: &Interval, result: &Interval) -> Option<Fault> {
    let Interval::Float { low, high, .. } = *argument else { return None };
    let (least, most) = function.domain();
    if low > high {
        None
    } else if low < least || high > most {
        Some(Fault::OutsideDomain)
    } else if function.poles().iter().any(|pole| low <= *pole && *pole <= high) {
        Some(Fault::Pole)
    } else {
        overflow(kind, &[argument], result)
    }
}

/// The fault that a function of two numbers may commit, and which of them is to blame.
pub(super) fn of_binary(
    function: Binary,
    kind: Kind,
    x: &Interval,
    y: &Interval,
    result: &Interval,
) -> Option<(Fault, Interval)> {
    let divides = matches!(function, Binary::Div | Binary::FloorDiv | Binary::Remainder | Binary::Modulo);
    match (*x, *y) {
        (_, Interval::Int { low, high }) if divides => (low <= 0 && high >= 0).then_some((Fault::Pole, *y)),
        (_, Interval::Float { low, high, .. }) if divides && low <= 0.0 && high >= 0.0 => {
            Some((Fault::Pole, *y))
        }
        (Interval::Float { low, .. }, Interval::Float { low: least, high: most, .. })
            if function == Binary::Pow =>
        {
            let whole = least == most && least.fract() == 0.0;
            if low < 0.0 && !whole {
                Some((Fault::OutsideDomain, *x))
            } else if low <= 0.0 && least < 0.0 {
                Some((Fault::Pole, *x))
            } else {
                overflow(kind, &[x, y], result).map(|fault| (fault, *x))
            }
        }
        (Interval::Float { .. }, Interval::Float { .. }) => {
            overflow(kind, &[x, y], result).map(|fault| (fault, *x))
        }
        _ => None,
    }
}

/// Finite arguments and a result that may be beyond the type.
pub(super) fn overflow(kind: Kind, arguments: &[&Interval], result: &Interval) -> Option<Fault> {
    // What is less than half a step beyond the largest number is rounded to it.
    let most = kind.largest() * (1.0 + kind.unit_roundoff());
    let beyond = |interval: &Interval| match *interval {
        Interval::Float { low, high, .. } => low <= high && (low < -most || high > most),
        _ => false,
    };
    (kind.is_float() && beyond(result) && !arguments.iter().any(|argument| beyond(argument)))
        .then_some(Fault::Overflow)
}

impl fmt::Display for Hazard {
    /// `ln of 0 to 1 may be infinite`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            Fault::OutsideDomain => "may not be a number",
            Fault::Pole => "may be infinite",
            Fault::Overflow => "may overflow",
            Fault::DoesNotFit => "may not fit the integer type",
        };
        write!(f, "{} of {} {what}", self.function, shown(&self.argument))
    }
}
