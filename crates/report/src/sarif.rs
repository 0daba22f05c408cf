//! SARIF 2.1.0, which code-scanning services read.

use crate::Checked;
use engines::finding::{Finding, Rule, Severity, SpotFrame};
use serde_json::{Value, json};

pub(crate) fn render(results: &[Checked]) -> String {
    let rules: Vec<Value> = Rule::ALL
        .iter()
        .map(|rule| {
            json!({
                "id": rule.code(),
                "name": rule.name(),
                "shortDescription": {"text": rule.category()},
            })
        })
        .collect();
    let findings: Vec<Value> =
        results.iter().flat_map(|result| &result.answer.findings).map(finding).collect();
    let log = json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": {"driver": {
                "name": "tensorvet",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": findings,
        }],
    });
    format!("{log:#}\n")
}

fn finding(finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut words = finding.message.clone();
    for (word, what) in [("needs", &finding.statement), ("must hold", &finding.condition)] {
        if let Some(what) = what {
            words += &format!("\n{word}: {what}");
        }
    }
    for operand in &finding.operands {
        words += &format!("\n{} is {} {}", operand.role, operand.shape, operand.source);
    }
    if let Some(fix) = &finding.fix {
        words += &format!("\nhelp: {fix}");
    }
    let mut result = json!({
        "ruleId": finding.rule.code(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
        "level": level,
        "message": {"text": words},
        "locations": [location(finding)],
    });
    if let Some(spot) = finding.location.spot.as_ref().filter(|spot| !spot.stack.is_empty()) {
        let frames: Vec<Value> =
            spot.stack.iter().map(|frame| json!({"location": physical(frame, &frame.function)})).collect();
        result["stacks"] = json!([{"message": {"text": "called from"}, "frames": frames}]);
    }
    result
}

fn location(finding: &Finding) -> Value {
    match &finding.location.spot {
        Some(spot) => physical(&spot.here, &spot.here.function),
        None => {
            let mut place = json!({"physicalLocation": {"artifactLocation": {"uri": finding.location.file}}});
            if let Some(node) = &finding.location.node {
                place["logicalLocations"] = json!([{"name": node, "kind": "element"}]);
            }
            place
        }
    }
}

fn physical(frame: &SpotFrame, function: &str) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": {"uri": frame.file},
            "region": {
                "startLine": frame.line.max(1),
                "startColumn": frame.column.max(1),
                "endLine": frame.end_line.max(frame.line).max(1),
                "endColumn": frame.end_column.max(1),
            },
        },
        "logicalLocations": [{"name": function, "kind": "function"}],
    })
}
