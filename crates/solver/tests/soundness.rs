//! Random contexts and goals, compared with exhaustive enumeration.

mod support;

use semantics::arena;
use semantics::dim::Dim;
use semantics::prop::Prop;
use solver::{Consistency, Context, Limits, Model, Stats, Verdict};
use support::{Bool, Rng, Source, for_all};

struct Case {
    ranges: Vec<(i64, i64)>,
    free: usize,
    facts: Vec<Bool>,
    goal: Bool,
}

fn case(seed: u64) -> Case {
    let mut rng = Rng(seed);
    let symbols = 1 + rng.below(3) as usize;
    let ranges = (0..symbols)
        .map(|_| {
            let low = rng.between(-2, 3);
            (low, low + rng.between(1, if symbols == 3 { 6 } else { 12 }))
        })
        .collect();
    let free = rng.below(2) as usize;
    let mut source = Source { rng, symbols, free };
    let facts = (0..source.rng.below(4)).map(|_| source.bool(1)).collect();
    Case { ranges, free, facts, goal: source.bool(2) }
}

/// Asks the solver and compares; the statistics of the context are added up.
fn check(seed: u64, limits: &Limits, total: &mut Stats) {
    let Case { ranges, free, facts, goal } = case(seed);
    let (mut can_hold, mut can_fail) = (false, false);
    for_all(&ranges, free, &mut |values, truths| {
        if facts.iter().all(|fact| fact.truth(values, truths)) {
            if goal.truth(values, truths) { can_hold = true } else { can_fail = true }
        }
    });
    arena::scope(|| {
        let symbols: Vec<Dim> = ranges
            .iter()
            .enumerate()
            .map(|(k, &(low, high))| Dim::symbol(["x", "y", "z"][k], low, high))
            .collect();
        let frees: Vec<Prop> = (0..free).map(|_| Prop::unknown("the run tells")).collect();
        let mut context = Context::new(limits.clone());
        for fact in &facts {
            context.assume(fact.build(&symbols, &frees));
        }
        let prop = goal.build(&symbols, &frees);
        let told = || {
            format!(
                "seed {seed}: {facts:?}\n|- {goal:?}\nas {prop} in {ranges:?}: holds {can_hold} fails {can_fail}"
            )
        };
        let check_model = |model: &Model, truth: bool| {
            let values: Vec<i64> = symbols
                .iter()
                .zip(&ranges)
                .map(|(symbol, range)| {
                    let solved = symbol.as_atom().and_then(|atom| model.value(atom));
                    solved.unwrap_or(range.0)
                })
                .collect();
            // Unknowns that the context solved for are not in the model: look at the rest only if complete.
            let complete =
                symbols.iter().all(|s| s.as_atom().is_some_and(|atom| model.value(atom).is_some()));
            if complete && free == 0 {
                assert!(
                    facts.iter().all(|fact| fact.truth(&values, &[])),
                    "{model} breaks a fact\n{}",
                    told()
                );
                assert_eq!(goal.truth(&values, &[]), truth, "{model}\n{}", told());
            }
        };
        match context.decide(prop) {
            Verdict::Holds => assert!(!can_fail, "holds\n{}", told()),
            Verdict::Fails => assert!(!can_hold, "fails\n{}", told()),
            // Contradictory facts that share no unknown with the goal are not looked at.
            Verdict::Depends { .. } if !can_hold && !can_fail => {}
            Verdict::Depends { witness, example } => {
                assert!(can_fail, "has witness {witness}\n{}", told());
                check_model(&witness, false);
                if let Some(example) = example {
                    assert!(can_hold, "has example {example}\n{}", told());
                    check_model(&example, true);
                }
            }
            Verdict::Unknown { .. } => {}
        }
        match context.consistency() {
            Consistency::Contradictory => assert!(!can_hold && !can_fail, "contradictory\n{}", told()),
            Consistency::Consistent(_) => assert!(can_hold || can_fail, "consistent\n{}", told()),
            Consistency::Unknown { .. } => {}
        }
        let stats = context.stats();
        total.folded += stats.folded;
        total.remembered += stats.remembered;
        total.equalities += stats.equalities;
        total.intervals += stats.intervals;
        total.propagation += stats.propagation;
        total.linear += stats.linear;
        total.cases += stats.cases;
        total.search += stats.search;
        total.enumeration += stats.enumeration;
        total.unknown += stats.unknown;
    });
}

fn cases() -> u64 {
    std::env::var("TENSORVET_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(8000)
}

#[test]
fn verdicts_agree_with_enumeration() {
    let mut total = Stats::default();
    for seed in 0..cases() {
        check(seed, &Limits::default(), &mut total);
    }
    println!("{total:?}");
    assert!(total.unknown * 50 < total.questions(), "{total:?}");
}

/// The same without trying all assignments, so that the proofs are tested and not the enumeration.
#[test]
fn proofs_agree_with_enumeration() {
    let limits = Limits { evaluations: 0, ..Limits::default() };
    let mut total = Stats::default();
    for seed in 0..cases() {
        check(seed.wrapping_mul(0x5851_f42d), &limits, &mut total);
    }
    println!("{total:?}");
}
