//! From the wire format to the model: one pass that makes every name once and copies no weight.
//! It never fails; what makes no sense becomes an `Invalid` value or a reading problem that `check` reports.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::check::shortened;
use super::external::{ExternalData, ExternalFiles};
use super::model::{
    Attribute, AttributeValue, DimSpec, Function, FunctionId, Graph, Model, Name, Node, Producer,
    SparseTensor, ValueInfo, ValueType,
};
use super::problem::{ProblemKind, Problems};
use super::proto::{self, attribute_proto::AttributeType, type_proto};
use super::tensor::{TensorSource, TensorView};

impl Model {
    /// Builds the model; external tensors will be looked for among `files`.
    pub fn from_proto(mut proto: proto::ModelProto, files: Arc<ExternalFiles>) -> Self {
        let mut converter = Converter::new(files);
        let graph = proto.graph.take().map(|graph| converter.graph(graph)).unwrap_or_default();
        converter.model(proto, graph)
    }
}

impl TensorView {
    /// A view of the tensor; external data will be looked for among `files`.
    pub fn from_proto(proto: proto::TensorProto, files: Arc<ExternalFiles>) -> Self {
        Converter::new(files).tensor(proto)
    }
}

pub(super) struct Converter {
    files: Arc<ExternalFiles>,
    names: FxHashSet<KnownName>,
    /// Names that are not valid UTF-8, as near as text comes: each is reported once.
    unreadable: FxHashSet<Name>,
    empty: Name,
    problems: Problems,
}

/// A name that is found by its bytes: whoever looks for it need not know that they are text.
#[derive(PartialEq, Eq)]
struct KnownName(Name);

impl Borrow<[u8]> for KnownName {
    fn borrow(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Hash for KnownName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_bytes().hash(state);
    }
}

