//! Heads of queries attend in groups that share a head of keys and values.

use super::prelude::*;
use crate::shared::attention::*;
use crate::shared::heads::*;
use semantics::operator::Category::ToleratedValue;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GroupQueryAttention",
        summary: "Heads of queries attend in groups that share a head of keys and values.",
        inputs: HEAD_INPUTS,
        parameters: &[
            int("head_dim"),
            int("num_query_heads"),
            int("num_key_value_heads"),
            float("dropout").or_float(0.0),
            flag("use_bias").or_flag(true),
            int("sliding_window").optional(),
            flag("use_gate").or_flag(false),
            RETURN_SCORES,
            CAUSAL,
        ],
        outputs: &["output", "scores"],
        spellings: &[],
        define,
        examples: &[
            "GroupQueryAttention(f32[3,1,2], f32[3,4,2], key_mask=bool[1,1,4], attention_mask=bool[3,1,4], head_dim=1, num_query_heads=1, num_key_value_heads=1) fails: `attention_mask` broadcasts to queries and keys",
            "GroupQueryAttention(f32[N,5,3], f32[N,4,3], f32[N,4,2], head_dim=2, num_query_heads=4, num_key_value_heads=2, use_gate=true) -> f32[N,5,3]",
            "GroupQueryAttention(f32[N,5,3], f32[N,4,3], head_dim=2, num_query_heads=4, num_key_value_heads=2, use_bias=false, dropout=0.5, return_attention_scores=true) -> f32[N,5,3], f32[N,4,5,4]",
            "GroupQueryAttention(f32[N,5,3], f32[N,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=2, use_causal_mask=true, sliding_window=2) -> f32[N,5,3]",
            "GroupQueryAttention(f32[2,5,3], f32[2,4,3], attention_mask=bool[5,4], head_dim=2, num_query_heads=3, num_key_value_heads=1) -> f32[2,5,3]",
            "GroupQueryAttention(f32[2,5,3], f32[2,4,3], attention_mask=bool[2,3,5,4], head_dim=2, num_query_heads=3, num_key_value_heads=1) -> f32[2,5,3]",
            "GroupQueryAttention(f32[2,5,3], f32[2,4,3], value_mask=bool[4], head_dim=2, num_query_heads=3, num_key_value_heads=1) -> f32[2,5,3]",
            "GroupQueryAttention(f32[2,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: `value` is given",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], num_query_heads=2, num_key_value_heads=2) fails: `head_dim` is given",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_key_value_heads=2) fails: `num_query_heads` is given",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=2) fails: `num_key_value_heads` is given",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=0) fails: `head_dim` and `num_key_value_heads` are positive, `num_query_heads` is not negative",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=1, num_query_heads=0, num_key_value_heads=1) fails: there is a head of queries",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=0, num_key_value_heads=1) on torch fails: there is a head of queries",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=0, num_key_value_heads=1) fails: there is a head of queries, or `head_dim` is 1, or no bias",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=0, num_key_value_heads=1, use_bias=false) fails: there is a head of queries",
            "GroupQueryAttention(f32[2,5,3], f32[1,4,3], value_mask=bool[2,4], head_dim=2, num_query_heads=2, num_key_value_heads=1) on torch -> f32[2,5,3]",
            "GroupQueryAttention(f32[1,5,3], f32[2,4,3], head_dim=2, num_query_heads=2, num_key_value_heads=1, return_attention_scores=true) -> f32[2,5,3], f32[2,2,5,4]",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], attention_mask=bool[5], head_dim=2, num_query_heads=2, num_key_value_heads=1) fails: `attention_mask` has at least 2 axes: queries, and keys",
            "GroupQueryAttention(f32[2,5,3], f32[2,4,3], attention_mask=bool[2,4], head_dim=2, num_query_heads=3, num_key_value_heads=1) fails: `attention_mask` broadcasts to queries and keys",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=3, num_key_value_heads=2) fails: `num_key_value_heads` divides `num_query_heads`",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=2, sliding_window=0) fails: `sliding_window` is positive",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=2, dropout=2.0) fails: `dropout` lies between 0 and 1",
            "GroupQueryAttention(f32[2,3], f32[2,3], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: `query`, `value` and `key` have 3 axes: a batch, time, and features",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,4], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: `query` and `value` have as many features",
            "GroupQueryAttention(f32[2,5,3], f32[3,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: `query`, `value` and `key` have one batch",
            "GroupQueryAttention(f32[2,5,3], f32[2,4,3], f32[2,5,3], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: `value` is as long as `key`",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], value_mask=bool[2,4], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: a mask has a truth for each time",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], query_kernel=f32[3], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: a weight has as many axes as the layer gives it",
            "GroupQueryAttention(f32[2,5,3], f32[2,5,3], query_kernel=f32[3,2,3], head_dim=2, num_query_heads=2, num_key_value_heads=2) fails: a weight has the shape that the layer gives it",
            "GroupQueryAttention(i32[2,3,4], f32[2,5,4], head_dim=3, num_query_heads=2, num_key_value_heads=1) -> f32[2,3,4]",
            "GroupQueryAttention(i32[2,3,4], f32[2,5,4], head_dim=3, num_query_heads=2, num_key_value_heads=1) on torch fails: `query` is floating point",
        ],
    },
    takes: TAKES,
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let (each, heads, groups) =
        (call.int("head_dim")?, call.int("num_query_heads")?, call.int("num_key_value_heads")?);
    let positive = each.ge(1) & heads.ge(0) & groups.ge(1);
    let label = "`head_dim` and `num_key_value_heads` are positive, `num_query_heads` is not negative";
    call.demand(IllegalValue, label, positive)?;
    // No head at all works, sometimes with another shape than a build promises; on TensorFlow only where no bias is brought into another shape.
    if call.backend == Backend::TensorFlow && call.flag("use_bias")? {
        let label = "there is a head of queries, or `head_dim` is 1, or no bias";
        call.demand(IllegalValue, label, heads.ge(1) | each.eq(1))?;
    }
    call.require(ToleratedValue, "there is a head of queries", heads.ge(1));
    call.demand(IllegalValue, "`num_key_value_heads` divides `num_query_heads`", groups.divides(heads))?;
    let (query, value) = (call.tensor("query")?, call.tensor("value")?);
    let key = call.optional("key").unwrap_or(value);
    let three = Prop::all([query, value, key].map(|tensor| tensor.shape().rank().eq(3)));
    let label = "`query`, `value` and `key` have 3 axes: a batch, time, and features";
    call.demand(IncompatibleShape, label, three)?;
    let features = |tensor: Tensor| tensor.shape().size(Back(0));
    call.require_shape("`query` and `value` have as many features", features(query).eq(features(value)));
    let mut all = vec![
        ("query_kernel", "query_bias", vec![features(query), heads, each], 1),
        ("key_kernel", "key_bias", vec![features(key), groups, each], 1),
    ];
    if call.flag("use_gate")? {
        all.push(("gate_kernel", "gate_bias", vec![features(query), heads, each], 1));
    }
    all.push(("value_kernel", "value_bias", vec![features(value), groups, each], 1));
    let last = vec![heads, each, features(query)];
    all.push(("attention_output_kernel", "attention_output_bias", last, 2));
    projections(call, all)
}

