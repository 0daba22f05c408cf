//! How gradients flow through functions of a library: what a function gives needs them if one of its tensors does.

use super::Interpreter;
use crate::gradient::Gradient;
use crate::heap::{Id, Payload};
use crate::kept::{Kept, kept_by};
use crate::value::Value;
use smallvec::SmallVec;

/// Functions and layers that keep tensors for the backward pass, whatever they are given.
const SAVING: &[&str] = &[
    "matmul",
    "mm",
    "bmm",
    "mv",
    "dot",
    "addmm",
    "baddbmm",
    "linear",
    "bilinear",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "relu",
    "leaky_relu",
    "elu",
    "gelu",
    "silu",
    "selu",
    "mish",
    "softplus",
    "sigmoid",
    "tanh",
    "hardtanh",
    "softmax",
    "log_softmax",
    "logsigmoid",
    "exp",
    "log",
    "log1p",
    "expm1",
    "sqrt",
    "rsqrt",
    "pow",
    "square",
    "sin",
    "cos",
    "abs",
    "reciprocal",
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "kl_div",
    "layer_norm",
    "batch_norm",
    "group_norm",
    "instance_norm",
    "norm",
    "std",
    "var",
    "logsumexp",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "avg_pool2d",
    "embedding",
    "gather",
    "index_select",
    "masked_fill",
    "where",
    "prod",
    "cumprod",
    "scaled_dot_product_attention",
    "multi_head_attention_forward",
    "normalize",
    "cosine_similarity",
    "cdist",
    "mul",
    "div",
    "maximum",
    "minimum",
    "max",
    "min",
    "amax",
    "amin",
    "clamp",
    "erf",
    "topk",
    "RNN",
    "GRU",
    "LSTM",
    "RNNCell",
    "GRUCell",
    "LSTMCell",
];

/// Arguments that hold others deeper than this are not looked through.
const DEEPEST: usize = 3;

/// The gradients of the tensors that a function is given.
pub(super) type Sources = SmallVec<[Gradient; 4]>;

/// The first tensors that a function is given.
pub(super) type Given = SmallVec<[(Id, Gradient); 2]>;

/// Of what a function or an operator made: it may keep tensors for the backward pass.
pub(super) fn saved_by(name: &str, gradient: Gradient) -> Gradient {
    match gradient {
        Gradient::Derived(_) if SAVING.contains(&name) => gradient.saving(),
        _ => gradient,
    }
}

impl Interpreter {
    /// The tensors among the first two arguments of a function.
    pub(super) fn given(&self, positional: &[Value]) -> Given {
        let tensor = |value: &Value| match self.payload(value) {
            Some(Payload::Tensor(_, gradient)) => value.as_object().map(|id| (id, *gradient)),
            _ => None,
        };
        positional.iter().take(2).map_while(tensor).collect()
    }
    /// Of a tensor that a function made: what the function keeps for the backward pass has to stay as it is.
    pub(super) fn keep(&mut self, name: &str, given: &Given, made: Id) {
        let Payload::Tensor(tensor, Gradient::Derived(trace)) = self.heap.get(made).payload else { return };
        let Some((keeps, by)) = kept_by(name) else { return };
        let passes = &self.heap.passes;
        let kept = keeps.of(given, made);
        let kept = kept.into_iter().map(|tensor| Kept { tensor, version: passes.version(tensor), by });
        let gradient = Gradient::Derived(trace.keeping(kept));
        self.heap.get_mut(made).payload = Payload::Tensor(tensor, gradient);
    }
    /// The gradients of a function's arguments; `None` if it may use other tensors than these.
    pub(super) fn sources<'v>(&self, arguments: impl Iterator<Item = &'v Value>) -> Option<Sources> {
        let mut sources = Sources::new();
        for argument in arguments {
            self.add_sources(argument, &mut sources, 0)?;
        }
        Some(sources)
    }
    fn add_sources(&self, value: &Value, sources: &mut Sources, depth: usize) -> Option<()> {
        match value {
            Value::Unknown(unknown) if unknown.kind.is_none() => sources.push(Gradient::Open),
            Value::Tuple(items) => self.add_all(items.iter(), sources, depth)?,
            Value::Object(id) => {
                let object = self.heap.get(*id);
                match &object.payload {
                    Payload::Tensor(_, gradient) => sources.push(*gradient),
                    Payload::List(items) => self.add_all(items.iter(), sources, depth)?,
                    Payload::Dict(pairs) => {
                        self.add_all(pairs.values().map(|(_, value)| value), sources, depth)?
                    }
                    Payload::Wrapped(inner) => self.add_sources(inner, sources, depth + 1)?,
                    // A layer computes with its parameters.
                    Payload::Plain if !self.is_own_class(object.class) => {
                        self.add_all(object.attributes.values(), sources, depth)?;
                    }
                    Payload::Function(function) if function.source.is_library => {}
                    Payload::Class(_) | Payload::Module { .. } => {}
                    _ => return None,
                }
            }
            _ => {}
        }
        Some(())
    }
    fn add_all<'v>(
        &self,
        mut values: impl Iterator<Item = &'v Value>,
        sources: &mut Sources,
        depth: usize,
    ) -> Option<()> {
        match depth < DEEPEST {
            true => values.try_for_each(|value| self.add_sources(value, sources, depth + 1)),
            false => values.next().is_none().then_some(()),
        }
    }
    fn is_own_class(&self, class: Id) -> bool {
        matches!(&self.heap.get(class).payload, Payload::Class(class) if !class.is_library)
    }
    /// Says of what a function made whether it needs gradients, where its model left that open.
    pub(super) fn let_gradients_flow(
        &mut self,
        name: &str,
        (sources, given): (&Sources, &Given),
        made_after: usize,
        result: &Value,
    ) {
        match result {
            Value::Tuple(items) => {
                for item in items.iter() {
                    self.let_gradients_flow(name, (sources, given), made_after, item);
                }
            }
            Value::Object(id) if id.number() >= made_after => {
                let Payload::Tensor(tensor, gradient) = self.heap.get(*id).payload else { return };
                let flowing = match gradient {
                    Gradient::Open => {
                        self.heap.gradient_from(sources.iter().copied()).of_type(tensor.dtype())
                    }
                    known => known,
                };
                let flowing = saved_by(name, flowing);
                if flowing.trace().is_some() || flowing != gradient {
                    self.heap.get_mut(*id).payload = Payload::Tensor(tensor, flowing);
                    self.keep(name, given, *id);
                }
            }
            _ => {}
        }
    }
}
