//! Programs as data: values, operator calls and regions, whatever the file they were read from.
//!
//! A program is owned and knows no arena: one program can be checked, run and fuzzed any number of times.

use semantics::array::Array;
use semantics::call::{Call, Outcome};
use semantics::dtype::{Kind, TypeSet};
use semantics::operator::{Backend, Category, Operator};
use semantics::spelling::Form;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

#[derive(Clone)]
pub struct Program {
    /// The file it was read from, as the user named it.
    pub file: String,
    pub values: Vec<Value>,
    pub graph: Graph,
    /// Inputs that the program itself keeps and changes.
    pub variables: Vec<Variable>,
    /// Whether what computes it takes numbers below the normal ones of a type for zero, as TensorFlow does.
    pub flushes: bool,
    /// What is checked while the program runs.
    pub asserted: Vec<Asserted>,
    /// Named sizes that are open until somebody calls the program: what is built before cannot depend on them.
    pub open: Vec<Rc<str>>,
}

/// A condition that nodes come after: they are reached only where it holds.
#[derive(Clone, Debug)]
pub struct Asserted {
    pub condition: ValueId,
    pub nodes: Vec<String>,
}

/// An input that is a variable of the program, with what is known of its values.
#[derive(Clone, Debug)]
pub struct Variable {
    pub value: ValueId,
    /// What it starts with.
    pub initial: Option<ValueId>,
    pub changes: Changes,
    /// All that the program sets it to; `None` if something else changes it, too.
    pub assigned: Option<Vec<ValueId>>,
}

/// How a program changes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes {
    Never,
    /// An optimiser does: after a while it may be anything.
    Trained,
    /// Something is added again and again, as to a counter of steps.
    Counted,
    /// An optimiser keeps squares in it: they are never negative.
    Squares,
    Otherwise,
}

/// A value by number, unique in its program, regions included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(pub u32);

#[derive(Clone, Debug)]
pub struct Value {
    pub name: Rc<str>,
    pub declared: Option<Declared>,
}

/// What the file says about a value's type.
#[derive(Clone, Debug, PartialEq)]
pub enum Declared {
    Tensor {
        kind: Option<Kind>,
        sizes: Option<Vec<Size>>,
    },
    /// A sequence, an optional or another container: carried, not looked into.
    Other(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    Known(i64),
    Named(Rc<str>),
    Unknown,
}

/// Nodes in an order in which every value is made before it is used.
#[derive(Clone, Default)]
pub struct Graph {
    pub inputs: Vec<ValueId>,
    pub constants: Vec<(ValueId, Constant)>,
    pub nodes: Vec<Node>,
    pub outputs: Vec<ValueId>,
}

/// A stored tensor; its elements are read only when asked for.
#[derive(Clone)]
pub struct Constant {
    pub kind: Kind,
    pub sizes: Vec<i64>,
    pub load: Rc<dyn Fn() -> Option<Array>>,
}

#[derive(Clone)]
pub struct Node {
    pub place: Rc<Place>,
    pub action: Action,
    pub outputs: Vec<Option<ValueId>>,
    /// What is wrong with the node before its meaning is even asked for.
    pub faults: Vec<Fault>,
    /// What its specification forbids and frameworks let pass.
    pub remarks: Vec<Fault>,
}

/// Where a node stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The node's own name, or one made from its position.
    pub node: String,
    /// The operator as the file spells it.
    pub spelled: Cow<'static, str>,
    /// Where it stands in a source, for programs that were read from one.
    pub spot: Option<Rc<Spot>>,
}

impl Place {
    /// Whether both are calls of one layer, as far as names tell: later calls of `dense` are `dense@2` and so on, and
    /// those of a layer in a model that is called twice `encoder@2/dense`.
    pub fn is_of_layer_at(&self, other: &Place) -> bool {
        self.node.split('/').map(uncounted).eq(other.node.split('/').map(uncounted))
    }
}

/// `dense@2` as `dense`.
fn uncounted(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    match name.rsplit_once('@') {
        Some((own, number)) if is_number(number) => own,
        _ => name,
    }
}

/// A place in a source: in the user's own code, and how execution got there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spot {
    pub here: SpotFrame,
    /// The calls around it, innermost first.
    pub stack: Vec<SpotFrame>,
}

/// A stretch of a source inside a function; lines and columns count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpotFrame {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub function: String,
}

/// A broken rule of the file format that concerns one node.
#[derive(Clone, Debug)]
pub struct Fault {
    pub category: Category,
    /// What must hold.
    pub label: String,
    /// What is there instead.
    pub detail: String,
    /// What would mend it.
    pub mend: Option<Mend>,
}

/// An argument of a node's call that is to be another one; none is left out.
#[derive(Clone)]
pub struct Mend {
    pub slot: usize,
    pub given: Option<Given>,
}

impl fmt::Debug for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "argument {} is another", self.slot)
    }
}

#[derive(Clone)]
pub enum Action {
    Call(Invocation),
    Constant(Constant),
    If(Box<If>),
    Loop(Box<Loop>),
    Scan(Box<Scan>),
    /// An operator whose meaning is not known here.
    Unknown {
        inputs: Vec<ValueId>,
        reason: String,
    },
}

