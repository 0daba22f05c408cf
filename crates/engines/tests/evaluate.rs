//! What evaluation promises, one behaviour at a time.

use engines::evaluate::{Bound, EvaluateError, Evaluator, Mode, compare};
use semantics::arena;
use semantics::array::{Array, Data};
use semantics::compose::{map, matmul, reduce};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::element::Element;
use semantics::kernel;
use semantics::scalar::{Fold, Unary};
use semantics::shape::Shape;
use semantics::tensor::{Content, Kernel, Opaque, Tensor};
use std::rc::Rc;

fn shape(sizes: &[i64]) -> Shape {
    Shape::new(sizes.iter().map(|&size| Dim::from(size)))
}
fn floats(kind: Kind, values: &[f64]) -> Tensor {
    let values = values.iter().map(|&value| kind.round(value)).collect::<Vec<_>>();
    Tensor::constant(Array::floats(kind, &[values.len()], values))
}
fn bounded(tensor: Tensor) -> engines::evaluate::Reading {
    (*Evaluator::new(Mode::Bounded).evaluate(tensor).expect("evaluates")).clone()
}

#[test]
fn whole_numbers_stay_exact() {
    arena::scope(|| {
        let x = floats(Kind::F32, &[1.0, 2.5, -3.0]);
        let y = map(x, Kind::F32, |x| (x + 1.0) * 2.0 / 4.0 - 0.5);
        let reading = bounded(y);
        assert_eq!(reading.array.as_floats(), Some(&[0.5, 1.25, -1.5][..]));
        assert!(matches!(&reading.bound, Bound::Float(errors) if errors.iter().all(|&error| error == 0.0)));
        assert_eq!(
            bounded(reduce(Fold::Sum, floats(Kind::F32, &[3.0; 1000]), &[0], false)).bound,
            Bound::Float(vec![0.0])
        );
    });
}

#[test]
fn rounding_decides_between_sets() {
    arena::scope(|| {
        // 0.3 * 10 is 3 but for rounding, so cutting off gives 2 or 3.
        let x = floats(Kind::F32, &[0.3, 0.25, 0.77]);
        let scaled = |x: Element| x * 10.0;
        let cut = bounded(map(x, Kind::I32, move |x| scaled(x).cast(Kind::I32)));
        assert_eq!(cut.bound, Bound::Int(vec![(2, 3), (2, 2), (7, 7)]));
        let below = bounded(map(x, Kind::Bool, move |x| scaled(x).lt(3.0)));
        assert_eq!(below.bound, Bound::Bool(vec![true, false, false]));
        let floor = bounded(map(x, Kind::F32, move |x| scaled(x).unary(Unary::Floor)));
        for (observed, fits) in [(2.0, true), (3.0, true), (1.0, false), (5.0, false)] {
            let observed = Array::floats(Kind::F32, &[3], vec![observed, 2.0, 7.0]);
            assert_eq!(compare(&floor, &observed).agrees(), fits);
        }
        // Beyond the range of the type anything may come out.
        let huge = bounded(map(x, Kind::I8, |x| (x * 1e6).cast(Kind::I8)));
        assert_eq!(compare(&huge, &Array::ints(Kind::I8, &[3], vec![-128, 0, 127])).unbounded, 3);
    });
}

/// Interpolation at a whole coordinate: rounding decides the cell, but not the value.
#[test]
fn one_decision_holds_for_all_its_uses() {
    arena::scope(|| {
        let table = floats(Kind::F32, &[10.0, 20.0, 40.0, 80.0, 160.0]);
        let at = floats(Kind::F32, &[0.3, 0.1]);
        let between = map(at, Kind::F32, move |x| {
            let position = x * 10.0;
            let cell = position.unary(Unary::Floor);
            let fraction = position - cell;
            let index = cell.cast(Kind::I64).as_index();
            table.at(&[index]) * (1.0 - fraction) + table.at(&[index + 1]) * fraction
        });
        let reading = bounded(between);
        let Bound::Float(errors) = &reading.bound else { panic!("{:?}", reading.bound) };
        assert!((reading.array.as_floats().expect("floats")[0] - 80.0).abs() < 1e-4);
        assert!(errors[0] > 0.0 && errors[0] < 1e-3, "{errors:?}");
    });
}

