//! Chores that need more than the Rust toolchain: data, real frameworks, measurements.
//! Each command sets up what it needs and says plainly when something is skipped.

mod data;
mod document;
mod frameworks;
mod mutants;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo xtask COMMAND
  mutants [FOLDER]        compare verdicts on mutated models with ONNX Runtime's (bar 4)";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["mutants", rest @ ..] => mutants::run(rest),
        _ => bail!("{USAGE}"),
    }
}
