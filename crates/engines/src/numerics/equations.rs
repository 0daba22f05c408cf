//! Tensors whose elements are those of others, now of one and now of another: where branches meet, and in loops.
//!
//! Loops that end by themselves are followed round by round ([`super::rounds`]). Others are followed from the state before
//! the first round until nothing new comes. Ends that keep moving are set to
//! the next of a few numbers at which something may go wrong (widening with thresholds); then one more round
//! takes back what was set too far. What is handed on is read where the condition holds under which it is; variables that
//! a program sets itself are such tensors, too, from run to run.

use super::flows::Flows;
use super::rounds;
use super::sources::Sources;
use super::trace::Kept;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use crate::ranges::{Partition, Ranges, Settings};
use program::path::{How, Made};
use rustc_hash::FxHashMap;
use semantics::tensor::Tensor;

/// Rounds after which ends that still move are set to a threshold, and after which all is given up.
const PATIENCE: usize = 3;
const MOST_ROUNDS: usize = 24;
/// How often what was set too far is taken back, and how many runs a variable grows for.
const NARROWED: usize = 3;
const RUNS: f64 = i32::MAX as f64;

/// A tensor that is one of others, each under its condition if that is known.
struct Equation<'a> {
    output: Tensor,
    inputs: Vec<Tensor>,
    when: &'a [(Tensor, bool)],
    /// A variable, from run to run.
    is_kept: bool,
}

pub(super) type Solution = FxHashMap<Tensor, Option<Interval>>;

/// The ranges of all tensors that are one of others.
pub(super) fn solve(
    made: &[Made],
    flows: &Flows,
    kept: &[&Kept],
    sources: &Sources,
    settings: Settings,
) -> Solution {
    let of_step = |made: &'_ Made| made.outputs.first().copied();
    let mut equations: Vec<Equation<'_>> = made
        .iter()
        .filter(|made| made.how == How::OneOf)
        .filter_map(|made| {
            let when = if made.when.len() == made.inputs.len() { &made.when[..] } else { &[] };
            Some(Equation { output: of_step(made)?, inputs: made.inputs.to_vec(), when, is_kept: false })
        })
        .collect();
    equations.extend(kept.iter().map(|kept| {
        let inputs = [kept.start].into_iter().chain(kept.assigned.iter().copied()).collect();
        Equation { output: kept.variable, inputs, when: &[], is_kept: true }
    }));
    if equations.is_empty() {
        return Solution::default();
    }
    let mut solution = rounds::follow(made, flows, sources, settings);
    equations.retain(|equation| !solution.contains_key(&equation.output));
    // Nothing has come out of a loop before its first round.
    let mut open: Vec<Tensor> = equations.iter().map(|equation| equation.output).collect();
    for _ in 0..equations.len() {
        let before = open.len();
        for Equation { output, inputs, .. } in &equations {
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
    let mut first: Solution = Solution::default();
    for round in 0..MOST_ROUNDS {
        if round == 1 {
            first = solution.clone();
        }
        let next = step(&equations, &solution, sources, settings);
        let mut stable = true;
        for (output, new) in next {
            let old = solution.get(&output).copied().flatten();
            // A side that is never taken says nothing.
            let Some(new) = new else { continue };
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
    for _ in 0..NARROWED {
        let narrowed = step(&equations, &solution, sources, settings);
        solution.extend(narrowed.into_iter().filter_map(|(output, interval)| Some((output, interval?))));
    }
    for equation in equations.iter().filter(|equation| equation.is_kept) {
        let once = first.get(&equation.output).copied().flatten();
        if let Some(held) = solution.get_mut(&equation.output) {
            *held = held.map(|held| within_runs(held, once));
        }
    }
    solution
}

/// A variable that grows with every run is told for as many runs as there are, each adding what the first did.
fn within_runs(interval: Interval, once: Option<Interval>) -> Interval {
    let step = match once {
        Some(Interval::Float { low, high, .. }) if low.is_finite() && high.is_finite() => {
            low.abs().max(high.abs()).max(1.0)
        }
        _ => return interval,
    };
    match interval {
        Interval::Float { low, high, nan } => {
            Interval::Float { low: low.max(-step * RUNS), high: high.min(step * RUNS), nan }
        }
        other => other,
    }
}

pub(super) fn reading(sources: &Sources, solution: &Solution, settings: Settings) -> Ranges {
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

/// What each tensor is for a solution so far; nothing at all if no side of it is ever taken.
fn step(
    equations: &[Equation<'_>],
    solution: &Solution,
    sources: &Sources,
    settings: Settings,
) -> Vec<(Tensor, Option<Option<Interval>>)> {
    let mut ranges = reading(sources, solution, settings);
    let hull = |equation: &Equation<'_>| {
        let mut hull: Option<Option<Interval>> = None;
        for (number, &input) in equation.inputs.iter().enumerate() {
            let read = match equation.when.get(number) {
                Some(&when) => match ranges.hull_where(input, when) {
                    Some(read) => read,
                    None => continue,
                },
                None if equation.is_kept => ranges.hull_closely(input),
                None => ranges.read(input).hull(),
            };
            hull = Some(match hull {
                None => read,
                Some(held) => held.zip(read).and_then(|(held, read)| held.hull(&read)),
            });
        }
        (equation.output, hull)
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
