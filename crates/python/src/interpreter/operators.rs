//! Operators and truth.

use super::arithmetic::number;
use super::{Flow, Interpreter, Outcome};
use crate::heap::Payload;
use crate::held;
use crate::syntax::{BinaryOperator, UnaryOperator};
use crate::value::{BuiltIn, Pairs, Unknown, Value};
use semantics::dim::Dim;
use semantics::prop::Prop;

impl Interpreter {
    /// Whether a value counts as true.
    pub fn truth(&mut self, value: &Value) -> Outcome<Prop> {
        Ok(match value {
            Value::None => false.into(),
            Value::Bool(prop) => *prop,
            Value::Int(dim) => dim.ne(0),
            Value::Float(number) => (*number != 0.0).into(),
            Value::Text(text) => (!text.is_empty()).into(),
            Value::Bytes(bytes) => (!bytes.is_empty()).into(),
            Value::Tuple(items) => (!items.is_empty()).into(),
            Value::Ellipsis
            | Value::NotImplemented
            | Value::Slice(_)
            | Value::Native(_)
            | Value::Method(_) => true.into(),
            Value::Unknown(unknown) => {
                let made = || (unknown.clone(), Prop::unknown(&format!("{} is true", unknown.reason)));
                let known = self.truths.entry(std::rc::Rc::as_ptr(unknown) as usize).or_insert_with(made);
                if unknown.is_vague {
                    self.vague.insert(known.1.id());
                }
                known.1
            }
            Value::Object(id) => match &self.heap.get(*id).payload {
                Payload::List(_) | Payload::Dict(_) | Payload::Set(_) | Payload::Wrapped(_)
                    if self.has_special(value, "__bool__") || self.has_special(value, "__len__") =>
                {
                    self.asked_truth(value)?
                }
                Payload::List(items) => (!items.is_empty()).into(),
                Payload::Many { length, .. } => length.ne(0),
                Payload::Dict(pairs) | Payload::Set(pairs) => (!pairs.is_empty()).into(),
                Payload::View(dict, part) => (!self.viewed(*dict, *part).is_empty()).into(),
                Payload::Wrapped(inner) => {
                    let inner = inner.clone();
                    self.truth(&inner)?
                }
                Payload::Plain | Payload::Tensor(..) => self.asked_truth(value)?,
                Payload::Opaque(reason) => Prop::unknown(reason),
                _ => true.into(),
            },
        })
    }
    /// What `__bool__` or `__len__` says.
    fn asked_truth(&mut self, value: &Value) -> Outcome<Prop> {
        let (word, answer) = match self.try_special(value, "__bool__", Vec::new())? {
            Some(answer) => ("__bool__", answer),
            None => match self.try_special(value, "__len__", Vec::new())? {
                Some(length) => ("__len__", length),
                None => return Ok(true.into()),
            },
        };
        match self.unwrapped(&answer) {
            plain @ (Value::Bool(_) | Value::Int(_) | Value::Unknown(_)) => self.truth(&plain),
            _ => {
                let what = self.type_name(&answer);
                self.raise("TypeError", format!("{word} should return a number, returned {what}"))
            }
        }
    }
    pub fn has_special(&self, value: &Value, name: &str) -> bool {
        let class = self.class_of(value).filter(|class| class.number() >= BuiltIn::ALL.len());
        class.is_some_and(|class| self.in_order(class, name.into()).is_some())
    }

