//! The built-in functions, and what every object can do.

use super::containers::length;
use super::ordering::{abs, chr, divmod, extreme, ord, pow, reversed, round, sorted, sum};
use super::{Keywords, Native, argument, required};
use crate::heap::{Iterator, Payload};
use crate::interpreter::{Flow, Frame, Interpreter, Outcome};
use crate::syntax::{Name, Stmt, StmtKind};
use crate::value::{BuiltIn, Value};
use semantics::dim::Dim;
use semantics::prop::Prop;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "print", call: print },
    Native { name: "len", call: len },
    Native { name: "iter", call: iter },
    Native { name: "next", call: next },
    Native { name: "isinstance", call: isinstance },
    Native { name: "issubclass", call: issubclass },
    Native { name: "hasattr", call: hasattr },
    Native { name: "getattr", call: getattr },
    Native { name: "setattr", call: setattr },
    Native { name: "delattr", call: delattr },
    Native { name: "callable", call: callable },
    Native { name: "id", call: id },
    Native { name: "hash", call: hash },
    Native { name: "repr", call: repr },
    Native { name: "ascii", call: repr },
    Native { name: "bin", call: |run, values, _| based(run, &values, "#b") },
    Native { name: "oct", call: |run, values, _| based(run, &values, "#o") },
    Native { name: "hex", call: |run, values, _| based(run, &values, "#x") },
    Native { name: "format", call: format },
    Native { name: "abs", call: abs },
    Native { name: "round", call: round },
    Native { name: "min", call: |run, values, keywords| extreme(run, values, keywords, false) },
    Native { name: "max", call: |run, values, keywords| extreme(run, values, keywords, true) },
    Native { name: "sum", call: sum },
    Native { name: "sorted", call: sorted },
    Native { name: "reversed", call: reversed },
    Native { name: "ord", call: ord },
    Native { name: "chr", call: chr },
    Native { name: "pow", call: pow },
    Native { name: "divmod", call: divmod },
    Native { name: "vars", call: vars },
    Native { name: "dir", call: dir },
    Native { name: "globals", call: globals },
    Native { name: "locals", call: locals },
    Native { name: "input", call: |_, _, _| Ok(Value::unknown_of(BuiltIn::Text, "what the user types")) },
    Native { name: "exec", call: |run, _, _| Ok(run.lose("`exec` is not followed")) },
    Native { name: "eval", call: eval },
    Native { name: "__import__", call: import },
    Native { name: "_range_iterator", call: range_iterator },
];

pub static OBJECT: &[Native] = &[
    Native { name: "__init__", call: |_, _, _| Ok(Value::None) },
    Native { name: "__new__", call: object_new },
    Native { name: "__setattr__", call: object_setattr },
    Native { name: "__delattr__", call: object_delattr },
    Native { name: "__getattribute__", call: plain_getattr },
    Native { name: "__init_subclass__", call: |_, _, _| Ok(Value::None) },
    Native { name: "__repr__", call: |run, values, _| described(run, &values) },
    Native { name: "__str__", call: |run, values, _| described(run, &values) },
    Native { name: "__eq__", call: |run, values, _| same(run, &values) },
    Native { name: "__hash__", call: id },
    Native { name: "__dir__", call: dir },
    Native { name: "__reduce__", call: |_, _, _| Ok(Value::None) },
    Native {
        name: "__class_getitem__",
        call: |_, values, _| Ok(values.first().cloned().unwrap_or(Value::None)),
    },
];
pub static PROPERTY: &[Native] = &[
    Native { name: "setter", call: |run, values, _| with_accessor(run, &values, 1) },
    Native { name: "getter", call: |run, values, _| with_accessor(run, &values, 0) },
    Native { name: "deleter", call: |run, values, _| with_accessor(run, &values, 2) },
];

