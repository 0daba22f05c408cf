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
pub(crate) fn find(facts: &Facts, goal: Prop, truth: bool, most_facts: usize, steps: usize) -> Option<Model> {
    let (connected, shapes) = written_out(facts, goal, most_facts)?;
    let open: Vec<ShapeVariable> = shapes
        .into_iter()
        .filter(|shape| shape.broadcast_of().is_none() && facts.substitution.rank(*shape).is_none())
        .collect();
    if open.is_empty() || open.len() > MOST_SHAPES {
        return None;
    }
    let ranges: Vec<_> = open.iter().map(|shape| facts.bounds.interval(shape.rank())).collect();
    let mut tried = 0;
    let mut steps_left = steps;
    for choice in 0..RANKS.len().pow(open.len() as u32) {
        let mut digits = choice;
        let mut chosen = Substitution::of_ranks(facts.substitution.ranks.clone());
        let mut allowed = true;
        for (shape, range) in open.iter().zip(&ranges) {
            let rank = RANKS[digits % RANKS.len()];
            digits /= RANKS.len();
            allowed &= range.contains(rank as i64);
            chosen.ranks.insert(*shape, rank);
        }
        if !allowed {
            continue;
        }
        tried += 1;
        if tried > MOST_CHOICES || steps_left == 0 || semantics::arena::is_used_up() {
            return None;
        }
        if let Some(mut model) = with_ranks(&chosen, &connected, goal, truth, &mut steps_left) {
            let ranks =
                open.iter().filter_map(|shape| Some((shape.rank().as_atom()?, chosen.ranks[shape] as i64)));
            model.integers.splice(0..0, ranks);
            return Some(model);
        }
    }
    None
}

/// The facts connected with the goal, and the shapes they are about. What was solved for a shape is stated
/// again, since a chosen rank makes one of sizes counted from the front and from the back.
fn written_out(facts: &Facts, goal: Prop, most_facts: usize) -> Option<(Vec<Prop>, Vec<ShapeVariable>)> {
    let mut solved: Vec<Prop> = Vec::new();
    loop {
        let question = Prop::all(solved.iter().copied().chain([goal]));
        let (mut connected, complete) = facts.connected(question, most_facts);
        if !complete {
            return None;
        }
        let mut shapes: Vec<ShapeVariable> = Vec::new();
        for prop in connected.iter().copied().chain([question]) {
            for unknown in unknowns(prop) {
                if let Unknown::Shape(shape) = unknown
                    && !shapes.contains(&shape)
                {
                    shapes.push(shape);
                }
            }
        }
        let now = facts.solved_of_shapes(&shapes);
        if now.len() == solved.len() {
            connected.extend(solved);
            return Some((connected, shapes));
        }
        solved = now;
    }
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
    let model = search::find(&Problem::new(&facts, goal, chosen), &theory, truth, &mut share);
    *steps += share;
    model
}
