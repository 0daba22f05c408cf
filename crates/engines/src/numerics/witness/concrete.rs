//! Computing with numbers as a framework would: every tensor is rounded to its element type before the next reads it.

use super::super::cone::parents;
use crate::evaluate::{Evaluator, Mode};
use crate::ranges::smallest_normal;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::{Array, Data};
use semantics::dim::{AtomId, Dim};
use semantics::element::{Element, ElementView};
use semantics::tensor::{Content, Tensor};

/// The tensors on the way from sources to targets, in an order in which each can be computed.
pub(super) struct Course {
    order: Vec<Tensor>,
    targets: Vec<Tensor>,
    inputs: Vec<Tensor>,
    /// Conditions of the branches that the targets are computed in.
    guards: Vec<(Tensor, bool)>,
}

/// A course with numbers for its sources and sizes.
pub(super) struct Concrete<'a> {
    pub course: &'a Course,
    pub sizes: &'a FxHashMap<AtomId, i64>,
    pub given: &'a FxHashMap<Tensor, Array>,
    /// Numbers below the normal ones become zero.
    pub flushes: bool,
    /// Infinities are wanted: only what is not a number is a failure.
    pub infinities: bool,
}

/// Longer courses are not walked.
const LONGEST: usize = 20_000;

impl Course {
    pub fn to(
        targets: &[Tensor],
        sources: &[Tensor],
        inputs: &[Tensor],
        guards: &[(Tensor, bool)],
    ) -> Option<Course> {
        let sources: FxHashSet<Tensor> = sources.iter().copied().collect();
        let mut order = Vec::new();
        let mut done: FxHashSet<Tensor> = FxHashSet::default();
        // Conditions come off the list, and are computed, first.
        let wanted = targets.iter().copied().chain(guards.iter().map(|(guard, _)| *guard));
        let mut open: Vec<(Tensor, bool)> = wanted.map(|tensor| (tensor, false)).collect();
        while let Some((tensor, seen)) = open.pop() {
            if seen {
                order.push(tensor);
                continue;
            }
            if sources.contains(&tensor) || !done.insert(tensor) {
                continue;
            }
            open.push((tensor, true));
            open.extend(parents(tensor).into_iter().map(|parent| (parent, false)));
            if order.len() > LONGEST {
                return None;
            }
        }
        Some(Course { order, targets: targets.to_vec(), inputs: inputs.to_vec(), guards: guards.to_vec() })
    }

    /// How many numbers are read to compute all of it; `None` if a size is not known.
    pub fn work(&self, sizes: &FxHashMap<AtomId, i64>) -> Option<f64> {
        let mut work = 0.0;
        for &tensor in &self.order {
            let mut count = 1.0;
            for size in tensor.shape().sizes()? {
                count *= number(size, sizes)? as f64;
            }
            let each = match tensor.content() {
                Content::Formula { .. } => {
                    tensor.formula().map_or(1.0, |formula| reads(formula.element, sizes))
                }
                _ => 1.0,
            };
            work += count * each;
        }
        Some(work)
    }
}

/// How many elements one element reads.
fn reads(element: Element, sizes: &FxHashMap<AtomId, i64>) -> f64 {
    match element.view() {
        ElementView::Fold { extent, body, .. } => {
            number(extent, sizes).map_or(1.0, |extent| extent as f64) * reads(body, sizes)
        }
        ElementView::Unary(_, x) | ElementView::Cast(x) => reads(x, sizes),
        ElementView::Binary(_, x, y) => reads(x, sizes) + reads(y, sizes),
        ElementView::When(_, x, y) | ElementView::Select(_, x, y) => reads(x, sizes).max(reads(y, sizes)),
        _ => 1.0,
    }
}

pub(super) fn number(size: Dim, sizes: &FxHashMap<AtomId, i64>) -> Option<usize> {
    let number = size.evaluate(&mut |atom| sizes.get(&atom).copied())?;
    usize::try_from(number).ok()
}

impl Concrete<'_> {
    /// Whether the call of a site makes something that is no finite number out of finite ones.
    pub fn fails(&self) -> bool {
        let mut evaluator = Evaluator::new(Mode::Plain);
        for (atom, &size) in self.sizes {
            evaluator.bind(atom.dim(), size);
        }
        for (tensor, array) in self.given {
            evaluator.give(*tensor, array.clone());
        }
        for &tensor in &self.course.order {
            let Ok(reading) = evaluator.evaluate(tensor) else { return false };
            let is_left_out = self.course.guards.iter().any(|(guard, truth)| {
                *guard == tensor
                    && !matches!(&reading.array.data, Data::Bool(values) if values.first() == Some(truth))
            });
            if is_left_out {
                return false;
            }
            let Some(array) = self.rounded(&reading.array) else { continue };
            let is_finite = self.is_borne(&array);
            if self.course.targets.contains(&tensor) {
                if !is_finite {
                    return true;
                }
            } else if self.course.inputs.contains(&tensor) && !is_finite {
                // Something before it has failed already.
                return false;
            }
            evaluator.give(tensor, array);
        }
        false
    }

    fn is_borne(&self, array: &Array) -> bool {
        let is_borne = |value: &f64| if self.infinities { !value.is_nan() } else { value.is_finite() };
        array.as_floats().is_none_or(|values| values.iter().all(is_borne))
    }

    /// The array as its element type holds it.
    fn rounded(&self, array: &Array) -> Option<Array> {
        let Data::Float(values) = &array.data else { return None };
        let normal = smallest_normal(array.kind);
        let round = |&value: &f64| match array.kind.round(value) {
            rounded if self.flushes && rounded.abs() < normal => 0.0,
            rounded => rounded,
        };
        let values = values.iter().map(round).collect();
        Some(Array::new(array.kind, array.shape.clone(), Data::Float(values)))
    }
}

/// All elements as floats.
pub(super) fn numbers(array: &Array) -> Option<Vec<f64>> {
    Some(match &array.data {
        Data::Float(values) => values.clone(),
        Data::Int(values) => values.iter().map(|value| *value as f64).collect(),
        Data::Bool(values) => values.iter().map(|value| f64::from(u8::from(*value))).collect(),
        _ => return None,
    })
}