/// What is printed is kept only for whoever asked for it.
fn print(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let option = |name: &str| argument(&[], &keywords, 0, name).filter(|value| !value.is_none());
    if interpreter.printed.is_none() || option("file").is_some() {
        return Ok(Value::None);
    }
    let text = |value: Option<Value>, default: &str| {
        value.and_then(|value| value.as_text().cloned()).map_or(default.to_owned(), |text| text.to_string())
    };
    let (between, end) = (text(option("sep"), " "), text(option("end"), "\n"));
    let shown: Vec<String> = values.iter().map(|value| interpreter.display(value)).collect();
    if let Some(printed) = &mut interpreter.printed {
        printed.push_str(&shown.join(&between));
        printed.push_str(&end);
    }
    Ok(Value::None)
}
pub fn len(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "len")?;
    let length = length(interpreter, &value);
    interpreter.assumed_length(&value, length)
}
pub fn iter(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "iter")?;
    if let Some(sentinel) = values.get(1) {
        let iterator = Iterator::Called(value, sentinel.clone());
        return Ok(interpreter.new_object(BuiltIn::Iterator.class(), Payload::Iterator(iterator)));
    }
    interpreter.iterate(&value)
}
pub fn next(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let iterator = required(interpreter, &values, 0, "next")?;
    if let Value::Unknown(unknown) = &iterator {
        return Ok(Value::unknown(unknown.reason.clone()));
    }
    match interpreter.next(&iterator)? {
        Some(value) => Ok(value),
        None => match values.get(1) {
            Some(default) => Ok(default.clone()),
            None => interpreter.raise("StopIteration", ""),
        },
    }
}
fn range_iterator(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let number = |place: usize| values.get(place).and_then(Value::as_dim);
    match (number(0), number(1), number(2).and_then(Dim::known)) {
        (Some(next), Some(stop), Some(step)) if step != 0 => {
            Ok(interpreter.range_iterator(next, stop, step, false))
        }
        // As often as nobody knows.
        _ => {
            let number =
                Value::unknown_of(BuiltIn::Int, "a number of a range of which the ends are not known");
            Ok(interpreter.endless(number))
        }
    }
}

