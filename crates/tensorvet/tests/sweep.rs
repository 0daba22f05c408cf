//! Spaces of hyper-parameters: every vector is judged as the program itself would be, and bad spaces are told.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const PROGRAM: &str = r#"
import argparse

import torch
from torch import nn

HIDDEN = 64

parser = argparse.ArgumentParser()
parser.add_argument("--layers", type=int, default=2)
parser.add_argument("--heads", type=int, default=4)
parser.add_argument("--norm", choices=["layer", "none"], default="none")
args = parser.parse_args()
assert HIDDEN % 16 == 0
layers, size = [], 24
for number in range(args.layers):
    layers.append(nn.Conv1d(8 if number == 0 else HIDDEN, HIDDEN, 5))
    if args.norm == "layer":
        layers.append(nn.LayerNorm(20))
    layers.append(nn.MaxPool1d(2))
hidden = nn.Sequential(*layers)(torch.randn(4, 8, size)).transpose(1, 2)
attention = nn.MultiheadAttention(HIDDEN, args.heads, batch_first=True)
print(attention(hidden, hidden, hidden)[0].shape)
"#;

const SPACE: &str =
    "layers = \"1..4\"\nheads = [1, 2, 3, 5]\nnorm = [\"layer\", \"none\"]\nHIDDEN = [30, 48, 64]\n";

/// Whether the program above runs, by plain arithmetic.
fn runs(layers: i64, heads: i64, is_normed: bool, hidden: i64) -> bool {
    let mut size = 24;
    for _ in 0..layers {
        size -= 4;
        if size < 1 || is_normed && size != 20 {
            return false;
        }
        size /= 2;
        if size < 1 {
            return false;
        }
    }
    hidden % 16 == 0 && hidden % heads == 0
}

