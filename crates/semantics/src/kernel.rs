//! Fast loops for the heavy few: matrix products and convolutions on plain `f64`.
//!
//! Blocked so that the compiler turns the innermost loop into vector instructions and the blocks stay in
//! cache. They compute the same sums of products as the formulas of the operators that use them; a law
//! compares the two.

use std::rc::Rc;

/// A sum of products of two tensors, given as row-major floats.
pub type Run = Rc<dyn Fn(&[f64], &[f64]) -> Vec<f64>>;

/// Rows and columns of the block of results that is kept in registers.
const ROWS: usize = 4;
const COLUMNS: usize = 4;
/// Terms added up before moving on: a packed panel of `DEPTH * COLUMNS` stays in the nearest cache.
const DEPTH: usize = 256;
/// Columns packed together.
const PANEL: usize = 512;

/// Adds the product of `a` (`rows` by `inner`) and `b` (`inner` by `columns`), both row-major, to `out`.
/// Slices that are too short leave `out` as it is.
pub fn matmul(a: &[f64], b: &[f64], out: &mut [f64], rows: usize, inner: usize, columns: usize) {
    if a.len() < rows * inner || b.len() < inner * columns || out.len() < rows * columns {
        return;
    }
    if rows < ROWS && columns > 0 {
        return thin(a, b, out, rows, inner, columns);
    }
    let mut packed_b = vec![0.0; DEPTH * PANEL.min(columns.next_multiple_of(COLUMNS))];
    let mut packed_a = vec![0.0; DEPTH * rows.next_multiple_of(ROWS)];
    for first in (0..inner).step_by(DEPTH) {
        let depth = DEPTH.min(inner - first);
        pack_rows(a, &mut packed_a, (rows, inner), (first, depth));
        for left in (0..columns).step_by(PANEL) {
            let width = PANEL.min(columns - left);
            pack_columns(b, &mut packed_b, columns, (first, depth), (left, width));
            for (strip, top) in (0..rows).step_by(ROWS).enumerate() {
                let a_strip = &packed_a[strip * depth * ROWS..][..depth * ROWS];
                for (number, column) in (0..width).step_by(COLUMNS).enumerate() {
                    let b_strip = &packed_b[number * depth * COLUMNS..][..depth * COLUMNS];
                    let block = multiply(a_strip, b_strip);
                    let wide = COLUMNS.min(width - column);
                    for (row, sums) in block.iter().enumerate().take(ROWS.min(rows - top)) {
                        let start = (top + row) * columns + left + column;
                        for (out, sum) in out[start..start + wide].iter_mut().zip(sums) {
                            *out += sum;
                        }
                    }
                }
            }
        }
    }
}

/// The block of results of one strip of rows and one strip of columns.
#[inline]
fn multiply(a: &[f64], b: &[f64]) -> [[f64; COLUMNS]; ROWS] {
    let mut sums = [[0.0; COLUMNS]; ROWS];
    let (a, _) = a.as_chunks::<ROWS>();
    let (b, _) = b.as_chunks::<COLUMNS>();
    for (a, b) in a.iter().zip(b) {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                sums[row][column] += a[row] * b[column];
            }
        }
    }
    sums
}

/// Too few rows to be worth packing.
fn thin(a: &[f64], b: &[f64], out: &mut [f64], rows: usize, inner: usize, columns: usize) {
    for row in 0..rows {
        let out = &mut out[row * columns..][..columns];
        for (k, &factor) in a[row * inner..][..inner].iter().enumerate() {
            for (sum, &value) in out.iter_mut().zip(&b[k * columns..][..columns]) {
                *sum += factor * value;
            }
        }
    }
}

