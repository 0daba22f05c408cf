//! The facts of one path, indexed by what they are about, with equations solved as they come.

use crate::bounds::Bounds;
use crate::mentions::{self, Unknown, unknowns};
use crate::rewrite::Substitution;
use crate::shapes::consequences;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropId, PropView};
use semantics::shape::ShapeVariable;
use std::collections::VecDeque;
use std::rc::Rc;

/// Rewriting stops here, in case equations chase each other.
const MOST_STEPS: usize = 20_000;

#[derive(Clone, Default)]
pub(crate) struct Facts {
    /// What was assumed, as it was assumed.
    pub(crate) assumed: Vec<(Prop, Option<u32>)>,
    /// In terms of unknowns that are not solved; `None` where a fact was rewritten into others.
    open: Vec<Option<Fact>>,
    index: FxHashMap<Unknown, Vec<u32>>,
    pub(crate) substitution: Substitution,
    /// Solved unknowns by what their values mention.
    solved_by_mention: FxHashMap<Unknown, Vec<AtomId>>,
    pub(crate) bounds: Bounds,
    /// What was stated, as it was stated and as it was rewritten.
    pub(crate) stated: FxHashSet<PropId>,
    pub(crate) contradictory: bool,
    /// Equalities of shapes whose consequences are drawn.
    expanded: FxHashSet<PropId>,
}

#[derive(Clone)]
struct Fact {
    prop: Prop,
    unknowns: Rc<[Unknown]>,
}

impl Facts {
    pub(crate) fn add(&mut self, prop: Prop) {
        if !self.stated.insert(prop.id()) {
            return;
        }
        let mut work = vec![prop];
        let mut steps = 0;
        while let Some(prop) = work.pop() {
            if self.contradictory {
                return;
            }
            steps += 1;
            if steps > MOST_STEPS {
                // Kept as it is: nothing is lost but the consequences.
                self.store(prop);
                continue;
            }
            let prop = gathered(self.substitution.prop(prop));
            if let PropView::Equal(a, b) = prop.view()
                && prop.known().is_none()
                && let Some((leaf, value)) = solvable(a - b)
            {
                self.solve(leaf, value, &mut work);
                continue;
            }
            match self.bounds.truth(prop) {
                Some(true) => continue,
                Some(false) => {
                    self.contradictory = true;
                    return;
                }
                None => {}
            }
            match prop.view() {
                PropView::And(inner) => {
                    work.extend(inner);
                    continue;
                }
                PropView::SameShape(a, b) if self.expanded.insert(prop.id()) => {
                    work.push(prop);
                    work.extend(consequences(a, b));
                    continue;
                }
                _ => {}
            }
            if let Some(exact) = self.note_bound(prop) {
                work.push(exact);
            }
            self.store(prop);
        }
    }

    fn store(&mut self, prop: Prop) {
        self.stated.insert(prop.id());
        let number = self.open.len() as u32;
        let unknowns: Rc<[Unknown]> = unknowns(prop).into();
        for unknown in unknowns.iter() {
            self.index.entry(*unknown).or_default().push(number);
        }
        self.open.push(Some(Fact { prop, unknowns }));
    }

    /// Replaces a leaf by its value everywhere. What has to be looked at again goes to `work`.
    fn solve(&mut self, leaf: AtomId, value: Dim, work: &mut Vec<Prop>) {
        let Some(about) = Unknown::of_leaf(leaf) else { return };
        if let AtomView::Rank(shape) = leaf.view()
            && let Some(rank) = value.known()
        {
            match usize::try_from(rank) {
                Ok(rank) => self.substitution.ranks.insert(shape, rank),
                Err(_) => {
                    self.contradictory = true;
                    return;
                }
            };
            // Sizes counted from the back now have a number from the front: state them again.
            let again: Vec<AtomId> = self
                .substitution
                .solved
                .keys()
                .copied()
                .filter(|atom| {
                    matches!(atom.view(),
                        AtomView::Size(other, _) | AtomView::Count(other, ..) if other == shape)
                })
                .collect();
            for atom in again {
                if let Some(value) = self.substitution.solved.remove(&atom) {
                    work.push(atom.dim().eq(value));
                }
            }
        }
        let known = self.bounds.of_atom(leaf);
        if known.low != i64::MIN {
            work.push(value.ge(known.low));
        }
        if known.high != i64::MAX {
            work.push(value.le(known.high));
        }
        self.substitution.solved.insert(leaf, value);
        mentions::of_dim(value, &mut |unknown| {
            self.solved_by_mention.entry(unknown).or_default().push(leaf);
        });
        // Values and facts that mention the leaf.
        for solved in self.solved_by_mention.remove(&about).unwrap_or_default() {
            let Some(&old) = self.substitution.solved.get(&solved) else { continue };
            let new = self.substitution.dim(old);
            if new.id() == old.id() {
                self.solved_by_mention.entry(about).or_default().push(solved);
                continue;
            }
            if matches!(solved.view(), AtomView::Rank(_)) && new.known().is_some() {
                self.substitution.solved.remove(&solved);
                work.push(solved.dim().eq(new));
                continue;
            }
            self.substitution.solved.insert(solved, new);
            mentions::of_dim(new, &mut |unknown| {
                self.solved_by_mention.entry(unknown).or_default().push(solved);
            });
        }
        for number in self.index.remove(&about).unwrap_or_default() {
            let Some(slot) = self.open.get_mut(number as usize) else { continue };
            let Some(fact) = slot else { continue };
            if self.substitution.prop(fact.prop).id() == fact.prop.id() {
                self.index.entry(about).or_default().push(number);
            } else {
                work.push(fact.prop);
                *slot = None;
            }
        }
    }

