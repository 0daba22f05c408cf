//! Trying every assignment, where there are few. The answer is exact.

use crate::problem::{Coordinates, Miss, Problem};
use crate::theory::Theory;
use crate::verdict::Model;

/// What trying every assignment found; where there is no model, there is none.
#[derive(Default)]
pub(crate) struct Found {
    /// Satisfies the facts and makes the goal false.
    pub(crate) witness: Option<Model>,
    /// Satisfies the facts and makes the goal true.
    pub(crate) example: Option<Model>,
}

/// `None` if there are too many assignments for the budget, or one cannot be computed.
/// `theory` holds the facts and has been propagated.
pub(crate) fn enumerate(problem: &Problem, theory: &Theory, budget: usize) -> Option<Found> {
    let free = problem.free_count();
    if !problem.can_be_evaluated() || free > 12 {
        return None;
    }
    let mut theory = theory.clone();
    let coordinates = Coordinates::new(problem, &mut theory);
    let domains: Vec<_> =
        coordinates.open.iter().map(|&var| (theory.interval(var), theory.residue(var))).collect();
    let mut points: u64 = 1 << free;
    for (interval, residue) in &domains {
        let step = residue.modulus.max(1).unsigned_abs();
        points = points.checked_mul(interval.count()?.div_ceil(step))?;
        if points.saturating_mul(problem.size() as u64) > budget as u64 {
            return None;
        }
    }
    let mut values: Vec<i64> = domains.iter().map(|(interval, _)| interval.low).collect();
    let mut point = problem.point();
    let mut found = Found::default();
    loop {
        for (at, form) in coordinates.leaves.iter().enumerate() {
            let mut total = i128::from(form.constant);
            for (monomial, coefficient) in &form.terms {
                let product = monomial.iter().try_fold(i128::from(*coefficient), |product, var| {
                    let position = coordinates.open.iter().position(|open| open == var)?;
                    product.checked_mul(values[position].into())
                })?;
                total = total.checked_add(product)?;
            }
            point.leaves[at] = i64::try_from(total).ok()?;
        }
        for choice in 0..1u32 << free {
            for (at, truth) in point.free.iter_mut().enumerate() {
                *truth = choice >> at & 1 == 1;
            }
            match problem.goal_at(&mut point) {
                Ok(true) => found.example = found.example.or_else(|| Some(problem.model(&point))),
                Ok(false) => found.witness = found.witness.or_else(|| Some(problem.model(&point))),
                Err(Miss::Excluded) => {}
                Err(Miss::NotComputed) => return None,
            }
        }
        if found.witness.is_some() && found.example.is_some() {
            return Some(found);
        }
        // The next assignment, like an odometer.
        let mut at = 0;
        loop {
            if at == values.len() {
                return Some(found);
            }
            let (interval, residue) = domains[at];
            let next = values[at].saturating_add(residue.modulus.max(1));
            if next <= interval.high {
                values[at] = next;
                break;
            }
            values[at] = interval.low;
            at += 1;
        }
    }
}
