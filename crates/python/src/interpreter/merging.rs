//! Two states that a branch left, as one: what differs depends on the condition, and objects that each side made for
//! itself become one object where they are of a kind.

use super::widening::elements;
use crate::heap::{Heap, Id, Object, Payload};
use crate::references::holders;
use crate::value::Value;
use program::path::{merge, of_elements};
use rustc_hash::FxHashMap;
use semantics::dim::Dim;
use semantics::prop::Prop;
use semantics::tensor::Tensor;
use std::cell::OnceCell;

/// Objects inside objects that are brought together.
const DEEPEST: usize = 40;

pub(super) struct Merge<'h> {
    condition: Prop,
    /// Objects below this were there before the branch.
    known: usize,
    first: &'h Heap,
    second: &'h Heap,
    joined: Heap,
    /// Objects that became one, so that they stay one wherever they are met.
    pairs: FxHashMap<(Id, Id), Id>,
    depth: usize,
    /// What cannot be one is not known, instead of being no state at all.
    is_loose: bool,
    /// Whether somebody follows values, and tensors that are one of two: both, and what stands for them.
    follows: bool,
    chosen: Vec<[Tensor; 3]>,
    /// How often the objects of each side are held, counted when that is asked for.
    holders: [OnceCell<Vec<u32>>; 2],
}

