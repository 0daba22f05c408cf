//! The shapes of what the user's code assigns, and what is assumed of it.

use super::{Interpreter, Outcome};
use crate::asked::{Assumed, CommandOption, Given, Watched};
use crate::heap::Payload;
use crate::syntax::{Expr, ExprKind, Name, Span};
use crate::value::Value;
use semantics::dim::{AtomView, Dim, LARGEST_SIZE, Origin};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// More shapes of one name than this say no more.
const MOST_SHAPES: usize = 4;
/// Parts of a tuple that are told.
const MOST_PARTS: usize = 6;

/// Where the model of NumPy keeps the tensor of an array.
const INSIDE: &str = "_tensor";

impl Interpreter {
    /// What a target of an assignment in the user's code gets: the value, or what is assumed instead.
    pub(super) fn assigned(&mut self, target: &Expr, value: Value) -> Value {
        let asks_nothing = !self.asked.shapes && self.asked.assumed.is_empty();
        if asks_nothing || !self.frame().is_own() {
            return value;
        }
        let name = match &target.kind {
            ExprKind::Name(name) | ExprKind::Attribute(_, name) => *name,
            _ => return value,
        };
        let value = self.assumed_at(name, target.at, value);
        if self.asked.shapes {
            let source = self.frame().source.clone();
            let text = source.text.get(target.at.start as usize..target.at.end as usize).unwrap_or("");
            self.watch(target.at, text, &value);
        }
        value
    }
    /// Remembers the shape of something that the user's code names.
    pub(super) fn watch(&mut self, at: Span, name: &str, value: &Value) {
        let Some(shape) = self.shape_words(value) else { return };
        let frame = self.frame();
        let (file, line) = (frame.source.path.clone(), frame.source.position(at.start).line);
        let known = self.watched.iter_mut().find(|it| it.line == line && it.name == name && it.file == file);
        match known {
            Some(known) if known.shapes.len() == MOST_SHAPES || known.shapes.contains(&shape) => {}
            Some(known) => known.shapes.push(shape),
            None => {
                self.watched.push(Watched { file, line, name: name.to_owned(), shapes: vec![shape] });
            }
        }
    }
    /// Remembers the shapes that a function of the user is called with.
    pub(super) fn watch_arguments(&mut self, function: &crate::heap::Function, scope: crate::heap::Id) {
        if function.source.is_library {
            return;
        }
        let parameters = &function.def.parameters;
        for parameter in parameters.positional.iter().chain(&parameters.keyword_only) {
            if let Some(value) = self.heap.get(scope).attributes.get(&parameter.name).cloned() {
                self.watch(function.def.at, &parameter.name.text(), &value);
            }
        }
    }
    /// `f32[64, 10]`, or the same of each part of a tuple or list.
    fn shape_words(&self, value: &Value) -> Option<String> {
        if let Some(tensor) = self.tensor_inside(value) {
            return Some(self.path.refined(tensor).to_string());
        }
        let held = self.unwrapped(value);
        let items: &[Value] = match (&held, self.payload(&held)) {
            (Value::Tuple(items), _) => items,
            (_, Some(Payload::List(items))) => items,
            _ => return None,
        };
        let told: Vec<String> =
            items.iter().take(MOST_PARTS).map(|item| self.shape_words(item)).collect::<Option<_>>()?;
        let more = if items.len() > MOST_PARTS { ", …" } else { "" };
        (!told.is_empty()).then(|| format!("({}{more})", told.join(", ")))
    }

    /// A tensor, or that of an array.
    fn tensor_inside(&self, value: &Value) -> Option<Tensor> {
        let inside = || self.heap.get(value.as_object()?).attributes.get(&Name::new(INSIDE));
        self.as_tensor(value).or_else(|| self.as_tensor(inside()?))
    }

