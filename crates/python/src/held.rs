//! Python numbers that are elements of tensors, for whoever follows values: what a condition says of `x.sum().item()` it
//! says of the tensor.

use crate::syntax::{BinaryOperator, Comparison};
use crate::value::{BuiltIn, Unknown, Value};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::element::Element;
use semantics::prop::Prop;
use semantics::scalar::Binary;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use std::rc::Rc;

impl Value {
    /// The only element of a float tensor as a Python number.
    pub fn element_of(tensor: Tensor) -> Option<Value> {
        let element = only(tensor)?;
        match tensor.dtype().known()? {
            Kind::Bool => Some(Value::Bool(element.as_prop())),
            kind if kind.is_float() => Some(Value::held(element.cast(Kind::F64))),
            _ => None,
        }
    }
    /// Whether the only element of a tensor counts as true.
    pub fn truth_of(tensor: Tensor) -> Option<Value> {
        let element = only(tensor)?;
        let kind = tensor.dtype().known()?;
        let truth = match kind {
            Kind::Bool => element,
            _ if kind.is_float() => element.ne(0.0),
            _ if kind.is_int() => element.ne(Element::int(kind, 0)),
            _ => return None,
        };
        Some(Value::Bool(truth.as_prop()))
    }
    fn held(element: Element) -> Value {
        let tensor = Tensor::from_elements(Kind::F64, Shape::new([]), move |_| element);
        Value::Unknown(Rc::new(Unknown {
            reason: "the value of a tensor".into(),
            kind: Some(BuiltIn::Float),
            element: Some(tensor),
            ..Unknown::default()
        }))
    }
    /// A number that is computed from elements of tensors.
    pub fn element(&self) -> Option<Element> {
        match self {
            Value::Unknown(unknown) => unknown.element.map(|tensor| tensor.at(&[])),
            _ => None,
        }
    }
    fn as_element(&self) -> Option<Element> {
        match self {
            Value::Float(number) => Some(Element::constant(Kind::F64, *number)),
            Value::Int(_) => self.as_int().map(|number| Element::constant(Kind::F64, number as f64)),
            other => other.element(),
        }
    }
}

fn only(tensor: Tensor) -> Option<Element> {
    let rank = tensor.shape().known_rank()?;
    Some(tensor.at(&vec![Dim::from(0); rank]))
}

/// Both numbers as elements, if one of them is computed from elements of tensors.
fn both(a: &Value, b: &Value) -> Option<(Element, Element)> {
    (a.element().is_some() || b.element().is_some()).then_some(())?;
    a.as_element().zip(b.as_element())
}

/// What a comparison of such numbers states.
pub fn compared(comparison: Comparison, a: &Value, b: &Value) -> Option<Prop> {
    let (x, y) = both(a, b)?;
    let holds = match comparison {
        Comparison::Less => x.lt(y),
        Comparison::LessEqual => x.le(y),
        Comparison::Greater => x.gt(y),
        Comparison::GreaterEqual => x.ge(y),
        Comparison::Equal => x.eq(y),
        Comparison::NotEqual => x.ne(y),
        _ => return None,
    };
    Some(holds.as_prop())
}

/// What comes of arithmetic with such numbers.
pub fn combined(operator: BinaryOperator, a: &Value, b: &Value) -> Option<Value> {
    let (x, y) = both(a, b)?;
    let function = match operator {
        BinaryOperator::Add => Binary::Add,
        BinaryOperator::Sub => Binary::Sub,
        BinaryOperator::Mul => Binary::Mul,
        BinaryOperator::Div => Binary::Div,
        BinaryOperator::Pow => Binary::Pow,
        _ => return None,
    };
    Some(Value::held(x.binary(function, y)))
}

/// Such a number, negated.
pub fn negated(value: &Value) -> Option<Value> {
    Some(Value::held(-value.element()?))
}
