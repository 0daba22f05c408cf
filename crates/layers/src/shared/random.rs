//! Layers that draw at random while training. When a model predicts they give what they are given.

use super::spatial;
use crate::layer::require_promised_type;
use semantics::call::{Call, Outcome, Stop, one};
use semantics::operator::Category::IllegalValue;

/// States that a share or deviation lies between 0 and 1.
pub fn require_share(call: &mut Call, name: &str, label: &'static str) -> Result<(), Stop> {
    let share = call.float(name)?;
    call.insist(IllegalValue, label, (0.0..=1.0).contains(&share))
}

/// What a layer that drops elements gives when it predicts.
pub fn dropout(call: &mut Call) -> Outcome {
    require_share(call, "rate", "`rate` lies between 0 and 1")?;
    require_promised_type(call)?;
    one(call.tensor("inputs")?)
}

/// As [`dropout`], for a layer that drops channels over so many axes of space.
pub fn spatial_dropout(call: &mut Call, axes: usize) -> Outcome {
    let outputs = dropout(call)?;
    call.sizes(spatial::RANK[axes - 1], outputs[0], axes + 2)?;
    Ok(outputs)
}
