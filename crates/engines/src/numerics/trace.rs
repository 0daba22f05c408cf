//! What is looked at: the calls of one path, with the tensors that they take and give.

use super::cone::parents;
use super::sources::{Role, Source};
use crate::evaluate::interval::Interval;
use crate::ranges::{Ranges, Settings};
use program::execute::Run;
use program::ir::{Action, Changes, Graph, Program, ValueId, Variable};
use program::path::{How, Made};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::tensor::{Content, Tensor};

/// The calls of a path, in order, and what is known of the tensors that none of them computes.
pub struct Traced {
    pub file: String,
    pub made: Vec<Made>,
    /// Tensors of which something is known by name. Others that nobody computes are unknown.
    pub sources: Vec<Source>,
    /// What the program gives.
    pub outputs: Vec<Tensor>,
    /// Whether numbers below the normal ones of a type become zero.
    pub flushes: bool,
    /// Variables that the program sets itself, and by nothing else.
    pub kept: Vec<Kept>,
}

/// A variable that is first one tensor and then, run after run, another.
pub struct Kept {
    pub variable: Tensor,
    pub start: Tensor,
    pub assigned: Vec<Tensor>,
}

/// The trace of a program that was run on a path that follows values.
pub fn of_program(program: &Program, run: &mut Run<'_>) -> Traced {
    let mut sources = Vec::new();
    let mut kept = Vec::new();
    let variables: FxHashMap<ValueId, &Variable> =
        program.variables.iter().map(|variable| (variable.value, variable)).collect();
    let mut starts = draws(run);
    let probabilities = probabilities(run, &mut starts);
    for &input in &program.graph.inputs {
        if let Some(tensor) = run.tensors.get(input) {
            let name = program.name(input).to_owned();
            // An input that has a stored value is a weight that may be replaced.
            let variable = variables.get(&input).copied();
            let is_weight = tensor.is_stored() || variable.is_some();
            let role = if is_weight { Role::Parameter } else { Role::Input };
            let mut source = Source::new(tensor, name, role);
            if let Some(variable) = variable {
                values_of(variable, &mut source, run, &mut starts);
                kept.extend(kept_by(variable, tensor, run));
            } else if let Some((_, range)) = probabilities.iter().find(|(input, _)| *input == tensor) {
                source.initial = Some(*range);
                source.why = "it says how much dropout keeps";
            }
            sources.push(source);
        }
    }
    stored(program, &program.graph, run, &mut sources);
    let outputs = program.graph.outputs.iter().filter_map(|&output| run.tensors.get(output)).collect();
    let mut made = run.path.made.take().unwrap_or_default();
    let mut after: FxHashMap<&str, Vec<Tensor>> = FxHashMap::default();
    for asserted in &program.asserted {
        if let Some(condition) = run.tensors.get(asserted.condition) {
            asserted.nodes.iter().for_each(|node| after.entry(node).or_default().push(condition));
        }
    }
    for made in made.iter_mut().filter(|made| made.how == How::Called) {
        let conditions = after.get(made.place.node.as_str()).into_iter().flatten();
        made.guards.extend(conditions.map(|&condition| (condition, true)));
    }
    Traced { file: program.file.clone(), made, sources, outputs, flushes: program.flushes, kept }
}

/// A variable that no optimiser changes, if all that the program assigns to it is known. Counters of whole numbers only
/// go up, which is known of them anyway.
fn kept_by(variable: &Variable, tensor: Tensor, run: &Run<'_>) -> Option<Kept> {
    let is_float = tensor.dtype().known().is_some_and(|kind| kind.is_float());
    if !is_float || !matches!(variable.changes, Changes::Counted | Changes::Otherwise) {
        return None;
    }
    let start = run.tensors.get(variable.initial?)?;
    let assigned: Option<Vec<Tensor>> =
        variable.assigned.as_ref()?.iter().map(|&value| run.tensors.get(value)).collect();
    let assigned = assigned?;
    let fits = assigned.iter().chain([&start]).all(|other| other.dtype().known() == tensor.dtype().known());
    fits.then_some(Kept { variable: tensor, start, assigned })
}

