//! Constants of a model as arrays of the program.

use super::super::model::{AttributeValue, Node};
use super::super::tensor::{TensorSource, TensorView};
use super::{Lowering, fault};
use program::ir::{Action, Constant, Declared, Fault, Size};
use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};
use semantics::operator::Category;
use std::rc::Rc;

/// The element type that an ONNX code stands for.
pub fn kind(code: i32) -> Option<Kind> {
    use Kind::*;
    const CODES: [Kind; 26] = [
        F32, U8, I8, U16, I16, I32, I64, String, Bool, F16, F64, U32, U64, C64, C128, BF16, F8E4M3FN,
        F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, U4, I4, F4E2M1, F8E8M0, U2, I2,
    ];
    CODES.get(usize::try_from(code).ok()?.checked_sub(1)?).copied()
}

/// All elements of a stored tensor; `None` if the file does not hold what it declares.
pub fn array(tensor: &TensorView) -> Option<Array> {
    let kind = kind(tensor.elem_type)?;
    tensor.validate().ok()?;
    let shape: Vec<usize> =
        tensor.dims.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<_>>()?;
    let count = usize::try_from(tensor.element_count().ok()?).ok()?;
    let data = match kind.class() {
        Class::Bool => Data::Bool(tensor.bools().ok()?),
        Class::Int if kind == Kind::U64 => {
            Data::Int(tensor.wide_ints().ok()?.into_iter().map(|value| value as u64 as i64).collect())
        }
        Class::Int => Data::Int(tensor.ints().ok()?),
        Class::Float => Data::Float(tensor.floats().ok()?),
        Class::Complex => {
            Data::Complex(tensor.complex().ok()?.into_iter().map(|(re, im)| [re, im]).collect())
        }
        Class::Opaque => Data::Opaque(count),
    };
    (data.len() == count).then(|| Array::new(kind, shape, data))
}

pub(super) fn constant(tensor: &Rc<TensorView>) -> Constant {
    let view = tensor.clone();
    Constant {
        kind: kind(tensor.elem_type).unwrap_or(Kind::F32),
        sizes: tensor.dims.clone(),
        load: Rc::new(move || array(&view)),
    }
}

pub(super) fn declared_constant(constant: &Constant) -> Declared {
    let sizes = constant.sizes.iter().map(|&size| Size::Known(size)).collect();
    Declared::Tensor { kind: Some(constant.kind), sizes: Some(sizes) }
}

/// The operator `Constant`, whose value is an attribute in one of many forms.
pub(super) fn constant_action(lowering: &mut Lowering<'_>, node: &Node, faults: &mut Vec<Fault>) -> Action {
    let [attribute] = node.attributes.as_slice() else {
        let detail = format!("{} attributes are given", node.attributes.len());
        faults.push(fault(Category::IllegalValue, "a constant has exactly one value".into(), detail));
        return Action::Unknown { inputs: Vec::new(), reason: "the constant has no single value".into() };
    };
    let vector = |length: usize| vec![length as i64];
    let held = |array: Array| {
        let sizes = array.shape.iter().map(|&size| size as i64).collect();
        Action::Constant(Constant { kind: array.kind, sizes, load: Rc::new(move || Some(array.clone())) })
    };
    match (&*attribute.name, lowering.frames.last().and_then(|frame| resolve(&attribute.value, frame))) {
        ("value", Some(AttributeValue::Tensor(tensor))) => Action::Constant(constant(tensor)),
        ("value_int", Some(AttributeValue::Int(value))) => held(Array::ints(Kind::I64, &[], vec![*value])),
        ("value_ints", Some(AttributeValue::Ints(values))) => {
            held(Array::ints(Kind::I64, &[values.len()], values.clone()))
        }
        ("value_float", Some(AttributeValue::Float(value))) => {
            held(Array::floats(Kind::F32, &[], vec![f64::from(*value)]))
        }
        ("value_floats", Some(AttributeValue::Floats(values))) => {
            held(Array::floats(Kind::F32, &[values.len()], values.iter().map(|&v| f64::from(v)).collect()))
        }
        ("value_string", Some(AttributeValue::String(_))) => {
            held(Array::new(Kind::String, Vec::new(), Data::Opaque(1)))
        }
        ("value_strings", Some(AttributeValue::Strings(values))) => Action::Constant(Constant {
            kind: Kind::String,
            sizes: vector(values.len()),
            load: Rc::new(|| None),
        }),
        ("sparse_value", Some(AttributeValue::Sparse(sparse))) => {
            Action::Constant(super::sparse::constant(sparse))
        }
        (name, _) => {
            let label = "a constant has one of the attributes value, sparse_value, value_int(s), value_float(s), value_string(s)";
            faults.push(fault(Category::IllegalValue, label.into(), format!("`{name}` is given")));
            Action::Unknown { inputs: Vec::new(), reason: "the constant has no value".into() }
        }
    }
}

fn resolve<'v>(value: &'v AttributeValue, frame: &super::Frame<'v>) -> Option<&'v AttributeValue> {
    match value {
        AttributeValue::Reference(name) => {
            frame.attributes.iter().find(|(given, _)| given == name).map(|(_, value)| *value)
        }
        value => Some(value),
    }
}

impl TensorView {
    /// Whether the values are in the model's own file.
    pub fn is_internal(&self) -> bool {
        !matches!(self.source, TensorSource::External(_))
    }
}
