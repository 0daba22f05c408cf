//! The operators with sub-graphs: If, Loop and Scan.

use super::super::model::{AttributeValue, Graph, Node};
use super::{Lowering, fault};
use program::ir::{self, Action, Direction, Fault, If, Loop, Scan, ValueId, Walk};
use rustc_hash::FxHashMap;
use semantics::operator::Category;

impl<'m> Lowering<'m> {
    /// Lowers a sub-graph, which sees the names around it.
    fn region(&mut self, graph: &'m Graph) -> ir::Graph {
        self.scopes.push(FxHashMap::default());
        let region = self.graph(graph);
        self.scopes.pop();
        region
    }

    fn subgraph(&mut self, node: &'m Node, name: &str, faults: &mut Vec<Fault>) -> Option<&'m Graph> {
        match node.attribute(name) {
            Some(AttributeValue::Graph(graph)) => Some(graph),
            _ => {
                let label = format!("{} has the sub-graph `{name}`", node.op_type);
                faults.push(fault(Category::IllegalValue, label, "it is missing".into()));
                None
            }
        }
    }

    fn input(&mut self, node: &'m Node, position: usize) -> Option<ValueId> {
        node.inputs.get(position).and_then(|name| self.given(name))
    }

    pub(super) fn conditional(&mut self, node: &'m Node, faults: &mut Vec<Fault>) -> Action {
        let then = self.subgraph(node, "then_branch", faults);
        let otherwise = self.subgraph(node, "else_branch", faults);
        let condition = self.input(node, 0);
        let (Some(then), Some(otherwise), Some(condition)) = (then, otherwise, condition) else {
            if condition.is_none() {
                faults.push(fault(
                    Category::IllegalValue,
                    "If has a condition".into(),
                    "it is missing".into(),
                ));
            }
            return self.unknown(node, None);
        };
        for (name, branch) in [("then_branch", then), ("else_branch", otherwise)] {
            if branch.outputs.len() != node.outputs.len() {
                let label = format!("`{name}` gives as many outputs as the node");
                let detail =
                    format!("it gives {}, the node takes {}", branch.outputs.len(), node.outputs.len());
                faults.push(fault(Category::IllegalValue, label, detail));
            }
        }
        Action::If(Box::new(If { condition, then: self.region(then), otherwise: self.region(otherwise) }))
    }

    pub(super) fn repeated(&mut self, node: &'m Node, faults: &mut Vec<Fault>) -> Action {
        let (rounds, condition) = (self.input(node, 0), self.input(node, 1));
        let Some(body) = self.subgraph(node, "body", faults) else { return self.unknown(node, None) };
        let carried: Vec<ValueId> = (2..node.inputs.len()).filter_map(|k| self.input(node, k)).collect();
        if body.inputs.len() != 2 + carried.len() {
            let label = "the body of a loop takes the round, the condition and what is carried";
            let detail = format!("it takes {} for {} carried", body.inputs.len(), carried.len());
            faults.push(fault(Category::IllegalValue, label.into(), detail));
        } else if body.outputs.len() != 1 + node.outputs.len() || node.outputs.len() < carried.len().max(1) {
            let label = "the body of a loop gives the condition and what the loop gives";
            let detail = format!(
                "it gives {}, the node gives {} and carries {}",
                body.outputs.len(),
                node.outputs.len(),
                carried.len()
            );
            faults.push(fault(Category::IllegalValue, label.into(), detail));
        }
        Action::Loop(Box::new(Loop { asked: None, rounds, condition, carried, body: self.region(body) }))
    }

    pub(super) fn scan(&mut self, node: &'m Node, version: u32, faults: &mut Vec<Fault>) -> Action {
        let Some(body) = self.subgraph(node, "body", faults) else { return self.unknown(node, None) };
        let batched = version < 9;
        let inputs: Vec<Option<ValueId>> =
            (usize::from(batched)..node.inputs.len()).map(|k| self.input(node, k)).collect();
        let walked = match node.attribute("num_scan_inputs") {
            Some(AttributeValue::Int(count)) => usize::try_from(*count).unwrap_or(0),
            _ => 0,
        };
        if inputs.iter().any(Option::is_none) {
            let label = "every input of a scan is given";
            faults.push(fault(Category::IllegalValue, label.into(), "one is left out".into()));
            return self.unknown(node, None);
        }
        let fits = walked >= 1 && walked <= inputs.len() && body.inputs.len() == inputs.len();
        let collects = body.outputs.len().checked_sub(inputs.len().saturating_sub(walked));
        let (true, Some(collected)) = (fits, collects.filter(|_| body.outputs.len() == node.outputs.len()))
        else {
            let label = "the body of a scan takes what the scan takes and gives what it gives";
            let detail = format!(
                "it takes {} for {} and gives {} for {}",
                body.inputs.len(),
                inputs.len(),
                body.outputs.len(),
                node.outputs.len()
            );
            faults.push(fault(Category::IllegalValue, label.into(), detail));
            return self.unknown(node, None);
        };
        let input_directions = if batched { "directions" } else { "scan_input_directions" };
        for (name, entries) in [
            (input_directions, walked),
            ("scan_input_axes", walked),
            ("scan_output_axes", collected),
            ("scan_output_directions", collected),
        ] {
            if let Some(AttributeValue::Ints(values)) = node.attribute(name)
                && values.len() != entries
            {
                let label = format!("`{name}` has one entry per tensor it speaks of");
                faults.push(fault(
                    Category::IllegalValue,
                    label,
                    format!("it has {} for {entries}", values.len()),
                ));
            }
        }
        for name in [input_directions, "scan_output_directions"] {
            if let Some(AttributeValue::Ints(values)) = node.attribute(name)
                && let Some(odd) = values.iter().find(|value| !matches!(value, 0 | 1))
            {
                let label = format!("every entry of `{name}` is 0 (forwards) or 1 (backwards)");
                faults.push(fault(Category::IllegalValue, label, format!("one is {odd}")));
            }
        }
        let list = |name: &str, k: usize| match node.attribute(name) {
            Some(AttributeValue::Ints(values)) => values.get(k).copied().unwrap_or(0),
            _ => 0,
        };
        let split = inputs.len() - walked;
        let carried = inputs[..split].iter().flatten().copied().collect();
        let scanned = inputs[split..].iter().enumerate().filter_map(|(k, value)| {
            let backward = list(input_directions, k) != 0;
            value.map(|value| Walk {
                value,
                direction: Direction { axis: list("scan_input_axes", k), backward },
            })
        });
        let scanned = scanned.collect();
        let collected = (0..collected).map(|k| Direction {
            axis: list("scan_output_axes", k),
            backward: list("scan_output_directions", k) != 0,
        });
        let collected = collected.collect();
        Action::Scan(Box::new(Scan { carried, scanned, collected, batched, body: self.region(body) }))
    }
}
