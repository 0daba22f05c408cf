//! Branches and loops on known values: they simply run.

use super::{RunError, Runner, Why, exact};
use crate::evaluate::Reading;
use program::ir::{Action, Direction, Graph, Loop, Node, Scan, ValueId};
use semantics::array::{Array, Data, strides};
use std::rc::Rc;

/// A loop that runs longer than this is not followed.
const MOST_ROUNDS: i64 = 1_000_000;

impl<'p> Runner<'p> {
    pub(super) fn region_node(&mut self, node: &'p Node) -> Result<Vec<Option<Reading>>, RunError> {
        let outputs = match &node.action {
            Action::If { condition, then, otherwise } => {
                let chosen = if self.truth(*condition, node)? { then } else { otherwise };
                self.region(chosen, node)?
            }
            Action::Loop(repeated) => self.repeat(repeated, node)?,
            Action::Scan(scan) => self.scan(scan, node)?,
            Action::Call(_) | Action::Constant(_) | Action::Unknown { .. } => Vec::new(),
        };
        Ok(outputs.into_iter().map(|array| Some(exact((*array).clone()))).collect())
    }

    fn error(&self, node: &Node, reason: impl Into<String>) -> RunError {
        let (node, spelled) = (node.place.node.clone(), node.place.spelled.clone());
        RunError { node, spelled, why: Why::Unknown(reason.into()) }
    }
    fn value(&self, value: ValueId, node: &Node) -> Result<Rc<Array>, RunError> {
        let name = self.program.name(value);
        self.values.get(&value).cloned().ok_or_else(|| self.error(node, format!("`{name}` has no value")))
    }
    fn truth(&self, value: ValueId, node: &Node) -> Result<bool, RunError> {
        let array = self.value(value, node)?;
        let truth = array.as_bools().and_then(|values| values.first().copied());
        truth.ok_or_else(|| self.error(node, "the condition is not a bool of one element"))
    }

    fn region(&mut self, graph: &'p Graph, node: &Node) -> Result<Vec<Rc<Array>>, RunError> {
        self.constants(graph)?;
        for inner in &graph.nodes {
            let readings = self.node(inner)?;
            self.store(inner, readings);
        }
        graph.outputs.iter().map(|&output| self.value(output, node)).collect()
    }

