//! Running conditions: an arm runs for the lanes that take it, and not at all if none does.

use super::lanes::{Bank, Truth};
use super::program::{Cases, Slot};
use super::run::Run;
use semantics::dtype::Class;

impl Run<'_> {
    pub fn cases(&mut self, cases: &Cases) {
        let (outside, count) = (self.mask.take(), self.count);
        // The lanes that no arm has taken yet; `None` while that is all that count.
        let mut open: Option<Vec<bool>> = outside.clone();
        let mut split = false;
        for arm in &cases.arms {
            self.mask = open.clone();
            self.block(&arm.before);
            let taken: Option<Vec<bool>> = match self.truth(arm.condition) {
                Truth::All(false) => continue,
                Truth::All(true) => open.clone(),
                Truth::Lanes(row) => {
                    let truths = &self.lanes.bools.row(row)[..count];
                    Some(match &open {
                        None => truths.to_vec(),
                        Some(open) => truths.iter().zip(open).map(|(&truth, &open)| truth && open).collect(),
                    })
                }
            };
            let rest = match (&open, &taken) {
                (_, None) => None,
                (None, Some(taken)) => Some(taken.iter().map(|&taken| !taken).collect::<Vec<_>>()),
                (Some(open), Some(taken)) => {
                    Some(open.iter().zip(taken).map(|(&open, &taken)| open && !taken).collect())
                }
            };
            if taken.as_ref().is_some_and(|taken| !taken.contains(&true)) {
                continue;
            }
            self.mask = taken;
            self.block(&arm.block);
            self.blend(arm.value, cases.out, split);
            split = true;
            match rest {
                Some(rest) if rest.contains(&true) => open = Some(rest),
                _ => {
                    self.mask = outside;
                    return;
                }
            }
        }
        self.mask = open;
        self.block(&cases.otherwise);
        self.blend(cases.last, cases.out, split);
        self.mask = outside;
    }

    /// Copies the lanes that count; all of them while nothing has been written.
    fn blend(&mut self, from: Slot, out: Slot, masked: bool) {
        let count = self.count;
        let mask = self.mask.as_deref().filter(|_| masked);
        let bounded = self.bounded;
        match out.class {
            Class::Bool => copy(&mut self.lanes.bools, from.at, out.at, count, mask),
            Class::Int => copy(&mut self.lanes.ints, from.at, out.at, count, mask),
            Class::Complex => {
                copy(&mut self.lanes.complexes, from.at, out.at, count, mask);
                if bounded && !self.exact_complexes[out.at as usize] {
                    let zeros = self.exact_complexes[from.at as usize].then_some(0.0);
                    copy_or(&mut self.lanes.spreads, from.at, out.at, count, mask, zeros);
                }
            }
            _ => {
                copy(&mut self.lanes.floats, from.at, out.at, count, mask);
                if bounded && !self.exact[out.at as usize] {
                    let zeros = self.exact[from.at as usize].then_some(0.0);
                    copy_or(&mut self.lanes.errors, from.at, out.at, count, mask, zeros);
                }
            }
        }
    }
}

fn copy<T: Copy + Default>(bank: &mut Bank<T>, from: u32, out: u32, count: usize, mask: Option<&[bool]>) {
    copy_or(bank, from, out, count, mask, None);
}

fn copy_or<T: Copy + Default>(
    bank: &mut Bank<T>,
    from: u32,
    out: u32,
    count: usize,
    mask: Option<&[bool]>,
    instead: Option<T>,
) {
    let (below, row) = bank.split(out);
    let source = &below.row(from)[..count];
    match (mask, instead) {
        (None, None) => row[..count].copy_from_slice(source),
        (None, Some(value)) => row[..count].fill(value),
        (Some(mask), instead) => {
            for ((cell, &value), &taken) in row.iter_mut().zip(source).zip(mask) {
                if taken {
                    *cell = instead.unwrap_or(value);
                }
            }
        }
    }
}
