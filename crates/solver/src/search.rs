//! Looking for a model: values are tried one unknown after the other, natural ones first, and what follows
//! from each is propagated. Whatever is found is checked by evaluation.

use crate::compiled::Point;
use crate::form::{Form, Var};
use crate::problem::{Coordinates, Problem};
use crate::theory::{Formula, Theory};
use crate::verdict::Model;

/// Sizes people use, in the order they are tried.
const NATURAL: [i64; 20] = [1, 2, 3, 4, 8, 5, 6, 7, 10, 16, 32, 64, 128, 224, 9, 12, 100, 256, 1000, 0];
/// Nobody likes to hear of a larger one where a smaller one will do.
const LARGEST_NATURAL: i64 = 1000;
const MOST_CANDIDATES: usize = 28;
/// Combinations of this many statements without arithmetic are tried out.
const MOST_FREE: usize = 5;

/// A model of the facts in which the goal is as the theory states it.
/// `theory` holds the facts and the goal (or its negation) and has been propagated.
pub(crate) fn find(problem: &Problem, theory: &Theory, truth: bool, budget: &mut usize) -> Option<Model> {
    if !problem.can_be_evaluated() {
        return None;
    }
    let mut search = Search { problem, truth, budget, point: problem.point() };
    search.descend(theory)?;
    search.simplify();
    Some(problem.model(&search.point))
}

/// Tries out a few assignments without thinking: the goal's unknowns at natural values, everything else at one.
pub(crate) fn sample(problem: &Problem, budget: usize, found: &mut dyn FnMut(bool, Model) -> bool) {
    if !problem.can_be_evaluated() || problem.free_count() > 2 {
        return;
    }
    let mut left = budget / problem.size();
    let mut point = problem.point();
    for background in [1, 2, 8] {
        for at in 0..=problem.goal_leaves() {
            for value in NATURAL {
                for free in [false, true] {
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    problem.fill(&mut point, background);
                    if let Some(leaf) = at.checked_sub(1) {
                        point.leaves[leaf] = value;
                    }
                    point.free.fill(free);
                    if let Ok(truth) = problem.goal_at(&mut point)
                        && found(truth, problem.model(&point))
                    {
                        return;
                    }
                    if point.free.is_empty() {
                        break;
                    }
                }
                if at == 0 {
                    break;
                }
            }
        }
    }
}

struct Search<'a> {
    problem: &'a Problem,
    truth: bool,
    budget: &'a mut usize,
    point: Point,
}

impl Search<'_> {
    fn descend(&mut self, theory: &Theory) -> Option<()> {
        if *self.budget == 0 {
            return None;
        }
        let before = theory.work();
        let mut theory = theory.clone();
        let consistent = theory.propagate();
        *self.budget = self.budget.saturating_sub(1 + theory.work() - before);
        consistent.ok()?;
        let coordinates = Coordinates::new(self.problem, &mut theory);
        // The most constrained unknown first.
        let width = |var: &Var| theory.interval(*var).count().unwrap_or(u64::MAX);
        let Some(&var) = coordinates.open.iter().min_by_key(|var| (width(var).max(16), width(var) > 64))
        else {
            return self.accept(&theory, &coordinates);
        };
        for value in self.candidates(&theory, var) {
            let mut branch = theory.clone();
            let Some(fixed) = value.checked_neg().and_then(|value| Form::var(var).plus_constant(value))
            else {
                continue;
            };
            if branch.assert(&Formula::Zero(fixed)).is_err() {
                continue;
            }
            if self.descend(&branch).is_some() {
                return Some(());
            }
            if *self.budget == 0 {
                return None;
            }
        }
        None
    }

    fn accept(&mut self, theory: &Theory, coordinates: &Coordinates) -> Option<()> {
        for (at, form) in coordinates.leaves.iter().enumerate() {
            self.point.leaves[at] = form.known()?;
        }
        let open = self.problem.open_free(theory);
        if open > MOST_FREE {
            return None;
        }
        (0..1u32 << open).find_map(|choice| {
            self.problem.choose_free(theory, choice, &mut self.point);
            (self.problem.goal_at(&mut self.point) == Ok(self.truth)).then_some(())
        })
    }

    fn candidates(&self, theory: &Theory, var: Var) -> Vec<i64> {
        let (interval, residue) = (theory.interval(var), theory.residue(var));
        let mut values: Vec<i64> = Vec::with_capacity(MOST_CANDIDATES);
        let mut offer = |value: i64| {
            if values.len() < MOST_CANDIDATES
                && interval.contains(value)
                && residue.admits(value)
                && !values.contains(&value)
            {
                values.push(value);
            }
        };
        NATURAL.iter().take(6).for_each(|&value| offer(value));
        for &constant in self.problem.constants() {
            if (-4096..=4096).contains(&constant) {
                offer(constant);
                offer(constant + 1);
                offer(constant - 1);
            }
        }
        if interval.low != i64::MIN {
            (0..4).for_each(|k: i64| {
                offer(interval.low.saturating_add(k.saturating_mul(residue.modulus.max(1))))
            });
        }
        if interval.high != i64::MAX {
            (0..2).for_each(|k: i64| {
                offer(interval.high.saturating_sub(k.saturating_mul(residue.modulus.max(1))))
            });
        }
        NATURAL.iter().for_each(|&value| offer(value));
        (-2..0).for_each(offer);
        values
    }

    /// Smaller and rounder numbers where each can be changed alone.
    fn simplify(&mut self) {
        for at in 0..self.point.leaves.len() {
            let found = self.point.leaves[at];
            let natural = NATURAL.into_iter().take_while(|&value| value != found);
            let natural = natural.filter(|&value| found <= 0 || value <= found && value != 0);
            if !self.replace(at, natural) && found > LARGEST_NATURAL {
                // Every small number, and then larger ones with the remainders that small ones have.
                let steps = (1..=8).flat_map(|step| (0..8).map(move |rest| step * 120 + rest));
                self.replace(at, (1..=64).chain(steps));
            }
        }
    }
    /// Gives an unknown the first of these values that will do.
    fn replace(&mut self, at: usize, values: impl IntoIterator<Item = i64>) -> bool {
        let mut better = self.point.clone();
        for value in values {
            better.leaves[at] = value;
            if self.problem.goal_at(&mut better) == Ok(self.truth) {
                self.point = better;
                return true;
            }
        }
        false
    }
}
