//! Annotated parameters of library functions: what a caller may give.
//!
//! A model that annotates its parameters states the whole signature: other arguments are the caller's mistake.
//! `out` is filled here, so that no model has to.

use super::{Interpreter, Outcome};
use crate::heap::{Function, Id, Payload};
use crate::syntax::{BinaryOperator, Constant, Expr, ExprKind, Name, Parameter, Parameters};
use crate::value::{BuiltIn, Key, Value};
use semantics::dtype::{Class, DType, Kind};
use semantics::tensor::Tensor;

impl Parameters {
    /// Whether the signature says what it takes.
    pub fn is_stated(&self) -> bool {
        let all =
            self.positional.iter().chain(&self.variadic).chain(&self.keyword_only).chain(&self.keywords);
        all.into_iter().any(|parameter| parameter.annotation.is_some())
    }
}

impl Interpreter {
    /// The name of a parameter that a module of a library lets callers spell in another way (`axis` for `dim`).
    pub(super) fn other_spelling(&mut self, function: &Function, word: Name) -> Option<Name> {
        if !function.source.is_library {
            return None;
        }
        let table = self.heap.get(function.globals).attributes.get(&Name::new("__aliases__"))?.clone();
        let key = self.key(&Value::Text(word.text())).ok()?;
        match self.payload(&table)? {
            Payload::Dict(pairs) => {
                pairs.get(&key).and_then(|(_, value)| value.as_text().map(|text| Name::new(text)))
            }
            _ => None,
        }
    }

    /// Whether a parameter came to a library after the version that is meant: its module lists those (`LSTM.proj_size`).
    pub(super) fn is_later(&self, function: &Function, word: Name) -> bool {
        let is_own = self.frames.last().is_some_and(|frame| !frame.source.is_library);
        if !is_own || !function.source.is_library || !self.libraries.names_versions() {
            return false;
        }
        let Some(table) = self.heap.get(function.globals).attributes.get(&Name::new("__later__")) else {
            return false;
        };
        let owner = function.class.map_or(function.name, |class| self.class_name(class));
        let key = Key::Text(format!("{owner}.{word}").into());
        matches!(self.payload(table), Some(Payload::Dict(pairs)) if pairs.contains_key(&key))
    }

    /// Raises where an argument is not what the annotation of its parameter says.
    pub(super) fn check_annotations(&mut self, function: &Function, scope: Id) -> Outcome<()> {
        let parameters = &function.def.parameters;
        let all = parameters.positional.iter().chain(&parameters.keyword_only);
        for (parameter, default) in all.zip(&function.defaults) {
            let Some(annotation) = &parameter.annotation else { continue };
            let Some(value) = self.heap.get(scope).attributes.get(&parameter.name).cloned() else { continue };
            if default.as_ref().is_some_and(|default| value.is(default)) {
                continue;
            }
            match self.fitted(annotation, &value)? {
                Some(Some(fitted)) => self.set_name(scope, parameter.name, fitted),
                Some(None) => {}
                None => return self.refuse_argument(function, scope, parameter, annotation, &value),
            }
        }
        Ok(())
    }
    fn refuse_argument<T>(
        &mut self,
        function: &Function,
        scope: Id,
        parameter: &Parameter,
        annotation: &Expr,
        value: &Value,
    ) -> Outcome<T> {
        let (expected, given) = (spelled(annotation), self.type_name(value));
        // What a layer is made with, and what it is called with, goes by the name of the layer.
        let layer = function.class.and_then(|_| self.heap.get(scope).attributes.get(&Name::new("self")));
        let name = match (layer, &*function.name.text()) {
            (Some(layer), "__init__" | "forward" | "__call__") => self.type_name(layer),
            _ => function.name.to_string(),
        };
        let message = format!("{name}(): argument '{}' must be {expected}, not {given}", parameter.name);
        let raised = self.raise(self.refused_by(annotation, value), message);
        self.hinted(raised, |run| run.hint_of_value(value))
    }

