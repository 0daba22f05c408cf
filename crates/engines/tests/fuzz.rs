//! The fuzzer against a framework of our own: one that is right, and some that are wrong in a known way.

use engines::evaluate::Mode;
use engines::fuzz::{Backend, Case, Group, Kind, Refusal, Seen, Sight, Source, Way, judge, shrink};
use engines::grow::Options;
use engines::run::Runner;
use program::ir::Given;
use rustc_hash::FxHashMap;
use semantics::array::{Array, Data};

/// Computes as the definitions say, after `bug` has changed the case.
struct Own<F: Fn(&mut Case)> {
    bug: F,
}

impl<F: Fn(&mut Case)> Backend for Own<F> {
    fn run(&mut self, case: &Case, ways: &[Way]) -> Vec<Seen> {
        let mut changed = case.clone();
        (self.bug)(&mut changed);
        let mut runner = Runner::new(&changed.program, Mode::Plain);
        case.inputs.iter().for_each(|(value, array)| runner.give(*value, array.clone()));
        let mut values = FxHashMap::default();
        let mut refusal = None;
        for (number, node) in changed.program.graph.nodes.iter().enumerate() {
            let Ok(readings) = runner.node(node) else {
                refusal = Some(Refusal::Rejected { node: Some(number), message: "no".into() });
                break;
            };
            for (output, reading) in node.outputs.iter().zip(readings) {
                let (Some(output), Some(reading)) = (output, reading) else { continue };
                let array = rounded(&reading.array);
                runner.give(*output, array.clone());
                let shape = array.shape.iter().copied().map(Some).collect();
                values.insert(*output, Sight { kind: Some(array.kind), shape, array: Some(array) });
            }
        }
        ways.iter()
            .filter(|way| **way == Way::Call)
            .map(|way| Seen { way: *way, values: values.clone(), refusal: refusal.clone() })
            .collect()
    }
}

fn rounded(array: &Array) -> Array {
    let mut array = array.clone();
    if let Data::Float(values) = &mut array.data {
        values.iter_mut().for_each(|value| *value = array.kind.round(*value));
    }
    array
}

fn is_finite(seen: &Seen) -> bool {
    let arrays = seen.values.values().filter_map(|sight| sight.array.as_ref());
    arrays.into_iter().all(|array| match &array.data {
        Data::Float(values) => values.iter().all(|value| value.is_finite()),
        _ => true,
    })
}

/// In float32: a run in f64 does not overflow where half precision would.
fn source() -> Source {
    Source::new(
        1,
        Options { layers: 5, kinds: vec![semantics::dtype::Kind::F32], ..Options::default() },
        false,
    )
}

/// The first finding with a bug, made small.
fn found(bug: impl Fn(&mut Case)) -> (Group, usize) {
    let mut backend = Own { bug };
    for case in source().take(2000) {
        let seen = backend.run(&case, &Way::ALL);
        // A run in f64 does not overflow where float32 would, inside of a layer.
        if !seen.iter().all(is_finite) {
            continue;
        }
        let Some(first) = judge(&case, &seen).disagreements.into_iter().next() else { continue };
        let shrunk = shrink(&case, &first, &seen, &mut backend, 200).expect("it shows again");
        return (Group::of(&shrunk.case, &shrunk.found), shrunk.case.layers());
    }
    panic!("the bug is not found");
}

/// Changes an argument of every layer of a class.
fn with_argument(class: &'static str, name: &'static str, given: Option<Given>) -> impl Fn(&mut Case) {
    move |case| {
        for node in 0..case.program.graph.nodes.len() {
            let Some(invocation) = case.invocation(node).filter(|call| call.operator.name == class) else {
                continue;
            };
            let place = invocation.operator.parameters.iter().position(|parameter| parameter.name == name);
            case.set_argument(node, place.expect("an argument of the layer"), given.clone());
        }
    }
}

#[test]
fn what_computes_as_the_definitions_say_agrees() {
    let mut backend = Own { bug: |_: &mut Case| {} };
    let mut agreeing = 0;
    for case in source().take(200) {
        let seen = backend.run(&case, &Way::ALL);
        // A run in f64 does not overflow where float32 would, inside of a layer.
        if !seen.iter().all(is_finite) {
            continue;
        }
        let judgement = judge(&case, &seen);
        assert!(judgement.disagreements.is_empty(), "{:?}", judgement.disagreements);
        agreeing += judgement.agreeing;
    }
    assert!(agreeing > 500, "{agreeing}");
}

#[test]
fn an_argument_that_is_not_heeded_is_named() {
    let (group, layers) = found(with_argument("MaxPooling2D", "padding", None));
    assert_eq!((group.class.as_str(), layers), ("MaxPooling2D", 1));
    let (group, layers) = found(with_argument("LeakyReLU", "negative_slope", None));
    assert_eq!((group.class.as_str(), layers), ("LeakyReLU", 1));
    assert_eq!((group.kind, group.detail.as_str()), (Kind::IgnoredArgument, "negative_slope"));
}

#[test]
fn a_wrong_value_is_blamed_on_its_layer() {
    let (group, layers) = found(with_argument("ELU", "alpha", Some(Given::Float(0.75))));
    assert_eq!((group.class.as_str(), group.kind, layers), ("ELU", Kind::WrongValue, 1));
}

#[test]
fn a_refusal_of_what_is_valid_is_told() {
    let (group, layers) = found(with_argument("Conv2D", "groups", Some(Given::Int(0))));
    assert_eq!((group.class.as_str(), group.kind, layers), ("Conv2D", Kind::ValidRejected, 1));
}

#[test]
fn what_is_invalid_and_computed_is_told() {
    let mut cases = Source::new(3, Options { layers: 3, ..Options::default() }, true);
    let case = cases.next().expect("a case");
    let mut backend = Own { bug: |_: &mut Case| {} };
    let mut seen = backend.run(&case, &[Way::Call]);
    assert_eq!(judge(&case, &seen).disagreements.len(), 0);
    assert_eq!(judge(&case, &seen).refused_alike.len(), 1);
    // As if the last node had given something after all.
    let output = case.program.graph.nodes.last().and_then(|node| node.outputs[0]).expect("an output");
    let nothing = Array::floats(semantics::dtype::Kind::F32, &[0], Vec::new());
    seen[0].refusal = None;
    seen[0]
        .values
        .insert(output, Sight { kind: Some(nothing.kind), shape: vec![Some(0)], array: Some(nothing) });
    let kinds: Vec<Kind> = judge(&case, &seen).disagreements.iter().map(|found| found.kind).collect();
    assert_eq!(kinds, [Kind::InvalidAccepted]);
}

#[test]
fn a_process_that_dies_is_a_finding() {
    let case = source().next().expect("a case");
    for (refusal, kind) in [
        (Refusal::Hung { node: None }, Kind::Hang),
        (Refusal::Crashed { node: None, how: "signal 11".into() }, Kind::Crash),
    ] {
        let seen = Seen { way: Way::Call, values: FxHashMap::default(), refusal: Some(refusal) };
        let kinds: Vec<Kind> = judge(&case, &[seen]).disagreements.iter().map(|found| found.kind).collect();
        assert_eq!(kinds, [kind]);
    }
}

#[test]
fn a_layer_around_another_one_is_made_small_with_its_weights() {
    let (group, layers) =
        found(with_argument("Bidirectional", "merge_mode", Some(Given::Text("mul".into()))));
    assert_eq!((group.class.as_str(), layers), ("Bidirectional", 1));
}
