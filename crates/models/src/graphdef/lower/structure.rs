//! Nodes that are no operators of tensors: what comes in from outside, variables, and what only has an effect.

use super::super::body::Source;
use super::super::contexts::ContextId;
use super::super::proto::{TensorShapeProto, attr_value::Value as Attribute};
use super::super::tensor;
use super::{Environment, Lowering, call_node, cast_node, short};
use program::ir::{self, Declared, Size};
use semantics::dtype::Kind;

impl<'g> Lowering<'g> {
    /// Writes a node that is no operator; whether it was one.
    pub(super) fn structural(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) -> bool {
        let own = environment.node(node);
        match own.op.as_str() {
            "Placeholder" | "PlaceholderV2" => {
                let shape = self.shape(environment, node, "shape");
                let mut declared = tensor::declared(environment.kind(own, "dtype"), shape);
                // An open size is one that whoever feeds the graph chooses, as a size with a name is.
                if let Declared::Tensor { sizes: Some(sizes), .. } = &mut declared {
                    for (axis, size) in
                        sizes.iter_mut().enumerate().filter(|(_, size)| **size == Size::Unknown)
                    {
                        *size = Size::Named(format!("{}.{axis}", short(&own.name)).into());
                    }
                }
                self.input(environment, node, 0, declared);
            }
            "VariableV2" | "Variable" | "TemporaryVariable" | "VarHandleOp" => {
                self.variable(environment, node)
            }
            // A reference to a variable and its value are one here.
            "ReadVariableOp" | "RefIdentity" | "Print" => self.pass_on(environment, node, 1),
            // Nothing is computed; the last of a chain keeps its name as an output.
            "Identity" | "StopGradient" | "PreventGradient" | "CheckNumerics" | "Snapshot"
                if environment.prepared.body.used[node as usize] > 0 =>
            {
                self.pass_on(environment, node, 1);
            }
            "IdentityN" => {
                for (k, value) in self.all_taken(environment, node).into_iter().enumerate() {
                    environment.bind(node, k as u32, value);
                }
            }
            "ShapeN" => self.shapes(environment, node, into),
            "IteratorGetNext" | "IteratorGetNextSync" => self.elements(environment, node, None),
            "QueueDequeue" | "QueueDequeueV2" => self.elements(environment, node, Some(false)),
            "QueueDequeueMany" | "QueueDequeueManyV2" | "QueueDequeueUpTo" | "QueueDequeueUpToV2" => {
                self.elements(environment, node, Some(true));
            }
            "If" | "StatelessIf" => self.conditional(environment, node, into),
            "While" | "StatelessWhile" => self.functional_loop(environment, node, into),
            op if is_handle(op) => {}
            "Assign" if self.is_restored(environment, node) => self.pass_on(environment, node, 1),
            op if has_no_value(op) && environment.prepared.body.used[node as usize] == 0 => {}
            _ => {
                return self.flowing(environment, context, node, into)
                    || self.listed(environment, node, into)
                    || self.called(environment, node, into);
            }
        }
        true
    }

    /// Whether a variable is given what was read from a checkpoint.
    fn is_restored(&self, environment: &Environment<'g>, node: u32) -> bool {
        match environment.inputs(node).get(1) {
            Some(Source::Node { node, .. }) => environment.node(*node).op.starts_with("Restore"),
            _ => false,
        }
    }

    /// The shapes of several tensors are as many calls.
    fn shapes(&mut self, environment: &mut Environment<'g>, node: u32, into: &mut Vec<ir::Node>) {
        let kind = environment.kind(environment.node(node), "out_type").unwrap_or(Kind::I32);
        let place = self.place(environment, node);
        for (k, value) in self.all_taken(environment, node).into_iter().enumerate() {
            let sizes = self.output(environment, node, k as u32);
            let raw = self.value(format!("{} as int64", self.values[sizes.0 as usize].name), None);
            into.push(call_node(&semantics::operators::shape::OPERATOR, place.clone(), value, raw, &[]));
            into.push(cast_node(place.clone(), raw, sizes, kind));
        }
    }

