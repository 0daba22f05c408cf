//! Where Python meets the operators: a call of `_op.conv(...)` in a library file is a call of the definition.

use super::flowing::saved_by;
use super::{Interpreter, Outcome};
use crate::gradient::Gradient;
use crate::heap::Payload;
use crate::native::Keywords;
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};
use program::execute::LaidOut;
use program::path::Answer;
use semantics::array::Array;
use semantics::call::{Argument, Call};
use semantics::dim::Dim;
use semantics::dtype::{DType, Kind};
use semantics::operator::{Arity, Operator, ParameterKind};
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};

impl Interpreter {
    /// A tensor as a Python object; whether it needs gradients is known only where nothing does.
    /// Loads the library that says what a tensor can do, if the program itself does not name it.
    pub fn know_tensors(&mut self) {
        if self.tensor_class.is_none() {
            // What goes wrong in it is told where the program uses it.
            let _ = self.module("torch");
        }
    }
    pub fn new_tensor(&mut self, tensor: Tensor) -> Value {
        let gradient = self.heap.gradient_from([Gradient::Open]);
        self.new_tensor_with(tensor, gradient)
    }
    /// A tensor as a Python object, and whether it needs gradients.
    pub fn new_tensor_with(&mut self, tensor: Tensor, gradient: Gradient) -> Value {
        let gradient = gradient.of_type(tensor.dtype());
        let class = self.tensor_class.unwrap_or(BuiltIn::Object.class());
        self.note_maker(tensor);
        self.new_object(class, Payload::Tensor(tensor, gradient))
    }
    /// Whether a tensor needs gradients; what is no tensor does not.
    pub fn gradient_of(&self, value: &Value) -> Gradient {
        match self.payload(value) {
            Some(Payload::Tensor(_, gradient)) => *gradient,
            _ => Gradient::No,
        }
    }
    pub fn as_tensor(&self, value: &Value) -> Option<Tensor> {
        match self.payload(value)? {
            Payload::Tensor(tensor, _) => Some(*tensor),
            _ => None,
        }
    }

