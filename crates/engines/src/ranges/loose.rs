//! Tensors that are read with what is infinite in them. Ranges take what was computed before to have gone well; whether
//! an infinity is lost again further on, as in `1 / (1 + exp(-x))`, is asked by reading what follows without that.

use super::partition::Partition;
use super::read::{Reader, Stop};
use super::{Ranges, composed_of};
use crate::evaluate::interval::Interval;
use rustc_hash::FxHashSet;
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold, Unary};
use semantics::tensor::{Content, Tensor};
use std::rc::Rc;

#[derive(Default)]
pub(super) struct Loose {
    pub tensors: FxHashSet<Tensor>,
    /// Whether it is only tried: nothing is noted of hazards then, and what was known before is kept here.
    pub is_trial: bool,
    before: Vec<(Tensor, Option<Rc<Partition>>)>,
}

/// What comes out where infinities are let through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Finite,
    Infinite,
    /// It may not be a number, or nobody can tell.
    Lost,
}

impl Ranges {
    pub(super) fn is_loose(&self, tensor: Tensor) -> bool {
        self.loose.tensors.contains(&tensor)
    }
    /// Whether a tensor is read with what is infinite in it, and that is lost again.
    pub fn is_loosened(&self, tensor: Tensor) -> bool {
        !self.loose.is_trial && self.is_loose(tensor)
    }
    /// Tries what a tensor is if it, and those that were tried before, may be infinite.
    pub fn try_loose(&mut self, tensor: Tensor) -> Outcome {
        self.loose.is_trial = true;
        self.loose.tensors.insert(tensor);
        let partition = loop {
            match self.attempt(tensor) {
                Ok(partition) => break Rc::new(partition),
                // A constant of a branch that is taken only where something is infinite.
                Err(needed) if needed.is_stored() && !self.partitions.contains_key(&needed) => {
                    self.read(needed);
                }
                Err(_) => return Outcome::Lost,
            }
        };
        let outcome = outcome(tensor, &partition);
        let before = self.partitions.insert(tensor, partition);
        self.loose.before.push((tensor, before));
        outcome
    }
    /// Takes back what was tried.
    pub fn tighten(&mut self) {
        while let Some((tensor, before)) = self.loose.before.pop() {
            match before {
                Some(partition) => self.partitions.insert(tensor, partition),
                None => self.partitions.remove(&tensor),
            };
        }
        self.loose.tensors.clear();
        self.loose.is_trial = false;
    }
    /// From here on tensors are read with what is infinite in them; what depends on them is forgotten.
    pub fn loosen(&mut self, tensors: impl IntoIterator<Item = Tensor>, dependent: &FxHashSet<Tensor>) {
        self.loose.tensors.extend(tensors);
        for tensor in dependent {
            self.partitions.remove(tensor);
            self.faults.remove(tensor);
            self.deeper.remove(tensor);
            self.refined.remove(tensor);
        }
        self.hazards.retain(|hazard| !dependent.contains(&hazard.tensor));
    }
}

fn outcome(tensor: Tensor, partition: &Partition) -> Outcome {
    let mut outcome = Outcome::Finite;
    for part in &partition.parts {
        match part.interval {
            // Nothing is in it.
            None if part.region.iter().any(|span| span.count().1 == 0) => {}
            Some(Interval::Bool { .. }) => {}
            Some(Interval::Float { low, high, nan: false }) if low <= high => {
                let most = tensor.kind().largest();
                if low < -most || high > most {
                    outcome = Outcome::Infinite;
                }
            }
            _ => return Outcome::Lost,
        }
    }
    outcome
}

/// What exceeds the largest number of a type is infinite in it.
pub(super) fn let_through(kind: Kind, interval: Interval) -> Interval {
    match interval {
        Interval::Float { low, high, nan } if low <= high && kind.class() == Class::Float => {
            let most = kind.largest();
            let end = |end: f64| if end.abs() > most { f64::INFINITY.copysign(end) } else { end };
            Interval::Float { low: end(low), high: end(high), nan }
        }
        other => other,
    }
}

