//! Scaled dot-product attention.

use super::prelude::*;
use super::softmax::softmax;

pub static OPERATOR: Operator = Operator {
    name: "attention",
    summary: "Averages `value` with weights that say how well each query matches each key. Heads are the second of \
              four axes, or packed into the last of three; several query heads may share a key head.",
    inputs: &[
        tensor("query", FLOAT),
        tensor("key", FLOAT).like("query"),
        tensor("value", FLOAT).like("query"),
        tensor("mask", REAL_OR_BOOL).optional(),
        tensor("past_key", FLOAT).like("query").optional(),
        tensor("past_value", FLOAT).like("query").optional(),
        tensor("lengths", INT64).optional(),
    ],
    parameters: &[
        flag("causal").or_flag(false),
        int("query_heads").optional(),
        int("key_heads").optional(),
        float("scale").optional(),
        float("softcap").or_float(0.0),
        element_type("softmax_type").optional(),
        int("scores_mode").or(0),
        int("left_window").or(-1),
        int("right_window").or(-1),
    ],
    outputs: &["output", "present_key?", "present_value?", "scores?"],
    spellings: &[
        onnx(
            23,
            "Attention(query, key, value, mask, past_key, past_value; is_causal:one as causal, \
             q_num_heads as query_heads, kv_num_heads as key_heads, scale, softcap, \
             softmax_precision as softmax_type, qk_matmul_output_mode as scores_mode)",
        )
        .adapted(with_whole_mask),
        onnx(
            24,
            "Attention(query, key, value, mask, past_key, past_value, lengths; is_causal:one as causal, \
             q_num_heads as query_heads, kv_num_heads as key_heads, scale, softcap, \
             softmax_precision as softmax_type, qk_matmul_output_mode as scores_mode)",
        ),
        onnx(
            25,
            "Attention(query, key, value, mask, past_key, past_value, lengths; is_causal:one as causal, \
             q_num_heads as query_heads, kv_num_heads as key_heads, scale, softcap, \
             softmax_precision as softmax_type, qk_matmul_output_mode as scores_mode, \
             left_window_size as left_window, right_window_size as right_window)",
        ),
    ],
    define,
    examples: &[
        "attention(f32[N,8,S,64], f32[N,8,T,64], f32[N,8,T,32]) -> f32[N,8,S,32], f32[N,8,T,64], f32[N,8,T,32], f32[N,8,S,T]",
        "attention(f32[2,4,72], f32[2,6,24], f32[2,6,30], query_heads=9, key_heads=3) -> f32[2,4,90]",
        "attention(f32[2,9,4,8], f32[2,3,6,8], f32[2,3,6,8], f32[4,18], f32[2,3,12,8], f32[2,3,12,8]) -> f32[2,9,4,8], f32[2,3,18,8], f32[2,3,18,8]",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], bool[2,1,4,6], causal=true) -> f32[2,3,4,8]",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], f32[4,5], _, _, i64[2]{3,6}) -> f32[2,3,4,8]",
        "attention(f32[1,1,2,1]{0,0}, f32[1,1,2,1]{1,2}, f32[1,1,2,1]{1,3}, causal=true, scores_mode=3) -> f32[1,1,2,1]{1,2}, f32[1,1,2,1]{1,2}, f32[1,1,2,1]{1,3}, f32[1,1,2,2]{1,0,0.5,0.5}",
        "attention(f32[1,1,1,1]{2}, f32[1,1,1,1]{3}, f32[1,1,1,1]{5}, scale=4, softcap=2, scores_mode=0) -> f32[1,1,1,1]{5}, f32[1,1,1,1]{3}, f32[1,1,1,1]{5}, f32[1,1,1,1]{24}",
        "attention(f32[1,1,1,1]{2}, f32[1,1,1,1]{3}, f32[1,1,1,1]{5}, bool[1,1]{false}) -> f32[1,1,1,1]{0}",
        "attention(f32[1,1,1,2], f32[1,1,3,2], f32[1,1,3,2], left_window=1, right_window=0) -> f32[1,1,1,2]",
        "attention(f32[3,8], f32[3,8], f32[3,8]) fails: `query` has three or four axes",
        "attention(f32[2,3,4,8], f32[2,6,24], f32[2,6,24]) fails: `query`, `key` and `value` have one rank",
        "attention(f32[2,4,24], f32[2,6,24], f32[2,6,24], query_heads=3) fails: `query_heads` and `key_heads` are given for packed heads",
        "attention(f32[2,4,24], f32[2,6,24], f32[2,6,24], query_heads=0, key_heads=3) fails: `query_heads` is positive",
        "attention(f32[2,4,24], f32[2,6,24], f32[2,6,24], query_heads=3, key_heads=0) fails: `key_heads` is positive",
        "attention(f32[2,4,25], f32[2,6,24], f32[2,6,24], query_heads=3, key_heads=3) fails: `query_heads` divides the last axis of `query`",
        "attention(f32[2,4,24], f32[2,6,25], f32[2,6,24], query_heads=3, key_heads=3) fails: `key_heads` divides the last axis of `key`",
        "attention(f32[2,4,24], f32[2,6,24], f32[2,6,25], query_heads=3, key_heads=3) fails: `key_heads` divides the last axis of `value`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], query_heads=5) fails: `query_heads` is the number of heads of `query`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], key_heads=1) fails: `key_heads` is the number of heads of `key`",
        "attention(f32[2,3,4,8], f32[1,3,6,8], f32[1,3,6,8]) fails: `query`, `key` and `value` have one batch size",
        "attention(f32[2,3,4,8], f32[2,3,6,7], f32[2,3,6,8]) fails: `query` and `key` have one head size",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,5,8]) fails: `key` and `value` have one length",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,1,6,8]) fails: `key` and `value` have one number of heads",
        "attention(f32[2,3,4,8], f32[2,2,6,8], f32[2,2,6,8]) fails: the number of key heads divides that of query heads",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], f32[]) fails: `mask` has one to four axes",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], f32[2,4,6]) fails: `mask` broadcasts to the scores",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], f32[4,7]) fails: `mask` has at most one column per key",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,5,8]) fails: `past_key` and `past_value` are given together",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[3,5,8], f32[2,3,5,8]) fails: `past_key` has four axes",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,5,8], f32[3,5,8]) fails: `past_value` has four axes",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,5,7], f32[2,3,5,8]) fails: `past_key` differs from `key` in length only",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,5,8], f32[2,3,5,7]) fails: `past_value` differs from `value` in length only",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,4,8], f32[2,3,5,8]) fails: `past_key` and `past_value` have one length",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,5,8], f32[2,3,5,8], i64[2]) fails: `lengths` is not used with `past_key`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, _, _, i64[]) fails: `lengths` is a vector",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, _, _, i64[3]) fails: `lengths` has one value per batch entry",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, _, _, i64[2]{3,7}) fails: no length exceeds the number of keys",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], scale=0) fails: `scale` is positive",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], scores_mode=4) fails: `scores_mode` is 0, 1, 2 or 3",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], left_window=-2) fails: `left_window` is at least -1",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], right_window=-2) fails: `right_window` is at least -1",
        "attention(i32[2,3,4,8], i32[2,3,6,8], i32[2,3,6,8]) fails: `query` is floating point",
        "attention(f32[2,3,4,8], f64[2,3,6,8], f32[2,3,6,8]) fails: `key` has the element type of `query`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f64[2,3,6,8]) fails: `value` has the element type of `query`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], c64[4,6]) fails: `mask` is a real number type or bool",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f64[2,3,5,8], f32[2,3,5,8]) fails: `past_key` has the element type of `query`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, f32[2,3,5,8], f64[2,3,5,8]) fails: `past_value` has the element type of `query`",
        "attention(f32[2,3,4,8], f32[2,3,6,8], f32[2,3,6,8], _, _, _, i32[2]) fails: `lengths` is int64",
    ],
};

