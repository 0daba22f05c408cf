//! Lists of which no more is known than their length, or what it depends on, and what all elements look like.

use super::alike::{any_size, is_any_size};
use super::{Flow, Interpreter, Outcome};
use crate::heap::{Heap, Id, Object, Payload};
use crate::syntax::Name;
use crate::value::{BuiltIn, Pairs, Value};
use semantics::dim::{Dim, LARGEST_SIZE, Origin};

/// Methods that mean something for such a list; what others do to it is not known.
const METHODS: [&str; 13] = [
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "copy",
    "reverse",
    "sort",
    "__len__",
    "__getitem__",
    "__setitem__",
    "__iter__",
];

/// What stands for all elements, and how many there are.
#[derive(Clone)]
pub struct Several {
    pub id: Id,
    pub element: Value,
    pub length: Dim,
}

impl Interpreter {
    pub fn several(&self, value: &Value) -> Option<Several> {
        match self.payload(value) {
            Some(Payload::Many { element, length }) => {
                Some(Several { id: value.as_object()?, element: element.clone(), length: *length })
            }
            _ => None,
        }
    }
    pub fn new_many(&mut self, element: Value, length: Dim) -> Value {
        self.new_object(BuiltIn::List.class(), Payload::Many { element, length })
    }
    /// A list of so many elements like these.
    pub(super) fn list_like(&mut self, items: &[Value], length: Dim) -> Value {
        match self.heap.all_alike(items) {
            Some(element) => self.new_many(element, length),
            None => self.new_list(Vec::new()),
        }
    }
    /// A list of at least so many elements that look like one.
    pub fn some_of(&mut self, element: Value, least: i64) -> Value {
        self.new_many(element, any_size(least))
    }
    /// A list of elements like these, of which nobody knows how many there are.
    pub(super) fn some_like(&mut self, items: &[Value]) -> Value {
        self.list_like(items, any_size(0))
    }

    /// Something unknown is done to the list.
    pub(super) fn forget_list(&mut self, list: &Several) -> Value {
        let reason = "a list of which not all elements are known";
        self.heap.get_mut(list.id).payload = Payload::Opaque(reason.into());
        Value::unknown(reason)
    }
    pub(super) fn has_method(&self, name: &str) -> bool {
        METHODS.contains(&name)
    }

    /// Puts in elements like these, so many more.
    pub fn put_in(&mut self, list: &Several, items: &[Value], more: Dim) {
        let element = items.iter().fold(list.element.clone(), |common, item| self.heap.alike(&common, item));
        let object = self.heap.get_mut(list.id);
        object.payload = Payload::Many { element, length: list.length + more };
        object.attributes.remove(&Name::new(PARTS));
    }
    /// Puts in the elements of something else.
    pub fn put_in_all(&mut self, list: &Several, more: &Value) -> Outcome<()> {
        match self.several(more) {
            Some(other) => self.put_in(list, &[other.element], other.length),
            None => match self.items_of(more) {
                Ok(items) => self.put_in(list, &items, items.len().into()),
                Err(Flow::Lost(reason)) => self.heap.get_mut(list.id).payload = Payload::Opaque(reason),
                Err(flow) => return Err(flow),
            },
        }
        Ok(())
    }
    /// Takes out one element; raises where there is none.
    pub fn take_out(&mut self, list: &Several) -> Outcome {
        if self.decide_quietly(list.length.eq(0)) == Some(true) {
            return self.raise("IndexError", "pop from empty list");
        }
        let length = if list.length.bounds().0 > 0 { list.length - 1 } else { any_size(0) };
        let object = self.heap.get_mut(list.id);
        object.payload = Payload::Many { element: list.element.clone(), length };
        object.attributes.remove(&Name::new(PARTS));
        Ok(self.heap.one_of(&list.element))
    }
    /// One of these elements is taken out of a list, nobody knows which.
    pub fn keep_all_but_one(&mut self, list: Id, items: &[Value]) {
        let length = Dim::from(items.len() as i64 - 1);
        self.heap.get_mut(list).payload = match self.heap.all_alike(items) {
            Some(element) if items.len() > 1 => Payload::Many { element, length },
            _ => Payload::List(Vec::new()),
        };
    }
    /// What so many sizes add up to, where one stands for all of them.
    pub fn sum_of_sizes(&self, size: Dim, number: Dim) -> Dim {
        let total = size * number;
        if is_any_size(size) || total.bounds().1 > LARGEST_SIZE { any_size(0) } else { total }
    }
    /// What is known of a statement without taking a side.
    pub fn decide_quietly(&mut self, statement: semantics::prop::Prop) -> Option<bool> {
        match self.path.context.decide(statement) {
            solver::Verdict::Holds => Some(true),
            solver::Verdict::Fails => Some(false),
            _ => None,
        }
    }

