//! Comparisons: identity, equality, order and membership.

use super::arithmetic::number;
use super::{Flow, Interpreter, Outcome};
use crate::heap::Payload;
use crate::held;
use crate::syntax::Comparison;
use crate::value::{BuiltIn, Pairs, Value};
use semantics::dim::Dim;
use semantics::prop::Prop;

impl Interpreter {
    pub fn compare(&mut self, comparison: Comparison, left: &Value, right: &Value) -> Outcome {
        use Comparison as C;
        match comparison {
            C::Is | C::IsNot if self.is_open_in_library(left, right) => {
                return Err(Flow::Lost("a library was given something unknown".into()));
            }
            C::Is => return Ok(Value::Bool(self.identical(left, right))),
            C::IsNot => return Ok(Value::Bool(!self.identical(left, right))),
            C::In | C::NotIn => {
                let found = self.contains(right, left)?;
                return Ok(Value::Bool(if comparison == C::In { found } else { !found }));
            }
            _ => {}
        }
        let (word, mirrored) = match comparison {
            C::Equal => ("__eq__", "__eq__"),
            C::NotEqual => ("__ne__", "__ne__"),
            C::Less => ("__lt__", "__gt__"),
            C::LessEqual => ("__le__", "__ge__"),
            C::Greater => ("__gt__", "__lt__"),
            _ => ("__ge__", "__le__"),
        };
        for (object, other, word) in [(left, right, word), (right, left, mirrored)] {
            if let Some(result) = self.try_special(object, word, vec![other.clone()])?
                && !matches!(result, Value::NotImplemented)
            {
                return Ok(result);
            }
        }
        if comparison == C::NotEqual
            && let Some(equal) = self.try_special(left, "__eq__", vec![right.clone()])?
            && !matches!(equal, Value::NotImplemented)
        {
            return Ok(Value::Bool(!self.truth(&equal)?));
        }
        let (a, b) = (self.unwrapped(left), self.unwrapped(right));
        // What is compared with a tensor may be a tensor, and the answer one more.
        if let (Value::Unknown(unknown), Value::Object(id)) | (Value::Object(id), Value::Unknown(unknown)) =
            (&a, &b)
            && unknown.kind.is_none()
            && matches!(self.heap.get(*id).payload, Payload::Tensor(..))
        {
            return Ok(unknown.derived(format!("a comparison with something unknown: {}", unknown.reason)));
        }
        match comparison {
            C::Equal => Ok(Value::Bool(self.equal(&a, &b)?)),
            C::NotEqual => Ok(Value::Bool(!self.equal(&a, &b)?)),
            _ => match self.ordered(comparison, &a, &b)? {
                Some(prop) => Ok(Value::Bool(prop)),
                None => {
                    let (left, right) = (self.type_name(left), self.type_name(right));
                    let sign = comparison.sign();
                    let message =
                        format!("'{sign}' not supported between instances of '{left}' and '{right}'");
                    self.raise("TypeError", message)
                }
            },
        }
    }

    pub fn equal(&mut self, a: &Value, b: &Value) -> Outcome<Prop> {
        if let (Some(x), Some(y)) = (a.as_dim(), b.as_dim()) {
            return Ok(x.eq(y));
        }
        if let (Value::Unknown(x), Value::Unknown(y)) = (a, b)
            && std::rc::Rc::ptr_eq(x, y)
            && x.kind != Some(BuiltIn::Float)
        {
            return Ok(true.into());
        }
        if let Some(same) = held::compared(Comparison::Equal, a, b) {
            return Ok(same);
        }
        if let (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) = (a, b) {
            let unknown = unknown.clone();
            return Ok(self.open_statement(&unknown, "a comparison with something unknown"));
        }
        Ok(match (a, b) {
            (Value::Float(_), _) | (_, Value::Float(_)) => match (number(a), number(b)) {
                (Some(Some(x)), Some(Some(y))) => (x == y).into(),
                (Some(_), Some(_)) => Prop::unknown("a comparison with a number that depends on sizes"),
                _ => false.into(),
            },
            (Value::Tuple(x), Value::Tuple(y)) => self.all_equal(x, y)?,
            (Value::Object(x), Value::Object(y)) if x != y => {
                match (self.set_or_own(*x), self.set_or_own(*y)) {
                    (Payload::List(x), Payload::List(y)) => self.all_equal(&x, &y)?,
                    (Payload::Dict(x), Payload::Dict(y)) => {
                        if x.len() != y.len() {
                            return Ok(false.into());
                        }
                        let mut same = Prop::from(true);
                        for (key, (_, value)) in &x {
                            let Some((_, other)) = y.get(key) else { return Ok(false.into()) };
                            same = same & self.equal_values(value, other)?;
                        }
                        same
                    }
                    (Payload::Set(x), Payload::Set(y)) => {
                        (x.len() == y.len() && x.keys().all(|key| y.contains_key(key))).into()
                    }
                    _ => false.into(),
                }
            }
            _ => a.is(b).into(),
        })
    }
    fn all_equal(&mut self, a: &[Value], b: &[Value]) -> Outcome<Prop> {
        if a.len() != b.len() {
            return Ok(false.into());
        }
        let mut same = Prop::from(true);
        for (a, b) in a.iter().zip(b) {
            same = same & self.equal_values(a, b)?;
        }
        Ok(same)
    }
    fn equal_values(&mut self, a: &Value, b: &Value) -> Outcome<Prop> {
        if a.is(b) {
            return Ok(true.into());
        }
        let value = self.nested(|run| run.compare(Comparison::Equal, a, b))?;
        self.truth(&value)
    }

