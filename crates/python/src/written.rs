//! What a program writes to a file, as data that outlives its analysis: types and shapes, no elements.

use crate::gradient::Gradient;
use crate::heap::Payload;
use crate::interpreter::{Interpreter, Outcome};
use crate::native::Keywords;
use crate::syntax::Name;
use crate::value::{BuiltIn, Pairs, Value};
use rustc_hash::FxHashMap;
use semantics::dim::{Dim, Origin};
use semantics::dtype::{DType, Kind};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use std::fmt;
use std::rc::Rc;

/// One file that a program writes, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// As the program names it.
    pub place: String,
    pub file: String,
    pub line: u32,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    None,
    Bool(bool),
    Int(Size),
    Float(f64),
    Text(Rc<str>),
    /// Sizes are none if not even their number is known.
    Tensor(Option<Kind>, Option<Vec<Size>>),
    Array(Option<Kind>, Option<Vec<Size>>),
    Tuple(Vec<Content>),
    List(Vec<Content>),
    /// One element that stands for all, and how many there are.
    Many(Box<Content>, Size),
    Dict(Vec<(Content, Content)>),
    /// What is not followed, its built-in type where that is known, and why.
    Other(Option<BuiltIn>, String),
}

/// A number; one that is not known has a name, by which it is the same wherever it occurs, and bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    Known(i64),
    Named(Rc<str>, i64, i64),
}

/// Containers inside containers that are followed, and parts all in all.
const DEEPEST: usize = 32;
const MOST_PARTS: usize = 20_000;

/// Why a part is not known.
const DEPENDS: &str = "what depends on how a run goes";

impl Content {
    /// What is true of two things of which one was written, nobody knows which.
    fn common(&self, other: &Content) -> Content {
        let all = |a: &[Content], b: &[Content]| a.iter().zip(b).map(|(a, b)| a.common(b)).collect();
        let unknown = |kind: Option<BuiltIn>| Content::Other(kind, DEPENDS.into());
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Content::Dict(a), Content::Dict(b)) if a.iter().map(|it| &it.0).eq(b.iter().map(|it| &it.0)) => {
                let pairs = a.iter().zip(b);
                Content::Dict(pairs.map(|((key, a), (_, b))| (key.clone(), a.common(b))).collect())
            }
            (Content::Tuple(a), Content::Tuple(b)) if a.len() == b.len() => Content::Tuple(all(a, b)),
            (Content::List(a), Content::List(b)) if a.len() == b.len() => Content::List(all(a, b)),
            (Content::Tensor(kind, _), Content::Tensor(same, _)) if kind == same => {
                Content::Tensor(*kind, None)
            }
            (Content::Array(kind, _), Content::Array(same, _)) if kind == same => Content::Array(*kind, None),
            (Content::Int(_), Content::Int(_)) => unknown(Some(BuiltIn::Int)),
            (Content::Float(_), Content::Float(_)) => unknown(Some(BuiltIn::Float)),
            (Content::Bool(_), Content::Bool(_)) => unknown(Some(BuiltIn::Bool)),
            (Content::Text(_), Content::Text(_)) => unknown(Some(BuiltIn::Text)),
            (Content::Other(kind, _), Content::Other(same, _)) if kind == same => unknown(*kind),
            _ => unknown(None),
        }
    }
}

impl Size {
    fn of(dim: Dim) -> Size {
        match dim.known() {
            Some(number) => Size::Known(number),
            None => {
                let (low, high) = dim.bounds();
                Size::Named(dim.to_string().into(), low, high)
            }
        }
    }
}

