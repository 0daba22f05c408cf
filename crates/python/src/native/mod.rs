//! What Python's own types and functions do, as far as it is not written in Python (`library/builtins.py`).

mod bytes;
mod circumstances;
mod classes;
mod containers;
mod functions;
mod gradients;
mod internal;
mod iterators;
mod masks;
pub mod modules;
mod numbers;
mod once;
mod ordering;
mod parts;
mod plain;
mod sets;
mod several;
mod spans;
mod system;
mod text;

use crate::heap::{Id, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

/// A function written in Rust.
pub struct Native {
    pub name: &'static str,
    pub call: fn(&mut Interpreter, Vec<Value>, Keywords) -> Outcome,
}

/// Arguments given by name, in the order they were written.
pub type Keywords = Vec<(Name, Value)>;

/// The functions that every module sees.
pub static GLOBALS: &[Native] = functions::FUNCTIONS;

/// Built-in names of Python that mean nothing here yet.
pub static UNMODELLED: &[&str] = &[
    "aiter",
    "anext",
    "breakpoint",
    "bytearray",
    "compile",
    "copyright",
    "credits",
    "help",
    "license",
    "memoryview",
    "__build_class__",
    "__loader__",
    "__spec__",
    "__builtins__",
    "__path__",
    "__package__",
];

pub use classes::WAITING;
pub use masks::Selected;
pub use once::Answered;
pub(crate) use once::Told;
pub(crate) use system::FILE_IS_THERE;

/// What every class offers, by name.
pub fn of_class(name: &str) -> Option<&'static Native> {
    classes::OF_CLASS.iter().find(|native| native.name == name)
}

impl Native {
    /// Whether it is called with the class rather than with an instance.
    pub fn is_of_class(&self) -> bool {
        matches!(self.name, "fromkeys" | "from_bytes" | "fromhex")
    }
}

/// The functions of the module `_system`, which the models of Python's own library ask.
pub static SYSTEM: &[&[Native]] = system::FUNCTIONS;

/// A method of a value of which only the built-in type is known.
pub fn of_kind(kind: BuiltIn, name: Name) -> Option<&'static Native> {
    matches!(kind, BuiltIn::Text | BuiltIn::Bytes | BuiltIn::Int | BuiltIn::Float)
        .then(|| of_type(kind, &name.text()))
        .flatten()
}

/// The functions of the module `_tensorvet`.
pub static INTERNAL: &[&[Native]] =
    &[internal::FUNCTIONS, gradients::FUNCTIONS, masks::FUNCTIONS, parts::FUNCTIONS, spans::FUNCTIONS];

fn of_type(built_in: BuiltIn, name: &str) -> Option<&'static Native> {
    let natives: &[Native] = match built_in {
        BuiltIn::List => containers::LIST,
        BuiltIn::Dict => containers::DICT,
        BuiltIn::Set | BuiltIn::FrozenSet => sets::SET,
        BuiltIn::Tuple => containers::TUPLE,
        BuiltIn::Text => text::TEXT,
        BuiltIn::Bytes => bytes::BYTES,
        BuiltIn::Int | BuiltIn::Bool => numbers::INT,
        BuiltIn::Float => numbers::FLOAT,
        BuiltIn::Iterator => iterators::ITERATOR,
        BuiltIn::Generator => iterators::GENERATOR,
        BuiltIn::Property => functions::PROPERTY,
        BuiltIn::Type => classes::TYPE,
        BuiltIn::Slice => iterators::SLICE,
        BuiltIn::DictKeys | BuiltIn::DictItems | BuiltIn::DictValues => containers::VIEW,
        _ => &[],
    };
    let object = || functions::OBJECT.iter().find(|native| native.name == name);
    let operator = || {
        let has = matches!(built_in, BuiltIn::Bool | BuiltIn::Int | BuiltIn::Float | BuiltIn::Text)
            || matches!(built_in, BuiltIn::Tuple | BuiltIn::List | BuiltIn::Set | BuiltIn::FrozenSet);
        has.then(|| numbers::OPERATORS.iter().find(|native| native.name == name)).flatten()
    };
    natives.iter().find(|native| native.name == name).or_else(operator).or_else(object)
}

/// A method that a value has because of the built-in type it is made of.
pub fn method(interpreter: &Interpreter, value: &Value, name: Name) -> Option<&'static Native> {
    let class = interpreter.class_of(value)?;
    of_type(interpreter.layout(class), &name.text())
}
/// What `super()` finds in a built-in class.
pub fn inherited(interpreter: &Interpreter, class: Id, name: Name) -> Option<&'static Native> {
    let is_built_in = class.number() < BuiltIn::ALL.len();
    is_built_in.then(|| of_type(interpreter.layout(class), &name.text())).flatten()
}
/// What a class offers because of the built-in type its instances are made of.
pub fn inherited_by(interpreter: &Interpreter, class: Id, name: Name) -> Option<&'static Native> {
    of_type(interpreter.layout(class), &name.text())
}