/// A call of an operator, its arguments in the order of the operator's signature.
#[derive(Clone)]
pub struct Invocation {
    pub operator: &'static Operator,
    /// The operator's definition, or the adapter of an older version.
    pub define: fn(&mut Call) -> Outcome,
    pub tensors: SmallVec<[SmallVec<[ValueId; 4]>; 3]>,
    pub arguments: Vec<Option<Given>>,
    /// The input whose channels the framework takes to lie in axis 1.
    pub channels_first: Option<usize>,
    /// Inputs, by place in the signature, for which the version at hand takes fewer element types.
    pub narrower: SmallVec<[(usize, &'static Narrower); 2]>,
    pub backend: Backend,
    /// The float type that the policy of a Keras layer names.
    pub policy: Option<Kind>,
}

/// The element types that some versions of an operator take for an input, fewer than the newest does.
#[derive(Debug)]
pub struct Narrower {
    /// The framework's name of the operator, and which of its inputs.
    pub spelled: &'static str,
    pub position: usize,
    /// The first version that takes these, and the first after it that takes others.
    pub since: u32,
    pub until: u32,
    pub kinds: &'static [Kind],
}

/// A parameter as the file gives it.
#[derive(Clone)]
pub enum Given {
    Int(i64),
    Ints(Vec<i64>),
    Float(f64),
    Floats(Vec<f64>),
    Type(Kind),
    Text(String),
    Texts(Vec<String>),
    /// Operators with arguments of their own, to be called by this one.
    Operators(Vec<(&'static Operator, Vec<Option<Given>>)>),
    /// The value of a tensor, which must be of one of these types and have this shape.
    Value(ValueId, TypeSet, Form),
}

/// One of two regions, as a condition says.
#[derive(Clone)]
pub struct If {
    pub condition: ValueId,
    pub then: Graph,
    pub otherwise: Graph,
}

/// Repeats its body; carried values go from one round to the next.
/// The body takes (round, condition, carried…) and gives (condition, carried…, collected…).
#[derive(Clone)]
pub struct Loop {
    /// A value of the body that is true in every round: the condition for what is carried.
    pub asked: Option<ValueId>,
    pub rounds: Option<ValueId>,
    pub condition: Option<ValueId>,
    pub carried: Vec<ValueId>,
    pub body: Graph,
}

/// Walks along an axis of some inputs. The body takes (carried…, slices…) and gives (carried…, collected…).
#[derive(Clone)]
pub struct Scan {
    pub carried: Vec<ValueId>,
    pub scanned: Vec<Walk>,
    pub collected: Vec<Direction>,
    /// The leading axis of every tensor is a batch (the oldest version of the operator).
    pub batched: bool,
    pub body: Graph,
}

#[derive(Clone)]
pub struct Walk {
    pub value: ValueId,
    pub direction: Direction,
}

#[derive(Clone, Copy, Debug)]
pub struct Direction {
    pub axis: i64,
    pub backward: bool,
}

impl Place {
    /// A place in a model file.
    pub fn new(node: impl Into<String>, spelled: impl Into<Cow<'static, str>>) -> Place {
        Place { node: node.into(), spelled: spelled.into(), spot: None }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Known(size) => write!(f, "{size}"),
            Size::Named(name) => f.write_str(name),
            Size::Unknown => f.write_str("?"),
        }
    }
}

impl Program {
    pub fn name(&self, value: ValueId) -> &str {
        &self.values[value.0 as usize].name
    }
    pub fn declared(&self, value: ValueId) -> Option<&Declared> {
        self.values[value.0 as usize].declared.as_ref()
    }
    /// The same program, computed by another library.
    pub fn computed_by(mut self, backend: Backend) -> Program {
        self.compute_by(backend);
        self
    }
    pub fn compute_by(&mut self, backend: Backend) {
        for node in &mut self.graph.nodes {
            if let Action::Call(call) = &mut node.action {
                call.backend = backend;
            }
        }
    }
}

impl Node {
    /// The graphs inside the node.
    pub fn regions(&self) -> Vec<&Graph> {
        match &self.action {
            Action::If(branches) => vec![&branches.then, &branches.otherwise],
            Action::Loop(repeated) => vec![&repeated.body],
            Action::Scan(scan) => vec![&scan.body],
            Action::Call(_) | Action::Constant(_) | Action::Unknown { .. } => Vec::new(),
        }
    }
    /// Every value the node itself reads, regions left out.
    pub fn inputs(&self) -> SmallVec<[ValueId; 8]> {
        match &self.action {
            Action::Call(invocation) => {
                let parameters = invocation.arguments.iter().filter_map(|given| match given {
                    Some(Given::Value(value, ..)) => Some(*value),
                    _ => None,
                });
                invocation.tensors.iter().flatten().copied().chain(parameters).collect()
            }
            Action::Constant(_) => SmallVec::new(),
            Action::If(branches) => smallvec![branches.condition],
            Action::Loop(repeated) => repeated
                .rounds
                .into_iter()
                .chain(repeated.condition)
                .chain(repeated.carried.iter().copied())
                .collect(),
            Action::Scan(scan) => {
                scan.carried.iter().copied().chain(scan.scanned.iter().map(|walk| walk.value)).collect()
            }
            Action::Unknown { inputs, .. } => inputs.iter().copied().collect(),
        }
    }
}
