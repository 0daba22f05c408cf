//! From what a file gives to the arguments of a call: numbers, and values of tensors where they are known.

use crate::ir::{Given, Invocation};
use semantics::call::{Argument, Call};
use semantics::dim::Dim;
use semantics::operator::{Category, Parameter, ParameterKind};
use semantics::tensor::Tensor;

/// Builds the call of an invocation; `tensor` gives the tensor of a value.
pub fn call(
    invocation: &Invocation,
    wanted: usize,
    tensor: &mut dyn FnMut(crate::ir::ValueId) -> Tensor,
) -> Call {
    let mut call = Call::new(invocation.operator);
    call.wanted = wanted;
    for (slot, values) in call.tensors.iter_mut().zip(&invocation.tensors) {
        slot.extend(values.iter().map(|&value| tensor(value)));
    }
    for (position, given) in invocation.arguments.iter().enumerate() {
        let parameter = &invocation.operator.parameters[position];
        call.arguments[position] = given.as_ref().map(|given| match given {
            Given::Int(value) => Argument::Int((*value).into()),
            Given::Ints(values) => Argument::Ints(values.iter().map(|&value| value.into()).collect()),
            Given::Float(value) => Argument::Float(*value),
            Given::Floats(values) => Argument::Floats(values.clone()),
            Given::Type(kind) => Argument::Type(*kind),
            Given::Text(text) => Argument::Text(text.clone()),
            Given::Texts(texts) => Argument::Texts(texts.clone()),
            Given::Value(value) => read(parameter, tensor(*value), &mut call.requirements),
        });
    }
    call
}

/// Reads a parameter from a tensor's value.
fn read(
    parameter: &Parameter,
    tensor: Tensor,
    requirements: &mut Vec<semantics::call::Requirement>,
) -> Argument {
    let mut require = |label: &'static str, prop| {
        requirements.push(semantics::call::Requirement {
            label,
            category: Category::IncompatibleShape,
            prop,
        });
    };
    let unknown = || Argument::Unknown("it is computed while the model runs".into());
    let shape = tensor.shape();
    match parameter.kind {
        ParameterKind::Ints | ParameterKind::Floats | ParameterKind::Words(_) => {
            require("a list of numbers is a tensor of one axis", shape.rank().le(1));
        }
        _ => require("a single number is a tensor of one element", shape.count().eq(1)),
    }
    let Some(values) = tensor.values() else {
        return match (parameter.kind, shape.known_rank()) {
            // The length is known where the numbers are not: the rank of a result may follow from it.
            (ParameterKind::Ints, Some(1)) => match shape.sizes().and_then(|sizes| sizes[0].known()) {
                Some(length) if length <= 16 => {
                    Argument::Ints((0..length).map(|k| computed(parameter, k)).collect())
                }
                _ => unknown(),
            },
            (ParameterKind::Int, _) => Argument::Int(computed(parameter, 0)),
            _ => unknown(),
        };
    };
    match parameter.kind {
        ParameterKind::Int => {
            values.first().and_then(|value| value.dim()).map_or_else(unknown, Argument::Int)
        }
        ParameterKind::Flag => {
            values.first().and_then(|value| value.prop()).map_or_else(unknown, Argument::Flag)
        }
        ParameterKind::Float => {
            values.first().and_then(|value| value.float()).map_or_else(unknown, Argument::Float)
        }
        ParameterKind::Ints => Argument::Ints(
            values
                .iter()
                .enumerate()
                .map(|(k, v)| v.dim().unwrap_or_else(|| computed(parameter, k as i64)))
                .collect(),
        ),
        ParameterKind::Floats => values
            .iter()
            .map(|value| value.float())
            .collect::<Option<Vec<f64>>>()
            .map_or_else(unknown, Argument::Floats),
        ParameterKind::Type | ParameterKind::Word(_) | ParameterKind::Text | ParameterKind::Words(_) => {
            unknown()
        }
    }
}

/// A number that only the run will tell.
fn computed(parameter: &Parameter, k: i64) -> Dim {
    let origin = semantics::dim::Origin::computed("computed while the model runs");
    Dim::symbol_from(
        &format!("{}[{k}]", parameter.name),
        -semantics::dim::LARGEST_SIZE,
        semantics::dim::LARGEST_SIZE,
        origin,
    )
}
