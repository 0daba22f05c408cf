//! Branches and loops on one path: what is true of their results whatever happens inside.

use crate::execute::Run;
use crate::ir::{Declared, Graph, If, Loop, Node, Scan, Size};
use crate::path::{Entry, How, Judged, Path, Rounds, merge};
use rustc_hash::FxHashSet;
use semantics::array::Array;
use semantics::call::{Requirement, intern};
use semantics::dim::{Dim, DimId, LARGEST_SIZE, Origin};
use semantics::dtype::Kind;
use semantics::operator::Category;
use semantics::prop::Prop;
use semantics::shape::{Shape, Slot};
use semantics::tensor::Tensor;
use semantics::values::Value;
use smallvec::smallvec;
use solver::Verdict;

/// Regions nested deeper than this are not entered.
const DEEPEST: usize = 64;
/// Axes beyond this are not told apart.
const FARTHEST: i64 = 1 << 16;
/// Rounds after which sizes that still change are given up.
const ROUNDS: usize = 4;

impl<'p> Run<'p> {
    fn region(&mut self, graph: &'p Graph) -> Vec<Tensor> {
        // Loops within loops multiply: what is left of the work is what bounds them.
        if self.depth >= DEEPEST || semantics::arena::is_used_up() {
            return graph.outputs.iter().map(|&output| self.unknown_tensor(output)).collect();
        }
        self.depth += 1;
        self.graph(graph);
        self.depth -= 1;
        graph.outputs.iter().map(|&output| self.tensor(output)).collect()
    }

    /// Both branches are followed unless the condition is known; results that differ are merged.
    pub(crate) fn conditional(&mut self, branches: &'p If, node: &Node) -> Vec<Tensor> {
        let If { condition, then, otherwise } = branches;
        let tensor = self.tensor(*condition);
        let fits = of_type("the condition is bool", tensor, Kind::Bool);
        let label = || "the condition has one element".to_string();
        let single = requirement(label, Category::IncompatibleShape, tensor.shape().count().eq(1));
        self.path.state(&[fits, single], "if", vec![("condition", tensor)], &node.place);
        if fits.prop.known() == Some(false) || single.prop.known() == Some(false) {
            return Vec::new();
        }
        let condition = truth(tensor);
        match self.path.context.decide(condition) {
            Verdict::Holds => {
                self.never_taken(tensor, otherwise);
                return self.region(then);
            }
            Verdict::Fails => {
                self.never_taken(tensor, then);
                return self.region(otherwise);
            }
            Verdict::Depends { .. } | Verdict::Unknown { .. } => {}
        }
        let (first, mut then) = self.branch(condition, then);
        let (second, mut otherwise) = self.branch(!condition, otherwise);
        for (fork, truth) in [(&mut then, true), (&mut otherwise, false)] {
            for made in fork.made.iter_mut().flatten() {
                made.guards.push((tensor, truth));
            }
        }
        self.path.join(condition, then, otherwise);
        let alike: Vec<Requirement> =
            first.iter().zip(&second).map(|(&then, &otherwise)| alike(then, otherwise)).collect();
        let given = first.iter().map(|&tensor| ("then", tensor));
        let given = given.chain(second.iter().map(|&tensor| ("otherwise", tensor))).collect();
        self.path.state(&alike, "if", given, &node.place);
        let merged = |(a, b)| {
            let merged = merge(condition, a, b);
            if merged != a {
                let when = smallvec![(tensor, true), (tensor, false)];
                self.path.follow_one_of(&node.place, "if", smallvec![a, b], merged, when);
            }
            merged
        };
        first.into_iter().zip(second).map(merged).collect()
    }

    /// The branch that a condition written in the file excludes. ONNX Runtime infers its types and shapes all the same
    /// and refuses the model if they clash; nothing else that may be wrong with it matters.
    fn never_taken(&mut self, condition: Tensor, graph: &'p Graph) {
        if !condition.is_stored() {
            return;
        }
        let (_, fork) = self.branch(true.into(), graph);
        let clashes = |judged: &Judged| {
            let category = judged.requirement.category;
            judged.breaks() && matches!(category, Category::IncompatibleShape | Category::IncompatibleType)
        };
        self.path.record.extend(fork.record.into_iter().filter(|entry| entry.open.iter().any(clashes)));
    }

