//! A conjunction of arithmetic statements, kept in solved form, that may turn out contradictory.
//!
//! Every rule only ever adds consequences of what was asserted, so a conflict is a proof. Where a number
//! leaves 64 bits or a limit is met, the consequence is left out and nothing is claimed.

mod divide;
mod linear;
mod lower;
mod propagate;
mod rows;

use crate::form::{Form, Monomial, Var};
use crate::interval::Interval;
use crate::residue::Residue;
use rustc_hash::FxHashMap;
use semantics::dim::AtomId;
use semantics::prop::PropId;
use std::cell::Cell;
use std::rc::Rc;

pub(crate) use lower::Formula;

/// The asserted statements contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conflict;

/// Work of a case of usual size.
const USUAL_WORK: usize = 400;

pub(crate) type Consistent = Result<(), Conflict>;

#[derive(Clone, Default)]
pub(crate) struct Theory {
    variables: Vec<Variable>,
    /// What each atom met so far is in terms of variables. Not rewritten: see [`Theory::resolve`].
    atoms: Rc<FxHashMap<AtomId, Form>>,
    rows: Vec<Row>,
    /// Forms that are multiples of a number.
    congruences: Vec<(Form, i64)>,
    divisions: Vec<divide::Division>,
    /// Disjunctions that are still open. Not rewritten.
    clauses: Vec<Rc<[Formula]>>,
    truths: FxHashMap<PropId, bool>,
    /// Something changed since the last fixpoint.
    dirty: bool,
    /// Rows and combinations of rows looked at so far: a measure of time that is the same everywhere.
    work: Cell<usize>,
}

#[derive(Clone)]
struct Variable {
    interval: Interval,
    residue: Residue,
    /// The equal form, once known; it mentions no solved variable.
    solved: Option<Form>,
}

#[derive(Clone, Debug)]
struct Row {
    form: Form,
    relation: Relation,
}

/// How a row's form compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Zero,
    NotNegative,
    NotZero,
}

impl Theory {
    /// Adds a statement. Cheap; consequences are drawn by [`Theory::propagate`].
    pub(crate) fn assert(&mut self, formula: &Formula) -> Consistent {
        self.dirty = true;
        match formula {
            Formula::Truth(true) => Ok(()),
            Formula::Truth(false) => Err(Conflict),
            Formula::NotNegative(form) => self.add_row(form.clone(), Relation::NotNegative),
            Formula::Zero(form) => self.add_row(form.clone(), Relation::Zero),
            Formula::NotZero(form) => self.add_row(form.clone(), Relation::NotZero),
            Formula::Free(id, truth) => match self.truths.insert(*id, *truth) {
                Some(before) if before != *truth => Err(Conflict),
                _ => Ok(()),
            },
            Formula::All(inner) => inner.iter().try_for_each(|formula| self.assert(formula)),
            Formula::Any(inner) => {
                self.clauses.push(inner.clone());
                Ok(())
            }
        }
    }

    /// How much work was done on this theory and those it was cloned from, in cases of usual size.
    pub(crate) fn work(&self) -> usize {
        self.work.get() / USUAL_WORK
    }
    fn worked(&self, steps: usize) {
        self.work.set(self.work.get() + steps);
    }

    fn fresh(&mut self, interval: Interval) -> Var {
        self.variables.push(Variable { interval, residue: Residue::ANY, solved: None });
        (self.variables.len() - 1) as Var
    }
    fn variable(&self, var: Var) -> &Variable {
        &self.variables[var as usize]
    }
    pub(crate) fn interval(&self, var: Var) -> Interval {
        self.variable(var).interval
    }

    /// The form in terms of unsolved variables; the form itself where that overflows.
    pub(crate) fn resolve(&self, form: &Form) -> Form {
        let mut result = form.clone();
        // Solved forms mention unsolved variables only, so each variable is replaced once.
        loop {
            let solved = result.vars().find_map(|var| Some((var, self.variable(var).solved.as_ref()?)));
            let Some((var, by)) = solved else { return result };
            match result.substitute(var, by) {
                Some(next) => result = next,
                None => return form.clone(),
            }
        }
    }

    /// Narrows a variable.
    fn narrow(&mut self, var: Var, interval: Interval) -> Consistent {
        let variable = &mut self.variables[var as usize];
        let narrower = variable.residue.tighten(variable.interval.intersect(interval));
        if narrower != variable.interval {
            variable.interval = narrower;
            self.dirty = true;
        }
        if narrower.is_empty() { Err(Conflict) } else { Ok(()) }
    }
    fn narrow_residue(&mut self, var: Var, residue: Residue) -> Consistent {
        let variable = &mut self.variables[var as usize];
        let met = variable.residue.meet(residue).ok_or(Conflict)?;
        if met != variable.residue {
            variable.residue = met;
            self.dirty = true;
            return self.narrow(var, Interval::ALL);
        }
        Ok(())
    }

    /// What the atom is in terms of unsolved variables.
    pub(crate) fn leaf(&mut self, atom: AtomId) -> Form {
        let form = self.atom(atom);
        self.resolve(&form)
    }
    /// What is assumed of a statement without arithmetic.
    pub(crate) fn free_truth(&self, id: PropId) -> Option<bool> {
        self.truths.get(&id).copied()
    }
    pub(crate) fn residue(&self, var: Var) -> Residue {
        self.variable(var).residue
    }

