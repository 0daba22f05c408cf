//! What happens where a statement about unknown sizes decides.
//!
//! First both sides are tried on copies of the heap. If both go on normally and what they leave can be told by one
//! state, the path stays one. Otherwise the path takes one side, and the other is left to a run of its own.

use super::{Flow, Interpreter, Outcome};
use crate::heap::{Heap, Id, Object, Payload};
use crate::value::Value;
use program::path::{Path, merge};
use semantics::dim::Dim;
use semantics::prop::Prop;
use solver::Verdict;

/// One decision of a path, as its run met it.
#[derive(Clone)]
pub struct Decision {
    pub statement: String,
    pub taken: bool,
}

/// The decisions of a run: those it was told, and those it met.
pub struct Decisions {
    script: Vec<bool>,
    pub met: Vec<Decision>,
    /// Scripts of runs that go the other way.
    pub others: Vec<Vec<bool>>,
    /// How deep the run is in branches that are being tried: no decision may be taken there.
    trying: usize,
}

impl Decisions {
    pub fn new(script: Vec<bool>) -> Decisions {
        Decisions { script, met: Vec::new(), others: Vec::new(), trying: 0 }
    }
}

/// Why a trial is given up: it met a decision of its own.
const UNDECIDED: &str = "a decision inside a branch";

impl Interpreter {
    /// Decides a statement on this path, taking a side if neither is settled.
    pub fn decide(&mut self, statement: Prop) -> Outcome<bool> {
        match statement.known() {
            Some(known) => return Ok(known),
            None => match self.path.context.decide(statement) {
                Verdict::Holds => return Ok(true),
                Verdict::Fails => return Ok(false),
                Verdict::Depends { .. } | Verdict::Unknown { .. } => {}
            },
        }
        if self.decisions.trying > 0 {
            return Err(Flow::Stop(UNDECIDED.into()));
        }
        let number = self.decisions.met.len();
        let taken = match self.decisions.script.get(number) {
            Some(&told) => told,
            None => {
                let mut other: Vec<bool> = self.decisions.met.iter().map(|decision| decision.taken).collect();
                other.push(false);
                self.decisions.others.push(other);
                true
            }
        };
        self.decisions.met.push(Decision { statement: statement.to_string(), taken });
        self.path.context.assume(if taken { statement } else { !statement });
        Ok(taken)
    }

    /// Follows both sides of a condition, on one path if what they leave agrees.
    pub(super) fn branch(
        &mut self,
        condition: Prop,
        then: &mut dyn FnMut(&mut Interpreter) -> Outcome<()>,
        otherwise: &mut dyn FnMut(&mut Interpreter) -> Outcome<()>,
    ) -> Outcome<()> {
        let settled = match self.path.context.decide(condition) {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Depends { .. } | Verdict::Unknown { .. } => None,
        };
        if let Some(settled) = settled {
            return if settled { then(self) } else { otherwise(self) };
        }
        let nothing = &mut |run: &mut Interpreter, side: bool| {
            let result = if side { then(run) } else { otherwise(run) };
            result.map(|()| Value::None)
        };
        match self.try_both(condition, nothing) {
            Some(_) => Ok(()),
            None if self.decide(condition)? => then(self),
            None => otherwise(self),
        }
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
        let before = self.heap.clone();
        let (depth, lost, modules) = (self.frames.len(), self.lost.len(), self.modules.len());
        let at = self.frame().at;
        let mut run = |interpreter: &mut Interpreter, truth: bool, heap: Heap| {
            let fork = interpreter.path.along(if truth { condition } else { !condition })?;
            let outer = std::mem::replace(&mut interpreter.path, fork);
            interpreter.heap = heap;
            interpreter.decisions.trying += 1;
            let result = side(interpreter, truth);
            interpreter.decisions.trying -= 1;
            interpreter.frames.truncate(depth);
            interpreter.frame_mut().at = at;
            let fork = std::mem::replace(&mut interpreter.path, outer);
            let clean = !fork.record.iter().any(program::path::Entry::is_violated);
            result.ok().filter(|_| clean).map(|value| (value, fork))
        };
        let first = run(self, true, before.clone());
        let after_first = std::mem::take(&mut self.heap);
        let second = first.as_ref().and_then(|_| {
            // New objects of the second side come after those of the first, so that both can be kept.
            let mut heap = before.clone();
            heap.skip_to(after_first.len());
            run(self, false, heap)
        });
        let after_second = std::mem::take(&mut self.heap);
        let merged = first.zip(second).and_then(|((a, first), (b, second))| {
            let mut joined = after_first.joined_with(&after_second);
            let value = merged_value(condition, &a, &b)?;
            for id in after_first.differences(&after_second) {
                if id.number() >= before.len() {
                    continue;
                }
                let object = merged_object(condition, after_first.get(id), after_second.get(id))?;
                *joined.get_mut(id) = object;
            }
            Some((joined, value, first, second))
        });
        match merged {
            Some((heap, value, first, second)) if self.modules.len() == modules => {
                self.heap = heap;
                self.join(condition, first, second);
                Some(value)
            }
            _ => {
                self.heap = before;
                self.lost.truncate(lost);
                None
            }
        }
    }
    fn join(&mut self, condition: Prop, first: Path, second: Path) {
        self.path.join(condition, first, second);
    }
}

