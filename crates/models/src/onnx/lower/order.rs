//! Nodes in an order in which every value is made before it is used, as close to the file's as that allows.

use super::super::model::{AttributeValue, Graph, Node};
use rustc_hash::FxHashMap;

/// The positions of `nodes`, sorted. Nodes that wait for each other keep the order of the file.
pub(super) fn sorted(nodes: &[Node]) -> Vec<usize> {
    let makers: FxHashMap<&str, usize> = nodes
        .iter()
        .enumerate()
        .flat_map(|(number, node)| node.outputs.iter().map(move |output| (&**output, number)))
        .filter(|(output, _)| !output.is_empty())
        .collect();
    let needs: Vec<Vec<usize>> = nodes
        .iter()
        .map(|node| {
            let mut needs = Vec::new();
            collect(node, &makers, &mut needs);
            needs
        })
        .collect();
    let mut order = Vec::with_capacity(nodes.len());
    let mut met = vec![false; nodes.len()];
    for start in 0..nodes.len() {
        // A stack of nodes with how many of their needs have been looked at.
        let mut stack = if met[start] { Vec::new() } else { vec![(start, 0)] };
        met[start] = true;
        while let Some((node, looked)) = stack.last_mut() {
            match needs[*node].get(*looked) {
                Some(&needed) => {
                    *looked += 1;
                    if !met[needed] {
                        met[needed] = true;
                        stack.push((needed, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The makers of what a node reads, inside its sub-graphs too.
fn collect(node: &Node, makers: &FxHashMap<&str, usize>, into: &mut Vec<usize>) {
    into.extend(node.inputs.iter().filter_map(|input| makers.get(&**input)));
    for attribute in &node.attributes {
        let graphs: &[Graph] = match &attribute.value {
            AttributeValue::Graph(graph) => std::slice::from_ref(&**graph),
            AttributeValue::Graphs(graphs) => graphs,
            _ => &[],
        };
        for graph in graphs {
            for inner in &graph.nodes {
                collect(inner, makers, into);
            }
            into.extend(graph.outputs.iter().filter_map(|output| makers.get(&*output.name)));
        }
    }
}
