//! Variables: what they start with and how a graph changes them.

use super::super::body::Source;
use super::{Environment, Lowering};
use program::ir::{Changes, ValueId, Variable};
use rustc_hash::FxHashMap;

/// The variables met so far, by their shared names.
#[derive(Default)]
pub(super) struct Variables {
    pub(super) all: Vec<Variable>,
    by_name: FxHashMap<String, usize>,
}

impl Variables {
    pub(super) fn find(&self, name: &str) -> Option<ValueId> {
        self.by_name.get(name).map(|&number| self.all[number].value)
    }
    pub(super) fn add(&mut self, name: String, value: ValueId) {
        self.by_name.insert(name, self.all.len());
        self.all.push(Variable { value, initial: None, changes: Changes::Never, assigned: Some(Vec::new()) });
    }
}

impl<'g> Lowering<'g> {
    /// The variables with what the nodes of the graph do to them.
    pub(super) fn settled_variables(&mut self, environment: &Environment<'g>) -> Vec<Variable> {
        let mut variables = std::mem::take(&mut self.variables.all);
        let of_value: FxHashMap<ValueId, usize> =
            variables.iter().enumerate().map(|(number, variable)| (variable.value, number)).collect();
        let body = &environment.prepared.body;
        for (number, node) in body.nodes.iter().enumerate() {
            let inputs = &body.inputs[number];
            let changes = match node.op.as_str() {
                "Assign" | "AssignVariableOp" | "AssignVariableV2" => Changes::Otherwise,
                "AssignAdd" | "AssignAddVariableOp" => Changes::Counted,
                op if op.starts_with("Apply")
                    || op.contains("ResourceApply")
                    || op.starts_with("ResourceSparseApply") =>
                {
                    Changes::Trained
                }
                op if op.starts_with("SparseApply") => Changes::Trained,
                op if op.starts_with("Assign")
                    || op.starts_with("Scatter")
                    || op.starts_with("ResourceScatter") =>
                {
                    Changes::Otherwise
                }
                _ => continue,
            };
            let found = |source: Option<&Source>| match variable_behind(environment, *source?) {
                Some(value) => of_value.get(&value).copied(),
                None => None,
            };
            for slot in squares(&node.op) {
                if let Some(number) = found(inputs.get(*slot)) {
                    variables[number].changes = Changes::Squares;
                }
            }
            let Some(variable) = found(inputs.first()).map(|number| &mut variables[number]) else { continue };
            let first = matches!(node.op.as_str(), "Assign" | "AssignVariableOp");
            if first {
                let Some(Source::Node { node: maker, output }) = inputs.get(1).copied() else { continue };
                // What is read back from a checkpoint was trained before.
                if body.nodes[maker as usize].op.starts_with("Restore") {
                    continue;
                }
                if variable.initial.is_none() {
                    variable.initial = environment.find(maker, output);
                    continue;
                }
            }
            // What an assignment gives is the variable's new value; some give it to nobody.
            let given = match (node.op.as_str(), inputs.get(1)) {
                (_, Some(Source::Node { node: maker, output })) if first => environment.find(*maker, *output),
                ("AssignAdd" | "AssignSub" | "AssignAddVariableOp" | "AssignSubVariableOp", _) => {
                    environment.find(number as u32, 0)
                }
                _ => None,
            };
            match (&mut variable.assigned, given) {
                (Some(assigned), Some(given)) => assigned.push(given),
                (assigned, _) => *assigned = None,
            }
            if variable.changes != Changes::Trained {
                variable.changes = changes;
            }
        }
        variables
    }
}

/// The variable that a reference is to, behind nodes that pass it on.
fn variable_behind(environment: &Environment<'_>, mut source: Source) -> Option<ValueId> {
    let body = &environment.prepared.body;
    for _ in 0..64 {
        let Source::Node { node, output } = source else { return None };
        match body.nodes[node as usize].op.as_str() {
            "VariableV2" | "Variable" | "VarHandleOp" | "TemporaryVariable" => {
                return environment.find(node, output);
            }
            "Identity" | "RefIdentity" | "Enter" | "RefEnter" | "Switch" | "RefSwitch" | "Assign" => {
                source = *body.inputs[node as usize].first()?;
            }
            _ => return None,
        }
    }
    None
}

/// The inputs of an optimiser's step in which it keeps squares of gradients.
fn squares(op: &str) -> &'static [usize] {
    match op.trim_start_matches("Resource").trim_start_matches("Sparse") {
        "ApplyAdam" | "ApplyAdamWithAmsgrad" => &[2],
        "ApplyAdagrad" | "ApplyAdagradV2" | "ApplyRMSProp" | "ApplyFtrl" | "ApplyFtrlV2" => &[1],
        "ApplyAdadelta" => &[1, 2],
        "ApplyCenteredRMSProp" => &[2],
        _ => &[],
    }
}
