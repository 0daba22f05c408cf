//! What is known of two states at once: where they agree, that; where they differ, what both have in common.

use super::alike::{REASON, is_any_size, sizes_alike, tensors_by};
use super::iteration::ROUNDS;
use crate::heap::{Block, Heap, Id, Iterator, Object, Payload, Phase, State, Statement};
use crate::value::{BuiltIn, Unknown, Value};
use rustc_hash::FxHashMap;
use semantics::dim::{Dim, DimId};
use std::rc::Rc;

/// Objects inside objects that are compared.
const DEEPEST: usize = 4;

impl Heap {
    /// The later state, with everything forgotten in which the earlier one differs.
    pub(super) fn widened_with(&self, later: &Heap) -> Heap {
        Widening::of(self, later, None).0
    }
}

/// Numbers that grow by the same in every round of a loop, as a function of the rounds done.
pub(super) struct Lines {
    /// The round, counted from the state that was the latest when the lines were drawn.
    round: Dim,
    known: FxHashMap<DimId, Line>,
    /// Whether numbers that differ may still be on a line.
    pub drawing: bool,
}

#[derive(Clone, Copy)]
struct Line {
    start: Dim,
    growth: i64,
}

impl Line {
    fn at(self, round: Dim) -> Dim {
        self.start + Dim::from(self.growth) * round
    }
}

impl Lines {
    pub(super) fn new(round: Dim) -> Lines {
        Lines { round, known: FxHashMap::default(), drawing: true }
    }
    /// A number that was one thing and is another a round later; `None` if it is on no line.
    fn number(&mut self, before: Dim, after: Dim) -> Option<Dim> {
        if let Some(line) = self.known.get(&before.id()) {
            return (line.at(self.round + 1).id() == after.id()).then_some(before);
        }
        let line = Line { start: after, growth: (after - before).known().filter(|_| self.drawing)? };
        let number = line.at(self.round);
        self.known.insert(number.id(), line);
        Some(number)
    }
    /// Where a number that is on a line has come to after so many rounds.
    pub(super) fn after(&self, number: Dim, rounds: i64) -> Option<Dim> {
        self.known.get(&number.id()).map(|line| line.at(rounds.into()))
    }
    pub(super) fn has(&self, number: Dim) -> bool {
        self.known.contains_key(&number.id())
    }
}

/// Two states that become one.
pub(super) struct Widening<'h> {
    earlier: &'h Heap,
    later: &'h Heap,
    heap: Heap,
    lines: Option<&'h mut Lines>,
    /// What an object of the earlier state is in the later one.
    pairs: FxHashMap<Id, Id>,
    /// Whether the earlier state says more than what is true of both.
    changed: bool,
}

impl<'h> Widening<'h> {
    /// What is true of both states, and whether that is less than the earlier one says.
    pub(super) fn of(earlier: &'h Heap, later: &'h Heap, lines: Option<&'h mut Lines>) -> (Heap, bool) {
        let mut heap = earlier.joined_with(later);
        let differences = earlier.differences(later);
        for &id in &differences {
            if let Some(object) = later.shared(id).filter(|it| !matches!(it.payload, Payload::Hole)) {
                heap.put_shared(id, object.clone());
            }
        }
        let mut widening =
            Widening { earlier, later, heap, lines, pairs: FxHashMap::default(), changed: false };
        for id in differences {
            let is_hole = |heap: &Heap| matches!(heap.get(id).payload, Payload::Hole);
            if is_hole(earlier) || is_hole(later) {
                continue;
            }
            let widened = widening.object(id, id, 0);
            widening.heap.put(id, widened);
        }
        (widening.heap, widening.changed)
    }

    fn object(&mut self, a: Id, b: Id, depth: usize) -> Object {
        let (old, new) = (self.earlier.get(a), self.later.get(b));
        let mut object = new.clone();
        if old.class != new.class {
            self.changed = true;
            object.payload = Payload::Opaque(REASON.into());
            return object;
        }
        object.payload = self.payload(&old.payload, &new.payload, depth);
        if let (Payload::Dict(x), Payload::Dict(y), Payload::Opaque(_)) =
            (&old.payload, &new.payload, &object.payload)
        {
            self.heap.some_dict([x, y], &mut object);
        }
        for (name, value) in object.attributes.iter_mut() {
            match old.attributes.get(name) {
                Some(before) => *value = self.value(before, value, depth),
                // Bound in later rounds only: as good as bound.
                None => self.changed = true,
            }
        }
        self.changed |= old.attributes.keys().any(|name| !new.attributes.contains_key(name));
        object
    }

