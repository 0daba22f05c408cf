//! Weights that were adapted by two of low rank (`enable_lora`): archives hold the sum, `.h5` files what is added up.

use super::stored::{self, Found};
use program::ir::Constant;
use semantics::array::Array;
use serde_json::{Map, Value};
use std::rc::Rc;

/// What is added to a weight: `scale` times the product of `a` and `b`.
pub(super) struct Addend {
    weight: String,
    scale: f64,
    a: Constant,
    b: Constant,
}

/// Takes the two of low rank out of what is stored, if they are there.
pub(super) fn taken(found: &mut Vec<Found>, config: &Map<String, Value>) -> Option<Addend> {
    let rank = config.get("lora_rank").and_then(Value::as_f64)?;
    let alpha = config.get("lora_alpha").and_then(Value::as_f64).unwrap_or(rank);
    let place = |found: &[Found], end: &str| found.iter().position(|(path, _)| factor(path, end).is_some());
    let (first, _) = (place(found, "_a")?, place(found, "_b")?);
    let weight = factor(&found[first].0, "_a")?.to_string();
    let a = stored::constant(&found.remove(first).1)?;
    let second = place(found, "_b")?;
    let b = stored::constant(&found.remove(second).1)?;
    Some(Addend { weight, scale: alpha / rank, a, b })
}

/// `kernel` of `…/lora_kernel_a`.
fn factor<'p>(path: &'p str, end: &str) -> Option<&'p str> {
    let name = path.rsplit('/').next()?.trim_end_matches(":0");
    name.strip_prefix("lora_")?.strip_suffix(end)
}

impl Addend {
    /// The sum, where this is the weight to which it belongs and the sizes fit.
    pub fn added(&self, name: &str, constant: Constant) -> Constant {
        let (sizes, a, b) = (&constant.sizes, &self.a.sizes, &self.b.sizes);
        let fits = match (sizes.split_last(), a.split_last(), b.as_slice()) {
            (Some((last, front)), Some((rank, rows)), [inner, columns]) => {
                front == rows && rank == inner && last == columns
            }
            _ => false,
        };
        if name != self.weight || !fits {
            return constant;
        }
        let (load, a, b, scale) = (constant.load, self.a.load.clone(), self.b.load.clone(), self.scale);
        let sum = move || {
            let (base, a, b) = (load()?, a()?, b()?);
            let (inner, columns) = (b.shape[0], b.shape[1]);
            let (left, right) = (a.as_floats()?, b.as_floats()?);
            let product = |row: usize, column: usize| -> f64 {
                (0..inner).map(|k| left[row * inner + k] * right[k * columns + column]).sum()
            };
            let each = base.as_floats()?.iter().enumerate();
            let values =
                each.map(|(at, value)| base.kind.round(value + scale * product(at / columns, at % columns)));
            let values = values.collect();
            Some(Array::floats(base.kind, &base.shape, values))
        };
        Constant { kind: constant.kind, sizes: constant.sizes, load: Rc::new(sum) }
    }
}
