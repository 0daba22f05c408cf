//! Methods of lists, dictionaries and tuples.

use super::{Keywords, Native, argument, required};
use crate::heap::{Id, Part, Payload};
use crate::interpreter::{Flow, Interpreter, Outcome, Several};
use crate::syntax::{Comparison, Name};
use crate::value::{BuiltIn, Pairs, Value};

pub static LIST: &[Native] = &[
    Native { name: "append", call: append },
    Native { name: "extend", call: extend },
    Native { name: "insert", call: insert },
    Native { name: "pop", call: list_pop },
    Native { name: "remove", call: list_remove },
    Native { name: "clear", call: clear },
    Native { name: "copy", call: copy },
    Native { name: "reverse", call: reverse },
    Native { name: "sort", call: sort },
    Native { name: "index", call: index },
    Native { name: "count", call: count },
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__getitem__", call: get_item },
    Native { name: "__setitem__", call: set_item },
    Native { name: "__delitem__", call: delete_item },
    Native { name: "__iter__", call: super::functions::iter },
    Native { name: "__init__", call: list_init },
    Native { name: "__contains__", call: within },
    Native { name: "__reversed__", call: reversed },
    Native { name: "__repr__", call: shown },
    Native { name: "__eq__", call: |run, values, _| plainly_compared(run, &values, Comparison::Equal) },
    Native { name: "__ne__", call: |run, values, _| plainly_compared(run, &values, Comparison::NotEqual) },
];
pub static TUPLE: &[Native] = &[
    Native { name: "index", call: index },
    Native { name: "count", call: count },
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__getitem__", call: get_item },
    Native { name: "__iter__", call: super::functions::iter },
    Native { name: "__contains__", call: within },
    Native { name: "__repr__", call: shown },
    Native { name: "__eq__", call: |run, values, _| plainly_compared(run, &values, Comparison::Equal) },
    Native { name: "__ne__", call: |run, values, _| plainly_compared(run, &values, Comparison::NotEqual) },
];
pub static DICT: &[Native] = &[
    Native { name: "get", call: get },
    Native { name: "keys", call: keys },
    Native { name: "values", call: values },
    Native { name: "items", call: items },
    Native { name: "pop", call: dict_pop },
    Native { name: "popitem", call: popitem },
    Native { name: "setdefault", call: setdefault },
    Native { name: "update", call: dict_update },
    Native { name: "clear", call: clear },
    Native { name: "copy", call: copy },
    Native { name: "move_to_end", call: move_to_end },
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__getitem__", call: get_item },
    Native { name: "__setitem__", call: set_item },
    Native { name: "__delitem__", call: delete_item },
    Native { name: "__contains__", call: contains },
    Native { name: "__iter__", call: super::functions::iter },
    Native { name: "__init__", call: dict_update },
    Native { name: "fromkeys", call: fromkeys },
    Native { name: "__reversed__", call: reversed },
    Native { name: "__eq__", call: |run, values, _| plainly_compared(run, &values, Comparison::Equal) },
    Native { name: "__ne__", call: |run, values, _| plainly_compared(run, &values, Comparison::NotEqual) },
    Native { name: "__repr__", call: shown },
];
/// What the views of a dictionary offer: those of keys and items are sets.
pub static VIEW: &[Native] = &[
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__iter__", call: super::functions::iter },
    Native { name: "__contains__", call: within },
    Native { name: "isdisjoint", call: super::sets::isdisjoint },
    Native { name: "__reversed__", call: reversed },
];
/// The list behind a value.
fn list<'i>(interpreter: &'i mut Interpreter, values: &[Value]) -> Option<(Id, &'i mut Vec<Value>)> {
    let id = values.first()?.as_object()?;
    match &mut interpreter.heap.get_mut(id).payload {
        Payload::List(items) => Some((id, items)),
        _ => None,
    }
}
fn several(interpreter: &Interpreter, values: &[Value]) -> Option<Several> {
    interpreter.several(values.first()?)
}
pub(super) fn pairs<'i>(interpreter: &'i mut Interpreter, values: &[Value]) -> Option<&'i mut Pairs> {
    let id = values.first()?.as_object()?;
    match &mut interpreter.heap.get_mut(id).payload {
        Payload::Dict(pairs) | Payload::Set(pairs) => Some(pairs),
        _ => None,
    }
}
/// The same, to be read.
pub(super) fn held<'i>(interpreter: &'i Interpreter, values: &[Value]) -> Option<&'i Pairs> {
    match interpreter.payload(values.first()?)? {
        Payload::Dict(pairs) | Payload::Set(pairs) => Some(pairs),
        _ => None,
    }
}

