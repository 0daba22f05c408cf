//! The shape rule of an operator as text: what becomes of inputs whose sizes are letters.

use rustc_hash::FxHashMap;
use semantics::call::Call;
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};

/// `input[A, B], weight[C, B] -> [A, C]`, for a valid call; `None` where its values have a say in the shape.
pub(super) fn rule(call: &Call) -> Option<String> {
    let mut letters = ('A'..='Z').map(|letter| Dim::symbol(&letter.to_string(), 1, LARGEST_SIZE));
    let mut general = with_sizes(call, |_| letters.next())?;
    let inputs = call.operator.inputs.iter().zip(&general.tensors);
    let given = inputs.flat_map(|(input, tensors)| tensors.iter().map(|tensor| (input.name, *tensor)));
    let given = given.filter(|(_, tensor)| is_open(*tensor));
    let given: Option<Vec<String>> =
        given.map(|(name, tensor)| Some(format!("{name}{}", bracketed(tensor.shape())?))).collect();
    let outputs = general.run(call.operator.define).ok()?;
    // Outputs that the call does not ask for may have a shape that nobody tells.
    let asked = outputs.iter().take(call.wanted);
    let shapes: Option<Vec<String>> = asked.map(|output| bracketed(output.shape())).collect();
    Some(format!("{} -> {}", given?.join(", "), shapes?.join(", ")))
}

/// A call whose open sizes are more than one, so that nothing has to be said of broadcasting.
pub(super) fn roomy(call: &Call) -> Option<Call> {
    let mut known: FxHashMap<String, Dim> = FxHashMap::default();
    with_sizes(call, |size| {
        let roomy = |name: &String| Dim::symbol(name, 2, LARGEST_SIZE);
        match size.known() {
            Some(_) => Some(size),
            None => Some(*known.entry(size.to_string()).or_insert_with_key(roomy)),
        }
    })
}

/// The call with other sizes of tensors that only the run will tell; what is stored may be a shape or an axis, and
/// stays as it is.
fn with_sizes(call: &Call, mut other: impl FnMut(Dim) -> Option<Dim>) -> Option<Call> {
    let mut changed = Call::new(call.operator);
    changed.arguments = call.arguments.clone();
    changed.wanted = call.wanted;
    for (place, (input, tensors)) in call.operator.inputs.iter().zip(&call.tensors).enumerate() {
        for &tensor in tensors {
            let tensor = match is_open(tensor) {
                true => {
                    let sizes = tensor.shape().sizes()?;
                    let sizes: Option<Vec<Dim>> = sizes.iter().map(|size| other(*size)).collect();
                    Tensor::given(input.name, tensor.dtype(), Shape::new(sizes?))
                }
                false => tensor,
            };
            changed.tensors[place].push(tensor);
        }
    }
    Some(changed)
}

fn is_open(tensor: Tensor) -> bool {
    matches!(tensor.content(), Content::Given)
}

fn bracketed(shape: Shape) -> Option<String> {
    let sizes: Vec<String> = shape.sizes()?.iter().map(ToString::to_string).collect();
    Some(format!("[{}]", sizes.join(", ")))
}
