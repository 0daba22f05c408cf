//! The activation functions that layers take by name.

use semantics::call::{Call, Stop};
use semantics::compose::map;
use semantics::element::Element;
use semantics::operator::{Parameter, word};
use semantics::operators::gelu::gelu;
use semantics::operators::log_softmax::log_softmax;
use semantics::operators::softmax::softmax;
use semantics::tensor::Tensor;

pub const NAMES: &[&str] = &[
    "linear",
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "selu",
    "celu",
    "gelu",
    "silu",
    "swish",
    "sigmoid",
    "log_sigmoid",
    "hard_sigmoid",
    "hard_silu",
    "hard_swish",
    "hard_tanh",
    "hard_shrink",
    "soft_shrink",
    "softplus",
    "softsign",
    "softmax",
    "tanh",
    "tanh_shrink",
    "exponential",
    "mish",
    "threshold",
    "glu",
    "log_softmax",
    "sparse_plus",
    "sparse_sigmoid",
    "sparsemax",
    "squareplus",
];

/// Most layers have none unless told.
pub const ACTIVATION: Parameter = word("activation", NAMES).or_word("linear");

/// `tensor` after the function that `parameter` names.
pub fn activated(call: &mut Call, parameter: &str, tensor: Tensor) -> Result<Tensor, Stop> {
    let name = call.text(parameter)?;
    applied(&name, tensor)
        .ok_or_else(|| Stop::Unknown(format!("the activation `{name}` is not modelled here")))
}

/// `tensor` after the function of that name; `None` if it is not modelled, or the rank is not known.
pub fn applied(name: &str, tensor: Tensor) -> Option<Tensor> {
    if name == "linear" {
        return Some(tensor);
    }
    if name == "softmax" {
        // Over the last axis.
        let rank = tensor.shape().known_rank().filter(|rank| *rank > 0)?;
        return Some(softmax(tensor, &[rank - 1]));
    }
    if name == "log_softmax" {
        let rank = tensor.shape().known_rank().filter(|rank| *rank > 0)?;
        return Some(log_softmax(tensor, &[rank - 1]));
    }
    Some(map(tensor, tensor.dtype(), function(name)?))
}

/// What the name does to one element; `None` for functions of more than one, and for names that are none.
pub fn function(name: &str) -> Option<fn(Element) -> Element> {
    Some(match name {
        "linear" => |x| x,
        "relu" => |x| x.max(0.0),
        "relu6" => |x| x.max(0.0).min(6.0),
        "leaky_relu" => |x| x.ge(0.0).select(x, x * 0.2),
        // TensorFlow subtracts 1 from the exponential, which loses digits near zero.
        "elu" => |x| x.gt(0.0).select(x, x.min(0.0).exp() - 1.0),
        "celu" => |x| x.gt(0.0).select(x, x.min(0.0).expm1()),
        "selu" => |x| x.gt(0.0).select(x, (x.min(0.0).exp() - 1.0) * SELU_ALPHA) * SELU_SCALE,
        "gelu" => gelu,
        "silu" | "swish" => |x| x * x.sigmoid(),
        "sigmoid" => Element::sigmoid,
        "log_sigmoid" => |x| -softplus(-x),
        "hard_sigmoid" => hard_sigmoid,
        "hard_silu" | "hard_swish" => |x| x * hard_sigmoid(x),
        "hard_tanh" => |x| x.max(-1.0).min(1.0),
        "hard_shrink" => |x| x.abs().gt(0.5).select(x, Element::constant(x.kind(), 0.0)),
        "soft_shrink" => {
            |x| x.gt(0.5).select(x - 0.5, x.lt(-0.5).select(x + 0.5, Element::constant(x.kind(), 0.0)))
        }
        "softplus" => softplus,
        "softsign" => |x| x / (x.abs() + 1.0),
        "tanh" => Element::tanh,
        "tanh_shrink" => |x| x - x.tanh(),
        "exponential" => Element::exp,
        "mish" => |x| x * softplus(x).tanh(),
        "sparse_plus" => |x| {
            let (zero, middle) = (Element::constant(x.kind(), 0.0), (x + 1.0) * (x + 1.0) * 0.25);
            x.le(-1.0).select(zero, x.lt(1.0).select(middle, x))
        },
        "sparse_sigmoid" => |x| ((x + 1.0) * 0.5).max(0.0).min(1.0),
        "squareplus" => |x| (x + (x * x + 4.0).sqrt()) * 0.5,
        // Keras wants a threshold and a value for it, which a name cannot give; others look at several elements.
        _ => return None,
    })
}

const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

/// `ln(1 + exp(x))`, also where the exponential would be too large.
fn softplus(x: Element) -> Element {
    x.gt(20.0).select(x + (-x.max(20.0)).exp().log1p(), x.min(20.0).exp().log1p())
}

/// `x / 6 + 1 / 2`, within 0 and 1. Some divide by 6, some multiply with a sixth that is rounded itself.
fn hard_sigmoid(x: Element) -> Element {
    let sixth = Element::constant(x.kind(), 1.0) / 6.0;
    (x + 3.0).max(0.0).min(6.0) * sixth
}
