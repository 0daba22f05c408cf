//! Generators: a body runs from one `yield` to the next, and what is left of it is data on the heap.

use super::{Flow, Frame, Interpreter, Outcome};
use crate::heap::{Block, Function, Generator, Id, Payload, Phase, State, Statement};
use crate::syntax::{ExprKind, GeneratorExpr, Name, Stmt, StmtKind};
use crate::value::{BuiltIn, Value};
use std::rc::Rc;

/// What a generator is woken with.
pub enum Sent {
    Value(Value),
    /// An exception, raised at the `yield`.
    Raise(Id),
}

/// What a generator came to.
pub enum Step {
    Yielded(Value),
    Returned(Value),
}

/// A yielded value on its way out.
type Yielded = Option<Value>;

/// Rounds of a loop whose condition is never known.
const UNKNOWN_ROUNDS: usize = 2;

impl Interpreter {
    pub(super) fn new_generator(
        &mut self,
        function: &Rc<Function>,
        scope: Id,
        receiver: Option<Value>,
    ) -> Value {
        self.kept_scopes += 1;
        let generator = Generator {
            function: function.clone(),
            scope,
            receiver,
            blocks: vec![Block::Body(function.def.body.clone(), 0)],
            state: State::Fresh,
        };
        self.new_object(BuiltIn::Generator.class(), Payload::Generator(Box::new(generator)))
    }

    pub(super) fn generator_expression(&mut self, generator: &GeneratorExpr) -> Outcome {
        let first = self.evaluate(&generator.first)?;
        self.frame_mut().at = generator.first.at;
        let iterator = self.iterate(&first)?;
        let function = self.make_function(&generator.function)?;
        let Some(Payload::Function(function)) = self.payload(&function) else { return Ok(Value::None) };
        let function = function.clone();
        let scope = self.new_scope(function.around);
        self.set_name(scope, Name::COMPREHENSION, Value::None);
        self.set_name(scope, Name::new("<iterable>"), iterator);
        let receiver = self.frame().receiver.clone();
        Ok(self.new_generator(&function, scope, receiver))
    }

    /// Runs a generator to its next `yield`, or to its end.
    pub fn resume(&mut self, id: Id, sent: Sent) -> Outcome<Step> {
        let Payload::Generator(generator) = &mut self.heap.get_mut(id).payload else {
            return Ok(Step::Returned(Value::None));
        };
        let (state, mut blocks) = (generator.state, std::mem::take(&mut generator.blocks));
        generator.state = State::Running;
        let (function, scope, receiver) =
            (generator.function.clone(), generator.scope, generator.receiver.clone());
        match (state, &sent) {
            (State::Running, _) => return self.raise("ValueError", "generator already executing"),
            (State::Done, sent) => {
                self.suspend(id, State::Done, Vec::new());
                return match sent {
                    Sent::Value(_) => Ok(Step::Returned(Value::None)),
                    Sent::Raise(exception) => Err(Flow::Raise(*exception)),
                };
            }
            (State::Fresh, Sent::Value(value)) if !value.is_none() => {
                self.suspend(id, State::Fresh, blocks);
                let message = "can't send non-None value to a just-started generator";
                return self.raise("TypeError", message);
            }
            _ => {}
        }
        if self.frames.len() >= self.budget.depth {
            return self.raise("RecursionError", "maximum recursion depth exceeded");
        }
        let depth = self.frames.len();
        self.frames.push(Frame {
            source: function.source.clone(),
            name: function.def.name,
            globals: function.globals,
            scope,
            at: function.def.at,
            class: function.class,
            receiver,
            function: Some(function),
        });
        let handling = self.handling;
        let start = match (sent, state) {
            (Sent::Raise(exception), _) => Err(Flow::Raise(exception)),
            (Sent::Value(value), State::Waiting(name)) => self.bind(name, value),
            _ => Ok(()),
        };
        let result = self.advance(&mut blocks, start);
        self.frames.truncate(depth);
        self.handling = handling;
        match result {
            Ok(Step::Yielded(value)) => {
                let name = match blocks.last() {
                    Some(Block::Delegate(_, name)) => *name,
                    _ => self.waiting,
                };
                self.suspend(id, State::Waiting(name), blocks);
                Ok(Step::Yielded(value))
            }
            Ok(returned) => {
                self.suspend(id, State::Done, Vec::new());
                Ok(returned)
            }
            Err(Flow::Raise(exception)) => {
                self.suspend(id, State::Done, Vec::new());
                if self.is_instance_of_named(&Value::Object(exception), "StopIteration") {
                    return self.raise("RuntimeError", "generator raised StopIteration");
                }
                Err(Flow::Raise(exception))
            }
            Err(flow) => Err(flow),
        }
    }
    fn suspend(&mut self, id: Id, state: State, blocks: Vec<Block>) {
        if let Payload::Generator(generator) = &mut self.heap.get_mut(id).payload {
            (generator.state, generator.blocks) = (state, blocks);
        }
    }