    /// `list[index]`.
    pub(super) fn item_of_several(&mut self, list: &Several, index: &Value) -> Outcome {
        if let Value::Slice(parts) = index {
            let length = self.length_of_slice(list.length, parts);
            return Ok(self.new_many(list.element.clone(), length));
        }
        if let Some(place) = self.unwrapped(index).as_dim() {
            self.stay_within(place, list.length, "list")?;
        }
        Ok(self.heap.one_of(&list.element))
    }
    /// An index that leads out of a list raises; one that may lead out of it is taken not to.
    pub(super) fn stay_within(&mut self, place: Dim, length: Dim, what: &str) -> Outcome<()> {
        let is_within = place.within(Dim::from(0) - length, length);
        match self.decide_quietly(is_within) {
            Some(false) => return self.raise("IndexError", format!("{what} index out of range")),
            // Of a length that stands for several nothing is asked.
            None if !is_any_size(length) => {
                self.grant("indexing", "IndexError", is_within, &format!("the index is within the {what}"));
            }
            _ => {}
        }
        Ok(())
    }
    /// How many elements a slice takes.
    pub(super) fn length_of_slice(&self, length: Dim, [start, stop, step]: &[Value; 3]) -> Dim {
        let number = |part: &Value| self.unwrapped(part).as_dim();
        let is_whole = start.is_none() && stop.is_none();
        match (is_whole, step.is_none(), number(step).and_then(Dim::known)) {
            (true, true, _) | (true, _, Some(1 | -1)) => length,
            (_, true, _) | (_, _, Some(1)) => {
                let bound = |part: &Value, default: Dim| match part {
                    Value::None => Some(default),
                    part => {
                        let place = number(part)?;
                        let (low, high) = place.bounds();
                        match low >= 0 {
                            true => Some(place.min(length)),
                            false if high < 0 => Some((place + length).max(0)),
                            false => None,
                        }
                    }
                };
                match (bound(start, 0.into()), bound(stop, length)) {
                    (Some(from), Some(to)) => (to - from).max(0),
                    _ => any_size(0),
                }
            }
            _ => any_size(0),
        }
    }
    /// `list[index] = value`.
    pub(super) fn set_item_of_several(
        &mut self,
        list: &Several,
        index: &Value,
        value: &Value,
    ) -> Outcome<()> {
        match index {
            Value::Slice(_) => self.put_in_all(&Several { length: any_size(0), ..list.clone() }, value),
            _ => {
                self.put_in(list, std::slice::from_ref(value), 0.into());
                Ok(())
            }
        }
    }
    /// `del list[index]`.
    pub(super) fn delete_of_several(&mut self, list: &Several, index: &Value) -> Outcome<()> {
        let payload = match index {
            Value::Slice(parts) if parts.iter().all(Value::is_none) => Payload::List(Vec::new()),
            Value::Slice(_) => Payload::Many { element: list.element.clone(), length: any_size(0) },
            _ => {
                self.take_out(list)?;
                return Ok(());
            }
        };
        self.heap.get_mut(list.id).payload = payload;
        Ok(())
    }

    /// One element of each list that such a list was put together from, where there surely is one.
    pub fn surely_in(&self, list: &Value) -> Vec<Value> {
        let held =
            list.as_object().and_then(|id| self.heap.get(id).attributes.get(&Name::new(PARTS)).cloned());
        match held {
            Some(Value::Tuple(items)) => items.to_vec(),
            _ => Vec::new(),
        }
    }
    /// `a + b` where one of them is such a list; `None` if the other is no list.
    pub(super) fn joined_several(&mut self, a: &Value, b: &Value) -> Option<Value> {
        let (mut items, mut length, mut surely) = (Vec::new(), Dim::from(0), Vec::new());
        for list in [a, b] {
            match self.payload(list)? {
                Payload::List(own) => {
                    items.extend(own.iter().cloned());
                    surely.extend(own.first().cloned());
                    length = length + own.len() as i64;
                }
                Payload::Many { element, length: own } => {
                    items.push(element.clone());
                    surely.extend((own.bounds().0 > 0).then(|| element.clone()));
                    length = length + *own;
                }
                _ => return None,
            }
        }
        let joined = self.list_like(&items, length);
        if let (Value::Object(id), true) = (&joined, surely.len() > 1) {
            self.heap.get_mut(*id).attributes.insert(Name::new(PARTS), Value::tuple(surely));
        }
        Some(joined)
    }
    /// A list repeated so often, where one of both numbers is not known.
    pub(super) fn repeated_several(&mut self, list: &Value, times: Dim) -> Option<Value> {
        let times = times.max(0);
        let (items, length): (Vec<Value>, Dim) = match self.payload(list)? {
            Payload::List(items) => (items.clone(), times * items.len() as i64),
            Payload::Many { element, length } => (vec![element.clone()], times * *length),
            _ => return None,
        };
        let is_size = length.bounds().1 <= LARGEST_SIZE;
        Some(self.list_like(&items, if is_size { length } else { any_size(0) }))
    }