fn define(call: &mut Call) -> Outcome {
    let taken = call.backend == Backend::TensorFlow;
    require_floats(call, taken)?;
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let (query, value) = (call.tensor("query")?, call.tensor("value")?);
    let key = call.optional("key").unwrap_or(value);
    let size = |tensor: Tensor, axis: u32| tensor.shape().size(Front(axis));
    let scores = call.flag("return_attention_scores")?;
    let fused = !scores && call.float("dropout")? <= 0.0;
    // TensorFlow broadcasts where it multiplies matrices, PyTorch everywhere.
    let broadcasts = call.backend == Backend::Torch || !fused;
    let batches = [query, key, value].map(|tensor| Shape::new([size(tensor, 0)]));
    let (both, fits) = batches[0].broadcast(batches[1]);
    let same = batches[0].same(batches[1]) & batches[0].same(batches[2]);
    let one_batch = same | (Prop::from(broadcasts) & fits & both.broadcast(batches[2]).1);
    call.demand(IncompatibleShape, "`query`, `value` and `key` have one batch", one_batch)?;
    call.require_shape("`value` is as long as `key`", size(value, 1).eq(size(key, 1)));
    let each = call.positions("head_dim", &[call.int("head_dim")?])?[0];
    let (heads, groups) = (call.int("num_query_heads")?, call.int("num_key_value_heads")?);
    let shared = |tensor: Tensor| {
        let sizes = tensor.shape().sizes().unwrap_or_default();
        let shape = Shape::new([sizes[0], sizes[1], heads, sizes[3]]);
        let repeats = heads.div_floor(groups);
        Tensor::from_elements(tensor.dtype(), shape, move |index| {
            tensor.at(&[index[0], index[1], index[2].div_floor(repeats), index[3]])
        })
    };
    let mut heads = Heads {
        query: projected_by(call, query, "query_kernel", "query_bias")?,
        key: shared(projected_by(call, key, "key_kernel", "key_bias")?),
        value: shared(projected_by(call, value, "value_kernel", "value_bias")?),
        axes: vec![1],
        scale: 1.0 / (each as f64).sqrt(),
        fused,
        mask: None,
    };
    heads.mask = joint_mask(call, &heads)?;
    let (got, weights) = in_heads(heads);
    outputs(call, query, got, weights)
}
