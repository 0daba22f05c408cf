//! Constants and declared types: data that fits its shape, and sizes that can exist.

use super::{Checker, Step};
use crate::onnx::element::{Element, ElementKind};
use crate::onnx::model::{DimSpec, Graph, SparseTensor, ValueInfo, ValueType};
use crate::onnx::problem::ProblemKind;
use crate::onnx::tensor::{TensorView, shape_text};
use rustc_hash::FxHashMap;

impl<'m> Checker<'m> {
    /// A model must say what its inputs are; sub-graphs need not.
    pub(super) fn declared_inputs(&mut self, graph: &'m Graph) {
        for input in graph.inputs.iter().filter(|input| input.value_type.is_none()) {
            self.within(Step::Value(&input.name), |checker| {
                checker.report(ProblemKind::BadType, "the graph input has no type");
            });
        }
    }

    pub(super) fn constants(&mut self, graph: &'m Graph) {
        for tensor in &graph.initializers {
            self.within(Step::Initializer(&tensor.name), |checker| checker.tensor(tensor));
        }
        self.defaults(graph);
        for sparse in &graph.sparse_initializers {
            self.within(Step::Initializer(sparse.name()), |checker| checker.sparse(sparse));
        }
    }

    /// An initialiser with the name of an input is its default, and has to be what the input is declared as.
    fn defaults(&mut self, graph: &'m Graph) {
        let stored: FxHashMap<&str, &TensorView> =
            graph.initializers.iter().map(|tensor| (&*tensor.name, &**tensor)).collect();
        for input in &graph.inputs {
            let Some(tensor) = stored.get(&*input.name) else { continue };
            let Some(ValueType::Tensor { elem_type, dims }) = &input.value_type else { continue };
            if *elem_type != 0 && *elem_type != tensor.elem_type {
                let (declared, stored) = (Element::describe(*elem_type), Element::describe(tensor.elem_type));
                let message = format!("the initialiser is {stored}, the input is declared as {declared}");
                self.within(Step::Value(&input.name), |checker| {
                    checker.report(ProblemKind::BadType, message);
                });
            }
            let Some(dims) = dims else { continue };
            let fits = dims.len() == tensor.dims.len()
                && dims
                    .iter()
                    .zip(&tensor.dims)
                    .all(|(dim, size)| dim.known().is_none_or(|known| known == *size));
            if !fits {
                let declared: Vec<String> = dims.iter().map(spelled).collect();
                let (stored, declared) = (shape_text(&tensor.dims), declared.join(", "));
                let message =
                    format!("the initialiser has the shape {stored}, the input is declared as [{declared}]");
                self.within(Step::Value(&input.name), |checker| {
                    checker.report(ProblemKind::BadType, message);
                });
            }
        }
    }

    pub(super) fn tensor(&mut self, tensor: &TensorView) {
        if let Err(error) = tensor.validate() {
            self.report(ProblemKind::BadTensor, error.to_string());
        }
    }

    /// Values are a list, with one index each into the flattened tensor or one row of indices each.
    pub(super) fn sparse(&mut self, sparse: &SparseTensor) {
        self.tensor(&sparse.values);
        self.tensor(&sparse.indices);
        if sparse
            .indices
            .element()
            .is_ok_and(|element| element.bits != 64 || element.kind != ElementKind::Signed)
        {
            self.report(ProblemKind::BadTensor, "the indices of the sparse tensor are not int64");
        }
        let rank = sparse.dims.len() as i64;
        let fits = match (&sparse.values.dims[..], &sparse.indices.dims[..]) {
            ([count], [indices]) => count == indices,
            ([count], [indices, columns]) => count == indices && *columns == rank,
            _ => false,
        };
        if !fits {
            let message = format!(
                "indices {} do not fit values {} of a sparse tensor {}",
                shape_text(&sparse.indices.dims),
                shape_text(&sparse.values.dims),
                shape_text(&sparse.dims)
            );
            self.report(ProblemKind::BadTensor, message);
        }
        if sparse.dims.is_empty() || sparse.dims.iter().any(|&size| size <= 0) {
            let message =
                format!("the dimensions {} of the sparse tensor are not positive", shape_text(&sparse.dims));
            self.report(ProblemKind::BadTensor, message);
        }
    }

    pub(super) fn declaration(&mut self, info: &'m ValueInfo) {
        if let Some(value_type) = &info.value_type {
            self.value_type(value_type);
        }
    }

    pub(super) fn value_type(&mut self, value_type: &ValueType) {
        match value_type {
            ValueType::Tensor { elem_type, dims } | ValueType::Sparse { elem_type, dims } => {
                self.element_type(*elem_type);
                self.declared_sizes(dims.as_deref().unwrap_or_default());
            }
            ValueType::Map { key_type, value } => {
                self.element_type(*key_type);
                value.iter().for_each(|inner| self.value_type(inner));
            }
            ValueType::Sequence(inner) | ValueType::Optional(inner) => {
                inner.iter().for_each(|inner| self.value_type(inner));
            }
            ValueType::Opaque { .. } => {}
        }
    }

    /// Zero means that the type is left open.
    fn element_type(&mut self, code: i32) {
        if code != 0 && Element::from_code(code).is_none() {
            self.report(ProblemKind::BadType, format!("the element type {code} does not exist"));
        }
    }

    fn declared_sizes(&mut self, dims: &[DimSpec]) {
        let mut elements: Option<i64> = Some(1);
        for dim in dims {
            let DimSpec::Known(size) = *dim else { continue };
            if size < 0 {
                self.report(ProblemKind::BadType, format!("the size {size} is negative"));
                return;
            }
            elements = elements.and_then(|count| count.checked_mul(size.max(1)));
        }
        if elements.is_none() {
            let sizes: Vec<i64> = dims.iter().filter_map(DimSpec::known).collect();
            let message = format!("the sizes {} have too large a product", shape_text(&sizes));
            self.report(ProblemKind::BadType, message);
        }
    }
}

fn spelled(dim: &DimSpec) -> String {
    match dim {
        DimSpec::Known(size) => size.to_string(),
        DimSpec::Named(name) => name.to_string(),
        DimSpec::Unknown => "?".into(),
    }
}
