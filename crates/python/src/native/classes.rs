//! What classes themselves can do: being made, being called, and telling their order.

use super::{Keywords, Native, required};
use crate::heap::{Id, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

/// What every class offers.
pub static OF_CLASS: &[Native] = &[
    Native { name: "mro", call: mro },
    Native { name: "__subclasses__", call: |run, _, _| Ok(run.lose("the subclasses of a class")) },
    Native { name: "__instancecheck__", call: instance_check },
    Native { name: "__subclasscheck__", call: subclass_check },
    Native { name: "__prepare__", call: |run, _, _| Ok(run.new_dict(Default::default())) },
];

/// What metaclasses find by `super()`.
pub static TYPE: &[Native] = &[
    Native { name: "__new__", call: |run, values, _| make(run, &values) },
    Native { name: "__init__", call: |_, _, _| Ok(Value::None) },
    Native { name: "__call__", call },
    Native { name: "mro", call: mro },
    Native { name: "__instancecheck__", call: instance_check },
    Native { name: "__subclasscheck__", call: subclass_check },
    Native { name: "__prepare__", call: |run, _, _| Ok(run.new_dict(Default::default())) },
];

/// The attribute by which the names of a class body know the class that waits for them.
pub const WAITING: &str = "<class>";

fn mro(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let class = required(interpreter, &values, 0, "mro")?;
    let order = class.as_object().map(|class| interpreter.order(class));
    let order = order.iter().flat_map(|order| order.iter()).map(|&class| Value::Object(class)).collect();
    Ok(interpreter.new_list(order))
}
fn instance_check(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (class, value) =
        (required(interpreter, &values, 0, "check")?, required(interpreter, &values, 1, "check")?);
    Ok(match (class.as_object(), interpreter.class_of(&value)) {
        (Some(class), Some(own)) => Value::bool(interpreter.is_subclass(own, class)),
        _ => Value::unknown_of(BuiltIn::Bool, "the class of something unknown"),
    })
}
fn subclass_check(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (class, own) =
        (required(interpreter, &values, 0, "check")?, required(interpreter, &values, 1, "check")?);
    Ok(match (class.as_object(), own.as_object()) {
        (Some(class), Some(own)) => Value::bool(interpreter.is_subclass(own, class)),
        _ => Value::unknown_of(BuiltIn::Bool, "the class of something unknown"),
    })
}
fn call(interpreter: &mut Interpreter, mut values: Vec<Value>, keywords: Keywords) -> Outcome {
    let class = required(interpreter, &values, 0, "__call__")?;
    values.remove(0);
    match class.as_object() {
        Some(id) if interpreter.is_class(&class) => interpreter.instance(id, values, keywords),
        _ => interpreter.raise("TypeError", "not a class"),
    }
}

/// `type.__new__(meta, name, bases, names)`.
fn make(interpreter: &mut Interpreter, values: &[Value]) -> Outcome {
    let meta = required(interpreter, values, 0, "__new__")?.as_object();
    if values.len() == 2 {
        return of(interpreter, &values[1]);
    }
    let name = required(interpreter, values, 1, "__new__")?;
    let bases = required(interpreter, values, 2, "__new__")?;
    let names = required(interpreter, values, 3, "__new__")?;
    let waiting = names.as_object().and_then(|names| {
        interpreter.heap.get(names).attributes.get(&Name::new(WAITING)).and_then(Value::as_object)
    });
    let attributes = interpreter
        .pairs_of(&names)?
        .into_iter()
        .filter_map(|(key, value)| Some((Name::new(key.as_text()?), value)))
        .collect();
    let meta = meta.filter(|meta| *meta != BuiltIn::Type.class());
    if let Some(class) = waiting {
        let object = interpreter.heap.get_mut(class);
        object.attributes = attributes;
        if let Some(meta) = meta {
            object.class = meta;
        }
        return Ok(Value::Object(class));
    }
    let name = Name::new(name.as_text().map_or("?", |name| name));
    let mut known: Vec<Id> = Vec::new();
    for base in interpreter.items_of(&bases)? {
        match base.as_object().filter(|_| interpreter.is_class(&base)) {
            Some(base) => known.push(base),
            None => drop(interpreter.lose(format!("`{name}` has a base that is not known"))),
        }
    }
    let class = interpreter.new_class(name, known, attributes, false, meta)?;
    interpreter.finish_class(class, Vec::new())?;
    Ok(Value::Object(class))
}

/// `Meta(name, bases, names)`, before `__init__`.
pub fn make_by(interpreter: &mut Interpreter, meta: Id, positional: &[Value]) -> Outcome {
    let arguments: Vec<Value> = [Value::Object(meta)].into_iter().chain(positional.iter().cloned()).collect();
    make(interpreter, &arguments)
}

/// `type(x)`, or a class made from its parts.
pub fn make_type(interpreter: &mut Interpreter, positional: &[Value]) -> Outcome {
    match positional {
        [value] => of(interpreter, value),
        [name, bases, names] => {
            let meta = Value::Object(BuiltIn::Type.class());
            make(interpreter, &[meta, name.clone(), bases.clone(), names.clone()])
        }
        _ => interpreter.raise("TypeError", "type() takes 1 or 3 arguments"),
    }
}
fn of(interpreter: &mut Interpreter, value: &Value) -> Outcome {
    Ok(match interpreter.class_of(value) {
        Some(class) => Value::Object(class),
        None => Value::unknown("the type of something unknown"),
    })
}

/// Names that a class still has to define before it can be called.
pub fn abstract_names(interpreter: &Interpreter, class: Id) -> Vec<String> {
    let names = interpreter.in_order(class, Name::new("__abstractmethods__"));
    match names.as_ref().and_then(|names| interpreter.payload(names)) {
        Some(Payload::Set(names)) => {
            names.values().filter_map(|(name, _)| Some(name.as_text()?.to_string())).collect()
        }
        _ => Vec::new(),
    }
}
