//! Numerical hazards in words: the inputs that make one happen, and what is taken for granted.

use engines::finding::{Numeric, WitnessValue};

/// More inputs than this are counted only, and more names of which the same is assumed.
const MOST: usize = 6;
const MOST_NAMES: usize = 24;
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

/// Every assumption; names of which the same is assumed stand together: "`a`, `b` lie in [0, 1]: as stated".
pub(crate) fn assumptions(numeric: &Numeric) -> Option<String> {
    let mut alike: Vec<(&str, Vec<&str>)> = Vec::new();
    for text in &numeric.assumptions {
        let (name, rest) = text.split_once("` ").unwrap_or(("", text));
        match alike.iter_mut().find(|(other, names)| *other == rest && !names.contains(&"")) {
            Some((_, names)) => names.push(name),
            None => alike.push((rest, vec![name])),
        }
    }
    let told = |(rest, names): &(&str, Vec<&str>)| {
        let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("{name}`")).collect();
        match (names.as_slice(), rest.split_once(' ')) {
            ([""], _) | (_, None) => (*rest).to_owned(),
            ([_], _) => format!("{} {rest}", shown[0]),
            (_, Some((verb, after))) => {
                let verb = match verb {
                    "lies" => "lie",
                    "is" => "are",
                    other => other,
                };
                let more = names.len().saturating_sub(MOST_NAMES);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{}{more} {verb} {after}", shown.join(", "))
            }
        }
    };
    (!alike.is_empty()).then(|| alike.iter().map(told).collect::<Vec<_>>().join("; "))
}
