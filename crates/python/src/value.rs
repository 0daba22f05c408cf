//! Python values. What never changes is held in the value itself; what may change lives on the heap.

use crate::heap::Id;
use crate::native::Native;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use semantics::dim::{Dim, DimId};
use semantics::prop::{Prop, PropId};
use semantics::tensor::Tensor;
use std::rc::Rc;

#[derive(Clone)]
pub enum Value {
    None,
    Ellipsis,
    NotImplemented,
    /// Known, or a statement about sizes.
    Bool(Prop),
    /// Known, or an expression over sizes.
    Int(Dim),
    Float(f64),
    Text(Rc<str>),
    Bytes(Rc<[u8]>),
    Tuple(Rc<[Value]>),
    Slice(Rc<[Value; 3]>),
    Native(&'static Native),
    /// A function with what it is called on.
    Method(Rc<(Value, Value)>),
    Object(Id),
    /// Something that only the run will tell.
    Unknown(Rc<Unknown>),
}

/// A value of which little is known, and why.
#[derive(Clone, Default)]
pub struct Unknown {
    pub reason: String,
    /// The built-in type, where that much is known.
    pub kind: Option<BuiltIn>,
    /// It comes from something that has no say in what tensors do: plots, logs, progress bars.
    pub harmless: bool,
    /// It is an int or a float, nobody knows which.
    pub is_real: bool,
    /// The program knows more of it than we do: not everything that it may be comes in a run.
    pub is_vague: bool,
    /// The number as a tensor without axes, for whoever follows values.
    pub element: Option<Tensor>,
    /// The sizes whose quotient it is.
    pub quotient: Option<(Dim, Dim)>,
    /// A number of which it is a part: it lies between zero and that.
    pub part_of: Option<Dim>,
}

impl Unknown {
    /// Whether it is surely a number, of Python or of a library.
    pub fn is_number(&self) -> bool {
        let is_one = matches!(self.kind, Some(BuiltIn::Int | BuiltIn::Float | BuiltIn::Bool));
        (is_one || self.is_real) && !self.harmless && !self.is_vague
    }
    /// What is made of something unknown is unknown, too, and as harmless.
    pub fn derived(&self, reason: String) -> Value {
        // Reasons of reasons: the first and the last few say enough.
        let reason = match self.harmless || reason.len() > 400 {
            true => self.reason.clone(),
            false => reason,
        };
        Value::Unknown(Rc::new(Unknown {
            reason,
            harmless: self.harmless,
            is_vague: self.is_vague,
            ..Unknown::default()
        }))
    }
}

/// The types that Python itself brings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltIn {
    Object,
    Type,
    NoneType,
    Bool,
    Int,
    Float,
    Text,
    Bytes,
    Tuple,
    List,
    Dict,
    Set,
    FrozenSet,
    Slice,
    Function,
    Method,
    Module,
    Generator,
    Iterator,
    Property,
    StaticMethod,
    ClassMethod,
    Super,
    Ellipsis,
    NotImplemented,
    Complex,
    DictKeys,
    DictValues,
    DictItems,
}

impl BuiltIn {
    pub const ALL: [BuiltIn; 29] = [
        BuiltIn::Object,
        BuiltIn::Type,
        BuiltIn::NoneType,
        BuiltIn::Bool,
        BuiltIn::Int,
        BuiltIn::Float,
        BuiltIn::Text,
        BuiltIn::Bytes,
        BuiltIn::Tuple,
        BuiltIn::List,
        BuiltIn::Dict,
        BuiltIn::Set,
        BuiltIn::FrozenSet,
        BuiltIn::Slice,
        BuiltIn::Function,
        BuiltIn::Method,
        BuiltIn::Module,
        BuiltIn::Generator,
        BuiltIn::Iterator,
        BuiltIn::Property,
        BuiltIn::StaticMethod,
        BuiltIn::ClassMethod,
        BuiltIn::Super,
        BuiltIn::Ellipsis,
        BuiltIn::NotImplemented,
        BuiltIn::Complex,
        BuiltIn::DictKeys,
        BuiltIn::DictValues,
        BuiltIn::DictItems,
    ];
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Object => "object",
            BuiltIn::Type => "type",
            BuiltIn::NoneType => "NoneType",
            BuiltIn::Bool => "bool",
            BuiltIn::Int => "int",
            BuiltIn::Float => "float",
            BuiltIn::Text => "str",
            BuiltIn::Bytes => "bytes",
            BuiltIn::Tuple => "tuple",
            BuiltIn::List => "list",
            BuiltIn::Dict => "dict",
            BuiltIn::Set => "set",
            BuiltIn::FrozenSet => "frozenset",
            BuiltIn::Slice => "slice",
            BuiltIn::Function => "function",
            BuiltIn::Method => "method",
            BuiltIn::Module => "module",
            BuiltIn::Generator => "generator",
            BuiltIn::Iterator => "iterator",
            BuiltIn::Property => "property",
            BuiltIn::StaticMethod => "staticmethod",
            BuiltIn::ClassMethod => "classmethod",
            BuiltIn::Super => "super",
            BuiltIn::Ellipsis => "ellipsis",
            BuiltIn::NotImplemented => "NotImplementedType",
            BuiltIn::Complex => "complex",
            BuiltIn::DictKeys => "dict_keys",
            BuiltIn::DictValues => "dict_values",
            BuiltIn::DictItems => "dict_items",
        }
    }
    /// The class object, which stands at a fixed place of the heap.
    pub fn class(self) -> Id {
        Id::of_built_in(self as u32)
    }
}

