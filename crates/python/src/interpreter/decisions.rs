//! What happens where a statement about unknown sizes decides.
//!
//! First both sides are tried on copies of the heap. If both go on normally and what they leave can be told by one
//! state, the path stays one. Otherwise the path takes one side, and the other is left to a run of its own.

use super::merging::Merge;
use super::{Flow, Interpreter, Outcome};
use crate::heap::{Heap, Id};
use crate::native::FILE_IS_THERE;
use crate::syntax::{Body, Span, Stmt, StmtKind};
use crate::value::Value;
use program::path::{How, Path};
use rustc_hash::FxHashMap;
use semantics::dim::AtomView;
use semantics::prop::{Prop, PropView};
use semantics::tensor::Tensor;
use smallvec::smallvec;
use solver::Verdict;
use std::rc::Rc;

/// One decision of a path, as its run met it.
#[derive(Clone)]
pub struct Decision {
    pub statement: String,
    pub taken: bool,
    /// The call of the user's code inside which a library decided.
    inside: Option<Calling>,
}

/// The innermost place of the user's code: how deep it lies in the stack, and where it stands.
type Calling = (usize, Span);

/// The decisions of a run: those it was told, and those it met.
pub struct Decisions {
    script: Vec<bool>,
    pub met: Vec<Decision>,
    /// Scripts of runs that go the other way.
    pub others: Vec<Vec<bool>>,
    /// Ways that are not followed: what fails on them would not be told.
    pub left_out: usize,
    /// How deep the run is in branches that are being tried: no decision may be taken there.
    trying: usize,
    /// How deep the run is in `try` and `with`, which have to see how what is inside ends.
    pub(super) guards: usize,
    /// The innermost loop that may be left where a condition is open.
    pub(super) exits: Option<Exits>,
    /// Whether the run is in a round that stands for many: what a branch leaves there is never told apart.
    pub(super) is_general: bool,
    /// How often the path took a side at each place.
    taken_at: FxHashMap<(usize, Span), usize>,
}

/// Ways out of a loop that open conditions gave, and where the loop stands.
#[derive(Default)]
pub(super) struct Exits {
    pub ways: Vec<Exit>,
    /// The frames, guards and trials there were when the loop began: only a `break` straight from there is kept.
    pub standing: (usize, usize, usize),
}

/// A side of a branch that left the loop.
pub(super) struct Exit {
    pub condition: Prop,
    /// The path before the branch.
    pub outer: Path,
    pub path: Path,
    pub heap: Heap,
}

/// What comes after a branch in the same body.
#[derive(Clone, Copy)]
pub(super) struct Rest<'s> {
    pub body: &'s [Stmt],
    /// Whether the end of the body is the end of a loop's round.
    pub is_round: bool,
}

/// A branch that was followed; what comes after it is still to be done.
pub(super) enum Went {
    On,
}

impl Decisions {
    pub fn new(script: Vec<bool>) -> Decisions {
        Decisions {
            script,
            met: Vec::new(),
            others: Vec::new(),
            left_out: 0,
            trying: 0,
            guards: 0,
            exits: None,
            is_general: false,
            taken_at: FxHashMap::default(),
        }
    }
}

/// Trials inside trials that are begun.
const DEEPEST_TRIAL: usize = 32;
/// Sides that a path takes at one place before what both leave is brought together, come what may.
const MOST_TAKEN: usize = 2;
/// Decisions that one path may take.
const MOST_DECISIONS: usize = 128;
/// Why a trial is given up: it met a decision of its own.
const UNDECIDED: &str = "a decision inside a branch";

impl Interpreter {
    /// Whether something is being tried on a copy.
    pub(crate) fn is_trying(&self) -> bool {
        self.decisions.trying > 0
    }
    /// Until the trial ends, no decision is taken.
    pub(super) fn begin_trial(&mut self) {
        self.decisions.trying += 1;
    }
    pub(super) fn end_trial(&mut self) {
        self.decisions.trying -= 1;
    }

