//! Rotary position embedding.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "rotary_embedding",
    summary: "Turns pairs of entries of each head by the angle of the token's position, given by tables of cosines and \
              sines. Pairs are neighbours if `interleaved`, else halves apart. Only the first `rotary_dim` entries \
              take part if it is not 0.",
    inputs: &[
        tensor("input", SHORT_FLOAT),
        tensor("cos", SHORT_FLOAT).like("input"),
        tensor("sin", SHORT_FLOAT).like("input"),
        tensor("positions", INT64).optional(),
    ],
    parameters: &[int("num_heads").or(0), int("rotary_dim").or(0), flag("interleaved").or_flag(false)],
    outputs: &["output"],
    spellings: &[onnx(
        23,
        "RotaryEmbedding(input, cos, sin, positions; num_heads, rotary_embedding_dim as rotary_dim, interleaved:one)",
    )],
    define,
    examples: &[
        "rotary_embedding(f32[N,4,S,8], f32[50,4], f32[50,4], i64[N,S]) -> f32[N,4,S,8]",
        "rotary_embedding(f32[2,3,32], f32[50,2], f32[50,2], i64[2,3], num_heads=4, rotary_dim=4) -> f32[2,3,32]",
        "rotary_embedding(f16[2,4,3,8], f16[2,3,4], f16[2,3,4]) -> f16[2,4,3,8]",
        "rotary_embedding(f32[1,1,1,4]{1,2,3,4}, f32[1,1,2]{0,1}, f32[1,1,2]{1,0}) -> f32[1,1,1,4]{-3,2,1,4}",
        "rotary_embedding(f32[1,1,1,4]{1,2,3,4}, f32[1,1,2]{0,1}, f32[1,1,2]{1,0}, interleaved=true) -> f32[1,1,1,4]{-2,1,3,4}",
        "rotary_embedding(f32[1,1,6]{1,2,9,3,4,9}, f32[2,1]{1,0}, f32[2,1]{0,1}, i64[1,1]{1}, num_heads=2, rotary_dim=2) -> f32[1,1,6]{-2,1,9,-4,3,9}",
        "rotary_embedding(f32[...], f32[50,4], f32[50,4], i64[2,3]) -> f32[...]",
        "rotary_embedding(f32[3,32], f32[50,4], f32[50,4]) fails: `input` has three or four axes",
        "rotary_embedding(f32[2,3,32], f32[50,4], f32[50,4], i64[2,3]) fails: `num_heads` is positive for packed heads",
        "rotary_embedding(f32[2,3,33], f32[50,4], f32[50,4], i64[2,3], num_heads=4) fails: `num_heads` divides the last axis of `input`",
        "rotary_embedding(f32[2,4,3,8], f32[50,5], f32[50,5], i64[2,3], rotary_dim=10) fails: `rotary_dim` is at most the head size",
        "rotary_embedding(f32[2,4,3,7], f32[50,3], f32[50,3], i64[2,3]) fails: the rotated size is even",
        "rotary_embedding(f32[2,4,3,8], f32[50,4], f32[50,4], i64[3]) fails: `positions` is a matrix",
        "rotary_embedding(f32[2,4,3,8], f32[50,4], f32[50,4], i64[1,3]) fails: `positions` has one value per token",
        "rotary_embedding(f32[2,4,3,8], f32[50,4], f32[50,4]) fails: `cos` has two axes if `positions` is given, else three",
        "rotary_embedding(f32[2,4,3,8], f32[2,3,4], f32[2,3,4], i64[2,3]) fails: `cos` has two axes if `positions` is given, else three",
        "rotary_embedding(f32[2,4,3,8], f32[50,4], f32[40,4], i64[2,3]) fails: `sin` has the shape of `cos`",
        "rotary_embedding(f32[2,4,3,8], f32[50,3], f32[50,3], i64[2,3]) fails: a row of `cos` has half the rotated size",
        "rotary_embedding(f32[2,4,3,8], f32[1,3,4], f32[1,3,4]) fails: `cos` has one row per token",
        "rotary_embedding(f32[1,1,2,2], f32[50,1], f32[50,1], i64[1,2]{0,50}) fails: every position is a row of `cos`",
        "rotary_embedding(f32[1,1,2,2], f32[50,1], f32[50,1], i64[1,2]{0,-1}) fails: every position is a row of `cos`",
        "rotary_embedding(f64[2,4,3,8], f64[2,3,4], f64[2,3,4]) fails: `input` is float32 or half precision",
        "rotary_embedding(f32[2,4,3,8], f16[2,3,4], f32[2,3,4]) fails: `cos` has the element type of `input`",
        "rotary_embedding(f32[2,4,3,8], f32[2,3,4], f16[2,3,4]) fails: `sin` has the element type of `input`",
        "rotary_embedding(f32[2,4,3,8], f32[50,4], f32[50,4], i32[2,3]) fails: `positions` is int64",
    ],
};

