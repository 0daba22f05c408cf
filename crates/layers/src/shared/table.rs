//! Rows of a table by their numbers.

use semantics::call::Call;
use semantics::compose::cast;
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::operator::Category::ToleratedValue;
use semantics::prop::Prop;
use semantics::tensor::Tensor;

/// Requires what is known of indices to be rows of the table.
pub fn require_rows(call: &mut Call, indices: Tensor, rows: Dim) {
    // What is below zero counts from the end.
    let is_row = |index: Dim| index.within(-rows, rows);
    let whole = cast(indices, Kind::I64);
    let inside = match call.values(whole) {
        Some(values) => Some(Prop::all(values.into_iter().map(is_row))),
        // Of many, the least and the largest that are there.
        None => {
            let span = whole.between().filter(|span| span.is_reached);
            span.map(|span| is_row(span.low) & is_row(span.high))
        }
    };
    if let Some(inside) = inside {
        call.require_value("every index is a row of the table", inside);
    }
    // Floats are cut off, and rounding decides where.
    let floats: Option<Vec<f64>> =
        indices.values().and_then(|values| values.iter().map(|value| value.float()).collect());
    if let Some(floats) = floats {
        // What no integer stands for is cast to one that is no row.
        let finite = floats.iter().all(|index| index.is_finite());
        call.require_value("every index is a row of the table", finite.into());
        let whole = !finite || floats.iter().all(|index| index.fract() == 0.0);
        call.require(ToleratedValue, "every index is a whole number", whole.into());
    }
}
