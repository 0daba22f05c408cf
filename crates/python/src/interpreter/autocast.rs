//! Mixed precision: inside `torch.autocast` some functions take their tensors in half precision, and some in float32.

use super::Interpreter;
use crate::heap::Function;
use crate::native::Keywords;
use crate::value::Value;
use semantics::dtype::{DType, Kind};
use semantics::tensor::Tensor;

/// What holds inside the context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Autocast {
    /// On a CPU, products and convolutions are computed in this type.
    Cpu(Kind),
    /// A machine with a GPU casts, one without leaves all as it is: nothing is said but that types may differ.
    Gpu,
}

/// Functions that take half precision.
const LOWER: &[&str] = &[
    "conv",
    "conv_transpose",
    "prelu",
    "addmm",
    "matmul",
    "mm",
    "linear",
    "addbmm",
    "baddbmm",
    "bmm",
    "chain_matmul",
    "multi_dot",
    "inner",
    "tensordot",
    "vecdot",
    "scaled_dot_product_attention",
];
/// Functions that take float32.
const FLOAT32: &[&str] = &[
    "prod",
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "kl_div",
    "triplet_margin_loss",
    "cosine_embedding_loss",
    "cdist",
    "soft_margin_loss",
    "poisson_nll_loss",
    "margin_ranking_loss",
    "multilabel_margin_loss",
    "multi_margin_loss",
    "hinge_embedding_loss",
    "ctc_loss",
    "grid_sample",
    "avg_pool3d",
    "quantile",
    "nanquantile",
];
/// Functions that only a GPU casts for.
const ON_GPU: &[&str] = &[
    "mv",
    "addmv",
    "addr",
    "einsum",
    "layer_norm",
    "group_norm",
    "cosine_similarity",
    "addcdiv",
    "addcmul",
    "bilinear",
    "cross",
    "dot",
    "vdot",
    "index_put",
    "scatter_add",
];

/// The type of a tensor that is cast: float64 stays as it is.
fn eligible(tensor: Tensor) -> Option<Kind> {
    match tensor.dtype() {
        DType::Known(kind @ (Kind::F32 | Kind::F16 | Kind::BF16)) => Some(kind),
        _ => None,
    }
}

impl Interpreter {
    /// Gives the tensors among arguments the types that the function takes here.
    pub(super) fn autocast(
        &mut self,
        function: &Function,
        positional: &mut [Value],
        keywords: &mut Keywords,
    ) {
        let Some(casting) = self.heap.autocast.filter(|_| function.source.is_library) else { return };
        let name = &*function.name.text();
        let kind = match casting {
            Autocast::Cpu(kind) if LOWER.contains(&name) => kind,
            Autocast::Cpu(_) if FLOAT32.contains(&name) => Kind::F32,
            Autocast::Gpu if [LOWER, FLOAT32, ON_GPU].iter().any(|all| all.contains(&name)) => {
                let all = positional.iter().chain(keywords.iter().map(|(_, value)| value));
                let kinds = all.filter_map(|value| self.as_tensor(value)).filter_map(eligible);
                match kinds.reduce(|one, other| if one == other { one } else { Kind::F32 }) {
                    Some(kind) => kind,
                    None => return,
                }
            }
            _ => return,
        };
        for value in positional.iter_mut().chain(keywords.iter_mut().map(|(_, value)| value)) {
            let Some(tensor) = self.as_tensor(value) else { continue };
            if eligible(tensor).is_some_and(|old| old != kind) {
                let gradient = self.heap.gradient_from([self.gradient_of(value)]);
                let cast = match self.path.made {
                    // Whoever follows values follows them through the cast.
                    Some(_) => Tensor::from_elements(DType::from(kind), tensor.shape(), move |index| {
                        tensor.at(index).cast(kind)
                    }),
                    None => Tensor::given(&tensor.name(), DType::from(kind), tensor.shape()),
                };
                *value = self.new_tensor_with(cast, gradient);
            }
        }
    }
}
