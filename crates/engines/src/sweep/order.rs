//! In which order hyper-parameters are taken.

use super::Course;
use super::course::inner;
use solver::Node;

/// The hyper-parameters that matter, in the order in which runs come upon them.
pub fn of_use(courses: &[Course], count: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_known = vec![false; count];
    for course in courses {
        let mut seen = vec![false; course.nodes.len()];
        for step in &course.steps {
            visit(course, step.node, &mut seen, &mut |parameter| {
                if !std::mem::replace(&mut is_known[parameter], true) {
                    order.push(parameter);
                }
            });
        }
    }
    order
}

fn visit(course: &Course, node: u32, seen: &mut [bool], found: &mut dyn FnMut(usize)) {
    // Depth first, without the stack of the thread: a deep model makes a deep expression.
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        if let Node::Leaf(leaf) = &course.nodes[node as usize]
            && let Some(parameter) = course.leaves[*leaf as usize]
        {
            found(parameter);
        }
        let from = stack.len();
        inner(&course.nodes[node as usize], &mut |part| stack.push(part));
        // What was met first in the program has the least number.
        stack[from..].sort_unstable_by(|a, b| b.cmp(a));
    }
}

/// Orders that are worth a try, the most promising first.
pub fn candidates(courses: &[Course], lengths: &[usize]) -> Vec<Vec<usize>> {
    let first = of_use(courses, lengths.len());
    let mut backward = first.clone();
    backward.reverse();
    // Those with few values first keeps states few where nothing is forgotten on the way.
    let mut short = first.clone();
    short.sort_by_key(|&parameter| lengths[parameter]);
    let mut all = vec![first];
    for order in [short, backward] {
        if !all.contains(&order) {
            all.push(order);
        }
    }
    all
}
