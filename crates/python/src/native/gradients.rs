//! What library files ask and say of gradients, in the module `_tensorvet`.

use super::{Keywords, Native, required};
use crate::gradient::{Gradient, truth};
use crate::heap::{Function, Object, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::Name;
use crate::value::{Attributes, BuiltIn, Value};

pub static FUNCTIONS: &[Native] = &[
    Native { name: "number", call: number },
    Native { name: "leaf", call: leaf },
    Native { name: "needs_gradient", call: needs_gradient },
    Native { name: "is_leaf", call: is_leaf },
    Native { name: "gradient", call: gradient },
    Native { name: "derived", call: derived },
    Native { name: "is_guarded", call: is_guarded },
    Native { name: "alias", call: alias },
    Native { name: "copied", call: copied },
    Native { name: "follows_gradients", call: follows_gradients },
    Native { name: "with_gradients", call: with_gradients },
];

/// `number(kind, value)`: a Python number as a tensor without axes, which no gradient reaches.
fn number(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let kind = values.first().cloned().unwrap_or(Value::None);
    let sizes = interpreter.new_list(Vec::new());
    let numbers = interpreter.new_list(values.into_iter().skip(1).take(1).collect());
    let tensor = super::internal::constant(interpreter, vec![kind, sizes, numbers], Keywords::new())?;
    set_gradient(interpreter, &tensor, Gradient::No);
    Ok(tensor)
}
/// `leaf(tensor, needed)`: the tensor, of which it is said whether gradients are computed for it.
fn leaf(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "leaf")?;
    let gradient = match values.get(1).map(|needed| needed.as_int()) {
        Some(Some(0)) => Gradient::No,
        Some(Some(_)) => Gradient::Leaf,
        _ => Gradient::Open,
    };
    set_gradient(interpreter, &tensor, gradient);
    Ok(tensor)
}
fn set_gradient(interpreter: &mut Interpreter, value: &Value, new: Gradient) {
    if let (Some(id), Some(tensor)) = (value.as_object(), interpreter.as_tensor(value)) {
        interpreter.heap.get_mut(id).payload = Payload::Tensor(tensor, new.of_type(tensor.dtype()));
    }
}
fn needs_gradient(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "needs_gradient")?;
    Ok(truth(interpreter.gradient_of(&tensor).needed()))
}
/// What is known of a tensor's gradient: `"open"`, `"no"`, `"derived"` or `"leaf"`.
fn gradient(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "gradient")?;
    Ok(Value::text(match interpreter.gradient_of(&tensor) {
        Gradient::Open => "open",
        Gradient::No => "no",
        Gradient::Derived => "derived",
        Gradient::Leaf => "leaf",
    }))
}
/// `derived(tensor, sources…)`: the tensor, which was computed from others.
fn derived(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "derived")?;
    let sources = values.iter().skip(1).map(|source| interpreter.gradient_of(source));
    let gradient = interpreter.heap.gradient_from(sources);
    set_gradient(interpreter, &tensor, gradient);
    Ok(tensor)
}
/// Whether a change in place is refused: gradients are followed, and computed for this very tensor.
fn is_guarded(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "is_guarded")?;
    let is_leaf = interpreter.gradient_of(&tensor) == Gradient::Leaf;
    Ok(Value::bool(is_leaf && interpreter.heap.follows_gradients == Some(true)))
}
fn is_leaf(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "is_leaf")?;
    Ok(truth(match interpreter.gradient_of(&tensor) {
        Gradient::Open => None,
        Gradient::No | Gradient::Leaf => Some(true),
        Gradient::Derived => Some(false),
    }))
}
/// `alias(tensor, needed, class)`: another object of the same elements, perhaps of another class.
fn alias(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "alias")?;
    let Some(of) = tensor.as_object() else { return Ok(tensor) };
    let held = interpreter.heap.get(of);
    let class = values.get(2).and_then(Value::as_object).or(interpreter.tensor_class).unwrap_or(held.class);
    let mut attributes = Attributes::default();
    let strides = Name::STRIDES;
    if let Some(value) = held.attributes.get(&strides) {
        attributes.insert(strides, value.clone());
    }
    let object = Object { class, attributes, payload: held.payload.clone() };
    let id = interpreter.heap.push(object);
    interpreter.heap.add_view(id, of);
    leaf(interpreter, vec![Value::Object(id), values.get(1).cloned().unwrap_or(Value::None)], keywords)
}
/// Another object with elements of its own that are the same.
fn copied(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "copied")?;
    let Some(tensor) = interpreter.as_tensor(&value) else { return Ok(value) };
    let gradient = interpreter.heap.gradient_from([interpreter.gradient_of(&value)]);
    Ok(interpreter.new_tensor_with(tensor, gradient))
}
/// Whether gradients are followed; with an argument, says so from here on.
fn follows_gradients(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let before = interpreter.heap.follows_gradients;
    if let Some(new) = values.first() {
        interpreter.heap.follows_gradients = new.as_int().map(|new| new != 0);
    }
    Ok(truth(before))
}
/// `with_gradients(function, follows)`: the function, inside which gradients are followed or not; None for what is no
/// function of Python.
fn with_gradients(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let function = required(interpreter, &values, 0, "with_gradients")?;
    let follows = values.get(1).and_then(Value::as_int).map(|follows| follows != 0);
    let (Some(Payload::Function(held)), Some(follows)) = (interpreter.payload(&function), follows) else {
        return Ok(Value::None);
    };
    let decorated = Function { follows_gradients: Some(follows), ..(**held).clone() };
    Ok(interpreter.new_object(BuiltIn::Function.class(), Payload::Function(decorated.into())))
}
