//! Branches and loops on known values: they simply run.

use super::collected::Collected;
use super::slices::{nothing_like, slice, stack, wrap};
use super::{Outcome, RunError, Runner, Why, exact};
use crate::evaluate::{Bound, Reading, room};
use program::ir::{Action, Declared, Direction, Graph, Loop, Node, Scan, Size, ValueId};
use semantics::array::Array;
use semantics::dtype::Kind;
use std::rc::Rc;

/// A loop that runs longer than this is not followed.
const MOST_ROUNDS: i64 = 1_000_000;

impl<'p> Runner<'p> {
    pub(super) fn region_node(&mut self, node: &'p Node) -> Outcome {
        let outputs = match &node.action {
            Action::If(branches) => {
                let condition = self.truth(branches.condition, node)?;
                self.region(if condition { &branches.then } else { &branches.otherwise }, node)?
            }
            Action::Loop(repeated) => self.repeat(repeated, node)?,
            Action::Scan(scan) => self.scan(scan, node)?,
            Action::Call(_) | Action::Constant(_) | Action::Unknown { .. } => Vec::new(),
        };
        Ok(outputs.into_iter().map(Some).collect())
    }

    fn error(&self, node: &Node, reason: impl Into<String>) -> RunError {
        let (node, spelled) = (node.place.node.clone(), node.place.spelled.to_string());
        RunError { node, spelled, why: Why::Unknown(reason.into()) }
    }
    fn needed(&mut self, value: ValueId, node: &Node) -> Result<Rc<Reading>, RunError> {
        let (place, spelled) = (&node.place.node, &node.place.spelled);
        self.value(value).map_err(|why| RunError { node: place.clone(), spelled: spelled.to_string(), why })
    }
    fn truth(&mut self, value: ValueId, node: &Node) -> Result<bool, RunError> {
        let reading = self.needed(value, node)?;
        self.decided(&reading, node)
    }
    fn decided(&self, reading: &Reading, node: &Node) -> Result<bool, RunError> {
        if matches!(&reading.bound, Bound::Bool(undecided) if undecided.first() == Some(&true)) {
            return Err(self.error(node, "rounding may decide the condition either way"));
        }
        let truth = reading.array.as_bools().and_then(|values| values.first().copied());
        truth.ok_or_else(|| self.error(node, "the condition is not a bool of one element"))
    }

    fn region(&mut self, graph: &'p Graph, node: &Node) -> Result<Vec<Rc<Reading>>, RunError> {
        for inner in &graph.nodes {
            let readings = self.node(inner)?;
            self.store(inner, readings);
        }
        graph.outputs.iter().map(|&output| self.needed(output, node)).collect()
    }

    fn repeat(&mut self, repeated: &'p Loop, node: &Node) -> Result<Vec<Rc<Reading>>, RunError> {
        let most = match repeated.rounds {
            Some(value) => {
                let rounds = self.needed(value, node)?;
                let number = rounds.array.as_ints().and_then(|values| values.first().copied());
                number.ok_or_else(|| self.error(node, "the number of rounds is not an integer"))?
            }
            None => i64::MAX,
        };
        let mut again = match repeated.condition {
            Some(value) => self.truth(value, node)?,
            None => true,
        };
        let mut carried = Vec::with_capacity(repeated.carried.len());
        for &value in &repeated.carried {
            carried.push(self.needed(value, node)?);
        }
        let body = &repeated.body;
        let collects = body.outputs.len().saturating_sub(1 + carried.len());
        let mut collected = Collected::new(collects);
        let mut round = 0;
        while again && round < most {
            if round >= MOST_ROUNDS {
                return Err(self.error(node, format!("the loop did not end within {MOST_ROUNDS} rounds")));
            }
            let outputs = self.round(body, round, again, &carried, node)?;
            again = match outputs.first() {
                Some(condition) => self.decided(condition, node)?,
                None => false,
            };
            carried = outputs.iter().skip(1).take(carried.len()).cloned().collect();
            self.collect(&mut collected, &outputs[(1 + carried.len()).min(outputs.len())..], node)?;
            round += 1;
        }
        let like = if collected.is_empty() { self.round(body, 0, true, &carried, node).ok() } else { None };
        let like = like.map(|outputs| outputs.into_iter().skip(1 + carried.len()).collect());
        let directions = vec![Direction { axis: 0, backward: false }; collects];
        let declared = &body.outputs[body.outputs.len() - collects..];
        carried.extend(self.stacked(&collected, &directions, like, declared, node)?);
        Ok(carried)
    }

