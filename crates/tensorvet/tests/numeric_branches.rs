//! What is computed in a branch is judged where its condition holds, and witnesses take the branch.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A model that takes a logarithm where the first element exceeds a number, and another elsewhere.
fn model(threshold: &str) -> String {
    format!(
        r#"<ir_version: 9, opset_import: ["" : 20]>
branches (float[1] x) => (float[1] y) {{
  limit = Constant <value_float = {threshold}> ()
  first = Squeeze(x)
  exceeds = Greater(first, limit)
  y = If <
    then_branch = then () => (float[1] a) {{ a = Log(x) }},
    else_branch = otherwise () => (float[1] b) {{
      one = Constant <value_float = 1.0> ()
      rest = Sub(one, x)
      b = Log(rest)
    }}
  > (exceeds)
}}
"#
    )
}

fn findings(name: &str, text: &str) -> Vec<serde_json::Value> {
    let file: PathBuf = std::env::temp_dir().join(format!("tensorvet-{name}-{}.onnxtxt", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let output = Command::new(Path::new(env!("CARGO_BIN_EXE_tensorvet")))
        .args(["check", "--numerics", "--output-format", "json", "--range", "x=[-3,3]"])
        .arg(&file)
        .output()
        .expect("the binary runs");
    std::fs::remove_file(&file).expect("the file is ours");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    told["findings"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_condition_protects_its_branches() {
    assert_eq!(findings("protected", &model("0.5")), Vec::<serde_json::Value>::new());
}

#[test]
fn a_wrong_condition_does_not() {
    let told = findings("unprotected", &model("-0.5"));
    let [one] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(one["confidence"], "confirmed");
    let witness = &one["witness"]["x"];
    let x = witness["all"].as_f64().or_else(|| witness["values"][0].as_f64()).expect("a number");
    assert!(x > -0.5 && x <= 0.0, "{x} does not take the branch");
}
