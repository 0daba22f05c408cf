//! Random contexts and goals, compared with exhaustive enumeration.

mod support;

use semantics::arena;
use semantics::dim::{Dim, UNBOUNDED};
use semantics::prop::Prop;
use solver::{Consistency, Context, Limits, Model, Smt, SmtPlaces, Stats, Verdict};
use std::time::Duration;
use support::{Bool, Rng, Source, for_all};

struct Case {
    ranges: Vec<(i64, i64)>,
    /// The solver is told that sizes go on for ever; the ranges are a sample then.
    unbounded: bool,
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
    Case { ranges, unbounded: false, free, facts, goal: source.bool(2) }
}

/// Whether the goal can hold and can fail under the facts.
fn truth(case: &Case, facts: &[Bool]) -> (bool, bool) {
    let (mut can_hold, mut can_fail) = (false, false);
    for_all(&case.ranges, case.free, &mut |values, truths| {
        if facts.iter().all(|fact| fact.truth(values, truths)) {
            if case.goal.truth(values, truths) { can_hold = true } else { can_fail = true }
        }
    });
    (can_hold, can_fail)
}

/// Sizes without an upper bound: what is proved must be true of a sample.
fn unbounded_case(seed: u64) -> Case {
    let bounded = case(seed);
    let ranges = bounded.ranges.iter().map(|_| (1, if bounded.ranges.len() == 3 { 9 } else { 26 })).collect();
    Case { ranges, unbounded: true, ..bounded }
}

/// Asks the solver after each fact and compares.
fn check(seed: u64, limits: &Limits, smt: &Smt) -> Stats {
    check_case(seed, case(seed), limits, smt)
}

fn check_case(seed: u64, case: Case, limits: &Limits, smt: &Smt) -> Stats {
    arena::scope(|| {
        let names = ["x", "y", "z"];
        let ranges = case.ranges.iter().zip(names);
        let high = |high: i64| if case.unbounded { UNBOUNDED } else { high };
        let symbols: Vec<Dim> =
            ranges.map(|(range, name)| Dim::symbol(name, range.0, high(range.1))).collect();
        let free: Vec<Prop> = (0..case.free).map(|_| Prop::unknown("the run tells")).collect();
        let prop = case.goal.build(&symbols, &free);
        let mut context = Context::with_smt(limits.clone(), smt.clone());
        for stated in 0..=case.facts.len() {
            let facts = &case.facts[..stated];
            if let Some(fact) = facts.last() {
                context.assume(fact.build(&symbols, &free));
            }
            compare(seed, &case, facts, prop, &symbols, &free, &mut context);
        }
        context.stats()
    })
}

fn compare(
    seed: u64,
    case: &Case,
    facts: &[Bool],
    prop: Prop,
    symbols: &[Dim],
    free: &[Prop],
    context: &mut Context,
) {
    let (can_hold, can_fail) = truth(case, facts);
    let told = || {
        let (goal, ranges) = (&case.goal, &case.ranges);
        format!(
            "seed {seed}: {facts:?}\n|- {goal:?}\nas {prop} in {ranges:?}: holds {can_hold} fails {can_fail}"
        )
    };
    let check_model = |model: &Model, truth: bool| {
        let value = |symbol: &Dim| model.value(symbol.as_atom()?);
        let values: Option<Vec<i64>> = symbols.iter().map(value).collect();
        let chosen =
            |prop: &Prop| model.truths.iter().find(|(id, _)| *id == prop.id()).map(|(_, truth)| *truth);
        let truths: Option<Vec<bool>> = free.iter().map(chosen).collect();
        // Only unknowns connected with the goal are in the model.
        if let (Some(values), Some(truths)) = (values, truths) {
            assert!(
                facts.iter().all(|fact| fact.truth(&values, &truths)),
                "{model} breaks a fact\n{}",
                told()
            );
            assert_eq!(case.goal.truth(&values, &truths), truth, "{model}\n{}", told());
        }
    };
    match context.decide(prop) {
        Verdict::Holds => assert!(!can_fail, "holds\n{}", told()),
        Verdict::Fails => assert!(!can_hold, "fails\n{}", told()),
        // Contradictory facts that share no unknown with the goal are not looked at.
        Verdict::Depends { .. } if !can_hold && !can_fail && !case.unbounded => {}
        Verdict::Depends { witness, example } => {
            assert!(can_fail || case.unbounded, "has witness {witness}\n{}", told());
            check_model(&witness, false);
            if let Some(example) = example {
                assert!(can_hold || case.unbounded, "has example {example}\n{}", told());
                check_model(&example, true);
            }
        }
        Verdict::Unknown { .. } => {}
    }
    match context.consistency() {
        Consistency::Contradictory => assert!(!can_hold && !can_fail, "contradictory\n{}", told()),
        Consistency::Consistent(_) => {
            assert!(can_hold || can_fail || case.unbounded, "consistent\n{}", told())
        }
        Consistency::Unknown { .. } => {}
    }
    for (symbol, &(low, high)) in symbols.iter().zip(&case.ranges) {
        let (least, most) = context.bounds(*symbol);
        assert!(!(can_hold || can_fail) || (least <= high && most >= low), "bounds\n{}", told());
    }
}

fn cases() -> u64 {
    std::env::var("TENSORVET_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(4000)
}

#[test]
fn verdicts_agree_with_enumeration() {
    let mut total = Stats::default();
    for seed in 0..cases() {
        total.add(&check(seed, &Limits::default(), &Smt::absent()));
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
        total.add(&check(seed.wrapping_mul(0x5851_f42d), &limits, &Smt::absent()));
    }
    println!("{total:?}");
    assert!(total.unknown * 10 < total.questions(), "{total:?}");
}

#[test]
fn proofs_about_unbounded_sizes_agree_with_samples() {
    let mut total = Stats::default();
    for seed in 0..cases() {
        let seed = seed.wrapping_mul(0x0bad_cafe_0001);
        total.add(&check_case(seed, unbounded_case(seed), &Limits::default(), &Smt::absent()));
    }
    println!("{total:?}");
    assert!(total.unknown * 8 < total.questions(), "{total:?}");
}

/// The same with an SMT solver and an own layer that is all but switched off.
#[test]
fn smt_agrees_with_enumeration() {
    let smt = Smt::find(SmtPlaces::default());
    if let Some(reason) = smt.missing() {
        println!("skipped: {reason} (set TENSORVET_Z3 to the library)");
        return;
    }
    let smt_limit = Duration::from_millis(500);
    let limits = Limits { facts: 0, cases: 0, steps: 0, evaluations: 0, smt: smt_limit };
    let mut total = Stats::default();
    for seed in 0..60u64 {
        // Each with the whole time that one program is granted: a busy machine must not decide.
        let smt = Smt::find(SmtPlaces::default());
        total.add(&check(seed.wrapping_mul(0x1234_5671), &limits, &smt));
    }
    println!("{total:?}");
    assert!(total.smt > 20, "{total:?}");
}