    /// Follows a branch on a path of its own.
    fn branch(&mut self, condition: Prop, graph: &'p Graph) -> (Vec<Tensor>, Path) {
        let mut fork = self.path.fork();
        fork.context.assume(condition);
        std::mem::swap(&mut self.path, &mut fork);
        let outputs = self.region(graph);
        std::mem::swap(&mut self.path, &mut fork);
        (outputs, fork)
    }

    pub(crate) fn repeated(&mut self, repeated: &'p Loop, node: &Node) -> Vec<Tensor> {
        let initial: Vec<Tensor> = repeated.carried.iter().map(|&value| self.tensor(value)).collect();
        let body = &repeated.body;
        let mut requirements = Vec::new();
        let mut given = Vec::new();
        if let Some(rounds) = repeated.rounds.map(|value| self.tensor(value)) {
            requirements.push(of_type("the number of rounds is int64", rounds, Kind::I64));
            given.push(("rounds", rounds));
        }
        let condition = repeated.condition.map(|value| self.tensor(value));
        if let Some(condition) = condition {
            requirements.push(of_type("the condition is bool", condition, Kind::Bool));
            given.push(("condition", condition));
        }
        given.extend(initial.iter().map(|&tensor| ("carried", tensor)));
        let round = Dim::symbol("round", 0, LARGEST_SIZE);
        let number = Tensor::of_dim(Kind::I64, round);
        let shape = condition.map_or(Shape::scalar(), |condition| condition.shape());
        let starts = Tensor::given("condition", Kind::Bool, shape);
        let inputs = [number, starts].into_iter().chain(initial.iter().copied());
        self.declared_inputs(body, inputs, &mut requirements);
        self.path.state(&requirements, "loop", given, &node.place);
        if requirements.iter().any(|requirement| requirement.prop.known() == Some(false)) {
            return Vec::new();
        }
        // A round is run only where the condition, the first one or the last round's, is true.
        let running = Tensor::constant(Array::bools(&[], vec![true]));
        let first = initial.clone();
        let before = self.path.made.as_ref().map_or(0, Vec::len);
        let (carried, outputs, changing) = self.fixpoint(initial, node, condition, |run, carried| {
            let inputs = [number, running].into_iter().chain(carried.iter().copied());
            bind(run, body, inputs);
            let outputs = run.region(body);
            let next = outputs.iter().skip(1).take(carried.len()).copied().collect();
            (next, outputs)
        });
        self.guard_rounds(repeated, before);
        let again = outputs.first().copied();
        let next: Vec<Tensor> = outputs.iter().skip(1).take(carried.len()).copied().collect();
        let rounds = self.rounds(repeated, &outputs, node);
        if let Some(&again) = outputs.first() {
            let fits = of_type("the body gives its condition as bool", again, Kind::Bool);
            self.path.state(&[fits], "loop", vec![("condition", again)], &node.place);
        }
        let collected: Vec<Tensor> = outputs.into_iter().skip(1 + carried.len()).collect();
        let steady: Vec<Requirement> =
            collected.iter().map(|&tensor| steady(tensor, round, rounds, &changing)).collect();
        let given = collected.iter().map(|&tensor| ("collected", tensor)).collect();
        self.path.state(&steady, "loop", given, &node.place);
        let stacked = collected.iter().map(|tensor| {
            let first = at_round(tensor.shape(), round, 0.into());
            Tensor::given("collected", tensor.dtype(), Shape::new([rounds]).join(first))
        });
        // A loop may run no round at all: then the initial values come out.
        let results: Vec<Tensor> = carried.iter().map(|&tensor| forget(tensor)).chain(stacked).collect();
        // Where nothing but the condition ends the loop, it is false at the end.
        let ends = condition.zip(again).filter(|_| repeated.rounds.is_none());
        self.come_from(&results, &first, &next, &collected, ends, node);
        if self.path.made.is_some() && next.len() == carried.len() {
            let most = repeated.rounds.map(|value| self.tensor(value));
            let (starts, number) = (condition, Some(number));
            let results = results[..carried.len()].to_vec();
            let rounds = Rounds { most, starts, number, initial: first, carried, next, results, again };
            self.path.follow_rounds(&node.place, rounds);
        }
        results
    }

