//! Names: each is defined once, before it is used, in the graph itself or in a graph around it.

use std::collections::hash_map::Entry;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::place::{self, shortened};
use super::{Checker, Step};
use crate::onnx::model::{Graph, Name, Node};
use crate::onnx::problem::{ProblemKind, Problems};

/// The names of one graph or function body, and who needs whom in it.
#[derive(Debug, Default)]
pub(super) struct Scope<'m> {
    definers: FxHashMap<&'m str, Definer>,
    /// The node that is being checked.
    pub(super) position: usize,
    /// (a node, the node that computes one of its inputs), also when the input is used in a sub-graph.
    pub(super) needs: Vec<(usize, usize)>,
    /// Names used by a node that stands before the one that computes them.
    pub(super) early_uses: Vec<EarlyUse<'m>>,
}

#[derive(Debug, Clone, Copy)]
enum Definer {
    InputOrConstant,
    Node(usize),
}

#[derive(Debug)]
pub(super) struct EarlyUse<'m> {
    pub(super) user: usize,
    pub(super) definer: usize,
    pub(super) name: &'m str,
    /// Empty once there are more than anybody will read.
    pub(super) place: String,
}

impl<'m> Checker<'m> {
    /// Node names are optional, but runtimes refuse to see one twice.
    pub(super) fn node_names(&mut self, nodes: &'m [Node]) {
        let mut seen = FxHashSet::with_capacity_and_hasher(nodes.len(), FxBuildHasher);
        for (index, node) in nodes.iter().enumerate() {
            if !node.name.is_empty() && !seen.insert(&*node.name) {
                self.within(Step::Node(index, node), |checker| {
                    checker.report(ProblemKind::DuplicateName, "another node has the same name");
                });
            }
        }
    }

    pub(super) fn open_graph_scope(&mut self, graph: &'m Graph) {
        let mut scope = Scope::default();
        scope.definers.reserve(graph.inputs.len() + graph.initializers.len() + graph.nodes.len());
        for input in &graph.inputs {
            if scope.definers.insert(&input.name, Definer::InputOrConstant).is_some() {
                self.duplicate(&input.name, "is an input twice");
            }
        }
        let mut constants = FxHashSet::with_capacity_and_hasher(graph.initializers.len(), FxBuildHasher);
        let dense = graph.initializers.iter().map(|tensor| &*tensor.name);
        for name in dense.chain(graph.sparse_initializers.iter().map(|sparse| sparse.name())) {
            if name.is_empty() {
                self.report(ProblemKind::UndefinedName, "an initialiser has no name");
            } else if !constants.insert(name) {
                self.duplicate(name, "is an initialiser twice");
            }
            // An initialiser with the name of an input is the default of that input.
            scope.definers.insert(name, Definer::InputOrConstant);
        }
        self.open_scope(scope, &graph.nodes);
    }

    pub(super) fn open_body_scope(&mut self, inputs: &'m [Name], nodes: &'m [Node]) {
        let mut scope = Scope::default();
        for input in inputs {
            if scope.definers.insert(input, Definer::InputOrConstant).is_some() {
                self.duplicate(input, "is an input twice");
            }
        }
        self.open_scope(scope, nodes);
    }

    fn open_scope(&mut self, mut scope: Scope<'m>, nodes: &'m [Node]) {
        for (index, node) in nodes.iter().enumerate() {
            for output in node.outputs.iter().filter(|name| !name.is_empty()) {
                let earlier = match scope.definers.entry(output) {
                    Entry::Occupied(earlier) => *earlier.get(),
                    Entry::Vacant(free) => {
                        free.insert(Definer::Node(index));
                        continue;
                    }
                };
                let by = match earlier {
                    Definer::InputOrConstant => "as an input or initialiser".to_owned(),
                    Definer::Node(other) if other == index => "by the same node".to_owned(),
                    Definer::Node(other) => format!("by {}", place::node(other, &nodes[other])),
                };
                self.within(Step::Node(index, node), |checker| {
                    checker.duplicate(output, &format!("is already defined {by}"));
                });
            }
        }
        self.scopes.push(scope);
    }

    /// An input of the current node.
    pub(super) fn use_name(&mut self, name: &'m str) {
        for scope in self.scopes.iter_mut().rev() {
            match scope.definers.get(name) {
                None => continue,
                Some(&Definer::Node(definer)) => {
                    scope.needs.push((scope.position, definer));
                    if definer >= scope.position {
                        let is_shown = scope.early_uses.len() < Problems::LIMIT;
                        let place = if is_shown { place::render(&self.path) } else { String::new() };
                        scope.early_uses.push(EarlyUse { user: scope.position, definer, name, place });
                    }
                }
                Some(Definer::InputOrConstant) => {}
            }
            return;
        }
        let message = format!("the input `{}` is not defined{}", shortened(name), self.hint(name));
        self.report(ProblemKind::UndefinedName, message);
    }

    /// A node may not reuse a name that it could see outside its own graph.
    pub(super) fn outputs_defined_outside(&mut self, node: &'m Node) {
        let Some((_, around)) = self.scopes.split_last() else { return };
        let is_visible = |name: &str| {
            around.iter().any(|scope| match scope.definers.get(name) {
                Some(Definer::InputOrConstant) => true,
                Some(&Definer::Node(definer)) => definer < scope.position,
                None => false,
            })
        };
        let reused: Vec<_> =
            node.outputs.iter().filter(|name| !name.is_empty() && is_visible(name)).collect();
        for name in reused {
            self.duplicate(name, "is already defined outside this graph");
        }
    }

    /// Every output must be defined in the innermost scope itself.
    pub(super) fn outputs(&mut self, names: impl Iterator<Item = &'m str>, what: &str) {
        for name in names {
            let Some((own, around)) = self.scopes.split_last() else { return };
            if own.definers.contains_key(name) {
                continue;
            }
            let shown = shortened(name);
            let message = if around.iter().any(|scope| scope.definers.contains_key(name)) {
                format!("the {what} `{shown}` is a value from outside; an Identity node must pass it on")
            } else {
                format!("the {what} `{shown}` is not computed by any node{}", self.hint(name))
            };
            self.report(ProblemKind::MissingOutput, message);
        }
    }

    fn duplicate(&mut self, name: &str, how: &str) {
        self.report(ProblemKind::DuplicateName, format!("the name `{}` {how}", shortened(name)));
    }

    fn hint(&mut self, name: &str) -> String {
        let known = self.scopes.iter().flat_map(|scope| scope.definers.keys().copied());
        match self.hints.nearest(name, known) {
            Some(nearest) => format!("; did you mean `{}`?", shortened(nearest)),
            None => String::new(),
        }
    }
}
