//! How a broken requirement is told: what must hold, and what is there instead, with numbers and whose they are.

use crate::brief::brief;
use program::ir::{Fault, Place};
use program::path::{Entry, Judged};
use solver::Verdict;

/// Operands beyond this many are left to the table below the message.
const MOST_NAMED: usize = 4;

/// "Conv: `bias` has one value per filter, but `bias` is f32[3] and `weight` is f32[8, 3, 3, 3]".
pub(super) fn broken(entry: &Entry, judged: &Judged) -> String {
    let (spelled, label) = (&entry.place.spelled, judged.requirement.label);
    let instead = instead(entry, label);
    match judged.verdict {
        Verdict::Depends { .. } => format!("{spelled}: {label}, which holds for some sizes only: {instead}"),
        _ => format!("{spelled}: {label}, but {instead}"),
    }
}

/// "Reshape: the attribute `allowzero` is 0 or 1, but it is the integer 2".
pub(super) fn fault(fault: &Fault, place: &Place) -> String {
    format!("{}: {}, but {}", place.spelled, fault.label, fault.detail)
}

/// What is there, of everything that the label speaks of; else of all operands.
fn instead(entry: &Entry, label: &str) -> String {
    let mentioned = |name: &str| label.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == name);
    let mut parts: Vec<(&str, Vec<String>)> = Vec::new();
    for (role, tensor) in &entry.inputs {
        match parts.iter_mut().find(|(named, _)| named == role) {
            Some((_, shapes)) => shapes.push(brief(tensor)),
            None => parts.push((role, vec![brief(tensor)])),
        }
    }
    parts.extend(entry.parameters.iter().map(|(name, value)| (*name, vec![value.clone()])));
    if let Some(missing) = label.strip_suffix(" is given") {
        return format!("{missing} is missing");
    }
    let operands = entry.inputs.len();
    let spoken: Vec<_> = parts.iter().filter(|(name, _)| mentioned(name)).collect();
    // A label that names one thing compares it with the others.
    let told = match spoken.len() {
        0 => parts.iter().collect(),
        1 if operands > 1 && !label.contains("rank") => with_others(&parts, spoken[0]),
        _ => spoken,
    };
    let told: Vec<String> =
        told.iter().take(MOST_NAMED).map(|(name, values)| sentence(name, values)).collect();
    match told.split_last() {
        None => "it is not so".into(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

/// The thing spoken of first, then the rest.
fn with_others<'a>(
    parts: &'a [(&'a str, Vec<String>)],
    first: &'a (&'a str, Vec<String>),
) -> Vec<&'a (&'a str, Vec<String>)> {
    std::iter::once(first).chain(parts.iter().filter(|part| part.0 != first.0)).collect()
}

fn sentence(name: &str, values: &[String]) -> String {
    let verb = if values.len() == 1 { "is" } else { "are" };
    format!("`{name}` {verb} {}", brief(&values.join(", ")))
}
