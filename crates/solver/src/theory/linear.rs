//! Linear arithmetic over monomials: Gauss for equations, Fourier–Motzkin for inequalities, rounding
//! constants as integers allow. Small limits; where they are met, nothing is claimed.

use super::{Conflict, Consistent, Relation, Theory};
use crate::form::{Form, Monomial, multiply};
use rustc_hash::FxHashMap;

/// Give up once elimination made as many rows.
const MOST_ROWS: usize = 160;
const MOST_COMBINATIONS: usize = 1500;
/// Products of rows are tried for problems this small only.
const FEW_ROWS: usize = 14;

/// `constant + Σ coefficient · column`, columns ascending.
#[derive(Clone, PartialEq, Eq)]
struct Line {
    constant: i128,
    terms: Vec<(u32, i128)>,
}

impl Theory {
    /// `Err` is a proof that no integers satisfy the rows and intervals.
    pub(crate) fn check_linear(&self) -> Consistent {
        let mut columns = Columns::default();
        let mut equations: Vec<Form> = self.division_equations().collect();
        let mut bounds: Vec<Form> = Vec::new();
        for row in &self.rows {
            match row.relation {
                Relation::Zero => equations.push(row.form.clone()),
                Relation::NotNegative => bounds.push(row.form.clone()),
                Relation::NotZero => {}
            }
        }
        if equations.is_empty() && bounds.is_empty() {
            return Ok(());
        }
        equations.iter().chain(&bounds).for_each(|form| columns.note(form));
        self.multiply_rows(&mut bounds, &columns);
        self.bound_columns(&mut bounds, &mut columns);

        let mut equations: Vec<Line> = equations.iter().map(|form| columns.line(form)).collect();
        let mut bounds: Vec<Line> = bounds.iter().map(|form| columns.line(form)).collect();
        self.worked(bounds.len() * (1 + equations.len()));
        eliminate_equations(&mut equations, &mut bounds)?;
        let mut combinations = 0;
        let result = eliminate_columns(bounds, &mut combinations);
        self.worked(combinations);
        result
    }

    /// A row times a variable that is not negative is a row; worth having if its monomials are there anyway.
    fn multiply_rows(&self, bounds: &mut Vec<Form>, columns: &Columns) {
        if bounds.len() > FEW_ROWS || columns.monomials.iter().all(|monomial| monomial.len() == 1) {
            return;
        }
        let mut factors: Vec<u32> =
            columns.monomials.iter().filter(|monomial| monomial.len() > 1).flatten().copied().collect();
        factors.sort_unstable();
        factors.dedup();
        for at in 0..bounds.len() {
            for &factor in &factors {
                if self.interval(factor).low < 0 {
                    continue;
                }
                let fits = bounds[at]
                    .terms
                    .iter()
                    .all(|(monomial, _)| columns.numbers.contains_key(&multiply(monomial, &[factor])));
                if fits && let Some(product) = bounds[at].times(&Form::var(factor)) {
                    bounds.push(product);
                }
            }
        }
    }

    /// Intervals of the columns, and for products of two what `(x - low)(y - low) >= 0` says.
    fn bound_columns(&self, bounds: &mut Vec<Form>, columns: &mut Columns) {
        let mut at = 0;
        while at < columns.monomials.len() {
            let monomial = columns.monomials[at].clone();
            at += 1;
            let interval = self.monomial_interval(&monomial);
            let form = Form::monomial(monomial.clone(), 1);
            if interval.low != i64::MIN {
                bounds.extend(form.plus_constant(interval.low.saturating_neg()));
            }
            if interval.high != i64::MAX {
                bounds.extend(form.negated().and_then(|form| form.plus_constant(interval.high)));
            }
            if monomial.len() < 2 || columns.monomials.len() > 24 {
                continue;
            }
            for (k, &x) in monomial.iter().enumerate() {
                if k > 0 && monomial[k - 1] == x {
                    continue;
                }
                let mut rest = monomial.clone();
                rest.remove(k);
                if rest.len() == 1 || columns.numbers.contains_key(&rest) {
                    let forms = self.corner_products(x, &rest);
                    forms.iter().for_each(|form| columns.note(form));
                    bounds.extend(forms);
                }
            }
        }
    }

    fn corner_products(&self, x: u32, rest: &Monomial) -> Vec<Form> {
        let (of_x, of_rest) = (self.interval(x), self.monomial_interval(rest));
        let (x, rest) = (Form::var(x), Form::monomial(rest.clone(), 1));
        let above = |form: &Form, low: i64| (low != i64::MIN).then(|| form.plus_constant(-low)).flatten();
        let below = |form: &Form, high: i64| {
            (high != i64::MAX).then(|| form.negated()?.plus_constant(high)).flatten()
        };
        let pairs = [
            (above(&x, of_x.low), above(&rest, of_rest.low)),
            (below(&x, of_x.high), below(&rest, of_rest.high)),
            (above(&x, of_x.low), below(&rest, of_rest.high)),
            (below(&x, of_x.high), above(&rest, of_rest.low)),
        ];
        pairs.into_iter().filter_map(|(a, b)| a?.times(&b?)).collect()
    }
}

#[derive(Default)]
struct Columns {
    monomials: Vec<Monomial>,
    numbers: FxHashMap<Monomial, u32>,
}

