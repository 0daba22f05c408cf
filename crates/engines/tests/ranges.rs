//! Ranges over boxes of indices: what the partition makes exact, and which hazards are seen.

use engines::evaluate::interval::Interval;
use engines::ranges::{Fault, Partition, Ranges, Span, between};
use semantics::array::Array;
use semantics::call::{Argument, Call};
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::dtype::Kind;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::{arena, operators};

fn float(low: f64, high: f64) -> Option<Interval> {
    Some(Interval::Float { low, high, nan: false })
}

fn given(name: &str, sizes: impl IntoIterator<Item = Dim>) -> Tensor {
    Tensor::given(name, Kind::F32, Shape::new(sizes))
}

fn call(operator: &str, tensors: &[Tensor], arguments: &[(&str, Argument)]) -> Tensor {
    let operator = operators::by_name(operator).expect("an operator");
    let mut call = Call::new(operator);
    for (k, &tensor) in tensors.iter().enumerate() {
        call.tensors[k.min(operator.inputs.len() - 1)].push(tensor);
    }
    for (name, argument) in arguments {
        let position = operator.parameters.iter().position(|parameter| parameter.name == *name);
        call.arguments[position.expect("a parameter")] = Some(argument.clone());
    }
    call.run(operator.define).expect("a valid call")[0]
}

fn int(value: i64) -> Argument {
    Argument::Int(value.into())
}
fn ints(values: &[i64]) -> Argument {
    Argument::Ints(values.iter().map(|&value| value.into()).collect())
}

#[test]
fn concat_slice_matmul_is_exact() {
    arena::scope(|| {
        let (left, right) = (given("left", [2.into(), 3.into()]), given("right", [2.into(), 4.into()]));
        let mut ranges = Ranges::new();
        ranges.give(left, 1.0, 2.0);
        ranges.give(right, 10.0, 20.0);
        let joined = call("concat", &[left, right], &[("axis", int(1))]);
        assert_eq!(ranges.read(joined).parts.len(), 2, "{}", ranges.read(joined));
        // Columns 1, 2 of the left and 0 … 2 of the right.
        let cut = [("starts", ints(&[1])), ("ends", ints(&[6])), ("axes", ints(&[1]))];
        let sliced = call("slice", &[joined], &cut);
        let ones = given("ones", [5.into(), 1.into()]);
        ranges.give(ones, 1.0, 1.0);
        let product = call("matmul", &[sliced, ones], &[]);
        // Two terms of 1 to 2 and three of 10 to 20.
        assert_eq!(ranges.read(product).hull(), float(32.0, 64.0));
        assert!(ranges.hazards().is_empty());
    });
}

#[test]
fn unknown_sizes_cut_boxes_too() {
    arena::scope(|| {
        let (n, m) = (Dim::symbol("N", 1, LARGEST_SIZE), Dim::symbol("M", 1, LARGEST_SIZE));
        let (left, right) = (given("left", [n]), given("right", [m]));
        let mut ranges = Ranges::new();
        ranges.give(left, 0.0, 1.0);
        ranges.give(right, 5.0, 6.0);
        let joined = call("concat", &[left, right], &[("axis", int(0))]);
        let read = ranges.read(joined);
        assert_eq!(read.to_string(), "[0..N]: 0 to 1\n[N..N + M]: 5 to 6");
        let largest = call("reduce_max", &[joined], &[("keepdims", Argument::Flag(false.into()))]);
        assert_eq!(ranges.read(largest).hull(), float(5.0, 6.0));
    });
}

