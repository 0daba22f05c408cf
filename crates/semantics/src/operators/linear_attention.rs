//! Attention as a recurrence over a matrix-valued state.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "linear_attention",
    summary: "Token by token, adds key times value to a state per key head and reads it with the query. The state may \
              decay first (a gated rule), and only what it does not know yet may be added (a delta rule).",
    inputs: &[
        tensor("query", SHORT_FLOAT),
        tensor("key", SHORT_FLOAT).like("query"),
        tensor("value", SHORT_FLOAT).like("query"),
        tensor("past_state", SHORT_FLOAT).optional(),
        tensor("decay", SHORT_FLOAT).like("query").optional(),
        tensor("beta", SHORT_FLOAT).like("query").optional(),
    ],
    parameters: &[
        int("query_heads"),
        int("key_heads"),
        float("scale").or_float(0.0),
        word("update_rule", &["linear", "gated", "delta", "gated_delta"]).or_word("gated_delta"),
    ],
    outputs: &["output", "present_state"],
    spellings: &[onnx(
        27,
        "LinearAttention(query, key, value, past_state, decay, beta; q_num_heads as query_heads, \
         kv_num_heads as key_heads, scale, update_rule, !chunk_size)",
    )],
    define,
    examples: &[
        "linear_attention(f32[N,T,64], f32[N,T,32], f32[N,T,16], query_heads=8, key_heads=4, update_rule=linear) -> f32[N,T,32], f32[N,4,8,4]",
        "linear_attention(f16[2,1,32], f16[2,1,32], f16[2,1,32], f32[2,4,8,8], f16[2,1,32], f16[2,1,4], query_heads=4, key_heads=4) -> f16[2,1,32], f32[2,4,8,8]",
        "linear_attention(f32[1,2,1]{2,3}, f32[1,2,1]{1,1}, f32[1,2,1]{5,7}, query_heads=1, key_heads=1, update_rule=linear) -> f32[1,2,1]{10,36}, f32[1,1,1,1]{12}",
        "linear_attention(f32[1,2,1]{1,1}, f32[1,2,1]{1,1}, f32[1,2,1]{5,7}, _, _, f32[1,2,1]{1,0.5}, query_heads=1, key_heads=1, update_rule=delta) -> f32[1,2,1]{5,6}, f32[1,1,1,1]{6}",
        "linear_attention(f32[1,1,1]{1}, f32[1,1,1]{1}, f32[1,1,1]{2}, f32[1,1,1,1]{4}, f32[1,1,1]{0}, query_heads=1, key_heads=1, scale=0.5, update_rule=gated) -> f32[1,1,1]{3}, f32[1,1,1,1]{6}",
        "linear_attention(f32[2,4], f32[2,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `query` has three axes",
        "linear_attention(f32[2,4,8], f32[4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `key` has three axes",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `value` has three axes",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], query_heads=0, key_heads=2, update_rule=linear) fails: `query_heads` is positive",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], query_heads=2, key_heads=0, update_rule=linear) fails: `key_heads` is positive",
        "linear_attention(f32[2,4,12], f32[2,4,8], f32[2,4,8], query_heads=3, key_heads=2, update_rule=linear) fails: the number of key heads divides that of query heads",
        "linear_attention(f32[2,4,9], f32[2,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `query_heads` divides the last axis of `query`",
        "linear_attention(f32[2,4,8], f32[2,4,9], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `key_heads` divides the last axis of `key`",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,9], query_heads=2, key_heads=2, update_rule=linear) fails: `key_heads` divides the last axis of `value`",
        "linear_attention(f32[2,4,8], f32[1,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `query`, `key` and `value` have one batch size",
        "linear_attention(f32[2,4,8], f32[2,3,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `query`, `key` and `value` have one length",
        "linear_attention(f32[2,4,8], f32[2,4,6], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `query` and `key` have one head size",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], f32[2,2,4,3], query_heads=2, key_heads=2, update_rule=linear) fails: `past_state` has the shape of the state",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=gated) fails: `decay` is given if, and only if, the rule is gated",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, f32[2,4,2], query_heads=2, key_heads=2, update_rule=linear) fails: `decay` is given if, and only if, the rule is gated",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=delta) fails: `beta` is given if, and only if, the rule is a delta rule",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, f32[4,2], query_heads=2, key_heads=2, update_rule=gated) fails: `decay` has three axes",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, f32[2,3,2], query_heads=2, key_heads=2, update_rule=gated) fails: `decay` has one row per token",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, f32[2,4,3], query_heads=2, key_heads=2, update_rule=gated) fails: `decay` has one value per key head or per entry of a key",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, _, f32[4,2], query_heads=2, key_heads=2, update_rule=delta) fails: `beta` has three axes",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, _, f32[2,3,2], query_heads=2, key_heads=2, update_rule=delta) fails: `beta` has one row per token",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, _, f32[2,4,3], query_heads=2, key_heads=2, update_rule=delta) fails: `beta` has one value per key head, or one",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=softmax) fails: `update_rule` is one of linear, gated, delta, gated_delta",
        "linear_attention(f64[2,4,8], f64[2,4,8], f64[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `query` is float32 or half precision",
        "linear_attention(f32[2,4,8], f16[2,4,8], f32[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `key` has the element type of `query`",
        "linear_attention(f32[2,4,8], f32[2,4,8], f16[2,4,8], query_heads=2, key_heads=2, update_rule=linear) fails: `value` has the element type of `query`",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], f64[2,2,4,4], query_heads=2, key_heads=2, update_rule=linear) fails: `past_state` is float32 or half precision",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, f16[2,4,2], query_heads=2, key_heads=2, update_rule=gated) fails: `decay` has the element type of `query`",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], _, _, f16[2,4,2], query_heads=2, key_heads=2, update_rule=delta) fails: `beta` has the element type of `query`",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], key_heads=2) fails: `query_heads` is given",
        "linear_attention(f32[2,4,8], f32[2,4,8], f32[2,4,8], query_heads=2) fails: `key_heads` is given",
    ],
};

