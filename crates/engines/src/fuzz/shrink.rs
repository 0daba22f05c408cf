//! Making a case smaller while it keeps disagreeing: fewer layers, fewer arguments, smaller tensors, simpler values.

use super::case::Case;
use super::fit::{fit, resized};
use super::judge::{Disagreement, Kind, judge, outcomes, violation};
use super::narrow::is_as_float32;
use super::seen::{Backend, Seen, Way};
use super::values::compare_flushed;
use program::ir::{Action, Given, ValueId};
use semantics::array::{Array, Data};
use semantics::dtype::Kind::F32;
use semantics::operator::{Operator, Preset};

/// A small case, and what is wrong with it.
pub struct Shrunk {
    pub case: Case,
    pub found: Disagreement,
    pub seen: Vec<Seen>,
    /// How often the framework was asked.
    pub runs: usize,
}

/// Shrinks a case with a disagreement, asking the framework at most so often. `None` if it does not show again.
pub fn shrink(
    case: &Case,
    found: &Disagreement,
    seen: &[Seen],
    backend: &mut dyn Backend,
    most_runs: usize,
) -> Option<Shrunk> {
    let seen = seen.iter().find(|seen| found.ways.contains(&seen.way))?;
    let mut search = Search {
        class: case.invocation(found.node)?.operator.name,
        kind: found.kind,
        detail: found.detail.clone(),
        // Layer by layer is the quickest; the other ways are looked at again at the end.
        ways: if found.ways.contains(&Way::Call) { vec![Way::Call] } else { found.ways.clone() },
        backend,
        runs: 0,
        most_runs,
        case: case.clone(),
        node: found.node,
    };
    search.cut(&case.clone(), seen);
    search.types();
    while search.arguments() | search.sizes() | search.values() {
        // What is smaller may need fewer layers.
        if search.case.program.graph.nodes.len() > 1 {
            let case = search.case.clone();
            let seen = search.backend.run(&case, &asked(&search.ways));
            if let Some(seen) = seen.iter().find(|seen| search.ways.contains(&seen.way)) {
                search.cut(&case, seen);
            }
        }
        if search.runs >= most_runs {
            break;
        }
    }
    let (case, runs) = (search.case.clone(), search.runs);
    let seen = search.backend.run(&case, &Way::ALL);
    let found = search.same(&judge(&case, &seen).disagreements)?;
    let mut shrunk = Shrunk { case, found, seen, runs };
    shrunk.explain();
    Some(shrunk)
}

/// The ways to run a case for a disagreement that was seen in some: what a whole model does not show of itself, calls do.
pub fn asked(ways: &[Way]) -> Vec<Way> {
    let mut asked = ways.to_vec();
    if ways.contains(&Way::Predict) && !ways.contains(&Way::Call) {
        asked.insert(0, Way::Call);
    }
    asked
}

struct Search<'b> {
    class: &'static str,
    kind: Kind,
    detail: String,
    ways: Vec<Way>,
    backend: &'b mut dyn Backend,
    runs: usize,
    most_runs: usize,
    /// The smallest so far, and the node to blame in it.
    case: Case,
    node: usize,
}

