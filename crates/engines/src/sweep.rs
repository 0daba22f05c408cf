//! Which choices of hyper-parameters make calls invalid, and what they break first.
//!
//! Calls are made once, with the hyper-parameters as symbols. What folding leaves of their requirements is
//! compiled, and evaluated for every vector.

use semantics::call::{Call, Outcome};
use semantics::dim::Dim;
use semantics::operator::Category;
use semantics::prop::Prop;
use solver::{Compiled, Point};

/// More vectors than this are not enumerated.
pub const MOST_VECTORS: u64 = 1 << 28;

/// Calls whose requirements are collected, in the order in which they would be checked.
#[derive(Default)]
pub struct Sweep {
    pub residuals: Vec<Residual>,
    calls: usize,
}

/// A requirement that depends on the hyper-parameters (or fails whatever they are).
#[derive(Clone, Copy, Debug)]
pub struct Residual {
    /// The number of the call that states it.
    pub call: usize,
    pub label: &'static str,
    pub category: Category,
    pub prop: Prop,
}

/// A hyper-parameter and the values it may take.
pub struct Domain {
    pub symbol: Dim,
    pub values: Vec<i64>,
}

/// How many vectors are valid, and what the others break first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    pub valid: u64,
    pub invalid: u64,
    /// Vectors for which a requirement cannot be computed before one is seen to fail.
    pub unknown: u64,
    /// For each residual, of how many vectors it is the first one broken.
    pub broken: Vec<u64>,
}

impl Sweep {
    pub fn new() -> Sweep {
        Sweep::default()
    }
    /// Makes a call and keeps what its requirements leave open.
    pub fn call(&mut self, call: &mut Call, define: fn(&mut Call) -> Outcome) -> Outcome {
        let outcome = call.run(define);
        let number = self.calls;
        self.calls += 1;
        let open = call.requirements.iter().filter(|requirement| requirement.prop.known() != Some(true));
        self.residuals.extend(open.map(|requirement| Residual {
            call: number,
            label: requirement.label,
            category: requirement.category,
            prop: requirement.prop,
        }));
        outcome
    }
    /// Counts over all vectors; `None` if there are too many, or a requirement depends on something else.
    pub fn count(&self, domains: &[Domain]) -> Option<Counts> {
        let mut vectors: u64 = 1;
        for domain in domains {
            vectors = vectors.checked_mul(domain.values.len() as u64).filter(|&v| v <= MOST_VECTORS)?;
        }
        let mut compiled = Compiled::default();
        let statements: Vec<usize> =
            self.residuals.iter().map(|residual| compiled.add(residual.prop)).collect();
        if !compiled.free.is_empty() {
            return None;
        }
        // Where each unknown of the requirements finds its value.
        let slots: Vec<usize> = compiled
            .leaves
            .iter()
            .map(|leaf| domains.iter().position(|domain| domain.symbol.id() == leaf.dim().id()))
            .collect::<Option<_>>()?;
        let mut counts = Counts { valid: 0, invalid: 0, unknown: 0, broken: vec![0; self.residuals.len()] };
        let mut point: Point = compiled.point();
        for number in 0..vectors {
            let mut rest = number;
            let choice: Vec<i64> = domains
                .iter()
                .map(|domain| {
                    let length = domain.values.len() as u64;
                    let value = domain.values[(rest % length) as usize];
                    rest /= length;
                    value
                })
                .collect();
            for (leaf, &slot) in point.leaves.iter_mut().zip(&slots) {
                *leaf = choice[slot];
            }
            compiled.evaluate(&mut point);
            let mut verdicts = statements.iter().map(|&statement| compiled.holds(statement, &point));
            match verdicts.position(|verdict| verdict != Some(true)) {
                None => counts.valid += 1,
                Some(first) => {
                    if compiled.holds(statements[first], &point).is_none() {
                        counts.unknown += 1;
                    } else {
                        counts.invalid += 1;
                        counts.broken[first] += 1;
                    }
                }
            }
        }
        Some(counts)
    }
}