impl Interpreter {
    /// What a value is when it is written to a file.
    pub(crate) fn content_of(&self, value: &Value) -> Content {
        let mut left = MOST_PARTS;
        self.part(value, 0, &mut left)
    }
    fn part(&self, value: &Value, depth: usize, left: &mut usize) -> Content {
        if depth > DEEPEST || *left == 0 {
            return Content::Other(None, "a part of something large".into());
        }
        *left -= 1;
        let mut parts = |values: &[Value]| -> Vec<Content> {
            values.iter().map(|value| self.part(value, depth + 1, left)).collect()
        };
        match value {
            Value::None => Content::None,
            Value::Bool(truth) => match truth.known() {
                Some(known) => Content::Bool(known),
                None => Content::Other(Some(BuiltIn::Bool), "a truth that is not known".into()),
            },
            Value::Int(number) => Content::Int(Size::of(*number)),
            Value::Float(number) => Content::Float(*number),
            Value::Text(text) => Content::Text(text.clone()),
            Value::Tuple(items) => Content::Tuple(parts(items)),
            Value::Unknown(unknown) => Content::Other(unknown.kind, unknown.reason.clone()),
            Value::Object(id) => match &self.heap.get(*id).payload {
                Payload::Tensor(tensor, _) => {
                    let (kind, sizes) = described(*tensor);
                    Content::Tensor(kind, sizes)
                }
                Payload::List(items) => Content::List(parts(items)),
                Payload::Many { element, length } => {
                    Content::Many(Box::new(self.part(element, depth + 1, left)), Size::of(*length))
                }
                Payload::Dict(pairs) => {
                    let pairs = pairs.values();
                    Content::Dict(
                        pairs
                            .map(|(key, value)| {
                                (self.part(key, depth + 1, left), self.part(value, depth + 1, left))
                            })
                            .collect(),
                    )
                }
                Payload::Wrapped(inner) => self.part(inner, depth + 1, left),
                // NumPy's arrays hold a tensor.
                _ => match self.heap.get(*id).attributes.get(&Name::new("_tensor")) {
                    Some(tensor) if let Some(tensor) = self.as_tensor(tensor) => {
                        let (kind, sizes) = described(tensor);
                        Content::Array(kind, sizes)
                    }
                    _ => Content::Other(None, format!("something of type `{}`", self.type_name(value))),
                },
            },
            _ => Content::Other(None, format!("something of type `{}`", self.type_name(value))),
        }
    }

    /// Notes that the program writes a file. What is written where a condition is open is what stays, unless it is
    /// written differently elsewhere.
    pub(crate) fn note_written(&mut self, place: &str, value: &Value) {
        let mut content = self.content_of(value);
        let before = self.written.iter().find(|written| written.place == place);
        if let Some(before) = before.filter(|_| self.is_trying()) {
            content = before.content.common(&content);
        }
        let here = self.spot().here.clone();
        self.written.push(Written { place: place.to_owned(), file: here.file, line: here.line, content });
    }
    /// Notes that a file that is not there is taken for what another program writes.
    pub(crate) fn suppose_written(&mut self, written: &Written) {
        let Written { place, file, line, content } = written;
        let told = format!("`{place}` is not there; {file} line {line} writes it: {content}");
        if !self.taken_for_granted.contains(&told) {
            self.taken_for_granted.push(told);
        }
    }
    /// The value that a reader of the file gets; `make("array", tensor)` gives what arrays are to it.
    pub(crate) fn value_of(&mut self, written: &Written, make: &Value) -> Outcome {
        let mut reading = Reading { written, make, numbers: FxHashMap::default() };
        reading.value(self, &written.content)
    }
}

fn described(tensor: Tensor) -> (Option<Kind>, Option<Vec<Size>>) {
    let kind = match tensor.dtype() {
        DType::Known(kind) => Some(kind),
        DType::Unknown(_) => None,
    };
    let sizes = tensor.shape().sizes().map(|sizes| sizes.iter().map(|&size| Size::of(size)).collect());
    (kind, sizes)
}

/// A file on its way to values.
struct Reading<'w> {
    written: &'w Written,
    make: &'w Value,
    numbers: FxHashMap<Rc<str>, Dim>,
}

