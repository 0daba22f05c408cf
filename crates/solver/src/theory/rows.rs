//! Rows: forms compared with zero, normalised, and equations solved for one variable.

use super::{Conflict, Consistent, Relation, Row, Theory};
use crate::form::{Form, Var};
use crate::interval::Interval;

/// More rows than this are not kept: leaving one out is sound.
const MOST_ROWS: usize = 400;

impl Theory {
    pub(super) fn add_row(&mut self, form: Form, relation: Relation) -> Consistent {
        let form = self.resolve(&form);
        if let Some(row) = self.normalise(form, relation)?
            && self.rows.len() < MOST_ROWS
            && !self.subsumed(&row)
        {
            self.dirty = true;
            self.rows.push(row);
        }
        Ok(())
    }

    /// A row with the same terms that says at least as much.
    fn subsumed(&mut self, row: &Row) -> bool {
        for old in &mut self.rows {
            if old.relation != row.relation || old.form.terms != row.form.terms {
                continue;
            }
            match row.relation {
                _ if old.form.constant == row.form.constant => return true,
                Relation::NotNegative => {
                    if row.form.constant < old.form.constant {
                        old.form.constant = row.form.constant;
                        self.dirty = true;
                    }
                    return true;
                }
                Relation::Zero | Relation::NotZero => {}
            }
        }
        false
    }

    /// Divides by common factors. A row about one variable becomes its interval, and none is left.
    pub(super) fn normalise(&mut self, mut form: Form, relation: Relation) -> Result<Option<Row>, Conflict> {
        // A factor that cannot be zero (or negative) does not matter.
        for var in form.common_vars() {
            let interval = self.interval(var);
            let positive = interval.low >= 1;
            if (positive || (relation != Relation::NotNegative && interval.high <= -1))
                && let Some(less) = form.without(var)
            {
                form = less;
            }
        }
        if let Some(value) = form.known() {
            let holds = match relation {
                Relation::Zero => value == 0,
                Relation::NotNegative => value >= 0,
                Relation::NotZero => value != 0,
            };
            return if holds { Ok(None) } else { Err(Conflict) };
        }
        let content = form.content();
        if content > 1 {
            match relation {
                Relation::NotNegative => {
                    let rounded = form.constant.div_euclid(content);
                    form = form.divided(content);
                    form.constant = rounded;
                }
                Relation::Zero if form.constant % content != 0 => return Err(Conflict),
                Relation::NotZero if form.constant % content != 0 => return Ok(None),
                Relation::Zero | Relation::NotZero => form = form.divided(content),
            }
        }
        if relation != Relation::NotNegative
            && form.terms[0].1 < 0
            && let Some(negated) = form.negated()
        {
            form = negated;
        }
        if let [(monomial, coefficient)] = form.terms.as_slice()
            && let [var] = monomial.as_slice()
            && let (1 | -1, Some(opposite)) = (*coefficient, form.constant.checked_neg())
        {
            match (relation, coefficient) {
                (Relation::Zero, 1) => {
                    self.narrow(*var, Interval::point(opposite))?;
                    return Ok(None);
                }
                (Relation::NotNegative, 1) => {
                    self.narrow(*var, Interval::at_least(opposite))?;
                    return Ok(None);
                }
                (Relation::NotNegative, -1) => {
                    self.narrow(*var, Interval::at_most(form.constant))?;
                    return Ok(None);
                }
                _ => {}
            }
        }
        Ok(Some(Row { form, relation }))
    }

    /// Solves equations for a variable with coefficient one, as long as there are any.
    /// Division equations whose remainder is open are not in `rows`, so sizes stay sizes.
    pub(super) fn solve_equations(&mut self) -> Consistent {
        let fixed = |theory: &Theory| {
            (0..theory.variables.len() as Var).find_map(|var| {
                let variable = theory.variable(var);
                let value = variable.interval.value().filter(|_| variable.solved.is_none())?;
                Some((var, Form::constant(value)))
            })
        };
        loop {
            if let Some((var, value)) = fixed(self) {
                self.eliminate(var, &value)?;
                continue;
            }
            let found = self.rows.iter().enumerate().find_map(|(at, row)| {
                let solution = (row.relation == Relation::Zero).then(|| solvable(&row.form)).flatten()?;
                Some((at, solution))
            });
            let Some((at, (var, value))) = found else { return Ok(()) };
            self.rows.swap_remove(at);
            self.eliminate(var, &value)?;
        }
    }

    fn eliminate(&mut self, var: Var, value: &Form) -> Consistent {
        self.dirty = true;
        let variable = &mut self.variables[var as usize];
        variable.solved = Some(value.clone());
        let (interval, residue) = (variable.interval, variable.residue);
        for other in &mut self.variables {
            if let Some(form) = other.solved.as_ref().filter(|form| form.mentions(var))
                && let Some(next) = form.substitute(var, value)
            {
                other.solved = Some(next);
            }
        }
        for row in std::mem::take(&mut self.rows) {
            let next = if row.form.mentions(var) { row.form.substitute(var, value) } else { None };
            match next {
                None => self.rows.push(row),
                Some(form) => {
                    if let Some(row) = self.normalise(form, row.relation)?
                        && !self.subsumed(&row)
                    {
                        self.rows.push(row);
                    }
                }
            }
        }
        for (form, _) in &mut self.congruences {
            if let Some(next) = form.substitute(var, value) {
                *form = next;
            }
        }
        self.substitute_in_divisions(var, value);
        // What was known of the variable now is a statement about its value.
        if value.known().is_none() {
            if interval.low != i64::MIN
                && let Some(form) = value.plus_constant(-interval.low)
            {
                self.add_row(form, Relation::NotNegative)?;
            }
            if interval.high != i64::MAX
                && let Some(form) = value.negated().and_then(|form| form.plus_constant(interval.high))
            {
                self.add_row(form, Relation::NotNegative)?;
            }
            if residue.modulus > 1
                && let Some(form) = value.plus_constant(-residue.rest)
            {
                self.congruences.push((form, residue.modulus));
            }
        } else if let Some(value) = value.known()
            && !(interval.contains(value) && residue.admits(value))
        {
            return Err(Conflict);
        }
        Ok(())
    }
}

/// A variable with coefficient one that occurs nowhere else in the equation, and what it equals.
/// The latest variable goes: later ones are derived from earlier ones.
fn solvable(form: &Form) -> Option<(Var, Form)> {
    let occurrences = |var: Var| form.terms.iter().filter(|(monomial, _)| monomial.contains(&var)).count();
    let (var, coefficient) = form
        .terms
        .iter()
        .filter(|(monomial, coefficient)| monomial.len() == 1 && matches!(coefficient, 1 | -1))
        .map(|(monomial, coefficient)| (monomial[0], *coefficient))
        .filter(|&(var, _)| occurrences(var) == 1)
        .max_by_key(|&(var, _)| var)?;
    let rest = form.plus(&Form::var(var), coefficient.checked_neg()?)?;
    let value = rest.scaled(coefficient.checked_neg()?)?;
    // An equation that repeats a long product everywhere would only make the rest longer.
    (value.terms.len() <= 12).then_some((var, value))
}
