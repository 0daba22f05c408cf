//! Short-time Fourier transform.

use super::dft::transform;
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "stft",
    summary: "The discrete Fourier transform of every frame of `frame_length` samples, each multiplied by `window`, \
              `frame_step` samples apart. The last axis holds the real and the imaginary part.",
    inputs: &[tensor("signal", FLOAT), tensor("window", FLOAT).like("signal").optional()],
    parameters: &[int("frame_step"), int("frame_length").optional(), flag("onesided").or_flag(true)],
    outputs: &["output"],
    spellings: &[onnx(17, "STFT(signal, frame_step:index any, window, frame_length:index any; onesided)")],
    define,
    examples: &[
        "stft(f32[1,128,1], frame_step=8, frame_length=16) -> f32[1,15,9,2]",
        "stft(f32[N,128,1], f32[16], frame_step=8) -> f32[N,15,9,2]",
        "stft(f32[1,T,2], f32[16], frame_step=8, frame_length=16, onesided=false) -> f32[1,T//8 - 1,16,2]",
        "stft(f32[1,4,1], frame_step=1) -> f32[1,1,3,2]",
        "stft(f32[1,3,1]{1,2,3}, f32[2]{1,0.5}, frame_step=1) -> f32[1,2,2,2]{2,0,0,0,3.5,0,0.5,0}",
        "stft(f32[1,16], frame_step=4, frame_length=8) -> f32[1,3,5,2]",
        "stft(f32[16], frame_step=4, frame_length=8) fails: `signal` has a batch and a time axis, and may have one of parts",
        "stft(f32[1,16,3], frame_step=4, frame_length=8) fails: the last axis holds a real part, or it and an imaginary one",
        "stft(f32[1,16,1], f32[1,8], frame_step=4) fails: `window` is a vector",
        "stft(f32[1,16,1], f32[6], frame_step=4, frame_length=8) fails: `window` is as long as a frame",
        "stft(f32[1,16,1], frame_step=0, frame_length=8) fails: `frame_step` is positive",
        "stft(f32[1,16,1], frame_step=4, frame_length=0) fails: `frame_length` is positive",
        "stft(f32[1,16,1], frame_step=4, frame_length=17) fails: a frame fits the signal",
        "stft(i32[1,16,1], frame_step=4) fails: `signal` is floating point",
        "stft(f32[1,16,1], f64[8], frame_step=4) fails: `window` has the element type of `signal`",
        "stft(f32[1,16,1]) fails: `frame_step` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (signal, window) = (call.tensor("signal")?, call.optional("window"));
    let label = "`signal` has a batch and a time axis, and may have one of parts";
    // Without an axis of parts the signal is real.
    let rank = signal.shape().known_rank().unwrap_or(3);
    call.insist(IncompatibleShape, label, rank == 2 || rank == 3)?;
    let sizes = call.sizes(label, signal, rank)?;
    let (batch, time, parts) = (sizes[0], sizes[1], sizes.get(2).copied().unwrap_or(1.into()));
    let step = call.int("frame_step")?;
    call.require_shape(
        "the last axis holds a real part, or it and an imaginary one",
        parts.eq(1) | parts.eq(2),
    );
    let window_length = match window {
        Some(window) => Some(call.dims::<1>("`window` is a vector", window)?[0]),
        None => None,
    };
    let length = match (call.optional_int("frame_length")?, window_length) {
        (Some(length), Some(taps)) => {
            call.require_shape("`window` is as long as a frame", taps.eq(length));
            length
        }
        (Some(length), None) | (None, Some(length)) => length,
        (None, None) => time,
    };
    call.demand(IllegalValue, "`frame_step` is positive", step.ge(1))?;
    call.demand(IllegalValue, "`frame_length` is positive", length.ge(1))?;
    call.require_legal("a frame fits the signal", length.le(time));

    let frames = (time - length).div_floor(step) + 1;
    let bins = if call.flag("onesided")? { length.div_floor(2) + 1 } else { length };
    let shape = Shape::new([batch, frames, bins, 2.into()]);
    Ok(Tensor::composed([(signal.dtype(), shape)], move || {
        let framed = Shape::new([batch, frames, length, parts]);
        let framed = Tensor::from_elements(signal.dtype(), framed, move |index| {
            let place = [index[0], index[1] * step + index[2], index[3]];
            let sample = signal.at(&place[..rank]);
            window.map_or(sample, |window| sample * window.at(&index[2..3]))
        });
        vec![transform(framed, 2, length, false, shape)]
    }))
}
