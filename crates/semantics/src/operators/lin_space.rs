//! Numbers at equal distances.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "lin_space",
    summary: "`num` numbers at equal distances, from `start` to `stop`.",
    inputs: &[tensor("start", FLOAT), tensor("stop", FLOAT).like("start")],
    parameters: &[int("num")],
    outputs: &["output"],
    spellings: &[tensorflow("LinSpace(start, stop, num:scalar)")],
    define,
    examples: &[
        "lin_space(f32[]{0}, f32[]{1}, num=3) -> f32[3]{0,0.5,1}",
        "lin_space(f32[], f32[], num=N) -> f32[N]",
        "lin_space(f32[]{3}, f32[]{9}, num=1) -> f32[1]{3}",
        "lin_space(f32[2], f32[], num=3) fails: `start` and `stop` are scalars",
        "lin_space(f32[], f32[], num=0) fails: `num` is positive",
        "lin_space(f32[], f32[]) fails: `num` is given",
        "lin_space(i32[], i32[], num=2) fails: `start` is floating point",
        "lin_space(f32[], f64[], num=2) fails: `stop` has the element type of `start`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (start, stop) = (call.tensor("start")?, call.tensor("stop")?);
    let scalars = start.shape().rank().eq(0) & stop.shape().rank().eq(0);
    call.demand(IncompatibleShape, "`start` and `stop` are scalars", scalars)?;
    let num = call.int_or_symbol("num", 1, LARGEST_SIZE);
    call.require_value("`num` is positive", num.ge(1));
    one(Tensor::from_elements(start.dtype(), Shape::new([num]), move |index| {
        let (start, stop, kind) = (start.at(&[]), stop.at(&[]), start.kind());
        let steps = Element::index(Kind::I64, (num - 1).max(1)).cast(kind);
        let inner = start + (stop - start) / steps * Element::index(Kind::I64, index[0]).cast(kind);
        // The last one is hit exactly.
        Element::when(index[0].eq(num - 1) & num.gt(1), stop, inner)
    }))
}
