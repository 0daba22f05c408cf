//! What a sweep found, in words and in rows.

use super::space::{Choice, Parameter};
use super::{ListArg, Part};
use anyhow::{Context, Result};
use engines::sweep::{Cause, Counts, Tables, Verdict};
use serde_json::{Map, Value, json};
use std::io::{BufWriter, ErrorKind, Write};

/// Adds the counts of a part; examples are vectors of the whole space, by the places of their values.
pub fn add(all: &mut Counts, counts: Counts, part: &Part, parameters: &[Parameter]) {
    all.valid += counts.valid;
    all.unknown += counts.unknown;
    for (cause, count, example) in counts.invalid {
        let vector = places(part, parameters, &example);
        match all.invalid.iter_mut().find(|(held, ..)| *held == cause) {
            Some((_, held, _)) => *held += count,
            None => all.invalid.push((cause, count, vector)),
        }
    }
}

/// The places of a vector's values in the whole space.
fn places(part: &Part, parameters: &[Parameter], choice: &[usize]) -> Vec<usize> {
    let mut open = choice.iter();
    let place = |(parameter, fixed): (&Parameter, &Option<Choice>)| match fixed {
        Some(fixed) => parameter.values.iter().position(|value| value == fixed).unwrap_or(0),
        None => open.next().copied().unwrap_or(0),
    };
    parameters.iter().zip(&part.fixed).map(place).collect()
}

/// What a space came to: the causes, the most frequent first, and the counts.
pub fn text(
    name: &str,
    parameters: &[Parameter],
    counts: &Counts,
    reasons: &[String],
    supposed: &[String],
) -> String {
    let mut text = String::new();
    let mut line = |line: String| text.extend([line.as_str(), "\n"]);
    let mut invalid: Vec<&(Cause, u64, Vec<usize>)> = counts.invalid.iter().collect();
    invalid.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    for (cause, count, example) in invalid {
        line(format!("{:>12} × {}: {}", grouped(*count), cause.operator, cause.label));
        line(format!("{:14} at {} ({})", "", cause.place, cause.category));
        if !cause.condition.is_empty() {
            line(format!("{:14} needs {}", "", cause.condition));
        }
        let values = parameters.iter().zip(example);
        let example =
            values.map(|(parameter, &place)| format!("{}={}", parameter.name, parameter.values[place]));
        line(format!("{:14} for example {}", "", example.collect::<Vec<_>>().join(", ")));
    }
    reasons.iter().for_each(|reason| line(format!("not known: {reason}")));
    supposed.iter().for_each(|each| line(format!("supposing: {each}")));
    let total = counts.valid + counts.invalid() + counts.unknown;
    let unknown = match counts.unknown {
        0 => String::new(),
        count => format!(", {} not known", grouped(count)),
    };
    let (valid, invalid) = (grouped(counts.valid), grouped(counts.invalid()));
    line(format!("{name}: {} vectors, {valid} valid, {invalid} invalid{unknown}", grouped(total)));
    text
}

/// Every vector of a part with its verdict.
pub fn list(form: ListArg, parameters: &[Parameter], part: &Part, tables: &[Tables]) -> Result<()> {
    match rows(form, parameters, part, tables) {
        // A reader that has seen enough is no fault.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write the output"),
    }
}
fn rows(form: ListArg, parameters: &[Parameter], part: &Part, tables: &[Tables]) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut choice = vec![0; part.domains.len()];
    loop {
        let found = tables.iter().map(|table| table.verdict(&choice));
        let found =
            found.into_iter().find(|verdict| *verdict != Verdict::Elsewhere).unwrap_or(Verdict::Unknown);
        let (verdict, why) = match found {
            Verdict::Valid => ("valid", String::new()),
            Verdict::Invalid(cause) => {
                ("invalid", format!("{}: {} ({})", cause.operator, cause.label, cause.place))
            }
            Verdict::Elsewhere | Verdict::Unknown => ("unknown", String::new()),
        };
        let vector = places(part, parameters, &choice);
        let values = parameters.iter().zip(vector).map(|(parameter, place)| &parameter.values[place]);
        match form {
            ListArg::Csv => {
                let cells = values.map(|value| quoted(&value.to_string()));
                let cells: Vec<String> = cells.chain([verdict.into(), quoted(&why)]).collect();
                writeln!(out, "{}", cells.join(","))?;
            }
            ListArg::Jsonl => {
                let names = parameters.iter().map(|parameter| parameter.name.clone());
                let vector: Map<String, Value> = names.zip(values.map(value_of)).collect();
                writeln!(out, "{}", json!({ "vector": vector, "verdict": verdict, "why": why }))?;
            }
        }
        let next = (0..choice.len()).rev().find(|&place| {
            let is_last = choice[place] + 1 == part.domains[place].values.len();
            choice[place] = if is_last { 0 } else { choice[place] + 1 };
            !is_last
        });
        if next.is_none() {
            return out.flush();
        }
    }
}

fn value_of(choice: &Choice) -> Value {
    match choice {
        Choice::Int(number) => json!(number),
        Choice::Float(number) => json!(number),
        Choice::Flag(flag) => json!(flag),
        Choice::Text(text) => json!(text),
        Choice::Several(all) => all.iter().map(value_of).collect(),
    }
}

/// A cell of a row: quoted where a comma or a quote stands in it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// 1,234,567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
