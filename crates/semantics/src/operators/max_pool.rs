//! The largest element of each window.

use super::prelude::*;
use crate::pooling::*;

pub static OPERATOR: Operator = Operator {
    name: "max_pool",
    summary: "The largest element of each window of each channel, and on request where it was found.",
    inputs: &[tensor("input", POOLED)],
    parameters: &[
        KERNEL,
        STRIDE,
        PADDING,
        DILATION,
        CEIL_MODE,
        CHOSEN_PADDING,
        flag("column_major").or_flag(false),
    ],
    outputs: &["output", "indices?"],
    spellings: &[
        onnx(1, "MaxPool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad)")
            .adapted(as_onnx),
        onnx(
            8,
            "MaxPool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, \
             storage_order:strict as column_major)",
        )
        .adapted(as_onnx),
        onnx(
            10,
            "MaxPool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, \
             storage_order:strict as column_major, dilations as dilation, ceil_mode:one)",
        )
        .adapted(as_onnx),
    ],
    define: |call| define(call, TooLong::Refused),
    examples: &[
        "max_pool(f32[N,3,32,32], kernel=[2,2], stride=[2,2]) -> f32[N,3,16,16], i64[N,3,16,16]",
        "max_pool(f32[1,1,2,2]{1,2,3,4}, kernel=[2,2]) -> f32[1,1,1,1]{4}, i64[1,1,1,1]{3}",
        "max_pool(f32[1,2,4]{4,1,2,3,5,5,6,6}, kernel=[2], stride=[2]) -> f32[1,2,2]{4,3,5,6}, i64[1,2,2]{0,3,4,6}",
        "max_pool(f32[1,1,3,2]{1,2,3,4,5,6}, kernel=[2,2], column_major=true) -> f32[1,1,2,1]{4,6}, i64[1,1,2,1]{4,5}",
        "max_pool(i8[1,1,3]{-5,-7,-9}, kernel=[2], padding=[1,1]) -> i8[1,1,4]{-5,-5,-7,-9}, i64[1,1,4]{0,0,1,2}",
        "max_pool(u8[1,1,4]{1,2,3,4}, kernel=[3], stride=[2], ceil_mode=true) -> u8[1,1,2]{3,4}",
        "max_pool(f32[1,1,4,4], kernel=[2,2], dilation=[2,2]) -> f32[1,1,2,2]",
        "max_pool(f32[1,1,3,3], kernel=[2,2], stride=[2,2], ceil_mode=true) -> f32[1,1,2,2]",
        "max_pool(f32[1,1,H,W], kernel=[3,3], auto_pad=SAME_UPPER) -> f32[1,1,H,W]",
        "max_pool(f32[0,3,8], kernel=[2]) -> f32[0,3,7]",
        "max_pool(f32[1,3], kernel=[2]) fails: `input` has a batch, a channel and at least one spatial axis",
        "max_pool(f32[1,3,8,8], kernel=[2]) fails: `kernel` has one value per spatial axis",
        "max_pool(f32[1,0,8,8], kernel=[2,2]) fails: no axis of `input` but the batch is empty",
        "max_pool(f32[1,3,4,4], kernel=[5,5]) fails: the kernel fits the padded input",
        "max_pool(f32[1,3,8,8], kernel=[2,2], padding=[0,0,2,0]) fails: `padding` is smaller than the kernel",
        "max_pool(f32[1,3,8,8], kernel=[0,2]) fails: the kernel is not empty",
        "max_pool(f32[1,3,8,8]) fails: `kernel` is given",
        "max_pool(f32[1,3,8,8], kernel=[2,2], stride=[0,1]) fails: `stride` is positive",
        "max_pool(f32[1,3,8,8], kernel=[2,2], stride=[3,1]) fails: `stride` is at most what the kernel spans",
        "max_pool(f32[1,3,8,8], kernel=[2,2], stride=[1]) fails: `stride` has one value per spatial axis",
        "max_pool(f32[1,3,8,8], kernel=[2,2], dilation=[1,0]) fails: `dilation` is positive",
        "max_pool(f32[1,3,8,8], kernel=[2,2], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "max_pool(f32[1,3,8,8], kernel=[2,2], padding=[0,-1,0,0]) fails: `padding` is not negative",
        "max_pool(f32[1,3,8,8], kernel=[2,2], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "max_pool(f32[1,3,8,8], kernel=[2,2], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "max_pool(f32[1,3,8,8], kernel=[2,2], padding=[1,0,0,0], auto_pad=VALID) fails: `padding` is zero where `auto_pad` chooses it",
        "max_pool(i32[1,3,8,8], kernel=[2,2]) fails: `input` is floating point, int8 or uint8",
    ],
};

const POOLED: TypeSet = TypeSet {
    name: "floating point, int8 or uint8",
    kinds: &[Kind::F16, Kind::BF16, Kind::F32, Kind::F64, Kind::I8, Kind::U8],
};

fn as_onnx(call: &mut Call) -> Outcome {
    define(call, TooLong::Rounded)
}

fn define(call: &mut Call, too_long: TooLong) -> Outcome {
    let pooling = pooling(call, too_long)?;
    let column_major = call.flag("column_major")?;
    let (input, shape) = (pooling.input, pooling.shape);
    let windows = pooling.clone();
    let largest = Tensor::from_elements(input.dtype(), shape, move |index| {
        windows.fold(Fold::Max, index, |source| input.at_or(source, lowest(input.kind())))
    });
    let indices = Tensor::from_elements(Kind::I64, shape, move |index| {
        first_position(&pooling, largest, index, column_major)
    });
    Ok([largest, indices].into_iter().collect())
}

/// What padding counts as: it is never chosen where the window holds an element.
fn lowest(kind: Kind) -> Element {
    match kind.int_range() {
        Some((low, _)) => Element::int(kind, low as i64),
        None => Element::constant(kind, f64::NEG_INFINITY),
    }
}

/// The place of the window's first largest element (row by row) among all elements of the input.
/// It is counted row by row or, within a channel, column by column.
fn first_position(pooling: &Pooling, largest: Tensor, index: &[Dim], column_major: bool) -> Element {
    let input = pooling.input;
    let found = largest.at(index);
    let nowhere = Element::int(Kind::I64, i64::MAX);
    let in_channel = pooling.fold(Fold::Min, index, |source| {
        let inside = Prop::all(source[2..].iter().zip(&pooling.spatial).map(|(i, &size)| i.within(0, size)));
        let x = input.at(source);
        let chosen = if x.kind().is_float() { x.eq(found).or(x.is_nan()) } else { x.eq(found) };
        let place = Element::index(Kind::I64, flatten(&source[2..], &pooling.spatial));
        Element::when(inside, chosen.select(place, nowhere), nowhere)
    });
    // Dilated taps may all miss a short input.
    let in_channel = in_channel.eq(nowhere).select(Element::int(Kind::I64, -1), in_channel);
    let place = if column_major {
        let backwards = |list: &[Dim]| list.iter().rev().copied().collect::<Vec<Dim>>();
        let position = unflatten(in_channel.as_index(), &pooling.spatial);
        Element::index(Kind::I64, flatten(&backwards(&position), &backwards(&pooling.spatial)))
    } else {
        in_channel
    };
    let channels = input.shape().size(Front(1));
    let before = (index[0] * channels + index[1]) * Dim::product(pooling.spatial.iter().copied());
    Element::index(Kind::I64, before) + place
}
