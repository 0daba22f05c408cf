//! What `range`, `enumerate` and `zip` of the prelude do at every turn, without running their Python.
//!
//! Promises: the same objects with the same attributes as `library/builtins.py` makes; whatever is not the plain case
//! is left to it.

use super::walking::Around;
use super::{Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::native::Keywords;
use crate::syntax::Name;
use crate::value::Value;
use semantics::dim::Dim;

impl Interpreter {
    /// The name of a class, if it is one of the prelude's that are known here.
    pub(super) fn prelude_name(&self, class: Id) -> Option<Name> {
        let Payload::Class(own) = &self.heap.get(class).payload else { return None };
        let name = own.name;
        if !matches!(name, Name::RANGE | Name::ENUMERATE | Name::ZIP) {
            return None;
        }
        let known = self.heap.get(self.builtins).attributes.get(&name)?;
        (known.as_object() == Some(class)).then_some(name)
    }

    /// An instance of such a class, made of plain arguments.
    pub(super) fn quick_instance(
        &mut self,
        class: Id,
        positional: &[Value],
        keywords: &Keywords,
    ) -> Outcome<Option<Value>> {
        let Some(name) = self.prelude_name(class).filter(|_| keywords.is_empty()) else { return Ok(None) };
        let attributes = match (name, positional) {
            (Name::RANGE, ends) => {
                let zero = Value::int(0);
                let (start, stop, step) = match ends {
                    [stop] => (&zero, stop, &Value::int(1)),
                    [start, stop] => (start, stop, &Value::int(1)),
                    [start, stop, step] => (start, stop, step),
                    _ => return Ok(None),
                };
                let is_whole = |value: &Value| matches!(value, Value::Int(_));
                if !is_whole(start) || !is_whole(stop) || step.as_int().is_none_or(|step| step == 0) {
                    return Ok(None);
                }
                vec![(Name::START, start.clone()), (Name::STOP, stop.clone()), (Name::STEP, step.clone())]
            }
            (Name::ENUMERATE, [walked]) => {
                vec![(Name::ITERATOR, self.iterate(walked)?), (Name::COUNT, Value::int(0))]
            }
            (Name::ZIP, walked) => {
                let iterators =
                    walked.iter().map(|walked| self.iterate(walked)).collect::<Outcome<Vec<Value>>>()?;
                let iterators = self.new_list(iterators);
                vec![(Name::ITERATORS, iterators), (Name::STRICT, Value::bool(false))]
            }
            _ => return Ok(None),
        };
        let object = self.new_object(class, Payload::Plain);
        if let Value::Object(id) = object {
            for (name, value) in attributes {
                self.set_name(id, name, value);
            }
        }
        Ok(Some(object))
    }

    /// `iter` of such an object.
    pub(super) fn quick_iterator(&mut self, value: &Value) -> Option<Value> {
        match self.prelude_name(self.heap.get(value.as_object()?).class)? {
            Name::RANGE => {
                let (start, stop, step) = self.ends_of_range(value)?;
                Some(self.range_iterator(start, stop, step, false))
            }
            _ => Some(value.clone()),
        }
    }
    /// Where a `range` starts and stops, and its step.
    fn ends_of_range(&self, value: &Value) -> Option<(Dim, Dim, i64)> {
        let object = self.heap.get(value.as_object()?);
        let number = |name: Name| object.attributes.get(&name).and_then(Value::as_dim);
        let step = number(Name::STEP).and_then(Dim::known).filter(|&step| step != 0)?;
        Some((number(Name::START)?, number(Name::STOP)?, step))
    }
    /// How many numbers a `range` has.
    pub(super) fn length_of_range(&self, value: &Value) -> Option<Dim> {
        let class = self.heap.get(value.as_object()?).class;
        if self.prelude_name(class)? != Name::RANGE {
            return None;
        }
        let (start, stop, step) = self.ends_of_range(value)?;
        let distance = if step > 0 { stop - start } else { start - stop };
        let step = step.checked_abs()?;
        Some((distance + (step - 1)).div_floor(step).max(0))
    }

    /// The next element of an `enumerate`, or of a `zip` that ends with its shortest.
    pub(super) fn quick_next(&mut self, iterator: Id) -> Option<Outcome<Option<Value>>> {
        let around = self.around(&Value::Object(iterator))?;
        // Whoever takes one after the other without a loop of its own comes to an end, too.
        if let Err(flow) = self.step(self.frame().at) {
            return Some(Err(flow));
        }
        match around {
            Around::Counted(inner @ Value::Object(_), count) => Some(self.next(&inner).map(|next| {
                let value = next?;
                self.set_name(iterator, Name::COUNT, Value::Int(count + 1));
                Some(Value::tuple([Value::Int(count), value]))
            })),
            Around::SideBySide(parts)
                if parts.iter().all(|part| matches!(part, Value::Object(_))) && !self.is_strict(iterator) =>
            {
                let values =
                    parts.iter().map(|part| self.next(part)).collect::<Outcome<Option<Vec<Value>>>>();
                Some(values.map(|values| values.filter(|values| !values.is_empty()).map(Value::tuple)))
            }
            _ => None,
        }
    }
    fn is_strict(&self, zip: Id) -> bool {
        let strict = self.heap.get(zip).attributes.get(&Name::STRICT);
        !matches!(strict, Some(Value::Bool(strict)) if strict.known() == Some(false))
    }
}
