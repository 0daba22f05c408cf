//! Reading tensors into lanes: slices where the offsets are a ramp, one by one where they are not.

use super::lanes::Index;
use super::program::{SPARE, Slot};
use super::reading::Bound;
use super::run::Run;
use semantics::array::Data;
use semantics::dtype::Class;

impl Run<'_> {
    pub fn load(&mut self, out: Slot, tensor: u32, offset: Index, checks: &[(u32, i64)]) {
        let count = self.count;
        let sources = self.sources;
        let source = &sources[tensor as usize];
        let inside = checks.iter().all(|&(slot, size)| {
            let within = |position: i64| (0..size).contains(&position);
            match self.index(slot) {
                index @ Index::Ramp { .. } => {
                    index.ends(count).is_some_and(|(first, last)| within(first) && within(last))
                }
                Index::Lanes { row, plus } => self.lanes.ints.row(row)[..count]
                    .iter()
                    .all(|&position| within(position.wrapping_add(plus))),
            }
        });
        let offset = if inside { offset } else { self.only_inside(offset, checks) };
        match (&source.array.data, out.class) {
            (Data::Float(values), Class::Float) => {
                read(
                    values,
                    offset,
                    self.lanes.ints.rows().row_of(offset),
                    &mut self.lanes.floats.row_mut(out.at)[..count],
                );
                if let (true, Bound::Float(errors)) = (self.bounded, source.bound) {
                    read(
                        errors,
                        offset,
                        self.lanes.ints.rows().row_of(offset),
                        &mut self.lanes.errors.row_mut(out.at)[..count],
                    );
                }
            }
            (Data::Int(values), Class::Int) => {
                let (below, row) = self.lanes.ints.split(out.at);
                read(values, offset, below.row_of(offset), &mut row[..count]);
            }
            (Data::Bool(values), Class::Bool) => {
                read(
                    values,
                    offset,
                    self.lanes.ints.rows().row_of(offset),
                    &mut self.lanes.bools.row_mut(out.at)[..count],
                );
            }
            (Data::Complex(values), Class::Complex) => {
                read(
                    values,
                    offset,
                    self.lanes.ints.rows().row_of(offset),
                    &mut self.lanes.complexes.row_mut(out.at)[..count],
                );
                if let (true, Bound::Complex(errors)) = (self.bounded, source.bound) {
                    read(
                        errors,
                        offset,
                        self.lanes.ints.rows().row_of(offset),
                        &mut self.lanes.spreads.row_mut(out.at)[..count],
                    );
                }
            }
            // A tensor whose data is not of its type: the careful reader reports it.
            _ => (0..count).for_each(|lane| self.doubt(lane)),
        }
        if let (true, Bound::Int(_) | Bound::Bool(_)) = (self.bounded, source.bound) {
            for lane in 0..count {
                let at = offset.at(lane, &self.lanes.ints.rows());
                if usize::try_from(at).is_ok_and(|at| source.bound.is_undecided(at)) {
                    self.doubt(lane);
                }
            }
        }
    }

    /// Replaces offsets of lanes that read outside by one that is inside, and leaves those lanes in doubt.
    fn only_inside(&mut self, offset: Index, checks: &[(u32, i64)]) -> Index {
        let count = self.count;
        for lane in 0..count {
            let below = self.lanes.ints.rows();
            let inside =
                checks.iter().all(|&(slot, size)| (0..size).contains(&self.index(slot).at(lane, &below)));
            let position = if inside { offset.at(lane, &below) } else { 0 };
            if !inside {
                self.doubt(lane);
            }
            self.lanes.ints.row_mut(SPARE)[lane] = position;
        }
        Index::Lanes { row: SPARE, plus: 0 }
    }
}

/// Reads lanes from row-major data; what lies outside is left as zero.
fn read<T: Copy + Default>(values: &[T], offset: Index, lanes: &[i64], out: &mut [T]) {
    match offset {
        Index::Ramp { base, step } => {
            let Ok(base) = usize::try_from(base) else { return out.fill(T::default()) };
            if step == 0 {
                out.fill(values.get(base).copied().unwrap_or_default());
            } else if let (1, Some(run)) = (step, values.get(base..).and_then(|rest| rest.get(..out.len()))) {
                out.copy_from_slice(run);
            } else if let (Ok(step), Some(rest)) = (usize::try_from(step), values.get(base..)) {
                out.iter_mut().zip(rest.iter().step_by(step)).for_each(|(out, &value)| *out = value);
            } else {
                for (lane, out) in out.iter_mut().enumerate() {
                    let at = (base as i64).wrapping_add(step.wrapping_mul(lane as i64));
                    *out =
                        usize::try_from(at).ok().and_then(|at| values.get(at)).copied().unwrap_or_default();
                }
            }
        }
        Index::Lanes { plus, .. } => {
            for (out, &at) in out.iter_mut().zip(lanes) {
                *out = values.get(at.wrapping_add(plus) as usize).copied().unwrap_or_default();
            }
        }
    }
}
