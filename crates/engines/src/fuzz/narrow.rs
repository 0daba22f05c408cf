//! Whether float32 explains what was seen where float64 was asked for: something was computed in it, or read as it.

use super::case::Case;
use super::seen::Seen;
use super::values::compare_flushed;
use crate::evaluate::{Bound, Mode, Reading};
use crate::run::Runner;
use program::ir::{Node, ValueId};
use semantics::array::Array;
use semantics::dtype::Kind::{F32, F64};
use std::rc::Rc;

/// Whether everything that a node gave lies within the bounds of the same call in float32, on what it was given
/// rounded or not.
pub(super) fn is_as_float32(case: &Case, seen: &Seen, node: usize) -> bool {
    let Some(node) = case.program.graph.nodes.get(node) else { return false };
    compared(case, seen, node) == Some(true)
}

fn compared(case: &Case, seen: &Seen, node: &Node) -> Option<bool> {
    let sight = |value: ValueId| seen.values.get(&value).and_then(|sight| sight.array.clone());
    let mut runner = Runner::new(&case.program, Mode::Bounded);
    let mut narrower = false;
    for value in node.inputs() {
        let array = sight(value).or_else(|| case.array(value))?;
        narrower |= array.kind == F64;
        runner.values.insert(value, Rc::new(narrowed(array)?));
    }
    let readings = runner.node(node).ok()?;
    let mut same = narrower;
    for (output, reading) in node.outputs.iter().zip(readings) {
        let (Some(array), Some(reading)) = (output.and_then(sight), reading) else { continue };
        if array.shape != reading.array.shape {
            return None;
        }
        let own = Array { kind: array.kind, ..reading.array.clone() };
        same &= compare_flushed(&Reading::new(own, reading.bound.clone()), &array).agrees();
    }
    Some(same)
}

/// An array of doubles in float32, and how far off that is.
fn narrowed(array: Array) -> Option<Reading> {
    if array.kind != F64 {
        return Some(Reading::new(array, Bound::Exact));
    }
    let values = array.as_floats()?;
    let rounded: Vec<f64> = values.iter().map(|&x| F32.round(x)).collect();
    let off = |(x, rounded): (&f64, &f64)| if x == rounded || x.is_nan() { 0.0 } else { (x - rounded).abs() };
    let errors = values.iter().zip(&rounded).map(off).collect();
    Some(Reading::new(Array::floats(F32, &array.shape, rounded), Bound::Float(errors)))
}
