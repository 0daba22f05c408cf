//! What is taken for granted of weights, images and numbers of a program, and that a finding says so: all of it, and
//! nothing else.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// What is found in a file: the line or node of each finding, and what it assumes.
fn told(name: &str, text: &str, entry: &str, options: &[&str]) -> Vec<(String, Vec<String>)> {
    let file: PathBuf = std::env::temp_dir().join(format!("tensorvet-assumed-{}-{name}", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .args(["check", "--numerics", "--output-format", "json"])
        .args(options)
        .arg(format!("{}{entry}", file.display()))
        .output()
        .expect("the binary runs");
    std::fs::remove_file(&file).expect("the file is ours");
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    let findings = answer["findings"].as_array().cloned().unwrap_or_default();
    assert_eq!(answer["summary"]["unknowns"].as_array().map(Vec::len), Some(0), "{name}: {answer}");
    let place = |location: &Value| match location["line"].as_u64() {
        Some(line) => line.to_string(),
        None => location["node"].as_str().unwrap_or_default().to_owned(),
    };
    let texts = |list: &Value| -> Vec<String> {
        list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    findings.iter().map(|finding| (place(&finding["location"]), texts(&finding["assumptions"]))).collect()
}

/// Only where something is found.
fn places(found: &[(String, Vec<String>)]) -> Vec<&str> {
    found.iter().map(|(place, _)| place.as_str()).collect()
}

const MODEL: &str = r#"<ir_version: 10, opset_import: ["" : 20]>
g (float[2,4] x) => (float[2,2] y)
<float[4,2] w = {0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2}>
{
  h = MatMul (x, w)
  one = Constant <value_float = 1.0> ()
  k = Add (h, one)
  y = Log (k)
}
"#;

#[test]
fn weights_of_a_file() {
    let asked =
        |weights: &str| told("model.onnxtxt", MODEL, "", &["--range", "x=[1,2]", "--weights", weights]);
    assert_eq!(asked("stored"), Vec::new());
    let initial = asked("initial");
    assert_eq!(places(&initial), ["Log→y"]);
    assert_eq!(
        initial[0].1,
        [
            "`w` lies in [-0.7071067811865475, 0.7071067811865475]: as layers are initialised",
            "`x` lies in [1, 2]: as stated"
        ]
    );
    let any = asked("any");
    assert_eq!(places(&any), ["MatMul→h", "Log→y"]);
    assert_eq!(any[0].1, ["`w` lies in [-3.403e38, 3.403e38]: any weights", "`x` lies in [1, 2]: as stated"]);
}

#[test]
fn stored_weights_are_an_assumption() {
    let found = told("stored.onnxtxt", MODEL, "", &["--range", "x=[-9,2]"]);
    assert_eq!(places(&found), ["Log→y"]);
    assert_eq!(found[0].1, ["`w` is as stored", "`x` lies in [-9, 2]: as stated"]);
}

/// The logarithm of an input times a variable that starts with 3 and 4 and is trained.
const GRAPH: &str = r#"
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "start" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 3.0 float_val: 4.0 } } } }
node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "w/Assign" op: "Assign" input: "w" input: "start" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "w/read" op: "Identity" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "mul" op: "Mul" input: "x" input: "w/read" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "log" op: "Log" input: "mul" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "rate" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 0.1 } } } }
node { name: "step" op: "ApplyGradientDescent" input: "w" input: "rate" input: "log" attr { key: "T" value { type: DT_FLOAT } } }
"#;

#[test]
fn variables_of_a_graph() {
    let asked = |weights: &str| told("graph.pbtxt", GRAPH, "", &["--range", "x=[1,2]", "--weights", weights]);
    assert_eq!(asked("initial"), Vec::new());
    let trained = asked("stored");
    assert_eq!(places(&trained), ["log"]);
    assert_eq!(
        trained[0].1,
        [
            "`w` lies in [-97, 104]: trained, a hundred thousand steps of 0.001 lead no further",
            "`x` lies in [1, 2]: as stated"
        ]
    );
    let any = asked("any");
    assert_eq!(any[0].1, ["`w` lies in [-3.403e38, 3.403e38]: any weights", "`x` lies in [1, 2]: as stated"]);
}

