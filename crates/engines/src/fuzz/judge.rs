//! What of what was seen disagrees with the definitions, and where.

use super::case::Case;
use super::seen::{Refusal, Seen, Sight, Way};
use super::values::{compare_flushed, difference, flushed};
use crate::evaluate::{Bound, Mode, Reading};
use crate::run::{Outcome, Runner, Why};
use program::ir::ValueId;
use rustc_hash::FxHashMap;
use semantics::array::Array;
use std::rc::Rc;

/// What kind of disagreement it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    WrongValue,
    WrongShape,
    WrongType,
    ValidRejected,
    InvalidAccepted,
    /// An invalid model is refused by an error of the framework's own making, which says nothing of the fault.
    MisleadingMessage,
    /// The value is the one that comes out when an argument is not heeded.
    IgnoredArgument,
    Crash,
    Hang,
}

/// One node that disagrees.
#[derive(Clone, Debug)]
pub struct Disagreement {
    pub kind: Kind,
    pub node: usize,
    /// The ways in which it was seen.
    pub ways: Vec<Way>,
    /// The ways in which the same node agreed.
    pub fine: Vec<Way>,
    pub expected: String,
    pub observed: String,
    /// The argument that is not heeded, or what tells messages apart.
    pub detail: String,
    /// Whether the values are those of float32, where float64 is asked for; known of small cases.
    pub as_float32: bool,
}

/// A rejection that both sides agree on: the requirement, and the framework's words for it.
#[derive(Clone, Debug)]
pub struct Agreement {
    pub node: usize,
    pub label: String,
    pub message: String,
}

/// What a case came to.
#[derive(Default, Debug)]
pub struct Judgement {
    pub disagreements: Vec<Disagreement>,
    /// Values that were compared and agree.
    pub agreeing: usize,
    /// Why something was not compared.
    pub open: Vec<String>,
    pub refused_alike: Vec<Agreement>,
}

impl Kind {
    pub const ALL: [Kind; 9] = [
        Kind::WrongValue,
        Kind::WrongShape,
        Kind::WrongType,
        Kind::ValidRejected,
        Kind::InvalidAccepted,
        Kind::MisleadingMessage,
        Kind::IgnoredArgument,
        Kind::Crash,
        Kind::Hang,
    ];
    pub fn name(self) -> &'static str {
        match self {
            Kind::WrongValue => "wrong value",
            Kind::WrongShape => "wrong shape",
            Kind::WrongType => "wrong type",
            Kind::ValidRejected => "valid model rejected",
            Kind::InvalidAccepted => "invalid model accepted",
            Kind::MisleadingMessage => "misleading message",
            Kind::IgnoredArgument => "ignored argument",
            Kind::Crash => "crash",
            Kind::Hang => "hang",
        }
    }
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Compares what was seen with the definitions, node by node.
pub fn judge(case: &Case, seen: &[Seen]) -> Judgement {
    let mut judgement = Judgement::default();
    let by_call = seen.iter().find(|seen| seen.way == Way::Call);
    let all = seen;
    for seen in all {
        // A build has no values: it is compared with what the definitions give on those that calls gave.
        let values = if seen.way == Way::Build { by_call } else { Some(seen) };
        let evaluated = &outcomes(case, values, by_call);
        way(case, seen, all, evaluated, &mut judgement);
    }
    // Only calls show every value that lies between: elsewhere the first that is wrong may be to blame for the rest.
    let first = judgement.disagreements.iter().map(|found| found.node).min();
    judgement.disagreements.retain(|found| Some(found.node) == first || found.ways.contains(&Way::Call));
    let ways: Vec<Way> = seen
        .iter()
        .filter(|seen| !matches!(seen.refusal, Some(Refusal::Unsupported(_))))
        .map(|seen| seen.way)
        .collect();
    for found in &mut judgement.disagreements {
        // Without values nothing can be said of values.
        let comparable = |way: &&Way| !matches!(found.kind, Kind::WrongValue) || **way != Way::Build;
        found.fine =
            ways.iter().filter(comparable).filter(|way| !found.ways.contains(way)).copied().collect();
    }
    judgement
}

