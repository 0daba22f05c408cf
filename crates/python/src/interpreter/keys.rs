//! What makes dictionary keys the same.

use super::{Interpreter, Outcome};
use crate::heap::Payload;
use crate::value::{BuiltIn, Key, Value};

impl Interpreter {
    /// What a value is in a dictionary or a set.
    pub fn key(&mut self, value: &Value) -> Outcome<Key> {
        self.nested(|run| run.key_of(value))
    }
    fn key_of(&mut self, value: &Value) -> Outcome<Key> {
        Ok(match value {
            Value::None => Key::None,
            Value::Ellipsis | Value::NotImplemented => Key::Ellipsis,
            Value::Bool(prop) => match prop.known() {
                Some(known) => Key::Int(known.into()),
                None => Key::Prop(prop.id()),
            },
            Value::Int(dim) => dim.known().map_or(Key::Dim(dim.id()), Key::Int),
            Value::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => Key::Int(*number as i64),
            Value::Float(number) => Key::Float(number.to_bits()),
            Value::Text(text) => Key::Text(text.clone()),
            Value::Bytes(bytes) => Key::Bytes(bytes.clone()),
            Value::Tuple(items) => {
                Key::Tuple(items.iter().map(|item| self.key(item)).collect::<Outcome<_>>()?)
            }
            Value::Slice(_) => return self.raise("TypeError", "unhashable type: 'slice'"),
            Value::Native(native) => Key::Native(std::ptr::from_ref(*native) as usize),
            Value::Method(method) => Key::Tuple(vec![self.key(&method.0)?, self.key(&method.1)?]),
            Value::Unknown(unknown) => Key::Text(format!("<unknown: {}>", unknown.reason).into()),
            Value::Object(id) => match &self.heap.get(*id).payload {
                Payload::Set(pairs) if self.layout(self.heap.get(*id).class) == BuiltIn::FrozenSet => {
                    let mut keys: Vec<Key> = pairs.keys().cloned().collect();
                    keys.sort_by_cached_key(|key| format!("{key:?}"));
                    Key::Tuple([Key::Ellipsis].into_iter().chain(keys).collect())
                }
                Payload::List(_) | Payload::Dict(_) | Payload::Set(_)
                    if !self.has_special(value, "__hash__") =>
                {
                    let message = format!("unhashable type: '{}'", self.type_name(value));
                    return self.raise("TypeError", message);
                }
                Payload::Wrapped(inner) => {
                    let inner = inner.clone();
                    self.key(&inner)?
                }
                Payload::Plain => self.hashed(*id, value)?,
                _ => Key::Object(*id),
            },
        })
    }

    /// The key of an object: what its `__hash__` says, or its identity.
    fn hashed(&mut self, id: crate::heap::Id, value: &Value) -> Outcome<Key> {
        let class = self.heap.get(id).class;
        let (eq, hash) = (crate::syntax::Name::new("__eq__"), crate::syntax::Name::new("__hash__"));
        for &class in self.order(class).iter() {
            let object = self.heap.get(class);
            let is_library = matches!(&object.payload, Payload::Class(class) if class.is_library);
            match (object.attributes.get(&hash), object.attributes.contains_key(&eq)) {
                (Some(Value::None), _) => break,
                (Some(_), _) => {
                    let answer = self.try_special(value, "__hash__", Vec::new())?.unwrap_or(Value::None);
                    return Ok(Key::Hashed(Box::new(match &answer {
                        Value::Unknown(_) => match self.hashes.iter().find(|(_, held)| held.is(&answer)) {
                            Some((key, _)) => key.clone(),
                            None => Key::Object(id),
                        },
                        answer => self.key(answer)?,
                    })));
                }
                (None, true) if !is_library => break,
                _ => {}
            }
            if class == BuiltIn::Object.class() || is_library {
                return Ok(Key::Object(id));
            }
        }
        let message = format!("unhashable type: '{}'", self.type_name(value));
        self.raise("TypeError", message)
    }
}
