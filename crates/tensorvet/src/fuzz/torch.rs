//! PyTorch as a backend: cases become lines of code.

use super::framework::{Written, told};
use engines::fuzz::Case;
use models::torch::{Script, script};
use serde_json::{Value, json};

/// A case for the worker.
pub fn written(case: &Case) -> Result<Written, String> {
    let script = scripted(case)?;
    let mut inputs = Vec::new();
    for (value, name) in &script.inputs {
        let mut told = told(case.inputs.get(value).ok_or("an input has no array")?)?;
        told["name"] = json!(name);
        inputs.push(told);
    }
    let lines: Vec<Value> = script
        .lines
        .iter()
        .map(|line| {
            let outputs: Vec<&str> = line.outputs.iter().map(|(_, name)| name.as_str()).collect();
            json!({ "expression": line.expression, "needs": line.needs, "outputs": outputs })
        })
        .collect();
    let question = json!({ "inputs": inputs, "lines": lines });
    Ok(Written { question, calls: script.lines.into_iter().map(|line| (line.node, line.outputs)).collect() })
}

/// A program of its own that shows the case.
pub fn code(case: &Case, _: usize) -> Option<String> {
    Some(scripted(case).ok()?.render(&|value| case.inputs.get(&value).cloned()))
}

fn scripted(case: &Case) -> Result<Script, String> {
    let kinds = engines::fuzz::kinds(case);
    script(&case.program, &|value| {
        let (kind, shape) = kinds.get(&value)?;
        Some((*kind, shape.iter().map(|&size| size as i64).collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::BackendArg;
    use super::*;
    use engines::fuzz::Source;
    use std::collections::BTreeSet;

    #[test]
    fn grown_cases_are_written_and_varied() {
        let cases = Source::new(2, BackendArg::Torch.setup().options, false);
        let (mut operators, mut nodes, mut lines) = (BTreeSet::new(), 0, 0);
        for case in cases.take(300) {
            nodes += case.program.graph.nodes.len();
            for line in scripted(&case).expect("a script").lines {
                lines += 1;
                operators.insert(case.program.graph.nodes[line.node].place.spelled.to_string());
            }
        }
        assert!(lines * 10 >= nodes * 9, "{lines} lines of {nodes} calls");
        assert!(operators.len() > 80, "{operators:?}");
    }
}