/// Strips of `ROWS` rows, each with its columns one after the other; missing rows are zero.
fn pack_rows(a: &[f64], packed: &mut [f64], (rows, inner): (usize, usize), (first, depth): (usize, usize)) {
    for (strip, top) in (0..rows).step_by(ROWS).enumerate() {
        let strip = &mut packed[strip * depth * ROWS..][..depth * ROWS];
        for row in 0..ROWS {
            if top + row < rows {
                let source = &a[(top + row) * inner + first..][..depth];
                strip.iter_mut().skip(row).step_by(ROWS).zip(source).for_each(|(cell, &value)| *cell = value);
            } else {
                strip.iter_mut().skip(row).step_by(ROWS).for_each(|cell| *cell = 0.0);
            }
        }
    }
}

/// Strips of `COLUMNS` columns, each with its rows one after the other; missing columns are zero.
fn pack_columns(
    b: &[f64],
    packed: &mut [f64],
    columns: usize,
    (first, depth): (usize, usize),
    (left, width): (usize, usize),
) {
    for (strip, column) in (0..width).step_by(COLUMNS).enumerate() {
        let strip = &mut packed[strip * depth * COLUMNS..][..depth * COLUMNS];
        let wide = COLUMNS.min(width - column);
        for (k, cells) in strip.chunks_exact_mut(COLUMNS).enumerate() {
            let source = &b[(first + k) * columns + left + column..][..wide];
            cells[..wide].copy_from_slice(source);
            cells[wide..].fill(0.0);
        }
    }
}

/// The sizes of a convolution over any number of spatial axes.
/// The input is `[batch, groups * channels, input...]`, the weight `[groups * filters, channels, window...]`
/// and the output `[batch, groups * filters, output...]`.
#[derive(Clone, Debug)]
pub struct ConvGeometry {
    pub batch: usize,
    pub groups: usize,
    /// Input channels of one group.
    pub channels: usize,
    /// Output channels of one group.
    pub filters: usize,
    pub input: Vec<usize>,
    pub window: Vec<usize>,
    pub strides: Vec<usize>,
    pub dilations: Vec<usize>,
    /// Zeros in front of each spatial axis; those behind follow from the output size.
    pub before: Vec<usize>,
    pub output: Vec<usize>,
}

/// The convolution as a matrix product of the weight with the unrolled input.
pub fn conv(geometry: ConvGeometry) -> Run {
    Rc::new(move |x, w| {
        let g = &geometry;
        let (pixels, window, places) = (
            g.input.iter().product::<usize>(),
            g.window.iter().product::<usize>(),
            g.output.iter().product::<usize>(),
        );
        let inner = g.channels * window;
        let mut out = vec![0.0; g.batch * g.groups * g.filters * places];
        if x.len() < g.batch * g.groups * g.channels * pixels
            || w.len() < g.groups * g.filters * inner
            || out.is_empty()
        {
            return out;
        }
        let plain = window == 1
            && g.strides.iter().all(|&stride| stride == 1)
            && g.input == g.output
            && g.before.iter().all(|&zeros| zeros == 0);
        let mut unrolled = vec![0.0; if plain { 0 } else { inner * places }];
        for (number, out) in out.chunks_exact_mut(g.filters * places).enumerate() {
            let group = number % g.groups;
            let image = &x[number * g.channels * pixels..][..g.channels * pixels];
            let filters = &w[group * g.filters * inner..][..g.filters * inner];
            let matrix = if plain {
                image
            } else {
                unroll(g, image, &mut unrolled);
                &unrolled
            };
            matmul(filters, matrix, out, g.filters, inner, places);
        }
        out
    })
}

