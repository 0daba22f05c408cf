//! Computing with numbers as a framework would: every tensor is rounded to its element type before the next reads it,
//! loops are run round by round from what they start with, and of branches the one is taken whose condition holds.

use super::super::flows::{Flows, after, before};
use crate::evaluate::{Bound, Evaluator, Mode, Reading};
use crate::ranges::smallest_normal;
use program::path::Rounds;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::{Array, Data};
use semantics::dim::{AtomId, Dim};
use semantics::element::{Element, ElementView};
use semantics::tensor::{Content, Tensor};
use std::rc::Rc;

/// The tensors on the way from sources to targets, in an order in which each can be computed.
pub(super) struct Course {
    steps: Vec<Step>,
    targets: Vec<Tensor>,
    inputs: Vec<Tensor>,
    /// Conditions of the branches that the targets are computed in.
    guards: Vec<(Tensor, bool)>,
}

enum Step {
    Compute(Tensor),
    /// The first that the condition beside it allows.
    Choose(Tensor, Vec<(Tensor, (Tensor, bool))>),
    /// One tensor is another.
    Same(Tensor, Tensor),
    /// A loop: what a round takes from outside, and its steps.
    Repeat {
        rounds: Rc<Rounds>,
        taken: Vec<Tensor>,
        steps: Vec<Step>,
    },
}

/// A course with numbers for its sources and sizes.
pub(super) struct Concrete<'a> {
    pub course: &'a Course,
    pub sizes: &'a FxHashMap<AtomId, i64>,
    pub given: &'a FxHashMap<Tensor, Array>,
    /// Numbers below the normal ones become zero.
    pub flushes: bool,
    /// Infinities are wanted: only what is not a number is a failure.
    pub infinities: bool,
}

/// Longer courses are not walked.
const LONGEST: usize = 20_000;
/// Rounds that are run, and those that the work of a loop is estimated by.
const MOST_ROUNDS: usize = 300;
const USUAL_ROUNDS: f64 = 20.0;

/// Puts the steps of a course in order.
struct Planner<'a> {
    flows: &'a Flows,
    sources: FxHashSet<Tensor>,
    /// The loops that each tensor is computed in.
    around: FxHashMap<Tensor, FxHashSet<usize>>,
    wanted: Vec<Tensor>,
    length: usize,
}

