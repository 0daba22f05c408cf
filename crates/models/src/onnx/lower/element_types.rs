//! The element types that older versions of operators take, where they are fewer than our definitions do.
//! The table is written by `cargo xtask operators`, from the schemas that ONNX ships.

use program::ir::Narrower;
use semantics::dtype::Kind::{self, *};

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

/// The inputs of an operator for which a version takes fewer types.
pub(in crate::onnx) fn narrower(name: &str, version: u32) -> impl Iterator<Item = &'static Narrower> {
    let first = ROWS.partition_point(|row| row.spelled < name);
    let last = first + ROWS[first..].partition_point(|row| row.spelled == name);
    ROWS[first..last].iter().filter(move |row| (row.since..row.until).contains(&version))
}
