//! Changes a model where it matters: operators, edges, attributes, sizes, types and constants.
//! Bytes that are no model are left to libFuzzer's own mutator.

use crate::random::Random;
use bytes::Bytes;
use models::onnx;
use models::onnx::proto::attribute_proto::AttributeType;
use models::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use models::onnx::proto::type_proto;
use models::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TensorShapeProto, TypeProto,
    ValueInfoProto,
};
use prost::Message;
use semantics::operator::{Framework, Operator, ParameterKind};
use semantics::operators;
use semantics::spelling::{self, Target};
use std::borrow::Cow;
use std::path::Path;

/// The model in `data` with a few changes, encoded; `None` if there is none or it became too long.
pub fn model(data: &[u8], max_size: usize, seed: u32) -> Option<Vec<u8>> {
    let mut random = Random(u64::from(seed));
    if random.once_in(20) {
        // The reader's own edge cases deserve a share.
        return None;
    }
    let mut model = onnx::decode(Bytes::copy_from_slice(data), Path::new("fuzzed")).ok()?;
    for _ in 0..=random.below(4) {
        change(&mut model, &mut random);
    }
    let bytes = model.encode_to_vec();
    (bytes.len() <= max_size && onnx::proto::ModelProto::decode(bytes.as_slice()).is_ok()).then_some(bytes)
}

fn change(model: &mut ModelProto, random: &mut Random) {
    if random.once_in(40)
        && let Some(import) = random.pick_mut(&mut model.opset_import)
    {
        import.version = if random.once_in(4) { random.integer() } else { 1 + random.below(25) as i64 };
        return;
    }
    let version = model.opset_import.first().map_or(20, |import| import.version.clamp(1, 30)) as u32;
    if random.once_in(6)
        && let Some(function) = random.pick_mut(&mut model.functions)
    {
        let names = function.input.clone();
        nodes(&mut function.node, names, version, random);
        return;
    }
    let Some(graph) = &mut model.graph else { return };
    let graph = somewhere(graph, random);
    match random.below(8) {
        0 => value(graph, random),
        1 | 2 => constant(graph, random),
        _ => {
            let mut names: Vec<Bytes> = graph.input.iter().map(|info| info.name.clone()).collect();
            names.extend(graph.initializer.iter().map(|tensor| tensor.name.clone()));
            nodes(&mut graph.node, names, version, random);
            rewire_outputs(graph, random);
        }
    }
}

/// The graph or one of the graphs inside it.
fn somewhere<'g>(graph: &'g mut GraphProto, random: &mut Random) -> &'g mut GraphProto {
    let inner =
        graph.node.iter().position(|node| node.attribute.iter().any(|attribute| attribute.g.is_some()));
    let Some(inner) = inner.filter(|_| random.once_in(2)) else { return graph };
    let attributes = &mut graph.node[inner].attribute;
    let holders: Vec<usize> = (0..attributes.len()).filter(|&k| attributes[k].g.is_some()).collect();
    let at = holders[random.below(holders.len())];
    match &mut attributes[at].g {
        Some(inner) => somewhere(inner, random),
        None => unreachable!("chosen because it is there"),
    }
}

/// Changes, adds or removes a node; `names` are the values that exist before the first.
fn nodes(nodes: &mut Vec<NodeProto>, mut names: Vec<Bytes>, version: u32, random: &mut Random) {
    match random.below(8) {
        0 | 1 => {
            let at = random.below(nodes.len() + 1);
            names.extend(nodes[..at].iter().flat_map(|node| node.output.iter().cloned()));
            let taken = nodes.len() + random.below(1000);
            if let Some(node) = fresh(&names, version, taken, random) {
                nodes.insert(at, node);
            }
        }
        2 if nodes.len() > 1 && random.once_in(3) => drop(nodes.remove(random.below(nodes.len()))),
        2 => repeat(nodes, random),
        _ => {
            let at = random.below(nodes.len());
            names.extend(nodes.iter().take(at).flat_map(|node| node.output.iter().cloned()));
            if let Some(node) = nodes.get_mut(at) {
                existing(node, &names, version, random);
            }
        }
    }
}

