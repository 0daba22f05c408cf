//! Making a diagram, level by level.

use super::course::StepKind;
use super::diagram::{Diagram, Edge, Growth, Level, Limits};
use super::outcome::{Code, ELSEWHERE, PASSED, alone, together};
use super::rows::judged;
use super::spans::Span;
use super::terms::{Columns, Op, Term, Terms, inner};
use super::{Course, Domain, Ending, Outcome, Step};
use rustc_hash::FxHashMap;

/// It would take more than the limits allow.
#[derive(Debug)]
pub struct TooLarge;

/// Courses, with an order of the hyper-parameters.
pub struct Plan<'c> {
    courses: &'c [Course],
    domains: &'c [Domain],
    order: Vec<usize>,
    kept: Kept,
    terms: Terms,
    steps: Vec<Asked>,
}

/// What a diagram has of its courses.
#[derive(Clone, Copy)]
pub struct Kept {
    /// Steps from this one on are left out.
    pub steps: usize,
    /// Whether what runs and is hardly meant is told apart.
    pub remarks: bool,
    /// Whether it is looked ahead what can still be fulfilled.
    pub foreseen: bool,
    /// More states than this of one level are not followed: what they come to is not settled.
    pub states: usize,
}

/// A step, and which code it may lower: that of its course, or that of the remarks on it.
struct Asked {
    channel: usize,
    course: usize,
    step: usize,
    term: Term,
    level: u32,
    is_foreign: bool,
}

/// A number that later levels look at.
struct Left {
    term: Term,
    /// Per channel the first later step that depends on it.
    first: Vec<Code>,
}

/// The states of a level: per state the codes of all channels and the numbers that are left.
#[derive(Default)]
struct States {
    width: usize,
    cells: Vec<i64>,
    known: FxHashMap<u64, u32>,
    /// For each state an earlier one with the same hash.
    earlier: Vec<u32>,
}

/// How many numbers a span costs as much as.
const SPAN: u64 = 8;
/// Vectors that are computed at once.
const ROWS: usize = 1 << 14;

