//! What can be seen of values, all that they hold included, as a list that can be compared: values with the same list
//! cannot be told apart by a library, as long as what libraries themselves hold is the same.

use super::Interpreter;
use crate::gradient::Gradient;
use crate::heap::{Id, Payload};
use crate::syntax::Name;
use crate::value::Value;
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim, DimId};
use semantics::dtype::{DType, Kind};
use semantics::element::ElementView;
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
    /// An unknown integer, by the number under which it was met, and the range that it was declared with.
    Symbol(usize, i64, i64),
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
    /// All elements of the tensor are this number, by its bits.
    Filled(Kind, u64),
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
    /// The unknown integers that were met, by number. Who asks the solver nothing concludes only what holds in all of
    /// their ranges, so it holds for any others with the same ranges.
    pub(super) symbols: Vec<Dim>,
    /// Something was met that may speak of unknown integers in another way.
    speaks_of_symbols: bool,
}

impl Looking<'_> {
    pub(super) fn of(run: &Interpreter) -> Looking<'_> {
        Looking {
            run,
            looks: Vec::new(),
            seen: Vec::new(),
            numbers: None,
            tensors: 0,
            symbols: Vec::new(),
            speaks_of_symbols: false,
        }
    }
    pub(super) fn value(&mut self, value: &Value, depth: usize) -> Option<()> {
        if self.looks.len() > MOST_LOOKS || depth > DEEPEST {
            return None;
        }
        let look = match value {
            Value::None => Look::None,
            Value::Ellipsis => Look::Ellipsis,
            Value::Bool(truth) => {
                self.speaks_of_symbols |= truth.known().is_none();
                Look::Bool(truth.id())
            }
            Value::Int(number) => self.integer(*number),
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
            if let (DType::Known(kind), Some(number)) = (tensor.dtype(), filling(tensor)) {
                self.looks.push(Look::Filled(kind, number));
                return self.sizes(tensor, kind, gradient);
            }
            self.speaks_of_symbols = true;
            self.looks.push(Look::Exactly(tensor, gradient));
            return Some(());
        }
        let DType::Known(kind) = tensor.dtype() else { return None };
        // How many of a mask's elements are true is known by the tensor.
        if kind == Kind::Bool {
            self.speaks_of_symbols = true;
            self.looks.push(Look::Exactly(tensor, gradient));
            return Some(());
        }
        self.sizes(tensor, kind, gradient)
    }
    fn sizes(&mut self, tensor: Tensor, kind: Kind, gradient: Gradient) -> Option<()> {
        let sizes = tensor.shape().sizes()?;
        self.looks.push(Look::Tensor(kind, gradient, sizes.len()));
        for &size in &sizes {
            let look = self.integer(size);
            self.looks.push(look);
        }
        if let Some(span) = tensor.between() {
            self.speaks_of_symbols |= span.low.known().is_none() || span.high.known().is_none();
            self.looks.push(Look::Between(span.low.id(), span.high.id(), span.is_reached));
        }
        let name = tensor.name();
        if !name.is_empty() {
            self.looks.push(Look::Text(name));
        }
        Some(())
    }
    fn integer(&mut self, number: Dim) -> Look {
        if number.known().is_some() {
            return Look::Int(number.id());
        }
        match number.as_atom().map(AtomId::view) {
            Some(AtomView::Symbol(symbol)) if !self.run.heap.changes.is_later(symbol) => {}
            Some(AtomView::Symbol(symbol)) if !symbol.is_beyond_64_bits() => {
                let (low, high) = symbol.range();
                let met = self.symbols.iter().position(|other| other.id() == number.id());
                let place = met.unwrap_or_else(|| {
                    self.symbols.push(number);
                    self.symbols.len() - 1
                });
                return Look::Symbol(place, low, high);
            }
            _ => self.speaks_of_symbols = true,
        }
        Look::Int(number.id())
    }
    /// Nothing else will be looked at: symbols of which more was said than their ranges are no others.
    pub(super) fn end(&mut self) {
        if self.speaks_of_symbols {
            self.looks.extend(self.symbols.drain(..).map(|symbol| Look::Int(symbol.id())));
        }
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

/// The number that all elements of a tensor are, by its bits, if its formula says so.
fn filling(tensor: Tensor) -> Option<u64> {
    if tensor.layout().is_some() || !matches!(tensor.content(), Content::Formula { .. }) {
        return None;
    }
    match tensor.formula()?.element.view() {
        ElementView::Float(number) => Some(number.to_bits()),
        ElementView::Int(number) => Some(number as u64),
        ElementView::At(of, _) if of.is_stored() && of.shape().count().known() == Some(1) => {
            let values = of.values()?;
            let value = values.first()?;
            value.float().map(f64::to_bits).or_else(|| value.dim()?.known().map(|number| number as u64))
        }
        _ => None,
    }
}

/// Whether only the run will tell the elements, and nobody said what the axes are.
pub(super) fn is_given(tensor: Tensor) -> bool {
    matches!(tensor.content(), Content::Given) && tensor.layout().is_none()
}
