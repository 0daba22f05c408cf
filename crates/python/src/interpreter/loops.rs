//! Loops. Those of known length run; of the others two rounds are run, and what differs between them is not known
//! afterwards.

use super::decisions::Exits;
use super::{Flow, Interpreter, Outcome};
use crate::heap::Heap;
use crate::syntax::{Body, Expr};

/// Rounds of a `while` that the path decides one by one.
const DECIDED_ROUNDS: usize = 2;
/// Ways out that open conditions may give a loop before the rest of its rounds is taken for more of the same.
const MOST_EXITS: usize = 3;

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
                            false
                        } else {
                            // Where nothing is known of the condition, a round that may come is run.
                            matches!(value, crate::value::Value::Unknown(_)) || run.decide(condition)?
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
            let mut rounds = Rounds { states: Vec::new() };
            rounds.after(run, 0);
            loop {
                let ends = run.open_ends;
                let Some(item) = run.next(&iterator)? else {
                    if run.open_ends > ends {
                        rounds.forget_differences(run);
                    }
                    break;
                };
                run.assign(target, item)?;
                match run.statements(body, true) {
                    Ok(()) | Err(Flow::Continue) => {}
                    Err(Flow::Break) => return Ok(()),
                    Err(flow) => return Err(flow),
                }
                run.step(iterable.at)?;
                rounds.after(run, 0);
                if run.has_left_often() {
                    rounds.forget_differences(run);
                    break;
                }
            }
            run.body(orelse)
        })
    }

    /// Runs a loop that may be left where a condition is open.
    fn in_loop(&mut self, f: impl FnOnce(&mut Interpreter) -> Outcome<()>) -> Outcome<()> {
        let own = Exits { ways: Vec::new(), standing: self.standing() };
        let outer = self.decisions.exits.replace(own);
        let result = f(self);
        let own = std::mem::replace(&mut self.decisions.exits, outer);
        match own {
            Some(exits) if !exits.ways.is_empty() => self.close_exits(exits, result),
            _ => result,
        }
    }
    fn has_left_often(&self) -> bool {
        self.decisions.exits.as_ref().is_some_and(|exits| exits.ways.len() >= MOST_EXITS)
    }
}

impl Rounds {
    /// Notes what a round has left, if the loop may turn out to be of unknown length; the first few rounds do.
    fn after(&mut self, run: &Interpreter, open: usize) {
        let has_exits = run.decisions.exits.as_ref().is_some_and(|exits| !exits.ways.is_empty());
        if self.states.len() < 5 && (open > 0 || run.has_endless || has_exits) {
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
