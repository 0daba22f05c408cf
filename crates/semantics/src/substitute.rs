//! Rebuilding expressions with some of their atoms replaced, folding again on the way.

use crate::dim::{AtomId, AtomView, Dim, Source};
use crate::element::{Element, ElementId, ElementView};
use crate::prop::{Prop, PropView};
use crate::shape::{PieceView, Shape};
use rustc_hash::FxHashMap;

impl Dim {
    /// Replaces leaves (symbols, sizes of unknown shapes, element values). `None` if a leaf has no value.
    pub fn substitute(self, leaf: &mut dyn FnMut(AtomId) -> Option<Dim>) -> Option<Dim> {
        if self.known().is_some() {
            return Some(self);
        }
        let normal = self.terms();
        let mut total = Dim::from(normal.constant);
        for (coefficient, atoms) in normal.terms {
            let mut product = Dim::from(coefficient);
            for atom in atoms {
                product = product * substitute_atom(atom, leaf)?;
            }
            total = total + product;
        }
        Some(total)
    }
    /// The value under an assignment of the leaves; `None` if one is missing or a divisor is zero.
    pub fn evaluate(self, leaf: &mut dyn FnMut(AtomId) -> Option<i64>) -> Option<i64> {
        self.substitute(&mut |atom| leaf(atom).map(Dim::from))?.known()
    }
    /// Whether it depends on a size that stays open until somebody calls the model.
    pub fn is_open(self) -> bool {
        let mut found = false;
        self.leaves(&mut |atom| {
            found |=
                matches!(atom.view(), AtomView::Symbol(symbol) if symbol.origin().source == Source::Open);
        });
        found
    }
    /// Calls `visit` for every leaf of the expression, with repetitions.
    pub fn leaves(self, visit: &mut dyn FnMut(AtomId)) {
        // Nothing is rebuilt: every leaf stands for itself.
        for (_, atoms) in self.terms().terms {
            for atom in atoms {
                match atom.view() {
                    AtomView::FloorDiv(a, b)
                    | AtomView::Modulo(a, b)
                    | AtomView::Min(a, b)
                    | AtomView::Max(a, b)
                    | AtomView::Product(a, b) => {
                        a.leaves(visit);
                        b.leaves(visit);
                    }
                    AtomView::Select(p, a, b) => {
                        p.leaves(visit);
                        a.leaves(visit);
                        b.leaves(visit);
                    }
                    _ => visit(atom),
                }
            }
        }
    }
}

fn substitute_atom(atom: AtomId, leaf: &mut dyn FnMut(AtomId) -> Option<Dim>) -> Option<Dim> {
    Some(match atom.view() {
        AtomView::FloorDiv(a, b) => {
            let (a, b) = (a.substitute(leaf)?, b.substitute(leaf)?);
            if b.known() == Some(0) {
                return None;
            }
            a.div_floor(b)
        }
        AtomView::Modulo(a, b) => {
            let (a, b) = (a.substitute(leaf)?, b.substitute(leaf)?);
            if b.known() == Some(0) {
                return None;
            }
            a.modulo(b)
        }
        AtomView::Min(a, b) => a.substitute(leaf)?.min(b.substitute(leaf)?),
        AtomView::Max(a, b) => a.substitute(leaf)?.max(b.substitute(leaf)?),
        AtomView::Product(a, b) => a.substitute(leaf)? * b.substitute(leaf)?,
        AtomView::Select(p, a, b) => {
            let condition = p.substitute(leaf)?;
            // The branch not taken may well be undefined.
            match condition.known() {
                Some(true) => a.substitute(leaf)?,
                Some(false) => b.substitute(leaf)?,
                None => Dim::select(condition, a.substitute(leaf)?, b.substitute(leaf)?),
            }
        }
        _ => leaf(atom)?,
    })
}

impl Prop {
    pub fn substitute(self, leaf: &mut dyn FnMut(AtomId) -> Option<Dim>) -> Option<Prop> {
        self.map_dims(&mut |dim| dim.substitute(leaf))
    }
    /// Rebuilds the statement with every integer expression replaced.
    /// Statements about whole shapes are rebuilt size by size; free statements stay.
    pub fn map_dims(self, change: &mut dyn FnMut(Dim) -> Option<Dim>) -> Option<Prop> {
        if self.known().is_some() {
            return Some(self);
        }
        Some(match self.view() {
            PropView::Constant(truth) => truth.into(),
            PropView::Equal(a, b) => change(a)?.eq(change(b)?),
            PropView::AtMost(a, b) => change(a)?.le(change(b)?),
            PropView::And(inner) => {
                Prop::all(inner.into_iter().map(|p| p.map_dims(change)).collect::<Option<Vec<_>>>()?)
            }
            PropView::Or(inner) => {
                Prop::any(inner.into_iter().map(|p| p.map_dims(change)).collect::<Option<Vec<_>>>()?)
            }
            PropView::Not(inner) => !inner.map_dims(change)?,
            PropView::SameShape(..)
            | PropView::Broadcastable(..)
            | PropView::Value(_)
            | PropView::Free(..) => self,
        })
    }
    pub fn leaves(self, visit: &mut dyn FnMut(AtomId)) {
        match self.view() {
            PropView::Equal(a, b) | PropView::AtMost(a, b) => {
                a.leaves(visit);
                b.leaves(visit);
            }
            PropView::And(inner) | PropView::Or(inner) => inner.into_iter().for_each(|p| p.leaves(visit)),
            PropView::Not(inner) => inner.leaves(visit),
            PropView::SameShape(a, b) | PropView::Broadcastable(a, b) => {
                for piece in a.pieces().into_iter().chain(b.pieces()) {
                    if let PieceView::Size(size) = piece {
                        size.leaves(visit);
                    }
                }
            }
            PropView::Constant(_) | PropView::Value(_) | PropView::Free(..) => {}
        }
    }
}

