//! Statements about whole shapes, written out in sizes as far as the ranks allow.

use crate::rewrite::HIGHEST_RANK;
use semantics::dim::Dim;
use semantics::prop::{Prop, PropView};
use semantics::shape::{PieceView, Shape, Slot, can_meet};

/// Equality of two shapes, size by size where they line up to the last piece.
pub(crate) fn same_shape(a: Shape, b: Shape) -> Prop {
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
pub(crate) fn broadcasts_with(shape: Shape, sizes: &[Dim]) -> Prop {
    let axes = sizes.iter().rev().enumerate();
    Prop::all(
        axes.map(|(k, &size)| shape.rank().le(k) | can_meet(shape.size(Slot::Back(k as u32)), size))
            .collect::<Vec<_>>(),
    )
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
