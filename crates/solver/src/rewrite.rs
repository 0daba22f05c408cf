//! Rewriting with what is known exactly: unknowns that equal an expression, ranks of shapes.
//!
//! The result is rebuilt by `semantics`, so everything folds again that the new knowledge decides.

use crate::mentions::{self, Unknown};
use crate::shapes::{broadcasts_with, same_shape};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropView};
use semantics::shape::{PieceView, Shape, ShapeVariable, Slot};
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

/// Known ranks above this are not written out.
pub(crate) const HIGHEST_RANK: usize = 64;

#[derive(Clone, Default)]
pub(crate) struct Substitution {
    /// What an unknown equals; the expressions mention no unknown that has one itself.
    pub(crate) solved: FxHashMap<AtomId, Dim>,
    pub(crate) ranks: FxHashMap<ShapeVariable, usize>,
    /// What was found out about broadcast shapes. They are made of one another: asked anew each time, a chain of them
    /// costs twice as much with every link.
    found: RefCell<Found>,
}

#[derive(Clone, Default)]
struct Found {
    /// How much was known when it was found; knowledge only grows.
    known: (usize, usize),
    ranks: FxHashMap<ShapeVariable, Option<usize>>,
    sizes: FxHashMap<ShapeVariable, Option<Rc<[Dim]>>>,
}

impl Substitution {
    pub(crate) fn of_ranks(ranks: FxHashMap<ShapeVariable, usize>) -> Substitution {
        Substitution { ranks, ..Substitution::default() }
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.solved.is_empty() && self.ranks.is_empty()
    }

    /// Whether the unknown may be rewritten.
    pub(crate) fn concerns(&self, unknown: Unknown) -> bool {
        match unknown {
            Unknown::Leaf(atom) => self.solved.contains_key(&atom),
            Unknown::Shape(_) => true,
            Unknown::Free(_) => false,
        }
    }

    pub(crate) fn dim(&self, dim: Dim) -> Dim {
        let mut concerned = false;
        mentions::of_dim(dim, &mut |unknown| concerned |= self.concerns(unknown));
        if concerned { self.rebuilder().dim(dim) } else { dim }
    }
    pub(crate) fn prop(&self, prop: Prop) -> Prop {
        if prop.known().is_some() {
            return prop;
        }
        let mut concerned = false;
        mentions::of_prop(prop, &mut |unknown| concerned |= self.concerns(unknown));
        if concerned { self.rebuilder().prop(prop) } else { prop }
    }
    fn rebuilder(&self) -> Rebuilder<'_> {
        Rebuilder { substitution: self, atoms: FxHashMap::default() }
    }
    pub(crate) fn shape(&self, shape: Shape) -> Shape {
        let mut result = Shape::scalar();
        for piece in shape.pieces() {
            result = match piece {
                PieceView::Size(size) => result.followed_by([self.dim(size)]),
                PieceView::Stretch { variable, front, back } => match self.rank(variable) {
                    Some(rank) if front as usize + back as usize <= rank => {
                        let slots = front..rank as u32 - back;
                        result.followed_by(slots.map(|k| self.size(variable, k)).collect::<Vec<_>>())
                    }
                    _ => result.join(variable.stretch(front, back)),
                },
            };
        }
        result
    }

    /// A rank that is stated, or follows from those of broadcast operands.
    pub(crate) fn rank(&self, variable: ShapeVariable) -> Option<usize> {
        if let Some(&rank) = self.ranks.get(&variable) {
            return Some(rank);
        }
        let (a, b) = variable.broadcast_of()?;
        if let Some(&rank) = self.found().ranks.get(&variable) {
            return rank;
        }
        let rank = self.shape_rank(a).zip(self.shape_rank(b)).map(|(a, b)| a.max(b));
        self.found().ranks.insert(variable, rank);
        rank
    }
    fn found(&self) -> RefMut<'_, Found> {
        let mut found = self.found.borrow_mut();
        let known = (self.solved.len(), self.ranks.len());
        if found.known != known {
            *found = Found { known, ..Found::default() };
        }
        found
    }
    fn shape_rank(&self, shape: Shape) -> Option<usize> {
        shape.pieces().into_iter().try_fold(0usize, |sum, piece| match piece {
            PieceView::Size(_) => Some(sum + 1),
            PieceView::Stretch { variable, front, back } => {
                Some(sum + self.rank(variable)?.checked_sub(front as usize + back as usize)?)
            }
        })
    }
    /// Size `k` from the front of a shape whose rank is known.
    fn size(&self, variable: ShapeVariable, k: u32) -> Dim {
        let broadcast = self.broadcast_sizes(variable);
        let size = broadcast.and_then(|sizes| sizes.get(k as usize).copied());
        size.unwrap_or_else(|| self.leaf(variable.size(Slot::Front(k))))
    }
    /// The sizes of a broadcast of two shapes whose ranks are known.
    fn broadcast_sizes(&self, variable: ShapeVariable) -> Option<Rc<[Dim]>> {
        let (a, b) = variable.broadcast_of()?;
        if let Some(sizes) = self.found().sizes.get(&variable) {
            return sizes.clone();
        }
        let (a, b) = (self.shape(a), self.shape(b));
        let known = a.known_rank().is_some() && b.known_rank().is_some();
        let sizes: Option<Rc<[Dim]>> =
            if known { a.broadcast(b).0.sizes().map(|sizes| sizes.iter().copied().collect()) } else { None };
        self.found().sizes.insert(variable, sizes.clone());
        sizes
    }
    fn leaf(&self, dim: Dim) -> Dim {
        dim.as_atom().and_then(|atom| self.solved.get(&atom)).copied().unwrap_or(dim)
    }

    fn atom(&self, atom: AtomId) -> Dim {
        if let Some(&known) = self.solved.get(&atom) {
            return known;
        }
        match atom.view() {
            AtomView::Rank(shape) => match (self.rank(shape), shape.broadcast_of()) {
                (Some(rank), _) => rank.into(),
                (None, Some((a, b))) => self.dim(a.rank()).max(self.dim(b.rank())),
                _ => atom.dim(),
            },
            AtomView::Size(shape, slot) => {
                let position =
                    self.rank(shape).filter(|&rank| rank <= HIGHEST_RANK).and_then(|rank| match slot {
                        Slot::Front(k) => ((k as usize) < rank).then_some(k),
                        Slot::Back(k) => (rank as u32).checked_sub(k + 1),
                    });
                position.map_or_else(|| atom.dim(), |k| self.size(shape, k))
            }
            AtomView::Count(shape, front, back) => match self.rank(shape) {
                Some(rank) if rank <= HIGHEST_RANK && front as usize + back as usize <= rank => {
                    Dim::product((front..rank as u32 - back).map(|k| self.size(shape, k)))
                }
                _ => atom.dim(),
            },
            _ => atom.dim(),
        }
    }
}

