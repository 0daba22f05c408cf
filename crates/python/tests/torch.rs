//! Calls of PyTorch whose outcome PyTorch itself told (`cargo xtask truth torch --keep`): two of most functions,
//! methods and modules, one of which it refuses.

use python::library::Libraries;
use python::snippets;
use std::rc::Rc;

const PREAMBLE: &str = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";

#[test]
fn calls_give_what_pytorch_gives() {
    let lines: Vec<(&str, &str)> =
        include_str!("torch.txt").lines().filter_map(|line| line.split_once(" <- ")).collect();
    assert!(lines.len() > 1000, "the calls are there");
    let codes: Vec<String> = lines.iter().map(|(_, code)| program(code)).collect();
    let mut told = Vec::new();
    let libraries = Rc::new(Libraries::new(Vec::new()));
    let run = snippets::each(&libraries, PREAMBLE, codes.iter().map(String::as_str), |one| told.push(one));
    assert_eq!(run, Ok(()));
    let wrong: Vec<String> = lines
        .iter()
        .zip(&told)
        .filter(|((wanted, _), told)| told.to_string() != *wanted)
        .map(|((wanted, code), told)| format!("{code}\n  PyTorch: {wanted}\n  ours: {told:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

/// A call binds `result`, unless it is a program that does so itself.
fn program(code: &str) -> String {
    if code.contains("result = ") { code.to_owned() } else { format!("result = {code}") }
}
