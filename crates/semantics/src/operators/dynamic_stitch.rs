//! Puts rows together by their numbers.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "dynamic_stitch",
    summary: "The first half of the tensors are indices, the second rows: row `i` of the result is the one whose index is \
              `i`; of several the last.",
    inputs: &[tensor("tensors", COMMON).variadic()],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("DynamicStitch(tensors)"), tensorflow("ParallelDynamicStitch(tensors)")],
    define,
    examples: &[
        "dynamic_stitch(i32[2]{0,1}, i32[2]{5,6}) -> i32[2]{5,6}",
        "dynamic_stitch(i32[1]{1}, i32[]{0}, f32[1,2]{3,4}, f32[2]{5,6}) -> f32[2,2]{5,6,3,4}",
        "dynamic_stitch(i32[2]) fails: there are as many indices as rows",
        "dynamic_stitch(i32[2], f32[3]) fails: there is a row for each index",
        "dynamic_stitch(i32[1], i32[1], f32[1,2], f32[1,3]) fails: all rows have one shape",
        "dynamic_stitch(f32[2], f32[2]) fails: the indices are int32",
        "dynamic_stitch(i32[2], f8e4m3fn[2]) fails: `tensors` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let tensors = call.list("tensors");
    call.insist(IllegalValue, "there are as many indices as rows", tensors.len().is_multiple_of(2))?;
    let (indices, data) = tensors.split_at(tensors.len() / 2);
    let (indices, data) = (indices.to_vec(), data.to_vec());
    let mut inner: Option<Shape> = None;
    for (indices, data) in indices.iter().zip(&data) {
        call.require_kinds("the indices are int32", *indices, INT32);
        let Some(rank) = indices.shape().known_rank() else { continue };
        let rows = data.shape().first(rank as u32).same(indices.shape());
        call.demand(IncompatibleShape, "there is a row for each index", rows)?;
        let row = data.shape().trim(rank as u32, 0);
        let first = *inner.get_or_insert(row);
        call.require_shape("all rows have one shape", row.same(first));
    }
    let dtype = data[0].dtype();
    let (Some(rank), Some(_)) = (indices[0].shape().known_rank(), data[0].shape().known_rank()) else {
        return call.shapeless(dtype, "the rank of `data` is not known");
    };
    let row = data[0].shape().trim(rank as u32, 0);
    let count = most_of(call, &indices).unwrap_or_else(|| Dim::symbol("rows", 0, LARGEST_SIZE));
    let shape = Shape::new([count]).join(row);
    let pairs: Vec<(Tensor, Tensor)> = indices.into_iter().zip(data).collect();
    one(Tensor::from_elements(dtype, shape, move |index| stitched(&pairs, index)))
}

/// One more than the largest index, if all are known.
fn most_of(call: &Call, indices: &[Tensor]) -> Option<Dim> {
    let all: Option<Vec<Vec<Dim>>> = indices.iter().map(|&tensor| call.values(tensor)).collect();
    Some(all?.into_iter().flatten().fold(Dim::from(0), |most, index| most.max(index + 1)))
}

fn stitched(pairs: &[(Tensor, Tensor)], index: &[Dim]) -> Element {
    let kind = pairs[0].1.kind();
    let nothing = match kind.class() {
        Class::Bool => Element::bool(false),
        Class::Int => Element::int(kind, 0),
        _ => Element::constant(kind, 0.0),
    };
    pairs.iter().fold(nothing, |before, &(numbers, rows)| {
        let sizes = numbers.shape().sizes().unwrap_or_default();
        let count = Dim::product(sizes.iter().copied());
        // Where the row stands among the numbers, or -1.
        let found = Element::fold(Fold::Max, count + 1, |k| {
            let place = unflatten(k - 1, &sizes);
            let here =
                Element::when(k.ge(1), numbers.at(&place).cast(Kind::I64), Element::int(Kind::I64, -1));
            let hit = here.eq(Element::index(Kind::I64, index[0]));
            hit.select(Element::index(Kind::I64, k - 1), Element::int(Kind::I64, -1))
        });
        let at = found.as_index();
        let mut source = unflatten(at.max(0), &sizes);
        source.extend_from_slice(&index[1..]);
        Element::when(at.ge(0), rows.at(&source), before)
    })
}