fn sweep(test: &str, space: &str, arguments: &[&str]) -> (PathBuf, Output) {
    let folder = std::env::temp_dir().join(format!("tensorvet-sweep-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    fs::write(folder.join("train.py"), PROGRAM).expect("a temporary file");
    fs::write(folder.join("space.toml"), space).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", "train.py", "--space", "space.toml"])
        .args(arguments)
        .output()
        .expect("the binary runs");
    (folder, output)
}

#[test]
fn every_vector_is_judged() {
    let (folder, output) = sweep("list", SPACE, &["--list", "jsonl"]);
    let rows: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    assert_eq!(rows.len(), 96);
    for row in &rows {
        let number = |name: &str| row["vector"][name].as_i64().expect("a number");
        let is_normed = row["vector"]["norm"] == "layer";
        let expected = runs(number("layers"), number("heads"), is_normed, number("HIDDEN"));
        assert_eq!(row["verdict"], if expected { "valid" } else { "invalid" }, "{row}");
        assert_eq!(row["why"] == "", expected, "{row}");
    }
    assert!(rows.iter().any(|row| row["verdict"] == "valid"));
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn causes_and_counts_are_told() {
    let (folder, output) = sweep("text", SPACE, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    let valid = (1..=4)
        .flat_map(|layers| [1, 2, 3, 5].map(|heads| (layers, heads)))
        .flat_map(|(layers, heads)| [true, false].map(|normed| (layers, heads, normed)))
        .flat_map(|(layers, heads, normed)| [30, 48, 64].map(|hidden| runs(layers, heads, normed, hidden)))
        .filter(|&runs| runs)
        .count();
    let last = format!("train.py: 96 vectors, {valid} valid, {} invalid", 96 - valid);
    assert!(text.trim_end().ends_with(&last), "{text}");
    for part in [
        "the kernel fits the padded input",
        "the features divide into the heads",
        "asserts `HIDDEN % 16 == 0`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(output.status.code(), Some(0));
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn one_vector_is_explained() {
    let (folder, output) = sweep("check", SPACE, &["--check", "heads=5,HIDDEN=64"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("the features divide into the heads") && text.contains("0 valid"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_bad_space_is_told() {
    let flags: String = (0..15).map(|number| format!("k{number} = [true, false]\n")).collect();
    for (number, (space, part)) in [
        ("headz = [1, 2]", "did you mean `heads`?"),
        ("heads = []", "`heads`: there are no values"),
        ("heads = \"4..1\"", "4..1 is empty"),
        ("heads = [1, 1]", "the value 1 twice"),
        ("layers = 2\nheads == 3", "space.toml: line 2, column 8"),
        (&flags, "32768 combinations"),
    ]
    .into_iter()
    .enumerate()
    {
        let (folder, output) = sweep(&format!("bad{number}"), space, &[]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(part), "{space}: {text}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        let _ = fs::remove_dir_all(folder);
    }
}

/// The rows of a sweep of a model file.
fn swept(test: &str, file: &str, model: &str, space: &str) -> Vec<serde_json::Value> {
    let folder = std::env::temp_dir().join(format!("tensorvet-sweep-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    fs::write(folder.join(file), model).expect("a temporary file");
    fs::write(folder.join("space.toml"), space).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", file, "--space", "space.toml", "--list", "jsonl"])
        .output()
        .expect("the binary runs");
    let _ = fs::remove_dir_all(folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

fn zeros(count: usize) -> String {
    vec!["0"; count].join(", ")
}

#[test]
fn weights_of_an_onnx_file_follow_their_node() {
    let model = format!(
        "<ir_version: 8, opset_import: [\"\" : 17]>
         small (float[N,1,8,8] x) => (float[N,D] y)
         <float[2,1,3,3] w1 = {{{}}}, float[2] b1 = {{0, 0}}, float[3,32] w2 = {{{}}}, int64[2] flat = {{0, -1}}>
         {{
           [conv] h = Conv <kernel_shape = [3,3], strides = [1,1], pads = [1,1,1,1]> (x, w1, b1)
           [pool] p = MaxPool <kernel_shape = [2,2], strides = [2,2]> (h)
           r = Reshape (p, flat)
           [fc] y = Gemm <transB = 1> (r, w2)
         }}",
        zeros(18),
        zeros(96)
    );
    let space = "[parameters]\n\"conv.kernel_shape\" = \"1..12\"\n\"w1.shape[0]\" = [1, 2, 4, 8]\n\"x.shape[2]\" = [8, 9, 16]\n";
    let rows = swept("onnx", "small.onnxtxt", &model, space);
    assert_eq!(rows.len(), 12 * 4 * 3);
    for row in &rows {
        let number = |name: &str| row["vector"][name].as_i64().expect("a number");
        let (kernel, filters) = (number("conv.kernel_shape"), number("w1.shape[0]"));
        let left = |size: i64| size + 2 - kernel + 1;
        let (height, width) = (left(number("x.shape[2]")), left(8));
        let expected = height >= 2 && width >= 2 && filters * (height / 2) * (width / 2) == 32;
        assert_eq!(row["verdict"], if expected { "valid" } else { "invalid" }, "{row}");
    }
    assert!(rows.iter().any(|row| row["verdict"] == "valid"));
}

#[test]
fn layers_of_a_keras_model_are_tuned_by_name() {
    let model = r#"[
        {"input": ["batch", 28, 28, 1], "name": "pictures"},
        {"layer": "Conv2D", "filters": 8, "kernel_size": [3, 3], "name": "conv"},
        {"layer": "MaxPooling2D", "pool_size": [2, 2], "name": "pool"},
        {"layer": "Flatten"},
        {"layer": "Dense", "units": 10}
    ]"#;
    let space = "requires = \"pool.pool_size != 3\"\n[parameters]\n\"conv.kernel_size\" = \"1..30\"\n\"pool.pool_size\" = [2, 3, 5]\n\
                 \"conv.padding\" = { values = [\"valid\", \"same\"], when = \"conv.kernel_size > 2\" }\n";
    let rows = swept("keras", "model.json", model, space);
    // Where the padding is no hyper-parameter it is what the file says, and 3 is no size of a pool.
    assert_eq!(rows.len(), (2 + 28 * 2) * 2);
    for row in &rows {
        let number = |name: &str| row["vector"][name].as_i64().expect("a number");
        let (kernel, pool) = (number("conv.kernel_size"), number("pool.pool_size"));
        assert_eq!(row["vector"].get("conv.padding").is_some(), kernel > 2, "{row}");
        let size = if row["vector"]["conv.padding"] == "same" { 28 } else { 28 - kernel + 1 };
        assert_eq!(row["verdict"], if size >= pool { "valid" } else { "invalid" }, "{row}");
    }
}

const NET: &str = r#"
from torch import nn


class Net(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads)

    def forward(self, x):
        return self.attention(x, x, x)[0]
"#;

const SEARCH: &str = r#"
import optuna
import torch
from model import Net


def objective(trial):
    width = trial.suggest_int("width", 8, 64, step=8)
    heads = trial.suggest_categorical("heads", [1, 2, 3, 4, 6, 8])
    rate = trial.suggest_float("rate", 1e-5, 1e-1, log=True)
    net = Net(width, heads)
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    return net(torch.randn(5, 2, width)).sum().item()
"#;

/// A search tunes a learning rate, too, of which the model knows nothing; and a width may be a size of the input.
#[test]
fn the_space_of_a_search_is_read_from_its_source() {
    let folder = std::env::temp_dir().join(format!("tensorvet-sweep-search-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    fs::write(folder.join("model.py"), NET).expect("a temporary file");
    fs::write(folder.join("search.py"), SEARCH).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", "model.py::Net", "--space", "search.py", "--input", "x=f32[5,2,width]"])
        .args(["--list", "jsonl"])
        .output()
        .expect("the program runs");
    fs::remove_dir_all(&folder).expect("the folder is there");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut judged = 0;
    for line in text.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).expect("a vector per line");
        let number = |name: &str| vector[name].as_i64().or(vector["vector"][name].as_i64());
        let (width, heads) = (number("width").expect("a width"), number("heads").expect("heads"));
        let expected = if width % heads == 0 { "valid" } else { "invalid" };
        assert!(line.contains(&format!("\"{expected}\"")), "{line}");
        judged += 1;
    }
    assert!(judged >= 48 && judged % 48 == 0, "{judged} vectors: {text}");
}
