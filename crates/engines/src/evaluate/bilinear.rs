//! Formulas with a fast kernel: sums of products of two tensors.
//!
//! Being bilinear, the kernel gives its own bound: run on magnitudes it tells how large the terms are
//! together, run on errors how far they are off.

use super::near::{Format, OWN};
use super::reading::{Bound, Draft, Reading};
use super::sums::{Likely, Terms};
use super::{Attempt, EvaluateError, Evaluator, Mode, kind};
use rustc_hash::FxHashSet;
use semantics::array::Data;
use semantics::tensor::{Kernel, Tensor};
use std::rc::Rc;

/// Fewer products than this are quicker as a formula.
const WORTH_A_KERNEL: i64 = 256;

impl Evaluator {
    pub(super) fn worth_its_kernel(&self, tensor: Tensor, kernel: &Kernel) -> bool {
        let count = self.number(tensor.shape().count());
        let products = count.and_then(|count| Ok(count.saturating_mul(self.number(kernel.terms)?)));
        tensor.dtype().known().is_some_and(|kind| kind.is_float())
            && products.is_ok_and(|products| products >= WORTH_A_KERNEL)
    }

    pub(super) fn bilinear(&mut self, tensor: Tensor, kernel: &Kernel) -> Result<Attempt, EvaluateError> {
        let missing: Vec<Tensor> = [kernel.left, kernel.right]
            .into_iter()
            .filter(|tensor| !self.readings.contains_key(tensor))
            .collect();
        if !missing.is_empty() {
            return Ok(Attempt::Waits(missing, None));
        }
        let (kind, shape) = (kind(tensor)?, self.known_sizes(tensor)?);
        if self.number(kernel.terms)?.max(1) as f64 * shape.iter().product::<usize>() as f64
            > 16.0 * super::formula::MOST_WORK
        {
            return Err(EvaluateError::TooMuch(format!("{tensor} takes too long to evaluate")));
        }
        let (left, right) = (self.readings[&kernel.left].clone(), self.readings[&kernel.right].clone());
        let (Some(a), Some(b)) = (left.array.as_floats(), right.array.as_floats()) else {
            return Err(EvaluateError::Mismatch(format!("a kernel for {tensor}")));
        };
        let values = (kernel.run)(a, b);
        if values.len() != shape.iter().product::<usize>() {
            return Err(EvaluateError::Mismatch(format!(
                "{} elements from the kernel of {tensor}",
                values.len()
            )));
        }
        let mut draft = Draft { kind, data: Data::Float(values), bound: Bound::Exact };
        if self.mode != Mode::Plain {
            let terms = self.number(kernel.terms)?.max(1) as f64;
            let mut spread = spread(kernel, (a, &left), (b, &right), terms);
            if self.mode == Mode::Likely && (is_diverse(a) || is_diverse(b)) {
                let square =
                    |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value * value).collect() };
                spread.squares = Some((kernel.run)(&square(a), &square(b)));
            }
            finish(&mut draft, spread, Format::of(kind));
        }
        Ok(Attempt::Done(Rc::new(draft.finish(shape)?)))
    }
}

/// Magnitudes of all terms together, and how much of that the errors of both sides make.
struct Spread {
    magnitudes: Vec<f64>,
    propagated: Vec<f64>,
    /// The squares of all terms together, if their rounding errors are likely to cancel.
    squares: Option<Vec<f64>>,
    terms: f64,
    /// Where the result is surely no number, whatever is not known of the other terms; nothing if all are finite.
    undefined: Vec<bool>,
}

/// Whether values are so different that products with them round up as often as down.
/// Repeated terms make the same error every time.
fn is_diverse(values: &[f64]) -> bool {
    let step = values.len() / 4096 + 1;
    let sample: Vec<u64> =
        values.iter().step_by(step).filter(|value| **value != 0.0).map(|value| value.to_bits()).collect();
    let distinct: FxHashSet<u64> = sample.iter().copied().collect();
    distinct.len() >= 8 && distinct.len() * 4 >= sample.len()
}

fn spread(
    kernel: &Kernel,
    (a, left): (&[f64], &Reading),
    (b, right): (&[f64], &Reading),
    terms: f64,
) -> Spread {
    // An infinite term decides the sum and costs nothing.
    let size = |values: &[f64]| -> Vec<f64> {
        values.iter().map(|value| if value.is_finite() { value.abs() } else { 0.0 }).collect()
    };
    let (size_a, size_b) = (size(a), size(b));
    let magnitudes = (kernel.run)(&size_a, &size_b);
    let mut propagated = vec![0.0; magnitudes.len()];
    let mut add = |x: &[f64], y: &[f64]| {
        propagated.iter_mut().zip((kernel.run)(x, y)).for_each(|(sum, more)| *sum += more);
    };
    // |a| eb, then ea (|b| + eb).
    if let Bound::Float(errors) = &right.bound {
        add(&size_a, errors);
    }
    if let Bound::Float(errors) = &left.bound {
        match &right.bound {
            Bound::Float(others) => {
                let reach: Vec<f64> = size_b.iter().zip(others).map(|(size, error)| size + error).collect();
                add(errors, &reach);
            }
            _ => add(errors, &size_b),
        }
    }
    let undefined = undefined(kernel, (a, &left.bound), (b, &right.bound));
    Spread { magnitudes, propagated, squares: None, terms, undefined }
}

