//! From an ONNX model to a program: names become values, functions are inlined, spellings become definitions.
//! The order of the file is kept unless a value would be used before it is made. A model that `check` finds fault with may lower to a program with unknown parts.

mod arguments;
mod element_types;
mod order;
mod regions;
mod sparse;
mod tensors;

pub(super) use element_types::narrower;
pub use tensors::{array, kind};

use super::check::{Hints, shortened};
use super::model::{
    Attribute, AttributeValue, DimSpec, Function, Graph, Model, Name, Node, ValueInfo, ValueType,
};
use program::ir;
use program::ir::{Action, Declared, Fault, Place, Program, Size, ValueId};
use rustc_hash::FxHashMap;
use semantics::operator::Category;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Functions within functions are followed this deep.
const DEEPEST: usize = 64;
/// Functions are expanded as long as they make no more nodes than this.
const MOST_INLINED: usize = 300_000;

pub fn lower(model: &Model, file: &str) -> Program {
    let lowering = |sorting| Lowering {
        model,
        values: Vec::new(),
        scopes: vec![FxHashMap::default()],
        frames: vec![Frame {
            opsets: &model.opsets,
            attributes: Vec::new(),
            absent: Vec::new(),
            prefix: String::new(),
        }],
        inlined: 0,
        held: Vec::new(),
        sorting,
        early: false,
        hints: Hints::default(),
    };
    let mut first = lowering(false);
    let graph = first.graph(&model.graph);
    if !first.early {
        return Program {
            file: file.to_string(),
            values: first.values,
            graph,
            variables: Vec::new(),
            flushes: false,
            asserted: Vec::new(),
            open: Vec::new(),
        };
    }
    // Rare: a node stands before what it needs. Runtimes sort the nodes, and so does a second pass.
    let mut second = lowering(true);
    let graph = second.graph(&model.graph);
    Program {
        file: file.to_string(),
        values: second.values,
        graph,
        variables: Vec::new(),
        flushes: false,
        asserted: Vec::new(),
        open: Vec::new(),
    }
}

struct Lowering<'m> {
    model: &'m Model,
    values: Vec<ir::Value>,
    /// Names in sight, innermost last.
    scopes: Vec<FxHashMap<&'m str, ValueId>>,
    /// Functions being inlined, innermost last; the first is the model itself.
    frames: Vec<Frame<'m>>,
    /// Nodes that came from functions so far.
    inlined: usize,
    /// Constants that attributes hold, to be put before the node that uses them.
    held: Vec<ir::Node>,
    /// Whether nodes are put in an order in which every value is made before it is used.
    sorting: bool,
    /// Whether a value was used before it was made.
    early: bool,
    hints: Hints,
}

struct Frame<'m> {
    opsets: &'m BTreeMap<Name, i64>,
    /// What the caller gives for the function's attributes.
    attributes: Vec<(Name, &'m AttributeValue)>,
    /// The function's inputs that the caller leaves out: where a node takes one, it takes nothing.
    absent: Vec<&'m str>,
    /// Put before node names, so that inlined nodes can be told apart.
    prefix: String,
}

