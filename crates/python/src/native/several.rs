//! Lists of things that look alike, of which one stands for all.

use super::{Keywords, required};
use crate::heap::Payload;
use crate::interpreter::{Interpreter, Outcome};
use crate::value::{BuiltIn, Value};

/// Tensors that look alike are looked at one by one up to this many.
const LONG: usize = 64;

/// `several(list)`: what all elements look like and how many there are, of a list that is known by that alone, or is
/// long and of tensors that nobody can tell apart.
pub(super) fn several(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let list = required(interpreter, &values, 0, "several")?;
    let items = match (&list, interpreter.payload(&list)) {
        (Value::Tuple(items), _) => &items[..],
        (_, Some(Payload::List(items))) => items,
        _ => &[],
    };
    let is_open = |item: &Value| {
        interpreter.as_tensor(item).is_some_and(|tensor| tensor.values_unless_unknown().is_none())
    };
    if let [first, rest @ .., last] = items
        && items.len() > LONG
        && is_open(first)
        && is_open(last)
        && rest.iter().chain([last]).all(|item| interpreter.heap.look_alike(first, item))
    {
        return Ok(Value::tuple([first.clone(), Value::Int(items.len().into())]));
    }
    Ok(interpreter.several(&list).map_or(Value::None, |list| {
        let element = interpreter.heap.one_of(&list.element);
        Value::tuple([element, Value::Int(list.length)])
    }))
}
/// `surely_in(list)`: elements that a list surely has, of which only what stands for all is known otherwise.
pub(super) fn surely_in(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let list = required(interpreter, &values, 0, "surely_in")?;
    Ok(Value::tuple(interpreter.surely_in(&list)))
}
/// `many(element, length)`: a list of which the elements look like one.
pub(super) fn many(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let element = required(interpreter, &values, 0, "many")?;
    Ok(match values.get(1).and_then(Value::as_dim) {
        Some(length) => interpreter.new_many(element, length),
        None => Value::unknown_of(BuiltIn::List, "how many elements there are is not known"),
    })
}
/// `rounds(number)`: the numbers below it, of which a loop need not see all one by one.
pub(super) fn rounds(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match values.first().and_then(Value::as_dim) {
        Some(number) => interpreter.range_iterator(0.into(), number, 1, true),
        None => {
            interpreter.endless(Value::unknown_of(BuiltIn::Int, "how many rounds there are is not known"))
        }
    })
}
/// One more of those that a value stands for.
pub(super) fn one_of(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "one_of")?;
    Ok(interpreter.heap.one_of(&value))
}
/// `total(size, number)`: what so many sizes add up to; nobody knows if they may differ.
pub(super) fn total(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [size, number] = [0, 1].map(|place| values.get(place).and_then(Value::as_dim));
    let (Some(size), Some(number)) = (size, number) else {
        return Ok(Value::unknown_of(BuiltIn::Int, "a sum of numbers that are not known"));
    };
    Ok(Value::Int(interpreter.sum_of_sizes(size, number)))
}
/// `more_views(view, tensor, number)`: so many more views of a tensor that look like one of them.
pub(super) fn more_views(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [view, of, number] = [0, 1, 2].map(|place| values.get(place).cloned().unwrap_or(Value::None));
    let number = number.as_dim().and_then(|number| usize::try_from(number.known()?).ok()).unwrap_or(0);
    let (Some(like), Some(of)) = (view.as_object(), of.as_object()) else { return Ok(Value::tuple([])) };
    let views: Vec<Value> = (0..number)
        .map(|_| {
            let another = interpreter.heap.another(like);
            interpreter.heap.add_view(another, of);
            Value::Object(another)
        })
        .collect();
    Ok(Value::tuple(views))
}