/// The element types and shapes of all values, by the definitions.
pub fn kinds(case: &Case) -> FxHashMap<ValueId, (semantics::dtype::Kind, Vec<usize>)> {
    let described = |array: &Array| (array.kind, array.shape.clone());
    let mut kinds: FxHashMap<ValueId, _> =
        case.inputs.iter().map(|(value, array)| (*value, described(array))).collect();
    for (node, outcome) in case.program.graph.nodes.iter().zip(outcomes(case, None, None)) {
        for (output, reading) in node.outputs.iter().zip(outcome.unwrap_or_default()) {
            if let (Some(output), Some(reading)) = (output, reading) {
                kinds.insert(*output, described(&reading.array));
            }
        }
    }
    kinds
}

/// What a node gives on the values that were seen before it.
pub fn expected(case: &Case, seen: &Seen, node: usize) -> Option<Array> {
    let readings = outcomes(case, Some(seen), None).into_iter().nth(node)?.ok()?;
    Some(readings.first()?.as_ref()?.array.clone())
}

/// Every node on the values that were seen before it; where none were, on our own.
///
/// What was seen counts as exact where each layer ran on its own. A whole model may compute a value once for whom
/// it is shown to and once more, fused with other operations, for whom it is used by: both lie within the bound of
/// what is expected, so what is used lies within twice the bound of what was seen, and bounds are carried on. What a
/// whole model does not show is taken to be as calls gave it (`by_call`): a call that is wrong itself is told of there.
pub(super) fn outcomes(case: &Case, seen: Option<&Seen>, by_call: Option<&Seen>) -> Vec<Outcome> {
    let mut runner = Runner::new(&case.program, Mode::Bounded);
    for (value, array) in &case.inputs {
        runner.give(*value, array.clone());
    }
    let fused = seen.is_some_and(|seen| seen.way == Way::Predict);
    let mut all = Vec::new();
    for node in &case.program.graph.nodes {
        let outcome = runner.node(node);
        let readings = outcome.as_ref().map(Vec::as_slice).unwrap_or_default();
        for (k, output) in node.outputs.iter().enumerate() {
            let Some(output) = *output else { continue };
            let reading = readings.get(k).cloned().flatten();
            let own = |seen: &Seen| seen.values.get(&output)?.array.clone();
            let array = seen.and_then(own).or_else(|| by_call.filter(|_| fused).and_then(own));
            match (array, reading) {
                (Some(array), Some(reading)) if fused && alike(&reading.array, &array) => {
                    let bound = flushed(&array, doubled(&reading.bound));
                    runner.values.insert(output, Rc::new(Reading::new(array, bound)));
                }
                (Some(array), Some(reading)) => {
                    // What comes in another type than it should is read as what it should be, as layers do.
                    match recast(array, reading.array.kind) {
                        Some(array) => runner.give(output, array),
                        None => runner.values.insert(output, reading),
                    }
                }
                (Some(array), None) => runner.give(output, array),
                (None, Some(reading)) => runner.values.insert(output, reading),
                (None, None) => {}
            }
        }
        all.push(outcome);
    }
    all
}

/// The array in another type, if every element is the same there.
fn recast(array: Array, kind: semantics::dtype::Kind) -> Option<Array> {
    if array.kind == kind {
        return Some(array);
    }
    let same = array.as_floats()?.iter().all(|&x| x.is_nan() || kind.round(x) == x);
    (kind.is_float() && same).then_some(Array { kind, ..array })
}

fn alike(own: &Array, seen: &Array) -> bool {
    own.kind == seen.kind && own.shape == seen.shape
}

fn doubled(bound: &Bound) -> Bound {
    match bound {
        Bound::Float(errors) => Bound::Float(errors.iter().map(|error| 2.0 * error).collect()),
        Bound::Complex(errors) => Bound::Complex(errors.iter().map(|error| 2.0 * error).collect()),
        other => other.clone(),
    }
}

