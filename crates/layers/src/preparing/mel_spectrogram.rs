//! How much of each pitch there is in each stretch of a signal.

use crate::layers::prelude::*;
use std::f64::consts::PI;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "MelSpectrogram",
        summary: "How much of each pitch there is in each stretch of a signal.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: &[
            int("fft_length").or(2048),
            int("sequence_stride").or(512),
            int("sequence_length").optional(),
            word("window", &["hann", "hamming", "none"]).or_word("hann"),
            float("sampling_rate").or_float(16000.0),
            int("num_mel_bins").or(128),
            float("min_freq").or_float(20.0),
            float("max_freq").optional(),
            flag("power_to_db").or_flag(true),
            float("top_db").or_float(80.0),
            float("mag_exp").or_float(2.0),
            float("min_power").or_float(1e-10),
            float("ref_power").or_float(1.0),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "MelSpectrogram(f32[N,16], fft_length=8, sequence_stride=4, num_mel_bins=3) -> f32[N,3,5]",
            "MelSpectrogram(f32[16], fft_length=8, sequence_stride=4, num_mel_bins=3) -> f32[3,5]",
            "MelSpectrogram(f32[16], fft_length=8, sequence_stride=4, sequence_length=4, window=none, num_mel_bins=3) on torch -> f32[3,5]",
            "MelSpectrogram(f32[], fft_length=8) fails: `inputs` has an axis of time",
            "MelSpectrogram(f32[0,9], fft_length=8, sequence_stride=4) fails: there is a signal",
            "MelSpectrogram(f32[2,4], fft_length=8, sequence_stride=4) fails: the signal is longer than half of `fft_length`",
            "MelSpectrogram(f32[2,16], fft_length=8, sequence_length=9) fails: `sequence_length` is positive and not beyond `fft_length`",
            "MelSpectrogram(f32[2,16], fft_length=8, sequence_stride=0) fails: `sequence_stride` is positive",
            "MelSpectrogram(f32[2,16], fft_length=8, sequence_stride=4, num_mel_bins=0) fails: `num_mel_bins` is positive",
            "MelSpectrogram(f32[2,16], window=steep) fails: `window` is one of hann, hamming, none",
            "MelSpectrogram(i32[N,24], fft_length=8, sequence_stride=4, num_mel_bins=4) -> f32[N,4,7]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (input, fft, stride) = (in_floats(call)?, call.int("fft_length")?, call.int("sequence_stride")?);
    let sequence = call.optional_int("sequence_length")?.unwrap_or(fft);
    let legal = sequence.ge(1) & sequence.le(fft);
    call.demand(IllegalValue, "`sequence_length` is positive and not beyond `fft_length`", legal)?;
    call.demand(IllegalValue, "`sequence_stride` is positive", stride.ge(1))?;
    let bins = call.int("num_mel_bins")?;
    call.demand(IllegalValue, "`num_mel_bins` is positive", bins.ge(1))?;
    let rank = call.known_sizes(input)?.len();
    call.insist(IncompatibleShape, "`inputs` has an axis of time", rank > 0)?;
    let others = input.shape().sizes().unwrap_or_default();
    let some = Prop::all(others[..rank - 1].iter().map(|size| size.ge(1)));
    call.require_legal("there is a signal", some);
    let (time, half) = (input.shape().size(Back(0)), fft.div_floor(2));
    let label = "the signal is longer than half of `fft_length`";
    call.demand(IncompatibleShape, label, time.gt(half))?;
    let stretches = (time + 2 * half - fft).div_floor(stride) + 1;
    let whole = call.backend == Backend::TensorFlow;
    let frames = Frames { fft, stride, sequence, stretches, whole };
    let magnitudes = magnitudes(input, frames, &call.text("window")?);
    let (rate, low) = (call.float("sampling_rate")?, call.float("min_freq")?);
    let high = call.optional_float("max_freq")?.filter(|high| *high != 0.0).unwrap_or((rate / 2.0).trunc());
    let filters = filters(half + 1, bins, rate, low, high);
    let exponent = call.float("mag_exp")?;
    let shape = input.shape().with_size(Back(0), bins).followed_by([stretches]);
    let pitches = Tensor::from_elements(input.dtype(), shape, move |index| {
        let (place, bin) = (&index[..index.len() - 2], index[index.len() - 2]);
        Element::fold(Fold::Sum, half + 1, |frequency| {
            let source: Vec<Dim> = place.iter().copied().chain([index[index.len() - 1], frequency]).collect();
            let magnitude = magnitudes.at(&source);
            // A general power tells nothing near zero.
            let power = match exponent {
                0.5 => magnitude.sqrt(),
                1.0 => magnitude,
                2.0 => magnitude * magnitude,
                _ => magnitude.pow(exponent),
            };
            power * filters.at(&[frequency, bin])
        })
    });
    if !call.flag("power_to_db")? {
        return one(pitches);
    }
    let (least, reference) = (call.float("min_power")?, call.float("ref_power")?);
    let reference = 10.0 * reference.abs().max(least).log10();
    let decibels =
        map(pitches, pitches.dtype(), move |x| x.max(least).ln() * (10.0 / 10f64.ln()) - reference);
    let all: Vec<usize> = (0..rank + 1).collect();
    let (loudest, range) = (reduce(Fold::Max, decibels, &all, false), call.float("top_db")?);
    one(map(decibels, decibels.dtype(), move |x| x.max(loudest.at(&[]) - range)))
}

