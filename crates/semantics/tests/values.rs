//! Values as shapes: the numbers written in examples, and the chains by which exporters compute shapes.

use semantics::arena;
use semantics::array::{Array, Data};
use semantics::call::{Argument, Call, Outputs};
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::dtype::Kind;
use semantics::example::{self, Expected};
use semantics::operators;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::values::Value;

/// Where the reading of small tensors can tell an element, it is the one written in the example.
#[test]
fn values_in_examples_are_right() {
    let mut wrong = Vec::new();
    for text in operators::ALL.iter().flat_map(|operator| operator.examples) {
        arena::scope(|| {
            let Ok(mut example) = example::parse(text) else { return };
            let define = example.call.operator.define;
            let Expected::Outputs(expected) = example.expected else { return };
            let Ok(outputs) = example.call.run(define) else { return };
            for (output, literal) in outputs.iter().zip(&expected) {
                let (Some(array), Some(values)) = (&literal.array, output.values()) else { continue };
                if (0..array.len()).any(|k| differs(values[k], array, k)) {
                    wrong.push(format!("{text}\n    gives {values:?}"));
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{} wrong values:\n{}", wrong.len(), wrong.join("\n"));
}

fn differs(value: Value, array: &Array, at: usize) -> bool {
    match &array.data {
        Data::Int(v) => value.dim().is_some_and(|dim| dim.known() != Some(v[at])),
        Data::Bool(v) => value.prop().is_some_and(|prop| prop.known() != Some(v[at])),
        Data::Float(v) => value.float().is_some_and(|x| {
            let near = (x - v[at]).abs() <= 1e-6 * v[at].abs().max(1.0);
            !(near || x == v[at] || (x.is_nan() && v[at].is_nan()))
        }),
        Data::Complex(_) | Data::Opaque(_) => false,
    }
}

/// Calls an operator by name; parameters by name.
fn run(name: &str, tensors: &[Tensor], parameters: &[(&str, Argument)]) -> Outputs {
    let operator = operators::by_name(name).unwrap_or_else(|| panic!("no operator {name}"));
    let mut call = Call::new(operator);
    for (position, &tensor) in tensors.iter().enumerate() {
        let last = operator.inputs.len() - 1;
        call.tensors[position.min(last)].push(tensor);
    }
    for (parameter, argument) in parameters {
        let position = operator.parameters.iter().position(|p| p.name == *parameter);
        call.arguments[position.unwrap_or_else(|| panic!("no parameter {parameter}"))] =
            Some(argument.clone());
    }
    let outputs = call.run(operator.define).unwrap_or_else(|stop| panic!("{name}: {stop:?}"));
    let broken: Vec<&str> =
        call.requirements.iter().filter(|r| r.prop.known() == Some(false)).map(|r| r.label).collect();
    assert!(broken.is_empty(), "{name} breaks {broken:?}");
    outputs
}

fn op(name: &str, tensors: &[Tensor], parameters: &[(&str, Argument)]) -> Tensor {
    run(name, tensors, parameters)[0]
}

fn integers(values: &[i64]) -> Tensor {
    Tensor::constant(Array::ints(Kind::I64, &[values.len()], values.to_vec()))
}

fn scalar(value: i64) -> Tensor {
    Tensor::constant(Array::ints(Kind::I64, &[], vec![value]))
}

/// What a front end passes for a parameter that is a tensor in the model.
fn as_argument(tensor: Tensor) -> Argument {
    let values = tensor.values().expect("the values are known");
    Argument::Ints(values.iter().map(|value| value.dim().expect("an integer")).collect())
}

fn ints(values: &[i64]) -> Argument {
    Argument::Ints(values.iter().map(|&value| value.into()).collect())
}

fn image() -> (Dim, Tensor) {
    let batch = Dim::symbol("N", 1, LARGEST_SIZE);
    (batch, Tensor::given("x", Kind::F32, Shape::new([batch, 3.into(), 8.into(), 6.into()])))
}

/// `x.view(x.size(0), -1)`: Shape, Gather, Unsqueeze, Concat, Reshape.
#[test]
fn view_keeps_the_batch() {
    arena::scope(|| {
        let (_, x) = image();
        let size = op("gather", &[op("shape", &[x], &[]), scalar(0)], &[]);
        let size = op("unsqueeze", &[size], &[("axes", ints(&[0]))]);
        let shape = op("concat", &[size, integers(&[-1])], &[("axis", ints(&[0]))]);
        let flat = op("reshape", &[x], &[("shape", as_argument(shape))]);
        assert_eq!(flat.to_string(), "f32[N, 144]");
    });
}

/// `x.expand(-1, 5, -1)` as exporters write it: the sizes that are -1 become 1 by Equal and Where.
#[test]
fn expand_by_equal_and_where() {
    arena::scope(|| {
        let batch = Dim::symbol("N", 1, LARGEST_SIZE);
        let x = Tensor::given("x", Kind::F32, Shape::new([batch, 1.into(), 4.into()]));
        let wanted = integers(&[-1, 5, -1]);
        let ones = Tensor::constant(Array::ints(Kind::I64, &[1], vec![1]));
        let ones = op("constant_of_shape", &[ones], &[("shape", ints(&[3]))]);
        let open = semantics::compose::map(wanted, Kind::Bool, |x| x.eq(-1.0));
        let shape = op("where", &[open, ones, wanted], &[]);
        let expanded = op("expand", &[x], &[("shape", as_argument(shape))]);
        assert_eq!(expanded.to_string(), "f32[N, 5, 4]");
    });
}

/// Positions of a sequence: a Range up to a symbolic size has that length and its values.
#[test]
fn range_up_to_a_symbolic_size() {
    arena::scope(|| {
        let (batch, x) = image();
        let size = op("gather", &[op("shape", &[x], &[]), scalar(0)], &[]);
        let positions = op("range", &[scalar(0), size, scalar(1)], &[]);
        assert_eq!(positions.to_string(), "i64[N]");
        let column = op("unsqueeze", &[positions], &[("axes", ints(&[1]))]);
        let table = op("expand", &[column], &[("shape", Argument::Ints(vec![batch, 7.into()]))]);
        assert_eq!(table.to_string(), "i64[N, 7]");
    });
}

/// Slicing, splitting, squeezing and scattering a shape keep its symbolic entries.
#[test]
fn pieces_of_a_shape_flow() {
    arena::scope(|| {
        let (_, x) = image();
        let shape = op("shape", &[x], &[]);
        let halves = {
            let operator = operators::by_name("split").expect("split");
            let mut call = Call::new(operator);
            call.tensors[0].push(shape);
            call.arguments[0] = Some(ints(&[1, 3]));
            call.wanted = 2;
            call.run(operator.define).expect("two parts")
        };
        let batch = op("squeeze", &[halves[0]], &[("axes", ints(&[0]))]);
        let batch = op("unsqueeze", &[batch], &[("axes", ints(&[0]))]);
        let spots = op("unsqueeze", &[integers(&[3])], &[("axes", ints(&[1]))]);
        let moved = op("scatter_nd", &[shape, spots, batch], &[]);
        let zeros = op("constant_of_shape", &[], &[("shape", as_argument(moved))]);
        assert_eq!(zeros.to_string(), "f32[N, 3, 8, N]");
        let tail = op("slice", &[shape], &[("starts", ints(&[-2])), ("ends", ints(&[i64::MAX]))]);
        let doubled = op(
            "tile",
            &[x],
            &[("repeats", as_argument(op("concat", &[integers(&[1, 1]), tail], &[("axis", ints(&[0]))])))],
        );
        assert_eq!(doubled.to_string(), "f32[N, 3, 64, 36]");
    });
}

/// Older versions with an adapter of their own say the same as the newer spelling of the call.
#[test]
fn older_versions_are_adapted() {
    let run = |name: &str, version: u32, example: &str, wanted: usize| -> Result<String, Vec<&'static str>> {
        arena::scope(|| {
            let resolved = semantics::spelling::onnx(name, version).expect("a spelling");
            let mut call = example::parse(&format!("{example} fails: ?")).expect("an example").call;
            assert!(std::ptr::eq(call.operator, resolved.operator));
            call.wanted = wanted;
            let outputs = call.run(resolved.spelling.define.expect("an adapter"));
            let broken = call.requirements.iter().filter(|r| r.prop.known() == Some(false));
            let broken: Vec<&str> = broken.map(|r| r.label).collect();
            if !broken.is_empty() {
                return Err(broken);
            }
            let outputs = outputs.expect("outputs");
            let show = |output: &Tensor| match output.values() {
                Some(values) => {
                    let numbers: Vec<String> =
                        values.iter().map(|value| value.float().unwrap_or(f64::NAN).to_string()).collect();
                    format!("{output}{{{}}}", numbers.join(","))
                }
                None => output.to_string(),
            };
            Ok(outputs.iter().map(show).collect::<Vec<_>>().join(", "))
        })
    };
    assert_eq!(run("Split", 13, "split(f32[6,N])", 3), Ok("f32[2, N], f32[2, N], f32[2, N]".into()));
    assert_eq!(run("Split", 2, "split(i64[3]{1,2,3}, split=[1,2])", 2), Ok("i64[1]{1}, i64[2]{2,3}".into()));
    assert_eq!(run("Split", 13, "split(f32[7])", 2), Err(vec!["the axis divides evenly among the outputs"]));
    assert_eq!(run("Flatten", 9, "flatten(f32[2,3], axis=-1)", 1), Err(vec!["`axis` is not negative"]));
    let up = "resize(f32[4]{0,1,2,3}, scales=[2], mode=linear)";
    assert_eq!(run("Upsample", 9, up, 1), Ok("f32[8]{0,0.5,1,1.5,2,2.5,3,3}".into()));
    let down = "resize(f32[4], scales=[0.5])";
    assert_eq!(run("Upsample", 7, down, 1), Err(vec!["`scales` are at least 1"]));
    let cubic = "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,1,2]{0,0}, interpolation=bicubic)";
    assert_eq!(run("GridSample", 16, cubic, 1), Ok("f32[1, 1, 1, 1]{2.96875}".into()));
}

/// A mask that is known picks a known number of elements, symbolic ones included.
#[test]
fn compress_and_count_known_masks() {
    arena::scope(|| {
        let (batch, x) = image();
        let mask = Tensor::constant(Array::bools(&[4], vec![true, false, false, true]));
        let kept = op("compress", &[op("shape", &[x], &[]), mask], &[]);
        let values = kept.values().expect("small");
        assert_eq!(values.len(), 2);
        assert_eq!(values[0].dim().map(Dim::id), Some(batch.id()));
        assert_eq!(values[1].dim().and_then(Dim::known), Some(6));
        assert_eq!(op("non_zero", &[mask], &[]).to_string(), "i64[1, 2]");
    });
}
