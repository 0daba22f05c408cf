//! Tensors of several element types in one call of a Keras layer: Keras brings them to one type first.

use layers::types::wider;
use semantics::call::Call;
use semantics::compose::cast;
use semantics::dtype::Kind;
use semantics::operator::Operator;
use std::ptr;

/// Casts tensors that a layer combines to the type that holds them all. Only integers and truths are: floats of several
/// widths become the layer's own type, which is not for this call to say.
pub fn promote(call: &mut Call) {
    let operator = call.operator;
    for (input, tensors) in operator.inputs.iter().zip(&mut call.tensors) {
        if input.like != Some(input.name) || tensors.len() < 2 {
            continue;
        }
        let kinds: Option<Vec<Kind>> = tensors.iter().map(|tensor| tensor.dtype().known()).collect();
        let Some(common) = kinds.and_then(|kinds| kinds.into_iter().reduce(wider)) else { continue };
        if tensors.iter().all(|tensor| tensor.dtype().known() == Some(common)) || !is_layer(operator) {
            continue;
        }
        for tensor in tensors.iter_mut() {
            let is_widened = tensor.dtype().known().is_some_and(|kind| kind != common && !kind.is_float());
            if is_widened {
                *tensor = cast(*tensor, common);
            }
        }
    }
}

fn is_layer(operator: &'static Operator) -> bool {
    layers::layers::by_name(operator.name).is_some_and(|layer| ptr::eq(&layer.operator, operator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::arena;
    use semantics::shape::Shape;
    use semantics::tensor::Tensor;

    fn promoted(name: &str, kinds: &[Kind]) -> Vec<Kind> {
        arena::scope(|| {
            let layer = layers::layers::by_name(name).expect("a layer");
            let mut call = Call::new(&layer.operator);
            call.tensors[0].extend(
                kinds.iter().map(|&kind| Tensor::given("x", kind, Shape::new([2i64.into(), 3i64.into()]))),
            );
            promote(&mut call);
            call.tensors[0].iter().filter_map(|tensor| tensor.dtype().known()).collect()
        })
    }

    #[test]
    fn what_a_layer_combines_has_one_type() {
        assert_eq!(promoted("Add", &[Kind::I64, Kind::F32]), [Kind::F32; 2]);
        assert_eq!(promoted("Multiply", &[Kind::I32, Kind::I64, Kind::Bool]), [Kind::I64; 3]);
        assert_eq!(promoted("Add", &[Kind::U8, Kind::I8]), [Kind::I16; 2]);
        // Floats are the layer's business, and so is what comes alone.
        assert_eq!(promoted("Add", &[Kind::F64, Kind::F32]), [Kind::F64, Kind::F32]);
        assert_eq!(promoted("Dense", &[Kind::I64]), [Kind::I64]);
    }
}
