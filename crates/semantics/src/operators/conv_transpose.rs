//! Transposed convolution: each input element spreads a copy of the kernel over the output.

use super::prelude::*;
use crate::sliding::{Spread, spread_products};
use crate::window::{AUTO_PAD, require_one_padding, require_spatial};

pub static OPERATOR: Operator = Operator {
    name: "conv_transpose",
    summary: "Spreads `weight`, scaled by each element of `input`, over the output and sums what overlaps: \
              the gradient of a convolution.",
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
        ints("output_padding").or(0),
        ints("output_shape").optional(),
        int("groups").or(1),
        word("auto_pad", AUTO_PAD).or_word("NOTSET"),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        1,
        "ConvTranspose(input:nchw, weight, bias; kernel_shape as kernel, strides as stride, pads as padding, \
         dilations as dilation, output_padding, output_shape, group as groups, auto_pad)",
    )
    .adapted(as_onnx)],
    define,
    examples: &[
        "conv_transpose(f32[N,8,7,7], f32[8,4,3,3], f32[4], stride=[2,2]) -> f32[N,4,15,15]",
        "conv_transpose(f32[1,1,2]{1,2}, f32[1,1,3]{1,10,100}) -> f32[1,1,4]{1,12,120,200}",
        "conv_transpose(f32[1,1,2]{1,2}, f32[1,1,2]{1,10}, stride=[2], output_padding=[1]) -> f32[1,1,5]{1,10,2,20,0}",
        "conv_transpose(f32[1,1,2]{1,2}, f32[1,1,2]{1,10}, dilation=[2], padding=[1,0]) -> f32[1,1,3]{2,10,20}",
        "conv_transpose(f32[1,1,4]{1,2,3,4}, f32[1,1,3]{1,1,1}, output_shape=[5]) -> f32[1,1,5]{3,6,9,7,4}",
        "conv_transpose(f32[1,1,4]{1,2,3,4}, f32[1,1,3]{1,1,1}, output_shape=[5], auto_pad=SAME_UPPER) -> f32[1,1,5]{1,3,6,9,7}",
        "conv_transpose(f32[1,1,4]{1,2,3,4}, f32[1,1,4]{1,1,1,1}, auto_pad=SAME_LOWER) -> f32[1,1,4]{6,10,9,7}",
        "conv_transpose(f32[1,2,1]{1,2}, f32[2,1,1]{3,5}, f32[2]{100,0}, groups=2) -> f32[1,2,1]{103,10}",
        "conv_transpose(f32[1,1,H,W], f32[1,1,2,2], stride=[2,2]) -> f32[1,1,2*H,2*W]",
        "conv_transpose(f32[1,2,3,3], f32[2,1,3,3], stride=[2,2], auto_pad=SAME_UPPER) -> f32[1,1,6,6]",
        "conv_transpose(f32[1,2,H], f32[2,1,1], stride=[2], auto_pad=SAME_UPPER) -> f32[1,1,2*H - 1]",
        "conv_transpose(f32[0,2,5], f32[2,3,3]) -> f32[0,3,7]",
        "conv_transpose(f32[1,2,0], f32[2,3,3]) -> f32[1,3,2]",
        "conv_transpose(f32[1,3], f32[3,4,5]) fails: `input` has a batch, a channel and at least one spatial axis",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5]) fails: `input` has as many axes as `weight`",
        "conv_transpose(f32[1,3,8,8], f32[4,4,5,5]) fails: `weight` has one matrix of filters per input channel",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], groups=2) fails: `groups` divides the number of channels",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], groups=0) fails: `groups` is positive",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], f32[3]) fails: `bias` has one value per filter",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], f32[4,1]) fails: `bias` is a vector",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], kernel=[3,3]) fails: `kernel` is the spatial shape of `weight`",
        "conv_transpose(f32[1,3,8,8], f32[3,4,0,5]) fails: the kernel is not empty",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], stride=[1,0]) fails: `stride` is positive",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], stride=[1]) fails: `stride` has one value per spatial axis",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], dilation=[0,1]) fails: `dilation` is positive",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], padding=[-1,0,0,0]) fails: `padding` is not negative",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "conv_transpose(f32[1,3,4], f32[3,4,3], padding=[3,3]) fails: the output is not empty",
        "conv_transpose(f32[1,3,4], f32[3,4,3], output_padding=[1]) fails: `output_padding` is smaller than the stride or the dilation",
        "conv_transpose(f32[1,3,4], f32[3,4,3], output_padding=[-1], stride=[2]) fails: `output_padding` is not negative",
        "conv_transpose(f32[1,3,4], f32[3,4,3], output_padding=[1,1], stride=[2]) fails: `output_padding` has one value per spatial axis",
        "conv_transpose(f32[1,3,4], f32[3,4,3], output_shape=[0]) fails: the output is not empty",
        "conv_transpose(f32[1,3,4], f32[3,4,3], output_shape=[7]) fails: `output_shape` is less than a stride beyond what the kernels reach",
        "conv_transpose(f32[1,3,4], f32[3,4,3], output_shape=[5,5]) fails: `output_shape` has one value per spatial axis",
        "conv_transpose(f32[1,3,4], f32[3,4,3], padding=[1,1], auto_pad=VALID) fails: `padding` and `auto_pad` are not given together",
        "conv_transpose(f32[1,3,4], f32[3,4,3], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "conv_transpose(i64[1,3,8,8], i64[3,4,5,5]) fails: `input` is floating point",
        "conv_transpose(f32[1,3,8,8], f64[3,4,5,5]) fails: `weight` has the element type of `input`",
        "conv_transpose(f32[1,3,8,8], f32[3,4,5,5], f64[4]) fails: `bias` has the element type of `input`",
    ],
};

