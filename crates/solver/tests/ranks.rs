//! Random statements about shapes of unknown rank, compared with small shapes one by one.

mod support;

use semantics::arena;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::Prop;
use semantics::shape::{PieceView, Shape, ShapeVariable, Slot};
use solver::{Context, Limits, Model, Verdict};
use support::Rng;

#[derive(Clone, Debug)]
enum Say {
    Rank(usize, i64),
    RankAtLeast(usize, i64),
    SameRank,
    Size(usize, Slot, i64),
    SizesEqual(Slot, Slot),
    Count(usize, i64),
    SameCount,
    Same,
    SameAs(usize, Vec<i64>),
    Broadcast,
    BroadcastWith(usize, Vec<i64>),
    BroadcastRank(i64),
    Not(Box<Say>),
    Or(Box<Say>, Box<Say>),
}

fn slot(rng: &mut Rng) -> Slot {
    let k = rng.below(3) as u32;
    if rng.below(2) == 0 { Slot::Front(k) } else { Slot::Back(k) }
}
fn say(rng: &mut Rng, depth: u32) -> Say {
    let which = rng.below(2) as usize;
    let sizes = |rng: &mut Rng| (0..rng.below(3)).map(|_| rng.between(1, 3)).collect();
    match rng.below(if depth == 0 { 12 } else { 15 }) {
        0 => Say::Rank(which, rng.between(0, 3)),
        1 => Say::RankAtLeast(which, rng.between(0, 3)),
        2 => Say::SameRank,
        3 | 4 => Say::Size(which, slot(rng), rng.between(1, 3)),
        5 => Say::SizesEqual(slot(rng), slot(rng)),
        6 => Say::Count(which, rng.between(1, 6)),
        7 => Say::SameCount,
        8 => Say::Same,
        9 => Say::SameAs(which, sizes(rng)),
        10 => Say::Broadcast,
        11 => Say::BroadcastWith(which, sizes(rng)),
        12 => Say::BroadcastRank(rng.between(0, 3)),
        13 => Say::Not(Box::new(say(rng, depth - 1))),
        _ => Say::Or(Box::new(say(rng, depth - 1)), Box::new(say(rng, depth - 1))),
    }
}

fn known(sizes: &[i64]) -> Shape {
    Shape::new(sizes.iter().map(|&size| size.into()))
}
fn at(shape: &[i64], slot: Slot) -> Option<i64> {
    match slot {
        Slot::Front(k) => shape.get(k as usize).copied(),
        Slot::Back(k) => shape.len().checked_sub(k as usize + 1).map(|k| shape[k]),
    }
}
fn broadcasts(a: &[i64], b: &[i64]) -> bool {
    a.iter().rev().zip(b.iter().rev()).all(|(x, y)| x == y || *x == 1 || *y == 1)
}

impl Say {
    /// Asking for a size states that it is there, as operators do.
    fn build(&self, shapes: &[Shape; 2], both: Shape) -> Prop {
        let size = |which: usize, slot: Slot| {
            let needed = match slot {
                Slot::Front(k) | Slot::Back(k) => i64::from(k) + 1,
            };
            (shapes[which].rank().ge(needed), shapes[which].size(slot))
        };
        match self {
            Say::Rank(which, rank) => shapes[*which].rank().eq(*rank),
            Say::RankAtLeast(which, rank) => shapes[*which].rank().ge(*rank),
            Say::SameRank => shapes[0].rank().eq(shapes[1].rank()),
            Say::Size(which, slot, value) => {
                let (there, size) = size(*which, *slot);
                there & size.eq(*value)
            }
            Say::SizesEqual(a, b) => {
                let ((first, x), (second, y)) = (size(0, *a), size(1, *b));
                first & second & x.eq(y)
            }
            Say::Count(which, count) => shapes[*which].count().eq(*count),
            Say::SameCount => shapes[0].count().eq(shapes[1].count()),
            Say::Same => shapes[0].same(shapes[1]),
            Say::SameAs(which, sizes) => shapes[*which].same(known(sizes)),
            Say::Broadcast => shapes[0].broadcast(shapes[1]).1,
            Say::BroadcastWith(which, sizes) => shapes[*which].broadcast(known(sizes)).1,
            Say::BroadcastRank(rank) => both.rank().eq(*rank),
            Say::Not(inner) => !inner.build(shapes, both),
            Say::Or(a, b) => a.build(shapes, both) | b.build(shapes, both),
        }
    }
    fn truth(&self, shapes: [&[i64]; 2]) -> bool {
        let count = |which: usize| shapes[which].iter().product::<i64>();
        match self {
            Say::Rank(which, rank) => shapes[*which].len() as i64 == *rank,
            Say::RankAtLeast(which, rank) => shapes[*which].len() as i64 >= *rank,
            Say::SameRank => shapes[0].len() == shapes[1].len(),
            Say::Size(which, slot, value) => at(shapes[*which], *slot) == Some(*value),
            Say::SizesEqual(a, b) => at(shapes[0], *a).is_some() && at(shapes[0], *a) == at(shapes[1], *b),
            Say::Count(which, expected) => count(*which) == *expected,
            Say::SameCount => count(0) == count(1),
            Say::Same => shapes[0] == shapes[1],
            Say::SameAs(which, sizes) => shapes[*which] == sizes.as_slice(),
            Say::Broadcast => broadcasts(shapes[0], shapes[1]),
            Say::BroadcastWith(which, sizes) => broadcasts(shapes[*which], sizes),
            Say::BroadcastRank(rank) => shapes[0].len().max(shapes[1].len()) as i64 == *rank,
            Say::Not(inner) => !inner.truth(shapes),
            Say::Or(a, b) => a.truth(shapes) || b.truth(shapes),
        }
    }
}

