//! Between what the numbers of integer tensors lie: indices, classes, lengths, and what is drawn at random.

use super::{Keywords, Native, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::value::Value;
use program::path::How;
use semantics::between::Between;
use semantics::dim::{AtomView, Dim, LARGEST_SIZE, Origin};
use semantics::tensor::Tensor;
use smallvec::{SmallVec, smallvec};

pub static FUNCTIONS: &[Native] = &[
    Native { name: "between", call: between },
    Native { name: "like_those_of", call: like_those_of },
    Native { name: "one_of_those", call: one_of_those },
    Native { name: "lying", call: lying },
    Native { name: "starting", call: starting },
    Native { name: "bounds", call: bounds },
    Native { name: "hull", call: hull },
    Native { name: "stood_for", call: stood_for },
    Native { name: "every_element", call: every_element },
    Native { name: "some_element", call: some_element },
];

/// Where numbers come from that are drawn at random.
const DRAW: &str = "a random draw";

fn span(run: &Interpreter, value: &Value) -> Option<Between> {
    run.path.refined(run.as_tensor(value)?).between()
}
/// The same Python object, of which the elements are promised to lie somewhere.
fn promised(run: &mut Interpreter, value: Value, span: Between) -> Value {
    match run.as_tensor(&value) {
        Some(tensor) if tensor.dtype().known().is_some_and(|kind| kind.is_int()) => {
            let gradient = run.gradient_of(&value);
            run.new_tensor_with(tensor.lying_between(span), gradient)
        }
        _ => value,
    }
}

/// `between(tensor, low, high)`: integers that are drawn from `low` to `high`, both included; with False after them,
/// that merely do not lie outside.
fn between(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "between")?;
    let ends = [1, 2].map(|place| values.get(place).and_then(Value::as_dim));
    let [Some(low), Some(high)] = ends else { return Ok(value) };
    let span = Between::new(low, high);
    let is_drawn = values
        .get(3)
        .is_none_or(|drawn| !matches!(drawn, Value::Bool(drawn) if drawn.known() == Some(false)));
    Ok(promised(run, value, if is_drawn { span } else { span.only_bounded() }))
}
/// `stood_for(tensor, numbers)`: a tensor of which all elements are such as these. Something is known of them only where
/// these are drawn: of other numbers, others may differ.
fn stood_for(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "stood_for")?;
    let numbers = required(run, &values, 1, "stood_for")?;
    let numbers: Option<Vec<Dim>> =
        run.items_of(&numbers)?.iter().map(|number| run.unwrapped(number).as_dim()).collect();
    let spans = numbers.and_then(|numbers| numbers.into_iter().map(spread).collect::<Option<Vec<Between>>>());
    Ok(match spans.and_then(|spans| spans.into_iter().reduce(Between::union)) {
        Some(span) => promised(run, value, span),
        None => value,
    })
}
/// Where a number lies that is drawn at random.
fn spread(number: Dim) -> Option<Between> {
    let (low, high) = number.bounds();
    let AtomView::Symbol(symbol) = number.as_atom()?.view() else { return None };
    (&*symbol.origin().text == DRAW).then(|| Between::new(low, high))
}
/// `like_those_of(tensor, *sources)`: integers that are taken from other tensors, nobody knows which.
fn like_those_of(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "like_those_of")?;
    follow_those(run, &value, &values[1..]);
    let spans: Option<Vec<Between>> = values[1..].iter().map(|source| span(run, source)).collect();
    Ok(match spans.and_then(|spans| spans.into_iter().reduce(Between::union)) {
        Some(span) => promised(run, value, span),
        None => value,
    })
}
/// `lying(tensor, low, high, name)`: a tensor that is read from somewhere, all of whose elements lie between two numbers,
/// for whoever follows values.
fn lying(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "lying")?;
    let name = values.get(3).and_then(Value::as_text).cloned().unwrap_or_default();
    let Some(read) = limited(run, &value, &values[1..], &name) else { return Ok(value) };
    let place = run.place("read");
    run.path.follow(&place, "read", SmallVec::new(), smallvec![read], How::Read);
    let gradient = run.gradient_of(&value);
    Ok(run.new_tensor_with(read, gradient))
}
/// `starting(tensor, low, high)`: a weight that lies between two numbers at first, for whoever follows values.
fn starting(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "starting")?;
    let Some(weight) = limited(run, &value, &values[1..], "") else { return Ok(value) };
    let gradient = run.gradient_of(&value);
    Ok(run.new_tensor_with(weight, gradient))
}
/// A tensor of unknown elements between two numbers, if somebody follows values.
fn limited(run: &Interpreter, value: &Value, ends: &[Value], name: &str) -> Option<Tensor> {
    let end = |place: usize| match ends.get(place)? {
        Value::Float(number) => Some(*number),
        other => other.as_int().map(|number| number as f64),
    };
    let tensor = run.as_tensor(value).filter(|_| run.path.made.is_some())?;
    let (low, high) = (end(0)?, end(1)?);
    Some(Tensor::given(name, tensor.dtype(), tensor.shape()).within(low, high))
}
/// `one_of_those(tensor, source)`: integers that are picked for what they are (the largest, say), not at random.
fn one_of_those(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "one_of_those")?;
    follow_those(run, &value, &values[1..]);
    let span = values.get(1).and_then(|source| span(run, source));
    Ok(match span {
        Some(span) => promised(run, value, span.only_bounded()),
        None => value,
    })
}
/// Notes for whoever follows values that every float of a tensor is one of others.
fn follow_those(run: &mut Interpreter, value: &Value, sources: &[Value]) {
    let Some(tensor) = run.as_tensor(value).filter(|_| run.path.made.is_some()) else { return };
    let inputs: Option<SmallVec<[Tensor; 4]>> = sources.iter().map(|source| run.as_tensor(source)).collect();
    let is_float = |tensor: &Tensor| tensor.dtype().known().is_some_and(|kind| kind.is_float());
    let Some(inputs) = inputs.filter(|inputs| !inputs.is_empty() && inputs.iter().all(is_float)) else {
        return;
    };
    if is_float(&tensor) {
        let place = run.place("selection");
        run.path.follow(&place, "selection", inputs, smallvec![tensor], How::OneOf);
    }
}
/// `bounds(tensor)`: the least and the greatest number an integer tensor may hold; None if that is not known.
fn bounds(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "bounds")?;
    Ok(match span(run, &value) {
        Some(span) => Value::tuple([Value::Int(span.low), Value::Int(span.high)]),
        None => Value::None,
    })
}
/// `hull(values)`: the least and the greatest that integers may be, as numbers; None if one of them may be anything.
fn hull(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let values = required(run, &values, 0, "hull")?;
    let numbers = run.items_of(&values)?;
    let bounds: Option<Vec<(i64, i64)>> =
        numbers.iter().map(|number| run.unwrapped(number).as_dim().map(Dim::bounds)).collect();
    let hull = bounds.and_then(|bounds| bounds.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))));
    Ok(match hull {
        Some((low, high)) if low > -LARGEST_SIZE && high < LARGEST_SIZE => {
            Value::tuple([Value::int(low), Value::int(high)])
        }
        _ => Value::None,
    })
}
/// `every_element(tensor, low, high, label)`: a number that stands for each element of an integer tensor, of which every
/// value is to be expected; None if they lie from `low` to `high`. Where only the run will tell that, the label is taken
/// for granted.
fn every_element(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "every_element")?;
    let span = span(run, &value);
    let wanted = [1, 2].map(|place| values.get(place).and_then(|end| run.unwrapped(end).as_dim()));
    let ([Some(low), Some(high)], Some(label)) = (wanted, values.get(3).and_then(Value::as_text)) else {
        return Ok(Value::None);
    };
    let is_inside =
        |span: &Between| span.low.bounds().0 >= low.bounds().1 && span.high.bounds().1 <= high.bounds().0;
    let is_outside =
        |span: &Between| span.low.bounds().0 > high.bounds().1 || span.high.bounds().1 < low.bounds().0;
    let span = match span {
        Some(span) if is_inside(&span) => return Ok(Value::None),
        Some(span) if span.is_reached || is_outside(&span) => span,
        _ => {
            let label = label.clone();
            run.suppose(&label);
            return Ok(Value::None);
        }
    };
    let origin = Origin::data(&format!("its numbers go from {} to {}", span.low, span.high));
    Ok(Value::Int(symbol(run, span, "index", origin)))
}
/// `some_element(tensor)`: a number that is an element of an integer tensor; None if nothing is known of them.
fn some_element(run: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(run, &values, 0, "some_element")?;
    let origin = Origin::input(DRAW);
    Ok(span(run, &value).map_or(Value::None, |span| Value::Int(symbol(run, span, "random", origin))))
}

fn symbol(run: &mut Interpreter, span: Between, name: &str, of_drawn: Origin) -> Dim {
    if span.low.id() == span.high.id() {
        return span.low;
    }
    let (least, most) = (span.low.bounds().0.max(-LARGEST_SIZE), span.high.bounds().1.min(LARGEST_SIZE));
    let origin = if span.is_reached { of_drawn } else { Origin::computed("an element of a tensor") };
    let symbol = Dim::symbol_from(name, least, most, origin);
    for (end, holds) in [(span.low, symbol.ge(span.low)), (span.high, symbol.le(span.high))] {
        if end.known().is_none() {
            run.path.context.assume(holds);
        }
    }
    symbol
}
