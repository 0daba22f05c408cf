//! Layers that make one tensor of several, element by element.

use crate::layer::{Mask, When, require_promised_type};
use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::cast;
use semantics::dim::Dim;
use semantics::dtype::{BOOL, Kind, NUMERIC};
use semantics::element::Element;
use semantics::operator::Category::IncompatibleShape;
use semantics::operator::{Input, tensor};
use semantics::shape::{Shape, Slot::Front};
use semantics::tensor::Tensor;

const MASKS: Input = tensor("mask", BOOL).any();
pub const NUMBERS: &[Input] = &[tensor("inputs", NUMERIC).variadic(), MASKS];

/// What any of the masks lets through, where every tensor has one.
pub const MASK: Mask = Mask::Made(When::All, |call| {
    let masks = call.list("mask");
    let shape = call.broadcast("the masks broadcast", &masks);
    one(Tensor::from_elements(Kind::Bool, shape, move |index| {
        let first = masks[0].broadcast_at(index);
        masks[1..].iter().fold(first, |passed, mask| passed.max(mask.broadcast_at(index)))
    }))
});

/// Per tensor, the mask that comes with it; one without axes stands for none.
pub fn masks(call: &Call) -> Vec<Option<Tensor>> {
    let given = call.list("mask");
    let own = |k: usize| given.get(k).copied().filter(|mask| mask.shape().known_rank() != Some(0));
    (0..call.list("inputs").len()).map(own).collect()
}

/// Per tensor, the mask by which its rows count. What gets new axes loses its mask.
pub fn masks_of_rows(call: &mut Call) -> Vec<Option<Tensor>> {
    let (tensors, masks) = (call.list("inputs"), masks(call));
    let rank = |tensor: &Tensor| tensor.shape().known_rank();
    let most = tensors.iter().map(rank).max().flatten();
    let own = |(tensor, mask): (&Tensor, Option<Tensor>)| {
        let mask = mask.filter(|_| rank(tensor) == most)?;
        let rows =
            tensor.shape().sizes().map(|sizes| Shape::new(sizes[..sizes.len() - 1].iter().copied()))?;
        call.require_broadcast_to("a mask broadcasts to the rows of its tensor", mask, rows);
        Some(mask)
    };
    let own = tensors.iter().zip(masks).map(own).collect();
    if tensors.iter().any(|tensor| rank(tensor) != most) {
        require_masks(call);
    }
    own
}

/// The truth that a mask with one axis less has for an element.
pub fn passes(mask: Tensor, index: &[Dim]) -> Element {
    mask.broadcast_at(&index[..index.len() - 1])
}

/// Types in the order in which the later one is what both become where they meet.
const PROMOTED: [Kind; 12] = {
    use Kind::*;
    [U8, I8, U16, I16, U32, I32, U64, I64, F16, BF16, F32, F64]
};

/// The tensors in one type: integers that meet floats become such floats.
pub fn promoted(call: &Call) -> Vec<Tensor> {
    let tensors = call.list("inputs");
    let place = |tensor: &Tensor| PROMOTED.iter().position(|kind| Some(*kind) == tensor.dtype().known());
    let places: Option<Vec<usize>> = tensors.iter().map(place).collect();
    let Some(to) = places.and_then(|places| places.into_iter().max()).map(|most| PROMOTED[most]) else {
        return tensors.to_vec();
    };
    let alike = |tensor: Tensor| if tensor.dtype().known() == Some(to) { tensor } else { cast(tensor, to) };
    tensors.into_iter().map(alike).collect()
}

/// States that the mask of what comes out can be made, where every tensor has one.
pub fn require_masks(call: &mut Call) {
    let all: Option<Vec<Tensor>> = masks(call).into_iter().collect();
    if let Some(masks) = all.filter(|masks| masks.len() > 1) {
        call.broadcast("the masks broadcast", &masks);
    }
}

/// As [`read`], where integers stay what they are.
pub fn read_numbers(call: &mut Call) -> Result<(Vec<Tensor>, Shape), Stop> {
    require_promised_type(call)?;
    read(call)
}

/// The tensors with one rank, and the shape they broadcast to. One with fewer axes gets new ones after its batch.
pub fn read(call: &mut Call) -> Result<(Vec<Tensor>, Shape), Stop> {
    let tensors = promoted(call);
    let ranks: Option<Vec<usize>> = tensors.iter().map(|tensor| tensor.shape().known_rank()).collect();
    let Some(ranks) = ranks else {
        return Err(Stop::Unknown("the rank of an input is not known".into()));
    };
    let label = "every tensor has a batch";
    call.insist(IncompatibleShape, label, ranks.iter().all(|rank| *rank > 0))?;
    for tensor in &tensors[1..] {
        let (mine, first) = (tensor.shape().size(Front(0)), tensors[0].shape().size(Front(0)));
        call.demand(IncompatibleShape, "the tensors have one batch", mine.eq(first))?;
    }
    let most = ranks.iter().copied().max().unwrap_or(0);
    let widened: Vec<Tensor> =
        tensors.iter().zip(&ranks).map(|(&tensor, &rank)| widened(tensor, most - rank)).collect();
    let shape = call.broadcast("the tensors broadcast", &widened);
    Ok((widened, shape))
}

/// With so many axes of size 1 after the batch.
fn widened(tensor: Tensor, count: usize) -> Tensor {
    if count == 0 {
        return tensor;
    }
    let sizes = tensor.shape().sizes().unwrap_or_default();
    let shape =
        Shape::new([sizes[0]].into_iter().chain(vec![1.into(); count]).chain(sizes[1..].iter().copied()));
    Tensor::from_elements(tensor.dtype(), shape, move |index| {
        let mut source = vec![index[0]];
        source.extend_from_slice(&index[1 + count..]);
        tensor.at(&source)
    })
}

/// Folds the tensors from the first to the last with a function that has no neutral element: what a mask leaves out
/// is what the tensors before it came to, and the other way round.
pub fn folded_masked(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let (tensors, shape) = read_numbers(call)?;
    let masks = masks_of_rows(call);
    one(Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let passes = |k: usize| masks[k].map(|mask| passes(mask, index));
        let (mut folded, mut passed) = (tensors[0].broadcast_at(index), passes(0));
        for (k, tensor) in tensors.iter().enumerate().skip(1) {
            let (mut x, own) = (tensor.broadcast_at(index), passes(k));
            x = own.map_or(x, |own| own.select(x, folded));
            folded = passed.map_or(folded, |passed| passed.select(folded, x));
            passed = passed.zip(own).map(|(passed, own)| passed.max(own));
            folded = f(folded, x);
        }
        folded
    }))
}

/// Folds the tensors from the first to the last.
pub fn folded(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let (tensors, shape) = read_numbers(call)?;
    require_masks(call);
    one(fold(tensors, shape, f))
}

pub fn fold(tensors: Vec<Tensor>, shape: Shape, f: fn(Element, Element) -> Element) -> Tensor {
    Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let first = tensors[0].broadcast_at(index);
        tensors[1..].iter().fold(first, |folded, tensor| f(folded, tensor.broadcast_at(index)))
    })
}