impl Columns {
    fn note(&mut self, form: &Form) {
        for (monomial, _) in &form.terms {
            self.number(monomial);
        }
    }
    fn number(&mut self, monomial: &Monomial) -> u32 {
        if let Some(&number) = self.numbers.get(monomial) {
            return number;
        }
        let number = self.monomials.len() as u32;
        self.monomials.push(monomial.clone());
        self.numbers.insert(monomial.clone(), number);
        number
    }
    fn line(&mut self, form: &Form) -> Line {
        let mut terms: Vec<(u32, i128)> =
            form.terms.iter().map(|(monomial, c)| (self.number(monomial), i128::from(*c))).collect();
        terms.sort_unstable_by_key(|term| term.0);
        Line { constant: form.constant.into(), terms }
    }
}

impl Line {
    fn coefficient(&self, column: u32) -> i128 {
        self.terms.binary_search_by_key(&column, |term| term.0).map_or(0, |at| self.terms[at].1)
    }
    /// `p * self + q * other`; `None` on overflow.
    fn combine(&self, p: i128, other: &Line, q: i128) -> Option<Line> {
        let constant = self.constant.checked_mul(p)?.checked_add(other.constant.checked_mul(q)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        loop {
            let (column, value) = match (self.terms.get(i), other.terms.get(j)) {
                (None, None) => break,
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    i += 1;
                    (a.0, a.1.checked_mul(p)?)
                }
                (a, Some(b)) if a.is_none_or(|a| b.0 < a.0) => {
                    j += 1;
                    (b.0, b.1.checked_mul(q)?)
                }
                (Some(a), Some(b)) => {
                    i += 1;
                    j += 1;
                    (a.0, a.1.checked_mul(p)?.checked_add(b.1.checked_mul(q)?)?)
                }
                _ => break,
            };
            if value != 0 {
                terms.push((column, value));
            }
        }
        Some(Line { constant, terms })
    }
    fn content(&self) -> i128 {
        self.terms.iter().fold(0, |common, term| gcd(common, term.1))
    }
    /// `self >= 0` with smaller numbers: the constant is rounded as integers allow.
    fn tighten(mut self) -> Line {
        let content = self.content();
        if content > 1 {
            self.constant = self.constant.div_euclid(content);
            self.terms.iter_mut().for_each(|term| term.1 /= content);
        }
        self
    }
    fn refuted(&self) -> bool {
        self.terms.is_empty() && self.constant < 0
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

fn eliminate_equations(equations: &mut Vec<Line>, bounds: &mut [Line]) -> Consistent {
    while let Some(mut equation) = equations.pop() {
        let content = equation.content();
        if content == 0 {
            if equation.constant != 0 {
                return Err(Conflict);
            }
            continue;
        }
        if equation.constant % content != 0 {
            return Err(Conflict);
        }
        equation.constant /= content;
        equation.terms.iter_mut().for_each(|term| term.1 /= content);
        let Some(&(column, pivot)) = equation.terms.iter().min_by_key(|term| (term.1.unsigned_abs(), term.0))
        else {
            continue;
        };
        let replace = |line: &Line| {
            let coefficient = line.coefficient(column);
            let factor = || coefficient.checked_mul(-pivot.signum());
            (coefficient != 0).then(|| line.combine(pivot.checked_abs()?, &equation, factor()?))
        };
        for line in equations.iter_mut().chain(bounds.iter_mut()) {
            match replace(line) {
                None => {}
                Some(Some(next)) => *line = next,
                // Too large: the row says nothing any more.
                Some(None) => *line = Line { constant: 0, terms: Vec::new() },
            }
        }
    }
    Ok(())
}

fn eliminate_columns(bounds: Vec<Line>, combinations: &mut usize) -> Consistent {
    let mut lines: Vec<Line> = Vec::new();
    let mut known: FxHashMap<Vec<(u32, i128)>, usize> = FxHashMap::default();
    let add = |lines: &mut Vec<Line>, known: &mut FxHashMap<Vec<(u32, i128)>, usize>, line: Line| {
        let line = line.tighten();
        if line.refuted() {
            return Err(Conflict);
        }
        if line.terms.is_empty() {
            return Ok(());
        }
        match known.get(&line.terms) {
            Some(&at) => lines[at].constant = lines[at].constant.min(line.constant),
            None => {
                known.insert(line.terms.clone(), lines.len());
                lines.push(line);
            }
        }
        Ok(())
    };
    for line in bounds {
        add(&mut lines, &mut known, line)?;
    }
    loop {
        let mut signs: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        for (column, coefficient) in lines.iter().flat_map(|line| &line.terms) {
            let entry = signs.entry(*column).or_default();
            if *coefficient > 0 { entry.0 += 1 } else { entry.1 += 1 }
        }
        let Some((&column, &(up, down))) =
            signs.iter().min_by_key(|&(column, (up, down))| (up * down, *column))
        else {
            return Ok(());
        };
        *combinations += up * down;
        if *combinations > MOST_COMBINATIONS || lines.len() > MOST_ROWS {
            return Ok(());
        }
        let (with, without): (Vec<Line>, Vec<Line>) =
            lines.into_iter().partition(|line| line.coefficient(column) != 0);
        lines = Vec::with_capacity(without.len() + up * down);
        known.clear();
        for line in without {
            add(&mut lines, &mut known, line)?;
        }
        for upper in with.iter().filter(|line| line.coefficient(column) > 0) {
            for lower in with.iter().filter(|line| line.coefficient(column) < 0) {
                let (p, q) = (upper.coefficient(column), -lower.coefficient(column));
                let common = gcd(p, q);
                if let Some(line) = upper.combine(q / common, lower, p / common) {
                    add(&mut lines, &mut known, line)?;
                }
            }
        }
    }
}
