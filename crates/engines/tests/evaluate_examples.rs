//! Every example of an operator or a layer that gives values evaluates to them, in both modes.

use ::layers::{layers, preparing};
use engines::evaluate::{Evaluator, Mode, compare};
use semantics::example::{Expected, parse_call};
use semantics::{arena, operators};

#[test]
fn examples_have_their_values() {
    let mut compared = 0;
    let layers = layers::ALL.iter().chain(preparing::ALL).map(|layer| &layer.operator);
    for operator in operators::ALL.iter().copied().chain(layers) {
        for text in operator.examples {
            arena::scope(|| {
                let Ok(mut example) = parse_call(text, operator) else { return };
                let Expected::Outputs(expected) = example.expected else { return };
                if expected.iter().all(|literal| literal.array.is_none()) {
                    return;
                }
                let outputs = example.call.run(operator.define).expect(text);
                for mode in [Mode::Plain, Mode::Bounded] {
                    let mut evaluator = Evaluator::new(mode);
                    for (output, literal) in outputs.iter().zip(&expected) {
                        let Some(array) = &literal.array else { continue };
                        let reading =
                            evaluator.evaluate(*output).unwrap_or_else(|error| panic!("{text}: {error}"));
                        assert_eq!(reading.array.shape, array.shape, "{text}");
                        if mode == Mode::Bounded {
                            let comparison = compare(&reading, array);
                            assert!(comparison.agrees(), "{text}: {comparison:?}");
                        }
                        compared += 1;
                    }
                }
            });
        }
    }
    assert!(compared > 0);
}
