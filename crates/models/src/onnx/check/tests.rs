//! Each case is a model in the text format and the problems it must show, in order; none means it is sound.

use std::path::Path;

use bytes::Bytes;

use crate::onnx::{check, from_bytes};

fn problems(source: &str) -> Vec<String> {
    let header = "<ir_version: 10, opset_import: [\"\" : 21]> ";
    let text = if source.starts_with('<') { source.to_owned() } else { format!("{header}{source}") };
    let model = from_bytes(Bytes::from(text), Path::new("test.onnxtxt")).expect("the test model parses");
    check(&model).iter().map(ToString::to_string).collect()
}

#[test]
fn sound_models_have_no_problems() {
    for source in [
        "g (float[N] x) => (float[N] y) { y = Relu (x) }",
        // An input, or a constant, may be an output.
        "g (float[2] x) => (float[2] x, float[2] w) <float[2] w = {1, 2}> { }",
        // An initialiser may give an input its default, and constants may shadow outer names.
        "g (float[2] x = {1, 2}, bool c) => (float[2] y) { y = If (c) <
            then_branch = a () => (float[2] p) <float[2] x = {3, 4}> { p = Neg (x) },
            else_branch = b () => (float[2] p) { p = Neg (x) }> }",
        // Left-out inputs and outputs have empty names.
        "g (float[2] x) => (float[2] y) { \"\", y = Split (x, \"\")  z, \"\" = Split (x) }",
        "<ir_version: 10, opset_import: [\"ai.onnx\" : 21, \"my\" : 1]>
         g (float[2] x) => (float[2] y) { y = my.f <a = 1> (x) }
         <domain: \"my\", opset_import: [\"\" : 21]> f <a, b: int = 2> (x) => (y) { y = Flatten <axis: int = @b> (x) }",
    ] {
        assert_eq!(problems(source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn each_problem_is_named_with_its_place() {
    for (source, expected) in [
        (
            "g (float[N] input) => (float[N] y) { [first] y = Relu (inptu) }",
            "node 0 (Relu `first`): the input `inptu` is not defined; did you mean `input`?",
        ),
        (
            "g (float[2] x, float[3] x) => (float[2] y) { y = Relu (x) }",
            "graph: the name `x` is an input twice",
        ),
        (
            "g (float[2] x) => (float[2] y) { y = Relu (x)  y = Neg (x) }",
            "node 1 (Neg): the name `y` is already defined by node 0 (Relu)",
        ),
        (
            "g (float[2] x) => (float[2] y) { y, y = Split (x) }",
            "node 0 (Split): the name `y` is already defined by the same node",
        ),
        (
            "g (float[2] x) => (float[2] y) { [n] y = Relu (x)  [n] z = Neg (x) }",
            "node 1 (Neg `n`): another node has the same name",
        ),
        (
            "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Relu (x)  w = Neg (x) }",
            "node 1 (Neg): the name `w` is already defined as an input or initialiser",
        ),
        (
            "g (float[2] x) => (float[2] y) { y = Relu (z)  z = Neg (x) }",
            "node 0 (Relu): the input `z` is computed later, by node 1 (Neg); nodes must be sorted",
        ),
        (
            "g (float[2] x) => (float[2] y) { y = Add (x, z)  z = Neg (y) }",
            "node 0 (Add): the nodes wait for each other: node 0 (Add), which needs node 1 (Neg), which needs node 0 (Add)",
        ),
        (
            "g (float[2] x) => (float[2] y) { y = Add (x, y) }",
            "node 0 (Add): the nodes wait for each other: node 0 (Add), which needs node 0 (Add)",
        ),
        (
            "g (float[2] x) => (float[2] y) { y = Relu (x)  z = my.Op (y)  w = my.Op (z) }",
            "node 1 (Op): the model imports no operator set for the domain `my`",
        ),
        (
            "g (float[2] x) => (float[2] result) { reslut = Relu (x) }",
            "graph: the graph output `result` is not computed by any node; did you mean `reslut`?",
        ),
        (
            "g (float[2] x) => (float[2] y) <float[3] w = {1, 2}> { y = Add (x, w) }",
            "initialiser `w`: the shape [3] needs 3 elements, but float_data has 2 entries",
        ),
        (
            "g (float[2] x) => (float[2] y) <float[4611686018427387904, 8] w = {1}> { y = Add (x, w) }",
            "initialiser `w`: the number of elements of [4611686018427387904,8] overflows",
        ),
        (
            "g (float[2] x) => (float[2] y) <float[-2] w = {1, 2}> { y = Add (x, w) }",
            "initialiser `w`: dimension -2 of [-2] is negative",
        ),
        ("g (float[N, -3] x) => (float[2] y) { y = Relu (x) }", "value `x`: the size -3 is negative"),
        (
            "g (float[4611686018427387904, N, 4] x) => (float[2] y) { y = Relu (x) }",
            "value `x`: the sizes [4611686018427387904,4] have too large a product",
        ),
        ("g (x) => (float[2] y) { y = Relu (x) }", "value `x`: the graph input has no type"),
        (
            "g (float[2] x) => (float[2] y) { y = Elu <alpha = 1.0, alpha = 2.0> (x) }",
            "node 0 (Elu): the attribute `alpha` is given twice",
        ),
        (
            "g (float[2] x) => (float[2] y) { y = Elu <alpha: float = @a> (x) }",
            "node 0 (Elu), attribute `alpha`: `@a` refers to an attribute of a function, but stands outside of any",
        ),
        ("g () => () { = Print () }", "node 0 (Print): the node has neither inputs nor outputs"),
        (
            "<opset_import: [\"\" : 21]> g (float[2] x) => (float[2] y) { y = Relu (x) }",
            "model: the version of the file format is missing",
        ),
        (
            "<ir_version: 10, opset_import: [\"\" : 21, \"ai.onnx\" : 20]> g (float[2] x) => (float[2] y) { y = Relu (x) }",
            "model: opset of domain `ai.onnx` is imported as version 21 and 20",
        ),
    ] {
        assert_eq!(problems(source), [expected], "{source}");
    }
}

#[test]
fn subgraphs_see_what_is_computed_before_their_node() {
    let branch = |body: &str, after: &str| {
        format!(
            "g (float[2] x, bool c) => (float[2] y) {{
                early = Relu (x)
                y = If (c) <then_branch = a () => (float[2] p) {{ {body} }}, else_branch = b () => (float[2] q) {{ q = Neg (early) }}>
                {after}
            }}"
        )
    };
    assert_eq!(problems(&branch("p = Add (x, early)", "")), Vec::<String>::new());
    assert_eq!(
        problems(&branch("p = Add (x, late)", "late = Neg (x)")),
        [
            "node 1 (If), attribute `then_branch`, node 0 (Add): the input `late` is computed later, by node 2 (Neg); nodes must be sorted"
        ]
    );
    assert_eq!(
        problems(&branch("p = Add (x, late)", "late = Neg (y)")),
        [
            "node 1 (If), attribute `then_branch`, node 0 (Add): the nodes wait for each other: node 1 (If), which needs node 2 (Neg), which needs node 1 (If)"
        ]
    );
    assert_eq!(
        problems(&branch("p = Add (x, q)", "")),
        ["node 1 (If), attribute `then_branch`, node 0 (Add): the input `q` is not defined"]
    );
    assert_eq!(
        problems(&branch("early = Neg (x) p = Neg (early)", "")),
        [
            "node 1 (If), attribute `then_branch`, node 0 (Neg): the name `early` is already defined outside this graph"
        ]
    );
    assert_eq!(
        problems(
            "g (float[2] x, bool c) => (float[2] y) { y = If (c) <then_branch = a () => (float[2] x) { }> }"
        ),
        [
            "node 0 (If), attribute `then_branch`: the graph output `x` is a value from outside; an Identity node must pass it on"
        ]
    );
}

#[test]
fn functions_are_checked_like_graphs() {
    let with_function = |functions: &str| {
        problems(&format!(
            "<ir_version: 10, opset_import: [\"\" : 21, \"my\" : 1]> g (float[2] x) => (float[2] y) {{ y = my.f (x) }} {functions}"
        ))
    };
    let header = "<domain: \"my\", opset_import: [\"\" : 21, \"my\" : 1]>";
    for (functions, expected) in [
        (
            format!("{header} f (x) => (y) {{ y = my.g (x) }} {header} g (x) => (y) {{ y = my.f (x) }}"),
            "function `f`: the function calls itself, through `g`, `f`",
        ),
        (
            format!("{header} f (x) => (y) {{ y = my.f (x) }}"),
            "function `f`: the function calls itself, through `f`",
        ),
        (
            format!("{header} f (x) => (y) {{ y = Relu (x) }} {header} f (x) => (y) {{ y = Neg (x) }}"),
            "function `f`: the function is defined twice",
        ),
        (
            format!("{header} f (x) => (y) {{ z = Relu (x) }}"),
            "function `f`: the function output `y` is not computed by any node",
        ),
        (
            format!("{header} f (x) => (y) {{ y = Elu <alpha: float = @a> (x) }}"),
            "function `f`, node 0 (Elu), attribute `alpha`: the function has no attribute `a`",
        ),
        (
            format!("{header} f <a, a> (x) => (y) {{ y = Relu (x) }}"),
            "function `f`: the attribute `a` is declared twice",
        ),
        (
            "<domain: \"my\", opset_import: [\"my\" : 1]> f (x) => (y) { y = Relu (x) }".to_owned(),
            "function `f`, node 0 (Relu): the function imports no operator set for the domain `ai.onnx`",
        ),
    ] {
        assert_eq!(with_function(&functions), [expected], "{functions}");
    }
}

#[test]
fn functions_that_explode_are_refused() {
    let header = "<domain: \"my\", opset_import: [\"\" : 21, \"my\" : 1]>";
    let main =
        "<ir_version: 10, opset_import: [\"my\" : 1]> g (float[2] x) => (float[2] y) { y = my.f0 (x) }";
    let doubling: String = (0..60)
        .map(|i| format!("{header} f{i} (x) => (y) {{ a = my.f{} (x) y = my.f{} (a) }}\n", i + 1, i + 1))
        .collect();
    let last = format!("{header} f60 (x) => (y) {{ y = Relu (x) }}");
    assert_eq!(
        problems(&format!("{main} {doubling} {last}")),
        ["model: expanding the functions would give more than 10000000 nodes"]
    );
    let chain: String =
        (0..150).map(|i| format!("{header} f{i} (x) => (y) {{ y = my.f{} (x) }}\n", i + 1)).collect();
    let last = format!("{header} f150 (x) => (y) {{ y = Relu (x) }}");
    assert_eq!(
        problems(&format!("{main} {chain} {last}")),
        ["model: functions call each other more than 100 levels deep"]
    );
}

#[test]
fn complaints_are_limited() {
    let nodes: String = (0..5000).map(|i| format!("y{i} = Relu (undefined{i})\n")).collect();
    let found = problems(&format!("g (float[2] x) => () {{ {nodes} }}"));
    assert_eq!(found.len(), 1001);
    assert_eq!(found[1000], "model: 4000 more problems are not shown");
}