    /// Decides a statement on this path, taking a side if neither is settled.
    pub fn decide(&mut self, statement: Prop) -> Outcome<bool> {
        self.decide_towards(statement, true)
    }
    /// As [`Interpreter::decide`]; of two sides that are open this path takes the one that is named.
    fn decide_towards(&mut self, statement: Prop, side: bool) -> Outcome<bool> {
        match statement.known() {
            Some(known) => return Ok(known),
            None => match self.path.context.decide(statement) {
                Verdict::Holds => return Ok(true),
                Verdict::Fails => return Ok(false),
                Verdict::Depends { .. } | Verdict::Unknown { .. } => {}
            },
        }
        // What a package asks while it is imported is about versions and other packages.
        if self.importing.is_some() {
            return Ok(side);
        }
        if self.decisions.trying > 0 {
            return Err(Flow::Stop(UNDECIDED.into()));
        }
        let number = self.decisions.met.len();
        if number >= MOST_DECISIONS {
            return Err(Flow::Stop("the path takes more decisions than are followed".into()));
        }
        // Where knowledge was lost before, nobody knows whether a run can go this way.
        self.doubtful |= !self.lost.is_empty()
            || (!self.open && speaks_of_unknown_rank(statement))
            || self.is_vague(statement);
        let taken = match self.decisions.script.get(number) {
            Some(&told) => told,
            None if self.doubtful => {
                self.decisions.left_out += 1;
                side
            }
            None => {
                let mut other: Vec<bool> = self.decisions.met.iter().map(|decision| decision.taken).collect();
                other.push(!side);
                self.decisions.others.push(other);
                side
            }
        };
        let inside = self.calling_library();
        self.decisions.met.push(Decision { statement: statement.to_string(), taken, inside });
        *self.decisions.taken_at.entry(self.branch_place()).or_default() += 1;
        let holds = if taken { statement } else { !statement };
        self.path.decide(holds);
        self.path.guard(holds);
        Ok(taken)
    }

    /// The call of the user's code that a library is at work for; `None` in the user's code itself.
    fn calling_library(&self) -> Option<Calling> {
        let depth = self.frames.iter().rposition(|frame| !frame.source.is_library)?;
        (depth + 1 < self.frames.len()).then(|| (depth, self.frames[depth].at))
    }
    /// Whether what is raised here may be how a decision is dealt with: anything that the user's code raises after one,
    /// and what a library raises after it has decided something itself.
    pub(super) fn is_raised_by_choice(&self) -> bool {
        match self.calling_library() {
            None => true,
            calling => self.decisions.met.iter().any(|decision| decision.inside == calling),
        }
    }

    fn branch_place(&self) -> (usize, Span) {
        let frame = self.frame();
        (Rc::as_ptr(&frame.source) as usize, frame.at)
    }
    /// Whether what the sides of a branch leave is brought together even where that is hard to tell as one: in a round
    /// that stands for many, and where the path took a side more than once already.
    fn is_loose(&self) -> bool {
        let taken = self.decisions.taken_at.get(&self.branch_place()).copied().unwrap_or(0);
        self.decisions.is_general || (taken >= MOST_TAKEN && !self.frame().source.is_library)
    }
    /// Whether a statement is about something that the program knows better than we do.
    fn is_vague(&self, statement: Prop) -> bool {
        let mut found = false;
        statement.leaves(&mut |atom| found |= super::alike::is_vague(atom));
        found || self.has_vague_part(statement)
    }
    fn has_vague_part(&self, statement: Prop) -> bool {
        match statement.view() {
            PropView::And(parts) | PropView::Or(parts) => {
                parts.into_iter().any(|part| self.has_vague_part(part))
            }
            PropView::Not(inner) => self.has_vague_part(inner),
            PropView::Free(..) => self.vague.contains(&statement.id()),
            _ => false,
        }
    }

