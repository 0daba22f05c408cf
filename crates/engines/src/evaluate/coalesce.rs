//! Finds neighbouring axes that every index expression walks through as if they were one.
//!
//! `x[i, j]` over a contiguous tensor depends on `i * columns + j` only; seeing that, the evaluator runs
//! over one long axis instead of many short ones.

use super::offset::{Polynomial, offset};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{AtomId, AtomView, Dim, DimId, SymbolId};
use semantics::element::{Element, ElementId, ElementView};
use semantics::prop::{Prop, PropId, PropView};
use semantics::tensor::Tensor;

/// The linear forms of index variables that a formula uses.
#[derive(Default)]
pub(super) struct Survey {
    forms: Vec<FxHashMap<SymbolId, i64>>,
    /// Variables that occur in products.
    crooked: FxHashSet<SymbolId>,
    elements: FxHashSet<ElementId>,
    dims: FxHashSet<DimId>,
    props: FxHashSet<PropId>,
    atoms: FxHashSet<AtomId>,
    tensors: FxHashSet<Tensor>,
}

/// All tensors that a formula reads.
pub(super) fn tensors(element: Element) -> Vec<Tensor> {
    let any_size = |tensor: Tensor| tensor.shape().known_rank().map(|rank| vec![1; rank]);
    let survey = Survey::of(element, &any_size);
    survey.map(|survey| survey.tensors.into_iter().collect()).unwrap_or_default()
}

impl Survey {
    /// Collects from a formula. `sizes` tells the sizes of a tensor; `None` gives up.
    pub fn of(element: Element, sizes: &dyn Fn(Tensor) -> Option<Vec<usize>>) -> Option<Survey> {
        let mut survey = Survey::default();
        let mut open = vec![element];
        while let Some(element) = open.pop() {
            if survey.elements.insert(element.id()) {
                survey.element(element, &mut open, sizes)?;
            }
        }
        Some(survey)
    }

    /// Whether `outer * size + inner` is all that is used of two neighbouring variables.
    pub fn mergeable(&self, outer: SymbolId, inner: SymbolId, size: i64) -> bool {
        !self.crooked.contains(&outer)
            && !self.crooked.contains(&inner)
            && self.forms.iter().all(|form| {
                let coefficient = |symbol| form.get(&symbol).copied().unwrap_or(0);
                coefficient(inner).checked_mul(size) == Some(coefficient(outer))
            })
    }

    fn element(
        &mut self,
        element: Element,
        open: &mut Vec<Element>,
        sizes: &dyn Fn(Tensor) -> Option<Vec<usize>>,
    ) -> Option<()> {
        match element.view() {
            ElementView::Float(_) | ElementView::Int(_) | ElementView::Bool(_) => {}
            ElementView::Index(dim) => self.dim(dim, open),
            ElementView::At(tensor, index) => {
                self.tensors.insert(tensor);
                let sizes = sizes(tensor)?;
                if sizes.len() != index.len() {
                    return None;
                }
                let offset = offset(&index, &sizes);
                if offset.unchecked.is_empty() {
                    self.polynomial(offset.position, open);
                } else {
                    index.into_iter().for_each(|dim| self.dim(dim, open));
                }
            }
            ElementView::Unary(_, x) | ElementView::Cast(x) => open.push(x),
            ElementView::Binary(_, x, y) => open.extend([x, y]),
            ElementView::When(prop, x, y) => {
                self.prop(prop, open);
                open.extend([x, y]);
            }
            ElementView::Select(condition, x, y) => open.extend([condition, x, y]),
            ElementView::Fold { extent, body, .. } => {
                self.dim(extent, open);
                open.push(body);
            }
        }
        Some(())
    }

    fn dim(&mut self, dim: Dim, open: &mut Vec<Element>) {
        if dim.known().is_none() && self.dims.insert(dim.id()) {
            self.polynomial(Polynomial::of(dim), open);
        }
    }

    fn polynomial(&mut self, polynomial: Polynomial, open: &mut Vec<Element>) {
        let mut form = FxHashMap::default();
        for (coefficient, atoms) in polynomial.terms {
            for &atom in &atoms {
                match atom.view() {
                    AtomView::Symbol(symbol) if atoms.len() == 1 => {
                        form.insert(symbol, coefficient);
                    }
                    AtomView::Symbol(symbol) => {
                        self.crooked.insert(symbol);
                    }
                    _ => self.atom(atom, open),
                }
            }
        }
        if !form.is_empty() {
            self.forms.push(form);
        }
    }

    fn atom(&mut self, atom: AtomId, open: &mut Vec<Element>) {
        if !self.atoms.insert(atom) {
            return;
        }
        match atom.view() {
            AtomView::FloorDiv(a, b)
            | AtomView::Modulo(a, b)
            | AtomView::Min(a, b)
            | AtomView::Max(a, b)
            | AtomView::Product(a, b) => {
                self.dim(a, open);
                self.dim(b, open);
            }
            AtomView::Select(prop, a, b) => {
                self.prop(prop, open);
                self.dim(a, open);
                self.dim(b, open);
            }
            AtomView::Value(element) => open.push(element),
            AtomView::Symbol(_) | AtomView::Rank(_) | AtomView::Size(..) | AtomView::Count(..) => {}
        }
    }

    fn prop(&mut self, prop: Prop, open: &mut Vec<Element>) {
        if prop.known().is_some() || !self.props.insert(prop.id()) {
            return;
        }
        match prop.view() {
            PropView::Equal(a, b) | PropView::AtMost(a, b) => {
                self.dim(a, open);
                self.dim(b, open);
            }
            PropView::And(inner) | PropView::Or(inner) => inner.into_iter().for_each(|p| self.prop(p, open)),
            PropView::Not(inner) => self.prop(inner, open),
            PropView::Value(element) => open.push(element),
            PropView::Constant(_)
            | PropView::SameShape(..)
            | PropView::Broadcastable(..)
            | PropView::Free(..) => {}
        }
    }
}
