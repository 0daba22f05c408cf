//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
pub mod and;
pub mod asin;
pub mod asinh;
pub mod atan;
pub mod atanh;
pub mod bernoulli;
pub mod bit_cast;
pub mod bit_shift;
pub mod bitwise_and;
pub mod bitwise_not;
pub mod bitwise_or;
pub mod bitwise_xor;
pub mod cast;
pub mod cast_like;
pub mod ceil;
pub mod celu;
pub mod clip;
pub mod concat;
pub mod conv;
pub mod cos;
pub mod cosh;
pub mod dequantize_linear;
pub mod div;
pub mod dropout;
pub mod dynamic_quantize_linear;
pub mod elu;
pub mod equal;
pub mod erf;
pub mod exp;
pub mod floor;
pub mod gather;
pub mod gelu;
pub mod greater;
pub mod greater_or_equal;
pub mod hard_sigmoid;
pub mod hard_swish;
pub mod hardmax;
pub mod identity;
pub mod is_inf;
pub mod is_nan;
pub mod leaky_relu;
pub mod less;
pub mod less_or_equal;
pub mod log;
pub mod log_softmax;
pub mod matmul;
pub mod max;
pub mod mean;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod multinomial;
pub mod neg;
pub mod not;
pub mod or;
pub mod pow;
pub mod prelu;
pub mod quantize_linear;
pub mod random_normal;
pub mod random_normal_like;
pub mod random_uniform;
pub mod random_uniform_like;
pub mod reciprocal;
pub mod reduce_sum;
pub mod relu;
pub mod reshape;
pub mod round;
pub mod selu;
pub mod shape;
pub mod shrink;
pub mod sigmoid;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod slice;
pub mod softmax;
pub mod softplus;
pub mod softsign;
pub mod sqrt;
pub mod sub;
pub mod sum;
pub mod swiglu;
pub mod swish;
pub mod tan;
pub mod tanh;
pub mod thresholded_relu;
pub mod transpose;
pub mod where_;
pub mod xor;

use crate::operator::Operator;

/// All operators by name.
#[rustfmt::skip]
pub static ALL: &[&Operator] = &[
    &abs::OPERATOR,
    &acos::OPERATOR,
    &acosh::OPERATOR,
    &add::OPERATOR,
    &and::OPERATOR,
    &asin::OPERATOR,
    &asinh::OPERATOR,
    &atan::OPERATOR,
    &atanh::OPERATOR,
    &bernoulli::OPERATOR,
    &bit_cast::OPERATOR,
    &bit_shift::OPERATOR,
    &bitwise_and::OPERATOR,
    &bitwise_not::OPERATOR,
    &bitwise_or::OPERATOR,
    &bitwise_xor::OPERATOR,
    &cast::OPERATOR,
    &cast_like::OPERATOR,
    &ceil::OPERATOR,
    &celu::OPERATOR,
    &clip::OPERATOR,
    &concat::OPERATOR,
    &conv::OPERATOR,
    &cos::OPERATOR,
    &cosh::OPERATOR,
    &dequantize_linear::OPERATOR,
    &div::OPERATOR,
    &dropout::OPERATOR,
    &dynamic_quantize_linear::OPERATOR,
    &elu::OPERATOR,
    &equal::OPERATOR,
    &erf::OPERATOR,
    &exp::OPERATOR,
    &floor::OPERATOR,
    &gather::OPERATOR,
    &gelu::OPERATOR,
    &greater::OPERATOR,
    &greater_or_equal::OPERATOR,
    &hard_sigmoid::OPERATOR,
    &hard_swish::OPERATOR,
    &hardmax::OPERATOR,
    &identity::OPERATOR,
    &is_inf::OPERATOR,
    &is_nan::OPERATOR,
    &leaky_relu::OPERATOR,
    &less::OPERATOR,
    &less_or_equal::OPERATOR,
    &log::OPERATOR,
    &log_softmax::OPERATOR,
    &matmul::OPERATOR,
    &max::OPERATOR,
    &mean::OPERATOR,
    &min::OPERATOR,
    &mish::OPERATOR,
    &mod_::OPERATOR,
    &mul::OPERATOR,
    &multinomial::OPERATOR,
    &neg::OPERATOR,
    &not::OPERATOR,
    &or::OPERATOR,
    &pow::OPERATOR,
    &prelu::OPERATOR,
    &quantize_linear::OPERATOR,
    &random_normal::OPERATOR,
    &random_normal_like::OPERATOR,
    &random_uniform::OPERATOR,
    &random_uniform_like::OPERATOR,
    &reciprocal::OPERATOR,
    &reduce_sum::OPERATOR,
    &relu::OPERATOR,
    &reshape::OPERATOR,
    &round::OPERATOR,
    &selu::OPERATOR,
    &shape::OPERATOR,
    &shrink::OPERATOR,
    &sigmoid::OPERATOR,
    &sign::OPERATOR,
    &sin::OPERATOR,
    &sinh::OPERATOR,
    &slice::OPERATOR,
    &softmax::OPERATOR,
    &softplus::OPERATOR,
    &softsign::OPERATOR,
    &sqrt::OPERATOR,
    &sub::OPERATOR,
    &sum::OPERATOR,
    &swiglu::OPERATOR,
    &swish::OPERATOR,
    &tan::OPERATOR,
    &tanh::OPERATOR,
    &thresholded_relu::OPERATOR,
    &transpose::OPERATOR,
    &where_::OPERATOR,
    &xor::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
