//! Abstract tensors: boxes of indices, each with an interval that holds every element in it.

use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use semantics::array::{Array, Data};
use semantics::dim::Dim;
use semantics::dtype::{Class, Kind};
use semantics::integer;
use semantics::tensor::Tensor;
use std::fmt;

/// What is known of a tensor's elements. The parts cover it; an element that lies in two is in both intervals.
#[derive(Clone)]
pub struct Partition {
    pub parts: Vec<Part>,
}

/// One box of a tensor.
#[derive(Clone)]
pub struct Part {
    /// Per axis; empty for a tensor of unknown rank, of which it is the whole.
    pub region: Vec<Span>,
    /// `None` where elements are not ordered (complex numbers, strings).
    pub interval: Option<Interval>,
}

/// Indices from `low` on and before `high`; both may be expressions of unknown sizes.
#[derive(Clone, Copy)]
pub struct Span {
    pub low: Dim,
    pub high: Dim,
}

/// Constants of at most so many elements are kept element by element.
const MOST_SINGLE: usize = 16;

impl Span {
    pub fn of(size: Dim) -> Span {
        Span { low: Dim::from(0), high: size }
    }
    /// How many indices there are, at least and at most.
    pub fn count(self) -> (i64, i64) {
        let (least, most) = (self.high - self.low).bounds();
        (least.max(0), most.max(0))
    }
}

impl Partition {
    /// One interval for all elements.
    pub fn whole(tensor: Tensor, interval: Option<Interval>) -> Partition {
        let sizes = tensor.shape().sizes().unwrap_or_default();
        Partition { parts: vec![Part { region: sizes.into_iter().map(Span::of).collect(), interval }] }
    }
    pub fn of_array(array: &Array) -> Partition {
        let everything = array.shape.iter().map(|&size| Span::of(Dim::from(size))).collect();
        let hull = |from: usize, to: usize| {
            let mut intervals = (from..to).filter_map(|at| element(array, at));
            let first = intervals.next()?;
            intervals.try_fold(first, |hull, next| hull.hull(&next))
        };
        if array.len() > MOST_SINGLE || array.is_empty() {
            return Partition { parts: vec![Part { region: everything, interval: hull(0, array.len()) }] };
        }
        let strides = array.strides();
        let parts = (0..array.len()).map(|at| {
            let position = strides.iter().zip(&array.shape).map(|(stride, size)| at / stride % size);
            let region = position.map(|k| Span { low: Dim::from(k), high: Dim::from(k + 1) }).collect();
            Part { region, interval: hull(at, at + 1) }
        });
        Partition { parts: parts.collect() }
    }
    /// What covers every element; `None` if nothing is known, or there is none.
    pub fn hull(&self) -> Option<Interval> {
        let mut parts = self.parts.iter();
        let first = parts.next()?.interval?;
        parts.try_fold(first, |hull, part| hull.hull(&part.interval?))
    }
    /// Whether a concrete tensor lies inside; otherwise the position of an element that does not.
    pub fn holds(&self, array: &Array, value: impl Fn(Dim) -> Option<i64>) -> Result<(), usize> {
        let strides = array.strides();
        for at in 0..array.len() {
            let position: Vec<i64> =
                strides.iter().zip(&array.shape).map(|(stride, size)| (at / stride % size) as i64).collect();
            let mut covered = false;
            for part in &self.parts {
                let inside = part.region.iter().zip(&position).all(|(span, k)| {
                    value(span.low).is_none_or(|low| low <= *k)
                        && value(span.high).is_none_or(|high| *k < high)
                });
                if !inside {
                    continue;
                }
                covered = true;
                if part.interval.is_some_and(|interval| !holds(&interval, array, at)) {
                    return Err(at);
                }
            }
            if !covered {
                return Err(at);
            }
        }
        Ok(())
    }
    /// Narrows every part by a fact about all elements.
    pub(super) fn meet(&mut self, low: f64, high: f64) {
        for part in &mut self.parts {
            part.interval = part.interval.map(|interval| meet(interval, low, high));
        }
    }
}

