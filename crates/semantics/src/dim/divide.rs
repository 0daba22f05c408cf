//! Floor division and remainder of normal forms, as far as they can be carried out symbolically.

use super::atom::Atom;
use super::poly::{Poly, Term, greatest_common_divisor, intersect, remove};
use super::{AtomId, AtomView, Dim};
use smallvec::SmallVec;

pub(crate) fn div_floor(a: Dim, b: Dim) -> Dim {
    match (a.known(), b.known()) {
        (_, Some(0)) => return 0i64.into(),
        (_, Some(1)) => return a,
        (_, Some(-1)) => return -a,
        (Some(a), Some(b)) => return floor(a, b).into(),
        // Its negative leaves 64 bits.
        (_, Some(i64::MIN)) => return Dim::atom(Atom::FloorDiv(a.id(), b.id())),
        (_, Some(b)) if b < 0 => return div_floor(-a, (-b).into()),
        _ => {}
    }
    if let Some(quotient) = exact_quotient(a, b) {
        return quotient;
    }
    if let Some(b) = b.known() {
        return div_by_number(a, b);
    }
    let (whole, rest) = split_multiples(a, b);
    if rest.bounds().0 >= 0 && (rest - b).bounds().1 < 0 {
        return whole;
    }
    let (numerator, denominator) = cancel_common_factor(rest, b);
    if denominator.known().is_some() {
        // A number again: everything above applies once more.
        return whole + div_floor(numerator, denominator);
    }
    whole + Dim::atom(Atom::FloorDiv(numerator.id(), denominator.id()))
}

pub(crate) fn modulo(a: Dim, b: Dim) -> Dim {
    match (a.known(), b.known()) {
        (_, Some(0)) => return a,
        (_, Some(1 | -1)) => return 0i64.into(),
        (Some(a), Some(b)) => {
            return a
                .checked_rem(b)
                .map_or(0, |r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r })
                .into();
        }
        _ => {}
    }
    if exact_quotient(a, b).is_some() {
        return 0i64.into();
    }
    let rest = match b.known() {
        Some(b) if b > 0 => reduce_coefficients(a, b),
        Some(_) => a,
        None => split_multiples(a, b).1,
    };
    if rest.bounds().0 >= 0 && (rest - b).bounds().1 < 0 {
        return rest;
    }
    Dim::atom(Atom::Modulo(rest.id(), b.id()))
}

