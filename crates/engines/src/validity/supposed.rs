//! What is taken for granted of values that are not known before the run.

use program::ir::Place;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// So many nodes are named that rest on one supposition.
const MOST_NODES: usize = 3;

/// What is supposed, each statement once, with the nodes that rest on it.
pub(super) fn told(supposed: &[(&'static str, Rc<Place>)]) -> Vec<String> {
    let mut labels: Vec<&'static str> = Vec::new();
    for (label, _) in supposed {
        if !labels.contains(label) {
            labels.push(label);
        }
    }
    let told = labels.into_iter().map(|label| {
        let mut seen = FxHashSet::default();
        let places = supposed.iter().filter(|(own, _)| *own == label);
        let nodes: Vec<&str> =
            places.map(|(_, place)| &*place.node).filter(|node| seen.insert(*node)).collect();
        let shown: Vec<String> = nodes.iter().take(MOST_NODES).map(|node| format!("`{node}`")).collect();
        let more = nodes.len().saturating_sub(MOST_NODES);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{label}, which only the run will tell ({}{rest})", shown.join(", "))
    });
    told.collect()
}
