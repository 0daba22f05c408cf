//! What terms can still come to when only some hyper-parameters are known.
//!
//! A sum that has to be right can be given up long before its last part is known: the rest would have to make up more
//! than it can. Promise: every value that a term takes for some choice of what is open lies in its span; where it may not
//! be known at all, or leaves 64 bits, nothing is said.

use super::terms::{Op, Term, Terms, UNKNOWN};
use solver::{floor_div, floor_mod};

/// Between two numbers, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub low: i64,
    pub high: i64,
}

/// Anything, or nothing that is known.
const ANY: Span = Span { low: i64::MIN, high: i64::MAX };
const TRUTH: Span = Span { low: 0, high: 1 };

impl Span {
    pub fn one(value: i64) -> Span {
        if value == UNKNOWN { ANY } else { Span { low: value, high: value } }
    }
    pub fn of(values: &[i64]) -> Span {
        match (values.iter().min(), values.iter().max()) {
            (Some(&low), Some(&high)) if low != UNKNOWN => Span { low, high },
            _ => ANY,
        }
    }
    /// The value, if there is but one.
    pub fn known(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }
    fn is_any(self) -> bool {
        self == ANY
    }
    fn corners(self, other: Span, f: impl Fn(i64, i64) -> Option<i64>) -> Span {
        let all = [
            f(self.low, other.low),
            f(self.low, other.high),
            f(self.high, other.low),
            f(self.high, other.high),
        ];
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for corner in all {
            let Some(corner) = corner else { return ANY };
            (low, high) = (low.min(corner), high.max(corner));
        }
        Span { low, high }
    }
    fn union(self, other: Span) -> Span {
        Span { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    fn truth(is_true: bool, is_false: bool) -> Span {
        match (is_true, is_false) {
            (true, _) => Span::one(1),
            (_, true) => Span::one(0),
            _ => TRUTH,
        }
    }
    fn is_true(self) -> bool {
        !self.is_any() && (self.low > 0 || self.high < 0)
    }
    fn is_false(self) -> bool {
        self.known() == Some(0)
    }
}

impl Terms {
    /// The span of a term, from those of what it is made of; `open` is that of a hyper-parameter.
    pub fn span(&self, term: Term, at: impl Fn(Term) -> Span, open: impl Fn(u32) -> Span) -> Span {
        let two = |a: Term, b: Term| {
            let (a, b) = (at(a), at(b));
            (!a.is_any() && !b.is_any()).then_some((a, b))
        };
        let found = match self.ops[term as usize] {
            Op::Constant(value) => Some(Span::one(value)),
            Op::Value(place) => Some(open(place)),
            Op::Add(a, b) => two(a, b).map(|(a, b)| {
                let ends = a.low.checked_add(b.low).zip(a.high.checked_add(b.high));
                ends.map_or(ANY, |(low, high)| Span { low, high })
            }),
            Op::Multiply(a, b) => two(a, b).map(|(a, b)| a.corners(b, i64::checked_mul)),
            Op::Divide(a, b) => two(a, b).filter(|(_, b)| b.low > 0).map(|(a, b)| a.corners(b, floor_div)),
            Op::Modulo(a, b) => two(a, b).filter(|(_, b)| b.low > 0).map(|(a, b)| {
                match (b.known(), floor_div(a.low, b.low), floor_div(a.high, b.low)) {
                    // Within one round it only moves.
                    (Some(divisor), Some(from), Some(to)) if from == to => {
                        let end = |number| floor_mod(number, divisor).unwrap_or(0);
                        Span { low: end(a.low), high: end(a.high) }
                    }
                    _ => Span { low: 0, high: b.high - 1 },
                }
            }),
            Op::Min(a, b) => two(a, b).map(|(a, b)| Span { low: a.low.min(b.low), high: a.high.min(b.high) }),
            Op::Max(a, b) => two(a, b).map(|(a, b)| Span { low: a.low.max(b.low), high: a.high.max(b.high) }),
            Op::Equal(a, b) => two(a, b).map(|(a, b)| {
                let apart = a.high < b.low || b.high < a.low;
                Span::truth(a.known().is_some() && a == b, apart)
            }),
            Op::AtMost(a, b) => two(a, b).map(|(a, b)| Span::truth(a.high <= b.low, a.low > b.high)),
            // One part may decide, whatever is known of the other.
            Op::And(a, b) => match (at(a), at(b)) {
                (a, b) if a.is_false() || b.is_false() => Some(Span::one(0)),
                (a, b) if a.is_any() || b.is_any() => None,
                (a, b) => Some(Span::truth(a.is_true() && b.is_true(), false)),
            },
            Op::Or(a, b) => match (at(a), at(b)) {
                (a, b) if a.is_true() || b.is_true() => Some(Span::one(1)),
                (a, b) if a.is_any() || b.is_any() => None,
                (a, b) => Some(Span::truth(false, a.is_false() && b.is_false())),
            },
            Op::Not(a) => {
                let a = at(a);
                (!a.is_any()).then(|| Span::truth(a.is_false(), a.is_true()))
            }
            Op::Select(p, a, b) => match at(p) {
                p if p.is_any() => None,
                p if p.is_true() => Some(at(a)),
                p if p.is_false() => Some(at(b)),
                _ => two(a, b).map(|(a, b)| a.union(b)),
            },
        };
        found.unwrap_or(ANY)
    }
}
