//! Picks slices by index tuples.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "gather_nd",
    summary: "Each row along the last axis of `indices` names a position in the leading axes of `input`, after \
              `batch_dims` axes that both share; the rest of `input` is taken there.",
    inputs: &[tensor("input", COMMON), tensor("indices", INT64)],
    parameters: &[int("batch_dims").or(0)],
    outputs: &["output"],
    spellings: &[
        onnx(11, "GatherND(input, indices)"),
        onnx(12, "GatherND(input, indices; batch_dims)"),
        tensorflow("GatherNd(input, indices; !bad_indices_policy)"),
    ],
    define,
    examples: &[
        "gather_nd(f32[5,4,3], i64[N,2]) -> f32[N,3]",
        "gather_nd(i32[2,2]{0,1,2,3}, i64[2,2]{0,0,1,-1}) -> i32[2]{0,3}",
        "gather_nd(i32[2,2,2]{0,1,2,3,4,5,6,7}, i64[2,1]{1,0}, batch_dims=1) -> i32[2,2]{2,3,4,5}",
        "gather_nd(f32[N,5,C], i64[N,7,1], batch_dims=1) -> f32[N,7,C]",
        "gather_nd(f32[2,3], i64[4,0]) -> f32[4,2,3]",
        "gather_nd(f32[], i64[1]) fails: `input` has at least one axis",
        "gather_nd(f32[2], i64[]) fails: `indices` has at least one axis",
        "gather_nd(f32[2,3], i64[2,3,1], batch_dims=2) fails: `batch_dims` is below the rank of both",
        "gather_nd(f32[2,3,4], i64[3,1], batch_dims=1) fails: `input` and `indices` have the same batch axes",
        "gather_nd(f32[2,3], i64[4,3]) fails: an index tuple is no longer than the rank of `input`",
        "gather_nd(f32[2,3], i64[1,1]{2}) fails: every index is within its axis",
        "gather_nd(f32[2,3], i32[1,1]) fails: `indices` is int64",
        "gather_nd(f8e4m3fn[5,4,3], i64[N,2]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, indices) = (call.tensor("input")?, call.tensor("indices")?);
    let (input_rank, index_rank) = (input.shape().rank(), indices.shape().rank());
    call.demand(IncompatibleShape, "`input` has at least one axis", input_rank.ge(1))?;
    call.demand(IncompatibleShape, "`indices` has at least one axis", index_rank.ge(1))?;
    let batch = call.int("batch_dims")?;
    let below = batch.ge(0) & batch.lt(input_rank) & batch.lt(index_rank);
    call.demand(IllegalValue, "`batch_dims` is below the rank of both", below)?;
    let tuple = indices.shape().size(Back(0));
    let short = (batch + tuple).le(input_rank);
    call.demand(IncompatibleShape, "an index tuple is no longer than the rank of `input`", short)?;

    call.promise(input.dtype(), Promised::AnyShape);
    let batch = call.positions("batch_dims", &[batch])?[0] as u32;
    let Ok(tuple) = call.positions("indices", &[tuple]) else {
        return Err(Stop::Unknown("the length of an index tuple is not known".into()));
    };
    let tuple = tuple[0] as u32;
    let agree = input.shape().first(batch).same(indices.shape().first(batch));
    call.require_shape("`input` and `indices` have the same batch axes", agree);
    let extents: Vec<Dim> = (0..tuple).map(|k| input.shape().size(Front(batch + k))).collect();
    require_tuples(call, indices, &extents);

    let shape = indices.shape().trim(0, 1).join(input.shape().trim(batch + tuple, 0));
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let outer = indices.shape().known_rank().unwrap_or(1) - 1;
        let mut source = index[..batch as usize].to_vec();
        for (k, &extent) in extents.iter().enumerate() {
            let mut entry = index[..outer].to_vec();
            entry.push(k.into());
            source.push(wrapped(indices.at(&entry), extent));
        }
        source.extend_from_slice(&index[outer..]);
        input.at(&source)
    }))
}

/// States that each entry of each index tuple is a position of its axis.
pub fn require_tuples(call: &mut Call, indices: Tensor, extents: &[Dim]) {
    if !extents.is_empty() {
        call.require_tuples("every index is within its axis", indices, extents);
    }
}
