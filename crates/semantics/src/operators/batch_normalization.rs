//! Normalizes each channel by given or by its own statistics.

use super::prelude::*;
use crate::normalization::*;

pub static OPERATOR: Operator = Operator {
    name: "batch_normalization",
    summary: "Moves each channel to mean 0 and variance 1, then scales and shifts it. In training the statistics are \
              those of the batch, and running averages of them are put out.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("scale", FLOAT),
        tensor("bias", FLOAT).like("scale"),
        tensor("mean", FLOAT),
        tensor("variance", FLOAT).like("mean"),
    ],
    parameters: &[
        float("epsilon").or_float(1e-5),
        float("momentum").or_float(0.9),
        flag("training").or_flag(false),
        flag("spatial").or_flag(true),
    ],
    outputs: &["output", "running_mean?", "running_variance?"],
    spellings: &[
        onnx(
            1,
            "BatchNormalization(input:nchw, scale, bias, mean, variance; is_test as training, epsilon, momentum, spatial)",
        )
        .giving_further(2)
        .adapted(with_is_test),
        onnx(
            6,
            "BatchNormalization(input:nchw, scale, bias, mean, variance; is_test as training, epsilon, momentum, spatial)",
        )
        .giving_further(2)
        .adapted(with_is_test),
        onnx(7, "BatchNormalization(input:nchw, scale, bias, mean, variance; epsilon, momentum, spatial)")
            .giving_further(2)
            .adapted(|call| of_one_type(call, false)),
        onnx(9, "BatchNormalization(input:nchw, scale, bias, mean, variance; epsilon, momentum)")
            .giving_further(2)
            .adapted(|call| of_one_type(call, false)),
        onnx(
            14,
            "BatchNormalization(input:nchw, scale, bias, mean, variance; epsilon, momentum, training_mode as training)",
        )
        .adapted(as_onnx),
    ],
    define: |call| {
        let training = call.flag("training")?;
        define(call, training)
    },
    examples: &[
        "batch_normalization(f32[N,64,H,W], f32[64], f32[64], f32[64], f32[64]) -> f32[N,64,H,W]",
        "batch_normalization(f32[1,2,1]{3,4}, f32[2]{1,2}, f32[2]{10,0}, f32[2]{1,2}, f32[2]{4,4}, epsilon=0) -> f32[1,2,1]{11,2}",
        "batch_normalization(f32[2,1]{1,3}, f32[1]{1}, f32[1]{0}, f32[1]{0}, f32[1]{1}, training=true, epsilon=0, momentum=0.5) -> f32[2,1]{-1,1}, f32[1]{1}, f32[1]{1}",
        "batch_normalization(f32[3], f32[1], f32[1], f32[1], f32[1]) -> f32[3]",
        "batch_normalization(f16[2,3], f32[3], f32[3], f64[3], f64[3], training=true) -> f16[2,3], f64[3], f64[3]",
        "batch_normalization(f32[...], f32[C], f32[C], f32[C], f32[C]) -> f32[...]",
        "batch_normalization(f32[], f32[1], f32[1], f32[1], f32[1]) fails: `input` has at least one axis",
        "batch_normalization(f32[2,3], f32[3,1], f32[3], f32[3], f32[3]) fails: `scale` is a vector",
        "batch_normalization(f32[2,3], f32[4], f32[3], f32[3], f32[3]) fails: `scale` has one value per channel",
        "batch_normalization(f32[2,3], f32[3], f32[3,1], f32[3], f32[3]) fails: `bias` is a vector",
        "batch_normalization(f32[2,3], f32[3], f32[4], f32[3], f32[3]) fails: `bias` has one value per channel",
        "batch_normalization(f32[2,3], f32[3], f32[3], f32[3,1], f32[3]) fails: `mean` is a vector",
        "batch_normalization(f32[2,3], f32[3], f32[3], f32[4], f32[3]) fails: `mean` has one value per channel",
        "batch_normalization(f32[2,3], f32[3], f32[3], f32[3], f32[3,1]) fails: `variance` is a vector",
        "batch_normalization(f32[2,3], f32[3], f32[3], f32[3], f32[4]) fails: `variance` has one value per channel",
        "batch_normalization(i32[2,3], f32[3], f32[3], f32[3], f32[3]) fails: `input` is floating point",
        "batch_normalization(f32[2,3], i32[3], i32[3], f32[3], f32[3]) fails: `scale` is floating point",
        "batch_normalization(f32[2,3], f32[3], f16[3], f32[3], f32[3]) fails: `bias` has the element type of `scale`",
        "batch_normalization(f32[2,3], f32[3], f32[3], i32[3], i32[3]) fails: `mean` is floating point",
        "batch_normalization(f32[2,3], f32[3], f32[3], f32[3], f16[3]) fails: `variance` has the element type of `mean`",
    ],
};