impl Search<'_> {
    /// The disagreement that is looked for, if it is there.
    fn same(&self, found: &[Disagreement]) -> Option<Disagreement> {
        let mut alike = found.iter().filter(|found| found.kind == self.kind && found.detail == self.detail);
        alike.find(|found| found.ways.iter().any(|way| self.ways.contains(way))).cloned()
    }

    /// Takes a case if the framework still disagrees about the same layer.
    fn take(&mut self, mut case: Case) -> bool {
        if self.runs >= self.most_runs {
            return false;
        }
        let may_fail = match self.kind {
            Kind::InvalidAccepted | Kind::MisleadingMessage => {
                Some(case.program.graph.nodes.len().saturating_sub(1))
            }
            _ => None,
        };
        if fit(&mut case, may_fail).is_none() || !self.is_expected(&case) {
            return false;
        }
        self.runs += 1;
        let seen = self.backend.run(&case, &asked(&self.ways));
        let Some(found) = self.same(&judge(&case, &seen).disagreements) else { return false };
        let Some(class) = case.invocation(found.node).map(|invocation| invocation.operator.name) else {
            return false;
        };
        let blamed = class == self.class || self.is_of_whole_model();
        if !blamed || self.backend.is_shared(&case, &found) {
            return false;
        }
        self.class = class;
        (self.case, self.node) = (case, found.node);
        true
    }

    /// Whether a whole model ended the process, or did not end, and nothing says at which layer.
    fn is_of_whole_model(&self) -> bool {
        matches!(self.kind, Kind::Crash | Kind::Hang) && !self.ways.contains(&Way::Call)
    }

    /// Whether the definitions say of the case what they said of the first one: valid, or broken in the same way.
    fn is_expected(&self, case: &Case) -> bool {
        let outcomes = outcomes(case, None, None);
        match self.kind {
            Kind::InvalidAccepted | Kind::MisleadingMessage => outcomes.iter().any(|outcome| {
                matches!(outcome, Err(error) if violation(&error.why).is_some_and(|(label, _)| label == self.detail))
            }),
            _ => outcomes.iter().all(Result::is_ok),
        }
    }

    /// The blamed node alone on the values that it saw; or with as few of those before it as will do.
    fn cut(&mut self, case: &Case, seen: &Seen) {
        let own = outcomes(case, Some(seen), None);
        let known = |value: ValueId| {
            seen.values.get(&value).and_then(|sight| sight.array.clone()).or_else(|| {
                let nodes = case.program.graph.nodes.iter().zip(&own);
                nodes.filter_map(|(node, outcome)| Some((node, outcome.as_ref().ok()?))).find_map(
                    |(node, readings)| {
                        let place = node.outputs.iter().position(|output| *output == Some(value))?;
                        Some(readings.get(place)?.as_ref()?.array.clone())
                    },
                )
            })
        };
        let mut node = self.node;
        if self.is_of_whole_model() {
            // The first layers that fail together end with the one to blame.
            for last in 0..node {
                let first: Vec<usize> = (0..=last).collect();
                if let Some(shorter) = case.cut(&first, &known)
                    && self.take(shorter)
                {
                    node = last;
                    break;
                }
            }
        }
        if let Some(alone) = case.cut(&[node], &known)
            && self.take(alone)
        {
            return;
        }
        let mut kept: Vec<usize> = (0..=node).collect();
        for left_out in 0..node {
            // A layer goes with the mask that it makes.
            let fewer = kept.iter().copied().filter(|other| case.layer_of(*other) != left_out);
            let fewer: Vec<usize> = fewer.collect();
            if fewer.len() == kept.len() {
                continue;
            }
            if let Some(smaller) = case.cut(&fewer, &known)
                && self.take(smaller)
            {
                kept = fewer;
            }
        }
    }

    /// The whole case in float32, which is what most people use.
    fn types(&mut self) {
        let mut case = self.case.clone();
        let stored = case.program.graph.constants.iter().map(|(value, _)| *value);
        let all: Vec<ValueId> = case.program.graph.inputs.iter().copied().chain(stored).collect();
        let mut changed = false;
        for value in all {
            let Some(array) = case.array(value).filter(|array| array.kind.is_float() && array.kind != F32)
            else {
                continue;
            };
            let Some(floats) = array.as_floats() else { continue };
            let rounded = floats.iter().map(|&x| F32.round(x)).collect();
            case.set_array(value, Array::floats(F32, &array.shape, rounded));
            changed = true;
        }
        for node in &mut case.program.graph.nodes {
            if let Action::Call(call) = &mut node.action {
                changed |= call.policy.is_some_and(|kind| kind != F32);
                call.policy = call.policy.map(|_| F32);
            }
        }
        if changed {
            self.take(case);
        }
    }

    fn try_argument(&mut self, node: usize, parameter: usize, given: Option<Given>) -> bool {
        let mut case = self.case.clone();
        case.set_argument(node, parameter, given);
        self.take(case)
    }

    /// Arguments left to their defaults, or nearer to one.
    fn arguments(&mut self) -> bool {
        let mut smaller = false;
        for node in 0..self.case.program.graph.nodes.len() {
            let count = self.case.invocation(node).map_or(0, |invocation| invocation.arguments.len());
            for parameter in 0..count {
                while let Some(invocation) = self.case.invocation(node) {
                    let Some(Some(given)) = invocation.arguments.get(parameter).cloned() else { break };
                    let required =
                        matches!(invocation.operator.parameters[parameter].default, Preset::Required);
                    let mut simpler: Vec<Option<Given>> = if required { Vec::new() } else { vec![None] };
                    simpler.extend(simpler_arguments(&given).into_iter().map(Some));
                    let taken = simpler.into_iter().any(|given| self.try_argument(node, parameter, given));
                    smaller |= taken;
                    if !taken {
                        break;
                    }
                }
            }
        }
        smaller
    }

    /// Smaller inputs: one axis of one of them, or of all that are as long there.
    fn sizes(&mut self) -> bool {
        let mut smaller = false;
        let inputs = self.case.program.graph.inputs.clone();
        for (k, value) in inputs.iter().enumerate() {
            let rank = self.case.inputs.get(value).map_or(0, |array| array.shape.len());
            for axis in 0..rank {
                let size = |case: &Case| case.inputs.get(value)?.shape.get(axis).copied();
                while let Some(size) = size(&self.case) {
                    let targets = [1, size / 2, size.saturating_sub(1)];
                    let mut targets: Vec<usize> =
                        targets.into_iter().filter(|target| *target >= 1 && *target < size).collect();
                    targets.dedup();
                    let taken = targets.into_iter().any(|target| {
                        self.try_size(&[*value], axis, size, target)
                            || (k == 0 && inputs.len() > 1 && self.try_size(&inputs, axis, size, target))
                    });
                    smaller |= taken;
                    if !taken {
                        break;
                    }
                }
            }
        }
        smaller
    }

    fn try_size(&mut self, inputs: &[ValueId], axis: usize, size: usize, target: usize) -> bool {
        let mut case = self.case.clone();
        for value in inputs {
            let Some(array) = case.inputs.get(value) else { continue };
            if array.shape.get(axis) != Some(&size) {
                continue;
            }
            let mut sizes = array.shape.clone();
            sizes[axis] = target;
            let cut = resized(array, &sizes);
            case.set_array(*value, cut);
        }
        self.take(case)
    }

    /// Simpler numbers in inputs and weights.
    fn values(&mut self) -> bool {
        let stored = self.case.program.graph.constants.iter().map(|(value, _)| *value);
        let all: Vec<ValueId> = self.case.program.graph.inputs.iter().copied().chain(stored).collect();
        let mut smaller = false;
        for value in all {
            let Some(array) = self.case.array(value) else { continue };
            for simpler in simpler_arrays(&array) {
                let mut case = self.case.clone();
                case.set_array(value, simpler);
                if self.take(case) {
                    smaller = true;
                    break;
                }
            }
        }
        smaller
    }
}

