//! `tensorvet run` as a user meets it: small models as text, arrays written by the test itself.

use arrays::npy::{NpyArray, NpzFile, write_npz};
use semantics::array::Array;
use semantics::dtype::Kind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `y = Relu(x) + bias`, with a value between.
const MODEL: &str = r#"
<ir_version: 10, opset_import: ["" : 20]>
small (float[N, 3] x) => (float[N, 3] y)
<float[3] bias = {1, 2, 3}>
{
  [rectify] r = Relu (x)
  [shift] y = Add (r, bias)
}
"#;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tensorvet-run-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        std::fs::write(path.join("model.onnxtxt"), MODEL).expect("a model");
        Folder(path)
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
    fn run(&self, arguments: &[&str]) -> Output {
        let model = self.text("model.onnxtxt");
        let command =
            Command::new(env!("CARGO_BIN_EXE_tensorvet")).arg("run").arg(model).args(arguments).output();
        command.expect("tensorvet runs")
    }
    fn archive(&self, name: &str, arrays: &[(&str, NpyArray)]) -> String {
        write_npz(&self.path(name), arrays.iter().map(|(name, array)| (*name, array))).expect("an archive");
        self.text(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn floats(shape: &[usize], values: &[f64]) -> NpyArray {
    NpyArray::from_array(&Array::floats(Kind::F32, shape, values.to_vec())).expect("an array")
}

fn read(path: &Path) -> Vec<f64> {
    let array = NpyArray::read(path).expect("an array").to_array(None).expect("numbers");
    array.as_floats().expect("floats").to_vec()
}

fn x() -> NpyArray {
    floats(&[1, 3], &[-1.0, 0.5, 2.0])
}

#[track_caller]
fn assert_output(output: &Output, code: i32, words: &[&str]) {
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

#[test]
fn computes_and_writes_outputs() {
    let folder = Folder::new("writes");
    x().write(&folder.path("x.npy")).expect("written");
    let input = format!("x={}", folder.text("x.npy"));
    for target in ["out.npy", "out.npz", "out"] {
        let output = folder.run(&["--input", &input, "--output", &folder.text(target)]);
        assert_output(&output, 0, &["y: f32[1, 3] 1, 2.5, 5"]);
    }
    assert_eq!(read(&folder.path("out.npy")), [1.0, 2.5, 5.0]);
    assert_eq!(read(&folder.path("out/y.npy")), [1.0, 2.5, 5.0]);
    let mut archive = NpzFile::open(&folder.path("out.npz")).expect("an archive");
    assert_eq!(archive.names(), ["y"]);
    assert_eq!(archive.read("y").expect("an array"), floats(&[1, 3], &[1.0, 2.5, 5.0]));
}

#[test]
fn draws_inputs_by_seed() {
    let folder = Folder::new("seed");
    let drawn = |seed: &str| {
        let output = folder.run(&["--dim", "N=50", "--seed", seed, "--output", &folder.text("y.npy")]);
        assert_output(&output, 0, &["y: f32[50, 3] "]);
        read(&folder.path("y.npy"))
    };
    let first = drawn("7");
    assert_eq!(first, drawn("7"));
    assert_ne!(first, drawn("8"));
    // About half of a standard normal distribution is cut off by the rectifier.
    let cut = first.iter().enumerate().filter(|(at, y)| **y == (at % 3 + 1) as f64).count();
    assert!((40..110).contains(&cut), "{cut} of 150");
}

#[test]
fn says_what_is_missing_or_does_not_fit() {
    let folder = Folder::new("bad");
    assert_output(&folder.run(&[]), 2, &["the size `N` of `x` is not known", "--dim N=SIZE"]);
    assert_output(&folder.run(&["--dim", "M=1"]), 2, &["no input has a size of this name; there is `N`"]);
    assert_output(&folder.run(&["--dim", "N=1..4"]), 2, &["a run needs one size"]);
    assert_output(&folder.run(&["--dim", "N=1", "--dim", "N=2"]), 2, &["--dim N: it is given twice"]);
    assert_output(&folder.run(&["--input", "x=a", "--input", "x=b"]), 2, &["--input x: it is given twice"]);
    assert_output(&folder.run(&["--dim", "N=4611686018427387904"]), 2, &["too many elements"]);
    assert_output(&folder.run(&["--input", "z=z.npy"]), 2, &["the model has no such input; it has `x`"]);
    let absent = format!("x={}", folder.text("absent.npy"));
    assert_output(&folder.run(&["--input", &absent]), 2, &["absent.npy"]);
    std::fs::write(folder.path("broken.npy"), b"\x93NUMPY\x01").expect("written");
    let broken = format!("x={}", folder.text("broken.npy"));
    assert_output(&folder.run(&["--input", &broken]), 2, &["broken.npy"]);

    floats(&[1, 4], &[0.0; 4]).write(&folder.path("wide.npy")).expect("written");
    let wide = format!("x={}", folder.text("wide.npy"));
    let words = ["axis 1 of `x` has size 4, but the model declares 3"];
    assert_output(&folder.run(&["--input", &wide]), 2, &words);
    x().write(&folder.path("x.npy")).expect("written");
    let input = format!("x={}", folder.text("x.npy"));
    let words = ["axis 0 of `x` has size 1, but --dim says `N` = 2"];
    assert_output(&folder.run(&["--input", &input, "--dim", "N=2"]), 2, &words);
    let ints = NpyArray::from_array(&Array::ints(Kind::I64, &[1, 3], vec![1, 2, 3])).expect("an array");
    ints.write(&folder.path("ints.npy")).expect("written");
    let ints = format!("x={}", folder.text("ints.npy"));
    assert_output(&folder.run(&["--input", &ints]), 2, &["`x` is i64, but the model declares f32"]);
}

#[test]
fn compares_outputs_of_the_whole_graph() {
    let folder = Folder::new("whole");
    let right = folder.archive("right.npz", &[("x", x()), ("y", floats(&[1, 3], &[1.0, 2.5, 5.0]))]);
    assert_output(&folder.run(&["--expect", &right]), 0, &["1 agree, 0 disagree", "whole graph"]);
    let wrong = folder.archive("wrong.npz", &[("x", x()), ("y", floats(&[1, 3], &[1.0, 2.5, 5.001]))]);
    let words = [
        "disagrees: output `y`: element [0, 2] was observed as 5.001",
        "the specification gives 5 ",
        "1 of 3 elements",
    ];
    assert_output(&folder.run(&["--expect", &wrong]), 1, &words);
    let told = ["\"agree\": 0", "\"disagree\": [", "element"];
    assert_output(&folder.run(&["--expect", &wrong, "--output-format", "json"]), 1, &told);
    let flat = folder.archive("flat.npz", &[("x", x()), ("y", floats(&[3], &[1.0, 2.5, 5.0]))]);
    assert_output(
        &folder.run(&["--expect", &flat]),
        1,
        &["observed is f32[3], the specification gives f32[1, 3]"],
    );
}

#[test]
fn names_the_node_that_disagrees() {
    let folder = Folder::new("nodes");
    // The rectifier is wrong; what follows is right for what it was given.
    let values =
        [("x", x()), ("r", floats(&[1, 3], &[-1.0, 0.5, 2.0])), ("y", floats(&[1, 3], &[0.0, 2.5, 5.0]))];
    let archive = folder.archive("observed.npz", &values);
    let words = [
        "disagrees: node `rectify` (Relu), `r`: element [0, 0] was observed as -1, the specification gives 0 ",
        "1 agree, 1 disagree",
    ];
    assert_output(&folder.run(&["--expect", &archive]), 1, &words);
}

#[test]
fn an_output_that_others_take_is_observed_for_them() {
    let folder = Folder::new("taken");
    let model = MODEL.replace("=> (float[N, 3] y)", "=> (float[N, 3] r, float[N, 3] y)");
    std::fs::write(folder.path("model.onnxtxt"), &model).expect("a model");
    let values =
        [("x", x()), ("r", floats(&[1, 3], &[-1.0, 0.5, 2.0])), ("y", floats(&[1, 3], &[0.0, 2.5, 5.0]))];
    let archive = folder.archive("observed.npz", &values);
    let words = ["disagrees: node `rectify` (Relu), `r`", "1 agree, 1 disagree", "observed before it"];
    assert_output(&folder.run(&["--expect", &archive]), 1, &words);
    // What is drawn is known by what was observed; the rest is computed from it, and written as it was computed.
    std::fs::write(folder.path("model.onnxtxt"), model.replace("Relu (x)", "RandomNormalLike (x)"))
        .expect("a model");
    let written = folder.text("y.npz");
    let output = folder.run(&["--expect", &archive, "--output", &written]);
    assert_output(&output, 0, &["1 agree, 0 disagree, 0 not decided, 1 random"]);
    let mut written = NpzFile::open(&folder.path("y.npz")).expect("an archive");
    assert_eq!(written.read("y").expect("an array"), floats(&[1, 3], &[0.0, 2.5, 5.0]));
}

#[test]
fn what_cannot_be_compared_is_neither_right_nor_wrong() {
    let folder = Folder::new("open");
    let model = MODEL.replace("Relu (x)", "my.Relu (x)").replace("20]", "20, \"my\" : 1]");
    std::fs::write(folder.path("model.onnxtxt"), model).expect("a model");
    let values =
        [("x", x()), ("r", floats(&[1, 3], &[0.0, 0.5, 2.0])), ("y", floats(&[1, 3], &[1.0, 2.5, 5.0]))];
    let archive = folder.archive("observed.npz", &values);
    let words = ["not decided: node `rectify` (Relu)", "1 agree, 0 disagree, 1 not decided"];
    assert_output(&folder.run(&["--expect", &archive]), 0, &words);
    assert_output(&folder.run(&["--expect", &archive, "--require-verified"]), 1, &words);
}

#[test]
fn a_broken_requirement_is_told_as_by_check() {
    let folder = Folder::new("words");
    let model = r#"
        <ir_version: 10, opset_import: ["" : 20]>
        g (float[8, 2] x) => (y) <int64[2] i = {1, 8}, int64 axis = {2}> { [pick] y = Gather (x, i) }
    "#;
    std::fs::write(folder.path("model.onnxtxt"), model).expect("a model");
    let words = [
        "node `pick` (Gather): every index is within the axis, but `indices` is i64[2] {1, 8}, `input` is f32[8, 2]",
        "(-8 <= 8 < 8)",
    ];
    assert_output(&folder.run(&[]), 2, &words);
    std::fs::write(folder.path("model.onnxtxt"), model.replace("Gather (x, i)", "Gather <axes = 1> (x, i)"))
        .expect("a model");
    assert_output(&folder.run(&[]), 2, &["the attributes of Gather are axis, but `axes` is given"]);
}

#[test]
fn data_that_is_not_there_is_named() {
    let folder = Folder::new("external");
    let model = r#"
        <ir_version: 10, opset_import: ["" : 20]>
        g (float[2] x) => (y) <float[2] w = ["location": "weights.bin"]> { y = Add (x, w) }
    "#;
    std::fs::write(folder.path("model.onnxtxt"), model).expect("a model");
    assert_output(&folder.run(&[]), 2, &["model.onnxtxt", "tensor `w`", "weights.bin"]);
}

#[test]
fn reads_names_that_are_no_file_names() {
    let folder = Folder::new("names");
    let map = br#"{"k0": "x", "k1": "r", "k2": "y"}"#;
    let bytes = Array::ints(Kind::U8, &[map.len()], map.iter().map(|&byte| i64::from(byte)).collect());
    let values = [
        ("__names__", NpyArray::from_array(&bytes).expect("an array")),
        ("k0", x()),
        ("k1", floats(&[1, 3], &[0.0, 0.5, 2.0])),
        ("k2", floats(&[1, 3], &[1.0, 2.5, 5.0])),
    ];
    let archive = folder.archive("observed.npz", &values);
    assert_output(&folder.run(&["--expect", &archive]), 0, &["2 agree, 0 disagree"]);
}

#[test]
fn refuses_expectations_that_do_not_belong_to_the_model() {
    let folder = Folder::new("strangers");
    let strangers = folder.archive("strangers.npz", &[("a", x())]);
    let words = ["no array has the name of a value that the model computes"];
    assert_output(&folder.run(&["--expect", &strangers]), 2, &words);
    let unfed = folder.archive("unfed.npz", &[("y", floats(&[1, 3], &[1.0, 2.5, 5.0]))]);
    let words = ["`x` is neither among the expected values nor given with --input"];
    assert_output(&folder.run(&["--expect", &unfed, "--dim", "N=1"]), 2, &words);
    x().write(&folder.path("y.npy")).expect("written");
    let words = ["y.npy: a single array has no name", ".npz"];
    assert_output(&folder.run(&["--expect", &folder.text("y.npy")]), 2, &words);
    let words = ["o.txt: outputs are written as .npy, as .npz or into a folder, not as .txt"];
    assert_output(&folder.run(&["--dim", "N=1", "--output", &folder.text("o.txt")]), 2, &words);
    std::fs::write(folder.path("broken.npz"), b"PK\x03\x04").expect("written");
    assert_output(&folder.run(&["--expect", &folder.text("broken.npz")]), 2, &["broken.npz"]);
}