    /// What is assumed of a name in a line; else the value.
    fn assumed_at(&mut self, name: Name, at: Span, value: Value) -> Value {
        if self.asked.assumed.is_empty() {
            return value;
        }
        let frame = self.frame();
        let line = frame.source.position(at.start).line;
        let path = frame.source.path.clone();
        let is_line = |assumed: &Assumed| {
            let Some((file, number)) = assumed.name.rsplit_once(':') else { return false };
            number.parse() == Ok(line) && (path == file || path.ends_with(&format!("/{file}")))
        };
        let asked = self.asked.clone();
        if let Some(number) = asked.assumed.iter().position(is_line) {
            return self.assume(number, &value);
        }
        let text = name.text();
        let number = asked.assumed.iter().position(|assumed| *assumed.name == *text);
        // What is made of what was assumed is no second chance to assume it: `width = width // 2`.
        if self.is_of_assumed(&value, &text) {
            return value;
        }
        // A constant of a module, or of a class that holds a configuration.
        if self.frame().function.is_none() && self.is_plain(&value) {
            let scope = self.frame().scope;
            let is_again = !self.is_written_out
                && self.heap.get(scope).attributes.contains_key(&name)
                && number.is_some_and(|number| self.assumed.contains(&number));
            return if is_again { value } else { self.configured(&text, value) };
        }
        if self.frame().function.is_none() && matches!(self.payload(&value), Some(Payload::Dict(_))) {
            self.configure(&value, &text, true, 0);
        }
        if !self.is_left_open(&value) {
            return value;
        }
        match number {
            Some(number) => self.assume(number, &value),
            None => {
                self.offer(&text);
                value
            }
        }
    }
    /// What is assumed of a length.
    pub(crate) fn assumed_length(&mut self, of: &Value, length: Outcome) -> Outcome {
        if self.asked.assumed.is_empty() {
            return length;
        }
        let name = format!("len({})", self.type_name(of));
        let number = self.asked.assumed.iter().position(|assumed| assumed.name == name);
        match (number, length) {
            (Some(number), Ok(length)) if self.is_left_open(&length) => Ok(self.assume(number, &length)),
            (None, Ok(length)) if self.is_left_open(&length) => {
                if !matches!(of, Value::Unknown(_))
                    && crate::value::BuiltIn::ALL.iter().all(|kind| self.class_of(of) != Some(kind.class()))
                {
                    self.offer(&name);
                }
                Ok(length)
            }
            (_, length) => length,
        }
    }
    /// The value of an option of the command line, and what else it could be.
    pub(crate) fn option(&mut self, name: &str, value: Value, option: Option<CommandOption>) -> Value {
        self.offer(name);
        let assumed = self.asked.assumed.iter().position(|it| it.name == name);
        if let Some(option) = &option {
            if let (Some(number), [_, ..]) = (assumed, option.others.as_slice()) {
                self.complain_of_choice(number, option, &value);
            }
            if !self.options.contains(option) {
                self.options.push(option.clone());
            }
        }
        if let Some(number) = assumed {
            self.optional.insert(number);
        }
        match assumed {
            Some(number) => self.assume(number, &value),
            None => value,
        }
    }
    fn complain_of_choice(&mut self, number: usize, option: &CommandOption, default: &Value) {
        let Given::Text(text) = &self.asked.assumed[number].value else { return };
        let text = text.clone();
        let is_default = default.as_text().is_some_and(|default| **default == *text);
        if !is_default && !option.others.contains(&text) {
            let flag = &option.flag;
            let known: Vec<String> = option.others.iter().map(|other| format!("`{other}`")).collect();
            let default = default.as_text().map_or(String::new(), |default| format!(" or `{default}`"));
            self.complaints.push(format!("`{flag}` takes {}{default}", known.join(", ")));
        }
    }

