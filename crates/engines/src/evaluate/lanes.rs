//! The registers of a running program.

use super::program::{Counts, Slot};
use semantics::dtype::Class;

/// Rows of `width` lanes, one per register.
#[derive(Default)]
pub(super) struct Bank<T> {
    cells: Vec<T>,
    width: usize,
}

/// The rows below one that is being written.
pub(super) struct Rows<'a, T> {
    cells: &'a [T],
    width: usize,
}

impl<T: Copy + Default> Bank<T> {
    fn prepare(&mut self, rows: u32, width: usize) {
        self.width = width;
        let length = rows as usize * width;
        if self.cells.len() < length {
            self.cells.resize(length, T::default());
        }
    }
    pub fn row(&self, at: u32) -> &[T] {
        &self.cells[at as usize * self.width..][..self.width]
    }
    pub fn row_mut(&mut self, at: u32) -> &mut [T] {
        &mut self.cells[at as usize * self.width..][..self.width]
    }
    pub fn rows(&self) -> Rows<'_, T> {
        Rows { cells: &self.cells, width: self.width }
    }
    /// The row `at` for writing, and those before it for reading.
    pub fn split(&mut self, at: u32) -> (Rows<'_, T>, &mut [T]) {
        let (below, from) = self.cells.split_at_mut(at as usize * self.width);
        (Rows { cells: below, width: self.width }, &mut from[..self.width])
    }
    /// Copies the first lane to all others.
    fn spread(&mut self, at: u32) {
        let row = self.row_mut(at);
        row.fill(row[0]);
    }
}

impl<'a, T> Rows<'a, T> {
    pub fn row(&self, at: u32) -> &'a [T] {
        &self.cells[at as usize * self.width..][..self.width]
    }
}

impl<'a> Rows<'a, i64> {
    /// The lanes behind an index; none for a ramp.
    pub fn row_of(&self, index: Index) -> &'a [i64] {
        if let Index::Lanes { row, .. } = index { self.row(row) } else { &[] }
    }
}

/// An index for every lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Index {
    /// `base + lane * step`.
    Ramp { base: i64, step: i64 },
    /// An integer register, plus a number.
    Lanes { row: u32, plus: i64 },
}

/// A condition for every lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Truth {
    All(bool),
    /// A bool register.
    Lanes(u32),
}

/// All registers. Kept from one program to the next, so that small programs allocate nothing.
#[derive(Default)]
pub(super) struct Lanes {
    pub width: usize,
    pub floats: Bank<f64>,
    /// The error bound of each float register that is not exact.
    pub errors: Bank<f64>,
    pub ints: Bank<i64>,
    pub bools: Bank<bool>,
    pub complexes: Bank<[f64; 2]>,
    /// The error bound of each complex register that is not exact.
    pub spreads: Bank<f64>,
    pub indices: Vec<Index>,
    pub truths: Vec<Truth>,
    pub zeros: Vec<f64>,
}

impl Lanes {
    pub fn prepare(&mut self, counts: Counts, width: usize, bounded: bool) {
        self.width = width;
        self.floats.prepare(counts.floats, width);
        self.ints.prepare(counts.ints, width);
        self.bools.prepare(counts.bools, width);
        self.complexes.prepare(counts.complexes, width);
        if bounded {
            self.errors.prepare(counts.floats, width);
            self.spreads.prepare(counts.complexes, width);
        }
        let fill = |length: usize, wanted: u32| (wanted as usize).max(length);
        self.indices.resize(fill(self.indices.len(), counts.indices), Index::Ramp { base: 0, step: 0 });
        self.truths.resize(fill(self.truths.len(), counts.truths), Truth::All(false));
        self.zeros.resize(self.zeros.len().max(width), 0.0);
    }
    /// Copies the first lane of a register to all others.
    pub fn spread(&mut self, slot: Slot, bounded: bool) {
        match slot.class {
            Class::Bool => self.bools.spread(slot.at),
            Class::Int => self.ints.spread(slot.at),
            Class::Complex => {
                self.complexes.spread(slot.at);
                if bounded {
                    self.spreads.spread(slot.at);
                }
            }
            _ => {
                self.floats.spread(slot.at);
                if bounded {
                    self.errors.spread(slot.at);
                }
            }
        }
    }
}

impl Index {
    pub const fn number(base: i64) -> Index {
        Index::Ramp { base, step: 0 }
    }
    /// The value in one lane.
    #[inline]
    pub fn at(self, lane: usize, ints: &Rows<'_, i64>) -> i64 {
        match self {
            Index::Ramp { base, step } => base.wrapping_add(step.wrapping_mul(lane as i64)),
            Index::Lanes { row, plus } => ints.row(row)[lane].wrapping_add(plus),
        }
    }
    /// The values in the first and the last lane, if the values in between lie between them.
    pub fn ends(self, lanes: usize) -> Option<(i64, i64)> {
        match self {
            Index::Ramp { base, step } => {
                Some((base, base.wrapping_add(step.wrapping_mul(lanes as i64 - 1))))
            }
            Index::Lanes { .. } => None,
        }
    }
}