/// ONNX runtimes take no further output than a convolution of the same kind maps back to the input.
fn as_onnx(call: &mut Call) -> Outcome {
    if let (Some(extra), stride) = (call.optional_ints("output_padding")?, call.optional_ints("stride")?) {
        let stride = |k: usize| stride.as_ref().and_then(|stride| stride.get(k).copied()).unwrap_or(1.into());
        let small = Prop::all(extra.iter().enumerate().map(|(k, extra)| extra.lt(stride(k))));
        call.require_value("`output_padding` is smaller than the stride", small);
    }
    define(call)
}

fn define(call: &mut Call) -> Outcome {
    let (input, weight, bias) = (call.tensor("input")?, call.tensor("weight")?, call.optional("bias"));
    let rank = match (input.shape().known_rank(), weight.shape().known_rank()) {
        (Some(rank), _) | (None, Some(rank)) => rank,
        (None, None) => {
            return Err(Stop::Unknown("neither the rank of `input` nor that of `weight` is known".into()));
        }
    };
    require_spatial(call, rank)?;
    let input_sizes = call.sizes("`input` has as many axes as `weight`", input, rank)?;
    let weight_sizes = call.sizes("`input` has as many axes as `weight`", weight, rank)?;
    let (batch, channels, spatial) = (input_sizes[0], input_sizes[1], &input_sizes[2..]);
    let (group_filters, kernel) = (weight_sizes[1], &weight_sizes[2..]);
    let groups = call.int("groups")?;

    if let Some(declared) = call.optional_ints("kernel")? {
        let agrees = Dim::from(declared.len()).eq(kernel.len());
        let agrees =
            agrees & Prop::all(declared.iter().zip(kernel).map(|(declared, &size)| declared.eq(size)));
        call.require_shape("`kernel` is the spatial shape of `weight`", agrees);
    }
    call.demand(IllegalValue, "`groups` is positive", groups.ge(1))?;
    call.require_shape("`weight` has one matrix of filters per input channel", weight_sizes[0].eq(channels));
    call.require_shape("`groups` divides the number of channels", groups.divides(channels));
    let filters = groups * group_filters;
    if let Some(bias) = bias {
        let [length] = call.dims("`bias` is a vector", bias)?;
        call.require_shape("`bias` has one value per filter", length.eq(filters));
    }
    let spreads = spreads(call, kernel, spatial)?;
    let positive = Prop::all(spreads.iter().map(|spread| spread.size.ge(1)));
    call.require_legal("the output is not empty", positive);

    let shape = Shape::new([batch, filters].into_iter().chain(spreads.iter().map(|spread| spread.size)));
    let sums = spread_products(input, weight, shape, spreads, channels.div_floor(groups), group_filters);
    one(match bias {
        Some(bias) => {
            Tensor::from_elements(input.dtype(), shape, move |index| sums.at(index) + bias.at(&index[1..2]))
        }
        None => sums,
    })
}

/// Reads how the kernels are laid, and states what must hold.
fn spreads(call: &mut Call, kernel: &[Dim], sizes: &[Dim]) -> Result<Vec<Spread>, Stop> {
    let axes = kernel.len();
    let stride = call.per_axis("stride", "`stride` has one value per spatial axis", axes)?;
    let dilation = call.per_axis("dilation", "`dilation` has one value per spatial axis", axes)?;
    let padding = call.per_axis("padding", "`padding` has two values per spatial axis", 2 * axes)?;
    let extra = call.per_axis("output_padding", "`output_padding` has one value per spatial axis", axes)?;
    let output_shape = call.optional_ints("output_shape")?;
    let auto_pad = call.text("auto_pad")?;
    require_one_padding(call)?;
    let all = |list: &[Dim], low: i64| Prop::all(list.iter().map(|value| value.ge(low)));
    call.demand(IllegalValue, "`stride` is positive", all(&stride, 1))?;
    call.require_value("`dilation` is positive", all(&dilation, 1));
    call.require_value("`padding` is not negative", all(&padding, 0));
    call.require_value("`output_padding` is not negative", all(&extra, 0));
    call.require_value("the kernel is not empty", all(kernel, 1));
    let small = Prop::all((0..axes).map(|k| extra[k].lt(stride[k].max(dilation[k]))));
    call.require_value("`output_padding` is smaller than the stride or the dilation", small);
    if let Some(wanted) = &output_shape {
        let label = "`output_shape` has one value per spatial axis";
        call.insist(IllegalValue, label, wanted.len() == axes)?;
    }

    let mut spreads = Vec::with_capacity(axes);
    for k in 0..axes {
        let reached = stride[k] * (sizes[k] - 1) + dilation[k] * (kernel[k] - 1) + 1;
        let wanted = match &output_shape {
            Some(wanted) => {
                let label = "`output_shape` is less than a stride beyond what the kernels reach";
                call.require_value(label, wanted[k].lt(reached + stride[k]));
                Some(wanted[k])
            }
            // A kernel shorter than the stride does not reach that far, and nothing is added.
            None if auto_pad.starts_with("SAME") => Some((sizes[k] * stride[k]).min(reached + extra[k])),
            None => None,
        };
        let (before, size) = match wanted {
            // What is too much is cut off evenly, the odd one at the end with SAME_UPPER, else at the front.
            Some(wanted) => {
                let surplus = (reached + extra[k] - wanted).max(0);
                let half = surplus.div_floor(2);
                (if auto_pad == "SAME_UPPER" { half } else { surplus - half }, wanted)
            }
            None => (padding[k], reached + extra[k] - padding[k] - padding[axes + k]),
        };
        spreads.push(Spread { kernel: kernel[k], stride: stride[k], dilation: dilation[k], before, size });
    }
    Ok(spreads)
}
