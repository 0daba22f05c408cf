//! Invalid models are mended by no more changes than broke them, and what is proposed makes them valid.

use engines::grow::{Grower, Options};
use engines::repair::{apply, repair};
use engines::walk::Walker;
use program::ir::{Given, Program, Size, ValueId};
use program::network::{Network, Wired};
use semantics::arena;
use semantics::dtype::Kind;

const MODELS: usize = 200;

fn is_valid(program: &Program) -> bool {
    arena::scope(|| Walker::new(program).walk(&[]).is_valid())
}

#[test]
fn grown_faults_are_mended_by_one_change() {
    let mut grower = Grower::new(11, Options::default());
    let mut mended = 0;
    for number in 0..MODELS {
        let mut invalid = grower.next_invalid();
        let proposals = repair(&invalid.program).proposals;
        let Some(proposal) = proposals.first() else {
            println!("model {number}: {} is not mended", invalid.label);
            continue;
        };
        mended += usize::from(proposal.changes.len() == 1);
        apply(&mut invalid.program, proposal);
        assert!(is_valid(&invalid.program), "model {number}: {}: {proposal}", invalid.label);
    }
    assert!(mended * 100 >= MODELS * 95, "{mended} of {MODELS}");
}

/// A chain of layers, each with one argument.
fn chain(input: &[i64], layers: &[(&'static str, &'static str, Given)]) -> Program {
    let mut network = Network::default();
    let sizes = input.iter().map(|&size| Size::Known(size)).collect();
    let mut value = network.input("x", Kind::F32, sizes);
    for (number, (class, argument, given)) in layers.iter().enumerate() {
        let layer = layers::layers::by_name(class).expect("a layer");
        let tensors = vec![(layer.operator.inputs[0].name, vec![value])];
        let wired =
            Wired { tensors, arguments: vec![(argument, given.clone())], wanted: 1, faults: Vec::new() };
        value = network.layer(layer, &format!("layer{number}"), wired)[0];
    }
    network.finish("chain", vec![value])
}

fn proposed(program: &Program) -> Vec<String> {
    repair(program).proposals.iter().map(ToString::to_string).collect()
}

#[test]
fn the_nearest_number_is_proposed() {
    let program = chain(&[2, 6, 4], &[("Reshape", "target_shape", Given::Ints(vec![5, 5]))]);
    assert_eq!(proposed(&program), ["make `target_shape` of `layer0` [4, 6] (it is [5, 5])"]);
    let program = chain(&[2, 6, 4], &[("Reshape", "target_shape", Given::Ints(vec![3, 9]))]);
    assert_eq!(proposed(&program), ["make `target_shape` of `layer0` [3, 8] (it is [3, 9])"]);
    let program = chain(&[2, 6, 4], &[("Conv1D", "kernel_size", Given::Int(9))]);
    assert_eq!(
        proposed(&program)[0],
        "give `layer0` filters=1, and make `kernel_size` of `layer0` 6 (it is 9)",
        "`filters` is missing, too"
    );
    let program = chain(&[2, 6, 4], &[("MaxPooling1D", "pool_size", Given::Int(9))]);
    assert_eq!(proposed(&program)[0], "make `pool_size` of `layer0` 6 (it is 9)");
    let program = chain(&[2, 30], &[("Dense", "units", Given::Int(0))]);
    assert_eq!(proposed(&program), ["make `units` of `layer0` 1 (it is 0)"]);
}

#[test]
fn two_faults_take_two_changes() {
    let program =
        chain(&[2, 30], &[("Dense", "units", Given::Int(0)), ("Dropout", "rate", Given::Float(1.5))]);
    assert_eq!(
        proposed(&program),
        ["make `units` of `layer0` 1 (it is 0), and make `rate` of `layer1` 1 (it is 1.5)"]
    );
}

#[test]
fn a_valid_model_needs_nothing() {
    assert!(proposed(&chain(&[2, 30], &[("Dense", "units", Given::Int(3))])).is_empty());
}

#[test]
fn layers_are_changed_rather_than_inputs() {
    let mut network = Network::default();
    let input = network.input("a", Kind::F32, vec![Size::Named("N".into()), Size::Known(32)]);
    let mut add = |class: &str, name: &str, tensors: Vec<ValueId>, units: Option<i64>| {
        let layer = layers::layers::by_name(class).expect("a layer");
        let arguments = units.map(|units| ("units", Given::Int(units))).into_iter().collect();
        let tensors = vec![(layer.operator.inputs[0].name, tensors)];
        network.layer(layer, name, Wired { tensors, arguments, wanted: 1, faults: Vec::new() })[0]
    };
    let first = add("Dense", "first", vec![input], Some(64));
    let second = add("Dense", "second", vec![first], Some(31));
    let sum = add("Add", "sum", vec![input, second], None);
    let program = network.finish("sum", vec![sum]);
    assert_eq!(proposed(&program)[0], "make `units` of `second` 32 (it is 31)");
}

#[test]
fn both_ends_of_axes_are_proposed_in_pairs() {
    let program = chain(&[2, 12, 4, 3], &[("Cropping2D", "cropping", Given::Ints(vec![6, 6, 0, 0]))]);
    let repair = repair(&program);
    let said = repair.proposals[0].to_string();
    assert!(said.contains("[[5, 6], [0, 0]] (it is [[6, 6], [0, 0]])"), "{said}");
    let edit = &repair.advice().repairs[0][0];
    assert_eq!(edit.after.as_ref().map(ToString::to_string), Some("[[5,6],[0,0]]".into()));
}
