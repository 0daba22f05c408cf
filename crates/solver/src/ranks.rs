//! Models of statements about shapes of unknown rank: ranks are chosen first, small ones, and everything
//! is written out in sizes.

use crate::facts::Facts;
use crate::mentions::{Unknown, unknowns};
use crate::problem::Problem;
use crate::rewrite::Substitution;
use crate::search;
use crate::theory::Theory;
use crate::verdict::Model;
use semantics::prop::Prop;
use semantics::shape::ShapeVariable;

/// Ranks in the order they are tried.
const RANKS: [usize; 7] = [2, 1, 3, 4, 0, 5, 6];
const MOST_SHAPES: usize = 4;
const MOST_CHOICES: usize = 60;

/// A model of the facts in which the goal has the given truth.
pub(crate) fn find(
    facts: &Facts,
    connected: &[Prop],
    goal: Prop,
    truth: bool,
    steps: usize,
) -> Option<Model> {
    let mut shapes: Vec<ShapeVariable> = Vec::new();
    for prop in connected.iter().copied().chain([goal]) {
        for unknown in unknowns(prop) {
            if let Unknown::Shape(shape) = unknown
                && shape.broadcast_of().is_none()
                && facts.substitution.rank(shape).is_none()
                && !shapes.contains(&shape)
            {
                shapes.push(shape);
            }
        }
    }
    if shapes.is_empty() || shapes.len() > MOST_SHAPES {
        return None;
    }
    let ranges: Vec<_> = shapes.iter().map(|shape| facts.interval(shape.rank())).collect();
    let choices = RANKS.len().pow(shapes.len() as u32);
    let mut tried = 0;
    let mut steps_left = steps;
    for choice in 0..choices {
        let mut digits = choice;
        let mut chosen = Substitution::default();
        let mut allowed = true;
        for (shape, range) in shapes.iter().zip(&ranges) {
            let rank = RANKS[digits % RANKS.len()];
            digits /= RANKS.len();
            allowed &= range.contains(rank as i64);
            chosen.ranks.insert(*shape, rank);
        }
        if !allowed {
            continue;
        }
        tried += 1;
        if tried > MOST_CHOICES || steps_left == 0 {
            return None;
        }
        if let Some(mut model) = with_ranks(&chosen, connected, goal, truth, &mut steps_left) {
            let ranks =
                shapes.iter().filter_map(|shape| Some((shape.rank().as_atom()?, chosen.ranks[shape] as i64)));
            model.integers.splice(0..0, ranks);
            return Some(model);
        }
    }
    None
}

fn with_ranks(
    chosen: &Substitution,
    connected: &[Prop],
    goal: Prop,
    truth: bool,
    steps: &mut usize,
) -> Option<Model> {
    let mut theory = Theory::default();
    let mut facts = Vec::with_capacity(connected.len());
    for &fact in connected {
        let fact = chosen.prop(fact);
        if fact.known() == Some(false) {
            return None;
        }
        facts.push(fact);
        theory.assert_prop(fact, true).ok()?;
    }
    let goal = chosen.prop(goal);
    theory.assert_prop(goal, truth).ok()?;
    theory.propagate().ok()?;
    let mut share = (*steps).min(40);
    *steps -= share;
    let model = search::find(&Problem::new(&facts, goal), &theory, truth, &mut share);
    *steps += share;
    model
}
