//! One stable object, the same for every command that finds things.

use crate::Checked;
use crate::summary::Outcome;
use engines::badness::FaultClass;
use engines::finding::{Finding, Location, Severity};
use serde_json::{Value, json};

pub(crate) fn render(results: &[Checked]) -> String {
    let findings: Vec<Value> = results
        .iter()
        .flat_map(|result| result.answer.findings.iter().map(|found| finding(found, result)))
        .collect();
    let count = |severity| {
        let all = results.iter().flat_map(|result| &result.answer.findings);
        all.filter(|finding| finding.severity == severity).count()
    };
    let sum = |part: fn(&Checked) -> usize| results.iter().map(part).sum::<usize>();
    let unknowns: Vec<Value> = results
        .iter()
        .flat_map(|result| {
            result.answer.unknowns.iter().map(|unknown| {
                json!({
                    "location": {"file": result.file, "node": unknown.location.node},
                    "reason": unknown.reason,
                })
            })
        })
        .collect();
    let supposed: Vec<&String> = results.iter().flat_map(|result| &result.answer.supposed).collect();
    let worst = results.iter().map(|result| Outcome::of(&result.answer)).max_by_key(|outcome| rank(*outcome));
    let outputs: Vec<Value> = results
        .iter()
        .flat_map(|result| {
            result.answer.outputs.iter().map(|output| {
                json!({
                    "file": result.file,
                    "name": output.name,
                    "type": output.kind.map(|kind| kind.name()),
                    "shape": output.sizes,
                })
            })
        })
        .collect();
    let seen = results.iter().flat_map(|result| &result.answer.assigned);
    let assigned: Vec<Value> = seen
        .map(|seen| json!({"file": seen.file, "line": seen.line, "name": seen.name, "shapes": seen.shapes}))
        .collect();
    let object = json!({
        "version": 1,
        "findings": findings,
        "outputs": outputs,
        "shapes": assigned,
        "summary": {
            "errors": count(Severity::Error),
            "warnings": count(Severity::Warning),
            "notes": count(Severity::Note),
            "calls": {
                "verified": sum(|result| result.answer.calls.verified),
                "failed": sum(|result| result.answer.calls.failed),
                "unknown": sum(|result| result.answer.calls.unknown),
                "skipped": sum(|result| result.answer.calls.skipped),
            },
            "unknowns": unknowns,
            "assumptions": supposed,
            "paths": Value::Null,
            "verdict": worst.unwrap_or(Outcome::Verified).name(),
        },
    });
    format!("{object:#}\n")
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Verified => 0,
        Outcome::Unknown | Outcome::Nothing => 1,
        Outcome::Warnings => 2,
        Outcome::Invalid => 3,
    }
}

fn finding(finding: &Finding, result: &Checked) -> Value {
    let related: Vec<Value> = finding
        .operands
        .iter()
        .map(|operand| {
            json!({
                "message": format!("{} is {} {}", operand.role, operand.shape, operand.source),
                "role": operand.role,
                "name": operand.name,
                "shape": operand.shape,
                "elements": operand.elements,
                "source": operand.source,
            })
        })
        .collect();
    let core: Vec<Value> = finding
        .core
        .iter()
        .map(|item| json!({
            "node": item.node, "operator": item.operator, "requirement": item.label, "statement": item.statement,
        }))
        .collect();
    let witness: Value = match finding.witness.is_empty() {
        true => Value::Null,
        false => finding.witness.iter().map(|(name, value)| (name.clone(), json!(value))).collect(),
    };
    json!({
        "code": finding.rule.code(),
        "name": finding.rule.name(),
        "severity": finding.severity.name(),
        "category": finding.rule.category(),
        "message": finding.message,
        "requirement": finding.requirement,
        "statement": finding.statement,
        "operator": finding.operator,
        "location": location(finding),
        "stack": stack(finding),
        "related": related,
        "core": core,
        "path": null,
        "condition": finding.condition,
        "witness": witness,
        "confidence": null,
        "range": null,
        "assumptions": result.answer.supposed,
        "class": finding.class.map(FaultClass::name),
        "badness": finding.badness,
        "because": finding.because,
        "fix": finding.fix,
    })
}

fn location(finding: &Finding) -> Value {
    let Location { file, node, spot, .. } = &finding.location;
    match spot {
        Some(spot) => json!({
            "file": spot.here.file, "line": spot.here.line, "column": spot.here.column,
            "end_line": spot.here.end_line, "end_column": spot.here.end_column, "node": node,
        }),
        None => json!({
            "file": file, "line": null, "column": null, "end_line": null, "end_column": null, "node": node,
        }),
    }
}

fn stack(finding: &Finding) -> Vec<Value> {
    let frames = finding.location.spot.iter().flat_map(|spot| &spot.stack);
    frames.map(|frame| json!({"file": frame.file, "line": frame.line, "function": frame.function})).collect()
}
