//! What the text format means, and where its errors point.

use std::path::Path;

use bytes::Bytes;

use super::{MAX_DEPTH, parse_model};
use crate::onnx::{AttributeValue, DimSpec, Graph, Model, Name, TensorView, ValueType, from_bytes};

fn model(source: &str) -> Model {
    match from_bytes(Bytes::from(source.to_owned()), Path::new("test.onnxtxt")) {
        Ok(model) => model,
        Err(error) => panic!("{error}\n{source}"),
    }
}

fn error(source: &str) -> String {
    parse_model(source.as_bytes(), Path::new("m.onnxtxt")).expect_err(source).to_string()
}

fn initializer<'g>(graph: &'g Graph, name: &str) -> &'g TensorView {
    graph.initializers.iter().find(|tensor| &*tensor.name == name).expect("an initialiser of this name")
}

#[test]
fn header_inputs_constants_and_nodes() {
    let model = model(
        r#"
        # a comment
        <ir_version: 10, opset_import: ["" : 21, "my.ops" : 2], producer_name: "hand", metadata_props: ["a": "b", "c\"d": "e\\"]>
        "main graph" (float[N, 3, ?, "H/2"] x, int64 k = {3}, float[] any) => (float[N] y)
        <float[2] w = {1, -2.5e-1}, float16[M] inner>
        {
            [conv] y, "out 2", = my.ops.Thing:variant <axis = -1> (x, , w,)
            = Print (x) <level = 2>
        }
        "#,
    );
    assert_eq!(model.ir_version, 10);
    assert_eq!(model.opsets.into_iter().collect::<Vec<_>>(), [("".into(), 21), ("my.ops".into(), 2)]);
    assert_eq!(model.metadata[1], ("c\"d".to_owned(), "e\\".to_owned()));
    let graph = &model.graph;
    assert_eq!(graph.name, "main graph");
    let dims =
        vec![DimSpec::Named("N".into()), DimSpec::Known(3), DimSpec::Unknown, DimSpec::Named("H/2".into())];
    assert_eq!(graph.inputs[0].value_type, Some(ValueType::Tensor { elem_type: 1, dims: Some(dims) }));
    assert_eq!(graph.inputs[1].value_type, Some(ValueType::Tensor { elem_type: 7, dims: Some(vec![]) }));
    assert_eq!(graph.inputs[2].value_type, Some(ValueType::Tensor { elem_type: 1, dims: None }));
    assert_eq!(initializer(graph, "k").ints(), Ok(vec![3]));
    assert_eq!(initializer(graph, "w").floats(), Ok(vec![1.0, -0.25]));
    assert_eq!(&*graph.value_infos[0].name, "inner");
    let node = &graph.nodes[0];
    assert_eq!((&*node.name, &*node.op_type), ("conv", "Thing"));
    assert_eq!((&*node.domain, &*node.overload), ("my.ops", "variant"));
    assert_eq!(node.outputs, ["y", "out 2"].map(Name::from));
    assert_eq!(node.inputs, ["x", "", "w"].map(Name::from));
    assert!(matches!(node.attribute("axis"), Some(AttributeValue::Int(-1))));
    assert!(graph.nodes[1].outputs.is_empty());
    assert!(matches!(graph.nodes[1].attribute("level"), Some(AttributeValue::Int(2))));
}

