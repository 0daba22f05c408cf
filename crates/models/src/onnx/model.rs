//! An ONNX model as plain owned data: what the file says, in the shape the rest of the program wants it.
//! It may still be wrong in itself; `check` reports how.

use std::collections::BTreeMap;
use std::rc::Rc;

use bytes::Bytes;
use rustc_hash::FxHashMap;

use super::problem::Problem;
use super::tensor::TensorView;

/// A name of the model; one that occurs often is kept once.
pub type Name = Rc<str>;

#[derive(Debug)]
pub struct Model {
    pub ir_version: i64,
    /// Operator-set version by domain; the standard domain `ai.onnx` is the empty name.
    pub opsets: BTreeMap<Name, i64>,
    pub producer: Producer,
    pub metadata: Vec<(String, String)>,
    pub graph: Graph,
    pub functions: Vec<Function>,
    /// Index into `functions`; of two functions with one identity the first counts.
    pub(super) function_index: FxHashMap<FunctionId, usize>,
    /// What was lost when the file became this structure.
    pub(super) reading_problems: Vec<Problem>,
}

/// Who wrote the file.
#[derive(Debug, Default)]
pub struct Producer {
    pub name: String,
    pub version: String,
}

/// What a node must spell to call a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionId {
    pub domain: Name,
    pub name: Name,
    pub overload: Name,
}

#[derive(Debug, Default)]
pub struct Graph {
    pub name: String,
    pub inputs: Vec<ValueInfo>,
    pub outputs: Vec<ValueInfo>,
    pub initializers: Vec<Rc<TensorView>>,
    pub sparse_initializers: Vec<Rc<SparseTensor>>,
    /// Declared types of inner values.
    pub value_infos: Vec<ValueInfo>,
    pub nodes: Vec<Node>,
}

/// An operator defined by the model itself.
#[derive(Debug)]
pub struct Function {
    pub id: FunctionId,
    pub inputs: Vec<Name>,
    pub outputs: Vec<Name>,
    /// Names of the attributes that a caller has to give.
    pub attributes: Vec<Name>,
    /// Attributes that have a default.
    pub attribute_defaults: Vec<Attribute>,
    pub opsets: BTreeMap<Name, i64>,
    pub value_infos: Vec<ValueInfo>,
    pub nodes: Vec<Node>,
}

#[derive(Debug)]
pub struct Node {
    pub name: Name,
    pub op_type: Name,
    /// Empty for the standard domain.
    pub domain: Name,
    pub overload: Name,
    /// An empty name is an optional input left out.
    pub inputs: Vec<Name>,
    pub outputs: Vec<Name>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug, Clone)]
pub struct SparseTensor {
    pub values: TensorView,
    pub indices: TensorView,
    pub dims: Vec<i64>,
}

#[derive(Debug)]
pub struct Attribute {
    pub name: Name,
    pub value: AttributeValue,
}

#[derive(Debug)]
pub enum AttributeValue {
    Int(i64),
    Ints(Vec<i64>),
    Float(f32),
    Floats(Vec<f32>),
    String(Bytes),
    Strings(Vec<Bytes>),
    Tensor(Rc<TensorView>),
    Tensors(Vec<TensorView>),
    Graph(Box<Graph>),
    Graphs(Vec<Graph>),
    Type(ValueType),
    Types(Vec<ValueType>),
    Sparse(Rc<SparseTensor>),
    Sparses(Vec<SparseTensor>),
    /// Inside a function: the function's attribute of this name.
    Reference(Name),
    /// The file gives no usable value; the text says why.
    Invalid(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueInfo {
    pub name: Name,
    pub value_type: Option<ValueType>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// Without `dims` the rank is unknown.
    Tensor {
        elem_type: i32,
        dims: Option<Vec<DimSpec>>,
    },
    Sparse {
        elem_type: i32,
        dims: Option<Vec<DimSpec>>,
    },
    Sequence(Option<Box<ValueType>>),
    Optional(Option<Box<ValueType>>),
    Map {
        key_type: i32,
        value: Option<Box<ValueType>>,
    },
    Opaque {
        domain: String,
        name: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DimSpec {
    Known(i64),
    Named(Name),
    Unknown,
}

impl Model {
    /// The model's own function that `node` calls, if there is one.
    pub fn function_for(&self, node: &Node) -> Option<&Function> {
        self.function_index_for(node).map(|index| &self.functions[index])
    }

    pub(super) fn function_index_for(&self, node: &Node) -> Option<usize> {
        if self.functions.is_empty() {
            return None;
        }
        let id = FunctionId {
            domain: node.domain.clone(),
            name: node.op_type.clone(),
            overload: node.overload.clone(),
        };
        self.function_index.get(&id).copied()
    }
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        self.attributes.iter().find(|attribute| &*attribute.name == name).map(|attribute| &attribute.value)
    }

    /// The graphs among the attributes, with the attribute's name.
    pub fn subgraphs(&self) -> impl Iterator<Item = (&str, &Graph)> {
        self.attributes.iter().flat_map(|attribute| {
            let graphs = match &attribute.value {
                AttributeValue::Graph(graph) => std::slice::from_ref(&**graph),
                AttributeValue::Graphs(graphs) => graphs,
                _ => &[],
            };
            graphs.iter().map(move |graph| (&*attribute.name, graph))
        })
    }
}

impl SparseTensor {
    /// A sparse initialiser is named by its values.
    pub fn name(&self) -> &str {
        &self.values.name
    }
}

impl DimSpec {
    pub fn known(&self) -> Option<i64> {
        match self {
            Self::Known(size) => Some(*size),
            _ => None,
        }
    }
}
