//! The gradient of the largest element of each window.

use super::prelude::*;
use crate::laid_out::*;
use crate::window::Window;

pub static OPERATOR: Operator = Operator {
    name: "windowed_max_gradient",
    summary: "Hands the gradient of each window to its first largest element.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("outputs", FLOAT).like("input"),
        tensor("gradients", FLOAT).like("input"),
    ],
    parameters: &[KERNEL_SIZE, STRIDES, CHOSEN, EXPLICIT, DATA_FORMAT],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "MaxPoolGrad(input, outputs, gradients; ksize as kernel_size, strides, padding, explicit_paddings, data_format)",
        ),
        tensorflow(
            "MaxPool3DGrad(input, outputs, gradients; ksize as kernel_size, strides, padding, data_format=NDHWC)",
        ),
    ],
    define,
    examples: &[
        "windowed_max_gradient(f32[N,8,8,3], f32[N,4,4,3], f32[N,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=VALID) -> f32[N,8,8,3]",
        "windowed_max_gradient(f32[1,2,2,1]{1,4,3,4}, f32[1,1,1,1]{4}, f32[1,1,1,1]{9}, kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=VALID) -> f32[1,2,2,1]{0,9,0,0}",
        "windowed_max_gradient(f32[8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `input` has the axes of `data_format`",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,5,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `gradients` has the shape of the pooling's output",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2], strides=[1,2,2,1], padding=SAME) fails: `kernel_size` has one value per axis",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,5,4,3], f32[1,5,4,3], kernel_size=[1,0,2,1], strides=[1,2,2,1], padding=VALID) fails: the kernel is not empty",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2], padding=SAME) fails: `strides` has one value per axis",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,0,2,1], padding=SAME) fails: `strides` are positive",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=EXPLICIT) fails: `explicit_paddings` has two values per axis",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=HALF) fails: `padding` is one of SAME, VALID, EXPLICIT",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME, data_format=CHWN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], strides=[1,2,2,1], padding=SAME) fails: `kernel_size` is given",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], padding=SAME) fails: `strides` is given",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1]) fails: `padding` is given",
        "windowed_max_gradient(i32[1,8,8,3], i32[1,4,4,3], i32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `input` is floating point",
        "windowed_max_gradient(f32[1,8,8,3], f64[1,4,4,3], f32[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `outputs` has the element type of `input`",
        "windowed_max_gradient(f32[1,8,8,3], f32[1,4,4,3], f64[1,4,4,3], kernel_size=[1,2,2,1], strides=[1,2,2,1], padding=SAME) fails: `gradients` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, gradients) = (call.tensor("input")?, call.tensor("gradients")?);
    let laid = Laid::of(call)?;
    let (dtype, whole) = (input.dtype(), input.shape());
    call.promise(dtype, Promised::Shape(whole));
    let own = call.sizes("`input` has the axes of `data_format`", input, laid.rank)?;
    let input = laid.channels_first(input.with_shape(Shape::new(own)));
    let sizes = call.known_sizes(input)?;
    let kernel = laid.kernel(call)?;
    let windows = laid.windows(call, &kernel, &sizes[2..], false)?;
    let counts = windows.iter().zip(&sizes[2..]).map(|(window, &size)| window.count(size));
    let counts: Vec<Dim> = counts.collect();
    let pooled = laid.shape(sizes[0], sizes[1], &counts);
    call.require_shape("`gradients` has the shape of the pooling's output", gradients.shape().same(pooled));
    let gradients = laid.channels_first(gradients.with_shape(pooled));
    let outputs = [(dtype, input.shape())];
    // Where windows begin and how far they reach, as numbers that an algorithm can read.
    let geometry = |pick: fn(&Window) -> Dim| windows.iter().map(pick).collect::<Vec<Dim>>();
    let numbers = [geometry(|w| w.kernel), geometry(|w| w.stride), geometry(|w| w.before)].concat();
    let numbers = Tensor::of_dims(Kind::I64, numbers);
    let spread = Tensor::opaque(&[input, gradients, numbers], outputs, |arrays| {
        let (Some(x), Some(g), Some(n)) = (arrays[0].as_floats(), arrays[1].as_floats(), arrays[2].as_ints())
        else {
            return Err("only floats are pooled".into());
        };
        let result = handed_back(x, &arrays[0].shape, g, &arrays[1].shape, n);
        Ok(vec![Array::floats(arrays[0].kind, &arrays[0].shape, result).into()])
    });
    one(laid.restored(spread[0]))
}

/// Adds the gradient of every window to its first largest element, row by row.
fn handed_back(x: &[f64], shape: &[usize], gradients: &[f64], pooled: &[usize], numbers: &[i64]) -> Vec<f64> {
    let axes = shape.len() - 2;
    let mut result = vec![0.0; x.len()];
    let strides = crate::array::strides(shape);
    for (number, gradient) in gradients.iter().enumerate() {
        let mut rest = number;
        let mut place = vec![0; pooled.len()];
        for axis in (0..pooled.len()).rev() {
            place[axis] = rest % pooled[axis];
            rest /= pooled[axis];
        }
        let base = place[0] * strides[0] + place[1] * strides[1];
        let taps: usize = numbers[..axes].iter().map(|&kernel| kernel.max(0) as usize).product();
        let mut best: Option<usize> = None;
        for tap in 0..taps {
            let (mut rest, mut at, mut inside) = (tap, base, true);
            for axis in (0..axes).rev() {
                let kernel = numbers[axis].max(1) as usize;
                let offset = (rest % kernel) as i64 - numbers[2 * axes + axis];
                rest /= kernel;
                let position = place[axis + 2] as i64 * numbers[axes + axis] + offset;
                inside &= position >= 0 && position < shape[axis + 2] as i64;
                at += position.max(0) as usize * strides[axis + 2];
            }
            if inside && best.is_none_or(|best| x[at] > x[best]) {
                best = Some(at);
            }
        }
        if let Some(best) = best {
            result[best] += gradient;
        }
    }
    result
}
