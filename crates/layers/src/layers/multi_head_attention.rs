//! Several heads attend, each in its own way, and what they get is put together.

use super::prelude::*;
use crate::shared::attention::*;
use crate::shared::heads::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "MultiHeadAttention",
        summary: "Several heads attend, each in its own way, and what they get is put together.",
        inputs: HEAD_INPUTS,
        parameters: &[
            int("num_heads"),
            int("key_dim"),
            int("value_dim").optional(),
            float("dropout").or_float(0.0),
            flag("use_bias").or_flag(true),
            ints("output_shape").optional(),
            ints("attention_axes").optional(),
            int("sliding_window").optional(),
            flag("use_gate").or_flag(false),
            RETURN_SCORES,
            CAUSAL,
        ],
        outputs: &["output", "scores"],
        spellings: &[],
        define,
        examples: &[
            "MultiHeadAttention(f32[N,5,3], f32[N,4,6], num_heads=2, key_dim=4) -> f32[N,5,3]",
            "MultiHeadAttention(f32[N,5,3], f32[N,4,6], f32[N,4,2], num_heads=2, key_dim=4, value_dim=1, output_shape=[7], use_bias=false, use_gate=true) -> f32[N,5,7]",
            "MultiHeadAttention(f32[N,5,3], f32[N,4,3], num_heads=2, key_dim=4, return_attention_scores=true, use_causal_mask=true, dropout=0.5) -> f32[N,5,3], f32[N,2,5,4]",
            "MultiHeadAttention(f32[N,5,6,3], f32[N,5,6,3], num_heads=2, key_dim=4, attention_axes=[2]) -> f32[N,5,6,3]",
            "MultiHeadAttention(f32[N,5,3], f32[N,5,3], attention_mask=bool[N,5,5], num_heads=1, key_dim=1, sliding_window=2) -> f32[N,5,3]",
            "MultiHeadAttention(f32[1,1,1]{0}, f32[1,2,1]{1,3}, _, f32[1,1,1]{1}, f32[1,1]{0}, f32[1,1,1]{1}, f32[1,1]{0}, _, _, f32[1,1,1]{1}, f32[1,1]{0}, f32[1,1,1]{1}, f32[1]{10}, num_heads=1, key_dim=1) -> f32[1,1,1]{12}",
            "MultiHeadAttention(f32[2,5,3], f32[2,4,3], attention_mask=bool[5,4], num_heads=3, key_dim=2) -> f32[2,5,3]",
            "MultiHeadAttention(f32[2,5,3], f32[2,4,3], attention_mask=bool[2,3,5,4], num_heads=3, key_dim=2) -> f32[2,5,3]",
            "MultiHeadAttention(f32[2,5,3], f32[2,4,3], value_mask=bool[4], num_heads=3, key_dim=2) -> f32[2,5,3]",
            "MultiHeadAttention(f32[2,5,3], num_heads=1, key_dim=1) fails: `value` is given",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], key_dim=1) fails: `num_heads` is given",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1) fails: `key_dim` is given",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=0, key_dim=1) fails: `num_heads`, `key_dim` and `value_dim` are positive",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1, key_dim=1, sliding_window=0) fails: `sliding_window` is positive",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1, key_dim=1, attention_axes=[7]) fails: `attention_axes` are axes before the features of heads",
            "MultiHeadAttention(f32[2,5,3], f32[2,4,3], num_heads=1, key_dim=1, attention_axes=[3]) -> f32[2,5,3]",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=4, key_dim=1, attention_axes=[-1], dropout=0.5) -> f32[2,5,3]",
            "MultiHeadAttention(f32[2,5,3], f32[3,5,3], num_heads=4, key_dim=1, attention_axes=[0], dropout=0.5) fails: `attention_axes` are not the batch",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1, key_dim=1, dropout=0.5, attention_axes=[1,1]) fails: no axis is attended along twice",
            "MultiHeadAttention(f32[2,5,6,3], f32[2,5,6,3], num_heads=1, key_dim=1, use_causal_mask=true) fails: a mask is for one of `attention_axes`",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1, key_dim=1, attention_axes=[1,2], use_causal_mask=true) fails: a mask is for one of `attention_axes`",
            "MultiHeadAttention(f32[2,5,6,3], f32[2,5,6,3], num_heads=1, key_dim=1, attention_axes=[2], use_causal_mask=true) fails: what is masked by its place lies along the second axis",
            "MultiHeadAttention(f32[2,5,6,3], f32[2,4,6,3], num_heads=1, key_dim=1, attention_axes=[1], use_causal_mask=true) -> f32[2,5,6,3]",
            "MultiHeadAttention(f32[1,5,3], f32[2,4,3], num_heads=1, key_dim=1) on torch fails: places that are by themselves are equally many",
            "MultiHeadAttention(f32[1,5,3], f32[2,4,3], num_heads=1, key_dim=1, dropout=0.5) fails: places that are by themselves are equally many",
            "MultiHeadAttention(f32[1,5,3], f32[2,4,3], num_heads=1, key_dim=1) fails: places that are by themselves are as many in `query`, `value` and `key`",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1, key_dim=1, dropout=2.0) fails: `dropout` lies between 0 and 1",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], num_heads=1, key_dim=1, output_shape=[0]) fails: `output_shape` is positive",
            "MultiHeadAttention(f32[2,3], f32[2,5,3], num_heads=1, key_dim=1) fails: `query`, `value` and `key` have one rank, at least 2",
            "MultiHeadAttention(f32[2,3], f32[2,3], num_heads=2, key_dim=4, attention_axes=[1]) fails: `query`, `value` and `key` have a batch, times, and features",
            "MultiHeadAttention(f32[N,5,6,3], f32[N,5,6,3], num_heads=2, key_dim=4, attention_axes=[2], return_attention_scores=true) fails: scores are asked for along all axes but the batch and the features, as a symbolic build supposes",
            "MultiHeadAttention(f32[2,5,3], f32[3,5,3], num_heads=1, key_dim=1) fails: places that are by themselves are as many in `query`, `value` and `key`",
            "MultiHeadAttention(f32[2,5,3], f32[2,4,3], f32[2,5,3], num_heads=1, key_dim=1) fails: `value` is as long as `key`",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], value_mask=bool[2,4], num_heads=1, key_dim=1) fails: a mask has a truth for each time",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], attention_mask=bool[5], num_heads=1, key_dim=1) fails: `attention_mask` has at least 2 axes: queries, and keys",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], attention_mask=bool[2,5,4], num_heads=1, key_dim=1) fails: `attention_mask` broadcasts to queries and keys",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], query_kernel=f32[3], num_heads=1, key_dim=1) fails: a weight has as many axes as the layer gives it",
            "MultiHeadAttention(f32[2,5,4,3], f32[2,5,4,3], num_heads=1, key_dim=1, attention_axes=[]) fails: there is an axis to attend along",
            "MultiHeadAttention(f32[2,5,4,3], f32[2,5,4,3], num_heads=1, key_dim=1, attention_axes=0) fails: `attention_axes` are not the batch",
            "MultiHeadAttention(f32[2,5,4,3], f32[2,5,1,3], num_heads=1, key_dim=1, attention_axes=1) on torch fails: places that are by themselves are equally many",
            "MultiHeadAttention(f32[2,5,3], f32[2,5,3], query_kernel=f32[3,1,2], num_heads=1, key_dim=1) fails: a weight has the shape that the layer gives it",
            "MultiHeadAttention(i32[2,3,4], f32[2,5,4], num_heads=2, key_dim=3) -> f32[2,3,4]",
            "MultiHeadAttention(i32[2,3,4], f32[2,5,4], num_heads=2, key_dim=3) on torch fails: `query` is floating point",
        ],
    },
    takes: TAKES,
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let (heads, each) = (call.int("num_heads")?, call.int("key_dim")?);
    let own = call.optional_int("value_dim")?.unwrap_or(each);
    let label = "`num_heads`, `key_dim` and `value_dim` are positive";
    call.demand(IllegalValue, label, heads.ge(1) & each.ge(1) & own.ge(1))?;
    let (query, value) = (call.tensor("query")?, call.tensor("value")?);
    let key = call.optional("key").unwrap_or(value);
    let ranks = [query, value, key].map(|tensor| tensor.shape().rank());
    let label = "`query`, `value` and `key` have one rank, at least 2";
    let fits = ranks[0].ge(2) & ranks[0].eq(ranks[1]) & ranks[0].eq(ranks[2]);
    call.demand(IncompatibleShape, label, fits)?;
    // Keras does not look; masks then lie along other axes than they are made for.
    let label = "`query`, `value` and `key` have a batch, times, and features";
    call.require(ToleratedValue, label, ranks[0].ge(3));
    let stated = call.optional_ints("output_shape")?.filter(|sizes| {
        // A bare 0 says nothing.
        let listed = call.is_list("output_shape") && !sizes.is_empty();
        listed || sizes.iter().any(|size| size.known() != Some(0))
    });
    if let Some(sizes) = &stated {
        let positive = Prop::all(sizes.iter().map(|size| size.ge(1)));
        call.demand(IllegalValue, "`output_shape` is positive", positive)?;
    }
    let output = stated.unwrap_or_else(|| vec![query.shape().size(Back(0))]);
    let features = |tensor: Tensor| tensor.shape().size(Back(0));
    let mut all = vec![
        ("query_kernel", "query_bias", vec![features(query), heads, each], 1),
        ("key_kernel", "key_bias", vec![features(key), heads, each], 1),
    ];
    if call.flag("use_gate")? {
        all.push(("gate_kernel", "gate_bias", vec![features(query), heads, own], 1));
    }
    all.push(("value_kernel", "value_bias", vec![features(value), heads, own], 1));
    let last = [heads, own].into_iter().chain(output).collect();
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
    let sizes = call.known_sizes(query)?;
    let rank = sizes.len();
    let scores = call.flag("return_attention_scores")?;
    let fused = rank == 3 && !scores && call.float("dropout")? <= 0.0;
    let given = match call.optional_ints("attention_axes")? {
        None => (1..rank - 1).collect(),
        Some(axes) => {
            let axes = call.positions("attention_axes", &axes)?;
            // From the back they are counted from the axis of heads, which comes before the new features.
            let axes: Vec<i64> =
                axes.iter().map(|&axis| if axis < 0 { axis + rank as i64 } else { axis }).collect();
            // In three axes it is always the second that is attended along, unless the scores are needed.
            let last = rank + usize::from(fused);
            let within = axes.iter().all(|axis| (0..last as i64).contains(axis));
            call.insist(IllegalValue, "`attention_axes` are axes before the features of heads", within)?;
            let once = (1..axes.len()).all(|k| !axes[..k].contains(&axes[k]));
            call.insist(IllegalValue, "no axis is attended along twice", once || fused)?;
            let label = "`attention_axes` are not the batch";
            call.require(ToleratedValue, label, (!axes.contains(&0)).into());
            axes.iter().map(|&axis| axis as usize).collect::<Vec<usize>>()
        }
    };
    call.insist(IllegalValue, "there is an axis to attend along", !given.is_empty() || fused)?;
    let label =
        "scores are asked for along all axes but the batch and the features, as a symbolic build supposes";
    call.require(UnsupportedValue, label, (!scores || given.iter().copied().eq(1..rank - 1)).into());
    let masked = is_masked(call)?;
    call.insist(IllegalValue, "a mask is for one of `attention_axes`", given.len() == 1 || !masked)?;
    let axes = if fused { vec![1] } else { given };
    let (keys, values) = (call.known_sizes(key)?, call.known_sizes(value)?);
    // TensorFlow broadcasts where it multiplies matrices, PyTorch everywhere.
    let broadcasts = call.backend == Backend::Torch || !fused && rank == 3 && axes == [1];
    let alone = || (0..rank - 1).filter(|axis| !axes.contains(axis));
    let same = |axis: usize| sizes[axis].eq(keys[axis]) & sizes[axis].eq(values[axis]);
    let alike = alone().map(|axis| {
        let each = [sizes[axis], keys[axis], values[axis]].map(|size| Shape::new([size]));
        let (both, fits) = each[0].broadcast(each[1]);
        same(axis) | (Prop::from(broadcasts) & fits & both.broadcast(each[2]).1)
    });
    let label = "places that are by themselves are as many in `query`, `value` and `key`";
    call.demand(IncompatibleShape, label, Prop::all(alike))?;
    // What is broadcast is told with another shape by a symbolic build.
    let label = "places that are by themselves are equally many";
    call.require(ToleratedValue, label, Prop::all(alone().map(same)));
    let along = (0..rank - 1).filter(|axis| *axis > 0 || axes.contains(axis));
    let long = Prop::all(along.map(|axis| keys[axis].eq(values[axis])));
    call.require_shape("`value` is as long as `key`", long);
    let each = call.positions("key_dim", &[call.int("key_dim")?])?[0];
    let mut heads = Heads {
        query: projected_by(call, query, "query_kernel", "query_bias")?,
        key: projected_by(call, key, "key_kernel", "key_bias")?,
        value: projected_by(call, value, "value_kernel", "value_bias")?,
        axes,
        scale: 1.0 / (each as f64).sqrt(),
        fused,
        mask: None,
    };
    heads.mask = joint_mask(call, &heads)?;
    let (got, weights) = in_heads(heads);
    outputs(call, query, got, weights)
}
