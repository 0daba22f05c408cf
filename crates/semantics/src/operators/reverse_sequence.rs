//! Turns the beginnings of sequences around.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reverse_sequence",
    summary: "Reverses, for each batch entry, its first `lengths` positions along the time axis.",
    inputs: &[tensor("input", COMMON), tensor("lengths", INT64)],
    parameters: &[int("batch_axis").or(1), int("time_axis").or(0)],
    outputs: &["output"],
    spellings: &[
        onnx(10, "ReverseSequence(input, lengths; batch_axis, time_axis)").adapted(as_onnx),
        tensorflow("ReverseSequence(input, lengths; seq_dim as time_axis, batch_dim as batch_axis=0)"),
    ],
    define,
    examples: &[
        "reverse_sequence(f32[T,N,5], i64[N]) -> f32[T,N,5]",
        "reverse_sequence(i64[2,3]{1,2,3,4,5,6}, i64[2]{2,3}, batch_axis=0, time_axis=1) -> i64[2,3]{2,1,3,6,5,4}",
        "reverse_sequence(i64[2,1]{1,2}, i64[1]{0}) -> i64[2,1]{1,2}",
        "reverse_sequence(f32[4], i64[1]) fails: `input` has at least two axes",
        "reverse_sequence(f32[4,2], i64[2], batch_axis=2) fails: `batch_axis` is 0 or 1",
        "reverse_sequence(f32[4,2], i64[2], time_axis=2) fails: `time_axis` is 0 or 1",
        "reverse_sequence(f32[4,4], i64[4], time_axis=1) fails: `batch_axis` and `time_axis` differ",
        "reverse_sequence(f32[4,2], i64[2,1]) fails: `lengths` is a vector",
        "reverse_sequence(f32[4,2], i64[3]) fails: `lengths` has one value per batch entry",
        "reverse_sequence(f32[4,2], i64[2]{2,5}) fails: every length is within the time axis",
        "reverse_sequence(f32[4,2], i32[2]) fails: `lengths` is int64",
        "reverse_sequence(f8e4m3fn[T,N,5], i64[N]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (batch, time) = (call.int("batch_axis")?, call.int("time_axis")?);
    call.demand(IllegalValue, "`batch_axis` is 0 or 1", batch.within(0, 2))?;
    call.demand(IllegalValue, "`time_axis` is 0 or 1", time.within(0, 2))?;
    reversed(call, batch, time)
}

/// ONNX Runtime lets negative axes pass: time is the first axis if `time_axis` is 0, else the second.
fn as_onnx(call: &mut Call) -> Outcome {
    let (batch, time) = (call.int("batch_axis")?, call.int("time_axis")?);
    call.demand(IllegalValue, "`batch_axis` is 0 or 1", batch.le(1))?;
    call.demand(IllegalValue, "`time_axis` is 0 or 1", time.le(1))?;
    call.require(ImproperValue, "no axis is negative", batch.ge(0) & time.ge(0));
    reversed(call, batch, time)
}

fn reversed(call: &mut Call, batch: Dim, time: Dim) -> Outcome {
    let (input, lengths) = (call.tensor("input")?, call.tensor("lengths")?);
    let shape = input.shape();
    call.demand(IncompatibleShape, "`input` has at least two axes", shape.rank().ge(2))?;
    call.demand(IllegalValue, "`batch_axis` and `time_axis` differ", batch.ne(time))?;
    let time = Dim::select(time.eq(0), 0, 1);
    let axes = call.positions("time_axis", &[1 - time, time])?;
    let (batch, time) = (axes[0] as usize, axes[1] as usize);
    let [count] = call.dims("`lengths` is a vector", lengths)?;
    let entries = shape.size(Front(batch as u32));
    call.require_shape("`lengths` has one value per batch entry", count.eq(entries));
    let steps = shape.size(Front(time as u32));
    call.require_of("every length is within the time axis", lengths, |values| {
        Prop::all(values.iter().map(|length| length.within(0, steps + 1)))
    });
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let length = lengths.at(&[index[batch]]).as_index();
        let at = index[time];
        let mut source = index.to_vec();
        source[time] = Dim::select(at.lt(length), length - 1 - at, at);
        input.at(&source)
    }))
}
