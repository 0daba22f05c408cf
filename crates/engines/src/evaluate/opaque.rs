//! Algorithms that are no formula: sorting, selection, linear algebra.
//!
//! One run gives all outputs. Outputs that only pick among the inputs are as exact as those. For the others
//! no formula tells the rounding error, so it is estimated: the algorithm is run again on inputs that are
//! off by a few roundings.

use super::near::Near;
use super::reading::{Bound, Reading};
use super::{Attempt, EvaluateError, Evaluator, Mode};
use semantics::array::{Array, Data};
use semantics::tensor::{Computed, Opaque, Tensor};
use std::rc::Rc;

/// How often the algorithm is run on inputs that are slightly off.
const TRIALS: u64 = 4;
/// The estimate is this many times the largest deviation seen.
const MARGIN: f64 = 8.0;

impl Evaluator {
    pub(super) fn opaque(
        &mut self,
        tensor: Tensor,
        opaque: &Rc<Opaque>,
        output: usize,
    ) -> Result<Attempt, EvaluateError> {
        let missing: Vec<Tensor> =
            opaque.inputs.iter().copied().filter(|input| !self.readings.contains_key(input)).collect();
        if !missing.is_empty() {
            return Ok(Attempt::Waits(missing, None));
        }
        let address = Rc::as_ptr(opaque);
        if !self.computed.contains_key(&address) {
            let inputs: Vec<Rc<Reading>> =
                opaque.inputs.iter().map(|input| self.readings[input].clone()).collect();
            let arrays: Vec<Array> = inputs.iter().map(|reading| reading.array.clone()).collect();
            let outputs = (opaque.compute)(&arrays).map_err(EvaluateError::Refused)?;
            let exact = inputs.iter().all(|input| input.bound == Bound::Exact);
            let readings = match self.mode {
                Mode::Plain => outputs.into_iter().map(|output| plain(output.array)).collect(),
                // The algorithm itself says what rounding does to exact inputs.
                Mode::Bounded | Mode::Likely if exact => outputs.into_iter().map(stated).collect(),
                Mode::Bounded | Mode::Likely => estimated(opaque, &inputs, outputs),
            };
            self.computed.insert(address, (opaque.clone(), readings.into_iter().map(Rc::new).collect()));
        }
        let reading = self.computed[&address].1.get(output).cloned();
        let reading =
            reading.ok_or_else(|| EvaluateError::Undefined(format!("output {output} of {tensor}")))?;
        if tensor.dtype().known().is_some_and(|kind| kind != reading.array.kind)
            || !self.learn(tensor, &reading.array.shape)
        {
            let (kind, shape) = (reading.array.kind, &reading.array.shape);
            return Err(EvaluateError::Mismatch(format!("{tensor} was computed as {kind}{shape:?}")));
        }
        Ok(Attempt::Done(reading))
    }
}

fn plain(array: Array) -> Reading {
    Reading::new(array, Bound::Exact)
}

/// An output with the error that its algorithm states.
fn stated(computed: Computed) -> Reading {
    let bound = match (computed.error, &computed.array.data) {
        (Some(errors), Data::Float(_)) => Bound::Float(errors),
        (Some(errors), Data::Complex(_)) => Bound::Complex(errors),
        _ => Bound::Exact,
    };
    Reading::new(computed.array, bound)
}

/// Outputs for inputs that are not exact: what shaking those changes, and what the algorithm states besides.
fn estimated(opaque: &Opaque, inputs: &[Rc<Reading>], outputs: Vec<Computed>) -> Vec<Reading> {
    let (outputs, stated): (Vec<Array>, Vec<Option<Vec<f64>>>) =
        outputs.into_iter().map(|output| (output.array, output.error)).unzip();
    let mut ends: Vec<Vec<Near>> = outputs
        .iter()
        .map(|array| array.as_floats().unwrap_or_default().iter().map(|&value| start(array, value)).collect())
        .collect();
    for trial in 0..TRIALS {
        let shaken: Vec<Array> = inputs.iter().map(|input| shaken(input, trial)).collect();
        let Ok(others) = (opaque.compute)(&shaken) else { continue };
        let others: Vec<Array> = others.into_iter().map(|output| output.array).collect();
        for ((nears, other), output) in ends.iter_mut().zip(&others).zip(&outputs) {
            if other.shape != output.shape {
                nears.iter_mut().for_each(|near| near.error = f64::INFINITY);
            } else if let Some(values) = other.as_floats() {
                for (near, value) in nears.iter_mut().zip(values) {
                    let away = (near.value - value).abs();
                    near.error = near.error.max(if away.is_nan() { f64::INFINITY } else { MARGIN * away });
                }
            }
        }
    }
    outputs
        .into_iter()
        .zip(ends)
        .zip(stated)
        .map(|((array, nears), stated)| {
            let stated = stated.into_iter().flatten().chain(std::iter::repeat(0.0));
            let errors = nears.into_iter().zip(stated).map(|(near, stated)| near.error + stated);
            let bound = match &array.data {
                Data::Float(_) => Bound::Float(errors.collect()),
                _ => Bound::Exact,
            };
            Reading::new(array, bound)
        })
        .collect()
}

fn start(array: &Array, value: f64) -> Near {
    Near {
        value,
        error: if value.is_finite() { MARGIN * array.kind.unit_roundoff() * value.abs() } else { 0.0 },
    }
}

/// The input, each float off by a rounding and its own error, up or down as a hash of its place says.
fn shaken(input: &Reading, trial: u64) -> Array {
    let mut array = input.array.clone();
    let unit = array.kind.unit_roundoff();
    if let Data::Float(values) = &mut array.data {
        for (at, value) in values.iter_mut().enumerate() {
            let error = if let Bound::Float(errors) = &input.bound { errors[at] } else { 0.0 };
            let hash = (at as u64 + 1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(trial.wrapping_mul(0xd1b5_4a32_d192_ed03));
            let sign = if (hash ^ (hash >> 29)).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
            *value += sign * (error + unit * value.abs());
        }
    }
    array
}
