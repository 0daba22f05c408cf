//! How much of each frequency there is in each stretch of a signal.

use crate::layers::prelude::*;
use crate::shared::spatial::{self, DATA_FORMAT, PADDING};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "STFTSpectrogram",
        summary: "How much of each frequency there is in each stretch of a signal.",
        inputs: &[
            tensor("inputs", FLOAT),
            tensor("real_kernel", FLOAT).like("inputs").optional(),
            tensor("imag_kernel", FLOAT).like("inputs").optional(),
        ],
        parameters: &[
            word("mode", &["log", "magnitude", "psd", "real", "imag", "angle", "stft"]).or_word("log"),
            int("frame_length").or(256),
            int("frame_step").optional(),
            int("fft_length").optional(),
            text("window").optional(),
            flag("periodic").or_flag(false),
            word("scaling", &["none", "density", "spectrum"]).or_word("density"),
            PADDING,
            flag("expand_dims").or_flag(false),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "STFTSpectrogram(f32[N,16,1], frame_length=4) -> f32[N,7,3]",
            "STFTSpectrogram(f32[N,2,16], frame_length=4, data_format=channels_first, expand_dims=true) -> f32[N,2,7,3]",
            "STFTSpectrogram(f32[N,16,2], frame_length=4, frame_step=4, mode=stft, padding=same) -> f32[N,4,12]",
            "STFTSpectrogram(f32[1,2,1]{3,5}, f32[1,1,1]{2}, frame_length=1, frame_step=1, mode=real) -> f32[1,2,1]{6,10}",
            "STFTSpectrogram(f32[2,16], frame_length=4) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "STFTSpectrogram(f32[2,3,1], frame_length=4) fails: the window fits the input",
            "STFTSpectrogram(f32[2,9,0], frame_length=4) fails: there is a channel",
            "STFTSpectrogram(f32[2,16,1], frame_length=0) fails: `frame_length` is positive",
            "STFTSpectrogram(f32[2,16,1], frame_length=4, frame_step=5) fails: `frame_step` is positive and not beyond `frame_length`",
            "STFTSpectrogram(f32[2,16,1], frame_length=4, fft_length=3) fails: `fft_length` is not below `frame_length`",
            "STFTSpectrogram(f32[2,16,1], f32[4], frame_length=4) fails: a weight has as many axes as the layer gives it",
            "STFTSpectrogram(f32[2,16,1], f32[4,1,4], frame_length=4) fails: a weight has the shape that the layer gives it",
            "STFTSpectrogram(f32[2,16,1], mode=phase) fails: `mode` is one of log, magnitude, psd, real, imag, angle, stft",
            "STFTSpectrogram(f32[2,16,1], scaling=steep) fails: `scaling` is one of none, density, spectrum",
            "STFTSpectrogram(f32[2,16,1], padding=full) fails: `padding` is one of valid, same",
            "STFTSpectrogram(f32[2,16,1], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Drops,
};

/// The step from one stretch to the next, and the number of frequencies.
fn read(call: &mut Call) -> Result<(Dim, Dim), Stop> {
    let length = call.int("frame_length")?;
    call.demand(IllegalValue, "`frame_length` is positive", length.ge(1))?;
    let (step, fft) = (call.optional_int("frame_step")?, call.optional_int("fft_length")?);
    let step = step.unwrap_or_else(|| length.div_floor(2));
    let within = step.ge(1) & step.le(length);
    call.demand(IllegalValue, "`frame_step` is positive and not beyond `frame_length`", within)?;
    let fft = match (fft, length.known()) {
        (Some(fft), _) => fft,
        // The next power of two.
        (None, Some(length)) => Dim::from((length as u64).next_power_of_two() as i64),
        (None, None) => return Err(Stop::Unknown("`frame_length` is not known".into())),
    };
    call.demand(IllegalValue, "`fft_length` is not below `frame_length`", fft.ge(length))?;
    Ok((step, fft.div_floor(2) + 1))
}

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let ((_, frequencies), mode) = (read(call)?, call.text("mode")?);
    let shape = Shape::new([call.int("frame_length")?, 1.into(), frequencies]);
    let kernels = [("real_kernel", "imag"), ("imag_kernel", "real")];
    let needed = kernels.into_iter().filter(|(_, without)| mode != *without);
    Ok(needed.map(|(name, _)| weight(name, shape)).collect())
}

fn define(call: &mut Call) -> Outcome {
    let space = spatial::read(call, 1)?;
    call.demand(IncompatibleShape, "there is a channel", space.channels.ge(1))?;
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let ((step, frequencies), mode) = (read(call)?, call.text("mode")?);
    let (length, padding) = (call.int("frame_length")?, call.text("padding")?);
    let window = spatial::windows(call, &[length], &[step], &[1.into()], &space.sizes, &padding)?[0];
    let stretches = window.count(space.sizes[0]);
    let parts = if mode == "stft" { frequencies * 2 } else { frequencies };
    let first = space.channel_axis == 1;
    let shape = match (call.flag("expand_dims")?, first) {
        (true, false) => vec![space.batch, stretches, parts, space.channels],
        (true, true) => vec![space.batch, space.channels, stretches, parts],
        (false, false) => vec![space.batch, stretches, parts * space.channels],
        (false, true) => vec![space.batch, parts * space.channels, stretches],
    };
    let flat = shape.len() == 3;
    // The product of a stretch with one column of a kernel.
    let product = move |kernel: Tensor, batch: Dim, channel: Dim, stretch: Dim, frequency: Dim| {
        Element::fold(Fold::Sum, length, |k| {
            let at = stretch * step + k - window.before;
            let place = if first { [batch, channel, at] } else { [batch, at, channel] };
            space.input.padded_at(&place) * kernel.at(&[k, 0.into(), frequency])
        })
    };
    let (real, imag) = (call.optional("real_kernel"), call.optional("imag_kernel"));
    let dtype = call.tensor("inputs")?.dtype();
    one(Tensor::from_elements(dtype, Shape::new(shape), move |index| {
        let (channel, stretch, part) = match (flat, first) {
            (false, false) => (index[3], index[1], index[2]),
            (false, true) => (index[1], index[2], index[3]),
            (true, false) => (index[2].div_floor(parts), index[1], index[2].modulo(parts)),
            (true, true) => (index[1].div_floor(parts), index[2], index[1].modulo(parts)),
        };
        let of = |kernel: Option<Tensor>, frequency: Dim| {
            let zero = Element::constant(dtype.known().unwrap_or(Kind::F32), 0.0);
            kernel.map_or(zero, |kernel| product(kernel, index[0], channel, stretch, frequency))
        };
        if mode == "stft" {
            return Element::when(part.lt(frequencies), of(real, part), of(imag, part - frequencies));
        }
        let (real, imag) = (of(real, part), of(imag, part));
        let power = || real * real + imag * imag;
        match mode.as_str() {
            "real" => real,
            "imag" => imag,
            "angle" => imag.atan2(real),
            // All frequencies but the first and the last stand for two.
            "psd" => Element::when(part.within(1, frequencies - 1), power() + power(), power()),
            "magnitude" => power().max(1e-7).sqrt(),
            _ => power().max(1e-7).sqrt().max(1e-7).ln(),
        }
    }))
}
