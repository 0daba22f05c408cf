//! Reorders the axes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "transpose",
    summary: "Puts axis `order[k]` at position `k`; reverses the axes if no order is given.",
    inputs: &[tensor("input", ANY)],
    parameters: &[ints("order").optional()],
    outputs: &["output"],
    spellings: &[onnx(1, "Transpose(input; perm as order)"), tensorflow("Transpose(input, order)")],
    define,
    examples: &[
        "transpose(f32[N,3,5]) -> f32[5,3,N]",
        "transpose(f32[2,3,5], order=[1,0,2]) -> f32[3,2,5]",
        "transpose(i64[2,2]{1,2,3,4}) -> i64[2,2]{1,3,2,4}",
        "transpose(f32[2,3], order=[0]) fails: `order` names each axis once",
        "transpose(f32[2,3], order=[0,0]) fails: `order` names each axis once",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let mut input = call.tensor("input")?;
    let given = call.optional_ints("order")?;
    if let Some(order) = &given {
        call.demand(IllegalValue, "`order` names each axis once", input.shape().rank().eq(order.len()))?;
        if input.shape().known_rank().is_none() {
            let sizes = (0..order.len() as u32).map(|k| input.shape().size(Front(k)));
            input = input.with_shape(Shape::new(sizes));
        }
    }
    let rank = call.known_sizes(input)?.len();
    let order: Vec<usize> = match given {
        Some(order) => {
            let order = call.positions("order", &order)?;
            let mut sorted = order.clone();
            sorted.sort_unstable();
            let complete = sorted.iter().copied().eq((0..rank).map(|k| k as i64));
            call.insist(IllegalValue, "`order` names each axis once", complete)?;
            order.into_iter().map(|axis| axis as usize).collect()
        }
        None => (0..rank).rev().collect(),
    };
    one(transpose(input, &order))
}
