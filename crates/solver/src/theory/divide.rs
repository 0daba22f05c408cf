//! Floor division: `numerator = divisor * quotient + remainder`.
//!
//! For a divisor of at least 1 the remainder lies in `0..divisor`; `x // 0` is 0 and `x % 0` is `x`, as
//! folding has it, so the equation holds for every divisor.

use super::{Conflict, Consistent, Formula, Relation, Theory};
use crate::form::{Form, Var};
use crate::interval::{Interval, gcd};
use crate::residue::Residue;
use std::rc::Rc;

#[derive(Clone)]
pub(super) struct Division {
    pub(super) numerator: Form,
    pub(super) divisor: Form,
    pub(super) quotient: Form,
    pub(super) remainder: Form,
    /// The divisor is known to be positive and the remainder's bounds are stated.
    positive: bool,
    /// The remainder is a number, and the equation is among the rows.
    exact: bool,
}

impl Theory {
    /// Quotient and remainder as forms. Multiples of a constant divisor leave the division first,
    /// so that divisions which differ by them share one quotient.
    pub(super) fn divide(&mut self, a: &Form, b: &Form, bounds: Interval) -> Option<(Form, Form)> {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let Some(divisor) = b.known().filter(|&divisor| divisor >= 1) else {
            return Some(self.division(&a, &b, bounds));
        };
        if divisor == 1 {
            return Some((a, Form::constant(0)));
        }
        // a = divisor * whole + rest, coefficients of the rest in 0..divisor.
        let mut whole = Form::constant(a.constant.div_euclid(divisor));
        let mut rest = Form::constant(a.constant.rem_euclid(divisor));
        for (monomial, coefficient) in &a.terms {
            let term = Form::monomial(monomial.clone(), 1);
            whole = whole.plus(&term, coefficient.div_euclid(divisor))?;
            rest = rest.plus(&term, coefficient.rem_euclid(divisor))?;
        }
        // rest = common * inner + left, and left < common does not reach the quotient.
        let common = gcd(rest.content(), divisor);
        if rest.known().is_some() {
            return Some((whole, rest));
        }
        let left = rest.constant.rem_euclid(common);
        let inner = rest.plus_constant(-left)?.divided(common);
        if divisor == common {
            return Some((whole.plus(&inner, 1)?, Form::constant(left)));
        }
        let (quotient, remainder) = self.division(&inner, &Form::constant(divisor / common), Interval::ALL);
        Some((whole.plus(&quotient, 1)?, remainder.scaled(common)?.plus_constant(left)?))
    }

    fn division(&mut self, numerator: &Form, divisor: &Form, bounds: Interval) -> (Form, Form) {
        if let Some(same) =
            self.divisions.iter().find(|known| known.numerator == *numerator && known.divisor == *divisor)
        {
            return (same.quotient.clone(), same.remainder.clone());
        }
        let quotient = Form::var(self.fresh(bounds));
        let remainder = Form::var(self.fresh(Interval::ALL));
        if let Some(clause) = self.carry(numerator, divisor, &quotient, &remainder) {
            self.clauses.push(clause);
        }
        self.divisions.push(Division {
            numerator: numerator.clone(),
            divisor: divisor.clone(),
            quotient: quotient.clone(),
            remainder: remainder.clone(),
            positive: false,
            exact: false,
        });
        (quotient, remainder)
    }

    /// How a new division relates to one whose numerator differs by a number: adding less than the divisor
    /// carries at most one into the quotient.
    fn carry(
        &self,
        numerator: &Form,
        divisor: &Form,
        quotient: &Form,
        remainder: &Form,
    ) -> Option<Rc<[Formula]>> {
        let by = divisor.known().filter(|&by| by >= 2)?;
        let (near, step) = self.divisions.iter().find_map(|known| {
            let step = numerator.plus(&known.numerator, -1)?.known()?;
            (known.divisor == *divisor && step.checked_abs()? < by).then_some((known, step))
        })?;
        let more = quotient.plus(&near.quotient, -1)?;
        let change = remainder.plus(&near.remainder, -1)?.plus_constant(-step)?;
        let sign = step.signum();
        let stays = [Formula::Zero(more.clone()), Formula::Zero(change.clone())];
        let moves =
            [Formula::Zero(more.plus_constant(-sign)?), Formula::Zero(change.plus_constant(by * sign)?)];
        Some(Rc::new([Formula::All(Rc::new(stays)), Formula::All(Rc::new(moves))]))
    }

