//! The values, weighted by how well their keys meet the query.

use super::prelude::*;
use crate::shared::attention::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Attention",
        summary: "The values, weighted by how well their keys meet the query.",
        inputs: &[
            QUERY,
            VALUE,
            KEY,
            tensor("scale", FLOAT).optional(),
            tensor("concat_score_weight", FLOAT).optional(),
            QUERY_MASK,
            VALUE_MASK,
        ],
        parameters: &[
            flag("use_scale").or_flag(false),
            word("score_mode", &["dot", "concat"]).or_word("dot"),
            RETURN_SCORES,
            CAUSAL,
        ],
        outputs: &["output", "scores"],
        spellings: &[],
        define,
        examples: &[
            "Attention(f32[N,5,3], f32[N,4,2], f32[N,4,3]) -> f32[N,5,2]",
            "Attention(f32[N,5,3], f32[N,4,3], return_attention_scores=true) -> f32[N,5,3], f32[N,5,4]",
            "Attention(f32[1,1,1]{0}, f32[1,2,1]{1,3}) -> f32[1,1,1]{2}",
            "Attention(f32[1,2,1]{0,0}, f32[1,2,1]{1,3}, use_causal_mask=true) -> f32[1,2,1]{1,2}",
            "Attention(f32[1,1,1]{0}, f32[1,2,1]{1,3}, value_mask=bool[1,2]{0,1}) -> f32[1,1,1]{3}",
            "Attention(f32[1,1,1]{0}, f32[1,2,1]{1,3}, query_mask=bool[1,1]{0}) -> f32[1,1,1]{0}",
            "Attention(f32[N,5,3], f32[N,4,3], use_scale=true, score_mode=concat) -> f32[N,5,3]",
            "Attention(f32[1,1,1]{0}, f32[1,2,1]{1,3}, query_mask=bool[2,1]{0,1}) -> f32[2,1,1]{0,2}",
            "Attention(f32[1,1,1]{0}, f32[1,2,1]{1,3}, value_mask=bool[2,2]{0,1,1,0}) -> f32[2,1,1]{3,1}",
            "Attention(f32[5,3]) fails: `value` is given",
            "Attention(f32[2,5,3], f32[4,3]) fails: `query`, `value` and `key` have a batch, times, and features",
            "Attention(f32[2,5,3], f32[3]) fails: `query`, `value` and `key` have at least 2 axes",
            "Attention(f32[5,3], f32[4,3]) fails: `query`, `value` and `key` have a batch, times, and features",
            "Attention(f32[2,5,3], f32[1,4,3]) fails: `query`, `value` and `key` have one batch",
            "Attention(f32[2,5,3], f32[2,4,2]) fails: `query` and `key` have as many features",
            "Attention(f32[2,5,3], f32[2,4,3], f32[2,6,3]) fails: `value` is as long as `key`",
            "Attention(f32[2,5,3], f32[3,4,3]) fails: the batches broadcast",
            "Attention(f32[2,5,3], f32[2,4,3], value_mask=bool[2,5]) fails: a mask has a truth for each time",
            "Attention(f32[2,5,3], f32[2,4,3], score_mode=sum) fails: `score_mode` is one of dot, concat",
            "Attention(f32[2,5,3], f32[2,4,3], scale=f32[1], use_scale=true) fails: a weight has as many axes as the layer gives it",
            "Attention(i32[2,3,4], f32[2,5,4]) -> f32[2,3,4]",
            "Attention(i32[2,3,4], i32[2,5,4], use_scale=true) -> f32[2,3,4]",
            "Attention(i32[2,3,4], i32[2,5,4]) fails: `query` is floating point",
            "Attention(i32[2,3,4], i32[2,5,4], score_mode=concat) -> f32[2,3,4]",
            "Attention(f32[2,3,4], i32[2,5,4], score_mode=concat) fails: `query`, `value` and `key` are all of floats, or none is",
            "Attention(f32[2,3,4], i32[2,5,4], score_mode=concat) on torch -> f32[2,3,4]",
        ],
    },
    takes: TAKES_LIST,
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let mut weights = Vec::new();
    if call.flag("use_scale")? {
        weights.push(weight("scale", Shape::scalar()));
    }
    if call.text("score_mode")? == "concat" {
        weights.push(weight("concat_score_weight", Shape::scalar()));
    }
    Ok(weights)
}

fn define(call: &mut Call) -> Outcome {
    if call.text("score_mode")? == "concat" {
        require_alike(call)?;
    } else {
        // Neither library has the exponentials of integers, which is what products of integers alone are.
        let is_met =
            call.tensors.iter().flatten().any(|tensor| tensor.dtype().known().is_none_or(Kind::is_float));
        require_floats(call, is_met || call.flag("use_scale")?)?;
    }
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let scale = if call.flag("use_scale")? { Some(call.tensor("scale")?) } else { None };
    let score = match call.text("score_mode")?.as_str() {
        "concat" => Score::Sum { inside: scale, outside: Some(call.tensor("concat_score_weight")?) },
        _ => Score::Products(scale),
    };
    attend(call, score)
}