    /// What is raised where an argument is not what is expected: a TypeError, unless PyTorch only finds out while it
    /// uses the argument.
    fn refused_by(&self, annotation: &Expr, value: &Value) -> &'static str {
        match (value, self.as_tensor(value)) {
            _ if mentions(annotation, "Duck") => "AttributeError",
            _ if mentions(annotation, "Reduction") => "ValueError",
            (Value::Text(_), _) if mentions(annotation, "device") => "RuntimeError",
            (_, Some(_)) if mentions(annotation, "truth") => "RuntimeError",
            _ => "TypeError",
        }
    }

    /// `None` if a value does not fit; else the value to take instead, if it is another.
    fn fitted(&mut self, annotation: &Expr, value: &Value) -> Outcome<Option<Option<Value>>> {
        let value = &self.unwrapped(value);
        let keep = Ok(Some(None));
        if matches!(value, Value::Unknown(unknown) if unknown.kind.is_none()) {
            return keep;
        }
        // Of a list nobody knows what is in it.
        if let Some(Payload::Opaque(_)) = self.payload(value) {
            return keep;
        }
        let name = match &annotation.kind {
            ExprKind::Binary(BinaryOperator::BitOr, left, right) => {
                return match self.fitted(left, value)? {
                    None => self.fitted(right, value),
                    fits => Ok(fits),
                };
            }
            ExprKind::Constant(Constant::None) => return if value.is_none() { keep } else { Ok(None) },
            ExprKind::Name(name) => name.text(),
            _ => return keep,
        };
        // A comparison with something unknown may have given a tensor.
        if let (Value::Bool(truth), "Tensor" | "Duck" | "Tensors" | "Operand") = (value, &*name)
            && truth.known().is_none()
        {
            return Ok(Some(Some(Value::unknown("a comparison with something unknown"))));
        }
        let kind = self.built_in(value);
        let fits = match &*name {
            // Who expects a `Duck` asks it for attributes of tensors before anything else.
            "Tensor" | "Duck" => self.as_tensor(value).is_some(),
            // Nobody knows what is in it.
            "Tensors" | "ints" | "ints1"
                if matches!(value, Value::Unknown(_))
                    && matches!(kind, Some(BuiltIn::List | BuiltIn::Tuple)) =>
            {
                true
            }
            "Tensors" => {
                let is_open = matches!(self.payload(value), Some(Payload::Opaque(_)))
                    || matches!(value, Value::Unknown(_) if matches!(kind, Some(BuiltIn::List | BuiltIn::Tuple)));
                let items = self.sequence(value);
                is_open || items.is_some_and(|items| items.iter().all(|item| self.may_be_tensor(item)))
            }
            // Numbers of NumPy are numbers, too.
            "Operand" if self.as_tensor(value).is_none() && self.has_special(value, "__float__") => {
                return Ok(Some(Some(self.call_special(value, "__float__", Vec::new())?)));
            }
            "Operand" => self.as_tensor(value).is_some() || is_number(kind),
            "int" => return self.whole(value),
            // A size of a layer: what comes of a flag is seen where a tensor of the size is made.
            "size" if kind == Some(BuiltIn::Bool) => true,
            "size" => return self.whole(value),
            "sizes1" => {
                let items = self.sequence(value).unwrap_or_else(|| vec![value.clone()]);
                items.iter().all(|item| {
                    matches!(self.unwrapped(item), Value::Bool(_)) || self.as_whole(item).is_some()
                })
            }
            "ints" | "ints1" => {
                if &*name == "ints1"
                    && let Some(one) = self.whole(value)?
                {
                    return Ok(Some(one));
                }
                let Some(items) = self.sequence(value) else { return Ok(None) };
                let mut numbers = Vec::with_capacity(items.len());
                for item in items {
                    match self.whole(&item)? {
                        None => return Ok(None),
                        Some(other) => numbers.push(other.unwrap_or(item)),
                    }
                }
                return Ok(Some(Some(Value::Tuple(numbers.into()))));
            }
            "float" | "Number" => {
                if let Some(tensor) = self.as_tensor(value) {
                    let scalar = tensor.shape().known_rank().is_none_or(|rank| rank == 0);
                    let element = tensor.values().and_then(|values| values.first().copied());
                    let known = element.and_then(|element| {
                        element.float().map(Value::Float).or_else(|| element.dim().map(Value::Int))
                    });
                    let unknown = || Value::unknown_of(BuiltIn::Float, "the value of a tensor");
                    return Ok(scalar.then(|| Some(known.unwrap_or_else(unknown))));
                }
                if self.has_special(value, "__float__") {
                    return Ok(Some(Some(self.call_special(value, "__float__", Vec::new())?)));
                }
                is_number(kind) && (&*name == "Number" || kind != Some(BuiltIn::Complex))
            }
            "bool" => kind == Some(BuiltIn::Bool),
            "str" | "Reduction" => kind == Some(BuiltIn::Text),
            "dtype" => {
                self.kind_of(value).is_some() && !matches!(value, Value::Text(_))
                    || value.as_object().is_some_and(|id| {
                        [BuiltIn::Float, BuiltIn::Int, BuiltIn::Bool, BuiltIn::Complex]
                            .map(BuiltIn::class)
                            .contains(&id)
                    })
            }
            "object" => true,
            // Whatever can be asked whether it is true.
            "truth" => self.as_tensor(value).is_none_or(|tensor| tensor.shape().count().known() == Some(1)),
            "Out" => self.as_tensor(value).is_some(),
            "device" => match value {
                Value::Text(text) => DEVICES.contains(&text.split(':').next().unwrap_or("")),
                value => kind == Some(BuiltIn::Int) || self.type_name(value) == "device",
            },
            name => self.class_of(value).is_some_and(|class| {
                self.order(class).iter().any(|&class| &*self.class_name(class).text() == name)
            }),
        };
        if fits { keep } else { Ok(None) }
    }

    /// As `as_whole`, of objects what their `__index__` gives.
    fn whole(&mut self, value: &Value) -> Outcome<Option<Option<Value>>> {
        if self.as_tensor(value).is_some() || !self.has_special(value, "__index__") {
            return Ok(self.as_whole(value));
        }
        let number = self.call_special(value, "__index__", Vec::new())?;
        Ok(self.as_whole(&number).map(|other| Some(other.unwrap_or(number))))
    }

    fn built_in(&self, value: &Value) -> Option<BuiltIn> {
        match value {
            Value::Unknown(unknown) => unknown.kind,
            value => super::built_in_of(value),
        }
    }
    fn may_be_tensor(&self, value: &Value) -> bool {
        matches!(value, Value::Unknown(_)) || self.as_tensor(value).is_some()
    }
    fn sequence(&self, value: &Value) -> Option<Vec<Value>> {
        match (value, self.payload(value)) {
            (Value::Tuple(items), _) => Some(items.to_vec()),
            (_, Some(Payload::List(items))) => Some(items.clone()),
            (_, Some(Payload::Wrapped(inner))) => self.sequence(&inner.clone()),
            _ => None,
        }
    }
    /// An integer as PyTorch's parser takes it: a number that is no bool, or an integer tensor without axes.
    fn as_whole(&self, value: &Value) -> Option<Option<Value>> {
        match self.unwrapped(value) {
            Value::Int(_) => Some(None),
            Value::Unknown(unknown) => {
                (unknown.kind.is_none() || unknown.kind == Some(BuiltIn::Int)).then_some(None)
            }
            other => {
                let tensor = self.as_tensor(&other)?;
                let fits = tensor.shape().known_rank().is_none_or(|rank| rank == 0)
                    && matches!(tensor.dtype(), DType::Known(kind) if kind.is_int());
                let number = tensor.values().and_then(|values| values.first().and_then(|value| value.dim()));
                let number = number
                    .map_or_else(|| Value::unknown_of(BuiltIn::Int, "the value of a tensor"), Value::Int);
                fits.then_some(Some(number))
            }
        }
    }

    /// Puts the result of a function into the tensors that the caller gave as `out`. One annotated `Out` may hold
    /// any type that the result can be cast to, others the same type only.
    pub(super) fn give_out(&mut self, function: &Function, scope: Id, result: Value) -> Outcome {
        let word = Name::OUT;
        let Some(out) = self.heap.get(scope).attributes.get(&word).cloned().filter(|out| !out.is_none())
        else {
            return Ok(result);
        };
        let Some(parameter) = function.def.parameters.keyword_only.iter().find(|it| it.name == word) else {
            return Ok(result);
        };
        let is_cast = parameter.annotation.as_ref().is_some_and(|annotation| mentions(annotation, "Out"));
        self.fill_out(&out, result, is_cast)
    }
    fn fill_out(&mut self, out: &Value, result: Value, is_cast: bool) -> Outcome {
        let out = self.unwrapped(out);
        if let (Value::Object(id), Some(old), Some(new)) =
            (&out, self.as_tensor(&out), self.as_tensor(&result))
        {
            if let (DType::Known(from), DType::Known(to)) = (new.dtype(), old.dtype()) {
                if !(from == to || is_cast && can_cast(from, to)) {
                    let message = format!("result type {from} can't be cast to the desired output type {to}");
                    return self.raise("RuntimeError", message);
                }
                let tensor = if from == to { new } else { Tensor::given("", to, new.shape()) };
                let gradient = self.gradient_of(&result);
                self.heap.get_mut(*id).payload = Payload::Tensor(tensor, gradient);
            }
            return Ok(out);
        }
        match (self.sequence(&out), self.sequence(&self.unwrapped(&result))) {
            (Some(outs), Some(results)) if outs.len() == results.len() => {
                let filled =
                    outs.iter().zip(results).map(|(out, result)| self.fill_out(out, result, is_cast));
                let filled = filled.collect::<Outcome<Vec<Value>>>()?;
                Ok(Value::Tuple(filled.into()))
            }
            _ if matches!(result, Value::Unknown(_)) => Ok(result),
            _ => self.raise("TypeError", "argument 'out' does not fit what is given"),
        }
    }
}

