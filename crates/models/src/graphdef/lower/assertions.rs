//! What a graph asserts: whatever comes after an `Assert` is computed only where its condition holds.

use super::super::body::{Source, is_enter, is_switch};
use super::{Environment, Lowering, short};
use program::ir::Asserted;

/// Larger products of assertions and nodes are left alone.
const MOST: usize = 20_000_000;

impl<'g> Lowering<'g> {
    /// The assertions of the graph, each with the nodes that come after it.
    pub(super) fn assertions(&self, environment: &Environment<'g>) -> Vec<Asserted> {
        let body = &environment.prepared.body;
        let is_assertion = |node: &u32| body.nodes[*node as usize].op == "Assert";
        let assertions: Vec<u32> = (0..body.nodes.len() as u32).filter(is_assertion).collect();
        if assertions.is_empty() || assertions.len().saturating_mul(body.nodes.len()) > MOST {
            return Vec::new();
        }
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); body.nodes.len()];
        for (number, inputs) in body.inputs.iter().enumerate() {
            let data = inputs.iter().filter_map(|source| match source {
                Source::Node { node, .. } => Some(*node),
                _ => None,
            });
            for before in data.chain(body.controls[number].iter().copied()) {
                users[before as usize].push(number as u32);
            }
        }
        let of = |assertion: u32| {
            let condition = condition_of(environment, assertion)?;
            let mut after = vec![false; body.nodes.len()];
            let mut open = vec![assertion];
            while let Some(node) = open.pop() {
                for &user in &users[node as usize] {
                    if !std::mem::replace(&mut after[user as usize], true) {
                        open.push(user);
                    }
                }
            }
            let names = body.nodes.iter().zip(after).filter(|(_, after)| *after);
            Some(Asserted { condition, nodes: names.map(|(node, _)| short(&node.name)).collect() })
        };
        assertions.into_iter().filter_map(of).collect()
    }
}

/// What is asserted, behind nodes that pass it on.
fn condition_of(environment: &Environment<'_>, assertion: u32) -> Option<program::ir::ValueId> {
    const MOST_STEPS: usize = 64;
    let body = &environment.prepared.body;
    let mut source = *body.inputs[assertion as usize].first()?;
    for _ in 0..MOST_STEPS {
        let Source::Node { node, output } = source else { return None };
        let op = body.nodes[node as usize].op.as_str();
        if op == "Identity" || is_switch(op) || is_enter(op) {
            source = *body.inputs[node as usize].first()?;
        } else {
            return environment.find(node, output);
        }
    }
    None
}
