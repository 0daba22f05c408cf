//! What operator files are written with. It holds nothing that could look inside a size.

pub use crate::array::{Array, Data};
pub use crate::call::{Argument, Call, Outcome, Outputs, Promised, Stop, one, position};
pub use crate::compose::*;
pub use crate::dim::{Dim, LARGEST_SIZE};
pub use crate::dtype::*;
pub use crate::element::Element;
pub use crate::elementwise::{
    LAID, aligned, binary, compare, gradient, require_divisors, unary, unary_within, variadic, variadic_alike,
};
pub use crate::operator::Category::*;
pub use crate::operator::*;
pub use crate::prop::Prop;
pub use crate::reduction::{over_distinct_axes, reduction};
pub use crate::scalar::{Binary, Fold, Unary};
pub use crate::shape::{Shape, Sizes, Slot, Slot::Back, Slot::Front};
pub use crate::tensor::{Computed, Kernel, Random, Tensor};
