//! From what a file gives to the arguments of a call: numbers, and values of tensors where they are known.

use crate::ir::{Given, Invocation, Narrower};
use semantics::call::{Argument, Call, Prepared, Requirement, intern};
use semantics::dim::Dim;
use semantics::dtype::TypeSet;
use semantics::operator::{Backend, Category, Operator, Parameter, ParameterKind};
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::spelling::Form;
use semantics::tensor::Tensor;

/// Longer lists are not followed: there are not that many axes, and rules compare the numbers with each other.
const MOST_NUMBERS: usize = 1024;

fn too_long(length: usize) -> Argument {
    Argument::Unknown(format!("it is a list of {length}"))
}

/// Builds the call of an invocation; `tensor` gives the tensor of a value.
pub fn call(
    invocation: &Invocation,
    wanted: usize,
    tensor: &mut dyn FnMut(crate::ir::ValueId) -> Tensor,
) -> Call {
    let mut call = Call::new(invocation.operator);
    call.wanted = wanted;
    call.backend = invocation.backend;
    call.policy = invocation.policy;
    for (slot, values) in call.tensors.iter_mut().zip(&invocation.tensors) {
        slot.extend(values.iter().map(|&value| tensor(value)));
    }
    if let Some(slot) = invocation.channels_first
        && let Some(layout) = call.tensors[slot].first().and_then(|tensor| tensor.layout())
    {
        let name = invocation.operator.inputs[slot].name;
        let label = intern(format!("`{name}` has its channels in axis 1"));
        let prop = (layout.channels() == 1).into();
        call.requirements.push(Requirement { label, category: Category::UnsupportedLayout, prop });
    }
    for (slot, narrower) in &invocation.narrower {
        for tensor in &call.tensors[*slot] {
            call.requirements.extend(older_type(invocation.operator.inputs[*slot].name, *tensor, narrower));
        }
    }
    // Indices of one call have one type, int32 or int64.
    let mut index = None;
    for (position, given) in invocation.arguments.iter().enumerate() {
        let parameter = &invocation.operator.parameters[position];
        call.arguments[position] = given.as_ref().map(|given| match given {
            Given::Value(value, types, form) => {
                let tensor = tensor(*value);
                call.read.push((parameter.name, tensor));
                if types.name == semantics::dtype::INDEX.name {
                    let (first, indices) = *index.get_or_insert((parameter.name, tensor));
                    let prop = tensor.dtype().same(indices.dtype());
                    let label = match prop.known() {
                        Some(true) => "",
                        _ => intern(format!("`{}` has the element type of `{first}`", parameter.name)),
                    };
                    let category = Category::IncompatibleType;
                    call.requirements.push(Requirement { label, category, prop });
                }
                read(parameter, tensor, *types, *form, &mut call.requirements)
            }
            stated => argument(stated),
        });
    }
    call
}

/// That a tensor has a type that an older version takes; nothing where the type is not known.
fn older_type(name: &str, tensor: Tensor, narrower: &Narrower) -> Option<Requirement> {
    let fits = narrower.kinds.contains(&tensor.dtype().known()?);
    let label = match fits {
        true => "",
        false => {
            let kinds: Vec<&str> = narrower.kinds.iter().map(|kind| kind.name()).collect();
            let versions = match narrower.until {
                u32::MAX => String::new(),
                until => format!(" before opset {until}"),
            };
            intern(format!("`{name}` is {}{versions}", kinds.join(" or ")))
        }
    };
    Some(Requirement { label, category: Category::IncompatibleType, prop: fits.into() })
}

/// What a file states outright.
pub fn argument(given: &Given) -> Argument {
    match given {
        Given::Int(value) => Argument::Int((*value).into()),
        Given::Ints(values) if values.len() > MOST_NUMBERS => too_long(values.len()),
        Given::Floats(values) if values.len() > MOST_NUMBERS => too_long(values.len()),
        Given::Texts(values) if values.len() > MOST_NUMBERS => too_long(values.len()),
        Given::Ints(values) => Argument::Ints(values.iter().map(|&value| value.into()).collect()),
        Given::Float(value) => Argument::Float(*value),
        Given::Floats(values) => Argument::Floats(values.clone()),
        Given::Type(kind) => Argument::Type(*kind),
        Given::Text(text) => Argument::Text(text.clone()),
        Given::Texts(texts) => Argument::Texts(texts.clone()),
        Given::Operators(operators) => {
            let prepared = |(operator, given): &(&'static Operator, Vec<Option<Given>>)| Prepared {
                operator,
                arguments: given.iter().map(|given| given.as_ref().map(argument)).collect(),
                backend: Backend::default(),
                policy: None,
            };
            Argument::Operators(operators.iter().map(prepared).collect())
        }
        Given::Value(..) => Argument::Unknown("it is computed while the model runs".into()),
    }
}

/// Reads a parameter from a tensor's value.
fn read(
    parameter: &Parameter,
    tensor: Tensor,
    types: TypeSet,
    form: Form,
    requirements: &mut Vec<Requirement>,
) -> Argument {
    let mut require = |label: &str, category, prop: Prop| {
        let label =
            if prop.known() == Some(true) { "" } else { intern(format!("`{}` {label}", parameter.name)) };
        requirements.push(Requirement { label, category, prop });
    };
    let unknown = || Argument::Unknown("it is computed while the model runs".into());
    let shape = tensor.shape();
    let list =
        matches!(parameter.kind, ParameterKind::Ints | ParameterKind::Floats | ParameterKind::Words(_));
    let (rank, single) = (shape.rank(), || shape.count().eq(1));
    let (label, fits) = match (form, list) {
        (Form::Scalar, _) => ("is a scalar: a tensor without axes", rank.eq(0)),
        (Form::List, true) => ("is a list: a tensor of one axis", rank.eq(1)),
        (Form::List, false) => ("is a list of one number: a tensor of shape [1]", rank.eq(1) & single()),
        (Form::Flat, true) => ("is a list or one number: a tensor of at most one axis", rank.le(1)),
        (Form::Flat, false) => ("is one number: a scalar or a list of one", rank.le(1) & single()),
        (Form::Any, true) => ("is a list: a tensor with at most one axis longer than 1", in_a_row(shape)),
        (Form::Any, false) => ("is one number: a tensor of one element", single()),
    };
    require(label, Category::IncompatibleShape, fits);
    let fits = tensor.dtype().is_in(types);
    require(&format!("is {}", types.name), Category::IncompatibleType, fits);
    if fits.known() == Some(false) {
        // Activations in the place of a shape are not worth evaluating.
        return unknown();
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
        ParameterKind::Type
        | ParameterKind::Word(_)
        | ParameterKind::Text
        | ParameterKind::Words(_)
        | ParameterKind::Operators(_) => unknown(),
    }
}

/// Whether a tensor has at most one axis of a size other than 1; not asked of one of unknown rank.
fn in_a_row(shape: Shape) -> Prop {
    let Some(sizes) = shape.sizes().filter(|sizes| sizes.len() > 1) else { return true.into() };
    let others_are_1 = |long: usize| {
        Prop::all(sizes.iter().enumerate().filter(|(k, _)| *k != long).map(|(_, size)| size.eq(1)))
    };
    Prop::any((0..sizes.len()).map(others_are_1))
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
