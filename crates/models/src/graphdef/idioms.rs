//! Groups of nodes that mean one thing: how gradients undo broadcasting.
//!
//! `Reshape(Sum(g, BroadcastGradientArgs(shape(a), shape(b))), shape(a))` adds up what broadcasting had repeated.
//! Subtraction has a `Neg` after the sum: as well before it, and then nothing else is different.
//! Which axes those are may depend on sizes that only the run will tell, and then nothing is known of the sum alone.

use super::body::{Body, Source};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub struct Idioms {
    /// Reshapes that undo broadcasting: what is added up, the shape that it gets, and the node that adds up.
    pub undone: FxHashMap<u32, (Source, Source, u32)>,
    /// Nodes that nothing else needs.
    pub inner: FxHashSet<u32>,
}

impl Idioms {
    /// Finds them; a `Neg` of a sum becomes one of what is added up.
    pub fn of(body: &mut Body) -> Idioms {
        let mut idioms = Idioms::default();
        let nodes = body.nodes.clone();
        let is = |node: u32, op: &str| nodes[node as usize].op == op;
        if !body.nodes.iter().any(|node| node.op == "BroadcastGradientArgs") {
            return idioms;
        }
        let mut uses: FxHashMap<u32, usize> = FxHashMap::default();
        for source in body.inputs.iter().flatten().chain(&body.results) {
            if let Source::Node { node, .. } = source {
                *uses.entry(*node).or_default() += 1;
            }
        }
        let mut explained: FxHashMap<u32, usize> = FxHashMap::default();
        for reshape in (0..body.nodes.len() as u32).filter(|&node| is(node, "Reshape")) {
            let [Source::Node { node: mut sum, output: 0 }, shape] = body.inputs[reshape as usize][..] else {
                continue;
            };
            let mut negated = None;
            if is(sum, "Neg")
                && uses.get(&sum) == Some(&1)
                && let [Source::Node { node, output: 0 }] = body.inputs[sum as usize][..]
            {
                (negated, sum) = (Some(sum), node);
            }
            if !is(sum, "Sum") || uses.get(&sum) != Some(&1) {
                continue;
            }
            let [added, Source::Node { node: axes, output }] = body.inputs[sum as usize][..] else {
                continue;
            };
            let own = body.inputs[axes as usize].get(output as usize);
            if is(axes, "BroadcastGradientArgs") && own == Some(&shape) {
                let added = match negated {
                    Some(neg) => {
                        body.inputs[neg as usize][0] = added;
                        Source::Node { node: neg, output: 0 }
                    }
                    None => added,
                };
                idioms.undone.insert(reshape, (added, shape, sum));
                idioms.inner.insert(sum);
                *explained.entry(axes).or_default() += 1;
            }
        }
        let all = explained.into_iter().filter(|(axes, count)| uses.get(axes) == Some(count));
        idioms.inner.extend(all.map(|(axes, _)| axes));
        idioms
    }
}
