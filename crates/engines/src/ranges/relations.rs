//! Differences of two elements that intervals cannot see: nothing exceeds the largest, a magnitude is no less than the
//! number, the mean of squares is no less than the square of the mean.
//!
//! Every rule holds for results that are rounded in the element type, too, or states what rounding may lose.

use super::affine::Affine;
use super::read::{Reader, Stop};
use crate::evaluate::interval::Interval;
use semantics::dim::{AtomId, Dim};
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold, Unary};

impl Reader<'_> {
    /// Between what `more - less` lies, if a rule says so.
    pub(super) fn difference(&mut self, more: Element, less: Element) -> Result<Option<(f64, f64)>, Stop> {
        if let Some(span) = self.at_least(more, less)? {
            return Ok(Some(span));
        }
        Ok(self.at_least(less, more)?.map(|(low, high)| (-high, -low)))
    }

    fn at_least(&mut self, more: Element, less: Element) -> Result<Option<(f64, f64)>, Stop> {
        const NOT_NEGATIVE: Option<(f64, f64)> = Some((0.0, f64::INFINITY));
        Ok(match more.view() {
            ElementView::Fold { with: Fold::Max, .. } if self.is_term(more, less)? => NOT_NEGATIVE,
            ElementView::Fold { with: Fold::Sum, .. }
                if self.is_term(more, less)? && self.float_low(less)? >= 0.0 =>
            {
                NOT_NEGATIVE
            }
            ElementView::Unary(Unary::Abs, x) if x.id() == less.id() => NOT_NEGATIVE,
            ElementView::Unary(Unary::Abs, x) => match less.view() {
                ElementView::Unary(Unary::Neg, y) if x.id() == y.id() => NOT_NEGATIVE,
                _ => None,
            },
            // The logarithm of a sum of powers is no less than any exponent.
            ElementView::Unary(Unary::Ln, total) if self.is_term(total, less.unary(Unary::Exp))? => {
                NOT_NEGATIVE
            }
            ElementView::Binary(Binary::Max, x, y) => match less.view() {
                _ if x.id() == less.id() || y.id() == less.id() => NOT_NEGATIVE,
                // relu(x) - relu(-x) = x
                ElementView::Binary(Binary::Max, u, v) if is_zero(y) && is_zero(v) => {
                    let (p, q) = (self.affine(x)?, self.affine(u)?);
                    if p.is_negation_of(&q) { Some(self.affine_bounds(&p)?) } else { None }
                }
                _ => None,
            },
            _ => match less.view() {
                ElementView::Fold { with: Fold::Min, .. } if self.is_term(less, more)? => NOT_NEGATIVE,
                ElementView::Binary(Binary::Min, x, y) if x.id() == more.id() || y.id() == more.id() => {
                    NOT_NEGATIVE
                }
                _ => None,
            },
        })
    }

    /// Whether an element is one of those that a fold is over.
    pub(super) fn is_term(&mut self, fold: Element, term: Element) -> Result<bool, Stop> {
        let mut variables: Vec<(AtomId, Dim, Option<Dim>)> = Vec::new();
        let mut body = fold;
        while let ElementView::Fold { variable, extent, body: inner, .. } = body.view() {
            let Some(atom) = variable.as_atom() else { return Ok(false) };
            variables.push((atom, extent, None));
            body = inner;
        }
        if variables.is_empty() || !matches(body, term, &mut variables) {
            return Ok(false);
        }
        for (_, extent, bound) in &variables {
            let Some(bound) = *bound else { return Ok(false) };
            if self.bounds(bound)?.0 < 0 || self.bounds(*extent - 1 - bound)?.0 < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `a * sum(x * x) - b * (c * sum(x))²` is not negative if `b * c² * n <= a` (Cauchy and Schwarz), but for rounding.
    pub(super) fn spread(
        &mut self,
        squares: (f64, Element),
        square: (f64, Element),
    ) -> Result<Option<f64>, Stop> {
        let ((a, sum), (b, product)) = (squares, square);
        let Some(mean) = self.root_of(product)? else { return Ok(None) };
        if a <= 0.0 || b <= 0.0 {
            return Ok(None);
        }
        let mean = self.affine(mean)?;
        let Some((c, total)) = mean.single_term() else { return Ok(None) };
        let (mut x, mut xx, mut count) = (total, sum, 1.0);
        while let (
            ElementView::Fold { with: Fold::Sum, variable, extent, body },
            ElementView::Fold { with: Fold::Sum, variable: other, extent: as_far, body: of_squares },
        ) = (x.view(), xx.view())
        {
            if extent.id() != as_far.id() {
                return Ok(None);
            }
            let Some(other) = other.as_atom() else { return Ok(None) };
            count *= self.bounds(extent)?.1 as f64;
            (x, xx) = (body, of_squares.at_indices(&[(other, variable)]));
        }
        let xx = self.seen_through(xx);
        let is_square = match self.root_of(xx)? {
            Some(root) => self.seen_through(root).id() == self.seen_through(x).id(),
            None => false,
        };
        if !is_square || b * c * c * count > a * (1.0 + 1e-9) {
            return Ok(None);
        }
        // Sums are made in blocks or by halves: the error grows far slower than the count.
        let steps = count.sqrt() + 8.0;
        let unit = sum.kind().unit_roundoff();
        Ok(self.float_high(sum)?.map(|most| -(steps * unit * a * most)))
    }

    /// What an element is the square of.
    fn root_of(&mut self, element: Element) -> Result<Option<Element>, Stop> {
        Ok(match element.view() {
            ElementView::Binary(Binary::Mul, x, y) if x.id() == y.id() => Some(x),
            ElementView::Binary(Binary::Pow, x, y) if self.point(y)? == Some(2.0) => Some(x),
            _ => None,
        })
    }

    /// What a tensor's element is computed as, if it is read from one.
    pub(super) fn seen_through(&mut self, element: Element) -> Element {
        match element.view() {
            ElementView::At(tensor, index) => self.inlined(tensor, &index).unwrap_or(element),
            _ => element,
        }
    }

    /// Terms that are divided by their own sum add up to one.
    pub(super) fn sums_to_one(&mut self, fold: Element) -> Result<Option<Interval>, Stop> {
        let ElementView::Fold { with: Fold::Sum, variable, extent, body } = fold.view() else {
            return Ok(None);
        };
        let ElementView::Binary(Binary::Div, part, total) = self.seen_through(body).view() else {
            return Ok(None);
        };
        let ElementView::Fold { with: Fold::Sum, variable: other, extent: as_far, body: term } =
            self.seen_through(total).view()
        else {
            return Ok(None);
        };
        let Some(other) = other.as_atom() else { return Ok(None) };
        let same = extent.id() == as_far.id() && term.at_indices(&[(other, variable)]).id() == part.id();
        if !same || self.float_low(part)? < 0.0 {
            return Ok(None);
        }
        let count = self.bounds(extent)?.1 as f64;
        let off = (count.sqrt() + 8.0) * fold.kind().unit_roundoff();
        Ok((off < 1.0).then_some(Interval::Float { low: 1.0 - off, high: 1.0 + off, nan: false }))
    }

    pub(super) fn float_low(&mut self, element: Element) -> Result<f64, Stop> {
        Ok(match self.element(element)? {
            Interval::Float { low, high, nan: false } if low <= high => low,
            _ => f64::NEG_INFINITY,
        })
    }
    fn float_high(&mut self, element: Element) -> Result<Option<f64>, Stop> {
        Ok(match self.element(element)? {
            Interval::Float { low, high, .. } if low <= high && high.is_finite() => Some(high),
            _ => None,
        })
    }
}

pub(super) fn is_zero(element: Element) -> bool {
    matches!(element.view(), ElementView::Float(value) if value == 0.0)
}

/// Whether a term is a pattern with dims in the place of its variables, which are told.
fn matches(pattern: Element, term: Element, variables: &mut [(AtomId, Dim, Option<Dim>)]) -> bool {
    if pattern.kind() != term.kind() {
        return false;
    }
    match (pattern.view(), term.view()) {
        (ElementView::At(a, from), ElementView::At(b, to)) => {
            a == b
                && from.len() == to.len()
                && from.iter().zip(&to).all(|(&from, &to)| matches_dim(from, to, variables))
        }
        (ElementView::Unary(f, x), ElementView::Unary(g, y)) => f == g && matches(x, y, variables),
        (ElementView::Binary(f, x, p), ElementView::Binary(g, y, q)) => {
            f == g && matches(x, y, variables) && matches(p, q, variables)
        }
        (ElementView::Cast(x), ElementView::Cast(y)) => matches(x, y, variables),
        _ => pattern.id() == term.id(),
    }
}

fn matches_dim(from: Dim, to: Dim, variables: &mut [(AtomId, Dim, Option<Dim>)]) -> bool {
    let variable = from.as_atom().and_then(|atom| variables.iter_mut().find(|(own, ..)| *own == atom));
    match variable {
        Some((_, _, bound @ None)) => {
            *bound = Some(to);
            true
        }
        Some((_, _, Some(bound))) => bound.id() == to.id(),
        None => from.id() == to.id(),
    }
}

impl Affine {
    /// The only term, if there is no constant beside it.
    fn single_term(&self) -> Option<(f64, Element)> {
        match self.terms.as_slice() {
            [(coefficient, atom)] if self.constant == 0.0 => Some((*coefficient, *atom)),
            _ => None,
        }
    }
}
