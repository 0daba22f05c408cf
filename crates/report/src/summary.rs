//! What is said after the findings: outputs, counts, conditions, what was not decided.

use crate::{Checked, Options, unknowns};
use engines::finding::Severity;
use engines::repair::{Advice, Edited};
use engines::validity::{Answer, Inferred, Stats};
use std::fmt::Write as _;

/// The overall result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Verified,
    Invalid,
    Warnings,
    Unknown,
    /// There is no operator call, so there is nothing to be said of any.
    Nothing,
}

impl Outcome {
    pub(crate) fn of(answer: &Answer) -> Outcome {
        let has = |severity| answer.findings.iter().any(|finding| finding.severity == severity);
        if has(Severity::Error) {
            Outcome::Invalid
        } else if has(Severity::Warning) {
            Outcome::Warnings
        } else if answer.calls.unknown > 0 {
            Outcome::Unknown
        } else if answer.calls.verified + answer.calls.failed + answer.calls.skipped == 0 {
            Outcome::Nothing
        } else {
            Outcome::Verified
        }
    }
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Verified => "verified",
            Outcome::Invalid => "invalid",
            Outcome::Warnings => "warnings",
            Outcome::Unknown => "unknown",
            Outcome::Nothing => "nothing to verify",
        }
    }
}

pub(crate) fn write(text: &mut String, result: &Checked, options: &Options) {
    let Answer { calls, outputs, shapes, alternatives, .. } = &result.answer;
    let paint = options.paint;
    if options.verbose {
        for inferred in shapes {
            let _ = writeln!(text, "  {} {}", inferred.name, paint.faint(&shape(inferred)));
        }
    }
    let outcome = Outcome::of(&result.answer);
    let word = match outcome {
        Outcome::Verified => paint.good(outcome.name()),
        Outcome::Invalid => paint.error(outcome.name()),
        Outcome::Warnings => paint.warning(outcome.name()),
        Outcome::Unknown | Outcome::Nothing => paint.note(outcome.name()),
    };
    let total = calls.verified + calls.failed + calls.unknown + calls.skipped;
    let _ = write!(text, "{}: {word}, {} of {total} operator calls verified", result.file, calls.verified);
    if calls.failed > 0 {
        let _ = write!(text, ", {} failed", calls.failed);
    }
    if calls.skipped > 0 {
        let _ = write!(text, ", {} not reached", calls.skipped);
    }
    if calls.unknown > 0 {
        let _ = write!(text, ", {} not decided", calls.unknown);
    }
    if *alternatives > 0 {
        let options = if *alternatives == 1 { "option" } else { "options" };
        let _ = write!(text, ", {alternatives} other {options} tried");
    }
    if result.ignored > 0 {
        let findings = if result.ignored == 1 { "finding" } else { "findings" };
        let _ = write!(text, ", {} {findings} ignored", result.ignored);
    }
    text.push('\n');
    for supposed in &result.answer.supposed {
        let _ = writeln!(text, "  supposing: {supposed}");
    }
    let mut long = LongSizes::default();
    for output in outputs {
        let _ = writeln!(text, "  gives {} {}", output.name, paint.strong(&shape(&long.named(output))));
    }
    long.tell(text);
    if let Some(advice) = &result.answer.repair {
        repair(text, advice);
    }
    if options.unknowns {
        unknowns::write(text, result, paint);
    } else {
        undecided(text, &result.answer, options);
    }
    if options.stats {
        stats(text, &result.answer);
    }
}

/// ```text
///   repair: make `units` of `b` 4 (it is 5)
///       or: make `units` of `a` 5 (it is 4)
/// ```
fn repair(text: &mut String, advice: &Advice) {
    let joined = |edits: &[Edited]| {
        edits.iter().map(|edit| edit.words.as_str()).collect::<Vec<_>>().join(",\n          and ")
    };
    for (number, edits) in advice.repairs.iter().enumerate() {
        let _ = writeln!(text, "  {}: {}", if number == 0 { "repair" } else { "    or" }, joined(edits));
    }
    if let Some(stuck) = &advice.stuck {
        if !stuck.after.is_empty() {
            let _ = writeln!(text, "  repair: {}", joined(&stuck.after));
        }
        let labels = stuck.requirements.join("; ");
        let _ = writeln!(text, "  no change was found that mends `{}`: {labels}", stuck.node);
    } else if advice.repairs.is_empty() {
        text.push_str("  no change was found that makes the model valid\n");
    }
}

fn undecided(text: &mut String, answer: &Answer, options: &Options) {
    let unknowns = &answer.unknowns;
    let shown = if options.verbose { unknowns.len() } else { unknowns.len().min(3) };
    for unknown in &unknowns[..shown] {
        let node = unknown.location.node.as_deref().unwrap_or("-");
        let _ = writeln!(text, "  not decided at `{node}`: {}", unknown.reason);
    }
    if unknowns.len() > shown {
        let _ = writeln!(text, "  and {} more (--show-unknowns lists them)", unknowns.len() - shown);
    }
}

fn stats(text: &mut String, answer: &Answer) {
    let _ = writeln!(text, "  requirements: {} stated, {} settled by folding", answer.stated, answer.folded);
    let Stats {
        folded,
        remembered,
        equalities,
        intervals,
        propagation,
        linear,
        cases,
        search,
        enumeration,
        smt,
        unknown,
    } = answer.stats;
    let layers = [
        ("folding", folded),
        ("memory", remembered),
        ("equations", equalities),
        ("bounds", intervals),
        ("propagation", propagation),
        ("linear arithmetic", linear),
        ("cases", cases),
        ("models found", search),
        ("trying all", enumeration),
        ("Z3", smt),
    ];
    let asked = layers.iter().map(|(_, count)| count).sum::<u64>() + unknown;
    let _ = writeln!(text, "  solver: {asked} asked, {unknown} left open");
    for (layer, count) in layers.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(text, "    {count:>8}  settled by {layer}");
    }
}

/// Sizes that take long to read are given a name in a shape, and told below it.
#[derive(Default)]
struct LongSizes(Vec<String>);

impl LongSizes {
    /// In characters: what is longer hides the shape around it.
    const SHORT: usize = 40;
    /// Of what is longer, the rest is left out; the JSON has all of it.
    const TOLD: usize = 160;

    fn named(&mut self, inferred: &Inferred) -> Inferred {
        let mut named = inferred.clone();
        for size in named.sizes.iter_mut().flatten().filter(|size| size.chars().count() > Self::SHORT) {
            let place = self.0.iter().position(|known| known == size).unwrap_or_else(|| {
                self.0.push(size.clone());
                self.0.len() - 1
            });
            *size = format!("n{}", place + 1);
        }
        named
    }
    fn tell(&self, text: &mut String) {
        for (place, size) in self.0.iter().enumerate() {
            let _ = write!(text, "    with n{} = ", place + 1);
            text.extend(size.chars().take(Self::TOLD));
            text.push_str(if size.chars().nth(Self::TOLD).is_some() { " …\n" } else { "\n" });
        }
    }
}

fn shape(inferred: &Inferred) -> String {
    let kind = inferred.kind.map_or("?", |kind| kind.name());
    match &inferred.sizes {
        Some(sizes) => format!("{kind}[{}]", sizes.join(", ")),
        None => format!("{kind}[...]"),
    }
}
