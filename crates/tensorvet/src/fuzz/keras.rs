//! Keras as a backend: cases become layers and calls for the worker.

use super::framework::{Written, told};
use engines::fuzz::Case;
use models::keras::{Script, script};
use serde_json::{Value, json};

/// A case for the worker.
pub fn written(case: &Case) -> Result<Written, String> {
    let script = scripted(case)?;
    let mut inputs = Vec::new();
    for (value, name) in &script.inputs {
        let array = case.inputs.get(value).ok_or("an input has no array")?;
        let mut told = told(array)?;
        told["name"] = json!(name);
        inputs.push(told);
    }
    let mut layers = Vec::new();
    for made in &script.layers {
        let weights = made.weights.iter().map(told).collect::<Result<Vec<_>, _>>()?;
        layers.push(json!({ "expression": made.expression, "weights": weights }));
    }
    let calls: Vec<Value> = script
        .calls
        .iter()
        .map(|call| {
            let outputs: Vec<&str> = call.outputs.iter().map(|(_, name)| name.as_str()).collect();
            json!({ "layer": call.layer, "arguments": call.arguments, "outputs": outputs })
        })
        .collect();
    let question = json!({ "inputs": inputs, "layers": layers, "calls": calls });
    Ok(Written { question, calls: script.calls.into_iter().map(|call| (call.node, call.outputs)).collect() })
}

/// A program of its own that shows the case up to a node.
pub fn code(case: &Case, node: usize) -> Option<String> {
    Some(scripted(case).ok()?.render(node, &|value| case.inputs.get(&value).cloned()))
}

fn scripted(case: &Case) -> Result<Script, String> {
    let kinds = engines::fuzz::kinds(case);
    script(&case.program, &|value| kinds.get(&value).map(|known| known.0))
}