    /// One round of a loop.
    fn round(
        &mut self,
        body: &'p Graph,
        round: i64,
        again: bool,
        carried: &[Rc<Reading>],
        node: &Node,
    ) -> Result<Vec<Rc<Reading>>, RunError> {
        let counter = Rc::new(exact(Array::ints(Kind::I64, &[], vec![round])));
        let condition = Rc::new(exact(Array::bools(&[], vec![again])));
        let inputs = [counter, condition].into_iter().chain(carried.iter().cloned());
        self.entered(body, inputs, node)
    }

    /// A body on its inputs.
    fn entered(
        &mut self,
        body: &'p Graph,
        inputs: impl Iterator<Item = Rc<Reading>>,
        node: &Node,
    ) -> Result<Vec<Rc<Reading>>, RunError> {
        for (&input, array) in body.inputs.iter().zip(inputs) {
            self.values.insert(input, array);
        }
        self.region(body, node)
    }

    fn collect(
        &self,
        collected: &mut Collected,
        outputs: &[Rc<Reading>],
        node: &Node,
    ) -> Result<(), RunError> {
        collected.push(outputs);
        let fits = room("what was collected", collected.bytes(), self.values.held());
        fits.map_err(|error| self.error(node, error.to_string()))
    }

    /// What was collected, stacked. If there was no round, it is as long as none: shaped `like` what a round
    /// would have given on the initial values, or as the body declares it.
    fn stacked(
        &self,
        collected: &Collected,
        directions: &[Direction],
        like: Option<Vec<Rc<Reading>>>,
        declared: &[ValueId],
        node: &Node,
    ) -> Result<Vec<Rc<Reading>>, RunError> {
        let lists = collected.lists().iter().zip(directions).enumerate();
        let stacked = lists.map(|(k, (list, &direction))| {
            let like = like.as_ref().and_then(|like| like.get(k)).map(|reading| &reading.array);
            let declared = declared.get(k).and_then(|&value| self.program.declared(value));
            let empty = || match like {
                Some(array) => nothing_like(array.kind, &array.shape, direction),
                None => declared
                    .and_then(declared_shape)
                    .and_then(|(kind, sizes)| nothing_like(kind, &sizes, direction)),
            };
            let reading = if list.is_empty() { empty() } else { stack(list, direction) };
            reading.map(Rc::new).ok_or_else(|| self.error(node, "what the rounds give cannot be stacked"))
        });
        stacked.collect()
    }

    fn scan(&mut self, scan: &'p Scan, node: &Node) -> Result<Vec<Rc<Reading>>, RunError> {
        if scan.batched {
            return self.scan_batches(scan, node);
        }
        let carried =
            scan.carried.iter().map(|&value| self.needed(value, node)).collect::<Result<Vec<_>, _>>()?;
        let scanned =
            scan.scanned.iter().map(|walk| self.needed(walk.value, node)).collect::<Result<Vec<_>, _>>()?;
        self.scan_once(scan, node, carried, &scanned)
    }

