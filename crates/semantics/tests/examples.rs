//! The examples in the operator files, read for their shapes and types; every label has a failing one.

use semantics::arena;
use semantics::call::Stop;
use semantics::example::{self, Expected};
use semantics::operators;

#[test]
fn examples_say_the_truth() {
    let mut wrong = Vec::new();
    for operator in operators::ALL {
        for text in operator.examples {
            if let Err(message) = arena::scope(|| check(text)) {
                wrong.push(format!("{text}\n    {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong examples:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(text: &str) -> Result<(), String> {
    let mut example = example::parse(text)?;
    let operator = example.call.operator;
    let outcome = example.call.run(operator.define);
    let requirements = example.call.requirements.iter();
    let mut broken: Vec<&str> =
        requirements.filter(|r| r.prop.known() == Some(false)).map(|r| r.label).collect();
    broken.dedup();
    match example.expected {
        Expected::Fails(label) => match broken.as_slice() {
            [only] if *only == label => Ok(()),
            _ => Err(format!("breaks {broken:?}")),
        },
        Expected::Outputs(expected) => {
            if !broken.is_empty() {
                return Err(format!("breaks {broken:?}"));
            }
            let outputs = outcome.map_err(|stop| match stop {
                Stop::Violated => "stopped without a broken requirement".to_string(),
                Stop::Unknown(reason) => reason,
            })?;
            for (output, expected) in outputs.iter().zip(&expected) {
                let expected = expected.tensor;
                let same_shape = match (output.shape().sizes(), expected.shape().sizes()) {
                    (Some(a), Some(b)) => {
                        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.id() == b.id())
                    }
                    (None, None) => true,
                    _ => false,
                };
                if output.dtype().known() != expected.dtype().known() || !same_shape {
                    return Err(format!("gives {output}"));
                }
            }
            if outputs.len() < expected.len() {
                return Err(format!("gives {} outputs", outputs.len()));
            }
            Ok(())
        }
    }
}

/// A label without a failing example is a rule nobody has seen working.
#[test]
fn every_label_has_a_failing_example() {
    let mut missing = Vec::new();
    for operator in operators::ALL {
        let failing: Vec<&str> =
            operator.examples.iter().filter_map(|e| e.split_once("fails:")).map(|(_, l)| l.trim()).collect();
        let mut stated = std::collections::BTreeSet::new();
        for text in operator.examples {
            arena::scope(|| {
                if let Ok(mut example) = example::parse(text) {
                    let _ = example.call.run(operator.define);
                    stated.extend(
                        example.call.requirements.iter().map(|r| r.label).filter(|label| !label.is_empty()),
                    );
                }
            });
        }
        missing.extend(
            stated.into_iter().filter(|l| !failing.contains(l)).map(|l| format!("{}: {l}", operator.name)),
        );
    }
    assert!(missing.is_empty(), "labels without a failing example:\n{}", missing.join("\n"));
}