const SHORT_FLOAT: TypeSet =
    TypeSet { name: "float32 or half precision", kinds: &[Kind::F32, Kind::F16, Kind::BF16] };

fn define(call: &mut Call) -> Outcome {
    let (query, key, value) = (call.tensor("query")?, call.tensor("key")?, call.tensor("value")?);
    let (past, decay, beta) = (call.optional("past_state"), call.optional("decay"), call.optional("beta"));
    let (query_heads, key_heads) = (call.int("query_heads")?, call.int("key_heads")?);
    let (rule, scale) = (call.text("update_rule")?, call.float("scale")?);
    let [batch, tokens, query_width] = call.dims("`query` has three axes", query)?;
    let [key_batch, key_tokens, key_width] = call.dims("`key` has three axes", key)?;
    let [value_batch, value_tokens, value_width] = call.dims("`value` has three axes", value)?;
    call.demand(IllegalValue, "`query_heads` is positive", query_heads.ge(1))?;
    call.demand(IllegalValue, "`key_heads` is positive", key_heads.ge(1))?;
    let shared = key_heads.divides(query_heads);
    call.require_value("the number of key heads divides that of query heads", shared);
    call.require_shape("`query_heads` divides the last axis of `query`", query_heads.divides(query_width));
    call.require_shape("`key_heads` divides the last axis of `key`", key_heads.divides(key_width));
    call.require_shape("`key_heads` divides the last axis of `value`", key_heads.divides(value_width));
    let one_batch = batch.eq(key_batch) & batch.eq(value_batch);
    call.require_shape("`query`, `key` and `value` have one batch size", one_batch);
    let one_length = tokens.eq(key_tokens) & tokens.eq(value_tokens);
    call.require_shape("`query`, `key` and `value` have one length", one_length);
    let (key_size, value_size) = (query_width.div_floor(query_heads), value_width.div_floor(key_heads));
    call.require_shape("`query` and `key` have one head size", key_size.eq(key_width.div_floor(key_heads)));
    let state = Shape::new([batch, key_heads, key_size, value_size]);
    if let Some(past) = past {
        call.require_shape("`past_state` has the shape of the state", past.shape().same(state));
    }
    let (gated, delta) = (rule.starts_with("gated"), rule.ends_with("delta"));
    call.insist(
        IllegalValue,
        "`decay` is given if, and only if, the rule is gated",
        decay.is_some() == gated,
    )?;
    call.insist(
        IllegalValue,
        "`beta` is given if, and only if, the rule is a delta rule",
        beta.is_some() == delta,
    )?;
    if let Some(decay) = decay {
        let [rows, columns, width] = call.dims("`decay` has three axes", decay)?;
        call.require_shape("`decay` has one row per token", rows.eq(batch) & columns.eq(tokens));
        let fits = width.eq(key_heads) | width.eq(key_heads * key_size);
        call.require_shape("`decay` has one value per key head or per entry of a key", fits);
    }
    if let Some(beta) = beta {
        let [rows, columns, width] = call.dims("`beta` has three axes", beta)?;
        call.require_shape("`beta` has one row per token", rows.eq(batch) & columns.eq(tokens));
        let fits = width.eq(key_heads) | width.eq(1);
        call.require_shape("`beta` has one value per key head, or one", fits);
    }

    let state_type = past.map_or(query.dtype(), Tensor::dtype);
    let outputs =
        [(query.dtype(), Shape::new([batch, tokens, query_heads * value_size])), (state_type, state)];
    // How the last axes fall into heads must be a number before anything can be computed.
    let Ok(heads) = call.positions("query_heads", &[query_heads, key_heads]) else {
        return Ok(outputs.into_iter().map(|(dtype, shape)| unknown_elements(dtype, shape)).collect());
    };
    let heads = [heads[0] as usize, heads[1] as usize];
    let mut inputs = vec![query, key, value];
    inputs.extend(past.into_iter().chain(decay).chain(beta));
    let given = (past.is_some(), decay.is_some(), beta.is_some());
    Ok(Tensor::opaque(&inputs, outputs, move |arrays| {
        let mut rest = arrays[3..].iter();
        let mut next = |is_given: bool| if is_given { rest.next() } else { None };
        let (past, decay, beta) = (next(given.0), next(given.1), next(given.2));
        recurrence([&arrays[0], &arrays[1], &arrays[2]], past, decay, beta, scale, heads)
    }))
}