#[test]
fn only_the_branch_taken_is_read() {
    arena::scope(|| {
        let x = floats(Kind::F32, &[1.0, 2.0, 3.0]);
        let padded = Tensor::from_elements(Kind::F32, shape(&[5]), move |i| x.padded_at(&[i[0] - 1]));
        let values = bounded(padded).array;
        assert_eq!(values.as_floats(), Some(&[0.0, 1.0, 2.0, 3.0, 0.0][..]));
        // A read used in two branches, of which neither is taken where it lies outside.
        let shared = Tensor::from_elements(Kind::F32, shape(&[5]), move |i| {
            let read = x.at(&[i[0]]);
            Element::when(
                i[0].lt(2),
                read,
                Element::when(i[0].lt(3), read * 2.0, Element::constant(Kind::F32, 9.0)),
            )
        });
        assert_eq!(bounded(shared).array.as_floats(), Some(&[1.0, 2.0, 6.0, 9.0, 9.0][..]));
        let outside = Tensor::from_elements(Kind::F32, shape(&[5]), move |i| x.at(&[i[0] - 1]));
        let error = Evaluator::new(Mode::Plain).evaluate(outside).expect_err("reads outside");
        assert!(matches!(error, EvaluateError::Outside { ref index, .. } if index == &[-1]), "{error}");
    });
}

#[test]
fn overflow_infinity_and_nan() {
    arena::scope(|| {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let x = floats(Kind::F32, &[3e38, inf, nan, 1e-30, 3.4028e38]);
        let doubled = bounded(map(x, Kind::F32, |x| x + x));
        let observed = |values: Vec<f64>| Array::floats(Kind::F32, &[5], values);
        assert!(compare(&doubled, &observed(vec![inf, inf, nan, f64::from(2e-30f32), inf])).agrees());
        assert!(!compare(&doubled, &observed(vec![inf, inf, 1.0, f64::from(2e-30f32), inf])).agrees());
        let gone = bounded(map(x, Kind::F32, |x| x - x));
        assert!(compare(&gone, &observed(vec![0.0, nan, nan, 0.0, -0.0])).agrees());
        // Too small to be normal: kept or flushed.
        let tiny = bounded(map(x, Kind::F32, |x| x * 1e-12));
        let Data::Float(values) = &tiny.array.data else { panic!() };
        for small in [f64::from((1e-30 * 1e-12) as f32), 0.0] {
            let mut other: Vec<f64> = values.iter().map(|&value| f64::from(value as f32)).collect();
            other[3] = small;
            assert!(compare(&tiny, &observed(other)).agrees());
        }
    });
}

#[test]
fn kernels_agree_with_their_formula() {
    arena::scope(|| {
        let number = |at: usize| f64::from(((at * 7919 % 2003) as f32 - 1000.0) / 700.0);
        let array = |sizes: &[usize]| {
            Array::floats(Kind::F32, sizes, (0..sizes.iter().product()).map(number).collect())
        };
        let (a, b) = (Tensor::constant(array(&[2, 9, 40])), Tensor::constant(array(&[40, 33])));
        let fast = matmul(a, b, shape(&[2]));
        let slow = Tensor::from_elements(Kind::F32, fast.shape(), move |i| {
            Element::fold(Fold::Sum, 40i64.into(), |k| a.at(&[i[0], i[1], k]) * b.at(&[k, i[2]]))
        });
        alike(fast, slow);

        let (x, w) = (Tensor::constant(array(&[2, 4, 9, 8])), Tensor::constant(array(&[6, 2, 3, 2])));
        let geometry = kernel::ConvGeometry {
            batch: 2,
            groups: 2,
            channels: 2,
            filters: 3,
            input: vec![9, 8],
            window: vec![3, 2],
            strides: vec![2, 1],
            dilations: vec![1, 2],
            before: vec![1, 2],
            output: vec![5, 8],
        };
        let slow = Tensor::from_elements(Kind::F32, shape(&[2, 6, 5, 8]), move |i| {
            Element::fold_over(Fold::Sum, &[2i64.into(), 3i64.into(), 2i64.into()], &|q| {
                let channel = i[1].div_floor(3) * 2 + q[0];
                let place = [i[0], channel, i[2] * 2 + q[1] - 1, i[3] + q[2] * 2 - 2];
                x.padded_at(&place) * w.at(&[i[1], q[0], q[1], q[2]])
            })
        });
        let kernel = Kernel { left: x, right: w, terms: 12i64.into(), run: kernel::conv(geometry) };
        alike(slow.with_kernel(kernel), slow);
    });
}