/// The sizes of `query`, `key` or `value`, unpacked, and the tensor they were read from.
#[derive(Clone, Copy)]
struct Heads {
    tensor: Tensor,
    packed: bool,
    batch: Dim,
    heads: Dim,
    length: Dim,
    size: Dim,
}

impl Heads {
    fn shape(self) -> Shape {
        Shape::new([self.batch, self.heads, self.length, self.size])
    }
    /// The tensor with its heads as the second of four axes.
    fn unpacked(self) -> Tensor {
        if !self.packed {
            return self.tensor.with_shape(self.shape());
        }
        let split = Shape::new([self.batch, self.length, self.heads, self.size]);
        transpose(reshape(self.tensor, split), &[0, 2, 1, 3])
    }
}

/// What one query may look at.
#[derive(Clone, Copy)]
struct View {
    mask: Option<Tensor>,
    lengths: Option<Tensor>,
    past: Dim,
    queries: Dim,
    causal: bool,
    left: Option<Dim>,
    right: Option<Dim>,
}

fn define(call: &mut Call) -> Outcome {
    let (query, key, value) = read_heads(call)?;
    let past = read_past(call, key, value)?;
    let past_length = past.map_or(0.into(), |(key, _)| key.shape().size(Front(2)));
    let total = past_length + key.length;
    let scores_shape = Shape::new([query.batch, query.heads, query.length, total]);
    let mask = call.optional("mask");
    if let Some(mask) = mask {
        read_mask(call, mask, scores_shape)?;
    }
    let lengths = call.optional("lengths");
    if let Some(lengths) = lengths {
        call.insist(IllegalValue, "`lengths` is not used with `past_key`", past.is_none())?;
        let [count] = call.dims("`lengths` is a vector", lengths)?;
        call.require_shape("`lengths` has one value per batch entry", count.eq(query.batch));
        call.require_of("no length exceeds the number of keys", lengths, |values| {
            Prop::all(values.iter().map(|length| length.within(0, total + 1)))
        });
    }
    let scale = call.optional_float("scale")?;
    if let Some(scale) = scale {
        call.require_value("`scale` is positive", (scale > 0.0).into());
    }
    let (left, right) = (call.int("left_window")?, call.int("right_window")?);
    call.require_value("`left_window` is at least -1", left.ge(-1));
    call.require_value("`right_window` is at least -1", right.ge(-1));
    let mode = call.int("scores_mode")?;
    if call.wanted > 3 {
        call.require_value("`scores_mode` is 0, 1, 2 or 3", mode.within(0, 4));
    }
    let mode = call.positions("scores_mode", &[mode])?[0];
    let (softcap, precision) = (call.float("softcap")?, call.optional_type("softmax_type")?);
    let causal = call.flag("causal")?;
    let windowed = call.is_given("left_window") || call.is_given("right_window");
    let view = View {
        mask,
        lengths,
        past: past_length,
        queries: query.length,
        causal,
        left: windowed.then_some(left),
        right: windowed.then_some(right),
    };

    let dtype = query.tensor.dtype();
    let present = move |of: Heads| Shape::new([of.batch, of.heads, total, of.size]);
    let packed = Shape::new([query.batch, query.length, query.heads * value.size]);
    let unpacked = Shape::new([query.batch, query.heads, query.length, value.size]);
    let outputs = [
        (dtype, if query.packed { packed } else { unpacked }),
        (dtype, present(key)),
        (dtype, present(value)),
        (dtype, scores_shape),
    ];
    Ok(Tensor::composed(outputs, move || {
        let keys = joined(past.map(|(key, _)| key), key.unpacked(), present(key));
        let values = joined(past.map(|(_, value)| value), value.unpacked(), present(value));
        // Both sides take the root of the scale, so that their product does not overflow before it is scaled.
        let root = move |kind: Kind| match scale {
            Some(scale) => Element::constant(kind, scale.sqrt()),
            None => Element::index(Kind::F64, query.size).sqrt().reciprocal().sqrt().cast(kind),
        };
        let queries = map(query.unpacked(), dtype, move |x| x * root(x.kind()));
        let group = query.heads.div_floor(key.heads);
        let turned = Shape::new([query.batch, query.heads, query.size, total]);
        let turned = Tensor::from_elements(dtype, turned, move |index| {
            let x = keys.at(&[index[0], index[1].div_floor(group), index[3], index[2]]);
            x * root(x.kind())
        });
        let batch = Shape::new([query.batch, query.heads]);
        let raw = matmul(queries, turned, batch);
        let capped = match softcap > 0.0 {
            true => map(raw, dtype, move |x| (x / softcap).tanh() * softcap),
            false => raw,
        };
        let bias = view.is_limited().then(|| view.bias(query.tensor.kind(), scores_shape));
        let biased = bias.map_or(capped, |bias| zip(capped, bias, dtype, scores_shape, |x, bias| x + bias));
        let weights = weights(biased, bias, precision);
        let repeated = Shape::new([query.batch, query.heads, total, value.size]);
        let repeated = Tensor::from_elements(dtype, repeated, move |index| {
            values.at(&[index[0], index[1].div_floor(group), index[2], index[3]])
        });
        let output = matmul(weights, repeated, batch);
        let output = match query.packed {
            true => reshape(transpose(output, &[0, 2, 1, 3]), packed),
            false => output,
        };
        let scores = match mode {
            1 => capped,
            2 => biased,
            3 => weights,
            _ => raw,
        };
        vec![output, keys, values, scores]
    }))
}

