//! What tensors are computed from, tensor by tensor.

use rustc_hash::FxHashSet;
use semantics::dim::{AtomView, Dim};
use semantics::element::{Element, ElementId, ElementView};
use semantics::prop::{Prop, PropView};
use semantics::tensor::{Content, Tensor};

/// The tensors that one is computed from, one step back, each once.
pub(super) fn parents(tensor: Tensor) -> Vec<Tensor> {
    match tensor.content() {
        Content::Given | Content::Stored(_) | Content::Random(_) | Content::Dims(_) => Vec::new(),
        Content::Composed(composition, output) => vec![composition.output(output)],
        Content::Opaque(opaque, _) => opaque.inputs.clone(),
        Content::Formula { .. } => match tensor.formula() {
            Some(formula) => tensors_in(formula.element),
            None => Vec::new(),
        },
    }
}

/// The tensors that an element reads.
pub(super) fn tensors_in(element: Element) -> Vec<Tensor> {
    let mut seen = Seen::default();
    seen.element(element);
    seen.tensors
}

#[derive(Default)]
struct Seen {
    elements: FxHashSet<ElementId>,
    tensors: Vec<Tensor>,
}

impl Seen {
    fn element(&mut self, element: Element) {
        if !self.elements.insert(element.id()) {
            return;
        }
        match element.view() {
            ElementView::At(tensor, index) => {
                if !self.tensors.contains(&tensor) {
                    self.tensors.push(tensor);
                }
                index.into_iter().for_each(|dim| self.dim(dim));
            }
            ElementView::Unary(_, x) | ElementView::Cast(x) => self.element(x),
            ElementView::Binary(_, x, y) => {
                self.element(x);
                self.element(y);
            }
            ElementView::When(prop, x, y) => {
                self.prop(prop);
                self.element(x);
                self.element(y);
            }
            ElementView::Select(condition, x, y) => {
                self.element(x);
                self.element(y);
                self.element(condition);
            }
            ElementView::Fold { body, extent, .. } => {
                self.element(body);
                self.dim(extent);
            }
            ElementView::Index(dim) => self.dim(dim),
            ElementView::Float(_) | ElementView::Int(_) | ElementView::Bool(_) => {}
        }
    }
    fn dim(&mut self, dim: Dim) {
        if dim.known().is_some() {
            return;
        }
        let mut inside = Vec::new();
        dim.leaves(&mut |leaf| {
            if let AtomView::Value(element) = leaf.view() {
                inside.push(element);
            }
        });
        inside.into_iter().for_each(|element| self.element(element));
    }
    fn prop(&mut self, prop: Prop) {
        match prop.view() {
            PropView::Value(element) => self.element(element),
            PropView::And(parts) | PropView::Or(parts) => parts.into_iter().for_each(|part| self.prop(part)),
            PropView::Not(inner) => self.prop(inner),
            PropView::Equal(a, b) | PropView::AtMost(a, b) => {
                self.dim(a);
                self.dim(b);
            }
            _ => {}
        }
    }
}
