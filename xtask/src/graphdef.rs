//! `truth graphdef`: graphs of one operator each, drawn valid and otherwise; verdict, types, shapes and values against
//! what TensorFlow makes of them.

use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use engines::evaluate::Mode;
use engines::finding::Severity;
use engines::run::{Runner, Why};
use engines::validity::{self, Question};
use program::ir::Program;
use semantics::array::{Array, Data};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const COUNT: &str = "1800";
const SEED: &str = "7";

/// A graph as TensorFlow judged it.
#[derive(Deserialize)]
struct Case {
    number: usize,
    op: String,
    random: bool,
    ok: bool,
    #[serde(default)]
    error: String,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    #[serde(rename = "type")]
    kind: String,
    shape: Vec<usize>,
    values: Vec<Option<f64>>,
}

#[derive(Default)]
struct Score {
    cases: usize,
    agreeing: usize,
    reasons: Vec<String>,
}

/// `[--made FOLDER]`: with graphs that were made before.
pub fn run(arguments: &[&str]) -> Result<()> {
    let folder = match arguments {
        ["--made", folder] => PathBuf::from(folder),
        [] => {
            let Some(python) = frameworks::python()? else { return Ok(()) };
            let folder = data::scratch("graphdef")?;
            frameworks::truth(&python, "graphdef.py", &[&folder.display().to_string(), COUNT, SEED])?;
            folder
        }
        other => anyhow::bail!("`{}` is no option of truth graphdef", other.join(" ")),
    };
    let text = std::fs::read_to_string(folder.join("cases.jsonl")).context("reading the cases")?;
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let (mut valid, mut all) = (0, 0);
    for line in text.lines() {
        // Python writes numbers that are none as no JSON does.
        let line = line.replace("-Infinity", "-1e999").replace("Infinity", "1e999").replace("NaN", "null");
        let case: Case = serde_json::from_str(&line.replace("-1e999", "-1e308").replace("1e999", "1e308"))
            .context("reading a case")?;
        let score = scores.entry(case.op.clone()).or_default();
        score.cases += 1;
        all += 1;
        valid += usize::from(case.ok);
        match compared(&folder, &case) {
            Ok(()) => score.agreeing += 1,
            Err(why) => score.reasons.push(format!("{}: {why}", case.number)),
        }
    }
    let agreeing: usize = scores.values().map(|score| score.agreeing).sum();
    let spelled = semantics::spelling::tensorflow_names().count();
    let mut told = format!(
        "## Operators of TensorFlow graphs\n\n`cargo xtask truth graphdef`: GraphDefs of one operator each, drawn valid and with a spoilt shape; TensorFlow imports and runs them.\nCompared are the verdict, and where TensorFlow computes, types, shapes and values.\n{spelled} operators of TensorFlow graphs are spelled; {} of them are drawn.\n\n{agreeing} of {all} graphs agree ({valid} of them valid).\n",
        scores.len()
    );
    if scores.values().any(|score| !score.reasons.is_empty()) {
        told.push_str("\n| operator | agree | first difference |\n|---|---|---|\n");
    }
    for (op, score) in scores.iter().filter(|(_, score)| !score.reasons.is_empty()) {
        let reason = score.reasons[0].replace('|', "/").replace('\n', " ");
        let _ = writeln!(told, "| {op} | {} of {} | {reason} |", score.agreeing, score.cases);
        for reason in &score.reasons {
            println!("{op} {reason}");
        }
    }
    println!("{told}");
    document::section("conformance.md", "graphdef", &told)
}

fn compared(folder: &Path, case: &Case) -> Result<(), String> {
    let path = folder.join(format!("{}.pb", case.number));
    let model = models::graphdef::open(&path).map_err(|error| error.message)?;
    let lowered = models::graphdef::lower(&model, "graph");
    if let Some(problem) = lowered.problems.first() {
        return Err(problem.message.clone());
    }
    let answer = validity::check(&lowered.program, &Question::default());
    let error = answer.findings.iter().find(|finding| finding.severity == Severity::Error);
    if let Some(unknown) = answer.unknowns.first() {
        return Err(format!("unknown: {}", unknown.reason));
    }
    match (case.ok, error) {
        (true, Some(finding)) => Err(format!("TensorFlow takes it; we say: {}", finding.message)),
        (true, None) => values(&lowered.program, case),
        (false, Some(_)) => Ok(()),
        // What depends on values may be found only by running.
        (false, None) => match Runner::new(&lowered.program, Mode::Plain).run(&mut |_, _| {}) {
            Err(error) if matches!(error.why, Why::Violated { .. }) => Ok(()),
            _ => Err(format!("TensorFlow refuses it: {}", case.error)),
        },
    }
}

/// Compares what is computed.
fn values(program: &Program, case: &Case) -> Result<(), String> {
    let mut runner = Runner::new(program, Mode::Plain);
    let ran = runner.run(&mut |_, _| {});
    if case.random {
        return Ok(());
    }
    ran.map_err(|error| error.to_string())?;
    for (k, expected) in case.outputs.iter().enumerate() {
        let name = if k == 0 { "result".to_string() } else { format!("result:{k}") };
        let Some(value) = (0..program.values.len() as u32)
            .map(program::ir::ValueId)
            .find(|&value| program.name(value) == name)
        else {
            continue;
        };
        let reading = runner.value(value).map_err(|why| why.to_string())?;
        let array = &reading.array;
        let kind = array.kind.to_string();
        if kind != short(&expected.kind) {
            return Err(format!("output {k} is {kind}, TensorFlow gives {}", expected.kind));
        }
        if array.shape != expected.shape {
            return Err(format!("output {k} is {:?}, TensorFlow gives {:?}", array.shape, expected.shape));
        }
        let ours = numbers(array);
        for (position, (a, b)) in ours.iter().zip(&expected.values).enumerate() {
            if !close(*a, *b) {
                return Err(format!("output {k}[{position}] is {a}, TensorFlow gives {b:?}"));
            }
        }
    }
    Ok(())
}

/// TensorFlow's names of types as ours.
fn short(name: &str) -> String {
    match name {
        "bool" => "bool".into(),
        other => other.replace("uint", "u").replace("float", "f").replace("int", "i"),
    }
}

fn numbers(array: &Array) -> Vec<f64> {
    match &array.data {
        Data::Bool(values) => values.iter().map(|&value| f64::from(u8::from(value))).collect(),
        Data::Int(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Float(values) => values.clone(),
        Data::Complex(_) | Data::Opaque(_) => Vec::new(),
    }
}

/// Single precision, in any order of summation. What is no number is none in both.
fn close(ours: f64, theirs: Option<f64>) -> bool {
    let Some(theirs) = theirs else { return ours.is_nan() };
    if theirs.abs() >= 1e308 {
        return ours.is_infinite() && ours.is_sign_positive() == theirs.is_sign_positive();
    }
    (ours - theirs).abs() <= 2e-5 + 2e-4 * theirs.abs()
}
