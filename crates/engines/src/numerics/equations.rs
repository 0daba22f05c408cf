//! Tensors whose elements are those of others, now of one and now of another: where branches meet, and in loops.
//!
//! Loops are followed from the state before the first round until nothing new comes. Ends that keep moving are set to
//! the next of a few numbers at which something may go wrong (widening with thresholds); then one more round
//! takes back what was set too far.

use super::sources::Sources;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use crate::ranges::{Partition, Ranges, Settings};
use program::path::{How, Made};
use rustc_hash::FxHashMap;
use semantics::tensor::Tensor;

/// Rounds after which ends that still move are set to a threshold, and after which all is given up.
const PATIENCE: usize = 3;
const MOST_ROUNDS: usize = 24;

type Solution = FxHashMap<Tensor, Option<Interval>>;

/// The ranges of all tensors that are one of others.
pub(super) fn solve(made: &[Made], sources: &Sources, settings: Settings) -> Solution {
    let equations: Vec<(Tensor, &[Tensor])> = made
        .iter()
        .filter(|made| made.how == How::OneOf)
        .filter_map(|made| Some((*made.outputs.first()?, made.inputs.as_slice())))
        .collect();
    let mut solution = Solution::default();
    if equations.is_empty() {
        return solution;
    }
    // Nothing has come out of a loop before its first round.
    let mut open: Vec<Tensor> = equations.iter().map(|(output, _)| *output).collect();
    for _ in 0..equations.len() {
        let before = open.len();
        for (output, inputs) in &equations {
            if solution.contains_key(output) {
                continue;
            }
            let ready = inputs.iter().find(|input| !open.iter().any(|other| depends(**input, *other)));
            if let Some(first) = ready {
                let mut ranges = reading(sources, &solution, settings);
                solution.insert(*output, ranges.read(*first).hull());
                open.retain(|other| other != output);
            }
        }
        if open.len() == before {
            break;
        }
    }
    for round in 0..MOST_ROUNDS {
        let next = step(&equations, &solution, sources, settings);
        let mut stable = true;
        for (output, new) in next {
            let old = solution.get(&output).copied().flatten();
            let joined = match (old, new) {
                (Some(old), Some(new)) => old.hull(&new),
                (None, new) if !solution.contains_key(&output) => new,
                _ => None,
            };
            if joined != old || !solution.contains_key(&output) {
                stable = false;
                let give_up = round + 2 >= MOST_ROUNDS;
                let widened = match (old, joined) {
                    (_, Some(_)) if give_up => None,
                    (Some(old), Some(new)) if round >= PATIENCE => Some(widen(old, new)),
                    _ => joined,
                };
                solution.insert(output, widened);
            }
        }
        if stable {
            break;
        }
    }
    // What holds after a round holds: once more, without setting anything further.
    let narrowed = step(&equations, &solution, sources, settings);
    solution.extend(narrowed);
    solution
}

fn reading(sources: &Sources, solution: &Solution, settings: Settings) -> Ranges {
    let mut ranges = Ranges::with(settings);
    sources.give(&mut ranges);
    give(&mut ranges, solution);
    ranges
}

pub(super) fn give(ranges: &mut Ranges, solution: &Solution) {
    for (&tensor, &interval) in solution {
        let interval = interval.or_else(|| tensor.dtype().known().and_then(Interval::anything));
        ranges.give_partition(tensor, Partition::whole(tensor, interval));
    }
}

fn step(
    equations: &[(Tensor, &[Tensor])],
    solution: &Solution,
    sources: &Sources,
    settings: Settings,
) -> Vec<(Tensor, Option<Interval>)> {
    let mut ranges = reading(sources, solution, settings);
    let hull = |(output, inputs): &(Tensor, &[Tensor])| {
        let mut hull: Option<Option<Interval>> = None;
        for &input in inputs.iter() {
            let read = ranges.read(input).hull();
            hull = Some(match hull {
                None => read,
                Some(held) => held.zip(read).and_then(|(held, read)| held.hull(&read)),
            });
        }
        (*output, hull.flatten())
    };
    equations.iter().map(hull).collect()
}

fn depends(tensor: Tensor, on: Tensor) -> bool {
    let mut open = vec![tensor];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(next) = open.pop() {
        if next == on {
            return true;
        }
        if seen.insert(next) {
            open.extend(super::cone::parents(next));
        }
    }
    false
}

/// Numbers at which functions change their ways, from zero outwards.
const THRESHOLDS: [f64; 9] = [0.0, 1.0, 2.0, 11.0, 88.0, 709.0, 65504.0, 1e18, 3e38];

fn widen(old: Interval, new: Interval) -> Interval {
    match (old, new) {
        (Interval::Float { low: a, high: b, .. }, Interval::Float { low: c, high: d, nan }) => {
            let low = if c < a { -outwards(-c) } else { a };
            let high = if d > b { outwards(d) } else { b };
            Interval::Float { low, high, nan }
        }
        (Interval::Int { low: a, high: b }, Interval::Int { low: c, high: d }) => Interval::Int {
            low: if c < a { i128::from(i64::MIN) } else { a },
            high: if d > b { i128::from(i64::MAX) } else { b },
        },
        (_, new) => new,
    }
}

/// The next threshold above a number.
fn outwards(value: f64) -> f64 {
    let above = THRESHOLDS.into_iter().find(|threshold| *threshold >= value);
    let below =
        || THRESHOLDS.into_iter().rev().map(|threshold| -threshold).find(|threshold| *threshold >= value);
    if value < 0.0 { below().unwrap_or(0.0) } else { above.unwrap_or(f64::INFINITY) }
}
