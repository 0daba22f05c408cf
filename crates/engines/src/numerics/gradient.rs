//! The backward pass: calls whose value is fine and whose derivative is not finite somewhere in the range.
//!
//! The derivative of a scalar function is a formula like any other ([`semantics::derivative`]), and its hazards are
//! found by the same reading. A branch that a condition leaves out is part of it, too: a gradient of zero times an
//! infinite derivative is NaN.

use super::cone::{parents, tensors_in};
use super::sites::{Analysis, Pass, Site};
use super::sources::Role;
use crate::evaluate::interval::Interval;
use crate::ranges::{Fault, Hazard};
use program::path::How;
use rustc_hash::FxHashSet;
use semantics::derivative;
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Unary};
use semantics::tensor::{Content, Tensor};

/// The calls whose derivative is at fault.
pub(super) fn sites(analysis: &mut Analysis<'_>, forward: &[Site]) -> Vec<Site> {
    // What one function of a library does in several steps is one thing to the user: where it fails forwards, or its
    // first step backwards, the rest is no news.
    let place = |call: usize| {
        let place = &analysis.traced.made[call].place;
        place.spot.clone().map(|spot| (spot, place.spelled.clone()))
    };
    let told: FxHashSet<usize> = forward.iter().map(|site| site.call).collect();
    let mut told_places: FxHashSet<_> = forward.iter().filter_map(|site| place(site.call)).collect();
    let masked: FxHashSet<Tensor> = analysis.masked.iter().map(|hazard| hazard.tensor).collect();
    let mut sites = Vec::new();
    for (call, made) in analysis.traced.made.iter().enumerate() {
        if made.how != How::Called || told.contains(&call) || is_smooth(&made.place.spelled) {
            continue;
        }
        let here = made.place.spot.clone().map(|spot| (spot, made.place.spelled.clone()));
        if here.as_ref().is_some_and(|here| told_places.contains(here)) {
            continue;
        }
        let Some(&output) = made.outputs.first() else { continue };
        let tensor = computed(output);
        let Some(formula) = tensor.formula() else { continue };
        let Some((function, derivatives)) = differentiated(formula.element) else { continue };
        if !needs_gradients(analysis, formula.element) {
            continue;
        }
        let but = cut_off(analysis, formula.element);
        let at_fault = derivatives.into_iter().find_map(|derivative| {
            let hazards = analysis.ranges.hazards_in(tensor, derivative, &but);
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
        told_places.extend(here);
        sites.push(Site { call, hazard, pass, also: Vec::new() });
    }
    sites
}

/// Functions whose gradient frameworks take for zero where it has no value.
fn is_smooth(spelled: &str) -> bool {
    matches!(
        spelled,
        "norm"
            | "std"
            | "std_mean"
            | "vector_norm"
            | "matrix_norm"
            | "cdist"
            | "atan2"
            | "binary_cross_entropy"
            | "normalize"
            | "cosine_similarity"
            | "sinc"
    )
}

/// Functions that give no gradient at all where they cut off, whatever comes back: PyTorch chooses zero there instead of
/// multiplying by it. At numbers that are tensors it does not.
fn cuts_off(spelled: &str) -> bool {
    matches!(
        spelled,
        "relu"
            | "relu_"
            | "relu6"
            | "hardtanh"
            | "clamp"
            | "clamp_"
            | "clip"
            | "clamp_min"
            | "clamp_max"
            | "threshold"
    )
}

/// Arguments that are cut off at numbers, and these: where an argument is one of them, no gradient gets past it.
fn cut_off(analysis: &mut Analysis<'_>, element: Element) -> Vec<(Element, f64)> {
    let arguments = match element.view() {
        ElementView::Cast(inner) => return cut_off(analysis, inner),
        ElementView::Unary(_, x) => vec![x],
        ElementView::Binary(_, x, y) => vec![x, y],
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for argument in arguments {
        let mut next = argument;
        while let ElementView::At(tensor, _) = next.view() {
            let Some(inner) = computed(tensor).formula().map(|formula| formula.element) else { break };
            next = match inner.view() {
                // Moved about.
                ElementView::At(..) => inner,
                ElementView::Binary(Binary::Max | Binary::Min, x, y)
                    if analysis
                        .owners
                        .get(&computed(tensor))
                        .is_some_and(|&call| cuts_off(&analysis.made(call).place.spelled)) =>
                {
                    match (constant(analysis, x), constant(analysis, y)) {
                        (Some(number), _) => {
                            found.push((argument, number));
                            y
                        }
                        (_, Some(number)) => {
                            found.push((argument, number));
                            x
                        }
                        _ => break,
                    }
                }
                _ => break,
            };
        }
    }
    found
}

/// A number that stands in the program.
fn constant(analysis: &mut Analysis<'_>, element: Element) -> Option<f64> {
    match element.view() {
        ElementView::Float(number) => Some(element.kind().round(number)),
        ElementView::Cast(inner) => constant(analysis, inner),
        ElementView::At(tensor, _) if tensor.is_stored() => match analysis.ranges.read(tensor).hull() {
            Some(Interval::Float { low, high, .. }) if low == high => Some(tensor.kind().round(low)),
            _ => None,
        },
        _ => None,
    }
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
        // Of `x * log(y)` that is zero where `x` is: by `y` it is a quotient all the same.
        ElementView::Select(_, zero, product) if matches!(zero.view(), ElementView::Float(0.0)) => {
            let ElementView::Binary(Binary::Mul, x, logarithm) = product.view() else { return None };
            match logarithm.view() {
                ElementView::Unary(Unary::Ln, y) => Some(("/", vec![x / y])),
                ElementView::Unary(Unary::Log1p, y) => Some(("/", vec![x / (y + 1.0)])),
                _ => None,
            }
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
        let cuts = |call: &usize| matches!(&*analysis.made(*call).place.spelled, "detach" | "StopGradient");
        if analysis.makers.get(&tensor).is_some_and(cuts) {
            continue;
        }
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
