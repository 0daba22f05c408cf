//! Element by element: arithmetic, comparisons, truths and functions.

use super::operation;
use crate::layer::Layer;
use crate::shared::activation::function;
use crate::types::{in_floats, wider, with_number};
use semantics::operators::gelu::{gelu, gelu_tanh};
use semantics::operators::log_softmax::log_softmax;
use semantics::operators::prelude::*;
use semantics::operators::softmax::softmax;
use semantics::operators::split;

const X: &[Input] = &[tensor("x", REAL_OR_BOOL)];
const PAIR: &[Input] = &[
    tensor("x1", REAL_OR_BOOL).optional(),
    tensor("x2", REAL_OR_BOOL).optional(),
    tensor("x1_number", REAL_OR_BOOL).optional(),
    tensor("x2_number", REAL_OR_BOOL).optional(),
];
const CHOICE: &[Input] = &[
    tensor("condition", REAL_OR_BOOL),
    tensor("x1", REAL_OR_BOOL).optional(),
    tensor("x2", REAL_OR_BOOL).optional(),
    tensor("x1_number", REAL_OR_BOOL).optional(),
    tensor("x2_number", REAL_OR_BOOL).optional(),
];

macro_rules! pairs { ($($name:ident $define:expr, $summary:literal, [$($example:literal),* $(,)?];)*) => {
    &[$(operation(stringify!($name), $summary, PAIR, &[], &["x1", "x2"], $define, &[$($example),*])),*]
}; }
macro_rules! single { ($($name:ident ($($parameter:expr),*) $define:expr, $summary:literal, [$($example:literal),* $(,)?];)*) => {
    &[$(operation(stringify!($name), $summary, X, &[$($parameter),*], &["x"], $define, &[$($example),*])),*]
}; }

macro_rules! of_numbers { ($($name:ident ($($parameter:expr),*) $define:expr, $summary:literal, [$($example:literal),* $(,)?];)*) => {
    &[$(operation(stringify!($name), $summary, X, &[$($parameter),*], &["x"], |call| {
        let x = call.tensor("x")?;
        call.require_kinds("`x` is a number", x, NUMERIC);
        let define: fn(&mut Call) -> Outcome = $define;
        define(call)
    }, &[$($example,)* concat!(stringify!($name), "(bool[2]) fails: `x` is a number")])),*]
}; }
macro_rules! of_floats { ($($name:ident ($($parameter:expr),*) $define:expr, $summary:literal, [$($example:literal),* $(,)?];)*) => {
    &[$(operation(stringify!($name), $summary, X, &[$($parameter),*], &["x"], |call| {
        if call.backend == Backend::TensorFlow {
            let x = call.tensor("x")?;
            call.require_kinds("`x` is floating point", x, FLOAT);
        }
        let define: fn(&mut Call) -> Outcome = $define;
        define(call)
    }, &[$($example,)* concat!(stringify!($name), "(i32[1,4]) fails: `x` is floating point")])),*]
}; }

