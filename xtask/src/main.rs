//! Chores that need more than the Rust toolchain: data, real frameworks, measurements.
//! Each command sets up what it needs and says plainly when something is skipped.

mod ablation;
mod agreement;
mod conformance;
mod data;
mod detection;
mod document;
mod exais;
mod examples;
mod exports;
mod found;
mod frameworks;
mod fuzz;
mod fuzzer;
mod graphdef;
mod grist;
mod grow;
mod keras;
mod keras_models;
mod keras_operations;
mod mutants;
mod numerics;
mod observed;
mod operators;
mod programs;
mod speed;
mod survival;
mod sweep;
mod torch;
mod wheel;

use anyhow::{Result, bail};

/// The allocator that the shipped program has, so that what is measured is what users get.
#[global_allocator]
static MEMORY: memory::Pooled = memory::Pooled;

const USAGE: &str = "usage: cargo xtask COMMAND
  conformance onnx        single-node tests of ONNX: shapes, types and values (bar 1)
  conformance exais       graphs of Keras layers: values, and the layer to blame
  detection [--backend NAME] [--bug NAME] [--binary TENSORVET]
                          find bugs that are put into Keras
  operators               compare our definitions with ONNX's schemas
  exports [FOLDER]        real exports: acceptance, coverage, time and memory (bar 2)
  examples [FOLDER]       check a checkout of pytorch/examples, and find errors that are put in
  found [--minutes M] [--backend NAME] [--binary TENSORVET]
                          fuzz the four backends, and tell what is found apart by docs/found.md
  fuzz [--minutes M] [TARGET]
                          hostile files to the readers and to check (bar 6)
  grow [--count N] [--seed N] [--show]
                          models of Keras layers, grown valid: speed, coverage, mending of invalid ones, and
                          whether Keras accepts them
  numerics sites [BINARY] | programs [BINARY] | values [BINARY] | soundness [GRAPHS [NUMBER]] | ablation [BINARY] | growth | grist [BINARY]
                          numerical bugs: labelled sites judged by the frameworks, whether ranges hold what is computed,
                          what each part of the abstraction is worth, and how time grows
  observed [NARROW OBSERVED]
                          evaluate each node of narrow exports on what ONNX Runtime computed (bar 3)
  mutants [FOLDER]        compare verdicts on mutated models with ONNX Runtime's (bar 4)
  programs [PART OF A TITLE]
                          run the literate programs in PyTorch
  speed [FOLDER]          what a check of Python costs: pytorch/examples against `import torch`, and 10 to 10,000 layers
  survival [--files N] [FOLDER…]
                          analyse real Python files and changes of them: no crash, none over 10 s
  sweep truth [PART OF A NAME]|speed|scale
                          search spaces: verdicts and causes against the frameworks, vectors per second, 10^3 to 10^15
  truth graphdef [--made FOLDER]
                          compare drawn TensorFlow graphs with what TensorFlow makes of them
  truth keras [--backend tensorflow|torch] [--seed N] [--recorded FILE] [--asked FILE] [--layer NAME] [--show]
                          compare calls of layers with what Keras makes of them
  truth keras-models [--made FOLDER]
                          run models that Keras saved, and compare with what it predicts
  truth keras-operations [--seed N]
                          compare operations in the graphs of saved models with what Keras makes of them
  truth torch [--recorded FILE] [--api NAME] [--show] [--keep]
                          compare verdicts, shapes and types of drawn calls with PyTorch's
  wheel [TEST…]           build the Python package and test it with the real tuners and Spark
  wheel study [TRIALS]    an Optuna study with tensorvet and without";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["conformance", "onnx", rest @ ..] => conformance::run(rest),
        ["conformance", "exais"] => exais::run(),
        ["detection", rest @ ..] => detection::run(rest),
        ["operators"] => operators::run(),
        ["exports", rest @ ..] => exports::run(rest),
        ["examples", rest @ ..] => examples::run(rest),
        ["found", rest @ ..] => found::run(rest),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["grow", rest @ ..] => grow::run(rest),
        ["numerics", "grist", rest @ ..] => grist::run(rest),
        ["numerics", rest @ ..] => numerics::run(rest),
        ["observed", rest @ ..] => observed::run(rest),
        ["truth", "torch", rest @ ..] => torch::run(rest),
        ["truth", "graphdef", rest @ ..] => graphdef::run(rest),
        ["truth", "keras", rest @ ..] => keras::run(rest),
        ["truth", "keras-models", rest @ ..] => keras_models::run(rest),
        ["truth", "keras-operations", rest @ ..] => keras_operations::run(rest),
        ["programs", rest @ ..] => programs::run(rest),
        ["speed", rest @ ..] => speed::run(rest),
        ["sweep", rest @ ..] => sweep::run(rest),
        ["survival", rest @ ..] => survival::run(rest),
        ["mutants", rest @ ..] => mutants::run(rest),
        ["wheel", rest @ ..] => wheel::run(rest),
        _ => bail!("{USAGE}"),
    }
}
