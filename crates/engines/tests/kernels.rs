//! A fast loop and the formula it stands for give the same numbers and like bounds, whatever the geometry.

use engines::evaluate::{Bound, Evaluator, Mode, Reading};
use semantics::arena;
use semantics::array::Array;
use semantics::compose::matmul;
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::shape::Shape;
use semantics::sliding::{Spread, sliding_products, spread_products};
use semantics::tensor::{Content, Tensor};
use semantics::window::Window;
use std::rc::Rc;

/// A small generator of random numbers (splitmix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
    fn within(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }
    fn tensor(&mut self, shape: &[usize]) -> Tensor {
        let count = shape.iter().product();
        let values = (0..count).map(|_| f64::from((self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0));
        Tensor::constant(Array::floats(Kind::F32, shape, values.collect()))
    }
}

fn shape(sizes: &[usize]) -> Shape {
    Shape::new(sizes.iter().map(|&size| Dim::from(size)))
}

fn read(tensor: Tensor) -> Rc<Reading> {
    Evaluator::new(Mode::Bounded).evaluate(tensor).expect("evaluates")
}

/// The tensor with its fast loop against the same formula without.
#[track_caller]
fn assert_alike(fast: Tensor, about: &str) {
    let Content::Formula { element, kernel: Some(_) } = fast.content() else {
        panic!("{about}: no fast loop")
    };
    let slow = Tensor::from_elements(fast.dtype(), fast.shape(), move |index| element(index));
    let (fast, slow) = (read(fast), read(slow));
    assert_eq!(fast.array.shape, slow.array.shape, "{about}");
    let bound = |reading: &Reading, at: usize| match &reading.bound {
        Bound::Float(errors) => errors[at],
        _ => 0.0,
    };
    let (own, other) = (fast.array.as_floats().expect("floats"), slow.array.as_floats().expect("floats"));
    for (at, (x, y)) in own.iter().zip(other).enumerate() {
        assert!((x - y).abs() <= 1e-13 * (1.0 + x.abs()), "{about} at {at}: {x} and {y}");
        let (a, b) = (bound(&fast, at), bound(&slow, at));
        // The formula sees when a single product is exact; the loop allows for its one rounding.
        let rounding = 2.0 * Kind::F32.unit_roundoff() * x.abs();
        assert!(b <= 8.0 * a && a <= 8.0 * b + rounding, "{about} at {at}: bounds {a:e} and {b:e}");
    }
}

#[test]
fn convolutions() {
    let mut draw = Draw(1);
    for _ in 0..60 {
        let axes = draw.within(1, 3);
        let (batch, groups) = (draw.within(1, 2), draw.within(1, 3));
        let (channels, filters) = (draw.within(1, 3), draw.within(1, 5));
        let (mut input, mut weight) = (vec![batch, groups * channels], vec![groups * filters, channels]);
        let mut output = vec![batch, groups * filters];
        let mut windows = Vec::new();
        for _ in 0..axes {
            let (kernel, stride, dilation) = (draw.within(1, 3), draw.within(1, 3), draw.within(1, 2));
            let (before, after) = (draw.within(0, 3), draw.within(0, 3));
            let reach = dilation * (kernel - 1) + 1;
            let size = draw.within(reach.saturating_sub(before + after).max(1), reach + 5);
            input.push(size);
            weight.push(kernel);
            output.push((size + before + after - reach) / stride + 1);
            windows.push(Window {
                kernel: kernel.into(),
                stride: stride.into(),
                dilation: dilation.into(),
                before: before.into(),
                after: after.into(),
                same: false,
            });
        }
        arena::scope(|| {
            let about = format!("conv of {input:?} with {weight:?}: {windows:?}");
            let (x, w) = (draw.tensor(&input), draw.tensor(&weight));
            assert_alike(
                sliding_products(x, w, shape(&output), windows, channels.into(), filters.into()),
                &about,
            );
        });
    }
}

#[test]
fn transposed_convolutions() {
    let mut draw = Draw(2);
    for _ in 0..60 {
        let axes = draw.within(1, 3);
        let (batch, groups) = (draw.within(1, 2), draw.within(1, 3));
        let (channels, filters) = (draw.within(1, 3), draw.within(1, 3));
        let (mut input, mut weight) = (vec![batch, groups * channels], vec![groups * channels, filters]);
        let mut output = vec![batch, groups * filters];
        let mut spreads = Vec::new();
        for _ in 0..axes {
            let (kernel, stride, dilation) = (draw.within(1, 3), draw.within(1, 3), draw.within(1, 2));
            let position = draw.within(1, 5);
            let reached = stride * (position - 1) + dilation * (kernel - 1) + 1;
            let before = draw.within(0, reached - 1);
            // More than the kernels reach stays zero.
            let size = draw.within(1, reached - before + 1);
            input.push(position);
            weight.push(kernel);
            output.push(size);
            spreads.push(Spread {
                kernel: kernel.into(),
                stride: stride.into(),
                dilation: dilation.into(),
                before: before.into(),
                size: size.into(),
            });
        }
        arena::scope(|| {
            let about = format!("transposed conv of {input:?} with {weight:?} to {output:?}");
            let (x, w) = (draw.tensor(&input), draw.tensor(&weight));
            assert_alike(
                spread_products(x, w, shape(&output), spreads, channels.into(), filters.into()),
                &about,
            );
        });
    }
}

#[test]
fn matrix_products() {
    let mut draw = Draw(3);
    for _ in 0..60 {
        let (rows, inner, columns) = (draw.within(1, 9), draw.within(1, 40), draw.within(1, 9));
        let batch: Vec<usize> = (0..draw.within(0, 2)).map(|_| draw.within(1, 3)).collect();
        // Each side repeats along some axes of the batch, or lacks the leading ones.
        let mut side = |last: [usize; 2]| {
            let own = &batch[draw.within(0, batch.len())..];
            let own: Vec<usize> =
                own.iter().map(|&size| if draw.within(0, 2) == 0 { 1 } else { size }).collect();
            own.into_iter().chain(last).collect::<Vec<usize>>()
        };
        let (left, right) = (side([rows, inner]), side([inner, columns]));
        arena::scope(|| {
            let (a, b) = (draw.tensor(&left), draw.tensor(&right));
            assert_alike(matmul(a, b, shape(&batch)), &format!("{left:?} x {right:?} over {batch:?}"));
        });
    }
}
