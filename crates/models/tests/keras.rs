//! Keras architectures: what is read, and what is said of files that make no sense.

use models::keras;
use program::ir::{Action, Declared, Program, Size};
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
    assert!(says("late", &late).contains("the model gives what call 4 of `a` gives, and it is called once"));
    let never = functional(&[dense("a", &[]), dense("b", &["a"])], "b");
    assert!(says("never", &never).contains("the layer `b` needs `a`, which is never called"));
    let deep = (0..200).fold(dense("d", &[]), |inner, _| {
        format!(r#"{{"class_name": "Sequential", "config": {{"layers": [{INPUT}, {inner}]}}}}"#)
    });
    let deep = says("deep", &deep);
    assert!(deep.contains("nested too deeply") || deep.contains("nesting depth"), "{deep}");
}

/// A layer as Keras 3 writes it, called on what the text says.
fn layer(class: &str, config: &str, args: &str, kwargs: &str) -> String {
    format!(
        r#"{{"module": "keras.layers", "class_name": "{class}", "name": "l", "config": {{"name": "l", {config}}},
            "inbound_nodes": [{{"args": [{args}], "kwargs": {kwargs}}}]}}"#
    )
}

const X: &str = r#"{"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}"#;

/// What is wrong with the last layer on its own.
fn wrong(text: &str) -> Vec<String> {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let number = BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
    let program = read(&format!("wrong-{number}"), text).unwrap_or_else(|message| panic!("{message}"));
    program.graph.nodes.iter().flat_map(|node| &node.faults).map(|fault| fault.label.clone()).collect()
}

