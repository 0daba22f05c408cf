//! What to do about a site: the stable form of what was written by hand, or a bound that keeps arguments away.

use super::cone::tensors_in;
use super::sites::{Analysis, Pass, Site};
use super::words::{ends, noticeable, short};
use crate::ranges::{Fault, smallest_normal};
use rustc_hash::FxHashSet;
use semantics::element::{Element, ElementView};
use semantics::scalar::Binary;
use semantics::tensor::{Content, Tensor};

pub(super) fn advice(analysis: &mut Analysis<'_>, site: &Site) -> Option<String> {
    let kind = site.hazard.element.kind();
    let (low, high) = ends(&site.hazard.argument);
    let before: Vec<&'static str> = made_by(analysis, site);
    let is_from = |operator: &str| before.first() == Some(&operator);
    if let Some(text) = absorbed(site) {
        return Some(text);
    }
    let tiny = if kind == semantics::dtype::Kind::F16 { "1e-4" } else { "1e-6" };
    Some(match (site.pass, site.hazard.function, site.hazard.fault) {
        (Pass::Backward, "sqrt", _) => format!("add a small number before the root: `sqrt(x + {tiny})`, not after it"),
        (Pass::Backward, "pow", _) => format!("keep the base away from 0: `clamp(min={tiny})` before the power"),
        (Pass::Backward, ..) => "keep the argument away from where the derivative is infinite with a clamp".into(),
        (Pass::Inactive, ..) => {
            "make the argument safe before the operation: `f(where(ok, x, 1))`, and choose by `where` once more after it".into()
        }
        (_, super::masked::SOFTMAX, _) => {
            "leave at least one score of each row, or mask with a large finite number instead of -inf".into()
        }
        (_, "ln", _) if is_from("softmax") => "use `log_softmax` on the scores instead of the logarithm of `softmax`".into(),
        (_, "ln", _) if is_from("sigmoid") || before.contains(&"sigmoid") => {
            "use `logsigmoid`, or `binary_cross_entropy_with_logits` on the scores instead of the logarithm of `sigmoid`".into()
        }
        (_, "ln", _) if is_from("reduce_sum") && before.get(1) == Some(&"exp") => {
            "use `logsumexp` instead of the logarithm of a sum of powers".into()
        }
        (_, "exp", _) if is_followed_by_sum(analysis, site) => {
            "subtract the largest score before `exp`, or use `softmax` or `logsumexp`".into()
        }
        (_, "exp" | "expm1" | "sinh" | "cosh", _) => format!(
            "bound the argument: `clamp(max={})`",
            short((kind.largest().ln() - 1.0).floor())
        ),
        (_, "ln" | "log1p", _) => format!("bound the argument: `clamp(min={tiny})`, or add a number that {kind} does not absorb"),
        (_, "sqrt", _) if before.first() == Some(&"sub") => {
            "rounding makes a difference of squares negative: `clamp(min=0)` before the root, or take the mean of squared distances".into()
        }
        (_, "sqrt", _) => "bound the argument: `clamp(min=0)` before the root".into(),
        (_, "asin" | "acos" | "atanh", _) => "bound the argument: `clamp(-1 + 1e-6, 1 - 1e-6)`".into(),
        (_, "/" | "reciprocal", Fault::Pole) if low >= 0.0 => {
            format!("keep the divisor away from 0: `clamp(min={tiny})`, or add a number that {kind} does not absorb")
        }
        (_, "/" | "reciprocal" | "//" | "rem" | "%", Fault::Pole) if high <= 0.0 || low < 0.0 => {
            "the divisor changes sign: choose by `where` what to divide by before dividing".into()
        }
        (_, "/", _) => format!("keep the divisor away from 0: `clamp(min={})`", short(smallest_normal(kind).max(1e-30))),
        (_, "pow", Fault::Overflow) => "bound the base or the exponent with a clamp".into(),
        (_, "pow", _) => format!("bound the base: `clamp(min={tiny})` before the power"),
        (_, "sum" | "*" | "+" | "cast", Fault::Overflow) if kind.bits() == Some(16) => {
            "compute this in float32, or scale it down before".into()
        }
        (_, _, Fault::Overflow) => "bound the arguments with a clamp".into(),
        _ => return None,
    })
}

/// The operators on the way to the argument at fault, the nearest first.
fn made_by(analysis: &Analysis<'_>, site: &Site) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut next = tensors_in(site.hazard.blamed);
    let mut seen = FxHashSet::default();
    while let Some(&tensor) = next.first() {
        // What hands a tensor on as it is gives the one that it takes.
        let Some(&maker) = analysis.makers.get(&tensor).filter(|_| seen.insert(tensor)) else { break };
        let made = analysis.made(maker);
        // What only moves elements says nothing.
        if !matches!(
            made.operator,
            "cast" | "reshape" | "identity" | "squeeze" | "unsqueeze" | "expand" | "transpose" | "neg"
        ) {
            names.push(made.operator);
        }
        if names.len() > 4 {
            break;
        }
        next = made.inputs.to_vec();
    }
    names
}

fn is_followed_by_sum(analysis: &Analysis<'_>, site: &Site) -> bool {
    let outputs = &analysis.made(site.call).outputs;
    let uses =
        |operator: &str| {
            analysis.traced.made.iter().any(|made| {
                made.operator == operator && made.inputs.iter().any(|input| outputs.contains(input))
            })
        };
    uses("reduce_sum") || uses("sum")
}

/// A constant that has no effect beside what it is added to.
fn absorbed(site: &Site) -> Option<String> {
    if matches!(site.hazard.fault, Fault::Overflow | Fault::DoesNotFit) {
        return None;
    }
    let mut open: Vec<Tensor> = tensors_in(site.hazard.blamed);
    for _ in 0..6 {
        let tensor = open.pop()?;
        if let Some(text) = absorbed_in(tensor) {
            return Some(text);
        }
        open.extend(super::cone::parents(tensor));
    }
    None
}

fn absorbed_in(tensor: Tensor) -> Option<String> {
    let formula = tensor.formula()?;
    let kind = formula.element.kind();
    let number = |element: Element| match element.view() {
        ElementView::Float(value) => Some(value),
        ElementView::At(other, _) => constant_in(other),
        _ => None,
    };
    let ElementView::Binary(function @ (Binary::Add | Binary::Sub | Binary::Max | Binary::Min), x, y) =
        formula.element.view()
    else {
        return None;
    };
    let value = number(y).or_else(|| number(x))?;
    if !kind.is_float() || value == 0.0 {
        return None;
    }
    if kind.round(value) == 0.0 {
        let least = 2.0 * kind.smallest_error();
        return Some(format!(
            "{value:e} is 0 in {kind}, whose smallest number is {least:.1e}: use at least {:.0e}",
            smallest_normal(kind)
        ));
    }
    let nearest_one = if value > 0.0 { 1.0 } else { -1.0 };
    if matches!(function, Binary::Max | Binary::Min)
        && value != nearest_one
        && kind.round(value) == nearest_one
    {
        return Some(format!(
            "{value} is {nearest_one} in {kind}: use a number at least {:.1e} away from it",
            noticeable(kind, 1.0)
        ));
    }
    None
}

/// The number that a tensor holds, if it is a constant without axes or of one element.
pub(super) fn constant_in(tensor: Tensor) -> Option<f64> {
    let Content::Stored(load) = tensor.content() else { return None };
    let array = load()?;
    match array.as_floats()? {
        [value] => Some(*value),
        _ => None,
    }
}
