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
    fails(
        "[{\"input\": [8]}, {\"units\": 4}]",
        "1:18: an entry has a `layer`, or is an `input`, a `model`, or a call of one `again`",
    );
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

/// Nothing in the model has a fault of its own, and these are its calls.
#[track_caller]
fn calls(text: &str, wanted: &[(&str, &str)]) -> Model {
    let model = read(text).unwrap_or_else(|message| panic!("{message}"));
    let faults: Vec<String> =
        model.program.graph.nodes.iter().flat_map(|node| &node.faults).map(|f| f.detail.clone()).collect();
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(places(&model), wanted);
    model
}

#[test]
fn layers_are_called_on_several_tensors() {
    let attention = |from: &str| {
        format!(
            r#"[{{"input": [null, 5, 4], "name": "q"}}, {{"input": [null, 6, 4], "name": "v"}},
                {{"layer": "MultiHeadAttention", "num_heads": 2, "key_dim": 3, "name": "a", "from": {from}}}]"#
        )
    };
    for from in [r#"["q", "v"]"#, r#"{"query": "q", "value": "v"}"#, r#"{"value": "v", "query": "q"}"#] {
        let model = calls(&attention(from), &[("a", "MultiHeadAttention")]);
        let inputs = model.program.graph.nodes[0].inputs();
        let names: Vec<&str> = inputs.iter().map(|&value| model.program.name(value)).collect();
        assert_eq!(names, ["q", "v"], "{from}");
    }
    let listed = attention(r#"{"query": "q", "key": "v", "value": "v"}"#)
        .replace(r#""MultiHeadAttention", "num_heads": 2, "key_dim": 3"#, r#""Attention""#);
    calls(&listed, &[("a", "Attention")]);
    calls(
        r#"[{"input": [null, 5, 4], "name": "x"}, {"input": [null, 3], "name": "h"}, {"input": [null, 3], "name": "c"},
            {"input": [null, 5], "name": "m", "dtype": "bool"},
            {"layer": "LSTM", "units": 3, "from": {"sequences": "x", "initial_state": ["h", "c"], "mask": "m"}}]"#,
        &[("lstm", "LSTM")],
    );
}

#[test]
fn what_a_layer_gives_besides_has_a_number() {
    let model = calls(
        r#"{"layers": [{"input": [null, 5, 4]}, {"layer": "LSTM", "units": 3, "return_state": true},
            {"layer": "Dense", "units": 2, "from": "lstm:1"}], "outputs": ["dense", "lstm:2", "lstm"]}"#,
        &[("lstm", "LSTM"), ("dense", "Dense")],
    );
    let outputs = model.program.graph.outputs.iter().map(|&value| model.program.name(value));
    assert_eq!(outputs.collect::<Vec<_>>(), ["dense", "lstm:2", "lstm"]);
    let model = read(
        r#"[{"input": [null, 5, 4]}, {"layer": "LSTM", "units": 3}, {"layer": "Dense", "units": 2, "from": "lstm:1"}]"#,
    )
    .expect("a model");
    assert_eq!(model.program.graph.nodes[0].faults[0].detail, "output 1 is used, and it has 1");
}

#[test]
fn layers_are_called_again() {
    let model = calls(
        r#"[{"input": [null, 4], "name": "a"}, {"input": [null, 4], "name": "b"},
            {"layer": "Dense", "units": 3, "from": "a"},
            {"again": "dense", "from": "b"},
            {"layer": "Add", "from": ["dense", "dense@2"]}]"#,
        &[("dense", "Dense"), ("dense", "weights"), ("dense@2", "Dense"), ("add", "Add")],
    );
    let spot = model.program.graph.nodes[2].place.spot.as_ref().expect("a place in the text");
    assert_eq!(spot.here.line, 3);
}

