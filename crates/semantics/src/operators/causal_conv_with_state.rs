//! Depthwise convolution over time that carries its past from call to call.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "causal_conv_with_state",
    summary: "Convolves each channel with its own kernel over the present and the past; the last inputs are handed \
              on as the past of the next call.",
    inputs: &[
        tensor("input", SINGLE_OR_HALF),
        tensor("weight", SINGLE_OR_HALF).like("input"),
        tensor("bias", SINGLE_OR_HALF).like("input").optional(),
        tensor("past", SINGLE_OR_HALF).like("input").optional(),
    ],
    parameters: &[word("activation", &["none", "silu", "swish"]).or_word("none")],
    outputs: &["output", "present"],
    spellings: &[onnx(27, "CausalConvWithState(input, weight, bias, past; activation)")],
    define,
    examples: &[
        "causal_conv_with_state(f32[N,4,T], f32[4,1,K]) -> f32[N,4,T], f32[N,4,K - 1]",
        "causal_conv_with_state(f32[1,1,3]{1,2,3}, f32[1,1,2]{10,1}) -> f32[1,1,3]{1,12,23}, f32[1,1,1]{3}",
        "causal_conv_with_state(f32[1,1,1]{1}, f32[1,1,3]{100,10,1}, f32[1]{0.5}, f32[1,1,2]{2,3}) -> f32[1,1,1]{231.5}, f32[1,1,2]{3,1}",
        "causal_conv_with_state(f32[1,1,1]{0}, f32[1,1,1]{1}, activation=silu) -> f32[1,1,1]{0}, f32[1,1,0]",
        "causal_conv_with_state(f32[4,8], f32[4,1,3]) fails: `input` has a batch, a channel and a time axis",
        "causal_conv_with_state(f32[2,4,8], f32[4,3]) fails: `weight` has one kernel per channel",
        "causal_conv_with_state(f32[2,4,8], f32[3,1,3]) fails: `weight` has one kernel per channel",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,0]) fails: the kernel is not empty",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,3], f32[3]) fails: `bias` has one value per channel",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,3], f32[4,1]) fails: `bias` is a vector",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,3], _, f32[2,4,3]) fails: `past` is one shorter than the kernel",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,3], activation=relu) fails: `activation` is one of none, silu, swish",
        "causal_conv_with_state(f64[2,4,8], f64[4,1,3]) fails: `input` is float32 or half precision",
        "causal_conv_with_state(f32[2,4,8], f16[4,1,3]) fails: `weight` has the element type of `input`",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,3], f16[4]) fails: `bias` has the element type of `input`",
        "causal_conv_with_state(f32[2,4,8], f32[4,1,3], _, f16[2,4,2]) fails: `past` has the element type of `input`",
    ],
};

const SINGLE_OR_HALF: TypeSet =
    TypeSet { name: "float32 or half precision", kinds: &[Kind::F16, Kind::BF16, Kind::F32] };

fn define(call: &mut Call) -> Outcome {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let (bias, past) = (call.optional("bias"), call.optional("past"));
    let [batch, channels, length] = call.dims("`input` has a batch, a channel and a time axis", input)?;
    let kernel = weight.shape().size(Back(0));
    let one_each = weight.shape().same(Shape::new([channels, 1.into(), kernel]));
    call.demand(IncompatibleShape, "`weight` has one kernel per channel", one_each)?;
    call.require_shape("the kernel is not empty", kernel.ge(1));
    if let Some(bias) = bias {
        let [values] = call.dims("`bias` is a vector", bias)?;
        call.require_shape("`bias` has one value per channel", values.eq(channels));
    }
    let state = Shape::new([batch, channels, kernel - 1]);
    if let Some(past) = past {
        call.require_shape("`past` is one shorter than the kernel", past.shape().same(state));
    }
    let activated = call.text("activation")? != "none";

    // The past stands before the input; without one there are zeros.
    let seen = move |batch: Dim, channel: Dim, time: Dim| {
        let before = match past {
            Some(past) => past.at(&[batch, channel, time + kernel - 1]),
            None => Element::constant(input.kind(), 0.0),
        };
        Element::when(time.ge(0), input.at(&[batch, channel, time]), before)
    };
    let output = Tensor::from_elements(input.dtype(), Shape::new([batch, channels, length]), move |index| {
        let (batch, channel, time) = (index[0], index[1], index[2]);
        let sum = Element::fold(Fold::Sum, kernel, |tap| {
            seen(batch, channel, time + tap + 1 - kernel) * weight.at(&[channel, 0.into(), tap])
        });
        let sum = bias.map_or(sum, |bias| sum + bias.at(&[channel]));
        if activated { sum * sum.sigmoid() } else { sum }
    });
    let present = Tensor::from_elements(input.dtype(), state, move |index| {
        seen(index[0], index[1], length + index[2] + 1 - kernel)
    });
    Ok([output, present].into_iter().collect())
}
