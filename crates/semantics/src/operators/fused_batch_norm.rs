//! Batch normalization of images whose channels may lie last, with the statistics that TensorFlow gives.

use super::prelude::*;
use crate::laid_out::{DATA_FORMAT, Laid};
use crate::normalization::*;

pub static OPERATOR: Operator = Operator {
    name: "fused_batch_norm",
    summary: "Moves each channel to mean 0 and variance 1, then scales and shifts it; in training by the statistics \
              of the batch, which are put out.",
    inputs: &[
        tensor("input", SHORT_FLOAT),
        tensor("scale", FLOAT32),
        tensor("offset", FLOAT32),
        tensor("mean", FLOAT32),
        tensor("variance", FLOAT32),
    ],
    parameters: &[
        float("epsilon").or_float(1e-4),
        float("average_factor").or_float(1.0),
        flag("training").or_flag(true),
        DATA_FORMAT,
    ],
    outputs: &["output", "batch_mean?", "batch_variance?", "saved_mean?", "saved_variance?", "saved?"],
    spellings: &[
        tensorflow(
            "FusedBatchNorm(input, scale, offset, mean, variance; epsilon, exponential_avg_factor as average_factor, \
             is_training as training, data_format)",
        ),
        tensorflow(
            "FusedBatchNormV2(input, scale, offset, mean, variance; epsilon, exponential_avg_factor as average_factor, \
             is_training as training, data_format)",
        ),
        tensorflow(
            "FusedBatchNormV3(input, scale, offset, mean, variance; epsilon, exponential_avg_factor as average_factor, \
             is_training as training, data_format)",
        ),
    ],
    define,
    examples: &[
        "fused_batch_norm(f32[N,8,8,3], f32[3], f32[3], f32[0], f32[0]) -> f32[N,8,8,3], f32[3], f32[3]",
        "fused_batch_norm(f32[1,1,1,2]{3,4}, f32[2]{1,2}, f32[2]{10,0}, f32[2]{1,2}, f32[2]{4,4}, epsilon=0, training=false) -> f32[1,1,1,2]{11,2}",
        "fused_batch_norm(f32[2,1,1,1]{1,3}, f32[1]{1}, f32[1]{0}, f32[0], f32[0], epsilon=0) -> f32[2,1,1,1]{-1,1}, f32[1]{2}, f32[1]{2}",
        "fused_batch_norm(f32[2,3], f32[3], f32[3], f32[0], f32[0]) fails: `input` has the axes of `data_format`",
        "fused_batch_norm(f32[1,2,2,3], f32[4], f32[3], f32[0], f32[0]) fails: `scale` has one value per channel",
        "fused_batch_norm(f32[1,2,2,3], f32[3,1], f32[3], f32[0], f32[0]) fails: `scale` is a vector",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[4], f32[0], f32[0]) fails: `offset` has one value per channel",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3,1], f32[0], f32[0]) fails: `offset` is a vector",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], f32[4], f32[3], training=false) fails: `mean` has one value per channel",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], f32[3,1], f32[3], training=false) fails: `mean` is a vector",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], f32[3], f32[4], training=false) fails: `variance` has one value per channel",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], f32[3], f32[3,1], training=false) fails: `variance` is a vector",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], f32[3], f32[3], data_format=CN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "fused_batch_norm(i32[1,2,2,3], f32[3], f32[3], f32[3], f32[3]) fails: `input` is float16, bfloat16 or float32",
        "fused_batch_norm(f32[1,2,2,3], i32[3], f32[3], f32[3], f32[3]) fails: `scale` is float32",
        "fused_batch_norm(f32[1,2,2,3], f32[3], i32[3], f32[3], f32[3]) fails: `offset` is float32",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], i32[3], f32[3]) fails: `mean` is float32",
        "fused_batch_norm(f32[1,2,2,3], f32[3], f32[3], f32[3], i32[3]) fails: `variance` is float32",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, scale, offset) = (call.tensor("input")?, call.tensor("scale")?, call.tensor("offset")?);
    let (mean, variance) = (call.tensor("mean")?, call.tensor("variance")?);
    let laid = Laid::of(call)?;
    call.promise(input.dtype(), Promised::Shape(input.shape()));
    let own = call.sizes("`input` has the axes of `data_format`", input, laid.rank)?;
    let input = laid.channels_first(input.with_shape(Shape::new(own)));
    let sizes = call.known_sizes(input)?;
    let channels = sizes[1];
    let (epsilon, factor) = (call.float("epsilon")?, call.float("average_factor")?);
    let training = call.flag("training")?;
    let mut one_each = vec![
        (scale, "`scale` is a vector", "`scale` has one value per channel"),
        (offset, "`offset` is a vector", "`offset` has one value per channel"),
    ];
    // In training by the batch alone there need be none.
    if !training || factor != 1.0 {
        one_each.push((mean, "`mean` is a vector", "`mean` has one value per channel"));
        one_each.push((variance, "`variance` is a vector", "`variance` has one value per channel"));
    }
    for (tensor, vector, one_each) in one_each {
        require_per_channel(call, tensor, vector, one_each, channels)?;
    }
    let vector = Shape::new([channels]);
    let statistics = (DType::from(Kind::F32), vector);
    let shape = laid.restored(input).shape();
    let outputs = [(input.dtype(), shape), statistics, statistics, statistics, statistics];
    let (rank, count) = (laid.rank, sizes[0] * Dim::product(sizes[2..].iter().copied()));
    let mut made = Tensor::composed(outputs, move || {
        let axes: Vec<usize> = (0..rank).filter(|&axis| axis != 1).collect();
        let (current, spread) = match training {
            true => {
                let (mean, variance) = moments(cast(input, Kind::F32), &axes);
                (reshape(mean, vector), reshape(variance, vector).within(0.0, f64::INFINITY))
            }
            false => (mean, variance),
        };
        let inverse = inverse_deviation(spread, epsilon);
        let output = Tensor::from_elements(input.dtype(), input.shape(), move |index| {
            let channel = [index[1]];
            let centred = input.at(index).cast(Kind::F32) - current.at(&channel);
            (centred * (inverse.at(&channel) * scale.at(&channel)) + offset.at(&channel)).cast(input.kind())
        });
        // The variance that is put out is that of the population the batch was drawn from.
        let corrected = Tensor::from_elements(Kind::F32, vector, move |index| {
            let rest = Element::index(Kind::I64, (count - 1).max(1)).cast(Kind::F32);
            spread.at(index) * (Element::index(Kind::I64, count).cast(Kind::F32) / rest)
        });
        let blended = |old: Tensor, new: Tensor| match factor == 1.0 {
            true => new,
            false => zip(old, new, Kind::F32, vector, move |old, new| old * (1.0 - factor) + new * factor),
        };
        match training {
            true => vec![
                laid.restored(output),
                blended(mean, current),
                blended(variance, corrected),
                current,
                spread,
            ],
            false => vec![laid.restored(output), mean, variance, mean, variance],
        }
    });
    // What the third version keeps for its gradient is nobody's business.
    made.push(unknown_elements(Kind::F32.into(), Shape::unknown("saved")));
    Ok(made)
}
