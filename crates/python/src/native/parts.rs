//! Tensors of which a part is another, for whoever follows values.

use super::internal::tensor;
use super::{Keywords, Native, required};
use crate::gradient::Gradient;
use crate::interpreter::{Interpreter, Outcome};
use crate::value::Value;
use semantics::dim::Dim;
use semantics::element::Element;
use semantics::prop::Prop;
use semantics::scalar::Binary;
use semantics::tensor::Tensor;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "part_where", call: part_where },
    Native { name: "with_part", call: with_part },
    Native { name: "one_at", call: one_at },
    Native { name: "granted", call: granted },
];

/// Where an axis is cut: a number of places from a first one on, so far apart; or one place; or a new axis.
#[derive(Clone, Copy)]
enum Cut {
    Places { first: Dim, count: Dim, step: Dim },
    Place(Dim),
    New,
}

/// `part_where(tensor, mask)`: the tensor where a mask of its shape is true; elsewhere there is no number.
fn part_where(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (input, mask) = (tensor(interpreter, &values, 0)?, tensor(interpreter, &values, 1)?);
    let value = required(interpreter, &values, 0, "part_where")?;
    let (Some(input), Some(mask)) = (input, mask) else { return Ok(value) };
    let gradient = interpreter.gradient_of(&value);
    let part = Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        mask.at(index).select(input.at(index), Element::constant(input.kind(), f64::NAN))
    });
    Ok(interpreter.new_tensor_with(part, gradient))
}

/// `with_part(tensor, value, cuts)`: the tensor with a value in a part of it, which is told by a tuple for each axis:
/// `(first, count, step)`, `(place,)` or, for a new axis of the part, `()`. The value broadcasts to the part. None if
/// something is not known.
fn with_part(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (input, value) = (tensor(interpreter, &values, 0)?, tensor(interpreter, &values, 1)?);
    let cuts = required(interpreter, &values, 2, "with_part")?;
    let mut axes = Vec::new();
    for cut in interpreter.items_of(&cuts)? {
        let mut numbers = Vec::new();
        for number in interpreter.items_of(&cut)? {
            let Some(dim) = interpreter.unwrapped(&number).as_dim() else { return Ok(Value::None) };
            numbers.push(dim);
        }
        axes.push(match numbers[..] {
            [first, count, step] => Cut::Places { first, count, step },
            [place] => Cut::Place(place),
            _ => Cut::New,
        });
    }
    let (Some(input), Some(value)) = (input, value) else { return Ok(Value::None) };
    let taken = axes.iter().filter(|cut| !matches!(cut, Cut::New)).count();
    if input.shape().known_rank() != Some(taken) || value.shape().known_rank().is_none() {
        return Ok(Value::None);
    }
    let whole = Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let (mut hit, mut source, mut axis) = (Prop::from(true), Vec::new(), 0);
        for cut in &axes {
            match *cut {
                Cut::Places { first, count, step } => {
                    let distance = index[axis] - first;
                    let at = if step.known() == Some(1) { distance } else { distance.div_floor(step) };
                    hit = hit & step.divides(distance) & at.within(0, count);
                    source.push(at);
                    axis += 1;
                }
                Cut::Place(place) => {
                    hit = hit & index[axis].eq(place);
                    axis += 1;
                }
                Cut::New => source.push(Dim::from(0)),
            }
        }
        // Axes of one element in front of the part's do no harm.
        let further = value.shape().known_rank().unwrap_or_default().saturating_sub(source.len());
        let source: Vec<Dim> = vec![Dim::from(0); further].into_iter().chain(source).collect();
        Element::when(hit, value.broadcast_at(&source), input.at(index))
    });
    let gradients = [0, 1].map(|place| values.get(place).cloned().unwrap_or(Value::None));
    let gradients = gradients.iter().map(|source| interpreter.gradient_of(source)).collect::<Vec<_>>();
    let gradient = interpreter.heap.gradient_from(gradients);
    Ok(interpreter.new_tensor_with(whole, gradient))
}

/// `one_at(places, count)`: integers along a new last axis, one at the place that is told and zero elsewhere.
fn one_at(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let places = tensor(interpreter, &values, 0)?;
    let count = required(interpreter, &values, 1, "one_at")?;
    let (Some(places), Some(count)) = (places, interpreter.unwrapped(&count).as_dim()) else {
        return Ok(Value::None);
    };
    let Some(rank) = places.shape().known_rank() else { return Ok(Value::None) };
    let shape = places.shape().followed_by([count]);
    let ones = Tensor::from_elements(places.dtype(), shape, move |index| {
        let kind = places.kind();
        let own = Element::index(kind, index[rank]);
        places.at(&index[..rank]).binary(Binary::Eq, own).cast(kind)
    });
    Ok(interpreter.new_tensor_with(ones, Gradient::No))
}

/// `granted(condition)`: what is done from here on is done only where a condition holds, a tensor of one element.
fn granted(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let condition = required(interpreter, &values, 0, "granted")?;
    let holds = interpreter.truth(&condition)?;
    if holds.known().is_none() {
        interpreter.path.guard(holds);
    }
    Ok(Value::None)
}
