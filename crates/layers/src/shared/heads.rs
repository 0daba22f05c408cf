//! Attention in heads: projections of queries, keys and values, what each head gets, and all heads together.

use super::attention::{ATTENTION_MASK, KEY, KEY_MASK, QUERY, QUERY_MASK, VALUE, VALUE_MASK};
use super::random::require_share;
use crate::layer::{Weight, weight};
use crate::layers::softmax::masked_softmax;
use semantics::call::{Call, Outcome, Stop};
use semantics::compose::{broadcast_to, full, reshape, zip};
use semantics::dim::Dim;
use semantics::dtype::{FLOAT, Kind};
use semantics::element::Element;
use semantics::operator::Category::{IllegalValue, IncompatibleShape};
use semantics::operator::{Input, tensor};
use semantics::operators::softmax::softmax;
use semantics::scalar::Fold;
use semantics::shape::{Shape, Slot::Front};
use semantics::tensor::Tensor;

/// The tensors and weights of a layer with heads.
pub const HEAD_INPUTS: &[Input] = &[
    QUERY,
    VALUE,
    KEY,
    tensor("query_kernel", FLOAT).optional(),
    tensor("query_bias", FLOAT).like("query_kernel").optional(),
    tensor("key_kernel", FLOAT).like("query_kernel").optional(),
    tensor("key_bias", FLOAT).like("query_kernel").optional(),
    tensor("gate_kernel", FLOAT).like("query_kernel").optional(),
    tensor("gate_bias", FLOAT).like("query_kernel").optional(),
    tensor("value_kernel", FLOAT).like("query_kernel").optional(),
    tensor("value_bias", FLOAT).like("query_kernel").optional(),
    tensor("attention_output_kernel", FLOAT).like("query_kernel").optional(),
    tensor("attention_output_bias", FLOAT).like("query_kernel").optional(),
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
    /// What may be attended to, where that is along one axis: `[places by themselves…, queries, keys]`.
    pub mask: Option<Tensor>,
}

impl Heads {
    fn alone(&self) -> Vec<usize> {
        let rank = self.query.shape().known_rank().unwrap_or_default();
        (0..rank - 1).filter(|axis| !self.axes.contains(axis)).collect()
    }
    /// What a mask is for, and broadcast to: the places by themselves, queries, and keys.
    fn masked(&self) -> Shape {
        let size = |tensor: Tensor, axis: usize| tensor.shape().size(Front(axis as u32));
        let met = |axis: usize| broadcast(size(self.query, axis), size(self.key, axis));
        let along = [size(self.query, self.axes[0]), size(self.key, self.axes[0])];
        Shape::new(self.alone().into_iter().map(met).chain(along))
    }
}

/// The size of an axis that is broadcast; that it can be is stated where the tensors are read.
fn broadcast(a: Dim, b: Dim) -> Dim {
    Shape::new([a]).broadcast(Shape::new([b])).0.size(Front(0))
}

/// Axes of a tensor brought to sizes.
fn widened(tensor: Tensor, axes: &[usize], sizes: &[Dim]) -> Tensor {
    let of = |shape: Shape, (axis, size): (&usize, &Dim)| shape.with_size(Front(*axis as u32), *size);
    let wide = axes.iter().zip(sizes).fold(tensor.shape(), of);
    match tensor.shape().same(wide).known() {
        Some(true) => tensor,
        _ => broadcast_to(tensor, wide),
    }
}

