//! Indices of categories written out: one place for each category.

use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::cast;
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::element::Element;
use semantics::scalar::Fold;
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// `indices` as `mode` says: as they are, one by one, or those along the second axis together, marked or counted.
/// What is no category has no place.
pub fn encoded(
    call: &mut Call,
    indices: Tensor,
    mode: &str,
    depth: Dim,
    weights: Option<Tensor>,
    kind: Kind,
) -> Outcome {
    let number = move |value: f64| Element::constant(kind, value);
    let sizes = call.known_sizes(indices)?;
    if mode == "int" {
        return one(indices);
    }
    let is = move |place: &[Dim], category: Dim| indices.at(place).cast(Kind::I64).as_index().eq(category);
    let mark = move |holds| Element::when(holds, number(1.0), number(0.0));
    if mode == "one_hot" {
        // A last axis of one is not kept.
        let squeezed = match sizes.len() > 1 {
            true => sizes[sizes.len() - 1].eq(1).known().ok_or_else(|| unknown("the last axis"))?,
            false => false,
        };
        let kept = if squeezed { &sizes[..sizes.len() - 1] } else { &sizes[..] };
        // A single category has a row of its own.
        let alone = sizes.is_empty().then_some(Dim::from(1));
        let shape = Shape::new(kept.iter().copied().chain(alone).chain([depth]));
        return one(Tensor::from_elements(kind, shape, move |index| {
            let (place, category) = index.split_at(index.len() - 1);
            let place = if alone.is_some() { &[] } else { place };
            let place: Vec<Dim> = place.iter().copied().chain(squeezed.then_some(Dim::from(0))).collect();
            mark(is(&place, category[0]))
        }));
    }
    let weights = weights.map(|weights| cast(weights, kind));
    if sizes.is_empty() {
        return one(Tensor::from_elements(kind, Shape::new([depth]), move |index| {
            let holds = is(&[], index[0]);
            weights.map_or_else(|| mark(holds), |own| Element::when(holds, own.at(&[]), number(0.0)))
        }));
    }
    let axis = usize::from(sizes.len() > 1);
    let others = sizes.iter().enumerate().filter(|(k, _)| *k != axis).map(|(_, size)| *size);
    let shape = Shape::new(others.chain([depth]));
    let (together, counts) = (sizes[axis], mode == "count");
    one(Tensor::from_elements(kind, shape, move |index| {
        let (rest, category) = index.split_at(index.len() - 1);
        let folded = Element::fold(if counts { Fold::Sum } else { Fold::Max }, together, |at| {
            let mut place = rest.to_vec();
            place.insert(axis, at);
            let holds = is(&place, category[0]);
            match weights {
                Some(weights) => Element::when(holds, weights.at(&place), number(0.0)),
                None => mark(holds),
            }
        });
        // Of no categories none is marked.
        if counts { folded } else { folded.max(0.0) }
    }))
}

fn unknown(what: &str) -> Stop {
    Stop::Unknown(format!("whether {what} is kept depends on a size that is not known"))
}