fn alike(fast: Tensor, slow: Tensor) {
    let (fast, slow) = (bounded(fast), bounded(slow));
    let (Bound::Float(own), Bound::Float(other)) = (&fast.bound, &slow.bound) else { panic!("bounds") };
    for (k, (x, y)) in fast
        .array
        .as_floats()
        .iter()
        .copied()
        .flatten()
        .zip(slow.array.as_floats().iter().copied().flatten())
        .enumerate()
    {
        assert!((x - y).abs() < 1e-12, "{x} and {y}");
        assert!(own[k] < 2.0 * other[k] && other[k] < 4.0 * own[k], "bounds {} and {}", own[k], other[k]);
    }
}

#[test]
fn algorithms_run_once_for_all_outputs() {
    arena::scope(|| {
        let x = floats(Kind::F32, &[3.0, 1.0, 2.0]);
        let runs = Rc::new(std::cell::Cell::new(0));
        let counter = runs.clone();
        let sort = Rc::new(Opaque {
            inputs: vec![x],
            compute: Box::new(move |arrays| {
                counter.set(counter.get() + 1);
                let values = arrays[0].as_floats().ok_or("floats expected")?;
                let mut order: Vec<usize> = (0..values.len()).collect();
                order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
                let sorted = order.iter().map(|&at| values[at]).collect();
                let places = order.iter().map(|&at| at as i64).collect();
                Ok(vec![
                    Array::floats(Kind::F32, &[3], sorted).into(),
                    Array::ints(Kind::I64, &[3], places).into(),
                ])
            }),
        });
        // How many there are, only the run tells; what depends on it follows.
        let size = Dim::symbol("count", 0, 100);
        let sorted = Tensor::new(Kind::F32, Shape::new([size]), Content::Opaque(sort.clone(), 0));
        let places = Tensor::new(Kind::I64, Shape::new([size]), Content::Opaque(sort, 1));
        let gathered = map(places, Kind::F32, move |at| x.at(&[at.as_index()]) * 2.0);
        let mut evaluator = Evaluator::new(Mode::Bounded);
        let reading = evaluator.evaluate(gathered).expect("gathers");
        assert_eq!(reading.array.as_floats(), Some(&[2.0, 4.0, 6.0][..]));
        assert_eq!(evaluator.evaluate(sorted).expect("sorts").bound, Bound::Exact);
        assert_eq!(runs.get(), 1);
    });
}

