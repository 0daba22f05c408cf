//! Writes new entries into a cache.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "tensor_scatter",
    summary: "Writes `update` into a copy of `input` along `axis`, for each batch entry from its write index on; \
              in circular mode it goes on at the front.",
    inputs: &[
        tensor("input", ANY),
        tensor("update", ANY).like("input"),
        tensor("write_indices", INT64).optional(),
    ],
    parameters: &[int("axis").or(-2), word("mode", &["linear", "circular"]).or_word("linear")],
    outputs: &["output"],
    spellings: &[onnx(24, "TensorScatter(input, update, write_indices; axis, mode)")],
    define,
    examples: &[
        "tensor_scatter(f32[N,8,S,64], f32[N,8,1,64], i64[N]) -> f32[N,8,S,64]",
        "tensor_scatter(f32[1,4,1]{0,1,2,3}, f32[1,2,1]{8,9}, i64[1]{1}) -> f32[1,4,1]{0,8,9,3}",
        "tensor_scatter(f32[1,4,1]{0,1,2,3}, f32[1,2,1]{8,9}, i64[1]{3}, mode=circular) -> f32[1,4,1]{9,1,2,8}",
        "tensor_scatter(f32[2,4,5], f32[2,3,5]) -> f32[2,4,5]",
        "tensor_scatter(f32[4,2], f32[4,2], axis=2) fails: `axis` is within the rank",
        "tensor_scatter(f32[2,4], f32[2,4], axis=-2) fails: `axis` is not the batch axis",
        "tensor_scatter(f32[2,4,5], f32[2,4]) fails: `update` has the rank of `input`",
        "tensor_scatter(f32[2,4,5], f32[2,2,6]) fails: sizes agree outside the axis",
        "tensor_scatter(f32[2,4,5], f32[2,5,5]) fails: `update` is no longer than `input` along the axis",
        "tensor_scatter(f32[2,4,5], f32[2,2,5], i64[2,1]) fails: `write_indices` is a vector",
        "tensor_scatter(f32[2,4,5], f32[2,2,5], i64[1]) fails: `write_indices` has one value per batch entry",
        "tensor_scatter(f32[1,4,5], f32[1,2,5], i64[1]{-1}) fails: no write index is negative",
        "tensor_scatter(f32[1,4,5], f32[1,2,5], i64[1]{3}) fails: what is written ends within the axis",
        "tensor_scatter(f32[2,4,5], f64[2,2,5]) fails: `update` has the element type of `input`",
        "tensor_scatter(f32[2,4,5], f32[2,2,5], i32[2]) fails: `write_indices` is int64",
        "tensor_scatter(f32[2,4,5], f32[2,2,5], mode=ring) fails: `mode` is one of linear, circular",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, update) = (call.tensor("input")?, call.tensor("update")?);
    let starts = call.optional("write_indices");
    let rank = call.known_sizes(input)?.len();
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    call.insist(IllegalValue, "`axis` is not the batch axis", position(axis, rank) > 0)?;
    let circular = call.text("mode")? == "circular";
    let same_rank = update.shape().rank().eq(rank);
    call.demand(IncompatibleShape, "`update` has the rank of `input`", same_rank)?;
    let agree = update.shape().without(axis).same(input.shape().without(axis));
    call.require_shape("sizes agree outside the axis", agree);
    let (extent, length) = (input.shape().size(axis), update.shape().size(axis));
    call.require_shape("`update` is no longer than `input` along the axis", length.le(extent));
    if let Some(starts) = starts {
        let [count] = call.dims("`write_indices` is a vector", starts)?;
        let batch = input.shape().size(Front(0));
        call.require_shape("`write_indices` has one value per batch entry", count.eq(batch));
        call.require_of("no write index is negative", starts, |starts| {
            Prop::all(starts.iter().map(|at| at.ge(0)))
        });
        if !circular {
            call.require_of("what is written ends within the axis", starts, |starts| {
                Prop::all(starts.iter().map(|&at| (at + length).le(extent)))
            });
        }
    }

    one(Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let axis = position(axis, index.len());
        let start = starts.map_or(Dim::from(0), |starts| starts.at(&index[..1]).as_index());
        let offset = index[axis] - start;
        let mut source = index.to_vec();
        source[axis] = if circular { offset.modulo(extent) } else { offset };
        Element::when(source[axis].within(0, length), update.at(&source), input.at(index))
    }))
}
