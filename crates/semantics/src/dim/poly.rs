//! Polynomials with integer coefficients over atoms, in a canonical order.

use super::atom::bounds_of;
use crate::arena;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Products that would have more terms than this are kept as an opaque atom.
pub(crate) const MOST_TERMS: usize = 64;

/// `constant + Σ terms`, terms sorted by their atoms, no zero coefficient.
#[derive(Clone)]
pub(crate) struct Poly {
    pub(crate) constant: i64,
    pub(crate) terms: SmallVec<[Term; 2]>,
    pub(crate) bounds: (i64, i64),
    /// How long the expression is when written out.
    pub(crate) weight: u32,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    /// Sorted; a power is a repetition.
    pub(crate) atoms: SmallVec<[u32; 3]>,
    pub(crate) coefficient: i64,
}

/// Bounds and weight follow from the terms, so they have no say in what is equal.
impl PartialEq for Poly {
    fn eq(&self, other: &Poly) -> bool {
        self.constant == other.constant && self.terms == other.terms
    }
}
impl Eq for Poly {}
impl std::hash::Hash for Poly {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.constant.hash(state);
        self.terms.hash(state);
    }
}

impl Poly {
    pub(crate) fn constant(value: i64) -> Poly {
        Poly { constant: value, terms: SmallVec::new(), bounds: (value, value), weight: 1 }
    }
    pub(crate) fn of_atom(atom: u32, bounds: (i64, i64), weight: u32) -> Poly {
        let term = Term { atoms: SmallVec::from_slice(&[atom]), coefficient: 1 };
        Poly { constant: 0, terms: SmallVec::from_iter([term]), bounds, weight }
    }
    pub(crate) fn new(constant: i64, terms: SmallVec<[Term; 2]>) -> Poly {
        let (bounds, weight) = (bounds(constant, &terms), weight(&terms));
        Poly { constant, terms, bounds, weight }
    }
    /// `self + factor * other`; `None` on overflow.
    pub(crate) fn plus(&self, other: &Poly, factor: i64) -> Option<Poly> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = SmallVec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.atoms.cmp(&b.atoms),
            };
            let mut coefficient = 0;
            let mut atoms = None;
            if order != Ordering::Greater
                && let Some(term) = left.next()
            {
                coefficient = term.coefficient;
                atoms = Some(term.atoms.clone());
            }
            if order != Ordering::Less
                && let Some(term) = right.next()
            {
                coefficient = coefficient.checked_add(term.coefficient.checked_mul(factor)?)?;
                atoms = Some(term.atoms.clone());
            }
            if let Some(atoms) = atoms
                && coefficient != 0
            {
                terms.push(Term { atoms, coefficient });
            }
        }
        Some(Poly::new(constant, terms))
    }
    pub(crate) fn times(&self, other: &Poly) -> Option<Poly> {
        let mut terms: SmallVec<[Term; 2]> = SmallVec::new();
        for a in &self.terms {
            if other.constant != 0 {
                terms.push(Term {
                    atoms: a.atoms.clone(),
                    coefficient: a.coefficient.checked_mul(other.constant)?,
                });
            }
            for b in &other.terms {
                let mut atoms = a.atoms.clone();
                atoms.extend_from_slice(&b.atoms);
                atoms.sort_unstable();
                terms.push(Term { atoms, coefficient: a.coefficient.checked_mul(b.coefficient)? });
            }
        }
        if self.constant != 0 {
            for b in &other.terms {
                terms.push(Term {
                    atoms: b.atoms.clone(),
                    coefficient: b.coefficient.checked_mul(self.constant)?,
                });
            }
        }
        Poly::collect(self.constant.checked_mul(other.constant)?, terms)
    }
    /// Sorts and merges terms that may repeat.
    pub(crate) fn collect(constant: i64, mut terms: SmallVec<[Term; 2]>) -> Option<Poly> {
        terms.sort_by(|a, b| a.atoms.cmp(&b.atoms));
        let mut merged: SmallVec<[Term; 2]> = SmallVec::with_capacity(terms.len());
        for term in terms {
            match merged.last_mut() {
                Some(last) if last.atoms == term.atoms => {
                    last.coefficient = last.coefficient.checked_add(term.coefficient)?;
                }
                _ => merged.push(term),
            }
        }
        merged.retain(|term| term.coefficient != 0);
        Some(Poly::new(constant, merged))
    }
    /// The greatest number that divides every coefficient of a term (not the constant); 0 if there is none.
    pub(crate) fn content(&self) -> i64 {
        self.terms.iter().fold(0, |gcd, term| greatest_common_divisor(gcd, term.coefficient))
    }
    /// The atoms that every term contains (none if there is a constant).
    pub(crate) fn common_atoms(&self) -> SmallVec<[u32; 3]> {
        let mut terms = self.terms.iter();
        let Some(first) = terms.next().filter(|_| self.constant == 0) else { return SmallVec::new() };
        terms.fold(first.atoms.clone(), |common, term| intersect(&common, &term.atoms))
    }
    /// Divides every term by the given atoms, which each must contain.
    pub(crate) fn without_atoms(&self, atoms: &[u32]) -> Option<Poly> {
        let mut constant = self.constant;
        let mut terms = SmallVec::new();
        for term in &self.terms {
            let rest = remove(&term.atoms, atoms)?;
            if rest.is_empty() {
                constant = constant.checked_add(term.coefficient)?;
            } else {
                terms.push(Term { atoms: rest, coefficient: term.coefficient });
            }
        }
        Poly::collect(constant, terms)
    }
}

