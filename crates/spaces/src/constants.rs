//! What a Python source says in plain values: numbers, words, lists and dictionaries, and what arithmetic, `range`,
//! comprehensions and formats make of such.

use crate::domain;
use python::syntax::{
    Argument, BinaryOperator, Comprehension, ComprehensionForm, Constant, Expr, ExprKind, FormatPart,
    UnaryOperator,
};
use rustc_hash::FxHashMap;
use toml::Value;

/// Names, and the plain values that were assigned to them.
#[derive(Clone, Default)]
pub struct Constants {
    held: FxHashMap<String, Value>,
}

/// A comprehension or range with more values than this is no list of choices.
const MOST_VALUES: usize = 10_000;

impl Constants {
    pub fn insert(&mut self, name: &str, value: Value) {
        self.held.insert(name.to_owned(), value);
    }
    pub fn remove(&mut self, name: &str) {
        self.held.remove(name);
    }

    /// The value of an expression, if it is plain.
    pub fn value(&self, expression: &Expr) -> Option<Value> {
        Some(match &expression.kind {
            ExprKind::Constant(Constant::Int(number)) => (*number).into(),
            ExprKind::Constant(Constant::Float(number)) => (*number).into(),
            ExprKind::Constant(Constant::Bool(flag)) => (*flag).into(),
            ExprKind::Constant(Constant::Text(text)) => text.to_string().into(),
            ExprKind::Name(name) => self.held.get(&*name.text())?.clone(),
            ExprKind::Unary(UnaryOperator::Minus, inner) => match self.value(inner)? {
                Value::Integer(number) => number.checked_neg()?.into(),
                Value::Float(number) => (-number).into(),
                _ => return None,
            },
            ExprKind::List(all) | ExprKind::Tuple(all) => {
                Value::Array(all.iter().map(|each| self.value(each)).collect::<Option<_>>()?)
            }
            ExprKind::Dict(pairs) => {
                let pair = |(key, value): &(Option<Expr>, Expr)| {
                    let Value::String(key) = self.value(key.as_ref()?)? else { return None };
                    Some((key, self.value(value)?))
                };
                Value::Table(pairs.iter().map(pair).collect::<Option<_>>()?)
            }
            ExprKind::Subscript(owner, key) => match (self.value(owner)?, self.value(key)?) {
                (Value::Table(table), Value::String(key)) => table.get(&key)?.clone(),
                (Value::Array(all), Value::Integer(place)) => {
                    let place = if place < 0 { place + all.len() as i64 } else { place };
                    all.get(usize::try_from(place).ok()?)?.clone()
                }
                _ => return None,
            },
            ExprKind::Binary(BinaryOperator::Mod, format, given) if is_text(&self.value(format)?) => {
                let Value::String(format) = self.value(format)? else { return None };
                let given = match self.value(given)? {
                    Value::Array(all) => all,
                    one => vec![one],
                };
                percent(&format, &given)?.into()
            }
            ExprKind::Binary(operator, a, b) => binary(*operator, self.value(a)?, self.value(b)?)?,
            ExprKind::Format(parts) => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        FormatPart::Text(plain) => text.push_str(plain),
                        FormatPart::Value { value, conversion: None, format, debug: None }
                            if format.is_empty() =>
                        {
                            text.push_str(&shown(&self.value(value)?)?);
                        }
                        FormatPart::Value { .. } => return None,
                    }
                }
                text.into()
            }
            ExprKind::Comprehension(inner) => self.comprehension(inner)?,
            ExprKind::Call { function, arguments } => self.call(function, arguments)?,
            _ => return None,
        })
    }

    fn call(&self, function: &Expr, arguments: &[Argument]) -> Option<Value> {
        let positional = arguments.iter().map(|argument| match argument {
            Argument::Positional(value) => self.value(value),
            _ => None,
        });
        let given: Vec<Value> = positional.collect::<Option<_>>()?;
        match &function.kind {
            // `"width_{}".format(i)`
            ExprKind::Attribute(owner, method) if &*method.to_string() == "format" => {
                let Value::String(format) = self.value(owner)? else { return None };
                Some(braces(&format, &given)?.into())
            }
            ExprKind::Name(name) => match (&*name.text(), &given[..]) {
                // `"width_" + str(i)`
                ("str", [value]) => Some(shown(value)?.into()),
                ("int", [Value::Integer(number)]) => Some((*number).into()),
                ("int", [Value::Float(number)]) if number.abs() < 9e15 => {
                    Some((number.trunc() as i64).into())
                }
                ("float", [value]) => Some(real(value)?.into()),
                ("len", [Value::Array(all)]) => Some((all.len() as i64).into()),
                ("list" | "tuple", [Value::Array(all)]) => Some(Value::Array(all.clone())),
                // The keys, as walking through a dictionary gives them.
                ("list" | "tuple", [Value::Table(table)]) => {
                    Some(Value::Array(table.keys().cloned().map(Value::from).collect()))
                }
                ("range", [high]) => range(0, high.as_integer()?, 1),
                ("range", [low, high]) => range(low.as_integer()?, high.as_integer()?, 1),
                ("range", [low, high, step]) => {
                    range(low.as_integer()?, high.as_integer()?, step.as_integer()?)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `[2**i for i in range(9)]`
    fn comprehension(&self, inner: &Comprehension) -> Option<Value> {
        let [clause] = &inner.clauses[..] else { return None };
        let (ExprKind::Name(name), true, ComprehensionForm::List) =
            (&clause.target.kind, clause.conditions.is_empty(), inner.form)
        else {
            return None;
        };
        let Value::Array(all) = self.value(&clause.iterable)? else { return None };
        let mut inside = self.clone();
        let each = all.into_iter().map(|value| {
            inside.insert(&name.text(), value);
            inside.value(&inner.element)
        });
        Some(Value::Array(each.collect::<Option<_>>()?))
    }
}

fn is_text(value: &Value) -> bool {
    value.is_str()
}

fn real(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

fn range(low: i64, high: i64, step: i64) -> Option<Value> {
    if low >= high {
        return Some(Value::Array(Vec::new()));
    }
    let choices = domain::numbers(low, high.checked_sub(1)?, step).ok()?;
    if choices.len() > MOST_VALUES {
        return None;
    }
    let number = |choice: &crate::Choice| match choice {
        crate::Choice::Int(number) => Some(Value::Integer(*number)),
        _ => None,
    };
    Some(Value::Array(choices.iter().filter_map(number).collect()))
}

fn binary(operator: BinaryOperator, a: Value, b: Value) -> Option<Value> {
    use BinaryOperator as B;
    Some(match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => match operator {
            B::Add => a.checked_add(b)?.into(),
            B::Sub => a.checked_sub(b)?.into(),
            B::Mul => a.checked_mul(b)?.into(),
            B::Pow => a.checked_pow(u32::try_from(b).ok()?)?.into(),
            B::FloorDiv if b > 0 => a.div_euclid(b).into(),
            B::Mod if b > 0 => a.rem_euclid(b).into(),
            B::Div if b != 0 => (a as f64 / b as f64).into(),
            B::ShiftLeft if (0..62).contains(&b) => a.checked_mul(1 << b)?.into(),
            _ => return None,
        },
        (Value::String(a), Value::String(b)) if operator == B::Add => format!("{a}{b}").into(),
        (Value::Array(a), Value::Array(b)) if operator == B::Add => Value::Array([a, b].concat()),
        (a, b) => {
            let (a, b) = (real(&a)?, real(&b)?);
            match operator {
                B::Add => (a + b).into(),
                B::Sub => (a - b).into(),
                B::Mul => (a * b).into(),
                B::Div if b != 0.0 => (a / b).into(),
                B::Pow => a.powf(b).into(),
                _ => return None,
            }
        }
    })
}

/// A number or word as `str` shows it.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// `"width_{}".format(i)`, and `"{0}_{1}"`.
fn braces(format: &str, given: &[Value]) -> Option<String> {
    let (mut text, mut rest, mut next) = (String::new(), format, 0);
    while let Some((before, after)) = rest.split_once('{') {
        let (field, after) = after.split_once('}')?;
        let place = if field.is_empty() { next } else { field.parse().ok()? };
        next += 1;
        text.push_str(before);
        text.push_str(&shown(given.get(place)?)?);
        rest = after;
    }
    if text.contains('}') || rest.contains('}') {
        return None;
    }
    Some(text + rest)
}

/// `"width_%d" % i`, and `"%s_%d" % (a, i)`.
fn percent(format: &str, given: &[Value]) -> Option<String> {
    let (mut text, mut rest, mut left) = (String::new(), format, given.iter());
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        match (after.chars().next()?, &mut left) {
            ('d' | 'i', left) => text.push_str(&left.next()?.as_integer()?.to_string()),
            ('s', left) => text.push_str(&shown(left.next()?)?),
            ('%', _) => text.push('%'),
            _ => return None,
        }
        rest = &after[1..];
    }
    left.next().is_none().then(|| text + rest)
}
