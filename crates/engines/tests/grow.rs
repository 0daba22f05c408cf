//! Grown models are valid and evaluate to what they say, have every form that is promised, and come again from
//! the same seed.

use engines::evaluate::Mode;
use engines::grow::{Case, Grower, Options};
use engines::run::Runner;
use program::execute::Run;
use program::ir::Action;
use program::path::Path;
use rustc_hash::FxHashSet;
use solver::Limits;

const MODELS: usize = 400;

fn grown(seed: u64) -> impl Iterator<Item = Case> {
    Grower::new(seed, Options::default()).take(MODELS)
}

/// Classes, names and arguments, as text.
fn written(case: &Case) -> String {
    let nodes = case.program.graph.nodes.iter().map(|node| {
        let inputs: Vec<&str> = node.inputs().iter().map(|&value| case.program.name(value)).collect();
        format!("{} {}({})", node.place.node, node.place.spelled, inputs.join(", "))
    });
    nodes.collect::<Vec<_>>().join("\n")
}

#[test]
fn grown_models_run_to_the_values_they_come_with() {
    for (number, case) in grown(1).enumerate() {
        let mut runner = Runner::new(&case.program, Mode::Plain);
        case.inputs.iter().for_each(|(value, array)| runner.give(*value, array.clone()));
        runner
            .run(&mut |_, _| {})
            .unwrap_or_else(|error| panic!("model {number}: {error}\n{}", written(&case)));
        for &output in &case.program.graph.outputs {
            let here = runner.value(output).expect("a value");
            let there = case.values[output.0 as usize].as_ref().expect("a value");
            assert_eq!(format!("{:?}", here.array), format!("{:?}", there.array), "model {number}");
        }
    }
}

#[test]
fn models_have_every_form() {
    let (mut shared, mut joined, mut masked, mut inputs, mut outputs, mut layers) = (0, 0, 0, 0, 0, 0);
    let mut kinds = FxHashSet::default();
    for case in grown(2) {
        let graph = &case.program.graph;
        let own = || graph.nodes.iter().filter(|node| node.place.spelled != "mask");
        let names: FxHashSet<&str> = own().map(|node| node.place.node.as_str()).collect();
        layers += own().count();
        shared += usize::from(names.len() < own().count());
        inputs += usize::from(graph.inputs.len() > 1);
        outputs += usize::from(graph.outputs.len() > 1);
        for node in own() {
            let Action::Call(call) = &node.action else { panic!("{} is no call", node.place.node) };
            joined += usize::from(call.tensors[0].len() > 1);
            let mask = call.operator.inputs.iter().position(|input| input.name == "mask");
            masked += usize::from(mask.is_some_and(|mask| !call.tensors[mask].is_empty()));
        }
        kinds.extend(case.inputs.iter().map(|(_, array)| array.kind));
    }
    assert!((9 * MODELS..11 * MODELS).contains(&layers), "{layers} layers in {MODELS} models");
    for (what, count) in
        [("shared", shared), ("joined", joined), ("masked", masked), ("inputs", inputs), ("outputs", outputs)]
    {
        assert!(count > MODELS / 100, "{what}: {count} of {MODELS}");
    }
    assert!(kinds.len() >= 5, "{kinds:?}");
}

#[test]
fn one_seed_grows_the_same_models() {
    let text = |seed| grown(seed).take(50).map(|case| written(&case)).collect::<Vec<_>>();
    assert_eq!(text(3), text(3));
    assert_ne!(text(3), text(4));
}

#[test]
fn every_layer_and_every_argument_occurs() {
    let mut grower = Grower::new(5, Options::default());
    // Ten thousand models have it all; most of the time a few thousand do.
    for _ in 0..25 {
        grower.by_ref().take(MODELS).for_each(drop);
        let seen = |(calls, given): (&u32, &Vec<u32>)| *calls > 0 && given.iter().all(|count| *count > 0);
        let (occurred, possible) = grower.coverage.pairs();
        let pairs = occurred * 100 >= possible * 80;
        if pairs && grower.coverage.calls.iter().zip(&grower.coverage.given).all(seen) {
            break;
        }
    }
    let coverage = &grower.coverage;
    for (layer, (calls, given)) in layers::layers::ALL.iter().zip(coverage.calls.iter().zip(&coverage.given))
    {
        let operator = &layer.operator;
        assert!(*calls > 0, "{} does not occur", operator.name);
        for (parameter, count) in operator.parameters.iter().zip(given) {
            // Layers for tensors of many axes are seldom called at all.
            let seldom = *calls < 40;
            assert!(seldom || *count > 0, "`{}` of {} is never given", parameter.name, operator.name);
        }
    }
    let (occurred, possible) = coverage.pairs();
    assert!(occurred * 100 >= possible * 80, "{occurred} of {possible} pairs");
}

#[test]
fn an_invalid_model_breaks_exactly_the_requirement_it_names() {
    let mut grower = Grower::new(6, Options::default());
    for number in 0..MODELS {
        let invalid = grower.next_invalid();
        let node = &invalid.program.graph.nodes[invalid.node];
        semantics::arena::scope(|| {
            let mut run = Run::new(&invalid.program, Path::new(Limits::default()), Default::default());
            run.execute();
            let violated: Vec<_> = run.path.record.iter().filter(|entry| entry.is_violated()).collect();
            let [entry] = violated[..] else { panic!("model {number}: {} calls fail", violated.len()) };
            assert_eq!(entry.place.node, node.place.node, "model {number}");
            let broken = entry.open.iter().map(|judged| judged.requirement);
            let broken =
                broken.filter(|broken| broken.category.binds() && broken.prop.known() == Some(false));
            let labels: FxHashSet<&str> = broken.map(|broken| broken.label).collect();
            assert_eq!(labels.into_iter().collect::<Vec<_>>(), [invalid.label], "model {number}");
        });
    }
    assert!(grower.faults.len() > 150, "{} kinds of faults", grower.faults.len());
}
