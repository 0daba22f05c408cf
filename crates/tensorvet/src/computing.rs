//! Who computes for Keras: its backends do not take and give the same everywhere.

use clap::{Args, ValueEnum};
use semantics::operator::Backend;

#[derive(Args)]
pub struct ComputingArgs {
    /// Who computes the layers of a Keras model, for the few that it matters to. Without it what KERAS_BACKEND names,
    /// else TensorFlow.
    #[arg(long, value_enum)]
    backend: Option<BackendArg>,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendArg {
    Tensorflow,
    Torch,
}

impl ComputingArgs {
    pub fn backend(&self) -> Backend {
        let named = std::env::var("KERAS_BACKEND").ok();
        let named = named.and_then(|name| BackendArg::from_str(&name, false).ok());
        match self.backend.or(named) {
            Some(BackendArg::Torch) => Backend::Torch,
            Some(BackendArg::Tensorflow) | None => Backend::TensorFlow,
        }
    }
}
