//! The largest element of each window of images whose channels may lie last.

use super::prelude::*;
use crate::laid_out::*;

pub static OPERATOR: Operator = Operator {
    name: "windowed_max",
    summary: "The largest element of each window of each channel of an image laid out as `data_format` says.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[KERNEL_SIZE, STRIDES, CHOSEN, EXPLICIT, DATA_FORMAT],
    outputs: &["output"],
    spellings: &[
        tensorflow("MaxPool(input; ksize as kernel_size, strides, padding, explicit_paddings, data_format)"),
        tensorflow("MaxPool3D(input; ksize as kernel_size, strides, padding, data_format=NDHWC)"),
    ],
    define,
    examples: &[
        "windowed_max(f32[N,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=VALID) -> f32[N,4,4,3]",
        "windowed_max(f32[N,3,7,7], kernel_size=[1,1,3,3], strides=[1,1,2,2], padding=SAME, data_format=NCHW) -> f32[N,3,4,4]",
        "windowed_max(f32[1,2,2,1]{1,2,3,4}, kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=VALID) -> f32[1,1,1,1]{4}",
        "windowed_max(f32[8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `input` has the axes of `data_format`",
        "windowed_max(f32[1,2,2,3], kernel_size=[1,4,4,1], strides=[1,1,1,1], padding=VALID) fails: the kernel fits the padded input",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2], strides=[1,2,2,1], padding=SAME) fails: `kernel_size` has one value per axis",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,0,2,1], strides=[1,2,2,1], padding=VALID) fails: the kernel is not empty",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2], padding=SAME) fails: `strides` has one value per axis",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,0,2,1], padding=SAME) fails: `strides` are positive",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=EXPLICIT) fails: `explicit_paddings` has two values per axis",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=HALF) fails: `padding` is one of SAME, VALID, EXPLICIT",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME, data_format=CHWN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "windowed_max(f32[1,8,8,3], strides=[1,2,2,1], padding=SAME) fails: `kernel_size` is given",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], padding=SAME) fails: `strides` is given",
        "windowed_max(f32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1]) fails: `padding` is given",
        "windowed_max(i32[1,8,8,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let laid = Laid::of(call)?;
    call.promise(input.dtype(), Promised::Rank(laid.rank));
    let own = call.sizes("`input` has the axes of `data_format`", input, laid.rank)?;
    let input = laid.channels_first(input.with_shape(Shape::new(own)));
    let sizes = call.known_sizes(input)?;
    let kernel = laid.kernel(call)?;
    let windows = laid.windows(call, &kernel, &sizes[2..], false)?;
    let counts = counts(call, &windows, &sizes[2..]);
    let shape = Shape::new(sizes[..2].iter().copied().chain(counts));
    let largest = Tensor::from_elements(input.dtype(), shape, move |index| {
        Element::fold_over(Fold::Max, &kernel, &|taps| {
            let mut source = index[..2].to_vec();
            source
                .extend(windows.iter().zip(&index[2..]).zip(taps).map(|((w, &at), &tap)| w.source(at, tap)));
            input.at_or(&source, Element::constant(input.kind(), f64::NEG_INFINITY))
        })
    });
    one(laid.restored(largest))
}
