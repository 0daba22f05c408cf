//! Lays the kernel, times each element, where the element stands, and adds up.

use super::prelude::*;
use crate::shared::convolution;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Conv2DTranspose",
        summary: "Lays the kernel, times each element, where the element stands, and adds up.",
        inputs: convolution::INPUTS,
        parameters: convolution::TRANSPOSED_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| convolution::transposed(call, 2),
        examples: &[
            "Conv2DTranspose(f32[N,8,8,3], f32[3,3,4,3], f32[4], filters=4, kernel_size=3) -> f32[N,10,10,4]",
            "Conv2DTranspose(f32[N,8,8,3], f32[3,3,4,3], f32[4], filters=4, kernel_size=3, strides=2, padding=same) -> f32[N,16,16,4]",
            "Conv2DTranspose(f32[2,8,8], filters=4, kernel_size=3) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "Conv2DTranspose(f32[2,8,8,3], filters=4, kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "Conv2DTranspose(f32[2,8,8,3], filters=4, kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "Conv2DTranspose(f32[2,8,8,3], filters=4, kernel_size=3, dilation_rate=0) fails: `dilation_rate` has one positive number per axis of space",
            "Conv2DTranspose(f32[2,8,8,3], f32[3,3,4,3], f32[4], filters=4, kernel_size=3, strides=2, dilation_rate=2) fails: `strides` or `dilation_rate` is 1",
            "Conv2DTranspose(f32[2,8,8,3], filters=4, kernel_size=3, padding=full) fails: `padding` is one of valid, same",
            "Conv2DTranspose(f32[2,8,8,3], filters=4, kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "Conv2DTranspose(f32[2,8,8,3], filters=4, kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "Conv2DTranspose(f32[2,8,8,3], filters=0, kernel_size=3) fails: `filters` is positive",
            "Conv2DTranspose(f32[2,0,8,3], filters=4, kernel_size=3) on torch fails: there is something to spread",
            "Conv2DTranspose(f32[2,8,8,0], filters=4, kernel_size=3) on torch fails: there is a channel",
            "Conv2DTranspose(f32[2,0,8,3], filters=4, kernel_size=3, padding=same, strides=2) -> f32[2,0,16,4]",
            "Conv2DTranspose(f32[2,8,8,3], f32[3,3,4,3], f32[4], filters=4, kernel_size=3, strides=2, output_padding=2) fails: `output_padding` has one number per axis of space, smaller than the stride",
            "Conv2DTranspose(f32[2,8,8,3], f32[2,2,4,3], f32[4], filters=4, kernel_size=2, strides=2, padding=same, output_padding=0) fails: a convolution of the output, in steps of `strides`, is as large as `inputs`",
            "Conv2DTranspose(f32[2,8,8,3], f32[2,2,4,3], f32[4], filters=4, kernel_size=2, strides=2, padding=same, output_padding=0) on torch -> f32[2,14,14,4]",
            "Conv2DTranspose(f32[2,8,1,3], f32[2,2,4,3], f32[4], filters=4, kernel_size=2, padding=same, output_padding=0) -> f32[2,7,0,4]",
            "Conv2DTranspose(f32[2,8,8,3], f32[3,4], f32[4], filters=4, kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "Conv2DTranspose(f32[2,8,8,3], f32[3,3,4,3], f32[5], filters=4, kernel_size=3) fails: a weight has the shape that the layer gives it",
        ],
    },
    takes: &["inputs"],
    weights: |call| convolution::transposed_weights(call, 2),
    mask: Mask::Drops,
};
