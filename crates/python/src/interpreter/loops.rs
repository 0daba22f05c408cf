//! Loops. Those of known length run, long ones in general after a few rounds (`general`); of the others two rounds are
//! run, and what differs between them is not known afterwards.

use super::decisions::Exits;
use super::general::{Mark, Went};
use super::{Flow, Interpreter, Outcome};
use crate::heap::{Heap, Payload};
use crate::syntax::{Body, Expr};
use crate::value::Value;

/// Rounds of a `while` that the path decides one by one.
const DECIDED_ROUNDS: usize = 2;
/// Ways out that open conditions may give a loop before the rest of its rounds is taken for more of the same.
const MOST_EXITS: usize = 3;

/// Rounds by which the work of a loop is judged.
const SAMPLE: u64 = 2;
/// Steps that the rest of a loop over numbers may take before it is taken for more of the same.
const MOST_WORK: u64 = 60_000;
/// The same for a loop that puts layers together: each of them counts.
const MOST_BUILDING: u64 = 1_500_000;

/// How far a loop has come.
struct Rounds {
    /// What there was after the last rounds, latest last.
    states: Vec<Heap>,
}

impl Interpreter {
    pub(super) fn repeated(&mut self, test: &Expr, body: &Body, orelse: &Body) -> Outcome<()> {
        self.in_loop(|run| {
            let mut open = 0;
            let mut rounds = Rounds { states: Vec::new() };
            rounds.after(run, 0);
            loop {
                let value = run.evaluate(test)?;
                run.frame_mut().at = test.at;
                let condition = run.truth(&value)?;
                let goes_on = match condition.known() {
                    Some(known) => known,
                    None => {
                        open += 1;
                        if open == 1 {
                            rounds.after(run, open);
                        }
                        if open > DECIDED_ROUNDS {
                            // From here on it may go on as often as it likes.
                            rounds.forget_differences(run);
                            run.path.context.assume(!condition);
                            run.open_rounds.push(!condition);
                            false
                        } else {
                            // Where nothing is known of the condition, a round that may come is run.
                            matches!(value, Value::Unknown(_)) || run.decide(condition)?
                        }
                    }
                };
                if !goes_on {
                    break;
                }
                match run.statements(body, true) {
                    Ok(()) | Err(Flow::Continue) => {}
                    Err(Flow::Break) => return Ok(()),
                    Err(flow) => return Err(flow),
                }
                rounds.after(run, open);
                if run.has_left_often() {
                    rounds.forget_differences(run);
                    break;
                }
            }
            run.body(orelse)
        })
    }

    pub(super) fn each(&mut self, target: &Expr, iterable: &Expr, body: &Body, orelse: &Body) -> Outcome<()> {
        let iterable_value = self.evaluate(iterable)?;
        self.frame_mut().at = iterable.at;
        let iterator = self.iterate(&iterable_value)?;
        self.in_loop(|run| {
            let sample = if run.asked.brief { 1 } else { SAMPLE };
            let mut before = if run.asked.brief { run.heap.clone() } else { Heap::default() };
            let (started, mut done) = (run.steps(), 0);
            let (mut earlier, mut latest) = (None, None);
            let mut rounds = Rounds { states: Vec::new() };
            let (mut coming, mut is_open) = (None, false);
            loop {
                let (ends, generals, given) = (run.open_ends, run.generals, run.given_of_open);
                if is_open || run.may_have_left() {
                    (earlier, latest) = (latest, Some((run.heap.clone(), Mark::of(run))));
                }
                let next = match coming.take() {
                    Some(item) => Some(item),
                    None => run.next_in_general(&iterator)?,
                };
                let Some(item) = next else {
                    if run.open_ends > ends {
                        rounds.forget_differences(run);
                    }
                    break;
                };
                is_open |= run.given_of_open > given;
                let is_general = run.generals > generals;
                if let (true, Some((earlier, _)), Some((latest, mark))) = (is_general, &earlier, &latest) {
                    mark.restore(run);
                    match run.endless_in_general(target, &iterator, body, earlier, latest)? {
                        Went::Left => return Ok(()),
                        Went::Through(None) => break,
                        Went::Through(item) => {
                            coming = item;
                            continue;
                        }
                    }
                }
                run.assign(target, item)?;
                // The rounds of a loop of unknown length are brought together anyway.
                let went = if is_open { run.round_in_general(body) } else { run.round(body) };
                if !went? {
                    return Ok(());
                }
                run.step(iterable.at)?;
                rounds.after(run, usize::from(is_open));
                done += 1;
                if done + 1 == sample {
                    before = run.heap.clone();
                }
                if done == sample && run.would_take_long(&iterator, (run.steps() - started) / done, &before) {
                    if !run.rest_in_general(target, &iterator, body, std::mem::take(&mut before))? {
                        return Ok(());
                    }
                    break;
                }
                if let (true, Some((latest, _))) = (run.has_left_often(), &latest) {
                    let now = run.heap.clone();
                    match run.endless_in_general(target, &iterator, body, latest, &now)? {
                        Went::Left => return Ok(()),
                        Went::Through(_) => break,
                    }
                }
            }
            run.body(orelse)
        })
    }

