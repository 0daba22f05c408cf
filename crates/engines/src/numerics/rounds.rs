//! Loops that are followed round by round: where it is known when a loop ends, or its ranges stop growing by themselves,
//! nothing has to be widened.

use super::equations::{Solution, reading};
use super::flows::Flows;
use super::sources::Sources;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use crate::ranges::{Ranges, Settings};
use program::path::{How, Made, Rounds};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::tensor::Tensor;

/// Rounds that are followed, and the tensors that are read for all loops of a program.
const MOST_ROUNDS: usize = 300;
const MOST_READ: usize = 6000;

/// The ranges of what is carried and of what comes out of the loops that could be followed to their ends.
pub(super) fn follow(made: &[Made], flows: &Flows, sources: &Sources, settings: Settings) -> Solution {
    let targets: Vec<Tensor> = made
        .iter()
        .filter(|made| made.how == How::OneOf)
        .flat_map(|made| made.inputs.iter().chain(&made.outputs).copied())
        .chain(flows.loops.iter().flat_map(|rounds| rounds.again))
        .collect();
    let around = flows.loops_around(&targets);
    let mut follower = Follower { made, flows, around, sources, settings, read_left: MOST_READ };
    let mut solution = Solution::default();
    for number in 0..flows.loops.len() {
        let rounds = &flows.loops[number];
        let is_outermost = rounds.carried.iter().all(|&carried| follower.depth(carried) == 1);
        if !is_outermost || rounds.carried.is_empty() || !follower.is_settled(rounds, &solution) {
            continue;
        }
        if let Some(found) = follower.all_rounds(number, &solution) {
            solution.extend(found);
        }
    }
    solution
}

struct Follower<'a> {
    made: &'a [Made],
    flows: &'a Flows,
    /// The loops that each tensor is computed in.
    around: FxHashMap<Tensor, FxHashSet<usize>>,
    sources: &'a Sources,
    settings: Settings,
    read_left: usize,
}