/// What each head gets, and its weights `[places by themselves…, queries…, keys…]`, heads being the last of the places
/// unless they are attended along.
pub fn in_heads(given: Heads) -> (Tensor, Tensor) {
    let alone = given.alone();
    let Heads { query, key, value, axes, scale, fused, mask } = given;
    let sizes = |tensor: Tensor| tensor.shape().sizes().unwrap_or_default();
    let (q, k, v) = (sizes(query), sizes(key), sizes(value));
    let (rank, width) = (q.len(), q[q.len() - 1]);
    let met: Vec<Dim> = alone.iter().map(|&axis| broadcast(q[axis], k[axis])).collect();
    let all: Vec<Dim> = alone.iter().zip(&met).map(|(&axis, &size)| broadcast(size, v[axis])).collect();
    let (query, key, value) =
        (widened(query, &alone, &met), widened(key, &alone, &met), widened(value, &alone, &all));
    let queries = axes.iter().map(|&axis| q[axis]);
    let lengths: Vec<Dim> = axes.iter().map(|&axis| k[axis]).collect();
    let shape = Shape::new(met.iter().copied().chain(queries).chain(lengths.iter().copied()));
    let (count, places) = (axes.len(), alone.len());
    // The index in a tensor of heads of a place by itself, a place along the axes, and a feature.
    let place = {
        let (alone, axes) = (alone.clone(), axes.clone());
        move |by_itself: &[Dim], along: &[Dim], feature: Dim| {
            let mut index = vec![feature; rank];
            alone.iter().zip(by_itself).for_each(|(&axis, &at)| index[axis] = at);
            axes.iter().zip(along).for_each(|(&axis, &at)| index[axis] = at);
            index
        }
    };
    let at = place.clone();
    let scores = Tensor::from_elements(query.dtype(), shape, move |index| {
        let (by_itself, along) = index.split_at(places);
        let total = Element::fold(Fold::Sum, width, |feature| {
            let asked = query.at(&at(by_itself, &along[..count], feature));
            let asked = if fused { asked } else { asked * scale };
            asked * key.at(&at(by_itself, &along[count..], feature))
        });
        if fused { total * scale } else { total }
    });
    let over: Vec<usize> = (places + count..places + 2 * count).collect();
    let weights = match mask {
        None => softmax(scores, &over),
        Some(mask) => {
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
    let mut shape: Vec<Dim> = q[..rank - 1].iter().copied().chain([v[rank - 1]]).collect();
    alone.iter().zip(&all).for_each(|(&axis, &size)| shape[axis] = size);
    let output = Tensor::from_elements(query.dtype(), Shape::new(shape), move |index| {
        let by_itself: Vec<Dim> = alone.iter().map(|&axis| index[axis]).collect();
        let along: Vec<Dim> = axes.iter().map(|&axis| index[axis]).collect();
        Element::fold_over(Fold::Sum, &lengths, &|others| {
            let weight: Vec<Dim> = [&by_itself[..], &along, others].concat();
            weights.broadcast_at(&weight) * value.at(&place(&by_itself, others, index[rank - 1]))
        })
    });
    (output, weights)
}

/// Whether something may not be attended to.
pub fn is_masked(call: &Call) -> Result<bool, Stop> {
    let masks = ["query_mask", "value_mask", "key_mask", "attention_mask"];
    let given = masks.iter().any(|mask| call.optional(mask).is_some());
    Ok(given || call.flag("use_causal_mask")? || call.optional_int("sliding_window")?.is_some())
}

/// A mask whose last axes are queries and keys, with axes of one where it has fewer than there are places by themselves:
/// those that it has are the first of them.
fn with_places(sizes: &[Dim], mask: Tensor, rank: usize) -> Tensor {
    let (places, along) = sizes.split_at(sizes.len() - 2);
    let ones = vec![Dim::from(1); rank - sizes.len()];
    reshape(mask, Shape::new(places.iter().chain(&ones).chain(along).copied()))
}

/// As `with_places`, and broadcast.
fn laid(call: &mut Call, label: &'static str, mask: Tensor, shape: Shape) -> Result<Tensor, Stop> {
    let (sizes, rank) = (call.known_sizes(mask)?, shape.known_rank().unwrap_or_default());
    call.insist(IncompatibleShape, label, (2..=rank).contains(&sizes.len()))?;
    let mask = with_places(&sizes, mask, rank);
    call.require_broadcast_to(label, mask, shape);
    Ok(mask)
}

/// What may be attended to by all masks of a call together; `None` if there is none.
pub fn joint_mask(call: &mut Call, heads: &Heads) -> Result<Option<Tensor>, Stop> {
    let window = call.optional_int("sliding_window")?;
    if let Some(window) = window {
        call.demand(IllegalValue, "`sliding_window` is positive", window.ge(1))?;
    }
    if !is_masked(call)? {
        return Ok(None);
    }
    let (causal, shape) = (call.flag("use_causal_mask")?, heads.masked());
    let label = "a mask has a truth for each time";
    let (mut given, one) = (Vec::new(), Dim::from(1));
    for (name, is_query) in [("query_mask", true), ("value_mask", false), ("key_mask", false)] {
        if let Some(mask) = call.optional(name) {
            let mut sizes = call.known_sizes(mask)?.to_vec();
            call.insist(IncompatibleShape, label, !sizes.is_empty())?;
            sizes.insert(sizes.len() - usize::from(!is_query), one);
            given.push((label, reshape(mask, Shape::new(sizes))));
        }
    }
    if let Some(mask) = call.optional("attention_mask") {
        let label = "`attention_mask` has at least 2 axes: queries, and keys";
        call.demand(IncompatibleShape, label, mask.shape().rank().ge(2))?;
        given.push(("`attention_mask` broadcasts to queries and keys", mask));
    }
    let by_place = causal || window.is_some();
    // They meet one another before they meet what is attended to: one with fewer axes is aligned at its last.
    let mut axes = if by_place { 3 } else { 0 };
    for (_, mask) in &given {
        axes = axes.max(call.known_sizes(*mask)?.len());
    }
    let mut all = Vec::new();
    for (label, mask) in given {
        let sizes = call.known_sizes(mask)?;
        let ones = vec![one; axes - sizes.len()];
        let mask = reshape(mask, Shape::new(ones.iter().chain(&sizes).copied()));
        all.push(laid(call, label, mask, shape)?);
    }
    if by_place {
        // They are made for the second axis, whichever is attended along.
        let (query, value) = (call.tensor("query")?, call.tensor("value")?);
        let near = Shape::new([one, query.shape().size(Front(1)), value.shape().size(Front(1))]);
        let near = Tensor::from_elements(Kind::Bool, near, move |index| {
            let (row, column) = (index[1], index[2]);
            let (truth, falsehood) = (Element::constant(Kind::Bool, 1.0), Element::constant(Kind::Bool, 0.0));
            let before = if causal { row.ge(column) } else { true.into() };
            let near = window.map(|window| (row - column).lt(window) & (column - row).lt(window));
            Element::when(before & near.unwrap_or(true.into()), truth, falsehood)
        });
        let near = with_places(&call.known_sizes(near)?, near, shape.known_rank().unwrap_or(3));
        if heads.axes != [1] {
            let label = "what is masked by its place lies along the second axis";
            call.require_broadcast_to(label, near, shape);
        }
        all.push(near);
    }
    Ok(Some(Tensor::from_elements(Kind::Bool, shape, move |index| {
        let truth = Element::constant(Kind::Bool, 1.0);
        all.iter().fold(truth, |passed, mask| passed.min(mask.broadcast_at(index)))
    })))
}

/// The features of each place as features of heads: `x * kernel + bias`, the kernel being `[features, heads, each]`.
fn projected(call: &Call, x: Tensor, kernel: Tensor, bias: Option<Tensor>) -> Result<Tensor, Stop> {
    let (sizes, own) = (call.known_sizes(x)?, call.known_sizes(kernel)?);
    let (rank, features) = (sizes.len(), own[0]);
    let shape = Shape::new(sizes[..rank - 1].iter().copied().chain([own[1], own[2]]));
    Ok(Tensor::from_elements(x.dtype(), shape, move |index| {
        let total = Element::fold(Fold::Sum, features, |k| {
            let mut source = index[..rank].to_vec();
            source[rank - 1] = k;
            x.at(&source) * kernel.at(&[k, index[rank - 1], index[rank]])
        });
        bias.map_or(total, |bias| total + bias.at(&index[rank - 1..]))
    }))
}

/// What heads got, put together: `x * kernel + bias`, the kernel being `[heads, each, output…]`.
fn together(call: &Call, x: Tensor, kernel: Tensor, bias: Option<Tensor>) -> Result<Tensor, Stop> {
    let (sizes, own) = (call.known_sizes(x)?, call.known_sizes(kernel)?);
    let places = sizes.len() - 2;
    let shape = Shape::new(sizes[..places].iter().chain(&own[2..]).copied());
    Ok(Tensor::from_elements(x.dtype(), shape, move |index| {
        let total = Element::fold_over(Fold::Sum, &own[..2], &|at| {
            let source: Vec<Dim> = [&index[..places], at].concat();
            let weight: Vec<Dim> = [at, &index[places..]].concat();
            x.at(&source) * kernel.at(&weight)
        });
        bias.map_or(total, |bias| total + bias.at(&index[places..]))
    }))
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
    projected(call, tensor, call.tensor(kernel)?, given_bias(call, bias)?)
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
    let output = together(call, got, call.tensor("attention_output_kernel")?, bias)?;
    let scores = call.flag("return_attention_scores")?.then_some(scores);
    Ok([output].into_iter().chain(scores).collect())
}
