//! Who needs which value: so that stored tensors are read when they are needed and values dropped when not.

use program::ir::{Constant, Graph, Node, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The stored tensors of a graph and its regions.
pub(super) fn constants(graph: &Graph) -> FxHashMap<ValueId, &Constant> {
    let mut found = FxHashMap::default();
    let mut open = vec![graph];
    while let Some(graph) = open.pop() {
        found.extend(graph.constants.iter().map(|(value, constant)| (*value, constant)));
        open.extend(graph.nodes.iter().flat_map(Node::regions));
    }
    found
}

/// For each node, the values that nothing needs once it has run.
pub(super) fn last_uses(graph: &Graph) -> Vec<Vec<ValueId>> {
    let mut needed: FxHashSet<ValueId> = graph.outputs.iter().copied().collect();
    let mut last: Vec<Vec<ValueId>> = graph
        .nodes
        .iter()
        .rev()
        .map(|node| {
            let mut touched = Vec::new();
            all_inputs(node, &mut touched);
            touched.extend(node.outputs.iter().flatten());
            touched.retain(|&value| needed.insert(value));
            touched
        })
        .collect();
    last.reverse();
    last
}

/// What a node and the nodes of its regions read and make.
fn all_inputs(node: &Node, found: &mut Vec<ValueId>) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        found.extend(node.inputs());
        for region in node.regions() {
            found.extend(region.outputs.iter().chain(&region.inputs));
            found.extend(region.constants.iter().map(|(value, _)| value));
            found.extend(region.nodes.iter().flat_map(|node| node.outputs.iter().flatten()));
            open.extend(&region.nodes);
        }
    }
}
