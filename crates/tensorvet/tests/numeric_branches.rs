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
    told(&file, text, &[], file.as_os_str())
}

/// What is told of a function `f` of one number between -3 and 3.
fn of_source(name: &str, body: &str) -> Vec<serde_json::Value> {
    let file: PathBuf = std::env::temp_dir().join(format!("tensorvet-{name}-{}.py", std::process::id()));
    let mut entry = file.clone().into_os_string();
    entry.push("::f");
    let text = format!("import torch\n\ndef f(x, flag=None):\n{body}");
    told(&file, &text, &["--input", "x=f32[1]"], &entry)
}

fn told(file: &Path, text: &str, more: &[&str], entry: &std::ffi::OsStr) -> Vec<serde_json::Value> {
    std::fs::write(file, text).expect("a file");
    let output = Command::new(Path::new(env!("CARGO_BIN_EXE_tensorvet")))
        .args(["check", "--numerics", "--output-format", "json", "--range", "x=[-3,3]"])
        .args(more)
        .arg(entry)
        .output()
        .expect("the binary runs");
    std::fs::remove_file(file).expect("the file is ours");
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

#[test]
fn an_assertion_protects_what_comes_after() {
    let protected = of_source("asserted", "    assert x > 0.01\n    return torch.log(x)\n");
    assert_eq!(protected, Vec::<serde_json::Value>::new());
    let told = of_source("asserted-wrong", "    assert x > -1\n    return torch.log(x)\n");
    let [one] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(one["confidence"], "confirmed");
}

#[test]
fn conditions_of_conditions() {
    for (name, body) in [
        ("negated", "    if not (x <= 0):\n        return torch.log(x)\n    return x\n"),
        ("both", "    if x > -1 and x > 0.5:\n        return torch.log(x)\n    return x\n"),
        ("number", "    n = x.item() - 1\n    if n > 0:\n        return torch.log(x)\n    return x\n"),
        ("raised", "    if x.min() <= 0:\n        raise ValueError()\n    return torch.log(x)\n"),
        ("never", "    if x > 5:\n        return torch.log(x - 9)\n    return x\n"),
    ] {
        assert_eq!(of_source(name, body), Vec::<serde_json::Value>::new(), "{name}");
    }
}
