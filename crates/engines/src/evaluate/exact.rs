//! Which registers of a program carry no error: known before it runs, so that they cost no more than values.

use super::near::Format;
use super::program::{Literal, Slot, Step};
use super::reading::Bound;
use super::run::Run;
use semantics::dtype::Class;
use semantics::scalar::{Binary, Fold, Unary};

impl Run<'_> {
    pub fn is_exact(&self, slot: Slot) -> bool {
        match slot.class {
            Class::Float => self.exact[slot.at as usize],
            Class::Complex => self.exact_complexes[slot.at as usize],
            _ => true,
        }
    }

    pub fn find_exact(&mut self) {
        self.exact = vec![false; self.program.counts.floats as usize];
        self.exact_complexes = vec![false; self.program.counts.complexes as usize];
        let program = self.program;
        self.find_exact_in(&program.prologue);
        self.find_exact_in(&program.body);
    }

    fn find_exact_in(&mut self, steps: &[Step]) {
        for step in steps {
            let (out, exact) = match step {
                Step::Constant { out, kind, value } => match value {
                    Literal::Float(value) => (*out, Format::of(*kind).constant(*value).error == 0.0),
                    _ => (*out, true),
                },
                Step::Load { out, tensor, .. } => (
                    *out,
                    !matches!(self.sources[*tensor as usize].bound, Bound::Float(_) | Bound::Complex(_)),
                ),
                Step::NumberOf { out, .. } => (*out, true),
                Step::Unary { function, x, out, .. } => {
                    let plain = matches!(function, Unary::Neg | Unary::Abs | Unary::Real | Unary::Imag);
                    let plain = plain && !(x.class == Class::Complex && *function == Unary::Abs);
                    (*out, plain && self.is_exact(*x))
                }
                Step::Binary { function, x, y, out, .. } => {
                    let plain = matches!(function, Binary::Max | Binary::Min | Binary::Complex);
                    (*out, plain && self.is_exact(*x) && self.is_exact(*y))
                }
                Step::Cast { x, out, .. } => (*out, self.is_exact(*x)),
                Step::Cases(cases) => {
                    let mut exact = true;
                    for arm in &cases.arms {
                        self.find_exact_in(&arm.before);
                        self.find_exact_in(&arm.block);
                        exact &= self.is_exact(arm.value);
                    }
                    self.find_exact_in(&cases.otherwise);
                    (cases.out, exact && self.is_exact(cases.last))
                }
                Step::Fold(fold) => {
                    self.find_exact_in(&fold.body);
                    (fold.out, matches!(fold.with, Fold::Max | Fold::Min) && self.is_exact(fold.value))
                }
                _ => continue,
            };
            match out.class {
                Class::Float => self.exact[out.at as usize] = exact,
                Class::Complex => self.exact_complexes[out.at as usize] = exact,
                _ => {}
            }
        }
    }
}
