//! What frameworks were observed to compute is admitted, and what is off by more is not.
//! The values are those of ONNX Runtime 1.31, of PyTorch 2.15 and of the tests stored with ONNX, as said.

use arrays::npy::{NpyArray, write_npz};
use semantics::array::Array;
use semantics::dtype::Kind;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A model without inputs in a folder of its own, which is removed at the end.
struct Model(PathBuf);

impl Model {
    fn new(name: &str, opset: u32, output: &str, body: &str) -> Model {
        let folder = std::env::temp_dir().join(format!("tensorvet-admitted-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let head = format!("<ir_version: 10, opset_import: [\"\" : {opset}]>\nsmall () => ({output} y)\n");
        std::fs::write(folder.join("model.onnxtxt"), head + body).expect("a model");
        Model(folder)
    }
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensorvet"));
        command.arg("run").arg(self.0.join("model.onnxtxt")).args(arguments).output().expect("it runs")
    }
    fn admits(&self, array: &Array) -> bool {
        let expected = self.0.join("y.npz");
        let array = NpyArray::from_array(array).expect("an array");
        write_npz(&expected, [("y", &array)]).expect("an archive");
        let output = self.run(&["--expect", &expected.display().to_string()]);
        match output.status.code() {
            Some(0) => true,
            Some(1) => false,
            _ => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        }
    }
    fn admits_floats(&self, shape: &[usize], values: &[f64]) -> bool {
        let values = values.iter().map(|&value| Kind::F32.round(value)).collect();
        self.admits(&Array::floats(Kind::F32, shape, values))
    }
    fn says(&self, code: i32, words: &str) {
        let output = self.run(&[]);
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains(words), "`{words}` is not in:\n{text}");
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const EIGHT: &str = "float[1,1,2,4] x = {1, 2, 3, 4, 5, 6, 7, 8}, float[4] scales = {1, 1, 0.6, 0.6}";

#[test]
fn corners_are_those_of_the_resized_tensor() {
    let body = format!(
        "<{EIGHT}> {{ y = Resize <mode = \"linear\", coordinate_transformation_mode = \"align_corners\"> (x, , scales) }}"
    );
    let model = Model::new("corners", 13, "float[1,1,1,2]", &body);
    model.says(0, "y: f32[1, 1, 1, 2] 1, 4");
    let result = |last: f64| model.admits_floats(&[1, 1, 1, 2], &[1.0, last]);
    // ONNX Runtime and PyTorch; then what ONNX stores with its tests, against its own text.
    assert!(result(4.0) && result(3.142_857_1));
    assert!(!result(3.1));
}

#[test]
fn the_first_resize_rounds_up_where_it_shrinks() {
    let body = format!("<{EIGHT}> {{ y = Resize <mode = \"nearest\"> (x, scales) }}");
    let model = Model::new("shrinks", 10, "float[1,1,1,2]", &body);
    assert!(model.admits_floats(&[1, 1, 1, 2], &[1.0, 3.0]));
    assert!(!model.admits_floats(&[1, 1, 1, 2], &[1.0, 2.0]));
    let grown = "<float[1,1,1,2] x = {1, 2}, float[4] scales = {1, 1, 1, 2.5}> { y = Resize <mode = \"nearest\"> (x, scales) }";
    let model = Model::new("grows", 10, "float[1,1,1,5]", grown);
    assert!(model.admits_floats(&[1, 1, 1, 5], &[1.0, 1.0, 1.0, 2.0, 2.0]));
    assert!(!model.admits_floats(&[1, 1, 1, 5], &[1.0, 1.0, 2.0, 2.0, 2.0]));
}

/// 3 / 0.6 is 5 but for rounding, so the floor is 4 or 5; 1 / 0.6 is far from a tie.
#[test]
fn the_nearest_element_at_a_tie_is_one_of_two() {
    let body = "<float[10] x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, float[1] scales = {0.6}> { y = Resize <mode = \"nearest\", \
                coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\"> (x, , scales) }";
    let model = Model::new("tie", 13, "float[6]", body);
    let result = |second: f64, fourth: f64| model.admits_floats(&[6], &[0.0, second, 3.0, fourth, 6.0, 8.0]);
    assert!(result(1.0, 5.0) && result(1.0, 4.0));
    // What is admitted is an interval around the reference.
    assert!(!result(1.0, 2.0) && !result(1.0, 6.0) && !result(2.0, 5.0));
}

/// Sizes that stay are copied by frameworks, though 2 / 1.1 is 1.8.
#[test]
fn a_tensor_that_keeps_its_sizes_may_be_copied() {
    let body = "<float[3] x = {1, 2, 4}, float[1] scales = {1.1}> { y = Resize <mode = \"nearest\", \
                coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\"> (x, , scales) }";
    let model = Model::new("copy", 13, "float[3]", body);
    assert!(model.admits_floats(&[3], &[1.0, 2.0, 4.0]) && model.admits_floats(&[3], &[1.0, 1.0, 2.0]));
    assert!(!model.admits_floats(&[3], &[1.0, 2.0, 8.0]));
}

/// Lengths that are no power of two: ONNX Runtime's imaginary part of a real mean is off by some roundings.
#[test]
fn a_transform_is_off_by_roundings_of_the_signal_even_at_zero() {
    let body = "<float[1,3,1] x = {1, 2, 3}, int64 axis = {1}> { y = DFT (x, , axis) }";
    let model = Model::new("dft", 20, "float[1,3,2]", body);
    let result =
        |zero: f64| model.admits_floats(&[1, 3, 2], &[6.0, zero, -1.5, 0.866_025_4, -1.5, -0.866_025_4]);
    assert!(result(0.0) && result(4.77e-7));
    assert!(!result(1e-4));
}

/// Three steps of a third from -1 do not quite lead to 0.
#[test]
fn coordinates_of_a_grid_are_rounded() {
    let body = "<float[1,2,3] theta = {1, 0, 0, 0, 1, 0}, int64[4] size = {1, 1, 1, 7}, int64 first = {0}> \
                { g = AffineGrid <align_corners = 1> (theta, size) y = Gather <axis = 3> (g, first) }";
    let model = Model::new("grid", 20, "float[1,1,7]", body);
    let third = 1.0 / 3.0;
    let result = |middle: f64| {
        model.admits_floats(&[1, 1, 7], &[-1.0, -2.0 * third, -third, middle, third, 2.0 * third, 1.0])
    };
    assert!(result(0.0) && result(5.96e-8));
    assert!(!result(1e-5));
}

/// Of an axis with one element ONNX says -1, PyTorch 0 and ONNX Runtime 1.
#[test]
fn a_single_centre_is_anywhere() {
    let body = "<float[1,2,3] theta = {1, 0, 0, 0, 1, 0}, int64[4] size = {1, 1, 1, 1}> \
                { y = AffineGrid <align_corners = 1> (theta, size) }";
    let model = Model::new("centre", 20, "float[1,1,1,2]", body);
    assert!([-1.0, 0.0, 1.0].iter().all(|&at| model.admits_floats(&[1, 1, 1, 2], &[at, at])));
    assert!(!model.admits_floats(&[1, 1, 1, 2], &[1.5, 0.0]));
}

#[test]
fn a_range_may_be_added_up_or_multiplied() {
    let body =
        "<float start = {0}, float limit = {1000}, float delta = {0.1}> { y = Range (start, limit, delta) }";
    let model = Model::new("range", 17, "float[10000]", body);
    let step = 0.1f32;
    let added: Vec<f64> = (0..10_000)
        .scan(0f32, |sum, _| {
            let value = *sum;
            *sum += step;
            Some(f64::from(value))
        })
        .collect();
    let multiplied: Vec<f64> = (0..10_000u16).map(|k| f64::from(f32::from(k) * step)).collect();
    assert!(model.admits_floats(&[10_000], &added) && model.admits_floats(&[10_000], &multiplied));
    let off: Vec<f64> = multiplied.iter().map(|value| value * 1.01).collect();
    assert!(!model.admits_floats(&[10_000], &off));
    // Steps that the type holds lose nothing.
    let body =
        "<float start = {0}, float limit = {1}, float delta = {0.25}> { y = Range (start, limit, delta) }";
    let model = Model::new("whole-range", 17, "float[4]", body);
    assert!(model.admits_floats(&[4], &[0.0, 0.25, 0.5, 0.75]));
    assert!(!model.admits_floats(&[4], &[0.0, 0.25, 0.5, 0.750_000_06]));
}

/// ln(4) - 2 is -0.6 and ln(3 + 1/e) - 2 is -0.8, while ONNX Runtime leaves out the power that is no integer.
#[test]
fn logarithms_of_integers_are_cut_off() {
    let sums = |x: &str, operator: &str| {
        let body = format!("<int32[1,4] x = {{{x}}}, int64[1] axes = {{1}}> {{ y = {operator} (x, axes) }}");
        Model::new(&format!("{operator}-{}", x.len()), 18, "int32[1,1]", &body)
    };
    let admits = |model: &Model, value: i64| model.admits(&Array::ints(Kind::I32, &[1, 1], vec![value]));
    let model = sums("1, 2, 3, 4", "ReduceLogSum");
    assert!(admits(&model, 2) && !admits(&model, 3));
    let model = sums("5, 4, 4, 4", "ReduceLogSumExp");
    assert!(admits(&model, 5) && !admits(&model, 7));
}

#[test]
fn no_round_gives_no_slices() {
    let body = "<float[2,3] x = {1, 2, 3, 4, 5, 6}, int64 rounds = {0}> {
      last, y = Loop (rounds, , x) <body = b (int64 i, bool c, float[2,3] a) => (bool c2, float[2,3] a2, float s)
        { c2 = Identity (c) a2 = Add (a, a) s = ReduceSum <keepdims = 0> (a2) }>
    }";
    Model::new("loop", 17, "float[K]", body).says(0, "y: f32[0]");
    let body = "<float[3] x = {1, 2, 3}, float[0,3] none = {}> {
      last, y = Scan <num_scan_inputs = 1, body = b (float[3] a, float[3] e) => (float[3] a2, float[3] s)
        { a2 = Add (a, e) s = Identity (a2) }> (x, none)
    }";
    Model::new("scan", 17, "float[K,3]", body).says(0, "y: f32[0, 3]");
}

#[test]
fn says_why_elements_have_no_value() {
    let body = "<float[3] x = {1, 3, 2}, int64[1] k = {2}> { y, at = TopK <sorted = 0> (x, k) }";
    Model::new("unsorted", 17, "float[2]", body).says(2, "the order of the elements is not defined");
    let body = "<float[3] x = {1, 3, 2}> { y = Cast <to = 17> (x) }";
    let words = "elements of type f8e4m3fn are carried but not computed with";
    Model::new("float8", 19, "float8e4m3fn[3]", body).says(2, words);
}

#[test]
fn what_is_held_in_all_is_limited() {
    let body = "<int64[1] size = {67108864}> {
      a = ConstantOfShape (size) b = ConstantOfShape (size) c = Concat <axis = 0> (a, a, a, a) y = Add (c, b)
    }";
    Model::new("memory", 17, "float[K]", body).says(2, "more than 2 GB in all are not held");
}
