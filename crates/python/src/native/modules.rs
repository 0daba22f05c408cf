//! What `torch.nn.Module` does with attributes, parameters and modes, without a walk in Python.

use super::{Keywords, required};
use crate::heap::{Function, Id, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::Name;
use crate::value::Value;
use rustc_hash::FxHashSet;
use semantics::tensor::Tensor;

impl Interpreter {
    /// Whether a hook for attributes would only set such a value.
    pub(crate) fn lets_pass(&self, hook: &Value, value: &Value) -> bool {
        let Some(Payload::Function(hook)) = self.payload(hook) else { return false };
        hook.lets_plain_pass
            && match (value, self.payload(value)) {
                (Value::None | Value::Unknown(_), _) => false,
                (_, None | Some(Payload::List(_) | Payload::Dict(_) | Payload::Set(_))) => true,
                _ => false,
            }
    }
}

/// `@lets_plain_pass`, before a `__setattr__` that looks at objects of some classes only: numbers, texts and lists are
/// set without it.
pub(super) fn lets_plain_pass(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let function = required(interpreter, &values, 0, "lets_plain_pass")?;
    if let Some(Payload::Function(hook)) = interpreter.payload(&function)
        && let Some(id) = function.as_object()
    {
        let hook = Function { lets_plain_pass: true, ..(**hook).clone() };
        interpreter.heap.get_mut(id).payload = Payload::Function(hook.into());
    }
    Ok(function)
}

/// `weights(module, prefix, recurse)`: the parameters of a module and of the modules in it, with their names; None
/// where not all of them are known.
pub(super) fn weights(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [module, prefix, recurse] = [0, 1, 2].map(|place| required(interpreter, &values, place, "weights"));
    let (module, prefix, recurse) = (module?, prefix?, recurse?);
    let (Value::Object(module), Value::Text(prefix), Value::Bool(recurse)) = (&module, &prefix, &recurse)
    else {
        return Ok(Value::None);
    };
    let Some(recurse) = recurse.known() else { return Ok(Value::None) };
    let mut found = Vec::new();
    let levels = if recurse { DEEPEST } else { 0 };
    Ok(match collect(interpreter, *module, &mut prefix.to_string(), levels, &mut found) {
        Some(()) => interpreter.new_list(found),
        None => Value::None,
    })
}
/// The weights of a module and of all in it, by their dotted names.
pub fn named_weights(interpreter: &Interpreter, module: Id) -> Vec<(String, Tensor)> {
    let mut found = Vec::new();
    let _ = collect(interpreter, module, &mut String::new(), DEEPEST, &mut found);
    let named = found.iter().filter_map(|pair| match pair {
        Value::Tuple(pair) => {
            Some((pair.first()?.as_text()?.to_string(), interpreter.as_tensor(pair.get(1)?)?))
        }
        _ => None,
    });
    named.collect()
}

/// Modules nest less deeply than this, unless one is part of itself.
const DEEPEST: usize = 64;

fn collect(
    interpreter: &Interpreter,
    module: Id,
    prefix: &mut String,
    levels: usize,
    found: &mut Vec<Value>,
) -> Option<()> {
    let attributes = &interpreter.heap.get(module).attributes;
    let pairs = |name: Name| match interpreter.payload(attributes.get(&name)?)? {
        Payload::Dict(pairs) => Some(pairs),
        _ => None,
    };
    for (name, weight) in pairs(Name::PARAMETERS)?.values() {
        match (name, weight) {
            (Value::Text(_), Value::None) => {}
            (Value::Text(name), Value::Object(_)) => {
                found.push(Value::tuple([Value::text(&format!("{prefix}{name}")), weight.clone()]));
            }
            _ => return None,
        }
    }
    if levels == 0 {
        return Some(());
    }
    let outer = prefix.len();
    for (name, part) in pairs(Name::MODULES)?.values() {
        match (name, part) {
            (Value::Text(_), Value::None) => {}
            (Value::Text(name), Value::Object(part)) if levels > 1 => {
                prefix.push_str(name);
                prefix.push('.');
                collect(interpreter, *part, prefix, levels - 1, found)?;
                prefix.truncate(outer);
            }
            _ => return None,
        }
    }
    Some(())
}

/// `set_training(module, mode)`: sets the mode of a module and of all in it; gives those that have their own way to.
pub(super) fn set_training(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [module, mode] = [0, 1].map(|place| required(interpreter, &values, place, "set_training"));
    let (module, mode) = (module?, mode?);
    let mut own_ways = Vec::new();
    let mut open: Vec<Id> = module.as_object().into_iter().collect();
    let mut seen = FxHashSet::default();
    while let Some(module) = open.pop() {
        if !seen.insert(module) {
            continue;
        }
        interpreter.set_name(module, Name::TRAINING, mode.clone());
        let parts = match interpreter.heap.get(module).attributes.get(&Name::MODULES) {
            Some(parts) => match interpreter.payload(parts) {
                Some(Payload::Dict(pairs)) => pairs.values().map(|(_, part)| part.clone()).collect(),
                _ => vec![Value::unknown("the modules of a module are not known")],
            },
            None => Vec::new(),
        };
        for part in parts {
            match &part {
                Value::None => {}
                Value::Object(id) if has_usual_training(interpreter, *id) => open.push(*id),
                _ => own_ways.push(part),
            }
        }
    }
    Ok(interpreter.new_list(own_ways))
}
fn has_usual_training(interpreter: &Interpreter, module: Id) -> bool {
    let train = interpreter.in_order(interpreter.heap.get(module).class, Name::TRAIN);
    let train = train.and_then(|train| match interpreter.payload(&train) {
        Some(Payload::Function(train)) => Some(train.source.is_library),
        _ => None,
    });
    train == Some(true)
}
