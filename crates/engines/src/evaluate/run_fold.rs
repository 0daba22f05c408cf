//! Running folds: with lanes along the output, or along the fold when there is only one lane of output.
//! What the error bounds of [`super::sums`] need to know of the terms is gathered on the way.

use super::complex;
use super::lanes::Index;
use super::near::{Format, Near};
use super::program::FoldLoop;
use super::run::{Run, walk};
use super::run_number::{bool_binary, larger, smaller};
use super::sums::{Likely, Terms};
use semantics::dtype::Class;
use semantics::integer;
use semantics::scalar::Fold;

impl Run<'_> {
    pub fn fold(&mut self, fold: &FoldLoop) {
        let along = self.count == 1;
        let lanes = if along { self.lanes.width } else { self.count };
        self.start(fold, lanes);
        if along {
            for &slot in &fold.captures {
                self.lanes.spread(slot, self.bounded);
            }
            let mask = self.mask.take();
            let before = (std::mem::take(&mut self.any_doubt), std::mem::take(&mut self.doubtful[0]));
            walk(&fold.space, self.lanes.width as i64, &mut |position| {
                self.enter(&fold.space, position);
                self.block(&fold.body);
                self.accumulate(fold, along);
            });
            let doubt = std::mem::take(&mut self.any_doubt);
            if doubt {
                self.doubtful.fill(false);
            }
            (self.count, self.mask) = (1, mask);
            (self.any_doubt, self.doubtful[0]) = before;
            if doubt {
                self.doubt(0);
            }
            self.gather(fold, lanes);
        } else {
            walk(&fold.space, 1, &mut |position| {
                for (axis, &at) in fold.space.axes.iter().zip(position.start) {
                    self.lanes.indices[axis.variable as usize] = Index::number(at);
                }
                self.block(&fold.body);
                self.accumulate(fold, along);
            });
        }
        self.finish(fold);
    }

    /// Whether the fold carries more than a value.
    fn carries_error(&self, fold: &FoldLoop) -> bool {
        self.bounded && !self.is_exact(fold.out)
    }

    fn start(&mut self, fold: &FoldLoop, lanes: usize) {
        let (out, with) = (fold.out.at, fold.with);
        let neutral = match with {
            Fold::Sum | Fold::Any => 0.0,
            Fold::Product | Fold::All => 1.0,
            Fold::Max => f64::NEG_INFINITY,
            Fold::Min => f64::INFINITY,
        };
        match fold.out.class {
            Class::Bool => self.lanes.bools.row_mut(out)[..lanes]
                .fill(matches!(with, Fold::All | Fold::Product | Fold::Min)),
            Class::Int => {
                let (least, most) = integer::extremes(fold.kind);
                let neutral = match with {
                    Fold::Max => least,
                    Fold::Min => most,
                    _ => neutral as i64,
                };
                self.lanes.ints.row_mut(out)[..lanes].fill(neutral);
            }
            Class::Complex => {
                self.lanes.complexes.row_mut(out)[..lanes].fill([neutral, 0.0]);
                if self.carries_error(fold) {
                    self.lanes.floats.row_mut(fold.extra)[..lanes].fill(neutral);
                    self.lanes.floats.row_mut(fold.extra + 1)[..lanes].fill(neutral);
                }
            }
            _ => {
                self.lanes.floats.row_mut(out)[..lanes].fill(neutral);
                if self.carries_error(fold) {
                    self.lanes.errors.row_mut(out)[..lanes].fill(0.0);
                    let (first, second) = match with {
                        Fold::Sum => (0.0, 0.0),
                        _ => (neutral, neutral),
                    };
                    self.lanes.floats.row_mut(fold.extra)[..lanes].fill(first);
                    self.lanes.floats.row_mut(fold.extra + 1)[..lanes].fill(second);
                    if self.likely {
                        self.lanes.floats.row_mut(fold.extra + 2)[..lanes].fill(0.0);
                        self.lanes.floats.row_mut(fold.extra + 3)[..lanes].fill(0.0);
                    }
                }
            }
        }
    }

    /// Takes in one term per lane.
    fn accumulate(&mut self, fold: &FoldLoop, along: bool) {
        let (count, out, value) = (self.count, fold.out.at, fold.value.at);
        match fold.out.class {
            Class::Bool => {
                let function = fold.with.step();
                let (below, row) = self.lanes.bools.split(out);
                row[..count]
                    .iter_mut()
                    .zip(below.row(value))
                    .for_each(|(sum, &x)| *sum = bool_binary(function, *sum, x));
            }
            Class::Int => {
                let (kind, function) = (fold.kind, fold.with.step());
                let (below, row) = self.lanes.ints.split(out);
                let lanes = row[..count].iter_mut().zip(below.row(value));
                match fold.with {
                    Fold::Sum => lanes.for_each(|(sum, &x)| *sum = kind.wrap(sum.wrapping_add(x))),
                    _ => lanes.for_each(|(sum, &x)| {
                        *sum = integer::binary(function, kind, *sum, x).unwrap_or_default()
                    }),
                }
            }
            Class::Complex => self.accumulate_complex(fold),
            _ => {
                if self.carries_error(fold) {
                    self.accumulate_extra(fold);
                    if self.likely && fold.with == Fold::Sum {
                        self.accumulate_likely(fold, along);
                    }
                }
                let (below, row) = self.lanes.floats.split(out);
                let lanes = row[..count].iter_mut().zip(&below.row(value)[..count]);
                match fold.with {
                    Fold::Product => lanes.for_each(|(sum, &x)| *sum *= x),
                    Fold::Max => lanes.for_each(|(sum, &x)| *sum = larger(*sum, x)),
                    Fold::Min => lanes.for_each(|(sum, &x)| *sum = smaller(*sum, x)),
                    _ => lanes.for_each(|(sum, &x)| *sum += x),
                }
            }
        }
    }

    /// What the error bound of a float fold needs to know of the terms.
    fn accumulate_extra(&mut self, fold: &FoldLoop) {
        let (count, value) = (self.count, fold.value.at);
        let exact = self.exact[value as usize];
        let lanes = &mut *self.lanes;
        let (below, error_row) = lanes.errors.split(fold.out.at);
        let errors = if exact { &lanes.zeros[..count] } else { &below.row(value)[..count] };
        let error_row = &mut error_row[..count];
        let (rows, second) = lanes.floats.split(fold.extra + 1);
        let values = &rows.row(value)[..count];
        match fold.with {
            Fold::Sum => {
                // Second: how many terms are not exact integers.
                for ((sum, &x), &e) in second[..count].iter_mut().zip(values).zip(errors) {
                    let whole = ((x + ROUNDER) - ROUNDER == x) & (e == 0.0);
                    *sum += if whole { 0.0 } else { 1.0 };
                }
                // One that is surely not a number decides the sum, whatever is not known of others.
                for ((sum, &x), &e) in error_row.iter_mut().zip(values).zip(errors) {
                    *sum += if x.is_nan() & (e == 0.0) { f64::NAN } else { e };
                }
                // First: the sum of magnitudes. An infinite term decides the sum and costs nothing.
                let (rows, first) = lanes.floats.split(fold.extra);
                for (sum, &x) in first[..count].iter_mut().zip(rows.row(value)) {
                    *sum += if x.abs() < f64::INFINITY { x.abs() } else { 0.0 };
                }
            }
            Fold::Product => {
                // Second: the largest product of some of the terms. First: that of all, errors included.
                for ((product, &x), &e) in second[..count].iter_mut().zip(values).zip(errors) {
                    *product *= (x.abs() + e).max(1.0);
                }
                let (rows, first) = lanes.floats.split(fold.extra);
                for ((product, &x), &e) in first[..count].iter_mut().zip(rows.row(value)).zip(errors) {
                    *product *= x.abs() + e;
                }
            }
            _ => {
                // The ends of the interval that the result lies in.
                let pick = if fold.with == Fold::Max { larger } else { smaller };
                for ((end, &x), &e) in second[..count].iter_mut().zip(values).zip(errors) {
                    *end = pick(*end, x + e);
                }
                let (rows, first) = lanes.floats.split(fold.extra);
                for ((end, &x), &e) in first[..count].iter_mut().zip(rows.row(value)).zip(errors) {
                    *end = pick(*end, x - e);
                }
            }
        }
    }

    /// Squares of the terms, and a trial of adding them up in `f32` one after the other.
    fn accumulate_likely(&mut self, fold: &FoldLoop, along: bool) {
        let (count, value) = (self.count, fold.value.at);
        let (rows, squares) = self.lanes.floats.split(fold.extra + 2);
        squares[..count].iter_mut().zip(rows.row(value)).for_each(|(sum, &x)| *sum += x * x);
        let (rows, trial) = self.lanes.floats.split(fold.extra + 3);
        let values = &rows.row(value)[..count];
        if along {
            let sum = values.iter().fold(trial[0] as f32, |sum, &x| sum + x as f32);
            trial[0] = f64::from(sum);
        } else {
            trial.iter_mut().zip(values).for_each(|(sum, &x)| *sum = f64::from(*sum as f32 + x as f32));
        }
    }

    fn accumulate_complex(&mut self, fold: &FoldLoop) {
        let (count, out, value) = (self.count, fold.out.at, fold.value.at);
        let product = fold.with == Fold::Product;
        let (below, row) = self.lanes.complexes.split(out);
        for (sum, &x) in row[..count].iter_mut().zip(below.row(value)) {
            *sum = if product { complex::product(*sum, x) } else { [sum[0] + x[0], sum[1] + x[1]] };
        }
        if !self.carries_error(fold) {
            return;
        }
        for lane in 0..count {
            let x = self.lanes.complexes.row(value)[lane];
            let error =
                if self.exact_complexes[value as usize] { 0.0 } else { self.lanes.spreads.row(value)[lane] };
            let size = x[0].hypot(x[1]);
            let first = &mut self.lanes.floats.row_mut(fold.extra)[lane];
            *first = if product { *first * size } else { *first + size };
            let second = &mut self.lanes.floats.row_mut(fold.extra + 1)[lane];
            *second = if product { *second * (size + error) } else { *second + error };
        }
    }

    /// Folds the lanes themselves into the first.
    fn gather(&mut self, fold: &FoldLoop, lanes: usize) {
        let function = fold.with.step();
        let out = fold.out.at;
        match fold.out.class {
            Class::Bool => {
                let row = &mut self.lanes.bools.row_mut(out)[..lanes];
                row[0] = row[1..].iter().fold(row[0], |sum, &x| bool_binary(function, sum, x));
            }
            Class::Int => {
                let row = &mut self.lanes.ints.row_mut(out)[..lanes];
                row[0] = row[1..]
                    .iter()
                    .fold(row[0], |sum, &x| integer::binary(function, fold.kind, sum, x).unwrap_or_default());
            }
            Class::Complex => {
                let product = fold.with == Fold::Product;
                let row = &mut self.lanes.complexes.row_mut(out)[..lanes];
                row[0] = row[1..].iter().fold(row[0], |sum, &x| {
                    if product { complex::product(sum, x) } else { [sum[0] + x[0], sum[1] + x[1]] }
                });
                if self.carries_error(fold) {
                    for extra in [fold.extra, fold.extra + 1] {
                        let row = &mut self.lanes.floats.row_mut(extra)[..lanes];
                        row[0] = if product { row.iter().product() } else { row.iter().sum() };
                    }
                }
            }
            _ => {
                let with = |fold: Fold, sum: f64, x: f64| match fold {
                    Fold::Product => sum * x,
                    Fold::Max => larger(sum, x),
                    Fold::Min => smaller(sum, x),
                    _ => sum + x,
                };
                let total = |row: &mut [f64], fold: Fold| {
                    row[0] = row[1..].iter().fold(row[0], |sum, &x| with(fold, sum, x))
                };
                total(&mut self.lanes.floats.row_mut(out)[..lanes], fold.with);
                if self.carries_error(fold) {
                    total(&mut self.lanes.errors.row_mut(out)[..lanes], Fold::Sum);
                    total(&mut self.lanes.floats.row_mut(fold.extra)[..lanes], fold.with);
                    total(&mut self.lanes.floats.row_mut(fold.extra + 1)[..lanes], fold.with);
                    if self.likely {
                        total(&mut self.lanes.floats.row_mut(fold.extra + 2)[..lanes], Fold::Sum);
                    }
                }
            }
        }
    }

    fn finish(&mut self, fold: &FoldLoop) {
        if !self.carries_error(fold) {
            return;
        }
        let format = Format::of(fold.kind);
        let terms = fold.space.count().unwrap_or(i64::MAX) as f64;
        if fold.out.class == Class::Complex {
            for lane in 0..self.count {
                let first = self.lanes.floats.row(fold.extra)[lane];
                let second = self.lanes.floats.row(fold.extra + 1)[lane];
                self.lanes.spreads.row_mut(fold.out.at)[lane] =
                    complex::fold_error(fold.with, fold.kind, first, second, terms);
            }
            return;
        }
        for lane in 0..self.count {
            let value = self.lanes.floats.row(fold.out.at)[lane];
            let first = self.lanes.floats.row(fold.extra)[lane];
            let second = self.lanes.floats.row(fold.extra + 1)[lane];
            let error = self.lanes.errors.row(fold.out.at)[lane];
            let result = match fold.with {
                Fold::Sum => {
                    let likely = self.likely.then(|| Likely {
                        squares: self.lanes.floats.row(fold.extra + 2)[lane],
                        trial: (self.lanes.floats.row(fold.extra + 3)[lane] - value).abs(),
                    });
                    let terms =
                        Terms { count: terms, error, magnitudes: first, whole: second == 0.0, likely };
                    format.sum(value, terms)
                }
                Fold::Product => format.product(value, first, second, terms),
                _ if value.is_nan() => Near::exact(value),
                _ => Near::around(value, first, second),
            };
            self.lanes.floats.row_mut(fold.out.at)[lane] = result.value;
            self.lanes.errors.row_mut(fold.out.at)[lane] = result.error;
        }
    }
}

/// Adding and subtracting it rounds to an integer.
const ROUNDER: f64 = 1.5 * (1u64 << 52) as f64;
