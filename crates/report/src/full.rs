//! The long form, for people.

use crate::{Checked, Options, Paint, listing, snippet, summary};
use engines::finding::{Finding, Operand, Severity};
use std::fmt::Write as _;

pub(crate) fn render(results: &[Checked], options: &Options) -> String {
    let mut text = String::new();
    for result in results {
        listing::write(&mut text, result, options.paint);
        for finding in &result.answer.findings {
            if finding.severity == Severity::Note && options.quiet {
                continue;
            }
            block(&mut text, finding, result, options.paint);
        }
        if !options.quiet {
            summary::write(&mut text, result, options);
        }
    }
    text
}

fn block(text: &mut String, finding: &Finding, result: &Checked, paint: Paint) {
    let head = format!("{}[{}]", finding.severity.name(), finding.rule.code());
    let head = match finding.severity {
        Severity::Error => paint.error(&head),
        Severity::Warning => paint.warning(&head),
        Severity::Note => paint.note(&head),
    };
    let _ = writeln!(text, "{head}: {}", paint.strong(&finding.message));
    let margin = snippet::margin(finding.location.spot.as_ref().map(|spot| &spot.here));
    let _ = writeln!(text, "{:margin$}{} {}", "", paint.place("-->"), place(finding));
    if let Some(spot) = &finding.location.spot {
        snippet::write(text, &spot.here, margin, result, paint);
        for frame in &spot.stack {
            let (file, line, function) = (&frame.file, frame.line, &frame.function);
            let _ =
                writeln!(text, "{:margin$} {} called from {file}:{line} in {function}", "", paint.place("="));
        }
    }
    let bar = paint.place("|");
    if !finding.operands.is_empty() {
        let _ = writeln!(text, "{:margin$} {bar}", "");
        let width = |part: fn(&Operand) -> usize| {
            // What is longer than this is not worth aligning others with.
            finding.operands.iter().map(part).max().unwrap_or(0).min(60)
        };
        let quoted = |o: &Operand| if o.name.is_empty() { 0 } else { o.name.chars().count() + 4 };
        let (role, name) = (width(|o| o.role.chars().count()), width(quoted));
        let shape = width(|o| typed(o).chars().count());
        for operand in &finding.operands {
            let quoted = if operand.name.is_empty() { String::new() } else { format!("`{}`", operand.name) };
            let _ = writeln!(
                text,
                "{:margin$} {bar}  {:role$}  {:name$}{}  {}",
                "",
                operand.role,
                quoted,
                paint.strong(&format!("{:shape$}", typed(operand))),
                paint.faint(&operand.source),
            );
        }
        let _ = writeln!(text, "{:margin$} {bar}", "");
    }
    let mut line = |word: &str, what: &str| {
        let _ = writeln!(text, "{:margin$} {} {}: {what}", "", paint.place("="), paint.strong(word));
    };
    if let Some(condition) = &finding.condition {
        line("must hold", condition);
    } else if let Some(statement) = &finding.statement {
        line("needs", statement);
    }
    if !finding.witness.is_empty() {
        let values: Vec<String> =
            finding.witness.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        line("fails for", &values.join(", "));
    }
    if let Some(because) = &finding.because {
        line("because", because);
    }
    for item in &finding.core {
        line("clashes with", &format!("node `{}`: {} ({})", item.node, item.label, item.statement));
    }
    if let Some(fix) = &finding.fix {
        line("help", fix);
    }
    text.push('\n');
}

/// `i64[2] {5, 1}`
fn typed(operand: &Operand) -> String {
    match &operand.elements {
        Some(elements) => format!("{} {elements}", operand.shape),
        None => operand.shape.clone(),
    }
}

fn place(finding: &Finding) -> String {
    let location = &finding.location;
    if let Some(spot) = &location.spot {
        let here = &spot.here;
        return format!("{}:{}:{}", here.file, here.line, here.column);
    }
    match (&location.node, &location.spelled) {
        (Some(node), Some(spelled)) => format!("{}: node `{node}` ({spelled})", location.file),
        (Some(node), None) => format!("{}: {node}", location.file),
        _ => location.file.clone(),
    }
}