    /// Follows both sides of a condition, on one path if what they leave agrees.
    pub(super) fn branch(
        &mut self,
        condition: Prop,
        then: &Body,
        otherwise: &Body,
        rest: Rest<'_>,
    ) -> Outcome<Went> {
        let settled = match self.path.context.decide(condition) {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Depends { .. } | Verdict::Unknown { .. } => None,
        };
        if let Some(settled) = settled {
            return self.body(if settled { then } else { otherwise }).map(|()| Went::On);
        }
        if self.decisions.trying >= DEEPEST_TRIAL {
            return Err(Flow::Stop(UNDECIDED.into()));
        }
        // A side that leaves the body goes first: only then is it known how far the other has to go. What makes a file
        // goes before what reads it.
        let swapped = !leaves(then) && (leaves(otherwise) || asks_for_file(condition));
        let (first, second, holds) =
            if swapped { (otherwise, then, !condition) } else { (then, otherwise, condition) };
        let before = Before::of(self);
        let Some(one) = self.attempt(holds, before.heap.clone(), &mut |run| run.body(first)) else {
            before.restore(self);
            let taken = self.decide_towards(condition, !leaves(then))?;
            return self.body(if taken { then } else { otherwise }).map(|()| Went::On);
        };
        if self.loads_first(&before) {
            return self.branch(condition, then, otherwise, rest);
        }
        let end = End::of(&one.result);
        let mut heap = before.heap.clone();
        heap.skip_to(one.heap.len());
        if end == End::Break && self.may_leave() && one.is_clean() {
            if let Some(mut stay) = self.path.supposing(!holds) {
                stay.guard(!holds);
                self.heap = heap;
                let outer = std::mem::replace(&mut self.path, stay);
                if let Some(exits) = &mut self.decisions.exits {
                    exits.ways.push(Exit { condition: holds, outer, path: one.path, heap: one.heap });
                }
                return self.body(second).map(|()| Went::On);
            }
        } else if matches!(end, End::Normal | End::Continue | End::Return) && one.is_clean() {
            let goes_on = end != End::Normal;
            let other = self.attempt(!holds, heap, &mut |run| {
                run.body(second)?;
                if goes_on { run.statements(rest.body, rest.is_round) } else { Ok(()) }
            });
            if self.loads_first(&before) || self.may_read_what_was_written(condition, &before) {
                return self.branch(condition, then, otherwise, rest);
            }
            if let Some(other) = other.filter(Tried::is_clean)
                && let Some(went) = self.merge_tried(holds, &before, one, other, rest.is_round)
            {
                return went;
            }
        }
        before.restore(self);
        let taken = self.decide_towards(condition, !leaves(then))?;
        self.body(if taken { then } else { otherwise }).map(|()| Went::On)
    }

    /// Runs something on a copy of the state, where a statement that is open holds. `None` if it plainly cannot.
    fn attempt<T>(
        &mut self,
        holds: Prop,
        heap: Heap,
        f: &mut dyn FnMut(&mut Interpreter) -> Outcome<T>,
    ) -> Option<Tried<T>> {
        let mut fork = self.path.supposing(holds)?;
        fork.guard(holds);
        let (depth, at, guards) = (self.frames.len(), self.frame().at, self.decisions.guards);
        let outer = std::mem::replace(&mut self.path, fork);
        let exits = self.decisions.exits.take();
        let handling = self.handling;
        self.heap = heap;
        self.decisions.trying += 1;
        let result = f(self);
        self.decisions.trying -= 1;
        self.decisions.guards = guards;
        self.decisions.exits = exits;
        self.handling = handling;
        self.frames.truncate(depth);
        self.frame_mut().at = at;
        let path = std::mem::replace(&mut self.path, outer);
        Some(Tried { result, path, heap: std::mem::take(&mut self.heap) })
    }

    /// If a side has loaded libraries of ours, which is nothing that a program notices, they are loaded before the
    /// branch instead, with everything else as before it: what both sides leave can be told by one then.
    fn loads_first(&mut self, before: &Before) -> bool {
        let is_new = |id: &Id| id.number() >= before.heap.len();
        let new = self.modules.iter().filter(|(_, id)| is_new(id)).map(|(name, _)| name.clone());
        let new: Vec<Rc<str>> = new.collect();
        if new.is_empty() || !new.iter().all(|name| self.libraries.is_library(name)) {
            return false;
        }
        before.restore(self);
        new.iter().all(|name| self.module(name).is_ok())
    }

