//! Discrete Fourier transform.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "dft",
    summary: "The discrete Fourier transform along `axis` of numbers whose real and imaginary parts are the last \
              axis, or its inverse. One-sided, it gives the non-redundant half for real numbers, and the real \
              numbers for such a half. The signal is cut or padded with zeros to `dft_length`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[
        int("dft_length").optional(),
        int("axis").or(-2),
        flag("inverse").or_flag(false),
        flag("onesided").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(17, "DFT(input, dft_length:index scalar; axis=1, inverse, onesided)"),
        onnx(20, "DFT(input, dft_length:index scalar, axis:scalar; inverse, onesided)"),
    ],
    define,
    examples: &[
        "dft(f32[N,10,3,1], axis=1) -> f32[N,10,3,2]",
        "dft(f32[1,N,2]) -> f32[1,N,2]",
        "dft(f32[1,N,1], onesided=true) -> f32[1,N//2 + 1,2]",
        "dft(f32[1,6,2], onesided=true, inverse=true) -> f32[1,10,1]",
        "dft(f32[1,6,2], dft_length=11, onesided=true, inverse=true) -> f32[1,11,1]",
        "dft(f32[1,10,2], dft_length=16, axis=-2) -> f32[1,16,2]",
        "dft(f32[1,2,1]{1,2}) -> f32[1,2,2]{3,0,-1,0}",
        "dft(f32[1,2,2]{3,0,-1,0}, inverse=true) -> f32[1,2,2]{1,0,2,0}",
        "dft(f32[1,3,2]{0,1,2,3,4,5}, dft_length=4, onesided=true, inverse=true) -> f32[1,4,1]{2,-2.5,0,0.5}",
        "dft(f32[1,1,1]{1}, dft_length=2, onesided=true) -> f32[1,2,2]{1,0,1,0}",
        "dft(f32[...]) -> f32[...]",
        "dft(f32[5], axis=0) fails: `input` has a signal axis and an axis of parts",
        "dft(f32[1,6,1], axis=3) fails: `axis` is within the rank",
        "dft(f32[1,6,1], axis=-1) fails: `axis` is not the axis of parts",
        "dft(f32[1,6,3]) fails: the last axis holds a real part, or it and an imaginary one",
        "dft(f32[1,6,2], onesided=true) fails: a one-sided transform is of real numbers",
        "dft(f32[1,6,1], onesided=true, inverse=true) fails: a one-sided inverse is of complex numbers",
        "dft(f32[1,6,1], dft_length=0) fails: `dft_length` is positive",
        "dft(i32[1,6,1]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let (inverse, onesided) = (call.flag("inverse")?, call.flag("onesided")?);
    let shape = input.shape();
    call.demand(IncompatibleShape, "`input` has a signal axis and an axis of parts", shape.rank().ge(2))?;
    let axis = call.axis("axis", "`axis` is within the rank", shape)?;
    let apart = match axis {
        Front(k) => shape.rank().ne(k as usize + 1),
        Back(k) => (k != 0).into(),
    };
    call.demand(IllegalValue, "`axis` is not the axis of parts", apart)?;
    let parts = shape.size(Back(0));
    call.require_shape(
        "the last axis holds a real part, or it and an imaginary one",
        parts.eq(1) | parts.eq(2),
    );
    match (onesided, inverse) {
        (true, false) => call.require_shape("a one-sided transform is of real numbers", parts.ne(2)),
        (true, true) => call.require_shape("a one-sided inverse is of complex numbers", parts.ne(1)),
        _ => {}
    }

    let size = shape.size(axis);
    let length = match call.optional_int("dft_length")? {
        Some(length) => {
            call.demand(IllegalValue, "`dft_length` is positive", length.ge(1))?;
            length
        }
        None if onesided && inverse => 2 * (size - 1),
        None => size,
    };
    let bins = if onesided && !inverse { length.div_floor(2) + 1 } else { length };
    let parts = if onesided && inverse { 1 } else { 2 };
    let shape = shape.with_size(axis, bins).with_size(Back(0), parts.into());
    let Some(rank) = shape.known_rank() else { return one(unknown_elements(input.dtype(), shape)) };
    let axis = position(axis, rank);
    one(match (onesided, inverse) {
        (true, true) => real_inverse(input, axis, length, shape),
        _ => transform(input, axis, length, inverse, shape),
    })
}