#[test]
fn models_stand_in_models() {
    let model = calls(
        r#"[{"input": [null, 4], "name": "a"}, {"input": [null, 4], "name": "b"},
            {"model": [
              {"input": [null, 4]},
              {"layer": "Dense", "units": 3}
            ], "from": "a", "name": "tower"},
            {"again": "tower", "from": "b"},
            {"layer": "Add", "from": ["tower", "tower@2"]}]"#,
        &[
            ("tower/input", "InputLayer"),
            ("tower/dense", "Dense"),
            ("tower@2/input", "InputLayer"),
            ("tower/dense", "weights"),
            ("tower@2/dense", "Dense"),
            ("add", "Add"),
        ],
    );
    for dense in [1, 4] {
        let spot = model.program.graph.nodes[dense].place.spot.as_ref().expect("a place in the text");
        assert_eq!(spot.here.line, 4);
    }
    let several = r#"[{"input": [null, 4]}, {"model": {"layers": [
            {"input": [null, 4], "name": "x"}, {"layer": "Dense", "units": 3, "name": "u"},
            {"layer": "Dense", "units": 2, "name": "w", "from": "x"}]}, "from": {"x": "input"}}]"#;
    assert_eq!(read(several).expect("a model").program.graph.outputs.len(), 2);
    calls(
        r#"[{"input": [null, 7, 4]}, {"layer": "TimeDistributed", "name": "each",
             "wraps": {"model": [{"input": [null, 4]}, {"layer": "Dense", "units": 3}]}}]"#,
        &[("each/input", "InputLayer"), ("each/dense", "TimeDistributed")],
    );
}

#[test]
fn mistakes_of_calls_have_a_place() {
    let begun = "[{\"input\": [9, 5, 4], \"name\": \"x\"},\n";
    let after = |text: &str, message: &str| fails(&format!("{begun}{text}]"), message);
    after(
        "{\"layer\": \"Dense\", \"units\": 4, \"from\": [\"x\", \"x\"]}",
        "2:40: `Dense` is called on one tensor, and here on 2",
    );
    after(
        "{\"layer\": \"Dense\", \"units\": 4}, {\"layer\": \"Flatten\", \"from\": \"dense:1\"}",
        "2:62: `dense` gives one thing alone",
    );
    after(
        "{\"layer\": \"Attention\", \"from\": [\"x\", \"x\"]}, {\"layer\": \"Flatten\", \"from\": \"attention:7\"}",
        "2:74: `attention` gives `attention:0` to `attention:1`",
    );
    after(
        "{\"layer\": \"MultiHeadAttention\", \"num_heads\": 1, \"key_dim\": 2, \"from\": {\"qery\": \"x\"}}",
        "2:72: `MultiHeadAttention` is not called with tensors as `qery`: did you mean `query`?",
    );
    after(
        "{\"layer\": \"MultiHeadAttention\", \"num_heads\": 1, \"key_dim\": 2, \"from\": {\"value\": \"x\"}}",
        "2:71: `MultiHeadAttention` is called on `query`, too",
    );
    after(
        "{\"layer\": \"MultiHeadAttention\", \"num_heads\": 1, \"key_dim\": 2, \"from\": {\"query\": [\"x\"]}}",
        "2:81: `query` of `MultiHeadAttention` is one tensor",
    );
    after("{\"again\": \"x\"}", "2:11: an input is not called");
    after("{\"again\": \"dense\"}", "2:11: nothing before has the name `dense`");
    after(
        "{\"layer\": \"ReLU\"}, {\"again\": \"re_lu\", \"units\": 4}",
        "2:39: `units` means nothing of a further call: the layer is the same, and may have `from`",
    );
    after(
        "{\"model\": [{\"input\": [4]}, {\"layer\": \"ReLU\"}], \"from\": [\"x\", \"x\"], \"name\": \"m\"}",
        "2:56: `m` is called on one tensor, and here on 2",
    );
    after(
        "{\"model\": [{\"layer\": \"ReLU\"}]}",
        "2:12: nothing stands before this layer: begin with `{\"input\": [null, 8]}`, null for the batch",
    );
    after(
        "{\"layer\": \"ReLU\", \"model\": []}",
        "2:19: an entry is one thing: a `layer`, an `input`, a `model`, or one `again`",
    );
    after("{\"layer\": \"ReLU\", \"name\": \"a/b\"}", "2:19: `a/b` is no name: Keras takes none with `/`");
}

#[test]
fn what_is_no_json_has_a_place() {
    let said = read("[\n  {\"input\": [8},\n]").err().expect("no model");
    assert!(said.starts_with("m.json:2:15: not readable JSON: "), "{said}");
    let deep = "[".repeat(100_000);
    assert!(read(&deep).is_err());
}
