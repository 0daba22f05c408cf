//! Running complex arithmetic on lanes. Its error bound is a radius in the plane.

use super::complex::{self, Disc};
use super::program::Slot;
use super::run::{Run, int_to_float};
use semantics::dtype::{Class, Kind};
use semantics::scalar::{Binary, Unary};

impl Run<'_> {
    fn disc(&self, slot: Slot, lane: usize) -> Disc {
        let exact = !self.bounded || self.exact_complexes[slot.at as usize];
        let error = if exact { 0.0 } else { self.lanes.spreads.row(slot.at)[lane] };
        Disc { value: self.lanes.complexes.row(slot.at)[lane], error }
    }
    fn set_disc(&mut self, slot: Slot, lane: usize, disc: Disc) {
        self.lanes.complexes.row_mut(slot.at)[lane] = disc.value;
        if self.bounded && !self.exact_complexes[slot.at as usize] {
            self.lanes.spreads.row_mut(slot.at)[lane] = disc.error;
        }
    }
    fn set_float(&mut self, slot: Slot, lane: usize, value: f64, error: f64) {
        self.lanes.floats.row_mut(slot.at)[lane] = value;
        if self.bounded && !self.exact[slot.at as usize] {
            self.lanes.errors.row_mut(slot.at)[lane] = error;
        }
    }

    pub fn complex_unary(&mut self, function: Unary, kind: Kind, x: Slot, out: Slot) {
        for lane in 0..self.count {
            let x = self.disc(x, lane);
            if out.class == Class::Complex {
                match complex::unary(function, kind, x) {
                    Some(result) => self.set_disc(out, lane, result),
                    None => self.doubt(lane),
                }
            } else {
                match complex::part(function, kind, x) {
                    Some(result) => self.set_float(out, lane, result.value, result.error),
                    None => self.doubt(lane),
                }
            }
        }
    }

    pub fn complex_binary(&mut self, function: Binary, kind: Kind, x: Slot, y: Slot, out: Slot) {
        for lane in 0..self.count {
            let result = match (x.class, out.class) {
                (Class::Float, Class::Complex) if function == Binary::Complex => {
                    let value = [self.lanes.floats.row(x.at)[lane], self.lanes.floats.row(y.at)[lane]];
                    let error =
                        if self.bounded { self.errors(x)[lane].hypot(self.errors(y)[lane]) } else { 0.0 };
                    Some(Disc::new(value, error))
                }
                (Class::Complex, Class::Complex) => {
                    complex::binary(function, kind, self.disc(x, lane), self.disc(y, lane))
                }
                (Class::Complex, Class::Bool) => {
                    let equal = complex::equal(self.disc(x, lane), self.disc(y, lane))
                        .filter(|_| function == Binary::Eq);
                    match equal {
                        Some(equal) => self.lanes.bools.row_mut(out.at)[lane] = equal,
                        None => self.doubt(lane),
                    }
                    continue;
                }
                _ => None,
            };
            match result {
                Some(result) => self.set_disc(out, lane, result),
                None => self.doubt(lane),
            }
        }
    }

    pub fn complex_cast(&mut self, from: Kind, to: Kind, x: Slot, out: Slot) {
        for lane in 0..self.count {
            match (x.class, out.class) {
                (Class::Complex, Class::Complex) => {
                    let result = complex::cast(to, self.disc(x, lane));
                    self.set_disc(out, lane, result);
                }
                (Class::Float, Class::Complex) => {
                    let error = if self.bounded { self.errors(x)[lane] } else { 0.0 };
                    let value = Disc { value: [self.lanes.floats.row(x.at)[lane], 0.0], error };
                    self.set_disc(out, lane, complex::cast(to, value));
                }
                (Class::Int, Class::Complex) => {
                    let value = int_to_float(from, to, self.lanes.ints.row(x.at)[lane]);
                    self.set_disc(out, lane, Disc { value: [value, 0.0], error: 0.0 });
                }
                (Class::Bool, Class::Complex) => {
                    let value = f64::from(u8::from(self.lanes.bools.row(x.at)[lane]));
                    self.set_disc(out, lane, Disc { value: [value, 0.0], error: 0.0 });
                }
                // The other way round the imaginary part would be lost: formulas say `real` for that.
                _ => self.doubt(lane),
            }
        }
    }
}