fn way(case: &Case, seen: &Seen, all: &[Seen], outcomes: &[Outcome], judgement: &mut Judgement) {
    let nodes = &case.program.graph.nodes;
    let violated = first_violated(outcomes);
    // Values within their bounds, or of a shape that is itself the finding, may make a call invalid that is valid on
    // our own: nothing is to be said from there on.
    let lost = violated.filter(|node| !is_violated(&self::outcomes(case, None, None)[*node]));
    let violated = violated.filter(|_| lost.is_none());
    let mut found = |kind, node: usize, expected: String, observed: String, detail: String| {
        // Each way refuses in words of its own.
        let same = |other: &&mut Disagreement| {
            other.kind == kind
                && other.node == node
                && (kind == Kind::ValidRejected || other.detail == detail)
        };
        match judgement.disagreements.iter_mut().find(same) {
            Some(other) => other.ways.push(seen.way),
            None => {
                let ways = vec![seen.way];
                judgement.disagreements.push(Disagreement {
                    kind,
                    node,
                    ways,
                    fine: Vec::new(),
                    expected,
                    observed,
                    detail,
                    as_float32: false,
                });
            }
        }
    };
    let stop = match &seen.refusal {
        _ if lost.is_some() => {
            judgement.open.push("a call is not valid on the values that were seen before it".into());
            lost.unwrap_or(nodes.len())
        }
        Some(Refusal::Rejected { node, .. })
            // Layers are made for the shapes that they are built with.
            if first_misled(case, all).is_some_and(|misled| node.is_none_or(|node| node > misled)) =>
        {
            judgement.open.push("refused after a value of another shape".into());
            node.unwrap_or_else(|| first_unseen(case, seen))
        }
        None => nodes.len(),
        Some(Refusal::Unsupported(why)) => {
            judgement.open.push(why.clone());
            return;
        }
        Some(Refusal::Crashed { node, how }) => {
            found(
                Kind::Crash,
                node.unwrap_or_else(|| ended_at(case, seen)),
                "a result, or an exception".into(),
                how.clone(),
                String::new(),
            );
            return;
        }
        Some(Refusal::Hung { node }) => {
            let words = "it takes longer than the time limit".to_string();
            found(
                Kind::Hang,
                node.unwrap_or_else(|| ended_at(case, seen)),
                "a result, or an exception".into(),
                words,
                String::new(),
            );
            return;
        }
        Some(Refusal::Rejected { node, message }) => {
            let node = node.unwrap_or_else(|| first_unseen(case, seen));
            match (violated, outcomes.get(node)) {
                // What is refused before the fault is valid.
                (Some(violated), _) if node >= violated => {
                    if let Err(error) = &outcomes[violated]
                        && let Some((label, instead)) = violation(&error.why)
                    {
                        if is_misleading(message) {
                            let expected = format!("a message that says: {label}, but {instead}");
                            let kind = Kind::MisleadingMessage;
                            found(kind, violated, expected, message.clone(), label.to_string());
                        }
                        let (label, message) = (label.to_string(), message.clone());
                        judgement.refused_alike.push(Agreement { node: violated, label, message });
                    }
                }
                (_, Some(Ok(readings))) => {
                    let given = readings
                        .iter()
                        .flatten()
                        .map(|reading| typed(reading))
                        .collect::<Vec<_>>()
                        .join(", ");
                    found(Kind::ValidRejected, node, given, message.clone(), template(message));
                }
                (_, Some(Err(error))) => judgement.open.push(error.to_string()),
                (_, None) => judgement.open.push(message.clone()),
            }
            node
        }
    };
    for (number, (node, outcome)) in nodes.iter().zip(outcomes).enumerate().take(stop) {
        match outcome {
            Err(error) => match violation(&error.why) {
                Some((label, instead))
                    if node.outputs.iter().flatten().any(|output| seen.values.contains_key(output)) =>
                {
                    let observed = node.outputs.iter().flatten().filter_map(|output| seen.values.get(output));
                    let observed = observed.map(sighted).collect::<Vec<_>>().join(", ");
                    found(
                        Kind::InvalidAccepted,
                        number,
                        format!("an error: {label}, but {instead}"),
                        observed,
                        label.to_string(),
                    );
                }
                Some(_) => {}
                None => judgement.open.push(error.to_string()),
            },
            Ok(readings) => {
                for (output, reading) in node.outputs.iter().zip(readings) {
                    let (Some(output), Some(reading)) = (output, reading) else { continue };
                    let Some(sight) = seen.values.get(output) else { continue };
                    match compared(reading, sight) {
                        Compared::Agree => judgement.agreeing += 1,
                        Compared::Open(why) => judgement.open.push(why),
                        Compared::Differ(kind, expected, observed) => {
                            found(kind, number, expected, observed, String::new())
                        }
                    }
                }
            }
        }
    }
}

fn first_violated(outcomes: &[Outcome]) -> Option<usize> {
    outcomes.iter().position(is_violated)
}

fn is_violated(outcome: &Outcome) -> bool {
    matches!(outcome, Err(error) if violation(&error.why).is_some())
}

