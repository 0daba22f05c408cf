//! `truth keras`: calls of layers, drawn from the signatures and judged by Keras, compared with our definitions:
//! verdict, shapes, types and values. What we do not know counts as a disagreement.

use crate::{agreement, data, document, frameworks};
use anyhow::{Context, Result};
use engines::evaluate::Mode;
use engines::run::{Runner, Why};
use models::keras::{Operands, Passed};
use program::ir::ValueId;
use program::network::Network;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// How many calls of each layer are drawn.
const CALLS: &str = "550";

#[derive(Default)]
struct Score {
    calls: usize,
    accepted: usize,
    agree: usize,
    wrong: BTreeMap<String, usize>,
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let (mut recorded, mut only, mut show) = (None, None, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--recorded" => recorded = words.next().map(PathBuf::from),
            "--layer" => only = words.next().map(|name| name.to_string()),
            "--show" => show = true,
            other => anyhow::bail!("`{other}` is no option of truth keras"),
        }
    }
    let path = match recorded {
        Some(path) => path,
        None => {
            let Some(python) = frameworks::python()? else { return Ok(()) };
            let path = data::scratch("keras")?.join("calls.jsonl");
            std::fs::write(&path, frameworks::truth(&python, "keras_calls.py", &[CALLS, "0"])?)?;
            path
        }
    };
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut tightness = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line)?;
        let layer = row["layer"].as_str().context("a layer")?;
        if only.as_deref().is_some_and(|only| only != layer) {
            continue;
        }
        let score = scores.entry(layer.to_string()).or_default();
        score.calls += 1;
        score.accepted += usize::from(row.get("error").is_none());
        match judge(&row, &mut tightness) {
            Ok(()) => score.agree += 1,
            Err(why) => {
                if show {
                    let shapes: Vec<String> =
                        list(&row["inputs"]).iter().map(|input| input["shape"].to_string()).collect();
                    println!("{layer} {} on {}: {why}", row["arguments"], shapes.join(", "));
                }
                *score.wrong.entry(plain(&why)).or_default() += 1;
            }
        }
    }
    let text = summary(&scores, tightness);
    println!("{text}");
    if only.is_some() { Ok(()) } else { document::section("conformance.md", "keras", &text) }
}

/// Runs the call by our definition and compares with what was recorded.
fn judge(row: &Value, tightness: &mut Vec<f64>) -> Result<(), String> {
    let mut network = Network::default();
    let inputs: Vec<ValueId> =
        list(&row["inputs"]).iter().map(|input| network.constant("x", array(input))).collect();
    let mut constant = |name: &str, value: &Value| network.constant(name, array(value));
    let weights: Vec<(String, ValueId)> = match &row["weights"] {
        Value::Object(weights) => {
            weights.iter().map(|(name, weight)| (name.clone(), constant(name, weight))).collect()
        }
        weights => list(weights)
            .iter()
            .filter_map(|pair| Some((pair[0].as_str()?.to_string(), constant("weight", &pair[1]))))
            .collect(),
    };
    let mut called = Operands::on(inputs);
    for (name, value) in row["call"].as_object().into_iter().flatten() {
        let passed = match value {
            Value::Array(tensors) => {
                Passed::Tensors(tensors.iter().map(|tensor| constant(name, tensor)).collect())
            }
            Value::Object(_) => Passed::Tensors(vec![constant(name, value)]),
            other => Passed::Other(other.clone()),
        };
        called.named.push((name.clone(), passed));
    }
    let class = row["layer"].as_str().unwrap_or_default();
    let empty = serde_json::Map::new();
    let config = row["arguments"].as_object().unwrap_or(&empty);
    let theirs = row["error"].as_str();
    let wanted = list(&row["outputs"]).len().max(1);
    let outputs = models::keras::call(&mut network, class, config, class, called, &weights, wanted);
    let program = network.finish(class, outputs);
    let refusal = |why: &str| match theirs {
        Some(_) => Ok(()),
        None => Err(format!("refused, but valid: {why}")),
    };
    if let Some(fault) = program.graph.nodes.iter().flat_map(|node| &node.faults).next() {
        return refusal(&fault.label);
    }
    let mut runner = Runner::new(&program, Mode::Bounded);
    if let Err(error) = runner.run(&mut |_, _| {}) {
        return match error.why {
            Why::Violated { label, .. } => refusal(&label),
            other => Err(format!("unknown: {other}")),
        };
    }
    if let Some(error) = theirs {
        return Err(format!("accepted, but Keras raises {error}"));
    }
    for (&output, expected) in program.graph.outputs.iter().zip(list(&row["outputs"])) {
        let ours = runner.value(output).map_err(|why| format!("unknown: {why}"))?;
        let expected = array(expected);
        if ours.array.shape != expected.shape {
            return Err(format!("shape {:?} instead of {:?}", ours.array.shape, expected.shape));
        }
        if ours.array.kind != expected.kind {
            return Err(format!("type {} instead of {}", ours.array.kind, expected.kind));
        }
        if let Some(fault) = agreement::fault(&ours, &expected) {
            return Err(format!("another value: {fault}"));
        }
        let sharp = agreement::tightness(&ours, &expected);
        if !sharp.notices {
            return Err("an error of ten bounds would not be noticed".into());
        }
        tightness.extend(sharp.ratio);
    }
    Ok(())
}