    /// What a round does, it does where its condition is true.
    fn guard_rounds(&mut self, repeated: &Loop, before: usize) {
        let Some(asked) = repeated.asked.and_then(|value| self.tensors.get(value)) else { return };
        let Some(made) = self.path.made.as_mut() else { return };
        let made = made.get_mut(before..).unwrap_or_default();
        // The condition itself is computed before anybody knows of it.
        let own = made.iter().position(|made| made.outputs.contains(&asked)).map_or(0, |own| own + 1);
        for made in made[own..].iter_mut().filter(|made| made.how == How::Called) {
            made.guards.push((asked, true));
        }
    }

    /// How often a loop runs: known only if nothing but the count ends it.
    fn rounds(&mut self, repeated: &Loop, outputs: &[Tensor], node: &Node) -> Dim {
        let always = outputs.first().is_some_and(|&again| truth(again).known() == Some(true));
        let most = repeated.rounds.map(|value| self.tensor(value)).and_then(number);
        let starts = repeated.condition.is_none_or(|value| truth(self.tensor(value)).known() == Some(true));
        match most {
            Some(most) if always && starts => most.max(0),
            _ => {
                let origin = Origin::computed(&format!("rounds of `{}`", node.place.node));
                Dim::symbol_from("rounds", 0, LARGEST_SIZE, origin)
            }
        }
    }

