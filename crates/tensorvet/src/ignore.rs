//! Findings that the user does not want to hear: `--ignore TV104`, and in a source `# tensorvet: ignore[TV101]` at the
//! end of the line (or `# tensorvet: ignore` for whatever is found there). They are counted, not told.

use engines::finding::{Finding, Rule};
use report::Checked;

/// Takes the unwanted findings out, and counts them.
pub fn apply(checked: &mut Checked, rules: &[Rule]) {
    let before = checked.answer.findings.len();
    let sources = &checked.sources;
    checked.answer.findings.retain(|finding| {
        let here = finding.location.spot.as_ref().map(|spot| &spot.here);
        let mut lines = here.into_iter().flat_map(|here| {
            let lines = sources.get(&here.file).map_or("", String::as_str).lines();
            let (first, last) = (here.line.max(1) as usize, here.end_line.max(here.line) as usize);
            lines.skip(first - 1).take(last + 1 - first)
        });
        !rules.contains(&finding.rule) && !lines.any(|line| is_ignored(line, finding))
    });
    checked.ignored = before - checked.answer.findings.len();
}

fn is_ignored(line: &str, finding: &Finding) -> bool {
    let Some((_, comment)) = line.split_once('#') else { return false };
    // A `#` may stand in a text, and other tools have comments of their own.
    let Some((_, said)) = comment.split_once("tensorvet:") else { return false };
    let Some(rest) = said.trim_start().strip_prefix("ignore") else { return false };
    match rest.trim_start().strip_prefix('[').and_then(|list| list.split_once(']')) {
        None => true,
        Some((list, _)) => list
            .split(',')
            .map(str::trim)
            .any(|name| finding.rule.code().eq_ignore_ascii_case(name) || finding.rule.name() == name),
    }
}