#[test]
fn padding_and_whole_rows_are_parts() {
    arena::scope(|| {
        let image = given("image", [2.into(), 6.into()]);
        let mut ranges = Ranges::new();
        let part = |row: i64, low, high| engines::ranges::Part {
            region: vec![Span { low: row.into(), high: (row + 1).into() }, Span::of(6.into())],
            interval: between(Kind::F32, low, high),
        };
        ranges.give_partition(image, Partition { parts: vec![part(0, 1.0, 2.0), part(1, 7.0, 8.0)] });
        // Two rows of six are four rows of three: each half is a part.
        let reshaped = call("reshape", &[image], &[("shape", ints(&[4, 3]))]);
        let rows = ranges.read(reshaped);
        assert_eq!(rows.to_string(), "[0..2, 0..3]: 1 to 2\n[2..4, 0..3]: 7 to 8");
        let padded = call("pad", &[image], &[("pads", ints(&[0, 1, 0, 1]))]);
        let read = ranges.read(padded);
        assert!(read.parts.iter().any(|part| part.interval == float(0.0, 0.0)), "{read}");
        assert!(read.parts.iter().any(|part| part.interval == float(7.0, 8.0)), "{read}");
    });
}

#[test]
fn softmax_lies_between_zero_and_one() {
    arena::scope(|| {
        let input = given("input", [Dim::symbol("N", 1, LARGEST_SIZE), 10.into()]);
        let mut ranges = Ranges::new();
        ranges.give(input, -50.0, 50.0);
        let output = call("softmax", &[input], &[("axis", int(-1))]);
        let hull = ranges.read(output).hull();
        assert!(matches!(hull, Some(Interval::Float { low, high, nan: false }) if low >= 0.0 && high <= 1.0));
        // Differences to the largest are not positive, so nothing overflows, and no sum of powers is zero.
        assert!(ranges.hazards().is_empty(), "{:?}", ranges.hazards());
        let logarithms = call("log_softmax", &[input], &[("axis", int(-1))]);
        ranges.read(logarithms);
        assert!(ranges.hazards().is_empty(), "{:?}", ranges.hazards());
    });
}

#[test]
fn hazards_are_those_of_scalar_functions() {
    let fault = |operator: &str, low: f64, high: f64| {
        arena::scope(|| {
            let input = given("input", [4.into()]);
            let mut ranges = Ranges::new();
            ranges.give(input, low, high);
            ranges.read(call(operator, &[input], &[]));
            ranges.hazards().iter().map(|hazard| (hazard.function, hazard.fault)).collect::<Vec<_>>()
        })
    };
    assert_eq!(fault("log", 0.5, 2.0), []);
    assert_eq!(fault("log", 0.0, 2.0), [("ln", Fault::Pole)]);
    assert_eq!(fault("log", -1.0, 2.0), [("ln", Fault::OutsideDomain)]);
    assert_eq!(fault("sqrt", -1.0, 2.0), [("sqrt", Fault::OutsideDomain)]);
    assert_eq!(fault("exp", -1000.0, 80.0), []);
    assert_eq!(fault("exp", 0.0, 100.0), [("exp", Fault::Overflow)]);
    assert_eq!(fault("reciprocal", -1.0, 1.0), [("reciprocal", Fault::Pole)]);
    assert_eq!(fault("reciprocal", 0.5, 1.0), []);
    arena::scope(|| {
        let (x, y) = (given("x", [4.into()]), given("y", [4.into()]));
        let mut ranges = Ranges::new();
        ranges.give(x, 1.0, 2.0);
        ranges.give(y, 0.0, 2.0);
        ranges.read(call("div", &[x, y], &[]));
        let [hazard] = ranges.hazards() else { panic!("{:?}", ranges.hazards()) };
        assert_eq!(hazard.to_string(), "/ of 0 to 2 may be infinite");
    });
}

#[test]
fn small_constants_are_known_one_by_one() {
    arena::scope(|| {
        let weights = Tensor::constant(Array::floats(Kind::F32, &[2, 1], vec![1.0, -3.0]));
        let input = given("input", [5.into(), 2.into()]);
        let mut ranges = Ranges::new();
        ranges.give(input, 0.0, 2.0);
        let product = call("matmul", &[input, weights], &[]);
        assert_eq!(ranges.read(product).hull(), float(-6.0, 2.0));
    });
}
