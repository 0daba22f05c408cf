//! Numerical hazards in words: the inputs that make one happen, and what is taken for granted.

use engines::finding::{Numeric, WitnessValue};

/// More inputs and assumptions than this are counted only.
const MOST: usize = 6;
/// Boxes that are written out.
const MOST_PARTS: usize = 4;
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
    let WitnessValue { name, shape, uniform, values, parts } = value;
    if let Some(number) = uniform {
        let everywhere = if shape.is_empty() { "" } else { " everywhere" };
        return format!("`{name}` = {number}{everywhere}");
    }
    if !parts.is_empty() {
        let shown: Vec<String> =
            parts.iter().take(MOST_PARTS).map(|(part, number)| of_part(name, shape, part, *number)).collect();
        let more = if parts.len() > MOST_PARTS { ", …" } else { "" };
        return format!("{}{more}", shown.join(", "));
    }
    let shown: Vec<String> = values.iter().take(MOST_ELEMENTS).map(|value| format!("{value}")).collect();
    let more = if values.len() > MOST_ELEMENTS { ", …" } else { "" };
    match shown.is_empty() {
        true => format!("`{name}` of {shape:?} drawn inside its range"),
        false => format!("`{name}` = {}{more}", shown.join(", ")),
    }
}

/// `W[:, 0] = -100`
fn of_part(name: &str, shape: &[usize], part: &[(i64, i64)], number: f64) -> String {
    let axes = part.iter().zip(shape).map(|(&(low, high), &size)| match (low, high) {
        (0, high) if usize::try_from(high) == Ok(size) => ":".to_owned(),
        (low, high) if high == low + 1 => low.to_string(),
        (low, high) => format!("{low}:{high}"),
    });
    format!("`{name}`[{}] = {number}", axes.collect::<Vec<_>>().join(", "))
}

/// What of the backward pass the same argument reaches.
pub(crate) fn also(numeric: &Numeric) -> String {
    let told: Vec<String> = numeric.also.iter().take(MOST).map(|node| format!("`{node}`")).collect();
    let more = numeric.also.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("the same argument reaches {}{more} in the backward pass", told.join(", "))
}

pub(crate) fn assumptions(numeric: &Numeric) -> Option<String> {
    let all = &numeric.assumptions;
    let more = if all.len() > MOST { format!("; and {} more", all.len() - MOST) } else { String::new() };
    (!all.is_empty())
        .then(|| format!("{}{more}", all.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ")))
}