impl Shape {
    /// Replaces leaves in every size; stretches of unknown shapes whose rank `rank` knows become sizes.
    pub fn refine(
        self,
        rank: &mut dyn FnMut(crate::shape::ShapeVariable) -> Option<usize>,
        leaf: &mut dyn FnMut(AtomId) -> Option<Dim>,
    ) -> Shape {
        let mut result = Shape::scalar();
        for piece in self.pieces() {
            result = match piece {
                PieceView::Size(size) => result.followed_by([size.substitute(leaf).unwrap_or(size)]),
                PieceView::Stretch { variable, front, back } => match rank(variable) {
                    Some(known) if known >= (front + back) as usize => {
                        let sizes = (front..known as u32 - back).map(|k| {
                            let size = variable.size(crate::shape::Slot::Front(k));
                            size.substitute(leaf).unwrap_or(size)
                        });
                        result.followed_by(sizes.collect::<Vec<_>>())
                    }
                    _ => result.join(variable.stretch(front, back)),
                },
            };
        }
        result
    }
}

impl Element {
    /// The element with index variables replaced, inside what it reads and counts as well.
    pub fn at_indices(self, indices: &[(AtomId, Dim)]) -> Element {
        Placing { indices, known: FxHashMap::default() }.element(self)
    }
}

/// Puts indices in the place of variables; every part of an element once.
struct Placing<'a> {
    indices: &'a [(AtomId, Dim)],
    known: FxHashMap<ElementId, Element>,
}

impl Placing<'_> {
    fn element(&mut self, element: Element) -> Element {
        if let Some(known) = self.known.get(&element.id()) {
            return *known;
        }
        let kind = element.kind();
        let placed = match element.view() {
            ElementView::Float(_) | ElementView::Int(_) | ElementView::Bool(_) => element,
            ElementView::Index(dim) => Element::index(kind, self.dim(dim)),
            ElementView::At(tensor, index) => {
                let index: Vec<Dim> = index.iter().map(|&dim| self.dim(dim)).collect();
                Element::at(kind, tensor, &index)
            }
            ElementView::Unary(function, x) => self.element(x).unary(function),
            ElementView::Binary(function, x, y) => {
                let x = self.element(x);
                x.binary(function, self.element(y))
            }
            ElementView::When(prop, x, y) => {
                let prop = self.prop(prop);
                let x = self.element(x);
                Element::when(prop, x, self.element(y))
            }
            ElementView::Select(condition, x, y) => {
                let (condition, x) = (self.element(condition), self.element(x));
                condition.select(x, self.element(y))
            }
            ElementView::Fold { with, variable, extent, body } => {
                let (extent, body) = (self.dim(extent), self.element(body));
                Element::folded(with, variable, extent, body)
            }
            ElementView::Cast(x) => self.element(x).cast(kind),
        };
        self.known.insert(element.id(), placed);
        placed
    }
    fn dim(&mut self, dim: Dim) -> Dim {
        let placed = dim.substitute(&mut |leaf| {
            Some(match (self.indices.iter().find(|(atom, _)| *atom == leaf), leaf.view()) {
                (Some((_, index)), _) => *index,
                (None, AtomView::Value(element)) => self.element(element).as_index(),
                (None, _) => leaf.dim(),
            })
        });
        placed.unwrap_or(dim)
    }
    fn prop(&mut self, prop: Prop) -> Prop {
        match prop.view() {
            PropView::Value(element) => self.element(element).as_prop(),
            PropView::And(parts) => {
                Prop::all(parts.into_iter().map(|part| self.prop(part)).collect::<Vec<_>>())
            }
            PropView::Or(parts) => {
                Prop::any(parts.into_iter().map(|part| self.prop(part)).collect::<Vec<_>>())
            }
            PropView::Not(inner) => !self.prop(inner),
            _ => prop.map_dims(&mut |dim| Some(self.dim(dim))).unwrap_or(prop),
        }
    }
}
