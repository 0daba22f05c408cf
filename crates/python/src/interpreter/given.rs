//! What something unknown is given: it may keep it, and change it whenever it is called again.

use super::Interpreter;
use crate::heap::{Id, Payload};
use crate::syntax::Name;
use crate::value::Value;

impl Interpreter {
    /// Notes texts that are handed to something unknown: it may make the files that they name.
    pub fn note_text(&mut self, value: &Value) {
        match value {
            Value::Text(text) if text.len() < 4096 => drop(self.mentioned.insert(text.clone())),
            Value::Tuple(items) => items.clone().iter().for_each(|item| self.note_text(item)),
            Value::Object(id) => match &self.heap.get(*id).payload {
                Payload::List(items) if items.len() < 64 => {
                    items
                        .clone()
                        .iter()
                        .filter(|item| item.as_text().is_some())
                        .for_each(|item| self.note_text(item));
                }
                _ => {
                    if let Some(text) = self.heap.get(*id).attributes.get(&Name::new("_text")).cloned() {
                        self.note_text(&text);
                    }
                }
            },
            _ => {}
        }
    }

    /// Hands something to what is not known, which may change it now or later.
    pub(super) fn give_away(&mut self, value: &Value) {
        match value {
            Value::Method(method) => return self.give_away(&method.1.clone()),
            Value::Tuple(items) => return items.iter().for_each(|item| self.give_away(item)),
            _ => {}
        }
        let Some(id) = value.as_object() else { return };
        let object = self.heap.get(id);
        let is_own =
            matches!(&self.heap.get(object.class).payload, Payload::Class(class) if !class.is_library);
        if is_own && matches!(object.payload, Payload::Plain) && !self.given_away.contains(&id) {
            self.given_away.push(id);
        }
        self.forget_content(id);
    }
    /// Forgets what containers of objects hold that something unknown has got hold of.
    pub(super) fn forget_given(&mut self) {
        for place in 0..self.given_away.len() {
            let owner = self.given_away[place];
            if owner.number() >= self.heap.len() {
                continue;
            }
            // What begins with an underscore belongs to the library that a class comes from.
            let attributes = self.heap.get(owner).attributes.iter();
            let held: Vec<Id> = attributes
                .filter(|(name, _)| !name.text().starts_with('_'))
                .filter_map(|(_, value)| value.as_object())
                .collect();
            held.into_iter().for_each(|id| self.forget_content(id));
        }
    }
    /// Forgets what is in a container that something unknown may have changed.
    fn forget_content(&mut self, id: Id) {
        if !matches!(
            self.heap.get(id).payload,
            Payload::List(_) | Payload::Many { .. } | Payload::Dict(_) | Payload::Set(_)
        ) {
            return;
        }
        if let Some(owner) = self.mirrored(id) {
            self.open(owner);
        }
        let reason = "something unknown may have changed it".into();
        self.heap.get_mut(id).payload = Payload::Opaque(reason);
    }
}