#[test]
fn nothing_exhausts_it() {
    arena::scope(|| {
        let mut evaluator = Evaluator::new(Mode::Plain);
        let x = floats(Kind::F32, &[1.0]);
        // Ten thousand layers.
        let deep = (0..10_000).fold(x, |layer, _| map(layer, Kind::F32, |x| x + 1.0));
        assert_eq!(evaluator.evaluate(deep).expect("deep").array.as_floats(), Some(&[10_001.0][..]));
        // One formula nested as deep.
        let nested = map(x, Kind::F32, |x| (0..10_000).fold(x, |sum, _| sum + 1.0));
        assert!(matches!(evaluator.evaluate(nested), Err(EvaluateError::TooMuch(_))));
        let branches = Tensor::from_elements(Kind::F32, shape(&[3]), |i| {
            (0..5_000).fold(Element::constant(Kind::F32, 0.0), |rest, k| {
                Element::when(i[0].eq(k % 3), rest * 2.0, Element::constant(Kind::F32, f64::from(k)))
            })
        });
        // Too deep to compile, but read lazily it is short.
        assert!(evaluator.evaluate(branches).is_ok());
        // As many pieces as there may be are one chain.
        let chain = Tensor::from_elements(Kind::F32, shape(&[4000]), |i| {
            (0..4000).rev().fold(Element::constant(Kind::F32, -1.0), |rest, k| {
                Element::when(i[0].lt(k + 1), Element::constant(Kind::F32, f64::from(k)), rest)
            })
        });
        let reading = evaluator.evaluate(chain).expect("chain");
        assert_eq!(reading.array.as_floats().map(|values| values[3999]), Some(3999.0));
        // Absurd sizes and absurd sums.
        let large = Tensor::from_elements(Kind::F32, shape(&[1 << 40, 1 << 40]), |_| {
            Element::constant(Kind::F32, 1.0)
        });
        assert!(matches!(evaluator.evaluate(large), Err(EvaluateError::TooMuch(_))));
        let long = Tensor::from_elements(Kind::F32, shape(&[2]), |i| {
            Element::fold(Fold::Sum, (1i64 << 60).into(), |k| Element::index(Kind::F32, k + i[0]))
        });
        assert!(matches!(evaluator.evaluate(long), Err(EvaluateError::TooMuch(_))));
        // Nothing at all.
        let empty = Tensor::from_elements(Kind::F32, shape(&[0, 5]), move |i| x.at(&[i[1]]));
        assert_eq!(evaluator.evaluate(empty).expect("empty").array.len(), 0);
        let of_nothing = reduce(Fold::Max, empty, &[0], false);
        assert_eq!(
            evaluator.evaluate(of_nothing).expect("max").array.as_floats(),
            Some(&[f64::NEG_INFINITY; 5][..])
        );
    });
}

#[test]
fn sizes_follow_from_what_is_given() {
    arena::scope(|| {
        let n = Dim::symbol("N", 1, 1000);
        let x = Tensor::given("x", Kind::F32, Shape::new([n, 2i64.into()]));
        let sum = reduce(Fold::Sum, x, &[0], false);
        let mean = map(sum, Kind::F32, move |s| s / Element::index(Kind::F32, n));
        let mut evaluator = Evaluator::new(Mode::Bounded);
        evaluator.give(x, Array::floats(Kind::F32, &[4, 2], (0..8).map(f64::from).collect()));
        assert_eq!(evaluator.evaluate(mean).expect("mean").array.as_floats(), Some(&[3.0, 4.0][..]));
    });
}

/// Long sums: likely bounds hold for shuffled, repeated and sorted terms, and are far below those for any order.
#[test]
fn likely_bounds_cover_awkward_sums() {
    arena::scope(|| {
        let n = 20_000;
        let random = |k: usize| f64::from((((k * 2_654_435_761) % 1_000_003) as f32 / 500_001.0) - 1.0);
        let cases: Vec<(&str, Vec<f64>)> = vec![
            ("random", (0..n).map(random).collect()),
            ("repeated", vec![f64::from(0.1f32); n]),
            ("sorted", (0..n).map(|k| f64::from(k as f32 / 7000.0 - 10.0 / 7.0)).collect()),
            (
                "alternating",
                (0..n).map(|k| if k % 2 == 0 { f64::from(0.7f32) } else { f64::from(-0.7f32) }).collect(),
            ),
        ];
        for (name, values) in cases {
            let sum = reduce(Fold::Sum, floats(Kind::F32, &values), &[0], false);
            let likely = Evaluator::new(Mode::Likely).evaluate(sum).expect(name);
            let any_order = bounded(sum);
            let one_by_one = values.iter().fold(0f32, |sum, &x| sum + x as f32);
            let lanes = (0..8)
                .map(|lane| values.iter().skip(lane).step_by(8).fold(0f32, |sum, &x| sum + x as f32))
                .sum::<f32>();
            for observed in [one_by_one, lanes] {
                let comparison = compare(&likely, &Array::floats(Kind::F32, &[], vec![f64::from(observed)]));
                assert!(comparison.agrees(), "{name}: {comparison:?}");
            }
            let (Bound::Float(likely), Bound::Float(any_order)) = (&likely.bound, &any_order.bound) else {
                panic!()
            };
            assert!(likely[0] <= any_order[0]);
            assert!(name != "random" || likely[0] * 50.0 < any_order[0]);
        }
    });
}

