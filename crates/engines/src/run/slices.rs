//! What loops and scans take apart and put together: readings along an axis, with their bounds.

use crate::evaluate::{Bound, Reading};
use program::ir::Direction;
use semantics::array::{Array, Data, strides};
use semantics::dtype::Kind;
use semantics::integer;
use std::rc::Rc;

/// An axis counted from the back if negative; far out of range if there is none such.
pub(super) fn wrap(axis: i64, rank: usize) -> usize {
    usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).unwrap_or(usize::MAX)
}

/// One position of an axis, the axis removed.
pub(super) fn slice(reading: &Reading, axis: usize, at: usize) -> Option<Reading> {
    let array = &reading.array;
    let extent = *array.shape.get(axis)?;
    let inner = strides(&array.shape)[axis];
    let mut shape = array.shape.clone();
    shape.remove(axis);
    let positions = (0..array.len()).filter(|flat| (flat / inner) % extent.max(1) == at);
    let positions: Vec<usize> = positions.collect();
    let array = Array::new(array.kind, shape, pick(&array.data, &positions));
    Some(Reading::new(array, picked(&reading.bound, &positions)))
}

/// Readings of one shape along a new axis; backward ones last first.
pub(super) fn stack(list: &[Rc<Reading>], direction: Direction) -> Option<Reading> {
    let first = &list.first()?.array;
    let axis = wrap(direction.axis, first.shape.len() + 1);
    if axis > first.shape.len()
        || list.iter().any(|other| other.array.shape != first.shape || other.array.kind != first.kind)
    {
        return None;
    }
    let mut shape = first.shape.clone();
    shape.insert(axis, list.len());
    let inner: usize = first.shape[axis..].iter().product();
    let outer: usize = first.shape[..axis].iter().product();
    // As if all were one after the other, then put in order.
    let mut data = Data::zeros(first.kind, 0);
    list.iter().for_each(|reading| append(&mut data, reading.array.data.clone()));
    let count = list.len();
    let places = (0..outer).flat_map(|block| (0..count).map(move |k| (block, k)));
    let places = places.flat_map(|(block, k)| {
        let number = if direction.backward { count - 1 - k } else { k };
        let start = (number * outer + block) * inner;
        start..start + inner
    });
    let places: Vec<usize> = places.collect();
    let bound = picked(&joined(list), &places);
    Some(Reading::new(Array::new(first.kind, shape, pick(&data, &places)), bound))
}

/// What stacking nothing gives, where one reading would be like this one.
pub(super) fn nothing_like(kind: Kind, sizes: &[usize], direction: Direction) -> Option<Reading> {
    let axis = wrap(direction.axis, sizes.len() + 1);
    let mut shape = sizes.to_vec();
    (axis <= sizes.len()).then(|| shape.insert(axis, 0))?;
    Some(Reading::new(Array::zeros(kind, &shape), Bound::Exact))
}

/// The bounds of readings of one type, one after the other.
fn joined(list: &[Rc<Reading>]) -> Bound {
    let rough = list.iter().find(|reading| reading.bound != Bound::Exact);
    let each = list.iter().map(|reading| (&reading.bound, reading.array.len()));
    match rough.map(|reading| &reading.bound) {
        None | Some(Bound::Exact) => Bound::Exact,
        Some(Bound::Float(_)) => Bound::Float(each.flat_map(|(bound, count)| errors(bound, count)).collect()),
        Some(Bound::Complex(_)) => {
            Bound::Complex(each.flat_map(|(bound, count)| errors(bound, count)).collect())
        }
        Some(Bound::Bool(_)) => Bound::Bool(
            each.flat_map(|(bound, count)| match bound {
                Bound::Bool(undecided) => undecided.clone(),
                _ => vec![false; count],
            })
            .collect(),
        ),
        Some(Bound::Int(_)) => Bound::Int(
            list.iter()
                .flat_map(|reading| match (&reading.bound, &reading.array.data) {
                    (Bound::Int(ranges), _) => ranges.clone(),
                    (_, Data::Int(values)) => {
                        let wide = |&value: &i64| integer::widen(reading.array.kind, value);
                        values.iter().map(|value| (wide(value), wide(value))).collect()
                    }
                    _ => Vec::new(),
                })
                .collect(),
        ),
    }
}

fn errors(bound: &Bound, count: usize) -> Vec<f64> {
    match bound {
        Bound::Float(errors) | Bound::Complex(errors) => errors.clone(),
        _ => vec![0.0; count],
    }
}

fn picked(bound: &Bound, positions: &[usize]) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::Float(v) => Bound::Float(positions.iter().map(|&k| v[k]).collect()),
        Bound::Int(v) => Bound::Int(positions.iter().map(|&k| v[k]).collect()),
        Bound::Bool(v) => Bound::Bool(positions.iter().map(|&k| v[k]).collect()),
        Bound::Complex(v) => Bound::Complex(positions.iter().map(|&k| v[k]).collect()),
    }
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
