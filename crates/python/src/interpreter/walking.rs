//! How many rounds a loop has left and what they are about: numbers, things that look alike, and either of them counted
//! or side by side.

use super::Interpreter;
use crate::heap::{Heap, Id, Iterator, Payload};
use crate::syntax::Name;
use crate::value::Value;
use semantics::dim::Dim;

/// What walks with others inside: `enumerate` and `zip`, as the prelude has them.
pub(super) enum Around {
    Counted(Value, Dim),
    SideBySide(Vec<Value>),
}

impl Interpreter {
    /// How many rounds are left of a loop over numbers or over things that look alike; 0 of all others.
    pub(super) fn rounds_left(&self, iterator: &Value) -> u64 {
        match self.payload(iterator) {
            Some(&Payload::Iterator(Iterator::Range { next, stop, step, .. })) if step != 0 => {
                let (Some(next), Some(stop)) = (next.known(), stop.known()) else { return 0 };
                let span = i128::from(stop) - i128::from(next);
                u64::try_from((span + i128::from(step - step.signum())) / i128::from(step)).unwrap_or(0)
            }
            // Pieces of a tensor: those to come look like the one that was.
            Some(Payload::Iterator(Iterator::Items(items, place))) if (1..items.len()).contains(place) => {
                let alike = items[*place..].iter().all(|item| self.heap.look_alike(&items[place - 1], item));
                if alike { (items.len() - place) as u64 } else { 0 }
            }
            _ => match self.around(iterator) {
                Some(Around::Counted(inner, _)) => self.rounds_left(&inner),
                Some(Around::SideBySide(parts)) => {
                    parts.iter().map(|part| self.rounds_left(part)).min().unwrap_or(0)
                }
                None => 0,
            },
        }
    }

    /// What a loop variable is in any of the rounds that are left.
    pub(super) fn item_in_general(&mut self, iterator: &Value, round: Dim) -> Value {
        let (last, next) = match self.payload(iterator) {
            Some(&Payload::Iterator(Iterator::Range { next, step, .. })) => {
                return Value::Int(next + Dim::from(step) * round);
            }
            Some(Payload::Iterator(Iterator::Items(items, place))) if (1..items.len()).contains(place) => {
                (items[place - 1].clone(), items[*place].clone())
            }
            _ => {
                return match self.around(iterator) {
                    Some(Around::Counted(inner, count)) => {
                        Value::tuple([Value::Int(count + round), self.item_in_general(&inner, round)])
                    }
                    Some(Around::SideBySide(parts)) => {
                        let items: Vec<Value> =
                            parts.iter().map(|part| self.item_in_general(part, round)).collect();
                        Value::tuple(items)
                    }
                    None => Value::unknown("an element of a long loop"),
                };
            }
        };
        let several = self.heap.alike(&last, &next);
        self.heap.one_of(&several)
    }

    /// The objects that change as a loop walks on.
    pub(super) fn walking_with(&self, iterator: &Value) -> Vec<Id> {
        let inside = match self.around(iterator) {
            Some(Around::Counted(inner, _)) => vec![inner],
            Some(Around::SideBySide(parts)) => parts,
            None => Vec::new(),
        };
        let inside = inside.iter().flat_map(|part| self.walking_with(part));
        iterator.as_object().into_iter().chain(inside).collect()
    }

    /// What is inside of an `enumerate` or of a `zip`.
    pub(super) fn around(&self, iterator: &Value) -> Option<Around> {
        let Payload::Plain = self.payload(iterator)? else { return None };
        let object = self.heap.get(iterator.as_object()?);
        let attribute = |name: Name| object.attributes.get(&name);
        match self.prelude_name(object.class)? {
            Name::ENUMERATE => {
                Some(Around::Counted(attribute(Name::ITERATOR)?.clone(), attribute(Name::COUNT)?.as_dim()?))
            }
            Name::ZIP => match self.payload(attribute(Name::ITERATORS)?)? {
                Payload::List(parts) => Some(Around::SideBySide(parts.clone())),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Heap {
    /// Whether two values are the same to everything that shapes can depend on.
    pub fn look_alike(&self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::Object(a), Value::Object(b)) => match (&self.get(*a).payload, &self.get(*b).payload) {
                (Payload::Tensor(a, one), Payload::Tensor(b, other)) => one == other && a.looks_like(*b),
                _ => a == b,
            },
            (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.look_alike(a, b))
            }
            (Value::Unknown(a), Value::Unknown(b)) => a.kind == b.kind,
            (Value::Float(_), Value::Float(_)) => true,
            _ => one.is(other),
        }
    }
}