/// The transpose of a convolution: what is the output there comes in here, and goes back to where it was
/// taken from. The weight is the same, `[groups * filters, channels, window...]`.
pub fn conv_transpose(geometry: ConvGeometry) -> Run {
    Rc::new(move |y, w| {
        let g = &geometry;
        let (pixels, window, places) = (
            g.input.iter().product::<usize>(),
            g.window.iter().product::<usize>(),
            g.output.iter().product::<usize>(),
        );
        let inner = g.channels * window;
        let mut image = vec![0.0; g.batch * g.groups * g.channels * pixels];
        if y.len() < g.batch * g.groups * g.filters * places
            || w.len() < g.groups * g.filters * inner
            || image.is_empty()
        {
            return image;
        }
        let mut turned = vec![0.0; inner * g.filters];
        let mut unrolled = vec![0.0; inner * places];
        for (number, image) in image.chunks_exact_mut(g.channels * pixels).enumerate() {
            let filters = &w[number % g.groups * g.filters * inner..][..g.filters * inner];
            for (row, cells) in turned.chunks_exact_mut(g.filters.max(1)).enumerate() {
                cells.iter_mut().enumerate().for_each(|(k, cell)| *cell = filters[k * inner + row]);
            }
            unrolled.fill(0.0);
            let source = &y[number * g.filters * places..][..g.filters * places];
            matmul(&turned, source, &mut unrolled, inner, g.filters, places);
            roll(g, &unrolled, image);
        }
        image
    })
}

/// Adds every cell of the unrolled image to the place it stands for.
fn roll(g: &ConvGeometry, unrolled: &[f64], image: &mut [f64]) {
    let rank = g.input.len();
    let pixels: usize = g.input.iter().product();
    let places: usize = g.output.iter().product();
    let window: usize = g.window.iter().product();
    let mut tap = vec![0; rank];
    let mut place = vec![0; rank];
    for (number, row) in unrolled.chunks_exact(places.max(1)).enumerate() {
        let image = &mut image[number / window * pixels..][..pixels];
        count_off(number % window, &g.window, &mut tap);
        for (at, value) in row.iter().enumerate() {
            count_off(at, &g.output, &mut place);
            let offset = (0..rank).try_fold(0, |offset, axis| {
                let at = place[axis] * g.strides[axis] + tap[axis] * g.dilations[axis];
                let at = at.checked_sub(g.before[axis]).filter(|&at| at < g.input[axis])?;
                Some(offset * g.input[axis] + at)
            });
            if let Some(offset) = offset {
                image[offset] += value;
            }
        }
    }
}

/// The index at a row-major position.
fn count_off(mut at: usize, sizes: &[usize], index: &mut [usize]) {
    for axis in (0..sizes.len()).rev() {
        index[axis] = at % sizes[axis];
        at /= sizes[axis];
    }
}

/// One row per channel and place in the window, one column per place of the output.
fn unroll(g: &ConvGeometry, image: &[f64], unrolled: &mut [f64]) {
    let rank = g.input.len();
    let pixels: usize = g.input.iter().product();
    let places: usize = g.output.iter().product();
    let window: usize = g.window.iter().product();
    for (number, row) in unrolled.chunks_exact_mut(places.max(1)).enumerate() {
        let (channel, mut rest) = (number / window, number % window);
        // Where the window's place lies for the first output, per axis; before the image it is negative.
        let mut start = vec![0isize; rank];
        for axis in (0..rank).rev() {
            start[axis] = (rest % g.window[axis] * g.dilations[axis]) as isize - g.before[axis] as isize;
            rest /= g.window[axis];
        }
        let image = &image[channel * pixels..][..pixels];
        let Some(last) = rank.checked_sub(1) else {
            row.fill(image.first().copied().unwrap_or(0.0));
            continue;
        };
        let width = g.output[last];
        let mut place = vec![0usize; last];
        for line in row.chunks_exact_mut(width.max(1)) {
            let mut offset = Some(0usize);
            for axis in 0..last {
                let at = start[axis] + (place[axis] * g.strides[axis]) as isize;
                offset = match offset {
                    Some(offset) if at >= 0 && (at as usize) < g.input[axis] => {
                        Some(offset * g.input[axis] + at as usize)
                    }
                    _ => None,
                };
            }
            match offset {
                None => line.fill(0.0),
                Some(offset) => {
                    let source = &image[offset * g.input[last]..][..g.input[last]];
                    copy_line(line, source, start[last], g.strides[last]);
                }
            }
            for axis in (0..last).rev() {
                place[axis] += 1;
                if place[axis] < g.output[axis] {
                    break;
                }
                place[axis] = 0;
            }
        }
    }
}

