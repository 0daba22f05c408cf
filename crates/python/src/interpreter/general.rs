//! The rounds of a long loop, as one round that stands for all of them.
//!
//! After a few rounds everything that they changed is left open: numbers that grew by the same in each are on a line
//! over the number of rounds, lists are known by one element and their length, the rest is not known. From that state
//! one more round is run, with the number of the round as a symbol, so that both sides of every branch in it are
//! followed. If what it leaves is such a state again, it stands for all rounds; if not, more is left open.

use super::alike::{REASON, any_size, several};
use super::operators::LONGEST;
use super::widening::{Lines, Widening};
use super::{Flow, Interpreter, Outcome};
use crate::heap::{Heap, Id, Payload};
use crate::syntax::{Body, Expr};
use crate::value::{BuiltIn, Value};
use program::path::Plain;
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use solver::Context;

/// Rounds after which what a loop changes has to be left open enough.
const MOST_TRIES: usize = 6;

impl Interpreter {
    /// Runs what is left of a loop over numbers, or over things that look alike; false if the loop was left by `break`.
    pub(super) fn rest_in_general(
        &mut self,
        target: &Expr,
        iterator: &Value,
        body: &Body,
        mut before: Heap,
    ) -> Outcome<bool> {
        if self.asked.brief {
            self.heap = before.widened_with(&self.heap);
            return Ok(true);
        }
        let left = i64::try_from(self.rounds_left(iterator)).unwrap_or(i64::MAX);
        let round = Dim::symbol_from("round", 0, left - 1, Origin::computed("a round of a loop"));
        let mut lines = Lines::new(round);
        // The rounds do not walk on: the loop variable is told by their number.
        for id in self.walking_with(iterator) {
            *before.get_mut(id) = self.heap.get(id).clone();
        }
        let (mut general, _) = Widening::of(&before, &self.heap, Some(&mut lines));
        lines.drawing = false;
        let mark = Mark::of(self);
        for _ in 0..MOST_TRIES {
            self.heap = general.clone();
            let item = self.item_in_general(iterator, round);
            self.assign(target, item)?;
            if !self.round_in_general(body)? {
                return Ok(false);
            }
            let (next, changed) = Widening::of(&general, &self.heap, Some(&mut lines));
            let is_split = self.decisions.met.len() > mark.decisions;
            // A path on which the round went one way says nothing of loops whose rounds go now one way, now the other.
            if is_split {
                self.heap = next.after(&before, Rounds { lines: &lines, done: None });
                self.lose(format!("{left} rounds of a long loop go different ways"));
                return Ok(true);
            }
            if !changed {
                self.heap = general.after(&before, Rounds { lines: &lines, done: Some(left) });
                return Ok(true);
            }
            mark.restore(self);
            general = next;
        }
        self.heap = general.after(&before, Rounds { lines: &lines, done: None });
        self.lose(format!("{left} rounds of a long loop each change something else"));
        Ok(true)
    }

    /// Runs the rounds of a loop of unknown length, from the states before its last two rounds.
    pub(super) fn endless_in_general(
        &mut self,
        target: &Expr,
        iterator: &Value,
        body: &Body,
        earlier: &Heap,
        latest: &Heap,
    ) -> Outcome<Went> {
        if self.asked.brief {
            self.heap = earlier.widened_with(latest);
            return self.one_by_one(|run| run.next(iterator)).map(Went::Through);
        }
        let round = Dim::symbol_from("round", -1, LARGEST_SIZE, Origin::computed("a round of a loop"));
        let mut lines = Lines::new(round);
        let (mut general, _) = Widening::of(earlier, latest, Some(&mut lines));
        lines.drawing = false;
        let mark = Mark::of(self);
        for _ in 0..MOST_TRIES {
            self.heap = general.clone();
            let Some(item) = self.next_in_general(iterator)? else { return Ok(Went::Through(None)) };
            self.assign(target, item)?;
            if !self.round_in_general(body)? {
                return Ok(Went::Left);
            }
            let (next, changed) = Widening::of(&general, &self.heap, Some(&mut lines));
            let is_split = self.decisions.met.len() > mark.decisions;
            if is_split {
                self.lose("the rounds of a loop go different ways");
            }
            if is_split || !changed {
                self.heap = next;
                return self.one_by_one(|run| run.next(iterator)).map(Went::Through);
            }
            mark.restore(self);
            general = next;
        }
        self.heap = general;
        self.lose("the rounds of a loop each change something else");
        self.one_by_one(|run| run.next(iterator)).map(Went::Through)
    }

    /// One round in which no branch is told apart; false if it leaves the loop.
    pub(super) fn round_in_general(&mut self, body: &Body) -> Outcome<bool> {
        let outer = std::mem::replace(&mut self.decisions.is_general, true);
        let went = self.round(body);
        self.decisions.is_general = outer;
        went
    }
    /// One round of a loop; false if it leaves the loop.
    pub(super) fn round(&mut self, body: &Body) -> Outcome<bool> {
        match self.statements(body, true) {
            Ok(()) | Err(Flow::Continue) => Ok(true),
            Err(Flow::Break) => Ok(false),
            Err(flow) => Err(flow),
        }
    }
}

