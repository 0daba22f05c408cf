//! Convolution over any number of spatial axes.

use super::prelude::*;
use crate::sliding::sliding_products;
use crate::window::{
    AUTO_PAD, remark_on_dilated_padding, require_fit, require_one_padding, require_spatial, windows,
};

pub static OPERATOR: Operator = Operator {
    name: "conv",
    summary: "Slides `weight` over the spatial axes of `input` and sums the products.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("weight", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input").optional(),
    ],
    parameters: &[
        ints("kernel").optional(),
        ints("stride").or(1),
        ints("padding").or(0),
        ints("dilation").or(1),
        int("groups").or(1),
        word("auto_pad", AUTO_PAD).or_word("NOTSET"),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        1,
        "Conv(input:nchw, weight, bias; kernel_shape as kernel, strides as stride, pads as padding, \
         dilations as dilation, group as groups, auto_pad)",
    )
    .adapted(as_onnx)],
    define,
    examples: &[
        "conv(f32[N,3,32,32], f32[16,3,5,5], f32[16]) -> f32[N,16,28,28]",
        "conv(f32[1,1,3]{1,2,3}, f32[1,1,2]{1,1}) -> f32[1,1,2]{3,5}",
        "conv(f32[1,4,H,W], f32[8,2,3,3], groups=2, stride=[2,2], padding=[1,1,1,1]) -> f32[1,8,(H - 1)//2 + 1,(W - 1)//2 + 1]",
        "conv(f32[1,1,7,7], f32[1,1,3,3], auto_pad=SAME_UPPER, stride=[2,2]) -> f32[1,1,4,4]",
        "conv(f32[1,1,5]{1,2,3,4,5}, f32[1,1,3]{1,1,1}, auto_pad=SAME_LOWER, stride=[2]) -> f32[1,1,3]{3,9,9}",
        "conv(f32[1,1,4]{1,2,3,4}, f32[1,1,2]{1,10}, padding=[1,0], stride=[2], dilation=[2]) -> f32[1,1,2]{20,42}",
        "conv(f32[N,3,D,H,W], f32[4,3,1,1,1]) -> f32[N,4,D,H,W]",
        "conv(f32[0,3,8,8], f32[0,3,3,3]) -> f32[0,0,6,6]",
        "conv(f32[1,3], f32[16,3,5]) fails: `input` has a batch, a channel and at least one spatial axis",
        "conv(f32[1,3,8,8], f32[16,3,5]) fails: `input` has as many axes as `weight`",
        "conv(f32[1,3,8,8], f32[16,4,5,5]) fails: `input` has `groups` times as many channels as a filter of `weight`",
        "conv(f32[1,4,8,8], f32[3,2,5,5], groups=2) fails: `groups` divides the number of filters",
        "conv(f32[1,0,8,8], f32[2,1,5,5], groups=0) fails: `groups` is positive",
        "conv(f32[1,3,8,8], f32[16,3,5,5], f32[3]) fails: `bias` has one value per filter",
        "conv(f32[1,3,8,8], f32[16,3,5,5], f32[16,1]) fails: `bias` is a vector",
        "conv(f32[1,3,4,4], f32[16,3,5,5]) fails: the kernel fits the padded input",
        "conv(f32[1,3,8,8], f32[16,3,5,5], kernel=[3,3]) fails: `kernel` is the spatial shape of `weight`",
        "conv(f32[1,3,8,8], f32[16,3,5,5], stride=[1,0]) fails: `stride` is positive",
        "conv(f32[1,3,8,8], f32[16,3,5,5], stride=[1,6]) fails: `stride` is at most what the kernel spans",
        "conv(f32[1,3,8,8], f32[16,3,5,5], stride=[1]) fails: `stride` has one value per spatial axis",
        "conv(f32[1,3,8,8], f32[16,3,5,5], dilation=[0,1]) fails: `dilation` is positive",
        "conv(f32[1,3,8,8], f32[16,3,5,5], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "conv(f32[1,3,8,8], f32[16,3,5,5], padding=[-1,0,0,0]) fails: `padding` is not negative",
        "conv(f32[1,3,8,8], f32[16,3,5,5], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "conv(f32[1,3,8,8], f32[16,3,5,5], padding=[1,1,1,1], auto_pad=VALID) fails: `padding` and `auto_pad` are not given together",
        "conv(f32[1,3,8,8], f32[16,3,0,1]) fails: the kernel is not empty",
        "conv(f32[1,3,8,8], f32[16,3,5,5], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "conv(i64[1,3,8,8], i64[16,3,5,5]) fails: `input` is floating point",
        "conv(f32[1,3,8,8], f64[16,3,5,5]) fails: `weight` has the element type of `input`",
    ],
};

fn as_onnx(call: &mut Call) -> Outcome {
    remark_on_dilated_padding(call)?;
    define(call)
}

fn define(call: &mut Call) -> Outcome {
    let (input, weight, bias) = (call.tensor("input")?, call.tensor("weight")?, call.optional("bias"));
    let products = convolution(call, input, weight)?;
    let Some(bias) = bias else { return one(products) };
    let [length] = call.dims("`bias` is a vector", bias)?;
    call.require_shape("`bias` has one value per filter", length.eq(weight.shape().size(Front(0))));
    one(Tensor::from_elements(input.dtype(), products.shape(), move |index| {
        products.at(index) + bias.at(&index[1..2])
    }))
}

/// The sums of products, before any bias, of two tensors of one type; reads the parameters of the call and
/// states that they fit.
pub fn convolution(call: &mut Call, input: Tensor, weight: Tensor) -> Result<Tensor, Stop> {
    let rank = match (input.shape().known_rank(), weight.shape().known_rank()) {
        (Some(rank), _) | (None, Some(rank)) => rank,
        (None, None) => {
            return Err(Stop::Unknown("neither the rank of `input` nor that of `weight` is known".into()));
        }
    };
    require_spatial(call, rank)?;
    let input_sizes = call.sizes("`input` has as many axes as `weight`", input, rank)?;
    let weight_sizes = call.sizes("`input` has as many axes as `weight`", weight, rank)?;
    let (batch, channels, spatial) = (input_sizes[0], input_sizes[1], input_sizes[2..].to_vec());
    let (filters, group_channels, kernel) = (weight_sizes[0], weight_sizes[1], weight_sizes[2..].to_vec());
    let groups = call.int("groups")?;

    if let Some(declared) = call.optional_ints("kernel")? {
        let agrees = Dim::from(declared.len()).eq(kernel.len());
        let agrees =
            agrees & Prop::all(declared.iter().zip(&kernel).map(|(declared, &size)| declared.eq(size)));
        call.require_shape("`kernel` is the spatial shape of `weight`", agrees);
    }
    call.demand(IllegalValue, "`groups` is positive", groups.ge(1))?;
    call.require_shape(
        "`input` has `groups` times as many channels as a filter of `weight`",
        channels.eq(groups * group_channels),
    );
    call.require_shape("`groups` divides the number of filters", groups.divides(filters));
    require_one_padding(call)?;
    let windows = windows(call, &kernel, &spatial)?;
    require_fit(call, &windows, &spatial);

    let counts = windows.iter().zip(&spatial).map(|(window, &size)| window.count(size));
    let shape = Shape::new([batch, filters].into_iter().chain(counts));
    let filters_per_group = filters.div_floor(groups);
    Ok(sliding_products(input, weight, shape, windows, group_channels, filters_per_group))
}
