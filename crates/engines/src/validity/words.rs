//! How a broken requirement is told: what must hold, and what is there instead, with numbers and whose they are.

use crate::brief::brief;
use program::ir::{Fault, Place};
use program::path::{Entry, Judged};
use semantics::call::Requirement;
use semantics::operator::Category;
use semantics::tensor::Tensor;
use solver::Verdict;

/// Operands beyond this many are left to the table below the message.
const MOST_NAMED: usize = 3;

/// "Conv: `bias` has one value per filter, but `bias` is f32[3] and `weight` is f32[8, 3, 3, 3]".
pub(super) fn broken(entry: &Entry, judged: &Judged) -> String {
    let (spelled, label) = (&entry.place.spelled, judged.requirement.label);
    let instead = instead(entry, judged);
    match judged.verdict {
        Verdict::Depends { .. } => format!("{spelled}: {label}, which holds for some sizes only: {instead}"),
        _ => format!("{spelled}: {label}, but {instead}"),
    }
}

/// "Reshape: the attribute `allowzero` is 0 or 1, but it is the integer 2".
pub(super) fn fault(fault: &Fault, place: &Place) -> String {
    format!("{}: {}, but {}", place.spelled, fault.label, fault.detail)
}

/// "set `groups` to 1, or make `weight` f32[8, 3, 3, 3]".
pub(super) fn repairs(entry: &Entry, judged: &Judged) -> Option<String> {
    if judged.requirement.category == Category::UnsupportedLayout {
        let laid_out = |(role, tensor): &(&str, Tensor)| Some((role.to_string(), tensor.layout()?));
        let (role, layout) = entry.inputs.iter().find_map(laid_out)?;
        return Some(format!("transpose `{role}` by {:?} first", layout.to_channels_first()));
    }
    let is_input = |name: &str| entry.inputs.iter().any(|(role, _)| *role == name);
    let advice = entry.repairs.iter().map(|repair| match is_input(repair.argument) {
        true => format!("make `{}` {}", repair.argument, brief(&repair.value)),
        false => format!("set `{}` to {}", repair.argument, brief(&repair.value)),
    });
    let advice: Vec<String> = advice.collect();
    (!advice.is_empty()).then(|| advice.join(", or "))
}

/// The broken statement, where it says more than the label does.
pub(super) fn needs(judged: &Judged) -> Option<String> {
    let Requirement { label, category, prop } = judged.requirement;
    // Types and ranks are numbers inside only.
    let structural = category == Category::IncompatibleType
        || ["axis", "axes", "vector", "matrix", "scalar", "tensor"].iter().any(|word| label.contains(word));
    if prop.known().is_some() && structural {
        return None;
    }
    let statement = brief(&prop);
    // The remainder of a division that should leave none says nothing without its operands.
    let remainder = prop.known().is_some() && statement.ends_with(" = 0");
    (statement != "false" && !remainder).then_some(statement)
}

/// Words of labels that compare the thing they name with what is around it.
const COMPARING: [&str; 8] = [" per ", "rank", "within", "fits", "below", "axis", "divides", "number of"];

/// What is there, of everything that the label speaks of; else of all operands.
fn instead(entry: &Entry, judged: &Judged) -> String {
    let Requirement { label, category, .. } = judged.requirement;
    if label.ends_with(" is given") {
        return "it is missing".into();
    }
    let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
    let mut tell = |name, value: String| match parts.iter_mut().find(|(named, _)| *named == name) {
        Some((_, values)) => values.push(value),
        None => parts.push((name, vec![value])),
    };
    for (role, tensor) in &entry.inputs {
        tell(role, brief(tensor));
    }
    // Of a parameter that was read from a tensor the value is told, unless the tensor itself is at fault.
    let about_tensors = category == Category::IncompatibleType || label.contains("tensor");
    for (name, value) in &entry.parameters {
        match entry.read.iter().find(|(read, _)| read == name) {
            Some((_, tensor)) if about_tensors => tell(name, brief(tensor)),
            _ => tell(name, value.clone()),
        }
    }
    let mentioned = |name: &str| label.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == name);
    let is_input = |name: &str| entry.inputs.iter().any(|(role, _)| *role == name);
    let (mut told, others): (Vec<_>, Vec<_>) = parts.iter().partition(|(name, _)| mentioned(name));
    let compares =
        category != Category::IncompatibleType && COMPARING.iter().any(|word| label.contains(word));
    match told.len() {
        0 => told = others,
        1 if compares => told.extend(others.into_iter().filter(|(name, _)| is_input(name))),
        _ => {}
    }
    let told: Vec<String> =
        told.iter().take(MOST_NAMED).map(|(name, values)| sentence(name, values)).collect();
    match told.split_last() {
        None => "it is not so".into(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

fn sentence(name: &str, values: &[String]) -> String {
    let verb = if values.len() == 1 { "is" } else { "are" };
    format!("`{name}` {verb} {}", brief(&values.join(", ")))
}
