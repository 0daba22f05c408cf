//! Adds a border to a tensor, or cuts one off.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "pad",
    summary: "Adds positions before and after axes (`pads`: all befores, then all afters), filled with `value`, \
              the mirror image, the outermost element or the other end; a negative number cuts off instead.",
    inputs: &[tensor("input", ANY), tensor("value", ANY).like("input").optional()],
    parameters: &[
        ints("pads"),
        ints("axes").optional(),
        word("mode", &["constant", "reflect", "edge", "wrap"]).or_word("constant"),
        float("fill").or_float(0.0),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Pad(input; paddings as pads, mode, value as fill)"),
        onnx(2, "Pad(input; pads, mode, value as fill)"),
        onnx(11, "Pad(input, pads, value; mode)"),
        onnx(18, "Pad(input, pads, value, axes:index; mode)"),
    ],
    define,
    examples: &[
        "pad(f32[N,3,H], pads=[0,0,1,0,0,2]) -> f32[N,3,H + 3]",
        "pad(f32[1,3,4,5], f32[], pads=[0,3,0,4], axes=[1,-1]) -> f32[1,3,4,12]",
        "pad(i32[2]{1,2}, i32[]{9}, pads=[1,2]) -> i32[5]{9,1,2,9,9}",
        "pad(f32[3]{0,1,2}, pads=[2,2], mode=reflect) -> f32[7]{2,1,0,1,2,1,0}",
        "pad(f32[3]{0,1,2}, pads=[1,2], mode=edge) -> f32[6]{0,0,1,2,2,2}",
        "pad(f32[3]{0,1,2}, pads=[4,5], mode=wrap) -> f32[12]{2,0,1,2,0,1,2,0,1,2,0,1}",
        "pad(f32[3]{0,1,2}, pads=[-1,2]) -> f32[4]{1,2,0,0}",
        "pad(f32[3]{0,1,2}, pads=[-1,2], mode=wrap) -> f32[4]{1,2,1,2}",
        "pad(f32[5]{0,1,2,3,4}, pads=[-2,2], mode=reflect) -> f32[5]{2,3,4,3,2}",
        "pad(f32[3], pads=[-2,-1]) -> f32[0]",
        "pad(f32[0], pads=[1,0], fill=7) -> f32[1]{7}",
        "pad(f32[2,3], pads=[1,1,1]) fails: `pads` has two values per axis",
        "pad(f32[2,3], pads=[1,1,1], axes=[1]) fails: `pads` has two values per axis",
        "pad(f32[2,3], pads=[1,1], axes=[2]) fails: `axes` are within the rank",
        "pad(f32[2,3], pads=[1,1,1,1], axes=[1,1]) fails: `axes` name each axis once",
        "pad(f32[3], pads=[-2,-2]) fails: no more is cut off than there is",
        "pad(f32[3], pads=[3,0], mode=reflect) fails: `pads` of a reflection are below the size of the axis",
        "pad(f32[0], pads=[1,0], mode=edge) fails: there is an element to repeat",
        "pad(f32[3], f32[2], pads=[1,1]) fails: `value` has one element",
        "pad(f32[3], i64[], pads=[1,1]) fails: `value` has the element type of `input`",
        "pad(f32[3], pads=[1,1], mode=mirror) fails: `mode` is one of constant, reflect, edge, wrap",
    ],
};

/// One padded axis: how much comes before it, and what is left of the input after cutting off.
#[derive(Clone, Copy)]
pub struct Border {
    pub slot: Slot,
    pub before: Dim,
    pub first: Dim,
    pub length: Dim,
}

fn define(call: &mut Call) -> Outcome {
    let (input, value) = (call.tensor("input")?, call.optional("value"));
    call.promise(input.dtype(), Promised::RankOf(input.shape()));
    let (pads, mode) = (call.ints("pads")?, call.text("mode")?);
    let two_each = "`pads` has two values per axis";
    let count = pads.len() / 2;
    let axes = match call.optional_ints("axes")? {
        Some(axes) => {
            call.insist(IllegalValue, two_each, pads.len() == 2 * axes.len())?;
            axes
        }
        None => {
            call.insist(IllegalValue, two_each, pads.len().is_multiple_of(2))?;
            call.sizes(two_each, input, count)?;
            (0..count).map(Dim::from).collect()
        }
    };
    if let Some(value) = value {
        call.require_shape("`value` has one element", value.shape().count().eq(1));
    }

    let mut shape = input.shape();
    let mut borders: Vec<Border> = Vec::with_capacity(count);
    for (k, &axis) in axes.iter().enumerate() {
        let slot = call.axis_at(axis, "`axes` are within the rank", input.shape())?;
        let again = borders.iter().any(|border| border.slot == slot);
        call.insist(IllegalValue, "`axes` name each axis once", !again)?;
        let (size, before, after) = (input.shape().size(slot), pads[k], pads[count + k]);
        let first = (-before).max(0);
        let length = size - first - (-after).max(0);
        call.require_legal("no more is cut off than there is", (size + before + after).ge(0));
        match mode.as_str() {
            "reflect" => call.require_value(
                "`pads` of a reflection are below the size of the axis",
                before.max(after).lt(length.max(1)),
            ),
            "edge" | "wrap" => call
                .require_value("there is an element to repeat", length.ge(1) | (before.le(0) & after.le(0))),
            _ => {}
        }
        shape = shape.with_size(slot, size + before + after);
        borders.push(Border { slot, before, first, length });
    }

    let fill = call.float("fill")?;
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let mut source = index.to_vec();
        for border in &borders {
            let axis = position(border.slot, index.len());
            source[axis] = border.source(index[axis], &mode);
        }
        match mode.as_str() {
            "constant" => {
                let fill = value.map_or_else(|| Element::constant(input.kind(), fill), only);
                input.at_or(&source, fill)
            }
            _ => input.at(&source),
        }
    }))
}

impl Border {
    /// Where a position of the output is in the input; outside it for a constant border.
    pub fn source(self, at: Dim, mode: &str) -> Dim {
        let inside = at - self.before - self.first;
        self.first
            + match mode {
                "reflect" => {
                    let mirrored = Dim::select(inside.lt(0), -inside, inside);
                    Dim::select(mirrored.lt(self.length), mirrored, 2 * (self.length - 1) - mirrored)
                }
                // The outermost element is mirrored, too.
                "symmetric" => {
                    let mirrored = Dim::select(inside.lt(0), -1 - inside, inside);
                    Dim::select(mirrored.lt(self.length), mirrored, 2 * self.length - 1 - mirrored)
                }
                "edge" => inside.max(0).min(self.length - 1),
                "wrap" => inside.modulo(self.length),
                _ => inside,
            }
    }
}
