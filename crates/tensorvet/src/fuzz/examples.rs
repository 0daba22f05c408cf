//! Examples of findings as JSON.

use engines::fuzz::{Example, Tensor};
use serde_json::{Map, Value, json};

pub fn stored(example: &Example) -> Value {
    let tensor = |own: &Tensor| json!({ "name": own.name, "dtype": own.kind, "shape": own.shape, "holds": own.holds, "largest": own.largest });
    let arguments = example.arguments.iter().map(|(name, value)| (name.clone(), json!(value)));
    json!({
        "tensors": example.tensors.iter().map(tensor).collect::<Vec<_>>(),
        "outputs": example.outputs.iter().map(tensor).collect::<Vec<_>>(),
        "arguments": arguments.collect::<Map<_, _>>(),
        "beside": example.beside, "expected": example.expected, "observed": example.observed,
        "as_float32": example.as_float32,
    })
}

pub fn read(stored: &Value) -> Example {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let tensor = |own: &Value| Tensor {
        name: text(&own["name"]),
        kind: text(&own["dtype"]),
        shape: own["shape"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|size| Some(size.as_u64()? as usize))
            .collect(),
        holds: own["holds"].as_array().into_iter().flatten().map(text).collect(),
        largest: own["largest"].as_f64().unwrap_or(0.0),
    };
    let tensors = |name: &str| stored[name].as_array().into_iter().flatten().map(tensor).collect();
    let arguments = stored["arguments"].as_object().into_iter().flatten();
    Example {
        tensors: tensors("tensors"),
        outputs: tensors("outputs"),
        arguments: arguments.map(|(name, value)| (name.clone(), text(value))).collect(),
        beside: stored["beside"].as_array().into_iter().flatten().map(text).collect(),
        expected: text(&stored["expected"]),
        observed: text(&stored["observed"]),
        as_float32: stored["as_float32"] == true,
    }
}