/// A chain of copies of one node, each fed by the one before: growth is what budgets are for.
fn repeat(nodes: &mut Vec<NodeProto>, random: &mut Random) {
    let at = random.below(nodes.len());
    let Some(model) = nodes.get(at).filter(|node| !node.output.is_empty()).cloned() else { return };
    let final_name = model.output[0].clone();
    let length = if random.once_in(8) { 40 } else { 1 + random.below(4) };
    let mut before: Option<Bytes> = None;
    let mut chain = Vec::new();
    for k in 0..=length {
        let mut node = model.clone();
        for (slot, output) in node.output.iter_mut().enumerate().filter(|(_, output)| !output.is_empty()) {
            *output = format!("{}_{slot}_{k}_{}", text(output), random.below(10_000)).into();
        }
        if k == length {
            node.output[0].clone_from(&final_name);
        }
        if let Some(before) = &before {
            let every = random.once_in(2);
            for (slot, input) in node.input.iter_mut().enumerate() {
                if (every || slot == 0) && !input.is_empty() {
                    input.clone_from(before);
                }
            }
        }
        before = Some(node.output[0].clone());
        chain.push(node);
    }
    nodes.splice(at..=at, chain);
}

fn existing(node: &mut NodeProto, names: &[Bytes], version: u32, random: &mut Random) {
    match random.below(9) {
        0 => {
            let operator = random_operator(random);
            if let Some(name) = random_spelling(operator, random) {
                node.op_type = name.into();
            }
        }
        1 | 2 => {
            let other = random.pick(names).cloned();
            if let (Some(input), Some(other)) = (random.pick_mut(&mut node.input), other) {
                *input = other;
            }
        }
        3 => match random.below(3) {
            0 => drop(node.input.pop()),
            1 => node.input.push(random.pick(names).cloned().unwrap_or_default()),
            _ => {
                if let Some(input) = random.pick_mut(&mut node.input) {
                    input.clear();
                }
            }
        },
        4 if random.once_in(2) => {
            let extra = format!("extra_{}", random.below(10_000));
            node.output.push(extra.into());
        }
        4 => {
            if node.output.len() > 1 {
                node.output.pop();
            }
        }
        5 => {
            if let Some(attribute) = plausible_attribute(&text(&node.op_type), version, random) {
                node.attribute.retain(|other| other.name != attribute.name);
                node.attribute.push(attribute);
            }
        }
        6 if random.once_in(3) && !node.attribute.is_empty() => {
            node.attribute.remove(random.below(node.attribute.len()));
        }
        _ => {
            if let Some(attribute) = random.pick_mut(&mut node.attribute) {
                change_attribute(attribute, random);
            }
        }
    }
}

fn random_operator(random: &mut Random) -> &'static Operator {
    operators::ALL[random.below(operators::ALL.len())]
}

/// One of the names that ONNX has for an operator.
fn random_spelling(operator: &Operator, random: &mut Random) -> Option<&'static str> {
    let spellings: Vec<_> = operator.spelled_by(Framework::Onnx).collect();
    random.pick(&spellings).map(|spelling| spelling.name())
}

/// A call of some operator on values that exist.
fn fresh(names: &[Bytes], version: u32, number: usize, random: &mut Random) -> Option<NodeProto> {
    let operator = random_operator(random);
    let op_type = random_spelling(operator, random)?.to_owned();
    let wanted = spelling::onnx(&op_type, version)?.mapping().inputs.len();
    let count = if random.once_in(4) { random.below(wanted + 3) } else { wanted };
    let input = (0..count).map(|_| random.pick(names).cloned().unwrap_or_default()).collect();
    let output = vec![format!("v{number}").into()];
    let mut node = NodeProto { op_type: op_type.into(), input, output, ..NodeProto::default() };
    for _ in 0..random.below(4) {
        if let Some(attribute) = plausible_attribute(&text(&node.op_type), version, random) {
            node.attribute.retain(|other| other.name != attribute.name);
            node.attribute.push(attribute);
        }
    }
    Some(node)
}

