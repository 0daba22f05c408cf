//! The row of a table for each index.

use super::prelude::*;
use crate::shared::table;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Embedding",
        summary: "The row of a table for each index.",
        inputs: &[tensor("inputs", REAL_OR_BOOL), tensor("embeddings", FLOAT).optional()],
        parameters: &[int("input_dim"), int("output_dim"), flag("mask_zero").or_flag(false)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Embedding(f32[1]{nan}, input_dim=2, output_dim=1) fails: every index is a row of the table",
            "Embedding(i32[N,7], f32[10,4], input_dim=10, output_dim=4) -> f32[N,7,4]",
            "Embedding(i64[1]{1}, f32[2,1]{5,6}, input_dim=2, output_dim=1) -> f32[1,1]{6}",
            "Embedding(i32[2], input_dim=0, output_dim=4) fails: `input_dim` and `output_dim` are positive",
            "Embedding(i32[2], f32[3], input_dim=3, output_dim=4) fails: a weight has as many axes as the layer gives it",
            "Embedding(i32[2], f32[3,5], input_dim=3, output_dim=4) fails: a weight has the shape that the layer gives it",
            "Embedding(i64[1]{2}, f32[2,1], input_dim=2, output_dim=1) fails: every index is a row of the table",
            "Embedding(f32[1]{1}, f32[2,1]{5,6}, input_dim=2, output_dim=1) -> f32[1,1]{6}",
            "Embedding(f32[1]{1.5}, f32[2,1]{5,6}, input_dim=2, output_dim=1) fails: every index is a whole number",
            "Embedding(i64[1], output_dim=1) fails: `input_dim` is given",
            "Embedding(i64[1], input_dim=1) fails: `output_dim` is given",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Made(When::Set("mask_zero"), |call| {
        let input = call.tensor("inputs")?;
        one(map(input, Kind::Bool, |x| x.ne(0.0)))
    }),
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let (rows, columns) = (call.int("input_dim")?, call.int("output_dim")?);
    call.demand(IllegalValue, "`input_dim` and `output_dim` are positive", rows.ge(1) & columns.ge(1))?;
    Ok(vec![weight("embeddings", Shape::new([rows, columns]))])
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let (input, embeddings) = (call.tensor("inputs")?, call.tensor("embeddings")?);
    let rows = call.int("input_dim")?;
    table::require_rows(call, input, rows);
    let shape = input.shape().followed_by([call.int("output_dim")?]);
    one(Tensor::from_elements(embeddings.dtype(), shape, move |index| {
        let (place, column) = index.split_at(index.len() - 1);
        embeddings.at(&[wrapped(input.at(place).cast(Kind::I64), rows), column[0]])
    }))
}