pub(crate) fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// Multiset intersection of two sorted lists.
pub(crate) fn intersect(a: &[u32], b: &[u32]) -> SmallVec<[u32; 3]> {
    let mut both = SmallVec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                both.push(a[i]);
                i += 1;
                j += 1;
            }
        }
    }
    both
}

/// `atoms` less `unwanted`, both sorted multisets; `None` if some are missing.
pub(crate) fn remove(atoms: &[u32], unwanted: &[u32]) -> Option<SmallVec<[u32; 3]>> {
    let mut rest = SmallVec::new();
    let mut unwanted = unwanted.iter().peekable();
    for &atom in atoms {
        if unwanted.peek() == Some(&&atom) {
            unwanted.next();
        } else {
            rest.push(atom);
        }
    }
    unwanted.next().is_none().then_some(rest)
}

fn weight(terms: &[Term]) -> u32 {
    arena::with(|arena| {
        let atoms = terms.iter().flat_map(|term| &term.atoms);
        atoms.fold(1, |total: u32, &atom| total.saturating_add(arena.atoms.weight(atom)))
    })
}

fn bounds(constant: i64, terms: &[Term]) -> (i64, i64) {
    arena::with(|arena| {
        let (mut low, mut high) = (Some(constant), Some(constant));
        for term in terms {
            let mut range = Range { low: Some(1), high: Some(1) };
            let mut k = 0;
            while k < term.atoms.len() {
                let atom = term.atoms[k];
                let power = term.atoms[k..].iter().take_while(|&&other| other == atom).count();
                range = range.times(Range::from(bounds_of(arena, atom)).power(power));
                k += power;
            }
            let range = range.times(Range { low: Some(term.coefficient), high: Some(term.coefficient) });
            low = low.zip(range.low).and_then(|(a, b)| a.checked_add(b));
            high = high.zip(range.high).and_then(|(a, b)| a.checked_add(b));
        }
        (low.unwrap_or(super::UNBOUNDED_BELOW), high.unwrap_or(super::UNBOUNDED))
    })
}

/// An integer interval; `None` is infinite.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub(crate) low: Option<i64>,
    pub(crate) high: Option<i64>,
}

impl From<(i64, i64)> for Range {
    fn from((low, high): (i64, i64)) -> Range {
        Range {
            low: (low != super::UNBOUNDED_BELOW).then_some(low),
            high: (high != super::UNBOUNDED).then_some(high),
        }
    }
}
impl From<Range> for (i64, i64) {
    fn from(range: Range) -> (i64, i64) {
        (range.low.unwrap_or(super::UNBOUNDED_BELOW), range.high.unwrap_or(super::UNBOUNDED))
    }
}

impl Range {
    pub(crate) fn times(self, other: Range) -> Range {
        // Sizes, which is nearly always.
        if let (Some(a @ 0..), Some(b @ 0..)) = (self.low, other.low) {
            let high = match (self.high, other.high) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (Some(c), Some(d)) => c.checked_mul(d),
                _ => None,
            };
            return Range { low: a.checked_mul(b), high };
        }
        // Ends as extended integers; 0 times infinity is 0, because every value inside is finite.
        let end = |a: Option<i64>, a_sign: i8, b: Option<i64>, b_sign: i8| -> Extended {
            match (a, b) {
                (Some(0), _) | (_, Some(0)) => Extended::Finite(0),
                (Some(a), Some(b)) => a.checked_mul(b).map_or(
                    if (a < 0) == (b < 0) { Extended::Above } else { Extended::Below },
                    Extended::Finite,
                ),
                _ => {
                    let sign =
                        |value: Option<i64>, infinite: i8| value.map_or(infinite, |v| v.signum() as i8);
                    if sign(a, a_sign) * sign(b, b_sign) > 0 { Extended::Above } else { Extended::Below }
                }
            }
        };
        let ends = [
            end(self.low, -1, other.low, -1),
            end(self.low, -1, other.high, 1),
            end(self.high, 1, other.low, -1),
            end(self.high, 1, other.high, 1),
        ];
        let (low, high) =
            ends.into_iter().fold((ends[0], ends[0]), |(low, high), end| (low.min(end), high.max(end)));
        Range { low: low.finite(), high: high.finite() }
    }
    fn power(self, power: usize) -> Range {
        let mut result = (1..power).fold(self, |product, _| product.times(self));
        if power.is_multiple_of(2) && result.low.is_none_or(|low| low < 0) {
            result.low = Some(0);
        }
        result
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extended {
    Below,
    Finite(i64),
    Above,
}
impl Extended {
    fn finite(self) -> Option<i64> {
        if let Extended::Finite(value) = self { Some(value) } else { None }
    }
}
