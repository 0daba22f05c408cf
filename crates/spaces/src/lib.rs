//! Search spaces: which combinations of hyper-parameters a model can never work with, and why.
//!
//! A [`Space`] says what each hyper-parameter may be, a [`Model`] is a Python program or a model file, and a [`Sweep`]
//! is what the two come to: a verdict for every vector of the space, compiled once.
//!
//! ```no_run
//! # fn main() -> anyhow::Result<()> {
//! use spaces::{Model, Settings, Space, Sweep};
//! let space = Space::read("space.toml".as_ref())?;
//! let model = Model::open("train.py".as_ref(), Settings::default())?;
//! let sweep = Sweep::compile(&model, &space)?;
//! println!("{} of {} vectors are valid", sweep.census().valid, sweep.len());
//! let vector = sweep.space.vector(&[("kernel".to_owned(), spaces::Choice::Int(3))])?;
//! println!("{:?}", sweep.judge(&vector));
//! # Ok(())
//! # }
//! ```

mod choice;
mod condition;
mod constants;
mod domain;
mod graph;
mod html;
mod inputs;
mod model;
mod parts;
mod python;
mod readable;
mod regions;
mod report;
mod space;
mod suggest;
mod sweep;
mod tuned;

pub use choice::Choice;
pub use engines::sweep::{Cause, Limits, Verdict};
pub use html::page;
pub use model::{Model, Settings};
pub use parts::{Progress, Watch};
pub use regions::Regions;
pub use report::{ListForm, grouped, list, text};
pub use space::{Framework, Parameter, Space, table};
pub use sweep::{Census, Sweep, Tally};