    /// Notes a statement about a single atom. If it leaves an unknown one value, the result says so.
    fn note_bound(&mut self, prop: Prop) -> Option<Prop> {
        let atom = self.bounds.note(prop)?;
        let value = self.bounds.of_atom(atom).value()?;
        (Unknown::of_leaf(atom).is_some() && matches!(prop.view(), PropView::AtMost(..)))
            .then(|| atom.dim().eq(value))
    }

    /// The solved sizes, ranks and counts of the given shapes, stated again.
    pub(crate) fn solved_of_shapes(&self, shapes: &[ShapeVariable]) -> Vec<Prop> {
        let of_them = |atom: &AtomId| match atom.view() {
            AtomView::Rank(shape) | AtomView::Size(shape, _) | AtomView::Count(shape, ..) => {
                shapes.contains(&shape)
            }
            _ => false,
        };
        let solved = self.substitution.solved.iter().filter(|(atom, _)| of_them(atom));
        let mut props: Vec<Prop> = solved.map(|(atom, value)| atom.dim().eq(*value)).collect();
        props.sort_by_key(|prop| prop.id());
        props
    }
    /// The facts connected with a statement through shared unknowns, nearest first, and whether that is all.
    pub(crate) fn connected(&self, prop: Prop, most: usize) -> (Vec<Prop>, bool) {
        let mut facts = Vec::new();
        let mut queue: VecDeque<Unknown> = unknowns(prop).into();
        let mut seen: FxHashSet<Unknown> = queue.iter().copied().collect();
        let mut taken: FxHashSet<u32> = FxHashSet::default();
        while let Some(unknown) = queue.pop_front() {
            for &number in self.index.get(&unknown).map_or(&[][..], Vec::as_slice) {
                let Some(fact) = self.open.get(number as usize).and_then(Option::as_ref) else { continue };
                if !taken.insert(number) {
                    continue;
                }
                if facts.len() == most {
                    return (facts, false);
                }
                facts.push(fact.prop);
                queue.extend(fact.unknowns.iter().copied().filter(|unknown| seen.insert(*unknown)));
            }
        }
        (facts, true)
    }
    /// Facts that are not rewritten away, from the given number on, and how many numbers there are.
    pub(crate) fn open_from(&self, first: usize) -> (Vec<Prop>, usize) {
        let facts = self.open.iter().skip(first).flatten().map(|fact| fact.prop).collect();
        (facts, self.open.len())
    }
}

/// Everything on one side, so that unknowns which cancel are not mentioned.
fn gathered(prop: Prop) -> Prop {
    match prop.view() {
        PropView::Equal(a, b) if b.known() != Some(0) => (a - b).eq(0),
        PropView::AtMost(a, b) if a.known() != Some(0) => (b - a).ge(0),
        _ => prop,
    }
}

/// A leaf with coefficient one that occurs nowhere else in `difference = 0`, and what it equals.
/// Derived quantities go before symbols, later symbols before earlier ones.
fn solvable(difference: Dim) -> Option<(AtomId, Dim)> {
    let normal = difference.terms();
    let order = |atom: AtomId| match atom.view() {
        AtomView::Rank(_) => Some(5),
        AtomView::Count(..) => Some(4),
        AtomView::Value(_) => Some(3),
        AtomView::Size(..) => Some(2),
        AtomView::Symbol(_) => Some(1),
        _ => None,
    };
    let mut candidates: Vec<(i32, AtomId, i64)> = normal
        .terms
        .iter()
        .filter(|(coefficient, atoms)| atoms.len() == 1 && matches!(coefficient, 1 | -1))
        .filter_map(|(coefficient, atoms)| Some((order(atoms[0])?, atoms[0], *coefficient)))
        .collect();
    candidates.sort_unstable_by(|a, b| b.cmp(a));
    candidates.into_iter().find_map(|(_, leaf, coefficient)| {
        let rest = difference - leaf.dim() * coefficient;
        let value = rest * -coefficient;
        let mut elsewhere = false;
        let about = Unknown::of_leaf(leaf);
        mentions::of_dim(value, &mut |unknown| elsewhere |= Some(unknown) == about);
        (!elsewhere).then_some((leaf, value))
    })
}