const NETWORK: &str = "import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.scale = nn.LayerNorm(3)
        self.again = nn.LayerNorm(3)
        self.w = nn.Parameter(torch.empty(3, 3))
        nn.init.uniform_(self.w, 0.5, 1.0)
        self.k = nn.Parameter(torch.zeros(3))
        nn.init.constant_(self.fc.bias, 2.0)

    def forward(self, x):
        a = torch.log(x @ torch.ones(4, 3) @ self.w)
        b = torch.log(self.fc(x) + 3.0)
        c = torch.log(self.k + 1.0)
        d = torch.log(self.again.weight + self.scale.bias)
        return a + b + c + d
";

#[test]
fn weights_of_a_source() {
    let asked = |weights: &str| {
        let options = ["--input", "x=f32[2,4]", "--range", "x=[1,2]", "--weights", weights];
        told("net.py", NETWORK, "::Net", &options)
    };
    // Weights start as the program says, and its own numbers are what they are.
    assert_eq!(asked("stored"), Vec::new());
    assert_eq!(asked("initial"), Vec::new());
    let any = asked("any");
    for line in ["17", "18", "19", "20"] {
        assert!(places(&any).contains(&line), "line {line}: {any:?}");
    }
    for (place, assumptions) in &any {
        assert!(assumptions.iter().all(|text| !text.contains("constant")), "{place}: {assumptions:?}");
    }
    let of_bias = any.iter().filter(|(place, _)| place == "18").map(|(_, assumptions)| assumptions);
    assert!(of_bias.clone().any(|all| all.iter().any(|text| text.starts_with("`fc.bias`"))), "{any:?}");
}

/// A bias has a say in what a linear layer gives.
#[test]
fn a_bias_is_added() {
    let text = "import torch\nimport torch.nn.functional as F\n\ndef f(x, w, b):\n    return torch.log(F.linear(x, w, b))\n";
    let options = ["--input", "x=f32[2,4]", "--input", "w=f32[3,4]", "--input", "b=f32[3]"];
    let ranges = ["--range", "x=[1,2]", "--range", "w=[1,2]", "--range", "b=[-9,0]"];
    let found = told("bias.py", text, "::f", &[&options[..], &ranges[..]].concat());
    assert_eq!(places(&found), ["5"]);
}

/// Logarithms of images that are more or less than what makes them positive.
fn images(name: &str, transform: &str, margin: (f64, f64)) {
    let text = format!(
        "import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.transforms import v2

transform = {transform}
for images, labels in DataLoader(datasets.MNIST('data', transform=transform), batch_size=64, shuffle=True):
    a = torch.log(images + {})
    b = torch.log(images + {})
",
        margin.0, margin.1
    );
    let found = told(name, &text, "", &[]);
    assert_eq!(places(&found), ["9"], "{transform}");
    assert!(found[0].1.iter().any(|text| text.starts_with("`images` lies in [0, ")), "{found:?}");
}

#[test]
fn images_lie_where_their_preprocessing_puts_them() {
    images("tensor.py", "transforms.ToTensor()", (0.001, 0.0));
    // The least is -0.1307 / 0.3081.
    let normalised =
        "transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])";
    images("normalised.py", normalised, (0.4243, 0.4242));
    let second = "v2.Compose([v2.ToImage(), v2.RandomHorizontalFlip(), v2.ToDtype(torch.float32, scale=True), \
                  v2.Normalize(mean=[0.5], std=[0.25])])";
    images("second.py", second, (2.001, 1.999));
    let turned = "transforms.Compose([transforms.ToTensor(), transforms.RandomHorizontalFlip()])";
    images("turned.py", turned, (0.001, 0.0));
}

#[test]
fn pixels_of_a_data_set_are_bytes() {
    let text = "import torch
from torchvision import datasets

data = datasets.MNIST('data').data / 255
p = torch.log(data + 1e-3)
q = torch.log(1.001 - data)
r = torch.log(0.999 - data)
";
    let found = told("pixels.py", text, "", &[]);
    assert_eq!(places(&found), ["7"]);
    assert_eq!(found[0].1, ["`images` lies in [0, 255]: as its preprocessing leaves it"]);
}

/// Sizes may be open, and sums over them long, but not longer than any memory is large.
#[test]
fn sums_are_as_long_as_a_memory_can_be() {
    let text = "def total(x):\n    return (x * x).sum()\n";
    let ask = |most: &str| {
        let range = format!("x=[-{most},{most}]");
        told("sums.py", text, "::total", &["--input", "x=f32[N,C,H,W]", "--range", &range])
    };
    assert_eq!(ask("6e9"), Vec::new());
    assert_eq!(places(&ask("1e15")), ["2"]);
}