impl<'m> Lowering<'m> {
    fn graph(&mut self, graph: &'m Graph) -> ir::Graph {
        let mut result = ir::Graph::default();
        let names = graph.initializers.len() + graph.inputs.len() + graph.nodes.len();
        self.values.reserve(names);
        if let Some(scope) = self.scopes.last_mut() {
            scope.reserve(names);
        }
        result.constants.reserve(graph.initializers.len());
        for tensor in &graph.initializers {
            let value = self.define(&tensor.name);
            let constant = tensors::constant(tensor);
            self.values[value.0 as usize].declared = Some(tensors::declared_constant(&constant));
            result.constants.push((value, constant));
        }
        for sparse in &graph.sparse_initializers {
            let value = self.define(&sparse.values.name);
            let constant = sparse::constant(sparse);
            self.values[value.0 as usize].declared = Some(tensors::declared_constant(&constant));
            result.constants.push((value, constant));
        }
        for input in &graph.inputs {
            // An input with an initialiser of its name has a default; it is taken to keep it.
            if self.scopes.last().is_some_and(|scope| scope.contains_key(&*input.name)) {
                continue;
            }
            let value = self.define(&input.name);
            let declared = self.declared(input);
            self.values[value.0 as usize].declared = declared;
            result.inputs.push(value);
        }
        let types: FxHashMap<&'m str, &'m ValueInfo> =
            graph.value_infos.iter().chain(&graph.outputs).map(|info| (&*info.name, info)).collect();
        self.body(&graph.nodes, &types, &mut result.nodes);
        result.outputs = graph.outputs.iter().map(|output| self.lookup(&output.name)).collect();
        result
    }

    fn body(
        &mut self,
        nodes: &'m [Node],
        types: &FxHashMap<&'m str, &'m ValueInfo>,
        into: &mut Vec<ir::Node>,
    ) {
        // A little more than there are nodes, for the constants that attributes hold.
        into.reserve(nodes.len() + nodes.len() / 8 + 8);
        let order = if self.sorting { order::sorted(nodes) } else { (0..nodes.len()).collect() };
        for number in order {
            let node = &nodes[number];
            self.node(node, number, types, into);
        }
    }

    fn node(
        &mut self,
        node: &'m Node,
        number: usize,
        types: &FxHashMap<&'m str, &'m ValueInfo>,
        into: &mut Vec<ir::Node>,
    ) {
        let place = self.place(node, number);
        if let Some(function) = self.model.function_for(node)
            && self.frames.len() <= DEEPEST
            && self.inlined < MOST_INLINED
        {
            self.inlined += function.nodes.len();
            self.inline(function, node, &place, types, into);
            return;
        }
        let (mut faults, mut remarks) = (Vec::new(), Vec::new());
        let action = match self.model.function_for(node) {
            Some(_) => self.unknown(node, Some("the functions of the model expand to too many nodes")),
            None => self.action(node, &mut faults, &mut remarks),
        };
        into.append(&mut self.held);
        let outputs = node.outputs.iter().map(|name| self.output(name, types)).collect();
        into.push(ir::Node { place, action, outputs, faults, remarks });
    }