    /// Calls an operator: tensors by position, parameters by name.
    pub fn operate(
        &mut self,
        operator: &'static Operator,
        positional: Vec<Value>,
        mut keywords: Keywords,
    ) -> Outcome {
        let mut call = Call::new(operator);
        let raises = self.raised_by(&mut keywords);
        let mut wanted = None;
        let mut gradients = Vec::new();
        let mut spelled: Option<String> = None;
        let given = self.given(&positional);
        for (place, value) in positional.into_iter().enumerate() {
            let Some(input) = operator.inputs.get(place) else {
                return self.raise(
                    "TypeError",
                    format!("_op.{} takes {} tensors", operator.name, operator.inputs.len()),
                );
            };
            let values = match input.arity {
                Arity::Variadic | Arity::Any => self.items_of(&value)?,
                _ if value.is_none() => continue,
                _ => vec![value],
            };
            for value in values {
                match self.as_tensor(&value) {
                    Some(tensor) => {
                        gradients.push(self.gradient_of(&value));
                        call.tensors[place].push(tensor);
                    }
                    None => return Ok(self.not_a_tensor(operator, input.name, &value)),
                }
            }
        }
        for (name, value) in keywords {
            let text = name.text();
            match &*text {
                "_outputs" => wanted = value.as_int().and_then(|wanted| usize::try_from(wanted).ok()),
                "_as" => spelled = value.as_text().map(|text| text.to_string()),
                _ => {
                    let Some(place) =
                        operator.parameters.iter().position(|parameter| parameter.name == &*text)
                    else {
                        return self
                            .raise("TypeError", format!("_op.{} has no parameter {name}", operator.name));
                    };
                    if value.is_none() {
                        continue;
                    }
                    let argument = self.argument(operator.parameters[place].kind, &value)?;
                    call.arguments[place] = Some(argument);
                }
            }
        }
        if let Some(wanted) = wanted {
            call.wanted = wanted;
        }
        // Who follows values wants formulas, whatever they are of.
        let is_untold = self.path.made.is_none() && is_untold(&call);
        let place = self.place(spelled.as_deref().unwrap_or(operator.name));
        let (recorded, granted) = (self.path.record.len(), self.path.assumed.len());
        let laid_out = LaidOut::of(&call, || reads_channels(operator));
        let answer = self.path.call(call, operator.define, &place);
        self.note_raising(granted, raises);
        match answer {
            Answer::Done(mut outputs) => {
                let gradient = self.heap.gradient_from(gradients);
                let gradient = saved_by(spelled.as_deref().unwrap_or(operator.name), gradient);
                self.name_open(recorded);
                if let Some(laid_out) = laid_out {
                    outputs.iter_mut().for_each(|output| *output = laid_out.inherited(*output));
                }
                if is_untold && self.path.record.len() == recorded {
                    outputs.iter_mut().for_each(|output| *output = untold(*output));
                }
                let mut values: Vec<Value> =
                    outputs.into_iter().map(|output| self.new_tensor_with(output, gradient)).collect();
                if let Some(made) = values.first().and_then(Value::as_object) {
                    self.keep(spelled.as_deref().unwrap_or(operator.name), &given, made);
                }
                match (values.len(), wanted) {
                    (1, None) => Ok(values.remove(0)),
                    _ => Ok(Value::Tuple(values.into())),
                }
            }
            Answer::Violated(requirement) => {
                let name = spelled.as_deref().unwrap_or(operator.name).to_owned();
                self.raise_violation(raises, format!("{name}: {}", requirement.label))
            }
        }
    }
    /// What of a library the user's code called: the layer that runs, or else the outermost function.
    pub fn library_function(&self) -> String {
        let own = self.frames.iter().rposition(|frame| !frame.source.is_library).map_or(0, |own| own + 1);
        let (mut found, mut hidden) = (None, None);
        for frame in self.frames[own.min(self.frames.len())..].iter().rev() {
            let name = frame.name.text();
            match (&*name, &frame.receiver) {
                ("forward" | "__init__", Some(layer)) => return self.type_name(layer),
                ("__call__", _) => {}
                _ if !name.starts_with('_') => found = Some(name.to_string()),
                _ => hidden = Some(name.trim_matches('_').to_owned()),
            }
        }
        found.or(hidden).filter(|name| !name.is_empty()).unwrap_or_else(|| "the library".into())
    }
    /// What the library calls a value: the name of the parameter it came in by.
    pub fn name_in_library(&self, value: &Value) -> &'static str {
        let own = self.frames.iter().rposition(|frame| !frame.source.is_library).map_or(0, |own| own + 1);
        for frame in &self.frames[own.min(self.frames.len())..] {
            for (name, held) in self.heap.get(frame.scope).attributes.iter() {
                if held.is(value) {
                    return semantics::call::intern(name.to_string());
                }
            }
        }
        "tensor"
    }
    fn not_a_tensor(&mut self, operator: &Operator, input: &str, value: &Value) -> Value {
        match value {
            Value::Unknown(unknown) => {
                let reason = format!("`{input}` of {} is not known: {}", operator.name, unknown.reason);
                self.lose(reason)
            }
            other => {
                let what = self.type_name(other);
                self.lose(format!("`{input}` of {} is no tensor but {what}", operator.name))
            }
        }
    }

    fn argument(&mut self, kind: ParameterKind, value: &Value) -> Outcome<Argument> {
        let value = self.unwrapped(value);
        if let Value::Unknown(unknown) = &value {
            return Ok(Argument::Unknown(unknown.reason.clone()));
        }
        let not_known = || Argument::Unknown("it has another form".into());
        Ok(match kind {
            ParameterKind::Int => value.as_dim().map_or_else(not_known, Argument::Int),
            ParameterKind::Flag => Argument::Flag(self.truth(&value)?),
            ParameterKind::Float => match &value {
                Value::Float(number) => Argument::Float(*number),
                value => value.as_int().map_or_else(not_known, |number| Argument::Float(number as f64)),
            },
            ParameterKind::Ints => {
                let items = self.items_of(&value)?;
                let dims: Option<Vec<Dim>> = items.iter().map(|item| self.unwrapped(item).as_dim()).collect();
                dims.map_or_else(not_known, Argument::Ints)
            }
            ParameterKind::Floats => {
                let items = self.items_of(&value)?;
                let floats: Option<Vec<f64>> = items
                    .iter()
                    .map(|item| match item {
                        Value::Float(number) => Some(*number),
                        item => item.as_int().map(|number| number as f64),
                    })
                    .collect();
                floats.map_or_else(not_known, Argument::Floats)
            }
            ParameterKind::Type => self.kind_of(&value).map_or_else(not_known, Argument::Type),
            ParameterKind::Word(_) | ParameterKind::Text => {
                value.as_text().map_or_else(not_known, |text| Argument::Text(text.to_string()))
            }
            ParameterKind::Words(_) => {
                let items = self.items_of(&value)?;
                let texts: Option<Vec<String>> =
                    items.iter().map(|item| item.as_text().map(|text| text.to_string())).collect();
                texts.map_or_else(not_known, Argument::Texts)
            }
            ParameterKind::Operators(_) => not_known(),
        })
    }

    /// An element type: its name, or an object with the name in `_kind`.
    pub fn kind_of(&mut self, value: &Value) -> Option<Kind> {
        match value {
            Value::Text(text) => Kind::parse(text),
            Value::Object(id) => match self.heap.get(*id).attributes.get(&Name::KIND) {
                Some(Value::Text(text)) => Kind::parse(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// A tensor of which type and shape are known.
    pub fn given_tensor(&mut self, name: &str, kind: Option<Kind>, sizes: Vec<Dim>) -> Value {
        let dtype = kind.map_or_else(DType::unknown, DType::from);
        let tensor = Tensor::given(name, dtype, Shape::new(sizes));
        self.new_tensor(tensor)
    }
    pub fn constant_tensor(&mut self, array: Array) -> Value {
        self.new_tensor(Tensor::constant(array))
    }
}

/// Operators of which every element of the result depends on an element of each input.
const ARITHMETIC: [&str; 4] = ["add", "sub", "mul", "div"];

/// Whether only the run can tell what a call computes, because nobody else knows what it is computed from.
fn is_untold(call: &Call) -> bool {
    let is_float = |tensor: &&Tensor| tensor.dtype().known().is_some_and(Kind::is_float);
    let is_given = |tensor: &Tensor| matches!(tensor.content(), Content::Given);
    // Which of them are taken may be known: what they are is not.
    let mut numbers = call.tensors.iter().flatten().filter(is_float).peekable();
    if numbers.peek().is_none() {
        return call.tensors.iter().flatten().next().is_some() && call.tensors.iter().flatten().all(is_given);
    }
    match ARITHMETIC.contains(&call.operator.name) {
        true => numbers.any(is_given),
        false => numbers.all(is_given),
    }
}
/// Whether an operator looks for channels in axis 1 of what it is given.
fn reads_channels(operator: &Operator) -> bool {
    operator.spellings.iter().any(|spelling| spelling.text.contains(":nchw"))
}
/// A tensor of numbers without the formula for them: nobody can read anything from it.
fn untold(tensor: Tensor) -> Tensor {
    let is_float = tensor.dtype().known().is_some_and(Kind::is_float);
    if !is_float || tensor.layout().is_some() || matches!(tensor.content(), Content::Given) {
        return tensor;
    }
    Tensor::given(&tensor.name(), tensor.dtype(), tensor.shape())
}
