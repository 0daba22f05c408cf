//! Polynomials over the solver's own variables, in a canonical order.
//!
//! Arithmetic is checked: `None` means that a number left 64 bits or the polynomial grew too long, and the
//! caller learns nothing.

use crate::interval::gcd;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

pub(crate) type Var = u32;
/// Sorted; a power is a repetition; never empty.
pub(crate) type Monomial = SmallVec<[Var; 4]>;

const MOST_TERMS: usize = 96;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Form {
    pub(crate) constant: i64,
    /// Sorted by monomial, no zero coefficient.
    pub(crate) terms: SmallVec<[(Monomial, i64); 2]>,
}

impl Form {
    pub(crate) fn constant(value: i64) -> Form {
        Form { constant: value, terms: SmallVec::new() }
    }
    pub(crate) fn var(var: Var) -> Form {
        Form { constant: 0, terms: smallvec![(smallvec![var], 1)] }
    }
    pub(crate) fn monomial(monomial: Monomial, coefficient: i64) -> Form {
        Form { constant: 0, terms: smallvec![(monomial, coefficient)] }
    }
    pub(crate) fn known(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
    /// The variable, if the form is nothing but one.
    pub(crate) fn as_var(&self) -> Option<Var> {
        match self.terms.as_slice() {
            [(monomial, 1)] if self.constant == 0 && monomial.len() == 1 => Some(monomial[0]),
            _ => None,
        }
    }
    /// `self + factor * other`.
    pub(crate) fn plus(&self, other: &Form, factor: i64) -> Option<Form> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = SmallVec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let order = match (self.terms.get(i), other.terms.get(j)) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let (mut coefficient, mut monomial) = (0, None);
            if order != Ordering::Greater {
                let term = &self.terms[i];
                (coefficient, monomial) = (term.1, Some(&term.0));
                i += 1;
            }
            if order != Ordering::Less {
                let term = &other.terms[j];
                coefficient = coefficient.checked_add(term.1.checked_mul(factor)?)?;
                monomial = Some(&term.0);
                j += 1;
            }
            if let Some(monomial) = monomial
                && coefficient != 0
            {
                terms.push((monomial.clone(), coefficient));
            }
        }
        (terms.len() <= MOST_TERMS).then_some(Form { constant, terms })
    }
    pub(crate) fn plus_constant(&self, value: i64) -> Option<Form> {
        let mut result = self.clone();
        result.constant = result.constant.checked_add(value)?;
        Some(result)
    }
    pub(crate) fn scaled(&self, factor: i64) -> Option<Form> {
        Form::default().plus(self, factor)
    }
    pub(crate) fn negated(&self) -> Option<Form> {
        self.scaled(-1)
    }
    pub(crate) fn times(&self, other: &Form) -> Option<Form> {
        if let Some(factor) = other.known() {
            return self.scaled(factor);
        }
        if let Some(factor) = self.known() {
            return other.scaled(factor);
        }
        if (self.terms.len() + 1) * (other.terms.len() + 1) > MOST_TERMS {
            return None;
        }
        let mut terms: SmallVec<[(Monomial, i64); 2]> = SmallVec::new();
        for (a, p) in &self.terms {
            for (b, q) in &other.terms {
                terms.push((multiply(a, b), p.checked_mul(*q)?));
            }
            if other.constant != 0 {
                terms.push((a.clone(), p.checked_mul(other.constant)?));
            }
        }
        if self.constant != 0 {
            for (b, q) in &other.terms {
                terms.push((b.clone(), q.checked_mul(self.constant)?));
            }
        }
        Form::collect(self.constant.checked_mul(other.constant)?, terms)
    }
    fn collect(constant: i64, mut terms: SmallVec<[(Monomial, i64); 2]>) -> Option<Form> {
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut merged: SmallVec<[(Monomial, i64); 2]> = SmallVec::with_capacity(terms.len());
        for (monomial, coefficient) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == monomial => last.1 = last.1.checked_add(coefficient)?,
                _ => merged.push((monomial, coefficient)),
            }
        }
        merged.retain(|term| term.1 != 0);
        Some(Form { constant, terms: merged })
    }
    pub(crate) fn mentions(&self, var: Var) -> bool {
        self.terms.iter().any(|(monomial, _)| monomial.contains(&var))
    }
    /// Every occurrence of `var` replaced.
    pub(crate) fn substitute(&self, var: Var, by: &Form) -> Option<Form> {
        let mut result = Form::constant(self.constant);
        for (monomial, coefficient) in &self.terms {
            let power = monomial.iter().filter(|&&other| other == var).count();
            if power == 0 {
                result = result.plus(&Form::monomial(monomial.clone(), 1), *coefficient)?;
                continue;
            }
            let rest: Monomial = monomial.iter().copied().filter(|&other| other != var).collect();
            let mut product = if rest.is_empty() { Form::constant(1) } else { Form::monomial(rest, 1) };
            for _ in 0..power {
                product = product.times(by)?;
            }
            result = result.plus(&product, *coefficient)?;
        }
        Some(result)
    }
    /// The greatest number that divides the coefficient of every term; 0 if there is none.
    pub(crate) fn content(&self) -> i64 {
        self.terms.iter().fold(0, |common, term| gcd(common, term.1))
    }
    /// Divides coefficients and constant, which must be multiples.
    pub(crate) fn divided(&self, by: i64) -> Form {
        let terms = self.terms.iter().map(|(monomial, c)| (monomial.clone(), c / by)).collect();
        Form { constant: self.constant / by, terms }
    }
    /// The variables that every term contains (none if there is a constant).
    pub(crate) fn common_vars(&self) -> Monomial {
        let mut terms = self.terms.iter();
        let Some((first, _)) = terms.next().filter(|_| self.constant == 0) else { return Monomial::new() };
        terms.fold(first.clone(), |mut common, (monomial, _)| {
            let mut rest: Monomial = monomial.clone();
            common
                .retain(|var| rest.iter().position(|other| other == var).map(|at| rest.remove(at)).is_some());
            common
        })
    }
    /// Divided by a variable that every term contains.
    pub(crate) fn without(&self, var: Var) -> Option<Form> {
        let mut constant = 0;
        let mut terms = SmallVec::new();
        for (monomial, coefficient) in &self.terms {
            let mut rest = monomial.clone();
            rest.remove(rest.iter().position(|&other| other == var)?);
            if rest.is_empty() { constant = *coefficient } else { terms.push((rest, *coefficient)) }
        }
        if self.constant == 0 { Form::collect(constant, terms) } else { None }
    }
    pub(crate) fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().flat_map(|(monomial, _)| monomial.iter().copied())
    }
    pub(crate) fn degree(&self) -> usize {
        self.terms.iter().map(|(monomial, _)| monomial.len()).max().unwrap_or(0)
    }
}

pub(crate) fn multiply(a: &[Var], b: &[Var]) -> Monomial {
    let mut product: Monomial = a.iter().chain(b).copied().collect();
    product.sort_unstable();
    product
}
