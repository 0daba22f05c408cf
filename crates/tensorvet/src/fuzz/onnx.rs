//! ONNX Runtime as a backend: cases become models in ONNX's text format.

use super::framework::{Written, told};
use engines::fuzz::Case;
use models::keras::literal::array;
use models::onnx::{self, Described};
use serde_json::json;
use std::fmt::Write as _;

/// The version of the standard that models are written in.
pub const VERSION: u32 = 21;

/// A case for the worker.
pub fn written(case: &Case) -> Result<Written, String> {
    let model = model(case)?;
    let mut inputs = Vec::new();
    for (value, name) in &model.inputs {
        let mut told = told(case.inputs.get(value).ok_or("an input has no array")?)?;
        told["name"] = json!(name);
        inputs.push(told);
    }
    let question = json!({ "model": model.text, "inputs": inputs });
    Ok(Written { question, calls: model.outputs.into_iter().enumerate().collect() })
}

/// A program of its own that shows the case.
pub fn code(case: &Case, _: usize) -> Option<String> {
    let model = model(case).ok()?;
    let mut text = String::from("import numpy as np\nimport onnx\nimport onnxruntime\n\n");
    let _ = writeln!(text, "model = onnx.parser.parse_model(\"\"\"\n{}\"\"\")", model.text);
    for (value, name) in &model.inputs {
        let _ = writeln!(text, "{name} = {}", array(case.inputs.get(value)?));
    }
    let given: Vec<String> = model.inputs.iter().map(|(_, name)| format!("\"{name}\": {name}")).collect();
    let _ = writeln!(
        text,
        "session = onnxruntime.InferenceSession(model.SerializeToString(), providers=[\"CPUExecutionProvider\"])"
    );
    let _ = writeln!(text, "print(onnxruntime.__version__, session.run(None, {{{}}}))", given.join(", "));
    Some(text)
}

fn model(case: &Case) -> Result<onnx::Written, String> {
    let kinds = engines::fuzz::kinds(case);
    onnx::write(&case.program, VERSION, &|value| {
        kinds.get(&value).map(|(kind, shape)| Described { kind: *kind, shape: shape.clone() })
    })
}

#[cfg(test)]
mod tests {
    use super::super::BackendArg;
    use super::*;
    use engines::evaluate::Mode;
    use engines::fuzz::Source;
    use engines::run::Runner;
    use program::ir::Program;
    use semantics::array::Array;
    use std::path::Path;

    fn outputs(
        program: &Program,
        inputs: impl IntoIterator<Item = (program::ir::ValueId, Array)>,
    ) -> Vec<Array> {
        let mut runner = Runner::new(program, Mode::Plain);
        inputs.into_iter().for_each(|(value, array)| runner.give(value, array));
        for node in &program.graph.nodes {
            let readings = runner.node(node).unwrap_or_else(|error| panic!("{error}"));
            for (output, reading) in node.outputs.iter().zip(readings) {
                if let (Some(output), Some(reading)) = (output, reading) {
                    runner.values.insert(*output, reading);
                }
            }
        }
        let values = program.graph.outputs.iter();
        values.map(|value| runner.values.get(*value).expect("a value").array.clone()).collect()
    }

    #[test]
    fn what_is_written_means_what_was_grown() {
        let cases = Source::new(2, BackendArg::Onnxruntime.setup().options, false);
        let mut compared = 0;
        for case in cases.take(150) {
            let Ok(written) = model(&case) else { continue };
            let text = written.text.clone();
            let read = onnx::from_bytes(text.clone().into(), Path::new("grown.onnxtxt")).expect(&text);
            let program = onnx::lower(&read, "grown");
            let given = program.graph.inputs.iter().map(|value| {
                let name = &program.values[value.0 as usize].name;
                let own = written.inputs.iter().find(|(_, own)| **own == **name).expect("an input");
                (*value, case.inputs[&own.0].clone())
            });
            let inputs = case.inputs.iter().map(|(value, array)| (*value, array.clone()));
            let (own, other) = (outputs(&case.program, inputs), outputs(&program, given.collect::<Vec<_>>()));
            assert_eq!(format!("{own:?}"), format!("{other:?}"), "{text}");
            compared += 1;
        }
        assert!(compared > 100, "{compared} of 150");
    }
}
