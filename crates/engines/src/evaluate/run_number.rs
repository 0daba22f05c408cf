//! Running the scalar functions on lanes.
//!
//! The common functions are loops the compiler can turn into vector instructions; in them the error bound is
//! the formula of [`Format`] for well-behaved numbers, and a lane that is not (overflow, infinity, NaN) is
//! computed again by [`Format`] itself.

use super::near::{Format, Near};
use super::program::Slot;
use super::run::{Run, int_to_float};
use semantics::dtype::{Class, Kind};
use semantics::integer;
use semantics::number;
use semantics::scalar::{Binary, Unary};
use std::cmp::Ordering;

impl Run<'_> {
    pub fn unary(&mut self, function: Unary, kind: Kind, x: Slot, out: Slot) {
        let count = self.count;
        match (x.class, out.class) {
            (Class::Float, Class::Float) if self.bounded => self.near_unary(function, kind, x, out),
            (Class::Float, Class::Float) => self.float_unary(function, x, out),
            (Class::Int, Class::Int) => {
                let (below, row) = self.lanes.ints.split(out.at);
                for (cell, &x) in row[..count].iter_mut().zip(below.row(x.at)) {
                    *cell = integer::unary(function, kind, x).unwrap_or_default();
                }
            }
            (Class::Bool, Class::Bool) => {
                let (below, row) = self.lanes.bools.split(out.at);
                row[..count].iter_mut().zip(below.row(x.at)).for_each(|(cell, &x)| *cell = !x);
            }
            (Class::Float, Class::Bool) => self.classify(function, x, out),
            (_, Class::Bool) => self.lanes.bools.row_mut(out.at)[..count].fill(false),
            (Class::Complex, _) => self.complex_unary(function, kind, x, out),
            _ => (0..count).for_each(|lane| self.doubt(lane)),
        }
    }

    fn float_unary(&mut self, function: Unary, x: Slot, out: Slot) {
        let count = self.count;
        let (below, row) = self.lanes.floats.split(out.at);
        let pairs = row[..count].iter_mut().zip(below.row(x.at));
        match function {
            Unary::Neg => pairs.for_each(|(cell, &x)| *cell = -x),
            Unary::Abs => pairs.for_each(|(cell, &x)| *cell = x.abs()),
            Unary::Sqrt => pairs.for_each(|(cell, &x)| *cell = x.sqrt()),
            Unary::Reciprocal => pairs.for_each(|(cell, &x)| *cell = 1.0 / x),
            Unary::Exp => pairs.for_each(|(cell, &x)| *cell = x.exp()),
            Unary::Tanh => pairs.for_each(|(cell, &x)| *cell = x.tanh()),
            _ => pairs.for_each(|(cell, &x)| *cell = number::unary(function, x).unwrap_or(f64::NAN)),
        }
    }

    fn near_unary(&mut self, function: Unary, kind: Kind, x: Slot, out: Slot) {
        let (count, format) = (self.count, Format::of(kind));
        if self.exact[out.at as usize] && matches!(function, Unary::Neg | Unary::Abs) {
            return self.float_unary(function, x, out);
        }
        let exact = self.exact[x.at as usize];
        let mut undecided = Vec::new();
        let lanes = &mut *self.lanes;
        let (values, row) = lanes.floats.split(out.at);
        let (errors, error_row) = lanes.errors.split(out.at);
        let errors = if exact { &lanes.zeros[..count] } else { &errors.row(x.at)[..count] };
        let values = &values.row(x.at)[..count];
        for (lane, ((cell, error_cell), (&value, &error))) in
            row.iter_mut().zip(error_row).zip(values.iter().zip(errors)).enumerate()
        {
            match format.unary(function, Near { value, error }) {
                Some(result) => (*cell, *error_cell) = (result.value, result.error),
                None => undecided.push(lane),
            }
        }
        undecided.into_iter().for_each(|lane| self.doubt(lane));
    }

    /// NaN and infinity, asked for.
    fn classify(&mut self, function: Unary, x: Slot, out: Slot) {
        for lane in 0..self.count {
            let value = self.lanes.floats.row(x.at)[lane];
            self.lanes.bools.row_mut(out.at)[lane] = match function {
                Unary::IsNan => value.is_nan(),
                Unary::IsPosInf => value == f64::INFINITY,
                Unary::IsNegInf => value == f64::NEG_INFINITY,
                _ => false,
            };
            if self.bounded && self.errors(x)[lane].is_infinite() {
                self.doubt(lane);
            }
        }
    }

    /// The error bounds of a float register.
    pub fn errors(&self, slot: Slot) -> &[f64] {
        if self.exact[slot.at as usize] { &self.lanes.zeros } else { self.lanes.errors.row(slot.at) }
    }

    pub fn binary(&mut self, function: Binary, kind: Kind, x: Slot, y: Slot, out: Slot) {
        match (x.class, out.class) {
            (Class::Float, Class::Float) if self.bounded => self.near_binary(function, kind, x, y, out),
            (Class::Float, Class::Float) => self.float_binary(function, x, y, out),
            (Class::Int, Class::Int) => self.int_binary(function, kind, x, y, out),
            (Class::Float, Class::Bool) => self.float_compare(function, x, y, out),
            (Class::Int, Class::Bool) => self.int_compare(function, kind, x, y, out),
            (Class::Bool, Class::Bool) => self.bool_binary(function, x, y, out),
            _ => self.complex_binary(function, kind, x, y, out),
        }
    }

    fn float_binary(&mut self, function: Binary, x: Slot, y: Slot, out: Slot) {
        let count = self.count;
        let (below, row) = self.lanes.floats.split(out.at);
        let (xs, ys) = (&below.row(x.at)[..count], &below.row(y.at)[..count]);
        let lanes = row[..count].iter_mut().zip(xs).zip(ys);
        match function {
            Binary::Add => lanes.for_each(|((cell, &x), &y)| *cell = x + y),
            Binary::Sub => lanes.for_each(|((cell, &x), &y)| *cell = x - y),
            Binary::Mul => lanes.for_each(|((cell, &x), &y)| *cell = x * y),
            Binary::Div => lanes.for_each(|((cell, &x), &y)| *cell = x / y),
            Binary::Max => lanes.for_each(|((cell, &x), &y)| *cell = larger(x, y)),
            Binary::Min => lanes.for_each(|((cell, &x), &y)| *cell = smaller(x, y)),
            _ => {
                lanes.for_each(|((cell, &x), &y)| *cell = number::binary(function, x, y).unwrap_or(f64::NAN))
            }
        }
    }

    fn near_binary(&mut self, function: Binary, kind: Kind, x: Slot, y: Slot, out: Slot) {
        let format = Format::of(kind);
        let f = &format;
        match function {
            Binary::Max | Binary::Min if self.exact[out.at as usize] => {
                self.float_binary(function, x, y, out)
            }
            // In f64 itself, telling what is exact takes more than a glance at the result.
            _ if format.kind == Kind::F64 => self.carefully(&format, function, x, y, out, |_| true),
            Binary::Add => self.vectors(f, function, x, y, out, |x, p, y, q| (x + y, p + q, f.unit)),
            Binary::Sub => self.vectors(f, function, x, y, out, |x, p, y, q| (x - y, p + q, f.unit)),
            Binary::Mul => self.vectors(f, function, x, y, out, |x, p, y, q| {
                (x * y, x.abs() * q + y.abs() * p + p * q, f.unit)
            }),
            Binary::Div => self.vectors(f, function, x, y, out, |x, p, y, q| {
                let (value, least) = (x / y, y.abs() - q);
                // A divisor that may be zero gives a negative or infinite spread, which is never in order.
                (value, (p + value.abs() * q) / least.max(0.0), 2.0 * f.unit)
            }),
            _ => self.carefully(&format, function, x, y, out, |_| true),
        }
    }

    /// The well-behaved lanes by `step`: value, spread of the operands' errors, and accuracy of the operation.
    fn vectors(
        &mut self,
        format: &Format,
        function: Binary,
        x: Slot,
        y: Slot,
        out: Slot,
        step: impl Fn(f64, f64, f64, f64) -> (f64, f64, f64),
    ) {
        let count = self.count;
        let (exact_x, exact_y) = (self.exact[x.at as usize], self.exact[y.at as usize]);
        let lanes = &mut *self.lanes;
        let (values, row) = lanes.floats.split(out.at);
        let (errors, error_row) = lanes.errors.split(out.at);
        let zeros = &lanes.zeros[..count];
        let (xs, ys) = (&values.row(x.at)[..count], &values.row(y.at)[..count]);
        let ps = if exact_x { zeros } else { &errors.row(x.at)[..count] };
        let qs = if exact_y { zeros } else { &errors.row(y.at)[..count] };
        let (row, error_row) = (&mut row[..count], &mut error_row[..count]);
        let mut in_order = true;
        for lane in 0..count {
            let (value, spread, unit) = step(xs[lane], ps[lane], ys[lane], qs[lane]);
            let magnitude = value.abs();
            let held = (value.to_bits() & format.spare == 0) & (magnitude >= format.normal) | (value == 0.0);
            let tiny = if magnitude <= format.normal + spread { format.tiny } else { 0.0 };
            let error = spread + unit * (magnitude + spread) + tiny;
            let error = if held & (spread == 0.0) { 0.0 } else { error };
            row[lane] = value;
            error_row[lane] = error;
            in_order &= magnitude + error < format.own_limit;
        }
        if !in_order {
            let limit = format.own_limit;
            self.carefully(format, function, x, y, out, |near| {
                let sum = near.value.abs() + near.error;
                sum.is_nan() || sum >= limit
            });
        }
    }

    /// Computes again the lanes that `again` picks by what is there.
    fn carefully(
        &mut self,
        format: &Format,
        function: Binary,
        x: Slot,
        y: Slot,
        out: Slot,
        again: impl Fn(Near) -> bool,
    ) {
        for lane in 0..self.count {
            let present = Near {
                value: self.lanes.floats.row(out.at)[lane],
                error: self.lanes.errors.row(out.at)[lane],
            };
            if !again(present) {
                continue;
            }
            let left = Near { value: self.lanes.floats.row(x.at)[lane], error: self.errors(x)[lane] };
            let right = Near { value: self.lanes.floats.row(y.at)[lane], error: self.errors(y)[lane] };
            match format.binary(function, left, right) {
                Some(result) => {
                    self.lanes.floats.row_mut(out.at)[lane] = result.value;
                    self.lanes.errors.row_mut(out.at)[lane] = result.error;
                }
                None => self.doubt(lane),
            }
        }
    }

    fn float_compare(&mut self, function: Binary, x: Slot, y: Slot, out: Slot) {
        let count = self.count;
        let (xs, ys) = (&self.lanes.floats.row(x.at)[..count], &self.lanes.floats.row(y.at)[..count]);
        let lanes = self.lanes.bools.row_mut(out.at)[..count].iter_mut().zip(xs).zip(ys);
        match function {
            Binary::Eq => lanes.for_each(|((cell, x), y)| *cell = x == y),
            Binary::Lt => lanes.for_each(|((cell, x), y)| *cell = x < y),
            Binary::Le => lanes.for_each(|((cell, x), y)| *cell = x <= y),
            _ => {}
        }
        if !self.bounded || (self.exact[x.at as usize] && self.exact[y.at as usize]) {
            return;
        }
        for lane in 0..count {
            let left = Near { value: self.lanes.floats.row(x.at)[lane], error: self.errors(x)[lane] };
            let right = Near { value: self.lanes.floats.row(y.at)[lane], error: self.errors(y)[lane] };
            if left.compare(function, right).is_none() {
                self.doubt(lane);
            }
        }
    }

    fn int_binary(&mut self, function: Binary, kind: Kind, x: Slot, y: Slot, out: Slot) {
        let count = self.count;
        let (below, row) = self.lanes.ints.split(out.at);
        let (xs, ys) = (&below.row(x.at)[..count], &below.row(y.at)[..count]);
        let lanes = row[..count].iter_mut().zip(xs).zip(ys);
        match function {
            Binary::Add => lanes.for_each(|((cell, &x), &y)| *cell = kind.wrap(x.wrapping_add(y))),
            Binary::Sub => lanes.for_each(|((cell, &x), &y)| *cell = kind.wrap(x.wrapping_sub(y))),
            Binary::Mul => lanes.for_each(|((cell, &x), &y)| *cell = kind.wrap(x.wrapping_mul(y))),
            _ => lanes.for_each(|((cell, &x), &y)| {
                *cell = integer::binary(function, kind, x, y).unwrap_or_default();
            }),
        }
    }

    fn int_compare(&mut self, function: Binary, kind: Kind, x: Slot, y: Slot, out: Slot) {
        let count = self.count;
        let (xs, ys) = (&self.lanes.ints.row(x.at)[..count], &self.lanes.ints.row(y.at)[..count]);
        for ((cell, &x), &y) in self.lanes.bools.row_mut(out.at)[..count].iter_mut().zip(xs).zip(ys) {
            let order = integer::compare(kind, x, y);
            *cell = match function {
                Binary::Eq => order == Ordering::Equal,
                Binary::Lt => order == Ordering::Less,
                _ => order != Ordering::Greater,
            };
        }
    }

    fn bool_binary(&mut self, function: Binary, x: Slot, y: Slot, out: Slot) {
        let count = self.count;
        let (below, row) = self.lanes.bools.split(out.at);
        for ((cell, &x), &y) in row[..count].iter_mut().zip(below.row(x.at)).zip(below.row(y.at)) {
            *cell = bool_binary(function, x, y);
        }
    }

    pub fn cast(&mut self, from: Kind, to: Kind, x: Slot, out: Slot) {
        let count = self.count;
        match (x.class, out.class) {
            (Class::Float, Class::Float) => self.convert(from, to, x, out),
            (Class::Float, Class::Int) => self.truncate(to, x, out),
            (Class::Float, Class::Bool) => {
                for lane in 0..count {
                    let value = self.lanes.floats.row(x.at)[lane];
                    self.lanes.bools.row_mut(out.at)[lane] = value != 0.0;
                    if self.bounded && self.errors(x)[lane] >= value.abs() && self.errors(x)[lane] > 0.0 {
                        self.doubt(lane);
                    }
                }
            }
            (Class::Int, Class::Float) => {
                let row = self.lanes.floats.row_mut(out.at)[..count].iter_mut();
                row.zip(self.lanes.ints.row(x.at)).for_each(|(cell, &x)| *cell = int_to_float(from, to, x));
            }
            (Class::Int, Class::Int) => {
                let (below, row) = self.lanes.ints.split(out.at);
                row[..count].iter_mut().zip(below.row(x.at)).for_each(|(cell, &x)| *cell = to.wrap(x));
            }
            (Class::Int, Class::Bool) => {
                let row = self.lanes.bools.row_mut(out.at)[..count].iter_mut();
                row.zip(self.lanes.ints.row(x.at)).for_each(|(cell, &x)| *cell = x != 0);
            }
            (Class::Bool, Class::Float) => {
                let row = self.lanes.floats.row_mut(out.at)[..count].iter_mut();
                row.zip(self.lanes.bools.row(x.at)).for_each(|(cell, &x)| *cell = f64::from(u8::from(x)));
            }
            (Class::Bool, Class::Int) => {
                let row = self.lanes.ints.row_mut(out.at)[..count].iter_mut();
                row.zip(self.lanes.bools.row(x.at)).for_each(|(cell, &x)| *cell = i64::from(x));
            }
            _ => self.complex_cast(from, to, x, out),
        }
    }

    fn convert(&mut self, from: Kind, to: Kind, x: Slot, out: Slot) {
        let count = self.count;
        if self.bounded && !self.exact[out.at as usize] {
            let format = Format::of(to);
            let widens = widens(from, to);
            for lane in 0..count {
                let near = Near { value: self.lanes.floats.row(x.at)[lane], error: self.errors(x)[lane] };
                let result = if widens { near } else { format.converted(near) };
                self.lanes.floats.row_mut(out.at)[lane] = result.value;
                self.lanes.errors.row_mut(out.at)[lane] = result.error;
            }
            return;
        }
        let (below, row) = self.lanes.floats.split(out.at);
        row[..count].iter_mut().zip(below.row(x.at)).for_each(|(cell, &x)| *cell = to.round(x));
    }

    fn truncate(&mut self, to: Kind, x: Slot, out: Slot) {
        for lane in 0..self.count {
            let value = self.lanes.floats.row(x.at)[lane];
            self.lanes.ints.row_mut(out.at)[lane] = integer::from_float(to, value);
            if self.bounded && (Near { value, error: self.errors(x)[lane] }).truncated(to).is_none() {
                self.doubt(lane);
            }
        }
    }
}

/// Whether a type holds every number of another.
pub(super) fn widens(from: Kind, to: Kind) -> bool {
    to == Kind::F64 || from == to || (to == Kind::F32 && from != Kind::F64)
}

pub(super) fn bool_binary(function: Binary, x: bool, y: bool) -> bool {
    match function {
        Binary::And | Binary::Mul | Binary::Min | Binary::BitAnd => x && y,
        Binary::Or | Binary::Add | Binary::Max | Binary::BitOr => x || y,
        Binary::Xor | Binary::BitXor => x != y,
        Binary::Eq => x == y,
        Binary::Lt => !x && y,
        Binary::Le => !x || y,
        _ => false,
    }
}

/// A NaN on either side is the result.
#[inline]
pub(super) fn larger(x: f64, y: f64) -> f64 {
    if (x > y) | x.is_nan() { x } else { y }
}
/// A NaN on either side is the result.
#[inline]
pub(super) fn smaller(x: f64, y: f64) -> f64 {
    if (x < y) | x.is_nan() { x } else { y }
}
