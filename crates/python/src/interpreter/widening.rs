//! What is known of two states at once: where they agree, that; where they differ, that it is not known.

use crate::heap::{Heap, Id, Object, Payload};
use crate::value::{BuiltIn, Value};
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::dtype::DType;
use semantics::shape::Shape;
use semantics::tensor::Tensor;

const REASON: &str = "it depends on how often a loop runs";
/// Objects inside objects that are compared.
const DEEPEST: usize = 4;

impl Heap {
    /// The later state, with everything forgotten in which the earlier one differs.
    pub(super) fn widened_with(&self, later: &Heap) -> Heap {
        let mut heap = self.joined_with(later);
        for number in 0..later.len().min(self.len()) {
            let id = Id::numbered(number);
            if !self.shares(later, id) && !matches!(later.get(id).payload, Payload::Hole) {
                *heap.get_mut(id) = later.get(id).clone();
            }
        }
        for id in self.differences(later) {
            let is_hole = |heap: &Heap| matches!(heap.get(id).payload, Payload::Hole);
            if is_hole(self) || is_hole(later) {
                continue;
            }
            let widened = widened_object(self, later, &mut heap, id, id, 0);
            *heap.get_mut(id) = widened;
        }
        heap
    }
}

fn widened_object(earlier: &Heap, later: &Heap, heap: &mut Heap, a: Id, b: Id, depth: usize) -> Object {
    let (old, new) = (earlier.get(a), later.get(b));
    let mut object = new.clone();
    if old.class != new.class {
        object.payload = Payload::Opaque(REASON.into());
        return object;
    }
    let mut both = |x: &Value, y: &Value| widened(earlier, later, heap, x, y, depth);
    object.payload = match (&old.payload, &new.payload) {
        (Payload::List(x), Payload::List(y)) if x.len() == y.len() => {
            Payload::List(x.iter().zip(y).map(|(x, y)| both(x, y)).collect())
        }
        (Payload::Dict(x), Payload::Dict(y)) if x.keys().eq(y.keys()) => {
            let mut pairs = y.clone();
            for ((_, (_, value)), (_, before)) in pairs.iter_mut().zip(x.values()) {
                *value = both(before, value);
            }
            Payload::Dict(pairs)
        }
        (Payload::Set(x), Payload::Set(y)) if x.keys().eq(y.keys()) => Payload::Set(y.clone()),
        (Payload::List(_) | Payload::Dict(_) | Payload::Set(_), _) => Payload::Opaque(REASON.into()),
        (Payload::Wrapped(x), Payload::Wrapped(y)) => Payload::Wrapped(both(x, y)),
        (Payload::Tensor(x), Payload::Tensor(y)) => Payload::Tensor(widened_tensor(*x, *y)),
        (_, payload) => payload.clone(),
    };
    for (name, value) in &mut object.attributes {
        *value = match old.attributes.get(name) {
            Some(before) => both(before, value),
            // Bound in later rounds only: as good as bound.
            None => value.clone(),
        };
    }
    object
}

fn widened(earlier: &Heap, later: &Heap, heap: &mut Heap, a: &Value, b: &Value, depth: usize) -> Value {
    if a.is(b) {
        return b.clone();
    }
    match (a, b) {
        (Value::Int(_), Value::Int(_)) => Value::unknown_of(BuiltIn::Int, REASON),
        (Value::Bool(_), Value::Bool(_)) => Value::unknown_of(BuiltIn::Bool, REASON),
        (Value::Float(_), Value::Float(_)) => Value::unknown_of(BuiltIn::Float, REASON),
        (Value::Text(_), Value::Text(_)) => Value::unknown_of(BuiltIn::Text, REASON),
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => Value::tuple(
            x.iter()
                .zip(y.iter())
                .map(|(x, y)| widened(earlier, later, heap, x, y, depth))
                .collect::<Vec<_>>(),
        ),
        (Value::Unknown(x), Value::Unknown(y)) if x.kind == y.kind => b.clone(),
        (Value::Native(_), _) | (_, Value::Native(_)) => Value::unknown(REASON),
        // Made anew in every round: what is alike in both stays known.
        (Value::Object(x), Value::Object(y))
            if depth < DEEPEST
                && x.number() < earlier.len()
                && earlier.get(*x).class == later.get(*y).class
                && is_plain(&later.get(*y).payload) =>
        {
            let object = widened_object(earlier, later, heap, *x, *y, depth + 1);
            *heap.get_mut(*y) = object;
            b.clone()
        }
        (Value::Method(x), Value::Method(y)) if x.0.is(&y.0) => b.clone(),
        _ => Value::unknown(REASON),
    }
}
fn is_plain(payload: &Payload) -> bool {
    matches!(
        payload,
        Payload::Plain
            | Payload::Tensor(_)
            | Payload::List(_)
            | Payload::Dict(_)
            | Payload::Set(_)
            | Payload::Wrapped(_)
    )
}

/// Sizes that differ are any size.
fn widened_tensor(a: Tensor, b: Tensor) -> Tensor {
    if a == b {
        return b;
    }
    let dtype = match (a.dtype(), b.dtype()) {
        (DType::Known(x), DType::Known(y)) if x == y => x.into(),
        _ => DType::unknown(),
    };
    let shape = match (a.shape().sizes(), b.shape().sizes()) {
        (Some(x), Some(y)) if x.len() == y.len() => Shape::new(
            x.iter()
                .zip(&y)
                .map(|(x, y)| if x.id() == y.id() { *y } else { Dim::symbol("size", 0, LARGEST_SIZE) }),
        ),
        _ if a.shape().id() == b.shape().id() => b.shape(),
        _ => Shape::unknown("loop"),
    };
    Tensor::given("loop", dtype, shape)
}
