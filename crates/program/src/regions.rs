//! Branches and loops on one path: what is true of their results whatever happens inside.

use crate::execute::Run;
use crate::ir::{Graph, Loop, Node, Scan, ValueId};
use crate::path::Entry;
use rustc_hash::FxHashSet;
use semantics::dim::{Dim, DimId, LARGEST_SIZE, Origin};
use semantics::dtype::{DType, Kind};
use semantics::prop::Prop;
use semantics::shape::{Shape, Slot};
use semantics::tensor::Tensor;
use semantics::values::Value;
use solver::Verdict;

/// Regions nested deeper than this are not entered.
const DEEPEST: usize = 64;
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
    pub(crate) fn conditional(
        &mut self,
        condition: ValueId,
        then: &'p Graph,
        otherwise: &'p Graph,
    ) -> Vec<Tensor> {
        let condition = truth(self.tensor(condition));
        match self.path.context.decide(condition) {
            Verdict::Holds => return self.region(then),
            Verdict::Fails => return self.region(otherwise),
            Verdict::Depends { .. } | Verdict::Unknown { .. } => {}
        }
        let first = self.branch(condition, then);
        let second = self.branch(!condition, otherwise);
        first.into_iter().zip(second).map(|(a, b)| merge(condition, a, b)).collect()
    }

    /// Follows a branch on a path of its own; its calls join the record.
    fn branch(&mut self, condition: Prop, graph: &'p Graph) -> Vec<Tensor> {
        let mut fork = self.path.fork();
        fork.context.assume(condition);
        std::mem::swap(&mut self.path, &mut fork);
        let outputs = self.region(graph);
        std::mem::swap(&mut self.path, &mut fork);
        self.path.record.append(&mut fork.record);
        outputs
    }

    pub(crate) fn repeated(&mut self, repeated: &'p Loop, node: &Node) -> Vec<Tensor> {
        let initial: Vec<Tensor> = repeated.carried.iter().map(|&value| self.tensor(value)).collect();
        let body = &repeated.body;
        let round = Tensor::of_dim(Kind::I64, Dim::symbol("round", 0, LARGEST_SIZE));
        let condition = Tensor::given("condition", Kind::Bool, Shape::scalar());
        let (carried, outputs) = self.fixpoint(initial, |run, carried| {
            let inputs = [round, condition].into_iter().chain(carried.iter().copied());
            bind(run, body, inputs);
            let outputs = run.region(body);
            let next = outputs.iter().skip(1).take(carried.len()).copied().collect();
            (next, outputs)
        });
        let rounds = self.rounds(repeated, &outputs, node);
        let collected = outputs.into_iter().skip(1 + carried.len()).map(|tensor| {
            Tensor::given("collected", tensor.dtype(), Shape::new([rounds]).join(tensor.shape()))
        });
        // A loop may run no round at all: then the initial values come out.
        carried.into_iter().map(forget).chain(collected.collect::<Vec<_>>()).collect()
    }

    /// How often a loop runs: known only if nothing but the count ends it.
    fn rounds(&mut self, repeated: &Loop, outputs: &[Tensor], node: &Node) -> Dim {
        let always = outputs.first().is_some_and(|&again| truth(again).known() == Some(true));
        let most = repeated.rounds.map(|value| self.tensor(value)).and_then(|tensor| number(tensor));
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
        if scan.batched {
            self.path.record.push(Entry {
                place: node.place.clone(),
                operator: "scan",
                inputs: Vec::new(),
                outputs: Vec::new(),
                open: Vec::new(),
                stated: 0,
                lost: vec!["a scan with a batch axis (opset 8) is not followed".into()],
            });
            return Vec::new();
        }
        let initial: Vec<Tensor> = scan.carried.iter().map(|&value| self.tensor(value)).collect();
        let mut length = None;
        let mut slices = Vec::with_capacity(scan.scanned.len());
        for walk in &scan.scanned {
            let tensor = self.tensor(walk.value);
            let shape = tensor.shape();
            let slot = axis_slot(walk.direction.axis, shape);
            length = length.or(Some(shape.size(slot)));
            slices.push(Tensor::given("slice", tensor.dtype(), shape.without(slot)));
        }
        let body = &scan.body;
        let (carried, outputs) = self.fixpoint(initial, |run, carried| {
            bind(run, body, carried.iter().chain(&slices).copied());
            let outputs = run.region(body);
            (outputs.iter().take(carried.len()).copied().collect(), outputs)
        });
        let length = length.unwrap_or(Dim::from(0));
        let collected =
            outputs.into_iter().skip(carried.len()).zip(&scan.collected).map(|(tensor, direction)| {
                let rank = tensor.shape().known_rank().map(|rank| rank as i64 + 1);
                let axis = match (direction.axis, rank) {
                    (axis, Some(rank)) if axis < 0 => (axis + rank).max(0),
                    (axis, _) => axis.max(0),
                };
                let axis = axis.min(i64::from(u32::MAX)) as u32;
                let (before, after) = match tensor.shape().known_rank() {
                    Some(rank) if axis as usize <= rank => {
                        (tensor.shape().trim(0, rank as u32 - axis), tensor.shape().trim(axis, 0))
                    }
                    _ => (Shape::scalar(), tensor.shape()),
                };
                Tensor::given("collected", tensor.dtype(), before.followed_by([length]).join(after))
            });
        let collected: Vec<Tensor> = collected.collect();
        carried.into_iter().map(forget).chain(collected).collect()
    }

    /// Runs a body until the shapes of what it carries repeat; sizes that keep changing become unknown.
    /// Only the last round stays in the record, since it stands for all.
    fn fixpoint(
        &mut self,
        initial: Vec<Tensor>,
        mut body: impl FnMut(&mut Self, &[Tensor]) -> (Vec<Tensor>, Vec<Tensor>),
    ) -> (Vec<Tensor>, Vec<Tensor>) {
        let mut carried: Vec<Tensor> = initial.into_iter().map(forget).collect();
        // Symbols that stand for any size already.
        let mut free = FxHashSet::default();
        for round in 0.. {
            let recorded = self.path.record.len();
            let context = self.path.context.clone();
            let (next, outputs) = body(self, &carried);
            let widened: Vec<Tensor> = carried
                .iter()
                .zip(&next)
                .map(|(&old, &new)| widen(old, new, &mut free, round >= ROUNDS))
                .collect();
            let stable = widened.iter().zip(&carried).all(|(new, old)| new.shape().id() == old.shape().id());
            if stable || round > ROUNDS {
                return (carried, outputs);
            }
            self.path.record.truncate(recorded);
            self.path.context = context;
            carried = widened;
        }
        (carried, Vec::new())
    }
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

/// What is true of a tensor that is `a` or `b`.
fn merge(condition: Prop, a: Tensor, b: Tensor) -> Tensor {
    let dtype = match (a.dtype(), b.dtype()) {
        (DType::Known(x), DType::Known(y)) if x == y => x.into(),
        _ => DType::unknown(),
    };
    let shape = match (a.shape().sizes(), b.shape().sizes()) {
        (Some(x), Some(y)) if x.len() == y.len() => {
            Shape::new(x.iter().zip(&y).map(|(&x, &y)| Dim::select(condition, x, y)))
        }
        _ if a.shape().id() == b.shape().id() => a.shape(),
        _ => Shape::unknown("branch"),
    };
    Tensor::given("branch", dtype, shape)
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
        None if axis < 0 => Slot::Back((-1 - axis).min(i64::from(u32::MAX)) as u32),
        _ => Slot::Front(axis.min(i64::from(u32::MAX)) as u32),
    }
}
