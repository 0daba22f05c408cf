//! Attention: what a query gets of the values, by how well it meets their keys.

use crate::layer::{make_floats, make_floats_of, require_floats_unless};
use semantics::call::{Call, Outputs, Stop};
use semantics::compose::{broadcast_to, matmul, reshape, transpose, zip};
use semantics::dim::Dim;
use semantics::dtype::{BOOL, Kind, NUMERIC};
use semantics::element::Element;
use semantics::operator::Category::{IncompatibleShape, IncompatibleType, ToleratedValue};
use semantics::operator::{Backend, Input, Parameter, flag, tensor};
use semantics::operators::softmax::softmax;
use semantics::scalar::Fold;
use semantics::shape::Shape;
use semantics::shape::Slot::{Back, Front};
use semantics::tensor::Tensor;

pub const QUERY: Input = tensor("query", NUMERIC);
pub const VALUE: Input = tensor("value", NUMERIC);
pub const KEY: Input = tensor("key", NUMERIC).optional();
pub const QUERY_MASK: Input = tensor("query_mask", BOOL).optional();
pub const VALUE_MASK: Input = tensor("value_mask", BOOL).optional();
pub const KEY_MASK: Input = tensor("key_mask", BOOL).optional();
pub const ATTENTION_MASK: Input = tensor("attention_mask", BOOL).optional();
pub const RETURN_SCORES: Parameter = flag("return_attention_scores").or_flag(false);
pub const CAUSAL: Parameter = flag("use_causal_mask").or_flag(false);

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

const GIVEN: [&str; 3] = ["query", "value", "key"];

/// Queries, values and keys in floats, which integers become when they are multiplied with such; integers alone are
/// `taken` or not.
pub fn require_floats(call: &mut Call, taken: bool) -> Result<(), Stop> {
    require_floats_unless(call, "`query` is floating point", taken)?;
    make_floats(call, &GIVEN);
    Ok(())
}

/// The same where queries and keys are added up before anything else: integers alone become float32.
pub fn require_alike(call: &mut Call) -> Result<(), Stop> {
    let kinds: Option<Vec<Kind>> =
        GIVEN.iter().filter_map(|name| call.optional(name)).map(|tensor| tensor.dtype().known()).collect();
    let Some(kinds) = kinds else { return Ok(()) };
    let floats = kinds.iter().find(|kind| kind.is_float());
    if call.backend == Backend::TensorFlow {
        let alike = floats.is_none() || kinds.iter().all(|kind| kind.is_float());
        call.insist(IncompatibleType, "`query`, `value` and `key` are all of floats, or none is", alike)?;
    }
    make_floats_of(call, &GIVEN, floats.copied().unwrap_or(Kind::F32));
    Ok(())
}

pub const AXES: &str = "`query`, `value` and `key` have at least 2 axes";
const TRUTHS: &str = "a mask has a truth for each time";

/// A tensor for another batch, its last two axes as they are.
fn of_batch(tensor: Tensor, batch: Shape) -> Tensor {
    let sizes = tensor.shape().sizes().unwrap_or_default();
    let wide = batch.followed_by([sizes[sizes.len() - 2], sizes[sizes.len() - 1]]);
    if tensor.shape().same(wide).known() == Some(true) { tensor } else { broadcast_to(tensor, wide) }
}