impl Follower<'_> {
    fn depth(&self, tensor: Tensor) -> usize {
        self.around.get(&tensor).map_or(0, FxHashSet::len)
    }
    fn is_inside(&self, tensor: Tensor, number: usize) -> bool {
        self.around.get(&tensor).is_some_and(|loops| loops.contains(&number))
    }

    /// Counts a reading of so many tensors, which is told of all sources anew.
    fn spend(&mut self, tensors: usize) -> Option<()> {
        self.read_left = self.read_left.checked_sub(8 * tensors + self.sources.known.len() / 8)?;
        Some(())
    }

    /// Whether all that a loop starts with and takes from outside is known by formulas or was found out before.
    fn is_settled(&self, rounds: &Rounds, solution: &Solution) -> bool {
        let inside: FxHashSet<Tensor> = rounds.carried.iter().chain(&rounds.number).copied().collect();
        let joined: FxHashSet<Tensor> = self
            .made
            .iter()
            .filter(|made| made.how == How::OneOf)
            .flat_map(|made| made.outputs.iter().copied())
            .collect();
        let mut open: Vec<Tensor> = super::flows::before(rounds);
        open.extend(super::flows::after(rounds));
        let mut seen = FxHashSet::default();
        while let Some(tensor) = open.pop() {
            if !seen.insert(tensor) || inside.contains(&tensor) || solution.contains_key(&tensor) {
                continue;
            }
            let is_in_a_round = self.depth(tensor) > 0;
            if joined.contains(&tensor) && !is_in_a_round || self.flows.starts.contains_key(&tensor) {
                return false;
            }
            open.extend(self.flows.parents(tensor));
        }
        true
    }

    /// One loop from its first round to its last; `None` if that is not to be seen.
    fn all_rounds(&mut self, number: usize, outside: &Solution) -> Option<Solution> {
        let rounds = self.flows.loops[number].clone();
        if rounds.next.len() != rounds.carried.len() || rounds.results.len() != rounds.carried.len() {
            return None;
        }
        let mut ranges = reading(self.sources, outside, self.settings);
        let mut state: Vec<Interval> =
            rounds.initial.iter().map(|&initial| ranges.read(initial).hull()).collect::<Option<_>>()?;
        let most = match rounds.most {
            Some(most) => Some(integers(&mut ranges, most)?),
            None => None,
        };
        let first = rounds.starts.map_or(Some(true), |starts| truth(&mut ranges, starts));
        let (mut may_run, mut may_end) = (first != Some(false), first != Some(true));
        // All that was carried, all that came out, and all that tensors inside of the rounds were.
        let mut carried: Vec<Option<Interval>> = vec![None; state.len()];
        let mut results: Vec<Option<Interval>> = vec![None; state.len()];
        let mut inner: FxHashMap<Tensor, Interval> = FxHashMap::default();
        let mut before: Vec<Vec<Interval>> = Vec::new();
        let is_counted = rounds.number.is_some_and(|number| self.is_read(number, &rounds));
        for round in 0..MOST_ROUNDS as i128 {
            if let Some((least, most)) = most {
                may_end |= least <= round;
                may_run &= most > round;
            }
            if may_end && round == 0 {
                join(&mut results, &state)?;
            }
            if !may_run {
                return Some(self.told(&rounds, carried, results, inner));
            }
            // What lies within what was carried in one round before goes on as that did: nothing new will come.
            let is_within = |held: &Vec<Interval>| {
                held.iter().zip(&state).all(|(held, new)| held.hull(new) == Some(*held))
            };
            if !is_counted && before.iter().any(is_within) {
                return Some(self.told(&rounds, carried, results, inner));
            }
            before.push(state.clone());
            join(&mut carried, &state)?;
            let mut solution = outside.clone();
            solution.extend(rounds.carried.iter().copied().zip(state.iter().map(|interval| Some(*interval))));
            if let Some(own) = rounds.number {
                solution.insert(own, Some(Interval::Int { low: round, high: round }));
            }
            self.steps_inside(number, &mut solution, &mut inner)?;
            let mut ranges = reading(self.sources, &solution, self.settings);
            self.spend(rounds.next.len())?;
            let again = rounds.again.map(|again| (again, truth(&mut ranges, again)));
            let is_last = most.is_some_and(|(_, most)| most <= round + 1);
            let may_be_last = most.is_some_and(|(least, _)| least <= round + 1);
            may_run = again.is_none_or(|(_, truth)| truth != Some(false)) && !is_last;
            may_end = again.is_some_and(|(_, truth)| truth != Some(true)) || may_be_last;
            let mut after: Vec<Interval> = Vec::new();
            let mut ended: Vec<Interval> = Vec::new();
            for &next in &rounds.next {
                let plain = ranges.read(next).hull()?;
                let mut told = |truth: bool, is_certain: bool| match again {
                    Some((again, _)) if is_certain => match ranges.hull_where(next, (again, truth)) {
                        Some(hull) => hull.map_or(Some(plain), Some),
                        None => None,
                    },
                    _ => Some(plain),
                };
                if may_run {
                    match told(true, true) {
                        Some(hull) => after.push(hull),
                        None => may_run = false,
                    }
                }
                if may_end {
                    match told(false, !may_be_last) {
                        Some(hull) => ended.push(hull),
                        None => may_end = false,
                    }
                }
            }
            if may_end {
                join(&mut results, &ended)?;
            }
            if may_run {
                state = after;
            }
        }
        None
    }

    /// Whether the body of a loop asks for the number of its round.
    fn is_read(&self, number: Tensor, rounds: &Rounds) -> bool {
        let mut open = super::flows::after(rounds);
        let mut seen = FxHashSet::default();
        while let Some(tensor) = open.pop() {
            if tensor == number {
                return true;
            }
            if seen.insert(tensor) && !rounds.carried.contains(&tensor) {
                open.extend(self.flows.parents(tensor));
            }
        }
        false
    }

    /// What is one of several things within a round: sides of branches, and inner loops.
    fn steps_inside(
        &mut self,
        number: usize,
        solution: &mut Solution,
        inner: &mut FxHashMap<Tensor, Interval>,
    ) -> Option<()> {
        let depth = self.flows.loops[number].carried.first().map_or(1, |&carried| self.depth(carried));
        for made in self.made.iter().filter(|made| made.how == How::OneOf) {
            if let Some(rounds) = &made.rounds {
                let is_next = rounds.carried.first().is_some_and(|&carried| {
                    self.is_inside(carried, number) && self.depth(carried) == depth + 1
                });
                if is_next {
                    let within =
                        self.flows.loops.iter().position(|other| std::rc::Rc::ptr_eq(other, rounds))?;
                    let found = self.all_rounds(within, solution)?;
                    for (&tensor, interval) in &found {
                        keep(inner, tensor, (*interval)?)?;
                    }
                    solution.extend(found);
                }
                continue;
            }
            let Some(&output) = made.outputs.first() else { continue };
            let is_own = self.depth(output) == depth && self.is_inside(output, number);
            let is_handed = self.flows.round_of(output).is_some() || self.flows.result_of(output).is_some();
            if !is_own || is_handed || solution.contains_key(&output) {
                continue;
            }
            let mut ranges = reading(self.sources, solution, self.settings);
            self.spend(1)?;
            let mut hull: Option<Interval> = None;
            for (side, &input) in made.inputs.iter().enumerate() {
                let read = match made.when.get(side) {
                    Some(&when) if made.when.len() == made.inputs.len() => {
                        match ranges.hull_where(input, when) {
                            Some(read) => read?,
                            None => continue,
                        }
                    }
                    _ => ranges.read(input).hull()?,
                };
                hull = Some(hull.map_or(Some(read), |held| held.hull(&read))?);
            }
            if let Some(hull) = hull {
                keep(inner, output, hull)?;
                solution.insert(output, Some(hull));
            }
        }
        Some(())
    }

    /// What was found out. Of a loop that never runs, and of one that never ends, nothing is carried or comes out.
    fn told(
        &self,
        rounds: &Rounds,
        carried: Vec<Option<Interval>>,
        results: Vec<Option<Interval>>,
        inner: FxHashMap<Tensor, Interval>,
    ) -> Solution {
        let mut solution: Solution =
            inner.into_iter().map(|(tensor, interval)| (tensor, Some(interval))).collect();
        for (tensors, intervals) in [(&rounds.carried, carried), (&rounds.results, results)] {
            let known = tensors.iter().copied().zip(intervals).filter(|(_, interval)| interval.is_some());
            solution.extend(known);
        }
        solution
    }
}

fn keep(inner: &mut FxHashMap<Tensor, Interval>, tensor: Tensor, interval: Interval) -> Option<()> {
    let joined = match inner.get(&tensor) {
        Some(held) => held.hull(&interval)?,
        None => interval,
    };
    inner.insert(tensor, joined);
    Some(())
}

fn join(held: &mut [Option<Interval>], new: &[Interval]) -> Option<()> {
    for (held, new) in held.iter_mut().zip(new) {
        *held = Some(held.map_or(Some(*new), |held| held.hull(new))?);
    }
    Some(())
}

fn truth(ranges: &mut Ranges, condition: Tensor) -> Option<bool> {
    ranges.read(condition).hull().and_then(|hull| hull.truth())
}

fn integers(ranges: &mut Ranges, tensor: Tensor) -> Option<(i128, i128)> {
    match ranges.read(tensor).hull()? {
        Interval::Int { low, high } => Some((low, high)),
        _ => None,
    }
}
