//! Conditions that ask whether something is infinite: `where(isinf(y), 0, y)`, `y.masked_fill(y == inf, 0)`.

use super::conditions::ends;
use super::read::{Reader, Stop};
use semantics::element::{Element, ElementView};
use semantics::scalar::Unary;
use semantics::tensor::Content;

impl Reader<'_> {
    /// Takes an element to be infinite to one side, or not to be. Gives whether it can be.
    pub(super) fn suppose_infinite(&mut self, test: Unary, x: Element, truth: bool) -> Result<bool, Stop> {
        let most = x.kind().largest();
        // What is no number at all is no infinity either.
        let Some((low, high)) = ends(self.element(x)?).filter(|(low, high)| low <= high) else {
            return Ok(true);
        };
        let is_above = test == Unary::IsPosInf;
        if truth {
            return Ok(if is_above { high > most } else { low < -most });
        }
        let (low, high) = if is_above { (low, high.min(most)) } else { (low.max(-most), high) };
        if low <= high {
            self.narrow(x, (low, high), 0.0, 0)?;
        }
        Ok(low <= high)
    }
}

/// The test for the infinity that an element is, if the program writes one.
pub(super) fn infinity(element: Element) -> Option<Unary> {
    let value = match element.view() {
        ElementView::Float(value) => value,
        ElementView::Cast(x) => return infinity(x),
        ElementView::At(tensor, _) => {
            let Content::Stored(load) = tensor.content() else { return None };
            match load()?.as_floats()? {
                [value] => *value,
                _ => return None,
            }
        }
        _ => return None,
    };
    value.is_infinite().then_some(if value > 0.0 { Unary::IsPosInf } else { Unary::IsNegInf })
}
