//! The row of a table for each index; reversed, how much vectors agree with each row.

use super::prelude::*;
use crate::shared::table;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ReversibleEmbedding",
        summary: "The row of a table for each index; reversed, how much vectors agree with each row.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("embeddings", FLOAT).optional(),
            tensor("reverse_embeddings", FLOAT).optional(),
        ],
        parameters: &[
            int("input_dim"),
            int("output_dim"),
            flag("tie_weights").or_flag(true),
            flag("mask_zero").or_flag(false),
            float("logit_soft_cap").optional(),
            flag("reverse").or_flag(false),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "ReversibleEmbedding(i32[N,7], f32[10,4], input_dim=10, output_dim=4) -> f32[N,7,4]",
            "ReversibleEmbedding(i64[1]{1}, f32[2,1]{5,6}, input_dim=2, output_dim=1) -> f32[1,1]{6}",
            "ReversibleEmbedding(f32[1,2]{1,2}, f32[1,2]{3,4}, input_dim=1, output_dim=2, reverse=true) -> f32[1,1]{11}",
            "ReversibleEmbedding(f32[N,2], input_dim=3, output_dim=2, tie_weights=false, reverse=true, logit_soft_cap=2) -> f32[N,3]",
            "ReversibleEmbedding(f32[N,3], input_dim=3, output_dim=2, reverse=true) fails: the last axis of `inputs` is as long as a row of the table",
            "ReversibleEmbedding(f32[], input_dim=3, output_dim=2, reverse=true) fails: `inputs` has features",
            "ReversibleEmbedding(i32[2], input_dim=0, output_dim=4) fails: `input_dim` and `output_dim` are positive",
            "ReversibleEmbedding(i32[2], f32[3], input_dim=3, output_dim=4) fails: a weight has as many axes as the layer gives it",
            "ReversibleEmbedding(i32[2], f32[3,5], input_dim=3, output_dim=4) fails: a weight has the shape that the layer gives it",
            "ReversibleEmbedding(i64[1]{2}, f32[2,1], input_dim=2, output_dim=1) fails: every index is a row of the table",
            "ReversibleEmbedding(f32[1]{1.5}, f32[2,1], input_dim=2, output_dim=1) fails: every index is a whole number",
            "ReversibleEmbedding(i64[1], output_dim=1) fails: `input_dim` is given",
            "ReversibleEmbedding(i64[1], input_dim=1) fails: `output_dim` is given",
        ],
    },
    takes: &["inputs", "reverse"],
    weights,
    mask: Mask::Made(When::SetWithout("mask_zero", "reverse"), |call| {
        let input = call.tensor("inputs")?;
        one(map(input, Kind::Bool, |x| x.ne(0.0)))
    }),
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let (rows, columns) = (call.int("input_dim")?, call.int("output_dim")?);
    call.demand(IllegalValue, "`input_dim` and `output_dim` are positive", rows.ge(1) & columns.ge(1))?;
    let mut weights = vec![weight("embeddings", Shape::new([rows, columns]))];
    if !call.flag("tie_weights")? {
        weights.push(weight("reverse_embeddings", Shape::new([columns, rows])));
    }
    Ok(weights)
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let (input, embeddings) = (call.tensor("inputs")?, call.tensor("embeddings")?);
    let (rows, columns) = (call.int("input_dim")?, call.int("output_dim")?);
    if call.flag("reverse")? {
        return reversed(call, input, embeddings, rows, columns);
    }
    table::require_rows(call, input, rows);
    one(Tensor::from_elements(embeddings.dtype(), input.shape().followed_by([columns]), move |index| {
        let (place, column) = index.split_at(index.len() - 1);
        embeddings.at(&[wrapped(input.at(place).cast(Kind::I64), rows), column[0]])
    }))
}

fn reversed(call: &mut Call, input: Tensor, table: Tensor, rows: Dim, columns: Dim) -> Outcome {
    let rank = call.known_sizes(input)?.len();
    call.insist(IncompatibleShape, "`inputs` has features", rank > 0)?;
    let label = "the last axis of `inputs` is as long as a row of the table";
    call.demand(IncompatibleShape, label, input.shape().size(Back(0)).eq(columns))?;
    let own = if call.flag("tie_weights")? { None } else { Some(call.tensor("reverse_embeddings")?) };
    let cap = call.optional_float("logit_soft_cap")?;
    let (kind, shape) = (table.kind(), input.shape().with_size(Back(0), rows));
    one(Tensor::from_elements(table.dtype(), shape, move |index| {
        let (place, row) = index.split_at(index.len() - 1);
        let logit = Element::fold(Fold::Sum, columns, |column| {
            let weight = own.map_or_else(|| table.at(&[row[0], column]), |own| own.at(&[column, row[0]]));
            let place: Vec<Dim> = place.iter().copied().chain([column]).collect();
            input.at(&place).cast(kind) * weight
        });
        cap.map_or(logit, |cap| (logit / cap).tanh() * cap)
    }))
}
