//! The values, weighted by a sum over the features of query and key.

use super::prelude::*;
use crate::shared::attention::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AdditiveAttention",
        summary: "The values, weighted by a sum over the features of query and key.",
        inputs: &[QUERY, VALUE, KEY, tensor("scale", FLOAT).optional(), QUERY_MASK, VALUE_MASK],
        parameters: &[flag("use_scale").or_flag(true), RETURN_SCORES, CAUSAL],
        outputs: &["output", "scores"],
        spellings: &[],
        define,
        examples: &[
            "AdditiveAttention(f32[N,5,3], f32[N,4,2], f32[N,4,3]) -> f32[N,5,2]",
            "AdditiveAttention(f32[N,5,3], f32[N,4,3], use_scale=false, return_attention_scores=true) -> f32[N,5,3], f32[N,5,4]",
            "AdditiveAttention(f32[1,1,1]{0}, f32[1,2,1]{1,3}, f32[1,2,1]{0,0}, f32[1]{5}) -> f32[1,1,1]{2}",
            "AdditiveAttention(f32[1,2,1]{0,0}, f32[1,2,1]{1,3}, f32[1,2,1]{0,0}, use_scale=false, use_causal_mask=true) -> f32[1,2,1]{1,2}",
            "AdditiveAttention(f32[5,3]) fails: `value` is given",
            "AdditiveAttention(f32[1,2,5], f32[2,2,5], query_mask=bool[1,2]) fails: `query`, `value` and `key` have one batch",
            "AdditiveAttention(f32[1,2,5,3], f32[2,4,3], value_mask=bool[2,4], query_mask=bool[1,5]) fails: `query`, `value` and `key` have a batch, times, and features",
            "AdditiveAttention(f32[2,5,3], f32[4,3]) fails: `query`, `value` and `key` have a batch, times, and features",
            "AdditiveAttention(f32[2,5,3], f32[3]) fails: `query`, `value` and `key` have at least 2 axes",
            "AdditiveAttention(f32[2,5,3], f32[2,4,2]) fails: `query` and `key` have as many features",
            "AdditiveAttention(f32[2,5,3], f32[2,4,3], f32[2,6,3]) fails: `value` is as long as `key`",
            "AdditiveAttention(f32[5,3], f32[4,3], f32[4,3], f32[3]) fails: `query`, `value` and `key` have a batch, times, and features",
            "AdditiveAttention(f32[2,5,3], f32[3,4,3]) fails: the batches broadcast",
            "AdditiveAttention(f32[2,5,3], f32[2,4,3], value_mask=bool[2,5]) fails: a mask has a truth for each time",
            "AdditiveAttention(f32[2,5,3], f32[2,4,3], scale=f32[]) fails: a weight has as many axes as the layer gives it",
            "AdditiveAttention(f32[2,5,3], f32[2,4,3], scale=f32[4]) fails: a weight has the shape that the layer gives it",
            "AdditiveAttention(i32[2,3,4], f32[2,5,4]) on torch -> f32[2,3,4]",
            "AdditiveAttention(i32[2,3,4], i32[2,5,4]) -> f32[2,3,4]",
            "AdditiveAttention(i32[2,3,4], f32[2,5,4]) fails: `query`, `value` and `key` are all of floats, or none is",
        ],
    },
    takes: TAKES_LIST,
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    if !call.flag("use_scale")? {
        return Ok(Vec::new());
    }
    let query = call.tensor("query")?;
    call.demand(IncompatibleShape, AXES, query.shape().rank().ge(2))?;
    Ok(vec![weight("scale", Shape::new([query.shape().size(Back(0))]))])
}

fn define(call: &mut Call) -> Outcome {
    require_alike(call)?;
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let inside = if call.flag("use_scale")? { Some(call.tensor("scale")?) } else { None };
    attend(call, Score::Sum { inside, outside: None })
}
