//! Which of two numbers is the larger by how they are computed, though nobody knows how large they are.

use super::read::{Reader, Stop};
use super::relations::{Variables, body_of};
use crate::evaluate::interval::Interval;
use semantics::dim::Dim;
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold};

/// How deep numbers are taken apart.
const DEEPEST: usize = 5;
/// Sums of more terms may be off by more than a little.
const MOST_SUMMED: i64 = 1 << 20;
/// Products of more factors may be, too.
const MOST_MULTIPLIED: i64 = 1 << 8;

impl Reader<'_> {
    /// Whether one number is never less than another because of how they are computed, which rounding does not change, for
    /// it keeps the order of numbers: the larger of two and the smaller of one of them, a number that is not negative and
    /// a part of it, sums and products with one thing changed.
    pub(super) fn is_no_less(&mut self, more: Element, less: Element, depth: usize) -> Result<bool, Stop> {
        if depth > DEEPEST {
            return Ok(false);
        }
        if self.is_same(more, less) || self.is_above(more, less)? {
            return Ok(true);
        }
        let (mores, lesses) = (self.faces(more)?, self.faces(less)?);
        for &more in &mores {
            for &less in &lesses {
                if self.is_made_no_less(more, less, depth + 1)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether ranges alone say it.
    fn is_above(&mut self, more: Element, less: Element) -> Result<bool, Stop> {
        let least = self.float_low(more)?;
        Ok(
            matches!(self.element(less)?, Interval::Float { low, high, nan: false } if low <= high && high <= least),
        )
    }

    fn is_made_no_less(&mut self, more: Element, less: Element, depth: usize) -> Result<bool, Stop> {
        match less.view() {
            ElementView::Binary(Binary::Min, c, d) if self.is_either_less(more, c, d, depth)? => {
                return Ok(true);
            }
            // A share of something is no more than it.
            ElementView::Binary(Binary::Mul, x, y) if self.float_low(more)? >= 0.0 => {
                for (whole, share) in [(x, y), (y, x)] {
                    let is_share = matches!(self.element(share)?, Interval::Float { low, high, nan: false } if low <= high && high <= 1.0);
                    if is_share && self.is_no_less(more, whole, depth)? && self.float_low(whole)? >= 0.0 {
                        return Ok(true);
                    }
                }
            }
            // Neither is what something was taken off of.
            ElementView::Binary(Binary::Sub, c, d)
                if self.float_low(d)? >= 0.0 && self.is_no_less(more, c, depth)? =>
            {
                return Ok(true);
            }
            _ => {}
        }
        match (more.view(), less.view()) {
            (ElementView::Binary(Binary::Max, a, b), ElementView::Binary(Binary::Max, c, d)) => Ok(self
                .is_pairwise_no_less((a, b), (c, d), depth)?
                || self.is_no_less(a, less, depth)?
                || self.is_no_less(b, less, depth)?),
            (ElementView::Binary(Binary::Max, a, b), _) => {
                Ok(self.is_no_less(a, less, depth)? || self.is_no_less(b, less, depth)?)
            }
            (ElementView::Binary(Binary::Min, a, b), _) => {
                Ok(self.is_no_less(a, less, depth)? && self.is_no_less(b, less, depth)?)
            }
            (ElementView::Binary(Binary::Add, a, b), ElementView::Binary(Binary::Add, c, d)) => Ok(self
                .is_pairwise_no_less((a, b), (c, d), depth)?
                || self.is_pairwise_no_less((a, b), (d, c), depth)?
                || self.is_added_to(a, b, less, depth)?),
            (ElementView::Binary(Binary::Add, a, b), _) => self.is_added_to(a, b, less, depth),
            (ElementView::Binary(Binary::Sub, a, b), ElementView::Binary(Binary::Sub, c, d)) => {
                Ok(self.is_no_less(a, c, depth)? && self.is_no_less(d, b, depth)?)
            }
            (ElementView::Binary(Binary::Mul, a, b), ElementView::Binary(Binary::Mul, c, d)) => {
                for ((a, b), (c, d)) in [((a, b), (c, d)), ((a, b), (d, c))] {
                    for ((a, c), (b, d)) in [((a, c), (b, d)), ((b, d), (a, c))] {
                        let is_scaled = self.is_same(b, d) && self.float_low(b)? >= 0.0;
                        if is_scaled && self.is_no_less(a, c, depth)? {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
            (ElementView::Binary(Binary::Div, a, b), ElementView::Binary(Binary::Div, c, d)) => {
                Ok(self.is_same(b, d) && self.float_low(b)? > 0.0 && self.is_no_less(a, c, depth)?)
            }
            _ => Ok(false),
        }
    }

    fn is_either_less(&mut self, more: Element, c: Element, d: Element, depth: usize) -> Result<bool, Stop> {
        Ok(self.is_no_less(more, c, depth)? || self.is_no_less(more, d, depth)?)
    }

    fn is_pairwise_no_less(
        &mut self,
        (a, b): (Element, Element),
        (c, d): (Element, Element),
        depth: usize,
    ) -> Result<bool, Stop> {
        Ok(self.is_no_less(a, c, depth)? && self.is_no_less(b, d, depth)?)
    }

    fn is_added_to(&mut self, a: Element, b: Element, less: Element, depth: usize) -> Result<bool, Stop> {
        for (own, more) in [(a, b), (b, a)] {
            if self.float_low(more)? >= 0.0 && self.is_no_less(own, less, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a sum or product of numbers that are not negative is no less than another whose terms are no more, but for
    /// what adding up in one order or another may change: a fifth at most.
    fn is_roughly_no_less(&mut self, more: Element, less: Element, depth: usize) -> Result<bool, Stop> {
        if depth > DEEPEST || self.float_low(less)? < 0.0 {
            return Ok(false);
        }
        if self.is_no_less(more, less, depth)? {
            return Ok(true);
        }
        let (mores, lesses) = (self.faces(more)?, self.faces(less)?);
        for &more in &mores {
            for &less in &lesses {
                let is_no_less = match (more.view(), less.view()) {
                    (ElementView::Fold { with, .. }, ElementView::Fold { with: other, .. })
                        if with == other =>
                    {
                        self.is_folded_of_no_less(with, more, less, depth + 1)?
                    }
                    (ElementView::Binary(Binary::Mul | Binary::Div, a, b), ElementView::Binary(g, c, d))
                        if matches!(more.view(), ElementView::Binary(f, ..) if f == g) =>
                    {
                        let is_scaled = self.is_same(b, d) && self.float_low(b)? > 0.0;
                        is_scaled && self.is_roughly_no_less(a, c, depth + 1)?
                    }
                    _ => false,
                };
                if is_no_less {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_folded_of_no_less(
        &mut self,
        with: Fold,
        more: Element,
        less: Element,
        depth: usize,
    ) -> Result<bool, Stop> {
        let most = match with {
            Fold::Sum => MOST_SUMMED,
            Fold::Product => MOST_MULTIPLIED,
            _ => return Ok(false),
        };
        let (mut own, mut others): (Variables, Variables) = (Vec::new(), Vec::new());
        let (term, other) = (body_of(more, &mut own), body_of(less, &mut others));
        if own.len() != others.len() {
            return Ok(false);
        }
        let (mut places, mut count): (Vec<(_, Dim)>, i64) = (Vec::new(), 1);
        for ((atom, extent, _), (variable, as_far, _)) in own.iter().zip(&others) {
            if extent.id() != as_far.id() {
                return Ok(false);
            }
            count = count.saturating_mul(self.bounds(*extent)?.1);
            places.push((*variable, atom.dim()));
        }
        let other = other.at_indices(&places);
        let is_positive = self.within_fold(more, term)?.is_some_and(|(low, _)| low >= 0.0)
            && self.within_fold(more, other)?.is_some_and(|(low, _)| low >= 0.0);
        Ok(count <= most && is_positive && self.is_no_less(term, other, depth)?)
    }

    /// What is left at least of a sum of numbers that are not negative if something is taken off that is no more than
    /// each of two of them: the union of two sets. What rounding changes is far less than the larger of the two.
    pub(super) fn left_of_union(&mut self, sum: Element, part: Element) -> Result<Option<f64>, Stop> {
        let mut terms = Vec::new();
        self.terms_of(sum, &mut terms, 0)?;
        if terms.len() < 2 {
            return Ok(None);
        }
        let mut left = 0.0;
        let mut larger = 0;
        for &term in &terms {
            let low = self.float_low(term)?;
            if low < 0.0 {
                return Ok(None);
            }
            if larger < 2 && self.is_roughly_no_less(term, part, 0)? {
                larger += 1;
            } else {
                left += low;
            }
        }
        Ok((larger == 2).then_some(left * (1.0 - 1e-3)))
    }

    /// The terms of a sum.
    fn terms_of(&mut self, sum: Element, terms: &mut Vec<Element>, depth: usize) -> Result<(), Stop> {
        const MOST: usize = 6;
        for face in self.faces(sum)? {
            if let ElementView::Binary(Binary::Add, x, y) = face.view()
                && depth < MOST
            {
                self.terms_of(x, terms, depth + 1)?;
                return self.terms_of(y, terms, depth + 1);
            }
        }
        terms.push(sum);
        Ok(())
    }
}
