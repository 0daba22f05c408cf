//! Evaluating a formula: compile, run, and leave what is doubtful to the careful reader.

use super::bounded::Estimate;
use super::compile::{self, Stop, compile};
use super::plain::Scalar;
use super::program::Program;
use super::reading::{Bound, Draft, Reading, Source};
use super::walk::{Halt, Walker};
use super::{Attempt, EvaluateError, Evaluator, Mode, coalesce, kind, run};
use semantics::dim::SymbolId;
use semantics::dtype::Kind;
use semantics::tensor::{Formula, Tensor};
use std::rc::Rc;

/// Scalar operations that are spent on one tensor at most: some minutes.
pub(super) const MOST_WORK: f64 = (1u64 << 37) as f64;

impl Evaluator {
    pub(super) fn formula(
        &mut self,
        tensor: Tensor,
        formula: &Formula,
        program: Option<Program>,
    ) -> Result<Attempt, EvaluateError> {
        let (kind, sizes) = (kind(tensor)?, self.known_sizes(tensor));
        if let Err(EvaluateError::Unknown(_)) = sizes {
            // Evaluating what it reads may tell the sizes.
            let missing = self.missing(formula);
            if !missing.is_empty() {
                return Ok(Attempt::Waits(missing, None));
            }
        }
        let sizes = sizes?;
        if formula.element.kind() != kind {
            return Err(EvaluateError::Mismatch(format!(
                "a formula of {} for {tensor}",
                formula.element.kind()
            )));
        }
        let program = match program {
            Some(program) => Ok(program),
            None => compile(formula, &sizes, self),
        };
        let program = match program {
            Ok(program) => program,
            Err(Stop::Needs(other)) => return Ok(Attempt::Waits(vec![other], None)),
            Err(Stop::Irregular) => match self.missing(formula) {
                missing if missing.is_empty() => return self.one_by_one(formula, kind, sizes),
                missing => return Ok(Attempt::Waits(missing, None)),
            },
        };
        let missing: Vec<Tensor> = program
            .tensors
            .iter()
            .map(|(tensor, _)| *tensor)
            .filter(|tensor| !self.readings.contains_key(tensor))
            .collect();
        if !missing.is_empty() {
            return Ok(Attempt::Waits(missing, Some(program)));
        }
        let length: usize = sizes.iter().product();
        if program.work(length as f64) > MOST_WORK {
            return Err(EvaluateError::TooMuch(format!("{tensor} takes too long to evaluate")));
        }
        let readings: Vec<Rc<Reading>> =
            program.tensors.iter().map(|(tensor, _)| self.readings[tensor].clone()).collect();
        if program.tensors.iter().zip(&readings).any(|((_, sizes), reading)| *sizes != reading.array.shape) {
            // Compiled before the shapes were known as well as now.
            return Ok(Attempt::Waits(Vec::new(), None));
        }
        let sources: Vec<Source<'_>> =
            readings.iter().map(|reading| Source { array: &reading.array, bound: &reading.bound }).collect();
        let mut lanes = std::mem::take(&mut self.lanes);
        let output = run::run(&program, &sources, &mut lanes, self.mode, (kind, length));
        self.lanes = lanes;
        let mut draft = Draft { kind, data: output.data, bound: Bound::Exact };
        draft.set_errors(output.errors);
        match self.carefully(formula, &sizes, output.doubtful.into_iter(), &mut draft) {
            Ok(()) => Ok(Attempt::Done(Rc::new(draft.finish(sizes)?))),
            Err(Halt::Needs(other)) => Ok(Attempt::Waits(vec![other], Some(program))),
            Err(halt) => Err(self.failure(halt, tensor)),
        }
    }

    /// The tensors that a formula reads and that are not evaluated yet.
    fn missing(&self, formula: &Formula) -> Vec<Tensor> {
        let mut tensors = coalesce::tensors(formula.element);
        tensors.retain(|tensor| !self.readings.contains_key(tensor));
        tensors.sort_unstable();
        tensors
    }

    /// A formula that was not compiled.
    fn one_by_one(
        &mut self,
        formula: &Formula,
        kind: Kind,
        sizes: Vec<usize>,
    ) -> Result<Attempt, EvaluateError> {
        let length = sizes.iter().product();
        let mut draft = Draft::new(kind, length);
        match self.carefully(formula, &sizes, 0..length, &mut draft) {
            Ok(()) => Ok(Attempt::Done(Rc::new(draft.finish(sizes)?))),
            Err(Halt::Needs(other)) => Ok(Attempt::Waits(vec![other], None)),
            Err(Halt::Vague) => Err(EvaluateError::Undefined(formula.element.to_string())),
            Err(Halt::Error(error)) => Err(error),
        }
    }

    fn failure(&self, halt: Halt, tensor: Tensor) -> EvaluateError {
        match halt {
            Halt::Error(error) => error,
            Halt::Vague | Halt::Needs(_) => EvaluateError::Undefined(tensor.to_string()),
        }
    }

    /// Reads elements one at a time into a draft.
    fn carefully(
        &self,
        formula: &Formula,
        sizes: &[usize],
        positions: impl Iterator<Item = usize>,
        draft: &mut Draft,
    ) -> Result<(), Halt> {
        let variables: Vec<Option<SymbolId>> =
            formula.index.iter().map(|&dim| compile::symbol(dim)).collect();
        let place = |at: usize| {
            let (mut rest, mut index) = (at, Vec::with_capacity(sizes.len()));
            for (variable, &size) in variables.iter().zip(sizes).rev() {
                index.extend(variable.map(|variable| (variable, (rest % size) as i64)));
                rest /= size;
            }
            index
        };
        match self.mode {
            Mode::Plain => {
                let mut walker = Walker::<Scalar>::new(self);
                for at in positions {
                    draft.put_plain(at, walker.read(formula.element, &place(at))?);
                }
            }
            Mode::Bounded | Mode::Likely => {
                let mut walker = Walker::<Estimate>::new(self);
                for at in positions {
                    draft.put(at, walker.read(formula.element, &place(at))?);
                }
            }
        }
        Ok(())
    }
}