impl<'h> Merge<'h> {
    /// The objects that the second side made come after those of the first.
    pub(super) fn new(condition: Prop, known: usize, first: &'h Heap, second: &'h Heap) -> Merge<'h> {
        let joined = first.joined_with(second);
        let pairs = FxHashMap::default();
        Merge {
            condition,
            known,
            first,
            second,
            joined,
            pairs,
            depth: 0,
            is_loose: false,
            follows: false,
            chosen: Vec::new(),
            holders: Default::default(),
        }
    }
    pub(super) fn loosely(self, is_loose: bool) -> Merge<'h> {
        Merge { is_loose, ..self }
    }

    pub(super) fn following(self, follows: bool) -> Merge<'h> {
        Merge { follows, ..self }
    }
    /// A tensor that is one where the condition holds and the other where it does not.
    fn tensor(&mut self, a: Tensor, b: Tensor) -> Tensor {
        let merged = merge(self.condition, a, b);
        if !self.follows || merged == a {
            return merged;
        }
        let is_alike = a.dtype().known().is_some() && a.shape().id() == b.shape().id();
        match of_elements(self.condition).filter(|_| is_alike && a.shape().sizes().is_some()) {
            Some(condition) => Tensor::from_elements(a.dtype(), a.shape(), move |index| {
                condition.select(a.at(index), b.at(index))
            }),
            None => {
                self.chosen.push([a, b, merged]);
                merged
            }
        }
    }

    /// The state after both sides, and the tensors that are one of two; `None` if they cannot be one.
    pub(super) fn heap(mut self) -> Option<(Heap, Vec<[Tensor; 3]>)> {
        for id in self.first.differences(self.second) {
            if id.number() < self.known {
                let object = self.object(self.first.get(id), self.second.get(id))?;
                self.joined.put(id, object);
            }
        }
        Some((self.joined, self.chosen))
    }

    /// One value that is the first where the condition holds and the second where it does not.
    pub(super) fn value(&mut self, a: &Value, b: &Value) -> Option<Value> {
        if a.is(b) {
            return Some(a.clone());
        }
        match self.exactly(a, b) {
            None if self.is_loose => Some(Value::vague("it depends on a branch in a loop")),
            value => value,
        }
    }
    fn exactly(&mut self, a: &Value, b: &Value) -> Option<Value> {
        Some(match (a, b) {
            (Value::Int(a), Value::Int(b)) => Value::Int(Dim::select(self.condition, *a, *b)),
            (Value::Bool(a), Value::Bool(b)) => Value::Bool((self.condition & *a) | (!self.condition & *b)),
            (Value::Float(_), Value::Float(_)) => {
                Value::unknown_of(crate::value::BuiltIn::Float, "a number that depends on a branch")
            }
            (Value::Unknown(x), Value::Unknown(y)) if x.kind == y.kind && x.is_real == y.is_real => a.clone(),
            (Value::Unknown(unknown), other) | (other, Value::Unknown(unknown))
                if unknown.kind != super::alike::kind_of(other) && a.is_real() && b.is_real() =>
            {
                return a.either_real(b, &unknown.reason, unknown.is_vague);
            }
            (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => {
                return a.either_real(b, "a number that depends on a branch", false);
            }
            (Value::Unknown(unknown), other) | (other, Value::Unknown(unknown)) => {
                // Of which type it is, is known if both are of it.
                let alike = match other {
                    Value::Text(_) => unknown.kind == Some(crate::value::BuiltIn::Text),
                    Value::Int(_) => unknown.kind == Some(crate::value::BuiltIn::Int),
                    Value::Float(_) => unknown.kind == Some(crate::value::BuiltIn::Float),
                    Value::Bool(_) => unknown.kind == Some(crate::value::BuiltIn::Bool),
                    _ => false,
                };
                if alike { Value::Unknown(unknown.clone()) } else { unknown.derived(unknown.reason.clone()) }
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                let items = a.iter().zip(b.iter()).map(|(a, b)| self.value(a, b));
                Value::Tuple(items.collect::<Option<_>>()?)
            }
            (Value::Object(a), Value::Object(b)) => Value::Object(self.pair(*a, *b)?),
            _ => return None,
        })
    }

    /// One object for two: tensors of one type and rank, or what each side made for itself.
    fn pair(&mut self, a: Id, b: Id) -> Option<Id> {
        if let Some(&known) = self.pairs.get(&(a, b)) {
            return Some(known);
        }
        let (first, second) = (self.first.get(a), self.second.get(b));
        let alike = match (&first.payload, &second.payload) {
            (Payload::Tensor(x, _), Payload::Tensor(y, _)) => {
                let rank = |tensor: Tensor| tensor.shape().sizes().map(|sizes| sizes.len());
                x.dtype().known() == y.dtype().known() && rank(*x) == rank(*y)
            }
            (Payload::List(_), Payload::List(_))
            | (Payload::Dict(_), Payload::Dict(_))
            | (Payload::Plain, Payload::Plain)
            | (Payload::Wrapped(_), Payload::Wrapped(_)) => {
                match [a, b].map(|id| id.number() >= self.known) {
                    [true, true] => true,
                    [true, false] => self.is_held_here_only(1, b),
                    [false, true] => self.is_held_here_only(0, a),
                    [false, false] => false,
                }
            }
            _ => false,
        };
        if !alike || self.depth >= DEEPEST {
            return None;
        }
        // Known under its number before it is complete: it may hold itself.
        let id = self.joined.push(first.clone());
        self.pairs.insert((a, b), id);
        self.depth += 1;
        let object = self.object(first, second);
        self.depth -= 1;
        *self.joined.get_mut(id) = object?;
        Some(id)
    }

    /// Whether no other object than the one that is being brought together holds one: then nobody can tell it from a
    /// copy.
    fn is_held_here_only(&self, side: usize, id: Id) -> bool {
        let heap = [self.first, self.second][side];
        self.holders[side].get_or_init(|| holders(heap))[id.number()] <= 1
    }

    fn object(&mut self, a: &Object, b: &Object) -> Option<Object> {
        if a.class != b.class {
            return None;
        }
        let payload = match (&a.payload, &b.payload) {
            (Payload::Tensor(a, first), Payload::Tensor(b, second)) => {
                Payload::Tensor(self.tensor(*a, *b), first.either(*second))
            }
            (Payload::List(a), Payload::List(b)) if a.len() == b.len() => {
                let items = a.iter().zip(b).map(|(a, b)| self.value(a, b));
                Payload::List(items.collect::<Option<_>>()?)
            }
            (Payload::Many { element: a, length }, Payload::Many { element: b, length: other }) => {
                let element = self.joined.alike(a, b);
                Payload::Many { element, length: Dim::select(self.condition, *length, *other) }
            }
            (Payload::Opaque(a), Payload::Opaque(_)) => Payload::Opaque(a.clone()),
            (Payload::List(_) | Payload::Many { .. }, Payload::List(_) | Payload::Many { .. })
                if self.is_loose =>
            {
                let ((a, length), (b, other)) = (elements(&a.payload), elements(&b.payload));
                let element = self.joined.all_alike(a.iter().chain(b))?;
                Payload::Many { element, length: Dim::select(self.condition, length, other) }
            }
            (Payload::Dict(_), Payload::Dict(_)) | (Payload::Set(_), Payload::Set(_))
                if self.is_loose && !same_keys(&a.payload, &b.payload) =>
            {
                Payload::Opaque("it depends on a branch in a loop".into())
            }
            (Payload::Dict(a), Payload::Dict(b)) if a.keys().eq(b.keys()) => {
                let mut pairs = a.clone();
                for ((_, (_, value)), (_, other)) in pairs.iter_mut().zip(b.values()) {
                    *value = self.value(value, other)?;
                }
                Payload::Dict(pairs)
            }
            (Payload::Plain, Payload::Plain) => Payload::Plain,
            (Payload::Scope { around }, Payload::Scope { .. }) => Payload::Scope { around: *around },
            (Payload::Wrapped(a), Payload::Wrapped(b)) => Payload::Wrapped(self.value(a, b)?),
            (Payload::Module { name, scope }, Payload::Module { .. }) => {
                Payload::Module { name: name.clone(), scope: *scope }
            }
            _ => return None,
        };
        if let (Payload::Dict(x), Payload::Dict(y), Payload::Opaque(_)) = (&a.payload, &b.payload, &payload) {
            let mut object = Object { class: a.class, attributes: a.attributes.clone(), payload };
            self.joined.some_dict([x, y], &mut object);
            return Some(object);
        }
        let mut attributes = a.attributes.clone();
        for (name, value) in b.attributes.iter() {
            match attributes.get_mut(name) {
                Some(own) => *own = self.value(own, value)?,
                // A name that only one side sets is one that nobody may rely on.
                // What is known of a tensor on one side only is not known of both.
                None if matches!(payload, Payload::Tensor(..)) => {}
                None if matches!(payload, Payload::Scope { .. }) => {
                    attributes.insert(*name, Value::unknown("set in one branch only"));
                }
                None if self.is_loose => {
                    attributes.insert(*name, Value::vague("set in one branch only"));
                }
                None => return None,
            }
        }
        if matches!(payload, Payload::Tensor(..)) {
            attributes.retain(|name, _| b.attributes.contains_key(name));
        }
        for (name, value) in attributes.iter_mut() {
            if !b.attributes.contains_key(name) {
                if !matches!(payload, Payload::Scope { .. }) && !self.is_loose {
                    return None;
                }
                *value = Value::unknown("set in one branch only");
            }
        }
        Some(Object { class: a.class, attributes, payload })
    }
}

fn same_keys(a: &Payload, b: &Payload) -> bool {
    match (a, b) {
        (Payload::Dict(a) | Payload::Set(a), Payload::Dict(b) | Payload::Set(b)) => a.keys().eq(b.keys()),
        _ => false,
    }
}