impl Planner<'_> {
    fn is_inside(&self, tensor: Tensor, scope: &[usize]) -> bool {
        self.around.get(&tensor).is_none_or(|loops| loops.iter().all(|number| scope.contains(number)))
    }

    /// The steps that give tensors inside some loops, where some are there already.
    fn steps(
        &mut self,
        wanted: &[Tensor],
        scope: &[usize],
        done: &mut FxHashSet<Tensor>,
    ) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut run: FxHashSet<usize> = FxHashSet::default();
        let mut open: Vec<(Tensor, bool)> = wanted.iter().rev().map(|&tensor| (tensor, false)).collect();
        while let Some((tensor, ready)) = open.pop() {
            self.length += 1;
            if self.length > LONGEST {
                return None;
            }
            if self.sources.contains(&tensor) || done.contains(&tensor) {
                continue;
            }
            // A tensor of a loop that is not being run is computed when it is.
            let foreign = || {
                let loops = self.around.get(&tensor)?;
                loops.iter().copied().find(|number| {
                    !scope.contains(number)
                        && before(&self.flows.loops[*number])
                            .iter()
                            .all(|&other| self.is_inside(other, scope))
                })
            };
            if let Some(number) =
                self.flows.result_of(tensor).filter(|_| self.is_inside(tensor, scope)).or_else(foreign)
            {
                if run.contains(&number) {
                    done.insert(tensor);
                    continue;
                }
                let rounds = self.flows.loops[number].clone();
                if !ready {
                    open.push((tensor, true));
                    let outside = self.taken(number, scope);
                    let needed =
                        outside.into_iter().chain(before(&rounds)).filter(|other| !done.contains(other));
                    open.extend(needed.map(|other| (other, false)));
                    continue;
                }
                run.insert(number);
                let taken = self.taken(number, scope);
                let inner: Vec<usize> = scope.iter().copied().chain([number]).collect();
                let mut inside = done.clone();
                inside.extend(rounds.carried.iter().chain(&rounds.number));
                // Conditions before what they allow.
                let mut goals = self.wanted_in(number);
                goals.extend(after(&rounds));
                let body = self.steps(&goals, &inner, &mut inside)?;
                done.extend(rounds.results.iter().copied());
                done.insert(tensor);
                steps.push(Step::Repeat { rounds, taken, steps: body });
                continue;
            }
            if !self.is_inside(tensor, scope) {
                return None;
            }
            if !ready {
                open.push((tensor, true));
                open.extend(self.flows.parents(tensor).into_iter().map(|parent| (parent, false)));
                continue;
            }
            done.insert(tensor);
            steps.push(match (self.flows.sides.get(&tensor), self.flows.starts.get(&tensor)) {
                (Some(sides), _) => Step::Choose(tensor, sides.clone()),
                (_, Some(&start)) => Step::Same(tensor, start),
                _ => Step::Compute(tensor),
            });
        }
        Some(steps)
    }

    fn wanted_in(&self, number: usize) -> Vec<Tensor> {
        let inside = |tensor: &&Tensor| self.around.get(tensor).is_some_and(|loops| loops.contains(&number));
        self.wanted.iter().filter(inside).copied().collect()
    }

    /// What the rounds of a loop read that is computed outside of it.
    fn taken(&self, number: usize, scope: &[usize]) -> Vec<Tensor> {
        let rounds = &self.flows.loops[number];
        let mut open = after(rounds);
        open.extend(self.wanted_in(number));
        let mut seen = FxHashSet::default();
        let mut taken = Vec::new();
        while let Some(tensor) = open.pop() {
            if !seen.insert(tensor) || rounds.carried.contains(&tensor) || rounds.number == Some(tensor) {
                continue;
            }
            if self.is_inside(tensor, scope) {
                taken.push(tensor);
            } else {
                open.extend(self.flows.parents(tensor));
            }
        }
        taken
    }
}

impl Course {
    pub fn to(
        flows: &Flows,
        targets: &[Tensor],
        sources: &[Tensor],
        inputs: &[Tensor],
        guards: &[(Tensor, bool)],
    ) -> Option<Course> {
        // Conditions are computed first.
        let wanted: Vec<Tensor> =
            guards.iter().map(|(guard, _)| *guard).chain(targets.iter().copied()).collect();
        let mut planner = Planner {
            flows,
            sources: sources.iter().copied().collect(),
            around: flows.loops_around(&wanted),
            wanted: wanted.clone(),
            length: 0,
        };
        let steps = planner.steps(&wanted, &[], &mut FxHashSet::default())?;
        Some(Course { steps, targets: targets.to_vec(), inputs: inputs.to_vec(), guards: guards.to_vec() })
    }

    /// How many numbers are read to compute all of it; `None` if a size is not known.
    pub fn work(&self, sizes: &FxHashMap<AtomId, i64>) -> Option<f64> {
        work(&self.steps, sizes)
    }
}

fn work(steps: &[Step], sizes: &FxHashMap<AtomId, i64>) -> Option<f64> {
    let mut total = 0.0;
    for step in steps {
        total += match step {
            Step::Compute(tensor) => {
                let mut count = 1.0;
                for size in tensor.shape().sizes()? {
                    count *= number(size, sizes)? as f64;
                }
                let each = match tensor.content() {
                    Content::Formula { .. } => {
                        tensor.formula().map_or(1.0, |formula| reads(formula.element, sizes))
                    }
                    _ => 1.0,
                };
                count * each
            }
            Step::Choose(..) | Step::Same(..) => 1.0,
            Step::Repeat { steps, .. } => USUAL_ROUNDS * work(steps, sizes)?,
        };
    }
    Some(total)
}

