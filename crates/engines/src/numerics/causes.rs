//! Sites of one root cause, and overflows that are no fault of an operation.

use super::cone::parents;
use super::sites::{Analysis, Pass, Site};
use crate::ranges::Fault;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::element::{Element, ElementView};
use semantics::tensor::{Content, Tensor};

impl Analysis<'_> {
    /// One site for each cause: what a graph's own backward pass does with an argument that a site before it does not
    /// bear is told with that.
    pub fn by_cause(&self, sites: Vec<Site>) -> Vec<Site> {
        /// So many operations that do the same with one tensor have one cause.
        const MANY: usize = 16;
        let mut told: Vec<Site> = Vec::new();
        let mut alike: FxHashMap<(Tensor, &'static str, bool), (usize, usize)> = FxHashMap::default();
        for site in sites {
            let argument = origin(site.hazard.blamed);
            let is_backward = is_backward(&self.made(site.call).place.node);
            if let Some(argument) = argument.filter(|_| site.pass == Pass::Forward && !is_backward) {
                let is_overflow = site.hazard.fault == Fault::Overflow;
                let key = (argument, site.hazard.function, is_overflow);
                let (first, count) = alike.entry(key).or_insert((told.len(), 0));
                *count += 1;
                if *count > MANY && *first < told.len() {
                    told[*first].also.push(site.call);
                    continue;
                }
            }
            let cause = match (argument, is_backward) {
                (Some(argument), true) => {
                    told.iter_mut().find(|other| origin(other.hazard.blamed) == Some(argument))
                }
                _ => None,
            };
            match cause {
                Some(cause) => cause.also.push(site.call),
                None => told.push(site),
            }
        }
        told
    }

    /// Whether a sum or product is too large only as far as trained weights may have grown. That is divergence of the
    /// training and no property of the operation, so it takes inputs that make it happen with weights as they start.
    pub fn is_growth(&self, site: &Site) -> bool {
        if site.hazard.fault != Fault::Overflow
            || matches!(site.hazard.function, "exp" | "expm1" | "sinh" | "cosh")
        {
            return false;
        }
        let mut open = vec![site.hazard.tensor];
        let mut seen = FxHashSet::default();
        while let Some(tensor) = open.pop() {
            if !seen.insert(tensor) {
                continue;
            }
            match self.sources.known.get(&tensor) {
                Some(known) if known.source.usual.is_some() && known.is_assumed() => return true,
                Some(_) => {}
                None => match self.chosen.get(&tensor) {
                    Some(inputs) => open.extend(inputs),
                    None => open.extend(parents(tensor)),
                },
            }
        }
        false
    }
}

/// The tensor that an argument is an element of, whatever moved it about.
pub(super) fn origin(element: Element) -> Option<Tensor> {
    let mut tensor = moved(element)?;
    loop {
        while let Content::Composed(composition, output) = tensor.content() {
            tensor = composition.output(output);
        }
        match tensor.formula().and_then(|formula| moved(formula.element)) {
            Some(before) => tensor = before,
            None => return Some(tensor),
        }
    }
}

fn moved(element: Element) -> Option<Tensor> {
    match element.view() {
        ElementView::At(tensor, _) => Some(tensor),
        _ => None,
    }
}

/// Whether TensorFlow made a node to differentiate another: it names a scope after that.
fn is_backward(node: &str) -> bool {
    node.split('/').any(|scope| scope.ends_with("_grad"))
}
