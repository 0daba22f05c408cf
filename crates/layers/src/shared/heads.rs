//! Attention in heads: projections of queries, keys and values, what each head gets, and all heads together.

use super::attention::{ATTENTION_MASK, KEY, KEY_MASK, QUERY, QUERY_MASK, VALUE, VALUE_MASK};
use super::random::require_share;
use crate::layer::{Weight, weight};
use crate::layers::softmax::masked_softmax;
use semantics::call::{Call, Outcome, Stop};
use semantics::compose::{full, zip};
use semantics::dim::Dim;
use semantics::dtype::{FLOAT, Kind};
use semantics::element::Element;
use semantics::operator::Category::IllegalValue;
use semantics::operator::{Input, tensor};
use semantics::operators::softmax::softmax;
use semantics::scalar::Fold;
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// The tensors and weights of a layer with heads.
pub const HEAD_INPUTS: &[Input] = &[
    QUERY,
    VALUE,
    KEY,
    tensor("query_kernel", FLOAT).like("query").optional(),
    tensor("query_bias", FLOAT).like("query").optional(),
    tensor("key_kernel", FLOAT).like("query").optional(),
    tensor("key_bias", FLOAT).like("query").optional(),
    tensor("gate_kernel", FLOAT).like("query").optional(),
    tensor("gate_bias", FLOAT).like("query").optional(),
    tensor("value_kernel", FLOAT).like("query").optional(),
    tensor("value_bias", FLOAT).like("query").optional(),
    tensor("attention_output_kernel", FLOAT).like("query").optional(),
    tensor("attention_output_bias", FLOAT).like("query").optional(),
    QUERY_MASK,
    VALUE_MASK,
    KEY_MASK,
    ATTENTION_MASK,
];

/// Queries, keys and values of heads, `[batch, axes…, heads, features]`.
pub struct Heads {
    pub query: Tensor,
    pub key: Tensor,
    pub value: Tensor,
    /// The axes along which is attended; along the others each place stays by itself.
    pub axes: Vec<usize>,
    pub scale: f64,
    /// Whether scores are scaled after they are summed, and a query that may attend to nothing attends to everything.
    pub fused: bool,
    /// What may be attended to: `[batch or 1, queries, keys]`.
    pub mask: Option<Tensor>,
}

