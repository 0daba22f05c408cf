//! How an integer expression is written in messages: `2*N + H//2 - 1`.

use super::{AtomId, AtomView, Dim};
use crate::shape::Slot;
use std::fmt::{self, Display, Formatter};

impl Display for Dim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let normal = self.terms();
        if normal.terms.is_empty() {
            return write!(f, "{}", normal.constant);
        }
        // Positive terms first: `H - 2` reads better than `-2 + H`.
        let (positive, negative): (Vec<_>, Vec<_>) = normal.terms.iter().partition(|(factor, _)| *factor > 0);
        let mut first = true;
        let constant_first = positive.is_empty() && normal.constant > 0;
        if constant_first {
            write!(f, "{}", normal.constant)?;
            first = false;
        }
        for (factor, atoms) in positive.into_iter().chain(negative) {
            match (first, *factor < 0) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, true) => f.write_str(" - ")?,
                (false, false) => f.write_str(" + ")?,
            }
            // In a sum, a quotient needs no parentheses: `//` binds tighter, but for a minus in front of all.
            if let ([atom], 1, false) = (atoms.as_slice(), factor.unsigned_abs(), first && *factor < 0) {
                write!(f, "{}", Bare(*atom))?;
                first = false;
                continue;
            }
            first = false;
            if factor.unsigned_abs() != 1 {
                write!(f, "{}*", factor.unsigned_abs())?;
            }
            for (k, atom) in atoms.iter().enumerate() {
                if k > 0 {
                    f.write_str("*")?;
                }
                write!(f, "{atom}")?;
            }
        }
        match normal.constant {
            constant if constant_first || constant == 0 => Ok(()),
            constant if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            constant => write!(f, " + {constant}"),
        }
    }
}

impl Display for AtomId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.view() {
            AtomView::FloorDiv(..) | AtomView::Modulo(..) => write!(f, "({})", Bare(*self)),
            AtomView::Symbol(symbol) => f.write_str(&symbol.name()),
            AtomView::Min(a, b) => write!(f, "min({a}, {b})"),
            AtomView::Max(a, b) => write!(f, "max({a}, {b})"),
            AtomView::Product(a, b) => write!(f, "({})*({})", a, b),
            AtomView::Select(p, a, b) => write!(f, "({a} if {p} else {b})"),
            AtomView::Rank(shape) => write!(f, "rank({shape})"),
            AtomView::Size(shape, Slot::Front(k)) => write!(f, "{shape}[{k}]"),
            AtomView::Size(shape, Slot::Back(k)) => write!(f, "{shape}[-{}]", k + 1),
            AtomView::Count(shape, 0, 0) => write!(f, "count({shape})"),
            AtomView::Count(shape, front, 0) => write!(f, "count({shape}[{front}:])"),
            AtomView::Count(shape, front, back) => write!(f, "count({shape}[{front}:-{back}])"),
            AtomView::Value(element) => write!(f, "{element}"),
        }
    }
}

/// A quotient or remainder without parentheses around it.
struct Bare(AtomId);

impl Display for Bare {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.view() {
            AtomView::FloorDiv(a, b) => write!(f, "{}//{}", Operand(a), Operand(b)),
            AtomView::Modulo(a, b) => write!(f, "{} % {}", Operand(a), Operand(b)),
            _ => write!(f, "{}", self.0),
        }
    }
}

/// Puts a sum, quotient or remainder in parentheses.
struct Operand(Dim);

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.as_atom() {
            Some(atom) => write!(f, "{atom}"),
            None if self.0.known().is_some() => write!(f, "{}", self.0),
            None => write!(f, "({})", self.0),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