const SHORT_FLOAT: TypeSet =
    TypeSet { name: "float32 or half precision", kinds: &[Kind::F32, Kind::F16, Kind::BF16] };

fn define(call: &mut Call) -> Outcome {
    let (input, cos, sin) = (call.tensor("input")?, call.tensor("cos")?, call.tensor("sin")?);
    let positions = call.optional("positions");
    let (heads, rotary) = (call.int("num_heads")?, call.int("rotary_dim")?);
    let interleaved = call.flag("interleaved")?;
    let label = "`input` has three or four axes";
    call.demand(IncompatibleShape, label, input.shape().rank().within(3, 5))?;
    let Some(sizes) = input.shape().sizes() else {
        return one(unknown_elements(input.dtype(), input.shape()));
    };
    let packed = sizes.len() == 3;
    let (batch, tokens, last) = (sizes[0], sizes[sizes.len() - 2], sizes[sizes.len() - 1]);
    let head = if packed {
        call.demand(IllegalValue, "`num_heads` is positive for packed heads", heads.ge(1))?;
        call.require_shape("`num_heads` divides the last axis of `input`", heads.divides(last));
        last.div_floor(heads)
    } else {
        last
    };
    let rotated = Dim::select(rotary.eq(0), head, rotary);
    call.require_value("`rotary_dim` is at most the head size", rotated.le(head));
    call.require_shape("the rotated size is even", Dim::from(2).divides(rotated));
    let half = rotated.div_floor(2);

    let label = "`cos` has two axes if `positions` is given, else three";
    let table = call.sizes(label, cos, if positions.is_some() { 2 } else { 3 })?;
    call.require_shape("`sin` has the shape of `cos`", sin.shape().same(cos.shape()));
    call.require_shape("a row of `cos` has half the rotated size", table[table.len() - 1].eq(half));
    match positions {
        Some(positions) => {
            let [rows, columns] = call.dims("`positions` is a matrix", positions)?;
            let fits = rows.eq(batch) & columns.eq(tokens);
            call.require_shape("`positions` has one value per token", fits);
            call.require_of("every position is a row of `cos`", positions, |values| {
                Prop::all(values.iter().map(|position| position.within(0, table[0])))
            });
        }
        None => {
            let fits = table[0].eq(batch) & table[1].eq(tokens);
            call.require_shape("`cos` has one row per token", fits);
        }
    }

    one(Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let last = index.len() - 1;
        let (batch, token) = (index[0], index[last - 1]);
        let entry = if packed { index[last].modulo(head) } else { index[last] };
        let (first, pair, distance) = match interleaved {
            true => (entry.modulo(2).eq(0), entry.div_floor(2), 1.into()),
            false => (entry.lt(half), Dim::select(entry.lt(half), entry, entry - half), half),
        };
        let mut partner = index.to_vec();
        partner[last] = index[last] + Dim::select(first, distance, -distance);
        let row = |table: Tensor| match positions {
            Some(positions) => table.at(&[positions.at(&[batch, token]).as_index(), pair]),
            None => table.at(&[batch, token, pair]),
        };
        let (here, there) = (input.at(index), input.at(&partner));
        let (straight, across) = (row(cos) * here, row(sin) * there);
        let turned = Element::when(first, straight - across, across + straight);
        Element::when(entry.lt(rotated), turned, here)
    }))
}