fn append(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 1, "append")?;
    if let Some(list) = several(interpreter, &values) {
        interpreter.put_in(&list, &[value], 1.into());
        return Ok(Value::None);
    }
    if let Some((_, items)) = list(interpreter, &values) {
        items.push(value);
        interpreter.elements += 1;
    }
    Ok(Value::None)
}
fn extend(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let more = required(interpreter, &values, 1, "extend")?;
    if let Some(list) = several(interpreter, &values) {
        interpreter.put_in_all(&list, &more)?;
        return Ok(Value::None);
    }
    if let Some((id, _)) = list(interpreter, &values) {
        interpreter.extend_list_by(id, &more)?;
    }
    Ok(Value::None)
}
fn list_init(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    if values.len() > 1 { extend(interpreter, values, keywords) } else { Ok(Value::None) }
}
fn insert(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let place = required(interpreter, &values, 1, "insert")?.as_int().unwrap_or(0);
    let value = required(interpreter, &values, 2, "insert")?;
    if let Some(list) = several(interpreter, &values) {
        interpreter.put_in(&list, &[value], 1.into());
        return Ok(Value::None);
    }
    if let Some((_, items)) = list(interpreter, &values) {
        let length = items.len() as i64;
        let place = if place < 0 { (place + length).max(0) } else { place.min(length) };
        items.insert(place as usize, value);
    }
    Ok(Value::None)
}
fn list_pop(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    if let Some(list) = several(interpreter, &values) {
        return interpreter.take_out(&list);
    }
    let place = values.get(1).and_then(Value::as_int).unwrap_or(-1);
    let Some((_, items)) = list(interpreter, &values) else { return Ok(Value::None) };
    let length = items.len() as i64;
    let at = if place < 0 { place + length } else { place };
    if length == 0 {
        return interpreter.raise("IndexError", "pop from empty list");
    }
    if at < 0 || at >= length {
        return interpreter.raise("IndexError", "pop index out of range");
    }
    Ok(items.remove(at as usize))
}
fn list_remove(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    if let Some(list) = several(interpreter, &values) {
        return interpreter.take_out(&list).map(|_| Value::None);
    }
    if removes_one_of_several(interpreter, &values)? {
        return Ok(Value::None);
    }
    let place = match index(interpreter, values.clone(), keywords) {
        Err(Flow::Raise(exception))
            if interpreter.is_instance_of_named(&Value::Object(exception), "ValueError") =>
        {
            return interpreter.raise("ValueError", "list.remove(x): x not in list");
        }
        place => place?,
    };
    if let (Some(place), Some((_, items))) = (place.as_int(), list(interpreter, &values)) {
        items.remove(place as usize);
    }
    Ok(Value::None)
}
/// Where nobody knows which element is removed, what the others look like stays known; true if it was so.
fn removes_one_of_several(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<bool> {
    let Some((id, items)) = list(interpreter, values) else { return Ok(false) };
    let items = items.clone();
    let value = required(interpreter, values, 1, "remove")?;
    for item in &items {
        let same = interpreter.equal(item, &value)?;
        match interpreter.decide_quietly(same) {
            Some(true) => return Ok(false),
            Some(false) => {}
            None => {
                interpreter.keep_all_but_one(id, &items);
                return Ok(true);
            }
        }
    }
    Ok(false)
}
pub(super) fn clear(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    if let Some(list) = several(interpreter, &values) {
        interpreter.heap.get_mut(list.id).payload = Payload::List(Vec::new());
    } else if let Some((_, items)) = list(interpreter, &values) {
        items.clear();
    } else if let Some(pairs) = pairs(interpreter, &values) {
        pairs.clear();
    }
    Ok(Value::None)
}
pub(super) fn copy(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "copy")?;
    match value.as_object() {
        Some(id) => {
            let object = interpreter.heap.get(id).clone();
            Ok(Value::Object(interpreter.heap.push(object)))
        }
        None => Ok(value),
    }
}
fn reverse(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    if let Some((_, items)) = list(interpreter, &values) {
        items.reverse();
    }
    Ok(Value::None)
}
fn sort(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    // One stands for all of them, in whatever order.
    if several(interpreter, &values).is_some() {
        return Ok(Value::None);
    }
    let sorted = super::ordering::sorted(interpreter, values.clone(), keywords)?;
    let sorted = interpreter.items_of(&sorted)?;
    if let Some((_, items)) = list(interpreter, &values) {
        *items = sorted;
    }
    Ok(Value::None)
}
fn index(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (sequence, wanted) =
        (required(interpreter, &values, 0, "index")?, required(interpreter, &values, 1, "index")?);
    let items = plain_items(interpreter, &sequence)?;
    let bound = |place: usize, default: usize| match values.get(place).and_then(Value::as_int) {
        Some(bound) if bound < 0 => (bound + items.len() as i64).max(0) as usize,
        Some(bound) => bound as usize,
        None => default,
    };
    let (start, stop) = (bound(2, 0), bound(3, items.len()));
    for (place, item) in items.iter().enumerate().take(stop).skip(start) {
        let equal = interpreter.compare(Comparison::Equal, item, &wanted)?;
        let equal = interpreter.truth(&equal)?;
        if interpreter.decide(equal)? {
            return Ok(Value::int(place as i64));
        }
    }
    match interpreter.unwrapped(&sequence) {
        Value::Tuple(_) => interpreter.raise("ValueError", "tuple.index(x): x not in tuple"),
        _ => {
            let shown = interpreter.represent(&wanted);
            interpreter.raise("ValueError", format!("{shown} is not in list"))
        }
    }
}
fn count(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (sequence, wanted) =
        (required(interpreter, &values, 0, "count")?, required(interpreter, &values, 1, "count")?);
    let mut count = semantics::dim::Dim::from(0);
    for item in plain_items(interpreter, &sequence)? {
        let equal = interpreter.compare(Comparison::Equal, &item, &wanted)?;
        let equal = interpreter.truth(&equal)?;
        count = count + semantics::dim::Dim::select(equal, 1, 0);
    }
    Ok(Value::Int(count))
}

