//! Attributes that Python gives to functions, methods, numbers and objects of every kind.

use super::{Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::syntax::Name;
use crate::value::Value;

impl Interpreter {
    pub(super) fn special_attribute(&mut self, id: Id, name: Name) -> Option<Value> {
        let object = self.heap.get(id);
        match (&*name.text(), &object.payload) {
            ("__class__", _) => Some(Value::Object(object.class)),
            ("__dict__", Payload::Module { scope, .. }) => {
                let scope = *scope;
                Some(self.attributes_as_dict(scope))
            }
            ("__dict__", _) => Some(self.attributes_as_dict(id)),
            ("__name__" | "__qualname__", Payload::Function(function)) => {
                Some(Value::Text(function.name.text()))
            }
            ("__module__", Payload::Function(function)) => {
                let globals = self.heap.get(function.globals);
                globals.attributes.get(&Name::new("__name__")).cloned()
            }
            ("__doc__", Payload::Function(function)) => {
                Some(function.def.doc.clone().map_or(Value::None, Value::Text))
            }
            ("__doc__", _) => Some(Value::None),
            ("__defaults__", Payload::Function(function)) => {
                let count = function.def.parameters.positional.len();
                let defaults: Vec<Value> = function.defaults[..count].iter().flatten().cloned().collect();
                Some(if defaults.is_empty() { Value::None } else { Value::Tuple(defaults.into()) })
            }
            ("__kwdefaults__", Payload::Function(function)) => {
                let parameters = &function.def.parameters;
                let given = function.defaults[parameters.positional.len()..].iter();
                let pairs = parameters.keyword_only.iter().zip(given).filter_map(|(parameter, default)| {
                    let name = parameter.name.text();
                    Some((crate::value::Key::Text(name.clone()), (Value::Text(name), default.clone()?)))
                });
                let pairs: crate::value::Pairs = pairs.collect();
                Some(if pairs.is_empty() { Value::None } else { self.new_dict(pairs) })
            }
            ("__annotations__", Payload::Function(function)) => {
                let function = function.clone();
                Some(self.annotations_of(&function))
            }
            ("__globals__", Payload::Function(function)) => {
                let globals = function.globals;
                Some(self.attributes_as_dict(globals))
            }
            ("fget", Payload::Property { get, .. }) => Some(get.clone()),
            ("fset", Payload::Property { set, .. }) => Some(set.clone()),
            ("fdel", Payload::Property { delete, .. }) => Some(delete.clone()),
            ("__func__" | "__wrapped__", Payload::StaticMethod(inner) | Payload::ClassMethod(inner)) => {
                Some(inner.clone())
            }
            _ => None,
        }
    }
    /// What the annotations of a function come to; one that cannot be evaluated is a text.
    pub(crate) fn annotations_of(&mut self, function: &std::rc::Rc<crate::heap::Function>) -> Value {
        let def = function.def.clone();
        let scope = function.around.unwrap_or(function.globals);
        self.frames.push(super::Frame {
            source: function.source.clone(),
            name: def.name,
            globals: function.globals,
            scope,
            at: def.at,
            class: None,
            receiver: None,
            function: None,
        });
        let written = def.parameters.all().map(|parameter| (parameter.name, &parameter.annotation));
        let written = written.chain([(Name::new("return"), &def.returns)]);
        let mut pairs = crate::value::Pairs::default();
        for (name, annotation) in written {
            if let Some(annotation) = annotation {
                let value = self.evaluate(annotation).unwrap_or_else(|_| Value::text("?"));
                let name = name.text();
                pairs.insert(crate::value::Key::Text(name.clone()), (Value::Text(name), value));
            }
        }
        self.frames.pop();
        self.new_dict(pairs)
    }
    /// A bound method shows what its function is called.
    pub(super) fn method_attribute(&mut self, method: &(Value, Value), name: Name) -> Outcome<Option<Value>> {
        match (&*name.text(), &method.0) {
            ("__self__", _) => Ok(Some(method.1.clone())),
            ("__func__", function) => Ok(Some(function.clone())),
            ("__name__" | "__qualname__", Value::Native(native)) => Ok(Some(Value::text(native.name))),
            ("__doc__", Value::Native(_)) => Ok(Some(Value::None)),
            (_, Value::Native(_)) => Ok(None),
            (_, function) => self.find_attribute(function, name),
        }
    }
    pub(super) fn is_data_descriptor(&self, found: &Value) -> bool {
        match self.payload(found) {
            Some(Payload::Plain) => {
                self.class_of(found).is_some_and(|class| self.in_order(class, Name::new("__set__")).is_some())
            }
            _ => false,
        }
    }
}

/// The attributes of numbers and slices.
pub(super) fn part_of_value(value: &Value, name: &str) -> Option<Value> {
    match (value, name) {
        (Value::Slice(parts), "start") => Some(parts[0].clone()),
        (Value::Slice(parts), "stop") => Some(parts[1].clone()),
        (Value::Slice(parts), "step") => Some(parts[2].clone()),
        (Value::Int(_) | Value::Bool(_), "real" | "numerator") => value.as_dim().map(Value::Int),
        (Value::Int(_) | Value::Bool(_), "imag") => Some(Value::int(0)),
        (Value::Int(_) | Value::Bool(_), "denominator") => Some(Value::int(1)),
        (Value::Float(_), "real") => Some(value.clone()),
        (Value::Float(_), "imag") => Some(Value::Float(0.0)),
        _ => None,
    }
}