    fn monomial_interval(&self, monomial: &Monomial) -> Interval {
        let mut result = Interval::point(1);
        let mut k = 0;
        while k < monomial.len() {
            let power = monomial[k..].iter().take_while(|&&other| other == monomial[k]).count();
            result = result.times(self.interval(monomial[k]).power(power));
            k += power;
        }
        result
    }
    fn plain_interval(&self, form: &Form) -> Interval {
        form.terms.iter().fold(Interval::point(form.constant), |sum, (monomial, coefficient)| {
            sum.plus(self.monomial_interval(monomial).scaled(*coefficient))
        })
    }
    /// All values the form can take, as far as the variables' intervals tell.
    ///
    /// Products are bounded a second time with every variable counted from its lowest value:
    /// `H*W - H` for `H, W >= 1` is `h*w + w`, which is visibly not negative.
    pub(crate) fn form_interval(&self, form: &Form) -> Interval {
        let plain = self.plain_interval(form);
        if form.degree() < 2 || form.terms.len() < 2 {
            return plain;
        }
        self.shifted_interval(form).map_or(plain, |shifted| plain.intersect(shifted))
    }
    fn shifted_interval(&self, form: &Form) -> Option<Interval> {
        let mut vars: Vec<Var> = form.vars().collect();
        vars.sort_unstable();
        vars.dedup();
        if vars.len() > 6 {
            return None;
        }
        let mut shifted = form.clone();
        for &var in &vars {
            let low = self.interval(var).low;
            if low != 0 && low != i64::MIN {
                shifted = shifted.substitute(var, &Form::var(var).plus_constant(low)?)?;
            }
        }
        let offset = |var: Var| {
            let interval = self.interval(var);
            if interval.low == i64::MIN { interval } else { interval.plus(Interval::point(-interval.low)) }
        };
        Some(shifted.terms.iter().fold(Interval::point(shifted.constant), |sum, (monomial, coefficient)| {
            let product = monomial.iter().fold(Interval::point(1), |all, &var| all.times(offset(var)));
            sum.plus(product.scaled(*coefficient))
        }))
    }
    fn form_residue(&self, form: &Form) -> Residue {
        form.terms.iter().fold(Residue::exactly(form.constant), |sum, (monomial, coefficient)| {
            let product = monomial.iter().fold(Residue::exactly(1), |all, &var| {
                let variable = self.variable(var);
                all.times(variable.interval.value().map_or(variable.residue, Residue::exactly))
            });
            sum.plus(product.scaled(*coefficient))
        })
    }

    /// Whether the statement is already decided by intervals and residues.
    pub(crate) fn truth(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Truth(truth) => Some(*truth),
            Formula::NotNegative(form) => match self.form_interval(&self.resolve(form)) {
                interval if interval.low >= 0 => Some(true),
                interval if interval.high < 0 => Some(false),
                _ => None,
            },
            Formula::Zero(form) => self.is_zero(form),
            Formula::NotZero(form) => self.is_zero(form).map(|zero| !zero),
            Formula::Free(id, truth) => self.truths.get(id).map(|known| known == truth),
            Formula::All(inner) => {
                let mut all = Some(true);
                for formula in inner.iter() {
                    match self.truth(formula) {
                        Some(false) => return Some(false),
                        None => all = None,
                        Some(true) => {}
                    }
                }
                all
            }
            Formula::Any(inner) => {
                let mut any = Some(false);
                for formula in inner.iter() {
                    match self.truth(formula) {
                        Some(true) => return Some(true),
                        None => any = None,
                        Some(false) => {}
                    }
                }
                any
            }
        }
    }
    fn is_zero(&self, form: &Form) -> Option<bool> {
        let form = self.resolve(form);
        let interval = self.form_interval(&form);
        if interval.value() == Some(0) {
            return Some(true);
        }
        if !interval.contains(0) || !self.form_residue(&form).admits(0) {
            return Some(false);
        }
        None
    }

    /// Removes the shortest open disjunction, to split on it.
    pub(crate) fn take_clause(&mut self) -> Option<Rc<[Formula]>> {
        let at = (0..self.clauses.len()).min_by_key(|&at| self.clauses[at].len())?;
        Some(self.clauses.swap_remove(at))
    }
    /// Removes a statement that a form differs from zero, to split on its sign.
    pub(crate) fn take_unequal(&mut self) -> Option<Form> {
        let at = self.rows.iter().position(|row| row.relation == Relation::NotZero)?;
        Some(self.rows.swap_remove(at).form)
    }
    /// An unsolved variable with few values that occurs in a row.
    pub(crate) fn narrow_variable(&self, most: u64) -> Option<(Var, Interval)> {
        self.rows
            .iter()
            .flat_map(|row| row.form.vars())
            .map(|var| (var, self.interval(var)))
            .filter_map(|(var, interval)| interval.count().map(|count| (count, var, interval)))
            .filter(|&(count, ..)| (2..=most).contains(&count))
            .min_by_key(|&(count, var, _)| (count, var))
            .map(|(_, var, interval)| (var, interval))
    }
}