/// The first node of which a value was seen whose shape is not the one that the definitions give.
fn first_misled(case: &Case, all: &[Seen]) -> Option<usize> {
    let own = kinds(case);
    let differs = |output: &ValueId| {
        let Some((_, shape)) = own.get(output) else { return false };
        let mut sights = all.iter().filter_map(|seen| seen.values.get(output));
        sights.any(|sight| !is_alike(shape, &sight.shape))
    };
    case.program.graph.nodes.iter().position(|node| node.outputs.iter().flatten().any(differs))
}

/// Whether a shape is one that was seen, where sizes may be open.
fn is_alike(own: &[usize], seen: &[Option<usize>]) -> bool {
    let same = |(own, seen): (&usize, &Option<usize>)| seen.is_none_or(|seen| seen == *own);
    own.len() == seen.len() && own.iter().zip(seen).all(same)
}

enum Compared {
    Agree,
    Open(String),
    Differ(Kind, String, String),
}

fn compared(reading: &Rc<Reading>, sight: &Sight) -> Compared {
    let own = &reading.array;
    if !is_alike(&own.shape, &sight.shape) {
        return Compared::Differ(Kind::WrongShape, typed(reading), sighted(sight));
    }
    if sight.kind != Some(own.kind) {
        return Compared::Differ(Kind::WrongType, typed(reading), sighted(sight));
    }
    let Some(array) = &sight.array else { return Compared::Agree };
    match compare_flushed(reading, array) {
        comparison if !comparison.agrees() => {
            let (expected, observed) = difference(&comparison, reading, array);
            Compared::Differ(Kind::WrongValue, expected, observed)
        }
        comparison if comparison.unbounded > 0 => Compared::Open(format!(
            "{} of {} elements have no finite bound",
            comparison.unbounded,
            array.len()
        )),
        _ => Compared::Agree,
    }
}

pub(super) fn violation(why: &Why) -> Option<(&str, &str)> {
    match why {
        Why::Violated { label, instead, .. } => Some((label, instead)),
        _ => None,
    }
}

/// Where a process ended that did not say where: in a whole model it may have been at any layer, so it is the last.
fn ended_at(case: &Case, seen: &Seen) -> usize {
    match seen.way {
        Way::Predict => case.program.graph.nodes.len().saturating_sub(1),
        _ => first_unseen(case, seen),
    }
}

/// The first node of which nothing was seen.
fn first_unseen(case: &Case, seen: &Seen) -> usize {
    let nodes = &case.program.graph.nodes;
    let unseen = nodes.iter().position(|node| {
        node.place.spelled != "mask"
            && !node.outputs.iter().flatten().any(|output| seen.values.contains_key(output))
    });
    unseen.unwrap_or(nodes.len().saturating_sub(1))
}

/// Whether an exception is one that Python or the libraries below raise of themselves, when something that nobody
/// looked at breaks: it says nothing of what the user did wrong.
fn is_misleading(message: &str) -> bool {
    const OF_THEMSELVES: [&str; 9] = [
        "AssertionError",
        "AttributeError",
        "IndexError",
        "InternalError",
        "KeyError",
        "NameError",
        "RecursionError",
        "UnboundLocalError",
        "ZeroDivisionError",
    ];
    let class = message.split(':').next().unwrap_or_default();
    OF_THEMSELVES.contains(&class)
}

fn typed(reading: &Reading) -> String {
    format!("{}{:?}", reading.array.kind, reading.array.shape)
}

fn sighted(sight: &Sight) -> String {
    let kind = sight.kind.map_or("another type", |kind| kind.name());
    let sizes: Vec<String> =
        sight.shape.iter().map(|size| size.map_or("?".into(), |size| size.to_string())).collect();
    format!("{kind}[{}]", sizes.join(", "))
}

/// A message without what differs from case to case: the line that says what is wrong, without numbers.
pub fn template(message: &str) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let wrapped =
        first.contains("Exception encountered when calling") || first.ends_with("Graph execution error:");
    let line =
        if wrapped { lines.find(|line| !line.starts_with("Detected at")).unwrap_or(first) } else { first };
    let mut text = String::new();
    let mut rest = line.chars().filter(|c| !c.is_control()).take(240).peekable();
    while let Some(c) = rest.next() {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            // The place inside of TensorFlow.
            '{' if rest.peek() == Some(&'{') => while rest.next_if(|c| *c != '}').is_some() {},
            '}' => {}
            other => text.push(other),
        }
    }
    // Shapes of any rank are one shape.
    while let Some(place) = text.find("#, #").or_else(|| text.find("#,#")) {
        let length = if text[place..].starts_with("#, #") { 4 } else { 3 };
        text.replace_range(place..place + length, "#");
    }
    text
}
