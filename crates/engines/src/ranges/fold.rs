//! Folds over an index whose span falls into segments: so many terms, each within an interval.

use super::read::{MOST_TERMS, Reader, Stop};
use super::round::sums_exactly;
use crate::evaluate::interval::Interval::{self, Bool, Float, Int};
use crate::evaluate::number::Number;
use semantics::dim::UNBOUNDED;
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold};

/// Terms of a fold.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    /// How many there are, at least and at most.
    pub count: (i64, i64),
    pub interval: Interval,
}

impl Reader<'_> {
    /// How many numbers go into each term of a sum, if the terms are sums themselves, and not of whole numbers.
    pub(super) fn added_up_in(&mut self, body: Element) -> Result<Option<i64>, Stop> {
        let (mut count, mut inner) = (None::<i64>, body);
        while let ElementView::Fold { with: Fold::Sum, extent, body, .. } = inner.view() {
            count = Some(count.unwrap_or(1).saturating_mul(self.bounds(extent)?.1.max(1)));
            inner = body;
        }
        Ok(count.filter(|_| !is_whole(inner)))
    }

    /// How many terms one term of a sum is itself the sum of, at most: at least one.
    pub(super) fn terms_in(&mut self, body: Element) -> Result<i64, Stop> {
        let (mut count, mut inner) = (1i64, body);
        while let ElementView::Fold { with: Fold::Sum, extent, body, .. } = inner.view() {
            count = count.saturating_mul(self.bounds(extent)?.1.max(1)).min(MOST_TERMS);
            inner = body;
        }
        Ok(count)
    }
}

/// Whether an element is a whole number by how it is written: sums of those are exact in any order.
fn is_whole(element: Element) -> bool {
    match element.view() {
        ElementView::Float(value) => value.fract() == 0.0,
        ElementView::Int(_) | ElementView::Index(_) => true,
        ElementView::Cast(x) => matches!(x.kind().class(), Class::Int | Class::Bool) || is_whole(x),
        ElementView::Select(_, x, y) | ElementView::When(_, x, y) => is_whole(x) && is_whole(y),
        _ => false,
    }
}

/// Powers are multiplied out up to this exponent.
const LONGEST_PRODUCT: i64 = 64;

/// The fold of all terms, in any order. `None` where nothing can be said. Terms that are sums of so many numbers
/// themselves may be added up all in one.
pub(super) fn fold(with: Fold, kind: Kind, segments: &[Segment], inner: Option<i64>) -> Option<Interval> {
    let neutral = <Interval as Number>::fold(with, kind, &[])?;
    let segments: Vec<Segment> = segments.iter().copied().filter(|segment| segment.count.1 > 0).collect();
    match (with, neutral) {
        (Fold::Sum, Float { .. }) => float_sum(kind, &segments, inner),
        (Fold::Sum, Int { .. }) => int_sum(kind, &segments),
        (Fold::Product, _) => segments.iter().try_fold(neutral, |product, segment| {
            Interval::binary(Binary::Mul, kind, &product, &power(kind, segment)?)
        }),
        // One term more changes nothing if there is one like it: only whether there is any matters.
        _ => segments.iter().try_fold(neutral, |folded, segment| {
            let with_it = Interval::binary(with.step(), kind, &folded, &segment.interval)?;
            if segment.count.0 > 0 { Some(with_it) } else { with_it.hull(&folded) }
        }),
    }
}

fn float_sum(kind: Kind, segments: &[Segment], inner: Option<i64>) -> Option<Interval> {
    let (mut lows, mut highs, mut nan) = (Vec::new(), Vec::new(), false);
    let (mut falls, mut rises) = (false, false);
    let mut count: i64 = 0;
    for segment in segments {
        let Float { low, high, nan: unsure } = segment.interval else { return None };
        nan |= unsure;
        falls |= low == f64::NEG_INFINITY;
        rises |= high == f64::INFINITY;
        if low > high {
            // Not a number whatever the others are, if it is there at all.
            return Some(Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true });
        }
        let (least, most) = segment.count;
        lows.push((if low >= 0.0 { least } else { most }, low));
        highs.push((if high <= 0.0 { least } else { most }, high));
        count = count.saturating_add(most);
    }
    // Frameworks add up short floats in float32 at least.
    let unit = kind.unit_roundoff().min(Kind::F32.unit_roundoff());
    // What one number of each is exactly says nothing of sums of some of them.
    let count = (count.saturating_mul(inner.unwrap_or(1)), inner.is_none());
    let low = end(&lows, count, unit, -1.0);
    let high = end(&highs, count, unit, 1.0);
    Some(Float { low, high, nan: nan || (falls && rises) })
}

/// The sum of one end of all terms, moved outwards by what adding in any order may lose.
fn end(terms: &[(i64, f64)], (count, may_be_exact): (i64, bool), unit: f64, outwards: f64) -> f64 {
    let (mut sum, mut magnitude) = (0.0, 0.0);
    for &(times, value) in terms {
        if times == 0 || value == 0.0 {
            continue;
        }
        let times = if times == UNBOUNDED { f64::INFINITY } else { times as f64 };
        sum += times * value;
        magnitude += times * value.abs();
    }
    if magnitude == f64::INFINITY || may_be_exact && sums_exactly(terms, unit) {
        return if sum.is_nan() { outwards * f64::INFINITY } else { sum };
    }
    // Rounded to nearest, adding `x` moves a sum by at most `2 |x|`, for staying where it is would miss by `|x|` only:
    // however many terms there are, the sum is at most twice their magnitude, and misses the true one by three times.
    let relative = (count as f64 * unit * 2.0).min(3.0);
    sum + outwards * (relative * magnitude)
}

fn int_sum(kind: Kind, segments: &[Segment]) -> Option<Interval> {
    let (least, most) = kind.int_range()?;
    let (mut low, mut high) = (0i128, 0i128);
    for segment in segments {
        let Int { low: a, high: b } = segment.interval else { return None };
        let (few, many) = (i128::from(segment.count.0), i128::from(segment.count.1));
        low = low.saturating_add(a.saturating_mul(if a >= 0 { few } else { many }));
        high = high.saturating_add(b.saturating_mul(if b <= 0 { few } else { many }));
    }
    // Beyond the type a sum wraps, and may be anything.
    if low < least || high > most { Interval::anything(kind) } else { Some(Int { low, high }) }
}

fn power(kind: Kind, segment: &Segment) -> Option<Interval> {
    let (least, most) = segment.count;
    let one = <Interval as Number>::int(kind, 1);
    let base = &segment.interval;
    let shrinking = match *base {
        Float { low, high, nan: false } => low >= -1.0 && high <= 1.0,
        Int { low, high } => low >= -1 && high <= 1,
        _ => false,
    };
    if most <= LONGEST_PRODUCT {
        let mut product = one;
        let mut all: Option<Interval> = (least == 0).then_some(one);
        for exponent in 1..=most {
            product = Interval::binary(Binary::Mul, kind, &product, base)?;
            if exponent >= least {
                all = Some(all.map_or(Some(product), |all| all.hull(&product))?);
            }
        }
        return all;
    }
    match *base {
        Float { low, .. } if shrinking => {
            Some(Float { low: if low < 0.0 { -1.0 } else { 0.0 }, high: 1.0, nan: false })
        }
        Int { low, .. } if shrinking => Some(Int { low: if low < 0 { -1 } else { 0 }, high: 1 }),
        Bool { .. } => base.hull(&one),
        _ => Interval::anything(kind),
    }
}
