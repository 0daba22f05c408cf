//! Numbers of which it is known what they add up to: shares of a whole, one out of several. The largest of them is no less
//! than their mean, and their entropy no more than that of equal shares.

use super::read::{Reader, Stop};
use super::relations::{Variables, body_of};
use crate::evaluate::interval::Interval;
use semantics::dim::Dim;
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold, Unary};

const DEEPEST: usize = 4;

impl Reader<'_> {
    /// Terms that are divided by their own sum add up to one.
    pub(super) fn sums_to_one(&mut self, fold: Element) -> Result<Option<Interval>, Stop> {
        let ElementView::Fold { with: Fold::Sum, variable, extent, body } = fold.view() else {
            return Ok(None);
        };
        let total = self.total_over(variable, extent, body, 0)?;
        Ok(total.map(|(low, high)| Interval::Float { low, high, nan: false }))
    }

    /// The largest of numbers that add up to something.
    pub(super) fn largest_of_shares(&mut self, fold: Element) -> Result<Option<Interval>, Stop> {
        let ElementView::Fold { with: Fold::Max, variable, extent, body } = fold.view() else {
            return Ok(None);
        };
        let count = self.bounds(extent)?.1;
        let total = self.total_over(variable, extent, body, 0)?;
        Ok(total.filter(|_| count > 0).map(|(low, _)| {
            let least = low / count as f64;
            let least = least - least.abs() * 4.0 * fold.kind().unit_roundoff();
            Interval::Float { low: least, high: f64::INFINITY, nan: true }
        }))
    }

    /// Between what the terms of a sum add up to, if it is by how they are made. Rounding of the terms and of the sum is
    /// counted in.
    fn total_over(
        &mut self,
        variable: Dim,
        extent: Dim,
        body: Element,
        depth: usize,
    ) -> Result<Option<(f64, f64)>, Stop> {
        let Some(atom) = variable.as_atom().filter(|_| depth < DEEPEST) else { return Ok(None) };
        let varies = |element: Element| element.at_indices(&[(atom, Dim::from(0))]).id() != element.id();
        let is_one = |(low, high): (f64, f64)| low >= 0.5 && high <= 2.0;
        for face in self.faces(body)? {
            let found = match face.view() {
                ElementView::Binary(Binary::Div, part, total) => {
                    match self.shares(variable, extent, part, total)? {
                        Some(off) => Some((1.0 - off, 1.0 + off)),
                        None if varies(total) => None,
                        None => match self.point(total)? {
                            Some(number) if number > 0.0 => {
                                let whole = self.total_over(variable, extent, part, depth + 1)?;
                                whole.map(|(low, high)| (low / number, high / number))
                            }
                            _ => None,
                        },
                    }
                }
                ElementView::Binary(Binary::Mul, x, y) => {
                    let mut found = None;
                    for (share, factor) in [(x, y), (y, x)] {
                        if let Some(number) = self.point(factor)?
                            && number > 0.0
                            && let Some((low, high)) = self.total_over(variable, extent, share, depth + 1)?
                        {
                            found = Some((low * number, high * number));
                        }
                    }
                    found
                }
                // The sum of sums, the other way round.
                ElementView::Fold { with: Fold::Sum, extent: many, body: inner, .. } => {
                    let (least, most) = self.bounds(many)?;
                    let whole = self.total_over(variable, extent, inner, depth + 1)?;
                    let unit = face.kind().unit_roundoff();
                    whole.filter(|(low, _)| *low >= 0.0 && most as f64 * unit < 0.25).map(|(low, high)| {
                        let off = most as f64 * unit;
                        (low * least as f64 * (1.0 - off), high * most as f64 * (1.0 + off))
                    })
                }
                ElementView::Unary(Unary::Exp, exponent) => {
                    self.powers_of_shares(variable, extent, exponent)?
                }
                // One where the number is that of a place, and zero elsewhere.
                ElementView::Cast(truth) if truth.kind() == Kind::Bool => {
                    self.is_at_one_place(truth, variable)?.then_some((0.0, 1.0))
                }
                // Whole numbers up to these are floats, too.
                ElementView::Cast(whole) if whole.kind().class() == Class::Int => {
                    self.total_over(variable, extent, whole, depth + 1)?
                }
                ElementView::Select(truth, then, otherwise) => {
                    let ends = (self.point(then)?, self.point(otherwise)?);
                    let is_one_hot =
                        ends == (Some(1.0), Some(0.0)) && self.is_at_one_place(truth, variable)?;
                    is_one_hot.then_some((0.0, 1.0))
                }
                _ => None,
            };
            if let Some((low, high)) = found {
                // Adding up loses a little, and more of many numbers.
                let count = self.bounds(extent)?.1 as f64;
                let unit = if face.kind().is_float() { face.kind().unit_roundoff() } else { 0.0 };
                let off = (count.sqrt() + 8.0) * unit;
                let widened = (low - low.abs() * off, high + high.abs() * off);
                return Ok((off < 0.25 && (is_one(widened) || depth > 0 || low >= 0.0)).then_some(widened));
            }
        }
        Ok(None)
    }

    /// Whether numbers are divided by their own sum, and none is negative: what rounding may change.
    fn shares(
        &mut self,
        variable: Dim,
        extent: Dim,
        part: Element,
        total: Element,
    ) -> Result<Option<f64>, Stop> {
        for face in self.faces(total)? {
            let ElementView::Fold { with: Fold::Sum, variable: other, extent: as_far, body: term } =
                face.view()
            else {
                continue;
            };
            let Some(other) = other.as_atom().filter(|_| extent.id() == as_far.id()) else { return Ok(None) };
            let term = term.at_indices(&[(other, variable)]);
            if !self.is_same(term, part) || self.float_low(part)? < 0.0 {
                return Ok(None);
            }
            let count = self.bounds(extent)?.1 as f64;
            let off = (count.sqrt() + 8.0) * part.kind().unit_roundoff();
            return Ok((off < 0.25).then_some(off));
        }
        Ok(None)
    }

    /// Powers of numbers less the logarithm of the sum of their powers: what rounding a number that is added up may change
    /// is large only where the power is small, `t exp(-t)` being less than a half.
    fn powers_of_shares(
        &mut self,
        variable: Dim,
        extent: Dim,
        exponent: Element,
    ) -> Result<Option<(f64, f64)>, Stop> {
        for face in self.faces(exponent)? {
            let ElementView::Binary(Binary::Sub, x, logarithm) = face.view() else { continue };
            for logarithm in self.faces(logarithm)? {
                let ElementView::Unary(Unary::Ln, total) = logarithm.view() else { continue };
                let is_at_most_one = matches!(self.element(x)?, Interval::Float { high, .. } if high <= 0.0);
                if is_at_most_one && self.shares(variable, extent, x.unary(Unary::Exp), total)?.is_some() {
                    let count = self.bounds(extent)?.1 as f64;
                    let off = (4.0 * count + 64.0) * x.kind().unit_roundoff();
                    return Ok((off < 0.25).then_some((1.0 - off, 1.0 + off)));
                }
            }
        }
        Ok(None)
    }

    /// Whether a condition holds at one place of an axis at most.
    fn is_at_one_place(&mut self, truth: Element, variable: Dim) -> Result<bool, Stop> {
        let Some(atom) = variable.as_atom() else { return Ok(false) };
        for truth in self.faces(truth)? {
            let ElementView::Binary(Binary::Eq, x, y) = truth.view() else { continue };
            for (place, number) in [(x, y), (y, x)] {
                let is_place = self.faces(place)?.into_iter().any(
                    |place| matches!(place.view(), ElementView::Index(dim) if dim.id() == variable.id()),
                );
                let is_alike = number.at_indices(&[(atom, Dim::from(0))]).id() == number.id();
                if is_place && is_alike {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Between what a sum of shares times their logarithms lies. Of n shares of a whole it is no less than minus the
    /// logarithm of n, whatever makes the logarithms larger.
    pub(super) fn entropy(&mut self, fold: Element) -> Result<Option<Interval>, Stop> {
        let mut variables: Variables = Vec::new();
        let body = body_of(fold, &mut variables);
        let [(atom, extent, _)] = variables[..] else { return Ok(None) };
        let count = self.bounds(extent)?.1;
        for face in self.faces(body)? {
            let Some((x, logarithm, is_negated)) = self.weighted_logarithm(face)? else { continue };
            let Some((_, most)) = self.total_over(atom.dim(), extent, x, 0)? else { return Ok(None) };
            if !self.is_share_or_more(x, logarithm)? || self.float_low(x)? < 0.0 || count < 1 {
                return Ok(None);
            }
            // `s ln(n / s)` is largest at `s = n / e`.
            let count = count as f64;
            let share = most.min(count / std::f64::consts::E);
            let largest = share * (count / share).ln();
            // Rounding a logarithm, and what underflows, loses a little.
            let least = -(largest * 1.001 + 0.001);
            return Ok(Some(match is_negated {
                false => Interval::Float { low: least, high: f64::INFINITY, nan: true },
                true => Interval::Float { low: f64::NEG_INFINITY, high: -least, nan: true },
            }));
        }
        Ok(None)
    }

    /// A number times a logarithm, and whether it is taken with a minus.
    fn weighted_logarithm(&mut self, product: Element) -> Result<Option<(Element, Element, bool)>, Stop> {
        let mut negated = false;
        let mut open = product;
        loop {
            open = match open.view() {
                ElementView::Unary(Unary::Neg, x) => {
                    negated = !negated;
                    self.seen_through(x)
                }
                // Nothing, where the number is zero.
                ElementView::Select(_, zero, product) if super::relations::is_zero(zero) => product,
                ElementView::Binary(Binary::Mul, x, y) => {
                    for (own, logarithm) in [(x, y), (y, x)] {
                        let faces = self.faces(own)?;
                        let minus = faces.iter().find_map(|face| match face.view() {
                            ElementView::Unary(Unary::Neg, inner) => Some(inner),
                            _ => None,
                        });
                        let (own, turned) = minus.map_or((own, false), |inner| (inner, true));
                        if self.is_share_or_more(own, logarithm)? {
                            return Ok(Some((own, logarithm, negated ^ turned)));
                        }
                    }
                    return Ok(None);
                }
                _ => return Ok(None),
            };
        }
    }

    /// Whether one element is the logarithm of another, or of something that is no less.
    fn is_share_or_more(&mut self, x: Element, logarithm: Element) -> Result<bool, Stop> {
        for own in self.faces(x)? {
            if let ElementView::Unary(Unary::Exp, exponent) = own.view()
                && self.is_same(exponent, logarithm)
            {
                return Ok(true);
            }
        }
        for face in self.faces(logarithm)? {
            if let ElementView::Unary(Unary::Ln, y) = face.view() {
                return self.is_no_less(y, x, 1);
            }
        }
        Ok(false)
    }
}