fn isinstance(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (value, class) =
        (required(interpreter, &values, 0, "isinstance")?, required(interpreter, &values, 1, "isinstance")?);
    Ok(Value::bool(interpreter.is_instance(&value, &class)?))
}
fn issubclass(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (class, of) =
        (required(interpreter, &values, 0, "issubclass")?, required(interpreter, &values, 1, "issubclass")?);
    let bases = match &of {
        Value::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    if matches!(class, Value::Unknown(_)) || bases.iter().any(|base| matches!(base, Value::Unknown(_))) {
        return Ok(Value::Bool(Prop::unknown("something unknown is a subclass")));
    }
    let Some(class) = class.as_object().filter(|_| interpreter.is_class(&class)) else {
        return interpreter.raise("TypeError", "issubclass() arg 1 must be a class");
    };
    let any = bases.iter().filter_map(Value::as_object).any(|base| interpreter.is_subclass(class, base));
    Ok(Value::bool(any))
}

fn name_argument(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<Option<Name>> {
    let name = required(interpreter, values, 1, "getattr")?;
    match interpreter.unwrapped(&name) {
        Value::Text(text) => Ok(Some(Name::new(&text))),
        Value::Unknown(_) => Ok(None),
        _ => interpreter.raise("TypeError", "attribute name must be string"),
    }
}
/// The attribute, or nothing where looking it up raises AttributeError.
fn attempt(interpreter: &mut Interpreter, value: &Value, name: Name) -> Outcome<Option<Value>> {
    let depth = interpreter.frames.len();
    match interpreter.find_attribute(value, name) {
        Err(Flow::Raise(exception))
            if interpreter.is_instance_of_named(&Value::Object(exception), "AttributeError") =>
        {
            interpreter.frames.truncate(depth);
            Ok(None)
        }
        result => result,
    }
}
/// Whether a module says itself which names it has.
fn answers_for_names(interpreter: &Interpreter, value: &Value) -> bool {
    let Some(Payload::Module { scope, .. }) = interpreter.payload(value) else { return false };
    interpreter.heap.get(*scope).attributes.contains_key(&Name::GETATTR)
}
fn hasattr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "hasattr")?;
    let name = name_argument(interpreter, &values)?;
    match (name, &value) {
        (Some(name), value) if !matches!(value, Value::Unknown(_)) => {
            Ok(match attempt(interpreter, value, name)? {
                Some(_) => Value::bool(true),
                // Our own models know what they have, and so do classes and modules that answer for every name.
                None if interpreter.is_incomplete(value)
                    && !interpreter.has_special(value, "__getattr__")
                    && !answers_for_names(interpreter, value)
                    && interpreter.may_have(value, name)
                    && !interpreter.frame().source.is_library =>
                {
                    Value::Bool(Prop::unknown(&format!("`{name}` is there, which is not modelled")))
                }
                None => Value::bool(false),
            })
        }
        _ => Ok(Value::Bool(Prop::unknown("something unknown has an attribute"))),
    }
}
fn getattr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "getattr")?;
    let Some(name) = name_argument(interpreter, &values)? else {
        return Ok(interpreter.lose("an attribute whose name is not known"));
    };
    match values.get(2) {
        None => interpreter.attribute(&value, name),
        Some(_) if matches!(value, Value::Unknown(_)) => interpreter.attribute(&value, name),
        Some(default) => Ok(attempt(interpreter, &value, name)?.unwrap_or_else(|| default.clone())),
    }
}
/// `object.__getattribute__`: without the hook that may have called it.
fn plain_getattr(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    interpreter.without_hooks(|run| getattr(run, values, keywords))
}
fn setattr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (object, value) =
        (required(interpreter, &values, 0, "setattr")?, required(interpreter, &values, 2, "setattr")?);
    if let Some(name) = name_argument(interpreter, &values)? {
        interpreter.set_attribute(&object, name, value)?;
    }
    Ok(Value::None)
}
fn delattr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let object = required(interpreter, &values, 0, "delattr")?;
    if let Some(name) = name_argument(interpreter, &values)? {
        interpreter.delete_attribute(&object, name)?;
    }
    Ok(Value::None)
}
fn object_new(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let class = required(interpreter, &values, 0, "__new__")?;
    match class.as_object().filter(|_| interpreter.is_class(&class)) {
        // What is left of the arguments is for the built-in type that instances are made of.
        Some(class) if interpreter.layout(class) != BuiltIn::Object => {
            super::construct(interpreter, class, &values[1..], &keywords)
        }
        Some(class) => Ok(interpreter.new_object(class, Payload::Plain)),
        None => interpreter.raise("TypeError", "object.__new__(X): X is not a type object"),
    }
}
fn object_setattr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (object, value) = (
        required(interpreter, &values, 0, "__setattr__")?,
        required(interpreter, &values, 2, "__setattr__")?,
    );
    if let (Some(name), Some(id)) = (name_argument(interpreter, &values)?, object.as_object()) {
        let class = interpreter.heap.get(id).class;
        let setter = match interpreter.in_order(class, name) {
            Some(found) => match interpreter.payload(&found) {
                Some(Payload::Property { set, .. }) if !set.is_none() => Some(set.clone()),
                _ => None,
            },
            None => None,
        };
        match setter {
            Some(set) => drop(interpreter.call(&set, vec![object, value], Vec::new())?),
            None => interpreter.set_name(id, name, value),
        }
    }
    Ok(Value::None)
}
fn object_delattr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let object = required(interpreter, &values, 0, "__delattr__")?;
    if let (Some(name), Some(id)) = (name_argument(interpreter, &values)?, object.as_object())
        && interpreter.heap.get_mut(id).attributes.remove(&name).is_none()
    {
        let what = interpreter.type_name(&object);
        return interpreter.raise("AttributeError", format!("'{what}' object has no attribute '{name}'"));
    }
    Ok(Value::None)
}
fn described(interpreter: &mut Interpreter, values: &[Value]) -> Outcome {
    let value = required(interpreter, values, 0, "__repr__")?;
    let what = interpreter.type_name(&value);
    Ok(Value::Text(format!("<{what} object>").into()))
}
fn same(interpreter: &mut Interpreter, values: &[Value]) -> Outcome {
    let (a, b) = (required(interpreter, values, 0, "__eq__")?, required(interpreter, values, 1, "__eq__")?);
    Ok(if a.is(&b) { Value::bool(true) } else { Value::NotImplemented })
}
fn callable(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "callable")?;
    Ok(match (&value, interpreter.payload(&value)) {
        (Value::Native(_) | Value::Method(_), _) | (_, Some(Payload::Function(_) | Payload::Class(_))) => {
            Value::bool(true)
        }
        (Value::Unknown(_), _) => Value::Bool(Prop::unknown("something unknown can be called")),
        _ => {
            let class = interpreter.class_of(&value);
            Value::bool(class.is_some_and(|class| interpreter.in_order(class, Name::CALL).is_some()))
        }
    })
}
fn id(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match values.first().and_then(Value::as_object) {
        Some(id) => Value::int(id.number() as i64),
        None => Value::unknown_of(BuiltIn::Int, "an address"),
    })
}
fn hash(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "hash")?;
    let key = interpreter.key(&value)?;
    if let crate::value::Key::Int(number) = key {
        return Ok(Value::int(if number == -1 { -2 } else { number }));
    }
    let made = || Value::unknown_of(BuiltIn::Int, "a hash");
    Ok(interpreter.hashes.entry(key).or_insert_with(made).clone())
}
fn repr(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "repr")?;
    Ok(Value::Text(interpreter.represent(&value).into()))
}
fn format(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "format")?;
    let specification = values.get(1).and_then(Value::as_text).cloned().unwrap_or_default();
    if let Value::Unknown(unknown) = &value {
        return Ok(Value::unknown_of(BuiltIn::Text, unknown.reason.clone()));
    }
    Ok(Value::Text(interpreter.format_value(&value, &specification)?.into()))
}