fn small_shapes() -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    let mut last: Vec<Vec<i64>> = vec![vec![]];
    for _ in 0..3 {
        last =
            last.iter().flat_map(|shape| (0..4).map(|size| [shape.as_slice(), &[size]].concat())).collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn variable(shape: Shape) -> ShapeVariable {
    match shape.pieces()[0] {
        PieceView::Stretch { variable, .. } => variable,
        PieceView::Size(_) => unreachable!("the shape is unknown"),
    }
}

/// The shape that a model gives, if it mentions it; sizes it does not mention are 1.
fn in_model(model: &Model, context: &Context, shape: ShapeVariable) -> Option<Vec<i64>> {
    let about = |atom: &AtomId| match atom.view() {
        AtomView::Rank(other) | AtomView::Size(other, _) => other == shape,
        _ => false,
    };
    model.integers.iter().find(|(atom, _)| about(atom))?;
    let mut rank = context.known_rank(shape);
    for (atom, value) in &model.integers {
        if matches!(atom.view(), AtomView::Rank(other) if other == shape) {
            rank = usize::try_from(*value).ok();
        }
    }
    let value = |dim: Dim| dim.as_atom().and_then(|atom| model.value(atom));
    let size = |k: usize| {
        let front = shape.size(Slot::Front(k as u32));
        let derived = || context.simplify(front).evaluate(&mut |atom| model.value(atom));
        value(front).or_else(derived).unwrap_or(1)
    };
    Some((0..rank?).map(size).collect())
}

#[test]
fn verdicts_agree_with_small_shapes() {
    let shapes = small_shapes();
    let (mut unknown, mut checked) = (0, 0);
    let total = 3000;
    for seed in 0..total {
        let mut rng = Rng(seed);
        let facts: Vec<Say> = (0..rng.below(4)).map(|_| say(&mut rng, 1)).collect();
        let goal = say(&mut rng, 1);
        let (mut can_hold, mut can_fail) = (false, false);
        for s in &shapes {
            for t in &shapes {
                if facts.iter().all(|fact| fact.truth([s, t])) {
                    if goal.truth([s, t]) { can_hold = true } else { can_fail = true }
                }
            }
        }
        arena::scope(|| {
            let pair = [Shape::unknown("s"), Shape::unknown("t")];
            let both = pair[0].broadcast(pair[1]).0;
            let mut context = Context::new(Limits::default());
            facts.iter().for_each(|fact| context.assume(fact.build(&pair, both)));
            let prop = goal.build(&pair, both);
            let told = || format!("seed {seed}: {facts:?} |- {goal:?}");
            let mut check = |model: &Model, truth: bool| {
                let of = |shape: Shape| in_model(model, &context, variable(shape));
                if let (Some(s), Some(t)) = (of(pair[0]), of(pair[1])) {
                    checked += 1;
                    assert!(
                        facts.iter().all(|fact| fact.truth([&s, &t])),
                        "{model}: {s:?} {t:?}\n{}",
                        told()
                    );
                    assert_eq!(goal.truth([&s, &t]), truth, "{model}: {s:?} {t:?}\n{}", told());
                }
            };
            let verdict = context.clone().decide(prop);
            match verdict {
                Verdict::Holds => assert!(!can_fail, "holds\n{}", told()),
                Verdict::Fails => assert!(!can_hold, "fails\n{}", told()),
                Verdict::Depends { witness, example } => {
                    // Facts that are not connected with the goal may contradict each other.
                    if can_hold || can_fail {
                        check(&witness, false);
                        example.iter().for_each(|example| check(example, true));
                    }
                }
                Verdict::Unknown { .. } => unknown += 1,
            }
            if context.is_contradictory() {
                assert!(!can_hold && !can_fail, "contradictory\n{}", told());
            }
        });
    }
    println!("{unknown} of {total} unknown, {checked} models checked");
    assert!(checked > 1000);
}
