//! Drawing consequences to a fixpoint: intervals, residues, equations, divisions, unit clauses.

use super::{Conflict, Consistent, Relation, Theory};
use crate::form::{Form, Var};
use crate::interval::Interval;
use crate::residue::Residue;

/// Intervals that would creep towards infinity stop here.
const MOST_ROUNDS: usize = 16;

impl Theory {
    /// `Err` is a proof that the asserted statements contradict each other.
    pub(crate) fn propagate(&mut self) -> Consistent {
        for _ in 0..MOST_ROUNDS {
            self.dirty = false;
            self.worked(self.rows.len() + self.divisions.len() + self.clauses.len());
            self.solve_equations()?;
            self.propagate_divisions()?;
            self.solve_equations()?;
            self.propagate_rows()?;
            self.propagate_congruences()?;
            self.propagate_clauses()?;
            if !self.dirty {
                break;
            }
        }
        Ok(())
    }

    fn propagate_rows(&mut self) -> Consistent {
        let mut at = 0;
        while at < self.rows.len() {
            let row = self.rows[at].clone();
            match row.relation {
                Relation::NotNegative => {
                    if self.form_interval(&row.form).low >= 0 && row.form.degree() < 2 {
                        // It follows from the intervals alone, which only get narrower.
                        self.rows.swap_remove(at);
                        continue;
                    }
                    self.propagate_sum(&row.form)?;
                }
                Relation::Zero => {
                    self.propagate_equation(&row.form)?;
                }
                Relation::NotZero => match self.form_interval(&row.form) {
                    interval if !interval.contains(0) => {
                        self.rows.swap_remove(at);
                        continue;
                    }
                    interval if interval.low == 0 || interval.high == 0 => {
                        let sign = if interval.low == 0 { 1 } else { -1 };
                        self.rows.swap_remove(at);
                        if let Some(form) = row.form.scaled(sign).and_then(|form| form.plus_constant(-1)) {
                            self.add_row(form, Relation::NotNegative)?;
                        }
                        continue;
                    }
                    _ if !self.form_residue(&row.form).admits(0) => {
                        self.rows.swap_remove(at);
                        continue;
                    }
                    _ => {}
                },
            }
            at += 1;
        }
        let equations: Vec<Form> = self.division_equations().collect();
        equations.iter().try_for_each(|equation| self.propagate_equation(equation))
    }

    fn propagate_equation(&mut self, form: &Form) -> Consistent {
        self.propagate_sum(form)?;
        if let Some(negated) = form.negated() {
            self.propagate_sum(&negated)?;
        }
        self.propagate_residue(form, 0)
    }

    /// From `form >= 0`: each term is at least minus the most that the others can be.
    fn propagate_sum(&mut self, form: &Form) -> Consistent {
        if self.form_interval(form).high < 0 {
            return Err(Conflict);
        }
        let most: Vec<i64> = form
            .terms
            .iter()
            .map(|(monomial, coefficient)| self.monomial_interval(monomial).scaled(*coefficient).high)
            .collect();
        let infinite = most.iter().filter(|&&high| high == i64::MAX).count();
        if infinite > 1 {
            return Ok(());
        }
        let finite: i128 = most.iter().filter(|&&high| high != i64::MAX).map(|&high| i128::from(high)).sum();
        for (at, (monomial, coefficient)) in form.terms.iter().enumerate() {
            if infinite == 1 && most[at] != i64::MAX {
                continue;
            }
            let own = if most[at] == i64::MAX { 0 } else { i128::from(most[at]) };
            let Ok(low) = i64::try_from(-(i128::from(form.constant) + finite - own)) else { continue };
            let bound = Interval::at_least(low).quotient(Interval::point(*coefficient));
            self.narrow_monomial(monomial, bound)?;
        }
        Ok(())
    }

    fn narrow_monomial(&mut self, monomial: &[Var], interval: Interval) -> Consistent {
        if let [var] = monomial {
            return self.narrow(*var, interval);
        }
        for (at, &var) in monomial.iter().enumerate() {
            if at > 0 && monomial[at - 1] == var {
                continue;
            }
            let power = monomial.iter().filter(|&&other| other == var).count();
            let rest = monomial
                .iter()
                .filter(|&&other| other != var)
                .fold(Interval::point(1), |product, &other| product.times(self.interval(other)));
            if rest.contains(0) {
                continue;
            }
            let bound = interval.quotient(rest);
            if power == 1 {
                self.narrow(var, bound)?;
            } else if power == 2 && bound.high != i64::MAX {
                if bound.high < 0 {
                    return Err(Conflict);
                }
                let root = bound.high.isqrt();
                self.narrow(var, Interval::new(-root, root))?;
            }
        }
        Ok(())
    }

    /// From `form ≡ 0` modulo `modulus` (0: equal): the residue of each variable whose coefficient allows it.
    fn propagate_residue(&mut self, form: &Form, modulus: i64) -> Consistent {
        let whole = self.form_residue(form);
        if whole.meet(Residue::new(modulus, 0)).is_none() {
            return Err(Conflict);
        }
        for (monomial, coefficient) in &form.terms {
            let [var] = monomial.as_slice() else { continue };
            let Some(rest) = coefficient.checked_neg().and_then(|c| form.plus(&Form::var(*var), c)) else {
                continue;
            };
            if rest.mentions(*var) {
                continue;
            }
            // coefficient * var ≡ -rest (mod m)
            let known = self.form_residue(&rest).scaled(-1);
            let known = Residue::new(crate::interval::gcd(known.modulus, modulus), known.rest);
            let (m, c) = (known.modulus, *coefficient);
            let common = crate::interval::gcd(m, c);
            if known.rest % common != 0 {
                return Err(Conflict);
            }
            let (m, c, r) = (m / common, c / common, known.rest / common);
            match m {
                0 => {
                    if let (1 | -1, Some(value)) = (c, r.checked_mul(c)) {
                        self.narrow_residue(*var, Residue::exactly(value))?;
                    }
                }
                1 => {}
                _ => {
                    if let Some(inverse) = inverse(c.rem_euclid(m), m)
                        && let Some(rest) = r.rem_euclid(m).checked_mul(inverse)
                    {
                        self.narrow_residue(*var, Residue::new(m, rest))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn propagate_congruences(&mut self) -> Consistent {
        for at in 0..self.congruences.len() {
            let (form, modulus) = self.congruences[at].clone();
            self.propagate_residue(&form, modulus)?;
        }
        Ok(())
    }

    fn propagate_clauses(&mut self) -> Consistent {
        let mut at = 0;
        while at < self.clauses.len() {
            let clause = self.clauses[at].clone();
            let mut open = None;
            let mut several = false;
            let mut satisfied = false;
            for formula in clause.iter() {
                match self.truth(formula) {
                    Some(true) => satisfied = true,
                    Some(false) => {}
                    None => {
                        several |= open.is_some();
                        open = open.or(Some(formula));
                    }
                }
            }
            if satisfied {
                self.clauses.swap_remove(at);
                continue;
            }
            let Some(unit) = open else { return Err(Conflict) };
            if !several {
                self.clauses.swap_remove(at);
                self.assert(unit)?;
                continue;
            }
            at += 1;
        }
        Ok(())
    }
}

/// The inverse of `a` modulo `m`, which are coprime.
fn inverse(a: i64, m: i64) -> Option<i64> {
    let (mut r, mut next_r) = (i128::from(m), i128::from(a));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    (r == 1).then(|| i64::try_from(t.rem_euclid(i128::from(m))).ok()).flatten()
}