/// Stretches of a signal: how long a transformed one is, where they begin, and how much of each is heard.
#[derive(Clone, Copy)]
struct Frames {
    fft: Dim,
    stride: Dim,
    sequence: Dim,
    stretches: Dim,
    /// Whether all of it is, where there is no window.
    whole: bool,
}

/// The magnitude of each frequency in each stretch; the signal is reflected at its ends.
fn magnitudes(input: Tensor, frames: Frames, window: &str) -> Tensor {
    let Frames { fft, stride, sequence, stretches, whole } = frames;
    let time = input.shape().size(Back(0));
    let kind = input.kind();
    let number = move |dim: Dim| Element::index(Kind::F64, dim);
    let share = match window {
        "hann" => Some((0.5, 0.5)),
        "hamming" => Some((0.54, 0.46)),
        _ => None,
    };
    // The window in the middle of a stretch, and nothing around it; without one TensorFlow hears all of the stretch.
    let before = (fft - sequence).div_floor(2);
    let heard = Tensor::from_elements(kind, Shape::new([fft]), move |index| {
        let at = index[0] - before;
        let (one, zero) = (Element::constant(kind, 1.0), Element::constant(kind, 0.0));
        let inside = at.within(0, sequence);
        let Some((mean, swing)) = share else {
            return if whole { one } else { Element::when(inside, one, zero) };
        };
        let turn = number(at) * (2.0 * PI) / number(sequence);
        let window = Element::constant(Kind::F64, mean) - turn.cos() * swing;
        Element::when(inside, window.cast(kind), zero)
    });
    let half = fft.div_floor(2);
    let shape = input.shape().with_size(Back(0), stretches).followed_by([half + 1]);
    Tensor::from_elements(input.dtype(), shape, move |index| {
        let rank = index.len() - 1;
        let part = |function: fn(Element) -> Element| {
            Element::fold(Fold::Sum, fft, |k| {
                let at = index[rank - 1] * stride + k - half;
                let at = Dim::select(at.lt(0), -at, at);
                let at = Dim::select(at.ge(time), 2 * (time - 1) - at, at);
                let source: Vec<Dim> = index[..rank - 1].iter().copied().chain([at]).collect();
                let turn = number((k * index[rank]).modulo(fft)) * (2.0 * PI) / number(fft);
                input.at(&source) * heard.at(&[k]) * function(turn).cast(kind)
            })
        };
        let (real, imaginary) = (part(Element::cos), part(Element::sin));
        // Squares are not negative, however they are rounded.
        (real * real + imaginary * imaginary).max(0.0).sqrt().max(0.0)
    })
}

/// How much of each frequency belongs to each pitch: triangles that are equally wide by the mel scale.
fn filters(frequencies: Dim, bins: Dim, rate: f64, low: f64, high: f64) -> Tensor {
    let number = |dim: Dim| Element::index(Kind::F32, dim);
    let mel = |hertz: Element| (hertz / 700.0 + 1.0).ln() * 1127.0;
    Tensor::from_elements(Kind::F32, Shape::new([frequencies, bins]), move |index| {
        let zero = Element::constant(Kind::F32, 0.0);
        let own = mel(number(index[0]) * (rate / 2.0) / number(frequencies - 1));
        let (first, last) = (mel(Element::constant(Kind::F32, low)), mel(Element::constant(Kind::F32, high)));
        let edge = |k: i64| first + (last - first) * number(index[1] + k) / number(bins + 1);
        let (below, middle, above) = (edge(0), edge(1), edge(2));
        let (rises, falls) = ((own - below) / (middle - below), (above - own) / (above - middle));
        // The lowest frequency, a constant, is in none.
        Element::when(index[0].eq(0), zero, rises.min(falls).max(0.0))
    })
}
