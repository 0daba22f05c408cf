//! Cores clash, and nothing can be left out of them.

mod support;

use semantics::arena;
use semantics::dim::{Dim, UNBOUNDED};
use semantics::prop::Prop;
use semantics::shape::Shape;
use solver::{Context, Limits};
use support::{Bool, Rng, Source, for_all};

#[test]
fn a_core_names_the_facts_that_clash() {
    arena::scope(|| {
        let (n, h, w) =
            (Dim::symbol("N", 1, UNBOUNDED), Dim::symbol("H", 1, UNBOUNDED), Dim::symbol("W", 1, UNBOUNDED));
        let mut context = Context::new(Limits::default());
        context.assume_labelled(n.le(64), 1);
        context.assume_labelled(h.eq(w), 2);
        context.assume_labelled(w.ge(5), 3);
        context.assume_labelled(h.modulo(2).eq(0), 4);
        assert_eq!(context.core(h.eq(3)), Some(vec![4]));
        assert_eq!(context.core(h.le(4)), Some(vec![2, 3]));
        assert_eq!(context.core(n.ge(65)), Some(vec![1]));
        assert_eq!(context.core(h.eq(8)), None);
        assert_eq!(context.core(n.eq(0)), Some(vec![]));
        assert_eq!(context.stats().questions(), 0);
    });
}

#[test]
fn two_ranks_of_one_tensor_clash() {
    arena::scope(|| {
        let s = Shape::unknown("s");
        let mut context = Context::new(Limits::default());
        context.assume_labelled(Shape::unknown("t").rank().eq(2), 1);
        context.assume_labelled(s.rank().eq(4), 2);
        context.assume_labelled(s.rank().ge(3), 3);
        assert_eq!(context.core(s.rank().eq(3)), Some(vec![2]));
        assert_eq!(context.core(s.rank().eq(2)).map(|core| core.len()), Some(1));
    });
}

#[test]
fn contradictory_facts_have_a_core_without_a_goal() {
    arena::scope(|| {
        let n = Dim::symbol("N", 0, UNBOUNDED);
        let mut context = Context::new(Limits::default());
        context.assume_labelled(n.ge(1), 7);
        context.assume_labelled(n.ge(4), 8);
        context.assume_labelled(n.le(3), 9);
        assert!(context.is_contradictory());
        assert_eq!(context.core(true.into()), Some(vec![8, 9]));
    });
}

/// Random clashes: by enumeration the core has no model, and without any one of its facts it has one.
#[test]
fn random_cores_are_minimal() {
    let mut cores = 0;
    for seed in 0..1500 {
        let symbols = 2;
        let mut source = Source { rng: Rng(seed), symbols, free: 0 };
        let ranges: Vec<(i64, i64)> = (0..symbols).map(|_| (0, source.rng.between(3, 9))).collect();
        let facts: Vec<Bool> = (0..6).map(|_| source.bool(0)).collect();
        let goal = source.bool(0);
        let core = arena::scope(|| {
            let dims: Vec<Dim> = ranges.iter().map(|&(low, high)| Dim::symbol("x", low, high)).collect();
            let mut context = Context::new(Limits::default());
            for (tag, fact) in facts.iter().enumerate() {
                context.assume_labelled(fact.build(&dims, &[]), tag as u32);
            }
            let prop: Prop = goal.build(&dims, &[]);
            context.core(prop)
        });
        let Some(core) = core else { continue };
        let has_model = |tags: &[u32]| {
            let mut found = false;
            for_all(&ranges, 0, &mut |values, _| {
                found |=
                    goal.truth(values, &[]) && tags.iter().all(|&tag| facts[tag as usize].truth(values, &[]));
            });
            found
        };
        assert!(!has_model(&core), "seed {seed}: {core:?} has a model");
        for left_out in 0..core.len() {
            let rest: Vec<u32> = core.iter().copied().filter(|&tag| tag != core[left_out]).collect();
            assert!(has_model(&rest), "seed {seed}: {core:?} is not minimal");
        }
        cores += usize::from(core.len() > 1);
    }
    println!("{cores} cores of two facts or more");
    assert!(cores > 50);
}