fn define(call: &mut Call, training: bool) -> Outcome {
    let (input, scale, bias) = (call.tensor("input")?, call.tensor("scale")?, call.tensor("bias")?);
    let (mean, variance) = (call.tensor("mean")?, call.tensor("variance")?);
    let rank = input.shape().known_rank();
    call.insist(IncompatibleShape, "`input` has at least one axis", rank != Some(0))?;
    let channels = match rank {
        Some(1) => 1.into(),
        Some(_) => input.shape().size(Front(1)),
        // A vector would have one channel: the others must still agree.
        None => scale.shape().size(Front(0)),
    };
    let one_each = [
        (scale, "`scale` is a vector", "`scale` has one value per channel"),
        (bias, "`bias` is a vector", "`bias` has one value per channel"),
        (mean, "`mean` is a vector", "`mean` has one value per channel"),
        (variance, "`variance` is a vector", "`variance` has one value per channel"),
    ];
    for (tensor, vector, one_each) in one_each {
        require_per_channel(call, tensor, vector, one_each, channels)?;
    }
    let (epsilon, momentum) = (call.float("epsilon")?, call.float("momentum")?);

    let statistics = (mean.dtype(), Shape::new([channels]));
    let outputs = [(input.dtype(), input.shape()), statistics, statistics];
    let Some(rank) = rank else {
        return Ok(outputs.into_iter().map(|(dtype, shape)| unknown_elements(dtype, shape)).collect());
    };
    Ok(Tensor::composed(outputs, move || {
        let kind = common_float(input.kind(), common_float(scale.kind(), mean.kind()));
        let (current, spread) =
            if training { batch_moments(input, rank, channels) } else { (mean, variance) };
        let running = |old: Tensor, new: Tensor| {
            zip(old, new, old.dtype(), old.shape(), move |old, new| {
                old * momentum + new.cast(old.kind()) * (1.0 - momentum)
            })
        };
        let (factor, offset) = affine(kind, scale, bias, current, spread, epsilon);
        let channel = move |index: &[Dim]| vec![if rank == 1 { 0.into() } else { index[1] }];
        let output = rescaled(input, kind, factor, offset, channel);
        match training {
            true => vec![output, running(mean, current), running(variance, spread)],
            false => vec![output, mean, variance],
        }
    }))
}

/// Mean and variance of each channel over everything else, halves being averaged in single precision.
fn batch_moments(input: Tensor, rank: usize, channels: Dim) -> (Tensor, Tensor) {
    let axes: Vec<usize> = (0..rank).filter(|&axis| axis != 1).collect();
    let (mean, variance) = moments(cast(input, at_least_single(input.kind())), &axes);
    let vector = Shape::new([channels]);
    (reshape(mean, vector), reshape(variance, vector))
}

/// Normalizing, scaling and shifting as one factor and one offset, the way frameworks compute it.
fn affine(
    kind: Kind,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: f64,
) -> (Tensor, Tensor) {
    let inverse = inverse_deviation(cast(variance, kind), epsilon);
    let factor = zip(scale, inverse, kind, scale.shape(), move |scale, inverse| scale.cast(kind) * inverse);
    let offset = Tensor::from_elements(kind, bias.shape(), move |index| {
        bias.at(index).cast(kind) - mean.at(index).cast(kind) * factor.at(index)
    });
    (factor, offset)
}

/// Training has all three outputs, inference only the first.
fn as_onnx(call: &mut Call) -> Outcome {
    let training = call.flag("training")?;
    let label = "the running statistics are outputs of training, and only of training";
    call.insist(IllegalValue, label, (call.wanted > 1) == training)?;
    define(call, training)
}

/// Before version 7 it is training that has to be switched off.
fn with_is_test(call: &mut Call) -> Outcome {
    let is_test = call.flag("training")?;
    of_one_type(call, !is_test)
}

/// Before version 14 all tensors have one type, and what the further outputs hold is left to the runtime.
/// Before version 9 the statistics may be those of single positions instead of channels.
fn of_one_type(call: &mut Call, training: bool) -> Outcome {
    let (input, scale, mean) = (call.tensor("input")?, call.tensor("scale")?, call.tensor("mean")?);
    call.require_type("`scale` has the element type of `input`", scale.dtype().same(input.dtype()));
    call.require_type("`mean` has the element type of `input`", mean.dtype().same(input.dtype()));
    if !call.flag("spatial")? {
        return per_position(call);
    }
    let outputs = define(call, training)?;
    let further = (1..call.wanted.max(1)).map(|_| unknown_elements(mean.dtype(), mean.shape()));
    Ok([outputs[0]].into_iter().chain(further).collect())
}

/// Every position of every channel has its own statistics.
fn per_position(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let position = input.shape().trim(1, 0);
    let tensors =
        [call.tensor("scale")?, call.tensor("bias")?, call.tensor("mean")?, call.tensor("variance")?];
    for tensor in tensors {
        call.require_shape("the statistics have one value per position", tensor.shape().same(position));
    }
    let epsilon = call.float("epsilon")?;
    let [scale, bias, mean, variance] = tensors;
    let (factor, offset) = affine(input.kind(), scale, bias, mean, variance, epsilon);
    one(rescaled(input, input.kind(), factor, offset, |index| index[1..].to_vec()))
}
