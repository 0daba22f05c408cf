//! Functions that the model defines: their bodies, their identity, and calls that never end or explode.

use rustc_hash::FxHashSet;

use super::components::{components, path};
use super::place::shortened;
use super::{Checker, Step};
use crate::onnx::model::{Function, Node};
use crate::onnx::problem::ProblemKind;

/// A model whose functions expand to more nodes than this is an attack, not a network.
const MAX_EXPANDED_NODES: u64 = 10_000_000;
/// How deep functions may call each other.
const MAX_CALL_DEPTH: u64 = 100;

impl<'m> Checker<'m> {
    pub(super) fn function(&mut self, function: &'m Function) {
        self.opsets = &function.opsets;
        let defaults = function.attribute_defaults.iter().map(|attribute| &attribute.name);
        self.function_attributes =
            Some(function.attributes.iter().chain(defaults).map(|name| &**name).collect());
        self.missing_domains.clear();
        self.within(Step::Function(function), |checker| {
            checker.declared_attributes(function);
            for info in &function.value_infos {
                checker.within(Step::Value(&info.name), |checker| checker.declaration(info));
            }
            checker.open_body_scope(&function.inputs, &function.nodes);
            checker.nodes(&function.nodes);
            checker.outputs(function.outputs.iter().map(|name| &**name), "function output");
            checker.close_scope(&function.nodes);
        });
        self.function_attributes = None;
        self.opsets = &self.model.opsets;
    }

    /// A call gives a function no more than it takes, and takes no more than it gives.
    pub(super) fn fits_function(&mut self, node: &'m Node, function: &'m Function) {
        let name = shortened(&function.id.name);
        for (what, given, most) in [
            ("takes", node.inputs.len(), function.inputs.len()),
            ("gives", node.outputs.len(), function.outputs.len()),
        ] {
            if given > most {
                let message = format!("the function `{name}` {what} {most}, the node names {given}");
                self.report(ProblemKind::BadFunction, message);
            }
        }
    }

    /// A value taken over from the attributes of the surrounding function.
    pub(super) fn reference(&mut self, name: &'m str) {
        let shown = shortened(name);
        match &self.function_attributes {
            None => {
                let message =
                    format!("`@{shown}` refers to an attribute of a function, but stands outside of any");
                self.report(ProblemKind::BadAttribute, message);
            }
            Some(attributes) if !attributes.contains(name) => {
                self.report(ProblemKind::BadAttribute, format!("the function has no attribute `{shown}`"));
            }
            Some(_) => {}
        }
    }

    fn declared_attributes(&mut self, function: &'m Function) {
        let mut seen = FxHashSet::default();
        let defaults = function.attribute_defaults.iter().map(|attribute| &attribute.name);
        for name in function.attributes.iter().chain(defaults) {
            if !seen.insert(name) {
                let message = format!("the attribute `{}` is declared twice", shortened(name));
                self.report(ProblemKind::BadFunction, message);
            }
        }
        for attribute in &function.attribute_defaults {
            self.within(Step::Attribute(&attribute.name), |checker| {
                checker.attribute_value(&attribute.value)
            });
        }
        let mut outputs = FxHashSet::default();
        for output in function.outputs.iter().filter(|output| !outputs.insert(&***output)) {
            let message = format!("the output `{}` is listed twice", shortened(output));
            self.report(ProblemKind::BadFunction, message);
        }
    }

    /// Functions with one identity, functions that call themselves, and calls that expand without measure.
    pub(super) fn calls_between_functions(&mut self) {
        let functions = &self.model.functions;
        for (index, function) in functions.iter().enumerate() {
            if self.model.function_index.get(&function.id) != Some(&index) {
                self.within(Step::Function(function), |checker| {
                    checker.report(ProblemKind::BadFunction, "the function is defined twice");
                });
            }
        }
        let mut calls = Vec::new();
        let mut own_nodes = Vec::new();
        for (index, function) in functions.iter().enumerate() {
            let (nodes, called) = self.nodes_and_calls(&function.nodes);
            own_nodes.push(nodes);
            calls.extend(called.into_iter().map(|callee| (index, callee)));
        }
        let component = components(functions.len(), &calls);
        if !self.recursion(&calls, &component) {
            self.expansion(&calls, &component, &own_nodes);
        }
    }

    fn recursion(&mut self, calls: &[(usize, usize)], component: &[usize]) -> bool {
        let functions = &self.model.functions;
        let mut reported = FxHashSet::default();
        for &(caller, callee) in calls {
            if component[caller] == component[callee] && reported.insert(component[caller]) {
                let circle = path(callee, caller, calls, component);
                let names =
                    circle.iter().take(8).map(|&index| format!("`{}`", shortened(&functions[index].id.name)));
                let message =
                    format!("the function calls itself, through {}", names.collect::<Vec<_>>().join(", "));
                self.within(Step::Function(&functions[caller]), |checker| {
                    checker.report(ProblemKind::BadFunction, message);
                });
            }
        }
        !reported.is_empty()
    }

    fn expansion(&mut self, calls: &[(usize, usize)], component: &[usize], own_nodes: &[u64]) {
        // Without recursion each component is one function, and callees have the lower numbers.
        let mut calls = calls.to_vec();
        calls.sort_by_key(|&(caller, _)| component[caller]);
        let mut expanded = own_nodes.to_vec();
        let mut depth = vec![1_u64; own_nodes.len()];
        for (caller, callee) in calls {
            expanded[caller] = expanded[caller].saturating_add(expanded[callee]);
            depth[caller] = depth[caller].max(depth[callee] + 1);
        }
        let (mut total, main_calls) = self.nodes_and_calls(&self.model.graph.nodes);
        for callee in main_calls {
            total = total.saturating_add(expanded[callee]);
        }
        if total > MAX_EXPANDED_NODES {
            let message = format!("expanding the functions would give more than {MAX_EXPANDED_NODES} nodes");
            self.problems.report(ProblemKind::BadStructure, "model", message);
        }
        if depth.iter().any(|&levels| levels > MAX_CALL_DEPTH) {
            let message = format!("functions call each other more than {MAX_CALL_DEPTH} levels deep");
            self.problems.report(ProblemKind::BadStructure, "model", message);
        }
    }

    /// The number of nodes, those of sub-graphs included, and the functions they call, once for each call.
    fn nodes_and_calls(&self, nodes: &'m [Node]) -> (u64, Vec<usize>) {
        let mut count = 0;
        let mut calls = Vec::new();
        let mut waiting: Vec<&[Node]> = vec![nodes];
        while let Some(nodes) = waiting.pop() {
            count += nodes.len() as u64;
            for node in nodes {
                calls.extend(self.model.function_index_for(node));
                waiting.extend(node.subgraphs().map(|(_, graph)| graph.nodes.as_slice()));
            }
        }
        (count, calls)
    }
}
