//! Files that are broken by accident or on purpose: the reader answers with an error or problems, never with a
//! panic, and never allocates more than a small multiple of the file's size.

mod memory;

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use models::onnx::proto::attribute_proto::AttributeType;
use models::onnx::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto};
use models::onnx::{self, AttributeValue, ExternalFiles, Graph, Model, TensorView};
use prost::Message;

const SMALL_MODEL: &str = r#"
<ir_version: 10, opset_import: ["" : 21, "my" : 1], producer_name: "test">
g (float[N, 3] x, bool c) => (float[N, 3] y)
<float[2, 2] w = {1, 2, 3, 4}, int64[2] axes = {0, -1}, float16[2] h = {15360, 16384}, string[1] s = {"text"}>
{
    [first] a = Conv <pads = [0, 1], mode = "same", alpha = 0.5, value = int32[2] {7, 8}> (x, w)
    b = my.twice <scale = 2.0> (a)
    y = If (c) <then_branch = t () => (float[N, 3] p) { p = Neg (b) }, else_branch = e () => (float[N, 3] q) { q = Abs (b) }>
}
<domain: "my", opset_import: ["" : 21]>
twice <scale> (x) => (y) { k = Constant <value_float: float = @scale> () y = Mul (x, k) }
"#;

fn read(content: Vec<u8>) -> Option<Model> {
    onnx::from_bytes(Bytes::from(content), Path::new("hostile.onnx")).ok()
}

/// Uses everything the reader offers, as a caller would.
fn exercise(content: Vec<u8>) {
    if let Some(model) = read(content) {
        let problems = onnx::check(&model);
        problems.iter().for_each(|problem| drop(problem.to_string()));
        exercise_graph(&model.graph);
    }
}

fn exercise_graph(graph: &Graph) {
    graph.initializers.iter().for_each(|tensor| exercise_tensor(tensor));
    for node in &graph.nodes {
        for attribute in &node.attributes {
            if let AttributeValue::Tensor(tensor) = &attribute.value {
                exercise_tensor(tensor);
            }
        }
        node.subgraphs().for_each(|(_, graph)| exercise_graph(graph));
    }
}

fn exercise_tensor(tensor: &TensorView) {
    let is_valid = tensor.validate_with_files().is_ok();
    let readable = [
        tensor.ints().is_ok(),
        tensor.wide_ints().is_ok(),
        tensor.floats().is_ok(),
        tensor.bools().is_ok(),
        tensor.complex().is_ok(),
        tensor.strings().is_ok(),
    ];
    assert!(is_valid || !readable.contains(&true), "an invalid tensor was read: {tensor:?}");
}

fn small_model_bytes() -> Vec<u8> {
    let proto = onnx::decode(Bytes::from_static(SMALL_MODEL.as_bytes()), Path::new("small.onnxtxt"));
    proto.expect("the small model parses").encode_to_vec()
}

#[test]
fn the_small_model_itself_is_sound() {
    for content in [small_model_bytes(), SMALL_MODEL.as_bytes().to_vec()] {
        let model = read(content).expect("readable");
        assert_eq!(onnx::check(&model), []);
    }
}

#[test]
fn every_prefix_is_survived() {
    for content in [small_model_bytes(), SMALL_MODEL.as_bytes().to_vec()] {
        for end in 0..content.len() {
            exercise(content[..end].to_vec());
        }
    }
}

#[test]
fn random_damage_is_survived() {
    let mut random = SplitMix64(7);
    for content in [small_model_bytes(), SMALL_MODEL.as_bytes().to_vec()] {
        for _ in 0..20_000 {
            let mut damaged = content.clone();
            for _ in 0..=random.below(4) {
                let place = random.below(damaged.len());
                match random.below(4) {
                    0 => damaged[place] ^= 1 << random.below(8),
                    1 => damaged[place] = random.below(256) as u8,
                    2 => drop(damaged.remove(place)),
                    _ => damaged.insert(place, [0xff, 0x80, b'{', b'"'][random.below(4)]),
                }
            }
            let size = damaged.len();
            let peak = memory::peak_while(|| exercise(damaged));
            assert!(peak < 400 * size + 100_000, "{peak} bytes for a file of {size}");
        }
    }
}

