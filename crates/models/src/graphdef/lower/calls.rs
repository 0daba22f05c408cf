//! Calls of functions of the graph's library, which are expanded in place.

use super::super::body::Body;
use super::super::proto::{AttrValue, attr_value::Value as Attribute};
use super::{DEEPEST, Environment, Lowering, MOST_COPIED, Prepared};
use program::ir::{self, ValueId};
use std::collections::BTreeMap;
use std::rc::Rc;

impl<'g> Lowering<'g> {
    /// Writes a call of a function; whether the node was one.
    pub(super) fn called(
        &mut self,
        environment: &mut Environment<'g>,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) -> bool {
        let own = environment.node(node);
        let (function, attributes) = match own.op.as_str() {
            "PartitionedCall" | "StatefulPartitionedCall" | "RemoteCall" => {
                match environment.attribute(own, "f") {
                    Some(Attribute::Func(function)) => (function.name.as_str(), &function.attr),
                    _ => return false,
                }
            }
            op if self.functions.contains_key(op) => (op, &own.attr),
            _ => return false,
        };
        let given = self.all_taken(environment, node);
        let prefix = format!("{}{}/", environment.prefix, own.name);
        let Some(outputs) = self.expanded(function, attributes, &given, prefix, into) else { return false };
        for (k, value) in outputs.into_iter().enumerate() {
            environment.bind(node, k as u32, value);
        }
        true
    }

    /// Puts the nodes of a function in place of a call; `None` if there is no such function, or too much of it.
    pub(super) fn expanded(
        &mut self,
        function: &'g str,
        attributes: &'g BTreeMap<String, AttrValue>,
        given: &[ValueId],
        prefix: String,
        into: &mut Vec<ir::Node>,
    ) -> Option<Vec<ValueId>> {
        let definition = *self.functions.get(function)?;
        let prepared = match self.bodies.get(function) {
            Some(prepared) => prepared.clone(),
            None => {
                let prepared = Rc::new(Prepared::new(Body::of_function(definition)));
                self.bodies.insert(function, prepared.clone());
                prepared
            }
        };
        if self.broken.insert(function) {
            self.report(&prepared.body.problems, function);
        }
        if self.depth >= DEEPEST || self.copied + prepared.body.nodes.len() > MOST_COPIED {
            return None;
        }
        self.depth += 1;
        self.copied += prepared.body.nodes.len();
        let results = prepared.body.results.clone();
        let mut inner = Environment::new(prepared, given.to_vec(), Some(attributes), prefix);
        self.whole(&mut inner, &|_| true, into);
        let outputs = results.into_iter().map(|source| self.taken(&mut inner, source)).collect();
        self.depth -= 1;
        Some(outputs)
    }
}