/// Version 23 does not let the mask end before the keys do.
fn with_whole_mask(call: &mut Call) -> Outcome {
    let outputs = define(call)?;
    if let Some(mask) = call.optional("mask") {
        let total = outputs[1].shape().size(Front(2));
        call.require_shape("`mask` has one column per key", mask.shape().size(Back(0)).eq(total));
    }
    Ok(outputs)
}

fn read_heads(call: &mut Call) -> Result<(Heads, Heads, Heads), Stop> {
    let tensors = [call.tensor("query")?, call.tensor("key")?, call.tensor("value")?];
    let Some(rank) = tensors.iter().find_map(|tensor| tensor.shape().known_rank()) else {
        return Err(Stop::Unknown("the rank of `query` is not known".into()));
    };
    call.insist(IncompatibleShape, "`query` has three or four axes", rank == 3 || rank == 4)?;
    let mut sizes = Vec::with_capacity(3);
    for tensor in tensors {
        sizes.push(call.sizes("`query`, `key` and `value` have one rank", tensor, rank)?);
    }
    let (query_heads, key_heads) = (call.optional_int("query_heads")?, call.optional_int("key_heads")?);
    let heads = if rank == 3 {
        let label = "`query_heads` and `key_heads` are given for packed heads";
        call.insist(IllegalValue, label, query_heads.is_some() && key_heads.is_some())?;
        let (query_heads, key_heads) = (query_heads.unwrap_or(1.into()), key_heads.unwrap_or(1.into()));
        call.demand(IllegalValue, "`query_heads` is positive", query_heads.ge(1))?;
        call.demand(IllegalValue, "`key_heads` is positive", key_heads.ge(1))?;
        let labels = [
            "`query_heads` divides the last axis of `query`",
            "`key_heads` divides the last axis of `key`",
            "`key_heads` divides the last axis of `value`",
        ];
        let heads = [query_heads, key_heads, key_heads];
        for k in 0..3 {
            call.require_shape(labels[k], heads[k].divides(sizes[k][2]));
        }
        heads
    } else {
        if let Some(heads) = query_heads {
            let fits = heads.eq(sizes[0][1]);
            call.require_shape("`query_heads` is the number of heads of `query`", fits);
        }
        if let Some(heads) = key_heads {
            call.require_shape("`key_heads` is the number of heads of `key`", heads.eq(sizes[1][1]));
        }
        [sizes[0][1], sizes[1][1], sizes[2][1]]
    };
    let part = |k: usize| Heads {
        tensor: tensors[k],
        packed: rank == 3,
        batch: sizes[k][0],
        heads: heads[k],
        length: sizes[k][rank - 2],
        size: if rank == 3 { sizes[k][2].div_floor(heads[k]) } else { sizes[k][3] },
    };
    let (query, key, value) = (part(0), part(1), part(2));
    let one_batch = query.batch.eq(key.batch) & query.batch.eq(value.batch);
    call.require_shape("`query`, `key` and `value` have one batch size", one_batch);
    call.require_shape("`query` and `key` have one head size", query.size.eq(key.size));
    call.require_shape("`key` and `value` have one length", key.length.eq(value.length));
    call.require_shape("`key` and `value` have one number of heads", key.heads.eq(value.heads));
    let shared = key.heads.divides(query.heads);
    call.require_shape("the number of key heads divides that of query heads", shared);
    Ok((query, key, value))
}

