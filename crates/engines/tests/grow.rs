//! Grown chains are accepted by the checker and filled by the evaluator; grown faults break one requirement.

use engines::draw::Draw;
use engines::evaluate::{EvaluateError, Evaluator, Mode};
use engines::grow::{Soil, broken_labels, given};
use program::ir::Place;
use program::path::{Answer, Path};
use semantics::operator::Operator;
use semantics::tensor::Tensor;
use semantics::{arena, operators};
use solver::Limits;
use std::rc::Rc;

const SEEDS: u64 = 300;

fn soil<'o>(operators: &'o [&'static Operator]) -> Soil<'o> {
    Soil { operators, largest_size: 8, most_elements: 4096, attempts: 40 }
}

fn named(names: &[&str]) -> Vec<&'static Operator> {
    names.iter().map(|name| operators::by_name(name).expect("an operator")).collect()
}

const CANDIDATES: &[&str] = &[
    "conv",
    "matmul",
    "concat",
    "slice",
    "reshape",
    "softmax",
    "reduce_sum",
    "gather",
    "where",
    "transpose",
    "max_pool",
    "add",
    "relu",
    "flatten",
    "gemm",
    "expand",
    "tile",
    "argmax",
];

#[test]
fn grown_chains_are_valid_and_filled() {
    let names: Vec<&str> =
        CANDIDATES.iter().copied().filter(|name| operators::by_name(name).is_some()).collect();
    let operators = named(&names);
    let mut used: Vec<&str> = Vec::new();
    let (mut steps, mut evaluated) = (0, 0);
    for seed in 0..SEEDS {
        arena::scope(|| {
            let mut draw = Draw::new(seed);
            let chain = soil(&operators).grow(4, &mut draw);
            let mut path = Path::new(Limits::default());
            let mut evaluator = Evaluator::new(Mode::Bounded);
            let mut results: Vec<Tensor> = Vec::new();
            for (number, step) in chain.steps.iter().enumerate() {
                let call = step.call(&results, &mut |name, kind, sizes| {
                    let tensor = given(name, kind, sizes);
                    let shape: Vec<usize> = sizes.iter().map(|&size| size as usize).collect();
                    evaluator.give(tensor, draw.array(kind, &shape));
                    tensor
                });
                let place = Rc::new(Place::new(format!("{seed}.{number}"), step.operator.name));
                let Answer::Done(outputs) = path.call(call, step.operator.define, &place) else {
                    panic!("seed {seed}: {} is refused", step.operator.name);
                };
                let output = outputs[0];
                match evaluator.evaluate(output) {
                    Ok(reading) => {
                        let sizes = output.shape().sizes().expect("a known rank");
                        let sizes: Vec<usize> =
                            sizes.iter().map(|size| size.known().expect("a known size") as usize).collect();
                        assert_eq!(reading.array.shape, sizes, "seed {seed}: {}", step.operator.name);
                        assert_eq!(Some(reading.array.kind), output.dtype().known());
                        evaluated += 1;
                    }
                    // Random indices may lie outside what they index.
                    Err(EvaluateError::Outside { .. } | EvaluateError::Refused(_)) => return,
                    Err(error) => panic!("seed {seed}: {}: {error}", step.operator.name),
                }
                results.push(output);
                steps += 1;
                used.push(step.operator.name);
            }
        });
    }
    used.sort_unstable();
    used.dedup();
    println!("{steps} steps over {SEEDS} seeds, {evaluated} evaluated, operators {used:?}");
    assert!(steps as u64 >= 3 * SEEDS, "{steps} steps");
    // Convolutions, with their many lists, are rarely guessed: they have a test of their own.
    assert_eq!(used, {
        let mut all = names.clone();
        all.retain(|name| *name != "conv");
        all.sort_unstable();
        all
    });
}

#[test]
fn grown_faults_break_one_requirement() {
    let names: Vec<&str> =
        CANDIDATES.iter().copied().filter(|name| operators::by_name(name).is_some()).collect();
    let operators = named(&names);
    let mut labels: Vec<&str> = Vec::new();
    let mut found = 0;
    for seed in 0..SEEDS {
        arena::scope(|| {
            let mut draw = Draw::new(seed);
            let Some((chain, label)) = soil(&operators).grow_invalid(2, &mut draw) else { return };
            let (last, before) = chain.steps.split_last().expect("a step");
            let mut results: Vec<Tensor> = Vec::new();
            for step in before {
                let mut call = step.call(&results, &mut given);
                results.push(call.run(step.operator.define).expect("a valid step")[0]);
            }
            assert_eq!(broken_labels(last, &results), [label], "seed {seed}: {}", last.operator.name);
            let mut path = Path::new(Limits::default());
            let place = Rc::new(Place::new(seed.to_string(), last.operator.name));
            match path.call(last.call(&results, &mut given), last.operator.define, &place) {
                Answer::Violated(requirement) => assert_eq!(requirement.label, label),
                Answer::Done(_) => {
                    panic!("seed {seed}: {} accepts what breaks `{label}`", last.operator.name)
                }
            }
            labels.push(label);
            found += 1;
        });
    }
    labels.sort_unstable();
    labels.dedup();
    println!("{found} faults over {SEEDS} seeds, {} labels: {labels:#?}", labels.len());
    assert!(found as u64 > SEEDS / 2);
}

#[test]
fn convolutions_grow_where_nothing_else_may() {
    let operators = named(&["conv"]);
    let grown = (0..20).filter(|&seed| {
        arena::scope(|| {
            let soil = Soil { attempts: 400, ..soil(&operators) };
            !soil.grow(1, &mut Draw::new(seed)).steps.is_empty()
        })
    });
    assert!(grown.count() >= 10);
}
