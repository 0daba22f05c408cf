//! In which order hyper-parameters are taken.

use super::course::inner;
use super::{Course, Domain};
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

/// Those that stand beside each other in the statement that most depend on are taken one after the other: a product is one
/// number as soon as its factors are known.
fn together(courses: &[Course], others: &[usize]) -> Vec<usize> {
    let steps = courses.iter().flat_map(|course| course.steps.iter().map(move |step| (course, step)));
    let hardest = steps.max_by_key(|(course, step)| course.mentioned(step).len());
    let mut order = Vec::new();
    if let Some((course, step)) = hardest {
        let mut seen = vec![false; course.nodes.len()];
        let mut stack = vec![step.node];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            if let Node::Leaf(leaf) = &course.nodes[node as usize] {
                order.extend(course.leaves[*leaf as usize]);
            }
            let from = stack.len();
            inner(&course.nodes[node as usize], &mut |part| stack.push(part));
            stack[from..].reverse();
        }
    }
    let rest = others.iter().copied().filter(|parameter| !order.contains(parameter));
    let rest: Vec<usize> = rest.collect();
    order.into_iter().chain(rest).collect()
}

/// Orders that are worth a try besides the one in which runs come upon them, which is the first of them.
pub fn candidates(courses: &[Course], domains: &[Domain], first: Vec<usize>) -> Vec<Vec<usize>> {
    let spread = |parameter: usize| {
        let values = &domains[parameter].values;
        values.iter().max().zip(values.iter().min()).map_or(0, |(high, low)| high.saturating_sub(*low))
    };
    // Where one has more to say than all that follow, what follows cannot make up for it.
    let mut wide = first.clone();
    wide.sort_by_key(|&parameter| std::cmp::Reverse(spread(parameter)));
    let mut backward = first.clone();
    backward.reverse();
    // Those with few values first keeps states few where nothing is forgotten on the way.
    let mut short = first.clone();
    short.sort_by_key(|&parameter| domains[parameter].values.len());
    let together = together(courses, &first);
    let mut all = vec![first];
    for order in [together, wide, short, backward] {
        if !all.contains(&order) {
            all.push(order);
        }
    }
    all
}
