//! What is looked at: the calls of one path, with the tensors that they take and give.

use super::sources::{Role, Source};
use crate::evaluate::interval::Interval;
use crate::ranges::Ranges;
use program::execute::Run;
use program::ir::{Action, Changes, Graph, Program, ValueId, Variable};
use program::path::Made;
use rustc_hash::FxHashMap;
use semantics::tensor::{Content, Tensor};

/// The calls of a path, in order, and what is known of the tensors that none of them computes.
pub struct Traced {
    pub file: String,
    pub made: Vec<Made>,
    /// Tensors of which something is known by name. Others that nobody computes are unknown.
    pub sources: Vec<Source>,
    /// What the program gives.
    pub outputs: Vec<Tensor>,
}

/// The trace of a program that was run on a path that follows values.
pub fn of_program(program: &Program, run: &mut Run<'_>) -> Traced {
    let mut sources = Vec::new();
    let variables: FxHashMap<ValueId, &Variable> =
        program.variables.iter().map(|variable| (variable.value, variable)).collect();
    let mut starts = if variables.is_empty() { Ranges::new() } else { draws(run) };
    for &input in &program.graph.inputs {
        if let Some(tensor) = run.tensors.get(input) {
            let name = program.name(input).to_owned();
            // An input that has a stored value is a weight that may be replaced.
            let variable = variables.get(&input).copied();
            let is_weight = tensor.is_stored() || variable.is_some();
            let role = if is_weight { Role::Parameter } else { Role::Input };
            let initial = variable.and_then(|variable| values_of(variable, tensor, run, &mut starts));
            sources.push(Source { tensor, name, role, initial });
        }
    }
    stored(program, &program.graph, run, &mut sources);
    let outputs = program.graph.outputs.iter().filter_map(|&output| run.tensors.get(output)).collect();
    Traced { file: program.file.clone(), made: run.path.made.take().unwrap_or_default(), sources, outputs }
}

/// Draws from a normal distribution are taken to lie within so many deviations when a variable starts with them.
const DEVIATIONS: f64 = 4.0;
/// What a trained weight may become, whatever it started with. The number has no argument of its own yet: it was raised
/// from 1 until the defect of one known graph was reported, and has to be derived or checked on sound programs.
const TRAINED: f64 = 50.0;

/// Between which numbers a variable lies while the program runs: where it starts, and where its changes may take it.
fn values_of(variable: &Variable, tensor: Tensor, run: &Run<'_>, starts: &mut Ranges) -> Option<(f64, f64)> {
    let initial = variable.initial.and_then(|initial| run.tensors.get(initial));
    let start = initial.and_then(|initial| ends(starts.read(initial).hull()?));
    let is_float = tensor.dtype().known().is_some_and(|kind| kind.is_float());
    let (low, high) = start.unwrap_or((0.0, 0.0));
    match variable.changes {
        Changes::Never => start,
        Changes::Trained => Some((low.min(-TRAINED), high.max(TRAINED))),
        Changes::Squares => Some((0.0, high.max(TRAINED))),
        // Steps go up from where they start.
        Changes::Counted if !is_float => Some((low, f64::from(i32::MAX))),
        Changes::Counted | Changes::Otherwise => Some((low.min(-1.0), high.max(1.0))),
    }
}

/// A reading that knows what is drawn at random.
fn draws(run: &Run<'_>) -> Ranges {
    let mut ranges = Ranges::new();
    for &output in run.path.made.iter().flatten().flat_map(|made| &made.outputs) {
        if let Content::Random(random) = output.content()
            && let (Some(mean), Some(deviation)) = (random.mean, random.deviation)
        {
            let (low, high) = (mean - DEVIATIONS * deviation, mean + DEVIATIONS * deviation);
            ranges.give(output, low.max(random.low), high.min(random.high));
        }
    }
    ranges
}

/// The ends of a range, if it has any.
fn ends(interval: Interval) -> Option<(f64, f64)> {
    let (low, high) = match interval {
        Interval::Float { low, high, .. } => (low, high),
        Interval::Int { low, high } => (low as f64, high as f64),
        Interval::Bool { .. } => return None,
    };
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

fn stored(program: &Program, graph: &Graph, run: &Run<'_>, sources: &mut Vec<Source>) {
    for (value, _) in &graph.constants {
        if let Some(tensor) = run.tensors.get(*value) {
            let name = program.name(*value).to_owned();
            sources.push(Source { tensor, name, role: Role::Parameter, initial: None });
        }
    }
    for node in &graph.nodes {
        if let Action::Constant(_) = &node.action {
            for &value in node.outputs.iter().flatten() {
                if let Some(tensor) = run.tensors.get(value) {
                    let name = program.name(value).to_owned();
                    sources.push(Source { tensor, name, role: Role::Parameter, initial: None });
                }
            }
        }
        for region in node.regions() {
            stored(program, region, run, sources);
        }
    }
}
