//! What questions cost, and that none costs without bound. `--nocapture` shows the numbers.

use semantics::arena;
use semantics::dim::{Dim, UNBOUNDED};
use semantics::prop::Prop;
use semantics::shape::{can_meet, meet};
use solver::{Context, Limits, Verdict};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn size(name: &str) -> Dim {
    Dim::symbol(name, 1, UNBOUNDED)
}

/// Time of one call, the shortest of several rounds.
fn time(rounds: u32, calls: u32, mut call: impl FnMut()) -> Duration {
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed() / calls
    };
    (0..rounds).map(|_| round(&mut call)).min().unwrap_or_default()
}

#[test]
fn a_folded_statement_costs_nanoseconds() {
    arena::scope(|| {
        let mut context = Context::new(Limits::default());
        let folded = Dim::from(3).eq(3);
        let took = time(20, 100_000, || {
            black_box(context.decide(black_box(folded)));
        });
        println!("folded: {took:?}");
        assert!(took < Duration::from_micros(1), "{took:?}");
    });
}

#[test]
fn unrelated_facts_cost_nothing() {
    let ask = |facts: usize| {
        arena::scope(|| {
            let mut context = Context::new(Limits::default());
            let h = size("H");
            context.assume(Dim::from(16).divides(h));
            context.assume(h.ge(32));
            for k in 0..facts {
                let (a, b) = (size(&format!("A{k}")), size(&format!("B{k}")));
                context.assume((a * b).le(100 + k) & a.modulo(3).le(b));
            }
            let goal = (h.div_floor(4) * 4).eq(h);
            time(20, 50, || {
                // A clone forgets the answer, so each question is settled anew.
                assert_eq!(context.clone().decide(goal), Verdict::Holds);
            })
        })
    };
    let (alone, among) = (ask(0), ask(1000));
    println!(
        "one question: {alone:?} alone, {among:?} among 1000 unrelated facts (with the copy that a clone makes)"
    );
    assert!(among < Duration::from_millis(5), "{among:?}");
}

#[test]
fn facts_are_added_in_constant_time() {
    arena::scope(|| {
        let mut context = Context::new(Limits::default());
        let batch = size("N");
        let mut block = |from: usize| {
            let start = Instant::now();
            for k in from..from + 1000 {
                let a = size(&format!("A{k}"));
                context.assume(a.eq(batch * 2));
                context.assume((a + k).ge(7));
            }
            start.elapsed() / 2000
        };
        let (first, fifth) = (block(0), [block(1000), block(2000), block(3000), block(4000)][3]);
        println!("one fact: {first:?} at first, {fifth:?} after 8000");
        assert!(fifth < Duration::from_millis(1), "{fifth:?}");
    });
}

#[test]
fn many_facts_about_one_size_are_answered_in_time() {
    arena::scope(|| {
        let mut context = Context::new(Limits::default());
        let n = size("N");
        let others: Vec<Dim> = (0..1000).map(|k| size(&format!("A{k}"))).collect();
        for (k, &other) in others.iter().enumerate() {
            context.assume((other * 2 + n).le(n * (k + 3)));
        }
        for goal in [n.divides(12), others[500].le(others[501] + n), (n * others[7]).modulo(4).eq(0)] {
            let start = Instant::now();
            let verdict = context.decide(goal);
            println!("{goal}: {:?} in {:?}", std::mem::discriminant(&verdict), start.elapsed());
            assert!(start.elapsed() < Duration::from_secs(2), "{goal}: {:?}", start.elapsed());
        }
    });
}

#[test]
fn hard_questions_end() {
    arena::scope(|| {
        let symbols: Vec<Dim> = (0..8).map(|k| size(&format!("x{k}"))).collect();
        let [a, b, c, d] = [symbols[0], symbols[1], symbols[2], symbols[3]];
        // Ten pigeons in nine holes: hard for case distinctions.
        let pigeons: Vec<Dim> = (0..10).map(|k| Dim::symbol(&format!("p{k}"), 1, 9)).collect();
        let distinct = Prop::all(
            (0..10).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| pigeons[i].ne(pigeons[j])),
        );
        let huge = Dim::from(1i64 << 62);
        let questions = [
            (a * a * a + b * b * b).ne(c * c * c),
            (a * a + b * b + c * c + d * d).eq(7 * (a * b + c * d) + 3),
            (a * b * c * d).modulo(97).eq((a + b + c + d).modulo(89)),
            !distinct,
            (a * huge).ge(b * huge + 1),
            (a * a * huge).le(b),
            Prop::all((0..7).map(|k| can_meet(symbols[k], symbols[k + 1]))),
            Prop::any((0..7).map(|k| symbols[k].div_floor(symbols[k + 1]).eq(symbols[k + 1].modulo(7)))),
            symbols.iter().fold(Dim::from(0), |sum, &x| sum.max(x * 2 - sum)).ge(3),
            symbols.iter().fold(a, |total, &x| (total * x + 1).div_floor(x + 1)).le(a),
        ];
        for goal in questions {
            let mut context = Context::new(Limits::default());
            context.assume((a + b).le(c * d));
            let start = Instant::now();
            let verdict = context.decide(goal);
            let text = goal.to_string();
            let short: String = text.chars().take(60).collect();
            println!("{short}: {:.40} in {:?}", format!("{verdict:?}"), start.elapsed());
            assert!(start.elapsed() < Duration::from_secs(2), "{short}: {:?}", start.elapsed());
        }
    });
}

/// No model can be given where a number left 64 bits while the statement was built.
#[test]
fn sizes_beyond_64_bits_are_unknown() {
    arena::scope(|| {
        let huge = Dim::from(1i64 << 62) * 4;
        let mut context = Context::new(Limits::default());
        assert!(matches!(context.decide(huge.ge(1)), Verdict::Unknown { .. }));
        assert!(matches!(
            context.decide(size("N").ge(i64::MAX - 1)),
            Verdict::Depends { .. } | Verdict::Unknown { .. }
        ));
    });
}

/// Each size occurs twice in the next: written out, the last has 2^60 parts.
#[test]
fn shared_parts_are_looked_at_once() {
    arena::scope(|| {
        let mut context = Context::new(Limits::default());
        let sizes: Vec<Dim> = (0..60).map(|k| size(&format!("x{k}"))).collect();
        let (mut met, mut low) = (size("x"), size("y"));
        for &next in &sizes {
            context.assume(can_meet(met, next));
            met = meet(met, next);
            low = (low + next).min(low * 2 - 1);
        }
        let start = Instant::now();
        let first = context.decide(met.ge(1));
        let second = context.decide(low.le(7));
        context.assume(sizes[3].eq(5));
        context.assume(sizes[4].ge(2));
        let third = context.decide(met.eq(5));
        println!(
            "{:.30} {:.30} {:.30} in {:?}",
            format!("{first:?}"),
            format!("{second:?}"),
            format!("{third:?}"),
            start.elapsed()
        );
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    });
}
