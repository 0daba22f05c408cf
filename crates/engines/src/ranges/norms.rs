//! Numbers divided by their norms: how large what comes of it can be.

use super::read::{Reader, Stop};
use super::relations::{Variables, body_of};
use semantics::dim::Dim;
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold, Unary};

impl Reader<'_> {
    /// How large a quotient can be whose divisor is the norm of numbers of which one is divided: one, or the root of
    /// how many there are if it is the root of their mean square.
    pub(super) fn over_norm(
        &mut self,
        term: Element,
        divisor: Element,
        depth: usize,
    ) -> Result<Option<f64>, Stop> {
        const DEEPEST: usize = 3;
        if depth > DEEPEST {
            return Ok(None);
        }
        for face in self.faces(divisor)? {
            match face.view() {
                // What makes it larger does no harm.
                ElementView::Binary(Binary::Add, x, more) if self.float_low(more)? >= 0.0 => {
                    return self.over_norm(term, x, depth + 1);
                }
                ElementView::Binary(Binary::Max, x, y) => {
                    let first = self.over_norm(term, x, depth + 1)?;
                    return Ok(first.or(self.over_norm(term, y, depth + 1)?));
                }
                ElementView::Unary(Unary::Sqrt, total) => {
                    if let Some(squared) = self.over_sum_of_squares(term, total, 0)? {
                        return Ok(Some(squared.sqrt()));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// How large a sum of products can be whose factors are numbers divided by their norms along the same axis: the
    /// inequality of Cauchy and Schwarz.
    pub(super) fn product_of_norms(&mut self, variable: Dim, body: Element) -> Result<Option<f64>, Stop> {
        for face in self.faces(body)? {
            let ElementView::Binary(Binary::Mul, x, y) = face.view() else { continue };
            if let Some(first) = self.norm_along(variable, x, 0)? {
                return Ok(self.norm_along(variable, y, 0)?.map(|second| first * second));
            }
        }
        Ok(None)
    }

    /// The norm along an axis of what was divided by its norm along that axis.
    fn norm_along(&mut self, variable: Dim, element: Element, depth: usize) -> Result<Option<f64>, Stop> {
        const DEEPEST: usize = 8;
        let Some(atom) = variable.as_atom().filter(|_| depth < DEEPEST) else { return Ok(None) };
        for face in self.faces(element)? {
            match face.view() {
                ElementView::Binary(Binary::Div, term, norm) => {
                    let is_alike = norm.at_indices(&[(atom, Dim::from(0))]).id() == norm.id();
                    let varies = term.at_indices(&[(atom, Dim::from(0))]).id() != term.id();
                    return if is_alike && varies { self.over_norm(term, norm, 0) } else { Ok(None) };
                }
                // What brings numbers nearer to zero.
                ElementView::Binary(function @ (Binary::Max | Binary::Min), x, y) => {
                    let bound = self.point(y)?;
                    let is_harmless = match function {
                        Binary::Max => bound.is_some_and(|bound| bound <= 0.0),
                        _ => bound.is_some_and(|bound| bound >= 0.0),
                    };
                    return if is_harmless { self.norm_along(variable, x, depth + 1) } else { Ok(None) };
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The same for a product with one over the norm.
    pub(super) fn times_inverse_norm(&mut self, x: Element, y: Element) -> Result<Option<f64>, Stop> {
        for (term, inverse) in [(x, y), (y, x)] {
            let mut faces = self.faces(inverse)?;
            // Half precision takes the inverse of a norm that was computed in a wider type.
            if let Some(ElementView::Cast(wider)) = faces.last().map(|face| face.view())
                && wider.kind().is_float()
            {
                faces.extend(self.faces(wider)?);
            }
            for face in faces {
                let most = match face.view() {
                    ElementView::Unary(Unary::Reciprocal, norm) => self.over_norm(term, norm, 0)?,
                    ElementView::Binary(Binary::Div, one, norm) if self.point(one)? == Some(1.0) => {
                        self.over_norm(term, norm, 0)?
                    }
                    _ => None,
                };
                if most.is_some() {
                    return Ok(most);
                }
            }
        }
        Ok(None)
    }

    /// How large the square of a term can be by what is at least a part of the sum of all squares.
    fn over_sum_of_squares(
        &mut self,
        term: Element,
        total: Element,
        depth: usize,
    ) -> Result<Option<f64>, Stop> {
        const DEEPEST: usize = 4;
        if depth > DEEPEST {
            return Ok(None);
        }
        for face in self.faces(total)? {
            let most = match face.view() {
                ElementView::Binary(Binary::Add, x, more) if self.float_low(more)? >= 0.0 => {
                    self.over_sum_of_squares(term, x, depth + 1)?
                }
                ElementView::Binary(Binary::Max, x, y) => {
                    let first = self.over_sum_of_squares(term, x, depth + 1)?;
                    first.or(self.over_sum_of_squares(term, y, depth + 1)?)
                }
                ElementView::Binary(Binary::Div, x, count) => match self.point(count)? {
                    Some(count) if count > 0.0 => {
                        self.over_sum_of_squares(term, x, depth + 1)?.map(|most| most * count)
                    }
                    _ => None,
                },
                ElementView::Fold { with: Fold::Sum, .. } if self.is_sum_of_squares(face, term)? => Some(1.0),
                _ => None,
            };
            if most.is_some() {
                return Ok(most);
            }
        }
        Ok(None)
    }

    /// Whether the square of a term is among those that a sum is of.
    fn is_sum_of_squares(&mut self, sum: Element, term: Element) -> Result<bool, Stop> {
        let mut variables: Variables = Vec::new();
        let body = body_of(sum, &mut variables);
        let exponent = self.faces(body)?.into_iter().find_map(|face| match face.view() {
            ElementView::Binary(Binary::Pow, _, exponent) => Some(exponent),
            _ => None,
        });
        let kind = sum.kind();
        let as_summed = if term.kind() != kind && term.kind().is_float() { term.cast(kind) } else { term };
        for term in [term, self.seen_through(term), as_summed] {
            if term.kind() != kind {
                continue;
            }
            let mut squares = vec![term.binary(Binary::Mul, term)];
            if let Some(exponent) = exponent
                && self.point(exponent)? == Some(2.0)
            {
                squares.push(term.binary(Binary::Pow, exponent));
            }
            for square in squares {
                // What is summed may have been a tensor of its own.
                if self.is_term(sum, square)? || self.is_square_summed(sum, square)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether what a sum is of, looked through, is a square for certain places of its variables.
    fn is_square_summed(&mut self, sum: Element, square: Element) -> Result<bool, Stop> {
        let mut variables: Variables = Vec::new();
        let body = body_of(sum, &mut variables);
        for face in self.faces(body)?.into_iter().skip(1) {
            let mut variables = variables.clone();
            if !self.matches(face, square, &mut variables, 0) {
                continue;
            }
            let mut is_inside = true;
            for (_, extent, bound) in &variables {
                let Some(bound) = *bound else {
                    is_inside = false;
                    break;
                };
                is_inside =
                    is_inside && self.bounds(bound)?.0 >= 0 && self.bounds(*extent - 1 - bound)?.0 >= 0;
            }
            if is_inside {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
