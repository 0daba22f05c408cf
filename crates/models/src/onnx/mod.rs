//! Reads ONNX models: binary, text and external data, into plain data with a list of structural problems.

mod check;
mod convert;
mod element;
mod external;
mod file;
mod lower;
mod model;
mod problem;
pub mod proto;
mod stream;
mod tensor;
mod text;
mod write;

pub use arrays::error::{Place, ReadError};
pub use check::check;
pub use element::{Element, ElementKind, Field};
pub use external::{ExternalData, ExternalFiles};
pub use file::{decode, from_bytes, open, open_tensor};
pub use lower::{array, kind, lower};
pub use model::{
    Attribute, AttributeValue, DimSpec, Function, FunctionId, Graph, Model, Name, Node, Producer,
    SparseTensor, ValueInfo, ValueType,
};
pub use problem::{Problem, ProblemKind};
pub use tensor::{TensorError, TensorSource, TensorView};
pub use write::{Described, Written, can_write, spelled, write};
