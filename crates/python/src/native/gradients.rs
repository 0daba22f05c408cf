//! What library files ask and say of gradients, in the module `_tensorvet`.

use super::{Keywords, Native, required};
use crate::gradient::{Gradient, truth};
use crate::heap::{Function, Id, Object, Payload};
use crate::interpreter::{Autocast, Interpreter, Outcome};
use crate::syntax::Name;
use crate::tape::{self, Pass, Trace};
use crate::value::{Attributes, BuiltIn, Value};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "number", call: number },
    Native { name: "leaf", call: leaf },
    Native { name: "needs_gradient", call: needs_gradient },
    Native { name: "is_leaf", call: is_leaf },
    Native { name: "gradient", call: gradient },
    Native { name: "derived", call: derived },
    Native { name: "saved", call: saved },
    Native { name: "walk_back", call: walk_back },
    Native { name: "step", call: step },
    Native { name: "clear_gradients", call: clear_gradients },
    Native { name: "has_gradient", call: has_gradient },
    Native { name: "hangs_on", call: hangs_on },
    Native {
        name: "is_guarded",
        call: |interpreter, values, _| {
            let tensor = required(interpreter, &values, 0, "is_guarded")?;
            Ok(Value::bool(is_guarded(interpreter, &tensor)))
        },
    },
    Native { name: "alias", call: alias },
    Native { name: "copied", call: copied },
    Native { name: "follows_gradients", call: follows_gradients },
    Native { name: "autocast", call: autocast },
    Native { name: "with_gradients", call: with_gradients },
];

const FREED: &str = "gradients flow back a second time through what an earlier backward() has freed: detach() what is \
                     carried over, or give retain_graph=True to the earlier one";

/// `number(kind, value)`: a Python number as a tensor without axes, which no gradient reaches.
pub(super) fn number(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let kind = values.first().cloned().unwrap_or(Value::None);
    if let (Some(float), Some(element)) = (interpreter.kind_of(&kind), values.get(1).and_then(Value::element))
        && float.is_float()
    {
        let tensor = Tensor::from_elements(float, Shape::new([]), move |_| element.cast(float));
        return Ok(interpreter.new_tensor_with(tensor, Gradient::No));
    }
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
        Some(Some(_)) => match interpreter.gradient_of(&tensor) {
            leaf @ Gradient::Leaf(_) => leaf,
            _ => Gradient::Leaf(Trace::of(&[], false, false)),
        },
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
        Gradient::Derived(_) => "derived",
        Gradient::Leaf(_) => "leaf",
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
/// `saved(tensor)`: the tensor, for which a backward pass keeps what it needs.
fn saved(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "saved")?;
    let gradient = interpreter.gradient_of(&tensor).saving();
    set_gradient(interpreter, &tensor, gradient);
    Ok(tensor)
}
/// `walk_back(tensors, keeps, counts)`: a backward pass, which frees what it used unless it keeps it, and leaves gradients
/// if it counts. Gives why it cannot be: an earlier one has freed what it needs, or that was changed; else None.
fn walk_back(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensors = required(interpreter, &values, 0, "walk_back")?;
    let from: Vec<Trace> =
        interpreter.items_of(&tensors)?.iter().filter_map(|it| interpreter.gradient_of(it).trace()).collect();
    let is_no = |value: &Value| value.is_none() || value.as_int() == Some(0);
    let keeps = !values.get(1).is_some_and(is_no);
    let is_counted = !values.get(2).is_some_and(is_no);
    Ok(match interpreter.heap.passes.go(from, keeps, is_counted) {
        Pass::Done => Value::None,
        Pass::Freed => Value::text(FREED),
        Pass::Changed(by, at) => Value::text(&format!(
            "a tensor that `{by}` keeps for the backward pass was changed in place afterwards (line {}): make a new tensor \
             there (`x = x + y` instead of `x += y`), or change it after backward()",
            at.here.line
        )),
    })
}
/// `step(tensors)`: changes tensors in place that have a gradient.
fn step(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensors = required(interpreter, &values, 0, "step")?;
    let tensors = interpreter.items_of(&tensors)?;
    let traced = |tensor: &Value| Some((tensor.as_object()?, interpreter.gradient_of(tensor).trace()?));
    let tensors: Vec<(Id, Trace)> = tensors.iter().filter_map(traced).collect();
    let at = interpreter.spot();
    interpreter.heap.passes.step(&tensors, &at);
    Ok(Value::None)
}
/// `clear_gradients(tensors)`: takes the gradients of tensors away.
fn clear_gradients(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensors = required(interpreter, &values, 0, "clear_gradients")?;
    let own = Name::new("_grad");
    for id in interpreter.items_of(&tensors)?.iter().filter_map(Value::as_object) {
        interpreter.heap.passes.clear(id);
        if interpreter.heap.get(id).attributes.contains_key(&own) {
            interpreter.heap.get_mut(id).attributes.remove(&own);
        }
    }
    Ok(Value::None)
}
/// Whether a tensor has got a gradient since it was last taken away; None if nobody knows.
fn has_gradient(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "has_gradient")?;
    let trace = interpreter.gradient_of(&tensor).trace();
    let known =
        tensor.as_object().zip(trace).and_then(|(id, trace)| interpreter.heap.passes.reached(id, trace));
    Ok(known.map_or(Value::None, Value::bool))
}
/// `hangs_on(tensors, input)`: whether tensors were computed from another; None if nobody knows.
fn hangs_on(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensors = required(interpreter, &values, 0, "hangs_on")?;
    let input = required(interpreter, &values, 1, "hangs_on")?;
    let all: Vec<Gradient> =
        interpreter.items_of(&tensors)?.iter().map(|it| interpreter.gradient_of(it)).collect();
    let from: Option<Vec<Trace>> = all.into_iter().map(Gradient::trace).collect();
    let known =
        from.zip(interpreter.gradient_of(&input).trace()).and_then(|(from, to)| tape::reaches(&from, to));
    Ok(known.map_or(Value::None, Value::bool))
}
/// Whether a change in place is refused: gradients are followed, and computed for this very tensor.
pub(super) fn is_guarded(interpreter: &Interpreter, tensor: &Value) -> bool {
    let is_leaf = matches!(interpreter.gradient_of(tensor), Gradient::Leaf(_));
    is_leaf && interpreter.heap.follows_gradients == Some(true)
}
fn is_leaf(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "is_leaf")?;
    Ok(truth(match interpreter.gradient_of(&tensor) {
        Gradient::Open => None,
        Gradient::No | Gradient::Leaf(_) => Some(true),
        Gradient::Derived(_) => Some(false),
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
/// `autocast(kind)`: types are cast from here on: as on a CPU to a kind, as on a GPU, or not at all. Gives what held before.
fn autocast(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let before = interpreter.heap.autocast;
    if let Some(new) = values.first() {
        interpreter.heap.autocast = match new.as_text().map(|text| &**text) {
            Some("gpu") => Some(Autocast::Gpu),
            Some(_) => interpreter.kind_of(new).map(Autocast::Cpu),
            None => None,
        };
    }
    Ok(match before {
        None => Value::None,
        Some(Autocast::Gpu) => Value::text("gpu"),
        Some(Autocast::Cpu(kind)) => Value::text(kind.name()),
    })
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
