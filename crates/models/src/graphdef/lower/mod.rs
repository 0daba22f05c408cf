//! From a graph to a program: nodes become calls, control flow becomes regions, functions are inlined.

mod arguments;
mod assertions;
mod calls;
mod lists;
mod regions;
mod structure;
mod variables;

use super::body::{Body, Source};
use super::contexts::{ContextId, Contexts};
use super::file::Model;
use super::idioms::Idioms;
use super::proto::{AttrValue, FunctionDef, NodeDef, attr_value::Value as Attribute};
use super::tensor;
use program::ir::{self, Action, Declared, Fault, Given, Place, Program, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dtype::Kind;
use semantics::operator::{Backend, Category, Operator};
use semantics::spelling::Form;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A program, and what is wrong with the structure of its graph.
pub struct Lowered {
    pub program: Program,
    pub problems: Vec<Problem>,
}

/// One defect of a graph's structure: it could not be loaded.
pub struct Problem {
    /// What it is about: "MatMul `dense/MatMul`".
    pub place: String,
    pub message: String,
}

/// Functions and regions within each other are followed this deep.
const DEEPEST: usize = 48;
/// Functions, and what branches share, are written out as long as they make no more nodes than this.
const MOST_COPIED: usize = 300_000;

pub fn lower(model: &Model, file: &str) -> Lowered {
    let library = model.graph.library.iter().flat_map(|library| &library.function);
    let functions = library.filter_map(|function| Some((&*function.signature.as_ref()?.name, function)));
    let body = Rc::new(Prepared::new(Body::of_graph(&model.graph.node)));
    let mut lowering = Lowering {
        functions: functions.collect(),
        bodies: FxHashMap::default(),
        values: Vec::with_capacity(model.graph.node.len()),
        inputs: Vec::new(),
        variables: variables::Variables::default(),
        problems: Vec::new(),
        broken: FxHashSet::default(),
        copied: 0,
        depth: 0,
        held: Vec::new(),
        lists: lists::Lists::default(),
    };
    lowering.report(&body.body.problems, "");
    let mut environment = Environment::new(body, Vec::new(), None, String::new());
    let mut nodes = Vec::with_capacity(model.graph.node.len());
    let wanted = wanted(&environment, model);
    lowering.whole(
        &mut environment,
        &|node| wanted.as_ref().is_none_or(|wanted| wanted.contains(&node)),
        &mut nodes,
    );
    let outputs = lowering.outputs(&environment, model);
    let variables = lowering.settled_variables(&environment);
    let asserted = lowering.assertions(&environment);
    let Lowering { values, inputs, problems, .. } = lowering;
    let graph = ir::Graph { inputs, constants: Vec::new(), nodes, outputs };
    Lowered {
        program: Program {
            file: file.to_string(),
            values,
            graph,
            variables,
            flushes: true,
            asserted,
            open: Vec::new(),
        },
        problems,
    }
}

/// The nodes that the signatures of a saved model need; its others save and restore. `None` for all.
fn wanted(environment: &Environment<'_>, model: &Model) -> Option<FxHashSet<u32>> {
    let outputs = model.signatures.iter().flat_map(|signature| &signature.outputs);
    let node = |tensor: &str| {
        let name = tensor.split(':').next().unwrap_or_default();
        environment.prepared.body.index.get(name).map(|&node| Source::Node { node, output: 0 })
    };
    let targets: Vec<Source> = outputs.filter_map(|(_, tensor)| node(tensor)).collect();
    (!targets.is_empty()).then(|| needed(environment, &environment.prepared, &targets).into_iter().collect())
}

/// A body with its control flow understood.
struct Prepared<'g> {
    body: Body<'g>,
    contexts: Contexts,
    idioms: Idioms,
    /// The position of each node in the order.
    rank: Vec<u32>,
}