/// Draws from a normal distribution are taken to lie within so many deviations when a variable starts with them.
const DEVIATIONS: f64 = 4.0;
/// How far training takes a weight from where it started. Optimisers that scale their steps, as Adam does, move a weight
/// by about the learning rate at each: a hundred thousand steps of 0.001 lead so far, and nothing in a graph ends
/// training sooner. Functions saturate or overflow long before (`exp` at 88 in float32), so that a larger number changes
/// little; an overflow of sums and products that only weights as large bring about is not told (`is_growth`).
const TRAVELLED: f64 = 100.0;
const TRAINED: &str = "trained, a hundred thousand steps of 0.001 lead no further";

/// Between which numbers a variable lies while the program runs: where it starts, and where its changes may take it.
fn values_of(variable: &Variable, source: &mut Source, run: &Run<'_>, starts: &mut Ranges) {
    let initial = variable.initial.and_then(|initial| run.tensors.get(initial));
    let start = initial.and_then(|initial| ends(starts.read(initial).hull()?));
    let is_float = source.tensor.dtype().known().is_some_and(|kind| kind.is_float());
    let (low, high) = start.unwrap_or((0.0, 0.0));
    let (range, why) = match variable.changes {
        Changes::Never => (start, "as it is initialised"),
        Changes::Trained => (Some((low - TRAVELLED, high + TRAVELLED)), TRAINED),
        Changes::Squares => (Some((0.0, high + TRAVELLED)), "a mean of squares of gradients"),
        // Steps go up from where they start.
        Changes::Counted if !is_float => (Some((low, f64::from(i32::MAX))), "it counts steps"),
        Changes::Counted | Changes::Otherwise => {
            (Some((low.min(-1.0), high.max(1.0))), "it is changed by the program")
        }
    };
    if let Changes::Trained | Changes::Squares = variable.changes {
        source.usual = Some(start.unwrap_or((-1.0, 1.0)));
    }
    (source.initial, source.why) = (range, why);
}

/// Dropout that keeps less than one in a thousand is no dropout.
const LEAST_KEPT: f64 = 1e-3;

/// Inputs that say how much dropout keeps: a uniform draw is added to that share, which is the input or one less it, and
/// the sum is rounded down; or the draw is compared with the share that is dropped, and something is divided by the rest.
fn probabilities(run: &Run<'_>, draws: &mut Ranges) -> Vec<(Tensor, (f64, f64))> {
    let made: Vec<&Made> = run.path.made.iter().flatten().collect();
    let mut found = by_floor(&made, draws);
    found.extend(by_comparison(&made, draws));
    found
}

/// The older way: `floor(keep + draw)`.
fn by_floor(made: &[&Made], draws: &mut Ranges) -> Vec<(Tensor, (f64, f64))> {
    let floored: FxHashSet<Tensor> = made
        .iter()
        .filter(|made| made.operator == "floor")
        .flat_map(|made| made.inputs.iter().copied())
        .collect();
    let mut found = Vec::new();
    for sum in made.iter().filter(|made| made.operator == "add") {
        let [x, y] = sum.inputs[..] else { continue };
        if !sum.outputs.iter().any(|output| floored.contains(output)) {
            continue;
        }
        for (share, draw) in [(x, y), (y, x)] {
            if let Some(input) = only_input(share).filter(|_| is_uniform(draws, draw)) {
                let at = |number: f64| value_at(share, input, number);
                match (at(0.0), at(1.0)) {
                    (Some(0.0), Some(1.0)) => found.push((input, (LEAST_KEPT, 1.0))),
                    (Some(1.0), Some(0.0)) => found.push((input, (0.0, 1.0 - LEAST_KEPT))),
                    _ => {}
                }
            }
        }
    }
    found
}

