//! One of several values, chosen by a number that only the run will tell: `groups[random.randint(0, 9)]`. The same
//! number chooses the same value each time, so sizes depend on the number instead of being anything.

use super::Interpreter;
use crate::heap::{Object, Payload};
use crate::value::Value;
use rustc_hash::FxHashMap;
use semantics::dim::{AtomView, Dim, DimId, Origin};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// Out of more values than this only one and the same can be told.
const MOST: usize = 32;

/// Sizes that were chosen before: by which number, and out of which.
pub(super) type Choices = FxHashMap<(DimId, Vec<DimId>), Dim>;

impl Interpreter {
    /// The value that stands under the number, or what all have in common; `None` if that is nothing.
    pub(super) fn chosen<'v>(
        &mut self,
        number: Dim,
        values: impl Iterator<Item = (i64, &'v Value)> + Clone,
    ) -> Option<Value> {
        let (low, high) = number.bounds();
        let possible = values.filter(|(place, _)| (low..=high).contains(place));
        if possible.clone().nth(MOST).is_some() {
            let (_, first) = possible.clone().next()?;
            return possible.clone().all(|(_, value)| value.is(first)).then(|| first.clone());
        }
        let (places, values): (Vec<i64>, Vec<Value>) =
            possible.map(|(place, value)| (place, value.clone())).unzip();
        if let Some(value) = self.chosen_value(number, &places, &values) {
            return Some(value);
        }
        match self.heap.all_alike(&values)? {
            Value::Unknown(unknown) if unknown.kind.is_none() => None,
            value => Some(self.heap.one_of(&value)),
        }
    }

    /// One of numbers, tensors of one type and rank, and tuples and arrays of them.
    fn chosen_value(&mut self, number: Dim, places: &[i64], values: &[Value]) -> Option<Value> {
        let first = values.first()?;
        if values.iter().all(|value| value.is(first)) {
            return Some(first.clone());
        }
        match first {
            Value::Int(_) => {
                let sizes: Option<Vec<Dim>> = values.iter().map(Value::as_dim).collect();
                Some(Value::Int(self.chosen_size(number, places, &sizes?)))
            }
            Value::Tuple(items) => {
                let tuples: Option<Vec<_>> = values
                    .iter()
                    .map(|value| match value {
                        Value::Tuple(parts) if parts.len() == items.len() => Some(parts.clone()),
                        _ => None,
                    })
                    .collect();
                let tuples = tuples?;
                let items = (0..items.len()).map(|part| {
                    let parts: Vec<Value> = tuples.iter().map(|tuple| tuple[part].clone()).collect();
                    self.chosen_value(number, places, &parts)
                });
                Some(Value::Tuple(items.collect::<Option<_>>()?))
            }
            Value::Object(_) => {
                let objects: Option<Vec<Object>> =
                    values.iter().map(|value| Some(self.heap.get(value.as_object()?).clone())).collect();
                self.chosen_object(number, places, &objects?)
            }
            _ => None,
        }
    }
    fn chosen_object(&mut self, number: Dim, places: &[i64], objects: &[Object]) -> Option<Value> {
        let first = objects.first()?;
        if objects.iter().any(|object| object.class != first.class) {
            return None;
        }
        let mut attributes = first.attributes.clone();
        let payload = match &first.payload {
            Payload::Tensor(_, gradient) => {
                let tensors: Option<Vec<Tensor>> = objects.iter().map(tensor_of).collect();
                let gradient = objects.iter().fold(*gradient, |gradient, object| match &object.payload {
                    Payload::Tensor(_, other) => gradient.either(*other),
                    _ => gradient,
                });
                attributes.retain(|name, value| {
                    objects.iter().all(|object| object.attributes.get(name).is_some_and(|own| own.is(value)))
                });
                Payload::Tensor(self.chosen_tensor(number, places, &tensors?)?, gradient)
            }
            // An array of a library holds a tensor.
            Payload::Plain if self.heap.is_of_library(first.class) => {
                for (name, value) in attributes.iter_mut() {
                    let values: Option<Vec<Value>> =
                        objects.iter().map(|object| object.attributes.get(name).cloned()).collect();
                    *value = self.chosen_value(number, places, &values?)?;
                }
                Payload::Plain
            }
            _ => return None,
        };
        Some(Value::Object(self.heap.push(Object { class: first.class, attributes, payload })))
    }
    fn chosen_tensor(&mut self, number: Dim, places: &[i64], tensors: &[Tensor]) -> Option<Tensor> {
        let first = tensors.first()?;
        let (kind, rank) = (first.dtype().known()?, first.shape().sizes()?.len());
        let shapes: Vec<_> = tensors
            .iter()
            .map(|tensor| tensor.shape().sizes().filter(|_| tensor.dtype().known() == Some(kind)))
            .collect::<Option<_>>()?;
        if shapes.iter().any(|sizes| sizes.len() != rank) {
            return None;
        }
        let sizes = (0..rank).map(|axis| {
            let sizes: Vec<Dim> = shapes.iter().map(|sizes| sizes[axis]).collect();
            self.chosen_size(number, places, &sizes)
        });
        Some(Tensor::given("chosen", kind, Shape::new(sizes.collect::<Vec<_>>())))
    }
    /// Of known sizes it is said which drawn number chooses which; others are a size of their own, the same each time.
    fn chosen_size(&mut self, number: Dim, places: &[i64], sizes: &[Dim]) -> Dim {
        let Some((&last, others)) = sizes.split_last() else { return number };
        if sizes.iter().all(|size| size.id() == last.id()) {
            return last;
        }
        // A choice inside a choice is more than can be told.
        let is_drawn = number.as_atom().is_some_and(|atom| matches!(atom.view(), AtomView::Symbol(_)));
        if is_drawn && sizes.iter().all(|size| size.known().is_some()) {
            let chosen = others.iter().zip(places).rev();
            return chosen.fold(last, |rest, (size, place)| Dim::select(number.eq(*place), *size, rest));
        }
        let low = sizes.iter().map(|size| size.bounds().0).min().unwrap_or(0);
        let high = sizes.iter().map(|size| size.bounds().1).max().unwrap_or(0);
        let question = (number.id(), sizes.iter().map(|size| size.id()).collect());
        *self.choices.entry(question).or_insert_with(|| {
            let origin = Origin::computed("one of several, chosen by a number that is not known");
            Dim::symbol_from("chosen", low, high, origin)
        })
    }
}

fn tensor_of(object: &Object) -> Option<Tensor> {
    match &object.payload {
        Payload::Tensor(tensor, _) => Some(*tensor),
        _ => None,
    }
}
