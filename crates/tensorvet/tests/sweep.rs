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
        ("heads == 3", "space.toml"),
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
