//! Text of a file as text only: what a terminal would obey is written out. JSON does this by itself.

use crate::Checked;
use engines::finding::{CoreItem, Finding, Location, Numeric, Operand, WitnessValue};
use engines::repair::{Advice, Edited, StuckAt};
use engines::validity::{Answer, Inferred, Unknown};

/// The text with control characters, and those that change the direction of writing, as `\\u{1b}` and `\\n`.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                plain.extend(letter.escape_unicode());
            }
            _ if letter.is_control() => plain.extend(letter.escape_default()),
            _ => plain.push(letter),
        }
    }
    plain
}

/// The same results, in which every text is plain.
pub(crate) fn checked(result: &Checked) -> Checked {
    let answer = &result.answer;
    let answer = Answer {
        findings: answer.findings.iter().map(finding).collect(),
        unknowns: answer.unknowns.iter().map(unknown).collect(),
        supposed: answer.supposed.iter().map(|supposed| plain(supposed)).collect(),
        shapes: answer.shapes.iter().map(inferred).collect(),
        // The text of a source is made plain where it is shown.
        assigned: answer.assigned.clone(),
        outputs: answer.outputs.iter().map(inferred).collect(),
        repair: answer.repair.as_ref().map(advice),
        ..*answer
    };
    let sources = result.sources.iter().map(|(file, text)| (file.clone(), text.clone())).collect();
    Checked { file: plain(&result.file), answer, sources, ignored: result.ignored }
}

fn advice(advice: &Advice) -> Advice {
    let edits = |edits: &Vec<Edited>| edits.iter().map(edited).collect();
    let stuck = |stuck: &StuckAt| StuckAt {
        after: edits(&stuck.after),
        node: plain(&stuck.node),
        requirements: stuck.requirements.iter().map(|label| plain(label)).collect(),
    };
    Advice { repairs: advice.repairs.iter().map(edits).collect(), stuck: advice.stuck.as_ref().map(stuck) }
}

fn edited(edit: &Edited) -> Edited {
    Edited {
        place: plain(&edit.place),
        argument: maybe(&edit.argument),
        before: edit.before.clone(),
        after: edit.after.clone(),
        words: plain(&edit.words),
    }
}

fn maybe(text: &Option<String>) -> Option<String> {
    text.as_deref().map(plain)
}

fn finding(finding: &Finding) -> Finding {
    Finding {
        message: plain(&finding.message),
        requirement: maybe(&finding.requirement),
        statement: maybe(&finding.statement),
        operator: maybe(&finding.operator),
        location: location(&finding.location),
        operands: finding.operands.iter().map(operand).collect(),
        core: finding.core.iter().map(core_item).collect(),
        condition: maybe(&finding.condition),
        witness: finding.witness.iter().map(|(name, value)| (plain(name), *value)).collect(),
        because: maybe(&finding.because),
        fix: maybe(&finding.fix),
        numeric: finding.numeric.as_ref().map(|numeric| Box::new(plain_numeric(numeric))),
        ..*finding
    }
}

fn plain_numeric(numeric: &Numeric) -> Numeric {
    let named = |value: &WitnessValue| WitnessValue { name: plain(&value.name), ..value.clone() };
    Numeric {
        witness: numeric.witness.iter().map(named).collect(),
        chain: numeric.chain.iter().map(|step| plain(step)).collect(),
        assumptions: numeric.assumptions.iter().map(|text| plain(text)).collect(),
        also: numeric.also.iter().map(|node| plain(node)).collect(),
        ..*numeric
    }
}

fn location(location: &Location) -> Location {
    Location {
        file: plain(&location.file),
        node: maybe(&location.node),
        spelled: maybe(&location.spelled),
        spot: location.spot.clone(),
    }
}

fn operand(operand: &Operand) -> Operand {
    Operand {
        role: plain(&operand.role),
        name: plain(&operand.name),
        shape: plain(&operand.shape),
        elements: maybe(&operand.elements),
        source: plain(&operand.source),
    }
}

fn core_item(item: &CoreItem) -> CoreItem {
    CoreItem {
        node: plain(&item.node),
        operator: plain(&item.operator),
        label: plain(&item.label),
        statement: plain(&item.statement),
    }
}

fn unknown(unknown: &Unknown) -> Unknown {
    Unknown {
        location: location(&unknown.location),
        reason: plain(&unknown.reason),
        count: unknown.count,
        cause: maybe(&unknown.cause),
    }
}

fn inferred(inferred: &Inferred) -> Inferred {
    Inferred {
        name: plain(&inferred.name),
        sizes: inferred.sizes.as_ref().map(|sizes| sizes.iter().map(|size| plain(size)).collect()),
        ..*inferred
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(plain("größe `x`"), "größe `x`");
        assert_eq!(plain("a\nb\x1b[31mc\u{9b}d"), "a\\nb\\u{1b}[31mc\\u{9b}d");
        assert_eq!(plain("a\u{202e}b"), "a\\u{202e}b");
    }
}