/// How many elements one element reads.
fn reads(element: Element, sizes: &FxHashMap<AtomId, i64>) -> f64 {
    match element.view() {
        ElementView::Fold { extent, body, .. } => {
            number(extent, sizes).map_or(1.0, |extent| extent as f64) * reads(body, sizes)
        }
        ElementView::Unary(_, x) | ElementView::Cast(x) => reads(x, sizes),
        ElementView::Binary(_, x, y) => reads(x, sizes) + reads(y, sizes),
        ElementView::When(_, x, y) | ElementView::Select(_, x, y) => reads(x, sizes).max(reads(y, sizes)),
        _ => 1.0,
    }
}

pub(super) fn number(size: Dim, sizes: &FxHashMap<AtomId, i64>) -> Option<usize> {
    let number = size.evaluate(&mut |atom| sizes.get(&atom).copied())?;
    usize::try_from(number).ok()
}

/// What has been computed.
type Held = FxHashMap<Tensor, Rc<Reading>>;

/// What running some steps came to.
enum Ran {
    /// A target is no finite number, made out of finite ones.
    Failed,
    /// Nothing failed.
    Well,
    /// Something cannot be computed, or has failed before the targets.
    Lost,
}

impl Concrete<'_> {
    /// Whether the call of a site makes something that is no finite number out of finite ones.
    pub fn fails(&self) -> bool {
        let mut evaluator = Evaluator::new(Mode::Plain);
        let mut held = Held::default();
        for (tensor, array) in self.given {
            held.insert(*tensor, Rc::new(Reading::new(array.clone(), Bound::Exact)));
        }
        self.prepare(&mut evaluator, &held, held.keys().copied());
        matches!(self.run(&self.course.steps, &mut evaluator, &mut held), Ran::Failed)
    }

    fn prepare(&self, evaluator: &mut Evaluator, held: &Held, taken: impl Iterator<Item = Tensor>) {
        for (atom, &size) in self.sizes {
            evaluator.bind(atom.dim(), size);
        }
        for tensor in taken {
            if let Some(reading) = held.get(&tensor) {
                evaluator.give_reading(tensor, reading.clone());
            }
        }
    }

    fn run(&self, steps: &[Step], evaluator: &mut Evaluator, held: &mut Held) -> Ran {
        for step in steps {
            match step {
                Step::Compute(tensor) => {
                    let Ok(reading) = evaluator.evaluate(*tensor) else { return Ran::Lost };
                    let reading = match self.rounded(&reading.array) {
                        Some(array) => Rc::new(Reading::new(array, Bound::Exact)),
                        None => reading,
                    };
                    self.hold(*tensor, reading, evaluator, held);
                }
                Step::Choose(tensor, sides) => {
                    let side = sides.iter().find(|(_, guard)| self.is_met(held, guard));
                    let Some(reading) = side.and_then(|(side, _)| held.get(side).cloned()) else {
                        return Ran::Lost;
                    };
                    self.hold(*tensor, reading, evaluator, held);
                }
                Step::Same(tensor, other) => {
                    let Some(reading) = held.get(other).cloned() else { return Ran::Lost };
                    self.hold(*tensor, reading, evaluator, held);
                }
                Step::Repeat { rounds, taken, steps } => {
                    match self.repeat(rounds, taken, steps, held) {
                        Ran::Well => {}
                        other => return other,
                    }
                    for result in &rounds.results {
                        if let Some(reading) = held.get(result) {
                            evaluator.give_reading(*result, reading.clone());
                        }
                    }
                }
            }
            let (Step::Compute(tensor) | Step::Choose(tensor, _) | Step::Same(tensor, _)) = step else {
                continue;
            };
            if self.course.targets.contains(tensor) && !self.is_borne(held, *tensor) {
                if !self.course.guards.iter().all(|guard| self.is_met(held, guard)) {
                    continue;
                }
                // Else something before it has failed already.
                let is_own = self.course.inputs.iter().all(|&input| self.is_borne(held, input));
                return if is_own { Ran::Failed } else { Ran::Lost };
            }
        }
        Ran::Well
    }

    fn hold(&self, tensor: Tensor, reading: Rc<Reading>, evaluator: &mut Evaluator, held: &mut Held) {
        evaluator.give_reading(tensor, reading.clone());
        held.insert(tensor, reading);
    }

    /// Runs a loop, each round with what the last handed on.
    fn repeat(&self, rounds: &Rounds, taken: &[Tensor], steps: &[Step], held: &mut Held) -> Ran {
        let most = match rounds.most.map(|most| held.get(&most).and_then(|reading| first(&reading.array))) {
            Some(Some(most)) => most,
            Some(None) => return Ran::Lost,
            None => f64::INFINITY,
        };
        let mut runs = rounds.starts.is_none_or(|starts| self.is_met(held, &(starts, true)));
        let mut state: Vec<Rc<Reading>> = Vec::new();
        for initial in &rounds.initial {
            let Some(reading) = held.get(initial) else { return Ran::Lost };
            state.push(reading.clone());
        }
        for round in 0.. {
            if !runs || round as f64 >= most {
                break;
            }
            if round >= MOST_ROUNDS {
                return Ran::Lost;
            }
            let mut inside = Held::default();
            for &tensor in taken.iter().chain(self.given.keys()) {
                if let Some(reading) = held.get(&tensor) {
                    inside.insert(tensor, reading.clone());
                }
            }
            for guard in self.course.guards.iter().map(|(guard, _)| guard).chain(&self.course.inputs) {
                if let Some(reading) = held.get(guard) {
                    inside.insert(*guard, reading.clone());
                }
            }
            inside.extend(rounds.carried.iter().copied().zip(state.iter().cloned()));
            let mut evaluator = Evaluator::new(Mode::Plain);
            if let Some(number) = rounds.number
                && let Content::Dims(dims) = number.content()
                && let [number] = dims[..]
            {
                evaluator.bind(number, round as i64);
            }
            self.prepare(&mut evaluator, &inside, inside.keys().copied());
            if let Some(number) = rounds.number
                && let Ok(reading) = evaluator.evaluate(number)
            {
                inside.insert(number, reading);
            }
            match self.run(steps, &mut evaluator, &mut inside) {
                Ran::Well => {}
                other => return other,
            }
            runs = rounds.again.is_none_or(|again| self.is_met(&inside, &(again, true)));
            let next: Option<Vec<Rc<Reading>>> =
                rounds.next.iter().map(|next| inside.get(next).cloned()).collect();
            let Some(next) = next else { return Ran::Lost };
            state = next;
        }
        held.extend(rounds.results.iter().copied().zip(state));
        Ran::Well
    }

    /// Whether a condition is met.
    fn is_met(&self, held: &Held, (guard, truth): &(Tensor, bool)) -> bool {
        let stored = || match guard.content() {
            Content::Stored(load) => load(),
            _ => None,
        };
        let is = |array: &Array| matches!(&array.data, Data::Bool(values) if values.first() == Some(truth));
        match held.get(guard) {
            Some(reading) => is(&reading.array),
            None => stored().is_some_and(|array| is(&array)),
        }
    }

    fn is_borne(&self, held: &Held, tensor: Tensor) -> bool {
        let is_borne = |value: &f64| if self.infinities { !value.is_nan() } else { value.is_finite() };
        let Some(reading) = held.get(&tensor) else { return true };
        reading.array.as_floats().is_none_or(|values| values.iter().all(is_borne))
    }

    /// The array as its element type holds it.
    fn rounded(&self, array: &Array) -> Option<Array> {
        let Data::Float(values) = &array.data else { return None };
        let normal = smallest_normal(array.kind);
        let round = |&value: &f64| match array.kind.round(value) {
            rounded if self.flushes && rounded.abs() < normal => 0.0,
            rounded => rounded,
        };
        let values = values.iter().map(round).collect();
        Some(Array::new(array.kind, array.shape.clone(), Data::Float(values)))
    }
}

fn first(array: &Array) -> Option<f64> {
    numbers(array)?.first().copied()
}

/// All elements as floats.
pub(super) fn numbers(array: &Array) -> Option<Vec<f64>> {
    Some(match &array.data {
        Data::Float(values) => values.clone(),
        Data::Int(values) => values.iter().map(|value| *value as f64).collect(),
        Data::Bool(values) => values.iter().map(|value| f64::from(u8::from(*value))).collect(),
        _ => return None,
    })
}
