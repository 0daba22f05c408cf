//! Product of two matrices, scaled, plus a bias.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "gemm",
    summary: "`alpha` times the product of two matrices, each transposed on request, plus `beta` times `bias`.",
    inputs: &[tensor("a", WIDE), tensor("b", WIDE).like("a"), tensor("bias", WIDE).like("a").optional()],
    parameters: &[
        float("alpha").or_float(1.0),
        float("beta").or_float(1.0),
        flag("transpose_a").or_flag(false),
        flag("transpose_b").or_flag(false),
        flag("broadcast").or_flag(true),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Gemm(a, b, bias; alpha, beta, transA as transpose_a, transB as transpose_b, broadcast=0)")
            .adapted(with_bias),
        onnx(7, "Gemm(a, b, bias; alpha, beta, transA as transpose_a, transB as transpose_b)")
            .adapted(with_bias),
        onnx(11, "Gemm(a, b, bias; alpha, beta, transA as transpose_a, transB as transpose_b)"),
        tensorflow("MatMul(a, b; transpose_a, transpose_b, !grad_a, !grad_b)"),
    ],
    define,
    examples: &[
        "gemm(f32[N,3], f32[3,4], f32[4]) -> f32[N,4]",
        "gemm(f32[3,N], f32[4,3], transpose_a=true, transpose_b=true) -> f32[N,4]",
        "gemm(f32[1,2]{1,2}, f32[2,2]{1,2,3,4}, f32[2]{10,20}, alpha=0.5, beta=2) -> f32[1,2]{23.5,45}",
        "gemm(f32[2,3], f32[3,4], f32[2,1]) -> f32[2,4]",
        "gemm(f32[2,0], f32[0,2], f32[]{3}) -> f32[2,2]{3,3,3,3}",
        "gemm(f32[1,1]{1}, f32[1,1]{2}, f32[1]{nan}, beta=0) -> f32[1,1]{2}",
        "gemm(i32[1,2]{1,2}, i32[2,1]{3,4}, i32[1]{1}, alpha=0.5, beta=1.5) -> i32[1,1]{7}",
        "gemm(f32[2,3], f32[3,4], f32[...]) -> f32[2,4]",
        "gemm(f32[3], f32[3,4]) fails: `a` is a matrix",
        "gemm(f32[2,3], f32[1,3,4]) fails: `b` is a matrix",
        "gemm(f32[2,3], f32[4,3]) fails: `a` has as many columns as `b` has rows",
        "gemm(f32[2,3], f32[3,4], f32[2]) fails: `bias` broadcasts to the product of `a` and `b`",
        "gemm(f32[1,3], f32[3,4], f32[2,4]) fails: `bias` broadcasts to the product of `a` and `b`",
        "gemm(f32[2,3], f32[3,4], f32[1,1,4]) fails: `bias` broadcasts to the product of `a` and `b`",
        "gemm(f32[2,3], f32[3,4], f32[4], broadcast=false) fails: `bias` has the shape of the product",
        "gemm(bool[2,3], bool[3,4]) fails: `a` is a number type of at least 32 bits or half precision",
        "gemm(f32[2,3], f64[3,4]) fails: `b` has the element type of `a`",
        "gemm(f32[2,3], f32[3,4], f64[4]) fails: `bias` has the element type of `a`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b, bias) = (call.tensor("a")?, call.tensor("b")?, call.optional("bias"));
    let (alpha, beta) = (call.float("alpha")?, call.float("beta")?);
    let left = matrix(call, "`a` is a matrix", a, "transpose_a")?;
    let right = matrix(call, "`b` is a matrix", b, "transpose_b")?;
    let fits = left.shape().size(Front(1)).eq(right.shape().size(Front(0)));
    call.require_shape("`a` has as many columns as `b` has rows", fits);
    let shape = Shape::new([left.shape().size(Front(0)), right.shape().size(Front(1))]);
    if let Some(bias) = bias {
        if call.flag("broadcast")? {
            call.require_broadcast_to("`bias` broadcasts to the product of `a` and `b`", bias, shape);
        } else {
            call.require_shape("`bias` has the shape of the product", bias.shape().same(shape));
        }
    }

    // A zero `beta` leaves the bias out, even where it is not a number; a factor of 1 is no step of its own.
    let bias = bias.filter(|_| beta != 0.0);
    let product = matmul(left, right, Shape::scalar());
    one(Tensor::from_elements(a.dtype(), shape, move |index| {
        let kind = a.kind();
        // Integers are scaled as real numbers, then cut.
        let exact = if kind.is_int() { Kind::F64 } else { kind };
        let scaled = |x: Element, factor: f64| if factor == 1.0 { x } else { x.cast(exact) * factor };
        let product = scaled(product.at(index), alpha);
        let Some(bias) = bias else { return product.cast(kind) };
        let bias = scaled(bias.broadcast_at(index), beta);
        let sum_kind = if alpha == 1.0 && beta == 1.0 { kind } else { exact };
        (product.cast(sum_kind) + bias.cast(sum_kind)).cast(kind)
    }))
}

/// Before version 11 the bias is not optional.
fn with_bias(call: &mut Call) -> Outcome {
    let given = call.optional("bias").is_some();
    call.insist(IllegalValue, "`bias` is given", given)?;
    define(call)
}

fn matrix(call: &mut Call, label: &'static str, tensor: Tensor, transposed: &str) -> Result<Tensor, Stop> {
    let sizes = call.sizes(label, tensor, 2)?;
    let tensor = tensor.with_shape(Shape::new(sizes));
    Ok(if call.flag(transposed)? { transpose(tensor, &[1, 0]) } else { tensor })
}