/// What each head gets, and its weights `[batch, places by themselves…, heads, queries…, keys…]`.
pub fn in_heads(given: Heads) -> (Tensor, Tensor) {
    let Heads { query, key, value, axes, scale, fused, mask } = given;
    let sizes = |tensor: Tensor| tensor.shape().sizes().unwrap_or_default();
    let (q, k, v) = (sizes(query), sizes(key), sizes(value));
    let (rank, width) = (q.len(), q[q.len() - 1]);
    let alone: Vec<usize> = (0..rank - 2).filter(|axis| !axes.contains(axis)).collect();
    let shape = Shape::new(
        alone
            .iter()
            .map(|&axis| q[axis])
            .chain([q[rank - 2]])
            .chain(axes.iter().map(|&axis| q[axis]))
            .chain(axes.iter().map(|&axis| k[axis])),
    );
    let (count, head) = (axes.len(), alone.len());
    // The index in a tensor of heads of a place by itself, a place along the axes, a head and a feature.
    let place = {
        let (alone, axes) = (alone.clone(), axes.clone());
        move |by_itself: &[Dim], along: &[Dim], head: Dim, feature: Dim| {
            let mut index = vec![head; rank];
            alone.iter().zip(by_itself).for_each(|(&axis, &at)| index[axis] = at);
            axes.iter().zip(along).for_each(|(&axis, &at)| index[axis] = at);
            index[rank - 1] = feature;
            index
        }
    };
    let at = place.clone();
    let scores = Tensor::from_elements(query.dtype(), shape, move |index| {
        let (by_itself, along) = (&index[..head], &index[head + 1..]);
        let total = Element::fold(Fold::Sum, width, |feature| {
            let asked = query.at(&at(by_itself, &along[..count], index[head], feature));
            let asked = if fused { asked } else { asked * scale };
            asked * key.at(&at(by_itself, &along[count..], index[head], feature))
        });
        if fused { total * scale } else { total }
    });
    let over: Vec<usize> = (head + 1 + count..head + 1 + 2 * count).collect();
    let weights = match mask {
        None => softmax(scores, &over),
        // Masks are for three axes: the batch, heads, queries and keys.
        Some(mask) => {
            let (rows, columns) = (q[1], k[1]);
            let wide = Shape::new([q[0], q[2], rows, columns]);
            let mask = Tensor::from_elements(Kind::Bool, wide, move |index| {
                mask.broadcast_at(&[index[0], index[2], index[3]])
            });
            if fused {
                let lowest =
                    full(scores.kind(), Shape::scalar(), Kind::F32.round(-0.7 * f64::from(f32::MAX)));
                let chosen = Tensor::from_elements(scores.dtype(), scores.shape(), move |index| {
                    mask.at(index).select(scores.at(index), lowest.at(&[]))
                });
                softmax(chosen, &over)
            } else {
                masked_softmax(scores, mask, &over)
            }
        }
    };
    let shape = Shape::new(q[..rank - 1].iter().copied().chain([v[rank - 1]]));
    let lengths: Vec<Dim> = axes.iter().map(|&axis| k[axis]).collect();
    let output = Tensor::from_elements(query.dtype(), shape, move |index| {
        let by_itself: Vec<Dim> = alone.iter().map(|&axis| index[axis]).collect();
        let along: Vec<Dim> = axes.iter().map(|&axis| index[axis]).collect();
        Element::fold_over(Fold::Sum, &lengths, &|places| {
            let weight: Vec<Dim> = [&by_itself[..], &[index[rank - 2]], &along, places].concat();
            let source = place(&by_itself, places, index[rank - 2], index[rank - 1]);
            weights.at(&weight) * value.at(&source)
        })
    });
    (output, weights)
}

/// What may be attended to by all masks of a call together; `None` if there is none.
pub fn joint_mask(call: &mut Call) -> Result<Option<Tensor>, Stop> {
    let window = call.optional_int("sliding_window")?;
    if let Some(window) = window {
        call.demand(IllegalValue, "`sliding_window` is positive", window.ge(1))?;
    }
    let (query, value) = (call.tensor("query")?, call.tensor("value")?);
    let causal = call.flag("use_causal_mask")?;
    let own = [call.optional("query_mask"), call.optional("value_mask"), call.optional("key_mask")];
    let given = call.optional("attention_mask");
    if own.iter().all(Option::is_none) && given.is_none() && !causal && window.is_none() {
        return Ok(None);
    }
    let (q, v) = (call.known_sizes(query)?, call.known_sizes(value)?);
    if q.len() != 3 {
        return Err(Stop::Unknown("what masks do to tensors that have not 3 axes is not modelled".into()));
    }
    for (mask, sizes) in own.iter().zip([&q, &v, &v]) {
        if let Some(mask) = mask {
            let fits = mask.shape().same(Shape::new([sizes[0], sizes[1]]));
            call.require_shape("a mask has a truth for each time", fits);
        }
    }
    let shape = Shape::new([q[0], q[1], v[1]]);
    if let Some(given) = given {
        call.sizes("`attention_mask` has 3 axes: a batch, queries, and keys", given, 3)?;
        call.require_broadcast_to("`attention_mask` broadcasts to queries and keys", given, shape);
    }
    Ok(Some(Tensor::from_elements(Kind::Bool, shape, move |index| {
        let (truth, falsehood) = (Element::constant(Kind::Bool, 1.0), Element::constant(Kind::Bool, 0.0));
        let (row, column) = (index[1], index[2]);
        let mut passed = given.map_or(truth, |given| given.broadcast_at(index));
        for (mask, at) in own.iter().zip([row, column, column]) {
            if let Some(mask) = mask {
                passed = passed.min(mask.at(&[index[0], at]));
            }
        }
        if causal {
            passed = Element::when(row.ge(column), passed, falsehood);
        }
        if let Some(window) = window {
            let near = (row - column).lt(window) & (column - row).lt(window);
            passed = Element::when(near, passed, falsehood);
        }
        passed
    })))
}