/// `list.__getitem__(self, index)` and its like: the built-in behaviour, whatever the subclass defines.
fn plain_copy(interpreter: &mut Interpreter, value: &Value) -> Value {
    let Some(id) = value.as_object() else { return value.clone() };
    let payload = interpreter.heap.get(id).payload.clone();
    match payload {
        Payload::List(items) => interpreter.new_list(items),
        Payload::Dict(pairs) => interpreter.new_dict(pairs),
        Payload::Wrapped(inner) => inner,
        _ => value.clone(),
    }
}
/// The elements, whatever a subclass makes of iterating.
fn plain_items(interpreter: &mut Interpreter, value: &Value) -> Outcome<Vec<Value>> {
    match (interpreter.unwrapped(value), interpreter.payload(value)) {
        (Value::Tuple(items), _) => Ok(items.to_vec()),
        (_, Some(Payload::List(items))) => Ok(items.clone()),
        _ => interpreter.items_of(value),
    }
}
fn within(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (container, item) =
        (required(interpreter, &values, 0, "contains")?, required(interpreter, &values, 1, "contains")?);
    let plain = plain_copy(interpreter, &container);
    interpreter.compare(Comparison::In, &item, &plain)
}
fn reversed(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "reversed")?;
    let mut items = interpreter.items_of(&value)?;
    items.reverse();
    Ok(interpreter.new_iterator(items))
}
fn shown(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "repr")?;
    let plain = plain_copy(interpreter, &value);
    Ok(Value::Text(interpreter.represent(&plain).into()))
}
fn plainly_compared(interpreter: &mut Interpreter, values: &[Value], comparison: Comparison) -> Outcome {
    let (a, b) = (required(interpreter, values, 0, "eq")?, required(interpreter, values, 1, "eq")?);
    let (a, b) = (plain_copy(interpreter, &a), plain_copy(interpreter, &b));
    interpreter.compare(comparison, &a, &b)
}
fn fromkeys(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let class = required(interpreter, &values, 0, "fromkeys")?;
    let keys = required(interpreter, &values, 1, "fromkeys")?;
    let value = values.get(2).cloned().unwrap_or(Value::None);
    let dict = match interpreter.is_class(&class) {
        true => interpreter.call(&class, Vec::new(), Vec::new())?,
        false => interpreter.new_dict(Pairs::default()),
    };
    for key in interpreter.items_of(&keys)? {
        interpreter.set_item(&dict, &key, value.clone())?;
    }
    Ok(dict)
}
fn get_item(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (object, index) =
        (required(interpreter, &values, 0, "item")?, required(interpreter, &values, 1, "item")?);
    let plain = plain_copy(interpreter, &object);
    interpreter.item(&plain, &index)
}
fn set_item(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    change(interpreter, &values, |interpreter, plain| {
        let (index, value) =
            (required(interpreter, &values, 1, "item")?, required(interpreter, &values, 2, "item")?);
        interpreter.set_item(plain, &index, value)
    })
}
fn delete_item(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    change(interpreter, &values, |interpreter, plain| {
        let index = required(interpreter, &values, 1, "item")?;
        interpreter.delete_item(plain, &index)
    })
}
/// Changes the list or dictionary inside an instance of a subclass.
fn change(
    interpreter: &mut Interpreter,
    values: &[Value],
    f: impl FnOnce(&mut Interpreter, &Value) -> Outcome<()>,
) -> Outcome {
    let object = required(interpreter, values, 0, "item")?;
    let plain = plain_copy(interpreter, &object);
    f(interpreter, &plain)?;
    if let (Some(id), Some(copy)) = (object.as_object(), plain.as_object()) {
        interpreter.heap.get_mut(id).payload = interpreter.heap.get(copy).payload.clone();
    }
    Ok(Value::None)
}
pub(super) fn contains(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let key = required(interpreter, &values, 1, "contains")?;
    let key = interpreter.key(&key)?;
    Ok(Value::bool(held(interpreter, &values).is_some_and(|pairs| pairs.contains_key(&key))))
}

