//! Repeats a tensor side by side.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "tile",
    summary: "Puts copies of a tensor side by side, `repeats[k]` of them along axis `k`.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("repeats")],
    outputs: &["output"],
    spellings: &[onnx(6, "Tile(input, repeats)"), tensorflow("Tile(input, repeats)")],
    define,
    examples: &[
        "tile(f32[N,3], repeats=[2,M]) -> f32[2*N,3*M]",
        "tile(i64[2]{1,2}, repeats=[2]) -> i64[4]{1,2,1,2}",
        "tile(f32[2], repeats=[0]) -> f32[0]",
        "tile(f32[], repeats=[]) -> f32[]",
        "tile(f32[2,3], repeats=[2]) fails: `repeats` has one value per axis",
        "tile(f32[2], repeats=[-1]) fails: `repeats` is not negative",
        "tile(f8e4m3fn[N,3], repeats=[2,M]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let repeats = call.ints("repeats")?;
    let sizes = call.sizes("`repeats` has one value per axis", input, repeats.len())?;
    call.require_value("`repeats` is not negative", Prop::all(repeats.iter().map(|count| count.ge(0))));
    let shape = Shape::new(sizes.iter().zip(&repeats).map(|(&size, &count)| size * count));
    one(tiled(input, sizes.to_vec(), shape))
}

/// Copies of a tensor of these sizes side by side, as many as the shape has room for.
pub fn tiled(input: Tensor, sizes: Vec<Dim>, shape: Shape) -> Tensor {
    Tensor::from_elements(input.dtype(), shape, move |index| {
        let source = index.iter().zip(&sizes).map(|(at, &size)| at.modulo(size));
        input.at(&source.collect::<Vec<Dim>>())
    })
}
