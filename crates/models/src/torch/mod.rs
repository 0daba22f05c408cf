//! Programs of operators as PyTorch code, as a person would write it. What PyTorch has no like of is not written.

mod expression;

use crate::keras::literal::{dtype, nested};
use program::ir::{Action, Given, Program, ValueId};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dtype::Kind;
use semantics::operator::Operator;
use std::fmt::Write as _;

/// A program as code, line by line.
pub struct Script {
    pub inputs: Vec<(ValueId, String)>,
    pub lines: Vec<Line>,
}

/// A call, and what it gives. Where PyTorch gives less, or something else, the names are fewer.
pub struct Line {
    pub node: usize,
    pub expression: String,
    /// Variables that it reads.
    pub needs: Vec<String>,
    pub outputs: Vec<(ValueId, String)>,
}

/// Whether a call with these arguments, on a first tensor of that type and shape, can be written.
pub fn can_write(operator: &Operator, given: &[Option<Given>], kind: Kind, sizes: &[i64]) -> bool {
    let names: Vec<Vec<String>> = operator.inputs.iter().map(|_| vec!["x".to_string()]).collect();
    expression::expression(operator, given, &names, kind, sizes).is_some()
}

/// The code of a program. `described` tells types and shapes of values.
pub fn script(
    program: &Program,
    described: &dyn Fn(ValueId) -> Option<(Kind, Vec<i64>)>,
) -> Result<Script, String> {
    let graph = &program.graph;
    let mut names: FxHashMap<ValueId, String> = FxHashMap::default();
    let mut script = Script { inputs: Vec::new(), lines: Vec::new() };
    for (k, &input) in graph.inputs.iter().enumerate() {
        let name = if graph.inputs.len() == 1 { "x".to_string() } else { format!("x{}", k + 1) };
        names.insert(input, name.clone());
        script.inputs.push((input, name));
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        let Action::Call(call) = &node.action else {
            return Err(format!("`{}` is no operator", node.place.spelled));
        };
        let first = call.tensors.iter().flatten().next().copied();
        let Some((kind, sizes)) = first.and_then(described) else { continue };
        let given: Option<Vec<Vec<String>>> = call
            .tensors
            .iter()
            .map(|values| values.iter().map(|value| names.get(value).cloned()).collect())
            .collect();
        // What PyTorch has no like of is not written, and neither is what needs it.
        let Some(given) = given else { continue };
        let written = expression::expression(call.operator, &call.arguments, &given, kind, &sizes);
        let Some(written) = written else { continue };
        let mut outputs = Vec::new();
        for (place, output) in node.outputs.iter().enumerate().take(written.outputs) {
            let Some(output) = *output else { continue };
            let suffix = if place == 0 { String::new() } else { format!("_{place}") };
            let name = format!("y{}{suffix}", number + 1);
            names.insert(output, name.clone());
            outputs.push((output, name));
        }
        let needs = given.into_iter().flatten().collect();
        script.lines.push(Line { node: number, expression: written.text, needs, outputs });
    }
    Ok(script)
}

impl Script {
    /// A program of its own that shows what the last line gives.
    pub fn render(&self, inputs: &dyn Fn(ValueId) -> Option<Array>) -> String {
        let mut text = String::new();
        for (value, name) in &self.inputs {
            if let Some(array) = inputs(*value) {
                let kind = dtype(array.kind).unwrap_or("float32");
                let elements = nested(&array);
                let reshape =
                    if array.is_empty() { format!(".reshape({:?})", array.shape) } else { String::new() };
                let _ = writeln!(text, "{name} = torch.tensor({elements}, dtype=torch.{kind}){reshape}");
            }
        }
        for line in &self.lines {
            let outputs: Vec<&str> = line.outputs.iter().map(|(_, name)| name.as_str()).collect();
            let _ = writeln!(text, "{} = {}", outputs.join(", "), line.expression);
        }
        let last = self.lines.last().and_then(|line| line.outputs.first());
        let _ = writeln!(text, "print(torch.__version__, {})", last.map_or("None", |(_, name)| name));
        let numpy = if text.contains("np.") { "import numpy as np\n" } else { "" };
        format!("{numpy}import torch\nimport torch.nn.functional as F\n\n{text}")
    }
}