    pub fn unary(&mut self, operator: UnaryOperator, operand: &Value) -> Outcome {
        let value = self.unwrapped(operand);
        match (operator, &value) {
            (UnaryOperator::Minus, Value::Float(number)) => Ok(Value::Float(-number)),
            (UnaryOperator::Plus, Value::Float(_)) => Ok(value),
            (_, Value::Int(_) | Value::Bool(_)) => {
                let dim = value.as_dim().unwrap_or(Dim::from(0));
                Ok(Value::Int(match operator {
                    UnaryOperator::Minus => Dim::from(0) - dim,
                    UnaryOperator::Plus => dim,
                    _ => Dim::from(-1) - dim,
                }))
            }
            (UnaryOperator::Minus, number) if number.element().is_some() => {
                Ok(held::negated(number).unwrap_or(value))
            }
            (_, Value::Unknown(unknown)) => Ok(Value::Unknown(unknown.clone())),
            _ => {
                let word = match operator {
                    UnaryOperator::Minus => "__neg__",
                    UnaryOperator::Plus => "__pos__",
                    _ => "__invert__",
                };
                if let Some(result) = self.try_special(operand, word, Vec::new())? {
                    return Ok(result);
                }
                let sign = match operator {
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Plus => "+",
                    _ => "~",
                };
                let message = format!("bad operand type for unary {sign}: '{}'", self.type_name(operand));
                self.raise("TypeError", message)
            }
        }
    }

    /// Adds elements to a list; one that becomes too long is not followed any more.
    pub(crate) fn extend_list(&mut self, list: crate::heap::Id, more: Vec<Value>) {
        self.elements += more.len();
        let payload = &mut self.heap.get_mut(list).payload;
        if let Payload::List(items) = payload {
            if items.len() + more.len() > LONGEST {
                *payload = Payload::Opaque("a sequence that is too long to follow".into());
            } else {
                items.extend(more);
            }
        }
    }
    /// Adds what something else holds; if that is not known, neither is what the list holds.
    pub(crate) fn extend_list_by(&mut self, list: crate::heap::Id, more: &Value) -> Outcome<()> {
        if self.several(more).is_some()
            && let Some(Value::Object(joined)) = self.joined_several(&Value::Object(list), more)
        {
            self.heap.get_mut(list).payload = self.heap.get(joined).payload.clone();
            return Ok(());
        }
        match self.items_of(more) {
            Ok(more) => self.extend_list(list, more),
            Err(Flow::Lost(reason)) => self.forget_all(&Value::Object(list), reason),
            Err(flow) => return Err(flow),
        }
        Ok(())
    }
    /// Forgets what a container holds.
    pub(crate) fn forget_all(&mut self, container: &Value, reason: std::rc::Rc<str>) {
        if let Some(id) = container.as_object()
            && matches!(
                self.heap.get(id).payload,
                Payload::List(_) | Payload::Many { .. } | Payload::Dict(_) | Payload::Set(_)
            )
        {
            self.heap.get_mut(id).payload = Payload::Opaque(reason);
        }
    }
    pub fn in_place(&mut self, operator: BinaryOperator, left: &Value, right: &Value) -> Outcome {
        if let (BinaryOperator::Add, Value::Object(id)) = (operator, left)
            && matches!(self.heap.get(*id).payload, Payload::List(_))
        {
            self.extend_list_by(*id, right)?;
            return Ok(left.clone());
        }
        if let (BinaryOperator::Add, Some(list)) = (operator, self.several(left)) {
            self.put_in_all(&list, right)?;
            return Ok(left.clone());
        }
        let [_, _, in_place] = operator.methods();
        if let Some(result) = self.try_special(left, in_place, vec![right.clone()])?
            && !matches!(result, Value::NotImplemented)
        {
            return Ok(result);
        }
        self.binary(operator, left, right)
    }

