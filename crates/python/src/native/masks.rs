//! How much a mask selects: a number that is the same whenever the same elements are asked.

use super::{Keywords, Native, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::value::Value;
use rustc_hash::FxHashMap;
use semantics::dim::{Dim, DimId, LARGEST_SIZE, Origin};
use semantics::element::{ElementId, ElementView};
use semantics::scalar::Unary;
use semantics::shape::ShapeId;
use semantics::tensor::{Content, Tensor};

pub static FUNCTIONS: &[Native] =
    &[Native { name: "selected", call: selected }, Native { name: "selecting", call: selecting }];

/// What masks select so far.
#[derive(Default)]
pub struct Selected {
    counts: FxHashMap<Mask, Dim>,
    /// The index along an axis of each size, in all formulas that are compared.
    indices: FxHashMap<(usize, DimId), Dim>,
}

/// Masks with equal formulas over the same tensors have equal elements.
#[derive(PartialEq, Eq, Hash)]
enum Mask {
    Tensor(Tensor),
    Formula(ElementId, ShapeId),
}

impl Selected {
    pub fn clear(&mut self) {
        *self = Selected::default();
    }
    /// The mask by its formula, if it has one; or the mask of which it is the opposite.
    fn read(&mut self, mask: Tensor) -> Result<Mask, Tensor> {
        let (Content::Formula { element, .. }, Some(sizes)) = (mask.content(), mask.shape().sizes()) else {
            return Ok(Mask::Tensor(mask));
        };
        let index: Vec<Dim> = sizes.iter().enumerate().map(|(axis, &size)| self.index(axis, size)).collect();
        let element = element(&index);
        if let ElementView::Unary(Unary::Not, inner) = element.view()
            && let ElementView::At(of, at) = inner.view()
            && of.shape().id() == mask.shape().id()
            && at.iter().map(|at| at.id()).eq(index.iter().map(|at| at.id()))
        {
            return Err(of);
        }
        Ok(Mask::Formula(element.id(), mask.shape().id()))
    }
    fn index(&mut self, axis: usize, size: Dim) -> Dim {
        let last = (size.bounds().1 - 1).max(0);
        *self.indices.entry((axis, size.id())).or_insert_with(|| Dim::symbol(&format!("i{axis}"), 0, last))
    }
}

/// `selected(mask)`: how many elements of a tensor are true, or not zero.
fn selected(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mask = required(interpreter, &values, 0, "selected")?;
    Ok(match interpreter.as_tensor(&mask) {
        Some(mask) => Value::Int(count(interpreter, mask)),
        None => Value::unknown("what a mask selects"),
    })
}

/// `selecting(mask, number)`: the mask, of which it is known how many elements are true, or not zero.
fn selecting(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mask = required(interpreter, &values, 0, "selecting")?;
    if let (Some(tensor), Some(number)) =
        (interpreter.as_tensor(&mask), values.get(1).and_then(|it| interpreter.unwrapped(it).as_dim()))
        && let Ok(read) = interpreter.selected.read(tensor)
    {
        interpreter.selected.counts.insert(read, number);
    }
    Ok(mask)
}

fn count(interpreter: &mut Interpreter, mask: Tensor) -> Dim {
    let whole = mask.shape().count();
    let mask = match interpreter.selected.read(mask) {
        Ok(mask) => mask,
        Err(opposite) => return whole - count(interpreter, opposite),
    };
    if let Some(known) = interpreter.selected.counts.get(&mask) {
        return *known;
    }
    let most = whole.bounds().1.clamp(0, LARGEST_SIZE);
    let origin = Origin::count("the number of elements that a mask selects");
    let count = Dim::symbol_from("selected", 0, most, origin);
    if whole.known().is_none() {
        interpreter.path.context.assume(count.le(whole));
    }
    interpreter.selected.counts.insert(mask, count);
    count
}