impl<'g> Prepared<'g> {
    fn new(mut body: Body<'g>) -> Prepared<'g> {
        let contexts = Contexts::of(&body);
        let mut rank = vec![0; body.nodes.len()];
        for (position, &node) in body.order.iter().enumerate() {
            rank[node as usize] = position as u32;
        }
        let idioms = Idioms::of(&mut body);
        Prepared { body, contexts, idioms, rank }
    }
    /// The context in which a node is written: that of the node, and of a loop's end what is around the loop.
    fn given_in(&self, node: u32) -> ContextId {
        let own = self.contexts.of_node(node);
        match self.contexts.frame_of_exit.contains_key(&node) {
            true => self.contexts.parent(own),
            false => own,
        }
    }
}

/// One expansion of a body: what its arguments are and which values exist so far.
struct Environment<'g> {
    prepared: Rc<Prepared<'g>>,
    arguments: Vec<ValueId>,
    /// Per region that is being written, innermost last, the values of outputs.
    scopes: Vec<FxHashMap<(u32, u32), ValueId>>,
    /// The attributes that the caller gives a function.
    attributes: Option<&'g BTreeMap<String, AttrValue>>,
    /// Put before node names, so that expanded nodes can be told apart.
    prefix: String,
}

impl<'g> Environment<'g> {
    fn new(
        prepared: Rc<Prepared<'g>>,
        arguments: Vec<ValueId>,
        attributes: Option<&'g BTreeMap<String, AttrValue>>,
        prefix: String,
    ) -> Environment<'g> {
        Environment { prepared, arguments, scopes: vec![FxHashMap::default()], attributes, prefix }
    }
    fn node(&self, number: u32) -> &'g NodeDef {
        self.prepared.body.nodes[number as usize]
    }
    fn inputs(&self, number: u32) -> &[Source] {
        &self.prepared.body.inputs[number as usize]
    }
    fn find(&self, node: u32, output: u32) -> Option<ValueId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&(node, output)).copied())
    }
    fn bind(&mut self, node: u32, output: u32, value: ValueId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert((node, output), value);
        }
    }
    /// An attribute's value, following a function's reference to its caller's.
    fn attribute(&self, node: &'g NodeDef, name: &str) -> Option<&'g Attribute> {
        match node.attr.get(name)?.value.as_ref()? {
            Attribute::Placeholder(name) => self.attributes?.get(name)?.value.as_ref(),
            value => Some(value),
        }
    }
    fn kind(&self, node: &'g NodeDef, name: &str) -> Option<Kind> {
        match self.attribute(node, name) {
            Some(Attribute::Type(code)) => tensor::kind(*code),
            _ => None,
        }
    }
}

struct Lowering<'g> {
    functions: FxHashMap<&'g str, &'g FunctionDef>,
    bodies: FxHashMap<&'g str, Rc<Prepared<'g>>>,
    values: Vec<ir::Value>,
    inputs: Vec<ValueId>,
    variables: variables::Variables,
    problems: Vec<Problem>,
    /// Functions whose problems were told.
    broken: FxHashSet<&'g str>,
    /// Nodes that were written out again.
    copied: usize,
    depth: usize,
    /// Constants that attributes hold, to be put before the node that uses them.
    held: Vec<ir::Node>,
    lists: lists::Lists,
}

impl<'g> Lowering<'g> {
    fn report(&mut self, problems: &[(String, String)], inside: &str) {
        let place = |place: &str| match inside {
            "" => place.to_string(),
            function => format!("{place} of function `{function}`"),
        };
        let told =
            problems.iter().map(|(at, message)| Problem { place: place(at), message: message.clone() });
        self.problems.extend(told);
    }

    /// Writes the nodes of a body that are wanted; those of loops and branches where the loop ends and the branches meet.
    fn whole(
        &mut self,
        environment: &mut Environment<'g>,
        wanted: &dyn Fn(u32) -> bool,
        into: &mut Vec<ir::Node>,
    ) {
        let prepared = environment.prepared.clone();
        for &node in &prepared.body.order {
            if prepared.given_in(node) == 0 && wanted(node) {
                self.emit(environment, 0, node, into);
            }
        }
    }

