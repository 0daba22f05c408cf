//! Workflow commands that GitHub shows beside the lines of a change.

use crate::Checked;
use engines::finding::{Finding, Severity};
use std::fmt::Write as _;

pub(crate) fn render(results: &[Checked]) -> String {
    let mut text = String::new();
    for finding in results.iter().flat_map(|result| &result.answer.findings) {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let _ = writeln!(text, "::{level} {}::{}", properties(finding), data(&message(finding)));
    }
    text
}

fn properties(finding: &Finding) -> String {
    let location = &finding.location;
    let title = format!("title=tensorvet {} {}", finding.rule.code(), finding.rule.name());
    match &location.spot {
        Some(spot) => {
            let here = &spot.here;
            format!(
                "file={},line={},endLine={},col={},endColumn={},{title}",
                property(&here.file),
                here.line,
                here.end_line,
                here.column,
                here.end_column
            )
        }
        None => format!("file={},{title}", property(&location.file)),
    }
}

fn message(finding: &Finding) -> String {
    let node = finding.location.node.as_ref().map_or(String::new(), |node| format!("node `{node}`: "));
    let detail = finding.condition.as_ref().or(finding.statement.as_ref());
    let detail = detail.map_or(String::new(), |detail| format!(" ({detail})"));
    let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!("\nhelp: {fix}"));
    format!("{node}{}{detail}{fix}", finding.message)
}

/// What stands after the second `::`, in which a line may not end.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