    pub fn binary(&mut self, operator: BinaryOperator, left: &Value, right: &Value) -> Outcome {
        if let (Value::Int(a), Value::Int(b)) = (left, right) {
            return self.integers(operator, *a, *b);
        }
        // A subclass of a number or a text that defines the operator itself comes first.
        let [plain, reflected, _] = operator.methods();
        // So does one on the right whose class is a subclass of that on the left.
        if let (Some(a), Some(b)) = (self.class_of(left), self.class_of(right))
            && a != b
            && self.is_subclass(b, a)
            && a != BuiltIn::Object.class()
            && let Some(result) = self.try_special(right, reflected, vec![left.clone()])?
            && !matches!(result, Value::NotImplemented)
        {
            return Ok(result);
        }
        if let Value::Object(_) = left
            && let Some(result) = self.try_special(left, plain, vec![right.clone()])?
            && !matches!(result, Value::NotImplemented)
        {
            return Ok(result);
        }
        if let Value::Object(_) = right
            && let Some(result) = self.try_special(right, reflected, vec![left.clone()])?
            && !matches!(result, Value::NotImplemented)
        {
            return Ok(result);
        }
        if operator == BinaryOperator::Add
            && (self.several(left).is_some() || self.several(right).is_some())
            && let Some(joined) = self.joined_several(left, right)
        {
            return Ok(joined);
        }
        let (a, b) = (self.unwrapped(left), self.unwrapped(right));
        if let Some(result) = self.plain(operator, &a, &b)? {
            return Ok(result);
        }
        let sequence = match (&a, self.payload(&a)) {
            (Value::Text(_), _) => Some("str"),
            (Value::Tuple(_), _) => Some("tuple"),
            (_, Some(Payload::List(_))) => Some("list"),
            _ => None,
        };
        let operands = [left.clone(), right.clone()];
        let (left, right) = (self.type_name(left), self.type_name(right));
        let message = match (operator, sequence) {
            (BinaryOperator::Add, Some(sequence)) => {
                format!("can only concatenate {sequence} (not \"{right}\") to {sequence}")
            }
            (BinaryOperator::Mul, Some(_)) => format!("can't multiply sequence by non-int of type '{right}'"),
            _ => format!("unsupported operand type(s) for {}: '{left}' and '{right}'", operator.sign()),
        };
        let raised = self.raise("TypeError", message);
        self.hinted(raised, |run| operands.iter().find_map(|operand| run.hint_of_value(operand)))
    }