pub use crate::attributes::Attributes;
/// A dictionary's pairs in the order they were put in; a set holds its elements as keys.
pub type Pairs = IndexMap<Key, (Value, Value), FxBuildHasher>;

/// What makes two dictionary keys the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    None,
    Ellipsis,
    Int(i64),
    Dim(DimId),
    Prop(PropId),
    /// The bits of a float that is no whole number.
    Float(u64),
    Text(Rc<str>),
    Bytes(Rc<[u8]>),
    Tuple(Vec<Key>),
    Native(usize),
    Object(Id),
    /// What an object's `__hash__` gave.
    Hashed(Box<Key>),
}

impl Value {
    pub fn int(value: i64) -> Value {
        Value::Int(value.into())
    }
    pub fn bool(value: bool) -> Value {
        Value::Bool(value.into())
    }
    pub fn text(text: &str) -> Value {
        Value::Text(text.into())
    }
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Tuple(items.into_iter().collect())
    }
    pub fn unknown(reason: impl Into<String>) -> Value {
        Value::Unknown(Rc::new(Unknown { reason: reason.into(), ..Unknown::default() }))
    }
    pub fn unknown_of(kind: BuiltIn, reason: impl Into<String>) -> Value {
        Value::Unknown(Rc::new(Unknown { reason: reason.into(), kind: Some(kind), ..Unknown::default() }))
    }
    /// Whether it is an int or a float.
    pub fn is_real(&self) -> bool {
        match self {
            Value::Int(_) | Value::Float(_) => true,
            Value::Unknown(unknown) => {
                unknown.is_real || matches!(unknown.kind, Some(BuiltIn::Int | BuiltIn::Float))
            }
            _ => false,
        }
    }
    /// An int or a float, where that is all that two values have in common.
    pub fn either_real(&self, other: &Value, reason: &str, is_vague: bool) -> Option<Value> {
        (self.is_real() && other.is_real()).then(|| {
            let reason = reason.into();
            Value::Unknown(Rc::new(Unknown { reason, is_real: true, is_vague, ..Unknown::default() }))
        })
    }
    /// Something of which the program knows more than we do.
    pub fn vague(reason: &str) -> Value {
        Value::Unknown(Rc::new(Unknown { reason: reason.into(), is_vague: true, ..Unknown::default() }))
    }
    /// Something of a library that has no say in what tensors do.
    pub fn harmless(what: &str) -> Value {
        let reason = format!("`{what}`, which has no say in what tensors do");
        Value::Unknown(Rc::new(Unknown { reason, harmless: true, ..Unknown::default() }))
    }
    pub fn quotient(a: Dim, b: Dim) -> Value {
        let reason = "a quotient of sizes".into();
        let kind = Some(BuiltIn::Float);
        Value::Unknown(Rc::new(Unknown { reason, kind, quotient: Some((a, b)), ..Unknown::default() }))
    }
    /// What a number between zero and one takes of a size.
    pub fn part(whole: Dim) -> Value {
        let (reason, kind) = ("a part of a size".into(), Some(BuiltIn::Float));
        Value::Unknown(Rc::new(Unknown { reason, kind, part_of: Some(whole), ..Unknown::default() }))
    }
    pub fn method(function: Value, on: Value) -> Value {
        Value::Method(Rc::new((function, on)))
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }
    pub fn as_text(&self) -> Option<&Rc<str>> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
    /// An integer, known or not; true and false count as 1 and 0.
    pub fn as_dim(&self) -> Option<Dim> {
        match self {
            Value::Int(dim) => Some(*dim),
            Value::Bool(prop) => Some(Dim::select(*prop, 1, 0)),
            _ => None,
        }
    }
    pub fn as_int(&self) -> Option<i64> {
        self.as_dim()?.known()
    }
    pub fn as_object(&self) -> Option<Id> {
        match self {
            Value::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether two values are one and the same, as `is` asks.
    pub fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None)
            | (Value::Ellipsis, Value::Ellipsis)
            | (Value::NotImplemented, Value::NotImplemented) => true,
            (Value::Bool(a), Value::Bool(b)) => a.id() == b.id(),
            (Value::Int(a), Value::Int(b)) => a.id() == b.id(),
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) => {
                Rc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is(b)))
            }
            (Value::Slice(a), Value::Slice(b)) => a.iter().zip(b.iter()).all(|(a, b)| a.is(b)),
            (Value::Native(a), Value::Native(b)) => std::ptr::eq(*a, *b),
            (Value::Method(a), Value::Method(b)) => a.0.is(&b.0) && a.1.is(&b.1),
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::Unknown(a), Value::Unknown(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}
