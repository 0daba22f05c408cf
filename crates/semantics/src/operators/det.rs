//! Determinant.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "det",
    summary: "The determinant of every square matrix in the last two axes.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(11, "Det(input)"), tensorflow("MatrixDeterminant(input)")],
    define,
    examples: &[
        "det(f32[2,2]{0,1,2,3}) -> f32[]{-2}",
        "det(f32[3,2,2]{1,2,3,4,1,2,2,1,1,3,3,1}) -> f32[3]{-2,-3,-8}",
        "det(f32[3,3]{1,2,3,4,5,6,7,8,9}) -> f32[]{0}",
        "det(f32[N,5,5]) -> f32[N]",
        "det(f32[0,0]) -> f32[]{1}",
        "det(f32[...]) -> f32[...]",
        "det(f32[2]) fails: `input` has at least two axes",
        "det(f32[2,3]) fails: the matrices are square",
        "det(i32[2,2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let shape = input.shape();
    call.demand(IncompatibleShape, "`input` has at least two axes", shape.rank().ge(2))?;
    call.require_shape("the matrices are square", shape.size(Back(0)).eq(shape.size(Back(1))));
    Ok(Tensor::opaque(&[input], [(input.dtype(), shape.trim(0, 2))], |arrays| {
        let input = &arrays[0];
        let (Some(values), Some((&side, batch))) = (input.as_floats(), input.shape.split_last()) else {
            return Err("the input holds no matrices of floats".into());
        };
        let batch = &batch[..batch.len().saturating_sub(1)];
        let count = batch.iter().product();
        let matrices = (0..count).map(|k| &values[k * side * side..(k + 1) * side * side]);
        let (results, error) = matrices.map(|matrix| determinant(matrix, side, input.kind)).unzip();
        Ok(vec![Computed { array: Array::floats(input.kind, batch, results), error: Some(error) }])
    }))
}

/// The determinant by elimination with row exchanges, and what doing so in the type `kind` may change:
/// elimination gives the exact result for rows that are off by at most `n u |L| |U|` (Higham, Theorem 9.3),
/// and a determinant changes with a row by at most the product of the lengths of all rows (Hadamard).
fn determinant(matrix: &[f64], side: usize, kind: Kind) -> (f64, f64) {
    let mut rows: Vec<Vec<f64>> = matrix.chunks(side.max(1)).map(<[f64]>::to_vec).collect();
    // |L| |U| row by row, in the order of the exchanged rows, and the rows themselves.
    let mut sizes: Vec<Vec<f64>> = vec![vec![0.0; side]; side];
    let mut given = rows.clone();
    let mut result = 1.0;
    for k in 0..side {
        let pivot = (k..side).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap_or(k);
        if pivot != k {
            rows.swap(pivot, k);
            sizes.swap(pivot, k);
            given.swap(pivot, k);
            result = -result;
        }
        result *= rows[k][k];
        let (done, rest) = rows.split_at_mut(k + 1);
        let lead = &done[k];
        add_magnitudes(&mut sizes[k], lead, 1.0, k);
        for (row, size) in rest.iter_mut().zip(&mut sizes[k + 1..]) {
            let factor = if lead[k] == 0.0 { 0.0 } else { row[k] / lead[k] };
            add_magnitudes(size, lead, factor, k);
            for (x, &y) in row.iter_mut().zip(lead).skip(k) {
                *x -= factor * y;
            }
        }
    }
    let norm = |row: &Vec<f64>| row.iter().map(|x| x * x).sum::<f64>().sqrt();
    let steps = side as f64 * kind.unit_roundoff();
    let backward: f64 = (0..side)
        .map(|k| {
            let others: f64 = (0..side).filter(|&j| j != k).map(|j| norm(&given[j])).product();
            steps / (1.0 - steps).max(0.5) * norm(&sizes[k]) * others
        })
        .sum();
    // The first order is doubled to cover the higher ones.
    (result, 2.0 * backward + steps * result.abs() + kind.smallest_error())
}

fn add_magnitudes(size: &mut [f64], lead: &[f64], factor: f64, from: usize) {
    for (size, x) in size.iter_mut().zip(lead).skip(from) {
        *size += (factor * x).abs();
    }
}
