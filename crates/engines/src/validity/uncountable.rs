//! Tensors that no machine can address.

use super::Checker;
use crate::brief::brief;
use crate::finding::{Finding, Rule, Severity};
use program::execute::Run;
use program::ir::{Graph, ValueId};
use semantics::operator::Category;

impl<'p> Checker<'p> {
    /// Tensors with more elements than there are addresses. What is made of them is not told again.
    pub(super) fn uncountable(&mut self, graph: &'p Graph, run: &Run<'p>) {
        let is_uncountable =
            |value: &ValueId| run.tensors.get(*value).is_some_and(|tensor| tensor.shape().is_uncountable());
        for node in &graph.nodes {
            let own = node.outputs.iter().flatten().copied().find(is_uncountable);
            if let Some(value) = own.filter(|_| !node.inputs().iter().any(is_uncountable)) {
                let (name, tensor) = (self.program.name(value), run.tensors.get(value));
                let shape = tensor.map(|tensor| brief(&tensor.shape())).unwrap_or_default();
                self.answer.findings.push(Finding {
                    rule: Rule::of(Category::IllegalShape),
                    severity: Severity::Error,
                    message: format!("`{name}` is {shape}: no 64 bits can count its elements"),
                    ..self.finding_at(&node.place)
                });
            }
            for region in node.regions() {
                self.uncountable(region, run);
            }
        }
    }
}