    /// What a coroutine comes to; anything else is what it is.
    pub fn awaited(&mut self, value: Value) -> Outcome {
        let Some(id) = value.as_object() else { return Ok(value) };
        if !matches!(self.heap.get(id).payload, Payload::Generator(_)) {
            return match self.try_special(&value, "__await__", Vec::new())? {
                Some(inner) => self.nested(|run| run.awaited(inner)),
                None => Ok(value),
            };
        }
        loop {
            match self.resume(id, Sent::Value(Value::None))? {
                Step::Returned(value) => return Ok(value),
                Step::Yielded(_) => {}
            }
        }
    }

    /// Ends a generator that is not wanted any more: what its `finally` parts do is done.
    pub fn close_generator(&mut self, id: Id) -> Outcome<()> {
        let state = match &self.heap.get(id).payload {
            Payload::Generator(generator) => generator.state,
            _ => State::Done,
        };
        if !matches!(state, State::Waiting(_)) {
            self.suspend(id, State::Done, Vec::new());
            return Ok(());
        }
        let Err(Flow::Raise(exit)) = self.raise::<()>("GeneratorExit", "") else { return Ok(()) };
        match self.resume(id, Sent::Raise(exit)) {
            Ok(Step::Yielded(_)) => self.raise("RuntimeError", "generator ignored GeneratorExit"),
            Ok(Step::Returned(_)) => Ok(()),
            Err(Flow::Raise(exception)) if exception == exit => Ok(()),
            Err(flow) => Err(flow),
        }
    }

    /// Goes on with what is left until something is yielded.
    fn advance(&mut self, blocks: &mut Vec<Block>, start: Outcome<()>) -> Outcome<Step> {
        let mut flow = start;
        loop {
            let ended = match flow {
                Ok(()) => None,
                Err(Flow::Stop(why)) => return Err(Flow::Stop(why)),
                Err(ended) => Some(ended),
            };
            let Some(block) = blocks.pop() else {
                return match ended {
                    None | Some(Flow::Break | Flow::Continue) => Ok(Step::Returned(Value::None)),
                    Some(Flow::Return(value)) => Ok(Step::Returned(value)),
                    Some(Flow::Lost(_)) => Ok(Step::Returned(Value::None)),
                    Some(flow) => Err(flow),
                };
            };
            let went = match ended {
                None => self.go_on(block, blocks),
                Some(ended) => self.unwind(block, ended, blocks).map(|()| None),
            };
            flow = match went {
                Ok(Some(value)) => return Ok(Step::Yielded(value)),
                Ok(None) => Ok(()),
                Err(flow) => Err(flow),
            };
        }
    }