/// The features of each place as features of heads: `x * kernel + bias`, the kernel being `[features, heads, each]`.
pub fn projected(x: Tensor, kernel: Tensor, bias: Option<Tensor>) -> Tensor {
    let (sizes, own) = (x.shape().sizes().unwrap_or_default(), kernel.shape().sizes().unwrap_or_default());
    let (rank, features) = (sizes.len(), own[0]);
    let shape = Shape::new(sizes[..rank - 1].iter().copied().chain([own[1], own[2]]));
    Tensor::from_elements(x.dtype(), shape, move |index| {
        let total = Element::fold(Fold::Sum, features, |k| {
            let mut source = index[..rank].to_vec();
            source[rank - 1] = k;
            x.at(&source) * kernel.at(&[k, index[rank - 1], index[rank]])
        });
        bias.map_or(total, |bias| total + bias.at(&index[rank - 1..]))
    })
}

/// What heads got, put together: `x * kernel + bias`, the kernel being `[heads, each, output…]`.
pub fn together(x: Tensor, kernel: Tensor, bias: Option<Tensor>) -> Tensor {
    let (sizes, own) = (x.shape().sizes().unwrap_or_default(), kernel.shape().sizes().unwrap_or_default());
    let places = sizes.len() - 2;
    let shape = Shape::new(sizes[..places].iter().chain(&own[2..]).copied());
    Tensor::from_elements(x.dtype(), shape, move |index| {
        let total = Element::fold_over(Fold::Sum, &own[..2], &|at| {
            let source: Vec<Dim> = [&index[..places], at].concat();
            let weight: Vec<Dim> = [at, &index[places..]].concat();
            x.at(&source) * kernel.at(&weight)
        });
        bias.map_or(total, |bias| total + bias.at(&index[places..]))
    })
}

/// A projection: its kernel and bias with the kernel's sizes, of which the bias has those from a place on.
pub type Projection = (&'static str, &'static str, Vec<Dim>, usize);

/// The weights of projections; there are biases where `use_bias` is set.
pub fn projections(call: &mut Call, projections: Vec<Projection>) -> Result<Vec<Weight>, Stop> {
    require_share(call, "dropout", "`dropout` lies between 0 and 1")?;
    let has_bias = call.flag("use_bias")?;
    let mut weights = Vec::new();
    for (kernel, bias, sizes, from) in projections {
        weights.push(weight(kernel, Shape::new(sizes.iter().copied())));
        if has_bias {
            weights.push(weight(bias, Shape::new(sizes[from..].iter().copied())));
        }
    }
    Ok(weights)
}

/// A tensor in heads, by the weights of a projection.
pub fn projected_by(call: &Call, tensor: Tensor, kernel: &str, bias: &str) -> Result<Tensor, Stop> {
    Ok(projected(tensor, call.tensor(kernel)?, given_bias(call, bias)?))
}

fn given_bias(call: &Call, name: &str) -> Result<Option<Tensor>, Stop> {
    Ok(if call.flag("use_bias")? { Some(call.tensor(name)?) } else { None })
}

/// What the heads got, gated by the query where that is wished, and put together; with the scores if they are asked for.
pub fn outputs(call: &Call, query: Tensor, got: Tensor, scores: Tensor) -> Outcome {
    let got = match call.flag("use_gate")? {
        false => got,
        true => {
            let gate = projected_by(call, query, "gate_kernel", "gate_bias")?;
            zip(got, gate, got.dtype(), got.shape(), |x, gate| x * gate.sigmoid())
        }
    };
    let bias = given_bias(call, "attention_output_bias")?;
    let output = together(got, call.tensor("attention_output_kernel")?, bias);
    let scores = call.flag("return_attention_scores")?.then_some(scores);
    Ok([output].into_iter().chain(scores).collect())
}
