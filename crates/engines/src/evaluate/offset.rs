//! Where an element lies in its tensor's row-major data, as one polynomial of the index variables.
//!
//! Positions that a reshape has taken apart by `//` and `%` are put together again here, so that reading
//! a reshaped or flattened tensor is the copy that it ought to be.

use semantics::dim::{AtomId, AtomView, Dim};

/// `constant + Σ coefficient · Π atoms`.
#[derive(Default, Debug)]
pub(super) struct Polynomial {
    pub constant: i64,
    pub terms: Vec<(i64, Vec<AtomId>)>,
}

pub(super) struct Offset {
    pub position: Polynomial,
    /// Axes along which the index is not known to be inside.
    pub unchecked: Vec<usize>,
}

impl Polynomial {
    pub fn of(dim: Dim) -> Polynomial {
        if let Some(constant) = dim.known() {
            return Polynomial { constant, terms: Vec::new() };
        }
        let terms = dim.terms();
        Polynomial { constant: terms.constant, terms: terms.terms }
    }
    fn add(&mut self, other: Polynomial, factor: i64) {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        for (coefficient, atoms) in other.terms {
            let coefficient = coefficient.wrapping_mul(factor);
            match self.terms.iter_mut().find(|(_, own)| *own == atoms) {
                Some((sum, _)) => *sum = sum.wrapping_add(coefficient),
                None => self.terms.push((coefficient, atoms)),
            }
        }
        self.terms.retain(|(coefficient, _)| *coefficient != 0);
    }
}

/// The offset of an index into a tensor of the given sizes.
pub(super) fn offset(index: &[Dim], sizes: &[usize]) -> Offset {
    let mut position = Polynomial::default();
    let mut unchecked = Vec::new();
    let mut stride = 1i64;
    for axis in (0..sizes.len()).rev() {
        let size = sizes[axis] as i64;
        let (low, high) = index[axis].bounds();
        if low < 0 || high >= size {
            unchecked.push(axis);
        }
        if size != 1 {
            position.add(Polynomial::of(index[axis]), stride);
        }
        stride = stride.wrapping_mul(size);
    }
    let taken_apart = position
        .terms
        .iter()
        .any(|(_, atoms)| matches!(atoms.as_slice(), [atom] if matches!(atom.view(), AtomView::Modulo(..))));
    if taken_apart {
        position = put_together(position);
    }
    Offset { position, unchecked }
}

/// Writes `a % b` as `a - b * (a // b)` and `a // b` with coefficients below `b`: in a row-major
/// position all quotients then cancel. Kept only if it is simpler.
fn put_together(position: Polynomial) -> Polynomial {
    let mut total = Dim::from(position.constant);
    for (coefficient, atoms) in &position.terms {
        let value = match atoms.as_slice() {
            [atom] => plain(*atom),
            atoms => Dim::product(atoms.iter().map(|atom| atom.dim())),
        };
        total = total + value * *coefficient;
    }
    let rewritten = Polynomial::of(total);
    if rewritten.terms.len() < position.terms.len() { rewritten } else { position }
}

fn plain(atom: AtomId) -> Dim {
    match atom.view() {
        AtomView::Modulo(a, b) => match b.known() {
            Some(divisor) if divisor > 0 => a - quotient(a, divisor) * divisor,
            _ => atom.dim(),
        },
        AtomView::FloorDiv(a, b) => match b.known() {
            Some(divisor) if divisor > 0 => quotient(a, divisor),
            _ => atom.dim(),
        },
        _ => atom.dim(),
    }
}

/// `a // divisor` with every coefficient of what stays under the division in `0..divisor`.
fn quotient(a: Dim, divisor: i64) -> Dim {
    let terms = a.terms();
    let mut whole = Dim::from(terms.constant.div_euclid(divisor));
    for (coefficient, atoms) in terms.terms {
        let factor = coefficient.div_euclid(divisor);
        if factor != 0 {
            whole = whole + Dim::product(atoms.iter().map(|atom| atom.dim())) * factor;
        }
    }
    let rest = a - whole * divisor;
    whole + rest.div_floor(divisor)
}
