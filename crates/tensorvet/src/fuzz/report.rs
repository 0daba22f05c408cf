//! A finding as a page that can be pasted into an issue.

use engines::fuzz::{Case, Group, Kind, Shrunk, Way};
use program::arguments;
use program::ir::ValueId;
use semantics::arena;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use serde_json::Value;
use std::fmt::Write as _;

/// A formula that takes more is no help to who reads a page; `tensorvet ops` has it all.
const LONGEST_FORMULA: usize = 2000;

/// A line for the terminal.
pub fn line(group: &Group, shrunk: &Shrunk) -> String {
    let ways: Vec<&str> = group.ways.iter().map(|way| way.name()).collect();
    let only = if ways.is_empty() { String::new() } else { format!(" (only by {})", ways.join(", ")) };
    let arguments = group.signature.join(", ");
    let plain = |text: &str| ::report::plain(text.lines().next().unwrap_or_default()).to_string();
    format!(
        "{}: {}({arguments}){only}\n  expected {}\n  observed {}",
        group.kind.name(),
        group.class,
        plain(&shrunk.found.expected),
        plain(&shrunk.found.observed)
    )
}

/// How a backend is shown.
pub struct Shown {
    pub name: &'static str,
    /// The environment variable that chooses it and its value, if there is one.
    pub variable: Option<(&'static str, &'static str)>,
    /// A program of its own for a case, whose interest is in a node.
    pub code: fn(&Case, usize) -> Option<String>,
}

/// The page.
pub fn report(shrunk: &Shrunk, backend: &Shown, hello: &Value, number: u64, options: &str) -> String {
    let (case, found) = (&shrunk.case, &shrunk.found);
    let class = case.invocation(found.node).map_or("?", |invocation| invocation.operator.name);
    let mut text = String::new();
    let title = match found.kind {
        Kind::IgnoredArgument => format!("`{class}` ignores `{}`", found.detail),
        kind => format!("`{class}`: {}", kind.name()),
    };
    let name = backend.name;
    let _ = writeln!(text, "# {title} ({name})\n");
    let versions = hello["versions"].as_object().into_iter().flatten();
    let versions: Vec<String> =
        versions.map(|(name, version)| format!("{name} {}", version.as_str().unwrap_or("?"))).collect();
    let _ = writeln!(text, "With {}.\n", versions.join(", "));
    if let Some(code) = (backend.code)(case, found.node) {
        let variable = backend.variable.map_or(String::new(), |(name, value)| {
            format!("import os\n\nos.environ[\"{name}\"] = \"{value}\"\n")
        });
        let _ = writeln!(text, "```python\n{variable}{code}```\n");
    }
    let names = |ways: &[Way]| ways.iter().map(|way| way.name()).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "| | |\n|---|---|");
    let _ = writeln!(text, "| expected | {} |", cell(&found.expected));
    let _ = writeln!(text, "| observed by {} | {} |", names(&found.ways), cell(&found.observed));
    if !found.fine.is_empty() {
        let _ = writeln!(text, "| as expected by | {} |", names(&found.fine));
    }
    if let Some(invocation) = case.invocation(found.node) {
        let operator = invocation.operator;
        let _ = writeln!(text, "\nWhat `{class}` means: {}", operator.summary);
        if let Some(formula) = formula(case, found.node) {
            let _ = writeln!(text, "\n```text\n{formula}\n```");
        }
        if let Some(values) = values(shrunk) {
            let _ = writeln!(text, "\n```text\n{values}\n```");
        }
    }
    let _ = writeln!(
        text,
        "\nFound by `tensorvet fuzz --backend {name} {options}` as model {number}, made smaller with {} runs.",
        shrunk.runs
    );
    text
}

/// One element of what the blamed call gives, by its definition, for the sizes at hand.
fn formula(case: &Case, node: usize) -> Option<String> {
    let invocation = case.invocation(node)?;
    let known = engines::fuzz::kinds(case);
    let described = |value: ValueId| {
        let stored = case.array(value).map(|array| (array.kind, array.shape));
        stored.or_else(|| known.get(&value).cloned())
    };
    let inputs = invocation.operator.inputs.iter().zip(&invocation.tensors);
    let names: Vec<(ValueId, &str)> =
        inputs.flat_map(|(input, values)| values.iter().map(move |value| (*value, input.name))).collect();
    let lines = arena::scope(|| {
        let mut call = arguments::call(invocation, 1, &mut |value| {
            let name = names.iter().find(|(own, _)| *own == value).map_or("", |(_, name)| name);
            let (kind, shape) = described(value).unwrap_or((semantics::dtype::Kind::F32, Vec::new()));
            Tensor::given(name, kind, Shape::new(shape.into_iter().map(|size| size.into())))
        });
        let outputs = call.run(invocation.define).ok()?;
        crate::ops::formula(*outputs.first()?)
    })?;
    let text = lines.join("\n");
    (text.len() <= LONGEST_FORMULA).then_some(text)
}

/// All values that are expected, if they are few.
fn values(shrunk: &Shrunk) -> Option<String> {
    let seen = shrunk.seen.iter().find(|seen| shrunk.found.ways.contains(&seen.way))?;
    let node = shrunk.case.program.graph.nodes.get(shrunk.found.node)?;
    let output = (*node.outputs.first()?)?;
    let observed = seen.values.get(&output)?.array.as_ref()?;
    let expected = engines::fuzz::expected(&shrunk.case, seen, shrunk.found.node)?;
    Some(format!("expected {expected}\nobserved {observed}"))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', "<br>")
}
