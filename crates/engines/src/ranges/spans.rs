//! Index expressions whose variables are anywhere in their spans: bounds, truth of conditions, and where a
//! cut would decide one.

use super::partition::Span;
use super::read::{Cut, Reader, Stop};
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use semantics::dim::{AtomId, AtomView, Dim, SymbolId, UNBOUNDED, UNBOUNDED_BELOW};
use semantics::prop::{Prop, PropView};

/// A range whose ends may be missing, for arithmetic that does not wrap.
#[derive(Clone, Copy)]
struct Bounds {
    low: Option<i128>,
    high: Option<i128>,
}

impl Reader<'_> {
    /// Between what an expression lies.
    pub(super) fn bounds(&mut self, dim: Dim) -> Result<(i64, i64), Stop> {
        if let Some(number) = dim.known() {
            return Ok((number, number));
        }
        // Ends of spans are put in for variables as expressions, so that unknown sizes cancel out.
        let terms = dim.terms();
        let (mut low, mut high) = (Dim::from(terms.constant), Dim::from(terms.constant));
        let mut rest = Bounds::point(0);
        for (coefficient, atoms) in terms.terms {
            let varying: Vec<AtomId> = atoms.iter().copied().filter(|atom| self.varies(*atom)).collect();
            let fixed = atoms.iter().filter(|atom| !varying.contains(atom)).map(|atom| atom.dim());
            let factor = fixed.fold(Dim::from(coefficient), |factor, atom| factor * atom);
            match (varying.as_slice(), self.single(&varying)) {
                ([], _) => (low, high) = (low + factor, high + factor),
                (_, Some(span)) if factor.bounds().0 >= 0 => {
                    (low, high) = (low + factor * span.low, high + factor * (span.high - 1));
                }
                (_, Some(span)) if factor.bounds().1 <= 0 => {
                    (low, high) = (low + factor * (span.high - 1), high + factor * span.low);
                }
                _ => {
                    let mut product = Bounds::from(factor.bounds());
                    for atom in varying {
                        product = product.times(self.atom(atom)?);
                    }
                    rest = rest.plus(product);
                }
            }
        }
        let ends = Bounds { low: Bounds::from(low.bounds()).low, high: Bounds::from(high.bounds()).high };
        Ok(ends.plus(rest).within(dim.bounds()))
    }

    fn single(&self, varying: &[AtomId]) -> Option<Span> {
        let [atom] = varying else { return None };
        let AtomView::Symbol(symbol) = atom.view() else { return None };
        self.spans.get(&symbol).copied()
    }
    /// Whether an atom depends on a variable, or on data.
    fn varies(&self, atom: AtomId) -> bool {
        let mut varies = false;
        atom.dim().leaves(&mut |leaf| {
            varies |= match leaf.view() {
                AtomView::Symbol(symbol) => self.spans.contains_key(&symbol),
                AtomView::Value(_) => true,
                _ => false,
            };
        });
        varies
    }

    fn atom(&mut self, atom: AtomId) -> Result<Bounds, Stop> {
        let bounds = match atom.view() {
            AtomView::FloorDiv(a, b) => match (self.bounds(a)?, b.known()) {
                ((low, high), Some(divisor)) if divisor > 0 => {
                    let quotient = |end: i128| end.div_euclid(i128::from(divisor));
                    let ends = Bounds::from((low, high));
                    Bounds { low: ends.low.map(quotient), high: ends.high.map(quotient) }
                }
                _ => Bounds::from(atom.bounds()),
            },
            AtomView::Modulo(a, b) => match (Bounds::from(self.bounds(a)?), b.known().map(i128::from)) {
                (Bounds { low: Some(low), high: Some(high) }, Some(divisor))
                    if divisor > 0 && low.div_euclid(divisor) == high.div_euclid(divisor) =>
                {
                    Bounds { low: Some(low.rem_euclid(divisor)), high: Some(high.rem_euclid(divisor)) }
                }
                _ => Bounds::from(atom.bounds()),
            },
            AtomView::Min(a, b) => {
                let ((a, b), (c, d)) = (self.bounds(a)?, self.bounds(b)?);
                Bounds::from((a.min(c), b.min(d)))
            }
            AtomView::Max(a, b) => {
                let ((a, b), (c, d)) = (self.bounds(a)?, self.bounds(b)?);
                Bounds::from((a.max(c), b.max(d)))
            }
            AtomView::Product(a, b) => Bounds::from(self.bounds(a)?).times(self.bounds(b)?.into()),
            AtomView::Select(prop, a, b) => match self.truth(prop)? {
                Some(true) => self.bounds(a)?.into(),
                Some(false) => self.bounds(b)?.into(),
                None => {
                    let ((a, b), (c, d)) = (self.bounds(a)?, self.bounds(b)?);
                    Bounds::from((a.min(c), b.max(d)))
                }
            },
            AtomView::Value(element) => match self.element(element)? {
                Interval::Int { low, high } => Bounds { low: Some(low), high: Some(high) },
                Interval::Bool { may_be_true, may_be_false } => {
                    (i64::from(!may_be_false), i64::from(may_be_true)).into()
                }
                Interval::Float { .. } => Bounds::from(atom.bounds()),
            },
            AtomView::Symbol(symbol) => match self.spans.get(&symbol) {
                Some(span) => Bounds::from((span.low.bounds().0, (span.high - 1).bounds().1)),
                None => Bounds::from(atom.bounds()),
            },
            AtomView::Rank(_) | AtomView::Size(..) | AtomView::Count(..) => Bounds::from(atom.bounds()),
        };
        Ok(bounds.within(atom.bounds()).into())
    }

    /// Whether a condition holds everywhere, or nowhere.
    pub(super) fn truth(&mut self, prop: Prop) -> Result<Option<bool>, Stop> {
        if let Some(truth) = prop.known() {
            return Ok(Some(truth));
        }
        if let Some((_, truth)) = self.assumed.iter().find(|(assumed, _)| assumed.id() == prop.id()) {
            return Ok(Some(*truth));
        }
        Ok(match prop.view() {
            PropView::Constant(truth) => Some(truth),
            PropView::Equal(a, b) => match self.bounds(a - b)? {
                (0, 0) => Some(true),
                (low, high) if low > 0 || high < 0 => Some(false),
                _ => None,
            },
            PropView::AtMost(a, b) => match self.bounds(b - a)? {
                (low, _) if low >= 0 => Some(true),
                (_, high) if high < 0 => Some(false),
                _ => None,
            },
            PropView::And(parts) => self.connected(parts, false)?,
            PropView::Or(parts) => self.connected(parts, true)?,
            PropView::Not(inner) => self.truth(inner)?.map(|truth| !truth),
            PropView::Value(element) => self.element(element)?.truth(),
            PropView::SameShape(..) | PropView::Broadcastable(..) | PropView::Free(..) => None,
        })
    }

    fn connected(&mut self, parts: Vec<Prop>, decisive: bool) -> Result<Option<bool>, Stop> {
        let mut all = Some(!decisive);
        for part in parts {
            match self.truth(part)? {
                Some(truth) if truth == decisive => return Ok(Some(decisive)),
                Some(_) => {}
                None => all = None,
            }
        }
        Ok(all)
    }

    /// A cut that helps to decide a condition.
    pub(super) fn cut_for(&mut self, prop: Prop) -> Result<Option<Cut>, Stop> {
        Ok(match prop.view() {
            PropView::AtMost(a, b) => self.cut_where_reached(b - a)?,
            PropView::Equal(a, b) => match self.cut_where_reached(a - b)? {
                Some(cut) => Some(cut),
                None => self.cut_where_reached(b - a)?,
            },
            PropView::And(parts) | PropView::Or(parts) => {
                for part in parts {
                    if self.truth(part)?.is_none()
                        && let Some(cut) = self.cut_for(part)?
                    {
                        return Ok(Some(cut));
                    }
                }
                None
            }
            PropView::Not(inner) => self.cut_for(inner)?,
            _ => None,
        })
    }

    /// The cut of one variable on one side of which an expression is negative, on the other it is not.
    pub(super) fn cut_where_reached(&mut self, dim: Dim) -> Result<Option<Cut>, Stop> {
        let normal = dim.terms();
        // The quotient reaches a number where the dividend reaches so many divisors.
        if let [(1, atoms)] = normal.terms.as_slice()
            && let [atom] = atoms[..]
            && let AtomView::FloorDiv(dividend, divisor) = atom.view()
            && divisor.known().is_some_and(|divisor| divisor > 0)
        {
            return self.cut_where_reached(dividend + divisor * normal.constant);
        }
        for (coefficient, atoms) in &normal.terms {
            let [atom] = atoms[..] else { continue };
            let AtomView::Symbol(variable) = atom.view() else { continue };
            if !self.divisible.contains(&variable) {
                continue;
            }
            let rest = dim - atom.dim() * *coefficient;
            let at = match (
                coefficient,
                rest.terms().terms.iter().any(|(_, atoms)| atoms.iter().any(|&atom| self.varies(atom))),
            ) {
                (1, false) => -rest,
                (-1, false) => rest + 1,
                _ => {
                    let Some(at) = whole(*coefficient, self.bounds(rest)?) else { continue };
                    Dim::from(at)
                }
            };
            if self.lies_inside(variable, at) {
                return Ok(Some(Cut { variable, at }));
            }
        }
        Ok(None)
    }

    fn lies_inside(&self, variable: SymbolId, at: Dim) -> bool {
        let Some(span) = self.spans.get(&variable) else { return false };
        let (before, after) = (at - span.low, span.high - at);
        before.known() != Some(0)
            && after.known() != Some(0)
            && before.bounds().0 >= 0
            && after.bounds().0 >= 0
    }
}

