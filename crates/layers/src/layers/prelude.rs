//! What layer files are written with.

pub use crate::layer::*;
pub use crate::shared::activation::{ACTIVATION, activated};
pub use semantics::operators::prelude::*;
