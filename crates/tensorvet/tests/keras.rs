//! Keras models on the command line: stored weights, models written by hand, how far from valid, and files that are
//! no models.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tensorvet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tensorvet")).args(arguments).output().expect("the binary runs")
}
fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
fn small(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/files").join(name).display().to_string()
}
fn written(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("a temporary file");
    path.display().to_string()
}

#[test]
fn stored_weights_are_run_with() {
    // The content of a file of NumPy: float32[1, 2] {1, 2}.
    let mut header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }".to_string();
    header.push_str(&" ".repeat(63 - (10 + header.len()) % 64));
    header.push('\n');
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend((header.len() as u16).to_le_bytes());
    content.extend(header.as_bytes());
    content.extend([1.0f32, 2.0].iter().flat_map(|x| x.to_le_bytes()));
    let input = format!("x={}", written("x.npy", content));
    for file in ["small.keras", "small.h5"] {
        let output = tensorvet(&["run", &small(file), "--input", &input]);
        let text = stdout(&output);
        assert!(output.status.success(), "{}", stderr(&output));
        // What Keras predicts; see `make.py` beside the files.
        assert!(text.contains("7382.94") && text.contains("438.407"), "{text}");
    }
}

#[test]
fn a_file_without_weights_cannot_be_run() {
    let file = written("no_weights.json", r#"[{"input": [1, 2]}, {"layer": "Dense", "units": 4}]"#);
    let output = tensorvet(&["run", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the file has no weights"), "{}", stderr(&output));
}

#[test]
fn findings_point_into_what_was_written() {
    let text = "[\n  {\"input\": [null, 8, 8, 3]},\n  {\"layer\": \"Conv2D\", \"filters\": 4, \"kernel_size\": 9}\n]\n";
    let file = written("too_large.json", text);
    let output = tensorvet(&["check", &file, "--color", "never"]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("too_large.json:3:3"), "{said}");
    assert!(said.contains("3 |   {\"layer\": \"Conv2D\""), "{said}");
    let output = tensorvet(&["check", &file, "--output-format", "json"]);
    let said = stdout(&output);
    for part in [
        r#""class": "Pool Shape Error""#,
        r#""badness": 1"#,
        r#""node": "conv2d""#,
        r#""requirement": "the window fits the input""#,
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
}

#[test]
fn the_example_is_broken_on_purpose() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/by_hand.json");
    let output = tensorvet(&["check", &example.display().to_string(), "--color", "never"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("by_hand.json:6:3"), "{}", stdout(&output));
}

/// One line that names the file and says what is wrong, exit code 2.
#[track_caller]
fn unreadable(name: &str, content: impl AsRef<[u8]>, says: &str) {
    let output = tensorvet(&["check", &written(name, content)]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}{}", stdout(&output));
    assert!(said.contains(says), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn what_is_no_model_is_told() {
    unreadable("empty.keras", "", "a `.keras` file is a zip archive");
    unreadable("text.keras", "hello", "a `.keras` file is a zip archive");
    unreadable("cut.h5", &fs::read(small("small.h5")).expect("the file")[..200], "HDF5");
    unreadable("text.h5", "hello", "an `.h5` file is an HDF5 file");
    unreadable("list.json", "[{\"layer\": 3}]", "`layer` is a text");
    unreadable("deep.json", "[".repeat(1_000_000), "nesting depth");
    unreadable("number.json", r#"[{"input": [99999999999999999999]}]"#, "a shape is a list of sizes");
    let missing = tensorvet(&["check", "no_such_model.keras"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn a_zip_bomb_is_not_unpacked() {
    // A compressed entry `config.json` that claims four gigabytes.
    let name = b"config.json";
    let packed = [0x03u8, 0x00];
    let mut archive = Vec::new();
    let common = |extra: &[u8]| {
        let mut header = Vec::new();
        header.extend([20u8, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
        header.extend(0u32.to_le_bytes());
        header.extend((packed.len() as u32).to_le_bytes());
        header.extend(0xffff_fff0u32.to_le_bytes());
        header.extend((name.len() as u16).to_le_bytes());
        header.extend(0u16.to_le_bytes());
        header.extend(extra);
        header
    };
    archive.extend(b"PK\x03\x04");
    archive.extend(common(&[]));
    archive.extend(name);
    archive.extend(packed);
    let directory = archive.len() as u32;
    archive.extend(b"PK\x01\x02\x14\x00");
    archive.extend(common(&[0; 14]));
    archive.extend(name);
    let size = archive.len() as u32 - directory;
    archive.extend(b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00");
    archive.extend(size.to_le_bytes());
    archive.extend(directory.to_le_bytes());
    archive.extend([0, 0]);
    unreadable("bomb.keras", archive, "cannot hold");
}

/// A layer of the user's own is unknown, or what a stub says.
#[test]
fn a_stub_stands_for_a_layer_of_ones_own() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own_layers");
    // Nothing is left of a run before.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("stubs")).expect("folders");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let own = r#"{"class_name": "Sequential", "config": {"layers": [
        {"class_name": "InputLayer", "config": {"batch_shape": [null, 6], "name": "x"}},
        {"class_name": "Gate", "registered_name": "Own>Gate", "config": {"name": "gate", "units": 4}},
        {"class_name": "Reshape", "config": {"name": "reshape", "target_shape": [3]}}]}}"#;
    write("model.json", own);
    let model = folder.join("model.json").display().to_string();
    let unknown = tensorvet(&["check", &model, "--show-unknowns", "--color", "never"]);
    assert!(stdout(&unknown).contains("`Gate` is a layer of the user's own"), "{}", stdout(&unknown));
    write("pyproject.toml", "[tool.tensorvet]\nstubs = \"stubs\"\n");
    write(
        "stubs/Gate.json",
        r#"{"layers": [{"input": [null, "n"], "name": "x"},
            {"layer": "Dense", "units": "$units", "from": "x", "name": "a"},
            {"layer": "Dense", "units": "$units", "from": "x", "name": "b"},
            {"layer": "Multiply", "from": ["a", "b"]}]}"#,
    );
    let known = tensorvet(&["check", &model, "--color", "never"]);
    // Four numbers cannot become three.
    assert_eq!(known.status.code(), Some(1), "{}{}", stdout(&known), stderr(&known));
    assert!(stdout(&known).contains("reshape"), "{}", stdout(&known));
}

#[test]
fn sequences_of_any_length_are_verified_and_can_be_bounded() {
    let text = r#"[
  {"input": [null, null], "dtype": "int32", "name": "tokens"},
  {"layer": "Embedding", "input_dim": 100, "output_dim": 8, "mask_zero": true},
  {"layer": "Bidirectional", "wraps": {"layer": "LSTM", "units": 4, "return_sequences": true}},
  {"layer": "GRU", "units": 3}
]"#;
    let file = written("any_length.json", text);
    let said = stdout(&tensorvet(&["check", &file]));
    assert!(said.contains("verified, 4 of 4"), "{said}");
    let shorter = ["check", &file, "--dim", "tokens.1=1..64"];
    assert_eq!(tensorvet(&shorter).status.code(), Some(0), "{said}");
}

#[test]
fn weights_do_not_lie_along_what_is_open() {
    let flat = r#"{"layer": "Embedding", "input_dim": 9, "output_dim": 4}, {"layer": "Flatten"}, {"layer": "Dense", "units": 2}"#;
    let open = written("open.json", format!(r#"[{{"input": [null, null], "dtype": "int32"}}, {flat}]"#));
    let refused = tensorvet(&["check", &open]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stdout(&refused).contains("the sizes of weights are known before anybody calls the layer"));
    // Bounds leave it open; one number does not.
    assert_eq!(tensorvet(&["check", &open, "--dim", "input.1=5..6"]).status.code(), Some(1));
    assert_eq!(tensorvet(&["check", &open, "--dim", "input.1=5"]).status.code(), Some(0));
    // A name stands for any number, and one that is known where the model is built.
    let named =
        written("named.json", format!(r#"[{{"input": [null, "length"], "dtype": "int32"}}, {flat}]"#));
    assert_eq!(tensorvet(&["check", &named]).status.code(), Some(0));
}

#[test]
fn a_repair_is_proposed_or_where_the_search_ended() {
    let repaired = |name: &str, text: &str| {
        let output = tensorvet(&["check", &written(name, text), "--repair", "--color", "never"]);
        assert_eq!(output.status.code(), Some(1));
        stdout(&output)
    };
    let one_of_two = repaired(
        "two_widths.json",
        r#"{"layers": [
  {"input": ["N", 8], "name": "left"},
  {"input": ["N", 6], "name": "right"},
  {"layer": "Dense", "units": 4, "from": "left", "name": "a"},
  {"layer": "Dense", "units": 5, "from": "right", "name": "b"},
  {"layer": "Add", "from": ["a", "b"]}
]}"#,
    );
    assert!(one_of_two.contains("  repair: make `units` of `a` 5 (it is 4)\n"), "{one_of_two}");
    let two_in_one_layer = repaired(
        "two_in_one_layer.json",
        r#"[
  {"input": [null, 1, 8]},
  {"layer": "Conv1D", "filters": 8, "kernel_size": 3, "groups": 3}
]"#,
    );
    let both = "  repair: make `groups` of `conv1d` 2 (it is 3),\n          and make `kernel_size` of `conv1d` 1 (it is 3)\n";
    assert!(two_in_one_layer.contains(both), "{two_in_one_layer}");
    let stuck = repaired(
        "stuck.json",
        r#"[
  {"input": [null, 8, 3]},
  {"layer": "MaxPooling1D", "pool_size": 9},
  {"layer": "Flatten"},
  {"layer": "Embedding", "input_dim": 3, "output_dim": 3},
  {"layer": "Conv3D", "filters": 2, "kernel_size": 1}
]"#,
    );
    assert!(stuck.contains("  repair: make `pool_size` of `max_pooling1d` 8 (it is 9)\n"), "{stuck}");
    assert!(stuck.contains("  no change was found that mends `conv3d`: "), "{stuck}");
}

/// A Functional model of two layers in a row, with something in its text replaced.
fn two_in_a_row(from: &str, to: &str) -> String {
    let tensor = |of: &str| {
        format!(r#"{{"class_name": "__keras_tensor__", "config": {{"keras_history": ["{of}", 0, 0]}}}}"#)
    };
    let dense = |name: &str, on: &str| {
        format!(
            r#"{{"module": "keras.layers", "class_name": "Dense", "name": "{name}", "config": {{"name": "{name}", "units": 4}}, "inbound_nodes": [{{"args": [{}], "kwargs": {{}}}}]}}"#,
            tensor(on)
        )
    };
    let input = r#"{"module": "keras.layers", "class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 8], "dtype": "float32", "name": "x"}, "inbound_nodes": []}"#;
    let layers = [input.to_string(), dense("a", "x"), dense("b", "a")].join(", ");
    let text = format!(
        r#"{{"class_name": "Functional", "config": {{"layers": [{layers}], "input_layers": [["x", 0, 0]], "output_layers": [["b", 0, 0]]}}}}"#
    );
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn layers_that_make_no_model_are_findings_at_the_layer() {
    let cases = [
        ("history_of_nobody", r#"["a", 0, 0]"#, r#"["nowhere", 0, 0]"#, "b", "no such layer"),
        ("circle", r#"["x", 0, 0]"#, r#"["b", 0, 0]"#, "a", "they are a circle"),
        ("twice", r#""name": "b""#, r#""name": "a""#, "a", "two layers are called `a`"),
        ("no_size", "[null, 8]", "[null, -8]", "x", "in its shape"),
        ("no_output", r#"[["b", 0, 0]]"#, r#"[["c", 0, 0]]"#, "model", "no such layer"),
    ];
    for (name, from, to, node, says) in cases {
        let file = written(&format!("{name}.json"), two_in_a_row(from, to));
        let output = tensorvet(&["check", &file, "--output-format", "json"]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
        let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let finding = &told["findings"][0];
        assert_eq!(finding["location"]["node"], node, "{name}");
        assert!(finding["message"].as_str().is_some_and(|text| text.contains(says)), "{finding}");
        assert_eq!(told["summary"]["verdict"], "invalid", "{name}");
    }
}

#[test]
fn what_was_not_read_is_not_verified() {
    let file = written("unread.json", "{");
    let output = tensorvet(&["check", &file, "--output-format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(told["summary"]["verdict"], "unreadable");
    assert!(told["summary"]["unreadable"][0].as_str().is_some_and(|text| text.contains("unread.json")));
    // A fault in another file is still one.
    let other = written("beside_unread.json", two_in_a_row(r#""units": 4"#, r#""units": 0"#));
    let output = tensorvet(&["check", &file, &other, "--output-format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(told["summary"]["verdict"], "invalid");
}

#[test]
fn all_calls_of_a_layer_are_mended_by_one_change() {
    let text = r#"{"layers": [
  {"input": ["N", 8], "name": "x"},
  {"layer": "Dense", "units": 8, "activation": "rleu", "from": "x", "name": "a"},
  {"again": "a", "from": "a"},
  {"again": "a", "from": "a@2"}
]}"#;
    let output = tensorvet(&["check", &written("shared.json", text), "--repair", "--color", "never"]);
    let said = stdout(&output);
    assert!(said.contains("  repair: make `activation` of `a` \"relu\" (it is \"rleu\")\n"), "{said}");
}

#[test]
fn an_input_of_a_model_inside_another_is_mended_as_an_input() {
    let text = r#"[
  {"input": [null, 4]},
  {"model": [{"input": [null, 1000]}, {"layer": "Dense", "units": 2}], "name": "inner"}
]"#;
    let file = written("inner_input.json", text);
    let said = stdout(&tensorvet(&["check", &file, "--repair", "--color", "never"]));
    let change = "make the input `inner/input` f32[batch, 4] (it is f32[batch, 1000])";
    assert!(said.contains(change), "{said}");
    let output = tensorvet(&["check", &file, "--repair", "--output-format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let edits =
        told["repairs"][0]["proposals"].as_array().expect("proposals").iter().flat_map(|p| p.as_array());
    let edit = edits.flatten().find(|edit| edit["place"] == "inner/input").expect("an edit");
    assert!(edit["argument"].is_null(), "{edit}");
    assert_eq!(edit["after"]["shape"], serde_json::json!(["batch", 4]), "{edit}");
}

#[test]
fn what_only_tensorflow_stores_is_refused_by_other_backends() {
    let sparse = two_in_a_row(r#""dtype": "float32""#, r#""dtype": "float32", "sparse": true"#);
    let file = written("sparse.json", sparse);
    let checked = |backend: &str| tensorvet(&["check", &file, "--backend", backend, "--color", "never"]);
    assert_eq!(checked("tensorflow").status.code(), Some(0));
    let output = checked("torch");
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(said.contains("`sparse` of `x` is true, which Keras takes on TensorFlow alone"), "{said}");
}
