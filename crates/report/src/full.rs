//! The long form, for people.

use crate::{Checked, Options, Paint, listing, numerics, snippet, summary};
use engines::finding::{Finding, Operand, Severity};
use std::fmt::Write as _;

pub(crate) fn render(results: &[Checked], options: &Options) -> String {
    let mut text = String::new();
    for result in results {
        listing::write(&mut text, result, options.paint);
        let findings = &result.answer.findings;
        for (number, finding) in findings.iter().enumerate() {
            let is_like_it = |other: &&Finding| !options.verbose && is_same_condition(finding, other);
            let told = findings[..number].iter().any(|before| is_like_it(&before));
            if told || finding.severity == Severity::Note && options.quiet {
                continue;
            }
            let likewise: Vec<&Finding> = findings[number + 1..].iter().filter(is_like_it).collect();
            block(&mut text, finding, &likewise, result, options.paint);
        }
        if !options.quiet {
            summary::write(&mut text, result, options);
        }
    }
    text
}

/// Whether two nodes of a model ask the same of their sizes: one block tells of both.
fn is_same_condition(one: &Finding, other: &Finding) -> bool {
    let is_condition = |finding: &Finding| {
        finding.severity == Severity::Note
            && finding.condition.is_some()
            && finding.location.spot.is_none()
            && finding.because.is_none()
    };
    let kind =
        |finding: &Finding| (finding.rule, finding.requirement.clone(), finding.location.spelled.clone());
    is_condition(one) && is_condition(other) && kind(one) == kind(other)
}

fn block(text: &mut String, finding: &Finding, likewise: &[&Finding], result: &Checked, paint: Paint) {
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
    for other in likewise {
        let (node, condition) = (&other.location.node, &other.condition);
        let (node, condition) =
            (node.as_deref().unwrap_or_default(), condition.as_deref().unwrap_or_default());
        line("likewise", &format!("node `{node}`: {condition}"));
    }
    if let Some(because) = &finding.because {
        line("because", because);
    }
    if let Some(numeric) = &finding.numeric {
        for (number, step) in numeric.chain.iter().enumerate() {
            line(if number == 0 { "reached by" } else { "from" }, step);
        }
        match numeric.confirmed {
            true => line("confirmed", &numerics::witness(numeric)),
            false => line("possible", "no inputs were found for which it happens"),
        }
        if !numeric.also.is_empty() {
            line("also", &numerics::also(numeric));
        }
        if let Some(assumptions) = numerics::assumptions(numeric) {
            line("assumed", &assumptions);
        }
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
