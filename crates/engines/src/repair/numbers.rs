//! Numbers for which open requirements hold, near to what was there.

use super::candidates::Open;
use semantics::dim::Dim;
use semantics::prop::Prop;
use solver::{Compiled, Consistency, Context, Limits, Point};

/// Numbers this near are all tried.
const NEAR: i64 = 16;
/// How often one number of several is moved.
const ROUNDS: usize = 6;

/// The values of the open numbers: as near to what is wished as can be found.
pub(super) fn nearest(props: &[Prop], open: &Open) -> Option<Vec<i64>> {
    let mut compiled = Compiled::default();
    let count = props.iter().map(|&prop| compiled.add(prop)).count();
    let place = |leaf| open.symbols.iter().position(|symbol| Dim::as_atom(*symbol) == Some(leaf));
    let places: Option<Vec<usize>> = compiled.leaves.iter().map(|&leaf| place(leaf)).collect();
    let Some(places) = places.filter(|_| !compiled.opaque && compiled.free.is_empty()) else {
        return solved(props, open);
    };
    let mut values = open.wishes.clone();
    let mut point = compiled.point();
    let least: Vec<i64> = open.symbols.iter().map(|symbol| symbol.bounds().0).collect();
    let broken = |values: &[i64], point: &mut Point| {
        places.iter().enumerate().for_each(|(leaf, &place)| point.leaves[leaf] = values[place]);
        compiled.evaluate(point);
        (0..count).filter(|&statement| compiled.holds(statement, point) != Some(true)).count()
    };
    let mut now = broken(&values, &mut point);
    for _ in 0..ROUNDS {
        for at in 0..values.len() {
            if now == 0 {
                return Some(values);
            }
            let constants =
                compiled.constants.iter().flat_map(|&constant| [constant, constant - 1, constant + 1]);
            let around = (-NEAR..=NEAR).map(|step| open.wishes[at].saturating_add(step));
            let mut tried: Vec<i64> =
                around.chain(constants.take(64)).filter(|value| *value >= least[at]).collect();
            tried.sort_by_key(|value| value.abs_diff(open.wishes[at]));
            tried.dedup();
            for value in tried {
                let before = std::mem::replace(&mut values[at], value);
                let count = broken(&values, &mut point);
                if count < now {
                    now = count;
                    if now == 0 {
                        break;
                    }
                } else {
                    values[at] = before;
                }
            }
        }
    }
    match values.len() {
        _ if now == 0 => Some(values),
        1 => solved(props, open),
        _ => None,
    }
}

/// Far from what was there the solver looks.
fn solved(props: &[Prop], open: &Open) -> Option<Vec<i64>> {
    let mut context = Context::new(Limits::default());
    props.iter().for_each(|&prop| context.assume(prop));
    let Consistency::Consistent(model) = context.consistency() else { return None };
    let value = |symbol: &Dim| {
        context.simplify(*symbol).evaluate(&mut |atom| {
            let (low, high) = atom.bounds();
            model.value(atom).or(Some(low.max(1).min(high)))
        })
    };
    open.symbols.iter().map(value).collect()
}