fn summary(scores: &BTreeMap<String, Score>, mut tightness: Vec<f64>) -> String {
    let total = |of: fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let (calls, accepted, agree) = (total(|s| s.calls), total(|s| s.accepted), total(|s| s.agree));
    tightness.sort_by(f64::total_cmp);
    let mut text = String::from(
        "## Agreement with Keras\n\n`cargo xtask truth keras`: calls of layers drawn from the signatures, run by Keras on TensorFlow and by our definitions. *Unknown* counts as a disagreement.\n\n",
    );
    let _ = writeln!(
        text,
        "{} layers, {calls} calls, {:.1} % accepted by Keras; {:.2} % agree in verdict, shape, type and value.",
        scores.len(),
        share(accepted, calls),
        share(agree, calls)
    );
    if let Some(median) = tightness.get(tightness.len() / 2) {
        let _ = writeln!(
            text,
            "Median of the bound by the error seen: {median:.1} ({} outputs with an error).",
            tightness.len()
        );
    }
    text.push_str("\n| layer | calls | accepted | agree | disagreements |\n|---|---|---|---|---|\n");
    for (layer, score) in scores {
        let wrong: Vec<String> =
            score.wrong.iter().map(|(why, count)| format!("{count} × {}", why.replace('|', "/"))).collect();
        let _ = writeln!(
            text,
            "| `{layer}` | {} | {:.0} % | {:.1} % | {} |",
            score.calls,
            share(score.accepted, score.calls),
            share(score.agree, score.calls),
            wrong.join("; ")
        );
    }
    text
}

/// Without the numbers, so that equal reasons count as one.
fn plain(why: &str) -> String {
    let mut text = String::new();
    for c in why.chars().take(160) {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn array(value: &Value) -> Array {
    let shape: Vec<usize> =
        list(&value["shape"]).iter().filter_map(Value::as_u64).map(|size| size as usize).collect();
    let numbers: Vec<f64> = list(&value["values"])
        .iter()
        .map(|number| {
            number
                .as_f64()
                .unwrap_or_else(|| number.as_str().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN))
        })
        .collect();
    match value["dtype"].as_str() {
        Some("int32") => {
            Array::new(Kind::I32, shape, Data::Int(numbers.iter().map(|number| *number as i64).collect()))
        }
        Some("int64") => {
            Array::new(Kind::I64, shape, Data::Int(numbers.iter().map(|number| *number as i64).collect()))
        }
        Some("bool") => {
            Array::new(Kind::Bool, shape, Data::Bool(numbers.iter().map(|number| *number != 0.0).collect()))
        }
        Some("float16") => Array::floats(Kind::F16, &shape, numbers),
        Some("float64") => Array::floats(Kind::F64, &shape, numbers),
        // Written with all digits and read with a few less: the float32 nearest to it is the one that was meant.
        _ => {
            Array::floats(Kind::F32, &shape, numbers.iter().map(|number| f64::from(*number as f32)).collect())
        }
    }
}