/// A node as it is on the wire, its attributes left out.
#[derive(Default)]
pub(super) struct WireNode<'w> {
    pub(super) name: &'w [u8],
    pub(super) op_type: &'w [u8],
    pub(super) domain: &'w [u8],
    pub(super) overload: &'w [u8],
    pub(super) inputs: SmallVec<[&'w [u8]; 4]>,
    pub(super) outputs: SmallVec<[&'w [u8]; 2]>,
}

impl Converter {
    pub(super) fn new(files: Arc<ExternalFiles>) -> Self {
        Self {
            files,
            names: FxHashSet::default(),
            unreadable: FxHashSet::default(),
            empty: "".into(),
            problems: Problems::default(),
        }
    }

    /// Makes room for so many different names.
    pub(super) fn expect_names(&mut self, count: usize) {
        self.names.reserve(count);
    }

    /// The model, of which `graph` is converted already.
    pub(super) fn model(mut self, proto: proto::ModelProto, graph: Graph) -> Model {
        let opsets = self.opsets(proto.opset_import, "model");
        let functions: Vec<Function> =
            proto.functions.into_iter().map(|function| self.function(function)).collect();
        let mut function_index = FxHashMap::default();
        for (index, function) in functions.iter().enumerate() {
            function_index.entry(function.id.clone()).or_insert(index);
        }
        Model {
            ir_version: proto.ir_version,
            opsets,
            producer: Producer { name: proto.producer_name, version: proto.producer_version },
            metadata: entries(proto.metadata_props),
            graph,
            functions,
            function_index,
            reading_problems: self.problems.into_vec(),
        }
    }

    fn name(&mut self, bytes: &[u8]) -> Name {
        if bytes.is_empty() {
            return self.empty.clone();
        }
        if let Some(KnownName(known)) = self.names.get(bytes) {
            return known.clone();
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return self.unreadable(bytes) };
        let name = Name::from(text);
        self.names.insert(KnownName(name.clone()));
        name
    }

    /// A name that no other thing has, so that looking for it among the known ones would be in vain.
    fn own_name(&mut self, bytes: &[u8]) -> Name {
        if bytes.is_empty() {
            return self.empty.clone();
        }
        match std::str::from_utf8(bytes) {
            Ok(name) => Name::from(name),
            Err(_) => self.unreadable(bytes),
        }
    }

    fn unreadable(&mut self, bytes: &[u8]) -> Name {
        let nearest = Name::from(String::from_utf8_lossy(bytes));
        if self.unreadable.insert(nearest.clone()) {
            let message = format!("the name `{}` is not valid UTF-8", shortened(&nearest));
            self.problems.report(ProblemKind::BadStructure, "model", message);
        }
        nearest
    }

    fn names(&mut self, spelled: &[impl AsRef<[u8]>]) -> Vec<Name> {
        spelled.iter().map(|name| self.name(name.as_ref())).collect()
    }

    /// The standard domain has two spellings; the model knows the empty one.
    fn domain(&mut self, spelled: &[u8]) -> Name {
        if spelled == b"ai.onnx" { self.empty.clone() } else { self.name(spelled) }
    }

    pub(super) fn graph(&mut self, proto: proto::GraphProto) -> Graph {
        // A node has mostly one output.
        self.expect_names(proto.node.len() + proto.initializer.len());
        Graph {
            name: proto.name,
            inputs: self.value_infos(proto.input),
            outputs: self.value_infos(proto.output),
            initializers: proto.initializer.into_iter().map(|tensor| Rc::new(self.tensor(tensor))).collect(),
            sparse_initializers: proto
                .sparse_initializer
                .into_iter()
                .map(|sparse| Rc::new(self.sparse(sparse)))
                .collect(),
            value_infos: self.value_infos(proto.value_info),
            nodes: self.nodes(proto.node),
        }
    }

    fn function(&mut self, proto: proto::FunctionProto) -> Function {
        let name = self.name(&proto.name);
        let place = format!("function `{name}`");
        Function {
            id: FunctionId { domain: self.domain(&proto.domain), name, overload: self.name(&proto.overload) },
            inputs: self.names(&proto.input),
            outputs: self.names(&proto.output),
            attributes: self.names(&proto.attribute),
            attribute_defaults: self.attributes(proto.attribute_proto),
            opsets: self.opsets(proto.opset_import, &place),
            value_infos: self.value_infos(proto.value_info),
            nodes: self.nodes(proto.node),
        }
    }

    fn nodes(&mut self, proto: Vec<proto::NodeProto>) -> Vec<Node> {
        let node = |proto: proto::NodeProto| {
            let node = WireNode {
                name: &proto.name,
                op_type: &proto.op_type,
                domain: &proto.domain,
                overload: &proto.overload,
                inputs: proto.input.iter().map(|name| &name[..]).collect(),
                outputs: proto.output.iter().map(|name| &name[..]).collect(),
            };
            let attributes = self.attributes(proto.attribute);
            self.node(&node, attributes)
        };
        proto.into_iter().map(node).collect()
    }

    pub(super) fn node(&mut self, node: &WireNode<'_>, attributes: Vec<Attribute>) -> Node {
        Node {
            name: self.own_name(node.name),
            op_type: self.name(node.op_type),
            domain: self.domain(node.domain),
            overload: self.name(node.overload),
            inputs: self.names(&node.inputs),
            outputs: self.names(&node.outputs),
            attributes,
        }
    }

    /// Into memory of its own: on the wire an attribute is ten times as large, and collecting would keep its room.
    fn attributes(&mut self, proto: Vec<proto::AttributeProto>) -> Vec<Attribute> {
        let mut attributes = Vec::with_capacity(proto.len());
        attributes.extend(proto.into_iter().map(|attribute| self.attribute(attribute)));
        attributes
    }

    pub(super) fn attribute(&mut self, proto: proto::AttributeProto) -> Attribute {
        let name = self.name(&proto.name);
        let value = if proto.ref_attr_name.is_empty() {
            match attribute_type(&proto) {
                Ok(attribute_type) => self.attribute_value(attribute_type, proto),
                Err(reason) => AttributeValue::Invalid(reason),
            }
        } else {
            AttributeValue::Reference(self.name(&proto.ref_attr_name))
        };
        Attribute { name, value }
    }

    fn attribute_value(
        &mut self,
        attribute_type: AttributeType,
        proto: proto::AttributeProto,
    ) -> AttributeValue {
        let missing = |what: &str| AttributeValue::Invalid(format!("the {what} of the attribute is missing"));
        match attribute_type {
            AttributeType::Undefined => missing("type"),
            // A scalar that is absent is zero: some writers leave zeros out.
            AttributeType::Float => AttributeValue::Float(proto.f.unwrap_or_default()),
            AttributeType::Int => AttributeValue::Int(proto.i.unwrap_or_default()),
            AttributeType::String => AttributeValue::String(proto.s.unwrap_or_default()),
            AttributeType::Floats => AttributeValue::Floats(proto.floats),
            AttributeType::Ints => AttributeValue::Ints(proto.ints),
            AttributeType::Strings => AttributeValue::Strings(proto.strings),
            AttributeType::Tensor => match proto.t {
                Some(tensor) => AttributeValue::Tensor(Rc::new(self.tensor(*tensor))),
                None => missing("tensor"),
            },
            AttributeType::Tensors => {
                AttributeValue::Tensors(proto.tensors.into_iter().map(|tensor| self.tensor(tensor)).collect())
            }
            AttributeType::Graph => match proto.g {
                Some(graph) => AttributeValue::Graph(Box::new(self.graph(*graph))),
                None => missing("graph"),
            },
            AttributeType::Graphs => {
                AttributeValue::Graphs(proto.graphs.into_iter().map(|graph| self.graph(graph)).collect())
            }
            AttributeType::TypeProto => match proto.tp.and_then(|value| self.value_type(*value)) {
                Some(value) => AttributeValue::Type(value),
                None => missing("type value"),
            },
            AttributeType::TypeProtos => AttributeValue::Types(
                proto.type_protos.into_iter().filter_map(|value| self.value_type(value)).collect(),
            ),
            AttributeType::SparseTensor => match proto.sparse_tensor {
                Some(sparse) => AttributeValue::Sparse(Rc::new(self.sparse(*sparse))),
                None => missing("sparse tensor"),
            },
            AttributeType::SparseTensors => AttributeValue::Sparses(
                proto.sparse_tensors.into_iter().map(|sparse| self.sparse(sparse)).collect(),
            ),
        }
    }

    fn sparse(&mut self, proto: proto::SparseTensorProto) -> SparseTensor {
        SparseTensor {
            values: self.tensor(proto.values.unwrap_or_default()),
            indices: self.tensor(proto.indices.unwrap_or_default()),
            dims: proto.dims,
        }
    }

    pub(super) fn tensor(&mut self, proto: proto::TensorProto) -> TensorView {
        let mut sources = Vec::new();
        if proto.data_location == proto::tensor_proto::DataLocation::External as i32 {
            sources.push(self.external(proto.external_data));
        }
        // Writers may leave an empty raw_data beside the typed values.
        sources.extend(proto.raw_data.filter(|bytes| !bytes.is_empty()).map(TensorSource::Raw));
        sources.extend(filled(proto.int32_data).map(TensorSource::Int32));
        sources.extend(filled(proto.int64_data).map(TensorSource::Int64));
        sources.extend(filled(proto.uint64_data).map(TensorSource::UInt64));
        sources.extend(filled(proto.float_data).map(TensorSource::Float));
        sources.extend(filled(proto.double_data).map(TensorSource::Double));
        sources.extend(filled(proto.string_data).map(TensorSource::Strings));
        let source = match sources.pop() {
            None => TensorSource::Nothing,
            Some(only) if sources.is_empty() => only,
            Some(_) => {
                TensorSource::Invalid("the tensor stores its values in more than one field".to_owned())
            }
        };
        TensorView { name: self.name(&proto.name), elem_type: proto.data_type, dims: proto.dims, source }
    }

    fn opsets(&mut self, imports: Vec<proto::OperatorSetIdProto>, place: &str) -> BTreeMap<Name, i64> {
        let mut opsets = BTreeMap::new();
        for import in imports {
            let domain = self.domain(import.domain.as_bytes());
            if let Some(&earlier) = opsets.get(&domain)
                && earlier != import.version
            {
                let name = if domain.is_empty() { "ai.onnx" } else { &domain };
                let message = format!(
                    "opset of domain `{name}` is imported as version {earlier} and {}",
                    import.version
                );
                self.problems.report(ProblemKind::MissingOpset, place, message);
            } else {
                opsets.insert(domain, import.version);
            }
        }
        opsets
    }

    fn value_infos(&mut self, proto: Vec<proto::ValueInfoProto>) -> Vec<ValueInfo> {
        proto
            .into_iter()
            .map(|info| ValueInfo {
                name: self.name(&info.name),
                value_type: info.r#type.and_then(|value| self.value_type(value)),
            })
            .collect()
    }

    fn value_type(&mut self, proto: proto::TypeProto) -> Option<ValueType> {
        Some(match proto.value? {
            type_proto::Value::TensorType(tensor) => ValueType::Tensor {
                elem_type: tensor.elem_type,
                dims: tensor.shape.map(|shape| self.dims(shape)),
            },
            type_proto::Value::SparseTensorType(tensor) => ValueType::Sparse {
                elem_type: tensor.elem_type,
                dims: tensor.shape.map(|shape| self.dims(shape)),
            },
            type_proto::Value::SequenceType(sequence) => {
                ValueType::Sequence(self.inner_type(sequence.elem_type))
            }
            type_proto::Value::OptionalType(optional) => {
                ValueType::Optional(self.inner_type(optional.elem_type))
            }
            type_proto::Value::MapType(map) => {
                ValueType::Map { key_type: map.key_type, value: self.inner_type(map.value_type) }
            }
            type_proto::Value::OpaqueType(opaque) => {
                ValueType::Opaque { domain: opaque.domain, name: opaque.name }
            }
        })
    }

    fn inner_type(&mut self, proto: Option<Box<proto::TypeProto>>) -> Option<Box<ValueType>> {
        proto.and_then(|inner| self.value_type(*inner)).map(Box::new)
    }

    fn dims(&mut self, shape: proto::TensorShapeProto) -> Vec<DimSpec> {
        use proto::tensor_shape_proto::dimension::Value;
        let spec = |dim: proto::tensor_shape_proto::Dimension| match dim.value {
            Some(Value::DimValue(size)) => DimSpec::Known(size),
            Some(Value::DimParam(name)) if !name.is_empty() => DimSpec::Named(self.name(&name)),
            _ => DimSpec::Unknown,
        };
        shape.dim.into_iter().map(spec).collect()
    }

    fn external(&self, entries: Vec<proto::StringStringEntryProto>) -> TensorSource {
        let mut data =
            ExternalData { files: self.files.clone(), location: String::new(), offset: 0, length: None };
        for entry in entries {
            let number = entry.value.parse::<u64>();
            match (entry.key.as_str(), number) {
                ("location", _) => data.location = entry.value,
                ("offset", Ok(offset)) => data.offset = offset,
                ("length", Ok(length)) => data.length = Some(length),
                ("offset" | "length", Err(_)) => {
                    return TensorSource::Invalid(format!(
                        "the {} {:?} of the external data is not a byte count",
                        entry.key, entry.value
                    ));
                }
                _ => {}
            }
        }
        if data.location.is_empty() {
            return TensorSource::Invalid("the external data has no location".to_owned());
        }
        TensorSource::External(data)
    }
}

fn filled<T>(values: Vec<T>) -> Option<Vec<T>> {
    (!values.is_empty()).then_some(values)
}

/// The declared type, if it agrees with the values that are there.
fn attribute_type(proto: &proto::AttributeProto) -> Result<AttributeType, String> {
    let mut present = present_values(proto);
    match AttributeType::try_from(proto.r#type) {
        // Files of the first format version tell the type only by which value is there.
        Ok(AttributeType::Undefined) => match (present.next(), present.next()) {
            (Some(only), None) => Ok(only),
            _ => Err("the attribute has no type".to_owned()),
        },
        Ok(declared) if present.all(|other| other == declared) => Ok(declared),
        Ok(declared) => {
            let held: Vec<_> = present_values(proto).map(|held| held.as_str_name()).collect();
            Err(format!(
                "the attribute is declared {} but holds {}",
                declared.as_str_name(),
                held.join(" and ")
            ))
        }
        Err(_) => Err(format!("unknown attribute type {}", proto.r#type)),
    }
}

fn present_values(proto: &proto::AttributeProto) -> impl Iterator<Item = AttributeType> {
    let presence = [
        (proto.f.is_some(), AttributeType::Float),
        (proto.i.is_some(), AttributeType::Int),
        (proto.s.is_some(), AttributeType::String),
        (proto.t.is_some(), AttributeType::Tensor),
        (proto.g.is_some(), AttributeType::Graph),
        (proto.tp.is_some(), AttributeType::TypeProto),
        (proto.sparse_tensor.is_some(), AttributeType::SparseTensor),
        (!proto.floats.is_empty(), AttributeType::Floats),
        (!proto.ints.is_empty(), AttributeType::Ints),
        (!proto.strings.is_empty(), AttributeType::Strings),
        (!proto.tensors.is_empty(), AttributeType::Tensors),
        (!proto.graphs.is_empty(), AttributeType::Graphs),
        (!proto.type_protos.is_empty(), AttributeType::TypeProtos),
        (!proto.sparse_tensors.is_empty(), AttributeType::SparseTensors),
    ];
    presence.into_iter().filter_map(|(there, kind)| there.then_some(kind))
}

fn entries(proto: Vec<proto::StringStringEntryProto>) -> Vec<(String, String)> {
    proto.into_iter().map(|entry| (entry.key, entry.value)).collect()
}