/// `line[k] = source[start + k * stride]`, zero outside.
fn copy_line(line: &mut [f64], source: &[f64], start: isize, stride: usize) {
    let stride = stride.max(1);
    let skipped = if start < 0 { (start.unsigned_abs()).div_ceil(stride) } else { 0 }.min(line.len());
    let first = (start + (skipped * stride) as isize).max(0) as usize;
    let present = source.len().saturating_sub(first).div_ceil(stride).min(line.len() - skipped);
    line[..skipped].fill(0.0);
    let inside = &mut line[skipped..skipped + present];
    match source.get(first..) {
        Some(source) if stride == 1 => inside.copy_from_slice(&source[..present]),
        Some(source) => {
            inside.iter_mut().zip(source.iter().step_by(stride)).for_each(|(cell, &value)| *cell = value)
        }
        None => inside.fill(0.0),
    }
    line[skipped + present..].fill(0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(length: usize, seed: usize) -> Vec<f64> {
        (0..length).map(|at| ((at * 37 + seed * 101) % 23) as f64 - 11.0).collect()
    }

    #[test]
    fn products_of_every_small_size() {
        for (rows, inner, columns) in
            [(1, 1, 1), (3, 5, 2), (4, 4, 4), (5, 300, 9), (17, 3, 521), (9, 0, 3), (0, 2, 2), (2, 2, 0)]
        {
            let (a, b) = (numbers(rows * inner, 1), numbers(inner * columns, 2));
            let mut out = vec![0.0; rows * columns];
            matmul(&a, &b, &mut out, rows, inner, columns);
            for r in 0..rows {
                for c in 0..columns {
                    let sum: f64 = (0..inner).map(|k| a[r * inner + k] * b[k * columns + c]).sum();
                    assert_eq!(out[r * columns + c], sum, "{rows}x{inner}x{columns} at {r},{c}");
                }
            }
        }
    }

    #[test]
    fn convolutions_by_definition() {
        for (stride, dilation, before, window, groups) in [
            (1, 1, 0, 1, 1),
            (1, 1, 1, 3, 1),
            (2, 1, 1, 3, 2),
            (1, 2, 2, 3, 1),
            (3, 1, 2, 2, 2),
            (2, 2, 0, 2, 1),
        ] {
            let (height, width) = (6, 7);
            let out = |size: usize| (size + 2 * before - (window - 1) * dilation - 1) / stride + 1;
            let g = ConvGeometry {
                batch: 2,
                groups,
                channels: 2,
                filters: 3,
                input: vec![height, width],
                window: vec![window, window],
                strides: vec![stride; 2],
                dilations: vec![dilation; 2],
                before: vec![before; 2],
                output: vec![out(height), out(width)],
            };
            let x = numbers(2 * groups * 2 * height * width, 3);
            let w = numbers(groups * 3 * 2 * window * window, 4);
            let result = conv(g.clone())(&x, &w);
            let at = |n: usize, c: usize, i: isize, j: isize| {
                let inside = (0..height as isize).contains(&i) && (0..width as isize).contains(&j);
                if inside {
                    x[((n * groups * 2 + c) * height + i as usize) * width + j as usize]
                } else {
                    0.0
                }
            };
            let mut position = 0;
            for n in 0..2 {
                for f in 0..groups * 3 {
                    for i in 0..g.output[0] {
                        for j in 0..g.output[1] {
                            let mut sum = 0.0;
                            for c in 0..2 {
                                for p in 0..window {
                                    for q in 0..window {
                                        let place = |i: usize, p: usize| {
                                            (i * stride + p * dilation) as isize - before as isize
                                        };
                                        sum += w[((f * 2 + c) * window + p) * window + q]
                                            * at(n, f / 3 * 2 + c, place(i, p), place(j, q));
                                    }
                                }
                            }
                            assert_eq!(result[position], sum);
                            position += 1;
                        }
                    }
                }
            }
        }
    }
}