impl<'c> Plan<'c> {
    pub fn new(courses: &'c [Course], domains: &'c [Domain], order: Vec<usize>, kept: Kept) -> Plan<'c> {
        let mut place = vec![0; domains.len()];
        order.iter().enumerate().for_each(|(at, &parameter)| place[parameter] = at as u32);
        let mut terms = Terms::default();
        let mut steps = Vec::new();
        for (number, course) in courses.iter().enumerate() {
            let statements = terms.read(course, &place);
            for (place, (step, term)) in course.steps.iter().zip(statements).enumerate().take(kept.steps) {
                let is_remark = matches!(step.kind, StepKind::Remark(_));
                if is_remark && (course.ending != Ending::Valid || !kept.remarks) {
                    continue;
                }
                steps.push(Asked {
                    channel: number + if is_remark { courses.len() } else { 0 },
                    course: number,
                    step: place,
                    term,
                    level: terms.levels[term as usize],
                    is_foreign: course.is_foreign(step),
                });
            }
        }
        Plan { courses, domains, order, kept, terms, steps }
    }

    /// Whether what runs and is hardly meant is told apart, if there is any.
    fn tells_remarks(&self) -> bool {
        self.kept.remarks || !has_remarks(self.courses)
    }

    fn channels(&self) -> usize {
        self.courses.len() * 2
    }

    /// Grows the diagram, unless that takes more than the limits allow or `watch` says no.
    pub fn grow(&self, limits: Limits, watch: &mut dyn FnMut(Growth) -> bool) -> Result<Diagram, TooLarge> {
        let mut outcomes = Vec::new();
        let mut codes = vec![PASSED; self.channels()];
        for asked in self.steps.iter().filter(|asked| asked.level == 0) {
            if let Op::Constant(value) = self.terms.ops[asked.term as usize] {
                self.lower(asked, value, &mut codes);
            }
        }
        let is_needed = self.needed();
        if let Some(outcome) = self.settled(&mut codes, &self.pending(0)) {
            outcomes.push(outcome);
            return Ok(Diagram {
                levels: Vec::new(),
                outcomes,
                start: Edge::to_outcome(0),
                remarks: self.kept.remarks,
            });
        }
        let mut left: Vec<Left> = Vec::new();
        let mut states = States { width: codes.len(), ..States::default() };
        let cells: Vec<i64> = codes.iter().map(|&code| code.into()).collect();
        states.number(&cells);
        let (mut levels, mut work, mut edges) = (Vec::new(), 0u64, 0u64);
        for (level, &parameter) in self.order.iter().enumerate() {
            let after = level as u32 + 1;
            let computed: Vec<Term> = (0..self.terms.ops.len() as Term)
                .filter(|&term| is_needed[term as usize] && self.terms.levels[term as usize] == after)
                .collect();
            let rows = states.len() as u64 * self.domains[parameter].values.len() as u64;
            work += rows * (computed.len() + left.len() + self.channels()) as u64;
            edges += rows;
            if work > limits.work || edges > limits.edges {
                return Err(TooLarge);
            }
            let next_left = self.left(after);
            let pass = Pass {
                plan: self,
                values: &self.domains[parameter].values,
                asked: self.steps.iter().filter(|asked| asked.level == after).collect(),
                pending: self.pending(after),
                left: &left,
                next_left: &next_left,
                computed: &computed,
            };
            let most_states = self.kept.states;
            let (states_before, levels_in_all) = (states.len(), self.order.len());
            let mut see =
                |done: usize| watch(Growth { level, levels: levels_in_all, done, states: states_before });
            let mut next = States { width: self.channels() + next_left.len(), ..States::default() };
            let mut found = Vec::with_capacity(rows as usize);
            let bounds = (limits.numbers, most_states);
            pass.run(&states, &mut next, &mut outcomes, &mut found, bounds, &mut see)?;
            if self.kept.foreseen {
                work += self.foresee(&next_left, after, &mut next, &mut outcomes, &mut found);
            }
            levels.push(Level { parameter, values: self.domains[parameter].values.len(), edges: found });
            (states, left) = (next, next_left);
            if states.len() == 0 {
                break;
            }
        }
        Ok(Diagram { levels, outcomes, start: Edge(0), remarks: self.tells_remarks() })
    }

    /// Takes out states of which it can be told already what they come to, whatever is still open; says how many numbers
    /// were computed.
    fn foresee(
        &self,
        left: &[Left],
        known: u32,
        states: &mut States,
        outcomes: &mut Vec<Outcome>,
        edges: &mut [Edge],
    ) -> u64 {
        let channels = self.channels();
        let mut later: Vec<&Asked> = self.steps.iter().filter(|asked| asked.level > known).collect();
        // Per channel in their order.
        later.sort_by_key(|asked| (asked.channel, asked.step));
        if later.is_empty() {
            return 0;
        }
        let is_needed = self.needed_by(&later);
        let computed: Vec<Term> = (0..self.terms.ops.len() as Term)
            .filter(|&term| is_needed[term as usize] && self.terms.levels[term as usize] > known)
            .collect();
        let open: Vec<Span> =
            self.order.iter().map(|&parameter| Span::of(&self.domains[parameter].values)).collect();
        let mut spans = vec![Span::one(0); self.terms.ops.len()];
        for (term, op) in self.terms.ops.iter().enumerate() {
            if let Op::Constant(value) = op {
                spans[term] = Span::one(*value);
            }
        }
        let mut kept = States { width: states.width, ..States::default() };
        let mut targets = Vec::with_capacity(states.len());
        let mut codes = vec![PASSED; channels];
        for state in 0..states.len() {
            let cells = states.cells(state);
            codes.iter_mut().zip(cells).for_each(|(code, &cell)| *code = cell as Code);
            for (left, &cell) in left.iter().zip(&cells[channels..]) {
                spans[left.term as usize] = Span::one(cell);
            }
            for &term in &computed {
                let at = |part: Term| spans[part as usize];
                spans[term as usize] = self.terms.span(term, at, |place| open[place as usize]);
            }
            let mut pending = vec![PASSED; channels];
            for asked in &later {
                if pending[asked.channel] != PASSED || codes[asked.course] == ELSEWHERE {
                    continue;
                }
                match spans[asked.term as usize].known() {
                    Some(value) => self.lower(asked, value, &mut codes),
                    None => pending[asked.channel] = asked.step as Code * 2,
                }
            }
            targets.push(match self.settled(&mut codes, &pending) {
                Some(outcome) => Edge::to_outcome(numbered(outcomes, outcome)),
                None => Edge(kept.number(cells)),
            });
        }
        for edge in edges.iter_mut() {
            if let Ok(state) = edge.target() {
                *edge = targets[state];
            }
        }
        let rows = states.len() as u64;
        *states = kept;
        rows * (computed.len() + later.len()) as u64 * SPAN
    }

    /// The terms that some step depends on.
    fn needed(&self) -> Vec<bool> {
        self.needed_by(&self.steps.iter().collect::<Vec<_>>())
    }
    fn needed_by(&self, steps: &[&Asked]) -> Vec<bool> {
        let mut is_needed = vec![false; self.terms.ops.len()];
        steps.iter().for_each(|asked| is_needed[asked.term as usize] = true);
        for term in (0..self.terms.ops.len()).rev() {
            if is_needed[term] {
                inner(self.terms.ops[term]).for_each(|part| is_needed[part as usize] = true);
            }
        }
        is_needed
    }

    /// Per channel, the first step that cannot be told when so many hyper-parameters are known.
    fn pending(&self, known: u32) -> Vec<Code> {
        let mut pending = vec![PASSED; self.channels()];
        for asked in self.steps.iter().filter(|asked| asked.level > known) {
            pending[asked.channel] = pending[asked.channel].min(asked.step as Code * 2);
        }
        pending
    }

    /// What later steps look at when so many hyper-parameters are known.
    fn left(&self, known: u32) -> Vec<Left> {
        let channels = self.channels();
        let mut first = vec![PASSED; self.terms.ops.len() * channels];
        for asked in self.steps.iter().filter(|asked| asked.level > known) {
            let place = asked.term as usize * channels + asked.channel;
            first[place] = first[place].min(asked.step as Code * 2);
        }
        for term in (0..self.terms.ops.len()).rev() {
            if self.terms.levels[term] <= known {
                continue;
            }
            for part in inner(self.terms.ops[term]) {
                for channel in 0..channels {
                    let (from, to) = (term * channels + channel, part as usize * channels + channel);
                    first[to] = first[to].min(first[from]);
                }
            }
        }
        let is_left = |term: &usize| {
            let of_term = &first[term * channels..(term + 1) * channels];
            self.terms.levels[*term] <= known
                && !matches!(self.terms.ops[*term], Op::Constant(_))
                && of_term.iter().any(|&first| first != PASSED)
        };
        let left = (0..self.terms.ops.len()).filter(is_left);
        left.map(|term| Left {
            term: term as Term,
            first: first[term * channels..(term + 1) * channels].to_vec(),
        })
        .collect()
    }

    /// Notes what a step says; a vector that has left a course is none of its business any more.
    fn lower(&self, asked: &Asked, value: i64, codes: &mut [Code]) {
        if codes[asked.course] == ELSEWHERE {
            return;
        }
        let code = judged(value, asked.step, asked.is_foreign);
        let is_remark = asked.channel != asked.course;
        if !is_remark || code != PASSED && code.is_multiple_of(2) {
            codes[asked.channel] = codes[asked.channel].min(code);
        }
    }

    /// The outcome, if no step that is still to come can change it.
    fn settled(&self, codes: &mut [Code], pending: &[Code]) -> Option<Outcome> {
        let mut held = None;
        let count = self.courses.len();
        for (number, course) in self.courses.iter().enumerate() {
            let code = codes[number];
            if code != ELSEWHERE && pending[number] < code {
                return None;
            }
            let remark = codes[count + number];
            if code == PASSED && pending[count + number] < remark {
                return None;
            }
            let remark = if remark == PASSED { PASSED } else { remark / 2 };
            let Some(outcome) = alone(course, number, code, remark, self.kept.steps) else {
                codes[number] = ELSEWHERE;
                codes[count + number] = PASSED;
                continue;
            };
            let outcome = together(held, outcome);
            if !course.is_open() {
                return Some(outcome);
            }
            held = Some(outcome);
        }
        Some(held.unwrap_or(Outcome::Unknown { course: u32::MAX, step: 0 }))
    }
}