    fn payload(&mut self, old: &Payload, new: &Payload, depth: usize) -> Payload {
        match (old, new) {
            (Payload::List(x), Payload::List(y)) if x.len() == y.len() => {
                Payload::List(x.iter().zip(y).map(|(x, y)| self.value(x, y, depth)).collect())
            }
            (Payload::Dict(x), Payload::Dict(y)) if x.keys().eq(y.keys()) => {
                let mut pairs = y.clone();
                for ((_, (_, value)), (_, before)) in pairs.iter_mut().zip(x.values()) {
                    *value = self.value(before, value, depth);
                }
                Payload::Dict(pairs)
            }
            (Payload::Set(x), Payload::Set(y)) if x.keys().eq(y.keys()) => Payload::Set(y.clone()),
            (Payload::List(_) | Payload::Many { .. }, Payload::List(_) | Payload::Many { .. }) => {
                self.lists(old, new)
            }
            (Payload::Opaque(_), Payload::List(_) | Payload::Many { .. })
            | (Payload::Opaque(_), Payload::Dict(_) | Payload::Set(_) | Payload::Opaque(_)) => old.clone(),
            (Payload::List(_) | Payload::Many { .. } | Payload::Dict(_) | Payload::Set(_), _) => {
                self.changed = true;
                Payload::Opaque(REASON.into())
            }
            (Payload::Wrapped(x), Payload::Wrapped(y)) => Payload::Wrapped(self.value(x, y, depth)),
            (Payload::Tensor(x, before), Payload::Tensor(y, after)) => {
                let both = tensors_by(*x, *y, &mut |x, y| self.size(x, y));
                let gradient = before.either(*after);
                self.changed |= both != *x || gradient != *before;
                Payload::Tensor(both, gradient)
            }
            (Payload::Iterator(Iterator::Range { next, .. }), Payload::Iterator(Iterator::Range { .. })) => {
                self.range(*next, new)
            }
            (
                Payload::Iterator(Iterator::Items(items, from)),
                Payload::Iterator(Iterator::Items(same, to)),
            ) if from != to && Rc::ptr_eq(items, same) => self.any_of(items, new),
            (Payload::Iterator(Iterator::List(list, from)), Payload::Iterator(Iterator::List(same, to)))
                if from != to && list == same =>
            {
                let items = match &self.heap.get(*list).payload {
                    Payload::List(items) => items.clone(),
                    _ => Vec::new(),
                };
                self.any_of(&items, new)
            }
            (old, new) => {
                self.changed |= !is_same(old, new);
                new.clone()
            }
        }
    }

    /// Lists of different lengths: what their elements have in common is known, and how long they may be.
    fn lists(&mut self, old: &Payload, new: &Payload) -> Payload {
        let ((before, from), (after, to)) = (elements(old), elements(new));
        let mut element = self.heap.all_alike(before.iter().chain(after));
        let length = self.size(from, to);
        if let Payload::Many { element: known, .. } = old {
            self.changed |= element.as_ref().is_none_or(|element| !element.is(known));
        } else {
            self.changed = true;
        }
        match element.take() {
            Some(element) => Payload::Many { element, length },
            None => Payload::List(Vec::new()),
        }
    }

    /// A range that is walked through: its next number is on a line, or not known.
    fn range(&mut self, before: Dim, after: &Payload) -> Payload {
        let Payload::Iterator(Iterator::Range { next, stop, step, given, .. }) = *after else {
            return after.clone();
        };
        if next.id() == before.id() {
            return after.clone();
        }
        let iterator = match self.number(before, next) {
            Some(next) => Iterator::Range { next, stop, step, given, is_open: true },
            None => Iterator::Unknown(self.forgotten(Some(BuiltIn::Int)), given),
        };
        Payload::Iterator(iterator)
    }
    /// Something of known elements that is walked through: the next is any of them.
    fn any_of(&mut self, items: &[Value], payload: &Payload) -> Payload {
        self.changed = true;
        match self.heap.all_alike(items) {
            Some(element) if self.lines.is_some() => Payload::Iterator(Iterator::Unknown(element, ROUNDS)),
            _ => payload.clone(),
        }
    }
    fn number(&mut self, before: Dim, after: Dim) -> Option<Dim> {
        let number = self.lines.as_mut()?.number(before, after);
        self.changed |= number.is_none_or(|number| number.id() != before.id());
        number
    }
    fn size(&mut self, before: Dim, after: Dim) -> Dim {
        if before.id() == after.id() {
            return before;
        }
        if !is_any_size(before)
            && let Some(number) = self.number(before, after)
        {
            return number;
        }
        let both = sizes_alike(before, after);
        self.changed |= both.id() != before.id();
        both
    }
    fn forgotten(&mut self, kind: Option<BuiltIn>) -> Value {
        self.changed = true;
        let is_vague = self.lines.is_some();
        Value::Unknown(Rc::new(Unknown { reason: REASON.into(), kind, is_vague, ..Unknown::default() }))
    }