/// A number computed in single precision, and how far from it the exact one may be.
#[derive(Clone, Copy, Default)]
struct Rounded {
    value: f64,
    error: f64,
}

impl Rounded {
    fn of(value: f64, error: f64) -> Rounded {
        Rounded { value, error: error + value.abs() * Kind::F32.unit_roundoff() }
    }
    fn exact(value: f64) -> Rounded {
        Rounded { value, error: 0.0 }
    }
    fn add(self, other: Rounded) -> Rounded {
        Rounded::of(self.value + other.value, self.error + other.error)
    }
    fn sub(self, other: Rounded) -> Rounded {
        Rounded::of(self.value - other.value, self.error + other.error)
    }
    fn mul(self, other: Rounded) -> Rounded {
        let error = self.error * other.value.abs() + other.error * (self.value.abs() + self.error);
        Rounded::of(self.value * other.value, error)
    }
    /// Exponentials are good to a few units in the last place.
    fn exp(self) -> Rounded {
        let value = self.value.exp();
        Rounded::of(value, value * (self.error.exp_m1() + 4.0 * Kind::F32.unit_roundoff()))
    }
}

/// `S <- exp(g) S + k ⊗ b (v - (exp(g) S)ᵀ k)` and `o = scale * Sᵀ q`, without the parts that are not given.
/// All of it is done in single precision, whatever the type of the inputs.
fn recurrence(
    [query, key, value]: [&Array; 3],
    past: Option<&Array>,
    decay: Option<&Array>,
    beta: Option<&Array>,
    scale: f64,
    heads: [usize; 2],
) -> Result<Vec<Computed>, String> {
    let floats = |array: &Array| array.as_floats().map(<[f64]>::to_vec).ok_or("an input holds no floats");
    let (q, k, v) = (floats(query)?, floats(key)?, floats(value)?);
    let (decays, betas) = (decay.map(floats).transpose()?, beta.map(floats).transpose()?);
    let [query_heads, key_heads] = heads;
    let (batch, tokens) = (query.shape[0], query.shape[1]);
    let (key_size, value_size) = (query.shape[2] / query_heads, value.shape[2] / key_heads);
    let group = query_heads / key_heads;
    let scale = match scale == 0.0 {
        true => Rounded::of(1.0 / (key_size as f64).sqrt(), 0.0),
        false => Rounded::exact(scale),
    };
    let mut state: Vec<Rounded> = match past {
        Some(past) => floats(past)?.into_iter().map(Rounded::exact).collect(),
        None => vec![Rounded::default(); batch * key_heads * key_size * value_size],
    };
    let mut output = vec![Rounded::default(); batch * tokens * query_heads * value_size];
    for (slot, state) in state.chunks_mut((key_size * value_size).max(1)).enumerate() {
        let (entry, head) = (slot / key_heads, slot % key_heads);
        for token in 0..tokens {
            let row = entry * tokens + token;
            let at = |values: &[f64], heads: usize, size: usize, head: usize, k: usize| {
                Rounded::exact(values[(row * heads + head) * size + k])
            };
            if let Some(decays) = &decays {
                let width = decays.len() / (batch * tokens);
                for (k, line) in state.chunks_mut(value_size.max(1)).enumerate() {
                    let own = if width == key_heads { head } else { head * key_size + k };
                    let factor = Rounded::exact(decays[row * width + own]).exp();
                    line.iter_mut().for_each(|x| *x = x.mul(factor));
                }
            }
            for m in 0..value_size {
                let mut news = at(&v, key_heads, value_size, head, m);
                if let Some(betas) = &betas {
                    let width = betas.len() / (batch * tokens);
                    let rate = betas[row * width + if width == 1 { 0 } else { head }];
                    let known = (0..key_size).fold(Rounded::default(), |sum, d| {
                        sum.add(state[d * value_size + m].mul(at(&k, key_heads, key_size, head, d)))
                    });
                    news = Rounded::exact(rate).mul(news.sub(known));
                }
                for d in 0..key_size {
                    let change = at(&k, key_heads, key_size, head, d).mul(news);
                    state[d * value_size + m] = state[d * value_size + m].add(change);
                }
                for reader in head * group..(head + 1) * group {
                    let read = (0..key_size).fold(Rounded::default(), |sum, d| {
                        sum.add(state[d * value_size + m].mul(at(&q, query_heads, key_size, reader, d)))
                    });
                    output[(row * query_heads + reader) * value_size + m] = scale.mul(read);
                }
            }
        }
    }
    let state_kind = past.map_or(query.kind, |past| past.kind);
    Ok(vec![
        computed(query.kind, &[batch, tokens, query_heads * value_size], &output),
        computed(state_kind, &[batch, key_heads, key_size, value_size], &state),
    ])
}

/// The results in the type they are stored in, which rounds once more.
fn computed(kind: Kind, shape: &[usize], results: &[Rounded]) -> Computed {
    let values = results.iter().map(|result| result.value).collect();
    let stored =
        |result: &Rounded| result.error + result.value.abs() * kind.unit_roundoff() + kind.smallest_error();
    Computed { array: Array::floats(kind, shape, values), error: Some(results.iter().map(stored).collect()) }
}