impl Reading<'_> {
    fn number(&mut self, size: &Size) -> Dim {
        match size {
            Size::Known(number) => (*number).into(),
            Size::Named(name, low, high) => {
                let text = format!("`{}`, which `{}` writes", self.written.place, self.written.file);
                *self
                    .numbers
                    .entry(name.clone())
                    .or_insert_with(|| Dim::symbol_from(name, *low, *high, Origin::input(&text)))
            }
        }
    }
    fn tensor(&mut self, run: &mut Interpreter, kind: Option<Kind>, sizes: Option<&[Size]>) -> Value {
        let shape = match sizes {
            Some(sizes) => Shape::new(sizes.iter().map(|size| self.number(size)).collect::<Vec<_>>()),
            None => Shape::unknown(&self.written.place),
        };
        let dtype = kind.map_or_else(DType::unknown, DType::from);
        run.new_tensor_with(Tensor::given("", dtype, shape), Gradient::No)
    }
    fn value(&mut self, run: &mut Interpreter, content: &Content) -> Outcome {
        Ok(match content {
            Content::None => Value::None,
            Content::Bool(truth) => Value::bool(*truth),
            Content::Int(number) => Value::Int(self.number(number)),
            Content::Float(number) => Value::Float(*number),
            Content::Text(text) => Value::Text(text.clone()),
            Content::Tensor(kind, sizes) => self.tensor(run, *kind, sizes.as_deref()),
            Content::Array(kind, sizes) => {
                let tensor = self.tensor(run, *kind, sizes.as_deref());
                run.call(self.make, vec![Value::text("array"), tensor], Keywords::new())?
            }
            Content::Tuple(items) => Value::tuple(self.values(run, items)?),
            Content::List(items) => {
                let items = self.values(run, items)?;
                run.new_list(items)
            }
            Content::Many(element, length) => {
                let element = self.value(run, element)?;
                let length = self.number(length);
                run.new_many(element, length)
            }
            Content::Dict(entries) => {
                let mut pairs = Pairs::default();
                for (key, value) in entries {
                    let (key, value) = (self.value(run, key)?, self.value(run, value)?);
                    if matches!(key, Value::Unknown(_)) {
                        return Ok(Value::unknown("a dictionary whose keys are not known"));
                    }
                    pairs.insert(run.key(&key)?, (key, value));
                }
                run.new_dict(pairs)
            }
            Content::Other(kind, why) => {
                let why = format!("{why} in `{}`, which `{}` writes", self.written.place, self.written.file);
                match kind {
                    Some(kind) => Value::unknown_of(*kind, why),
                    None => Value::unknown(why),
                }
            }
        })
    }
    fn values(&mut self, run: &mut Interpreter, items: &[Content]) -> Outcome<Vec<Value>> {
        items.iter().map(|item| self.value(run, item)).collect()
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Known(number) => number.fmt(f),
            Size::Named(name, ..) => name.fmt(f),
        }
    }
}

/// Parts of a container that are shown.
const MOST_SHOWN: usize = 4;

/// In few words: `f64[100, 1000]`, `{"x": f32[8], …}`.
impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &[Content]| {
            let shown: Vec<String> = items.iter().take(MOST_SHOWN).map(Content::to_string).collect();
            let more = if items.len() > MOST_SHOWN { ", …" } else { "" };
            write!(f, "{}{more}", shown.join(", "))
        };
        match self {
            Content::None => write!(f, "None"),
            Content::Bool(truth) => write!(f, "{}", if *truth { "True" } else { "False" }),
            Content::Int(number) => number.fmt(f),
            Content::Float(number) => number.fmt(f),
            Content::Text(text) => write!(f, "{text:?}"),
            Content::Tensor(kind, sizes) | Content::Array(kind, sizes) => {
                let kind = kind.map_or("?", |kind| kind.name());
                match sizes {
                    Some(sizes) => {
                        let sizes: Vec<String> = sizes.iter().map(Size::to_string).collect();
                        write!(f, "{kind}[{}]", sizes.join(", "))
                    }
                    None => write!(f, "{kind}[…]"),
                }
            }
            Content::Tuple(items) => {
                write!(f, "(")?;
                list(f, items)?;
                write!(f, ")")
            }
            Content::List(items) => {
                write!(f, "[")?;
                list(f, items)?;
                write!(f, "]")
            }
            Content::Many(element, length) => write!(f, "{length} × {element}"),
            Content::Dict(pairs) => {
                let shown = pairs.iter().take(MOST_SHOWN).map(|(key, value)| format!("{key}: {value}"));
                let more = if pairs.len() > MOST_SHOWN { ", …" } else { "" };
                write!(f, "{{{}{more}}}", shown.collect::<Vec<_>>().join(", "))
            }
            Content::Other(_, why) => write!(f, "{why}"),
        }
    }
}
