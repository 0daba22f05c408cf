//! A layer whose weights training keeps at the spectral norm 1; in prediction it is the layer itself.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "SpectralNormalization",
        summary: "A layer whose weights training keeps at the spectral norm 1; in prediction it is the layer itself.",
        inputs: &[tensor("inputs", ANY), tensor("weights", FLOAT).any()],
        parameters: &[operators("layer", find), int("power_iterations").or(1)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "SpectralNormalization(f32[N,3], layer=Dense(units=4)) -> f32[N,4]",
            "SpectralNormalization(f32[1,2]{1,2}, f32[2,1]{10,1}, f32[1,1]{0}, f32[1]{-2}, layer=Dense(units=1)) -> f32[1,1]{10}",
            "SpectralNormalization(i32[2,3], layer=Embedding(input_dim=5, output_dim=2)) fails: `inputs` are floats: what the layer gives is cast to their type, which a symbolic build does not know",
            "SpectralNormalization(i32[], layer=Embedding(input_dim=5, output_dim=2)) fails: `inputs` has a batch",
            "SpectralNormalization(f32[2,3]) fails: `layer` is given",
            "SpectralNormalization(f32[2,3], layer=Dense(units=4), power_iterations=0) fails: `power_iterations` is positive",
            "SpectralNormalization(f32[2,3], layer=[Dense(units=4), Dense(units=4)]) fails: `layer` is one layer",
            "SpectralNormalization(f32[2,3,4], layer=GRU(units=4)) fails: the layer has a kernel",
            "SpectralNormalization(f32[2,3], layer=Flatten()) fails: the layer has a kernel",
            "SpectralNormalization(f32[2,3], f32[4], layer=Dense(units=4)) fails: a weight has as many axes as the layer gives it",
            "SpectralNormalization(f32[2,3], f32[3,5], layer=Dense(units=4)) fails: a weight has the shape that the layer gives it",
        ],
    },
    takes: &["inputs"],
    weights: |call| Ok(inside(call)?.1),
    mask: Mask::Drops,
};

fn find(name: &str) -> Option<&'static Operator> {
    crate::layers::by_name(name).map(|layer| &layer.operator)
}

/// The layer, and all weights in Keras's order: the kernel, the vector that training follows its norm with, and what
/// else the layer has.
fn inside(call: &mut Call) -> Result<(Inner, Vec<Weight>), Stop> {
    let iterations = call.int("power_iterations")?;
    call.demand(IllegalValue, "`power_iterations` is positive", iterations.ge(1))?;
    let has_batch = call.tensor("inputs")?.shape().rank().ge(1);
    call.demand(IncompatibleShape, "`inputs` has a batch", has_batch)?;
    let given = one_layer(call, "layer", "`layer` is one layer")?;
    let mut inner = Inner::new(&given, call.tensor("inputs")?)?;
    let mut weights = inner.weights(call, "layer")?;
    let is_kernel = |weight: &Weight| matches!(weight.name, "layer.kernel" | "layer.embeddings");
    let kernel = weights.iter().position(is_kernel);
    // The kernel of a recurrent layer is that of the cell inside it.
    let recurrent = inner.layer.operator.parameters.iter().any(|parameter| parameter.name == "go_backwards");
    call.insist(IllegalValue, "the layer has a kernel", kernel.is_some() && !recurrent)?;
    let kernel = weights.remove(kernel.unwrap_or(0));
    let columns = kernel.shape.size(Back(0));
    let vector = weight(VECTOR, Shape::new([1.into(), columns]));
    Ok((inner, [kernel, vector].into_iter().chain(weights).collect()))
}

const VECTOR: &str = "vector_u";

fn define(call: &mut Call) -> Outcome {
    let (mut inner, weights) = inside(call)?;
    let tensors = require_weights(call, &weights)?;
    let own = weights.into_iter().zip(tensors).filter(|(weight, _)| weight.name != VECTOR);
    let (weights, tensors): (Vec<Weight>, Vec<Tensor>) = own.unzip();
    inner.give_weights("layer", &weights, &tensors);
    let output = inner.run(call)?[0];
    let kind = call.kind(call.tensor("inputs")?)?;
    let label = "`inputs` are floats: what the layer gives is cast to their type, which a symbolic build does not know";
    call.require(ToleratedValue, label, kind.is_float().into());
    one(if output.dtype().known() == Some(kind) { output } else { cast(output, kind) })
}