    fn ordered(&mut self, comparison: Comparison, a: &Value, b: &Value) -> Outcome<Option<Prop>> {
        use Comparison as C;
        let is_complex = |value: &Value| matches!(value, Value::Unknown(unknown) if unknown.kind == Some(BuiltIn::Complex));
        if is_complex(a) || is_complex(b) {
            return Ok(None);
        }
        if let (Some(x), Some(y)) = (a.as_dim(), b.as_dim()) {
            return Ok(Some(match comparison {
                C::Less => x.lt(y),
                C::LessEqual => x.le(y),
                C::Greater => x.gt(y),
                _ => x.ge(y),
            }));
        }
        if let Some(holds) = held::compared(comparison, a, b) {
            return Ok(Some(holds));
        }
        if let (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) = (a, b) {
            let unknown = unknown.clone();
            return Ok(Some(self.open_statement(&unknown, "a comparison with something unknown")));
        }
        let by = |ordering: Option<std::cmp::Ordering>| {
            Some(Prop::from(ordering.is_some_and(|ordering| match comparison {
                C::Less => ordering.is_lt(),
                C::LessEqual => ordering.is_le(),
                C::Greater => ordering.is_gt(),
                _ => ordering.is_ge(),
            })))
        };
        Ok(match (a, b) {
            (Value::Text(a), Value::Text(b)) => by(Some(a.cmp(b))),
            (Value::Bytes(a), Value::Bytes(b)) => by(Some(a.cmp(b))),
            (Value::Float(_), _) | (_, Value::Float(_)) => match (number(a), number(b)) {
                (Some(Some(x)), Some(Some(y))) => by(x.partial_cmp(&y)),
                (Some(_), Some(_)) => Some(Prop::unknown("a comparison with a number that depends on sizes")),
                _ => None,
            },
            (Value::Tuple(x), Value::Tuple(y)) => self.ordered_items(comparison, x, y)?,
            (Value::Object(x), Value::Object(y)) => match (self.set_or_own(*x), self.set_or_own(*y)) {
                (Payload::List(x), Payload::List(y)) => self.ordered_items(comparison, &x, &y)?,
                (Payload::Set(x), Payload::Set(y)) => {
                    let below = |a: &Pairs, b: &Pairs| a.keys().all(|key| b.contains_key(key));
                    Some(Prop::from(match comparison {
                        C::Less => below(&x, &y) && x.len() < y.len(),
                        C::LessEqual => below(&x, &y),
                        C::Greater => below(&y, &x) && y.len() < x.len(),
                        _ => below(&y, &x),
                    }))
                }
                _ => None,
            },
            _ => None,
        })
    }
    /// The first elements that differ decide.
    fn ordered_items(&mut self, comparison: Comparison, a: &[Value], b: &[Value]) -> Outcome<Option<Prop>> {
        for (x, y) in a.iter().zip(b) {
            let same = self.equal_values(x, y)?;
            if !self.decide(same)? {
                let value = self.nested(|run| run.compare(comparison, x, y))?;
                return self.truth(&value).map(Some);
            }
        }
        let lengths = (Dim::from(a.len()), Dim::from(b.len()));
        self.ordered(comparison, &Value::Int(lengths.0), &Value::Int(lengths.1))
    }

