//! Sums of products of different tensors, through which relations are not followed.

use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold};
use semantics::tensor::Tensor;

/// Whether an element is a sum of products of different tensors, as a matrix product is: no relation between its terms
/// and what is beside it is followed, so that intervals say all there is.
pub(super) fn is_mixture(element: Element) -> bool {
    !factors(element).is_empty()
}

/// The two tensors that a sum of products is of.
pub(super) fn factors(element: Element) -> Vec<Tensor> {
    let (mut inner, mut is_sum) = (element, false);
    loop {
        inner = match inner.view() {
            ElementView::Fold { with: Fold::Sum, body, .. } => {
                is_sum = true;
                body
            }
            ElementView::When(_, then, _) if is_sum => then,
            ElementView::Cast(x) => x,
            ElementView::Binary(Binary::Mul, x, y) if is_sum => {
                return match (x.view(), y.view()) {
                    (ElementView::At(a, _), ElementView::At(b, _)) if a != b => vec![a, b],
                    _ => Vec::new(),
                };
            }
            _ => return Vec::new(),
        };
    }
}