/// A new instance of a class, before `__init__`.
pub fn construct(
    interpreter: &mut Interpreter,
    class: Id,
    positional: &[Value],
    keywords: &[(Name, Value)],
) -> Outcome {
    let layout = interpreter.layout(class);
    let is_exact = class == layout.class();
    let has_init = interpreter.in_order(class, Name::INIT).is_some();
    let value = match layout {
        BuiltIn::Object => {
            let has_init = has_init || interpreter.is_incomplete(&Value::Object(class));
            if !has_init && (!positional.is_empty() || !keywords.is_empty()) {
                let name = interpreter.class_name(class);
                return interpreter.raise("TypeError", format!("{name}() takes no arguments"));
            }
            let missing = classes::abstract_names(interpreter, class);
            if !missing.is_empty() {
                let name = interpreter.class_name(class);
                let plural = if missing.len() == 1 { "method" } else { "methods" };
                let message = format!(
                    "Can't instantiate abstract class {name} with abstract {plural} {}",
                    missing.join(", ")
                );
                return interpreter.raise("TypeError", message);
            }
            return Ok(interpreter.new_object(class, Payload::Plain));
        }
        BuiltIn::Type if is_exact => return classes::make_type(interpreter, positional),
        BuiltIn::Type => return classes::make_by(interpreter, class, positional),
        BuiltIn::Module => {
            let name = positional.first().and_then(Value::as_text).cloned().unwrap_or_default();
            let scope = interpreter.new_scope(None);
            interpreter.set_name(scope, Name::new("__name__"), Value::Text(name.clone()));
            return Ok(interpreter.new_object(class, Payload::Module { name, scope }));
        }
        BuiltIn::Super => return functions::make_super(interpreter, positional),
        BuiltIn::Property => return functions::make_property(interpreter, positional, keywords),
        BuiltIn::StaticMethod | BuiltIn::ClassMethod => {
            let function = positional.first().cloned().unwrap_or(Value::None);
            let payload = match layout {
                BuiltIn::StaticMethod => Payload::StaticMethod(function),
                _ => Payload::ClassMethod(function),
            };
            return Ok(interpreter.new_object(class, payload));
        }
        // A subclass with its own `__init__` fills itself.
        BuiltIn::List => {
            let items = match positional.first() {
                Some(items) if is_exact || !has_init => interpreter.items_of(items)?,
                _ => Vec::new(),
            };
            return Ok(interpreter.new_object(class, Payload::List(items)));
        }
        BuiltIn::Dict => {
            let dict = interpreter.new_object(class, Payload::Dict(Default::default()));
            if is_exact || !has_init {
                let mut arguments = positional.to_vec();
                arguments.insert(0, dict.clone());
                containers::dict_update(interpreter, arguments, keywords.to_vec())?;
            }
            return Ok(dict);
        }
        BuiltIn::Set | BuiltIn::FrozenSet => {
            let items = match positional.first() {
                Some(items) if is_exact || !has_init => interpreter.items_of(items)?,
                _ => Vec::new(),
            };
            let set = interpreter.set_of(items)?;
            if let Some(id) = set.as_object() {
                interpreter.heap.get_mut(id).class = class;
            }
            return Ok(set);
        }
        BuiltIn::Bool => Value::Bool(match positional.first() {
            Some(value) => interpreter.truth(value)?,
            None => false.into(),
        }),
        BuiltIn::Int => numbers::make_int(interpreter, positional)?,
        BuiltIn::Float => numbers::make_float(interpreter, positional)?,
        BuiltIn::Complex => Value::unknown_of(BuiltIn::Complex, "a complex number"),
        BuiltIn::Text => match positional.first() {
            Some(Value::Unknown(unknown)) => Value::unknown_of(BuiltIn::Text, unknown.reason.clone()),
            Some(value) => Value::Text(interpreter.display(value).into()),
            None => Value::text(""),
        },
        BuiltIn::Bytes => bytes::make(interpreter, positional)?,
        BuiltIn::Tuple => match positional.first() {
            Some(items) => Value::Tuple(interpreter.items_of(items)?.into()),
            None => Value::Tuple([].into()),
        },
        BuiltIn::Slice => {
            let part = |place: usize| positional.get(place).cloned().unwrap_or(Value::None);
            match positional.len() {
                1 => Value::Slice([Value::None, part(0), Value::None].into()),
                _ => Value::Slice([part(0), part(1), part(2)].into()),
            }
        }
        BuiltIn::Method if positional.len() == 2 => {
            Value::method(positional[0].clone(), positional[1].clone())
        }
        _ => {
            let message = format!("cannot create '{}' instances", layout.name());
            return interpreter.raise("TypeError", message);
        }
    };
    if is_exact { Ok(value) } else { Ok(interpreter.new_object(class, Payload::Wrapped(value))) }
}

/// An argument by position or name.
fn argument(positional: &[Value], keywords: &[(Name, Value)], place: usize, name: &str) -> Option<Value> {
    let named = || keywords.iter().find(|(word, _)| &*word.text() == name).map(|(_, value)| value.clone());
    positional.get(place).cloned().or_else(named)
}

/// An argument that must be there.
fn required(interpreter: &mut Interpreter, positional: &[Value], place: usize, function: &str) -> Outcome {
    match positional.get(place) {
        Some(value) => Ok(value.clone()),
        None => {
            let count = positional.len();
            interpreter.raise(
                "TypeError",
                format!("{function} expected at least {} arguments, got {count}", place + 1),
            )
        }
    }
}
