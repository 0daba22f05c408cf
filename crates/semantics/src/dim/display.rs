//! How an integer expression is written in messages: `2*N + H//2 - 1`.

use super::{AtomId, AtomView, Dim, SymbolId};
use crate::shape::Slot;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

thread_local! {
    /// Symbols that were written so far, by their names, where they are told apart.
    static WRITTEN: RefCell<Option<FxHashMap<Rc<str>, Vec<SymbolId>>>> = const { RefCell::new(None) };
}

/// Whatever is written meanwhile tells symbols of one name apart: `random`, `random'`, `random''`.
pub fn telling_apart<R>(write: impl FnOnce() -> R) -> R {
    let outer = WRITTEN.replace(Some(FxHashMap::default()));
    let result = write();
    WRITTEN.set(outer);
    result
}

fn write_symbol(f: &mut Formatter<'_>, symbol: SymbolId) -> fmt::Result {
    let name = symbol.name();
    f.write_str(&name)?;
    let place = WRITTEN.with_borrow_mut(|written| {
        let alike = written.as_mut()?.entry(name).or_default();
        let place = alike.iter().position(|&held| held == symbol);
        Some(place.unwrap_or_else(|| {
            alike.push(symbol);
            alike.len() - 1
        }))
    });
    (0..place.unwrap_or(0)).try_for_each(|_| f.write_str("'"))
}

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
            AtomView::Symbol(symbol) => write_symbol(f, symbol),
            AtomView::Min(a, b) => write!(f, "min({a}, {b})"),
            AtomView::Max(a, b) => write!(f, "max({a}, {b})"),
            AtomView::Product(a, b) => write!(f, "({})*({})", a, b),
            AtomView::Select(p, a, b) => match alternatives(a, b) {
                several if several.len() > 2 => write_alternatives(f, &several),
                _ => write!(f, "({a} if {p} else {b})"),
            },
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

/// What an expression may be, first to last, where one choice follows another.
fn alternatives(first: Dim, mut rest: Dim) -> Vec<Dim> {
    let mut several = vec![first];
    while let Some(AtomView::Select(_, then, otherwise)) = rest.as_atom().map(AtomId::view) {
        several.push(then);
        rest = otherwise;
    }
    several.push(rest);
    several
}
/// `(1 or 2 or 4 or … or 64)`: by which conditions is more than anybody wants to read.
fn write_alternatives(f: &mut Formatter<'_>, several: &[Dim]) -> fmt::Result {
    let mut words: Vec<String> = Vec::new();
    for alternative in several {
        let word = alternative.to_string();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.len() > 4 {
        words.splice(3..words.len() - 1, ["…".to_owned()]);
    }
    write!(f, "({})", words.join(" or "))
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
