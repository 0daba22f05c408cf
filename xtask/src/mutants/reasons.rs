//! Why we and ONNX Runtime disagree about a mutant, by rules on what it says; never by the mutant.

use super::Mutant;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Disagreements by kind and reason, each with how many there are and one of them.
#[derive(Default)]
pub struct Tally(BTreeMap<(&'static str, &'static str), (usize, String)>);

impl Tally {
    pub fn add(&mut self, kind: &'static str, reason: &'static str, mutant: &Mutant, said: &str) {
        let example = || {
            let said: String = said.chars().take(160).collect();
            format!("{}: {said}", mutant.mutation.as_deref().unwrap_or("unchanged")).replace('|', "/")
        };
        self.0.entry((kind, reason)).or_insert_with(|| (0, example())).0 += 1;
    }

    pub fn text(&self) -> String {
        let mut text =
            String::from("Disagreements:\n\n| what | why | count | for example |\n|---|---|---|---|\n");
        for ((kind, reason), (count, example)) in &self.0 {
            let _ = writeln!(text, "| {kind} | {reason} | {count} | {example} |");
        }
        text
    }
}

/// Whether an error says that the runtime lacks something, rather than that the model is wrong.
pub fn is_missing(error: &str) -> bool {
    ["NOT_IMPLEMENTED", "not supported", "not implemented", "Could not find an implementation"]
        .iter()
        .any(|words| error.contains(words))
}

pub fn of_missed(mutant: &Mutant) -> &'static str {
    let error = mutant.error.as_deref().unwrap_or("");
    let alone = mutant.failing_error.as_deref().unwrap_or("");
    match () {
        () if is_missing(error) || is_missing(alone) => "ONNX Runtime does not implement it",
        () if alone.contains("every node runs alone") => {
            "every node runs alone: the runtime's shape inference or memory plan contradicts its kernels"
        }
        () if error.contains("out of data bounds") => {
            "an index out of bounds: it depends on the values of the run"
        }
        () => "a rule that we do not have",
    }
}

pub fn of_alarm(mutant: &Mutant) -> &'static str {
    match () {
        () if mutant.value_dependent == Some(true) => "it fails for some values of the inputs only",
        () if mutant.verdict != "ok" => "ONNX Runtime has no kernel, so it is no judge",
        () if mutant.checker.is_some() || mutant.shape_inference.is_some() => {
            "ONNX's own checker or shape inference refuses it too; the runtime is lenient"
        }
        () => "the runtime is lenient: it runs what the specification forbids",
    }
}

pub fn of_misplaced(mutant: &Mutant) -> &'static str {
    let named = mutant.failing_op.as_deref().unwrap_or("");
    match () {
        () if mutant.failing_nodes.is_empty() && mutant.blamed_node.is_none() => {
            "ONNX Runtime names no node (a circle)"
        }
        () if ["Loop", "Scan", "If"].contains(&named) => {
            "we name the node inside the body, ONNX Runtime the node around it"
        }
        () => "several nodes fail, and ONNX Runtime meets another one first",
    }
}
