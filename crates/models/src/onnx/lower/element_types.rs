//! The element types that older versions of operators take, where they are fewer than our definitions do.
//! The table is written by `cargo xtask operators`, from the schemas that ONNX ships.

use program::ir::Narrower;
use rustc_hash::FxHashMap;
use semantics::dtype::Kind::{self, *};
use std::ops::Range;
use std::sync::LazyLock;

include!("element_types.in");

const fn row(
    spelled: &'static str,
    position: usize,
    since: u32,
    until: u32,
    kinds: &'static [Kind],
) -> Narrower {
    Narrower { spelled, position, since, until, kinds }
}

/// The rows of each operator, which lie side by side. They are asked for once a node.
static PLACES: LazyLock<FxHashMap<&str, Range<usize>>> = LazyLock::new(|| {
    let mut places = FxHashMap::default();
    for (place, row) in ROWS.iter().enumerate() {
        places.entry(row.spelled).or_insert(place..place).end = place + 1;
    }
    places
});

/// The inputs of an operator for which a version takes fewer types.
pub(in crate::onnx) fn narrower(name: &str, version: u32) -> impl Iterator<Item = &'static Narrower> {
    let rows = PLACES.get(name).cloned().unwrap_or_default();
    ROWS[rows].iter().filter(move |row| (row.since..row.until).contains(&version))
}
