//! One value that stands for several: what all of them have in common, for lists that are only known by what their
//! elements look like.

use super::Interpreter;
use crate::heap::{Heap, Id, Object, Payload};
use crate::value::{BuiltIn, Unknown, Value};
use semantics::dim::{AtomId, AtomView, Dim, LARGEST_SIZE, Origin};
use semantics::dtype::DType;
use semantics::shape::{PieceView, Shape};
use semantics::tensor::{Content, Tensor};

/// Why something is not known after a loop, and where the sizes that stand for it come from.
pub(super) const REASON: &str = "it depends on how often a loop runs";
/// The name of tensors that stand for several.
const SEVERAL: &str = "loop";
/// Tuples inside tuples that are looked into.
const DEEPEST: usize = 4;

impl Interpreter {
    /// One of two values, where nobody knows which: an integer between them, or what both have in common.
    pub fn either(&mut self, a: &Value, b: &Value) -> Value {
        match (a.as_dim(), b.as_dim()) {
            (Some(x), Some(y)) if x.id() != y.id() => {
                let (low, high) = (x.bounds().0.min(y.bounds().0), x.bounds().1.max(y.bounds().1));
                let origin = Origin::computed("one of several, chosen by numbers that are not known");
                Value::Int(Dim::symbol_from("chosen", low, high, origin))
            }
            _ => self.heap.alike(a, b),
        }
    }
}

