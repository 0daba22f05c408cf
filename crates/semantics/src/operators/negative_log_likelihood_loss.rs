//! The loss of log-probabilities against the classes they should have chosen.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "negative_log_likelihood_loss",
    summary: "Minus the log-probability of each target class, weighted by class, and on request summed or averaged.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("target", INDEX),
        tensor("weight", FLOAT).like("input").optional(),
    ],
    parameters: &[int("ignore_index").optional(), word("reduction", REDUCTIONS).or_word("mean")],
    outputs: &["loss"],
    spellings: &[onnx(
        12,
        "NegativeLogLikelihoodLoss(input, target, weight; ignore_index, reduction:else sum)",
    )],
    define,
    examples: &[
        "negative_log_likelihood_loss(f32[N,C,H,W], i64[N,H,W]) -> f32[]",
        "negative_log_likelihood_loss(f32[N,10], i64[N], reduction=none) -> f32[N]",
        "negative_log_likelihood_loss(f32[2,2]{-1,-2,-3,-4}, i64[2]{0,1}, reduction=none) -> f32[2]{1,4}",
        "negative_log_likelihood_loss(f32[2,2]{-1,-2,-3,-4}, i64[2]{0,1}) -> f32[]{2.5}",
        "negative_log_likelihood_loss(f32[2,2]{-1,-2,-3,-4}, i64[2]{0,1}, f32[2]{1,3}) -> f32[]{3.25}",
        "negative_log_likelihood_loss(f32[2,2]{-1,-2,-3,-4}, i32[2]{0,-1}, f32[2]{2,3}, ignore_index=-1) -> f32[]{1}",
        "negative_log_likelihood_loss(f32[2,2]{-1,-2,-3,-4}, i64[2]{0,1}, f32[2]{1,3}, reduction=sum) -> f32[]{13}",
        "negative_log_likelihood_loss(f32[...], i64[N,H]) -> f32[]",
        "negative_log_likelihood_loss(f32[...], i64[...], reduction=none) -> f32[...]",
        "negative_log_likelihood_loss(f32[5], i64[]) fails: `input` has a batch and a class axis",
        "negative_log_likelihood_loss(f32[3,5,2], i64[3]) fails: `target` has the shape of `input` without the classes",
        "negative_log_likelihood_loss(f32[3,5], i64[2]) fails: `target` has the shape of `input` without the classes",
        "negative_log_likelihood_loss(f32[3,5], i64[3], f32[5,1]) fails: `weight` is a vector",
        "negative_log_likelihood_loss(f32[3,5], i64[3], f32[4]) fails: `weight` has one value per class",
        "negative_log_likelihood_loss(f32[2,5], i64[2]{0,5}) fails: every target is a class",
        "negative_log_likelihood_loss(f32[3,5], i64[3], reduction=max) fails: `reduction` is one of none, mean, sum",
        "negative_log_likelihood_loss(i32[3,5], i64[3]) fails: `input` is floating point",
        "negative_log_likelihood_loss(f32[3,5], f32[3]) fails: `target` is int32 or int64",
        "negative_log_likelihood_loss(f32[3,5], i64[3], f64[5]) fails: `weight` has the element type of `input`",
    ],
};

/// What may become of the losses of single examples.
pub const REDUCTIONS: &[&str] = &["none", "mean", "sum"];

fn define(call: &mut Call) -> Outcome {
    let (input, target, weight) = (call.tensor("input")?, call.tensor("target")?, call.optional("weight"));
    one(likelihood_loss(call, input, target, weight, input)?)
}

/// States what must hold between scores, targets and weights, and gives the loss of log-probabilities.
pub fn likelihood_loss(
    call: &mut Call,
    scores: Tensor,
    target: Tensor,
    weight: Option<Tensor>,
    logarithms: Tensor,
) -> Result<Tensor, Stop> {
    let label = "`input` has a batch and a class axis";
    call.demand(IncompatibleShape, label, scores.shape().rank().ge(2))?;
    let label = "`target` has the shape of `input` without the classes";
    let agree = target.shape().same(scores.shape().without(Front(1)));
    call.demand(IncompatibleShape, label, agree & target.shape().rank().ge(1))?;
    let (shape, classes) = (target.shape(), scores.shape().size(Front(1)));
    if let Some(weight) = weight {
        let [length] = call.dims("`weight` is a vector", weight)?;
        call.require_shape("`weight` has one value per class", length.eq(classes));
    }
    let ignored = call.optional_int("ignore_index")?;
    let is_ignored = move |class: Dim| ignored.map_or(false.into(), |ignored| class.eq(ignored));
    call.require_of("every target is a class", target, |values| {
        Prop::all(values.iter().map(|&class| class.within(0, classes) | is_ignored(class)))
    });
    let reduction = call.text("reduction")?;

    let kind = scores.dtype();
    let Some(rank) = shape.known_rank() else {
        let shape = if reduction == "none" { shape } else { Shape::scalar() };
        return Ok(unknown_elements(kind, shape));
    };
    // What counts with its weight, and what is ignored with none.
    let share = move |index: &[Dim]| {
        let class = target.at(index).as_index();
        let own = match weight {
            Some(weight) => weight.at(&[Dim::select(is_ignored(class), 0, class)]),
            None => Element::constant(scores.kind(), 1.0),
        };
        Element::when(is_ignored(class), Element::constant(scores.kind(), 0.0), own)
    };
    let losses = Tensor::from_elements(kind, shape, move |index| {
        let class = target.at(index).as_index();
        let mut chosen = index.to_vec();
        chosen.insert(1, Dim::select(is_ignored(class), 0, class));
        let loss = -logarithms.at(&chosen) * share(index);
        Element::when(is_ignored(class), Element::constant(loss.kind(), 0.0), loss)
    });
    let axes: Vec<usize> = (0..rank).collect();
    let total = reduce(Fold::Sum, losses, &axes, false);
    Ok(match reduction.as_str() {
        "none" => losses,
        "sum" => total,
        _ => {
            let shares = Tensor::from_elements(kind, shape, share);
            let weight = reduce(Fold::Sum, shares, &axes, false);
            zip(total, weight, kind, Shape::scalar(), |total, weight| total / weight)
        }
    })
}
