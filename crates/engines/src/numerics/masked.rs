//! Minus infinity that a program puts in by itself, to mask scores: where a whole row is masked, softmax is not a number.
//!
//! Infinite constants are no fault, and ranges take what is computed before to be finite. Whether all of a row can be
//! masked at once is not a question of ranges: only inputs for which it happens are told.

use super::advice::constant_in;
use super::sites::{Analysis, Pass, Site};
use crate::evaluate::interval::Interval;
use crate::ranges::{Fault, Hazard};
use program::path::How;
use semantics::element::{Element, ElementView};
use semantics::scalar::Binary;
use semantics::tensor::{Content, Tensor};

/// The name under which such a hazard goes.
pub(super) const SOFTMAX: &str = "softmax";

/// Calls of softmax whose scores hold infinities.
pub(super) fn sites(analysis: &Analysis<'_>, told: &[Site]) -> Vec<Site> {
    let mut sites = Vec::new();
    for (call, made) in analysis.traced.made.iter().enumerate() {
        let is_softmax = matches!(made.operator, "softmax" | "log_softmax") && made.how == How::Called;
        if !is_softmax || told.iter().any(|site| site.call == call) {
            continue;
        }
        let (Some(&scores), Some(&output)) = (made.inputs.first(), made.outputs.first()) else { continue };
        let tensor = computed(output);
        let Some(formula) = tensor.formula().filter(|_| holds_infinity(scores, 0)) else { continue };
        let argument = Interval::Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: false };
        let (element, blamed) = (formula.element, formula.element);
        let fault = Fault::OutsideDomain;
        let hazard = Hazard { tensor, function: SOFTMAX, fault, argument, element, blamed };
        sites.push(Site { call, hazard, pass: Pass::Forward, also: Vec::new() });
    }
    sites
}

fn computed(tensor: Tensor) -> Tensor {
    let mut tensor = tensor;
    while let Content::Composed(composition, output) = tensor.content() {
        tensor = composition.output(output);
    }
    tensor
}

/// Whether elements may be infinite because a branch says so.
fn holds_infinity(tensor: Tensor, depth: usize) -> bool {
    const DEEPEST: usize = 8;
    depth < DEEPEST
        && computed(tensor).formula().is_some_and(|formula| may_be_infinite(formula.element, depth + 1))
}

fn may_be_infinite(element: Element, depth: usize) -> bool {
    let is_infinite = |branch: Element| match branch.view() {
        ElementView::Float(value) => value.is_infinite(),
        ElementView::At(tensor, _) => constant_in(tensor).is_some_and(f64::is_infinite),
        ElementView::Cast(x) => matches!(x.view(), ElementView::Float(value) if value.is_infinite()),
        _ => false,
    };
    match element.view() {
        ElementView::Select(_, x, y) => {
            is_infinite(x) || is_infinite(y) || may_be_infinite(x, depth) || may_be_infinite(y, depth)
        }
        ElementView::Binary(Binary::Add, x, y) => may_be_infinite(x, depth) || may_be_infinite(y, depth),
        ElementView::Cast(x) => may_be_infinite(x, depth),
        ElementView::At(tensor, _) => holds_infinity(tensor, depth),
        _ => false,
    }
}