impl Heap {
    /// What is true of both values. The first itself, if that is all that was said of it.
    pub(super) fn alike(&mut self, a: &Value, b: &Value) -> Value {
        self.alike_within(a, b, 0)
    }
    /// What is true of all of them; `None` if there are none.
    pub(super) fn all_alike<'v>(&mut self, items: impl IntoIterator<Item = &'v Value>) -> Option<Value> {
        let mut items = items.into_iter();
        let first = items.next()?.clone();
        Some(items.fold(first, |common, item| self.alike(&common, item)))
    }

    /// One of those that a value stands for: what may differ between them is its own.
    pub fn one_of(&mut self, value: &Value) -> Value {
        match value {
            Value::Tuple(items) => Value::Tuple(items.iter().map(|item| self.one_of(item)).collect()),
            // Of two of them neither the length nor the truth is the same.
            Value::Unknown(unknown) if !unknown.harmless => Value::Unknown((**unknown).clone().into()),
            Value::Object(id) => {
                let object = self.get(*id);
                let payload = match &object.payload {
                    Payload::Tensor(tensor, gradient) if is_several(*tensor) => {
                        Payload::Tensor(one_of(*tensor), *gradient)
                    }
                    Payload::Wrapped(inner @ Value::Tuple(_)) => {
                        let inner = inner.clone();
                        Payload::Wrapped(self.one_of(&inner))
                    }
                    Payload::Plain
                        if self.is_of_library(object.class)
                            && object.attributes.values().all(|value| self.is_plain(value)) =>
                    {
                        let mut array = object.clone();
                        for (_, value) in array.attributes.iter_mut() {
                            *value = self.one_of(value);
                        }
                        return Value::Object(self.push(array));
                    }
                    _ => return value.clone(),
                };
                let object = Object { payload, ..self.get(*id).clone() };
                Value::Object(self.push(object))
            }
            _ => value.clone(),
        }
    }

    /// A new tensor that looks like one.
    pub fn another(&mut self, tensor: Id) -> Id {
        let mut object = self.get(tensor).clone();
        if let Payload::Tensor(tensor, _) = &mut object.payload {
            *tensor = Tensor::given("", tensor.dtype(), tensor.shape());
        }
        self.push(object)
    }

    /// Whether a value can be held at several places without saying that they hold the same sizes.
    pub(super) fn is_one(&self, value: &Value) -> bool {
        match value {
            Value::Tuple(items) => items.iter().all(|item| self.is_one(item)),
            Value::Object(id) => match &self.get(*id).payload {
                Payload::Tensor(tensor, _) => {
                    let sizes = tensor.shape().sizes();
                    sizes.is_some_and(|sizes| !sizes.iter().any(|size| is_any_size(*size)))
                }
                Payload::Wrapped(inner) => self.is_one(inner),
                _ => true,
            },
            _ => true,
        }
    }

    fn alike_within(&mut self, a: &Value, b: &Value, depth: usize) -> Value {
        if a.is(b) || depth > DEEPEST {
            return if a.is(b) { a.clone() } else { Value::unknown(REASON) };
        }
        match (a, b) {
            (Value::Unknown(known), other) if known.covers(other) => a.clone(),
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                let items: Vec<Value> =
                    x.iter().zip(y.iter()).map(|(x, y)| self.alike_within(x, y, depth + 1)).collect();
                let is_same = items.iter().zip(x.iter()).all(|(item, x)| item.is(x));
                if is_same { a.clone() } else { Value::tuple(items) }
            }
            (Value::Object(x), Value::Object(y)) => self.objects_alike(*x, *y, depth),
            _ => match (kind_of(a), kind_of(b)) {
                (Some(x), Some(y)) if x == y => Value::unknown_of(x, REASON),
                _ => a.either_real(b, REASON, false).unwrap_or_else(|| Value::unknown(REASON)),
            },
        }
    }

    /// Only what has no parts that somebody could change stands for several: tensors, arrays, and named tuples.
    fn objects_alike(&mut self, a: Id, b: Id, depth: usize) -> Value {
        let (first, second) = (self.get(a).clone(), self.get(b).clone());
        if first.class != second.class {
            return Value::unknown(REASON);
        }
        let payload = match (&first.payload, &second.payload) {
            (Payload::Tensor(x, one), Payload::Tensor(y, other)) => {
                let both = tensors_alike(*x, *y);
                let is_same =
                    both == *x && one == other && first.attributes.keys().eq(second.attributes.keys());
                if is_same && first.attributes.iter().all(|(name, value)| value.is(&second.attributes[name]))
                {
                    return Value::Object(a);
                }
                Payload::Tensor(both, one.either(*other))
            }
            (Payload::Wrapped(x), Payload::Wrapped(y)) => {
                let inner = self.alike_within(x, y, depth + 1);
                if inner.is(x) && first.attributes.is_empty() && second.attributes.is_empty() {
                    return Value::Object(a);
                }
                Payload::Wrapped(inner)
            }
            // An array of a library holds a tensor.
            (Payload::Plain, Payload::Plain)
                if self.is_of_library(first.class)
                    && first.attributes.keys().eq(second.attributes.keys())
                    && first.attributes.values().all(|value| self.is_plain(value)) =>
            {
                return self.arrays_alike(a, &first, &second, depth);
            }
            _ => return Value::unknown(REASON),
        };
        let mut attributes = first.attributes;
        attributes.retain(|name, value| second.attributes.get(name).is_some_and(|other| other.is(value)));
        Value::Object(self.push(Object { class: first.class, attributes, payload }))
    }
}

impl Heap {
    /// Whether a class is one of a library.
    pub(super) fn is_of_library(&self, class: Id) -> bool {
        matches!(&self.get(class).payload, Payload::Class(class) if class.is_library)
    }
    /// A tensor or something that nobody can change.
    fn is_plain(&self, value: &Value) -> bool {
        match value {
            Value::Object(id) => matches!(self.get(*id).payload, Payload::Tensor(..)),
            _ => true,
        }
    }
    fn arrays_alike(&mut self, a: Id, first: &Object, second: &Object, depth: usize) -> Value {
        let mut both = first.clone();
        for (name, value) in both.attributes.iter_mut() {
            *value = self.alike_within(value, &second.attributes[name], depth + 1);
        }
        let is_same = both.attributes.iter().all(|(name, value)| value.is(&first.attributes[name]));
        if is_same { Value::Object(a) } else { Value::Object(self.push(both)) }
    }
}

impl Unknown {
    /// Whether a value is one of those that this stands for.
    pub(super) fn covers(&self, value: &Value) -> bool {
        match value {
            Value::Unknown(other) if std::ptr::eq(self, &**other) => true,
            _ if self.quotient.is_some() => false,
            value if self.is_real => value.is_real(),
            Value::Unknown(other) => {
                (other.harmless || !self.harmless) && (self.kind.is_none() || self.kind == other.kind)
            }
            value => !self.harmless && (self.kind.is_none() || self.kind == kind_of(value)),
        }
    }
}

