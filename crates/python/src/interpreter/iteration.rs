//! Iterating: what can be walked through, one element after the other.

use super::generators::{Sent, Step};
use super::{Flow, Interpreter, Outcome};
use crate::heap::{Id, Iterator, Part, Payload};
use crate::syntax::Name;
use crate::value::{BuiltIn, Pairs, Value};
use semantics::dim::Dim;
use std::rc::Rc;

impl Interpreter {
    pub fn new_iterator(&mut self, items: Vec<Value>) -> Value {
        self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(Iterator::Items(items.into(), 0)))
    }

    /// `iter(value)`.
    pub fn iterate(&mut self, value: &Value) -> Outcome {
        let items: Vec<Value> = match value {
            Value::Tuple(items) => items.to_vec(),
            Value::Text(text) => text.chars().map(|letter| Value::text(&letter.to_string())).collect(),
            Value::Bytes(bytes) => bytes.iter().map(|&byte| Value::int(byte.into())).collect(),
            Value::Unknown(unknown) if unknown.is_number() => return self.not_iterable(value),
            Value::Unknown(unknown) => {
                let element = unknown.derived(format!("an element of something unknown: {}", unknown.reason));
                return Ok(self.endless(element));
            }
            Value::Object(id) => match &self.heap.get(*id).payload {
                Payload::Iterator(_) | Payload::Generator(_) => return Ok(value.clone()),
                Payload::List(_) if self.has_no_iter(value) => {
                    let iterator = Iterator::List(*id, 0);
                    return Ok(self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator)));
                }
                Payload::Dict(pairs) | Payload::Set(pairs) if self.has_no_iter(value) => {
                    let iterator = Iterator::Pairs(*id, Part::Keys, 0, pairs.len());
                    return Ok(self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator)));
                }
                Payload::Many { element, .. } if self.has_no_iter(value) => {
                    let element = element.clone();
                    return Ok(self.endless(element));
                }
                Payload::Opaque(reason) => {
                    let element = Value::unknown(&**reason);
                    return Ok(self.endless(element));
                }
                Payload::View(dict, part) => {
                    let count = self.pairs_behind(*dict).map_or(0, |pairs| pairs.len());
                    let iterator = Iterator::Pairs(*dict, *part, 0, count);
                    return Ok(self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator)));
                }
                Payload::Wrapped(inner) if self.has_no_iter(value) => {
                    let inner = inner.clone();
                    return self.iterate(&inner);
                }
                _ => {
                    return match self.quick_iterator(value) {
                        Some(iterator) => Ok(iterator),
                        None => self.iterate_object(value),
                    };
                }
            },
            _ => return self.not_iterable(value),
        };
        Ok(self.new_iterator(items))
    }
    /// An iterator of unknown length.
    pub fn endless(&mut self, element: Value) -> Value {
        let iterator = Iterator::Unknown(element, 0);
        self.has_endless = true;
        self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator))
    }
    pub fn range_iterator(&mut self, next: Dim, stop: Dim, step: i64, is_open: bool) -> Value {
        let is_open = is_open || next.known().is_none() || stop.known().is_none();
        self.has_endless |= is_open;
        let iterator = Iterator::Range { next, stop, step, given: 0, is_open };
        self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator))
    }
    /// The next element, for a loop that also takes one that stands for all there are.
    pub(super) fn next_in_general(&mut self, iterator: &Value) -> Outcome<Option<Value>> {
        let outer = std::mem::replace(&mut self.general_elements, MOST_GENERAL);
        let next = self.next(iterator);
        self.general_elements = outer;
        next
    }
    /// Runs something that takes elements one by one, none that stands for all.
    pub(super) fn one_by_one<T>(&mut self, f: impl FnOnce(&mut Interpreter) -> T) -> T {
        let outer = std::mem::take(&mut self.general_elements);
        let result = f(self);
        self.general_elements = outer;
        result
    }
    /// Whether what has no known length gives one more element, after the first few: one that stands for all.
    fn gives_in_general(&mut self) -> bool {
        let gives = self.general_elements > 0;
        self.general_elements = self.general_elements.saturating_sub(1);
        self.generals += u64::from(gives);
        self.open_ends += u64::from(!gives);
        gives
    }
    fn pairs_behind(&self, dict: Id) -> Option<&Pairs> {
        match &self.heap.get(dict).payload {
            Payload::Dict(pairs) | Payload::Set(pairs) => Some(pairs),
            _ => None,
        }
    }
    /// What a view shows.
    pub fn viewed(&self, dict: Id, part: Part) -> Vec<Value> {
        let pairs = self.pairs_behind(dict);
        pairs.map_or_else(Vec::new, |pairs| pairs.values().map(|pair| part.of(pair)).collect())
    }
    fn has_no_iter(&self, value: &Value) -> bool {
        let class = self.class_of(value);
        class.is_none_or(|class| self.in_order(class, Name::ITER).is_none())
    }
    fn not_iterable(&mut self, value: &Value) -> Outcome {
        let message = format!("'{}' object is not iterable", self.type_name(value));
        self.raise("TypeError", message)
    }
    fn iterate_object(&mut self, value: &Value) -> Outcome {
        if let Some(iterator) = self.try_special(value, "__iter__", Vec::new())? {
            return Ok(iterator);
        }
        let class = self.class_of(value);
        if class.is_some_and(|class| self.in_order(class, "__getitem__".into()).is_some()) {
            let iterator = Iterator::Indexed(value.clone(), 0);
            return Ok(self.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator)));
        }
        self.not_iterable(value)
    }

    /// The next element; `None` at the end.
    pub fn next(&mut self, iterator: &Value) -> Outcome<Option<Value>> {
        let Value::Object(id) = iterator else { return Ok(None) };
        if let Payload::Generator(_) = self.heap.get(*id).payload {
            return Ok(match self.resume(*id, Sent::Value(Value::None))? {
                Step::Yielded(value) => Some(value),
                Step::Returned(_) => None,
            });
        }
        let Payload::Iterator(state) = &self.heap.get(*id).payload else {
            if let Some(next) = self.quick_next(*id) {
                return next;
            }
            return match self.call_special(iterator, "__next__", Vec::new()) {
                Ok(value) => Ok(Some(value)),
                Err(Flow::Raise(exception))
                    if self.is_instance_of_named(&Value::Object(exception), "StopIteration") =>
                {
                    Ok(None)
                }
                Err(flow) => Err(flow),
            };
        };
        let (value, state) = match state.clone() {
            Iterator::Items(items, place) => match items.get(place).cloned() {
                Some(value) => (value, Iterator::Items(items, place + 1)),
                None => return Ok(None),
            },
            Iterator::List(list, place) => match &self.heap.get(list).payload {
                Payload::List(items) if place < items.len() => {
                    (items[place].clone(), Iterator::List(list, place + 1))
                }
                _ => return Ok(None),
            },
            Iterator::Range { next, stop, step, given, is_open } => {
                let goes_on = if step > 0 { next.lt(stop) } else { next.gt(stop) };
                let verdict = match goes_on.known() {
                    Some(known) => Some(known),
                    None => self.decide_quietly(goes_on),
                };
                if verdict == Some(false) || is_open && given >= ROUNDS && !self.gives_in_general() {
                    return Ok(None);
                }
                if verdict.is_none() {
                    self.path.context.assume(goes_on);
                    self.open_rounds.push(goes_on);
                    self.supposed += 1;
                }
                self.given_of_open += u64::from(is_open);
                (
                    Value::Int(next),
                    Iterator::Range { next: next + step, stop, step, given: given + 1, is_open },
                )
            }
            Iterator::Unknown(element, given) => {
                if given >= ROUNDS && !self.gives_in_general() {
                    return Ok(None);
                }
                self.given_of_open += 1;
                (self.heap.one_of(&element), Iterator::Unknown(element, (given + 1).min(ROUNDS)))
            }
            Iterator::Called(function, sentinel) => {
                let value = self.call(&function, Vec::new(), Vec::new())?;
                let same = self.compare(crate::syntax::Comparison::Equal, &value, &sentinel)?;
                let same = self.truth(&same)?;
                if self.decide(same)? {
                    return Ok(None);
                }
                return Ok(Some(value));
            }
            Iterator::Pairs(dict, part, place, count) => {
                let (next, now) = match self.pairs_behind(dict) {
                    Some(pairs) => (pairs.get_index(place).map(|(_, pair)| part.of(pair)), pairs.len()),
                    None => (None, count),
                };
                if now != count {
                    let what = if matches!(self.heap.get(dict).payload, Payload::Set(_)) {
                        "Set"
                    } else {
                        "dictionary"
                    };
                    return self.raise("RuntimeError", format!("{what} changed size during iteration"));
                }
                match next {
                    Some(value) => (value, Iterator::Pairs(dict, part, place + 1, count)),
                    None => return Ok(None),
                }
            }
            Iterator::Indexed(object, place) => {
                match self.call_special(&object, "__getitem__", vec![Value::int(place)]) {
                    Ok(value) => (value, Iterator::Indexed(object, place + 1)),
                    Err(Flow::Raise(exception))
                        if self.is_instance_of_named(&Value::Object(exception), "IndexError") =>
                    {
                        return Ok(None);
                    }
                    Err(flow) => return Err(flow),
                }
            }
        };
        self.heap.get_mut(*id).payload = Payload::Iterator(state);
        Ok(Some(value))
    }

    /// All elements.
    pub fn items_of(&mut self, value: &Value) -> Outcome<Vec<Value>> {
        match value {
            Value::Tuple(items) => return Ok(items.to_vec()),
            Value::Unknown(unknown) => return Err(Flow::Lost(unknown.reason.as_str().into())),
            Value::Object(id) => match &self.heap.get(*id).payload {
                Payload::List(items) if self.has_no_iter(value) => return Ok(items.clone()),
                Payload::View(dict, part) => return Ok(self.viewed(*dict, *part)),
                Payload::Opaque(reason) => return Err(Flow::Lost(reason.clone())),
                _ => {}
            },
            _ => {}
        }
        let iterator = self.iterate(value)?;
        let mut items = Vec::new();
        let at = self.frame().at;
        let ends = self.open_ends;
        while let Some(item) = self.one_by_one(|run| run.next(&iterator))? {
            items.push(item);
            self.step(at)?;
            if items.len() > super::operators::LONGEST {
                return Err(Flow::Lost("a sequence that is too long to follow".into()));
            }
        }
        if self.open_ends > ends {
            return Err(Flow::Lost("how many elements there are is not known".into()));
        }
        Ok(items)
    }

    /// The pairs of a mapping.
    pub fn pairs_of(&mut self, mapping: &Value) -> Outcome<Vec<(Value, Value)>> {
        if let Some(Payload::Dict(pairs)) = self.payload(mapping) {
            return Ok(pairs.values().cloned().collect());
        }
        if let Value::Unknown(unknown) = self.unwrapped(mapping) {
            return Err(Flow::Lost(unknown.reason.as_str().into()));
        }
        let keys = self.call_special(mapping, "keys", Vec::new())?;
        let keys: Rc<[Value]> = self.items_of(&keys)?.into();
        let mut pairs = Vec::with_capacity(keys.len());
        for key in keys.iter() {
            pairs.push((key.clone(), self.item(mapping, key)?));
        }
        Ok(pairs)
    }
}

/// Elements of something of unknown length that are given one by one.
pub(super) const ROUNDS: usize = 2;
/// Elements that stand for all, in one round: several things may be walked through at once.
const MOST_GENERAL: usize = 8;

impl Part {
    fn of(self, (key, value): &(Value, Value)) -> Value {
        match self {
            Part::Keys => key.clone(),
            Part::Values => value.clone(),
            Part::Items => Value::tuple([key.clone(), value.clone()]),
        }
    }
}