fn simpler_arguments(given: &Given) -> Vec<Given> {
    match given {
        Given::Int(value) => simpler_ints(*value).into_iter().map(Given::Int).collect(),
        Given::Ints(values) => {
            let mut simpler = Vec::new();
            if let [first, rest @ ..] = values.as_slice()
                && rest.iter().all(|value| value == first)
            {
                simpler.push(Given::Int(*first));
            }
            for place in 0..values.len() {
                for value in simpler_ints(values[place]) {
                    let mut changed = values.clone();
                    changed[place] = value;
                    simpler.push(Given::Ints(changed));
                }
            }
            simpler
        }
        Given::Float(value) => {
            let rounded = [0.0, 1.0, value.round(), (value * 10.0).round() / 10.0];
            let simple = |x: f64| if x == x.round() { x.abs() } else { 1e6 };
            rounded
                .into_iter()
                .filter(|x| x != value && simple(*x) < simple(*value))
                .map(Given::Float)
                .collect()
        }
        Given::Operators(operators) => simpler_operators(operators),
        _ => Vec::new(),
    }
}

/// One of several operators left out, or an argument of one of them made simpler.
fn simpler_operators(operators: &[(&'static Operator, Vec<Option<Given>>)]) -> Vec<Given> {
    let mut simpler = Vec::new();
    for place in 0..operators.len() {
        if operators.len() > 1 {
            let mut fewer = operators.to_vec();
            fewer.remove(place);
            simpler.push(Given::Operators(fewer));
        }
        let (operator, arguments) = &operators[place];
        for (slot, given) in arguments.iter().enumerate() {
            let Some(given) = given else { continue };
            let without = (!matches!(operator.parameters[slot].default, Preset::Required)).then_some(None);
            for other in without.into_iter().chain(simpler_arguments(given).into_iter().map(Some)) {
                let mut changed = operators.to_vec();
                changed[place].1[slot] = other;
                simpler.push(Given::Operators(changed));
            }
        }
    }
    simpler
}

/// Numbers nearer to 1.
fn simpler_ints(value: i64) -> Vec<i64> {
    let mut simpler: Vec<i64> = match value {
        2.. => vec![1, value / 2, value - 1],
        ..=-2 => vec![-1],
        _ => Vec::new(),
    };
    simpler.retain(|x| *x != value);
    simpler.dedup();
    simpler
}

/// Arrays with simpler numbers, the simplest first.
fn simpler_arrays(array: &Array) -> Vec<Array> {
    let Data::Float(values) = &array.data else { return Vec::new() };
    let with = |f: &dyn Fn(usize, f64) -> f64| {
        let changed = values.iter().enumerate().map(|(k, value)| array.kind.round(f(k, *value))).collect();
        Array::new(array.kind, array.shape.clone(), Data::Float(changed))
    };
    let candidates = [
        with(&|_, _| 0.0),
        with(&|_, _| 1.0),
        with(&|k, _| (k + 1) as f64),
        with(&|_, x| x.round()),
        with(&|_, x| (x * 10.0).round() / 10.0),
    ];
    // What is simple already is not made simpler in another way.
    let rank = |array: &Array| candidates.iter().position(|other| other == array).unwrap_or(usize::MAX);
    let own = rank(array);
    candidates.iter().take(own.min(candidates.len())).filter(|other| *other != array).cloned().collect()
}

impl Shrunk {
    /// Looks whether the value is the one that comes out in float32, or if an argument is not heeded.
    fn explain(&mut self) {
        if self.found.kind != Kind::WrongValue {
            return;
        }
        let node = self.found.node;
        let Some(seen) = self.seen.iter().find(|seen| self.found.ways.contains(&seen.way)) else { return };
        let Some(invocation) = self.case.invocation(node) else { return };
        self.found.as_float32 = is_as_float32(&self.case, seen, node);
        for (place, parameter) in invocation.operator.parameters.iter().enumerate() {
            if invocation.arguments[place].is_none() || matches!(parameter.default, Preset::Required) {
                continue;
            }
            let mut without = self.case.clone();
            without.set_argument(node, place, None);
            let same_weights =
                without.program.graph.constants.len() == self.case.program.graph.constants.len();
            let all = outcomes(&without, Some(seen), None);
            let Some(Ok(readings)) = all.get(node) else { continue };
            let outputs = self.case.program.graph.nodes[node].outputs.iter().zip(readings);
            let mut compared = outputs.filter_map(|(output, reading)| {
                let array = seen.values.get(&(*output)?)?.array.as_ref()?;
                let reading = reading.as_ref()?;
                Some(array.shape == reading.array.shape && compare_flushed(reading, array).agrees())
            });
            if same_weights && compared.next() == Some(true) && compared.all(|agrees| agrees) {
                self.found.kind = Kind::IgnoredArgument;
                self.found.detail = parameter.name.to_string();
                return;
            }
        }
    }
}