    fn scan_once(
        &mut self,
        scan: &'p Scan,
        node: &Node,
        mut carried: Vec<Rc<Reading>>,
        scanned: &[Rc<Reading>],
    ) -> Result<Vec<Rc<Reading>>, RunError> {
        let axis_of = |walked: &Reading, direction: Direction| wrap(direction.axis, walked.array.shape.len());
        let length = match (scanned.first(), scan.scanned.first()) {
            (Some(walked), Some(walk)) => {
                walked.array.shape.get(axis_of(walked, walk.direction)).copied().unwrap_or(0)
            }
            _ => 0,
        };
        let mut collected = Collected::new(scan.collected.len());
        for round in 0..length {
            let mut inputs = carried.clone();
            for (array, walk) in scanned.iter().zip(&scan.scanned) {
                let at = if walk.direction.backward { length - 1 - round } else { round };
                let slice = slice(array, axis_of(array, walk.direction), at);
                inputs
                    .push(Rc::new(slice.ok_or_else(|| self.error(node, "an axis to scan does not exist"))?));
            }
            let outputs = self.entered(&scan.body, inputs.into_iter(), node)?;
            carried = outputs.iter().take(carried.len()).cloned().collect();
            self.collect(&mut collected, &outputs[carried.len().min(outputs.len())..], node)?;
        }
        let like = if length == 0 {
            // There is no slice to take: zeros have its shape.
            let zeros = scanned.iter().zip(&scan.scanned).map(|(array, walk)| {
                let (kind, mut sizes) = (array.array.kind, array.array.shape.clone());
                sizes.remove(axis_of(array, walk.direction).min(sizes.len().saturating_sub(1)));
                Rc::new(exact(Array::zeros(kind, &sizes)))
            });
            let inputs = carried.iter().cloned().chain(zeros);
            let outputs = self.entered(&scan.body, inputs, node).ok();
            outputs.map(|outputs| outputs.into_iter().skip(carried.len()).collect())
        } else {
            None
        };
        let declared = &scan.body.outputs[carried.len().min(scan.body.outputs.len())..];
        carried.extend(self.stacked(&collected, &scan.collected, like, declared, node)?);
        Ok(carried)
    }

    /// The oldest version: axis 0 of everything is a batch, and each of its entries is scanned by itself.
    fn scan_batches(&mut self, scan: &'p Scan, node: &Node) -> Result<Vec<Rc<Reading>>, RunError> {
        let values = scan.carried.iter().copied().chain(scan.scanned.iter().map(|walk| walk.value));
        let arrays = values.map(|value| self.needed(value, node)).collect::<Result<Vec<_>, _>>()?;
        let batch = arrays.first().and_then(|walked| walked.array.shape.first().copied()).unwrap_or(0);
        let mut results: Vec<Vec<Rc<Reading>>> = vec![Vec::new(); scan.body.outputs.len()];
        for entry in 0..batch {
            let part = |array: &Rc<Reading>| slice(array, 0, entry).map(Rc::new);
            let parts: Option<Vec<Rc<Reading>>> = arrays.iter().map(part).collect();
            let parts = parts.ok_or_else(|| self.error(node, "the batch axis does not exist"))?;
            let (carried, scanned) = parts.split_at(scan.carried.len());
            let outputs = self.scan_once(scan, node, carried.to_vec(), scanned)?;
            for (list, array) in results.iter_mut().zip(outputs) {
                list.push(array);
            }
        }
        let stacked =
            results.iter().map(|list| stack(list, Direction { axis: 0, backward: false }).map(Rc::new));
        stacked.collect::<Option<_>>().ok_or_else(|| self.error(node, "the scan collected nothing"))
    }
}

/// The type and the sizes that a body declares for an output; those it leaves open are 0, as in ONNX Runtime.
fn declared_shape(declared: &Declared) -> Option<(Kind, Vec<usize>)> {
    let Declared::Tensor { kind: Some(kind), sizes } = declared else { return None };
    let size = |size: &Size| match size {
        Size::Known(size) => usize::try_from(*size).unwrap_or(0),
        Size::Named(_) | Size::Unknown => 0,
    };
    Some((*kind, sizes.iter().flatten().map(size).collect()))
}
