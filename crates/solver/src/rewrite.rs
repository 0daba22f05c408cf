//! Rewriting with what is known exactly: unknowns that equal an expression, ranks of shapes.
//!
//! The result is rebuilt by `semantics`, so everything folds again that the new knowledge decides.

use crate::mentions::{self, Unknown};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropView};
use semantics::shape::{PieceView, Shape, ShapeVariable, Slot, can_meet};

/// Known ranks above this are not written out.
const HIGHEST_RANK: usize = 64;

#[derive(Clone, Default)]
pub(crate) struct Substitution {
    /// What an unknown equals; the expressions mention no unknown that has one itself.
    pub(crate) solved: FxHashMap<AtomId, Dim>,
    pub(crate) ranks: FxHashMap<ShapeVariable, usize>,
}

impl Substitution {
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
        if concerned { self.rebuild_dim(dim) } else { dim }
    }
    pub(crate) fn prop(&self, prop: Prop) -> Prop {
        if prop.known().is_some() {
            return prop;
        }
        let mut concerned = false;
        mentions::of_prop(prop, &mut |unknown| concerned |= self.concerns(unknown));
        if concerned { self.rebuild_prop(prop) } else { prop }
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
        let (a, b) = (self.shape_rank(a)?, self.shape_rank(b)?);
        Some(a.max(b))
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
        if let Some((a, b)) = variable.broadcast_of() {
            let (a, b) = (self.shape(a), self.shape(b));
            if a.known_rank().is_some()
                && b.known_rank().is_some()
                && let Some(&size) = a.broadcast(b).0.sizes().and_then(|sizes| sizes.get(k as usize).copied()).as_ref()
            {
                return size;
            }
        }
        self.leaf(variable.size(Slot::Front(k)))
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
                let position = self.rank(shape).filter(|&rank| rank <= HIGHEST_RANK).and_then(|rank| match slot {
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

    fn rebuild_dim(&self, dim: Dim) -> Dim {
        let normal = dim.terms();
        let mut total = Dim::from(normal.constant);
        for (coefficient, atoms) in normal.terms {
            let factors = atoms.into_iter().map(|atom| match atom.view() {
                AtomView::FloorDiv(a, b) => self.rebuild_dim(a).div_floor(self.rebuild_dim(b)),
                AtomView::Modulo(a, b) => self.rebuild_dim(a).modulo(self.rebuild_dim(b)),
                AtomView::Min(a, b) => self.rebuild_dim(a).min(self.rebuild_dim(b)),
                AtomView::Max(a, b) => self.rebuild_dim(a).max(self.rebuild_dim(b)),
                AtomView::Product(a, b) => self.rebuild_dim(a) * self.rebuild_dim(b),
                AtomView::Select(p, a, b) => {
                    Dim::select(self.rebuild_prop(p), self.rebuild_dim(a), self.rebuild_dim(b))
                }
                _ => self.atom(atom),
            });
            total = total + Dim::product(factors) * coefficient;
        }
        total
    }

    fn rebuild_prop(&self, prop: Prop) -> Prop {
        if prop.known().is_some() {
            return prop;
        }
        match prop.view() {
            PropView::Constant(_) | PropView::Value(_) | PropView::Free(..) => prop,
            PropView::Equal(a, b) => self.rebuild_dim(a).eq(self.rebuild_dim(b)),
            PropView::AtMost(a, b) => self.rebuild_dim(a).le(self.rebuild_dim(b)),
            PropView::And(inner) => Prop::all(inner.into_iter().map(|p| self.rebuild_prop(p)).collect::<Vec<_>>()),
            PropView::Or(inner) => Prop::any(inner.into_iter().map(|p| self.rebuild_prop(p)).collect::<Vec<_>>()),
            PropView::Not(inner) => !self.rebuild_prop(inner),
            PropView::SameShape(a, b) => same_shape(self.shape(a), self.shape(b)),
            PropView::Broadcastable(a, b) => {
                let (a, b) = (self.shape(a), self.shape(b));
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

/// Equality of two shapes, size by size where they line up to the last piece.
fn same_shape(a: Shape, b: Shape) -> Prop {
    let plain = a.same(b);
    if !matches!(plain.view(), PropView::SameShape(..)) {
        return plain;
    }
    let ranks = a.rank().eq(b.rank());
    if ranks.known() == Some(false) {
        return ranks;
    }
    let (sizes, all) = aligned(a, b);
    if all {
        return Prop::all(sizes);
    }
    match (a.sizes(), b.sizes()) {
        (Some(sizes), None) => same_as(b, &sizes).unwrap_or(plain),
        (None, Some(sizes)) => same_as(a, &sizes).unwrap_or(plain),
        _ => plain,
    }
}

/// Equality of a shape with one stretch and known sizes: the stretch has the rank that is left for it.
fn same_as(shape: Shape, sizes: &[Dim]) -> Option<Prop> {
    let pieces = shape.pieces();
    let stretches = pieces.iter().filter(|piece| matches!(piece, PieceView::Stretch { .. })).count();
    let length = sizes.len().checked_sub(pieces.len() - stretches)?;
    if stretches != 1 || length > HIGHEST_RANK {
        return None;
    }
    let mut props = vec![shape.rank().eq(sizes.len())];
    let mut rest = sizes.iter();
    for piece in pieces {
        match piece {
            PieceView::Size(size) => props.extend(rest.next().map(|its| size.eq(*its))),
            PieceView::Stretch { variable, front, .. } => {
                let own = (0..length as u32).map(|k| variable.size(Slot::Front(front + k)));
                props.extend(own.zip(rest.by_ref()).map(|(own, its)| own.eq(*its)));
            }
        }
    }
    Some(Prop::all(props))
}

/// Whether a shape of unknown rank and known sizes can be broadcast together: axis by axis from the back, as
/// far as the shape reaches.
fn broadcasts_with(shape: Shape, sizes: &[Dim]) -> Prop {
    let axes = sizes.iter().rev().enumerate();
    Prop::all(axes.map(|(k, &size)| shape.rank().le(k) | can_meet(shape.size(Slot::Back(k as u32)), size)).collect::<Vec<_>>())
}

/// What follows from two shapes being the same, besides that they are.
pub(crate) fn consequences(a: Shape, b: Shape) -> Vec<Prop> {
    let (mut props, _) = aligned(a, b);
    props.push(a.rank().eq(b.rank()));
    props.push(a.count().eq(b.count()));
    props
}

/// Equations between the sizes that both begin or end with, and whether that is everything.
fn aligned(a: Shape, b: Shape) -> (Vec<Prop>, bool) {
    let (left, right) = (a.pieces(), b.pieces());
    let mut equal = Vec::new();
    let mut pair = |x: PieceView, y: PieceView| match (x, y) {
        (PieceView::Size(x), PieceView::Size(y)) => {
            equal.push(x.eq(y));
            true
        }
        (
            PieceView::Stretch { variable: u, front: f, back: g },
            PieceView::Stretch { variable: v, front: h, back: i },
        ) => (u, f, g) == (v, h, i),
        _ => false,
    };
    let front = left.iter().zip(&right).take_while(|&(&x, &y)| pair(x, y)).count();
    let (left, right) = (&left[front..], &right[front..]);
    let back = left.iter().rev().zip(right.iter().rev()).take_while(|&(&x, &y)| pair(x, y)).count();
    (equal, back == left.len() && back == right.len())
}