    /// Writes what a region needs for its results, in order, as far as it is not there yet.
    fn demand(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        targets: &[Source],
        into: &mut Vec<ir::Node>,
    ) {
        let prepared = environment.prepared.clone();
        let needed = needed(environment, &prepared, targets);
        for node in needed {
            if !prepared.contexts.is_inside(prepared.given_in(node), context) {
                self.copied += 1;
                self.emit(environment, context, node, into);
            }
        }
    }

    /// Writes one node.
    fn emit(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) {
        if environment.prepared.idioms.inner.contains(&node)
            || self.structural(environment, context, node, into)
        {
            return;
        }
        let mut faults = Vec::new();
        let action = self.action(environment, node, &mut faults);
        into.append(&mut self.held);
        let count = self.output_count(environment, node, &action);
        let outputs: Vec<Option<ValueId>> =
            (0..count).map(|k| Some(self.output(environment, node, k))).collect();
        if let Action::Unknown { .. } = action {
            self.declare_outputs(environment, node, &outputs);
        }
        let place = self.place(environment, node);
        let results = self.results(environment, node, &action, &outputs);
        let mut outputs = outputs;
        for (position, raw, ..) in &results {
            outputs[*position] = Some(*raw);
        }
        into.push(ir::Node { place: place.clone(), action, outputs, faults, remarks: Vec::new() });
        for (_, raw, value, kind) in results {
            into.push(cast_node(place.clone(), raw, value, kind));
        }
    }

    /// The outputs that are to be cast: which one, as it is computed, as it is given, and to which type.
    fn results(
        &mut self,
        environment: &Environment<'g>,
        node: u32,
        action: &Action,
        outputs: &[Option<ValueId>],
    ) -> Vec<(usize, ValueId, ValueId, Kind)> {
        let own = environment.node(node);
        let (Action::Call(_), Some(resolved)) = (action, semantics::spelling::tensorflow(&own.op)) else {
            return Vec::new();
        };
        let stated = resolved.mapping().results.iter().filter_map(|&(attribute, position, kind)| {
            let kind = environment.kind(own, attribute).unwrap_or(kind);
            outputs.get(position).copied().flatten().map(|value| (position, value, kind))
        });
        let stated: Vec<(usize, ValueId, Kind)> = stated.filter(|(.., kind)| *kind != Kind::I64).collect();
        let raw = |(position, value, kind): (usize, ValueId, Kind)| {
            let name = format!("{} as int64", self.values[value.0 as usize].name);
            (position, self.value(name, None), value, kind)
        };
        stated.into_iter().map(raw).collect()
    }

    /// A value in another type, made before the node that is being written.
    fn cast(&mut self, name: String, value: ValueId, kind: Kind) -> ValueId {
        let cast = self.value(name.as_str(), None);
        self.held.push(cast_node(Rc::new(Place::new(name, "Cast")), value, cast, kind));
        cast
    }

