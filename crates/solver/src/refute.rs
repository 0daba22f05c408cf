//! Proof by contradiction: propagate, then linear arithmetic, then distinguish cases.

use crate::form::Form;
use crate::interval::Interval;
use crate::theory::{Conflict, Formula, Theory};
use std::rc::Rc;

/// Which means a proof needed, from cheap to dear.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Proof {
    Propagation,
    Linear,
    Cases,
}

/// Variables with at most this many values are split.
const FEW_VALUES: u64 = 8;
const DEEPEST: usize = 12;

/// Without distinguishing cases.
pub(crate) fn refute_directly(theory: &mut Theory) -> Option<Proof> {
    if theory.propagate() == Err(Conflict) {
        return Some(Proof::Propagation);
    }
    (theory.check_linear() == Err(Conflict)).then_some(Proof::Linear)
}

/// Every case is contradictory. The theory has been propagated; `budget` counts cases and is used up.
pub(crate) fn refute_by_cases(theory: &Theory, budget: &mut usize) -> bool {
    descend(theory, budget, 0)
}

fn descend(theory: &Theory, budget: &mut usize, depth: usize) -> bool {
    if depth >= DEEPEST {
        return false;
    }
    let mut rest = theory.clone();
    let Some(cases) = take_cases(&mut rest) else { return false };
    for case in cases.iter() {
        if *budget == 0 {
            return false;
        }
        let mut branch = rest.clone();
        let refuted = branch.assert(case).is_err() || refute_directly(&mut branch).is_some();
        *budget = budget.saturating_sub(1 + branch.work() - rest.work());
        if refuted {
            continue;
        }
        if !descend(&branch, budget, depth + 1) {
            return false;
        }
    }
    true
}

/// Statements of which at least one holds; what says so is removed.
fn take_cases(theory: &mut Theory) -> Option<Rc<[Formula]>> {
    if let Some(clause) = theory.take_clause() {
        return Some(clause);
    }
    if let Some(form) = theory.take_unequal() {
        let above = form.plus_constant(-1)?;
        let below = form.negated()?.plus_constant(-1)?;
        return Some(Rc::new([Formula::NotNegative(above), Formula::NotNegative(below)]));
    }
    let (var, Interval { low, high }) = theory.narrow_variable(FEW_VALUES)?;
    (low..=high)
        .map(|value| Some(Formula::Zero(Form::var(var).plus_constant(value.checked_neg()?)?)))
        .collect()
}
