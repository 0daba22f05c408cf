//! Models written by hand: what they come to, and where a mistake is.

use models::keras::{self, Model};
use std::path::Path;

fn read(text: &str) -> Result<Model, String> {
    keras::from_bytes(text.to_string().into(), Path::new("m.json")).map_err(|error| error.to_string())
}

fn places(model: &Model) -> Vec<(&str, &str)> {
    model.program.graph.nodes.iter().map(|node| (node.place.node.as_str(), &*node.place.spelled)).collect()
}

#[test]
fn a_list_is_a_chain() {
    let model = read(
        r#"[
  {"input": [null, 8]},  // any batch
  {"layer": "Dense", "units": 4, "activation": "relu"},
  {"layer": "Dense", "units": 2},
]"#,
    )
    .expect("a model");
    assert_eq!(places(&model), [("dense", "Dense"), ("dense_1", "Dense")]);
    let spot = model.program.graph.nodes[1].place.spot.as_ref().expect("a place in the text");
    assert_eq!((spot.here.line, spot.here.column), (4, 3));
    assert_eq!(model.program.graph.outputs.len(), 1);
}

#[test]
fn names_make_a_graph() {
    let model = read(
        r#"{"layers": [
  {"input": ["N", 4], "name": "a"},
  {"input": ["N", 4], "name": "b", "dtype": "float32"},
  {"layer": "Dense", "units": 3, "from": "a", "name": "left"},
  {"layer": "Dense", "units": 3, "from": "b", "name": "right"},
  {"layer": "Add", "from": ["left", "right"]},
  {"layer": "Softmax", "from": "left"}
]}"#,
    )
    .expect("a model");
    let names: Vec<&str> =
        model.program.graph.outputs.iter().map(|&value| model.program.name(value)).collect();
    assert_eq!(names, ["add", "softmax"]);
    assert_eq!(model.program.graph.inputs.len(), 2);
}

#[test]
fn outputs_may_be_named() {
    let text = r#"{"input": [null, 4], "layers": [{"layer": "Dense", "units": 3, "name": "hidden"}, {"layer": "Dense", "units": 2}], "outputs": ["hidden"]}"#;
    let model = read(text).expect("a model");
    assert_eq!(model.program.name(model.program.graph.outputs[0]), "hidden");
}

/// The message for a text, with where it is.
#[track_caller]
fn fails(text: &str, message: &str) {
    let said = read(text).err().unwrap_or_else(|| panic!("{text} is read"));
    assert_eq!(said, format!("m.json:{message}"));
}

#[test]
fn mistakes_have_a_place() {
    fails(
        "[\n  {\"input\": [null, 8]},\n  {\"layer\": \"Dens\", \"units\": 4}\n]",
        "3:13: there is no layer `Dens` here; did you mean `Dense`?",
    );
    fails(
        "[{\"input\": [8]}, {\"layer\": \"Dense\", \"unit\": 4}]",
        "1:37: `Dense` has no argument `unit`: did you mean `units`?",
    );
    fails(
        "[{\"input\": [8]}, {\"layer\": \"Flatten\", \"from\": \"inputs\"}]",
        "1:47: nothing before has the name `inputs`; did you mean `input`?",
    );
    fails(
        "[{\"input\": [8.5]}]",
        "1:13: a shape is a list of sizes: whole numbers, null for any, or a name such as \"N\"",
    );
    fails(
        "[{\"layer\": \"Flatten\"}]",
        "1:2: nothing stands before this layer: begin with `{\"input\": [null, 8]}`, null for the batch",
    );
    fails(
        "[]",
        "1:1: nothing says what the model takes: begin with `{\"input\": [null, 8]}`, null for the batch",
    );
    fails("[{\"input\": [8]}, {\"units\": 4}]", "1:18: an entry has a `layer`, or is an `input`");
    fails(
        "[{\"input\": [8], \"name\": \"a\"}, {\"input\": [8], \"name\": \"a\"}]",
        "1:46: `a` is the name of another entry already",
    );
    fails(
        "{\"layer\": []}",
        "1:2: `layer` means nothing here: a model has `layers`, and may have `input`, `outputs`, `name`",
    );
    fails("3", "1:1: a model is a list of layers");
}

#[test]
fn what_is_no_json_has_a_place() {
    let said = read("[\n  {\"input\": [8},\n]").err().expect("no model");
    assert!(said.starts_with("m.json:2:15: not readable JSON: "), "{said}");
    let deep = "[".repeat(100_000);
    assert!(read(&deep).is_err());
}
