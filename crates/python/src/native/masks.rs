//! How much a mask selects: a number that is the same whenever the same elements are asked.

use super::{Keywords, Native, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::value::Value;
use semantics::dim::{Dim, LARGEST_SIZE, Origin};

pub static FUNCTIONS: &[Native] = &[Native { name: "selected", call: selected }];

/// `selected(mask)`: how many elements of a tensor are true, or not zero.
fn selected(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mask = required(interpreter, &values, 0, "selected")?;
    let Some(mask) = interpreter.as_tensor(&mask) else { return Ok(Value::unknown("what a mask selects")) };
    if let Some(known) = interpreter.selected.get(&mask) {
        return Ok(Value::Int(*known));
    }
    let whole = mask.shape().count();
    let most = whole.bounds().1.clamp(0, LARGEST_SIZE);
    let origin = Origin::input("the number of elements that a mask selects");
    let count = Dim::symbol_from("selected", 0, most, origin);
    if whole.known().is_none() {
        interpreter.path.context.assume(count.le(whole));
    }
    interpreter.selected.insert(mask, count);
    Ok(Value::Int(count))
}