    fn contains(&mut self, container: &Value, item: &Value) -> Outcome<Prop> {
        if let Some(answer) = self.try_special(container, "__contains__", vec![item.clone()])? {
            return self.truth(&answer);
        }
        if let (Value::Text(text), Value::Text(part)) = (self.unwrapped(container), self.unwrapped(item)) {
            return Ok(text.contains(&*part).into());
        }
        if let Value::Unknown(unknown) = &self.unwrapped(container) {
            return Ok(self.open_statement(&unknown.clone(), "membership in something unknown"));
        }
        if let Some(Payload::View(dict, crate::heap::Part::Keys)) = self.payload(container) {
            let dict = Value::Object(*dict);
            return self.contains(&dict, item);
        }
        if let (Value::Bytes(bytes), Value::Bytes(part)) = (self.unwrapped(container), self.unwrapped(item)) {
            let found = part.is_empty() || bytes.windows(part.len()).any(|window| *window == *part);
            return Ok(found.into());
        }
        if let Some(Payload::Dict(pairs) | Payload::Set(pairs)) = self.payload(container) {
            if pairs.is_empty() {
                return Ok(false.into());
            }
            if matches!(item, Value::Unknown(_)) {
                return Ok(Prop::unknown("membership of something unknown"));
            }
            let key = self.key(item)?;
            if let Some(Payload::Dict(pairs) | Payload::Set(pairs)) = self.payload(container) {
                return Ok(match pairs.contains_key(&key) {
                    false if has_unknown_key(pairs) => Prop::unknown("a key that is not known"),
                    found => found.into(),
                });
            }
        }
        if let Value::Text(_) = self.unwrapped(container)
            && !matches!(item, Value::Unknown(_))
        {
            let message =
                format!("'in <string>' requires string as left operand, not {}", self.type_name(item));
            return self.raise("TypeError", message);
        }
        let mut found = Prop::from(false);
        let iterator = self.iterate(container)?;
        let at = self.frame().at;
        let ends = self.open_ends;
        while let Some(element) = self.one_by_one(|run| run.next(&iterator))? {
            self.step(at)?;
            found = found | self.equal_values(item, &element)?;
            if found.known() == Some(true) {
                break;
            }
        }
        if self.open_ends > ends {
            found = found | Prop::unknown("how many elements there are is not known");
        }
        Ok(found)
    }

    /// Whether a library asks if something unknown is None: what it then does is not known.
    fn is_open_in_library(&self, left: &Value, right: &Value) -> bool {
        let is_open = |value: &Value| matches!(value, Value::Unknown(unknown) if unknown.kind.is_none());
        self.frame().source.is_library
            && (is_open(left) && right.is_none() || is_open(right) && left.is_none())
    }
    fn identical(&mut self, a: &Value, b: &Value) -> Prop {
        match (a, b) {
            // What is not known may be anything, None included.
            (Value::Unknown(x), Value::Unknown(y)) if std::rc::Rc::ptr_eq(x, y) => true.into(),
            (Value::Unknown(unknown), other) | (other, Value::Unknown(unknown)) => {
                match (unknown.kind, other) {
                    (Some(kind), Value::None) => (kind == BuiltIn::NoneType).into(),
                    (_, Value::None) => {
                        let made =
                            || (unknown.clone(), Prop::unknown(&format!("{} is None", unknown.reason)));
                        self.nones.entry(std::rc::Rc::as_ptr(unknown) as usize).or_insert_with(made).1
                    }
                    // A number or a text is none of the values that exist once.
                    (Some(kind), Value::Ellipsis | Value::NotImplemented) if is_scalar(kind) => false.into(),
                    (Some(kind), Value::Bool(_)) if is_scalar(kind) && kind != BuiltIn::Bool => false.into(),
                    (Some(kind), Value::Object(_)) if is_scalar(kind) => false.into(),
                    _ => Prop::unknown(&format!("{} is one and the same", unknown.reason)),
                }
            }
            (Value::Bool(x), Value::Bool(y)) => (*x & *y) | (!*x & !*y),
            (Value::Int(x), Value::Int(y)) => x.eq(*y),
            _ => a.is(b).into(),
        }
    }
}

fn is_scalar(kind: BuiltIn) -> bool {
    matches!(kind, BuiltIn::Bool | BuiltIn::Int | BuiltIn::Float | BuiltIn::Complex | BuiltIn::Text)
}

/// Whether one of the keys is something unknown, which may be any other key.
pub(super) fn has_unknown_key(pairs: &Pairs) -> bool {
    pairs.values().any(|(key, _)| matches!(key, Value::Unknown(_)))
}
