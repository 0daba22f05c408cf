//! A finding as a page that can be pasted into an issue.

use engines::fuzz::{Case, Group, Kind, Shrunk, Way};
use serde_json::Value;
use std::fmt::Write as _;

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
    /// The environment variable that chooses it, with its value, if there is one.
    pub variable: Option<&'static str>,
    /// A program of its own for a case.
    pub code: fn(&Case) -> Option<String>,
}

/// The page.
pub fn report(shrunk: &Shrunk, backend: &Shown, hello: &Value, number: u64, seed: u64) -> String {
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
    if let Some(code) = (backend.code)(case) {
        let variable = backend.variable.map_or(String::new(), |variable| format!("# {variable}\n"));
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
        if let Some(formula) = formula(shrunk) {
            let _ = writeln!(text, "\n```text\n{formula}\n```");
        }
    }
    let _ = writeln!(
        text,
        "\nFound by `tensorvet fuzz --backend {name} --seed {seed}` as model {number}, made smaller with {} runs.",
        shrunk.runs
    );
    text
}

/// All values that are expected, if they are few.
fn formula(shrunk: &Shrunk) -> Option<String> {
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