    fn repeat(&mut self, repeated: &'p Loop, node: &Node) -> Result<Vec<Rc<Array>>, RunError> {
        let most = match repeated.rounds {
            Some(value) => {
                let array = self.value(value, node)?;
                let number = array.as_ints().and_then(|values| values.first().copied());
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
            carried.push(self.value(value, node)?);
        }
        let body = &repeated.body;
        let collects = body.outputs.len().saturating_sub(1 + carried.len());
        let mut collected: Vec<Vec<Rc<Array>>> = vec![Vec::new(); collects];
        let mut round = 0;
        while again && round < most {
            if round >= MOST_ROUNDS {
                return Err(self.error(node, format!("the loop did not end within {MOST_ROUNDS} rounds")));
            }
            let counter = Rc::new(Array::ints(semantics::dtype::Kind::I64, &[], vec![round]));
            let condition = Rc::new(Array::bools(&[], vec![again]));
            let inputs = [counter, condition].into_iter().chain(carried.iter().cloned());
            for (&input, array) in body.inputs.iter().zip(inputs) {
                self.values.insert(input, array);
            }
            let outputs = self.region(body, node)?;
            again = outputs
                .first()
                .and_then(|array| array.as_bools())
                .and_then(|v| v.first().copied())
                .unwrap_or(false);
            carried = outputs.iter().skip(1).take(carried.len()).cloned().collect();
            for (list, array) in collected.iter_mut().zip(outputs.iter().skip(1 + carried.len())) {
                list.push(array.clone());
            }
            round += 1;
        }
        for list in &collected {
            let direction = Direction { axis: 0, backward: false };
            carried.push(Rc::new(
                stack(list, direction).ok_or_else(|| self.error(node, "the loop collected nothing"))?,
            ));
        }
        Ok(carried)
    }

    fn scan(&mut self, scan: &'p Scan, node: &Node) -> Result<Vec<Rc<Array>>, RunError> {
        if scan.batched {
            return self.scan_batches(scan, node);
        }
        let carried =
            scan.carried.iter().map(|&value| self.value(value, node)).collect::<Result<Vec<_>, _>>()?;
        let scanned =
            scan.scanned.iter().map(|walk| self.value(walk.value, node)).collect::<Result<Vec<_>, _>>()?;
        self.scan_once(scan, node, carried, &scanned)
    }

    fn scan_once(
        &mut self,
        scan: &'p Scan,
        node: &Node,
        mut carried: Vec<Rc<Array>>,
        scanned: &[Rc<Array>],
    ) -> Result<Vec<Rc<Array>>, RunError> {
        let axis_of = |array: &Array, direction: Direction| wrap(direction.axis, array.shape.len());
        let length = match (scanned.first(), scan.scanned.first()) {
            (Some(array), Some(walk)) => {
                array.shape.get(axis_of(array, walk.direction)).copied().unwrap_or(0)
            }
            _ => 0,
        };
        let mut collected: Vec<Vec<Rc<Array>>> = vec![Vec::new(); scan.collected.len()];
        for round in 0..length {
            let mut inputs = carried.clone();
            for (array, walk) in scanned.iter().zip(&scan.scanned) {
                let at = if walk.direction.backward { length - 1 - round } else { round };
                let slice = slice(array, axis_of(array, walk.direction), at);
                inputs
                    .push(Rc::new(slice.ok_or_else(|| self.error(node, "an axis to scan does not exist"))?));
            }
            for (&input, array) in scan.body.inputs.iter().zip(inputs) {
                self.values.insert(input, array);
            }
            let outputs = self.region(&scan.body, node)?;
            carried = outputs.iter().take(carried.len()).cloned().collect();
            for (list, array) in collected.iter_mut().zip(outputs.iter().skip(carried.len())) {
                list.push(array.clone());
            }
        }
        for (list, &direction) in collected.iter().zip(&scan.collected) {
            carried.push(Rc::new(
                stack(list, direction).ok_or_else(|| self.error(node, "the scan collected nothing"))?,
            ));
        }
        Ok(carried)
    }

    /// The oldest version: axis 0 of everything is a batch, and each of its entries is scanned by itself.
    fn scan_batches(&mut self, scan: &'p Scan, node: &Node) -> Result<Vec<Rc<Array>>, RunError> {
        let values = scan.carried.iter().copied().chain(scan.scanned.iter().map(|walk| walk.value));
        let arrays = values.map(|value| self.value(value, node)).collect::<Result<Vec<_>, _>>()?;
        let batch = arrays.first().and_then(|array| array.shape.first().copied()).unwrap_or(0);
        let mut results: Vec<Vec<Rc<Array>>> = vec![Vec::new(); scan.body.outputs.len()];
        for entry in 0..batch {
            let part = |array: &Rc<Array>| slice(array, 0, entry).map(Rc::new);
            let parts: Option<Vec<Rc<Array>>> = arrays.iter().map(part).collect();
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

fn wrap(axis: i64, rank: usize) -> usize {
    usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).unwrap_or(usize::MAX)
}

/// One position of an axis, the axis removed.
fn slice(array: &Array, axis: usize, at: usize) -> Option<Array> {
    let extent = *array.shape.get(axis)?;
    let inner = strides(&array.shape)[axis];
    let mut shape = array.shape.clone();
    shape.remove(axis);
    let positions = (0..array.len()).filter(|flat| (flat / inner) % extent.max(1) == at);
    let positions: Vec<usize> = positions.collect();
    Some(Array::new(array.kind, shape, pick(&array.data, &positions)))
}

/// Arrays of one shape along a new axis; backward ones last first.
fn stack(list: &[Rc<Array>], direction: Direction) -> Option<Array> {
    let first = list.first()?;
    let axis = wrap(direction.axis, first.shape.len() + 1);
    if axis > first.shape.len() || list.iter().any(|array| array.shape != first.shape) {
        return None;
    }
    let mut shape = first.shape.clone();
    shape.insert(axis, list.len());
    let inner: usize = first.shape[axis..].iter().product();
    let outer: usize = first.shape[..axis].iter().product();
    let mut data = Data::zeros(first.kind, 0);
    for block in 0..outer {
        for k in 0..list.len() {
            let array = &list[if direction.backward { list.len() - 1 - k } else { k }];
            let positions: Vec<usize> = (block * inner..(block + 1) * inner).collect();
            append(&mut data, pick(&array.data, &positions));
        }
    }
    Some(Array::new(first.kind, shape, data))
}

fn pick(data: &Data, positions: &[usize]) -> Data {
    match data {
        Data::Bool(v) => Data::Bool(positions.iter().map(|&k| v[k]).collect()),
        Data::Int(v) => Data::Int(positions.iter().map(|&k| v[k]).collect()),
        Data::Float(v) => Data::Float(positions.iter().map(|&k| v[k]).collect()),
        Data::Complex(v) => Data::Complex(positions.iter().map(|&k| v[k]).collect()),
        Data::Opaque(_) => Data::Opaque(positions.len()),
    }
}

fn append(to: &mut Data, from: Data) {
    match (to, from) {
        (Data::Bool(to), Data::Bool(from)) => to.extend(from),
        (Data::Int(to), Data::Int(from)) => to.extend(from),
        (Data::Float(to), Data::Float(from)) => to.extend(from),
        (Data::Complex(to), Data::Complex(from)) => to.extend(from),
        (Data::Opaque(to), Data::Opaque(from)) => *to += from,
        // Arrays of one loop output have one type.
        _ => {}
    }
}
