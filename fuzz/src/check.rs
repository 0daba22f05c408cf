//! `tensorvet check` without the command line: reading, structure, meaning, and every form of the report.

use bytes::Bytes;
use engines::validity::{self, Question};
use models::onnx;
use report::{Checked, Format, Options};
use std::path::Path;

/// Nothing of what a stranger's file holds may make this panic, hang or eat the memory.
pub fn check(content: &[u8]) {
    let Ok(model) = onnx::from_bytes(Bytes::copy_from_slice(content), Path::new("fuzzed.onnx")) else {
        return;
    };
    let problems = onnx::check(&model);
    for problem in &problems {
        drop(problem.to_string());
    }
    let program = onnx::lower(&model, "fuzzed.onnx");
    if problems.iter().any(|problem| problem.kind != onnx::ProblemKind::WrongOrder) {
        return;
    }
    let answer = validity::check(&program, &Question { improper: true, ..Question::default() });
    let results = [Checked { file: "fuzzed.onnx".into(), answer, sources: Default::default(), ignored: 0 }];
    let options = Options { verbose: true, stats: true, ..Options::default() };
    for format in [Format::Full, Format::Concise, Format::Json] {
        drop(report::render(&results, format, &options));
    }
}
