//! Calls that wait for each other.

use super::super::broken::Broken;
use super::super::call::Operands;
use super::super::origins::{Origin, name};
use super::Filed;
use program::ir::ValueId;
use rustc_hash::FxHashMap;

/// What calls wait for that cannot be made: tensors of calls that wait themselves.
pub(super) fn waits(
    later: &[(Filed<'_>, u64, Operands<Origin>)],
    made: &FxHashMap<Origin, ValueId>,
) -> Broken {
    let missing = |call: &Operands<Origin>| {
        let missing = call.tensors().find(|origin| !made.contains_key(*origin));
        missing.map(|(layer, ..)| layer.clone())
    };
    let own = |at: usize| name(later[at].0.layer);
    // From one to the next that it waits for, until one comes again.
    let (mut at, mut seen) = (0, Vec::new());
    while !seen.contains(&at) {
        seen.push(at);
        let wanted = missing(&later[at].2);
        let next = wanted.as_ref().and_then(|wanted| (0..later.len()).find(|k| own(*k) == wanted));
        match next {
            Some(next) => at = next,
            None => {
                let wanted = wanted.unwrap_or_default();
                let why =
                    format!("the layer `{}` uses an output of `{wanted}` that it does not give", own(at));
                return Broken::at(own(at), why);
            }
        }
    }
    let start = seen.iter().position(|before| *before == at).unwrap_or(0);
    let circle: Vec<&str> = seen[start..].iter().map(|at| own(*at)).collect();
    let why = match circle[..] {
        [only] => format!("the layer `{only}` is called on what it gives itself"),
        _ => format!("the layers `{}` wait for each other: they are a circle", circle.join("`, `")),
    };
    Broken::at(circle[0], why)
}
