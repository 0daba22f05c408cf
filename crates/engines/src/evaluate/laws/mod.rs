//! Laws that every reading of a formula keeps, on thousands of random formulas.

mod generate;
mod rational;
mod simulate;

use super::bounded::Estimate;
use super::interval::Interval;
use super::near::{Format, Near};
use super::number::Number;
use super::plain::Scalar;
use super::walk::{Halt, Tensors, Walker};
use super::{Bound, Evaluator, Mode, Reading, compare};
use generate::{Case, Flavour};
use semantics::arena;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use semantics::tensor::Tensor;

/// A small generator of its own, so that a failure is the same everywhere.
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number in `0..end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Reads all elements of the case's tensor in a domain, one at a time.
fn read_all<N: Number>(case: &Case, around: &dyn Tensors, mut each: impl FnMut(usize, Result<N, Halt>)) {
    let formula = case.tensor.formula().expect("a formula");
    let mut walker = Walker::<N>::new(around);
    for at in 0..case.sizes.iter().product() {
        let (mut rest, mut index) = (at, Vec::new());
        for (&variable, &size) in formula.index.iter().zip(&case.sizes).rev() {
            index.extend(super::compile::symbol(variable).map(|symbol| (symbol, (rest % size) as i64)));
            rest /= size;
        }
        each(at, walker.read(formula.element, &index));
    }
}

fn evaluator(case: &Case, mode: Mode) -> Evaluator {
    let mut evaluator = Evaluator::new(mode);
    for (tensor, array) in &case.given {
        evaluator.give(*tensor, array.clone());
        evaluator.evaluate(*tensor).expect("given");
    }
    evaluator
}

fn element(array: &Array, at: usize) -> Scalar {
    Scalar::read(&Reading::new(array.clone(), Bound::Exact), at).expect("inside")
}

fn close(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => {
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * (1.0 + a.abs())
        }
        (Scalar::Complex(a), Scalar::Complex(b)) => {
            (0..2).all(|k| close(Scalar::Float(a[k]), Scalar::Float(b[k])))
        }
        _ => a == b,
    }
}

fn for_cases(seeds: std::ops::Range<u64>, flavour: Flavour, law: impl Fn(u64, &Case)) {
    // `TENSORVET_LAW_FACTOR=20 cargo test --release` looks harder.
    let factor =
        std::env::var("TENSORVET_LAW_FACTOR").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    for seed in seeds.start..seeds.end * factor {
        arena::scope(|| {
            let case = generate::case(&mut Random::new(seed), flavour);
            law(seed, &case);
        });
    }
}

/// Compiled programs give what reading one element at a time gives, or fail as it does.
#[test]
fn compiled_is_as_read() {
    let mut failures = 0;
    let failures = std::cell::RefCell::new(&mut failures);
    for_cases(0..2000, Flavour::Everything, |seed, case| {
        let mut evaluator = evaluator(case, Mode::Plain);
        let compiled = evaluator.evaluate(case.tensor);
        let mut expected = Vec::new();
        let mut error = None;
        read_all::<Scalar>(case, &evaluator, |_, value| match value {
            Ok(value) => expected.push(value),
            Err(halt) => error = Some(halt),
        });
        match (compiled, error) {
            (Ok(reading), None) => {
                // Sums in another order may decide otherwise; the bounded reading knows.
                let mut bounded = None;
                for (at, &value) in expected.iter().enumerate() {
                    let got = element(&reading.array, at);
                    if !close(got, value) {
                        let bounded = bounded.get_or_insert_with(|| {
                            let mut evaluator = self::evaluator(case, Mode::Bounded);
                            evaluator.evaluate(case.tensor).expect("bounded")
                        });
                        let comparison = compare(bounded, &one(&reading.array, at, value));
                        assert!(comparison.agrees(), "seed {seed}: {case} at {at}: {got:?}, read {value:?}");
                    }
                }
            }
            (Err(_), Some(_)) => **failures.borrow_mut() += 1,
            (compiled, error) => panic!("seed {seed}: {case}: {compiled:?} but {error:?}"),
        }
    });
    assert!(**failures.borrow() > 0, "no formula that fails was tried");
}

/// The array with one element replaced.
fn one(array: &Array, at: usize, value: Scalar) -> Array {
    let mut array = array.clone();
    match (&mut array.data, value) {
        (Data::Float(values), Scalar::Float(value)) => values[at] = value,
        (Data::Int(values), Scalar::Int(value)) => values[at] = value,
        (Data::Bool(values), Scalar::Bool(value)) => values[at] = value,
        (Data::Complex(values), Scalar::Complex(value)) => values[at] = value,
        _ => {}
    }
    array
}

/// What is read, as the reading of a whole tensor keeps it: in its element type.
fn stored(kind: Kind, value: Estimate) -> Estimate {
    match value {
        Estimate::Float(near) if kind == Kind::F16 => {
            let (value, error) = Format::of(kind).stored(near.value, near.error);
            Estimate::Float(Near { value, error })
        }
        other => other,
    }
}

/// Bounded programs give the values and bounds that reading gives.
#[test]
fn bounded_is_as_read() {
    for_cases(0..1500, Flavour::Everything, |seed, case| {
        let mut evaluator = evaluator(case, Mode::Bounded);
        let Ok(reading) = evaluator.evaluate(case.tensor) else { return };
        read_all::<Estimate>(case, &evaluator, |at, value| {
            let Ok(value) = value else { return };
            let value = stored(case.tensor.kind(), value);
            let got = Estimate::read(&reading, at).expect("inside");
            let alike = |p: f64, q: f64, off: f64| {
                (p == q || (p - q).abs() <= 1e-2 * (p + q)) && (off <= 1e-9 || off <= p)
                    || p.is_infinite() && off <= q
            };
            let agree = match (got, value) {
                (Estimate::Float(a), Estimate::Float(b))
                    if close(Scalar::Float(a.value), Scalar::Float(b.value)) =>
                {
                    alike(a.error, b.error, 0.0)
                }
                (Estimate::Float(a), Estimate::Float(b)) => {
                    alike(a.error, b.error, (a.value - b.value).abs())
                }
                (Estimate::Complex(a), Estimate::Complex(b))
                    if close(Scalar::Complex(a.value), Scalar::Complex(b.value)) =>
                {
                    alike(a.error, b.error, 0.0)
                }
                (a, b) => a == b,
            };
            assert!(agree, "seed {seed}: {case} at {at}: {got:?}, read {value:?}");
        });
    });
}

/// Rounding after every operation, adding in any order, stays inside the bound.
#[test]
fn simulated_rounding_is_inside_the_bound() {
    let compared = std::cell::Cell::new((0usize, 0usize));
    let modes = [Mode::Bounded, Mode::Likely];
    for (kind, mode) in [Kind::F32, Kind::F16, Kind::BF16, Kind::F64]
        .into_iter()
        .flat_map(|kind| modes.map(|mode| (kind, mode)))
    {
        for_cases(0..800, Flavour::Floats(kind), |seed, case| {
            let mut evaluator = evaluator(case, mode);
            let Ok(reading) = evaluator.evaluate(case.tensor) else { return };
            let Some(observed) = simulate::evaluate(case, &evaluator, seed) else { return };
            let comparison = compare(&reading, &observed);
            assert!(comparison.agrees(), "seed {seed} {kind}: {case}: {comparison:?}");
            let (all, unbounded) = compared.get();
            compared.set((all + observed.len(), unbounded + comparison.unbounded));
        });
    }
    let (all, unbounded) = compared.get();
    assert!(unbounded * 10 < all, "{unbounded} of {all} elements have no bound");
}

/// What is computed lies inside the interval, and exact arithmetic agrees with `f64`.
/// A floor that a maximum sets holds in what comes after: roots and logarithms above it keep a bound.
#[test]
fn a_floor_holds_in_roots_and_logarithms() {
    use semantics::scalar::{Binary, Unary};
    let format = Format::of(Kind::F32);
    for (value, error) in [(0.0, 1e-7), (-1e-8, 1e-7), (3e-8, 1e-6), (-2.0, 5.0), (1e-12, 1e-3)] {
        let x = Near { value, error };
        let floored = format.binary(Binary::Max, x, Near::exact(0.0)).expect("a number");
        assert_eq!(floored.ends().0, 0.0, "{x:?}");
        let root = format.unary(Unary::Sqrt, floored).expect("a number");
        assert!(root.value - root.error <= 0.0, "{x:?}: {root:?}");
        assert!(root.value + root.error >= (value + error).sqrt(), "{x:?}: {root:?}");
        assert!(root.error <= 1.01 * (value + error).sqrt() + format.tiny, "{x:?}: {root:?}");
        let raised = format.binary(Binary::Max, x, Near::exact(1e-10)).expect("a number");
        let logarithm = format.unary(Unary::Ln, raised).expect("a number");
        assert!(logarithm.value - logarithm.error <= 1e-10_f64.ln(), "{x:?}: {logarithm:?}");
        assert!(logarithm.value + logarithm.error >= (value + error).ln(), "{x:?}: {logarithm:?}");
    }
}

#[test]
fn values_lie_inside_their_interval() {
    for_cases(0..1000, Flavour::Floats(Kind::F64), |seed, case| {
        let mut evaluator = evaluator(case, Mode::Plain);
        let Ok(reading) = evaluator.evaluate(case.tensor) else { return };
        read_all::<Interval>(case, &evaluator, |at, interval| {
            let Ok(interval) = interval else { return };
            let value = element(&reading.array, at);
            // Our own rounding is not the interval's affair: it is far below this.
            let slack = |value: f64, sign: f64| value + sign * 1e-9 * (1.0 + value.abs());
            let wider = match interval {
                Interval::Float { low, high, nan } => {
                    Interval::Float { low: slack(low, -1.0), high: slack(high, 1.0), nan }
                }
                other => other,
            };
            assert!(
                wider.contains(value, reading.array.kind),
                "seed {seed}: {case} at {at}: {value:?} not in {interval:?}"
            );
        });
    });
}

#[test]
fn f64_agrees_with_exact_arithmetic() {
    let exact = std::cell::Cell::new(0usize);
    for_cases(0..1000, Flavour::Arithmetic, |seed, case| {
        let mut evaluator = evaluator(case, Mode::Bounded);
        let Ok(reading) = evaluator.evaluate(case.tensor) else { return };
        read_all::<rational::Rational>(case, &evaluator, |at, value| {
            let Ok(value) = value else { return };
            let Some(Estimate::Float(near)) = Estimate::read(&reading, at) else { return };
            let Some(off) = value.distance(near.value) else { return };
            assert!(off <= near.error, "seed {seed}: {case} at {at}: {near:?}, exactly {value:?}");
            exact.set(exact.get() + 1);
        });
    });
    assert!(exact.get() > 5_000);
}

/// A tensor is evaluated once, and what is given replaces what was known.
#[test]
fn given_tensors_are_checked() {
    arena::scope(|| {
        use semantics::shape::Shape;
        let tensor = Tensor::given("x", Kind::F32, Shape::new([2i64.into()]));
        let mut evaluator = Evaluator::new(Mode::Plain);
        assert!(evaluator.evaluate(tensor).is_err());
        evaluator.give(tensor, Array::floats(Kind::F32, &[3], vec![1.0; 3]));
        assert!(evaluator.evaluate(tensor).is_err());
        evaluator.give(tensor, Array::floats(Kind::F32, &[2], vec![1.0; 2]));
        assert!(evaluator.evaluate(tensor).is_ok());
    });
}
