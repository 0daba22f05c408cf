//! Strongly connected components: which things need each other in a circle.

/// For a graph of `count` vertices, the component of each vertex.
/// Components are numbered so that what a vertex points at has a number at most its own (Tarjan 1972).
pub(super) fn components(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let targets = Adjacency::new(count, edges);
    let mut search = Search {
        visited: vec![UNVISITED; count],
        low: vec![0; count],
        component: vec![UNVISITED; count],
        open: Vec::new(),
        next_visit: 0,
        next_component: 0,
    };
    // An explicit stack of (vertex, edges already followed): files can chain more nodes than the call stack holds.
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if search.visited[root] != UNVISITED {
            continue;
        }
        search.enter(root);
        stack.push((root, 0));
        while let Some((vertex, followed)) = stack.last_mut() {
            let vertex = *vertex;
            if let Some(&target) = targets.of(vertex).get(*followed) {
                *followed += 1;
                if search.visited[target] == UNVISITED {
                    search.enter(target);
                    stack.push((target, 0));
                } else if search.component[target] == UNVISITED {
                    search.low[vertex] = search.low[vertex].min(search.visited[target]);
                }
            } else {
                stack.pop();
                search.leave(vertex);
                if let Some(&(parent, _)) = stack.last() {
                    search.low[parent] = search.low[parent].min(search.low[vertex]);
                }
            }
        }
    }
    search.component
}

/// A shortest way from `start` to `end` along `edges` inside one component.
pub(super) fn path(start: usize, end: usize, edges: &[(usize, usize)], component: &[usize]) -> Vec<usize> {
    let targets = Adjacency::new(component.len(), edges);
    let mut previous = vec![UNVISITED; component.len()];
    previous[start] = start;
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        if vertex == end {
            break;
        }
        for &target in targets.of(vertex) {
            if previous[target] == UNVISITED && component[target] == component[start] {
                previous[target] = vertex;
                queue.push(target);
            }
        }
    }
    let mut way = vec![end];
    let mut vertex = end;
    while vertex != start && previous[vertex] != UNVISITED {
        vertex = previous[vertex];
        way.push(vertex);
    }
    way.reverse();
    way
}

const UNVISITED: usize = usize::MAX;

struct Search {
    visited: Vec<usize>,
    low: Vec<usize>,
    component: Vec<usize>,
    open: Vec<usize>,
    next_visit: usize,
    next_component: usize,
}

impl Search {
    fn enter(&mut self, vertex: usize) {
        self.visited[vertex] = self.next_visit;
        self.low[vertex] = self.next_visit;
        self.next_visit += 1;
        self.open.push(vertex);
    }

    fn leave(&mut self, vertex: usize) {
        if self.low[vertex] != self.visited[vertex] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.next_component;
            if member == vertex {
                break;
            }
        }
        self.next_component += 1;
    }
}

/// The edges grouped by their start.
struct Adjacency {
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Adjacency {
    fn new(count: usize, edges: &[(usize, usize)]) -> Self {
        let mut starts = vec![0; count + 1];
        for &(from, _) in edges {
            starts[from + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            targets[next[from]] = to;
            next[from] += 1;
        }
        Self { starts, targets }
    }

    fn of(&self, vertex: usize) -> &[usize] {
        &self.targets[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_share_a_component_and_targets_come_first() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)];
        let component = components(6, &edges);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert!(component[4] < component[3] && component[3] < component[2]);
        assert_eq!(path(1, 0, &edges, &component), [1, 2, 0]);
    }

    #[test]
    fn a_long_chain_needs_no_call_stack() {
        let edges: Vec<_> = (0..200_000).map(|i| (i, i + 1)).collect();
        assert_eq!(components(200_001, &edges)[0], 200_000);
    }
}