/// A name as text.
fn text(name: &Bytes) -> Cow<'_, str> {
    String::from_utf8_lossy(name)
}

/// An attribute that the operator has, of the right kind.
fn plausible_attribute(op_type: &str, version: u32, random: &mut Random) -> Option<AttributeProto> {
    let resolved = spelling::onnx(op_type, version)?;
    let (name, target) = random.pick(&resolved.mapping().attributes)?;
    let kind = match target {
        Target::Parameter(at) | Target::Read(at, _) => resolved.operator.parameters[*at].kind,
        _ => ParameterKind::Int,
    };
    let mut attribute = AttributeProto { name: (*name).into(), ..AttributeProto::default() };
    let kind = match kind {
        ParameterKind::Int | ParameterKind::Flag | ParameterKind::Type => {
            attribute.i = Some(random.integer());
            AttributeType::Int
        }
        ParameterKind::Ints => {
            attribute.ints = (0..random.below(6)).map(|_| random.integer()).collect();
            AttributeType::Ints
        }
        ParameterKind::Float => {
            attribute.f = Some(random.float());
            AttributeType::Float
        }
        ParameterKind::Floats => {
            attribute.floats = (0..random.below(6)).map(|_| random.float()).collect();
            AttributeType::Floats
        }
        ParameterKind::Word(words) | ParameterKind::Words(words) if !random.once_in(8) => {
            attribute.s = random.pick(words).map(|word| Bytes::from_static(word.as_bytes()));
            AttributeType::String
        }
        _ => {
            const TEXTS: [&str; 6] = ["ij,jk->ik", "...i,...i", "ii->i", "a,b,c,d,e,f->", "", "SAME_UPPER"];
            attribute.s = Some(Bytes::from_static(TEXTS[random.below(TEXTS.len())].as_bytes()));
            AttributeType::String
        }
    };
    attribute.r#type = kind as i32;
    Some(attribute)
}