    fn place(&self, environment: &Environment<'g>, node: u32) -> Rc<Place> {
        // Of several nodes that mean one thing, the one that computes.
        let node = environment.prepared.idioms.undone.get(&node).map_or(node, |&(.., sum)| sum);
        let own = environment.node(node);
        let spelled: Cow<'static, str> = match semantics::spelling::tensorflow(&own.op) {
            Some(resolved) => resolved.spelling.name().into(),
            None => short(&own.op).into(),
        };
        Rc::new(Place::new(format!("{}{}", environment.prefix, short(&own.name)), spelled))
    }

    /// A new value for an output of a node.
    fn output(&mut self, environment: &mut Environment<'g>, node: u32, output: u32) -> ValueId {
        let name = &environment.node(node).name;
        let name = match output {
            0 => format!("{}{}", environment.prefix, short(name)),
            k => format!("{}{}:{k}", environment.prefix, short(name)),
        };
        let value = self.value(name, None);
        environment.bind(node, output, value);
        value
    }

    fn value(&mut self, name: impl Into<Rc<str>>, declared: Option<Declared>) -> ValueId {
        self.values.push(ir::Value { name: name.into(), declared });
        ValueId(self.values.len() as u32 - 1)
    }

    /// The value that a node takes. One that nobody makes becomes a value of its own; the structure's problems say so.
    fn taken(&mut self, environment: &mut Environment<'g>, source: Source) -> ValueId {
        let found = match source {
            Source::Node { node, output } => environment.find(node, output),
            Source::Argument(number) => environment.arguments.get(number as usize).copied(),
            Source::Missing => None,
        };
        found.unwrap_or_else(|| {
            let value = self.value("unknown", None);
            if let Source::Node { node, output } = source {
                environment.bind(node, output, value);
            }
            value
        })
    }

    fn all_taken(&mut self, environment: &mut Environment<'g>, node: u32) -> Vec<ValueId> {
        let sources = environment.inputs(node).to_vec();
        sources.into_iter().map(|source| self.taken(environment, source)).collect()
    }

    fn action(&mut self, environment: &mut Environment<'g>, node: u32, faults: &mut Vec<Fault>) -> Action {
        let own = environment.node(node);
        if own.op == "Const" {
            return match environment.attribute(own, "value") {
                Some(Attribute::Tensor(proto)) => match tensor::constant(proto) {
                    Ok(constant) => Action::Constant(constant),
                    Err(why) => {
                        faults.push(fault("a constant is a tensor whose elements are there".into(), why));
                        Action::Unknown { inputs: Vec::new(), reason: "the constant cannot be read".into() }
                    }
                },
                _ => Action::Unknown { inputs: Vec::new(), reason: "the constant has no value".into() },
            };
        }
        if let Some(&(added, shape, _)) = environment.prepared.idioms.undone.get(&node) {
            let operator = &semantics::operators::sum_to_shape::OPERATOR;
            let shape = Given::Value(self.taken(environment, shape), semantics::dtype::INDEX, Form::List);
            return call_of(operator, self.taken(environment, added), &[shape]);
        }
        match semantics::spelling::tensorflow(&own.op) {
            Some(resolved) => self.invocation(environment, resolved, node, faults),
            None => self.unknown(environment, node, None),
        }
    }

    fn unknown(&mut self, environment: &mut Environment<'g>, node: u32, reason: Option<String>) -> Action {
        let inputs = self.all_taken(environment, node);
        let name = short(&environment.node(node).op);
        let reason =
            match reason.or_else(|| structure::reason(&environment.node(node).op).map(str::to_string)) {
                Some(reason) => format!("`{name}` is not followed: {reason}"),
                None => format!("`{name}` has no definition here"),
            };
        Action::Unknown { inputs, reason }
    }

    /// How many outputs a node has, as far as anybody can tell.
    fn output_count(&self, environment: &Environment<'g>, node: u32, action: &Action) -> u32 {
        let own = environment.node(node);
        let used = environment.prepared.body.used[node as usize];
        let stated =
            ["num_split", "num"].into_iter().find_map(|name| match environment.attribute(own, name) {
                Some(Attribute::I(count)) => u32::try_from(*count).ok().filter(|&count| count < 1 << 16),
                _ => None,
            });
        let listed = ["Tout", "output_types", "out_type"].into_iter().find_map(|name| {
            match environment.attribute(own, name) {
                Some(Attribute::List(list)) => Some(list.r#type.len() as u32),
                _ => None,
            }
        });
        match action {
            Action::Call(call) if call.operator.gives_any_number() => {
                stated.or(listed).unwrap_or(used.max(1))
            }
            Action::Call(_) | Action::Constant(_) => used.max(1),
            _ => used.max(listed.unwrap_or(0)),
        }
    }

    /// What the file says of outputs whose operator is not known.
    fn declare_outputs(&mut self, environment: &Environment<'g>, node: u32, outputs: &[Option<ValueId>]) {
        let own = environment.node(node);
        let list = |name: &str| match environment.attribute(own, name) {
            Some(Attribute::List(list)) => Some(&**list),
            _ => None,
        };
        let shapes = list("_output_shapes").or(list("output_shapes"));
        let types = list("Tout").or(list("output_types"));
        for (k, output) in outputs.iter().enumerate() {
            let Some(value) = output else { continue };
            let kind = types.and_then(|list| list.r#type.get(k)).and_then(|&code| tensor::kind(code));
            let shape = shapes.and_then(|list| list.shape.get(k));
            if kind.is_some() || shape.is_some() {
                self.values[value.0 as usize].declared = Some(tensor::declared(kind, shape));
            }
        }
    }

    /// What the graph gives: what its signatures name, or else what nothing in it uses.
    fn outputs(&mut self, environment: &Environment<'g>, model: &'g Model) -> Vec<ValueId> {
        let mut outputs = Vec::new();
        for (_, tensor) in model.signatures.iter().flat_map(|signature| &signature.outputs) {
            let (name, number) = tensor.split_once(':').unwrap_or((tensor, "0"));
            let node = environment.prepared.body.index.get(name).copied();
            let value = node.and_then(|node| environment.find(node, number.parse().unwrap_or(0)));
            outputs.extend(value.filter(|value| !outputs.contains(value)));
        }
        if !outputs.is_empty() {
            return outputs;
        }
        let body = &environment.prepared.body;
        let used: FxHashSet<u32> = (body.inputs.iter().flatten())
            .filter_map(|source| match source {
                Source::Node { node, .. } => Some(*node),
                _ => None,
            })
            .collect();
        let ends = (0..body.nodes.len() as u32).filter(|node| !used.contains(node));
        ends.flat_map(|node| (0..).map_while(move |output| environment.find(node, output))).collect()
    }
}

fn cast_node(place: Rc<Place>, from: ValueId, to: ValueId, kind: Kind) -> ir::Node {
    call_node(&semantics::operators::cast::OPERATOR, place, from, to, &[Given::Type(kind)])
}

fn call_node(
    operator: &'static Operator,
    place: Rc<Place>,
    from: ValueId,
    to: ValueId,
    first: &[Given],
) -> ir::Node {
    let action = call_of(operator, from, first);
    ir::Node { place, action, outputs: vec![Some(to)], faults: Vec::new(), remarks: Vec::new() }
}

/// A call of an operator of one input with its first parameters.
fn call_of(operator: &'static Operator, input: ValueId, first: &[Given]) -> Action {
    let mut arguments: Vec<Option<Given>> = first.iter().cloned().map(Some).collect();
    arguments.resize(operator.parameters.len(), None);
    Action::Call(ir::Invocation {
        operator,
        define: operator.define,
        tensors: [[input].into_iter().collect()].into_iter().collect(),
        arguments,
        channels_first: None,
        narrower: Default::default(),
        backend: Backend::TensorFlow,
        policy: None,
    })
}

/// The nodes that lie between what exists and what is wanted, in order.
fn needed(environment: &Environment<'_>, prepared: &Prepared<'_>, targets: &[Source]) -> Vec<u32> {
    let mut met = FxHashSet::default();
    let mut stack: Vec<Source> = targets.to_vec();
    while let Some(source) = stack.pop() {
        let Source::Node { node, output } = source else { continue };
        if environment.find(node, output).is_some() || !met.insert(node) {
            continue;
        }
        match (prepared.contexts.frame_of_exit.get(&node), prepared.contexts.merges.get(&node)) {
            (Some(&frame), _) => {
                let frame = &prepared.contexts.frames[frame as usize];
                let enters = frame.variables.iter().map(|variable| variable.enter);
                for enter in enters.chain(frame.constants.iter().copied()) {
                    stack.extend(environment.inputs(enter));
                }
            }
            (None, Some(branches)) => {
                stack.extend([branches.condition, branches.then, branches.otherwise]);
            }
            (None, None) => match prepared.idioms.undone.get(&node) {
                Some(&(added, shape, _)) => stack.extend([added, shape]),
                None => stack.extend(environment.inputs(node)),
            },
        }
    }
    let mut nodes: Vec<u32> = met.into_iter().collect();
    nodes.sort_unstable_by_key(|&node| prepared.rank[node as usize]);
    nodes
}

/// A name that a message can hold.
fn short(name: &str) -> String {
    const MOST: usize = 200;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_string(),
    }
}

fn fault(label: String, detail: String) -> Fault {
    Fault { category: Category::IllegalValue, label, detail, mend: None }
}
