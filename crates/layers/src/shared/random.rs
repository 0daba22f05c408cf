//! Layers that draw at random while training. When a model predicts they give what they are given.

use semantics::call::{Call, Stop};
use semantics::operator::Category::IllegalValue;

/// States that a share or deviation lies between 0 and 1.
pub fn require_share(call: &mut Call, name: &str, label: &'static str) -> Result<(), Stop> {
    let share = call.float(name)?;
    call.insist(IllegalValue, label, (0.0..=1.0).contains(&share))
}