    fn value(&mut self, a: &Value, b: &Value, depth: usize) -> Value {
        if a.is(b) {
            return b.clone();
        }
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => match self.number(*x, *y) {
                Some(number) => Value::Int(number),
                None => self.forgotten(Some(BuiltIn::Int)),
            },
            (Value::Bool(_), Value::Bool(_)) => self.forgotten(Some(BuiltIn::Bool)),
            (Value::Float(_), Value::Float(_)) => self.forgotten(Some(BuiltIn::Float)),
            (Value::Text(_), Value::Text(_)) => self.forgotten(Some(BuiltIn::Text)),
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                let items = x.iter().zip(y.iter()).map(|(x, y)| self.value(x, y, depth));
                Value::Tuple(items.collect())
            }
            (Value::Unknown(x), _) if x.covers(b) => a.clone(),
            (Value::Unknown(x), Value::Unknown(y)) if x.kind == y.kind && !x.is_real && !y.is_real => {
                self.forgotten(x.kind)
            }
            _ if a.is_real() && b.is_real() => {
                self.changed = true;
                let is_vague = self.lines.is_some();
                a.either_real(b, REASON, is_vague).unwrap_or_else(|| b.clone())
            }
            // Made anew in every round: what is alike in both stays known.
            (Value::Object(x), Value::Object(y)) => match self.pairs.get(x) {
                Some(known) if known == y => b.clone(),
                Some(_) => self.forgotten(None),
                None if self.may_be_one(*x, *y, depth) => {
                    self.pairs.insert(*x, *y);
                    let object = self.object(*x, *y, depth + 1);
                    self.heap.put(*y, object);
                    b.clone()
                }
                None => self.forgotten(None),
            },
            (Value::Method(x), Value::Method(y)) if x.0.is(&y.0) => {
                Value::method(x.0.clone(), self.value(&x.1, &y.1, depth))
            }
            _ => self.forgotten(None),
        }
    }
    fn may_be_one(&self, x: Id, y: Id, depth: usize) -> bool {
        depth < DEEPEST
            && x.number() < self.earlier.len()
            && self.earlier.get(x).class == self.later.get(y).class
            && is_plain(&self.later.get(y).payload)
    }
}

/// What is in a list, or stands for it, and how long it is.
pub(super) fn elements(list: &Payload) -> (&[Value], Dim) {
    match list {
        Payload::List(items) => (items, items.len().into()),
        Payload::Many { element, length } => (std::slice::from_ref(element), *length),
        _ => (&[], 0.into()),
    }
}

fn is_plain(payload: &Payload) -> bool {
    matches!(
        payload,
        Payload::Plain
            | Payload::Tensor(..)
            | Payload::List(_)
            | Payload::Many { .. }
            | Payload::Opaque(_)
            | Payload::Dict(_)
            | Payload::Set(_)
            | Payload::Wrapped(_)
    )
}

/// Whether a generator stands at the same place of a statement.
fn stands_alike(x: &Block, y: &Block) -> bool {
    let same = |x: &Statement, y: &Statement| Rc::ptr_eq(&x.0, &y.0) && x.1 == y.1;
    match (x, y) {
        (Block::Body(x, a), Block::Body(y, b)) => Rc::ptr_eq(x, y) && a == b,
        (Block::While(x, a), Block::While(y, b)) => same(x, y) && a == b,
        (Block::For(x, a), Block::For(y, b)) => same(x, y) && a.is(b),
        (Block::With(x, a, v), Block::With(y, b, w)) => same(x, y) && a == b && v.is(w),
        (Block::Try(x, Phase::Body), Block::Try(y, Phase::Body)) => same(x, y),
        (Block::Delegate(x, a), Block::Delegate(y, b)) => x.is(y) && a == b,
        _ => false,
    }
}

/// Whether nothing has happened to what is neither a container nor a tensor.
fn is_same(old: &Payload, new: &Payload) -> bool {
    match (old, new) {
        (Payload::Plain, Payload::Plain)
        | (Payload::Scope { .. }, Payload::Scope { .. })
        | (Payload::Module { .. }, Payload::Module { .. })
        | (Payload::Property { .. }, Payload::Property { .. })
        | (Payload::Super { .. }, Payload::Super { .. }) => true,
        (Payload::Function(x), Payload::Function(y)) => Rc::ptr_eq(x, y),
        (Payload::Class(x), Payload::Class(y)) => Rc::ptr_eq(&x.order, &y.order) && x.is_open == y.is_open,
        (Payload::View(x, _), Payload::View(y, _)) => x == y,
        (Payload::StaticMethod(x), Payload::StaticMethod(y))
        | (Payload::ClassMethod(x), Payload::ClassMethod(y)) => x.is(y),
        (Payload::Generator(x), Payload::Generator(y)) => {
            x.state == y.state && x.blocks.len() == y.blocks.len() && {
                let mut blocks = x.blocks.iter().zip(&y.blocks);
                x.state == State::Done || blocks.all(|(x, y)| stands_alike(x, y))
            }
        }
        (Payload::Iterator(x), Payload::Iterator(y)) => match (x, y) {
            (Iterator::Items(x, a), Iterator::Items(y, b)) => Rc::ptr_eq(x, y) && a == b,
            (Iterator::List(x, a), Iterator::List(y, b)) => x == y && a == b,
            (Iterator::Range { next: x, .. }, Iterator::Range { next: y, .. }) => x.id() == y.id(),
            (Iterator::Indexed(_, x), Iterator::Indexed(_, y)) => x == y,
            (Iterator::Unknown(_, x), Iterator::Unknown(_, y)) => x == y,
            (Iterator::Pairs(_, _, x, _), Iterator::Pairs(_, _, y, _)) => x == y,
            (Iterator::Called(..), Iterator::Called(..)) => true,
            _ => false,
        },
        _ => false,
    }
}