/// The reader takes a file piece by piece; decoding it as a whole must tell the same, also of damaged files.
#[test]
fn piece_by_piece_is_as_whole() {
    let (path, content, mut random) = (Path::new("small.onnx"), small_model_bytes(), SplitMix64(8));
    for round in 0..20_000 {
        let mut damaged = content.clone();
        for _ in 0..round % 3 {
            let place = random.below(damaged.len());
            damaged[place] = random.below(256) as u8;
        }
        let damaged = Bytes::from(damaged);
        let files = Arc::new(ExternalFiles::beside(path));
        let whole = onnx::decode(damaged.clone(), path).map(|proto| Model::from_proto(proto, files));
        let pieces = onnx::from_bytes(damaged, path);
        match (pieces, whole) {
            (Ok(pieces), Ok(whole)) => assert_eq!(told(&pieces), told(&whole)),
            (pieces, whole) => assert_eq!(pieces.is_ok(), whole.is_ok(), "{pieces:?} {whole:?}"),
        }
    }
}

/// Everything about a model; its problems without their order, which is that of reading.
fn told(model: &Model) -> (String, Vec<String>) {
    let mut problems: Vec<String> = onnx::check(model).iter().map(ToString::to_string).collect();
    problems.sort();
    (format!("{:?} {:?} {:?}", model.opsets, model.graph, model.functions), problems)
}

#[test]
fn declared_sizes_are_not_believed() {
    for dims in [
        vec![1 << 62],
        vec![1 << 31, 1 << 31],
        vec![i64::MAX, i64::MAX],
        vec![-1],
        vec![i64::MIN],
        vec![1 << 40],
    ] {
        for data_type in 0..32 {
            let tensor = TensorProto {
                name: "w".into(),
                dims: dims.clone(),
                data_type,
                raw_data: Some(Bytes::from_static(&[1; 16])),
                ..TensorProto::default()
            };
            let graph = GraphProto { initializer: vec![tensor], ..GraphProto::default() };
            let bytes =
                ModelProto { ir_version: 10, graph: Some(graph), ..ModelProto::default() }.encode_to_vec();
            // The table of the operators is made once, for all models.
            let model = read(bytes.clone()).expect("readable");
            drop(onnx::check(&model));
            let peak = memory::peak_while(|| {
                let model = read(bytes.clone()).expect("readable");
                assert_eq!(onnx::check(&model).len(), 1);
                exercise(bytes.clone());
            });
            assert!(peak < 100_000, "{peak} bytes for {dims:?}");
        }
    }
}

#[test]
fn huge_length_prefixes_are_refused() {
    // Field 7 (the graph) and its field 5 (an initialiser) with lengths far beyond the end of the file.
    for content in [
        vec![0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        vec![0x3a, 0x06, 0x2a, 0xff, 0xff, 0xff, 0xff, 0x0f],
        vec![0x3a, 0x08, 0x2a, 0x06, 0x22, 0xff, 0xff, 0xff, 0xff, 0x0f],
    ] {
        let peak = memory::peak_while(|| assert!(read(content).is_none()));
        assert!(peak < 10_000, "{peak} bytes");
    }
}

#[test]
fn deep_nesting_is_an_error_not_a_stack_overflow() {
    // Encoded from the inside out, since building such a model in memory would itself need the depth.
    let wrap = |tag: u8, inner: &[u8]| {
        let mut outer = vec![tag];
        prost::encoding::encode_varint(inner.len() as u64, &mut outer);
        outer.extend_from_slice(inner);
        outer
    };
    let mut graph = Vec::new();
    for level in 1..=2000 {
        // graph.node.attribute.g
        graph = wrap(0x0a, &wrap(0x2a, &wrap(0x32, &graph)));
        let model = wrap(0x3a, &graph);
        match level {
            20 => assert!(read(model).is_some()),
            40 | 2000 => assert!(read(model).is_none()),
            _ => {}
        }
    }
}

#[test]
fn many_empty_messages_stay_cheap() {
    let attributes =
        vec![AttributeProto { r#type: AttributeType::Int as i32, ..AttributeProto::default() }; 20_000];
    let node = NodeProto { op_type: "Op".into(), attribute: attributes, ..NodeProto::default() };
    let graph = GraphProto { node: vec![node], ..GraphProto::default() };
    let content = ModelProto { graph: Some(graph), ..ModelProto::default() }.encode_to_vec();
    let size = content.len();
    let peak = memory::peak_while(|| exercise(content));
    assert!(peak < 400 * size, "{peak} bytes for a file of {size}");
}

/// A small generator that always gives the same numbers.
struct SplitMix64(u64);

impl SplitMix64 {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}