fn get(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let key = required(interpreter, &values, 1, "get")?;
    if let Value::Unknown(unknown) = &key {
        return Ok(Value::unknown(unknown.reason.clone()));
    }
    let key = interpreter.key(&key)?;
    let default = argument(&values, &keywords, 2, "default").unwrap_or(Value::None);
    Ok(held(interpreter, &values)
        .and_then(|pairs| pairs.get(&key))
        .map_or(default, |(_, value)| value.clone()))
}
fn view(interpreter: &mut Interpreter, values: &[Value], class: BuiltIn, part: Part) -> Outcome {
    let dict = required(interpreter, values, 0, "view")?;
    Ok(match dict.as_object() {
        Some(dict) => interpreter.new_object(class.class(), Payload::View(dict, part)),
        None => Value::unknown("a view of something unknown"),
    })
}
fn keys(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    view(interpreter, &values, BuiltIn::DictKeys, Part::Keys)
}
fn values(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    view(interpreter, &values, BuiltIn::DictValues, Part::Values)
}
fn items(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    view(interpreter, &values, BuiltIn::DictItems, Part::Items)
}
fn dict_pop(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let name = required(interpreter, &values, 1, "pop")?;
    let key = interpreter.key(&name)?;
    let owner = values.first().and_then(Value::as_object).and_then(|dict| interpreter.mirrored(dict));
    if let (Some(owner), Value::Text(name)) = (owner, &name) {
        interpreter.heap.get_mut(owner).attributes.remove(&Name::new(name));
    }
    match pairs(interpreter, &values).and_then(|pairs| pairs.shift_remove(&key)) {
        Some((_, value)) => Ok(value),
        None => match values.get(2) {
            Some(default) => Ok(default.clone()),
            None => interpreter.raise_missing(&name),
        },
    }
}
pub(super) fn popitem(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let is_set = matches!(values.first().and_then(|value| interpreter.payload(value)), Some(Payload::Set(_)));
    match pairs(interpreter, &values).and_then(Pairs::pop) {
        Some((_, (key, _))) if is_set => Ok(key),
        Some((_, (key, value))) => Ok(Value::tuple([key, value])),
        None => interpreter.raise("KeyError", "popitem(): dictionary is empty"),
    }
}
fn setdefault(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let name = required(interpreter, &values, 1, "setdefault")?;
    let key = interpreter.key(&name)?;
    let default = values.get(2).cloned().unwrap_or(Value::None);
    match held(interpreter, &values).and_then(|pairs| pairs.get(&key)) {
        Some((_, value)) => Ok(value.clone()),
        None => {
            interpreter.set_item(&values[0], &name, default.clone())?;
            Ok(default)
        }
    }
}
pub fn dict_update(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let mut new = Vec::new();
    if let Some(source) = values.get(1) {
        let is_mapping = matches!(interpreter.payload(source), Some(Payload::Dict(_)))
            || interpreter.find_attribute(source, Name::new("keys"))?.is_some();
        if is_mapping {
            match interpreter.pairs_of(source) {
                Ok(pairs) => new.extend(pairs),
                Err(Flow::Lost(reason)) => {
                    interpreter.forget_all(&values[0], reason);
                    return Ok(Value::None);
                }
                Err(flow) => return Err(flow),
            }
        } else if let Value::Unknown(unknown) = source {
            interpreter.forget_all(&values[0], unknown.reason.as_str().into());
            return Ok(Value::None);
        } else {
            for item in interpreter.items_of(source)? {
                match interpreter.items_of(&item)?.as_slice() {
                    [key, value] => new.push((key.clone(), value.clone())),
                    _ => {
                        return interpreter
                            .raise("ValueError", "dictionary update sequence elements are pairs");
                    }
                }
            }
        }
    }
    new.extend(keywords.into_iter().map(|(name, value)| (Value::Text(name.text()), value)));
    let object = required(interpreter, &values, 0, "update")?;
    for (name, value) in new {
        interpreter.set_item(&object, &name, value)?;
    }
    Ok(Value::None)
}
fn move_to_end(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let name = required(interpreter, &values, 1, "move_to_end")?;
    let key = interpreter.key(&name)?;
    let last = argument(&values, &keywords, 2, "last").unwrap_or(Value::bool(true));
    let last = interpreter.truth(&last)?.known() != Some(false);
    if let Some(pairs) = pairs(interpreter, &values)
        && let Some(place) = pairs.get_index_of(&key)
    {
        let target = if last { pairs.len() - 1 } else { 0 };
        pairs.move_index(place, target);
    }
    Ok(Value::None)
}

/// Lengths of whatever has one.
pub fn length(interpreter: &mut Interpreter, value: &Value) -> Outcome {
    if let Some(length) = interpreter.try_special(value, "__len__", Vec::new())? {
        return Ok(length);
    }
    if let Some(list) = interpreter.several(value) {
        return Ok(Value::Int(list.length));
    }
    if let Some(length) = interpreter.length_of_opaque(value) {
        return Ok(length);
    }
    let known = match interpreter.unwrapped(value) {
        Value::Text(text) => Some(text.chars().count()),
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::Tuple(items) => Some(items.len()),
        Value::Unknown(unknown) => return Ok(interpreter.length_of_unknown(&unknown)),
        Value::Object(id) => match &interpreter.heap.get(id).payload {
            Payload::List(items) => Some(items.len()),
            Payload::Dict(pairs) | Payload::Set(pairs) => Some(pairs.len()),
            Payload::View(dict, part) => Some(interpreter.viewed(*dict, *part).len()),
            _ => None,
        },
        _ => None,
    };
    match known {
        Some(length) => Ok(Value::int(length as i64)),
        None => {
            let what = interpreter.type_name(value);
            interpreter.raise("TypeError", format!("object of type '{what}' has no len()"))
        }
    }
}