    /// Operators of numbers, texts and containers; `None` if there is none for these.
    fn plain(&mut self, operator: BinaryOperator, a: &Value, b: &Value) -> Outcome<Option<Value>> {
        use BinaryOperator as B;
        if let (Value::Bool(x), Value::Bool(y)) = (a, b)
            && matches!(operator, B::BitAnd | B::BitOr | B::BitXor)
        {
            let both = *x & *y;
            return Ok(Some(Value::Bool(match operator {
                B::BitAnd => both,
                B::BitOr => *x | *y,
                _ => (*x | *y) & !both,
            })));
        }
        if let (Some(x), Some(y)) = (a.as_dim(), b.as_dim()) {
            return self.integers(operator, x, y).map(Some);
        }
        if let (Value::Unknown(unknown), Value::Text(_) | Value::None)
        | (Value::Text(_) | Value::None, Value::Unknown(unknown)) = (a, b)
            && unknown.is_number()
            && operator == B::Add
        {
            return Ok(None);
        }
        if let Some(number) = held::combined(operator, a, b) {
            return Ok(Some(number));
        }
        if let Value::Unknown(unknown) = a {
            return Ok(Some(unknown_result(operator, unknown, b)));
        }
        if let Value::Unknown(unknown) = b {
            return Ok(Some(unknown_result(operator, unknown, a)));
        }
        if let (B::Mod, Value::Text(format)) = (operator, a) {
            return self.percent(format, b).map(Some);
        }
        if matches!(a, Value::Float(_)) || matches!(b, Value::Float(_)) {
            return match (number(a), number(b)) {
                (Some(Some(x)), Some(Some(y))) => self.floats(operator, x, y).map(Some),
                (Some(Some(share)), Some(None)) | (Some(None), Some(Some(share)))
                    if operator == B::Mul && (0.0..=1.0).contains(&share) =>
                {
                    let whole = a.as_dim().or(b.as_dim()).filter(|whole| whole.bounds().0 >= 0);
                    let other = || Value::unknown_of(BuiltIn::Float, "a number that depends on sizes");
                    Ok(Some(whole.map_or_else(other, Value::part)))
                }
                (Some(_), Some(_)) => {
                    Ok(Some(Value::unknown_of(BuiltIn::Float, "a number that depends on sizes")))
                }
                _ => Ok(None),
            };
        }
        Ok(match (operator, a, b) {
            (B::Add, Value::Text(a), Value::Text(b)) if a.len() + b.len() > LONGEST => Some(too_long()),
            (B::Add, Value::Text(a), Value::Text(b)) => {
                self.elements += (a.len() + b.len()) / 256;
                Some(Value::Text(format!("{a}{b}").into()))
            }
            (B::Add, Value::Bytes(a), Value::Bytes(b)) => {
                Some(Value::Bytes(a.iter().chain(b.iter()).copied().collect()))
            }
            (B::Add, Value::Tuple(a), Value::Tuple(b)) if a.len() + b.len() > LONGEST => {
                Some(Value::unknown_of(BuiltIn::Tuple, "a sequence that is too long to follow"))
            }
            (B::Add, Value::Tuple(a), Value::Tuple(b)) => {
                Some(Value::Tuple(a.iter().chain(b.iter()).cloned().collect()))
            }
            (B::Mul, sequence, count) if count.as_dim().is_some() => self.repeated_sequence(sequence, count),
            (B::Mul, count, sequence) if count.as_dim().is_some() => self.repeated_sequence(sequence, count),
            (_, Value::Object(x), Value::Object(y)) => {
                let (x, y) = (self.set_or_own(*x), self.set_or_own(*y));
                match (operator, x, y) {
                    (B::Add, Payload::List(x), Payload::List(y)) if x.len() + y.len() > LONGEST => {
                        Some(Value::unknown_of(BuiltIn::List, "a sequence that is too long to follow"))
                    }
                    (B::Add, Payload::List(mut x), Payload::List(y)) => {
                        x.extend(y);
                        Some(self.new_list(x))
                    }
                    (B::BitOr, Payload::Dict(mut x), Payload::Dict(y)) => {
                        x.extend(y);
                        Some(self.new_dict(x))
                    }
                    (_, Payload::Set(x), Payload::Set(y)) => {
                        let class = self.class_of(a).filter(|class| *class == BuiltIn::FrozenSet.class());
                        let class = class.unwrap_or(BuiltIn::Set.class());
                        set_operation(operator, x, y).map(|set| self.new_object(class, Payload::Set(set)))
                    }
                    // Classes joined by `|` are a union of types.
                    (B::BitOr, Payload::Class(_), Payload::Class(_)) => {
                        Some(Value::tuple([a.clone(), b.clone()]))
                    }
                    _ => None,
                }
            }
            (B::BitOr, Value::Object(_) | Value::Tuple(_), Value::None)
            | (B::BitOr, Value::None, Value::Object(_) | Value::Tuple(_)) => {
                Some(Value::tuple([a.clone(), b.clone()]))
            }
            (B::BitOr, Value::Tuple(items), Value::Object(_)) => {
                Some(Value::tuple(items.iter().cloned().chain([b.clone()])))
            }
            _ => None,
        })
    }

    /// What an object holds, with a view of keys or items as the set it stands for.
    pub(super) fn set_or_own(&mut self, id: crate::heap::Id) -> Payload {
        let payload = self.heap.get(id).payload.clone();
        if let Payload::View(dict, crate::heap::Part::Keys | crate::heap::Part::Items) = payload {
            let shown = match payload {
                Payload::View(dict, part) => self.viewed(dict, part),
                _ => self.viewed(dict, crate::heap::Part::Keys),
            };
            let mut pairs = Pairs::default();
            for value in shown {
                if let Ok(key) = self.key(&value) {
                    pairs.insert(key, (value, Value::None));
                }
            }
            return Payload::Set(pairs);
        }
        payload
    }

