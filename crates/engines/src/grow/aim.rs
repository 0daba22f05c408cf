//! Making numbers meet: inputs that hold the constants that arguments mention, and arguments that occur in inputs.
//! Thresholds, fill values and masks only show where something is exactly at them.

use super::sketch::{Draft, Operand, Sketch};
use crate::draw::Draw;
use program::ir::Given;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use semantics::operator::{Parameter, Preset};

/// Of a hundred floats that are arguments, so many become one that occurs in the first input.
const FROM_INPUT: u64 = 15;
/// Of a hundred new inputs of calls with such arguments, so many hold them.
const INTO_INPUT: u64 = 35;

/// Gives arguments values that occur in the first input of a call. `floats` is the type that they are kept in.
pub(super) fn at_elements(
    arguments: &mut [Option<Given>],
    sketch: &Sketch,
    draft: &Draft,
    floats: Kind,
    draw: &mut Draw,
) {
    for argument in arguments {
        let Some(Given::Float(value)) = argument else { continue };
        if !draw.chance(FROM_INPUT) {
            continue;
        }
        let element = match &draft.operands[0].1[0] {
            Operand::Held(at) => sketch
                .reading(sketch.held[*at].value)
                .and_then(|reading| draw.pick(reading.array.as_floats()?).copied()),
            Operand::Fresh(array) => array.as_floats().and_then(|values| draw.pick(values).copied()),
        };
        if let Some(element) = element.filter(|x| x.is_finite() && floats.round(*x) == *x) {
            *value = element;
        }
    }
}

/// Of a hundred new inputs of which a mask is made, so many hold what is masked.
const TO_BE_MASKED: u64 = 80;

/// Puts the constants of a call into its new inputs: single elements, or all along the last axis, which is what
/// masks are made of.
pub(super) fn at_constants(draft: &mut Draft, arguments: &[Option<Given>], draw: &mut Draw) {
    let parameters: &[Parameter] = draft.definition.operator.parameters;
    let constants: Vec<f64> = parameters
        .iter()
        .zip(arguments)
        .filter_map(|(parameter, given)| match (given, parameter.default) {
            (Some(Given::Float(value)), _) => Some(*value),
            (None, Preset::Float(value)) => Some(value),
            _ => None,
        })
        .collect();
    if constants.is_empty() {
        return;
    }
    let masks = draft.definition.makes_mask();
    let share = if masks { TO_BE_MASKED } else { INTO_INPUT };
    for operand in draft.operands.iter_mut().flat_map(|(_, operands)| operands) {
        if let Operand::Fresh(array) = operand
            && draw.chance(share)
            && let Some(&constant) = draw.pick(&constants)
        {
            let whole_rows = masks || draw.chance(50);
            plant(array, constant, whole_rows, draw);
        }
    }
}

fn plant(array: &mut Array, constant: f64, whole_rows: bool, draw: &mut Draw) {
    let row = array.shape.last().copied().unwrap_or(1);
    let (kind, length) = (array.kind, if whole_rows { row.max(1) } else { 1 });
    let Data::Float(values) = &mut array.data else { return };
    let share = if draw.chance(50) { 25 } else { 60 };
    for place in values.chunks_mut(length) {
        if draw.chance(share) {
            place.fill(kind.round(constant));
        }
    }
}
