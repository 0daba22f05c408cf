//! Means: of more numbers than anybody knows, and with weights.

use super::read::{Reader, Stop};
use super::relations::{Variables, body_of};
use semantics::dim::Dim;
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold};

impl Reader<'_> {
    /// Between what the mean of as many numbers lies as nobody knows. Sums that cannot exceed a power of two times their
    /// count do not by rounding either, up to the count that a type holds; others may be off by what rounding adds up.
    pub(super) fn mean(&mut self, total: Element, count: Element) -> Result<Option<(f64, f64)>, Stop> {
        const MOST: f64 = (1u64 << 24) as f64;
        let ElementView::Index(count) = count.view() else { return Ok(None) };
        if count.known().is_some() {
            return Ok(None);
        }
        for face in self.faces(total)? {
            let mut variables: Variables = Vec::new();
            let term = body_of(face, &mut variables);
            let is_sum = matches!(face.view(), ElementView::Fold { with: Fold::Sum, .. });
            let product = variables.iter().fold(Dim::from(1), |product, (_, extent, _)| product * *extent);
            if !is_sum || product.id() != count.id() {
                continue;
            }
            let Some((low, high)) = self.within_fold(face, term)? else { continue };
            let off = (MOST.sqrt() + 8.0) * face.kind().unit_roundoff();
            let is_exact = |end: f64| end == 0.0 || end.abs().log2().fract() == 0.0;
            let end =
                |end: f64, outwards: f64| if is_exact(end) { end } else { end + outwards * off * end.abs() };
            return Ok(Some((end(low, -1.0), end(high, 1.0))));
        }
        Ok(None)
    }

    /// How large a weighted mean is: `sum(x * w) / sum(w)` with weights that are not negative is no larger than any `x`,
    /// but for rounding of the sums, which for as many terms as are ever added up is far less than half of it.
    pub(super) fn weighted_mean(&mut self, total: Element, weight: Element) -> Result<Option<f64>, Stop> {
        let (total, weight) = (self.unfolded(total)?, self.unfolded(weight)?);
        let (Some(total), Some(weight)) = (total, weight) else { return Ok(None) };
        let mut own: Variables = Vec::new();
        let weights = body_of(weight, &mut own);
        let mut others: Variables = Vec::new();
        let products = body_of(total, &mut others);
        if own.is_empty()
            || own.len() != others.len()
            || own.iter().zip(&others).any(|(one, other)| one.1.id() != other.1.id())
            || !others.iter().all(|(_, extent, _)| extent.known().is_none_or(|extent| extent <= 1 << 22))
        {
            return Ok(None);
        }
        for face in self.faces(products)? {
            let ElementView::Binary(Binary::Mul, one, other) = face.view() else { continue };
            for (x, w) in [(one, other), (other, one)] {
                let mut variables: Variables =
                    own.iter().map(|(atom, extent, _)| (*atom, *extent, None)).collect();
                if !self.matches(weights, w, &mut variables, 0) {
                    continue;
                }
                let fits = variables.iter().zip(&others).all(|((_, _, bound), (atom, ..))| {
                    bound.is_some_and(|bound| bound.as_atom() == Some(*atom))
                });
                let (Some(least), Some(most)) =
                    (self.within_fold(weight, weights)?, self.within_fold(total, x)?)
                else {
                    continue;
                };
                if fits && least.0 >= 0.0 {
                    return Ok(Some(2.0 * most.0.abs().max(most.1.abs())));
                }
            }
        }
        Ok(None)
    }
}
