//! Which tensors a backward pass needs as they were: a change in place after a function has kept one is an error when
//! gradients flow back through the function.
//!
//! The table says what PyTorch was seen to do (each input and output changed in turn before `backward()`); functions that
//! are not in it keep nothing.

use crate::gradient::Gradient;
use crate::heap::Id;
use smallvec::SmallVec;

/// What a function keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keeps {
    /// Its result.
    Result,
    /// Its first tensor.
    First,
    /// Its first tensor and its result.
    Ends,
    /// Its first two tensors.
    Both,
    /// Each of two tensors if gradients flow to the other.
    Crossed,
    /// The second of two tensors, and the first if gradients flow to the second.
    Divisor,
}

/// A tensor as it was kept, and by which function.
#[derive(Clone, Copy)]
pub struct Kept {
    pub tensor: Id,
    pub version: u32,
    pub by: &'static str,
}

#[rustfmt::skip]
const KEEPING: &[(Keeps, &[&str])] = &[
    (Keeps::Result, &["exp", "sigmoid", "tanh", "sqrt", "rsqrt", "reciprocal", "expm1", "tan", "relu", "softmax", "log_softmax", "exp2", "softmin"]),
    (Keeps::Ends, &["norm", "prod", "cumprod", "logsumexp", "std", "amax", "amin"]),
    (Keeps::First, &[
        "sin", "cos", "log", "log1p", "log2", "log10", "abs", "square", "erf", "atan", "asin", "acos", "sinh", "cosh",
        "leaky_relu", "elu", "celu", "selu", "gelu", "silu", "mish", "softplus", "hardtanh", "relu6", "hardswish",
        "logsigmoid", "pow", "clamp", "clamp_min", "var", "erfinv", "erfc", "hardsigmoid", "asinh", "atanh", "digamma", "lgamma",
        "softsign", "softshrink", "hardshrink", "glu", "prelu", "threshold", "instance_norm", "rms_norm", "avg_pool1d",
        "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d", "layer_norm", "batch_norm", "group_norm",
    ]),
    (Keeps::Both, &[
        "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "maximum", "minimum",
        "mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    ]),
    (Keeps::Crossed, &["mul", "matmul", "mm", "bmm", "mv", "dot", "linear"]),
    (Keeps::Divisor, &["div"]),
];

/// What a function of this name keeps, and its name for as long as anybody wants it.
pub fn kept_by(name: &str) -> Option<(Keeps, &'static str)> {
    KEEPING
        .iter()
        .find_map(|(keeps, names)| names.iter().find(|known| **known == name).map(|known| (*keeps, *known)))
}

impl Keeps {
    /// Which tensors are kept of those a function was given, and of what it made.
    pub fn of(self, given: &[(Id, Gradient)], made: Id) -> SmallVec<[Id; 2]> {
        let needed = |place: usize| given.get(place).is_some_and(|(_, it)| it.needed() == Some(true));
        let tensor = |place: usize, is_kept: bool| given.get(place).filter(|_| is_kept).map(|(id, _)| *id);
        let [first, second] = match self {
            Keeps::Result => [Some(made), None],
            Keeps::First => [tensor(0, true), None],
            Keeps::Ends => [tensor(0, true), Some(made)],
            Keeps::Both => [tensor(0, true), tensor(1, true)],
            Keeps::Crossed => [tensor(0, needed(1)), tensor(1, needed(0))],
            Keeps::Divisor => [tensor(0, needed(1)), tensor(1, true)],
        };
        first.into_iter().chain(second).collect()
    }
}
