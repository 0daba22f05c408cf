//! Subscripts: lists, tuples, texts, dictionaries and whatever defines `__getitem__`.

use super::{Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::syntax::Name;
use crate::value::{BuiltIn, Key, Value};
use semantics::prop::Prop;
use std::rc::Rc;

impl Interpreter {
    pub fn item(&mut self, object: &Value, index: &Value) -> Outcome {
        if let Some(list) = self.several(object) {
            return self.item_of_several(&list, index);
        }
        if let Some(value) = self.value_of_some(object) {
            return Ok(value);
        }
        if let Value::Unknown(unknown) = &self.unwrapped(object)
            && !matches!(object, Value::Unknown(unknown) if unknown.is_number())
        {
            return Ok(unknown.derived(format!("an element of something unknown: {}", unknown.reason)));
        }
        if let Some(result) = self.try_special(object, "__getitem__", vec![index.clone()])? {
            return Ok(result);
        }
        if self.is_class(object) {
            return self.subscripted_class(object, index);
        }
        match self.unwrapped(object) {
            Value::Tuple(items) => match self.places(index, items.len(), "tuple")? {
                Places::One(place) => Ok(items[place].clone()),
                Places::Many(places) => {
                    Ok(Value::tuple(places.into_iter().map(|place| items[place].clone())))
                }
                Places::Unknown => self.item_somewhere(index, &items, "tuple"),
            },
            Value::Text(text) => {
                let letters: Vec<char> = text.chars().collect();
                match self.places(index, letters.len(), "string")? {
                    Places::One(place) => Ok(Value::text(&letters[place].to_string())),
                    Places::Many(places) => Ok(Value::Text(
                        places.into_iter().map(|place| letters[place]).collect::<String>().into(),
                    )),
                    Places::Unknown => {
                        Ok(Value::unknown_of(BuiltIn::Text, "a part of a text at an unknown place"))
                    }
                }
            }
            Value::Bytes(bytes) => match self.places(index, bytes.len(), "bytes")? {
                Places::One(place) => Ok(Value::int(bytes[place].into())),
                Places::Many(places) => {
                    Ok(Value::Bytes(places.into_iter().map(|place| bytes[place]).collect()))
                }
                Places::Unknown => Ok(Value::unknown("bytes at an unknown place")),
            },
            Value::Object(id) => self.item_of_object(id, object, index),
            other => {
                let message = format!("'{}' object is not subscriptable", self.type_name(&other));
                self.raise("TypeError", message)
            }
        }
    }

    fn item_of_object(&mut self, id: Id, object: &Value, index: &Value) -> Outcome {
        match &self.heap.get(id).payload {
            Payload::List(items) => {
                let items: Rc<[Value]> = items.as_slice().into();
                match self.places(index, items.len(), "list")? {
                    Places::One(place) => Ok(items[place].clone()),
                    Places::Many(places) => {
                        let items = places.into_iter().map(|place| items[place].clone()).collect();
                        Ok(self.new_list(items))
                    }
                    Places::Unknown => self.item_somewhere(index, &items, "list"),
                }
            }
            Payload::Dict(_) => {
                if !self.is_known_key(index)
                    && let Some(class) = self.class_of(object)
                    && self.in_order(class, Name::new("__missing__")).is_some()
                {
                    // It may be there, or be made.
                    let reason = "which keys there are is not known";
                    self.forget_all(object, reason.into());
                    return Ok(Value::unknown(reason));
                }
                if let (Value::Unknown(unknown), Payload::Dict(pairs)) = (index, &self.heap.get(id).payload) {
                    let reason = format!("an element under an unknown key: {}", unknown.reason);
                    let values: Vec<Value> = pairs.values().map(|(_, value)| value.clone()).collect();
                    // Which one it is nobody knows, but all that they have in common.
                    return Ok(match self.heap.all_alike(&values) {
                        Some(Value::Unknown(known)) if known.kind.is_none() => Value::unknown(reason),
                        Some(value) if values.len() > 1 => self.heap.one_of(&value),
                        Some(value) => value,
                        None => Value::unknown(reason),
                    });
                }
                let key = self.key(index)?;
                if let Payload::Dict(pairs) = &self.heap.get(id).payload
                    && let Some((_, value)) = pairs.get(&key)
                {
                    return Ok(value.clone());
                }
                if let Value::Int(number) = self.unwrapped(index)
                    && number.known().is_none()
                {
                    let values = self.under_numbers(id);
                    if let Some(values) = &values {
                        let is_there = Prop::any(values.iter().map(|(key, _)| number.eq(*key)));
                        if self.decide_quietly(is_there).is_none() {
                            self.grant("indexing", "KeyError", is_there, "the dictionary has the key");
                        }
                    }
                    let chosen = values.and_then(|values| {
                        self.chosen(number, values.iter().map(|(place, value)| (*place, value)))
                    });
                    return Ok(chosen
                        .unwrap_or_else(|| Value::unknown("an element under a number that is not known")));
                }
                if let Payload::Dict(pairs) = &self.heap.get(id).payload
                    && super::comparisons::has_unknown_key(pairs)
                {
                    return Ok(Value::unknown("an element under a key that may be there"));
                }
                if let Some(value) = self.try_special(object, "__missing__", vec![index.clone()])? {
                    return Ok(value);
                }
                let raised = self.raise_missing(index);
                self.hinted(raised, |run| run.hint_of_key(id, index))
            }
            _ => {
                let message = format!("'{}' object is not subscriptable", self.type_name(object));
                self.raise("TypeError", message)
            }
        }
    }

    /// One of the elements of a list or a tuple, or some of them, where only the run will tell which.
    fn item_somewhere(&mut self, index: &Value, items: &[Value], what: &str) -> Outcome {
        if let Value::Slice(parts) = index {
            let length = self.length_of_slice(items.len().into(), parts);
            return Ok(match what {
                "list" => self.list_like(items, length),
                _ => Value::unknown("some elements of a tuple"),
            });
        }
        let chosen = match self.as_index(index) {
            Value::Int(place) => {
                let length = items.len() as i64;
                self.stay_within(place, length.into(), what)?;
                // Counted from the end, too.
                let values =
                    (-length..length).map(|place| (place, &items[place.rem_euclid(length) as usize]));
                self.chosen(place, values)
            }
            // All elements alike: any of them will do.
            _ => items.first().filter(|first| items.iter().all(|item| item.is(first))).cloned(),
        };
        Ok(chosen.unwrap_or_else(|| Value::unknown("an element at an unknown place")))
    }
    /// The values of a dictionary with the numbers under which they stand, if all its keys are numbers.
    fn under_numbers(&self, id: Id) -> Option<Vec<(i64, Value)>> {
        let Payload::Dict(pairs) = &self.heap.get(id).payload else { return None };
        let number = |key: &Key| match key {
            Key::Int(number) => Some(*number),
            _ => None,
        };
        pairs.iter().map(|(key, (_, value))| Some((number(key)?, value.clone()))).collect()
    }

    /// Whether a key of a dictionary is known.
    fn is_known_key(&self, key: &Value) -> bool {
        match self.unwrapped(key) {
            Value::Unknown(_) => false,
            Value::Int(number) => number.known().is_some(),
            Value::Bool(truth) => truth.known().is_some(),
            Value::Tuple(items) => items.iter().all(|item| self.is_known_key(item)),
            _ => true,
        }
    }
    /// `list[int]`, and classes with `__class_getitem__`.
    fn subscripted_class(&mut self, class: &Value, index: &Value) -> Outcome {
        let id = class.as_object().unwrap_or(BuiltIn::Object.class());
        let meta = self.heap.get(id).class;
        if let Some(hook) = self.in_order(meta, Name::new("__getitem__")) {
            return self.call(&hook, vec![class.clone(), index.clone()], Vec::new());
        }
        match self.in_order(id, Name::new("__class_getitem__")) {
            Some(hook) => {
                let function = match self.payload(&hook) {
                    Some(Payload::ClassMethod(function)) => function.clone(),
                    _ => hook,
                };
                self.call(&function, vec![class.clone(), index.clone()], Vec::new())
            }
            None => Ok(class.clone()),
        }
    }

    pub fn set_item(&mut self, object: &Value, index: &Value, value: Value) -> Outcome<()> {
        if let Some(list) = self.several(object) {
            return self.set_item_of_several(&list, index, &value);
        }
        if let (Some(Payload::Opaque(_)), Some(id)) = (self.payload(object), object.as_object()) {
            self.put_into_some(id, &value);
        }
        if matches!(self.unwrapped(object), Value::Unknown(_)) {
            return Ok(());
        }
        if self.try_special(object, "__setitem__", vec![index.clone(), value.clone()])?.is_some() {
            return Ok(());
        }
        let Some(id) = object.as_object() else { return self.no_assignment(object) };
        match &self.heap.get(id).payload {
            Payload::Dict(_) => {
                let key = self.key(index)?;
                if let (Some(owner), Value::Text(name)) = (self.mirrored(id), index) {
                    self.set_name(owner, Name::new(name), value.clone());
                }
                let is_known = self.is_known_key(index);
                if let Payload::Dict(pairs) = &mut self.heap.get_mut(id).payload {
                    if let Some((_, old)) = pairs.get_mut(&key) {
                        *old = value;
                    } else if is_known || pairs.is_empty() {
                        pairs.insert(key, (index.clone(), value));
                    } else {
                        self.put_under_some_key(id, &value);
                    }
                }
                Ok(())
            }
            Payload::List(items) => {
                let length = items.len();
                match self.places(index, length, "list")? {
                    Places::One(place) => {
                        if let Payload::List(items) = &mut self.heap.get_mut(id).payload {
                            items[place] = value;
                        }
                    }
                    Places::Many(places) => {
                        let new = self.items_of(&value)?;
                        let (start, is_whole) = self.start_of_slice(index, length);
                        if !is_whole && places.len() != new.len() {
                            let (given, wanted) = (new.len(), places.len());
                            let message = format!(
                                "attempt to assign sequence of size {given} to extended slice of size {wanted}"
                            );
                            return self.raise("ValueError", message);
                        }
                        if self.holds_already(id, &places, &new) {
                            return Ok(());
                        }
                        if let Payload::List(items) = &mut self.heap.get_mut(id).payload {
                            if is_whole {
                                let start = start.min(items.len());
                                let end = (start + places.len()).min(items.len());
                                items.splice(start..end, new);
                            } else {
                                places.into_iter().zip(new).for_each(|(place, value)| items[place] = value);
                            }
                        }
                    }
                    Places::Unknown => {
                        if let Payload::List(items) = &mut self.heap.get_mut(id).payload {
                            items.fill(Value::unknown("one of the elements was replaced"));
                        }
                    }
                }
                Ok(())
            }
            _ => self.no_assignment(object),
        }
    }
    /// Whether a list has these values at these places, so that putting them there changes nothing.
    fn holds_already(&self, list: Id, places: &[usize], values: &[Value]) -> bool {
        let Payload::List(items) = &self.heap.get(list).payload else { return false };
        places.len() == values.len()
            && places
                .iter()
                .zip(values)
                .all(|(&place, value)| items.get(place).is_some_and(|it| it.is(value)))
    }
    /// The object whose `__dict__` this dictionary is: what is put in becomes an attribute.
    pub(crate) fn mirrored(&self, dict: Id) -> Option<Id> {
        self.heap.get(dict).attributes.get(&Name::new(MIRROR)).and_then(Value::as_object)
    }
    /// The attributes of an object as a dictionary.
    pub fn attributes_as_dict(&mut self, owner: Id) -> Value {
        let pairs = self
            .heap
            .get(owner)
            .attributes
            .iter()
            .map(|(name, value)| (Key::Text(name.text()), (Value::Text(name.text()), value.clone())));
        let pairs = pairs.collect();
        let dict = self.new_dict(pairs);
        if let Some(id) = dict.as_object() {
            self.set_name(id, Name::new(MIRROR), Value::Object(owner));
        }
        dict
    }

    fn no_assignment(&mut self, object: &Value) -> Outcome<()> {
        let message = format!("'{}' object does not support item assignment", self.type_name(object));
        self.raise("TypeError", message)
    }

    pub fn delete_item(&mut self, object: &Value, index: &Value) -> Outcome<()> {
        if let Some(list) = self.several(object) {
            return self.delete_of_several(&list, index);
        }
        if matches!(self.unwrapped(object), Value::Unknown(_)) {
            return Ok(());
        }
        if self.try_special(object, "__delitem__", vec![index.clone()])?.is_some() {
            return Ok(());
        }
        let Some(id) = object.as_object() else { return self.no_assignment(object) };
        match &self.heap.get(id).payload {
            Payload::Dict(_) => {
                let key = self.key(index)?;
                if let (Some(owner), Value::Text(name)) = (self.mirrored(id), index) {
                    self.heap.get_mut(owner).attributes.remove(&Name::new(name));
                }
                if let Payload::Dict(pairs) = &mut self.heap.get_mut(id).payload
                    && pairs.shift_remove(&key).is_some()
                {
                    return Ok(());
                }
                self.raise_missing(index)
            }
            Payload::List(items) => {
                let length = items.len();
                let places = match self.places(index, length, "list")? {
                    Places::One(place) => vec![place],
                    Places::Many(places) => places,
                    Places::Unknown => Vec::new(),
                };
                if let Payload::List(items) = &mut self.heap.get_mut(id).payload {
                    let mut place = 0;
                    items.retain(|_| {
                        place += 1;
                        !places.contains(&(place - 1))
                    });
                }
                Ok(())
            }
            _ => self.no_assignment(object),
        }
    }

    /// A number that an object stands for as an index.
    fn as_index(&mut self, index: &Value) -> Value {
        match index {
            Value::Object(_) if !matches!(self.payload(index), Some(Payload::Wrapped(_))) => {
                match self.try_special(index, "__index__", Vec::new()) {
                    Ok(Some(number)) => number,
                    _ => index.clone(),
                }
            }
            index => self.unwrapped(index),
        }
    }
    /// Where a slice begins, and whether it takes every element from there.
    fn start_of_slice(&self, index: &Value, length: usize) -> (usize, bool) {
        let Value::Slice(parts) = index else { return (0, false) };
        let is_whole = matches!(parts[2].as_int(), None | Some(1));
        let start = match self.unwrapped(&parts[0]).as_int() {
            Some(start) if start < 0 => (start.saturating_add(length as i64)).max(0) as usize,
            Some(start) => start as usize,
            None => 0,
        };
        (start.min(length), is_whole)
    }

    /// The places that an index or a slice of a sequence names.
    fn places(&mut self, index: &Value, length: usize, what: &str) -> Outcome<Places> {
        let index = self.as_index(index);
        match &index {
            Value::Slice(parts) => {
                let parts: Vec<Option<i64>> = match parts
                    .iter()
                    .map(|part| match self.as_index(part) {
                        Value::None => Some(None),
                        part => part.as_int().map(Some),
                    })
                    .collect()
                {
                    Some(parts) => parts,
                    None => return Ok(Places::Unknown),
                };
                match slice_places(parts[0], parts[1], parts[2].unwrap_or(1), length) {
                    Some(places) => Ok(Places::Many(places)),
                    None => self.raise("ValueError", "slice step cannot be zero"),
                }
            }
            Value::Unknown(_) => Ok(Places::Unknown),
            _ => match index.as_dim() {
                None => {
                    let what_it_is = self.type_name(&index);
                    let message = match what {
                        "string" => format!("string indices must be integers, not '{what_it_is}'"),
                        _ => format!("{what} indices must be integers or slices, not {what_it_is}"),
                    };
                    self.raise("TypeError", message)
                }
                Some(dim) => match dim.known() {
                    None => Ok(Places::Unknown),
                    Some(number) => {
                        let place = if number < 0 { number + length as i64 } else { number };
                        match usize::try_from(place) {
                            Ok(place) if place < length => Ok(Places::One(place)),
                            _ => self.raise("IndexError", format!("{what} index out of range")),
                        }
                    }
                },
            },
        }
    }
}

/// The attribute by which a dictionary knows whose attributes it shows.
const MIRROR: &str = "<attributes of>";

enum Places {
    One(usize),
    Many(Vec<usize>),
    Unknown,
}

/// The places of `[start:stop:step]`; `None` for a step of zero.
pub(crate) fn slice_places(
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
    length: usize,
) -> Option<Vec<usize>> {
    if step == 0 {
        return None;
    }
    let length = length as i64;
    let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |value: Option<i64>, default: i64| match value {
        None => default,
        Some(value) if value < 0 => (value + length).clamp(lowest, highest),
        Some(value) => value.clamp(lowest, highest),
    };
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (mut place, stop) = (bound(start, first), bound(stop, last));
    let mut places = Vec::new();
    while if step > 0 { place < stop } else { place > stop } {
        places.push(place as usize);
        place += step;
    }
    Some(places)
}
