//! Local response normalization.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "lrn",
    summary: "Divides each element by a power of the mean square of its neighbours across channels.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[
        int("size"),
        float("alpha").or_float(1e-4),
        float("beta").or_float(0.75),
        float("bias").or_float(1.0),
    ],
    outputs: &["output"],
    spellings: &[onnx(1, "LRN(input:nchw; size, alpha, beta, bias)").adapted(as_onnx)],
    define: |call| define(call, neighbours),
    examples: &[
        "lrn(f32[N,96,H,W], size=5) -> f32[N,96,H,W]",
        "lrn(f32[1,3,1,1]{1,2,3}, size=3, alpha=3, beta=1, bias=0) -> f32[1,3,1,1]{0.2,0.14285715,0.23076923}",
        "lrn(f32[1,3,1]{1,2,3}, size=2, alpha=2, beta=1, bias=0) -> f32[1,3,1]{0.2,0.15384616,0.33333334}",
        "lrn(f32[...], size=3) -> f32[...]",
        "lrn(f32[3], size=3) fails: `input` has a batch and a channel axis",
        "lrn(f32[1,3,8,8], size=0) fails: `size` is positive",
        "lrn(f32[1,3,8,8]) fails: `size` is given",
        "lrn(i32[1,3,8,8], size=3) fails: `input` is floating point",
    ],
};

/// The sum of the squares of the channels around one: of the input, at an index, of so many from so many before it.
type Squares = fn(Tensor, &[Dim], Dim, Dim) -> Element;

fn define(call: &mut Call, sum: Squares) -> Outcome {
    let input = call.tensor("input")?;
    let rank = input.shape().rank();
    call.demand(IncompatibleShape, "`input` has a batch and a channel axis", rank.ge(2))?;
    let size = call.int("size")?;
    call.demand(IllegalValue, "`size` is positive", size.ge(1))?;
    let (alpha, beta, bias) = (call.float("alpha")?, call.float("beta")?, call.float("bias")?);

    // Of an even number of channels the odd one lies behind.
    let before = (size - 1).div_floor(2);
    let squares =
        Tensor::from_elements(input.dtype(), input.shape(), move |index| sum(input, index, size, before));
    one(zip(input, squares, input.dtype(), input.shape(), move |x, squares| {
        let share = Element::constant(x.kind(), alpha) / Element::index(x.kind(), size);
        x / (share * squares + bias).pow(beta)
    }))
}

fn neighbours(input: Tensor, index: &[Dim], size: Dim, before: Dim) -> Element {
    Element::fold(Fold::Sum, size, |k| {
        let mut neighbour = index.to_vec();
        neighbour[1] = index[1] + k - before;
        let x = input.padded_at(&neighbour);
        x * x
    })
}

/// From one channel to the next ONNX Runtime adds the square that comes and takes off the one that goes, so what
/// rounding did to earlier channels stays: the sum of all up to here less that of all before the window.
fn sliding(input: Tensor, index: &[Dim], size: Dim, before: Dim) -> Element {
    let up_to = |last: Dim| {
        Element::fold(Fold::Sum, input.shape().size(Front(1)), |k| {
            let mut channel = index.to_vec();
            channel[1] = k;
            let x = input.at(&channel);
            Element::when(k.le(last), x * x, Element::constant(x.kind(), 0.0))
        })
    };
    let first = index[1] - before;
    up_to(first + size - 1) - up_to(first - 1)
}

/// ONNX runtimes take images and a window with a middle only.
fn as_onnx(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.require_shape("`input` has a batch, a channel and two spatial axes", input.shape().rank().eq(4));
    let size = call.int("size")?;
    call.require_value("`size` is odd", !Dim::from(2).divides(size));
    let positive = call.float("alpha")? > 0.0 && call.float("beta")? > 0.0;
    call.require(UnsupportedValue, "for ONNX Runtime, `alpha` and `beta` are positive", positive.into());
    define(call, sliding)
}
