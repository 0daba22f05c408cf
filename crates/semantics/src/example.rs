//! The notation of examples: `concat(f32[2,3], f32[2,N], axis=1) -> f32[2,N + 3]`.
//!
//! A tensor is written as type and sizes, `[...]` being an unknown rank, optionally with values:
//! `i64[2]{1, 2}`. `_` leaves out an optional input, `mask=bool[2]` names one. What follows is `-> outputs` or `fails: label`;
//! `on torch` before it says who computes.
//! Equal size names within an example are one symbol.

use crate::arena;
use crate::array::{Array, Data};
use crate::call::{Argument, Call, Prepared, Stop};
use crate::dim::{Dim, LARGEST_SIZE};
use crate::dtype::{Class, Kind};
use crate::operator::{Arity, Backend, Category, Operator, ParameterKind};
use crate::operators;
use crate::prop::Prop;
use crate::shape::Shape;
use crate::tensor::Tensor;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A parsed example. Belongs to the arena it was parsed in.
pub struct Example {
    pub call: Call,
    pub expected: Expected,
}

pub enum Expected {
    Outputs(Vec<Literal>),
    Fails(String),
}

/// A tensor as written: its type and shape, and its values if they were given.
pub struct Literal {
    pub tensor: Tensor,
    pub array: Option<Array>,
}

/// Parses an example; the error says what is wrong where.
pub fn parse(text: &str) -> Result<Example, String> {
    let name = text.split('(').next().unwrap_or_default().trim();
    parse_call(text, operators::by_name(name).ok_or(format!("no operator `{name}`"))?)
}

/// Parses an example of an operator that is none of [`operators`].
pub fn parse_call(text: &str, operator: &'static Operator) -> Result<Example, String> {
    let mut parser = Parser { text, at: 0, symbols: FxHashMap::default() };
    parser.example(operator).map_err(|message| format!("{message} at column {} of `{text}`", parser.at + 1))
}

/// Whether what the example says of types, shapes and broken requirements is true.
pub fn check(mut example: Example) -> Result<(), String> {
    let outcome = example.call.run(example.call.operator.define);
    // What works and is hardly meant makes no call invalid.
    let is_valid = matches!(example.expected, Expected::Outputs(_));
    let counts = |category| !(is_valid && category == Category::ImproperValue);
    let requirements = example.call.requirements.iter().filter(|r| counts(r.category));
    let mut broken: Vec<&str> =
        requirements.filter(|r| r.prop.known() == Some(false)).map(|r| r.label).collect();
    broken.dedup();
    let expected = match example.expected {
        Expected::Fails(label) => {
            return match broken.as_slice() {
                [only] if *only == label => Ok(()),
                _ => Err(format!("breaks {broken:?}")),
            };
        }
        Expected::Outputs(_) if !broken.is_empty() => return Err(format!("breaks {broken:?}")),
        Expected::Outputs(expected) => expected,
    };
    let outputs = outcome.map_err(|stop| match stop {
        Stop::Violated => "stopped without a broken requirement".to_string(),
        Stop::Unknown(reason) => reason,
    })?;
    for (output, expected) in outputs.iter().zip(&expected) {
        let expected = expected.tensor;
        let same_shape = match (output.shape().sizes(), expected.shape().sizes()) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.id() == b.id()),
            (None, None) => true,
            _ => false,
        };
        if output.dtype().known() != expected.dtype().known() || !same_shape {
            return Err(format!("gives {output}"));
        }
    }
    if outputs.len() < expected.len() { Err(format!("gives {} outputs", outputs.len())) } else { Ok(()) }
}