/// One value that is the first where the condition holds and the second where it does not.
fn merged_value(condition: Prop, a: &Value, b: &Value) -> Option<Value> {
    if a.is(b) {
        return Some(a.clone());
    }
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(Dim::select(condition, *a, *b)),
        (Value::Bool(a), Value::Bool(b)) => Value::Bool((condition & *a) | (!condition & *b)),
        (Value::Float(_), Value::Float(_)) => {
            Value::unknown_of(crate::value::BuiltIn::Float, "a number that depends on a branch")
        }
        (Value::Unknown(_), _) => a.clone(),
        (_, Value::Unknown(_)) => b.clone(),
        (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
            let items = a.iter().zip(b.iter()).map(|(a, b)| merged_value(condition, a, b));
            Value::Tuple(items.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn merged_object(condition: Prop, a: &Object, b: &Object) -> Option<Object> {
    if a.class != b.class {
        return None;
    }
    let payload = match (&a.payload, &b.payload) {
        (Payload::Tensor(a), Payload::Tensor(b)) => Payload::Tensor(merge(condition, *a, *b)),
        (Payload::List(a), Payload::List(b)) if a.len() == b.len() => {
            let items = a.iter().zip(b).map(|(a, b)| merged_value(condition, a, b));
            Payload::List(items.collect::<Option<_>>()?)
        }
        (Payload::Dict(a), Payload::Dict(b)) if a.keys().eq(b.keys()) => {
            let mut pairs = a.clone();
            for ((_, (_, value)), (_, other)) in pairs.iter_mut().zip(b.values()) {
                *value = merged_value(condition, value, other)?;
            }
            Payload::Dict(pairs)
        }
        (Payload::Plain, Payload::Plain) => Payload::Plain,
        (Payload::Scope { around }, Payload::Scope { .. }) => Payload::Scope { around: *around },
        (Payload::Wrapped(a), Payload::Wrapped(b)) => Payload::Wrapped(merged_value(condition, a, b)?),
        (Payload::Module { name, scope }, Payload::Module { .. }) => {
            Payload::Module { name: name.clone(), scope: *scope }
        }
        _ => return None,
    };
    let mut attributes = a.attributes.clone();
    for (name, value) in &b.attributes {
        match attributes.get_mut(name) {
            Some(own) => *own = merged_value(condition, own, value)?,
            // A name that only one side sets is one that nobody may rely on.
            None if matches!(payload, Payload::Scope { .. }) => {
                attributes.insert(*name, Value::unknown("set in one branch only"));
            }
            None => return None,
        }
    }
    for (name, value) in &mut attributes {
        if !b.attributes.contains_key(name) {
            if !matches!(payload, Payload::Scope { .. }) {
                return None;
            }
            *value = Value::unknown("set in one branch only");
        }
    }
    Some(Object { class: a.class, attributes, payload })
}

impl Heap {
    /// Leaves room for so many objects that another heap has.
    fn skip_to(&mut self, count: usize) {
        while self.len() < count {
            self.push(Object {
                class: crate::value::BuiltIn::Object.class(),
                attributes: Default::default(),
                payload: Payload::Plain,
            });
        }
    }
    /// This heap's objects, and those that the other made after them.
    fn joined_with(&self, other: &Heap) -> Heap {
        let mut joined = self.clone();
        for number in self.len()..other.len() {
            joined.push(other.get(Id::numbered(number)).clone());
        }
        joined
    }
}
