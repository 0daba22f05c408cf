//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod add;
pub mod affine_grid;
pub mod arg_max;
pub mod arg_min;
pub mod cast;
pub mod center_crop_pad;
pub mod col2im;
pub mod compress;
pub mod concat;
pub mod constant_of_shape;
pub mod conv;
pub mod cum_prod;
pub mod cum_sum;
pub mod depth_to_space;
pub mod expand;
pub mod eye_like;
pub mod flatten;
pub mod gather;
pub mod gather_elements;
pub mod gather_nd;
pub mod grid_sample;
pub mod image_decoder;
pub mod matmul;
pub mod max_unpool;
pub mod mod_;
pub mod non_max_suppression;
pub mod non_zero;
pub mod one_hot;
pub mod pad;
pub mod range;
pub mod reduce_sum;
pub mod reshape;
pub mod resize;
pub mod reverse_sequence;
pub mod roi_align;
pub mod scatter_elements;
pub mod scatter_nd;
pub mod shape;
pub mod size;
pub mod slice;
pub mod softmax;
pub mod space_to_depth;
pub mod split;
pub mod squeeze;
pub mod tensor_scatter;
pub mod tile;
pub mod top_k;
pub mod transpose;
pub mod trilu;
pub mod unique;
pub mod unsqueeze;
pub mod where_;

use crate::operator::Operator;

/// All operators by name.
#[rustfmt::skip]
pub static ALL: &[&Operator] = &[
    &add::OPERATOR,
    &affine_grid::OPERATOR,
    &arg_max::OPERATOR,
    &arg_min::OPERATOR,
    &cast::OPERATOR,
    &center_crop_pad::OPERATOR,
    &col2im::OPERATOR,
    &compress::OPERATOR,
    &concat::OPERATOR,
    &constant_of_shape::OPERATOR,
    &conv::OPERATOR,
    &cum_prod::OPERATOR,
    &cum_sum::OPERATOR,
    &depth_to_space::OPERATOR,
    &expand::OPERATOR,
    &eye_like::OPERATOR,
    &flatten::OPERATOR,
    &gather::OPERATOR,
    &gather_elements::OPERATOR,
    &gather_nd::OPERATOR,
    &grid_sample::OPERATOR,
    &image_decoder::OPERATOR,
    &matmul::OPERATOR,
    &max_unpool::OPERATOR,
    &mod_::OPERATOR,
    &non_max_suppression::OPERATOR,
    &non_zero::OPERATOR,
    &one_hot::OPERATOR,
    &pad::OPERATOR,
    &range::OPERATOR,
    &reduce_sum::OPERATOR,
    &reshape::OPERATOR,
    &resize::OPERATOR,
    &reverse_sequence::OPERATOR,
    &roi_align::OPERATOR,
    &scatter_elements::OPERATOR,
    &scatter_nd::OPERATOR,
    &shape::OPERATOR,
    &size::OPERATOR,
    &slice::OPERATOR,
    &softmax::OPERATOR,
    &space_to_depth::OPERATOR,
    &split::OPERATOR,
    &squeeze::OPERATOR,
    &tensor_scatter::OPERATOR,
    &tile::OPERATOR,
    &top_k::OPERATOR,
    &transpose::OPERATOR,
    &trilu::OPERATOR,
    &unique::OPERATOR,
    &unsqueeze::OPERATOR,
    &where_::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