/// The value from which on `coefficient * variable + rest` is not negative, if it is the same whatever the rest:
/// rows of a reshaped tensor are cut as a whole.
fn whole(coefficient: i64, (low, high): (i64, i64)) -> Option<i64> {
    if low == UNBOUNDED_BELOW || high == UNBOUNDED {
        return None;
    }
    let step = i128::from(coefficient);
    let (low, high) = (i128::from(low), i128::from(high));
    let at = |rest: i128| match step {
        // The first value that reaches zero, or the first beyond the last that does.
        1.. => (-rest).div_euclid(step) + i128::from((-rest).rem_euclid(step) != 0),
        _ => rest.div_euclid(-step) + 1,
    };
    (step != 0 && at(low) == at(high)).then(|| i64::try_from(at(low)).ok()).flatten()
}

impl From<(i64, i64)> for Bounds {
    fn from((low, high): (i64, i64)) -> Bounds {
        Bounds {
            low: (low != UNBOUNDED_BELOW).then_some(low.into()),
            high: (high != UNBOUNDED).then_some(high.into()),
        }
    }
}

impl From<Bounds> for (i64, i64) {
    fn from(bounds: Bounds) -> (i64, i64) {
        bounds.within((UNBOUNDED_BELOW, UNBOUNDED))
    }
}

impl Bounds {
    fn point(value: i128) -> Bounds {
        Bounds { low: Some(value), high: Some(value) }
    }
    fn plus(self, other: Bounds) -> Bounds {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Bounds { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }
    fn times(self, other: Bounds) -> Bounds {
        let all = || -> Option<[i128; 4]> {
            let (a, b, c, d) = (self.low?, self.high?, other.low?, other.high?);
            Some([a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?])
        };
        match (all(), self.low, other.low) {
            (Some(corners), ..) => {
                Bounds { low: corners.iter().min().copied(), high: corners.iter().max().copied() }
            }
            (None, Some(a), Some(c)) if a >= 0 && c >= 0 => Bounds { low: a.checked_mul(c), high: None },
            _ => Bounds { low: None, high: None },
        }
    }
    /// As 64-bit ends, where declared ranges may say more.
    fn within(self, (least, most): (i64, i64)) -> (i64, i64) {
        let low = self.low.and_then(|low| i64::try_from(low).ok()).map_or(least, |low| low.max(least));
        let high = self.high.and_then(|high| i64::try_from(high).ok()).map_or(most, |high| high.min(most));
        (low, high)
    }
}
