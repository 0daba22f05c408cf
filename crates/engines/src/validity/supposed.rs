//! What is taken for granted of values that are not known before the run.

use program::ir::Place;
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
        let mut nodes: Vec<String> = Vec::new();
        for (_, place) in supposed.iter().filter(|(own, _)| *own == label) {
            let node = format!("`{}`", place.node);
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        let more = nodes.len().saturating_sub(MOST_NODES);
        let shown = nodes[..nodes.len() - more].join(", ");
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{label}, which only the run will tell ({shown}{rest})")
    });
    told.collect()
}