/// The elements of a type between two numbers.
pub fn between(kind: Kind, low: f64, high: f64) -> Option<Interval> {
    Interval::anything(kind).map(|anything| match meet(anything, low, high) {
        Interval::Float { low, high, .. } => Interval::Float { low, high, nan: false },
        other => other,
    })
}

fn meet(interval: Interval, least: f64, most: f64) -> Interval {
    match interval {
        Interval::Float { low, high, nan } if low <= high => {
            Interval::Float { low: low.max(least).min(most), high: high.min(most).max(least), nan }
        }
        Interval::Int { low, high } => {
            let (least, most) = (least.ceil() as i128, most.floor() as i128);
            Interval::Int { low: low.max(least).min(most), high: high.min(most).max(least) }
        }
        Interval::Bool { may_be_true, may_be_false } => Interval::Bool {
            may_be_true: may_be_true && most >= 1.0,
            may_be_false: may_be_false && least <= 0.0,
        },
        other => other,
    }
}

/// What lies in both of two ranges that hold the same numbers.
pub(super) fn overlap(one: Interval, other: Interval) -> Interval {
    match (one, other) {
        (Interval::Float { low: a, high: b, nan: p }, Interval::Float { low: c, high: d, nan: q })
            if a <= b && c <= d && a.max(c) <= b.min(d) =>
        {
            Interval::Float { low: a.max(c), high: b.min(d), nan: p && q }
        }
        (Interval::Int { low: a, high: b }, Interval::Int { low: c, high: d }) if a.max(c) <= b.min(d) => {
            Interval::Int { low: a.max(c), high: b.min(d) }
        }
        (
            Interval::Bool { may_be_true: a, may_be_false: b },
            Interval::Bool { may_be_true: c, may_be_false: d },
        ) if a && c || b && d => Interval::Bool { may_be_true: a && c, may_be_false: b && d },
        _ => one,
    }
}

fn element(array: &Array, at: usize) -> Option<Interval> {
    Some(match &array.data {
        Data::Float(values) => Interval::float(array.kind, values[at]),
        Data::Int(values) => <Interval as Number>::int(array.kind, values[at]),
        Data::Bool(values) => Interval::bool(values[at]),
        Data::Complex(_) | Data::Opaque(_) => return None,
    })
}

fn holds(interval: &Interval, array: &Array, at: usize) -> bool {
    match (interval, &array.data) {
        (Interval::Float { nan, .. }, Data::Float(values)) if values[at].is_nan() => *nan,
        (Interval::Float { low, high, .. }, Data::Float(values)) => (*low..=*high).contains(&values[at]),
        (Interval::Int { low, high }, Data::Int(values)) => {
            (*low..=*high).contains(&integer::widen(array.kind, values[at]))
        }
        (Interval::Bool { may_be_true, may_be_false }, Data::Bool(values)) => {
            if values[at] {
                *may_be_true
            } else {
                *may_be_false
            }
        }
        _ => matches!(array.kind.class(), Class::Complex | Class::Opaque),
    }
}

/// `[0..3, N..N + 2]: 1 to 2`, one line for each part.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, part) in self.parts.iter().enumerate() {
            let spans: Vec<String> =
                part.region.iter().map(|span| format!("{}..{}", span.low, span.high)).collect();
            let separator = if k > 0 { "\n" } else { "" };
            write!(f, "{separator}[{}]: ", spans.join(", "))?;
            match part.interval {
                None => f.write_str("anything")?,
                Some(interval) => f.write_str(&shown(&interval))?,
            }
        }
        Ok(())
    }
}

/// An interval in words.
pub fn shown(interval: &Interval) -> String {
    match *interval {
        Interval::Float { low, high, nan: true } if low > high => "not a number".into(),
        Interval::Float { low, high, nan } => {
            format!("{low} to {high}{}", if nan { " or not a number" } else { "" })
        }
        Interval::Int { low, high } => format!("{low} to {high}"),
        Interval::Bool { may_be_true: true, may_be_false: true } => "true or false".into(),
        Interval::Bool { may_be_true, .. } => may_be_true.to_string(),
    }
}
