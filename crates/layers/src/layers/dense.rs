//! A weighted sum of the features for each unit.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Dense",
        summary: "A weighted sum of the features for each unit.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("kernel", FLOAT).optional(),
            tensor("bias", FLOAT).like("kernel").optional(),
        ],
        parameters: &[int("units"), ACTIVATION, flag("use_bias").or_flag(true)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Dense(f32[N,3], f32[3,4], f32[4], units=4) -> f32[N,4]",
            "Dense(f32[1,2]{1,2}, f32[2,1]{10,1}, f32[1]{-20}, units=1, activation=relu) -> f32[1,1]{0}",
            "Dense(f32[N,5,3], f32[3,4], units=4, use_bias=false) -> f32[N,5,4]",
            "Dense(f32[3], units=4) fails: `inputs` has a batch and features",
            "Dense(f32[2,3], units=0) fails: `units` is positive",
            "Dense(f32[2,3], f32[3], f32[4], units=4) fails: a weight has as many axes as the layer gives it",
            "Dense(f32[2,3], f32[3,4], f32[3], units=4) fails: a weight has the shape that the layer gives it",
            "Dense(f32[2,3], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "Dense(f32[2,3]) fails: `units` is given",
            "Dense(i32[1,2]{1,2}, f32[2,1]{10,1}, f32[1]{0.5}, units=1) -> f32[1,1]{12.5}",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let (input, units) = (call.tensor("inputs")?, call.int("units")?);
    call.demand(IllegalValue, "`units` is positive", units.ge(1))?;
    call.demand(IncompatibleShape, "`inputs` has a batch and features", input.shape().rank().ge(2))?;
    let features = input.shape().size(Back(0));
    let mut weights = vec![weight("kernel", Shape::new([features, units]))];
    if call.flag("use_bias")? {
        weights.push(weight("bias", Shape::new([units])));
    }
    Ok(weights)
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let (input, kernel) = (in_floats(call)?, call.tensor("kernel")?);
    let sizes = call.known_sizes(input)?;
    let products = matmul(input, kernel, Shape::new(sizes[..sizes.len() - 2].iter().copied()));
    let bias = if call.flag("use_bias")? { Some(call.tensor("bias")?) } else { None };
    let summed = match bias {
        Some(bias) => zip(products, bias, products.dtype(), products.shape(), |sum, bias| sum + bias),
        None => products,
    };
    one(activated(call, "activation", summed)?)
}
