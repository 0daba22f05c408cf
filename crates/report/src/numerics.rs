//! Numerical hazards in words: the inputs that make one happen, and what is taken for granted.

use engines::finding::{Numeric, WitnessValue};

/// More inputs and assumptions than this are counted only.
const MOST: usize = 6;
/// Elements that are written out.
const MOST_ELEMENTS: usize = 8;

/// `x = 0 everywhere, w[0] = -3, 2.5, …`
pub(crate) fn witness(numeric: &Numeric) -> String {
    let mut told: Vec<String> = numeric.witness.iter().take(MOST).map(value).collect();
    if numeric.witness.len() > MOST {
        told.push(format!("and {} more", numeric.witness.len() - MOST));
    }
    match told.is_empty() {
        true => "it happens whatever the inputs are".into(),
        false => format!("it happens for {}", told.join("; ")),
    }
}

fn value(value: &WitnessValue) -> String {
    let WitnessValue { name, shape, uniform, values } = value;
    if let Some(number) = uniform {
        let everywhere = if shape.is_empty() { "" } else { " everywhere" };
        return format!("`{name}` = {number}{everywhere}");
    }
    let shown: Vec<String> = values.iter().take(MOST_ELEMENTS).map(|value| format!("{value}")).collect();
    let more = if values.len() > MOST_ELEMENTS { ", …" } else { "" };
    match shown.is_empty() {
        true => format!("`{name}` of {shape:?} drawn inside its range"),
        false => format!("`{name}` = {}{more}", shown.join(", ")),
    }
}

pub(crate) fn assumptions(numeric: &Numeric) -> Option<String> {
    let all = &numeric.assumptions;
    let more = if all.len() > MOST { format!("; and {} more", all.len() - MOST) } else { String::new() };
    (!all.is_empty())
        .then(|| format!("{}{more}", all.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ")))
}
