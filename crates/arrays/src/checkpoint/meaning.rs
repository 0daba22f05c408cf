//! What the functions that checkpoints name would give: tensors, dictionaries, arrays. Everything else is opaque.

use semantics::dtype::Kind;

use super::pickle::Unpickler;
use super::{Node, Stored};

/// What a call would give.
pub(super) fn called(run: &mut Unpickler, callable: usize, arguments: &[usize]) -> usize {
    let Node::Global(name) = &run.nodes[callable] else {
        return run.add(Node::Opaque("what an unknown function gives".into()));
    };
    let name = name.clone();
    let node = match &*name {
        "collections.OrderedDict" | "builtins.dict" | "__builtin__.dict" => {
            let given = arguments.first().map_or(&[][..], |&first| run.items(first));
            let pairs = given.iter().filter_map(|&pair| match run.items(pair) {
                &[key, value] => Some((key, value)),
                _ => None,
            });
            Node::Dict(pairs.collect())
        }
        "torch._utils._rebuild_tensor"
        | "torch._utils._rebuild_tensor_v2"
        | "torch._utils._rebuild_tensor_v3" => {
            tensor(run, arguments).map_or_else(|| Node::Opaque("torch.Tensor".into()), Node::Tensor)
        }
        "torch._utils._rebuild_parameter" | "torch._utils._rebuild_parameter_with_state" => {
            if let Some(&data) = arguments.first() {
                return as_parameter(run, data);
            }
            Node::Opaque(name)
        }
        "torch._tensor._rebuild_from_type_v2" | "torch.tensor._rebuild_from_type_v2" => {
            // A tensor with attributes: function, type, arguments, state.
            if let &[function, _, inner, ..] = arguments {
                let inner = run.items(inner).to_vec();
                let is_ours = matches!(&run.nodes[function], Node::Global(name) if name.starts_with("torch._utils._rebuild_"));
                if is_ours {
                    return called(run, function, &inner);
                }
            }
            Node::Opaque("torch.Tensor".into())
        }
        "torch.Size" | "torch.torch.Size" => {
            Node::Tuple(arguments.first().map_or_else(Vec::new, |&sizes| run.items(sizes).to_vec()))
        }
        "builtins.set" | "__builtin__.set" | "builtins.frozenset" => {
            Node::Set(arguments.first().map_or_else(Vec::new, |&items| run.items(items).to_vec()))
        }
        "_codecs.encode" | "builtins.bytes" | "builtins.bytearray" => Node::Bytes,
        // The element type of NumPy is told by a short text: `f4`.
        "numpy.dtype" => match arguments.first().map(|&first| &run.nodes[first]) {
            Some(Node::Text(text)) => Node::Global(format!("numpy.dtype:{text}")),
            _ => Node::Opaque(name),
        },
        _ => match name.strip_prefix("numpy.") {
            Some(rest) if rest.ends_with(".multiarray._reconstruct") => Node::Opaque(NUMPY_ARRAY.into()),
            Some(rest) if rest.ends_with(".multiarray.scalar") => {
                let kind = arguments.first().and_then(|&first| numpy_kind(&run.nodes[first]));
                Node::Opaque(match kind {
                    Some(kind) if kind.is_int() => "int".into(),
                    Some(Kind::Bool) => "bool".into(),
                    Some(kind) if kind.is_float() => "float".into(),
                    _ => name,
                })
            }
            _ => Node::Opaque(name),
        },
    };
    run.add(node)
}

/// An array that was made and waits to be told what it is.
const NUMPY_ARRAY: &str = "numpy.ndarray";

/// What an object becomes when its state is set.
pub(super) fn built(run: &mut Unpickler, object: usize, state: usize) {
    if !matches!(&run.nodes[object], Node::Opaque(name) if name == NUMPY_ARRAY) {
        return;
    }
    if let &[_, sizes, kind, ..] = run.items(state) {
        let kind = numpy_kind(&run.nodes[kind]);
        if let (Some(kind), Some(sizes)) = (kind, numbers(run, sizes)) {
            let stored = Stored { kind: Some(kind), sizes, strides: None, needs_grad: false };
            run.nodes[object] = Node::Array(stored);
        }
    }
}

/// What a persistent name stands for: `("storage", class, key, device, count, …)`.
pub(super) fn persistent(run: &Unpickler, named: usize) -> Node {
    if let &[word, class, key, _, count, ..] = run.items(named)
        && let (Node::Text(word), Node::Global(class)) = (&run.nodes[word], &run.nodes[class])
        && let (Node::Text(key), &Node::Int(count)) = (&run.nodes[key], &run.nodes[count])
        && word == "storage"
        && let Ok(count) = u64::try_from(count)
    {
        return Node::Storage { kind: kind_of_storage(class), key: key.clone(), count };
    }
    Node::Opaque("something outside the pickle".into())
}