/// The type of a value that is no object.
pub(super) fn kind_of(value: &Value) -> Option<BuiltIn> {
    match value {
        Value::Unknown(unknown) => unknown.kind,
        Value::Object(_) => None,
        value => super::built_in_of(value),
    }
}

/// What is true of both tensors: sizes that differ are any size. The first itself, if it says no more than that.
pub(super) fn tensors_alike(a: Tensor, b: Tensor) -> Tensor {
    tensors_by(a, b, &mut sizes_alike)
}
/// The same, with the caller's word on sizes.
pub(super) fn tensors_by(a: Tensor, b: Tensor, size: &mut dyn FnMut(Dim, Dim) -> Dim) -> Tensor {
    if a == b {
        return a;
    }
    let dtype = match (a.dtype(), b.dtype()) {
        (DType::Known(x), DType::Known(y)) if x == y => x.into(),
        _ => DType::unknown(),
    };
    let shape = match (a.shape().sizes(), b.shape().sizes()) {
        (Some(x), Some(y)) if x.len() == y.len() => {
            let sizes: Vec<Dim> = x.iter().zip(&y).map(|(x, y)| size(*x, *y)).collect();
            let is_same = sizes.iter().zip(&x).all(|(size, x)| size.id() == x.id());
            if is_same { a.shape() } else { Shape::new(sizes) }
        }
        _ if a.shape().id() == b.shape().id() || is_any_shape(a.shape()) => a.shape(),
        _ => any_shape(),
    };
    if is_several(a) && shape.id() == a.shape().id() && dtype.known() == a.dtype().known() {
        return a;
    }
    several(dtype, shape)
}
fn is_any_shape(shape: Shape) -> bool {
    match shape.pieces().as_slice() {
        [PieceView::Stretch { variable, front: 0, back: 0 }] => &*variable.origin().text == REASON,
        _ => false,
    }
}
fn one_of(tensor: Tensor) -> Tensor {
    let shape = match tensor.shape().sizes() {
        Some(sizes) => Shape::new(sizes.iter().map(|size| match is_any_size(*size) {
            true => any_size(size.bounds().0),
            false => *size,
        })),
        None if is_any_shape(tensor.shape()) => any_shape(),
        None => tensor.shape(),
    };
    several(tensor.dtype(), shape)
}
fn any_shape() -> Shape {
    Shape::unknown_from(SEVERAL, Origin::computed(REASON))
}
pub(super) fn several(dtype: DType, shape: Shape) -> Tensor {
    Tensor::given(SEVERAL, dtype, shape)
}
fn is_several(tensor: Tensor) -> bool {
    matches!(tensor.content(), Content::Given) && &*tensor.name() == SEVERAL
}

/// A size that may be either, or any further one on the way that they take.
pub(super) fn sizes_alike(a: Dim, b: Dim) -> Dim {
    let (low, b_low) = (a.bounds().0, b.bounds().0);
    // No size is beyond what an unknown one may be.
    if a.id() == b.id() || (is_any_size(a) && low <= b_low) {
        return a;
    }
    any_size(if b_low >= low { low.max(0) } else { 0 })
}
pub(super) fn any_size(low: i64) -> Dim {
    Dim::symbol_from("size", low, LARGEST_SIZE, Origin::computed(REASON))
}
/// Whether a size stands for several.
pub(super) fn is_any_size(size: Dim) -> bool {
    size.known().is_none() && size.as_atom().is_some_and(|atom| comes_from(atom, REASON))
}
/// Whether a number is known less well than the program knows it.
pub(super) fn is_vague(atom: AtomId) -> bool {
    comes_from(atom, REASON) || comes_from(atom, super::lengths::OUTSIDE)
}
fn comes_from(atom: AtomId, origin: &str) -> bool {
    matches!(atom.view(), AtomView::Symbol(symbol) if &*symbol.origin().text == origin)
}
