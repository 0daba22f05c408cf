//! From statements and expressions of `semantics` to formulas and forms of the theory.

use super::{Consistent, Relation, Theory};
use crate::form::Form;
use crate::interval::Interval;
use crate::shapes::consequences;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropId, PropView};
use std::rc::Rc;

/// A statement with its negations pushed inside.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Truth(bool),
    /// `form >= 0`.
    NotNegative(Form),
    Zero(Form),
    NotZero(Form),
    /// A statement without arithmetic, which may be true or false.
    Free(PropId, bool),
    All(Rc<[Formula]>),
    Any(Rc<[Formula]>),
}

impl Theory {
    /// Adds the statement, or its negation.
    pub(crate) fn assert_prop(&mut self, prop: Prop, truth: bool) -> Consistent {
        let formula = self.lower(prop, truth);
        self.assert(&formula)
    }

    /// The statement (or its negation) as a formula. A part that cannot be expressed is left open
    /// in a way that only weakens what is asserted.
    pub(crate) fn lower(&mut self, prop: Prop, truth: bool) -> Formula {
        if let Some(known) = prop.known() {
            return Formula::Truth(known == truth);
        }
        match prop.view() {
            PropView::Constant(known) => Formula::Truth(known == truth),
            PropView::Equal(a, b) => match self.difference(a, b) {
                Some(form) if truth => Formula::Zero(form),
                Some(form) => Formula::NotZero(form),
                None => Formula::Free(prop.id(), truth),
            },
            PropView::AtMost(a, b) => {
                let form = self.difference(b, a);
                let form = match truth {
                    true => form,
                    // Over integers the negation of `x >= 0` is `-x - 1 >= 0`.
                    false => form.and_then(|form| form.negated()?.plus_constant(-1)),
                };
                form.map_or(Formula::Free(prop.id(), truth), Formula::NotNegative)
            }
            PropView::And(inner) | PropView::Or(inner) => {
                let all = matches!(prop.view(), PropView::And(_)) == truth;
                let inner: Rc<[Formula]> = inner.into_iter().map(|prop| self.lower(prop, truth)).collect();
                if all { Formula::All(inner) } else { Formula::Any(inner) }
            }
            PropView::Not(inner) => self.lower(inner, !truth),
            PropView::SameShape(a, b) if truth => {
                let inner = consequences(a, b).into_iter().map(|prop| self.lower(prop, true));
                let mut all: Vec<Formula> = inner.collect();
                all.push(Formula::Free(prop.id(), true));
                Formula::All(all.into())
            }
            // Shapes that are the same can be broadcast together.
            PropView::Broadcastable(a, b) if !truth => Formula::All(Rc::new([
                Formula::Free(prop.id(), false),
                Formula::Free(a.same(b).id(), false),
                Formula::Free(b.same(a).id(), false),
            ])),
            PropView::SameShape(..)
            | PropView::Broadcastable(..)
            | PropView::Value(_)
            | PropView::Free(..) => Formula::Free(prop.id(), truth),
        }
    }

    fn difference(&mut self, a: Dim, b: Dim) -> Option<Form> {
        let (a, b) = (self.form(a)?, self.form(b)?);
        a.plus(&b, -1)
    }

    /// The expression over variables; `None` on overflow.
    pub(crate) fn form(&mut self, dim: Dim) -> Option<Form> {
        if let Some(value) = dim.known() {
            return Some(Form::constant(value));
        }
        let normal = dim.terms();
        let mut total = Form::constant(normal.constant);
        for (coefficient, atoms) in normal.terms {
            let mut product = Form::constant(1);
            for atom in atoms {
                product = product.times(&self.atom(atom))?;
            }
            total = total.plus(&product, coefficient)?;
        }
        Some(total)
    }

    pub(super) fn atom(&mut self, atom: AtomId) -> Form {
        if let Some(form) = self.atoms.get(&atom) {
            return form.clone();
        }
        let form = self.define(atom).unwrap_or_else(|| {
            let var = self.fresh(atom.bounds().into());
            Form::var(var)
        });
        Rc::make_mut(&mut self.atoms).insert(atom, form.clone());
        form
    }

    /// Introduces what stands for an atom, with the statements that define it.
    /// They cannot conflict with anything: a conflict shows when they are propagated.
    fn define(&mut self, atom: AtomId) -> Option<Form> {
        match atom.view() {
            AtomView::FloorDiv(a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                self.divide(&a, &b, atom.bounds().into()).map(|(quotient, _)| quotient)
            }
            AtomView::Modulo(a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                self.divide(&a, &b, Interval::ALL).map(|(_, remainder)| remainder)
            }
            AtomView::Min(a, b) => self.extremum(atom, a, b, -1),
            AtomView::Max(a, b) => self.extremum(atom, a, b, 1),
            AtomView::Product(a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                a.times(&b)
            }
            AtomView::Select(condition, a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                let then = self.lower(condition, true);
                let otherwise = self.lower(condition, false);
                let var = self.fresh(atom.bounds().into());
                let is = |value: &Form| Form::var(var).plus(value, -1).map(Formula::Zero);
                let cases =
                    [Formula::All(Rc::new([then, is(&a)?])), Formula::All(Rc::new([otherwise, is(&b)?]))];
                self.clauses.push(Rc::new(cases));
                Some(Form::var(var))
            }
            AtomView::Symbol(_)
            | AtomView::Rank(_)
            | AtomView::Size(..)
            | AtomView::Count(..)
            | AtomView::Value(_) => None,
        }
    }

    /// The larger (sign 1) or smaller (sign -1) of two.
    fn extremum(&mut self, atom: AtomId, a: Dim, b: Dim, sign: i64) -> Option<Form> {
        let (a, b) = (self.form(a)?, self.form(b)?);
        let var = self.fresh(atom.bounds().into());
        let over = |other: &Form| Form::var(var).plus(other, -1);
        let (over_a, over_b) = (over(&a)?, over(&b)?);
        let a_over_b = a.plus(&b, -1)?.scaled(sign)?;
        let cases = [
            Formula::All(Rc::new([Formula::NotNegative(a_over_b.clone()), Formula::Zero(over_a.clone())])),
            Formula::All(Rc::new([Formula::NotNegative(a_over_b.negated()?), Formula::Zero(over_b.clone())])),
        ];
        self.clauses.push(Rc::new(cases));
        for over in [over_a, over_b] {
            // A variable just made has no other bound that this could contradict.
            let _ = self.add_row(over.scaled(sign)?, Relation::NotNegative);
        }
        Some(Form::var(var))
    }
}
