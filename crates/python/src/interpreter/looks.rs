//! What can be seen of values, all that they hold included, as a list that can be compared: values with the same list
//! cannot be told apart by a library, as long as what libraries themselves hold is the same.

use super::Interpreter;
use crate::gradient::Gradient;
use crate::heap::{Id, Payload};
use crate::syntax::Name;
use crate::value::Value;
use rustc_hash::FxHashMap;
use semantics::dim::DimId;
use semantics::dtype::{DType, Kind};
use semantics::prop::PropId;
use semantics::tensor::{Content, Tensor};
use std::rc::Rc;

/// Values that hold more than this, or deeper, are not compared.
const MOST_LOOKS: usize = 40_000;
const DEEPEST: usize = 60;

/// A piece of what can be seen of an argument; what holds others is followed by them.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Look {
    None,
    Ellipsis,
    Bool(PropId),
    Int(DimId),
    Float(u64),
    Text(Rc<str>),
    Name(Name),
    Native(usize),
    Slice,
    Tuple(usize),
    List(usize),
    Dict(usize),
    Wrapped,
    /// An object of a class that a library made, and how many attributes it has.
    Object(Id, usize),
    /// What a library made when it was loaded.
    Loaded(Id),
    /// An object that was met before, by number.
    Seen(usize),
    /// A tensor of which only the run will tell the elements.
    Tensor(Kind, Gradient, usize),
    /// Between what the elements of the tensor lie, and whether the ends are to be expected.
    Between(DimId, DimId, bool),
    /// A tensor of which more may be known.
    Exactly(Tensor, Gradient),
}

/// Looks at arguments; each answer is `None` for what cannot be compared.
pub(super) struct Looking<'r> {
    run: &'r Interpreter,
    pub(super) looks: Vec<Look>,
    /// The objects that were met, by number.
    pub(super) seen: Vec<Id>,
    /// The numbers of what was seen, once that is much.
    numbers: Option<FxHashMap<Id, usize>>,
    pub(super) tensors: usize,
}

impl Looking<'_> {
    pub(super) fn of(run: &Interpreter) -> Looking<'_> {
        Looking { run, looks: Vec::new(), seen: Vec::new(), numbers: None, tensors: 0 }
    }
    pub(super) fn value(&mut self, value: &Value, depth: usize) -> Option<()> {
        if self.looks.len() > MOST_LOOKS || depth > DEEPEST {
            return None;
        }
        let look = match value {
            Value::None => Look::None,
            Value::Ellipsis => Look::Ellipsis,
            Value::Bool(truth) => Look::Bool(truth.id()),
            Value::Int(number) => Look::Int(number.id()),
            Value::Float(number) => Look::Float(number.to_bits()),
            Value::Text(text) => Look::Text(text.clone()),
            Value::Native(native) => Look::Native(std::ptr::from_ref(*native) as usize),
            Value::Tuple(items) => return self.all(Look::Tuple(items.len()), items, depth),
            Value::Slice(parts) => return self.all(Look::Slice, &parts[..], depth),
            Value::Object(id) => return self.object(*id, depth),
            Value::NotImplemented | Value::Bytes(_) | Value::Method(_) | Value::Unknown(_) => return None,
        };
        self.looks.push(look);
        Some(())
    }
    fn all(&mut self, look: Look, values: &[Value], depth: usize) -> Option<()> {
        self.looks.push(look);
        values.iter().try_for_each(|value| self.value(value, depth + 1))
    }
    fn object(&mut self, id: Id, depth: usize) -> Option<()> {
        let run = self.run;
        if run.heap.changes.is_loaded(id) {
            self.looks.push(Look::Loaded(id));
            return Some(());
        }
        if let Some(number) = self.number(id) {
            self.looks.push(Look::Seen(number));
            return Some(());
        }
        self.meet(id);
        let object = run.heap.get(id);
        if !run.heap.changes.is_loaded(object.class) {
            return None;
        }
        self.looks.push(Look::Object(object.class, object.attributes.len()));
        match &object.payload {
            Payload::Plain => {}
            Payload::List(items) => self.all(Look::List(items.len()), items, depth)?,
            Payload::Dict(pairs) => {
                self.looks.push(Look::Dict(pairs.len()));
                for (key, value) in pairs.values() {
                    self.value(key, depth + 1)?;
                    self.value(value, depth + 1)?;
                }
            }
            Payload::Wrapped(inner) => {
                self.looks.push(Look::Wrapped);
                self.value(inner, depth + 1)?;
            }
            Payload::Tensor(tensor, gradient) => self.tensor(*tensor, *gradient)?,
            _ => return None,
        }
        for (name, value) in object.attributes.iter() {
            self.looks.push(Look::Name(*name));
            self.value(value, depth + 1)?;
        }
        Some(())
    }
    fn tensor(&mut self, tensor: Tensor, gradient: Gradient) -> Option<()> {
        self.tensors += 1;
        let tensor = self.run.path.refined(tensor);
        if !is_given(tensor) {
            self.looks.push(Look::Exactly(tensor, gradient));
            return Some(());
        }
        let (DType::Known(kind), Some(sizes)) = (tensor.dtype(), tensor.shape().sizes()) else { return None };
        // How many of a mask's elements are true is known by the tensor.
        if kind == Kind::Bool {
            self.looks.push(Look::Exactly(tensor, gradient));
            return Some(());
        }
        self.looks.push(Look::Tensor(kind, gradient, sizes.len()));
        self.looks.extend(sizes.iter().map(|size| Look::Int(size.id())));
        if let Some(span) = tensor.between() {
            self.looks.push(Look::Between(span.low.id(), span.high.id(), span.is_reached));
        }
        let name = tensor.name();
        if !name.is_empty() {
            self.looks.push(Look::Text(name));
        }
        Some(())
    }
    fn number(&self, id: Id) -> Option<usize> {
        match &self.numbers {
            Some(numbers) => numbers.get(&id).copied(),
            None => self.seen.iter().position(|&other| other == id),
        }
    }
    fn meet(&mut self, id: Id) {
        let number = self.seen.len();
        self.seen.push(id);
        match &mut self.numbers {
            Some(numbers) => drop(numbers.insert(id, number)),
            None if number > 32 => self.numbers = Some(self.seen.iter().copied().zip(0..).collect()),
            None => {}
        }
    }
}

/// Whether only the run will tell the elements, and nobody said what the axes are.
pub(super) fn is_given(tensor: Tensor) -> bool {
    matches!(tensor.content(), Content::Given) && tensor.layout().is_none()
}