    /// If the side on which a file is not there has written one, the other may read it: everything is as before then.
    fn may_read_what_was_written(&mut self, condition: Prop, before: &Before) -> bool {
        let (earlier, now) = self.written.split_at(before.written);
        let is_new = |place: &str| !earlier.iter().any(|written| written.place == place);
        let may = (asks_for_file(condition) || asks_for_file(!condition))
            && now.iter().any(|written| is_new(&written.place));
        if may {
            before.restore(self);
        }
        may
    }

    /// Makes one state of two, if they end alike and what they leave can be told by one.
    fn merge_tried(
        &mut self,
        holds: Prop,
        before: &Before,
        one: Tried<()>,
        other: Tried<()>,
        is_round: bool,
    ) -> Option<Outcome<Went>> {
        if self.modules.len() != before.modules {
            return None;
        }
        let (first, second) = (End::of(&one.result), End::of(&other.result));
        // At the end of a loop's round, coming to the end is as good as `continue`.
        let alike = first == second || (is_round && first == End::Continue && second == End::Normal);
        let mut merge = Merge::new(holds, before.heap.len(), &one.heap, &other.heap)
            .loosely(self.is_loose())
            .following(self.path.made.is_some());
        let value = match (&one.result, &other.result) {
            _ if !alike || first == End::Break => return None,
            (Err(Flow::Return(a)), Err(Flow::Return(b))) => merge.value(a, b)?,
            _ => Value::None,
        };
        let (heap, chosen) = merge.heap()?;
        self.heap = heap;
        self.path.join(holds, one.path, other.path);
        self.follow_chosen(chosen);
        Some(match first {
            End::Return => Err(Flow::Return(value)),
            End::Continue => Err(Flow::Continue),
            _ => Ok(Went::On),
        })
    }

    /// Notes tensors that are one of two.
    fn follow_chosen(&mut self, chosen: Vec<[Tensor; 3]>) {
        let place = self.place("if");
        for [a, b, merged] in chosen {
            self.path.follow(&place, "if", smallvec![a, b], smallvec![merged], How::OneOf);
        }
    }

    /// Whether a `break` here may be kept as a way out of the innermost loop.
    fn may_leave(&self) -> bool {
        let standing = self.standing();
        self.decisions.exits.as_ref().is_some_and(|exits| exits.standing == standing)
    }
    pub(super) fn standing(&self) -> (usize, usize, usize) {
        (self.frames.len(), self.decisions.guards, self.decisions.trying)
    }

    /// Brings the ways out of a loop together with how the loop ended.
    pub(super) fn close_exits(&mut self, exits: Exits, mut flow: Outcome<()>) -> Outcome<()> {
        for exit in exits.ways.into_iter().rev() {
            let stayed = std::mem::replace(&mut self.path, exit.outer);
            match flow {
                Ok(()) | Err(Flow::Break | Flow::Continue) => {
                    self.heap = exit.heap.widened_with(&self.heap);
                    self.path.join(exit.condition, exit.path, stayed);
                    flow = Ok(());
                }
                Err(Flow::Stop(_)) => {}
                // What raises or returns is not what comes after the loop: the path takes one of them.
                Err(_) => {
                    let nothing = self.path.fork();
                    if self.decide(exit.condition)? {
                        self.heap = exit.heap;
                        self.path.join(exit.condition, exit.path, nothing);
                        flow = Ok(());
                    } else {
                        self.path.join(exit.condition, nothing, stayed);
                    }
                }
            }
        }
        flow
    }

    /// The value of a conditional expression whose condition is open.
    pub(super) fn choose(
        &mut self,
        condition: Prop,
        then: &mut dyn FnMut(&mut Interpreter) -> Outcome,
        otherwise: &mut dyn FnMut(&mut Interpreter) -> Outcome,
    ) -> Outcome {
        match self.path.context.decide(condition) {
            Verdict::Holds => return then(self),
            Verdict::Fails => return otherwise(self),
            Verdict::Depends { .. } | Verdict::Unknown { .. } => {}
        }
        let side = &mut |run: &mut Interpreter, side: bool| if side { then(run) } else { otherwise(run) };
        match self.try_both(condition, side) {
            Some(value) => Ok(value),
            None if self.decide(condition)? => then(self),
            None => otherwise(self),
        }
    }

