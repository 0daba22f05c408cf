//! Keras architectures: what is read, and what is said of files that make no sense.

use models::keras;
use program::ir::{Action, Program};
use std::path::PathBuf;

/// Reads a description from a file of its own.
fn read(name: &str, text: &str) -> Result<Program, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
    std::fs::write(&path, text).expect("the file can be written");
    keras::open(&path).map(|model| model.program).map_err(|error| error.message)
}

fn classes(program: &Program) -> Vec<(&str, &str)> {
    program.graph.nodes.iter().map(|node| (node.place.node.as_str(), &*node.place.spelled)).collect()
}

const INPUT: &str = r#"{"class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 8], "dtype": "float32", "name": "x"}, "inbound_nodes": []}"#;

fn dense(name: &str, from: &[&str]) -> String {
    let calls: Vec<String> = from
        .iter()
        .map(|from| format!(r#"{{"args": [{{"class_name": "__keras_tensor__", "config": {{"keras_history": ["{from}", 0, 0]}}}}], "kwargs": {{}}}}"#))
        .collect();
    format!(
        r#"{{"class_name": "Dense", "name": "{name}", "config": {{"name": "{name}", "units": 4, "activation": "relu", "kernel_initializer": {{}}}}, "inbound_nodes": [{}]}}"#,
        calls.join(", ")
    )
}

fn functional(layers: &[String], output: &str) -> String {
    format!(
        r#"{{"class_name": "Functional", "config": {{"layers": [{INPUT}, {}], "input_layers": [["x", 0, 0]], "output_layers": [["{output}", 0, 0]]}}}}"#,
        layers.join(", ")
    )
}

#[test]
fn a_sequence_is_read_in_order() {
    let text = format!(
        r#"{{"class_name": "Sequential", "config": {{"layers": [{INPUT}, {}, {}]}}}}"#,
        dense("a", &[]),
        dense("b", &[])
    );
    let program = read("sequence", &text).expect("a model");
    assert_eq!(classes(&program), [("a", "Dense"), ("b", "Dense")]);
    assert_eq!(program.graph.inputs.len(), 1);
}

#[test]
fn layers_may_stand_in_any_order_and_be_called_twice() {
    let text = functional(&[dense("late", &["early"]), dense("early", &["x", "x"])], "late");
    let program = read("order", &text).expect("a model");
    assert_eq!(classes(&program), [("early", "Dense"), ("early@2", "Dense"), ("late", "Dense")]);
}

#[test]
fn a_model_inside_a_model_has_its_name_in_front() {
    let inner = functional(&[dense("d", &["x"])], "d");
    let call = r#"[{"args": [{"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}], "kwargs": {}}]"#;
    let inner = inner.replacen('{', &format!(r#"{{"name": "inner", "inbound_nodes": {call}, "#), 1);
    let program = read("nested", &functional(&[inner], "inner")).expect("a model");
    assert_eq!(classes(&program), [("inner/d", "Dense")]);
}

#[test]
fn calls_as_keras_2_writes_them_are_read() {
    let old = dense("d", &[]).replace(r#""inbound_nodes": []"#, r#""inbound_nodes": [[["x", 0, 0, {}]]]"#);
    let program = read("old", &functional(&[old], "d")).expect("a model");
    assert_eq!(classes(&program), [("d", "Dense")]);
}

#[test]
fn what_is_not_modelled_is_unknown_with_a_reason() {
    let own = dense("d", &["x"]).replace("Dense", "Rotate");
    let program = read("own", &functional(&[own], "d")).expect("a model");
    let Action::Unknown { reason, .. } = &program.graph.nodes[0].action else { panic!("known") };
    assert_eq!(reason, "the layer `Rotate` is not modelled");
    let odd = dense("d", &["x"]).replace(r#""units""#, r#""twist": 3, "units""#);
    let program = read("odd", &functional(&[odd], "d")).expect("a model");
    let Action::Unknown { reason, .. } = &program.graph.nodes[0].action else { panic!("known") };
    assert_eq!(reason, "what `twist` of `Dense` means is not modelled");
}

#[test]
fn an_argument_of_the_wrong_kind_is_a_fault() {
    let text = dense("d", &["x"]).replace(r#""units": 4"#, r#""units": "four""#);
    let program = read("kind", &functional(&[text], "d")).expect("a model");
    let faults = &program.graph.nodes[0].faults;
    assert_eq!(
        (faults[0].label.as_str(), faults[0].detail.as_str()),
        ("`units` is an integer", "it is \"four\"")
    );
}

#[test]
fn a_layer_may_be_called_on_nothing() {
    // One for each way in which masks are carried on.
    for class in ["Dense", "LSTM", "Add", "Concatenate", "GlobalAveragePooling1D", "Embedding", "Attention"] {
        let call = r#"{"args": [], "kwargs": {}}"#;
        let layer =
            format!(r#"{{"class_name": "{class}", "name": "a", "config": {{}}, "inbound_nodes": [{call}]}}"#);
        let program = read(&format!("nothing-{class}"), &functional(&[layer], "a")).expect("a model");
        assert!(classes(&program).contains(&("a", class)));
    }
}

#[test]
fn what_makes_no_sense_is_told() {
    let says = |name: &str, text: &str| read(name, text).err().unwrap_or_else(|| panic!("{text} is read"));
    assert!(says("empty", "").contains("not readable JSON"));
    assert!(says("list", "[1, 2]").contains("a layer is written"));
    assert!(says("other", r#"{"class_name": "Dense", "config": {}}"#).contains("is no model"));
    assert!(
        says("unbuilt", r#"{"class_name": "Sequential", "config": {"layers": [{"class_name": "Flatten"}]}}"#)
            .contains("never built")
    );
    let circle = functional(&[dense("a", &["b"]), dense("b", &["a"])], "a");
    assert!(says("circle", &circle).contains("`a` needs `b`, which no layer gives"));
    assert!(
        says("output", &functional(&[dense("a", &["x"])], "z"))
            .contains("the output `z` is given by no layer")
    );
    let deep = (0..200).fold(dense("d", &[]), |inner, _| {
        format!(r#"{{"class_name": "Sequential", "config": {{"layers": [{INPUT}, {inner}]}}}}"#)
    });
    let deep = says("deep", &deep);
    assert!(deep.contains("nested too deeply") || deep.contains("nesting depth"), "{deep}");
}

/// What a file leaves out is missed, never looked up blindly.
#[test]
fn a_tensor_without_a_description_is_no_crash() {
    let text = r#"{"class_name": "Functional", "config": {"name": "f", "layers": [
        {"class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 2], "name": "x"}, "inbound_nodes": []},
        {"class_name": "Dense", "name": "d", "config": {"units": 3, "name": "d"},
         "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__"}], "kwargs": {}}]}],
        "input_layers": [["x", 0, 0]], "output_layers": [["d", 0, 0]]}}"#;
    let program = read("no_description", text).expect("a program");
    assert!(program.graph.nodes.iter().any(|node| node.place.node == "d"));
}

#[test]
fn a_model_at_each_time_is_its_layers_at_each_time() {
    let inner = format!(
        r#"{{"class_name": "Sequential", "name": "eye", "config": {{"layers": [{INPUT}, {}, {}]}}}}"#,
        dense("a", &[]),
        dense("b", &[])
    );
    let timed = format!(
        r#"{{"class_name": "TimeDistributed", "name": "t", "config": {{"name": "t", "layer": {inner}}}}}"#
    );
    let input = INPUT.replace("[null, 8]", "[null, 5, 8]");
    let text = format!(r#"{{"class_name": "Sequential", "config": {{"layers": [{input}, {timed}]}}}}"#);
    let program = read("timed", &text).expect("a model");
    assert_eq!(classes(&program), [("t/a", "TimeDistributed"), ("t/b", "TimeDistributed")]);
}

/// What has no effect on one prediction, and makes Keras refuse the model all the same.
#[test]
fn states_that_are_kept_are_looked_at() {
    let said = |name: &str, text: &str| -> Vec<String> {
        let program = read(name, text).expect("a model");
        let faults = program.graph.nodes.iter().flat_map(|node| &node.faults);
        faults.map(|fault| fault.label.clone()).collect()
    };
    let kept = |batch: &str| {
        format!(r#"[{{"input": [{batch}, 5, 3]}}, {{"layer": "LSTM", "units": 2, "stateful": true}}]"#)
    };
    assert_eq!(said("open", &kept("null")), ["the batch is known to a layer that keeps its state"]);
    assert!(said("known", &kept("4")).is_empty());
}