/// `Σ x[n] exp(∓2πi k n / N)`, divided by `N` if inverse, where the last axis of `shape` holds the two parts.
pub fn transform(input: Tensor, axis: usize, length: Dim, inverse: bool, shape: Shape) -> Tensor {
    let (cosines, sines) = circle(input.kind(), length);
    let used = input.shape().size(Front(axis as u32)).min(length);
    Tensor::from_elements(input.dtype(), shape, move |index| {
        let (bin, last) = (index[axis], index.len() - 1);
        let sum = |real: bool| {
            Element::fold(Fold::Sum, used, |n| {
                let mut source = index.to_vec();
                source[axis] = n;
                source[last] = 0.into();
                let re = input.at(&source);
                source[last] = 1.into();
                let im = input.padded_at(&source);
                let turn = [(bin * n).modulo(length)];
                let (cos, sin) = (cosines.at(&turn), sines.at(&turn));
                match (real, inverse) {
                    (true, false) => re * cos + im * sin,
                    (true, true) => re * cos - im * sin,
                    (false, false) => im * cos - re * sin,
                    (false, true) => im * cos + re * sin,
                }
            })
        };
        let sum = Element::when(index[last].eq(0), sum(true), sum(false));
        if inverse { sum / Element::index(sum.kind(), length) } else { sum }
    })
}

/// The real numbers behind the non-redundant half of a spectrum: every bin stands for itself and its mirror
/// image, but the first and, of an even length, the last.
fn real_inverse(input: Tensor, axis: usize, length: Dim, shape: Shape) -> Tensor {
    let (cosines, sines) = circle(input.kind(), length);
    let used = input.shape().size(Front(axis as u32)).min(length.div_floor(2) + 1);
    Tensor::from_elements(input.dtype(), shape, move |index| {
        let (n, last) = (index[axis], index.len() - 1);
        let sum = Element::fold(Fold::Sum, used, |bin| {
            let mut source = index.to_vec();
            source[axis] = bin;
            source[last] = 0.into();
            let re = input.at(&source);
            source[last] = 1.into();
            let im = input.at(&source);
            let turn = [(bin * n).modulo(length)];
            let own_image = bin.eq(0) | (2 * bin).eq(length);
            let once = re * cosines.at(&turn);
            Element::when(own_image, once, (once - im * sines.at(&turn)) * 2.0)
        });
        sum / Element::index(sum.kind(), length)
    })
}

/// Cosine and sine of `length` equal steps around the circle.
fn circle(kind: Kind, length: Dim) -> (Tensor, Tensor) {
    let table = |f: fn(f64) -> f64| {
        let outputs = [(kind.into(), Shape::new([length]))];
        let table = Tensor::opaque(&[Tensor::of_dim(Kind::I64, length)], outputs, move |arrays| {
            let length = arrays[0].as_ints().map_or(0, |length| length[0].max(0)) as usize;
            let turns = (0..length).map(|step| turned(f, step, length)).collect();
            let error = Some(vec![turn_error(kind, length); length]);
            Ok(vec![Computed { array: Array::floats(kind, &[length], turns), error }])
        });
        table[0].within(-1.0, 1.0)
    };
    (table(f64::cos), table(f64::sin))
}

/// Cosine or sine of a part of the full turn; whole where a quarter turn is a whole number of steps.
fn turned(f: fn(f64) -> f64, step: usize, length: usize) -> f64 {
    let value = f(step as f64 / length as f64 * std::f64::consts::TAU);
    if (4 * step).is_multiple_of(length) { value.round() } else { value }
}

/// How far off the factor of a sample may be, in whatever order a fast transform multiplies and adds. That is so
/// for factors of 0 and 1 too: no transform leaves them out, so a result of 0 is off by roundings of the signal.
///
/// A transform of a power of two takes every sample through `log2(length)` factors. Other lengths are done by
/// Bluestein's two chirps, whose angles grow to `length` half turns and are rounded there: ONNX Runtime was
/// measured to be off by up to 4 `length` roundings. Half precision is left for the results only.
fn turn_error(kind: Kind, length: usize) -> f64 {
    let wide = if kind == Kind::F64 { Kind::F64 } else { Kind::F32 };
    let roundings = match length.is_power_of_two() {
        true => 2.0 * (1.0 + (length as f64).log2()),
        false => std::f64::consts::TAU * length as f64,
    };
    let stored = if kind == wide { 0.0 } else { kind.unit_roundoff() };
    roundings * wide.unit_roundoff() + stored
}