    /// Whether the rest of a loop over numbers is more work than it is worth, going by its first rounds.
    fn would_take_long(&self, iterator: &Value, each: u64, before: &Heap) -> bool {
        let work = each.saturating_mul(self.rounds_left(iterator));
        work > MOST_BUILDING || (work > MOST_WORK && !self.has_built_since(before))
    }
    /// Whether a container that was there has got an object with attributes of its own, as layers are.
    fn has_built_since(&self, before: &Heap) -> bool {
        let is_built = |value: &Value| matches!(self.payload(value), Some(Payload::Plain));
        before.differences(&self.heap).into_iter().any(|id| {
            match (&before.get(id).payload, &self.heap.get(id).payload) {
                (Payload::List(old), Payload::List(new)) => new.iter().skip(old.len()).any(is_built),
                (Payload::Dict(old), Payload::Dict(new)) => {
                    new.values().skip(old.len()).any(|(_, value)| is_built(value))
                }
                _ => false,
            }
        })
    }
    /// Runs a loop that may be left where a condition is open.
    fn in_loop(&mut self, f: impl FnOnce(&mut Interpreter) -> Outcome<()>) -> Outcome<()> {
        let own = Exits { ways: Vec::new(), standing: self.standing() };
        let (context, supposed, met) =
            (self.has_endless.then(|| self.path.context.clone()), self.supposed, self.decisions.met.len());
        let outer = self.decisions.exits.replace(own);
        let result = f(self);
        let own = std::mem::replace(&mut self.decisions.exits, outer);
        let result = match own {
            Some(exits) if !exits.ways.is_empty() => self.close_exits(exits, result),
            _ => result,
        };
        // What was supposed of a range for a round to come holds in that round only.
        if let Some(context) = context.filter(|_| result.is_ok())
            && self.supposed > supposed
            && self.decisions.met.len() == met
        {
            self.path.context = context;
        }
        result
    }
    fn may_have_left(&self) -> bool {
        self.decisions.exits.as_ref().is_some_and(|exits| !exits.ways.is_empty())
    }
    fn has_left_often(&self) -> bool {
        self.decisions.exits.as_ref().is_some_and(|exits| exits.ways.len() >= MOST_EXITS)
    }
}

impl Rounds {
    /// Notes what a round has left, if the loop may turn out to be of unknown length; the first few rounds do.
    fn after(&mut self, run: &Interpreter, open: usize) {
        if self.states.len() < 5 && (open > 0 || run.may_have_left()) {
            self.states.push(run.heap.clone());
        }
    }
    /// What the last two rounds left differently is not known after more of them.
    fn forget_differences(&self, run: &mut Interpreter) {
        if let [.., before, _] = self.states.as_slice() {
            run.heap = before.widened_with(&run.heap);
        }
    }
}
