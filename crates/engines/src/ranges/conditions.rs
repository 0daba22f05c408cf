//! What the condition of a branch says of the numbers in the branch: in `where(x > 0, log(x), 0)` the logarithm is
//! taken of positive numbers only.

use super::infinite::infinity;
use super::partition::Span;
use super::read::{Reader, Stop};
use super::symbol;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use semantics::dim::Dim;
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementId, ElementView};
use semantics::scalar::{Binary, Fold, Unary};
use semantics::tensor::Tensor;

/// What is supposed of an element.
#[derive(Clone, Copy)]
pub(super) struct Supposed {
    pub element: ElementId,
    pub low: f64,
    pub high: f64,
    /// Its magnitude is at least this.
    pub away: f64,
}

/// What is supposed of every element of a tensor: `x.min() > 0`, `(x > 0).all()`.
#[derive(Clone, Copy)]
pub(super) struct Everywhere {
    pub tensor: Tensor,
    pub low: f64,
    pub high: f64,
    pub away: f64,
}

impl Reader<'_> {
    /// The range of a branch, where its condition holds or not; `None` if that cannot be.
    pub(super) fn under(
        &mut self,
        condition: Element,
        truth: bool,
        branch: Element,
    ) -> Result<Option<Interval>, Stop> {
        self.supposing(condition, truth, |reader| reader.element(branch))
    }

    /// What is read where a condition holds or not; `None` if that cannot be.
    pub(super) fn supposing<T>(
        &mut self,
        condition: Element,
        truth: bool,
        read: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        let before = (self.supposed.len(), self.everywhere.len());
        // What is read while it is supposed holds under it only, and whoever goes on after a stop supposes nothing.
        self.known.push(Default::default());
        let possible = self.suppose(condition, truth);
        self.known.pop();
        if !matches!(possible, Ok(true)) {
            self.supposed.truncate(before.0);
            self.everywhere.truncate(before.1);
            return possible.map(|_| None);
        }
        if (self.supposed.len(), self.everywhere.len()) == before {
            return read(self).map(Some);
        }
        // What was read before does not know of it.
        let known = std::mem::replace(&mut self.known, vec![Default::default()]);
        let result = self.looking_through(read);
        self.known = known;
        self.supposed.truncate(before.0);
        self.everywhere.truncate(before.1);
        result.map(Some)
    }

    /// Takes the conditions of branches, single elements, for true or false. Gives whether they can be.
    pub(super) fn guarded(&mut self, guards: &[(Tensor, bool)]) -> Result<bool, Stop> {
        for &(guard, truth) in guards {
            let rank = guard.shape().known_rank().unwrap_or_default();
            let condition = guard.at(&vec![Dim::from(0); rank]);
            if !self.suppose(condition, truth)? {
                return Ok(false);
            }
        }
        // What was read on the way does not know of them.
        self.known = vec![Default::default()];
        self.hazards.clear();
        Ok(true)
    }

    /// Takes a condition for true or false. Gives whether it can be.
    fn suppose(&mut self, condition: Element, truth: bool) -> Result<bool, Stop> {
        match condition.view() {
            ElementView::Bool(value) => Ok(value == truth),
            ElementView::At(tensor, index) => match self.inlined(tensor, &index) {
                Some(inner) => self.suppose(inner, truth),
                None => Ok(true),
            },
            ElementView::Unary(Unary::Not, inner) => self.suppose(inner, !truth),
            ElementView::Unary(test @ (Unary::IsPosInf | Unary::IsNegInf), x) if x.kind().is_float() => {
                self.suppose_infinite(test, x, truth)
            }
            ElementView::Fold { with: Fold::Min, variable, extent, body }
                if truth && condition.kind() == Kind::Bool =>
            {
                self.for_all(variable, extent, |reader| reader.suppose(body, true))
            }
            ElementView::Binary(Binary::And, x, y) if truth => {
                Ok(self.suppose(x, true)? && self.suppose(y, true)?)
            }
            ElementView::Binary(Binary::Or, x, y) if !truth => {
                Ok(self.suppose(x, false)? && self.suppose(y, false)?)
            }
            ElementView::Binary(Binary::Or, x, y) => self.suppose_either(&[(x, true)], &[(y, true)]),
            ElementView::Binary(Binary::And, x, y) => self.suppose_either(&[(x, false)], &[(y, false)]),
            // `a and b` of Python is one or the other.
            ElementView::Select(chosen, x, y) => {
                self.suppose_either(&[(chosen, true), (x, truth)], &[(chosen, false), (y, truth)])
            }
            ElementView::Fold { with: Fold::All, variable, extent, body } if truth => {
                self.for_all(variable, extent, |reader| reader.suppose(body, true))
            }
            ElementView::Fold { with: Fold::Any, variable, extent, body } if !truth => {
                self.for_all(variable, extent, |reader| reader.suppose(body, false))
            }
            ElementView::Binary(function @ (Binary::Lt | Binary::Le | Binary::Eq), x, y)
                if x.kind().class() == Class::Int =>
            {
                let (Interval::Int { low: a, high: b }, Interval::Int { low: c, high: d }) =
                    (self.element(x)?, self.element(y)?)
                else {
                    return Ok(true);
                };
                let (mut left, mut right) = ((a, b), (c, d));
                let mut apart = 0.0;
                // By how much the first is at least below the second.
                let mut below = None;
                match (function, truth) {
                    (Binary::Le, true) => {
                        (left.1, right.0, below) = (b.min(d), c.max(a), Some((false, 0.0)));
                    }
                    (Binary::Lt, true) => {
                        (left.1, right.0, below) = (b.min(d - 1), c.max(a + 1), Some((false, 1.0)));
                    }
                    (Binary::Le, false) => {
                        (left.0, right.1, below) = (a.max(c + 1), d.min(b - 1), Some((true, 1.0)));
                    }
                    (Binary::Lt, false) => {
                        (left.0, right.1, below) = (a.max(c), d.min(b), Some((true, 0.0)));
                    }
                    (_, true) => (left, right) = ((a.max(c), b.min(d)), (a.max(c), b.min(d))),
                    (_, false) if c == d => {
                        if a == c {
                            left.0 = a + 1;
                        }
                        if b == c {
                            left.1 = b - 1;
                        }
                        if c == 0 {
                            apart = 1.0;
                        }
                    }
                    (_, false) => {}
                }
                if left.0 > left.1 || right.0 > right.1 {
                    return Ok(false);
                }
                self.narrow(x, float_ends(left), apart, 0)?;
                self.narrow(y, float_ends(right), 0.0, 0)?;
                if let Some((turned, least)) = below {
                    let (small, large) = if turned { (y, x) } else { (x, y) };
                    self.supposed.push(Supposed {
                        element: (large - small).id(),
                        low: least,
                        high: f64::INFINITY,
                        away: least,
                    });
                    self.supposed.push(Supposed {
                        element: (small - large).id(),
                        low: f64::NEG_INFINITY,
                        high: -least,
                        away: least,
                    });
                }
                Ok(true)
            }
            // `x == inf` asks whether it is infinite.
            ElementView::Binary(Binary::Eq, x, y) if infinity(x).or(infinity(y)).is_some() => {
                let (x, test) = if infinity(y).is_some() { (x, infinity(y)) } else { (y, infinity(x)) };
                test.map_or(Ok(true), |test| self.suppose_infinite(test, x, truth))
            }
            ElementView::Binary(function @ (Binary::Lt | Binary::Le | Binary::Eq), x, y)
                if x.kind().is_float() =>
            {
                let (left, right) = (self.element(x)?, self.element(y)?);
                let (Some((a, b)), Some((c, d))) = (ends(left), ends(right)) else { return Ok(true) };
                let kind = x.kind();
                let (mut left, mut right) = ((a, b), (c, d));
                let mut apart = 0.0;
                match (function, truth) {
                    (Binary::Le, true) => (left.1, right.0) = (b.min(d), c.max(a)),
                    (Binary::Lt, true) => {
                        (left.1, right.0) = (b.min(self.below(kind, d)), c.max(self.above(kind, a)))
                    }
                    (Binary::Le, false) => {
                        (left.0, right.1) = (a.max(self.above(kind, c)), d.min(self.below(kind, b)))
                    }
                    (Binary::Lt, false) => (left.0, right.1) = (a.max(c), d.min(b)),
                    (_, true) => (left, right) = ((a.max(c), b.min(d)), (a.max(c), b.min(d))),
                    (_, false) if c == d && c == 0.0 => apart = self.above(kind, 0.0),
                    (_, false) => {}
                }
                if left.0 > left.1 || right.0 > right.1 {
                    return Ok(false);
                }
                self.narrow(x, left, apart, 0)?;
                self.narrow(y, right, 0.0, 0)?;
                Ok(true)
            }
            _ => Ok(true),
        }
    }

    /// Takes one of two lists of conditions for granted: that which can be, if the other cannot.
    fn suppose_either(&mut self, one: &[(Element, bool)], other: &[(Element, bool)]) -> Result<bool, Stop> {
        const DEEPEST: usize = 6;
        if self.alternatives >= DEEPEST {
            return Ok(true);
        }
        self.alternatives += 1;
        let before = (self.supposed.len(), self.everywhere.len());
        let mut possible = [false; 2];
        for (side, conditions) in [one, other].into_iter().enumerate() {
            let result = self.suppose_all(conditions);
            self.supposed.truncate(before.0);
            self.everywhere.truncate(before.1);
            match result {
                Ok(can_be) => possible[side] = can_be,
                Err(stop) => {
                    self.alternatives -= 1;
                    return Err(stop);
                }
            }
        }
        self.alternatives -= 1;
        match possible {
            [true, false] => self.suppose_all(one),
            [false, true] => self.suppose_all(other),
            [both, _] => Ok(both),
        }
    }

    /// Takes several conditions for granted, each in the light of those before it.
    fn suppose_all(&mut self, conditions: &[(Element, bool)]) -> Result<bool, Stop> {
        let known = std::mem::replace(&mut self.known, vec![Default::default()]);
        let mut result = Ok(true);
        for &(condition, truth) in conditions {
            self.known = vec![Default::default()];
            result = self.suppose(condition, truth);
            if !matches!(result, Ok(true)) {
                break;
            }
        }
        self.known = known;
        result
    }

    /// Supposes that an element is not a certain number.
    pub(super) fn suppose_other(&mut self, element: Element, number: f64) -> Result<(), Stop> {
        let Some((low, high)) = ends(self.element(element)?) else { return Ok(()) };
        let kind = element.kind();
        let least = if low == number { self.above(kind, number) } else { low };
        let most = if high == number { self.below(kind, number) } else { high };
        let away = if number == 0.0 { self.above(kind, 0.0) } else { 0.0 };
        self.supposed.push(Supposed { element: element.id(), low: least, high: most, away });
        self.known = vec![Default::default()];
        self.hazards.clear();
        Ok(())
    }

    /// Supposes something whatever a variable is. Of an axis without places it says nothing.
    fn for_all(
        &mut self,
        variable: Dim,
        extent: Dim,
        suppose: impl FnOnce(&mut Self) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let Some(own) = symbol(variable) else { return Ok(true) };
        let outer = self.spans.insert(own, Span::of(extent));
        self.known.push(Default::default());
        self.quantified.push((own, extent));
        let possible = suppose(self);
        self.quantified.pop();
        self.known.pop();
        match outer {
            Some(outer) => self.spans.insert(own, outer),
            None => self.spans.remove(&own),
        };
        let is_empty = extent.known().is_none_or(|extent| extent == 0);
        Ok(possible? || is_empty)
    }

    /// Whether an index goes through all of a tensor: each axis is gone through by a variable of its own.
    fn covers(&self, tensor: Tensor, index: &[Dim]) -> bool {
        let Some(sizes) = tensor.shape().sizes() else { return false };
        let mut used = Vec::new();
        sizes.len() == index.len()
            && sizes.iter().zip(index).all(|(&size, &at)| {
                if size.known() == Some(1) {
                    return true;
                }
                let own = symbol(at).filter(|own| !used.contains(own));
                used.extend(own);
                let extent = |own| self.quantified.iter().rev().find(|(variable, _)| *variable == own);
                own.and_then(extent).is_some_and(|(_, extent)| extent.id() == size.id())
            })
    }

    /// Notes a range of an element, and what follows for those it is computed from.
    pub(super) fn narrow(
        &mut self,
        element: Element,
        (low, high): (f64, f64),
        away: f64,
        depth: usize,
    ) -> Result<(), Stop> {
        const DEEPEST: usize = 8;
        if depth > DEEPEST || matches!(element.view(), ElementView::Float(_)) {
            return Ok(());
        }
        if self.quantified.is_empty() {
            self.supposed.push(Supposed { element: element.id(), low, high, away });
        } else if let ElementView::At(tensor, index) = element.view()
            && self.covers(tensor, &index)
        {
            self.everywhere.push(Everywhere { tensor, low, high, away });
        }
        let depth = depth + 1;
        match element.view() {
            ElementView::At(tensor, index) => match self.inlined(tensor, &index) {
                Some(inner) => self.narrow(inner, (low, high), away, depth),
                None => Ok(()),
            },
            ElementView::Unary(Unary::Neg, x) => self.narrow(x, (-high, -low), away, depth),
            ElementView::Cast(x) if x.kind().is_float() && element.kind() == Kind::F64 => {
                self.narrow(x, (low, high), away, depth)
            }
            ElementView::Fold { with: Fold::Min, variable, extent, body } => {
                let everything =
                    |reader: &mut Self| reader.narrow(body, (low, f64::INFINITY), 0.0, depth).map(|()| true);
                self.for_all(variable, extent, everything).map(|_| ())
            }
            ElementView::Fold { with: Fold::Max, variable, extent, body } => {
                let everything = |reader: &mut Self| {
                    reader.narrow(body, (f64::NEG_INFINITY, high), 0.0, depth).map(|()| true)
                };
                self.for_all(variable, extent, everything).map(|_| ())
            }
            ElementView::Unary(Unary::Abs, x) => match self.element(x)? {
                Interval::Float { low: least, .. } if least >= 0.0 => {
                    self.narrow(x, (low, high), away, depth)
                }
                _ => self.narrow(x, (-high, high), away.max(low), depth),
            },
            ElementView::Unary(Unary::Exp, x) if low > 0.0 => {
                self.narrow(x, (low.ln().next_down(), high.ln().next_up()), 0.0, depth)
            }
            ElementView::Binary(Binary::Max, x, y) => {
                self.narrow(x, (f64::NEG_INFINITY, high), 0.0, depth)?;
                self.narrow(y, (f64::NEG_INFINITY, high), 0.0, depth)
            }
            ElementView::Binary(Binary::Min, x, y) => {
                self.narrow(x, (low, f64::INFINITY), 0.0, depth)?;
                self.narrow(y, (low, f64::INFINITY), 0.0, depth)
            }
            ElementView::Binary(function @ (Binary::Add | Binary::Sub), x, y)
                if element.kind().class() == Class::Int =>
            {
                // Whole numbers are taken not to wrap around, as everywhere.
                let (Interval::Int { low: a, high: b }, Interval::Int { low: c, high: d }) =
                    (self.element(x)?, self.element(y)?)
                else {
                    return Ok(());
                };
                if !self.settings.sane {
                    return Ok(());
                }
                let ((a, b), (c, d)) = (float_ends((a, b)), float_ends((c, d)));
                match function {
                    Binary::Add => {
                        self.narrow(x, (low - d, high - c), 0.0, depth)?;
                        self.narrow(y, (low - b, high - a), 0.0, depth)
                    }
                    _ => {
                        self.narrow(x, (low + c, high + d), 0.0, depth)?;
                        self.narrow(y, (a - high, b - low), 0.0, depth)
                    }
                }
            }
            ElementView::Cast(x) if x.kind().class() == Class::Int && element.kind().is_float() => {
                // A whole number that a float was made of is as large, but for rounding.
                let outer = |end: f64| end + end.abs() * 2.0 * element.kind().unit_roundoff();
                let away = if away > 0.0 { 1.0 } else { 0.0 };
                self.narrow(x, ((-outer(-low)).ceil(), outer(high).floor()), away, depth)
            }
            ElementView::Binary(function @ (Binary::Add | Binary::Sub), x, y) => {
                let (Interval::Float { low: a, high: b, .. }, Interval::Float { low: c, high: d, .. }) =
                    (self.element(x)?, self.element(y)?)
                else {
                    return Ok(());
                };
                // Rounding the sum may move it: what follows for the terms is wider by that.
                let off = element.kind().unit_roundoff() * low.abs().max(high.abs()) * 2.0;
                if !off.is_finite() {
                    return Ok(());
                }
                let (low, high) = (low - off, high + off);
                match function {
                    Binary::Add => {
                        self.narrow(x, (low - d, high - c), 0.0, depth)?;
                        self.narrow(y, (low - b, high - a), 0.0, depth)
                    }
                    _ => {
                        self.narrow(x, (low + c, high + d), 0.0, depth)?;
                        self.narrow(y, (a - high, b - low), 0.0, depth)
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// The range of an element, narrowed by what is supposed of it.
    pub(super) fn narrowed(&self, element: ElementId, interval: Interval) -> Interval {
        let mut narrowed = interval;
        for supposed in self.all_supposed(element) {
            if let Interval::Int { low, high } = narrowed
                && low <= high
            {
                let (mut least, mut most) =
                    (low.max(whole(supposed.low.ceil())), high.min(whole(supposed.high.floor())));
                let away = whole(supposed.away.ceil());
                if away > 0 && least > -away {
                    least = least.max(away);
                }
                if away > 0 && most < away {
                    most = most.min(-away);
                }
                if least <= most {
                    narrowed = Interval::Int { low: least, high: most };
                }
            }
            if let Interval::Float { low, high, nan } = narrowed
                && low <= high
            {
                let (mut least, mut most) = (low.max(supposed.low), high.min(supposed.high));
                if least > -supposed.away {
                    least = least.max(supposed.away);
                }
                if most < supposed.away {
                    most = most.min(-supposed.away);
                }
                if least > most {
                    (least, most) = (low, high);
                }
                narrowed = Interval::Float { low: least, high: most, nan };
            }
        }
        narrowed
    }
    /// The range of a fold, narrowed by what is supposed of the same one that was computed elsewhere.
    pub(super) fn narrowed_as_another(&mut self, element: Element, interval: Interval) -> Interval {
        let mut narrowed = interval;
        let is_fold = |id: ElementId| matches!(id.element().view(), ElementView::Fold { .. });
        let ids: Vec<ElementId> = self.supposed.iter().map(|supposed| supposed.element).collect();
        for id in ids.into_iter().filter(|&id| id != element.id() && is_fold(id)) {
            if self.is_same(id.element(), element) {
                narrowed = self.narrowed(id, narrowed);
            }
        }
        narrowed
    }
    /// The least magnitude that an element is supposed to have.
    pub(super) fn away_from_zero(&self, element: ElementId) -> f64 {
        self.all_supposed(element).map(|supposed| supposed.away).fold(0.0, f64::max)
    }
    /// What is supposed of an element itself, and of all elements of its tensor.
    fn all_supposed(&self, element: ElementId) -> impl Iterator<Item = Supposed> + '_ {
        let tensor = match element.element().view() {
            ElementView::At(tensor, _) if !self.everywhere.is_empty() => Some(tensor),
            _ => None,
        };
        let own = self.supposed.iter().filter(move |supposed| supposed.element == element).copied();
        let everywhere = self.everywhere.iter().filter(move |supposed| Some(supposed.tensor) == tensor);
        own.chain(everywhere.map(move |&Everywhere { low, high, away, .. }| Supposed {
            element,
            low,
            high,
            away,
        }))
    }

    /// The least number above another that counts: numbers below the normal ones are flushed to zero by many devices.
    pub(super) fn above(&self, kind: Kind, value: f64) -> f64 {
        match (value, self.settings.sane) {
            (value, _) if kind.is_int() => value + 1.0,
            (0.0, true) => smallest_normal(kind),
            (value, true) if value.is_finite() => {
                let step = (value.abs() * kind.unit_roundoff()).max(kind.smallest_error());
                value + step
            }
            (value, _) => value.next_up(),
        }
    }
    pub(super) fn below(&self, kind: Kind, value: f64) -> f64 {
        -self.above(kind, -value)
    }

    /// A quotient whose divisor is supposed not to be zero.
    pub(super) fn quotient_apart(
        &self,
        kind: Kind,
        x: &Interval,
        y: &Interval,
        away: f64,
    ) -> Option<Interval> {
        let Interval::Float { low, high, nan } = *y else { return None };
        let tiny = away.max(self.above(kind, 0.0));
        let mut result: Option<Interval> = None;
        for (low, high) in [(low, high.min(-tiny)), (low.max(tiny), high)] {
            if low <= high {
                let side = Interval::binary(Binary::Div, kind, x, &Interval::Float { low, high, nan })?;
                result = Some(result.map_or(Some(side), |held| held.hull(&side))?);
            }
        }
        result
    }
}

/// The ends of a range of whole numbers, as far as floats tell them apart.
fn float_ends((low, high): (i128, i128)) -> (f64, f64) {
    let most = 1i128 << 53;
    let low = if low < -most {
        f64::NEG_INFINITY
    } else if low > most {
        most as f64
    } else {
        low as f64
    };
    let high = if high > most {
        f64::INFINITY
    } else if high < -most {
        -most as f64
    } else {
        high as f64
    };
    (low, high)
}

/// The ends of a range of numbers, where floats tell them as they are.
pub(super) fn ends(interval: Interval) -> Option<(f64, f64)> {
    match interval {
        Interval::Float { low, high, .. } => Some((low, high)),
        Interval::Int { low, high } => Some((low as f64, high as f64)),
        Interval::Bool { .. } => None,
    }
}

fn whole(end: f64) -> i128 {
    // Beyond either end it is the end.
    end as i128
}

/// The smallest positive number that a type holds with all its digits.
pub fn smallest_normal(kind: Kind) -> f64 {
    match kind {
        Kind::F16 => 2f64.powi(-14),
        Kind::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    }
}