    /// Continues a block after what was inside it has ended normally.
    fn go_on(&mut self, block: Block, blocks: &mut Vec<Block>) -> Outcome<Yielded> {
        match block {
            Block::Body(body, next) => {
                let Some(statement) = body.get(next) else { return Ok(None) };
                blocks.push(Block::Body(body.clone(), next + 1));
                if statement.yields {
                    return self.begin(statement, Statement(body.clone(), next), blocks);
                }
                self.statement(statement)?;
            }
            Block::While(statement, mut open) => {
                let StmtKind::While { test, body, orelse } = &statement.kind().kind else { return Ok(None) };
                self.step(test.at)?;
                let value = self.evaluate(test)?;
                let truth = self.truth(&value)?;
                open += usize::from(truth.known().is_none());
                if open <= UNKNOWN_ROUNDS && self.decide(truth)? {
                    blocks.push(Block::While(statement.clone(), open));
                    blocks.push(Block::Body(body.clone(), 0));
                } else {
                    blocks.push(Block::Body(orelse.clone(), 0));
                }
            }
            Block::For(statement, iterator) => {
                let StmtKind::For { target, body, orelse, iterable } = &statement.kind().kind else {
                    return Ok(None);
                };
                self.step(iterable.at)?;
                match self.next(&iterator)? {
                    Some(item) => {
                        blocks.push(Block::For(statement.clone(), iterator));
                        self.assign(target, item)?;
                        blocks.push(Block::Body(body.clone(), 0));
                    }
                    None => blocks.push(Block::Body(orelse.clone(), 0)),
                }
            }
            Block::With(_, _, manager) => {
                self.leave(&manager, None)?;
            }
            Block::Try(statement, phase) => self.after_part(statement, phase, None, blocks)?,
            Block::Delegate(iterator, name) => {
                // What was sent is in the name that the `yield from` is given.
                let scope = self.frame().scope;
                let sent = self.heap.get(scope).attributes.get(&name).cloned().unwrap_or(Value::None);
                return self.delegate(iterator, name, Sent::Value(sent), blocks);
            }
        }
        Ok(None)
    }

    /// Takes a step of what `yield from` walks through.
    fn delegate(
        &mut self,
        iterator: Value,
        name: Name,
        sent: Sent,
        blocks: &mut Vec<Block>,
    ) -> Outcome<Yielded> {
        let step = match (&iterator, self.payload(&iterator)) {
            (Value::Object(id), Some(Payload::Generator(_))) => self.resume(*id, sent)?,
            _ => match (self.next(&iterator)?, sent) {
                (_, Sent::Raise(exception)) => return Err(Flow::Raise(exception)),
                (Some(value), _) => Step::Yielded(value),
                (None, _) => Step::Returned(Value::None),
            },
        };
        match step {
            Step::Yielded(value) => {
                blocks.push(Block::Delegate(iterator, name));
                Ok(Some(value))
            }
            Step::Returned(value) => {
                self.bind(name, value)?;
                Ok(None)
            }
        }
    }

    /// Enters a statement that has a `yield` inside.
    fn begin(&mut self, statement: &Stmt, at: Statement, blocks: &mut Vec<Block>) -> Outcome<Yielded> {
        self.step(statement.at)?;
        match &statement.kind {
            StmtKind::Assign { targets, value } => match (&value.kind, targets.first().map(|it| &it.kind)) {
                (ExprKind::Yield(value), Some(ExprKind::Name(name))) => {
                    self.waiting = *name;
                    let value = value.as_ref().map_or(Ok(Value::None), |value| self.evaluate(value))?;
                    self.waiting = *name;
                    return Ok(Some(value));
                }
                (ExprKind::YieldFrom(value), Some(ExprKind::Name(name))) => {
                    let value = self.evaluate(value)?;
                    let iterator = self.iterate(&value)?;
                    return self.delegate(iterator, *name, Sent::Value(Value::None), blocks);
                }
                _ => self.statement(statement)?,
            },
            StmtKind::If { test, body, orelse } => {
                let value = self.evaluate(test)?;
                let truth = self.truth(&value)?;
                let chosen = if self.decide(truth)? { body } else { orelse };
                blocks.push(Block::Body(chosen.clone(), 0));
            }
            StmtKind::While { .. } => blocks.push(Block::While(at, 0)),
            StmtKind::For { iterable, .. } => {
                let value = self.evaluate(iterable)?;
                self.frame_mut().at = iterable.at;
                let iterator = self.iterate(&value)?;
                blocks.push(Block::For(at, iterator));
            }
            StmtKind::With { .. } => self.enter_next(at, 0, blocks)?,
            StmtKind::Try { body, .. } => {
                blocks.push(Block::Try(at, Phase::Body));
                blocks.push(Block::Body(body.clone(), 0));
            }
            StmtKind::Match { subject, cases } => {
                let subject = self.evaluate(subject)?;
                if let Some(case) = self.matching_case(&subject, cases)? {
                    blocks.push(Block::Body(case.body.clone(), 0));
                }
            }
            _ => self.statement(statement)?,
        }
        Ok(None)
    }
    /// Enters the items of a `with`, one inside the other.
    fn enter_next(&mut self, at: Statement, place: usize, blocks: &mut Vec<Block>) -> Outcome<()> {
        let StmtKind::With { items, body } = &at.kind().kind else { return Ok(()) };
        let Some((context, target)) = items.get(place) else {
            blocks.push(Block::Body(body.clone(), 0));
            return Ok(());
        };
        let manager = self.evaluate(context)?;
        self.frame_mut().at = context.at;
        let entered = self.enter(&manager)?;
        blocks.push(Block::With(at.clone(), place, manager));
        if let Some(target) = target {
            self.assign(target, entered)?;
        }
        self.enter_next(at, place + 1, blocks)
    }