/// Where a term is surely not a number, or terms are surely infinite on both sides.
fn undefined(kernel: &Kernel, (a, left): (&[f64], &Bound), (b, right): (&[f64], &Bound)) -> Vec<bool> {
    if a.iter().chain(b).all(|value| value.is_finite()) {
        return Vec::new();
    }
    let error = |bound: &Bound, at: usize| match bound {
        Bound::Float(errors) => errors[at],
        _ => 0.0,
    };
    let marked = |values: &[f64], bound: &Bound, mark: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        values.iter().enumerate().map(|(at, &value)| mark(value, error(bound, at))).collect()
    };
    let flag = |holds: bool| f64::from(u8::from(holds));
    let is_nan = |value: f64, error: f64| flag(value.is_nan() && error == 0.0);
    let is_zero = |value: f64, error: f64| flag(value == 0.0 && error == 0.0);
    let infinity =
        |value: f64, error: f64| if value.is_infinite() && error == 0.0 { value.signum() } else { 0.0 };
    let sign = |value: f64, error: f64| if value.abs() > error { value.signum() } else { 0.0 };
    let anything = |_: f64, _: f64| 1.0;
    let magnitudes = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value.abs()).collect() };
    let run = |of_a: &dyn Fn(f64, f64) -> f64, of_b: &dyn Fn(f64, f64) -> f64| {
        let (x, y) = (marked(a, left, of_a), marked(b, right, of_b));
        ((kernel.run)(&x, &y), (kernel.run)(&magnitudes(&x), &magnitudes(&y)))
    };
    let mut found: Vec<bool> = Vec::new();
    let mut note = |counts: &[f64]| {
        found.resize(counts.len(), false);
        found.iter_mut().zip(counts).for_each(|(found, count)| *found |= *count > 0.0);
    };
    note(&run(&is_nan, &anything).1);
    note(&run(&anything, &is_nan).1);
    note(&run(&infinity, &is_zero).1);
    note(&run(&is_zero, &infinity).1);
    // Infinite on both sides: what of them is left over is less than there are.
    let (over_left, all_left) = run(&infinity, &sign);
    // Where both are infinite they were counted already.
    let finite_sign = |value: f64, error: f64| if value.is_finite() { sign(value, error) } else { 0.0 };
    let (over_right, all_right) = run(&finite_sign, &infinity);
    let counts = over_left.iter().zip(&over_right).zip(all_left.iter().zip(&all_right));
    note(&counts.map(|((x, y), (all_x, all_y))| all_x + all_y - (x + y).abs()).collect::<Vec<f64>>());
    found
}

fn finish(draft: &mut Draft, spread: Spread, format: Format) {
    let Data::Float(values) = &mut draft.data else { return };
    let unit = format.kind.unit_roundoff() + 2.0 * OWN;
    let mut errors = Vec::with_capacity(values.len());
    for (at, value) in values.iter_mut().enumerate() {
        let (magnitude, propagated) = (spread.magnitudes[at], spread.propagated[at]);
        // Every product is rounded once and takes part in at most `terms - 1` additions.
        let likely = spread.squares.as_ref().map(|squares| Likely { squares: squares[at], trial: 0.0 });
        let count = spread.terms + 1.0;
        let terms = Terms { count, error: propagated, magnitudes: magnitude, whole: false, likely };
        let mut error = propagated + terms.rounding(*value, format.kind);
        if magnitude + propagated > 0.0 && magnitude < format.normal * 2.0 / unit {
            error += spread.terms * format.tiny;
        }
        format.note(magnitude + error);
        if spread.undefined.get(at) == Some(&true) {
            (*value, error) = (f64::NAN, 0.0);
        } else if value.is_nan() || value.is_infinite() {
            error = if propagated.is_finite() && magnitude < format.limit { 0.0 } else { f64::INFINITY };
        } else if value.abs() - error >= format.limit && (magnitude - value.abs()) / 2.0 < format.limit {
            (*value, error) = (f64::INFINITY.copysign(*value), 0.0);
        } else if error.is_nan() || magnitude + error >= format.limit {
            error = f64::INFINITY;
        }
        errors.push(error);
    }
    draft.bound = Bound::Float(errors);
}
