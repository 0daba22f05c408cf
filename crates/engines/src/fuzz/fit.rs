//! Making a changed case whole again: weights get the shapes that their layers give them.

use super::case::Case;
use layers::layer::{self, Weight};
use program::arguments;
use program::ir::ValueId;
use rustc_hash::FxHashMap;
use semantics::arena;
use semantics::array::{Array, Data, strides};
use semantics::dtype::Kind;
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// Cuts or pads weights to the shapes that layers give them, adds those that are missing and drops those that no
/// layer asks for. `None` if a layer cannot say, before the node that may fail.
pub(super) fn fit(case: &mut Case, may_fail: Option<usize>) -> Option<()> {
    arena::scope(|| {
        let mut tensors: FxHashMap<ValueId, Tensor> = FxHashMap::default();
        for (value, array) in &case.inputs {
            tensors.insert(*value, described(array));
        }
        for node in 0..case.program.graph.nodes.len() {
            if fit_node(case, node, &mut tensors).is_none() {
                return if may_fail == Some(node) { Some(()) } else { None };
            }
        }
        Some(())
    })
}

fn fit_node(case: &mut Case, node: usize, tensors: &mut FxHashMap<ValueId, Tensor>) -> Option<()> {
    let invocation = case.invocation(node)?;
    let operator = invocation.operator;
    let stored: Vec<ValueId> = case.program.graph.constants.iter().map(|(value, _)| *value).collect();
    let weights: Option<Vec<Sized>> = layers::layers::by_name(operator.name).and_then(|layer| {
        let mut call = arguments::call(invocation, 1, &mut |value| match tensors.get(&value) {
            Some(tensor) => *tensor,
            None => case
                .constant(value)
                .map_or_else(|| Tensor::constant(Array::zeros(Kind::F32, &[0])), |array| described(&array)),
        });
        for place in 1..call.tensors.len() {
            if invocation.tensors[place].iter().all(|value| stored.contains(value)) {
                call.tensors[place].clear();
            }
        }
        (layer.weights)(&mut call).ok()?.iter().map(sized).collect()
    });
    if layers::layers::by_name(operator.name).is_some() {
        let weights = weights?;
        for place in 1..operator.inputs.len() {
            let own = case.invocation(node)?.tensors[place].to_vec();
            let wanted = weights.iter().filter(|weight| layer::place(operator, weight.name) == Some(place));
            let wanted: Vec<&Sized> = wanted.collect();
            if wanted.len() < own.len() && own.iter().all(|value| stored.contains(value)) {
                case.keep_tensors(node, place, wanted.len());
            }
            for (number, weight) in wanted.into_iter().enumerate() {
                let Some(&value) = own.get(number) else {
                    let kind = weights_kind(case, node, tensors);
                    case.add_weight(node, place, weight.name, Array::zeros(kind, &weight.sizes));
                    continue;
                };
                let array = case.constant(value)?;
                if array.shape != weight.sizes {
                    case.set_array(value, resized(&array, &weight.sizes));
                }
            }
        }
    }
    let invocation = case.invocation(node)?;
    let outputs = case.program.graph.nodes[node].outputs.clone();
    let mut call = arguments::call(invocation, outputs.len(), &mut |value| match tensors.get(&value) {
        Some(tensor) => *tensor,
        None => case
            .constant(value)
            .map_or_else(|| Tensor::constant(Array::zeros(Kind::F32, &[0])), |array| described(&array)),
    });
    let made = call.run(invocation.define).ok()?;
    let broken = call
        .requirements
        .iter()
        .any(|requirement| requirement.prop.known() == Some(false) && requirement.category.binds());
    if broken {
        return None;
    }
    // What a layer no longer gives, nobody may need.
    if made.len() < outputs.len() {
        let needed = |output: &Option<ValueId>| {
            output.is_some_and(|value| {
                case.program.graph.nodes.iter().any(|node| node.inputs().contains(&value))
            })
        };
        if outputs[made.len()..].iter().any(needed) {
            return None;
        }
        case.program.graph.nodes[node].outputs.truncate(made.len());
    }
    for (output, tensor) in outputs.iter().zip(made) {
        if let Some(output) = output {
            tensors.insert(*output, Tensor::given("value", tensor.dtype(), tensor.shape()));
        }
    }
    Some(())
}

struct Sized {
    name: &'static str,
    sizes: Vec<usize>,
}

fn sized(weight: &Weight) -> Option<Sized> {
    let sizes = weight
        .shape
        .sizes()?
        .iter()
        .map(|size| usize::try_from(size.known()?).ok())
        .collect::<Option<_>>()?;
    Some(Sized { name: weight.name, sizes })
}

fn described(array: &Array) -> Tensor {
    let shape = Shape::new(array.shape.iter().map(|&size| size.into()));
    Tensor::given("value", array.kind, shape)
}

/// The type of the weights of a layer: that of its policy, if it is told, else that of the floats it is called on.
fn weights_kind(case: &Case, node: usize, tensors: &FxHashMap<ValueId, Tensor>) -> Kind {
    let invocation = case.invocation(node);
    if let Some(policy) = invocation.and_then(|invocation| invocation.policy) {
        return policy;
    }
    let first = invocation.and_then(|invocation| invocation.tensors.first()?.first().copied());
    let kind = first.and_then(|value| tensors.get(&value)?.dtype().known());
    kind.filter(|kind| kind.is_float()).unwrap_or(Kind::F32)
}

/// The array with other sizes: cut where they are smaller, zeros where they are larger.
pub(super) fn resized(array: &Array, sizes: &[usize]) -> Array {
    let mut made = Array::zeros(array.kind, sizes);
    if sizes.len() != array.shape.len() {
        return made;
    }
    let (from, to) = (array.strides(), strides(sizes));
    for at in 0..made.len() {
        let mut source = 0;
        let inside = (0..sizes.len()).all(|axis| {
            let place = at / to[axis] % sizes[axis].max(1);
            source += place * from[axis];
            place < array.shape[axis]
        });
        if inside {
            put(&mut made.data, at, &array.data, source);
        }
    }
    made
}

fn put(into: &mut Data, at: usize, from: &Data, source: usize) {
    match (into, from) {
        (Data::Bool(into), Data::Bool(from)) => into[at] = from[source],
        (Data::Int(into), Data::Int(from)) => into[at] = from[source],
        (Data::Float(into), Data::Float(from)) => into[at] = from[source],
        (Data::Complex(into), Data::Complex(from)) => into[at] = from[source],
        _ => {}
    }
}
