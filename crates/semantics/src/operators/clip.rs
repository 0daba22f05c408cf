//! Cuts numbers to a range.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "clip",
    summary: "Raises every element to at least `min`, then lowers it to at most `max`. \
              The bounds are scalars, or the numbers `least` and `most`; without them, those of the element type.",
    inputs: &[
        tensor("input", NUMERIC),
        tensor("min", NUMERIC).like("input").optional(),
        tensor("max", NUMERIC).like("input").optional(),
    ],
    parameters: &[float("least").optional(), float("most").optional()],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Clip(input; min as least, max as most)").adapted(between_numbers),
        onnx(6, "Clip(input; min as least=-3.4028234663852886e38, max as most=3.4028234663852886e38)")
            .adapted(between_numbers),
        onnx(11, "Clip(input, min, max)"),
        tensorflow("Relu6(input; with least=0, with most=6)"),
        tensorflow("ClipByValue(input, min, max)"),
    ],
    define,
    examples: &[
        "clip(f32[N,3], f32[], f32[]) -> f32[N,3]",
        "clip(f32[3]{-1,1,3}, f32[]{0}, f32[1]{2}) -> f32[3]{0,1,2}",
        "clip(f32[2]{1,3}, f32[]{4}, f32[]{2}) -> f32[2]{2,2}",
        "clip(i8[2]{-5,5}, _, i8[]{2}) -> i8[2]{-5,2}",
        "clip(f32[3]{-1,1,7}, least=0, most=6) -> f32[3]{0,1,6}",
        "clip(f16[2]{-inf,inf}) -> f16[2]{-65504,65504}",
        "clip(f32[...]) -> f32[...]",
        "clip(f32[3], f32[1,1]) fails: `min` is a scalar",
        "clip(f32[3], f32[], f32[3]) fails: `max` is a scalar",
        "clip(bool[3]) fails: `input` is a real number type",
        "clip(f32[3], f64[]) fails: `min` has the element type of `input`",
        "clip(f32[3], _, f64[]) fails: `max` has the element type of `input`",
    ],
};

#[derive(Clone, Copy)]
enum Bound {
    Tensor(Tensor),
    Number(f64),
    Absent,
}

impl Bound {
    fn element(self, kind: Kind, otherwise: f64) -> Option<Element> {
        match self {
            Bound::Tensor(tensor) => Some(only_element(tensor)),
            Bound::Number(value) => Some(Element::constant(kind, value)),
            // No integer is beyond the bounds of its type, but an infinity is.
            Bound::Absent => kind.is_float().then(|| Element::constant(kind, otherwise)),
        }
    }
}

fn define(call: &mut Call) -> Outcome {
    let min = bound(call, "min", "`min` is a scalar", "least")?;
    let max = bound(call, "max", "`max` is a scalar", "most")?;
    unary(call, move |x| {
        let (kind, largest) = (x.kind(), x.kind().largest());
        let raised = min.element(kind, -largest).map_or(x, |min| x.max(min));
        max.element(kind, largest).map_or(raised, |max| raised.min(max))
    })
}

/// A vector of one value passes for a scalar.
fn bound(call: &mut Call, name: &str, label: &'static str, number: &str) -> Result<Bound, Stop> {
    if let Some(tensor) = call.optional(name) {
        let shape = tensor.shape();
        call.require_shape(label, shape.rank().le(1) & shape.count().eq(1));
        return Ok(Bound::Tensor(tensor));
    }
    Ok(call.optional_float(number)?.map_or(Bound::Absent, Bound::Number))
}

fn between_numbers(call: &mut Call) -> Outcome {
    if let (Some(least), Some(most)) = (call.optional_float("least")?, call.optional_float("most")?) {
        call.insist(IllegalValue, "`least` does not exceed `most`", least <= most)?;
    }
    define(call)
}