/// Whether numbers of one type may be put into a tensor of another: bool, integers, floats, complex, in this order.
pub fn can_cast(from: Kind, to: Kind) -> bool {
    let level = |kind: Kind| match kind.class() {
        Class::Bool => 0,
        Class::Int => 1,
        Class::Float => 2,
        _ => 3,
    };
    level(from) <= level(to)
}

/// Devices by the names that programs give them.
const DEVICES: &[&str] =
    &["cpu", "cuda", "mps", "xpu", "hpu", "xla", "meta", "mtia", "hip", "ipu", "vulkan", "privateuseone"];

fn mentions(annotation: &Expr, wanted: &str) -> bool {
    match &annotation.kind {
        ExprKind::Name(name) => &*name.text() == wanted,
        ExprKind::Binary(_, left, right) => mentions(left, wanted) || mentions(right, wanted),
        _ => false,
    }
}

fn is_number(kind: Option<BuiltIn>) -> bool {
    matches!(kind, Some(BuiltIn::Int | BuiltIn::Bool | BuiltIn::Float | BuiltIn::Complex))
}

fn spelled(annotation: &Expr) -> String {
    match &annotation.kind {
        ExprKind::Binary(_, left, right) => format!("{} or {}", spelled(left), spelled(right)),
        ExprKind::Constant(_) => "None".into(),
        ExprKind::Name(name) => match &*name.text() {
            "Tensors" => "a list of tensors".into(),
            "Operand" => "Tensor or number".into(),
            "ints" => "tuple of ints".into(),
            "ints1" => "int or tuple of ints".into(),
            "Number" => "number".into(),
            "Out" | "Duck" => "Tensor".into(),
            "size" => "int".into(),
            "Reduction" => "str".into(),
            "sizes1" => "int or tuple of ints".into(),
            other => other.into(),
        },
        _ => "something else".into(),
    }
}