    /// Whether only the run will tell a value.
    fn is_left_open(&self, value: &Value) -> bool {
        match value {
            Value::Unknown(unknown) => !unknown.harmless,
            Value::Int(dim) => dim.known().is_none(),
            value => self.tensor_inside(value).is_some_and(|tensor| {
                let sizes = tensor.shape().sizes();
                sizes.is_none_or(|sizes| sizes.iter().any(|size| size.known().is_none()))
            }),
        }
    }
    /// Whether a number is made of assumed ones alone, or of what is assumed of this very name.
    fn is_of_assumed(&self, value: &Value, name: &str) -> bool {
        let Value::Int(number) = value else { return false };
        let (mut count, mut assumed, mut is_own) = (0, 0, false);
        number.leaves(&mut |atom| {
            count += 1;
            let AtomView::Symbol(symbol) = atom.view() else { return };
            let leaf = symbol.name();
            assumed += usize::from(self.asked.assumed.iter().any(|it| *it.name == *leaf));
            is_own |= *leaf == *name;
        });
        is_own || count > 0 && count == assumed
    }
    /// A name of which something could be assumed.
    pub(super) fn offer(&mut self, name: &str) {
        if !self.asked.assumed.is_empty() && !self.offered.iter().any(|held| held == name) {
            self.offered.push(name.to_owned());
        }
    }
    /// The value that is assumed instead of another.
    pub(super) fn assume(&mut self, number: usize, instead_of: &Value) -> Value {
        self.assumed.insert(number);
        let asked = self.asked.clone();
        let Assumed { name, value, .. } = &asked.assumed[number];
        self.note_default(name, instead_of);
        self.assumed_value(name, value, instead_of)
    }
    /// Remembers what the program says itself of something of which something else is assumed.
    pub(crate) fn note_default(&mut self, name: &str, value: &Value) {
        if self.defaults.iter().all(|(held, _)| held != name)
            && let Some(given) = self.as_given(value)
        {
            self.defaults.push((name.to_owned(), given));
        }
    }
    /// A value as one could assume it, if it is known and plain.
    fn as_given(&self, value: &Value) -> Option<Given> {
        Some(match self.unwrapped(value) {
            Value::Int(dim) => Given::Number(dim.known()?),
            Value::Float(number) => Given::Float(number),
            Value::Bool(truth) => Given::Flag(truth.known()?),
            Value::Text(text) => Given::Text(text.to_string()),
            Value::None => Given::Nothing,
            plain => {
                let items = match (&plain, self.payload(&plain)) {
                    (Value::Tuple(items), _) => items.to_vec(),
                    (_, Some(Payload::List(items))) => items.clone(),
                    _ => return None,
                };
                Given::Several(items.iter().map(|item| self.as_given(item)).collect::<Option<_>>()?)
            }
        })
    }
    fn assumed_value(&mut self, name: &str, value: &Given, instead_of: &Value) -> Value {
        match value {
            Given::Nothing => Value::None,
            Given::Several(all) => {
                let all = all.iter().map(|each| self.assumed_value(name, each, &Value::None));
                let all: Vec<Value> = all.collect();
                // A list stays a list.
                match self.payload(instead_of) {
                    Some(Payload::List(_)) => self.new_list(all),
                    _ => Value::tuple(all),
                }
            }
            Given::Number(number) => Value::int(*number),
            Given::Float(number) => Value::Float(*number),
            Given::Flag(flag) => Value::bool(*flag),
            Given::Text(text) => Value::text(text),
            Given::Range(low, high) => Value::Int(self.assumed_size(name, *low, *high)),
            Given::Tensor(kind, sizes) => {
                let sizes: Vec<Dim> = sizes
                    .iter()
                    .map(|size| match size {
                        Ok(number) => (*number).into(),
                        Err(name) => self.assumed_size(name, 1, LARGEST_SIZE),
                    })
                    .collect();
                let tensor = Tensor::given("", *kind, Shape::new(sizes));
                let made = self.new_tensor(tensor);
                // An array stays an array.
                match instead_of.as_object().filter(|_| self.as_tensor(instead_of).is_none()) {
                    Some(array) if self.tensor_inside(instead_of).is_some() => {
                        let array = self.heap.get(array).clone();
                        let array = self.heap.push(array);
                        self.set_name(array, Name::new(INSIDE), made);
                        Value::Object(array)
                    }
                    _ => made,
                }
            }
        }
    }
    /// A size under a name that the user gave: the same wherever the name stands.
    fn assumed_size(&mut self, name: &str, low: i64, high: i64) -> Dim {
        let origin = || Origin::input("given by the user");
        *self.sizes.entry(name.into()).or_insert_with(|| Dim::symbol_from(name, low, high, origin()))
    }
}