    /// `zip(*rows)` where one row stands for all: a list of each of its parts.
    pub(super) fn columns(&mut self, callee: &Value, rows: &Value) -> Option<Value> {
        let several = self.several(rows)?;
        let zip = self.heap.get(self.builtins).attributes.get(&Name::new("zip"))?;
        let Value::Tuple(parts) = &several.element else { return None };
        if !zip.is(callee) {
            return None;
        }
        let columns = parts.iter().map(|part| self.new_many(part.clone(), several.length)).collect();
        Some(self.new_list(columns))
    }
    /// A dictionary of which no more is known than what its values look like.
    pub(super) fn value_of_some(&mut self, dict: &Value) -> Option<Value> {
        let Payload::Opaque(_) = self.payload(dict)? else { return None };
        let held = self.heap.get(dict.as_object()?).attributes.get(&Name::new(VALUES)).cloned()?;
        Some(self.heap.one_of(&held))
    }
    /// A dictionary of so many pairs, of which only what the values look like is known.
    pub(super) fn new_some_dict(&mut self, values: &[Value], length: Option<Dim>) -> Value {
        let reason = "how many elements there are is not known";
        let dict = self.new_object(BuiltIn::Dict.class(), Payload::Opaque(reason.into()));
        if let (Some(id), Some(value)) = (dict.as_object(), self.heap.all_alike(values)) {
            self.heap.get_mut(id).attributes.insert(Name::new(VALUES), value);
        }
        if let Some(length) = length {
            self.set_length(&dict, length);
        }
        dict
    }
    /// Puts a value into a dictionary under a key that is not known: it may be one of those that are there.
    pub(super) fn put_under_some_key(&mut self, dict: Id, value: &Value) {
        let Payload::Dict(pairs) = &self.heap.get(dict).payload else { return };
        let most = pairs.len() as i64 + 1;
        let values: Vec<Value> = pairs.values().map(|(_, held)| held).chain([value]).cloned().collect();
        let alike = self.heap.all_alike(&values);
        let object = self.heap.get_mut(dict);
        object.payload = Payload::Opaque("which keys there are is not known".into());
        if let Some(alike) = alike {
            object.attributes.insert(Name::new(VALUES), alike);
        }
        let length = Dim::symbol_from("keys", most.min(1), most, Origin::computed("how many keys differ"));
        self.set_length(&Value::Object(dict), length);
    }
    /// Something is put into it.
    pub(super) fn put_into_some(&mut self, dict: Id, value: &Value) {
        let name = Name::new(VALUES);
        if let Some(held) = self.heap.get(dict).attributes.get(&name).cloned() {
            let both = self.heap.alike(&held, value);
            self.heap.get_mut(dict).attributes.insert(name, both);
            self.forget_length(dict);
        }
    }
    /// Something is done to it of which nobody knows what it puts in.
    pub(super) fn change_some(&mut self, dict: Id, method: &str) {
        if !READING.contains(&method) {
            self.heap.get_mut(dict).attributes.remove(&Name::new(VALUES));
            self.forget_length(dict);
        }
    }
}

/// The attribute of a list that was put together that holds an element of each part.
const PARTS: &str = "<parts>";

/// Methods that put nothing into a dictionary.
const READING: [&str; 9] =
    ["get", "keys", "values", "items", "pop", "clear", "__len__", "__contains__", "__getitem__"];

/// The attribute of a dictionary whose keys are not known that holds what stands for all values.
pub(super) const VALUES: &str = "<values>";

impl Heap {
    /// A dictionary of which only what its values look like is known.
    pub(super) fn some_dict(&mut self, dicts: [&Pairs; 2], object: &mut Object) {
        let values: Vec<Value> =
            dicts.iter().flat_map(|pairs| pairs.values()).map(|(_, value)| value.clone()).collect();
        if let Some(value) = self.all_alike(&values) {
            object.attributes.insert(Name::new(VALUES), value);
        }
    }
}
