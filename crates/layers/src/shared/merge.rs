//! Layers that make one tensor of several, element by element.

use semantics::call::{Call, Outcome, Stop, one};
use semantics::dtype::FLOAT;
use semantics::element::Element;
use semantics::operator::Category::IncompatibleShape;
use semantics::operator::{Input, tensor};
use semantics::shape::{Shape, Slot::Front};
use semantics::tensor::Tensor;

pub const INPUTS: &[Input] = &[tensor("inputs", FLOAT).like("inputs").variadic()];

/// The tensors with one rank, and the shape they broadcast to. One with fewer axes gets new ones after its batch.
pub fn read(call: &mut Call) -> Result<(Vec<Tensor>, Shape), Stop> {
    let tensors = call.list("inputs");
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

/// Folds the tensors from the first to the last.
pub fn folded(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let (tensors, shape) = read(call)?;
    one(fold(tensors, shape, f))
}

pub fn fold(tensors: Vec<Tensor>, shape: Shape, f: fn(Element, Element) -> Element) -> Tensor {
    Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let first = tensors[0].broadcast_at(index);
        tensors[1..].iter().fold(first, |folded, tensor| f(folded, tensor.broadcast_at(index)))
    })
}