    fn place(&self, node: &Node, number: usize) -> Rc<Place> {
        let prefix = &self.frames[self.frames.len() - 1].prefix;
        let name = match (node.name.is_empty(), node.outputs.iter().find(|output| !output.is_empty())) {
            (false, _) => Cow::Borrowed(&*node.name),
            (true, Some(output)) => Cow::Owned(format!("{}→{output}", node.op_type)),
            (true, None) => Cow::Owned(format!("{}#{number}", node.op_type)),
        };
        let name = if prefix.is_empty() { name } else { Cow::Owned(format!("{prefix}{name}")) };
        let spelled = match semantics::spelling::onnx_name(&node.op_type) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(shortened(&node.op_type).into_owned()),
        };
        Rc::new(Place::new(shortened(&name), spelled))
    }

    fn output(&mut self, name: &'m Name, types: &FxHashMap<&'m str, &'m ValueInfo>) -> Option<ValueId> {
        if name.is_empty() {
            return None;
        }
        let value = self.define(name);
        let declared = types.get(&**name).and_then(|info| self.declared(info));
        self.values[value.0 as usize].declared = declared;
        Some(value)
    }

    fn action(&mut self, node: &'m Node, faults: &mut Vec<Fault>, remarks: &mut Vec<Fault>) -> Action {
        if !matches!(&*node.domain, "" | "ai.onnx") {
            return self.unknown(node, semantics::recognised::reason(&node.domain, &node.op_type));
        }
        let version = self.version();
        match &*node.op_type {
            "Constant" => tensors::constant_action(self, node, faults),
            "If" => self.conditional(node, faults),
            "Loop" => self.repeated(node, faults),
            "Scan" => self.scan(node, version, faults),
            name => match semantics::spelling::onnx(name, version) {
                Some(resolved) => Action::Call(self.invocation(resolved, node, faults, remarks)),
                None => {
                    let known = semantics::recognised::reason("", name)
                        .or_else(|| semantics::recognised::older(name, version));
                    if known.is_none() {
                        let others = semantics::spelling::onnx_names().filter(|other| *other != name);
                        let detail = match (versions(name), self.hints.nearest(name, others)) {
                            (Some((first, _)), _) if first > version => {
                                format!("it is one from opset {first} on")
                            }
                            (Some((_, last)), _) => format!("it was one up to opset {last}"),
                            (None, Some(meant)) => format!("it is not; did you mean `{meant}`?"),
                            (None, None) => "it is not".into(),
                        };
                        faults.push(fault(
                            Category::IllegalValue,
                            format!("`{}` is an operator of opset {version}", shortened(name)),
                            detail,
                        ));
                    }
                    self.unknown(node, known)
                }
            },
        }
    }

    /// The opset version of the default domain that the graph or function at hand imports.
    fn version(&self) -> u32 {
        let version = self.frames[self.frames.len() - 1].opsets.get("").copied().unwrap_or(1);
        u32::try_from(version).unwrap_or(0)
    }

    fn unknown(&mut self, node: &'m Node, reason: Option<&'static str>) -> Action {
        let inputs = node.inputs.iter().filter_map(|name| self.given(name)).collect();
        let name = shortened(&node.op_type);
        let reason = match reason {
            Some(reason) => format!("`{name}` is not followed: {reason}"),
            None if node.domain.is_empty() => format!("`{name}` has no definition here"),
            None => {
                format!("`{name}` of the domain `{}` has no definition here", shortened(&node.domain))
            }
        };
        Action::Unknown { inputs, reason }
    }

    /// Puts a function's nodes in place of the call.
    fn inline(
        &mut self,
        function: &'m Function,
        node: &'m Node,
        place: &Place,
        types: &FxHashMap<&'m str, &'m ValueInfo>,
        into: &mut Vec<ir::Node>,
    ) {
        let actual: Vec<Option<ValueId>> = node.inputs.iter().map(|name| self.given(name)).collect();
        let defaults =
            function.attribute_defaults.iter().map(|default| (default.name.clone(), &default.value));
        let mut attributes: Vec<(Name, &AttributeValue)> = defaults.collect();
        for given in &node.attributes {
            if let Some(value) = self.resolve(given) {
                attributes.retain(|(name, _)| *name != given.name);
                attributes.push((given.name.clone(), value));
            }
        }
        let (mut scope, mut absent) = (FxHashMap::default(), Vec::new());
        for (k, formal) in function.inputs.iter().enumerate() {
            match actual.get(k).copied().flatten() {
                Some(value) => drop(scope.insert(&**formal, value)),
                None => absent.push(&**formal),
            }
        }
        // A function sees none of its caller's names.
        let outer = std::mem::replace(&mut self.scopes, vec![scope]);
        self.frames.push(Frame {
            opsets: &function.opsets,
            attributes,
            absent,
            prefix: format!("{}/", place.node),
        });
        let inner: FxHashMap<&'m str, &'m ValueInfo> =
            function.value_infos.iter().map(|info| (&*info.name, info)).collect();
        self.body(&function.nodes, &inner, into);
        let results: Vec<ValueId> = function.outputs.iter().map(|name| self.lookup(name)).collect();
        self.frames.pop();
        self.scopes = outer;
        for (name, value) in node.outputs.iter().zip(results) {
            if name.is_empty() {
                continue;
            }
            if self.values[value.0 as usize].declared.is_none() {
                let declared = types.get(&**name).and_then(|info| self.declared(info));
                self.values[value.0 as usize].declared = declared;
            }
            self.values[value.0 as usize].name = name.clone();
            self.bind(name, value);
        }
    }

    /// An attribute's value, following a function's reference to its caller's.
    fn resolve(&self, attribute: &'m Attribute) -> Option<&'m AttributeValue> {
        match &attribute.value {
            AttributeValue::Reference(name) => {
                let frame = &self.frames[self.frames.len() - 1];
                frame.attributes.iter().find(|(given, _)| given == name).map(|(_, value)| *value)
            }
            value => Some(value),
        }
    }

    /// A tensor attribute as a value of its own.
    fn hold(&mut self, tensor: &Rc<super::tensor::TensorView>, node: &Node, attribute: &str) -> ValueId {
        let value = ValueId(self.values.len() as u32);
        let constant = tensors::constant(tensor);
        let name = format!("{} of {}", attribute, node.op_type);
        self.values.push(ir::Value {
            name: name.as_str().into(),
            declared: Some(tensors::declared_constant(&constant)),
        });
        let place = Rc::new(Place::new(name, "Constant"));
        let action = Action::Constant(constant);
        self.held.push(ir::Node {
            place,
            action,
            outputs: vec![Some(value)],
            faults: Vec::new(),
            remarks: Vec::new(),
        });
        value
    }

    fn define(&mut self, name: &'m Name) -> ValueId {
        let value = ValueId(self.values.len() as u32);
        // Functions repeat their names as often as they are called.
        let shown = match shortened(name) {
            Cow::Owned(short) if self.frames.len() > 1 => short.into(),
            _ => name.clone(),
        };
        self.values.push(ir::Value { name: shown, declared: None });
        self.bind(name, value);
        value
    }
    fn bind(&mut self, name: &'m str, value: ValueId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, value);
        }
    }
    /// The value that a node takes by a name; `None` where it leaves the input out.
    fn given(&mut self, name: &'m Name) -> Option<ValueId> {
        let is_absent = self.frames[self.frames.len() - 1].absent.contains(&&**name);
        (!name.is_empty() && !is_absent).then(|| self.lookup(name))
    }
    /// The value of a name. One that nobody defines becomes a value that nobody makes; `check` reports it.
    fn lookup(&mut self, name: &'m Name) -> ValueId {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(&**name).copied());
        found.unwrap_or_else(|| {
            self.early = true;
            self.define(name)
        })
    }

    fn declared(&mut self, info: &'m ValueInfo) -> Option<Declared> {
        Some(match info.value_type.as_ref()? {
            ValueType::Tensor { elem_type, dims } => Declared::Tensor {
                kind: kind(*elem_type),
                sizes: dims.as_ref().map(|dims| {
                    let size = |dim: &'m DimSpec| match dim {
                        DimSpec::Known(size) => Size::Known(*size),
                        DimSpec::Named(name) => Size::Named(name.clone()),
                        DimSpec::Unknown => Size::Unknown,
                    };
                    dims.iter().map(size).collect()
                }),
            },
            ValueType::Sparse { .. } => Declared::Other("a sparse tensor".into()),
            ValueType::Sequence(_) => Declared::Other("a sequence".into()),
            ValueType::Optional(_) => Declared::Other("an optional value".into()),
            ValueType::Map { .. } => Declared::Other("a map".into()),
            ValueType::Opaque { .. } => Declared::Other("an opaque value".into()),
        })
    }
}

/// The first and the last version of the standard with an operator of the name.
fn versions(name: &str) -> Option<(u32, u32)> {
    let mut known =
        (1..=semantics::spelling::newest_onnx()).filter(|&v| semantics::spelling::onnx(name, v).is_some());
    let first = known.next()?;
    Some((first, known.next_back().unwrap_or(first)))
}

fn fault(category: Category, label: String, detail: String) -> Fault {
    Fault { category, label, detail, mend: None }
}