/// How a loop of unknown length ended.
pub(super) enum Went {
    /// By `break`.
    Left,
    /// There is nothing more like what was; perhaps something else.
    Through(Option<Value>),
}

/// Where the analysis stood before a round that may have to be run again.
pub(super) struct Mark {
    context: Context,
    record: usize,
    plain: Plain,
    assumed: usize,
    lost: usize,
    exits: usize,
    decisions: usize,
}

impl Mark {
    pub(super) fn of(run: &Interpreter) -> Mark {
        Mark {
            context: run.path.context.clone(),
            record: run.path.record.len(),
            plain: run.path.plain,
            assumed: run.path.assumed.len(),
            lost: run.lost.len(),
            exits: run.decisions.exits.as_ref().map_or(0, |exits| exits.ways.len()),
            decisions: run.decisions.met.len(),
        }
    }
    /// Takes back what the round has told: the next one tells it in general.
    pub(super) fn restore(&self, run: &mut Interpreter) {
        let ways = run.decisions.exits.as_mut().map(|exits| &mut exits.ways);
        if let Some(first) = ways.and_then(|ways| ways.drain(self.exits..).next()) {
            run.path = first.outer;
        }
        run.path.context = self.context.clone();
        run.path.record.truncate(self.record);
        run.path.plain = self.plain;
        run.path.assumed.truncate(self.assumed);
        run.lost.truncate(self.lost);
    }
}

/// What becomes of the numbers that grow with the rounds.
#[derive(Clone, Copy)]
struct Rounds<'l> {
    lines: &'l Lines,
    /// How many rounds were done; `None` if the numbers are not to be relied on.
    done: Option<i64>,
}

impl Heap {
    /// The state after a loop, where what grows with its rounds is known by how many they were. Nothing grows that is
    /// as it was a round before the lines were drawn.
    fn after(mut self, before: &Heap, rounds: Rounds<'_>) -> Heap {
        let made = (before.len()..self.len()).map(Id::numbered);
        for id in before.differences(&self).into_iter().chain(made) {
            let object = self.get(id);
            let payload = match &object.payload {
                Payload::Many { element, length } => {
                    rounds.size(*length).map(|length| match self.is_one(element) {
                        true => list_of(element, length),
                        false => Payload::Many { element: element.clone(), length },
                    })
                }
                Payload::Tensor(tensor, gradient) => {
                    rounds.tensor(*tensor).map(|tensor| Payload::Tensor(tensor, *gradient))
                }
                Payload::List(items) => rounds.values(items).map(Payload::List),
                Payload::Wrapped(inner) => rounds.value(inner).map(Payload::Wrapped),
                _ => None,
            };
            let attributes = object.attributes.iter();
            let attributes: Vec<_> =
                attributes.filter_map(|(name, held)| Some((*name, rounds.value(held)?))).collect();
            if payload.is_none() && attributes.is_empty() {
                continue;
            }
            let object = self.get_mut(id);
            object.payload = payload.unwrap_or_else(|| object.payload.clone());
            object.attributes.extend(attributes);
        }
        self
    }
}

/// Each gives `None` for what does not grow.
impl Rounds<'_> {
    fn size(self, size: Dim) -> Option<Dim> {
        match self.done {
            Some(done) => self.lines.after(size, done),
            None => self.lines.has(size).then(|| any_size(0)),
        }
    }
    fn value(self, value: &Value) -> Option<Value> {
        match (value, self.done) {
            (Value::Int(number), Some(done)) => self.lines.after(*number, done).map(Value::Int),
            (Value::Int(number), None) => {
                self.lines.has(*number).then(|| Value::unknown_of(BuiltIn::Int, REASON))
            }
            (Value::Tuple(items), _) => self.values(items).map(Value::tuple),
            _ => None,
        }
    }
    fn values(self, items: &[Value]) -> Option<Vec<Value>> {
        let known: Vec<_> = items.iter().map(|item| self.value(item)).collect();
        known.iter().any(Option::is_some).then(|| {
            let items = items.iter().zip(known);
            items.map(|(item, known)| known.unwrap_or_else(|| item.clone())).collect()
        })
    }
    fn tensor(self, tensor: Tensor) -> Option<Tensor> {
        let sizes = tensor.shape().sizes()?;
        let known: Vec<_> = sizes.iter().map(|size| self.size(*size)).collect();
        known.iter().any(Option::is_some).then(|| {
            let sizes = sizes.iter().zip(known).map(|(size, known)| known.unwrap_or(*size));
            several(tensor.dtype(), Shape::new(sizes))
        })
    }
}

/// A list of elements that look alike, written out if it is known how many and that is not too much.
fn list_of(element: &Value, length: Dim) -> Payload {
    match length.known().and_then(|length| usize::try_from(length).ok()) {
        Some(count) if count <= LONGEST => Payload::List(vec![element.clone(); count]),
        _ => Payload::Many { element: element.clone(), length },
    }
}
