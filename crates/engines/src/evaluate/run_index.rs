//! Running index arithmetic: ramps stay ramps as long as they can.

use super::lanes::{Index, Truth};
use super::program::{Division, IndexSlot, Step, TruthSlot};
use super::run::Run;

impl Run<'_> {
    pub fn index(&self, slot: IndexSlot) -> Index {
        self.lanes.indices[slot as usize]
    }
    pub fn truth(&self, slot: TruthSlot) -> Truth {
        self.lanes.truths[slot as usize]
    }
    fn set(&mut self, slot: IndexSlot, index: Index) {
        self.lanes.indices[slot as usize] = match index {
            // One lane is always a number, so that it can be spread over other lanes.
            Index::Ramp { base, .. } if self.count == 1 => Index::number(base),
            Index::Lanes { row, plus } if self.count == 1 => {
                Index::number(self.lanes.ints.row(row)[0].wrapping_add(plus))
            }
            index => index,
        };
    }
    /// Writes every lane of an index.
    fn fill(&mut self, out: IndexSlot, buffer: u32, value: impl Fn(usize, &dyn Fn(Index) -> i64) -> i64) {
        let count = self.count;
        let (below, row) = self.lanes.ints.split(buffer);
        for (lane, cell) in row[..count].iter_mut().enumerate() {
            *cell = value(lane, &|index| index.at(lane, &below));
        }
        self.set(out, Index::Lanes { row: buffer, plus: 0 });
    }

    pub fn index_step(&mut self, step: &Step) {
        match step {
            Step::Polynomial { out, buffer, constant, terms } => {
                self.polynomial(*out, *buffer, *constant, terms)
            }
            Step::Divide { with, out, buffer, left, right } => {
                self.divide(*with, *out, *buffer, self.index(*left), self.index(*right));
            }
            Step::Choose { out, buffer, condition, then, otherwise } => {
                let (then, otherwise) = (self.index(*then), self.index(*otherwise));
                match self.truth(*condition) {
                    Truth::All(true) => self.set(*out, then),
                    Truth::All(false) => self.set(*out, otherwise),
                    Truth::Lanes(row) => {
                        let count = self.count;
                        let truths = &self.lanes.bools.row(row)[..count];
                        let (below, cells) = self.lanes.ints.split(*buffer);
                        for (lane, (cell, &truth)) in cells.iter_mut().zip(truths).enumerate() {
                            *cell = if truth { then } else { otherwise }.at(lane, &below);
                        }
                        self.set(*out, Index::Lanes { row: *buffer, plus: 0 });
                    }
                }
            }
            Step::IndexOf { out, from } => self.set(*out, Index::Lanes { row: from.at, plus: 0 }),
            Step::Compare { out, buffer, equal, left, right } => {
                let truth = self.compare(*buffer, *equal, self.index(*left), self.index(*right));
                self.lanes.truths[*out as usize] = truth;
            }
            Step::Combine { out, buffer, all, parts } => {
                let truth = self.combine(*buffer, *all, parts);
                self.lanes.truths[*out as usize] = truth;
            }
            Step::Negate { out, buffer, of } => {
                let truth = match self.truth(*of) {
                    Truth::All(truth) => Truth::All(!truth),
                    Truth::Lanes(row) => {
                        let count = self.count;
                        let (below, cells) = self.lanes.bools.split(*buffer);
                        for (cell, &truth) in cells.iter_mut().zip(&below.row(row)[..count]) {
                            *cell = !truth;
                        }
                        Truth::Lanes(*buffer)
                    }
                };
                self.lanes.truths[*out as usize] = truth;
            }
            Step::TruthOf { out, from } => self.lanes.truths[*out as usize] = self.uniform(from.at),
            _ => {}
        }
    }

    /// A row of truths, told apart from one truth for all.
    fn uniform(&self, row: u32) -> Truth {
        let truths = &self.lanes.bools.row(row)[..self.count];
        match truths.first() {
            Some(&first) if truths.iter().all(|&truth| truth == first) => Truth::All(first),
            _ => Truth::Lanes(row),
        }
    }

    fn polynomial(&mut self, out: IndexSlot, buffer: u32, constant: i64, terms: &[(i64, Vec<IndexSlot>)]) {
        let (mut base, mut step) = (constant, 0i64);
        let mut rest: Option<usize> = None;
        let mut several = false;
        for (number, (coefficient, factors)) in terms.iter().enumerate() {
            let mut product = Some((*coefficient, 0i64));
            for &factor in factors {
                product = match (product, self.index(factor)) {
                    (Some((b, s)), Index::Ramp { base, step }) if s == 0 || step == 0 => {
                        Some((b.wrapping_mul(base), b.wrapping_mul(step).wrapping_add(s.wrapping_mul(base))))
                    }
                    _ => None,
                };
            }
            match product {
                Some((b, s)) => (base, step) = (base.wrapping_add(b), step.wrapping_add(s)),
                None => {
                    several |= rest.is_some() || *coefficient != 1 || factors.len() != 1;
                    rest = Some(number);
                }
            }
        }
        let Some(first) = rest else { return self.set(out, Index::Ramp { base, step }) };
        if !several
            && step == 0
            && let Index::Lanes { row, plus } = self.index(terms[first].1[0])
        {
            return self.set(out, Index::Lanes { row, plus: plus.wrapping_add(base) });
        }
        let factors: Vec<(i64, Vec<Index>)> = terms
            .iter()
            .map(|(coefficient, factors)| {
                (*coefficient, factors.iter().map(|&factor| self.index(factor)).collect())
            })
            .collect();
        self.fill(out, buffer, |_, at| {
            factors.iter().fold(constant, |sum, (coefficient, factors)| {
                sum.wrapping_add(
                    factors.iter().fold(*coefficient, |product, &factor| product.wrapping_mul(at(factor))),
                )
            })
        });
    }

    fn divide(&mut self, with: Division, out: IndexSlot, buffer: u32, left: Index, right: Index) {
        let count = self.count;
        if let (Some((a, z)), Some((b, y))) = (left.ends(count), right.ends(count)) {
            let uniform = |at: Index| if let Index::Ramp { step, .. } = at { step } else { 1 };
            match with {
                Division::Min | Division::Max => {
                    let (first, last) = (a.wrapping_sub(b), z.wrapping_sub(y));
                    let left_is_larger = first >= 0 && last >= 0;
                    if left_is_larger || (first <= 0 && last <= 0) {
                        let picked = if left_is_larger == (with == Division::Max) { left } else { right };
                        return self.set(out, picked);
                    }
                }
                Division::FloorDiv | Division::Modulo if uniform(right) == 0 && b > 0 => {
                    let (step, low) = (uniform(left), a.div_euclid(b));
                    let steady = low == z.div_euclid(b);
                    let result = match with {
                        Division::FloorDiv if steady => Some(Index::number(low)),
                        Division::FloorDiv if step % b == 0 => {
                            Some(Index::Ramp { base: low, step: step / b })
                        }
                        Division::Modulo if steady => Some(Index::Ramp { base: a - low * b, step }),
                        Division::Modulo if step % b == 0 => Some(Index::number(a - low * b)),
                        _ => None,
                    };
                    if let Some(result) = result {
                        return self.set(out, result);
                    }
                    return self.divide_ramp(with, out, buffer, (a, step), b);
                }
                Division::FloorDiv | Division::Modulo => {}
            }
        }
        let mut by_zero = Vec::new();
        if matches!(with, Division::FloorDiv | Division::Modulo) {
            let below = self.lanes.ints.rows();
            by_zero.extend((0..count).filter(|&lane| right.at(lane, &below) == 0));
        }
        self.fill(out, buffer, |_, at| {
            let (a, b) = (at(left), at(right));
            match with {
                Division::Min => a.min(b),
                Division::Max => a.max(b),
                // The careful reader says whether a division by zero matters.
                Division::FloorDiv if b == 0 => 0,
                Division::Modulo if b == 0 => a,
                Division::FloorDiv => floor_div(a, b),
                Division::Modulo => a.wrapping_sub(floor_div(a, b).wrapping_mul(b)),
            }
        });
        by_zero.into_iter().for_each(|lane| self.doubt(lane));
    }

    /// Quotients or remainders of a ramp by a positive number, without dividing.
    fn divide_ramp(
        &mut self,
        with: Division,
        out: IndexSlot,
        buffer: u32,
        (base, step): (i64, i64),
        by: i64,
    ) {
        let (mut quotient, mut rest) = (base.div_euclid(by), base.rem_euclid(by));
        let (wide, narrow) = (step.div_euclid(by), step.rem_euclid(by));
        let count = self.count;
        for cell in &mut self.lanes.ints.row_mut(buffer)[..count] {
            *cell = if with == Division::FloorDiv { quotient } else { rest };
            (quotient, rest) = (quotient.wrapping_add(wide), rest.wrapping_add(narrow));
            if rest >= by {
                (quotient, rest) = (quotient.wrapping_add(1), rest - by);
            }
        }
        self.set(out, Index::Lanes { row: buffer, plus: 0 });
    }

    fn compare(&mut self, buffer: u32, equal: bool, left: Index, right: Index) -> Truth {
        let count = self.count;
        if let (Some((a, z)), Some((b, y))) = (left.ends(count), right.ends(count)) {
            let (first, last) = (a.saturating_sub(b), z.saturating_sub(y));
            let (low, high) = (first.min(last), first.max(last));
            let settled = match equal {
                true if low > 0 || high < 0 => Some(false),
                true => (low == 0 && high == 0).then_some(true),
                false if low > 0 => Some(false),
                false => (high <= 0).then_some(true),
            };
            if let Some(truth) = settled {
                return Truth::All(truth);
            }
        }
        let below = self.lanes.ints.rows();
        for (lane, cell) in self.lanes.bools.row_mut(buffer)[..count].iter_mut().enumerate() {
            let (a, b) = (left.at(lane, &below), right.at(lane, &below));
            *cell = if equal { a == b } else { a <= b };
        }
        self.uniform(buffer)
    }

    fn combine(&mut self, buffer: u32, all: bool, parts: &[TruthSlot]) -> Truth {
        let count = self.count;
        let mut first = None;
        let mut written = false;
        for &part in parts {
            match self.truth(part) {
                Truth::All(truth) if truth != all => return Truth::All(truth),
                Truth::All(_) => {}
                Truth::Lanes(row) => match first {
                    None => first = Some(row),
                    Some(one) => {
                        let (below, cells) = self.lanes.bools.split(buffer);
                        if !written {
                            cells[..count].copy_from_slice(&below.row(one)[..count]);
                            written = true;
                        }
                        for (cell, &truth) in cells.iter_mut().zip(&below.row(row)[..count]) {
                            *cell = if all { *cell & truth } else { *cell | truth };
                        }
                    }
                },
            }
        }
        match first {
            None => Truth::All(all),
            Some(row) if !written => Truth::Lanes(row),
            Some(_) => self.uniform(buffer),
        }
    }
}

fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}
