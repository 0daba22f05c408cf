//! Triangular filters on the mel scale.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "mel_weight_matrix",
    summary: "The matrix that turns a one-sided spectrum of `dft_length` samples into `bands` overlapping triangles, \
              equally wide on the mel scale between two frequencies.",
    inputs: &[],
    parameters: &[
        int("bands"),
        int("dft_length"),
        int("sample_rate"),
        float("lowest"),
        float("highest"),
        element_type("dtype").optional(),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        17,
        "MelWeightMatrix(bands:index any, dft_length:index any, sample_rate:index any, lowest:any, highest:any; output_datatype as dtype)",
    )],
    define,
    examples: &[
        "mel_weight_matrix(bands=8, dft_length=16, sample_rate=8192, lowest=0, highest=4096) -> f32[9,8]",
        "mel_weight_matrix(bands=N, dft_length=16, sample_rate=8192, lowest=0, highest=4096, dtype=f64) -> f64[9,N]",
        "mel_weight_matrix(bands=1, dft_length=4, sample_rate=8, lowest=0, highest=4) -> f32[3,1]{1,0,0}",
        "mel_weight_matrix(bands=2, dft_length=16, sample_rate=8192, lowest=0, highest=4096) -> f32[9,2]{1,0,0.5,0.5,0,1,0,0.5,0,0,0,0,0,0,0,0,0,0}",
        "mel_weight_matrix(bands=0, dft_length=8, sample_rate=8192, lowest=0, highest=4096) -> f32[5,0]",
        "mel_weight_matrix(bands=-1, dft_length=8, sample_rate=8192, lowest=0, highest=4096) fails: `bands` is not negative",
        "mel_weight_matrix(bands=2, dft_length=-2, sample_rate=8192, lowest=0, highest=0) fails: `dft_length` is not negative",
        "mel_weight_matrix(bands=2, dft_length=8, sample_rate=0, lowest=0, highest=4096) fails: `sample_rate` is positive",
        "mel_weight_matrix(bands=2, dft_length=8, sample_rate=8192, lowest=-1, highest=4096) fails: `lowest` is a frequency of the spectrum",
        "mel_weight_matrix(bands=2, dft_length=8, sample_rate=8192, lowest=5000, highest=0) fails: `lowest` is a frequency of the spectrum",
        "mel_weight_matrix(bands=2, dft_length=8, sample_rate=8192, lowest=0, highest=5000) fails: `highest` is a frequency of the spectrum",
        "mel_weight_matrix(bands=2, dft_length=7, sample_rate=8192, lowest=0, highest=4096) fails: `highest` is a frequency of the spectrum",
        "mel_weight_matrix(bands=2, dft_length=8, sample_rate=8192, lowest=0, highest=4096, dtype=bool) fails: `dtype` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (bands, length, rate) = (call.int("bands")?, call.int("dft_length")?, call.int("sample_rate")?);
    let (lowest, highest) = (call.float("lowest")?, call.float("highest")?);
    let kind = call.optional_type("dtype")?.unwrap_or(Kind::F32);
    call.require_value("`bands` is not negative", bands.ge(0));
    call.demand(IllegalValue, "`dft_length` is not negative", length.ge(0))?;
    call.demand(IllegalValue, "`sample_rate` is positive", rate.ge(1))?;
    call.require_type("`dtype` is a real number type", Prop::from(NUMERIC.kinds.contains(&kind)));
    let rows = length.div_floor(2) + 1;
    let inside = |hertz: f64| {
        scaled(hertz).map_or(true.into(), |(parts, unit)| within(parts, unit, length, rate, rows))
    };
    call.require_value("`lowest` is a frequency of the spectrum", inside(lowest));
    call.require_value("`highest` is a frequency of the spectrum", inside(highest));

    let corners = corners(bands, length, rate, lowest, highest);
    one(Tensor::from_elements(kind, Shape::new([rows, bands]), move |index| {
        let (row, band) = (Element::index(Kind::F32, index[0]), index[1]);
        let corner = |k: i64| corners.at(&[band + k]);
        let (left, peak, right) = (corner(0), corner(1), corner(2));
        let zero = Element::constant(Kind::F32, 0.0);
        let rising = left.le(row).and(row.le(peak)).select((row - left) / (peak - left), zero);
        let spike = row.eq(peak).select(Element::constant(Kind::F32, 1.0), zero);
        let rising = left.eq(peak).select(spike, rising);
        let falls = peak.le(row).and(row.lt(right));
        falls.select((right - row) / (right - peak), rising).cast(kind)
    })
    .within(0.0, 1.0))
}

/// The rows of the spectrum where the triangles begin, peak and end: `bands + 2` steps of equal width in
/// `mel(f) = 2595 log10(1 + f / 700)`, back in hertz.
fn corners(bands: Dim, length: Dim, rate: Dim, lowest: f64, highest: f64) -> Tensor {
    const PER_MEL: f64 = 2595.0 / std::f64::consts::LN_10;
    let mel = |hertz: f64| PER_MEL * (hertz / 700.0).ln_1p();
    let (low, span) = (mel(lowest), mel(highest) - mel(lowest));
    Tensor::from_elements(Kind::F32, Shape::new([bands + 2]), move |index| {
        let number = |dim: Dim| Element::index(Kind::F32, dim);
        let mel = number(index[0]) * (span / number(bands + 2)) + low;
        let hertz = (mel / PER_MEL).expm1() * 700.0;
        (hertz * number(length + 1) / number(rate)).floor()
    })
}

/// A number as an integer multiple of a power of two, where 64 bits are enough.
fn scaled(number: f64) -> Option<(i64, i64)> {
    let units = (0..=24).map(|power| 1i64 << power);
    let unit = units.into_iter().find(|&unit| (number * unit as f64).fract() == 0.0)?;
    let parts = number * unit as f64;
    (parts.abs() < 1e12).then_some((parts as i64, unit))
}

/// Whether `floor((length + 1) * hertz / rate)` is a row, for `hertz = parts / unit`.
fn within(parts: i64, unit: i64, length: Dim, rate: Dim, rows: Dim) -> Prop {
    Dim::from(parts).ge(0) & ((length + 1) * parts).lt(rows * rate * unit)
}
