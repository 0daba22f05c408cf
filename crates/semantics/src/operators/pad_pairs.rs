//! Adds a border, given as pairs.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "pad_pairs",
    summary: "Adds `paddings[k][0]` positions before and `paddings[k][1]` after axis k.",
    inputs: &[
        tensor("input", COMMON),
        tensor("paddings", INDEX),
        tensor("value", COMMON).like("input").optional(),
    ],
    parameters: &[word("mode", &["CONSTANT", "REFLECT", "SYMMETRIC"]).or_word("CONSTANT")],
    outputs: &["output"],
    spellings: &[
        tensorflow("Pad(input, paddings)"),
        tensorflow("PadV2(input, paddings, value)"),
        tensorflow("MirrorPad(input, paddings; mode)"),
    ],
    define,
    examples: &[
        "pad_pairs(f32[N,3], i32[2,2]{0,0,1,2}) -> f32[N,6]",
        "pad_pairs(i32[2]{1,2}, i32[1,2]{1,1}) -> i32[4]{0,1,2,0}",
        "pad_pairs(i32[2]{1,2}, i32[1,2]{1,1}, i32[]{9}) -> i32[4]{9,1,2,9}",
        "pad_pairs(i32[3]{1,2,3}, i32[1,2]{1,1}, mode=REFLECT) -> i32[5]{2,1,2,3,2}",
        "pad_pairs(i32[3]{1,2,3}, i32[1,2]{1,2}, mode=SYMMETRIC) -> i32[6]{1,1,2,3,3,2}",
        "pad_pairs(f32[2,3], i32[2]) fails: `paddings` is a matrix",
        "pad_pairs(f32[2,3], i32[1,2]) fails: `paddings` has one pair per axis",
        "pad_pairs(f32[2], i32[1,3]) fails: `paddings` has one pair per axis",
        "pad_pairs(f32[2], i32[1,2]{-1,0}) fails: `paddings` are not negative",
        "pad_pairs(f32[2], i32[1,2]{2,0}, mode=REFLECT) fails: a mirrored border is shorter than the axis",
        "pad_pairs(f32[2], i32[1,2], mode=EDGE) fails: `mode` is one of CONSTANT, REFLECT, SYMMETRIC",
        "pad_pairs(f32[2], f32[1,2]) fails: `paddings` is int32 or int64",
        "pad_pairs(f32[2], i32[1,2], f64[]) fails: `value` has the element type of `input`",
        "pad_pairs(f8e4m3fn[2], i32[1,2]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, paddings, value) = (call.tensor("input")?, call.tensor("paddings")?, call.optional("value"));
    call.promise(input.dtype(), Promised::RankOf(input.shape()));
    let [rows, columns] = call.dims("`paddings` is a matrix", paddings)?;
    let fits = rows.eq(input.shape().rank()) & columns.eq(2);
    call.demand(IncompatibleShape, "`paddings` has one pair per axis", fits)?;
    let sizes = call.known_sizes(input)?;
    let mode = call.text("mode")?;
    let Some(pads) = call.values(paddings).filter(|pads| pads.len() == 2 * sizes.len()) else {
        call.lost.push("the values of `paddings` are not known".into());
        return one(unknown_elements(input.dtype(), input.shape().of_same_rank("padded")));
    };
    call.require_value("`paddings` are not negative", Prop::all(pads.iter().map(|pad| pad.ge(0))));
    // A reflected border leaves the edge out.
    let most = |size: Dim| if mode == "REFLECT" { size - 1 } else { size };
    if mode != "CONSTANT" {
        let fits =
            pads.chunks(2).zip(&sizes).map(|(pair, &size)| pair[0].le(most(size)) & pair[1].le(most(size)));
        call.require_value("a mirrored border is shorter than the axis", Prop::all(fits));
    }
    let shape = pads.chunks(2).zip(&sizes).map(|(pair, &size)| size + pair[0] + pair[1]);
    let shape = Shape::new(shape.collect::<Vec<Dim>>());
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let inside = |k: usize| index[k] - pads[2 * k];
        if mode == "CONSTANT" {
            let source: Vec<Dim> = (0..sizes.len()).map(inside).collect();
            let border = value.map_or_else(|| zero(input.kind()), only);
            return input.at_or(&source, border);
        }
        let edge = Dim::from(i64::from(mode == "SYMMETRIC"));
        let mirrored = |k: usize| {
            let at = inside(k);
            let beyond = (sizes[k] - 1) * 2 + edge - at;
            Dim::select(at.lt(0), -at - edge, Dim::select(at.ge(sizes[k]), beyond, at))
        };
        input.at(&(0..sizes.len()).map(mirrored).collect::<Vec<Dim>>())
    }))
}

fn zero(kind: Kind) -> Element {
    match kind.class() {
        Class::Bool => Element::bool(false),
        Class::Int => Element::int(kind, 0),
        _ => Element::constant(kind, 0.0),
    }
}