/// Rebuilds shared parts once: written out, an expression can be exponentially larger than it is.
struct Rebuilder<'a> {
    substitution: &'a Substitution,
    atoms: FxHashMap<AtomId, Dim>,
}

impl Rebuilder<'_> {
    fn dim(&mut self, dim: Dim) -> Dim {
        let normal = dim.terms();
        let mut total = Dim::from(normal.constant);
        for (coefficient, atoms) in normal.terms {
            let product =
                atoms.into_iter().fold(Dim::from(coefficient), |product, atom| product * self.atom(atom));
            total = total + product;
        }
        total
    }

    fn atom(&mut self, atom: AtomId) -> Dim {
        let view = atom.view();
        if Unknown::of_leaf(atom).is_some() {
            return self.substitution.atom(atom);
        }
        if let Some(&rebuilt) = self.atoms.get(&atom) {
            return rebuilt;
        }
        let rebuilt = match view {
            AtomView::FloorDiv(a, b) => self.dim(a).div_floor(self.dim(b)),
            AtomView::Modulo(a, b) => self.dim(a).modulo(self.dim(b)),
            AtomView::Min(a, b) => self.dim(a).min(self.dim(b)),
            AtomView::Max(a, b) => self.dim(a).max(self.dim(b)),
            AtomView::Product(a, b) => self.dim(a) * self.dim(b),
            AtomView::Select(condition, a, b) => Dim::select(self.prop(condition), self.dim(a), self.dim(b)),
            _ => atom.dim(),
        };
        self.atoms.insert(atom, rebuilt);
        rebuilt
    }

    fn prop(&mut self, prop: Prop) -> Prop {
        if prop.known().is_some() {
            return prop;
        }
        match prop.view() {
            PropView::Constant(_) | PropView::Value(_) | PropView::Free(..) => prop,
            PropView::Equal(a, b) => self.dim(a).eq(self.dim(b)),
            PropView::AtMost(a, b) => self.dim(a).le(self.dim(b)),
            PropView::And(inner) => Prop::all(inner.into_iter().map(|p| self.prop(p)).collect::<Vec<_>>()),
            PropView::Or(inner) => Prop::any(inner.into_iter().map(|p| self.prop(p)).collect::<Vec<_>>()),
            PropView::Not(inner) => !self.prop(inner),
            PropView::SameShape(a, b) => same_shape(self.substitution.shape(a), self.substitution.shape(b)),
            PropView::Broadcastable(a, b) => {
                let (a, b) = (self.substitution.shape(a), self.substitution.shape(b));
                match (a.sizes(), b.sizes()) {
                    (Some(_), Some(_)) => a.broadcast(b).1,
                    (Some(sizes), None) => broadcasts_with(b, &sizes),
                    (None, Some(sizes)) => broadcasts_with(a, &sizes),
                    (None, None) if a.id() == b.id() => true.into(),
                    (None, None) => prop,
                }
            }
        }
    }
}
