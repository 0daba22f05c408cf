//! Arguments that have no say in what a layer computes when it predicts. Keras reads them all the same, and refuses
//! what it cannot read.

use serde_json::Value;

const WITHOUT_EFFECT: &[&str] = &[
    "name",
    "trainable",
    "dtype",
    "seed",
    "momentum",
    "renorm_clipping",
    "renorm_momentum",
    "synchronized",
    "unroll",
    "implementation",
    "unit_forget_bias",
    "dropout",
    "recurrent_dropout",
    "time_major",
    "quantization_config",
    "lora_rank",
    "lora_alpha",
    "batch_input_shape",
    "input_length",
    "autocast",
    "noise_shape",
    "sparse",
    "ragged",
];

/// Things that are read from a name, by the end of the argument.
const NAMED: &[(&str, &[&str])] = &[
    ("_initializer", INITIALIZERS),
    ("_regularizer", &["Regularizer", "L1", "L2", "L1L2", "OrthogonalRegularizer"]),
    ("_constraint", &["Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm"]),
];
const INITIALIZERS: &[&str] = &[
    "Initializer",
    "Constant",
    "Identity",
    "Ones",
    "STFT",
    "Zeros",
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "LecunNormal",
    "LecunUniform",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "IdentityInitializer",
    "STFTInitializer",
    "OrthogonalInitializer",
    "Normal",
    "One",
    "Uniform",
    "Zero",
];

pub(super) fn is_unheeded(name: &str) -> bool {
    WITHOUT_EFFECT.contains(&name) || NAMED.iter().any(|(end, _)| name.ends_with(end))
}

/// What such an argument should have been, if Keras cannot read it.
pub(super) fn wanted(name: &str, value: &Value) -> Option<&'static str> {
    let fault = |is_fault: bool, words| is_fault.then_some(words);
    match (name, value) {
        ("name", Value::String(name)) => fault(name.contains('/'), "text without `/`"),
        ("name", Value::Number(_) | Value::Bool(_) | Value::Array(_)) => Some("text without `/`"),
        ("dtype", Value::String(policy)) => fault(!is_policy(policy), "an element type or a policy"),
        ("dtype", Value::Number(_) | Value::Bool(_) | Value::Array(_)) => Some("an element type or a policy"),
        ("noise_shape", Value::Array(sizes)) => {
            let is_size = |size: &Value| size.is_null() || size.as_i64().is_some_and(|size| size > 0);
            fault(!sizes.iter().all(is_size), "a list of positive sizes and of nothing where it is left open")
        }
        ("dtype", Value::Object(_)) => {
            let policy = value["config"]["name"].as_str();
            fault(policy.is_some_and(|policy| !is_policy(policy)), "an element type or a policy")
        }
        (_, Value::String(word)) => {
            let (end, names) = NAMED.iter().find(|(end, _)| name.ends_with(end))?;
            let known = names.iter().any(|known| known == word || in_small_letters(known) == *word);
            let words = match *end {
                "_initializer" => "the name of an initializer",
                "_regularizer" => "the name of a regularizer",
                _ => "the name of a constraint",
            };
            fault(!known, words)
        }
        _ => None,
    }
}

/// Policies with another type for weights say so: `int8_from_float32`.
pub(super) fn is_policy(name: &str) -> bool {
    let mixed = name.strip_prefix("mixed_").unwrap_or(name);
    name.contains("_from_") || mixed == "string" || super::graph::kind(mixed).is_some()
}

/// `GlorotUniform` as `glorot_uniform`.
fn in_small_letters(name: &str) -> String {
    let mut small = String::new();
    let mut before = 'A';
    for c in name.chars() {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            small.push('_');
        }
        small.push(c.to_ascii_lowercase());
        before = c;
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_cannot_be_read_is_told() {
        assert_eq!(wanted("kernel_initializer", &json!("glorot_uniform")), None);
        assert_eq!(wanted("kernel_initializer", &json!({ "class_name": "Mine" })), None);
        assert_eq!(wanted("bias_initializer", &json!("steep")), Some("the name of an initializer"));
        assert_eq!(wanted("bias_regularizer", &json!("l1l2")), None);
        assert_eq!(wanted("bias_constraint", &json!("l2")), Some("the name of a constraint"));
        assert_eq!(wanted("name", &json!("a/b")), Some("text without `/`"));
        assert_eq!(wanted("dtype", &json!("mixed_float16")), None);
        assert_eq!(wanted("dtype", &json!("float31")), Some("an element type or a policy"));
    }
}
