//! Plain cases that library files meet at every turn, answered at once instead of by a loop in Python.

use super::gradients::{is_guarded, number};
use super::internal::{given, replace, require};
use super::{Keywords, required};
use crate::heap::{Function, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::{BinaryOperator, Comparison, Name};
use crate::value::{BuiltIn, Value};
use rustc_hash::FxHashSet;
use semantics::dim::Dim;
use semantics::dtype::{DType, Kind};
use semantics::prop::Prop;

/// The elements of a list or tuple.
fn items<'a>(interpreter: &'a Interpreter, list: &'a Value) -> Option<&'a [Value]> {
    match (list, interpreter.payload(list)) {
        (Value::Tuple(items), _) => Some(items),
        (_, Some(Payload::List(items))) => Some(items),
        _ => None,
    }
}

/// `all_ints(numbers)`: whether there are only integers, known or not, and no truth values.
pub(super) fn all_ints(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let numbers = required(interpreter, &values, 0, "all_ints")?;
    let are_ints = |items: &[Value]| items.iter().all(|number| matches!(number, Value::Int(_)));
    Ok(Value::bool(items(interpreter, &numbers).is_some_and(are_ints)))
}

/// `count(sizes)`: how many elements a tensor of these sizes has.
pub(super) fn count(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let sizes = required(interpreter, &values, 0, "count")?;
    let sizes = interpreter.unwrapped(&sizes);
    if let (Value::Unknown(_), _) | (_, Some(Payload::Many { .. })) = (&sizes, interpreter.payload(&sizes)) {
        return Ok(Value::unknown_of(BuiltIn::Int, "how many elements there are is not known"));
    }
    let mut total = Value::int(1);
    for size in interpreter.items_of(&sizes)? {
        total = interpreter.binary(BinaryOperator::Mul, &total, &size)?;
    }
    Ok(total)
}

/// `any_is(numbers, number)`: whether a number is among others, as one statement. A product of sizes says the same of 0 and
/// is far harder to decide.
pub(super) fn any_is(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    compared(interpreter, &values, Prop::any)
}
/// `all_are(numbers, number)`: whether all numbers are this one, as one statement.
pub(super) fn all_are(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    compared(interpreter, &values, Prop::all)
}
fn compared(interpreter: &mut Interpreter, values: &[Value], joined: fn(Vec<Prop>) -> Prop) -> Outcome {
    let [numbers, number] = [0, 1].map(|place| required(interpreter, values, place, "any_is"));
    let (numbers, number) = (numbers?, number?.as_dim());
    let numbers = interpreter.unwrapped(&numbers);
    if let (Value::Unknown(_), _) | (_, Some(Payload::Many { .. })) =
        (&numbers, interpreter.payload(&numbers))
    {
        return Ok(Value::unknown_of(BuiltIn::Bool, "the sizes are not known"));
    }
    let all = interpreter.items_of(&numbers)?;
    let dims: Option<Vec<Dim>> = all.iter().map(|size| interpreter.unwrapped(size).as_dim()).collect();
    Ok(match (dims, number) {
        (Some(dims), Some(number)) => Value::Bool(joined(dims.iter().map(|dim| dim.eq(number)).collect())),
        _ => Value::unknown_of(BuiltIn::Bool, "the sizes are not known"),
    })
}

/// `channels(tensor)`: the axis that the user says the channels are in; None if nobody said so.
pub(super) fn channels(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = values.first().and_then(|value| interpreter.as_tensor(value));
    let layout = tensor.and_then(|tensor| tensor.layout());
    Ok(layout.map_or(Value::None, |layout| Value::int(layout.channels() as i64)))
}

/// `per_axis(value, number, name)`: one number for each axis, given so or one for all.
pub(super) fn per_axis(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [value, number] = [0, 1].map(|place| required(interpreter, &values, place, "per_axis"));
    let (value, number) =
        (value?, number?.as_int().and_then(|number| usize::try_from(number).ok()).unwrap_or(0));
    let each = match items(interpreter, &value) {
        Some([one]) => vec![one.clone(); number],
        Some(each) if each.len() == number => each.to_vec(),
        Some(each) => {
            let each = each.to_vec();
            let name = values.get(2).and_then(Value::as_text).map_or("an argument", |name| name);
            let label = Value::text(&format!("`{name}` has one number per axis"));
            require(interpreter, vec![label, Value::bool(false), Value::text("value")], Vec::new())?;
            each
        }
        None => vec![value; number],
    };
    Ok(interpreter.new_list(each))
}

/// `are_vectors(tensors, kind, length)`: whether all that are there are vectors of such a type and length.
pub(super) fn are_vectors(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [tensors, kind, length] = [0, 1, 2].map(|place| required(interpreter, &values, place, "are_vectors"));
    let (tensors, kind, length) = (tensors?, interpreter.kind_of(&kind?), length?.as_dim());
    let is_one = |value: &Value| match interpreter.as_tensor(value) {
        Some(tensor) => {
            let fits = matches!(tensor.dtype(), DType::Known(own) if Some(own) == kind);
            fits && matches!(tensor.shape().sizes().as_deref(), Some([size]) if Some(size.id()) == length.map(Dim::id))
        }
        None => matches!(value, Value::None),
    };
    Ok(Value::bool(items(interpreter, &tensors).is_some_and(|tensors| tensors.iter().all(is_one))))
}

/// `at_least("label", numbers, least, tensors…)`: requires it of each number.
pub(super) fn at_least(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [label, numbers, least] = [0, 1, 2].map(|place| required(interpreter, &values, place, "at_least"));
    let (label, numbers, least) = (label?, numbers?, least?);
    let numbers = match (&numbers, interpreter.payload(&numbers)) {
        (Value::Unknown(_), _) => vec![numbers],
        // One stands for all.
        (_, Some(Payload::Many { element, .. })) => vec![element.clone()],
        _ => interpreter.items_of(&numbers)?,
    };
    for number in numbers {
        if let (Some(number), Some(least)) = (number.as_int(), least.as_int())
            && number >= least
        {
            interpreter.path.plain.requirements += 1;
            continue;
        }
        let holds = interpreter.compare(Comparison::GreaterEqual, &number, &least)?;
        let stated = [label.clone(), holds, Value::text("value")];
        require(interpreter, stated.into_iter().chain(values[3..].iter().cloned()).collect(), Vec::new())?;
    }
    Ok(Value::None)
}

/// `made(kind, sizes)`: a tensor of which only type and sizes are known.
pub(super) fn made(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let sizes = required(interpreter, &values, 1, "made")?;
    at_least(interpreter, vec![Value::text("no size is negative"), sizes, Value::int(0)], Vec::new())?;
    given(interpreter, values, keywords)
}

/// `operands_of(operands, kind)`: tensors of an element type, real numbers among them as tensors without axes; None if
/// there is anything else.
pub(super) fn operands_of(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [operands, name] = [0, 1].map(|place| required(interpreter, &values, place, "operands_of"));
    let (operands, name) = (operands?, name?);
    let kind = interpreter.kind_of(&name);
    let mut tensors = Vec::new();
    for operand in interpreter.items_of(&operands)? {
        tensors.push(match (interpreter.as_tensor(&operand).map(|tensor| tensor.dtype()), &operand) {
            (Some(DType::Known(own)), _) if Some(own) == kind => operand,
            (None, Value::Int(_) | Value::Float(_)) => {
                number(interpreter, vec![name.clone(), operand], Vec::new())?
            }
            _ => return Ok(Value::None),
        });
    }
    Ok(interpreter.new_list(tensors))
}

/// `one_kind(operands)`: the element type that all tensors have, where it holds the numbers beside them; else None.
pub(super) fn one_kind(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let operands = required(interpreter, &values, 0, "one_kind")?;
    let mut common = None;
    let mut highest = 0;
    for operand in interpreter.items_of(&operands)? {
        match (interpreter.as_tensor(&operand).map(|tensor| tensor.dtype()), &operand) {
            (Some(DType::Known(kind)), _) if common.is_none_or(|common| common == kind) => {
                common = Some(kind)
            }
            (None, Value::Bool(_)) => {}
            (None, Value::Int(_)) => highest = highest.max(1),
            (None, Value::Float(_)) => highest = highest.max(2),
            _ => return Ok(Value::None),
        }
    }
    let holds = |kind: Kind| if kind.is_float() { 2 } else { i32::from(kind.is_int()) };
    Ok(match common {
        Some(kind) if holds(kind) >= highest => Value::Text(Name::new(kind.name()).text()),
        _ => Value::None,
    })
}

/// `methods(class, module, names, without)`: lets functions of a module be methods of a class that has none of these
/// names itself.
pub(super) fn methods(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [class, module, names, without] =
        [0, 1, 2, 3].map(|place| required(interpreter, &values, place, "methods"));
    let (class, module) = (class?.as_object(), module?);
    let (names, without) = (interpreter.items_of(&names?)?, interpreter.items_of(&without?)?);
    let (Some(class), Some(&Payload::Module { scope, .. })) = (class, interpreter.payload(&module)) else {
        return Ok(Value::None);
    };
    let without: FxHashSet<&str> =
        without.iter().filter_map(|name| name.as_text()).map(|name| &**name).collect();
    for name in names.iter().filter_map(Value::as_text).filter(|name| !without.contains(&***name)) {
        let name = Name::new(name);
        let function = interpreter.heap.get(scope).attributes.get(&name).cloned();
        let Some(function) = function.filter(|_| interpreter.in_order(class, name).is_none()) else {
            continue;
        };
        if let Some(Payload::Function(_)) = interpreter.payload(&function) {
            let method = as_method(interpreter, function);
            interpreter.set_name(class, name, method);
        }
    }
    Ok(Value::None)
}

/// A function as it is when called as a method: those that state their signatures take no `out` then.
pub(super) fn as_method(interpreter: &mut Interpreter, function: Value) -> Value {
    match interpreter.payload(&function) {
        Some(Payload::Function(plain)) if plain.def.parameters.is_stated() => {
            let method = Function { is_method: true, ..(**plain).clone() };
            interpreter.new_object(BuiltIn::Function.class(), Payload::Function(method.into()))
        }
        _ => function,
    }
}

/// `put_in_place(tensor, result)`: puts a result of the same type and shape into a tensor whose elements lie row by row
/// and may be changed; None in all other cases.
pub(super) fn put_in_place(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let [tensor, result] = [0, 1].map(|place| required(interpreter, &values, place, "put_in_place"));
    let (tensor, result) = (tensor?, result?);
    let (Some(old), Some(new)) = (interpreter.as_tensor(&tensor), interpreter.as_tensor(&result)) else {
        return Ok(Value::None);
    };
    let same_kind =
        matches!((old.dtype(), new.dtype()), (DType::Known(old), DType::Known(new)) if old == new);
    let same_shape = match (old.shape().sizes(), new.shape().sizes()) {
        (Some(old), Some(new)) => old.iter().map(|size| size.id()).eq(new.iter().map(|size| size.id())),
        _ => false,
    };
    let attributes = tensor.as_object().map(|id| &interpreter.heap.get(id).attributes);
    let lies_plain = attributes
        .is_some_and(|attributes| matches!(attributes.get(&Name::STRIDES), None | Some(Value::None)));
    if !same_kind || !same_shape || !lies_plain || is_guarded(interpreter, &tensor) {
        return Ok(Value::None);
    }
    replace(interpreter, values, keywords)
}