    pub(super) fn substitute_in_divisions(&mut self, var: Var, value: &Form) {
        for division in &mut self.divisions {
            for form in [
                &mut division.numerator,
                &mut division.divisor,
                &mut division.quotient,
                &mut division.remainder,
            ] {
                if form.mentions(var)
                    && let Some(next) = form.substitute(var, value)
                {
                    *form = next;
                }
            }
        }
    }

    /// `numerator - divisor * quotient - remainder`, which is zero.
    pub(super) fn division_equations(&self) -> impl Iterator<Item = Form> + '_ {
        self.divisions.iter().filter(|division| !division.exact).filter_map(|division| {
            let product = division.divisor.times(&division.quotient)?;
            division.numerator.plus(&product, -1)?.plus(&division.remainder, -1)
        })
    }

    /// Draws consequences of every division from what is known of its parts.
    pub(super) fn propagate_divisions(&mut self) -> Consistent {
        for at in 0..self.divisions.len() {
            let division = self.divisions[at].clone();
            self.propagate_division(at, &division)?;
        }
        self.relate_divisions()
    }

    fn propagate_division(&mut self, at: usize, division: &Division) -> Consistent {
        let Division { numerator, divisor, quotient, remainder, .. } = division;
        if division.exact {
            return Ok(());
        }
        let by = self.form_interval(divisor);
        if by.value() == Some(0) {
            self.divisions[at].exact = true;
            self.add_row(quotient.clone(), Relation::Zero)?;
            return self.add_equal(remainder, numerator);
        }
        if by.low < 1 {
            return Ok(());
        }
        if !division.positive {
            self.divisions[at].positive = true;
            self.add_row(remainder.clone(), Relation::NotNegative)?;
            if let Some(room) = divisor.plus(remainder, -1).and_then(|form| form.plus_constant(-1)) {
                self.add_row(room, Relation::NotNegative)?;
            }
        }
        let over = self.form_interval(numerator);
        self.narrow_form(quotient, over.div_floor(by))?;
        self.narrow_form(remainder, over.modulo(by))?;
        // The numerator lies between the multiples of the divisor.
        let (whole, rest) = (self.form_interval(quotient), self.form_interval(remainder));
        self.narrow_form(numerator, whole.times(by).plus(rest))?;

        if let Some(by) = by.value() {
            // The remainder is the numerator's residue, as far as that is known.
            let residue = self.form_residue(numerator);
            let modulus = gcd(residue.modulus, by);
            if modulus == by {
                self.narrow_form(remainder, Interval::point(residue.rest.rem_euclid(by)))?;
            } else if modulus > 1
                && let Some(var) = remainder.as_var()
            {
                self.narrow_residue(var, Residue::new(modulus, residue.rest))?;
            }
        }
        if let Some(value) = self.form_interval(remainder).value() {
            self.divisions[at].exact = true;
            let equation = divisor
                .times(quotient)
                .and_then(|product| numerator.plus(&product, -1)?.plus_constant(value.checked_neg()?));
            if let Some(equation) = equation {
                self.add_row(equation, Relation::Zero)?;
            }
        }
        Ok(())
    }

    /// Divisions by the same divisor whose numerators differ by a multiple of it.
    fn relate_divisions(&mut self) -> Consistent {
        for i in 0..self.divisions.len() {
            for j in 0..i {
                let (a, b) = (&self.divisions[i], &self.divisions[j]);
                if a.divisor != b.divisor {
                    continue;
                }
                let Some(difference) = a.numerator.plus(&b.numerator, -1) else { continue };
                let multiple = match (difference.known(), a.divisor.known()) {
                    (Some(0), _) => Some(Form::constant(0)),
                    (_, Some(by)) if by >= 1 => {
                        let fits = difference.content() % by == 0 && difference.constant % by == 0;
                        fits.then(|| difference.divided(by))
                    }
                    _ => None,
                };
                if let Some(multiple) = multiple
                    && let Some(expected) = b.quotient.plus(&multiple, 1)
                {
                    let (quotient, remainder, other) =
                        (a.quotient.clone(), a.remainder.clone(), b.remainder.clone());
                    self.add_equal(&quotient, &expected)?;
                    self.add_equal(&remainder, &other)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn add_equal(&mut self, a: &Form, b: &Form) -> Consistent {
        match a.plus(b, -1) {
            Some(difference) if difference.known() == Some(0) => Ok(()),
            Some(difference) => self.add_row(difference, Relation::Zero),
            None => Ok(()),
        }
    }

    /// Narrows a form that is a variable; checks any other.
    pub(super) fn narrow_form(&mut self, form: &Form, interval: Interval) -> Consistent {
        match form.as_var() {
            Some(var) => self.narrow(var, interval),
            None if self.form_interval(form).intersect(interval).is_empty() => Err(Conflict),
            None => Ok(()),
        }
    }
}