fn floor(a: i64, b: i64) -> i64 {
    // `i64::MIN / -1` leaves 64 bits; -1 is handled before.
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// `a // b` for a number `b > 1`: multiples of `b` leave the division, a common divisor is cancelled,
/// and `(x // m + y) // n` is `(x + m * y) // (m * n)`.
fn div_by_number(a: Dim, b: i64) -> Dim {
    let poly = a.poly();
    let (mut whole, mut rest): (SmallVec<[Term; 2]>, SmallVec<[Term; 2]>) = Default::default();
    for term in &poly.terms {
        let quotient = floor(term.coefficient, b);
        if quotient != 0 && term.coefficient % b == 0 {
            whole.push(Term { atoms: term.atoms.clone(), coefficient: quotient });
        } else {
            rest.push(term.clone());
        }
    }
    let whole = Dim::from_poly(Poly::new(floor(poly.constant, b), whole));
    let rest = Poly::new(poly.constant.rem_euclid(b), rest);
    if rest.bounds.0 >= 0 && rest.bounds.1 < b {
        return whole;
    }
    // floor((g*x + c) / (g*n)) = floor((x + floor(c / g)) / n)
    let common = greatest_common_divisor(rest.content(), b);
    let divide = |term: &Term| Term { atoms: term.atoms.clone(), coefficient: term.coefficient / common };
    let numerator = Poly::new(floor(rest.constant, common), rest.terms.iter().map(divide).collect());
    let divisor = b / common;
    if divisor == 1 {
        return whole + Dim::from_poly(numerator);
    }
    // One orientation for `-x // n`, so that `-((1 - H)//2)` is `H//2`: floor(-x/n) = -floor((x + n - 1)/n).
    if numerator.terms[0].coefficient < 0 {
        let numerator = Dim::from_poly(numerator);
        return whole - div_by_number(Dim::from(divisor - 1) - numerator, divisor);
    }
    let numerator = Dim::from_poly(numerator);
    if let Some((inner, by)) = only_quotient(numerator)
        && let Some(both) = by.checked_mul(divisor)
    {
        let beside = numerator - Dim::atom(Atom::FloorDiv(inner.id(), Dim::from(by).id()));
        return whole + div_floor(inner + beside * by, both.into());
    }
    whole + Dim::atom(Atom::FloorDiv(numerator.id(), Dim::from(divisor).id()))
}

/// The `x // m`, with a number `m`, that stands in a sum once and beside no other quotient.
fn only_quotient(sum: Dim) -> Option<(Dim, i64)> {
    let mut found = None;
    for term in &sum.poly().terms {
        for &atom in &term.atoms {
            let AtomView::FloorDiv(inner, by) = AtomId(atom).view() else { continue };
            let alone = term.coefficient == 1 && term.atoms.len() == 1 && found.is_none();
            found = Some((inner, by.known().filter(|&by| by > 0 && alone)?));
        }
    }
    found
}

/// `a` modulo `b > 1` is unchanged by taking each coefficient modulo `b`.
fn reduce_coefficients(a: Dim, b: i64) -> Dim {
    let poly = a.poly();
    let terms = poly
        .terms
        .iter()
        .map(|term| Term { atoms: term.atoms.clone(), coefficient: term.coefficient.rem_euclid(b) })
        .filter(|term| term.coefficient != 0)
        .collect();
    Dim::from_poly(Poly::new(poly.constant.rem_euclid(b), terms))
}

/// The terms of `a` that are multiples of the one-term `b`, divided by it, and the others.
/// Only where `b` cannot be zero.
fn split_multiples(a: Dim, b: Dim) -> (Dim, Dim) {
    let divisor = b.poly();
    let [by] = divisor.terms.as_slice() else { return (0i64.into(), a) };
    if divisor.constant != 0 || divisor.bounds.0 < 1 {
        return (0i64.into(), a);
    }
    let poly = a.poly();
    let mut constant = 0;
    let (mut whole, mut rest): (SmallVec<[Term; 2]>, SmallVec<[Term; 2]>) = Default::default();
    for term in &poly.terms {
        match remove(&term.atoms, &by.atoms) {
            Some(atoms) if term.coefficient % by.coefficient == 0 => {
                let coefficient = term.coefficient / by.coefficient;
                if atoms.is_empty() {
                    constant += coefficient;
                } else {
                    whole.push(Term { atoms, coefficient });
                }
            }
            _ => rest.push(term.clone()),
        }
    }
    let whole = Poly::collect(constant, whole).map_or_else(Dim::too_large, Dim::from_poly);
    (whole, Dim::from_poly(Poly::new(poly.constant, rest)))
}

/// Removes what numerator and denominator share, where it cannot be zero.
fn cancel_common_factor(a: Dim, b: Dim) -> (Dim, Dim) {
    let (x, y) = (a.poly(), b.poly());
    let shared = intersect(&x.common_atoms(), &y.common_atoms());
    let positive: SmallVec<[u32; 3]> =
        shared.into_iter().filter(|&atom| AtomId(atom).bounds().0 >= 1).collect();
    let (x, y) = match (x.without_atoms(&positive), y.without_atoms(&positive)) {
        (Some(x), Some(y)) if !positive.is_empty() => (Dim::from_poly(x), Dim::from_poly(y)),
        _ => (a, b),
    };
    let (p, q) = (x.poly(), y.poly());
    let number = greatest_common_divisor(
        greatest_common_divisor(p.content(), p.constant),
        greatest_common_divisor(q.content(), q.constant),
    );
    if number > 1 { (div_exactly(&p, number), div_exactly(&q, number)) } else { (x, y) }
}

fn div_exactly(poly: &Poly, number: i64) -> Dim {
    let divide = |term: &Term| Term { atoms: term.atoms.clone(), coefficient: term.coefficient / number };
    Dim::from_poly(Poly::new(poly.constant / number, poly.terms.iter().map(divide).collect()))
}

/// Polynomial division without remainder, where the divisor cannot be zero.
fn exact_quotient(a: Dim, b: Dim) -> Option<Dim> {
    let (low, high) = b.bounds();
    if low >= 1 || high <= -1 { exact_quotient_unless_zero(a, b) } else { None }
}

/// Polynomial division without remainder, for a divisor that is not zero.
pub(crate) fn exact_quotient_unless_zero(a: Dim, b: Dim) -> Option<Dim> {
    if a.id() == b.id() {
        return Some(1i64.into());
    }
    let divisor = b.poly();
    if a.known() == Some(0) {
        return Some(a);
    }
    let leading =
        divisor.terms.iter().max_by(|p, q| (p.atoms.len(), &p.atoms).cmp(&(q.atoms.len(), &q.atoms)))?;
    let (mut rest, mut quotient) = (a, Dim::from(0));
    // Each step removes the leading term, so the number of steps is small or the division fails.
    for _ in 0..super::poly::MOST_TERMS {
        let poly = rest.poly();
        let Some(top) =
            poly.terms.iter().max_by(|p, q| (p.atoms.len(), &p.atoms).cmp(&(q.atoms.len(), &q.atoms)))
        else {
            return (poly.constant == 0).then_some(quotient);
        };
        if top.coefficient % leading.coefficient != 0 {
            return None;
        }
        let atoms = remove(&top.atoms, &leading.atoms)?;
        let coefficient = top.coefficient / leading.coefficient;
        let term = if atoms.is_empty() {
            Poly::constant(coefficient)
        } else {
            Poly::new(0, SmallVec::from_iter([Term { atoms, coefficient }]))
        };
        let step = Dim::from_poly(term);
        quotient = quotient + step;
        rest = rest - step * b;
    }
    None
}
