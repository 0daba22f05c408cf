//! Bounds of single atoms that facts state, and what follows for expressions built of them.

use crate::interval::Interval;
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropView};

#[derive(Clone, Default)]
pub(crate) struct Bounds {
    atoms: FxHashMap<AtomId, Interval>,
}

impl Bounds {
    /// What facts and declared range say of the atom alone.
    pub(crate) fn of_atom(&self, atom: AtomId) -> Interval {
        self.atoms.get(&atom).copied().unwrap_or(Interval::ALL).intersect(atom.bounds().into())
    }
    /// Notes a statement about a single atom; the result is the atom.
    pub(crate) fn note(&mut self, prop: Prop) -> Option<AtomId> {
        let (difference, equal) = match prop.view() {
            PropView::AtMost(a, b) => (b - a, false),
            PropView::Equal(a, b) => (b - a, true),
            _ => return None,
        };
        let normal = difference.terms();
        let [(coefficient, atoms)] = normal.terms.as_slice() else { return None };
        let ([atom], Some(opposite)) = (atoms.as_slice(), normal.constant.checked_neg()) else { return None };
        let over = if equal { Interval::point(opposite) } else { Interval::at_least(opposite) };
        let bound = over.quotient(Interval::point(*coefficient));
        let stated = self.atoms.entry(*atom).or_insert(Interval::ALL);
        *stated = stated.intersect(bound);
        Some(*atom)
    }
    /// The values an expression can take.
    pub(crate) fn interval(&self, dim: Dim) -> Interval {
        if self.atoms.is_empty() {
            return dim.bounds().into();
        }
        self.reader().dim(dim)
    }
    /// The truth, as far as the bounds tell.
    pub(crate) fn truth(&self, prop: Prop) -> Option<bool> {
        prop.known().or_else(|| self.reader().prop(prop))
    }
    fn reader(&self) -> Reader<'_> {
        Reader { bounds: self, known: FxHashMap::default() }
    }
}

/// Reads shared parts once: written out, an expression can be exponentially larger than it is.
struct Reader<'a> {
    bounds: &'a Bounds,
    known: FxHashMap<AtomId, Interval>,
}

impl Reader<'_> {
    fn dim(&mut self, dim: Dim) -> Interval {
        if let Some(value) = dim.known() {
            return Interval::point(value);
        }
        let normal = dim.terms();
        let mut total = Interval::point(normal.constant);
        for (coefficient, atoms) in normal.terms {
            let mut product = Interval::point(1);
            let mut k = 0;
            while k < atoms.len() {
                let power = atoms[k..].iter().take_while(|&&other| other == atoms[k]).count();
                product = product.times(self.atom(atoms[k]).power(power));
                k += power;
            }
            total = total.plus(product.scaled(coefficient));
        }
        total.intersect(dim.bounds().into())
    }

    fn atom(&mut self, atom: AtomId) -> Interval {
        let stated = self.bounds.of_atom(atom);
        let view = atom.view();
        if matches!(
            view,
            AtomView::Symbol(_)
                | AtomView::Rank(_)
                | AtomView::Size(..)
                | AtomView::Count(..)
                | AtomView::Value(_)
        ) {
            return stated;
        }
        if let Some(&known) = self.known.get(&atom) {
            return known;
        }
        let derived = match view {
            AtomView::FloorDiv(a, b) => self.dim(a).div_floor(self.dim(b)),
            AtomView::Modulo(a, b) => self.dim(a).modulo(self.dim(b)),
            AtomView::Min(a, b) => self.dim(a).min(self.dim(b)),
            AtomView::Max(a, b) => self.dim(a).max(self.dim(b)),
            AtomView::Product(a, b) => self.dim(a).times(self.dim(b)),
            AtomView::Select(condition, a, b) => match condition.known().or_else(|| self.prop(condition)) {
                Some(true) => self.dim(a),
                Some(false) => self.dim(b),
                None => self.dim(a).union(self.dim(b)),
            },
            _ => Interval::ALL,
        };
        let interval = stated.intersect(derived);
        self.known.insert(atom, interval);
        interval
    }

    fn prop(&mut self, prop: Prop) -> Option<bool> {
        match prop.view() {
            PropView::Constant(known) => Some(known),
            PropView::Equal(a, b) => match self.dim(a - b) {
                interval if interval.value() == Some(0) => Some(true),
                interval if !interval.contains(0) => Some(false),
                _ => None,
            },
            PropView::AtMost(a, b) => match self.dim(b - a) {
                interval if interval.low >= 0 => Some(true),
                interval if interval.high < 0 => Some(false),
                _ => None,
            },
            PropView::And(inner) => self.connect(inner, false),
            PropView::Or(inner) => self.connect(inner, true),
            PropView::Not(inner) => self.prop(inner).map(|truth| !truth),
            _ => None,
        }
    }
    fn connect(&mut self, inner: Vec<Prop>, decisive: bool) -> Option<bool> {
        let mut result = Some(!decisive);
        for prop in inner {
            match prop.known().or_else(|| self.prop(prop)) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }
}