/// The output, and the weights of the values if they are wanted. The masks are those of queries and values.
pub fn attend(call: &mut Call, score: Score) -> Result<Outputs, Stop> {
    let (query, value) = (call.tensor("query")?, call.tensor("value")?);
    let key = call.optional("key").unwrap_or(value);
    let ranks =
        [call.known_sizes(query)?.len(), call.known_sizes(key)?.len(), call.known_sizes(value)?.len()];
    call.insist(IncompatibleShape, AXES, ranks.iter().all(|rank| *rank >= 2))?;
    let rank = ranks.into_iter().max().unwrap_or_default();
    // Keras does not look; a symbolic build then promises other shapes than a call gives.
    let label = "`query`, `value` and `key` have a batch, times, and features";
    call.require(ToleratedValue, label, (ranks == [3; 3]).into());
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
        let sizes = tensor.shape().sizes().unwrap_or_default();
        Shape::new(sizes[..sizes.len() - 2].iter().copied())
    };
    let (first, fits) = batch(query).broadcast(batch(key));
    let (all, all_fit) = first.broadcast(batch(value));
    let fits = fits & all_fit;
    call.require_shape("the batches broadcast", fits);
    let same = batch(query).same(batch(key)) & batch(query).same(batch(value));
    let one_rank = ranks == [rank; 3];
    call.require(
        ToleratedValue,
        "`query`, `value` and `key` have one batch",
        same | !fits | (!one_rank).into(),
    );
    let scores = match score {
        Score::Products(scale) => {
            let order: Vec<usize> = (0..ranks[1] - 2).chain([ranks[1] - 1, ranks[1] - 2]).collect();
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
    // A mask by place has a batch of one, and what has no batch gets that.
    let is_widened = causal && rank == 2;
    let widened = |tensor: Tensor| match tensor.shape().sizes() {
        Some(sizes) if is_widened => {
            reshape(tensor, Shape::new([Dim::from(1)].into_iter().chain(sizes.iter().copied())))
        }
        _ => tensor,
    };
    let (scores, value) = (widened(scores), widened(value));
    let one_batch = || Shape::new([Dim::from(1)]);
    let (rank, first, all) = if is_widened { (3, one_batch(), one_batch()) } else { (rank, first, all) };
    let (query_mask, value_mask) = (call.optional("query_mask"), call.optional("value_mask"));
    if rank < 3 && (query_mask.is_some() || value_mask.is_some()) {
        return Err(Stop::Unknown("what masks do to tensors without a batch is not modelled".into()));
    }
    let masked = value_mask.is_some() || causal;
    // Either may be broadcast; a mask is for the last axis of the batch.
    let masks_fit = |call: &mut Call, mask: Tensor, batch: Shape, times: Dim| {
        call.sizes(TRUTHS, mask, 2)?;
        let (batch, fits) = batch.broadcast(Shape::new([mask.shape().size(Front(0))]));
        let own = mask.shape().size(Front(1));
        call.demand(IncompatibleShape, TRUTHS, fits & (own.eq(times) | own.eq(1)))?;
        Ok(batch)
    };
    let (scores, all) = match value_mask {
        Some(mask) => {
            let wide = masks_fit(call, mask, first, size(value, 1))?;
            (of_batch(scores, wide), masks_fit(call, mask, all, size(value, 1))?)
        }
        None => (scores, all),
    };
    // What is not attended to is pushed far down.
    let far = if query.dtype().known() == Some(Kind::F16) { 65504.0 } else { 1e9 };
    let absorbed = match query.dtype().known() {
        Some(Kind::F16) => 16.0,
        Some(Kind::F32) => 32.0,
        Some(Kind::BF16) => 2_097_152.0,
        _ => 0.0,
    };
    let scores = if masked {
        Tensor::from_elements(scores.dtype(), scores.shape(), move |index| {
            let (score, row, column) = (scores.at(index), index[rank - 2], index[rank - 1]);
            // So far down that a score is lost in rounding; then all are equally far.
            let low = Element::constant(score.kind(), -far);
            let low = score.abs().lt(absorbed).select(low, score - far);
            let past = if causal { Element::when(row.ge(column), score, low) } else { score };
            match value_mask {
                Some(mask) => mask.broadcast_at(&[index[rank - 3], column]).select(past, low),
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
            let output = of_batch(output, masks_fit(call, mask, all, size(query, 1))?);
            Tensor::from_elements(output.dtype(), output.shape(), move |index| {
                let x = output.at(index);
                mask.broadcast_at(&index[rank - 3..rank - 1]).select(x, Element::constant(x.kind(), 0.0))
            })
        }
    };
    let scores = call.flag("return_attention_scores")?.then_some(weights);
    Ok([output].into_iter().chain(scores).collect())
}
