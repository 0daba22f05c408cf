//! Comparing what a framework computed with a reading.

use super::reading::{Bound, Reading};
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use semantics::integer;

/// How an observed array compares with a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Type or shape differ: in words.
    pub mismatch: Option<String>,
    /// How many elements lie outside their bound.
    pub outside: usize,
    /// How many elements have no finite bound (for integers and bools: may be anything).
    pub unbounded: usize,
    /// The element with the largest ratio of error to bound.
    pub worst: Option<Worst>,
    pub largest_error: f64,
    pub largest_bound: f64,
}

/// One element that was compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// Its row-major position.
    pub at: usize,
    pub expected: String,
    pub observed: String,
    pub error: f64,
    pub bound: f64,
    /// Error by bound; above 1 it lies outside.
    pub ratio: f64,
}

impl Worst {
    /// Where it is in an array of a shape: `[0, 3, 1]`.
    pub fn place(&self, shape: &[usize]) -> String {
        let mut rest = self.at;
        let mut index: Vec<String> = shape
            .iter()
            .rev()
            .map(|&size| {
                let position = rest % size.max(1);
                rest /= size.max(1);
                position.to_string()
            })
            .collect();
        index.reverse();
        format!("[{}]", index.join(", "))
    }
}

impl Comparison {
    /// Whether the observed array may be a correct result.
    pub fn agrees(&self) -> bool {
        self.mismatch.is_none() && self.outside == 0
    }
}

/// Compares element by element. NaN matches NaN, infinity the same infinity, and the zeros each other.
pub fn compare(reading: &Reading, observed: &Array) -> Comparison {
    let mut comparison = Comparison {
        mismatch: None,
        outside: 0,
        unbounded: 0,
        worst: None,
        largest_error: 0.0,
        largest_bound: 0.0,
    };
    let expected = &reading.array;
    if expected.kind != observed.kind || expected.shape != observed.shape {
        let (kind, other) = (expected.kind, observed.kind);
        comparison.mismatch =
            Some(format!("{other}{:?} instead of {kind}{:?}", observed.shape, expected.shape));
        return comparison;
    }
    for at in 0..expected.len().min(observed.len()) {
        let (error, bound) = distance_at(reading, observed, at);
        let admitted = reading
            .narrow
            .as_ref()
            .filter(|_| error > bound)
            .and_then(|narrow| admitted(narrow, observed, at));
        let (error, bound) = admitted.unwrap_or((error, bound));
        comparison.count(at, error, bound, expected, observed);
    }
    comparison
}

/// The error and the bound of an element that the narrow reading admits: one inside its bound, or, where it has none
/// because of what overflows on the way, infinity and NaN.
fn admitted(narrow: &Reading, observed: &Array, at: usize) -> Option<(f64, f64)> {
    let (error, bound) = distance_at(narrow, observed, at);
    let overflown = || matches!(&observed.data, Data::Float(values) if !values[at].is_finite());
    match bound.is_finite() {
        true => (error <= bound).then_some((error, bound)),
        false => overflown().then_some((0.0, 0.0)),
    }
}

/// How far an observed element is off, and how far it may be.
fn distance_at(reading: &Reading, observed: &Array, at: usize) -> (f64, f64) {
    let expected = &reading.array;
    match (&expected.data, &observed.data) {
        (Data::Float(own), Data::Float(other)) => {
            let bound = if let Bound::Float(errors) = &reading.bound { errors[at] } else { 0.0 };
            (distance(own[at], other[at]), bound)
        }
        (Data::Complex(own), Data::Complex(other)) => {
            let bound = if let Bound::Complex(errors) = &reading.bound { errors[at] } else { 0.0 };
            let parts = [0, 1].map(|part| distance(own[at][part], other[at][part]));
            (parts[0].hypot(parts[1]), bound)
        }
        (Data::Int(own), Data::Int(other)) => {
            let wide = |value: i64| integer::widen(expected.kind, value);
            let (low, high) = match &reading.bound {
                Bound::Int(ranges) => ranges[at],
                _ => (wide(own[at]), wide(own[at])),
            };
            let anything = expected.kind.int_range() == Some((low, high));
            let reach = (high - wide(own[at])).max(wide(own[at]) - low) as f64;
            let error = if (low..=high).contains(&wide(other[at])) {
                (wide(other[at]) - wide(own[at])).abs() as f64
            } else {
                f64::INFINITY
            };
            (error, if anything { f64::INFINITY } else { reach })
        }
        (Data::Bool(own), Data::Bool(other)) => {
            let undecided = matches!(&reading.bound, Bound::Bool(flags) if flags[at]);
            (f64::from(u8::from(own[at] != other[at])), if undecided { f64::INFINITY } else { 0.0 })
        }
        _ => (0.0, 0.0),
    }
}

impl Comparison {
    fn count(&mut self, at: usize, error: f64, bound: f64, expected: &Array, observed: &Array) {
        // Where nothing is off, the bound may even not be a number.
        let inside = error == 0.0 || error <= bound;
        self.outside += usize::from(!inside);
        self.unbounded += usize::from(bound.is_infinite());
        self.largest_error = self.largest_error.max(error);
        if bound.is_finite() {
            self.largest_bound = self.largest_bound.max(bound);
        }
        let ratio = match (error, bound) {
            (0.0, _) => 0.0,
            (_, f64::INFINITY) => 0.0,
            (error, bound) => error / bound,
        };
        if self.worst.as_ref().is_none_or(|worst| ratio > worst.ratio) {
            let (expected, observed) = (shown(expected, at), shown(observed, at));
            self.worst = Some(Worst { at, expected, observed, error, bound, ratio });
        }
    }
}

/// How far two floats are apart; 0 for the same NaN or infinity.
fn distance(x: f64, y: f64) -> f64 {
    if x == y || (x.is_nan() && y.is_nan()) {
        return 0.0;
    }
    let away = (x - y).abs();
    if away.is_nan() { f64::INFINITY } else { away }
}

fn shown(array: &Array, at: usize) -> String {
    match &array.data {
        Data::Bool(values) => values[at].to_string(),
        Data::Int(values) => integer::widen(array.kind, values[at]).to_string(),
        Data::Float(values) if array.kind == Kind::F32 => (values[at] as f32).to_string(),
        Data::Float(values) => values[at].to_string(),
        Data::Complex(values) => format!("{}{:+}i", values[at][0], values[at][1]),
        Data::Opaque(_) => "?".to_string(),
    }
}