pub fn has_remarks(courses: &[Course]) -> bool {
    let is_remark = |step: &Step| matches!(step.kind, StepKind::Remark(_));
    courses.iter().any(|course| course.steps.iter().any(is_remark))
}

/// One level: all states with all values of a hyper-parameter.
struct Pass<'p> {
    plan: &'p Plan<'p>,
    values: &'p [i64],
    asked: Vec<&'p Asked>,
    pending: Vec<Code>,
    left: &'p [Left],
    next_left: &'p [Left],
    computed: &'p [Term],
}

impl Pass<'_> {
    fn run(
        &self,
        states: &States,
        next: &mut States,
        outcomes: &mut Vec<Outcome>,
        found: &mut Vec<Edge>,
        (most_numbers, most_states): (u64, usize),
        see: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(), TooLarge> {
        let terms = &self.plan.terms;
        let channels = self.plan.channels();
        let mut places: Vec<Option<usize>> = vec![None; terms.ops.len()];
        let known = self.left.iter().map(|left| left.term).chain(self.computed.iter().copied());
        known.enumerate().for_each(|(place, term)| places[term as usize] = Some(place));
        let at_once = (ROWS / self.values.len()).max(1);
        let (mut key, mut codes) = (vec![0; next.width], vec![PASSED; channels]);
        for from in (0..states.len()).step_by(at_once) {
            let block = from..states.len().min(from + at_once);
            let length = block.len() * self.values.len();
            let value: Vec<i64> = block.clone().flat_map(|_| self.values.iter().copied()).collect();
            let mut columns =
                Columns { value: &value, places: &places, columns: Vec::new(), ops: &terms.ops };
            for place in 0..self.left.len() {
                let numbers = block.clone().flat_map(|state| {
                    std::iter::repeat_n(states.cells(state)[channels + place], self.values.len())
                });
                columns.columns.push(numbers.collect());
            }
            for &term in self.computed {
                let column = terms.column(term, &columns, length);
                columns.columns.push(column);
            }
            let asked: Vec<&[i64]> = self.asked.iter().map(|asked| columns.get(asked.term)).collect();
            let left: Vec<&[i64]> = self.next_left.iter().map(|left| columns.get(left.term)).collect();
            for row in 0..length {
                let held = &states.cells(from + row / self.values.len())[..channels];
                codes.iter_mut().zip(held).for_each(|(code, held)| *code = *held as Code);
                for (asked, column) in self.asked.iter().zip(&asked) {
                    if column[row] == 0 || column[row] == super::terms::UNKNOWN {
                        self.plan.lower(asked, column[row], &mut codes);
                    }
                }
                if let Some(outcome) = self.plan.settled(&mut codes, &self.pending) {
                    found.push(Edge::to_outcome(numbered(outcomes, outcome)));
                    continue;
                }
                key.iter_mut().zip(&codes).for_each(|(cell, &code)| *cell = code.into());
                for (place, (left, column)) in self.next_left.iter().zip(&left).enumerate() {
                    key[channels + place] = if matters(&left.first, &codes) { column[row] } else { 0 };
                }
                found.push(match next.number_below(&key, most_states) {
                    Some(state) => Edge(state),
                    None => Edge::to_outcome(numbered(outcomes, Outcome::Unsettled)),
                });
            }
            if next.cells.len() as u64 > most_numbers || !see(block.end) {
                return Err(TooLarge);
            }
        }
        Ok(())
    }
}