#[test]
fn null_is_taken_where_keras_takes_it() {
    let one =
        |class: &str, config: &str, kwargs: &str| wrong(&functional(&[layer(class, config, X, kwargs)], "l"));
    for kwargs in [r#"{"training": true, "mask": null}"#, r#"{"training": null}"#, "{}"] {
        assert_eq!(one("BatchNormalization", r#""axis": -1"#, kwargs), Vec::<String>::new());
        let layers = r#""layers": [{"class_name": "ReLU", "config": {}}]"#;
        assert_eq!(one("Pipeline", layers, kwargs), Vec::<String>::new());
    }
    let unknown = ["every argument is one that the layer has"];
    assert_eq!(one("Dense", r#""units": 3"#, r#"{"mask": null}"#), unknown);
    assert_eq!(one("BatchNormalization", r#""axis": -1"#, r#"{"foo": null}"#), unknown);
    let conv =
        |argument: &str| one("Conv1D", &format!(r#""filters": 2, "kernel_size": 1, {argument}"#), "{}");
    assert_eq!(conv(r#""strides": null"#), ["`strides` is an integer or a list of them"]);
    assert_eq!(conv(r#""groups": null"#), ["`groups` is an integer"]);
    assert_eq!(conv(r#""padding": null"#), ["`padding` is a name"]);
    assert_eq!(conv(r#""data_format": null, "activation": null, "use_bias": null"#), Vec::<String>::new());
    assert_eq!(one("MaxPooling2D", r#""strides": null"#, "{}"), Vec::<String>::new());
}

#[test]
fn both_ends_of_axes_are_said_in_pairs() {
    let one = |class: &str, config: &str| wrong(&functional(&[layer(class, config, X, "{}")], "l"));
    for (class, argument) in
        [("Cropping2D", "cropping"), ("ZeroPadding2D", "padding"), ("ZeroPadding3D", "padding")]
    {
        for taken in ["1", "[1, 2]", "[[1, 2], [0, 0]]", "[[1, 2], 3]"] {
            assert_eq!(one(class, &format!(r#""{argument}": {taken}"#)), Vec::<String>::new(), "{taken}");
        }
        for refused in ["[1, 2, 0, 0]", "[1, 2, 0, 0, 1, 1]", "[[1, 2]]", "[[1], [2]]", "[1.0, 2.0]", "null"]
        {
            assert_eq!(one(class, &format!(r#""{argument}": {refused}"#)).len(), 1, "{refused}");
        }
    }
}

#[test]
fn lists_of_tensors_are_lists() {
    let one = |class: &str, args: &str| {
        wrong(&functional(&[layer(class, r#""dtype": "float32""#, args, "{}")], "l"))
    };
    for class in ["Add", "Concatenate", "Maximum", "Attention"] {
        assert_eq!(one(class, X), ["the layer is called on a list of tensors"], "{class}");
        assert_eq!(one(class, &format!("[{X}, {X}]")), Vec::<String>::new(), "{class}");
    }
    assert_eq!(one("Add", &format!("[{X}]")), Vec::<String>::new());
}

#[test]
fn sequences_are_checked_as_lists() {
    let sequence = |layers: &[&str]| {
        let input = r#"{"class_name": "InputLayer", "config": {"batch_shape": [null, 5, 4], "name": "x"}}"#;
        format!(r#"{{"class_name": "Sequential", "config": {{"layers": [{input}, {}]}}}}"#, layers.join(", "))
    };
    let dense = r#"{"class_name": "Dense", "config": {"name": "d", "units": 3}}"#;
    let plain = r#"{"class_name": "Dense", "config": {"units": 3}}"#;
    let lstm = r#"{"class_name": "LSTM", "config": {"name": "l", "units": 3, "return_state": true}}"#;
    let add = r#"{"class_name": "Add", "config": {"name": "a"}}"#;
    let other = r#"{"class_name": "InputLayer", "config": {"batch_shape": [null, 4], "name": "y"}}"#;
    let program = read("sequence-plain", &sequence(&[plain, plain])).expect("a model");
    assert_eq!(classes(&program), [("dense", "Dense"), ("dense_1", "Dense")]);
    assert_eq!(wrong(&sequence(&[lstm])), Vec::<String>::new());
    let dropout = r#"{"class_name": "Dropout", "config": {"name": "p", "rate": 0.1}}"#;
    assert_eq!(wrong(&sequence(&[lstm, dropout])), Vec::<String>::new());
    assert_eq!(wrong(&sequence(&[lstm, dense])), ["a layer that takes one tensor is called on one"]);
    assert_eq!(wrong(&sequence(&[add])), ["the layer is called on a list of tensors"]);
    let says = |layers: &[&str]| read("sequence-wrong", &sequence(layers)).err().expect("no model");
    assert!(says(&[dense, dense]).contains("two layers of a Sequential model are called `d`"));
    assert!(says(&[dense, other]).contains("the input `y` stands after other layers"));
}

#[test]
fn inputs_and_entries_are_checked() {
    let with = |from: &str, to: &str| {
        let text = functional(&[dense("a", &["x"])], "a");
        assert!(text.contains(from), "{from}");
        read("entries", &text.replace(from, to)).err().unwrap_or_else(|| panic!("{to} is read"))
    };
    let module = r#""class_name": "InputLayer""#;
    let keras_3 = r#""module": "keras.layers", "class_name": "InputLayer""#;
    for sizes in ["[null, -8]", "[-1, 8]", "[null, 8.0]", "[null, [8]]"] {
        let message = with("[null, 8]", sizes);
        assert!(message.contains("sizes are whole numbers that are not negative, or null"), "{message}");
    }
    let text = functional(&[dense("a", &["x"])], "a").replace("[null, 8]", r#"[null, "8"]"#);
    let message = read("named", &text.replacen(module, keras_3, 1)).err().expect("no model");
    assert!(message.contains("the input `x` has \"8\" in its shape"), "{message}");
    assert!(with(r#""output_layers""#, r#""outputs""#).contains("a Functional model has `output_layers`"));
    assert!(with(r#""Dense", "name": "a", "#, r#""Dense", "#).contains("has no `name`"));
    assert!(with(r#""x""#, r#""i/x""#).contains("has a `/` in its name"));
    let huge = with(
        r#""keras_history": ["x", 0, 0]"#,
        r#""keras_history": ["x", 1000000000000000000000000000000, 0]"#,
    );
    assert!(huge.contains("of `x` gives, and it is called once"), "{huge}");
    let inner = r#"{"class_name": "Functional", "name": "inner", "config": null, "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}], "kwargs": {}}]}"#;
    let message = read("inner-null", &functional(&[inner.to_string()], "inner")).err().expect("no model");
    assert!(message.contains("`inner` has none"), "{message}");
}

#[test]
fn slips_have_a_hint() {
    let one = |class: &str, config: &str| {
        let text = functional(&[layer(class, config, X, "{}")], "l");
        let program = read(&format!("slip-{}", text.len()), &text).expect("a model");
        let faults: Vec<_> = program.graph.nodes.into_iter().flat_map(|node| node.faults).collect();
        (faults[0].detail.clone(), faults[0].mend.is_some())
    };
    assert_eq!(one("Dens", r#""units": 3"#), ("there is no `Dens`; did you mean `Dense`?".into(), false));
    assert_eq!(one("Dense", r#""unit": 3"#), ("it has no `unit`; did you mean `units`?".into(), true));
    let (detail, _) = one("Dense", r#""units": 1000000000000000000000000000000"#);
    assert_eq!(detail, "it is 1e+30");
}

/// What comes out of a layer whose meaning is not known is what the file records of it.
#[test]
fn what_is_recorded_of_unknown_layers_is_known() {
    let tensor = |from: &str, shape: &str| {
        format!(
            r#"{{"class_name": "__keras_tensor__", "config": {{"shape": {shape}, "dtype": "float32", "keras_history": ["{from}", 0, 0]}}}}"#
        )
    };
    let lambda = layer("Lambda", r#""arguments": {}"#, &tensor("x", "[null, 8]"), "{}");
    let dense = layer("Dense", r#""units": 3"#, &tensor("l", "[null, null, 4]"), "{}")
        .replace(r#""name": "l""#, r#""name": "d""#);
    let program = read("recorded", &functional(&[lambda, dense], "d")).expect("a model");
    let node = &program.graph.nodes[0];
    let Action::Unknown { reason, .. } = &node.action else { panic!("it is known") };
    assert!(reason.ends_with("; that it gives f32[batch, ?, 4] is what the file records"), "{reason}");
    let output = node.outputs[0].expect("an output");
    let Some(Declared::Tensor { sizes: Some(sizes), .. }) = program.declared(output) else {
        panic!("nothing")
    };
    assert_eq!(sizes.last(), Some(&Size::Known(4)));
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

/// Whether what a text describes is unknown, and why; nothing may be wrong with it.
fn unknown(name: &str, text: &str) -> Vec<String> {
    let program = read(name, text).expect("a model");
    assert!(program.graph.nodes.iter().all(|node| node.faults.is_empty()), "{name}: a fault");
    let reasons = program.graph.nodes.iter().filter_map(|node| match &node.action {
        Action::Unknown { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    reasons.collect()
}

#[test]
fn functions_of_ones_own_are_unknown_as_layers_are() {
    let with = |activation: &str| {
        let config = format!(r#""units": 3, "activation": {activation}"#);
        functional(&[layer("Dense", &config, X, "{}")], "l")
    };
    let registered = r#"{"module": "builtins", "class_name": "function", "config": "mine>act", "registered_name": "function"}"#;
    let plain =
        r#"{"module": "builtins", "class_name": "function", "config": "act", "registered_name": "function"}"#;
    let code =
        r#"{"class_name": "__lambda__", "config": {"code": "4wEAAAA", "defaults": null, "closure": null}}"#;
    for (name, activation, own) in [
        ("registered", registered, "mine>act"),
        ("plain", plain, "act"),
        ("former", "\"mine>act\"", "mine>act"),
        ("code", code, "__lambda__"),
    ] {
        let reasons = unknown(name, &with(activation));
        assert_eq!(reasons, [format!("`{own}`, which is the `activation`, is a function of the user's own")]);
    }
    let known = r#"{"module": "builtins", "class_name": "function", "config": "relu", "registered_name": "function"}"#;
    assert_eq!(unknown("known", &with(known)), Vec::<String>::new());
    assert_eq!(unknown("misspelt", &with("\"relu\"")), Vec::<String>::new());
}

#[test]
fn flags_are_what_python_takes_for_true() {
    let one = |config: &str| {
        wrong(&functional(&[layer("Dense", &format!(r#""units": 3, {config}"#), X, "{}")], "l"))
    };
    for flag in ["true", "1", "0", "\"yes\"", "null", "0.0"] {
        assert_eq!(one(&format!(r#""use_bias": {flag}"#)), Vec::<String>::new(), "{flag}");
    }
    assert_eq!(one(r#""use_bias": [true]"#), ["`use_bias` is true or false"]);
}

#[test]
fn an_axis_in_a_list_is_that_axis_in_older_files() {
    let norm = |module: &str| {
        let layer = layer("BatchNormalization", r#""axis": [1]"#, X, "{}");
        functional(&[layer.replace(r#""module": "keras.layers", "#, module)], "l")
    };
    assert_eq!(wrong(&norm("")), Vec::<String>::new());
    assert_eq!(wrong(&norm(r#""module": "keras.layers", "#)), ["`axis` is an integer"]);
    // A layer inside another one is read the same way.
    let inner = r#""layer": {"class_name": "BatchNormalization", "config": {"axis": [1]}}"#;
    let around = layer("TimeDistributed", inner, X, "{}").replace(r#""module": "keras.layers", "#, "");
    assert_eq!(wrong(&functional(&[around], "l")), Vec::<String>::new());
}

#[test]
fn what_is_wrong_is_told_beside_what_is_unknown() {
    let config = r#""axis": -1, "num_heads": 2, "renorm": true"#;
    let faults = wrong(&functional(&[layer("BatchNormalization", config, X, "{}")], "l"));
    assert_eq!(faults, ["every argument is one that the layer has"]);
}

#[test]
fn what_has_the_wrong_kind_has_a_mend() {
    let one = |config: &str| {
        let text = functional(&[layer("Conv1D", config, X, "{}")], "l");
        let program = read(&format!("mend-{}", config.len()), &text).expect("a model");
        let mut faults = program.graph.nodes.into_iter().flat_map(|node| node.faults);
        let fault = faults.next().expect("a fault");
        (fault.label, fault.mend.map(|mend| mend.given.is_some()))
    };
    assert_eq!(one(r#""filters": [3], "kernel_size": 1"#), ("`filters` is an integer".into(), Some(true)));
    assert_eq!(one(r#""filters": {}, "kernel_size": 1"#), ("`filters` is an integer".into(), None));
    assert_eq!(
        one(r#""filters": 3, "kernel_size": 1, "groups": null"#),
        ("`groups` is an integer".into(), Some(false))
    );
}

#[test]
fn operations_have_their_own_arguments_and_no_others() {
    let one = |config: &str| {
        let layer = layer("Sum", config, X, "{}").replace("keras.layers", "keras.src.ops.numpy");
        wrong(&functional(&[layer], "l"))
    };
    assert_eq!(one(r#""axis": 1, "keepdims": false"#), Vec::<String>::new());
    for config in [r#""axis": 1, "dtype": "float32""#, r#""axis": 1, "use_bias": null"#] {
        assert_eq!(one(config), ["every argument is one that the layer has"], "{config}");
    }
    // What has no meaning here is left as it is where a file says no more than that.
    let converted = layer("ConvertToTensor", r#""dtype": "bool", "sparse": null, "ragged": false"#, X, "{}")
        .replace("keras.layers", "keras.src.ops.core");
    assert_eq!(wrong(&functional(&[converted], "l")), Vec::<String>::new());
}

#[test]
fn an_input_may_be_declared_twice_and_no_other_layer() {
    let twice = functional(&[INPUT.to_string(), dense("a", &["x"])], "a");
    assert_eq!(classes(&read("input-twice", &twice).expect("a model")), [("a", "Dense")]);
    let other = functional(&[dense("x", &["x"])], "x");
    assert!(
        read("input-and-layer", &other).err().is_some_and(|why| why.contains("two layers are called `x`"))
    );
}