/// Keys and values of earlier calls.
fn read_past(call: &mut Call, key: Heads, value: Heads) -> Result<Option<(Tensor, Tensor)>, Stop> {
    let (past_key, past_value) = (call.optional("past_key"), call.optional("past_value"));
    let together = past_key.is_some() == past_value.is_some();
    call.insist(IllegalValue, "`past_key` and `past_value` are given together", together)?;
    let (Some(past_key), Some(past_value)) = (past_key, past_value) else { return Ok(None) };
    let keys = call.sizes("`past_key` has four axes", past_key, 4)?;
    let values = call.sizes("`past_value` has four axes", past_value, 4)?;
    let fits =
        |sizes: &Sizes, of: Heads| sizes[0].eq(of.batch) & sizes[1].eq(of.heads) & sizes[3].eq(of.size);
    call.require_shape("`past_key` differs from `key` in length only", fits(&keys, key));
    call.require_shape("`past_value` differs from `value` in length only", fits(&values, value));
    call.require_shape("`past_key` and `past_value` have one length", keys[2].eq(values[2]));
    let (keys, values) = (Shape::new(keys), Shape::new(values));
    Ok(Some((past_key.with_shape(keys), past_value.with_shape(values))))
}

fn read_mask(call: &mut Call, mask: Tensor, scores: Shape) -> Result<(), Stop> {
    let rank = mask.shape().rank();
    call.demand(IncompatibleShape, "`mask` has one to four axes", rank.within(1, 5))?;
    let columns = mask.shape().size(Back(0));
    let rows = mask.with_shape(mask.shape().trim(0, 1));
    call.require_broadcast_to("`mask` broadcasts to the scores", rows, scores.trim(0, 1));
    call.require_shape("`mask` has at most one column per key", columns.le(scores.size(Back(0))));
    Ok(())
}

