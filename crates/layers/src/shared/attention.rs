//! Attention: what a query gets of the values, by how well it meets their keys.

use crate::layers::softmax::masked_softmax;
use semantics::call::{Call, Outputs, Stop};
use semantics::compose::{full, matmul, transpose, zip};
use semantics::dim::Dim;
use semantics::dtype::{BOOL, FLOAT, Kind};
use semantics::element::Element;
use semantics::operator::Category::IncompatibleShape;
use semantics::operator::{Input, Parameter, flag, tensor};
use semantics::operators::softmax::softmax;
use semantics::scalar::Fold;
use semantics::shape::{Shape, Slot::Back};
use semantics::tensor::Tensor;

pub const QUERY: Input = tensor("query", FLOAT);
pub const VALUE: Input = tensor("value", FLOAT).like("query");
pub const KEY: Input = tensor("key", FLOAT).like("query").optional();
pub const QUERY_MASK: Input = tensor("query_mask", BOOL).optional();
pub const VALUE_MASK: Input = tensor("value_mask", BOOL).optional();
pub const KEY_MASK: Input = tensor("key_mask", BOOL).optional();
pub const ATTENTION_MASK: Input = tensor("attention_mask", BOOL).optional();
pub const RETURN_SCORES: Parameter = flag("return_attention_scores").or_flag(false);
pub const CAUSAL: Parameter = flag("use_causal_mask").or_flag(false);
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
/// The arguments of a call on a list of tensors, and of one on each by name.
pub const TAKES_LIST: &[&str] = &["inputs", "mask", "training", "return_attention_scores", "use_causal_mask"];
pub const TAKES: &[&str] = &[
    "query",
    "value",
    "key",
    "query_mask",
    "value_mask",
    "key_mask",
    "attention_mask",
    "return_attention_scores",
    "training",
    "use_causal_mask",
];

/// What a score is made of: the products of a query and a key, or a sum over something of each pair of features.
pub enum Score {
    Products(Option<Tensor>),
    Sum { inside: Option<Tensor>, outside: Option<Tensor> },
}

/// The output, and the weights of the values if they are wanted. The masks are those of queries and values.
pub fn attend(call: &mut Call, score: Score) -> Result<Outputs, Stop> {
    let (query, value) = (call.tensor("query")?, call.tensor("value")?);
    let key = call.optional("key").unwrap_or(value);
    let ranks =
        [call.known_sizes(query)?.len(), call.known_sizes(key)?.len(), call.known_sizes(value)?.len()];
    call.insist(IncompatibleShape, "`query`, `value` and `key` have one rank, at least 2", {
        ranks[0] >= 2 && ranks.iter().all(|rank| *rank == ranks[0])
    })?;
    let rank = ranks[0];
    let size = |tensor: Tensor, from_back: u32| tensor.shape().size(Back(from_back));
    let (features, others) = (size(query, 0), size(key, 0));
    let label = "`query` and `key` have as many features";
    call.require_shape(
        label,
        match score {
            Score::Products(_) => features.eq(others),
            Score::Sum { .. } => features.eq(others) | features.eq(1) | others.eq(1),
        },
    );
    call.require_shape("`value` is as long as `key`", size(value, 1).eq(size(key, 1)));
    let batch = |tensor: Tensor| {
        Shape::new((0..rank - 2).map(|k| tensor.shape().size(semantics::shape::Slot::Front(k as u32))))
    };
    let (first, fits) = batch(query).broadcast(batch(key));
    call.require_shape("the batches broadcast", fits);
    let (all, fits) = first.broadcast(batch(value));
    call.require_shape("the batches broadcast", fits);
    let scores = match score {
        Score::Products(scale) => {
            let order: Vec<usize> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
            let products = matmul(query, transpose(key, &order), first);
            match scale {
                Some(scale) => zip(products, scale, products.dtype(), products.shape(), |x, scale| x * scale),
                None => products,
            }
        }
        Score::Sum { inside, outside } => {
            let shape = first.followed_by([size(query, 1), size(key, 1)]);
            let width = features.max(others);
            Tensor::from_elements(query.dtype(), shape, move |index| {
                let place = |row: usize, k: Dim| {
                    let mut place = index[..rank - 2].to_vec();
                    place.extend([index[row], k]);
                    place
                };
                let total = Element::fold(Fold::Sum, width, |k| {
                    let (q, v) = (place(rank - 2, k), place(rank - 1, k));
                    let sum = query.broadcast_at(&q) + key.broadcast_at(&v);
                    match (inside, outside) {
                        // A scale per feature stands outside, one for all of them inside.
                        (Some(scale), None) => sum.tanh() * scale.broadcast_at(&[k]),
                        (Some(scale), Some(_)) => (sum * scale.at(&[])).tanh(),
                        (None, _) => sum.tanh(),
                    }
                });
                outside.map_or(total, |weight| weight.at(&[]) * total)
            })
        }
    };
    let causal = call.flag("use_causal_mask")?;
    let (query_mask, value_mask) = (call.optional("query_mask"), call.optional("value_mask"));
    if rank != 3 && (query_mask.is_some() || value_mask.is_some()) {
        return Err(Stop::Unknown("what masks do to tensors that have not 3 axes is not modelled".into()));
    }
    let masked = value_mask.is_some() || causal;
    if let Some(mask) = value_mask {
        let fits = mask.shape().same(Shape::new([size(value, 2), size(value, 1)]));
        call.require_shape("a mask has a truth for each time", fits);
    }
    // What is not attended to is pushed far down.
    let far = if query.dtype().known() == Some(Kind::F16) { 65504.0 } else { 1e9 };
    let scores = if masked {
        Tensor::from_elements(scores.dtype(), scores.shape(), move |index| {
            let (score, row, column) = (scores.at(index), index[rank - 2], index[rank - 1]);
            let low = score - far;
            let past = if causal { Element::when(row.ge(column), score, low) } else { score };
            match value_mask {
                Some(mask) => mask.broadcast_at(&[index[0], column]).select(past, low),
                None => past,
            }
        })
    } else {
        scores
    };
    let weights = softmax(scores, &[rank - 1]);
    let output = matmul(weights, value, all);
    let output = match query_mask {
        None => output,
        Some(mask) => {
            let fits = mask.shape().same(Shape::new([size(query, 2), size(query, 1)]));
            call.require_shape("a mask has a truth for each time", fits);
            Tensor::from_elements(output.dtype(), output.shape(), move |index| {
                let x = output.at(index);
                mask.at(&index[..2]).select(x, Element::constant(x.kind(), 0.0))
            })
        }
    };
    let scores = call.flag("return_attention_scores")?.then_some(weights);
    Ok([output].into_iter().chain(scores).collect())
}

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
                let lowest = full(scores.kind(), Shape::scalar(), -0.7 * f64::from(f32::MAX));
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
pub fn joint_mask(call: &mut Call, window: Option<Dim>) -> Result<Option<Tensor>, Stop> {
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
