//! The models in `tests/models`, each with what `tensorvet check` must say of it in its first comments:
//!
//! ```text
//! # arguments: --dim N=3
//! # expect: error TV101 at fc: MatMul requires that the last axis of `a` …
//! # expect: verified
//! # supposing: every index is within the axis, which only the run will tell (`tokens`)
//! # gives: scores f32[N, 10]
//! ```
//!
//! `expect` names either one finding (severity, code, node, and how its message starts) or the outcome of the
//! whole; every finding must be named. `TENSORVET_BLESS=1` writes what is said into the files, to be read again.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn models_are_judged_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let entries = std::fs::read_dir(&folder).expect("the folder of models");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a model");
        let said = said(&folder, file, &text);
        if std::env::var_os("TENSORVET_BLESS").is_some() {
            bless(file, &text, &said);
        } else if let Err(difference) = compare(&text, &said) {
            wrong.push(format!("{}:\n{difference}", file.display()));
        }
    }
    assert!(files.len() >= 30, "only {} models", files.len());
    assert!(wrong.is_empty(), "{} models are judged otherwise:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the command says: lines as in the comments, without `# `.
fn said(folder: &Path, file: &Path, text: &str) -> Vec<String> {
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    let arguments = text.lines().filter_map(|line| line.strip_prefix("# arguments:"));
    let arguments: Vec<&str> = arguments.flat_map(str::split_whitespace).collect();
    let run = |format: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
            .args(["check", &name, "--color", "never", "--output-format", format])
            .args(&arguments)
            .current_dir(folder)
            .output()
            .expect("tensorvet runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.is_empty(), "{name}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // NAME: NODE: severity[CODE] message
    let mut lines = Vec::new();
    for line in run("concise").lines() {
        let line = line.strip_prefix(&format!("{name}: ")).unwrap_or(line);
        let (node, rest) = line.split_once(": ").unwrap_or(("", line));
        let (head, message) = rest.split_once("] ").unwrap_or((rest, ""));
        lines.push(format!("expect: {} at {node}: {message}", head.replace('[', " ")));
    }
    for line in run("full").lines() {
        if let Some(outcome) = line.strip_prefix(&format!("{name}: ")) {
            lines.push(format!("expect: {}", outcome.split(',').next().unwrap_or_default()));
        } else if let Some(output) = line.strip_prefix("  gives ") {
            lines.push(format!("gives: {output}"));
        } else if let Some(supposed) = line.strip_prefix("  supposing: ") {
            lines.push(format!("supposing: {supposed}"));
        }
    }
    lines
}

const TOLD: [&str; 3] = ["expect: ", "gives: ", "supposing: "];

fn expected(text: &str) -> Vec<&str> {
    let comments =
        text.lines().take_while(|line| line.starts_with('#')).filter_map(|line| line.strip_prefix("# "));
    comments.filter(|line| TOLD.iter().any(|word| line.starts_with(word))).collect()
}

fn compare(text: &str, said: &[String]) -> Result<(), String> {
    let expected = expected(text);
    let fits = |wanted: &str, line: &str| {
        // A finding's message may be cut short; an outcome and a shape may not.
        line == wanted || (wanted.contains(" at ") && line.starts_with(wanted))
    };
    let missing = expected.iter().filter(|wanted| !said.iter().any(|line| fits(wanted, line)));
    let extra = said.iter().filter(|line| !expected.iter().any(|wanted| fits(wanted, line)));
    let differences: Vec<String> = missing
        .map(|line| format!("  not said: {line}"))
        .chain(extra.map(|line| format!("  not expected: {line}")))
        .collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// Rewrites the expectations at the top of a model; the other comments stay.
fn bless(file: &Path, text: &str, said: &[String]) {
    let old = expected(text);
    let kept: Vec<&str> = text
        .lines()
        .filter(|line| !line.strip_prefix("# ").is_some_and(|line| old.contains(&line)))
        .collect();
    let head = kept.iter().take_while(|line| line.starts_with('#')).count();
    let comments = said.iter().map(|line| format!("# {line}"));
    let lines: Vec<String> = kept[..head].iter().map(ToString::to_string).chain(comments).collect();
    let body = kept[head..].join("\n");
    std::fs::write(file, format!("{}\n{body}\n", lines.join("\n"))).expect("writing a model");
}
