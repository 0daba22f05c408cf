//! What is added to a sum may have been the first of its terms, as the bias of a convolution is: it then takes part in
//! each of the additions, and is rounded as often. Where several sums are added up, each may have begun with the others.

use super::near::{Format, Near};
use super::program::Slot;
use super::run::Run;
use super::sums;
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold};
use semantics::tensor::{Content, Tensor};

/// So many steps are gone from an addition to the sums that it adds up.
const MOST_STEPS: usize = 6;

/// How many terms each side of an addition is the sum of; `None` if that says no more than the addition itself.
pub(super) fn terms(x: Element, y: Element, number: &dyn Fn(Dim) -> Option<i64>) -> Option<[f64; 2]> {
    let terms = [x, y].map(|side| added(side, number, MOST_STEPS));
    terms.iter().any(|count| *count > 1.0).then_some(terms)
}

/// How many terms are added up for an element; 0 if it is no sum.
fn added(element: Element, number: &dyn Fn(Dim) -> Option<i64>, steps: usize) -> f64 {
    let Some(left) = steps.checked_sub(1) else { return 0.0 };
    match element.view() {
        ElementView::Fold { with: Fold::Sum, extent, body, .. } => {
            number(extent).unwrap_or(0) as f64 * added(body, number, left).max(1.0)
        }
        ElementView::At(tensor, _) => added_in(tensor, number, left),
        ElementView::Cast(x) => added(x, number, left),
        ElementView::Binary(Binary::Add, x, y) => added(x, number, left) + added(y, number, left),
        _ => 0.0,
    }
}

fn added_in(tensor: Tensor, number: &dyn Fn(Dim) -> Option<i64>, steps: usize) -> f64 {
    match tensor.content() {
        Content::Formula { kernel: Some(kernel), .. } => number(kernel.terms).unwrap_or(0) as f64,
        Content::Formula { .. } => tensor.formula().map_or(0.0, |own| added(own.element, number, steps)),
        Content::Composed(composition, output) if steps > 0 => {
            added_in(composition.output(output), number, steps - 1)
        }
        _ => 0.0,
    }
}

/// How many roundings of what a sum of so many terms began with count, in any order.
pub(super) fn any_order(terms: f64) -> f64 {
    (terms - 1.0).max(0.0)
}

impl Format {
    /// The sum of two numbers, either of which may have been rounded so often more while the other was added up.
    pub fn begun(&self, sum: Near, [x, y]: [Near; 2], [by_x, by_y]: [f64; 2]) -> Near {
        // Whole numbers are added up without rounding, if the sum tells that they were.
        let most = 0.5 / self.kind.unit_roundoff();
        let whole = |near: Near| near.error == 0.0 && near.value.fract() == 0.0 && near.value.abs() <= most;
        if !sum.value.is_finite() || sum.error.is_infinite() || whole(x) && whole(y) {
            return sum;
        }
        let magnitude = |near: Near| near.value.abs() + near.error;
        let error = sum.error + self.unit * (by_x * magnitude(y) + by_y * magnitude(x));
        let within = sum.value.abs() + error < self.limit;
        Near { value: sum.value, error: if within { error } else { f64::INFINITY } }
    }
}

impl Run<'_> {
    /// Widens the bound of an addition that was done.
    pub fn begun(&mut self, kind: Kind, sides: [Slot; 2], out: Slot, terms: [f64; 2]) {
        let format = Format::of(kind);
        let roundings = terms.map(|terms| match self.likely {
            true => sums::likely_roundings(terms, kind).unwrap_or(any_order(terms)),
            false => any_order(terms),
        });
        for lane in 0..self.count {
            let near = |slot: Slot| Near {
                value: self.lanes.floats.row(slot.at)[lane],
                error: self.errors(slot)[lane],
            };
            let result = format.begun(near(out), sides.map(near), roundings);
            self.lanes.errors.row_mut(out.at)[lane] = result.error;
        }
    }
}
