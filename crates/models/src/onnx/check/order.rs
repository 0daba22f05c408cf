//! Order: a node that stands before what it needs is either misplaced or part of a circle.

use rustc_hash::FxHashSet;

use super::Checker;
use super::components::{components, path};
use super::place::{self, shortened};
use crate::onnx::model::Node;
use crate::onnx::problem::ProblemKind;

impl<'m> Checker<'m> {
    /// Ends the innermost scope and reports the wrong order in it.
    pub(super) fn close_scope(&mut self, nodes: &'m [Node]) {
        let Some(scope) = self.scopes.pop() else { return };
        if scope.early_uses.is_empty() {
            return;
        }
        let component = components(nodes.len(), &scope.needs);
        let mut reported = FxHashSet::default();
        for early in scope.early_uses {
            let name = shortened(early.name);
            if component[early.user] != component[early.definer] {
                let definer = place::node(early.definer, &nodes[early.definer]);
                let message =
                    format!("the input `{name}` is computed later, by {definer}; nodes must be sorted");
                self.problems.report(ProblemKind::WrongOrder, early.place, message);
            } else if reported.insert(component[early.user]) {
                let circle = path(early.definer, early.user, &scope.needs, &component);
                let message = format!("the nodes wait for each other: {}", describe(&circle, nodes));
                self.problems.report(ProblemKind::Cycle, early.place, message);
            }
        }
    }
}

/// "node 1 (Add) needs node 2 (Mul) needs node 1 (Add)", starting at the last of `circle`.
fn describe(circle: &[usize], nodes: &[Node]) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<String> = circle.iter().map(|&index| place::node(index, &nodes[index])).collect();
    let Some(first) = names.pop() else { return String::new() };
    if names.len() > SHOWN {
        let left_out = names.len() - SHOWN;
        names.truncate(SHOWN);
        names.push(format!("{left_out} more nodes"));
    }
    names.insert(0, first.clone());
    names.push(first);
    names.join(", which needs ")
}