    /// Runs both sides on copies and merges them; `None`, with everything as before, if that cannot be.
    fn try_both(
        &mut self,
        condition: Prop,
        side: &mut dyn FnMut(&mut Interpreter, bool) -> Outcome,
    ) -> Option<Value> {
        if self.decisions.trying >= DEEPEST_TRIAL {
            return None;
        }
        let before = Before::of(self);
        let merged = self.tried_both(condition, &before, side);
        if merged.is_none() {
            before.restore(self);
        }
        merged
    }
    fn tried_both(
        &mut self,
        condition: Prop,
        before: &Before,
        side: &mut dyn FnMut(&mut Interpreter, bool) -> Outcome,
    ) -> Option<Value> {
        let one = self.attempt(condition, before.heap.clone(), &mut |run| side(run, true))?;
        if self.loads_first(before) {
            return self.tried_both(condition, &Before::of(self), side);
        }
        let first = one.result.as_ref().ok().filter(|_| one.is_clean())?.clone();
        // New objects of the second side come after those of the first, so that both can be kept.
        let mut heap = before.heap.clone();
        heap.skip_to(one.heap.len());
        let other = self.attempt(!condition, heap, &mut |run| side(run, false))?;
        let second = other.result.as_ref().ok().filter(|_| other.is_clean())?.clone();
        if self.modules.len() != before.modules {
            return None;
        }
        let mut merge = Merge::new(condition, before.heap.len(), &one.heap, &other.heap)
            .loosely(self.is_loose())
            .following(self.path.made.is_some());
        let value = merge.value(&first, &second)?;
        let (heap, chosen) = merge.heap()?;
        self.heap = heap;
        self.path.join(condition, one.path, other.path);
        self.follow_chosen(chosen);
        Some(value)
    }
}

/// What a run on a copy came to.
struct Tried<T> {
    result: Outcome<T>,
    path: Path,
    heap: Heap,
}

impl<T> Tried<T> {
    /// Whether no requirement was broken on the way.
    fn is_clean(&self) -> bool {
        !self.path.record.iter().any(program::path::Entry::is_violated)
    }
}

/// The state before something is tried.
struct Before {
    heap: Heap,
    lost: usize,
    modules: usize,
    /// Files that were written; restoring does not forget those that came later.
    written: usize,
}

impl Before {
    fn of(run: &Interpreter) -> Before {
        Before {
            heap: run.heap.clone(),
            lost: run.lost.len(),
            modules: run.modules.len(),
            written: run.written.len(),
        }
    }
    fn restore(&self, run: &mut Interpreter) {
        // Modules that were imported meanwhile are on the copy only.
        let known = self.heap.len();
        run.modules.retain(|_, id| id.number() < known);
        run.forget_exceptions(known);
        run.heap = self.heap.clone();
        run.lost.truncate(self.lost);
    }
}

/// Whether a statement is about a shape of which not even the rank is known.
fn speaks_of_unknown_rank(statement: Prop) -> bool {
    let mut found = false;
    statement.leaves(&mut |atom| {
        found |= matches!(atom.view(), AtomView::Rank(_) | AtomView::Size(..) | AtomView::Count(..));
    });
    found
}

/// Whether a statement is that a file is there.
fn asks_for_file(statement: Prop) -> bool {
    matches!(statement.view(), PropView::Free(_, what) if &*what == FILE_IS_THERE)
}

/// Whether a body plainly leaves what is around it.
fn leaves(body: &Body) -> bool {
    matches!(
        body.last().map(|last| &last.kind),
        Some(StmtKind::Return(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Raise { .. })
    )
}

/// How a side of a branch ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Normal,
    Break,
    Continue,
    Return,
    Other,
}

impl End {
    fn of(result: &Outcome<()>) -> End {
        match result {
            Ok(()) => End::Normal,
            Err(Flow::Break) => End::Break,
            Err(Flow::Continue) => End::Continue,
            Err(Flow::Return(_)) => End::Return,
            Err(_) => End::Other,
        }
    }
}
