//! Arrays that are one number over whole boxes of indices: however large an array is, few boxes say all of it.

use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use crate::finding::WitnessValue;
use crate::ranges::{Part, Partition, Span};
use semantics::array::{Array, Data};
use semantics::dim::Dim;
use semantics::dtype::{Class, Kind};
use semantics::tensor::Tensor;

/// Per axis, from one index on and before another.
pub(super) type Region = Vec<(i64, i64)>;

/// Boxes that cover an array and have nothing in common, each with a number.
#[derive(Clone)]
pub(super) struct Boxes {
    pub kind: Kind,
    shape: Vec<i64>,
    cells: Vec<(Region, f64)>,
}

/// More boxes are not told apart.
const MOST_CELLS: usize = 256;
/// Arrays of more elements are told by their boxes.
const MOST_TOLD: usize = 64;

impl Boxes {
    /// What is wished where something is, the first wish counting, and one number elsewhere.
    pub fn new(kind: Kind, shape: Vec<i64>, wishes: &[(Region, f64)], fill: f64) -> Option<Boxes> {
        let mut cells: Vec<Region> = vec![Vec::new()];
        for (axis, &size) in shape.iter().enumerate() {
            let mut cuts: Vec<i64> =
                wishes.iter().flat_map(|(region, _)| [region[axis].0, region[axis].1]).collect();
            cuts.extend([0, size]);
            cuts.retain(|cut| (0..=size).contains(cut));
            cuts.sort_unstable();
            cuts.dedup();
            let spans: Vec<(i64, i64)> = cuts.windows(2).map(|pair| (pair[0], pair[1])).collect();
            if cells.len() * spans.len() > MOST_CELLS {
                return None;
            }
            cells = cells
                .iter()
                .flat_map(|cell| spans.iter().map(move |span| cell.iter().copied().chain([*span]).collect()))
                .collect();
        }
        let value = |cell: &Region| {
            let holds = |region: &Region| {
                region.iter().zip(cell).all(|((from, to), (low, high))| from <= low && high <= to)
            };
            wishes.iter().find(|(region, _)| holds(region)).map_or(fill, |(_, value)| *value)
        };
        let valued: Vec<(Region, f64)> = cells.into_iter().map(|cell| (cell.clone(), value(&cell))).collect();
        let uniform = valued.first().filter(|(_, first)| valued.iter().all(|(_, other)| other == first));
        let cells = match uniform {
            Some((_, value)) => vec![(shape.iter().map(|&size| (0, size)).collect(), *value)],
            None => valued,
        };
        Some(Boxes { kind, shape, cells })
    }

    /// The same as ranges of points. Ends of boxes at the end of an axis of unknown size stay there.
    pub fn partition(&self, tensor: Tensor) -> Option<Partition> {
        let sizes = tensor.shape().sizes()?;
        let mut parts = Vec::new();
        for (cell, value) in &self.cells {
            let spans = cell.iter().zip(&self.shape).zip(&sizes).map(|((&(low, high), size), &whole)| Span {
                low: Dim::from(low),
                high: if high == *size { whole } else { Dim::from(high) },
            });
            let interval = match self.kind.class() {
                Class::Float => Interval::Float { low: *value, high: *value, nan: false },
                Class::Int => <Interval as Number>::int(self.kind, *value as i64),
                Class::Bool => Interval::bool(*value != 0.0),
                _ => return None,
            };
            parts.push(Part { region: spans.collect(), interval: Some(interval) });
        }
        Some(Partition { parts })
    }

    /// All elements, row by row.
    fn values(&self) -> Vec<f64> {
        let count: i64 = self.shape.iter().product();
        let mut values = vec![0.0; usize::try_from(count).unwrap_or(0)];
        for (cell, value) in &self.cells {
            set(&mut values, &self.shape, cell, *value);
        }
        values
    }

    pub fn told(&self, name: String) -> WitnessValue {
        let shape: Vec<usize> = self.shape.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect();
        let uniform = match self.cells.as_slice() {
            [(_, value)] => Some(*value),
            _ => None,
        };
        let count: usize = shape.iter().product();
        let (mut values, mut parts) = (Vec::new(), Vec::new());
        if uniform.is_none() && count <= MOST_TOLD {
            values = self.values();
        } else if uniform.is_none() {
            parts.clone_from(&self.cells);
        }
        WitnessValue { name, shape, uniform, values, parts }
    }
}

/// Puts a number everywhere in a box of an array.
pub(super) fn set(values: &mut [f64], shape: &[i64], region: &Region, value: f64) {
    let mut starts = vec![0i64];
    for (&size, &(low, high)) in shape.iter().zip(region) {
        starts = starts.iter().flat_map(|start| (low..high).map(move |at| start * size + at)).collect();
    }
    for start in starts {
        if let Some(slot) = usize::try_from(start).ok().and_then(|at| values.get_mut(at)) {
            *slot = value;
        }
    }
}

pub(super) fn array(kind: Kind, shape: &[i64], values: Vec<f64>) -> Option<Array> {
    let shape: Option<Vec<usize>> = shape.iter().map(|&size| usize::try_from(size).ok()).collect();
    let data = match kind.class() {
        Class::Float => Data::Float(values),
        Class::Int => Data::Int(values.into_iter().map(|value| value as i64).collect()),
        Class::Bool => Data::Bool(values.into_iter().map(|value| value != 0.0).collect()),
        _ => return None,
    };
    Some(Array::new(kind, shape?, data))
}