/// Of two tensors, or of a tensor and a number.
pub static PAIRS: &[Layer] = pairs! {
    Add |call| numbers(call, |a, b| a + b), "The sum.", [
        "Add(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Add(f32[2]{1,2}, f32[2]{3,4}) -> f32[2]{4,6}",
        "Add(f32[N,3], f32[3]) -> f32[N,3]",
        "Add(i32[2]{1,2}, f32[2]{0.5,1}) -> f32[2]{1.5,3}",
        "Add(i32[2]{1,2}, x2_number=f64[]{0.5}) -> f32[2]{1.5,2.5}",
        "Add(f16[2]{1,2}, x2_number=f64[]{0.5}) -> f16[2]{1.5,2.5}",
        "Add(f32[2], f32[3]) fails: the tensors broadcast",
        "Add(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Subtract |call| numbers(call, |a, b| a - b), "The difference.", [
        "Subtract(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Subtract(f32[2]{1,2}, f32[2]{3,5}) -> f32[2]{-2,-3}",
        "Subtract(x2=f32[2]{1,2}, x1_number=i64[]{1}) -> f32[2]{0,-1}",
        "Subtract(f32[2], f32[3]) fails: the tensors broadcast",
        "Subtract(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Multiply |call| numbers(call, |a, b| a * b), "The product.", [
        "Multiply(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Multiply(f32[2]{1,2}, f32[2]{3,4}) -> f32[2]{3,8}",
        "Multiply(i32[2]{1,2}, x2_number=i64[]{3}) -> i32[2]{3,6}",
        "Multiply(f32[2], f32[3]) fails: the tensors broadcast",
        "Multiply(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Divide divide, "The quotient, in floats.", [
        "Divide(i32[2]{1,2}, i32[2]{2,2}) -> f32[2]{0.5,1}",
        "Divide(f32[2], f32[3]) fails: the tensors broadcast",
        "Divide(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    TrueDivide divide, "The quotient, in floats.", [
        "TrueDivide(f32[2]{1,2}, x2_number=i64[]{4}) -> f32[2]{0.25,0.5}",
        "TrueDivide(f32[2], f32[3]) fails: the tensors broadcast",
        "TrueDivide(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Maximum |call| numbers(call, |a, b| a.max(b)), "The larger one.", [
        "Maximum(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Maximum(f32[2]{-1,2}, x2_number=f64[]{0}) -> f32[2]{0,2}",
        "Maximum(f32[2], f32[3]) fails: the tensors broadcast",
        "Maximum(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Minimum |call| numbers(call, |a, b| a.min(b)), "The smaller one.", [
        "Minimum(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Minimum(f32[2]{-1,2}, x2_number=f64[]{0}) -> f32[2]{-1,0}",
        "Minimum(f32[2], f32[3]) fails: the tensors broadcast",
        "Minimum(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Power |call| arithmetic(call, |a, b| a.pow(b)), "The first to the power of the second.", [
        "Power(f32[2]{1,3}, x2_number=i64[]{2}) -> f32[2]{1,9}",
        "Power(f32[2], f32[3]) fails: the tensors broadcast",
        "Power(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Equal |call| compared(call, |a, b| a.eq(b)), "Whether they are equal.", [
        "Equal(i32[2]{1,2}, x2_number=i64[]{2}) -> bool[2]{0,1}",
        "Equal(f32[2], f32[3]) fails: the tensors broadcast",
        "Equal(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    NotEqual |call| compared(call, |a, b| a.ne(b)), "Whether they differ.", [
        "NotEqual(i32[2]{1,0}, x2_number=i64[]{0}) -> bool[2]{1,0}",
        "NotEqual(f32[2], f32[3]) fails: the tensors broadcast",
        "NotEqual(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Greater |call| ordered(call, |a, b| a.gt(b)), "Whether the first is larger.", [
        "Greater(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Greater(f32[2]{1,0}, x2_number=i64[]{0}) -> bool[2]{1,0}",
        "Greater(f32[2], f32[3]) fails: the tensors broadcast",
        "Greater(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    GreaterEqual |call| ordered(call, |a, b| a.ge(b)), "Whether the first is not smaller.", [
        "GreaterEqual(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "GreaterEqual(f32[2]{-1,0}, x2_number=i64[]{0}) -> bool[2]{0,1}",
        "GreaterEqual(f32[2], f32[3]) fails: the tensors broadcast",
        "GreaterEqual(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Less |call| ordered(call, |a, b| a.lt(b)), "Whether the first is smaller.", [
        "Less(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "Less(f32[2]{-1,0}, x2_number=i64[]{0}) -> bool[2]{1,0}",
        "Less(f32[2], f32[3]) fails: the tensors broadcast",
        "Less(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    LessEqual |call| ordered(call, |a, b| a.le(b)), "Whether the first is not larger.", [
        "LessEqual(bool[2], bool[2]) fails: `x1` or `x2` is a number",
        "LessEqual(f32[2]{1,0}, x2_number=i64[]{0}) -> bool[2]{0,1}",
        "LessEqual(f32[2], f32[3]) fails: the tensors broadcast",
        "LessEqual(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    LogicalAnd |call| truths(call, |a, b| a.and(b)), "Whether both are true.", [
        "LogicalAnd(bool[2]{1,0}, bool[2]{1,1}) -> bool[2]{1,0}",
        "LogicalAnd(bool[2], bool[3]) fails: the tensors broadcast",
        "LogicalAnd(bool[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    LogicalXor |call| truths(call, |a, b| a.xor(b)), "Whether just one is true.", [
        "LogicalXor(bool[2]{1,0}, bool[2]{1,1}) -> bool[2]{0,1}",
        "LogicalXor(bool[2], bool[3]) fails: the tensors broadcast",
        "LogicalXor(bool[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    FloorDivide |call| {
        rounded_down(call, |a, b| if a.kind().is_float() { (a / b).floor() } else { a.floor_div(b) })
    }, "The quotient without what is left.", [
        "FloorDivide(f32[2]{7,-7}, x2_number=i64[]{2}) -> f32[2]{3,-4}",
        "FloorDivide(i32[2]{7,-7}, x2_number=i64[]{2}) -> i32[2]{3,-4}",
        "FloorDivide(i32[2], x2_number=i64[]{0}) fails: no integer is divided by zero",
        "FloorDivide(f32[2], f32[3]) fails: the tensors broadcast",
        "FloorDivide(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    Mod |call| rounded_down(call, |a, b| a.modulo(b)), "What is left of a division, of the sign of the divisor.", [
        "Mod(f32[2]{7,-7}, x2_number=i64[]{4}) -> f32[2]{3,1}",
        "Mod(i32[2]{7,-7}, x2_number=i64[]{-4}) -> i32[2]{-1,-3}",
        "Mod(i32[2], x2_number=i64[]{0}) fails: no integer is divided by zero",
        "Mod(f32[2], f32[3]) fails: the tensors broadcast",
        "Mod(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    DivideNoNan |call| {
        let ([a, b], kind, shape) = operands(call, &[])?;
        let kind = in_floats(kind);
        one(zip(in_type(a, kind), in_type(b, kind), kind, shape, |a, b| {
            let zero = Element::constant(b.kind(), 0.0);
            b.eq(0.0).select(zero, a / b.eq(0.0).select(Element::constant(b.kind(), 1.0), b))
        }))
    }, "The quotient, 0 where the divisor is.", [
        "DivideNoNan(f32[2]{1,2}, f32[2]{0,4}) -> f32[2]{0,0.5}",
        "DivideNoNan(f32[2], f32[3]) fails: the tensors broadcast",
        "DivideNoNan(f32[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
    LogicalOr |call| truths(call, |a, b| a.or(b)), "Whether one is true.", [
        "LogicalOr(bool[2]{1,0}, f32[2]{0,0}) -> bool[2]{1,0}",
        "LogicalOr(bool[2], bool[3]) fails: the tensors broadcast",
        "LogicalOr(bool[2]) fails: `x1` and `x2` are tensors or numbers",
    ];
};

/// Elements of one or another.
pub static CHOICES: &[Layer] = &[operation(
    "Where",
    "Elements of one tensor or of another, as a condition says.",
    CHOICE,
    &[],
    &["condition", "x1", "x2"],
    choose,
    &[
        "Where(bool[2]{1,0}, f32[2]{1,2}, f32[2]{3,4}) -> f32[2]{1,4}",
        "Where(bool[2]{1,0}, f32[2]{1,2}, x2_number=f64[]{0}) -> f32[2]{1,0}",
        "Where(bool[3], f32[2], f32[2]) fails: the tensors broadcast",
        "Where(bool[2]) fails: `x1` and `x2` are tensors or numbers",
    ],
)];

/// Of one tensor.
pub static SINGLE: &[Layer] = single! {
    Absolute () |call| of_numbers_alone(call, Element::abs), "The magnitude.", ["Absolute(f32[2]{1,-2}) -> f32[2]{1,2}"];
    Abs () |call| of_numbers_alone(call, Element::abs), "The magnitude.", ["Abs(f32[2]{1,-2}) -> f32[2]{1,2}"];
    Square () |call| {
        let x = call.tensor("x")?;
        let kind = call.kind(x)?;
        let kind = if kind == Kind::Bool { Kind::I32 } else { kind };
        one(map(in_type(x, kind), kind, |x| x * x))
    }, "The square.", ["Square(i32[2]{1,-2}) -> i32[2]{1,4}", "Square(bool[2]) -> i32[2]"];
    Sqrt () |call| float(call, Element::sqrt), "The square root.", ["Sqrt(i32[2]{1,4}) -> f32[2]{1,2}"];
    Exp () |call| float(call, Element::exp), "The exponential.", ["Exp(f32[1]{0}) -> f32[1]{1}"];
    Expm1 () |call| float(call, Element::expm1), "The exponential less 1.", ["Expm1(f32[1]{0}) -> f32[1]{0}"];
    Log () |call| float(call, Element::ln), "The logarithm.", ["Log(f32[1]{1}) -> f32[1]{0}"];
    Log1p () |call| float(call, Element::log1p), "The logarithm of 1 more.", ["Log1p(f32[1]{0}) -> f32[1]{0}"];
    Sin () |call| float(call, Element::sin), "The sine.", ["Sin(f32[1]{0}) -> f32[1]{0}"];
    Cos () |call| float(call, Element::cos), "The cosine.", ["Cos(f32[1]{0}) -> f32[1]{1}"];
    Tan () |call| float(call, Element::tan), "The tangent.", ["Tan(f32[1]{0}) -> f32[1]{0}"];
    Tanh () |call| float(call, Element::tanh), "The hyperbolic tangent.", ["Tanh(f32[1]{0}) -> f32[1]{0}"];
    Sinh () |call| float(call, Element::sinh), "The hyperbolic sine.", ["Sinh(f32[1]{0}) -> f32[1]{0}"];
    Cosh () |call| float(call, Element::cosh), "The hyperbolic cosine.", ["Cosh(f32[1]{0}) -> f32[1]{1}"];
    Arcsin () |call| float(call, Element::asin), "The angle of a sine.", ["Arcsin(f32[1]{0}) -> f32[1]{0}"];
    Arccos () |call| float(call, Element::acos), "The angle of a cosine.", ["Arccos(f32[1]{1}) -> f32[1]{0}"];
    Arctan () |call| float(call, Element::atan), "The angle of a tangent.", ["Arctan(f32[1]{0}) -> f32[1]{0}"];
    Log2 () |call| float(call, |x| x.ln() / std::f64::consts::LN_2), "The logarithm to the base 2.", ["Log2(f32[1]{1}) -> f32[1]{0}"];
    Log10 () |call| float(call, |x| x.ln() / std::f64::consts::LN_10), "The logarithm to the base 10.", ["Log10(f32[1]{1}) -> f32[1]{0}"];
    Trunc () |call| of_numbers_alone(call, |x| if x.kind().is_float() { x.trunc() } else { x }), "What is before the point.", ["Trunc(f32[2]{1.5,-1.5}) -> f32[2]{1,-1}"];
    Isfinite () |call| {
        let x = call.tensor("x")?;
        let kind = in_floats(call.kind(x)?);
        one(map(x, Kind::Bool, move |x| x.cast(kind).abs().lt(f64::INFINITY)))
    }, "Whether it is a number that is not infinite.", ["Isfinite(f32[3]{nan,1,inf}) -> bool[3]{0,1,0}"];
    Copy () |call| one(call.tensor("x")?), "The tensor itself.", ["Copy(f32[2]) -> f32[2]"];
    OneHot (CLASSES, LAST, TYPE) |call| {
        let x = call.tensor("x")?;
        let kind = call.optional_type("dtype")?.unwrap_or(Kind::F32);
        let classes = call.int("num_classes")?;
        call.require_value("`num_classes` is not negative", classes.ge(0));
        let widest = x.shape().followed_by([classes]);
        if call.backend == Backend::TensorFlow {
            let axis = call.int("axis")?;
            let counted = axis.ge(0) & axis.lt(x.shape().rank());
            call.require_value("`axis` is -1, or an axis of `x`", axis.eq(-1) | counted);
        }
        let axis = call.axis("axis", "`axis` is within the rank of the output", widest)?;
        let shape = x.shape().with_inserted(axis, classes);
        one(Tensor::from_elements(kind, shape, move |index| {
            let mut place = index.to_vec();
            let at = place.remove(position(axis, index.len()));
            let hot = x.at(&place).cast(Kind::I64).eq(Element::index(Kind::I64, at));
            hot.select(Element::constant(kind, 1.0), Element::constant(kind, 0.0))
        }))
    }, "A new axis that is 1 at the class and 0 elsewhere.", [
        "OneHot(i32[2]{0,-1}, num_classes=3) -> f32[2,3]{1,0,0,0,0,0}",
        "OneHot(i32[N], num_classes=3, axis=0, dtype=i32) -> i32[3,N]",
        "OneHot(i32[2], num_classes=3, axis=2) on torch fails: `axis` is within the rank of the output",
        "OneHot(i32[2], num_classes=3, axis=-2) fails: `axis` is -1, or an axis of `x`",
        "OneHot(i32[2], num_classes=3, axis=-2) on torch -> f32[3,2]",
        "OneHot(i32[2], num_classes=-1) fails: `num_classes` is not negative",
        "OneHot(i32[2]) fails: `num_classes` is given",
    ];
    Floor () |call| float(call, Element::floor), "The next integer below.", ["Floor(f32[1]{1.5}) -> f32[1]{1}"];
    Ceil () |call| float(call, Element::ceil), "The next integer above.", ["Ceil(f32[1]{1.5}) -> f32[1]{2}"];
    LogicalNot () |call| {
        let x = call.tensor("x")?;
        let kind = call.kind(x)?;
        one(map(x, Kind::Bool, move |x| truth(x, kind).negated()))
    }, "What is true where it is not.", ["LogicalNot(bool[2]{1,0}) -> bool[2]{0,1}"];
    Isnan () |call| {
        let x = call.tensor("x")?;
        let kind = in_floats(call.kind(x)?);
        one(map(x, Kind::Bool, move |x| x.cast(kind).is_nan()))
    }, "Whether it is no number.", ["Isnan(f32[2]{nan,1}) -> bool[2]{1,0}"];
    ZerosLike (TYPE) |call| filled(call, 0.0), "Zeros.", [
        "ZerosLike(f32[2]) -> f32[2]{0,0}",
        "ZerosLike(f32[2], dtype=bool) -> bool[2]{0,0}",
    ];
    OnesLike (TYPE) |call| filled(call, 1.0), "Ones.", ["OnesLike(f32[2], dtype=bool) -> bool[2]{1,1}"];
    Cast (TYPE) cast_to, "The elements in another type.", ["Cast(i32[2]{1,2}, dtype=f32) -> f32[2]{1,2}"];
    ConvertToTensor (TYPE) cast_to, "The tensor itself, or in another type.", ["ConvertToTensor(bool[2]) -> bool[2]"];
    StopGradient () |call| one(call.tensor("x")?), "The tensor itself.", ["StopGradient(f32[2]) -> f32[2]"];
    Clip (LOW, HIGH) |call| {
        let (low, high) = (call.float("x_min")?, call.float("x_max")?);
        let x = call.tensor("x")?;
        let kind = call.kind(x)?;
        let kind = if kind == Kind::Bool { Kind::I32 } else { kind };
        // TensorFlow brings the ends to the type of the tensor, if they are there in it.
        let whole = low.fract() == 0.0 && high.fract() == 0.0;
        let label = "the ends are whole where `x` is";
        call.insist(IncompatibleType, label, call.backend == Backend::Torch || kind.is_float() || whole)?;
        one(map(in_type(x, kind), kind, move |x| x.max(low).min(high)))
    }, "What lies between two numbers, or the nearer one.", [
        "Clip(f32[3]{-1,0.5,2}, x_min=0, x_max=1) -> f32[3]{0,0.5,1}",
        "Clip(i32[3], x_min=-0.5, x_max=2) fails: the ends are whole where `x` is",
        "Clip(f32[3]) fails: `x_min` is given",
        "Clip(f32[3], x_min=0) fails: `x_max` is given",
    ];
};

/// Of a number, and no truth.
pub static OF_NUMBERS: &[Layer] = of_numbers! {
    Negative () |call| same(call, |x| -x), "The negative.", ["Negative(f32[2]{1,-2}) -> f32[2]{-1,2}"];
    Sign () |call| same(call, Element::sign), "The sign.", ["Sign(f32[2]{3,-2}) -> f32[2]{1,-1}"];
    Relu () |call| named(call, "relu"), "What is positive.", ["Relu(f32[2]{-1,2}) -> f32[2]{0,2}"];
    Relu6 () |call| named(call, "relu6"), "What lies between 0 and 6.", ["Relu6(f32[2]{-1,9}) -> f32[2]{0,6}"];
    LeakyRelu (SLOPE) |call| {
        let slope = call.float("negative_slope")?;
        float(call, move |x| x.ge(0.0).select(x, x * slope))
    }, "What is positive, and a slope below.", ["LeakyRelu(f32[2]{-1,2}) -> f32[2]{-0.2,2}"];
};

/// What TensorFlow computes of floats alone.
pub static OF_FLOATS: &[Layer] = of_floats! {
    Rsqrt () |call| float(call, |x| 1.0 / x.sqrt()), "One by the square root.", ["Rsqrt(f32[2]{1,4}) -> f32[2]{1,0.5}"];
    Reciprocal () |call| float(call, Element::reciprocal), "One by it.", ["Reciprocal(f32[1]{4}) -> f32[1]{0.25}"];
    Erf () |call| float(call, Element::erf), "The error function.", ["Erf(f32[1]{0}) -> f32[1]{0}"];
    Elu (ALPHA) |call| {
        let alpha = call.float("alpha")?;
        float(call, move |x| x.gt(0.0).select(x, (x.min(0.0).exp() - 1.0) * alpha))
    }, "What is positive, and an exponential below.", ["Elu(f32[2]{0,2}) -> f32[2]{0,2}"];
    Celu (ALPHA) |call| {
        let alpha = call.float("alpha")?;
        float(call, move |x| x.max(0.0) + (x / alpha).min(0.0).expm1() * alpha)
    }, "What is positive, and an exponential below that is as steep.", ["Celu(f32[2]{0,2}) -> f32[2]{0,2}"];
    Normalize (LAST, ORDER) |call| {
        let x = call.tensor("x")?;
        let order = call.int("order")?;
        if call.positions("order", &[order])? != [2] {
            return Err(Stop::Unknown("a norm of another order than 2 is not modelled".into()));
        }
        let kind = in_floats(call.kind(x)?);
        let axis = call.axis("axis", "`axis` is within the rank", x.shape())?;
        let axis = position(axis, call.known_sizes(x)?.len());
        let squares = reduce_map(Fold::Sum, in_type(x, kind), kind, &[axis], true, |x| x * x);
        one(zip(in_type(x, kind), squares, kind, x.shape(), |x, square| {
            x * square.sqrt().reciprocal().min(1e7)
        }))
    }, "Vectors of length 1 along an axis.", [
        "Normalize(f32[1,2]{3,4}) -> f32[1,2]{0.6,0.8}",
        "Normalize(f32[2,3], axis=2) fails: `axis` is within the rank",
    ];
    Glu (LAST) |call| {
        let x = call.tensor("x")?;
        let axis = call.axis("axis", "`axis` is within the rank", x.shape())?;
        let size = x.shape().size(axis);
        call.demand(IncompatibleShape, "the axis falls into two halves", Dim::from(2).divides(size))?;
        let half = size.div_floor(2);
        let halves = split::cut(x, axis, &[half, half]);
        one(zip(halves[0], halves[1], x.dtype(), halves[0].shape(), |a, b| a * b.sigmoid()))
    }, "One half by the logistic function of the other.", [
        "Glu(f32[N,4]) -> f32[N,2]",
        "Glu(f32[2,3], axis=2) fails: `axis` is within the rank",
        "Glu(f32[2,3]) fails: the axis falls into two halves",
    ];
    Sigmoid () |call| named(call, "sigmoid"), "The logistic function.", ["Sigmoid(f32[1]{0}) -> f32[1]{0.5}"];
    Silu () |call| named(call, "silu"), "The number by its logistic function.", ["Silu(f32[1]{0}) -> f32[1]{0}"];
    Softplus () |call| named(call, "softplus"), "A smooth maximum with 0.", ["Softplus(f32[N]) -> f32[N]"];
    Softsign () |call| named(call, "softsign"), "The number by 1 and its magnitude.", ["Softsign(f32[1]{1}) -> f32[1]{0.5}"];
    HardSigmoid () |call| named(call, "hard_sigmoid"), "A line between 0 and 1.", ["HardSigmoid(f32[1]{0}) -> f32[1]{0.5}"];
    HardSilu () |call| named(call, "hard_silu"), "The number by a line between 0 and 1.", ["HardSilu(f32[1]{3}) -> f32[1]{3}"];
    HardTanh () |call| named(call, "hard_tanh"), "What lies between -1 and 1.", ["HardTanh(f32[1]{3}) -> f32[1]{1}"];
    Selu () |call| named(call, "selu"), "A scaled exponential unit.", ["Selu(f32[1]{0}) -> f32[1]{0}"];
    Gelu (APPROXIMATE) |call| {
        let approximate = call.flag("approximate")?;
        float(call, move |x| if approximate { gelu_tanh(x) } else { gelu(x) })
    }, "The number by the normal distribution up to it.", ["Gelu(f32[1]{0}) -> f32[1]{0}"];
    SparsePlus () |call| named(call, "sparse_plus"), "A smooth maximum with 0, made of pieces.", ["SparsePlus(f32[1]{3}) -> f32[1]{3}"];
    SparseSigmoid () |call| named(call, "sparse_sigmoid"), "A line between 0 and 1.", ["SparseSigmoid(f32[1]{0}) -> f32[1]{0.5}"];
    Squareplus (CURVE) |call| {
        let b = call.float("b")?;
        float(call, move |x| (x + (x * x + b).sqrt()) * 0.5)
    }, "A smooth maximum with 0, by a root.", ["Squareplus(f32[1]{0}) -> f32[1]{1}"];
    TanhShrink () |call| named(call, "tanh_shrink"), "The number less its hyperbolic tangent.", ["TanhShrink(f32[1]{0}) -> f32[1]{0}"];
    LogSigmoid () |call| named(call, "log_sigmoid"), "The logarithm of the logistic function.", ["LogSigmoid(f32[N]) -> f32[N]"];
    Softmax (AXIS) |call| along(call, softmax), "Positive numbers that sum to 1 along an axis.", [
        "Softmax(f32[1,2]{3,3}) -> f32[1,2]{0.5,0.5}",
        "Softmax(f32[2,3], axis=[2]) fails: `axis` is within the rank",
        "Softmax(f32[2,3], axis=[1,1]) fails: no axis is named twice",
    ];
    LogSoftmax (AXIS) |call| along(call, log_softmax), "Their logarithms.", [
        "LogSoftmax(f32[N,2]) -> f32[N,2]",
        "LogSoftmax(f32[2,3], axis=[2]) fails: `axis` is within the rank",
        "LogSoftmax(f32[2,3], axis=[1,1]) fails: no axis is named twice",
    ];
};

const TYPE: Parameter = Parameter { name: "dtype", kind: ParameterKind::Type, default: Preset::Absent };
const LOW: Parameter = semantics::operator::float("x_min");
const HIGH: Parameter = semantics::operator::float("x_max");
const SLOPE: Parameter = semantics::operator::float("negative_slope").or_float(0.2);
const ALPHA: Parameter = semantics::operator::float("alpha").or_float(1.0);
const ORDER: Parameter = int("order").or(2);
const CURVE: Parameter = semantics::operator::float("b").or_float(4.0);
const APPROXIMATE: Parameter = flag("approximate").or_flag(true);
const CLASSES: Parameter = int("num_classes");
const LAST: Parameter = int("axis").or(-1);
const AXIS: Parameter = ints("axis").or(-1);

/// Two operands in one type, the type, and the shape they broadcast to with `others`.
fn operands(call: &mut Call, others: &[Tensor]) -> Result<([Tensor; 2], Kind, Shape), Stop> {
    let given = ["x1", "x2"].map(|name| call.optional(name));
    let numbers = ["x1_number", "x2_number"].map(|name| call.optional(name));
    let both = given.iter().zip(&numbers).all(|(given, number)| given.is_some() || number.is_some());
    call.insist(IllegalValue, "`x1` and `x2` are tensors or numbers", both)?;
    let mut kind: Option<Kind> = None;
    for tensor in given.into_iter().flatten() {
        let own = call.kind(tensor)?;
        kind = Some(kind.map_or(own, |kind| wider(kind, own)));
    }
    for number in numbers.into_iter().flatten() {
        let own = call.kind(number)?;
        // Numbers alone have the types that Keras gives them.
        let alone = if own.is_float() {
            Kind::F32
        } else if own.is_int() {
            Kind::I32
        } else {
            own
        };
        kind = Some(kind.map_or(alone, |kind| with_number(kind, own)));
    }
    let kind = kind.unwrap_or(Kind::F32);
    let both: Vec<Tensor> =
        given.into_iter().zip(numbers).filter_map(|(given, number)| given.or(number)).collect();
    let all: Vec<Tensor> = both.iter().chain(others).copied().collect();
    let shape = call.broadcast("the tensors broadcast", &all);
    Ok(([both[0], both[1]].map(|tensor| in_type(tensor, kind)), kind, shape))
}

fn in_type(tensor: Tensor, kind: Kind) -> Tensor {
    if tensor.dtype().known() == Some(kind) { tensor } else { cast(tensor, kind) }
}

fn arithmetic(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let ([a, b], kind, shape) = operands(call, &[])?;
    one(zip(a, b, kind, shape, f))
}

/// A division whose quotient is rounded down.
fn rounded_down(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let ([a, b], kind, shape) = operands(call, &[])?;
    if kind.is_int() {
        call.require_of("no integer is divided by zero", b, |divisors| {
            Prop::all(divisors.iter().map(|divisor| divisor.ne(0)))
        });
    } else if !kind.is_float() {
        return Err(Stop::Unknown("a division of truths is not modelled".into()));
    }
    one(zip(a, b, kind, shape, f))
}

fn divide(call: &mut Call) -> Outcome {
    let ([a, b], kind, shape) = operands(call, &[])?;
    let kind = in_floats(kind);
    one(zip(in_type(a, kind), in_type(b, kind), kind, shape, |a, b| a / b))
}

fn compared(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let ([a, b], _, shape) = operands(call, &[])?;
    one(zip(a, b, Kind::Bool, shape, f))
}

fn truths(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let ([a, b], kind, shape) = operands(call, &[])?;
    one(zip(a, b, Kind::Bool, shape, move |a, b| f(truth(a, kind), truth(b, kind))))
}

/// Truths alone have no such kernel on TensorFlow.
fn require_number(call: &mut Call) -> Result<(), Stop> {
    if call.backend == Backend::Torch {
        return Ok(());
    }
    let given = ["x1", "x2", "x1_number", "x2_number"].into_iter().filter_map(|name| call.optional(name));
    let kinds = given.map(|tensor| call.kind(tensor)).collect::<Result<Vec<Kind>, Stop>>()?;
    let some = kinds.is_empty() || kinds.iter().any(|kind| *kind != Kind::Bool);
    call.insist(IncompatibleType, "`x1` or `x2` is a number", some)
}

fn numbers(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    require_number(call)?;
    arithmetic(call, f)
}

fn ordered(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    require_number(call)?;
    compared(call, f)
}

/// Whether it is not zero.
pub(super) fn truth(x: Element, kind: Kind) -> Element {
    if kind == Kind::Bool { x } else { x.ne(0.0) }
}

fn choose(call: &mut Call) -> Outcome {
    let condition = call.tensor("condition")?;
    let of = call.kind(condition)?;
    let ([a, b], kind, shape) = operands(call, &[condition])?;
    one(Tensor::from_elements(kind, shape, move |index| {
        let chosen = truth(condition.broadcast_in(shape, index), of);
        chosen.select(a.broadcast_in(shape, index), b.broadcast_in(shape, index))
    }))
}

fn same(call: &mut Call, f: impl Fn(Element) -> Element + 'static) -> Outcome {
    let x = call.tensor("x")?;
    one(map(x, x.dtype(), f))
}

/// Truths are what they are.
fn of_numbers_alone(call: &mut Call, f: impl Fn(Element) -> Element + 'static) -> Outcome {
    same(call, move |x| if x.kind() == Kind::Bool { x } else { f(x) })
}

fn float(call: &mut Call, f: impl Fn(Element) -> Element + 'static) -> Outcome {
    let x = call.tensor("x")?;
    let kind = in_floats(call.kind(x)?);
    one(map(in_type(x, kind), kind, f))
}

fn named(call: &mut Call, name: &str) -> Outcome {
    let f =
        function(name).ok_or_else(|| Stop::Unknown(format!("the activation `{name}` is not modelled")))?;
    same(call, f)
}

fn filled(call: &mut Call, value: f64) -> Outcome {
    let x = call.tensor("x")?;
    let kind = call.optional_type("dtype")?.map_or_else(|| call.kind(x), Ok)?;
    one(full(kind, x.shape(), value))
}

fn cast_to(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    one(call.optional_type("dtype")?.map_or(x, |kind| in_type(x, kind)))
}

fn along(call: &mut Call, f: fn(Tensor, &[usize]) -> Tensor) -> Outcome {
    let x = call.tensor("x")?;
    let kind = in_floats(call.kind(x)?);
    let axes = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let axes = call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", x.shape())?;
    one(f(in_type(x, kind), &axes))
}