impl Reader<'_> {
    pub(super) fn is_loose(&self, tensor: Tensor) -> bool {
        self.loose.is_some_and(|loose| loose.contains(&tensor))
    }

    /// A quotient whose divisor may be zero. By a zero of which the sign is known it is infinite to one side.
    pub(super) fn through_pole(
        &mut self,
        kind: Kind,
        a: &Interval,
        b: &Interval,
        divisor: Element,
    ) -> Result<Interval, Stop> {
        let anything = Interval::Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
        let (
            Interval::Float { low, high, nan: false },
            Interval::Float { low: least, high: most, nan: false },
        ) = (*a, *b)
        else {
            return Ok(anything);
        };
        // Zero by zero is no number, and neither is infinity by infinity.
        let holds_zero = low <= 0.0 && high >= 0.0;
        let largest = kind.largest();
        let is_finite = |end: f64| end.abs() <= largest;
        if holds_zero || ![low, high, least, most].into_iter().all(is_finite) {
            return Ok(anything);
        }
        let (mut low_end, mut high_end) = (f64::NEG_INFINITY, f64::INFINITY);
        if least >= 0.0 && most > 0.0 && self.zero_is_positive(divisor, 0) {
            if low > 0.0 {
                low_end = low / most;
            } else {
                high_end = high / most;
            }
        }
        Ok(Interval::Float { low: low_end, high: high_end, nan: false })
    }

    /// A negative power of what may be zero: infinite there, and the less the larger the base is.
    pub(super) fn power_through_pole(
        &mut self,
        kind: Kind,
        base: &Interval,
        exponent: &Interval,
        of: Element,
    ) -> Option<Interval> {
        let (
            Interval::Float { low, high, nan: false },
            Interval::Float { low: least, high: most, nan: false },
        ) = (*base, *exponent)
        else {
            return None;
        };
        let is_pole = low == 0.0 && high > 0.0 && high <= kind.largest() && least <= most && most < 0.0;
        if !is_pole || !self.zero_is_positive(of, 0) {
            return None;
        }
        let low = high.powf(least).min(high.powf(most)) * (1.0 - 8.0 * kind.unit_roundoff());
        Some(Interval::Float { low, high: f64::INFINITY, nan: false })
    }

    /// Whether an element that is not negative is not minus zero either.
    fn zero_is_positive(&mut self, element: Element, depth: usize) -> bool {
        const DEEPEST: usize = 16;
        let least = match self.element(element) {
            Ok(Interval::Float { low, high, .. }) if low <= high => low,
            Ok(Interval::Int { low, .. }) => low as f64,
            _ => return false,
        };
        if depth > DEEPEST || least < 0.0 {
            return false;
        }
        if least > 0.0 {
            return true;
        }
        match element.view() {
            ElementView::Float(value) => value.is_sign_positive(),
            ElementView::Index(_) | ElementView::Int(_) => true,
            ElementView::Cast(x) => self.zero_is_positive(x, depth + 1),
            ElementView::Unary(Unary::Abs | Unary::Exp, _) => true,
            ElementView::Unary(Unary::Sqrt, x) => self.zero_is_positive(x, depth + 1),
            // What cancels is zero, and so is zero less zero, unless it was minus zero before.
            ElementView::Binary(Binary::Sub, x, _) => self.zero_is_positive(x, depth + 1),
            ElementView::Binary(Binary::Add, x, y) => {
                self.zero_is_positive(x, depth + 1) || self.zero_is_positive(y, depth + 1)
            }
            ElementView::Fold { with: Fold::Sum, body, .. } => self.zero_is_positive(body, depth + 1),
            ElementView::When(_, x, y) | ElementView::Select(_, x, y) => {
                self.zero_is_positive(x, depth + 1) && self.zero_is_positive(y, depth + 1)
            }
            ElementView::Binary(Binary::Mul, x, y) if x.id() == y.id() => true,
            ElementView::Binary(Binary::Mul | Binary::Div, x, y) => {
                self.zero_is_positive(x, depth + 1) && self.zero_is_positive(y, depth + 1)
            }
            ElementView::At(tensor, index) => {
                let tensor = composed_of(tensor);
                match tensor.content() {
                    // Somebody who says that an input is not negative means so.
                    Content::Given => true,
                    Content::Formula { .. } => match tensor.formula() {
                        Some(formula) if formula.index.len() == index.len() => {
                            let places: Vec<_> = formula
                                .index
                                .iter()
                                .zip(&index)
                                .filter_map(|(variable, &place)| Some((variable.as_atom()?, place)))
                                .collect();
                            self.zero_is_positive(formula.element.at_indices(&places), depth + 1)
                        }
                        _ => false,
                    },
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