    pub(crate) fn scanned(&mut self, scan: &'p Scan, node: &Node) -> Vec<Tensor> {
        let mut requirements = Vec::new();
        let carried = scan.carried.iter().map(|&value| ("carried", value));
        let given = carried.chain(scan.scanned.iter().map(|walk| ("scanned", walk.value)));
        let given: Vec<(&'static str, Tensor)> =
            given.map(|(name, value)| (name, self.tensor(value))).collect();
        let Some((batch, entries)) = entries(scan, &given, &mut requirements) else {
            self.path.state(&requirements, "scan", given, &node.place);
            return Vec::new();
        };
        let (initial, walked) = entries.split_at(scan.carried.len());
        let initial = initial.to_vec();
        let mut length = None;
        let mut slices = Vec::with_capacity(scan.scanned.len());
        for (walk, tensor) in scan.scanned.iter().zip(walked) {
            let shape = tensor.shape();
            let slot = axis_slot(walk.direction.axis, shape);
            let size = shape.size(slot);
            let length = *length.get_or_insert(size);
            let label = || "the scanned inputs are equally long".to_string();
            requirements.push(requirement(label, Category::IncompatibleShape, size.eq(length)));
            slices.push(Tensor::given("slice", tensor.dtype(), shape.without(slot)));
        }
        let body = &scan.body;
        self.declared_inputs(body, initial.iter().chain(&slices).copied(), &mut requirements);
        self.path.state(&requirements, "scan", given, &node.place);
        if requirements.iter().any(|requirement| requirement.prop.known() == Some(false)) {
            return Vec::new();
        }
        for (slice, tensor) in slices.iter().zip(walked) {
            self.path.follow(&node.place, "scan", smallvec![*tensor], smallvec![*slice], How::OneOf);
        }
        let first = initial.clone();
        let (carried, outputs, _) = self.fixpoint(initial, node, None, |run, carried| {
            bind(run, body, carried.iter().chain(&slices).copied());
            let outputs = run.region(body);
            (outputs.iter().take(carried.len()).copied().collect(), outputs)
        });
        let length = length.unwrap_or(Dim::from(0));
        let next: Vec<Tensor> = outputs.iter().take(carried.len()).copied().collect();
        let last: Vec<Tensor> = outputs.into_iter().skip(carried.len()).collect();
        let collected = last.iter().zip(&scan.collected).map(|(&tensor, direction)| {
            let rank = tensor.shape().known_rank().map(|rank| rank as i64 + 1);
            let axis = match (direction.axis, rank) {
                (axis, Some(rank)) if axis < 0 => (axis + rank).max(0),
                (axis, _) => axis.max(0),
            };
            let axis = axis.min(FARTHEST) as u32;
            let (before, after) = match tensor.shape().known_rank() {
                Some(rank) if axis as usize <= rank => {
                    (tensor.shape().trim(0, rank as u32 - axis), tensor.shape().trim(axis, 0))
                }
                _ => (Shape::scalar(), tensor.shape()),
            };
            Tensor::given("collected", tensor.dtype(), before.followed_by([length]).join(after))
        });
        let collected: Vec<Tensor> = collected.collect();
        let results: Vec<Tensor> = carried.iter().map(|&tensor| forget(tensor)).chain(collected).collect();
        self.come_from(&results, &first, &next, &last, None, node);
        let of_all = |result: Tensor| match batch {
            Some(batch) => Tensor::given("results", result.dtype(), Shape::new([batch]).join(result.shape())),
            None => result,
        };
        let all: Vec<Tensor> = results.iter().map(|&result| of_all(result)).collect();
        for (&one, &many) in results.iter().zip(&all).filter(|(one, many)| one != many) {
            self.path.follow(&node.place, "scan", smallvec![one], smallvec![many], How::OneOf);
        }
        all
    }

    /// Notes where the results of a loop have their elements from: what is carried from before the first round or from
    /// the last, what is collected from every one.
    fn come_from(
        &mut self,
        results: &[Tensor],
        first: &[Tensor],
        next: &[Tensor],
        collected: &[Tensor],
        ends: Option<(Tensor, Tensor)>,
        node: &Node,
    ) {
        for (result, (first, next)) in results.iter().zip(first.iter().zip(next)) {
            let when = ends.map_or(smallvec![], |(starts, again)| smallvec![(starts, false), (again, false)]);
            self.path.follow_one_of(&node.place, "loop", smallvec![*first, *next], *result, when);
        }
        for (result, each) in results.iter().skip(first.len()).zip(collected) {
            self.path.follow(&node.place, "loop", smallvec![*each], smallvec![*result], How::OneOf);
        }
    }

    /// States that what flows into a body is what it declares to take.
    fn declared_inputs(
        &mut self,
        body: &Graph,
        tensors: impl Iterator<Item = Tensor>,
        requirements: &mut Vec<Requirement>,
    ) {
        for (&input, tensor) in body.inputs.iter().zip(tensors) {
            let Some(Declared::Tensor { kind, sizes }) = self.program.declared(input) else { continue };
            let name = self.program.name(input);
            if let Some(kind) = *kind {
                let label = format!("the body takes `{name}` as {kind}");
                requirements.push(of_type(&label, tensor, kind));
            }
            let Some(sizes) = sizes else { continue };
            let shape = tensor.shape();
            let ranks = shape.rank().eq(sizes.len());
            let mut stated = vec![ranks];
            if let Some(given) = shape.sizes().filter(|given| given.len() == sizes.len()) {
                stated.extend(given.iter().zip(sizes).filter_map(|(given, size)| match size {
                    Size::Known(size) => Some(given.eq(*size)),
                    Size::Named(_) | Size::Unknown => None,
                }));
            }
            let label = || {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                format!("the body takes `{name}` as [{}]", sizes.join(", "))
            };
            requirements.push(requirement(label, Category::IncompatibleShape, Prop::all(stated)));
        }
    }

    /// Runs a body until the shapes of what it carries repeat; sizes that keep changing become unknown.
    /// Only the last round stays in the record, since it stands for all. Gives what is carried, what the body gives,
    /// and the sizes that change.
    fn fixpoint(
        &mut self,
        initial: Vec<Tensor>,
        node: &Node,
        starts: Option<Tensor>,
        mut body: impl FnMut(&mut Self, &[Tensor]) -> (Vec<Tensor>, Vec<Tensor>),
    ) -> (Vec<Tensor>, Vec<Tensor>, FxHashSet<DimId>) {
        let mut carried: Vec<Tensor> = initial.iter().map(|&tensor| forget(tensor)).collect();
        // Symbols that stand for any size already.
        let mut free = FxHashSet::default();
        for round in 0.. {
            let recorded = self.path.record.len();
            let (context, plain) = (self.path.context.clone(), self.path.plain);
            let made = self.path.made.as_ref().map_or(0, Vec::len);
            let (next, outputs) = body(self, &carried);
            if self.path.record[recorded..].iter().any(Entry::is_violated) {
                // What fails in one round fails the loop: no later round can make up for it.
                return (carried, outputs, free);
            }
            let kept: Vec<Requirement> =
                carried.iter().zip(&next).map(|(&old, &new)| kept_type(old, new)).collect();
            if kept.iter().any(|requirement| requirement.prop.known() == Some(false)) {
                let given = next.iter().map(|&tensor| ("next", tensor)).collect();
                self.path.state(&kept, "loop", given, &node.place);
                return (carried, outputs, free);
            }
            let widened: Vec<Tensor> = carried
                .iter()
                .zip(&next)
                .map(|(&old, &new)| widen(old, new, &mut free, round >= ROUNDS))
                .collect();
            let stable = widened.iter().zip(&carried).all(|(new, old)| new.shape().id() == old.shape().id());
            if stable || round > ROUNDS {
                // A condition that is asked before the first round is the first thing that a round gives.
                let runs = starts.zip(outputs.first().copied());
                for ((&first, &next), &carried) in initial.iter().zip(&next).zip(&carried) {
                    let when =
                        runs.map_or(smallvec![], |(starts, again)| smallvec![(starts, true), (again, true)]);
                    self.path.follow_one_of(&node.place, "loop", smallvec![first, next], carried, when);
                }
                return (carried, outputs, free);
            }
            self.path.record.truncate(recorded);
            if let Some(all) = &mut self.path.made {
                all.truncate(made);
            }
            self.path.context = context;
            self.path.plain = plain;
            carried = widened;
        }
        (carried, Vec::new(), free)
    }
}

/// A requirement whose label is made only where somebody may read it.
fn requirement(label: impl FnOnce() -> String, category: Category, prop: Prop) -> Requirement {
    let label = if prop.known() == Some(true) { "" } else { intern(label()) };
    Requirement { label, category, prop }
}

fn of_type(label: &str, tensor: Tensor, kind: Kind) -> Requirement {
    requirement(|| label.to_string(), Category::IncompatibleType, tensor.dtype().is(kind))
}

/// What is carried has one element type in every round.
fn kept_type(old: Tensor, new: Tensor) -> Requirement {
    let label = || format!("`{}` keeps its element type from round to round", old.name());
    requirement(label, Category::IncompatibleType, new.dtype().same(old.dtype()))
}

/// Both branches give a result of one element type.
fn alike(then: Tensor, otherwise: Tensor) -> Requirement {
    let label = || "`then` and `otherwise` have one element type".to_string();
    requirement(label, Category::IncompatibleType, then.dtype().same(otherwise.dtype()))
}

/// What a loop collects has one shape in every round.
fn steady(tensor: Tensor, round: Dim, rounds: Dim, changing: &FxHashSet<DimId>) -> Requirement {
    let next = at_round(tensor.shape(), round, round + 1);
    let label = || "`collected` has one shape in every round".to_string();
    let mut changes = false;
    for size in tensor.shape().sizes().iter().flatten() {
        size.leaves(&mut |leaf| changes |= changing.contains(&leaf.dim().id()));
    }
    let same = match next.id() == tensor.shape().id() {
        _ if changes => Prop::unknown("every round gives the same sizes"),
        true => true.into(),
        false => next.same(tensor.shape()),
    };
    requirement(label, Category::IncompatibleShape, rounds.le(1) | same)
}

/// A shape with the number of the round replaced.
fn at_round(shape: Shape, round: Dim, number: Dim) -> Shape {
    let (Some(sizes), Some(atom)) = (shape.sizes(), round.as_atom()) else { return shape };
    let replaced =
        |size: &Dim| size.substitute(&mut |leaf| Some(if leaf == atom { number } else { leaf.dim() }));
    sizes.iter().map(replaced).collect::<Option<Vec<Dim>>>().map_or(shape, Shape::new)
}

/// What one entry of the batch gives to a scan, and the size of the batch; before version 9 every input has one.
/// `None` if an input has no axis for it.
fn entries(
    scan: &Scan,
    given: &[(&'static str, Tensor)],
    requirements: &mut Vec<Requirement>,
) -> Option<(Option<Dim>, Vec<Tensor>)> {
    let tensors = given.iter().map(|(_, tensor)| *tensor);
    if !scan.batched {
        return Some((None, tensors.collect()));
    }
    let mut batch = None;
    let mut entries = Vec::with_capacity(given.len());
    for tensor in tensors {
        let shape = tensor.shape();
        let label = || "every input of the scan has a batch axis".to_string();
        let batched = requirement(label, Category::IncompatibleShape, shape.rank().ge(1));
        requirements.push(batched);
        if batched.prop.known() == Some(false) {
            return None;
        }
        let size = shape.size(Slot::Front(0));
        let batch = *batch.get_or_insert(size);
        let label = || "the inputs of the scan have one batch size".to_string();
        requirements.push(requirement(label, Category::IncompatibleShape, size.eq(batch)));
        entries.push(Tensor::given("entry", tensor.dtype(), shape.without(Slot::Front(0))));
    }
    Some((batch, entries))
}

/// Gives a region's inputs their tensors.
fn bind(run: &mut Run<'_>, graph: &Graph, tensors: impl Iterator<Item = Tensor>) {
    for (&input, tensor) in graph.inputs.iter().zip(tensors) {
        run.tensors.insert(input, tensor);
    }
}

/// A bool tensor of one element as a statement.
fn truth(tensor: Tensor) -> Prop {
    let value = tensor.values().and_then(|values| values.first().copied()).and_then(Value::prop);
    value.unwrap_or_else(|| Prop::unknown(&format!("`{}` is true", tensor.name())))
}

fn number(tensor: Tensor) -> Option<Dim> {
    tensor.values()?.first()?.dim()
}

/// The same type and shape, without the value: it is another in every round.
fn forget(tensor: Tensor) -> Tensor {
    Tensor::given(&tensor.name(), tensor.dtype(), tensor.shape())
}

fn widen(old: Tensor, new: Tensor, free: &mut FxHashSet<DimId>, give_up: bool) -> Tensor {
    if old.shape().id() == new.shape().id() {
        return old;
    }
    let mut size = |x: Dim, y: Dim| {
        if x.id() == y.id() || free.contains(&x.id()) {
            return x;
        }
        let any = Dim::symbol("a size that changes from round to round", 0, LARGEST_SIZE);
        free.insert(any.id());
        any
    };
    let shape = match (old.shape().sizes(), new.shape().sizes()) {
        (Some(x), Some(y)) if x.len() == y.len() && !give_up => {
            Shape::new(x.iter().zip(&y).map(|(&x, &y)| size(x, y)).collect::<Vec<_>>())
        }
        _ if old.shape().known_rank().is_none() => return old,
        _ => Shape::unknown("carried"),
    };
    Tensor::given(&old.name(), old.dtype(), shape)
}

fn axis_slot(axis: i64, shape: Shape) -> Slot {
    match shape.known_rank() {
        Some(rank) if axis < 0 => Slot::Front((axis + rank as i64).max(0) as u32),
        None if axis < 0 => Slot::Back((-1 - axis).min(FARTHEST) as u32),
        _ => Slot::Front(axis.clamp(0, FARTHEST) as u32),
    }
}
