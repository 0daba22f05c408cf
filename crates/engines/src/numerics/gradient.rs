//! The backward pass: calls whose value is fine and whose derivative is not finite somewhere in the range.
//!
//! The derivative of a scalar function is a formula like any other ([`semantics::derivative`]), and its hazards are
//! found by the same reading. A branch that a condition leaves out is part of it, too: a gradient of zero times an
//! infinite derivative is NaN.

use super::cone::{parents, tensors_in};
use super::sites::{Analysis, Pass, Site};
use super::sources::Role;
use crate::ranges::{Fault, Hazard};
use program::path::How;
use rustc_hash::FxHashSet;
use semantics::derivative;
use semantics::element::{Element, ElementView};
use semantics::tensor::{Content, Tensor};

/// The calls whose derivative is at fault.
pub(super) fn sites(analysis: &mut Analysis<'_>, forward: &[Site]) -> Vec<Site> {
    let told: FxHashSet<usize> = forward.iter().map(|site| site.call).collect();
    let masked: FxHashSet<Tensor> = analysis.masked.iter().map(|hazard| hazard.tensor).collect();
    let mut sites = Vec::new();
    for (call, made) in analysis.traced.made.iter().enumerate() {
        if made.how != How::Called || told.contains(&call) || is_smooth(&made.place.spelled) {
            continue;
        }
        let Some(&output) = made.outputs.first() else { continue };
        let tensor = computed(output);
        let Some(formula) = tensor.formula() else { continue };
        let Some((function, derivatives)) = differentiated(formula.element) else { continue };
        if !needs_gradients(analysis, formula.element) {
            continue;
        }
        let at_fault = derivatives.into_iter().find_map(|derivative| {
            let hazards = analysis.ranges.hazards_in(tensor, derivative);
            hazards
                .into_iter()
                .find(|hazard| hazard.fault != Fault::DoesNotFit)
                .map(|hazard| (derivative, hazard))
        });
        let Some((derivative, hazard)) = at_fault else { continue };
        let pass = if masked.contains(&tensor) { Pass::Inactive } else { Pass::Backward };
        let slope = slope(tensor, derivative);
        let Some(own) = slope.formula() else { continue };
        let places: Vec<_> = formula
            .index
            .iter()
            .zip(&own.index)
            .filter_map(|(old, &new)| Some((old.as_atom()?, new)))
            .collect();
        let (element, blamed) = (hazard.element.at_indices(&places), hazard.blamed.at_indices(&places));
        let hazard = Hazard { function, tensor: slope, element, blamed, ..hazard };
        sites.push(Site { call, hazard, pass, also: Vec::new() });
    }
    sites
}

/// Functions whose gradient frameworks take for zero where it has no value.
fn is_smooth(spelled: &str) -> bool {
    matches!(spelled, "norm" | "std" | "std_mean" | "vector_norm" | "matrix_norm" | "cdist" | "atan2")
}

fn computed(tensor: Tensor) -> Tensor {
    let mut tensor = tensor;
    while let Content::Composed(composition, output) = tensor.content() {
        tensor = composition.output(output);
    }
    tensor
}

/// The function that a formula applies, and its derivatives.
fn differentiated(element: Element) -> Option<(&'static str, Vec<Element>)> {
    match element.view() {
        ElementView::Cast(inner) if inner.kind().is_float() => differentiated(inner),
        ElementView::Unary(function, x) if x.kind().is_float() => {
            Some((function.name(), vec![derivative::of_unary(function, x)?]))
        }
        ElementView::Binary(function, x, y) if x.kind().is_float() => {
            let all = derivative::of_binary(function, x, y);
            (!all.is_empty()).then_some((function.name(), all))
        }
        _ => None,
    }
}

/// The derivative as a tensor, for the reference evaluator.
fn slope(tensor: Tensor, derivative: Element) -> Tensor {
    let variables = tensor.formula().map(|formula| formula.index.clone()).unwrap_or_default();
    Tensor::from_elements(tensor.dtype(), tensor.shape(), move |index| {
        let places =
            variables.iter().zip(index).filter_map(|(variable, &at)| Some((variable.as_atom()?, at)));
        derivative.at_indices(&places.collect::<Vec<_>>())
    })
}

/// Whether something behind an element is trained or may be: a parameter, or a float input.
fn needs_gradients(analysis: &Analysis<'_>, element: Element) -> bool {
    let mut open = tensors_in(element);
    let mut seen = FxHashSet::default();
    while let Some(tensor) = open.pop() {
        if !seen.insert(tensor) || !tensor.dtype().known().is_none_or(|kind| kind.is_float()) {
            continue;
        }
        match analysis.sources.known.get(&tensor) {
            Some(known) if known.source.role == Role::Drawn => {}
            Some(known) if !known.is_free() => {}
            Some(_) => return true,
            None => match analysis.chosen.get(&tensor) {
                Some(inputs) => open.extend(inputs),
                None => open.extend(parents(tensor)),
            },
        }
    }
    false
}