    /// What a block does when what was inside it ended otherwise.
    fn unwind(&mut self, block: Block, ended: Flow, blocks: &mut Vec<Block>) -> Outcome<()> {
        match (block, ended) {
            (Block::While(..) | Block::For(..), Flow::Break) => Ok(()),
            (block @ (Block::While(..) | Block::For(..)), Flow::Continue) => {
                blocks.push(block);
                Ok(())
            }
            (Block::With(_, _, manager), Flow::Raise(exception)) => {
                if self.leave(&manager, Some(exception))? { Ok(()) } else { Err(Flow::Raise(exception)) }
            }
            (Block::With(_, _, manager), ended) => {
                self.leave(&manager, None)?;
                Err(ended)
            }
            (Block::Try(statement, Phase::Body), Flow::Raise(exception)) => {
                let StmtKind::Try { handlers, .. } = &statement.kind().kind else { return Ok(()) };
                let Some(place) = self.fitting(exception, handlers)? else {
                    return self.after_part(statement, Phase::Else, Some(Flow::Raise(exception)), blocks);
                };
                let before = self.enter_handler(exception, &handlers[place])?;
                blocks.push(Block::Try(statement.clone(), Phase::Handler(before)));
                blocks.push(Block::Body(handlers[place].body.clone(), 0));
                Ok(())
            }
            (Block::Try(statement, Phase::Body), ended) => {
                self.after_part(statement, Phase::Else, Some(ended), blocks)
            }
            (Block::Try(statement, phase), ended) => self.after_part(statement, phase, Some(ended), blocks),
            (Block::Delegate(iterator, name), Flow::Raise(exception)) => {
                // Thrown in from outside: the inner one has the first word.
                let mut yielded = Vec::new();
                match self.delegate(iterator, name, Sent::Raise(exception), &mut yielded)? {
                    None => Ok(()),
                    Some(_) => Err(Flow::Raise(exception)),
                }
            }
            (_, ended) => Err(ended),
        }
    }

    /// The part of a `try` that comes after one of its parts has ended.
    fn after_part(
        &mut self,
        statement: Statement,
        phase: Phase,
        ended: Option<Flow>,
        blocks: &mut Vec<Block>,
    ) -> Outcome<()> {
        let StmtKind::Try { orelse, last, .. } = &statement.kind().kind else { return Ok(()) };
        match phase {
            Phase::Body => {
                blocks.push(Block::Try(statement.clone(), Phase::Else));
                blocks.push(Block::Body(orelse.clone(), 0));
            }
            Phase::Else | Phase::Handler(_) => {
                if let Phase::Handler(before) = phase {
                    self.handling = before.as_object();
                }
                blocks.push(Block::Try(statement.clone(), Phase::Last(ended)));
                blocks.push(Block::Body(last.clone(), 0));
            }
            // What the last part does instead wins.
            Phase::Last(before) => {
                if let Some(ended) = ended.or(before) {
                    return Err(ended);
                }
            }
        }
        Ok(())
    }
}

impl Statement {
    fn kind(&self) -> &Stmt {
        &self.0[self.1]
    }
}
