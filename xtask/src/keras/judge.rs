//! One recorded call of a layer, by our definition.

use super::labels::Label;
use crate::agreement;
use engines::evaluate::Mode;
use engines::finding::Rule;
use engines::run::{Runner, Why};
use engines::validity::{self, Question};
use models::keras::{Operands, Passed};
use program::ir::ValueId;
use program::network::Network;
use rustc_hash::FxHashMap;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use semantics::operator::Backend;
use serde_json::Value;
use std::collections::BTreeSet;

/// What agreeing calls tell beside.
#[derive(Default)]
pub struct Measured {
    /// Bounds by the errors that were seen.
    pub tightness: Vec<f64>,
    /// Requirements that a call broke and no other one with it, by layer and label.
    pub broken_alone: BTreeSet<Label>,
}

/// Runs the call by our definition and compares with what was recorded.
pub fn judge(row: &Value, backend: Backend, measured: &mut Measured) -> Result<(), String> {
    // Whatever we say of it, there is nothing to agree with.
    if row["contradicted"] == true {
        return Err(format!("{NO_VERDICT}it promises another shape than it gives"));
    }
    let mut network = Network::computed_by(backend);
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
    let mut program = network.finish(class, outputs);
    models::keras::cast(&mut program, &FxHashMap::from_iter([(class.to_string(), Kind::F32)]));
    let mut refusal = |why: &str, alone: bool| match theirs {
        Some(_) => {
            if alone {
                measured.broken_alone.insert((layers::names::class(class).to_string(), why.to_string()));
            }
            Ok(())
        }
        None => Err(format!("refused, but valid: {why}")),
    };
    let mut faults = program.graph.nodes.iter().flat_map(|node| &node.faults);
    if let Some(fault) = faults.next() {
        return refusal(&fault.label, faults.next().is_none());
    }
    // What is said not to be supported is refused, or comes out wrong.
    let findings = validity::check(&program, &Question::default()).findings;
    let unsupported = findings.into_iter().find(|finding| finding.rule == Rule::UnsupportedValue);
    if let Some(finding) = unsupported {
        return refusal(finding.requirement.as_deref().unwrap_or_default(), true);
    }
    let mut runner = Runner::new(&program, Mode::Bounded);
    if let Err(error) = runner.run(&mut |_, _| {}) {
        return match error.why {
            Why::Violated { label, alone, .. } => refusal(&label, alone),
            // What Keras refused has no weights to compute with: that is all that is missing.
            Why::Unknown(why) if why.contains("no value was given") && theirs.is_some() => {
                Err(accepted(theirs.unwrap_or_default()))
            }
            other => Err(format!("unknown: {other}")),
        };
    }
    if let Some(error) = theirs {
        return Err(accepted(error));
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
        measured.tightness.extend(sharp.ratio);
    }
    Ok(())
}

/// How an answer begins where Keras has none that one could agree with.
pub const NO_VERDICT: &str = "no verdict: ";

fn accepted(error: &str) -> String {
    if let Some(signal) = error.strip_prefix("crash: ") {
        return format!("{NO_VERDICT}its process dies of {signal}");
    }
    format!("accepted, but Keras raises {error}")
}

pub fn list(value: &Value) -> &[Value] {
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
