//! What all courses of a program say of every vector of a space.
//!
//! A diagram has a level for each hyper-parameter that matters. A state of a level stands for all choices so far that
//! leave the same numbers behind, as far as later steps look at them; each value of the hyper-parameter leads from it to
//! a state of the next level, or to an outcome. A verdict is as many looks into tables as there are hyper-parameters,
//! and counting visits each state once.

use super::grow::{Kept, Plan, TooLarge, has_remarks};
use super::{Course, Domain, Outcome, order};

#[derive(Clone, Debug)]
pub struct Diagram {
    pub(super) levels: Vec<Level>,
    pub(super) outcomes: Vec<Outcome>,
    /// Where every vector begins.
    pub(super) start: Edge,
    /// Whether what runs and is hardly meant is told apart.
    pub remarks: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The hyper-parameter, by its number.
    pub parameter: usize,
    /// How many values it has.
    pub values: usize,
    /// For each state, where each value leads.
    pub edges: Vec<Edge>,
}

/// A state of the next level, or an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge(pub u32);

/// States of a level that are followed where not all of them can be.
const MOST_STATES: usize = 1 << 15;
/// The same, where nobody wants to wait.
const FEW_STATES: usize = 1 << 10;

const OUTCOME: u32 = 1 << 31;

impl Edge {
    pub fn to_outcome(number: usize) -> Edge {
        Edge(number as u32 | OUTCOME)
    }
    /// The state, or else the number of the outcome.
    pub fn target(self) -> Result<usize, usize> {
        if self.0 & OUTCOME == 0 { Ok(self.0 as usize) } else { Err((self.0 & !OUTCOME) as usize) }
    }
}

/// How far a diagram has grown.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Hyper-parameters that are taken, of how many.
    pub level: usize,
    pub levels: usize,
    /// States of this level that are done, of how many.
    pub done: usize,
    pub states: usize,
}

/// How much work and memory a diagram may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Numbers computed.
    pub work: u64,
    /// Edges, of 4 bytes each.
    pub edges: u64,
    /// Numbers that the states of one level hold, of 8 bytes each.
    pub numbers: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { work: 2_500_000_000, edges: 80_000_000, numbers: 25_000_000 }
    }
}

impl Limits {
    fn divided(self, by: u64) -> Limits {
        Limits { work: self.work / by, edges: self.edges / by, numbers: self.numbers / by }
    }
}

impl Diagram {
    /// The diagram of some courses over a space. Where it would be larger than the limits allow, it has the first steps
    /// only: what they leave undecided is [`Outcome::Unsettled`].
    pub fn of(courses: &[Course], domains: &[Domain], limits: Limits) -> Diagram {
        Diagram::of_watched(courses, domains, limits, &mut |_| true)
    }
    /// As [`Diagram::of`]; once `watch` says no, it has the steps that it has so far.
    pub fn of_watched(
        courses: &[Course],
        domains: &[Domain],
        limits: Limits,
        watch: &mut dyn FnMut(Growth) -> bool,
    ) -> Diagram {
        let first = order::of_use(courses, domains.len());
        let (mut is_stopped, mut reached) = (false, 0);
        // The diagram, or else how many hyper-parameters were taken until it was too large.
        let mut grown = |order: &Vec<usize>, kept: Kept, limits: Limits| {
            if is_stopped {
                return Err(0);
            }
            let grown = Plan::new(courses, domains, order.clone(), kept).grow(limits, &mut |growth| {
                is_stopped |= !watch(growth);
                reached = growth.level;
                !is_stopped
            });
            grown.map_err(|TooLarge| reached)
        };
        let whole = Kept { steps: usize::MAX, remarks: true, foreseen: false, states: usize::MAX };
        if let Ok(diagram) = grown(&first, whole, limits.divided(20)) {
            return diagram;
        }
        let foreseen = Kept { foreseen: true, ..whole };
        // What is valid at all matters more than what of it is meant.
        let bare = Kept { remarks: false, ..foreseen };
        let mut orders = order::candidates(courses, domains, first);
        let mut depths = vec![0; orders.len()];
        for kept in [foreseen, bare] {
            for (order, depth) in orders.iter().zip(&mut depths) {
                match grown(order, kept, limits.divided(20)) {
                    Ok(diagram) => return diagram,
                    Err(reached) => *depth = reached.max(*depth),
                }
            }
        }
        // The order that comes furthest is worth the rest.
        let furthest = (0..orders.len()).max_by_key(|&place| (depths[place], std::cmp::Reverse(place)));
        let order = orders.swap_remove(furthest.unwrap_or(0));
        let plain = Kept { foreseen: false, ..bare };
        if let Ok(diagram) = grown(&order, plain, limits) {
            return diagram;
        }
        // Either all steps for some vectors, or some steps for all: whatever leaves less open.
        let mut best: Option<(u128, Diagram)> = None;
        let mut offer = |diagram: Diagram| {
            let open = diagram.counts(domains).of(|outcome| outcome == Outcome::Unsettled);
            if best.as_ref().is_none_or(|(least, _)| open < *least) {
                best = Some((open, diagram));
            }
        };
        let some = Kept { states: MOST_STATES, ..bare };
        grown(&order, some, limits).into_iter().for_each(&mut offer);
        let (mut held, mut low) = (None, 0);
        let mut high = courses.iter().map(|course| course.steps.len()).max().unwrap_or(0);
        while low + 1 < high {
            let kept = low + (high - low) / 2;
            match grown(&order, Kept { steps: kept, ..plain }, limits.divided(20)) {
                Ok(diagram) => (held, low) = (Some(diagram), kept),
                Err(_) => high = kept,
            }
        }
        held.into_iter().for_each(&mut offer);
        if is_stopped {
            // Who does not want to wait is told what can be told at once.
            let few = Kept { states: FEW_STATES, ..bare };
            let plan = Plan::new(courses, domains, order, few);
            plan.grow(limits.divided(20), &mut |_| true).into_iter().for_each(offer);
        }
        best.map(|(_, diagram)| diagram).unwrap_or_else(|| Diagram {
            levels: Vec::new(),
            outcomes: vec![Outcome::Unsettled],
            start: Edge::to_outcome(0),
            remarks: !has_remarks(courses),
        })
    }

    #[cfg(test)]
    pub(super) fn foreseeing(courses: &[Course], domains: &[Domain], states: usize) -> Diagram {
        let kept = Kept { steps: usize::MAX, remarks: true, foreseen: true, states };
        let order = order::of_use(courses, domains.len());
        let grown = Plan::new(courses, domains, order, kept).grow(Limits::default(), &mut |_| true);
        grown.expect("it is small")
    }

    /// What becomes of the vector with these values, by their places in the domains.
    pub fn outcome(&self, choice: &[usize]) -> Outcome {
        let mut edge = self.start;
        for level in &self.levels {
            match edge.target() {
                Ok(state) => edge = level.edges[state * level.values + choice[level.parameter]],
                Err(outcome) => return self.outcomes[outcome],
            }
        }
        edge.target().err().map_or(Outcome::Unsettled, |outcome| self.outcomes[outcome])
    }
    /// Whether some vector is left undecided because that would have taken too much.
    pub fn is_partial(&self) -> bool {
        self.outcomes.contains(&Outcome::Unsettled)
    }
    /// How many edges it has.
    pub fn size(&self) -> usize {
        self.levels.iter().map(|level| level.edges.len()).sum()
    }
}