    fn repeated_sequence(&mut self, sequence: &Value, count: &Value) -> Option<Value> {
        let known = count.as_int();
        if known.is_none() {
            if let Some(list) = count.as_dim().and_then(|times| self.repeated_several(sequence, times)) {
                return Some(list);
            }
            return matches!(sequence, Value::Text(_) | Value::Bytes(_) | Value::Tuple(_) | Value::Object(_))
                .then(|| Value::unknown("a sequence repeated an unknown number of times"));
        }
        let times = usize::try_from(known?.max(0)).ok()?;
        let length = match (sequence, self.payload(sequence)) {
            (Value::Text(text), _) => text.len(),
            (Value::Bytes(bytes), _) => bytes.len(),
            (Value::Tuple(items), _) => items.len(),
            (_, Some(Payload::List(items))) => items.len(),
            _ => return None,
        };
        if length.saturating_mul(times) > LONGEST {
            return Some(Value::unknown("a sequence that is too long to follow"));
        }
        Some(match (sequence, self.payload(sequence)) {
            (Value::Text(text), _) => {
                let text = text.repeat(times);
                self.elements += text.len() / 32;
                Value::Text(text.into())
            }
            (Value::Bytes(bytes), _) => Value::Bytes(bytes.repeat(times).into()),
            (Value::Tuple(items), _) => Value::Tuple(repeat(items, times).into()),
            (_, Some(Payload::List(items))) => {
                let items = repeat(items, times);
                self.new_list(items)
            }
            _ => return None,
        })
    }
}

/// Longer sequences are not made.
pub(crate) const LONGEST: usize = 1 << 20;

/// A text of more letters than that.
pub(crate) fn too_long() -> Value {
    Value::unknown_of(BuiltIn::Text, "a text that is too long to follow")
}

fn repeat(items: &[Value], times: usize) -> Vec<Value> {
    (0..times).flat_map(|_| items.iter().cloned()).collect()
}

/// What comes of an operation with something unknown: its type, where that much is known.
fn unknown_result(operator: BinaryOperator, unknown: &Unknown, other: &Value) -> Value {
    use BinaryOperator as B;
    let (other_kind, other) = match other {
        Value::Unknown(other) => (other.kind, Some(other)),
        value => (super::built_in_of(value), None),
    };
    let has = |kind: BuiltIn| unknown.kind == Some(kind) || other_kind == Some(kind);
    let is_number = |kind: Option<BuiltIn>| {
        matches!(kind, Some(BuiltIn::Bool | BuiltIn::Int | BuiltIn::Float | BuiltIn::Complex))
    };
    let is_real = unknown.is_real || other.is_some_and(|other| other.is_real);
    let kind = match operator {
        _ if is_real && has(BuiltIn::Float) => Some(BuiltIn::Float),
        B::Mod if unknown.kind == Some(BuiltIn::Text) || has(BuiltIn::Text) => Some(BuiltIn::Text),
        _ if unknown.kind == Some(BuiltIn::Text) && other_kind == Some(BuiltIn::Text) => Some(BuiltIn::Text),
        _ if !is_number(unknown.kind) || !is_number(other_kind) => None,
        _ if has(BuiltIn::Complex) => Some(BuiltIn::Complex),
        _ if has(BuiltIn::Float) => Some(BuiltIn::Float),
        B::Div => Some(BuiltIn::Float),
        B::Add | B::Sub | B::Mul | B::FloorDiv | B::Mod => Some(BuiltIn::Int),
        _ => None,
    };
    Value::Unknown(std::rc::Rc::new(Unknown {
        reason: unknown.reason.clone(),
        kind,
        is_real: is_real && kind.is_none() && matches!(operator, B::Add | B::Sub | B::Mul),
        is_vague: unknown.is_vague || other.is_some_and(|other| other.is_vague),
        ..Unknown::default()
    }))
}

fn set_operation(operator: BinaryOperator, mut a: Pairs, b: Pairs) -> Option<Pairs> {
    match operator {
        BinaryOperator::BitOr => a.extend(b),
        BinaryOperator::BitAnd => a.retain(|key, _| b.contains_key(key)),
        BinaryOperator::Sub => a.retain(|key, _| !b.contains_key(key)),
        BinaryOperator::BitXor => {
            let only: Pairs = b
                .iter()
                .filter(|(key, _)| !a.contains_key(*key))
                .map(|(key, pair)| (key.clone(), pair.clone()))
                .collect();
            a.retain(|key, _| !b.contains_key(key));
            a.extend(only);
        }
        _ => return None,
    }
    Some(a)
}