    fn shape(&self, environment: &Environment<'g>, node: u32, name: &str) -> Option<&'g TensorShapeProto> {
        match environment.attribute(environment.node(node), name) {
            Some(Attribute::Shape(shape)) => Some(shape),
            _ => None,
        }
    }

    /// A value that comes from outside.
    fn input(&mut self, environment: &mut Environment<'g>, node: u32, output: u32, declared: Declared) {
        let value = self.output(environment, node, output);
        self.values[value.0 as usize].declared = Some(declared);
        self.inputs.push(value);
    }

    /// A variable has one value for all nodes that share its name.
    fn variable(&mut self, environment: &mut Environment<'g>, node: u32) {
        let own = environment.node(node);
        let shared = match environment.attribute(own, "shared_name") {
            Some(Attribute::S(name)) if !name.is_empty() => String::from_utf8_lossy(name).into_owned(),
            _ => format!("{}{}", environment.prefix, own.name),
        };
        if let Some(value) = self.variables.find(&shared) {
            return environment.bind(node, 0, value);
        }
        let declared =
            tensor::declared(environment.kind(own, "dtype"), self.shape(environment, node, "shape"));
        let value = self.value(short(&shared), Some(declared));
        environment.bind(node, 0, value);
        self.inputs.push(value);
        self.variables.add(shared, value);
    }

    /// What an iterator or a queue hands out. Of a queue, one element, or as many as are asked for.
    fn elements(&mut self, environment: &mut Environment<'g>, node: u32, batched: Option<bool>) {
        let own = environment.node(node);
        let list = |node: u32, name: &str| match environment.attribute(environment.node(node), name) {
            Some(Attribute::List(list)) => Some(&**list),
            _ => None,
        };
        let maker = match environment.inputs(node).first() {
            Some(Source::Node { node, .. }) => Some(*node),
            _ => None,
        };
        let types = list(node, "output_types").or(list(node, "component_types"));
        let shapes = match batched {
            None => list(node, "output_shapes"),
            Some(_) => maker.and_then(|queue| list(queue, "shapes")),
        };
        let count = types
            .map_or(0, |types| types.r#type.len())
            .max(environment.prepared.body.used[node as usize] as usize);
        let name = own.name.clone();
        for k in 0..count.min(1 << 12) {
            let kind = types.and_then(|types| types.r#type.get(k)).and_then(|&code| tensor::kind(code));
            let mut sizes = shapes.and_then(|shapes| shapes.shape.get(k)).and_then(tensor::sizes);
            if let (Some(sizes), Some(true)) = (&mut sizes, batched) {
                sizes.insert(0, Size::Named(format!("batch of {name}").into()));
            }
            self.input(environment, node, k as u32, Declared::Tensor { kind, sizes });
        }
    }
}

/// What hands out data, and what was read from a checkpoint: no numbers are computed there.
fn is_handle(op: &str) -> bool {
    let maker =
        ["Dataset", "DatasetV2", "DatasetV3", "Queue", "QueueV2", "Reader", "ReaderV2", "Table", "TableV2"];
    maker.iter().any(|ending| op.ends_with(ending))
        || matches!(
            op,
            "Iterator" | "IteratorV2" | "OneShotIterator" | "IteratorToStringHandle" | "AnonymousIteratorV3"
        )
        || matches!(op, "Restore" | "RestoreV2" | "RestoreSlice")
}

/// Nodes that are there for what they do.
fn has_no_value(op: &str) -> bool {
    matches!(
        op,
        "NoOp"
            | "Assert"
            | "Print"
            | "AssignVariableOp"
            | "SaveV2"
            | "Save"
            | "QueueEnqueue"
            | "QueueEnqueueV2"
            | "QueueEnqueueMany"
            | "QueueEnqueueManyV2"
            | "QueueClose"
            | "QueueCloseV2"
            | "VarIsInitializedOp"
            | "IsVariableInitialized"
            | "DisableCopyOnRead"
            | "MergeV2Checkpoints"
            | "DestroyResourceOp"
            | "ControlTrigger"
            | "MakeIterator"
            | "InitializeTable"
            | "InitializeTableV2"
            | "LookupTableImport"
            | "LookupTableImportV2"
            | "InitializeTableFromTextFile"
            | "InitializeTableFromTextFileV2"
            | "StringFormat"
            | "PrintV2"
            | "WriteSummary"
            | "WriteScalarSummary"
            | "CloseSummaryWriter"
            | "FlushSummaryWriter"
    ) || op.ends_with("Summary")
        || op.ends_with("SummaryV2")
}

/// Why operators of a family have no definition.
pub(super) fn reason(op: &str) -> Option<&'static str> {
    let has = |part: &str| op.contains(part);
    Some(match () {
        () if has("Dataset") || has("Iterator") => "data sets are read while the program runs",
        () if has("Queue") || has("Reader") || has("Barrier") => {
            "queues and readers hand out what only a run tells"
        }
        () if has("TensorArray") || has("TensorList") || has("Stack") => "lists of tensors are not followed",
        () if has("Table") => "tables are filled while the program runs",
        () if has("Example") => "records are read while the program runs",
        () if has("Decode") || has("Encode") || has("Jpeg") || has("Png") || has("File") => {
            "it reads or writes files"
        }
        () if has("Save") || has("Restore") || has("Checkpoint") => {
            "checkpoints are read while the program runs"
        }
        () if has("String") || has("Regex") || op == "AsString" => "texts are not followed",
        () if has("PyFunc") => "it calls Python",
        () if has("Summary") => "summaries are for people",
        () if has("Sparse") => "sparse tensors are not followed",
        () if has("Ragged") => "ragged tensors are not followed",
        () if has("Quantized") || has("FakeQuant") => "quantised arithmetic is not followed",
        () if has("Collective") || has("Nccl") || has("XlaAllReduce") => "it talks to other devices",
        () if has("Placeholder") => "it is given when the graph is run",
        _ => return None,
    })
}
