//! What a statement is about: the unknowns by which facts find each other.

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

/// Calls `visit` for every unknown of the statement, with repetitions.
pub(crate) fn of_prop(prop: Prop, visit: &mut dyn FnMut(Unknown)) {
    match prop.view() {
        PropView::Constant(_) => {}
        PropView::Equal(a, b) | PropView::AtMost(a, b) => {
            of_dim(a, visit);
            of_dim(b, visit);
        }
        PropView::And(inner) | PropView::Or(inner) => inner.into_iter().for_each(|p| of_prop(p, visit)),
        PropView::Not(inner) => of_prop(inner, visit),
        PropView::SameShape(a, b) | PropView::Broadcastable(a, b) => {
            visit(Unknown::Free(prop.id()));
            of_shape(a, visit);
            of_shape(b, visit);
        }
        PropView::Value(_) | PropView::Free(..) => visit(Unknown::Free(prop.id())),
    }
}

pub(crate) fn of_dim(dim: Dim, visit: &mut dyn FnMut(Unknown)) {
    if dim.known().is_some() {
        return;
    }
    for (_, atoms) in dim.terms().terms {
        for atom in atoms {
            match atom.view() {
                AtomView::FloorDiv(a, b)
                | AtomView::Modulo(a, b)
                | AtomView::Min(a, b)
                | AtomView::Max(a, b)
                | AtomView::Product(a, b) => {
                    of_dim(a, visit);
                    of_dim(b, visit);
                }
                AtomView::Select(p, a, b) => {
                    of_prop(p, visit);
                    of_dim(a, visit);
                    of_dim(b, visit);
                }
                AtomView::Rank(shape) | AtomView::Size(shape, _) | AtomView::Count(shape, ..) => {
                    of_variable(shape, visit);
                }
                AtomView::Symbol(_) | AtomView::Value(_) => visit(Unknown::Leaf(atom)),
            }
        }
    }
}

fn of_shape(shape: Shape, visit: &mut dyn FnMut(Unknown)) {
    for piece in shape.pieces() {
        match piece {
            PieceView::Size(size) => of_dim(size, visit),
            PieceView::Stretch { variable, .. } => of_variable(variable, visit),
        }
    }
}

fn of_variable(variable: ShapeVariable, visit: &mut dyn FnMut(Unknown)) {
    visit(Unknown::Shape(variable));
    if let Some((a, b)) = variable.broadcast_of() {
        of_shape(a, visit);
        of_shape(b, visit);
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
