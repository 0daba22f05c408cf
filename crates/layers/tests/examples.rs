//! The examples in the layer files, read for their shapes and types; every label has a failing one.

use ::layers::layer::Layer;
use ::layers::{applications, autocast, entry, layers, operations, preparing};
use semantics::arena;
use semantics::example;
use semantics::hostile;
use semantics::operator::{Parameter, ParameterKind};

fn all() -> impl Iterator<Item = &'static Layer> {
    layers::ALL
        .iter()
        .chain(preparing::ALL)
        .copied()
        .chain(operations::all())
        .chain([&applications::LAYER_SCALE])
}

#[test]
fn examples_say_the_truth() {
    let mut wrong = Vec::new();
    for layer in all() {
        for text in layer.operator.examples {
            let checked = arena::scope(|| example::check(example::parse_call(text, &layer.operator)?));
            if let Err(message) = checked {
                wrong.push(format!("{text}\n    {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong examples:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn casting_says_the_truth() {
    for operator in [&autocast::AUTOCAST, &entry::ENTRY] {
        for text in operator.examples {
            let checked = arena::scope(|| example::check(example::parse_call(text, operator)?));
            assert_eq!(checked, Ok(()), "{text}");
        }
    }
}

/// A label without a failing example is a rule nobody has seen working.
#[test]
fn every_label_has_a_failing_example() {
    let broken = |label: &str| {
        let mut examples = all().flat_map(|layer| layer.operator.examples);
        examples.any(|text| text.split_once("fails:").is_some_and(|(_, broken)| broken.trim() == label))
    };
    let mut missing = Vec::new();
    for layer in all() {
        // What a layer inside another states, its own examples break.
        let takes_layers = |parameter: &Parameter| matches!(parameter.kind, ParameterKind::Operators(_));
        let wraps = layer.operator.parameters.iter().any(takes_layers);
        let labels = example::labels_without_failure(&layer.operator).into_iter();
        let labels = labels.filter(|label| !(wraps && broken(label)));
        missing.extend(labels.map(|label| format!("{}: {label}", layer.operator.name)));
    }
    assert!(missing.is_empty(), "labels without a failing example:\n{}", missing.join("\n"));
}

/// Whatever is changed in a call, a layer has an answer, and says its weights or why it cannot.
#[test]
fn no_change_of_an_example_makes_a_layer_panic() {
    let mut found = Vec::new();
    for layer in all() {
        found.extend(hostile::panics(&layer.operator, layer.operator.define));
    }
    assert!(found.is_empty(), "{} panics:\n{}", found.len(), found.join("\n"));
}
