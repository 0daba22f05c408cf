//! What ONNX Runtime is known for.

use super::{Entry, Seen};

pub(super) const KNOWN: &[&Entry] = &[
    &Entry {
        heading: "ONNX Runtime 1.31.1: empty tensors that end the process",
        backend: "onnxruntime",
        applies: |seen| {
            let ending = ["quantize_linear", "unique", "instance_normalization", "conv", "roi_align", "gru"];
            let ends = |name: &str| ending.contains(&name);
            // What it wrote beyond its memory may end a later node; whether a tensor was empty only the first one knows.
            let alone = seen.is_empty() && (ends(seen.layer()) || !seen.case.beside.is_empty());
            let later = seen.case.beside.iter().any(|other| ends(other));
            (seen.is("crash") || seen.is("hang"))
                && (alone || later || ends(seen.layer()) && !seen.case.beside.is_empty())
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: an `Expand` to nothing is optimised away",
        backend: "onnxruntime",
        applies: |seen| {
            let expands = seen.layer() == "expand" || seen.case.beside.iter().any(|other| other == "expand");
            ((seen.is("wrong shape") || seen.is_refused()) && seen.is_empty() || seen.is("wrong value"))
                && seen.is_by_predict()
                && expands
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: a `Slice` with steps is taken for one without when a model is optimised",
        backend: "onnxruntime",
        applies: |seen| {
            let slices = seen.case.beside.iter().any(|other| other == "slice");
            seen.is_by_predict() && slices && seen.says("[ShapeInferenceError] Incompatible dimensions")
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: a negated condition that is used twice breaks the model",
        backend: "onnxruntime",
        applies: |seen| {
            seen.is_by_predict()
                && seen.layer() == "where"
                && seen.says("is not a graph input, initializer, or output of a previous node")
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: whole numbers are reduced as floats",
        backend: "onnxruntime",
        applies: |seen| {
            let through_floats =
                seen.layer().starts_with("reduce_") || ["einsum", "mod"].contains(&seen.layer());
            through_floats && seen.is_about_values() && is_whole(seen)
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: what lies between operators is not rounded to float16",
        backend: "onnxruntime",
        applies: |seen| {
            let half = seen.found.arguments.iter().any(|given| given == "dtype=f16");
            seen.is_by_predict()
                && (half || seen.computes_in("f16"))
                && !seen.is_refused()
                && !seen.is("crash")
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: means of nothing are 0",
        backend: "onnxruntime",
        applies: |seen| {
            let means = ["reduce_mean", "negative_log_likelihood_loss", "softmax_cross_entropy_loss"];
            let zero = seen.case.values().is_some_and(|(a, b)| a.is_nan() && b == 0.0);
            means.contains(&seen.layer()) && seen.is_about_values() && seen.is_empty() && zero
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: shapes that are inferred and not given",
        backend: "onnxruntime",
        applies: |seen| {
            let case = seen.case;
            let inferred = match seen.layer() {
                "squeeze" => case.numbers("axes").is_some_and(|axes| axes.is_empty()),
                "max_pool" | "average_pool" | "lp_pool" => {
                    let both = is_same(seen) && case.numbers("padding").is_some();
                    case.is_set("ceil_mode") || both
                }
                "conv_transpose" => case.numbers("output_shape").is_some(),
                _ => false,
            };
            seen.is("wrong shape") && seen.is_by_build() && inferred
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: tensors of eight bits are given as bytes",
        backend: "onnxruntime",
        applies: |seen| {
            seen.is("wrong type")
                && seen.case.expected.starts_with("f8")
                && seen.case.observed.starts_with("u8")
        },
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: wrong results of single operators",
        backend: "onnxruntime",
        applies: |seen| (seen.is_about_values() || seen.is("wrong shape")) && is_listed(seen),
    },
    &Entry {
        heading: "ONNX Runtime 1.31.1: what its kernels do not take",
        backend: "onnxruntime",
        applies: |seen| REFUSED.iter().any(|(layer, words)| seen.layer() == *layer && seen.says(words)),
    },
];

fn is_whole(seen: &Seen) -> bool {
    seen.case.tensors.first().is_some_and(|tensor| tensor.dtype.starts_with(['i', 'u']))
}

/// Whether the cause of a wrong result is one of those in the table.
fn is_listed(seen: &Seen) -> bool {
    let case = seen.case;
    let in_float32 = seen.computes_in("f64") && case.as_float32;
    match seen.layer() {
        "lrn" => case.numbers("size").is_some(),
        "mean_variance_normalization" => seen.is_about_nan(),
        "shrink" | "gelu" => in_float32,
        "dft" => in_float32 || case.is_set("inverse") && case.is_set("onesided"),
        "non_zero" => case.tensors.first().is_some_and(|tensor| tensor.shape.is_empty()),
        "global_max_pool" | "einsum" => seen.is_about_nan(),
        "hardmax" | "arg_max" | "arg_min" | "reduce_min" | "reduce_max" if seen.is_given("nan") => true,
        "scatter_elements" | "scatter_nd" | "unique" | "clip" | "dynamic_quantize_linear" => {
            seen.is_given("nan")
        }
        "gemm" => seen.is_empty(),
        "average_pool" | "lp_pool" => is_same(seen) && leaves_gaps(seen),
        "sign" => seen.is_given("nan") && seen.computes_in("f16"),
        "one_hot" => case.tensors.first().is_some_and(|indices| indices.dtype.starts_with('f')),
        "rnn" | "gru" | "lstm" => case.word("activations").is_some_and(|names| names.contains("Affine")),
        "max_unpool" => case.numbers("output_shape").is_some(),
        "matmul" | "matmul_integer" => seen.case.tensors.iter().all(|tensor| tensor.shape.contains(&0)),
        "quantize_linear" => seen.is_given("zero"),
        "max_pool" => {
            is_lowest(seen)
                || is_same(seen) && leaves_gaps(seen)
                || case.numbers("dilation").is_some() && case.word("auto_pad").is_some()
        }
        "slice" => {
            let backwards = case.numbers("steps").is_some_and(|steps| steps.iter().any(|step| *step < 0));
            let longest = case.tensors.first().and_then(|input| input.shape.iter().max());
            let behind = case.numbers("ends").is_some_and(|ends| ends.iter().any(|end| Some(end) >= longest));
            backwards && behind
        }
        "resize" => {
            let crops = case.word("coordinate_transformation_mode") == Some("tf_crop_and_resize");
            let by_policy = case.numbers("axes").is_some() && case.word("keep_aspect_ratio_policy").is_some();
            let bent = case.float("cubic_coeff_a").is_some();
            // What ratio an empty axis keeps, nobody says.
            let by_policy = by_policy || seen.is_empty() && case.word("keep_aspect_ratio_policy").is_some();
            crops || by_policy || bent && case.values().is_some_and(|(a, b)| (a - b).abs() < 1e-4)
        }
        name => (name.starts_with("reduce_") || name.starts_with("arg_")) && seen.is_empty(),
    }
}

/// Whether windows that are padded so leave something out between them.
fn leaves_gaps(seen: &Seen) -> bool {
    let (Some(steps), Some(lengths)) = (seen.case.numbers("stride"), seen.case.numbers("kernel")) else {
        return false;
    };
    steps.iter().zip(&lengths).any(|(step, length)| step > length)
}

/// Whether it pads so that the size stays.
fn is_same(seen: &Seen) -> bool {
    seen.case.word("auto_pad").is_some_and(|pad| pad.starts_with("SAME"))
}

/// Whether the lowest number was seen where there is none at all.
fn is_lowest(seen: &Seen) -> bool {
    seen.case.values().is_some_and(|(expected, observed)| expected == f64::NEG_INFINITY && observed < -1e38)
}

/// How kernels refuse what the specification allows, by operator.
const REFUSED: &[(&str, &str)] = &[
    ("affine_grid", "must be positive"),
    ("average_pool", "Unsupported pooling size"),
    ("center_crop_pad", "while running Pad node"),
    ("col2im", "must be positive"),
    ("col2im", "must be a positive multiple"),
    ("conv_transpose", "Input spatial dimension must be positive"),
    ("deform_conv", "Input X must be #D"),
    ("dft", "input signal dimension must be greater than zero"),
    ("global_average_pool", "Unsupported pooling size"),
    ("global_lp_pool", "Unsupported pooling size"),
    ("global_max_pool", "Unsupported pooling size"),
    ("grid_sample", "while running GridSample node"),
    ("group_normalization", "Op (Reshape) [ShapeInferenceError]"),
    ("group_normalization", "while running Reshape node"),
    ("gru", "layout_ == # was false"),
    ("gru", "does not support double"),
    ("layer_normalization", "[ShapeInferenceError] Incompatible dimensions"),
    ("layer_normalization", "Op (Reshape) [ShapeInferenceError]"),
    ("lp_pool", "Unsupported kernel dimension"),
    ("lstm", "layout_ == # was false"),
    ("lstm", "does not support double"),
    ("matmul", "left operand cannot broadcast"),
    ("matmul", "right operand cannot broadcast"),
    ("matmul_integer", "while running MatMulInteger node"),
    ("max_pool", "Unsupported pooling size"),
    ("max_unpool", "Unsupported pooling size"),
    ("max_unpool", "output dimension is not positive"),
    ("negative_log_likelihood_loss", "while running GatherElements node"),
    ("pad", "while running Pad node"),
    ("prelu", "while running PRelu node"),
    ("qlinear_matmul", "while running QLinearMatMul node"),
    ("quantize_linear", "while running QuantizeLinear node"),
    ("reduce_max", "is not defined for empty set with bool type"),
    ("reduce_min", "is not defined for empty set with bool type"),
    ("reduce_log_sum", "Validate usage of dim_value"),
    ("resize", "upsamplebase.h"),
    ("resize", "Tensor type mismatch"),
    ("rnn", "Invalid activation attribute"),
    ("rnn", "layout_ == # was false"),
    ("roi_align", "safeint.h"),
    ("scatter_elements", "data type is not supported with ScatterElements"),
    ("scatter_nd", "data type is not supported with ScatterND"),
    ("slice", "Cannot slice scalars"),
    ("softmax_cross_entropy_loss", "Op (Reshape) [ShapeInferenceError]"),
    ("stft", "while running STFT node"),
];