fn based(interpreter: &mut Interpreter, values: &[Value], specification: &str) -> Outcome {
    let value = required(interpreter, values, 0, "hex")?;
    let value = match interpreter.unwrapped(&value) {
        Value::Object(_) => interpreter.call_special(&value, "__index__", Vec::new())?,
        plain => plain,
    };
    match value.as_int() {
        Some(number) => Ok(Value::Text(interpreter.format_value(&Value::int(number), specification)?.into())),
        None if matches!(value, Value::Unknown(_) | Value::Int(_)) => {
            Ok(Value::unknown_of(BuiltIn::Text, "the digits of an unknown number"))
        }
        None => {
            let what = interpreter.type_name(&value);
            interpreter.raise("TypeError", format!("'{what}' object cannot be interpreted as an integer"))
        }
    }
}
fn vars(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    match values.first() {
        Some(value) => interpreter.attribute(value, Name::new("__dict__")),
        None => locals(interpreter, values, keywords),
    }
}
fn dir(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mut names = Vec::new();
    if let Some(id) = values.first().and_then(Value::as_object) {
        let scope = match interpreter.heap.get(id).payload {
            Payload::Module { scope, .. } => scope,
            _ => id,
        };
        names.extend(interpreter.heap.get(scope).attributes.keys().map(|name| name.text()));
        let class = interpreter.heap.get(id).class;
        for &base in interpreter.order(class).iter() {
            names.extend(interpreter.heap.get(base).attributes.keys().map(|name| name.text()));
        }
    }
    names.sort();
    names.dedup();
    let names = names.into_iter().map(Value::Text).collect();
    Ok(interpreter.new_list(names))
}
fn globals(interpreter: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    let globals = interpreter.frame().globals;
    Ok(interpreter.attributes_as_dict(globals))
}
fn locals(interpreter: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    let scope = interpreter.frame().scope;
    let names = interpreter.attributes_as_dict(scope);
    // What is written into it stays there.
    let Some(Payload::Dict(pairs)) = interpreter.payload(&names) else { return Ok(names) };
    let pairs =
        pairs.iter().filter(|(_, (name, _))| name.as_text().is_some_and(|name| !name.starts_with('<')));
    let pairs = pairs.map(|(key, pair)| (key.clone(), pair.clone())).collect();
    Ok(interpreter.new_dict(pairs))
}
/// `eval(text)`: an expression, where the caller stands.
fn eval(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let text = match &values[..] {
        [Value::Text(text)] if keywords.is_empty() => text.trim().to_owned(),
        _ => return Ok(interpreter.lose("`eval` of what is not known, or among other names")),
    };
    let module = match crate::syntax::read("<string>", text, true) {
        Ok(module) => module,
        Err((_, error)) => return interpreter.raise("SyntaxError", error.message.to_string()),
    };
    match &module.body[..] {
        [Stmt { kind: StmtKind::Expr(expression), .. }] => {
            let source = module.source.clone();
            interpreter.evaluate_in(Frame { source, ..interpreter.frame().clone() }, expression)
        }
        _ => interpreter.raise("SyntaxError", "invalid syntax"),
    }
}
fn import(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    match values.first() {
        Some(Value::Text(name)) => {
            let name = name.clone();
            interpreter.module(&name)
        }
        _ => Ok(interpreter.lose("the name of a module is not known")),
    }
}

pub fn make_super(interpreter: &mut Interpreter, positional: &[Value]) -> Outcome {
    let frame = interpreter.frame();
    let (after, on) = match positional {
        [Value::Unknown(class), _] => return Ok(class.derived("a base of something unknown".into())),
        [class, on] => (class.as_object(), Some(on.clone())),
        _ => (frame.class, frame.receiver.clone()),
    };
    match (after, on) {
        (Some(after), Some(on)) => {
            Ok(interpreter.new_object(BuiltIn::Super.class(), Payload::Super { after, on }))
        }
        _ => interpreter.raise("RuntimeError", "super(): no arguments"),
    }
}
pub fn make_property(
    interpreter: &mut Interpreter,
    positional: &[Value],
    keywords: &[(Name, Value)],
) -> Outcome {
    let part = |place: usize, name: &str| argument(positional, keywords, place, name).unwrap_or(Value::None);
    let payload = Payload::Property { get: part(0, "fget"), set: part(1, "fset"), delete: part(2, "fdel") };
    Ok(interpreter.new_object(BuiltIn::Property.class(), payload))
}
fn with_accessor(interpreter: &mut Interpreter, values: &[Value], which: usize) -> Outcome {
    let (property, function) =
        (required(interpreter, values, 0, "property")?, required(interpreter, values, 1, "property")?);
    let Some(Payload::Property { get, set, delete }) = interpreter.payload(&property) else {
        return Ok(Value::None);
    };
    let mut parts = [get.clone(), set.clone(), delete.clone()];
    parts[which] = function;
    let [get, set, delete] = parts;
    Ok(interpreter.new_object(BuiltIn::Property.class(), Payload::Property { get, set, delete }))
}