/// `(storage, offset, sizes, strides, needs_grad, …)`, as every version of the function begins.
fn tensor(run: &Unpickler, arguments: &[usize]) -> Option<Stored> {
    let &[storage, offset, sizes, strides, ref rest @ ..] = arguments else { return None };
    let Node::Storage { kind, count, .. } = &run.nodes[storage] else { return None };
    let &Node::Int(offset) = &run.nodes[offset] else { return None };
    let (sizes, strides) = (numbers(run, sizes)?, numbers(run, strides)?);
    // The third version names the element type; its storage is one of bytes.
    let named = rest.get(2).and_then(|&named| match &run.nodes[named] {
        Node::Global(name) => name.strip_prefix("torch.").and_then(torch_kind),
        _ => None,
    });
    if sizes.len() != strides.len() {
        return None;
    }
    if named.is_none() && reach(offset, &sizes, &strides).is_none_or(|reach| reach > *count) {
        return None;
    }
    let needs_grad = rest.first().is_some_and(|&place| run.nodes[place] == Node::Bool(true));
    let strides = (strides != rows(&sizes)).then_some(strides);
    Some(Stored { kind: named.or(*kind), sizes, strides, needs_grad })
}

/// How many elements of its storage a tensor spans.
fn reach(offset: i64, sizes: &[u64], strides: &[u64]) -> Option<u64> {
    if sizes.contains(&0) {
        return Some(0);
    }
    let mut last = u64::try_from(offset).ok()?;
    for (size, stride) in sizes.iter().zip(strides) {
        last = last.checked_add((size - 1).checked_mul(*stride)?)?;
    }
    last.checked_add(1)
}
/// The strides of elements that lie row by row.
fn rows(sizes: &[u64]) -> Vec<u64> {
    let mut step = 1u64;
    let mut strides: Vec<u64> = Vec::with_capacity(sizes.len());
    for &size in sizes.iter().rev() {
        strides.push(step);
        step = step.saturating_mul(size.max(1));
    }
    strides.reverse();
    strides
}

fn as_parameter(run: &mut Unpickler, data: usize) -> usize {
    match run.nodes[data].clone() {
        Node::Tensor(stored) => run.add(Node::Tensor(Stored { needs_grad: true, ..stored })),
        _ => data,
    }
}

/// Numbers of a tuple, none of them negative.
fn numbers(run: &Unpickler, place: usize) -> Option<Vec<u64>> {
    if !matches!(run.nodes[place], Node::Tuple(_) | Node::List(_)) {
        return None;
    }
    let number = |&item: &usize| match run.nodes[item] {
        Node::Int(number) => u64::try_from(number).ok(),
        _ => None,
    };
    run.items(place).iter().map(number).collect()
}

fn kind_of_storage(class: &str) -> Option<Kind> {
    Some(match class.rsplit('.').next()? {
        "FloatStorage" => Kind::F32,
        "DoubleStorage" => Kind::F64,
        "HalfStorage" => Kind::F16,
        "BFloat16Storage" => Kind::BF16,
        "LongStorage" => Kind::I64,
        "IntStorage" => Kind::I32,
        "ShortStorage" => Kind::I16,
        "CharStorage" => Kind::I8,
        "ByteStorage" => Kind::U8,
        "BoolStorage" => Kind::Bool,
        "ComplexFloatStorage" => Kind::C64,
        "ComplexDoubleStorage" => Kind::C128,
        _ => return None,
    })
}
fn torch_kind(name: &str) -> Option<Kind> {
    match name {
        "float8_e4m3fn" => Some(Kind::F8E4M3FN),
        "float8_e5m2" => Some(Kind::F8E5M2),
        "float8_e4m3fnuz" => Some(Kind::F8E4M3FNUZ),
        "float8_e5m2fnuz" => Some(Kind::F8E5M2FNUZ),
        _ => Kind::parse(name),
    }
}
/// The kind of `numpy.dtype("f4")`.
fn numpy_kind(node: &Node) -> Option<Kind> {
    let Node::Global(name) = node else { return None };
    Some(match name.strip_prefix("numpy.dtype:")?.trim_start_matches(['<', '>', '|', '=']) {
        "b1" => Kind::Bool,
        "i1" => Kind::I8,
        "i2" => Kind::I16,
        "i4" => Kind::I32,
        "i8" => Kind::I64,
        "u1" => Kind::U8,
        "u2" => Kind::U16,
        "u4" => Kind::U32,
        "u8" => Kind::U64,
        "f2" => Kind::F16,
        "f4" => Kind::F32,
        "f8" => Kind::F64,
        "c8" => Kind::C64,
        "c16" => Kind::C128,
        _ => return None,
    })
}