#[test]
fn half_precision_is_computed_in_a_wider_range_or_in_its_own() {
    use semantics::operators::reduce_mean::mean;
    arena::scope(|| {
        let half = |values: &[f64]| floats(Kind::F16, values);
        let agrees = |reading: &engines::evaluate::Reading, value: f64| {
            compare(reading, &Array::floats(Kind::F16, &[], vec![value])).agrees()
        };
        // The sum, 144,000, is no number of the type; in f32 the mean is 1,000, in f16 it is infinite.
        let average = bounded(mean(half(&[1000.0; 144]), &[0], false));
        assert_eq!(average.array.as_floats(), Some(&[1000.0][..]));
        assert!(agrees(&average, 1000.0) && agrees(&average, f64::INFINITY));
        assert!(!agrees(&average, 1002.0 + 144.0) && !agrees(&average, f64::NAN));
        // What ends outside of the range is infinite either way.
        let sum = bounded(reduce(Fold::Sum, half(&[1000.0; 144]), &[0], false));
        assert_eq!(sum.array.as_floats(), Some(&[f64::INFINITY][..]));
        assert!(!agrees(&sum, 65504.0));
        // Partial sums that may overflow leave the result finite, or not a number at all.
        let both: Vec<f64> = (0..144).map(|k| if k % 2 == 0 { 1000.0 } else { -1000.0 }).collect();
        let cancelled = bounded(reduce(Fold::Sum, half(&both), &[0], false));
        assert!(agrees(&cancelled, 0.0) && agrees(&cancelled, f64::NAN));
        assert!(!agrees(&cancelled, 30000.0));
        // A norm: infinity makes a zero of what divides by it.
        let norm = reduce(Fold::Sum, map(half(&[1000.0; 144]), Kind::F16, |x| x * x), &[0], false);
        let share = bounded(map(norm, Kind::F16, |norm| {
            Element::constant(Kind::F16, 1000.0) / norm.unary(Unary::Sqrt)
        }));
        assert!(agrees(&share, 1.0 / 12.0) && agrees(&share, 0.0) && !agrees(&share, 0.2));
    });
}

/// A framework may begin a sum with what is added to it, so that this is rounded with each of the terms.
#[test]
fn sums_begin_with_what_is_added() {
    arena::scope(|| {
        let terms: Vec<f64> = (0..400).map(|k| f64::from(0.3 + 0.001 * k as f32)).collect();
        let bias = f64::from(123_456.79f32);
        let begun = terms.iter().fold(bias as f32, |sum, &x| sum + x as f32);
        let observed = Array::floats(Kind::F32, &[1], vec![f64::from(begun)]);
        let ones = Tensor::constant(Array::floats(Kind::F32, &[terms.len(), 1], vec![1.0; terms.len()]));
        let row = Tensor::constant(Array::floats(Kind::F32, &[1, terms.len()], terms.clone()));
        let sums = [
            reduce(Fold::Sum, floats(Kind::F32, &terms), &[0], true),
            reduce(Fold::Sum, matmul(row, ones, shape(&[])), &[0], false),
        ];
        for sum in sums {
            let whole = map(sum, Kind::F32, move |x| x + bias);
            for mode in [Mode::Bounded, Mode::Likely] {
                let reading = Evaluator::new(mode).evaluate(whole).expect("evaluates");
                let comparison = compare(&reading, &observed);
                assert!(comparison.agrees(), "{mode:?}: {comparison:?}");
            }
        }
    });
}