fn change_attribute(attribute: &mut AttributeProto, random: &mut Random) {
    if random.once_in(30) {
        attribute.r#type = random.below(16) as i32;
    }
    if attribute.i.is_some() {
        attribute.i = Some(random.integer());
    }
    if attribute.f.is_some() {
        attribute.f = Some(random.float());
    }
    integers(&mut attribute.ints, attribute.r#type == AttributeType::Ints as i32, random);
    if let Some(float) = random.pick_mut(&mut attribute.floats) {
        *float = random.float();
    }
    if let Some(tensor) = &mut attribute.t {
        change_tensor(tensor, random);
    }
    if random.once_in(4)
        && let Some(text) = &attribute.s
    {
        let mut text = text.to_vec();
        match random.below(3) {
            0 => drop(text.pop()),
            1 => text.push(b"ijk,->.? "[random.below(9)]),
            _ => {
                if let Some(byte) = random.pick_mut(&mut text) {
                    *byte = b"ijk,->.? "[random.below(9)];
                }
            }
        }
        attribute.s = Some(text.into());
    }
}

fn integers(list: &mut Vec<i64>, may_grow: bool, random: &mut Random) {
    match random.below(6) {
        0 => drop(list.pop()),
        1 if may_grow => list.push(random.integer()),
        2 if may_grow && random.once_in(20) => {
            list.resize(1 << random.below(12), 1);
        }
        _ => {
            if let Some(number) = random.pick_mut(list) {
                *number = random.integer();
            }
        }
    }
}

/// Changes a constant, or adds one that can stand for sizes, axes or indices.
fn constant(graph: &mut GraphProto, random: &mut Random) {
    if random.once_in(3) {
        let count = random.below(6);
        let name = format!("k{}", random.below(10_000));
        let mut tensor = TensorProto { name: name.into(), data_type: 7, ..TensorProto::default() };
        if random.once_in(4) {
            tensor.int64_data.push(random.integer());
        } else {
            tensor.dims.push(count as i64);
            tensor.int64_data = (0..count).map(|_| random.integer()).collect();
        }
        graph.initializer.push(tensor);
        return;
    }
    if let Some(tensor) = random.pick_mut(&mut graph.initializer) {
        change_tensor(tensor, random);
    }
}

fn change_tensor(tensor: &mut TensorProto, random: &mut Random) {
    match random.below(5) {
        0 if random.once_in(4) => tensor.data_type = random.below(28) as i32,
        0 => integers(&mut tensor.dims, true, random),
        1 if tensor.dims.len() == 1 && !tensor.int64_data.is_empty() => {
            tensor.int64_data.push(random.integer());
            tensor.dims[0] = tensor.int64_data.len() as i64;
        }
        _ => {
            if let Some(number) = random.pick_mut(&mut tensor.int64_data) {
                *number = random.integer();
            } else if let Some(number) = random.pick_mut(&mut tensor.float_data) {
                *number = random.float();
            } else if let Some(raw) = &tensor.raw_data {
                let mut raw = raw.to_vec();
                if let Some(byte) = random.pick_mut(&mut raw) {
                    *byte = random.next() as u8;
                }
                tensor.raw_data = Some(raw.into());
            } else if let Some(number) = random.pick_mut(&mut tensor.int32_data) {
                *number = random.integer() as i32;
            }
        }
    }
}

/// Changes what is declared of an input, an output or an inner value; sometimes adds an input.
fn value(graph: &mut GraphProto, random: &mut Random) {
    if random.once_in(6) {
        let name = format!("x{}", random.below(10_000));
        let dims = (0..random.below(5)).map(|_| dimension(random)).collect();
        let tensor = type_proto::Tensor {
            elem_type: [1, 7, 9, 10, 6][random.below(5)],
            shape: (!random.once_in(4)).then_some(TensorShapeProto { dim: dims }),
        };
        let value = Some(type_proto::Value::TensorType(tensor));
        let r#type = Some(TypeProto { value, ..TypeProto::default() });
        graph.input.push(ValueInfoProto { name: name.into(), r#type });
        return;
    }
    let list = match random.below(4) {
        0 => &mut graph.output,
        1 => &mut graph.value_info,
        _ => &mut graph.input,
    };
    let Some(info) = random.pick_mut(list) else { return };
    let Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor)), .. }) = &mut info.r#type else {
        info.r#type = None;
        return;
    };
    match (random.below(8), &mut tensor.shape) {
        (0, _) => tensor.elem_type = random.below(28) as i32,
        (1, shape) => *shape = None,
        (2, Some(shape)) => drop(shape.dim.pop()),
        (3, Some(shape)) => shape.dim.push(dimension(random)),
        (_, Some(shape)) => {
            if let Some(dim) = random.pick_mut(&mut shape.dim) {
                *dim = dimension(random);
            }
        }
        (_, shape) => *shape = Some(TensorShapeProto { dim: vec![dimension(random), dimension(random)] }),
    }
}

fn dimension(random: &mut Random) -> Dimension {
    const NAMES: [&str; 4] = ["N", "H", "W", "T"];
    let value = match random.below(5) {
        0 => None,
        1 | 2 => Some(dimension::Value::DimParam(NAMES[random.below(4)].into())),
        _ => Some(dimension::Value::DimValue(random.integer())),
    };
    Dimension { value }
}

/// Outputs name values that exist, whatever happened to the nodes; the last node should matter.
fn rewire_outputs(graph: &mut GraphProto, random: &mut Random) {
    let made: Vec<&Bytes> =
        graph.node.iter().flat_map(|node| &node.output).filter(|name| !name.is_empty()).collect();
    for output in &mut graph.output {
        if (!made.contains(&&output.name) || random.once_in(10))
            && let Some(name) = made.last()
        {
            output.name.clone_from(name);
            output.r#type = None;
        }
    }
}
