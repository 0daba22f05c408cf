//! One stable object, the same for every command that finds things.

use crate::Checked;
use crate::summary::Outcome;
use engines::badness::FaultClass;
use engines::finding::{Finding, Location, Severity, WitnessValue};
use engines::repair::{Advice, Edited, StuckAt};
use serde_json::{Value, json};

pub(crate) fn render(results: &[Checked], unread: &[String]) -> String {
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
    let verdict = match worst {
        Some(Outcome::Invalid) => Outcome::Invalid.name(),
        // Nothing is verified that was not read.
        _ if !unread.is_empty() => "unreadable",
        worst => worst.unwrap_or(Outcome::Verified).name(),
    };
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
    let repairs: Vec<Value> = results
        .iter()
        .filter_map(|result| result.answer.repair.as_ref().map(|advice| repair(&result.file, advice)))
        .collect();
    let object = json!({
        "version": 1,
        "findings": findings,
        "outputs": outputs,
        "shapes": assigned,
        "repairs": repairs,
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
            "unreadable": unread,
            "verdict": verdict,
        },
    });
    format!("{object:#}\n")
}

/// What would make the model of a file valid.
fn repair(file: &str, advice: &Advice) -> Value {
    let edit = |edit: &Edited| {
        json!({
            "place": edit.place, "argument": edit.argument, "before": edit.before, "after": edit.after,
            "message": edit.words,
        })
    };
    let edits = |edits: &Vec<Edited>| edits.iter().map(edit).collect::<Vec<Value>>();
    let stuck = |stuck: &StuckAt| json!({"after": edits(&stuck.after), "node": stuck.node, "requirements": stuck.requirements});
    json!({
        "file": file,
        "proposals": advice.repairs.iter().map(edits).collect::<Vec<_>>(),
        "stuck": advice.stuck.as_ref().map(stuck),
    })
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
    let numeric = finding.numeric.as_deref();
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
        "witness": numeric.map_or(witness, |numeric| inputs(&numeric.witness)),
        "confidence": numeric.map(|numeric| if numeric.confirmed { "confirmed" } else { "possible" }),
        "range": numeric.map(|numeric| json!([number(numeric.low), number(numeric.high)])),
        "chain": numeric.map(|numeric| &numeric.chain),
        "also": numeric.map_or(&[][..], |numeric| &numeric.also[..]),
        "assumptions": numeric.map_or(&result.answer.supposed, |numeric| &numeric.assumptions),
        "class": finding.class.map(FaultClass::name),
        "badness": finding.badness,
        "because": finding.because,
        "fix": finding.fix,
    })
}

/// Inputs for which something fails: a number where all elements are the same, else all of them, row by row, or boxes of
/// them that are the same.
fn inputs(witness: &[WitnessValue]) -> Value {
    if witness.is_empty() {
        return Value::Null;
    }
    let value = |input: &WitnessValue| {
        let values: Vec<Value> = input.values.iter().map(|value| number(*value)).collect();
        let shown = if values.is_empty() { Value::Null } else { values.into() };
        let parts: Vec<Value> =
            input.parts.iter().map(|(part, value)| json!({"at": part, "value": number(*value)})).collect();
        let parts = if parts.is_empty() { Value::Null } else { parts.into() };
        json!({"shape": input.shape, "all": input.uniform.map(number), "values": shown, "parts": parts})
    };
    witness.iter().map(|input| (input.name.clone(), value(input))).collect()
}

/// JSON knows no infinity.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
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
