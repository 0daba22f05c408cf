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
    // What the first call has made, the second one is given.
    let calls = [("early", "Dense"), ("early", "weights"), ("early@2", "Dense"), ("late", "Dense")];
    assert_eq!(classes(&program), calls);
}

#[test]
fn a_model_inside_a_model_has_its_name_in_front() {
    let inner = functional(&[dense("d", &["x"])], "d");
    let call = r#"[{"args": [{"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}], "kwargs": {}}]"#;
    let inner = inner.replacen('{', &format!(r#"{{"name": "inner", "inbound_nodes": {call}, "#), 1);
    let program = read("nested", &functional(&[inner], "inner")).expect("a model");
    assert_eq!(classes(&program), [("inner/x", "InputLayer"), ("inner/d", "Dense")]);
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
    assert!(says("circle", &circle).contains("the layers `a`, `b` wait for each other: they are a circle"));
    assert!(
        says("output", &functional(&[dense("a", &["x"])], "z"))
            .contains("the model gives `z`, and there is no such layer")
    );
    let twice = functional(&[dense("a", &["x"]), dense("a", &["x"])], "a");
    assert!(says("twice", &twice).contains("two layers are called `a`"));
    let late = functional(&[dense("a", &["x"])], "a").replace(r#"["a", 0, 0]"#, r#"["a", 3, 0]"#);
    assert!(says("late", &late).contains("the model gives what call 4 of `a` gives, and there are 1"));
    let never = functional(&[dense("a", &[]), dense("b", &["a"])], "b");
    assert!(says("never", &never).contains("the layer `b` needs `a`, which is never called"));
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
    assert_eq!(
        classes(&program),
        [("t/x", "InputLayer"), ("t/a", "TimeDistributed"), ("t/b", "TimeDistributed")]
    );
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

/// The faults of a model, by the names of its layers.
fn faults(name: &str, text: &str) -> Vec<(String, String)> {
    let program = read(name, text).expect("a model");
    let of = |node: &program::ir::Node| -> Vec<(String, String)> {
        node.faults.iter().map(|fault| (node.place.node.clone(), fault.label.clone())).collect()
    };
    program.graph.nodes.iter().flat_map(of).collect()
}

/// What a file of Keras 3 says of its classes is closed; what it says of nothing may be a matter of the version.
#[test]
fn signatures_are_closed() {
    let keras = |text: String| text.replacen('{', r#"{"module": "keras.layers", "#, 1);
    let layer = keras(dense("d", &["x"]));
    let has =
        |name: &str, text: String| faults(name, &functional(&[text], "d")).pop().map(|(_, label)| label);
    let says = |label: &str| Some(label.to_string());
    assert_eq!(has("plain", layer.clone()), None);
    let untis = layer.replace(r#""units""#, r#""untis": 3, "units""#);
    assert_eq!(has("untis", untis), says("every argument is one that the layer has"));
    let twisted = layer.replace(r#""kwargs": {}"#, r#""kwargs": {"twist": 3}"#);
    assert_eq!(has("twisted", twisted), says("every argument is one that the layer has"));
    assert_eq!(has("class", layer.replace("Dense", "Dence")), says("the class is one of `keras.layers`"));
    assert_eq!(
        has("float", layer.replace(r#""units": 4"#, r#""units": 4.0"#)),
        says("`units` is an integer")
    );
    let policy = r#""dtype": {"class_name": "DTypePolicy", "config": {"name": "float17"}}, "units""#;
    let policy = layer.replace(r#""units""#, policy);
    assert_eq!(has("policy", policy), says("`dtype` is an element type or a policy"));
    let beyond = functional(std::slice::from_ref(&layer), "d").replace(r#"["d", 0, 0]"#, r#"["d", 0, 2]"#);
    assert_eq!(faults("beyond", &beyond)[0].1, "what is used of a layer is what it gives");
    // A model that predicts tells its layers itself that they are not trained.
    assert_eq!(has("training", layer.replace(r#""kwargs": {}"#, r#""kwargs": {"training": true}"#)), None);
}

/// Layers have one set of weights: that of `build_config`, or that of the first call.
#[test]
fn weights_are_those_that_were_made_first() {
    let built = dense("d", &["x"]).replacen('{', r#"{"build_config": {"input_shape": [null, 9]}, "#, 1);
    let program = read("built", &functional(&[built], "d")).expect("a model");
    let sizes: Vec<&[i64]> = program.graph.constants.iter().map(|(_, constant)| &*constant.sizes).collect();
    assert_eq!(sizes, [&[9i64, 4][..], &[4]]);
}

#[test]
fn a_model_is_called_on_as_many_tensors_as_it_has_inputs() {
    let tensor = r#"{"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}"#;
    let call = format!(r#"[{{"args": [[{tensor}, {tensor}]], "kwargs": {{}}}}]"#);
    let inner = functional(&[dense("d", &["x"])], "d");
    let inner = inner.replacen('{', &format!(r#"{{"name": "inner", "inbound_nodes": {call}, "#), 1);
    let said = read("too_many", &functional(&[inner], "inner")).err().unwrap_or_default();
    assert!(said.contains("the model `inner` has 1 inputs, and is called on 2 tensors"), "{said}");
}

/// Operations of `keras.ops`, as Python's operators and brackets become them.
#[test]
fn operations_are_calls() {
    let operation = |class: &str, more: &str| {
        let tensor = r#"{"class_name": "__keras_tensor__", "config": {"shape": [null, 8], "keras_history": ["x", 0, 0]}}"#;
        let call = format!(r#"{{"args": [{tensor}, {more}], "kwargs": {{}}}}"#);
        format!(
            r#"{{"module": "keras.src.ops.numpy", "class_name": "{class}", "name": "o", "config": {{"name": "o"}}, "inbound_nodes": [{call}]}}"#
        )
    };
    let known = |name: &str, text: String| {
        let program = read(name, &functional(&[text], "o")).expect("a model");
        matches!(program.graph.nodes[0].action, Action::Call(_))
    };
    assert!(known("product", operation("Multiply", "2.0")));
    let slice = r#"[{"class_name": "__slice__", "config": {"start": null, "stop": null, "step": null}}, -1]"#;
    assert!(known("item", operation("GetItem", slice)));
    assert!(!known("other", operation("Histogram", "3")));
}

/// A layer as an activation is called on what the layer with it gives; a list of masks may have gaps.
#[test]
fn activations_may_be_layers() {
    let leaky = r#""activation": {"class_name": "LeakyReLU", "config": {"negative_slope": 0.3}}"#;
    let text = dense("d", &["x"]).replace(r#""activation": "relu""#, leaky);
    let program = read("leaky", &functional(&[text], "d")).expect("a model");
    assert_eq!(classes(&program), [("d", "Dense"), ("d/activation", "LeakyReLU")]);
}
