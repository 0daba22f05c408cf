//! One line per finding, for editors, `grep` and people in a hurry.

use crate::{Checked, Options};
use engines::finding::Severity;
use std::fmt::Write as _;

pub(crate) fn render(results: &[Checked], options: &Options) -> String {
    let mut text = String::new();
    for result in results {
        for finding in &result.answer.findings {
            if finding.severity == Severity::Note && options.quiet {
                continue;
            }
            let node = match &finding.location.spot {
                Some(spot) => format!("{}:{}", spot.here.line, spot.here.column),
                None => finding.location.node.clone().unwrap_or("-".into()),
            };
            let detail = finding.condition.as_ref().or(finding.statement.as_ref());
            let detail = detail.map_or(String::new(), |detail| format!(" ({detail})"));
            let _ = writeln!(
                text,
                "{}: {node}: {}[{}] {}{detail}",
                finding.location.file,
                finding.severity.name(),
                finding.rule.code(),
                finding.message,
            );
        }
    }
    text
}