/// The labels that an operator states in its examples and that none of them breaks: rules nobody has seen working.
pub fn labels_without_failure(operator: &'static Operator) -> Vec<&'static str> {
    let failing = operator.examples.iter().filter_map(|text| text.split_once("fails:"));
    let failing: Vec<&str> = failing.map(|(_, label)| label.trim()).collect();
    let mut stated = BTreeSet::new();
    for text in operator.examples {
        arena::scope(|| {
            if let Ok(mut example) = parse_call(text, operator) {
                let _ = example.call.run(operator.define);
                stated.extend(example.call.requirements.iter().map(|r| r.label).filter(|l| !l.is_empty()));
            }
        });
    }
    stated.into_iter().filter(|label| !failing.contains(label)).collect()
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    symbols: FxHashMap<String, Dim>,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }
    fn peek(&mut self, token: &str) -> bool {
        self.space();
        self.rest().starts_with(token)
    }
    fn take(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        if found {
            self.at += token.len();
        }
        found
    }
    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(format!("`{token}` expected")) }
    }
    fn word(&mut self) -> &'t str {
        self.space();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
    fn number(&mut self) -> Result<f64, String> {
        self.space();
        let rest = self.rest();
        for special in ["-inf", "inf", "nan"] {
            if rest.starts_with(special) {
                self.at += special.len();
                return special.parse().map_err(|_| "a number expected".to_string());
            }
        }
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e')))
            .unwrap_or(rest.len());
        let number = rest[..end].parse().map_err(|_| "a number expected".to_string())?;
        self.at += end;
        Ok(number)
    }

    fn example(&mut self, operator: &'static Operator) -> Result<Example, String> {
        self.word();
        let mut call = Call::new(operator);
        self.expect("(")?;
        let mut position = 0;
        while !self.take(")") {
            let start = self.at;
            let word = self.word();
            if !word.is_empty() && self.peek("=") {
                self.expect("=")?;
                match operator.inputs.iter().position(|input| input.name == word) {
                    Some(named) => call.tensors[named].push(self.tensor(word)?.tensor),
                    None => {
                        let (place, argument) = self.parameter(operator, word)?;
                        call.arguments[place] = Some(argument);
                    }
                }
            } else if word == "_" {
                position += 1;
            } else {
                self.at = start;
                let input = operator.inputs.get(position).ok_or("too many tensors")?;
                let literal = self.tensor(input.name)?;
                call.tensors[position].push(literal.tensor);
                if !matches!(input.arity, Arity::Variadic | Arity::Any) {
                    position += 1;
                }
            }
            self.take(",");
        }
        if self.take("on torch") {
            call.backend = Backend::Torch;
        }
        let expected = if self.take("->") {
            let mut outputs = vec![self.tensor("output")?];
            while self.take(",") {
                outputs.push(self.tensor("output")?);
            }
            call.wanted = outputs.len();
            Expected::Outputs(outputs)
        } else {
            self.expect("fails:")?;
            self.space();
            let label = self.rest().trim().to_string();
            self.at = self.text.len();
            Expected::Fails(label)
        };
        self.space();
        if !self.rest().is_empty() {
            return Err("nothing more expected".into());
        }
        Ok(Example { call, expected })
    }

    /// The value of a parameter, and its place in the signature.
    fn parameter(&mut self, operator: &Operator, name: &str) -> Result<(usize, Argument), String> {
        let position = operator.parameters.iter().position(|parameter| parameter.name == name);
        let position = position.ok_or(format!("no parameter `{name}`"))?;
        let kind = operator.parameters[position].kind;
        let list = self.peek("[");
        let argument = match kind {
            ParameterKind::Int | ParameterKind::Ints if !list => Argument::Int(self.dim()?),
            ParameterKind::Int | ParameterKind::Ints => Argument::Ints(self.list(Parser::dim)?),
            ParameterKind::Float | ParameterKind::Floats if !list => Argument::Float(self.number()?),
            ParameterKind::Float | ParameterKind::Floats => Argument::Floats(self.list(Parser::number)?),
            ParameterKind::Flag => Argument::Flag(match self.word() {
                "true" => Prop::from(true),
                "false" => Prop::from(false),
                _ => return Err("true or false expected".into()),
            }),
            ParameterKind::Type => {
                let word = self.word();
                Argument::Type(Kind::parse(word).ok_or(format!("no element type `{word}`"))?)
            }
            ParameterKind::Word(_) | ParameterKind::Text if !list => Argument::Text(self.quoted()?),
            ParameterKind::Word(_) | ParameterKind::Text | ParameterKind::Words(_) => {
                Argument::Texts(self.list(Parser::quoted)?)
            }
            ParameterKind::Operators(find) if !list => Argument::Operators(vec![self.prepared(find)?]),
            ParameterKind::Operators(find) => {
                let mut operators = Vec::new();
                self.expect("[")?;
                while !self.take("]") {
                    operators.push(self.prepared(find)?);
                    self.take(",");
                }
                Argument::Operators(operators)
            }
        };
        Ok((position, argument))
    }
    /// `Dense(units=3)`: an operator with its arguments.
    fn prepared(&mut self, find: fn(&str) -> Option<&'static Operator>) -> Result<Prepared, String> {
        let name = self.word();
        let operator = find(name).ok_or(format!("`{name}` is none of the operators that are taken"))?;
        let arguments = vec![None; operator.parameters.len()];
        let mut prepared = Prepared { operator, arguments, backend: Backend::default(), policy: None };
        self.expect("(")?;
        while !self.take(")") {
            let word = self.word();
            self.expect("=")?;
            let (place, argument) = self.parameter(operator, word)?;
            prepared.arguments[place] = Some(argument);
            self.take(",");
        }
        Ok(prepared)
    }
    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.take("]") {
            items.push(item(self)?);
            self.take(",");
        }
        Ok(items)
    }
    /// `'text'`, or a bare word.
    fn quoted(&mut self) -> Result<String, String> {
        if !self.take("'") {
            return Ok(self.word().to_string());
        }
        let end = self.rest().find('\'').ok_or("`'` expected")?;
        let text = self.rest()[..end].to_string();
        self.at += end + 1;
        Ok(text)
    }
    /// A sum of products of numbers and names, or a floor division: `2*N + H//2 - 1`.
    fn dim(&mut self) -> Result<Dim, String> {
        let mut total = self.product()?;
        loop {
            if self.peek("->") {
                return Ok(total);
            } else if self.take("+") {
                total = total + self.product()?;
            } else if self.take("-") {
                total = total - self.product()?;
            } else {
                return Ok(total);
            }
        }
    }
    fn product(&mut self) -> Result<Dim, String> {
        let mut product = self.factor()?;
        loop {
            if self.take("//") {
                product = product.div_floor(self.factor()?);
            } else if self.take("*") {
                product = product * self.factor()?;
            } else if self.take("%") {
                product = product.modulo(self.factor()?);
            } else {
                return Ok(product);
            }
        }
    }
    fn factor(&mut self) -> Result<Dim, String> {
        if self.take("-") {
            return Ok(-self.factor()?);
        }
        if self.take("(") {
            let inner = self.dim()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let word = self.word();
        if let Ok(number) = word.parse::<i64>() {
            return Ok(number.into());
        }
        if word.is_empty() {
            return Err("a size expected".into());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("a number of at most 64 bits expected".into());
        }
        Ok(*self.symbols.entry(word.to_string()).or_insert_with(|| Dim::symbol(word, 1, LARGEST_SIZE)))
    }
    fn tensor(&mut self, name: &str) -> Result<Literal, String> {
        let word = self.word();
        let kind = Kind::parse(word).ok_or(format!("no element type `{word}`"))?;
        self.expect("[")?;
        let shape = if self.take("...") {
            self.expect("]")?;
            Shape::unknown(name)
        } else {
            let mut sizes = Vec::new();
            while !self.take("]") {
                sizes.push(self.dim()?);
                self.take(",");
            }
            Shape::new(sizes)
        };
        if !self.take("{") {
            return Ok(Literal { tensor: Tensor::given(name, kind, shape), array: None });
        }
        let mut values = Vec::new();
        while !self.take("}") {
            values.push(self.value(kind)?);
            self.take(",");
        }
        let sizes = shape.sizes().ok_or("values need a known shape")?;
        let sizes: Option<Vec<usize>> =
            sizes.iter().map(|size| size.known().map(|size| size as usize)).collect();
        let sizes = sizes.ok_or("values need a known shape")?;
        if sizes.iter().product::<usize>() != values.len() {
            return Err(format!("{} values for the shape {shape}", values.len()));
        }
        let data = match kind.class() {
            Class::Bool => Data::Bool(values.iter().map(|value| *value != 0.0).collect()),
            Class::Int => Data::Int(values.iter().map(|value| *value as i64).collect()),
            Class::Float => Data::Float(values.iter().map(|value| kind.round(*value)).collect()),
            Class::Complex | Class::Opaque => return Err("values of this type cannot be written".into()),
        };
        let array = Array::new(kind, sizes, data);
        Ok(Literal { tensor: Tensor::constant(array.clone()).named(name), array: Some(array) })
    }
    fn value(&mut self, kind: Kind) -> Result<f64, String> {
        match kind {
            Kind::Bool if self.take("true") => Ok(1.0),
            Kind::Bool if self.take("false") => Ok(0.0),
            _ => self.number(),
        }
    }
}