/// The newer way: `draw >= rate`, and what is kept is divided by `1 - rate`.
fn by_comparison(made: &[&Made], draws: &mut Ranges) -> Vec<(Tensor, (f64, f64))> {
    let divides = |made: &&&Made| matches!(made.operator, "div" | "reciprocal");
    let divisors: Vec<Tensor> =
        made.iter().filter(divides).filter_map(|made| made.inputs.last().copied()).collect();
    let compares =
        |made: &&&Made| matches!(made.operator, "greater_or_equal" | "greater" | "less" | "less_or_equal");
    let mut found = Vec::new();
    for comparison in made.iter().filter(compares) {
        let [x, y] = comparison.inputs[..] else { continue };
        for (dropped, draw) in [(x, y), (y, x)] {
            let Some(input) = only_input(dropped).filter(|_| is_uniform(draws, draw)) else { continue };
            let is_rest = |divisor: &&Tensor| {
                only_input(**divisor) == Some(input)
                    && [0.25, 0.5].iter().all(|&number| {
                        let both = value_at(**divisor, input, number).zip(value_at(dropped, input, number));
                        both.is_some_and(|(kept, dropped)| kept + dropped == 1.0)
                    })
            };
            if divisors.iter().find(is_rest).is_none() {
                continue;
            }
            match (value_at(dropped, input, 0.0), value_at(dropped, input, 1.0)) {
                (Some(1.0), Some(0.0)) => found.push((input, (LEAST_KEPT, 1.0))),
                (Some(0.0), Some(1.0)) => found.push((input, (0.0, 1.0 - LEAST_KEPT))),
                _ => {}
            }
        }
    }
    found
}

/// Whether a tensor holds draws between 0 and 1.
fn is_uniform(draws: &mut Ranges, draw: Tensor) -> bool {
    let range = draws.read(draw).hull().and_then(ends);
    range.is_some_and(|(low, high)| low >= 0.0 && high <= 1.0 && low < high)
}

/// What a tensor is for a number in the place of an input, if that is one number.
fn value_at(tensor: Tensor, input: Tensor, number: f64) -> Option<f64> {
    let mut ranges = Ranges::with(Settings::KNOWN);
    ranges.give(input, number, number);
    let (low, high) = ranges.read(tensor).hull().and_then(ends)?;
    (low == high).then_some(low)
}

/// The given tensor that another is computed from, if there is but one beside constants.
fn only_input(tensor: Tensor) -> Option<Tensor> {
    let mut open = vec![tensor];
    let mut seen = FxHashSet::default();
    let mut found = None;
    while let Some(tensor) = open.pop() {
        if !seen.insert(tensor) {
            continue;
        }
        match tensor.content() {
            Content::Given if found.is_none() => found = Some(tensor),
            Content::Given | Content::Random(_) | Content::Opaque(..) => return None,
            _ => open.extend(parents(tensor)),
        }
    }
    found
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

/// What stands in the file. Constants beside variables are no weights, and neither are single numbers among the nodes.
fn stored(program: &Program, graph: &Graph, run: &Run<'_>, sources: &mut Vec<Source>) {
    for (value, _) in &graph.constants {
        if let Some(tensor) = run.tensors.get(*value) {
            let name = program.name(*value).to_owned();
            sources.push(Source::new(tensor, name, Role::Parameter));
        }
    }
    for node in &graph.nodes {
        if let Action::Constant(_) = &node.action {
            for &value in node.outputs.iter().flatten() {
                if let Some(tensor) = run.tensors.get(value) {
                    let name = program.name(value).to_owned();
                    let is_single = tensor.shape().count().known() == Some(1);
                    let fixed = !program.variables.is_empty() || is_single;
                    sources.push(Source { fixed, ..Source::new(tensor, name, Role::Parameter) });
                }
            }
        }
        for region in node.regions() {
            stored(program, region, run, sources);
        }
    }
}
