//! TensorFlow graphs that are broken by accident or on purpose: an error with its place, problems that are told, never
//! a panic.

use bytes::Bytes;
use models::graphdef::{self, Lowered};
use program::ir::Action;
use std::path::Path;

const GRAPH: &str = r#"
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "w" op: "Const" attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } dim { size: 2 } } tensor_content: "\000\000\200?\000\000\200?\000\000\200?\000\000\200?" } } } }
node { name: "y" op: "MatMul" input: "x" input: "w:0" input: "^w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "c" op: "Less" input: "y" input: "y" }
node { name: "s" op: "Switch" input: "y" input: "c" }
node { name: "t" op: "Neg" input: "s:1" }
node { name: "m" op: "Merge" input: "s" input: "t" }
node { name: "e" op: "Enter" input: "m" attr { key: "frame_name" value { s: "f" } } }
node { name: "l" op: "Merge" input: "e" input: "n" }
node { name: "k" op: "LoopCond" input: "c" }
node { name: "q" op: "Switch" input: "l" input: "k" }
node { name: "n" op: "NextIteration" input: "q:1" }
node { name: "z" op: "Exit" input: "q" }
node { name: "f" op: "PartitionedCall" input: "z" attr { key: "f" value { func { name: "twice" } } } attr { key: "Tout" value { list { type: DT_FLOAT } } } }
library { function { signature { name: "twice" input_arg { name: "a" type: DT_FLOAT } output_arg { name: "r" type: DT_FLOAT } }
  node_def { name: "add" op: "AddV2" input: "a" input: "a" attr { key: "T" value { type: DT_FLOAT } } } ret { key: "r" value: "add:z:0" } } }
"#;

fn read(content: &[u8]) -> Result<Lowered, String> {
    let model = graphdef::from_bytes(Bytes::copy_from_slice(content), Path::new("graph.pbtxt"));
    let model = model.map_err(|error| error.to_string())?;
    Ok(graphdef::lower(&model, "graph.pbtxt"))
}

/// Reads what there is to read; whether the reader took it.
fn exercise(content: &[u8]) -> bool {
    let Ok(lowered) = read(content) else { return false };
    for node in &lowered.program.graph.nodes {
        if let Action::Constant(constant) = &node.action {
            let _ = (constant.load)();
        }
    }
    true
}

/// The same graph in binary, for the reader has no writer: text is read by way of it.
fn binary() -> Vec<u8> {
    // node { name: "x" op: "Placeholder" } node { name: "y" op: "Neg" input: "x" }
    let node = |fields: &[(u8, &str)]| {
        let content: Vec<u8> = fields
            .iter()
            .flat_map(|(tag, text)| [*tag << 3 | 2, text.len() as u8].into_iter().chain(text.bytes()))
            .collect();
        [vec![0x0a, content.len() as u8], content].concat()
    };
    [node(&[(1, "x"), (2, "Placeholder")]), node(&[(1, "y"), (2, "Neg"), (3, "x")])].concat()
}

#[test]
fn a_graph_is_read_with_its_control_flow() {
    let lowered = read(GRAPH.as_bytes()).expect("a graph");
    assert!(lowered.problems.is_empty(), "{}", lowered.problems[0].message);
    let actions: Vec<&str> = (lowered.program.graph.nodes.iter())
        .map(|node| match &node.action {
            Action::Call(call) => call.operator.name,
            Action::Constant(_) => "constant",
            Action::If(_) => "if",
            Action::Loop(_) => "loop",
            Action::Scan(_) => "scan",
            Action::Unknown { .. } => "unknown",
        })
        .collect();
    assert_eq!(actions, ["constant", "gemm", "less", "if", "loop", "add"]);
}

#[test]
fn malformed_text_is_told_with_line_and_column() {
    for (text, told) in [
        (
            "node { name: \"x\" op: \"Neg\"\n  inptu: \"y\" }",
            "graph.pbtxt:2:3: NodeDef has no field `inptu`; did you mean `input`?",
        ),
        ("node { name: \"x\"\n", "graph.pbtxt:2:1: a message is not closed: `}` is missing"),
        ("node { name: \"x }\n}", "graph.pbtxt:1:14: this string does not end in its line"),
        (
            "node {\n  attr { key: \"T\" value { type: DT_FLOT } } }",
            "graph.pbtxt:2:33: `DT_FLOT` is no element type; did you mean `DT_FLOAT`?",
        ),
        (
            "node { attr { key: \"k\" value { i: seven } } }",
            "graph.pbtxt:1:35: an integer of 64 bits is expected, not `seven`",
        ),
        (
            "node { attr { key: \"k\" value { b: maybe } } }",
            "graph.pbtxt:1:35: `true` or `false` is expected, not `maybe`",
        ),
        ("node { name \"x\" }", "graph.pbtxt:1:13: `:` is expected after `name`"),
        ("node: 3", "graph.pbtxt:1:7: `{` is expected after `node`, not `3`"),
        ("node { name: \"\\q\" }", "graph.pbtxt:1:15: there is no such escape in a string"),
        ("library { }", "graph.pbtxt: not a TensorFlow graph: it has no nodes"),
        ("", "graph.pbtxt: the file is empty"),
    ] {
        assert_eq!(read(text.as_bytes()).err().as_deref(), Some(told), "{text}");
    }
}

#[test]
fn deep_messages_are_refused() {
    let text = format!("node {{ {}", "attr { value { list { func { ".repeat(2000));
    let told = read(text.as_bytes()).err().unwrap_or_default();
    assert!(told.contains("more than 100 deep"), "{told}");
}

#[test]
fn broken_structure_is_a_problem() {
    for (text, told) in [
        ("node { name: \"y\" op: \"Neg\" input: \"x\" }", "takes `x`, which no node of the graph gives"),
        ("node { name: \"y\" op: \"Neg\" input: \"^x\" }", "takes `x`, which no node of the graph gives"),
        (
            "node { name: \"y\" op: \"NoOp\" } node { name: \"y\" op: \"NoOp\" }",
            "another node has the same name",
        ),
        (
            "node { name: \"a\" op: \"Neg\" input: \"b\" } node { name: \"b\" op: \"Neg\" input: \"a\" }",
            "waits for itself, over `a`, `b`",
        ),
    ] {
        let lowered = read(text.as_bytes()).expect("a graph");
        let said: Vec<&str> = lowered.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert!(said.contains(&told), "{text}: {said:?}");
    }
}

/// Sizes that no machine could hold are carried as sizes; elements are made only when asked for, and then not.
#[test]
fn hostile_sizes_take_no_memory() {
    for sizes in ["dim { size: 9223372036854775807 } dim { size: 2 }", "dim { size: 1099511627776 }"] {
        let text = format!(
            "node {{ name: \"c\" op: \"Const\" attr {{ key: \"value\" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ {sizes} }} float_val: 1 }} }} }} }}"
        );
        assert!(exercise(text.as_bytes()));
    }
    let calls = "node { name: \"y\" op: \"Neg\" input: \"x:4294967295\" } node { name: \"x\" op: \"Split\" attr { key: \"num_split\" value { i: 4000000000 } } }";
    assert!(exercise(calls.as_bytes()));
}

/// Functions that call each other without end are given up.
#[test]
fn endless_functions_end() {
    let function = |name: &str, calls: &str| {
        let call = format!(
            "node_def {{ name: \"c\" op: \"PartitionedCall\" attr {{ key: \"f\" value {{ func {{ name: \"{calls}\" }} }} }} }}"
        );
        format!(
            "function {{ signature {{ name: \"{name}\" }} {} }}",
            [call.clone(), call.replace("\"c\"", "\"d\"")].concat()
        )
    };
    let text = format!(
        "node {{ name: \"x\" op: \"f\" }} library {{ {} {} }}",
        function("f", "g"),
        function("g", "f")
    );
    assert!(exercise(text.as_bytes()));
}

#[test]
fn damaged_files_are_answered() {
    for content in [GRAPH.as_bytes().to_vec(), binary()] {
        assert!(exercise(&content));
        for end in 0..content.len() {
            exercise(&content[..end]);
        }
        let mut state = 1u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below.max(1)
        };
        for _ in 0..3000 {
            let mut damaged = content.clone();
            for _ in 0..=next(3) {
                let at = next(damaged.len());
                match next(3) {
                    0 => damaged[at] = next(256) as u8,
                    1 => drop(damaged.remove(at)),
                    _ => damaged.insert(at, content[next(content.len())]),
                }
            }
            exercise(&damaged);
        }
    }
}

/// The graphs in `tests/graphs` are read as a whole; of one, two operators are not known.
#[test]
fn small_graphs_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graphs");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of graphs") {
        let path = entry.expect("an entry").path();
        let model = graphdef::open(&path).expect("a graph");
        let lowered = graphdef::lower(&model, "graph");
        assert!(lowered.problems.is_empty(), "{}", path.display());
        let unknown = |node: &&program::ir::Node| matches!(node.action, Action::Unknown { .. });
        let unknown = lowered.program.graph.nodes.iter().filter(unknown).count();
        let expected = if path.ends_with("graph_unknown.pbtxt") { 2 } else { 0 };
        assert_eq!(unknown, expected, "{}", path.display());
        read += 1;
    }
    assert!(read >= 7, "only {read} graphs");
}
