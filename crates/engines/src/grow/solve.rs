//! Solving for the numbers of a call: they are left as symbols, so the call's own requirements are the question.
//!
//! Numbers are few and small here, so the requirements are compiled once and evaluated at many points: one number
//! at a time goes where the fewest requirements are broken.

use super::arguments::{LOWEST, NUMBERS};
use super::sketch::{Draft, Sketch};
use crate::draw::Draw;
use program::ir::Given;
use semantics::arena;
use semantics::call::Argument;
use semantics::dim::{AtomId, Dim};
use semantics::operator::ParameterKind;
use smallvec::SmallVec;
use solver::{Compiled, Point};

/// How often one number is moved.
const MOVES: usize = 40;

/// The arguments with other numbers, such that every requirement holds and no result has more than `most`
/// elements. `None` if there are none to be found, or the definition cannot go on without knowing a number.
pub(super) fn solved(
    sketch: &Sketch,
    draft: &Draft,
    given: &[Option<Given>],
    most: i64,
    draw: &mut Draw,
) -> Option<Vec<Option<Given>>> {
    arena::scope(|| {
        let mut call = sketch.put_together(draft, given);
        let mut symbols: SmallVec<[(AtomId, i64); 16]> = SmallVec::new();
        let mut open = |number: &mut Dim| {
            let symbol = Dim::symbol("n", LOWEST, LOWEST + NUMBERS as i64 - 1);
            symbols.extend(symbol.as_atom().zip(number.known()));
            *number = symbol;
        };
        let flags = |slot: usize| matches!(call.operator.parameters[slot].kind, ParameterKind::Flag);
        let integers: Vec<usize> = (0..given.len()).filter(|&slot| !flags(slot)).collect();
        for slot in integers {
            match &mut call.arguments[slot] {
                Some(Argument::Int(number)) => open(number),
                Some(Argument::Ints(numbers)) => numbers.iter_mut().for_each(&mut open),
                _ => {}
            }
        }
        let outputs = call.run(call.operator.define).ok()?;
        let mut compiled = Compiled::default();
        let binding = call.requirements.iter().filter(|requirement| requirement.category.binds());
        let legal = outputs.iter().map(|output| output.shape().count().le(most));
        let count =
            binding.map(|requirement| requirement.prop).chain(legal).map(|prop| compiled.add(prop)).count();
        // Which of our numbers each unknown is: an unknown of another kind cannot be chosen.
        let places: Option<SmallVec<[usize; 16]>> = compiled
            .leaves
            .iter()
            .map(|leaf| symbols.iter().position(|(symbol, _)| symbol == leaf))
            .collect();
        let places = places.filter(|_| !compiled.opaque && compiled.free.is_empty())?;
        let mut values: SmallVec<[i64; 16]> = symbols.iter().map(|(_, value)| *value).collect();
        let mut point = compiled.point();
        for (leaf, &place) in places.iter().enumerate() {
            point.leaves[leaf] = values[place].clamp(LOWEST, LOWEST + NUMBERS as i64 - 1);
        }
        descend(&compiled, count, &mut point, draw)?;
        for (leaf, &place) in places.iter().enumerate() {
            values[place] = point.leaves[leaf];
        }
        let mut values = values.into_iter();
        let filled = given.iter().enumerate().map(|(slot, given)| {
            let is_flag = matches!(call.operator.parameters[slot].kind, ParameterKind::Flag);
            match given {
                Some(Given::Int(_)) if !is_flag => values.next().map(|value| Some(Given::Int(value))),
                Some(Given::Ints(old)) => {
                    Some(Some(Given::Ints(old.iter().map(|_| values.next()).collect::<Option<_>>()?)))
                }
                other => Some(other.clone()),
            }
        });
        filled.collect()
    })
}

/// Moves numbers until no statement is broken.
fn descend(compiled: &Compiled, statements: usize, point: &mut Point, draw: &mut Draw) -> Option<()> {
    let broken = |point: &mut Point| {
        compiled.evaluate(point);
        (0..statements).filter(|&statement| compiled.holds(statement, point) != Some(true)).count()
    };
    let mut now = broken(point);
    for _ in 0..MOVES {
        if now == 0 {
            return Some(());
        }
        if point.leaves.is_empty() {
            return None;
        }
        let leaf = draw.below(point.leaves.len());
        let start = draw.below(NUMBERS) as i64;
        let mut best = (now, point.leaves[leaf]);
        for step in 0..NUMBERS as i64 {
            let value = LOWEST + (start + step) % NUMBERS as i64;
            point.leaves[leaf] = value;
            let count = broken(point);
            // Moving on where nothing is lost leaves dead ends.
            if count <= best.0 {
                best = (count, value);
            }
        }
        (now, point.leaves[leaf]) = best;
    }
    (now == 0).then_some(())
}