/// Whether a step that depends on a number can still change what becomes of a vector with these codes.
fn matters(first: &[Code], codes: &[Code]) -> bool {
    let courses = codes.len() / 2;
    first.iter().zip(codes).enumerate().any(|(channel, (&first, &code))| {
        let is_over = match channel < courses {
            true => code == ELSEWHERE,
            // Only what runs is remarked on.
            false => codes[channel - courses] != PASSED,
        };
        !is_over && first < code
    })
}

impl States {
    fn len(&self) -> usize {
        self.earlier.len()
    }
    fn cells(&self, state: usize) -> &[i64] {
        &self.cells[state * self.width..(state + 1) * self.width]
    }
    /// The number of the state with these cells, which may be new.
    fn number(&mut self, cells: &[i64]) -> u32 {
        self.number_below(cells, usize::MAX).unwrap_or(u32::MAX)
    }
    /// As [`States::number`]; `None` if it is new and there are as many as there may be.
    fn number_below(&mut self, cells: &[i64], most: usize) -> Option<u32> {
        let hash = cells.iter().fold(0, |hash, &cell| mixed(hash ^ cell as u64));
        let first = self.known.get(&hash).copied().unwrap_or(u32::MAX);
        let mut state = first;
        while state != u32::MAX {
            if self.cells(state as usize) == cells {
                return Some(state);
            }
            state = self.earlier[state as usize];
        }
        if self.len() >= most {
            return None;
        }
        self.cells.extend_from_slice(cells);
        self.earlier.push(first);
        let number = (self.earlier.len() - 1) as u32;
        self.known.insert(hash, number);
        Some(number)
    }
}

/// Spreads a number over all bits: what is left of sums differs in few of them.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number ^ (number >> 29)
}

/// The number of an outcome, which may be new.
fn numbered(outcomes: &mut Vec<Outcome>, outcome: Outcome) -> usize {
    outcomes.iter().position(|held| *held == outcome).unwrap_or_else(|| {
        outcomes.push(outcome);
        outcomes.len() - 1
    })
}