#[test]
fn every_kind_of_attribute() {
    let rendered = |value: &str| {
        let model = model(&format!("<ir_version: 10> g () => () {{ y = Op <a{value}> () }}"));
        let attribute = model.graph.nodes[0].attribute("a").map(|value| format!("{value:?}"));
        attribute.unwrap_or_default()
    };
    for (value, expected) in [
        (" = 3", "Int(3)"),
        (" = -9223372036854775808", "Int(-9223372036854775808)"),
        (" = 1.5", "Float(1.5)"),
        (" = 1e3", "Float(1000.0)"),
        (" = -inf", "Float(-inf)"),
        (" = NaN", "Float(NaN)"),
        (": float = 2", "Float(2.0)"),
        (" = \"a\\\"b\\\\\"", r#"String(b"a\"b\\")"#),
        (": ints = []", "Ints([])"),
        (" = [1, -2]", "Ints([1, -2])"),
        (": floats = [1, 2.5]", "Floats([1.0, 2.5])"),
        (" = [\"a\", \"b\"]", "Strings([b\"a\", b\"b\"])"),
        (": string = @s", "Reference(\"s\")"),
        (" = seq(float[N])", "Type(Sequence(Some(Tensor { elem_type: 1, dims: Some([Named(\"N\")]) })))"),
        (
            " = map(int64, string)",
            "Type(Map { key_type: 7, value: Some(Tensor { elem_type: 8, dims: Some([]) }) })",
        ),
        (
            ": type_protos = [float, optional(bool[])]",
            "Types([Tensor { elem_type: 1, dims: Some([]) }, Optional(Some(Tensor { elem_type: 9, dims: None }))])",
        ),
        (" = sparse_tensor(float[3])", "Type(Sparse { elem_type: 1, dims: Some([Known(3)]) })"),
        (" = opaque(my.domain, name)", "Type(Opaque { domain: \"my.domain\", name: \"name\" })"),
        (
            " = int64[2] {1, 2}",
            "Tensor(TensorView { name: \"\", elem_type: 7, dims: [2], source: Int64([1, 2]) })",
        ),
        (
            " = string named = {\"s\"}",
            "Tensor(TensorView { name: \"named\", elem_type: 8, dims: [], source: Strings([b\"s\"]) })",
        ),
        (
            " = uint64[1] {18446744073709551615}",
            "Tensor(TensorView { name: \"\", elem_type: 13, dims: [1], source: UInt64([18446744073709551615]) })",
        ),
        (
            ": tensors = [double {0.1}, bool[0] {}]",
            "Tensors([TensorView { name: \"\", elem_type: 11, dims: [], source: Double([0.1]) }, TensorView { name: \"\", elem_type: 9, dims: [0], source: Nothing }])",
        ),
    ] {
        assert_eq!(rendered(value), expected, "{value}");
    }
    for value in [" = body () => () { }", " = \"a body\" () => () { }", ": graph = \"a body\" () => () { }"] {
        assert!(rendered(value).starts_with("Graph(Graph { name: "), "{value}");
    }
    assert!(rendered(": graphs = [a () => () {}, b () => () {}]").starts_with("Graphs([Graph"));
}

#[test]
fn functions_with_attributes_and_types() {
    let model = model(
        r#"<ir_version: 10> g () => () { }
        <domain: "my", overload: "v2", opset_import: ["" : 21], doc_string: "twice">
        twice <scale, axis: int = 1> (float[N] x, y) => (z) <float[N] t> { t = Add (x, y) z = Mul (t, t) }
        plain (x) => (y) { y = Relu (x) }"#,
    );
    let function = &model.functions[0];
    assert_eq!((&*function.id.domain, &*function.id.overload), ("my", "v2"));
    assert_eq!(function.attributes, ["scale"].map(Name::from));
    assert_eq!(&*function.attribute_defaults[0].name, "axis");
    assert_eq!(function.inputs, ["x", "y"].map(Name::from));
    assert_eq!(function.value_infos.iter().map(|info| &*info.name).collect::<Vec<_>>(), ["x", "t"]);
    assert_eq!(function.nodes.len(), 2);
    assert_eq!(&*model.functions[1].id.name, "plain");
}

#[test]
fn external_data() {
    let model = model(r#"g () => () <float[2] w = ["location": "w.bin", "offset": "8", "length": "8"]> { }"#);
    assert!(
        format!("{:?}", model.graph.initializers[0].source)
            .contains("location: \"w.bin\", offset: 8, length: Some(8)")
    );
}

#[test]
fn errors_say_where_and_what() {
    for (source, expected) in [
        ("<ir_version 10> g () => () { }", "1:13: expected `:`, found `1`"),
        ("<colour: 10> g () => () { }", "1:2: `colour` is not a header field of a model"),
        ("g (float[2 x) => () { }", "1:12: expected `]`, found `x`"),
        ("g (float[2] x) = () { }", "1:16: expected `=>`, found `=`"),
        ("g (float[2] x) => ()\n{\n  y = Relu (x\n}", "4:1: expected `)`, found `}`"),
        ("g () => () { y = Relu (x)", "1:26: expected `=`, found the end of the file"),
        ("g () => () { \"é\" = 1", "1:20: expected an operator, found `1`"),
        ("g () => () { y = Op <a = \"x> () }", "1:26: unfinished string"),
        ("g () => () { y = Op <a = []> () }", "1:26: an empty list needs a type, such as `: ints`"),
        ("g () => () { y = Op <a: int = [1]> () }", "1:31: int is one value, not a list"),
        ("g () => () { y = Op <a: int = 1.5> () }", "1:31: expected int, found float"),
        ("g () => () { y = Op <a = [1, \"x\"]> () }", "1:30: expected ints, found strings"),
        ("g () => () { y = Op <a: thing = 1> () }", "1:25: expected an attribute type, found `thing`"),
        (
            "g () => () { y = Op <a = 9223372036854775808> () }",
            "1:26: the number 9223372036854775808 is malformed or out of range",
        ),
        ("g () => () { y = Op <a = 1e> () }", "1:26: the number 1e is malformed or out of range"),
        ("g () => () { y = Op <a = 1e99> () }", "1:26: the number 1e99 is malformed or out of range"),
        ("g () => () <int8[1] w = {3000000000}> { }", "1:26: the integer 3000000000 is out of range"),
        ("g () => () <int64[1] w = {1.5}> { }", "1:27: expected an integer, found a float"),
        ("g () => () <float[N] w = {1}> { }", "1:26: the sizes of a constant must be numbers"),
        ("g () => () <w = {1}> { }", "1:17: the constant `w` needs a type"),
        ("g () => () <seq(float) w = {1}> { }", "1:28: a constant needs a tensor type"),
        (
            "g () => () <float[2] w = ...> { }",
            "1:26: expected `{` with values or `[` with the place of external data, found `.`",
        ),
        ("g (map(seq(float), float) x) => () { }", "1:8: expected a type, found `seq`"),
    ] {
        assert_eq!(error(source), format!("m.onnxtxt:{expected}"), "{source}");
    }
}

#[test]
fn nesting_is_limited_on_a_small_stack() {
    let graphs = |levels: usize| {
        let open = "g () => () { y = Op <a = ".repeat(levels);
        format!("{open} g () => () {{ }} {}", "> () }".repeat(levels))
    };
    let types =
        |levels: usize| format!("g ({}float{} x) => () {{ }}", "seq(".repeat(levels), ")".repeat(levels));
    let run = move || {
        assert!(parse_model(graphs(MAX_DEPTH).as_bytes(), Path::new("m")).is_ok());
        assert!(parse_model(types(MAX_DEPTH - 1).as_bytes(), Path::new("m")).is_ok());
        assert!(error(&graphs(100_000)).ends_with("nested deeper than 64 levels"));
        assert!(error(&types(100_000)).ends_with("nested deeper than 64 levels"));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}
