//! Lengths of what is not known: numbers that are the same whenever they are asked for.

use super::Interpreter;
use crate::heap::Payload;
use crate::syntax::Name;
use crate::value::{BuiltIn, Unknown, Value};
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::prop::Prop;
use semantics::shape::Shape;
use std::rc::Rc;

/// Where such a length comes from.
pub(super) const OUTSIDE: &str = "the length of something that only the run will tell";

/// The attribute of a container whose content is not known that holds how much there is.
const LENGTH: &str = "<length>";

impl Interpreter {
    /// How much there is in something unknown.
    pub fn length_of_unknown(&mut self, unknown: &Rc<Unknown>) -> Value {
        if unknown.harmless {
            return Value::Unknown(Rc::new(Unknown { kind: Some(BuiltIn::Int), ..(**unknown).clone() }));
        }
        let place = Rc::as_ptr(unknown) as usize;
        let (_, length) = self.lengths.entry(place).or_insert_with(|| (unknown.clone(), outside()));
        Value::Int(*length)
    }
    /// The sizes of a tensor of unknown rank: their number is that rank. A program knows it, unless it is a part of one
    /// that is tried with whatever comes.
    pub fn unknown_shape(&mut self, shape: Shape) -> Value {
        let (reason, kind) = ("the shape of a tensor of unknown rank".into(), Some(BuiltIn::Tuple));
        let unknown = Rc::new(Unknown { reason, kind, is_vague: !self.open, ..Unknown::default() });
        self.lengths.insert(Rc::as_ptr(&unknown) as usize, (unknown.clone(), shape.rank()));
        Value::Unknown(unknown)
    }
    /// How much there is in a container whose content is not known, if somebody has said it.
    pub fn length_of_opaque(&self, container: &Value) -> Option<Value> {
        let Payload::Opaque(_) = self.payload(container)? else { return None };
        self.heap.get(container.as_object()?).attributes.get(&Name::new(LENGTH)).cloned()
    }
    pub(super) fn set_length(&mut self, container: &Value, length: Dim) {
        if let Some(id) = container.as_object() {
            self.set_name(id, Name::new(LENGTH), Value::Int(length));
        }
    }
    pub(super) fn forget_length(&mut self, container: crate::heap::Id) {
        self.heap.get_mut(container).attributes.remove(&Name::new(LENGTH));
    }
    /// The length of what is walked through, where one element stands for all.
    pub(super) fn open_length(&mut self, walked: &Value) -> Option<Dim> {
        if let Some(several) = self.several(walked) {
            return Some(several.length);
        }
        match walked {
            Value::Unknown(unknown) => self.length_of_unknown(unknown).as_dim(),
            _ => self.length_of_range(walked),
        }
    }
    /// A statement about something unknown, which is as vague as that.
    pub(super) fn open_statement(&mut self, unknown: &Unknown, statement: &str) -> Prop {
        let open = Prop::unknown(&format!("{statement}: {}", unknown.reason));
        if unknown.is_vague {
            self.vague.insert(open.id());
        }
        open
    }
    /// A whole number of which no more is known than what it is a part of.
    pub fn whole_part(&mut self, unknown: &Unknown) -> Value {
        let Some(whole) = unknown.part_of else {
            return Value::unknown_of(BuiltIn::Int, unknown.reason.clone());
        };
        let most = whole.bounds().1.clamp(0, LARGEST_SIZE);
        let part = Dim::symbol_from("part", 0, most, Origin::input("a part of a size"));
        self.path.context.assume(part.le(whole));
        Value::Int(part)
    }
}

fn outside() -> Dim {
    Dim::symbol_from("length", 0, LARGEST_SIZE, Origin::input(OUTSIDE))
}
