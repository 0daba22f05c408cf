//! Which objects an object holds, and how often each object of a heap is held.

use crate::heap::{Block, Function, Generator, Heap, Id, Iterator, Object, Payload, Phase};
use crate::value::{Pairs, Value};

/// How often each object is held by others; objects that nobody can reach any more count as holders, too.
pub(crate) fn holders(heap: &Heap) -> Vec<u32> {
    let mut holders = vec![0; heap.len()];
    for number in 0..heap.len() {
        heap.get(Id::numbered(number)).each_held(&mut |id| {
            if let Some(count) = holders.get_mut(id.number()) {
                *count += 1;
            }
        });
    }
    holders
}

impl Object {
    /// Calls `f` with each object that this one holds, as often as it does; classes hold their instances not.
    fn each_held(&self, f: &mut dyn FnMut(Id)) {
        self.attributes.values().for_each(|value| value.each_held(f));
        match &self.payload {
            Payload::Plain | Payload::Hole | Payload::Opaque(_) | Payload::Tensor(..) => {}
            Payload::List(items) => items.iter().for_each(|item| item.each_held(f)),
            Payload::Many { element, .. } => element.each_held(f),
            Payload::Dict(pairs) | Payload::Set(pairs) => in_pairs(pairs, f),
            Payload::View(of, _) => f(*of),
            Payload::Wrapped(inner) | Payload::StaticMethod(inner) | Payload::ClassMethod(inner) => {
                inner.each_held(f);
            }
            Payload::Function(function) => function.each_held(f),
            Payload::Class(class) => class.bases.iter().for_each(|base| f(*base)),
            Payload::Module { scope, .. } => f(*scope),
            Payload::Scope { around } => around.iter().for_each(|around| f(*around)),
            Payload::Iterator(iterator) => iterator.each_held(f),
            Payload::Property { get, set, delete } => {
                [get, set, delete].into_iter().for_each(|value| value.each_held(f));
            }
            Payload::Super { after, on } => {
                f(*after);
                on.each_held(f);
            }
            Payload::Generator(generator) => generator.each_held(f),
        }
    }
}

fn in_pairs(pairs: &Pairs, f: &mut dyn FnMut(Id)) {
    for (key, value) in pairs.values() {
        key.each_held(f);
        value.each_held(f);
    }
}

impl Value {
    fn each_held(&self, f: &mut dyn FnMut(Id)) {
        match self {
            Value::Object(id) => f(*id),
            Value::Tuple(items) => items.iter().for_each(|item| item.each_held(f)),
            Value::Slice(parts) => parts.iter().for_each(|part| part.each_held(f)),
            Value::Method(both) => {
                both.0.each_held(f);
                both.1.each_held(f);
            }
            Value::None
            | Value::Ellipsis
            | Value::NotImplemented
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::Bytes(_)
            | Value::Native(_)
            | Value::Unknown(_) => {}
        }
    }
}

impl Function {
    fn each_held(&self, f: &mut dyn FnMut(Id)) {
        f(self.globals);
        self.around.into_iter().chain(self.class).for_each(&mut *f);
        self.defaults.iter().flatten().for_each(|value| value.each_held(f));
    }
}

impl Iterator {
    fn each_held(&self, f: &mut dyn FnMut(Id)) {
        match self {
            Iterator::Items(items, _) => items.iter().for_each(|item| item.each_held(f)),
            Iterator::List(of, _) | Iterator::Pairs(of, ..) => f(*of),
            Iterator::Range { .. } => {}
            Iterator::Indexed(value, _) | Iterator::Unknown(value, _) => value.each_held(f),
            Iterator::Called(callee, last) => {
                callee.each_held(f);
                last.each_held(f);
            }
        }
    }
}

impl Generator {
    fn each_held(&self, f: &mut dyn FnMut(Id)) {
        self.function.each_held(f);
        f(self.scope);
        self.receiver.iter().for_each(|value| value.each_held(f));
        for block in &self.blocks {
            match block {
                Block::For(_, value) | Block::With(_, _, value) | Block::Delegate(value, _) => {
                    value.each_held(f);
                }
                Block::Try(_, Phase::Handler(value)) => value.each_held(f),
                Block::Body(..) | Block::While(..) | Block::Try(..) => {}
            }
        }
    }
}
