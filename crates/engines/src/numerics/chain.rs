//! Why a range reaches an operation: the ranges on the way back to the inputs and parameters that let it in.

use super::cone::{parents, tensors_in};
use super::sites::{Analysis, Site};
use super::sources::Role;
use super::words::{place, span};
use rustc_hash::FxHashSet;
use semantics::tensor::Tensor;

/// Longer chains are cut in the middle.
const LONGEST: usize = 8;

/// From the argument at fault back to a source: what each step is, and the range of what it gives.
pub(super) fn chain(analysis: &mut Analysis<'_>, site: &Site) -> Vec<String> {
    let mut steps = Vec::new();
    let mut seen = FxHashSet::default();
    let mut last: Option<String> = None;
    let mut next = widest(analysis, &tensors_in(site.hazard.blamed));
    while let Some(tensor) = next {
        if !seen.insert(tensor) {
            break;
        }
        let range = span(&analysis.ranges.read(tensor));
        if let Some(known) = analysis.sources.known.get(&tensor) {
            let what = match known.source.role {
                Role::Input => "input",
                Role::Parameter => "parameter",
                Role::Drawn => "drawn at random",
                Role::Unknown => "not known",
            };
            steps.push(format!("`{}` ({what}): {range}", known.source.name));
            break;
        }
        if let Some(&maker) = analysis.makers.get(&tensor) {
            let made = analysis.made(maker);
            let here = place(made, tensor);
            // One line may compute in many steps.
            if last.as_ref() != Some(&here) {
                steps.push(format!("{here}: {range}"));
            }
            last = Some(here);
        }
        let above = match analysis.chosen.get(&tensor) {
            Some(inputs) => inputs.clone(),
            None => parents(tensor),
        };
        next = widest(analysis, &above);
    }
    if steps.len() > LONGEST {
        let left_out = steps.len() - LONGEST;
        steps.splice(LONGEST / 2..LONGEST / 2 + left_out, [format!("… {left_out} steps …")]);
    }
    steps
}

/// The one of several tensors that lets most in.
fn widest(analysis: &mut Analysis<'_>, tensors: &[Tensor]) -> Option<Tensor> {
    let width = |analysis: &mut Analysis<'_>, tensor: Tensor| match analysis.ranges.read(tensor).hull() {
        Some(crate::evaluate::interval::Interval::Float { low, high, .. }) => high - low,
        _ => -1.0,
    };
    let mut best: Option<(f64, Tensor)> = None;
    for &tensor in tensors {
        let width = width(analysis, tensor);
        if best.is_none_or(|(held, _)| width > held) {
            best = Some((width, tensor));
        }
    }
    best.map(|(_, tensor)| tensor)
}

/// What a verdict on a site takes for granted of inputs and parameters.
pub(super) fn assumptions(analysis: &Analysis<'_>, site: &Site) -> Vec<String> {
    let mut open = tensors_in(site.hazard.element);
    // Whether it is computed at all.
    open.extend(analysis.made(site.call).guards.iter().map(|(guard, _)| *guard));
    let mut seen = FxHashSet::default();
    let mut told = Vec::new();
    while let Some(tensor) = open.pop() {
        if !seen.insert(tensor) {
            continue;
        }
        if let Some(known) = analysis.sources.known.get(&tensor) {
            if !known.assumption.is_empty() {
                told.push(known.assumption.clone());
            }
            continue;
        }
        match analysis.chosen.get(&tensor) {
            Some(inputs) => open.extend(inputs),
            None => open.extend(analysis.flows.parents(tensor)),
        }
    }
    told.sort();
    told.dedup();
    told
}
