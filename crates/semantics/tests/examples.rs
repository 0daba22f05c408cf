//! The examples in the operator files, read for their shapes and types; every label has a failing one.

use semantics::arena;
use semantics::example;
use semantics::hostile;
use semantics::operators;

#[test]
fn examples_say_the_truth() {
    let mut wrong = Vec::new();
    for operator in operators::ALL {
        for text in operator.examples {
            if let Err(message) = arena::scope(|| example::check(example::parse(text)?)) {
                wrong.push(format!("{text}\n    {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong examples:\n{}", wrong.len(), wrong.join("\n"));
}

/// A label without a failing example is a rule nobody has seen working.
#[test]
fn every_label_has_a_failing_example() {
    let missing: Vec<String> = operators::ALL
        .iter()
        .flat_map(|operator| {
            let labels = example::labels_without_failure(operator).into_iter();
            labels.map(|label| format!("{}: {label}", operator.name))
        })
        .collect();
    assert!(missing.is_empty(), "labels without a failing example:\n{}", missing.join("\n"));
}

/// Whatever is changed in a call, there is an answer.
#[test]
fn no_change_of_an_example_makes_a_definition_panic() {
    let found: Vec<String> =
        operators::ALL.iter().flat_map(|operator| hostile::panics(operator, operator.define)).collect();
    assert!(found.is_empty(), "{} panics:\n{}", found.len(), found.join("\n"));
}
