//! What a statement is about: the unknowns by which facts find each other.

use rustc_hash::FxHashSet;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropId, PropView};
use semantics::shape::{PieceView, Shape, ShapeVariable};

/// An unknown. Everything about one shape of unknown rank counts as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Unknown {
    Leaf(AtomId),
    Shape(ShapeVariable),
    Free(PropId),
}

impl Unknown {
    /// The unknown that an atom belongs to, if it is not built of others.
    pub(crate) fn of_leaf(atom: AtomId) -> Option<Unknown> {
        match atom.view() {
            AtomView::Symbol(_) | AtomView::Value(_) => Some(Unknown::Leaf(atom)),
            AtomView::Rank(shape) | AtomView::Size(shape, _) | AtomView::Count(shape, ..) => {
                Some(Unknown::Shape(shape))
            }
            _ => None,
        }
    }
}

/// The unknowns of a statement, each once.
pub(crate) fn unknowns(prop: Prop) -> Vec<Unknown> {
    let mut found = Vec::new();
    of_prop(prop, &mut |unknown| found.push(unknown));
    found.sort_unstable();
    found.dedup();
    found
}

/// Calls `visit` for every unknown of the statement, with some repetitions.
pub(crate) fn of_prop(prop: Prop, visit: &mut dyn FnMut(Unknown)) {
    Visitor { visit, seen: FxHashSet::default() }.prop(prop);
}
pub(crate) fn of_dim(dim: Dim, visit: &mut dyn FnMut(Unknown)) {
    Visitor { visit, seen: FxHashSet::default() }.dim(dim);
}

/// Visits shared parts once: written out, an expression can be exponentially larger than it is.
struct Visitor<'a> {
    visit: &'a mut dyn FnMut(Unknown),
    seen: FxHashSet<AtomId>,
}

impl Visitor<'_> {
    fn prop(&mut self, prop: Prop) {
        match prop.view() {
            PropView::Constant(_) => {}
            PropView::Equal(a, b) | PropView::AtMost(a, b) => {
                self.dim(a);
                self.dim(b);
            }
            PropView::And(inner) | PropView::Or(inner) => inner.into_iter().for_each(|prop| self.prop(prop)),
            PropView::Not(inner) => self.prop(inner),
            PropView::SameShape(a, b) | PropView::Broadcastable(a, b) => {
                (self.visit)(Unknown::Free(prop.id()));
                self.shape(a);
                self.shape(b);
            }
            PropView::Value(_) | PropView::Free(..) => (self.visit)(Unknown::Free(prop.id())),
        }
    }

    fn dim(&mut self, dim: Dim) {
        if dim.known().is_some() {
            return;
        }
        for (_, atoms) in dim.terms().terms {
            for atom in atoms {
                self.atom(atom);
            }
        }
    }

    fn atom(&mut self, atom: AtomId) {
        let view = atom.view();
        match view {
            AtomView::Symbol(_) | AtomView::Value(_) => return (self.visit)(Unknown::Leaf(atom)),
            AtomView::Rank(shape) | AtomView::Size(shape, _) | AtomView::Count(shape, ..) => {
                return self.variable(shape);
            }
            _ if !self.seen.insert(atom) => return,
            _ => {}
        }
        match view {
            AtomView::FloorDiv(a, b)
            | AtomView::Modulo(a, b)
            | AtomView::Min(a, b)
            | AtomView::Max(a, b)
            | AtomView::Product(a, b) => {
                self.dim(a);
                self.dim(b);
            }
            AtomView::Select(condition, a, b) => {
                self.prop(condition);
                self.dim(a);
                self.dim(b);
            }
            _ => {}
        }
    }

    fn shape(&mut self, shape: Shape) {
        for piece in shape.pieces() {
            match piece {
                PieceView::Size(size) => self.dim(size),
                PieceView::Stretch { variable, .. } => self.variable(variable),
            }
        }
    }

    fn variable(&mut self, variable: ShapeVariable) {
        (self.visit)(Unknown::Shape(variable));
        if let Some((a, b)) = variable.broadcast_of()
            && variable.rank().as_atom().is_none_or(|rank| self.seen.insert(rank))
        {
            self.shape(a);
            self.shape(b);
        }
    }
}
