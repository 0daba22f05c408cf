//! The structure of a model: names, order, operator sets, functions, constants and declared types.
//! Every problem is reported; none stops the search for others. No file is read.

mod components;
mod functions;
mod order;
mod place;
mod scopes;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use self::place::Step;
pub(super) use self::place::shortened;
use self::scopes::Scope;
use super::model::{Attribute, AttributeValue, Graph, Model, Name, Node};
use super::problem::{Problem, ProblemKind, Problems};
pub(super) use crate::similar::Hints;

/// The newest version of the file format (`IR_VERSION`) that is known.
const NEWEST_FORMAT: i64 = 14;

/// All structural problems of a model, in the order of the file.
pub fn check(model: &Model) -> Vec<Problem> {
    let mut problems = Problems::default();
    for problem in &model.reading_problems {
        problems.report(problem.kind, problem.place.clone(), problem.message.clone());
    }
    if model.ir_version <= 0 {
        problems.report(ProblemKind::BadStructure, "model", "the version of the file format is missing");
    }
    if model.ir_version > NEWEST_FORMAT {
        let message = format!(
            "version {} of the file format is newer than {NEWEST_FORMAT}, the newest known here: what it added is not read",
            model.ir_version
        );
        problems.report(ProblemKind::NewerFormat, "model", message);
    }
    let newest = semantics::spelling::newest_onnx();
    if let Some(&version) = model.opsets.get("").filter(|version| **version > i64::from(newest)) {
        let message = format!(
            "opset {version} of the domain `ai.onnx` is newer than {newest}, the newest known here: its operators are read as of {newest}"
        );
        problems.report(ProblemKind::NewerOpset, "model", message);
    }
    let mut checker = Checker {
        model,
        problems,
        path: Vec::new(),
        scopes: Vec::new(),
        opsets: &model.opsets,
        function_attributes: None,
        missing_domains: FxHashSet::default(),
        hints: Hints::default(),
    };
    checker.declared_inputs(&model.graph);
    checker.graph(&model.graph);
    for function in &model.functions {
        checker.function(function);
    }
    checker.calls_between_functions();
    checker.problems.into_vec()
}

/// Sub-graphs may nest this deep; files cannot get there, but models built in memory could.
const MAX_NESTING: usize = 100;

/// Walks the model with the names in scope and the path to the current place.
struct Checker<'m> {
    model: &'m Model,
    problems: Problems,
    path: Vec<Step<'m>>,
    /// Innermost last.
    scopes: Vec<Scope<'m>>,
    /// Those of the model, or of the function that is being checked.
    opsets: &'m BTreeMap<Name, i64>,
    /// The attributes that the current function declares; none outside of functions.
    function_attributes: Option<FxHashSet<&'m str>>,
    /// Domains already reported, since one missing import affects many nodes.
    missing_domains: FxHashSet<&'m str>,
    hints: Hints,
}

impl<'m> Checker<'m> {
    fn report(&mut self, kind: ProblemKind, message: impl Into<String>) {
        self.problems.report(kind, place::render(&self.path), message);
    }

    /// Runs a check one step deeper in the model.
    fn within(&mut self, step: Step<'m>, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    fn graph(&mut self, graph: &'m Graph) {
        if self.scopes.len() == MAX_NESTING {
            self.report(ProblemKind::BadStructure, format!("graphs nest deeper than {MAX_NESTING} levels"));
            return;
        }
        self.constants(graph);
        for info in graph.inputs.iter().chain(&graph.outputs).chain(&graph.value_infos) {
            self.within(Step::Value(&info.name), |checker| checker.declaration(info));
        }
        self.node_names(&graph.nodes);
        self.open_graph_scope(graph);
        self.nodes(&graph.nodes);
        let outputs = graph.outputs.iter().map(|info| &*info.name);
        self.outputs(outputs, "graph output");
        self.close_scope(&graph.nodes);
    }

    fn nodes(&mut self, nodes: &'m [Node]) {
        for (index, node) in nodes.iter().enumerate() {
            if let Some(scope) = self.scopes.last_mut() {
                scope.position = index;
            }
            self.within(Step::Node(index, node), |checker| checker.node(node));
        }
    }

    fn node(&mut self, node: &'m Node) {
        if node.op_type.is_empty() {
            self.report(ProblemKind::BadStructure, "the node names no operator");
        }
        if node.inputs.is_empty() && node.outputs.is_empty() {
            self.report(ProblemKind::BadStructure, "the node has neither inputs nor outputs");
        }
        self.opset_of(node);
        if let Some(function) = self.model.function_for(node) {
            self.fits_function(node, function);
        }
        for input in node.inputs.iter().filter(|name| !name.is_empty()) {
            self.use_name(input);
        }
        self.attributes(&node.attributes);
        for (attribute, graph) in node.subgraphs() {
            self.within(Step::Attribute(attribute), |checker| checker.graph(graph));
        }
        self.outputs_defined_outside(node);
    }

    fn opset_of(&mut self, node: &'m Node) {
        // The first two versions of the file format knew no operator sets.
        let predates_opsets = self.model.ir_version < 3 && self.opsets.is_empty();
        if predates_opsets
            || self.opsets.contains_key(&node.domain)
            || !self.missing_domains.insert(&node.domain)
        {
            return;
        }
        let domain = if node.domain.is_empty() { "ai.onnx" } else { &node.domain };
        let importer = if self.function_attributes.is_some() { "function" } else { "model" };
        self.report(
            ProblemKind::MissingOpset,
            format!("the {importer} imports no operator set for the domain `{domain}`"),
        );
    }

    fn attributes(&mut self, attributes: &'m [Attribute]) {
        if attributes.len() > 1 {
            let mut names: SmallVec<[&str; 16]> =
                attributes.iter().map(|attribute| &*attribute.name).collect();
            names.sort_unstable();
            for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
                self.report(ProblemKind::BadAttribute, format!("the attribute `{}` is given twice", pair[0]));
            }
        }
        for attribute in attributes {
            self.within(Step::Attribute(&attribute.name), |checker| {
                checker.attribute_value(&attribute.value)
            });
        }
    }

    fn attribute_value(&mut self, value: &'m AttributeValue) {
        match value {
            AttributeValue::Invalid(reason) => self.report(ProblemKind::BadAttribute, reason.clone()),
            AttributeValue::Reference(name) => self.reference(name),
            AttributeValue::Tensor(tensor) => self.tensor(tensor),
            AttributeValue::Tensors(tensors) => tensors.iter().for_each(|tensor| self.tensor(tensor)),
            AttributeValue::Sparse(sparse) => self.sparse(sparse),
            AttributeValue::Sparses(tensors) => tensors.iter().for_each(|sparse| self.sparse(sparse)),
            AttributeValue::Type(value_type) => self.value_type(value_type),
            AttributeValue::Types(types) => types.iter().for_each(|value_type| self.value_type(value_type)),
            _ => {}
        }
    }
}