/// `past` followed by `new` along the third axis.
fn joined(past: Option<Tensor>, new: Tensor, shape: Shape) -> Tensor {
    let Some(past) = past else { return new };
    let length = past.shape().size(Front(2));
    Tensor::from_elements(new.dtype(), shape, move |index| {
        let mut later = index.to_vec();
        later[2] = later[2] - length;
        Element::when(index[2].lt(length), past.at(index), new.at(&later))
    })
}

impl View {
    fn is_limited(self) -> bool {
        self.mask.is_some() || self.lengths.is_some() || self.causal || self.left.is_some()
    }
    /// What is added to the scores: minus infinity for a key that a query may not look at.
    fn bias(self, kind: Kind, shape: Shape) -> Tensor {
        Tensor::from_elements(kind, shape, move |index| {
            let (batch, query, key) = (index[0], index[2], index[3]);
            let shut = Element::constant(kind, f64::NEG_INFINITY);
            let open = Element::constant(kind, 0.0);
            let length = self.lengths.map(|lengths| lengths.at(&[batch]).as_index());
            // The place of the query among the keys.
            let place = query + length.map_or(self.past, |length| length - self.queries);
            let mut allowed = Prop::from(true);
            if self.causal {
                allowed = allowed & key.le(place);
            }
            if let Some(left) = self.left {
                allowed = allowed & (left.lt(0) | (place - left).le(key));
            }
            if let Some(right) = self.right {
                allowed = allowed & (right.lt(0) | key.le(place + right));
            }
            if let Some(length) = length {
                allowed = allowed & key.lt(length);
            }
            let base = match self.mask {
                Some(mask) => {
                    // A mask that ends early shuts the keys after its end.
                    let columns = mask.shape().size(Back(0));
                    let rank = mask.shape().known_rank().unwrap_or(1);
                    let rows = mask.shape().sizes().unwrap_or_default();
                    let mut place: Vec<Dim> = (0..rank - 1)
                        .map(|k| Dim::select(rows[k].eq(1), 0, index[index.len() - rank + k]))
                        .collect();
                    place.push(key);
                    let entry = mask.at(&place);
                    let entry = match entry.kind() {
                        Kind::Bool => entry.select(open, shut),
                        _ => entry.cast(kind),
                    };
                    Element::when(key.lt(columns), entry, shut)
                }
                None => open,
            };
            Element::when(allowed, base, shut)
        })
    }
}

/// Softmax over the keys; a query that may look at nothing gets no weights.
fn weights(scores: Tensor, bias: Option<Tensor>, precision: Option<Kind>) -> Tensor {
    let (kind, dtype, shape) = (scores.kind(), scores.dtype(), scores.shape());
    let weights = match precision.filter(|precision| precision.is_float()) {
        Some(precision) => cast(softmax(cast(scores, precision), &[3]), kind),
        None => softmax(scores, &[3]),
    };
    let Some(bias) = bias else { return weights };
    let widest = reduce(Fold::Max, bias, &[3], true);
    zip(weights, widest, dtype, shape, |weight, widest| {
        widest.eq(f64::NEG_INFINITY).select(Element::constant(weight.kind(), 0.0), weight)
    })
    .within(0.0, 1.0)
}
